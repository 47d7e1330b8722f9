/* User regions: their time, and their efficiencies. */
#include "api/chart/stack.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BARS = 12, TABLE_ROWS = 40 };

struct region {
    const char *name;
    double time_ps, mpi_ps; /* over all ranks */
    double max_ps, max_rank, count;
    struct json_object *row;
};

static double positive(double value) {
    return value > 0 ? value : 0;
}

static int longest_first(const void *first, const void *second) {
    const struct region *a = first, *b = second;
    if (a->time_ps != b->time_ps) return a->time_ps > b->time_ps ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Returns the regions of a list, those with the most time first; NULL: out of memory. */
static struct region *read_regions(struct json_object *list) {
    const size_t count = page_value_count(list);
    struct region *regions = memory_new(count + 1, sizeof *regions);
    for (size_t i = 0; i < count && regions != NULL; i++) {
        struct json_object *row = page_value_at(list, i);
        regions[i] = (struct region){.name = page_value_text(row, "name"),
                                     .time_ps = positive(page_value_number(row, "time_ps")),
                                     .mpi_ps = positive(page_value_number(row, "mpi_ps")),
                                     .max_ps = page_value_number(row, "most_ps"),
                                     .max_rank = page_value_number(row, "most_rank"),
                                     .count = page_value_number(row, "count"),
                                     .row = row};
    }
    if (regions != NULL) qsort(regions, count, sizeof *regions, longest_first);
    return regions;
}

static void draw_times(struct page *page, const struct region *regions, size_t count) {
    static const struct svg_key keys[] = {{"in MPI calls", {"#e69f00", SVG_DOTTED}},
                                          {"outside MPI calls", {"#56b4e9", SVG_PLAIN}}};
    const size_t shown = count < BARS ? count : BARS;
    struct stack_bar bars[BARS];
    double values[BARS][2], unit;
    char notes[BARS][VALUES_TEXT], axis[80], share[VALUES_TEXT];
    for (size_t i = 0; i < shown; i++) {
        values[i][0] = fmin(regions[i].mpi_ps, regions[i].time_ps);
        values[i][1] = regions[i].time_ps - values[i][0];
        bars[i] = (struct stack_bar){regions[i].name, page_value_time(notes[i], regions[i].time_ps),
                                     values[i]};
    }
    snprintf(axis, sizeof axis, "time in the region, over all ranks (%s)",
             page_value_unit(regions[0].time_ps, &unit));
    const struct stack stack = {.name = "regions",
                                .title = "User regions by their time",
                                .axis = axis,
                                .unit = unit,
                                .parts = keys,
                                .part_count = 2,
                                .bars = bars,
                                .bar_count = shown};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    stack_draw(&svg, &stack);
    page_picture(page, "regions", &svg,
                 "Ranks spend most time in %s: %s in all, %s of it in MPI calls. The time of a "
                 "region includes the regions inside it.",
                 regions[0].name, notes[0],
                 page_value_percent(share, regions[0].mpi_ps / regions[0].time_ps));
}

static void add_times(struct page *page, struct json_object *list) {
    const size_t count = page_value_count(list);
    struct region *regions = read_regions(list);
    char text[VALUES_TEXT];
    if (regions == NULL) page->failed = true;
    if (regions != NULL && regions[0].time_ps > 0) {
        draw_times(page, regions, count);
        page_numbers(
            page, "Numbers: user regions",
            "region|#times entered|#time, over all ranks|#of it in MPI calls|#longest time "
            "of a rank|#that rank");
        for (size_t i = 0; i < count && i < TABLE_ROWS; i++) {
            page_cell(page, "%s", regions[i].name);
            page_cell(page, "%s", page_value_count_text(text, regions[i].count));
            page_cell(page, "%s", page_value_time(text, regions[i].time_ps));
            page_cell(page, "%s", page_value_time(text, regions[i].mpi_ps));
            page_cell(page, "%s", page_value_time(text, regions[i].max_ps));
            page_cell(page, "%s", page_value_count_text(text, regions[i].max_rank));
        }
        page_numbers_end(page);
    }
    free(regions);
}

/* ---- efficiencies ---- */

static void draw_efficiencies(struct page *page, const struct region *regions, size_t count) {
    static const struct svg_key key = {"parallel efficiency", {"#56b4e9", SVG_PLAIN}};
    const size_t shown = count < BARS ? count : BARS;
    struct stack_bar bars[BARS];
    double values[BARS];
    char notes[BARS][VALUES_TEXT + 16], share[VALUES_TEXT];
    size_t min = 0;
    for (size_t i = 0; i < shown; i++) {
        const double parallel = page_value_number(regions[i].row, "parallel");
        values[i] = 100 * fmin(1, positive(parallel));
        if (values[i] < values[min]) min = i;
        snprintf(notes[i], sizeof notes[i], "%s%s", page_value_percent(share, parallel),
                 parallel < 0.8 ? " (low)" : "");
        bars[i] = (struct stack_bar){regions[i].name, notes[i], &values[i]};
    }
    const struct stack stack = {.name = "region-efficiency",
                                .title = "Parallel efficiency of user regions",
                                .axis = "parallel efficiency (%)",
                                .max = 100,
                                .unit = 1,
                                .parts = &key,
                                .part_count = 1,
                                .bars = bars,
                                .bar_count = shown};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    stack_draw(&svg, &stack);
    page_picture(page, "region-efficiency", &svg,
                 "%s %s%s%s. Below 80.0 %% a region deserves a look.",
                 shown > 1 ? "Of these regions," : "The parallel efficiency of", regions[min].name,
                 shown > 1 ? " has the lowest parallel efficiency: " : " is ",
                 page_value_percent(share, page_value_number(regions[min].row, "parallel")));
}

void page_factors_heads(struct page *page, const char *summary, const char *first) {
    char heads[160];
    snprintf(heads, sizeof heads,
             "%s|#ranks|#time|#parallel efficiency|#load balance|#serialisation|#transfer", first);
    page_numbers(page, summary, heads);
}

void page_factors_row(struct page *page, struct json_object *row) {
    static const char *const keys[] = {"parallel", "load_balance", "serialisation", "transfer"};
    char text[VALUES_TEXT];
    page_cell(page, "%s", page_value_count_text(text, page_value_number(row, "ranks")));
    page_cell(page, "%s", page_value_time(text, page_value_number(row, "time_ps")));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        page_cell(page, "%s", page_value_percent(text, page_value_number(row, keys[i])));
}

static void add_efficiencies(struct page *page, struct json_object *list) {
    const size_t count = page_value_count(list);
    if (count == 0) return;
    struct region *regions = read_regions(list);
    if (regions == NULL) {
        page->failed = true;
        return;
    }
    draw_efficiencies(page, regions, count);
    page_factors_heads(page, "Numbers: efficiencies of user regions", "region");
    for (size_t i = 0; i < count && i < TABLE_ROWS; i++) {
        page_cell(page, "%s", regions[i].name);
        page_factors_row(page, regions[i].row);
    }
    page_numbers_end(page);
    free(regions);
}

void page_regions(struct page *page, struct json_object *result) {
    struct json_object *times = page_value_list(result, "regions");
    if (page_value_count(times) == 0) return;
    page_section(page, "regions", "User regions");
    add_times(page, times);
    add_efficiencies(page, page_value_list(result, "efficiency_regions"));
}
