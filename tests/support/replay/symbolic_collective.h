/*
 * A collective followed with symbolic data and without a simulator. The running test fails unless
 * everyone ends with the right data, both sides of every message agree, and no message is left
 * over.
 *
 * Each byte is the set of members whose contribution it holds. Combining must never count one
 * twice. In alltoall, where data are personal, it is followed by what happens to single blocks.
 *
 * Must not know ranks, networks or time.
 */
#ifndef ANAX_TESTS_SYMBOLIC_COLLECTIVE_H
#define ANAX_TESTS_SYMBOLIC_COLLECTIVE_H

#include "replay/collectives/collective_families.h"

enum { SYMBOLIC_MEMBERS = 33 }; /* at most, of all groups */

struct symbolic_cost {
    uint32_t messages;
    uint64_t bytes;
};

bool symbolic_is_rooted(uint32_t kind);

/* size members, and for an intercommunicator remote_size others; blocks of block_bytes in the forms
 * whose blocks are alike. Returns what was sent. */
struct symbolic_cost symbolic_run(uint32_t kind, const struct collective_algorithm *algorithm,
                                  uint32_t size, uint32_t remote_size, uint32_t root,
                                  const struct collective_choice *choice, uint32_t block_bytes);
/* The same on a communicator whose member i is on node node_of[i] < SYMBOLIC_MEMBERS, with vectors
 * and blocks of the default sizes. `crossing` becomes the number of messages between nodes. */
struct symbolic_cost symbolic_run_on_nodes(uint32_t kind,
                                           const struct collective_algorithm *algorithm,
                                           uint32_t size, uint32_t root,
                                           const struct collective_choice *choice,
                                           const uint32_t *node_of, uint32_t *crossing);

/* Which members share a node, for calls that are made without a simulator. */
struct symbolic_nodes {
    struct collective_nodes nodes;
    uint32_t node_of_member[SYMBOLIC_MEMBERS], place_in_node[SYMBOLIC_MEMBERS];
    uint32_t first[SYMBOLIC_MEMBERS + 1], members[SYMBOLIC_MEMBERS];
};
/* *made must not move. */
void symbolic_nodes_of(struct symbolic_nodes *made, uint32_t size, const uint32_t *node_of);

#endif
