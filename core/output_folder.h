/*
 * A folder that appears under its name only when it is complete. Knows files only; must not know
 * what is in them.
 *
 * Invariant: until output_folder_finish succeeded nothing exists under the final name, and after
 * either end nothing exists under the temporary one.
 */
#ifndef ANAX_CORE_OUTPUT_FOLDER_H
#define ANAX_CORE_OUTPUT_FOLDER_H

#include "core/status.h"

#include <stdio.h>

struct output_folder {
    char *path;      /* final */
    char *temporary; /* beside it: whoever writes into the folder by other means does it here */
    void *reserve;   /* memory for removing it, also when there is none left */
};

/* STATUS_USAGE when something of that name exists already. */
status_code output_folder_begin(struct output_folder *folder, const char *path,
                                struct status *status);

/* Opens a new file of the folder for writing. */
status_code output_folder_open(const struct output_folder *folder, const char *name, FILE **file,
                               struct status *status);

/* Closes a file; STATUS_SYSTEM when not everything could be written. */
status_code output_folder_close(const struct output_folder *folder, const char *name, FILE *file,
                                struct status *status);

/* Renames the folder if code is STATUS_OK, otherwise removes it with all that is in it; returns
 * what went wrong first. */
status_code output_folder_finish(struct output_folder *folder, status_code code,
                                 struct status *status);

#endif
