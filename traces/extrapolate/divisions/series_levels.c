/*
 * Coarse levels of a multigrid: every second rank along each dimension of a grid takes part in the
 * first one, every second one of these ranks in the next one, and so on. The number of ranks
 * decides how many levels there are, and in which of them a rank takes part. No rule for roles
 * gives that. So the calls are divided into those of the coarse levels, which are a program of
 * fewer ranks, and the other calls. Both are extrapolated alone, and the two new programs are
 * joined. The coarse levels may be divided again.
 *
 * A few programs do not show how the number of levels grows. So the coarse levels are first
 * compared with smaller programs: the coarse levels of 32 ranks are a program of 16 ranks, which
 * may look like the whole program of 16 ranks (series_level_likeness.c), or like its inner levels
 * (series_level_inner.c).
 *
 * Invariant: a call belongs to the coarse levels if all ranks that it brings together take part in
 * them. All ranks that take part have equally many runs of such calls, in all programs that have
 * runs, and no request is in flight where a run begins or ends. Ranks with the same other calls
 * have the runs at the same places between these calls.
 */
#include "traces/extrapolate/divisions/series_levels.h"

#include "core/memory/memory.h"
#include "traces/extrapolate/divisions/series_call_sets.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/output/series_findings.h"
#include "traces/program/content_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TRIED = 4,      /* divisions of a series */
    MOST_DEPTH = 6,      /* of divided series in each other */
    FEWEST_PROGRAMS = 3, /* coarse levels that are extrapolated */
    FEWEST_RANKS = 8,    /* of the largest coarse levels that are extrapolated */
    FEW_RANKS = 12       /* up to so many, the finding is uncertain */
};

/* ---- the new coarse levels ---- */

/* Compares each program of the series with all coarse levels of as many ranks. Sets *fits to
 * whether there are such pairs, and all of them look alike. */
static status_code compare_with_series(const struct level_divider *divider,
                                       struct program *const *coarse,
                                       struct level_likeness *likeness, bool *fits,
                                       struct status *status) {
    const struct series *series = divider->series;
    *fits = true;
    for (uint32_t k = 0; k < series->program_count && *fits; k++)
        for (uint32_t j = 0; j < series->program_count && *fits; j++)
            if (series->programs[j].program->rank_count == coarse[k]->rank_count)
                FORWARD_IF_ERROR(series_level_likeness_add(likeness, series->programs[j].program,
                                                           coarse[k], fits, status));
    *fits = *fits && series_level_likeness_tests(likeness) > 0;
    return STATUS_OK;
}

/* Makes the new coarse levels, which have `wanted` ranks, from a program of the series with as many
 * ranks, if all coarse levels look like such programs. *new stays NULL otherwise. Sets *tests to
 * the number of comparisons. */
