/*
 * Tells which files belong to a trace. Knows names and folders; must not know the content of files.
 */
#ifndef ANAX_TRACES_TRACE_FILES_H
#define ANAX_TRACES_TRACE_FILES_H

#include <stdbool.h>
#include <sys/stat.h>

/* Returns true if `name` is the name of an OTF2 anchor file: NAME.otf2, not hidden. */
bool trace_files_is_anchor(const char *name);

/* Returns true if traces_open reads the file or folder `file` when it opens `path`, no matter by
 * which name the caller found `file`. These are: path itself if it is a file, and for an archive
 * also its definitions, its folder of events and the files in that folder. If path is a folder, the
 * function looks at the archives and the files of a recording in that folder; the folder itself is
 * none of them. */
bool trace_files_have(const char *path, const struct stat *file);

#endif
