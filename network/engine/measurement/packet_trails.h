/*
 * Trails: what the time of each packet on its way consists of, in a network that explains times.
 *
 * When does the tail of a packet arrive? A channel limits the tail if the tail leaves it a full
 * serialisation time after the head; elsewhere the tail follows as soon as it has arrived. So the
 * tail depends on what the head met up to the last channel that limits the tail, and on latencies
 * alone after that channel. What the head meets after it is *hidden* by the tail, unless a later
 * channel limits the tail, too.
 *
 * A network has trails only after network_explain. They must not know ranks. Invariant: the parts
 * of a message's time add up to it.
 */
#ifndef ANAX_NETWORK_PACKET_TRAILS_H
#define ANAX_NETWORK_PACKET_TRAILS_H

#include "core/base/compiler_hints.h"
#include "core/base/prefetch.h"
#include "network/engine/state/events.h"
#include "network/engine/state/state.h"

#include <stddef.h>

/* Index of the waiting at the receiving NIC, beside the waiting by kind of channel. */
#define PACKET_TRAIL_NIC_WAIT NETWORK_CHANNEL_KINDS
#define PACKET_TRAIL_HOPS     6u                 /* hops that a trail has room for */
#define PACKET_TRAIL_WAIT_PS  (INT64_C(1) << 40) /* a hop has room for shorter waits */

/* Sums over the hops up to a channel. */
struct packet_trail_sums {
    int64_t wait_ps[NETWORK_CHANNEL_KINDS + 1];
    /* By how much channels of each kind lengthen the time between full packets. A channel with the
     * gap g lengthens it by max(g - G, 0), where G is the largest gap of the channels before it. A
     * packet with n packets of its own message before it waits n times as long there for them. */
    int64_t slower_ps[NETWORK_CHANNEL_KINDS + 1];
    uint32_t routers;
};

/* What the hops of a packet add up to. */
struct packet_trail_totals {
    struct packet_trail_sums tail;   /* of the hops on which the tail depends */
    struct packet_trail_sums hidden; /* of the hops after them */
    int64_t serialisation_ps;        /* on the last channel that limits the tail */
    int64_t gap_ps;                  /* between full packets, on the slowest channel so far */
    uint32_t slowest; /* bits of the kinds of channels whose bandwidth gives this gap */
    bool has_hidden;  /* whether anything is in `hidden` */
    int64_t latency_ps[NETWORK_CHANNEL_KINDS];
    uint32_t hops[NETWORK_CHANNEL_KINDS];
    uint32_t kind;          /* of the last channel that limits the tail */
    uint32_t tail_channels; /* number of channels up to that one */
    struct network_route route;
    struct network_waits waits; /* of the packet's head, hidden or not */
};

/* What a packet met before each channel from a router, and before a NIC took it: one hop for each.
 * Hops are added up only when they must be: for the latest packet of a message, and when a trail
 * has no room for another hop. */
struct packet_trail {
    uint8_t count; /* of hops */
    bool is_long;  /* earlier hops have been added up, see packet_trail_store.before */
    uint16_t unused;
    uint32_t routers[PACKET_TRAIL_HOPS];
    uint32_t waits_low_ps[PACKET_TRAIL_HOPS]; /* in ps, modulo 2^32 */
    uint8_t waits_high_ps[PACKET_TRAIL_HOPS];
    uint8_t
        channel_types[PACKET_TRAIL_HOPS]; /* as in network_output_wiring, or PACKET_TRAIL_RECEIVER;
                                 with PACKET_TRAIL_LIMITS_TAIL if the channel limits the tail */
};
#define PACKET_TRAIL_LIMITS_TAIL 0x80u
#define PACKET_TRAIL_RECEIVER    0x7fu
static_assert(sizeof(struct packet_trail) == 64 && NETWORK_CHANNEL_TYPES <= PACKET_TRAIL_RECEIVER,
              "a trail is one cache line");

/* Trails by index. */
struct packet_trail_store {
    struct packet_trail *trails;
    size_t capacity;
    struct packet_trail_totals *before; /* of long trails: what their earlier hops add up to */
    size_t before_capacity;
};

/* A message that has arrived or is arriving has the trail of its latest packet: an item of
 * trails.messages, and the trail itself with the same index in trails.message_trails. The number of
 * such a trail is the index plus one; 0: no trail. */
struct packet_trail_of_message {
    int64_t time_ps;     /* when that packet arrived */
    uint32_t size_bytes; /* of that packet */
};
POOL_DEFINE(packet_trail_of_message, struct packet_trail_of_message)

struct packet_trails {
    struct packet_trail_store packet_trails; /* by index in the rail group's pool */
    struct packet_trail_of_message_pool messages;
    struct packet_trail_store message_trails;
    uint32_t *arrived; /* [message record] of a message that has arrived: number of its trail */
    size_t arrived_capacity;
    uint32_t first_router; /* number of the rail group's first router among those of all rails */
    uint32_t reported;     /* number of the trail of the message that is reported now */
};

/* Prefetches the trail of a packet. */
PREFETCH_FUNCTION void packet_trail_fetch(const struct rail_group *rail_group, uint32_t packet) {
    __builtin_prefetch(&rail_group->observers.trails->packet_trails.trails[packet], 1);
}

