/*
 * Comparisons: means, intervals and ranks follow from the points that stand beside them. Student's
 * distribution is integrated here, step by step, and not taken from anax.
 */
#include "tests/support/check/check_csv.h"
#include "tests/support/check/check_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct comparison {
    const struct place *result;
    struct place factors;
    whole first_seed;
    size_t seeds;
    size_t candidates; /* of a trace */
};

/* Times of one candidate, or their differences to the baseline's. */
struct sample {
    whole *values;
    size_t count;
    size_t known_count; /* for which the quantile was found last */
    double known_quantile;
};

enum { SEEDS_MOST = 100000 };

/* ---------------------------------------------------------------------------- statistics */

static double density(double t, double freedom) {
    double constant = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) /
                      sqrt(freedom * 3.14159265358979323846);
    return constant * pow(1 + t * t / freedom, -(freedom + 1) / 2);
}

/* P(|t| > limit): Simpson's rule over u with t = u / (1 - u), so that the tail is in it. */
static double two_sided(double limit, double freedom) {
    enum { STEPS = 1000 };
    double from = limit / (1 + limit), width = (1 - from) / STEPS, sum = 0;
    for (int i = 0; i < STEPS; i++) { /* at 1 nothing is left, or the limit of it */
        double u = from + i * width, rest = 1 - u;
        double value = density(u / rest, freedom) / (rest * rest);
        sum += value * (i == 0 ? 1 : i % 2 == 1 ? 4 : 2);
    }
    if (freedom == 1) sum += 1 / 3.14159265358979323846;
    double tail = 2 * sum * width / 3;
    return tail < 1 ? tail : 1;
}

