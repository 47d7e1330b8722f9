/* What ranks do over time, and how busy the network is meanwhile: from the result's time bins. */
#include "api/chart/strips.h"
#include "api/page/bin_columns.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 128, ROWS = 64, TABLE_ROWS = 32, KINDS = 4, RANKS_MAX = 1 << 26 };

static const char *const kinds[KINDS] = {"injection", "ejection", "local", "global"};

struct timeline {
    struct json_object *result;
    struct bin_columns bins;
    size_t ranks, row_ranks, rows;
    double *shares; /* [(row * columns + column) * PAGE_PARTS + part] */
    double *sums;   /* [column * PAGE_PARTS + part], percent */
    double *loads;  /* [kind * columns + column], percent */
};

/* Returns the time that a row of a table spends in a part; that in collectives has four parts. */
static double part_of(struct json_object *row, size_t part) {
    static const char *const collective[] = {"collective_late_ps", "collective_transit_ps",
                                             "collective_queueing_ps", "collective_other_ps"};
    if (part + 1 < PAGE_PARTS) return fmax(0, page_value_number(row, page_part_keys[part]));
    double sum = 0;
    for (size_t i = 0; i < sizeof collective / sizeof *collective; i++)
        sum += fmax(0, page_value_number(row, collective[i]));
    return sum;
}

static bool new_timeline(struct timeline *timeline) {
    const size_t columns = timeline->bins.columns;
    timeline->shares = memory_new(timeline->rows * columns * PAGE_PARTS, sizeof(double));
    timeline->sums = memory_new(columns * PAGE_PARTS, sizeof(double));
    timeline->loads = memory_new(columns * KINDS, sizeof(double));
    return timeline->shares != NULL && timeline->sums != NULL && timeline->loads != NULL;
}

static void read_ranks(struct timeline *timeline, struct json_object *list) {
    const size_t columns = timeline->bins.columns;
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *bin = page_value_at(list, i);
        const size_t row = page_value_size(bin, "first_rank", RANKS_MAX) / timeline->row_ranks;
        const size_t column = bin_columns_at(&timeline->bins, bin);
        if (row >= timeline->rows || column >= columns) continue;
        const size_t left = timeline->ranks - row * timeline->row_ranks;
        const double ranks = (double)(left < timeline->row_ranks ? left : timeline->row_ranks);
        for (size_t part = 0; part < PAGE_PARTS; part++)
            timeline->shares[(row * columns + column) * PAGE_PARTS + part] +=
                part_of(bin, part) / (ranks * timeline->bins.width_ps);
    }
}

static void read_sums(struct timeline *timeline, struct json_object *list) {
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *bin = page_value_at(list, i);
        const size_t column = bin_columns_at(&timeline->bins, bin);
        for (size_t part = 0; part < PAGE_PARTS && column < timeline->bins.columns; part++)
            timeline->sums[column * PAGE_PARTS + part] +=
                100 * part_of(bin, part) / ((double)timeline->ranks * timeline->bins.width_ps);
    }
}

/* Reads the busy share of all channels of each kind. */
static void read_loads(struct timeline *timeline) {
    struct json_object *list = page_value_list(timeline->result, "channel_bins");
    struct json_object *all = page_value_list(timeline->result, "group_channels");
    double links[KINDS] = {0};
    for (size_t i = 0; i < page_value_count(all); i++)
        for (size_t kind = 0; kind < KINDS; kind++)
            if (strcmp(page_value_text(page_value_at(all, i), "kind"), kinds[kind]) == 0)
                links[kind] += fmax(0, page_value_number(page_value_at(all, i), "links"));
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *bin = page_value_at(list, i);
        const size_t column = bin_columns_at(&timeline->bins, bin);
        if (column >= timeline->bins.columns) continue;
        for (size_t kind = 0; kind < KINDS; kind++)
            if (links[kind] > 0 && strcmp(page_value_text(bin, "kind"), kinds[kind]) == 0)
                timeline->loads[kind * timeline->bins.columns + column] +=
                    100 * fmax(0, page_value_number(bin, "busy_ps")) /
                    (links[kind] * timeline->bins.width_ps);
    }
}

