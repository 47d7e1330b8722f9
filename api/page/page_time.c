/* Where the time of all ranks went: by part, by efficiency, along the critical path, by call. */
#include "api/chart/stack.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct svg_key page_parts[PAGE_PARTS] = {
    {"computation", {"#56b4e9", SVG_PLAIN}},     {"reductions", {"#f0e442", SVG_PLAIN}},
    {"send overhead", {"#cc79a7", SVG_PLAIN}},   {"receive overhead", {"#cc79a7", SVG_RISING}},
    {"late sender", {"#e69f00", SVG_PLAIN}},     {"late receiver", {"#e69f00", SVG_DOTTED}},
    {"network transit", {"#0072b2", SVG_PLAIN}}, {"network queueing", {"#d55e00", SVG_FALLING}},
    {"collectives", {"#009e73", SVG_PLAIN}},
};
const char *const page_part_keys[PAGE_PARTS] = {
    "compute_ps",          "reduction_ps",        "send_overhead_ps",
    "receive_overhead_ps", "wait_late_sender_ps", "wait_late_receiver_ps",
    "wait_transit_ps",     "wait_queueing_ps",    "collective_ps",
};

struct svg_key page_part_key(const char *name, size_t number) {
    if (strcmp(name, "I/O nodes") == 0) return (struct svg_key){name, {"#f0e442", SVG_RISING}};
    for (size_t i = 0; i < PAGE_PARTS; i++)
        if (strncmp(page_parts[i].label, name, strlen(page_parts[i].label)) == 0)
            return (struct svg_key){name, page_parts[i].fill}; /* causes of a diff are plural */
    return (struct svg_key){name, svg_fill_of(number)};
}

static double positive(double value) {
    return value > 0 ? value : 0;
}

/* ---- the parts ---- */

static void draw_shares(struct page *page, const double *sums, double total) {
    struct svg_key keys[PAGE_PARTS];
    char labels[PAGE_PARTS][80], share[VALUES_TEXT];
    double shares[PAGE_PARTS];
    size_t count = 0, max = 0;
    for (size_t i = 0; i < PAGE_PARTS; i++) {
        if (sums[i] > sums[max]) max = i;
        if (!(sums[i] > 0)) continue;
        snprintf(labels[count], sizeof labels[count], "%s %s", page_parts[i].label,
                 page_value_percent(share, sums[i] / total));
        keys[count] = (struct svg_key){labels[count], page_parts[i].fill};
        shares[count++] = 100 * sums[i] / total;
    }
    struct text_buffer svg = TEXT_BUFFER_INIT;
    stack_draw_shares(&svg, "breakdown", "Parts of all ranks' time", "share of all ranks' time (%)",
                      keys, shares, count);
    page_picture(page, "breakdown", &svg, "The largest part is %s: %s of all ranks' time.",
                 page_parts[max].label, page_value_percent(share, sums[max] / total));
}

void page_breakdown(struct page *page, struct json_object *result) {
    struct json_object *ranks = page_value_list(result, "ranks");
    double sums[PAGE_PARTS] = {0}, total = 0;
    char sum[VALUES_TEXT], share[VALUES_TEXT], mean[VALUES_TEXT];
    const size_t count = page_value_count(ranks);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < PAGE_PARTS; k++)
            sums[k] += positive(page_value_number(page_value_at(ranks, i), page_part_keys[k]));
    for (size_t k = 0; k < PAGE_PARTS; k++)
        total += sums[k];
    if (!(total > 0)) return;
    page_section(page, "breakdown", "Where the time went");
    draw_shares(page, sums, total);
    page_numbers(page, "Numbers: parts of all ranks' time",
                 "part|#share|#sum over ranks|#mean of a rank");
    for (size_t k = 0; k < PAGE_PARTS; k++) {
        page_cell(page, "%s", page_parts[k].label);
        page_cell(page, "%s", page_value_percent(share, sums[k] / total));
        page_cell(page, "%s", page_value_time(sum, sums[k]));
        page_cell(page, "%s", page_value_time(mean, sums[k] / (double)count));
    }
    page_numbers_end(page);
}

/* ---- efficiencies ---- */

#define SHOWN_AS_WHOLE 0.9995 /* from here on a share is printed as 100.0 % */
#define MARKED_BELOW   0.8    /* below, a tile is marked as a loss: the limit that POP recommends */

