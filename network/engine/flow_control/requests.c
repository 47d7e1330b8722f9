/* Requests. Bits show which input VCs have a request; outputs count requests and their bytes where
 * the policy needs them (counts_requests). */
#include "network/engine/flow_control/requests.h"

#include "core/base/compiler_hints.h"
#include "network/engine/flow_control/outputs.h"
#include "network/engine/measurement/statistics.h"
#include "network/routing/observation/saturation.h"

void request_flip(struct rail_group *rail_group, const struct network_hop_features *features,
                  const struct network_input_position *position, uint32_t output) {
    *request_word(rail_group, features, position, output) ^= UINT64_C(1) << (position->bit % 64);
}

/* Adds `bytes`, which may be negative, to the waiting bytes of an output VC and of a global
 * link, for policies that read them. */
static inline void record_request(struct rail_group *rail_group,
                                  const struct network_hop_features *features,
                                  const struct network_packet *packet, uint32_t output,
                                  int64_t bytes) {
    const uint32_t port_vc = packet_port_vc(rail_group->network, features, packet, output);
    if (rail_group->routing.saturation != NULL &&
        rail_group->network->tables.wiring[output].channel_kind == NETWORK_GLOBAL)
        saturation_count_waiting(rail_group, port_vc, bytes);
    if (rail_group->routing.vc_waiting_bytes != NULL)
        rail_group->routing.vc_waiting_bytes[port_vc] += (uint32_t)bytes;
}

/* Prefetches what making the request of a first packet and granting it touch. Returns the output.
 */
static inline uint32_t prefetch(struct rail_group *rail_group,
                                const struct network_hop_features *features,
                                const struct network_input_position *position,
                                const struct network_packet *packet) {
    const struct network *network = rail_group->network;
    uint32_t output = position->router * network->topology.radix + packet->output_port;
    __builtin_prefetch(&rail_group->outputs[output], 1);
    /* The credits that the grant takes and gives back. A credit to another group waits in a
     * mailbox, and then the second address is useless but harmless. */
    __builtin_prefetch(&rail_group->output_vcs[output * network->vcs.per_port + packet->vc], 1);
    __builtin_prefetch(&rail_group->output_vcs[position->peer], 1);
    if (features->allocates_by_router)
        __builtin_prefetch(&rail_group->allocation.input_free_ps[position->input]);
    else
        __builtin_prefetch(request_word(rail_group, features, position, output), 1);
    return output;
}

/* Makes the request of a first packet for `output`. Returns the number of the allocator that
 * becomes due. */
static inline uint32_t make_request(struct rail_group *rail_group,
                                    const struct network_hop_features *features,
                                    const struct network_packet *packet,
                                    const struct network_input_position *position,
                                    uint32_t output) {
    const struct network *network = rail_group->network;
    request_flip(rail_group, features, position, output);
    if (network->routers.counts_requests) {
        struct network_output *out = &rail_group->outputs[output];
        out->requests++;
        out->waiting_bytes += packet->size_bytes;
    }
    if (!features->has_basic_routing && network->routers.counts_requests_by_vc)
        record_request(rail_group, features, packet, output, packet->size_bytes);
    return features->allocates_by_router ? position->router : output;
}

uint32_t request_output(struct rail_group *rail_group, const struct network_hop_features *features,
                        const struct network_input_position *position,
                        const struct network_packet *packet) {
    return make_request(rail_group, features, packet, position,
                        prefetch(rail_group, features, position, packet));
}

void request_defer(struct rail_group *rail_group, const struct network_hop_features *features,
                   struct network_input_vc *input_vc, const struct network_input_position *position,
                   const struct network_packet *packet) {
    prefetch(rail_group, features, position, packet);
    if (rail_group->allocation.deferred_count == NETWORK_DEFERRED_MAX)
        request_make_deferred(rail_group, features);
    rail_group->allocation.deferred[rail_group->allocation.deferred_count++] = input_vc;
}

/* Returns whether an output of the ideal crossbar that has a new request need not be due,
 * because its channel is busy and a wake-up comes no later than the channel is free. */
static inline bool will_wake_in_time(const struct rail_group *rail_group,
                                     const struct network_hop_features *features, uint32_t output) {
    const struct network_output *out = &rail_group->outputs[output];
    const int64_t now_ps = rail_group->now_ps;
    return !features->has_output_buffers & !features->allocates_by_router &
           (out->free_ps > now_ps) & (out->wake_ps > now_ps) & (out->wake_ps <= out->free_ps);
}

void request_make_deferred(struct rail_group *rail_group,
                           const struct network_hop_features *features) {
    for (uint32_t i = 0; i < rail_group->allocation.deferred_count; i++) {
        const struct network_input_vc *input_vc = rail_group->allocation.deferred[i];
        const struct network_input_position *position = input_vc_position(rail_group, input_vc);
        const struct network_packet *packet = input_vc_packet(rail_group, input_vc);
        uint32_t output =
            position->router * rail_group->network->topology.radix + packet->output_port;
        uint32_t allocator = make_request(rail_group, features, packet, position, output);
        if (!will_wake_in_time(rail_group, features, output))
            bitset_add(&rail_group->allocation.due_allocators, allocator);
    }
    rail_group->allocation.deferred_count = 0;
}

void request_again(struct rail_group *rail_group, uint32_t port_vc) {
    request_output(rail_group, &rail_group->network->hop_features,
                   &rail_group->network->tables.positions[port_vc],
                   input_vc_packet(rail_group, &rail_group->input_vcs[port_vc]));
}

void request_withdraw_during_stall(struct rail_group *rail_group,
                                   const struct network_input_vc *input_vc) {
    uint32_t output = input_vc_output(rail_group, input_vc);
    struct network_output *out = &rail_group->outputs[output];
    request_flip(rail_group, &rail_group->network->hop_features,
                 input_vc_position(rail_group, input_vc), output);
    const struct network_packet *packet = input_vc_packet(rail_group, input_vc);
    out->waiting_bytes -= packet->size_bytes;
    out->requests--;
    if (rail_group->network->routers.counts_requests_by_vc)
        record_request(rail_group, &rail_group->network->hop_features, packet, output,
                       -(int64_t)packet->size_bytes);
}

void request_end_stall(struct rail_group *rail_group, uint32_t output) {
    struct network_output *out = &rail_group->outputs[output];
    if (out->requests > 0 || out->stalled_since_ps == EVENT_NEVER) return;
    if (out->stalled_since_ps < rail_group->now_ps)
        statistics_count_stall(rail_group, output, out->stalled_since_ps, rail_group->now_ps);
    out->stalled_since_ps = EVENT_NEVER;
}

void request_withdraw(struct rail_group *rail_group, uint32_t port_vc) {
    const struct network_input_vc *input_vc = &rail_group->input_vcs[port_vc];
    request_withdraw_during_stall(rail_group, input_vc);
    request_end_stall(rail_group, input_vc_output(rail_group, input_vc));
}
