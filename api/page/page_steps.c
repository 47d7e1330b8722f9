/* The critical path as steps: which rank did what when, and which message it then waited for. */
#include "api/chart/lanes.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 40 };

/* Causes of steps (docs/model.md, 9.15); others look like the last one. */
static const struct {
    const char *cause;
    struct svg_key key;
} causes[] = {
    {"computation", {"computation", {"#56b4e9", SVG_PLAIN}}},
    {"send", {"send", {"#cc79a7", SVG_PLAIN}}},
    {"receive", {"receive", {"#cc79a7", SVG_RISING}}},
    {"message", {"message", {"#0072b2", SVG_PLAIN}}},
    {"rendezvous", {"rendezvous", {"#e69f00", SVG_DOTTED}}},
    {"work", {"work in MPI", {"#f0e442", SVG_PLAIN}}},
    {"nic_collective", {"collective in NICs", {"#009e73", SVG_PLAIN}}},
    {"storage", {"I/O node", {"#f0e442", SVG_RISING}}},
    {"departure", {"departure", {"#e69f00", SVG_PLAIN}}},
    {"late_start", {"late start", {"#999999", SVG_RISING}}},
    {"", {"other", {"#999999", SVG_PLAIN}}},
};
enum { CAUSES = sizeof causes / sizeof *causes };

struct steps {
    struct json_object *result, *list;
    size_t first, count; /* the steps from this one on */
    double ranks[2 * STEPS];
    char names[2 * STEPS][VALUES_TEXT];
    const char *labels[2 * STEPS];
    size_t lane_count;
    struct svg_key keys[CAUSES];
    size_t key_of[CAUSES]; /* number of the key plus one; 0: not drawn yet */
    size_t key_count;
    struct lanes_box boxes[STEPS];
};

static size_t lane_of(struct steps *steps, double rank) {
    size_t i = 0;
    while (i < steps->lane_count && steps->ranks[i] != rank)
        i++;
    if (i < steps->lane_count) return i;
    steps->ranks[i] = rank;
    steps->labels[i] = page_value_rank_name(steps->names[i], steps->result, rank);
    return steps->lane_count++;
}

static size_t key_of(struct steps *steps, const char *cause) {
    size_t i = 0;
    while (i + 1 < CAUSES && strcmp(causes[i].cause, cause) != 0)
        i++;
    if (steps->key_of[i] == 0) {
        steps->keys[steps->key_count++] = causes[i].key;
        steps->key_of[i] = steps->key_count;
    }
    return steps->key_of[i] - 1;
}

static struct json_object *step_at(const struct steps *steps, size_t i) {
    return page_value_at(steps->list, steps->first + i);
}

static double length_of(struct json_object *step) {
    return page_value_number(step, "to_ps") - page_value_number(step, "from_ps");
}

static size_t longest_of(const struct steps *steps) {
    size_t best = 0;
    for (size_t i = 1; i < steps->count; i++)
        if (length_of(step_at(steps, i)) > length_of(step_at(steps, best))) best = i;
    return best;
}

static void draw(struct page *page, struct steps *steps) {
    const double min = page_value_number(step_at(steps, 0), "from_ps");
    const double max = page_value_number(step_at(steps, steps->count - 1), "to_ps");
    struct json_object *longest = step_at(steps, longest_of(steps));
    const char *name = page_value_text(longest, "name");
    char across[48], time[VALUES_TEXT], from[VALUES_TEXT], place[VALUES_TEXT];
    char begin[80];
    double unit;
    snprintf(across, sizeof across, "simulated time (%s)", page_value_unit(max, &unit));
    for (size_t i = 0; i < steps->count; i++) {
        struct json_object *step = step_at(steps, i);
        const double rank = page_value_number(step, "rank");
        const double before = page_value_number(step, "from_rank");
        const size_t from_lane = lane_of(steps, before >= 0 ? before : rank);
        steps->boxes[i] = (struct lanes_box){.from_lane = from_lane,
                                             .lane = lane_of(steps, rank),
                                             .from = page_value_number(step, "from_ps") / unit,
                                             .to = page_value_number(step, "to_ps") / unit,
                                             .key = key_of(steps, page_value_text(step, "cause"))};
    }
    const struct lanes lanes = {.name = "path-steps",
                                .title = "The last steps of the critical path",
                                .across = across,
                                .min = min / unit,
                                .max = max / unit,
                                .labels = steps->labels,
                                .lane_count = steps->lane_count,
                                .keys = steps->keys,
                                .key_count = steps->key_count,
                                .boxes = steps->boxes,
                                .box_count = steps->count};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    lanes_draw(&svg, &lanes);
    if (steps->count == 1)
        snprintf(begin, sizeof begin, "The last step of the path begins at %s",
                 page_value_time(from, min));
    else
        snprintf(begin, sizeof begin, "The last %zu steps of the path begin at %s", steps->count,
                 page_value_time(from, min));
    page_picture(page, "path-steps", &svg, "%s. %s of the kind %s on %s%s%s and takes %s.%s", begin,
                 steps->count == 1 ? "It is" : "The longest is", page_value_text(longest, "cause"),
                 page_value_rank_name(place, steps->result, page_value_number(longest, "rank")),
                 *name != '\0' ? " in " : "", name, page_value_time(time, length_of(longest)),
                 steps->lane_count > 1 ? " Slanted lines are messages from one rank to another."
                                       : "");
}

static void add_table(struct page *page, const struct steps *steps) {
    char text[VALUES_TEXT];
    page_numbers(page, "Numbers: the last steps of the critical path",
                 "#from|#takes|cause|#rank|in|#from rank|#size|#queueing|routers");
    for (size_t i = 0; i < steps->count; i++) {
        struct json_object *step = step_at(steps, i);
        const bool is_message = page_value_number(step, "from_rank") >= 0;
        page_cell(page, "%s", page_value_time(text, page_value_number(step, "from_ps")));
        page_cell(page, "%s", page_value_time(text, length_of(step)));
        page_cell(page, "%s", page_value_text(step, "cause"));
        page_cell(page, "%s",
                  page_value_rank_number(text, steps->result, page_value_number(step, "rank")));
        page_cell(page, "%s", page_value_text(step, "name"));
        page_cell(page, "%s",
                  is_message ? page_value_rank_number(text, steps->result,
                                                      page_value_number(step, "from_rank"))
                             : "");
        page_cell(page, "%s",
                  is_message ? page_value_bytes(text, page_value_number(step, "bytes")) : "");
        page_cell(page, "%s",
                  is_message ? page_value_time(text, page_value_number(step, "queueing_ps")) : "");
        page_cell(page, "%s", page_value_text(step, "route"));
    }
    page_numbers_end(page);
}

static bool is_step(struct json_object *step) {
    return page_value_number(step, "rank") >= 0 && page_value_number(step, "from_ps") >= 0 &&
           length_of(step) >= 0;
}

void page_path_steps(struct page *page, struct json_object *result) {
    struct steps steps = {.result = result,
                          .list =
                              page_value_list(page_value_object(result, "critical_path"), "steps")};
    const size_t all = page_value_count(steps.list);
    steps.first = all > STEPS ? all - STEPS : 0;
    while (steps.first + steps.count < all && is_step(step_at(&steps, steps.count)))
        steps.count++;
    if (steps.count == 0) return;
    draw(page, &steps);
    add_table(page, &steps);
}
