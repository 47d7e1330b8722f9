/*
 * Opening what is read. Must not know what is in it.
 *
 * Invariant: only plain files are opened. A pipe would wait for a writer for ever, and could be
 * read only once, while most inputs are read several times; a device has no end or no content.
 */
#ifndef ANAX_CORE_INPUT_FILE_H
#define ANAX_CORE_INPUT_FILE_H

#include "core/status.h"

#include <stdio.h>
#include <sys/stat.h>

/* STATUS_INPUT: path cannot be opened, or leads to something else than a plain file. */
status_code input_file_open(FILE **file, const char *path, struct status *status);

/* STATUS_INPUT: what was found at path is no plain file. */
status_code input_file_check(const char *path, const struct stat *about, struct status *status);

#endif