void page_efficiency(struct page *page, struct json_object *result) {
    static const struct {
        const char *key, *name, *meaning;
        bool is_product; /* of other rows, so it is not the lowest factor */
    } rows[] = {
        {"parallel", "parallel efficiency", "load balance x serialisation x transfer", true},
        {"load_balance", "load balance", "mean / largest computation of a rank", false},
        {"serialisation", "serialisation", "largest computation / time with ideal transfers",
         false},
        {"transfer", "transfer", "time with ideal transfers / time", true},
        {"transfer_hosts", "transfer: hosts", "what host costs leave of it", false},
        {"transfer_distance", "transfer: distance", "what an idle network leaves of it", false},
        {"transfer_contention", "transfer: contention", "what queueing leaves of it", false},
    };
    struct json_object *efficiency = page_value_object(result, "efficiency");
    const size_t count = sizeof rows / sizeof *rows;
    char share[VALUES_TEXT];
    size_t min = 0;
    double lowest = 2;
    if (efficiency == NULL) return;
    for (size_t i = 0; i < count; i++) {
        const double value = page_value_number(efficiency, rows[i].key);
        if (value < lowest && !rows[i].is_product) {
            lowest = value;
            min = i;
        }
    }
    page_section(page, "efficiency", "Efficiencies");
    if (min > 0 && page_value_number(efficiency, "parallel") >= SHOWN_AS_WHOLE)
        page_paragraph(page, "The parallel efficiency is %s: nothing is lost.",
                       page_value_percent(share, page_value_number(efficiency, "parallel")));
    else if (min > 0)
        page_paragraph(page, "The parallel efficiency is %s. Its lowest factor is %s.",
                       page_value_percent(share, page_value_number(efficiency, "parallel")),
                       rows[min].name);
    page_tiles(page);
    for (size_t i = 0; i < count; i++) {
        const double value = page_value_number(efficiency, rows[i].key);
        if (isfinite(value))
            page_tile(page, page_value_percent(share, value), rows[i].name, rows[i].meaning,
                      value < MARKED_BELOW);
    }
    page_tiles_end(page);
}

/* ---- the critical path ---- */

struct named_time {
    const char *kind, *name;
    double time_ps;
};

static int longest_first(const void *first, const void *second) {
    const struct named_time *a = first, *b = second;
    if (a->time_ps != b->time_ps) return a->time_ps > b->time_ps ? -1 : 1;
    const int order = strcmp(a->kind, b->kind);
    return order != 0 ? order : strcmp(a->name, b->name);
}

enum { PATH_KEYS = 12 };

/* Adds the time of a part to the kind of its name; returns the number of kinds. Kinds beyond the
 * room for them count as the last. */
static size_t add_kind(struct named_time *kinds, size_t count, const struct named_time *part) {
    size_t i = 0;
    while (i < count && strcmp(kinds[i].kind, part->kind) != 0)
        i++;
    if (i == PATH_KEYS) i = PATH_KEYS - 1;
    if (i == count) kinds[count++] = (struct named_time){part->kind, "", 0};
    kinds[i].time_ps += part->time_ps;
    return count;
}

/* The fills of the kinds of parts, which are those of the ranks' time where both mean the same. */
static struct svg_fill fill_of_kind(const char *kind) {
    static const struct {
        const char *kind;
        struct svg_fill fill;
    } known[] = {
        {"computation", {"#56b4e9", SVG_PLAIN}},    {"noise", {"#999999", SVG_RISING}},
        {"overhead", {"#cc79a7", SVG_PLAIN}},       {"reduction", {"#f0e442", SVG_PLAIN}},
        {"queueing", {"#d55e00", SVG_FALLING}},     {"rendezvous", {"#e69f00", SVG_DOTTED}},
        {"latency", {"#0072b2", SVG_PLAIN}},        {"late_start", {"#999999", SVG_PLAIN}},
        {"serialisation", {"#0072b2", SVG_RISING}}, {"nic_collective", {"#009e73", SVG_PLAIN}},
        {"routers", {"#0072b2", SVG_DOTTED}},       {"nic", {"#0072b2", SVG_FALLING}},
        {"memory", {"#009e73", SVG_RISING}},        {"nic_window", {"#e69f00", SVG_PLAIN}},
        {"storage", {"#f0e442", SVG_RISING}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].kind, kind) == 0) return known[i].fill;
    return (struct svg_fill){"#999999", SVG_DOTTED};
}

static void draw_path(struct page *page, struct json_object *path, struct named_time *kinds,
                      size_t count, double total) {
    struct svg_key keys[PATH_KEYS];
    char labels[PATH_KEYS][96], share[VALUES_TEXT], time[VALUES_TEXT];
    double shares[PATH_KEYS];
    qsort(kinds, count, sizeof *kinds, longest_first);
    for (size_t i = 0; i < count; i++) {
        snprintf(labels[i], sizeof labels[i], "%.60s %s", kinds[i].kind,
                 page_value_percent(share, kinds[i].time_ps / total));
        keys[i] = (struct svg_key){labels[i], fill_of_kind(kinds[i].kind)};
        shares[i] = 100 * kinds[i].time_ps / total;
    }
    struct text_buffer svg = TEXT_BUFFER_INIT;
    stack_draw_shares(&svg, "critical-path", "The critical path by cause",
                      "share of the critical path (%)", keys, shares, count);
    page_picture(
        page, "critical-path", &svg,
        "The path to the end of rank %.0f takes %s and passes %.0f message%s; %s is %s of "
        "it.",
        page_value_number(path, "rank"), page_value_time(time, page_value_number(path, "time_ps")),
        page_value_number(path, "messages"), page_value_plural(page_value_number(path, "messages")),
        kinds[0].kind, page_value_percent(share, kinds[0].time_ps / total));
}

