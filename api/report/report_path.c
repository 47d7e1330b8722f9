/* The critical path and the efficiencies of a replay for people. */
#include "api/report/report_layout.h"
#include "core/units.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LONGEST_PARTS = 8 };

static int by_time(const void *one, const void *other) {
    const struct replay_path_part *a = one, *b = other;
    return a->time_ps > b->time_ps ? -1 : a->time_ps < b->time_ps;
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
            text_add_name(text, parts[i].name, REPORT_LINE_WIDTH - REPORT_LABEL_WIDTH - 16);
        }
        text_add(text, "\n");
    }
    free(parts);
}

static void add_factor(struct text_buffer *text, const char *label, int64_t part_ps,
                       int64_t whole_ps) {
    report_row(text, 4, label);
    if (whole_ps > 0)
        text_add(text, "%5.1f %%\n", 100 * (double)part_ps / (double)whole_ps);
    else
        text_add(text, "    -\n");
}

void report_path_text(struct text_buffer *text, const anax_result *result) {
    const struct replay_result *replay = result->replay;
    const struct ideal_times *times = &result->ideal;
    if (replay->path_count == 0) return;
    const struct replay_critical_path *path = &replay->paths[0];
    int64_t most_ps = 0;
    wide sum_ps = 0;
    for (uint32_t i = 0; i < replay->rank_count; i++) {
        if (replay->ranks[i].compute_ps > most_ps) most_ps = replay->ranks[i].compute_ps;
        sum_ps += (uint64_t)replay->ranks[i].compute_ps;
    }
    text_add(text, "\nCritical path (rank %" PRIu32 " ends last; %" PRIu64 " messages)\n",
             path->rank, path->steps);
    add_parts(text, path);
    text_add(text, "\nEfficiency\n");
    add_factor(text, "parallel", (int64_t)(sum_ps / replay->rank_count), replay->time_ps);
    add_factor(text, "load balance", (int64_t)(sum_ps / replay->rank_count), most_ps);
    add_factor(text, "serialisation", most_ps, times->ideal_ps);
    add_factor(text, "transfer", times->ideal_ps, replay->time_ps);
    add_factor(text, "hosts", times->ideal_ps, times->hosts_ps);
    add_factor(text, "distance", times->hosts_ps, times->distance_ps);
    add_factor(text, "contention", times->distance_ps, replay->time_ps);
}
