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
    struct place factors;      /* a row for each value */
    struct place rows, points; /* of all candidates and traces */
    whole first_seed;
    size_t seeds;
    size_t candidates; /* of a trace */
    size_t trace;      /* the one that is looked at */
    const char *name;  /* of it */
};

/* Times of one candidate, or their differences to the baseline's. */
struct sample {
    whole *values;
    size_t count;
    size_t known_count; /* for which the quantile was found last */
    double known_quantile;
};

enum { SEEDS_MAX = 100000 };

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

static bool is_near(double one, double two, double share, double max) {
    return fabs(one - two) <= share * fabs(two) + max;
}

/* seeds, mean_ps, low_ps and high_ps, whose names begin with a prefix. */
static void check_interval(const struct place *object, const char *prefix,
                           const struct sample *sample, const struct statistics *right) {
    char mean_ps[32], low_ps[32], high_ps[32];
    snprintf(mean_ps, sizeof mean_ps, "%smean_ps", prefix);
    snprintf(low_ps, sizeof low_ps, "%slow_ps", prefix);
    snprintf(high_ps, sizeof high_ps, "%shigh_ps", prefix);
    whole mean = place_signed(object, mean_ps), count = (whole)sample->count;
    whole away = 2 * (mean * count - right->sum);
    place_that(object, away <= count && -away <= count, "mean_ps %s is not the mean",
               whole_text(mean));
    if (sample->count < 2) {
        place_that(object, !place_has(object, low_ps) && !place_has(object, high_ps),
                   "an interval of one seed");
        return;
    }
    whole low = place_signed(object, low_ps), high = place_signed(object, high_ps);
    place_that(object, low <= mean && mean <= high && high - mean == mean - low,
               "the interval is not about the mean");
    place_that(object, is_near((double)(high - mean), right->half, 1e-5, 2),
               "half an interval of %s, but it should be %.1f", whole_text(high - mean),
               right->half);
}

/* None of these keys, separated by spaces, has a value. */
static void check_none(const struct place *object, const char *keys) {
    char key[64];
    for (const char *at = keys; *at != '\0';) {
        size_t length = strcspn(at, " ");
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        place_that(object, place_knows(object, key) && !place_has(object, key),
                   "%s, but nothing that it is about", key);
        at += length + (at[length] == ' ');
    }
}

static void check_time(const struct place *candidate, struct sample *times) {
    place_equals(candidate, "seeds", (whole)times->count, "the points that count");
    if (times->count == 0) {
        check_none(candidate, "mean_ps low_ps high_ps min_ps max_ps");
        return;
    }
    whole min = times->values[0], max = min;
    for (size_t i = 0; i < times->count; i++) {
        if (times->values[i] < min) min = times->values[i];
        if (times->values[i] > max) max = times->values[i];
    }
    struct statistics right = statistics_of(times);
    check_interval(candidate, "", times, &right);
    place_equals(candidate, "min_ps", min, "the least of its points");
    place_equals(candidate, "max_ps", max, "the most of its points");
    place_at_least(candidate, "mean_ps", min, "the least of its points");
    place_at_most(candidate, "mean_ps", max, "the most of its points");
}

/* Returns p, or -1. */
static double check_difference(const struct place *candidate, struct sample *differences,
                               whole baseline) {
    place_equals(candidate, "difference_seeds", (whole)differences->count, "the points that count");
    if (differences->count == 0) {
        check_none(candidate, "difference_mean_ps difference_low_ps difference_high_ps "
                              "difference_share p holm_p significant");
        return -1;
    }
    struct statistics right = statistics_of(differences);
    check_interval(candidate, "difference_", differences, &right);
    whole mean = place_signed(candidate, "difference_mean_ps");
    place_is_ratio(candidate, "difference_share", mean, baseline,
                   "difference_mean_ps over the mean of the baseline");
    bool tested = differences->count > 1;
    place_that(candidate,
               tested == place_has(candidate, "p") && tested == place_has(candidate, "holm_p") &&
                   tested == place_has(candidate, "significant"),
               "p, holm_p and significant of %zu seeds", differences->count);
    if (!tested) return -1;
    whole p = place_share(candidate, "p");
    place_that(candidate, is_near((double)p / 1e6, right.p, 1e-5, 2e-6),
               "p %s millionths, but it should be %.6f", whole_text(p), right.p);
    return right.p;
}

/* ---------------------------------------------------------------------------- points */

