/*
 * Exact laws that the sizes of messages along the two dimensions of a plane have in common: if the
 * two dimensions are exchanged, the size along one depends on the extents as the size along the
 * other one does. A few programs have few different extents along one dimension, and more along
 * both.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/law_features.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"
#include "traces/extrapolate/symmetry/series_views.h"

#include <stdlib.h>
#include <string.h>

/* The size of a message in each program. */
struct sizes {
    int64_t *of; /* [program] */
    bool *has;   /* [program]: it has the message */
};

/* The search for a law. */
struct plane_search {
    struct series *series;
    const struct series_law_data *data;
    uint32_t grid, dimension;      /* the plane, and the dimension of the message */
    uint32_t level, iteration;     /* of law_find_by_other_dimension */
    struct series_sample *samples; /* room for one of each program and dimension */
    struct sizes own, other;       /* of the message, and of one along the other dimension */
};

/* Returns whether a step is in the loop whose iteration is looked at, if there is one. */
static bool is_in_loop(const struct plane_search *plane, const struct series_role_step *step) {
    const uint32_t level = plane->level;
    return level == SERIES_DEPTH ||
           (level < step->depth && step->loops[level] == plane->data->step->loops[level]);
}

/* Takes the size of a message in each program. Sets *fits to whether all ranks of a program have
 * the same size. */
static status_code take_sizes(struct plane_search *plane, const struct series_role_step *step,
                              uint32_t field, struct sizes *sizes, bool *fits,
                              struct status *status) {
    struct series_role_step pool = *step;
    struct series_law_data data = *plane->data;
    int64_t *values = NULL;
    data.step = step;
    data.field = field;
    memset(sizes->has, 0, plane->series->program_count * sizeof *sizes->has);
    *fits = true;
    status_code code = law_pool_sizes(&data, &pool, &values, status);
    for (size_t i = 0; code == STATUS_OK && i < pool.sample_count && *fits; i++) {
        const uint32_t k = pool.samples[i].program;
        if (pool.samples[i].view > 0 || (plane->level < SERIES_DEPTH &&
                                         pool.samples[i].index[plane->level] != plane->iteration))
            continue;
        *fits = !sizes->has[k] || sizes->of[k] == values[i];
        sizes->of[k] = values[i];
        sizes->has[k] = true;
    }
    free(pool.samples);
    free(values);
    return code;
}

/* Returns whether a step has the call of the message, and in it a message of the same kind along
 * the other dimension of the plane, which *dimension is set to. Sets *field to its size. */
static bool is_across(const struct plane_search *plane, const struct series_role_step *step,
                      uint32_t *dimension, uint32_t *field) {
    const struct series *series = plane->series;
    const struct series_symbol *own = &series->steps.symbols[plane->data->step->symbol];
    const struct series_symbol *other = &series->steps.symbols[step->symbol];
    const int64_t kind =
        plane->data->what == SERIES_VALUE_BYTES ? OPERATION_SEND : OPERATION_RECEIVE;
    struct law_part_of_call part = {0};
    uint32_t grid;
    if (step->laws == NULL || !is_in_loop(plane, step) ||
        series->steps.words[other->first_word] != OPERATION_CALL ||
        series->steps.words[own->first_word + 1] != series->steps.words[other->first_word + 1] ||
        !law_peer_dimension(series, step, 0, 0, &grid, dimension) || grid != plane->grid ||
        *dimension == plane->dimension)
        return false;
    while (law_next_part(series, other, &part)) {
        *field = part.field + 1;
        if (series_head_kind(*part.words) == kind && law_partner_of(step, *field) != NULL)
            return true;
    }
    return false;
}

