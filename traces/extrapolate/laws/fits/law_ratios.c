/*
 * Ratios of sizes of messages along a dimension of a grid that follow no face. For example, cells
 * have a minimum length, so that some parts have thicker layers of cells. The size is assumed to be
 * a product of functions of the extents: one function for the message's own dimension, one for each
 * dimension before it, and one for each dimension after it. Two programs that differ in the extent
 * of one dimension show the ratio of a function at two extents. Where several pairs of programs or
 * dimensions show one ratio, they test the law. The law says nothing about an extent that no
 * program has.
 */
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/series_law.h"

#include "core/base/wide.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_RATIOS = 64,       /* different ones, and values of each */
    RATIO_BITS = 20,        /* ratios are in units of 2^-RATIO_BITS */
    FEWEST_TESTS = 2,       /* of a law */
    MOST_ERROR = 50000,     /* millionths: of the ratios; a fit with a smaller one is kept */
    UNTESTED_ERROR = 10000, /* the same, if the fit says nothing about the new extent */
    LARGEST_MEAN = 1 << 30  /* bytes; larger sizes are left out */
};

/* Which of the three functions a ratio is of. */
typedef enum ratio_kind { RATIO_OWN, RATIO_BEFORE, RATIO_BEHIND } ratio_kind;

/* The ratio of sizes with the extent `to` to sizes with the smaller extent `from`. */
struct ratio {
    ratio_kind kind;
    uint32_t from, to;
    uint32_t count; /* values that were seen */
    int64_t sum;    /* of these values */
    int64_t seen[MOST_RATIOS];
};

/* All ratios of a message's sizes. */
struct ratios {
    const struct series *series;
    int64_t mean[SERIES_MOST_MEANS][SERIES_DIMENSIONS]; /* as law_means_take sets them */
    struct ratio list[MOST_RATIOS];
    uint32_t count;
};

static ratio_kind kind_of(uint32_t along, uint32_t dimension) {
    return dimension == along ? RATIO_OWN : dimension < along ? RATIO_BEFORE : RATIO_BEHIND;
}

static struct ratio *find_ratio(struct ratios *ratios, ratio_kind kind, uint32_t from,
                                uint32_t to) {
    for (uint32_t i = 0; i < ratios->count; i++) {
        struct ratio *ratio = &ratios->list[i];
        if (ratio->kind == kind && ratio->from == from && ratio->to == to) return ratio;
    }
    return NULL;
}

/* Adds the ratio of two sizes: `left` with the extent `from`, and `right` with the extent `to`. */
static void add_ratio(struct ratios *ratios, ratio_kind kind, uint32_t from, uint32_t to,
                      int64_t left, int64_t right) {
    if (from > to) {
        add_ratio(ratios, kind, to, from, right, left);
        return;
    }
    struct ratio *ratio = find_ratio(ratios, kind, from, to);
    if (ratio == NULL) {
        if (ratios->count == MOST_RATIOS) return;
        ratio = &ratios->list[ratios->count++];
        *ratio = (struct ratio){.kind = kind, .from = from, .to = to};
    }
    if (ratio->count == MOST_RATIOS) return;
    ratio->seen[ratio->count] = (right << RATIO_BITS) / left;
    ratio->sum += ratio->seen[ratio->count++];
}

static const uint32_t *extents_of(const struct ratios *ratios, uint32_t program) {
    return ratios->series->programs[program].extents.of[ratios->series->grids.symmetric];
}

/* Returns the only dimension in which two programs differ; SERIES_DIMENSIONS: there is none. */
static uint32_t difference(const uint32_t *left, const uint32_t *right) {
    uint32_t found = SERIES_DIMENSIONS;
    for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++) {
        if (left[d] == right[d]) continue;
        if (found != SERIES_DIMENSIONS) return SERIES_DIMENSIONS;
        found = d;
    }
    return found;
}

/* Adds the ratios that all pairs of programs show. */
static void find_ratios(struct ratios *ratios) {
    for (uint32_t k = 0; k < ratios->series->program_count; k++)
        for (uint32_t j = 0; j < k; j++) {
            const uint32_t *left = extents_of(ratios, j), *right = extents_of(ratios, k);
            const uint32_t d = difference(left, right);
            for (uint32_t a = 0; a < SERIES_DIMENSIONS && d < SERIES_DIMENSIONS; a++) {
                const int64_t from = ratios->mean[j][a], to = ratios->mean[k][a];
                if (from > 0 && to > 0 && from < LARGEST_MEAN && to < LARGEST_MEAN)
                    add_ratio(ratios, kind_of(a, d), left[d], right[d], from, to);
            }
        }
}

