/* Records the trail of each packet from router to router, and computes from the trail of the last
 * packet what the time of a message consists of. */
#include "network/engine/measurement/packet_trails.h"

#include "core/memory/memory.h"
#include "network/engine/state/channel_times.h"

#include <stdlib.h>
#include <string.h>

bool packet_trail_store_grow(struct packet_trail_store *store, uint32_t index) {
    void *trails = store->trails;
    bool grown = memory_grow_aligned(&trails, &store->capacity, (size_t)index + 1,
                                     sizeof *store->trails, NULL) == STATUS_OK;
    store->trails = trails;
    return grown;
}

static void clear_store(struct packet_trail_store *store) {
    free(store->trails);
    free(store->before);
}

/* Returns the place for what comes before a long trail; NULL: out of memory. */
HINT_NOINLINE static struct packet_trail_totals *place_before(struct packet_trail_store *store,
                                                              uint32_t index) {
    void *before = store->before;
    status_code code = memory_grow(&before, &store->before_capacity, (size_t)index + 1,
                                   sizeof *store->before, NULL);
    store->before = before;
    return code == STATUS_OK ? &store->before[index] : NULL;
}

struct packet_trails *packet_trails_new(uint32_t first_router) {
    struct packet_trails *trails = memory_new(1, sizeof *trails);
    if (trails == NULL || !packet_trail_store_grow(&trails->packet_trails, 0)) {
        free(trails);
        return NULL;
    }
    trails->first_router = first_router;
    return trails;
}

void packet_trails_free(struct packet_trails *trails) {
    if (trails == NULL) return;
    clear_store(&trails->packet_trails);
    clear_store(&trails->message_trails);
    packet_trail_of_message_pool_clear(&trails->messages);
    free(trails->arrived);
    free(trails);
}

/* Copies a trail to a place that there is. Returns false if out of memory. */
static bool copy_trail(struct packet_trail_store *store, uint32_t index,
                       const struct packet_trail *trail, const struct packet_trail_totals *before) {
    store->trails[index] = *trail;
    if (!HINT_UNLIKELY(before != NULL)) return true;
    struct packet_trail_totals *place = place_before(store, index);
    if (place != NULL) *place = *before;
    return place != NULL;
}

void packet_trail_put(struct rail_group *rail_group, uint32_t packet,
                      const struct packet_trail *trail, const struct packet_trail_totals *before) {
    if (packet_trail_at(rail_group, packet) == NULL) return;
    if (!copy_trail(&rail_group->observers.trails->packet_trails, packet, trail, before))
        rail_group->failure.out_of_memory = true;
}

void packet_trail_move(struct rail_group *from, uint32_t packet, struct rail_group *to,
                       uint32_t moved) {
    const struct packet_trail *trail = packet_trail_at(from, packet);
    if (trail != NULL)
        packet_trail_put(to, moved, trail, packet_trail_before(from, packet));
    else
        to->failure.out_of_memory = true;
}

/* Returns the least time between the starts of two full packets on a channel from a router. */
static int64_t channel_gap_ps(const struct network *network, uint32_t type) {
    int64_t gap_ps = network->channels.full_packet_ps[type];
    if (network->config.allocation_latency_ps > gap_ps)
        gap_ps = network->config.allocation_latency_ps;
    if (network->hop_features.has_output_buffers && network->routers.crossbar_full_ps > gap_ps)
        gap_ps = network->routers.crossbar_full_ps;
    return gap_ps;
}

static struct packet_trail_hop hop_of(const struct packet_trail *trail, unsigned i) {
    return (struct packet_trail_hop){
        .wait_ps = (int64_t)((uint64_t)trail->waits_high_ps[i] << 32 | trail->waits_low_ps[i]),
        .router = trail->routers[i],
        .channel_type = trail->channel_types[i] & ~PACKET_TRAIL_LIMITS_TAIL,
        .limits_tail = trail->channel_types[i] & PACKET_TRAIL_LIMITS_TAIL};
}

