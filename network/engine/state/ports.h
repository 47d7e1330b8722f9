/*
 * The state of ports: input VCs, output VCs and outputs. Internal to network/; state.h says how
 * they are numbered.
 */
#ifndef ANAX_NETWORK_PORTS_H
#define ANAX_NETWORK_PORTS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define NETWORK_PORT_BITS 10
#define NETWORK_RADIX_MAX                                                                          \
    (1 << NETWORK_PORT_BITS) /* most ports of a router; network_config_check rejects more */

/* A VC of an output port: the free space in the buffer at the other end. Returning credits are kept
 * in order of time. Most VCs have at most one returning credit and need no more than this struct. A
 * VC with several, or with a packet that waits for credits, also has an overflow record: an item of
 * the rail group's pool of credits. */
struct network_output_vc {
    int64_t returning_ps;  /* arrival time of the earliest returning credit; EVENT_NEVER: none */
    int32_t credits_bytes; /* bytes of credit that have arrived */
    union {
        uint32_t returning_bytes; /* without an overflow record: bytes of the earliest returning
                                     credit; 0: none */
        uint32_t overflow;        /* with an overflow record, which has these bytes: its index +
                                     NETWORK_HAS_OVERFLOW, a bit that says which of the two it is */
    };
};
static_assert(sizeof(struct network_output_vc) == 16, "four output VCs are one cache line");

#define NETWORK_HAS_OVERFLOW (1u << 31) /* a packet fits into a buffer of at most 1 GiB */

/* An item of a rail group's pool of credits: either a returning credit that comes after the
 * earliest one of its VC, or the overflow record of an output VC. The returning credits of a VC
 * form a ring.
 */
struct network_credit {
    union {
        int64_t time_ps;
        struct {                      /* overflow record: */
            uint32_t returning_bytes; /* bytes of the earliest returning credit; 0: there is none */
            uint32_t last_credit;     /* last credit of the ring, whose successor is the first;
                                         NETWORK_NONE: the ring is empty */
        };
    };
    union {
        uint32_t bytes;
        uint32_t wanted_bytes; /* overflow record: > 0: credits that a packet waits for and that
                                  those on their way do not cover */
    };
    uint32_t next;
};
static_assert(sizeof(struct network_credit) == 16, "four credits are one cache line");

/* A VC of an input port: a FIFO of packets. The request of its first packet is in the packet. */
struct network_input_vc {
    uint32_t first;
    uint32_t last;
    union {
        int64_t eligible_ps;   /* when the first packet may request an output: the last traversal
                                  plus the allocation latency (crossbar vc: not before that traversal
                                  ends); -1: no traversal yet */
        int64_t service_order; /* the same number as the order of service of an input's VCs: the
                                  one with the least was served longest ago (arbiter.c,
                                  separable_allocation.c, vc_allocation.c) */
    };
};
static_assert(sizeof(struct network_input_vc) == 16, "four input VCs are one cache line");

/* The position of an input VC, which is the same in all groups. */
struct network_input_position {
    uint32_t input; /* number of the port */
    union {
        uint32_t peer;        /* local and terminal ports: output VC at the other end */
        uint32_t global_link; /* global ports: number x of the group's global link */
    };
    uint16_t router;
    uint16_t bit;         /* number of the input VC within the router */
    uint8_t channel_type; /* type of the channel that leads to it */
    uint8_t vc;
    bool is_global; /* whether that channel is a global one */
};
static_assert(sizeof(struct network_input_position) == 16, "four positions are one cache line");

/* Whether a NIC has spent the overhead of the first message of its queue. */
enum {
    NETWORK_OVERHEAD_DUE,       /* it has not, or the message has begun since */
    NETWORK_OVERHEAD_PAID,      /* it has, or is spending it now */
    NETWORK_OVERHEAD_PAID_EARLY /* it has, and the channel has sent a response since then */
};

/* An output with its counts. Every traversal touches all of it, so it fills one cache line. */
struct network_output {
    int64_t free_ps; /* when the channel has sent all packets it was given, those in the output
                        buffer included; NICs: and when the overhead of a message has been spent */
    int64_t wake_ps; /* time of the wake-up that was set last; it avoids duplicates */
    union {
        int64_t crossbar_free_ps; /* routers: when the output side of the crossbar is free */
        int64_t overhead_state; /* NICs: NETWORK_OVERHEAD_…, of the first message in the queue */
    };
    /* Since when the output is stalled for lack of credits, or EVENT_NEVER. */
    int64_t stalled_since_ps;
    /* Kept only if network->routers.counts_requests: */
    uint32_t waiting_bytes; /* bytes of the first packets that request this output */
    uint16_t requests;      /* number of input VCs that request this output */

    uint16_t turn_vc; /* round robin: the output VC whose turn it is, after that of the packet
                         chosen last among several */
    uint64_t packets;
    uint64_t bytes; /* bytes sent, headers included */
    int64_t busy_ps;
};
static_assert(sizeof(struct network_output) == 64, "an output is one cache line");

/* The pointers of round robin at an output VC. Rounds over the ports from endpoints alternate with
 * rounds over the transit ports, which are those from other routers. */
struct network_round_robin {
    uint32_t next_terminal : NETWORK_PORT_BITS; /* the port from an endpoint that goes first */
    uint32_t next_transit : NETWORK_PORT_BITS;  /* the transit port that goes first */
    uint32_t ports_left : NETWORK_PORT_BITS;    /* number of ports left in the current round */
    uint32_t served_transit : 1; /* whether the port chosen last among several is a transit port */
};
static_assert(sizeof(struct network_round_robin) == 4, "ten bits for each number of a port");

#endif
