/* Watched links: which flows load them, and which wait behind which. */
#include "api/chart/stack.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BARS = 10, TABLE_ROWS = 15, NAME = 160, KIND = sizeof "rank", LABEL = 2 * NAME + 40 };
enum { LABEL_WIDTH = 310 }; /* of "rank 41171 to 43219 behind 45513 to 45514" */

/* Returns the row of a list with the largest time under the key among those not taken; NULL: none.
 */
static struct json_object *largest(struct json_object *list, const char *key, bool *taken) {
    size_t best = page_value_count(list);
    double max = -1;
    for (size_t i = 0; i < page_value_count(list); i++) {
        const double now = page_value_number(page_value_at(list, i), key);
        if (taken[i] || !(now > max)) continue;
        max = now;
        best = i;
    }
    if (best == page_value_count(list)) return NULL;
    taken[best] = true;
    return page_value_at(list, best);
}

static const char *name_or_none(struct json_object *object, const char *key) {
    const char *name = page_value_text(object, key);
    return *name != '\0' ? name : "none";
}

/* Writes the ends of a flow, which are ranks and I/O nodes, or else nodes; before: of the keys. */
static const char *flow_name(char *text, struct json_object *result, struct json_object *row,
                             const char *before) {
    char source[64], destination[64], from[VALUES_TEXT], to[VALUES_TEXT];
    snprintf(source, sizeof source, "%ssource_rank", before);
    snprintf(destination, sizeof destination, "%sdestination_rank", before);
    if (page_value_has(row, source)) {
        page_value_rank_name(from, result, page_value_number(row, source));
        page_value_rank_number(to, result, page_value_number(row, destination));
        snprintf(text, NAME, "%s to %s%s", from, from[0] == 'I' ? "rank " : "", to);
        return text;
    }
    snprintf(source, sizeof source, "%ssource_node", before);
    snprintf(destination, sizeof destination, "%sdestination_node", before);
    if (page_value_has(row, source))
        snprintf(text, NAME, "node %.0f to %.0f", page_value_number(row, source),
                 page_value_number(row, destination));
    else
        snprintf(text, NAME, "other flows");
    return text;
}

/* Writes "global link 26 to 22". */
static const char *link_name(char *text, struct json_object *row) {
    snprintf(text, NAME, "%.30s %.0f to %.0f", page_value_text(row, "kind"),
             page_value_number(row, "source"), page_value_number(row, "destination"));
    return text;
}

/* Writes a time as a share of the run, or as it is if the length of the run is not known. */
static const char *share_of(char *text, double time_ps, double span_ps) {
    return span_ps > 0 ? page_value_percent(text, time_ps / span_ps)
                       : page_value_time(text, time_ps);
}

struct bars {
    struct stack_bar bars[BARS];
    double values[BARS];
    char labels[BARS][LABEL], notes[BARS][NAME + VALUES_TEXT];
    size_t count;
};

static void draw(const struct bars *bars, const char *name, const char *title, const char *what,
                 const struct svg_key *key, struct text_buffer *svg) {
    char axis[96];
    double unit;
    snprintf(axis, sizeof axis, "%s (%s)", what, page_value_unit(bars->values[0], &unit));
    const struct stack stack = {.name = name,
                                .title = title,
                                .axis = axis,
                                .unit = unit,
                                .label_max = LABEL_WIDTH,
                                .parts = key,
                                .part_count = 1,
                                .bars = bars->bars,
                                .bar_count = bars->count};
    stack_draw(svg, &stack);
}

static void add_bar(struct bars *bars, double value) {
    const size_t i = bars->count++;
    bars->values[i] = value > 0 ? value : 0;
    bars->bars[i] = (struct stack_bar){bars->labels[i], bars->notes[i], &bars->values[i]};
}

/* ---- who loads the links ---- */

static void draw_flows(struct page *page, struct json_object *result, double span_ps, bool *taken) {
    struct json_object *list = page_value_list(result, "link_flows");
    static const struct svg_key key = {"time in which the link carries its packets",
                                       {"#56b4e9", SVG_PLAIN}};
    struct bars bars = {.count = 0};
    struct json_object *flow, *max = NULL;
    char name[NAME], link[NAME], share[VALUES_TEXT];
    while (bars.count < BARS && (flow = largest(list, "busy_ps", taken)) != NULL) {
        if (max == NULL) max = flow;
        const char *call = page_value_text(flow, "call");
        snprintf(bars.labels[bars.count], LABEL, "%s%s%.60s", flow_name(name, result, flow, ""),
                 *call != '\0' ? ", " : "", call);
        snprintf(bars.notes[bars.count], sizeof *bars.notes, "%s of %s",
                 share_of(share, page_value_number(flow, "busy_ps"), span_ps),
                 link_name(link, flow));
        add_bar(&bars, page_value_number(flow, "busy_ps"));
    }
    struct text_buffer svg = TEXT_BUFFER_INIT;
    draw(&bars, "flows", "The flows that keep watched links busy for longest", "busy time", &key,
         &svg);
    page_picture(page, "flows", &svg,
                 "Of %zu flows over the watched links, %s keeps one busy for longest: %s of %s.",
                 page_value_count(list), flow_name(name, result, max, ""),
                 share_of(share, page_value_number(max, "busy_ps"), span_ps), link_name(link, max));
}

