/* Tables of the network: totals of its messages and packets, and its links and routers. */
#include "api/results/link_numbers.h"
#include "api/table/tables.h"
#include "core/memory/memory.h"

#include <stdlib.h>

/* ---- all packets ---- */

struct network_row {
    uint64_t messages, memory_messages, packets, packet_hops, ring_entries;
    uint64_t responses, response_hops, response_bytes;
    wide bytes;
    int64_t mean_ps, p50_ps, p95_ps, p99_ps, max_ps, mean_hops, minimal_share, links_span_ps;
};

static int64_t percentile(const struct network_totals *totals, int64_t millionths) {
    return table_of(totals->messages, network_latency_percentile_ps(totals, millionths));
}

static status_code visit_network(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    (void)status;
    const struct network_totals *totals = &source->run->totals;
    const uint64_t messages = totals->messages;
    const struct network_row row = {
        .messages = messages,
        .memory_messages = totals->memory_messages,
        .bytes = totals->bytes,
        .packets = totals->packets,
        .packet_hops = totals->packet_hops,
        .mean_ps = table_of(messages, wide_mean(totals->latency_sum_ps, messages)),
        .p50_ps = percentile(totals, 500000),
        .p95_ps = percentile(totals, 950000),
        .p99_ps = percentile(totals, 990000),
        .max_ps = table_of(messages, totals->latency_max_ps),
        .mean_hops = table_ratio(totals->packet_hops, totals->packets),
        .minimal_share = table_ratio(totals->minimal_packets, totals->packets),
        .ring_entries = totals->ring_entries,
        .responses = totals->responses,
        .response_hops = totals->response_hops,
        .response_bytes = totals->response_bytes,
        .links_span_ps = source->replay != NULL
                             ? link_numbers_span_ps(source->run->network, source->replay->time_ps)
                             : TABLE_NONE,
    };
    table_add(sink, &row);
    return STATUS_OK;
}

#define PERCENTILE_HELP                                                                            \
    " percentile of the latencies, found within a bin of a histogram (a 32nd of a power of two "   \
    "wide) as if the latencies of a bin were spread evenly over it"

static const struct table_column network_columns[] = {
    TABLE_COLUMN(network_row, messages, "messages", "", "messages that crossed the network"),
    TABLE_COLUMN(network_row, memory_messages, "memory_messages", "", "messages within a node"),
    TABLE_COLUMN(network_row, bytes, "bytes", "bytes",
                 "payload of the messages that crossed the network"),
    TABLE_COLUMN(network_row, packets, "packets", "", "packets delivered"),
    TABLE_COLUMN(network_row, packet_hops, "packet_hops", "",
                 "packets forwarded by routers, ejection included"),
    TABLE_COLUMN(network_row, mean_ps, "mean_latency_ps", "ps",
                 "mean latency of messages, from being handed to the source's network interface "
                 "until the destination has the message (network.nic.receive_overhead and "
                 "network.nic.receive_latency included); null, as all latencies, if there were "
                 "none"),
    TABLE_COLUMN(network_row, p50_ps, "p50_latency_ps", "ps", "50th" PERCENTILE_HELP),
    TABLE_COLUMN(network_row, p95_ps, "p95_latency_ps", "ps", "95th" PERCENTILE_HELP),
    TABLE_COLUMN(network_row, p99_ps, "p99_latency_ps", "ps", "99th" PERCENTILE_HELP),
    TABLE_COLUMN(network_row, max_ps, "max_latency_ps", "ps", "largest latency"),
    TABLE_SHARE(network_row, mean_hops, "mean_hops", "",
                "number of routers passed, mean over packets: one more than the hops between "
                "routers, which mean_hops of a topology counts; null if there was none"),
    TABLE_SHARE(network_row, minimal_share, "minimal_share", "",
                "share of packets on minimal paths; null if there was none"),
    TABLE_COLUMN(network_row, ring_entries, "ring_entries", "",
                 "how often packets went into ofar's escape ring; 0 for policies without one"),
    TABLE_COLUMN(network_row, responses, "responses", "",
                 "acknowledgements that crossed the network as packets (network.acknowledgement "
                 "packet); no other count of packets has them, but those of links do"),
    TABLE_COLUMN(network_row, response_hops, "response_hops", "",
                 "responses forwarded by routers, ejection included"),
    TABLE_COLUMN(network_row, response_bytes, "response_bytes", "bytes",
                 "bytes of all responses on a channel"),
    TABLE_COLUMN(network_row, links_span_ps, "links_span_ps", "ps",
                 "of a replay, else null: its time_ps, or until the last channel was idle if that "
                 "is later; busy and stalled shares of links are relative to this time"),
};

