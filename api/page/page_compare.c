/* The page of a comparison: which candidate is the fastest, by how much, and why. */
#include "api/chart/heat_map.h"
#include "api/chart/ranking.h"
#include "api/chart/stack.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40, LISTED = 10, NAME = 160, FACTORS = 16 };

/* The candidates of one trace, the fastest first. */
struct contest {
    struct json_object *result;
    const char *trace;
    const char *factors[FACTORS]; /* that have several values */
    size_t factor_count;
    struct json_object *rows[ROWS];
    size_t count, all; /* rows; candidates */
    char names[ROWS][NAME];
    size_t trace_number;
};

/* Lists the factors of a comparison that have several values. */
static void find_factors(struct contest *contest) {
    struct json_object *list = page_value_list(contest->result, "factors");
    const char *last = "";
    for (size_t i = 0; i < page_value_count(list); i++) {
        const char *setting = page_value_text(page_value_at(list, i), "setting");
        const bool again = strcmp(setting, last) == 0;
        const bool known = contest->factor_count > 0 &&
                           strcmp(contest->factors[contest->factor_count - 1], setting) == 0;
        if (again && !known && contest->factor_count < FACTORS)
            contest->factors[contest->factor_count++] = setting;
        last = setting;
    }
}

void page_candidate_name(char *name, size_t size, const char *const *factors, size_t factor_count,
                         struct json_object *candidate) {
    size_t length = 0;
    name[0] = '\0';
    for (size_t i = 0; i < factor_count && length + 1 < size; i++) {
        const int added = snprintf(name + length, size - length, "%s%s", i > 0 ? ", " : "",
                                   page_value_text(candidate, factors[i]));
        length += added > 0 ? (size_t)added : 0;
    }
    if (factor_count == 0) snprintf(name, size, "%s", page_value_text(candidate, "machine"));
}

/* Returns a candidate's rank; those with seeds that did not finish have none and come last. */
static double rank_of(struct json_object *candidate) {
    const double rank = page_value_number(candidate, "rank");
    return isfinite(rank) ? rank : (double)INFINITY;
}

/* Adds a candidate in the order of ranks; the slowest that do not fit are left out, but never the
 * baseline. */
static void add_candidate(struct contest *contest, struct json_object *candidate) {
    const double rank = rank_of(candidate);
    contest->all++;
    if (contest->count == ROWS) {
        size_t slowest = ROWS - 1;
        if (page_value_truth(contest->rows[slowest], "baseline")) slowest--;
        if (!page_value_truth(candidate, "baseline") && !(rank < rank_of(contest->rows[slowest])))
            return;
        contest->rows[slowest] = contest->rows[ROWS - 1];
        contest->count--;
    }
    size_t place = contest->count++;
    for (; place > 0 && rank < rank_of(contest->rows[place - 1]); place--)
        contest->rows[place] = contest->rows[place - 1];
    contest->rows[place] = candidate;
}

static void find_candidates(struct contest *contest) {
    struct json_object *list = page_value_list(contest->result, "candidates");
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *candidate = page_value_at(list, i);
        if (strcmp(page_value_text(candidate, "trace"), contest->trace) == 0 &&
            isfinite(page_value_number(candidate, "mean_ps")))
            add_candidate(contest, candidate);
    }
    for (size_t i = 0; i < contest->count; i++)
        page_candidate_name(contest->names[i], NAME, contest->factors, contest->factor_count,
                            contest->rows[i]);
}

static bool is_of(const struct contest *contest, struct json_object *point,
                  struct json_object *candidate) {
    static const char *const always[] = {"trace", "machine"};
    for (size_t i = 0; i < 2; i++)
        if (strcmp(page_value_text(point, always[i]), page_value_text(candidate, always[i])) != 0)
            return false;
    for (size_t i = 0; i < contest->factor_count; i++)
        if (strcmp(page_value_text(point, contest->factors[i]),
                   page_value_text(candidate, contest->factors[i])) != 0)
            return false;
    return true;
}

/* Lists the times of a candidate's points, and their seeds; returns how many. */
static size_t times_of(const struct contest *contest, struct json_object *candidate, double *times,
                       double *seeds) {
    struct json_object *points = page_value_list(contest->result, "points");
    size_t count = 0;
    for (size_t i = 0; i < page_value_count(points); i++) {
        struct json_object *point = page_value_at(points, i);
        const double time_ps = page_value_number(point, "time_ps");
        if (!isfinite(time_ps) || !is_of(contest, point, candidate)) continue;
        seeds[count] = page_value_number(point, "seed");
        times[count++] = time_ps;
    }
    return count;
}

