/*
 * Files that appear when they are complete. Knows only core/status.h; must not know what is in
 * them.
 *
 * Invariant: under the final name there is the old file or the whole new one, never a part of it,
 * and an old file is replaced only if the caller allows it. What is no plain file (a device, a
 * pipe, an open file such as /dev/stdout) is not replaced, but written to; a link stays, and the
 * file that it leads to is meant.
 */
#ifndef ANAX_CORE_OUTPUT_FILE_H
#define ANAX_CORE_OUTPUT_FILE_H

#include "core/status.h"

#include <stdbool.h>
#include <stdio.h>

struct output_file {
    FILE *stream; /* to be written to */
    char *path;
    char *target;    /* where path leads */
    char *temporary; /* the name until it is complete; NULL: written to in place */
    bool replace;
};

/* What output_file_open will say of path, before there is anything to write. */
status_code output_file_check(const char *path, bool replace, struct status *status);

/* STATUS_USAGE: path is a folder, or a file that is not to be replaced. On failure there is nothing
 * to finish. */
status_code output_file_open(struct output_file *file, const char *path, bool replace,
                             struct status *status);

/* Closes it; gives it its name if code is STATUS_OK and everything could be written, and removes it
 * otherwise. Returns code, or what went wrong here. */
status_code output_file_finish(struct output_file *file, status_code code, struct status *status);

#endif
