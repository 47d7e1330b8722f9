/*
 * Extrapolation: the search from a series of programs to the program of another number of ranks,
 * with one kind of assumptions after another until everything has a rule. See series.h.
 *
 * `used` in this file: [grid]: communicators use it. A search that fails leaves no other grid in
 * use.
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
#include "traces/extrapolate/output/series_findings.h"
#include "traces/extrapolate/output/series_output.h"
#include "traces/extrapolate/roles/series_keys.h"
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

/* STATUS_USAGE: the numbers of ranks are not possible. */
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

/* Drops the roles and laws that an attempt has found. */
static void forget_laws(struct series *series, const bool used[SERIES_GRIDS]) {
    series_roles_forget(series);
    series_fits_forget(series);
    series_pooled_forget(series);
    series->laws.alternative_count = 0;
    memcpy(series->grids.used, used, sizeof series->grids.used);
}

/* Drops the steps and views, too. */
static void forget(struct series *series, const bool used[SERIES_GRIDS]) {
    forget_laws(series, used);
    series_steps_forget(series);
    series_views_free(series);
    series->grids.symmetric = 0;
    series->assumptions.tags_are_of_dimensions = false;
}

/* Calls the caller's progress function. STATUS_STOPPED: the function ends the extrapolation. */
static status_code report_progress(const struct series *series, struct status *status) {
    const struct extrapolate_config *config = series->config;
    RETURN_ERROR_IF(config->progress != NULL && !config->progress(config->progress_context), status,
                    STATUS_STOPPED, "stopped");
    return STATUS_OK;
}

/* Finds the laws of all roles, whose samples were taken, and checks them. */
static status_code find_laws(struct series *series, struct status *status) {
    FORWARD_IF_ERROR(series_tested_check(series, status));
    FORWARD_IF_ERROR(series_laws_find(series, status));
    FORWARD_IF_ERROR(series_compare_peers(series, status)); /* needs the trips of all loops */
    return series_grids_check(series, status);
}

/* Sets *is_balanced to whether no rank computes much more or less than its role (series_balance.c).
 */
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

/* Takes the samples of the roles, and finds their laws. is_first: the roles are by the first rule
 * that fits the calls. */
static status_code try_roles(struct series *series, bool is_first, struct status *status) {
    series->outcome.has_roles = series->outcome.has_roles || is_first;
    FORWARD_IF_ERROR(series_samples_take(series, status));
    return find_laws(series, status);
}

/* Returns whether other rules for roles are tried after the first one has failed: if a partner, a
 * root or a count has no rule; if the series lacks a role by the zeros of ranks, which may be ranks
 * of blocks; or if a size has no rule and all ranks have one role. With tags as values, no other
 * rules are tried. */
static bool may_refine(const struct series *series) {
    return (series->outcome.lacks_rule || series->outcome.lacks_role ||
            series->assumptions.tries_other_positions ||
            (series->outcome.lacks_size && series->roles.rule.row == 0)) &&
           !series->assumptions.tags_are_values;
}

/* Takes the roles of a rule, and finds their laws. */
static status_code take_rule(struct series *series, const bool used[SERIES_GRIDS],
                             const struct series_role_rule *rule, bool *fits,
                             struct status *status) {
    forget_laws(series, used);
    series->roles.rule = *rule;
    FORWARD_IF_ERROR(series_roles_next(series, true, fits, status));
    *fits = *fits && series->roles.rule.row == rule->row && series->roles.rule.grid == rule->grid;
    if (!*fits) return STATUS_OK;
    FORWARD_IF_ERROR(series_roles_count(series, status));
    return try_roles(series, false, status);
}

/* Roles by a rule: if some ranks compute more or less than others of their role, tells rank 0 apart
 * as well. Keeps the roles if a rank of the new ones still does, or if a role has no laws then. */
static status_code balance_root(struct series *series, const bool used[SERIES_GRIDS],
                                struct status *status) {
    const struct series_role_rule rule = series->roles.rule;
    const struct series_role_rule with_root = {series_key_with_root(rule.row), rule.grid,
                                               rule.parameter};
    struct status other = STATUS_INIT;
    bool fits = true, is_balanced = false;
    if (with_root.row == rule.row) return STATUS_OK;
    status_code code = take_rule(series, used, &with_root, &fits, &other);
    if (code == STATUS_OK && fits) code = check_balance(series, &is_balanced, &other);
    if (code == STATUS_OK && is_balanced) return code;
    if (code != STATUS_OK && code != STATUS_INPUT) {
        *status = other;
        return code;
    }
    status_clear(&other);
    return take_rule(series, used, &rule, &fits, status);
}

