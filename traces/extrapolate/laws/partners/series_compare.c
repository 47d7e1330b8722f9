/*
 * Alternatives of laws of partners. Many laws give the partners of the ranks of one role, such as a
 * corner. So if several roles follow a law, another law is its alternative only if it takes the
 * place of the law in all of these roles.
 */
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/series_laws.h"
#include "traces/extrapolate/refusals/series_where.h"
#include "traces/extrapolate/roles/series_keys.h"
#include "traces/extrapolate/roles/series_samples.h"
#include "traces/extrapolate/steps/series_steps.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether `own` is one of some laws. */
static bool have_law(const struct series_value_law *laws, const struct series_law *own) {
    for (uint32_t g = 0; g < laws->law_count; g++)
        if (law_peer_is_same(&laws->laws[g], own)) return true;
    return false;
}

/* Returns whether a sample is of a later iteration of a loop whose iterations have one law. Laws
 * without iterations then give it the partner of the first iteration. */
static bool is_repeated(const struct series_role_step *step, const struct series_value_law *laws,
                        const struct series_sample *sample) {
    for (uint32_t l = 0; l < step->depth && laws->levels < SERIES_LOOP_SETS; l++)
        if ((laws->levels >> l & 1) == 0 && sample->index[l] > 0) return true;
    return false;
}

/* Returns whether the law `other` gives all partners of a value of a step that follow the law
 * `own`. Sets *follows to whether some do. */
static bool takes_step(const struct series *series, const struct series_role *role,
                       const struct series_role_step *step, uint32_t field,
                       const struct series_law *own, const struct series_law *other,
                       bool *follows) {
    const struct series_value_law *laws = &step->laws[field];
    struct series_law_data one = {
        .series = series, .role = role, .step = step, .what = SERIES_VALUE_PEER, .count = 1};
    const bool has_index = law_peer_has_index(series, own) || law_peer_has_index(series, other);
    *follows = false;
    if (!have_law(laws, own)) return true;
    for (size_t i = 0; i < step->sample_count; i++) {
        const uint32_t number = (uint32_t)i;
        if (series->grids.symmetric > 0 && (step->samples[i].view > 0 || !step->samples[i].is_near))
            continue;
        if (!has_index && is_repeated(step, laws, &step->samples[i])) continue;
        const uint32_t group = law_group_of(
            role, step, laws->levels,
            series->programs[step->samples[i].program].program->rank_count, step->samples[i].index);
        if (laws->law_count > 1 && !law_peer_is_same(&laws->laws[group], own)) continue;
        int64_t peer;
        one.samples = &number;
        const struct series_place place = law_place(&one, 0);
        *follows = true;
        if (!law_peer(series, other, &place, &peer) || peer != step->samples[i].values[field])
            return false;
    }
    return true;
}

/* Returns whether `other` may take the place of the law in a role: it gives all partners of some
 * step of the same symbol that follow the law, or no such step follows the law. */
static bool takes_role(const struct law_peer_search *search, const struct series_role *role,
                       const struct series_law *other) {
    const struct series *series = search->data->series;
    bool any = false;
    for (size_t i = 0; i < role->step_count; i++) {
        const struct series_role_step *step = &role->steps[i];
        if (step->symbol != search->data->step->symbol) continue;
        for (uint32_t v = 0; v < step->law_count; v++) {
            bool follows;
            if (step->laws[v].what != SERIES_VALUE_PEER) continue;
            if (takes_step(series, role, step, v, search->law, other, &follows) && follows)
                return true;
            any = any || follows;
        }
    }
    return !any;
}

/* Returns whether `other` may take the place of the law in all other roles. */
static bool holds(const struct law_peer_search *search, const struct series_law *other) {
    const struct series *series = search->data->series;
    for (size_t r = 0; r < series->roles.count; r++) {
        const struct series_role *role = &series->roles.list[r];
        if (role == search->data->role || role->target_members == 0) continue;
        if (!takes_role(search, role, other)) return false;
    }
    return true;
}

/* Returns whether an alternative is a pair (law_peer_is_pair), so that the partner may be either
 * neighbour along a dimension: in a grid in use, if the law is among all ranks, or in one with
 * recorded dimensions, if the law's grid has none. */
