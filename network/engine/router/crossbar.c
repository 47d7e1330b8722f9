/* Traversals of the crossbar: the buffer space that they take and free, and the states that they
 * update. */
#include "network/engine/router/crossbar.h"
#include "network/engine/flow_control/credits.h"

#include "core/base/compiler_hints.h"
#include "network/engine/exchange/group_exchange.h"
#include "network/engine/flow_control/class_shares.h"
#include "network/engine/flow_control/requests.h"
#include "network/engine/flow_control/sleepers.h"
#include "network/engine/measurement/history.h"
#include "network/engine/measurement/packet_trails.h"
#include "network/engine/measurement/statistics.h"
#include "network/engine/measurement/watch.h"
#include "network/engine/nic/nic.h"
#include "network/engine/nic/nic_host.h"
#include "network/engine/router/arbiter.h"
#include "network/engine/router/basic_machines.h"
#include "network/engine/router/congestion.h"
#include "network/engine/router/input_vc.h"
#include "network/engine/state/channel_times.h"
#include "network/engine/state/events.h"
#include "network/routing/observation/round_trips.h"
#include "network/routing/observation/saturation.h"

/* The buffer space that a traversal takes and frees. */
struct traversal_space {
    uint32_t taken_bytes; /* bytes taken in the next buffer */
    uint32_t freed_bytes; /* bytes freed in the buffer that the packet leaves */
    int64_t delay_ps;     /* delay of the credit after the release of that buffer */
};

/* Records a traversal in the state that only some machines have (is_basic in derive.c). */
HINT_NOINLINE static void record_machine_traversal(struct rail_group *rail_group,
                                                   const struct network_input_vc *from,
                                                   const struct network_input_position *position,
                                                   uint32_t output,
                                                   const struct network_packet *packet) {
    const struct network *network = rail_group->network;
    if (rail_group->allocation.service_order != NULL) arbiter_stamp(rail_group, output, from);
    if (rail_group->limits.shares != NULL)
        class_shares_record(rail_group, output, position->vc / network->vcs.per_virtual_network,
                            packet->size_bytes);
    if (rail_group->limits.congestion != NULL) congestion_count_departure(rail_group, from, packet);
    if (network->config.nic_receive_buffer_bytes > 0 &&
        network->tables.wiring[output].channel_kind == NETWORK_TERMINAL &&
        !network_is_response_vc(network, position->vc))
        rail_group->output_vcs[packet_port_vc(network, &network->hop_features, packet, output)]
            .credits_bytes -= (int32_t)packet->size_bytes;
}

/* Records a traversal in all state besides the output's, and changes `space` as that state
 * requires. In the escape ring, whose safety is counted in packets, every packet takes as much
 * space as the largest. */
static inline void record_traversal(struct rail_group *rail_group,
                                    const struct network_hop_features *features,
                                    const struct network_input_vc *from,
                                    const struct network_input_position *position, uint32_t output,
                                    struct network_packet *packet, struct traversal_space *space) {
    const struct network *network = rail_group->network;
    const uint32_t out_port_vc = packet_port_vc(network, features, packet, output);
    const bool is_to_node = network->tables.wiring[output].channel_kind == NETWORK_TERMINAL;
    if (!features->is_basic) {
        record_machine_traversal(rail_group, from, position, output, packet);
        space->delay_ps = network->config.credit_latency_ps;
    }
    if (rail_group->allocation.sleepers != NULL) sleepers_wake(rail_group, output);
    if (network->routing.depart != NULL) network->routing.depart(rail_group, from, packet);
    const uint32_t first_vc = virtual_network_first_vc(network, features, position->vc);
    if (packet->vc - first_vc == network->vcs.ring_vc)
        space->taken_bytes = network->channels.full_packet_bytes;
    if (position->vc - first_vc == network->vcs.ring_vc)
        space->freed_bytes = network->channels.full_packet_bytes;
    if (!features->is_basic && rail_group->shared_free_bytes != NULL && !is_to_node)
        credits_take_shared(rail_group, out_port_vc, space->taken_bytes);
    if (rail_group->routing.vc_waiting_bytes != NULL)
        rail_group->routing.vc_waiting_bytes[out_port_vc] -= packet->size_bytes;
    if (rail_group->routing.saturation != NULL && !network->config.ugal_waiting)
        saturation_count_sent(rail_group, out_port_vc, packet->size_bytes);
    if (rail_group->routing.round_trips == NULL || is_to_node) return;
    const int64_t delay_ps =
        round_trips_delay_ps(rail_group, output, out_port_vc - output * network->vcs.per_port);
    round_trips_record_sent(rail_group, out_port_vc);
    if (network_kind_of_channel_type(position->channel_type) == NETWORK_LOCAL)
        space->delay_ps += delay_ps;
}

