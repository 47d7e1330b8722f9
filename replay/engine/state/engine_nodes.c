/* Which members of a communicator share a node. Members are sorted by node with a counting sort.
 * Communicators of the same group share its arrays, so time and memory are proportional to the
 * member lists of the program and the nodes of the machine. */
#include "replay/engine/state/engine_nodes.h"

#include "core/memory/memory.h"

#include <stdlib.h>

/* Memory of the preparation. */
struct sorting {
    uint32_t *number_of; /* per node of the machine: its number in the group; PROGRAM_NONE: none.
                            All are PROGRAM_NONE between groups. */
    uint32_t *count_of;  /* per start of a group: number of its nodes; 0: not sorted yet */
};

static uint32_t node_of_rank(const struct replay_engine *engine, uint32_t rank) {
    return engine->placement->node_of_rank[rank];
}

/* Sorts the members of a group of `size` that begins at `from` in the program's member lists.
 * Returns the number of their nodes. */
static uint32_t sort_members(const struct replay_engine *engine, uint32_t from, uint32_t size,
                             uint32_t *number_of) {
    const uint32_t *ranks = engine->program->communicator_members + from;
    const struct engine_nodes *nodes = &engine->nodes;
    uint32_t *node_of_member = nodes->node_of_member + from,
             *place_in_node = nodes->place_in_node + from;
    uint32_t *first = nodes->first + 2 * (size_t)from, count = 0;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t *number = &number_of[node_of_rank(engine, ranks[i])];
        if (*number == PROGRAM_NONE) {
            *number = count++;
            first[count] = 0;
        }
        node_of_member[i] = *number;
        place_in_node[i] = first[*number + 1]++;
    }
    first[0] = 0;
    for (uint32_t node = 0; node < count; node++)
        first[node + 1] += first[node];
    for (uint32_t i = 0; i < size; i++) {
        nodes->members[from + first[node_of_member[i]] + place_in_node[i]] = i;
        number_of[node_of_rank(engine, ranks[i])] = PROGRAM_NONE;
    }
    return count;
}

static void describe_communicator(struct replay_engine *engine, uint32_t index,
                                  const struct sorting *sorting) {
    const struct program_communicator *communicator = &engine->program->communicators[index];
    const struct engine_nodes *nodes = &engine->nodes;
    uint32_t from = communicator->members;
    if (from == PROGRAM_NONE || communicator->remote_size > 0) return;
    uint32_t *count = &sorting->count_of[from];
    if (*count == 0) *count = sort_members(engine, from, communicator->size, sorting->number_of);
    nodes->nodes_of_communicator[index] =
        (struct collective_nodes){.count = *count,
                                  .node_of_member = nodes->node_of_member + from,
                                  .place_in_node = nodes->place_in_node + from,
                                  .first = nodes->first + 2 * (size_t)from,
                                  .members = nodes->members + from};
}

static bool new_arrays(struct replay_engine *engine, struct sorting *sorting) {
    const struct program *program = engine->program;
    struct engine_nodes *nodes = &engine->nodes;
    size_t members = program->communicator_member_count;
    uint32_t node_count = engine->placement->node_count;
    nodes->nodes_of_communicator =
        memory_new(program->communicator_count, sizeof *nodes->nodes_of_communicator);
    nodes->node_of_member = memory_new(members, sizeof(uint32_t));
    nodes->place_in_node = memory_new(members, sizeof(uint32_t));
    nodes->members = memory_new(members, sizeof(uint32_t));
    nodes->first = memory_new(2 * members, sizeof(uint32_t));
    sorting->number_of = memory_new(node_count, sizeof(uint32_t));
    sorting->count_of = memory_new(members, sizeof(uint32_t));
    if (nodes->nodes_of_communicator == NULL || nodes->node_of_member == NULL ||
        nodes->place_in_node == NULL || nodes->members == NULL || nodes->first == NULL ||
        sorting->number_of == NULL || sorting->count_of == NULL)
        return false;
    for (uint32_t node = 0; node < node_count; node++)
        sorting->number_of[node] = PROGRAM_NONE;
    return true;
}

status_code engine_nodes_new(struct replay_engine *engine, struct status *status) {
    struct sorting sorting = {0};
    if (!collective_reads_nodes(&engine->config.collectives)) return STATUS_OK;
    bool made = new_arrays(engine, &sorting);
    for (uint32_t i = 0; made && i < engine->program->communicator_count; i++)
        describe_communicator(engine, i, &sorting);
    free(sorting.number_of);
    free(sorting.count_of);
    RETURN_ERROR_IF(!made, status, STATUS_MEMORY, "out of memory for the nodes of communicators");
    return STATUS_OK;
}

void engine_nodes_free(struct replay_engine *engine) {
    free(engine->nodes.nodes_of_communicator);
    free(engine->nodes.node_of_member);
    free(engine->nodes.place_in_node);
    free(engine->nodes.members);
    free(engine->nodes.first);
}

const struct collective_nodes *engine_nodes_of(const struct replay_engine *engine,
                                               uint32_t communicator) {
    if (engine->nodes.nodes_of_communicator == NULL) return NULL;
    const struct collective_nodes *nodes = &engine->nodes.nodes_of_communicator[communicator];
    return nodes->count == 0 ? NULL : nodes;
}
