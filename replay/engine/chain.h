/*
 * Chains: what a time of a rank, a collective or a message consists of.
 *
 * Whoever has a chain holds its tip (chain_tip). A chain is the sequence of computations, overheads
 * and messages that led to a time without a gap: each begins when the one before it ends. It is a
 * list of links, the latest first. Chains that have a beginning in common share its links, which
 * are counted by references; a link never changes while it has several holders. After CHAIN_LONGEST
 * links the list begins anew with a base, which has the sums by part of all links before it and, of
 * the latest ones, the steps. So neither the size of a chain nor the time to add to it depends on
 * its length, and memory follows the messages in flight. Only where all steps are asked for, a base
 * keeps the links before it, or the place where another process keeps them.
 *
 * A message and CPU time at the end of a chain become links only when the chain grows beyond them,
 * since most tips are dropped before: a rank that waits for several messages needs the chain of the
 * last one. They stand in the tip until then. The link of a message also has the CPU time before
 * it.
 *
 * A tip also says what is known of all other chains that lead to the same time: by how much the
 * chain has beaten each of them at least, and how much of a setting's time any of them has at most.
 *
 * Must not know: the state of ranks and domains. Invariant: the parts of a chain add up to time_ps.
 */
#ifndef ANAX_REPLAY_CHAIN_H
#define ANAX_REPLAY_CHAIN_H

#include "network/network.h"
#include "replay/engine/chain_heap.h"

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
    CHAIN_SEND_COMPLETION_BYTES,
    CHAIN_RECEIVE, /* receive overhead per message */
    CHAIN_RECEIVE_BYTES,
    CHAIN_RECEIVE_COPY,
    CHAIN_RECEIVE_RENDEZVOUS,
    CHAIN_REDUCTION,
    CHAIN_OFFLOAD,       /* hops of collectives that NICs carry out */
    CHAIN_MEMORY,        /* messages within a node */
    CHAIN_NIC,           /* latencies and overheads of NICs */
    CHAIN_STORAGE,       /* latencies of I/O nodes */
    CHAIN_STORAGE_WRITE, /* their service */
    CHAIN_STORAGE_READ,
    CHAIN_WINDOW, /* acknowledgements that the windows of NICs wait for on an idle network */
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
    CHAIN_STEPS = CHAIN_PARTS, /* messages */
    CHAIN_SENDS,               /* send overheads */
    CHAIN_RECEIVES,
    CHAIN_MESSAGES, /* messages through the network, control messages included */
    CHAIN_MEMORY_MESSAGES,
    CHAIN_MEMORY_BYTES, /* ps: the part of CHAIN_MEMORY that grows with the size */
    CHAIN_HOPS,         /* channels passed, by kind */
    CHAIN_BYTES =
        CHAIN_HOPS + 3, /* ps: as network_time_parts.bytes_ps, control messages included */
    CHAIN_ROUTER_PASSES = CHAIN_BYTES + 3,
    CHAIN_NAMES /* first of the named sums: by region, then by call */
} chain_count;

#define CHAIN_LONGEST   32u        /* links after a base */
#define CHAIN_ALL_STEPS UINT32_MAX /* in `kept` */

/* Sums that settings act on: CHAIN_COMPUTE, then the parts from CHAIN_SEND to CHAIN_OFFLOAD, then
 * the counts from CHAIN_MESSAGES to CHAIN_ROUTER_PASSES. */
enum {
    CHAIN_ACTED_PARTS = 1,
    CHAIN_ACTED_COUNTS = CHAIN_ACTED_PARTS + CHAIN_OFFLOAD + 1 - CHAIN_SEND,
    CHAIN_ACTED = CHAIN_ACTED_COUNTS + CHAIN_NAMES - CHAIN_MESSAGES
};

/* Returns the value that is an acted sum's in chain_values. */
static inline unsigned chain_acted_value(unsigned acted) {
    if (acted < CHAIN_ACTED_PARTS) return CHAIN_COMPUTE;
    return acted < CHAIN_ACTED_COUNTS ? CHAIN_SEND + acted - CHAIN_ACTED_PARTS
                                      : CHAIN_MESSAGES + acted - CHAIN_ACTED_COUNTS;
}

