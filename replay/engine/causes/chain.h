/*
 * Chains: what a time of a rank, a collective or a message consists of.
 *
 * A chain is the sequence of computations, overheads and messages that led to a time. It has no
 * gaps: each element begins when the one before it ends. The owner of a chain (a rank, an
 * activation or a message) has its end, a chain_tip.
 *
 * A chain is stored as a list of links, the latest first. Chains with a common beginning share its
 * links. Links count their references, and a link with several references never changes. After
 * CHAIN_LONGEST links, a base replaces the list: it has the sums by part of all links before it,
 * and the latest steps. So the memory of a chain and the time to extend it do not depend on the
 * length of the path, and total memory is proportional to the messages in flight. Only if the user
 * asks for all steps, a base also keeps the links before it, or says which process keeps them.
 *
 * The last message of a chain, and the CPU time after it, stay in the tip. They become links only
 * when the chain grows further, because most tips are dropped before: a rank that waits for several
 * messages needs only the chain of the last one. The link of a message also has the CPU time before
 * it.
 *
 * A tip also has bounds on its rivals, the other chains that lead to the same time: how much
 * shorter each of them is at least, and how much of each setting's time any of them has at most.
 *
 * Must not know: the state of ranks and domains. Invariant: the parts of a chain add up to time_ps.
 */
#ifndef ANAX_REPLAY_CHAIN_H
#define ANAX_REPLAY_CHAIN_H

#include "network/network.h"
#include "replay/engine/causes/chain_heap.h"

#include <assert.h>
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
    CHAIN_SEND_MEMORY, /* of messages within a node, if they have costs of their own */
    CHAIN_SEND_COMPLETION,
    CHAIN_SEND_COMPLETION_BYTES,
    CHAIN_RECEIVE, /* receive overhead per message */
    CHAIN_RECEIVE_BYTES,
    CHAIN_RECEIVE_COPY,
    CHAIN_RECEIVE_RENDEZVOUS,
    CHAIN_RECEIVE_MEMORY,
    CHAIN_REDUCTION,
    CHAIN_OFFLOAD,              /* hops of collectives that NICs carry out */
    CHAIN_MEMORY,               /* messages within a node */
    CHAIN_NIC,                  /* latencies and overheads of NICs */
    CHAIN_STORAGE,              /* latencies of I/O nodes */
    CHAIN_STORAGE_WRITE,        /* writing by I/O nodes */
    CHAIN_STORAGE_READ,         /* reading by I/O nodes */
    CHAIN_ACKNOWLEDGEMENT_WAIT, /* acknowledgements that the windows of NICs wait for on an idle
                                   network */
    CHAIN_LATENCY,
    CHAIN_SERIALISATION = CHAIN_LATENCY + 3,
    CHAIN_ROUTERS = CHAIN_SERIALISATION + 3,
    CHAIN_RENDEZVOUS, /* control messages on an idle network */
    CHAIN_QUEUEING_NIC,
    CHAIN_QUEUEING, /* by the channel that packets waited for */
    CHAIN_PARTS = CHAIN_QUEUEING + 3
} chain_part;

/* Figures of a chain that are not parts of its time. They follow the parts in chain_values. */
typedef enum chain_count {
    CHAIN_STEPS = CHAIN_PARTS, /* messages, those within a node included */
    CHAIN_SENDS,               /* send overheads */
    CHAIN_RECEIVES,            /* receive overheads */
    CHAIN_MESSAGES,            /* messages through the network, control messages included */
    CHAIN_MEMORY_MESSAGES,
    CHAIN_MEMORY_SIZE_DEPENDENT_PS, /* ps: the part of CHAIN_MEMORY that grows with the size */
    CHAIN_HOPS,                     /* channels passed, by kind */
    CHAIN_SIZE_DEPENDENT_PS =
        CHAIN_HOPS + 3, /* ps: as network_time_parts.size_dependent_ps, control messages included */
    CHAIN_ROUTER_PASSES = CHAIN_SIZE_DEPENDENT_PS + 3,
    CHAIN_NAMES /* first of the named sums: by region, then by MPI function */
} chain_count;

#define CHAIN_LONGEST   32u        /* links after a base */
#define CHAIN_ALL_STEPS UINT32_MAX /* value of chain_rules.base_steps */

/* The acted sums: sums in proportion to which a setting changes the time. They are CHAIN_COMPUTE,
 * then the parts from CHAIN_SEND to CHAIN_OFFLOAD, then the counts from CHAIN_MESSAGES to
 * CHAIN_ROUTER_PASSES. */
enum {
    CHAIN_ACTED_PARTS = 1,
    CHAIN_ACTED_COUNTS = CHAIN_ACTED_PARTS + CHAIN_OFFLOAD + 1 - CHAIN_SEND,
    CHAIN_ACTED = CHAIN_ACTED_COUNTS + CHAIN_NAMES - CHAIN_MESSAGES
};

