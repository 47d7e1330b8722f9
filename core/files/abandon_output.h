/*
 * Removes unfinished outputs while other threads may still write them, for example when a signal
 * ends the program. Knows the names of unfinished outputs, not their content.
 */
#ifndef ANAX_CORE_ABANDON_OUTPUT_H
#define ANAX_CORE_ABANDON_OUTPUT_H

/* Removes the unfinished file or folder that this process has begun to write as path. If another
 * thread finishes it at this moment, it is either complete under its final name or removed. */
void abandon_output(const char *path);

#endif
