/*
 * Misrouting policies: which global links of the current group a packet may take on a non-minimal
 * path. A policy is one row of the table in misrouting_policies.c. It selects links only: the
 * routing policy decides whether a packet takes a non-minimal path.
 *
 * A misrouting policy knows the wiring and the packet, never queues. Source: Garcia et al. 2013,
 * section 3.
 */
#ifndef ANAX_NETWORK_MISROUTING_H
#define ANAX_NETWORK_MISROUTING_H

#include "network/engine/state/state.h"

/* Sets of candidates, as bits: OFAR tests single bits, other routing policies take one of these
 * sets as a whole. No set contains links that are not connected or that lead to the packet's
 * destination group. */
enum {
    MISROUTING_CURRENT = 1,   /* the global links of the packet's router */
    MISROUTING_NEIGHBOUR = 2, /* those of a random other router; OFAR: of all neighbours */
    MISROUTING_ANY = 3,       /* all global links of the group, with equal chances */
    MISROUTING_GROUP = 4      /* the packet's link to a random third group */
};

struct misrouting_policy {
    const char *name;
    const char *help; /* one line with its source, no full stop */
    /* Sets of candidates (MISROUTING_…); 0: row "auto". */
    uint8_t injected;  /* for packets that NICs have just injected */
    uint8_t transit;   /* for packets from other routers */
    bool allows_local; /* allows one local misroute in each of the later groups */
};

/* Returns the table of policies, which ends with a row whose name is NULL. */
const struct misrouting_policy *misrouting_policies(void);

/* Returns the misrouting policy that a configuration uses, with "auto" resolved; NULL for routing
 * policies that have minimal paths only. */
const struct misrouting_policy *misrouting_chosen(const struct network_config *config);

/* Returns NULL if the configuration's routing and misrouting policies fit together, else the reason
 * why they do not. */
const char *misrouting_fault(const struct network_config *config);

/* Returns the set of candidates of a packet at its current router. */
static inline unsigned misrouting_candidates(const struct network *network,
                                             const struct network_packet *packet) {
    return packet->routers == 0 ? network->routing.misrouting->injected
                                : network->routing.misrouting->transit;
}

/* Returns whether one draw can give the minimal path while another draw gives a non-minimal one. */
static inline bool misrouting_may_be_minimal(const struct network *network) {
    return network->routing.misrouting->injected == MISROUTING_GROUP &&
           network->config.third_group != NETWORK_THIRD_OTHERS;
}

/* Draws a candidate at random for a packet at a router of the rail group, and returns its link.
 * `draw`, below ROUTING_INTERMEDIATE_DRAW, distinguishes several draws for one packet. Returns
 * NETWORK_NO_LINK if there is no candidate, or if the draw gives the minimal path. */
uint16_t misrouting_draw_link(const struct rail_group *rail_group, uint32_t router,
                              const struct network_packet *packet, uint32_t draw);

/* Draws a candidate as misrouting_draw_link does, but among the global links of one router of the
 * rail group. */
uint16_t misrouting_draw_link_of_router(const struct rail_group *rail_group, uint32_t router,
                                        const struct network_packet *packet, uint32_t draw);

/* Draws a router of the packet's group other than its router and its destination's, each with the
 * same chance: paths inside the group can pass it. Returns NETWORK_NO_LINK if there is none. */
uint16_t misrouting_draw_router(const struct rail_group *rail_group, uint32_t router,
                                const struct network_packet *packet, uint32_t draw);

/* Returns whether the wiring allows link x as a candidate. */
bool misrouting_leads_away(const struct rail_group *rail_group, const struct network_packet *packet,
                           uint32_t link);

/* Returns whether the wiring allows any link of a router as a candidate. */
bool misrouting_router_leads_away(const struct rail_group *rail_group, uint32_t router,
                                  const struct network_packet *packet);

#endif