/* Returns the index in chain_values of an acted sum. */
static inline unsigned chain_acted_value(unsigned acted) {
    if (acted < CHAIN_ACTED_PARTS) return CHAIN_COMPUTE;
    return acted < CHAIN_ACTED_COUNTS ? CHAIN_SEND + acted - CHAIN_ACTED_PARTS
                                      : CHAIN_MESSAGES + acted - CHAIN_ACTED_COUNTS;
}

/* What is known of the rivals of a chain: the other chains that lead to the same time. */
struct chain_rivals {
    int64_t margin_ps;           /* each rival is at least this much shorter */
    int64_t bounds[CHAIN_ACTED]; /* upper bound of each acted sum, of the rivals and of the chain */
};

/* What all chains of a replay have in common. */
struct chain_rules {
    uint32_t value_count;            /* parts, counts, named sums and channels */
    uint32_t first_function;         /* index of the first sum of an MPI function */
    uint32_t first_channel;          /* index of the table of channels, chain_channels.h */
    const uint32_t *sum_of_region;   /* per region: number of its sum */
    const uint32_t *sum_of_function; /* per MPI function: number of its sum */
    uint32_t base_steps; /* number of latest steps that a base keeps, or CHAIN_ALL_STEPS */
};

/* CPU time of messages, by part. */
struct chain_cost {
    int64_t count; /* messages with each_ps */
    int64_t each_ps;
    int64_t size_dependent_ps;
    int64_t copy_ps;
    int64_t rendezvous_ps;
    int64_t memory_ps;
};

/* Adds a cost to a sum. */
static inline void chain_cost_add(struct chain_cost *sum, const struct chain_cost *cost) {
    sum->count += cost->count;
    sum->each_ps += cost->each_ps;
    sum->size_dependent_ps += cost->size_dependent_ps;
    sum->copy_ps += cost->copy_ps;
    sum->rendezvous_ps += cost->rendezvous_ps;
    sum->memory_ps += cost->memory_ps;
}

/* A message on its way, until it was delivered or, if is_sent, until its last byte had left its
 * NIC. */
struct chain_message {
    struct network_time_parts parts;
    uint64_t size_bytes;
    uint32_t source_node;
    uint32_t destination_node;
    uint32_t from_rank;
    bool is_control; /* its time on an idle network counts as CHAIN_RENDEZVOUS */
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
    uint32_t rank;       /* rank that computes or works, or waits for the message */
    uint32_t from_rank;  /* rank that sends the message */
    union {
        uint32_t name;     /* whichever of the next two it is */
        uint32_t region;   /* computation: user region, or CHAIN_NO_NAME */
        uint32_t function; /* others: MPI function; a late start: CHAIN_NO_NAME */
    };
    struct network_route route; /* of a message */
};

typedef enum chain_kind {
    CHAIN_BASE,
    CHAIN_COMPUTATION,
    CHAIN_COST,
    CHAIN_SPENT,
    CHAIN_MESSAGE,
} chain_kind;
static_assert(CHAIN_MESSAGE + 1 == CHAIN_KINDS, "chain_heap.h has a list for each kind");

/* A link, and with it the chain that ends there. chain_links.h has the rest of each kind. */
struct chain {
    atomic_uint references;
    uint16_t kind;        /* chain_kind */
    uint16_t length;      /* links since the base */
    int64_t time_ps;      /* sum of all parts up to here */
    struct chain *before; /* the link before it; NULL for a base, unless all steps are kept */
    uint32_t rank;
    union {
        uint32_t name;     /* whichever of the next two it is */
        uint32_t region;   /* COMPUTATION: user region, or CHAIN_NO_NAME */
        uint32_t function; /* others: MPI function */
    };
};

/* Where another process keeps the links before a base. */
struct chain_place {
    uint64_t chain;  /* its number among the chains that the domain has sent to other processes */
    uint32_t domain; /* CHAIN_NO_PLACE: nowhere, the chain begins with the base */
};
#define CHAIN_NO_PLACE UINT32_MAX

/* The end of a chain: its links, then a message and then CPU time that are not links yet. */
struct chain_tip {
    struct chain *chain;    /* NULL: there is none */
    struct chain *message;  /* the message, a link that only the tip refers to; NULL: none */
    int64_t time_ps;        /* sum of all parts, those that are not links yet included */
    struct chain_cost cost; /* the CPU time */
    uint32_t rank;          /* rank that spent the CPU time */
    uint32_t function;      /* MPI function in which the rank spent it */
    bool has_cost;          /* whether there is CPU time that is not a link yet */
    bool is_send;           /* whether it is a send overhead; otherwise a receive overhead */
    struct chain_rivals rivals;
};

