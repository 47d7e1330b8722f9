/*
 * The settings of the network as plain numbers: a machine, the parameters of its model, and its
 * routing. network_settings.c has the table that names and documents them. Units: picoseconds,
 * bytes, bytes per second, and millionths for ratios.
 */
#ifndef ANAX_NETWORK_NETWORK_CONFIG_H
#define ANAX_NETWORK_NETWORK_CONFIG_H

#include "core/base/wide.h"
#include "core/settings/settings.h"
#include "network/arrangement/arrangement.h"
#include "network/topology/group_shape.h"
#include "network/topology/node_shape.h"

#include <stdbool.h>
#include <stdint.h>

/* The kinds of channels, and of the input ports where they end. */
typedef enum network_channel_kind {
    NETWORK_TERMINAL,
    NETWORK_LOCAL,
    NETWORK_GLOBAL,
    NETWORK_CHANNEL_KINDS
} network_channel_kind;

/*
 * Types of channels: channels of a type have one bandwidth and one latency. Terminal and global
 * channels have one type each, numbered as the kind, and local channels one or several
 * (group_shape_local_type), of which the first one is numbered as the kind.
 */
#define NETWORK_CHANNEL_TYPES (NETWORK_CHANNEL_KINDS + UNITS_DIMENSIONS - 1)

/* Returns the type, below NETWORK_CHANNEL_TYPES, of the local channels with this number of
 * group_shape_local_type. */
static inline uint32_t network_local_channel_type(uint32_t local_type) {
    return local_type == 0 ? NETWORK_LOCAL : NETWORK_CHANNEL_KINDS + local_type - 1;
}

/* Returns the kind of the channels of a type. */
static inline network_channel_kind network_kind_of_channel_type(uint32_t type) {
    return type < NETWORK_CHANNEL_KINDS ? (network_channel_kind)type : NETWORK_LOCAL;
}

struct network_channel_config {
    int64_t bandwidth_bytes_per_s; /* of one channel, in one direction */
    int64_t latency_ps;            /* from the end of one router to the start of the next */
    int64_t buffer_bytes; /* per input port and VC; terminal: the router's injection buffer */
    int64_t framing; /* share of the bandwidth for packets, packed as in core/settings/units.h */
    int64_t shared_buffer_bytes; /* per input port, for all of its VCs, besides their buffers */
};

typedef enum network_crossbar {
    NETWORK_CROSSBAR_IDEAL, /* any number of traversals from each input port */
    NETWORK_CROSSBAR_INPUT, /* one traversal at a time from each input port */
    NETWORK_CROSSBAR_VC,    /* one at a time from each VC; an input port begins one in a cycle */
} network_crossbar;

/* Which of several inputs that request an output is served first. */
typedef enum network_arbitration {
    NETWORK_ROUND_ROBIN,
    NETWORK_LEAST_RECENT, /* the input whose last traversal to the VC of the output that it requests
                             was longest ago */
    NETWORK_OLDEST        /* the input with the packet whose message was ready first */
} network_arbitration;

/* When a packet is given its output VC. */
typedef enum network_vc_allocation {
    NETWORK_VC_WITH_CROSSBAR, /* together with its traversal of the crossbar */
    NETWORK_VC_FIRST, /* before the traversal; the packet keeps the VC until it is granted */
} network_vc_allocation;

/* A traffic class's part of every channel. */
struct network_class_config {
    int64_t minimum_millionths; /* share that other classes cannot take */
    int64_t maximum_millionths; /* share that the class never exceeds */
    int64_t priority; /* the class with the highest priority is first to use what is left */
};

/* Whether packets in transit have priority over packets that nodes have just injected. AUTO: on for
 * those routing policies whose routing_transit asks for it. */
typedef enum network_priority {
    NETWORK_PRIORITY_AUTO,
    NETWORK_PRIORITY_OFF,
    NETWORK_PRIORITY_ON
} network_priority;

