/* Finds the temporary names under which an output may be unfinished, and removes these files and
 * folders. */
#define _GNU_SOURCE /* nftw */
#include "core/files/abandon_output.h"

#include "core/files/output.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* NAMES: as many temporary names as output_file.c and output_folder.c try; the names after them are
 * for outputs that are being removed. ROUNDS: how often a folder is emptied while other threads
 * still write to it. */
enum { NAMES = 100, ROUNDS = 1000 };

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where) {
    (void)about, (void)type, (void)where;
    (void)remove(path); /* the next round removes what is new */
    return 0;
}

static void remove_all(const char *path) {
    struct stat about;
    for (int round = 0; round < ROUNDS && lstat(path, &about) == 0; round++)
        nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Removes one unfinished output. It loses its temporary name first, so that another thread cannot
 * give a folder its final name when half of its files are gone. */
static void remove_unfinished(const char *target, unsigned number) {
    struct stat about;
    char *name = output_temporary_name(target, number);
    char *away = output_temporary_name(target, NAMES + number);
    if (name != NULL && away != NULL && lstat(name, &about) == 0) {
        remove_all(away); /* an earlier process with this number may have left it */
        remove_all(rename(name, away) == 0 ? away : name);
    }
    free(name);
    free(away);
}

void abandon_output(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    int descriptor = -1;
    char *plain = strndup(path, length);
    char *target = plain != NULL ? output_follow_links(plain, &descriptor) : NULL;
    for (unsigned number = 0; target != NULL && descriptor < 0 && number < NAMES; number++)
        remove_unfinished(target, number);
    free(target);
    free(plain);
}
