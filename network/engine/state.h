/*
 * The engine's state. The state of a domain, which is one group's routers and NICs in one rail, is
 * structs of arrays. Internal to network/.
 *
 * The files that share this state, by layer, lowest first (ARCHITECTURE.md has all layers):
 *
 *   packets.c       pools of packets and messages
 *   statistics.c    counts, and what is made of them
 *
 *   credits.c       flow control
 *   exchange.c      what crosses between groups
 *   wakeups.c       when an output is to be looked at
 *   sleepers.c      which input VCs need not be looked at
 *   outputs.h       when an output can take a packet
 *   requests.c      first packets ask for outputs
 *
 *   nic.c           from messages to packets and back
 *   nic_host.c      what limits NICs for the sake of their hosts
 *   rails.c         by which rail a message goes
 *
 *   routing/        which way a packet goes
 *
 *   heads.c         packets arrive, and become first in their input VC
 *   arbiter.c       which input VC an output serves first
 *   crossbar.c      transfers
 *   separable.c     the allocator of crossbars with busy inputs
 *   router.c        the allocator of the ideal crossbar; all allocation of an instant
 *
 *   derive.c        constants and tables that follow from the configuration
 *   rail_wiring.c   which routers work in which rail
 *   zero_load.c     times on an idle network
 *   domain.c        a domain's memory
 *   domain_run.c    a domain's events in their order
 *   conservation.c  nothing is lost or stuck
 *   network.c       builds the machine, takes messages and timers
 *   network_run.c   threads and windows
 *
 * Indices within a domain:
 *   port      router·radix + port of the router; input and output side share the number
 *   output    0 … ports-1 are the routers' output ports, ports + n is the NIC of local node n
 *   port VC   output·vcs + vc (output VCs: credits), port·vcs + vc (input VCs: buffers)
 * Times are picoseconds, sizes bytes with headers unless said otherwise.
 *
 * Invariant: for every port VC, credits + bytes on the wire + bytes in the buffer at the other end
 * + credits on their way back = the size of that buffer.
 */
#ifndef ANAX_NETWORK_STATE_H
#define ANAX_NETWORK_STATE_H

#include "core/bitset.h"
#include "core/event_queue.h"
#include "core/map.h"
#include "core/pool.h"
#include "network/network.h"
#include "network/topology/topology.h"

#include <assert.h>
#include <stdint.h>

#define NONE    UINT32_MAX
#define NO_LINK UINT16_MAX

struct routing_policy;
struct saturation;
struct round_trips;
struct nic_host;
struct misrouting_policy;

/* A packet on the wire or in a buffer; lives in the pool of the domain it is in (or heads for). */
struct packet {
    int64_t ready_ps; /* when its head may ask for an output */
    int64_t tail_ps;  /* when its tail will have arrived */
    int64_t born_ps;  /* when its message was handed to the NIC */
    uint32_t next;    /* in its buffer, or in its pool */
    uint32_t source;  /* nodes */
    uint32_t destination;
    uint32_t sequence;      /* of its message at the source: (source, sequence) names the message */
    uint32_t number;        /* of the packet at its source: (source, number) names the packet */
    uint32_t size_bytes;    /* header included */
    uint32_t message;       /* the message record it carries (first packets), or NONE */
    uint16_t via;           /* global link x of this group to leave by on a non-minimal path, or
                               NO_LINK: the rest of the path is minimal */
    uint16_t target_group;  /* of the destination */
    uint16_t target_router; /* in that group */
    uint16_t output_port;   /* of the router it is first in a buffer of */
    uint8_t output_vc;
    uint8_t vc;      /* VC class: rises with every global hop */
    uint8_t routers; /* passed so far */
    uint8_t flags;
};
static_assert(sizeof(struct packet) == 64, "a packet is one cache line");

enum {
    PACKET_ROUTED = 1,    /* the source router has decided on its path */
    PACKET_DETOUR = 2,    /* its path is not minimal */
    PACKET_ALONE = 4,     /* it is its whole message */
    PACKET_TURNING = 16,  /* still to go by a random router of the third group */
    PACKET_TENTATIVE = 8, /* minimal so far, to be decided on again at the next router */
    PACKET_GLOBAL = 32,   /* it has gone, or is bound to go, by a global link that is not minimal */
    PACKET_LOCAL = 64,    /* it has made a local hop too many in this group */
    PACKET_MISROUTES = 128 /* it asks for an output that is not the minimal one */
};