/* When the buffer space of a packet becomes free: when its tail has left the buffer, or when its
 * head begins to leave. */
typedef enum network_release { NETWORK_RELEASE_TAIL, NETWORK_RELEASE_HEAD } network_release;

/* What UGAL compares. Queue: which bytes count. Measure: all VCs of a port, or
 * only the VC that the path takes. Weights: what the two queues are multiplied by. */
typedef enum network_ugal_queue {
    NETWORK_UGAL_QUEUE_CHANNEL, /* those of OUTPUT, and bytes sent whose credits have not come back
                                 */
    NETWORK_UGAL_QUEUE_OUTPUT   /* bytes that wait in the router for the port */
} network_ugal_queue;
typedef enum network_ugal_measure {
    NETWORK_UGAL_MEASURE_PORT,
    NETWORK_UGAL_MEASURE_VC
} network_ugal_measure;
typedef enum network_ugal_weights {
    NETWORK_UGAL_WEIGHTS_HOPS,                /* hops of the paths */
    NETWORK_UGAL_WEIGHTS_LOCAL_HOPS,          /* hops inside groups */
    NETWORK_UGAL_WEIGHTS_ABSOLUTE_LOCAL_HOPS, /* hops as in the arrangement absolute (FOGSim) */
    NETWORK_UGAL_WEIGHTS_RATIO                /* 1 and ugal_ratio_millionths */
} network_ugal_weights;

/* Which groups can be drawn as the third group of a non-minimal path. If the packet's own group or
 * its destination's is drawn, the path is minimal. */
typedef enum network_third_group {
    NETWORK_THIRD_OTHERS,  /* all but the packet's own and its destination's */
    NETWORK_THIRD_NOT_OWN, /* all but the packet's own */
    NETWORK_THIRD_ANY
} network_third_group;

/* Which paths packets to a node of their own group can take. */
typedef enum network_intragroup_paths {
    NETWORK_INTRAGROUP_MINIMAL, /* the minimal path only */
    NETWORK_INTRAGROUP_POLICY, /* also paths through a third group, as the routing policy decides */
    NETWORK_INTRAGROUP_ROUTER  /* also paths by another router of the group, likewise */
} network_intragroup_paths;

/* Which of several links between two groups a packet takes. */
typedef enum network_link_choice {
    NETWORK_LINK_OF_MESSAGE, /* the same one for all packets of a message */
    NETWORK_LINK_OF_PACKET,  /* one drawn for each packet */
    NETWORK_LINK_SHORTEST    /* one drawn for each packet, on a path with the fewest hops */
} network_link_choice;

/* Tables of biases that take the place of routing_bias_by_hop: those of Cray's Aries. */
typedef enum network_routing_mode {
    NETWORK_MODE_NONE,
    NETWORK_MODE_ADAPTIVE_0, /* no bias */
    NETWORK_MODE_ADAPTIVE_1, /* a bias to minimal paths that increases with the hops made */
    NETWORK_MODE_ADAPTIVE_2, /* a low bias */
    NETWORK_MODE_ADAPTIVE_3  /* a high bias */
} network_routing_mode;

#define NETWORK_CANDIDATES_MAX 8 /* of either kind, minimal and non-minimal */

/* Which VCs minimal paths share with non-minimal ones: the VCs from the third group on, or those up
 * to it. */
typedef enum network_minimal_vcs {
    NETWORK_MINIMAL_LAST,
    NETWORK_MINIMAL_FIRST
} network_minimal_vcs;

/* Which non-minimal path is considered when the route of a waiting packet is decided again: a newly
 * drawn one, or that of the first decision. */
typedef enum network_reroute_candidate {
    NETWORK_REROUTE_NEW,
    NETWORK_REROUTE_SAME
} network_reroute_candidate;

/* How the injection VC of a message is chosen: the next VC in turn that has room, or the VC that
 * the number of the destination gives. */
