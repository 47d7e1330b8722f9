/*
 * Neighbour exchange on process grids: halo2d and halo3d. Rank = x + extent_x * (y + extent_y * z).
 * The grids are periodic. A dimension with one process has no exchange: its halo is a copy in
 * memory.
 */
#include "traces/patterns/pattern_parts.h"

/* A direction in which data travel. The tag of its messages is the direction's number. */
struct direction {
    int step[3];
    uint64_t bytes;
};

/* A grid of ranks and the directions of its exchange. */
struct stencil {
    uint32_t extents[3];
    struct direction directions[26]; /* in three dimensions there are as many */
    unsigned direction_count;
};

/* Returns the rank to which `sign` times a step leads. */
static uint32_t neighbour(const struct stencil *stencil, uint32_t rank, const int step[3],
                          int sign) {
    uint32_t coordinates[3], result = 0;
    for (unsigned d = 0; d < 3; d++) {
        coordinates[d] = rank % stencil->extents[d];
        rank /= stencil->extents[d];
    }
    for (unsigned d = 3; d-- > 0;) {
        uint32_t extent = stencil->extents[d];
        uint32_t moved = coordinates[d] + extent + (uint32_t)(sign * step[d]);
        result = result * extent + moved % extent;
    }
    return result;
}

/* Posts all receives, then all sends, and waits for all of them. */
static void exchange_faces(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    const struct stencil *stencil = context;
    for (unsigned i = 0; i < stencil->direction_count; i++) {
        const struct direction *direction = &stencil->directions[i];
        uint32_t source = neighbour(stencil, rank->rank, direction->step, -1);
        pattern_irecv(rank, source, (int32_t)i, direction->bytes);
    }
    for (unsigned i = 0; i < stencil->direction_count; i++) {
        const struct direction *direction = &stencil->directions[i];
        uint32_t destination = neighbour(stencil, rank->rank, direction->step, 1);
        pattern_isend(rank, destination, (int32_t)i, direction->bytes);
    }
    pattern_waitall(rank);
}

static status_code build_stencil(const struct stencil *stencil,
                                 const struct traces_pattern_config *config,
                                 struct program_builder *builder, struct status *status) {
    struct pattern_plan plan = {.body = exchange_faces,
                                .context = stencil,
                                .operations_per_iteration =
                                    2 * PATTERN_POST_OPERATIONS * stencil->direction_count +
                                    PATTERN_WAIT_OPERATIONS};
    return pattern_run(config, builder, &plan, status);
}

/* Adds a direction unless it leads along a dimension with one process. */
static void add_direction(struct stencil *stencil, int x, int y, int z, uint64_t bytes) {
    const int step[3] = {x, y, z};
    for (unsigned d = 0; d < 3; d++)
        if (step[d] != 0 && stencil->extents[d] == 1) return;
    stencil->directions[stencil->direction_count++] = (struct direction){{x, y, z}, bytes};
}

status_code pattern_build_halo2d(const struct traces_pattern_config *config,
                                 struct program_builder *builder, struct status *status) {
    struct stencil stencil = {.extents = {1, 1, 1}};
    pattern_grid(config->rank_count, 2, stencil.extents);
    add_direction(&stencil, -1, 0, 0, config->size_bytes);
    add_direction(&stencil, 1, 0, 0, config->size_bytes);
    add_direction(&stencil, 0, -1, 0, config->size_bytes);
    add_direction(&stencil, 0, 1, 0, config->size_bytes);
    return build_stencil(&stencil, config, builder, status);
}

status_code pattern_build_halo3d(const struct traces_pattern_config *config,
                                 struct program_builder *builder, struct status *status) {
    RETURN_ERROR_IF(config->neighbours != 6 && config->neighbours != 26, status, STATUS_USAGE,
                    "halo3d has 6 or 26 neighbours, not %u", config->neighbours);
    struct stencil stencil = {.extents = {1, 1, 1}};
    pattern_grid(config->rank_count, 3, stencil.extents);
    uint64_t face = config->size_bytes;
    const uint64_t cell = 8; /* bytes */
    uint64_t edge = cell * pattern_square_root(face / cell), corner = face < cell ? face : cell;
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                int distance = x * x + y * y + z * z;
                if (distance == 0 || (config->neighbours == 6 && distance > 1)) continue;
                add_direction(&stencil, x, y, z,
                              distance == 1   ? face
                              : distance == 2 ? edge
                                              : corner);
            }
    return build_stencil(&stencil, config, builder, status);
}
