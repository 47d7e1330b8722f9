/*
 * What the engine derives from the configuration when it builds a network, one struct for each
 * subject. Internal to network/.
 *
 * Invariant: nothing here changes while a network runs. derive.c fills in everything; where another
 * file does, the comment of the struct says so.
 */
#ifndef ANAX_NETWORK_CONSTANTS_H
#define ANAX_NETWORK_CONSTANTS_H

#include "core/base/divisor.h"
#include "network/engine/state/ports.h"
#include "network/network.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct misrouting_policy;
struct rail_group;
struct network_packet;
struct routing_policy;
struct topology;

/* Channels: times and sizes. An array has an item for each type of channel or for each kind. */
struct network_channel_constants {
    int64_t full_packet_ps[NETWORK_CHANNEL_TYPES]; /* time of a full packet; it avoids a division */
    int64_t bytes_per_s[NETWORK_CHANNEL_TYPES];    /* bandwidth */
    int64_t latency_ps[NETWORK_CHANNEL_TYPES];
    int64_t output_buffer_ps[NETWORK_CHANNEL_TYPES]; /* time to send a full output buffer */
    int64_t local_latency_ps;                        /* the largest of a local channel */
    int64_t cycle_ps;                                /* time of a phit on a local channel */
    uint32_t full_packet_bytes;                      /* headers included */
    /* Buffers at the end of a channel. */
    int32_t buffer_bytes[NETWORK_CHANNEL_KINDS];        /* of one VC */
    int32_t shared_buffer_bytes[NETWORK_CHANNEL_KINDS]; /* of an input, for all of its VCs */
    bool shares_buffers;                                /* some of the shared buffers are not 0 */
    bool has_unequal_locals;                            /* local channels are of several types */
    bool rounds_sizes; /* packets have cells or whole flits: bytes do not tell their payload */
};

/* Most VCs of a port, injection VCs and the ring's included: packets have the number of a VC in
 * eight bits. */
#define NETWORK_VCS_MAX (UINT8_MAX + 1)

/* Virtual channels.
 *
 * A virtual network is a set of all VCs that the routing policy and the NICs need, with buffers of
 * its own on every channel: VC number v · per_virtual_network + w is VC w of virtual network v.
 * Policies choose w. A packet does not leave its virtual network. */
struct network_vc_constants {
    uint32_t per_port; /* virtual_networks · per_virtual_network */
    struct divisor per_port_divisor;
    uint32_t virtual_networks; /* number of virtual networks */
    /* First VC of the responses, above all VCs of data. UINT32_MAX: there are no responses. */
    uint32_t first_response_vc;
    /* Within one virtual network; its first VC is number 0: */
    uint32_t per_virtual_network; /* the largest number that any port has */
    uint32_t injection_count;     /* VCs of the channel from a NIC */
    uint32_t without_ring_count;  /* VCs that are not the escape ring's */
    uint32_t
        ofar_count[NETWORK_CHANNEL_KINDS]; /* [kind]: those of them that ofar uses on a channel */
    uint32_t ring_vc;                      /* the escape ring's VC; NETWORK_NONE: no escape ring */
    uint8_t first_of_virtual_network[NETWORK_VCS_MAX]; /* [VC]: first VC of its virtual network */
};

/* Paths: what follows from the routing policy. */
struct network_routing_constants {
    const struct routing_policy *policy;
    const struct misrouting_policy *misrouting; /* NULL: all paths are minimal */
    /* Functions of policies that route in transit, see routing_transit. NULL: the policy does not.
     */
    int64_t (*find_output)(struct rail_group *rail_group, uint32_t port_vc);
    void (*depart)(struct rail_group *rail_group, const struct network_input_vc *from,
                   struct network_packet *packet);
    uint8_t needs; /* state of rail groups that the policy needs: bits ROUTING_…, see routing.h */
    bool reads_queues; /* decisions at the source depend on queues */
    /* Choice among several links between two groups or routers. */
    bool draws_links_by_packet; /* each packet draws a link; else each message does */
    bool draws_shortest_links;  /* the link is drawn among those on the shortest paths */
    bool keeps_links;           /* packets on minimal paths keep waypoint_link */
    /* Comparison of paths. */
    bool compares_port_loads; /* decisions compare the queues of the router's ports */
    bool has_bias_by_hop;     /* bias_byte_hops has several values, or one that is not 0 */
    bool uses_candidates; /* decisions use routing_candidates.c: several candidates, the shortest of
                             parallel links, or paths by routers */
    struct by_hop bias_byte_hops; /* added to non-minimal paths, without network.routing_bias */
    uint32_t minimal_candidates;  /* the largest number of minimal paths that a decision compares */
    uint32_t nonminimal_candidates; /* the largest number of non-minimal paths */
    /* VC classes and flags of packets. */
    uint8_t minimal_class;   /* VC class of the first hops of minimal paths: that of the policy,
                                changed by network.minimal_vcs and network.valiant */
    uint8_t injection_class; /* VC class of packets at the NIC: minimal_class if nothing is decided
                                at the source router, else 0 */
    uint8_t injection_flags; /* flags of packets at the NIC */
    uint8_t settled_flag;    /* flag of packets whose path no longer depends on queues; 0: paths
                                always depend on queues */
};

