/*
 * Loads program files from open files. Private to the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_LOAD_H
#define ANAX_TRACES_PROGRAM_LOAD_H

#include "traces/traces.h"

#include <stdio.h>

/* Reads a program file as traces_load_program does. stream: the file, which the function closes or
 * the program keeps. path: its name for messages. */
status_code program_load_stream(struct program **loaded, FILE *stream, const char *path,
                                const struct traces_loading *loading, struct status *status);

#endif
