/*
 * Topologies for people: a row per figure, a column per machine. Figures are rounded; the JSON has
 * the exact figures.
 */
#include "api/config/changed_settings.h"
#include "api/report/report_layout.h"
#include "api/report/report_topology.h"
#include "core/base/plural.h"
#include "network/network_choices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_WIDTH = 32, CELL_BYTES = 96, WIDTH_MIN = 14 };

static double mean(__uint128_t sum, __uint128_t count) {
    return count > 0 ? (double)sum / (double)count : 0.0;
}

#define CELL(name) static void cell_##name(const anax_topology *machine, char *cell)
#define PUT(...)   snprintf(cell, CELL_BYTES, __VA_ARGS__)

CELL(nodes) {
    PUT("%" PRIu64, topology_numbers_nodes(machine));
}
CELL(nics) {
    const struct node_shape *node = &machine->topology.node_shape;
    if (node->nics_per_node == 1)
        PUT("1");
    else
        PUT("%" PRIu32 " on %" PRIu32 " router%s", node->nics_per_node, node->routers_per_node,
            plural(node->routers_per_node));
}
CELL(injection) {
    char text[UNITS_TEXT_BYTES];
    units_bandwidth_text(network_config_injection_bytes_per_s(&machine->config->network), text,
                         sizeof text);
    PUT("%s", text);
}
CELL(routers) {
    PUT("%" PRIu64, topology_numbers_of_rails(machine, machine->facts.routers));
}
CELL(rails) {
    PUT("%" PRId64, machine->config->network.rails);
}
CELL(groups) {
    PUT("%" PRIu32, machine->topology.groups);
}
CELL(shape) {
    PUT("%" PRIu32 ", %" PRIu32 ", %" PRIu32, machine->topology.endpoints_per_router,
        machine->topology.routers_per_group, machine->topology.globals_per_router);
}
CELL(group) {
    const struct network_config *network = &machine->config->network;
    char dimensions[UNITS_TEXT_BYTES], links[UNITS_TEXT_BYTES];
    units_dimensions_text(network->group_dimensions, dimensions, sizeof dimensions);
    units_dimensions_text(network->group_links, links, sizeof links);
    PUT("%s, %s", network->group_dimensions != 0 ? dimensions : "complete", links);
}
CELL(arrangement) {
    PUT("%s", network_arrangement_names()[machine->config->network.arrangement]);
}
CELL(radix) {
    PUT("%" PRIu32, machine->topology.radix);
}
CELL(virtual_radix) {
    PUT("%" PRIu32, machine->facts.virtual_radix);
}
CELL(locals) {
    PUT("%" PRIu64, machine->counts.local_links);
}
CELL(globals) {
    PUT("%" PRIu64, machine->counts.global_links);
}
CELL(free) {
    PUT("%" PRIu64, machine->counts.free_globals);
}
CELL(share) {
    PUT("%.3f", (double)topology_numbers_global_share(machine) / 1e6);
}
CELL(failures) {
    const struct topology_counts *counts = &machine->counts;
    if (machine->topology.failures == NULL)
        PUT("none");
    else
        PUT("%" PRIu64 ", %" PRIu64 ", %" PRIu64, counts->failed_routers, counts->failed_locals,
            counts->failed_globals);
}
CELL(pairs) {
    const struct topology_facts *facts = &machine->facts;
    if (facts->spread_count == 0)
        PUT("none");
    else if (facts->spread_count == 1)
        PUT("%" PRIu32, facts->spread[0].links);
    else
        PUT("%" PRIu32 " to %" PRIu32, facts->spread[0].links,
            facts->spread[facts->spread_count - 1].links);
}
CELL(diameter) {
    if (machine->facts.distances_known)
        PUT("%" PRIu32, machine->facts.diameter);
    else
        PUT("not counted");
}
CELL(shortest) {
    if (machine->facts.distances_known)
        PUT("%.4f", mean(machine->facts.shortest_sum, machine->facts.endpoint_pairs));
    else
        PUT("not counted");
}
CELL(minimal) {
    PUT("%.4f", mean(machine->facts.minimal_millionths,
                     (__uint128_t)1000000 * machine->facts.endpoint_pairs));
}
CELL(nonminimal_paths) {
    const struct topology_facts *facts = &machine->facts;
    uint64_t groups = machine->topology.groups;
    if (!facts->nonminimal_range_known)
        PUT("%.1f (mean)", mean(facts->nonminimal_paths_sum, (__uint128_t)groups * (groups - 1)));
    else if (facts->nonminimal_paths_min == facts->nonminimal_paths_max)
        PUT("%" PRIu64, facts->nonminimal_paths_min);
    else
        PUT("%" PRIu64 " to %" PRIu64, facts->nonminimal_paths_min, facts->nonminimal_paths_max);
}
CELL(components) {
    PUT("%" PRIu32, machine->facts.components.count);
}
CELL(component_sizes) {
    const struct global_components *components = &machine->facts.components;
    int length = 0;
    for (uint32_t i = 0; i < components->size_count && i < 4; i++) {
        const struct global_component_size *size = &components->sizes[i];
        if (i == 3)
            length += snprintf(cell + length, CELL_BYTES - (size_t)length, ", ...");
        else if (size->count == 1)
            length += snprintf(cell + length, CELL_BYTES - (size_t)length, "%s%" PRIu32,
                               i > 0 ? ", " : "", size->routers);
        else
            length += snprintf(cell + length, CELL_BYTES - (size_t)length, "%s%" PRIu32 "x%" PRIu32,
                               i > 0 ? ", " : "", size->count, size->routers);
    }
}
CELL(cabinets) {
    const struct floor_grid *grid = &machine->bill.grid;
    PUT("%" PRIu32 " (%" PRIu32 " x %" PRIu32 ")", grid->cabinets, grid->columns, grid->rows);
}
CELL(cables) {
    PUT("%" PRIu64, topology_numbers_cables(machine).cables);
}
static void put_kinds(const struct floor_cable_bill *bill, char *cell) {
    PUT("%" PRIu64 " / %" PRIu64, bill->cables - bill->optical, bill->optical);
}
CELL(all_kinds) {
    struct floor_cable_bill all = topology_numbers_cables(machine);
    put_kinds(&all, cell);
}
CELL(local_kinds) {
    put_kinds(&machine->bill.level[NETWORK_LOCAL], cell);
}
CELL(global_kinds) {
    put_kinds(&machine->bill.level[NETWORK_GLOBAL], cell);
}
CELL(length) {
    PUT("%.1f m", (double)topology_numbers_cables(machine).length_mm / 1e3);
}
CELL(local_length) {
    const struct floor_cable_bill *bill = &machine->bill.level[NETWORK_LOCAL];
    PUT("%.2f / %.2f m", mean((__uint128_t)bill->length_mm, bill->cables) / 1e3,
        (double)bill->longest_mm / 1e3);
}
CELL(global_length) {
    const struct floor_cable_bill *bill = &machine->bill.level[NETWORK_GLOBAL];
    PUT("%.2f / %.2f m", mean((__uint128_t)bill->length_mm, bill->cables) / 1e3,
        (double)bill->longest_mm / 1e3);
}
CELL(crossover) {
    int64_t crossover_mm = floor_crossover_mm(&machine->config->floor);
    if (crossover_mm < 0)
        PUT("none");
    else
        PUT("%.2f m", (double)crossover_mm / 1e3);
}
CELL(cable_price) {
    PUT("$%.0f", (double)machine->bill.cable_price_microdollars / 1e6);
}
CELL(global_price) {
    PUT("$%.0f", (double)machine->bill.level[NETWORK_GLOBAL].price / 1e6);
}
CELL(router_price) {
    PUT("$%.0f", (double)machine->bill.router_price_microdollars / 1e6);
}
CELL(node_price) {
    PUT("$%.2f",
        (double)(machine->bill.cable_price_microdollars + machine->bill.router_price_microdollars) /
            1e6 / (double)topology_numbers_nodes(machine));
}