/* Adds what the head met before a channel: waiting, and a larger gap between full packets. If the
 * channel limits the tail, the tail depends on all of this, and on what was hidden so far. */
static void add_wait(struct packet_trail_totals *totals, const struct packet_trail_hop *hop,
                     unsigned kind, int64_t gap_ps, uint32_t kind_bit) {
    struct packet_trail_sums *sums = hop->limits_tail ? &totals->tail : &totals->hidden;
    if (hop->limits_tail && totals->has_hidden) {
        for (unsigned i = 0; i <= NETWORK_CHANNEL_KINDS; i++) {
            totals->tail.wait_ps[i] += totals->hidden.wait_ps[i];
            totals->tail.slower_ps[i] += totals->hidden.slower_ps[i];
        }
        totals->tail.routers += totals->hidden.routers;
        totals->hidden = (struct packet_trail_sums){0};
    }
    totals->has_hidden = !hop->limits_tail;
    sums->routers += kind < PACKET_TRAIL_NIC_WAIT;
    sums->wait_ps[kind] += hop->wait_ps;
    if (gap_ps == totals->gap_ps) totals->slowest |= kind_bit;
    if (gap_ps <= totals->gap_ps) return;
    totals->slowest = kind_bit;
    sums->slower_ps[kind] += gap_ps - totals->gap_ps;
    totals->gap_ps = gap_ps;
}

static void add_channel(struct packet_trail_totals *totals, const struct network *network,
                        const struct packet_trail_hop *hop, uint32_t size_bytes) {
    struct network_route *route = &totals->route;
    const unsigned kind = network_kind_of_channel_type(hop->channel_type);
    if (route->count < NETWORK_ROUTE_MAX) {
        route->routers[route->count] = hop->router;
        totals->waits.kinds[route->count] = (uint8_t)kind;
        totals->waits.waits_ps[route->count] = hop->wait_ps;
    }
    route->count++;
    totals->hops[kind]++;
    totals->latency_ps[kind] += network->channels.latency_ps[hop->channel_type];
    int64_t gap_ps = channel_gap_ps(network, hop->channel_type);
    bool by_bandwidth = gap_ps == network->channels.full_packet_ps[hop->channel_type];
    add_wait(totals, hop, kind, gap_ps, 1u << (by_bandwidth ? kind : PACKET_TRAIL_NIC_WAIT));
    if (!hop->limits_tail) return;
    totals->kind = kind;
    totals->tail_channels = route->count;
    totals->serialisation_ps = channel_ps(network, hop->channel_type, size_bytes);
}

static int64_t receiver_ps(const struct network *network, uint32_t size_bytes) {
    return network->nics.receive_bytes_per_s > 0
               ? channel_serialisation_ps(size_bytes, network->nics.receive_bytes_per_s)
               : 0;
}

static void add_receiver(struct packet_trail_totals *totals, const struct network *network,
                         const struct packet_trail_hop *hop, uint32_t size_bytes) {
    add_wait(totals, hop, PACKET_TRAIL_NIC_WAIT,
             receiver_ps(network, network->channels.full_packet_bytes),
             1u << PACKET_TRAIL_NIC_WAIT);
    if (!hop->limits_tail) return;
    totals->kind = NETWORK_TERMINAL;
    totals->tail_channels = totals->route.count;
    totals->serialisation_ps = receiver_ps(network, size_bytes);
}

static void add_hop(struct packet_trail_totals *totals, const struct network *network,
                    const struct packet_trail_hop *hop, uint32_t size_bytes) {
    if (hop->channel_type == PACKET_TRAIL_RECEIVER)
        add_receiver(totals, network, hop, size_bytes);
    else
        add_channel(totals, network, hop, size_bytes);
}

/* Adds up the trail of a packet of size_bytes. The packet has passed the channel from its NIC
 * before the first hop. before: as packet_trail_before. */