typedef enum network_nic_vc_choice {
    NETWORK_NIC_VC_TURN,
    NETWORK_NIC_VC_DESTINATION
} network_nic_vc_choice;

/* How a NIC learns that a packet that it sent has been received. */
typedef enum network_acknowledgement {
    NETWORK_ACKNOWLEDGEMENT_OFF,   /* not at all */
    NETWORK_ACKNOWLEDGEMENT_DELAY, /* after the latency of the path back; this uses no bandwidth */
    NETWORK_ACKNOWLEDGEMENT_PACKET /* by a packet that the receiver sends back, a response */
} network_acknowledgement;

/* Congestion control: none, or routers find congested ports to nodes and tell the sources. */
typedef enum network_congestion_control {
    NETWORK_CONGESTION_CONTROL_OFF,
    NETWORK_CONGESTION_CONTROL_ENDPOINT
} network_congestion_control;

/* How often the window of a pair doubles before the pair forgets congestion. */
#define NETWORK_CONGESTION_DOUBLINGS 6

/* Whose occupancy OFAR compares: that of the VC that a packet would take, or of the whole port. */
typedef enum network_ofar_measure {
    NETWORK_OFAR_MEASURE_VC,
    NETWORK_OFAR_MEASURE_PORT
} network_ofar_measure;

/* When a packet may be misrouted: while its minimal output is blocked, or only at the moment when
 * the minimal output is granted to another packet. */
typedef enum network_ofar_trigger {
    NETWORK_OFAR_TRIGGER_BLOCKED,
    NETWORK_OFAR_TRIGGER_GRANTED
} network_ofar_trigger;

/* Where non-minimal paths turn towards their destination: where they enter the third group, or at a
 * random router of it. */
typedef enum network_valiant { NETWORK_VALIANT_GROUP, NETWORK_VALIANT_ROUTER } network_valiant;

#define NETWORK_RAILS_MAX   16
#define NETWORK_NICS_MAX    16 /* of a node, in each rail */
#define NETWORK_CLASSES_MAX 4
#define NETWORK_VIRTUAL_MAX (NETWORK_CLASSES_MAX + 1)

struct network_config {
    /* Topology: g groups of a routers, each with p nodes and h global links; g <= a·h + 1. */
    int64_t nodes_per_router;  /* p: endpoints of a router, which are nodes if each has one NIC */
    int64_t routers_per_group; /* a */
    int64_t group_dimensions; /* packed as in core/settings/units.h; 0: one, completely connected */
    int64_t group_links;      /* parallel, to each neighbour; per dimension, or one for all */
    int64_t drawer_routers;   /* of a completely connected group; 0: it has no drawers */
    int64_t globals_per_router; /* h */
    int64_t globals_used;       /* connected ones of each router's h; 0: all */
    int64_t groups;             /* g */
    int64_t rails;              /* parallel networks, each with routers of its own */

    /* Nodes with several NICs in one network (node_shape.h). */
    int64_t node_nics;          /* NICs of a node */
    int64_t node_routers;       /* routers on which they are; 0: each on a router of its own */
    int64_t node_router_stride; /* from one of these routers to the next */
    int64_t stripe_bytes; /* messages of at least this size use all NICs of their nodes; 0: none */

    char failures_file[SETTING_PATH_BYTES];
    /* Drawn at random, besides those of the file; amounts as in core/settings/units.h. */
    int64_t failed_routers;
    int64_t failed_locals;
    int64_t failed_globals;
    int64_t failures_seed;

    int32_t arrangement;      /* index into arrangements() */
    int32_t rail_choice;      /* index into rail_choices() */
    int64_t arrangement_seed; /* for arrangements that are drawn at random */
    char arrangement_file[SETTING_PATH_BYTES];

    struct network_channel_config channels[NETWORK_CHANNEL_KINDS];
    struct network_local_config {
        int64_t bandwidth_bytes_per_s;
        int64_t latency_ps;
    } more_locals[UNITS_DIMENSIONS - 1]; /* the second and third type of local channels; 0: as
                                            channels[NETWORK_LOCAL] */