/* A message: in its NIC's queue, and its record travelling with its first packet. */
struct message {
    struct network_cookie cookie;
    uint64_t size_bytes; /* payload */
    union {
        uint64_t left_bytes; /* at its NIC: payload not yet cut into packets */
        uint64_t left_parts; /* sent in parts: those not yet sent, see rails.h */
        struct {
            uint32_t routers; /* delivered: that its last packet has passed */
            bool detour;      /* … and whether that took a non-minimal path */
        };
    };
    int64_t ready_ps;
    uint32_t source;
    uint32_t destination;
    uint32_t sequence;
    uint32_t next;   /* in the NIC's queue, or in its pool */
    uint32_t parent; /* the message that this is a part of, in the home's pool; or NONE */
    bool notify_sent;
    bool has_cookie;
    bool started;
    uint8_t vc; /* injection VC, once started: its packets do not overtake each other */
};

struct credit {
    int64_t time_ps;
    uint32_t bytes;
    uint32_t next;
};

/* A VC of an output port: what the other end's buffer can still take. Credits on their way back are
 * in order of time: the first one here, further ones in a ring. */
struct output_vc {
    int64_t coming_ps; /* when the first one comes; EVENT_NEVER: none is on its way */
    int32_t credits_bytes;
    uint32_t coming_bytes;
    uint32_t last_credit; /* of a ring */
    int32_t
        wanted_bytes; /* > 0: something waits for so many credits and none on their way suffice */
    int64_t free_ps;  /* while allocation takes time: when the VC can be allocated again */
};
static_assert(sizeof(struct output_vc) == 32, "two lanes are one cache line");

/* A VC of an input port: a FIFO of packets, what its first one asks for, and where it is: all that
 * allocation looks at, in one cache line. */
struct input_vc {
    uint32_t first;
    uint32_t last;
    int64_t released_ps; /* when the last credit was or will be given back: they go in order */
    int64_t eligible_ps; /* when the first packet may ask: how long allocation takes after the last
                            transfer; -1: none yet */
    /* While the first packet asks. */
    int64_t early_ps; /* before the output's free_ps that it may go: see output_early_ps */
    uint32_t output;
    uint32_t output_port_vc;
    uint32_t size_bytes;
    uint32_t request; /* its bit of request_bits; never changes where routers allocate as a whole */
    /* Its place, which never changes. */
    uint32_t input;      /* the port's number */
    uint32_t peer;       /* port VC of the output at the other end … */
    uint16_t peer_group; /* … of a router in that group, or a NIC */
    uint16_t router;
    uint16_t bit; /* the port VC's number within the router */
    uint8_t level;
    uint8_t vc;
};
static_assert(sizeof(struct input_vc) == 64, "a buffer is one cache line");

/* An output with its counts: one cache line, touched whole by every transfer. */
struct output {
    int64_t free_ps; /* when the channel (its queue in the output buffer) is used up */
    int64_t wake_ps; /* latest wake-up set, to set none twice */
    union {
        int64_t crossbar_ps;   /* routers: when the crossbar's output is free */
        int64_t overhead_paid; /* NICs: 1: of the first message in the queue, 0: not yet */
    };
    int64_t blocked_ps;     /* since when it stands idle for lack of credits, or EVENT_NEVER */
    uint32_t waiting_bytes; /* first in their buffers and asking for it */
    uint16_t requests;      /* how many input VCs ask for it */
    uint16_t turn;          /* round robin: VC after the last one served */
    uint64_t packets;
    uint64_t bytes;
    int64_t busy_ps;
};
static_assert(sizeof(struct output) == 64, "an output is one cache line");

/* Round robin at an output's VC: a round of the input ports of nodes, then one of those of transit.
 */
struct turns {
    uint16_t next[2]; /* [transit]: port VC after the port of that kind last served */
    uint16_t transit; /* of which kind the last one was … */
    uint16_t left;    /* … and how many port VCs of its round come after it */
};

#define RADIX_MAX 1024 /* network_config_check holds machines to it */

/* A node's network interface to one rail. What counts for the node is kept in the first rail's. */
struct nic {
    uint32_t first_message; /* in turn, one packet each */
    uint32_t last_message;
    uint32_t turn;     /* packets mod VCs: the first VC that the next message tries */
    uint32_t sequence; /* the node's: of the next message … */
    uint32_t number;   /* … and the next packet */
    uint32_t waiting;  /* the node's: messages in its queues */
    uint32_t rail;     /* the node's: whose turn it is */
    wide queued_bytes; /* with several rails: of the messages in this queue, not yet sent */
};

/* Messages of several packets that are partly there, by (source, sequence). */
struct assembly {
    uint64_t key;
    uint64_t bytes; /* payload arrived */
    int64_t last_ps;
    uint32_t message; /* the record, NONE until the first packet is there */
    uint8_t used;
    uint8_t detour;
    uint8_t routers;
};

