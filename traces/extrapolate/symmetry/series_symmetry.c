/*
 * Roles by symmetry. The role of a rank consists of its classes in the dimensions of a grid, such
 * as "low" or "extent 2". The assumption is that the steps of a rank along a dimension depend only
 * on its class in this dimension. Then the steps of a role that no program has follow from those of
 * other roles.
 */
#include "traces/extrapolate/symmetry/series_symmetry.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/steps/series_shape.h"
#include "traces/extrapolate/steps/series_steps.h"
#include "traces/extrapolate/symmetry/series_views.h"
#include "traces/program/content_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- patterns ---- */

/* Returns the one dimension that a symbol crosses; SERIES_ANCHORS: it crosses none, or several. */
static uint32_t dimension_of(const struct series *series, uint32_t symbol) {
    const uint8_t crossed = series->steps.symbols[symbol].crossed;
    const bool is_one = crossed != 0 && (crossed & (crossed - 1)) == 0;
    return is_one ? (uint32_t)__builtin_ctz(crossed) : SERIES_ANCHORS;
}

void symmetry_free(struct symmetry_pattern *pattern) {
    free(pattern->symbols);
    for (uint32_t d = 0; d <= SERIES_DIMENSIONS; d++)
        free(pattern->steps[d]);
    *pattern = (struct symmetry_pattern){0};
}

status_code symmetry_divide(struct symmetry *symmetry, struct symmetry_pattern *pattern,
                            struct status *status) {
    const struct series *series = symmetry->series;
    for (uint32_t i = 0; i < pattern->count; i++)
        pattern->step_counts[dimension_of(series, pattern->symbols[i])]++;
    for (uint32_t d = 0; d <= SERIES_DIMENSIONS; d++) {
        pattern->steps[d] = memory_new(pattern->step_counts[d] + 1, sizeof *pattern->steps[d]);
        RETURN_ERROR_IF(pattern->steps[d] == NULL, status, STATUS_MEMORY,
                        "out of memory for roles");
        pattern->step_counts[d] = 0;
    }
    for (uint32_t i = 0; i < pattern->count; i++) {
        const uint32_t d = dimension_of(series, pattern->symbols[i]);
        pattern->steps[d][pattern->step_counts[d]++] = i;
    }
    return symmetry_normals(symmetry, status);
}

/* Returns the normal form of a symbol: a hash of its words that does not depend on which dimension
 * it crosses. number: its index. */
static uint64_t normal_of(const struct series *series, uint32_t number) {
    const struct series_symbol *symbol = &series->steps.symbols[number];
    const int64_t *words = series->steps.words + symbol->first_word,
                  *end = words + symbol->word_count;
    if (dimension_of(series, number) == SERIES_ANCHORS || words[0] != OPERATION_CALL)
        return content_hash_mix(number);
    uint64_t hash = content_hash_add(1, (uint64_t)words[1]);
    for (words += 2; words < end;) {
        const size_t count = series_part_words(series, words);
        const bool crosses = series_head_kind(*words) != OPERATION_COLLECTIVE;
        for (size_t i = 0; i < count; i++)
            hash = content_hash_add(hash,
                                    crosses && i + 1 == count ? words[i] != 0 : (uint64_t)words[i]);
        words += count;
    }
    return hash;
}

status_code symmetry_normals(struct symmetry *symmetry, struct status *status) {
    const size_t count = symmetry->series->steps.symbol_count;
    FORWARD_IF_ERROR(memory_grow((void **)&symmetry->normals, &symmetry->normal_capacity, count,
                                 sizeof *symmetry->normals, status));
    for (; symmetry->normal_count < count; symmetry->normal_count++)
        symmetry->normals[symmetry->normal_count] =
            normal_of(symmetry->series, (uint32_t)symmetry->normal_count);
    return STATUS_OK;
}

