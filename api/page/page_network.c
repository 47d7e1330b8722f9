/* The network: load between groups, load of links, and latencies. */
#include "api/chart/chart.h"
#include "api/chart/heat_map.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "api/table/tables.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 64, KINDS = 4, SHARES = 100, TABLE_ROWS = 40 };

static const char *const kinds[KINDS] = {"injection", "ejection", "local", "global"};
static const char *const short_names[KINDS] = {"inject", "eject", "local", "global"};

/* ---- between groups ---- */

struct pair_maps {
    size_t groups, of_row, rows;    /* of_row: groups that share a row */
    double *busy, *stalled, *ratio; /* of each cell: sums of times, then shares; NAN: no row */
    double *cell_ps;                /* the time of all its links together */
    double time_ps;
};

static void free_maps(struct pair_maps *maps) {
    free(maps->busy);
    free(maps->stalled);
    free(maps->ratio);
    free(maps->cell_ps);
}

static bool new_maps(struct pair_maps *maps, size_t columns) {
    const size_t cells = maps->rows * columns;
    maps->busy = memory_new(cells, sizeof *maps->busy);
    maps->stalled = memory_new(cells, sizeof *maps->stalled);
    maps->ratio = memory_new(cells, sizeof *maps->ratio);
    maps->cell_ps = memory_new(cells, sizeof *maps->cell_ps);
    if (maps->busy == NULL || maps->stalled == NULL || maps->ratio == NULL || maps->cell_ps == NULL)
        return false;
    for (size_t i = 0; i < cells; i++)
        maps->busy[i] = maps->stalled[i] = maps->ratio[i] = (double)NAN;
    return true;
}

/* Returns for which share of the time the links of a row of a table are busy; NAN: not known. */
static double busy_share(const struct pair_maps *maps, struct json_object *row) {
    const double time_ps = maps->time_ps * page_value_number(row, "links");
    return time_ps > 0 ? page_value_number(row, "busy_ps") / time_ps : (double)NAN;
}

/* Returns the row whose links are busier; the first one if both are as busy. */
static struct json_object *busier(const struct pair_maps *maps, struct json_object *first,
                                  struct json_object *second) {
    const double known = busy_share(maps, first), now = busy_share(maps, second);
    return now > known || isnan(known) ? second : first;
}

/* Adds the links of a row of a table to a cell. */
static void add_to_cell(struct pair_maps *maps, size_t cell, struct json_object *row) {
    const double time_ps = maps->time_ps * page_value_number(row, "links");
    if (!(time_ps > 0)) return;
    if (isnan(maps->busy[cell])) maps->busy[cell] = maps->stalled[cell] = 0;
    maps->cell_ps[cell] += time_ps;
    maps->busy[cell] += fmax(0, page_value_number(row, "busy_ps"));
    maps->stalled[cell] += fmax(0, page_value_number(row, "stalled_ps"));
}

/* Divides the sums by the time, which makes them shares. */
static void set_shares(struct pair_maps *maps, size_t columns) {
    for (size_t i = 0; i < maps->rows * columns; i++) {
        if (maps->busy[i] > 0) maps->ratio[i] = maps->stalled[i] / maps->busy[i];
        maps->busy[i] /= maps->cell_ps[i];
        maps->stalled[i] /= maps->cell_ps[i];
    }
}

/* Writes which groups one side of a row of a table has, from the group under the key on: in results
 * of many groups several neighbours. */
static const char *groups_text(char text[VALUES_TEXT], const struct pair_maps *maps,
                               struct json_object *row, const char *key) {
    const size_t first = page_value_size(row, key, maps->groups - 1), left = maps->groups - first;
    const size_t given = page_value_size(row, "groups", left), count = given > 1 ? given : 1;
    if (count == 1)
        snprintf(text, VALUES_TEXT, "group %zu", first);
    else
        snprintf(text, VALUES_TEXT, "groups %zu-%zu", first, first + count - 1);
    return text;
}

struct panel {
    const char *title, *scale;
    const double *values;
    double scale_factor;
};

