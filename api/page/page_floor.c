/*
 * The floor of a machine from above: cabinets where the floor plan puts them, and the global cables
 * between them. Of few cabinets each pair has its line; of many, a cabinet is as dark as its cables
 * are long, and bands are as wide as many cables run together.
 */
#include "api/chart/site_plan.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CABINETS_MAX = 1 << 26, NUMBERS = 40, TIP = 96 };

struct floor {
    struct json_object *rows[PLAN_ACROSS * PLAN_ACROSS]; /* of the places */
    struct site_plan_place places[PLAN_ACROSS * PLAN_ACROSS];
    struct json_object *pairs[PLAN_LINES];
    struct site_plan_line lines[PLAN_LINES];
    char tips[PLAN_LINES][TIP];
    size_t line_count;
    struct site_plan plan;
};

static double amount(struct json_object *row, const char *key) {
    const double value = page_value_number(row, key);
    return value > 0 ? value : 0;
}

/* Reads the places of a machine; leaves out those that are beyond a plan. */
static void read_places(struct floor *floor, struct json_object *list, size_t machine) {
    struct site_plan *plan = &floor->plan;
    bool taken[PLAN_ACROSS * PLAN_ACROSS] = {false};
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *row = page_value_at(list, i);
        if (page_value_size(row, "machine", CABINETS_MAX) != machine) continue;
        const size_t side = page_value_size(row, "side", CABINETS_MAX);
        if (plan->count == 0) plan->side = side;
        if (side == 0 || side != plan->side) continue;
        const size_t x = page_value_size(row, "column", CABINETS_MAX) / side;
        const size_t y = page_value_size(row, "row", CABINETS_MAX) / side;
        if (x >= PLAN_ACROSS || y >= PLAN_ACROSS || taken[y * PLAN_ACROSS + x]) continue;
        taken[y * PLAN_ACROSS + x] = true;
        floor->rows[plan->count] = row;
        floor->places[plan->count++] = (struct site_plan_place){
            .column = x,
            .row = y,
            .is_empty = page_value_size(row, "cabinets", CABINETS_MAX) == 0,
            .label = amount(row, "cabinet"),
            .value = page_value_number(row, "mean_length_m"),
            .right = amount(row, "cables_right"),
            .below = amount(row, "cables_below")};
        if (x >= plan->columns) plan->columns = x + 1;
        if (y >= plan->rows) plan->rows = y + 1;
    }
    plan->places = floor->places;
}

/* Returns the place of a cabinet; the number of places: it has none. */
static size_t place_of(const struct floor *floor, double cabinet) {
    size_t i = 0;
    while (i < floor->plan.count &&
           (floor->places[i].is_empty || floor->places[i].label != cabinet))
        i++;
    return i;
}

/* Reads the pairs of cabinets that cables join. */
static void read_pairs(struct floor *floor, struct json_object *list, size_t machine) {
    for (size_t i = 0; i < page_value_count(list) && floor->line_count < PLAN_LINES; i++) {
        struct json_object *row = page_value_at(list, i);
        if (page_value_size(row, "machine", CABINETS_MAX) != machine) continue;
        const double one = page_value_number(row, "cabinet"),
                     two = page_value_number(row, "other_cabinet");
        const double cables = amount(row, "cables");
        const struct site_plan_line line = {.first = place_of(floor, one),
                                            .second = place_of(floor, two),
                                            .count = cables,
                                            .is_dashed = page_value_truth(row, "optical"),
                                            .tip = floor->tips[floor->line_count]};
        if (line.first == floor->plan.count || line.second == floor->plan.count ||
            line.first == line.second || !(cables > 0))
            continue;
        snprintf(floor->tips[floor->line_count], TIP,
                 "cabinet %.0f to cabinet %.0f\n%.0f %s cable%s of %.1f m", one, two, cables,
                 line.is_dashed ? "optical" : "electrical", page_value_plural(cables),
                 page_value_number(row, "length_m"));
        floor->pairs[floor->line_count] = row;
        floor->lines[floor->line_count++] = line;
    }
}

/* ---- numbers ---- */

/* Sorts rows by a number, the largest first; rows with equal ones keep their order. */
static void sort_rows(struct json_object **rows, size_t count, const char *key, size_t max) {
    for (size_t i = 0; i < max && i < count; i++) {
        size_t best = i;
        for (size_t k = i + 1; k < count; k++)
            if (amount(rows[k], key) > amount(rows[best], key)) best = k;
        struct json_object *row = rows[best];
        memmove(rows + i + 1, rows + i, (best - i) * sizeof *rows);
        rows[i] = row;
    }
}

static void list_pairs(struct page *page, struct floor *floor) {
    page_numbers(page,
                 floor->line_count > NUMBERS ? "Numbers: the longest cables" : "Numbers: cables",
                 "#from cabinet|#to cabinet|#cables|#length of each|kind");
    sort_rows(floor->pairs, floor->line_count, "length_m", NUMBERS);
    for (size_t i = 0; i < floor->line_count && i < NUMBERS; i++) {
        struct json_object *row = floor->pairs[i];
        page_cell(page, "%.0f", page_value_number(row, "cabinet"));
        page_cell(page, "%.0f", page_value_number(row, "other_cabinet"));
        page_cell(page, "%.0f", page_value_number(row, "cables"));
        page_cell(page, "%.1f m", page_value_number(row, "length_m"));
        page_cell(page, "%s", page_value_truth(row, "optical") ? "optical" : "electrical");
    }
    page_numbers_end(page);
}

