/*
 * A comparison for people: for each trace a table of its candidates by rank. Factors with one value
 * stand above the tables; the others are the first columns of the tables.
 */
#include "api/compare/comparison.h"
#include "api/report/report_layout.h"
#include "api/results/warnings.h"
#include "core/base/plural.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST_VALUE = 48 };

/* Returns the heading of a factor: its setting without "network.", which is the most common
 * prefix. */
static const char *heading(const struct compare_factor *factor) {
    static const char network[] = "network.";
    const size_t length = sizeof network - 1;
    return strncmp(factor->setting, network, length) == 0 ? factor->setting + length
                                                          : factor->setting;
}

static size_t width_of(const struct compare_factor *factor) {
    size_t width = strlen(heading(factor));
    for (size_t i = 0; i < factor->count; i++)
        if (text_name_width(factor->values[i]) > width) width = text_name_width(factor->values[i]);
    return width < WIDEST_VALUE ? width : WIDEST_VALUE;
}

static bool is_common(const anax_comparison *comparison, const char *name) {
    struct setting_section *section = NULL;
    const struct setting_row *row =
        settings_find(&comparison->set.machines[0]->settings, name, &section);
    const size_t number = (size_t)(section - comparison->set.machines[0]->sections);
    for (size_t i = 1; i < comparison->set.factors[0].count; i++)
        if (!setting_equal(row, section->values,
                           comparison->set.machines[i]->sections[number].values))
            return false;
    return true;
}

/* Adds the value of an important setting that does not vary, even if it is the default. */
static void add_setting(struct text_buffer *text, const anax_comparison *comparison,
                        const char *name, const char *label) {
    for (size_t i = 1; i < comparison->set.factor_count; i++)
        if (strcmp(comparison->set.factors[i].setting, name) == 0) return;
    report_row(text, 0, label);
    const bool one = is_common(comparison, name);
    for (size_t i = 0; i < comparison->set.factors[0].count && (i == 0 || !one); i++) {
        char *value = api_config_value(comparison->set.machines[i], name);
        if (i > 0) text_add(text, ", ");
        if (!one) text_add(text, "%s ", comparison->set.factors[0].values[i]);
        text_add(text, "%s", value != NULL ? value : "");
        anax_text_free(value);
    }
    text_add(text, "\n");
}

/* Adds the changed settings of each machine, and those that all machines share. */
static void add_settings(struct text_buffer *text, const anax_comparison *comparison) {
    const bool several = comparison->set.factors[0].count > 1;
    for (size_t i = 0; i < comparison->set.factors[0].count; i++)
        report_machine_mpi_text(text, comparison->set.machines[i]);
    for (size_t i = 0; i < comparison->set.factors[0].count && several; i++) {
        struct text_buffer label = TEXT_BUFFER_INIT;
        text_add(&label, "settings changed, ");
        text_add_name(&label, api_machine_name(comparison->set.machines[i]), 0);
        text_add(&label, ": ");
        char *words = text_take(&label);
        report_settings_text(text, words != NULL ? words : "", comparison->set.machines[i],
                             ANAX_SCOPE_REPLAY, REPORT_NETWORK_SETTINGS, NULL);
        free(words);
    }
    report_settings_text(text, "settings changed: ", comparison->set.machines[0], ANAX_SCOPE_REPLAY,
                         several ? REPORT_OTHER_SETTINGS : REPORT_ALL_SETTINGS, NULL);
}