/* What is known of the other chains that lead to the same time. */
struct chain_rivals {
    int64_t margin_ps;         /* by which each of them is shorter at least */
    int64_t most[CHAIN_ACTED]; /* of each sum, any chain has at most; this one too */
};

/* What all chains of a replay have in common. */
struct chain_rules {
    uint32_t value_count;      /* parts, counts, named sums and channels */
    uint32_t first_call;       /* index of the first call's sum */
    uint32_t first_channel;    /* index of the table of channels, chain_channels.h */
    const uint32_t *region_of; /* per region: number of its sum */
    const uint32_t *call_of;   /* per call: number of its sum */
    uint32_t kept;             /* steps that are kept: the latest, or CHAIN_ALL_STEPS */
};

/* CPU time of messages, by part. */
struct chain_cost {
    int64_t count; /* messages */
    int64_t each_ps;
    int64_t bytes_ps;
    int64_t copy_ps;
    int64_t rendezvous_ps;
};

/* A message on its way, until it was delivered or, if `sent`, until its last byte had left its NIC.
 */
struct chain_message {
    struct network_time_parts parts;
    uint64_t size_bytes;
    uint32_t source_node;
    uint32_t destination_node;
    uint32_t from_rank;
    bool is_control; /* its idle time is a turn of a rendezvous */
    bool is_sent;
};

/* What a step of a chain is. */
typedef enum chain_cause {
    CHAIN_STARTS_LATE,
    CHAIN_COMPUTES,
    CHAIN_SENDS_MESSAGE,
    CHAIN_RECEIVES_MESSAGE,
    CHAIN_WORKS, /* other CPU time in MPI */
    CHAIN_NIC_WORKS,
    CHAIN_STORAGE_WORKS, /* an I/O node */
    CHAIN_MESSAGE_LEAVES,
    CHAIN_CONTROL_ARRIVES,
    CHAIN_MESSAGE_ARRIVES
} chain_cause;

#define CHAIN_NO_NAME UINT32_MAX

/* A step of a chain: what it consists of between two times. */
struct chain_step {
    int64_t from_ps, to_ps;
    int64_t queueing_ps; /* of a message */
    uint64_t size_bytes; /* of a message */
    uint32_t cause;      /* chain_cause */
    uint32_t rank;       /* that computes or works, or waits for the message */
    uint32_t from_rank;  /* that sends the message */
    uint32_t name;       /* computation: region, or CHAIN_NO_NAME; otherwise call, as in chains */
    struct network_route route; /* of a message */
};

typedef enum chain_kind {
    CHAIN_BASE,
    CHAIN_COMPUTATION,
    CHAIN_COST,
    CHAIN_SPENT,
    CHAIN_MESSAGE
} chain_kind;

/* A link, and with it the chain that ends there. chain.c has what follows by kind. */
struct chain {
    atomic_uint holders;
    uint16_t kind;        /* chain_kind */
    uint16_t length;      /* links since the base */
    int64_t time_ps;      /* sum of all parts up to here */
    struct chain *before; /* bases: NULL, unless all steps are kept */
    uint32_t rank;
    uint32_t name; /* region or call */
};

/* Where another process keeps the links before a base. */
struct chain_place {
    uint64_t number; /* among the chains that the domain has sent to other processes */
    uint32_t domain; /* CHAIN_NO_PLACE: nowhere, the chain begins with the base */
};
#define CHAIN_NO_PLACE UINT32_MAX

/* The end of a chain: links, and after them what has no link yet: a message, then CPU time. */
struct chain_tip {
    struct chain *chain;   /* NULL: there is none */
    struct chain *message; /* a link that nothing refers to; NULL: no message */
    int64_t time_ps;       /* sum of all parts, those without a link included */
    struct chain_cost cost;
    uint32_t rank; /* of the cost */
    uint32_t call;
    bool owes; /* there is a cost */
    bool sends;
    struct chain_rivals rivals;
};

