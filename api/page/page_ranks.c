/* Ranks: how the time of each divides, and where they run. */
#include "api/chart/heat_map.h"
#include "api/chart/stack.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 96, TABLE_ROWS = 32 };

struct rank {
    double rank, node, time_ps;
    double parts[PAGE_PARTS];
};

static int compare(double a, double b) {
    return a < b ? -1 : a > b;
}

static int by_rank(const void *first, const void *second) {
    const struct rank *a = first, *b = second;
    return compare(a->rank, b->rank);
}

static int by_time(const void *first, const void *second) {
    const struct rank *a = first, *b = second;
    const int order = compare(b->time_ps, a->time_ps);
    return order != 0 ? order : by_rank(first, second);
}

static int by_node(const void *first, const void *second) {
    const struct rank *a = first, *b = second;
    const int order = compare(a->node, b->node);
    return order != 0 ? order : by_rank(first, second);
}

static struct rank *read_ranks(struct json_object *list, size_t count) {
    struct rank *ranks = memory_new(count, sizeof *ranks);
    for (size_t i = 0; i < count && ranks != NULL; i++) {
        struct json_object *rank = page_value_at(list, i);
        ranks[i].rank = page_value_number(rank, "rank");
        ranks[i].node = page_value_number(rank, "node");
        for (size_t k = 0; k < PAGE_PARTS; k++) {
            const double part = page_value_number(rank, page_part_keys[k]);
            ranks[i].parts[k] = part > 0 ? part : 0;
            ranks[i].time_ps += ranks[i].parts[k];
        }
    }
    return ranks;
}

/* Returns the mean parts of ranks that share a column. */
static double *columns_of(const struct rank *ranks, size_t count, size_t columns) {
    double *values = memory_new(columns * PAGE_PARTS, sizeof *values);
    for (size_t column = 0; column < columns && values != NULL; column++) {
        const size_t first = column * count / columns, end = (column + 1) * count / columns;
        for (size_t i = first; i < end; i++)
            for (size_t k = 0; k < PAGE_PARTS; k++)
                values[column * PAGE_PARTS + k] += ranks[i].parts[k] / (double)(end - first);
    }
    return values;
}

static bool in_order(const struct rank *ranks, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (ranks[i].rank < ranks[i - 1].rank) return false;
    return true;
}

static void add_table(struct page *page, const struct rank *ranks, size_t count) {
    char text[VALUES_TEXT];
    const size_t shown = count < TABLE_ROWS ? count : TABLE_ROWS;
    page_numbers(page,
                 count > shown ? "Numbers: the slowest ranks, and every so many after them"
                               : "Numbers: ranks, the slowest first",
                 "#rank|#node|#time|#computation|#overheads|#late partners|#network|#collectives");
    for (size_t row = 0; row < shown; row++) {
        /* the first half are the slowest, the others are spread over the rest */
        const size_t half = shown / 2;
        const struct rank *rank =
            &ranks[count == shown || row < half
                       ? row
                       : half + (row - half) * (count - 1 - half) / (shown - 1 - half)];
        const double *parts = rank->parts;
        page_cell(page, "%.0f", rank->rank);
        page_cell(page, "%.0f", rank->node);
        page_cell(page, "%s", page_value_time(text, rank->time_ps));
        page_cell(page, "%s", page_value_time(text, parts[0]));
        page_cell(page, "%s", page_value_time(text, parts[1] + parts[2] + parts[3]));
        page_cell(page, "%s", page_value_time(text, parts[4] + parts[5]));
        page_cell(page, "%s", page_value_time(text, parts[6] + parts[7]));
        page_cell(page, "%s", page_value_time(text, parts[8]));
    }
    page_numbers_end(page);
}

