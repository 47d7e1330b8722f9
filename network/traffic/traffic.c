/* Drives a network with synthetic traffic and measures it. Each group has its own measure. The
 * measures are added up at the end, so the sums do not depend on the threads. */
#include "network/traffic/traffic.h"

#include "core/checkpoint/checkpoint.h"
#include "core/memory/memory.h"
#include "core/processes/processes.h"
#include "core/settings/units.h"
#include "core/simulation/random.h"
#include "network/traffic/arrivals.h"
#include "network/traffic/stability.h"
#include "network/traffic/traffic_peers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const *traffic_class_words(void) {
    static const char *const words[] = {"each", NULL};
    return words;
}

const struct setting_row traffic_setting_rows[] = {
    {.name = "traffic.pattern",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct traffic_config, pattern),
     .initial = "uniform",
     .help = "traffic pattern, which chooses the destination of each message (see `anax list "
             "traffic`)"},
    {.name = "traffic.warmup",
     .kind = SETTING_TIME,
     .offset = offsetof(struct traffic_config, warmup_ps),
     .maximum = INT64_MAX / 8,
     .initial = "20us",
     .help = "simulated time of traffic before the measurement begins"},
    {.name = "traffic.measure",
     .kind = SETTING_TIME,
     .offset = offsetof(struct traffic_config, measure_ps),
     .minimum = 1,
     .maximum = INT64_MAX / 8,
     .initial = "20us",
     .help = "length of the measurement; messages that arrive at their source NIC in this "
             "time are measured"},
    {.name = "traffic.drain",
     .kind = SETTING_TIME,
     .offset = offsetof(struct traffic_config, drain_ps),
     .maximum = INT64_MAX / 8,
     .initial = "20us",
     .help = "time for which traffic goes on after the measurement, so that measured messages "
             "arrive under load"},
    {.name = "traffic.message",
     .kind = SETTING_SIZE,
     .offset = offsetof(struct traffic_config, message_bytes),
     .maximum = INT64_C(1) << 40,
     .initial = "0",
     .help = "payload of a message; 0: one packet"},
    {.name = "traffic.burst",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct traffic_config, burst_messages),
     .minimum = 1,
     .maximum = 1000000,
     .initial = "1",
     .help = "number of messages that arrive at a source NIC at the same time for one "
             "destination"},
    {.name = "traffic.queue",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct traffic_config, queue_messages),
     .maximum = UINT32_MAX,
     .initial = "1024",
     .help = "number of messages that may wait at a node; the node refuses further ones, "
             "which bounds memory beyond saturation; 0: no limit"},
    {.name = "traffic.hotspot_node",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct traffic_config, hotspot_node),
     .maximum = UINT32_MAX,
     .initial = "0",
     .help = "node to which the pattern hotspot sends more than to others"},
    {.name = "traffic.hotspot_share",
     .kind = SETTING_RATIO,
     .offset = offsetof(struct traffic_config, hotspot_millionths),
     .maximum = 1000000,
     .initial = "0.1",
     .help = "share of the pattern hotspot's messages that go to traffic.hotspot_node"},
    {.name = "traffic.class",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct traffic_config, traffic_class),
     .maximum = NETWORK_CLASSES_MAX - 1,
     .initial = "0",
     .choices = traffic_class_words,
     .help = "traffic class of the messages; each: a node's messages have the classes in turn"},
};
const size_t traffic_setting_count = sizeof traffic_setting_rows / sizeof traffic_setting_rows[0];

enum { TIMER_ARRIVAL, TIMER_START, TIMER_STOP, TIMER_END };

struct measure {
    uint64_t messages;
    uint64_t minimal_messages;
    uint64_t router_sum;
    wide latency_sum_ps;
    int64_t latency_max_ps;
    wide minimal_latency_sum_ps;
    uint64_t accepted; /* messages delivered during the measurement, whenever generated */
    wide accepted_latency_sum_ps;
    uint64_t offered; /* messages generated during the measurement */
    struct stability stability;
    struct traffic_histogram histogram;
};