static double running(const struct timeline *timeline, size_t column) {
    double sum = 0;
    for (size_t part = 0; part < PAGE_PARTS; part++)
        sum += timeline->sums[column * PAGE_PARTS + part];
    return sum;
}

/* Returns whether ranks compute for less than half of a column. */
static bool is_waiting(const struct timeline *timeline, size_t column) {
    return running(timeline, column) > 0 &&
           timeline->sums[column * PAGE_PARTS] < running(timeline, column) / 2;
}

/* Returns the largest part besides computation in some columns. */
static size_t largest_part(const struct timeline *timeline, size_t first, size_t end) {
    size_t best = 1;
    double max = -1;
    for (size_t part = 1; part < PAGE_PARTS; part++) {
        double sum = 0;
        for (size_t column = first; column < end; column++)
            sum += timeline->sums[column * PAGE_PARTS + part];
        if (sum > max) {
            max = sum;
            best = part;
        }
    }
    return best;
}

/* Returns the time at which column number `columns` - 1 ends; the last column ends with the run. */
static double end_of(const struct timeline *timeline, size_t columns) {
    const double end_ps = (double)columns * timeline->bins.width_ps;
    const double run_ps = page_value_number(timeline->result, "time_ps");
    const bool is_last = columns == timeline->bins.columns;
    return is_last && run_ps > end_ps - timeline->bins.width_ps ? fmin(end_ps, run_ps) : end_ps;
}

/* Adds the picture with its sentence: for how long ranks do not compute, and the longest such
 * stretch. */
static void add_picture(struct page *page, const struct timeline *timeline,
                        struct text_buffer *svg) {
    const double width_ps = timeline->bins.width_ps;
    size_t first = 0, end = 0, count = 0, used = 0, begin = 0;
    char share[VALUES_TEXT], from[VALUES_TEXT], to[VALUES_TEXT], rows[80] = "a rank";
    for (size_t column = 0; column < timeline->bins.columns; column++) {
        used += running(timeline, column) > 0;
        if (!is_waiting(timeline, column)) {
            begin = column + 1;
            continue;
        }
        count++;
        if (column + 1 - begin <= end - first) continue;
        first = begin;
        end = column + 1;
    }
    if (timeline->row_ranks > 1)
        snprintf(rows, sizeof rows, "%zu ranks that follow each other", timeline->row_ranks);
    if (count == 0)
        page_picture(page, "timeline", svg,
                     "Ranks compute for at least half of their time in each of the %zu columns. A "
                     "row of the first strip is %s.",
                     timeline->bins.columns, rows);
    else
        page_picture(page, "timeline", svg,
                     "In %s of the run, ranks compute for less than half of their time. The "
                     "longest such stretch is from %s to %s; most of it is %s. A row of the first "
                     "strip is %s.",
                     page_value_percent(share, (double)count / (double)used),
                     page_value_time(from, (double)first * width_ps),
                     page_value_time(to, end_of(timeline, end)),
                     page_parts[largest_part(timeline, first, end)].label, rows);
}

static void draw(struct page *page, const struct timeline *timeline) {
    static const char *const colours[KINDS] = {"#56b4e9", "#009e73", "#e69f00", "#0072b2"};
    static const char *const dashes[KINDS] = {"2 2", "6 2 2 2", "6 3", NULL};
    struct strips_line lines[KINDS];
    char across[48];
    double unit;
    const double max_ps = timeline->bins.width_ps * (double)timeline->bins.columns;
    for (size_t i = 0; i < KINDS; i++)
        lines[i] = (struct strips_line){.label = kinds[i],
                                        .values = timeline->loads + i * timeline->bins.columns,
                                        .colour = colours[i],
                                        .dashes = dashes[i]};
    snprintf(across, sizeof across, "simulated time (%s)", page_value_unit(max_ps, &unit));
    const struct strips strips = {
        .name = "timeline",
        .title = "What ranks do over time, and the load of the network",
        .across = across,
        .max = max_ps / unit,
        .columns = timeline->bins.columns,
        .parts = page_parts,
        .part_count = PAGE_PARTS,
        .rows_title = "Ranks",
        .rows_label = "rank",
        .rows = timeline->shares,
        .row_count = timeline->rows,
        .numbers = timeline->ranks,
        .row_numbers = timeline->row_ranks,
        .sum_title = "All ranks together",
        .sum_label = "ranks (%)",
        .sums = timeline->sums,
        .lines_title = "Load of the network",
        .lines_label = "busy (%)",
        .lines = lines,
        .line_count =
            page_value_count(page_value_list(timeline->result, "channel_bins")) > 0 ? KINDS : 0,
    };
    struct text_buffer svg = TEXT_BUFFER_INIT;
    strips_draw(&svg, &strips);
    add_picture(page, timeline, &svg);
}