/* Draws the ranks in several orders; they are sorted by time at the end. */
static void draw(struct page *page, struct rank *ranks, size_t count) {
    const size_t columns = count < COLUMNS ? count : COLUMNS;
    double *values[3] = {NULL, NULL, NULL};
    struct stack_profile profiles[3];
    size_t drawn = count > 1 ? 2 : 1; /* orders */
    double unit;
    char up[32], slowest[VALUES_TEXT], fastest[VALUES_TEXT];
    qsort(ranks, count, sizeof *ranks, by_node);
    if (!in_order(ranks, count)) values[2] = columns_of(ranks, count, columns);
    if (values[2] != NULL) drawn = 3;
    const double first_node = ranks[0].node, last_node = ranks[count - 1].node;
    qsort(ranks, count, sizeof *ranks, by_rank);
    values[1] = columns_of(ranks, count, columns);
    qsort(ranks, count, sizeof *ranks, by_time);
    values[0] = columns_of(ranks, count, columns);
    snprintf(up, sizeof up, "time of a rank (%s)", page_value_unit(ranks[0].time_ps, &unit));
    const struct stack_profile common = {.up = up,
                                         .columns = columns,
                                         .unit = unit,
                                         .count = (double)count,
                                         .unit_name = page_value_unit(ranks[0].time_ps, &unit),
                                         .max = 1.04 * ranks[0].time_ps};
    profiles[0] = profiles[1] = profiles[2] = common;
    profiles[0].title = "Slowest first";
    profiles[0].across = "place in the order";
    profiles[0].tip_label = profiles[0].across;
    profiles[0].first = profiles[0].tip_first = 1;
    profiles[0].last = (double)count;
    profiles[1].title = "By rank";
    profiles[1].tip_label = profiles[1].across = "rank";
    profiles[1].last = (double)(count - 1);
    profiles[2].title = "By node";
    profiles[2].across = "node";
    profiles[2].tip_label = "place in the order of nodes";
    profiles[2].tip_first = 1;
    profiles[2].first = first_node;
    profiles[2].last = last_node;
    for (size_t i = 0; i < drawn; i++)
        profiles[i].values = values[i];
    struct text_buffer svg = TEXT_BUFFER_INIT;
    if (values[0] != NULL && values[1] != NULL)
        stack_draw_profiles(&svg, "ranks", "The time of ranks by part", page_parts, PAGE_PARTS,
                            profiles, drawn);
    else
        svg.failed = true;
    if (count == 1)
        page_picture(page, "ranks", &svg, "The only rank, %.0f, takes %s.", ranks[0].rank,
                     page_value_time(slowest, ranks[0].time_ps));
    else
        page_picture(page, "ranks", &svg,
                     "The slowest rank, %.0f, takes %s; the fastest, %.0f, takes %s.%s%s",
                     ranks[0].rank, page_value_time(slowest, ranks[0].time_ps),
                     ranks[count - 1].rank, page_value_time(fastest, ranks[count - 1].time_ps),
                     columns < count ? " A column is the mean of neighbouring ranks." : "",
                     drawn == 2 ? " Nodes have the order of ranks." : "");
    for (size_t i = 0; i < 3; i++)
        free(values[i]);
}

void page_ranks(struct page *page, struct json_object *result) {
    struct json_object *list = page_value_list(result, "ranks");
    const size_t count = page_value_count(list);
    if (count == 0) return;
    struct rank *ranks = read_ranks(list, count);
    if (ranks == NULL) {
        page->failed = true;
        return;
    }
    page_section(page, "ranks", "Ranks");
    draw(page, ranks, count);
    add_table(page, ranks, count);
    free(ranks);
}

/* ---- the placement ---- */

enum { GROUP_ROWS = 64, NODE_COLUMNS = 128, JOBS_MAX = 1 << 20, JOBS_DRAWN = 7 };

struct places {
    size_t nodes, groups, group_nodes; /* of the machine */
    size_t rows, columns, row_groups, column_nodes;
    double *ranks;
    double *jobs; /* of a rank in the cell */
    size_t job_count;
};

/* Returns the level of colour of a job: the jobs are spread over those that differ from white. */
static size_t level_of_job(size_t job, size_t count) {
    enum { FIRST = HEAT_MAP_LEVELS - JOBS_DRAWN };
    return FIRST + (count > 1 ? job * (JOBS_DRAWN - 1) / (count - 1) : 0);
}

static void add_job_legend(struct text_buffer *svg, size_t count, double y) {
    struct svg_key keys[JOBS_DRAWN];
    char labels[JOBS_DRAWN][32];
    for (size_t i = 0; i < count && i < JOBS_DRAWN; i++) {
        snprintf(labels[i], sizeof labels[i], "job %zu", i);
        keys[i] = (struct svg_key){labels[i], {heat_map_colour(level_of_job(i, count)), SVG_PLAIN}};
    }
    svg_legend(svg, "placement", HEAT_MAP_LEFT, y, SVG_WIDTH - HEAT_MAP_LEFT, keys, count);
}

/* Sets the colours of cells whose jobs are known. */
static void colour_jobs(struct places *places) {
    for (size_t i = 0; i < places->rows * places->columns; i++)
        if (isfinite(places->jobs[i]))
            places->jobs[i] =
                0.5 + (double)level_of_job((size_t)places->jobs[i], places->job_count);
}

/* Counts ranks; returns how many groups have some. */
static size_t count_places(struct places *places, struct json_object *ranks) {
    size_t used = 0;
    bool *has = memory_new(places->groups, sizeof *has);
    for (size_t i = 0; i < page_value_count(ranks) && has != NULL; i++) {
        const size_t node = page_value_size(page_value_at(ranks, i), "node", places->nodes - 1);
        const size_t group = node / places->group_nodes;
        used += !has[group];
        has[group] = true;
        double *cell = &places->ranks[group / places->row_groups * places->columns +
                                      node % places->group_nodes / places->column_nodes];
        *cell = (isnan(*cell) ? 0 : *cell) + 1;
        const size_t job = page_value_size(page_value_at(ranks, i), "job", JOBS_MAX);
        places->jobs[cell - places->ranks] = (double)job;
        if (job >= places->job_count) places->job_count = job + 1;
    }
    free(has);
    return used;
}

