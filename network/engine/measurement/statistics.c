/* Counts deliveries, and makes totals and tables of the counts. */
#include "network/engine/measurement/statistics.h"

#include "core/base/compiler_hints.h"
#include "core/base/digest.h"
#include "network/engine/measurement/link_measurement.h"
#include "network/engine/measurement/watch.h"
#include "network/topology/failures.h"

#include <stdlib.h>
#include <string.h>

unsigned network_latency_bin(int64_t latency_ps) {
    if (latency_ps < 32) return latency_ps < 0 ? 0 : (unsigned)latency_ps;
    unsigned power = 63 - (unsigned)__builtin_clzll((uint64_t)latency_ps);
    return (power - 4) * 32 + (unsigned)((latency_ps >> (power - 5)) & 31);
}

int64_t network_latency_bin_floor_ps(unsigned bin) {
    if (bin < 32) return bin;
    unsigned power = bin / 32 + 4;
    if (power > 62) return INT64_MAX; /* upper end of the last bin */
    return (INT64_C(32) + bin % 32) << (power - 5);
}

int64_t network_latency_percentile_ps(const struct network_totals *totals, int64_t millionths) {
    uint64_t all = 0;
    for (unsigned bin = 0; bin < NETWORK_LATENCY_BINS; bin++)
        all += totals->latency_histogram[bin];
    if (all == 0) return 0;
    /* The rank of the wanted message in order of latency, counted from 1. */
    uint64_t wanted =
        (uint64_t)(((unsigned __int128)all * (uint64_t)millionths + 999999u) / 1000000u);
    if (wanted == 0) wanted = 1;
    uint64_t seen = 0;
    for (unsigned bin = 0; bin < NETWORK_LATENCY_BINS; bin++) {
        uint64_t here = totals->latency_histogram[bin];
        if (seen + here < wanted) {
            seen += here;
            continue;
        }
        int64_t floor_ps = network_latency_bin_floor_ps(bin);
        int64_t width_ps = network_latency_bin_floor_ps(bin + 1) - floor_ps;
        int64_t value_ps =
            floor_ps + (int64_t)((unsigned __int128)width_ps * (wanted - seen - 1) / here);
        return value_ps < totals->latency_max_ps ? value_ps : totals->latency_max_ps;
    }
    return totals->latency_max_ps;
}

static inline void count_message(struct network_totals *totals,
                                 const struct network_delivery *delivery, int64_t latency_ps) {
    totals->messages++;
    totals->bytes += delivery->size_bytes;
    totals->latency_sum_ps += (uint64_t)latency_ps;
    if (latency_ps > totals->latency_max_ps) totals->latency_max_ps = latency_ps;
    totals->latency_histogram[network_latency_bin(latency_ps)]++;
}

void statistics_count_message(struct rail_group *rail_group,
                              const struct network_delivery *delivery, uint32_t sequence,
                              int64_t time_ps) {
    struct network_totals *totals = &rail_group->counts.totals;
    int64_t latency_ps = time_ps - delivery->ready_ps;
    count_message(totals, delivery, latency_ps);
    uint64_t name = (uint64_t)delivery->source_node << 32 | sequence;
    totals->digest += digest_mix(digest_mix(name, delivery->destination_node), (uint64_t)time_ps);
}

HINT_NOINLINE void statistics_count_class_message(struct rail_group *rail_group,
                                                  const struct network_delivery *delivery,
                                                  uint32_t virtual_network, int64_t time_ps) {
    count_message(&rail_group->counts.class_totals[virtual_network], delivery,
                  time_ps - delivery->ready_ps);
}

int64_t network_parallel_limit_millionths(const struct network_totals *totals) {
    if (totals->critical_work == 0) return 1000000;
    return (int64_t)((wide)totals->shared_work * 1000000 / totals->critical_work);
}

void network_fill_class_totals(const struct network *network, uint32_t traffic_class,
                               struct network_totals *totals) {
    memset(totals, 0, sizeof *totals);
    if (network->distribution.totals_elsewhere != NULL &&
        network_config_has_shares(&network->config))
        statistics_add(totals, &network->distribution.totals_elsewhere[1 + traffic_class]);
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        if (network->rail_groups[i].counts.class_totals == NULL) continue;
        statistics_add(totals, &network->rail_groups[i].counts.class_totals[traffic_class]);
    }
}

