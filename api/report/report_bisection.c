/*
 * Bisection bandwidths as text, JSON (schema anax.bisection/2) and CSV. Knows results only. A
 * curve's keys in JSON and the columns in CSV are tables (api/table/tables_bisection.c).
 */
#include "api/report/report_bisection.h"
#include "api/json/json_build.h"
#include "api/report/report_layout.h"
#include "api/table/tables_analysis.h"
#include "core/base/plural.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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
        char alpha[TABLES_FRACTION_BYTES], lower[TABLES_FRACTION_BYTES],
            upper[TABLES_FRACTION_BYTES];
        tables_alpha(point, alpha);
        tables_alpha_value(point, point->lower, lower);
        tables_alpha_value(point, point->upper, upper);
        const char *unit = point->denominator == 0 ? " alpha" : "";
        text_add(text, "  %-14s  %s%s", alpha, lower, unit);
        text_pad(text, 40);
        text_add(text, "%s%s\n", upper, unit);
    }
}

static void add_bisection(struct text_buffer *text, const anax_bisection *bisection) {
    const struct network_config *network = &bisection->config->network;
    text_add(text,
             "Bisection bandwidth of a=%" PRId64 " h=%" PRId64 " g=%" PRId64 ", %s:\n%" PRIu32
             " routers, %" PRIu64 " local and %" PRIu64 " global link%s\n",
             network->routers_per_group, network->globals_per_router, network->groups,
             bisection_numbers_arrangement(bisection), bisection->routers, bisection->local_links,
             bisection->global_links, plural(bisection->global_links));
    text_add(text, "machine ");
    report_machine_name(text, bisection->config);
    text_add(text, "\n");
    report_failures_text(text, bisection->config);
    report_settings_text(text, "settings changed: ", bisection->config, ANAX_SCOPE_BISECTION,
                         REPORT_ALL_SETTINGS, NULL);
    char unit[UNITS_TEXT_BYTES];
    units_bandwidth_text(network_config_local_unit_bytes_per_s(network), unit, sizeof unit);
    if (network_config_local_unit_bytes_per_s(network) ==
        network_config_fastest_local_bytes_per_s(network))
        text_add(text,
                 "in units of a local link; alpha = bandwidth of a global link / a local link\n");
    else
        text_add(
            text,
            "in units of %s, of which local links are multiples;\nalpha = bandwidth of a global "
            "link / this unit\n",
            unit);
    add_method(text, bisection);
    text_add(text, "\n  from alpha      to alpha        local links  + alpha * global links\n");
    for (size_t i = 0; i < bisection->result.line_count; i++) {
        const struct bisection_cut *line = &bisection->result.lines[i];
        char from[TABLES_FRACTION_BYTES], to[TABLES_FRACTION_BYTES];
        tables_alpha(&bisection->result.points[i], from);
        tables_alpha(&bisection->result.points[i + 1], to);
        text_add(text, "  %-14s  %-14s  %11" PRIu64 "  + alpha * %" PRIu64 "\n", from, to,
                 line->local_links, line->global_links);
    }
    if (!bisection->result.proven && bisection->result.exact) add_bounds(text, bisection);
    int64_t bytes_per_s = tables_bisection_bytes_per_s(bisection);
    char alpha[TABLES_FRACTION_BYTES], bandwidth[UNITS_TEXT_BYTES];
    tables_fraction((uint64_t)network->channels[NETWORK_GLOBAL].bandwidth_bytes_per_s,
                    (uint64_t)network_config_local_unit_bytes_per_s(network), alpha);
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

static void put_bisection(struct json_object *object, const anax_bisection *bisection) {
    const struct table_source source = tables_bisection_source(&bisection);
    for (const struct table *const *table = tables_bisection.tables; *table != NULL; table++)
        table_put_json(object, *table, &source);
}

char *report_bisection_json(const anax_bisection *const *list, size_t count) {
    struct json_object *object = json_begin();
    if (object == NULL) return NULL;
    json_put_text(object, "schema", tables_bisection.schema);
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
