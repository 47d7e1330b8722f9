/*
 * Placement: which node each rank runs on.
 *
 * Knows numbers only: how many ranks, nodes, nodes per router and group. A placement policy is one
 * file and one row of the table in placement.c.
 *
 * Invariant (placement_check): every rank has a node in range, no node holds more than
 * ranks_per_node ranks, ranks_of_node inverts node_of_rank.
 */
#ifndef ANAX_MAPPING_PLACEMENT_H
#define ANAX_MAPPING_PLACEMENT_H

#include "core/settings.h"
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/* The machine as far as placement is concerned. Nodes of a router are consecutive, routers of a
 * group too: node n is on router n / nodes_per_router, group n / nodes_per_group. */
typedef struct placement_machine {
    uint32_t node_count;
    uint32_t nodes_per_router;
    uint32_t nodes_per_group;
} placement_machine;

typedef struct placement_config {
    int32_t policy;         /* index into the table: block, random, nodes, rankfile */
    int64_t ranks_per_node; /* 1 … ; ranks r·k … r·k+k-1 share a node (block order within nodes) */
    char *file;             /* node list or rank file, for the policies that need one */
} placement_config;

typedef struct placement {
    uint32_t rank_count;
    uint32_t node_count;
    uint32_t *node_of_rank;
    uint32_t *first_rank; /* node_count + 1 entries into ranks: the ranks of node n are
                             ranks[first_rank[n]] … ranks[first_rank[n+1]-1], ascending */
    uint32_t *ranks;
} placement;

typedef struct placement_policy {
    const char *name;
    const char *help; /* one line with its source, no full stop */
    bool reads_file;  /* placement.file is needed; else it must not be given */
    /* Fills nodes[0 … count-1] with distinct nodes in the order in which they take ranks. */
    status_code (*choose)(const placement_config *config, const placement_machine *machine,
                          uint64_t seed, uint32_t *nodes, uint32_t count, status *status);
    /* Or, where the file decides for every rank: fills node_of_rank. One of the two is NULL. */
    status_code (*assign)(const placement_config *config, const placement_machine *machine,
                          uint32_t *node_of_rank, uint32_t rank_count, status *status);
} placement_policy;

/* The table, ending with a row whose name is NULL; its names for the settings. */
const placement_policy *placement_policies(void);
const char *const *placement_policy_names(void);

extern const setting_row placement_setting_rows[];
extern const size_t placement_setting_count;

/* Too many ranks: STATUS_USAGE saying how many fit. Faults of a file: STATUS_INPUT, all of them
 * with their lines. */
status_code placement_new(placement **placement, const placement_config *config,
                          const placement_machine *machine, uint32_t rank_count, uint64_t seed,
                          status *status);
void placement_free(placement *placement); /* NULL allowed */

/* The invariant above; STATUS_RUN names the rank or node that breaks it. */
status_code placement_check(const placement *placement, const placement_config *config,
                            const placement_machine *machine, status *status);

/* Defined in one file each. */
status_code placement_block_choose(const placement_config *config, const placement_machine *machine,
                                   uint64_t seed, uint32_t *nodes, uint32_t count, status *status);
status_code placement_random_choose(const placement_config *config,
                                    const placement_machine *machine, uint64_t seed,
                                    uint32_t *nodes, uint32_t count, status *status);
status_code placement_nodes_choose(const placement_config *config, const placement_machine *machine,
                                   uint64_t seed, uint32_t *nodes, uint32_t count, status *status);
status_code placement_rankfile_assign(const placement_config *config,
                                      const placement_machine *machine, uint32_t *node_of_rank,
                                      uint32_t rank_count, status *status);

#endif