static void add_up(struct packet_trail_totals *totals, const struct network *network,
                   const struct packet_trail *trail, const struct packet_trail_totals *before,
                   uint32_t size_bytes) {
    if (before != NULL) {
        *totals = *before;
    } else {
        *totals = (struct packet_trail_totals){.serialisation_ps =
                                                   channel_injection_ps(network, size_bytes),
                                               .gap_ps = network->nics.injection_full_ps,
                                               .slowest = 1u << NETWORK_TERMINAL,
                                               .kind = NETWORK_TERMINAL};
        totals->hops[NETWORK_TERMINAL] = 1;
        totals->latency_ps[NETWORK_TERMINAL] = network->channels.latency_ps[NETWORK_TERMINAL];
    }
    for (unsigned i = 0; i < trail->count; i++) {
        const struct packet_trail_hop hop = hop_of(trail, i);
        add_hop(totals, network, &hop, size_bytes);
    }
}

void packet_trail_shorten(struct rail_group *rail_group, uint32_t packet,
                          const struct packet_trail_hop *hop) {
    struct packet_trail_store *store = &rail_group->observers.trails->packet_trails;
    const uint32_t size_bytes = rail_group->packets.items[packet].size_bytes;
    struct packet_trail_totals totals, *before = place_before(store, packet);
    if (before == NULL) {
        rail_group->failure.out_of_memory = true;
        return;
    }
    struct packet_trail *trail = &store->trails[packet];
    add_up(&totals, rail_group->network, trail, packet_trail_before(rail_group, packet),
           size_bytes);
    if (hop != NULL) add_hop(&totals, rail_group->network, hop, size_bytes);
    *before = totals;
    trail->is_long = true;
    trail->count = 0;
}

void packet_trail_receive(struct rail_group *rail_group, uint32_t packet_index, int64_t taken_ps,
                          int64_t end_ps) {
    struct packet_trail *trail = packet_trail_at(rail_group, packet_index);
    if (trail == NULL) return;
    const struct packet_trail_hop hop = {
        .wait_ps = rail_group->now_ps - rail_group->packets.items[packet_index].head_arrival_ps,
        .channel_type = PACKET_TRAIL_RECEIVER,
        .limits_tail = end_ps == rail_group->now_ps + taken_ps};
    packet_trail_put_hop(rail_group, packet_index, trail, &hop);
}

/* Takes a place for the trail of a message. Returns its number; 0: out of memory. */
static uint32_t new_message_trail(struct packet_trails *trails) {
    uint32_t index = packet_trail_of_message_pool_take(&trails->messages);
    if (index == POOL_NONE || (index >= trails->message_trails.capacity &&
                               !packet_trail_store_grow(&trails->message_trails, index)))
        return 0;
    trails->messages.items[index].time_ps = INT64_MIN;
    return index + 1;
}

void packet_trail_record_arrived(struct rail_group *rail_group, uint32_t packet_index,
                                 int64_t time_ps, uint32_t *number) {
    struct packet_trails *trails = rail_group->observers.trails;
    const struct packet_trail *trail = packet_trail_at(rail_group, packet_index);
    if (trail != NULL && *number == 0) *number = new_message_trail(trails);
    if (trail == NULL || *number == 0) {
        rail_group->failure.out_of_memory = true;
        return;
    }
    struct packet_trail_of_message *of_message = &trails->messages.items[*number - 1];
    if (time_ps < of_message->time_ps) return;
    of_message->time_ps = time_ps;
    of_message->size_bytes = rail_group->packets.items[packet_index].size_bytes;
    if (!copy_trail(&trails->message_trails, *number - 1, trail,
                    packet_trail_before(rail_group, packet_index)))
        rail_group->failure.out_of_memory = true;
}