static void difference_text(struct json_object *candidate, char *text, size_t size) {
    const double share = page_value_number(candidate, "difference_share");
    char change[VALUES_TEXT];
    if (page_value_truth(candidate, "baseline"))
        snprintf(text, size, "baseline");
    else
        snprintf(text, size, "%s", page_value_change(change, share));
}

static void draw_ranking(struct page *page, const struct contest *contest,
                         const struct ranking_row *rows, bool from_zero) {
    char name[40], axis[48], best[VALUES_TEXT];
    double unit;
    snprintf(name, sizeof name, "%s-%zu", from_zero ? "ranking" : "seeds", contest->trace_number);
    snprintf(axis, sizeof axis, "predicted time (%s)", page_value_unit(rows[0].mean, &unit));
    const struct ranking ranking = {.name = name,
                                    .title = from_zero ? "Candidates, the fastest first"
                                                       : "The time of each seed",
                                    .axis = axis,
                                    .unit = unit,
                                    .begins_at_zero = from_zero,
                                    .rows = rows,
                                    .count = contest->count};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    ranking_draw(&svg, &ranking);
    if (from_zero && contest->all == 1)
        page_picture(page, name, &svg, "The only candidate is %s: %s on average.", rows[0].label,
                     page_value_time(best, rows[0].mean));
    else if (from_zero)
        page_picture(
            page, name, &svg,
            "The fastest of %zu candidates is %s: %s on average (%s). Grey bars with "
            "stripes do not differ significantly from the baseline (the bar with dots), or by a "
            "negligible share only; lines with ends are 95 %% intervals.",
            contest->all, rows[0].label, page_value_time(best, rows[0].mean), rows[0].note);
    else
        page_picture(page, name, &svg,
                     "Circles are the %.0f seeds, upright lines the means; the axis does not begin "
                     "at 0.",
                     page_value_number(contest->result, "seeds"));
}

static void add_numbers(struct page *page, const struct contest *contest) {
    char text[VALUES_TEXT], share[32];
    page_numbers(page, "Numbers: candidates",
                 "#rank|candidate|#mean|#from|#to|#least|#largest|#difference|significant");
    for (size_t i = 0; i < contest->count; i++) {
        struct json_object *row = contest->rows[i];
        static const char *const keys[] = {"mean_ps", "low_ps", "high_ps", "min_ps", "max_ps"};
        page_cell(page, "%.0f", page_value_number(row, "rank"));
        page_cell(page, "%s", contest->names[i]);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            page_cell(page, "%s", page_value_time(text, page_value_number(row, keys[k])));
        difference_text(row, share, sizeof share);
        page_cell(page, "%s", share);
        page_cell(page, "%s",
                  page_value_truth(row, "baseline")      ? ""
                  : page_value_truth(row, "negligible")  ? "negligible"
                  : page_value_truth(row, "significant") ? "yes"
                                                         : "no");
    }
    page_numbers_end(page);
    if (contest->all > contest->count)
        page_paragraph(
            page,
            "Of %zu candidates, pictures and numbers have the baseline and the fastest: %zu "
            "together.",
            contest->all, contest->count);
}

/* Draws the times of all seeds if a candidate has several. times: room for two numbers for each
 * candidate and point. */
static void draw_seeds(struct page *page, const struct contest *contest, struct ranking_row *rows,
                       double *times, size_t points) {
    double *seeds = times + contest->count * points;
    const size_t listed = contest->count < LISTED ? contest->count : LISTED;
    char text[VALUES_TEXT], summary[80];
    bool several = false;
    for (size_t i = 0; i < contest->count; i++) {
        rows[i].values = times + i * points;
        rows[i].value_count =
            times_of(contest, contest->rows[i], times + i * points, seeds + i * points);
        several = several || rows[i].value_count > 1;
    }
    if (!several) return;
    draw_ranking(page, contest, rows, false);
    snprintf(summary, sizeof summary, "Numbers: times of the seeds%s",
             listed < contest->count ? " of the first ten candidates" : "");
    page_numbers(page, summary, "candidate|#seed|#time");
    for (size_t i = 0; i < listed; i++)
        for (size_t k = 0; k < rows[i].value_count; k++) {
            char seed[VALUES_TEXT];
            page_cell(page, "%s", contest->names[i]);
            page_cell(page, "%s", page_value_count_text(seed, seeds[i * points + k]));
            page_cell(page, "%s", page_value_time(text, rows[i].values[k]));
        }
    page_numbers_end(page);
}

