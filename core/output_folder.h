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

typedef struct output_folder {
    char *path;      /* final */
    char *temporary; /* beside it: whoever writes into the folder by other means does it here */
    void *reserve;   /* memory for removing it, also when there is none left */
} output_folder;

/* STATUS_USAGE when something of that name exists already. */
status_code output_folder_begin(output_folder *folder, const char *path, status *status);

/* Opens a new file of the folder for writing. */
status_code output_folder_open(const output_folder *folder, const char *name, FILE **file,
                               status *status);

/* Closes a file; STATUS_SYSTEM when not everything could be written. */
status_code output_folder_close(const output_folder *folder, const char *name, FILE *file,
                                status *status);

/* Renames the folder if code is STATUS_OK, otherwise removes it with all that is in it; returns
 * what went wrong first. */
status_code output_folder_finish(output_folder *folder, status_code code, status *status);

#endif
