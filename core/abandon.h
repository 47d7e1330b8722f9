/*
 * Outputs that are given up from outside, while threads may be writing them: when a signal ends the
 * program. Knows the names of what is unfinished, nothing of what is in it.
 */
#ifndef ANAX_CORE_ABANDON_H
#define ANAX_CORE_ABANDON_H

/* Removes what this process has begun to write as path, a file or a folder, and not finished. */
void abandon_output(const char *path);

#endif