struct traffic {
    const struct traffic_config *config;
    int64_t classes;
    struct traffic_peers peers;
    uint64_t seed;
    struct measure *measures; /* [group] */
    uint64_t *counts;         /* [node]: number of arrivals so far */
    void *counts_memory;      /* in which they lie; to be freed */
    struct arrivals arrivals;
    int64_t start_ps; /* start of the measurement */
    int64_t end_ps;
    int64_t batch_ps;
    int64_t last_ps; /* end of all traffic */
};

static void schedule_next_arrival(struct traffic *traffic, struct rail_group *rail_group,
                                  int64_t now_ps, uint32_t node, struct random_block block) {
    int64_t left_ps = traffic->last_ps - now_ps;
    int64_t gap_ps = arrivals_gap_ps(&traffic->arrivals, block, left_ps);
    if (gap_ps < left_ps) network_set_timer(rail_group, now_ps + gap_ps, node, TIMER_ARRIVAL);
}

static int64_t batch_of(const struct traffic *traffic, int64_t now_ps) {
    return (now_ps - traffic->start_ps) / traffic->batch_ps;
}

/* Handles an arrival at a node: sends its messages, or refuses them if traffic.queue messages
 * already wait. A source that cannot send would only fill the memory. */
static void handle_arrival(struct traffic *traffic, struct rail_group *rail_group, int64_t now_ps,
                           uint32_t node) {
    uint64_t count = traffic->counts[node]++;
    struct random_block block = random_draw(traffic->seed, RANDOM_ARRIVAL, node, count);
    struct network_message message = {
        .source_node = node,
        .destination_node = traffic_peers_destination(&traffic->peers, node, count, block),
        .size_bytes = traffic->arrivals.message_bytes,
        .traffic_class = traffic_class_of(traffic->config->traffic_class, traffic->classes, count),
    };
    int64_t max = traffic->config->queue_messages;
    if (max == 0 || network_waiting(rail_group, node) < (uint64_t)max)
        for (int64_t i = 0; i < traffic->arrivals.burst; i++)
            network_send(rail_group, now_ps, &message);
    if (now_ps >= traffic->start_ps && now_ps < traffic->end_ps) {
        struct measure *measure = &traffic->measures[network_group_number(rail_group)];
        measure->offered += (uint64_t)traffic->arrivals.burst;
        measure->stability.excess_messages[batch_of(traffic, now_ps)] += traffic->arrivals.burst;
    }
    schedule_next_arrival(traffic, rail_group, now_ps, node, block);
}

static void handle_timer(void *context, struct rail_group *rail_group, int64_t now_ps,
                         uint32_t node, uint64_t kind) {
    switch (kind) {
    case TIMER_START:
        network_measure_begin(rail_group);
        break;
    case TIMER_STOP:
        network_measure_end(rail_group);
        break;
    case TIMER_END:
        network_abandon(rail_group);
        break;
    default:
        handle_arrival(context, rail_group, now_ps, node);
    }
}

static void handle_delivery(void *context, struct rail_group *rail_group, int64_t now_ps,
                            const struct network_delivery *delivery) {
    struct traffic *traffic = context;
    struct measure *measure = &traffic->measures[network_group_number(rail_group)];
    int64_t latency_ps = now_ps - delivery->ready_ps;
    if (now_ps >= traffic->start_ps && now_ps < traffic->end_ps) {
        measure->accepted++;
        measure->stability.excess_messages[batch_of(traffic, now_ps)]--;
        measure->accepted_latency_sum_ps += (uint64_t)latency_ps;
    }
    if (delivery->ready_ps < traffic->start_ps || delivery->ready_ps >= traffic->end_ps) return;
    measure->messages++;
    measure->router_sum += delivery->routers;
    measure->latency_sum_ps += (uint64_t)latency_ps;
    if (latency_ps > measure->latency_max_ps) measure->latency_max_ps = latency_ps;
    unsigned bin = network_latency_bin(latency_ps);
    measure->histogram.all[bin]++;
    if (delivery->is_minimal) {
        measure->histogram.minimal[bin]++;
        measure->minimal_messages++;
        measure->minimal_latency_sum_ps += (uint64_t)latency_ps;
    }
}

