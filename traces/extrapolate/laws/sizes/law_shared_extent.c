/*
 * Laws that the samples of a role do not decide, because not all programs have the role. For
 * example, the grids 4 x 4, 4 x 6 and 4 x 8 have ranks inside both dimensions, and all of them have
 * the extent 4 in the first one. Sizes and trips that depend on this extent look constant, and
 * differ on 6 x 8 ranks. Other roles may have the same message in programs with other extents.
 */
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"
#include "traces/extrapolate/roles/series_keys.h"

#include <stdlib.h>

/* Returns the same as law_shares_extent, for one dimension. */
static bool shares_extent_along(const struct series *series, const struct series_role_step *step,
                                uint32_t dimension) {
    const uint32_t grid = series->roles.rule.grid;
    uint32_t last = UINT32_MAX, extent = 0;
    for (size_t i = 0; i < step->sample_count; i++) {
        const uint32_t program = step->samples[i].program;
        if (program == last) continue;
        const uint32_t own = series->programs[program].extents.of[grid][dimension];
        if (extent != 0 && own != extent) return false;
        extent = own;
        last = program;
    }
    return extent != 0 && extent != series->target.of[grid][dimension];
}

bool law_shares_extent(const struct series *series, const struct series_role_step *step) {
    const uint32_t dimensions = series->grids.rules[series->roles.rule.grid].dimensions;
    for (uint32_t d = 0; d < dimensions; d++)
        if (shares_extent_along(series, step, d)) return true;
    return false;
}

/* Returns whether constants give all samples of a pool their sizes. */
static bool holds_in(const struct series_law_data *data, const struct series_value_law *laws,
                     const struct series_role_step *pool) {
    struct series_law_data pooled = *data;
    pooled.step = pool;
    for (uint32_t i = 0; i < pool->sample_count; i++) {
        pooled.samples = &i;
        const struct series_place place = law_place(&pooled, 0);
        const struct series_law *law = law_at(data->role, data->step, laws, &place);
        if (law == NULL || law->a != *pool->samples[i].values) return false;
    }
    return true;
}

static bool are_constant(const struct series_value_law *laws) {
    for (uint32_t g = 0; g < laws->law_count; g++)
        if (laws->laws[g].kind != SERIES_LAW_CONSTANT) return false;
    return true;
}

static bool have_alternatives(const struct series_value_law *laws) {
    for (uint32_t g = 0; g < laws->law_count; g++)
        if (laws->laws[g].alternative_count > 0) return true;
    return false;
}

static bool are_open(const struct series_value_law *laws) {
    for (uint32_t g = 0; g < laws->law_count; g++)
        if (laws->laws[g].is_open) return true;
    return false;
}

/* Returns whether the nodes `first` to first + count - 1 of a rank have a loop with so many trips,
 * at this depth from here, from 1. */
static bool has_trips(const struct series_rank *rank, uint32_t first, uint32_t count,
                      uint32_t depth, int64_t trips) {
    for (uint32_t i = first; i < first + count; i++) {
        const struct series_node *node = &rank->nodes[i];
        if (node->symbol != SERIES_LOOP) continue;
        if (depth == 1 ? node->trips == trips
                       : has_trips(rank, node->first, node->count, depth - 1, trips))
            return true;
    }
    return false;
}

/* Returns whether rank 0 of all programs has such a loop. Then the number of trips is one that does
 * not depend on the grid, such as the number of time steps. */
static bool have_all_trips(const struct series *series, uint32_t depth, int64_t trips) {
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct series_rank *rank = &series->programs[k].ranks[0];
        if (!has_trips(rank, rank->first, rank->count, depth, trips)) return false;
    }
    return true;
}

static bool are_roles_of_grid(const struct series *series) {
    return (series_keys_of(series->roles.rule.row) &
            (SERIES_KEY_OF_GRID | SERIES_KEY_OF_CLASSES)) != 0;
}

/* Returns whether a role is by a grid, and not in all programs. */
static bool is_of_some(const struct series *series, const struct series_role *role) {
    return role->programs < series->program_count && are_roles_of_grid(series);
}

bool law_symmetric_trips_share_extent(const struct series_law_data *data,
                                      const struct series_value_law *laws) {
    const struct series *series = data->series;
    const uint32_t grid = series->grids.symmetric;
    bool is_known = true;
    for (uint32_t d = 0; d < series->grids.rules[grid].dimensions; d++) {
        const uint32_t only = series_grid_only_extent(series, grid, 1u << d);
        is_known = is_known && (only == 0 || only == series->target.of[grid][d]);
    }
    return data->is_loop && are_constant(laws) && !is_known &&
           !have_all_trips(series, data->step->depth, laws->laws[0].a);
}

bool law_trips_share_extent(const struct series_law_data *data,
                            const struct series_role_step *shown_by,
                            const struct series_value_law *laws) {
    const struct series *series = data->series;
    return data->is_loop && is_of_some(series, data->role) && are_constant(laws) &&
           law_shares_extent(series, shown_by) &&
           !have_all_trips(series, data->step->depth, laws->laws[0].a);
}

status_code law_check_shared_extent(const struct series_law_data *data,
                                    const struct series_role_step *shown_by,
                                    const struct series_value_law *laws, bool *is_shown,
                                    struct status *status) {
    const struct series *series = data->series;
    *is_shown = true;
    if (!are_roles_of_grid(series) || !law_is_of_bytes(data->what)) return STATUS_OK;
    const bool is_rare = is_of_some(series, data->role);
    if (are_open(laws) && !is_rare) return STATUS_OK;
    *is_shown = !are_open(laws) && !have_alternatives(laws) && law_is_possible(data, laws);
    if (!*is_shown || !is_rare || !are_constant(laws) || !law_shares_extent(series, shown_by))
        return STATUS_OK;
    *is_shown = false;
    if (law_is_of_message(data) && law_partner_of(data->step, data->field) == NULL)
        return STATUS_OK;
    struct series_role_step pool = *data->step;
    int64_t *sizes = NULL;
    const status_code code = law_pool_sizes(data, &pool, &sizes, status);
    *is_shown =
        code == STATUS_OK && !law_shares_extent(series, &pool) && holds_in(data, laws, &pool);
    free(pool.samples);
    free(sizes);
    return code;
}
