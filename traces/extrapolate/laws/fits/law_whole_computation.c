/*
 * The law of the whole computation. Each step has a law of its own, fitted to a few means that
 * scatter, and the errors of these laws may add up. The sum of all steps scatters less. If the laws
 * of the steps together miss the largest program, and a law of the sum does not, one factor
 * multiplies all fits, so that the steps keep their proportions and add up to the law of the sum.
 */
#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/refusals/series_where.h"

#include <inttypes.h>
#include <stdlib.h>

/* In millionths: by how much the laws of the steps together may miss the largest program, and the
 * largest mean error of fits that are not refused. */
enum { MOST_MISSED = 100000, MOST_MEAN_ERROR = 150000 };
enum { RATIO_BITS = 32 }; /* factors are in units of 2^-RATIO_BITS */

/* Returns how much computation a fit misses if a program is left out, in ps; an unknown or very
 * large error counts as all of it. */
static wide missed_ps(const struct series_fit *fit) {
    const bool is_known = fit->error >= 0 && fit->error <= 1000000;
    return (wide)(uint64_t)fit->weight * (uint64_t)(is_known ? fit->error : 1000000) / 1000000u;
}

/* Writes where the step of a fit is, for refusals. fit: its number. */
static void step_text(const struct series *series, size_t fit, char *text, size_t size) {
    *text = '\0';
    for (size_t r = 0; r < series->roles.count; r++)
        for (size_t i = 0; i < series->roles.list[r].step_count; i++) {
            const struct series_role_step *step = &series->roles.list[r].steps[i];
            for (uint32_t v = 0; step->laws != NULL && v < step->law_count; v++)
                for (uint32_t g = 0; g < step->laws[v].law_count; g++) {
                    const struct series_law *law = &step->laws[v].laws[g];
                    if (law->kind != SERIES_LAW_FIT || law->a != (int64_t)fit) continue;
                    series_where_step(series, &series->roles.list[r], step, false, text, size);
                    return;
                }
        }
}

status_code law_whole_check(const struct series *series, struct status *status) {
    wide sum = 0, missed = 0;
    size_t worst = 0;
    for (size_t i = 0; i < series->laws.fit_count; i++) {
        if (series->laws.fits[i].what != SERIES_VALUE_COMPUTE) continue;
        sum += (uint64_t)series->laws.fits[i].weight;
        missed += missed_ps(&series->laws.fits[i]);
        if (series->laws.fits[worst].what != SERIES_VALUE_COMPUTE ||
            missed_ps(&series->laws.fits[i]) > missed_ps(&series->laws.fits[worst]))
            worst = i;
    }
    const int64_t mean = wide_millionths(missed, sum);
    if (mean <= MOST_MEAN_ERROR || series->config->approximate) return STATUS_OK;
    char where[SERIES_WHERE_TEXT];
    step_text(series, worst, where, sizeof where);
    return status_set(status, STATUS_INPUT,
                      "the computation follows no law: with one program left out, its law misses "
                      "that program's computation by %" PRId64 " %% on average, most of all before "
                      "%s; extrapolate.approximate takes it nevertheless",
                      mean / 10000, where);
}

struct series_miss law_whole_miss(const struct series *series) {
    const uint32_t largest = series->program_count - 1;
    struct series_miss miss = {0};
    for (size_t i = 0; i < series->laws.fit_count; i++) {
        const struct series_fit *fit = &series->laws.fits[i];
        if (fit->what != SERIES_VALUE_COMPUTE || fit->known_program != largest ||
            fit->known_mean <= 0 || fit->error < 0)
            continue;
        miss.off += (signed_wide)fit->last_off * fit->weight / fit->known_mean;
        miss.sum += (uint64_t)fit->weight;
        miss.reach = fit->reach;
    }
    miss.error = wide_millionths((wide)(miss.off < 0 ? -miss.off : miss.off), miss.sum);
    return miss;
}

struct series_doubt law_whole_doubt(const struct series *series) {
    const uint32_t largest = series->program_count - 1;
    wide sum = 0, more = 0, less = 0, weak = 0;
    for (size_t i = 0; i < series->laws.fit_count; i++) {
        const struct series_fit *fit = &series->laws.fits[i];
        if (fit->what != SERIES_VALUE_COMPUTE || fit->known_program != largest ||
            fit->known_mean <= 0 || fit->mean < 0)
            continue;
        const uint64_t known = (uint64_t)fit->known_mean;
        const wide own = (wide)(uint64_t)fit->weight * (uint64_t)fit->mean / known;
        const int64_t alternative = fit->alternative_mean > 0 ? fit->alternative_mean : 0;
        const wide other = (wide)(uint64_t)fit->weight * (uint64_t)alternative / known;
        sum += own;
        if (fit->has_alternative && other > own) more += other - own;
        if (fit->has_alternative && other < own) less += own - other;
        if (fit->is_weak) weak += own;
    }
    return (struct series_doubt){wide_millionths(more, sum), wide_millionths(less, sum),
                                 wide_millionths(weak, sum)};
}

/* Returns the mean computation of a rank, in ps. */
static int64_t mean_of(const struct program *program) {
    struct program_totals totals;
    program_totals_compute(program, &totals);
    return (int64_t)(totals.compute_ps / program->rank_count);
}

/* Returns the error of a fit, in millionths: the mean over all programs, or that of the largest
 * program if it is larger. */
static int64_t missed_by(const struct series_fit *fit) {
    const wide off = (uint64_t)(fit->last_off < 0 ? -fit->last_off : fit->last_off);
    const int64_t last = wide_millionths(off, (uint64_t)fit->known_mean);
    return last > fit->error ? last : fit->error;
}

/* Returns value x ratio, at least 0. */
static int64_t scaled(int64_t value, wide ratio) {
    const wide result = (wide)(value > 0 ? value : 0) * ratio >> RATIO_BITS;
    return result < INT64_MAX ? (int64_t)result : INT64_MAX;
}

status_code law_whole_find(struct series *series, wide fitted_ps, wide exact_ps, bool *is_scaled,
                           struct status *status) {
    const struct series_miss miss = law_whole_miss(series);
    struct series_fit whole;
    *is_scaled = false;
    if (series->laws.whole != NULL || miss.error <= MOST_MISSED || fitted_ps == 0 ||
        !law_fit_programs(series, mean_of, &whole) || whole.is_weak || whole.known_mean <= 0 ||
        missed_by(&whole) > miss.error / 2)
        return STATUS_OK;
    const wide all_ps = (wide)(uint64_t)whole.mean * series->target_ranks;
    if (all_ps <= exact_ps || (all_ps - exact_ps) / fitted_ps >> RATIO_BITS != 0) return STATUS_OK;
    const wide ratio = ((all_ps - exact_ps) << RATIO_BITS) / fitted_ps;
    series->laws.whole = memory_new(1, sizeof *series->laws.whole);
    RETURN_ERROR_IF(series->laws.whole == NULL, status, STATUS_MEMORY, "out of memory for laws");
    *series->laws.whole = whole;
    for (size_t i = 0; i < series->laws.fit_count; i++) {
        struct series_fit *fit = &series->laws.fits[i];
        if (fit->what != SERIES_VALUE_COMPUTE) continue;
        fit->mean = scaled(fit->mean, ratio);
        fit->alternative_mean = scaled(fit->alternative_mean, ratio);
        fit->spread = scaled(fit->spread, ratio);
    }
    *is_scaled = true;
    return STATUS_OK;
}
