/* Placements through the public interface: placing, figures, rank files. */
#include "api/api.h"
#include "api/caller_struct.h"
#include "api/config/changed_settings.h"
#include "api/results/placement_numbers.h"
#include "api/run/place.h"
#include "api/search/placement_search.h"
#include "api/table/tables.h"
#include "core/base/utf8.h"
#include "core/files/output_file.h"
#include "core/memory/memory.h"
#include "replay/replay_traffic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static enum placement_distance distance_of(const struct placement_machine *machine, uint32_t from,
                                           uint32_t to) {
    if (from == to) return PLACEMENT_SAME_NODE;
    if (from / machine->nodes_per_router == to / machine->nodes_per_router)
        return PLACEMENT_SAME_ROUTER;
    return from / machine->nodes_per_group == to / machine->nodes_per_group ? PLACEMENT_SAME_GROUP
                                                                            : PLACEMENT_OTHER_GROUP;
}

static status_code add_traffic(anax_placement *result, struct status *status) {
    const struct network_config *network = &result->config->network;
    struct placement_machine machine = place_machine(network);
    const uint32_t *nodes = result->placement->node_of_rank;
    struct expected_load *load;
    FORWARD_IF_ERROR(expected_load_new(&load, network, status));
    for (size_t i = 0; i < result->traffic.edge_count; i++) {
        const struct placement_edge *edge = &result->traffic.edges[i];
        enum placement_distance distance =
            distance_of(&machine, nodes[edge->from], nodes[edge->to]);
        result->messages[distance] += edge->messages;
        result->bytes[distance] += edge->bytes;
    }
    placement_add_load(load, network, result->placement, &result->traffic);
    expected_load_sum(load, result->links);
    expected_load_free(load);
    return STATUS_OK;
}

/* Counts the nodes that have ranks, and their routers and groups. */
static void count_used(anax_placement *result) {
    struct placement_machine machine = place_machine(&result->config->network);
    const uint32_t routers = network_config_node(&result->config->network).routers_per_node;
    const struct placement *placement = result->placement;
    uint32_t router = UINT32_MAX, group = UINT32_MAX;
    for (uint32_t node = 0; node < placement->node_count; node++) {
        if (placement->first_rank[node] == placement->first_rank[node + 1]) continue;
        result->nodes_used++;
        if (node / machine.nodes_per_router != router) result->routers_used += routers;
        result->groups_used += node / machine.nodes_per_group != group;
        router = node / machine.nodes_per_router;
        group = node / machine.nodes_per_group;
    }
}

static status_code place_program(anax_placement *result, const anax_place_plan *plan,
                                 const anax_options *options, struct status *status) {
    const anax_config *config = plan->config;
    const struct program *program = result->trace->program;
    struct place_nodes nodes;
    RETURN_ERROR_IF(config->exchange.replays > 0 && config->exchange.placements == 0, status,
                    STATUS_USAGE,
                    "exchange.replays: the search by replays follows the search by link loads; set "
                    "exchange.placements, too");
    RETURN_ERROR_IF(plan->points_folder != NULL && config->exchange.replays == 0, status,
                    STATUS_USAGE,
                    "plan.points_folder keeps replays of a search, and there is none: set "
                    "exchange.replays, or remove plan.points_folder");
    FORWARD_IF_ERROR(api_config_copy(&result->config, config, status));
    FORWARD_IF_ERROR(network_config_check(&config->network, status));
    FORWARD_IF_ERROR(place_nodes_find(&nodes, config, status));
    status_code code = place_find_traffic(&result->traffic, config, program, status);
    if (code == STATUS_OK)
        code = place_on_free_nodes(&result->placement, config, &config->placement, program,
                                   (uint64_t)config->run.seed, &nodes, &result->traffic, status);
    if (code == STATUS_OK && config->exchange.placements > 0)
        code = placement_search_run(result, nodes.taken, plan->points_folder, options, status);
    place_nodes_free(&nodes);
    if (code == STATUS_OK) code = add_traffic(result, status);
    if (code == STATUS_OK) count_used(result);
    return code;
}

