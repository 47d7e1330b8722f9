/* The page of a search: the Pareto front of cost against time, and how the stages found it. */
#include "api/chart/pareto.h"
#include "api/chart/stack.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 160, FACTORS = 16, DRAWN = 1000, LISTED = 40 };

/* A candidate that has a time of the whole trace. */
struct found {
    struct json_object *row;
    double cost, mean_ps;
    size_t place; /* index in the list of candidates */
    bool is_front;
};

struct search_page {
    struct json_object *result;
    const char *factors[FACTORS]; /* that have several values */
    size_t factor_count;
    struct found *found; /* cheapest first */
    size_t count, front;
};

/* Lists the factors that have several values. Their values follow each other. */
static void find_factors(struct search_page *search) {
    struct json_object *list = page_value_list(search->result, "factors");
    for (size_t i = 1; i < page_value_count(list); i++) {
        const char *setting = page_value_text(page_value_at(list, i), "setting");
        const size_t count = search->factor_count;
        const bool again =
            strcmp(setting, page_value_text(page_value_at(list, i - 1), "setting")) == 0;
        const bool known = count > 0 && strcmp(search->factors[count - 1], setting) == 0;
        if (again && !known && count < FACTORS) search->factors[search->factor_count++] = setting;
    }
}

static const char *name_of(const struct search_page *search, struct json_object *row,
                           char name[NAME]) {
    size_t length = 0;
    snprintf(name, NAME, "%s", page_value_text(row, "machine"));
    for (size_t i = 0; i < search->factor_count && length + 1 < NAME; i++) {
        const char *factor = search->factors[i];
        const char *last = strrchr(factor, '.');
        const bool is_word = strspn(page_value_text(row, factor), "0123456789") == 0;
        const int added = snprintf(name + length, NAME - length, "%s%s%s%s", i > 0 ? ", " : "",
                                   is_word ? "" : (last != NULL ? last + 1 : factor),
                                   is_word ? "" : "=", page_value_text(row, factor));
        length += added > 0 ? (size_t)added : 0;
    }
    return name;
}

