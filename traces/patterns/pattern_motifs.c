/*
 * Motifs of proxy applications that exchange with neighbours in three and four dimensions: LULESH,
 * Nekbone, miniFE, AMG and MILC. docs/motifs.md has their sources and formulas.
 */
#include "traces/patterns/pattern_mesh.h"

#define DOUBLE_BYTES UINT64_C(8)

/* Operations of a message that is sent and one that is received, and room for those of an iteration
 * that are not about messages: sums, waits and computations. */
enum { EXCHANGE_OPERATIONS = 2 * PATTERN_POST_OPERATIONS, OTHER_OPERATIONS = 20 };

/* A motif: its grid and the exchanges of one iteration. */
struct motif {
    struct pattern_mesh mesh;
    struct pattern_mesh_exchange exchanges[3]; /* AMG and MILC make theirs as they go */
    uint64_t edge; /* points, cells or sites on a side of a rank's cube */
};

static void append_sum(struct pattern_rank *rank) {
    pattern_collective(rank, PATTERN_ALLREDUCE, PROGRAM_COLLECTIVE_ALLREDUCE, rank->world,
                       PROGRAM_NONE, DOUBLE_BYTES);
}

static status_code build_motif(const struct traces_pattern_config *config,
                               struct program_builder *builder, pattern_body body,
                               const void *context, uint64_t operations, struct status *status) {
    struct pattern_plan plan = {.body = body,
                                .context = context,
                                .operations_per_iteration = operations,
                                .own_compute = true};
    return pattern_run(config, builder, &plan, status);
}

/* ---- LULESH: a time step ---- */

enum { LULESH_EDGE = 30 };

/* The time step's length, forces on nodes, positions and velocities of nodes, gradients of cells.
 */
static void lulesh(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    const struct motif *motif = context;
    append_sum(rank);
    for (unsigned i = 0; i < 3; i++) {
        pattern_compute_part(rank, i, 3);
        pattern_mesh_carry_out(rank, &motif->mesh, &motif->exchanges[i], (int32_t)(100 * i));
    }
}

status_code pattern_build_lulesh(const struct traces_pattern_config *config,
                                 struct program_builder *builder, struct status *status) {
    struct motif motif = {.mesh = pattern_mesh_new(config->rank_count, 3, false),
                          .edge = pattern_mesh_edge(config, LULESH_EDGE)};
    motif.exchanges[0] = pattern_mesh_cube(PATTERN_MESH_ALL, motif.edge + 1, 3 * DOUBLE_BYTES);
    motif.exchanges[1] = pattern_mesh_cube(PATTERN_MESH_HALF, motif.edge + 1, 6 * DOUBLE_BYTES);
    motif.exchanges[2] = pattern_mesh_cube(PATTERN_MESH_FACES, motif.edge, 3 * DOUBLE_BYTES);
    return build_motif(config, builder, lulesh, &motif,
                       EXCHANGE_OPERATIONS * (26 + 13 + 6) + OTHER_OPERATIONS, status);
}

/* ---- Nekbone and miniFE: an iteration of conjugate gradients ---- */

enum { NEKBONE_EDGE = 8, NEKBONE_POINTS = 10, MINIFE_EDGE = 30 };

/* The sum of rᵀz, the operator with the sums on shared points, then pᵀw and rᵀr. */
static void nekbone(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    const struct motif *motif = context;
    append_sum(rank);
    pattern_compute_part(rank, 0, 1);
    pattern_mesh_carry_out(rank, &motif->mesh, &motif->exchanges[0], 0);
    append_sum(rank);
    append_sum(rank);
}

status_code pattern_build_nekbone(const struct traces_pattern_config *config,
                                  struct program_builder *builder, struct status *status) {
    struct motif motif = {.mesh = pattern_mesh_new(config->rank_count, 3, false),
                          .edge = pattern_mesh_edge(config, NEKBONE_EDGE)};
    uint64_t points = motif.edge * (NEKBONE_POINTS - 1) + 1;
    motif.exchanges[0] = pattern_mesh_cube(PATTERN_MESH_ALL, points, DOUBLE_BYTES);
    return build_motif(config, builder, nekbone, &motif,
                       EXCHANGE_OPERATIONS * MESH_MESSAGES + OTHER_OPERATIONS, status);
}

/* The exchange of externals, the product, and the sums pᵀAp and rᵀr. */
static void minife(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    const struct motif *motif = context;
    pattern_mesh_carry_out(rank, &motif->mesh, &motif->exchanges[0], 0);
    pattern_compute_part(rank, 0, 1);
    append_sum(rank);
    append_sum(rank);
}

status_code pattern_build_minife(const struct traces_pattern_config *config,
                                 struct program_builder *builder, struct status *status) {
    struct motif motif = {.mesh = pattern_mesh_new(config->rank_count, 3, false),
                          .edge = pattern_mesh_edge(config, MINIFE_EDGE)};
    motif.exchanges[0] = pattern_mesh_cube(PATTERN_MESH_ALL, motif.edge, DOUBLE_BYTES);
    return build_motif(config, builder, minife, &motif,
                       EXCHANGE_OPERATIONS * MESH_MESSAGES + OTHER_OPERATIONS, status);
}

/* ---- AMG: a V-cycle as preconditioner of an iteration of conjugate gradients ---- */

enum {
    AMG_EDGE = 30,
    AMG_DOWN = 3,    /* exchanges of a level on the way down: relaxation, residual, restriction */
    AMG_UP = 2,      /* and on the way up: interpolation, relaxation */
    AMG_LEVELS = 48, /* at most */
    AMG_OTHER_OPERATIONS = 100 /* room for sums and computations */
};

