/*
 * A folder that appears under its name only when it is complete. Knows files, not their content.
 *
 * Invariant: before output_folder_finish succeeds, nothing exists under the final name. After it
 * returns, nothing exists under the temporary name.
 */
#ifndef ANAX_CORE_OUTPUT_FOLDER_H
#define ANAX_CORE_OUTPUT_FOLDER_H

#include "core/base/status.h"

#include <stdio.h>

struct output_folder {
    char *path;      /* final name */
    char *temporary; /* temporary name beside it; other code that writes into the folder uses this
                        name */
    void *reserve;   /* memory for removing the folder when no other memory is left */
};

/* Creates the folder under a temporary name. STATUS_EXISTS: something has this name. */
status_code output_folder_begin(struct output_folder *folder, const char *path,
                                struct status *status);

/* Opens a new file in the folder for writing. */
status_code output_folder_open(const struct output_folder *folder, const char *name, FILE **file,
                               struct status *status);

/* Closes a file. STATUS_SYSTEM: not everything could be written. */
status_code output_folder_close(const struct output_folder *folder, const char *name, FILE *file,
                                struct status *status);

/* Renames the folder if code is STATUS_OK; otherwise removes it with its content. Returns code, or
 * the error that happened here; STATUS_EXISTS: something has got the name meanwhile. */
status_code output_folder_finish(struct output_folder *folder, status_code code,
                                 struct status *status);

#endif
