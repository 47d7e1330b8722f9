/*
 * Runs the points of a comparison, several at once, and keeps them.
 *
 * Invariant: the failure of a point is a result of this point. Only other failures (memory, the
 * system, being stopped) end the comparison; points that have finished by then are kept.
 */
#include "api/api_progress.h"
#include "api/compare/kept_points.h"
#include "api/points.h"
#include "api/report/link_report.h"
#include "api/report/text_buffer.h"
#include "api/seed_influence.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/plural.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state that all threads share. */
struct compare_work {
    anax_comparison *comparison;
    const char *folder;
    const anax_options *options;
    unsigned threads; /* threads of each point */
    bool first;       /* only the points of the first seeds are run */
    atomic_size_t done;
    atomic_bool stopped;
};

struct compare_progress {
    struct compare_work *work;
    unsigned worker;
};

/* Reports progress to the caller from the first worker only. Returns false for all workers once the
 * caller has stopped the run. */
static bool report(void *context, const anax_progress *inner) {
    const struct compare_progress *progress = context;
    struct compare_work *work = progress->work;
    if (progress->worker == 0) {
        char phase[96];
        const size_t done = atomic_load(&work->done), all = work->comparison->point_count;
        snprintf(phase, sizeof phase, "%zu of %zu point%s", done, all, plural(all));
        const anax_progress outer = {.phase = phase,
                                     .done = done,
                                     .total = all,
                                     .time_ps = inner->time_ps,
                                     .events = inner->events};
        if (!work->options->progress(work->options->progress_context, &outer))
            atomic_store(&work->stopped, true);
    }
    return !atomic_load(&work->stopped);
}

const char *const compare_part_names[COMPARE_PARTS] = {
    "computation",    "send overhead",   "receive overhead", "reductions", "late senders",
    "late receivers", "network transit", "network queueing", "collectives"};

static void take_links(struct compare_point *point, const struct network *network) {
    struct link_report_busiest busiest;
    link_report_busiest(network, &busiest);
    for (; point->link_count < busiest.count && point->link_count < COMPARE_LINKS;
         point->link_count++) {
        const struct network_link *from = &busiest.links[point->link_count];
        struct compare_link *link = &point->links[point->link_count];
        char source[24], destination[24];
        link_report_source(from, source, sizeof source);
        link_report_destination(from, destination, sizeof destination);
        snprintf(link->name, sizeof link->name, "%s %s -> %s", link_report_kind(from), source,
                 destination);
        link->busy_ps = from->busy_ps;
        link->stalled_ps = from->figures.stalled_ps;
    }
}

static void take_result(struct compare_point *point, const anax_result *result) {
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
    point->exact = !seed_influences(result);
    point->time_ps = replay->time_ps;
    point->digest = result->digest;
    take_links(point, result->network);
}

static status_code note_failure(struct compare_point *point, const char *text,
                                struct status *status) {
    return memory_copy_text(&point->failure, text != NULL ? text : "it did not finish", status);
}

/* Returns whether a point should be kept. A refused point is not kept: it took no time, and a later
 * version may accept it. */
static bool worth_keeping(const struct compare_point *point, anax_code code) {
    return point->finished || (point->failure != NULL && code == ANAX_RUN);
}

static status_code replay_point(struct compare_point *point, struct compare_work *work,
                                unsigned worker, const anax_config *config, const anax_trace *trace,
                                bool *keep, struct status *status) {
    struct compare_progress progress = {work, worker};
    anax_options options = ANAX_OPTIONS_INIT;
    options.threads = work->threads;
    if (work->options->progress != NULL) {
        options.progress = report;
        options.progress_context = &progress;
    }
    anax_error error = ANAX_ERROR_INIT;
    anax_result *result = NULL;
    const anax_code code = anax_replay(&result, config, trace, &options, &error);
    status_code own = STATUS_OK;
    if (atomic_load(&work->stopped)) {
        own = status_set(status, STATUS_RUN, "stopped");
    } else if (code == ANAX_OK) {
        take_result(point, result);
    } else if (code == ANAX_MEMORY || code == ANAX_SYSTEM) {
        own = status_take(status, (status_code)code, error.text);
        error.text = NULL;
    } else {
        own = note_failure(point, error.text, status);
    }
    *keep = worth_keeping(point, code);
    anax_error_clear(&error);
    anax_result_free(result);
    return own;
}

static status_code keep(const struct compare_point *point, const struct compare_work *work,
                        const struct kept_key *key, size_t trace, size_t candidate, uint32_t seed,
                        struct status *status) {
    char *label = comparison_label(work->comparison, candidate);
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text, "%s: %s, seed %" PRId64, work->comparison->names[trace],
             label != NULL ? label : "", work->comparison->first_seed + seed);
    free(label);
    label = text_take(&text);
    status_code code = kept_store(point, work->folder, key, label != NULL ? label : "", status);
    free(label);
    return code;
}

