/*
 * Routing policies, which choose the paths of packets. A policy is one file (or a small group in
 * one file) and one row of the table in routing_policies.c.
 *
 * A policy may look only at the state of the packet's own group. With l for a path inside a group
 * and g for a global hop, minimal paths are l-g-l. Non-minimal paths take another global link (see
 * misrouting.h), and so pass through a third group: l-g-l-g-l. A path inside a group takes the
 * dimensions in order; it is one hop if the group is completely connected. VC classes rise by one
 * with every global hop (Kim et al. 2008, Figure 7), so no cycle of channels can form.
 */
#ifndef ANAX_NETWORK_ROUTING_H
#define ANAX_NETWORK_ROUTING_H

#include "network/engine/state.h"

/* The functions of a policy that routes blocked packets again in transit. */
struct routing_transit {
    bool ring;          /* whether it needs the escape ring of ring.h */
    bool transit_first; /* value of network.router.transit_priority auto */
    /* Chooses the output of the first packet of an input VC. Returns now_ps if the packet can go
     * now by the output that it asks for when the function returns. Returns a later time if it
     * cannot go before then, unless one of those outputs sends a packet for which the function has
     * made the input VC wait (sleepers.h). */
    int64_t (*find_output)(struct network_domain *domain, uint32_t port_vc);
    /* Notes that the packet leaves its buffer for the output that it asked for. */
    void (*depart)(struct network_domain *domain, const struct input_vc *from,
                   struct packet *packet);
};

/* State that a domain keeps only if the policy needs it. */
enum {
    ROUTING_VC_QUEUES = 1,  /* bytes that wait for each VC of an output */
    ROUTING_SATURATION = 2, /* which global links are saturated */
    ROUTING_ROUND_TRIPS = 4 /* credits are delayed, as round_trips.h computes */
};

struct routing_policy {
    const char *name;
    const char *help;       /* one line with its source, no full stop */
    uint8_t vcs;            /* VCs that it needs; one more with network.valiant router */
    uint8_t minimal_class;  /* VC class of the first hops of a minimal path … */
    uint8_t detour_class;   /* … and of the first hops of a non-minimal path */
    uint8_t needs;          /* ROUTING_VC_QUEUES, … */
    const char *misrouting; /* policy that `auto` stands for; NULL: minimal paths only */
    uint8_t local_vcs;      /* VCs that it needs with local misrouting; 0: not possible */
    bool turns_at_router;   /* whether non-minimal paths can pass a router of the third group */
    /* Decides at the source router: sets packet->via to a link of this group, or to NO_LINK for the
     * minimal path. If it sets PACKET_TENTATIVE, the packet takes its next hop, a local one, in
     * class 0, and is then decided on again. Called for packets to other groups, and with
     * network.intragroup_paths policy also for packets inside the group. NULL: paths are always
     * minimal. */
    void (*decide)(struct network_domain *domain, uint32_t router, struct packet *packet);
    const struct routing_transit *transit; /* NULL: decisions stand */
};

/* Returns whether decisions at the source router depend on queues. */
bool routing_reads_queues(const struct network_config *config);

/* Returns the number of VCs that a configuration's routing needs. */
unsigned routing_vcs(const struct network_config *config);

const struct routing_policy *routing_policies(void); /* ends with a row whose name is NULL */

/* Sets the packet's output port and VC at a router of its domain. */
void routing_route(struct network_domain *domain, uint32_t router, struct packet *packet);

/* Undoes the decision on a packet that has not left its source router. */
void routing_forget(const struct network *network, struct packet *packet);

/* Returns whether routing the packet now may look at queues; if not, its path is fixed by the
 * wiring. */
static inline bool routing_reads_state(const struct network *network, const struct packet *packet) {
    return !(packet->flags & network->settled_flag);
}

/* The functions below are for policies. */

/* Return the global link x (of the group) by which the packet leaves for another group. If several
 * links lead there, all packets of a message take one of them; messages are spread evenly over the
 * links. So packets of a message on minimal paths stay in order. If failures have left no link, the
 * result is a link to a third group that is joined with both groups. */
