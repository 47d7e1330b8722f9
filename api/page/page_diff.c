/* The page of a diff: two replays side by side, and what takes more or less time in the second. */
#include "api/chart/chart.h"
#include "api/chart/signed_bars.h"
#include "api/chart/stack.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a list of changes is about: its name in JSON, and on the page; and what the page says of a
 * time that a result does not have. */
static const struct subject {
    const char *by, *id, *heading, *what, *column, *absent;
} subjects[] = {
    {"cause", "causes", "Causes", "the time of all ranks by cause", "cause", "unknown"},
    {"call", "calls", "MPI calls", "the time in MPI calls, over all ranks", "call", "unknown"},
    {"region", "regions", "User regions", "the time in user regions, over all ranks", "region",
     "not recorded"},
    {"link kind", "links", "Busiest links", "the busy time of the busiest links by kind",
     "kind of link", "not among the busiest"},
};

enum { CAUSES = 40, BARS = 12, TABLE_ROWS = 40, RANK_COLUMNS = 96 };

struct change {
    const char *name;
    double first_ps, second_ps; /* NAN: the result does not have it */
};

struct changes {
    struct change *rows;
    size_t count;
};

static double difference(const struct change *change) {
    return change->second_ps - change->first_ps;
}

/* Returns how large a difference is, in either direction; -1: one of the results has no time. */
static double size_of(const struct change *change) {
    const double by_ps = difference(change);
    return isfinite(by_ps) ? fabs(by_ps) : -1;
}

static int largest_first(const void *first, const void *second) {
    const struct change *a = first, *b = second;
    const double left = size_of(a), right = size_of(b);
    if (left != right) return left > right ? -1 : 1;
    return strcmp(a->name, b->name);
}

static double time_of(struct json_object *row, const char *key) {
    return page_value_has(row, key) ? fmax(page_value_number(row, key), 0) : (double)NAN;
}

/* Returns the changes of a kind, in the order of the JSON; rows is NULL if memory has run out. */
static struct changes changes_by(struct json_object *result, const char *by) {
    struct json_object *list = page_value_list(result, "changes");
    struct changes changes = {memory_new(page_value_count(list) + 1, sizeof *changes.rows), 0};
    for (size_t i = 0; i < page_value_count(list) && changes.rows != NULL; i++) {
        struct json_object *row = page_value_at(list, i);
        if (strcmp(page_value_text(row, "by"), by) != 0) continue;
        changes.rows[changes.count++] = (struct change){
            page_value_text(row, "name"), time_of(row, "first_ps"), time_of(row, "second_ps")};
    }
    return changes;
}

/* Writes a difference with its sign, and the share of the first time if there is one. */
static const char *difference_text(char *text, size_t size, const struct change *change) {
    char time[VALUES_TEXT], share[VALUES_TEXT];
    const double by_ps = difference(change);
    page_value_time(time, by_ps);
    if (size_of(change) < 0)
        snprintf(text, size, "unknown");
    else if (change->first_ps > 0)
        snprintf(text, size, "%s%s (%s%s)", by_ps > 0 ? "+" : "", time, by_ps > 0 ? "+" : "",
                 page_value_percent(share, by_ps / change->first_ps));
    else
        snprintf(text, size, "%s%s", by_ps > 0 ? "+" : "", time);
    return text;
}

static void add_time(struct page *page, double time_ps, const char *absent) {
    char text[VALUES_TEXT];
    page_cell(page, "%s", isfinite(time_ps) ? page_value_time(text, time_ps) : absent);
}

static void add_change(struct page *page, const char *name, const struct change *change,
                       const char *absent) {
    char text[96];
    page_cell(page, "%s", name);
    add_time(page, change->first_ps, absent);
    add_time(page, change->second_ps, absent);
    page_cell(page, "%s", difference_text(text, sizeof text, change));
}

/* ---- both runs ---- */

static void add_runs(struct page *page, struct json_object *runs) {
    char text[VALUES_TEXT];
    page_table(page, "result|file|trace|#ranks|machine|routing|placement|#predicted time");
    for (size_t i = 0; i < 2; i++) {
        struct json_object *run = page_value_at(runs, i);
        page_cell(page, "%s", i == 0 ? "first" : "second");
        page_cell(page, "%s", page_value_text(run, "path"));
        page_cell(page, "%s", page_value_text(run, "trace"));
        page_cell(page, "%s", page_value_count_text(text, page_value_number(run, "ranks")));
        page_cell(page, "%s", page_value_text(run, "machine"));
        page_cell(page, "%s", page_value_text(run, "routing"));
        page_cell(page, "%s", page_value_text(run, "placement"));
        page_cell(page, "%s", page_value_time(text, page_value_number(run, "time_ps")));
    }
    page_table_end(page);
}