/* Records that a rival is only margin_ps shorter than the chain. */
static inline void chain_limit_margin(struct chain_tip *tip, int64_t margin_ps) {
    if (margin_ps < tip->rivals.margin_ps) tip->rivals.margin_ps = margin_ps;
}

/* Raises the bounds of a tip to those of other chains, `bounds` with CHAIN_ACTED entries. */
static inline void chain_raise_bounds(struct chain_tip *tip, const int64_t *bounds) {
    for (unsigned i = 0; i < CHAIN_ACTED; i++)
        if (bounds[i] > tip->rivals.bounds[i]) tip->rivals.bounds[i] = bounds[i];
}

/* Adds the parts of a message to `bounds`, which has CHAIN_ACTED entries. */
void chain_add_to_bounds(int64_t *bounds, const struct network_time_parts *parts);

/* Adds a reference to a chain, and returns the chain. An atomic update waits for all earlier
 * writes, even for those to memory outside the cache. So there is none if one thread has all
 * chains. */
static inline struct chain *chain_refer(struct chain *chain, const struct chain_heap *heap) {
    if (heap->has_one_thread) {
        const unsigned references = atomic_load_explicit(&chain->references, memory_order_relaxed);
        atomic_store_explicit(&chain->references, references + 1, memory_order_relaxed);
    } else {
        atomic_fetch_add_explicit(&chain->references, 1, memory_order_relaxed);
    }
    return chain;
}

/* Makes *tip the chain of a rank that starts at start_ps. Returns false if out of memory. */
bool chain_begin(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                 uint32_t rank, int64_t start_ps);
/* Makes *tip a chain that another process has begun: from its time, its rules->value_count values
 * (chain_values), its step_count latest steps, and the place of its links. Copies all of them.
 * Returns false if out of memory. */
bool chain_resume(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                  int64_t time_ps, const int64_t *values, uint64_t step_count,
                  const struct chain_step *steps, const struct chain_rivals *rivals,
                  struct chain_place place);
/* Returns where another process keeps the links before the first link of a chain. */
struct chain_place chain_earlier_place(const struct chain *chain);
/* Gives up the chain of *tip, which has none afterwards. */
void chain_drop(struct chain_tip *tip, struct chain_heap *heap);
/* Does what chain_drop does, but frees links only some calls later, when they have come into the
 * cache. */
void chain_drop_late(struct chain_tip *tip, struct chain_heap *heap);
/* Gives *tip, which has no chain, the chain of another tip. Both then share it. Returns false if
 * out of memory. */
bool chain_share(struct chain_tip *tip, struct chain_tip *other, const struct chain_rules *rules,
                 struct chain_heap *heap);
/* Does what chain_share does, but keeps the bounds of *tip, raised to those of the other tip. */
bool chain_share_and_raise_bounds(struct chain_tip *tip, struct chain_tip *other,
                                  const struct chain_rules *rules, struct chain_heap *heap);

/* The following functions extend the chain of *tip. They return false, and add nothing, if out of
 * memory. */

/* Adds a computation in a region that takes time_ps, and would take needed_ps without noise. */
bool chain_add_computation(struct chain_tip *tip, const struct chain_rules *rules,
                           struct chain_heap *heap, uint32_t rank, uint32_t region,
                           int64_t needed_ps, int64_t time_ps);
/* Adds CPU time in an MPI function: the overhead of sending messages (is_send) or of receiving
 * them. */
bool chain_add_cost(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                    uint32_t rank, uint32_t function, bool is_send, const struct chain_cost *cost);
/* Adds time of any other part, in an MPI function. */
bool chain_add_time(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                    uint32_t rank, uint32_t function, chain_part part, int64_t time_ps);
/* Returns a message that the caller fills in and passes to chain_add_message; NULL: out of memory.
 */
struct chain_message *chain_message_new(struct chain_tip *tip, const struct chain_rules *rules,
                                        struct chain_heap *heap);
/* Adds a message that ends at `rank`, which is in `function` then. Needs no memory. */
void chain_add_message(struct chain_tip *tip, uint32_t rank, uint32_t function,
                       struct chain_message *message);
/* Turns the message and CPU time of *tip into links, so that tip->chain is the whole chain. */
bool chain_close(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap);

/* Fills in rules->value_count values of a chain: the parts, the counts, the sums by region and by
 * function, and the table of channels (chain_channels.h). */
void chain_values(const struct chain *chain, const struct chain_rules *rules, int64_t *values);
/* Returns whether two consecutive steps count as one. */
bool chain_is_one_step(const struct chain_step *step, const struct chain_step *next);
/* Returns the number of steps that a chain keeps, at most rules->base_steps. Unless `steps` is
 * NULL, writes them in order to the end of `steps`, an array of `count` entries; `count` must be at
 * least the number of steps. */
uint64_t chain_steps(const struct chain *chain, const struct chain_rules *rules, uint64_t count,
                     struct chain_step *steps);

#endif
