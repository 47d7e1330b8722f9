/*
 * Bisection bandwidths as text, JSON (schema anax.bisection/1) and CSV. Knows results only.
 *
 * Values of alpha are written as exact fractions, and so are bounds, in units of a local link.
 */
#include "api/changed_settings.h"
#include "api/report/bisection_report.h"
#include "api/report/json_build.h"
#include "api/report/report_layout.h"
#include "api/table/tables.h"
#include "core/common_divisor.h"
#include "core/memory.h"
#include "core/plural.h"
#include "core/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Length of a fraction's text, such as "5/4", "2", or "inf" for denominator 0. */
enum { FRACTION_BYTES = 48 };
static void fraction_text(uint64_t numerator, uint64_t denominator, char text[FRACTION_BYTES]) {
    uint64_t common = common_divisor(numerator, denominator);
    if (denominator == 0)
        snprintf(text, FRACTION_BYTES, "inf");
    else if (denominator == common)
        snprintf(text, FRACTION_BYTES, "%" PRIu64, numerator / common);
    else
        snprintf(text, FRACTION_BYTES, "%" PRIu64 "/%" PRIu64, numerator / common,
                 denominator / common);
}

/* Returns the machine's bisection bandwidth in one direction: the least bandwidth over all lines
 * with the machine's own link bandwidths. */
static int64_t machine_bytes_per_s(const anax_bisection *bisection) {
    const struct network_config *network = &bisection->config->network;
    const int64_t local = network_config_local_unit(network);
    const int64_t global = network_config_raw_bandwidth(network, NETWORK_GLOBAL);
    __int128 least = 0;
    for (size_t i = 0; i < bisection->result.line_count; i++) {
        const struct bisection_cut *line = &bisection->result.lines[i];
        __int128 sum = (__int128)line->local_links * local + (__int128)line->global_links * global;
        if (i == 0 || sum < least) least = sum;
    }
    return least > INT64_MAX ? INT64_MAX : (int64_t)least;
}

/* Returns how the curve was found: "exact", "bounds" (stopped before the proof was complete) or
 * "search" (no proof was tried). */
static const char *method_of(const anax_bisection *bisection) {
    if (bisection->result.proven) return "exact";
    return bisection->result.exact ? "bounds" : "search";
}

static void point_alpha(const struct bisection_point *point, char text[FRACTION_BYTES]) {
    fraction_text(point->numerator, point->denominator, text);
}

/* Writes the value of a point. At the end of the curve, where alpha is infinite, the value is a
 * count of global links. */
static void point_value(const struct bisection_point *point, uint64_t value,
                        char text[FRACTION_BYTES]) {
    fraction_text(value, point->denominator > 0 ? point->denominator : 1, text);
}

/* ---------------------------------------------------------------- text */

static void add_method(struct text_buffer *text, const anax_bisection *bisection) {
    if (bisection->result.proven)
        text_add(text, "proven: no bisecting cut is cheaper, for any alpha\n");
    else if (bisection->result.exact)
        text_add(text, "NOT proven: the time limit came first; upper bounds, with the lower bounds "
                       "proven so far\n");
    else
        text_add(text, "NOT proven: an upper bound by heuristic search; no proof was tried "
                       "(--time-limit asks for one)\n");
}

static void add_bounds(struct text_buffer *text, const anax_bisection *bisection) {
    text_add(text, "\n  alpha           proven lower bound    upper bound\n");
    for (size_t i = 0; i <= bisection->result.line_count; i++) {
        const struct bisection_point *point = &bisection->result.points[i];
        char alpha[FRACTION_BYTES], lower[FRACTION_BYTES], upper[FRACTION_BYTES];
        point_alpha(point, alpha);
        point_value(point, point->lower, lower);
        point_value(point, point->upper, upper);
        const char *unit = point->denominator == 0 ? " alpha" : "";
        text_add(text, "  %-14s  %s%s", alpha, lower, unit);
        text_pad(text, 40);
        text_add(text, "%s%s\n", upper, unit);
    }
}

