/*
 * Computes the figures of candidates from the points of a comparison: means with confidence
 * intervals, paired differences to the baseline, and ranks. docs/model.md, 13, has the equations.
 *
 * Invariant: means are rounded to whole picoseconds, and ranks follow from them without floating
 * point. Only intervals and p values, which are for people, use floating point.
 */
#include "api/compare/comparison.h"
#include "api/compare/student_t.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdlib.h>

/* Returns a mean, rounded to the nearest integer, halves away from zero. */
static int64_t mean_of(__int128 sum, uint32_t count) {
    const __int128 half = sum < 0 ? -(__int128)(count / 2) : (__int128)(count / 2);
    return (int64_t)((sum + half) / count);
}

struct compare_sample compare_sample_of(const int64_t *values, uint32_t count) {
    struct compare_sample sample = {.count = count, .half_width = -1, .p = -1};
    if (count == 0) return sample;
    __int128 sum = 0;
    sample.min = sample.max = values[0];
    for (uint32_t i = 0; i < count; i++) {
        sum += values[i];
        if (values[i] < sample.min) sample.min = values[i];
        if (values[i] > sample.max) sample.max = values[i];
    }
    sample.mean = mean_of(sum, count);
    if (count < 2) return sample;
    double squares = 0; /* sum of squares of count times the deviations, which are whole numbers */
    for (uint32_t i = 0; i < count; i++) {
        const double deviation = (double)((__int128)values[i] * count - sum);
        squares += deviation * deviation;
    }
    const double freedom = count - 1;
    const double error = sqrt(squares / freedom / count) / count; /* standard error of the mean */
    const double mean = (double)sum / count;
    const double half_width = student_t_quantile(1 - COMPARE_CONFIDENCE, count - 1) * error;
    if (half_width < (double)(INT64_MAX / 2)) sample.half_width = (int64_t)(half_width + 0.5);
    if (squares > 0)
        sample.p = student_t_two_sided_p(fabs(mean) / error, count - 1);
    else
        sample.p = sum == 0 ? 1 : 0; /* equal for every seed, so exact */
    return sample;
}

/* Collects the values of the seeds that finished: times, or differences to another candidate's
 * times. */
static uint32_t take_values(int64_t *values_ps, const anax_comparison *comparison,
                            const struct compare_point *points,
                            const struct compare_point *baseline) {
    uint32_t count = 0;
    for (uint32_t seed = 0; seed < comparison->seed_count; seed++) {
        if (!points[seed].finished || (baseline != NULL && !baseline[seed].finished)) continue;
        values_ps[count++] = points[seed].time_ps - (baseline != NULL ? baseline[seed].time_ps : 0);
    }
    return count;
}

/* Returns whether a difference is less than the share of a time that counts. */
static bool is_negligible(const anax_comparison *comparison,
                          const struct compare_sample *difference,
                          const struct compare_sample *time) {
    if (difference->count == 0 || time->count == 0) return false;
    const int64_t mean_ps = difference->mean;
    const wide size = mean_ps < 0 ? 0 - (uint64_t)mean_ps : (uint64_t)mean_ps;
    return size * 1000000 <
           (wide)(uint64_t)time->mean * (uint64_t)comparison->negligible_millionths;
}

bool comparison_is_exact(const anax_comparison *comparison, size_t trace, size_t candidate) {
    const struct compare_point *points =
        &comparison->points[comparison_point(comparison, trace, candidate, 0)];
    for (uint32_t seed = 0; seed < comparison->seed_count; seed++)
        if (!points[seed].finished || !points[seed].exact) return false;
    return true;
}

int64_t comparison_part(const anax_comparison *comparison, size_t trace, size_t candidate,
                        size_t part) {
    const struct compare_point *points =
        &comparison->points[comparison_point(comparison, trace, candidate, 0)];
    __int128 sum = 0;
    uint32_t count = 0;
    for (uint32_t seed = 0; seed < comparison->seed_count; seed++) {
        if (!points[seed].finished) continue;
        sum += points[seed].parts_ps[part];
        count++;
    }
    return count > 0 ? mean_of(sum, count) : 0;
}

/* Ranks the candidates by their means. Only candidates with all seeds get a rank, so all means have
 * equal counts. */
static void rank(struct compare_candidate *candidates, const anax_comparison *comparison) {
    for (size_t i = 0; i < comparison->set.candidate_count; i++) {
        if (candidates[i].time.count < comparison->seed_count) continue;
        candidates[i].rank = 1;
        for (size_t j = 0; j < comparison->set.candidate_count; j++)
            candidates[i].rank += candidates[j].time.count == comparison->seed_count &&
                                  candidates[j].time.mean < candidates[i].time.mean;
    }
}

/* Corrects the p values of a trace for the number of candidates that were tested. */
static void correct(struct compare_candidate *candidates, const anax_comparison *comparison,
                    double *p) {
    for (size_t i = 0; i < comparison->set.candidate_count; i++)
        p[i] = candidates[i].difference.p;
    student_t_apply_holm(p, comparison->set.candidate_count);
    for (size_t i = 0; i < comparison->set.candidate_count; i++) {
        candidates[i].holm_p = p[i];
        candidates[i].significant = p[i] >= 0 && p[i] < 1 - COMPARE_CONFIDENCE;
    }
}

