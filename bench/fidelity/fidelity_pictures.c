/* The pictures of the page: curves from a table, and three that are made of tables of a point. */
#include "bench/fidelity/fidelity.h"
#include "bench/support/chart_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum quantity { LATENCY, MINIMAL_LATENCY, NONMINIMAL_LATENCY, ACCEPTED } quantity;

struct line {
    const char *label; /* NULL ends a picture's */
    const char *experiment;
    quantity what;
    bool reference; /* its reference points too */
};

struct picture {
    const char *file; /* NULL ends the table */
    const char *title;
    double x_max;
    double y_min;
    double y_max;
    bool logarithmic;
    struct line lines[8];
};

#define KIM_UNIFORM(r)                                                                             \
    { r, "uniform-16-" r, LATENCY, false }
#define KIM_WORST(r)                                                                               \
    { r, "worst-16-" r, LATENCY, false }
#define DEEP(w, r)                                                                                 \
    { r, w "-256-" r, LATENCY, false }
#define DEPTH(f)                                                                                   \
    { f " flits", "worst-" f "-ugal-l-output", LATENCY, false }
#define GARCIA(l, e)                                                                               \
    { l, "adv2-" e, LATENCY, false }
#define SIX_GARCIA(w)                                                                              \
    {                                                                                              \
        {"valiant", "adv2-valiant", w, false}, {"piggyback", "adv2-piggyback", w, false},          \
            {"ofar mm", "adv2-mm", w, false}, {"ofar mm+l", "adv2-mm+l", w, false},                \
            {"ofar crg", "adv2-crg", w, false}, {"ofar crg+l", "adv2-crg+l", w, false},            \
    }

static const struct picture pictures[] = {
    {"kim-8a.svg",
     "Kim, Figure 8(a): uniform traffic, 16 flits",
     1,
     0,
     60,
     false,
     {KIM_UNIFORM("minimal"), KIM_UNIFORM("valiant"), KIM_UNIFORM("ugal-l"),
      KIM_UNIFORM("ugal-g")}},
    {"kim-8b.svg",
     "Kim, Figure 8(b): worst-case traffic, 16 flits",
     0.5,
     0,
     60,
     false,
     {KIM_WORST("minimal"),
      KIM_WORST("valiant"),
      KIM_WORST("ugal-l"),
      KIM_WORST("ugal-g"),
      {"ugal-l, third: any", "worst-16-ugal-l-any", LATENCY, false}}},
    {"kim-10a.svg",
     "Kim, Figure 10(a): uniform traffic, 16 flits",
     1,
     0,
     60,
     false,
     {KIM_UNIFORM("ugal-g"), KIM_UNIFORM("ugal-l"), KIM_UNIFORM("ugal-l-vc"),
      KIM_UNIFORM("ugal-l-vch")}},
    {"kim-10b.svg",
     "Kim, Figure 10(b): worst-case traffic, 16 flits",
     0.5,
     0,
     60,
     false,
     {KIM_WORST("ugal-g"), KIM_WORST("ugal-l"), KIM_WORST("ugal-l-vc"), KIM_WORST("ugal-l-vch")}},
    {"kim-11a.svg",
     "Kim, Figure 11(a): ugal-l, worst case, 16 flits",
     0.4,
     0,
     400,
     false,
     {{"ugal-l, all", "worst-16-ugal-l-output", LATENCY, false},
      {"minimal packets", "worst-16-ugal-l-output", MINIMAL_LATENCY, false},
      {"non-minimal", "worst-16-ugal-l-output", NONMINIMAL_LATENCY, false},
      {"ugal-g", "worst-16-ugal-g", LATENCY, false}}},
    {"kim-11b.svg",
     "Kim, Figure 11(b): ugal-l, worst case, 256 flits",
     0.4,
     0,
     4000,
     false,
     {{"ugal-l, all", "worst-256-ugal-l-output", LATENCY, false},
      {"minimal packets", "worst-256-ugal-l-output", MINIMAL_LATENCY, false},
      {"non-minimal", "worst-256-ugal-l-output", NONMINIMAL_LATENCY, false},
      {"ugal-g", "worst-256-ugal-g", LATENCY, false}}},
    {"kim-14.svg",
     "Kim, Figure 14: ugal-l, worst case, depth of the buffers",
     0.4,
     0,
     600,
     false,
     {DEPTH("4"), DEPTH("8"), DEPTH("16"), DEPTH("32"), DEPTH("64"), DEPTH("256")}},
    {"kim-16a.svg",
     "Kim, Figure 16(a): worst-case traffic, 16 flits",
     0.5,
     0,
     60,
     false,
     {KIM_WORST("ugal-g"), KIM_WORST("ugal-l"), KIM_WORST("ugal-l-output"), KIM_WORST("ugal-l-vch"),
      KIM_WORST("ugal-l-cr")}},
    {"kim-16b.svg",
     "Kim, Figure 16(b): worst-case traffic, 256 flits",
     0.5,
     10,
     1000,
     true,
     {DEEP("worst", "ugal-g"), DEEP("worst", "ugal-l"), DEEP("worst", "ugal-l-output"),
      DEEP("worst", "ugal-l-cr")}},
    {"kim-16c.svg",
     "Kim, Figure 16(c): uniform traffic, 16 flits",
     1,
     0,
     60,
     false,
     {KIM_UNIFORM("ugal-g"), KIM_UNIFORM("ugal-l-vch"), KIM_UNIFORM("ugal-l-cr")}},
    {"kim-16d.svg",
     "Kim, Figure 16(d): uniform traffic, 256 flits",
     1,
     0,
     60,
     false,
     {DEEP("uniform", "ugal-g"), DEEP("uniform", "ugal-l-vch"), DEEP("uniform", "ugal-l-cr")}},
    {"garcia-4a.svg", "Garcia, Figure 4(a): latency under ADV+2", 0.5, 0, 1500, false,
     SIX_GARCIA(LATENCY)},
    {"garcia-4b.svg", "Garcia, Figure 4(b): throughput under ADV+2", 0.5, 0, 0.5, false,
     SIX_GARCIA(ACCEPTED)},
    {"garcia-5a.svg", "Garcia, Figure 5(a): latency under ADV+2, zoomed", 0.35, 100, 500, false,
     SIX_GARCIA(LATENCY)},
    {"booksim.svg",
     "kim-1k-paper against BookSim 2, minimal (hollow: BookSim)",
     0.8,
     0,
     60,
     false,
     {{"uniform", "booksim-uniform", LATENCY, true},
      {"worst case", "booksim-worst", LATENCY, true}}},
    {"fogsim.svg",
     "garcia-342-paper against FOGSim (hollow: FOGSim)",
     1,
     100,
     1000,
     false,
     {{"minimal, uniform", "fogsim-minimal-uniform", LATENCY, true},
      {"valiant, uniform", "fogsim-valiant-uniform", LATENCY, true},
      {"minimal, adv+2", "fogsim-minimal-adv2", LATENCY, true},
      {"valiant, adv+2", "fogsim-valiant-adv2", LATENCY, true},
      {"ofar mm, adv+2", "fogsim-mm-adv2", LATENCY, true}}},
    {0},
};

