/*
 * Routing policies: which way a packet goes. A policy is one file (or a small group in one) and one
 * row of the table in routing_policies.c.
 *
 * A policy may look only at the state of the packet's own group. Paths: minimal l-g-l; non-minimal
 * by another global link (see misrouting.h) and so through an intermediate group, l-g-l-g-l. An l
 * is the path inside a group, in order of its dimensions, one hop if it is completely connected. VC
 * classes rise by one with every global hop (Kim et al. 2008, Figure 7), so no cycle of channels
 * can form.
 */
#ifndef ANAX_NETWORK_ROUTING_H
#define ANAX_NETWORK_ROUTING_H

#include "network/engine/state.h"

/* What a policy does that routes blocked packets anew in transit. */
struct routing_transit {
    bool ring;          /* it needs the escape ring, see ring.h */
    bool transit_first; /* what network.router.transit_priority auto comes to */
    /* Whether the first packet of an input VC, which asks for an output, can go. now_ps: it can go
     * by the output that it asks for when the function returns. A later time: it cannot go before
     * then, unless an output sends that the function has told the input VC to wait for
     * (sleepers.h). */
    int64_t (*find_output)(struct network_domain *domain, uint32_t port_vc);
    /* The packet leaves its buffer for the output that it asked for. */
    void (*depart)(struct network_domain *domain, const struct input_vc *from,
                   struct packet *packet);
};

/* What of a domain's state a policy needs kept for it, beyond what every run keeps. */
enum {
    ROUTING_VC_QUEUES = 1,  /* bytes waiting for each VC of an output */
    ROUTING_SATURATION = 2, /* which global links are saturated */
    ROUTING_ROUND_TRIPS = 4 /* credits are delayed by what queues further on have cost */
};

struct routing_policy {
    const char *name;
    const char *help;       /* one line with its source, no full stop */
    uint8_t vcs;            /* VCs it needs, one more with network.valiant router */
    uint8_t minimal_class;  /* VC class of the first hops of a minimal path … */
    uint8_t detour_class;   /* … and of a non-minimal one */
    uint8_t needs;          /* of the above */
    const char *misrouting; /* what `auto` comes to; NULL: only minimal paths */
    uint8_t local_vcs;      /* VCs it needs with local misrouting; 0: that is not possible */
    bool turns_at_router;   /* its non-minimal paths can go by a router of the third group */
    /* At the source router: sets packet->via (a link of this group, or NO_LINK for the minimal
     * path). A packet that it leaves PACKET_TENTATIVE takes its next hop, a local one, in class 0
     * and is decided on again. Called for packets to another group, and by
     * network.intragroup_paths for others. NULL: always minimal. */
    void (*decide)(struct network_domain *domain, uint32_t router, struct packet *packet);
    const struct routing_transit *transit; /* NULL: what is decided stands */
};

/* Whether its decisions at the source router hang on queues. */
bool routing_reads_queues(const struct network_config *config);

/* VCs that a configuration's routing needs. */
unsigned routing_vcs(const struct network_config *config);

const struct routing_policy *routing_policies(void); /* ends with a row whose name is NULL */

/* Sets the packet's output port and VC at a router of its domain. */
void routing_route(struct network_domain *domain, uint32_t router, struct packet *packet);

/* Takes back what was decided for a packet that has not left its source router. */
void routing_forget(const struct network *network, struct packet *packet);

/* Whether routing the packet now may look at queues (else its way is fixed by the wiring). */
static inline bool routing_reads_state(const struct network *network, const struct packet *packet) {
    return !(packet->flags & network->settled_flag);
}

/* For policies. */

/* The global link x (of the group) by which the packet leaves for a group. Of several links to one
 * group a message takes one throughout: they are spread evenly over messages, and packets of a
 * message on minimal paths stay in order. Where failures have left no link, it is one to a third
 * group that is joined with both. */
uint32_t routing_link(const struct network_domain *domain, uint32_t group,
                      const struct packet *packet);
uint32_t routing_link_of_message(const struct network *network, const struct topology *topology,
                                 uint32_t from_group, uint32_t to_group, uint32_t source,
                                 uint32_t sequence);