static void add_verdict(struct page *page, struct json_object *result) {
    struct json_object *runs = page_value_list(result, "results");
    const struct change whole = {"", time_of(page_value_at(runs, 0), "time_ps"),
                                 time_of(page_value_at(runs, 1), "time_ps")};
    char first[VALUES_TEXT], second[VALUES_TEXT], lead[280], text[96];
    page_section(page, "verdict", "What differs");
    page_value_time(first, whole.first_ps);
    page_value_time(second, whole.second_ps);
    if (difference(&whole) == 0)
        snprintf(lead, sizeof lead, "Both runs take %s.", first);
    else
        snprintf(lead, sizeof lead, "The second run takes %s, the first one %s: %s.", second, first,
                 difference_text(text, sizeof text, &whole));
    page_lead_paragraph(page, lead);
    page_paragraph(page,
                   "Every difference is the time of the second run less that of the first one.");
    add_runs(page, runs);
}

/* ---- the parts of the ranks' time, side by side ---- */

static void add_parts(struct page *page, struct json_object *result) {
    static const char *const names[2] = {"first", "second"};
    struct json_object *runs = page_value_list(result, "results");
    struct changes causes = changes_by(result, "cause");
    const size_t count = causes.count < CAUSES ? causes.count : CAUSES;
    struct svg_key *keys = memory_new(count + 1, sizeof *keys);
    double *values = memory_new(2 * count + 2, sizeof *values), sums[2] = {0, 0}, unit;
    const double ranks[2] = {page_value_number(page_value_at(runs, 0), "ranks"),
                             page_value_number(page_value_at(runs, 1), "ranks")};
    char axis[64], notes[2][VALUES_TEXT];
    struct stack_bar bars[2];
    if (causes.rows == NULL || keys == NULL || values == NULL) page->failed = true;
    for (size_t i = 0; i < 2 && !page->failed; i++) {
        for (size_t k = 0; k < count; k++) {
            const struct change *cause = &causes.rows[k];
            const double mean = (i == 0 ? cause->first_ps : cause->second_ps) / ranks[i];
            keys[k] = page_part_key(cause->name, k);
            values[i * count + k] = isfinite(mean) ? mean : 0;
            sums[i] += values[i * count + k];
        }
        bars[i] =
            (struct stack_bar){names[i], page_value_time(notes[i], sums[i]), &values[i * count]};
    }
    if (!page->failed && sums[0] + sums[1] > 0) {
        snprintf(axis, sizeof axis, "mean time of a rank (%s)",
                 page_value_unit(fmax(sums[0], sums[1]), &unit));
        const struct stack stack = {.name = "breakdown",
                                    .title = "The mean time of a rank by part, in both runs",
                                    .axis = axis,
                                    .unit = unit,
                                    .parts = keys,
                                    .part_count = count,
                                    .bars = bars,
                                    .bar_count = 2};
        struct text_buffer svg = TEXT_BUFFER_INIT;
        stack_draw(&svg, &stack);
        page_section(page, "breakdown", "Where the time went");
        page_picture(page, "breakdown", &svg,
                     "A rank ends after %s in the mean in the first run, and after %s in the "
                     "second.",
                     notes[0], notes[1]);
        page_numbers(page, "Numbers: mean time of a rank by part",
                     "part|#first|#second|#difference");
        for (size_t k = 0; k < count; k++)
            add_change(page, causes.rows[k].name,
                       &(struct change){"", causes.rows[k].first_ps / ranks[0],
                                        causes.rows[k].second_ps / ranks[1]},
                       subjects[0].absent);
        page_numbers_end(page);
    }
    free(causes.rows);
    free(keys);
    free(values);
}

/* ---- the largest changes of a kind ---- */

static void draw_changes(struct page *page, const struct subject *subject,
                         const struct changes *changes) {
    struct signed_bar bars[BARS];
    char notes[BARS][96], axis[80], name[64], text[96];
    size_t count = 0;
    double unit;
    for (; count < changes->count && count < BARS && size_of(&changes->rows[count]) > 0; count++)
        bars[count] =
            (struct signed_bar){changes->rows[count].name,
                                difference_text(notes[count], sizeof *notes, &changes->rows[count]),
                                difference(&changes->rows[count])};
    page_section(page, subject->id, subject->heading);
    if (size_of(&changes->rows[0]) < 0) {
        page_paragraph(page, "No row of the table is in both results: %s cannot be compared.",
                       subject->what);
        return;
    }
    if (count == 0) {
        const bool all = size_of(&changes->rows[changes->count - 1]) >= 0;
        page_paragraph(page, "In both runs %s is the same%s.", subject->what,
                       all ? "" : ", where both results have it");
        return;
    }
    snprintf(axis, sizeof axis, "second less first (%s)",
             page_value_unit(fabs(bars[0].value), &unit));
    snprintf(name, sizeof name, "%s", subject->id);
    const struct signed_bars drawn = {.name = name,
                                      .title = subject->heading,
                                      .axis = axis,
                                      .above = "more in the second run",
                                      .below = "less in the second run",
                                      .unit = unit,
                                      .bars = bars,
                                      .count = count};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    signed_bars_draw(&svg, &drawn);
    page_picture(page, name, &svg, "Of %s, %s changes most: %s.", subject->what,
                 changes->rows[0].name, difference_text(text, sizeof text, &changes->rows[0]));
}

