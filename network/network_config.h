/*
 * The settings of the network: a machine, its model's parameters and its routing, as plain numbers.
 * The table that names and documents them is network_settings.c. Units: picoseconds, bytes,
 * bytes per second, millionths for ratios.
 */
#ifndef ANAX_NETWORK_NETWORK_CONFIG_H
#define ANAX_NETWORK_NETWORK_CONFIG_H

#include "core/settings.h"
#include "network/arrangement/arrangement.h"
#include "network/topology/group_shape.h"

#include <stdbool.h>
#include <stdint.h>

/* The three kinds of channel, and of the input ports they end in. */
typedef enum network_level {
    NETWORK_TERMINAL,
    NETWORK_LOCAL,
    NETWORK_GLOBAL,
    NETWORK_LEVELS
} network_level;

struct network_level_config {
    int64_t bandwidth_bytes_per_s; /* of one channel, per direction */
    int64_t latency_ps;            /* from the end of one router to the start of the next */
    int64_t buffer_bytes; /* per (input port, VC); terminal: the router's injection buffer */
};

typedef enum network_crossbar {
    NETWORK_CROSSBAR_IDEAL,
    NETWORK_CROSSBAR_INPUT, /* one transfer at a time from each input port */
    NETWORK_CROSSBAR_VC,    /* one from each of its VCs, and one begun in a cycle */
} network_crossbar;
typedef enum network_arbitration {
    NETWORK_ROUND_ROBIN,
    NETWORK_LEAST_RECENT,
    NETWORK_OLDEST
} network_arbitration;

/* Whether packets in transit go before those that their nodes have just injected; auto: as the
 * routing policy needs (routing_transit). */
typedef enum network_priority {
    NETWORK_PRIORITY_AUTO,
    NETWORK_PRIORITY_OFF,
    NETWORK_PRIORITY_ON
} network_priority;

/* When a packet gives its buffer space back: with its tail, or as its head begins to leave. */
typedef enum network_release { NETWORK_RELEASE_TAIL, NETWORK_RELEASE_HEAD } network_release;

/* What UGAL's rule compares: which bytes, of all VCs of a port or of the one that a path leaves in,
 * and by what the two queues are multiplied. */
typedef enum network_ugal_queue {
    NETWORK_UGAL_QUEUE_CHANNEL,
    NETWORK_UGAL_QUEUE_OUTPUT
} network_ugal_queue;
typedef enum network_ugal_measure {
    NETWORK_UGAL_MEASURE_PORT,
    NETWORK_UGAL_MEASURE_VC
} network_ugal_measure;
typedef enum network_ugal_weights {
    NETWORK_UGAL_WEIGHTS_HOPS,
    NETWORK_UGAL_WEIGHTS_LOCAL_HOPS,
    NETWORK_UGAL_WEIGHTS_ABSOLUTE_LOCAL_HOPS, /* as if groups were wired in order, by FOGSim's rule
                                               */
    NETWORK_UGAL_WEIGHTS_RATIO                /* 1 and ugal_ratio_millionths */
} network_ugal_weights;

/* Which groups are drawn as the third one of a non-minimal path. If it is the packet's own or its
 * destination's, the path is minimal. */
typedef enum network_third_group {
    NETWORK_THIRD_OTHERS,
    NETWORK_THIRD_NOT_OWN,
    NETWORK_THIRD_ANY
} network_third_group;

/* Whether packets within a group stay in it, or the routing policy decides on them as on others. */
typedef enum intragroup_paths { INTRAGROUP_MINIMAL, INTRAGROUP_POLICY } intragroup_paths;

/* Which VCs minimal paths share with non-minimal ones: those from the third group on, or those up
 * to it. */
typedef enum network_minimal_vcs {
    NETWORK_MINIMAL_LAST,
    NETWORK_MINIMAL_FIRST
} network_minimal_vcs;

/* With which candidate a waiting packet is decided on anew. */
typedef enum network_reroute_candidate {
    NETWORK_REROUTE_NEW,
    NETWORK_REROUTE_SAME
} network_reroute_candidate;

