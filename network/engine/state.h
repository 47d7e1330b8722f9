/*
 * The engine's state. A `struct network_domain` holds the routers and NICs of one group in one
 * rail, as structs of arrays. Internal to network/.
 *
 * The files that share this state, by layer, lowest first (ARCHITECTURE.md has all layers):
 *
 *   ports.h         input VCs, output VCs and outputs
 *   machine.h       what the code of a hop knows of the machine
 *   packet.h        packets, answers, and messages on their way
 *   packets.c       pools of packets and messages
 *   distribution.c  which process simulates which group
 *   packet_trails.c what the times of packets consist of, if the network explains times
 *   statistics.c    counts of deliveries, and the totals and tables made of them
 *   link_measurement.c  what each output sends in a measurement
 *   history.c       the load of channels over time, if it is kept
 *   labels.c, watch.c  the owners of packets, and who loads a link, if links are watched
 *
 *   credits.c       flow control
 *   exchange.c      packets, credits and answers that cross between groups
 *   remote_groups.c the same between processes
 *   wakeups.c       when an output allocates
 *   sleepers.c      input VCs that an allocator can skip
 *   outputs.h       when an output can take a packet
 *   shares.c        shares of traffic classes
 *   requests.c      requests of first packets for outputs
 *   congestion.c    congested ports to nodes, told to the NICs that send there
 *
 *   nic.c, nic_receive.c  NICs: messages are cut into packets, and reassembled
 *   nic_host.c      limits that come from hosts
 *   nic_choice.c    choice of the NICs of a message
 *   nic_windows.c, nic_responses.c  limits of what NICs have outstanding, and queues of responses
 *   acknowledgements.c  packets received, told to the NICs that sent them
 *   nic_classes.c   queues of a NIC by traffic class
 *   nic_abandon.c   messages dropped before NICs have begun to send them
 *   rails.c         choice of the rail of a message
 *
 *   routing/        choice of paths
 *
 *   route_computation.c  what happens when a packet becomes first in its input VC
 *   arbiter.c       which of several requests is granted
 *   crossbar.c      transfers
 *   separable.c, vc_allocation.c, router.c  the allocators; all allocation of an instant
 *
 *   derive.c, rail_wiring.c  constants and tables that follow from the configuration
 *   zero_load.c     times on an idle network
 *   domain.c, domain_run.c  a domain's memory, and its events in their order
 *   conservation.c, stuck_report.c  checks that nothing is lost or stuck; where packets are stuck
 *   gather.c        results of a network that several processes simulate
 *   saved_domain.c, network_checkpoint.c  the state of a domain, and of a run, in a checkpoint
 *   network.c, network_run.c  building the machine, messages and timers; threads and windows
 *
 * Indices within a domain:
 *   port      router·radix + port of the router; input and output side share the number
 *   output    0 … ports-1 are the routers' output ports, ports + n is the NIC of local node n
 *   port VC   output·vcs + vc (output VCs: credits), port·vcs + vc (input VCs: buffers)
 * Times are picoseconds. Sizes are bytes and include headers unless a comment says otherwise.
 *
 * In the engine, as in topology/ and routing/, a "node" is an endpoint (node_shape.h): the
 * network's user gives and gets nodes; network.c and deliveries translate. Only nic_choice.c and
 * network_nic.first_nic know which endpoints are one node. With one NIC per node both are the
 * same.
 *
 * Invariant: for every output VC whose channel ends at a router, four amounts add up to the size of
 * the buffer at the other end: the credits, the bytes on the wire, the bytes in that buffer, and
 * the credits on their way back. A packet of the escape ring counts as the largest packet. With
 * network.release: head, a packet's bytes count as free from when its head leaves. With shared
 * buffers, credits can be negative: see credits.h. Output VCs to nodes have no credits. If
 * NICs have receive buffers, the VCs of a port to a node share the credits of VC 0.
 */
#ifndef ANAX_NETWORK_STATE_H
#define ANAX_NETWORK_STATE_H

