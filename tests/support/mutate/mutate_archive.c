/* Damage to the files of an archive, and to which of them is where. */
#include "tests/support/mutate/mutate.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAX = 256, PATH_BYTES = 1024 };

/* Paths from the archive's folder: traces.otf2, traces.def, traces/0.evt, … */
struct file_list {
    char names[FILES_MAX][256];
    size_t count;
};

static int by_name(const void *first, const void *second) {
    return strcmp(first, second);
}

/* Folders are one level deep, as OTF2 writes them. */
static bool list_files(struct file_list *list, const char *root, const char *inside) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", root, inside);
    DIR *folder = opendir(path);
    if (folder == NULL) return false;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL && list->count < FILES_MAX;) {
        char name[256];
        struct stat about;
        if (entry->d_name[0] == '.') continue;
        snprintf(name, sizeof name, "%.100s%s%.100s", inside, *inside != '\0' ? "/" : "",
                 entry->d_name);
        snprintf(path, sizeof path, "%s/%s", root, name);
        if (stat(path, &about) != 0) continue;
        if (S_ISDIR(about.st_mode) && *inside == '\0')
            list_files(list, root, name);
        else if (S_ISREG(about.st_mode))
            memcpy(list->names[list->count++], name, sizeof name);
    }
    closedir(folder);
    return true;
}

static bool copy_all(const struct file_list *list, const char *from, const char *to) {
    char path[PATH_BYTES];
    if (mkdir(to, 0777) != 0) return false;
    for (size_t i = 0; i < list->count; i++) {
        const char *slash = strchr(list->names[i], '/');
        struct mutate_file file;
        if (slash != NULL) {
            snprintf(path, sizeof path, "%s/%.*s", to, (int)(slash - list->names[i]),
                     list->names[i]);
            mkdir(path, 0777);
        }
        snprintf(path, sizeof path, "%s/%s", from, list->names[i]);
        if (!mutate_read(&file, path)) return false;
        snprintf(path, sizeof path, "%s/%s", to, list->names[i]);
        bool good = mutate_write(&file, path);
        mutate_free(&file);
        if (!good) return false;
    }
    return true;
}

/* Its place is another one's, or nobody's. */
static void damage_place(const struct file_list *list, const char *root, struct mutate_dice *dice,
                         char *note) {
    const char *one = list->names[mutate_below(dice, list->count)];
    const char *two = list->names[mutate_below(dice, list->count)];
    char first[PATH_BYTES], second[PATH_BYTES];
    snprintf(first, sizeof first, "%s/%s", root, one);
    snprintf(second, sizeof second, "%s/%s", root, two);
    struct mutate_file file, other;
    switch (mutate_below(dice, 4)) {
    case 0:
        unlink(first);
        snprintf(note, MUTATE_NOTE, "%.150s: removed", one);
        break;
    case 1:
        if (truncate(first, 0) == 0) snprintf(note, MUTATE_NOTE, "%.150s: empty", one);
        break;
    case 2:
        unlink(first);
        mkdir(first, 0777);
        snprintf(note, MUTATE_NOTE, "%.150s: a folder", one);
        break;
    default:
        if (mutate_read(&file, first) && mutate_read(&other, second)) {
            mutate_write(&other, first);
            if (mutate_below(dice, 2) == 0) mutate_write(&file, second);
            mutate_free(&other);
        }
        mutate_free(&file);
        snprintf(note, MUTATE_NOTE, "%.80s: is %.80s, or exchanged with it", one, two);
    }
}

static bool has_records(const char *name) {
    size_t length = strlen(name);
    return length > 4 &&
           (strcmp(name + length - 4, ".evt") == 0 || strcmp(name + length - 4, ".def") == 0);
}

static bool damage_file(const char *root, const char *name, struct mutate_dice *dice, char *note) {
    char path[PATH_BYTES], done[MUTATE_NOTE] = "";
    struct mutate_file file;
    snprintf(path, sizeof path, "%s/%s", root, name);
    if (!mutate_read(&file, path)) return true; /* not there any more */
    bool records = has_records(name) && mutate_below(dice, 4) > 0;
    if (!records || !mutate_records(&file, dice, done)) mutate_bytes(&file, dice, done);
    bool good = mutate_write(&file, path);
    mutate_free(&file);
    size_t length = strlen(note);
    snprintf(note + length, MUTATE_NOTE - length, "%s%s: %s", length > 0 ? "; " : "", name, done);
    return good;
}

bool mutate_archive(const char *from, const char *to, struct mutate_dice *dice,
                    char note[MUTATE_NOTE]) {
    struct file_list *list = calloc(1, sizeof *list);
    *note = '\0';
    bool good = list != NULL && list_files(list, from, "") && list->count > 0;
    if (good) qsort(list->names, list->count, sizeof *list->names, by_name);
    good = good && copy_all(list, from, to);
    if (good && mutate_below(dice, 12) == 0) {
        damage_place(list, to, dice, note);
    } else {
        size_t times = 1 + mutate_below(dice, 2) * mutate_below(dice, 3);
        for (size_t i = 0; i < times && good; i++)
            good = damage_file(to, list->names[mutate_below(dice, list->count)], dice, note);
    }
    free(list);
    return good;
}