/* By which VC of the injection buffer a message's packets go: the next one in turn that has room,
 * or the one that its destination falls into. */
typedef enum network_nic_vc_choice {
    NETWORK_NIC_VC_TURN,
    NETWORK_NIC_VC_DESTINATION
} network_nic_vc_choice;

typedef enum network_ofar_measure {
    NETWORK_OFAR_MEASURE_VC,
    NETWORK_OFAR_MEASURE_PORT
} network_ofar_measure;

/* When a packet may leave aside: while it cannot go by its minimal output, or only at the moment at
 * which that is given to another packet. */
typedef enum network_ofar_trigger {
    NETWORK_OFAR_TRIGGER_BLOCKED,
    NETWORK_OFAR_TRIGGER_GRANTED
} network_ofar_trigger;

/* Where non-minimal paths turn towards their destination, in the third group. */
typedef enum network_valiant { NETWORK_VALIANT_GROUP, NETWORK_VALIANT_ROUTER } network_valiant;

#define NETWORK_RAILS_MOST 16

struct network_config {
    /* Topology: g groups of a routers with p nodes and h global links each; g <= a·h + 1. */
    int64_t nodes_per_router;   /* p */
    int64_t routers_per_group;  /* a */
    int64_t group_dimensions;   /* packed as in core/units.h; 0: one, completely connected */
    int64_t group_links;        /* between neighbours, for each dimension or one for all */
    int64_t globals_per_router; /* h */
    int64_t globals_used;       /* of each router's h; 0: all */
    int64_t groups;             /* g */
    int64_t rails;              /* parallel networks, each with all routers */

    char failures_file[SETTING_PATH_BYTES];
    int64_t failed_routers; /* at random, besides those of the file: amounts of core/units.h */
    int64_t failed_locals;
    int64_t failed_globals;
    int64_t failures_seed;

    int32_t arrangement;      /* index into arrangements() */
    int32_t rail_choice;      /* index into rail_choices() */
    int64_t arrangement_seed; /* of arrangements that draw */
    char arrangement_file[SETTING_PATH_BYTES];

    struct network_level_config level[NETWORK_LEVELS];

    int64_t packet_bytes; /* largest payload of a packet */
    int64_t header_bytes; /* added to every packet on every channel */
    int64_t phit_bytes;   /* what a channel moves in a cycle: traffic's clock, not a limit */

    int64_t router_latency_ps;     /* pipeline, from arrival of a head until it may ask */
    int64_t allocation_latency_ps; /* from being first in its VC's FIFO until it may leave */
    int32_t crossbar;              /* network_crossbar */
    int64_t speedup_millionths;    /* crossbar bandwidth / channel bandwidth */
    int64_t output_buffer_bytes;   /* per output port; 0: transfers go straight onto the channel */
    int64_t allocation_rounds;     /* of an input-first separable allocator (not ideal) */
    int32_t arbitration;           /* network_arbitration */
    int32_t transit_priority;      /* network_priority */
    int32_t release;               /* network_release */

    int32_t nic_vc_choice;             /* which of the injection VCs: nic_vc_choice */
    int64_t injection_vcs;             /* 0: as many as the routing policy has */
    int64_t nic_bandwidth_bytes_per_s; /* 0: that of the terminal channel */
    int64_t nic_overhead_ps;           /* per message */
    int64_t nic_send_latency_ps;       /* of NIC and host bus, which others may follow in … */
    int64_t nic_receive_latency_ps;    /* … at both ends */
    int64_t nic_message_gap_ps;        /* between the beginnings of two messages */
    int64_t nic_receive_overhead_ps;   /* per message, of the receiving side */
    int64_t nic_receive_bandwidth_bytes_per_s; /* 0: no limit of its own */
    int64_t nic_receive_buffer_bytes;          /* 0: a node takes all that arrives */
    int64_t nic_host_bandwidth_bytes_per_s;    /* of both directions together; 0: no limit */
    int64_t memory_latency_ps;                 /* between ranks of one node */
    int64_t memory_bandwidth_bytes_per_s;

