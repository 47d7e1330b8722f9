/*
 * Finds a law for each value of each step: first one law for all iterations, then laws of their own
 * for the iterations of loops that have the same trips in all programs. Values that follow no exact
 * law are refused, unless they are measured times, or the user allows approximations.
 */
#include "traces/extrapolate/laws/series_laws.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"
#include "traces/extrapolate/refusals/series_where.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/roles/series_samples.h"
#include "traces/extrapolate/steps/series_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LAWS = 1 << 20 }; /* of one value */

/* What happens to values that follow no exact law. */
typedef enum value_policy {
    POLICY_EXACT,   /* they are refused */
    POLICY_SIZE,    /* they are fitted if series->assumptions.approximates, else refused */
    POLICY_MEASURED /* they are fitted: measured times, and numbers that a replay does not use */
} value_policy;

static const struct {
    const char *name;
    value_policy policy;
} kinds[SERIES_VALUE_KINDS] = {
    [SERIES_VALUE_COMPUTE] = {"computation", POLICY_MEASURED},
    [SERIES_VALUE_GAP] = {"time in the trace", POLICY_MEASURED},
    [SERIES_VALUE_EVENTS] = {"number of records", POLICY_MEASURED},
    [SERIES_VALUE_DURATION] = {"duration in the trace", POLICY_MEASURED},
    [SERIES_VALUE_PEER] = {"partner", POLICY_EXACT},
    [SERIES_VALUE_BYTES] = {"bytes sent", POLICY_SIZE},
    [SERIES_VALUE_RECEIVED] = {"bytes received", POLICY_SIZE},
    [SERIES_VALUE_TAG] = {"tag", POLICY_EXACT},
    [SERIES_VALUE_ROOT] = {"root", POLICY_EXACT},
    [SERIES_VALUE_SEND_BYTES] = {"bytes given to a collective", POLICY_SIZE},
    [SERIES_VALUE_RECEIVE_BYTES] = {"bytes taken from a collective", POLICY_SIZE},
    [SERIES_VALUE_WAIT] = {"request waited for", POLICY_SIZE},
    [SERIES_VALUE_TRIPS] = {"trips of a loop", POLICY_EXACT},
};

const char *series_value_name(series_value_kind what) {
    return kinds[what].name;
}

/* Looks for the exact law of one group of samples, and keeps its alternatives. */
static status_code find_group_law(struct series *series, const struct series_law_data *data,
                                  struct series_law *law, bool *found, struct status *status) {
    struct series_alternatives alternatives = {.count = 0};
    *found = data->what == SERIES_VALUE_PEER ? law_find_peer(data, law)
                                             : law_find_value(data, law, &alternatives);
    series_rounds_mark(data, law, &alternatives);
    return *found
               ? series_alternative_keep(series, alternatives.list, alternatives.count, law, status)
               : STATUS_OK;
}