void packet_trail_record_completed(struct rail_group *rail_group, uint32_t record,
                                   uint32_t number) {
    struct packet_trails *trails = rail_group->observers.trails;
    const size_t had = trails->arrived_capacity;
    void *arrived = trails->arrived;
    if (memory_grow(&arrived, &trails->arrived_capacity, (size_t)record + 1,
                    sizeof *trails->arrived, NULL) != STATUS_OK) {
        rail_group->failure.out_of_memory = true;
        return;
    }
    trails->arrived = arrived;
    if (trails->arrived_capacity > had)
        memset(trails->arrived + had, 0,
               (trails->arrived_capacity - had) * sizeof *trails->arrived);
    trails->arrived[record] = number;
}

void packet_trail_record_delivered(struct rail_group *rail_group, uint32_t record) {
    struct packet_trails *trails = rail_group->observers.trails;
    if (trails->reported > 0)
        packet_trail_of_message_pool_give(&trails->messages, trails->reported - 1);
    trails->reported = 0;
    if (record >= trails->arrived_capacity) return; /* a message within a node has none */
    trails->reported = trails->arrived[record];
    trails->arrived[record] = 0;
}

/* ---------------------------------------------------------------- parts of a message's time */

/* Takes at most max_ps from what is left of a time, and returns it. */
static int64_t take_part(int64_t *left_ps, int64_t max_ps) {
    int64_t taken_ps = max_ps < *left_ps ? max_ps : *left_ps;
    if (taken_ps < 0) taken_ps = 0;
    *left_ps -= taken_ps;
    return taken_ps;
}

/* Returns the number of packets of a message that its last packet follows. */
static int64_t packets_before(const struct network *network, uint64_t size_bytes) {
    uint64_t max = (uint64_t)network->config.packet_bytes;
    return size_bytes > 0 ? (int64_t)((size_bytes - 1) / max) : 0;
}

static int64_t times_ps(int64_t count, int64_t time_ps) {
    if (count == 0 || time_ps == 0) return 0;
    wide product = (wide)count * (uint64_t)time_ps;
    return product < NETWORK_TIME_LIMIT_PS ? (int64_t)product : NETWORK_TIME_LIMIT_PS;
}

static void memory_parts(const struct network *network, uint64_t size_bytes, int64_t time_ps,
                         struct network_time_parts *parts) {
    wide size_dependent_ps =
        channel_serialisation_wide_ps(size_bytes, network->config.memory_bandwidth_bytes_per_s);
    parts->memory_ps = time_ps;
    parts->memory_size_dependent_ps =
        size_dependent_ps < (wide)time_ps ? (int64_t)size_dependent_ps : time_ps;
}

static int64_t send_delay_ps(const struct network *network, uint64_t size_bytes) {
    return by_size_at(&network->config.nic_send_latency_ps, size_bytes) +
           network->config.nic_overhead_ps;
}

/* Returns the time that a NIC needs to send a message. */
static int64_t injected_ps(const struct network *network, uint64_t size_bytes) {
    int64_t before = packets_before(network, size_bytes);
    uint64_t rest = size_bytes - (uint64_t)before * (uint64_t)network->config.packet_bytes;
    int64_t last_bytes = network_config_packet_bytes(&network->config, (int64_t)rest);
    return times_ps(before, network->nics.injection_full_ps) +
           channel_injection_ps(network, (uint32_t)last_bytes);
}

/* Fills in what the time until the last byte of a message has left its NIC consists of. */
static void sent_parts(const struct network *network, uint64_t size_bytes, int64_t left_ps,
                       struct network_time_parts *parts) {
    parts->nic_ps = take_part(&left_ps, send_delay_ps(network, size_bytes));
    parts->serialisation_ps[NETWORK_TERMINAL] =
        take_part(&left_ps, injected_ps(network, size_bytes));
    parts->size_dependent_ps[NETWORK_TERMINAL] = parts->serialisation_ps[NETWORK_TERMINAL];
    parts->nic_waiting_ps = left_ps;
}

/* Divides the time that a message waited for other messages among the channels of its route. First
 * takes out of each wait of the last packet what it waited for packets of its own message, from the
 * first channel on: the message slows down at the first slower channel. */
