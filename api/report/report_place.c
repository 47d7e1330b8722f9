/* A placement for people, and as JSON, schema anax.place/1. Keys are documented in anax-json(5). */
#include "api/report/json_build.h"
#include "api/report/placement_report.h"
#include "api/report/report.h"
#include "api/report/report_layout.h"
#include "core/plural.h"
#include "core/units.h"

#include <inttypes.h>

enum { MAPPING_LINES = 64 };

static uint64_t total_messages(const anax_placement *result) {
    uint64_t total = 0;
    for (unsigned distance = 0; distance < ANAX_DISTANCES; distance++)
        total += result->messages[distance];
    return total;
}

static wide total_bytes(const anax_placement *result) {
    wide total = 0;
    for (unsigned distance = 0; distance < ANAX_DISTANCES; distance++)
        total += result->bytes[distance];
    return total;
}

/* ---------------------------------------------------------------------------- text */

static void add_distances(struct text_buffer *text, const anax_placement *result) {
    static const char *const labels[ANAX_DISTANCES] = {"same node", "same router", "same group",
                                                       "other group"};
    wide bytes = total_bytes(result);
    uint64_t messages = total_messages(result);
    char size[32];
    units_size_human(bytes, size, sizeof size);
    text_add(text, "\nTraffic by distance (%s, %" PRIu64 " message%s, %zu pair%s of ranks)\n", size,
             messages, plural(messages), result->traffic.edge_count,
             plural(result->traffic.edge_count));
    for (unsigned distance = 0; distance < ANAX_DISTANCES; distance++) {
        units_size_human(result->bytes[distance], size, sizeof size);
        report_row(text, 2, labels[distance]);
        text_add(text, "%5.1f %% of bytes, %5.1f %% of messages   %s\n",
                 report_percent(result->bytes[distance], bytes),
                 report_percent(result->messages[distance], messages), size);
    }
}

static void add_link_end(struct text_buffer *text, const struct expected_links *links,
                         unsigned kind) {
    text_add(text, "   %s %" PRIu32 " -> %s %" PRIu32 "\n",
             kind == EXPECTED_INJECTION ? "node" : "router", links->source,
             kind == EXPECTED_EJECTION ? "node" : "router", links->destination);
}

static void add_links(struct text_buffer *text, const anax_placement *result) {
    text_add(text, "\nExpected link loads on minimal paths\n"
                   "  kind       links  in use  mean         largest      takes        where\n");
    for (unsigned kind = 0; kind < EXPECTED_KINDS; kind++) {
        const struct expected_links *links = &result->links[kind];
        char mean[32], largest[32], time[32];
        units_size_human(links->links > 0 ? links->total_bytes / links->links : 0, mean,
                         sizeof mean);
        units_size_human(links->max_bytes, largest, sizeof largest);
        units_time_sum_human(placement_link_time_ps(links), time, sizeof time);
        text_add(text, "  %-9s %6" PRIu64 "  %6" PRIu64 "  %-11s  %-11s  %-10s",
                 placement_link_names[kind], links->links, links->used, mean, largest, time);
        if (links->used > 0)
            add_link_end(text, links, kind);
        else
            text_add(text, "\n");
    }
}

/* Node by node, with the ranks on each. */
static void add_mapping(struct text_buffer *text, const anax_placement *result) {
    const struct placement *placement = result->placement;
    const struct network_config *network = &result->config->network;
    uint32_t lines = 0;
    text_add(text, "\nMapping\n    node  router   group  ranks\n");
    for (uint32_t node = 0; node < placement->node_count && lines < MAPPING_LINES; node++) {
        uint32_t first = placement->first_rank[node], end = placement->first_rank[node + 1];
        if (first == end) continue;
        int64_t router = node / network->nodes_per_router;
        text_add(text, "%8" PRIu32 "%8" PRId64 "%8" PRId64 " ", node, router,
                 router / network->routers_per_group);
        for (uint32_t i = first, next; i < end; i = next) {
            next = i + 1;
            while (next < end && placement->ranks[next] == placement->ranks[next - 1] + 1)
                next++;
            text_add(text, " %" PRIu32, placement->ranks[i]);
            if (next > i + 1) text_add(text, "-%" PRIu32, placement->ranks[next - 1]);
        }
        text_add(text, "\n");
        lines++;
    }
    if (result->nodes_used > lines)
        text_add(text, "  and %" PRIu32 " more node%s; --json and -o FILE have all of them\n",
                 result->nodes_used - lines, plural(result->nodes_used - lines));
}

