/*
 * The content hash of a program. Private to the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_HASH_H
#define ANAX_TRACES_PROGRAM_HASH_H

#include "traces/program/program.h"

/* Computes the hash of a program's content: operations, waits, collectives with their arguments and
 * sizes, communicators, channels and the names of regions. The source of the program and the notes
 * do not count. The hash is equal on every machine and for any number of threads. */
status_code program_hash(const struct program *program, unsigned threads, uint64_t *hash,
                         struct status *status);

#endif