/* Records a traversal in the history and on watched links, if the network keeps them. */
HINT_NOINLINE static void observe_traversal(struct rail_group *rail_group, uint32_t packet,
                                            const struct network_output_wiring *wiring,
                                            int64_t start_ps, int64_t end_ps) {
    if (rail_group->observers.history != NULL)
        history_record_transmission(rail_group,
                                    (uint32_t)(wiring - rail_group->network->tables.wiring),
                                    rail_group->packets.items[packet].size_bytes, start_ps, end_ps);
    if (rail_group->observers.watch != NULL)
        watch_record_transmission(rail_group,
                                  (uint32_t)(wiring - rail_group->network->tables.wiring), packet,
                                  start_ps, end_ps);
}

/* Sends the credit for the space that a packet frees at released_ps back to the output or NIC at
 * the other end of the channel. */
static inline void release_space(struct rail_group *rail_group,
                                 const struct network_hop_features *features,
                                 const struct network_input_position *position, int64_t released_ps,
                                 uint32_t bytes) {
    const struct network *network = rail_group->network;
    int64_t back_ps = released_ps + network->channels.latency_ps[position->channel_type];
    if (!position->is_global) {
        credits_return(rail_group, features, position->peer, back_ps, bytes);
        return;
    }
    uint32_t link = position->global_link;
    exchange_credit(rail_group, rail_group->wiring.peer_group[link],
                    rail_group->wiring.peer_port[link] * network->vcs.per_port + position->vc,
                    bytes, back_ps);
}

/* Sends a packet, whose head leaves an output at start_ps and whose tail at end_ps, to the next
 * buffer or to its node. */
static inline void forward(struct rail_group *rail_group,
                           const struct network_hop_features *features,
                           const struct network_output_wiring *wiring, uint32_t index,
                           int64_t start_ps, int64_t end_ps) {
    const struct network *network = rail_group->network;
    int64_t latency_ps = network->channels.latency_ps[wiring->channel_type];
    if (wiring->channel_kind == NETWORK_TERMINAL) {
        if (!features->is_basic && network->nics.has_receive_limits)
            nic_host_accept(rail_group, port_of_vc(network, wiring->peer_port_vc), index,
                            start_ps + latency_ps, end_ps + latency_ps);
        else
            nic_receive(rail_group, features, index, end_ps + latency_ps);
        return;
    }
    struct network_packet *packet = &rail_group->packets.items[index];
    uint32_t vc = packet->vc;
    int64_t request_ps = start_ps + latency_ps + network->routers.delay_ps;
    packet->request_ps = request_ps;
    packet->tail_ps = end_ps + latency_ps;
    if (wiring->channel_kind == NETWORK_LOCAL) {
        event_queue_insert(&rail_group->events, request_ps,
                           NETWORK_EVENT(NETWORK_EVENT_ENTER_VC, index, wiring->peer_port_vc + vc));
        return;
    }
    packet->vc_class = (uint8_t)(vc + 1 - virtual_network_first_vc(network, features, vc));
    packet->waypoint =
        NETWORK_NO_LINK; /* the link belonged to the group that the packet has left */
    exchange_packet(rail_group, features, rail_group->wiring.peer_group[wiring->global_link],
                    rail_group->wiring.peer_port[wiring->global_link] * network->vcs.per_port + vc,
                    index, request_ps);
}

/* Passes a packet through the crossbar, and returns when it has left the input completely. Without
 * output buffers this is when the packet's tail has entered the channel, at end_ps. With output
 * buffers it is when the packet is through the crossbar. An ideal crossbar takes no time, so the
 * packet is through when its tail has arrived. The output side of any other crossbar is busy until
 * the packet is through, which crossbar_free_ps says. */
static inline int64_t pass_crossbar(const struct network *network,
                                    const struct network_hop_features *features,
                                    struct network_output *out, uint32_t size_bytes,
                                    int64_t tail_ps, int64_t now_ps, int64_t end_ps) {
    if (!features->has_output_buffers) return end_ps;
    if (features->crossbar == NETWORK_CROSSBAR_IDEAL) return now_ps < tail_ps ? tail_ps : now_ps;
    int64_t done_ps = now_ps;
    done_ps += size_bytes == network->channels.full_packet_bytes
                   ? network->routers.crossbar_full_ps
                   : channel_serialisation_ps(size_bytes, network->routers.crossbar_bytes_per_s);
    if (done_ps < tail_ps) done_ps = tail_ps;
    out->crossbar_free_ps = done_ps;
    return done_ps;
}

