/* Writes files into a folder with a temporary name, and renames the folder when all files are
 * closed. If something fails, the folder is removed. */
#define _GNU_SOURCE /* nftw */
#include "core/files/output_folder.h"

#include "core/files/output.h"
#include "core/memory/memory.h"

#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXISTS "%s: exists already; name a new folder, or remove it first"

enum { ATTEMPTS = 100, RESERVE_BYTES = 256 << 10 };

/* Creates the folder with a temporary name. Skips names that a killed run has left. */
static status_code make_temporary(struct output_folder *folder, struct status *status) {
    int reason = EEXIST;
    for (unsigned attempt = 0; attempt < ATTEMPTS && reason == EEXIST; attempt++) {
        free(folder->temporary);
        folder->temporary = output_temporary_name(folder->path, attempt);
        RETURN_ERROR_IF(folder->temporary == NULL, status, STATUS_MEMORY,
                        "out of memory for a path");
        if (mkdir(folder->temporary, 0777) == 0) return STATUS_OK;
        reason = errno;
    }
    return status_set(status, STATUS_SYSTEM, "%s: cannot create the folder: %s", folder->path,
                      strerror(reason));
}

static void clear_folder(struct output_folder *folder) {
    free(folder->reserve);
    free(folder->temporary);
    free(folder->path);
    *folder = (struct output_folder){0};
}

status_code output_folder_begin(struct output_folder *folder, const char *path,
                                struct status *status) {
    *folder = (struct output_folder){0};
    RETURN_ERROR_IF(path[0] == '\0', status, STATUS_USAGE, "the output folder has no name");
    FORWARD_IF_ERROR(memory_copy_text(&folder->path, path, status));
    size_t length = strlen(path);
    while (length > 1 && folder->path[length - 1] == '/') /* a file or link may have that name */
        folder->path[--length] = '\0';
    struct stat present;
    status_code code = STATUS_OK;
    const int reason = lstat(folder->path, &present) == 0 ? EEXIST : errno;
    if (reason == EEXIST)
        code = status_set(status, STATUS_EXISTS, EXISTS, path);
    else if (reason != ENOENT)
        code = status_set(status, STATUS_USAGE, "%s: cannot create the folder: %s", path,
                          strerror(reason));
    else if ((folder->reserve = malloc(RESERVE_BYTES)) == NULL)
        code = status_set(status, STATUS_MEMORY, "%s: out of memory for a folder", path);
    else
        code = make_temporary(folder, status);
    if (code != STATUS_OK) clear_folder(folder);
    return code;
}

static char *file_path(const struct output_folder *folder, const char *name) {
    size_t size = strlen(folder->temporary) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL) snprintf(path, size, "%s/%s", folder->temporary, name);
    return path;
}

status_code output_folder_open(const struct output_folder *folder, const char *name, FILE **file,
                               struct status *status) {
    char *path = file_path(folder, name);
    RETURN_ERROR_IF(path == NULL, status, STATUS_MEMORY, "out of memory for a path");
    *file = fopen(path, "wx");
    int reason = errno;
    free(path);
    RETURN_ERROR_IF(*file == NULL, status, STATUS_SYSTEM, "%s/%s: cannot write: %s", folder->path,
                    name, strerror(reason));
    return STATUS_OK;
}

status_code output_folder_close(const struct output_folder *folder, const char *name, FILE *file,
                                struct status *status) {
    int reason = output_close(file);
    RETURN_ERROR_IF(reason != 0, status, STATUS_SYSTEM, "%s/%s: cannot write: %s", folder->path,
                    name, strerror(reason));
    return STATUS_OK;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where) {
    (void)about, (void)type, (void)where;
    return remove(path);
}

status_code output_folder_finish(struct output_folder *folder, status_code code,
                                 struct status *status) {
    int reason = code == STATUS_OK ? output_rename(folder->temporary, folder->path, false) : 0;
    if (reason == EEXIST)
        code = status_set(status, STATUS_EXISTS, EXISTS, folder->path);
    else if (reason != 0)
        code = status_set(status, STATUS_SYSTEM, "%s: cannot create the folder: %s", folder->path,
                          strerror(reason));
    free(folder->reserve);
    folder->reserve = NULL;
    if (code != STATUS_OK) nftw(folder->temporary, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    clear_folder(folder);
    return code;
}