static void list_places(struct page *page, struct floor *floor) {
    page_numbers(page,
                 floor->plan.count > NUMBERS ? "Numbers: cabinets with the longest cables"
                                             : "Numbers: cabinets",
                 "#cabinet|#along a row|#across rows|#ends of cables|#mean length|#longest|#to the "
                 "right|#to the next row");
    sort_rows(floor->rows, floor->plan.count, "mean_length_m", NUMBERS);
    for (size_t i = 0; i < floor->plan.count && i < NUMBERS; i++) {
        struct json_object *row = floor->rows[i];
        if (!page_value_has(row, "cabinet")) continue;
        page_cell(page, "%.0f", page_value_number(row, "cabinet"));
        page_cell(page, "%.1f m", page_value_number(row, "x_m"));
        page_cell(page, "%.1f m", page_value_number(row, "y_m"));
        page_cell(page, "%.0f", page_value_number(row, "cables"));
        page_cell(page, "%.1f m", amount(row, "mean_length_m"));
        page_cell(page, "%.1f m", amount(row, "longest_m"));
        page_cell(page, "%.0f", page_value_number(row, "cables_right"));
        page_cell(page, "%.0f", page_value_number(row, "cables_below"));
    }
    page_numbers_end(page);
}

/* ---- pictures ---- */

static const char ways[] = "Cables are drawn along the row of the first cabinet, then along the "
                           "column of the other one.";

static void draw_lines(struct page *page, struct floor *floor, struct text_buffer *svg) {
    double cables = 0, optical = 0, longest = 0;
    for (size_t i = 0; i < floor->line_count; i++) {
        cables += floor->lines[i].count;
        if (floor->lines[i].is_dashed) optical += floor->lines[i].count;
        longest = fmax(longest, page_value_number(floor->pairs[i], "length_m"));
    }
    site_plan_draw_lines(svg, &floor->plan, floor->lines, floor->line_count);
    page_picture(page, floor->plan.name, svg,
                 "The longest of %.0f global cable%s between cabinets has %.1f m; %.0f %s "
                 "optical. A line is all cables between two cabinets. %s",
                 cables, page_value_plural(cables), longest, optical, optical == 1 ? "is" : "are",
                 ways);
    list_pairs(page, floor);
}

static void draw_bands(struct page *page, struct floor *floor, double cabinets,
                       struct text_buffer *svg) {
    const struct site_plan *plan = &floor->plan;
    const struct site_plan_place *far = NULL, *near = NULL;
    double widest = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct site_plan_place *place = &plan->places[i];
        widest = fmax(widest, fmax(place->right, place->below));
        if (!isfinite(place->value)) continue;
        if (far == NULL || place->value > far->value) far = place;
        if (near == NULL || place->value < near->value) near = place;
    }
    site_plan_draw_bands(svg, plan);
    if (plan->side > 1)
        page_paragraph(
            page, "%zu x %zu neighbouring cabinets are drawn as one, with the number of the first.",
            plan->side, plan->side);
    if (far == NULL)
        page_picture(page, plan->name, svg, "No global cables join the %.0f cabinets.", cabinets);
    else
        page_picture(page, plan->name, svg,
                     "Global cables have %.1f m on average at %s %.0f and %.1f m at %s %.0f; up to "
                     "%.0f of them run side by side. %s",
                     near->value, plan->place, near->label, far->value, plan->place, far->label,
                     widest, ways);
    list_places(page, floor);
}

void page_floor(struct page *page, struct json_object *result, struct json_object *row,
                size_t machine, const char *id) {
    const double pitch_x = page_value_number(row, "pitch_x_m"),
                 pitch_y = page_value_number(row, "pitch_y_m");
    struct floor *floor = memory_new(1, sizeof *floor);
    struct text_buffer svg = TEXT_BUFFER_INIT;
    char name[48];
    if (floor == NULL) {
        page->failed = true;
        return;
    }
    read_places(floor, page_value_list(result, "floor"), machine);
    snprintf(name, sizeof name, "%s-floor", id);
    struct site_plan *plan = &floor->plan;
    plan->name = name;
    plan->title = "Cabinets and their global cables, from above";
    plan->place = "cabinet";
    plan->value = "mean length of cables (m)";
    plan->lines = "cables";
    plan->plain_label = "electrical cables";
    plan->dashed_label = "optical cables";
    plan->pitch_x = pitch_x * (double)plan->side;
    plan->pitch_y = pitch_y * (double)plan->side;
    if (plan->count > 1 && plan->pitch_x > 0 && plan->pitch_y > 0 && isfinite(plan->pitch_x) &&
        isfinite(plan->pitch_y)) {
        if (plan->columns <= PLAN_LINES_ACROSS && plan->rows <= PLAN_LINES_ACROSS)
            read_pairs(floor, page_value_list(result, "floor_cables"), machine);
        if (floor->line_count > 0)
            draw_lines(page, floor, &svg);
        else
            draw_bands(page, floor, page_value_number(row, "cabinets"), &svg);
    }
    free(floor);
}
