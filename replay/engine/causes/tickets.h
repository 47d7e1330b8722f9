/*
 * Tickets: in a replay that explains its time, each message has a ticket, by which its sender tells
 * its receiver the chain that led to the message. The cookie of the message has the number of the
 * ticket instead of the handle.
 *
 * Tickets are in chunks that never move, so a domain can read a ticket while other domains take new
 * ones. A domain takes tickets from its own list of free tickets, and returns long lists for other
 * domains.
 *
 * Must not know: ranks, protocols. Invariant: memory is proportional to the messages in flight.
 */
#ifndef ANAX_REPLAY_TICKETS_H
#define ANAX_REPLAY_TICKETS_H

#include "replay/engine/causes/chain.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ticket {
    _Alignas(64) struct chain_tip tip; /* at the time when the message was handed to its NIC */
    atomic_uint readers;               /* number of reports of the message still to come */
    uint32_t handle;                   /* the handle that the cookie had */
    uint32_t next;                     /* next free ticket, or TICKETS_NONE */
    uint32_t ticket_number;
    uint32_t source_node;
    uint32_t destination_node;
    uint64_t size_bytes;
};

#define TICKETS_IN_CHUNK 256u
#define TICKETS_CHUNKS   (1u << 22)
#define TICKETS_NONE     0u /* no ticket has this number */

struct tickets {
    struct chain_store *store; /* owns the memory of the chunks */
    struct ticket **chunks;    /* TICKETS_CHUNKS entries */
    uint32_t chunk_count;
    uint32_t first_free;   /* list of free tickets of no domain, or TICKETS_NONE */
    atomic_flag is_locked; /* for chunk_count and first_free */
};

/* The free tickets of one domain. */
struct tickets_own {
    uint32_t first;
    uint32_t count;
};

/* Makes *tickets empty, with chunks from `store`. Returns false if out of memory. */
bool tickets_new(struct tickets *tickets, struct chain_store *store);
/* Frees what tickets_new has allocated. The chunks stay in the store. */
void tickets_free(struct tickets *tickets);

/* Returns a ticket by its number. */
static inline struct ticket *ticket_at(const struct tickets *tickets, uint32_t number) {
    return &tickets->chunks[number / TICKETS_IN_CHUNK][number % TICKETS_IN_CHUNK];
}

/* Prefetches a ticket. */
static inline void ticket_fetch(const struct ticket *ticket) {
    for (size_t line = 0; line < sizeof *ticket; line += 64)
        __builtin_prefetch((const char *)ticket + line, 1);
}

/* Returns a free ticket; NULL: out of memory. */
struct ticket *ticket_take(struct tickets *tickets, struct tickets_own *own);
/* Returns a ticket to the list of the domain that was its last reader. */
void ticket_give(struct tickets *tickets, struct tickets_own *own, struct ticket *ticket);

#endif
