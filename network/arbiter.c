/*
 * Arbitration at an output: round robin, least recently served, oldest first; each with or without
 * strict priority of transit (packets from other routers) over injection.
 */
#include "network/router.h"

arbiter arbiter_new(network_domain *domain, uint32_t output, uint32_t first_lane) {
    return (arbiter){.domain = domain, .output = output, .first_lane = first_lane, .best = NONE};
}

/* Smaller is better; different for different lanes. Not for oldest first. */
static uint64_t rank_of(const arbiter *arbiter, uint32_t lane) {
    const network_domain *domain = arbiter->domain;
    const network *network = domain->network;
    uint32_t lanes = network->topology.radix * network->vcs;
    if (network->config.arbitration == NETWORK_LEAST_RECENT)
        return (uint64_t)domain->served[(size_t)arbiter->output * lanes + lane] << 32 | lane;
    uint32_t turn = domain->outputs[arbiter->output].turn;
    return lane >= turn ? lane - turn : lane + lanes - turn;
}

static const packet *first_packet(const arbiter *arbiter, uint32_t lane) {
    const network_domain *domain = arbiter->domain;
    return &domain->packets.items[domain->buffers[arbiter->first_lane + lane].first];
}

void arbiter_offer(arbiter *arbiter, uint32_t lane) {
    const network *network = arbiter->domain->network;
    bool transit = lane >= network->topology.nodes_per_router * network->vcs;
    bool oldest = network->config.arbitration == NETWORK_OLDEST;
    uint64_t rank = oldest ? 0 : rank_of(arbiter, lane);
    if (arbiter->best != NONE) {
        if (network->config.transit_priority && transit != arbiter->best_transit) {
            if (!transit) return;
        } else if (oldest ? !router_older(first_packet(arbiter, lane),
                                          first_packet(arbiter, arbiter->best))
                          : rank >= arbiter->best_rank) {
            return;
        }
    }
    arbiter->best = lane;
    arbiter->best_transit = transit;
    arbiter->best_rank = rank;
}

void arbiter_served(arbiter *arbiter) {
    network_domain *domain = arbiter->domain;
    if (domain->served == NULL) return;
    const network *network = domain->network;
    uint32_t lanes = network->topology.radix * network->vcs;
    /* A stamp per output: the number of packets it has served. */
    domain->served[(size_t)arbiter->output * lanes + arbiter->best] =
        (uint32_t)domain->outputs[arbiter->output].packets + 1;
}
