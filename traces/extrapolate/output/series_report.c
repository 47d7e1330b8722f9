/*
 * Fills the report: grids, communicators, roles and laws, how well they hold, and what the series
 * cannot show about the new program.
 */
#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/grids/series_alternatives.h"
#include "traces/extrapolate/grids/series_communicators.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/grids/series_topologies.h"
#include "traces/extrapolate/grids/series_trials.h"
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/law_roots.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/series_laws.h"
#include "traces/extrapolate/output/series_findings.h"
#include "traces/extrapolate/output/series_output.h"
#include "traces/extrapolate/roles/series_keys.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/roles/series_samples.h"
#include "traces/extrapolate/steps/series_steps.h"
#include "traces/patterns/pattern_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ERROR = 100000
}; /* of the fits of small steps together, in millionths; a larger one is
      uncertain */

/* Returns the number, from 1, of a dimension whose extent is the same in all programs, and
 * different in the new program, so that the series does not show what depends on it. 0: there is
 * none. */
static uint32_t untested_dimension(const struct series *series, uint32_t grid) {
    for (uint32_t d = 0; d < series->grids.rules[grid].dimensions; d++) {
        const uint32_t first = series->programs[0].extents.of[grid][d];
        bool is_same = first != series->target.of[grid][d];
        for (uint32_t k = 1; k < series->program_count; k++)
            is_same = is_same && series->programs[k].extents.of[grid][d] == first;
        if (is_same) return d + 1;
    }
    return 0;
}

static status_code add_grids(struct series *series, struct status *status) {
    for (uint32_t g = 0; g < series->grids.count; g++) {
        char rule[SERIES_TEXT], extents[SERIES_TEXT];
        if (!series->grids.used[g] || series->grids.rules[g].dimensions == 1) continue;
        grid_rule_text(&series->grids.rules[g], rule, sizeof rule);
        grid_text(series, g, &series->target, extents, sizeof extents);
        char law[3 * SERIES_TEXT], other[SERIES_TEXT];
        const bool is_open = series_grid_other_order(series, g, other, sizeof other) ||
                             series_grid_has_other(series, g, other, sizeof other);
        snprintf(law, sizeof law, "%s%s%s%s", rule, is_open ? "; " : "", is_open ? other : "",
                 is_open ? " fits the series as well; choose with --grid" : "");
        const uint32_t untested = untested_dimension(series, g);
        char fit[SERIES_TEXT] = "exact";
        if (untested > 0)
            snprintf(fit, sizeof fit,
                     "exact, but extent %u is %u in all programs: what depends on it is not known",
                     untested, series->programs[0].extents.of[g][untested - 1]);
        const bool is_rare = grid_is_rare(&series->grids.rules[g]);
        if (is_rare && untested == 0)
            snprintf(fit, sizeof fit, "exact, but %s may fit as well",
                     series->grids.rules[g].sides[0] > 0 ? "a box with other sides"
                                                         : "another rule");
        FORWARD_IF_ERROR(series_report_add(series, "grid", extents, law, fit, 1,
                                           is_open || untested > 0 || is_rare, status));
    }
    return STATUS_OK;
}

static status_code add_families(struct series *series, struct status *status) {
    for (size_t i = 0; i < series->families.count; i++) {
        const struct series_family *family = &series->families.list[i];
        char text[2 * SERIES_TEXT], alternative[2 * SERIES_TEXT], fit[3 * SERIES_TEXT] = "exact";
        series_family_text(series, family, text, sizeof text);
        const bool is_alone = family->kind == SERIES_FAMILY_LINES && family->spanned == 0;
        if (family->has_alternative) {
            series_alternative_text(series, family, alternative, sizeof alternative);
            snprintf(fit, sizeof fit, "exact, but %s fit as well", alternative);
        } else if (is_alone) {
            snprintf(fit, sizeof fit, "exact, but no program has more than one rank in it");
        }
        FORWARD_IF_ERROR(series_report_add(series, "communicator", family->name, text, fit, 1,
                                           family->has_alternative || is_alone, status));
    }
    return STATUS_OK;
}