/* Draws the three maps side by side. columns 0: as many as rows, numbered like them. */
static void draw_maps(struct text_buffer *svg, const struct pair_maps *maps, size_t columns,
                      const char *across, double height, double top) {
    enum { WIDTH = 190, PITCH = 250 };
    const struct panel panels[] = {{"Busy", "% of the time", maps->busy, 100},
                                   {"Stalled", "% of the time", maps->stalled, 100},
                                   {"Stalled / busy", "ratio", maps->ratio, 1}};
    const bool numbered = columns == 0;
    if (numbered) columns = maps->rows;
    for (size_t i = 0; i < 3; i++) {
        const struct heat_map map = {
            .title = panels[i].title,
            .across = across,
            .up = numbered ? "from group" : "group",
            .hides_up = i > 0,
            .scale = panels[i].scale,
            .values = panels[i].values,
            .rows = maps->rows,
            .columns = columns,
            .max = heat_map_largest(panels[i].values, maps->rows * columns),
            .scale_factor = panels[i].scale_factor,
            .row_numbers = maps->groups,
            .cell_rows = maps->of_row,
            .cell_columns = maps->of_row,
            .column_numbers = numbered ? maps->groups : 0,
            .column_names = numbered ? NULL : short_names,
        };
        heat_map_draw(svg, &map, HEAT_MAP_LEFT + PITCH * (double)i, top, WIDTH, height);
    }
}

/* Adds a table of the pairs with the largest busy share. */
static void add_pairs(struct page *page, const struct pair_maps *maps, struct json_object *list) {
    char busy[VALUES_TEXT], stalled[VALUES_TEXT], bytes[VALUES_TEXT];
    const size_t count = page_value_count(list);
    double *shares = memory_new(count, sizeof *shares); /* -1: the table has the pair */
    for (size_t i = 0; shares != NULL && i < count; i++) {
        struct json_object *row = page_value_at(list, i);
        shares[i] = page_value_number(row, "busy_ps") / page_value_number(row, "links");
    }
    page_numbers(page,
                 page_value_number(page_value_at(list, 0), "groups") > 1
                     ? "Numbers: the busiest pairs of neighbouring groups, from each on"
                     : "Numbers: the busiest pairs of groups",
                 "#from group|#to group|#links|#bytes|#busy|#stalled");
    for (size_t shown = 0; shares != NULL && shown < count && shown < TABLE_ROWS; shown++) {
        size_t best = count;
        double max = -1;
        for (size_t i = 0; i < count; i++) {
            if (!(shares[i] > max)) continue;
            best = i;
            max = shares[i];
        }
        if (best == count) break;
        shares[best] = -1;
        struct json_object *row = page_value_at(list, best);
        const double time_ps = maps->time_ps * page_value_number(row, "links");
        page_cell(page, "%.0f", page_value_number(row, "source_group"));
        page_cell(page, "%.0f", page_value_number(row, "destination_group"));
        page_cell(page, "%.0f", page_value_number(row, "links"));
        page_cell(page, "%s", page_value_bytes(bytes, page_value_number(row, "bytes")));
        page_cell(page, "%s",
                  page_value_percent(busy, page_value_number(row, "busy_ps") / time_ps));
        page_cell(page, "%s",
                  page_value_percent(stalled, page_value_number(row, "stalled_ps") / time_ps));
    }
    page_numbers_end(page);
    free(shares);
}

static void draw_pairs(struct page *page, struct pair_maps *maps, struct json_object *list) {
    enum { SIDE = 190 };
    char busy[VALUES_TEXT], stalled[VALUES_TEXT], from[VALUES_TEXT], to[VALUES_TEXT];
    struct json_object *best = page_value_at(list, 0);
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *row = page_value_at(list, i);
        const size_t source = page_value_size(row, "source_group", maps->groups - 1) / maps->of_row;
        const size_t target =
            page_value_size(row, "destination_group", maps->groups - 1) / maps->of_row;
        add_to_cell(maps, source * maps->rows + target, row);
        best = busier(maps, best, row);
    }
    set_shares(maps, maps->rows);
    struct text_buffer svg = TEXT_BUFFER_INIT;
    svg_begin(&svg, "groups", SVG_WIDTH, SIDE + HEAT_MAP_ABOVE + HEAT_MAP_BELOW,
              "Load of the global links between groups");
    draw_maps(&svg, maps, 0, "to group", SIDE, HEAT_MAP_ABOVE);
    svg_end(&svg);
    const double best_ps = maps->time_ps * page_value_number(best, "links");
    page_picture(page, "groups", &svg,
                 "The global links from %s to %s are the busiest: %s of the time, and stalled for "
                 "%s of it. Pairs that carried nothing are white.%s",
                 groups_text(from, maps, best, "source_group"),
                 groups_text(to, maps, best, "destination_group"),
                 page_value_percent(busy, busy_share(maps, best)),
                 page_value_percent(stalled, page_value_number(best, "stalled_ps") / best_ps),
                 maps->of_row > 1 ? " Neighbouring groups share a cell, which has their mean."
                                  : "");
    add_pairs(page, maps, list);
}