/* Finds the law of the sizes along both dimensions. */
static status_code find_law(const struct plane_search *plane, uint32_t dimension,
                            struct series_law *law, struct series_alternatives *alternatives,
                            bool *found, struct status *status) {
    struct series_role_step pool = *plane->data->step;
    struct series_law_data data = *plane->data;
    struct series_groups groups;
    pool.samples = plane->samples;
    pool.sample_count = 0;
    for (uint32_t k = 0; k < plane->series->program_count; k++) {
        if (plane->own.has[k])
            pool.samples[pool.sample_count++] =
                (struct series_sample){.program = k, .values = &plane->own.of[k]};
        if (plane->other.has[k])
            pool.samples[pool.sample_count++] =
                (struct series_sample){.program = k,
                                       .values = &plane->other.of[k],
                                       .view = series_view_of(plane->dimension, dimension)};
    }
    data.step = &pool;
    data.field = 0;
    status_code code = series_groups_make(&data, 0, 1, &groups, status);
    if (code == STATUS_OK) {
        data = series_groups_data(&groups, 0, &data);
        data.known_program = plane->data->known_program;
        *found = law_find_value(&data, law, alternatives) && !law->is_open &&
                 law->kind == SERIES_LAW_LINEAR && law_feature_is_of_program(law->feature.row);
        if (!*found && plane->series->assumptions.approximates) {
            alternatives->count = 0;
            *found = law_find_untested(&data, plane->grid, dimension, law);
        }
    }
    series_groups_free(&groups);
    return code;
}

/* Sets *law to the size of the message, if it is the same in all programs that have it. */
static bool find_constant(const struct plane_search *plane, struct series_law *law) {
    *law = (struct series_law){.kind = SERIES_LAW_CONSTANT};
    for (uint32_t k = 0; k < plane->series->program_count; k++) {
        if (!plane->own.has[k]) continue;
        if (law->programs++ > 0 && plane->own.of[k] != law->a) return false;
        law->a = plane->own.of[k];
    }
    return law->programs > 0;
}

/* Looks for a constant, and then for a law together with each message along the other dimension. */
static status_code search(struct plane_search *plane, struct series_law *law,
                          struct series_alternatives *alternatives, bool *found,
                          struct status *status) {
    enum { MOST_TRIED = 64 };
    const struct series_role *role = plane->data->role;
    bool fits;
    FORWARD_IF_ERROR(
        take_sizes(plane, plane->data->step, plane->data->field, &plane->own, &fits, status));
    if (fits && find_constant(plane, law)) {
        *found = true;
        return STATUS_OK;
    }
    for (size_t i = 0, tried = 0; i < role->step_count && fits && !*found && tried < MOST_TRIED;
         i++) {
        uint32_t dimension, field;
        bool other_fits;
        if (!is_across(plane, &role->steps[i], &dimension, &field)) continue;
        tried++;
        FORWARD_IF_ERROR(
            take_sizes(plane, &role->steps[i], field, &plane->other, &other_fits, status));
        if (other_fits)
            FORWARD_IF_ERROR(find_law(plane, dimension, law, alternatives, found, status));
    }
    law->is_of_other_dimension = *found;
    return STATUS_OK;
}

status_code law_find_by_other_dimension(struct series *series, const struct series_law_data *data,
                                        uint32_t level, uint32_t iteration, struct series_law *law,
                                        struct series_alternatives *alternatives, bool *found,
                                        struct status *status) {
    struct plane_search plane = {
        .series = series, .data = data, .level = level, .iteration = iteration};
    const uint32_t count = series->program_count;
    *found = false;
    if (!law_is_of_message(data) ||
        !law_peer_dimension(series, data->step, 0, 0, &plane.grid, &plane.dimension) ||
        series->grids.rules[plane.grid].dimensions != 2 ||
        law_partner_of(data->step, data->field) == NULL ||
        (series->grids.symmetric > 0 && series->grids.symmetric != plane.grid))
        return STATUS_OK;
    FORWARD_IF_ERROR(series_views_make(series, plane.grid, status));
    int64_t *values = memory_new(2 * (size_t)count, sizeof *values);
    bool *has = memory_new(2 * (size_t)count, sizeof *has);
    plane.samples = memory_new(2 * (size_t)count, sizeof *plane.samples);
    plane.own = (struct sizes){values, has};
    plane.other = (struct sizes){values + count, has + count};
    const status_code code = values == NULL || has == NULL || plane.samples == NULL
                                 ? status_set(status, STATUS_MEMORY, "out of memory for laws")
                                 : search(&plane, law, alternatives, found, status);
    free(values);
    free(has);
    free(plane.samples);
    return code;
}
