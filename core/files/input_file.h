/*
 * Opens input files. Must not know their content.
 *
 * Invariant: only regular files are opened. A pipe may wait for a writer forever and can be read
 * only once, while most inputs are read several times; a device has no end or no content.
 */
#ifndef ANAX_CORE_INPUT_FILE_H
#define ANAX_CORE_INPUT_FILE_H

#include "core/base/status.h"

#include <stdio.h>
#include <sys/stat.h>

/* Opens a file for reading. The caller closes it. STATUS_INPUT: path cannot be opened, or is not a
 * regular file. */
status_code input_file_open(FILE **file, const char *path, struct status *status);

/* Checks the result of stat for path. STATUS_INPUT: it is not a regular file. */
status_code input_file_check(const char *path, const struct stat *about, struct status *status);

#endif
