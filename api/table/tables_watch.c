/* The tables of watched links (record.links): the flows that load them, and which flows wait behind
 * which. */
#include "api/results/link_numbers.h"
#include "api/table/flow_ends.h"
#include "api/table/tables.h"
#include "core/memory/memory.h"

#include <stdlib.h>

struct flow_row {
    const char *kind;
    struct network_link link;
    struct flow_ends ends;
    struct network_link_flow flow;
};

struct wait_row {
    const char *kind;
    struct network_link link;
    struct flow_ends ends, behind;
    int64_t waited_ps;
};

struct flow_visit {
    const struct table_source *source;
    const struct table_sink *sink;
};

static bool has_watched(const struct table_source *source) {
    return tables_is_complete(source) && source->config->record.links != NULL;
}

static const struct table_condition links_watched = {has_watched, "with record.links"};

static bool has_traffic_watched(const struct table_source *source) {
    return tables_is_single_point(source) && source->config->record.links != NULL;
}

static const struct table_condition traffic_links_watched = {
    has_traffic_watched, "with a single point and record.links"};

static void add_flow(void *context, const struct network_link *link,
                     const struct network_link_flow *flow) {
    const struct flow_visit *visit = context;
    const struct flow_row row = {link_numbers_kind(link), *link,
                                 flow_ends_find(visit->source->result, flow), *flow};
    table_add(visit->sink, &row);
}

static struct wait_row wait_row_of(const anax_replay_result *result,
                                   const struct network_link *link,
                                   const struct network_link_wait *wait) {
    return (struct wait_row){link_numbers_kind(link), *link, flow_ends_find(result, wait->flow),
                             flow_ends_find(result, wait->behind), wait->waited_ps};
}

static void add_wait(void *context, const struct network_link *link,
                     const struct network_link_wait *wait) {
    const struct flow_visit *visit = context;
    const struct wait_row row = wait_row_of(visit->source->result, link, wait);
    table_add(visit->sink, &row);
}

enum { LONGEST = 100 };

/* The longest waits of all links, the longest first. */
struct longest_waits {
    const anax_replay_result *result; /* NULL: of traffic */
    struct wait_row rows[LONGEST];
    size_t count;
};

static void keep_wait(void *context, const struct network_link *link,
                      const struct network_link_wait *wait) {
    struct longest_waits *longest = context;
    size_t place = longest->count;
    while (place > 0 && longest->rows[place - 1].waited_ps < wait->waited_ps)
        place--;
    if (place == LONGEST) return;
    if (longest->count < LONGEST) longest->count++;
    for (size_t i = longest->count - 1; i > place; i--)
        longest->rows[i] = longest->rows[i - 1];
    longest->rows[place] = wait_row_of(longest->result, link, wait);
}

static status_code visit_flows(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    struct flow_visit visit = {source, sink};
    const struct network_watch_visitor visitor = {&visit, add_flow, NULL};
    return network_visit_watched(source->run->network, &visitor, status);
}

static status_code visit_waits(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    struct flow_visit visit = {source, sink};
    const struct network_watch_visitor visitor = {&visit, NULL, add_wait};
    return network_visit_watched(source->run->network, &visitor, status);
}

static status_code visit_longest(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    struct longest_waits *longest = memory_new(1, sizeof *longest);
    RETURN_ERROR_IF(longest == NULL, status, STATUS_MEMORY, "out of memory for the longest waits");
    longest->result = source->result;
    const struct network_watch_visitor visitor = {longest, NULL, keep_wait};
    const status_code code = network_visit_watched(source->run->network, &visitor, status);
    for (size_t i = 0; i < longest->count && code == STATUS_OK; i++)
        table_add(sink, &longest->rows[i]);
    free(longest);
    return code;
}

#define LINK_COLUMNS(row)                                                                          \
    TABLE_NAME(row, kind, "kind", "kind of the link, as in links"),                                \
        TABLE_COLUMN(row, link.source, "source", "", "router number; of injection the node"),      \
        TABLE_COLUMN(row, link.destination, "destination", "",                                     \
                     "router number; of ejection the node"),                                       \
        TABLE_COLUMN(row, link.port, "port", "",                                                   \
                     "port of the source router; of injection the number of the NIC at its node"), \
        TABLE_COLUMN(row, link.rail, "rail", "", "rail, from 0")
