/*
 * The page of machines: groups and the links between them drawn, a group with its routers, and what
 * distances and cables come to. Of large machines, groups are drawn together. page_floor.c has the
 * floor.
 */
#include "api/chart/heat_map.h"
#include "api/chart/stack.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 64, ROUTERS_DRAWN = 32, GROUPS_MAX = 1 << 20 };

static const double turn = 6.283185307179586;

struct machine {
    struct json_object *row;
    size_t index; /* in the list, from 0 */
    char id[32];
    size_t groups, of_row, rows; /* of_row: groups that are drawn as one */
    double links[ROWS_MAX][ROWS_MAX];
};

/* Reads the wiring of a machine; returns the number of pairs. */
static size_t read_wiring(struct machine *machine, struct json_object *list) {
    size_t pairs = 0;
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *row = page_value_at(list, i);
        if (page_value_size(row, "machine", GROUPS_MAX) != machine->index) continue;
        const size_t one = page_value_size(row, "group", machine->groups - 1) / machine->of_row;
        const size_t two =
            page_value_size(row, "other_group", machine->groups - 1) / machine->of_row;
        const double links = page_value_number(row, "links");
        if (!(links > 0)) continue;
        machine->links[one][two] += links;
        if (one != two) machine->links[two][one] += links;
        pairs++;
    }
    return pairs;
}

/* Draws groups on a circle and lines between those that links join. */
static void draw_circle(struct text_buffer *svg, const struct machine *machine, double x, double y,
                        double radius) {
    const size_t count = machine->rows;
    double max = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            max = fmax(max, machine->links[i][k]);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            const double a = turn * (double)i / (double)count, b = turn * (double)k / (double)count;
            if (!(machine->links[i][k] > 0)) continue;
            const double thick = count > 40 ? 0.2 : count > 20 ? 0.4 : 1.6;
            const double width = 0.1 + thick * machine->links[i][k] / max;
            svg_line(svg, x + radius * sin(a), y - radius * cos(a), x + radius * sin(b),
                     y - radius * cos(b), machine->links[i][k] < max ? "#9fb8cc" : "#5b8db5",
                     width);
        }
    for (size_t i = 0; i < count; i++) {
        const double a = turn * (double)i / (double)count, out = radius + 16;
        char label[24];
        text_add(svg, "<circle cx='");
        svg_number(svg, x + radius * sin(a));
        text_add(svg, "' cy='");
        svg_number(svg, y - radius * cos(a));
        text_add(svg, "' r='%s' fill='#084483'/>\n", count > 40 ? "3" : "5");
        snprintf(label, sizeof label, "%zu", i * machine->of_row);
        if (count <= 40 || (i % 4 == 0 && i + 2 < count)) /* the last stays clear of the first */
            svg_small_text(svg, x + out * sin(a), y - out * cos(a) + 4, SVG_MIDDLE, label);
    }
}

/* Draws the routers of a group on a circle, with their nodes and their global links outside. */
static void draw_group(struct text_buffer *svg, struct json_object *row, double x, double y) {
    const size_t all = page_value_size(row, "routers_per_group", GROUPS_MAX);
    const size_t count = all < ROUTERS_DRAWN ? all : ROUTERS_DRAWN;
    const double radius = 84;
    char text[96];
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && *page_value_text(row, "group_dimensions") == '\0';
             k++) {
            const double a = turn * (double)i / (double)count, b = turn * (double)k / (double)count;
            svg_line(svg, x + radius * sin(a), y - radius * cos(a), x + radius * sin(b),
                     y - radius * cos(b), "#7fbfa8", count > 16 ? 0.5 : 1.2);
        }
    for (size_t i = 0; i < count; i++) {
        const double a = turn * (double)i / (double)count;
        svg_line(svg, x + radius * sin(a), y - radius * cos(a), x + (radius + 18) * sin(a),
                 y - (radius + 18) * cos(a), "#5b8db5", 1.5);
        svg_box(svg, "", x + radius * sin(a) - 5, y - radius * cos(a) - 5, 10, 10,
                (struct svg_fill){"#006848", SVG_PLAIN});
    }
    snprintf(text, sizeof text, "%.0f routers%s", (double)all,
             all > count ? ", the first 32 drawn" : "");
    svg_text(svg, x, y + radius + 44, SVG_MIDDLE, text);
    snprintf(text, sizeof text, "each with %.0f nodes and %.0f global ports",
             page_value_number(row, "nodes_per_router"),
             page_value_number(row, "globals_per_router"));
    svg_small_text(svg, x, y + radius + 62, SVG_MIDDLE, text);
}