static status_code add_roles(struct series *series, struct status *status) {
    char alternative[2 * SERIES_TEXT] = "";
    if (series->grids.symmetric == 0)
        FORWARD_IF_ERROR(series_roles_alternative(series, alternative, sizeof alternative, status));
    else if (series->roles.number_rule > 0)
        snprintf(alternative, sizeof alternative, "%s",
                 series_keys_text(series->roles.number_rule));
    for (size_t i = 0; i < series->roles.count; i++) {
        const struct series_role *role = &series->roles.list[i];
        char text[SERIES_TEXT], law[2 * SERIES_TEXT], fit[3 * SERIES_TEXT];
        series_role_text(series, role->key, text, sizeof text);
        const bool is_inferred = role->inferred_from[0] != '\0';
        const bool has_alternative =
            alternative[0] != '\0' && (series->grids.symmetric == 0 || role->target_members > 0);
        snprintf(law, sizeof law, "%" PRIu64 " rank%s, %s", role->target_members,
                 role->target_members == 1 ? "" : "s", series_roles_rule(series));
        if (is_inferred)
            snprintf(fit, sizeof fit, "inferred from %s; no program has it", role->inferred_from);
        else if (has_alternative)
            snprintf(fit, sizeof fit, "exact, but another rule fits as well: %s", alternative);
        else
            snprintf(fit, sizeof fit, "exact");
        FORWARD_IF_ERROR(series_report_add(series, "role", text, law, fit, role->members,
                                           is_inferred || has_alternative ||
                                               (role->programs == 1 && role->target_members > 0),
                                           status));
    }
    return STATUS_OK;
}

/* Returns whether laws of a kind of value are reported: not those that a replay does not use. */
static bool is_reported(series_value_kind what) {
    return what != SERIES_VALUE_GAP && what != SERIES_VALUE_EVENTS && what != SERIES_VALUE_DURATION;
}

/* Returns whether a fit is of computation, and of less than 1 % of that of all fits. */
static bool is_small(const struct series *series, const struct series_fit *fit) {
    return fit->what == SERIES_VALUE_COMPUTE &&
           (wide)(uint64_t)fit->weight * 100 < series->laws.fit_weight;
}

/* Returns the mean error of the small fits with one program left out, in millionths. An unknown or
 * very large error counts as 100 %. */
static int64_t small_error(const struct series *series) {
    wide sum = 0, error = 0;
    for (size_t i = 0; i < series->laws.fit_count; i++) {
        const struct series_fit *fit = &series->laws.fits[i];
        if (!is_small(series, fit)) continue;
        const int64_t missed = fit->error < 0 || fit->error > 1000000 ? 1000000 : fit->error;
        sum += (uint64_t)fit->weight;
        error += (wide)(uint64_t)fit->weight * (uint64_t)missed / 1000000u;
    }
    return wide_millionths(error, sum);
}

/* Writes the text about other laws that fit as well: each law, and the value that it gives. */
static void alternative_text(const struct series *series, const struct series_law *law, char *text,
                             size_t size) {
    size_t length = 0;
    *text = '\0';
    for (uint32_t i = 0; i < law->alternative_count && length < size; i++) {
        const struct series_alternative *alternative =
            &series->laws.alternatives[law->alternative - 1 + i];
        char rule[2 * SERIES_TEXT], value[32] = "no whole number";
        law_text(series, &alternative->law, rule, sizeof rule);
        if (alternative->has_other) snprintf(value, sizeof value, "%" PRId64, alternative->other);
        length += (size_t)snprintf(text + length, size - length,
                                   "; %s fits as well: %s on rank %u, not %" PRId64, rule, value,
                                   alternative->rank, alternative->own);
    }
}