const struct table table_network = {
    .name = "network",
    .form = TABLE_OBJECT,
    TABLE_LIST(network_columns),
    .condition = &tables_completed,
    .visit = visit_network,
    .help = "the network over the whole run; of traffic summed over all points, warm-up and drain "
            "included",
};

/* ---- traffic classes ---- */

struct class_row {
    uint32_t class_number;
    int64_t minimum, maximum, priority, bytes_share;
    uint64_t messages;
    wide bytes;
    int64_t mean_ps, p50_ps, p95_ps, p99_ps, max_ps;
};

static bool has_shares(const struct table_source *source) {
    return network_config_has_shares(&source->config->network);
}

static bool has_classes(const struct table_source *source) {
    return tables_is_complete(source) && has_shares(source);
}

static const struct table_condition classes_used = {
    has_classes, "with several traffic classes, or a maximum of one"};

static bool has_traffic_classes(const struct table_source *source) {
    return tables_is_single_point(source) && has_shares(source);
}

static const struct table_condition traffic_classes_used = {
    has_traffic_classes, "with a single point, and several traffic classes or a maximum of one"};

static status_code visit_classes(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    (void)status;
    const struct network_config *network = &source->config->network;
    for (uint32_t i = 0; i < (uint32_t)network->classes; i++) {
        struct network_totals totals;
        network_fill_class_totals(source->run->network, i, &totals);
        const struct class_row row = {
            .class_number = i,
            .minimum = network->class[i].minimum_millionths,
            .maximum = network->class[i].maximum_millionths,
            .priority = network->class[i].priority,
            .messages = totals.messages,
            .bytes = totals.bytes,
            .bytes_share = table_ratio(totals.bytes, source->run->totals.bytes),
            .mean_ps = table_of(totals.messages, wide_mean(totals.latency_sum_ps, totals.messages)),
            .p50_ps = percentile(&totals, 500000),
            .p95_ps = percentile(&totals, 950000),
            .p99_ps = percentile(&totals, 990000),
            .max_ps = table_of(totals.messages, totals.latency_max_ps),
        };
        table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column class_columns[] = {
    TABLE_COLUMN(class_row, class_number, "class", "", "number of the traffic class"),
    TABLE_SHARE(class_row, minimum, "minimum", "", "its minimum share of every channel"),
    TABLE_SHARE(class_row, maximum, "maximum", "", "its maximum share of any channel"),
    TABLE_COLUMN(class_row, priority, "priority", "", "its priority; higher ones go first"),
    TABLE_COLUMN(class_row, messages, "messages", "", "its messages that crossed the network"),
    TABLE_COLUMN(class_row, bytes, "bytes", "bytes", "payload of these messages"),
    TABLE_SHARE(class_row, bytes_share, "bytes_share", "",
                "share of the payload of all messages that crossed the network; null if there was "
                "none"),
    TABLE_COLUMN(class_row, mean_ps, "mean_latency_ps", "ps",
                 "mean latency of its messages, as in network; null, as all latencies, if there "
                 "were none"),
    TABLE_COLUMN(class_row, p50_ps, "p50_latency_ps", "ps", "50th percentile of the latencies"),
    TABLE_COLUMN(class_row, p95_ps, "p95_latency_ps", "ps", "95th percentile of the latencies"),
    TABLE_COLUMN(class_row, p99_ps, "p99_latency_ps", "ps", "99th percentile of the latencies"),
    TABLE_COLUMN(class_row, max_ps, "max_latency_ps", "ps", "largest latency"),
};

#define CLASSES(when)                                                                              \
    {                                                                                              \
        .name = "classes", .form = TABLE_ARRAY, .has_file = true, TABLE_LIST(class_columns),       \
        .condition = (when), .visit = visit_classes, .help = "a traffic class over the whole run", \
    }

const struct table table_classes = CLASSES(&classes_used);
const struct table table_traffic_classes = CLASSES(&traffic_classes_used);

/* ---- packets by hops ---- */

struct hops_row {
    uint64_t hops, packets;
};

static status_code visit_hops(const struct table_source *source, const struct table_sink *sink,
                              struct status *status) {
    (void)status;
    const uint64_t *packets = source->run->totals.router_hops;
    for (size_t i = 0; i < sizeof source->run->totals.router_hops / sizeof *packets; i++)
        table_add(sink, &(struct hops_row){i, packets[i]});
    return STATUS_OK;
}

static const struct table_column hops_columns[] = {
    TABLE_COLUMN(hops_row, hops, "hops", "",
                 "number of routers passed; the last row has all larger numbers, too"),
    TABLE_COLUMN(hops_row, packets, "packets", "", "packets that passed so many routers"),
};

const struct table table_packets_by_hops = {
    .name = "packets_by_hops",
    .form = TABLE_ARRAY,
    TABLE_LIST(hops_columns),
    .condition = &tables_completed,
    .visit = visit_hops,
    .help = "the packets that passed a given number of routers",
};

/* ---- latencies ---- */

enum { BINS_PER_ROW = 4 };

struct latency_bins_row {
    int64_t from_ps, to_ps;
    uint64_t messages;
};

static status_code visit_latency_bins(const struct table_source *source,
                                      const struct table_sink *sink, struct status *status) {
    (void)status;
    const uint64_t *histogram = source->run->totals.latency_histogram;
    for (unsigned first = 0; first < NETWORK_LATENCY_BINS; first += BINS_PER_ROW) {
        struct latency_bins_row row = {0};
        for (unsigned i = first; i < first + BINS_PER_ROW && i < NETWORK_LATENCY_BINS; i++)
            row.messages += histogram[i];
        if (row.messages == 0) continue;
        row.from_ps = network_latency_bin_floor_ps(first);
        row.to_ps = network_latency_bin_floor_ps(first + BINS_PER_ROW);
        table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column latency_bins_columns[] = {
    TABLE_COLUMN(latency_bins_row, from_ps, "from_ps", "ps", "least latency of the row"),
    TABLE_COLUMN(latency_bins_row, to_ps, "to_ps", "ps", "latencies of the row are less than this"),
    TABLE_COLUMN(latency_bins_row, messages, "messages", "",
                 "messages of such latencies that crossed the network"),
};

const struct table table_latency_bins = {
    .name = "latency_bins",
    .form = TABLE_ARRAY,
    TABLE_LIST(latency_bins_columns),
    .condition = &tables_completed,
    .visit = visit_latency_bins,
    .help = "latencies of messages, an eighth of a power of two wide; rows without messages are "
            "left out",
};

/* ---- links ---- */

enum { GROUP_MEASURED = 1 };

struct link_visit {
    const struct table_sink *sink;
    int64_t measure_ps; /* 0: nothing was measured */
};

static void add_link(void *context, const struct network_link *link) {
    const struct link_visit *visit = context;
    const struct tables_link_row row = {
        .kind = link_numbers_kind(link),
        .link = *link,
        .utilisation = table_ratio((uint64_t)link->measured.busy_ps, (uint64_t)visit->measure_ps),
    };
    table_add(visit->sink, &row);
}

static struct link_visit link_visit_of(const struct table_source *source,
                                       const struct table_sink *sink) {
    return (struct link_visit){sink,
                               source->traffic != NULL ? source->config->traffic.measure_ps : 0};
}

static status_code visit_links(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    struct link_visit visit = link_visit_of(source, sink);
    network_visit_links(source->run->network, add_link, &visit);
    return STATUS_OK;
}

static status_code visit_busiest(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    (void)status;
    struct link_visit visit = link_visit_of(source, sink);
    struct link_numbers_busiest busiest;
    link_numbers_busiest(source->run->network, &busiest);
    for (size_t i = 0; i < busiest.count; i++)
        add_link(&visit, &busiest.links[i]);
    return STATUS_OK;
}

#define MEASURED(member, name, unit, help)                                                         \
    TABLE_GROUPED(GROUP_MEASURED, tables_link_row, member, name, unit, help)

static const struct table_column link_columns[] = {
    TABLE_NAME(tables_link_row, kind, "kind",
               "injection (node to router), ejection (router to node), local or global"),
    TABLE_COLUMN(tables_link_row, link.source, "source", "",
                 "router number; of injection the node"),
    TABLE_COLUMN(tables_link_row, link.destination, "destination", "",
                 "router number; of ejection the node"),
    TABLE_COLUMN(tables_link_row, link.source_group, "source_group", "", "group of the source"),
    TABLE_COLUMN(tables_link_row, link.destination_group, "destination_group", "",
                 "group of the destination"),
    TABLE_COLUMN(tables_link_row, link.port, "port", "",
                 "port of the source router; of injection the number of the NIC at its node"),
    TABLE_COLUMN(tables_link_row, link.packets, "packets", "", "packets carried"),
    TABLE_SHOWN("carried", TABLE_AS_SIZE, tables_link_row, link.bytes, "bytes", "bytes",
                "bytes carried, headers included"),
    TABLE_SHOWN("busy", TABLE_AS_SHARE, tables_link_row, link.busy_ps, "busy_ps", "ps",
                "time during which it carried something"),
    TABLE_SHOWN("stalled", TABLE_AS_SHARE, tables_link_row, link.numbers.stalled_ps, "stalled_ps",
                "ps",
                "time during which it was idle though a packet waited for it, for lack of credits"),
    MEASURED(link.measured.packets, "measured_packets", "",
             "packets carried during the measurement"),
    MEASURED(link.measured.busy_ps, "measured_busy_ps", "ps",
             "time of the measurement during which it carried something"),
    MEASURED(link.measured.stalled_ps, "measured_stalled_ps", "ps",
             "time of the measurement during which it was idle for lack of credits"),
    TABLE_NUMBER(GROUP_MEASURED, TABLE_MILLIONTHS, tables_link_row, utilisation, "utilisation", "",
                 "measured_busy_ps as a share of the measurement"),
    TABLE_COLUMN(tables_link_row, link.rail, "rail", "",
                 "rail, from 0; routers count rail by rail"),
    TABLE_COLUMN(
        tables_link_row, link.held_ps, "held_ps", "ps",
        "of injection: time during which it was idle though its node had messages to send, "
        "which windows or congestion control held back"),
};

#define LINKS(groups, when)                                                                        \
    {                                                                                              \
        .name = "links", .form = TABLE_FILE, .has_file = true, TABLE_LIST(link_columns),           \
        .left_out = (groups), .condition = (when), .visit = visit_links,                           \
        .help = "a channel, which is one direction of a link",                                     \
    }
#define BUSIEST(groups, when)                                                                      \
    {                                                                                              \
        .name = "busiest_links", .form = TABLE_ARRAY, TABLE_LIST(link_columns),                    \
        .left_out = (groups), .condition = (when), .visit = visit_busiest,                         \
        .help = "one of the at most ten channels with the largest busy_ps, the busiest first",     \
    }
const struct table table_links = LINKS(GROUP_MEASURED, &tables_completed);
const struct table table_traffic_links = LINKS(0, &tables_single_point);
const struct table table_busiest_links = BUSIEST(GROUP_MEASURED, &tables_completed);
const struct table table_traffic_busiest_links = BUSIEST(0, &tables_single_point);

/* ---- groups ---- */

struct group_row {
    uint32_t source_group, destination_group;
    uint64_t links, packets;
    wide bytes, busy_ps, stalled_ps;
};

static void add_pair(const struct network_link *links, size_t count,
                     const struct table_sink *sink) {
    struct group_row row = {.source_group = links->source_group,
                            .destination_group = links->destination_group,
                            .links = count};
    for (size_t i = 0; i < count; i++) {
        row.packets += links[i].packets;
        row.bytes += links[i].bytes;
        row.busy_ps += (uint64_t)links[i].busy_ps;
        row.stalled_ps += (uint64_t)links[i].numbers.stalled_ps;
    }
    table_add(sink, &row);
}

static status_code visit_groups(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    struct network_link *links = NULL;
    size_t count = 0;
    FORWARD_IF_ERROR(link_numbers_globals(source->run->network, &links, &count, status));
    for (size_t first = 0, next; first < count; first = next) {
        next = first + 1;
        while (next < count && links[next].source_group == links[first].source_group &&
               links[next].destination_group == links[first].destination_group)
            next++;
        add_pair(&links[first], next - first, sink);
    }
    free(links);
    return STATUS_OK;
}

static const struct table_column group_columns[] = {
    TABLE_COLUMN(group_row, source_group, "source_group", "", "group that they lead from"),
    TABLE_COLUMN(group_row, destination_group, "destination_group", "", "group that they lead to"),
    TABLE_COLUMN(group_row, links, "links", "", "number of channels"),
    TABLE_COLUMN(group_row, packets, "packets", "", "packets carried"),
    TABLE_COLUMN(group_row, bytes, "bytes", "bytes", "bytes carried, headers included"),
    TABLE_COLUMN(group_row, busy_ps, "busy_ps", "ps", "sum of busy_ps over the channels"),
    TABLE_COLUMN(group_row, stalled_ps, "stalled_ps", "ps", "sum of stalled_ps over the channels"),
};

#define GROUPS(when)                                                                               \
    {                                                                                              \
        .name = "groups", .form = TABLE_FILE, .has_file = true, TABLE_LIST(group_columns),         \
        .condition = (when), .visit = visit_groups,                                                \
        .help = "the global channels from one group to another, added up",                         \
    }
const struct table table_groups = GROUPS(&tables_completed);
const struct table table_traffic_groups = GROUPS(&tables_single_point);

/* ---- routers ---- */

/* The traffic that the nodes of one router sent and received during the measurement. */
struct router_row {
    uint64_t router, group;
    uint64_t injected_packets, ejected_packets, sent_packets;
    wide injected_bytes, ejected_bytes, sent_bytes, stalled_ps;
};

static void add_terminal(void *context, const struct network_link *link) {
    struct router_row *routers = context;
    const struct network_link_counts *measured = &link->measured;
    if (link->channel_kind != NETWORK_TERMINAL) return;
    if (!link->is_injection) {
        routers[link->source].ejected_packets += measured->packets;
        routers[link->source].ejected_bytes += measured->bytes;
        return;
    }
    struct router_row *router = &routers[link->destination];
    router->sent_packets += measured->packets;
    router->sent_bytes += measured->bytes;
    router->injected_packets += link->injected.packets;
    router->injected_bytes += link->injected.bytes;
    router->stalled_ps += (uint64_t)measured->stalled_ps;
}

static status_code visit_routers(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    const struct network_config *network = &source->config->network;
    const size_t count = (size_t)network_config_routers(network);
    struct router_row *routers = memory_new(count, sizeof *routers);
    RETURN_ERROR_IF(routers == NULL, status, STATUS_MEMORY, "out of memory for %zu routers", count);
    network_visit_links(source->run->network, add_terminal, routers);
    for (size_t i = 0; i < count; i++) {
        routers[i].router = i;
        routers[i].group = i / (size_t)network->routers_per_group % (size_t)network->groups;
        table_add(sink, &routers[i]);
    }
    free(routers);
    return STATUS_OK;
}

static const struct table_column router_columns[] = {
    TABLE_COLUMN(router_row, router, "router", "", "number of the router, rail by rail"),
    TABLE_COLUMN(router_row, group, "group", "", "its group"),
    TABLE_COLUMN(router_row, injected_packets, "injected_packets", "",
                 "packets that left the injection buffers of its nodes: the router has granted "
                 "them an output"),
    TABLE_COLUMN(router_row, injected_bytes, "injected_bytes", "bytes",
                 "bytes of the injected packets, headers included"),
    TABLE_COLUMN(router_row, stalled_ps, "injection_stalled_ps", "ps",
                 "time during which its nodes had something to send and the router had no room for "
                 "it, summed over them"),
    TABLE_COLUMN(router_row, ejected_packets, "ejected_packets", "",
                 "packets that its nodes received"),
    TABLE_COLUMN(router_row, ejected_bytes, "ejected_bytes", "bytes",
                 "bytes of the ejected packets, headers included"),
    TABLE_COLUMN(router_row, sent_packets, "sent_packets", "",
                 "packets that its nodes sent into the injection buffers; while these fill up it "
                 "is more than what leaves them"),
    TABLE_COLUMN(router_row, sent_bytes, "sent_bytes", "bytes",
                 "bytes of the sent packets, headers included"),
};

const struct table table_routers = {
    .name = "routers",
    .form = TABLE_FILE,
    .has_file = true,
    TABLE_LIST(router_columns),
    .condition = &tables_single_point,
    .visit = visit_routers,
    .help = "a router during the measurement",
};
