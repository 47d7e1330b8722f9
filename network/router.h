/*
 * What the two allocators share: arbitration, and the steps of a transfer. Internal to network/.
 */
#ifndef ANAX_NETWORK_ROUTER_H
#define ANAX_NETWORK_ROUTER_H

#include "network/state.h"

/* From when an output takes a packet: when its output buffer has room, … */
int64_t router_room_ps(const network_domain *domain, uint32_t output, uint32_t size_bytes);
static inline int64_t router_accepts_ps(const network_domain *domain, uint32_t output,
                                        const packet *packet) {
    const network *network = domain->network;
    int64_t at_ps = network->output_buffered ? router_room_ps(domain, output, packet->size_bytes)
                                             : domain->outputs[output].free_ps; /* … its channel … */
    if (domain->vc_free_ps == NULL) return at_ps;
    int64_t vc_ps = domain->vc_free_ps[output * network->vcs + packet->output_vc];
    return vc_ps > at_ps ? vc_ps : at_ps; /* … and its VC is free */
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
