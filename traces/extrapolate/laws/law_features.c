/*
 * The table of features: what a size, a count or a time may depend on. The value of a feature at a
 * place is an exact fraction, or does not exist, such as the square root of 8.
 */
#include "traces/extrapolate/laws/law_features.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/law_roots.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"

#include <stdio.h>
#include <string.h>

/* What a feature needs besides the number of ranks and the rank. */
typedef enum feature_needs {
    NEEDS_NOTHING,
    NEEDS_GRID,         /* an extent or a coordinate of a grid */
    NEEDS_LEVEL,        /* an iteration */
    NEEDS_CASE,         /* an iteration; the value is 0 or 1 */
    NEEDS_TURN,         /* an iteration and an extent */
    NEEDS_BLOCKS,       /* an iteration, an extent and a coordinate */
    NEEDS_DIVISOR,      /* one of `divisors` */
    NEEDS_RARE_DIVISOR, /* one of `rare_divisors` */
    NEEDS_RADIX         /* one of `radices` */
} feature_needs;

/* What the number of ranks is divided by. */
static const uint8_t divisors[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
static const uint8_t rare_divisors[] = {5, 7, 9, 10, 20}; /* of alternatives */
static const uint8_t radices[] = {3, 4, 5, 6, 7, 8};      /* of k-nomial trees */

/* What the value of a feature follows from. */
struct feature_context {
    const struct series_place *place;
    uint32_t extent, coordinate; /* of the feature's dimension */
    uint32_t index, trips;       /* of the feature's loop */
    uint32_t divisor;            /* divisor or radix */
};

/* Sets a fraction. Returns whether it exists. */
static bool set(int64_t *over, int64_t *under, int64_t top, int64_t bottom) {
    *over = top;
    *under = bottom;
    return bottom != 0;
}

/* Returns how many ranks a rank sends to in a binomial tree whose root is rank 0: the powers of two
 * below its lowest 1 bit, as far as there are such ranks. */
static int64_t tree_children(uint32_t ranks, uint32_t rank) {
    int64_t count = 0;
    for (uint64_t bit = 1; (rank & bit) == 0 && rank + bit < ranks; bit *= 2)
        count++;
    return count;
}

/* Returns the same in a doubling tree, in which all ranks that have the message send in each round:
 * to those that are a power of two above the rank's highest 1 bit away. */
static int64_t doubling_children(uint32_t ranks, uint32_t rank) {
    int64_t count = 0;
    for (uint64_t bit = 1; rank + bit < ranks; bit *= 2)
        count += bit > rank;
    return count;
}

/* Returns in how many rounds of doubling a rank has ranks at the distance of the round on both
 * sides.
 */
static int64_t rounds_both(uint32_t ranks, uint32_t rank) {
    const int below = law_number_bits(rank), above = law_number_bits(ranks - 1 - rank);
    return below < above ? below : above;
}

/* Returns in how many rounds of doubling a rank has one on one side only. */
static int64_t rounds_one(uint32_t ranks, uint32_t rank) {
    const int below = law_number_bits(rank), above = law_number_bits(ranks - 1 - rank);
    return below < above ? above - below : below - above;
}

/* Returns the largest power of two that is not above the number of ranks. */
static int64_t power_below(uint32_t ranks) {
    return INT64_C(1) << law_number_log2(ranks);
}

static int64_t least(int64_t left, int64_t right) {
    return left < right ? left : right;
}

/* Returns the smallest power of two that is not below the number of ranks. */
static int64_t power_above(uint32_t ranks) {
    return power_below(ranks) << !law_number_is_power(ranks);
}

#define FEATURE(name, top, bottom)                                                                 \
    static bool name(const struct feature_context *c, int64_t *over, int64_t *under) {             \
        return set(over, under, (top), (bottom));                                                  \
    }
#define RANKS       ((int64_t)c->place->ranks)
#define SQUARE_ROOT law_number_exact_root(c->place->ranks, 2)
#define CUBE_ROOT   law_number_exact_root(c->place->ranks, 3)
#define LOGARITHM   law_number_log2(c->place->ranks)
#define ROOT_BELOW  ((int64_t)law_number_root(c->place->ranks, 2))
#define CUBE_BELOW  ((int64_t)law_number_root(c->place->ranks, 3))
FEATURE(ranks, RANKS, 1)
FEATURE(one_per_rank, 1, RANKS)
FEATURE(one_per_square, 1, RANKS *RANKS)
FEATURE(square, RANKS *RANKS, 1)
FEATURE(one_per_other_rank, 1, RANKS - 1)
FEATURE(ranks_by_logarithm, RANKS *LOGARITHM, 1)
FEATURE(logarithm_per_rank, LOGARITHM, RANKS)
FEATURE(logarithm_below, LOGARITHM, 1)
FEATURE(logarithm_above, LOGARITHM + !law_number_is_power(RANKS), 1)
FEATURE(half, RANKS / 2, 1)
FEATURE(square_root, SQUARE_ROOT, SQUARE_ROOT > 0)
FEATURE(one_per_square_root, 1, SQUARE_ROOT)
FEATURE(cube_root, CUBE_ROOT, CUBE_ROOT > 0)
FEATURE(one_per_cube_root, 1, CUBE_ROOT)
FEATURE(surface, CUBE_ROOT *CUBE_ROOT, CUBE_ROOT > 0)
FEATURE(one_per_surface, 1, CUBE_ROOT *CUBE_ROOT)
FEATURE(extent, c->extent, 1)
FEATURE(one_per_extent, 1, (int64_t)c->extent)
FEATURE(rest, RANKS / c->extent, 1)
FEATURE(one_per_rest, c->extent, RANKS)
FEATURE(one_per_product, 1, RANKS * c->extent)
FEATURE(logarithm_of_extent, law_number_log2(c->extent), 1)
FEATURE(coordinate, c->coordinate, 1)
FEATURE(behind, (int64_t)c->extent - 1 - c->coordinate, 1)
FEATURE(children, tree_children(c->place->ranks, c->place->rank), 1)
FEATURE(later_children, doubling_children(c->place->ranks, c->place->rank), 1)
FEATURE(both_sides, rounds_both(c->place->ranks, c->place->rank), 1)
FEATURE(one_side, rounds_one(c->place->ranks, c->place->rank), 1)
FEATURE(square_root_below, ROOT_BELOW, 1)
FEATURE(square_root_above, ROOT_BELOW + (SQUARE_ROOT == 0), 1)
FEATURE(cube_root_below, CUBE_BELOW, 1)
FEATURE(one_per_square_root_below, 1, ROOT_BELOW)
FEATURE(one_per_cube_root_below, 1, CUBE_BELOW)
FEATURE(surface_below, CUBE_BELOW *CUBE_BELOW, 1)
FEATURE(one_per_surface_below, 1, CUBE_BELOW *CUBE_BELOW)
FEATURE(square_of_logarithm, LOGARITHM *LOGARITHM, 1)
FEATURE(sum_of_logarithms, LOGARITHM *(LOGARITHM + 1) / 2, 1)
FEATURE(power, power_below(c->place->ranks), 1)
FEATURE(one_per_power_below, 1, power_below(c->place->ranks))
FEATURE(power_not_below, power_above(c->place->ranks), 1)
FEATURE(one_per_power_above, 1, power_above(c->place->ranks))
FEATURE(ranks_by_root, RANKS *ROOT_BELOW, 1)
FEATURE(part_of_tree, law_tree_size(RANKS, c->place->rank), 1)
FEATURE(tree_children_of, law_tree_child_count(RANKS, c->place->rank, c->divisor), 1)
#define ROUND       (c->index % law_number_rounds(RANKS))
#define UP_AND_DOWN law_round_up_and_down(c->index, law_number_rounds(power_below(c->place->ranks)))
FEATURE(blocks_of_bit, law_round_blocks(RANKS, ROUND), 1)
FEATURE(blocks_of_round, least(INT64_C(1) << ROUND, RANKS - (INT64_C(1) << ROUND)), 1)
FEATURE(power_and_back, INT64_C(1) << UP_AND_DOWN, 1)
FEATURE(one_per_power_and_back, 1, INT64_C(1) << UP_AND_DOWN)
FEATURE(blocks_per_rank, law_round_blocks(RANKS, ROUND), RANKS)
FEATURE(round_per_rank, least(INT64_C(1) << ROUND, RANKS - (INT64_C(1) << ROUND)), RANKS)
FEATURE(divided_below, RANKS / c->divisor, 1)
FEATURE(divided_above, (RANKS + c->divisor - 1) / c->divisor, 1)
#define OTHERS (RANKS > 1 ? RANKS - 1 : 1)
FEATURE(iteration, c->index, 1)
FEATURE(iteration_modulo, c->index % c->place->ranks, 1)
FEATURE(iteration_modulo_others, c->index % OTHERS, 1)
FEATURE(iteration_modulo_extent, c->index % c->extent, 1)
/* How many of the iterations from the current one on belong to the rank's coordinate. The current
 * one belongs to coordinate 0, the next one to coordinate 1, and so on, modulo the extent. */
#define BLOCKS_LEFT (((int64_t)c->trips - 1 - c->index - c->coordinate + c->extent) / c->extent)
FEATURE(blocks_left, BLOCKS_LEFT, 1)
FEATURE(blocks_behind, BLOCKS_LEFT - (c->coordinate == 0), 1)
FEATURE(first, c->index == 0, 1)
FEATURE(last, c->index + 1 == c->trips, 1)
FEATURE(first_of_rounds, c->index % law_number_rounds(RANKS) == 0, 1)
FEATURE(last_of_rounds, (c->index + 1) % law_number_rounds(RANKS) == 0, 1)
FEATURE(first_of_full_rounds, c->index % (LOGARITHM > 0 ? LOGARITHM : 1) == 0, 1)
FEATURE(last_of_full_rounds, (c->index + 1) % (LOGARITHM > 0 ? LOGARITHM : 1) == 0, 1)
FEATURE(first_of_others, c->index % OTHERS == 0, 1)
FEATURE(last_of_others, (c->index + 1) % OTHERS == 0, 1)
FEATURE(iterations_left, (int64_t)c->trips - 1 - c->index, 1)
FEATURE(power_of_iteration, c->index < 40 ? (int64_t)1 << c->index : 0, c->index < 40)
FEATURE(power_of_rest, c->trips - 1 - c->index < 40 ? (int64_t)1 << (c->trips - 1 - c->index) : 0,
        c->trips - 1 - c->index < 40)
FEATURE(one_per_power, 1, c->index < 40 ? (int64_t)1 << c->index : 0)
FEATURE(one_per_power_of_rest, 1,
        c->trips - 1 - c->index < 40 ? (int64_t)1 << (c->trips - 1 - c->index) : 0)

static const struct {
    bool (*value)(const struct feature_context *context, int64_t *over, int64_t *under);
    const char *text; /* #: the divisor or radix */
    feature_needs needs;
    bool is_of_program; /* the same for all ranks and iterations of a program */
    law_feature_rank rank;
} rows[] = {
    {ranks, "P", NEEDS_NOTHING, true, LAW_FEATURE_PLAIN},
    {one_per_rank, "1/P", NEEDS_NOTHING, true, LAW_FEATURE_PLAIN},
    {one_per_square, "1/P^2", NEEDS_NOTHING, true, LAW_FEATURE_PLAIN},
    {square, "P^2", NEEDS_NOTHING, true, LAW_FEATURE_PLAIN},
    {one_per_other_rank, "1/(P - 1)", NEEDS_NOTHING, true, LAW_FEATURE_PLAIN},
    {logarithm_below, "floor(log2 P)", NEEDS_NOTHING, true, LAW_FEATURE_ROUNDED},
    {logarithm_above, "ceil(log2 P)", NEEDS_NOTHING, true, LAW_FEATURE_ROUNDED},
    {square_root, "sqrt P", NEEDS_NOTHING, true, LAW_FEATURE_PLAIN},
    {one_per_square_root, "1/sqrt P", NEEDS_NOTHING, true, LAW_FEATURE_PLAIN},
    {cube_root, "P^(1/3)", NEEDS_NOTHING, true, LAW_FEATURE_PLAIN},
    {one_per_cube_root, "1/P^(1/3)", NEEDS_NOTHING, true, LAW_FEATURE_PLAIN},
    {surface, "P^(2/3)", NEEDS_NOTHING, true, LAW_FEATURE_PLAIN},
    {one_per_surface, "1/P^(2/3)", NEEDS_NOTHING, true, LAW_FEATURE_PLAIN},
    {extent, "extent", NEEDS_GRID, true, LAW_FEATURE_PLAIN},
    {one_per_extent, "1/extent", NEEDS_GRID, true, LAW_FEATURE_PLAIN},
    {rest, "P/extent", NEEDS_GRID, true, LAW_FEATURE_PLAIN},
    {one_per_rest, "extent/P", NEEDS_GRID, true, LAW_FEATURE_PLAIN},
    {one_per_product, "1/(P extent)", NEEDS_GRID, true, LAW_FEATURE_PLAIN},
    {half, "floor(P/2)", NEEDS_NOTHING, true, LAW_FEATURE_ROUNDED},
    {logarithm_of_extent, "floor(log2 extent)", NEEDS_GRID, true, LAW_FEATURE_ROUNDED},
    {coordinate, "coordinate", NEEDS_GRID, false, LAW_FEATURE_PLAIN},
    {behind, "extent - 1 - coordinate", NEEDS_GRID, false, LAW_FEATURE_PLAIN},
    {square_root_below, "floor(sqrt P)", NEEDS_NOTHING, true, LAW_FEATURE_ROUNDED},
    {square_root_above, "ceil(sqrt P)", NEEDS_NOTHING, true, LAW_FEATURE_STEP},
    {cube_root_below, "floor(P^(1/3))", NEEDS_NOTHING, true, LAW_FEATURE_STEP},
    {divided_below, "floor(P/#)", NEEDS_DIVISOR, true, LAW_FEATURE_STEP},
    {divided_above, "ceil(P/#)", NEEDS_DIVISOR, true, LAW_FEATURE_STEP},
    {ranks_by_logarithm, "P x floor(log2 P)", NEEDS_NOTHING, true, LAW_FEATURE_STEP},
    {logarithm_per_rank, "floor(log2 P)/P", NEEDS_NOTHING, true, LAW_FEATURE_STEP},
    {one_per_square_root_below, "1/floor(sqrt P)", NEEDS_NOTHING, true, LAW_FEATURE_ALTERNATIVE},
    {one_per_cube_root_below, "1/floor(P^(1/3))", NEEDS_NOTHING, true, LAW_FEATURE_ALTERNATIVE},
    {surface_below, "floor(P^(1/3))^2", NEEDS_NOTHING, true, LAW_FEATURE_ALTERNATIVE},
    {one_per_surface_below, "1/floor(P^(1/3))^2", NEEDS_NOTHING, true, LAW_FEATURE_ALTERNATIVE},
    {square_of_logarithm, "floor(log2 P)^2", NEEDS_NOTHING, true, LAW_FEATURE_ALTERNATIVE},
    {sum_of_logarithms, "(1 + ... + floor(log2 P))", NEEDS_NOTHING, true, LAW_FEATURE_STEP},
    {power, "2^floor(log2 P)", NEEDS_NOTHING, true, LAW_FEATURE_ALTERNATIVE},
    {one_per_power_below, "1/2^floor(log2 P)", NEEDS_NOTHING, true, LAW_FEATURE_ALTERNATIVE},
    {power_not_below, "2^ceil(log2 P)", NEEDS_NOTHING, true, LAW_FEATURE_ALTERNATIVE},
    {one_per_power_above, "1/2^ceil(log2 P)", NEEDS_NOTHING, true, LAW_FEATURE_ALTERNATIVE},
    {ranks_by_root, "P x floor(sqrt P)", NEEDS_NOTHING, true, LAW_FEATURE_ALTERNATIVE},
    {divided_below, "floor(P/#)", NEEDS_RARE_DIVISOR, true, LAW_FEATURE_ALTERNATIVE},
    {divided_above, "ceil(P/#)", NEEDS_RARE_DIVISOR, true, LAW_FEATURE_ALTERNATIVE},
    {children, "children in a binomial tree", NEEDS_NOTHING, false, LAW_FEATURE_PLAIN},
    {later_children, "children in a doubling tree", NEEDS_NOTHING, false, LAW_FEATURE_PLAIN},
    {both_sides, "rounds of doubling with ranks on both sides", NEEDS_NOTHING, false,
     LAW_FEATURE_PLAIN},
    {one_side, "rounds of doubling with ranks on one side", NEEDS_NOTHING, false,
     LAW_FEATURE_PLAIN},
    {part_of_tree, "ranks in the part of a binomial tree", NEEDS_NOTHING, false, LAW_FEATURE_STEP},
    {tree_children_of, "children in a #-nomial tree", NEEDS_RADIX, false, LAW_FEATURE_STEP},
    {iteration_modulo, "iteration modulo P", NEEDS_LEVEL, false, LAW_FEATURE_PLAIN},
    {iteration_modulo_others, "iteration modulo (P - 1)", NEEDS_LEVEL, false, LAW_FEATURE_STEP},
    {iteration_modulo_extent, "iteration modulo extent", NEEDS_TURN, false, LAW_FEATURE_STEP},
    {blocks_left, "iterations of the coordinate from this one on", NEEDS_BLOCKS, false,
     LAW_FEATURE_STEP},
    {blocks_behind, "iterations of the coordinate behind this one", NEEDS_BLOCKS, false,
     LAW_FEATURE_STEP},
    {first, "in the first iteration", NEEDS_CASE, false, LAW_FEATURE_PLAIN},
    {last, "in the last iteration", NEEDS_CASE, false, LAW_FEATURE_PLAIN},
    {first_of_rounds, "in the first of each ceil(log2 P) iterations", NEEDS_CASE, false,
     LAW_FEATURE_STEP},
    {last_of_rounds, "in the last of each ceil(log2 P) iterations", NEEDS_CASE, false,
     LAW_FEATURE_STEP},
    {first_of_full_rounds, "in the first of each floor(log2 P) iterations", NEEDS_CASE, false,
     LAW_FEATURE_STEP},
    {last_of_full_rounds, "in the last of each floor(log2 P) iterations", NEEDS_CASE, false,
     LAW_FEATURE_STEP},
    {first_of_others, "in the first of each P - 1 iterations", NEEDS_CASE, false, LAW_FEATURE_STEP},
    {last_of_others, "in the last of each P - 1 iterations", NEEDS_CASE, false, LAW_FEATURE_STEP},
    {iteration, "iteration", NEEDS_LEVEL, false, LAW_FEATURE_PLAIN},
    {iterations_left, "iterations left", NEEDS_LEVEL, false, LAW_FEATURE_PLAIN},
    {power_of_iteration, "2^iteration", NEEDS_LEVEL, false, LAW_FEATURE_PLAIN},
    {power_of_rest, "2^(iterations left)", NEEDS_LEVEL, false, LAW_FEATURE_PLAIN},
    {one_per_power, "1/2^iteration", NEEDS_LEVEL, false, LAW_FEATURE_PLAIN},
    {one_per_power_of_rest, "1/2^(iterations left)", NEEDS_LEVEL, false, LAW_FEATURE_PLAIN},
    {blocks_of_bit, "numbers below P with the bit of the iteration", NEEDS_LEVEL, false,
     LAW_FEATURE_STEP},
    {blocks_of_round, "min(2^iteration, P - 2^iteration)", NEEDS_LEVEL, false, LAW_FEATURE_STEP},
    {blocks_per_rank, "numbers below P with the bit of the iteration, per rank", NEEDS_LEVEL, false,
     LAW_FEATURE_STEP},
    {round_per_rank, "min(2^iteration, P - 2^iteration)/P", NEEDS_LEVEL, false, LAW_FEATURE_STEP},
    {power_and_back, "2^iteration and back", NEEDS_LEVEL, false, LAW_FEATURE_STEP},
    {one_per_power_and_back, "1/2^iteration and back", NEEDS_LEVEL, false, LAW_FEATURE_STEP},
};

uint32_t law_feature_rows(void) {
    return sizeof rows / sizeof *rows;
}

bool law_feature_needs_grid(uint32_t row) {
    return rows[row].needs == NEEDS_GRID || rows[row].needs == NEEDS_TURN ||
           rows[row].needs == NEEDS_BLOCKS;
}

bool law_feature_needs_level(uint32_t row) {
    return rows[row].needs == NEEDS_LEVEL || rows[row].needs == NEEDS_CASE ||
           rows[row].needs == NEEDS_TURN || rows[row].needs == NEEDS_BLOCKS;
}

bool law_feature_is_of_blocks(uint32_t row) {
    return rows[row].needs == NEEDS_BLOCKS;
}

uint32_t law_feature_divisors(uint32_t row) {
    return rows[row].needs == NEEDS_DIVISOR        ? (uint32_t)sizeof divisors
           : rows[row].needs == NEEDS_RARE_DIVISOR ? (uint32_t)sizeof rare_divisors
           : rows[row].needs == NEEDS_RADIX        ? (uint32_t)sizeof radices
                                                   : 0;
}

static uint32_t divisor_of(const struct series_feature *feature) {
    return rows[feature->row].needs == NEEDS_DIVISOR ? divisors[feature->divisor]
           : rows[feature->row].needs == NEEDS_RADIX ? radices[feature->divisor]
                                                     : rare_divisors[feature->divisor];
}

bool law_feature_may_have_offset(uint32_t row) {
    return rows[row].rank < LAW_FEATURE_STEP || rows[row].needs == NEEDS_DIVISOR ||
           rows[row].needs == NEEDS_CASE || rows[row].needs == NEEDS_BLOCKS;
}

bool law_feature_is_of_stages(uint32_t row) {
    return rows[row].value == sum_of_logarithms;
}

bool law_feature_is_logarithm(uint32_t row) {
    return rows[row].value == logarithm_below || rows[row].value == logarithm_above ||
           rows[row].value == logarithm_of_extent;
}

law_feature_rank law_feature_rank_of(uint32_t row) {
    return rows[row].rank;
}

bool law_feature_is_a_case(uint32_t row) {
    return rows[row].needs == NEEDS_CASE;
}

int64_t law_feature_period(uint32_t row, uint32_t ranks) {
    const struct series_place place = {.ranks = ranks};
    const struct feature_context context = {.place = &place}, *c = &context;
    if (rows[row].value == first_of_rounds || rows[row].value == last_of_rounds)
        return law_number_rounds(RANKS);
    if (rows[row].value == first_of_full_rounds || rows[row].value == last_of_full_rounds)
        return LOGARITHM;
    if (rows[row].value == first_of_others || rows[row].value == last_of_others) return OTHERS;
    return 0;
}

bool law_feature_is_inverse(uint32_t row) {
    return rows[row].value == one_per_extent;
}
bool law_feature_is_extent(uint32_t row) {
    return rows[row].value == extent || rows[row].value == one_per_extent;
}

bool law_feature_is_face(uint32_t row) {
    return rows[row].value == one_per_rest;
}

bool law_feature_is_of_program(uint32_t row) {
    return rows[row].is_of_program;
}

bool law_feature_value(const struct series *series, const struct series_feature *feature,
                       const struct series_place *place, int64_t *over, int64_t *under) {
    struct feature_context context = {.place = place, .extent = 1};
    if (law_feature_needs_grid(feature->row)) {
        uint32_t coordinates[SERIES_DIMENSIONS];
        const uint32_t *extents = place->extents->of[feature->grid];
        context.extent = extents[feature->dimension];
        if (!rows[feature->row].is_of_program) {
            grid_coordinates(extents, series->grids.rules[feature->grid].dimensions, place->rank,
                             coordinates);
            context.coordinate = coordinates[feature->dimension];
        }
    }
    if (law_feature_needs_level(feature->row)) {
        if (feature->level >= place->depth) return false;
        context.index = place->index[feature->level];
        context.trips = place->trips[feature->level];
    }
    if (law_feature_divisors(feature->row) > 0) {
        context.divisor = divisor_of(feature);
    }
    return rows[feature->row].value(&context, over, under);
}

void law_feature_text(const struct series *series, const struct series_feature *feature, char *text,
                      size_t size) {
    if (law_feature_divisors(feature->row) > 0) {
        const char *name = rows[feature->row].text, *sign = strchr(name, '#');
        snprintf(text, size, "%.*s%u%s", (int)(sign - name), name, divisor_of(feature), sign + 1);
        return;
    }
    if (!law_feature_needs_grid(feature->row)) {
        snprintf(text, size, "%s", rows[feature->row].text);
        return;
    }
    if (series->grids.rules[feature->grid].dimensions == 1) {
        snprintf(text, size, "%s",
                 rows[feature->row].value == coordinate ? "rank"
                 : rows[feature->row].value == behind   ? "P - 1 - rank"
                                                        : rows[feature->row].text);
        return;
    }
    char grid[SERIES_TEXT];
    grid_text(series, feature->grid, &series->target, grid, sizeof grid);
    snprintf(text, size, "%s (dimension %u of %s)", rows[feature->row].text,
             feature->dimension + 1u, grid);
}
