/*
 * Piecewise linear fits with cross-validated numbers of segments.
 *
 * The best segmentation into k parts follows from the best segmentations into k - 1 parts by
 * dynamic programming (Bellman, On the Approximation of Curves by Line Segments Using Dynamic
 * Programming, CACM 4, 1961). A line has two parameters, so its normal equations are written out
 * here.
 */
#include "api/calibrate/segments.h"

#include "api/compare/student_t.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Prediction errors below this share of a point's own error are rounding errors. */
#define NEGLIGIBLE 1e-4

/* Weighted means and moments of squared deviations. Points are added one by one (Welford, Note on a
 * Method for Calculating Corrected Sums of Squares and Products, Technometrics 4, 1962). */
struct moments {
    double weight, mean_size, mean_value;
    double size_size, size_value, value_value;
};

static void add_point(struct moments *moments, const struct segment_point *point) {
    const double weight = 1 / (point->error * point->error);
    const double size = (double)point->size_bytes - moments->mean_size;
    const double value = point->value - moments->mean_value;
    const double total = moments->weight + weight;
    const double factor = moments->weight * weight / total;
    moments->mean_size += size * weight / total;
    moments->mean_value += value * weight / total;
    moments->size_size += factor * size * size;
    moments->size_value += factor * size * value;
    moments->value_value += factor * value * value;
    moments->weight = total;
}

static double slope_of(const struct moments *moments) {
    return moments->size_value > 0 && moments->size_size > 0
               ? moments->size_value / moments->size_size
               : 0;
}

/* Returns the sum of the squared residuals of the line. */
static double residual_of(const struct moments *moments) {
    const double rest = moments->value_value - slope_of(moments) * moments->size_value;
    return rest > 0 ? rest : 0;
}

void segment_line(struct segment *segment, const struct segment_point *points, size_t count) {
    struct moments moments = {0};
    for (size_t i = 0; i < count; i++)
        add_point(&moments, &points[i]);
    const double slope = slope_of(&moments);
    segment->fixed =
        (struct segment_estimate){moments.mean_value - slope * moments.mean_size, INFINITY};
    segment->slope = (struct segment_estimate){slope, INFINITY};
    const size_t parameters = slope > 0 ? 2 : 1;
    if (count <= parameters) return;
    const uint32_t freedom = (uint32_t)(count - parameters);
    const double variance = residual_of(&moments) / freedom, t = student_t_quantile(0.05, freedom);
    const double of_slope = slope > 0 ? 1 / moments.size_size : 0;
    segment->fixed.half_interval =
        t *
        sqrt(variance * (1 / moments.weight + moments.mean_size * moments.mean_size * of_slope));
    segment->slope.half_interval = t * sqrt(variance * of_slope);
}

/* The best segmentations of some points into 1, 2, ... parts, each with a least number of
 * points. */
struct partition {
    size_t points, min_points, max_parts;
    double *cost;  /* [first][last]: cost of one segment */
    double *min;   /* [part - 1][last point]: least cost */
    size_t *start; /* [part - 1][last point]: first point of the last part */
};

static status_code partition_new(struct partition *partition, size_t points, size_t max_parts,
                                 struct status *status) {
    *partition = (struct partition){
        .max_parts = max_parts,
        .cost = memory_new(points * points, sizeof *partition->cost),
        .min = memory_new(points * max_parts, sizeof *partition->min),
        .start = memory_new(points * max_parts, sizeof *partition->start),
    };
    RETURN_ERROR_IF(partition->cost == NULL || partition->min == NULL || partition->start == NULL,
                    status, STATUS_MEMORY, "out of memory for a fit of %zu sizes", points);
    return STATUS_OK;
}

static void partition_free(struct partition *partition) {
    free(partition->cost);
    free(partition->min);
    free(partition->start);
}

static void fill_costs(struct partition *partition, const struct segment_point *points) {
    for (size_t first = 0; first < partition->points; first++) {
        struct moments moments = {0};
        for (size_t last = first; last < partition->points; last++) {
            add_point(&moments, &points[last]);
            partition->cost[first * partition->points + last] =
                last - first + 1 < partition->min_points ? INFINITY : residual_of(&moments);
        }
    }
}

static void fill_parts(struct partition *partition, size_t parts) {
    const size_t count = partition->points;
    double *min = partition->min + (parts - 1) * count;
    size_t *start = partition->start + (parts - 1) * count;
    const double *before = parts > 1 ? min - count : NULL;
    for (size_t last = 0; last < count; last++) {
        min[last] = parts == 1 ? partition->cost[last] : INFINITY;
        start[last] = 0;
        for (size_t first = 1; parts > 1 && first <= last; first++) {
            const double error = before[first - 1] + partition->cost[first * count + last];
            if (error < min[last]) min[last] = error, start[last] = first;
        }
    }
}

