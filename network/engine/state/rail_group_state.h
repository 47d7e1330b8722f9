/*
 * The state of a rail group: the routers and NICs of one group in one rail, as structs of arrays.
 * Internal to network/. A group has a rail group in each rail. That of the first rail, its `home`,
 * stands for the group and holds its endpoints.
 *
 * An array has one item for each thing that its comment names in brackets; state.h says how these
 * are numbered. An array or part that not every machine has is NULL in the others: its comment says
 * when it exists. rail_group.c allocates them.
 */
#ifndef ANAX_NETWORK_RAIL_GROUP_STATE_H
#define ANAX_NETWORK_RAIL_GROUP_STATE_H

#include "core/memory/bitset.h"
#include "core/memory/map.h"
#include "core/memory/pool.h"
#include "core/simulation/event_queue.h"
#include "network/engine/state/packet.h"
#include "network/engine/state/ports.h"
#include "network/network.h"
#include "network/topology/topology.h"

#include <assert.h>
#include <stdint.h>

#define NETWORK_NO_GROUP UINT16_MAX

struct congestion;
struct history;
struct labels;
struct nic_classes;
struct nic_host;
struct nic_responses;
struct nic_windows;
struct round_trips;
struct saturation;
struct class_shares;
struct sleepers;
struct packet_trails;
struct vc_allocation;
struct watch;
struct zero_load_time;

/* The NIC of an endpoint in one rail. A node has one such struct for each of its endpoints and each
 * rail. A member marked "the endpoint's" is one value for all rails: only the struct in the first
 * rail has it. A member marked "the node's" is one value for all endpoints and rails: only the
 * struct of the node's first endpoint in the first rail has it. */
struct network_nic {
    uint32_t first_message; /* queue of messages, which take turns packet by packet */
    uint32_t last_message;
    /* [virtual network]: the injection VC, counted from 0 in the virtual network, that the next
     * message tries first. Every packet of the virtual network that the NIC sends advances it by
     * one; after the last injection VC comes 0. */
    uint8_t next_vc[NETWORK_VIRTUAL_MAX];
    uint8_t next_rail;      /* the endpoint's: the rail that is next in round robin */
    uint16_t next_nic_pair; /* the node's: the pair of NICs, its own and the destination's, that is
                               next in round robin; see nic_choice.c */
    uint32_t first_nic; /* the first endpoint of this endpoint's node, numbered within the group:
                           every endpoint has it, in every rail, to find what is the node's */
    uint32_t sequence;  /* the node's: sequence number of the next message */
    uint32_t next_packet_number; /* the endpoint's */
    uint32_t queued_messages;    /* the node's: number of messages in its queues */
};
static_assert(sizeof(struct network_nic) == 32, "every endpoint has one: see docs/bench.md");
static_assert(NETWORK_RAILS_MAX <= UINT8_MAX, "next_rail");

/* A message of several packets of which some have arrived. Its key is the source node · 2^32 + the
 * sequence number of the message there. The home of the destination has it. */
struct network_assembly {
    uint64_t key;
    uint64_t bytes;   /* bytes of the packets that have arrived, headers included */
    int64_t last_ps;  /* when the tail of the latest packet so far arrived */
    uint32_t message; /* index of the message record; NETWORK_NONE until the packet that carries it,
                         the first one that was sent, has arrived */
    uint32_t trail;   /* see packet_trail_record_arrived */
    uint8_t used;
    uint8_t is_nonminimal; /* whether any of its packets took a non-minimal path */
    uint8_t routers;       /* number of routers that the latest packet so far passed */
};

static inline bool network_assembly_is_used(const struct network_assembly *assembly) {
    return assembly->used;
}
MAP_DEFINE(network_assembly, struct network_assembly, uint64_t, map_hash_of_word, map_is_same_word,
           network_assembly_is_used)

POOL_DEFINE(network_packet, struct network_packet)
POOL_DEFINE(network_message_record, struct network_message_record)
POOL_DEFINE(network_credit, struct network_credit)

#define NETWORK_DEFERRED_MAX 16 /* requests that are deferred and not yet made */

/* The other ends of links that depend on the group. Constant. */
struct rail_group_wiring {
    uint16_t *peer_group; /* [global link x, then the ring's two]: group at the other end, or
                             NETWORK_NO_GROUP */
    uint32_t *peer_port;  /* the same: port at the other end, or NETWORK_NONE */
    uint16_t *ring_output_of_input; /* [input port]: output port by which a packet there enters the
                             escape ring or goes on in it. It exists if there is a ring. */
};

