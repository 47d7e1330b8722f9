/* The limits of NICs that come from their hosts. See nic_host.h. */
#include "network/engine/nic_host.h"

#include "core/base/hints.h"
#include "core/memory/memory.h"
#include "network/engine/channel_times.h"
#include "network/engine/credits.h"
#include "network/engine/nic.h"
#include "network/engine/packet_trails.h"
#include "network/engine/wakeups.h"

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
static void hold_in_gap(struct network_domain *domain, uint32_t endpoint) {
    struct network_nic *nic = &domain->nics[endpoint];
    struct nic_host *host = &domain->limits.hosts[endpoint];
    struct network_message_record *messages = domain->messages.items;
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

bool nic_host_hold_early(struct network_domain *domain, uint32_t endpoint) {
    if (domain->limits.hosts[endpoint].next_begin_ps <= domain->now_ps) return false;
    hold_in_gap(domain, endpoint);
    return true;
}

void nic_host_begin(struct network_domain *domain, uint32_t endpoint) {
    struct nic_host *host = &domain->limits.hosts[endpoint];
    host->next_begin_ps = domain->now_ps + domain->network->config.nic_message_gap_ps;
    host->released = NETWORK_NONE;
}

void nic_host_release(struct network_domain *domain, uint32_t endpoint) {
    struct network_nic *nic = &domain->nics[endpoint];
    struct nic_host *host = &domain->limits.hosts[endpoint];
    uint32_t first = host->held_first;
    if (first == NETWORK_NONE || host->released != NETWORK_NONE ||
        host->next_begin_ps > domain->now_ps ||
        domain->outputs[domain->network->tables.ports + endpoint].overhead_state !=
            NETWORK_OVERHEAD_DUE)
        return;
    struct network_message_record *messages = domain->messages.items;
    host->released = first;
    host->held_first = messages[first].next;
    messages[first].next = nic->first_message;
    if (nic->first_message == NETWORK_NONE) nic->last_message = first;
    nic->first_message = first;
}

void nic_host_forget(struct network_domain *domain, uint32_t endpoint) {
    domain->limits.hosts[endpoint].released = NETWORK_NONE;
}

void nic_host_await_gap(struct network_domain *domain, uint32_t endpoint) {
    const struct nic_host *host = &domain->limits.hosts[endpoint];
    if (host->held_first != NETWORK_NONE)
        wakeup_set(domain, domain->network->tables.ports + endpoint, host->next_begin_ps);
}

void nic_host_release_all(struct network_domain *domain, uint32_t endpoint) {
    struct network_nic *nic = &domain->nics[endpoint];
    struct nic_host *host = &domain->limits.hosts[endpoint];
    host->released = NETWORK_NONE;
    if (host->held_first == NETWORK_NONE) return;
    if (nic->first_message == NETWORK_NONE)
        nic->first_message = host->held_first;
    else
        domain->messages.items[nic->last_message].next = host->held_first;
    nic->last_message = host->held_last;
    host->held_first = NETWORK_NONE;
}

/* ---------------------------------------------------------------- the host interface */

bool nic_host_await_free(struct network_domain *domain, uint32_t endpoint) {
    int64_t free_ps = domain->limits.hosts[endpoint].host_free_ps;
    if (free_ps <= domain->now_ps) return true;
    wakeup_set(domain, domain->network->tables.ports + endpoint, free_ps);
    return false;
}

/* Occupies the host interface with a packet from now_ps on. Does nothing if its bandwidth is
 * unlimited. */
static void occupy_host(struct network_domain *domain, struct nic_host *host, uint32_t size_bytes,
                        bool sends) {
    int64_t bandwidth = domain->network->config.nic_host_bandwidth_bytes_per_s;
    if (bandwidth == 0) return;
    host->host_free_ps = domain->now_ps + serialization_ps(size_bytes, bandwidth);
    host->sent_last = sends;
}

void nic_host_send(struct network_domain *domain, uint32_t endpoint, uint32_t size_bytes) {
    occupy_host(domain, &domain->limits.hosts[endpoint], size_bytes, true);
}

/* ---------------------------------------------------------------- the receiving side */

HINT_NOINLINE void nic_host_accept(struct network_domain *domain, uint32_t output, uint32_t index,
                                   int64_t head_ps, int64_t tail_ps) {
    struct nic_host *host = &domain->limits.hosts[output - domain->network->tables.ports];
    struct network_packet *packets = domain->packets.items;
    if (network_is_response_vc(domain->network, packets[index].vc)) {
        nic_receive(domain, &domain->network->hop_features, index,
                    tail_ps); /* it goes no further than the NIC */
        return;
    }
    packets[index].request_ps = head_ps;
    packets[index].tail_ps = tail_ps;
    packets[index].next = NETWORK_NONE;
    host->bytes += packets[index].size_bytes;
    if (host->first_packet != NETWORK_NONE) {
        packets[host->last_packet].next = index;
    } else {
        host->first_packet = index;
        wakeup_set(domain, output, head_ps);
    }
    host->last_packet = index;
}

/* Returns when the receiving side can take the first packet. */
static int64_t take_ps(const struct network_domain *domain, const struct nic_host *host) {
    int64_t at_ps = domain->packets.items[host->first_packet].request_ps;
    if (at_ps < host->receive_free_ps) at_ps = host->receive_free_ps;
    return at_ps < host->host_free_ps ? host->host_free_ps : at_ps;
}

/* Takes the first packet into the receiving side. As on a channel, its tail leaves no sooner
 * than it has arrived. */
static void take_packet(struct network_domain *domain, uint32_t output, struct nic_host *host) {
    const struct network *network = domain->network;
    uint32_t index = host->first_packet;
    const struct network_packet *packet = &domain->packets.items[index];
    uint32_t size_bytes = packet->size_bytes;
    int64_t taken_ps = network->nics.receive_bytes_per_s > 0
                           ? serialization_ps(size_bytes, network->nics.receive_bytes_per_s)
                           : 0;
    int64_t end_ps = domain->now_ps + taken_ps;
    if (end_ps < packet->tail_ps) end_ps = packet->tail_ps;
    if (HINT_UNLIKELY(domain->observers.trails != NULL))
        trail_receive(domain, index, taken_ps, end_ps);
    host->first_packet = packet->next;
    host->bytes -= size_bytes;
    occupy_host(domain, host, size_bytes, false);
    if (network->config.nic_receive_buffer_bytes > 0)
        credits_return(domain, &domain->network->hop_features,
                       network->tables.wiring[output].peer_port_vc,
                       end_ps + network->channels.latency_ps[NETWORK_TERMINAL], size_bytes);
    bool whole_message = nic_receive(domain, &domain->network->hop_features, index, end_ps);
    host->receive_free_ps = end_ps + (whole_message ? network->config.nic_receive_overhead_ps : 0);
}

/* Takes all packets that can be taken at now_ps, and wakes the NIC for the next one. */
static void take_arrived(struct network_domain *domain, uint32_t output, struct nic_host *host) {
    while (host->first_packet != NETWORK_NONE && !domain->failure.out_of_memory) {
        int64_t at_ps = take_ps(domain, host);
        if (at_ps > domain->now_ps) {
            wakeup_set(domain, output, at_ps);
            return;
        }
        take_packet(domain, output, host);
    }
}

HINT_NOINLINE void nic_host_run(struct network_domain *domain, uint32_t endpoint) {
    struct nic_host *host = &domain->limits.hosts[endpoint];
    uint32_t output = domain->network->tables.ports + endpoint;
    if (host->sent_last) take_arrived(domain, output, host);
    nic_inject_within_limits(domain, endpoint);
    take_arrived(domain, output, host);
}