static struct place candidate_at(const struct comparison *comparison, size_t number) {
    return place_item(&comparison->rows, comparison->trace * comparison->candidates + number);
}

static struct place point_at(const struct comparison *comparison, size_t candidate, size_t seed) {
    size_t before = comparison->trace * comparison->candidates + candidate;
    return place_item(&comparison->points, before * comparison->seeds + seed);
}

/* It is about this trace, and has the values of a candidate. */
static void check_values_of(const struct comparison *comparison, const struct place *point,
                            const struct place *candidate) {
    place_that(point, strcmp(place_text(point, "trace"), comparison->name) == 0,
               "of another trace than %s", comparison->name);
    for (size_t i = 0; i < place_count(&comparison->factors); i++) {
        struct place factor = place_item(&comparison->factors, i);
        const char *setting = place_text(&factor, "setting");
        place_that(point, strcmp(place_text(point, setting), place_text(candidate, setting)) == 0,
                   "%s is not that of its candidate", setting);
    }
}

static void check_point(const struct comparison *comparison, const struct place *point,
                        size_t number) {
    place_equals(point, "seed", comparison->first_seed + (whole)number, "its place in the list");
    if (place_flag(point, "completed")) {
        place_whole(point, "time_ps");
        place_hash(point, "digest");
        place_that(point, !place_has(point, "failure"), "a failure of a point that completed");
    } else {
        place_named(point, "failure");
        check_none(point, "time_ps digest");
    }
}

/* Times of the points that have one, less those of the baseline if that is wanted. */
static void take(const struct comparison *comparison, struct sample *sample, size_t candidate,
                 bool less_baseline) {
    sample->count = 0;
    for (size_t i = 0; i < comparison->seeds; i++) {
        struct place point = point_at(comparison, candidate, i);
        struct place other = point_at(comparison, less_baseline ? 0 : candidate, i);
        if (!place_flag(&point, "completed") || !place_flag(&other, "completed")) continue;
        whole time_ps = place_whole(&point, "time_ps");
        if (less_baseline) time_ps -= place_whole(&other, "time_ps");
        sample->values[sample->count++] = time_ps;
    }
}

/* ---------------------------------------------------------------------------- candidates */

/* Each has a value of every factor; no two have the same. */
static void check_values(const struct comparison *comparison, size_t number) {
    struct place candidate = candidate_at(comparison, number);
    size_t factors = place_count(&comparison->factors);
    for (size_t i = 0; i < factors; i++) {
        struct place factor = place_item(&comparison->factors, i);
        const char *setting = place_text(&factor, "setting");
        const char *value = place_text(&candidate, setting);
        bool found = false;
        for (size_t k = 0; k < factors; k++) {
            struct place other = place_item(&comparison->factors, k);
            found = found || (strcmp(place_text(&other, "setting"), setting) == 0 &&
                              strcmp(place_text(&other, "value"), value) == 0);
        }
        place_that(&candidate, found, "%s: `%s` is no value of this factor", setting, value);
    }
    for (size_t k = 0; k < number; k++) {
        struct place other = candidate_at(comparison, k);
        bool same = true;
        for (size_t i = 0; i < factors && same; i++) {
            struct place factor = place_item(&comparison->factors, i);
            const char *setting = place_text(&factor, "setting");
            same = strcmp(place_text(&candidate, setting), place_text(&other, setting)) == 0;
        }
        place_that(&candidate, !same, "the same values as candidate %zu", k);
    }
}

/* Equal means have equal ranks; who has no time for a seed has none. */
static void check_rank(const struct comparison *comparison, size_t number) {
    struct place candidate = candidate_at(comparison, number);
    bool ranked = place_whole(&candidate, "seeds") == (whole)comparison->seeds;
    if (!place_that(&candidate, ranked == place_has(&candidate, "rank"),
                    "a rank, or none, without times of all %zu seeds", comparison->seeds) ||
        !ranked)
        return;
    whole mean = place_whole(&candidate, "mean_ps"), rank = 1;
    for (size_t i = 0; i < comparison->candidates; i++) {
        struct place other = candidate_at(comparison, i);
        if (place_has(&other, "rank")) rank += place_whole(&other, "mean_ps") < mean;
    }
    place_equals(&candidate, "rank", rank, "how many are faster, and one");
}

static int ascending(const void *first, const void *second) {
    double one = *(const double *)first, two = *(const double *)second;
    return one < two ? -1 : one > two;
}