/* Writes the text about an exact law: how well it holds. Returns whether it is uncertain. */
static bool exact_text(const struct series *series, const struct series_law *law, char *text,
                       size_t size) {
    const bool is_weak = law->kind == SERIES_LAW_LINEAR && law->tests < 2;
    const bool is_alone = law->kind == SERIES_LAW_PEER && law_peer_is_alone(series, law);
    const char *but = law->programs < 2            ? ", from one program"
                      : law->is_weak               ? ", but two iterations show it"
                      : law->is_of_one_rank        ? ", but one rank of each program shows it"
                      : is_alone                   ? ", but nothing else shows this grid"
                      : law->is_of_other_dimension ? ", but sizes along another dimension show it"
                      : law->shares_extent ? ", but all programs with the role share an extent"
                      : law->is_rounded    ? ", but it gives no whole number, and is rounded down"
                      : !is_weak           ? ""
                      : law->tests == 0    ? ", but no value tests it"
                                           : ", but one value tests it";
    char alternatives[9 * SERIES_TEXT];
    alternative_text(series, law, alternatives, sizeof alternatives);
    snprintf(text, size, "exact%s%s", but, alternatives);
    return law->programs < 2 || is_weak || is_alone || law->is_weak || law->is_of_one_rank ||
           law->is_of_other_dimension || law->shares_extent || law->is_rounded ||
           law->alternative > 0;
}

static status_code add_law(struct series *series, const struct series_role_step *step,
                           const struct series_law *law, series_value_kind what,
                           struct status *status) {
    char text[3 * SERIES_TEXT], fit[10 * SERIES_TEXT];
    bool uncertain = exact_text(series, law, fit, sizeof fit);
    if (law->kind == SERIES_LAW_NONE) return STATUS_OK;
    if (what == SERIES_VALUE_COMPUTE && law->kind == SERIES_LAW_CONSTANT && law->a == 0)
        return STATUS_OK;
    if (what == SERIES_VALUE_ROOT && law->kind == SERIES_LAW_CONSTANT && law->a < 0)
        return STATUS_OK;
    if ((what == SERIES_VALUE_SEND_BYTES || what == SERIES_VALUE_RECEIVE_BYTES) &&
        law->kind == SERIES_LAW_CONSTANT && law->a == 0)
        return STATUS_OK;
    law_text(series, law, text, sizeof text);
    if (law->kind == SERIES_LAW_FIT) {
        const struct series_fit *found = &series->laws.fits[law->a];
        if (is_small(series, found)) {
            const int64_t error = small_error(series);
            if (error > MOST_ERROR)
                snprintf(fit, sizeof fit, "error %" PRId64 ".%" PRId64 " %% on average",
                         error / 10000, error / 1000 % 10);
            return series_report_add(series, "computation, in ps", "all others",
                                     "laws of steps with less than 1 % of the computation each",
                                     error > MOST_ERROR ? fit : "fits", 1, error > MOST_ERROR,
                                     status);
        }
        uncertain = fit_error_text(series, found, fit, sizeof fit);
    }
    const char *where =
        step->symbol == SERIES_LOOP ? "loops" : series_symbol_name(series, step->symbol);
    const char *subject =
        what == SERIES_VALUE_COMPUTE ? "computation, in ps" : series_value_name(what);
    return series_report_add(series, subject, where, text, fit, 1, uncertain, status);
}

/* Returns whether a value is bytes that a rank gives. */
static bool is_size(series_value_kind what) {
    return what == SERIES_VALUE_BYTES || what == SERIES_VALUE_SEND_BYTES;
}

/* Reports a size that is less than an element of 8 bytes on a rank of the new program, if all sizes
 * of the call in the series are larger. Some programs then send one element, or nothing. */