static const struct table_column flow_columns[] = {
    LINK_COLUMNS(flow_row),
    TABLE_COLUMN(flow_row, ends.source_node, "source_node", "",
                 "node that the packets come from; null for all flows without a row of their own"),
    TABLE_COLUMN(flow_row, ends.destination_node, "destination_node", "", "node that they go to"),
    TABLE_COLUMN(flow_row, ends.source_rank, "source_rank", "",
                 "rank that sends the messages; null for traffic that is not of ranks"),
    TABLE_COLUMN(flow_row, ends.destination_rank, "destination_rank", "", "rank that they go to"),
    TABLE_COLUMN(flow_row, ends.job, "job", "", "job of that rank"),
    TABLE_FLAG(flow_row, ends.minimal, "minimal",
               "whether the packets were on minimal paths, as far as decided at the link"),
    TABLE_COLUMN(flow_row, flow.packets, "packets", "", "packets carried"),
    TABLE_COLUMN(flow_row, flow.bytes, "bytes", "bytes", "bytes carried, headers included"),
    TABLE_COLUMN(flow_row, flow.busy_ps, "busy_ps", "ps", "time in which the link carried them"),
    TABLE_COLUMN(flow_row, flow.stalled_ps, "stalled_ps", "ps",
                 "time for which the link was stalled before it carried these packets"),
    TABLE_COLUMN(flow_row, flow.waited_ps, "waited_ps", "ps",
                 "time for which these packets waited for the link, each for itself"),
    TABLE_COLUMN(flow_row, flow.behind_ps, "behind_ps", "ps",
                 "the part of waited_ps in which the link carried other packets"),
    TABLE_COLUMN(flow_row, flow.caused_ps, "caused_ps", "ps",
                 "time for which packets of all flows waited while the link carried these"),
    TABLE_NAME(
        flow_row, ends.call, "call",
        "MPI call in which the messages were sent, or their collective begun; of answers that "
        "in which the answering rank is; null outside MPI calls"),
    TABLE_NAME(flow_row, ends.region, "region",
               "innermost user region then; null outside all regions"),
};

#define FLOWS(when)                                                                                \
    {                                                                                              \
        .name = "link_flows", .form = TABLE_ARRAY, .has_file = true, TABLE_LIST(flow_columns),     \
        .condition = (when), .visit = visit_flows,                                                 \
        .help = "a flow over a watched link: the packets from one rank to another one "            \
                "(record.links), by MPI call and user region, most bytes first; the rows of a "    \
                "link add up to it",                                                               \
    }
const struct table table_link_flows = FLOWS(&links_watched);
const struct table table_traffic_link_flows = FLOWS(&traffic_links_watched);

static const struct table_column wait_columns[] = {
    LINK_COLUMNS(wait_row),
    TABLE_COLUMN(wait_row, ends.source_node, "source_node", "",
                 "node that the packets that waited come from; null for all flows without a row of "
                 "their own"),
    TABLE_COLUMN(wait_row, ends.destination_node, "destination_node", "", "node that they go to"),
    TABLE_COLUMN(wait_row, ends.source_rank, "source_rank", "",
                 "rank that sends the messages; null for traffic that is not of ranks"),
    TABLE_COLUMN(wait_row, ends.destination_rank, "destination_rank", "", "rank that they go to"),
    TABLE_COLUMN(wait_row, ends.job, "job", "", "job of that rank"),
    TABLE_FLAG(wait_row, ends.minimal, "minimal",
               "whether the packets were on minimal paths, as far as decided at the link"),
    TABLE_COLUMN(wait_row, behind.source_node, "behind_source_node", "",
                 "node that the packets that the link carried meanwhile come from; null for all "
                 "flows without a row of their own"),
    TABLE_COLUMN(wait_row, behind.destination_node, "behind_destination_node", "",
                 "node that they go to"),
    TABLE_COLUMN(wait_row, behind.source_rank, "behind_source_rank", "",
                 "rank that sends the messages; null for traffic that is not of ranks"),
    TABLE_COLUMN(wait_row, behind.destination_rank, "behind_destination_rank", "",
                 "rank that they go to"),
    TABLE_COLUMN(wait_row, behind.job, "behind_job", "", "job of that rank"),
    TABLE_FLAG(wait_row, behind.minimal, "behind_minimal",
               "whether the packets were on minimal paths, as far as decided at the link"),
    TABLE_COLUMN(wait_row, waited_ps, "waited_ps", "ps",
                 "time for which packets of the flow waited while the link carried packets of the "
                 "flow behind_..."),
    TABLE_NAME(wait_row, ends.call, "call",
               "MPI call of the packets that waited, as in link_flows"),
    TABLE_NAME(wait_row, ends.region, "region", "their user region"),
    TABLE_NAME(wait_row, behind.call, "behind_call", "MPI call of the packets carried meanwhile"),
    TABLE_NAME(wait_row, behind.region, "behind_region", "their user region"),
};

#define WAITS(when)                                                                                \
    {                                                                                              \
        .name = "link_waits", .form = TABLE_FILE, .has_file = true, TABLE_LIST(wait_columns),      \
        .condition = (when), .visit = visit_waits,                                                 \
        .help = "two flows of a watched link (record.links): one waited behind the other, "        \
                "longest first",                                                                   \
    }
const struct table table_link_waits = WAITS(&links_watched);
const struct table table_traffic_link_waits = WAITS(&traffic_links_watched);

#define LONGEST_WAITS(when)                                                                        \
    {                                                                                              \
        .name = "longest_link_waits", .form = TABLE_ARRAY, TABLE_LIST(wait_columns),               \
        .condition = (when), .visit = visit_longest,                                               \
        .help = "one of the 100 longest rows of link_waits over all watched links",                \
    }
const struct table table_longest_waits = LONGEST_WAITS(&links_watched);
const struct table table_traffic_longest_waits = LONGEST_WAITS(&traffic_links_watched);
