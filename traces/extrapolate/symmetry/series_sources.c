/*
 * Sources of roles by symmetry: the roles of the series from which a role is inferred that no
 * program has. Lists for each step of a role what was found in all programs: in steps of other
 * roles that stand at the same place, and along other dimensions that are alike. What is found
 * along another dimension is seen in a view of its program in which the two dimensions are
 * exchanged.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/roles/series_samples.h"
#include "traces/extrapolate/steps/series_shape.h"
#include "traces/extrapolate/symmetry/series_symmetry.h"
#include "traces/extrapolate/symmetry/series_views.h"

#include <stdlib.h>
#include <string.h>

/* Where a step of the role stands in its loops. */
struct step_visit {
    uint32_t index_in_role; /* of the step */
    uint32_t index[SERIES_DEPTH];
    uint32_t trips[SERIES_DEPTH];
};

struct taking {
    const struct symmetry *symmetry;
    const struct symmetry_pattern *pattern;
    struct series_role *role;
    struct step_visit *visits; /* [step of the pattern] */
    uint32_t program, rank;    /* while loops take samples */
    uint32_t *matches;         /* step along the dimension in the class of another role */
};

static status_code visit(const struct series_shape_walk *walk, const struct series_shape_node *node,
                         struct status *status) {
    (void)status;
    struct taking *taking = walk->context;
    if (node->symbol == SERIES_LOOP) return STATUS_OK;
    struct step_visit *own = &taking->visits[walk->steps];
    own->index_in_role = node->index_in_role;
    memcpy(own->index, walk->index, sizeof own->index);
    memcpy(own->trips, walk->trips, sizeof own->trips);
    return STATUS_OK;
}

/* The trips of loops are the same in all programs. */
static status_code visit_loop(const struct series_shape_walk *walk,
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

/* Finds the step of another class that corresponds to step i along a dimension. */
static bool match_class(const struct symmetry *symmetry, uint32_t dimension, uint32_t from,
                        uint32_t to, uint32_t i, uint32_t *match) {
    for (size_t l = 0; l < symmetry->seen_count; l++)
        for (size_t r = 0; r < symmetry->seen_count; r++)
            for (uint32_t d = 0; d < symmetry->dimensions; d++) {
                const struct symmetry_pattern *left = &symmetry->patterns[l],
                                              *right = &symmetry->patterns[r];
                struct symmetry_range segment;
                if ((d != dimension && !symmetry->is_shared) ||
                    !symmetry_is_pair(symmetry, left, right, d, from, to))
                    continue;
                if (!symmetry_segment(symmetry, left, right, d, i, &segment)) return false;
                if (i - segment.first < segment.before) {
                    *match = segment.other_first + (i - segment.first);
                    return true;
                }
                *match = segment.other_end - (segment.end - i);
                return segment.end - i <= segment.behind &&
                       *match >= segment.other_first + segment.before;
            }
    return false;
}

/* Sets, for each step along a dimension in the role, the step of the class `to`. */
static void match_all(struct taking *taking, uint32_t dimension, uint32_t to, uint32_t *matches) {
    const struct symmetry_pattern *pattern = taking->pattern;
    for (uint32_t i = 0; i < pattern->step_counts[dimension]; i++)
        if (pattern->classes[dimension] == to)
            matches[i] = i;
        else if (!match_class(taking->symmetry, dimension, pattern->classes[dimension], to, i,
                              &matches[i]))
            matches[i] = PROGRAM_NONE;
}

/* Copies the values of a step, with its partners as they are seen in a view. */
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

/* Adds what a rank has at a step: step `from` of its own. */
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

/* Takes what a rank of the series has along a dimension, at the steps of the role that cross one.
 */
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

static status_code take_rank(struct taking *taking, struct status *status) {
    const struct symmetry *symmetry = taking->symmetry;
    const struct symmetry_pattern *pattern = taking->pattern;
    const struct symmetry_pattern *source =
        find_pattern(symmetry, series_role_key(symmetry->series, taking->program, taking->rank));
    for (uint32_t i = 0; i < pattern->step_counts[SERIES_ANCHORS]; i++)
        FORWARD_IF_ERROR(add_sample(taking, pattern->steps[SERIES_ANCHORS][i],
                                    source->steps[SERIES_ANCHORS][i], 0, true, status));
    /* The samples of the dimension itself come first. */
    for (uint32_t d = 0; d < symmetry->dimensions; d++)
        FORWARD_IF_ERROR(take_along(taking, source, d, d, status));
    for (uint32_t d = 0; d < symmetry->dimensions && symmetry->is_shared; d++)
        for (uint32_t along = 0; along < symmetry->dimensions; along++)
            if (along != d) FORWARD_IF_ERROR(take_along(taking, source, d, along, status));
    struct series_shape_walk walk = {
        .rank = &taking->role->folded, .context = taking, .visit = visit_loop};
    return series_shape_walk(&walk, &taking->role->shape, status);
}

static status_code take_all(struct taking *taking, struct status *status) {
    const struct series *series = taking->symmetry->series;
    FORWARD_IF_ERROR(series_samples_number(series, taking->role, status));
    struct series_shape_walk walk = {
        .rank = &taking->role->folded, .context = taking, .visit = visit};
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