/* If all ranks have one role, and some compute more or less than others, takes the first rule with
 * balanced roles: rank 0 differs, the last rank, both, or even and odd ranks. If there is none, all
 * ranks keep one role. */
static status_code balance_roles(struct series *series, const bool used[SERIES_GRIDS],
                                 struct status *status) {
    bool is_balanced = true, found = true;
    FORWARD_IF_ERROR(check_balance(series, &is_balanced, status));
    if (is_balanced) return STATUS_OK;
    if (series->roles.rule.row != 0) return balance_root(series, used, status);
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

/* Tries the rules for roles that fit the calls one by one, until everything has a law. After the
 * first one, others are tried only if may_refine. *status keeps the error of the first rule, or of
 * the first one by which all partners have laws, which is clearer. */
static status_code try_rules(struct series *series, const bool used[SERIES_GRIDS],
                             struct status *status) {
    /* Without the rules that one rank beyond rank 0 differs, which are up to 63. */
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

/* Looks for roles that programs of the series have, and for their laws. If no rule fits the calls,
 * tags become values of steps, and the search begins again. */
static status_code find_plainly(struct series *series, const bool used[SERIES_GRIDS],
                                struct status *status) {
    series->assumptions.tags_are_values = series->outcome.had_partners = false;
    FORWARD_IF_ERROR(series_steps_take(series, status));
    if (try_rules(series, used, status) != STATUS_INPUT || series->outcome.has_roles)
        return status->code;
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

/* Looks for roles by symmetry in a grid, and for their laws. Sets *found to whether there are such
 * roles.
 */
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

/* Looks for roles by symmetry in several grids. *status has the error of the search for other
 * roles. It stays if there are no roles by symmetry, or if they have no laws and the other search
 * had roles. */
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

/* If no program has some positions in the first grid that fits the calls, looks for roles by
 * positions in another grid. *status has the error of the search so far. It stays if this search
 * fails, too, unless only this search has found all partners, or if nothing else follows the grid
 * that it has found. */
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

/* Looks for roles and laws in one way after another, and writes the program. */
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

/* Does the same with exact laws of all sizes; if there are none and the caller allows it, with fits
 * of sizes. */
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

/* Does the same with rare grids, too. *status has the error of the search without them. It stays in
 * three cases: this search fails, and either had roles or has none; it finds roles by a rare grid,
 * but no partner follows from a grid of several dimensions; or roles by an ordinary grid are as
 * good, and lack only another program with some role. */
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

/* Looks for the laws of the first roles that fit the calls. If a partner or a tag has no rule,
 * divides its loop or call (series_splits.c) and looks again. Sets *is_divided to whether something
 * was divided and roles fit after that. */
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

/* Does the same with loops and calls that are divided, and writes the program. *status has the
 * error of the search without divisions. It stays if nothing is divided, or if a partner or tag
 * still has no rule.
 */
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

/* Does the same with tests that are taken as waits. *status has the error of the search with tests
 * as calls. It stays if this search finds no roles, or if no rank waits where tests are moved to.
 */
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

/* Divides the series, and extrapolates each part alone: into call sets, into coarse levels and
 * other calls, or into a server and the other ranks; or renumbers the ranks in each iteration.
 * *status has the error of the search without divisions. It stays if no division can be
 * extrapolated. */
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

/* Makes the new program and the report. The order of the attempts is that of the searches: each one
 * begins after the one before it has refused the series. */
static status_code make(struct series *series, struct program **program, struct status *status) {
    FORWARD_IF_ERROR(check(series, status));
    const bool is_whole = series->division_depth == 0;
    if (is_whole) FORWARD_IF_ERROR(scaling_check(series, status));
    FORWARD_IF_ERROR(series_grids_find(series, status));
    FORWARD_IF_ERROR(series_communicators_find(series, status));
    FORWARD_IF_ERROR(series_receives_check(series, status));
    bool used[SERIES_GRIDS];
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
    return code == STATUS_OK ? series_report_programs(series, *program, status) : code;
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
    series_free(series);
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
