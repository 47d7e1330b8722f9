/*
 * Sizes of messages along the dimensions of a grid whose parts have margins: copies of the cells or
 * particles near their boundaries that belong to other parts. A message to a neighbour is a face of
 * the part. If dimensions are exchanged one after another, the face includes the margins in the
 * dimensions that were exchanged before. The face across dimension a is the product of 1/extent_j
 * over the other dimensions j, with the margin c added where j has one (margin_order).
 *
 * One dimension with few extents does not determine the margin. So all dimensions that are alike
 * are fitted together: one margin for all of them, and a factor for each dimension. See law_fits.c.
 */
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/series_law.h"

#include "core/base/wide.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    UNIT_BITS = 16,       /* lengths are in units of 2^-UNIT_BITS of the grid's length */
    MARGINS = 256,        /* margins that are tried, up to the whole length */
    FACE_BITS = 8,        /* faces are rounded to so many bits less, so that sums of squares fit */
    MOST_ERROR = 50000,   /* millionths: largest error of a fit with margins */
    LEAST_ERROR = 10000,  /* a fit without margins that has a smaller error needs none */
    STRICT_ERROR = 10000, /* largest error of a fit that may replace an exact law */
    FEWEST_TESTS = 4      /* sizes beyond the factors that such a fit needs */
};

/* Which dimensions have margins in the message along dimension a. */
typedef enum margin_order {
    MARGIN_BEFORE, /* those with lower numbers */
    MARGIN_BEHIND, /* those with higher numbers */
    MARGIN_ALL,
    MARGIN_ORDERS
} margin_order;

/* The mean sizes of a message. */
struct faces {
    const struct series *series;
    uint32_t dimensions, programs;
    int64_t mean[SERIES_MOST_MEANS][SERIES_DIMENSIONS]; /* as law_means_take sets them */
};

static bool has_margin(margin_order order, uint32_t along, uint32_t dimension) {
    return order == MARGIN_ALL || (order == MARGIN_BEFORE ? dimension < along : dimension > along);
}

/* Returns the area of the face across a dimension, in a unit that all programs share. */
static int64_t face_of(uint32_t dimensions, const uint32_t *extents, uint32_t along,
                       margin_order order, int64_t margin) {
    signed_wide area = INT64_C(1) << 2 * UNIT_BITS;
    for (uint32_t d = 0; d < dimensions; d++) {
        if (d == along) continue;
        const int64_t length = (INT64_C(1) << UNIT_BITS) / extents[d];
        area = area * (length + (has_margin(order, along, d) ? margin : 0)) >> UNIT_BITS;
    }
    return area > 0 ? (int64_t)area : 1;
}

static const uint32_t *extents_of(const struct faces *faces, uint32_t program) {
    return faces->series->programs[program].extents.of[faces->series->grids.symmetric];
}

/* Fits the factor *top / *bottom of a dimension, sizes divided by faces, by least squares. Returns
 * false if no program has sizes along this dimension. */
static bool factor_of(const struct faces *faces, uint32_t along, margin_order order, int64_t margin,
                      signed_wide *top, signed_wide *bottom) {
    *top = *bottom = 0;
    for (uint32_t k = 0; k < faces->programs; k++) {
        if (faces->mean[k][along] == 0) continue;
        const int64_t face =
            face_of(faces->dimensions, extents_of(faces, k), along, order, margin) >> FACE_BITS;
        *top += (signed_wide)face * faces->mean[k][along];
        *bottom += (signed_wide)face * face;
    }
    return *bottom > 0;
}

/* Returns the mean error of all sizes, in millionths. */
static int64_t error_of(const struct faces *faces, margin_order order, int64_t margin) {
    signed_wide sum = 0;
    uint32_t count = 0;
    for (uint32_t d = 0; d < faces->dimensions; d++) {
        signed_wide top, bottom;
        if (!factor_of(faces, d, order, margin, &top, &bottom)) continue;
        for (uint32_t k = 0; k < faces->programs; k++) {
            const int64_t mean = faces->mean[k][d];
            if (mean == 0) continue;
            const int64_t face =
                face_of(faces->dimensions, extents_of(faces, k), d, order, margin) >> FACE_BITS;
            const int64_t value = (int64_t)(top * face / bottom);
            sum += (signed_wide)(value > mean ? value - mean : mean - value) * 1000000 / mean;
            count++;
        }
    }
    return count > 0 ? (int64_t)(sum / count) : 0;
}

