/*
 * Routing policies, which choose the paths of packets. A policy is one file (or a small group in
 * one file) and one row of the table in routing_policies.c.
 *
 * A policy may look only at the state of the packet's own group. With l for a path inside a group
 * and g for a global hop, minimal paths are l-g-l. Non-minimal paths take another global link (see
 * misrouting.h), and so pass through a third group: l-g-l-g-l; inside a group they can pass another
 * router of it (NETWORK_PACKET_BY_ROUTER). A path inside a group takes the dimensions in order; it
 * is one hop if the group is completely connected.
 *
 * A packet's VC class rises by one with every global hop (Kim et al. 2008, Figure 7). It also rises
 * at the router that the path must pass (NETWORK_PACKET_TO_INTERMEDIATE), and with par when the
 * last decision is made. In each class a packet takes local hops first, and then at most one global
 * hop. So no cycle of channels can form (docs/model/06a-routing.md, 6.1), unless network.vcs leaves
 * too few classes. The VCs of ofar are in routing_ofar.c.
 */
#ifndef ANAX_NETWORK_ROUTING_H
#define ANAX_NETWORK_ROUTING_H

#include "network/engine/state/state.h"

/* The functions of a policy that routes blocked packets again in transit. */
struct routing_transit {
    bool needs_ring;           /* whether it needs the escape ring of ring.h */
    bool serves_transit_first; /* value of network.router.transit_priority auto */
    /* Chooses the output of the first packet of an input VC. Returns now_ps if the packet can go
     * now by the output that it requests when the function returns. Returns a later time if it
     * cannot go before then, unless an output for which the input VC sleeps (sleepers.h) sends a
     * packet, or gets credits that were not known to be on their way, first. */
    int64_t (*find_output)(struct rail_group *rail_group, uint32_t port_vc);
    /* Records that the packet leaves its buffer by the output that it requested. */
    void (*depart)(struct rail_group *rail_group, const struct network_input_vc *from,
                   struct network_packet *packet);
};

/* State that a rail group keeps only if the policy needs it. */
enum {
    ROUTING_VC_QUEUES = 1,  /* bytes that wait for each VC of an output */
    ROUTING_SATURATION = 2, /* which global links are saturated */
    ROUTING_ROUND_TRIPS = 4 /* credits are delayed, as round_trips.h computes */
};

/* Which queue stands for the load of a path. */
typedef enum routing_load {
    ROUTING_LOAD_PORT,  /* of the router's port, or with network.ugal.measure vc of the path's VC */
    ROUTING_LOAD_VC,    /* of the path's VC at the router's port */
    ROUTING_LOAD_GLOBAL /* as PORT, but of the path's global port, wherever in the group it is */
} routing_load;

struct routing_policy {
    const char *name;
    const char *help; /* one line with its source, no full stop */
    uint8_t vcs;      /* VCs that it needs; routing_vcs says when one more */
    /* VC class of the first hops of a minimal path; network_routing_constants has the class that
     * follows from it and from the settings. */
    uint8_t initial_minimal_class;
    uint8_t nonminimal_class;     /* VC class of the first hops of a non-minimal path */
    uint8_t needs;                /* ROUTING_VC_QUEUES, … */
    uint8_t load;                 /* routing_load */
    const char *misrouting;       /* policy that "auto" stands for; NULL: minimal paths only */
    uint8_t local_vcs;            /* VCs that it needs with local misrouting; 0: not possible */
    bool has_intermediate_router; /* whether non-minimal paths can pass a router of the third group
                                   */
    /* Decides at the source router: sets packet->waypoint_link to a link of this group, or to
     * NETWORK_NO_LINK for the minimal path by the packet's first candidate (routing_link_from).
     * With NETWORK_PACKET_BY_ROUTER, it sets waypoint_router, which the packet passes on its way.
     * If it sets NETWORK_PACKET_TENTATIVE, the packet takes its next hop, a local one, in class 0,
     * and the next router decides again. Called for packets to other groups, and unless
     * network.intragroup_paths is minimal also for packets inside the group. NULL: packets begin on
     * minimal paths, which only `transit` can change. */
    void (*decide)(struct rail_group *rail_group, uint32_t router, struct network_packet *packet);
    const struct routing_transit *transit; /* NULL: decisions stand */
};

/* Returns whether decisions at the source router depend on queues. */
bool routing_reads_queues(const struct network_config *config);

/* Returns the number of VCs that a configuration's routing needs. */
unsigned routing_vcs(const struct network_config *config);

/* Returns the table of policies, which ends with a row whose name is NULL. */
const struct routing_policy *routing_policies(void);