static status_code add_small_size(struct series *series, const struct series_role *role,
                                  const struct series_role_step *step, uint32_t field,
                                  struct status *status) {
    enum { ELEMENT = 8 };
    const struct series_law_data data = {.series = series, .role = role, .step = step};
    struct law_target_walk walk = {.data = &data};
    for (size_t i = 0; i < step->sample_count; i++)
        if (step->samples[i].values[field] < ELEMENT) return STATUS_OK;
    while (step->sample_count > 0 && law_target_next(&walk)) {
        int64_t bytes;
        char law[SERIES_TEXT];
        if (!law_value(series, law_at(role, step, &step->laws[field], &walk.place), &walk.place,
                       &bytes) ||
            bytes >= ELEMENT)
            continue;
        snprintf(law, sizeof law, "%" PRId64 " on rank %u, and 8 or more in all programs", bytes,
                 walk.place.rank);
        return series_report_add(series, series_value_name(step->laws[field].what),
                                 series_symbol_name(series, step->symbol), law,
                                 "a lower limit of one element would not show", 1, true, status);
    }
    return STATUS_OK;
}

static status_code add_step(struct series *series, const struct series_role *role,
                            const struct series_role_step *step, struct status *status) {
    for (uint32_t v = 0; v < step->law_count; v++)
        if (is_size(step->laws[v].what))
            FORWARD_IF_ERROR(add_small_size(series, role, step, v, status));
    for (uint32_t v = 0; v < step->law_count; v++) {
        const struct series_value_law *laws = &step->laws[v];
        for (uint32_t g = 0; is_reported(laws->what) && g < laws->law_count; g++)
            FORWARD_IF_ERROR(add_law(series, step, &laws->laws[g], laws->what, status));
    }
    return STATUS_OK;
}

/* Reports a loop that has no trips on a rank of the new program. All loops of the series have
 * trips, so the series cannot show what else such a rank leaves out. */
static status_code add_empty_loop(struct series *series, const struct series_role *role,
                                  const struct series_role_step *loop, struct status *status) {
    const struct series_law_data data = {
        .series = series, .role = role, .step = loop, .is_loop = true};
    struct law_target_walk walk = {.data = &data};
    while (law_target_next(&walk)) {
        int64_t trips;
        char law[SERIES_TEXT];
        if (!law_value(series, law_at(role, loop, loop->laws, &walk.place), &walk.place, &trips) ||
            trips != 0)
            continue;
        snprintf(law, sizeof law, "no trips on rank %u", walk.place.rank);
        return series_report_add(series, "trips of a loop", "loops", law,
                                 "no program has such a loop", 1, true, status);
    }
    return STATUS_OK;
}

/* Reports a role if one of its ranks computes more or less than the others, and no rule says which
 * rank does. */
static status_code add_balance(struct series *series, const struct series_role *role,
                               struct status *status) {
    struct series_balance balance;
    char where[SERIES_TEXT], law[SERIES_TEXT];
    FORWARD_IF_ERROR(series_balance_find(series, role, &balance, status));
    if (balance.ranks == 0) return STATUS_OK;
    const uint64_t percent = (uint64_t)(balance.own * 100 / balance.mean);
    series_role_text(series, role->key, where, sizeof where);
    snprintf(law, sizeof law, "rank %u of %u computes %" PRIu64 ".%02u times the mean",
             balance.rank, balance.ranks, percent / 100, (unsigned)(percent % 100));
    return series_report_add(series, "computation, in ps", where, law,
                             "no rule says which ranks compute more", 1, true, status);
}

/* Reports reads and writes of files, which the new program lacks, if the series has some. */
static status_code add_files(struct series *series, struct status *status) {
    char text[SERIES_TEXT];
    if (series->config->accesses == 0) return STATUS_OK;
    snprintf(text, sizeof text, "%" PRIu64 " reads and writes of files in the series",
             series->config->accesses);
    return series_report_add(series, "files", "MPI-IO", text, "left out: the new program has none",
                             1, true, status);
}

/* Reports MPI_Alltoallv if the series has messages of unequal sizes. In the new program, all pairs
 * of ranks have equal shares of the sums. */