/* Requests of input VCs for outputs, and what allocators and arbiters keep. */
struct rail_group_allocation {
    /* Bits of a router's input VCs that request an output: for each output [output·request_words],
     * or, if routers allocate all their outputs together, for each router [router·request_words].
     */
    uint64_t *request_bits;
    struct bitset unrouted;       /* input VCs whose first packet waits to be routed at now_ps */
    struct bitset due_allocators; /* allocators that run at now_ps: routers if they allocate all
                                     outputs together, else outputs; and NICs */
    /* [output VC], for round-robin arbitration. NULL with another arbitration. */
    struct network_round_robin *round_robin;
    /* [output VC·radix + port]: order of service, for least-recent arbitration. NULL with another
     * arbitration. */
    uint32_t *service_order;
    /* [output VC]: when it can be allocated again. It exists if allocation takes time, if the
     * policy routes in transit, or if traffic classes share channels by rules. */
    int64_t *vc_free_ps;
    /* [input port]: when the port can begin its next traversal. It exists if routers allocate all
     * their outputs together: with crossbar input or vc, or with a policy that routes in transit.
     */
    int64_t *input_free_ps;
    /* [router]: no allocation before this time. It exists if the policy routes in transit,
     * or if output VCs are given out first. */
    int64_t *resume_ps;
    /* Port VCs that allocation can skip. It exists if the policy routes in transit. */
    struct sleepers *sleepers;
    /* See vc_allocation.h. It exists if output VCs are given out before the crossbar. */
    struct vc_allocation *vc_allocation;
    /* Input VCs whose requests are deferred and not yet made, see request_defer. */
    struct network_input_vc *deferred[NETWORK_DEFERRED_MAX];
    uint32_t deferred_count;
};

/* What routing policies keep; each is NULL with policies that do not need it. */
struct rail_group_routing {
    struct saturation *saturation;   /* state of the global links */
    struct round_trips *round_trips; /* round trips of the outputs' credits */
    uint32_t *vc_waiting_bytes;      /* [output VC]: waiting_bytes of each VC */
    /* [input VC]: number of repeated routing decisions for its first packet, with network.reroute
     */
    uint32_t *decisions;
};

/* What limits NICs and channels; each is NULL in machines without such a limit. */
struct rail_group_limits {
    struct nic_host *hosts;      /* [endpoint], see nic_host.h: limits that come from hosts */
    struct nic_windows *windows; /* see nic_windows.h: limits of what is outstanding */
    /* [endpoint], see nic_responses.h: acknowledgements as packets */
    struct nic_responses *responses;
    struct congestion *congestion;   /* see congestion.h: congestion control */
    struct class_shares *shares;     /* see class_shares.h: shares of traffic classes */
    struct nic_classes *nic_classes; /* [endpoint], see nic_classes.h: queues by traffic class */
};

/* Who records every traversal; each is NULL if nobody has asked for it. */
struct rail_group_observers {
    struct packet_trails *trails; /* see packet_trails.h: the network explains times */
    struct history *history;      /* see history.h: loads over time */
    struct watch *watch;          /* see watch.h: some of its links are watched */
    struct labels *labels;        /* see labels.h: packets have owners */
    bool has_any;                 /* one of these exists */
};

/* What is counted for results. */
struct rail_group_counts {
    struct network_totals totals;
    struct network_link_numbers *links; /* [output] */
    int64_t *held_ps;                   /* [endpoint]: as in network_link; with windows of NICs */
    uint8_t *measured;                  /* counts of the outputs, see link_measurement.h */
    size_t measured_bytes;              /* size of `measured`; 0: no measurement has begun */
    uint64_t accepted_packets;          /* packets that entered the network */
    uint64_t accepted_bytes;            /* their payload */
    uint64_t accepted_responses;        /* responses that NICs sent or have to send */
    uint64_t started_messages;          /* handed to the network or to the node's memory */
    /* [virtual network]: totals of its messages, if traffic classes share channels by rules */
    struct network_totals *class_totals;
};

/* Why a run cannot go on. */
struct rail_group_failure {
    int64_t starvation_check_ps; /* when packets are checked for this next */
    uint32_t starving_port_vc; /* an input VC whose first packet waits too long, or NETWORK_NONE */
    bool out_of_memory;
};

struct rail_group {
    /* Which rail group it is. Constant. */
    _Alignas(64) struct network *network;
    struct rail_group *home; /* that of this group in the first rail; it holds the endpoints */
    struct rail_group *groups_of_rail; /* [group]: all groups of this rail */
    const struct topology *topology;   /* of this rail; rails differ only in their failures */
    uint32_t group;                    /* number of the group */
    uint32_t rail_offset;              /* index of its rail's first rail group */
    bool is_elsewhere;                 /* another process simulates it: it has no state here */
    bool tracks_credits;               /* a returning credit changes more than its output VC */
    bool tracks_injections;            /* an injection changes more than its output and VC */
    struct rail_group_wiring wiring;

    /* The run. */
    int64_t now_ps;
    struct event_queue events;
    struct network_sender *sender; /* the thread that runs this rail group in this window */

    /* Routers. */
    struct network_output *outputs;       /* [output] */
    struct network_output_vc *output_vcs; /* [output VC] */
    struct network_input_vc *input_vcs;   /* [input VC] */
    int32_t *shared_free_bytes; /* [output]: free bytes of the buffer that the VCs at the other end
                                   share, if they do: see credits.h */
    struct rail_group_allocation allocation;
    struct rail_group_routing routing;

    /* NICs. */
    struct network_nic *nics; /* [endpoint] */
    wide *queued_bytes;       /* [endpoint]: unsent bytes of payload in its NIC's queue, if
                                 network->nics.counts_queues */
    struct rail_group_limits limits;
    struct zero_load_time *zero_load_times; /* see zero_load.h; without windows of NICs */

    /* Packets, messages and credits of the rail group. */
    struct network_packet_pool packets;
    struct network_message_record_pool messages;
    struct network_credit_pool credits;
    struct network_assembly_map assemblies;

    struct rail_group_observers observers;
    struct rail_group_failure failure;
    struct rail_group_counts counts;
};

#endif