/* Returns the mean difference of the values of a ratio from their mean, in millionths, over all
 * ratios with several values. Sets *tests to the number of values beyond the first one of each
 * ratio. */
static int64_t error_of(const struct ratios *ratios, uint32_t *tests) {
    int64_t sum = 0;
    uint32_t count = 0;
    *tests = 0;
    for (uint32_t i = 0; i < ratios->count; i++) {
        const struct ratio *ratio = &ratios->list[i];
        const int64_t mean = ratio->sum / ratio->count;
        if (ratio->count < 2 || mean == 0) continue;
        for (uint32_t s = 0; s < ratio->count; s++) {
            const int64_t off = ratio->seen[s] - mean;
            sum += (off < 0 ? -off : off) * 1000000 / mean;
        }
        count += ratio->count;
        *tests += ratio->count - 1;
    }
    return count > 0 ? sum / count : 0;
}

/* Returns the size along a dimension in the new program, from the size in program number `program`;
 * 0: a ratio is not known, or the size is too large. */
static int64_t value_from(struct ratios *ratios, uint32_t program, uint32_t along) {
    const uint32_t *extents = extents_of(ratios, program);
    const uint32_t *target = ratios->series->target.of[ratios->series->grids.symmetric];
    signed_wide value = ratios->mean[program][along];
    for (uint32_t d = 0; d < SERIES_DIMENSIONS && value > 0; d++) {
        const bool rises = target[d] > extents[d];
        if (target[d] == extents[d]) continue;
        const struct ratio *ratio =
            find_ratio(ratios, kind_of(along, d), rises ? extents[d] : target[d],
                       rises ? target[d] : extents[d]);
        if (ratio == NULL || ratio->sum < ratio->count) return 0;
        const signed_wide mean = ratio->sum / ratio->count;
        value = rises ? value * mean >> RATIO_BITS : (value << RATIO_BITS) / mean;
    }
    return value < LARGEST_MEAN ? (int64_t)value : 0;
}

/* Returns whether no program has the extent that a dimension has in the new one. */
static bool is_unseen(const struct ratios *ratios, uint32_t dimension) {
    for (uint32_t k = 0; k < ratios->series->program_count; k++)
        if (extents_of(ratios, k)[dimension] ==
            ratios->series->target.of[ratios->series->grids.symmetric][dimension])
            return false;
    return true;
}

void law_fit_ratios(const struct series_law_data *data, struct series_fit *fit) {
    const struct series *series = data->series;
    struct ratios ratios = {.series = series};
    uint32_t own, tests;
    if (fit->margin > 0 || !law_means_take(data, &own, ratios.mean)) return;
    /* The fit depends on the other dimensions, and says nothing about this extent. */
    const bool is_untested = is_unseen(&ratios, own);
    if (fit->error <= MOST_ERROR && !is_untested) return;
    find_ratios(&ratios);
    const int64_t error = error_of(&ratios, &tests);
    const bool is_better = fit->error > MOST_ERROR && error <= fit->error / 2;
    if (tests < FEWEST_TESTS || error > MOST_ERROR ||
        (!is_better && (!is_untested || error > UNTESTED_ERROR)))
        return;
    int64_t value = 0;
    for (uint32_t k = series->program_count; k-- > 0 && value == 0;)
        value = value_from(&ratios, k, own);
    if (value == 0) return;
    fit->mean = value;
    fit->error = error;
    fit->ratio_tests = tests;
    fit->is_weak = fit->has_alternative = false;
    fit->reach = 0; /* all extents are those of the series */
}

void law_ratios_text(const struct series_fit *fit, char *text, size_t size) {
    snprintf(text, size,
             "the ratios of programs that differ along one dimension, mean %" PRId64
             ", spread of the largest program",
             fit->mean);
}

void law_ratios_error_text(const struct series_fit *fit, char *text, size_t size) {
    snprintf(text, size, "error %" PRId64 ".%" PRId64 " %% of ratios, which %u sizes test",
             fit->error / 10000, fit->error / 1000 % 10, fit->ratio_tests);
}