/* Sets the packet's output port and VC at a router of the rail group. */
void routing_set_next_hop(struct rail_group *rail_group,
                          const struct network_hop_features *features, uint32_t router,
                          struct network_packet *packet);
/* Calls routing_set_next_hop for callers that have no struct network_hop_features. */
void routing_route(struct rail_group *rail_group, uint32_t router, struct network_packet *packet);

/* Returns whether routing_port_ahead can be used. */
bool routing_has_port_ahead(const struct network *network);
/* Returns the output port that a packet whose path is known would request at a router of the rail
 * group.
 */
uint32_t routing_port_ahead(const struct rail_group *rail_group, uint32_t router,
                            const struct network_packet *packet);

/* Undoes the decision on a packet that has not left its source router. */
void routing_undo_decision(const struct network *network, struct network_packet *packet);

/* Returns whether routing the packet now may depend on the state of the network or decide its path;
 * if not, its path is settled (docs/internals.md, "A packet through the engine", step 6). */
static inline bool routing_reads_state(const struct network *network,
                                       const struct network_packet *packet) {
    return !(packet->flags & network->routing.settled_flag);
}

/* The functions below are for policies. */

/* Returns the number that the draws of a packet's links depend on: that of its message, or with
 * network.link_choice packet or shortest its own. */
static inline uint32_t routing_key(const struct network *network,
                                   const struct network_packet *packet) {
    return network->routing.draws_links_by_packet ? packet->packet_number : packet->sequence;
}

/* Returns the global link x (of the group) by which a message leaves for another group. If several
 * links lead there, messages or packets are spread evenly over the links, according to
 * network.link_choice. Packets of a message on minimal paths stay in order if they take one link.
 * key: what routing_key returns for the packet, a number of the message or of the packet. If
 * failures have left no link, the result is a link to a third group that is joined with both
 * groups. */
uint32_t routing_link_of_message(const struct network *network, const struct topology *topology,
                                 uint32_t from_group, uint32_t to_group, uint32_t source,
                                 uint32_t key);

/* Returns the global link x of the group by which a packet leaves for another group, by the same
 * rule. */
static inline uint32_t routing_link(const struct rail_group *rail_group, uint32_t group,
                                    const struct network_packet *packet) {
    return routing_link_of_message(rail_group->network, rail_group->topology, rail_group->group,
                                   group, packet->source, routing_key(rail_group->network, packet));
}

/* Returns the link of the shortest path between two routers of different groups that links join: of
 * equal paths, the one with the fewest hops before the link, then the lowest link. */
uint32_t routing_shortest_link(const struct network *network, const struct topology *topology,
                               uint32_t from_group, uint32_t router, uint32_t to_group,
                               uint32_t to_router);

/* Returns the first link of the shortest path between two routers of groups that no link joins, by
 * way of a third group: of equal paths, the one with the fewest hops before the second link, then
 * the one by the lowest third group and link. */
uint32_t routing_shortest_link_via_third(const struct network *network,
                                         const struct topology *topology, uint32_t from_group,
                                         uint32_t router, uint32_t to_group, uint32_t to_router);

/* Returns the packet's first candidate among the links from a router of any group towards its
 * target group: the result of routing_link, or with network.link_choice shortest a link of a
 * shortest path. */
uint32_t routing_link_from(const struct rail_group *rail_group, uint32_t group, uint32_t router,
                           const struct network_packet *packet);

/* Returns the link by which a non-minimal path leaves for a third group, drawn by the random number
 * `word` for network.link_choice packet and shortest. */
uint32_t routing_link_out(const struct rail_group *rail_group, uint32_t router, uint32_t group,
                          uint32_t word);

/* Writes up to `max` different links from a router of this group towards the packet's group, the
 * result of routing_link_from first and others drawn at random. Returns their number. */
uint32_t routing_find_link_candidates(const struct rail_group *rail_group, uint32_t router,
                                      const struct network_packet *packet, uint32_t max,
                                      uint16_t *candidates);

/* Returns the candidate by which a packet leaves a group that is not its target group on a minimal
 * path: the one with the least load if the policy compares queues, else the first. */
uint32_t routing_best_link(struct rail_group *rail_group, uint32_t router,
                           const struct network_packet *packet);

/* Returns whether each decision on a packet that waits at its source router draws new candidates.
 */
static inline bool routing_draws_again(const struct rail_group *rail_group) {
    return rail_group->routing.decisions != NULL &&
           rail_group->network->config.reroute_candidate == NETWORK_REROUTE_NEW;
}

