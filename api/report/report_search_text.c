/* A search for people: what the limits leave, the stages, and the Pareto front, cheapest first. */
#include "api/report/report_layout.h"
#include "api/results/warnings.h"
#include "api/search/search_state.h"
#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000, SHOWN_REASONS = 5, SHOWN_NEAR = 10 };

/* Returns the values of a candidate that vary, with the names of their settings without "network.",
 * which is the most common prefix. The caller frees the text. */
static char *label_of(const anax_search *search, size_t index) {
    static const char network[] = "network.";
    const size_t length = sizeof network - 1;
    struct text_buffer text = TEXT_BUFFER_INIT;
    for (size_t i = 0; i < search->on_whole->set.factor_count; i++) {
        const struct compare_factor *factor = &search->on_whole->set.factors[i];
        if (factor->count == 1) continue;
        const bool is_short = strncmp(factor->setting, network, length) == 0;
        text_add(&text, "%s%s=", text.length > 0 ? " " : "",
                 factor->setting + (is_short ? length : 0));
        text_add_name(&text, candidate_set_value(&search->on_whole->set, index, i), 0);
    }
    if (text.length == 0) text_add(&text, "the only candidate");
    return text_take(&text);
}

static void add_label(struct text_buffer *text, const anax_search *search, size_t index) {
    char *label = label_of(search, index);
    text_add_paragraph(text, 4, label != NULL ? label : "");
    text->failed = text->failed || label == NULL;
    free(label);
}

/* Adds the candidates that were left out, by reason: the first of each figure or error. */
static void add_left_out(struct text_buffer *text, const anax_search *search) {
    size_t shown = 0;
    if (search->left_out == 0) return;
    text_add(text, "%zu left out, as these:\n", search->left_out);
    const char *before = "";
    for (size_t i = 0; i < search->candidate_count && shown < SHOWN_REASONS; i++) {
        const char *reason = search->candidates[i].reason;
        if (search->candidates[i].stage > 0 || reason == NULL || strcmp(reason, before) == 0)
            continue;
        before = reason;
        char *label = label_of(search, i);
        struct text_buffer words = TEXT_BUFFER_INIT;
        text_add(&words, "%s: ", label != NULL ? label : "");
        text_add_name(&words, reason, 0);
        char *line = text_take(&words);
        text_add_paragraph(text, 2, line != NULL ? line : "");
        free(line);
        free(label);
        shown++;
    }
}

static void add_limits(struct text_buffer *text, const anax_search *search) {
    for (search_figure i = 0; i < SEARCH_FIGURES; i++) {
        const struct search_limit *limit = &search->limits[i];
        const double unit = i == SEARCH_COST ? MILLION : 1;
        if (!limit->is_given) continue;
        report_row(text, 0, search_figure_names[i]);
        if (limit->min > 0) text_add(text, "at least %.0f", (double)limit->min / unit);
        if (limit->min > 0 && limit->max < INT64_MAX) text_add(text, ", ");
        if (limit->max < INT64_MAX) text_add(text, "at most %.0f", (double)limit->max / unit);
        text_add(text, "%s\n", i == SEARCH_COST ? " dollars" : "");
    }
}

static void add_stages(struct text_buffer *text, const anax_search *search) {
    text_add(text, "\nStages\n  stage  of the calls  seeds  candidates    kept    points\n");
    for (uint32_t i = 0; i < search->stage_count; i++) {
        const struct search_stage *stage = &search->stages[i];
        const int64_t share =
            stage->part == SEARCH_OF_PART ? search->share_millionths : (int64_t)MILLION;
        text_add(text, "%7" PRIu32 "  %10.1f %%  %5" PRIu32 "  %10zu", i + 1,
                 100.0 * (double)share / MILLION, stage->seeds, stage->candidates);
        if (i + 1 < search->stage_count)
            text_add(text, "  %6zu", stage->kept);
        else
            text_add(text, "  %6s", "-");
        text_add(text, "  %8zu\n", stage->points);
    }
}

/* Writes the test of a difference: "exact", "p 0.0123", or "not tested". */
static void write_verdict(char *verdict, size_t size, const struct search_candidate *candidate) {
    if (candidate->exact)
        snprintf(verdict, size, "exact");
    else if (candidate->holm_p >= 0)
        snprintf(verdict, size, "p %.4f", candidate->holm_p);
    else
        snprintf(verdict, size, "not tested");
}

static void add_candidate(struct text_buffer *text, const anax_search *search, size_t index) {
    const struct search_candidate *candidate = &search->candidates[index];
    const struct compare_sample *time = &search->on_whole->candidates[index].time;
    char mean[32], half[32] = "-", factor[32] = "", verdict[40] = "";
    units_time_human(time->mean, mean, sizeof mean);
    if (comparison_is_exact(search->on_whole, 0, index))
        snprintf(half, sizeof half, "exact");
    else if (time->half_width >= 0)
        units_time_human(time->half_width, half, sizeof half);
    if (candidate->has_rival) {
        const double rival = (double)search->on_whole->candidates[candidate->rival].time.mean;
        const double own = (double)time->mean;
        if (own == rival)
            snprintf(factor, sizeof factor, "as fast");
        else if (own > 0 && rival > 0)
            snprintf(factor, sizeof factor, "%.3f times %s",
                     own < rival ? rival / own : own / rival, own < rival ? "faster" : "slower");
        write_verdict(verdict, sizeof verdict, candidate);
    }
    text_add(text, "%11.0f  %6" PRId64 "  %5" PRId64 "  %-10s %-9s %-19s%s\n",
             (double)candidate->figures[SEARCH_COST] / MILLION, candidate->figures[SEARCH_NODES],
             candidate->figures[SEARCH_RADIX], mean, half, factor, verdict);
    add_label(text, search, index);
}

