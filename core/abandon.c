/* Removes unfinished outputs. See abandon.h. */
#define _GNU_SOURCE /* nftw */
#include "core/abandon.h"

#include "core/output.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* NAMES: as many temporary names as output_file.c and output_folder.c try. ROUNDS: how often a
 * folder is emptied while other threads still write to it. */
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

void abandon_output(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    int descriptor = -1;
    char *plain = strndup(path, length);
    char *target = plain != NULL ? output_follow(plain, &descriptor) : NULL;
    for (unsigned number = 0; target != NULL && descriptor < 0 && number < NAMES; number++) {
        char *name = output_temporary_name(target, number);
        if (name != NULL) remove_all(name);
        free(name);
    }
    free(target);
    free(plain);
}