/* Takes in that other chains might have been the longest one, if margin_ps had not been. */
static inline void chain_beats(struct chain_tip *tip, int64_t margin_ps) {
    if (margin_ps < tip->rivals.margin_ps) tip->rivals.margin_ps = margin_ps;
}

/* Takes in what other chains have at most. */
static inline void chain_join(struct chain_tip *tip, const int64_t *most) {
    for (unsigned i = 0; i < CHAIN_ACTED; i++)
        if (most[i] > tip->rivals.most[i]) tip->rivals.most[i] = most[i];
}

/* Adds a message to what chains have at most. */
void chain_add_most(int64_t *most, const struct network_time_parts *parts);

/* Holds a chain once more. An atomic update waits for all writes before it, also those to memory
 * that is not in the cache, so there is none where one thread holds all chains. */
static inline struct chain *chain_hold(struct chain *chain, const struct chain_heap *heap) {
    if (heap->is_alone) {
        const unsigned holders = atomic_load_explicit(&chain->holders, memory_order_relaxed);
        atomic_store_explicit(&chain->holders, holders + 1, memory_order_relaxed);
    } else {
        atomic_fetch_add_explicit(&chain->holders, 1, memory_order_relaxed);
    }
    return chain;
}

/* Makes *tip the chain of a rank that starts at start_ps. Returns false if out of memory. */
bool chain_begin(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                 uint32_t rank, int64_t start_ps);
/* Makes *tip a chain of which only sums and latest steps are known, and where the links are. */
bool chain_go_on(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                 int64_t time_ps, const int64_t *values, uint64_t step_count,
                 const struct chain_step *steps, const struct chain_rivals *rivals,
                 struct chain_place place);
/* Returns where the links before the first one are. */
struct chain_place chain_goes_on_from(const struct chain *chain);
void chain_drop(struct chain_tip *tip, struct chain_heap *heap); /* *tip has no chain then */
/* Does the same a little later, for links that are not in the cache. */
void chain_drop_late(struct chain_tip *tip, struct chain_heap *heap);
/* Makes *tip, which has no chain, the chain of another tip, which keeps it. Returns false if out of
 * memory. */
bool chain_share(struct chain_tip *tip, struct chain_tip *other, const struct chain_rules *rules,
                 struct chain_heap *heap);
/* The same, but what *tip knew of what chains have at most stays. */
bool chain_share_and_join(struct chain_tip *tip, struct chain_tip *other,
                          const struct chain_rules *rules, struct chain_heap *heap);

/* Add to the chain of *tip. Return false, and change nothing, if out of memory. */

/* A computation in a region that takes time_ps, needed_ps of them without noise. */
bool chain_compute(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                   uint32_t rank, uint32_t region, int64_t needed_ps, int64_t time_ps);
/* CPU time in a call for sending messages, or for receiving them. */
bool chain_pay(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
               uint32_t rank, uint32_t call, bool sends, const struct chain_cost *cost);
/* Time of another part in a call. */
bool chain_spend(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                 uint32_t rank, uint32_t call, chain_part part, int64_t time_ps);
/* Returns a message for chain_carry, which the caller fills in; NULL: out of memory. */
struct chain_message *chain_message_new(struct chain_tip *tip, const struct chain_rules *rules,
                                        struct chain_heap *heap);
/* A message that ends at `rank`, which is in a call then. */
void chain_carry(struct chain_tip *tip, uint32_t rank, uint32_t call,
                 struct chain_message *message);
/* Gives all that *tip has a link. */
bool chain_close(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap);

/* Sets rules->value_count values: parts, counts, sums by region and by call, and the table of
 * channels. */
void chain_values(const struct chain *chain, const struct chain_rules *rules, int64_t *values);
/* Returns whether two steps, one after the other, count as one. */
bool chain_is_one_step(const struct chain_step *step, const struct chain_step *next);
/* Returns the number of steps that the chain has kept, at most rules->kept, and puts them in order
 * into the end of `steps`, which has room for `count`, at least this number; NULL: counts only. */
uint64_t chain_steps(const struct chain *chain, const struct chain_rules *rules, uint64_t count,
                     struct chain_step *steps);

#endif
