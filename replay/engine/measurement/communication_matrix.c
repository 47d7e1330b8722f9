/* Finds the place of each rank, adds each message to the cell of its two places, and adds up the
 * cells of all processes. */
#include "replay/engine/measurement/communication_matrix.h"

#include "core/memory/memory.h"

#include <stdlib.h>

void replay_matrix_free(struct replay_matrix *matrix) {
    if (matrix == NULL) return;
    free(matrix->row_of_rank);
    free(matrix->cells);
    free(matrix);
}

/* Returns the number of the places, and in place_of_rank the place of each rank. */
static uint32_t find_places(const struct replay_engine *engine, replay_matrix_by by,
                            uint32_t *place_of_rank) {
    const uint32_t ranks = engine->participant_count;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t node = engine->node_of_rank[rank];
        const uint32_t places[] = {
            [REPLAY_MATRIX_BY_RANK] = rank,
            [REPLAY_MATRIX_BY_NODE] = node,
            [REPLAY_MATRIX_BY_ROUTER] = network_config_router_of_node(engine->network_config, node),
            [REPLAY_MATRIX_BY_GROUP] = network_config_domain_of_node(engine->network_config, node)};
        place_of_rank[rank] = places[by];
    }
    switch (by) {
    case REPLAY_MATRIX_BY_NODE:
        return (uint32_t)network_config_nodes(engine->network_config);
    case REPLAY_MATRIX_BY_ROUTER:
        return (uint32_t)(engine->network_config->routers_per_group *
                          engine->network_config->groups);
    case REPLAY_MATRIX_BY_GROUP:
        return (uint32_t)engine->network_config->groups;
    default:
        return ranks;
    }
}

status_code communication_matrix_new(struct replay_engine *engine, replay_matrix_by by,
                                     struct status *status) {
    struct replay_matrix *matrix = engine->matrix = memory_new(1, sizeof *matrix);
    RETURN_ERROR_IF(matrix == NULL, status, STATUS_MEMORY, "out of memory for a matrix");
    matrix->by = by;
    matrix->row_of_rank = memory_new(engine->participant_count, sizeof *matrix->row_of_rank);
    RETURN_ERROR_IF(matrix->row_of_rank == NULL, status, STATUS_MEMORY,
                    "out of memory for a matrix");
    matrix->place_count = find_places(engine, by, matrix->row_of_rank);
    matrix->places_per_row =
        (matrix->place_count + REPLAY_MATRIX_PLACES - 1) / REPLAY_MATRIX_PLACES;
    if (matrix->places_per_row == 0) matrix->places_per_row = 1;
    matrix->row_count = (matrix->place_count + matrix->places_per_row - 1) / matrix->places_per_row;
    for (uint32_t rank = 0; rank < engine->participant_count; rank++)
        matrix->row_of_rank[rank] /= matrix->places_per_row;
    matrix->cells =
        memory_new((size_t)matrix->row_count * matrix->row_count, sizeof *matrix->cells);
    RETURN_ERROR_IF(matrix->cells == NULL, status, STATUS_MEMORY, "out of memory for a matrix");
    engine->is_observed = true;
    return STATUS_OK;
}

void communication_matrix_free(struct replay_engine *engine) {
    replay_matrix_free(engine->matrix);
    engine->matrix = NULL;
}

static void add_amount(atomic_ullong *sum, uint64_t amount) {
    atomic_fetch_add_explicit(sum, amount, memory_order_relaxed);
}

/* Ranks of several domains may share a cell; sums do not depend on the order of additions. */
void communication_matrix_count(struct engine_domain *domain, uint32_t from, uint32_t to,
                                uint64_t size_bytes, bool is_data) {
    struct replay_matrix *matrix = domain->engine->matrix;
    if (matrix == NULL) return;
    size_t row = matrix->row_of_rank[from], column = matrix->row_of_rank[to];
    struct replay_matrix_cell *cell = &matrix->cells[row * matrix->row_count + column];
    add_amount(is_data ? &cell->messages : &cell->control_messages, 1);
    add_amount(is_data ? &cell->bytes : &cell->control_bytes, size_bytes);
}

/* ---------------------------------------------------------------- several processes */

/* A cell with its index, as it travels between processes. */
struct packed_cell {
    uint64_t index;
    uint64_t messages, bytes, control_messages, control_bytes;
};

static void pack_cells(struct processes_packing *block, const struct replay_matrix *matrix) {
    for (size_t i = 0; i < (size_t)matrix->row_count * matrix->row_count; i++) {
        struct replay_matrix_cell *cell = &matrix->cells[i];
        const struct packed_cell packed = {i, cell->messages, cell->bytes, cell->control_messages,
                                           cell->control_bytes};
        if (packed.messages + packed.control_messages > 0)
            processes_pack(block, &packed, sizeof packed);
    }
    const struct packed_cell end = {.index = UINT64_MAX};
    processes_pack(block, &end, sizeof end);
}

static void add_cells(struct replay_matrix *matrix, struct processes_unpacking *block) {
    for (;;) {
        const struct packed_cell *packed = processes_unpack(block, sizeof *packed);
        if (packed == NULL || packed->index == UINT64_MAX) return;
        struct replay_matrix_cell *cell = &matrix->cells[packed->index];
        add_amount(&cell->messages, packed->messages);
        add_amount(&cell->bytes, packed->bytes);
        add_amount(&cell->control_messages, packed->control_messages);
        add_amount(&cell->control_bytes, packed->control_bytes);
    }
}

status_code communication_matrix_gather(struct replay_engine *engine, struct status *status) {
    struct processes *processes = engine->transport->processes;
    if (processes == NULL || engine->matrix == NULL) return STATUS_OK;
    struct processes_packing own = {0};
    struct processes_unpacking *blocks = NULL;
    const bool is_first = processes_number(processes) == 0;
    if (!is_first) pack_cells(&own, engine->matrix);
    status_code code = processes_gather(processes, &own, &blocks, status);
    for (unsigned i = 1; i < processes_count(processes) && is_first && code == STATUS_OK; i++)
        add_cells(engine->matrix, &blocks[i]);
    processes_pack_free(&own);
    free(blocks);
    return code;
}