static void add_bisection(struct text_buffer *text, const anax_bisection *bisection) {
    const struct network_config *network = &bisection->config->network;
    text_add(text,
             "Bisection bandwidth of a=%" PRId64 " h=%" PRId64 " g=%" PRId64 ", %s: %" PRIu32
             " switches, %" PRIu64 " local and %" PRIu64 " global link%s\n",
             network->routers_per_group, network->globals_per_router, network->groups,
             bisection_arrangement(bisection), bisection->switches, bisection->local_links,
             bisection->global_links, plural(bisection->global_links));
    text_add(text, "machine ");
    report_machine_name(text, bisection->config);
    text_add(text, "\n");
    report_settings_text(text, "settings changed: ", bisection->config, ANAX_SCOPE_BISECTION,
                         REPORT_ALL_SETTINGS, NULL);
    char unit[UNITS_TEXT_BYTES];
    units_bandwidth_text(network_config_local_unit(network), unit, sizeof unit);
    if (network_config_local_unit(network) == network_config_fastest_local(network))
        text_add(text,
                 "in units of a local link; alpha = bandwidth of a global link / a local link\n");
    else
        text_add(
            text,
            "in units of %s, of which local links are multiples; alpha = bandwidth of a global "
            "link / this unit\n",
            unit);
    add_method(text, bisection);
    text_add(text, "\n  from alpha      to alpha        local links  + alpha * global links\n");
    for (size_t i = 0; i < bisection->result.line_count; i++) {
        const struct bisection_cut *line = &bisection->result.lines[i];
        char from[FRACTION_BYTES], to[FRACTION_BYTES];
        point_alpha(&bisection->result.points[i], from);
        point_alpha(&bisection->result.points[i + 1], to);
        text_add(text, "  %-14s  %-14s  %11" PRIu64 "  + alpha * %" PRIu64 "\n", from, to,
                 line->local_links, line->global_links);
    }
    if (!bisection->result.proven && bisection->result.exact) add_bounds(text, bisection);
    int64_t bytes_per_s = machine_bytes_per_s(bisection);
    char alpha[FRACTION_BYTES], bandwidth[UNITS_TEXT_BYTES];
    fraction_text((uint64_t)network->level[NETWORK_GLOBAL].bandwidth_bytes_per_s,
                  (uint64_t)network_config_local_unit(network), alpha);
    units_bandwidth_text(bytes_per_s, bandwidth, sizeof bandwidth);
    text_add(text, "\n  with the configured bandwidths, alpha = %s: %s in each direction\n", alpha,
             bandwidth);
    text_add(text, "  took %.2f s, %" PRIu64 " bound%s\n", bisection->wall_s,
             bisection->result.nodes, plural(bisection->result.nodes));
}

char *report_bisection_text(const anax_bisection *const *list, size_t count) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    for (size_t i = 0; i < count; i++) {
        if (i > 0) text_add(&text, "\n");
        add_bisection(&text, list[i]);
    }
    return text_take(&text);
}

/* ---------------------------------------------------------------- JSON */

/* Puts a cut with one character for each switch. Readers can check the cut by counting its
 * links. */
static void put_cut(struct json_object *object, const anax_bisection *bisection,
                    const struct bisection_cut *line) {
    char *text = memory_new((size_t)bisection->switches + 1, 1);
    if (text == NULL) return;
    for (uint32_t i = 0; i < bisection->switches; i++)
        text[i] = line->side[i] == 0 ? '0' : '1';
    json_put_text(object, "cut", text);
    free(text);
}

static void put_fraction(struct json_object *object, const char *key, uint64_t numerator,
                         uint64_t denominator) {
    char text[FRACTION_BYTES];
    fraction_text(numerator, denominator, text);
    json_put_text(object, key, text);
}