void page_critical_path(struct page *page, struct json_object *result) {
    enum { ROWS = 40 };
    struct json_object *path = page_value_object(result, "critical_path");
    struct json_object *list = page_value_list(path, "parts");
    const size_t count = page_value_count(list);
    struct named_time kinds[PATH_KEYS];
    size_t kind_count = 0;
    double total = 0;
    char time[VALUES_TEXT], share[VALUES_TEXT];
    if (count == 0) return;
    struct named_time *parts = memory_new(count, sizeof *parts);
    if (parts == NULL) {
        page->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct json_object *part = page_value_at(list, i);
        parts[i] = (struct named_time){page_value_text(part, "kind"), page_value_text(part, "name"),
                                       positive(page_value_number(part, "time_ps"))};
        total += parts[i].time_ps;
        kind_count = add_kind(kinds, kind_count, &parts[i]);
    }
    if (total > 0) {
        page_section(page, "critical-path", "Critical path");
        draw_path(page, path, kinds, kind_count, total);
        qsort(parts, count, sizeof *parts, longest_first);
        page_numbers(page, "Numbers: parts of the critical path, the longest first",
                     "cause|where|#time|#share");
        for (size_t i = 0; i < count && i < ROWS; i++) {
            page_cell(page, "%s", parts[i].kind);
            page_cell(page, "%s", parts[i].name);
            page_cell(page, "%s", page_value_time(time, parts[i].time_ps));
            page_cell(page, "%s", page_value_percent(share, parts[i].time_ps / total));
        }
        page_numbers_end(page);
        page_path_steps(page, result);
    }
    free(parts);
}

/* ---- MPI calls ---- */

void page_calls(struct page *page, struct json_object *result) {
    enum { SHOWN = 10 };
    static const struct svg_key keys[] = {{"waiting", {"#e69f00", SVG_DOTTED}},
                                          {"the rest of the call", {"#56b4e9", SVG_PLAIN}}};
    struct json_object *list = page_value_list(result, "calls");
    const size_t count = page_value_count(list);
    struct named_time *calls = memory_new(count + 1, sizeof *calls);
    struct stack_bar bars[SHOWN];
    double values[SHOWN][2], unit, total = 0;
    char text[VALUES_TEXT], axis[80], notes[SHOWN][VALUES_TEXT];
    if (calls == NULL) page->failed = true;
    for (size_t i = 0; i < count && calls != NULL; i++) {
        struct json_object *call = page_value_at(list, i);
        calls[i] = (struct named_time){page_value_text(call, "name"), "",
                                       positive(page_value_number(call, "time_ps"))};
        total += calls[i].time_ps;
    }
    if (calls == NULL || !(total > 0)) {
        free(calls);
        return;
    }
    qsort(calls, count, sizeof *calls, longest_first);
    const size_t shown = count < SHOWN ? count : SHOWN;
    for (size_t i = 0; i < shown; i++) {
        double wait = 0;
        for (size_t k = 0; k < count; k++)
            if (strcmp(page_value_text(page_value_at(list, k), "name"), calls[i].kind) == 0)
                wait = positive(page_value_number(page_value_at(list, k), "wait_ps"));
        values[i][0] = fmin(wait, calls[i].time_ps);
        values[i][1] = calls[i].time_ps - values[i][0];
        page_value_percent(notes[i], calls[i].time_ps / total);
        bars[i] = (struct stack_bar){calls[i].kind, notes[i], values[i]};
    }
    snprintf(axis, sizeof axis, "time in the call, over all ranks (%s)",
             page_value_unit(calls[0].time_ps, &unit));
    const struct stack stack = {.name = "calls",
                                .title = "MPI calls by their time",
                                .axis = axis,
                                .unit = unit,
                                .parts = keys,
                                .part_count = 2,
                                .bars = bars,
                                .bar_count = shown};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    stack_draw(&svg, &stack);
    page_section(page, "calls", "MPI calls");
    page_picture(page, "calls", &svg, "Most of the time in MPI calls is in %s: %s of it.",
                 calls[0].kind, notes[0]);
    page_numbers(page, "Numbers: MPI calls", "call|#times|#time, over all ranks|#of it waiting");
    for (size_t i = 0; i < count; i++) {
        struct json_object *call = page_value_at(list, i);
        page_cell(page, "%s", page_value_text(call, "name"));
        page_cell(page, "%s", page_value_count_text(text, page_value_number(call, "count")));
        page_cell(page, "%s", page_value_time(text, page_value_number(call, "time_ps")));
        page_cell(page, "%s", page_value_time(text, page_value_number(call, "wait_ps")));
    }
    page_numbers_end(page);
    free(calls);
}