/* The limit that 5 % lie beyond. */
static double quantile(double freedom) {
    double low = 0, high = 20;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        if (two_sided(middle, freedom) > 0.05)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct statistics {
    whole sum;
    double mean, half, p;
};

static struct statistics statistics_of(struct sample *sample) {
    struct statistics result = {.p = -1};
    double n = (double)sample->count, squares = 0;
    for (size_t i = 0; i < sample->count; i++)
        result.sum += sample->values[i];
    result.mean = (double)result.sum / n;
    for (size_t i = 0; i < sample->count; i++) {
        double deviation = ((double)(sample->values[i] * (whole)sample->count - result.sum)) / n;
        squares += deviation * deviation;
    }
    if (sample->count < 2) return result;
    double error = sqrt(squares / (n - 1) / n);
    if (sample->known_count != sample->count) {
        sample->known_count = sample->count;
        sample->known_quantile = quantile(n - 1);
    }
    result.half = sample->known_quantile * error;
    result.p = squares > 0 ? two_sided(fabs(result.mean) / error, n - 1) : result.sum == 0;
    return result;
}

/* ---------------------------------------------------------------------------- samples */

static bool is_near(double one, double two, double share, double most) {
    return fabs(one - two) <= share * fabs(two) + most;
}

/* mean_ps, low_ps and high_ps of an object. */
static void check_interval(const struct place *object, const struct sample *sample,
                           const struct statistics *right) {
    whole mean = place_signed(object, "mean_ps"), count = (whole)sample->count;
    whole away = 2 * (mean * count - right->sum);
    place_equals(object, "seeds", count, "the points that count");
    place_that(object, away <= count && -away <= count, "mean_ps %s is not the mean",
               whole_text(mean));
    if (sample->count < 2) {
        place_that(object, !place_has(object, "low_ps") && !place_has(object, "high_ps"),
                   "an interval of one seed");
        return;
    }
    whole low = place_signed(object, "low_ps"), high = place_signed(object, "high_ps");
    place_that(object, low <= mean && mean <= high && high - mean == mean - low,
               "the interval is not about the mean");
    place_that(object, is_near((double)(high - mean), right->half, 1e-5, 2),
               "half an interval of %s, but it should be %.1f", whole_text(high - mean),
               right->half);
}

static void check_time(const struct place *candidate, struct sample *times) {
    if (times->count == 0) {
        place_that(candidate, place_knows(candidate, "time") && !place_has(candidate, "time"),
                   "a time, but no point has one");
        return;
    }
    struct place time = place_key(candidate, "time");
    whole least = times->values[0], most = least;
    for (size_t i = 0; i < times->count; i++) {
        if (times->values[i] < least) least = times->values[i];
        if (times->values[i] > most) most = times->values[i];
    }
    struct statistics right = statistics_of(times);
    check_interval(&time, times, &right);
    place_equals(&time, "min_ps", least, "the least of its points");
    place_equals(&time, "max_ps", most, "the most of its points");
    place_at_least(&time, "mean_ps", least, "the least of its points");
    place_at_most(&time, "mean_ps", most, "the most of its points");
}

/* Returns p, or -1. */
static double check_difference(const struct place *candidate, struct sample *differences,
                               whole baseline) {
    if (differences->count == 0) {
        place_that(candidate,
                   place_knows(candidate, "difference") && !place_has(candidate, "difference"),
                   "a difference, but no point to be compared");
        return -1;
    }
    struct place difference = place_key(candidate, "difference");
    struct statistics right = statistics_of(differences);
    check_interval(&difference, differences, &right);
    whole mean = place_signed(&difference, "mean_ps");
    place_is_ratio(&difference, "share", mean, baseline, "mean_ps over that of the baseline");
    bool tested = differences->count > 1;
    place_that(&difference,
               tested == place_has(&difference, "p") && tested == place_has(&difference, "holm_p"),
               "p and holm_p of %zu seeds", differences->count);
    if (!tested) return -1;
    whole p = place_share(&difference, "p");
    place_that(&difference, is_near((double)p / 1e6, right.p, 1e-5, 2e-6),
               "p %s millionths, but it should be %.6f", whole_text(p), right.p);
    return right.p;
}

/* ---------------------------------------------------------------------------- points */

static void check_point(const struct comparison *comparison, const struct place *point,
                        size_t number) {
    place_equals(point, "seed", comparison->first_seed + (whole)number, "its place in the list");
    if (place_flag(point, "completed")) {
        place_whole(point, "time_ps");
        place_hash(point, "digest");
        place_that(point, !place_knows(point, "failure"), "a failure of a point that completed");
    } else {
        place_named(point, "failure");
        place_that(point, !place_knows(point, "time_ps"),
                   "a time of a point that did not complete");
    }
}

/* Times of the points that have one, less those of the baseline if that is not NULL. */
static void take(struct sample *sample, const struct place *points, const struct place *baseline) {
    sample->count = 0;
    for (size_t i = 0; i < place_count(points); i++) {
        struct place point = place_item(points, i), other = point;
        if (baseline != NULL) other = place_item(baseline, i);
        if (!place_flag(&point, "completed") || !place_flag(&other, "completed")) continue;
        whole time_ps = place_whole(&point, "time_ps");
        if (baseline != NULL) time_ps -= place_whole(&other, "time_ps");
        sample->values[sample->count++] = time_ps;
    }
}

/* ---------------------------------------------------------------------------- candidates */

/* Each has a value of every factor; no two have the same. */
static void check_values(const struct comparison *comparison, const struct place *candidates,
                         size_t number) {
    struct place candidate = place_item(candidates, number),
                 values = place_key(&candidate, "values");
    bool *same = calloc(number + 1, sizeof *same);
    for (size_t i = 0; same != NULL && i < number; i++)
        same[i] = true;
    for (size_t i = 0; i < place_count(&comparison->factors); i++) {
        struct place factor = place_item(&comparison->factors, i),
                     known = place_key(&factor, "values");
        const char *setting = place_text(&factor, "setting");
        const char *value = place_text(&values, setting);
        bool found = false;
        for (size_t k = 0; k < place_count(&known); k++)
            found = found || strcmp(place_item_text(&known, k), value) == 0;
        place_that(&values, found, "%s: `%s` is no value of this factor", setting, value);
        for (size_t k = 0; same != NULL && k < number; k++) {
            struct place other = place_item(candidates, k), of_other = place_key(&other, "values");
            same[k] = same[k] && strcmp(place_text(&of_other, setting), value) == 0;
        }
    }
    for (size_t k = 0; same != NULL && k < number; k++)
        place_that(&candidate, !same[k], "the same values as candidate %zu", k);
    free(same);
}

/* Ranks go up; equal means have equal ones; who has no time for a seed has none, and comes last. */
static void check_rank(const struct comparison *comparison, const struct place *candidates,
                       size_t number) {
    struct place candidate = place_item(candidates, number);
    struct place points = place_key(&candidate, "points");
    size_t completed = 0;
    for (size_t i = 0; i < place_count(&points); i++) {
        struct place point = place_item(&points, i);
        completed += place_flag(&point, "completed");
    }
    bool ranked = completed == comparison->seeds;
    if (!place_that(&candidate, ranked == place_has(&candidate, "rank"),
                    "a rank, or none, with %zu times of %zu seeds", completed, comparison->seeds) ||
        !ranked)
        return;
    struct place time = place_key(&candidate, "time");
    whole mean = place_whole(&time, "mean_ps"), rank = 1;
    for (size_t i = 0; i < comparison->candidates; i++) {
        struct place other = place_item(candidates, i);
        if (!place_has(&other, "rank")) continue;
        struct place other_time = place_key(&other, "time");
        bool before = place_whole(&other_time, "mean_ps") < mean;
        rank += before;
        place_that(&candidate, !before || i < number, "a faster one, %zu, stands behind it", i);
    }
    place_equals(&candidate, "rank", rank, "how many are faster, and one");
    if (number == 0) return;
    struct place last = place_item(candidates, number - 1);
    place_that(&candidate, place_has(&last, "rank"), "it stands behind one without a rank");
}

static int ascending(const void *first, const void *second) {
    double one = *(const double *)first, two = *(const double *)second;
    return one < two ? -1 : one > two;
}

/* Holm's correction of all that were tested, by its definition. */
static void check_holm(const struct place *candidates, const double *p, size_t count) {
    double *sorted = calloc(count + 1, sizeof *sorted);
    size_t tested = 0;
    for (size_t i = 0; sorted != NULL && i < count; i++)
        if (p[i] >= 0) sorted[tested++] = p[i];
    if (tested > 0) qsort(sorted, tested, sizeof *sorted, ascending);
    for (size_t i = 0; i < count && tested > 0; i++) {
        if (p[i] < 0) continue;
        double right = 0;
        for (size_t k = 0; k < tested && sorted[k] <= p[i]; k++)
            right = fmax(right, fmin(1, sorted[k] * (double)(tested - k)));
        struct place candidate = place_item(candidates, i);
        struct place difference = place_key(&candidate, "difference");
        whole holm = place_share(&difference, "holm_p");
        place_that(&difference, is_near((double)holm / 1e6, right, 1e-4, 2e-6 * (double)tested),
                   "holm_p %s millionths, but it should be %.6f", whole_text(holm), right);
        place_at_least_decimal(&difference, "holm_p", place_share(&difference, "p"), "p");
        bool significant = place_flag(&difference, "significant");
        place_that(&difference, holm == 50000 || significant == (holm < 50000),
                   "significant: %d, but holm_p is %s millionths", significant, whole_text(holm));
    }
    free(sorted);
}

static struct place baseline_of(const struct place *candidates) {
    size_t found = 0, number = 0;
    for (size_t i = 0; i < place_count(candidates); i++) {
        struct place candidate = place_item(candidates, i);
        if (!place_flag(&candidate, "baseline")) continue;
        number = i;
        found++;
    }
    place_that(candidates, found == 1, "%zu baselines", found);
    return place_item(candidates, number);
}

static void check_candidates(const struct comparison *comparison, const struct place *candidates,
                             struct sample *sample, double *p) {
    struct place baseline = baseline_of(candidates), base_points = place_key(&baseline, "points");
    whole base_ps = 0;
    if (place_has(&baseline, "time")) {
        struct place time = place_key(&baseline, "time");
        base_ps = place_whole(&time, "mean_ps");
    }
    for (size_t i = 0; i < comparison->candidates; i++) {
        struct place candidate = place_item(candidates, i),
                     points = place_key(&candidate, "points");
        if (!place_that(&points, place_count(&points) == comparison->seeds, "not one per seed"))
            return;
        for (size_t k = 0; k < comparison->seeds; k++) {
            struct place point = place_item(&points, k);
            check_point(comparison, &point, k);
        }
        take(sample, &points, NULL);
        check_time(&candidate, sample);
        if (place_flag(&candidate, "baseline"))
            sample->count = 0;
        else
            take(sample, &points, &base_points);
        p[i] = check_difference(&candidate, sample, base_ps);
        check_values(comparison, candidates, i);
        check_rank(comparison, candidates, i);
    }
    check_holm(candidates, p, comparison->candidates);
}

static bool all_completed(const struct place *candidates) {
    bool all = true;
    for (size_t i = 0; i < place_count(candidates); i++) {
        struct place candidate = place_item(candidates, i),
                     points = place_key(&candidate, "points");
        for (size_t k = 0; k < place_count(&points); k++) {
            struct place point = place_item(&points, k);
            all = place_flag(&point, "completed") && all;
        }
    }
    return all;
}

/* ---------------------------------------------------------------------------- tables */

/* Rows are in the order of candidates, which is not that of JSON: they go by trace and values. */
static bool is_row(const struct comparison *comparison, const struct csv_table *table, size_t row,
                   const char *trace, const struct place *values) {
    if (strcmp(csv_text(table, row, "trace"), trace) != 0) return false;
    for (size_t i = 0; i < place_count(&comparison->factors); i++) {
        struct place factor = place_item(&comparison->factors, i);
        const char *setting = place_text(&factor, "setting");
        if (strcmp(csv_text(table, row, setting), place_text(values, setting)) != 0) return false;
    }
    return true;
}

static void check_row(const struct csv_table *table, size_t row, const struct place *candidate) {
    csv_same(table, row, "rank", candidate);
    if (place_has(candidate, "time")) {
        struct place time = place_key(candidate, "time");
        csv_same(table, row, "seeds,mean_ps,low_ps,high_ps", &time);
    }
    if (!place_has(candidate, "difference")) return;
    struct place difference = place_key(candidate, "difference");
    csv_same(table, row, "p,holm_p,significant", &difference);
    csv_text_is(table, row, "difference_seeds", place_figure(&difference, "seeds"));
    csv_text_is(table, row, "difference_ps", place_figure(&difference, "mean_ps"));
    csv_text_is(table, row, "difference_low_ps", place_figure(&difference, "low_ps"));
    csv_text_is(table, row, "difference_high_ps", place_figure(&difference, "high_ps"));
}

static void check_candidate_table(const struct comparison *comparison,
                                  const struct csv_table *table, const struct place *trace) {
    struct place candidates = place_key(trace, "candidates");
    const char *name = place_text(trace, "name");
    for (size_t i = 0; i < place_count(&candidates); i++) {
        struct place candidate = place_item(&candidates, i),
                     values = place_key(&candidate, "values");
        size_t row = 0;
        while (row < table->rows && !is_row(comparison, table, row, name, &values))
            row++;
        if (place_that(&candidate, row < table->rows, "no row of candidates.csv is about it"))
            check_row(table, row, &candidate);
    }
}

static void check_point_table(const struct comparison *comparison, const struct csv_table *table,
                              const struct place *trace) {
    struct place candidates = place_key(trace, "candidates");
    const char *name = place_text(trace, "name");
    for (size_t i = 0; i < place_count(&candidates); i++) {
        struct place candidate = place_item(&candidates, i),
                     values = place_key(&candidate, "values");
        struct place points = place_key(&candidate, "points");
        size_t row = 0;
        while (row < table->rows && !is_row(comparison, table, row, name, &values))
            row++;
        for (size_t k = 0; k < place_count(&points) && row + k < table->rows; k++) {
            struct place point = place_item(&points, k);
            csv_same(table, row + k, "seed", &point);
            if (place_flag(&point, "completed")) csv_same(table, row + k, "time_ps,digest", &point);
        }
    }
}

static void check_tables(const struct comparison *comparison, const struct place *traces,
                         const char *folder) {
    static const char *const names[] = {"candidates.csv", "points.csv"};
    for (int which = 0; which < 2; which++) {
        struct csv_table table;
        size_t rows = place_count(traces) * comparison->candidates;
        if (which == 1) rows *= comparison->seeds;
        if (csv_open(&table, comparison->result->check, folder, names[which])) {
            check_that(comparison->result->check, rows == table.rows,
                       "%s: %zu rows, but %zu in JSON", names[which], table.rows, rows);
            for (size_t i = 0; i < place_count(traces); i++) {
                struct place trace = place_item(traces, i);
                if (which == 0)
                    check_candidate_table(comparison, &table, &trace);
                else
                    check_point_table(comparison, &table, &trace);
            }
        }
        csv_close(&table);
    }
}

void check_comparison(const struct place *result, const char *folder) {
    struct comparison comparison = {.result = result,
                                    .factors = place_key(result, "factors"),
                                    .first_seed = place_whole(result, "first_seed"),
                                    .candidates = 1};
    whole seeds = place_whole(result, "seeds");
    place_at_least(result, "seeds", 1, "one seed");
    place_equals_decimal(result, "confidence", 950000, "the one of anax");
    if (!place_that(result, seeds <= SEEDS_MOST, "%s seeds", whole_text(seeds))) return;
    comparison.seeds = (size_t)seeds;
    for (size_t i = 0; i < place_count(&comparison.factors); i++) {
        struct place factor = place_item(&comparison.factors, i),
                     values = place_key(&factor, "values");
        place_that(&values, place_count(&values) > 0, "no values");
        comparison.candidates *= place_count(&values);
    }
    struct place traces = place_key(result, "traces");
    bool all = true;
    struct sample sample = {.values = calloc(comparison.seeds + 1, sizeof *sample.values)};
    double *p = calloc(comparison.candidates + 1, sizeof *p);
    for (size_t i = 0; i < place_count(&traces) && sample.values != NULL && p != NULL; i++) {
        struct place trace = place_item(&traces, i), candidates = place_key(&trace, "candidates");
        place_named(&trace, "name");
        place_named(&trace, "path");
        place_hash(&trace, "hash");
        place_at_least(&trace, "ranks", 1, "one rank");
        if (!place_that(&candidates, place_count(&candidates) == comparison.candidates,
                        "%zu, but the factors make %zu", place_count(&candidates),
                        comparison.candidates))
            continue;
        check_candidates(&comparison, &candidates, &sample, p);
        all = all_completed(&candidates) && all;
    }
    free(sample.values);
    free(p);
    place_that(result, place_flag(result, "completed") == all, "completed is not what points are");
    if (folder != NULL) check_tables(&comparison, &traces, folder);
}
