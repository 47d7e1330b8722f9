/* Sends acknowledgements. See acknowledgements.h. */
#include "network/engine/acknowledgements.h"

#include "core/hints.h"
#include "network/engine/exchange.h"
#include "network/engine/nic_windows.h"

HINT_APART void acknowledge(struct network_domain *domain, const struct network_packet *packet,
                            int64_t time_ps) {
    const struct network *network = domain->network;
    struct network_packet answer = {
        .source = packet->destination,
        .destination = packet->source,
        .sequence = nic_windows_bytes(network, packet->size_bytes),
        .message = NETWORK_NONE,
        .routers = 1,
        .flags = NETWORK_ANSWER_RECEIVED,
    };
    int64_t back_ps =
        network->way_ps(domain, packet->destination, packet->source, packet->sequence);
    exchange_answer(domain, packet->source / network->topology.nodes_per_group, &answer,
                    time_ps + back_ps);
}
