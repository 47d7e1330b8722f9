/*
 * Common parts of output files and output folders: following links, temporary names, final names,
 * and closing. Must not know the content.
 */
#ifndef ANAX_CORE_OUTPUT_H
#define ANAX_CORE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Follows links, also those to a name that does not exist yet. The path of an open file of this
 * process (/dev/stdout, /dev/fd/3) is followed to its descriptor, which is set in *descriptor;
 * otherwise *descriptor is -1. Returns a text that the caller frees; NULL: out of memory, or too
 * many links (errno). */
char *output_follow_links(const char *path, int *descriptor);

/* Returns a temporary name in the folder of path, a different one for each attempt. The caller
 * frees the text; NULL if out of memory. The name is not too long for file systems, unless path is.
 */
char *output_temporary_name(const char *path, unsigned attempt);

/* Renames `from` to `to`. Without `replace`, an existing file keeps its name, even if it was
 * created at this moment: EEXIST. Returns 0 or an errno. */
int output_rename(const char *from, const char *to, bool replace);

/* Flushes and closes the stream. Returns 0, or the errno of the first write that failed. */
int output_close(FILE *stream);

#endif