enum { VALUES_MAX = 4000 };

typedef enum outcome { NOT_DRAWN, DRAWN, DRAWING_FAILED } outcome;

/* A chart with room for its series and their coordinates. */
struct drawing {
    struct chart chart;
    struct chart_series series[12];
    double numbers[VALUES_MAX];
    size_t used;
};

/* A chart of which nothing was measured is left out. */
static outcome draw(struct drawing *drawing, const char *path) {
    if (drawing->chart.count == 0) return NOT_DRAWN;
    drawing->chart.series = drawing->series;
    return chart_file_write(&drawing->chart, path) ? DRAWN : DRAWING_FAILED;
}

static double *room(struct drawing *drawing, size_t count) {
    if (drawing->used + count > VALUES_MAX) {
        fprintf(stderr, "fidelity: a picture of more than %d coordinates\n", VALUES_MAX);
        exit(1);
    }
    double *numbers = drawing->numbers + drawing->used;
    drawing->used += count;
    return numbers;
}

static double value_of(const struct load_point *point, quantity what) {
    switch (what) {
    case MINIMAL_LATENCY:
        return point->minimal_latency;
    case NONMINIMAL_LATENCY:
        return point->nonminimal_latency;
    case ACCEPTED:
        return point->accepted;
    default:
        return point->latency;
    }
}

/* Adds a curve with marks, which leaves the picture at its upper edge. */
static struct chart_series *add_series(struct drawing *drawing, const char *label, size_t count,
                                       double **x, double **y) {
    struct chart *chart = &drawing->chart;
    if (chart->count == sizeof drawing->series / sizeof *drawing->series) {
        fprintf(stderr, "fidelity: too many curves in `%s`\n", chart->title);
        exit(1);
    }
    struct chart_series *added = &drawing->series[chart->count++];
    *x = room(drawing, count);
    *y = room(drawing, count);
    *added = (struct chart_series){.label = label,
                                   .x = *x,
                                   .y = *y,
                                   .count = count,
                                   .has_line = true,
                                   .is_clipped = true,
                                   .has_marks = true,
                                   .is_filled = true};
    return added;
}

