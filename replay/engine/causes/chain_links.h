/*
 * The links of chains: what each kind of link has besides its struct chain. For the files that
 * extend chains (chain.c) and read them (chain_values.c).
 */
#ifndef ANAX_REPLAY_CHAIN_LINKS_H
#define ANAX_REPLAY_CHAIN_LINKS_H

#include "replay/engine/causes/chain.h"

/* A computation, which would take needed_ps without noise. */
struct chain_computation_link {
    struct chain chain;
    int64_t needed_ps;
};

/* The CPU time of sending messages or of receiving them. */
struct chain_cost_link {
    struct chain chain;
    struct chain_cost cost;
    bool is_send;
};

/* Time of any other part. */
struct chain_spent_link {
    struct chain chain;
    chain_part part;
};

/* A message, and the cost before it, mostly that of sending it. As long as the link is not part of
 * a chain, chain.time_ps is the time of these two alone, and chain.before is NULL. */
struct chain_message_link {
    struct chain chain;
    struct chain_message message;
    struct chain_cost cost;
    uint32_t rank;     /* rank that spent the cost */
    uint32_t function; /* MPI function in which the rank spent it */
    bool has_cost;
    bool is_send;
};

/* The beginning of a list of links: the sums of all links before it, and the latest steps. */
struct chain_base {
    struct chain chain;
    uint32_t step_count;
    bool is_large; /* too large for the heap: it has its own memory block */
    struct chain_place place;
    struct chain_step *steps; /* in the same block, after the values */
    int64_t values[];
};

/* Returns the sum of the parts of a cost. */
static inline int64_t chain_cost_time_ps(const struct chain_cost *cost) {
    return cost->each_ps + cost->size_dependent_ps + cost->copy_ps + cost->rendezvous_ps +
           cost->memory_ps;
}

#endif
