/*
 * Local search by exchange: which of all ways to put ranks into slots has the least measure. A rank
 * changes places with another one, or moves to a free slot, wherever that lowers the measure; where
 * nothing does any more, a few random exchanges of the best way so far begin anew. Of two starts,
 * the better one is exchanged, and the first one if they are equal.
 *
 * Invariant: the result follows from the start, the seed, the budget and the measure alone.
 */
#ifndef ANAX_API_RANK_EXCHANGE_H
#define ANAX_API_RANK_EXCHANGE_H

#include "core/base/status.h"
#include "core/base/wide.h"

#include <stdint.h>

struct exchange_value {
    wide first, second; /* less is better; `second` counts where `first` is equal */
};

struct exchange_task {
    uint32_t rank_count;
    uint32_t slot_count;          /* at least rank_count */
    const uint32_t *node_of_slot; /* ascending; slots of one node are alike */
    uint64_t seed;
    uint64_t budget; /* most measures, those of the starts included; at least 1 */
    status_code (*measure)(void *context, const uint32_t *node_of_rank,
                           struct exchange_value *value, struct status *status);
    void *context;
    const uint32_t *other_start; /* node_of_rank of a second start; NULL: there is none */
};

struct exchange_found {
    struct exchange_value start, best;
    uint64_t measures; /* different placements that were measured */
};

/* Replaces node_of_rank by the best placement that was found, which is the start unless another one
 * is better. found->start is that of node_of_rank. STATUS_USAGE: the ranks do not fit the slots.
 * STATUS_MEMORY, or an error of `measure`.
 */
status_code exchange_search(uint32_t *node_of_rank, struct exchange_found *found,
                            const struct exchange_task *task, struct status *status);

#endif