static void draw_rankings(struct page *page, const struct contest *contest) {
    const size_t points = page_value_count(page_value_list(contest->result, "points"));
    struct ranking_row *rows = memory_new(contest->count, sizeof *rows);
    double *times = memory_new(2 * contest->count * (points + 1), sizeof *times);
    char(*notes)[32] = memory_new(contest->count, sizeof *notes);
    if (rows == NULL || times == NULL || notes == NULL) {
        page->failed = true;
    } else {
        for (size_t i = 0; i < contest->count; i++) {
            struct json_object *row = contest->rows[i];
            difference_text(row, notes[i], sizeof notes[i]);
            rows[i] = (struct ranking_row){
                .label = contest->names[i],
                .note = notes[i],
                .mean = page_value_number(row, "mean_ps"),
                .low = page_value_number(row, "low_ps"),
                .high = page_value_number(row, "high_ps"),
                .is_baseline = page_value_truth(row, "baseline"),
                .is_quiet =
                    !page_value_truth(row, "significant") || page_value_truth(row, "negligible"),
            };
        }
        draw_ranking(page, contest, rows, true);
        add_numbers(page, contest);
        draw_seeds(page, contest, rows, times, points + 1);
    }
    free(rows);
    free(times);
    free(notes);
}

/* ---- where the time goes ---- */

static void draw_parts(struct page *page, const struct contest *contest) {
    double(*values)[PAGE_PARTS] = memory_new(contest->count, sizeof *values);
    struct stack_bar *bars = memory_new(contest->count, sizeof *bars);
    char name[40], axis[48], text[VALUES_TEXT];
    double unit, max = 0;
    for (size_t i = 0; i < contest->count && values != NULL && bars != NULL; i++) {
        double sum = 0;
        for (size_t k = 0; k < PAGE_PARTS; k++) {
            const double part = page_value_number(contest->rows[i], page_part_keys[k]);
            values[i][k] = part > 0 ? part : 0;
            sum += values[i][k];
        }
        max = fmax(max, sum);
        bars[i] = (struct stack_bar){.label = contest->names[i], .values = values[i]};
    }
    snprintf(name, sizeof name, "parts-%zu", contest->trace_number);
    snprintf(axis, sizeof axis, "mean time of a rank (%s)", page_value_unit(max, &unit));
    if (values == NULL || bars == NULL) page->failed = true;
    if (max > 0) {
        const struct stack stack = {.name = name,
                                    .title = "Where the time of a rank goes",
                                    .axis = axis,
                                    .unit = unit,
                                    .parts = page_parts,
                                    .part_count = PAGE_PARTS,
                                    .bars = bars,
                                    .bar_count = contest->count};
        struct text_buffer svg = TEXT_BUFFER_INIT;
        stack_draw(&svg, &stack);
        page_picture(page, name, &svg,
                     "Where the time of a rank goes with each candidate: with %s, %s of it is "
                     "computation.",
                     contest->names[0], page_value_time(text, values[0][0]));
        page_numbers(page, "Numbers: mean parts of a rank's time",
                     "candidate|#computation|#reductions|#send|#receive|#late sender|#late "
                     "receiver|#transit|#queueing|#collectives");
        for (size_t i = 0; i < contest->count; i++) {
            page_cell(page, "%s", contest->names[i]);
            for (size_t k = 0; k < PAGE_PARTS; k++)
                page_cell(page, "%s", page_value_time(text, values[i][k]));
        }
        page_numbers_end(page);
    }
    free(values);
    free(bars);
}

void page_of_comparison(struct page *page, struct json_object *result) {
    struct json_object *traces = page_value_list(result, "traces");
    struct json_object *winners = page_value_list(result, "winners");
    struct contest *contest = memory_new(1, sizeof *contest);
    if (contest == NULL) page->failed = true;
    for (size_t i = 0; i < page_value_count(traces) && contest != NULL; i++) {
        char id[32], heading[NAME];
        *contest = (struct contest){.result = result,
                                    .trace = page_value_text(page_value_at(traces, i), "name"),
                                    .trace_number = i + 1};
        find_factors(contest);
        find_candidates(contest);
        snprintf(id, sizeof id, "trace-%zu", i + 1);
        snprintf(heading, sizeof heading, "Candidates for %.120s", contest->trace);
        page_section(page, id, heading);
        for (size_t k = 0; k < page_value_count(winners); k++)
            if (strcmp(page_value_text(page_value_at(winners, k), "trace"), contest->trace) == 0)
                page_lead_paragraph(page, page_value_text(page_value_at(winners, k), "why"));
        if (contest->count == 0) {
            page_paragraph(page, "No candidate finished.");
            continue;
        }
        draw_rankings(page, contest);
        page_factor_map(page, contest->factors, contest->factor_count, contest->trace,
                        contest->trace_number, page_value_list(result, "candidates"));
        page_costs(page, contest->factors, contest->factor_count, contest->trace,
                   contest->trace_number, page_value_list(result, "candidates"));
        draw_parts(page, contest);
    }
    free(contest);
    page_changes(page, result);
    page_origin(page, result);
}
