/*
 * The Pareto front of a search and its confidence, from replays of the whole trace with all seeds.
 *
 * Invariant: the front is exact for the times of the seeds. Only p values, which are for people,
 * use floating point.
 */
#include "api/compare/student_t.h"
#include "api/search/search_state.h"
#include "core/memory/memory.h"

#include <stdlib.h>

/* Returns whether a candidate has times of all seeds in the last stage. */
static bool is_finalist(const anax_search *search, size_t index) {
    return search->candidates[index].stage == search->stage_count &&
           search->on_whole->candidates[index].rank > 0;
}

static int64_t time_of(const anax_search *search, size_t index) {
    return search->on_whole->candidates[index].time.mean;
}

/* Finds the fastest of the other finalists that cost no more. */
static void find_rival(anax_search *search, size_t index) {
    struct search_candidate *candidate = &search->candidates[index];
    const int64_t cost = candidate->figures[SEARCH_COST];
    for (size_t i = 0; i < search->candidate_count; i++) {
        if (i == index || !is_finalist(search, i)) continue;
        const int64_t other = search->candidates[i].figures[SEARCH_COST];
        if (other > cost) continue;
        const bool is_better = !candidate->has_rival ||
                               time_of(search, i) < time_of(search, candidate->rival) ||
                               (time_of(search, i) == time_of(search, candidate->rival) &&
                                other < search->candidates[candidate->rival].figures[SEARCH_COST]);
        if (is_better) candidate->rival = i;
        candidate->has_rival = true;
    }
    const size_t rival = candidate->rival;
    candidate->is_front = !candidate->has_rival ||
                          time_of(search, rival) > time_of(search, index) ||
                          (time_of(search, rival) == time_of(search, index) &&
                           search->candidates[rival].figures[SEARCH_COST] == cost);
}

static void test_rival(anax_search *search, size_t index, int64_t *values_ps) {
    struct search_candidate *candidate = &search->candidates[index];
    const anax_comparison *whole = search->on_whole;
    const struct compare_point *own = &whole->points[comparison_point(whole, 0, index, 0)];
    const struct compare_point *other =
        &whole->points[comparison_point(whole, 0, candidate->rival, 0)];
    for (uint32_t seed = 0; seed < whole->seed_count; seed++)
        values_ps[seed] = own[seed].time_ps - other[seed].time_ps;
    candidate->difference = compare_sample_of(values_ps, whole->seed_count);
    candidate->exact =
        comparison_is_exact(whole, 0, index) && comparison_is_exact(whole, 0, candidate->rival);
}

static void judge(anax_search *search, int64_t *values_ps, double *p) {
    for (size_t i = 0; i < search->candidate_count; i++) {
        struct search_candidate *candidate = &search->candidates[i];
        p[i] = candidate->holm_p = -1;
        if (!is_finalist(search, i)) continue;
        find_rival(search, i);
        if (candidate->has_rival) test_rival(search, i, values_ps);
        if (candidate->has_rival) p[i] = candidate->difference.p;
    }
    student_t_apply_holm(p, search->candidate_count);
    for (size_t i = 0; i < search->candidate_count; i++)
        search->candidates[i].holm_p = p[i];
}

status_code search_judge(anax_search *search, struct status *status) {
    FORWARD_IF_ERROR(comparison_judge(search->on_whole, status));
    int64_t *values_ps = memory_new(search->on_whole->seed_count, sizeof *values_ps);
    double *p = memory_new(search->candidate_count, sizeof *p);
    const bool good = values_ps != NULL && p != NULL;
    if (good) judge(search, values_ps, p);
    free(values_ps);
    free(p);
    RETURN_ERROR_IF(!good, status, STATUS_MEMORY, "out of memory for a search");
    return STATUS_OK;
}
