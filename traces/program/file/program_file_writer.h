/*
 * Writes program files. Private to the traces room; traces_write_program is the public function.
 */
#ifndef ANAX_TRACES_PROGRAM_FILE_WRITER_H
#define ANAX_TRACES_PROGRAM_FILE_WRITER_H

#include "traces/program/program.h"

/* Writes a program to an empty file, deflated at a level of zlib. STATUS_SYSTEM: it cannot be
 * written. */
status_code program_file_write(const struct program *program, int descriptor, int level,
                               unsigned threads, struct status *status);

#endif
