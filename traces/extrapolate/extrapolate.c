/*
 * Extrapolation: the steps from a series of programs to the program of another number of ranks. See
 * series.h.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/divisions/series_call_sets.h"
#include "traces/extrapolate/divisions/series_levels.h"
#include "traces/extrapolate/divisions/series_rotation.h"
#include "traces/extrapolate/grids/series_communicators.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/series_laws.h"
#include "traces/extrapolate/output/scaling.h"
#include "traces/extrapolate/output/series_output.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/roles/series_samples.h"
#include "traces/extrapolate/steps/series_steps.h"
#include "traces/extrapolate/steps/series_tested_requests.h"
#include "traces/extrapolate/symmetry/series_views.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_PROGRAMS = 3, MOST_RANKS = 1 << 24 };

static int compare_ranks(const void *left, const void *right) {
    const struct series_program *a = left, *b = right;
    return (a->program->rank_count > b->program->rank_count) -
           (a->program->rank_count < b->program->rank_count);
}

static const char *source_of(const struct series_program *program) {
    return program_text(program->program, program->program->source);
}

static status_code check(const struct series *series, struct status *status) {
    const uint32_t count = series->program_count;
    for (uint32_t k = 1; k < count; k++)
        RETURN_ERROR_IF(series->programs[k].program->rank_count ==
                            series->programs[k - 1].program->rank_count,
                        status, STATUS_USAGE,
                        "%s and %s both have %u ranks; a series needs different numbers of ranks",
                        source_of(&series->programs[k - 1]), source_of(&series->programs[k]),
                        series->programs[k].program->rank_count);
    RETURN_ERROR_IF(series->programs[0].program->rank_count < 2, status, STATUS_USAGE,
                    "%s has one rank; a series needs programs of at least 2",
                    source_of(&series->programs[0]));
    RETURN_ERROR_IF(series->target_ranks < 2 || series->target_ranks > MOST_RANKS, status,
                    STATUS_USAGE, "extrapolate.ranks is %u; it can be 2 to %d",
                    series->target_ranks, MOST_RANKS);
    return STATUS_OK;
}

/* Drops the roles and laws that an attempt found. used: grids that communicators use. */
static void forget_laws(struct series *series, const bool used[SERIES_GRIDS]) {
    series_roles_forget(series);
    series_fits_forget(series);
    series_pooled_forget(series);
    series->laws.alternative_count = 0;
    memcpy(series->grids.used, used, sizeof series->grids.used);
}

/* Drops the steps, too. */
static void forget(struct series *series, const bool used[SERIES_GRIDS]) {
    forget_laws(series, used);
    series_steps_forget(series);
    series_views_free(series);
    series->grids.symmetric = 0;
    series->assumptions.tags_are_of_dimensions = false;
}

/* Calls the caller's progress function. STATUS_STOPPED: it ends the extrapolation. */
static status_code report_progress(const struct series *series, struct status *status) {
    const struct extrapolate_config *config = series->config;
    RETURN_ERROR_IF(config->progress != NULL && !config->progress(config->progress_context), status,
                    STATUS_STOPPED, "stopped");
    return STATUS_OK;
}

static status_code find_laws(struct series *series, struct status *status) {
    FORWARD_IF_ERROR(series_tested_check(series, status));
    FORWARD_IF_ERROR(series_laws_find(series, status));
    FORWARD_IF_ERROR(series_compare_peers(series, status)); /* with the trips of all loops */
    return series_grids_check(series, status);
}

/* Returns whether the ranks of each role compute about as much. */
static status_code check_balance(const struct series *series, bool *is_balanced,
                                 struct status *status) {
    *is_balanced = true;
    for (size_t i = 0; i < series->roles.count && *is_balanced; i++) {
        struct series_balance balance;
        if (series->roles.list[i].target_members == 0) continue;
        FORWARD_IF_ERROR(series_balance_find(series, &series->roles.list[i], &balance, status));
        *is_balanced = balance.ranks == 0;
    }
    return STATUS_OK;
}

/* Looks for the laws of roles, of which the new program has some ranks each. */
static status_code try_roles(struct series *series, bool is_first, struct status *status) {
    series->outcome.has_roles = series->outcome.has_roles || is_first;
    FORWARD_IF_ERROR(series_samples_take(series, status));
    return find_laws(series, status);
}

