/*
 * Trails: what the time of each packet on its way consists of, in a network that explains times.
 *
 * The arrival of a packet's tail depends on its head up to the last channel that the tail left a
 * full serialisation after the head, and on latencies alone after it. What the head meets after
 * that channel is hidden, unless the tail leaves a later channel in this way.
 *
 * Exists only after network_explain. Must not know: ranks. Invariant: the parts of a message's time
 * add up to it.
 */
#ifndef ANAX_NETWORK_PACKET_TRAILS_H
#define ANAX_NETWORK_PACKET_TRAILS_H

#include "core/base/hints.h"
#include "core/base/prefetch.h"
#include "network/engine/events.h"
#include "network/engine/state.h"

#include <stddef.h>

#define TRAIL_NIC                                                                                  \
    NETWORK_CHANNEL_KINDS /* waiting at the receiving NIC, among the waits by kind                 \
                           */
#define TRAIL_HOPS    6u
#define TRAIL_WAIT_PS (INT64_C(1) << 40) /* a hop has room for shorter waits */

/* Sums up to a channel. */
struct trail_sums {
    int64_t wait_ps[NETWORK_CHANNEL_KINDS + 1];
    /* By how much the time between full packets grew on channels of each kind: what a packet waits
     * there for each packet of its own message before it. */
    int64_t slower_ps[NETWORK_CHANNEL_KINDS + 1];
    uint32_t routers;
};

/* What hops add up to. */
struct trail_totals {
    struct trail_sums tail;
    struct trail_sums hidden;
    int64_t serialisation_ps; /* on the channel on which the tail depends */
    int64_t gap_ps;           /* between full packets, on the slowest channel so far */
    uint32_t slowest;         /* bits of the kinds of channels whose bandwidth gives this gap */
    bool hides;               /* whether anything is in `hidden` */
    int64_t latency_ps[NETWORK_CHANNEL_KINDS];
    uint32_t hops[NETWORK_CHANNEL_KINDS];
    uint32_t kind;       /* of the channel on which the tail depends */
    uint32_t depends_to; /* channels of the route up to that one */
    struct network_route route;
    struct network_waits waits; /* of the packet, for any reason */
};

/* What a packet met before each channel from a router, and before a NIC took it. These hops are
 * added up only for the latest packet of a message, and after TRAIL_HOPS of them or a long wait. */
struct network_trail {
    uint8_t count;
    bool is_long; /* the hops before these are added up, see trail_store */
    uint16_t unused;
    uint32_t routers[TRAIL_HOPS];
    uint32_t waits_low[TRAIL_HOPS]; /* in ps, modulo 2^32 */
    uint8_t waits_high[TRAIL_HOPS];
    uint8_t channels[TRAIL_HOPS]; /* as in network_output_wiring, or TRAIL_RECEIVER. TRAIL_CATCHES
                                     is set if the tail leaves the channel a full serialisation
                                     after the head */
};
#define TRAIL_CATCHES  0x80u
#define TRAIL_RECEIVER 0x7fu
static_assert(sizeof(struct network_trail) == 64 && NETWORK_CHANNELS <= TRAIL_RECEIVER,
              "a trail is one cache line");

/* Trails by index. Few of them are long. */
struct trail_store {
    struct network_trail *trails;
    size_t capacity;
    struct trail_totals *before; /* of long trails: what the hops before theirs add up to */
    size_t before_capacity;
};

/* The trail of a message that has arrived or is arriving: that of its latest packet. It has the
 * same index in kept_trails. Its number is this index plus one; 0: there is none. */
struct trail_kept {
    int64_t time_ps;     /* when that packet arrived */
    uint32_t size_bytes; /* of that packet */
    uint32_t next;       /* for its pool */
};
POOL_DEFINE(trail_kept, struct trail_kept)

struct trails {
    struct trail_store packets; /* by index in the domain's pool */
    struct trail_kept_pool kept;
    struct trail_store kept_trails;
    uint32_t *arrived; /* by index of the record of a message that has arrived: trail_kept number */
    size_t arrived_capacity;
    uint32_t first_router; /* number of the domain's first router among those of all rails */
    uint32_t delivered;    /* number of that of the message that is reported now */
};

/* Prefetches the trail of a packet. */
PREFETCH_FUNCTION void trail_fetch(const struct network_domain *domain, uint32_t packet) {
    __builtin_prefetch(&domain->trails->packets.trails[packet], 1);
}

