/*
 * Which files a trace consists of. Knows names and folders; must not know what files hold.
 */
#ifndef ANAX_TRACES_TRACE_FILES_H
#define ANAX_TRACES_TRACE_FILES_H

#include <stdbool.h>
#include <sys/stat.h>

/* Whether the name of a file is that of an archive's anchor file: NAME.otf2. */
bool trace_files_is_anchor(const char *name);

/* Whether a file or folder, by whatever name it was found, is one that traces_open reads for path:
 * path itself if that is a file, an archive's definitions, its folder of events, or a file in that.
 * If path is a folder, this is about the archives that it holds; the folder itself is not read. */
bool trace_files_have(const char *path, const struct stat *file);

#endif