status_code series_laws_try(struct series *series, const struct series_law_data *wanted,
                            uint32_t levels, struct series_value_law *laws, bool fit, bool *found,
                            struct status *status) {
    const struct series_role_step *step = wanted->step;
    uint64_t count = 1;
    const uint32_t turns = levels / SERIES_LOOP_SETS;
    if (turns > 0) count = turns == 1 || turns >= LAW_ROUNDS ? 2 : turns;
    for (uint32_t l = 0; l < step->depth && count <= MOST_LAWS && levels < SERIES_LOOP_SETS; l++)
        if (levels >> l & 1) count *= wanted->role->loops[step->loops[l]].fixed_trips;
    *found = false;
    if (count > MOST_LAWS) return STATUS_OK;
    struct series_groups groups;
    bool used[SERIES_GRIDS]; /* to restore if the laws are dropped */
    memcpy(used, series->grids.used, sizeof used);
    *laws = (struct series_value_law){.what = wanted->what,
                                      .levels = levels,
                                      .law_count = (uint32_t)count,
                                      .laws = memory_new(count, sizeof *laws->laws),
                                      .choice = wanted->choice};
    status_code code = series_groups_make(wanted, levels, (uint32_t)count, &groups, status);
    if (code == STATUS_OK && laws->laws == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for laws");
    *found = code == STATUS_OK;
    for (uint32_t g = 0; g < count && *found; g++) {
        const struct series_law_data data = series_groups_data(&groups, g, wanted);
        if (data.count == 0) {
            *found = wanted->choice == SERIES_SAMPLES_ALL; /* else other samples may be here */
            continue;
        }
        if (fit)
            code = law_fit(series, &data, &laws->laws[g], status);
        else if (kinds[wanted->what].policy == POLICY_MEASURED && data.count < 2)
            *found = false; /* one measured value shows no law */
        else
            code = find_group_law(series, &data, &laws->laws[g], found, status);
        *found = *found && code == STATUS_OK;
        if (*found) series_law_mark_grid(series, &laws->laws[g]);
    }
    series_groups_free(&groups);
    if (!*found) {
        free(laws->laws);
        laws->laws = NULL;
        memcpy(series->grids.used, used, sizeof used);
    }
    return code;
}

/* Refuses a value: "WHERE: BEFORE the KIND (EXAMPLE) AFTER". */
static status_code refuse(const struct series *series, const struct series_law_data *data,
                          const char *before, const char *after, struct status *status) {
    const struct series_role_step *step = data->step;
    const struct series_sample *sample = &step->samples[step->sample_count - 1];
    const struct series_law_data all = {.series = data->series,
                                        .step = step,
                                        .field = data->field,
                                        .is_loop = data->is_loop,
                                        .samples = &(uint32_t){(uint32_t)step->sample_count - 1}};
    char where[SERIES_WHERE_TEXT];
    series_where_step(series, data->role, step, data->is_loop, where, sizeof where);
    return status_set(status, STATUS_INPUT, "%s: %s the %s (%" PRId64 " on rank %u of %u ranks)%s",
                      where, before, kinds[data->what].name, law_sample_value(&all, 0),
                      sample->rank, series->programs[sample->program].program->rank_count, after);
}

static bool is_any_open(const struct series_value_law *laws) {
    for (uint32_t g = 0; g < laws->law_count; g++)
        if (laws->laws[g].is_open) return true;
    return false;
}

/* Returns whether the trips of a loop are a multiple of so many iterations on all ranks, and more
 * than these on some. */
static bool is_repeated(const struct series_role_step *step, uint32_t level, uint32_t iterations) {
    if (!series_trips_are_multiples(step, level, iterations)) return false;
    for (size_t i = 0; i < step->sample_count; i++)
        if (step->samples[i].trips[level] > iterations) return true;
    return false;
}

/* Looks for one law in the first iteration of a loop and another one in all others, and then for n
 * laws that take turns, n from 2: a rank may repeat a few calls of one kind, such as two sends. */
static status_code try_remainders(struct series *series, const struct series_law_data *data,
                                  uint32_t level, struct series_value_law *laws, bool *found,
                                  struct status *status) {
    enum { LARGEST_DIVISOR = 6 };
    const bool is_noted = kinds[data->what].policy == POLICY_MEASURED &&
                          data->what != SERIES_VALUE_COMPUTE; /* a replay does not use them */
    if (data->what != SERIES_VALUE_PEER)
        FORWARD_IF_ERROR(series_laws_try(series, data, SERIES_LOOP_SETS | 1u << level, laws, false,
                                         found, status));
    series_laws_drop_open(laws, found);
    if (is_noted) return STATUS_OK;
    for (uint32_t divisor = 2; divisor <= LARGEST_DIVISOR && !*found; divisor++) {
        if (!is_repeated(data->step, level, divisor)) continue;
        FORWARD_IF_ERROR(series_laws_try(series, data, divisor * SERIES_LOOP_SETS | 1u << level,
                                         laws, false, found, status));
        series_laws_drop_open(laws, found);
    }
    return STATUS_OK;
}

/* Replaces weak laws of partners (series_peers_are_weak), if the partners of single iterations, or
 * of iterations by turns, have laws by which they are neighbours: calls that follow each other look
 * like a loop. levels: the set of loops with fixed trips. */
static status_code replace_weak(struct series *series, const struct series_law_data *data,
                                uint32_t levels, struct series_value_law *laws,
                                struct status *status) {
    for (uint32_t l = data->step->depth; l-- > 0 && series_peers_are_weak(series, laws);) {
        struct series_value_law own = {0};
        bool found = false;
        if (laws->laws[0].is_of_one_rank)
            FORWARD_IF_ERROR(try_remainders(series, data, l, &own, &found, status));
        if (!found && (levels >> l & 1) != 0)
            FORWARD_IF_ERROR(series_laws_try(series, data, 1u << l, &own, false, &found, status));
        if (!found) continue;
        const bool is_better = series_peers_are_neighbours(series, &own) && !is_any_open(&own);
        free(is_better ? laws->laws : own.laws);
        if (is_better) *laws = own;
    }
    return STATUS_OK;
}

/* Returns the set of loops around a value that have fixed trips. */
static uint32_t fixed_levels(const struct series_law_data *data) {
    const struct series_role_step *step = data->step;
    uint32_t all = 0;
    for (uint32_t l = 0; l < step->depth - (data->is_loop ? 1u : 0u); l++)
        if (data->role->loops[step->loops[l]].fixed_trips > 0) all |= 1u << l;
    return all;
}

/* Looks for exact laws: one for all iterations, then one for each iteration of one loop with fixed
 * trips, then of all such loops, then by turns, then by rounds. */
static status_code find_exact(struct series *series, const struct series_law_data *data,
                              struct series_value_law *laws, bool *found, struct status *status) {
    const uint32_t depth = data->step->depth - (data->is_loop ? 1u : 0u), all = fixed_levels(data);
    uint32_t tried = 0;
    FORWARD_IF_ERROR(series_laws_try(series, data, 0, laws, false, found, status));
    if (*found && data->what == SERIES_VALUE_PEER)
        FORWARD_IF_ERROR(replace_weak(series, data, all, laws, status));
    for (uint32_t l = depth; l-- > 0 && !*found;) {
        if ((all >> l & 1) == 0) continue;
        tried = 1u << l;
        FORWARD_IF_ERROR(series_laws_try(series, data, tried, laws, false, found, status));
    }
    if (!*found && all != tried && all != 0)
        FORWARD_IF_ERROR(series_laws_try(series, data, all, laws, false, found, status));
    for (uint32_t l = depth; l-- > 0 && !*found;)
        if ((all >> l & 1) == 0)
            FORWARD_IF_ERROR(try_remainders(series, data, l, laws, found, status));
    for (uint32_t l = 0; l < depth && !*found; l++)
        FORWARD_IF_ERROR(series_laws_try_rounds(series, data, l, laws, found, status));
    return STATUS_OK;
}

/* Looks for one law of a value in the pool of all roles, since roles at the ends of a grid may be
 * in few programs. Fills the pool if it is empty. */
static status_code find_in_pool(struct series *series, const struct series_law_data *data,
                                struct series_role_step *pool, struct series_value_law *laws,
                                bool *found, struct status *status) {
    if (pool->sample_count == 0)
        FORWARD_IF_ERROR(series_samples_pool(series, data->step, data->is_loop, pool, status));
    if (pool->sample_count == data->step->sample_count) return STATUS_OK;
    struct series_law_data pooled = *data;
    const struct series_pooled_law *known = series_pooled_find(series, data);
    pooled.step = pool;
    if (known != NULL) return series_pooled_take(known, data->what, laws, found, status);
    const status_code code = series_laws_try(series, &pooled, 0, laws, false, found, status);
    laws->is_pooled = true;
    if (code == STATUS_OK)
        return series_pooled_keep(series, data, *found ? laws->laws : NULL, status);
    return code;
}

/* Looks for laws of a partner, root or tag as if all ranks had one role. For roles that make the
 * same calls: a role of one rank has too few partners. */
static status_code find_in_alike_roles(struct series *series, const struct series_law_data *data,
                                       struct series_value_law *laws, bool *found,
                                       struct status *status) {
    struct series_role_step all;
    struct series_law_data alike = *data;
    const size_t number = (size_t)(data->step - data->role->steps);
    if (data->is_loop || kinds[data->what].policy != POLICY_EXACT) return STATUS_OK;
    FORWARD_IF_ERROR(series_samples_join_roles(series, data->role, number, &all, status));
    alike.step = &all;
    status_code code = STATUS_OK;
    if (all.sample_count > 0) code = find_exact(series, &alike, laws, found, status);
    free(all.samples);
    return code;
}

/* Looks for one law that holds for a loop and for another one on the same level in another role
 * that more programs have. */
static status_code find_in_loops(struct series *series, const struct series_law_data *data,
                                 struct series_value_law *laws, bool *found,
                                 struct status *status) {
    for (size_t r = 0; r < series->roles.count && !*found; r++) {
        const struct series_role *role = &series->roles.list[r];
        for (size_t i = 0; i < role->loop_count && !*found; i++) {
            struct series_role_step both = *data->step;
            struct series_law_data pooled = *data;
            if (role == data->role || role->programs <= data->role->programs ||
                role->loops[i].depth != data->step->depth)
                continue;
            FORWARD_IF_ERROR(
                series_samples_join(series, data->step, &role->loops[i], &both, status));
            pooled.step = &both;
            const status_code code =
                series_laws_try(series, &pooled, 0, laws, false, found, status);
            free(both.samples);
            laws->is_pooled = true;
            FORWARD_IF_ERROR(code);
        }
    }
    return STATUS_OK;
}

/* Refuses a value without an exact law, unless it is measured or may be approximated. */
static status_code check_policy(struct series *series, const struct series_law_data *data,
                                struct status *status) {
    const value_policy policy = kinds[data->what].policy;
    if (policy == POLICY_MEASURED || (policy == POLICY_SIZE && series->assumptions.approximates))
        return STATUS_OK;
    series->outcome.lacks_rule = policy == POLICY_EXACT;
    series->outcome.lacks_size = policy == POLICY_SIZE;
    if (!data->is_loop)
        series->outcome.sizes = (struct series_lacking){data->step->symbol, data->field};
    if (data->what == SERIES_VALUE_PEER || data->what == SERIES_VALUE_TAG) {
        series->outcome.lacking_role = data->role;
        series->outcome.lacking_step = data->step;
    }
    return refuse(
        series, data, "no rule gives",
        policy == POLICY_SIZE ? "; extrapolate.approximate replaces them by a distribution" : "",
        status);
}

/* Writes a law, and its value. */
static void rule_text(const struct series *series, const struct series_law *law, bool has_value,
                      int64_t value, char *text, size_t size) {
    char rule[2 * SERIES_TEXT];
    law_text(series, law, rule, sizeof rule);
    if (has_value)
        snprintf(text, size, "%s, which is %" PRId64, rule, value);
    else
        snprintf(text, size, "%s, which is no whole number", rule);
}

/* Refuses a value with several laws that are equally good. */
static status_code refuse_open(const struct series *series, const struct series_law_data *data,
                               const struct series_law *law, struct status *status) {
    char text[8 * SERIES_TEXT] = "; add a program with another number of ranks";
    if (law->alternative > 0) {
        const struct series_alternative *alternative =
            &series->laws.alternatives[law->alternative - 1];
        char left[3 * SERIES_TEXT], right[3 * SERIES_TEXT];
        rule_text(series, law, alternative->has_own, alternative->own, left, sizeof left);
        rule_text(series, &alternative->law, alternative->has_other, alternative->other, right,
                  sizeof right);
        snprintf(text, sizeof text,
                 ", and they differ on rank %u of %u ranks: %s, or %s; add a program with another "
                 "number of ranks",
                 alternative->rank, series->target_ranks, left, right);
    } else if (data->what == SERIES_VALUE_PEER && law_peer_is_pair(series, law)) {
        law_peer_pair_text(series, law, text, sizeof text);
    }
    return refuse(series, data, "several rules fit", text, status);
}

/* Returns how many samples of a step are along its own dimension. */
static uint64_t own_count(const struct series_role_step *step) {
    uint64_t own = 0;
    for (size_t i = 0; i < step->sample_count; i++)
        own += step->samples[i].view == 0;
    return own;
}

/* Returns whether all programs have the step along its own dimension. */
static bool has_own(const struct series *series, const struct series_role_step *step) {
    uint64_t ranks = 0;
    for (uint32_t k = 0; k < series->program_count; k++)
        ranks += series->programs[k].program->rank_count;
    return own_count(step) == ranks * step->visit_count;
}

/* Looks for the law of a value of a role by symmetry: of a partner, first in samples of ranks that
 * have the class of the role; of any other value, first in samples along the step's own dimension.
 */
static status_code find_symmetric(struct series *series, const struct series_law_data *wanted,
                                  struct series_value_law *laws, bool *found,
                                  struct status *status) {
    struct series_law_data data = *wanted;
    const bool is_peer = data.what == SERIES_VALUE_PEER;
    const series_sample_choice order[] = {is_peer ? SERIES_SAMPLES_NEAR : SERIES_SAMPLES_OWN,
                                          SERIES_SAMPLES_ALL,
                                          is_peer ? SERIES_SAMPLES_ALL : SERIES_SAMPLES_NEAR};
    if (data.is_loop) return find_exact(series, &data, laws, found, status);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        data.choice = order[i];
        if (data.choice == SERIES_SAMPLES_OWN && own_count(data.step) == 0) continue;
        /* If the dimension has values of its own, those of other dimensions say nothing about it.
         */
        if (!is_peer && data.choice == SERIES_SAMPLES_NEAR && own_count(data.step) > 0) continue;
        free(laws->laws);
        laws->laws = NULL;
        FORWARD_IF_ERROR(find_exact(series, &data, laws, found, status));
        if (*found && !is_any_open(laws)) return STATUS_OK;
    }
    return STATUS_OK;
}

