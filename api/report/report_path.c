/* The critical path and the efficiencies of a replay for people. */
#include "api/report/report_layout.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PARTS = 8, LATEST_STEPS = 8, PARTS_MAX = 8, LONGEST_WAITS = 3 };

static int by_time(const void *one, const void *other) {
    const struct replay_path_part *a = one, *b = other;
    return a->time_ps > b->time_ps ? -1 : a->time_ps < b->time_ps;
}

/* Adds a name that ends its line. */
static void add_last_name(struct text_buffer *text, const char *name, size_t width) {
    if (text_name_width(name) <= width)
        text_add_name(text, name, 0);
    else
        text_add_cut_name(text, name, width);
}

/* Adds the longest parts of the path, the longest first. */
static void add_parts(struct text_buffer *text, const struct replay_critical_path *path) {
    struct replay_path_part *parts = malloc((path->part_count + 1) * sizeof *parts);
    text->failed = text->failed || parts == NULL;
    if (parts == NULL) return;
    for (uint32_t i = 0; i < path->part_count; i++)
        parts[i] = path->parts[i];
    qsort(parts, path->part_count, sizeof *parts, by_time);
    for (uint32_t i = 0; i < path->part_count && i < LONGEST_PARTS; i++) {
        report_row(text, 4, parts[i].kind);
        text_add(text, "%5.1f %%",
                 100 * (double)parts[i].time_ps / (double)(path->time_ps > 0 ? path->time_ps : 1));
        if (parts[i].name != NULL) {
            text_add(text, "  ");
            add_last_name(text, parts[i].name, TEXT_LINE_WIDTH - REPORT_LABEL_WIDTH - 16);
        }
        text_add(text, "\n");
    }
    free(parts);
}

/* Writes "3", or "I/O 71" for the I/O node on node 71. */
static const char *place_text(char text[24], const struct replay_result *replay, uint32_t rank) {
    if (rank < replay->rank_count)
        snprintf(text, 24, "%" PRIu32, rank);
    else
        snprintf(text, 24, "I/O %" PRIu32, replay->storage[rank - replay->rank_count].node);
    return text;
}

/* Adds the channels that the path waited for longest, as far as they are 1 % of it. */
static void add_channels(struct text_buffer *text, const struct replay_critical_path *path) {
    for (uint32_t i = 0; i < path->channel_count && i < LONGEST_WAITS; i++) {
        const struct replay_path_channel *channel = &path->channels[i];
        const bool is_nic = strcmp(channel->kind, "nic") == 0;
        if (channel->time_ps < path->time_ps / 100) return;
        if (i == 0) text_add(text, "  waited longest for\n");
        text_add(text, "    %-19s %5.1f %%  ", channel->kind,
                 100 * (double)channel->time_ps / (double)path->time_ps);
        if (is_nic)
            text_add(text, "node %" PRIu32 "\n", channel->source);
        else
            text_add(text, "router %" PRIu32 " to %s %" PRIu32 "\n", channel->source,
                     strcmp(channel->kind, "ejection") == 0 ? "node" : "router",
                     channel->destination);
    }
}

/* Adds the latest steps of the path. */
static void add_steps(struct text_buffer *text, const struct replay_result *replay) {
    const struct replay_critical_path *path = &replay->paths[0];
    uint64_t first = path->step_count > LATEST_STEPS ? path->step_count - LATEST_STEPS : 0;
    if (path->step_count == 0) return;
    text_add(text, "\nIts last steps\n"
                   "    rank       to (us)   took (us)  what                     in\n");
    for (uint64_t i = first; i < path->step_count; i++) {
        const struct replay_path_step *step = &path->steps[i];
        char what[64], place[24];
        snprintf(what, sizeof what, "%s", step->cause);
        if (step->is_message)
            snprintf(what, sizeof what, "%s from %s", step->cause,
                     place_text(place, replay, step->from_rank));
        text_add(text, "%8s %13.3f %11.3f  ", place_text(place, replay, step->rank),
                 (double)step->to_ps / 1e6, (double)(step->to_ps - step->from_ps) / 1e6);
        text_add(text, step->name != NULL ? "%-24s " : "%s", what);
        if (step->name != NULL) add_last_name(text, step->name, TEXT_LINE_WIDTH - 60);
        text_add(text, "\n");
    }
}

