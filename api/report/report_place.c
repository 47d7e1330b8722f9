/* A placement for people. */
#include "api/report/report.h"
#include "api/report/report_layout.h"
#include "api/results/placement_numbers.h"
#include "core/base/plural.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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
                 percent_of(result->bytes[distance], bytes),
                 percent_of(result->messages[distance], messages), size);
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

/* Adds the ranks of a node, as 0-3 7 9; breaks the line where it is full. */
static void add_ranks(struct text_buffer *text, const struct placement *placement, uint32_t node) {
    enum { COLUMN = 25 };
    const uint32_t end = placement->first_rank[node + 1];
    size_t column = COLUMN;
    for (uint32_t i = placement->first_rank[node], next; i < end; i = next) {
        char ranks[32];
        next = i + 1;
        while (next < end && placement->ranks[next] == placement->ranks[next - 1] + 1)
            next++;
        int length = snprintf(ranks, sizeof ranks, " %" PRIu32, placement->ranks[i]);
        if (next > i + 1)
            length += snprintf(ranks + length, sizeof ranks - (size_t)length, "-%" PRIu32,
                               placement->ranks[next - 1]);
        if (column + (size_t)length > TEXT_LINE_WIDTH) {
            text_add(text, "\n%*s", COLUMN, "");
            column = COLUMN;
        }
        text_add(text, "%s", ranks);
        column += (size_t)length;
    }
    text_add(text, "\n");
}

char *anax_placement_mapping_text(const anax_placement *placement) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const struct placement *mapping = placement->placement;
    const struct network_config *network = &placement->config->network;
    const struct node_shape shape = network_config_node(network);
    text_add(&text, "Mapping\n    node  router   group  ranks\n");
    for (uint32_t node = 0; node < mapping->node_count; node++) {
        if (mapping->first_rank[node] == mapping->first_rank[node + 1]) continue;
        const int64_t router = node_shape_endpoint(&shape, node, 0) / shape.endpoints_per_router;
        text_add(&text, "%8" PRIu32 "%8" PRId64 "%8" PRId64 " ", node, router,
                 router / network->routers_per_group);
        add_ranks(&text, mapping, node);
    }
    return text_take(&text);
}

/* Adds a row with a figure of the policy's placement and of the one that was found. */
static void add_improvement(struct text_buffer *text, const char *label, const char *before,
                            const char *after, wide first, wide second) {
    report_row(text, 2, label);
    text_add(text, "%s, was %s", after, before);
    if (second != first && first > 0) {
        const double percent = 100 * ((double)second / (double)first - 1);
        text_add(text, " (%.1f %% %s)", fabs(percent), percent < 0 ? "less" : "more");
    }
    text_add(text, "\n");
}

static void add_search(struct text_buffer *text, const anax_placement *result) {
    const struct placement_search_numbers *search = &result->search;
    char before[32], after[32];
    if (search->placements == 0) return;
    text_add(text, "\nSearch by exchange of ranks, from placement %s\n",
             placement_policy_names()[result->config->placement.policy]);
    text_add(text, "  %" PRIu64 " placement%s compared by the load of links\n", search->placements,
             plural(search->placements));
    units_time_sum_human(search->start_busiest_ps, before, sizeof before);
    units_time_sum_human(search->busiest_ps, after, sizeof after);
    add_improvement(text, "busiest link takes", before, after, search->start_busiest_ps,
                    search->busiest_ps);
    units_size_human(search->start_bytes, before, sizeof before);
    units_size_human(search->bytes, after, sizeof after);
    add_improvement(text, "bytes on all links", before, after, search->start_bytes, search->bytes);
    if (search->time_ps < 0) return;
    text_add(text, "  %" PRIu64 " placement%s compared by replays\n", search->replays,
             plural(search->replays));
    units_time_human(search->start_time_ps, before, sizeof before);
    units_time_human(search->time_ps, after, sizeof after);
    report_row(text, 2, "predicted time");
    text_add(text, "%s, was %s", after, before);
    if (search->time_ps < search->start_time_ps)
        text_add(text, " (%.2f times faster)",
                 (double)search->start_time_ps / (double)search->time_ps);
    text_add(text, "\n");
}

char *anax_placement_text(const anax_placement *placement) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const struct program *program = placement->trace->program;
    const anax_config *config = placement->config;
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
             placement->nodes_used, plural(placement->nodes_used), placement->routers_used,
             plural(placement->routers_used), placement->groups_used,
             plural(placement->groups_used));
    add_distances(&text, placement);
    add_links(&text, placement);
    add_search(&text, placement);
    return text_take(&text);
}