static status_code add_rows(struct series *series, struct status *status) {
    if (!series_rows_are_unequal(series)) return STATUS_OK;
    return series_report_add(
        series, "collectives", "MPI_Alltoallv", "each rank's sum, shared among all pairs of ranks",
        "the series has unequal messages, whose sizes are left out", 1, true, status);
}

/* Reports the number of tests that are taken as waits, if there are any. */
static status_code add_tests(struct series *series, struct status *status) {
    char text[SERIES_TEXT];
    if (series->assumptions.test_count == 0) return STATUS_OK;
    snprintf(text, sizeof text, "%" PRIu64 " tests of the series are taken as waits",
             series->assumptions.test_count);
    return series_report_add(series, "tests", "all ranks", text,
                             "which tests find a request complete depends on timing", 1, true,
                             status);
}

/* Reports communicators that a library makes only to time alternatives (series_trials.c). With
 * other sizes, it may choose another alternative. One such communicator may come from opening a
 * file, and is not reported. */
static status_code add_trials(struct series *series, struct status *status) {
    char text[SERIES_TEXT];
    uint32_t count = 0;
    FORWARD_IF_ERROR(series_trials_count(series, &count, status));
    if (count < 2) return STATUS_OK;
    snprintf(text, sizeof text,
             "a rank creates and frees up to %u communicators without using them", count);
    return series_report_add(
        series, "communicator", "of trials", text,
        "a library compares several algorithms at run time; with other sizes it may choose another",
        1, true, status);
}

/* Reports that idle communicators are left out, if their members follow no rule. */
static status_code add_idle(struct series *series, struct status *status) {
    if (!series->families.leaves_out_idle) return STATUS_OK;
    return series_report_add(series, "communicator", "without messages and collectives",
                             "left out, since their members follow no rule",
                             "ranks do not wait for each other when such communicators are made", 1,
                             true, status);
}

static bool is_odd(uint32_t ranks) {
    return ranks % 2 == 1;
}
static bool is_no_power(uint32_t ranks) {
    return !law_number_is_power(ranks);
}
static bool is_power(uint32_t ranks) {
    return law_number_is_power(ranks);
}
static bool is_square(uint32_t ranks) {
    return law_number_exact_root(ranks, 2) > 0;
}
static bool is_in_fours(uint32_t ranks) {
    return ranks % 4 == 0;
}

static bool is_in_eights(uint32_t ranks) {
    return ranks % 8 == 0;
}

/* Reports the new number of ranks if it is of a kind that no program has. Applications treat a rank
 * without a partner, or beyond a power of two, in another way, and some have a grid or pairs only
 * where the number allows them. */
static status_code add_kind_of_number(struct series *series, struct status *status) {
    static const struct {
        bool (*is)(uint32_t ranks);
        const char *text;
    } rows[] = {{is_odd, "an odd number"},        {is_no_power, "which is no power of two"},
                {is_power, "a power of two"},     {is_square, "a square"},
                {is_in_fours, "a multiple of 4"}, {is_in_eights, "a multiple of 8"}};
    const uint32_t ranks = series->target_ranks;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is_new = rows[i].is(ranks);
        char law[SERIES_TEXT];
        for (uint32_t k = 0; k < series->program_count && is_new; k++)
            is_new = !rows[i].is(series->programs[k].program->rank_count);
        if (!is_new) continue;
        snprintf(law, sizeof law, "%u ranks, %s", ranks, rows[i].text);
        return series_report_add(series, "ranks", "all ranks", law, "no program has such a number",
                                 1, true, status);
    }
    return STATUS_OK;
}

