/*
 * Origins: which rank sends each message to which other one, in which MPI call and user region, as
 * labels of the network's messages. They tell the flows of watched links apart.
 *
 * An eager message, a request and the data of a rendezvous have the call and region in which the
 * message was sent or its collective begun. A clear to send or a reply has the call and region
 * in which its rank is when it sends it. Origins exist only if links are watched. Must not know:
 * files, reports. Invariant: origins change no time.
 */
#ifndef ANAX_REPLAY_ORIGINS_H
#define ANAX_REPLAY_ORIGINS_H

#include "replay/engine/state/engine_state.h"

/* Returns whether the replay keeps origins. */
static inline bool origins_are_kept(const struct engine_domain *domain) {
    return HINT_UNLIKELY(domain->engine->origins != NULL);
}

/* Prepares an engine, before engine_start, for keeping origins. STATUS_MEMORY. */
status_code origins_new(struct replay_engine *engine, struct status *status);
/* Frees what origins_new has made; does nothing if there is nothing. */
HINT_NOINLINE void origins_free(struct replay_engine *engine);

/* Sets two patterns of the labels of the messages that a rank sends, and of those to it. */
void origins_patterns(struct network_label_pattern patterns[2], uint32_t rank);

/* A rank enters a user region. */
HINT_NOINLINE void origins_enter(struct engine_domain *domain, uint32_t rank, uint32_t region);

/* A rank leaves a user region. */
HINT_NOINLINE void origins_leave(struct engine_domain *domain, uint32_t rank);
/* A rank begins a collective. */
HINT_NOINLINE void origins_activation_new(struct engine_domain *domain, uint32_t activation,
                                          uint32_t rank);
/* The next messages of collectives are those of an activation. */
HINT_NOINLINE void origins_send_as_activation(struct engine_domain *domain, uint32_t activation);
/* Gives the message that the domain sends next a label. */
HINT_NOINLINE void origins_send(struct engine_domain *domain,
                                const struct network_message *message);

#endif