/* Returns whether other roles may give what has no rule, or a role that the series lacks: ranks by
 * the zeros of their numbers may be ranks of blocks. A size alone makes roles only if all ranks are
 * alike otherwise. Tags that are values need no roles. */
static bool may_refine(const struct series *series) {
    return (series->outcome.lacks_rule || series->outcome.lacks_role ||
            series->assumptions.tries_other_positions ||
            (series->outcome.lacks_size && series->roles.rule.row == 0)) &&
           !series->assumptions.tags_are_values;
}

/* Where all ranks are alike but for what they compute, takes the first rule by which the ranks of
 * each role compute about as much: rank 0 differs, the last rank, both, or even and odd ranks. If
 * there is none, all ranks remain alike. */
static status_code balance_roles(struct series *series, const bool used[SERIES_GRIDS],
                                 struct status *status) {
    bool is_balanced = true, found = true;
    if (series->roles.rule.row != 0) return STATUS_OK;
    FORWARD_IF_ERROR(check_balance(series, &is_balanced, status));
    if (is_balanced) return STATUS_OK;
    series->assumptions.roles_are_of_sizes = true;
    series->assumptions.roles_are_of_grids = false;
    for (;;) {
        struct status other = STATUS_INIT;
        forget_laws(series, used);
        status_code code = series_roles_next(series, false, &found, &other);
        if (code == STATUS_OK && !found) break;
        if (code == STATUS_OK) code = series_roles_count(series, &other);
        if (code == STATUS_OK) code = try_roles(series, false, &other);
        if (code == STATUS_OK) code = check_balance(series, &is_balanced, &other);
        if (code == STATUS_OK && is_balanced) return code;
        if (code != STATUS_OK && code != STATUS_INPUT) {
            *status = other;
            return code;
        }
        status_clear(&other);
    }
    series->roles.rule = (struct series_role_rule){0};
    series->assumptions.roles_are_of_sizes = false;
    forget_laws(series, used);
    FORWARD_IF_ERROR(series_roles_next(series, true, &found, status));
    FORWARD_IF_ERROR(series_roles_count(series, status));
    return try_roles(series, true, status);
}

/* Tries the rules for roles one by one, until laws fit. Others than the first are tried only where
 * something has no rule at all by the first, not where it has several. Ranks by their numbers are
 * as many as the smallest program has; they do not count. The first error is the clearest one. */
static status_code try_rules(struct series *series, const bool used[SERIES_GRIDS],
                             struct status *status) {
    enum { MOST_TRIED = 48 };
    bool found = false, had_partners = false;
    series->roles.rule = (struct series_role_rule){0};
    series->assumptions.roles_are_of_sizes = series->assumptions.roles_are_of_grids = false;
    for (uint32_t n = 0, tried = 0; tried < MOST_TRIED; n++) {
        struct status other = STATUS_INIT;
        forget_laws(series, used);
        series->outcome.lacks_rule = series->outcome.lacks_size = series->outcome.lacks_role =
            false;
        series->outcome.has_partners = false;
        status_code code = report_progress(series, &other);
        if (code == STATUS_OK) code = series_roles_next(series, n == 0, &found, &other);
        if (code == STATUS_OK && !found) break;
        if (code == STATUS_OK && series->assumptions.tries_other_positions &&
            series->roles.rule.row != series->outcome.missing_positions.row)
            continue;
        tried += !series_roles_are_of_number(series);
        if (code == STATUS_OK) code = series_roles_count(series, &other);
        if (code == STATUS_OK) code = try_roles(series, n == 0, &other);
        if (code == STATUS_OK) {
            status_clear(status);
            return balance_roles(series, used, status);
        }
        const bool is_clearer = series->outcome.has_partners && !had_partners;
        had_partners = had_partners || series->outcome.has_partners;
        if (code != STATUS_INPUT || status->code == STATUS_OK || is_clearer) {
            status_clear(status);
            *status = other;
        } else {
            status_clear(&other);
        }
        series->outcome.had_partners = series->outcome.had_partners || had_partners;
        if (code != STATUS_INPUT || (n == 0 && !may_refine(series))) return status->code;
        if (n == 0 && series->outcome.lacks_size) {
            series->assumptions.roles_are_of_sizes = series->assumptions.roles_are_of_grids = true;
            series_sizes_take(series);
        }
    }
    return status->code != STATUS_OK ? status->code : series_roles_refuse(series, status);
}

