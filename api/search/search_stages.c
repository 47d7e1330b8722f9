/* Runs the stages of a search: each replays a part of the trace for the candidates that are left,
 * and keeps the fastest quarter of them for the next stage. */
#include "api/search/search_state.h"

#include "api/text/text_buffer.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* A stage keeps a quarter of its candidates, but not fewer than FEWEST; so many or fewer candidates
 * go to the last stage at once. */
enum { KEPT_SHARE = 4, FEWEST = 8 };

/* Returns the mean of a candidate's times with the first seeds; -1 if one of them has no time. */
static int64_t mean_ps(const anax_comparison *comparison, size_t candidate, uint32_t seeds) {
    __int128 sum = 0;
    for (uint32_t seed = 0; seed < seeds; seed++) {
        const struct compare_point *point =
            &comparison->points[comparison_point(comparison, 0, candidate, seed)];
        if (!point->finished) return -1;
        sum += point->time_ps;
    }
    return (int64_t)(sum / seeds);
}

/* Takes the reason why a candidate has no time. */
static status_code take_failure(struct search_candidate *candidate,
                                const anax_comparison *comparison, size_t index, uint32_t seeds,
                                struct status *status) {
    for (uint32_t seed = 0; seed < seeds; seed++) {
        const struct compare_point *point =
            &comparison->points[comparison_point(comparison, 0, index, seed)];
        if (point->finished || point->failure == NULL || candidate->reason != NULL) continue;
        FORWARD_IF_ERROR(memory_copy_text(&candidate->reason, point->failure, status));
        candidate->reason[strcspn(candidate->reason, "\n")] = '\0';
    }
    return STATUS_OK;
}

/* Runs a stage for the candidates in `kept`, and leaves those in it that the stage keeps. */
static status_code run_stage(anax_search *search, struct search_stage *stage, bool *kept,
                             int64_t *times_ps, const char *folder, const anax_options *options,
                             struct status *status) {
    anax_comparison *comparison =
        stage->part == SEARCH_OF_PART ? search->on_part : search->on_whole;
    const uint32_t number = (uint32_t)(stage - search->stages) + 1;
    for (size_t i = 0; i < search->candidate_count; i++) {
        for (uint32_t seed = 0; seed < comparison->seed_count; seed++) {
            const size_t point = comparison_point(comparison, 0, i, seed);
            const bool wanted = kept[i] && seed < stage->seeds;
            stage->points += wanted && !comparison->points[point].finished;
            comparison->wanted[point] = wanted;
        }
        stage->candidates += kept[i];
        if (kept[i]) search->candidates[i].stage = number;
    }
    if (search->process_parts > 0)
        FORWARD_IF_ERROR(comparison_run(comparison, folder, search->process_part,
                                        search->process_parts, options, status));
    FORWARD_IF_ERROR(comparison_run(comparison, folder, 0, 0, options, status));
    for (size_t i = 0; i < search->candidate_count; i++) {
        times_ps[i] = kept[i] ? mean_ps(comparison, i, stage->seeds) : -1;
        if (kept[i] && times_ps[i] < 0)
            FORWARD_IF_ERROR(
                take_failure(&search->candidates[i], comparison, i, stage->seeds, status));
    }
    size_t wanted = (stage->candidates + KEPT_SHARE - 1) / KEPT_SHARE;
    if (wanted < FEWEST) wanted = FEWEST;
    return search_keep(kept, &stage->kept, search->candidates, times_ps, search->candidate_count,
                       wanted, status);
}

static struct search_stage *add_stage(anax_search *search, search_part part, uint32_t seeds) {
    struct search_stage *stage = &search->stages[search->stage_count++];
    *stage = (struct search_stage){.part = part, .seeds = seeds};
    return stage;
}

/* Keeps all candidates of a stage on a part of the trace that no candidate could replay: the whole
 * trace decides. */
static void take_back(anax_search *search, struct search_stage *stage, bool *kept) {
    for (size_t i = 0; i < search->candidate_count; i++) {
        kept[i] = search->candidates[i].stage > 0;
        if (!kept[i]) continue;
        free(search->candidates[i].reason);
        search->candidates[i].reason = NULL;
    }
    stage->kept = stage->candidates;
}

static status_code run_stages(anax_search *search, bool *kept, int64_t *times_ps,
                              const char *folder, const anax_options *options,
                              struct status *status) {
    const uint32_t seeds = search->on_whole->seed_count;
    size_t left = search->candidate_count - search->left_out;
    if (left > FEWEST && search->on_part != NULL) {
        struct search_stage *stage = add_stage(search, SEARCH_OF_PART, 1);
        FORWARD_IF_ERROR(run_stage(search, stage, kept, times_ps, folder, options, status));
        if (stage->kept == 0) take_back(search, stage, kept);
        left = stage->kept;
    }
    if (left > FEWEST && seeds > 1) {
        struct search_stage *stage = add_stage(search, SEARCH_OF_WHOLE, 1);
        FORWARD_IF_ERROR(run_stage(search, stage, kept, times_ps, folder, options, status));
    }
    return run_stage(search, add_stage(search, SEARCH_OF_WHOLE, seeds), kept, times_ps, folder,
                     options, status);
}

/* Allocates which points of a comparison are wanted. */
static status_code mark(anax_comparison *comparison, struct status *status) {
    if (comparison == NULL) return STATUS_OK;
    comparison->wanted = memory_new(comparison->point_count, sizeof *comparison->wanted);
    RETURN_ERROR_IF(comparison->wanted == NULL, status, STATUS_MEMORY, "out of memory for points");
    return STATUS_OK;
}

static void count_up(anax_search *search, const anax_comparison *comparison) {
    for (size_t i = 0; comparison != NULL && i < comparison->point_count; i++) {
        search->found += comparison->points[i].was_kept;
        search->damaged += comparison->points[i].was_damaged;
        search->failed += comparison->points[i].failure != NULL;
    }
}

status_code search_run_stages(anax_search *search, const char *folder, const anax_options *options,
                              struct status *status) {
    bool *kept = memory_new(search->candidate_count, sizeof *kept);
    int64_t *times_ps = memory_new(search->candidate_count, sizeof *times_ps);
    status_code code = STATUS_OK;
    if (kept == NULL || times_ps == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for a search");
    if (code == STATUS_OK) code = mark(search->on_whole, status);
    if (code == STATUS_OK) code = mark(search->on_part, status);
    for (size_t i = 0; code == STATUS_OK && i < search->candidate_count; i++)
        kept[i] = search->candidates[i].stage > 0;
    if (code == STATUS_OK) code = run_stages(search, kept, times_ps, folder, options, status);
    free(kept);
    free(times_ps);
    for (uint32_t i = 0; i < search->stage_count; i++)
        search->point_count += search->stages[i].points;
    count_up(search, search->on_whole);
    count_up(search, search->on_part);
    return code;
}
