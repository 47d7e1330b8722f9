/*
 * Where each rank's sends, receives and collectives stand, so that what concerns only them need not
 * go through all operations. Inside of the traces room, while a program is sealed or checked.
 *
 * Invariant: places are numbers among the rank's operations, ascending. Memory: 4 bytes each.
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

/* The k-th of them, operations being the rank's. They lie apart, and all ranks' together are larger
 * than the caches: the one that will be asked for some steps later is fetched meanwhile. */
static inline const struct program_operation *
program_posted_at(const struct program_operation *operations, const struct program_places *places,
                  size_t k) {
    enum { AHEAD = 24 };
    if (k + AHEAD < places->count) __builtin_prefetch(&operations[places->at[k + AHEAD]], 1);
    return &operations[places->at[k]];
}

/* Empty lists for all ranks. Free also after errors. */
status_code program_posted_new(struct program_posted *posted, uint32_t rank_count,
                               struct status *status);
void program_posted_free(struct program_posted *posted);

/* Notes that the operation at `place` of a rank is of `kind`; other kinds are passed over. Places
 * must come in ascending order. */
status_code program_posted_add(struct program_posted_rank *rank, unsigned kind, uint64_t place,
                               struct status *status);

/* The lists of a program whose operations stand. */
status_code program_posted_find(struct program_posted *posted, const struct program *program,
                                unsigned threads, struct status *status);

#endif