/* Looks for roles that programs of the series have, and their laws. */
static status_code find_plainly(struct series *series, const bool used[SERIES_GRIDS],
                                struct status *status) {
    series->assumptions.tags_are_values = series->outcome.had_partners = false;
    FORWARD_IF_ERROR(series_steps_take(series, status));
    if (try_rules(series, used, status) != STATUS_INPUT || series->outcome.has_roles)
        return status->code;
    /* The tags may follow from ranks and iterations. */
    struct status again = STATUS_INIT;
    forget(series, used);
    series->assumptions.tags_are_values = true;
    status_code code = series_steps_take(series, &again);
    if (code == STATUS_OK) code = try_rules(series, used, &again);
    if (code != STATUS_INPUT || series->outcome.has_roles) {
        status_clear(status);
        *status = again;
    } else {
        status_clear(&again);
    }
    return status->code;
}

/* Looks for roles by symmetry in a grid. Sets *found to whether there are any. */
static status_code find_in_grid(struct series *series, uint32_t grid, const bool used[SERIES_GRIDS],
                                bool *found, struct status *status) {
    enum { TAGS_ARE_EQUAL, TAGS_ARE_OF_DIMENSIONS, TAGS_ARE_VALUES, TAGS };
    *found = false;
    for (int tags = TAGS_ARE_EQUAL; tags < TAGS; tags++) {
        forget(series, used);
        series->grids.symmetric = grid;
        series->assumptions.tags_are_values = tags == TAGS_ARE_VALUES;
        series->assumptions.tags_are_of_dimensions = tags == TAGS_ARE_OF_DIMENSIONS;
        if (tags == TAGS_ARE_OF_DIMENSIONS && !series_tags_find(series)) continue;
        FORWARD_IF_ERROR(series_views_make(series, grid, status));
        FORWARD_IF_ERROR(series_steps_take(series, status));
        for (uint32_t n = 0; series_roles_choose(series, n, grid); n++) {
            FORWARD_IF_ERROR(report_progress(series, status));
            series_roles_forget(series);
            FORWARD_IF_ERROR(series_symmetry_find(series, found, status));
            if (*found) return find_laws(series, status);
        }
    }
    return STATUS_OK;
}

/* Looks for roles by symmetry. *status holds why the search for others failed: it stays if that
 * search found roles, so that only laws were missing. */
static status_code find_by_symmetry(struct series *series, const bool used[SERIES_GRIDS],
                                    struct status *status) {
    const bool had_roles = series->outcome.has_roles;
    enum { MOST_TRIED = 4 };
    uint32_t grids[MOST_TRIED];
    struct status rule = STATUS_INIT;
    if (series_roles_by_number(series, &rule) != STATUS_OK) {
        status_clear(status);
        *status = rule;
        return status->code;
    }
    const uint32_t count = series_views_grids(series, grids, MOST_TRIED);
    for (uint32_t i = 0; i < count; i++) {
        struct status other = STATUS_INIT;
        bool found = false;
        const status_code code = find_in_grid(series, grids[i], used, &found, &other);
        if (!found && (code == STATUS_OK || code == STATUS_INPUT)) {
            status_clear(&other);
            continue;
        }
        if (code == STATUS_INPUT && had_roles) {
            status_clear(&other);
            return status->code;
        }
        status_clear(status);
        *status = other;
        return code;
    }
    return status->code;
}

/* Looks for roles by positions in another grid, where no program has some positions in the first
 * one that fits the calls. *status holds why the search failed: it stays if this one fails, too,
 * unless this one alone has partners. */
static status_code find_other_positions(struct series *series, const bool used[SERIES_GRIDS],
                                        struct status *status) {
    struct status other = STATUS_INIT;
    const struct series_role_rule first = series->outcome.missing_positions;
    const bool had_partners = series->outcome.had_partners;
    if (first.row == 0) return status->code;
    forget(series, used);
    series->assumptions.tries_other_positions = true;
    const status_code code = find_plainly(series, used, &other);
    series->assumptions.tries_other_positions = false;
    series->outcome.missing_positions = first;
    const bool is_clearer = series->outcome.had_partners && !had_partners;
    if ((code == STATUS_INPUT && !is_clearer) ||
        (code == STATUS_OK && !used[series->roles.rule.grid] &&
         !law_peers_use_grid(series, series->roles.rule.grid))) {
        status_clear(&other);
        return status->code;
    }
    status_clear(status);
    *status = other;
    return code;
}