    int32_t routing;           /* index into routing_policies() */
    int32_t misrouting;        /* index into misrouting_policies() */
    int32_t third_group;       /* network_third_group */
    int32_t intragroup_paths;  /* intragroup_paths */
    int32_t minimal_vcs;       /* network_minimal_vcs */
    int32_t ugal_queue;        /* what q is: which bytes … */
    int32_t ugal_measure;      /* … of a port or of a VC … */
    int32_t ugal_weights;      /* … and what it is multiplied by */
    int32_t reroute_candidate; /* with which candidate a waiting packet is decided on anew … */
    int64_t reroute;           /* … and how often */
    int64_t ugal_ratio_millionths;  /* of the non-minimal weight to the minimal one */
    int64_t routing_bias_byte_hops; /* added to the non-minimal side of UGAL's comparison */
    bool ugal_waiting;              /* whether packets that wait for a port are in its queue */

    int32_t valiant;                   /* network_valiant */
    int32_t ofar_ring;                 /* ring_kind */
    int32_t ofar_measure;              /* of congestion */
    int32_t ofar_trigger;              /* of a hop aside */
    int64_t ofar_vcs;                  /* besides the ring's */
    int64_t ofar_global_vcs;           /* of global channels, at most ofar_vcs; 0: ofar_vcs */
    int64_t ofar_threshold_millionths; /* occupancy of a candidate / of the minimal output */
    int64_t ofar_injection_room;       /* packets that one just injected leaves room for */
    bool ofar_ring_first;              /* nodes send only while the ring beside them is empty */
    int64_t ofar_hop_limit;            /* routers after which a packet stays in the ring */
    int64_t vcs;                       /* 0: as many as the routing needs */

    int64_t piggyback_factor_millionths; /* of the mean queue of a router's global ports … */
    int64_t piggyback_packets;           /* … and full packets more: a port is saturated */

    int64_t starvation_ps; /* a packet first in its buffer for so long is reported; 0: never */
};

#define NETWORK_SLOWEST INT64_C(1000000) /* bytes per second of a channel */

extern const struct setting_row network_setting_rows[];
extern const size_t network_setting_count;

/* Checks what single ranges cannot: shape against arrangement and routing, buffers against the
 * largest packet, …. All faults in one text. */
status_code network_config_check(const struct network_config *config, struct status *status);

/* What the wiring of the global links follows from; borrows from the configuration. */
struct arrangement_input network_config_arrangement(const struct network_config *config);

/* What the channels inside a group follow from. */
struct group_shape network_config_group(const struct network_config *config);

/* Whether anything of the machine has failed. */
static inline bool network_config_fails(const struct network_config *config) {
    return config->failures_file[0] != '\0' || config->failed_routers != 0 ||
           config->failed_locals != 0 || config->failed_globals != 0;
}

/* What the channels of one node, one per rail, carry together. */
static inline int64_t network_config_injection(const struct network_config *config) {
    return config->rails * config->level[NETWORK_TERMINAL].bandwidth_bytes_per_s;
}

/* A domain is a dragonfly group in all rails: what simulates it, and which one a node belongs to.
 */
static inline uint32_t network_config_domains(const struct network_config *config) {
    return (uint32_t)config->groups;
}

static inline uint32_t network_config_domain_nodes(const struct network_config *config) {
    return (uint32_t)(config->nodes_per_router * config->routers_per_group);
}

static inline uint32_t network_config_domain_of_node(const struct network_config *config,
                                                     uint32_t node) {
    return node / network_config_domain_nodes(config);
}

static inline int64_t network_config_routers(const struct network_config *config) {
    return config->rails * config->groups * config->routers_per_group;
}

static inline int64_t network_config_nodes(const struct network_config *config) {
    return config->nodes_per_router * config->routers_per_group * config->groups;
}

#endif
