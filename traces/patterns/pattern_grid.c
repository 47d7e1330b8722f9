/*
 * Patterns on a 2-D process grid: sweep3d and fft3d. Rank = x + extent_x * y.
 */
#include "core/memory/memory.h"
#include "traces/patterns/pattern_parts.h"

#include <stdlib.h>

enum {
    SWEEP_OCTANTS = 8,
    SWEEP_BLOCKS = 4, /* of an octant */
    /* of a block: two receives, two sends and a computation */
    SWEEP_OPERATIONS = 4 * PATTERN_BLOCKING_OPERATIONS + 1,
    FFT_TRANSPOSES = 4,
    /* each time a collective and a computation */
    FFT_OPERATIONS = FFT_TRANSPOSES * (PATTERN_COLLECTIVE_OPERATIONS + 1)
};

/* A grid of ranks. */
struct grid {
    uint32_t extents[2];
    uint32_t *communicators; /* fft3d: the communicators of the rows, then of the columns */
};

/* Returns the neighbour one step away; PROGRAM_NONE at the border. */
static uint32_t neighbour_at(const struct grid *grid, uint32_t rank, unsigned dimension, bool up) {
    uint32_t extent = grid->extents[dimension];
    uint32_t stride = dimension == 0 ? 1 : grid->extents[0];
    uint32_t coordinate = rank / stride % extent;
    if (up) return coordinate + 1 < extent ? rank + stride : PROGRAM_NONE;
    return coordinate > 0 ? rank - stride : PROGRAM_NONE;
}

/* Koch-Baker-Alcouffe sweep: for each block, a rank receives from its upstream neighbours in x and
 * y, computes, and sends to its downstream neighbours, so a wavefront crosses the grid. The octants
 * start from each corner twice. */
static void sweep(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    const struct grid *grid = context;
    unsigned part = 0;
    for (unsigned octant = 0; octant < SWEEP_OCTANTS; octant++) {
        const bool up[2] = {(octant & 2) == 0, (octant & 4) == 0};
        for (unsigned block = 0; block < SWEEP_BLOCKS; block++, part++) {
            for (unsigned d = 0; d < 2; d++) {
                uint32_t source = neighbour_at(grid, rank->rank, d, !up[d]);
                if (source != PROGRAM_NONE)
                    pattern_recv(rank, source, (int32_t)d, rank->config->size_bytes);
            }
            pattern_compute_part(rank, part, SWEEP_OCTANTS * SWEEP_BLOCKS);
            for (unsigned d = 0; d < 2; d++) {
                uint32_t destination = neighbour_at(grid, rank->rank, d, up[d]);
                if (destination != PROGRAM_NONE)
                    pattern_send(rank, destination, (int32_t)d, rank->config->size_bytes);
            }
        }
    }
}

status_code pattern_build_sweep3d(const struct traces_pattern_config *config,
                                  struct program_builder *builder, struct status *status) {
    struct grid grid = {.communicators = NULL};
    pattern_grid(config->rank_count, 2, grid.extents);
    struct pattern_plan plan = {.body = sweep,
                                .context = &grid,
                                .operations_per_iteration =
                                    (uint64_t)SWEEP_OCTANTS * SWEEP_BLOCKS * SWEEP_OPERATIONS,
                                .own_compute = true};
    return pattern_run(config, builder, &plan, status);
}

/* Returns the communicator of the rank's row (dimension 0) or column (dimension 1). */
static uint32_t grid_communicator(const void *context, uint32_t rank, uint32_t dimension) {
    const struct grid *grid = context;
    uint32_t x = rank % grid->extents[0], y = rank / grid->extents[0];
    return grid->communicators[dimension == 0 ? y : grid->extents[1] + x];
}

/* FFT in pencils along x, y and z: a transpose within the row, one within the column, and the same
 * two in reverse order. A quarter of the computation comes before each transpose. */
static void transform(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    static const uint32_t dimensions[FFT_TRANSPOSES] = {0, 1, 1, 0};
    for (unsigned i = 0; i < FFT_TRANSPOSES; i++) {
        pattern_compute_part(rank, i, FFT_TRANSPOSES);
        pattern_collective(rank, PATTERN_ALLTOALL, PROGRAM_COLLECTIVE_ALLTOALL,
                           grid_communicator(context, rank->rank, dimensions[i]), PROGRAM_NONE,
                           rank->config->size_bytes);
    }
}

/* Defines the communicators of all rows and columns. members: room for a row, which is the longer
 * line. */
static status_code define_lines(struct grid *grid, struct program_builder *builder,
                                uint32_t *members, struct status *status) {
    uint32_t width = grid->extents[0], height = grid->extents[1];
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            members[x] = y * width + x;
        FORWARD_IF_ERROR(builder_define_communicator(builder, "row", members, width,
                                                     &grid->communicators[y], status));
    }
    for (uint32_t x = 0; x < width; x++) {
        for (uint32_t y = 0; y < height; y++)
            members[y] = y * width + x;
        FORWARD_IF_ERROR(builder_define_communicator(builder, "column", members, height,
                                                     &grid->communicators[height + x], status));
    }
    return STATUS_OK;
}

status_code pattern_build_fft3d(const struct traces_pattern_config *config,
                                struct program_builder *builder, struct status *status) {
    struct grid grid = {.communicators = NULL};
    pattern_grid(config->rank_count, 2, grid.extents);
    size_t lines = (size_t)grid.extents[0] + grid.extents[1];
    grid.communicators = memory_new(lines, sizeof *grid.communicators);
    uint32_t *members = memory_new(grid.extents[0], sizeof *members); /* the larger extent */
    struct pattern_plan plan = {.body = transform,
                                .context = &grid,
                                .split_count = 2,
                                .split = grid_communicator,
                                .operations_per_iteration = FFT_OPERATIONS,
                                .own_compute = true};
    status_code code = grid.communicators != NULL && members != NULL
                           ? define_lines(&grid, builder, members, status)
                           : status_set(status, STATUS_MEMORY, "out of memory for a grid");
    if (code == STATUS_OK) code = pattern_run(config, builder, &plan, status);
    free(members);
    free(grid.communicators);
    return code;
}
