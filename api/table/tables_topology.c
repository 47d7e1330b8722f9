/* The tables of topologies: machines side by side, and lists about each. */
#include "api/config/changed_settings.h"
#include "api/results/topology_numbers.h"
#include "api/table/tables.h"
#include "network/network_choices.h"

#include <stdlib.h>

/* Calls add for each machine of the list. */
static status_code visit_each(const struct table_source *source, const struct table_sink *sink,
                              void (*add)(const anax_topology *machine, int64_t number,
                                          const struct table_sink *sink)) {
    for (size_t i = 0; i < source->machine_count; i++)
        add(source->machines[i], (int64_t)i, sink);
    return STATUS_OK;
}

/* ---- machines ---- */

struct topology_row {
    struct tables_machine_row machine;
    const char *arrangement_file;
    int64_t arrangement_seed, radix, ring_ports, virtual_radix, global_bandwidth_share;
    uint64_t terminal_links;
    struct topology_counts counts;
    int64_t minimal_diameter, minimal_mean_hops, diameter, mean_hops;
    int64_t min_links, max_links, mean_links, min_paths, max_paths, mean_paths;
    int64_t components, cabinets, columns, rows, pitch_x_m, pitch_y_m, crossover_m;
    int64_t cable_dollars, router_dollars, dollars_per_node;
};

/* Returns the mean, or 0 if the denominator is 0. */
static int64_t mean_of(wide numerator, wide denominator) {
    return denominator > 0 ? table_ratio(numerator, denominator) : 0;
}

static void fill_shape(struct topology_row *row, const anax_topology *machine) {
    const struct network_config *network = &machine->config->network;
    if (network_arrangement_is_seeded(network)) row->arrangement_seed = network->arrangement_seed;
    if (network_arrangement_is_from_file(network))
        row->arrangement_file = network->arrangement_file;
    row->radix = machine->topology.radix;
    if (machine->topology.ring_ports > 0) row->ring_ports = machine->topology.ring_ports;
    row->virtual_radix = machine->facts.virtual_radix;
    row->terminal_links = topology_numbers_of_rails(machine, machine->facts.endpoints);
    row->counts = machine->counts;
    row->global_bandwidth_share = topology_numbers_global_share(machine);
}

static void fill_paths(struct topology_row *row, const anax_topology *machine) {
    const struct topology_facts *facts = &machine->facts;
    const uint32_t last = facts->spread_count;
    const wide pairs = (wide)machine->topology.groups * (machine->topology.groups - 1);
    row->minimal_diameter = facts->minimal_diameter;
    row->minimal_mean_hops =
        mean_of((wide)facts->minimal_millionths, (wide)1000000 * facts->endpoint_pairs);
    if (facts->distances_known) {
        row->diameter = facts->diameter;
        row->mean_hops = mean_of((wide)facts->shortest_sum, facts->endpoint_pairs);
    }
    row->min_links = last > 0 ? facts->spread[0].links : 0;
    row->max_links = last > 0 ? facts->spread[last - 1].links : 0;
    row->mean_links = mean_of((wide)2 * facts->global_links, pairs);
    if (facts->nonminimal_range_known) {
        row->min_paths = (int64_t)facts->nonminimal_paths_min;
        row->max_paths = (int64_t)facts->nonminimal_paths_max;
    }
    row->mean_paths = mean_of((wide)facts->nonminimal_paths_sum, pairs);
    row->components = facts->components.count;
}

static void fill_floor(struct topology_row *row, const anax_topology *machine) {
    const struct floor_bill *bill = &machine->bill;
    const int64_t crossover_mm = floor_crossover_mm(&machine->config->floor);
    row->cabinets = bill->grid.cabinets;
    row->columns = bill->grid.columns;
    row->rows = bill->grid.rows;
    row->pitch_x_m = machine->config->floor.pitch_x_mm * 1000;
    row->pitch_y_m = machine->config->floor.pitch_y_mm * 1000;
    if (crossover_mm >= 0) row->crossover_m = crossover_mm * 1000;
    row->cable_dollars = bill->cable_price_microdollars;
    row->router_dollars = bill->router_price_microdollars;
    row->dollars_per_node =
        mean_of((wide)bill->cable_price_microdollars + (wide)bill->router_price_microdollars,
                (wide)topology_numbers_nodes(machine) * 1000000);
}

