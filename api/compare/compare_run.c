/*
 * Runs the points of a comparison, several at once, and keeps them.
 *
 * Invariant: the failure of a point is a result of this point. Only other failures (memory, the
 * system, being stopped) end the comparison; points that have finished by then are kept.
 */
#include "api/compare/kept_points.h"
#include "api/points/points_at_once.h"
#include "api/points/points_run.h"
#include "api/results/link_numbers.h"
#include "api/run/seed_influence.h"
#include "api/text/text_buffer.h"
#include "core/base/plural.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct compare_work {
    anax_comparison *comparison;
    unsigned threads; /* threads of each point */
    size_t count;     /* points to run or to find */
    struct points_run run;
};

/* The indices that a point's number stands for. */
struct compare_place {
    size_t trace, candidate;
    uint32_t seed;
};

struct compare_progress {
    struct compare_work *work;
    unsigned worker;
};

static struct compare_place place_of_point(const anax_comparison *comparison, size_t point) {
    return (struct compare_place){
        .trace = point / comparison->seed_count / comparison->set.candidate_count,
        .candidate = point / comparison->seed_count % comparison->set.candidate_count,
        .seed = (uint32_t)(point % comparison->seed_count),
    };
}

/* Takes the progress of a worker's replay. */
static bool record_progress(void *context, const anax_progress *inner) {
    const struct compare_progress *progress = context;
    const uint64_t share =
        inner->total > 0 ? (uint64_t)wide_millionths(inner->done, inner->total) : 0;
    return points_record_progress(&progress->work->run, progress->worker, inner->time_ps,
                                  inner->events, share);
}

/* Tells the caller how many points are done. */
static bool report_progress(const struct points_run *run) {
    char phase[96];
    const size_t done = atomic_load(&run->done);
    const struct compare_work *work = run->context;
    const size_t all = work->count;
    snprintf(phase, sizeof phase, "%zu of %zu point%s", done, all, plural(all));
    const anax_progress outer = {
        .phase = phase,
        .done = points_done_millionths(run, all),
        .total = (uint64_t)all * POINTS_MILLION,
        .time_ps = atomic_load(&run->workers[0].time_ps),
        .events = atomic_load(&run->workers[0].events),
    };
    return run->options->progress(run->options->progress_context, &outer);
}

static void take_links(struct compare_point *point, const struct network *network) {
    struct link_numbers_busiest busiest;
    link_numbers_busiest(network, &busiest);
    for (; point->link_count < busiest.count && point->link_count < COMPARE_LINKS;
         point->link_count++) {
        const struct network_link *from = &busiest.links[point->link_count];
        struct compare_link *link = &point->links[point->link_count];
        char source[24], destination[24];
        link_numbers_source(from, source, sizeof source);
        link_numbers_destination(from, destination, sizeof destination);
        snprintf(link->name, sizeof link->name, "%s %s -> %s", link_numbers_kind(from), source,
                 destination);
        link->busy_ps = from->busy_ps;
        link->stalled_ps = from->numbers.stalled_ps;
    }
}

static void take_result(struct compare_point *point, const anax_replay_result *result) {
    const struct replay_result *replay = result->replay;
    wide sums[COMPARE_PARTS] = {0};
    for (uint32_t i = 0; i < replay->rank_count; i++) {
        const struct replay_rank_result *rank = &replay->ranks[i];
        const int64_t parts_ps[COMPARE_PARTS] = {
            rank->compute_ps,      rank->send_overhead_ps,    rank->receive_overhead_ps,
            rank->reduction_ps,    rank->wait_late_sender_ps, rank->wait_late_receiver_ps,
            rank->wait_transit_ps, rank->wait_queueing_ps,    rank->collective_ps};
        for (size_t k = 0; k < COMPARE_PARTS; k++)
            sums[k] += (uint64_t)parts_ps[k];
    }
    for (size_t k = 0; k < COMPARE_PARTS; k++)
        point->parts_ps[k] = (int64_t)(sums[k] / replay->rank_count);
    point->finished = true;
    point->exact = !seed_has_influence(result);
    point->time_ps = replay->time_ps;
    point->digest = result->run.digest;
    take_links(point, result->run.network);
    point->links_span_ps = link_numbers_span_ps(result->run.network, replay->time_ps);
}

