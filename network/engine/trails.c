/* Trails of packets, and the parts of a message's time. See trails.h. */
#include "network/engine/trails.h"

#include "core/memory.h"
#include "network/engine/channel_times.h"

#include <stdlib.h>
#include <string.h>

struct trails *trails_new(void) {
    struct trails *trails = memory_new(1, sizeof *trails);
    void *packets = NULL;
    if (trails == NULL || memory_grow_aligned(&packets, &trails->capacity, 1,
                                              sizeof *trails->packets, NULL) != STATUS_OK) {
        free(trails);
        return NULL;
    }
    trails->packets = packets;
    return trails;
}

void trails_free(struct trails *trails) {
    if (trails == NULL) return;
    free(trails->packets);
    trail_message_map_clear(&trails->messages);
    trail_kept_pool_clear(&trails->kept);
    free(trails);
}

struct network_trail *trail_grow(struct network_domain *domain, uint32_t packet) {
    struct trails *trails = domain->trails;
    void *packets = trails->packets;
    if (memory_grow_aligned(&packets, &trails->capacity, (size_t)packet + 1,
                            sizeof *trails->packets, NULL) != STATUS_OK) {
        domain->out_of_memory = true;
        return NULL;
    }
    trails->packets = packets;
    return &trails->packets[packet];
}

void trail_put(struct network_domain *domain, uint32_t packet, const struct network_trail *trail) {
    struct network_trail *own = trail_at(domain, packet);
    if (own != NULL) memcpy(own, trail, trail_bytes(trail));
}

void trail_move(struct network_domain *from, uint32_t packet, struct network_domain *to,
                uint32_t moved) {
    const struct network_trail *trail = trail_at(from, packet);
    if (trail != NULL)
        trail_put(to, moved, trail);
    else
        to->out_of_memory = true;
}

/* Returns the least time between the starts of two full packets on a channel from a router. */
static int64_t channel_gap_ps(const struct network *network, uint32_t channel) {
    int64_t gap_ps = network->full_packet_ps[channel];
    if (network->config.allocation_latency_ps > gap_ps)
        gap_ps = network->config.allocation_latency_ps;
    if (network->output_buffered && network->crossbar_full_ps > gap_ps)
        gap_ps = network->crossbar_full_ps;
    return gap_ps;
}

/* Adds what the head met before a channel: waiting, and a larger gap between full packets. The
 * tail depends on it if it catches up with the head there. */
static void add_wait(struct trail_totals *totals, const struct trail_hop *hop, int64_t gap_ps,
                     uint32_t kind_bit) {
    struct trail_sums *sums = hop->catches ? &totals->tail : &totals->hidden;
    if (hop->catches && totals->hides) {
        for (unsigned i = 0; i <= NETWORK_CHANNEL_KINDS; i++) {
            totals->tail.wait_ps[i] += totals->hidden.wait_ps[i];
            totals->tail.slower_ps[i] += totals->hidden.slower_ps[i];
        }
        totals->tail.routers += totals->hidden.routers;
        totals->hidden = (struct trail_sums){0};
    }
    totals->hides = !hop->catches;
    sums->routers += hop->kind < TRAIL_NIC;
    sums->wait_ps[hop->kind] += hop->wait_ps;
    if (gap_ps == totals->gap_ps) totals->slowest |= kind_bit;
    if (gap_ps <= totals->gap_ps) return;
    totals->slowest = kind_bit;
    sums->slower_ps[hop->kind] += gap_ps - totals->gap_ps;
    totals->gap_ps = gap_ps;
}

static void add_channel(struct trail_totals *totals, const struct network *network,
                        const struct trail_hop *hop, uint32_t size_bytes) {
    struct network_route *route = &totals->route;
    if (route->count < NETWORK_ROUTE_MOST) route->routers[route->count] = hop->router;
    route->count++;
    totals->hops[hop->kind]++;
    totals->latency_ps[hop->kind] += network->latency_ps[hop->channel];
    int64_t gap_ps = channel_gap_ps(network, hop->channel);
    bool by_bandwidth = gap_ps == network->full_packet_ps[hop->channel];
    add_wait(totals, hop, gap_ps, 1u << (by_bandwidth ? hop->kind : TRAIL_NIC));
    if (!hop->catches) return;
    totals->kind = hop->kind;
    totals->serialisation_ps = channel_ps(network, hop->channel, size_bytes);
}

static void add_receiver(struct trail_totals *totals, const struct network *network,
                         const struct trail_hop *hop, int64_t taken_ps) {
    int64_t gap_ps = 0;
    if (network->receive_bandwidth > 0)
        gap_ps = serialization_ps(network->full_packet_bytes, network->receive_bandwidth);
    add_wait(totals, hop, gap_ps, 1u << TRAIL_NIC);
    if (!hop->catches) return;
    totals->kind = NETWORK_TERMINAL;
    totals->serialisation_ps = taken_ps;
}