/* Returns the dimension that the samples of a view are along: the one that the view exchanges for
 * the step's own dimension; view 0: own. */
static uint32_t along_of(uint8_t view, uint32_t own) {
    uint32_t high = 1, low = view - 1u;
    if (view == 0) return own;
    while (low >= high)
        low -= high++;
    return low == own ? high : low;
}

bool law_means_take(const struct series_law_data *data, uint32_t *own,
                    int64_t mean[SERIES_MOST_MEANS][SERIES_DIMENSIONS]) {
    const struct series *series = data->series;
    const uint8_t crossed =
        series->grids.symmetric > 0 ? series->steps.symbols[data->step->symbol].crossed : 0;
    if (crossed == 0 || (crossed & (crossed - 1)) != 0 || data->is_loop ||
        series->program_count > SERIES_MOST_MEANS ||
        (data->what != SERIES_VALUE_BYTES && data->what != SERIES_VALUE_RECEIVED))
        return false;
    *own = (uint32_t)__builtin_ctz(crossed);
    signed_wide sums[SERIES_MOST_MEANS][SERIES_DIMENSIONS] = {0};
    uint64_t counts[SERIES_MOST_MEANS][SERIES_DIMENSIONS] = {0};
    memset(mean, 0, SERIES_MOST_MEANS * sizeof *mean);
    for (size_t i = 0; i < data->step->sample_count; i++) {
        const struct series_sample *sample = &data->step->samples[i];
        const uint32_t along = along_of(sample->view, *own);
        sums[sample->program][along] += sample->values[data->field];
        counts[sample->program][along]++;
    }
    for (uint32_t k = 0; k < series->program_count; k++)
        for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++)
            if (counts[k][d] > 0) mean[k][d] = (int64_t)(sums[k][d] / (signed_wide)counts[k][d]);
    return true;
}

/* Returns the number of sizes beyond the factors of their dimensions. */
static uint32_t count_tests(const struct faces *faces) {
    uint32_t count = 0;
    for (uint32_t d = 0; d < faces->dimensions; d++) {
        uint32_t programs = 0;
        for (uint32_t k = 0; k < faces->programs; k++)
            programs += faces->mean[k][d] > 0;
        count += programs > 0 ? programs - 1 : 0;
    }
    return count;
}

/* Returns whether the faces across two dimensions have the same ratio in all programs that have
 * both. The sizes along the second dimension then test nothing that those along the first one do
 * not test. */
static bool are_alike(const struct faces *faces, uint32_t left, uint32_t right, margin_order order,
                      int64_t margin) {
    enum { TOLERANCE = 1000 }; /* 1 / TOLERANCE: the rounding of faces */
    signed_wide first = 0, second = 0;
    for (uint32_t k = 0; k < faces->programs; k++) {
        if (faces->mean[k][left] == 0 || faces->mean[k][right] == 0) continue;
        const uint32_t *extents = extents_of(faces, k);
        const signed_wide a = face_of(faces->dimensions, extents, left, order, margin);
        const signed_wide b = face_of(faces->dimensions, extents, right, order, margin);
        if (second == 0) {
            first = a;
            second = b;
        }
        const signed_wide off = a * second - b * first;
        if ((off < 0 ? -off : off) > a * second / TOLERANCE) return false;
    }
    return second != 0;
}

/* Returns the number of sizes that test a margin: those beyond the factors and the margin itself.
 * The sizes of a program along dimensions that are alike count once. */