struct figure {
    const char *label; /* NULL: the row is a heading */
    const char *heading;
    void (*put)(const anax_topology *machine, char *cell);
};

static const struct figure figures[] = {
    {"nodes", NULL, cell_nodes},
    {"NICs of a node in each rail", NULL, cell_nics},
    {"injection bandwidth of a node", NULL, cell_injection},
    {"routers", NULL, cell_routers},
    {"groups", NULL, cell_groups},
    {"rails", NULL, cell_rails},
    {"NICs, routers, globals (p, a, h)", NULL, cell_shape},
    {"group, parallel local links", NULL, cell_group},
    {"arrangement", NULL, cell_arrangement},
    {"radix of a router", NULL, cell_radix},
    {"radix of a group as one router", NULL, cell_virtual_radix},
    {"local links", NULL, cell_locals},
    {"global links", NULL, cell_globals},
    {"free global ports", NULL, cell_free},
    {"failed routers, locals, globals", NULL, cell_failures},
    {"global / injection bandwidth", NULL, cell_share},
    {NULL, "Paths", NULL},
    {"links per pair of groups", NULL, cell_pairs},
    {"paths by way of a third group", NULL, cell_nonminimal_paths},
    {"diameter, in channels", NULL, cell_diameter},
    {"average hops, minimal routes", NULL, cell_minimal},
    {"average hops, shortest paths", NULL, cell_shortest},
    {"global connected components", NULL, cell_components},
    {"  of so many routers", NULL, cell_component_sizes},
    {NULL, "Cables", NULL},
    {"cabinets", NULL, cell_cabinets},
    {"cables", NULL, cell_cables},
    {"  electrical / optical", NULL, cell_all_kinds},
    {"  of these local", NULL, cell_local_kinds},
    {"  of these global", NULL, cell_global_kinds},
    {"length of all", NULL, cell_length},
    {"local cables, mean / longest", NULL, cell_local_length},
    {"global cables, mean / longest", NULL, cell_global_length},
    {NULL, "Cost", NULL},
    {"optical is cheaper from", NULL, cell_crossover},
    {"all cables", NULL, cell_cable_price},
    {"  of these global", NULL, cell_global_price},
    {"routers", NULL, cell_router_price},
    {"per node", NULL, cell_node_price},
};