static status_code record_failure(struct compare_point *point, const char *text,
                                  struct status *status) {
    return memory_copy_text(&point->failure, text != NULL ? text : "it did not finish", status);
}

/* Returns whether a point should be kept. A refused point is not kept: it took no time, and a later
 * version may accept it. */
static bool worth_keeping(const struct compare_point *point, anax_code code) {
    return point->finished || (point->failure != NULL && code == ANAX_ERROR_RUN);
}

/* Replays a point whose configuration fits together. */
static status_code replay_point(struct compare_point *point, struct compare_work *work,
                                unsigned worker, const anax_config *config, const anax_trace *trace,
                                bool *keep, struct status *status) {
    struct compare_progress progress = {work, worker};
    anax_options options = ANAX_OPTIONS_INIT;
    options.threads = work->threads;
    options.progress = record_progress;
    options.progress_context = &progress;
    anax_error error = ANAX_ERROR_INIT;
    anax_replay_result *result = NULL;
    const double begun_s = api_clock_s();
    const anax_code code = anax_replay(&result, config, trace, &options, &error);
    point->seconds = api_clock_s() - begun_s;
    status_code own = STATUS_OK;
    if (atomic_load(&work->run.stopped)) {
        own = status_set(status, STATUS_STOPPED, "stopped");
    } else if (code == ANAX_OK) {
        take_result(point, result);
    } else if (code == ANAX_ERROR_MEMORY || code == ANAX_ERROR_SYSTEM) {
        own = status_take(status, (status_code)code, error.text);
        error.text = NULL;
    } else {
        own = record_failure(point, error.text, status);
    }
    *keep = worth_keeping(point, code);
    anax_error_clear(&error);
    anax_replay_result_free(result);
    return own;
}

static status_code find_point_key(void *context, size_t number, struct kept_key *key,
                                  bool *is_pending, struct status *status) {
    struct compare_work *work = context;
    anax_comparison *comparison = work->comparison;
    const struct compare_place place = place_of_point(comparison, number);
    anax_config *config = NULL;
    struct status own = STATUS_INIT;
    status_code code =
        comparison_new_config(&config, comparison, place.candidate, place.seed, &own);
    *is_pending = code == STATUS_OK;
    if (code == STATUS_OK) {
        code = kept_key_of(key, config, comparison->traces[place.trace], status);
        anax_config_free(config);
        return code;
    }
    if (own.code == STATUS_MEMORY) return status_take(status, STATUS_MEMORY, own.text);
    struct compare_point *point = &comparison->points[number];
    if (point->failure == NULL) /* its values do not fit together */
        code = record_failure(point, own.text, status);
    status_clear(&own);
    return code == STATUS_MEMORY ? code : STATUS_OK;
}

static kept_state find_kept_point(void *context, size_t number, const char *folder,
                                  const struct kept_key *key) {
    struct compare_work *work = context;
    struct compare_point *point = &work->comparison->points[number];
    const kept_state state = kept_find(point, folder, key);
    if (state == KEPT_DAMAGED) point->was_damaged = true;
    return state;
}

static status_code run_point(void *context, unsigned worker, size_t number, bool *worth,
                             struct status *status) {
    struct compare_work *work = context;
    anax_comparison *comparison = work->comparison;
    const struct compare_place place = place_of_point(comparison, number);
    anax_config *config = NULL;
    FORWARD_IF_ERROR(
        comparison_new_config(&config, comparison, place.candidate, place.seed, status));
    status_code code = replay_point(&comparison->points[number], work, worker, config,
                                    comparison->traces[place.trace], worth, status);
    anax_config_free(config);
    return code;
}

static status_code keep_point(void *context, size_t number, const char *folder,
                              const struct kept_key *key, struct status *status) {
    const struct compare_work *work = context;
    const anax_comparison *comparison = work->comparison;
    const struct compare_place place = place_of_point(comparison, number);
    char *label = candidate_set_label(&comparison->set, place.candidate);
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text, "%s: %s, seed %" PRId64, comparison->names[place.trace],
             label != NULL ? label : "", comparison->first_seed + place.seed);
    free(label);
    label = text_take(&text);
    status_code code =
        kept_store(&comparison->points[number], folder, key, label != NULL ? label : "", status);
    free(label);
    return code;
}

