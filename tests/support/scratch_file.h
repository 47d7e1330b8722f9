/*
 * The path of one file in a folder of its own, for tests that write a program and read it again.
 */
#ifndef ANAX_TESTS_SCRATCH_FILE_H
#define ANAX_TESTS_SCRATCH_FILE_H

#include "tests/support/scratch_folder.h"

struct scratch_file {
    char folder[SCRATCH_FOLDER_BYTES];
    char path[SCRATCH_FOLDER_BYTES + 8];
};

extern struct scratch_file scratch_file;

/* Set up and tear down a group or a test of cmocka. scratch_file_remove fails if the folder has
 * anything but the file. */
int scratch_file_make(void **state);
int scratch_file_remove(void **state);

#endif