anax_code anax_place(anax_placement **placement, const anax_place_plan *plan,
                     const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    anax_place_plan own_plan = ANAX_PLACE_PLAN_INIT;
    *placement = NULL;
    status_code code = caller_read_options(&own, options, __func__, &status);
    if (code == STATUS_OK)
        code = caller_struct_read(&own_plan, plan, &caller_place_plan_struct, &status);
    if (code == STATUS_OK && (own_plan.config == NULL || own_plan.trace == NULL))
        code =
            status_set(&status, STATUS_USAGE,
                       "a placement needs a machine and a trace: set plan.config and plan.trace");
    if (code == STATUS_OK) {
        *placement = memory_new(1, sizeof **placement);
        if (*placement == NULL) code = status_set(&status, STATUS_MEMORY, "out of memory");
    }
    if (code == STATUS_OK) {
        (*placement)->trace = own_plan.trace;
        code = place_program(*placement, &own_plan, &own, &status);
    }
    if (code != STATUS_OK) {
        anax_placement_free(*placement);
        *placement = NULL;
    }
    return api_return(&status, error);
}

void anax_placement_free(anax_placement *placement) {
    if (placement == NULL) return;
    placement_free(placement->placement);
    replay_traffic_free(&placement->traffic);
    anax_config_free(placement->config);
    free(placement);
}

static struct table_source source_of(const anax_placement *placement) {
    return (struct table_source){.config = placement->config,
                                 .scope = ANAX_SCOPE_PLACE,
                                 .program = placement->trace->program,
                                 .placement = placement};
}

size_t anax_placement_point_count(size_t *found, size_t *damaged, const anax_placement *placement) {
    if (found != NULL) *found = (size_t)placement->search.found;
    if (damaged != NULL) *damaged = (size_t)placement->search.damaged;
    return (size_t)placement->search.replays;
}

char *anax_placement_json(const anax_placement *placement) {
    const struct table_source source = source_of(placement);
    return table_json(&tables_place, &source);
}

anax_code anax_placement_table(anax_table **table, const anax_placement *placement,
                               const char *name, anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = source_of(placement);
    table_collect(table, &tables_place, name, &source, &status);
    return api_return(&status, error);
}

/* Writes a name into a comment of a rank file. A name may contain any bytes, but a comment ends
 * with its line, and rank files are UTF-8 without control characters. */
static void write_name(const char *name, FILE *file) {
    while (*name != '\0') {
        const size_t length = utf8_character(name);
        const unsigned char first = (unsigned char)name[0];
        const bool control = length == 1 ? first < 0x20 || first == 0x7F
                                         : first == 0xC2 && (unsigned char)name[1] < 0xA0;
        if (length == 0 || control)
            fputc('?', file);
        else
            fwrite(name, 1, length, file);
        name += length > 0 ? length : 1;
    }
}

static void write_ranks(const anax_placement *placement, FILE *file) {
    const anax_config *config = placement->config;
    char *machine = changed_machine_name(config);
    fputs("# rank node: ", file);
    write_name(program_text(placement->trace->program, placement->trace->program->source), file);
    fputs(" on ", file);
    write_name(machine != NULL ? machine : "", file);
    free(machine);
    fprintf(file, ", placement %s%s. Read by --placement rankfile",
            placement_policy_names()[config->placement.policy],
            placement->search.placements > 0 ? " with ranks exchanged" : "");
    if (config->placement.ranks_per_node > 1)
        fprintf(file, " --ranks-per-node %" PRId64, config->placement.ranks_per_node);
    fputs(" --set placement.file=FILE\n", file);
    for (uint32_t rank = 0; rank < placement->placement->rank_count; rank++)
        fprintf(file, "%" PRIu32 " %" PRIu32 "\n", rank, placement->placement->node_of_rank[rank]);
}

anax_code anax_placement_write_rank_file(const anax_placement *placement, const char *path,
                                         const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    struct output_file file;
    anax_options own;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK &&
        output_file_open(&file, path, own.replace, &status) == STATUS_OK) {
        write_ranks(placement, file.stream);
        output_file_finish(&file, STATUS_OK, &status);
    }
    return api_return(&status, error);
}