bool symmetry_is_same(const struct symmetry *symmetry, const struct symmetry_pattern *left,
                      uint32_t dimension, const struct symmetry_pattern *right, uint32_t other) {
    if (left->step_counts[dimension] != right->step_counts[other]) return false;
    for (uint32_t i = 0; i < left->step_counts[dimension]; i++)
        if (symmetry_normal(symmetry, left, dimension, i) !=
            symmetry_normal(symmetry, right, other, i))
            return false;
    return true;
}

bool symmetry_is_pair(const struct symmetry *symmetry, const struct symmetry_pattern *left,
                      const struct symmetry_pattern *right, uint32_t dimension, uint32_t from,
                      uint32_t to) {
    if (left->classes[dimension] != from || right->classes[dimension] != to) return false;
    for (uint32_t d = 0; d < symmetry->dimensions; d++)
        if (d != dimension && left->classes[d] != right->classes[d]) return false;
    return true;
}

/* Returns the place of step i along a dimension: how many steps before it do not cross the
 * dimension. */
static uint32_t place_of(const struct symmetry_pattern *pattern, uint32_t dimension, uint32_t i) {
    return pattern->steps[dimension][i] - i;
}

/* Finds the steps along a dimension that are at a place: numbers *first to *end - 1. */
static void find_place(const struct symmetry_pattern *pattern, uint32_t dimension, uint32_t place,
                       uint32_t *first, uint32_t *end) {
    uint32_t low = 0, high = pattern->step_counts[dimension];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (place_of(pattern, dimension, middle) < place)
            low = middle + 1;
        else
            high = middle;
    }
    *first = *end = low;
    while (*end < pattern->step_counts[dimension] && place_of(pattern, dimension, *end) == place)
        ++*end;
}

bool symmetry_range_find(const struct symmetry *symmetry, const struct symmetry_pattern *left,
                         const struct symmetry_pattern *right, uint32_t dimension, uint32_t i,
                         struct symmetry_range *range) {
    const uint32_t place = place_of(left, dimension, i);
    find_place(left, dimension, place, &range->first, &range->end);
    find_place(right, dimension, place, &range->other_first, &range->other_end);
    const uint32_t own = range->end - range->first;
    const uint32_t other = range->other_end - range->other_first;
    const uint32_t fewest = own < other ? own : other;
    range->before = range->behind = 0;
    while (range->before < fewest &&
           symmetry_normal(symmetry, left, dimension, range->first + range->before) ==
               symmetry_normal(symmetry, right, dimension, range->other_first + range->before))
        range->before++;
    while (range->behind < fewest &&
           symmetry_normal(symmetry, left, dimension, range->end - 1 - range->behind) ==
               symmetry_normal(symmetry, right, dimension, range->other_end - 1 - range->behind))
        range->behind++;
    return other > 0;
}

/* ---- the patterns of a series ---- */

static struct symmetry_pattern *find_pattern(const struct symmetry *symmetry, uint32_t key) {
    for (size_t i = 0; i < symmetry->count; i++)
        if (symmetry->patterns[i].key == key) return &symmetry->patterns[i];
    return NULL;
}

static status_code add_pattern(struct symmetry *symmetry, const struct series_rank *rank,
                               uint32_t key, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&symmetry->patterns, &symmetry->capacity,
                                 symmetry->count + 1, sizeof *symmetry->patterns, status));
    struct symmetry_pattern *pattern = &symmetry->patterns[symmetry->count++];
    *pattern =
        (struct symmetry_pattern){.key = key,
                                  .count = (uint32_t)rank->step_count,
                                  .symbols = memory_new(rank->step_count + 1, sizeof(uint32_t))};
    RETURN_ERROR_IF(pattern->symbols == NULL, status, STATUS_MEMORY, "out of memory for roles");
    for (size_t i = 0; i < rank->step_count; i++)
        pattern->symbols[i] = rank->steps[i].symbol;
    for (uint32_t d = 0; d < symmetry->dimensions; d++)
        pattern->classes[d] = series_role_class(symmetry->series, key, d);
    return symmetry_divide(symmetry, pattern, status);
}