static void draw_machine(struct page *page, const struct machine *machine, size_t pairs) {
    enum { HEIGHT = 400, RADIUS = 160 };
    struct text_buffer svg = TEXT_BUFFER_INIT;
    char name[48];
    snprintf(name, sizeof name, "%s-drawn", machine->id);
    svg_begin(&svg, name, SVG_WIDTH, HEIGHT, "Groups, and one of them");
    svg_bold_text(&svg, 20, 18, SVG_START,
                  machine->of_row > 1 ? "Groups, neighbours together" : "Groups");
    draw_circle(&svg, machine, 205, 208, RADIUS);
    svg_bold_text(&svg, 430, 18, SVG_START, "One group");
    draw_group(&svg, machine->row, 570, 170);
    svg_end(&svg);
    page_picture(page, name, &svg,
                 "%zu groups are joined by %.0f global links; a group has %.0f routers.%s%s",
                 machine->groups, page_value_number(machine->row, "global_links"),
                 page_value_number(machine->row, "routers_per_group"),
                 pairs == machine->groups * (machine->groups - 1) / 2
                     ? " Each group has a link to each other one."
                     : "",
                 *page_value_text(machine->row, "group_dimensions") != '\0'
                     ? " Groups are flattened butterflies, whose local links are not drawn."
                     : "");
    page_numbers(page, "Numbers: the machine", "what|#number");
    static const struct {
        const char *key, *name;
    } rows[] = {{"nodes", "nodes"},
                {"routers", "routers"},
                {"groups", "groups"},
                {"radix", "ports of a router"},
                {"terminal_links", "terminal links"},
                {"local_links", "local links"},
                {"global_links", "global links"},
                {"diameter", "diameter (hops between routers)"},
                {"mean_hops", "mean hops between routers"},
                {"least_links_per_pair", "least links between two groups"},
                {"most_links_per_pair", "most links between two groups"},
                {"cabinets", "cabinets"},
                {"dollars_per_node", "dollars per node"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!isfinite(page_value_number(machine->row, rows[i].key))) continue;
        page_cell(page, "%s", rows[i].name);
        page_cell(page, "%.10g", page_value_number(machine->row, rows[i].key));
    }
    page_numbers_end(page);
}

static void draw_wiring(struct page *page, struct machine *machine) {
    enum { SIDE = 320 };
    const size_t rows = machine->rows;
    double *values = memory_new(rows * rows, sizeof *values), min = HUGE_VAL;
    char name[48], max_text[VALUES_TEXT];
    if (values == NULL) {
        page->failed = true;
        return;
    }
    for (size_t i = 0; i < rows * rows; i++) {
        const double links = machine->links[i / rows][i % rows];
        values[i] = links > 0 ? links : (double)NAN;
        if (links > 0) min = fmin(min, links);
    }
    bool is_whole = true; /* all groups are joined */
    for (size_t i = 0; i < rows * rows; i++)
        is_whole = is_whole && (i / rows == i % rows || isfinite(values[i]));
    const double max = heat_map_largest(values, rows * rows);
    page_value_count_text(max_text, max);
    const struct heat_map map = {.title = "Global links between groups",
                                 .across = "group",
                                 .up = "group",
                                 .scale = "links",
                                 .values = values,
                                 .rows = rows,
                                 .columns = rows,
                                 .max = fmax(2, max),
                                 .row_numbers = machine->groups,
                                 .column_numbers = machine->groups,
                                 .cell_rows = machine->of_row,
                                 .cell_columns = machine->of_row};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    snprintf(name, sizeof name, "%s-wiring", machine->id);
    svg_begin(&svg, name, SVG_WIDTH, SIDE + HEAT_MAP_ABOVE + HEAT_MAP_BELOW,
              "Global links between groups");
    heat_map_draw(&svg, &map, HEAT_MAP_LEFT, HEAT_MAP_ABOVE, SIDE, SIDE);
    svg_end(&svg);
    page_picture(page, name, &svg, "%s that are joined directly have %.0f%s%s link%s.%s",
                 machine->of_row > 1 ? "Neighbouring groups share a cell; cells of groups"
                                     : "Two groups",
                 min, max > min ? " to " : "", max > min ? max_text : "", max > 1 ? "s" : "",
                 is_whole ? "" : " White pairs are not joined directly.");
    page_numbers(page, "Numbers: global links of the first groups", "#from group|#to group|#links");
    for (size_t i = 0, shown = 0; i < rows * rows && shown < 40; i++) {
        if (i / rows > i % rows || !isfinite(values[i])) continue;
        page_cell(page, "%zu", i / rows * machine->of_row);
        page_cell(page, "%zu", i % rows * machine->of_row);
        page_cell(page, "%.0f", values[i]);
        shown++;
    }
    page_numbers_end(page);
    free(values);
}

