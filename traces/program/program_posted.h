/*
 * The places of each rank's sends, receives and collectives, so that code for these operations need
 * not read all others. Private to the traces room, while a program is sealed or checked.
 *
 * Invariant: a place is the number of an operation on its rank. The places of a list are in
 * ascending order. Memory: 4 bytes for each place.
 */
#ifndef ANAX_TRACES_PROGRAM_POSTED_H
#define ANAX_TRACES_PROGRAM_POSTED_H

#include "traces/program/program.h"

struct program_places {
    uint32_t *at;
    size_t count;
    size_t capacity;
};

struct program_posted_rank {
    struct program_places sends;
    struct program_places receives;
    struct program_places collectives;
};

struct program_posted {
    uint32_t rank_count;
    struct program_posted_rank *ranks;
};

/* Returns the operation at the k-th place. operations: the operations of the rank. The operations
 * at the places of a list are not adjacent, and together they are larger than the caches, so the
 * function also prefetches the operation that the caller will ask for 24 steps later. */
static inline const struct program_operation *
program_posted_at(const struct program_operation *operations, const struct program_places *places,
                  size_t k) {
    enum { POSTED_AHEAD = 24 };
    if (k + POSTED_AHEAD < places->count)
        __builtin_prefetch(&operations[places->at[k + POSTED_AHEAD]], 1);
    return &operations[places->at[k]];
}

/* Makes empty lists for all ranks. Free `posted` also after errors. */
status_code program_posted_new(struct program_posted *posted, uint32_t rank_count,
                               struct status *status);
void program_posted_free(struct program_posted *posted);

/* Adds the operation at `place` to the list of its kind. Ignores other kinds. The caller adds
 * places in ascending order. */
status_code program_posted_add(struct program_posted_rank *rank, unsigned kind, uint64_t place,
                               struct status *status);

/* Makes the lists of a program whose operations have their places. */
status_code program_posted_find(struct program_posted *posted, const struct program *program,
                                unsigned threads, struct status *status);

#endif
