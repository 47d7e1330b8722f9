/*
 * Destinations put messages together from packets, which arrive in any order.
 */
#include "network/engine/nic/nic.h"

#include "core/base/compiler_hints.h"
#include "network/engine/measurement/packet_trails.h"
#include "network/engine/measurement/statistics.h"
#include "network/engine/nic/acknowledgements.h"
#include "network/engine/state/events.h"
#include "network/engine/state/packet_pool.h"

/* Returns the entry of a partly arrived message, new if it has none. NULL: out of memory. */
static struct network_assembly *find_assembly(struct rail_group *rail_group, uint64_t key) {
    struct network_assembly *found = network_assembly_map_find(&rail_group->assemblies, &key);
    if (found != NULL) return found;
    found = network_assembly_map_add(&rail_group->assemblies, &key);
    if (found == NULL) {
        rail_group->failure.out_of_memory = true;
        return NULL;
    }
    found->used = 1;
    found->message = NETWORK_NONE;
    return found;
}

/* Handles that all of a message has arrived at its NIC. Calls the sink at once if it is unordered;
 * otherwise schedules the call for when the host has the message. */
static inline void complete_message(struct rail_group *rail_group,
                                    const struct network_hop_features *features,
                                    const struct network_packet *packet,
                                    const struct network_assembly *assembly) {
    const struct network *network = rail_group->network;
    const uint32_t record = assembly->message;
    const int64_t time_ps = assembly->last_ps + network->nics.receive_ps;
    struct network_delivery delivery = {
        .source_node = node_shape_node(&network->topology.node_shape, packet->source),
        .destination_node = node_shape_node(&network->topology.node_shape, packet->destination),
        .ready_ps = packet->ready_ps,
        .routers = assembly->routers,
        .is_minimal = !assembly->is_nonminimal,
    };
    if (record != NETWORK_NONE) {
        delivery.size_bytes = rail_group->messages.items[record].size_bytes;
        delivery.cookie = rail_group->messages.items[record].cookie;
    } else {
        delivery.size_bytes = packet->size_bytes - (uint64_t)network->config.header_bytes;
    }
    statistics_count_message(rail_group, &delivery, packet->sequence, time_ps);
    if (!features->is_basic && rail_group->counts.class_totals != NULL)
        statistics_count_class_message(rail_group, &delivery,
                                       packet_virtual_network(network, packet), time_ps);
    if (network->sink.is_unordered) {
        delivery.zero_load_ps = 0;
        if (network->sink.delivered != NULL)
            network->sink.delivered(network->sink.context, rail_group, time_ps, &delivery);
        if (record != NETWORK_NONE) network_message_free(rail_group, record);
        return;
    }
    uint32_t report = record != NETWORK_NONE ? record : network_message_new(rail_group);
    if (report == NETWORK_NONE) return;
    struct network_message_record *message = &rail_group->messages.items[report];
    message->cookie = delivery.cookie;
    message->size_bytes = delivery.size_bytes;
    message->ready_ps = delivery.ready_ps;
    message->source = packet->source;
    message->destination = packet->destination;
    message->sequence = packet->sequence;
    message->virtual_network = !features->is_basic && network->vcs.virtual_networks > 1
                                   ? (uint8_t)packet_virtual_network(network, packet)
                                   : 0;
    message->routers = assembly->routers;
    message->is_nonminimal = assembly->is_nonminimal;
    if (features->is_observed && rail_group->observers.trails != NULL)
        packet_trail_record_completed(rail_group, report, assembly->trail);
    event_queue_insert_keyed(&rail_group->events, time_ps,
                             NETWORK_EVENT_KEY(NETWORK_EVENT_DELIVERED, packet->destination),
                             (uint64_t)packet->source << 32 | packet->sequence, report);
}

/* Adds a packet to what has arrived of its message, and completes the message if it was the last
 * one. Returns whether it was. */
static inline bool assemble(struct rail_group *rail_group,
                            const struct network_hop_features *features, uint32_t index,
                            int64_t time_ps) {
    const struct network_packet *packet = &rail_group->packets.items[index];
    uint32_t record = packet->message;
    bool is_nonminimal = packet->flags & NETWORK_PACKET_NONMINIMAL;
    rail_group->counts.totals.packets++;
    rail_group->counts.totals.minimal_packets += !is_nonminimal;
    rail_group->counts.totals.router_hops[packet->routers < 15 ? packet->routers : 15]++;
    const bool is_only_packet = packet->flags & NETWORK_PACKET_ALONE;
    uint32_t source = node_shape_node(&rail_group->network->topology.node_shape, packet->source);
    struct network_assembly alone = {.message = NETWORK_NONE}, *entry = &alone;
    if (!is_only_packet)
        entry = find_assembly(rail_group, (uint64_t)source << 32 | packet->sequence);
    if (entry == NULL) return false;
    if (features->is_observed && rail_group->observers.trails != NULL)
        packet_trail_record_arrived(rail_group, index, time_ps, &entry->trail);
    entry->bytes += packet->size_bytes;
    if (time_ps >= entry->last_ps) {
        entry->last_ps = time_ps;
        entry->routers = packet->routers;
    }
    entry->is_nonminimal |= is_nonminimal;
    if (record != NETWORK_NONE) entry->message = record;
    if (!is_only_packet && (entry->message == NETWORK_NONE ||
                            entry->bytes < rail_group->messages.items[entry->message].wire_bytes))
        return false;
    const struct network_assembly assembly = *entry;
    if (!is_only_packet) network_assembly_map_remove(&rail_group->assemblies, entry);
    complete_message(rail_group, features, packet, &assembly);
    return true;
}

/* Receives a packet in the home, where its endpoint is, and frees it. */
static inline bool receive_home(struct rail_group *rail_group,
                                const struct network_hop_features *features, uint32_t index,
                                int64_t time_ps) {
    const bool is_complete = assemble(rail_group, features, index, time_ps);
    network_packet_free(rail_group, index);
    return is_complete;
}

/* Moves a packet that arrived by a rail other than the first to the home, where its endpoint is,
 * and receives it there. */
HINT_NOINLINE static bool bring_home(struct rail_group *rail_group, uint32_t index,
                                     int64_t time_ps) {
    struct rail_group *home = rail_group->home;
    uint32_t moved = network_packet_new(home);
    if (moved == NETWORK_NONE) return false;
    struct network_packet *packet = &home->packets.items[moved];
    *packet = rail_group->packets.items[index];
    if (rail_group->observers.trails != NULL) packet_trail_move(rail_group, index, home, moved);
    network_packet_free(rail_group, index);
    if (packet->message != NETWORK_NONE)
        packet->message = network_message_move(rail_group, home, packet->message);
    return receive_home(home, &home->network->hop_features, moved, time_ps);
}

bool nic_receive(struct rail_group *rail_group, const struct network_hop_features *features,
                 uint32_t packet_index, int64_t time_ps) {
    if (!features->is_basic && rail_group->network->nics.acknowledges &&
        acknowledgement_send(rail_group, packet_index, time_ps))
        return false;
    if (!features->is_basic && rail_group != rail_group->home)
        return bring_home(rail_group, packet_index, time_ps);
    return receive_home(rail_group, features, packet_index, time_ps);
}