static bool is_between(const struct series *series, const struct series_law *law,
                       const struct series_law *other) {
    const bool is_of_rank = series->grids.rules[law->grid].dimensions == 1;
    return ((is_of_rank && series->grids.used[other->grid]) ||
            series_grid_is_refuted(series, other->grid, law->grid)) &&
           law_peer_is_pair(series, other);
}

static status_code refuse_between(const struct series *series, const struct series_role *role,
                                  const struct series_role_step *step, struct status *status) {
    char where[SERIES_WHERE_TEXT];
    series_where_step(series, role, step, false, where, sizeof where);
    return status_set(
        status, STATUS_INPUT,
        "%s: the partner may be one rank up or one rank down along a dimension, whose "
        "extent is 2 in all programs; add a program with a larger extent",
        where);
}

/* Looks for alternatives of the laws of one partner. */
static status_code compare(struct series *series, const struct series_role *role,
                           struct series_role_step *step, uint32_t field, struct status *status) {
    struct series_value_law *laws = &step->laws[field];
    struct series_role_step pool = {0};
    struct series_law_data data = {.series = series,
                                   .role = role,
                                   .step = step,
                                   .field = field,
                                   .what = SERIES_VALUE_PEER,
                                   .choice = laws->choice};
    /* A view exchanges the dimensions of one grid, and says nothing about rules in others. */
    if (series->grids.symmetric > 0) data.choice = SERIES_SAMPLES_BOTH;
    if (laws->is_pooled) {
        FORWARD_IF_ERROR(series_samples_pool(series, step, false, &pool, status));
        data.step = &pool;
    }
    struct series_groups groups;
    status_code code = series_groups_make(&data, laws->levels, laws->law_count, &groups, status);
    for (uint32_t g = 0; g < laws->law_count && code == STATUS_OK; g++) {
        const struct series_law_data group = series_groups_data(&groups, g, &data);
        const struct law_peer_search search = {&group, &laws->laws[g], holds};
        struct series_alternative alternative;
        if (group.count == 0 || !law_peer_alternative(&search, &alternative)) continue;
        if (is_between(series, &laws->laws[g], &alternative.law))
            code = refuse_between(series, role, step, status);
        else
            code = series_alternative_keep(series, &alternative, 1, &laws->laws[g], status);
    }
    series_groups_free(&groups);
    return code;
}

enum { MOST_GROUPS = 64 }; /* of iterations that are looked at one by one */

/* The sets of grids from which partners follow, so that equal partners are looked at once. */
struct fitting_grids {
    struct key_table index;                     /* [hash of the partners]: index in sets */
    uint64_t (*sets)[(SERIES_GRIDS + 63) / 64]; /* bit g % 64 of word g / 64: grid g */
    size_t count, capacity;
};

/* Sets *set to the grids from which a group of partners follows; no grid, if the partners also
 * follow from rules among all ranks. */
static status_code find_fitting(struct fitting_grids *fitting, const struct series_law_data *group,
                                const uint64_t **set, struct status *status) {
    uint32_t number = key_table_find(&fitting->index, group->partner_hash);
    if (number == KEY_TABLE_NONE) {
        number = (uint32_t)fitting->count;
        FORWARD_IF_ERROR(memory_grow((void **)&fitting->sets, &fitting->capacity,
                                     fitting->count + 1, sizeof *fitting->sets, status));
        FORWARD_IF_ERROR(key_table_insert(&fitting->index, group->partner_hash, number, status));
        uint64_t *grids = fitting->sets[fitting->count++];
        memset(grids, 0, sizeof *fitting->sets);
        const uint32_t tried = law_peer_fits(group, 0) ? 0 : group->series->grids.count;
        for (uint32_t g = 1; g < tried; g++)
            if (law_peer_fits(group, g)) grids[g / 64] |= UINT64_C(1) << g % 64;
    }
    *set = fitting->sets[number];
    return STATUS_OK;
}

/* Adds to counts[g] in how many iterations a partner follows from grid g, and not from rules among
 * all ranks. */
