/*
 * Programs without the reads and writes of files, for what cannot use them.
 */
#ifndef ANAX_TRACES_PROGRAM_WITHOUT_FILES_H
#define ANAX_TRACES_PROGRAM_WITHOUT_FILES_H

#include "traces/program/program.h"

/* Makes a copy of a program that has neither files nor accesses to them. Calls that do nothing else
 * vanish. */
status_code program_without_files(struct program **made, const struct program *whole,
                                  unsigned threads, struct status *status);

#endif
