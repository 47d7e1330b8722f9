/*
 * Tickets: what the sender of a message notes for its receiver, in a replay that explains its time.
 * The message carries the number of its ticket in the place of its handle.
 *
 * Tickets are in chunks that never move, so a domain can read a ticket while others take new ones.
 * A domain takes tickets from a list of its own, and gives long lists back for others.
 *
 * Must not know: ranks, protocols. Invariant: memory is proportional to the messages in flight.
 */
#ifndef ANAX_REPLAY_TICKETS_H
#define ANAX_REPLAY_TICKETS_H

#include "replay/engine/chain.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ticket {
    _Alignas(64) struct chain_tip tip; /* at the time when the message was handed to its NIC */
    atomic_uint readers;               /* reports of the message that are still to come */
    uint32_t handle;                   /* the handle whose place the ticket's number has taken */
    uint32_t next;                     /* next free ticket */
    uint32_t number;
    uint32_t source_node;
    uint32_t destination_node;
    uint64_t size_bytes;
};

#define TICKETS_IN_CHUNK 256u
#define TICKETS_CHUNKS   (1u << 22)
#define TICKETS_NONE     0u /* no ticket has this number */

struct tickets {
    struct chain_store *store; /* has the memory of chunks */
    struct ticket **chunks;    /* TICKETS_CHUNKS */
    uint32_t chunk_count;
    uint32_t first_free;   /* list of free tickets of no domain; UINT32_MAX: none */
    atomic_flag is_locked; /* for chunk_count and first_free */
};

/* The free tickets of one domain. */
struct tickets_own {
    uint32_t first;
    uint32_t count;
};

/* Returns false if out of memory. */
bool tickets_new(struct tickets *tickets, struct chain_store *store);
void tickets_free(struct tickets *tickets); /* but not what the store has */

static inline struct ticket *ticket_at(const struct tickets *tickets, uint32_t number) {
    return &tickets->chunks[number / TICKETS_IN_CHUNK][number % TICKETS_IN_CHUNK];
}

/* Prefetches a ticket. */
static inline void ticket_fetch(const struct ticket *ticket) {
    for (size_t line = 0; line < sizeof *ticket; line += 64)
        __builtin_prefetch((const char *)ticket + line, 1);
}

/* Takes a ticket; NULL: out of memory. */
struct ticket *ticket_take(struct tickets *tickets, struct tickets_own *own);
/* Gives a ticket back to the domain that has read it last. */
void ticket_give(struct tickets *tickets, struct tickets_own *own, struct ticket *ticket);

#endif