static bool is_wanted(const void *context, size_t number) {
    const struct compare_work *work = context;
    const anax_comparison *comparison = work->comparison;
    return !comparison->points[number].finished &&
           (comparison->wanted == NULL || comparison->wanted[number]);
}

static bool comes_first(const void *context, size_t number) {
    const struct compare_work *work = context;
    return number % work->comparison->seed_count == 0;
}

/* Gives a point the result of its candidate's first point if no seed has an influence on that one.
 */
static bool take_exact(void *context, size_t number) {
    struct compare_work *work = context;
    struct compare_point *point = &work->comparison->points[number];
    const struct compare_point *first = point - number % work->comparison->seed_count;
    if (!first->finished || !first->exact) return false;
    *point = *first;
    point->was_kept =
        first->was_kept || first->was_damaged; /* a damaged file was there for the first only */
    point->was_damaged = false;
    return true;
}

static const struct points_kind kind = {
    .key = find_point_key, .find = find_kept_point, .run = run_point, .keep = keep_point};

/* Returns the number of nodes of the largest machine. */
static int64_t max_nodes(const anax_comparison *comparison) {
    int64_t max = 0;
    for (size_t candidate = 0; candidate < comparison->set.candidate_count; candidate++) {
        anax_config *config = NULL;
        if (comparison_new_config(&config, comparison, candidate, 0, NULL) != STATUS_OK) continue;
        const int64_t nodes = network_config_nodes(&config->network);
        if (nodes > max) max = nodes;
        anax_config_free(config);
    }
    return max;
}

static void count_up(anax_comparison *comparison, uint32_t part, uint32_t parts) {
    for (size_t i = 0; i < comparison->point_count; i++) {
        if (!points_is_of_part(i, part, parts)) continue;
        comparison->failed += !comparison->points[i].finished;
        comparison->found += comparison->points[i].was_kept;
        comparison->damaged += comparison->points[i].was_damaged;
    }
}

status_code comparison_run(anax_comparison *comparison, const char *folder, uint32_t part,
                           uint32_t parts, const anax_options *options, struct status *status) {
    struct compare_work work = {.comparison = comparison};
    work.run = (struct points_run){.kind = &kind,
                                   .context = &work,
                                   .folder = folder,
                                   .options = options,
                                   .count = comparison->point_count,
                                   .part = part,
                                   .parts = parts,
                                   .is_wanted = is_wanted,
                                   .comes_first = comes_first,
                                   .take_result = take_exact,
                                   .report = report_progress};
    size_t count = 0;
    for (size_t i = 0; i < comparison->point_count; i++)
        count += points_is_of_part(i, part, parts) && is_wanted(&work, i);
    work.count = count;
    work.run.at_once = points_at_once(options, max_nodes(comparison), count, &work.threads);
    status_code code = points_run(&work.run, status);
    if (code == STATUS_STOPPED && folder != NULL)
        status_set(status, STATUS_STOPPED,
                   "stopped after %zu of %zu point%s, which are kept in %s; the same command goes "
                   "on from there",
                   atomic_load(&work.run.done), count, plural(count), folder);
    count_up(comparison, part, parts);
    return code;
}

status_code comparison_count_parts(unsigned *parts, anax_comparison *comparison, const char *folder,
                                   const anax_options *options, struct status *status) {
    struct compare_work work = {.comparison = comparison};
    struct points_times times = {.items = comparison->point_count};
    for (size_t i = 0; i < comparison->point_count; i++) {
        struct kept_key key;
        bool is_pending;
        FORWARD_IF_ERROR(find_point_key(&work, i, &key, &is_pending, status));
        if (!is_pending) continue;
        const bool is_there =
            folder != NULL && find_kept_point(&work, i, folder, &key) == KEPT_FOUND;
        times.missing += !is_there;
        if (!is_there || comparison->points[i].seconds < 0) continue;
        times.known++;
        times.known_s += comparison->points[i].seconds;
    }
    times.at_once = points_at_once(options, max_nodes(comparison), times.items, &work.threads);
    *parts = points_count_parts(&times);
    return STATUS_OK;
}
