/*
 * Sizes of messages along the dimensions of a grid whose parts have margins: copies of what lies
 * near in other parts. A message to a neighbour is a face of the part. If dimensions are exchanged
 * one after another, the face includes the margins that came before. The face across dimension a is
 * the product over the other dimensions j of 1/extent_j, with the margin c added where j has one.
 *
 * One dimension alone does not show the margin where its extents are few, so all dimensions that
 * are alike are fitted together: one margin for all, and a factor for each dimension. See
 * law_fits.c.
 */
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/series_law.h"

#include "core/base/wide.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    UNIT_BITS = 16,       /* behind the point of lengths, in parts of the whole grid */
    MARGINS = 256,        /* that are tried, up to the whole length */
    MOST_ERROR = 50000,   /* millionths: of a fit that is taken */
    LEAST_ERROR = 10000,  /* of the fit without margins; a smaller one needs none */
    STRICT_ERROR = 10000, /* most of a fit that may replace an exact law */
    FEWEST_TESTS = 4      /* of such a fit */
};

/* Which dimensions have margins in the message along dimension a. */
typedef enum margin_order {
    MARGIN_BEFORE, /* those with lower numbers */
    MARGIN_BEHIND, /* those with higher numbers */
    MARGIN_ALL,
    MARGIN_ORDERS
} margin_order;

/* The mean size along each dimension in each program; 0: not known. */
struct faces {
    const struct series *series;
    uint32_t dimensions, programs;
    int64_t mean[SERIES_MOST_MEANS][SERIES_DIMENSIONS];
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

/* Fits the factor of a dimension: sizes divided by faces, by least squares. Returns false if no
 * program has such sizes. */
static bool factor_of(const struct faces *faces, uint32_t along, margin_order order, int64_t margin,
                      signed_wide *top, signed_wide *bottom) {
    *top = *bottom = 0;
    for (uint32_t k = 0; k < faces->programs; k++) {
        if (faces->mean[k][along] == 0) continue;
        const int64_t face =
            face_of(faces->dimensions, extents_of(faces, k), along, order, margin) >> 8;
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
                face_of(faces->dimensions, extents_of(faces, k), d, order, margin) >> 8;
            const int64_t value = (int64_t)(top * face / bottom);
            sum += (signed_wide)(value > mean ? value - mean : mean - value) * 1000000 / mean;
            count++;
        }
    }
    return count > 0 ? (int64_t)(sum / count) : 0;
}

/* Returns the dimension that the samples of a view are along. own: that of the step. */
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

/* Counts the sizes beyond the factors of their dimensions. */
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

/* Returns whether the faces across two dimensions have one ratio in all programs that have both:
 * the sizes along one say nothing that those along the other do not say. */
static bool are_alike(const struct faces *faces, uint32_t left, uint32_t right, margin_order order,
                      int64_t margin) {
    enum { TOLERANCE = 1000 }; /* for the rounding of faces */
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

/* Counts the sizes that test a margin: those beyond the factors and the margin itself, each size
 * once for all dimensions that are alike. */
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

/* Returns the size along a dimension in the new program: that along a dimension of the largest
 * program which has it, times the ratio of their faces. */
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

/* The same from the dimension itself, or from the first other one if no program has a message along
 * it. */
static int64_t target_of(const struct faces *faces, uint32_t own, const struct series_fit *fit) {
    int64_t value = scaled_from(faces, own, own, fit);
    for (uint32_t d = 0; d < faces->dimensions && value == 0; d++)
        value = scaled_from(faces, d, own, fit);
    return value;
}

/* Takes the means of the message's sizes along all dimensions; *own: the message's dimension.
 * Returns false if there are none. */
static bool take_faces(const struct series_law_data *data, uint32_t *own, struct faces *faces) {
    const struct series *series = data->series;
    faces->series = series;
    faces->dimensions = series->grids.rules[series->grids.symmetric].dimensions;
    faces->programs = series->program_count;
    return law_means_take(data, own, faces->mean);
}

/* Returns the margin of an order that fits sizes best, and lowers *best to its error; 0: none has a
 * smaller error. */
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

/* Adds how far the other sizes miss those that are left out: of a program, along one dimension or
 * along all (SERIES_DIMENSIONS). */
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
            face_of(faces->dimensions, extents_of(faces, program), d, order, margin) >> 8;
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

/* Takes the best margin, with the error of all sizes. Returns how many sizes test it. */
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
    /* A margin that nothing tests replaces a law that fails alone. */
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
    fit->reach = 0; /* the form of the law says how it goes on */
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
