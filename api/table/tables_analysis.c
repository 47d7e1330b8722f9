/* The tables of what anax computes about topologies in general: networks of other topologies for
 * equal numbers of nodes, and the conjectures on global connected components. */
#include "api/table/tables_analysis.h"

/* ---- rival networks ---- */

struct rival_bill {
    uint64_t cables, optical;
    int64_t length_m, longest_m, dollars;
};

struct rival_row {
    const char *topology;
    uint64_t nodes, routers;
    int64_t radix, cabinets, diameter, nonminimal_diameter;
    struct rival_bill terminal, local, global;
    int64_t cable_dollars, router_dollars, dollars_per_node;
};

static struct rival_bill bill_of(const struct floor_cable_bill *bill) {
    return (struct rival_bill){bill->cables, bill->optical, bill->length_mm * 1000,
                               bill->longest_mm * 1000, (int64_t)bill->price};
}

static status_code visit_rivals(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    for (size_t i = 0; i < source->rival_count; i++) {
        const struct rival_network *network = &source->rivals[i].network;
        const struct rival_row row = {
            .topology = source->rivals[i].kind->name,
            .nodes = network->nodes,
            .routers = network->routers,
            .radix = network->radix,
            .cabinets = network->cabinets,
            .diameter = network->diameter,
            .nonminimal_diameter =
                table_of(network->nonminimal_diameter, (int64_t)network->nonminimal_diameter),
            .terminal = bill_of(&network->terminal),
            .local = bill_of(&network->local),
            .global = bill_of(&network->global),
            .cable_dollars = network->cable_price_microdollars,
            .router_dollars = network->router_price_microdollars,
            .dollars_per_node = table_ratio((wide)network->cable_price_microdollars +
                                                (wide)network->router_price_microdollars,
                                            (wide)network->nodes * 1000000),
        };
        table_add(sink, &row);
    }
    return STATUS_OK;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): bill is the name of a member */