#include "core/base/divisor.h"
#include "core/memory/bitset.h"
#include "core/memory/map.h"
#include "core/memory/pool.h"
#include "core/processes/processes.h"
#include "core/simulation/event_queue.h"
#include "core/simulation/windows.h"
#include "network/engine/machine.h"
#include "network/engine/packet.h"
#include "network/engine/ports.h"
#include "network/network.h"
#include "network/topology/topology.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

#define NETWORK_NO_LINK  UINT16_MAX
#define NETWORK_NO_GROUP UINT16_MAX

struct routing_policy;
struct saturation;
struct round_trips;
struct nic_host;
struct nic_classes;
struct shares;
struct nic_windows;
struct nic_responses;
struct congestion;
struct trails;
struct network_trail;
struct network_sender;
struct history;
struct labels;
struct watch;
struct misrouting_policy;

#define NETWORK_PREPARED_MAX 16 /* requests that are prepared and not yet made */

/* A network interface of a node to one rail. Members marked "node's" count for all NICs and rails
 * and are used only in the first rail's NIC of the node's first endpoint; those marked
 * "endpoint's" count for all rails and are used only in the first rail's NIC. */
struct network_nic {
    uint32_t first_message; /* queue of messages, which take turns packet by packet */
    uint32_t last_message;
    /* [virtual network]: the VC that the next message tries first: packets sent modulo injection
     * VCs */
    uint8_t next_vc[NETWORK_VIRTUAL_MAX];
    uint8_t next_rail;  /* the endpoint's: the rail that has its turn next */
    uint16_t nic_turn;  /* the node's: turns of its NICs so far, modulo their number squared */
    uint32_t first_nic; /* the node's first NIC, numbered as endpoint within the group */
    uint32_t sequence;  /* the node's: sequence number of the next message */
    uint32_t number;    /* the endpoint's: number of the next packet */
    uint32_t waiting;   /* the node's: number of messages in its queues */
};
static_assert(sizeof(struct network_nic) == 32, "every node has one: see docs/bench.md");
static_assert(NETWORK_RAILS_MAX <= UINT8_MAX, "next_rail");

/* A message of several packets of which some have arrived, by (source node, sequence). */
struct network_assembly {
    uint64_t key;
    uint64_t bytes;   /* bytes of the packets that have arrived */
    int64_t last_ps;  /* arrival time of its latest packet */
    uint32_t message; /* index of the message record; NETWORK_NONE until a packet has arrived */
    uint32_t trail;   /* see trail_arrived */
    uint8_t used;
    uint8_t detour; /* whether any of its packets took a non-minimal path */
    uint8_t routers;
};

static inline bool network_assembly_is_used(const struct network_assembly *assembly) {
    return assembly->used;
}
MAP_DEFINE(network_assembly, struct network_assembly, uint64_t, map_hash_of_word, map_is_same_word,
           network_assembly_is_used)

POOL_DEFINE(network_packet, struct network_packet)
POOL_DEFINE(network_message_record, struct network_message_record)
POOL_DEFINE(network_credit, struct network_credit)

