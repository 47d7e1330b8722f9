/*
 * Destinations put messages together from packets, which arrive in any order.
 */
#include "network/engine/nic.h"

#include "core/base/hints.h"
#include "network/engine/acknowledgements.h"
#include "network/engine/events.h"
#include "network/engine/packet_trails.h"
#include "network/engine/packets.h"
#include "network/engine/statistics.h"

/* Returns the entry of a partly arrived message, new if it has none. NULL: out of memory. */
static struct network_assembly *find_assembly(struct network_domain *domain, uint64_t key) {
    struct network_assembly *found = network_assembly_map_find(&domain->assemblies, &key);
    if (found != NULL) return found;
    found = network_assembly_map_add(&domain->assemblies, &key);
    if (found == NULL) {
        domain->failure.out_of_memory = true;
        return NULL;
    }
    found->used = 1;
    found->message = NETWORK_NONE;
    return found;
}

/* Handles that all of a message has arrived at its NIC. Calls the sink at once if it is unordered;
 * otherwise schedules the call for when the host has the message. */
static inline void complete_message(struct network_domain *domain,
                                    const struct network_hop_features *features,
                                    const struct network_packet *packet,
                                    const struct network_assembly *whole) {
    const struct network *network = domain->network;
    const uint32_t record = whole->message;
    const int64_t time_ps = whole->last_ps + network->nics.receive_ps;
    struct network_delivery delivery = {
        .source_node = node_shape_node(&network->topology.node, packet->source),
        .destination_node = node_shape_node(&network->topology.node, packet->destination),
        .ready_ps = packet->born_ps,
        .routers = whole->routers,
        .minimal = !whole->detour,
    };
    if (record != NETWORK_NONE) {
        delivery.size_bytes = domain->messages.items[record].size_bytes;
        delivery.cookie = domain->messages.items[record].cookie;
    } else {
        delivery.size_bytes = packet->size_bytes - (uint64_t)network->config.header_bytes;
    }
    statistics_message(domain, &delivery, packet->sequence, time_ps);
    if (!features->basic && domain->counts.classes != NULL)
        statistics_class_message(domain, &delivery, packet_virtual_network(network, packet),
                                 time_ps);
    if (network->sink.unordered) {
        delivery.zero_load_ps = 0;
        if (network->sink.delivered != NULL)
            network->sink.delivered(network->sink.context, domain, time_ps, &delivery);
        if (record != NETWORK_NONE) message_free(domain, record);
        return;
    }
    uint32_t report = record != NETWORK_NONE ? record : message_new(domain);
    if (report == NETWORK_NONE) return;
    struct network_message_record *message = &domain->messages.items[report];
    message->cookie = delivery.cookie;
    message->size_bytes = delivery.size_bytes;
    message->ready_ps = delivery.ready_ps;
    message->source = packet->source;
    message->destination = packet->destination;
    message->sequence = packet->sequence;
    message->virtual_network = !features->basic && network->vcs.virtual_networks > 1
                                   ? (uint8_t)packet_virtual_network(network, packet)
                                   : 0;
    message->routers = whole->routers;
    message->detour = whole->detour;
    if (features->observed && domain->observers.trails != NULL)
        trail_completed(domain, report, whole->trail);
    event_queue_insert_keyed(&domain->events, time_ps,
                             EVENT_KEY(EVENT_DELIVERED, packet->destination),
                             (uint64_t)packet->source << 32 | packet->sequence, report);
}

/* Adds a packet to what has arrived of its message, and completes the message if it was the last
 * one. Returns whether it was. */
static inline bool assemble(struct network_domain *domain,
                            const struct network_hop_features *features, uint32_t index,
                            int64_t time_ps) {
    const struct network_packet *packet = &domain->packets.items[index];
    uint32_t record = packet->message;
    bool detour = packet->flags & NETWORK_PACKET_DETOUR;
    domain->counts.totals.packets++;
    domain->counts.totals.minimal_packets += !detour;
    domain->counts.totals.router_hops[packet->routers < 15 ? packet->routers : 15]++;
    const bool is_alone = packet->flags & NETWORK_PACKET_ALONE;
    uint32_t source = node_shape_node(&domain->network->topology.node, packet->source);
    struct network_assembly alone = {.message = NETWORK_NONE}, *entry = &alone;
    if (!is_alone) entry = find_assembly(domain, (uint64_t)source << 32 | packet->sequence);
    if (entry == NULL) return false;
    if (features->observed && domain->observers.trails != NULL)
        trail_arrived(domain, index, time_ps, &entry->trail);
    entry->bytes += packet->size_bytes;
    if (time_ps >= entry->last_ps) {
        entry->last_ps = time_ps;
        entry->routers = packet->routers;
    }
    entry->detour |= detour;
    if (record != NETWORK_NONE) entry->message = record;
    if (!is_alone && (entry->message == NETWORK_NONE ||
                      entry->bytes < domain->messages.items[entry->message].wire_bytes))
        return false;
    const struct network_assembly whole = *entry;
    if (!is_alone) network_assembly_map_remove(&domain->assemblies, entry);
    complete_message(domain, features, packet, &whole);
    return true;
}

/* Receives a packet in the home domain, where its endpoint is, and frees it. */
static inline bool receive_home(struct network_domain *domain,
                                const struct network_hop_features *features, uint32_t index,
                                int64_t time_ps) {
    const bool is_complete = assemble(domain, features, index, time_ps);
    packet_free(domain, index);
    return is_complete;
}

/* Moves a packet that arrived by a rail other than the first to the home domain, where its endpoint
 * is, and receives it there. */
HINT_NOINLINE static bool bring_home(struct network_domain *domain, uint32_t index,
                                     int64_t time_ps) {
    struct network_domain *home = domain->home;
    uint32_t moved = packet_new(home);
    if (moved == NETWORK_NONE) return false;
    struct network_packet *packet = &home->packets.items[moved];
    *packet = domain->packets.items[index];
    if (domain->observers.trails != NULL) trail_move(domain, index, home, moved);
    packet_free(domain, index);
    if (packet->message != NETWORK_NONE)
        packet->message = message_move(domain, home, packet->message);
    return receive_home(home, &home->network->hop_features, moved, time_ps);
}

bool nic_receive(struct network_domain *domain, const struct network_hop_features *features,
                 uint32_t index, int64_t time_ps) {
    if (!features->basic && domain->network->nics.acknowledges &&
        acknowledge(domain, index, time_ps))
        return false;
    if (!features->basic && domain != domain->home) return bring_home(domain, index, time_ps);
    return receive_home(domain, features, index, time_ps);
}