uint32_t routing_link(const struct network_domain *domain, uint32_t group,
                      const struct packet *packet);
uint32_t routing_link_of_message(const struct network *network, const struct topology *topology,
                                 uint32_t from_group, uint32_t to_group, uint32_t source,
                                 uint32_t sequence);

/* Returns whether the packet's destination is in this group. */
static inline bool routing_stays(const struct network_domain *domain, const struct packet *packet) {
    return packet->target_group == domain->index;
}

/* Returns whether the policy decides on the packet's path at its source router. */
static inline bool routing_decides(const struct network_domain *domain,
                                   const struct packet *packet) {
    const struct network *network = domain->network;
    return network->policy->decide != NULL &&
           (!routing_stays(domain, packet) ||
            network->config.intragroup_paths == NETWORK_INTRAGROUP_POLICY);
}

/* Returns whether failures have left no link from this group to the packet's group. */
static inline bool routing_goes_round(const struct network_domain *domain,
                                      const struct packet *packet) {
    return domain->topology->cut && packet->target_group != domain->index &&
           !topology_joined(domain->topology, domain->index, packet->target_group);
}

/* Returns the port of a router that leads to link x of its group: the port of the link itself, or
 * the port towards the link's owner. Among parallel links to a neighbour, policies that look at
 * queues take the link with the shortest queue; other policies spread messages over the links. */
uint32_t routing_port_to_link(struct network_domain *domain, uint32_t router, uint32_t link,
                              const struct packet *packet);

/* Returns the port of a router that leads to the packet's destination in this group: towards its
 * router, or to its node. */
uint32_t routing_port_inside(struct network_domain *domain, uint32_t router,
                             const struct packet *packet);

/* Returns a random router that works in the third group: packets pass it if network.valiant is
 * router. */
#define ROUTING_TURN_DRAW 255u /* above the draws of candidates */
uint32_t routing_turn_router(const struct network_domain *domain, uint32_t group,
                             const struct packet *packet);

/* Return the router-to-router hops of the packet's minimal path from a router of this group, and of
 * the path over link `via`. */
uint32_t routing_minimal_hops(const struct network_domain *domain, uint32_t router,
                              const struct packet *packet);
uint32_t routing_detour_hops(const struct network_domain *domain, uint32_t router,
                             const struct packet *packet, uint32_t via);

/* Return UGAL's q in bytes, of an output port, or of its VC of a class in the packet's virtual
 * network (only for policies that need ROUTING_VC_QUEUES). With network.ugal.waiting, it includes
 * the packets that wait for the port or VC. network.ugal.queue `channel` adds what was sent and is
 * not yet credited back; `output` adds what the port has taken and not yet sent, which is counted
 * for every VC of the port. The queue of a port has the packets of all virtual networks. */
int64_t routing_queue_bytes(struct network_domain *domain, uint32_t router, uint32_t port);
int64_t routing_vc_queue_bytes(struct network_domain *domain, uint32_t router, uint32_t port,
                               const struct packet *packet, uint32_t class);

/* The two paths that an adaptive policy compares at a router of the packet's source group. */
struct routing_paths {
    uint32_t minimal_link; /* global link of the group; NO_LINK: the destination is in this group */
    uint16_t detour_link;
    uint32_t minimal_port; /* ports of the router towards the links */
    uint32_t detour_port;
    uint8_t minimal_class; /* VC class of the minimal path's first hops */
};

/* Finds the minimal path of a packet, and the non-minimal path of its candidate of that draw.
 * Returns false if there is no candidate, or if the packet's destination is at this router: then
 * only minimal_link and minimal_port are set. */
bool routing_paths_find(struct network_domain *domain, uint32_t router, const struct packet *packet,
                        uint32_t draw, struct routing_paths *paths);
/* Applies UGAL's rule to the queues of the router's ports, or with network.ugal.measure vc to those
 * of their VCs. Returns whether the non-minimal path is preferred. */
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
