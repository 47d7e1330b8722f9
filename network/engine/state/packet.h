/*
 * Packets, the notices that NICs get about them, and messages on their way. Internal to network/.
 *
 * This file includes no header of routers or NICs. These structures lie in pools (packet_pool.h)
 * and are copied when they cross between groups, so they hold indices of one pool and no pointers.
 */
#ifndef ANAX_NETWORK_PACKET_H
#define ANAX_NETWORK_PACKET_H

#include "network/network.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define NETWORK_NONE    UINT32_MAX
#define NETWORK_NO_LINK UINT16_MAX

/* A packet on the wire or in a buffer. It is stored in the pool of the rail group where it is. On
 * its way to another group it is first in a mailbox, as bytes, or waits in the pool of the group
 * that it leaves (group_exchange.c), and then is in the pool of the group that it reaches. */
struct network_packet {
    union {
        int64_t request_ps;      /* when its head may request an output */
        int64_t head_arrival_ps; /* in the list of a NIC's receiving side (nic_host.h): when its
                                    head has arrived */
    };
    int64_t tail_ps; /* when its tail will have arrived */
    union {
        int64_t ready_ps;  /* when its message was handed to the NIC (network_send) */
        int64_t resume_ps; /* notice CONGESTED: when the NIC may send to the endpoint again */
    };
    uint32_t next; /* next packet of its buffer */
    union {
        uint32_t source;             /* source endpoint */
        uint32_t packet_destination; /* notice: destination of the packet that it is about */
    };
    union {
        uint32_t destination;
        uint32_t packet_source; /* notice: source of the packet that it is about */
    };
    union {
        uint32_t sequence; /* number of its message at its node: (source, sequence) identifies it */
        uint32_t acknowledged_bytes; /* notice RECEIVED: bytes that the packet counts in windows */
    };
    uint32_t packet_number; /* number of the packet at its source: (source, packet_number)
                               identifies it */
    uint32_t size_bytes;    /* header included */
    uint32_t message;       /* first packet: index of the message record, NETWORK_NONE if the packet
                               itself has all that the record would; others: NETWORK_NONE */
    union {
        uint16_t waypoint;        /* one of the next two; NETWORK_NO_LINK: the rest of the path is
                                     minimal */
        uint16_t waypoint_link;   /* global link by which the packet leaves this group */
        uint16_t waypoint_router; /* with the flag NETWORK_PACKET_BY_ROUTER: a router of this group
                                     that the packet passes */
    };
    uint16_t target_group;  /* group of the destination */
    uint16_t target_router; /* router of the destination, numbered within its group */
    uint16_t output_port;   /* output port that it requests when it is first in its buffer */
    uint8_t vc;             /* VC of that port, always of the packet's virtual network */
    uint8_t vc_class;       /* VC class, which rises on the way (routing.h) */
    union {
        uint8_t routers;     /* number of routers passed so far */
        uint8_t notice_mark; /* of a notice: NETWORK_NOTICE_MARK */
    };
    union {
        uint8_t flags;  /* NETWORK_PACKET_… */
        uint8_t notice; /* of a notice: NETWORK_NOTICE_… */
    };
};
static_assert(sizeof(struct network_packet) == 64, "a packet is one cache line");

enum {
    NETWORK_PACKET_ROUTED = 1,     /* the path has been chosen */
    NETWORK_PACKET_NONMINIMAL = 2, /* the path is not minimal */
    NETWORK_PACKET_ALONE = 4,      /* the packet is the only one of its message */
    NETWORK_PACKET_TENTATIVE = 8,  /* the path is minimal so far; the next router decides again */
    /* The packet has yet to pass a router where its VC class rises: a random one of the third
     * group, or `waypoint_router`. */
    NETWORK_PACKET_TO_INTERMEDIATE = 16,
    /* The packet has taken, or must take, a non-minimal global link. */
    NETWORK_PACKET_GLOBAL_MISROUTE = 32,
    /* The path within this group leads by a router of the policy's choice. The packet is on its way
     * to `waypoint_router`; with ofar, which needs no waypoint for it, it has made the hop. */
    NETWORK_PACKET_BY_ROUTER = 64,
    NETWORK_PACKET_MISROUTES = 128 /* the packet requests an output that is not the minimal one */
};

/* A notice tells a NIC something about a packet that it has sent, or is a timer that a NIC sends
 * itself. It is stored as a packet, in a mailbox or in the pool of the rail group to which it is on
 * its way, and goes to the NIC of packet_source (NETWORK_NOTICE_RESPOND: of packet_destination). A
 * timer is about a pair: all packets from packet_source to packet_destination. `notice` is its
 * kind. */
enum {
    NETWORK_NOTICE_RECEIVED,  /* acknowledgement of acknowledged_bytes */
    NETWORK_NOTICE_CONGESTED, /* the port to the packet's endpoint is congested until resume_ps */
    NETWORK_NOTICE_RESUME,    /* timer: the pair may send again, unless a later CONGESTED came */
    NETWORK_NOTICE_FORGET, /* timer: the pair forgets congestion, unless a later CONGESTED came */
    NETWORK_NOTICE_RESPOND /* timer of the NIC that received the packet: send the response to
                              packet_source; `size_bytes`: size of that packet */
};
/* Not 0, so that link_measurement.c does not take a notice for a packet in an injection buffer,
 * which has passed no router. */
#define NETWORK_NOTICE_MARK 1

/* A message in its NIC's queue, or the record of a message that travels with its first packet. */
struct network_message_record {
    struct network_cookie cookie;
    union {
        uint64_t size_bytes;   /* bytes of payload */
        uint64_t window_bytes; /* response: what the acknowledged packet counts in windows */
    };
    union {
        uint64_t left_bytes;   /* at its NIC: bytes of payload not yet cut into packets */
        uint64_t left_stripes; /* sent in stripes: number of stripes not yet sent, see rails.h */
        uint64_t wire_bytes;   /* record on its way: bytes of all packets of the message */
        struct {
            uint32_t routers;   /* delivered: number of routers that its last packet passed */
            bool is_nonminimal; /* delivered: whether any of its packets took a non-minimal path */
        };
    };
    union {
        int64_t ready_ps; /* when it was handed to the NIC (network_send); of a response: when it
                             was added */
        int64_t sent_ps;  /* sent in stripes: when the latest of the stripes sent so far was sent */
    };
    uint32_t source;
    uint32_t destination;
    uint32_t sequence;
    uint32_t next;   /* next message of the NIC's queue */
    uint32_t parent; /* NETWORK_NONE, or if this is a stripe: index of that message in
                        the home's pool */
    bool notify_sent : 1;
    bool has_cookie : 1;
    bool started : 1;
    uint8_t virtual_network;
    uint8_t vc; /* VC of the NIC's channel once started; all packets of the message use it and so
                   keep their order */
};

#endif
