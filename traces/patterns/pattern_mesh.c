/* Finds the neighbours of ranks in process grids, and appends the sends and receives of one
 * exchange to a program. */
#include "traces/patterns/pattern_mesh.h"

struct pattern_mesh pattern_mesh_new(uint32_t count, unsigned dimensions, bool is_periodic) {
    struct pattern_mesh mesh = {
        .extents = {1, 1, 1, 1}, .dimensions = dimensions, .is_periodic = is_periodic};
    pattern_grid(count, dimensions, mesh.extents);
    return mesh;
}

uint32_t pattern_mesh_neighbour(const struct pattern_mesh *mesh, uint32_t rank,
                                const int step[MESH_DIMENSIONS], int sign) {
    uint32_t moved[MESH_DIMENSIONS], result = 0;
    bool moves = false;
    for (unsigned d = 0; d < mesh->dimensions; d++) {
        int64_t extent = mesh->extents[d], at = rank % extent, to = at + (int64_t)sign * step[d];
        rank /= mesh->extents[d];
        if (step[d] != 0 && extent == 1) return PROGRAM_NONE;
        if ((to < 0 || to >= extent) && !mesh->is_periodic) return PROGRAM_NONE;
        moved[d] = (uint32_t)(((to % extent) + extent) % extent);
        moves |= moved[d] != at;
    }
    for (unsigned d = mesh->dimensions; d-- > 0;)
        result = result * mesh->extents[d] + moved[d];
    return moves ? result : PROGRAM_NONE;
}

struct pattern_mesh_exchange pattern_mesh_cube(pattern_mesh_part part, uint64_t points,
                                               uint64_t point_bytes) {
    struct pattern_mesh_exchange exchange = {.count = 0};
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                int distance = x * x + y * y + z * z;
                bool is_lower = z < 0 || (z == 0 && (y < 0 || (y == 0 && x < 0)));
                if (distance == 0 || (part == PATTERN_MESH_FACES && distance > 1)) continue;
                if (part == PATTERN_MESH_HALF && !is_lower) continue;
                uint64_t shared = distance == 1 ? points * points : distance == 2 ? points : 1;
                exchange.messages[exchange.count++] =
                    (struct pattern_mesh_message){{x, y, z, 0}, shared * point_bytes};
            }
    return exchange;
}

void pattern_mesh_carry_out(struct pattern_rank *rank, const struct pattern_mesh *mesh,
                            const struct pattern_mesh_exchange *exchange, int32_t tag) {
    for (unsigned i = 0; i < exchange->count; i++) {
        const struct pattern_mesh_message *message = &exchange->messages[i];
        uint32_t source = pattern_mesh_neighbour(mesh, rank->rank, message->step, -1);
        if (source != PROGRAM_NONE) pattern_irecv(rank, source, tag + (int32_t)i, message->bytes);
    }
    for (unsigned i = 0; i < exchange->count; i++) {
        const struct pattern_mesh_message *message = &exchange->messages[i];
        uint32_t destination = pattern_mesh_neighbour(mesh, rank->rank, message->step, 1);
        if (destination != PROGRAM_NONE)
            pattern_isend(rank, destination, tag + (int32_t)i, message->bytes);
    }
    pattern_waitall(rank);
}

uint64_t pattern_mesh_edge(const struct traces_pattern_config *config, uint64_t published) {
    return config->edge > 0 ? config->edge : published;
}
