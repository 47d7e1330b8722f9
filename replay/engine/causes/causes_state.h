/*
 * The state of causes. Used by causes*.c alone.
 */
#ifndef ANAX_REPLAY_CAUSES_STATE_H
#define ANAX_REPLAY_CAUSES_STATE_H

#include "core/memory/map.h"
#include "replay/engine/causes/causes.h"
#include "replay/engine/causes/tickets.h"
#include "replay/engine/state/engine_domain.h"

/* A recorded message (causes.h). The parts of its overhead follow from its path and size. */
struct causes_message {
    uint64_t is_recorded : 1; /* false: none is recorded, and there is no overhead */
    uint64_t path : 2;        /* replay_message_path */
    uint64_t size_bytes : 61;
};

/* The parts of the overhead of the latest message. They are kept because the next message mostly
 * has the same parts. */
struct causes_split {
    struct causes_message of;
    struct chain_cost cost; /* each_ps is 0 */
};

struct causes_slot {
    struct chain *chain;           /* of a collective that is complete; NULL: none */
    int64_t margin_ps;             /* chain_rivals.margin_ps of that chain */
    struct causes_message receive; /* of a message that has arrived */
    int64_t arrived_ps_plus_1;     /* when that message arrived; 0: no message has arrived */
};

struct causes_activation {
    struct chain_tip tip;
    uint32_t function;          /* the MPI function that began the collective */
    struct chain_cost deferred; /* overhead that causes_defer_receive_cost has kept */
    int64_t last_ps; /* time of the latest report that it waited for, or passed (causes.h) */
};

struct causes_rank {
    _Alignas(64) struct chain_tip tip;
    struct chain *detached; /* chain of the latest collective that it did not wait for */
    int64_t last_ps;        /* time of the latest report that it waited for, or passed */
    uint32_t *regions;      /* user regions that it is in, the innermost last */
    size_t depth;           /* number of these regions */
    size_t capacity;
};

/* A receive that is posted later than the report in which the engine posts it. */
struct causes_posted {
    struct inflight_key key;
    struct chain *chain; /* of the poster, at the time of posting; NULL: the entry is free */
    int64_t margin_ps;   /* chain_rivals.margin_ps of that chain */
};

static inline bool causes_posted_is_used(const struct causes_posted *posted) {
    return posted->chain != NULL;
}
MAP_DEFINE(causes_posted, struct causes_posted, struct inflight_key, inflight_hash,
           inflight_is_same, causes_posted_is_used)

/* An eager message that has no receive yet. */
struct causes_early {
    struct inflight_key key;
    int64_t arrived_ps_plus_1; /* when it arrived; 0: the entry is free */
};

static inline bool causes_early_is_used(const struct causes_early *early) {
    return early->arrived_ps_plus_1 != 0;
}
MAP_DEFINE(causes_early, struct causes_early, struct inflight_key, inflight_hash, inflight_is_same,
           causes_early_is_used)

/* The ticket of a message that comes from another process or goes to one. */
struct causes_note_ticket {
    uint64_t key;          /* number of the note; for a message from another process, the number of
                              the domain that sent it is in the upper half */
    struct ticket *ticket; /* NULL: the entry is free */
};

static inline bool causes_note_ticket_is_used(const struct causes_note_ticket *noted) {
    return noted->ticket != NULL;
}
MAP_DEFINE(causes_note_ticket, struct causes_note_ticket, uint64_t, map_hash_of_word,
           map_is_same_word, causes_note_ticket_is_used)

/* When an entry of `posted` expires. A request that arrives at at_ps or later did not wait for the
 * receive, and so does not need the entry. */
struct causes_expiry {
    struct inflight_key key;
    int64_t at_ps;
};