static void draw_places(struct page *page, struct places *places, struct json_object *ranks) {
    const size_t cells = places->rows * places->columns;
    for (size_t i = 0; i < cells; i++)
        places->ranks[i] = places->jobs[i] = (double)NAN;
    const size_t used = count_places(places, ranks), count = page_value_count(ranks);
    char up[48], across[48];
    snprintf(up, sizeof up, "group");
    snprintf(across, sizeof across, "node of the group%s",
             places->column_nodes > 1 ? ", neighbours together" : "");
    const double size = fmin(14, 640.0 / (double)places->columns);
    const double height = fmax(40, fmin(14, 560.0 / (double)places->rows) * (double)places->rows);
    struct heat_map map = {
        .title = "Ranks on the nodes of each group",
        .across = across,
        .up = up,
        .scale = "ranks",
        .values = places->ranks,
        .rows = places->rows,
        .columns = places->columns,
        .min = 0,
        .max = fmax(2, heat_map_largest(places->ranks, cells)),
        .has_gaps = cells <= 2112,
        .row_numbers = places->groups,
        .column_numbers = places->group_nodes,
        .cell_rows = places->row_groups,
        .cell_columns = places->column_nodes,
    };
    struct text_buffer svg = TEXT_BUFFER_INIT;
    const double one = height + HEAT_MAP_ABOVE + HEAT_MAP_BELOW;
    const double width = fmax(160, size * (double)places->columns);
    const bool has_jobs = places->job_count > 1 && places->job_count <= JOBS_DRAWN;
    if (has_jobs) colour_jobs(places);
    svg_begin(&svg, "placement", SVG_WIDTH, has_jobs ? 2 * one : one,
              "Where ranks run on the machine");
    heat_map_draw(&svg, &map, HEAT_MAP_LEFT, HEAT_MAP_ABOVE, width, height);
    if (has_jobs) {
        map.title = "Jobs on them";
        map.values = places->jobs;
        map.max = HEAT_MAP_LEVELS;
        map.scale = NULL;
        heat_map_draw(&svg, &map, HEAT_MAP_LEFT, HEAT_MAP_ABOVE + one, width, height);
        add_job_legend(&svg, places->job_count, 2 * one - HEAT_MAP_BELOW + 38);
    }
    svg_end(&svg);
    page_picture(page, "placement", &svg,
                 "%zu rank%s in %zu of %zu groups. White nodes have no rank.%s", count,
                 count == 1 ? " runs" : "s run", used, places->groups,
                 has_jobs ? " The second map has the job of each node." : "");
    page_numbers(page, "Numbers: ranks of each group", "#groups from|#to|#ranks");
    for (size_t row = 0; row < places->rows; row++) {
        double sum = 0;
        for (size_t i = 0; i < places->columns; i++) {
            const double cell = places->ranks[row * places->columns + i];
            if (cell > 0) sum += cell;
        }
        const size_t end = (row + 1) * places->row_groups;
        if (!(sum > 0)) continue;
        page_cell(page, "%zu", row * places->row_groups);
        page_cell(page, "%zu", (end < places->groups ? end : places->groups) - 1);
        page_cell(page, "%.0f", sum);
    }
    page_numbers_end(page);
}

static size_t bins(size_t count, size_t max) {
    return (count + max - 1) / max;
}

void page_placement(struct page *page, struct json_object *ranks, struct json_object *machine) {
    enum { NODES_MAX = 1 << 26 };
    struct places places = {.nodes = page_value_size(machine, "nodes", NODES_MAX),
                            .groups = page_value_size(machine, "groups", NODES_MAX)};
    if (page_value_count(ranks) == 0 || places.groups == 0 || places.nodes < places.groups) return;
    places.group_nodes = places.nodes / places.groups;
    places.groups = bins(places.nodes, places.group_nodes);
    places.row_groups = bins(places.groups, GROUP_ROWS);
    places.rows = bins(places.groups, places.row_groups);
    places.column_nodes = bins(places.group_nodes, NODE_COLUMNS);
    places.columns = bins(places.group_nodes, places.column_nodes);
    places.ranks = memory_new(places.rows * places.columns, sizeof *places.ranks);
    places.jobs = memory_new(places.rows * places.columns, sizeof *places.jobs);
    if (places.ranks == NULL || places.jobs == NULL) {
        page->failed = true;
    } else {
        page_section(page, "placement", "Placement on the machine");
        draw_places(page, &places, ranks);
    }
    free(places.ranks);
    free(places.jobs);
}