/* Adds the points of another simulator as hollow marks. */
static void add_reference(struct drawing *drawing, const char *experiment, size_t style) {
    double *x, *y;
    size_t count = 0;
    for (size_t i = 0; i < reference_count; i++)
        count += strcmp(reference_rows[i].curve, experiment) == 0;
    struct chart_series *added = add_series(drawing, "", count, &x, &y);
    added->has_line = added->is_filled = false;
    added->style = style;
    for (size_t i = 0, k = 0; i < reference_count; i++) {
        const struct reference_row *row = &reference_rows[i];
        if (strcmp(row->curve, experiment) != 0) continue;
        added->label = row->simulator;
        x[k] = row->offered;
        y[k++] = row->latency;
    }
}

static outcome curves(const struct picture *picture, const struct measurement *all,
                      const char *path) {
    struct drawing drawing = {
        .chart = {
            .title = picture->title,
            .x = {"offered load (share of the injection bandwidth)", 0, picture->x_max, 0, NULL,
                  false},
            .y = {picture->lines[0].what == ACCEPTED ? "accepted load" : "mean latency (cycles)",
                  picture->y_min, picture->y_max, picture->logarithmic ? 10 : 0, NULL, false}}};
    size_t style = 0;
    for (const struct line *line = picture->lines; line->label != NULL; line++, style++) {
        const struct measurement *curve = measured(all, line->experiment);
        if (curve == NULL) continue;
        double *x, *y;
        add_series(&drawing, line->label, curve->count, &x, &y)->style = style;
        for (size_t i = 0; i < curve->count; i++) {
            x[i] = curve->points[i].offered;
            y[i] = value_of(&curve->points[i], line->what);
        }
        if (line->reference) add_reference(&drawing, line->experiment, style);
    }
    return draw(&drawing, path);
}

/* ---- Kim, Figure 9: channels of a group, the minimal one first, then those of its router ------
 */

static void mean_channels(const struct table *links, double *sums, size_t max, size_t *count) {
    size_t groups = 1;
    owner_of_minimal_link(links, 0, 1, &groups);
    size_t *owners = calloc(groups, sizeof *owners);
    size_t *seen = calloc(groups, 2 * sizeof *seen);
    size_t own = 0;
    for (size_t group = 0; owners != NULL && group < groups; group++)
        owners[group] = owner_of_minimal_link(links, group, 1, &groups);
    /* how many the owner has */
    for (size_t i = 0; owners != NULL && i < links->rows; i++)
        own += strcmp(table_text(links, i, "kind"), "global") == 0 &&
               (size_t)table_number(links, i, "source") == owners[0];
    *count = 0;
    for (size_t i = 0; owners != NULL && seen != NULL && i < links->rows; i++) {
        if (strcmp(table_text(links, i, "kind"), "global") != 0) continue;
        size_t group = (size_t)table_number(links, i, "source_group");
        bool mine = (size_t)table_number(links, i, "source") == owners[group];
        bool minimal = (size_t)table_number(links, i, "destination_group") == (group + 1) % groups;
        size_t place = minimal ? 0 : mine ? 1 + seen[2 * group]++ : own + seen[2 * group + 1]++;
        if (place >= max) continue;
        sums[place] += table_number(links, i, "utilisation") / (double)groups;
        if (place + 1 > *count) *count = place + 1;
    }
    free(owners);
    free(seen);
}

static void add_steps(struct drawing *drawing, const char *label, const double *heights,
                      size_t count, double width) {
    double *x, *y;
    const size_t style = drawing->chart.count;
    struct chart_series *added = add_series(drawing, label, count + 1, &x, &y);
    added->is_stepped = true;
    added->has_marks = false;
    added->style = style;
    for (size_t i = 0; i <= count; i++) {
        x[i] = (double)i * width;
        y[i] = heights[i < count ? i : count - 1];
    }
    drawing->chart.x.max = fmax(drawing->chart.x.max, (double)count * width);
}

static outcome channels(const struct measurement *all, const char *path) {
    static const char *const names[] = {"channels-16-ugal-l", "channels-16-ugal-g"};
    struct drawing drawing = {
        .chart = {.title = "Kim, Figure 9: global channels of a group, worst case 0.2",
                  .x.label = "channel: minimal, its router's others, then the rest",
                  .y = {"utilisation (share of time)", 0, 1, 0, NULL, false}}};
    for (size_t k = 0; k < 2; k++) {
        const struct measurement *point = measured(all, names[k]);
        double means[512] = {0};
        size_t count;
        if (point == NULL) continue;
        mean_channels(&point->links, means, 512, &count);
        add_steps(&drawing, k == 0 ? "ugal-l" : "ugal-g", means, count, 1);
    }
    return draw(&drawing, path);
}

