/* Makes the folder and the path of a file for a test, and files with a given text, and removes
 * them. */
#define _GNU_SOURCE /* mkstemp */
#include "tests/support/core/scratch_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scratch_file scratch_file;

int scratch_file_make(void **state) {
    (void)state;
    if (!scratch_folder_make(scratch_file.folder)) return -1;
    snprintf(scratch_file.path, sizeof scratch_file.path, "%s/a.anax", scratch_file.folder);
    return 0;
}

int scratch_file_remove(void **state) {
    (void)state;
    unlink(scratch_file.path);
    return rmdir(scratch_file.folder);
}

bool scratch_file_of_text(char path[SCRATCH_FOLDER_BYTES], const char *text) {
    snprintf(path, SCRATCH_FOLDER_BYTES, "/tmp/anax-test-XXXXXX");
    int file = mkstemp(path);
    if (file < 0) return false;
    const size_t bytes = strlen(text);
    const bool is_whole = write(file, text, bytes) == (ssize_t)bytes;
    return close(file) == 0 && is_whole;
}
