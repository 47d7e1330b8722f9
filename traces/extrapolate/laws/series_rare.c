/*
 * Computation of roles that one program alone has, such as the ranks inside a box, and fits of
 * values of roles that few programs have. One program shows a number, and no law. If other roles
 * make the same call in more programs, the rare role takes their law of the computation before this
 * call, if the law gives this number, or grows as their laws do.
 */
#include "core/base/greatest_common_divisor.h"
#include "core/base/wide.h"
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/law_features.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/series_laws.h"

#include <stdlib.h>

/* Computation before a call in a rare role, which is the same on all ranks of the role. */
struct rare {
    struct series *series;
    struct series_law_data data; /* with the role and the step, to walk through the new program */
    struct series_place known;   /* place of a rank of the series that has the role */
    struct series_law *law;      /* of the computation: a constant, which may be replaced */
};

/* A walk through laws of other roles: where the next one is looked for. */
struct rare_walk {
    size_t role, step;
    uint32_t law;
};
/* Returns the next law of the computation before the same call in a role that more programs have;
 * NULL: there are no more. */
static const struct series_law *next_law(const struct rare *rare, struct rare_walk *walk) {
    const struct series *series = rare->series;
    for (; walk->role < series->roles.count; walk->role++, walk->step = 0) {
        const struct series_role *role = &series->roles.list[walk->role];
        if (role->programs <= rare->data.role->programs || role->target_members == 0) continue;
        for (; walk->step < role->step_count; walk->step++, walk->law = 0) {
            const struct series_role_step *step = &role->steps[walk->step];
            if (step->symbol != rare->data.step->symbol || step->laws == NULL) continue;
            while (walk->law < step->laws->law_count) {
                const struct series_law *law = &step->laws->laws[walk->law++];
                const bool is_constant = law->kind == SERIES_LAW_CONSTANT;
                if (law->programs > 1 &&
                    (is_constant || (law->kind == SERIES_LAW_LINEAR &&
                                     law_feature_is_of_program(law->feature.row))))
                    return law;
            }
        }
    }
    return NULL;
}

/* Takes the law of other roles that gives the number of the rare role; of several, that of the most
 * programs. The others are its alternatives, if they differ in the new program. Sets *found to
 * whether there is one. */
static status_code take_equal(const struct rare *rare, bool *found, struct status *status) {
    const int64_t value = rare->law->a;
    struct series_alternatives alternatives = {.count = 0};
    const struct series_law *other;
    struct series_law best = {.programs = 0};
    int64_t known;
    for (struct rare_walk walk = {0}; (other = next_law(rare, &walk)) != NULL;)
        if (other->programs > best.programs &&
            law_value(rare->series, other, &rare->known, &known) && known == value)
            best = *other;
    *found = best.programs > 0;
    if (!*found) return STATUS_OK;
    best.alternative = best.alternative_count = 0;
    for (struct rare_walk walk = {0}; (other = next_law(rare, &walk)) != NULL;)
        if (law_value(rare->series, other, &rare->known, &known) && known == value)
            law_add_alternative(&rare->data, other, false, &best, &alternatives);
    *rare->law = best;
    return series_alternative_keep(rare->series, alternatives.list, alternatives.count, rare->law,
                                   status);
}

/* Sets the factor *over / *under by which a law grows from the program of the rare role to the new
 * one. wanted: a place in the new program. Returns false if the law gives one of them no positive
 * value. */
static bool growth_of(const struct rare *rare, const struct series_law *law,
                      const struct series_place *wanted, int64_t *over, int64_t *under) {
    return law_value(rare->series, law, &rare->known, under) && *under > 0 &&
           law_value(rare->series, law, wanted, over) && *over > 0;
}

/* Takes a law in proportion to those of all other roles, if all of these grow by one factor, and
 * the new law gives the new program a whole number. law->programs stays 1: one program shows it. */
static void take_proportional(const struct rare *rare) {
    struct law_target_walk target = {.data = &rare->data};
    const struct series_law *other, *first = NULL;
    int64_t over = 0, under = 0, own_over, own_under;
    if (rare->law->a <= 0 || !law_target_next(&target)) return;
    for (struct rare_walk walk = {0}; (other = next_law(rare, &walk)) != NULL;) {
        if (other->kind == SERIES_LAW_CONSTANT && other->a == 0) continue;
        if (!growth_of(rare, other, &target.place, &own_over, &own_under)) return;
        if (first != NULL && (wide)own_over * (wide)under != (wide)over * (wide)own_under) return;
        if (first == NULL) {
            first = other;
            over = own_over;
            under = own_under;
        }
    }
    if (first == NULL || first->kind != SERIES_LAW_LINEAR || first->a != 0) return;
    struct series_law law = *first;
    int64_t known, top, bottom;
    if (!law_feature_value(rare->series, &law.feature, &rare->known, &top, &bottom) || top <= 0)
        return;
    const wide factor = (wide)rare->law->a * (wide)bottom;
    if (factor > INT64_MAX) return;
    const uint64_t common = greatest_common_divisor((uint64_t)factor, (uint64_t)top);
    law.b = (int64_t)((uint64_t)factor / common);
    law.d = (int64_t)((uint64_t)top / common);
    law.programs = rare->law->programs;
    law.alternative = law.alternative_count = 0;
    if (law_value(rare->series, &law, &target.place, &known)) *rare->law = law;
}

status_code series_rare_replace(struct series *series, struct series_role *role,
                                struct status *status) {
    for (size_t s = 0; s < role->step_count; s++) {
        struct series_role_step *step = &role->steps[s];
        if (step->laws == NULL || step->laws->what != SERIES_VALUE_COMPUTE) continue;
        for (uint32_t g = 0; g < step->laws->law_count; g++) {
            struct rare rare = {.series = series,
                                .data = {.series = series,
                                         .role = role,
                                         .step = step,
                                         .what = SERIES_VALUE_COMPUTE,
                                         .samples = &(uint32_t){0},
                                         .count = 1,
                                         .levels = step->laws->levels,
                                         .group = g},
                                .law = &step->laws->laws[g]};
            bool found;
            if (rare.law->kind != SERIES_LAW_CONSTANT || rare.law->programs > 1) continue;
            rare.known = law_place(&rare.data, 0);
            FORWARD_IF_ERROR(take_equal(&rare, &found, status));
            if (!found) take_proportional(&rare);
        }
    }
    return STATUS_OK;
}

status_code series_rare_fit(struct series *series, const struct series_law_data *data,
                            const struct series_role_step *pool, struct series_value_law *laws,
                            struct status *status) {
    struct series_value_law own = {0};
    struct series_law_data pooled = *data;
    bool found = false;
    pooled.step = pool;
    FORWARD_IF_ERROR(series_laws_try(series, &pooled, 0, laws, true, &found, status));
    if (!found) return STATUS_OK;
    const status_code code = series_laws_try(series, data, 0, &own, true, &found, status);
    if (code == STATUS_OK && found) {
        struct series_fit *of_pool = &series->laws.fits[series->laws.fit_count - 2];
        struct series_fit *of_own = &series->laws.fits[series->laws.fit_count - 1];
        const bool is_better =
            of_own->error >= 0 && (of_pool->error < 0 || of_own->error < of_pool->error / 2);
        if (is_better) {
            const struct series_fit fit = *of_pool;
            *of_pool = *of_own;
            *of_own = fit;
            laws->laws[0].programs = own.laws[0].programs;
            laws->laws[0].is_open = own.laws[0].is_open;
        }
        series_fit_drop(series);
    }
    free(own.laws);
    return code;
}