/* Adds up a trail. The packet has passed the channel from its NIC before the first hop. */
static void add_up(struct trail_totals *totals, const struct network *network,
                   const struct network_trail *trail) {
    if (trail->is_long) {
        *totals = trail->before;
    } else {
        *totals =
            (struct trail_totals){.serialisation_ps = injection_ps(network, trail->size_bytes),
                                  .gap_ps = network->injection_full_ps,
                                  .slowest = 1u << NETWORK_TERMINAL,
                                  .kind = NETWORK_TERMINAL};
        totals->hops[NETWORK_TERMINAL] = 1;
        totals->latency_ps[NETWORK_TERMINAL] = network->latency_ps[NETWORK_TERMINAL];
    }
    for (unsigned i = 0; i < trail->count; i++) {
        const struct trail_hop *hop = &trail->hops[i];
        if (hop->kind == TRAIL_NIC)
            add_receiver(totals, network, hop, trail->receive_ps);
        else
            add_channel(totals, network, hop, trail->size_bytes);
    }
}

/* Makes room for a hop. */
static struct trail_hop *next_hop(const struct network *network, struct network_trail *trail) {
    if (HINT_UNLIKELY(trail->count == TRAIL_HOPS)) {
        struct trail_totals totals;
        add_up(&totals, network, trail);
        trail->before = totals;
        trail->is_long = true;
        trail->count = 0;
    }
    return &trail->hops[trail->count++];
}

void trail_hop(struct network_domain *domain, uint32_t index,
               const struct network_output_wiring *wiring, int64_t start_ps, int64_t end_ps) {
    const struct network *network = domain->network;
    const struct network_packet *packet = &domain->packets.items[index];
    struct network_trail *trail = trail_at(domain, index);
    if (trail == NULL) return;
    if (packet->routers == 1) {
        trail->size_bytes = packet->size_bytes;
        trail->count = trail->is_long = 0;
    }
    struct trail_hop *hop = next_hop(network, trail);
    hop->wait_ps = start_ps - packet->ready_ps;
    hop->router = domain->group * network->topology.routers + wiring->router;
    hop->channel = wiring->channel;
    hop->kind = (uint8_t)wiring->channel_kind;
    hop->catches = end_ps == start_ps + channel_ps(network, wiring->channel, packet->size_bytes);
}

void trail_receive(struct network_domain *domain, uint32_t index, int64_t taken_ps,
                   int64_t end_ps) {
    struct network_trail *trail = trail_at(domain, index);
    if (trail == NULL) return;
    struct trail_hop *hop = next_hop(domain->network, trail);
    *hop = (struct trail_hop){.wait_ps = domain->now_ps - domain->packets.items[index].ready_ps,
                              .kind = TRAIL_NIC,
                              .catches = end_ps == domain->now_ps + taken_ps};
    trail->receive_ps = taken_ps;
}

static uint64_t message_key(const struct network_domain *domain, uint32_t source,
                            uint32_t sequence) {
    return (uint64_t)node_shape_node(&domain->network->topology.node, source) << 32 | sequence;
}

/* Returns the trail that is kept for a message, which may be new; NULL: out of memory. */
static struct trail_kept *keep_trail(struct trails *trails, uint64_t key) {
    struct trail_of_message *entry = trail_message_map_find(&trails->messages, &key);
    if (entry != NULL) return &trails->kept.items[entry->kept - 1];
    uint32_t index = trail_kept_pool_take(&trails->kept);
    entry = index != POOL_NONE ? trail_message_map_add(&trails->messages, &key) : NULL;
    if (entry == NULL) return NULL;
    entry->kept = index + 1;
    trails->kept.items[index].time_ps = INT64_MIN;
    return &trails->kept.items[index];
}

void trail_arrived(struct network_domain *domain, uint32_t index, int64_t time_ps) {
    const struct network_packet *packet = &domain->packets.items[index];
    const struct network_trail *trail = trail_at(domain, index);
    struct trail_kept *kept =
        keep_trail(domain->trails, message_key(domain, packet->source, packet->sequence));
    if (kept == NULL || trail == NULL) {
        domain->out_of_memory = true;
        return;
    }
    if (time_ps < kept->time_ps) return;
    kept->time_ps = time_ps;
    memcpy(&kept->trail, trail, trail_bytes(trail));
}

void trail_delivered(struct network_domain *domain, const struct network_message_record *message) {
    struct trails *trails = domain->trails;
    uint64_t key = message_key(domain, message->source, message->sequence);
    struct trail_of_message *entry = trail_message_map_find(&trails->messages, &key);
    if (trails->delivered > 0) trail_kept_pool_give(&trails->kept, trails->delivered - 1);
    trails->delivered = 0;
    if (entry == NULL) return; /* within a node */
    trails->delivered = entry->kept;
    trail_message_map_remove(&trails->messages, entry);
}

/* ---------------------------------------------------------------- parts of a message's time */

/* Takes at most most_ps from what is left of a time, and returns it. */
static int64_t take_part(int64_t *left_ps, int64_t most_ps) {
    int64_t taken_ps = most_ps < *left_ps ? most_ps : *left_ps;
    if (taken_ps < 0) taken_ps = 0;
    *left_ps -= taken_ps;
    return taken_ps;
}