/* Gives a receive the length of the message that it takes. */
static status_code follow_sender(const struct series_law_data *data, struct series_value_law *laws,
                                 struct status *status) {
    free(laws->laws);
    *laws = (struct series_value_law){.what = data->what, .law_count = 1};
    laws->laws = memory_new(1, sizeof *laws->laws);
    RETURN_ERROR_IF(laws->laws == NULL, status, STATUS_MEMORY, "out of memory for laws");
    laws->laws[0] =
        (struct series_law){.kind = SERIES_LAW_SENDER, .programs = data->series->program_count};
    return STATUS_OK;
}

/* Replaces laws by the law of the pool of all roles, if this is not open. Sets *found to whether it
 * was replaced. */
static status_code replace_by_pool(struct series *series, const struct series_law_data *data,
                                   struct series_role_step *pool, struct series_value_law *laws,
                                   bool *found, struct status *status) {
    struct series_value_law pooled = {0};
    *found = false;
    FORWARD_IF_ERROR(find_in_pool(series, data, pool, &pooled, found, status));
    *found = *found && !is_any_open(&pooled);
    free(*found ? laws->laws : pooled.laws);
    if (*found) *laws = pooled;
    return STATUS_OK;
}

/* Replaces laws of sizes and constant trips that the samples of a role do not decide
 * (law_shared_extent.c) by laws that all roles have in common. Without such laws they stay. */