static size_t width_of(const anax_topology *machine) {
    char *name = changed_machine_name(machine->config);
    size_t width = name != NULL ? text_name_width(name) : 0;
    free(name);
    if (width < WIDTH_MIN) width = WIDTH_MIN;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        char cell[CELL_BYTES] = "";
        if (figures[i].label == NULL) continue;
        figures[i].put(machine, cell);
        if (strlen(cell) > width) width = strlen(cell);
    }
    return width;
}

static void add_name(struct text_buffer *text, const anax_topology *machine) {
    char *name = changed_machine_name(machine->config);
    text_add(text, "%*s", 2 + (int)(width_of(machine) - text_name_width(name != NULL ? name : "")),
             "");
    text_add_name(text, name != NULL ? name : "", 0);
    text->failed = text->failed || name == NULL;
    free(name);
}

/* Adds the changed settings of a machine below the table, with the machine's name if there are
 * several. */
static void add_settings(struct text_buffer *text, const anax_topology *machine, bool several) {
    struct text_buffer label = TEXT_BUFFER_INIT;
    text_add(&label, "settings changed");
    if (several) text_add(&label, ", ");
    if (several) text_add_name(&label, api_machine_name(machine->config), 0);
    text_add(&label, ": ");
    char *words = text_take(&label);
    report_settings_text(text, words != NULL ? words : "", machine->config, ANAX_SCOPE_TOPOLOGY,
                         REPORT_ALL_SETTINGS, NULL);
    free(words);
}

/* Adds all figures of some machines, side by side. */
static void add_figures(struct text_buffer *text, const anax_topology *const *machines,
                        size_t count) {
    text_add(text, "%-*s", LABEL_WIDTH, "machine");
    for (size_t m = 0; m < count; m++)
        add_name(text, machines[m]);
    text_add(text, "\n");
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        if (figures[i].label == NULL) {
            text_add(text, "\n%s\n", figures[i].heading);
            continue;
        }
        text_add(text, "%-*s", LABEL_WIDTH, figures[i].label);
        for (size_t m = 0; m < count; m++) {
            char cell[CELL_BYTES] = "";
            figures[i].put(machines[m], cell);
            text_add(text, "  %*s", (int)width_of(machines[m]), cell);
        }
        text_add(text, "\n");
    }
}

/* Returns how many of the machines fit side by side on a line, at least one. */
static size_t count_that_fit(const anax_topology *const *machines, size_t count) {
    size_t width = LABEL_WIDTH, fit = 0;
    for (; fit < count; fit++) {
        width += 2 + width_of(machines[fit]);
        if (fit > 0 && width > TEXT_LINE_WIDTH) break;
    }
    return fit;
}

char *report_topology_text(const anax_topology *const *machines, size_t count) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    for (size_t first = 0, fit; first < count; first += fit) {
        fit = count_that_fit(machines + first, count - first);
        if (first > 0) text_add(&text, "\n");
        add_figures(&text, machines + first, fit);
    }
    text_add(&text, "\n");
    for (size_t m = 0; m < count; m++)
        add_settings(&text, machines[m], count > 1);
    return text_take(&text);
}
