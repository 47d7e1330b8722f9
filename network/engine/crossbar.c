/* What a transfer takes, gives back, and tells others of. */
#include "network/engine/crossbar.h"

#include "network/engine/arbiter.h"
#include "network/engine/channel_times.h"
#include "network/engine/events.h"
#include "network/engine/exchange.h"
#include "network/engine/heads.h"
#include "network/engine/nic.h"
#include "network/engine/nic_host.h"
#include "network/engine/requests.h"
#include "network/engine/sleepers.h"
#include "network/routing/round_trips.h"
#include "network/routing/saturation.h"

/* What a transfer takes and gives back. */
struct transfer_space {
    uint32_t taken_bytes; /* of the next buffer */
    uint32_t freed_bytes; /* of the buffer that the packet leaves … */
    int64_t delay_ps;     /* … and how much later than it leaves the credit is given back */
};

/* A transfer, for all that want to know more of it than the output does. In the ring, whose safety
 * is counted in packets, every one takes as much as the largest. */
static inline void note_transfer(struct network_domain *domain, const struct input_vc *from,
                                 struct packet *packet, struct transfer_space *space) {
    const struct network *network = domain->network;
    uint32_t number = from->output;
    uint32_t out_port_vc = from->output_port_vc;
    if (domain->served != NULL) arbiter_stamp(domain, from);
    if (network->config.nic_receive_buffer_bytes > 0 &&
        network->places[number].level == NETWORK_TERMINAL)
        domain->output_vcs[out_port_vc].credits_bytes -= (int32_t)from->size_bytes;
    if (network->depart != NULL) network->depart(domain, from, packet);
    if (packet->output_vc == network->ring_vc) space->taken_bytes = network->full_packet_bytes;
    if (from->vc == network->ring_vc) space->freed_bytes = network->full_packet_bytes;
    if (domain->vc_waiting_bytes != NULL) domain->vc_waiting_bytes[out_port_vc] -= from->size_bytes;
    if (domain->saturation != NULL && !network->config.ugal_waiting)
        saturation_count_sent(domain, out_port_vc, from->size_bytes);
    if (domain->round_trips == NULL || network->places[number].level == NETWORK_TERMINAL) return;
    int64_t delay_ps = round_trips_delay_ps(domain, number, out_port_vc - number * network->vcs);
    round_trips_sent(domain, out_port_vc);
    if (from->level == NETWORK_LOCAL) space->delay_ps = delay_ps;
}

/* Gives the space a packet leaves at released_ps back to whoever filled it. */
static inline void release(struct network_domain *domain, struct input_vc *buffer,
                           int64_t released_ps, uint32_t bytes) {
    const struct network *network = domain->network;
    if (released_ps < buffer->released_ps) released_ps = buffer->released_ps;
    buffer->released_ps = released_ps;
    int64_t back_ps = released_ps + network->latency_ps[buffer->level];
    exchange_credit(domain, buffer->peer_group, buffer->peer, bytes, back_ps);
}

/* The packet's head leaves an output at start_ps, its tail at end_ps: to the next buffer or out. */
static inline void forward(struct network_domain *domain, const struct place *place, uint32_t index,
                           int64_t start_ps, int64_t end_ps) {
    const struct network *network = domain->network;
    int64_t latency_ps = network->latency_ps[place->level];
    if (place->level == NETWORK_TERMINAL) {
        if (network->host_receives)
            nic_host_accept(domain, place->peer_port_vc / network->vcs, index,
                            start_ps + latency_ps, end_ps + latency_ps);
        else
            nic_receive(domain, index, end_ps + latency_ps);
        return;
    }
    struct packet *packet = &domain->packets.items[index];
    uint32_t vc = packet->output_vc;
    int64_t ready_ps = start_ps + latency_ps + network->hop_ps;
    packet->ready_ps = ready_ps;
    packet->tail_ps = end_ps + latency_ps;
    if (place->level == NETWORK_LOCAL) {
        event_queue_insert(&domain->events, ready_ps,
                           NETWORK_EVENT(NETWORK_ARRIVAL, index, place->peer_port_vc + vc));
        return;
    }
    packet->vc = (uint8_t)(vc + 1);
    packet->via = NO_LINK; /* a link of the group it has left */
    exchange_packet(domain, domain->peer_domain[place->peer_port_vc],
                    domain->peer_port[place->peer_port_vc] * network->vcs + vc, index, ready_ps);
}