static uint32_t count_margin_tests(const struct faces *faces, margin_order order, int64_t margin) {
    uint32_t sizes = 0, coefficients = 1;
    for (uint32_t d = 0; d < faces->dimensions; d++) {
        bool repeated[SERIES_MOST_MEANS] = {false}, is_new = true, has = false;
        for (uint32_t e = 0; e < d; e++) {
            if (!are_alike(faces, e, d, order, margin)) continue;
            is_new = false;
            for (uint32_t k = 0; k < faces->programs; k++)
                repeated[k] = repeated[k] || faces->mean[k][e] > 0;
        }
        for (uint32_t k = 0; k < faces->programs; k++) {
            has = has || faces->mean[k][d] > 0;
            sizes += faces->mean[k][d] > 0 && !repeated[k];
        }
        coefficients += is_new && has;
    }
    return sizes > coefficients ? sizes - coefficients : 0;
}

/* Returns the size along the dimension `own` in the new program: the size along the dimension
 * `along` in the largest program that has one, times the ratio of their faces; 0: no program has
 * one. */
static int64_t scaled_from(const struct faces *faces, uint32_t along, uint32_t own,
                           const struct series_fit *fit) {
    const uint32_t *target = faces->series->target.of[faces->series->grids.symmetric];
    const margin_order order = (margin_order)fit->margin_order;
    for (uint32_t k = faces->programs; k-- > 0;) {
        if (faces->mean[k][along] == 0) continue;
        const int64_t known =
            face_of(faces->dimensions, extents_of(faces, k), along, order, fit->margin);
        const int64_t wanted = face_of(faces->dimensions, target, own, order, fit->margin);
        return (int64_t)((signed_wide)faces->mean[k][along] * wanted / known);
    }
    return 0;
}

/* Returns the same from the size along the dimension itself, or along the first other dimension if
 * no program has one. */
static int64_t target_of(const struct faces *faces, uint32_t own, const struct series_fit *fit) {
    int64_t value = scaled_from(faces, own, own, fit);
    for (uint32_t d = 0; d < faces->dimensions && value == 0; d++)
        value = scaled_from(faces, d, own, fit);
    return value;
}

/* Sets *faces to the mean sizes of a message, and *own to its dimension. Returns false if it is no
 * message along one dimension. */
static bool take_faces(const struct series_law_data *data, uint32_t *own, struct faces *faces) {
    const struct series *series = data->series;
    faces->series = series;
    faces->dimensions = series->grids.rules[series->grids.symmetric].dimensions;
    faces->programs = series->program_count;
    return law_means_take(data, own, faces->mean);
}

/* Returns the margin of an order that fits the sizes best, if its error is smaller than *best, and
 * sets *best to this error; 0: there is none. */
static int64_t best_margin(const struct faces *faces, margin_order order, int64_t *best) {
    int64_t found = 0;
    for (int64_t step = 1; step <= MARGINS; step++) {
        const int64_t margin = (step << UNIT_BITS) / MARGINS;
        const int64_t error = error_of(faces, order, margin);
        if (error >= *best) continue;
        *best = error;
        found = margin;
    }
    return found;
}

/* Leaves out the sizes of a program along one dimension, or along all (SERIES_DIMENSIONS), and fits
 * the margin to the others. Adds the errors of those that were left out to *sum, and their number
 * to *count. */
static void leave_out(const struct faces *faces, uint32_t program, uint32_t dimension,
                      margin_order order, signed_wide *sum, uint32_t *count) {
    struct faces rest = *faces;
    int64_t best = INT64_MAX;
    for (uint32_t d = 0; d < faces->dimensions; d++)
        if (d == dimension || dimension == SERIES_DIMENSIONS) rest.mean[program][d] = 0;
    const int64_t margin = best_margin(&rest, order, &best);
    for (uint32_t d = 0; d < faces->dimensions; d++) {
        const int64_t mean = faces->mean[program][d];
        signed_wide top, bottom;
        if (mean == 0 || rest.mean[program][d] > 0 ||
            !factor_of(&rest, d, order, margin, &top, &bottom))
            continue;
        const int64_t face =
            face_of(faces->dimensions, extents_of(faces, program), d, order, margin) >> FACE_BITS;
        const int64_t value = (int64_t)(top * face / bottom);
        *sum += (signed_wide)(value > mean ? value - mean : mean - value) * 1000000 / mean;
        ++*count;
    }
}

