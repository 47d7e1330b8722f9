/*
 * Arbitration at an output: round robin, least recently served, oldest first; each with or without
 * strict priority of transit (packets from other routers) over injection.
 */
#include "network/engine/router.h"

/* Smaller is better; different for different lanes of a router. Not for oldest first. */
static uint64_t rank_of(const network_domain *domain, const buffer *asking) {
    const network *network = domain->network;
    uint32_t lanes = network->topology.radix * network->vcs;
    if (domain->served != NULL)
        return (uint64_t)domain->served[(size_t)asking->output * lanes + asking->bit] << 32 |
               asking->bit;
    uint32_t turn = domain->outputs[asking->output].turn;
    return asking->bit >= turn ? asking->bit - turn : asking->bit + lanes - turn;
}

buffer *arbiter_better(const network_domain *domain, buffer *a, buffer *b) {
    const network *network = domain->network;
    if (network->transit_first) {
        bool a_transit = a->level != NETWORK_TERMINAL;
        bool b_transit = b->level != NETWORK_TERMINAL;
        if (a_transit != b_transit) return a_transit ? a : b;
    }
    if (network->config.arbitration == NETWORK_OLDEST) {
        const packet *packets = domain->packets.items;
        return router_older(&packets[a->first], &packets[b->first]) ? a : b;
    }
    return rank_of(domain, a) < rank_of(domain, b) ? a : b;
}

void arbiter_served(network_domain *domain, const buffer *served) {
    const network *network = domain->network;
    /* A stamp per output: the number of packets it has served. */
    domain->served[(size_t)served->output * network->topology.radix * network->vcs + served->bit] =
        (uint32_t)domain->outputs[served->output].packets;
}
