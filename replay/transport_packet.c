/*
 * The packet-level network as a transport: its domains are the network's. A companion's traffic
 * goes over the same network; its timers and messages do not reach the replay.
 *
 * Invariant: timers of the replay have data 0, those of a companion have other data.
 */
#include "replay/transport_packet.h"

static transport_packet *packet_of(transport *transport) {
    return (transport_packet *)transport;
}

static void packet_send(transport *transport, uint32_t domain, int64_t ready_ps,
                        const network_message *message) {
    network_send(network_domain_at(packet_of(transport)->network, domain), ready_ps, message);
}

static void packet_timer(transport *transport, uint32_t domain, int64_t at_ps, uint32_t rank) {
    network_timer(network_domain_at(packet_of(transport)->network, domain), at_ps, rank, 0);
}

static int64_t packet_zero_load(const transport *transport, uint32_t source_node,
                                uint32_t destination_node, uint64_t size_bytes) {
    return network_zero_load_ps(((const transport_packet *)transport)->network, source_node,
                                destination_node, size_bytes);
}

static status_code packet_run(transport *transport, const network_run_options *options,
                              status *status) {
    transport_packet *packet = packet_of(transport);
    if (packet->companion != NULL)
        packet->companion->start(packet->companion->context, packet->network);
    return network_run(packet->network, options, status);
}

static uint64_t packet_digest(const transport *transport) {
    network_totals totals;
    network_totals_of(((const transport_packet *)transport)->network, &totals);
    return totals.digest;
}

static const transport_functions packet_functions = {
    .send = packet_send,
    .timer = packet_timer,
    .zero_load_ps = packet_zero_load,
    .run = packet_run,
    .digest = packet_digest,
};

/* ---------------------------------------------------------------- what the network reports */

static void on_delivered(void *context, network_domain *domain, int64_t now_ps,
                         const network_delivery *delivery) {
    const transport_sink *sink = &packet_of(context)->transport.sink;
    if (delivery->cookie.word[0] >= REPLAY_COMPANION) return;
    sink->delivered(sink->context, network_domain_index(domain), now_ps, delivery);
}

static void on_sent(void *context, network_domain *domain, int64_t now_ps, uint32_t source_node,
                    const network_cookie *cookie) {
    const transport_sink *sink = &packet_of(context)->transport.sink;
    (void)source_node;
    sink->sent(sink->context, network_domain_index(domain), now_ps, cookie);
}

static void on_timer(void *context, network_domain *domain, int64_t now_ps, uint32_t entity,
                     uint64_t data) {
    const transport_packet *packet = packet_of(context);
    const transport_sink *sink = &packet->transport.sink;
    if (data == 0)
        sink->timer(sink->context, network_domain_index(domain), now_ps, entity);
    else if (sink->over(sink->context, now_ps))
        packet->companion->over(packet->companion->context, domain, entity);
    else
        packet->companion->timer(packet->companion->context, domain, now_ps, entity, data);
}

status_code transport_packet_new(transport_packet *packet, const network_config *machine,
                                 uint64_t seed, const replay_companion *companion, status *status) {
    network_sink sink = {
        .context = packet, .delivered = on_delivered, .sent = on_sent, .timer = on_timer};
    *packet =
        (transport_packet){.transport = {.functions = &packet_functions}, .companion = companion};
    return network_new(&packet->network, machine, seed, &sink, status);
}
