/* Lists the machine files of all folders that can have them, sorted by name. Each name stands once,
 * with the file of the earliest folder. */
#include "api/config/machines.h"

#include "core/memory/memory.h"
#include "core/settings/nearest_name.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SUFFIX ".yaml"

struct machine_list {
    char **names; /* without suffix, sorted */
    char **paths;
    size_t count;
    size_t name_capacity;
    size_t path_capacity;
};

static void list_clear(struct machine_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->names[i]);
        free(list->paths[i]);
    }
    free(list->names);
    free(list->paths);
}

static status_code join_path(char **path, const char *folder, size_t folder_length,
                             const char *name, const char *suffix, struct status *status) {
    size_t size = folder_length + strlen(name) + strlen(suffix) + 2;
    *path = malloc(size);
    RETURN_ERROR_IF(*path == NULL, status, STATUS_MEMORY, "out of memory for a path");
    snprintf(*path, size, "%.*s/%s%s", (int)folder_length, folder, name, suffix);
    return STATUS_OK;
}

/* Inserts a machine into the sorted list, unless the list already has a machine of that name. */
static status_code list_add(struct machine_list *list, const char *folder, size_t folder_length,
                            const char *file, struct status *status) {
    char *name = NULL;
    char *path = NULL;
    FORWARD_IF_ERROR(memory_copy_text(&name, file, status));
    name[strlen(name) - strlen(SUFFIX)] = '\0';
    size_t place = 0;
    while (place < list->count && strcmp(list->names[place], name) < 0)
        place++;
    status_code code = STATUS_OK;
    if (place == list->count || strcmp(list->names[place], name) != 0) {
        code = join_path(&path, folder, folder_length, file, "", status);
        if (code == STATUS_OK)
            code = memory_grow((void **)&list->names, &list->name_capacity, list->count + 1,
                               sizeof *list->names, status);
        if (code == STATUS_OK)
            code = memory_grow((void **)&list->paths, &list->path_capacity, list->count + 1,
                               sizeof *list->paths, status);
        if (code == STATUS_OK) {
            size_t after = list->count++ - place;
            memmove(list->names + place + 1, list->names + place, after * sizeof *list->names);
            memmove(list->paths + place + 1, list->paths + place, after * sizeof *list->paths);
            list->names[place] = name;
            list->paths[place] = path;
            return STATUS_OK;
        }
    }
    free(path);
    free(name);
    return code;
}

static status_code list_folder(struct machine_list *list, const char *folder, size_t length,
                               struct status *status) {
    char *path = NULL;
    FORWARD_IF_ERROR(join_path(&path, folder, length, "", "", status));
    errno = 0;
    DIR *directory = opendir(path);
    const int reason = directory != NULL ? 0 : errno;
    free(path);
    RETURN_ERROR_IF(reason == ENOMEM, status, STATUS_MEMORY, "out of memory for machine files");
    RETURN_ERROR_IF(reason == EMFILE || reason == ENFILE, status, STATUS_SYSTEM,
                    "cannot look for machine files: %s", strerror(reason));
    if (directory == NULL) return STATUS_OK; /* a folder of the search path may be absent */
    status_code code = STATUS_OK;
    for (struct dirent *entry; code == STATUS_OK && (entry = readdir(directory)) != NULL;) {
        size_t name_length = strlen(entry->d_name);
        if (name_length > strlen(SUFFIX) && entry->d_name[0] != '.' &&
            strcmp(entry->d_name + name_length - strlen(SUFFIX), SUFFIX) == 0)
            code = list_add(list, folder, length, entry->d_name, status);
    }
    closedir(directory);
    return code;
}

static status_code list_search_path(struct machine_list *list, const char *folders,
                                    struct status *status) {
    while (folders != NULL && *folders != '\0') {
        size_t length = strcspn(folders, ":");
        if (length > 0) FORWARD_IF_ERROR(list_folder(list, folders, length, status));
        folders += length + (folders[length] == ':');
    }
    return STATUS_OK;
}

static status_code list_all(struct machine_list *list, struct status *status) {
    FORWARD_IF_ERROR(list_search_path(list, getenv("ANAX_MACHINES"), status));
    return list_search_path(list, ANAX_MACHINE_FOLDERS, status);
}

static status_code unknown(const struct machine_list *list, const char *name,
                           struct status *status) {
    if (list->count == 0)
        return status_set(status, STATUS_USAGE,
                          "unknown machine `%s`, and no machine files were found: name the folder "
                          "that holds them in ANAX_MACHINES, or give the path of a .yaml file",
                          name);
    struct nearest_name search = nearest_name_begin(name);
    for (size_t i = 0; i < list->count; i++)
        nearest_name_offer(&search, list->names[i]);
    status_set(status, STATUS_USAGE, "unknown machine `%s`%s%s%s; there are:", name,
               search.name != NULL ? " (did you mean `" : "",
               search.name != NULL ? search.name : "", search.name != NULL ? "`?)" : "");
    for (size_t i = 0; i < list->count; i++)
        status_append(status, "  %s", list->names[i]);
    status_append(status, "or give the path of a .yaml file");
    return STATUS_USAGE;
}

status_code machines_find(char **path, const char *name, struct status *status) {
    size_t length = strlen(name);
    *path = NULL;
    RETURN_ERROR_IF(length == 0, status, STATUS_USAGE,
                    "the machine has no name: give one of `anax list machines` or a .yaml file");
    bool is_path = strchr(name, '/') != NULL ||
                   (length > strlen(SUFFIX) && strcmp(name + length - strlen(SUFFIX), SUFFIX) == 0);
    if (is_path) return memory_copy_text(path, name, status);
    struct machine_list list = {0};
    status_code code = list_all(&list, status);
    for (size_t i = 0; i < list.count && code == STATUS_OK && *path == NULL; i++)
        if (strcmp(list.names[i], name) == 0) code = memory_copy_text(path, list.paths[i], status);
    if (code == STATUS_OK && *path == NULL) code = unknown(&list, name, status);
    list_clear(&list);
    return code;
}

bool machines_are_same(const char *name, const char *other) {
    if (strcmp(name, other) == 0) return true;
    char *path = NULL, *other_path = NULL;
    struct stat first, second;
    bool same = machines_find(&path, name, NULL) == STATUS_OK &&
                machines_find(&other_path, other, NULL) == STATUS_OK && stat(path, &first) == 0 &&
                stat(other_path, &second) == 0 && first.st_dev == second.st_dev &&
                first.st_ino == second.st_ino;
    free(path);
    free(other_path);
    return same;
}

status_code machines_visit(void (*visit)(void *context, const char *name, const char *path),
                           void *context, struct status *status) {
    struct machine_list list = {0};
    status_code code = list_all(&list, status);
    for (size_t i = 0; i < list.count && code == STATUS_OK; i++)
        visit(context, list.names[i], list.paths[i]);
    list_clear(&list);
    return code;
}