static void add_measure(struct measure *sum, const struct measure *part) {
    sum->messages += part->messages;
    sum->minimal_messages += part->minimal_messages;
    sum->router_sum += part->router_sum;
    sum->latency_sum_ps += part->latency_sum_ps;
    if (part->latency_max_ps > sum->latency_max_ps) sum->latency_max_ps = part->latency_max_ps;
    sum->minimal_latency_sum_ps += part->minimal_latency_sum_ps;
    sum->accepted += part->accepted;
    sum->accepted_latency_sum_ps += part->accepted_latency_sum_ps;
    sum->offered += part->offered;
    for (unsigned batch = 0; batch < STABILITY_BATCHES; batch++)
        sum->stability.excess_messages[batch] += part->stability.excess_messages[batch];
    for (unsigned bin = 0; bin < NETWORK_LATENCY_BINS; bin++) {
        sum->histogram.all[bin] += part->histogram.all[bin];
        sum->histogram.minimal[bin] += part->histogram.minimal[bin];
    }
}

static void add_data(void *sum, const void *part) {
    add_measure(sum, part);
}

/* Adds up the measures of all groups, of all processes, in the first one. */
static status_code add_up_measures(struct traffic *traffic, uint32_t groups,
                                   const struct traffic_options *options, struct status *status) {
    for (uint32_t i = 1; i < groups; i++)
        add_measure(&traffic->measures[0], &traffic->measures[i]);
    return processes_combine(options->processes, &traffic->measures[0], sizeof(struct measure),
                             add_data, status);
}

/* Returns the bytes that all working nodes can inject during the measurement, rounded down:
 * nodes · bandwidth · time. The product in picoseconds may not fit: 2^31 nodes at 10 TB/s for 13
 * days. */
static wide capacity_of(const struct traffic *traffic, const struct network_config *config,
                        const struct network *network) {
    wide bandwidth = (wide)network_working_nodes(network) *
                     (uint64_t)network_config_injection_bytes_per_s(config);
    uint64_t time_ps = (uint64_t)traffic->config->measure_ps, second = 1000000000000u;
    return bandwidth / second * time_ps + bandwidth % second * time_ps / second;
}

static void fill_point(struct traffic_point *point, const struct traffic *traffic,
                       const struct network_config *config, const struct network *network) {
    const struct measure *sum = &traffic->measures[0];
    struct network_totals latencies = {.latency_max_ps = sum->latency_max_ps};
    memcpy(latencies.latency_histogram, sum->histogram.all, sizeof sum->histogram.all);
    point->accepted_messages = sum->accepted;
    point->accepted_latency_sum_ps = sum->accepted_latency_sum_ps;
    point->messages = sum->messages;
    point->minimal_messages = sum->minimal_messages;
    point->router_sum = sum->router_sum;
    point->latency_sum_ps = sum->latency_sum_ps;
    point->minimal_latency_sum_ps = sum->minimal_latency_sum_ps;
    point->latency_max_ps = sum->latency_max_ps;
    point->latency_p50_ps = network_latency_percentile_ps(&latencies, 500000);
    point->latency_p95_ps = network_latency_percentile_ps(&latencies, 950000);
    point->latency_p99_ps = network_latency_percentile_ps(&latencies, 990000);
    point->unfinished = sum->offered - point->messages;
    point->accepted_millionths =
        wide_millionths((wide)point->accepted_messages * traffic->arrivals.wire_bytes,
                        capacity_of(traffic, config, network));
    point->stable =
        point->unfinished == 0 && !stability_backlog_grows(&sum->stability, sum->offered) &&
        !traffic_peers_are_overloaded(&traffic->peers, traffic->config, point->offered_millionths);
    network_fill_totals(network, &point->totals);
}

int64_t traffic_overload_of_all(const struct traffic_point *point) {
    return stability_overload_millionths(point->messages + point->unfinished);
}