static status_code count_grids(const struct series *series, const struct series_role *role,
                               const struct series_role_step *step, uint32_t field,
                               struct fitting_grids *fitting, uint32_t *counts,
                               struct status *status) {
    struct series_law_data data = {.series = series,
                                   .role = role,
                                   .step = step,
                                   .field = field,
                                   .what = SERIES_VALUE_PEER,
                                   .programs = role->programs};
    uint32_t levels = 0, count = 1;
    for (uint32_t l = 0; l < step->depth; l++) {
        const uint32_t trips = role->loops[step->loops[l]].fixed_trips;
        if (trips == 0 || count > MOST_GROUPS / trips) continue;
        levels |= 1u << l;
        count *= trips;
    }
    struct series_groups groups;
    status_code code = series_groups_make(&data, levels, count, &groups, status);
    for (uint32_t group = 0; group < count && code == STATUS_OK; group++) {
        const struct series_law_data own = series_groups_data(&groups, group, &data);
        const uint64_t *grids;
        if (own.count == 0) continue;
        code = find_fitting(fitting, &own, &grids, status);
        for (uint32_t g = 1; g < series->grids.count && code == STATUS_OK; g++)
            counts[g] += grids[g / 64] >> g % 64 & 1;
    }
    series_groups_free(&groups);
    return code;
}

/* Does the same for all partners of all roles. */
static status_code count_all(const struct series *series, struct fitting_grids *fitting,
                             uint32_t *counts, struct status *status) {
    for (size_t r = 0; r < series->roles.count; r++) {
        const struct series_role *role = &series->roles.list[r];
        for (size_t i = 0; i < role->step_count && role->target_members > 0; i++) {
            const struct series_symbol *symbol = &series->steps.symbols[role->steps[i].symbol];
            for (uint32_t v = 0; v < symbol->value_count; v++)
                if (series->steps.kinds[symbol->first_kind + v] == SERIES_VALUE_PEER)
                    FORWARD_IF_ERROR(
                        count_grids(series, role, &role->steps[i], v, fitting, counts, status));
        }
    }
    return STATUS_OK;
}

status_code series_compare_grids(struct series *series, struct status *status) {
    uint32_t counts[SERIES_GRIDS] = {UINT32_MAX};
    struct fitting_grids fitting = {0};
    for (uint32_t g = 0; g < series->grids.count; g++)
        series->grids.search_order[g] = g;
    const status_code code = count_all(series, &fitting, counts, status);
    key_table_free(&fitting.index);
    free(fitting.sets);
    FORWARD_IF_ERROR(code);
    for (uint32_t g = 1; g < series->grids.count; g++)
        if (series->grids.rules[g].is_recorded) counts[g] = UINT32_MAX - 1;
    for (uint32_t g = 1; g < series->grids.count; g++) {
        uint32_t place = g;
        for (; counts[series->grids.search_order[place - 1]] < counts[g]; place--)
            series->grids.search_order[place] = series->grids.search_order[place - 1];
        series->grids.search_order[place] = g;
    }
    return STATUS_OK;
}

status_code series_compare_peers(struct series *series, struct status *status) {
    for (size_t r = 0; r < series->roles.count; r++) {
        struct series_role *role = &series->roles.list[r];
        for (size_t i = 0; i < role->step_count && role->target_members > 0; i++)
            for (uint32_t v = 0; v < role->steps[i].law_count; v++)
                if (role->steps[i].laws[v].what == SERIES_VALUE_PEER)
                    FORWARD_IF_ERROR(compare(series, role, &role->steps[i], v, status));
    }
    return STATUS_OK;
}

/* ---- laws of iterations ---- */

/* Returns whether a law of partners depends on iterations, and is not in the grid of the roles. For
 * example, the neighbours of a rank in the middle of a small grid are all other ranks in their
 * order. */
static bool is_beside_roles(const struct series *series, const struct series_value_law *laws) {
    return series_has_positions(series) && laws->levels == 0 &&
           laws->laws[0].grid != series->roles.rule.grid &&
           law_peer_has_index(series, &laws->laws[0]);
}

bool series_peers_are_weak(const struct series *series, const struct series_value_law *laws) {
    for (uint32_t g = 0; g < laws->law_count; g++)
        if (laws->laws[g].is_weak || laws->laws[g].is_of_one_rank) return true;
    return is_beside_roles(series, laws);
}

bool series_peers_are_neighbours(const struct series *series, const struct series_value_law *laws) {
    for (uint32_t g = 0; g < laws->law_count; g++)
        if (!law_peer_is_neighbour(series, &laws->laws[g])) return false;
    return true;
}