/* When the packet has left the input for good: with output buffers, when it is through the
 * crossbar; else with its tail on the channel. */
static inline int64_t crossbar_done_ps(const struct network *network, struct output *out,
                                       const struct packet *packet, int64_t now_ps,
                                       int64_t end_ps) {
    if (!network->output_buffered) return end_ps;
    if (network->crossbar_bandwidth == 0)
        return now_ps < packet->tail_ps ? packet->tail_ps : now_ps;
    int64_t done_ps = now_ps;
    done_ps += packet->size_bytes == network->full_packet_bytes
                   ? network->crossbar_full_ps
                   : serialization_ps(packet->size_bytes, network->crossbar_bandwidth);
    if (done_ps < packet->tail_ps) done_ps = packet->tail_ps;
    out->crossbar_ps = done_ps;
    return done_ps;
}

void crossbar_transfer(struct network_domain *domain, struct input_vc *buffer) {
    const struct network *network = domain->network;
    uint32_t number = buffer->output;
    struct output *out = &domain->outputs[number];
    const struct place *place = &network->places[number];
    struct output_vc *out_port_vc = &domain->output_vcs[buffer->output_port_vc];
    uint32_t index = buffer->first;
    struct packet *packet = &domain->packets.items[index];
    uint32_t size_bytes = buffer->size_bytes;
    int64_t now_ps = domain->now_ps;
    request_flip(domain, buffer);

    int64_t start_ps = out->free_ps > now_ps ? out->free_ps : now_ps;
    int64_t end_ps = start_ps + channel_ps(network, place->level, size_bytes);
    if (end_ps < packet->tail_ps) end_ps = packet->tail_ps;
    if (out->blocked_ps != EVENT_NEVER) {
        if (out->blocked_ps < now_ps)
            domain->figures[number].stalled_ps += now_ps - out->blocked_ps;
        out->blocked_ps = EVENT_NEVER;
    }
    out->requests--;
    out->waiting_bytes -= size_bytes;
    out->free_ps = end_ps;
    out->packets++;
    out->bytes += size_bytes;
    out->busy_ps += end_ps - start_ps;
    domain->totals.packet_hops++;
    packet->routers = (uint8_t)(packet->routers + (packet->routers < UINT8_MAX));
    struct transfer_space space = {size_bytes, size_bytes, 0};
    if (!network->plain) note_transfer(domain, buffer, packet, &space);
    if (domain->sleepers != NULL) sleepers_wake(domain, number);
    int64_t released_ps = crossbar_done_ps(network, out, packet, now_ps, end_ps);
    int64_t eligible_ps = now_ps + network->config.allocation_latency_ps;
    out_port_vc->free_ps = eligible_ps;
    if (network->config.crossbar == NETWORK_CROSSBAR_INPUT) {
        domain->input_free_ps[buffer->input] = released_ps;
    } else if (network->config.crossbar == NETWORK_CROSSBAR_VC) {
        domain->input_free_ps[buffer->input] = now_ps + network->cycle_ps;
        if (eligible_ps < released_ps) eligible_ps = released_ps;
    }
    if (place->level != NETWORK_TERMINAL) out_port_vc->credits_bytes -= (int32_t)space.taken_bytes;
    buffer->eligible_ps = eligible_ps;
    buffer->first = packet->next;
    if (buffer->first != NONE) head_becomes_first(domain, buffer);
    if (network->config.release == NETWORK_RELEASE_HEAD) released_ps = now_ps;
    release(domain, buffer, released_ps + space.delay_ps, space.freed_bytes);
    forward(domain, place, index, start_ps, end_ps);
}