static int64_t root_below(uint32_t ranks) {
    return (int64_t)law_number_root(ranks, 2);
}
static int64_t cube_root_below(uint32_t ranks) {
    return (int64_t)law_number_root(ranks, 3);
}
static int64_t logarithm_below(uint32_t ranks) {
    return law_number_log2(ranks);
}
static int64_t power_of_half(uint32_t ranks) {
    return INT64_C(1) << law_number_log2(ranks) / 2;
}
static int64_t longer_side(uint32_t ranks) {
    uint32_t side = (uint32_t)law_number_root(ranks, 2);
    while (ranks % side != 0)
        side--;
    return ranks / side;
}
static int64_t longest_side(uint32_t ranks) {
    uint32_t extents[3];
    pattern_grid(ranks, 3, extents);
    int64_t longest = extents[0];
    for (uint32_t d = 1; d < 3; d++)
        longest = extents[d] > longest ? extents[d] : longest;
    return longest;
}

/* Returns whether the trips of some loop are this constant. */
static bool has_trips(const struct series *series, int64_t trips) {
    for (size_t r = 0; r < series->roles.count; r++) {
        const struct series_role *role = &series->roles.list[r];
        for (size_t i = 0; i < role->loop_count && role->target_members > 0; i++)
            for (uint32_t g = 0; g < role->loops[i].laws->law_count; g++) {
                const struct series_law *law = &role->loops[i].laws->laws[g];
                if (law->kind == SERIES_LAW_CONSTANT && law->a == trips) return true;
            }
    }
    return false;
}

static bool has_messages_to_itself(const struct program *program) {
    struct program_walk walk = {0};
    while (program_walk_next(program, &walk))
        if (walk.operation->kind == OPERATION_SEND && walk.operation->message.peer == walk.rank)
            return true;
    return false;
}

/* Reports that ranks of the new program send messages to themselves, if no rank of the series does.
 * Some programs leave such messages out. */
static status_code add_own_messages(struct series *series, const struct program *made,
                                    struct status *status) {
    if (!has_messages_to_itself(made)) return STATUS_OK;
    for (uint32_t k = 0; k < series->program_count; k++)
        if (has_messages_to_itself(series->programs[k].program)) return STATUS_OK;
    return series_report_add(series, "partner", "all ranks", "some ranks are their own partners",
                             "no program has such a rank", 1, true, status);
}

/* Reports quantities that are equal in all programs of the series and differ in the new program.
 * Values that depend on them look constant. */
