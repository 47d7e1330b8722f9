/*
 * The packet-level network as a transport. A domain is a group of the network. A companion's
 * traffic uses the same network; its timers and messages are not reported to the replay.
 *
 * Invariant: timers of the replay have data 0, those of a companion have other data.
 */
#include "replay/transport/transport_packet.h"

#include "core/checkpoint/checkpoint.h"

static struct transport_packet *packet_of(struct transport *transport) {
    return (struct transport_packet *)transport;
}

static void packet_send(struct transport *transport, uint32_t domain, int64_t ready_ps,
                        const struct network_message *message) {
    network_send(network_home_of_group(packet_of(transport)->network, domain), ready_ps, message);
}

static void packet_set_timer(struct transport *transport, uint32_t domain, int64_t at_ps,
                             uint32_t rank) {
    network_set_timer(network_home_of_group(packet_of(transport)->network, domain), at_ps, rank, 0);
}

static void packet_label(struct transport *transport, uint32_t domain,
                         const struct network_label *label) {
    network_set_next_label(network_home_of_group(packet_of(transport)->network, domain), label);
}

static int64_t packet_zero_load(const struct transport *transport,
                                const struct network_message *message) {
    return network_zero_load_ps(((const struct transport_packet *)transport)->network, message);
}

static status_code packet_run(struct transport *transport,
                              const struct network_run_options *options, struct status *status) {
    struct transport_packet *packet = packet_of(transport);
    if (packet->companion != NULL && !checkpoint_resumes(options->checkpoint))
        packet->companion->start(packet->companion->context, packet->network);
    return network_run(packet->network, options, status);
}

static uint64_t packet_digest(const struct transport *transport) {
    struct network_totals totals;
    network_fill_totals(((const struct transport_packet *)transport)->network, &totals);
    return totals.digest;
}

static unsigned packet_process_of(const struct transport *transport, uint32_t domain) {
    return network_process_of(((const struct transport_packet *)transport)->network, domain);
}

static void packet_parts(struct transport *transport, uint32_t domain,
                         const struct network_delivery *message, bool sent, int64_t time_ps,
                         struct network_time_parts *parts) {
    network_fill_time_parts(network_home_of_group(packet_of(transport)->network, domain), message,
                            sent, time_ps, parts);
}

static void packet_path(struct transport *transport, uint32_t domain,
                        const struct network_delivery *message, bool sent, int64_t time_ps,
                        struct network_time_parts *parts) {
    network_fill_path_parts(network_home_of_group(packet_of(transport)->network, domain), message,
                            sent, time_ps, parts);
}

static const struct transport_functions packet_functions = {
    .send = packet_send,
    .set_timer = packet_set_timer,
    .label = packet_label,
    .zero_load_ps = packet_zero_load,
    .run = packet_run,
    .digest = packet_digest,
    .process_of = packet_process_of,
    .parts = packet_parts,
    .path = packet_path,
};

/* ---------------------------------------------------------------- what the network reports */

static void on_delivered(void *context, struct rail_group *home, int64_t now_ps,
                         const struct network_delivery *delivery) {
    const struct transport_sink *sink = &packet_of(context)->transport.sink;
    if (delivery->cookie.word[0] >= REPLAY_COMPANION) return;
    sink->delivered(sink->context, network_group_number(home), now_ps, delivery);
}

static void on_sent(void *context, struct rail_group *home, int64_t now_ps, uint32_t source_node,
                    const struct network_cookie *cookie) {
    const struct transport_sink *sink = &packet_of(context)->transport.sink;
    (void)source_node;
    sink->sent(sink->context, network_group_number(home), now_ps, cookie);
}

static void on_timer(void *context, struct rail_group *home, int64_t now_ps, uint32_t entity,
                     uint64_t data) {
    const struct transport_packet *packet = packet_of(context);
    const struct transport_sink *sink = &packet->transport.sink;
    if (data == 0)
        sink->timer(sink->context, network_group_number(home), now_ps, entity);
    else if (sink->is_over(sink->context, now_ps))
        packet->companion->timer_after_end(packet->companion->context, home, entity);
    else
        packet->companion->timer(packet->companion->context, home, now_ps, entity, data);
}

status_code transport_packet_new(struct transport_packet *packet,
                                 const struct network_config *network_config, uint64_t seed,
                                 const struct replay_companion *companion,
                                 const struct network_distribution *part, struct status *status) {
    struct network_sink sink = {
        .context = packet, .delivered = on_delivered, .sent = on_sent, .timer = on_timer};
    *packet = (struct transport_packet){
        .transport = {.functions = &packet_functions, .processes = part->processes},
        .companion = companion};
    return network_new_distributed(&packet->network, network_config, seed, &sink, part, status);
}
