/*
 * Process grids of a series: the list of their rules, coordinates and ranks, what the series shows
 * of a grid, and texts. "A grid" is an index in series->grids.rules; 0 is the line of all ranks.
 * Texts are for reports: no more bytes than their size, with the final zero. Private to the
 * extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_GRIDS_H
#define ANAX_TRACES_SERIES_GRIDS_H

#include "traces/extrapolate/series.h"

/* series_grids.c */
/* Lists the rules for grids of the series, and their extents in all programs and in the new one.
 * STATUS_USAGE: the grid of extrapolate.grid does not have extrapolate.ranks places. */
status_code series_grids_find(struct series *series, struct status *status);
/* Sets the coordinates of a rank in a grid of these extents; those beyond its dimensions are 0. */
static inline void grid_coordinates(const uint32_t extents[SERIES_DIMENSIONS], uint32_t dimensions,
                                    uint32_t rank, uint32_t coordinates[SERIES_DIMENSIONS]) {
    for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++) {
        const uint32_t extent = d < dimensions ? extents[d] : 1;
        coordinates[d] = rank % extent;
        rank /= extent;
    }
}
/* Returns the rank with these coordinates. */
static inline uint32_t grid_rank(const uint32_t extents[SERIES_DIMENSIONS], uint32_t dimensions,
                                 const uint32_t coordinates[SERIES_DIMENSIONS]) {
    uint32_t rank = 0;
    for (uint32_t d = dimensions; d-- > 0;)
        rank = rank * extents[d] + coordinates[d];
    return rank;
}
/* Returns whether a rule is rare: roles are looked for in its grid only if the search without rare
 * grids is refused. */
static inline bool grid_is_rare(const struct series_grid_rule *rule) {
    return !rule->is_recorded && (rule->sides[0] > 0 || rule->kind == SERIES_GRID_MIDDLE_FIRST);
}
/* Returns whether a rule is that of MPI_Dims_create of one library. */
static inline bool grid_is_of_library(const struct series_grid_rule *rule) {
    return rule->kind >= SERIES_GRID_FACTORS_FALLING && rule->kind <= SERIES_GRID_SPREAD_RISING;
}
/* Sets the extents of a grid of so many ranks; those beyond its dimensions are 1. Returns false if
 * the rule gives none for this number. */
bool grid_set_extents(const struct series_grid_rule *rule, uint32_t ranks,
                      uint32_t extents[SERIES_DIMENSIONS]);
/* Adds a grid, unless the rule gives no extents for some program, a known grid has the same
 * extents, or there are SERIES_GRIDS. extents: [program]: of a rule without extents; those of the
 * new program must then come from extrapolate.grid. NULL: the rule gives the extents. */
void series_grid_add(struct series *series, const struct series_grid_rule *rule,
                     uint32_t (*extents)[SERIES_DIMENSIONS]);
/* Returns whether `grid` has recorded dimensions and `other` has not, so that `other` is no
 * alternative to `grid`. */
static inline bool series_grid_is_refuted(const struct series *series, uint32_t grid,
                                          uint32_t other) {
    return series->grids.rules[grid].is_recorded && !series->grids.rules[other].is_recorded;
}
/* Writes the extents of a grid, such as "16 x 8 x 8". */
void grid_text(const struct series *series, uint32_t grid,
               const struct series_grid_extents *extents, char *text, size_t size);
/* Looks for another rule that gives the extents of all programs, and gives the new program those of
 * the grid in another order. Writes the latter, or returns false if there is no such rule. */
bool series_grid_other_order(const struct series *series, uint32_t grid, char *text, size_t size);
/* Does the same for a rule that gives the new program other extents. */
bool series_grid_has_other(const struct series *series, uint32_t grid, char *text, size_t size);
/* Returns whether extrapolate.grid gives the extents of a grid. */
bool series_grid_is_told(const struct series *series, uint32_t grid);
/* Returns whether the series shows each dimension of the new program: where the new extent is 1,
 * some program has the extent 1, and where it is more, some program has more. */
bool series_grid_is_alike(const struct series *series, uint32_t grid);
/* Returns whether a grid without given extents has one rank along a dimension in all programs of
 * the series and more in the new one, so that no program shows what ranks do along it. */
bool series_grid_is_unseen(const struct series *series, uint32_t grid);
/* Returns the only extent of 3 or more that the programs of the series have in a set of dimensions
 * (bit d: dimension d); 0: they have several, or none. */
uint32_t series_grid_only_extent(const struct series *series, uint32_t grid, uint32_t dimensions);
/* Writes the rule of a grid, for reports. */
void grid_rule_text(const struct series_grid_rule *rule, char *text, size_t size);
/* Checks the grids in use. STATUS_INPUT: the series does not show which of several grids the new
 * program has, or a dimension of the new grid has one rank, or several, and that of no program has.
 * STATUS_USAGE: no grid in use has as many dimensions as extrapolate.grid. */
status_code series_grids_check(const struct series *series, struct status *status);

/* series_rare_grids.c */
/* Returns whether the roles that were found are those of a rare grid, and the ordinary grid `own`,
 * which gives the new program other extents, is as good: roles by it give all partners laws, and
 * lack only values of a role that one program alone has. own: 0: there is no such grid. Notes both
 * grids in series->outcome. */
bool series_rare_grid_is_doubtful(struct series *series, uint32_t own);
/* Appends to the text of a refusal that the rare grid which series_rare_grid_is_doubtful has noted
 * fits the series as well. Appends nothing if none was noted. */
void series_rare_grid_refuse(const struct series *series, struct status *status);

/* series_recorded_grids.c */
/* Adds the grids of Cartesian topologies of all ranks, by all rules that give their dimensions. */
void series_recorded_grids_add(struct series *series);
/* Sets *rule to number n, from 0, of the rules that give extents[k] for ranks[k], for each program
 * k of the series. Returns false after the last one. */
bool series_recorded_rule(const struct series *series, const uint32_t *ranks,
                          uint32_t (*extents)[SERIES_DIMENSIONS], uint32_t dimensions, uint32_t n,
                          struct series_grid_rule *rule);
/* Sets extents[k] to the sizes of the dimensions of topologies[k], the last dimension first,
 * without the dimensions that have one rank in all programs. The topologies must have equally many
 * dimensions. Sets places[i] to the dimension that extent i is of; NULL: not wanted. Returns the
 * number of extents; SERIES_DIMENSIONS + 1: more than a grid may have. */
uint32_t series_recorded_extents(const struct series *series,
                                 const struct program_topology *const *topologies,
                                 uint32_t (*extents)[SERIES_DIMENSIONS], uint32_t *places);
/* If the series has recorded dimensions that follow no rule, appends this to the text of a refusal.
 */
void series_recorded_grids_refuse(const struct series *series, struct status *status);

/* law_orders.c */
/* Sets series->grids.orders: those of grids of two dimensions come first, and those of grids with
 * given extents last. */
void series_orders_list(struct series *series);

#endif
