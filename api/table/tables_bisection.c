/*
 * The tables of bisection bandwidths. Knows results only.
 *
 * Values of alpha are exact fractions as texts, and so are bounds, in units of a local link.
 */
#include "api/config/changed_settings.h"
#include "api/results/bisection_numbers.h"
#include "api/table/tables_analysis.h"
#include "core/base/greatest_common_divisor.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    GROUP_CURVE = 1, /* columns of the CSV file alone */
    GROUP_CUT = 2    /* columns of the JSON alone */
};

void tables_fraction(uint64_t numerator, uint64_t denominator, char text[TABLES_FRACTION_BYTES]) {
    uint64_t common = greatest_common_divisor(numerator, denominator);
    if (denominator == 0)
        snprintf(text, TABLES_FRACTION_BYTES, "inf");
    else if (denominator == common)
        snprintf(text, TABLES_FRACTION_BYTES, "%" PRIu64, numerator / common);
    else
        snprintf(text, TABLES_FRACTION_BYTES, "%" PRIu64 "/%" PRIu64, numerator / common,
                 denominator / common);
}

int64_t tables_bisection_bytes_per_s(const anax_bisection *bisection) {
    const struct network_config *network = &bisection->config->network;
    const int64_t local = network_config_local_unit_bytes_per_s(network);
    const int64_t global = network_config_raw_bytes_per_s(network, NETWORK_GLOBAL);
    __int128 min = 0;
    for (size_t i = 0; i < bisection->result.line_count; i++) {
        const struct bisection_cut *line = &bisection->result.lines[i];
        __int128 sum = (__int128)line->local_links * local + (__int128)line->global_links * global;
        if (i == 0 || sum < min) min = sum;
    }
    return min > INT64_MAX ? INT64_MAX : (int64_t)min;
}

/* Returns how the curve was found: "exact", "bounds" (stopped before the proof was complete) or
 * "search" (no proof was tried). */
static const char *method_of(const anax_bisection *bisection) {
    if (bisection->result.proven) return "exact";
    return bisection->result.exact ? "bounds" : "search";
}

/* ---- a curve ---- */

struct bisection_machine_row {
    const char *name;
    int64_t changed, routers_per_group, globals_per_router, groups;
    uint32_t routers;
    uint64_t local_links, global_links;
};

static status_code visit_machine(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    const anax_bisection *bisection = source->bisections[0];
    const anax_config *config = bisection->config;
    char *name = changed_machine_name(config);
    RETURN_ERROR_IF(name == NULL, status, STATUS_MEMORY, "out of memory for a machine");
    const struct bisection_machine_row row = {
        .name = name,
        .changed = config->run.machine != NULL &&
                   changed_network_differs(&config->network, &config->machine_network),
        .routers_per_group = config->network.routers_per_group,
        .globals_per_router = config->network.globals_per_router,
        .groups = config->network.groups,
        .routers = bisection->routers,
        .local_links = bisection->local_links,
        .global_links = bisection->global_links,
    };
    table_add(sink, &row);
    free(name);
    return STATUS_OK;
}

static const struct table_column machine_columns[] = {
    TABLE_COLUMN(bisection_machine_row, name, "name", "",
                 "name of the machine, with `, changed` if settings have made it another one; "
                 "`custom` without a machine"),
    TABLE_FLAG(bisection_machine_row, changed, "changed",
               "whether settings have made it another machine"),
    TABLE_COLUMN(bisection_machine_row, routers_per_group, "routers_per_group", "",
                 "routers of a group"),
    TABLE_COLUMN(bisection_machine_row, globals_per_router, "globals_per_router", "",
                 "global ports of a router"),
    TABLE_COLUMN(bisection_machine_row, groups, "groups", "", "groups"),
    TABLE_COLUMN(bisection_machine_row, routers, "routers", "", "routers of a rail"),
    TABLE_COLUMN(bisection_machine_row, local_links, "local_links", "", "local links"),
    TABLE_COLUMN(bisection_machine_row, global_links, "global_links", "", "global links"),
};

static const struct table machine = {
    .name = "machine",
    .form = TABLE_OBJECT,
    TABLE_LIST(machine_columns),
    .visit = visit_machine,
    .help = "the machine",
};