/* ---- channels of groups ---- */

/* Returns whether any row of a table was busy. */
static bool any_busy(struct json_object *list) {
    for (size_t i = 0; i < page_value_count(list); i++)
        if (page_value_number(page_value_at(list, i), "busy_ps") > 0) return true;
    return false;
}

static void draw_channels(struct page *page, struct pair_maps *maps, struct json_object *list) {
    char busy[VALUES_TEXT], stalled[VALUES_TEXT], groups[VALUES_TEXT];
    const double height = fmax(70, fmin(190, 12 * (double)maps->rows));
    struct json_object *best = page_value_at(list, 0);
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *row = page_value_at(list, i);
        const size_t group = page_value_size(row, "group", maps->groups - 1) / maps->of_row;
        for (size_t kind = 0; kind < KINDS; kind++) {
            if (strcmp(kinds[kind], page_value_text(row, "kind")) != 0) continue;
            add_to_cell(maps, group * KINDS + kind, row);
            best = busier(maps, best, row);
        }
    }
    set_shares(maps, KINDS);
    struct text_buffer svg = TEXT_BUFFER_INIT;
    svg_begin(&svg, "group-channels", SVG_WIDTH, height + HEAT_MAP_ABOVE + HEAT_MAP_BELOW,
              "Load of the channels of each group");
    draw_maps(&svg, maps, KINDS, "kind of channel", height, HEAT_MAP_ABOVE);
    svg_end(&svg);
    page_picture(page, "group-channels", &svg,
                 "Channels of the kind %s are the busiest in %s: %s of the time in the mean. "
                 "Injection goes from nodes to routers, ejection from routers to nodes.",
                 page_value_text(best, "kind"), groups_text(groups, maps, best, "group"),
                 page_value_percent(busy, busy_share(maps, best)));
    page_numbers(page,
                 maps->of_row > 1 ? "Numbers: channels of neighbouring groups, from each on"
                                  : "Numbers: channels of each group",
                 "#group|#injection busy|#injection stalled|#ejection busy|#ejection stalled|"
                 "#local busy|#local stalled|#global busy|#global stalled");
    for (size_t row = 0; row < maps->rows; row++) {
        page_cell(page, "%zu", row * maps->of_row);
        for (size_t cell = row * KINDS; cell < (row + 1) * KINDS; cell++) {
            page_cell(page, "%s", page_value_percent(busy, maps->busy[cell]));
            page_cell(page, "%s", page_value_percent(stalled, maps->stalled[cell]));
        }
    }
    page_numbers_end(page);
}

void page_groups(struct page *page, struct json_object *result) {
    enum { GROUPS_MAX = 1 << 20 };
    struct json_object *pairs = page_value_list(result, "group_pairs");
    struct json_object *channels = page_value_list(result, "group_channels");
    struct pair_maps maps = {
        .groups = page_value_size(page_value_object(result, "machine"), "groups", GROUPS_MAX),
        .time_ps = page_value_links_span(result),
    };
    if (maps.groups == 0 || page_value_count(channels) == 0) return;
    if (!any_busy(channels)) {
        page_section(page, "groups", "Load of the network by group");
        page_paragraph(page, "No message crossed the network.");
        return;
    }
    maps.of_row = (maps.groups + ROWS_MAX - 1) / ROWS_MAX;
    maps.rows = (maps.groups + maps.of_row - 1) / maps.of_row;
    page_section(page, "groups", "Load of the network by group");
    if (page_value_count(pairs) == 0)
        page_paragraph(page, "No message crossed a global link.");
    else if (new_maps(&maps, maps.rows))
        draw_pairs(page, &maps, pairs);
    else
        page->failed = true;
    free_maps(&maps);
    if (new_maps(&maps, KINDS))
        draw_channels(page, &maps, channels);
    else
        page->failed = true;
    free_maps(&maps);
}

/* ---- links ---- */

