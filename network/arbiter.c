/*
 * Arbitration at an output: round robin, least recently served, oldest first; each with or without
 * strict priority of transit (packets from other routers) over injection.
 */
#include "network/router.h"

/* Smaller is better; different for different lanes of a router. Not for oldest first. */
static uint64_t rank_of(const network_domain *domain, uint32_t output, uint32_t lane) {
    const network *network = domain->network;
    uint32_t bit = network->lane_places[lane].bit;
    uint32_t lanes = network->topology.radix * network->vcs;
    if (network->config.arbitration == NETWORK_LEAST_RECENT)
        return (uint64_t)domain->served[(size_t)output * lanes + bit] << 32 | bit;
    uint32_t turn = domain->outputs[output].turn;
    return bit >= turn ? bit - turn : bit + lanes - turn;
}

uint32_t arbiter_better(const network_domain *domain, uint32_t output, uint32_t a, uint32_t b) {
    const network *network = domain->network;
    if (network->config.transit_priority) {
        bool a_transit = network->lane_places[a].level != NETWORK_TERMINAL;
        bool b_transit = network->lane_places[b].level != NETWORK_TERMINAL;
        if (a_transit != b_transit) return a_transit ? a : b;
    }
    if (network->config.arbitration == NETWORK_OLDEST) {
        const packet *packets = domain->packets.items;
        bool older =
            router_older(&packets[domain->buffers[a].first], &packets[domain->buffers[b].first]);
        return older ? a : b;
    }
    return rank_of(domain, output, a) < rank_of(domain, output, b) ? a : b;
}

void arbiter_served(network_domain *domain, uint32_t output, uint32_t lane) {
    if (domain->served == NULL) return;
    const network *network = domain->network;
    /* A stamp per output: the number of packets it has served. */
    domain->served[(size_t)output * network->topology.radix * network->vcs +
                   network->lane_places[lane].bit] = (uint32_t)domain->outputs[output].packets + 1;
}
