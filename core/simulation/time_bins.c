/* Adds amounts to the bins of a span of time. When time goes beyond the last bin, joins pairs of
 * bins, which doubles their width. */
#include "core/simulation/time_bins.h"

#include "core/memory/memory.h"

#include <stdlib.h>

status_code time_bins_new(struct time_bins *bins, uint32_t count, uint32_t series,
                          struct status *status) {
    *bins = (struct time_bins){.width_ps = TIME_BINS_FIRST_PS, .count = count, .series = series};
    bins->sums = memory_new((size_t)count * series, sizeof *bins->sums);
    RETURN_ERROR_IF(bins->sums == NULL, status, STATUS_MEMORY, "out of memory for %u time bins",
                    count);
    return STATUS_OK;
}

void time_bins_free(struct time_bins *bins) {
    free(bins->sums);
    *bins = (struct time_bins){0};
}

static void widen_once(struct time_bins *bins) {
    for (uint32_t series = 0; series < bins->series; series++) {
        int64_t *sums = bins->sums + (size_t)series * bins->count;
        for (uint32_t bin = 0; bin < bins->count; bin++) {
            uint32_t first = 2 * bin, second = first + 1;
            int64_t sum = first < bins->count ? sums[first] : 0;
            sums[bin] = second < bins->count ? sum + sums[second] : sum;
        }
    }
    bins->width_ps *= 2;
}

void time_bins_widen(struct time_bins *bins, int64_t width_ps) {
    while (bins->width_ps < width_ps)
        widen_once(bins);
}

/* Makes the bins so wide that one of them holds at_ps. Times are far below 2^62. */
static void widen_to_reach(struct time_bins *bins, int64_t at_ps) {
    while (at_ps / bins->width_ps >= bins->count)
        widen_once(bins);
}

void time_bins_add_span(struct time_bins *bins, uint32_t series, int64_t from_ps, int64_t to_ps) {
    if (to_ps <= from_ps) return;
    widen_to_reach(bins, to_ps - 1);
    int64_t *sums = bins->sums + (size_t)series * bins->count;
    for (int64_t bin = from_ps / bins->width_ps; from_ps < to_ps; bin++) {
        int64_t end_ps = (bin + 1) * bins->width_ps;
        if (end_ps > to_ps) end_ps = to_ps;
        sums[bin] += end_ps - from_ps;
        from_ps = end_ps;
    }
}

void time_bins_add(struct time_bins *bins, uint32_t series, int64_t at_ps, int64_t amount) {
    widen_to_reach(bins, at_ps);
    bins->sums[(size_t)series * bins->count + (size_t)(at_ps / bins->width_ps)] += amount;
}

void time_bins_merge(struct time_bins *bins, struct time_bins *others) {
    time_bins_widen(bins, others->width_ps);
    time_bins_widen(others, bins->width_ps);
    for (size_t i = 0; i < (size_t)bins->count * bins->series; i++)
        bins->sums[i] += others->sums[i];
}