/* Returns whether the packet's destination is in this group. */
static inline bool routing_is_in_target_group(const struct rail_group *rail_group,
                                              const struct network_packet *packet) {
    return packet->target_group == rail_group->group;
}

/* Returns whether the policy decides on the packet's path at its source router. */
static inline bool routing_decides(const struct rail_group *rail_group,
                                   const struct network_packet *packet) {
    const struct network *network = rail_group->network;
    return network->routing.policy->decide != NULL &&
           (!routing_is_in_target_group(rail_group, packet) ||
            network->config.intragroup_paths != NETWORK_INTRAGROUP_MINIMAL);
}

/* Returns whether the packet's non-minimal paths stay in its group and pass a router there. */
static inline bool routing_may_pass_router(const struct rail_group *rail_group,
                                           const struct network_packet *packet) {
    return routing_is_in_target_group(rail_group, packet) &&
           rail_group->network->config.intragroup_paths == NETWORK_INTRAGROUP_ROUTER;
}

/* Returns whether failures have left no link from this group to the packet's group. */
static inline bool routing_needs_third_group(const struct rail_group *rail_group,
                                             const struct network_packet *packet) {
    return rail_group->topology->lacks_links && packet->target_group != rail_group->group &&
           !topology_groups_are_joined(rail_group->topology, rail_group->group,
                                       packet->target_group);
}

/* Returns the port of a router that leads on to another router of the group. Among parallel links
 * to a neighbour, policies that look at queues take the link with the shortest queue; other
 * policies spread messages over the links, or packets with network.link_choice packet or shortest.
 */
uint32_t routing_port_to_router(struct rail_group *rail_group, uint32_t router, uint32_t to,
                                const struct network_packet *packet);

/* Returns the port of a router that leads to link x of the group: the port of the link itself, or
 * that of routing_port_to_router for the router that owns the link. */
uint32_t routing_port_to_link(struct rail_group *rail_group, uint32_t router, uint32_t link,
                              const struct network_packet *packet);

/* Returns the port of a router that leads to the packet's destination in this group: towards its
 * router, or to its node. */
uint32_t routing_port_inside(struct rail_group *rail_group, uint32_t router,
                             const struct network_packet *packet);

#define ROUTING_INTERMEDIATE_DRAW 255u /* above the draws of candidates */
/* Returns a random router that works in the third group: packets pass it if network.valiant is
 * router. */
uint32_t routing_intermediate_router(const struct rail_group *rail_group, uint32_t group,
                                     const struct network_packet *packet);

/* Returns the router-to-router hops of the packet's minimal path from a router of this group. */
uint32_t routing_minimal_hops(const struct rail_group *rail_group, uint32_t router,
                              const struct network_packet *packet);

/* Returns the hops of the path over a link of this group that is minimal after the link. */
uint32_t routing_hops_over(const struct rail_group *rail_group, uint32_t router,
                           const struct network_packet *packet, uint32_t link);

/* Returns the hops of the packet's non-minimal path over a link of this group. */
uint32_t routing_nonminimal_hops(const struct rail_group *rail_group, uint32_t router,
                                 const struct network_packet *packet, uint32_t link);

/* Returns the hops of the path inside the packet's group that passes router `by`. */
static inline uint32_t routing_hops_by_router(const struct rail_group *rail_group, uint32_t router,
                                              const struct network_packet *packet, uint32_t by) {
    return topology_local_hops(rail_group->topology, rail_group->group, router, by) +
           topology_local_hops(rail_group->topology, rail_group->group, by, packet->target_router);
}

/* Returns UGAL's q of an output port in bytes, for the packets of all virtual networks. With
 * network.ugal.waiting, it includes the packets that wait for the port. network.ugal.queue
 * "channel" adds what was sent and is not yet credited back; "output" adds what the port has taken
 * and not yet sent. */
int64_t routing_queue_bytes(struct rail_group *rail_group, uint32_t router, uint32_t port);

/* Returns UGAL's q in bytes of the VC of a class in the packet's virtual network, at an output
 * port. Only for policies that need ROUTING_VC_QUEUES. It has the parts of routing_queue_bytes, but
 * with network.ugal.queue "output" what the whole port has taken and not yet sent. */
int64_t routing_vc_queue_bytes(struct rail_group *rail_group, uint32_t router, uint32_t port,
                               const struct network_packet *packet, uint32_t vc_class);

