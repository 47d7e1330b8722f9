/*
 * Says how far the computation of the new program, and the waits of its ranks, may be off.
 */
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/output/series_findings.h"
#include "traces/extrapolate/output/series_output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* In millionths. */
enum {
    MOST_EXPECTED = 100000, /* larger errors, and differences of other laws, are uncertain */
    MOST_WEAK = 500000,     /* larger parts whose laws one value tests are mentioned */
    MOST_ALONE = 50000,     /* larger parts that laws from one program give are uncertain */
    MOST_LONGER = 40000 /* a ratio of supersteps that is larger by more than this is uncertain */
};

/* Returns the part of the computation that laws from one program give, in millionths. */
static int64_t part_alone(const struct series *series) {
    return wide_millionths(series->laws.alone_ps, series->laws.made_ps);
}

/* Appends to a text how much the whole computation differs by other laws, and how much of it
 * follows from laws that one value tests, or from one program. Returns whether the computation is
 * uncertain. */
static bool append_doubt(const struct series *series, char *text, size_t size) {
    const struct series_doubt doubt = law_whole_doubt(series);
    bool is_uncertain = false;
    const struct {
        int64_t value, most;
        bool is_uncertain;
        const char *text;
    } rows[] = {
        {doubt.more, MOST_EXPECTED, true,
         "other laws that fit about as well give %" PRId64 " %% more"},
        {doubt.less, MOST_EXPECTED, true,
         "other laws that fit about as well give %" PRId64 " %% less"},
        /* Each of these laws is uncertain. */
        {doubt.weak, MOST_WEAK, false, "one value tests the laws of %" PRId64 " %% of it"},
        {part_alone(series), MOST_ALONE, true, "%" PRId64 " %% of it is known from one program"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].value <= rows[i].most) continue;
        char row[SERIES_TEXT];
        snprintf(row, sizeof row, rows[i].text, (rows[i].value + 5000) / 10000);
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", length > 0 ? "; " : "", row);
        is_uncertain = is_uncertain || rows[i].is_uncertain;
    }
    return is_uncertain;
}

/* Reports the sum of the laws of all steps, or the law of the whole computation if it replaces the
 * sum. The finding says by how much the sum misses the largest program if this program is left out,
 * and which error to expect in the new program. Without fits, and with few laws from one program,
 * there is no finding. */
status_code series_report_computation(struct series *series, struct status *status) {
    const struct series_miss miss = law_whole_miss(series);
    const uint32_t ranks = series->programs[series->program_count - 1].program->rank_count;
    char law[SERIES_TEXT] = "their laws", off[SERIES_TEXT], fit[6 * SERIES_TEXT];
    const bool is_alone = part_alone(series) > MOST_ALONE;
    if (miss.sum == 0 && !is_alone) return STATUS_OK;
    const struct series_fit laws = {.reach = miss.reach};
    const int64_t expected = fit_expected_error(&laws, miss.error);
    bool is_uncertain = expected > MOST_EXPECTED;
    *off = '\0';
    if (miss.sum > 0)
        snprintf(off, sizeof off,
                 "%s%" PRId64 ".%" PRId64 " %% on %u ranks, if that program is left "
                 "out",
                 miss.off < 0 && miss.error >= 1000 ? "-" : "+", miss.error / 10000,
                 miss.error / 1000 % 10, ranks);
    if (series->laws.whole == NULL) {
        snprintf(fit, sizeof fit, "%s", off);
        if (!is_alone)
            snprintf(fit + strlen(fit), sizeof fit - strlen(fit),
                     ": expect about %" PRId64 " %% on %u", (expected + 5000) / 10000,
                     series->target_ranks);
        is_uncertain = append_doubt(series, fit, sizeof fit) || is_uncertain;
    } else {
        snprintf(law, sizeof law,
                 "%s, mean %" PRId64 " of a rank, in the proportions of their laws",
                 fit_shape_text(series->laws.whole), series->laws.whole->mean);
        is_uncertain = fit_error_text(series, series->laws.whole, fit, sizeof fit);
        const size_t length = strlen(fit);
        snprintf(fit + length, sizeof fit - length, "; their laws alone: %s", off);
    }
    return series_report_add(series, "computation, in ps", "all steps together", law, fit, 1,
                             is_uncertain, status);
}

status_code series_report_waits(struct series *series, const struct program *program,
                                struct status *status) {
    int64_t own, most = 0;
    char law[SERIES_TEXT];
    if (!series->findings.report->has_fits) return STATUS_OK;
    for (uint32_t k = 0; k < series->program_count; k++) {
        int64_t ratio;
        FORWARD_IF_ERROR(law_supersteps_ratio(series->programs[k].program, &ratio, status));
        most = ratio > most ? ratio : most;
    }
    FORWARD_IF_ERROR(law_supersteps_ratio(program, &own, status));
    if (own - most <= MOST_LONGER) return STATUS_OK;
    snprintf(law, sizeof law,
             "the longest of each superstep: %" PRId64 ".%02" PRId64 " times the mean, %" PRId64
             ".%02" PRId64 " at most in the series",
             own / 1000000, own / 10000 % 100, most / 1000000, most / 10000 % 100);
    return series_report_add(series, "computation, in ps", "ranks that wait", law,
                             "no program has such waits", 1, true, status);
}
