/*
 * Exact laws of sizes that margins refute. If a dimension has few ranks in all programs, sizes may
 * follow an exact law without a margin, although the sizes along other dimensions show one
 * (law_margins.c).
 */
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/series_law.h"

#include "core/base/wide.h"

enum { APART = 50000 }; /* millionths: the least difference between the two sizes */

/* A visit of a step, and what its exact law gives it. */
struct visit {
    const struct series_law *law;
    uint32_t program; /* the largest one that has the step along its own dimension */
    int64_t known;    /* size in this program */
    int64_t value;    /* size in the new one, by the law */
};

/* Sets *visit to the last one along the step's own dimension. Returns false if there is none, or if
 * the law gives it no size. */
static bool take_visit(const struct series_law_data *data, const struct series_value_law *laws,
                       struct visit *visit) {
    const struct series_sample *samples = data->step->samples;
    size_t last = data->step->sample_count;
    while (last > 0 && samples[last - 1].view > 0)
        last--;
    if (last == 0 || data->role->example_count == 0) return false;
    const uint32_t index = (uint32_t)last - 1;
    struct series_law_data one = *data;
    one.samples = &index;
    one.count = 1;
    struct series_place place = law_place(&one, 0);
    visit->law = law_at(data->role, data->step, laws, &place);
    visit->program = samples[index].program;
    visit->known = samples[index].values[data->field];
    place.ranks = data->series->target_ranks;
    place.rank = data->role->examples[0];
    place.extents = &data->series->target;
    return law_value(data->series, visit->law, &place, &visit->value) && visit->known > 0;
}

bool law_margins_refute(const struct series_law_data *data, const struct series_value_law *laws,
                        int64_t *exact) {
    struct series_fit fit = {.margin = 0};
    struct visit visit;
    int64_t mean;
    if (!take_visit(data, laws, &visit) || visit.law->kind != SERIES_LAW_LINEAR ||
        (visit.law->tests >= 2 && visit.law->alternative == 0) ||
        !law_fit_strict_margins(data, visit.program, &fit, &mean))
        return false;
    /* The mean of all visits is assumed to grow as this visit does. */
    *exact = (int64_t)((signed_wide)mean * visit.value / visit.known);
    const int64_t off = fit.mean > *exact ? fit.mean - *exact : *exact - fit.mean;
    return (signed_wide)off * 1000000 > (signed_wide)fit.mean * APART;
}