struct curve_row {
    const char *arrangement, *method, *alpha;
    int64_t proven, bytes_per_s, wall_millionths;
    uint64_t bounds;
};

static status_code visit_curve(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    (void)status;
    const anax_bisection *bisection = source->bisections[0];
    const struct network_config *network = &bisection->config->network;
    char alpha[TABLES_FRACTION_BYTES];
    tables_fraction((uint64_t)network->channels[NETWORK_GLOBAL].bandwidth_bytes_per_s,
                    (uint64_t)network_config_local_unit_bytes_per_s(network), alpha);
    const struct curve_row row = {
        .arrangement = bisection_numbers_arrangement(bisection),
        .method = method_of(bisection),
        .alpha = alpha,
        .proven = bisection->result.proven,
        .bytes_per_s = tables_bisection_bytes_per_s(bisection),
        .wall_millionths = (int64_t)(bisection->wall_s * 1e6 + 0.5),
        .bounds = bisection->result.nodes,
    };
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column curve_columns[] = {
    TABLE_NAME(curve_row, arrangement, "arrangement", "arrangement of the global links"),
    TABLE_NAME(curve_row, method, "method",
               "exact; bounds (the time limit came before the proof was complete); or search (no "
               "proof was tried)"),
    TABLE_FLAG(curve_row, proven, "proven",
               "whether no bisecting cut is cheaper than the lines, for any alpha; otherwise the "
               "lines are upper bounds"),
    TABLE_NAME(curve_row, alpha, "machine_alpha", "alpha of the configured bandwidths, a fraction"),
    TABLE_COLUMN(curve_row, bytes_per_s, "bisection_bytes_per_s", "bytes/s",
                 "bisection bandwidth with the configured bandwidths, in one direction"),
    TABLE_COLUMN(curve_row, bounds, "bounds", "", "bounds computed for the proof"),
    TABLE_SHARE(curve_row, wall_millionths, "wall_s", "s", "time that the computation took"),
};

static const struct table curve = {
    .name = "result",
    .form = TABLE_KEYS,
    TABLE_LIST(curve_columns),
    .visit = visit_curve,
    .help = "the curve of an arrangement",
};

/* ---- its lines ---- */

struct line_row {
    const char *arrangement;
    int64_t routers_per_group, globals_per_router, groups;
    const char *from_alpha, *to_alpha, *cut;
    uint64_t local_links, global_links;
    int64_t proven;
};

void tables_alpha(const struct bisection_point *point, char text[TABLES_FRACTION_BYTES]) {
    tables_fraction(point->numerator, point->denominator, text);
}

/* Writes the value of a point. At the end of the curve, where alpha is infinite, the value is a
 * count of global links. */
void tables_alpha_value(const struct bisection_point *point, uint64_t value,
                        char text[TABLES_FRACTION_BYTES]) {
    tables_fraction(value, point->denominator > 0 ? point->denominator : 1, text);
}

/* Returns a cut with one character for each router. The caller frees the text. */
static char *cut_text(const anax_bisection *bisection, const struct bisection_cut *line) {
    char *text = memory_new((size_t)bisection->routers + 1, 1);
    for (uint32_t i = 0; text != NULL && i < bisection->routers; i++)
        text[i] = line->side[i] == 0 ? '0' : '1';
    return text;
}

static status_code add_lines(const anax_bisection *bisection, const struct table_sink *sink,
                             struct status *status) {
    const struct network_config *network = &bisection->config->network;
    const struct bisection_result *result = &bisection->result;
    for (size_t i = 0; i < result->line_count; i++) {
        const struct bisection_point *ends = &result->points[i];
        char from[TABLES_FRACTION_BYTES], to[TABLES_FRACTION_BYTES];
        char *cut = cut_text(bisection, &result->lines[i]);
        RETURN_ERROR_IF(cut == NULL, status, STATUS_MEMORY, "out of memory for a cut");
        tables_alpha(&ends[0], from);
        tables_alpha(&ends[1], to);
        const struct line_row row = {
            .arrangement = bisection_numbers_arrangement(bisection),
            .routers_per_group = network->routers_per_group,
            .globals_per_router = network->globals_per_router,
            .groups = network->groups,
            .from_alpha = from,
            .to_alpha = to,
            .cut = cut,
            .local_links = result->lines[i].local_links,
            .global_links = result->lines[i].global_links,
            .proven = ends[0].proven && ends[1].proven,
        };
        table_add(sink, &row);
        free(cut);
    }
    return STATUS_OK;
}

static status_code visit_lines(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    for (size_t i = 0; i < source->bisection_count; i++)
        FORWARD_IF_ERROR(add_lines(source->bisections[i], sink, status));
    return STATUS_OK;
}

static const struct table_column line_columns[] = {
    TABLE_GROUPED_NAME(GROUP_CURVE, line_row, arrangement, "arrangement",
                       "arrangement of the global links"),
    TABLE_GROUPED(GROUP_CURVE, line_row, routers_per_group, "routers_per_group", "",
                  "routers of a group"),
    TABLE_GROUPED(GROUP_CURVE, line_row, globals_per_router, "globals_per_router", "",
                  "global ports of a router"),
    TABLE_GROUPED(GROUP_CURVE, line_row, groups, "groups", "", "groups"),
    TABLE_NAME(line_row, from_alpha, "from_alpha",
               "where the line begins, an exact fraction as 5/4"),
    TABLE_NAME(line_row, to_alpha, "to_alpha", "where the line ends; the last line ends at inf"),
    TABLE_COLUMN(line_row, local_links, "local_links", "", "local links of its cut"),
    TABLE_COLUMN(line_row, global_links, "global_links", "",
                 "global links of its cut, each worth alpha local links"),
    TABLE_FLAG(line_row, proven, "proven", "whether the line is proven at both ends"),
    TABLE_GROUPED_NAME(GROUP_CUT, line_row, cut, "cut",
                       "a character for each router, group by group: 0 or 1 for its half"),
};

static const struct table lines = {
    .name = "lines",
    .form = TABLE_ARRAY,
    TABLE_LIST(line_columns),
    .left_out = GROUP_CURVE,
    .visit = visit_lines,
    .help = "a line of the bisection bandwidth as a function of alpha, in the order of alpha",
};

const struct table table_bisection_file = {
    .name = "curves",
    .form = TABLE_FILE,
    TABLE_LIST(line_columns),
    .left_out = GROUP_CUT,
    .visit = visit_lines,
    .help = "a line of the curve of an arrangement, as --csv writes them",
};

/* ---- where lines meet ---- */

struct alpha_row {
    const char *alpha, *lower, *upper;
    int64_t proven;
};

static status_code visit_points(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    const struct bisection_result *result = &source->bisections[0]->result;
    for (size_t i = 0; i <= result->line_count; i++) {
        const struct bisection_point *point = &result->points[i];
        char alpha[TABLES_FRACTION_BYTES], lower[TABLES_FRACTION_BYTES],
            upper[TABLES_FRACTION_BYTES];
        tables_alpha(point, alpha);
        tables_alpha_value(point, point->lower, lower);
        tables_alpha_value(point, point->upper, upper);
        table_add(sink, &(struct alpha_row){alpha, lower, upper, point->proven});
    }
    return STATUS_OK;
}

static const struct table_column point_columns[] = {
    TABLE_NAME(alpha_row, alpha, "alpha", "the value of alpha, an exact fraction"),
    TABLE_NAME(alpha_row, lower, "lower",
               "lower bound there, an exact fraction in units of a local link; at inf a number of "
               "global links"),
    TABLE_NAME(alpha_row, upper, "upper", "upper bound there, in the same unit"),
    TABLE_FLAG(alpha_row, proven, "proven", "whether both bounds are equal"),
};

static const struct table points = {
    .name = "points",
    .form = TABLE_ARRAY,
    TABLE_LIST(point_columns),
    .visit = visit_points,
    .help = "a value of alpha where lines meet, or an end of the curve",
};

static const struct table *const tables[] = {
    &machine, &curve, &lines, &points, &table_bisection_file, &table_settings_changed, NULL};

const struct table_schema tables_bisection = {"bisection", "anax.bisection/2", tables};

struct table_source tables_bisection_source(const anax_bisection *const *bisection) {
    return (struct table_source){.config = (*bisection)->config,
                                 .scope = ANAX_SCOPE_BISECTION,
                                 .bisections = bisection,
                                 .bisection_count = 1};
}