static inline bool assembly_is_used(const struct assembly *assembly) {
    return assembly->used;
}
MAP_DEFINE(assembly, struct assembly, uint64_t, map_hash_of_word, map_is_same_word,
           assembly_is_used)

POOL_DEFINE(packet, struct packet)
POOL_DEFINE(message, struct message)
POOL_DEFINE(credit, struct credit)

/* What crosses to a domain of another thread. */
struct remote_event {
    int64_t time_ps;
    uint32_t domain;
    uint32_t port_vc; /* packets: input VC; credits: output VC */
    uint32_t bytes;   /* credits; 0 for packets */
    uint32_t unused;
    struct packet packet;
    struct message message;
};

struct outbox {
    struct remote_event *events_out;
    size_t count;
    size_t capacity;
    int64_t earliest_ps;
};

struct network_domain {
    struct event_queue events;
    struct network *network;
    struct network_domain
        *home; /* of this group in the first rail: nodes and all that they do are there */
    struct network_domain *rail;     /* [group]: the domains of its rail */
    const struct topology *topology; /* of its rail; rails differ only in what has failed */
    uint32_t index;                  /* group */
    uint32_t thread;                 /* which runs it */
    uint64_t window;                 /* the current one: its parity names the mailboxes */
    int64_t now_ps;
    /* Outputs and inputs. */
    struct output *outputs;
    struct output_vc *output_vcs;
    struct input_vc *input_vcs;
    /* Port VCs of a router that ask, as bits: for the output [output·request_words], or with busy
     * inputs for any [router·request_words]. */
    uint64_t *request_bits;
    uint16_t *ring_ports; /* [input port]: by which a packet there gets into the escape ring, or on
                             in it; NULL: there is no ring */
    /* Where routers allocate as a whole (crossbar input, or packets routed anew in transit): when
     * the input port's transfer ends. */
    int64_t *input_free_ps;
    int64_t *resume_ps;        /* [router], while packets are routed anew: not to allocate before */
    struct sleepers *sleepers; /* … and which of their port VCs need not be looked at */
    struct saturation *saturation;   /* of its global links, for policies that want to know */
    struct round_trips *round_trips; /* of its outputs' credits, for policies that delay credits */
    uint32_t *decisions;             /* [input VC]: anew for its first packet, where that is done */
    uint32_t *vc_waiting_bytes; /* [output VC]: as waiting_bytes, for policies that look at VCs */
    struct turns *turns;        /* [output VC], for round robin, or NULL */
    uint32_t *served;           /* least recently served: [output VC·radix + port], or NULL */
    uint32_t *peer_domain;      /* per global port of the group: x */
    uint32_t *peer_port;
    struct nic *nics;
    struct nic_host *hosts; /* [node], see nic_host.h; NULL: nothing there limits NICs */
    struct bitset heads;    /* input VCs whose first packet is to be routed now */
    struct bitset pending;  /* outputs (crossbar input: routers) to allocate now */
    struct packet_pool packets;
    struct message_pool messages;
    struct credit_pool credits;
    struct assembly_map assemblies;
    struct network_link_figures *figures; /* [output] */
    struct network_link_counts
        *measured; /* [output], see network_measure_begin; NULL: never begun */
    struct network_totals totals;
    uint64_t accepted_packets; /* into the network, for conservation */
    uint64_t accepted_bytes;
    uint64_t started_messages; /* handed to the network or the memory */
    int64_t starvation_check_ps;
    uint32_t starving_port_vc; /* NONE, or a port VC whose first packet waits too long */
    bool out_of_memory;
};

/* Where an output (or the input port of that number) is in its group, and what is at its end. */
struct place {
    uint16_t router;
    uint16_t port;          /* of the router; NICs: local node number */
    uint32_t level;         /* network_level; NICs: NETWORK_TERMINAL */
    uint32_t first_port_vc; /* of the router's inputs */
    uint32_t
        peer_port_vc; /* first port VC at the other end: local ports, and NICs for terminal ports
                      and the other way round; global ports: x (a number of the group's links) */
};