static void divide_waits(const struct packet_trail_totals *totals,
                         struct network_time_parts *parts) {
    int64_t own_ps[NETWORK_CHANNEL_KINDS];
    for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
        own_ps[kind] = totals->tail.wait_ps[kind] - parts->waiting_ps[kind];
    parts->waits = totals->waits;
    for (uint32_t i = 0; i < NETWORK_ROUTE_MAX; i++) {
        int64_t *wait_ps = &parts->waits.waits_ps[i];
        if (i < totals->tail_channels)
            take_part(wait_ps, take_part(&own_ps[parts->waits.kinds[i]], *wait_ps));
        else
            *wait_ps = 0;
    }
}

/* Fills in what the time until a message was delivered consists of. Time that its last packet
 * waited for packets of its own message is serialisation; other waiting is queueing. */
static void delivered_parts(const struct rail_group *rail_group,
                            const struct network_delivery *message, int64_t left_ps,
                            struct network_time_parts *parts) {
    const struct network *network = rail_group->network;
    const struct packet_trails *trails = rail_group->observers.trails;
    const struct packet_trail_store *store = &trails->message_trails;
    const uint32_t index = trails->reported - 1;
    const struct packet_trail *trail = &store->trails[index];
    struct packet_trail_totals totals;
    add_up(&totals, network, trail, trail->is_long ? &store->before[index] : NULL,
           trails->messages.items[index].size_bytes);
    const struct packet_trail_sums *sums = &totals.tail;
    int64_t before = packets_before(network, message->size_bytes), time_ps = left_ps;
    for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++) {
        parts->latency_ps[kind] = take_part(&left_ps, totals.latency_ps[kind]);
        parts->hops[kind] = totals.hops[kind];
    }
    parts->routers = sums->routers;
    parts->route = totals.route;
    parts->routers_ps = take_part(&left_ps, times_ps(sums->routers, network->routers.delay_ps));
    parts->nic_ps =
        take_part(&left_ps, send_delay_ps(network, message->size_bytes) + network->nics.receive_ps);
    parts->serialisation_ps[totals.kind] = take_part(&left_ps, totals.serialisation_ps);
    parts->size_dependent_ps[totals.kind] = parts->serialisation_ps[totals.kind];
    int64_t behind_ps = 0;
    for (unsigned kind = 0; kind <= NETWORK_CHANNEL_KINDS; kind++) {
        int64_t waited_ps = take_part(&left_ps, sums->wait_ps[kind]);
        int64_t own_ps = take_part(&waited_ps, times_ps(before, sums->slower_ps[kind]));
        parts->serialisation_ps[kind < PACKET_TRAIL_NIC_WAIT ? kind : NETWORK_TERMINAL] += own_ps;
        *(kind < PACKET_TRAIL_NIC_WAIT ? &parts->waiting_ps[kind] : &parts->nic_waiting_ps) +=
            waited_ps;
        if (kind == PACKET_TRAIL_NIC_WAIT) parts->receiver_waiting_ps = waited_ps;
        behind_ps += own_ps;
    }
    divide_waits(&totals, parts);
    int64_t injected_before_ps =
        take_part(&left_ps, times_ps(before, network->nics.injection_full_ps));
    parts->serialisation_ps[NETWORK_TERMINAL] += injected_before_ps;
    for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
        if (totals.slowest == 1u << kind)
            parts->size_dependent_ps[kind] += behind_ps + injected_before_ps;
    if (network->nics.has_windows) {
        int64_t queued_ps = left_ps + parts->nic_waiting_ps;
        for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
            queued_ps += parts->waiting_ps[kind];
        parts->acknowledgement_wait_ps =
            take_part(&left_ps, message->zero_load_ps - (time_ps - queued_ps));
    }
    parts->nic_waiting_ps += left_ps;
}