/* Returns the number of packets of a message that its last packet follows. */
static int64_t packets_before(const struct network *network, uint64_t size_bytes) {
    uint64_t most = (uint64_t)network->config.packet_bytes;
    return size_bytes > 0 ? (int64_t)((size_bytes - 1) / most) : 0;
}

static int64_t times_ps(int64_t count, int64_t time_ps) {
    wide product = (wide)count * (uint64_t)time_ps;
    return product < NETWORK_TIME_LIMIT_PS ? (int64_t)product : NETWORK_TIME_LIMIT_PS;
}

static void memory_parts(const struct network *network, uint64_t size_bytes, int64_t time_ps,
                         struct network_parts *parts) {
    wide bytes_ps = serialization_wide_ps(size_bytes, network->config.memory_bandwidth_bytes_per_s);
    parts->memory_ps = time_ps;
    parts->memory_bytes_ps = bytes_ps < (wide)time_ps ? (int64_t)bytes_ps : time_ps;
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
    return times_ps(before, network->injection_full_ps) +
           injection_ps(network, (uint32_t)last_bytes);
}

/* The time until the last byte of a message has left its NIC. */
static void sent_parts(const struct network *network, uint64_t size_bytes, int64_t left_ps,
                       struct network_parts *parts) {
    parts->nic_ps = take_part(&left_ps, send_delay_ps(network, size_bytes));
    parts->serialisation_ps[NETWORK_TERMINAL] =
        take_part(&left_ps, injected_ps(network, size_bytes));
    parts->bytes_ps[NETWORK_TERMINAL] = parts->serialisation_ps[NETWORK_TERMINAL];
    parts->nic_waiting_ps = left_ps;
}

/* The time until a message was delivered. What its last packet waited for packets of its own
 * message is serialisation; other waiting is queueing. */
static void delivered_parts(const struct network *network, const struct network_trail *trail,
                            const struct network_delivery *message, int64_t left_ps,
                            struct network_parts *parts) {
    struct trail_totals totals;
    add_up(&totals, network, trail);
    const struct trail_sums *sums = &totals.tail;
    int64_t before = packets_before(network, message->size_bytes), time_ps = left_ps;
    for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++) {
        parts->latency_ps[kind] = take_part(&left_ps, totals.latency_ps[kind]);
        parts->hops[kind] = totals.hops[kind];
    }
    parts->routers = sums->routers;
    parts->route = totals.route;
    parts->routers_ps = take_part(&left_ps, times_ps(sums->routers, network->router_delay_ps));
    parts->nic_ps =
        take_part(&left_ps, send_delay_ps(network, message->size_bytes) + network->receive_ps);
    parts->serialisation_ps[totals.kind] = take_part(&left_ps, totals.serialisation_ps);
    parts->bytes_ps[totals.kind] = parts->serialisation_ps[totals.kind];
    int64_t behind_ps = 0;
    for (unsigned kind = 0; kind <= NETWORK_CHANNEL_KINDS; kind++) {
        int64_t waited_ps = take_part(&left_ps, sums->wait_ps[kind]);
        int64_t own_ps = take_part(&waited_ps, times_ps(before, sums->slower_ps[kind]));
        parts->serialisation_ps[kind < TRAIL_NIC ? kind : NETWORK_TERMINAL] += own_ps;
        *(kind < TRAIL_NIC ? &parts->waiting_ps[kind] : &parts->nic_waiting_ps) += waited_ps;
        behind_ps += own_ps;
    }
    int64_t injected_before_ps = take_part(&left_ps, times_ps(before, network->injection_full_ps));
    parts->serialisation_ps[NETWORK_TERMINAL] += injected_before_ps;
    for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
        if (totals.slowest == 1u << kind) parts->bytes_ps[kind] += behind_ps + injected_before_ps;
    if (network->has_windows) {
        int64_t queued_ps = left_ps + parts->nic_waiting_ps;
        for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
            queued_ps += parts->waiting_ps[kind];
        parts->window_ps = take_part(&left_ps, message->zero_load_ps - (time_ps - queued_ps));
    }
    parts->nic_waiting_ps += left_ps;
}

void network_parts_of(const struct network_domain *domain, const struct network_delivery *message,
                      bool sent, int64_t time_ps, struct network_parts *parts) {
    const struct network *network = domain->network;
    const struct trails *trails = domain->trails;
    *parts = (struct network_parts){0};
    if (message->source_node == message->destination_node)
        memory_parts(network, message->size_bytes, time_ps, parts);
    else if (sent)
        sent_parts(network, message->size_bytes, time_ps, parts);
    else if (domain->out_of_memory || trails->delivered == 0)
        parts->nic_waiting_ps = time_ps; /* its trail was lost, and the run ends */
    else
        delivered_parts(network, &trails->kept.items[trails->delivered - 1].trail, message, time_ps,
                        parts);
}

int64_t trail_sent_ps(const struct network *network, uint64_t size_bytes) {
    int64_t time_ps = send_delay_ps(network, size_bytes) + injected_ps(network, size_bytes);
    return time_ps < NETWORK_TIME_LIMIT_PS ? time_ps : NETWORK_TIME_LIMIT_PS;
}