static status_code attempt_once(struct series *series, const bool used[SERIES_GRIDS],
                                struct program **program, struct status *status) {
    forget(series, used);
    series->outcome.has_roles = false;
    series->outcome.of_one_program = 0;
    series->outcome.missing_positions = (struct series_role_rule){0};
    status_code code = find_plainly(series, used, status);
    const struct series_role_rule missing = series->outcome.missing_positions;
    series->outcome.missing_positions = (struct series_role_rule){0};
    if (code == STATUS_INPUT) code = find_by_symmetry(series, used, status);
    if (code == STATUS_INPUT) {
        series->outcome.missing_positions = missing;
        code = find_other_positions(series, used, status);
    }
    if (code != STATUS_OK) return code;
    FORWARD_IF_ERROR(report_progress(series, status));
    return series_write(series, series->config->threads, program, status);
}

/* Looks for roles and laws, and writes the program. Sizes are fitted only where all have no exact
 * law. */
static status_code attempt(struct series *series, const bool used[SERIES_GRIDS],
                           struct program **program, struct status *status) {
    struct status exact = STATUS_INIT;
    series->assumptions.approximates = false;
    const status_code code = attempt_once(series, used, program, &exact);
    if (code != STATUS_INPUT || !series->config->approximate || series->config->exact_sizes) {
        *status = exact;
        return code;
    }
    status_clear(&exact);
    program_free(*program);
    *program = NULL;
    series->assumptions.approximates = true;
    return attempt_once(series, used, program, status);
}

/* The same in rare grids as well. *status holds why the search without them failed: it
 * stays if this one fails without roles, too, or has roles of such a grid and no partners in one,
 * or where roles of another grid lack a program alone.
 */
static status_code attempt_with_rare_grids(struct series *series, const bool used[SERIES_GRIDS],
                                           struct program **program, struct status *status) {
    struct status other = STATUS_INIT;
    const bool had_roles = series->outcome.has_roles;
    const uint32_t own = series->outcome.of_one_program;
    series->grids.count += series->grids.alternative_count;
    series->grids.alternative_count = 0;
    const status_code code = attempt(series, used, program, &other);
    const uint32_t grid = series->roles.rule.grid;
    const bool is_shown = code != STATUS_OK || !grid_is_rare(&series->grids.rules[grid]) ||
                          law_peers_use_grid(series, 0);
    if ((code == STATUS_INPUT && (had_roles || !series->outcome.has_roles)) || !is_shown ||
        (code == STATUS_OK && series_rare_grid_is_doubtful(series, own))) {
        program_free(*program);
        *program = NULL;
        status_clear(&other);
        return status->code;
    }
    status_clear(status);
    *status = other;
    return code;
}

/* Looks for the laws of the first roles that fit. Divides loops and calls where a partner or a tag
 * has no rule, and looks again. Sets *is_divided to whether it did and found the roles. */
static status_code find_divided(struct series *series, const bool used[SERIES_GRIDS],
                                bool *is_divided, struct status *status) {
    enum { MOST_SPLITS = 16 };
    *is_divided = false;
    FORWARD_IF_ERROR(series_steps_take(series, status));
    for (uint32_t splits = 0;; splits++) {
        struct status other = STATUS_INIT;
        bool found = false;
        forget_laws(series, used);
        series->roles.rule = (struct series_role_rule){0};
        series->outcome.lacking_role = NULL;
        FORWARD_IF_ERROR(report_progress(series, status));
        FORWARD_IF_ERROR(series_roles_next(series, true, &found, status));
        *is_divided = found && splits > 0;
        if (!found) return series_roles_refuse(series, status);
        status_code code = series_roles_count(series, &other);
        if (code == STATUS_OK) code = try_roles(series, true, &other);
        if (code == STATUS_OK) return balance_roles(series, used, status);
        found =
            code == STATUS_INPUT && series->outcome.lacking_role != NULL && splits < MOST_SPLITS;
        code = found ? series_splits_find(series, &found, status) : STATUS_OK;
        if (code == STATUS_OK && !found) {
            *status = other;
            return status->code;
        }
        status_clear(&other);
        FORWARD_IF_ERROR(code);
    }
}