static void add_flows(struct page *page, struct json_object *result, double span_ps, bool *taken) {
    struct json_object *list = page_value_list(result, "link_flows");
    struct json_object *flow;
    char text[VALUES_TEXT];
    page_numbers(page, "Numbers: the flows that keep the links busy for longest",
                 "kind of link|from|to|#from rank|#to rank|MPI call|user region|non-minimal|"
                 "#bytes|#keeps it busy|#its packets wait|#others wait for them");
    for (size_t i = 0; i < TABLE_ROWS && (flow = largest(list, "busy_ps", taken)) != NULL; i++) {
        page_cell(page, "%s", page_value_text(flow, "kind"));
        page_link_ends(page, flow);
        page_cell(page, "%s",
                  page_value_rank_number(text, result, page_value_number(flow, "source_rank")));
        page_cell(
            page, "%s",
            page_value_rank_number(text, result, page_value_number(flow, "destination_rank")));
        page_cell(page, "%s", name_or_none(flow, "call"));
        page_cell(page, "%s", name_or_none(flow, "region"));
        page_cell(page, "%s",
                  !page_value_has(flow, "minimal")    ? "none"
                  : page_value_truth(flow, "minimal") ? "no"
                                                      : "yes");
        page_cell(page, "%s", page_value_bytes(text, page_value_number(flow, "bytes")));
        page_cell(page, "%s", share_of(text, page_value_number(flow, "busy_ps"), span_ps));
        page_cell(page, "%s", page_value_time(text, page_value_number(flow, "waited_ps")));
        page_cell(page, "%s", page_value_time(text, page_value_number(flow, "caused_ps")));
    }
    page_numbers_end(page);
}

/* ---- who waits behind whom ---- */

static void draw_waits(struct page *page, struct json_object *result) {
    struct json_object *list = page_value_list(result, "longest_link_waits");
    static const struct svg_key key = {"time for which packets wait, each for itself",
                                       {"#d55e00", SVG_FALLING}};
    struct bars bars = {.count = 0};
    char name[NAME], behind[NAME], link[NAME], time[VALUES_TEXT];
    for (size_t i = 0; i < page_value_count(list) && i < BARS; i++) {
        struct json_object *wait = page_value_at(list, i);
        const char *other = flow_name(behind, result, wait, "behind_");
        flow_name(name, result, wait, "");
        if (strncmp(name, other, KIND) == 0) other += KIND; /* "rank 3 to 5 behind 7 to 9" */
        snprintf(bars.labels[i], LABEL, "%s behind %s", name, other);
        snprintf(bars.notes[i], sizeof *bars.notes, "%s at %s",
                 page_value_time(time, page_value_number(wait, "waited_ps")),
                 link_name(link, wait));
        add_bar(&bars, page_value_number(wait, "waited_ps"));
    }
    struct text_buffer svg = TEXT_BUFFER_INIT;
    draw(&bars, "waits", "The longest waits of one flow behind another", "waiting", &key, &svg);
    struct json_object *max = page_value_at(list, 0);
    page_picture(page, "waits", &svg,
                 "Packets of %s wait longest: %s behind those of %s, for the %s link %.0f to %.0f.",
                 flow_name(name, result, max, ""),
                 page_value_time(time, page_value_number(max, "waited_ps")),
                 flow_name(behind, result, max, "behind_"), page_value_text(max, "kind"),
                 page_value_number(max, "source"), page_value_number(max, "destination"));
}

static void add_waits(struct page *page, struct json_object *result) {
    struct json_object *list = page_value_list(result, "longest_link_waits");
    char text[NAME];
    page_numbers(page, "Numbers: the longest waits",
                 "kind of link|from|to|who waits|MPI call|user region|behind whom|their MPI "
                 "call|their user region|#waiting");
    for (size_t i = 0; i < page_value_count(list) && i < TABLE_ROWS; i++) {
        struct json_object *wait = page_value_at(list, i);
        page_cell(page, "%s", page_value_text(wait, "kind"));
        page_link_ends(page, wait);
        page_cell(page, "%s", flow_name(text, result, wait, ""));
        page_cell(page, "%s", name_or_none(wait, "call"));
        page_cell(page, "%s", name_or_none(wait, "region"));
        page_cell(page, "%s", flow_name(text, result, wait, "behind_"));
        page_cell(page, "%s", name_or_none(wait, "behind_call"));
        page_cell(page, "%s", name_or_none(wait, "behind_region"));
        page_cell(page, "%s", page_value_time(text, page_value_number(wait, "waited_ps")));
    }
    page_numbers_end(page);
}

void page_flows(struct page *page, struct json_object *result) {
    struct json_object *flows = page_value_list(result, "link_flows");
    struct json_object *waits = page_value_list(result, "longest_link_waits");
    const double span_ps = page_value_links_span(result);
    const size_t count = page_value_count(flows);
    if (count == 0) return;
    bool *taken = memory_new(2 * count, sizeof *taken);
    if (taken == NULL) {
        page->failed = true;
        return;
    }
    page_section(page, "flows", "Who loads the watched links");
    draw_flows(page, result, span_ps, taken);
    add_flows(page, result, span_ps, taken + count);
    if (page_value_count(waits) == 0) {
        page_paragraph(page, "No packet waited for a watched link behind another one.");
    } else {
        draw_waits(page, result);
        add_waits(page, result);
    }
    free(taken);
}