struct network_domain {
    struct event_queue events;
    struct network *network;
    struct network_domain *home; /* domain of this group in the first rail; it holds the nodes */
    struct network_domain *rail_domains; /* [group]: the domains of this domain's rail */
    const struct topology *topology;     /* of this rail; rails differ only in their failures */
    uint32_t group;                      /* number of the group */
    bool is_elsewhere;                   /* another process simulates it: it has no state here */
    uint32_t rail_offset;                /* number of its rail's first domain */
    struct network_sender *sender;       /* the thread that runs this domain in this window */
    int64_t now_ps;
    struct network_output *outputs;
    struct network_output_vc *output_vcs;
    struct network_input_vc *input_vcs;
    int64_t *vc_free_ps; /* [output VC]: when it can be allocated again; NULL unless allocation
                            takes time, the policy reroutes packets in transit, or traffic classes
                            share channels by rules */
    /* Bits of a router's port VCs that request an output: per output [output·request_words], or,
     * if routers allocate all their outputs together, per router [router·request_words]. */
    uint64_t *request_bits;
    uint16_t *ring_ports; /* [input port]: output port by which a packet there enters the escape
                             ring or goes on in it; NULL: no ring */
    /* [input port]: when the port can begin its next transfer. NULL unless routers allocate all
     * their outputs together: crossbar input or vc, or a policy that reroutes packets in
     * transit. */
    int64_t *input_free_ps;
    int64_t *resume_ps; /* [router]: no allocation before this time; NULL unless the policy reroutes
                           packets in transit or output VCs are given out first */
    struct sleepers *sleepers; /* port VCs that allocation can skip; NULL unless the policy reroutes
                                  packets in transit */
    struct saturation *saturation;   /* state of global links, for policies that use it; or NULL */
    struct round_trips *round_trips; /* round trips of the outputs' credits, for policies that delay
                                        credits; or NULL */
    bool notes_credits;              /* a returning credit changes more than its output VC */
    int32_t *shared_free_bytes; /* [output]: free bytes of the buffer that the VCs at the other end
                       share, see credits.h; NULL: they share none */
    uint32_t *decisions;        /* [input VC]: repeated routing decisions for its first packet; NULL
                                   without network.reroute */
    uint32_t *vc_waiting_bytes; /* [output VC]: waiting_bytes per VC, for policies that look at VCs;
                                   or NULL */
    struct network_turns *turns; /* [output VC], for round-robin arbitration; or NULL */
    uint32_t *served;     /* [output VC·radix + port], for least-recent arbitration; or NULL */
    uint16_t *peer_group; /* [global link x]: group at the other end, or NETWORK_NO_GROUP */
    uint32_t *peer_port;  /* [global link x]: port at the other end, or NETWORK_NONE */
    struct network_nic *nics;
    wide *queued_bytes;          /* [node]: unsent bytes of payload in its NIC's queue; NULL unless
                                    network.counts_queues */
    struct nic_host *hosts;      /* [node], see nic_host.h; NULL: hosts do not limit NICs */
    struct nic_windows *windows; /* see nic_windows.h; NULL: no limits of what is outstanding */
    struct zero_load_time *zero_load_times; /* see zero_load.h; NULL: NICs have windows */
    struct nic_responses *responses; /* [node], see nic_responses.h; NULL: no acknowledgement is a
                                        packet */
    struct congestion *congestion;   /* see congestion.h; NULL: no congestion control */
    struct trails *trails;   /* see packet_trails.h; NULL: the network does not explain times */
    struct history *history; /* see history.h; NULL: no time bins are kept */
    struct watch *watch;     /* see watch.h; NULL: none of its links is watched */
    struct labels *labels;   /* see labels.h; NULL: packets have no labels */
    bool is_observed;        /* one of these four exists: every transfer is noted */
    bool notes_injections;   /* an injection changes more than its output and VC */
    /* NULL unless traffic classes share channels by rules (network_config_has_shares): */
    struct shares *shares;               /* see shares.h */
    struct nic_classes *nic_classes;     /* [node], see nic_classes.h */
    struct network_totals *class_totals; /* [virtual network]: messages and their latencies */
    struct vc_allocation *vc_allocation; /* see vc_allocation.h; NULL: output VCs are given out
                                            together with the crossbar */
    /* Input VCs whose requests are prepared and not yet made, see request_prepare. */
    struct network_input_vc *prepared[NETWORK_PREPARED_MAX];
    uint32_t prepared_count;
    struct bitset heads;   /* input VCs whose first packet waits to be routed at now_ps */
    struct bitset pending; /* pending allocators at now_ps: routers if they allocate all outputs
                              together, else outputs; and NICs */
    struct network_packet_pool packets;
    struct network_message_record_pool messages;
    struct network_credit_pool credits;
    struct network_assembly_map assemblies;
    struct network_link_figures *figures; /* [output] */
    int64_t *held_ps;                     /* [node]: as in network_link; NULL: no windows */
    uint8_t *measured;                    /* counts of the outputs, see link_measurement.h */
    size_t measured_bytes;                /* size of `measured`; 0: no measurement has begun */
    struct network_totals totals;
    uint64_t accepted_packets;   /* packets that entered the network, for conservation_check */
    uint64_t accepted_bytes;     /* their payload */
    uint64_t accepted_responses; /* responses that NICs sent or have to send */
    uint64_t started_messages;   /* messages handed to the network or to the node's memory */
    int64_t starvation_check_ps;
    uint32_t starving_port_vc; /* NETWORK_NONE, or a port VC whose first packet waits too long */
    bool out_of_memory;
};