static status_code visit_machines(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    for (size_t i = 0; i < source->machine_count; i++) {
        const anax_topology *machine = source->machines[i];
        struct topology_row row = {.arrangement_seed = TABLE_NONE,
                                   .ring_ports = TABLE_NONE,
                                   .diameter = TABLE_NONE,
                                   .mean_hops = TABLE_NONE,
                                   .min_paths = TABLE_NONE,
                                   .max_paths = TABLE_NONE,
                                   .crossover_m = TABLE_NONE};
        char *name = changed_machine_name(machine->config);
        RETURN_ERROR_IF(name == NULL, status, STATUS_MEMORY, "out of memory for a machine");
        tables_fill_machine(&row.machine, machine->config, name);
        row.machine.machine = (int64_t)i;
        fill_shape(&row, machine);
        fill_paths(&row, machine);
        fill_floor(&row, machine);
        table_add(sink, &row);
        free(name);
    }
    return STATUS_OK;
}

#define NUMBER(row, member) TABLE_COLUMN(row, member, "machine", "", "number of the machine")

static const struct table_column machine_columns[] = {
    TABLE_COLUMN(topology_row, machine.machine, "machine", "",
                 "number of the machine, from 0, in the order of the command line"),
    TABLES_MACHINE_COLUMNS(topology_row, machine.),
    TABLE_COLUMN(topology_row, arrangement_seed, "arrangement_seed", "",
                 "seed of the arrangement; null if it uses none"),
    TABLE_COLUMN(topology_row, arrangement_file, "arrangement_file", "",
                 "file of the arrangement; null if it uses none"),
    TABLE_COLUMN(topology_row, radix, "radix", "", "ports of a router"),
    TABLE_COLUMN(topology_row, ring_ports, "ring_ports", "",
                 "those of a physical escape ring; null without one"),
    TABLE_COLUMN(topology_row, virtual_radix, "virtual_radix", "",
                 "ports of a group seen as one router"),
    TABLE_COLUMN(topology_row, terminal_links, "terminal_links", "",
                 "channels between nodes and routers, each with two directions; of all rails, as "
                 "all counts of links, free ports and cables, lengths and prices are, while "
                 "distances, paths and components are those of the first rail"),
    TABLE_COLUMN(topology_row, counts.local_links, "local_links", "",
                 "channels between routers of a group that work"),
    TABLE_COLUMN(topology_row, counts.global_links, "global_links", "",
                 "channels between groups that work"),
    TABLE_COLUMN(topology_row, counts.free_globals, "free_global_ports", "",
                 "ports for global links that lead nowhere"),
    TABLE_COLUMN(topology_row, counts.failed_routers, "failed_routers", "",
                 "routers that have failed; routers counts them, too"),
    TABLE_COLUMN(topology_row, counts.failed_locals, "failed_local_links", "",
                 "local links that have failed; local_links does not count them, while cables and "
                 "their cost are those of the whole machine"),
    TABLE_COLUMN(topology_row, counts.failed_globals, "failed_global_links", "",
                 "global links that have failed; global_links does not count them"),
    TABLE_SHARE(topology_row, global_bandwidth_share, "global_bandwidth_share", "",
                "bandwidth of the global channels' ends over that of the nodes"),
    TABLE_COLUMN(topology_row, minimal_diameter, "minimal_diameter", "",
                 "most channels between two routers on minimal routes"),
    TABLE_SHARE(topology_row, minimal_mean_hops, "minimal_mean_hops", "",
                "channels between routers on minimal routes, mean over all pairs of different "
                "nodes; with failures the routes that go round them"),
    TABLE_COLUMN(topology_row, diameter, "diameter", "",
                 "most channels between two routers on shortest paths; null, as mean_hops, for "
                 "machines so large that counting takes minutes"),
    TABLE_SHARE(topology_row, mean_hops, "mean_hops", "",
                "channels between routers on shortest paths, mean over all pairs of different "
                "nodes; mean_hops of a replay and of traffic counts routers, which are one more"),
    TABLE_COLUMN(topology_row, min_links, "least_links_per_pair", "",
                 "least number of global links between two groups"),
    TABLE_COLUMN(topology_row, max_links, "most_links_per_pair", "",
                 "largest number of global links between two groups"),
    TABLE_SHARE(topology_row, mean_links, "mean_links_per_pair", "",
                "mean number of global links between two groups"),
    TABLE_COLUMN(topology_row, min_paths, "least_nonminimal_paths_per_pair", "",
                 "least number of ways between two groups by way of a third one; null if it takes "
                 "too long to find"),
    TABLE_COLUMN(topology_row, max_paths, "most_nonminimal_paths_per_pair", "",
                 "largest number of such ways; null if it takes too long to find"),
    TABLE_SHARE(topology_row, mean_paths, "mean_nonminimal_paths_per_pair", "",
                "mean number of such ways"),
    TABLE_COLUMN(topology_row, components, "global_components", "",
                 "sets of routers that global links alone connect"),
    TABLE_COLUMN(topology_row, cabinets, "cabinets", "", "cabinets on the floor"),
    TABLE_COLUMN(topology_row, columns, "columns", "", "columns of cabinets"),
    TABLE_COLUMN(topology_row, rows, "rows", "", "rows of cabinets"),
    TABLE_SHARE(topology_row, pitch_x_m, "pitch_x_m", "m",
                "from the middle of a cabinet to that of its neighbour in a row"),
    TABLE_SHARE(topology_row, pitch_y_m, "pitch_y_m", "m",
                "from the middle of a row of cabinets to that of the next one"),
    TABLE_SHARE(topology_row, crossover_m, "crossover_m", "m",
                "length from which on optical cables are not dearer; null if there is none"),
    TABLE_SHARE(topology_row, cable_dollars, "cable_dollars", "dollars", "price of all cables"),
    TABLE_SHARE(topology_row, router_dollars, "router_dollars", "dollars", "price of all routers"),
    TABLE_SHARE(topology_row, dollars_per_node, "dollars_per_node", "dollars",
                "price of both, over the nodes"),
};

