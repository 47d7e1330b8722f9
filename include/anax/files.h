/*
 * Files that are written. anax.h has the rules for the whole interface.
 */
#ifndef ANAX_FILES_H
#define ANAX_FILES_H

#include <anax/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a text, without the NUL at its end, into a file. options: replace; may be NULL.
 * ANAX_ERROR_EXISTS: the file exists, and options.replace is not set. ANAX_ERROR_USAGE: `path` is a
 * folder, or cannot be the name of a file. */
ANAX_API anax_code anax_text_write(const char *text, const char *path, const anax_options *options,
                                   anax_error *error);

/* Checks before a long run whether a file could be written. Creates nothing, so writing can still
 * fail. options: replace; may be NULL. Errors as for anax_text_write. */
ANAX_API anax_code anax_file_check(const char *path, const anax_options *options,
                                   anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
