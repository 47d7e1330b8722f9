/*
 * Takes the samples of a role by symmetry from the ranks of all programs, whatever their roles. A
 * step of the role along a dimension has samples of the corresponding steps of other ranks along
 * this dimension. If all dimensions are alike, it also has samples of corresponding steps along the
 * other dimensions. A sample of another dimension holds in a view of its program, in which the two
 * dimensions are exchanged.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/roles/series_samples.h"
#include "traces/extrapolate/steps/series_shape.h"
#include "traces/extrapolate/symmetry/series_symmetry.h"
#include "traces/extrapolate/symmetry/series_views.h"

#include <stdlib.h>
#include <string.h>

/* Where a step of the pattern is in the loops of the role. The pattern has one step for each visit,
 * the role has one for all iterations. */
struct step_visit {
    uint32_t index_in_role;       /* of the step of the role */
    uint32_t index[SERIES_DEPTH]; /* iterations of the loops around it */
    uint32_t trips[SERIES_DEPTH];
};

/* The state while the samples of a role are taken. */
struct taking {
    const struct symmetry *symmetry;
    const struct symmetry_pattern *pattern; /* of the role */
    struct series_role *role;
    struct step_visit *visits; /* [step of the pattern] */
    uint32_t program, rank;    /* the rank whose samples are taken */
    /* [step of the pattern along a dimension]: the corresponding step of another class along it;
     * PROGRAM_NONE: there is none. */
    uint32_t *matches;
};

/* Notes where a step is in its loops. */
static status_code note_visit(const struct series_shape_walk *walk,
                              const struct series_shape_node *node, struct status *status) {
    (void)status;
    struct taking *taking = walk->context;
    if (node->symbol == SERIES_LOOP) return STATUS_OK;
    struct step_visit *own = &taking->visits[walk->steps];
    own->index_in_role = node->index_in_role;
    memcpy(own->index, walk->index, sizeof own->index);
    memcpy(own->trips, walk->trips, sizeof own->trips);
    return STATUS_OK;
}

/* Adds a sample of the current rank to a loop, with the trips of the role: with roles by symmetry,
 * the trips of loops are the same on all ranks and in all programs. */
static status_code add_loop_sample(const struct series_shape_walk *walk,
                                   const struct series_shape_node *node, struct status *status) {
    struct taking *taking = walk->context;
    if (node->symbol != SERIES_LOOP) return STATUS_OK;
    struct series_role_step *loop = &taking->role->loops[node->index_in_role];
    const uint32_t trips = walk->trips[walk->depth - 1];
    struct series_sample sample = {
        .program = taking->program, .rank = taking->rank, .is_near = true};
    memcpy(sample.index, walk->index, sizeof sample.index);
    memcpy(sample.trips, walk->trips, sizeof sample.trips);
    loop->fixed_trips = loop->sample_count == 0 || loop->fixed_trips == trips ? trips : 0;
    FORWARD_IF_ERROR(memory_grow((void **)&loop->samples, &loop->sample_capacity,
                                 loop->sample_count + 1, sizeof sample, status));
    loop->samples[loop->sample_count++] = sample;
    return STATUS_OK;
}

/* Sets *match to the step of the right pattern of a pair that corresponds to step i of the left one
 * along a dimension: an equal step, as far from the begin or from the end of the steps at the same
 * place. Returns false if there is none. */
static bool match_by_pair(const struct symmetry *symmetry, const struct symmetry_pattern *left,
                          const struct symmetry_pattern *right, uint32_t dimension, uint32_t i,
                          uint32_t *match) {
    struct symmetry_range range;
    if (!symmetry_range_find(symmetry, left, right, dimension, i, &range)) return false;
    if (i - range.first < range.before) {
        *match = range.other_first + (i - range.first);
        return true;
    }
    *match = range.other_end - (range.end - i);
    return range.end - i <= range.behind && *match >= range.other_first + range.before;
}

/* Does the same with the first pair of patterns that have the classes `from` and `to` in the
 * dimension, or in another one that is alike. Returns false also if there is no such pair. */
