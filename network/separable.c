/*
 * The allocator of routers whose inputs make one transfer at a time: separable, input first, in a
 * given number of rounds. In a round every free input proposes one of its lanes that could go at
 * once, and every output takes one of the proposals made to it.
 *
 * Inputs choose the lane served longest ago (or, under oldest-first arbitration, the oldest packet);
 * outputs arbitrate as configured.
 */
#include "network/router.h"

#define RADIX_MAX 1024 /* network_config_check holds machines to it */

/* When a lane's first packet could go: now_ps at the earliest, EVENT_NEVER if credits must come. */
static int64_t could_go_ps(network_domain *domain, uint32_t output, const packet *packet,
                           uint32_t port) {
    int64_t at_ps = router_accepts_ps(domain, output, packet);
    if (domain->input_free_ps[port] > at_ps) at_ps = domain->input_free_ps[port];
    if (at_ps > domain->now_ps) return at_ps;
    if (router_has_credits(domain, output, packet)) return domain->now_ps;
    return credits_time(domain, output * domain->network->vcs + packet->output_vc,
                        packet->size_bytes);
}

/* The lane an input port proposes, or NONE. */
static uint32_t propose(network_domain *domain, uint32_t router, uint32_t port,
                        uint32_t *output) {
    const network *network = domain->network;
    bool oldest = network->config.arbitration == NETWORK_OLDEST;
    uint32_t best = NONE;
    int64_t best_born_ps = 0;
    uint32_t now = (uint32_t)domain->totals.packet_hops;
    for (uint32_t lane = port * network->vcs; lane < (port + 1) * network->vcs; lane++) {
        const buffer *buffer = &domain->buffers[lane];
        if (!buffer->asking) continue;
        const packet *packet = &domain->packets.items[buffer->first];
        uint32_t wanted = router * network->topology.radix + packet->output_port;
        if (could_go_ps(domain, wanted, packet, port) > domain->now_ps) continue;
        if (best != NONE) {
            bool better = oldest ? packet->born_ps < best_born_ps
                                 : now - buffer->served > now - domain->buffers[best].served;
            if (!better) continue;
        }
        best = lane;
        best_born_ps = packet->born_ps;
        *output = wanted;
    }
    return best;
}

static bool run_round(network_domain *domain, uint32_t router) {
    const network *network = domain->network;
    uint32_t radix = network->topology.radix;
    uint32_t first_lane = router * radix * network->vcs;
    arbiter arbiters[RADIX_MAX];
    uint64_t touched[RADIX_MAX / 64] = {0};
    for (uint32_t port = router * radix; port < (router + 1) * radix; port++) {
        if (domain->input_free_ps[port] > domain->now_ps) continue;
        uint32_t output;
        uint32_t lane = propose(domain, router, port, &output);
        if (lane == NONE) continue;
        uint32_t number = output - router * radix;
        if (!(touched[number / 64] >> (number % 64) & 1)) {
            touched[number / 64] |= UINT64_C(1) << (number % 64);
            arbiters[number] = arbiter_new(domain, output, first_lane);
        }
        arbiter_offer(&arbiters[number], lane - first_lane);
    }
    bool any = false;
    for (uint32_t word = 0; word < RADIX_MAX / 64; word++) {
        for (uint64_t bits = touched[word]; bits != 0; bits &= bits - 1) {
            arbiter *arbiter = &arbiters[word * 64 + (uint32_t)__builtin_ctzll(bits)];
            arbiter_served(arbiter);
            router_transfer(domain, arbiter->output, first_lane + arbiter->best);
            any = true;
        }
    }
    return any;
}

/* Looks again when the first of the packets left over could go. */
static void set_wake(network_domain *domain, uint32_t router) {
    const network *network = domain->network;
    uint32_t radix = network->topology.radix;
    int64_t wake_ps = EVENT_NEVER;
    for (uint32_t lane = router * radix * network->vcs; lane < (router + 1) * radix * network->vcs;
         lane++) {
        if (!domain->buffers[lane].asking) continue;
        const packet *packet = &domain->packets.items[domain->buffers[lane].first];
        uint32_t output = router * radix + packet->output_port;
        struct output *out = &domain->outputs[output];
        int64_t at_ps = could_go_ps(domain, output, packet, network->lane_places[lane].output);
        if (at_ps <= domain->now_ps) { /* left over by the rounds: next cycle */
            at_ps = domain->now_ps + network->cycle_ps;
        } else if (out->free_ps <= domain->now_ps && out->blocked_ps == EVENT_NEVER &&
                   !router_has_credits(domain, output, packet)) {
            out->blocked_ps = domain->now_ps;
        }
        if (at_ps < wake_ps) wake_ps = at_ps;
    }
    if (wake_ps != EVENT_NEVER) router_wake(domain, router * radix, wake_ps);
}

void separable_allocate(network_domain *domain, uint32_t router) {
    for (int64_t round = 0; round < domain->network->config.allocation_rounds; round++) {
        if (!run_round(domain, router)) break;
    }
    set_wake(domain, router);
}