/* ---- cables ---- */

static void draw_cables(struct page *page, const struct machine *machine,
                        struct json_object *list) {
    static const struct svg_key keys[] = {{"electrical", {"#56b4e9", SVG_PLAIN}},
                                          {"optical", {"#e69f00", SVG_DOTTED}}};
    enum { LEVELS = 8 };
    struct stack_bar bars[LEVELS];
    struct json_object *rows[LEVELS];
    double values[LEVELS][2], longest = 0;
    char notes[LEVELS][48], name[48];
    size_t count = 0;
    for (size_t i = 0; i < page_value_count(list) && count < LEVELS; i++) {
        struct json_object *row = page_value_at(list, i);
        if (page_value_size(row, "machine", GROUPS_MAX) != machine->index ||
            strcmp(page_value_text(row, "level"), "all") == 0)
            continue;
        rows[count] = row;
        for (int k = 0; k < 2; k++) {
            const double cables = page_value_number(row, k == 0 ? "electrical" : "optical");
            values[count][k] = cables > 0 ? cables : 0;
        }
        snprintf(notes[count], sizeof notes[count], "%.1f m each",
                 page_value_number(row, "mean_length_m"));
        longest = fmax(longest, page_value_number(row, "longest_m"));
        bars[count] =
            (struct stack_bar){page_value_text(row, "level"), notes[count], values[count]};
        count++;
    }
    if (count == 0) return;
    snprintf(name, sizeof name, "%s-cables", machine->id);
    const struct stack stack = {.name = name,
                                .title = "Cables by level",
                                .axis = "cables",
                                .counts = true,
                                .parts = keys,
                                .part_count = 2,
                                .bars = bars,
                                .bar_count = count};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    stack_draw(&svg, &stack);
    page_picture(page, name, &svg,
                 "On a floor of %.0f cabinets in %.0f rows and %.0f columns the longest cable has "
                 "%.1f m.",
                 page_value_number(machine->row, "cabinets"),
                 page_value_number(machine->row, "rows"),
                 page_value_number(machine->row, "columns"), longest);
    page_numbers(page, "Numbers: cables",
                 "level|#cables|#electrical|#optical|#length|#longest|#dollars");
    for (size_t i = 0; i < count; i++) {
        page_cell(page, "%s", page_value_text(rows[i], "level"));
        page_cell(page, "%.0f", page_value_number(rows[i], "cables"));
        page_cell(page, "%.0f", page_value_number(rows[i], "electrical"));
        page_cell(page, "%.0f", page_value_number(rows[i], "optical"));
        page_cell(page, "%.0f m", page_value_number(rows[i], "length_m"));
        page_cell(page, "%.1f m", page_value_number(rows[i], "longest_m"));
        page_cell(page, "%.0f", page_value_number(rows[i], "dollars"));
    }
    page_numbers_end(page);
}

void page_of_topology(struct page *page, struct json_object *result) {
    struct json_object *list = page_value_list(result, "machines");
    struct machine *machine = memory_new(1, sizeof *machine);
    if (machine == NULL) page->failed = true;
    for (size_t i = 0; i < page_value_count(list) && machine != NULL; i++) {
        struct json_object *row = page_value_at(list, i);
        *machine = (struct machine){
            .row = row, .index = i, .groups = page_value_size(row, "groups", GROUPS_MAX)};
        snprintf(machine->id, sizeof machine->id, "machine-%zu", i + 1);
        page_section(page, machine->id, page_value_text(row, "name"));
        if (machine->groups == 0) continue;
        machine->of_row = (machine->groups + ROWS_MAX - 1) / ROWS_MAX;
        machine->rows = (machine->groups + machine->of_row - 1) / machine->of_row;
        const size_t pairs = read_wiring(machine, page_value_list(result, "group_wiring"));
        draw_machine(page, machine, pairs);
        if (pairs > 0) draw_wiring(page, machine);
        page_floor(page, result, row, i, machine->id);
        draw_cables(page, machine, page_value_list(result, "cables"));
    }
    free(machine);
    page_changes(page, result);
    page_origin(page, result);
}