static bool has_steps(const struct symmetry_pattern *pattern, const struct series_rank *rank) {
    if (pattern->count != rank->step_count) return false;
    for (size_t i = 0; i < rank->step_count; i++)
        if (pattern->symbols[i] != rank->steps[i].symbol) return false;
    return true;
}

/* Takes one pattern for each role of the series. Sets *fits to whether all ranks of a role have the
 * same steps. */
static status_code take_patterns(struct symmetry *symmetry, bool *fits, struct status *status) {
    const struct series *series = symmetry->series;
    *fits = true;
    for (uint32_t k = 0; k < series->program_count; k++)
        for (uint32_t r = 0; r < series->programs[k].program->rank_count; r++) {
            const struct series_rank *rank = &series->programs[k].ranks[r];
            const uint32_t key = series_role_key(series, k, r);
            const struct symmetry_pattern *known = find_pattern(symmetry, key);
            if (known == NULL)
                FORWARD_IF_ERROR(add_pattern(symmetry, rank, key, status));
            else if (!has_steps(known, rank))
                *fits = false;
            if (!*fits) return STATUS_OK;
        }
    symmetry->seen_count = symmetry->count;
    return STATUS_OK;
}

/* Returns whether roles with equal classes in a dimension have the same steps along it. shared:
 * also compares the classes in different dimensions. */
static bool classes_decide(const struct symmetry *symmetry, bool shared) {
    for (size_t i = 0; i < symmetry->seen_count; i++)
        for (size_t j = 0; j <= i; j++)
            for (uint32_t d = 0; d < symmetry->dimensions; d++)
                for (uint32_t e = 0; e < symmetry->dimensions; e++) {
                    const struct symmetry_pattern *left = &symmetry->patterns[i];
                    const struct symmetry_pattern *right = &symmetry->patterns[j];
                    if ((shared || d == e) && left->classes[d] == right->classes[e] &&
                        !symmetry_is_same(symmetry, left, d, right, e))
                        return false;
                }
    return true;
}

/* Returns whether all patterns of the series have the same anchors. */
static bool anchors_are_equal(const struct symmetry *symmetry) {
    const struct symmetry_pattern *first = &symmetry->patterns[0];
    for (size_t i = 1; i < symmetry->seen_count; i++)
        if (!symmetry_is_same(symmetry, first, SERIES_ANCHORS, &symmetry->patterns[i],
                              SERIES_ANCHORS))
            return false;
    return true;
}

/* Tests the assumption: leaves out each role of the series in turn, and infers it from the other
 * roles. Sets *fits to false if an inferred role differs from that of the series. */
static status_code leave_out_each(struct symmetry *symmetry, bool *fits, struct status *status) {
    for (size_t i = 0; i < symmetry->seen_count && *fits; i++) {
        struct symmetry_pattern made = {0};
        bool could = false;
        status_code code =
            symmetry_infer(symmetry, symmetry->patterns[i].classes, i, &made, &could, status);
        const struct symmetry_pattern *known = &symmetry->patterns[i];
        if (code == STATUS_OK && could)
            *fits = made.count == known->count &&
                    memcmp(made.symbols, known->symbols, made.count * sizeof *made.symbols) == 0;
        symmetry_free(&made);
        if (code != STATUS_OK) return code;
    }
    return STATUS_OK;
}

/* ---- roles of the new program ---- */

/* Infers the patterns of the roles of the new program that no program has. Sets *fits to false if
 * the series does not say one of them. */
