/*
 * Fits laws to points by least squares of relative errors: measured values scatter in proportion to
 * their size, so the weight of a point is the inverse of the square of its value. All numbers are
 * integers.
 */
#include "core/base/wide.h"
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/law_roots.h"

enum {
    SCALE_BITS = 20,  /* features are in units of 2^-SCALE_BITS */
    POINT_BITS = 24,  /* features relative to the largest one are in units of 2^-POINT_BITS */
    MEAN_BITS = 16,   /* and their mean has so many bits more */
    WEIGHT_BITS = 16, /* roots of weights are in units of 2^-WEIGHT_BITS */
    VALUE_BITS = 44   /* larger values are shifted down to so many bits */
};

int64_t fit_logarithm(uint32_t ranks) {
    const int whole = 31 - __builtin_clz(ranks);
    uint64_t rest = (uint64_t)ranks << (31 - whole); /* from 2^31 to 2^32 */
    int64_t result = (int64_t)whole << SCALE_BITS;
    for (int bit = SCALE_BITS - 1; bit >= 0; bit--) {
        rest = rest * rest >> 31;
        if (rest >> 32 == 0) continue;
        result |= INT64_C(1) << bit;
        rest >>= 1;
    }
    return result;
}

/* Returns the feature of a shape, at least 1 unit. */
static int64_t feature_of(uint32_t row, uint32_t ranks) {
    const wide one = 1;
    int64_t value = 1 << SCALE_BITS;
    switch (fit_shapes[row].feature) {
    case FIT_NOTHING:
        break;
    case FIT_RANKS:
        value = (int64_t)ranks << SCALE_BITS;
        break;
    case FIT_SQUARE_ROOT:
        value = (int64_t)law_number_root(ranks * (one << 2 * SCALE_BITS), 2);
        break;
    case FIT_CUBE_ROOT:
        value = (int64_t)law_number_root(ranks * (one << 3 * SCALE_BITS), 3);
        break;
    case FIT_SURFACE:
        value = (int64_t)law_number_root((wide)ranks * ranks * (one << 3 * SCALE_BITS), 3);
        break;
    case FIT_LOGARITHM:
        value = fit_logarithm(ranks);
        break;
    case FIT_SQUARE: /* inverse only */
        return (int64_t)((one << 3 * SCALE_BITS) / ((wide)ranks * ranks));
    }
    if (value == 0) value = 1;
    return fit_shapes[row].is_inverse ? (int64_t)((one << 4 * SCALE_BITS) / (uint64_t)value)
                                      : value;
}

/* Returns the magnitude of a value, at least 1. */
static int64_t magnitude_of(int64_t value) {
    const int64_t magnitude = value < 0 ? -value : value;
    return magnitude > 1 ? magnitude : 1;
}

/* Returns the weight of a value: the inverse of its square, relative to that of the smallest
 * magnitude, `least`. */
static signed_wide weight_of(int64_t value, int64_t least) {
    const signed_wide root = ((signed_wide)least << WEIGHT_BITS) / magnitude_of(value);
    return root > 0 ? root * root : 1;
}

/* Returns the value of a law b f: the weighted mean of the values that the single points give it;
 * -1: it is too large. Values may be negative, such as the number of records between two steps. */
static signed_wide proportional_value(uint32_t row, const struct fit_points *points,
                                      uint32_t left_out, uint32_t ranks) {
    const signed_wide feature = feature_of(row, ranks);
    int64_t given[FIT_POINTS], least = INT64_MAX;
    uint32_t count = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        if (i == left_out) continue;
        const int64_t own = feature_of(row, points->ranks[i]);
        const signed_wide value = (points->mean[i] * feature + own / 2) / own;
        if (value > INT64_MAX || value < -INT64_MAX) return -1;
        given[count++] = (int64_t)value;
        if (magnitude_of((int64_t)value) < least) least = magnitude_of((int64_t)value);
    }
    signed_wide weights = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const signed_wide weight = weight_of(given[i], least);
        weights += weight;
        sum += weight * given[i];
    }
    return count > 0 ? (sum + weights / 2) / weights : -1;
}

/* A point with its weight. */
struct weighted_point {
    signed_wide weight, feature, value;
};

/* Sets `weighted` to all points but number left_out. down: bits by which values are shifted down.
 * Returns how many there are. */
static uint32_t weigh(uint32_t row, const struct fit_points *points, uint32_t left_out,
                      int64_t largest_feature, int down,
                      struct weighted_point weighted[FIT_POINTS]) {
    uint32_t count = 0;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < points->count; i++)
        if (i != left_out && magnitude_of(points->mean[i]) < least)
            least = magnitude_of(points->mean[i]);
    for (uint32_t i = 0; i < points->count; i++)
        if (i != left_out)
            weighted[count++] = (struct weighted_point){
                .weight = weight_of(points->mean[i], least),
                .feature = ((signed_wide)feature_of(row, points->ranks[i]) << POINT_BITS) /
                           largest_feature,
                .value = points->mean[i] / ((int64_t)1 << down)};
    return count;
}

/* Returns the value of a law a + b f; negative if the points do not determine it, or if it is too
 * large or negative. */
static signed_wide linear_value(uint32_t row, const struct fit_points *points, uint32_t left_out,
                                uint32_t ranks) {
    struct weighted_point weighted[FIT_POINTS];
    int64_t largest_feature = 1, largest_value = 0;
    int down = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        const int64_t feature = feature_of(row, points->ranks[i]);
        if (feature > largest_feature) largest_feature = feature;
        if (magnitude_of(points->mean[i]) > largest_value)
            largest_value = magnitude_of(points->mean[i]);
    }
    while (largest_value >> down >> VALUE_BITS > 0)
        down++;
    const uint32_t count = weigh(row, points, left_out, largest_feature, down, weighted);
    if (count < 2) return -1;
    signed_wide weights = 0, features = 0, values = 0, spread = 0, product = 0;
    for (uint32_t i = 0; i < count; i++) {
        weights += weighted[i].weight;
        features += weighted[i].weight * (weighted[i].feature << MEAN_BITS);
        values += weighted[i].weight * weighted[i].value;
    }
    const signed_wide mean = features / weights;
    for (uint32_t i = 0; i < count; i++) {
        const signed_wide off = (weighted[i].feature << MEAN_BITS) - mean;
        spread += weighted[i].weight * off * off;
        product += weighted[i].weight * off * weighted[i].value;
    }
    const signed_wide off =
        ((signed_wide)feature_of(row, ranks) << (POINT_BITS + MEAN_BITS)) / largest_feature - mean;
    signed_wide rise;
    while (__builtin_mul_overflow(product, off, &rise)) {
        product /= 2;
        spread /= 2;
    }
    if (spread <= 0) return -1;
    const signed_wide value = (values + weights / 2) / weights + rise / spread;
    return value < 0 || value > INT64_MAX >> down ? -1 : value << down;
}

bool fit_value(uint32_t row, const struct fit_points *points, uint32_t left_out, uint32_t ranks,
               int64_t *value) {
    const signed_wide result = fit_shapes[row].has_offset
                                   ? linear_value(row, points, left_out, ranks)
                                   : proportional_value(row, points, left_out, ranks);
    if (result < 0 || result > INT64_MAX) return false;
    *value = (int64_t)result;
    return true;
}