static void add_head(struct text_buffer *text, const anax_comparison *comparison) {
    text_add(text, "%zu candidate%s, %" PRIu32 " seed%s from %" PRId64,
             comparison->set.candidate_count, plural(comparison->set.candidate_count),
             comparison->seed_count, plural(comparison->seed_count), comparison->first_seed);
    text_add(text, "; intervals of 95 %%; below %g %% is negligible\n",
             (double)comparison->negligible_millionths / 1e4);
    for (size_t i = 0; i < comparison->set.factor_count; i++) {
        const struct compare_factor *factor = &comparison->set.factors[i];
        if (factor->count > 1) continue;
        report_row(text, 0, heading(factor));
        text_add_name(text, factor->values[0], 0);
        text_add(text, "\n");
    }
    add_setting(text, comparison, "network.arrangement", "arrangement");
    add_setting(text, comparison, "network.routing", "routing");
    add_setting(text, comparison, "placement.policy", "placement");
    add_settings(text, comparison);
    if (comparison->set.candidate_count > 1) {
        char *label = candidate_set_label(&comparison->set, 0);
        report_row(text, 0, "baseline");
        text_add_name(text, label != NULL ? label : "", 0);
        text_add(text, "\n");
        text->failed = text->failed || label == NULL;
        free(label);
    }
}

/* Widths of the columns of figures, and of all that stands before and behind the factors. */
enum { MEAN_WIDTH = 12, INTERVAL_WIDTH = 11, FACTOR_WIDTH = 19, VERDICT_WIDTH = 21, INDENT = 8 };

/* Returns whether a row is too long for one line. The factors' values then have lines of their own,
 * before the figures. */
static bool is_wide(const anax_comparison *comparison) {
    size_t width = INDENT + MEAN_WIDTH + INTERVAL_WIDTH + FACTOR_WIDTH + VERDICT_WIDTH;
    for (size_t i = 0; i < comparison->set.factor_count; i++)
        if (comparison->set.factors[i].count > 1)
            width += width_of(&comparison->set.factors[i]) + 2;
    return width > TEXT_LINE_WIDTH;
}

/* Adds the headings of the factors, or a candidate's values (not NULL), as a list that is wrapped
 * behind the rank. */
