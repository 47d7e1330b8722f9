/*
 * Files that appear when they are complete. Knows only core/base/status.h; must not know the
 * content.
 *
 * Invariant: the final name always belongs to the old file or to the whole new one. An old file is
 * replaced only if the caller allows it. If path is not a regular file (a device, a pipe, an open
 * file such as /dev/stdout), the output is written to it in place. If path is a link, the link
 * stays and the file to which it leads is written.
 */
#ifndef ANAX_CORE_OUTPUT_FILE_H
#define ANAX_CORE_OUTPUT_FILE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdio.h>

struct output_file {
    FILE *stream; /* the stream to write to */
    char *path;
    char *target;    /* the path to which `path` leads */
    char *temporary; /* the name until the file is complete; NULL: written in place */
    bool may_replace;
};

/* Returns the result that output_file_open would have for path, without opening anything. */
status_code output_file_check(const char *path, bool replace, struct status *status);

/* Opens an output file. STATUS_USAGE: path is a folder. STATUS_EXISTS: it is a file that may not
 * be replaced. The caller calls output_file_finish only after success. */
status_code output_file_open(struct output_file *file, const char *path, bool replace,
                             struct status *status);

/* Closes the file. If code is STATUS_OK and everything was written, the file gets its final name;
 * otherwise it is removed. Returns code, or the error that happened here. */
status_code output_file_finish(struct output_file *file, status_code code, struct status *status);

#endif
