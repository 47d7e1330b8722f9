/* The page of a placement: where ranks are, how far messages go, and what links would carry. */
#include "api/chart/stack.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 8 };

/* "same_node" as "same node". */
static const char *spaced(const char *name, char *text, size_t size) {
    snprintf(text, size, "%s", name);
    for (char *at = strchr(text, '_'); at != NULL; at = strchr(at, '_'))
        *at = ' ';
    return text;
}

static void add_distances(struct page *page, struct json_object *result) {
    struct json_object *list = page_value_list(result, "distances");
    char labels[ROWS][64], name[40], share[VALUES_TEXT], bytes[VALUES_TEXT];
    struct svg_key keys[ROWS];
    double shares[ROWS], max = -1;
    size_t count = 0, best = 0;
    for (size_t i = 0; i < page_value_count(list) && count < ROWS; i++) {
        struct json_object *row = page_value_at(list, i);
        const double value = page_value_number(row, "share");
        if (!(value > 0)) continue;
        if (value > max) max = value, best = i;
        snprintf(labels[count], sizeof labels[count], "%s %s",
                 spaced(page_value_text(row, "distance"), name, sizeof name),
                 page_value_percent(share, value));
        keys[count] = (struct svg_key){labels[count], svg_fill_of(i)};
        shares[count++] = 100 * value;
    }
    if (count == 0) return;
    struct text_buffer svg = TEXT_BUFFER_INIT;
    stack_draw_shares(&svg, "distances", "How far messages go", "share of the bytes (%)", keys,
                      shares, count);
    page_section(page, "distances", "How far messages go");
    spaced(page_value_text(page_value_at(list, best), "distance"), name, sizeof name);
    page_picture(page, "distances", &svg, "%s of the bytes go to %s.",
                 page_value_percent(share, max),
                 strcmp(name, "other group") == 0   ? "another group"
                 : strcmp(name, "same group") == 0  ? "another router of the group"
                 : strcmp(name, "same router") == 0 ? "another node of the router"
                 : strcmp(name, "same node") == 0   ? "the node that they come from"
                                                    : name);
    page_numbers(page, "Numbers: distances", "to|#messages|#bytes|#share");
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *row = page_value_at(list, i);
        page_cell(page, "%s", spaced(page_value_text(row, "distance"), name, sizeof name));
        page_cell(page, "%.0f", page_value_number(row, "messages"));
        page_cell(page, "%s", page_value_bytes(bytes, page_value_number(row, "bytes")));
        page_cell(page, "%s", page_value_percent(share, page_value_number(row, "share")));
    }
    page_numbers_end(page);
}

static void add_links(struct page *page, struct json_object *result) {
    static const struct svg_key keys[] = {
        {"mean of all links of the kind", {"#56b4e9", SVG_PLAIN}},
        {"beyond it on the fullest link", {"#d55e00", SVG_FALLING}}};
    struct json_object *list = page_value_list(result, "expected_links");
    struct stack_bar bars[ROWS];
    double values[ROWS][2], longest = 0;
    char notes[ROWS][VALUES_TEXT], text[VALUES_TEXT];
    size_t count = 0, best = 0;
    for (; count < page_value_count(list) && count < ROWS; count++) {
        struct json_object *row = page_value_at(list, count);
        const double mean = page_value_number(row, "mean_bytes"),
                     max = page_value_number(row, "max_bytes");
        values[count][0] = mean > 0 ? mean / 1024 : 0;
        values[count][1] = max > mean ? (max - mean) / 1024 : 0;
        page_value_time(notes[count], page_value_number(row, "max_time_ps"));
        bars[count] = (struct stack_bar){page_value_text(row, "kind"), notes[count], values[count]};
        if (page_value_number(row, "max_time_ps") > longest) {
            longest = page_value_number(row, "max_time_ps");
            best = count;
        }
    }
    if (count == 0) return;
    const struct stack stack = {.name = "expected-links",
                                .title = "What links carry on minimal paths",
                                .axis = "bytes of a link (KiB)",
                                .parts = keys,
                                .part_count = 2,
                                .bars = bars,
                                .bar_count = count};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    stack_draw(&svg, &stack);
    page_section(page, "links", "What links would carry");
    page_picture(
        page, "expected-links", &svg,
        "On minimal paths the fullest link is %s: its bytes take %s. Times beside the bars "
        "are those of the fullest link of a kind.",
        page_value_text(page_value_at(list, best), "kind"), page_value_time(text, longest));
    page_numbers(page, "Numbers: expected load of links",
                 "kind|#links|#used|#mean bytes|#most bytes|#time of the fullest");
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *row = page_value_at(list, i);
        page_cell(page, "%s", page_value_text(row, "kind"));
        page_cell(page, "%.0f", page_value_number(row, "links"));
        page_cell(page, "%.0f", page_value_number(row, "used"));
        page_cell(page, "%s", page_value_bytes(text, page_value_number(row, "mean_bytes")));
        page_cell(page, "%s", page_value_bytes(text, page_value_number(row, "max_bytes")));
        page_cell(page, "%s", page_value_time(text, page_value_number(row, "max_time_ps")));
    }
    page_numbers_end(page);
}

void page_of_placement(struct page *page, struct json_object *result) {
    struct json_object *used = page_value_object(result, "used");
    char bytes[VALUES_TEXT];
    page_section(page, "summary", "Placement");
    page_paragraph(
        page,
        "The placement %s puts %.0f ranks on %.0f nodes, %.0f routers and %.0f groups of %s. "
        "They exchange %.0f messages of %s in all.",
        page_value_text(result, "placement"),
        page_value_number(page_value_object(result, "trace"), "ranks"),
        page_value_number(used, "nodes"), page_value_number(used, "routers"),
        page_value_number(used, "groups"),
        page_value_text(page_value_object(result, "machine"), "name"),
        page_value_number(page_value_object(result, "traffic"), "messages"),
        page_value_bytes(bytes, page_value_number(page_value_object(result, "traffic"), "bytes")));
    add_distances(page, result);
    add_links(page, result);
    page_placement(page, page_value_list(result, "ranks"), page_value_object(result, "machine"));
    page_changes(page, result);
    page_origin(page, result);
}
