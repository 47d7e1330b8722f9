/*
 * Placement: which node each rank runs on.
 *
 * Knows numbers only: how many ranks, nodes, nodes per router and group, and who sends how much to
 * whom. A placement policy is one file (or a small group in one) and one row of the table in
 * placement.c.
 *
 * Invariant: every rank has a node in range, no node holds more than ranks_per_node ranks, and
 * ranks and first_rank invert node_of_rank.
 */
#ifndef ANAX_MAPPING_PLACEMENT_H
#define ANAX_MAPPING_PLACEMENT_H

#include "core/settings.h"
#include "core/status.h"
#include "core/wide.h"

#include <stdbool.h>
#include <stdint.h>

/* The machine as far as placement is concerned. Nodes of a router are consecutive, routers of a
 * group too: node n is on router n / nodes_per_router, group n / nodes_per_group. */
struct placement_machine {
    uint32_t node_count;
    uint32_t nodes_per_router;
    uint32_t nodes_per_group;
};

typedef enum placement_order {
    PLACEMENT_ORDER_BLOCK, /* ranks r·k … r·k+k-1 share a node */
    PLACEMENT_ORDER_CYCLIC /* rank r is on the (r mod nodes)-th of the nodes used */
} placement_order;

struct placement_config {
    int32_t policy;              /* index into the table of placement.c */
    int64_t ranks_per_node;      /* 1 … */
    char *file;                  /* node list or rank file, for the policies that need one */
    int32_t order;               /* placement_order, of the ranks within nodes */
    int64_t stride;              /* strided: 1 … */
    int64_t share_millionths;    /* hybrid: of the block's free nodes, at most so many are taken */
    int64_t occupied_millionths; /* of all nodes: held by jobs that are not simulated; whoever
                                    places jobs calls placement_occupy, once for all of them */
};

/* What ranks send to each other: one directed edge per pair that does, ascending by (from, to). */
struct placement_edge {
    uint32_t from;
    uint32_t to;
    uint64_t messages;
    wide bytes;
};

struct placement_traffic {
    uint32_t rank_count;
    size_t edge_count;
    struct placement_edge *edges;
};

/* Everything that a placement depends on. */
struct placement_request {
    const struct placement_config *config;
    const struct placement_machine *machine;
    uint32_t rank_count;
    uint64_t seed;
    const bool *taken; /* per node: not for this job; NULL: all nodes are free */
    const struct placement_traffic *traffic; /* NULL unless the policy reads it */
    const bool *failed; /* per node: taken since it has failed; NULL: none has */
};

/* The nodes that a policy has chosen so far. */
struct placement_pick {
    const bool *taken; /* as in the request, never NULL */
    uint32_t *nodes;   /* in the order in which they take ranks */
    uint32_t count;
    uint32_t wanted;
};

struct placement {
    uint32_t rank_count;
    uint32_t node_count;
    uint32_t *node_of_rank;
    uint32_t *first_rank; /* node_count + 1 entries into ranks: the ranks of node n are
                             ranks[first_rank[n]] … ranks[first_rank[n+1]-1], ascending */
    uint32_t *ranks;
};

struct placement_policy {
    const char *name;
    const char *help;   /* one line, no full stop */
    bool reads_file;    /* placement.file is needed; else it must not be given */
    bool reads_traffic; /* placement_request.traffic is needed */
    /* Offers free nodes to the pick, each once, until it wants no more: placement_offer. */
    status_code (*choose)(const struct placement_request *request, struct placement_pick *pick,
                          struct status *status);
    /* Or, where the policy decides for every rank: fills node_of_rank. One of the two is NULL. */
    status_code (*assign)(const struct placement_request *request, uint32_t *node_of_rank,
                          struct status *status);
};

/* The table, ending with a row whose name is NULL; its names for the settings. */
const struct placement_policy *placement_policies(void);
const char *const *placement_policy_names(void);

extern const struct setting_row placement_setting_rows[];
extern const size_t placement_setting_count;

/* Too many ranks: STATUS_USAGE saying how many fit. Faults of a file: STATUS_INPUT, all of them
 * with their lines. */
status_code placement_new(struct placement **placement, const struct placement_request *request,
                          struct status *status);
/* Of several jobs' placements on one machine, whose ranks follow each other in the joined one. */
status_code placement_join(struct placement **joined, const struct placement *const *parts,
                           size_t count, struct status *status);
void placement_free(struct placement *placement); /* NULL allowed */

/* Marks share_millionths of all nodes (rounded down) as taken by other jobs: runs of free nodes
 * from random places on, of random lengths. */
void placement_occupy(bool *taken, const struct placement_machine *machine,
                      int64_t share_millionths, uint64_t seed);

/* ---- For the policies ------------------------------------------------------------------------ */

/* Why nodes cannot be had: "3 have failed and 1 is taken by others", or one of the two; "" for
 * none.
 */
enum { PLACEMENT_REASONS = 80 };
void placement_reasons(char text[PLACEMENT_REASONS], uint32_t failed, uint32_t others);

/* Takes a node if it is free; false once no more are wanted. */
static inline bool placement_offer(struct placement_pick *pick, uint32_t node) {
    if (pick->count < pick->wanted && !pick->taken[node]) pick->nodes[pick->count++] = node;
    return pick->count < pick->wanted;
}

/* What the draws of a placement are for: kept apart, so that policies do not share them. */
typedef enum placement_draw {
    PLACEMENT_DRAW_NODES,
    PLACEMENT_DRAW_ROUTERS,
    PLACEMENT_DRAW_GROUPS,
    PLACEMENT_DRAW_HYBRID,
    PLACEMENT_DRAW_OCCUPIED
} placement_draw;

/* Step i of a Fisher-Yates shuffle (Durstenfeld, Algorithm 235, CACM 1964) of items[0 … count-1]:
 * returns what comes to place i. */
uint32_t placement_shuffle_step(uint32_t *items, uint32_t count, uint32_t i, uint64_t seed,
                                placement_draw draw);

/* Defined in one file each, or in a file per small group. */
#define PLACEMENT_CHOOSE(name)                                                                     \
    status_code placement_##name##_choose(const struct placement_request *request,                 \
                                          struct placement_pick *pick, struct status *status)
#define PLACEMENT_ASSIGN(name)                                                                     \
    status_code placement_##name##_assign(const struct placement_request *request,                 \
                                          uint32_t *node_of_rank, struct status *status)
PLACEMENT_CHOOSE(block);
PLACEMENT_CHOOSE(random);
PLACEMENT_CHOOSE(random_routers);
PLACEMENT_CHOOSE(random_groups);
PLACEMENT_CHOOSE(round_robin_routers);
PLACEMENT_CHOOSE(round_robin_groups);
PLACEMENT_CHOOSE(strided);
PLACEMENT_CHOOSE(hybrid);
PLACEMENT_CHOOSE(contiguous);
PLACEMENT_CHOOSE(nodes);
PLACEMENT_ASSIGN(rankfile);
PLACEMENT_ASSIGN(greedy);
PLACEMENT_ASSIGN(partition);

#endif