/* Returns the mean error of leaving out each program or, where the other programs do not determine
 * the margin, each of its sizes. */
static int64_t left_out_error(const struct faces *faces, margin_order order, int64_t margin) {
    signed_wide sum = 0;
    uint32_t count = 0;
    for (uint32_t k = 0; k < faces->programs; k++) {
        struct faces rest = *faces;
        memset(rest.mean[k], 0, sizeof rest.mean[k]);
        if (count_margin_tests(&rest, order, margin) > 0) {
            leave_out(faces, k, SERIES_DIMENSIONS, order, &sum, &count);
            continue;
        }
        for (uint32_t d = 0; d < faces->dimensions; d++)
            if (faces->mean[k][d] > 0) leave_out(faces, k, d, order, &sum, &count);
    }
    return count > 0 ? (int64_t)(sum / count) : -1;
}

/* Sets the margin of a fit to the best one, with the error of all sizes. Returns how many sizes
 * test the margin. If no margin is taken, fit->margin is 0. */
static uint32_t take_margin(const struct faces *faces, uint32_t own, struct series_fit *fit) {
    const int64_t without = error_of(faces, MARGIN_BEFORE, 0);
    if (without < LEAST_ERROR || count_tests(faces) < 2) return 0;
    int64_t best = without / 2 < MOST_ERROR ? without / 2 : MOST_ERROR;
    for (int order = 0; order < MARGIN_ORDERS; order++) {
        const int64_t margin = best_margin(faces, (margin_order)order, &best);
        if (margin == 0) continue;
        fit->margin = margin;
        fit->margin_order = (uint8_t)order;
    }
    const int64_t value = fit->margin > 0 ? target_of(faces, own, fit) : 0;
    const uint32_t tests = count_margin_tests(faces, (margin_order)fit->margin_order, fit->margin);
    /* A margin that nothing tests is taken only if the law without it has an error of more than 1
     * %. */
    if (value <= 0 || (tests == 0 && fit->error >= 0 && fit->error <= LEAST_ERROR)) {
        fit->margin = 0;
        return 0;
    }
    fit->mean = value;
    fit->error = best;
    return tests;
}

void law_fit_margins(const struct series_law_data *data, struct series_fit *fit) {
    uint32_t own;
    struct faces faces;
    if (!take_faces(data, &own, &faces)) return;
    const uint32_t tests = take_margin(&faces, own, fit);
    if (fit->margin == 0) return;
    fit->error =
        tests > 0 ? left_out_error(&faces, (margin_order)fit->margin_order, fit->margin) : -1;
    fit->is_weak = tests == 1;
    fit->has_alternative = false;
    fit->reach = 0; /* the error of a face does not grow with the distance */
}

bool law_fit_strict_margins(const struct series_law_data *data, uint32_t program,
                            struct series_fit *fit, int64_t *mean) {
    struct faces faces;
    uint32_t own;
    if (!take_faces(data, &own, &faces) || count_tests(&faces) < FEWEST_TESTS) return false;
    const uint32_t tests = take_margin(&faces, own, fit);
    *mean = faces.mean[program][own];
    return fit->margin != 0 && tests > 0 && fit->error <= STRICT_ERROR;
}

void law_margin_text(const struct series_fit *fit, char *text, size_t size) {
    static const char *const orders[] = {[MARGIN_BEFORE] = "lower dimensions",
                                         [MARGIN_BEHIND] = "higher dimensions",
                                         [MARGIN_ALL] = "all dimensions"};
    const int64_t thousandths = fit->margin * 1000 >> UNIT_BITS;
    snprintf(text, size,
             "a face with a margin of %" PRId64 ".%" PRId64
             " %% of the grid's length in %s, mean %" PRId64 ", spread of the largest program",
             thousandths / 10, thousandths % 10, orders[fit->margin_order % MARGIN_ORDERS],
             fit->mean);
}