static void add_factor(struct text_buffer *text, const char *label, int64_t part_ps,
                       int64_t whole_ps) {
    report_row(text, 4, label);
    if (whole_ps > 0)
        text_add(text, "%5.1f %%\n", 100 * (double)part_ps / (double)whole_ps);
    else
        text_add(text, "    -\n");
}

static void add_share(struct text_buffer *text, wide part, wide whole) {
    if (whole > 0)
        text_add(text, "  %7.1f %%", 100 * (double)part / (double)whole);
    else
        text_add(text, "  %9s", "-");
}

/* Adds a line with the factors of a part, whose name is text or number. */
static void add_part_factors(struct text_buffer *text, const struct efficiencies_part *part) {
    const int64_t *time_ps = part->time_ps;
    if (part->iteration > 0)
        text_add(text, "    %-24" PRIu64, part->iteration);
    else
        text_add(text, "    "), text_add_cut_name(text, part->region, 24);
    add_share(text, part->compute_ps,
              (wide)(uint64_t)time_ps[EFFICIENCIES_PREDICTED] * part->ranks);
    add_share(text, part->compute_ps, (wide)(uint64_t)part->max_compute_ps * part->ranks);
    add_share(text, (uint64_t)part->max_compute_ps, (uint64_t)time_ps[IDEAL_FREE]);
    add_share(text, (uint64_t)time_ps[IDEAL_FREE], (uint64_t)time_ps[EFFICIENCIES_PREDICTED]);
    text_add(text, "\n");
}

static void add_part_title(struct text_buffer *text, const char *title) {
    text_add(text, "\n%-28s  %9s  %9s  %9s  %9s\n", title, "parallel", "balance", "serial.",
             "transfer");
}

/* Adds the efficiencies of regions and iterations, the first ones if there are many. */
static void add_parts_of_run(struct text_buffer *text, const struct efficiencies *all) {
    size_t shown = 0, iterations = all->iteration_count;
    for (uint32_t i = 0; all->program != NULL && i < all->program->region_count; i++) {
        if (all->regions[i].ranks == 0 || shown == PARTS_MAX) continue;
        if (shown++ == 0) add_part_title(text, "Efficiency by region");
        add_part_factors(text, &all->regions[i]);
    }
    if (iterations == 0) return;
    add_part_title(text, "Efficiency by iteration");
    for (size_t i = 0; i < iterations && i < PARTS_MAX; i++)
        add_part_factors(text, &all->iterations[i]);
    if (iterations > PARTS_MAX)
        text_add(text, "    and %zu more (-o writes all)\n", iterations - PARTS_MAX);
}

void report_path_text(struct text_buffer *text, const anax_replay_result *result) {
    const struct replay_result *replay = result->replay;
    const struct ideal_times *times = &result->ideal;
    if (replay->path_count == 0) return;
    const struct replay_critical_path *path = &replay->paths[0];
    int64_t max_ps = 0;
    wide sum_ps = 0;
    for (uint32_t i = 0; i < replay->rank_count; i++) {
        if (replay->ranks[i].compute_ps > max_ps) max_ps = replay->ranks[i].compute_ps;
        sum_ps += (uint64_t)replay->ranks[i].compute_ps;
    }
    text_add(text, "\nCritical path (rank %" PRIu32 " ends last; %" PRIu64 " messages)\n",
             path->rank, path->messages);
    add_parts(text, path);
    add_channels(text, path);
    add_steps(text, replay);
    text_add(text, "\nEfficiency\n");
    add_factor(text, "parallel", (int64_t)(sum_ps / replay->rank_count), replay->time_ps);
    add_factor(text, "load balance", (int64_t)(sum_ps / replay->rank_count), max_ps);
    add_factor(text, "serialisation", max_ps, times->ideal_ps);
    add_factor(text, "transfer", times->ideal_ps, replay->time_ps);
    add_factor(text, "hosts", times->ideal_ps, times->hosts_ps);
    add_factor(text, "distance", times->hosts_ps, times->distance_ps);
    add_factor(text, "contention", times->distance_ps, replay->time_ps);
    add_parts_of_run(text, &result->efficiencies);
}
