/*
 * Splitting ranks into parts between which little is sent. The only file that knows METIS is
 * partition_split.c; where it was not found when anax was built, partition_begin says so.
 *
 * Knows ranks and traffic; must not know nodes. Invariant: no part has more ranks than room.
 */
#ifndef ANAX_MAPPING_PARTITION_SPLIT_H
#define ANAX_MAPPING_PARTITION_SPLIT_H

#include "mapping/placement_graph.h"

struct partition_work {
    struct placement_graph graph;
    uint32_t *local; /* per rank: its number among those being split, or UINT32_MAX */
    uint64_t seed;
};

status_code partition_begin(struct partition_work *work, const struct placement_traffic *traffic,
                            uint64_t seed, struct status *status);
void partition_end(struct partition_work *work);

/* Reorders ranks so that part i, of at most rooms[i], is ranks[ends[i]] … ranks[ends[i+1]-1],
 * ascending. The rooms add up to at least count, and are about as full as each other afterwards. */
status_code partition_split(struct partition_work *work, uint32_t *ranks, uint32_t count,
                            const uint32_t *rooms, uint32_t parts, uint32_t *ends,
                            struct status *status);

#endif