    int64_t packet_bytes;      /* largest payload of a packet */
    int64_t header_bytes;      /* added to every packet on every channel */
    int64_t cell_bytes;        /* largest payload of a cell; 0: packets are not divided */
    int64_t cell_header_bytes; /* added to every cell */
    int64_t flit_bytes;        /* cells and packets are whole flits; 0 and 1: of any size */
    int64_t phit_bytes; /* sets the cycle of routers and the slot of traffic, not the sizes of
                           packets */

    int64_t router_latency_ps;     /* pipeline latency, until allocation begins */
    int64_t allocation_latency_ps; /* from when a packet is first in its VC until it may leave */
    int64_t credit_latency_ps;     /* of a credit, besides that of its channel */
    int32_t crossbar;              /* network_crossbar */
    int64_t speedup_millionths;    /* bandwidth of a crossbar port / of the fastest channel */
    int64_t output_buffer_bytes;   /* per output port; 0: none */
    int64_t allocation_rounds;     /* of the input-first separable allocator; not for ideal */
    int32_t arbitration;           /* network_arbitration */
    int32_t vc_allocation;         /* network_vc_allocation */
    int32_t transit_priority;      /* network_priority */
    int32_t release;               /* network_release */

    int32_t nic_vc_choice;              /* network_nic_vc_choice */
    int64_t injection_vcs;              /* 0: as many as the routing policy has */
    int64_t nic_bandwidth_bytes_per_s;  /* 0: bandwidth of the terminal channel */
    int64_t nic_overhead_ps;            /* per message sent */
    struct by_size nic_send_latency_ps; /* of NIC and host bus, sending; messages may overlap */
    int64_t nic_receive_latency_ps;     /* of NIC and host bus, receiving */
    int64_t nic_message_gap_ps;         /* least time between the beginnings of two sent messages */
    int64_t nic_receive_overhead_ps;    /* per received message */
    int64_t nic_receive_bandwidth_bytes_per_s; /* 0: no limit of its own */
    int64_t nic_receive_buffer_bytes;          /* 0: unlimited */
    int64_t nic_host_bandwidth_bytes_per_s;    /* for both directions together; 0: no limit */
    int32_t acknowledgement;                   /* network_acknowledgement */
    int32_t congestion_control;                /* network_congestion_control */
    int64_t response_bytes;                    /* of a response, without response_cell_bytes */
    int64_t response_cell_bytes;               /* added for each cell that it acknowledges */
    int64_t nic_window_bytes;                  /* payload that a NIC may have outstanding; 0: any */
    int64_t nic_pair_window_bytes;             /* payload outstanding to one destination; 0: any */
    int64_t congestion_begin_bytes; /* bytes waiting for a port to a node that make it congested */
    int64_t congestion_end_bytes;   /* bytes waiting at which the port is no longer congested */
    int64_t congestion_hold_millionths; /* time between the turns of sources / time of a packet */
    int64_t congestion_window_bytes; /* payload outstanding of a source after that; 0: a packet */
    int64_t congestion_recovery_ps;  /* least time after which that window doubles */
    /* least time after which that window doubles / the time for which the source was held back */
    int64_t congestion_recovery_waits_millionths;
    int64_t memory_latency_ps; /* between ranks of one node */
    int64_t memory_bandwidth_bytes_per_s;

    int64_t classes; /* of traffic, each with a virtual network of its own */
    struct network_class_config class[NETWORK_CLASSES_MAX];