static status_code find_or_run(struct compare_work *work, unsigned worker, size_t item,
                               struct status *status) {
    anax_comparison *comparison = work->comparison;
    struct compare_point *point = &comparison->points[item];
    const uint32_t seed = (uint32_t)(item % comparison->seed_count);
    const size_t candidate = item / comparison->seed_count % comparison->candidate_count;
    const size_t trace = item / comparison->seed_count / comparison->candidate_count;
    anax_config *config = NULL;
    struct status own = STATUS_INIT;
    status_code code = comparison_config(&config, comparison, candidate, seed, &own);
    if (code != STATUS_OK) {
        if (own.code == STATUS_MEMORY) return status_take(status, STATUS_MEMORY, own.text);
        code = note_failure(point, own.text, status); /* its values do not fit together */
        status_clear(&own);
        return code;
    }
    struct kept_key key;
    code = kept_key_of(&key, config, comparison->traces[trace], status);
    kept_state state = KEPT_ABSENT;
    if (code == STATUS_OK && work->folder != NULL) state = kept_find(point, work->folder, &key);
    if (code == STATUS_OK && state != KEPT_FOUND) {
        bool worth = false;
        *point = (struct compare_point){.damaged = state == KEPT_DAMAGED};
        code = replay_point(point, work, worker, config, comparison->traces[trace], &worth, status);
        if (code == STATUS_OK && worth && work->folder != NULL)
            code = keep(point, work, &key, trace, candidate, seed, status);
    }
    anax_config_free(config);
    return code;
}

/* Runs a point of a candidate's first seed, or of its other seeds. Where the first point is exact,
 * the others are equal to it and are not run. */
static status_code run_point(void *context, unsigned worker, uint64_t number,
                             struct status *status) {
    struct compare_work *work = context;
    const uint32_t seeds = work->comparison->seed_count, others = seeds - 1;
    struct compare_point *points = work->comparison->points;
    number = work->first ? number * seeds : number / others * seeds + 1 + number % others;
    const struct compare_point *first = &points[number / seeds * seeds];
    if (!work->first && first->exact) {
        points[number] = *first;
        points[number].damaged = false;
        atomic_fetch_add(&work->done, 1);
        return STATUS_OK;
    }
    struct compare_progress progress = {work, worker};
    if (work->options->progress != NULL) report(&progress, &(anax_progress){0});
    if (atomic_load(&work->stopped)) return status_set(status, STATUS_RUN, "stopped");
    FORWARD_IF_ERROR(find_or_run(work, worker, number, status));
    atomic_fetch_add(&work->done, 1);
    return STATUS_OK;
}

/* Returns the number of nodes of the largest machine. */
static int64_t most_nodes(const anax_comparison *comparison) {
    int64_t most = 0;
    for (size_t candidate = 0; candidate < comparison->candidate_count; candidate++) {
        anax_config *config = NULL;
        if (comparison_config(&config, comparison, candidate, 0, NULL) != STATUS_OK) continue;
        const int64_t nodes = network_config_nodes(&config->network);
        if (nodes > most) most = nodes;
        anax_config_free(config);
    }
    return most;
}

static void count_up(anax_comparison *comparison) {
    for (size_t i = 0; i < comparison->point_count; i++) {
        comparison->failed += !comparison->points[i].finished;
        comparison->found += comparison->points[i].found;
        comparison->damaged += comparison->points[i].damaged;
    }
}

status_code comparison_run(anax_comparison *comparison, const char *folder,
                           const anax_options *options, struct status *status) {
    struct compare_work work = {.comparison = comparison, .folder = folder, .options = options};
    if (folder != NULL) FORWARD_IF_ERROR(kept_folder(folder, status));
    atomic_init(&work.done, 0);
    atomic_init(&work.stopped, false);
    const size_t candidates = comparison->point_count / comparison->seed_count;
    status_code code = STATUS_OK;
    for (int part = 0; part < 2 && code == STATUS_OK; part++) {
        work.first = part == 0;
        const size_t count = work.first ? candidates : comparison->point_count - candidates;
        if (count == 0) break;
        const unsigned points =
            points_at_once(options, most_nodes(comparison), count, &work.threads);
        code = parallel_for(points, count, run_point, &work, status);
    }
    if (code == STATUS_RUN && folder != NULL)
        status_set(status, STATUS_RUN,
                   "stopped after %zu of %zu point%s, which are kept in %s; the same comparison "
                   "goes on from there",
                   atomic_load(&work.done), comparison->point_count,
                   plural(comparison->point_count), folder);
    count_up(comparison);
    return code;
}