static status_code replace_shared_extent(struct series *series, const struct series_law_data *data,
                                         struct series_role_step *pool,
                                         struct series_value_law *laws, struct status *status) {
    bool is_of_pool = laws->is_pooled && pool->sample_count > 0;
    FORWARD_IF_ERROR(
        series_common_replace(series, data, is_of_pool ? pool : data->step, laws, status));
    if (!law_trips_share_extent(data, is_of_pool ? pool : data->step, laws)) return STATUS_OK;
    if (!is_of_pool)
        FORWARD_IF_ERROR(replace_by_pool(series, data, pool, laws, &is_of_pool, status));
    laws->laws[0].shares_extent =
        law_trips_share_extent(data, is_of_pool ? pool : data->step, laws);
    return STATUS_OK;
}

/* Returns whether a fit replaces exact laws: they give the new program no value that it can have,
 * or margins refute them. Sets *exact to what refuted laws give, or 0. */
static bool is_replaced_by_fit(const struct series *series, const struct series_law_data *data,
                               struct series_value_law *laws, int64_t *exact) {
    const value_policy policy = kinds[data->what].policy;
    *exact = 0;
    if (policy == POLICY_MEASURED) return !law_is_possible(data, laws);
    if (policy != POLICY_SIZE || !series->assumptions.approximates) return false;
    if (law_margins_refute(data, laws, exact)) return true;
    *exact = 0;
    return law_is_of_bytes(data->what) && !is_any_open(laws) && !law_is_possible(data, laws) &&
           !law_round(data, laws);
}

