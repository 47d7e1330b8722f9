/*
 * Local search for the placement of ranks in slots that has the least measure. It exchanges two
 * ranks, or moves a rank to a free slot, wherever that lowers the measure. When no exchange lowers
 * it any more, the search goes on from the best placement so far after a few random exchanges. Of
 * two starts it takes the better one, or the first one if they are equal.
 *
 * Invariant: the result follows from the start, the seed, the budget and the measure alone.
 */
#ifndef ANAX_API_RANK_EXCHANGE_H
#define ANAX_API_RANK_EXCHANGE_H

#include "core/base/status.h"
#include "core/base/wide.h"

#include <stdint.h>

struct rank_exchange_value {
    wide first, second; /* less is better; `second` counts where `first` is equal */
};

struct rank_exchange_task {
    uint32_t rank_count;
    uint32_t slot_count;          /* at least rank_count */
    const uint32_t *node_of_slot; /* ascending; slots of one node are interchangeable */
    uint64_t seed;
    uint64_t budget; /* most placements that are measured, starts included; at least 1 */
    /* Sets *value to the measure of a placement. */
    status_code (*measure)(void *context, const uint32_t *node_of_rank,
                           struct rank_exchange_value *value, struct status *status);
    void *context;
    const uint32_t *other_start; /* node_of_rank of a second start; NULL: there is none */
};

struct rank_exchange_found {
    struct rank_exchange_value start, best;
    uint64_t measures; /* number of different placements that were measured */
};

/* Replaces node_of_rank, the first start, by the best placement that was found; it stays if none is
 * better. found->start is the measure of the first start. STATUS_USAGE: the ranks do not fit the
 * slots. STATUS_MEMORY, or an error of `measure`. */
status_code rank_exchange_search(uint32_t *node_of_rank, struct rank_exchange_found *found,
                                 const struct rank_exchange_task *task, struct status *status);

#endif