int64_t traffic_overload_of_channel(const struct network_config *config,
                                    const struct traffic_config *traffic) {
    const int64_t bytes =
        traffic->message_bytes > 0 ? traffic->message_bytes : config->packet_bytes;
    int64_t slowest = network_config_min_bytes_per_s(config, NETWORK_TERMINAL);
    for (uint32_t kind = NETWORK_LOCAL; kind <= NETWORK_GLOBAL; kind++) {
        const bool exists =
            kind == NETWORK_LOCAL ? config->routers_per_group > 1 : config->groups > 1;
        const int64_t bandwidth = network_config_min_bytes_per_s(config, kind);
        if (exists && bandwidth < slowest) slowest = bandwidth;
    }
    const wide carried = (wide)(uint64_t)slowest * (uint64_t)traffic->measure_ps / 1000000000000u;
    return stability_overload_millionths(
        (uint64_t)(carried / (uint64_t)network_config_message_bytes(config, (uint64_t)bytes)));
}

/* Begins or ends the measurement of channels at time_ps: a picosecond before, so that what starts
 * at time_ps comes after it, but not before 0. */
static void set_measure_timer(struct rail_group *rail_group, int64_t time_ps, uint64_t timer) {
    network_set_last_timer(rail_group, time_ps > 0 ? time_ps - 1 : 0, 0, timer);
}

/* Sets the first timers of all nodes and groups. */
static void set_first_timers(struct traffic *traffic, struct network *network) {
    for (uint32_t i = 0; i < traffic->peers.count; i++) {
        uint32_t node = traffic->peers.nodes[i];
        struct rail_group *rail_group = network_home_of_node(network, node);
        if (!network_is_here(network, network_group_number(rail_group))) continue;
        schedule_next_arrival(traffic, rail_group, 0, node,
                              random_draw(traffic->seed, RANDOM_ARRIVAL, node, 0));
        traffic->counts[node] = 1;
    }
    for (uint32_t i = 0; i < network_group_count(network); i++) {
        struct rail_group *rail_group = network_home_of_group(network, i);
        set_measure_timer(rail_group, traffic->start_ps, TIMER_START);
        set_measure_timer(rail_group, traffic->end_ps, TIMER_STOP);
        network_set_timer(rail_group, traffic->last_ps, 0, TIMER_END);
    }
}

/* Saves or restores what is kept of the nodes of a group. */
static void saved_nodes(void *context, struct saved_state *state, uint32_t group) {
    const struct traffic *traffic = context;
    const uint32_t nodes = traffic->peers.nodes_per_group;
    SAVED(state, traffic->measures[group]);
    save_or_restore_bytes(state, traffic->counts + (size_t)group * nodes,
                          nodes * sizeof *traffic->counts);
}

static status_code start_traffic(struct traffic *traffic, struct network *network,
                                 int64_t load_millionths, const struct network_config *config,
                                 struct status *status) {
    const struct traffic_config *settings = traffic->config;
    traffic->start_ps = settings->warmup_ps;
    traffic->end_ps = traffic->start_ps + settings->measure_ps;
    traffic->batch_ps = stability_batch_ps(settings->measure_ps);
    traffic->last_ps = traffic->end_ps + settings->drain_ps;
    RETURN_ERROR_IF(traffic->last_ps >= NETWORK_TIME_LIMIT_PS, status, STATUS_USAGE,
                    "traffic.warmup, traffic.measure and traffic.drain are together more than the "
                    "%" PRId64 " s (26 days) that can be simulated; lower them",
                    NETWORK_TIME_LIMIT_PS / INT64_C(1000000000000));
    FORWARD_IF_ERROR(
        arrivals_prepare(&traffic->arrivals, config, settings, load_millionths, status));
    traffic->measures = memory_new(network_group_count(network), sizeof *traffic->measures);
    traffic->counts = memory_new_sparse(&traffic->counts_memory, network_node_count(network),
                                        sizeof *traffic->counts);
    RETURN_ERROR_IF(!traffic->measures || !traffic->counts, status, STATUS_MEMORY,
                    "out of memory for the measurement");
    network_timer_items(network, traffic->counts, sizeof *traffic->counts);
    return STATUS_OK;
}

