/*
 * Piecewise linear functions of the message size, fitted to measured times: LogGP parameters by
 * size.
 *
 * Must not know what the times mean. Cross-validation finds the number of segments: for every
 * number of segments, each point in turn is predicted from a fit of all other points, borders
 * included. The result is the smallest number whose error exceeds the least error by at most its
 * standard error (the one-standard-error rule of Breiman et al., Classification and Regression
 * Trees, 1984, section 3.4.3).
 *
 * Invariant: in a segment value = fixed + slope * size, fitted by weighted least squares with a
 * slope of at least 0; segments follow each other and hold all points.
 */
#ifndef ANAX_API_SEGMENTS_H
#define ANAX_API_SEGMENTS_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct segment_point {
    uint64_t size_bytes; /* ascending, no two equal */
    double value;        /* in ps */
    double error;        /* uncertainty of the value; the weight is 1 / error^2 */
};

/* A parameter with half of its 95 % confidence interval (Student's t), which is infinite if there
 * are too few points. */
struct segment_estimate {
    double value;
    double half_interval;
};

struct segment {
    size_t first, count; /* range of its points */
    struct segment_estimate fixed, slope;
};

enum { SEGMENTS_MAX = 8, SEGMENT_POINTS_MIN = 3, SEGMENT_POINTS_MAX = 512 };

struct segments {
    struct segment list[SEGMENTS_MAX];
    size_t count;
};

/* Fits segments to points, at most SEGMENT_POINTS_MAX. Only memory can fail (STATUS_MEMORY). */
status_code segments_fit(struct segments *segments, const struct segment_point *points,
                         size_t count, struct status *status);

/* Fits a weighted line to `count` points. */
void segment_line(struct segment *segment, const struct segment_point *points, size_t count);

/* Returns the value of a segment at a size, in the unit of its points. */
static inline double segment_at(const struct segment *segment, uint64_t size_bytes) {
    return segment->fixed.value + segment->slope.value * (double)size_bytes;
}

#endif
