/*
 * Placement: the node on which each rank runs.
 *
 * Knows numbers only: ranks, nodes, nodes per router and per group, and the bytes that ranks send
 * to each other. A placement policy is one file, or part of a file with related policies, and one
 * row of the table in placement.c.
 *
 * Invariant: every rank has a node of the machine, and ranks and first_rank are the inverse of
 * node_of_rank. In a placement of placement_new no node holds more than ranks_per_node ranks.
 */
#ifndef ANAX_MAPPING_PLACEMENT_H
#define ANAX_MAPPING_PLACEMENT_H

#include "core/base/status.h"
#include "core/base/wide.h"
#include "core/settings/settings.h"

#include <stdbool.h>
#include <stdint.h>

/* The shape of the machine. The nodes of a router are consecutive, and the routers of a group are
 * consecutive: node n is on router n / nodes_per_router and in group n / nodes_per_group. Where
 * nodes have NICs on several routers, these count as one router here. */
struct placement_machine {
    uint32_t node_count;
    uint32_t nodes_per_router;
    uint32_t nodes_per_group;
};

typedef enum placement_order {
    PLACEMENT_ORDER_BLOCK, /* ranks r·k … r·k+k-1 share a node */
    PLACEMENT_ORDER_CYCLIC /* rank r runs on node r mod n of the n chosen nodes */
} placement_order;

struct placement_config {
    int32_t policy;         /* index in the table of placement.c */
    int64_t ranks_per_node; /* from 1 */
    char *file;             /* node list or rank file, for the policies that need one; NULL: none */
    int32_t order;          /* a placement_order: the order of ranks within nodes */
    int64_t stride;         /* strided: from 1 */
    int64_t share_millionths;    /* hybrid: largest share of a block's free nodes to take */
    int64_t occupied_millionths; /* share of all nodes that jobs outside the simulation hold.
                                    placement_new ignores it: the caller applies it once for all
                                    jobs with placement_mark_occupied */
};

/* The traffic between ranks: one directed edge for each pair with messages, in ascending order of
 * (from, to). */
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
    const bool *taken; /* for each node: this job cannot use it; NULL: all nodes are free */
    const struct placement_traffic *traffic; /* NULL is allowed if the policy does not read it */
    const bool *failed; /* for each node: taken because it has failed; NULL: no node has failed */
};

/* The nodes that a policy has chosen so far. */
struct placement_pick {
    const bool *taken; /* as in the request, but never NULL */
    uint32_t *nodes;   /* in the order in which they take ranks */
    uint32_t count;
    uint32_t wanted;
};

struct placement {
    uint32_t rank_count;
    uint32_t node_count;
    uint32_t *node_of_rank;
    uint32_t *first_rank; /* node_count + 1 indices in ranks: the ranks of node n are
                             ranks[first_rank[n]] … ranks[first_rank[n+1]-1], in ascending order */
    uint32_t *ranks;
};

struct placement_policy {
    const char *name;
    const char *help;   /* one line without a full stop */
    bool reads_file;    /* true if placement.file must be set; else it must not be set */
    bool reads_traffic; /* true if placement_request.traffic must be set */
    bool is_seeded;     /* true if the seed may have an effect */
    /* Chooses nodes: offers free nodes with placement_offer, each once, until it returns false. */
    status_code (*choose)(const struct placement_request *request, struct placement_pick *pick,
                          struct status *status);
    /* Or sets the node of every rank in node_of_rank. Exactly one of the two functions is NULL. */
    status_code (*assign)(const struct placement_request *request, uint32_t *node_of_rank,
                          struct status *status);
};

/* Returns the table of policies, whose last row has the name NULL. */
const struct placement_policy *placement_policies(void);

/* Returns the names of the policies, ending with NULL. */
const char *const *placement_policy_names(void);

/* The settings of placement (struct placement_config). */
extern const struct setting_row placement_setting_rows[];
extern const size_t placement_setting_count;

/* Places the ranks. The caller frees *made with placement_free. STATUS_USAGE: the settings do
 * not fit together, or there are too many ranks (the text says how many fit). STATUS_INPUT: the
 * text lists all faults of a file with their lines. */
status_code placement_new(struct placement **made, const struct placement_request *request,
                          struct status *status);
/* Makes a placement of given nodes, which must exist. STATUS_MEMORY. */
status_code placement_from_nodes(struct placement **made, const uint32_t *node_of_rank,
                                 uint32_t rank_count, uint32_t node_count, struct status *status);
/* Joins the placements of several jobs on one machine. The ranks of each job follow those of the
 * job before. STATUS_USAGE: too many ranks. */
status_code placement_join(struct placement **made, const struct placement *const *parts,
                           size_t count, struct status *status);

/* Frees a placement; NULL is allowed. */
void placement_free(struct placement *placement);

/* Returns the number of ranks below `rank` on its node, and sets *count to that of all its ranks.
 */
uint32_t placement_local_rank(const struct placement *placement, uint32_t rank, uint32_t *count);

/* Marks nodes as taken by other jobs until share_millionths of all nodes (rounded down) are taken.
 * The jobs take runs of free nodes of random lengths at random places. */
void placement_mark_occupied(bool *taken, const struct placement_machine *machine,
                             int64_t share_millionths, uint64_t seed);

/* ---- For the policies ------------------------------------------------------------------------ */

enum { PLACEMENT_REASONS_BYTES = 80 };
/* Writes why nodes cannot be used: "3 have failed and 1 is taken by others", one of the two parts,
 * or "". */
void placement_write_reasons(char text[PLACEMENT_REASONS_BYTES], uint32_t failed, uint32_t others);

/* Adds a node to the pick if it is free. Returns false when no more nodes are wanted. */
static inline bool placement_offer(struct placement_pick *pick, uint32_t node) {
    if (pick->count < pick->wanted && !pick->taken[node]) pick->nodes[pick->count++] = node;
    return pick->count < pick->wanted;
}

/* The purposes of random draws. Each has a sequence of its own, so that policies do not share
 * draws. */
typedef enum placement_draw {
    PLACEMENT_DRAW_NODES,
    PLACEMENT_DRAW_ROUTERS,
    PLACEMENT_DRAW_GROUPS,
    PLACEMENT_DRAW_HYBRID,
    PLACEMENT_DRAW_OCCUPIED
} placement_draw;

/* Carries out step i of a Fisher-Yates shuffle (Durstenfeld, Algorithm 235, CACM 1964) of items[0 …
 * count-1]. Returns the item that comes to place i. */
uint32_t placement_shuffle_step(uint32_t *items, uint32_t count, uint32_t i, uint64_t seed,
                                placement_draw draw);

/* The functions of the policies. */
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