struct causes_domain {
    int64_t now_ps;
    /* The current report: */
    struct ticket *ticket;      /* of its message; NULL: it is of a timer */
    struct ticket *last_ticket; /* of the report before it; NULL: none */
    const struct network_delivery *message;
    struct network_delivery departed;  /* the message, in a report that it has left its NIC */
    struct chain_tip report_tip;       /* the chain that led to the report, once it was needed */
    bool is_sent;                      /* whether it reports that a message has left its NIC */
    bool is_control;                   /* whether its message is a control message */
    struct chain_tip *sending;         /* the sending chain (causes.h); NULL: the report's chain */
    struct chain_tip poster;           /* the chain of a receive that is posted later than now_ps */
    struct chain_tip finished;         /* the chain of the collective that was completed last */
    struct causes_message send;        /* the recorded message that is sent (causes.h) */
    struct causes_message receive;     /* the recorded message that is received (causes.h) */
    struct causes_split split_send;    /* the latest */
    struct causes_split split_receive; /* the latest */
    struct causes_activation *activations; /* by index in the domain's pool */
    size_t activation_capacity;
    uint32_t activation_count;
    struct causes_activation lost; /* stands in for an activation that found no memory */
    struct causes_posted_map posted;
    struct causes_early_map early;
    int64_t arrived_ps;      /* arrival of the report's message, or of the one that a receive met */
    int64_t match_margin_ps; /* causes_record_match_margin, for the next message; INT64_MAX: none */
    bool is_order_dependent; /* whether causes_mark_order_dependent was called */
    struct causes_expiry *expiries; /* of `posted`, the oldest first */
    size_t expiry_capacity;
    size_t expiry_first;
    size_t expiry_count; /* entries, those before expiry_first included */
    struct tickets_own tickets;
    struct chain_heap heap;
    /* Used by several processes only: */
    struct processes_packing *notes; /* [process]: notes of messages sent to it in this window */
    struct causes_note_ticket_map arriving;  /* tickets of messages from other processes */
    struct causes_note_ticket_map departing; /* tickets of messages to other processes, until the
                                                messages have left their NICs */
    uint32_t last_number;                    /* number of the domain's latest note */
    struct chain **held; /* CHAIN_ALL_STEPS: chains of all messages sent to other processes */
    size_t held_count;
    size_t held_capacity;
};

struct causes {
    struct causes_rank *ranks;
    struct causes_slot *slots; /* in the order of `slots` of struct replay_engine */
    uint64_t slot_count;
    struct causes_domain *domains;
    struct chain_store store;
    struct tickets tickets;
    struct chain_rules rules;
    uint32_t *sum_of_region; /* the writable tables that `rules` shows */
    uint32_t *sum_of_function;
    const char **region_names; /* by number of the sum */
    const char **mpi_function_names;
    uint32_t region_count;
    uint32_t mpi_function_count;
};

/* Returns what is kept for a domain. */
static inline struct causes_domain *causes_of_domain(const struct engine_domain *domain) {
    return &domain->engine->causes->domains[domain->index];
}
/* Returns the memory of the chains of a domain. */
static inline struct chain_heap *causes_heap(const struct engine_domain *domain) {
    return &causes_of_domain(domain)->heap;
}
/* Returns the rules by which chains are kept. */
static inline const struct chain_rules *causes_rules(const struct engine_domain *domain) {
    return &domain->engine->causes->rules;
}
/* Returns the end of the chain of a rank. */
static inline struct chain_tip *causes_tip(const struct engine_domain *domain, uint32_t rank) {
    return &domain->engine->causes->ranks[rank].tip;
}
/* Returns what is kept of an activation. If memory ran out for the activation, returns the place
 * `lost`, which all such activations share. */
static inline struct causes_activation *causes_activation_at(const struct engine_domain *domain,
                                                             uint32_t activation) {
    struct causes_domain *own = causes_of_domain(domain);
    return activation < own->activation_count ? &own->activations[activation] : &own->lost;
}
/* Prefetches the causes of a rank. */
static inline void causes_fetch_rank(const struct engine_domain *domain, uint32_t rank) {
    const struct causes_rank *of = &domain->engine->causes->ranks[rank];
    for (size_t line = 0; line < sizeof *of; line += 64)
        __builtin_prefetch((const char *)of + line, 1);
}
/* Prefetches the first slots of a rank. The rank soon posts operations in slots and waits for
 * them. */
static inline void causes_fetch_slots(const struct engine_domain *domain, uint32_t rank) {
    const struct replay_engine *engine = domain->engine;
    const char *slots = (const char *)&engine->causes->slots[engine->ranks[rank].first_slot];
    const size_t bytes = engine->program->ranks[rank].slot_count * sizeof(struct causes_slot);
    for (size_t line = 0; line < bytes && line < 512; line += 64)
        __builtin_prefetch(slots + line, 1);
}
/* Returns the MPI function that a rank is in. */
static inline uint32_t causes_function(const struct engine_domain *domain, uint32_t rank) {
    return domain->engine->ranks[rank].mpi_function;
}
/* Ends the run of a domain because memory ran out for the explanation. */
static inline void causes_out_of_memory(struct engine_domain *domain) {
    engine_fail(domain, STATUS_MEMORY, "out of memory for the explanation of times");
}

#endif