#define RIVAL_BILL(bill, channels)                                                                 \
    TABLE_COLUMN(rival_row, bill.cables, #bill "_cables", "", "cables " channels),                 \
        TABLE_COLUMN(rival_row, bill.optical, #bill "_optical", "", "those that are optical"),     \
        TABLE_SHARE(rival_row, bill.length_m, #bill "_length_m", "m",                              \
                    "length of all of these cables"),                                              \
        TABLE_SHARE(rival_row, bill.longest_m, #bill "_longest_m", "m", "length of the longest"),  \
        TABLE_SHARE(rival_row, bill.dollars, #bill "_dollars", "dollars", "price of all of them")
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct table_column rival_columns[] = {
    TABLE_NAME(rival_row, topology, "topology", "name of the topology"),
    TABLE_COLUMN(rival_row, nodes, "nodes", "", "number of nodes"),
    TABLE_COLUMN(rival_row, routers, "routers", "", "number of routers"),
    TABLE_COLUMN(rival_row, radix, "radix", "", "ports that the widest router uses"),
    TABLE_COLUMN(rival_row, cabinets, "cabinets", "", "number of cabinets"),
    TABLE_COLUMN(rival_row, diameter, "diameter", "",
                 "most hops of a minimal path between routers that have nodes"),
    TABLE_COLUMN(rival_row, nonminimal_diameter, "nonminimal_diameter", "",
                 "most hops of a non-minimal path; null if there are no such paths"),
    RIVAL_BILL(terminal, "between nodes and routers"),
    RIVAL_BILL(local, "between routers of a group, of the first dimension, or of a cabinet"),
    RIVAL_BILL(global, "of all other channels"),
    TABLE_SHARE(rival_row, cable_dollars, "cable_dollars", "dollars", "price of all cables"),
    TABLE_SHARE(rival_row, router_dollars, "router_dollars", "dollars", "price of all routers"),
    TABLE_SHARE(rival_row, dollars_per_node, "dollars_per_node", "dollars",
                "price of cables and routers divided by the nodes"),
};

static const struct table networks = {
    .name = "networks",
    .form = TABLE_ARRAY,
    TABLE_LIST(rival_columns),
    .visit = visit_rivals,
    .help = "a network of one topology for one number of nodes",
};

static const struct table *const rival_tables[] = {&networks, &table_settings_changed, NULL};
const struct table_schema tables_rivals = {"rivals", "anax.rivals/2", rival_tables};

/* ---- conjectures ---- */

struct conjecture_row {
    const char *arrangement;
    int64_t globals, min_routers, max_routers, odd_routers;
    uint64_t machines, exceptions;
    int64_t first_routers, first_components;
};

static status_code visit_conjectures(const struct table_source *source,
                                     const struct table_sink *sink, struct status *status) {
    (void)status;
    for (size_t i = 0; i < source->verdict_count; i++) {
        const struct tables_verdict *found = &source->verdicts[i];
        const struct components_verdict *verdict = &found->verdict;
        const struct conjecture_row row = {
            .arrangement = found->conjecture->arrangement,
            .globals = found->globals,
            .min_routers = tables_min_routers(found),
            .max_routers = found->conjecture->max_routers,
            .odd_routers = found->conjecture->needs_odd_routers,
            .machines = verdict->machines,
            .exceptions = verdict->exceptions,
            .first_routers = table_of(verdict->exceptions, verdict->routers),
            .first_components = table_of(verdict->exceptions, verdict->components),
        };
        table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column conjecture_columns[] = {
    TABLE_NAME(conjecture_row, arrangement, "arrangement", "arrangement of the global links"),
    TABLE_COLUMN(conjecture_row, globals, "globals_per_router", "", "global ports of a router"),
    TABLE_COLUMN(conjecture_row, min_routers, "least_routers_per_group", "",
                 "fewest routers of a group in the machines examined"),
    TABLE_COLUMN(conjecture_row, max_routers, "most_routers_per_group", "",
                 "most routers of a group in the machines examined"),
    TABLE_FLAG(conjecture_row, odd_routers, "odd_routers_only",
               "whether only odd numbers of routers were examined, because another row has the "
               "same machines for even numbers"),
    TABLE_COLUMN(conjecture_row, machines, "machines", "", "machines examined"),
    TABLE_COLUMN(conjecture_row, exceptions, "exceptions", "",
                 "machines with several global connected components"),
    TABLE_COLUMN(conjecture_row, first_routers, "first_routers_per_group", "",
                 "routers of a group in the first exception; null without exceptions"),
    TABLE_COLUMN(conjecture_row, first_components, "first_components", "",
                 "components of the first exception; null without exceptions"),
};

static const struct table conjectures = {
    .name = "conjectures",
    .form = TABLE_ARRAY,
    TABLE_LIST(conjecture_columns),
    .visit = visit_conjectures,
    .help = "an arrangement with one number of global ports per router",
};

struct conclusion_row {
    int64_t hold;
};

static status_code visit_conclusion(const struct table_source *source,
                                    const struct table_sink *sink, struct status *status) {
    (void)status;
    struct conclusion_row row = {1};
    for (size_t i = 0; i < source->verdict_count; i++)
        if (source->verdicts[i].verdict.exceptions > 0) row.hold = 0;
    table_add(sink, &row);
    return STATUS_OK;
}

static const struct table_column conclusion_columns[] = {
    TABLE_FLAG(conclusion_row, hold, "hold", "whether there is no exception"),
};

static const struct table conclusion = {
    .name = "result",
    .form = TABLE_KEYS,
    TABLE_LIST(conclusion_columns),
    .visit = visit_conclusion,
    .help = "all conjectures together",
};

static const struct table *const conjecture_tables[] = {&conjectures, &conclusion, NULL};
const struct table_schema tables_conjectures = {"gcc-conjectures", "anax.gcc-conjectures/1",
                                                conjecture_tables};