static void add_table(struct page *page, const struct timeline *timeline) {
    /* parts that share a column of the table: the first, and how many */
    static const size_t shown[][2] = {{0, 1}, {1, 3}, {4, 2}, {6, 2}, {8, 1}};
    const size_t columns = timeline->bins.columns, step = (columns + TABLE_ROWS - 1) / TABLE_ROWS;
    char text[VALUES_TEXT];
    page_numbers(page, "Numbers: all ranks over time",
                 "#from|#to|#computation|#overheads|#late partners|#network|#collectives|#not "
                 "running|#local links busy|#global links busy");
    for (size_t from = 0; from < columns; from += step) {
        const size_t to = from + step < columns ? from + step : columns;
        double sums[PAGE_PARTS] = {0}, busy[KINDS] = {0}, rest = 1;
        for (size_t i = from; i < to; i++) {
            for (size_t k = 0; k < PAGE_PARTS; k++)
                sums[k] += timeline->sums[i * PAGE_PARTS + k] / (100 * (double)(to - from));
            for (size_t k = 0; k < KINDS; k++)
                busy[k] += timeline->loads[k * columns + i] / (100 * (double)(to - from));
        }
        page_cell(page, "%s", page_value_time(text, (double)from * timeline->bins.width_ps));
        page_cell(page, "%s", page_value_time(text, end_of(timeline, to)));
        for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
            double share = 0;
            for (size_t k = 0; k < shown[i][1]; k++)
                share += sums[shown[i][0] + k];
            rest -= share;
            page_cell(page, "%s", page_value_percent(text, share));
        }
        page_cell(page, "%s", page_value_percent(text, fmax(0, rest)));
        page_cell(page, "%s", page_value_percent(text, busy[2]));
        page_cell(page, "%s", page_value_percent(text, busy[3]));
    }
    page_numbers_end(page);
}

void page_timeline(struct page *page, struct json_object *result) {
    struct json_object *states = page_value_list(result, "state_bins");
    struct json_object *list = page_value_list(result, "rank_bins");
    struct timeline timeline = {.result = result, .bins = bin_columns_make(states, COLUMNS)};
    timeline.ranks = page_value_size(page_value_at(states, 0), "ranks", RANKS_MAX);
    if (timeline.bins.columns < 2) return; /* a run that is shorter than a bin would hardly show */
    if (timeline.ranks == 0 || page_value_count(list) == 0) return;
    /* a row of the picture has whole rows of the table */
    const size_t of_table = page_value_size(page_value_at(list, 0), "ranks", RANKS_MAX);
    const size_t together = of_table > 0 ? of_table : 1;
    const size_t wanted = (timeline.ranks + ROWS - 1) / ROWS;
    timeline.row_ranks = (wanted + together - 1) / together * together;
    timeline.rows = (timeline.ranks + timeline.row_ranks - 1) / timeline.row_ranks;
    if (new_timeline(&timeline)) {
        read_ranks(&timeline, list);
        read_sums(&timeline, states);
        read_loads(&timeline);
        page_section(page, "timeline", "Over time");
        draw(page, &timeline);
        add_table(page, &timeline);
    } else {
        page->failed = true;
    }
    free(timeline.shares);
    free(timeline.sums);
    free(timeline.loads);
}