/* ---- Kim, Figure 12: histograms of latency ----------------------------------------------------
 */

static outcome histogram(const struct measurement *all, const char *name, const char *title,
                         double step, const char *path) {
    enum { BINS = 60 };
    double every[BINS] = {0}, minimal[BINS] = {0}, sum = 0;
    const struct measurement *point = measured(all, name);
    if (point == NULL) return NOT_DRAWN;
    const struct table *bins = &point->latencies;
    for (size_t i = 0; i < bins->rows; i++) {
        double middle_ps = (table_number(bins, i, "from_ps") + table_number(bins, i, "to_ps")) / 2;
        size_t bin = (size_t)(middle_ps / 1000 / step);
        sum += table_number(bins, i, "messages");
        if (bin >= BINS) bin = BINS - 1;
        every[bin] += table_number(bins, i, "messages");
        minimal[bin] += table_number(bins, i, "minimal_messages");
    }
    for (size_t i = 0; i < BINS; i++) {
        every[i] = 100 * every[i] / sum;
        minimal[i] = 100 * minimal[i] / sum;
    }
    struct drawing drawing = {
        .chart = {.title = title,
                  .x.label = "latency (cycles); the last step has all that is beyond",
                  .y = {"share of the packets (%)", 0.001, 100, 10, NULL, false}}};
    add_steps(&drawing, "all packets", every, BINS, step);
    add_steps(&drawing, "minimal", minimal, BINS, step);
    return draw(&drawing, path);
}

/* ---- Garcia, Figure 6: packets injected at each router of a group -----------------------------
 */

static outcome injected(const struct measurement *all, const char *path) {
    static const struct {
        const char *name, *label;
    } points[] = {{"injected-crg", "crg"},
                  {"injected-mm", "mm"},
                  {"injected-crg-no-priority", "crg, no priority"}};
    struct drawing drawing = {
        .chart = {.title = "Garcia, Figure 6: packets injected at each router, load 0.2",
                  .x.label = "router of a group (mean over groups)",
                  .y.label = "packets during the measurement"}};
    for (size_t k = 0; k < 3; k++) {
        const struct measurement *point = measured(all, points[k].name);
        double means[256] = {0};
        size_t groups = 1;
        if (point == NULL) continue;
        owner_of_minimal_link(&point->links, 0, 2, &groups);
        size_t routers = point->routers.rows / groups;
        if (routers > 256) routers = 256;
        for (size_t i = 0; i < routers * groups; i++)
            means[i % routers] +=
                table_number(&point->routers, i, "injected_packets") / (double)groups;
        for (size_t i = 0; i < routers; i++)
            drawing.chart.y.max = fmax(drawing.chart.y.max, 1.1 * means[i]);
        add_steps(&drawing, points[k].label, means, routers, 1);
    }
    return draw(&drawing, path);
}

static bool show(FILE *page, outcome drawing, const char *title, const char *file) {
    if (drawing == DRAWN) fprintf(page, "![%s](fidelity/%s)\n\n", title, file);
    return drawing != DRAWING_FAILED;
}

bool pictures_write(const struct measurement *all, const char *folder, FILE *page) {
    char path[1024], directory[1000];
    snprintf(directory, sizeof directory, "%s/fidelity", folder);
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "fidelity: %s: %s\n", directory, strerror(errno));
        return false;
    }
    bool good = true;
#define PATH_OF(file) (snprintf(path, sizeof path, "%s/%s", directory, file), path)
    for (const struct picture *picture = pictures; picture->file != NULL; picture++)
        good &=
            show(page, curves(picture, all, PATH_OF(picture->file)), picture->title, picture->file);
    good &= show(page, channels(all, PATH_OF("kim-9.svg")), "Kim, Figure 9", "kim-9.svg");
    good &= show(page,
                 histogram(all, "latencies-16-ugal-l",
                           "Kim, Figure 12(a): ugal-l, worst case 0.25, 16 flits", 4,
                           PATH_OF("kim-12a.svg")),
                 "Kim, Figure 12(a)", "kim-12a.svg");
    good &= show(page,
                 histogram(all, "latencies-256-ugal-l",
                           "Kim, Figure 12(b): ugal-l, worst case 0.25, 256 flits", 32,
                           PATH_OF("kim-12b.svg")),
                 "Kim, Figure 12(b)", "kim-12b.svg");
    good &= show(page, injected(all, PATH_OF("garcia-6.svg")), "Garcia, Figure 6", "garcia-6.svg");
#undef PATH_OF
    return good;
}