/* Compares the best candidate of a trace with every other one that has a rank. */
static void judge_winner(anax_comparison *comparison, size_t trace, int64_t *values_ps, double *p,
                         const size_t *order) {
    const size_t count = comparison->set.candidate_count;
    const struct compare_candidate *candidates = &comparison->candidates[trace * count];
    struct compare_winner *winner = &comparison->winners[trace];
    *winner = (struct compare_winner){.winner = order[0], .holm_p = -1};
    if (count < 2 || candidates[order[1]].rank == 0) return;
    winner->known = true;
    winner->runner_up = order[1];
    const struct compare_point *best =
        &comparison->points[comparison_point(comparison, trace, order[0], 0)];
    p[0] = -1;
    for (size_t i = 1; i < count; i++) {
        p[i] = -1;
        if (candidates[order[i]].rank == 0) continue;
        const uint32_t seeds = take_values(
            values_ps, comparison,
            &comparison->points[comparison_point(comparison, trace, order[i], 0)], best);
        const struct compare_sample sample = compare_sample_of(values_ps, seeds);
        if (i == 1) winner->difference = sample;
        p[i] = sample.p;
    }
    student_t_apply_holm(p, count);
    winner->holm_p = p[1];
    winner->significant = p[1] >= 0 && p[1] < 1 - COMPARE_CONFIDENCE;
    winner->negligible = is_negligible(comparison, &winner->difference, &candidates[order[0]].time);
    winner->exact = comparison_is_exact(comparison, trace, order[0]) &&
                    comparison_is_exact(comparison, trace, order[1]);
}

static void judge_trace(anax_comparison *comparison, size_t trace, int64_t *values_ps, double *p) {
    struct compare_candidate *candidates =
        &comparison->candidates[trace * comparison->set.candidate_count];
    const struct compare_point *baseline =
        &comparison->points[comparison_point(comparison, trace, 0, 0)];
    for (size_t i = 0; i < comparison->set.candidate_count; i++) {
        const struct compare_point *points =
            &comparison->points[comparison_point(comparison, trace, i, 0)];
        uint32_t count = take_values(values_ps, comparison, points, NULL);
        candidates[i].time = compare_sample_of(values_ps, count);
        count = i > 0 ? take_values(values_ps, comparison, points, baseline) : 0;
        candidates[i].difference = compare_sample_of(values_ps, count);
    }
    rank(candidates, comparison);
    correct(candidates, comparison, p);
    const bool exact = comparison_is_exact(comparison, trace, 0);
    for (size_t i = 0; i < comparison->set.candidate_count; i++) {
        candidates[i].exact = exact && comparison_is_exact(comparison, trace, i);
        candidates[i].negligible =
            i > 0 && is_negligible(comparison, &candidates[i].difference, &candidates[0].time);
    }
}

status_code comparison_judge(anax_comparison *comparison, struct status *status) {
    const size_t count = comparison->set.candidate_count;
    comparison->candidates =
        memory_new(comparison->trace_count * count, sizeof *comparison->candidates);
    int64_t *values_ps = memory_new(comparison->seed_count, sizeof *values_ps);
    double *p = memory_new(count, sizeof *p);
    comparison->winners = memory_new(comparison->trace_count, sizeof *comparison->winners);
    bool good = comparison->candidates != NULL && comparison->winners != NULL &&
                values_ps != NULL && p != NULL;
    for (size_t trace = 0; trace < comparison->trace_count && good; trace++) {
        size_t *order = NULL;
        judge_trace(comparison, trace, values_ps, p);
        good = comparison_sort_candidates(comparison, trace, &order, NULL) == STATUS_OK;
        if (good) judge_winner(comparison, trace, values_ps, p, order);
        free(order);
    }
    free(values_ps);
    free(p);
    RETURN_ERROR_IF(!good, status, STATUS_MEMORY, "out of memory for %zu candidates", count);
    return STATUS_OK;
}

/* The position of a candidate follows from its rank; candidates of equal rank keep their order. */
status_code comparison_sort_candidates(const anax_comparison *comparison, size_t trace,
                                       size_t **order, struct status *status) {
    const size_t count = comparison->set.candidate_count;
    const struct compare_candidate *candidates = &comparison->candidates[trace * count];
    size_t *used = memory_new(count, sizeof *used), ranked = 0;
    *order = memory_new(count, sizeof **order);
    if (*order == NULL || used == NULL) {
        free(*order);
        free(used);
        return status_set(status, STATUS_MEMORY, "out of memory for %zu candidates", count);
    }
    for (size_t i = 0; i < count; i++)
        ranked += candidates[i].rank > 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t rank = candidates[i].rank;
        (*order)[rank > 0 ? rank - 1 + used[rank - 1]++ : ranked++] = i;
    }
    free(used);
    return STATUS_OK;
}
