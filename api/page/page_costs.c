/* The candidates of a comparison by cost and time, where their machines differ in cost. */
#include "api/chart/pareto.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 160, DRAWN = 1000 };

struct priced {
    struct json_object *row;
    double cost, mean_ps;
    size_t place;        /* index in the list of candidates */
    size_t front_number; /* number in the front, from 1; 0: not in the front */
};

static int cheapest_first(const void *first, const void *second) {
    const struct priced *a = first, *b = second;
    if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
    if (a->mean_ps != b->mean_ps) return a->mean_ps < b->mean_ps ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Lists the candidates of a trace that have a cost and a time, cheapest first; returns how many. */
static size_t list_priced(struct priced *priced, const char *trace, struct json_object *list) {
    size_t count = 0;
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *row = page_value_at(list, i);
        priced[count] = (struct priced){row, page_value_number(row, "cost_dollars"),
                                        page_value_number(row, "mean_ps"), i, 0};
        if (strcmp(page_value_text(row, "trace"), trace) == 0 && isfinite(priced[count].cost) &&
            isfinite(priced[count].mean_ps))
            count++;
    }
    qsort(priced, count, sizeof *priced, cheapest_first);
    return count;
}

/* Finds the front: candidates that are faster than all that cost no more. Returns how many. */
static size_t find_front(struct priced *priced, size_t count) {
    size_t front = 0;
    double fastest = (double)INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!(priced[i].mean_ps < fastest)) continue;
        fastest = priced[i].mean_ps;
        priced[i].front_number = ++front;
    }
    return front;
}

/* Makes the points of the front, and of the cheapest others; returns how many. */
static size_t make_points(struct pareto_point *points, const struct priced *priced, size_t count,
                          double unit, double cost_unit) {
    size_t drawn = 0, others = 0;
    for (size_t i = 0; i < count; i++) {
        if (priced[i].front_number == 0 && others++ >= DRAWN) continue;
        points[drawn++] =
            (struct pareto_point){.x = priced[i].cost / cost_unit,
                                  .y = priced[i].mean_ps / unit,
                                  .low = page_value_number(priced[i].row, "low_ps") / unit,
                                  .high = page_value_number(priced[i].row, "high_ps") / unit,
                                  .label = priced[i].front_number,
                                  .is_front = priced[i].front_number > 0};
    }
    return drawn;
}

static void add_table(struct page *page, const char *const *factors, size_t factor_count,
                      const struct priced *priced, size_t count) {
    char name[NAME], text[VALUES_TEXT];
    page_numbers(page, "Numbers: the front, cheapest first", "#number|candidate|#cost|#mean time");
    for (size_t i = 0; i < count; i++) {
        if (priced[i].front_number == 0) continue;
        page_candidate_name(name, sizeof name, factors, factor_count, priced[i].row);
        page_cell(page, "%zu", priced[i].front_number);
        page_cell(page, "%s", name);
        page_cell(page, "%s", page_value_dollars(text, priced[i].cost));
        page_cell(page, "%s", page_value_time(text, priced[i].mean_ps));
    }
    page_numbers_end(page);
}

static void draw(struct page *page, const char *const *factors, size_t factor_count, size_t number,
                 struct priced *priced, struct pareto_point *points, size_t count) {
    char name[40], up[48], across[64], cheap[NAME], min[VALUES_TEXT], cost[VALUES_TEXT];
    double unit;
    const char *dollars;
    const double cost_unit = page_value_dollar_unit(priced[count - 1].cost, &dollars);
    const char *unit_name = page_value_unit(priced[0].mean_ps, &unit);
    const size_t front = find_front(priced, count);
    snprintf(name, sizeof name, "costs-%zu", number);
    snprintf(up, sizeof up, "mean predicted time (%s)", unit_name);
    snprintf(across, sizeof across, "cost of cables and routers (%s)", dollars);
    page_candidate_name(cheap, sizeof cheap, factors, factor_count, priced[0].row);
    const struct pareto pareto = {.name = name,
                                  .title = "Cost against time",
                                  .across = across,
                                  .up = up,
                                  .points = points,
                                  .count = make_points(points, priced, count, unit, cost_unit)};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    pareto_draw(&svg, &pareto);
    page_picture(page, name, &svg,
                 "%zu of %zu candidates are faster than all that cost no more: the filled circles, "
                 "with their numbers in the table. The cheapest, %s, costs %s and takes %s. "
                 "Upright lines are 95 %% intervals of the front; the axes need not begin at 0.",
                 front, count, cheap, page_value_dollars(cost, priced[0].cost),
                 page_value_time(min, priced[0].mean_ps));
    add_table(page, factors, factor_count, priced, count);
}

void page_costs(struct page *page, const char *const *factors, size_t factor_count,
                const char *trace, size_t number, struct json_object *candidates) {
    struct priced *priced = memory_new(page_value_count(candidates) + 1, sizeof *priced);
    struct pareto_point *points = memory_new(page_value_count(candidates) + 1, sizeof *points);
    if (priced == NULL || points == NULL) {
        page->failed = true;
    } else {
        const size_t count = list_priced(priced, trace, candidates);
        if (count > 0 && priced[count - 1].cost > priced[0].cost)
            draw(page, factors, factor_count, number, priced, points, count);
    }
    free(priced);
    free(points);
}