static bool match_class(const struct symmetry *symmetry, uint32_t dimension, uint32_t from,
                        uint32_t to, uint32_t i, uint32_t *match) {
    for (size_t l = 0; l < symmetry->seen_count; l++)
        for (size_t r = 0; r < symmetry->seen_count; r++)
            for (uint32_t d = 0; d < symmetry->dimensions; d++) {
                const struct symmetry_pattern *left = &symmetry->patterns[l],
                                              *right = &symmetry->patterns[r];
                if ((d == dimension || symmetry->is_shared) &&
                    symmetry_is_pair(symmetry, left, right, d, from, to))
                    return match_by_pair(symmetry, left, right, d, i, match);
            }
    return false;
}

/* Sets matches[i] to the step of the class `to` that corresponds to step i of the pattern along a
 * dimension; PROGRAM_NONE: there is none. */
static void match_all(struct taking *taking, uint32_t dimension, uint32_t to, uint32_t *matches) {
    const struct symmetry_pattern *pattern = taking->pattern;
    for (uint32_t i = 0; i < pattern->step_counts[dimension]; i++)
        if (pattern->classes[dimension] == to)
            matches[i] = i;
        else if (!match_class(taking->symmetry, dimension, pattern->classes[dimension], to, i,
                              &matches[i]))
            matches[i] = PROGRAM_NONE;
}

/* If the view exchanges dimensions, replaces *values by a copy in which partners have their numbers
 * in the view. series_views_free frees the copy. */
static status_code turn_values(struct series *series, uint32_t program, uint32_t symbol,
                               uint8_t view, const int64_t **values, struct status *status) {
    const struct series_symbol *own = &series->steps.symbols[symbol];
    const uint8_t *kinds = series->steps.kinds + own->first_kind;
    if (view == 0) return STATUS_OK;
    FORWARD_IF_ERROR(memory_grow((void **)&series->roles.copies, &series->roles.copy_capacity,
                                 series->roles.copy_count + 1, sizeof *series->roles.copies,
                                 status));
    int64_t *copy = memory_new(own->value_count, sizeof *copy);
    RETURN_ERROR_IF(copy == NULL, status, STATUS_MEMORY, "out of memory for roles");
    series->roles.copies[series->roles.copy_count++] = copy;
    for (uint32_t v = 0; v < own->value_count; v++)
        copy[v] = kinds[v] == SERIES_VALUE_PEER
                      ? series_view_rank(series, program, view, (uint32_t)(*values)[v])
                      : (*values)[v];
    *values = copy;
    return STATUS_OK;
}

/* Adds a sample to step `step` of the pattern: the values of the current rank at its own step
 * `from`. is_near: as in struct series_sample. */
static status_code add_sample(struct taking *taking, uint32_t step, uint32_t from, uint8_t view,
                              bool is_near, struct status *status) {
    struct series *series = taking->symmetry->series;
    const struct step_visit *visit = &taking->visits[step];
    const struct series_rank *rank = &series->programs[taking->program].ranks[taking->rank];
    struct series_role_step *own = &taking->role->steps[visit->index_in_role];
    own->has_moved = own->has_moved || rank->steps[from].is_moved;
    own->has_others = own->has_others || !rank->steps[from].is_moved;
    struct series_sample sample = {.program = taking->program,
                                   .rank = taking->rank,
                                   .values = rank->values + rank->steps[from].first_value,
                                   .view = view,
                                   .is_near = is_near};
    memcpy(sample.index, visit->index, sizeof sample.index);
    memcpy(sample.trips, visit->trips, sizeof sample.trips);
    FORWARD_IF_ERROR(
        turn_values(series, taking->program, own->symbol, view, &sample.values, status));
    FORWARD_IF_ERROR(memory_grow((void **)&own->samples, &own->sample_capacity,
                                 own->sample_count + 1, sizeof sample, status));
    RETURN_ERROR_IF(
        own->sample_count >= UINT32_MAX - 1, status, STATUS_INPUT,
        "the programs are too large to be extrapolated; cut them (trace.from, trace.to)");
    own->samples[own->sample_count++] = sample;
    return STATUS_OK;
}