/* The two paths that an adaptive policy compares at a router of the packet's source group. */
struct routing_paths {
    uint32_t minimal_link; /* global link of the group; NETWORK_NO_LINK: the destination is in this
                              group */
    uint32_t nonminimal_link; /* NETWORK_NO_LINK: the path stays in the group */
    uint32_t minimal_port;    /* ports of the router by which the paths leave */
    uint32_t nonminimal_port;
    uint16_t minimal_waypoint; /* what the packet gets as its waypoint if it takes the path */
    uint16_t nonminimal_waypoint;
    uint8_t minimal_flags; /* flags that it gets then: NETWORK_PACKET_BY_ROUTER or 0 */
    uint8_t nonminimal_flags;
    uint8_t minimal_class;  /* VC class of the minimal path's first hops */
    uint8_t hops;           /* hops that the packet has made */
    int64_t minimal_weight; /* factors of the paths' queues */
    int64_t nonminimal_weight;
};

/* Finds the minimal path of a packet and the non-minimal path of its candidate of that draw. With
 * several candidates (network.ugal.minimal_candidates and nonminimal_candidates) they are those of
 * routing_candidates_find. Returns false if there is no non-minimal path, or if the packet's
 * destination is at this router. Then only the link, port, waypoint and flags of the minimal path
 * are sure to be set. */
bool routing_paths_find(struct rail_group *rail_group, uint32_t router,
                        const struct network_packet *packet, uint32_t draw,
                        struct routing_paths *paths);

/* Does the same for several candidates of either kind: finds those with the least load. */
bool routing_candidates_find(struct rail_group *rail_group, uint32_t router,
                             const struct network_packet *packet, uint32_t draw,
                             struct routing_paths *paths);

/* Gives the packet one of the two paths. */
static inline void routing_take_path(struct network_packet *packet,
                                     const struct routing_paths *paths, bool is_nonminimal) {
    packet->waypoint = is_nonminimal ? paths->nonminimal_waypoint : paths->minimal_waypoint;
    packet->flags |= is_nonminimal ? paths->nonminimal_flags : paths->minimal_flags;
}

/* Returns the factor by which UGAL multiplies the queue of a minimal path of so many hops. */
int64_t routing_minimal_weight(const struct rail_group *rail_group, uint32_t router,
                               const struct network_packet *packet, uint32_t hops);

/* Returns the factor by which UGAL multiplies the queue of a non-minimal path of so many hops over
 * `link` (NETWORK_NO_LINK: inside the group). */
int64_t routing_nonminimal_weight(const struct rail_group *rail_group, uint32_t router,
                                  const struct network_packet *packet, uint32_t link,
                                  uint32_t hops);

/* Returns the queue that stands for a path's load at a router: a path in a VC class of the packet's
 * virtual network that leaves by a port and takes `link`, or stays in the group if that is
 * NETWORK_NO_LINK.
 */
int64_t routing_load_bytes(struct rail_group *rail_group, uint32_t router, uint32_t port,
                           uint32_t link, const struct network_packet *packet, uint32_t vc_class);

/* Applies UGAL's rule to the two paths and their loads. The VC classes are those of a packet at its
 * source router. Returns whether the non-minimal path is preferred. */
bool routing_prefers_nonminimal(struct rail_group *rail_group, uint32_t router,
                                const struct network_packet *packet,
                                const struct routing_paths *paths);

/* The functions NAME_decide are `decide` of the policies in routing_policies.c. The file of a
 * function gives its source. This one chooses a path through a random group (Valiant). */
void routing_valiant_decide(struct rail_group *rail_group, uint32_t router,
                            struct network_packet *packet);
/* Chooses between the minimal and a non-minimal path by the rule of UGAL, with the loads that the
 * policy compares. */
void routing_ugal_decide(struct rail_group *rail_group, uint32_t router,
                         struct network_packet *packet);
/* Chooses as UGAL-L does, but the non-minimal path if the router has heard that the minimal global
 * link is saturated. */
void routing_piggyback_decide(struct rail_group *rail_group, uint32_t router,
                              struct network_packet *packet);
/* Chooses as UGAL-L does, and again after each local hop of a minimal path, until the packet is at
 * the owner of the minimal global link (progressive adaptive routing). */
void routing_par_decide(struct rail_group *rail_group, uint32_t router,
                        struct network_packet *packet);
/* Chooses as routing_ugal_decide does, but compares the queues of single VCs if both paths leave by
 * the same port. */
void routing_ugal_l_vch_decide(struct rail_group *rail_group, uint32_t router,
                               struct network_packet *packet);

/* `find_output` of the policy ofar. */
int64_t routing_ofar_find_output(struct rail_group *rail_group, uint32_t port_vc);
/* `depart` of the policy ofar. */
void routing_ofar_depart(struct rail_group *rail_group, const struct network_input_vc *from,
                         struct network_packet *packet);

#endif
