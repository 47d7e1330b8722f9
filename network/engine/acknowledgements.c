/* Sends acknowledgements, and takes notices. See acknowledgements.h. */
#include "network/engine/acknowledgements.h"

#include "core/base/hints.h"
#include "network/engine/events.h"
#include "network/engine/exchange.h"
#include "network/engine/nic_responses.h"
#include "network/engine/nic_windows.h"
#include "network/engine/packets.h"

/* Tells the NIC that sent a packet that it was received at time_ps, after the time of the way
 * back. */
static void acknowledge_after_delay(struct network_domain *domain,
                                    const struct network_packet *packet, int64_t time_ps) {
    const struct network *network = domain->network;
    struct network_packet notice = {
        .source = packet->destination,
        .destination = packet->source,
        .acknowledged_bytes = nic_windows_bytes(network, packet->size_bytes),
        .message = NETWORK_NONE,
        .routers = 1,
        .notice = NETWORK_NOTICE_RECEIVED,
    };
    int64_t back_ps = network->nics.path_latency_ps(domain, packet->destination, packet->source,
                                                    packet->sequence);
    exchange_notice(domain, packet->source / network->topology.endpoints_per_group, &notice,
                    time_ps + back_ps);
}

/* Lets the NIC send a response at time_ps, or when its channel is free. */
static void order_response(struct network_domain *domain, const struct network_packet *packet,
                           int64_t time_ps) {
    struct network_packet notice = {
        .source = packet->destination,
        .destination = packet->source,
        .sequence = packet->sequence,
        .size_bytes = packet->size_bytes,
        .message = NETWORK_NONE,
        .routers = 1,
        .notice = NETWORK_NOTICE_RESPOND,
    };
    exchange_notice(domain, domain->group, &notice, time_ps);
}

/* Receives a response, whose message record says how many bytes it acknowledges. */
static void take_response(struct network_domain *domain, uint32_t index, int64_t time_ps) {
    const struct network_packet response = domain->packets.items[index];
    domain->counts.totals.responses++;
    domain->counts.totals.response_bytes += response.size_bytes;
    domain->counts.totals.response_hops += response.routers;
    /* Every transfer has counted a hop as a packet's. */
    domain->counts.totals.packet_hops -= response.routers;
    domain->packets.items[index] = (struct network_packet){
        .source = response.source,
        .destination = response.destination,
        .acknowledged_bytes = (uint32_t)domain->messages.items[response.message].size_bytes,
        .message = NETWORK_NONE,
        .routers = 1,
        .notice = NETWORK_NOTICE_RECEIVED,
    };
    message_free(domain, response.message);
    event_queue_insert(&domain->events, time_ps, NETWORK_EVENT(NETWORK_NOTICE, index, 0));
}

HINT_NOINLINE bool acknowledge(struct network_domain *domain, uint32_t index, int64_t time_ps) {
    const struct network_packet *packet = &domain->packets.items[index];
    if (network_is_response_vc(domain->network, packet->vc)) {
        take_response(domain, index, time_ps);
        return true;
    }
    if (domain->network->nics.has_responses)
        order_response(domain, packet, time_ps);
    else
        acknowledge_after_delay(domain, packet, time_ps);
    return false;
}

HINT_NOINLINE void acknowledgement_notice(struct network_domain *domain, uint32_t index) {
    const struct network_packet notice = domain->packets.items[index];
    if (notice.notice == NETWORK_NOTICE_RESPOND) {
        packet_free(domain, index);
        nic_responses_add(domain, &notice);
    } else if (domain->limits.windows != NULL) {
        nic_windows_notice(domain, index);
    } else {
        packet_free(domain, index);
    }
}
