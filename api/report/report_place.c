/* A placement for people. */
#include "api/report/placement_report.h"
#include "api/report/report.h"
#include "api/report/report_layout.h"
#include "core/plural.h"
#include "core/units.h"

#include <inttypes.h>

enum { MAPPING_LINES = 64 };

static uint64_t total_messages(const anax_placement *result) {
    uint64_t total = 0;
    for (unsigned distance = 0; distance < PLACEMENT_DISTANCES; distance++)
        total += result->messages[distance];
    return total;
}

static wide total_bytes(const anax_placement *result) {
    wide total = 0;
    for (unsigned distance = 0; distance < PLACEMENT_DISTANCES; distance++)
        total += result->bytes[distance];
    return total;
}

static void add_distances(struct text_buffer *text, const anax_placement *result) {
    static const char *const labels[PLACEMENT_DISTANCES] = {"same node", "same router",
                                                            "same group", "other group"};
    wide bytes = total_bytes(result);
    uint64_t messages = total_messages(result);
    char size[32];
    units_size_human(bytes, size, sizeof size);
    text_add(text, "\nTraffic by distance (%s, %" PRIu64 " message%s, %zu pair%s of ranks)\n", size,
             messages, plural(messages), result->traffic.edge_count,
             plural(result->traffic.edge_count));
    for (unsigned distance = 0; distance < PLACEMENT_DISTANCES; distance++) {
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

/* Adds the nodes in order, each with its ranks. */
static void add_mapping(struct text_buffer *text, const anax_placement *result) {
    const struct placement *placement = result->placement;
    const struct network_config *network = &result->config->network;
    const struct node_shape shape = network_config_node(network);
    uint32_t lines = 0;
    text_add(text, "\nMapping\n    node  router   group  ranks\n");
    for (uint32_t node = 0; node < placement->node_count && lines < MAPPING_LINES; node++) {
        uint32_t first = placement->first_rank[node], end = placement->first_rank[node + 1];
        if (first == end) continue;
        int64_t router = node_shape_endpoint(&shape, node, 0) / shape.ports;
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
    report_placement_text(&text, config, config->placement.policy);
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
