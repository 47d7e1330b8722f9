/*
 * What output files and folders share: where a name leads, a temporary name beside it, how what is
 * complete takes its name, and closing. Must not know what is written.
 */
#ifndef ANAX_CORE_OUTPUT_H
#define ANAX_CORE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Follows links, also those that lead to a name that does not exist yet. A path of an open file of
 * this process (/dev/stdout, /dev/fd/3) ends at its number, in *descriptor; otherwise that is -1.
 * To be freed; NULL: no memory, or too many links (errno). */
char *output_follow(const char *path, int *descriptor);

/* A name in the same folder that tells what it is for, another one for each attempt; to be freed.
 * It is no longer than file systems take if path is not. NULL when out of memory. */
char *output_temporary_name(const char *path, unsigned attempt);

/* Gives what is called `from` the name `to`. Unless it may replace a file, what has that name
 * already stays, also if it came at this moment: EEXIST. Returns 0 or an errno. */
int output_take_name(const char *from, const char *to, bool replace);

/* Writes what is left, and closes it; returns 0, or the errno of what could not be written. */
int output_close(FILE *stream);

#endif
