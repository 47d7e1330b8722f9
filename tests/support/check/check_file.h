/* Whole files, as the checker and its tools read and write them. */
#ifndef ANAX_TESTS_CHECK_FILE_H
#define ANAX_TESTS_CHECK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Everything that is left of a file, with a byte 0 behind it; NULL: it cannot be read. To be freed.
 */
char *file_read_all(FILE *file, size_t *size);
/* The same of the file at path; "-" is the standard input. */
char *file_read(const char *path, size_t *size);
/* Writes a file. False: it cannot be written. */
bool file_write(const char *path, const char *bytes, size_t size);

#endif
