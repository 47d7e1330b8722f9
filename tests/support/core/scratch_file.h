/*
 * Files for tests: the path of one file in a folder of its own, for tests that write a program and
 * read it again; and new files with a text, for tests of what users write.
 */
#ifndef ANAX_TESTS_SCRATCH_FILE_H
#define ANAX_TESTS_SCRATCH_FILE_H

#include "tests/support/core/scratch_folder.h"

struct scratch_file {
    char folder[SCRATCH_FOLDER_BYTES];
    char path[SCRATCH_FOLDER_BYTES + 8];
};

extern struct scratch_file scratch_file;

/* Sets up a group or a test of cmocka: makes the folder. */
int scratch_file_make(void **state);
/* Tears it down: removes the file and the folder. Fails if the folder has anything but the file. */
int scratch_file_remove(void **state);

/* Makes a new file with the text and writes its path; the caller removes it. False when it cannot.
 */
bool scratch_file_of_text(char path[SCRATCH_FOLDER_BYTES], const char *text);

#endif