static void add_list(struct text_buffer *text, const anax_comparison *comparison,
                     const size_t *candidate) {
    size_t column = INDENT;
    for (size_t i = 0; i < comparison->set.factor_count; i++) {
        const struct compare_factor *factor = &comparison->set.factors[i];
        if (factor->count == 1) continue;
        const char *word = candidate != NULL ? candidate_set_value(&comparison->set, *candidate, i)
                                             : heading(factor);
        const size_t own = text_name_width(word), width = own < WIDEST_VALUE ? own : WIDEST_VALUE;
        const bool is_first = column == INDENT;
        if (!is_first) text_add(text, ",");
        if (!is_first && column + width + 3 > TEXT_LINE_WIDTH) {
            text_add(text, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (!is_first) {
            text_add(text, " ");
            column += 2;
        }
        text_add_cut_name(text, word, width);
        column += width;
    }
    text_add(text, "\n%*s", INDENT, "");
}

static void add_columns(struct text_buffer *text, const anax_comparison *comparison) {
    text_add(text, "  rank  ");
    if (is_wide(comparison)) add_list(text, comparison, NULL);
    for (size_t i = 0; i < comparison->set.factor_count && !is_wide(comparison); i++)
        if (comparison->set.factors[i].count > 1)
            text_add(text, "%-*s  ", (int)width_of(&comparison->set.factors[i]),
                     heading(&comparison->set.factors[i]));
    text_add(text, "%-*s%-*s", MEAN_WIDTH, "mean time", INTERVAL_WIDTH, "interval");
    if (comparison->set.candidate_count > 1)
        text_add(text, "%-*s%s", FACTOR_WIDTH, "to baseline", "difference");
    text_add(text, "\n");
}

/* Adds a cell, with blanks up to its width. A character may have several bytes. */
static void add_cell(struct text_buffer *text, const char *cell, size_t width) {
    size_t length = 0;
    for (const char *c = cell; *c != '\0'; c++)
        length += ((unsigned char)*c & 0xC0) != 0x80;
    text_add(text, "%s%*s", cell, length < width ? (int)(width - length) : 1, "");
}

/* The unit and the number of decimals with which the times of a trace are printed. */
struct time_form {
    int64_t unit_ps;
    const char *unit;
    int decimals;
};

static void write_time(char *text, size_t size, int64_t time_ps, const struct time_form *form) {
    snprintf(text, size, "%.*f %s", form->decimals, (double)time_ps / (double)form->unit_ps,
             form->unit);
}

static bool tells_apart(const struct compare_candidate *candidates, size_t count,
                        const size_t *order, const struct time_form *form) {
    char before[48] = "", now[48];
    for (size_t i = 0; i < count && candidates[order[i]].rank > 0; i++) {
        const bool equal =
            i > 0 && candidates[order[i]].time.mean == candidates[order[i - 1]].time.mean;
        write_time(now, sizeof now, candidates[order[i]].time.mean, form);
        if (i > 0 && !equal && strcmp(now, before) == 0) return false;
        memcpy(before, now, sizeof before);
    }
    return true;
}

/* Chooses four digits of the best time, or as many more as different times of the ranking need to
 * look different. */
static struct time_form form_of(const struct compare_candidate *candidates, size_t count,
                                const size_t *order) {
    static const struct time_form units[] = {
        {INT64_C(1000000000000), "s", 0},
        {1000000000, "ms", 0},
        {1000000, "us", 0},
        {1000, "ns", 0},
        {1, "ps", 0},
    };
    const int64_t best_ps = candidates[order[0]].time.mean;
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && best_ps < units[i].unit_ps)
        i++;
    struct time_form form = units[i];
    int max = 0;
    for (int64_t unit_ps = form.unit_ps; unit_ps > 1; unit_ps /= 10)
        max++;
    const int64_t whole = best_ps / form.unit_ps;
    form.decimals = whole < 10 ? 3 : whole < 100 ? 2 : whole < 1000 ? 1 : 0;
    if (form.decimals > max) form.decimals = max;
    while (form.decimals < max && !tells_apart(candidates, count, order, &form))
        form.decimals++;
    return form;
}

static void add_time(struct text_buffer *text, const struct compare_candidate *candidate,
                     bool exact, const struct time_form *form) {
    const struct compare_sample *sample = &candidate->time;
    char time[48] = "-", half[32], cell[48] = "-";
    if (sample->count > 0) write_time(time, sizeof time, sample->mean, form);
    add_cell(text, time, MEAN_WIDTH);
    if (exact) {
        snprintf(cell, sizeof cell, "exact");
    } else if (sample->half_width >= 0) {
        units_time_human(sample->half_width, half, sizeof half);
        snprintf(cell, sizeof cell, "%s %s", text_plus_minus(text), half);
    }
    add_cell(text, cell, INTERVAL_WIDTH);
}

/* Adds how many times faster or slower than the baseline a candidate is, and whether the difference
 * is significant. */
static void add_difference(struct text_buffer *text, const struct compare_candidate *candidate,
                           const struct compare_sample *baseline) {
    char factor[40] = "-";
    const int64_t there_ps = baseline->mean, here_ps = there_ps + candidate->difference.mean;
    const bool known = candidate->difference.count > 0 && there_ps > 0 && here_ps > 0;
    if (known && here_ps == there_ps)
        snprintf(factor, sizeof factor, "as fast");
    else if (known && candidate->negligible)
        snprintf(factor, sizeof factor, "%.2g %% %s",
                 100.0 * fabs((double)candidate->difference.mean) / (double)there_ps,
                 here_ps < there_ps ? "less" : "more");
    else if (known)
        snprintf(factor, sizeof factor, "%.2f times %s",
                 here_ps < there_ps ? (double)there_ps / (double)here_ps
                                    : (double)here_ps / (double)there_ps,
                 here_ps < there_ps ? "faster" : "slower");
    add_cell(text, factor, FACTOR_WIDTH);
    if (!known)
        text_add(text, "-");
    else if (here_ps == there_ps && candidate->difference.half_width <= 0)
        text_add(text, "none");
    else if (candidate->negligible)
        text_add(text, "negligible");
    else if (candidate->exact)
        text_add(text, "exact");
    else if (candidate->holm_p < 0)
        text_add(text, "not tested");
    else
        text_add(text, candidate->holm_p < 0.00005 ? "%s, p < 0.0001" : "%s, p %.4f",
                 candidate->significant ? "significant" : "unclear", candidate->holm_p);
}

static void add_failures(struct text_buffer *text, const anax_comparison *comparison, size_t trace,
                         size_t candidate) {
    const struct compare_point *points =
        &comparison->points[comparison_point(comparison, trace, candidate, 0)];
    const char *first = NULL;
    uint32_t failed = 0;
    for (uint32_t seed = 0; seed < comparison->seed_count; seed++) {
        if (points[seed].finished) continue;
        failed++;
        if (first == NULL) first = points[seed].failure != NULL ? points[seed].failure : "";
    }
    if (failed == 0) return;
    text_add(text, "\n        %" PRIu32 " of %" PRIu32 " seed%s %s no time: ", failed,
             comparison->seed_count, plural(comparison->seed_count), failed == 1 ? "has" : "have");
    char *line = strndup(first, strcspn(first, "\n"));
    text->failed = text->failed || line == NULL;
    text_add_name(text, line != NULL ? line : "", 0);
    free(line);
}

static void add_candidate(struct text_buffer *text, const anax_comparison *comparison, size_t trace,
                          size_t index, const struct time_form *form) {
    const struct compare_candidate *candidates =
        &comparison->candidates[trace * comparison->set.candidate_count];
    const struct compare_candidate *candidate = &candidates[index];
    if (candidate->rank > 0)
        text_add(text, "%6" PRIu32 "  ", candidate->rank);
    else
        text_add(text, "     -  ");
    if (is_wide(comparison)) add_list(text, comparison, &index);
    for (size_t i = 0; i < comparison->set.factor_count && !is_wide(comparison); i++) {
        if (comparison->set.factors[i].count == 1) continue;
        text_add_cut_name(text, candidate_set_value(&comparison->set, index, i),
                          width_of(&comparison->set.factors[i]));
        text_add(text, "  ");
    }
    add_time(text, candidate, comparison_is_exact(comparison, trace, index), form);
    if (index > 0)
        add_difference(text, candidate, &candidates[0].time);
    else if (comparison->set.candidate_count > 1)
        text_add(text, "baseline");
    add_failures(text, comparison, trace, index);
    text_add(text, "\n");
}

char *report_comparison_text(const anax_comparison *comparison) {
    struct text_buffer text = {.is_ascii = comparison->ascii_only};
    add_head(&text, comparison);
    for (size_t trace = 0; trace < comparison->trace_count; trace++) {
        size_t *order = NULL;
        if (comparison_sort_candidates(comparison, trace, &order, NULL) != STATUS_OK) {
            text.failed = true;
            break;
        }
        text_add(&text, "\n");
        text_add_name(&text, comparison->names[trace], 0);
        const uint32_t ranks = comparison->traces[trace]->program->rank_count;
        text_add(&text, " (%" PRIu32 " rank%s)\n", ranks, plural(ranks));
        warnings_text(&text, "Warning: ", comparison->traces[trace]->program,
                      candidate_set_has_storage(&comparison->set));
        struct text_buffer why = TEXT_BUFFER_INIT;
        comparison_add_why(&why, comparison, trace);
        char *words = why.length > 0 ? text_take(&why) : NULL;
        if (words != NULL) text_add_paragraph(&text, 0, words);
        free(words);
        text.failed = text.failed || why.failed;
        add_columns(&text, comparison);
        const struct time_form form =
            form_of(&comparison->candidates[trace * comparison->set.candidate_count],
                    comparison->set.candidate_count, order);
        for (size_t i = 0; i < comparison->set.candidate_count; i++)
            add_candidate(&text, comparison, trace, order[i], &form);
        free(order);
    }
    return text_take(&text);
}