static const struct symmetry_pattern *find_pattern(const struct symmetry *symmetry, uint32_t key) {
    size_t i = 0;
    while (symmetry->patterns[i].key != key)
        i++;
    return &symmetry->patterns[i];
}

/* Adds samples to the steps of the role along `dimension`: the values of the current rank at the
 * corresponding steps along `along`. source: the pattern of the rank. */
static status_code take_along(struct taking *taking, const struct symmetry_pattern *source,
                              uint32_t dimension, uint32_t along, struct status *status) {
    const struct symmetry_pattern *pattern = taking->pattern;
    const bool is_near = source->classes[along] == pattern->classes[dimension];
    match_all(taking, dimension, source->classes[along], taking->matches);
    for (uint32_t i = 0; i < pattern->step_counts[dimension]; i++)
        if (taking->matches[i] != PROGRAM_NONE)
            FORWARD_IF_ERROR(add_sample(taking, pattern->steps[dimension][i],
                                        source->steps[along][taking->matches[i]],
                                        series_view_of(dimension, along), is_near, status));
    return STATUS_OK;
}

/* Adds the samples of the current rank to all steps and loops. */
static status_code take_rank(struct taking *taking, struct status *status) {
    const struct symmetry *symmetry = taking->symmetry;
    const struct symmetry_pattern *pattern = taking->pattern;
    const struct symmetry_pattern *source =
        find_pattern(symmetry, series_role_key(symmetry->series, taking->program, taking->rank));
    for (uint32_t i = 0; i < pattern->step_counts[SERIES_ANCHORS]; i++)
        FORWARD_IF_ERROR(add_sample(taking, pattern->steps[SERIES_ANCHORS][i],
                                    source->steps[SERIES_ANCHORS][i], 0, true, status));
    /* The samples of the dimension itself come before those of other dimensions. */
    for (uint32_t d = 0; d < symmetry->dimensions; d++)
        FORWARD_IF_ERROR(take_along(taking, source, d, d, status));
    for (uint32_t d = 0; d < symmetry->dimensions && symmetry->is_shared; d++)
        for (uint32_t along = 0; along < symmetry->dimensions; along++)
            if (along != d) FORWARD_IF_ERROR(take_along(taking, source, d, along, status));
    struct series_shape_walk walk = {
        .rank = &taking->role->folded, .context = taking, .visit = add_loop_sample};
    return series_shape_walk(&walk, &taking->role->shape, status);
}

static status_code take_all(struct taking *taking, struct status *status) {
    const struct series *series = taking->symmetry->series;
    FORWARD_IF_ERROR(series_samples_number(series, taking->role, status));
    struct series_shape_walk walk = {
        .rank = &taking->role->folded, .context = taking, .visit = note_visit};
    FORWARD_IF_ERROR(series_shape_walk(&walk, &taking->role->shape, status));
    for (uint32_t i = 0; i < taking->pattern->count; i++)
        taking->role->steps[taking->visits[i].index_in_role].visit_count++;
    for (uint32_t k = 0; k < series->program_count; k++)
        for (uint32_t r = 0; r < series->programs[k].program->rank_count; r++) {
            taking->program = k;
            taking->rank = r;
            FORWARD_IF_ERROR(take_rank(taking, status));
        }
    taking->role->programs = series->program_count;
    return STATUS_OK;
}

status_code series_sources_take(const struct symmetry *symmetry,
                                const struct symmetry_pattern *pattern, struct series_role *role,
                                struct status *status) {
    struct taking taking = {.symmetry = symmetry,
                            .pattern = pattern,
                            .role = role,
                            .visits = memory_new(pattern->count + 1u, sizeof *taking.visits),
                            .matches = memory_new(pattern->count + 1u, sizeof *taking.matches)};
    status_code code = taking.visits == NULL || taking.matches == NULL
                           ? status_set(status, STATUS_MEMORY, "out of memory for roles")
                           : take_all(&taking, status);
    free(taking.visits);
    free(taking.matches);
    return code;
}
