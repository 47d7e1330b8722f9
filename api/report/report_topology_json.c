/* Topologies as JSON, schema anax.topology/1: exact figures; keys are documented in anax-json(5).
 */
#include "api/report/json_build.h"
#include "api/report/report.h"
#include "api/report/topology_report.h"
#include "network/network_choices.h"

static void put_shape(struct json_object *object, const anax_topology *machine) {
    const struct network_config *network = &machine->config->network;
    const struct topology_facts *facts = &machine->facts;
    const struct topology_parts *parts = &machine->parts;
    report_json_machine_name(object, machine->config);
    json_put_count(object, "nodes", facts->nodes);
    json_put_int(object, "groups", network->groups);
    json_put_int(object, "rails", network->rails);
    json_put_count(object, "routers", topology_of_rails(machine, facts->routers));
    json_put_int(object, "nodes_per_router", network->nodes_per_router);
    json_put_int(object, "routers_per_group", network->routers_per_group);
    report_json_group(object, network);
    json_put_int(object, "globals_per_router", network->globals_per_router);
    json_put_text(object, "arrangement", network_arrangement_names()[network->arrangement]);
    if (network_arrangement_is_seeded(network))
        json_put_int(object, "arrangement_seed", network->arrangement_seed);
    if (network_arrangement_is_from_file(network))
        json_put_text(object, "arrangement_file", network->arrangement_file);
    json_put_int(object, "radix", machine->topology.radix);
    if (machine->topology.ring_ports > 0)
        json_put_int(object, "ring_ports", machine->topology.ring_ports);
    json_put_int(object, "virtual_radix", facts->virtual_radix);
    json_put_count(object, "terminal_links", topology_of_rails(machine, facts->nodes));
    json_put_count(object, "local_links", parts->local_links);
    json_put_count(object, "global_links", parts->global_links);
    json_put_count(object, "free_global_ports", parts->free_globals);
    json_put_count(object, "failed_routers", parts->failed_routers);
    json_put_count(object, "failed_local_links", parts->failed_locals);
    json_put_count(object, "failed_global_links", parts->failed_globals);
    json_put_millionths(object, "global_bandwidth_share", topology_global_share(machine));
}

/* numerator / denominator with six decimals; 0 of nothing. */
static void put_mean(struct json_object *object, const char *key, __uint128_t numerator,
                     __uint128_t denominator) {
    if (denominator == 0) denominator = 1;
    json_put_millionths(object, key, (int64_t)(numerator * 1000000 / denominator));
}

static void put_distances(struct json_object *object, const struct topology_facts *facts) {
    json_put_int(object, "minimal_diameter", facts->minimal_diameter);
    put_mean(object, "minimal_mean_hops", facts->minimal_millionths,
             (__uint128_t)1000000 * facts->node_pairs);
    if (!facts->distances_known) return;
    json_put_int(object, "diameter", facts->diameter);
    put_mean(object, "mean_hops", facts->shortest_sum, facts->node_pairs);
    struct json_object *pairs = json_put_array(object, "router_pairs_by_hops");
    for (uint32_t hops = 0; hops <= 3 || hops <= facts->minimal_diameter || hops <= facts->diameter;
         hops++)
        json_append_count(pairs, facts->pairs_at[hops]);
}

static void put_paths(struct json_object *object, const struct topology_facts *facts,
                      uint64_t groups) {
    struct json_object *links = json_put_object(object, "links_per_pair");
    const struct topology_link_spread *spread = facts->spread;
    uint32_t last = facts->spread_count;
    json_put_int(links, "least", last > 0 ? spread[0].links : 0);
    json_put_int(links, "most", last > 0 ? spread[last - 1].links : 0);
    put_mean(links, "mean", (__uint128_t)2 * facts->global_links,
             (__uint128_t)groups * (groups - 1));
    struct json_object *pairs = json_put_array(links, "pairs");
    for (uint32_t i = 0; i < last; i++) {
        struct json_object *entry = json_append_object(pairs);
        json_put_int(entry, "links", spread[i].links);
        json_put_count(entry, "pairs", spread[i].pairs);
    }
    struct json_object *detours = json_put_object(object, "nonminimal_paths_per_pair");
    if (facts->detour_range_known) {
        json_put_count(detours, "least", facts->detours_least);
        json_put_count(detours, "most", facts->detours_most);
    }
    put_mean(detours, "mean", facts->detour_sum, (__uint128_t)groups * (groups - 1));
    struct json_object *components = json_put_object(object, "global_components");
    json_put_int(components, "count", facts->components.count);
    struct json_object *sizes = json_put_array(components, "sizes");
    for (uint32_t i = 0; i < facts->components.size_count; i++) {
        struct json_object *entry = json_append_object(sizes);
        json_put_int(entry, "switches", facts->components.sizes[i].switches);
        json_put_int(entry, "count", facts->components.sizes[i].count);
    }
}

static void put_length(struct json_object *object, const char *key, int64_t length_mm) {
    json_put_ratio(object, key, (uint64_t)length_mm, 1000);
}

static void put_cables(struct json_object *object, const char *level,
                       const struct floor_cable_bill *bill) {
    json_put_text(object, "level", level);
    json_put_count(object, "cables", bill->cables);
    json_put_count(object, "electrical", bill->cables - bill->optical);
    json_put_count(object, "optical", bill->optical);
    put_length(object, "length_m", bill->length_mm);
    put_mean(object, "mean_length_m", (__uint128_t)bill->length_mm,
             (__uint128_t)bill->cables * 1000);
    put_length(object, "longest_m", bill->longest_mm);
    json_put_millionths(object, "dollars", (int64_t)bill->price);
}

static void put_floor(struct json_object *object, const anax_topology *machine) {
    static const char *const names[] = {"terminal", "local", "global"};
    const struct floor_bill *bill = &machine->bill;
    struct json_object *floor = json_put_object(object, "floor");
    json_put_int(floor, "cabinets", bill->grid.cabinets);
    json_put_int(floor, "columns", bill->grid.columns);
    json_put_int(floor, "rows", bill->grid.rows);
    int64_t crossover_mm = floor_crossover_mm(&machine->config->floor);
    if (crossover_mm >= 0)
        put_length(floor, "crossover_m", crossover_mm);
    else
        json_put_null(floor, "crossover_m");
    struct json_object *cables = json_put_array(object, "cables");
    for (int level = 0; level < NETWORK_LEVELS; level++)
        put_cables(json_append_object(cables), names[level], &bill->level[level]);
    struct floor_cable_bill all = topology_cables(machine);
    put_cables(json_append_object(cables), "all", &all);
    json_put_millionths(object, "cable_dollars", bill->cable_price);
    json_put_millionths(object, "router_dollars", bill->router_price);
    put_mean(object, "dollars_per_node",
             (__uint128_t)bill->cable_price + (__uint128_t)bill->router_price,
             (__uint128_t)machine->facts.nodes * 1000000);
}

char *report_topology_json(const anax_topology *const *machines, size_t count) {
    struct json_object *object = json_begin();
    json_put_text(object, "schema", "anax.topology/1");
    json_put_text(object, "version", anax_version());
    struct json_object *array = json_put_array(object, "machines");
    for (size_t i = 0; i < count; i++) {
        struct json_object *machine = json_append_object(array);
        put_shape(machine, machines[i]);
        put_distances(machine, &machines[i]->facts);
        put_paths(machine, &machines[i]->facts, machines[i]->topology.groups);
        put_floor(machine, machines[i]);
        report_settings_json(machine, machines[i]->config, ANAX_SCOPE_TOPOLOGY, NULL);
    }
    return json_finish(object);
}