static status_code infer_targets(struct symmetry *symmetry, bool *fits, struct status *status) {
    const struct series *series = symmetry->series;
    for (uint32_t r = 0; r < series->target_ranks && *fits; r++) {
        const uint32_t key = series_role_key(series, series->program_count, r);
        if (find_pattern(symmetry, key) != NULL) continue;
        uint32_t classes[SERIES_DIMENSIONS] = {0};
        struct symmetry_pattern made = {0};
        for (uint32_t d = 0; d < symmetry->dimensions; d++)
            classes[d] = series_role_class(series, key, d);
        FORWARD_IF_ERROR(symmetry_infer(symmetry, classes, SIZE_MAX, &made, fits, status));
        if (!*fits) {
            symmetry_free(&made);
            return STATUS_OK;
        }
        made.key = key;
        made.is_inferred = true;
        status_code code = memory_grow((void **)&symmetry->patterns, &symmetry->capacity,
                                       symmetry->count + 1, sizeof made, status);
        if (code != STATUS_OK) {
            symmetry_free(&made);
            return code;
        }
        symmetry->patterns[symmetry->count++] = made;
    }
    return STATUS_OK;
}

/* Folds the steps of a pattern into loops, and sets the shape of a role and role->folded to them.
 */
static status_code fold_pattern(const struct symmetry_pattern *pattern, struct series_role *role,
                                struct status *status) {
    struct series_rank rank = {.step_count = pattern->count};
    rank.steps = memory_new(pattern->count + 1u, sizeof *rank.steps);
    RETURN_ERROR_IF(rank.steps == NULL, status, STATUS_MEMORY, "out of memory for roles");
    for (uint32_t i = 0; i < pattern->count; i++)
        rank.steps[i] = (struct series_step){.symbol = pattern->symbols[i]};
    status_code code = series_fold(&rank, status);
    if (code == STATUS_OK)
        code = series_shape_copy(&role->shape, &rank, rank.first, rank.count, status);
    role->folded = rank;
    return code;
}

/* Adds a role to those of the series. If the new program has it, takes its shape and its samples.
 */
static status_code make_role(const struct symmetry *symmetry,
                             const struct symmetry_pattern *pattern, struct status *status) {
    struct series *series = symmetry->series;
    FORWARD_IF_ERROR(memory_grow((void **)&series->roles.list, &series->roles.capacity,
                                 series->roles.count + 1, sizeof *series->roles.list, status));
    struct series_role *role = &series->roles.list[series->roles.count++];
    *role = (struct series_role){.key = pattern->key, .shape = {.symbol = SERIES_LOOP}};
    if (pattern->is_inferred)
        series_role_text(series, symmetry->patterns[pattern->source].key, role->inferred_from,
                         sizeof role->inferred_from);
    uint32_t rank = 0;
    while (rank < series->target_ranks &&
           series_role_key(series, series->program_count, rank) != pattern->key)
        rank++;
    if (rank == series->target_ranks) return STATUS_OK;
    FORWARD_IF_ERROR(fold_pattern(pattern, role, status));
    return series_sources_take(symmetry, pattern, role, status);
}

static status_code find(struct symmetry *symmetry, bool *found, struct status *status) {
    FORWARD_IF_ERROR(take_patterns(symmetry, found, status));
    if (!*found || !anchors_are_equal(symmetry)) {
        *found = false;
        return STATUS_OK;
    }
    symmetry->is_shared = classes_decide(symmetry, true);
    *found = symmetry->is_shared || classes_decide(symmetry, false);
    if (*found) FORWARD_IF_ERROR(leave_out_each(symmetry, found, status));
    if (*found) FORWARD_IF_ERROR(infer_targets(symmetry, found, status));
    if (!*found) return STATUS_OK;
    symmetry->series->grids.used[symmetry->grid] = true;
    for (size_t i = 0; i < symmetry->count; i++)
        FORWARD_IF_ERROR(make_role(symmetry, &symmetry->patterns[i], status));
    return series_roles_count(symmetry->series, status);
}

status_code series_symmetry_find(struct series *series, bool *found, struct status *status) {
    struct symmetry symmetry = {.series = series,
                                .grid = series->grids.symmetric,
                                .dimensions =
                                    series->grids.rules[series->grids.symmetric].dimensions};
    const status_code code = find(&symmetry, found, status);
    for (size_t i = 0; i < symmetry.count; i++)
        symmetry_free(&symmetry.patterns[i]);
    free(symmetry.patterns);
    free(symmetry.normals);
    return code;
}
