/*
 * Process grids of a series: coordinates and ranks, what the series shows of a grid, and texts.
 * Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_GRIDS_H
#define ANAX_TRACES_SERIES_GRIDS_H

#include "traces/extrapolate/series.h"

/* series_grids.c */
status_code series_grids_find(struct series *series, struct status *status);
/* Sets the coordinates of a rank of a grid; those beyond its dimensions are 0. */
static inline void grid_coordinates(const uint32_t extents[SERIES_DIMENSIONS], uint32_t dimensions,
                                    uint32_t rank, uint32_t coordinates[SERIES_DIMENSIONS]) {
    for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++) {
        const uint32_t extent = d < dimensions ? extents[d] : 1;
        coordinates[d] = rank % extent;
        rank /= extent;
    }
}
/* Returns the rank at coordinates. */
static inline uint32_t grid_rank(const uint32_t extents[SERIES_DIMENSIONS], uint32_t dimensions,
                                 const uint32_t coordinates[SERIES_DIMENSIONS]) {
    uint32_t rank = 0;
    for (uint32_t d = dimensions; d-- > 0;)
        rank = rank * extents[d] + coordinates[d];
    return rank;
}
/* Returns whether grids of a rule are tried only where no other one has roles. */
static inline bool grid_is_rare(const struct series_grid_rule *rule) {
    return rule->sides[0] > 0 || rule->kind == SERIES_GRID_MIDDLE_FIRST;
}
/* Writes "16 x 8 x 8". */
void grid_text(const struct series *series, uint32_t grid,
               const struct series_grid_extents *extents, char *text, size_t size);
/* Writes another order of the extents that the series allows as well. Returns false if there is
 * none. */
bool series_grid_other_order(const struct series *series, uint32_t grid, char *text, size_t size);
/* The same of other extents. */
bool series_grid_has_other(const struct series *series, uint32_t grid, char *text, size_t size);
/* Returns whether --grid gives the extents of a grid. */
bool series_grid_is_told(const struct series *series, uint32_t grid);
/* Returns whether the series shows each dimension of the new program: where the new extent is 1,
 * some program has the extent 1, and where it is more, some program has more. */
bool series_grid_is_alike(const struct series *series, uint32_t grid);
/* Returns whether a grid without given extents has one rank along a dimension in all programs of
 * the series and more in the new one, so that no program shows what ranks do along it. */
bool series_grid_is_unseen(const struct series *series, uint32_t grid);
/* Returns the only extent of 3 or more that programs of the series have in a set of dimensions; 0:
 * there are several, or none. */
uint32_t series_grid_only_extent(const struct series *series, uint32_t grid, uint32_t dimensions);
/* Writes the rule of a grid, for reports. */
void grid_rule_text(const struct series_grid_rule *rule, char *text, size_t size);
/* STATUS_INPUT: the series does not tell which of several grids the new program has, or the grid of
 * the new program is like none of the series. */
status_code series_grids_check(const struct series *series, struct status *status);

/* law_orders.c */
/* Lists the orders of all grids: those of two dimensions first, and given extents last. */
void series_orders_list(struct series *series);

#endif
