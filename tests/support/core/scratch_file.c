/* Makes and removes the folder of one file: see scratch_file.h. */
#include "tests/support/core/scratch_file.h"

#include <stdio.h>
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
