/*
 * Rare grids (grid_is_rare) that are found but not taken, because the search with an ordinary grid
 * gives all partners, too, and lacks only another program with some role.
 */
#include "traces/extrapolate/grids/series_grids.h"

#include <string.h>

bool series_rare_grid_is_doubtful(struct series *series, uint32_t own) {
    const uint32_t grid = series->roles.rule.grid;
    const bool is_doubtful =
        own > 0 && grid_is_rare(&series->grids.rules[grid]) &&
        memcmp(series->target.of[grid], series->target.of[own], sizeof series->target.of[0]) != 0;
    if (!is_doubtful) return false;
    series->outcome.ordinary_grid = own;
    series->outcome.rare_grid = grid;
    return true;
}

void series_rare_grid_refuse(const struct series *series, struct status *status) {
    const uint32_t own = series->outcome.ordinary_grid, rare = series->outcome.rare_grid;
    char text[SERIES_TEXT], other[SERIES_TEXT], rule[SERIES_TEXT];
    if (rare == 0) return;
    grid_text(series, own, &series->target, text, sizeof text);
    grid_text(series, rare, &series->target, other, sizeof other);
    grid_rule_text(&series->grids.rules[rare], rule, sizeof rule);
    status_append(status,
                  "the grid of %u ranks is %s by the rule of these roles; %s (%s) fits the series "
                  "as well; extrapolate.grid says which it is",
                  series->target_ranks, text, other, rule);
}