static void partition_fill(struct partition *partition, const struct segment_point *points,
                           size_t count, size_t min_points) {
    partition->points = count;
    partition->min_points = min_points;
    fill_costs(partition, points);
    for (size_t parts = 1; parts <= partition->max_parts; parts++)
        fill_parts(partition, parts);
}

/* Sets the segments of the best segmentation into `parts` parts. Returns false if the points are
 * too few for so many parts. */
static bool partition_take(struct segments *segments, const struct partition *partition,
                           const struct segment_point *points, size_t parts) {
    size_t end = partition->points;
    if (!isfinite(partition->min[(parts - 1) * partition->points + end - 1])) return false;
    segments->count = parts;
    for (size_t k = parts; k > 0; k--) {
        struct segment *segment = &segments->list[k - 1];
        const size_t first = k > 1 ? partition->start[(k - 1) * partition->points + end - 1] : 0;
        segment_line(segment, points + first, end - first);
        segment->first = first;
        segment->count = end - first;
        end = first;
    }
    return true;
}

/* Returns the error with which segments of the other points predict a point, in units of the
 * point's own error. A point between two segments may belong to either, and the smaller error
 * counts. */
static double prediction_error(const struct segments *segments, const struct segment_point *others,
                               const struct segment_point *point) {
    double error = INFINITY;
    for (size_t k = 0; k < segments->count; k++) {
        const struct segment *segment = &segments->list[k];
        const struct segment_point *first = &others[segment->first];
        const struct segment_point *last = first + segment->count - 1;
        const bool begins_before =
            k == 0 || (last - segment->count)->size_bytes < point->size_bytes;
        const bool ends_after =
            k + 1 == segments->count || (first + segment->count)->size_bytes > point->size_bytes;
        if (!begins_before || !ends_after) continue;
        const double miss = fabs(point->value - segment_at(segment, point->size_bytes));
        if (miss / point->error < error) error = miss / point->error;
    }
    return error;
}

/* Predicts each point from all other points, for each number of parts: squares[part - 1][point] is
 * the squared error. */
static void cross_validate(double *squares, struct partition *partition,
                           struct segment_point *others, const struct segment_point *points,
                           size_t count) {
    for (size_t i = 0; i < count; i++) {
        memcpy(others, points, i * sizeof *others);
        memcpy(others + i, points + i + 1, (count - i - 1) * sizeof *others);
        partition_fill(partition, others, count - 1, SEGMENT_POINTS_MIN - 1);
        for (size_t parts = 1; parts <= partition->max_parts; parts++) {
            struct segments segments;
            double error = INFINITY;
            if (partition_take(&segments, partition, others, parts))
                error = prediction_error(&segments, others, &points[i]);
            squares[(parts - 1) * count + i] = error * error;
        }
    }
}

static double sum_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static size_t choose_parts(const double *squares, size_t max_parts, size_t count) {
    size_t best = 1;
    for (size_t parts = 2; parts <= max_parts; parts++)
        if (sum_of(squares + (parts - 1) * count, count) <
            sum_of(squares + (best - 1) * count, count))
            best = parts;
    const double *own = squares + (best - 1) * count;
    const double min = sum_of(own, count), mean = min / (double)count;
    double variance = 0;
    for (size_t i = 0; i < count; i++)
        variance += (own[i] - mean) * (own[i] - mean);
    const double limit = min + sqrt(variance) + (double)count * NEGLIGIBLE * NEGLIGIBLE;
    for (size_t parts = 1; parts < best; parts++)
        if (sum_of(squares + (parts - 1) * count, count) <= limit) return parts;
    return best;
}

status_code segments_fit(struct segments *segments, const struct segment_point *points,
                         size_t count, struct status *status) {
    *segments = (struct segments){.count = count > 0};
    segments->list[0].count = count;
    if (count > 0) segment_line(&segments->list[0], points, count);
    if (count < (size_t)2 * SEGMENT_POINTS_MIN) return STATUS_OK;
    size_t max = count / SEGMENT_POINTS_MIN;
    if (max > SEGMENTS_MAX) max = SEGMENTS_MAX;
    struct partition partition = {0};
    struct segment_point *others = memory_new(count, sizeof *others);
    double *squares = memory_new(count * max, sizeof *squares);
    status_code code = partition_new(&partition, count, max, status);
    if (code == STATUS_OK && (others == NULL || squares == NULL))
        code = status_set(status, STATUS_MEMORY, "out of memory for a fit of %zu sizes", count);
    if (code == STATUS_OK) {
        cross_validate(squares, &partition, others, points, count);
        partition_fill(&partition, points, count, SEGMENT_POINTS_MIN);
        partition_take(segments, &partition, points, choose_parts(squares, max, count));
    }
    partition_free(&partition);
    free(others);
    free(squares);
    return code;
}
