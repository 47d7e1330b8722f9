/*
 * Motifs that move a whole field or front through the machine: SWFFT and Kripke. docs/motifs.md has
 * their sources and formulas.
 */
#include "traces/patterns/pattern_mesh.h"

enum {
    SWFFT_EDGE = 64,
    SWFFT_BYTES = 16, /* a complex number of doubles */
    KRIPKE_EDGE = 12,
    KRIPKE_DIRECTIONS = 12, /* of each octant */
    KRIPKE_GROUPS = 64,
    KRIPKE_BYTES = 8,
    OCTANTS = 8
};

/* A grid of ranks, each with a cube of the field. */
struct pencils {
    struct pattern_mesh mesh;
    uint64_t edge; /* points or cells on a side of the cube */
};

/* Exchanges with all ranks in the rank's line along dimension d: blocks of bytes / extent. */
static void redistribute(struct pattern_rank *rank, const struct pencils *pencils, unsigned d,
                         uint64_t bytes, int32_t tag) {
    uint32_t extent = pencils->mesh.extents[d], stride = 1;
    for (unsigned k = 0; k < d; k++)
        stride *= pencils->mesh.extents[k];
    uint32_t me = rank->rank / stride % extent, first = rank->rank - me * stride;
    for (uint32_t i = 1; i < extent; i++)
        pattern_irecv(rank, first + (me + extent - i) % extent * stride, tag, bytes / extent);
    for (uint32_t i = 1; i < extent; i++)
        pattern_isend(rank, first + (me + i) % extent * stride, tag, bytes / extent);
    pattern_waitall(rank);
}

/* Forward and backward transform: in each dimension from cubes to pencils and back. */
static void swfft(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    const struct pencils *pencils = context;
    uint64_t bytes = pencils->edge * pencils->edge * pencils->edge * SWFFT_BYTES;
    for (unsigned i = 0; i < 6; i++) {
        unsigned d = i < 3 ? i : 5 - i;
        redistribute(rank, pencils, d, bytes, 0);
        pattern_compute_part(rank, i, 6);
        redistribute(rank, pencils, d, bytes, 1);
    }
}

status_code pattern_build_swfft(const struct traces_pattern_config *config,
                                struct program_builder *builder, struct status *status) {
    struct pencils pencils = {.mesh = pattern_mesh_new(config->rank_count, 3, false),
                              .edge = pattern_mesh_edge(config, SWFFT_EDGE)};
    uint64_t partners = 0;
    for (unsigned d = 0; d < 3; d++)
        partners += pencils.mesh.extents[d] - 1;
    struct pattern_plan plan = {.body = swfft,
                                .context = &pencils,
                                /* four times with each partner; and waits and computations */
                                .operations_per_iteration =
                                    partners * 4 * 2 * PATTERN_POST_OPERATIONS + 60,
                                .own_compute = true};
    return pattern_run(config, builder, &plan, status);
}

/* A sweep over all directions: for each octant a rank receives its upstream faces, computes, and
 * sends its downstream faces. */
static void kripke(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    const struct pencils *pencils = context;
    uint64_t bytes =
        pencils->edge * pencils->edge * KRIPKE_DIRECTIONS * KRIPKE_GROUPS * KRIPKE_BYTES;
    for (unsigned octant = 0; octant < OCTANTS; octant++) {
        for (unsigned d = 0; d < 3; d++) {
            int step[MESH_DIMENSIONS] = {0};
            step[d] = octant >> d & 1 ? -1 : 1;
            uint32_t source = pattern_mesh_neighbour(&pencils->mesh, rank->rank, step, -1);
            if (source != PROGRAM_NONE)
                pattern_irecv(rank, source, (int32_t)(3 * octant + d), bytes);
        }
        pattern_waitall(rank);
        pattern_compute_part(rank, octant, OCTANTS);
        for (unsigned d = 0; d < 3; d++) {
            int step[MESH_DIMENSIONS] = {0};
            step[d] = octant >> d & 1 ? -1 : 1;
            uint32_t destination = pattern_mesh_neighbour(&pencils->mesh, rank->rank, step, 1);
            if (destination != PROGRAM_NONE)
                pattern_isend(rank, destination, (int32_t)(3 * octant + d), bytes);
        }
        pattern_waitall(rank);
    }
}

status_code pattern_build_kripke(const struct traces_pattern_config *config,
                                 struct program_builder *builder, struct status *status) {
    struct pencils pencils = {.mesh = pattern_mesh_new(config->rank_count, 3, false),
                              .edge = pattern_mesh_edge(config, KRIPKE_EDGE)};
    struct pattern_plan plan = {.body = kripke,
                                .context = &pencils,
                                /* six messages, two waits, a computation; and some room */
                                .operations_per_iteration = UINT64_C(30) * OCTANTS,
                                .own_compute = true};
    return pattern_run(config, builder, &plan, status);
}