static const struct table machines = {
    .name = "machines",
    .form = TABLE_ARRAY,
    TABLE_LIST(machine_columns),
    .visit = visit_machines,
    .help = "a machine",
};

/* ---- lists about a machine ---- */

struct count_row {
    int64_t machine;
    uint64_t of, count;
};

static void add_hops(const anax_topology *machine, int64_t number, const struct table_sink *sink) {
    const struct topology_facts *facts = &machine->facts;
    if (!facts->distances_known) return;
    for (uint32_t hops = 0; hops <= 3 || hops <= facts->minimal_diameter || hops <= facts->diameter;
         hops++)
        table_add(sink, &(struct count_row){number, hops, facts->pairs_at[hops]});
}

static status_code visit_hops(const struct table_source *source, const struct table_sink *sink,
                              struct status *status) {
    (void)status;
    return visit_each(source, sink, add_hops);
}

static const struct table_column hops_columns[] = {
    NUMBER(count_row, machine),
    TABLE_COLUMN(count_row, of, "hops", "", "channels between the two routers on a shortest path"),
    TABLE_COLUMN(count_row, count, "router_pairs", "", "ordered pairs of routers"),
};

static const struct table router_pairs = {
    .name = "router_pairs_by_hops",
    .form = TABLE_ARRAY,
    TABLE_LIST(hops_columns),
    .visit = visit_hops,
    .help = "a length of shortest paths; none of machines so large that counting takes minutes",
};

static void add_spread(const anax_topology *machine, int64_t number,
                       const struct table_sink *sink) {
    const struct topology_facts *facts = &machine->facts;
    for (uint32_t i = 0; i < facts->spread_count; i++)
        table_add(sink,
                  &(struct count_row){number, facts->spread[i].links, facts->spread[i].pairs});
}

static status_code visit_spread(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    return visit_each(source, sink, add_spread);
}

static const struct table_column spread_columns[] = {
    NUMBER(count_row, machine),
    TABLE_COLUMN(count_row, of, "links", "", "number of global links"),
    TABLE_COLUMN(count_row, count, "group_pairs", "",
                 "pairs of groups that this number of global links joins"),
};

static const struct table group_pairs = {
    .name = "group_pairs_by_links",
    .form = TABLE_ARRAY,
    TABLE_LIST(spread_columns),
    .visit = visit_spread,
    .help = "a number of global links between two groups",
};