void statistics_add(struct network_totals *totals, const struct network_totals *part) {
    totals->messages += part->messages;
    totals->memory_messages += part->memory_messages;
    totals->packets += part->packets;
    totals->packet_hops += part->packet_hops;
    totals->bytes += part->bytes;
    totals->minimal_packets += part->minimal_packets;
    totals->ring_entries += part->ring_entries;
    totals->responses += part->responses;
    totals->response_hops += part->response_hops;
    totals->response_bytes += part->response_bytes;
    for (unsigned hops = 0; hops < 16; hops++)
        totals->router_hops[hops] += part->router_hops[hops];
    totals->latency_sum_ps += part->latency_sum_ps;
    if (part->latency_max_ps > totals->latency_max_ps)
        totals->latency_max_ps = part->latency_max_ps;
    for (unsigned bin = 0; bin < NETWORK_LATENCY_BINS; bin++)
        totals->latency_histogram[bin] += part->latency_histogram[bin];
    totals->events += part->events;
    totals->digest += part->digest;
}

void network_totals_add(struct network_totals *sum, const struct network_totals *more) {
    const uint64_t digest = sum->digest;
    statistics_add(sum, more);
    sum->digest = digest;
    sum->windows += more->windows;
    sum->shared_work += more->shared_work;
    sum->critical_work += more->critical_work;
    if (more->threads > sum->threads) sum->threads = more->threads;
}

void network_fill_totals(const struct network *network, struct network_totals *totals) {
    memset(totals, 0, sizeof *totals);
    if (network->distribution.totals_elsewhere != NULL)
        statistics_add(totals, &network->distribution.totals_elsewhere[0]);
    for (uint32_t i = 0; i < network->rail_group_count; i++)
        statistics_add(totals, &network->rail_groups[i].counts.totals);
    totals->windows = network->run.numbers.windows;
    totals->shared_work = network->run.numbers.work;
    totals->critical_work = network->run.numbers.critical_work;
    totals->threads = network->run.threads;
    uint64_t digest = digest_mix(totals->digest, totals->messages);
    digest = digest_mix(digest, totals->memory_messages);
    digest = digest_mix(digest, totals->packets);
    digest = digest_mix(digest, totals->packet_hops);
    /* acknowledgements that are packets; a run without them has the digest that it has without the
     * two numbers */
    if (totals->responses > 0) {
        digest = digest_mix(digest, totals->responses);
        digest = digest_mix(digest, totals->response_hops);
    }
    totals->digest = digest_mix(digest, totals->minimal_packets);
}

HINT_NOINLINE void statistics_count_stall(struct rail_group *rail_group, uint32_t output,
                                          int64_t since_ps, int64_t until_ps) {
    rail_group->counts.links[output].stalled_ps += until_ps - since_ps;
    if (rail_group->observers.history != NULL)
        history_record_stall(rail_group, output, since_ps, until_ps);
    if (rail_group->observers.watch != NULL)
        watch_record_stall(rail_group, output, until_ps - since_ps);
}

