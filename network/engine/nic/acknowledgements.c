/* Sends acknowledgements of received packets, as events after the time of the way back or as
 * responses. When one arrives, passes it to the windows of its NIC. */
#include "network/engine/nic/acknowledgements.h"

#include "core/base/compiler_hints.h"
#include "network/engine/exchange/group_exchange.h"
#include "network/engine/nic/nic_responses.h"
#include "network/engine/nic/nic_windows.h"
#include "network/engine/state/events.h"
#include "network/engine/state/packet_pool.h"

/* Tells the NIC that sent a packet that it was received at time_ps, after the time of the way
 * back. */
static void acknowledge_after_delay(struct rail_group *rail_group,
                                    const struct network_packet *packet, int64_t time_ps) {
    const struct network *network = rail_group->network;
    struct network_packet notice = {
        .packet_destination = packet->destination,
        .packet_source = packet->source,
        .acknowledged_bytes = nic_windows_bytes(network, packet->size_bytes),
        .message = NETWORK_NONE,
        .notice_mark = NETWORK_NOTICE_MARK,
        .notice = NETWORK_NOTICE_RECEIVED,
    };
    int64_t back_ps = network->nics.path_latency_ps(rail_group, packet->destination, packet->source,
                                                    packet->sequence);
    exchange_notice(rail_group, packet->source / network->topology.endpoints_per_group, &notice,
                    time_ps + back_ps);
}

/* Lets the NIC send a response at time_ps, or when its channel is free. */
static void order_response(struct rail_group *rail_group, const struct network_packet *packet,
                           int64_t time_ps) {
    struct network_packet notice = {
        .packet_destination = packet->destination,
        .packet_source = packet->source,
        .sequence = packet->sequence,
        .size_bytes = packet->size_bytes,
        .message = NETWORK_NONE,
        .notice_mark = NETWORK_NOTICE_MARK,
        .notice = NETWORK_NOTICE_RESPOND,
    };
    exchange_notice(rail_group, rail_group->group, &notice, time_ps);
}

/* Receives a response, whose message record says how many bytes it acknowledges. */
static void take_response(struct rail_group *rail_group, uint32_t index, int64_t time_ps) {
    const struct network_packet response = rail_group->packets.items[index];
    rail_group->counts.totals.responses++;
    rail_group->counts.totals.response_bytes += response.size_bytes;
    rail_group->counts.totals.response_hops += response.routers;
    /* Every traversal has counted a hop as a packet's. */
    rail_group->counts.totals.packet_hops -= response.routers;
    rail_group->packets.items[index] = (struct network_packet){
        .packet_destination = response.source,
        .packet_source = response.destination,
        .acknowledged_bytes = (uint32_t)rail_group->messages.items[response.message].window_bytes,
        .message = NETWORK_NONE,
        .notice_mark = NETWORK_NOTICE_MARK,
        .notice = NETWORK_NOTICE_RECEIVED,
    };
    network_message_free(rail_group, response.message);
    event_queue_insert(&rail_group->events, time_ps, NETWORK_EVENT(NETWORK_EVENT_NOTICE, index, 0));
}

HINT_NOINLINE bool acknowledgement_send(struct rail_group *rail_group, uint32_t packet_index,
                                        int64_t time_ps) {
    const struct network_packet *packet = &rail_group->packets.items[packet_index];
    if (network_is_response_vc(rail_group->network, packet->vc)) {
        take_response(rail_group, packet_index, time_ps);
        return true;
    }
    if (rail_group->network->nics.has_responses)
        order_response(rail_group, packet, time_ps);
    else
        acknowledge_after_delay(rail_group, packet, time_ps);
    return false;
}

HINT_NOINLINE void acknowledgement_take_notice(struct rail_group *rail_group,
                                               uint32_t notice_index) {
    const struct network_packet notice = rail_group->packets.items[notice_index];
    if (notice.notice == NETWORK_NOTICE_RESPOND) {
        network_packet_free(rail_group, notice_index);
        nic_responses_add(rail_group, &notice);
    } else if (rail_group->limits.windows != NULL) {
        nic_windows_take_notice(rail_group, notice_index);
    } else {
        network_packet_free(rail_group, notice_index);
    }
}
