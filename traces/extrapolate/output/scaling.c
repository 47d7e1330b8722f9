/*
 * Weak scaling: the computation of a rank does not depend on the number P of ranks. Strong scaling:
 * that of all ranks together does not. Measured times follow neither exactly. The mean computation
 * m of a rank in the programs with the fewest and the most ranks gives an exponent b, m ~ P^-b. The
 * scaling is weak up to |b| = 1/4, and strong from b = 3/4 on.
 */
#include "traces/extrapolate/output/scaling.h"

#include "core/settings/units.h"
#include "traces/extrapolate/output/series_findings.h"

#include <inttypes.h>
#include <stdio.h>

/* The largest difference of a new program's computation from the scaling that was told, in percent.
 */
enum { MOST_DIFFERENT = 25 };
/* The same where all programs of the series follow it exactly, and how far they may be apart, in
 * thousandths. */
enum { MOST_DIFFERENT_EXACT = 10, EXACT = 1 };

/* Numbers of ranks, and what a rank computes on average. */
struct scaling_ends {
    uint32_t few, many;
    int64_t few_ps, many_ps;
};

static int64_t mean_ps(const struct program *program) {
    struct program_totals totals;
    program_totals_compute(program, &totals);
    return wide_mean(totals.compute_ps, program->rank_count);
}

static struct scaling_ends ends_of(const struct series *series) {
    const struct program *few = series->programs[0].program;
    const struct program *many = series->programs[series->program_count - 1].program;
    return (struct scaling_ends){few->rank_count, many->rank_count, mean_ps(few), mean_ps(many)};
}

/* Returns the scaling that the exponent shows; EXTRAPOLATE_SCALING_FOUND: neither. Ratios are in
 * units of 1/1024 and at most 2^28, so that their fourth powers fit into 112 bits. */
static extrapolate_scaling found_scaling(const struct scaling_ends *ends) {
    enum { UNIT_BITS = 10, RATIO_MAX = 1 << 28 };
    if (ends->few_ps <= 0 || ends->many_ps <= 0) return EXTRAPOLATE_SCALING_FOUND;
    wide time_ratio = ((wide)ends->few_ps << UNIT_BITS) / (wide)ends->many_ps;
    wide rank_ratio = ((wide)ends->many << UNIT_BITS) / ends->few;
    if (time_ratio > RATIO_MAX) time_ratio = RATIO_MAX;
    if (rank_ratio > RATIO_MAX) rank_ratio = RATIO_MAX;
    const wide fourth_power = time_ratio * time_ratio * time_ratio * time_ratio;
    if (fourth_power >= rank_ratio * rank_ratio * rank_ratio << UNIT_BITS)
        return EXTRAPOLATE_SCALING_STRONG;
    const bool falls_little = fourth_power <= rank_ratio << 3 * UNIT_BITS;
    const bool rises_little =
        time_ratio >= 1 << UNIT_BITS || fourth_power * rank_ratio >= (wide)1 << 5 * UNIT_BITS;
    return falls_little && rises_little ? EXTRAPOLATE_SCALING_WEAK : EXTRAPOLATE_SCALING_FOUND;
}

static const char *name_of(extrapolate_scaling scaling) {
    return scaling == EXTRAPOLATE_SCALING_STRONG ? "strong"
           : scaling == EXTRAPOLATE_SCALING_WEAK ? "weak"
                                                 : "neither weak nor strong";
}

static void write_means(char *text, size_t size, const struct scaling_ends *ends) {
    char few[UNITS_TEXT_BYTES], many[UNITS_TEXT_BYTES];
    units_time_human(ends->few_ps, few, sizeof few);
    units_time_human(ends->many_ps, many, sizeof many);
    snprintf(text, size, "a rank computes %s on %" PRIu32 " ranks, and %s on %" PRIu32, few,
             ends->few, many, ends->many);
}

status_code scaling_check(const struct series *series, struct status *status) {
    const extrapolate_scaling told = series->config->scaling;
    if (told == EXTRAPOLATE_SCALING_FOUND) return STATUS_OK;
    const struct scaling_ends ends = ends_of(series);
    const extrapolate_scaling here = found_scaling(&ends);
    char means[256];
    write_means(means, sizeof means, &ends);
    RETURN_ERROR_IF(here != EXTRAPOLATE_SCALING_FOUND && told != here, status, STATUS_INPUT,
                    "extrapolate.scaling is %s, but the scaling of the series is %s: %s",
                    name_of(told), name_of(here), means);
    return STATUS_OK;
}

/* Returns whether all programs of a series follow a scaling exactly. */
static bool is_exact(const struct series *series, const struct scaling_ends *ends,
                     extrapolate_scaling scaling) {
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct program *program = series->programs[k].program;
        wide own = (wide)mean_ps(program), all = (wide)ends->many_ps;
        if (scaling == EXTRAPOLATE_SCALING_STRONG) {
            own *= program->rank_count;
            all *= ends->many;
        }
        if (wide_magnitude((signed_wide)own - (signed_wide)all) * 1000 > all * EXACT) return false;
    }
    return scaling != EXTRAPOLATE_SCALING_FOUND;
}

/* Compares the computation of a new program with what a scaling makes of the largest program of the
 * series. Writes the comparison, and returns whether they differ by more than so many thousandths.
 */
static bool differs(char *text, size_t size, const struct scaling_ends *ends,
                    extrapolate_scaling told, const struct program *made, unsigned most) {
    wide expected = (wide)ends->many_ps;
    if (told == EXTRAPOLATE_SCALING_STRONG) expected = expected * ends->many / made->rank_count;
    const wide actual = (wide)mean_ps(made);
    const wide apart = wide_magnitude((signed_wide)actual - (signed_wide)expected);
    char share[WIDE_TEXT_BYTES];
    snprintf(text, size, "a rank of the new program computes %s %% of what this scaling gives",
             expected > 0 ? wide_text(actual * 100 / expected, share) : "more than 0");
    return apart * 1000 > expected * most;
}

status_code scaling_report(struct series *series, const struct program *made,
                           struct status *status) {
    const struct scaling_ends ends = ends_of(series);
    const extrapolate_scaling told = series->config->scaling;
    char law[320], means[256], fit[192] = "by the programs with the fewest and the most ranks";
    bool is_uncertain = false;
    if (ends.few_ps == 0 && ends.many_ps == 0) return STATUS_OK;
    write_means(means, sizeof means, &ends);
    if (told == EXTRAPOLATE_SCALING_FOUND) {
        const extrapolate_scaling here = found_scaling(&ends);
        char other[128];
        snprintf(law, sizeof law, "%s (found): %s", name_of(here), means);
        is_uncertain = is_exact(series, &ends, here) &&
                       differs(other, sizeof other, &ends, here, made, MOST_DIFFERENT_EXACT);
        if (is_uncertain) snprintf(fit, sizeof fit, "exact in all programs; %s", other);
    } else {
        snprintf(law, sizeof law, "%s (told): %s", name_of(told), means);
        is_uncertain = differs(fit, sizeof fit, &ends, told, made, 10 * MOST_DIFFERENT);
    }
    return series_report_add(series, "scaling", "all ranks", law, fit, made->rank_count,
                             is_uncertain, status);
}
