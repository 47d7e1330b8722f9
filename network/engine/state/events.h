/*
 * The meaning of a rail group's events: their kinds, and the numbers of the event queue that say
 * what each is about. Internal to network/.
 */
#ifndef ANAX_NETWORK_EVENTS_H
#define ANAX_NETWORK_EVENTS_H

#include <stdint.h>

/* Kinds of keyed events. The key is kind·2^60 + entity. */
enum {
    NETWORK_EVENT_READY = 1, /* a message reaches its NIC */
    NETWORK_EVENT_DELIVERED = 2,
    NETWORK_EVENT_SENT = 3,       /* the last byte of a message has left its NIC */
    NETWORK_EVENT_KEYED_TIMER = 4 /* a timer of the sink expires */
};
#define NETWORK_EVENT_KEY(kind, entity) (((uint64_t)(kind) << 60) | (entity))

/* Kinds of free events. Their order within a time stamp does not matter: they only make work
 * due, what they change besides commutes (such as the end of a sleep, see sleepers.h), or they are
 * timers of a sink that states that their order does not matter. Each kind says what the two
 * numbers of its events, `where` and `what`, mean. */
enum {
    /* A packet enters the FIFO of its input VC: its head has arrived, and the latencies of the
     * router and of allocation have passed since. If the packet is first there, it requests an
     * output; where: input VC, what: packet. */
    NETWORK_EVENT_ENTER_VC,
    /* The first packet of an input VC may request an output; where: input VC. */
    NETWORK_EVENT_FRONT,
    /* An output or a NIC allocates again; where: output. */
    NETWORK_EVENT_WAKE,
    /* A timer of the sink expires; where: entity, what: its data. */
    NETWORK_EVENT_FREE_TIMER,
    /* A credit arrives, for saturation_remove_credit; where: output VC, what: bytes. */
    NETWORK_EVENT_CREDIT,
    /* Saturation of a link becomes known; where: link, what: see saturation_receive_report. */
    NETWORK_EVENT_SATURATION_REPORT,
    /* The first packet of an input VC is routed again if it still has this number at its source;
     * where: input VC, what: number. */
    NETWORK_EVENT_REROUTE,
    /* A notice arrives; what: its index in the pool of packets. */
    NETWORK_EVENT_NOTICE
};
#define NETWORK_EVENT_WHERE_BITS   28
#define NETWORK_EVENT_KIND_BITS    3
#define NETWORK_EVENT_KIND(event)  ((event) >> (63 - NETWORK_EVENT_KIND_BITS))
#define NETWORK_EVENT_WHAT(event)  ((uint32_t)((event) >> NETWORK_EVENT_WHERE_BITS))
#define NETWORK_EVENT_WHERE(event) ((uint32_t)(event) & ((1u << NETWORK_EVENT_WHERE_BITS) - 1))
#define NETWORK_EVENT(kind, what, where)                                                           \
    ((uint64_t)(kind) << (63 - NETWORK_EVENT_KIND_BITS) |                                          \
     (uint64_t)(what) << NETWORK_EVENT_WHERE_BITS | (where))

#endif
