/* Holds messages until the gap since the last one is over, reserves the host interface for packets
 * of both directions, and takes packets from the receive buffer one after another. */
#include "network/engine/nic/nic_host.h"

#include "core/base/compiler_hints.h"
#include "core/memory/memory.h"
#include "network/engine/flow_control/credits.h"
#include "network/engine/flow_control/wakeups.h"
#include "network/engine/measurement/packet_trails.h"
#include "network/engine/nic/nic.h"
#include "network/engine/state/channel_times.h"

struct nic_host *nic_host_new(const struct network *network) {
    uint32_t endpoints = network->topology.endpoints_per_group;
    struct nic_host *hosts = memory_new(endpoints, sizeof *hosts);
    for (uint32_t endpoint = 0; hosts != NULL && endpoint < endpoints; endpoint++) {
        hosts[endpoint].held_first = hosts[endpoint].released = NETWORK_NONE;
        hosts[endpoint].first_packet = hosts[endpoint].last_packet = NETWORK_NONE;
    }
    return hosts;
}

/* ---------------------------------------------------------------- the gap between messages */

/* Moves the first message of the queue to the end of the held messages. */
static void hold_in_gap(struct rail_group *rail_group, uint32_t endpoint) {
    struct network_nic *nic = &rail_group->nics[endpoint];
    struct nic_host *host = &rail_group->limits.hosts[endpoint];
    struct network_message_record *messages = rail_group->messages.items;
    uint32_t held = nic->first_message;
    nic->first_message = messages[held].next;
    if (nic->first_message == NETWORK_NONE) nic->last_message = NETWORK_NONE;
    messages[held].next = NETWORK_NONE;
    if (host->held_first == NETWORK_NONE)
        host->held_first = held;
    else
        messages[host->held_last].next = held;
    host->held_last = held;
}

bool nic_host_hold_early(struct rail_group *rail_group, uint32_t endpoint) {
    if (rail_group->limits.hosts[endpoint].next_begin_ps <= rail_group->now_ps) return false;
    hold_in_gap(rail_group, endpoint);
    return true;
}

void nic_host_begin(struct rail_group *rail_group, uint32_t endpoint) {
    struct nic_host *host = &rail_group->limits.hosts[endpoint];
    host->next_begin_ps = rail_group->now_ps + rail_group->network->config.nic_message_gap_ps;
    host->released = NETWORK_NONE;
}

void nic_host_release(struct rail_group *rail_group, uint32_t endpoint) {
    struct network_nic *nic = &rail_group->nics[endpoint];
    struct nic_host *host = &rail_group->limits.hosts[endpoint];
    uint32_t first = host->held_first;
    if (first == NETWORK_NONE || host->released != NETWORK_NONE ||
        host->next_begin_ps > rail_group->now_ps ||
        rail_group->outputs[rail_group->network->tables.ports + endpoint].overhead_state !=
            NETWORK_OVERHEAD_DUE)
        return;
    struct network_message_record *messages = rail_group->messages.items;
    host->released = first;
    host->held_first = messages[first].next;
    messages[first].next = nic->first_message;
    if (nic->first_message == NETWORK_NONE) nic->last_message = first;
    nic->first_message = first;
}

void nic_host_forget(struct rail_group *rail_group, uint32_t endpoint) {
    rail_group->limits.hosts[endpoint].released = NETWORK_NONE;
}

void nic_host_await_gap(struct rail_group *rail_group, uint32_t endpoint) {
    const struct nic_host *host = &rail_group->limits.hosts[endpoint];
    if (host->held_first != NETWORK_NONE)
        wakeup_set(rail_group, rail_group->network->tables.ports + endpoint, host->next_begin_ps);
}

void nic_host_release_all(struct rail_group *rail_group, uint32_t endpoint) {
    struct network_nic *nic = &rail_group->nics[endpoint];
    struct nic_host *host = &rail_group->limits.hosts[endpoint];
    host->released = NETWORK_NONE;
    if (host->held_first == NETWORK_NONE) return;
    if (nic->first_message == NETWORK_NONE)
        nic->first_message = host->held_first;
    else
        rail_group->messages.items[nic->last_message].next = host->held_first;
    nic->last_message = host->held_last;
    host->held_first = NETWORK_NONE;
}

/* ---------------------------------------------------------------- the host interface */

bool nic_host_await_free(struct rail_group *rail_group, uint32_t endpoint) {
    int64_t free_ps = rail_group->limits.hosts[endpoint].host_free_ps;
    if (free_ps <= rail_group->now_ps) return true;
    wakeup_set(rail_group, rail_group->network->tables.ports + endpoint, free_ps);
    return false;
}