static int cheapest_first(const void *first, const void *second) {
    const struct found *a = first, *b = second;
    if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
    if (a->mean_ps != b->mean_ps) return a->mean_ps < b->mean_ps ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static bool find_candidates(struct search_page *search) {
    struct json_object *list = page_value_list(search->result, "candidates");
    search->found = memory_new(page_value_count(list) + 1, sizeof *search->found);
    for (size_t i = 0; i < page_value_count(list) && search->found != NULL; i++) {
        struct json_object *row = page_value_at(list, i);
        const struct found found = {row, page_value_number(row, "cost_dollars"),
                                    page_value_number(row, "mean_ps"), i,
                                    page_value_truth(row, "front")};
        if (!isfinite(found.cost) || !isfinite(found.mean_ps)) continue;
        search->found[search->count++] = found;
        search->front += found.is_front;
    }
    if (search->found != NULL)
        qsort(search->found, search->count, sizeof *search->found, cheapest_first);
    return search->found != NULL;
}

/* ---- the front ---- */

static void add_sentence(struct page *page, const struct search_page *search,
                         struct text_buffer *svg) {
    const struct found *first = NULL, *last = NULL;
    char cheap[NAME], fast[NAME], times[2][VALUES_TEXT], costs[2][VALUES_TEXT];
    for (size_t i = 0; i < search->count; i++) {
        if (!search->found[i].is_front) continue;
        if (first == NULL) first = &search->found[i];
        last = &search->found[i];
    }
    if (first == NULL) {
        page_picture(page, "front", svg, "None of the %zu candidates is in the front.",
                     search->count);
        return;
    }
    page_value_dollars(costs[0], first->cost);
    page_value_dollars(costs[1], last->cost);
    if (first == last) {
        page_picture(
            page, "front", svg,
            "%s, %s: it costs %s and takes %s. It is the "
            "filled circle; upright lines are 95 %% intervals, and the axes need not begin "
            "at 0.",
            search->count == 1 ? "The only candidate" : "One candidate beats all others",
            name_of(search, first->row, cheap), costs[0],
            page_value_time(times[0], first->mean_ps));
        return;
    }
    if (first->cost == last->cost && first->mean_ps == last->mean_ps) {
        page_picture(page, "front", svg,
                     "%zu candidates beat all others; each of them costs %s and takes %s. They "
                     "share the filled circle; upright lines are 95 %% intervals, and the axes "
                     "need not begin at 0.",
                     search->front, costs[0], page_value_time(times[0], first->mean_ps));
        return;
    }
    page_picture(page, "front", svg,
                 "The cheapest of %zu candidates in the front, %s, costs %s and takes %s; the "
                 "fastest, %s, costs %s and takes %s. Filled circles are the front, with their "
                 "numbers in the table; open marks are candidates that another one beats. Upright "
                 "lines are 95 %% intervals of the front; the axes need not begin at 0.",
                 search->front, name_of(search, first->row, cheap), costs[0],
                 page_value_time(times[0], first->mean_ps), name_of(search, last->row, fast),
                 costs[1], page_value_time(times[1], last->mean_ps));
}

static void draw_front(struct page *page, const struct search_page *search) {
    struct pareto_point *points = memory_new(search->count, sizeof *points);
    const double max_ps = search->found[search->count - 1].mean_ps;
    size_t drawn = 0, number = 0;
    char up[48], across[64];
    double unit;
    const char *dollars;
    const double cost_unit =
        page_value_dollar_unit(search->found[search->count - 1].cost, &dollars);
    snprintf(across, sizeof across, "cost of cables and routers (%s)", dollars);
    snprintf(up, sizeof up, "mean predicted time (%s)", page_value_unit(max_ps, &unit));
    for (size_t i = 0; i < search->count && points != NULL; i++) {
        const struct found *found = &search->found[i];
        if (!found->is_front && i - number >= DRAWN) continue;
        points[drawn++] =
            (struct pareto_point){.x = found->cost / cost_unit,
                                  .y = found->mean_ps / unit,
                                  .low = page_value_number(found->row, "low_ps") / unit,
                                  .high = page_value_number(found->row, "high_ps") / unit,
                                  .label = found->is_front ? ++number : 0,
                                  .is_front = found->is_front};
    }
    if (points == NULL) page->failed = true;
    const struct pareto pareto = {.name = "front",
                                  .title = "Cost against time",
                                  .across = across,
                                  .up = up,
                                  .points = points,
                                  .count = drawn};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    if (points != NULL) pareto_draw(&svg, &pareto);
    add_sentence(page, search, &svg);
    free(points);
}

/* Adds a row of the table of candidates. */
static void add_row(struct page *page, const struct search_page *search, const struct found *found,
                    size_t number) {
    char name[NAME], text[VALUES_TEXT], low[VALUES_TEXT], high[VALUES_TEXT];
    page_cell(page, "%s", number > 0 ? page_value_count_text(text, (double)number) : "");
    page_cell(page, "%s", name_of(search, found->row, name));
    page_value_dollars(text, found->cost);
    page_cell(page, "%s", text);
    page_cell(page, "%s", page_value_count_text(text, page_value_number(found->row, "nodes")));
    page_cell(page, "%s", page_value_time(text, found->mean_ps));
    page_cell(page, "%s to %s", page_value_time(low, page_value_number(found->row, "low_ps")),
              page_value_time(high, page_value_number(found->row, "high_ps")));
    if (page_value_number(found->row, "difference_ps") > -HUGE_VAL)
        page_cell(page, "%s",
                  page_value_time(text, page_value_number(found->row, "difference_ps")));
    else
        page_cell(page, "%s", "");
    if (page_value_number(found->row, "holm_p") >= 0)
        page_cell(page, "%.4f", page_value_number(found->row, "holm_p"));
    else
        page_cell(page, "%s", page_value_truth(found->row, "exact") ? "exact" : "");
}

static void add_candidates(struct page *page, const struct search_page *search) {
    static const char heads[] = "#number|candidate|#cost|#nodes|#mean time|95 % interval|#to the "
                                "fastest no dearer|#p";
    size_t number = 0, listed = 0;
    page_numbers(page, "Numbers: the front, cheapest first", heads);
    for (size_t i = 0; i < search->count; i++)
        if (search->found[i].is_front) add_row(page, search, &search->found[i], ++number);
    page_numbers_end(page);
    if (number == search->count) return;
    page_numbers(page, "Numbers: candidates that another one beats, cheapest first", heads);
    for (size_t i = 0; i < search->count && listed < LISTED; i++)
        if (!search->found[i].is_front) {
            add_row(page, search, &search->found[i], 0);
            listed++;
        }
    page_numbers_end(page);
    if (search->count - number > listed)
        page_paragraph(page, "The table has %zu of %zu such candidates.", listed,
                       search->count - number);
}

/* ---- the stages ---- */

static void add_stages(struct page *page, const struct search_page *search) {
    enum { STAGES = 8 };
    static const struct svg_key keys[] = {{"kept", {"#56b4e9", SVG_PLAIN}},
                                          {"dropped", {"#cccccc", SVG_RISING}}};
    struct json_object *list = page_value_list(search->result, "stages");
    const size_t count = page_value_count(list) < STAGES ? page_value_count(list) : STAGES;
    struct stack_bar bars[STAGES];
    double values[STAGES][2];
    char labels[STAGES][80], notes[STAGES][VALUES_TEXT], share[VALUES_TEXT];
    if (count == 0) return;
    for (size_t i = 0; i < count; i++) {
        struct json_object *stage = page_value_at(list, i);
        const double all = page_value_number(stage, "candidates");
        values[i][0] = fmax(0, page_value_number(stage, "kept"));
        values[i][1] = fmax(0, all - values[i][0]);
        snprintf(labels[i], sizeof labels[i], "stage %zu: %s, seeds: %.0f", i + 1,
                 page_value_percent(share, page_value_number(stage, "share")),
                 page_value_number(stage, "seeds"));
        snprintf(notes[i], sizeof notes[i], "%.0f of %.0f", values[i][0], all);
        bars[i] = (struct stack_bar){labels[i], notes[i], values[i]};
    }
    const struct stack stack = {.name = "stages",
                                .title = "Candidates of each stage",
                                .axis = "candidates",
                                .counts = true,
                                .parts = keys,
                                .part_count = 2,
                                .bars = bars,
                                .bar_count = count};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    stack_draw(&svg, &stack);
    const double without = page_value_number(search->result, "left_out");
    char left_out[VALUES_TEXT + 8];
    if (without > 0)
        snprintf(left_out, sizeof left_out, "%.0f %s", without, without == 1 ? "was" : "were");
    else
        snprintf(left_out, sizeof left_out, "none was");
    page_section(page, "stages", "How it was found");
    page_picture(page, "stages", &svg,
                 "Of %.0f combination%s %s impossible or beyond a limit. The stages replayed "
                 "%.0f point%s: the share of the trace that a stage replays, and the seeds, stand "
                 "left, and how many candidates it kept right.",
                 page_value_number(search->result, "candidate_count"),
                 page_value_plural(page_value_number(search->result, "candidate_count")), left_out,
                 page_value_number(search->result, "point_count"),
                 page_value_plural(page_value_number(search->result, "point_count")));
    page_numbers(page, "Numbers: stages",
                 "#stage|#share of the trace|#seeds|#candidates|#kept|#points");
    for (size_t i = 0; i < count; i++) {
        struct json_object *stage = page_value_at(list, i);
        page_cell(page, "%.0f", page_value_number(stage, "stage"));
        page_cell(page, "%s", page_value_percent(share, page_value_number(stage, "share")));
        page_cell(page, "%.0f", page_value_number(stage, "seeds"));
        page_cell(page, "%.0f", page_value_number(stage, "candidates"));
        page_cell(page, "%.0f", page_value_number(stage, "kept"));
        page_cell(page, "%.0f", page_value_number(stage, "points"));
    }
    page_numbers_end(page);
}

void page_of_search(struct page *page, struct json_object *result) {
    struct search_page search = {.result = result};
    page_section(page, "front", "Cost against time");
    find_factors(&search);
    if (!find_candidates(&search)) {
        page->failed = true;
    } else if (search.count == 0) {
        page_paragraph(page, "No candidate has a time of the whole trace.");
    } else {
        draw_front(page, &search);
        add_candidates(page, &search);
    }
    free(search.found);
    add_stages(page, &search);
    page_changes(page, result);
    page_origin(page, result);
}