static status_code find_law(struct series *series, const struct series_law_data *data,
                            struct series_role_step *pool, struct series_value_law *laws,
                            struct status *status) {
    bool found = false, is_replaced;
    int64_t exact = 0;
    const bool is_symmetric = series->grids.symmetric > 0;
    const bool is_rare = data->role->programs < 3 && data->role->programs < series->program_count;
    /* Roles that were made for one size say nothing about other values. */
    if (is_symmetric ? law_is_of_bytes(data->what)
                     : is_rare || series->assumptions.roles_are_of_sizes)
        FORWARD_IF_ERROR(find_in_pool(series, data, pool, laws, &found, status));
    if (found && data->what == SERIES_VALUE_PEER && !is_symmetric)
        FORWARD_IF_ERROR(replace_weak(series, data, fixed_levels(data), laws, status));
    if (!found && series->assumptions.roles_are_of_sizes && !is_symmetric)
        FORWARD_IF_ERROR(find_in_alike_roles(series, data, laws, &found, status));
    if (!found && is_rare && !is_symmetric)
        FORWARD_IF_ERROR(series_common_find(series, data, laws, &found, status));
    if (is_symmetric && !found)
        FORWARD_IF_ERROR(find_symmetric(series, data, laws, &found, status));
    else if (!found)
        FORWARD_IF_ERROR(find_exact(series, data, laws, &found, status));
    if (!found && !is_rare && !is_symmetric)
        FORWARD_IF_ERROR(find_in_pool(series, data, pool, laws, &found, status));
    if (!found && is_rare && data->is_loop && !is_symmetric && data->role->programs > 1)
        FORWARD_IF_ERROR(find_in_loops(series, data, laws, &found, status));
    if (!found && !is_rare && !is_symmetric)
        FORWARD_IF_ERROR(series_common_find(series, data, laws, &found, status));
    if (!found && is_symmetric)
        FORWARD_IF_ERROR(series_common_by_other_dimension(series, data, laws, &found, status));
    if (found && !is_symmetric && law_is_of_bytes(data->what) && is_any_open(laws))
        FORWARD_IF_ERROR(replace_by_pool(series, data, pool, laws, &is_replaced, status));
    if (found && !is_symmetric)
        FORWARD_IF_ERROR(replace_shared_extent(series, data, pool, laws, status));
    if (found && is_symmetric)
        laws->laws[0].shares_extent = law_symmetric_trips_share_extent(data, laws);
    if (found && is_replaced_by_fit(series, data, laws, &exact)) {
        free(laws->laws);
        *laws = (struct series_value_law){.what = data->what};
        found = false;
    }
    if (data->what == SERIES_VALUE_RECEIVED && series->steps.receives_follow &&
        (!found || is_any_open(laws)))
        return follow_sender(data, laws, status);
    for (uint32_t g = 0; found && g < laws->law_count; g++)
        if (laws->laws[g].is_open && kinds[data->what].policy != POLICY_MEASURED)
            return refuse_open(series, data, &laws->laws[g], status);
    if (found) return STATUS_OK;
    FORWARD_IF_ERROR(check_policy(series, data, status));
    struct series_law_data fitted = *data;
    fitted.exact = exact;
    fitted.known_program = data->step->samples[data->step->sample_count - 1].program;
    if (is_symmetric &&
        (has_own(series, data->step) || (law_is_of_message(data) && law_has_own(data->step))))
        fitted.choice = SERIES_SAMPLES_OWN;
    if (is_rare && pool->sample_count > 0)
        return series_rare_fit(series, &fitted, pool, laws, status);
    return series_laws_try(series, &fitted, 0, laws, true, &found, status);
}

