/*
 * The meaning of a domain's events: their kinds, and the numbers of the event queue that say what
 * each is about. Internal to network/.
 */
#ifndef ANAX_NETWORK_EVENTS_H
#define ANAX_NETWORK_EVENTS_H

#include <stdint.h>

/* Kinds of keyed events. The key is kind·2^60 + entity. */
enum { EVENT_READY = 1, EVENT_DELIVERED = 2, EVENT_SENT = 3, EVENT_TIMER = 4 };
#define EVENT_KEY(class, entity) (((uint64_t)(class) << 60) | (entity))

/* Kinds of free events, whose order within a time stamp does not matter: they only mark pending
 * work, or commute because the sink says so (timers). `where` is a port VC, an output or a node;
 * `what` is a packet or the timer's data. */
enum {
    NETWORK_ARRIVAL,
    NETWORK_HEAD,
    NETWORK_WAKE,
    NETWORK_TIMER,
    NETWORK_CREDIT, /* a credit arrives, for saturation_credit; what: bytes */
    NETWORK_NEWS,   /* report of saturated links; where: link, what: see saturation_hear */
    NETWORK_AGAIN,  /* route a waiting packet again; what: the packet's number at its source */
    NETWORK_ANSWER  /* an answer arrives; what: its index in the pool of packets */
};
#define NETWORK_WHERE_BITS   28
#define NETWORK_KIND_BITS    3
#define NETWORK_KIND(event)  ((event) >> (63 - NETWORK_KIND_BITS))
#define NETWORK_WHAT(event)  ((uint32_t)((event) >> NETWORK_WHERE_BITS))
#define NETWORK_WHERE(event) ((uint32_t)(event) & ((1u << NETWORK_WHERE_BITS) - 1))
#define NETWORK_EVENT(kind, what, where)                                                           \
    ((uint64_t)(kind) << (63 - NETWORK_KIND_BITS) | (uint64_t)(what) << NETWORK_WHERE_BITS |       \
     (where))

#endif
