/*
 * The content hash of a program. Private to the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_HASH_H
#define ANAX_TRACES_PROGRAM_HASH_H

#include "traces/program/program.h"

/* Computes the hash of a program's content: operations, waits, collectives with their arguments and
 * sizes, communicators, envelopes and the names of regions. The source of the program and the notes
 * do not count. The hash is equal on every computer and for any number of threads. */
status_code program_hash(const struct program *program, unsigned threads, uint64_t *hash,
                         struct status *status);

/* Sets hashes[rank] of the ranks from `first` to before `end`. */
status_code program_hash_ranks(const struct program *program, uint32_t first, uint32_t end,
                               unsigned threads, uint64_t *hashes, struct status *status);
/* Returns the hash of a program from those of all its ranks. */
uint64_t program_hash_join(const struct program *program, const uint64_t *hashes);

/* Returns the number of a rank's operations that are left without user regions. Computations that
 * only marks of regions separate are one then. */
uint64_t program_count_without_regions(const struct program *program, uint32_t rank);

#endif
