/* Follows the links of a path to the file that is to be written, makes temporary names beside it,
 * and gives an output its final name without replacing a newer file. */
#define _GNU_SOURCE /* renameat2 */
#include "core/files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40, KEPT_MAX = 200, SUFFIX_BYTES = 48 };

/* Returns the descriptor in the path of an open file of this process; -1 for other paths. */
static int descriptor_of(const char *path) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) != 0) continue;
        char *end = NULL;
        long number = strtol(path + length, &end, 10);
        if (path[length] >= '0' && path[length] <= '9' && *end == '\0' && number <= INT_MAX)
            return (int)number;
    }
    return -1;
}

static size_t folder_bytes(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Returns the path to which a link leads, relative to the folder of the link. NULL: path is no link
 * (errno EINVAL) or does not exist, or there is no memory. */
static char *next_of(const char *path) {
    char to[PATH_MAX];
    ssize_t length = readlink(path, to, sizeof to - 1);
    if (length < 0) return NULL;
    to[length] = '\0';
    size_t folder = to[0] == '/' ? 0 : folder_bytes(path);
    size_t size = folder + (size_t)length + 1;
    char *next = malloc(size);
    if (next != NULL) snprintf(next, size, "%.*s%s", (int)folder, path, to);
    return next;
}

char *output_follow_links(const char *path, int *descriptor) {
    char *name = strdup(path);
    for (unsigned links = 0; name != NULL; links++) {
        *descriptor = descriptor_of(name);
        if (*descriptor >= 0) return name;
        char *next = next_of(name);
        if (next == NULL && errno != ENOMEM) return name;
        free(name);
        name = next;
        if (name == NULL || links < LINKS_MAX) continue;
        free(name);
        errno = ELOOP;
        return NULL;
    }
    errno = ENOMEM;
    return NULL;
}

char *output_temporary_name(const char *path, unsigned attempt) {
    size_t folder = folder_bytes(path), kept = strlen(path + folder);
    if (kept > KEPT_MAX) kept = KEPT_MAX;
    while (kept > 0 && ((unsigned char)path[folder + kept] & 0xc0) == 0x80) /* inside a character */
        kept--;
    size_t size = folder + kept + SUFFIX_BYTES;
    char *name = malloc(size);
    if (name != NULL)
        snprintf(name, size, "%.*s.part-%ld-%u", (int)(folder + kept), path, (long)getpid(),
                 attempt);
    return name;
}

/* Renames a file if the new name is free, without renameat2. A hard link tests the name and takes
 * it in one step. If the file system has no links, a test before the renaming must be enough. */
static int take_free(const char *from, const char *to) {
    if (link(from, to) == 0) return unlink(from) == 0 ? 0 : errno;
    if (errno == EEXIST) return EEXIST;
    struct stat present;
    if (lstat(to, &present) == 0) return EEXIST;
    return rename(from, to) == 0 ? 0 : errno;
}

int output_rename(const char *from, const char *to, bool replace) {
    if (replace) return rename(from, to) == 0 ? 0 : errno;
#ifdef RENAME_NOREPLACE
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
    return take_free(from, to);
}

int output_close(FILE *stream) {
    int reason = 0;
    if (ferror(stream)) reason = errno != 0 ? errno : EIO; /* mostly from the last write */
    if (fflush(stream) != 0 && reason == 0) reason = errno;
    if (fclose(stream) != 0 && reason == 0) reason = errno;
    return reason;
}
