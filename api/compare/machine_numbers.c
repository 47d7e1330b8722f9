/* Builds the topology and the floor plan of a configured machine, without its failures, and takes
 * its size and its price from them. */
#include "api/compare/machine_numbers.h"

#include "network/analysis/floor_plan.h"
#include "network/topology/topology.h"

status_code machine_numbers_find(struct machine_numbers *numbers, const anax_config *config,
                                 struct status *status) {
    struct network_config whole = config->network;
    struct topology topology;
    struct floor_bill bill;
    whole.failures_file[0] = '\0'; /* the price includes failed parts */
    whole.failed_routers = whole.failed_locals = whole.failed_globals = 0;
    FORWARD_IF_ERROR(floor_config_check(&config->floor, (uint32_t)whole.routers_per_group, status));
    FORWARD_IF_ERROR(topology_new(&topology, &whole, status));
    status_code code = floor_bill_make(&bill, &config->floor, &whole, &topology, status);
    if (code == STATUS_OK)
        *numbers = (struct machine_numbers){.nodes = network_config_nodes(&whole),
                                            .radix = topology.radix,
                                            .price = bill.cable_price_microdollars +
                                                     bill.router_price_microdollars};
    topology_free(&topology);
    return code;
}