/* Finds the laws of the partners of a step, or those of all other values. */
static status_code find_step_laws(struct series *series, struct series_role *role,
                                  struct series_role_step *step, bool is_loop, bool peers,
                                  struct status *status) {
    const struct series_symbol *symbol = is_loop ? NULL : &series->steps.symbols[step->symbol];
    step->law_count = is_loop ? 1 : symbol->value_count;
    if (step->laws == NULL) step->laws = memory_new(step->law_count, sizeof *step->laws);
    RETURN_ERROR_IF(step->laws == NULL, status, STATUS_MEMORY, "out of memory for laws");
    struct series_role_step pool = {0};
    status_code code = STATUS_OK;
    for (uint32_t v = 0; v < step->law_count && code == STATUS_OK; v++) {
        struct series_law_data data = {.series = series,
                                       .role = role,
                                       .step = step,
                                       .field = v,
                                       .is_loop = is_loop,
                                       .what = SERIES_VALUE_TRIPS};
        if (!is_loop) data.what = (series_value_kind)series->steps.kinds[symbol->first_kind + v];
        if ((data.what == SERIES_VALUE_PEER) != peers) continue;
        code = find_law(series, &data, &pool, &step->laws[v], status);
    }
    return code;
}

/* Refuses a role that one program alone has, if it has sizes or tags: one program shows no law.
 * Sizes may be approximated. */
