/* Gathers the results of processes. In process 0 the groups of other processes get outputs and
 * numbers, but nothing else of the state of a group. */
#include "network/engine/processes/process_gather.h"

#include "core/memory/memory.h"
#include "network/engine/measurement/history.h"
#include "network/engine/measurement/statistics.h"
#include "network/engine/measurement/watch.h"
#include "network/engine/rail_group.h"

#include <stdlib.h>
#include <string.h>

/* Begins blocks for all other processes. */
static void begin_blocks(struct network *network) {
    for (unsigned i = 0; i < processes_count(network->distribution.processes); i++)
        processes_pack_reset(&network->distribution.outgoing[i]);
}

/* Returns the totals that are gathered: of all messages, and of those of each traffic class. */
static uint32_t totals_count(const struct network *network) {
    return 1 + (network_config_has_shares(&network->config) ? network->vcs.virtual_networks : 0);
}

/* Writes the totals of this process's groups to `own`, [totals_count]. */
static void own_totals(const struct network *network, struct network_totals *own) {
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        const struct rail_group *rail_group = &network->rail_groups[i];
        statistics_add(&own[0], &rail_group->counts.totals);
        for (uint32_t k = 1; rail_group->counts.class_totals != NULL && k < totals_count(network);
             k++)
            statistics_add(&own[k], &rail_group->counts.class_totals[k - 1]);
    }
}

status_code process_gather_totals(struct network *network, struct status *status) {
    if (network->distribution.processes == NULL) return STATUS_OK;
    const unsigned processes = processes_count(network->distribution.processes);
    const uint32_t count = totals_count(network);
    const size_t bytes = count * sizeof(struct network_totals);
    struct network_totals *totals = memory_new(count, sizeof *totals);
    free(network->distribution.totals_elsewhere);
    network->distribution.totals_elsewhere =
        memory_new(count, sizeof *network->distribution.totals_elsewhere);
    if (totals == NULL || network->distribution.totals_elsewhere == NULL) {
        free(totals);
        return status_set(status, STATUS_MEMORY, "out of memory for the totals of processes");
    }
    own_totals(network, totals);
    begin_blocks(network);
    for (unsigned i = 0; i < processes; i++)
        if (i != network->distribution.process)
            processes_pack(&network->distribution.outgoing[i], totals, bytes);
    status_code code =
        processes_exchange(network->distribution.processes, PROCESSES_TOTALS,
                           network->distribution.outgoing, network->distribution.arrived, status);
    for (unsigned i = 0; i < processes && code == STATUS_OK; i++) {
        const void *data = i != network->distribution.process
                               ? processes_unpack(&network->distribution.arrived[i], bytes)
                               : NULL;
        if (data == NULL) continue;
        memcpy(totals, data, bytes);
        for (uint32_t k = 0; k < count; k++)
            statistics_add(&network->distribution.totals_elsewhere[k], &totals[k]);
    }
    free(totals);
    return code;
}

static void pack_links(struct processes_packing *block, const struct rail_group *rail_group) {
    const size_t outputs = rail_group->network->tables.outputs;
    const size_t endpoints = rail_group->network->topology.endpoints_per_group;
    const uint64_t measured_bytes = rail_group->counts.measured_bytes;
    processes_pack(block, rail_group->outputs, outputs * sizeof *rail_group->outputs);
    processes_pack(block, rail_group->counts.links, outputs * sizeof *rail_group->counts.links);
    if (rail_group->counts.held_ps != NULL)
        processes_pack(block, rail_group->counts.held_ps,
                       endpoints * sizeof *rail_group->counts.held_ps);
    if (rail_group == rail_group->home && rail_group->network->observation.history_bins > 0)
        history_pack(block, rail_group);
    watch_pack(block, rail_group);
    processes_pack(block, &measured_bytes, sizeof measured_bytes);
    processes_pack(block, rail_group->counts.measured, rail_group->counts.measured_bytes);
}

static bool unpack_links(struct rail_group *rail_group, struct processes_unpacking *block) {
    const size_t outputs = rail_group->network->tables.outputs;
    const size_t endpoints = rail_group->network->topology.endpoints_per_group;
    const void *lines = processes_unpack(block, outputs * sizeof *rail_group->outputs);
    const void *numbers = processes_unpack(block, outputs * sizeof *rail_group->counts.links);
    const void *held = rail_group->counts.held_ps != NULL
                           ? processes_unpack(block, endpoints * sizeof *rail_group->counts.held_ps)
                           : NULL;
    if (rail_group->counts.held_ps != NULL && held == NULL) return false;
    if (rail_group == rail_group->home && rail_group->network->observation.history_bins > 0 &&
        !history_unpack(rail_group, block))
        return false;
    if (!watch_unpack(rail_group, block)) return false;
    const uint64_t *measured_bytes = processes_unpack(block, sizeof *measured_bytes);
    if (lines == NULL || numbers == NULL || measured_bytes == NULL) return false;
    memcpy(rail_group->outputs, lines, outputs * sizeof *rail_group->outputs);
    memcpy(rail_group->counts.links, numbers, outputs * sizeof *rail_group->counts.links);
    if (held != NULL)
        memcpy(rail_group->counts.held_ps, held, endpoints * sizeof *rail_group->counts.held_ps);
    if (*measured_bytes == 0) return true;
    const void *measured = processes_unpack(block, *measured_bytes);
    rail_group->counts.measured = measured != NULL ? memory_new(*measured_bytes, 1) : NULL;
    if (rail_group->counts.measured == NULL) return false;
    memcpy(rail_group->counts.measured, measured, *measured_bytes);
    rail_group->counts.measured_bytes = *measured_bytes;
    return true;
}

/* Takes the links of other processes. Their rail groups arrive in the order of their numbers. */
static status_code take_links(struct network *network, struct status *status) {
    size_t absent = network->rail_group_count - network->distribution.rail_groups_here, next = 0;
    network->distribution.outputs_elsewhere = memory_new_aligned(
        absent * network->tables.outputs, sizeof *network->distribution.outputs_elsewhere);
    bool enough = network->distribution.outputs_elsewhere != NULL;
    for (uint32_t i = 0; i < network->rail_group_count && enough; i++) {
        struct rail_group *rail_group = &network->rail_groups[i];
        if (!rail_group->is_elsewhere) continue;
        enough = rail_group_describe(rail_group);
        rail_group->outputs =
            network->distribution.outputs_elsewhere + next++ * network->tables.outputs;
        unsigned process = network->distribution.process_of_group[rail_group->group];
        enough = enough && unpack_links(rail_group, &network->distribution.arrived[process]);
    }
    RETURN_ERROR_IF(!enough, status, STATUS_MEMORY,
                    "out of memory for the links that other processes simulated");
    return STATUS_OK;
}

status_code process_gather_links(struct network *network, struct status *status) {
    if (network->distribution.processes == NULL) return STATUS_OK;
    begin_blocks(network);
    for (uint32_t i = 0; i < network->rail_group_count && network->distribution.process != 0; i++)
        if (!network->rail_groups[i].is_elsewhere)
            pack_links(&network->distribution.outgoing[0], &network->rail_groups[i]);
    FORWARD_IF_ERROR(processes_exchange(network->distribution.processes, PROCESSES_RESULT,
                                        network->distribution.outgoing,
                                        network->distribution.arrived, status));
    status_code code = network->distribution.process == 0 ? take_links(network, status) : STATUS_OK;
    begin_blocks(network);
    return processes_agree(network->distribution.processes, code, status);
}
