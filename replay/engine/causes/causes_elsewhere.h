/*
 * Causes of messages between processes. Another process cannot read a ticket. So a note carries the
 * ticket's content to that process, with the chain reduced to its sums and latest steps. The
 * message carries the number of its note, which is unique in the sending domain. The network
 * exchanges the notes together with the messages (network_run_options), so a note arrives no later
 * than its message. If the user asks for all steps of a path, a note says which process keeps the
 * steps, instead of carrying them, and process 0 collects the steps of the path at the end.
 *
 * Must not know: what causes are used for.
 */
#ifndef ANAX_REPLAY_CAUSES_ELSEWHERE_H
#define ANAX_REPLAY_CAUSES_ELSEWHERE_H

#include "replay/engine/causes/causes_state.h"

/* Makes room for the notes of all domains. Returns false if out of memory. */
bool causes_notes_new(struct replay_engine *engine);

/* Frees what causes_notes_new has made. */
void causes_notes_free(struct causes_domain *domain, unsigned processes);

/* Returns whether a node belongs to another process. */
static inline bool causes_is_elsewhere(const struct replay_engine *engine, uint32_t node) {
    return HINT_UNLIKELY(engine->transport->processes != NULL) &&
           !transport_is_here(engine->transport,
                              network_config_domain_of_node(engine->network_config, node));
}
/* Writes the note of a message that goes to a node of another process, with the chain of *tip, and
 * puts the note's number into the message's cookie. */
void causes_send_elsewhere(struct engine_domain *domain, struct chain_tip *tip,
                           struct network_message *message);
/* Returns the ticket of a message that has arrived from a node of another process, by the number of
 * its note; NULL: out of memory. */
struct ticket *causes_ticket_arrived(struct engine_domain *domain, uint32_t source_node,
                                     uint32_t number);

/* Returns the ticket of a message that has left its NIC for a node of another process, by the
 * number of its note; NULL: out of memory. */
struct ticket *causes_ticket_departed(struct engine_domain *domain, uint32_t number);

/* pack_notes of network_run_options, with the engine as the context. */
void causes_pack_notes(void *context, unsigned process, struct processes_packing *packing);

/* take_notes of network_run_options, with the engine as the context. */
void causes_take_notes(void *context, struct processes_unpacking notes);

/* Gives process 0, for each of `count` jobs, the chain of the rank that ends last. Job i has the
 * ranks from ends[i - 1] (0 for the first) to ends[i] - 1. All processes must call it.
 * STATUS_MEMORY, or the failure of another process. */
status_code causes_gather(struct replay_engine *engine, const uint32_t *ends, uint32_t count,
                          struct status *status);

#endif