struct network {
    struct network_config config;
    struct topology topology;
    const struct routing_policy *policy;
    const struct misrouting_policy *misrouting; /* NULL: only minimal paths */
    struct network_sink sink;
    bool unordered; /* see network_sink */
    uint64_t seed;
    int64_t *next_ps; /* [group]: its earliest event in any rail, as far as its thread knows */
    uint32_t vcs;     /* of a port: the most that any has */
    uint32_t injection_vcs;
    uint32_t free_vcs;                  /* those that are not the escape ring's */
    uint32_t level_vcs[NETWORK_LEVELS]; /* how many of these ofar takes on such a channel */
    uint32_t ring_vc;                   /* NONE: there is no escape ring */
    /* Of policies that route anew in transit, else NULL: see routing_transit. */
    int64_t (*find_output)(struct network_domain *domain, uint32_t port_vc);
    void (*depart)(struct network_domain *domain, const struct input_vc *from,
                   struct packet *packet);
    bool transit_first; /* packets of other routers go before those just injected */
    bool plain; /* transfers are noted by none but the output: no policy, ring or arbiter that asks
                   for more */
    bool notes_requests;   /* more than the output hears of who asks for it */
    uint8_t needs;         /* of a domain's state, for routing: see routing_policy */
    bool reads_queues;     /* the policy's decisions at the source hang on queues */
    uint8_t minimal_class; /* first VC class of minimal paths */
    uint8_t launch_class;  /* of packets at the NIC: the way of minimal routing is decided there */
    uint8_t launch_flags;
    uint8_t settled_flag;   /* of packets whose way no longer hangs on queues; 0: it always does */
    uint32_t ports;         /* of a group's routers */
    uint32_t outputs;       /* ports + nodes of a group */
    uint32_t request_words; /* of one output, or router */
    uint32_t
        kind_port_vcs[2]; /* [transit]: of a router: those of its nodes' ports, and all others */
    uint32_t port_words;  /* of a bit for each port of a router */
    uint32_t *local_peer; /* [port]: the other end's port (local), the NIC's output (terminal) */
    char *lines; /* outputs, buffers and port VCs of all domains: in one piece, for huge pages */
    uint16_t *link_routers; /* [global link x of a group]: the router that owns it */
    struct place *places;   /* [output] */
    bool output_buffered;
    /* Per level, with the fastest way of finding a full packet's times. */
    int64_t full_packet_ps[NETWORK_LEVELS];
    int64_t bandwidth[NETWORK_LEVELS];
    int64_t latency_ps[NETWORK_LEVELS];
    int32_t buffer_bytes[NETWORK_LEVELS];
    uint32_t full_packet_bytes;  /* header included */
    int64_t injection_bandwidth; /* the slower of NIC and terminal channel */
    int64_t injection_full_ps;
    int64_t receive_bandwidth;  /* of a NIC's receiving side; 0: unlimited */
    int64_t receive_ps;         /* from the last byte at a NIC until its host has the message */
    bool host_model;            /* something of nic_host.h limits NICs … */
    bool host_receives;         /* … as they receive: packets queue there */
    bool sends_at_once;         /* a NIC may send in the instant in which it is given a message */
    int64_t crossbar_bandwidth; /* 0: unlimited */
    int64_t crossbar_full_ps;   /* of a full packet */
    int64_t output_buffer_ps[NETWORK_LEVELS]; /* time a channel takes to empty a full one */
    int64_t cycle_ps;                         /* a phit on a local channel */
    int64_t rest_ps; /* of routers whose packets are routed in transit, when rounds are used up */
    int64_t hop_ps;  /* router latency + allocation latency: from a head's arrival to its asking */
    uint32_t rails;
    struct topology
        *other_rails; /* of the rails after the first, if failures make them differ; or NULL */
    uint16_t *router_rails; /* then [router of a rail]: the rails in which it works, as bits */
    uint32_t domain_count;  /* rails · groups */
    struct network_domain *domains; /* [rail·groups + group] */
    unsigned threads;
    struct outbox *outboxes; /* [parity][from][to] */
    uint64_t windows;
    uint64_t ticks; /* windows since the run began, for progress */
    bool (*progress)(void *context, int64_t now_ps, uint64_t events);
    void *progress_context;
    bool stopped;
};

/* The number of a group's first router: rail by rail, in each group by group. */
static inline uint32_t domain_first_router(const struct network_domain *domain) {
    uint32_t number = (uint32_t)(domain - domain->network->domains);
    return number * domain->network->topology.routers;
}

/* What there is room for at the other end of an output, in each VC. */
static inline int32_t network_buffer_behind(const struct network *network, uint32_t output) {
    uint32_t level = network->places[output].level;
    bool to_node = output < network->ports && level == NETWORK_TERMINAL;
    return to_node && network->config.nic_receive_buffer_bytes > 0
               ? (int32_t)network->config.nic_receive_buffer_bytes
               : network->buffer_bytes[level];
}

/* Of the same group in another rail. */
static inline struct network_domain *domain_of_rail(const struct network_domain *domain,
                                                    uint32_t rail) {
    return domain->home + (size_t)rail * domain->network->topology.groups;
}

#endif
