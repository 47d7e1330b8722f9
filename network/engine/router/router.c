/*
 * Routers: input-queued, virtual cut-through, one FIFO per (input port, VC).
 *
 * Within a time stamp, an event routes a packet only if its path does not depend on the state of
 * the network; other input VCs, and allocators, are made due. An allocator is an output, a NIC, or
 * a router that allocates its outputs together. Then, until nothing is due, all due input VCs are
 * routed, and of the due allocators the first ones allocate, in ascending order of their numbers:
 * those of one block of 64 numbers, before other input VCs are routed. So the result does not
 * depend on the order of simultaneous events, and arbitration sees all requests of the instant.
 *
 * This file has the allocator of the ideal crossbar, in which each output decides for itself.
 * separable_allocation.c has the allocator of routers that allocate all their outputs together.
 * input_vc.c, requests.c and crossbar.c have the steps before and after allocation.
 */
#include "network/engine/router/router.h"

#include "network/engine/flow_control/outputs.h"
#include "network/engine/flow_control/requests.h"
#include "network/engine/flow_control/wakeups.h"
#include "network/engine/nic/nic.h"
#include "network/engine/nic/nic_host.h"
#include "network/engine/router/arbiter.h"
#include "network/engine/router/crossbar.h"
#include "network/engine/router/input_vc.h"
#include "network/routing/observation/saturation.h"

/* Returns whether the first packet of an input VC can go at now_ps by the output that it requests,
 * which is `output`. If it cannot, lowers *wake_ps to the time at which it may, if that is earlier.
 */
static inline bool can_go(struct rail_group *rail_group,
                          const struct network_hop_features *features, uint32_t output,
                          const struct network_input_vc *requester, int64_t *wake_ps) {
    const struct network_packet *packet = input_vc_packet(rail_group, requester);
    uint32_t port_vc = packet_port_vc(rail_group->network, features, packet, output);
    int64_t at_ps = output_accepts_ps(rail_group, features, output, port_vc, packet->size_bytes);
    if (at_ps <= rail_group->now_ps) {
        /* Without receive buffers of NICs ejection always has room, because its output VCs are
         * never charged. */
        if (credits_are_available(rail_group, features, port_vc, packet->size_bytes)) return true;
        output_begin_stall(rail_group, output);
        at_ps = credits_at_ps(rail_group, port_vc, packet->size_bytes);
    }
    if (at_ps < *wake_ps) *wake_ps = at_ps;
    return false;
}

/* Returns the input VC that wins an output of the ideal crossbar. NULL: none can go, and
 * *wake_ps is lowered to the time at which one may. */
static inline struct network_input_vc *choose(struct rail_group *rail_group,
                                              const struct network_hop_features *features,
                                              uint32_t output, int64_t *wake_ps) {
    const struct network *network = rail_group->network;
    struct network_input_vc *first =
        &rail_group->input_vcs[network->tables.wiring[output].first_port_vc];
    struct network_input_vc *best = NULL;
    bool several = false;
    const uint32_t count = network_request_words(network, features);
    const uint64_t *words = &rail_group->allocation.request_bits[(size_t)output * count];
    for (size_t word = 0; word < count; word++) {
        for (uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
            struct network_input_vc *requester = first + word * 64 + __builtin_ctzll(bits);
            if (!can_go(rail_group, features, output, requester, wake_ps)) continue;
            several = best != NULL;
            best =
                several ? arbiter_better(rail_group, features, output, best, requester) : requester;
        }
    }
    if (several) arbiter_advance(rail_group, features, output, best);
    return best;
}

static inline bool has_requests(const struct rail_group *rail_group,
                                const struct network_hop_features *features, uint32_t output) {
    const uint32_t words = network_request_words(rail_group->network, features);
    const uint64_t *bits = &rail_group->allocation.request_bits[(size_t)output * words];
    for (uint32_t word = 0; word < words; word++)
        if (bits[word] != 0) return true;
    return false;
}

/* Allocates an output of the ideal crossbar, which takes packets from any inputs at once, as
 * fast as it can send. */
static void allocate_output(struct rail_group *rail_group,
                            const struct network_hop_features *features, uint32_t output) {
    const struct network_output *out = &rail_group->outputs[output];
    const bool buffered = features->has_output_buffers;
    while (buffered || out->free_ps <= rail_group->now_ps) {
        int64_t wake_ps = EVENT_NEVER;
        struct network_input_vc *granted = choose(rail_group, features, output, &wake_ps);
        if (granted == NULL) {
            if (wake_ps != EVENT_NEVER) wakeup_set(rail_group, output, wake_ps);
            return;
        }
        features->traverse(rail_group, granted, output);
        if (!buffered) break; /* the packet occupies the channel */
    }
    if (has_requests(rail_group, features, output)) wakeup_set(rail_group, output, out->free_ps);
}

static inline void allocate_due(struct rail_group *rail_group,
                                const struct network_hop_features *features, uint32_t allocator) {
    const struct network *network = rail_group->network;
    if (allocator >= network->tables.ports) {
        uint32_t endpoint = allocator - network->tables.ports;
        if (!features->is_basic && rail_group->limits.hosts != NULL)
            nic_host_run(rail_group, endpoint);
        else if (!features->is_basic && network->nics.limits_sending)
            nic_inject_within_limits(rail_group, endpoint);
        else
            nic_inject(rail_group, endpoint);
    } else if (features->allocates_by_router) {
        separable_allocate(rail_group, features, allocator);
    } else {
        allocate_output(rail_group, features, allocator);
    }
}

void router_allocate(struct rail_group *rail_group, const struct network_hop_features *features) {
    request_make_deferred(rail_group, features);
    for (;;) {
        for (uint32_t port_vc;
             (port_vc = bitset_pop(&rail_group->allocation.unrouted)) != NETWORK_NONE;)
            input_vc_route(rail_group, features, port_vc);
        uint32_t word;
        uint64_t bits = bitset_pop_word(&rail_group->allocation.due_allocators, &word);
        if (bits == 0) break;
        for (; bits != 0; bits &= bits - 1)
            allocate_due(rail_group, features, word * 64 + (uint32_t)__builtin_ctzll(bits));
    }
    if (!features->has_basic_routing && rail_group->routing.saturation != NULL)
        saturation_settle(rail_group);
}