/* The position of an output, or of the input port with that number, in its group, and the other
 * end of its channel. */
struct network_output_wiring {
    uint16_t router;
    uint16_t port;          /* port of the router; NICs: local node number */
    uint16_t channel_kind;  /* network_channel_kind; NICs: NETWORK_TERMINAL */
    uint16_t channel;       /* kind of its channel, see NETWORK_CHANNELS */
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

struct network {
    struct network_config config;
    struct network_machine
        machine; /* what the engine's code knows of it; domain_run_of can make it a constant */
    void (*run_group)(struct network_domain *home,
                      int64_t end_ps); /* in a run, see domain_run_of */
    struct topology topology;
    uint64_t stripe_bytes; /* messages of this size or more are sent in stripes; 0: none are */
    const struct routing_policy *policy;
    const struct misrouting_policy *misrouting; /* NULL: all paths are minimal */
    struct network_sink sink;
    bool unordered; /* see network_sink */
    uint64_t seed;  /* network_seed reads it */
    atomic_bool *seed_was_read;
    int64_t *next_ps; /* [group]: the earliest event in any rail, see windows.h */
    uint32_t vcs;     /* VCs per port: virtual networks · network_vcs */
    uint32_t virtual_networks;
    /* Numbers of VCs in one virtual network; VCs are counted from its first VC. */
    uint32_t network_vcs;   /* VCs per port: the largest number that any port has */
    uint32_t injection_vcs; /* number of injection VCs */
    uint32_t free_vcs;      /* VCs that are not the escape ring's */
    uint32_t channel_vcs[NETWORK_CHANNEL_KINDS]; /* [channel kind]: number of free VCs that ofar
                                           uses on such a channel */
    uint32_t ring_vc; /* the escape ring's VC; NETWORK_NONE: no escape ring */
    /* Functions of policies that reroute packets in transit, else NULL: see routing_transit. */
    int64_t (*find_output)(struct network_domain *domain, uint32_t port_vc);
    void (*depart)(struct network_domain *domain, const struct network_input_vc *from,
                   struct network_packet *packet);
    bool transit_first;  /* packets from other routers go before packets just injected */
    bool has_precedence; /* transit priority or traffic classes decide before arbitration does */
    bool orders_inputs; /* inputs choose by traffic class or age, not only by their last transfer */
    bool notes_transfers; /* transfers change more than the output: a policy, ring or arbiter needs
                             it */
    bool counts_requests; /* outputs count their requests, because the policy reads queues or
                             withdraws requests */
    bool notes_requests;  /* requests are counted per VC or link too, or packets share a receive
                             buffer */
    uint8_t needs;        /* state of domains that the policy needs: see routing_policy */
    bool reads_queues;    /* the policy's decisions at the source depend on queues */
    bool links_by_packet; /* packets, not messages, draw one of several links */
    bool shortest_links;  /* … and draw it among those on the shortest paths */
    bool keeps_links;     /* packets on minimal paths keep the link in `waypoint` */
    bool loads_of_ports;  /* decisions compare the queues of the router's ports */
    struct by_hop bias_byte_hops; /* without network.routing_bias */
    bool bias_by_hop;             /* whether any of these is not 0 */
    bool several_paths;           /* decisions compare several candidates, or paths by routers */
    uint32_t minimal_candidates;  /* most minimal and non-minimal paths that a decision compares */
    uint32_t detour_candidates;
    uint8_t minimal_class;   /* first VC class of minimal paths */
    uint8_t injection_class; /* VC class of packets at the NIC; set there if the path is known to be
                             minimal */
    uint8_t injection_flags; /* flags of packets at the NIC */
    uint8_t settled_flag; /* flag of packets whose path no longer depends on queues; 0: paths always
                             depend on queues */
    uint32_t ports;       /* number of ports of a group's routers */
    uint32_t outputs;     /* number of a group's outputs: ports + nodes */
    uint32_t request_words; /* 64-bit words of request_bits per output or router */
    uint32_t kind_ports[2]; /* [transit]: a router's ports to nodes, and all its other ports */
    uint32_t port_words;    /* 64-bit words that hold one bit for each port of a router */
    uint32_t *local_peer;   /* [output]: the port at the other end (local ports and NICs), the NIC's
                               output (terminal ports), NETWORK_NONE (global ports) */
    char *port_state; /* outputs, input VCs and output VCs of all domains, in one piece for huge
                         pages */
    struct network_link_end *link_ends;       /* [global link x of a group] */
    struct network_output_wiring *wiring;     /* [output] */
    struct network_input_position *positions; /* [input VC] */
    struct divisor by_vcs;                    /* divides the number of a port VC by vcs */
    const char *timer_items;                  /* see network_timer_items; or NULL */
    size_t timer_item_bytes;
    bool fetches_outputs; /* the memory that events touch is prefetched, see fetch_in_stages.h */
    /* Constants of each kind of channel; full_packet_ps avoids a division for full packets. */
    int64_t full_packet_ps[NETWORK_CHANNELS];
    int64_t bandwidth[NETWORK_CHANNELS]; /* bytes per second */
    int64_t latency_ps[NETWORK_CHANNELS];
    int64_t local_latency_ps; /* the largest of a local channel */
    bool unequal_locals;      /* local channels are of several kinds */
    int32_t buffer_bytes[NETWORK_CHANNEL_KINDS];
    int32_t shared_buffer_bytes[NETWORK_CHANNEL_KINDS]; /* of an input, for all of its VCs */
    bool shares_buffers;                                /* some of these are not 0 */
    uint32_t full_packet_bytes;                         /* headers included */
    uint32_t history_bins;                              /* 0: there is no history */
    struct network_label_pattern victims[NETWORK_PATTERNS_MAX]; /* network_watch_waits */
    uint32_t victim_count;
    uint32_t watched_flows,
        watched_pairs; /* of a watched link, most that have a row of their own */
    bool rounds_sizes; /* packets have cells or whole flits, so that their bytes do not say how
                          large their payload is */
    int64_t injection_bandwidth; /* bytes per second: the smallest of NIC, terminal channel and host
                                    interface */
    int64_t injection_full_ps;   /* time of a full packet at injection_bandwidth */
    int64_t receive_bandwidth;   /* bytes per second of a NIC's receiving side; 0: unlimited */
    int64_t receive_ps;   /* time from a message's last byte at a NIC until its host has it */
    bool host_model;      /* nic_host.h limits NICs */
    bool acknowledges;    /* NICs acknowledge packets */
    bool has_responses;   /* acknowledgements are packets, in a virtual network of their own */
    uint32_t response_vc; /* first VC of the responses, above all VCs of data; UINT32_MAX: none */
    bool has_windows;     /* nic_windows.h limits NICs */
    bool limits_nics;     /* windows or shares limit NICs, or responses go before data */
    bool has_congestion_control;
    int64_t congestion_window_bytes; /* of a pair after a notice of congestion */
    int64_t drain_bandwidth; /* bytes per second that both a port to a node and its NIC can take */
    bool has_pairs;          /* nic_windows.h keeps the state of pairs */
    /* Returns the time of a packet without bytes from one node to another by the domain's rail on
     * an idle network. `sequence` chooses among parallel links as that of a message does. */
    int64_t (*path_latency_ps)(const struct network_domain *domain, uint32_t source,
                               uint32_t destination, uint32_t sequence);
    bool host_receives; /* nic_host.h limits receiving: packets queue at NICs */
    bool sends_at_once; /* a NIC may send a message at the time at which it is given the message */
    int64_t crossbar_bandwidth; /* bytes per second; 0: unlimited */
    int64_t crossbar_full_ps;   /* serialisation time of a full packet in the crossbar */
    int64_t output_buffer_ps[NETWORK_CHANNELS]; /* time to send a full output buffer */
    int64_t cycle_ps;                           /* time of a phit on a local channel */
    int64_t allocation_pause_ps; /* pause of a router that reroutes and has used up its rounds */
    int64_t router_delay_ps; /* router latency + allocation latency: from a head's arrival to its
                                request */
    uint32_t rails;
    bool counts_queues;           /* a choice of rails or NICs may need domain.queued_bytes */
    bool nics_by_queue;           /* nodes choose their NICs by domain.queued_bytes */
    struct topology *other_rails; /* topologies of the rails after the first if failures make them
                                     differ; else NULL */
    uint16_t *router_rails; /* [router of a rail]: bits of the rails in which it works; NULL if
                               other_rails is NULL */
    uint32_t domains_in_all_rails;  /* rails · groups */
    uint32_t domains_here;          /* domains that this process simulates */
    struct network_domain *domains; /* [rail·groups + group] */
    unsigned threads;               /* threads of the run */
    struct network_sender *senders; /* [thread], and one for other processes, see exchange.h */
    /* If several processes simulate the network together: */
    struct processes *processes; /* NULL: this process simulates all groups */
    unsigned process;            /* number of this one */
    unsigned *process_of_group;
    struct processes_packing *outgoing;  /* [process]: the block for it, see remote_groups.h */
    struct processes_unpacking *arrived; /* [process]: the block that came from it */
    struct status
        stop_status; /* why the processes could not go on together, or the run was ended */
    struct network_totals *elsewhere;          /* after a run: totals of the other processes, of all
                                                  messages, then of each traffic class */
    struct network_output *outputs_elsewhere;  /* of the groups of other processes, see gather.c */
    const struct network_run_options *options; /* of the run */
    struct windows_result run;                 /* figures of the run */
    unsigned wishes;           /* what processes wish after the window, see network_checkpoint.h */
    uint64_t progress_windows; /* windows counted for progress calls */
    bool stopped;              /* the run was ended before its last event */
    uint8_t first_vcs[UINT8_MAX + 1]; /* [VC]: first VC of its virtual network */
};

/* Returns the number of the domain's first router in the whole machine. Routers are numbered
 * rail by rail, and in each rail group by group. */
static inline uint32_t domain_first_router(const struct network_domain *domain) {
    uint32_t number = (uint32_t)(domain - domain->network->domains);
    return number * domain->network->topology.routers;
}

/* Makes the engine note every transfer of a domain. */
static inline void domain_observe(struct network_domain *domain) {
    domain->is_observed = true;
    domain->network->machine.observed = true;
}

/* Returns the position of an input VC. */
static inline const struct network_input_position *
input_vc_position(const struct network_domain *domain, const struct network_input_vc *input_vc) {
    return &domain->network->positions[input_vc - domain->input_vcs];
}

/* Returns the output of an output VC, or the port of an input VC. */
static inline uint32_t port_of_vc(const struct network *network, uint32_t port_vc) {
    return divisor_quotient(network->by_vcs, port_vc);
}

/* Returns the first packet of an input VC that is not empty. */
static inline struct network_packet *input_vc_packet(const struct network_domain *domain,
                                                     const struct network_input_vc *input_vc) {
    return &domain->packets.items[input_vc->first];
}

/* Returns the output that the first packet of an input VC requests. */
static inline uint32_t input_vc_output(const struct network_domain *domain,
                                       const struct network_input_vc *requester) {
    uint32_t radix = domain->network->topology.radix;
    return input_vc_position(domain, requester)->router * radix +
           input_vc_packet(domain, requester)->output_port;
}

/* Returns when an output VC can be allocated again. */
static inline int64_t output_vc_free_ps(const struct network_domain *domain,
                                        const struct network_machine *machine, uint32_t port_vc) {
    return machine->allocation_times ? domain->vc_free_ps[port_vc] : 0;
}

/* Returns the size in bytes of the buffer at the other end of an output, for each VC. */
static inline int32_t network_buffer_behind(const struct network *network, uint32_t output) {
    uint32_t kind = network->wiring[output].channel_kind;
    bool to_node = output < network->ports && kind == NETWORK_TERMINAL;
    return to_node && network->config.nic_receive_buffer_bytes > 0
               ? (int32_t)network->config.nic_receive_buffer_bytes
               : network->buffer_bytes[kind];
}

/* A virtual network is a set of all VCs that the routing policy and the NICs need, with buffers of
 * its own on every channel: VC number v · network_vcs + w is VC w of virtual network v. Policies
 * choose w. A packet does not leave its virtual network. */

/* Returns the first VC of the virtual network of a VC. A plain machine has one virtual network. */
static inline uint32_t network_first_vc(const struct network *network,
                                        const struct network_machine *machine, uint32_t vc) {
    return machine->plain ? 0 : network->first_vcs[vc];
}

/* Returns the first VC of a packet's virtual network. */
static inline uint32_t packet_first_vc(const struct network *network,
                                       const struct network_packet *packet) {
    return network->first_vcs[packet->output_vc];
}

/* Returns the virtual network of a packet. */
static inline uint32_t packet_virtual_network(const struct network *network,
                                              const struct network_packet *packet) {
    return packet->output_vc / network->network_vcs;
}

/* Returns whether a VC is one of the responses' virtual network. */
static inline bool network_is_response_vc(const struct network *network, uint32_t vc) {
    return vc >= network->response_vc;
}

/* Returns the output VC that a packet requests at an output. If NICs have receive buffers, all VCs
 * of an ejection port share the credits of VC 0, because a receive buffer serves all VCs but those
 * of responses, which NICs take at once. */
static inline uint32_t packet_port_vc(const struct network *network,
                                      const struct network_machine *machine,
                                      const struct network_packet *packet, uint32_t output) {
    bool shared = !machine->plain && network->config.nic_receive_buffer_bytes > 0 &&
                  network->wiring[output].channel_kind == NETWORK_TERMINAL &&
                  !network_is_response_vc(network, packet->output_vc);
    return output * network->vcs + (shared ? 0 : packet->output_vc);
}

/* Returns whether a VC is one of the escape ring's. */
static inline bool network_is_ring_vc(const struct network *network, uint32_t vc) {
    return vc - network->first_vcs[vc] == network->ring_vc;
}

/* Returns the bytes of the buffer that the VCs at the other end of an output share. */
static inline int32_t network_shared_behind(const struct network *network, uint32_t output) {
    uint32_t kind = network->wiring[output].channel_kind;
    bool to_node = output < network->ports && kind == NETWORK_TERMINAL;
    return to_node ? 0 : network->shared_buffer_bytes[kind];
}

/* Returns the domain of the same group in another rail. */
static inline struct network_domain *domain_of_rail(const struct network_domain *domain,
                                                    uint32_t rail) {
    return domain->home + (size_t)rail * domain->network->topology.groups;
}

/* Returns the seed for a random choice between several possibilities, and notes that the run
 * depends on the seed. Several threads may call it at once. */
static inline uint64_t network_seed(const struct network *network) {
    if (!atomic_load_explicit(network->seed_was_read, memory_order_relaxed))
        atomic_store_explicit(network->seed_was_read, true, memory_order_relaxed);
    return network->seed;
}

#endif
