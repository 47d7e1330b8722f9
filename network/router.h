/*
 * What the two allocators share: arbitration, and the steps of a transfer. Internal to network/.
 */
#ifndef ANAX_NETWORK_ROUTER_H
#define ANAX_NETWORK_ROUTER_H

#include "network/state.h"

/* From when an output takes a packet of that size: its channel … */
int64_t router_room_ps(const network_domain *domain, uint32_t output, uint32_t size_bytes);
static inline int64_t router_accepts_ps(const network_domain *domain, uint32_t output,
                                        uint32_t size_bytes) {
    if (!domain->network->output_buffered) return domain->outputs[output].free_ps;
    return router_room_ps(domain, output, size_bytes); /* … or its output buffer */
}

/* Whether the packet's next buffer has room for all of it. Ejection always has. */
static inline bool router_has_credits(network_domain *domain, uint32_t output,
                                      const packet *packet) {
    if (domain->network->places[output].level == NETWORK_TERMINAL) return true;
    return credits_available(domain, output * domain->network->vcs + packet->output_vc,
                             packet->size_bytes);
}

/* Moves the first packet of a lane through the crossbar to the output it asks for, now. */
void router_transfer(network_domain *domain, uint32_t output, uint32_t lane);

/* An arbiter of one output: lanes (numbers within the router) are offered, the best one stays. */
typedef struct arbiter {
    network_domain *domain;
    uint32_t output;
    uint32_t first_lane; /* of the router */
    uint32_t best;       /* lane within the router, or NONE */
    bool best_transit;
    uint64_t best_rank;  /* smaller is better */
} arbiter;

arbiter arbiter_new(network_domain *domain, uint32_t output, uint32_t first_lane);
void arbiter_offer(arbiter *arbiter, uint32_t lane);
/* Notes that the best lane was served. */
void arbiter_served(arbiter *arbiter);

#endif
