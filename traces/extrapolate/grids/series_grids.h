/*
 * Process grids of a series: coordinates and ranks, what the series shows of a grid, and texts.
 * Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_GRIDS_H
#define ANAX_TRACES_SERIES_GRIDS_H

#include "traces/extrapolate/series.h"

/* series_grids.c */
/* Lists the rules for grids of the series. STATUS_USAGE: the grid that the user gives has not the
 * wanted number of ranks. */
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
    return !rule->is_recorded && (rule->sides[0] > 0 || rule->kind == SERIES_GRID_MIDDLE_FIRST);
}
/* Returns whether a rule is that of MPI_Dims_create of one library. */
static inline bool grid_is_of_library(const struct series_grid_rule *rule) {
    return rule->kind >= SERIES_GRID_FACTORS_FALLING && rule->kind <= SERIES_GRID_SPREAD_RISING;
}
/* Sets the extents of a grid of so many ranks. Returns false if the rule gives none for it. */
bool grid_set_extents(const struct series_grid_rule *rule, uint32_t ranks,
                      uint32_t extents[SERIES_DIMENSIONS]);
/* Adds a grid, if no grid of the series has the same extents. extents: of each program, for a rule
 * that gives none, so that --grid must give those of the new program; NULL: the rule gives them. */
void series_grid_add(struct series *series, const struct series_grid_rule *rule,
                     uint32_t (*extents)[SERIES_DIMENSIONS]);
/* Returns whether `grid` has recorded dimensions and `other` has not, so that `other` is no
 * alternative to `grid`. */
static inline bool series_grid_is_refuted(const struct series *series, uint32_t grid,
                                          uint32_t other) {
    return series->grids.rules[grid].is_recorded && !series->grids.rules[other].is_recorded;
}
/* Writes "16 x 8 x 8". */
void grid_text(const struct series *series, uint32_t grid,
               const struct series_grid_extents *extents, char *text, size_t size);
/* Writes another order of the extents that the series allows as well. Returns false if there is
 * none. */
bool series_grid_other_order(const struct series *series, uint32_t grid, char *text, size_t size);
/* Writes other extents that the series allows as well. Returns false if there are none. */
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

/* series_rare_grids.c */
/* Returns whether the roles that were found are those of a rare grid, and an ordinary grid that
 * gives the new program other extents is as good. Then notes both grids. own: the ordinary grid.
 * Roles by it give all partners laws, and lack only values of a role that one program alone has. 0:
 * there is no such grid. */
bool series_rare_grid_is_doubtful(struct series *series, uint32_t own);
/* Appends to the text of a refusal that the rare grid which series_rare_grid_is_doubtful has noted
 * fits the series as well. Appends nothing if none was noted. */
void series_rare_grid_refuse(const struct series *series, struct status *status);

/* series_recorded_grids.c */
/* Adds grids with the dimensions of Cartesian topologies of all ranks. */
void series_recorded_grids_add(struct series *series);
/* Finds the n-th rule that gives these extents for these numbers of ranks, one for each program of
 * the series. Returns false after the last. */
bool series_recorded_rule(const struct series *series, const uint32_t *ranks,
                          uint32_t (*extents)[SERIES_DIMENSIONS], uint32_t dimensions, uint32_t n,
                          struct series_grid_rule *rule);
/* Leaves out the dimensions of Cartesian topologies that have one rank in all programs, and lists
 * the extents of the others, the last dimension first. Returns their number; SERIES_DIMENSIONS + 1:
 * more than a grid has. topologies: one for each program, with as many dimensions.
 * places: which dimension each extent is of; NULL: not wanted. */
uint32_t series_recorded_extents(const struct series *series,
                                 const struct program_topology *const *topologies,
                                 uint32_t (*extents)[SERIES_DIMENSIONS], uint32_t *places);
/* Appends to the text of a refusal that dimensions were recorded and follow no rule, if so. */
void series_recorded_grids_refuse(const struct series *series, struct status *status);

/* law_orders.c */
/* Lists the orders of all grids: those of two dimensions first, and given extents last. */
void series_orders_list(struct series *series);

#endif