static void add_changes(struct page *page, struct json_object *result,
                        const struct subject *subject) {
    struct changes changes = changes_by(result, subject->by);
    char heads[80];
    if (changes.rows == NULL) page->failed = true;
    if (changes.rows != NULL && changes.count > 0) {
        qsort(changes.rows, changes.count, sizeof *changes.rows, largest_first);
        draw_changes(page, subject, &changes);
        snprintf(heads, sizeof heads, "%s|#first|#second|#difference", subject->column);
        page_numbers(page, "Numbers: the largest changes first", heads);
        for (size_t i = 0; i < changes.count && i < TABLE_ROWS; i++)
            add_change(page, changes.rows[i].name, &changes.rows[i], subject->absent);
        page_numbers_end(page);
    }
    free(changes.rows);
}

/* ---- ranks ---- */

/* Fills the points of a run: the mean of the ranks that share a column. Returns how many columns
 * the run's ranks have. */
static size_t fill_columns(double *x, double *y, const struct changes *ranks, bool is_second) {
    const size_t columns = ranks->count < RANK_COLUMNS ? ranks->count : RANK_COLUMNS;
    for (size_t column = 0; column < columns; column++) {
        const size_t first = column * ranks->count / columns;
        const size_t end = (column + 1) * ranks->count / columns;
        double sum = 0;
        size_t known = 0;
        for (size_t i = first; i < end; i++) {
            const struct change *rank = &ranks->rows[i];
            const double time_ps = is_second ? rank->second_ps : rank->first_ps;
            if (!isfinite(time_ps)) continue;
            sum += time_ps;
            known++;
        }
        x[column] = (double)first;
        if (known == 0) {
            y[column] = column > 0 ? y[column - 1] : 0;
            return column;
        }
        y[column] = sum / (double)known;
    }
    x[columns] = (double)ranks->count;
    y[columns] = y[columns - 1];
    return columns;
}

static void draw_ranks(struct page *page, const struct changes *ranks, const struct change *max) {
    double x[2][RANK_COLUMNS + 1], y[2][RANK_COLUMNS + 1], unit, end = 0;
    char axis[64], text[96];
    size_t columns[2];
    for (size_t k = 0; k < 2; k++) {
        columns[k] = fill_columns(x[k], y[k], ranks, k == 1);
        for (size_t i = 0; i <= columns[k]; i++)
            end = fmax(end, y[k][i]);
    }
    snprintf(axis, sizeof axis, "time of a rank (%s)", page_value_unit(end, &unit));
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i <= columns[k]; i++)
            y[k][i] /= unit;
    const struct chart_series series[2] = {{.label = "first",
                                            .x = x[0],
                                            .y = y[0],
                                            .count = columns[0] + 1,
                                            .style = 1,
                                            .has_line = true,
                                            .is_stepped = true,
                                            .width = 2},
                                           {.label = "second",
                                            .x = x[1],
                                            .y = y[1],
                                            .count = columns[1] + 1,
                                            .style = 5,
                                            .has_line = true,
                                            .is_stepped = true,
                                            .is_dashed = true, /* the first shows through it */
                                            .width = 2}};
    const struct chart chart = {.title = "The time of ranks in both runs",
                                .x = {.label = "rank", .whole = true, .max = (double)ranks->count},
                                .y = {.label = axis, .max = end > 0 ? end / unit : 1},
                                .series = series,
                                .count = 2};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    chart_draw(&svg, &chart);
    const char *mean =
        RANK_COLUMNS < ranks->count ? " A step is the mean of neighbouring ranks." : "";
    if (size_of(max) == 0)
        page_picture(page, "ranks", &svg,
                     "In both runs each of the %zu ranks takes the same time.%s", ranks->count,
                     mean);
    else
        page_picture(page, "ranks", &svg, "Rank %s changes most: %s.%s", max->name,
                     difference_text(text, sizeof text, max), mean);
}

static void add_ranks(struct page *page, struct json_object *result) {
    struct changes ranks = changes_by(result, "rank");
    if (ranks.rows == NULL) page->failed = true;
    if (ranks.rows != NULL && ranks.count > 0) {
        size_t max = 0;
        for (size_t i = 1; i < ranks.count; i++)
            if (size_of(&ranks.rows[i]) > size_of(&ranks.rows[max])) max = i;
        page_section(page, "ranks", "Ranks");
        draw_ranks(page, &ranks, &ranks.rows[max]);
        qsort(ranks.rows, ranks.count, sizeof *ranks.rows, largest_first);
        page_numbers(page, "Numbers: the ranks that change most",
                     "#rank|#first|#second|#difference");
        for (size_t i = 0; i < ranks.count && i < TABLE_ROWS; i++)
            add_change(page, ranks.rows[i].name, &ranks.rows[i], "no such rank");
        page_numbers_end(page);
    }
    free(ranks.rows);
}

void page_of_diff(struct page *page, struct json_object *result) {
    add_verdict(page, result);
    add_parts(page, result);
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        add_changes(page, result, &subjects[i]);
        if (i == 0) add_ranks(page, result);
    }
}
