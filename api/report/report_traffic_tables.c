/*
 * The tables that only traffic has: its points, and of a single point what every router injected
 * and how the latencies are distributed. Column names carry units and are documented in
 * anax-json(5); what stands there stays.
 */
#include "api/report/report.h"
#include "core/memory.h"
#include "network/network_choices.h"

#include <inttypes.h>
#include <stdlib.h>

/* A fraction of millionths as a decimal. */
static void write_share(FILE *file, int64_t millionths) {
    fprintf(file, ",%" PRId64 ".%06" PRId64, millionths / 1000000, millionths % 1000000);
}

static void write_mean(FILE *file, wide sum_ps, uint64_t messages) {
    if (messages > 0)
        fprintf(file, ",%" PRId64, wide_mean(sum_ps, messages));
    else
        fputc(',', file);
}

/* Latencies, hops and shares of nothing are empty columns. */
static void write_measured(FILE *file, const struct traffic_point *point) {
    uint64_t messages = point->messages;
    if (messages == 0) {
        fputs(",,,,,,,", file);
        return;
    }
    fprintf(file, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64,
            wide_mean(point->latency_sum_ps, messages), point->latency_p50_ps,
            point->latency_p95_ps, point->latency_p99_ps, point->latency_max_ps);
    write_share(file, wide_millionths(point->router_sum, messages));
    write_share(file, wide_millionths(point->minimal_messages, messages));
}

void report_write_points(const anax_result *result, FILE *file) {
    fputs("offered_load,accepted_load,stable,messages,unfinished,mean_latency_ps,p50_latency_ps,"
          "p95_latency_ps,p99_latency_ps,max_latency_ps,mean_hops,minimal_share,routing,"
          "minimal_mean_latency_ps,nonminimal_mean_latency_ps,accepted_mean_latency_ps\n",
          file);
    for (size_t i = 0; i < result->point_count; i++) {
        const struct traffic_point *point = &result->points[i];
        fprintf(file, "%" PRId64 ".%06" PRId64, point->offered_millionths / 1000000,
                point->offered_millionths % 1000000);
        write_share(file, point->accepted_millionths);
        fprintf(file, ",%d,%" PRIu64 ",%" PRIu64, point->stable, point->messages,
                point->unfinished);
        write_measured(file, point);
        fprintf(file, ",%s", network_routing_names()[api_point_routing(result, i)]);
        write_mean(file, point->minimal_latency_sum_ps, point->minimal_messages);
        write_mean(file, point->latency_sum_ps - point->minimal_latency_sum_ps,
                   point->messages - point->minimal_messages);
        write_mean(file, point->accepted_latency_sum_ps, point->accepted_messages);
        fputc('\n', file);
    }
}

void report_write_latencies(const anax_result *result, FILE *file) {
    fputs("from_ps,to_ps,messages,minimal_messages\n", file);
    for (unsigned bin = 0; bin < NETWORK_LATENCY_BINS; bin++) {
        if (result->histogram->all[bin] == 0) continue;
        fprintf(file, "%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRIu64 "\n",
                network_latency_bin_floor(bin), network_latency_bin_floor(bin + 1),
                result->histogram->all[bin], result->histogram->minimal[bin]);
    }
}

/* What the nodes of one router sent and got during the measurement. */
struct terminal_sums {
    uint64_t packets;
    wide bytes;
};

struct router_sums {
    struct terminal_sums sent;     /* into injection buffers */
    struct terminal_sums injected; /* out of them, into the router */
    struct terminal_sums ejected;
    wide stalled_ps; /* channels from nodes */
};

static void add_to(struct terminal_sums *sum, uint64_t packets, uint64_t bytes) {
    sum->packets += packets;
    sum->bytes += bytes;
}

static void add_terminal(void *context, const struct network_link *link) {
    struct router_sums *routers = context;
    const struct network_link_counts *measured = &link->measured;
    if (link->level != NETWORK_TERMINAL) return;
    if (!link->injection) {
        add_to(&routers[link->source].ejected, measured->packets, measured->bytes);
        return;
    }
    struct router_sums *router = &routers[link->destination];
    add_to(&router->sent, measured->packets, measured->bytes);
    add_to(&router->injected, measured->injected_packets, measured->injected_bytes);
    router->stalled_ps += (uint64_t)measured->stalled_ps;
}

static void write_packets(FILE *file, const struct terminal_sums *sum) {
    char bytes[WIDE_TEXT_BYTES];
    fprintf(file, ",%" PRIu64 ",%s", sum->packets, wide_text(sum->bytes, bytes));
}

status_code report_write_routers(const anax_result *result, FILE *file, struct status *status) {
    const struct network_config *network = &result->config->network;
    size_t count = (size_t)network_config_routers(network);
    struct router_sums *routers = memory_new(count, sizeof *routers);
    RETURN_ERROR_IF(routers == NULL, status, STATUS_MEMORY, "out of memory for %zu routers", count);
    network_visit_links(result->network, add_terminal, routers);
    fputs("router,group,injected_packets,injected_bytes,injection_stalled_ps,ejected_packets,"
          "ejected_bytes,sent_packets,sent_bytes\n",
          file);
    for (size_t i = 0; i < count; i++) {
        char stalled[WIDE_TEXT_BYTES];
        fprintf(file, "%zu,%zu", i,
                i / (size_t)network->routers_per_group % (size_t)network->groups);
        write_packets(file, &routers[i].injected);
        fprintf(file, ",%s", wide_text(routers[i].stalled_ps, stalled));
        write_packets(file, &routers[i].ejected);
        write_packets(file, &routers[i].sent);
        fputc('\n', file);
    }
    free(routers);
    return STATUS_OK;
}