/* Holm's correction of all that were tested, by its definition. */
static void check_holm(const struct comparison *comparison, const double *p) {
    const size_t count = comparison->candidates;
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
        struct place candidate = candidate_at(comparison, i);
        whole holm = place_share(&candidate, "holm_p");
        place_that(&candidate, is_near((double)holm / 1e6, right, 1e-4, 2e-6 * (double)tested),
                   "holm_p %s millionths, but it should be %.6f", whole_text(holm), right);
        place_at_least_decimal(&candidate, "holm_p", place_share(&candidate, "p"), "p");
        bool significant = place_flag(&candidate, "significant");
        place_that(&candidate, holm == 50000 || significant == (holm < 50000),
                   "significant: %d, but holm_p is %s millionths", significant, whole_text(holm));
    }
    free(sorted);
}

/* The factor, whether the difference is negligible, and the parts of a rank's mean time, which is
 * at most that of the last rank. */
static void check_parts(const struct comparison *comparison, const struct place *candidate,
                        bool baseline, whole base_ps) {
    static const char *const parts[] = {
        "compute_ps",      "send_overhead_ps",    "receive_overhead_ps",
        "reduction_ps",    "wait_late_sender_ps", "wait_late_receiver_ps",
        "wait_transit_ps", "wait_queueing_ps",    "collective_ps"};
    if (!place_has(candidate, "mean_ps")) {
        check_none(candidate, "factor compute_ps collective_ps");
        return;
    }
    whole mean_ps = place_whole(candidate, "mean_ps"), sum_ps = 0;
    if (base_ps > 0)
        place_is_ratio(candidate, "factor", base_ps, mean_ps, "the baseline's mean over mean_ps");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sum_ps += place_whole(candidate, parts[i]);
    place_that(candidate, sum_ps <= mean_ps + 10, "parts of %s ps of a mean time of %s ps",
               whole_text(sum_ps), whole_text(mean_ps));
    if (baseline || !place_has(candidate, "difference_share")) {
        check_none(candidate, "negligible");
        return;
    }
    whole share = place_signed_millionths(candidate, "difference_share");
    whole limit = place_share(comparison->result, "negligible");
    share = share < 0 ? -share : share;
    place_that(candidate, share == limit || place_flag(candidate, "negligible") == (share < limit),
               "negligible, or not, with a share of %s millionths", whole_text(share));
}

/* The winner is a candidate of rank 1, and the difference that of the two best means. */
static void check_winner(const struct comparison *comparison) {
    struct place winners = place_key(comparison->result, "winners");
    whole best = -1, next = -1;
    for (size_t i = 0; i < comparison->candidates; i++) {
        struct place candidate = candidate_at(comparison, i);
        if (!place_has(&candidate, "rank")) continue;
        whole mean = place_whole(&candidate, "mean_ps");
        if (best < 0 || mean < best) {
            next = best;
            best = mean;
        } else if (next < 0 || mean < next) {
            next = mean;
        }
    }
    for (size_t i = 0; i < place_count(&winners); i++) {
        struct place winner = place_item(&winners, i);
        if (strcmp(place_text(&winner, "trace"), comparison->name) != 0) continue;
        place_named(&winner, "why");
        place_that(&winner, next >= 0, "a winner without another candidate");
        place_at_least(&winner, "difference_mean_ps", next - best - 1, "that of the two best");
        place_at_most(&winner, "difference_mean_ps", next - best + 1, "that of the two best");
    }
}

static void check_candidates(const struct comparison *comparison, struct sample *sample,
                             double *p) {
    struct place baseline = candidate_at(comparison, 0);
    whole base_ps = place_has(&baseline, "mean_ps") ? place_whole(&baseline, "mean_ps") : 0;
    for (size_t i = 0; i < comparison->candidates; i++) {
        struct place candidate = candidate_at(comparison, i);
        check_values_of(comparison, &candidate, &candidate);
        place_that(&candidate, place_flag(&candidate, "baseline") == (i == 0),
                   "the baseline is the first one");
        for (size_t k = 0; k < comparison->seeds; k++) {
            struct place point = point_at(comparison, i, k);
            check_values_of(comparison, &point, &candidate);
            check_point(comparison, &point, k);
        }
        take(comparison, sample, i, false);
        check_time(&candidate, sample);
        if (i == 0)
            sample->count = 0;
        else
            take(comparison, sample, i, true);
        p[i] = check_difference(&candidate, sample, base_ps);
        check_parts(comparison, &candidate, i == 0, base_ps);
        check_values(comparison, i);
        check_rank(comparison, i);
    }
    check_holm(comparison, p);
    check_winner(comparison);
}