struct place {
    const anax_search *search;
    size_t index;
};

static int by_cost(const void *first, const void *second) {
    const struct place *a = first, *b = second;
    const struct search_candidate *one = &a->search->candidates[a->index];
    const struct search_candidate *two = &b->search->candidates[b->index];
    const int64_t cost = one->figures[SEARCH_COST], other = two->figures[SEARCH_COST];
    if (cost != other) return cost < other ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/* Returns whether a candidate is not in the front although no test shows that its rival is faster.
 */
static bool is_near(const anax_search *search, size_t index) {
    const struct search_candidate *candidate = &search->candidates[index];
    return candidate->stage == search->stage_count && candidate->has_rival &&
           !candidate->is_front && !candidate->exact &&
           search->on_whole->candidates[index].rank > 0 &&
           (candidate->holm_p < 0 || candidate->holm_p >= 1 - COMPARE_CONFIDENCE);
}

/* Adds the candidates of the front, or those near it. */
static void add_list(struct text_buffer *text, const anax_search *search, const char *title,
                     bool near) {
    struct place *list = memory_new(search->candidate_count, sizeof *list);
    size_t count = 0;
    text->failed = text->failed || list == NULL;
    for (size_t i = 0; list != NULL && i < search->candidate_count; i++)
        if (near ? is_near(search, i) : search->candidates[i].is_front)
            list[count++] = (struct place){search, i};
    if (count > 0) {
        qsort(list, count, sizeof *list, by_cost);
        text_add(text, "\n%s\n%11s   nodes  radix  %-10s %-9s to the fastest no dearer\n", title,
                 "dollars", "mean time",
                 text->is_ascii ? "+-" : "± "); /* two columns in both forms */
    }
    for (size_t i = 0; i < count && (!near || i < SHOWN_NEAR); i++)
        add_candidate(text, search, list[i].index);
    if (near && count > SHOWN_NEAR) text_add(text, "  and %zu more\n", count - SHOWN_NEAR);
    free(list);
}

static size_t fastest(const anax_search *search) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < search->candidate_count; i++)
        if (search->candidates[i].is_front &&
            (best == SIZE_MAX || search->on_whole->candidates[i].time.mean <
                                     search->on_whole->candidates[best].time.mean))
            best = i;
    return best;
}

char *report_search_text(const anax_search *search) {
    struct text_buffer text = {.is_ascii = search->ascii_only};
    const anax_comparison *whole = search->on_whole;
    const struct program *program = search->trace->program;
    const size_t best = fastest(search);
    if (best != SIZE_MAX) {
        char *label = label_of(search, best), time[32];
        struct text_buffer words = TEXT_BUFFER_INIT;
        units_time_human(whole->candidates[best].time.mean, time, sizeof time);
        text_add(&words, "The fastest takes %s and costs $%.0f: ", time,
                 (double)search->candidates[best].figures[SEARCH_COST] / MILLION);
        text_add_name(&words, label != NULL ? label : "", 0);
        text_add(&words, ".");
        char *line = text_take(&words);
        text_add_paragraph(&text, 0, line != NULL ? line : "");
        free(line);
        free(label);
        text_add(&text, "\n");
    }
    text_add(&text, "Search for ");
    text_add_name(&text, whole->names[0], 0);
    text_add(&text, " (%" PRIu32 " rank%s): %zu candidate%s, %" PRIu32 " seed%s from %" PRId64 "\n",
             program->rank_count, plural(program->rank_count), search->candidate_count,
             plural(search->candidate_count), whole->seed_count, plural(whole->seed_count),
             whole->first_seed);
    for (size_t i = 0; i < whole->set.factor_count; i++) {
        const struct compare_factor *factor = &whole->set.factors[i];
        struct text_buffer words = TEXT_BUFFER_INIT;
        text_add(&words, "%s: ", factor->setting);
        for (size_t k = 0; k < factor->count; k++)
            text_add(&words, "%s%s", k > 0 ? ", " : "", factor->values[k]);
        char *line = text_take(&words);
        text_add_paragraph(&text, 0, line != NULL ? line : "");
        free(line);
    }
    add_limits(&text, search);
    for (size_t i = 0; i < whole->set.factors[0].count; i++)
        report_settings_text(&text, "settings changed: ", whole->set.machines[i], ANAX_SCOPE_SEARCH,
                             REPORT_ALL_SETTINGS, NULL);
    add_left_out(&text, search);
    warnings_text(&text, "Warning: ", program, candidate_set_has_storage(&whole->set));
    add_stages(&text, search);
    add_list(&text, search, "Pareto front of cost and time", false);
    add_list(&text, search, "Not in the front, but not significantly slower", true);
    return text_take(&text);
}
