/* Times of user regions for people. Must not know whether they are predicted or recorded. */
#include "api/report/report_layout.h"
#include "api/run/region_times.h"
#include "core/memory/memory.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <stdlib.h>

/* A name that is wider than its column has a line of its own before the figures. */
enum { SHOWN = 12, WIDEST_NAME = 76, NAME_COLUMN = 28 };

static int by_time(const void *first, const void *second) {
    const struct region_time *a = *(const struct region_time *const *)first;
    const struct region_time *b = *(const struct region_time *const *)second;
    if (a->time_ps != b->time_ps) return a->time_ps > b->time_ps ? -1 : 1;
    return a < b ? -1 : 1;
}

static void add_region(struct text_buffer *text, const struct region_time *region, size_t width,
                       const struct api_job_result *jobs) {
    char time[32], mpi[32], max[32];
    units_time_sum_human(region->time_ps, time, sizeof time);
    units_time_sum_human(region->mpi_ps, mpi, sizeof mpi);
    units_time_human(region->max_ps, max, sizeof max);
    const size_t own = text_name_width(region->name);
    text_add(text, "  ");
    text_add_cut_name(text, region->name,
                      own > width ? own < WIDEST_NAME ? own : WIDEST_NAME : width);
    if (own > width) text_add(text, "\n  %*s", (int)width, "");
    text_add(text, " %10" PRIu64 "  %-9s  %-9s  %s (%s%" PRIu32, region->count, time, mpi, max,
             jobs != NULL ? "rank " : "", region->max_rank);
    if (jobs != NULL) {
        text_add(text, ", job ");
        text_add_name(text, jobs[region->job].name, 0);
    }
    text_add(text, ")\n");
}

void report_regions_text(struct text_buffer *text, const struct region_time *regions,
                         uint32_t count, const struct api_job_result *jobs) {
    const struct region_time **order = memory_new(count, sizeof *order);
    if (order == NULL) {
        text->failed = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        order[i] = &regions[i];
    qsort(order, count, sizeof *order, by_time);
    size_t width = REPORT_LABEL_WIDTH;
    for (uint32_t i = 0; i < count && i < SHOWN; i++) {
        const size_t wanted = text_name_width(order[i]->name);
        if (wanted > width && wanted <= NAME_COLUMN) width = wanted;
    }
    text_add(text,
             "\nUser regions, over all ranks\n"
             "  %-*s      count  time       of it MPI  longest (rank)\n",
             (int)width, "name");
    for (uint32_t i = 0; i < count && i < SHOWN; i++)
        add_region(text, order[i], width, jobs);
    if (count > SHOWN) text_add(text, "  and %" PRIu32 " more\n", count - SHOWN);
    free(order);
}
