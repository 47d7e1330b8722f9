/*
 * Chains: what a time of a rank, a collective or a message consists of.
 *
 * A chain is the sequence of computations, overheads and messages that led to a time without a gap:
 * each part begins when the one before it ends. It is kept as sums by part, so its size does not
 * depend on its length. Chains are shared by counting references and copied when one of several
 * holders adds to them, so memory follows the messages in flight.
 *
 * Must not know: ranks, messages, networks. Invariant: the parts of a chain add up to time_ps.
 */
#ifndef ANAX_REPLAY_CHAIN_H
#define ANAX_REPLAY_CHAIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The parts of a chain, in picoseconds. Channel kinds are in the order of network_channel_kind:
 * terminal, local, global. */
typedef enum chain_part {
    CHAIN_LATE_START,
    CHAIN_COMPUTE, /* without noise */
    CHAIN_NOISE,   /* negative if noise made computations shorter */
    CHAIN_SEND,    /* send overhead per message */
    CHAIN_SEND_BYTES,
    CHAIN_SEND_COPY,
    CHAIN_SEND_RENDEZVOUS,
    CHAIN_SEND_COMPLETION,
    CHAIN_RECEIVE, /* receive overhead per message */
    CHAIN_RECEIVE_BYTES,
    CHAIN_RECEIVE_COPY,
    CHAIN_RECEIVE_RENDEZVOUS,
    CHAIN_REDUCTION,
    CHAIN_OFFLOAD, /* hops of collectives that NICs carry out */
    CHAIN_MEMORY,  /* messages within a node */
    CHAIN_NIC,     /* latencies and overheads of NICs */
    CHAIN_WINDOW,  /* acknowledgements that the windows of NICs wait for on an idle network */
    CHAIN_LATENCY,
    CHAIN_SERIALISATION = CHAIN_LATENCY + 3,
    CHAIN_ROUTERS = CHAIN_SERIALISATION + 3,
    CHAIN_RENDEZVOUS, /* control messages on an idle network */
    CHAIN_QUEUEING_NIC,
    CHAIN_QUEUEING, /* by the channel that packets waited for */
    CHAIN_PARTS = CHAIN_QUEUEING + 3
} chain_part;

/* Figures of a chain that are no parts of its time. */
typedef enum chain_count {
    CHAIN_STEPS = CHAIN_PARTS, /* changes from one rank to another */
    CHAIN_SENDS,               /* send overheads */
    CHAIN_RECEIVES,
    CHAIN_MESSAGES, /* messages through the network, control messages included */
    CHAIN_MEMORY_MESSAGES,
    CHAIN_MEMORY_BYTES,           /* ps: the part of CHAIN_MEMORY that grows with the size */
    CHAIN_HOPS,                   /* channels passed, by kind */
    CHAIN_BYTES = CHAIN_HOPS + 3, /* ps: serialisation, control messages included, by kind */
    CHAIN_ROUTER_PASSES = CHAIN_BYTES + 3,
    CHAIN_NAMES /* first of the named sums */
} chain_count;

struct chain {
    atomic_uint holders;
    uint32_t value_count;
    int64_t time_ps;
    int64_t values[]; /* CHAIN_NAMES parts and counts, then sums by region and by call */
};

/* Returns a chain of time 0 with names named sums; NULL: out of memory. */
struct chain *chain_new(uint32_t names);

static inline struct chain *chain_hold(struct chain *chain) {
    atomic_fetch_add_explicit(&chain->holders, 1, memory_order_relaxed);
    return chain;
}

void chain_drop(struct chain *chain); /* accepts NULL */

/* Makes *chain one that has no other holder. Returns false, and changes nothing, if out of memory.
 */
bool chain_own(struct chain **chain);

/* Adds time to a part of a chain that has no other holder. */
static inline void chain_add(struct chain *chain, uint32_t part, int64_t time_ps) {
    chain->values[part] += time_ps;
    chain->time_ps += time_ps;
}

#endif
