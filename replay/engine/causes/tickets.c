/* Takes and returns tickets: from a domain's own list, or from a common list under a lock. Adds
 * chunks when both are empty. */
#include "replay/engine/causes/tickets.h"

#include "core/memory/memory.h"
#include "core/processes/spin_lock.h"

#include <stdlib.h>
#include <string.h>

bool tickets_new(struct tickets *tickets, struct chain_store *store) {
    *tickets =
        (struct tickets){.store = store, .first_free = TICKETS_NONE, .is_locked = ATOMIC_FLAG_INIT};
    tickets->chunks = memory_new(TICKETS_CHUNKS, sizeof *tickets->chunks);
    return tickets->chunks != NULL;
}

void tickets_free(struct tickets *tickets) {
    free(tickets->chunks);
}

/* Adds a chunk of tickets to a domain's list. Returns false if out of memory. */
static bool add_chunk(struct tickets *tickets, struct tickets_own *own) {
    if (tickets->chunk_count == TICKETS_CHUNKS) return false;
    struct ticket *chunk = chain_store_take(tickets->store, TICKETS_IN_CHUNK * sizeof *chunk);
    if (chunk == NULL) return false;
    memset(chunk, 0, TICKETS_IN_CHUNK * sizeof *chunk);
    const uint32_t first = tickets->chunk_count * TICKETS_IN_CHUNK;
    const uint32_t skipped = first == TICKETS_NONE;
    tickets->chunks[tickets->chunk_count++] = chunk;
    for (uint32_t i = skipped; i < TICKETS_IN_CHUNK; i++) {
        chunk[i].ticket_number = first + i;
        chunk[i].next = i + 1 < TICKETS_IN_CHUNK ? first + i + 1 : own->first;
    }
    own->first = first + skipped;
    own->count += TICKETS_IN_CHUNK - skipped;
    return true;
}

/* Moves up to a chunk's number of tickets from the common list to a domain's. */
static void take_common(struct tickets *tickets, struct tickets_own *own) {
    for (uint32_t i = 0; i < TICKETS_IN_CHUNK && tickets->first_free != TICKETS_NONE; i++) {
        struct ticket *ticket = ticket_at(tickets, tickets->first_free);
        tickets->first_free = ticket->next;
        ticket->next = own->first;
        own->first = ticket->ticket_number;
        own->count++;
    }
}

struct ticket *ticket_take(struct tickets *tickets, struct tickets_own *own) {
    if (own->count == 0) {
        own->first = TICKETS_NONE;
        spin_lock(&tickets->is_locked);
        take_common(tickets, own);
        bool filled = own->count > 0 || add_chunk(tickets, own);
        spin_unlock(&tickets->is_locked);
        if (!filled) return NULL;
    }
    struct ticket *ticket = ticket_at(tickets, own->first);
    own->first = ticket->next;
    own->count--;
    if (own->count == 0) return ticket;
    ticket_fetch(ticket_at(tickets, own->first));
    return ticket;
}

void ticket_give(struct tickets *tickets, struct tickets_own *own, struct ticket *ticket) {
    ticket->next = own->count > 0 ? own->first : TICKETS_NONE;
    own->first = ticket->ticket_number;
    if (++own->count < 4 * TICKETS_IN_CHUNK) return;
    spin_lock(&tickets->is_locked);
    while (own->count > 2 * TICKETS_IN_CHUNK) {
        struct ticket *surplus = ticket_at(tickets, own->first);
        own->first = surplus->next;
        own->count--;
        surplus->next = tickets->first_free;
        tickets->first_free = surplus->ticket_number;
    }
    spin_unlock(&tickets->is_locked);
}
