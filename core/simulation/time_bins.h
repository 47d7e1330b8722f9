/*
 * Time bins: sums over equal spans of time that begins at 0. When a time lies beyond the last bin,
 * all bins become twice as wide and neighbours are added up. A span of time is divided among the
 * bins that it touches, to the picosecond. So the sums depend neither on the order of additions nor
 * on when the bins were widened: they are those of bins that had their final width from the start.
 *
 * They must not know what is added up. Invariant: the bins of a series add up to all that was
 * added.
 */
#ifndef ANAX_CORE_TIME_BINS_H
#define ANAX_CORE_TIME_BINS_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The first width of a bin. Widths are this number times a power of two. */
#define TIME_BINS_FIRST_PS INT64_C(1024)

/* Several series over the same bins. */
struct time_bins {
    int64_t width_ps;
    uint32_t count;  /* bins of a series */
    uint32_t series; /* number of series */
    int64_t *sums;   /* [series · count + bin] */
};

/* Makes empty bins. count: bins of a series, at least 2. series: number of series. STATUS_MEMORY.
 */
status_code time_bins_new(struct time_bins *bins, uint32_t count, uint32_t series,
                          struct status *status);

/* Frees what time_bins_new has made. */
void time_bins_free(struct time_bins *bins);

/* Adds the span from from_ps to to_ps to a series; nothing if to_ps is not later. */
void time_bins_add_span(struct time_bins *bins, uint32_t series, int64_t from_ps, int64_t to_ps);
/* Adds an amount at a time to a series. */
void time_bins_add(struct time_bins *bins, uint32_t series, int64_t at_ps, int64_t amount);

/* Doubles the width until it is at least width_ps. */
void time_bins_widen(struct time_bins *bins, int64_t width_ps);
/* Adds bins with the same numbers of bins and series. Both have the larger width afterwards. */
void time_bins_merge(struct time_bins *bins, struct time_bins *others);

#endif