/* Draws which share of the links of each kind is at least so busy. */
static void draw_shares(struct page *page, struct json_object *list) {
    double x[KINDS][SHARES + 2], y[KINDS][SHARES + 2], links[KINDS][SHARES] = {{0}};
    struct chart_series series[KINDS];
    size_t drawn = 0;
    double max = 0;
    char text[VALUES_TEXT];
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *row = page_value_at(list, i);
        const double from = page_value_number(row, "from_share"),
                     count = page_value_number(row, "links");
        for (size_t kind = 0; kind < KINDS; kind++)
            if (strcmp(kinds[kind], page_value_text(row, "kind")) == 0 && from >= 0 && from < 1 &&
                count > 0) {
                links[kind][(size_t)(from * SHARES + 0.5) % SHARES] += count;
                max = fmax(max, page_value_number(row, "to_share"));
            }
    }
    for (size_t kind = 0; kind < KINDS; kind++) {
        double sum = 0, left;
        for (size_t i = 0; i < SHARES; i++)
            sum += links[kind][i];
        if (!(sum > 0)) continue;
        left = sum;
        for (size_t i = 0; i <= SHARES; i++) {
            x[kind][i] = (double)i;
            y[kind][i] = 100 * left / sum;
            if (i < SHARES) left -= links[kind][i];
        }
        series[drawn++] = (struct chart_series){.label = kinds[kind],
                                                .x = x[kind],
                                                .y = y[kind],
                                                .count = SHARES + 1,
                                                .style = (size_t[]){2, 3, 5, 4}[kind],
                                                .has_line = true,
                                                .is_stepped = true,
                                                .is_dashed = kind % 2 == 1,
                                                .width = 2};
    }
    const struct chart chart = {
        .title = "Links that are at least so busy",
        .x = {.label = "busy (% of the time)", .max = fmax(1, ceil(max * 100 - 1e-6))},
        .y = {.label = "links of the kind (%)", .max = 100},
        .series = series,
        .count = drawn};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    chart_draw(&svg, &chart);
    page_picture(page, "links", &svg, "No link is busy for more than %s of the time.",
                 page_value_percent(text, max));
}

void page_link_ends(struct page *page, struct json_object *link) {
    const char *kind = page_value_text(link, "kind");
    page_cell(page, "%s %.0f", strcmp(kind, "injection") == 0 ? "node" : "router",
              page_value_number(link, "source"));
    page_cell(page, "%s %.0f", strcmp(kind, "ejection") == 0 ? "node" : "router",
              page_value_number(link, "destination"));
}

/* Adds the cell of a column as its look says. time_ps: the time that shares are of. */
static void add_cell(struct page *page, const struct table_column *column, double value,
                     double time_ps) {
    char text[VALUES_TEXT];
    switch (column->look) {
    case TABLE_AS_SIZE:
        page_value_bytes(text, value);
        break;
    case TABLE_AS_SHARE:
        page_value_percent(text, value / time_ps);
        break;
    case TABLE_AS_NUMBER:
        page_value_count_text(text, value);
        break;
    }
    page_cell(page, "%s", text);
}

static void add_busiest(struct page *page, struct json_object *result) {
    struct json_object *list = page_value_list(result, "busiest_links");
    if (page_value_count(list) == 0) return;
    const struct table_column *columns = table_busiest_links.columns;
    const size_t count = table_busiest_links.column_count;
    struct text_buffer heads = {0};
    text_add(&heads, "kind|from|to|#from group|#to group");
    for (size_t i = 0; i < count; i++)
        if (columns[i].heading != NULL) text_add(&heads, "|#%s", columns[i].heading);
    char *head_text = text_take(&heads);
    if (head_text == NULL) {
        page->failed = true;
        return;
    }
    page_paragraph(page, "The busiest links:");
    page_table(page, head_text);
    free(head_text);
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *link = page_value_at(list, i);
        page_cell(page, "%s", page_value_text(link, "kind"));
        page_link_ends(page, link);
        page_cell(page, "%.0f", page_value_number(link, "source_group"));
        page_cell(page, "%.0f", page_value_number(link, "destination_group"));
        for (size_t k = 0; k < count; k++)
            if (columns[k].heading != NULL)
                add_cell(page, &columns[k], page_value_number(link, columns[k].name),
                         page_value_links_span(result));
    }
    page_table_end(page);
}

void page_links(struct page *page, struct json_object *result) {
    struct json_object *list = page_value_list(result, "link_shares");
    char from[VALUES_TEXT], to[VALUES_TEXT];
    struct json_object *channels = page_value_list(result, "group_channels");
    if (page_value_count(list) == 0 || (page_value_count(channels) > 0 && !any_busy(channels)))
        return;
    page_section(page, "links", "Links");
    draw_shares(page, list);
    page_numbers(page, "Numbers: links by busy share", "kind|#busy from|#to|#links");
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *row = page_value_at(list, i);
        page_cell(page, "%s", page_value_text(row, "kind"));
        page_cell(page, "%s", page_value_percent(from, page_value_number(row, "from_share")));
        page_cell(page, "%s", page_value_percent(to, page_value_number(row, "to_share")));
        page_cell(page, "%.0f", page_value_number(row, "links"));
    }
    page_numbers_end(page);
    add_busiest(page, result);
}
