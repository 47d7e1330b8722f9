/*
 * Misrouting policies: by which global link of the current group a packet may leave on a
 * non-minimal path. A policy is one row of the table in misrouting_policies.c; it is a choice of
 * links, not a decision: whether a packet takes a non-minimal path is the routing policy's.
 *
 * Knows wiring and packets, never queues. Source: Garcia et al. 2013, section 3.
 */
#ifndef ANAX_NETWORK_MISROUTING_H
#define ANAX_NETWORK_MISROUTING_H

#include "network/engine/state.h"

/* Sets of candidates. Links that are not connected, or that lead to the packet's destination group,
 * are never among them. */
enum {
    MISROUTING_CURRENT = 1,   /* the global links of the packet's router */
    MISROUTING_NEIGHBOUR = 2, /* those of a random other router of the group */
    MISROUTING_ANY = 3,       /* those of the group, each with the same chance */
    MISROUTING_GROUP = 4      /* the packet's link to a random third group */
};

struct misrouting_policy {
    const char *name;
    const char *help; /* one line with its source, no full stop */
    uint8_t injected; /* candidates for packets that their nodes have just injected … */
    uint8_t transit;  /* … and for those that have come from another router; 0: see `auto` */
    bool local;       /* one local hop too many is allowed in each group after the first */
};

const struct misrouting_policy *misrouting_policies(void); /* ends with a row whose name is NULL */

/* What a configuration's `auto` comes to; NULL for routing policies with minimal paths only. */
const struct misrouting_policy *misrouting_chosen(const struct network_config *config);

/* NULL if the configuration's routing and misrouting policies fit together, else why not. */
const char *misrouting_fault(const struct network_config *config);

/* Which candidates a packet has where it is. */
static inline unsigned misrouting_candidates(const struct network *network,
                                             const struct packet *packet) {
    return packet->routers == 0 ? network->misrouting->injected : network->misrouting->transit;
}

/* Whether what is drawn can be the minimal path, and another draw something else. */
static inline bool misrouting_may_be_minimal(const struct network *network) {
    return network->misrouting->injected == MISROUTING_GROUP &&
           network->config.third_group != NETWORK_THIRD_OTHERS;
}

/* A candidate drawn at random for a packet at a router of its domain; `draw` tells the draws of one
 * packet apart (below 256). NO_LINK if there is none, or if it is the minimal path. */
uint16_t misrouting_link(const struct network_domain *domain, uint32_t router,
                         const struct packet *packet, uint32_t draw);

/* The same among the links of one router of the domain. */
uint16_t misrouting_link_of_router(const struct network_domain *domain, uint32_t router,
                                   const struct packet *packet, uint32_t draw);

/* Whether link x is a candidate in all that the wiring says; whether any of a router's is. */
bool misrouting_leads_away(const struct network_domain *domain, const struct packet *packet,
                           uint32_t link);
bool misrouting_router_leads_away(const struct network_domain *domain, uint32_t router,
                                  const struct packet *packet);

#endif
