/* Deals groups to processes by their expected load: the heaviest group first, each to the process
 * with the least load so far, and of several with the fewest groups. So groups are dealt in turns
 * if all have the same weight. */
#include "network/engine/exchange/distribution.h"

#include "core/memory/memory.h"

#include <stdlib.h>

struct weighted_group {
    uint32_t weight;
    uint32_t group;
};

static int heavier_first(const void *first, const void *second) {
    const struct weighted_group *a = first, *b = second;
    if (a->weight != b->weight) return a->weight < b->weight ? 1 : -1;
    return a->group < b->group ? -1 : a->group > b->group;
}

/* Returns the process with the least load, and of several the one with the fewest groups. */
static unsigned least_loaded(const uint64_t *loads, const uint32_t *groups, unsigned processes) {
    unsigned min = 0;
    for (unsigned i = 1; i < processes; i++)
        if (loads[i] < loads[min] || (loads[i] == loads[min] && groups[i] < groups[min])) min = i;
    return min;
}

bool network_deal_groups(unsigned *process_of_group, uint32_t groups, const uint32_t *weights,
                         unsigned processes) {
    struct weighted_group *order = memory_new(groups, sizeof *order);
    uint64_t *loads = memory_new(processes, sizeof *loads);
    uint32_t *dealt = memory_new(processes, sizeof *dealt);
    const bool enough = order != NULL && loads != NULL && dealt != NULL;
    for (uint32_t i = 0; enough && i < groups; i++)
        order[i] = (struct weighted_group){weights != NULL ? weights[i] : 0, i};
    if (enough) qsort(order, groups, sizeof *order, heavier_first);
    for (uint32_t i = 0; enough && i < groups; i++) {
        unsigned process = least_loaded(loads, dealt, processes);
        process_of_group[order[i].group] = process;
        loads[process] += order[i].weight;
        dealt[process]++;
    }
    free(order);
    free(loads);
    free(dealt);
    return enough;
}

status_code distribution_deal(struct network *network, const struct network_distribution *part,
                              struct status *status) {
    if (part == NULL || processes_count(part->processes) == 1) return STATUS_OK;
    const uint32_t groups = network->topology.groups;
    const unsigned processes = processes_count(part->processes);
    network->distribution.processes = part->processes;
    network->distribution.process = processes_number(part->processes);
    network->distribution.process_of_group =
        memory_new(groups, sizeof *network->distribution.process_of_group);
    network->distribution.outgoing = memory_new(processes, sizeof *network->distribution.outgoing);
    network->distribution.arrived = memory_new(processes, sizeof *network->distribution.arrived);
    network->distribution.has_block =
        memory_new(processes, sizeof *network->distribution.has_block);
    RETURN_ERROR_IF(
        network->distribution.process_of_group == NULL || network->distribution.outgoing == NULL ||
            network->distribution.arrived == NULL || network->distribution.has_block == NULL ||
            !network_deal_groups(network->distribution.process_of_group, groups, part->weights,
                                 processes),
        status, STATUS_MEMORY, "out of memory for the parts of %u processes", processes);
    return STATUS_OK;
}

void distribution_free(struct network *network) {
    for (unsigned i = 0; network->distribution.outgoing != NULL &&
                         i < processes_count(network->distribution.processes);
         i++)
        processes_pack_free(&network->distribution.outgoing[i]);
    free(network->distribution.outgoing);
    free(network->distribution.arrived);
    free(network->distribution.has_block);
    free(network->distribution.process_of_group);
    status_clear(&network->run.stop_status);
}

uint32_t distribution_own_groups(const struct network *network) {
    uint32_t own = 0;
    for (uint32_t group = 0; group < network->topology.groups; group++)
        own += distribution_process_of(network, group) == network->distribution.process;
    return own;
}
