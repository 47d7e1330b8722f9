/*
 * A folder for a test's files.
 */
#ifndef ANAX_TESTS_SCRATCH_FOLDER_H
#define ANAX_TESTS_SCRATCH_FOLDER_H

#include <stdbool.h>

enum { SCRATCH_FOLDER_BYTES = 32 };

/* Makes a new empty folder and writes its path. False when it cannot. */
bool scratch_folder_make(char path[SCRATCH_FOLDER_BYTES]);

/* Does so in memory if the system can, for files that are synced often. */
bool scratch_folder_in_memory(char path[SCRATCH_FOLDER_BYTES]);

/* Removes a file, or a folder with all that is in it. 0, or -1 when something stays. */
int scratch_folder_remove(const char *path);

#endif