static struct network_link describe_link(const struct rail_group *rail_group, uint32_t output) {
    const struct network *network = rail_group->network;
    const struct topology *topology = &network->topology;
    const uint32_t group = rail_group->group;
    struct network_output_wiring wiring = network->tables.wiring[output];
    const struct network_output *counted = &rail_group->outputs[output];
    const uint32_t first_router = rail_group_first_router(rail_group),
                   router = first_router + wiring.router;
    struct network_link link = {
        .channel_kind = (network_channel_kind)wiring.channel_kind,
        .rail = (uint32_t)(rail_group->groups_of_rail - network->rail_groups) / topology->groups,
        .source = router,
        .source_group = group,
        .destination_group = group,
        .port = wiring.port,
        .packets = counted->packets,
        .bytes = counted->bytes,
        .busy_ps = counted->busy_ps,
        .numbers = rail_group->counts.links[output],
    };
    if (output >= network->tables.ports) {
        link.is_injection = true;
        if (rail_group->counts.held_ps != NULL)
            link.held_ps = rail_group->counts.held_ps[output - network->tables.ports];
        uint32_t endpoint = group * topology->endpoints_per_group + output - network->tables.ports;
        link.source = node_shape_node(&network->topology.node_shape, endpoint);
        link.destination = router;
        link.port = node_shape_nic(&network->topology.node_shape, endpoint);
    } else if (wiring.channel_kind == NETWORK_TERMINAL) {
        link.destination = node_shape_node(&network->topology.node_shape,
                                           (group * topology->routers_per_group + wiring.router) *
                                                   topology->endpoints_per_router +
                                               wiring.port);
    } else if (wiring.channel_kind == NETWORK_LOCAL) {
        link.destination =
            first_router + network->tables.wiring[network->tables.local_peer[output]].router;
    } else {
        uint32_t x = wiring.global_link;
        uint32_t peer = rail_group->wiring.peer_group[x];
        if (peer == NETWORK_NO_GROUP) return link;
        link.destination_group = peer;
        link.destination = rail_group_first_router(&rail_group->groups_of_rail[peer]) +
                           network->tables.wiring[rail_group->wiring.peer_port[x]].router;
    }
    return link;
}

void statistics_visit_outputs(const struct network *network,
                              void (*visitor)(void *context, struct rail_group *rail_group,
                                              uint32_t output, const struct network_link *link),
                              void *context) {
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        struct rail_group *rail_group = &network->rail_groups[i];
        const struct topology *topology = rail_group->topology;
        if (rail_group->outputs == NULL) continue; /* another process has them */
        const uint8_t *measured =
            rail_group->counts.measured_bytes > 0 ? rail_group->counts.measured : NULL;
        for (uint32_t output = 0; output < network->tables.outputs; output++) {
            struct network_link counted = {.is_injection = output >= network->tables.ports};
            if (measured != NULL)
                measured = link_measurement_read(rail_group, output, measured, &counted);
            struct network_output_wiring wiring = network->tables.wiring[output];
            if (wiring.channel_kind == NETWORK_GLOBAL &&
                rail_group->wiring.peer_group[wiring.global_link] == NETWORK_NO_GROUP)
                continue; /* an unconnected port */
            uint32_t router = rail_group->group * topology->routers_per_group + wiring.router;
            if (!failures_router_works(topology, router)) continue;
            if (wiring.channel_kind == NETWORK_LOCAL && wiring.port < topology->first_global_port &&
                !failures_port_works(topology, router, wiring.port))
                continue;
            struct network_link link = describe_link(rail_group, output);
            link.measured = counted.measured;
            link.injected = counted.injected;
            visitor(context, rail_group, output, &link);
        }
    }
}

struct link_visit {
    void (*visitor)(void *context, const struct network_link *link);
    void *context;
};

static void visit_link(void *context, struct rail_group *rail_group, uint32_t output,
                       const struct network_link *link) {
    const struct link_visit *visit = context;
    (void)rail_group, (void)output;
    visit->visitor(visit->context, link);
}

/* The channel from a router is the later one of a packet that a NIC sends, and only there free_ps
 * is the end of a packet. */
static void record_end(void *context, struct rail_group *rail_group, uint32_t output,
                       const struct network_link *link) {
    int64_t *end_ps = context;
    if (output < rail_group->network->tables.ports && link->busy_ps > 0 &&
        rail_group->outputs[output].free_ps > *end_ps)
        *end_ps = rail_group->outputs[output].free_ps;
}

int64_t network_links_end_ps(const struct network *network) {
    int64_t end_ps = 0;
    statistics_visit_outputs(network, record_end, &end_ps);
    return end_ps;
}

void network_visit_links(const struct network *network,
                         void (*visitor)(void *context, const struct network_link *link),
                         void *context) {
    struct link_visit visit = {visitor, context};
    statistics_visit_outputs(network, visit_link, &visit);
}