/* Occupies the host interface with a packet from now_ps on. Does nothing if its bandwidth is
 * unlimited. */
static void occupy_host(struct rail_group *rail_group, struct nic_host *host, uint32_t size_bytes,
                        bool sends) {
    int64_t bandwidth = rail_group->network->config.nic_host_bandwidth_bytes_per_s;
    if (bandwidth == 0) return;
    host->host_free_ps = rail_group->now_ps + channel_serialisation_ps(size_bytes, bandwidth);
    host->served_sending_last = sends;
}

void nic_host_send(struct rail_group *rail_group, uint32_t endpoint, uint32_t size_bytes) {
    occupy_host(rail_group, &rail_group->limits.hosts[endpoint], size_bytes, true);
}

/* ---------------------------------------------------------------- the receiving side */

HINT_NOINLINE void nic_host_accept(struct rail_group *rail_group, uint32_t output,
                                   uint32_t packet_index, int64_t head_ps, int64_t tail_ps) {
    struct nic_host *host = &rail_group->limits.hosts[output - rail_group->network->tables.ports];
    struct network_packet *packets = rail_group->packets.items;
    if (network_is_response_vc(rail_group->network, packets[packet_index].vc)) {
        nic_receive(rail_group, &rail_group->network->hop_features, packet_index,
                    tail_ps); /* it goes no further than the NIC */
        return;
    }
    packets[packet_index].head_arrival_ps = head_ps;
    packets[packet_index].tail_ps = tail_ps;
    packets[packet_index].next = NETWORK_NONE;
    host->bytes += packets[packet_index].size_bytes;
    if (host->first_packet != NETWORK_NONE) {
        packets[host->last_packet].next = packet_index;
    } else {
        host->first_packet = packet_index;
        wakeup_set(rail_group, output, head_ps);
    }
    host->last_packet = packet_index;
}

/* Returns when the receiving side can take the first packet. */
static int64_t take_ps(const struct rail_group *rail_group, const struct nic_host *host) {
    int64_t at_ps = rail_group->packets.items[host->first_packet].head_arrival_ps;
    if (at_ps < host->receive_free_ps) at_ps = host->receive_free_ps;
    return at_ps < host->host_free_ps ? host->host_free_ps : at_ps;
}

/* Takes the first packet into the receiving side. As on a channel, its tail leaves no sooner
 * than it has arrived. */
static void take_packet(struct rail_group *rail_group, uint32_t output, struct nic_host *host) {
    const struct network *network = rail_group->network;
    uint32_t index = host->first_packet;
    const struct network_packet *packet = &rail_group->packets.items[index];
    uint32_t size_bytes = packet->size_bytes;
    int64_t taken_ps = network->nics.receive_bytes_per_s > 0
                           ? channel_serialisation_ps(size_bytes, network->nics.receive_bytes_per_s)
                           : 0;
    int64_t end_ps = rail_group->now_ps + taken_ps;
    if (end_ps < packet->tail_ps) end_ps = packet->tail_ps;
    if (HINT_UNLIKELY(rail_group->observers.trails != NULL))
        packet_trail_receive(rail_group, index, taken_ps, end_ps);
    host->first_packet = packet->next;
    host->bytes -= size_bytes;
    occupy_host(rail_group, host, size_bytes, false);
    if (network->config.nic_receive_buffer_bytes > 0)
        credits_return(rail_group, &rail_group->network->hop_features,
                       network->tables.wiring[output].peer_port_vc,
                       end_ps + network->channels.latency_ps[NETWORK_TERMINAL], size_bytes);
    bool whole_message = nic_receive(rail_group, &rail_group->network->hop_features, index, end_ps);
    host->receive_free_ps = end_ps + (whole_message ? network->config.nic_receive_overhead_ps : 0);
}

/* Takes all packets that can be taken at now_ps, and wakes the NIC for the next one. */
static void take_arrived(struct rail_group *rail_group, uint32_t output, struct nic_host *host) {
    while (host->first_packet != NETWORK_NONE && !rail_group->failure.out_of_memory) {
        int64_t at_ps = take_ps(rail_group, host);
        if (at_ps > rail_group->now_ps) {
            wakeup_set(rail_group, output, at_ps);
            return;
        }
        take_packet(rail_group, output, host);
    }
}

HINT_NOINLINE void nic_host_run(struct rail_group *rail_group, uint32_t endpoint) {
    struct nic_host *host = &rail_group->limits.hosts[endpoint];
    uint32_t output = rail_group->network->tables.ports + endpoint;
    if (host->served_sending_last) take_arrived(rail_group, output, host);
    nic_inject_within_limits(rail_group, endpoint);
    take_arrived(rail_group, output, host);
}