/* Numbers the peers. Nodes whose routers have failed take no part. */
static status_code number_peers(struct traffic *traffic, const struct network *network,
                                const struct network_config *config, struct status *status) {
    if (!network_config_has_failures(config))
        return traffic_peers_make(&traffic->peers, config, NULL, status);
    uint32_t nodes = network_node_count(network);
    bool *left_out = memory_new(nodes, sizeof *left_out);
    RETURN_ERROR_IF(left_out == NULL, status, STATUS_MEMORY, "out of memory for traffic");
    for (uint32_t node = 0; node < nodes; node++)
        left_out[node] = !network_node_works(network, node);
    status_code code = traffic_peers_make(&traffic->peers, config, left_out, status);
    free(left_out);
    return code;
}

static status_code choose_peers(struct traffic *traffic, const struct network *network,
                                const struct network_config *config, struct status *status) {
    FORWARD_IF_ERROR(number_peers(traffic, network, config, status));
    const struct traffic_config *settings = traffic->config;
    if (traffic_pattern_has_hotspot(settings->pattern)) {
        uint32_t nodes = network_node_count(network);
        RETURN_ERROR_IF(settings->hotspot_node >= nodes, status, STATUS_USAGE,
                        "traffic.hotspot_node is %" PRId64 ", but the machine has nodes 0 to %u",
                        settings->hotspot_node, nodes - 1);
        RETURN_ERROR_IF(!network_node_works(network, (uint32_t)settings->hotspot_node), status,
                        STATUS_USAGE,
                        "the hotspot, node %" PRId64
                        ", is at a router that has failed; set traffic.hotspot_node to another one",
                        settings->hotspot_node);
    }
    return traffic_peers_choose(&traffic->peers, settings, "traffic.pattern", traffic->seed,
                                status);
}

status_code traffic_run(struct traffic_point *point, struct network **network,
                        const struct network_config *config, const struct traffic_config *settings,
                        int64_t load_millionths, uint64_t seed,
                        const struct traffic_options *options, struct status *status) {
    *network = NULL;
    memset(point, 0, sizeof *point);
    point->offered_millionths = load_millionths;
    char load[UNITS_TEXT_BYTES];
    units_ratio_text(load_millionths, load, sizeof load);
    RETURN_ERROR_IF(load_millionths < 1 || load_millionths > 1000000, status, STATUS_USAGE,
                    "load %s: a load is a share of the injection bandwidth, above 0 and at most 1",
                    load);
    struct traffic traffic = {.config = settings, .classes = config->classes, .seed = seed};
    struct network_sink sink = {.context = &traffic,
                                .is_unordered = true,
                                .delivered = handle_delivery,
                                .timer = handle_timer};
    const struct network_distribution part = {.processes = options->processes};
    FORWARD_IF_ERROR(network_new_distributed(network, config, seed, &sink, &part, status));
    if (options->time_bins > 0)
        FORWARD_IF_ERROR(network_keep_history(*network, options->time_bins, status));
    if (options->link_count > 0)
        FORWARD_IF_ERROR(network_watch(*network, options->links, options->link_count, status));
    status_code code = choose_peers(&traffic, *network, config, status);
    if (code == STATUS_OK)
        code = start_traffic(&traffic, *network, load_millionths, config, status);
    if (code == STATUS_OK) {
        if (!checkpoint_resumes(options->checkpoint)) set_first_timers(&traffic, *network);
        uint64_t rest_bytes = traffic.arrivals.message_bytes % (uint64_t)config->packet_bytes;
        struct network_run_options run = {
            .threads = options->threads,
            .smallest_message_bytes = rest_bytes > 0 ? rest_bytes : (uint64_t)config->packet_bytes,
            .progress = options->progress,
            .progress_context = options->progress_context,
            .checkpoint = options->checkpoint,
            .save_or_restore = saved_nodes,
            .saved_context = &traffic,
        };
        code = network_run(*network, &run, status);
    }
    if (code == STATUS_OK)
        code = add_up_measures(&traffic, network_group_count(*network), options, status);
    if (code == STATUS_OK && options->time_bins > 0) network_history_widen(*network, 0);
    if (code == STATUS_OK) {
        fill_point(point, &traffic, config, *network);
        if (options->histogram != NULL) *options->histogram = traffic.measures[0].histogram;
    }
    free(traffic.measures);
    free(traffic.counts_memory);
    traffic_peers_clear(&traffic.peers);
    return code;
}
