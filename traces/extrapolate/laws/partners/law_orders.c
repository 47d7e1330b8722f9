/*
 * Partners that are the rank's place in a grid whose ranks are numbered along its dimensions in
 * another order: transposes of rectangles, and boxes that are turned. Or, in a plane, the
 * transposed place if blocks of ranks along the longer side count as one, so that both sides have
 * equally many.
 */
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"

#include <stdio.h>

/* The orders of two and three dimensions, without the usual one. order: the dimension along which
 * the number varies fastest, the next one, and the last one. */
static const struct {
    uint32_t dimensions;
    uint8_t order[3];
} orders[] = {{2, {1, 0, 2}}, {3, {2, 1, 0}}, {3, {1, 2, 0}},
              {3, {2, 0, 1}}, {3, {1, 0, 2}}, {3, {0, 2, 1}}};
enum { ORDERS = sizeof orders / sizeof *orders, IN_BLOCKS = ORDERS };

static bool has_given(const struct series_grid_rule *rule) {
    for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++)
        if (rule->given[d] > 0) return true;
    return false;
}

void series_orders_list(struct series *series) {
    for (int given = 0; given < 2; given++)
        for (uint32_t dimensions = 2; dimensions <= 3; dimensions++)
            for (uint32_t g = 0; g < series->grids.count; g++)
                for (uint32_t row = 0; row < ORDERS; row++) {
                    const struct series_grid_rule *rule = &series->grids.rules[g];
                    if (rule->dimensions == dimensions && has_given(rule) == (given == 1) &&
                        orders[row].dimensions == dimensions)
                        series->grids.orders[series->grids.order_count++] =
                            (struct series_order){(uint8_t)g, (uint8_t)row};
                }
    for (uint32_t g = 0; g < series->grids.count; g++)
        if (series->grids.rules[g].dimensions == 2 && !has_given(&series->grids.rules[g]))
            series->grids.orders[series->grids.order_count++] =
                (struct series_order){(uint8_t)g, IN_BLOCKS};
}

/* Returns the rank at the transposed place of a plane whose longer side is a multiple of the other
 * one. The coordinate along the longer side counts blocks of ranks, and a rank keeps its place in
 * its block. -1: the longer side is no multiple. */
static int64_t rank_in_blocks(const uint32_t extents[SERIES_DIMENSIONS], uint32_t rank) {
    const uint32_t x = rank % extents[0], y = rank / extents[0];
    const bool is_long = extents[0] >= extents[1];
    const uint32_t block = is_long ? extents[0] / extents[1] : extents[1] / extents[0];
    if (extents[0] * block != extents[1] && extents[1] * block != extents[0]) return -1;
    return is_long ? y * block + x % block + (int64_t)(x / block) * extents[0]
                   : y / block + ((int64_t)x * block + y % block) * extents[0];
}

int64_t law_order_rank(const struct series *series, const struct series_place *place,
                       uint32_t number) {
    const uint32_t grid = series->grids.orders[number].grid, row = series->grids.orders[number].row;
    const uint32_t *extents = place->extents->of[grid];
    uint32_t coordinates[SERIES_DIMENSIONS], rank = 0;
    if (row == IN_BLOCKS) return rank_in_blocks(extents, place->rank);
    const uint32_t dimensions = orders[row].dimensions;
    grid_coordinates(extents, dimensions, place->rank, coordinates);
    for (uint32_t d = dimensions; d-- > 0;)
        rank = rank * extents[orders[row].order[d]] + coordinates[orders[row].order[d]];
    return rank;
}

void law_order_text(const struct series *series, uint32_t number, char *text, size_t size) {
    const uint32_t row = series->grids.orders[number].row;
    char extents[SERIES_TEXT], third[16] = "";
    grid_text(series, series->grids.orders[number].grid, &series->target, extents, sizeof extents);
    if (row == IN_BLOCKS) {
        snprintf(text, size, "its place in %s, transposed in blocks", extents);
        return;
    }
    const uint8_t *order = orders[row].order;
    if (orders[row].dimensions > 2) snprintf(third, sizeof third, ", %d", order[2] + 1);
    snprintf(text, size, "its place in %s, numbered in the order of dimensions %d, %d%s", extents,
             order[0] + 1, order[1] + 1, third);
}
