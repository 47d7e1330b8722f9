/* Makes folders for tests, and removes a folder with all that is in it. */
#define _GNU_SOURCE /* nftw */
#include "tests/support/core/scratch_folder.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

char scratch_folder[SCRATCH_FOLDER_BYTES];

bool scratch_folder_make(char path[SCRATCH_FOLDER_BYTES]) {
    snprintf(path, SCRATCH_FOLDER_BYTES, "/tmp/anax-test-XXXXXX");
    return mkdtemp(path) != NULL;
}

bool scratch_folder_in_memory(char path[SCRATCH_FOLDER_BYTES]) {
    snprintf(path, SCRATCH_FOLDER_BYTES, "/dev/shm/anax-test-XXXXXX");
    return mkdtemp(path) != NULL || scratch_folder_make(path);
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where) {
    (void)about, (void)type, (void)where;
    return remove(path);
}

int scratch_folder_remove(const char *path) {
    return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int scratch_folder_set_up(void **state) {
    (void)state;
    return scratch_folder_make(scratch_folder) ? 0 : -1;
}

int scratch_folder_tear_down(void **state) {
    (void)state;
    return scratch_folder_remove(scratch_folder);
}