/* The same where a loop has several exchanges that follow each other, so that it must be divided.
 * *status holds why the search without divisions failed: it stays if this one fails at a partner,
 * too. */
static status_code attempt_with_splits(struct series *series, const bool used[SERIES_GRIDS],
                                       struct program **program, struct status *status) {
    status_code code = STATUS_INPUT;
    for (int tags = 0; tags < 2 && code == STATUS_INPUT; tags++) {
        struct status other = STATUS_INIT;
        bool is_divided;
        forget(series, used);
        series->assumptions.tags_are_values = tags == 1;
        series->assumptions.roles_are_of_sizes = series->assumptions.roles_are_of_grids = false;
        code = find_divided(series, used, &is_divided, &other);
        if (code == STATUS_OK)
            code = series_write(series, series->config->threads, program, &other);
        if (code == STATUS_INPUT && !(is_divided && series->outcome.lacking_role == NULL)) {
            status_clear(&other);
            continue;
        }
        status_clear(status);
        *status = other;
        return code;
    }
    return status->code;
}

/* The same where tests that find requests complete are waits for them. *status holds why the search
 * failed where they are not: it stays if this one finds no roles. */
static status_code attempt_with_tests(struct series *series, const bool used[SERIES_GRIDS],
                                      struct program **program, struct status *status) {
    if (!series_tested_are_there(series)) return status->code;
    for (int use = SERIES_TESTS_BEFORE_CALL; use < SERIES_TEST_USES; use++) {
        struct status other = STATUS_INIT;
        series->assumptions.tests = (series_test_use)use;
        const status_code code = attempt(series, used, program, &other);
        if (code == STATUS_INPUT && (!series->outcome.has_roles || series->outcome.lacks_waits)) {
            status_clear(&other);
            continue;
        }
        status_clear(status);
        *status = other;
        if (code != STATUS_INPUT) return code;
    }
    return status->code;
}

/* Sets what the report says of the programs. */
static status_code begin_report(const struct series *series, const struct program *program,
                                struct status *status) {
    struct extrapolate_report *report = series->findings.report;
    struct program_totals totals;
    program_totals_compute(program, &totals);
    report->target_ranks = series->target_ranks;
    report->operations = program->operation_count;
    report->messages = totals.messages;
    report->bytes = (uint64_t)totals.message_bytes;
    report->ranks = memory_new(series->program_count, sizeof *report->ranks);
    report->sources = memory_new(series->program_count, sizeof *report->sources);
    RETURN_ERROR_IF(report->ranks == NULL || report->sources == NULL, status, STATUS_MEMORY,
                    "out of memory for a report");
    report->program_count = series->program_count;
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct program *from = series->programs[k].program;
        report->ranks[k] = from->rank_count;
        FORWARD_IF_ERROR(
            memory_copy_text(&report->sources[k], program_text(from, from->source), status));
    }
    return STATUS_OK;
}

/* The same in call sets, in coarse levels and the rest, or with ranks that are numbered anew in
 * each iteration. *status holds why the search without them failed: it stays if there are none that
 * can be extrapolated. */
static status_code attempt_in_parts(struct series *series, struct program **program,
                                    struct status *status) {
    struct status other = STATUS_INIT;
    bool found;
    program_free(*program);
    *program = NULL;
    status_code code = series_call_sets_find(series, program, &found, &other);
    if (code == STATUS_OK && !found) code = series_levels_find(series, program, &found, &other);
    if (code == STATUS_OK && !found) code = series_server_find(series, program, &found, &other);
    if (code == STATUS_OK && !found) code = series_rotation_find(series, program, &found, &other);
    if (code == STATUS_OK && !found) return status->code;
    status_clear(status);
    *status = other;
    return code;
}

