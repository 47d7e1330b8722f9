/* Finds the OTF2 archive in a folder. Must not know what archives hold. */
#include "traces/find_anchor.h"

#include "core/base/utf8.h"
#include "core/memory/memory.h"
#include "traces/trace_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static status_code join_path(char **path, const char *folder, const char *name,
                             struct status *status) {
    size_t length = strlen(folder);
    bool has_slash = length > 0 && folder[length - 1] == '/';
    size_t size = length + strlen(name) + 2;
    *path = malloc(size);
    RETURN_ERROR_IF(*path == NULL, status, STATUS_MEMORY, "out of memory for a path");
    snprintf(*path, size, "%s%s%s", folder, has_slash ? "" : "/", name);
    return STATUS_OK;
}

/* Anchor files, in the order of their names. */
struct anchors {
    char **paths;
    size_t capacity;
    size_t count;
};

static void anchors_free(struct anchors *anchors) {
    for (size_t i = 0; i < anchors->count; i++)
        free(anchors->paths[i]);
    free(anchors->paths);
}

/* Adds the anchor files of a folder, and with `deeper` also those of the folders in it. A folder
 * inside that cannot be read is passed over. */
static status_code add_anchors(struct anchors *anchors, const char *folder, bool deeper,
                               struct status *status) {
    DIR *listing = opendir(folder);
    RETURN_ERROR_IF(listing == NULL, status, errno == ENOMEM ? STATUS_MEMORY : STATUS_INPUT,
                    "%s: cannot be read: %s", folder, strerror(errno));
    status_code code = STATUS_OK;
    for (struct dirent *entry = readdir(listing); entry != NULL && code == STATUS_OK;
         entry = readdir(listing)) {
        struct stat about;
        char *path = NULL;
        const bool is_anchor = trace_files_is_anchor(entry->d_name);
        if (!is_anchor && (!deeper || entry->d_name[0] == '.')) continue;
        code = join_path(&path, folder, entry->d_name, status);
        if (code == STATUS_OK && !is_anchor) {
            if (stat(path, &about) == 0 && S_ISDIR(about.st_mode) &&
                add_anchors(anchors, path, false, NULL) == STATUS_MEMORY)
                code = status_set(status, STATUS_MEMORY, "out of memory for a path");
            free(path);
        } else if (code == STATUS_OK) {
            code = memory_grow((void **)&anchors->paths, &anchors->capacity, anchors->count + 1,
                               sizeof *anchors->paths, status);
            if (code == STATUS_OK)
                anchors->paths[anchors->count++] = path;
            else
                free(path);
        }
    }
    closedir(listing);
    return code;
}

static int by_name(const void *first, const void *second) {
    return strcmp(*(char *const *)first, *(char *const *)second);
}

/* Appends the first paths to an error, each as a line. */
static void append_paths(const struct anchors *anchors, struct status *status) {
    enum { SHOWN = 8 };
    for (size_t i = 0; i < anchors->count && i < SHOWN; i++)
        status_append(status, "  %.*s", UTF8_SHOWN(anchors->paths[i], strlen(anchors->paths[i])));
    if (anchors->count > SHOWN) status_append(status, "  and %zu more", anchors->count - SHOWN);
}

/* Refuses a folder without an archive, and names those that are one folder deeper. */
static status_code refuse_empty(const char *folder, struct status *status) {
    struct anchors deeper = {0};
    status_code code = add_anchors(&deeper, folder, true, status);
    if (code == STATUS_OK) {
        if (deeper.count > 0) qsort(deeper.paths, deeper.count, sizeof *deeper.paths, by_name);
        code = status_set(status, STATUS_INPUT, "%s: no OTF2 archive (NAME.otf2) in this folder%s",
                          folder,
                          deeper.count > 0 ? "; one folder deeper there is"
                                           : "; name the file or the folder of a trace");
        append_paths(&deeper, status);
    }
    anchors_free(&deeper);
    return code;
}

status_code find_anchor(char **path, const char *folder, struct status *status) {
    struct anchors found = {0};
    *path = NULL;
    status_code code = add_anchors(&found, folder, false, status);
    if (code == STATUS_OK && found.count == 0) {
        code = refuse_empty(folder, status);
    } else if (code == STATUS_OK && found.count > 1) {
        qsort(found.paths, found.count, sizeof *found.paths, by_name);
        code =
            status_set(status, STATUS_INPUT,
                       "%s: holds several OTF2 archives: name the anchor file (NAME.otf2)", folder);
        append_paths(&found, status);
    } else if (code == STATUS_OK) {
        *path = found.paths[0];
        found.count = 0;
    }
    anchors_free(&found);
    return code;
}
