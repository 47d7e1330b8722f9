/*
 * The places of each rank's sends, receives and collectives, so that code for these operations need
 * not read all others. Private to the traces room, while a program is sealed or checked.
 *
 * Invariant: a place is the number of an operation on its rank. The places of a list are in
 * ascending order. Memory: 4 bytes for each place.
 */
#ifndef ANAX_TRACES_PROGRAM_POSTED_H
#define ANAX_TRACES_PROGRAM_POSTED_H

#include "core/memory/paging.h"
#include "traces/program/program.h"

#include <stdatomic.h>

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
    atomic_uint_fast64_t *arrivals;   /* for each rank: sends to it that receives may take */
    struct paging *paging;            /* where the lists lie; NULL: in memory */
    struct program_posted_room *room; /* memory of lists that were kept; owned */
};

/* Returns the operation at the k-th place. The operations at the places of a list are not adjacent,
 * and together they are larger than the caches, so the function also prefetches the operation that
 * the caller will ask for 24 steps later. */
static inline struct program_operation program_posted_at(const struct program *program,
                                                         uint32_t rank,
                                                         const struct program_places *places,
                                                         size_t k) {
    enum { POSTED_AHEAD = 24 };
    const uint64_t first = program->ranks[rank].first;
    if (k + POSTED_AHEAD < places->count)
        program_prefetch(program, rank, first + places->at[k + POSTED_AHEAD], 0);
    return *PROGRAM_OPERATION_AT(program, rank, first + places->at[k]);
}

/* Returns the collective at the k-th place, which the caller may change. Only one thread changes
 * those of a rank. */
static inline struct program_operation *
program_posted_collective(const struct program *program, uint32_t rank,
                          const struct program_places *places, size_t k) {
    const struct program_packed *packed = program->packed;
    const uint64_t index = program->ranks[rank].first + places->at[k];
    if (packed == NULL) return &program->operations[index];
    /* Packed collectives stand whole, each by itself. */
    return &packed->ranks[rank]
                .whole_operations[packed->upper[program_word_place(packed, rank, index)]];
}

/* Makes empty lists for all ranks, in memory unless the caller sets posted->paging. Free `posted`
 * also after errors. */
status_code program_posted_new(struct program_posted *posted, uint32_t rank_count,
                               struct status *status);

/* Frees what program_posted_new has made. */
void program_posted_free(struct program_posted *posted);

/* Adds an operation to a list. The caller adds places in ascending order, and releases the list
 * (paging_free_array). */
static inline status_code program_places_add(struct paging *paging, struct program_places *places,
                                             uint64_t place, struct status *status) {
    FORWARD_IF_ERROR(paging_grow(paging, (void **)&places->at, &places->capacity, places->count + 1,
                                 sizeof *places->at, status));
    places->at[places->count++] = (uint32_t)place;
    return STATUS_OK;
}
/* Counts a send among those to its peer, unless it is one-sided. Several threads may do so. */
static inline void program_posted_count(struct program_posted *posted,
                                        const struct program_operation *send) {
    if (!program_is_one_sided(send))
        atomic_fetch_add_explicit(&posted->arrivals[send->message.peer], 1, memory_order_relaxed);
}
/* Adds the operation at `place` to the list of its kind, and counts it if it is a send. Ignores
 * other kinds. The caller adds places in ascending order, and releases the lists
 * (paging_free_array). */
status_code program_posted_add(struct program_posted *posted, struct paging *paging,
                               struct program_posted_rank *lists,
                               const struct program_operation *operation, uint64_t place,
                               struct status *status);
/* Stores copies of these lists as the lists of a rank. Several threads may do so for different
 * ranks. */
status_code program_posted_keep(struct program_posted *posted, uint32_t rank,
                                const struct program_posted_rank *lists, struct status *status);
/* Empties lists, and keeps their memory. */
void program_posted_remove_all(struct program_posted_rank *lists);
/* Releases the memory of lists. */
void program_posted_release(struct paging *paging, struct program_posted_rank *lists);

/* Makes the lists of a program whose operations have their places. */
status_code program_posted_find(struct program_posted *posted, const struct program *program,
                                unsigned threads, struct status *status);
/* Fills the lists, which are empty, of the ranks from `first` to before `end`, and counts their
 * sends. */
status_code program_posted_fill(struct program_posted *posted, const struct program *program,
                                uint32_t first, uint32_t end, unsigned threads,
                                struct status *status);

#endif