/* A hop of a trail. */
struct packet_trail_hop {
    int64_t wait_ps;
    uint32_t router;
    uint32_t channel_type; /* or PACKET_TRAIL_RECEIVER */
    bool limits_tail;
};

/* Returns the trails of a rail group whose first router has this number; NULL: out of memory. */
struct packet_trails *packet_trails_new(uint32_t first_router);

/* Frees what packet_trails_new has made. */
void packet_trails_free(struct packet_trails *trails);

/* Records that the receiving side of a NIC takes a packet from now_ps to end_ps. taken_ps: how long
 * it would take at least. */
HINT_NOINLINE void packet_trail_receive(struct rail_group *rail_group, uint32_t packet_index,
                                        int64_t taken_ps, int64_t end_ps);
/* Returns the time from ready until the last byte of a message has left its NIC, if the NIC sends
 * nothing else. */
int64_t packet_trail_sent_ps(const struct network *network, uint64_t size_bytes);
/* Makes room for the trail with an index. Returns false if memory is short. */
HINT_NOINLINE bool packet_trail_store_grow(struct packet_trail_store *store, uint32_t index);
/* Returns the trail of a packet of a rail group, which may be new; NULL: out of memory. */
static inline struct packet_trail *packet_trail_at(struct rail_group *rail_group, uint32_t packet) {
    struct packet_trail_store *store = &rail_group->observers.trails->packet_trails;
    if (packet < store->capacity || packet_trail_store_grow(store, packet))
        return &store->trails[packet];
    rail_group->failure.out_of_memory = true;
    return NULL;
}
/* Adds up the hops of a packet, so that the trail has none. Then adds `hop`, whose wait is too long
 * for a trail; NULL: no hop. */
HINT_RARE void packet_trail_shorten(struct rail_group *rail_group, uint32_t packet,
                                    const struct packet_trail_hop *hop);
/* Adds a hop to the trail of a packet, whose hops it adds up if there is no room. */
static inline void packet_trail_put_hop(struct rail_group *rail_group, uint32_t packet,
                                        struct packet_trail *trail,
                                        const struct packet_trail_hop *hop) {
    if (HINT_UNLIKELY(trail->count == PACKET_TRAIL_HOPS))
        packet_trail_shorten(rail_group, packet, NULL);
    if (HINT_UNLIKELY(hop->wait_ps >= PACKET_TRAIL_WAIT_PS)) {
        packet_trail_shorten(rail_group, packet, hop);
        return;
    }
    const unsigned i = trail->count++;
    trail->routers[i] = hop->router;
    trail->waits_low_ps[i] = (uint32_t)hop->wait_ps;
    trail->waits_high_ps[i] = (uint8_t)(hop->wait_ps >> 32);
    trail->channel_types[i] =
        (uint8_t)(hop->channel_type | (hop->limits_tail ? PACKET_TRAIL_LIMITS_TAIL : 0));
}
/* Records a transmission: the packet's head leaves the output at start_ps. limits_tail: whether the
 * channel limits the tail. */
static inline void packet_trail_record_transmission(struct rail_group *rail_group, uint32_t packet,
                                                    const struct network_output_wiring *wiring,
                                                    int64_t start_ps, bool limits_tail) {
    const struct network_packet *of = &rail_group->packets.items[packet];
    struct packet_trail *trail = packet_trail_at(rail_group, packet);
    if (trail == NULL) return;
    if (of->routers == 1) {
        trail->count = 0;
        trail->is_long = false;
    }
    const struct packet_trail_hop hop = {.wait_ps = start_ps - of->request_ps,
                                         .router = rail_group->observers.trails->first_router +
                                                   wiring->router,
                                         .channel_type = wiring->channel_type,
                                         .limits_tail = limits_tail};
    packet_trail_put_hop(rail_group, packet, trail, &hop);
}
/* Returns what the earlier hops of a packet with a long trail add up to; NULL: the trail is short.
 */
static inline const struct packet_trail_totals *
packet_trail_before(const struct rail_group *rail_group, uint32_t packet) {
    const struct packet_trail_store *store = &rail_group->observers.trails->packet_trails;
    return store->trails[packet].is_long ? &store->before[packet] : NULL;
}
/* Gives a packet a copy of a trail. before: what packet_trail_before returns for that trail. */
HINT_NOINLINE void packet_trail_put(struct rail_group *rail_group, uint32_t packet,
                                    const struct packet_trail *trail,
                                    const struct packet_trail_totals *before);
/* Gives packet `moved` of rail group `to` the trail that it had as `packet` of rail group `from`.
 */
HINT_NOINLINE void packet_trail_move(struct rail_group *from, uint32_t packet,
                                     struct rail_group *to, uint32_t moved);
/* Records that a packet has arrived at time_ps. Its message keeps the trail of its latest packet;
 * *number is the number of that trail. */
HINT_NOINLINE void packet_trail_record_arrived(struct rail_group *rail_group, uint32_t packet_index,
                                               int64_t time_ps, uint32_t *number);
/* Records that a message has arrived, by the index of its record and the number of its trail. */
HINT_NOINLINE void packet_trail_record_completed(struct rail_group *rail_group, uint32_t record,
                                                 uint32_t number);
/* Records which message is reported now, by the index of its record. */
HINT_NOINLINE void packet_trail_record_delivered(struct rail_group *rail_group, uint32_t record);

#endif