static status_code check_role(const struct series *series, const struct series_role *role,
                              struct status *status) {
    for (size_t s = 0; s < role->step_count; s++) {
        const struct series_role_step *step = &role->steps[s];
        for (uint32_t v = 0; v < step->law_count; v++) {
            const series_value_kind what = step->laws[v].what;
            if (kinds[what].policy == POLICY_MEASURED || what == SERIES_VALUE_PEER ||
                what == SERIES_VALUE_ROOT || step->laws[v].laws[0].programs > 1 ||
                (kinds[what].policy == POLICY_SIZE && series->assumptions.approximates))
                continue;
            char where[SERIES_WHERE_TEXT];
            series_where_step(series, role, step, false, where, sizeof where);
            return status_set(
                status, STATUS_INPUT,
                "%s: only the program of %u ranks has this role (%s), so no law gives the %s; add "
                "a program that has such ranks%s",
                where, series->programs[step->samples[0].program].program->rank_count,
                series_roles_rule(series), kinds[what].name,
                kinds[what].policy == POLICY_SIZE
                    ? ", or take those of this program with extrapolate.approximate"
                    : "");
        }
    }
    return STATUS_OK;
}

status_code series_laws_find(struct series *series, struct status *status) {
    FORWARD_IF_ERROR(series_compare_grids(series, status));
    series->outcome.has_partners = false;
    /* Partners show which grids are in use. */
    for (int peers = 1; peers >= 0; peers--) {
        for (size_t r = 0; r < series->roles.count; r++) {
            struct series_role *role = &series->roles.list[r];
            if (role->target_members == 0) continue;
            for (size_t i = 0; i < role->loop_count && peers == 0; i++)
                FORWARD_IF_ERROR(
                    find_step_laws(series, role, &role->loops[i], true, false, status));
            for (size_t i = 0; i < role->step_count; i++)
                FORWARD_IF_ERROR(
                    find_step_laws(series, role, &role->steps[i], false, peers == 1, status));
        }
        series->outcome.has_partners = true;
    }
    for (size_t r = 0; r < series->roles.count; r++) {
        struct series_role *role = &series->roles.list[r];
        if (role->programs != 1 || role->target_members == 0) continue;
        const status_code code = check_role(series, role, status);
        if (code != STATUS_OK && series->outcome.of_one_program == 0)
            series->outcome.of_one_program = series->roles.rule.grid;
        if (code != STATUS_OK) return code;
        FORWARD_IF_ERROR(series_rare_replace(series, role, status));
    }
    return law_whole_check(series, status);
}