static inline void traverse(struct rail_group *rail_group,
                            const struct network_hop_features *features,
                            struct network_input_vc *input_vc, uint32_t output) {
    const struct network *network = rail_group->network;
    struct network_output *out = &rail_group->outputs[output];
    const struct network_output_wiring *wiring = &network->tables.wiring[output];
    const struct network_input_position *position = input_vc_position(rail_group, input_vc);
    uint32_t index = input_vc->first;
    struct network_packet *packet = &rail_group->packets.items[index];
    uint32_t out_port_vc = packet_port_vc(network, features, packet, output);
    uint32_t size_bytes = packet->size_bytes;
    int64_t now_ps = rail_group->now_ps;
    if (features->is_observed && rail_group->observers.trails != NULL)
        packet_trail_fetch(rail_group, index);
    request_flip(rail_group, features, position, output);

    int64_t start_ps = out->free_ps > now_ps ? out->free_ps : now_ps;
    int64_t end_ps = start_ps + channel_ps(network, wiring->channel_type, size_bytes);
    const bool limits_tail = end_ps >= packet->tail_ps;
    if (!limits_tail) end_ps = packet->tail_ps;
    if (out->stalled_since_ps != EVENT_NEVER) {
        if (out->stalled_since_ps < now_ps)
            statistics_count_stall(rail_group, output, out->stalled_since_ps, now_ps);
        out->stalled_since_ps = EVENT_NEVER;
    }
    if (network->routers.counts_requests) {
        out->requests--;
        out->waiting_bytes -= size_bytes;
    }
    out->free_ps = end_ps;
    out->packets++;
    out->bytes += size_bytes;
    out->busy_ps += end_ps - start_ps;
    rail_group->counts.totals.packet_hops++;
    packet->routers = (uint8_t)(packet->routers + (packet->routers < UINT8_MAX));
    if (features->keeps_allocation_times)
        rail_group->allocation.vc_free_ps[out_port_vc] =
            now_ps + network->config.allocation_latency_ps;
    struct traversal_space space = {size_bytes, size_bytes, 0};
    if (!features->has_basic_routing && network->routers.tracks_traversals)
        record_traversal(rail_group, features, input_vc, position, output, packet, &space);
    int64_t released_ps =
        pass_crossbar(network, features, out, size_bytes, packet->tail_ps, now_ps, end_ps);
    int64_t eligible_ps = now_ps + network->config.allocation_latency_ps;
    if (features->crossbar == NETWORK_CROSSBAR_INPUT) {
        rail_group->allocation.input_free_ps[position->input] = released_ps;
    } else if (features->crossbar == NETWORK_CROSSBAR_VC) {
        rail_group->allocation.input_free_ps[position->input] = now_ps + network->channels.cycle_ps;
        if (eligible_ps < released_ps) eligible_ps = released_ps;
    }
    const uint32_t has_credits = wiring->channel_kind != NETWORK_TERMINAL; /* no branch */
    rail_group->output_vcs[out_port_vc].credits_bytes -=
        (int32_t)(space.taken_bytes & -has_credits);
    input_vc->eligible_ps = eligible_ps;
    input_vc->first = packet->next;
    if (input_vc->first != NETWORK_NONE) input_vc_advance(rail_group, features, input_vc, position);
    if (!features->is_basic && network->config.release == NETWORK_RELEASE_HEAD)
        released_ps = now_ps;
    release_space(rail_group, features, position, released_ps + space.delay_ps, space.freed_bytes);
    if (features->is_observed && rail_group->observers.trails != NULL)
        packet_trail_record_transmission(rail_group, index, wiring, start_ps, limits_tail);
    if (features->is_observed &&
        (rail_group->observers.history != NULL || rail_group->observers.watch != NULL))
        observe_traversal(rail_group, index, wiring, start_ps, end_ps);
    forward(rail_group, features, wiring, index, start_ps, end_ps);
}

/* `flatten` inlines all calls: a traversal uses functions of several files, and runs once per hop.
 */
#define TRAVERSE __attribute__((noinline, flatten)) void

TRAVERSE crossbar_traverse(struct rail_group *rail_group, struct network_input_vc *from,
                           uint32_t output) {
    traverse(rail_group, &rail_group->network->hop_features, from, output);
}

#define TRAVERSE_IN(name, ...)                                                                     \
    TRAVERSE crossbar_traverse_##name(struct rail_group *rail_group,                               \
                                      struct network_input_vc *from, uint32_t output) {            \
        traverse(rail_group, &network_basic_##name, from, output);                                 \
    }
NETWORK_BASIC_MACHINES(TRAVERSE_IN)