static status_code make(struct series *series, struct program **program, struct status *status) {
    FORWARD_IF_ERROR(check(series, status));
    const bool is_whole = series->division_depth == 0;
    if (is_whole) FORWARD_IF_ERROR(scaling_check(series, status));
    FORWARD_IF_ERROR(series_grids_find(series, status));
    FORWARD_IF_ERROR(series_communicators_find(series, status));
    FORWARD_IF_ERROR(series_receives_check(series, status));
    bool used[SERIES_GRIDS]; /* by communicators; a search that fails uses none */
    memcpy(used, series->grids.used, sizeof used);
    const uint32_t grids = series->grids.count, alternative_grids = series->grids.alternative_count;
    status_code code = attempt(series, used, program, status);
    if (code == STATUS_INPUT && series->grids.alternative_count > 0)
        code = attempt_with_rare_grids(series, used, program, status);
    if (code == STATUS_INPUT) {
        series->grids.count = grids;
        series->grids.alternative_count = alternative_grids;
        code = attempt_with_splits(series, used, program, status);
    }
    if (code == STATUS_INPUT) code = attempt_with_tests(series, used, program, status);
    if (code == STATUS_OK)
        code = series_report_fill(series, *program, status);
    else if (code == STATUS_INPUT)
        code = attempt_in_parts(series, program, status);
    if (code == STATUS_INPUT) series_recorded_grids_refuse(series, status);
    if (code == STATUS_OK && is_whole) code = series_report_waits(series, *program, status);
    if (code == STATUS_OK && is_whole) code = scaling_report(series, *program, status);
    if (code == STATUS_INPUT) series_rare_grid_refuse(series, status);
    return code == STATUS_OK ? begin_report(series, *program, status) : code;
}

static void free_series(struct series *series) {
    series_steps_forget(series);
    series_roles_forget(series);
    series_views_free(series);
    series_fits_forget(series);
    for (uint32_t k = 0; k < series->program_count; k++) {
        free(series->programs[k].families);
        free(series->programs[k].is_used);
        free(series->programs[k].is_idle);
    }
    free(series->programs);
    free(series->steps.words);
    free(series->steps.kinds);
    free(series->steps.symbols);
    free(series->steps.regions);
    free(series->steps.region_programs);
    for (size_t i = 0; i < series->families.count; i++)
        series_communicators_forget(&series->families.list[i]);
    free(series->families.list);
    free(series->roles.list);
    free(series->laws.fits);
    series_pooled_forget(series);
    law_known_free(series->laws.known);
    free(series->laws.pooled);
    free(series->laws.pools);
    free(series->laws.sides);
    free(series->laws.alternatives);
    key_table_free(&series->findings.index);
    free(series);
}

status_code series_extrapolate(struct program **program, struct extrapolate_report *report,
                               const struct program *const *programs, uint32_t program_count,
                               const struct extrapolate_config *config, uint32_t depth,
                               struct status *status) {
    *program = NULL;
    *report = (struct extrapolate_report){0};
    RETURN_ERROR_IF(program_count < FEWEST_PROGRAMS || program_count > SERIES_PROGRAMS, status,
                    STATUS_USAGE,
                    "a series has %u program%s; it needs %d to %d, on different numbers of ranks",
                    program_count, program_count == 1 ? "" : "s", FEWEST_PROGRAMS, SERIES_PROGRAMS);
    struct series *series = memory_new(1, sizeof *series);
    RETURN_ERROR_IF(series == NULL, status, STATUS_MEMORY, "out of memory for a series");
    series->config = config;
    series->division_depth = depth;
    series->findings.report = report;
    series->target_ranks = config->ranks;
    series->programs = memory_new(program_count, sizeof *series->programs);
    series->laws.known = memory_new(1, sizeof *series->laws.known);
    if (series->programs == NULL || series->laws.known == NULL) {
        free(series->programs);
        free(series->laws.known);
        free(series);
        return status_set(status, STATUS_MEMORY, "out of memory for a series");
    }
    series->program_count = program_count;
    for (uint32_t k = 0; k < program_count; k++)
        series->programs[k].program = programs[k];
    qsort(series->programs, program_count, sizeof *series->programs, compare_ranks);
    const status_code code = make(series, program, status);
    free_series(series);
    if (code != STATUS_OK) {
        program_free(*program);
        *program = NULL;
    }
    return code;
}

status_code traces_extrapolate(struct program **program, struct extrapolate_report *report,
                               const struct program *const *programs, uint32_t program_count,
                               const struct extrapolate_config *config, struct status *status) {
    return series_extrapolate(program, report, programs, program_count, config, 0, status);
}