static void add_components(const anax_topology *machine, int64_t number,
                           const struct table_sink *sink) {
    const struct global_components *components = &machine->facts.components;
    for (uint32_t i = 0; i < components->size_count; i++)
        table_add(sink, &(struct count_row){number, components->sizes[i].routers,
                                            components->sizes[i].count});
}

static status_code visit_components(const struct table_source *source,
                                    const struct table_sink *sink, struct status *status) {
    (void)status;
    return visit_each(source, sink, add_components);
}

static const struct table_column component_columns[] = {
    NUMBER(count_row, machine),
    TABLE_COLUMN(count_row, of, "routers", "", "number of routers of a component"),
    TABLE_COLUMN(count_row, count, "components", "", "components with this number of routers"),
};

static const struct table components = {
    .name = "components_by_size",
    .form = TABLE_ARRAY,
    TABLE_LIST(component_columns),
    .visit = visit_components,
    .help = "a size of the sets of routers that global links alone connect",
};

/* ---- cables ---- */

struct cable_row {
    int64_t machine;
    const char *level;
    uint64_t cables, electrical, optical;
    int64_t length_m, mean_length_m, longest_m, dollars;
};

static void add_bill(int64_t machine, const char *level, const struct floor_cable_bill *bill,
                     const struct table_sink *sink) {
    const struct cable_row row = {
        .machine = machine,
        .level = level,
        .cables = bill->cables,
        .electrical = bill->cables - bill->optical,
        .optical = bill->optical,
        .length_m = bill->length_mm * 1000,
        .mean_length_m = mean_of((uint64_t)bill->length_mm, (wide)bill->cables * 1000),
        .longest_m = bill->longest_mm * 1000,
        .dollars = (int64_t)bill->price,
    };
    table_add(sink, &row);
}

static void add_cables(const anax_topology *machine, int64_t number,
                       const struct table_sink *sink) {
    static const char *const names[NETWORK_CHANNEL_KINDS] = {"terminal", "local", "global"};
    for (int level = 0; level < NETWORK_CHANNEL_KINDS; level++)
        add_bill(number, names[level], &machine->bill.level[level], sink);
    const struct floor_cable_bill all = topology_numbers_cables(machine);
    add_bill(number, "all", &all, sink);
}

static status_code visit_cables(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    return visit_each(source, sink, add_cables);
}

static const struct table_column cable_columns[] = {
    NUMBER(cable_row, machine),
    TABLE_NAME(cable_row, level, "level", "terminal, local, global or all"),
    TABLE_COLUMN(cable_row, cables, "cables", "", "number of cables"),
    TABLE_COLUMN(cable_row, electrical, "electrical", "", "electrical cables"),
    TABLE_COLUMN(cable_row, optical, "optical", "", "optical cables"),
    TABLE_SHARE(cable_row, length_m, "length_m", "m", "length of all of them together"),
    TABLE_SHARE(cable_row, mean_length_m, "mean_length_m", "m", "mean length"),
    TABLE_SHARE(cable_row, longest_m, "longest_m", "m", "length of the longest"),
    TABLE_SHARE(cable_row, dollars, "dollars", "dollars", "price of all of them"),
};

static const struct table cables = {
    .name = "cables",
    .form = TABLE_ARRAY,
    TABLE_LIST(cable_columns),
    .visit = visit_cables,
    .help = "a level of cables of a machine",
};

/* ---- settings ---- */

static status_code visit_changes(const struct table_source *source, const struct table_sink *sink,
                                 struct status *status) {
    for (size_t i = 0; i < source->machine_count; i++)
        FORWARD_IF_ERROR(tables_add_changes(source->machines[i]->config, source->scope, NULL,
                                            (struct tables_settings_row){.machine = (int64_t)i},
                                            sink, status));
    return STATUS_OK;
}

static const struct table_column changes_columns[] = {NUMBER(tables_settings_row, machine),
                                                      TABLES_SETTINGS_COLUMNS};

static const struct table settings_changed = {
    .name = "settings_changed",
    .form = TABLE_ARRAY,
    TABLE_LIST(changes_columns),
    .visit = visit_changes,
    .help = "a setting of a machine whose value is neither the machine's nor the default",
};

static const struct table *const tables[] = {
    &machines, &router_pairs, &group_pairs,        &table_wiring,     &components,
    &cables,   &table_floor,  &table_floor_cables, &settings_changed, NULL};

const struct table_schema tables_topology = {"topology", "anax.topology/2", tables};