/* A level of the multigrid. */
struct level {
    uint64_t edge;   /* points on the side of a rank's cube */
    uint32_t stride; /* ranks whose coordinates are multiples take part */
};

/* Fills in the levels and returns their number. Points are halved in each direction; where a rank
 * has one, every second rank goes on in each direction. */
static unsigned find_levels(const struct motif *motif, struct level levels[AMG_LEVELS]) {
    uint32_t max = 1;
    for (unsigned d = 0; d < 3; d++)
        if (motif->mesh.extents[d] > max) max = motif->mesh.extents[d];
    unsigned count = 0;
    struct level level = {motif->edge, 1};
    for (; count < AMG_LEVELS && (level.edge > 1 || level.stride < max); count++) {
        levels[count] = level;
        if (level.edge > 1)
            level.edge = (level.edge + 1) / 2;
        else
            level.stride *= 2;
    }
    return count;
}

/* Returns whether a rank takes part in levels of a stride. */
static bool takes_part(const struct motif *motif, uint32_t rank, uint32_t stride) {
    for (unsigned d = 0; d < 3; d++) {
        if (rank % motif->mesh.extents[d] % stride != 0) return false;
        rank /= motif->mesh.extents[d];
    }
    return true;
}

/* One exchange of a level: with the 26 neighbours at a distance of its stride. */
static void exchange_level(struct pattern_rank *rank, const struct motif *motif,
                           const struct level *level, int32_t tag) {
    struct pattern_mesh_exchange exchange =
        pattern_mesh_cube(PATTERN_MESH_ALL, level->edge, DOUBLE_BYTES);
    for (unsigned i = 0; i < exchange.count; i++)
        for (unsigned d = 0; d < 3; d++)
            exchange.messages[i].step[d] *= (int)level->stride;
    pattern_mesh_carry_out(rank, &motif->mesh, &exchange, tag);
}

/* The product and its sums, then down the levels (relaxation, residual, restriction) and up again
 * (interpolation, relaxation), and the last sum. */
static void amg(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    const struct motif *motif = context;
    struct level levels[AMG_LEVELS];
    unsigned count = find_levels(motif, levels);
    if (count > 0)
        exchange_level(rank, motif, &levels[0], 0);
    else
        pattern_compute_part(rank, 0, 1);
    append_sum(rank);
    for (unsigned i = 0; i < 2 * count; i++) {
        unsigned at = i < count ? i : 2 * count - 1 - i;
        pattern_compute_part(rank, i, 2 * count);
        if (!takes_part(motif, rank->rank, levels[at].stride)) continue;
        for (unsigned k = 0; k < (i < count ? AMG_DOWN : AMG_UP); k++)
            exchange_level(rank, motif, &levels[at], (int32_t)(100 * (i + 1)));
    }
    append_sum(rank);
    append_sum(rank);
}

status_code pattern_build_amg(const struct traces_pattern_config *config,
                              struct program_builder *builder, struct status *status) {
    struct motif motif = {.mesh = pattern_mesh_new(config->rank_count, 3, false),
                          .edge = pattern_mesh_edge(config, AMG_EDGE)};
    struct level levels[AMG_LEVELS];
    uint64_t exchanges = 1 + (uint64_t)find_levels(&motif, levels) * (AMG_DOWN + AMG_UP);
    return build_motif(config, builder, amg, &motif,
                       exchanges * EXCHANGE_OPERATIONS * MESH_MESSAGES + AMG_OTHER_OPERATIONS,
                       status);
}

/* ---- MILC: an iteration of conjugate gradients with staggered fermions ---- */

enum { MILC_EDGE = 8, MILC_VECTOR_BYTES = 48 };

/* Appends the gathers of one parity from both sides in four dimensions: from next neighbours, and
 * for the improved action from those three sites away. */
static void gather(struct pattern_rank *rank, const struct motif *motif, unsigned parity) {
    static const unsigned distances[] = {1, 3};
    const uint64_t edge = motif->edge;
    for (unsigned i = 0; i < 2; i++) {
        struct pattern_mesh_exchange exchange = {.count = 8};
        uint64_t sites = edge * edge * edge * distances[i];
        for (unsigned d = 0; d < 8; d++) {
            exchange.messages[d] =
                (struct pattern_mesh_message){.bytes = (sites + parity) / 2 * MILC_VECTOR_BYTES};
            exchange.messages[d].step[d / 2] = d % 2 == 0 ? 1 : -1;
        }
        pattern_mesh_carry_out(rank, &motif->mesh, &exchange, (int32_t)(100 * (2 * parity + i)));
    }
}

static void milc(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    for (unsigned parity = 0; parity < 2; parity++) {
        gather(rank, context, parity);
        pattern_compute_part(rank, parity, 2);
    }
    append_sum(rank);
    append_sum(rank);
}

status_code pattern_build_milc(const struct traces_pattern_config *config,
                               struct program_builder *builder, struct status *status) {
    struct motif motif = {.mesh = pattern_mesh_new(config->rank_count, 4, true),
                          .edge = pattern_mesh_edge(config, MILC_EDGE)};
    RETURN_ERROR_IF(motif.edge < 3, status, STATUS_USAGE,
                    "milc needs 3 sites or more on each side of a rank (generate.edge), not %u",
                    config->edge);
    /* two parities with two distances each, in 8 directions */
    return build_motif(config, builder, milc, &motif,
                       4 * EXCHANGE_OPERATIONS * 8 + OTHER_OPERATIONS, status);
}
