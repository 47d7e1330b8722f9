/* Tells whether a file belongs to a trace: to an OTF2 archive its anchor, its definitions and all
 * files of its folder, to a recording the files of its ranks. */
#include "traces/trace_files.h"
#include "traces/recording/recording_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define ANCHOR_END ".otf2"

bool trace_files_is_anchor(const char *name) {
    size_t length = strlen(name), end = strlen(ANCHOR_END);
    return length > end && name[0] != '.' && strcmp(name + length - end, ANCHOR_END) == 0;
}

static bool is_same(const char *path, const struct stat *file) {
    struct stat found;
    return stat(path, &found) == 0 && found.st_dev == file->st_dev && found.st_ino == file->st_ino;
}

/* Joins a path. Returns false if it is longer than the system allows: then there is no such file.
 */
static bool join_path(char path[PATH_MAX], const char *start, size_t start_bytes, const char *end) {
    int length = snprintf(path, PATH_MAX, "%.*s%s", (int)start_bytes, start, end);
    return length > 0 && length < PATH_MAX;
}

static bool is_entry(const char *name) {
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* Returns true if `has` returns true for an entry of the folder of whose name `asks` does. */
static bool folder_has(const char *folder, const struct stat *file,
                       bool (*has)(const char *path, const struct stat *file),
                       bool (*asks)(const char *name)) {
    char start[PATH_MAX], path[PATH_MAX];
    DIR *listing = opendir(folder);
    if (listing == NULL) return false;
    bool found = false;
    for (struct dirent *entry = readdir(listing); entry != NULL && !found;
         entry = readdir(listing)) {
        found = asks(entry->d_name) && join_path(start, folder, strlen(folder), "/") &&
                join_path(path, start, strlen(start), entry->d_name) && has(path, file);
    }
    closedir(listing);
    return found;
}

static bool archive_has(const char *anchor, const struct stat *file) {
    char path[PATH_MAX];
    size_t stem = strlen(anchor) - strlen(ANCHOR_END);
    if (is_same(anchor, file)) return true;
    if (join_path(path, anchor, stem, ".def") && is_same(path, file)) return true;
    if (!join_path(path, anchor, stem, "")) return false;
    return is_same(path, file) ||
           (S_ISREG(file->st_mode) && folder_has(path, file, is_same, is_entry));
}

bool trace_files_have(const char *path, const struct stat *file) {
    struct stat about;
    const char *slash = strrchr(path, '/');
    if (stat(path, &about) != 0) return false;
    if (S_ISDIR(about.st_mode))
        return folder_has(path, file, archive_has, trace_files_is_anchor) ||
               folder_has(path, file, is_same, recording_is_rank_file);
    if (trace_files_is_anchor(slash != NULL ? slash + 1 : path)) return archive_has(path, file);
    return is_same(path, file);
}