static bool all_completed(const struct place *points) {
    bool all = true;
    for (size_t i = 0; i < place_count(points); i++) {
        struct place point = place_item(points, i);
        all = place_flag(&point, "completed") && all;
    }
    return all;
}

/* ---------------------------------------------------------------------------- machines */

/* As many as the first factor has values; and what was changed is one of them. */
static void check_machines(const struct comparison *comparison) {
    struct place machines = place_key(comparison->result, "machines");
    struct place changes = place_key(comparison->result, "machine_settings_changed");
    size_t count = place_count(&machines), values = 0;
    for (size_t i = 0; i < place_count(&comparison->factors); i++) {
        struct place factor = place_item(&comparison->factors, i);
        values += strcmp(place_text(&factor, "setting"), "machine") == 0;
    }
    place_that(&machines, count == values, "%zu, but the factor has %zu", count, values);
    for (size_t i = 0; i < count; i++) {
        struct place machine = place_item(&machines, i);
        whole in_rail = whole_times(place_whole(&machine, "groups"),
                                    place_whole(&machine, "routers_per_group"));
        place_named(&machine, "name");
        place_whole(&machine, "globals_per_router");
        place_equals(&machine, "machine", (whole)i, "its place in the list");
        check_machine_nodes(&machine);
        place_equals(&machine, "routers", whole_times(in_rail, place_whole(&machine, "rails")),
                     "routers of all groups in all rails");
    }
    for (size_t i = 0; i < place_count(&changes); i++) {
        struct place change = place_item(&changes, i);
        place_named(&change, "name");
        place_at_most(&change, "machine", (whole)count - 1, "the last machine");
    }
}

/* ---------------------------------------------------------------------------- all */

/* The product of the numbers of values, which stand beside each other. */
static size_t count_candidates(const struct place *factors) {
    size_t product = 1, values = 0;
    const char *last = "";
    for (size_t i = 0; i < place_count(factors); i++) {
        struct place factor = place_item(factors, i);
        const char *setting = place_text(&factor, "setting");
        if (strcmp(setting, last) != 0 && values > 0) {
            product *= values;
            values = 0;
        }
        values++;
        last = setting;
    }
    return product * values;
}

static void check_traces(struct comparison *comparison, const struct place *traces) {
    struct sample sample = {.values = calloc(comparison->seeds + 1, sizeof *sample.values)};
    double *p = calloc(comparison->candidates + 1, sizeof *p);
    for (size_t i = 0; i < place_count(traces) && sample.values != NULL && p != NULL; i++) {
        struct place trace = place_item(traces, i);
        comparison->trace = i;
        comparison->name = place_text(&trace, "name");
        place_named(&trace, "name");
        place_named(&trace, "path");
        place_hash(&trace, "hash");
        place_at_least(&trace, "ranks", 1, "one rank");
        check_candidates(comparison, &sample, p);
    }
    free(sample.values);
    free(p);
}

void check_comparison(const struct place *result, const char *folder) {
    struct comparison comparison = {.result = result,
                                    .factors = place_key(result, "factors"),
                                    .rows = place_key(result, "candidates"),
                                    .points = place_key(result, "points"),
                                    .first_seed = place_whole(result, "first_seed")};
    whole seeds = place_whole(result, "seeds");
    place_at_least(result, "seeds", 1, "one seed");
    place_equals_decimal(result, "confidence", 950000, "the one of anax");
    if (!place_that(result, seeds <= SEEDS_MAX, "%s seeds", whole_text(seeds))) return;
    comparison.seeds = (size_t)seeds;
    comparison.candidates = count_candidates(&comparison.factors);
    struct place traces = place_key(result, "traces");
    size_t rows = place_count(&traces) * comparison.candidates;
    if (!place_that(&comparison.rows, place_count(&comparison.rows) == rows,
                    "%zu, but traces and factors make %zu", place_count(&comparison.rows), rows) ||
        !place_that(&comparison.points, place_count(&comparison.points) == rows * comparison.seeds,
                    "%zu, but there are %zu candidates and %zu seeds",
                    place_count(&comparison.points), rows, comparison.seeds))
        return;
    check_machines(&comparison);
    check_traces(&comparison, &traces);
    place_that(result, place_flag(result, "completed") == all_completed(&comparison.points),
               "completed is not what points are");
    if (folder == NULL) return;
    csv_rows(&comparison.rows, folder, "candidates.csv");
    csv_rows(&comparison.points, folder, "points.csv");
}
