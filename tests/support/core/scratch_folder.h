/*
 * Folders for the files of tests: as many as a test makes, and one that a fixture of cmocka makes.
 */
#ifndef ANAX_TESTS_SCRATCH_FOLDER_H
#define ANAX_TESTS_SCRATCH_FOLDER_H

#include <stdbool.h>

enum { SCRATCH_FOLDER_BYTES = 32 };

/* Makes a new empty folder and writes its path. False when it cannot. */
bool scratch_folder_make(char path[SCRATCH_FOLDER_BYTES]);

/* Does so in memory if the system can, for files that are synced often. */
bool scratch_folder_in_memory(char path[SCRATCH_FOLDER_BYTES]);

/* The folder of the running test or group of tests, where scratch_folder_set_up is its set-up. */
extern char scratch_folder[SCRATCH_FOLDER_BYTES];

/* Sets up a test or a group of cmocka: makes the folder. */
int scratch_folder_set_up(void **state);
/* Tears it down: removes the folder with all that is in it. */
int scratch_folder_tear_down(void **state);

/* Removes a file, or a folder with all that is in it. 0, or -1 when something stays. */
int scratch_folder_remove(const char *path);

#endif
