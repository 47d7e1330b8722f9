/*
 * Routers: input-queued, virtual cut-through, one FIFO per (input port, VC).
 *
 * Within a time stamp, an event routes a packet only if its path does not depend on the state of
 * the network; other input VCs, and outputs, are made due. Then everything due is routed and
 * allocated in ascending order of its number. So the result does not depend on the order of
 * simultaneous events, and arbitration sees all requests of the instant.
 *
 * This file has the allocator of the ideal crossbar, in which each output decides for itself.
 * separable.c has the allocator of routers that allocate all their outputs together.
 * route_computation.c, requests.c and crossbar.c have the steps before and after allocation.
 */
#include "network/engine/router.h"

#include "network/engine/arbiter.h"
#include "network/engine/crossbar.h"
#include "network/engine/nic.h"
#include "network/engine/nic_host.h"
#include "network/engine/outputs.h"
#include "network/engine/requests.h"
#include "network/engine/route_computation.h"
#include "network/engine/wakeups.h"
#include "network/routing/saturation.h"

/* Returns whether the first packet of an input VC can go at now_ps by the output that it requests,
 * which is `number`. If it cannot, lowers *wake_ps to the time at which it may, if that is earlier.
 */
static inline bool can_go(struct network_domain *domain,
                          const struct network_hop_features *features, uint32_t output,
                          const struct network_input_vc *requester, int64_t *wake_ps) {
    const struct network_packet *packet = input_vc_packet(domain, requester);
    uint32_t port_vc = packet_port_vc(domain->network, features, packet, output);
    int64_t at_ps = output_accepts_ps(domain, features, output, port_vc, packet->size_bytes);
    if (at_ps <= domain->now_ps) {
        /* Without receive buffers of NICs ejection always has room, because its output VCs are
         * never charged. */
        if (credits_available(domain, features, port_vc, packet->size_bytes)) return true;
        output_begin_stall(domain, output);
        at_ps = credits_at_ps(domain, port_vc, packet->size_bytes);
    }
    if (at_ps < *wake_ps) *wake_ps = at_ps;
    return false;
}

/* Returns the input VC that wins an output of the ideal crossbar. NULL: none can go, and
 * *wake_ps is lowered to the time at which one may. */
static inline struct network_input_vc *choose(struct network_domain *domain,
                                              const struct network_hop_features *features,
                                              uint32_t output, int64_t *wake_ps) {
    const struct network *network = domain->network;
    struct network_input_vc *first =
        &domain->input_vcs[network->tables.wiring[output].first_port_vc];
    struct network_input_vc *best = NULL;
    bool several = false;
    const uint32_t count = network_request_words(network, features);
    const uint64_t *words = &domain->allocation.request_bits[(size_t)output * count];
    for (size_t word = 0; word < count; word++) {
        for (uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
            struct network_input_vc *requester = first + word * 64 + __builtin_ctzll(bits);
            if (!can_go(domain, features, output, requester, wake_ps)) continue;
            several = best != NULL;
            best = several ? arbiter_better(domain, features, output, best, requester) : requester;
        }
    }
    if (several) arbiter_advance(domain, features, output, best);
    return best;
}

static inline bool has_requests(const struct network_domain *domain,
                                const struct network_hop_features *features, uint32_t output) {
    const uint32_t words = network_request_words(domain->network, features);
    const uint64_t *bits = &domain->allocation.request_bits[(size_t)output * words];
    for (uint32_t word = 0; word < words; word++)
        if (bits[word] != 0) return true;
    return false;
}

/* Allocates an output of the ideal crossbar, which takes packets from any inputs at once, as
 * fast as it can send. */
static void allocate_output(struct network_domain *domain,
                            const struct network_hop_features *features, uint32_t output) {
    const struct network_output *out = &domain->outputs[output];
    const bool buffered = features->output_buffers;
    while (buffered || out->free_ps <= domain->now_ps) {
        int64_t wake_ps = EVENT_NEVER;
        struct network_input_vc *granted = choose(domain, features, output, &wake_ps);
        if (granted == NULL) {
            if (wake_ps != EVENT_NEVER) wakeup_set(domain, output, wake_ps);
            return;
        }
        features->transfer(domain, granted, output);
        if (!buffered) break; /* the packet occupies the channel */
    }
    if (has_requests(domain, features, output)) wakeup_set(domain, output, out->free_ps);
}

static inline void allocate_due(struct network_domain *domain,
                                const struct network_hop_features *features, uint32_t allocator) {
    const struct network *network = domain->network;
    if (allocator >= network->tables.ports) {
        uint32_t endpoint = allocator - network->tables.ports;
        if (!features->basic && domain->limits.hosts != NULL)
            nic_host_run(domain, endpoint);
        else if (!features->basic && network->nics.limits_sending)
            nic_inject_within_limits(domain, endpoint);
        else
            nic_inject(domain, endpoint);
    } else if (features->by_router) {
        separable_allocate(domain, features, allocator);
    } else {
        allocate_output(domain, features, allocator);
    }
}

void router_allocate(struct network_domain *domain, const struct network_hop_features *features) {
    request_make_deferred(domain, features);
    for (;;) {
        for (uint32_t port_vc;
             (port_vc = bitset_pop(&domain->allocation.unrouted)) != NETWORK_NONE;)
            front_route(domain, features, port_vc);
        uint32_t word;
        uint64_t bits = bitset_pop_word(&domain->allocation.due, &word);
        if (bits == 0) break;
        for (; bits != 0; bits &= bits - 1)
            allocate_due(domain, features, word * 64 + (uint32_t)__builtin_ctzll(bits));
    }
    if (!features->basic && domain->routing.saturation != NULL) saturation_settle(domain);
}
