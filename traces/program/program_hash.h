/*
 * The content hash of a program. Inside of the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_HASH_H
#define ANAX_TRACES_PROGRAM_HASH_H

#include "traces/program/program.h"

/* Hashes what the ranks do: operations, waits, collectives with their arguments and sizes,
 * communicators, channels and the names of regions. Where the program came from, and the notes, are
 * left out. The same on every machine and for any number of threads. */
status_code program_hash(const struct program *program, unsigned threads, uint64_t *hash,
                         struct status *status);

#endif