static status_code copy_program(const struct level_divider *divider, struct program *const *coarse,
                                uint32_t wanted, struct program **new, uint32_t *tests,
                                struct status *status) {
    const struct series *series = divider->series;
    struct level_likeness *likeness = series_level_likeness_new();
    struct status other = STATUS_INIT;
    bool fits;
    RETURN_ERROR_IF(likeness == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    status_code code = compare_with_series(divider, coarse, likeness, &fits, status);
    for (uint32_t k = 0; k < series->program_count && fits && code == STATUS_OK; k++) {
        if (series->programs[k].program->rank_count != wanted) continue;
        code = series_level_likeness_make(likeness, series->programs[k].program,
                                          series->config->threads, new, &other);
        if (code == STATUS_OK) *tests = series_level_likeness_tests(likeness);
        if (code == STATUS_INPUT)
            code = STATUS_OK; /* the likeness does not say what some level becomes */
        else if (code != STATUS_OK)
            status_set(status, code, "%s", other.text);
        break;
    }
    status_clear(&other);
    series_level_likeness_free(likeness);
    return code;
}

/* Returns whether the series shows the neighbours in the new coarse levels: along each dimension in
 * which these have more than two ranks, the coarse levels of some program have more than two ranks,
 * too. Only coarse levels of `ranks` ranks or more count. */
static bool shows_dimensions(const struct level_divider *divider, uint32_t ranks) {
    const struct series *series = divider->series;
    if (divider->choice != LEVEL_BY_STEP) return true;
    const uint32_t step = divider->step, grid = divider->grid;
    for (uint32_t d = 0; d < series->grids.rules[grid].dimensions; d++) {
        bool is_shown = series->target.of[grid][d] <= 2 * step;
        for (uint32_t k = 0; k < series->program_count; k++)
            is_shown = is_shown || (divider->sets[k].count >= ranks &&
                                    series->programs[k].extents.of[grid][d] > 2 * step);
        if (!is_shown) return false;
    }
    return true;
}

/* Extrapolates the coarse levels as a series of their own, if FEWEST_PROGRAMS of them or more have
 * different numbers of ranks, and the largest have FEWEST_RANKS ranks or more: fewer ranks show no
 * levels. Those of the fewest ranks may have one rank along a dimension, and so make other calls:
 * they are left out if no rule fits with them. */
static status_code extrapolate_coarse(const struct level_divider *divider, struct program **coarse,
                                      uint32_t wanted, struct program **new,
                                      struct extrapolate_report *report, struct status *status) {
    const struct series *series = divider->series;
    struct extrapolate_config config = *series->config;
    const struct program *list[64];
    uint32_t count = 0;
    bool fits = true;
    struct level_likeness *likeness = series_level_likeness_new();
    status_code code = STATUS_OK;
    config.ranks = wanted;
    config.exact_sizes = true;
    memset(config.grid, 0, sizeof config.grid);
    RETURN_ERROR_IF(likeness == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    for (uint32_t k = 0; k < series->program_count && fits && code == STATUS_OK; k++) {
        const bool is_equal = count > 0 && list[count - 1]->rank_count == coarse[k]->rank_count;
        if (is_equal)
            code = series_level_likeness_add(likeness, list[count - 1], coarse[k], &fits, status);
        if (coarse[k]->rank_count > 1 && !is_equal) list[count++] = coarse[k];
    }
    fits = fits && series_level_likeness_is_equal(likeness) && wanted > 1 && count > 0 &&
           list[count - 1]->rank_count >= FEWEST_RANKS;
    series_level_likeness_free(likeness);
    FORWARD_IF_ERROR(code);
    status_set(status, STATUS_INPUT, "the coarse levels follow no rule");
    for (uint32_t first = 0;
         fits && status->code == STATUS_INPUT && count - first >= FEWEST_PROGRAMS; first++) {
        if (!shows_dimensions(divider, list[first]->rank_count)) return status->code;
        status_clear(status);
        program_free(*new);
        extrapolate_report_free(report);
        series_extrapolate(new, report, list + first, count - first, &config,
                           series->division_depth + 1, status);
    }
    return status->code;
}

/* Makes the new coarse levels. The caller frees *new, also after errors. Sets *tests to the number
 * of comparisons which show that they look like a smaller program; 0: they are extrapolated. */
static status_code make_coarse(const struct level_divider *divider, struct program **new,
                               struct extrapolate_report *report, uint32_t *tests,
                               struct status *status) {
    const struct series *series = divider->series;
    const uint32_t count = series->program_count, wanted = divider->sets[count].count;
    struct program **coarse = memory_new(count, sizeof *coarse);
    RETURN_ERROR_IF(coarse == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    status_code code = STATUS_OK;
    bool fits = true;
    for (uint32_t k = 0; k < count && fits && code == STATUS_OK; k++)
        code = series_level_part_make(divider, k, true, &coarse[k], &fits, status);
    if (code == STATUS_OK && !fits)
        code = status_set(status, STATUS_INPUT, "communicators of coarse levels have other ranks");
    const bool is_of_levels = divider->choice == LEVEL_BY_STEP;
    if (code == STATUS_OK && is_of_levels)
        code = copy_program(divider, coarse, wanted, new, tests, status);
    if (code == STATUS_OK && *new == NULL && is_of_levels)
        code = series_level_inner_copy(divider, coarse, wanted, new, tests, report, status);
    if (code == STATUS_OK && *new == NULL)
        code = extrapolate_coarse(divider, coarse, wanted, new, report, status);
    for (uint32_t k = 0; k < count; k++)
        program_free(coarse[k]);
    free(coarse);
    return code;
}

/* ---- the search ---- */

/* Adds the finding about a server to the report. */
static status_code add_server(const struct level_divider *divider,
                              struct extrapolate_report *report, struct status *status) {
    char law[SERIES_TEXT];
    snprintf(law, sizeof law,
             "all ranks but %s exchange messages in %u runs, and are extrapolated alone",
             divider->choice == LEVEL_BUT_FIRST ? "rank 0" : "the last one", divider->runs);
    const struct extrapolate_finding finding = {
        .subject = "server",
        .where = divider->choice == LEVEL_BUT_FIRST ? "rank 0" : "the last rank",
        .law = law,
        .fit = "exact",
        .count = divider->runs};
    return series_finding_add(report, &finding, status);
}

/* Adds the finding about coarse levels to the report. tests: as make_coarse sets it. */
static status_code add_finding(const struct level_divider *divider, uint32_t tests,
                               struct extrapolate_report *report, struct status *status) {
    const struct series *series = divider->series;
    const struct level_set *set = &divider->sets[series->program_count];
    char where[SERIES_TEXT], law[3 * SERIES_TEXT], fit[SERIES_TEXT] = "exact", text[SERIES_TEXT];
    grid_text(series, divider->grid, &series->target, text, sizeof text);
    snprintf(where, sizeof where, "%u of %u ranks", set->count, set->ranks);
    snprintf(law, sizeof law, "every %s rank along each dimension of %s takes part, in %u runs%s",
             divider->step == 2   ? "second"
             : divider->step == 4 ? "fourth"
                                  : "eighth",
             text, divider->runs,
             tests > 0 ? "; they are those of a smaller program" : "; they are extrapolated alone");
    const bool are_few =
        tests == 0 && set->count > 1 && divider->sets[series->program_count - 1].count <= FEW_RANKS;
    if (tests == 1) snprintf(fit, sizeof fit, "exact, but one program shows it");
    if (are_few) snprintf(fit, sizeof fit, "exact, but so few ranks do not show all levels");
    const struct extrapolate_finding finding = {.subject = "coarse levels",
                                                .where = where,
                                                .law = law,
                                                .fit = fit,
                                                .count = divider->runs,
                                                .uncertain = tests == 1 || are_few};
    return series_finding_add(report, &finding, status);
}

/* Extrapolates the other calls. The caller frees *fine, also after errors. */
static status_code make_fine(const struct level_divider *divider, struct program **fine,
                             struct extrapolate_report *report, struct status *status) {
    const struct series *series = divider->series;
    const uint32_t count = series->program_count;
    struct program **parts = memory_new(count, sizeof *parts);
    struct extrapolate_config config = *series->config;
    bool fits = true;
    RETURN_ERROR_IF(parts == NULL, status, STATUS_MEMORY, "out of memory for coarse levels");
    status_code code = STATUS_OK;
    config.exact_sizes = true;
    for (uint32_t k = 0; k < count && code == STATUS_OK; k++)
        code = series_level_part_make(divider, k, false, &parts[k], &fits, status);
    if (code == STATUS_OK)
        code = series_extrapolate(fine, report, (const struct program *const *)parts, count,
                                  &config, series->division_depth + 1, status);
    for (uint32_t k = 0; k < count; k++)
        program_free(parts[k]);
    free(parts);
    return code;
}

/* Adds the finding that the new program has the tags of the largest program, if it does. */
static status_code add_tags(const struct level_divider *divider, struct extrapolate_report *report,
                            struct status *status) {
    const struct series *series = divider->series;
    char law[SERIES_TEXT];
    if (divider->tags == NULL) return STATUS_OK;
    snprintf(law, sizeof law, "those of the program of %u ranks, in their order",
             series->programs[series->program_count - 1].program->rank_count);
    const struct extrapolate_finding finding = {.subject = "tags",
                                                .where = "all levels but the coarse ones",
                                                .law = law,
                                                .fit = "they follow the number of levels",
                                                .count = (uint32_t)divider->tags[0].count,
                                                .uncertain = true};
    return series_finding_add(report, &finding, status);
}

/* Extrapolates both parts of a series, and joins the new programs. */
static status_code try_division(const struct level_divider *divider, struct program **program,
                                struct extrapolate_report *report, struct status *status) {
    struct program *fine = NULL, *coarse = NULL;
    struct extrapolate_report fine_report = {0}, coarse_report = {0};
    uint32_t tests = 0;
    status_code code = STATUS_OK;
    if (divider->sets[divider->series->program_count].count > 1)
        code = make_coarse(divider, &coarse, &coarse_report, &tests, status);
    if (code == STATUS_OK) code = make_fine(divider, &fine, &fine_report, status);
    if (code == STATUS_OK) code = series_level_parts_join(divider, fine, coarse, program, status);
    if (code == STATUS_OK)
        code = divider->choice == LEVEL_BY_STEP ? add_finding(divider, tests, report, status)
                                                : add_server(divider, report, status);
    if (code == STATUS_OK) code = add_tags(divider, report, status);
    if (code == STATUS_OK) code = series_findings_move(report, &fine_report, status);
    if (code == STATUS_OK) code = series_findings_move(report, &coarse_report, status);
    extrapolate_report_free(&fine_report);
    extrapolate_report_free(&coarse_report);
    program_free(fine);
    program_free(coarse);
    return code;
}

/* Does the same, with the tags of the largest program in all programs. */
static status_code try_by_order(struct level_divider *divider, struct program **program,
                                struct extrapolate_report *report, struct status *status) {
    bool differ, fits;
    FORWARD_IF_ERROR(series_level_tags_find(divider, &differ, status));
    if (differ) FORWARD_IF_ERROR(series_level_divide_by_order(divider, &fits, status));
    if (!differ || !fits)
        return status_set(status, STATUS_INPUT, "the tags of levels follow no rule");
    return try_division(divider, program, report, status);
}

/* Tries a division by every step-th rank along each dimension of a grid, or by all ranks but one.
 * Counts it in *tried if the series can be divided so. */
static status_code try_ranks(struct series *series, level_choice choice, uint32_t grid,
                             uint32_t step, uint32_t *tried, struct program **program, bool *found,
                             struct status *status) {
    struct level_divider divider;
    struct status other = STATUS_INIT;
    bool fits = true;
    status_code code = series_level_divider_new(&divider, series, grid, step, status);
    divider.choice = choice;
    if (code == STATUS_OK) code = series_level_divide(&divider, &fits, status);
    if (code == STATUS_OK && fits) {
        ++*tried;
        code = try_division(&divider, program, series->findings.report, &other);
        if (code == STATUS_INPUT && choice == LEVEL_BY_STEP) {
            status_clear(&other);
            program_free(*program);
            *program = NULL;
            code = try_by_order(&divider, program, series->findings.report, &other);
        }
        *found = code == STATUS_OK;
        if (code == STATUS_INPUT) {
            program_free(*program);
            *program = NULL;
            code = STATUS_OK;
        } else if (code != STATUS_OK) {
            status_set(status, code, "%s", other.text);
        }
        status_clear(&other);
    }
    series_level_divider_free(&divider);
    return code;
}

/* Returns whether a rule gives grids of so many dimensions, and is not rare and has no given
 * extents. */
static bool is_plain(const struct series_grid_rule *rule, uint32_t dimensions) {
    bool plain = rule->dimensions == dimensions && !grid_is_rare(rule);
    for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++)
        plain = plain && rule->given[d] == 0;
    return plain;
}

status_code series_levels_find(struct series *series, struct program **program, bool *found,
                               struct status *status) {
    static const uint32_t steps[] = {2, 4, 8};
    uint32_t tried = 0;
    *found = false;
    if (series->division_depth >= MOST_DEPTH) return STATUS_OK;
    for (uint32_t dimensions = 1; dimensions <= 3; dimensions++)
        for (size_t s = 0; s < (dimensions == 1 ? sizeof steps / sizeof *steps : 1); s++)
            for (uint32_t g = 0; g < series->grids.count && !*found && tried < MOST_TRIED; g++)
                if (is_plain(&series->grids.rules[g], dimensions))
                    FORWARD_IF_ERROR(try_ranks(series, LEVEL_BY_STEP, g, steps[s], &tried, program,
                                               found, status));
    return STATUS_OK;
}

status_code series_server_find(struct series *series, struct program **program, bool *found,
                               struct status *status) {
    uint32_t tried = 0;
    *found = false;
    if (series->division_depth > 0) return STATUS_OK;
    for (int choice = LEVEL_BUT_FIRST; choice <= LEVEL_BUT_LAST && !*found; choice++)
        FORWARD_IF_ERROR(
            try_ranks(series, (level_choice)choice, 0, 1, &tried, program, found, status));
    return STATUS_OK;
}
