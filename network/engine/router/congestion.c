/* Counts the bytes that wait in the last router for each endpoint, begins and ends the congestion
 * of ports, and sends notices to the sources of packets for a congested port. */
#include "network/engine/router/congestion.h"

#include "core/base/compiler_hints.h"
#include "core/memory/memory.h"
#include "network/engine/exchange/group_exchange.h"
#include "network/engine/state/channel_times.h"

#include <stdlib.h>

#define TURNS_LONGEST_PS INT64_C(1000000000000) /* one second */

struct congestion *congestion_new(const struct network *network) {
    struct congestion *made = memory_new(1, sizeof *made);
    if (made == NULL) return NULL;
    made->ports = memory_new(network->topology.endpoints_per_group, sizeof *made->ports);
    if (made->ports != NULL) return made;
    free(made);
    return NULL;
}

void congestion_free(struct congestion *congestion) {
    if (congestion == NULL) return;
    free(congestion->ports);
    free(congestion->arrived);
    free(congestion);
}

/* Returns the count of the port to a packet's endpoint if the router is the packet's last one, else
 * NULL. Responses are not counted, because their sources cannot hold them back. */
static struct congestion_port *port_at(const struct rail_group *rail_group, uint32_t router,
                                       const struct network_packet *packet) {
    if (packet->target_group != rail_group->group || packet->target_router != router ||
        network_is_response_vc(rail_group->network, packet->vc))
        return NULL;
    uint32_t endpoints = rail_group->network->topology.endpoints_per_group;
    return &rail_group->limits.congestion
                ->ports[packet->destination - rail_group->group * endpoints];
}

void congestion_count_arrival(struct rail_group *rail_group, uint32_t port_vc,
                              uint32_t packet_index) {
    const struct network_packet *packet = &rail_group->packets.items[packet_index];
    struct congestion *congestion = rail_group->limits.congestion;
    struct congestion_port *port =
        port_at(rail_group, rail_group->network->tables.positions[port_vc].router, packet);
    if (port == NULL) return;
    port->queued_bytes += packet->size_bytes;
    void *moved = congestion->arrived;
    if (memory_grow(&moved, &congestion->capacity, congestion->count + 1,
                    sizeof *congestion->arrived, NULL) != STATUS_OK) {
        rail_group->failure.out_of_memory = true;
        return;
    }
    congestion->arrived = moved;
    congestion->arrived[congestion->count++] = packet_index;
}

void congestion_count_departure(struct rail_group *rail_group, const struct network_input_vc *from,
                                const struct network_packet *packet) {
    struct congestion_port *port =
        port_at(rail_group, input_vc_position(rail_group, from)->router, packet);
    if (port == NULL) return;
    port->queued_bytes -= packet->size_bytes;
    if (port->queued_bytes <= (uint64_t)rail_group->network->config.congestion_end_bytes)
        port->is_congested = false;
}

/* Sends the source of a packet a notice: until when it shall send nothing to the packet's node. The
 * first source may send again when the port has sent what waits for it now. Each further source may
 * send later than the one before by network.congestion.hold times what the port needs for the
 * packet of the one before. With hold = 1, all sources together send at the bandwidth of the port;
 * with a larger hold, they send less. */
static void tell_source(struct rail_group *rail_group, struct congestion_port *port,
                        const struct network_packet *packet) {
    const struct network *network = rail_group->network;
    uint64_t hold = (uint64_t)network->config.congestion_hold_millionths;
    wide drain_ps =
        channel_serialisation_wide_ps(port->queued_bytes, network->nics.drain_bytes_per_s);
    if (drain_ps > TURNS_LONGEST_PS) drain_ps = TURNS_LONGEST_PS;
    int64_t first_ps = rail_group->now_ps + (int64_t)drain_ps;
    int64_t last_ps = rail_group->now_ps + TURNS_LONGEST_PS;
    if (port->turn_ps < first_ps) port->turn_ps = first_ps;
    struct network_packet notice = {
        .resume_ps = port->turn_ps,
        .packet_destination = packet->destination,
        .packet_source = packet->source,
        .message = NETWORK_NONE,
        .notice_mark = NETWORK_NOTICE_MARK,
        .notice = NETWORK_NOTICE_CONGESTED,
    };
    wide next_ps =
        channel_serialisation_wide_ps(packet->size_bytes, network->nics.drain_bytes_per_s) * hold;
    next_ps = (uint64_t)port->turn_ps + next_ps / 1000000u;
    port->turn_ps = next_ps < (uint64_t)last_ps ? (int64_t)next_ps : last_ps;
    /* The way back begins at the router, whose pipeline the packet has passed. */
    int64_t back_ps = network->nics.path_latency_ps(rail_group, packet->destination, packet->source,
                                                    packet->sequence) -
                      network->channels.latency_ps[NETWORK_TERMINAL] - network->routers.delay_ps;
    exchange_notice(rail_group, packet->source / network->topology.endpoints_per_group, &notice,
                    rail_group->now_ps + back_ps);
}

/* Sorts the arrived packets, which are few, by (source, number). */
static void sort_arrived(const struct rail_group *rail_group) {
    const struct network_packet *packets = rail_group->packets.items;
    uint32_t *arrived = rail_group->limits.congestion->arrived;
    for (size_t i = 1; i < rail_group->limits.congestion->count; i++) {
        uint32_t index = arrived[i];
        const struct network_packet *packet = &packets[index];
        size_t at = i;
        for (; at > 0; at--) {
            const struct network_packet *before = &packets[arrived[at - 1]];
            if (before->source < packet->source ||
                (before->source == packet->source && before->packet_number < packet->packet_number))
                break;
            arrived[at] = arrived[at - 1];
        }
        arrived[at] = index;
    }
}

HINT_NOINLINE void congestion_settle(struct rail_group *rail_group) {
    struct congestion *congestion = rail_group->limits.congestion;
    uint32_t endpoints = rail_group->network->topology.endpoints_per_group;
    uint64_t begin_bytes = (uint64_t)rail_group->network->config.congestion_begin_bytes;
    if (congestion->count > 1) sort_arrived(rail_group);
    for (size_t i = 0; i < congestion->count; i++) {
        /* notices may move the pool */
        struct network_packet packet = rail_group->packets.items[congestion->arrived[i]];
        struct congestion_port *port =
            &congestion->ports[packet.destination - rail_group->group * endpoints];
        if (port->queued_bytes >= begin_bytes) port->is_congested = true;
        if (port->is_congested) tell_source(rail_group, port, &packet);
    }
    congestion->count = 0;
}