/* A hop of a trail. */
struct trail_hop {
    int64_t wait_ps;
    uint32_t router;
    uint32_t channel; /* or TRAIL_RECEIVER */
    bool catches;
};

/* Returns the trails of a domain whose first router has this number; NULL: out of memory. */
struct trails *trails_new(uint32_t first_router);
void trails_free(struct trails *trails);

/* Notes that the receiving side of a NIC takes a packet from now_ps to end_ps, which it could do in
 * taken_ps. */
HINT_APART void trail_receive(struct network_domain *domain, uint32_t packet, int64_t taken_ps,
                              int64_t end_ps);
/* Returns the time from ready until the last byte of a message has left its NIC, if nothing else is
 * there. */
int64_t trail_sent_ps(const struct network *network, uint64_t size_bytes);
/* Makes room for a trail; false: out of memory. */
HINT_APART bool trail_store_grow(struct trail_store *store, uint32_t index);
/* Returns the trail of a packet of a domain, which may be new; NULL: out of memory. */
static inline struct network_trail *trail_at(struct network_domain *domain, uint32_t packet) {
    struct trail_store *store = &domain->trails->packets;
    if (packet < store->capacity || trail_store_grow(store, packet)) return &store->trails[packet];
    domain->out_of_memory = true;
    return NULL;
}
/* Adds up the hops of a packet, and then one that waited for so long that a trail has no room for
 * it (NULL: there is none), so that the trail has no hops. */
HINT_RARE void trail_shorten(struct network_domain *domain, uint32_t packet,
                             const struct trail_hop *hop);
static inline void trail_put_hop(struct network_domain *domain, uint32_t packet,
                                 struct network_trail *trail, const struct trail_hop *hop) {
    if (HINT_UNLIKELY(trail->count == TRAIL_HOPS)) trail_shorten(domain, packet, NULL);
    if (HINT_UNLIKELY(hop->wait_ps >= TRAIL_WAIT_PS)) {
        trail_shorten(domain, packet, hop);
        return;
    }
    const unsigned i = trail->count++;
    trail->routers[i] = hop->router;
    trail->waits_low[i] = (uint32_t)hop->wait_ps;
    trail->waits_high[i] = (uint8_t)(hop->wait_ps >> 32);
    trail->channels[i] = (uint8_t)(hop->channel | (hop->catches ? TRAIL_CATCHES : 0));
}
/* Notes a transfer: the packet's head leaves the output at start_ps. catches: whether its tail
 * leaves a full serialisation later. */
static inline void trail_transfer(struct network_domain *domain, uint32_t packet,
                                  const struct network_output_wiring *wiring, int64_t start_ps,
                                  bool catches) {
    const struct network_packet *of = &domain->packets.items[packet];
    struct network_trail *trail = trail_at(domain, packet);
    if (trail == NULL) return;
    if (of->routers == 1) {
        trail->count = 0;
        trail->is_long = false;
    }
    const struct trail_hop hop = {.wait_ps = start_ps - of->request_ps,
                                  .router = domain->trails->first_router + wiring->router,
                                  .channel = wiring->channel,
                                  .catches = catches};
    trail_put_hop(domain, packet, trail, &hop);
}
/* Returns what comes before a long trail of a packet; NULL: the trail is short. */
static inline const struct trail_totals *trail_before(const struct network_domain *domain,
                                                      uint32_t packet) {
    const struct trail_store *store = &domain->trails->packets;
    return store->trails[packet].is_long ? &store->before[packet] : NULL;
}
/* Gives a packet a trail, which is copied. before: as trail_before. */
HINT_APART void trail_put(struct network_domain *domain, uint32_t packet,
                          const struct network_trail *trail, const struct trail_totals *before);
/* Gives a packet the trail of another one, as which it was on its way in another domain. */
HINT_APART void trail_move(struct network_domain *from, uint32_t packet, struct network_domain *to,
                           uint32_t moved);
/* Notes that a packet has arrived at time_ps: its message keeps the trail of the latest, whose
 * number is *kept. */
HINT_APART void trail_arrived(struct network_domain *domain, uint32_t packet, int64_t time_ps,
                              uint32_t *kept);
/* Notes that a message has arrived, by the index of its record and the number of its trail. */
HINT_APART void trail_completed(struct network_domain *domain, uint32_t record, uint32_t kept);
/* Notes the message that is reported now, by the index of its record. */
HINT_APART void trail_delivered(struct network_domain *domain, uint32_t record);

#endif