/* Routers: allocation and the crossbar. */
struct network_router_constants {
    int64_t delay_ps; /* router latency + allocation latency: from a head's arrival to a request */
    /* Pause after the rounds of an allocation, of routers whose policy routes in transit or that
     * allocate VCs first. */
    int64_t allocation_pause_ps;
    int64_t crossbar_bytes_per_s; /* 0: unlimited */
    int64_t crossbar_full_ps;     /* time of a full packet in the crossbar */
    uint32_t request_words;       /* 64-bit words of request_bits for each output or router */
    uint32_t port_words;          /* 64-bit words that hold one bit for each port of a router */
    uint32_t port_counts[2];   /* [transit]: ports to endpoints, and all other ports of a router */
    bool serves_transit_first; /* packets from other routers go before packets just injected */
    bool has_precedence;       /* transit priority, traffic classes or responses decide before
                                  arbitration does */
    bool orders_inputs;        /* inputs choose by traffic class, response or age; else by their
                                  last traversal */
    /* A traversal changes more than a basic machine with basic routing has: see
     * machine_tracks_traversals and routing_tracks_traversals in derive.c. */
    bool tracks_traversals;
    /* Outputs count their requests. */
    bool counts_requests;
    /* Requests are counted per VC or link too. */
    bool counts_requests_by_vc;
};

/* NICs and their hosts. */
struct network_nic_constants {
    int64_t injection_bytes_per_s; /* the smallest of NIC, terminal channel and host interface */
    int64_t injection_full_ps;     /* time of a full packet at injection_bytes_per_s */
    int64_t receive_bytes_per_s;   /* of a NIC's receiving side; 0: unlimited */
    int64_t receive_ps;        /* time from a message's last byte at a NIC until its host has it */
    int64_t drain_bytes_per_s; /* what both a port to an endpoint and its NIC can take */
    int64_t congestion_window_bytes; /* of a pair after a notice of congestion */
    uint64_t stripe_bytes; /* messages of this size or more are sent in stripes; 0: none are */
    bool sends_at_once; /* a NIC may send a message at the time at which it is given the message */
    bool counts_queues; /* rail_group.queued_bytes is kept: a choice of rails or NICs may need it */
    bool is_chosen_by_queue; /* nodes choose their NICs by rail_group.queued_bytes */
    bool has_host_limits;    /* nic_host.h limits NICs */
    bool has_receive_limits; /* nic_host.h limits receiving: packets queue at NICs */
    bool acknowledges;       /* NICs acknowledge packets */
    bool has_responses;      /* acknowledgements are packets, in a virtual network of their own */
    bool has_windows;        /* nic_windows.h limits NICs */
    bool has_pairs;          /* nic_windows.h keeps the state of pairs */
    bool limits_sending;     /* windows or shares limit NICs, or responses go before data */
    bool has_congestion_control;
    /* Returns the time of a packet without bytes from one endpoint to another in the rail on an
     * idle network (zero_load.c). `sequence` chooses among parallel links as that of a message
     * does. */
    int64_t (*path_latency_ps)(const struct rail_group *rail_group, uint32_t source,
                               uint32_t destination, uint32_t sequence);
};

/* Rails; network.c sets their number, and rail_wiring.c the rest. */
struct network_rail_constants {
    uint32_t count;
    struct topology *other_topologies; /* topologies of the rails after the first; NULL unless
                                          failures make them differ */
    uint16_t *working_rails; /* [router of a rail]: bits of the rails in which it works; NULL if
                                `other_topologies` is NULL */
};

/* The position of an output, or of the input port with that number, in its group, and the other
 * end of its channel. */
struct network_output_wiring {
    uint16_t router;
    uint16_t port;          /* port of the router; NICs: local endpoint number */
    uint16_t channel_kind;  /* network_channel_kind; NICs: NETWORK_TERMINAL */
    uint16_t channel_type;  /* below NETWORK_CHANNEL_TYPES */
    uint32_t first_port_vc; /* first port VC of the router */
    union {
        uint32_t peer_port_vc; /* local and terminal ports, NICs: first port VC at the other end */
        uint32_t global_link;  /* global ports: number x of the group's global link */
    };
};

/* Where a global link of a group begins: the router that owns it, and its port. */
struct network_link_end {
    uint16_t router;
    uint16_t port;
};

/* The ports of a group, which are the same in all groups. */
struct network_group_tables {
    uint32_t ports;       /* number of ports of a group's routers */
    uint32_t outputs;     /* number of a group's outputs: ports + endpoints */
    uint32_t *local_peer; /* [output]: the port at the other end (local ports and NICs), the NIC's
                             output (terminal ports), NETWORK_NONE (global ports) */
    struct network_output_wiring *wiring;     /* [output] */
    struct network_input_position *positions; /* [input VC] */
    struct network_link_end *link_ends;       /* [global link x of a group] */
};

/* What is observed besides totals. history.c and watch.c fill this in before a run. */
struct network_observation {
    uint32_t history_bins;  /* time bins of the history; 0: there is no history */
    uint32_t watched_flows; /* flows of a watched link that have a row of their own */
    uint32_t watched_pairs; /* the same for its pairs of groups */
    uint32_t victim_count;
    struct network_label_pattern victims[NETWORK_PATTERNS_MAX]; /* see network_watch_waits */
};

/* What is prefetched on machines that are larger than caches. network_timer_items sets the items of
 * timers. */
struct network_prefetching {
    bool covers_outputs;     /* the memory that events touch, see fetch_in_stages.h */
    const char *timer_items; /* what timers touch, see network_timer_items; NULL: unknown */
    size_t timer_item_bytes;
};

#endif
