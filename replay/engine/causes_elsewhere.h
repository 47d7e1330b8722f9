/*
 * Causes of messages between processes. A ticket cannot be read in another process, so what it has
 * goes there in a note, with the chain as sums and latest steps, and the message carries the number
 * of the note among those of its domain. The network takes notes along (network_run_options); a
 * note never comes after its message. Where all steps of a path are asked for, the steps stay in
 * their process, a note says where they are, and process 0 collects those of the path at the end.
 *
 * Must not know: what causes are used for.
 */
#ifndef ANAX_REPLAY_CAUSES_ELSEWHERE_H
#define ANAX_REPLAY_CAUSES_ELSEWHERE_H

#include "replay/engine/causes_state.h"

/* Makes room for the notes of all domains. Returns false if out of memory. */
bool causes_notes_new(struct engine *engine);
void causes_notes_free(struct causes_domain *domain, unsigned processes);

/* Returns whether a node belongs to another process. */
static inline bool causes_is_elsewhere(const struct engine *engine, uint32_t node) {
    return HINT_UNLIKELY(engine->transport->processes != NULL) &&
           !transport_is_here(engine->transport,
                              network_config_domain_of_node(engine->machine, node));
}
/* Writes the note of a message to a node of another process, which is sent from *tip, and gives the
 * message its number. */
void causes_send_elsewhere(struct engine_domain *domain, struct chain_tip *tip,
                           struct network_message *message);
/* Return the ticket of a message from a node of another process, and that of a message to such a
 * node of which the departure is reported, by their numbers; NULL: out of memory. */
struct ticket *causes_ticket_arrived(struct engine_domain *domain, uint32_t source_node,
                                     uint32_t number);
struct ticket *causes_ticket_departed(struct engine_domain *domain, uint32_t number);

/* For network_run_options, with the engine as the context. */
void causes_pack_notes(void *engine, unsigned process, struct processes_packing *packing);
void causes_take_notes(void *engine, struct processes_unpacking notes);

/* Gives process 0 the chain of the last rank to end among those before ends[0], among those from
 * there to ends[1], and so on. */
status_code causes_gather(struct engine *engine, const uint32_t *ends, uint32_t count,
                          struct status *status);

#endif