char *anax_placement_text(const anax_placement *result) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const struct program *program = result->trace->program;
    const anax_config *config = result->config;
    text_add(&text, "Placement of ");
    text_add_name(&text, program_text(program, program->source), 0);
    text_add(&text, " (%" PRIu32 " rank%s, ", program->rank_count, plural(program->rank_count));
    text_add_name(&text, program_text(program, program->creator), 0);
    text_add(&text, ")\n");
    report_machine_text(&text, config);
    text_add(&text, "placement %s, seed %" PRId64 "\n",
             placement_policy_names()[config->placement.policy], config->run.seed);
    report_settings_text(&text, "settings changed: ", config, ANAX_SCOPE_PLACE, REPORT_ALL_SETTINGS,
                         NULL);
    text_add(&text, "\n");
    report_row(&text, 0, "Used");
    text_add(&text, "%" PRIu32 " node%s, %" PRIu32 " router%s, %" PRIu32 " group%s\n",
             result->nodes_used, plural(result->nodes_used), result->routers_used,
             plural(result->routers_used), result->groups_used, plural(result->groups_used));
    add_distances(&text, result);
    add_links(&text, result);
    add_mapping(&text, result);
    return text_take(&text);
}

/* ---------------------------------------------------------------------------- JSON */

static void put_traffic(struct json_object *object, const anax_placement *result) {
    struct json_object *traffic = json_put_object(object, "traffic");
    wide bytes = total_bytes(result);
    json_put_count(traffic, "pairs", result->traffic.edge_count);
    json_put_count(traffic, "messages", total_messages(result));
    json_put_sum(traffic, "bytes", bytes);
    for (unsigned distance = 0; distance < ANAX_DISTANCES; distance++) {
        struct json_object *part = json_put_object(traffic, placement_distance_names[distance]);
        json_put_count(part, "messages", result->messages[distance]);
        json_put_sum(part, "bytes", result->bytes[distance]);
        json_put_ratio(part, "share", result->bytes[distance], bytes);
    }
}

static void put_links(struct json_object *object, const anax_placement *result) {
    struct json_object *loads = json_put_object(object, "expected_links");
    for (unsigned kind = 0; kind < EXPECTED_KINDS; kind++) {
        const struct expected_links *links = &result->links[kind];
        struct json_object *load = json_put_object(loads, placement_link_names[kind]);
        json_put_count(load, "links", links->links);
        json_put_count(load, "used", links->used);
        json_put_sum(load, "bytes", links->total_bytes);
        json_put_ratio(load, "mean_bytes", links->total_bytes, links->links);
        json_put_sum(load, "max_bytes", links->max_bytes);
        json_put_sum(load, "max_time_ps", placement_link_time_ps(links));
        if (links->used == 0) continue;
        json_put_count(load, "source", links->source);
        json_put_count(load, "destination", links->destination);
    }
}

static void put_ranks(struct json_object *object, const anax_placement *result) {
    struct json_object *ranks = json_put_array(object, "ranks");
    const struct network_config *network = &result->config->network;
    for (uint32_t rank = 0; rank < result->placement->rank_count; rank++) {
        struct json_object *entry = json_append_object(ranks);
        int64_t node = result->placement->node_of_rank[rank];
        int64_t router = node / network->nodes_per_router;
        json_put_count(entry, "rank", rank);
        json_put_int(entry, "node", node);
        json_put_int(entry, "router", router);
        json_put_int(entry, "group", router / network->routers_per_group);
    }
}

char *anax_placement_json(const anax_placement *result) {
    const anax_config *config = result->config;
    struct json_object *object = json_begin();
    if (object == NULL) return NULL;
    json_put_text(object, "schema", "anax.place/1");
    json_put_text(object, "version", anax_version());
    report_json_machine(object, config);
    json_put_text(object, "placement", placement_policy_names()[config->placement.policy]);
    json_put_int(object, "seed", config->run.seed);
    report_json_configuration(object, config, ANAX_SCOPE_PLACE, NULL);
    report_json_trace(object, result->trace->program);
    struct json_object *used = json_put_object(object, "used");
    json_put_count(used, "nodes", result->nodes_used);
    json_put_count(used, "routers", result->routers_used);
    json_put_count(used, "groups", result->groups_used);
    put_traffic(object, result);
    put_links(object, result);
    put_ranks(object, result);
    return json_finish(object);
}