    int32_t routing;               /* index into routing_policies() */
    int32_t misrouting;            /* index into misrouting_policies() */
    int32_t third_group;           /* network_third_group */
    int32_t intragroup_paths;      /* network_intragroup_paths */
    int32_t link_choice;           /* network_link_choice */
    int64_t minimal_candidates;    /* minimal paths that a decision compares, at most */
    int64_t nonminimal_candidates; /* non-minimal ones */
    int32_t minimal_vcs;           /* network_minimal_vcs */
    int32_t ugal_queue;            /* network_ugal_queue */
    int32_t ugal_measure;          /* network_ugal_measure */
    int32_t ugal_weights;          /* network_ugal_weights */
    int32_t reroute_candidate;     /* network_reroute_candidate */
    int32_t nic_choice;            /* index into nic_choices() */
    int64_t reroute; /* times that a waiting packet's route is decided again, at most */
    int64_t ugal_ratio_millionths;     /* weight of the non-minimal queue; the minimal one has 1 */
    int64_t routing_bias_byte_hops;    /* added to the non-minimal side of UGAL's comparison */
    struct by_hop routing_bias_by_hop; /* added there too, by the hops that the packet has made */
    int32_t routing_mode;              /* network_routing_mode */
    bool ugal_waiting; /* whether a port's queue includes the packets that wait for it */

    int32_t valiant;                   /* network_valiant */
    int32_t ofar_ring;                 /* ring_kind */
    int32_t ofar_measure;              /* network_ofar_measure */
    int32_t ofar_trigger;              /* network_ofar_trigger */
    int64_t ofar_vcs;                  /* VCs besides the ring's */
    int64_t ofar_global_vcs;           /* VCs of global channels, at most ofar_vcs; 0: ofar_vcs */
    int64_t ofar_threshold_millionths; /* most occupancy: a candidate's / the minimal output's */
    int64_t ofar_injection_room;       /* packets that must fit behind an injected one */
    bool ofar_ring_first;   /* whether nodes send only while the ring's next buffer is empty */
    int64_t ofar_hop_limit; /* routers passed, after which a packet in the ring stays there */
    int64_t vcs;            /* 0: as many as the routing policy needs */

    /* A port is saturated if its queue exceeds piggyback_factor times the mean of its router's
     * global ports, plus piggyback_packets full packets. */
    int64_t piggyback_factor_millionths;
    int64_t piggyback_packets;

    int64_t starvation_ps; /* longest wait of a first packet before the run ends; 0: no limit */
};

#define NETWORK_SLOWEST INT64_C(1000000) /* least bandwidth of a channel, bytes per second */

extern const struct setting_row network_setting_rows[];
extern const size_t network_setting_count;

/* Checks what the range of a single setting cannot express: the shape against arrangement and
 * routing, buffers against the largest packet, and others. STATUS_USAGE: one text lists all
 * faults. */
status_code network_config_check(const struct network_config *config, struct status *status);

/* Returns the settings that the wiring of the global links depends on. Its file name belongs to
 * config. */
struct arrangement_input network_config_arrangement(const struct network_config *config);

/* Returns the shape of a group, from which the local channels follow. */
struct group_shape network_config_group(const struct network_config *config);

/* Returns which endpoints belong to which node. */
struct node_shape network_config_node(const struct network_config *config);

/* Returns whether any router or link of the machine is set to fail. */
static inline bool network_config_has_failures(const struct network_config *config) {
    return config->failures_file[0] != '\0' || config->failed_routers != 0 ||
           config->failed_locals != 0 || config->failed_globals != 0;
}

/* Returns whether acknowledgements are packets. */
static inline bool network_config_has_responses(const struct network_config *config) {
    return config->acknowledgement == NETWORK_ACKNOWLEDGEMENT_PACKET;
}

/* Returns the number of virtual networks, each with virtual channels and buffers of its own. Those
 * of the traffic classes come first, then that of responses if there are any. */
static inline uint32_t network_config_virtual_networks(const struct network_config *config) {
    return (uint32_t)config->classes + network_config_has_responses(config);
}

/* Returns whether traffic classes share channels by rules: there are several, or one has a
 * maximum. */
