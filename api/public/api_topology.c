/* Topologies through the public interface: figures of a machine that need no simulation. */
#include "api/report/report_topology.h"
#include "api/table/tables.h"
#include "core/memory/memory.h"

#include <stdlib.h>

static status_code make_topology(anax_topology *machine, const anax_config *config,
                                 struct status *status) {
    const struct network_config *network = &config->network;
    FORWARD_IF_ERROR(network_config_check(network, status));
    FORWARD_IF_ERROR(
        floor_config_check(&config->floor, (uint32_t)network->routers_per_group, status));
    FORWARD_IF_ERROR(api_config_copy(&machine->config, config, status));
    FORWARD_IF_ERROR(topology_new(&machine->topology, network, status));
    FORWARD_IF_ERROR(topology_facts_find(&machine->facts, &machine->topology, status));
    FORWARD_IF_ERROR(topology_counts_find(&machine->counts, network, status));
    /* Cables and their cost include failed parts, so the floor is that of the machine without
     * failures. */
    struct network_config whole = *network;
    whole.failures_file[0] = '\0';
    whole.failed_routers = whole.failed_locals = whole.failed_globals = 0;
    struct topology intact;
    status_code code = topology_new(&intact, &whole, status);
    if (code == STATUS_OK)
        code = floor_bill_make(&machine->bill, &config->floor, network, &intact, status);
    if (code == STATUS_OK)
        code = floor_cables_find(&machine->floor, &config->floor, &machine->bill.grid, &intact,
                                 status);
    topology_free(&intact);
    return code;
}

anax_code anax_topology_new(anax_topology **topology, const anax_config *config,
                            anax_error *error) {
    struct status status = STATUS_INIT;
    *topology = memory_new(1, sizeof **topology);
    if (*topology == NULL) {
        status_set(&status, STATUS_MEMORY, "out of memory for a topology");
    } else if (make_topology(*topology, config, &status) != STATUS_OK) {
        anax_topology_free(*topology);
        *topology = NULL;
    }
    return api_return(&status, error);
}

void anax_topology_free(anax_topology *topology) {
    if (topology == NULL) return;
    anax_config_free(topology->config);
    topology_free(&topology->topology);
    topology_facts_free(&topology->facts);
    floor_cables_free(&topology->floor);
    free(topology);
}

static struct table_source source_of(const anax_topology *const *machines, size_t count) {
    return (struct table_source){
        .scope = ANAX_SCOPE_TOPOLOGY, .machines = machines, .machine_count = count};
}

char *anax_topology_text(const anax_topology *const *topologies, size_t count) {
    return report_topology_text(topologies, count);
}

char *anax_topology_json(const anax_topology *const *topologies, size_t count) {
    const struct table_source source = source_of(topologies, count);
    return table_json(&tables_topology, &source);
}

anax_code anax_topology_table(anax_table **table, const anax_topology *const *topologies,
                              size_t count, const char *name, anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = source_of(topologies, count);
    table_collect(table, &tables_topology, name, &source, &status);
    return api_return(&status, error);
}

char *anax_topology_dot(const anax_topology *topology) {
    return report_topology_dot(topology);
}