void network_fill_time_parts(const struct rail_group *rail_group,
                             const struct network_delivery *message, bool sent, int64_t time_ps,
                             struct network_time_parts *parts) {
    const struct network *network = rail_group->network;
    const struct packet_trails *trails = rail_group->observers.trails;
    *parts = (struct network_time_parts){0};
    if (message->source_node == message->destination_node)
        memory_parts(network, message->size_bytes, time_ps, parts);
    else if (sent)
        sent_parts(network, message->size_bytes, time_ps, parts);
    else if (rail_group->failure.out_of_memory || trails->reported == 0)
        parts->nic_waiting_ps = time_ps; /* its trail was lost, and the run ends */
    else
        delivered_parts(rail_group, message, time_ps, parts);
}

/* Fills in what a message passed until it was delivered, without the time that it took. */
static void passed_parts(const struct rail_group *rail_group, uint64_t size_bytes,
                         struct network_time_parts *parts) {
    const struct network *network = rail_group->network;
    const uint32_t index = rail_group->observers.trails->reported - 1;
    const struct packet_trail *trail = &rail_group->observers.trails->message_trails.trails[index];
    const uint32_t last_bytes = rail_group->observers.trails->messages.items[index].size_bytes;
    int64_t gap_ps = network->nics.injection_full_ps,
            last_ps = channel_injection_ps(network, last_bytes);
    unsigned slowest = 1u << NETWORK_TERMINAL, last_kind = NETWORK_TERMINAL;
    parts->hops[NETWORK_TERMINAL] = 1;
    for (unsigned i = 0; i < trail->count; i++) {
        const uint32_t type = trail->channel_types[i] & ~PACKET_TRAIL_LIMITS_TAIL;
        const bool receives = type == PACKET_TRAIL_RECEIVER;
        const unsigned kind = receives ? NETWORK_TERMINAL : network_kind_of_channel_type(type);
        const int64_t own_ps = receives ? receiver_ps(network, network->channels.full_packet_bytes)
                                        : channel_gap_ps(network, type);
        const bool by_bandwidth = !receives && own_ps == network->channels.full_packet_ps[type];
        const unsigned bit = 1u << (by_bandwidth ? kind : PACKET_TRAIL_NIC_WAIT);
        parts->hops[kind] += !receives;
        if (own_ps == gap_ps) slowest |= bit;
        if (own_ps > gap_ps) {
            slowest = bit;
            gap_ps = own_ps;
        }
        if (!(trail->channel_types[i] & PACKET_TRAIL_LIMITS_TAIL)) continue;
        parts->routers = i + 1 - receives;
        last_kind = kind;
        last_ps =
            receives ? receiver_ps(network, last_bytes) : channel_ps(network, type, last_bytes);
    }
    parts->size_dependent_ps[last_kind] = last_ps;
    for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
        if (slowest == 1u << kind)
            parts->size_dependent_ps[kind] += times_ps(packets_before(network, size_bytes), gap_ps);
}

void network_fill_path_parts(const struct rail_group *rail_group,
                             const struct network_delivery *message, bool sent, int64_t time_ps,
                             struct network_time_parts *parts) {
    const struct packet_trails *trails = rail_group->observers.trails;
    if (message->source_node == message->destination_node || sent ||
        rail_group->failure.out_of_memory || trails->reported == 0 ||
        trails->message_trails.trails[trails->reported - 1].is_long) {
        network_fill_time_parts(rail_group, message, sent, time_ps, parts);
        return;
    }
    parts->memory_ps = parts->memory_size_dependent_ps = 0;
    parts->routers = 0;
    for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
        parts->size_dependent_ps[kind] = parts->hops[kind] = 0;
    passed_parts(rail_group, message->size_bytes, parts);
}

int64_t packet_trail_sent_ps(const struct network *network, uint64_t size_bytes) {
    int64_t time_ps = send_delay_ps(network, size_bytes) + injected_ps(network, size_bytes);
    return time_ps < NETWORK_TIME_LIMIT_PS ? time_ps : NETWORK_TIME_LIMIT_PS;
}