static inline bool network_config_has_shares(const struct network_config *config) {
    return config->classes > 1 || config->class[0].maximum_millionths < 1000000;
}

/* Returns the bytes that a packet occupies on a channel and in a buffer: its payload, headers and
 * the filling of its last flits. */
int64_t network_config_packet_bytes(const struct network_config *config, int64_t payload_bytes);

/* Returns the bytes that the largest packet occupies. */
static inline int64_t network_config_full_bytes(const struct network_config *config) {
    return network_config_packet_bytes(config, config->packet_bytes);
}

/* Returns the bytes that the response to a packet of so many bytes occupies. */
int64_t network_config_response_bytes(const struct network_config *config, int64_t packet_bytes);

/* Returns the bytes that all packets of a message occupy together. */
wide network_config_message_bytes(const struct network_config *config, uint64_t size_bytes);

/* Returns the bandwidth in bytes per second that a channel of a type has for packets, which is what
 * framing leaves. */
int64_t network_config_bytes_per_s(const struct network_config *config, uint32_t type);
/* Returns the least of these bandwidths over the channels of a kind. */
int64_t network_config_min_bytes_per_s(const struct network_config *config, uint32_t channel_kind);

/* Returns the bandwidth in bytes per second of a channel of a type before framing. */
int64_t network_config_raw_bytes_per_s(const struct network_config *config, uint32_t type);

/* Returns the latency in ps of a channel of a type. */
int64_t network_config_latency_ps(const struct network_config *config, uint32_t type);

/* Returns the largest bandwidth before framing of all types of local channels that the machine has.
 */
int64_t network_config_fastest_local_bytes_per_s(const struct network_config *config);

/* Returns the largest bandwidth of which the bandwidths before framing of all types of local
 * channels are multiples. */
int64_t network_config_local_unit_bytes_per_s(const struct network_config *config);

/* Returns the number of a node's NICs in each rail. Configurations made in code may leave it 0. */
static inline int64_t network_config_nics(const struct network_config *config) {
    return config->node_nics > 1 ? config->node_nics : 1;
}

/* Returns the bandwidth in bytes per second at which a NIC sends: that of its channel, and at most
 * network.nic.bandwidth and network.nic.host_bandwidth. */
int64_t network_config_nic_bytes_per_s(const struct network_config *config);

/* Returns the bandwidth in bytes per second of all channels of a node together: of each NIC, one
 * per rail. */
static inline int64_t network_config_injection_bytes_per_s(const struct network_config *config) {
    return config->rails * network_config_nics(config) *
           network_config_bytes_per_s(config, NETWORK_TERMINAL);
}

/* Returns the number of domains. A domain is one dragonfly group in all rails. */
static inline uint32_t network_config_domains(const struct network_config *config) {
    return (uint32_t)config->groups;
}

/* Returns the number of nodes in each domain. */
static inline uint32_t network_config_domain_nodes(const struct network_config *config) {
    return (uint32_t)(config->nodes_per_router * config->routers_per_group /
                      network_config_nics(config));
}

/* Returns the domain of a node. */
static inline uint32_t network_config_domain_of_node(const struct network_config *config,
                                                     uint32_t node) {
    return node / network_config_domain_nodes(config);
}

/* Returns the number of the router in the first rail that has the first NIC of a node. */
uint32_t network_config_router_of_node(const struct network_config *config, uint32_t node);

/* Returns the number of routers in all rails, failed ones included. */
static inline int64_t network_config_routers(const struct network_config *config) {
    return config->rails * config->groups * config->routers_per_group;
}

/* Returns the number of places for NICs in each rail: terminal ports of routers. */
static inline int64_t network_config_endpoints(const struct network_config *config) {
    return config->nodes_per_router * config->routers_per_group * config->groups;
}

/* Returns the number of nodes. */
static inline int64_t network_config_nodes(const struct network_config *config) {
    return network_config_endpoints(config) / network_config_nics(config);
}

#endif