/* Whether the packet's destination is in this group. */
static inline bool routing_stays(const struct network_domain *domain, const struct packet *packet) {
    return packet->target_group == domain->index;
}

/* Whether the policy decides on the packet's path, at its source router. */
static inline bool routing_decides(const struct network_domain *domain,
                                   const struct packet *packet) {
    const struct network *network = domain->network;
    return network->policy->decide != NULL &&
           (!routing_stays(domain, packet) ||
            network->config.intragroup_paths == INTRAGROUP_POLICY);
}

/* Whether failures have left no link to a packet's group. */
static inline bool routing_goes_round(const struct network_domain *domain,
                                      const struct packet *packet) {
    return domain->topology->cut && packet->target_group != domain->index &&
           !topology_joined(domain->topology, domain->index, packet->target_group);
}

/* The port of a router that leads on to link x of its group: its own, or towards the link's owner.
 * Of parallel links to a neighbour, policies that look at queues take the one with the shortest,
 * others spread messages over them. */
uint32_t routing_port_to_link(struct network_domain *domain, uint32_t router, uint32_t link,
                              const struct packet *packet);

/* The port of a router that leads on to the packet's destination inside this group: towards its
 * router, or to its node. */
uint32_t routing_port_inside(struct network_domain *domain, uint32_t router,
                             const struct packet *packet);

/* The router of the third group by which the packet goes if network.valiant is router: one that
 * works. */
#define ROUTING_TURN_DRAW 255u /* draws of candidates are below */
uint32_t routing_turn_router(const struct network_domain *domain, uint32_t group,
                             const struct packet *packet);

/* Router-to-router hops of the minimal path from a router of this group, and by way of link `via`.
 */
uint32_t routing_minimal_hops(const struct network_domain *domain, uint32_t router,
                              const struct packet *packet);
uint32_t routing_detour_hops(const struct network_domain *domain, uint32_t router,
                             const struct packet *packet, uint32_t via);

/* UGAL's q of an output port, in bytes: what waits for it, and by network.ugal.queue what it has
 * sent that is not yet credited back, or what it has taken and not yet sent; the same for one of
 * its VCs alone (only for policies that need ROUTING_VC_QUEUES), but that all VCs share what is not
 * yet sent. */
int64_t routing_queue_bytes(struct network_domain *domain, uint32_t router, uint32_t port);
int64_t routing_vc_queue_bytes(struct network_domain *domain, uint32_t router, uint32_t port,
                               uint32_t vc);

/* The two paths an adaptive policy chooses from, at a router of the packet's source group. */
struct routing_paths {
    uint32_t minimal_link; /* global links of the group; NO_LINK: the destination is in it */
    uint16_t detour_link;
    uint32_t minimal_port; /* the router's, towards them */
    uint32_t detour_port;
    uint8_t minimal_class; /* VC class of the minimal path's first hops */
};

/* With the packet's candidate of that draw; false if there is none, or nothing to choose as the
 * packet's destination is at this router: then only the minimal path is known. */
bool routing_paths_find(struct network_domain *domain, uint32_t router, const struct packet *packet,
                        uint32_t draw, struct routing_paths *paths);
/* UGAL's rule, for the queues of the router's ports, or by network.ugal.measure their VCs. */
bool routing_ugal_l_prefers_detour(struct network_domain *domain, uint32_t router,
                                   const struct packet *packet, const struct routing_paths *paths);

void routing_valiant_decide(struct network_domain *domain, uint32_t router, struct packet *packet);
void routing_ugal_l_decide(struct network_domain *domain, uint32_t router, struct packet *packet);
void routing_ugal_g_decide(struct network_domain *domain, uint32_t router, struct packet *packet);
void routing_ugal_l_vc_decide(struct network_domain *domain, uint32_t router,
                              struct packet *packet);
void routing_piggyback_decide(struct network_domain *domain, uint32_t router,
                              struct packet *packet);
void routing_par_decide(struct network_domain *domain, uint32_t router, struct packet *packet);
void routing_ugal_l_vch_decide(struct network_domain *domain, uint32_t router,
                               struct packet *packet);

int64_t routing_ofar_find_output(struct network_domain *domain, uint32_t port_vc);
void routing_ofar_depart(struct network_domain *domain, const struct input_vc *from,
                         struct packet *packet);

#endif