static status_code add_unseen_changes(struct series *series, struct status *status) {
    static const struct {
        int64_t (*value)(uint32_t ranks);
        const char *text;
        bool is_of_trips; /* only if a loop has as many trips */
    } rows[] = {{root_below, "floor(sqrt P)", false},
                {cube_root_below, "floor(P^(1/3))", false},
                {logarithm_below, "floor(log2 P)", false},
                {power_of_half, "2^floor(log2(P)/2)", false},
                {longer_side, "the larger extent of a 2-D grid", false},
                {longest_side, "the largest extent of a 3-D grid", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t own = rows[i].value(series->programs[0].program->rank_count);
        const int64_t other = rows[i].value(series->target_ranks);
        bool is_same = own != other;
        char law[SERIES_TEXT];
        for (uint32_t k = 1; k < series->program_count && is_same; k++)
            is_same = rows[i].value(series->programs[k].program->rank_count) == own;
        if (!is_same || (rows[i].is_of_trips && !has_trips(series, own))) continue;
        snprintf(law, sizeof law, "%s: %" PRId64 " in all programs, %" PRId64 " in the new one",
                 rows[i].text, own, other);
        FORWARD_IF_ERROR(series_report_add(series, "constants", "all ranks", law,
                                           "what depends on it looks constant", 1, true, status));
    }
    return STATUS_OK;
}

/* Reports an extent of the new program, with roles by symmetry, if all extents of 3 or more in the
 * series are one other number. All dimensions are alike then, so values that depend on an extent
 * look constant. */
static status_code add_only_extent(struct series *series, struct status *status) {
    const uint32_t grid = series->grids.symmetric;
    const uint32_t only = grid > 0 ? series_grid_only_extent(series, grid, UINT32_MAX) : 0;
    char law[SERIES_TEXT];
    for (uint32_t d = 0; d < series->grids.rules[grid].dimensions && only > 0; d++) {
        const uint32_t own = series->target.of[grid][d];
        if (own < 3 || own == only) continue;
        snprintf(law, sizeof law, "an extent of 3 or more: %u in all programs, %u in the new one",
                 only, own);
        return series_report_add(series, "constants", "all ranks", law,
                                 "what depends on it looks constant", 1, true, status);
    }
    return STATUS_OK;
}

/* Reports that all programs have few ranks, if the new one has more. Then a distance may be another
 * one: among 8 ranks, 7 ranks up are one rank down. And sizes that change only at some numbers of
 * ranks, or have an upper limit, look like other sizes. */
static status_code add_few_ranks(struct series *series, struct status *status) {
    enum { FEW_RANKS = 12 };
    const struct program *largest = series->programs[series->program_count - 1].program;
    char law[SERIES_TEXT];
    if (largest->rank_count > FEW_RANKS || series->target_ranks <= FEW_RANKS) return STATUS_OK;
    snprintf(law, sizeof law, "%u ranks at most in all programs, %u in the new one",
             largest->rank_count, series->target_ranks);
    return series_report_add(series, "ranks", "all ranks", law,
                             "so few ranks do not show long steps and limits", 1, true, status);
}

status_code series_report_fill(struct series *series, const struct program *program,
                               struct status *status) {
    for (size_t i = 0; i < series->laws.fit_count; i++)
        if (series->laws.fits[i].what == SERIES_VALUE_COMPUTE) {
            series->laws.fit_weight += (uint64_t)series->laws.fits[i].weight;
            series->findings.report->has_fits = true;
        }
    law_peers_list_moves(series);
    FORWARD_IF_ERROR(add_kind_of_number(series, status));
    FORWARD_IF_ERROR(add_few_ranks(series, status));
    FORWARD_IF_ERROR(add_unseen_changes(series, status));
    FORWARD_IF_ERROR(add_only_extent(series, status));
    FORWARD_IF_ERROR(add_own_messages(series, program, status));
    FORWARD_IF_ERROR(series_meetings_report(series, status));
    FORWARD_IF_ERROR(add_grids(series, status));
    FORWARD_IF_ERROR(add_families(series, status));
    FORWARD_IF_ERROR(series_topologies_report(series, program, status));
    FORWARD_IF_ERROR(add_trials(series, status));
    FORWARD_IF_ERROR(add_idle(series, status));
    FORWARD_IF_ERROR(add_roles(series, status));
    FORWARD_IF_ERROR(add_files(series, status));
    FORWARD_IF_ERROR(add_rows(series, status));
    FORWARD_IF_ERROR(add_tests(series, status));
    FORWARD_IF_ERROR(series_report_computation(series, status));
    for (size_t r = 0; r < series->roles.count; r++) {
        const struct series_role *role = &series->roles.list[r];
        if (role->target_members == 0) continue;
        FORWARD_IF_ERROR(add_balance(series, role, status));
        for (size_t i = 0; i < role->loop_count; i++) {
            FORWARD_IF_ERROR(add_step(series, role, &role->loops[i], status));
            FORWARD_IF_ERROR(add_empty_loop(series, role, &role->loops[i], status));
        }
        for (size_t i = 0; i < role->step_count; i++)
            FORWARD_IF_ERROR(add_step(series, role, &role->steps[i], status));
    }
    return STATUS_OK;
}

void extrapolate_report_free(struct extrapolate_report *report) {
    for (uint32_t k = 0; report->sources != NULL && k < report->program_count; k++)
        free(report->sources[k]);
    for (size_t i = 0; i < report->finding_count; i++) {
        free(report->findings[i].where);
        free(report->findings[i].law);
        free(report->findings[i].fit);
    }
    free(report->findings);
    free(report->sources);
    free(report->ranks);
    *report = (struct extrapolate_report){0};
}