static void put_lines(struct json_object *object, const anax_bisection *bisection) {
    struct json_object *lines = json_put_array(object, "lines");
    for (size_t i = 0; i < bisection->result.line_count; i++) {
        const struct bisection_cut *line = &bisection->result.lines[i];
        const struct bisection_point *point = &bisection->result.points[i];
        struct json_object *row = json_append_object(lines);
        json_put_count(row, "local_links", line->local_links);
        json_put_count(row, "global_links", line->global_links);
        put_fraction(row, "from_alpha", point[0].numerator, point[0].denominator);
        put_fraction(row, "to_alpha", point[1].numerator, point[1].denominator);
        put_cut(row, bisection, line);
    }
    struct json_object *points = json_put_array(object, "points");
    for (size_t i = 0; i <= bisection->result.line_count; i++) {
        const struct bisection_point *point = &bisection->result.points[i];
        struct json_object *row = json_append_object(points);
        char lower[FRACTION_BYTES], upper[FRACTION_BYTES];
        put_fraction(row, "alpha", point->numerator, point->denominator);
        point_value(point, point->lower, lower);
        point_value(point, point->upper, upper);
        json_put_text(row, "lower", lower);
        json_put_text(row, "upper", upper);
        json_put_bool(row, "proven", point->proven);
    }
}

static void put_bisection(struct json_object *object, const anax_bisection *bisection) {
    const struct network_config *network = &bisection->config->network;
    struct json_object *machine = json_put_object(object, "machine");
    char *name = changed_machine_name(bisection->config);
    json_put_text(machine, "name", name);
    json_put_bool(machine, "changed",
                  bisection->config->run.machine != NULL &&
                      changed_network(network, &bisection->config->machine_network));
    free(name);
    json_put_int(machine, "routers_per_group", network->routers_per_group);
    json_put_int(machine, "globals_per_router", network->globals_per_router);
    json_put_int(machine, "groups", network->groups);
    json_put_int(machine, "switches", bisection->switches);
    json_put_count(machine, "local_links", bisection->local_links);
    json_put_count(machine, "global_links", bisection->global_links);
    json_put_text(object, "arrangement", bisection_arrangement(bisection));
    json_put_text(object, "method", method_of(bisection));
    json_put_bool(object, "proven", bisection->result.proven);
    put_lines(object, bisection);
    int64_t bytes_per_s = machine_bytes_per_s(bisection);
    put_fraction(object, "machine_alpha",
                 (uint64_t)network->level[NETWORK_GLOBAL].bandwidth_bytes_per_s,
                 (uint64_t)network_config_local_unit(network));
    json_put_int(object, "bisection_bytes_per_s", bytes_per_s);
    json_put_count(object, "bounds", bisection->result.nodes);
    json_put_seconds(object, "wall_s", bisection->wall_s);
    const struct table_source source = {.config = bisection->config, .scope = ANAX_SCOPE_BISECTION};
    table_put_json(object, &table_settings_changed, &source);
}

char *report_bisection_json(const anax_bisection *const *list, size_t count) {
    struct json_object *object = json_begin();
    if (object == NULL) return NULL;
    json_put_text(object, "schema", "anax.bisection/1");
    json_put_text(object, "version", anax_version());
    if (count == 1) {
        put_bisection(object, list[0]);
    } else {
        struct json_object *curves = json_put_array(object, "curves");
        for (size_t i = 0; i < count; i++)
            put_bisection(json_append_object(curves), list[i]);
    }
    return json_finish(object);
}

/* ---------------------------------------------------------------- CSV */

char *report_bisection_csv(const anax_bisection *const *list, size_t count) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text, "arrangement,routers_per_group,globals_per_router,groups,from_alpha,to_alpha,"
                    "local_links,global_links,proven\n");
    for (size_t i = 0; i < count; i++) {
        const struct network_config *network = &list[i]->config->network;
        const struct bisection_result *result = &list[i]->result;
        for (size_t l = 0; l < result->line_count; l++) {
            char from[FRACTION_BYTES], to[FRACTION_BYTES];
            point_alpha(&result->points[l], from);
            point_alpha(&result->points[l + 1], to);
            text_add(&text,
                     "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,%s,%" PRIu64 ",%" PRIu64 ",%d\n",
                     bisection_arrangement(list[i]), network->routers_per_group,
                     network->globals_per_router, network->groups, from, to,
                     result->lines[l].local_links, result->lines[l].global_links,
                     result->points[l].proven && result->points[l + 1].proven);
        }
    }
    return text_take(&text);
}
