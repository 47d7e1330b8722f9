/*
 * Splits ranks into parts that send little to each other. Only partition_split.c knows METIS. If
 * anax was built without METIS, partition_begin fails with STATUS_USAGE.
 *
 * Knows ranks and traffic; must not know nodes. Invariant: no part has more ranks than its room.
 */
#ifndef ANAX_MAPPING_PARTITION_SPLIT_H
#define ANAX_MAPPING_PARTITION_SPLIT_H

#include "mapping/placement_graph.h"

struct partition_work {
    struct placement_graph graph;
    uint32_t *local; /* for each rank: its number among the ranks being split; UINT32_MAX: not among
                        them */
    uint64_t seed;
};

/* Prepares splitting the ranks of a traffic graph. seed: the seed of METIS. STATUS_USAGE: anax was
 * built without METIS, or the graph is too large. Call partition_end only after success. */
status_code partition_begin(struct partition_work *work, const struct placement_traffic *traffic,
                            uint64_t seed, struct status *status);
/* Frees what partition_begin has made. */
void partition_end(struct partition_work *work);

/* Reorders ranks so that part i holds ranks[ends[i]] … ranks[ends[i+1]-1], in ascending order, and
 * at most rooms[i] ranks. The sum of the rooms is at least count. The parts are filled in
 * proportion to their rooms, as far as possible. */
status_code partition_split(struct partition_work *work, uint32_t *ranks, uint32_t count,
                            const uint32_t *rooms, uint32_t parts, uint32_t *ends,
                            struct status *status);

#endif
