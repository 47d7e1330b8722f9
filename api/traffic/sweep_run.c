/*
 * Runs the points of synthetic traffic, or searches the saturation load of each curve and seed by
 * bisection.
 */
#include "api/points/points_at_once.h"
#include "api/points/points_run.h"
#include "api/run/run_checkpoint.h"
#include "api/run/watched_links.h"
#include "api/text/text_buffer.h"
#include "api/traffic/sweep.h"
#include "core/base/digest.h"
#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { FULL_LOAD = 1000000 };

struct sweep_work {
    struct traffic_sweep *sweep;
    anax_traffic_result *result; /* receives the network of a single point; NULL: none is wanted */
    unsigned threads;            /* threads of each point */
    size_t all;                  /* most points that the part can have */
    atomic_int_fast64_t load_millionths; /* offered load of the first worker's point */
    struct checkpoint *checkpoint; /* checkpoint whose simulations are the points; NULL: none */
    struct points_run run;
};

struct sweep_progress {
    struct sweep_work *work;
    unsigned worker;
};

static int64_t length_ps(const struct traffic_config *traffic) {
    return traffic->warmup_ps + traffic->measure_ps + traffic->drain_ps;
}

/* Returns the share of a worker's point that is simulated at a time, in millionths. */
static uint64_t share_of(const struct sweep_work *work, unsigned worker, int64_t now_ps) {
    const struct points_worker *at = &work->run.workers[worker];
    const struct sweep_point *point = &work->sweep->points[atomic_load(&at->point)];
    const int64_t length = length_ps(&work->sweep->curves[point->curve].config->traffic);
    if (now_ps <= 0 || length <= 0) return 0;
    return (uint64_t)wide_millionths((uint64_t)(now_ps < length ? now_ps : length),
                                     (uint64_t)length);
}

/* Reports the point of the first worker, and the share of all points that is simulated. */
static bool report_progress(const struct points_run *run) {
    const struct sweep_work *work = run->context;
    const struct traffic_sweep *sweep = work->sweep;
    const struct sweep_point *point = &sweep->points[atomic_load(&run->workers[0].point)];
    const size_t begun = atomic_load(&run->begun);
    char load[UNITS_TEXT_BYTES];
    struct text_buffer phase = TEXT_BUFFER_INIT;
    units_ratio_text(atomic_load(&work->load_millionths), load, sizeof load);
    text_add(&phase, "load %s", load);
    if (sweep->points_wanted > 1) {
        char *label = sweep_label(sweep, point->curve);
        text_add(&phase, " of %s (point %zu of %zu)", label != NULL ? label : "",
                 begun > 0 ? begun : 1, work->all);
        free(label);
    }
    char *text = text_take(&phase);
    const anax_progress progress = {.phase = text != NULL ? text : "load",
                                    .done = points_done_millionths(run, work->all),
                                    .total = (uint64_t)work->all * POINTS_MILLION,
                                    .time_ps = atomic_load(&run->workers[0].time_ps),
                                    .events = atomic_load(&run->workers[0].events)};
    const bool goes_on = run->options->progress(run->options->progress_context, &progress);
    free(text);
    return goes_on;
}

static bool record_progress(void *context, int64_t now_ps, uint64_t events) {
    const struct sweep_progress *progress = context;
    return points_record_progress(&progress->work->run, progress->worker, now_ps, events,
                                  share_of(progress->work, progress->worker, now_ps));
}

static bool is_single(const struct sweep_work *work) {
    return work->sweep->points_wanted == 1 && work->result != NULL;
}

status_code sweep_point_key(struct kept_key *key, const struct traffic_sweep *sweep,
                            const struct sweep_point *point, struct status *status) {
    anax_config *config = NULL;
    FORWARD_IF_ERROR(api_config_copy(&config, sweep->curves[point->curve].config, status));
    config->run.seed = sweep->first_seed + point->seed;
    status_code code = kept_key_begin(key, config, ANAX_SCOPE_TRAFFIC, status);
    kept_key_add(key, (uint64_t)point->figures.offered_millionths);
    anax_config_free(config);
    return code;
}

static status_code find_point_key(void *context, size_t index, struct kept_key *key,
                                  bool *is_pending, struct status *status) {
    const struct sweep_work *work = context;
    *is_pending = true;
    if (work->run.folder == NULL) return STATUS_OK;
    return sweep_point_key(key, work->sweep, &work->sweep->points[index], status);
}

/* A single point is run in any case: its links and latencies are not kept. */
static kept_state find_kept_point(void *context, size_t index, const char *folder,
                                  const struct kept_key *key) {
    const struct sweep_work *work = context;
    return is_single(work) ? KEPT_ABSENT
                           : kept_traffic_find(&work->sweep->points[index], folder, key);
}

/* Sets *checkpoint_key to a hash of the point's key, by which a checkpoint knows the point; leaves
 * it as it is without checkpoints. */
static status_code set_checkpoint_key(uint64_t *checkpoint_key, const struct sweep_work *work,
                                      const struct sweep_point *point, struct status *status) {
    struct kept_key key;
    if (work->checkpoint == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(sweep_point_key(&key, work->sweep, point, status));
    *checkpoint_key = digest_mix(key.word[0], key.word[1]);
    return STATUS_OK;
}

/* Makes sure that all processes run the same points with the same settings, and begins the run with
 * checkpoints if the caller wants any. */
static status_code begin_checkpoints(struct sweep_work *work, struct status *status) {
    const struct traffic_sweep *sweep = work->sweep;
    struct processes *processes = api_processes(work->run.options);
    const bool is_kept = run_checkpoint_wanted(work->run.options);
    struct checkpoint_facts facts = {0};
    if (processes == NULL && !is_kept) return STATUS_OK;
    if (is_kept) FORWARD_IF_ERROR(run_checkpoint_check_settings(sweep->curves[0].config, status));
    status_code code = run_checkpoint_facts(&facts, sweep->curves[0].config, ANAX_SCOPE_TRAFFIC,
                                            "traffic", status);
    uint64_t curves_hash = 0, loads_hash = 0;
    for (size_t i = 0; i < sweep->curve_count && code == STATUS_OK; i++) {
        struct kept_key key;
        const struct sweep_point point = {.curve = i};
        code = sweep_point_key(&key, sweep, &point, status);
        if (code == STATUS_OK)
            curves_hash = digest_mix(curves_hash, digest_mix(key.word[0], key.word[1]));
    }
    for (size_t i = 0; sweep->loads != NULL && i < sweep->load_count; i++)
        loads_hash = digest_mix(loads_hash, (uint64_t)sweep->loads[i]);
    checkpoint_add_fact(&facts, "the hash of all curves", "%016" PRIx64, curves_hash);
    checkpoint_add_fact(&facts, "the loads", "%zu, hash %016" PRIx64, sweep->load_count,
                        loads_hash);
    checkpoint_add_fact(&facts, "the width of the search", "%" PRId64 " millionths",
                        sweep->width_millionths);
    checkpoint_add_fact(&facts, "the seeds", "%u from %" PRId64, sweep->seed_count,
                        sweep->first_seed);
    checkpoint_add_fact(&facts, "the part", "%u/%u", work->run.part, work->run.parts);
    if (code == STATUS_OK)
        code = run_checkpoint_same_everywhere(&facts, api_time_bins(sweep->curves[0].config),
                                              processes, status);
    if (code == STATUS_OK && is_kept)
        code = run_checkpoint_new(&work->checkpoint, work->run.options, &facts, status);
    checkpoint_facts_clear(&facts);
    return code;
}

static status_code simulate(struct sweep_work *work, unsigned worker, struct sweep_point *point,
                            struct status *status) {
    const struct traffic_sweep *sweep = work->sweep;
    const anax_config *config = sweep->curves[point->curve].config;
    struct sweep_progress progress = {work, worker};
    struct traffic_options options = {
        .threads = work->threads,
        .histogram = is_single(work) ? work->result->histogram : NULL,
        .progress = record_progress,
        .progress_context = &progress,
        .processes = api_processes(work->run.options),
        .time_bins = is_single(work) ? api_time_bins(config) : 0,
        .checkpoint = work->checkpoint,
    };
    struct network *network = NULL;
    const double begun_s = api_clock_s();
    uint64_t checkpoint_key = 0;
    /* The message of progress names the load of one point. */
    if (worker == 0) atomic_store(&work->load_millionths, point->figures.offered_millionths);
    FORWARD_IF_ERROR(set_checkpoint_key(&checkpoint_key, work, point, status));
    if (!is_single(work) && checkpoint_find_result(work->checkpoint, checkpoint_key,
                                                   &point->figures, sizeof point->figures)) {
        point->finished = true;
        point->seconds = -1;
        return STATUS_OK;
    }
    struct watched_links links = {0};
    if (is_single(work))
        FORWARD_IF_ERROR(watched_links_read(&links, config, ANAX_SCOPE_TRAFFIC, status));
    options.links = links.names;
    options.link_count = links.count;
    checkpoint_begin(work->checkpoint, checkpoint_key);
    status_code code = traffic_run(&point->figures, &network, &config->network, &config->traffic,
                                   point->figures.offered_millionths,
                                   (uint64_t)(sweep->first_seed + point->seed), &options, status);
    point->seconds = api_clock_s() - begun_s;
    watched_links_free(&links);
    if (is_single(work))
        work->result->run.network = network;
    else
        network_free(network);
    if (code == STATUS_OK && !is_single(work))
        code = checkpoint_record_result(work->checkpoint, checkpoint_key, &point->figures,
                                        sizeof point->figures, status);
    point->finished = code == STATUS_OK;
    return code;
}

/* Adds to an error of a point which point it is. */
static status_code name_point(const struct sweep_work *work, const struct sweep_point *point,
                              struct status *status) {
    const struct traffic_sweep *sweep = work->sweep;
    char load[UNITS_TEXT_BYTES];
    units_ratio_text(point->figures.offered_millionths, load, sizeof load);
    char *label = sweep->curve_count > 1 ? sweep_label(sweep, point->curve) : NULL;
    if (sweep->seed_count > 1)
        status_prefix(status, "%s%sload %s, seed %" PRId64, label != NULL ? label : "",
                      label != NULL ? ", " : "", load, sweep->first_seed + point->seed);
    else
        status_prefix(status, "%s%sload %s", label != NULL ? label : "", label != NULL ? ", " : "",
                      load);
    free(label);
    return status->code;
}

/* Runs a point. A point that could not go on is kept with its reason, and is an error of the run
 * unless it belongs to a part. */
static status_code run_point(void *context, unsigned worker, size_t index, bool *worth,
                             struct status *status) {
    struct sweep_work *work = context;
    struct sweep_point *point = &work->sweep->points[index];
    struct status own = STATUS_INIT;
    const status_code code = simulate(work, worker, point, &own);
    *worth = code == STATUS_OK || code == STATUS_RUN;
    if (code == STATUS_OK) return STATUS_OK;
    name_point(work, point, &own);
    if (!*worth) return status_take(status, code, own.text);
    point->failure = own.text;
    return STATUS_OK;
}

static status_code keep_point(void *context, size_t index, const char *folder,
                              const struct kept_key *key, struct status *status) {
    const struct sweep_work *work = context;
    const struct sweep_point *point = &work->sweep->points[index];
    char *label = sweep_label(work->sweep, point->curve), load[UNITS_TEXT_BYTES];
    struct text_buffer text = TEXT_BUFFER_INIT;
    units_ratio_text(point->figures.offered_millionths, load, sizeof load);
    text_add(&text, "%s, %s, load %s, seed %" PRId64,
             api_machine_name(work->sweep->curves[point->curve].config), label != NULL ? label : "",
             load, work->sweep->first_seed + point->seed);
    free(label);
    label = text_take(&text);
    status_code code = kept_traffic_store(point, folder, key, label != NULL ? label : "", status);
    free(label);
    return code;
}

static const struct points_kind kind = {
    .key = find_point_key, .find = find_kept_point, .run = run_point, .keep = keep_point};

/* Finds or runs a point. A failure of the point ends the run unless a part is run. */
static status_code do_point(struct points_run *run, unsigned worker, size_t index,
                            bool *claimed_elsewhere, struct status *status) {
    const struct sweep_work *work = run->context;
    FORWARD_IF_ERROR(points_find_or_run(run, worker, index, claimed_elsewhere, status));
    const char *failure = work->sweep->points[index].failure;
    if (failure == NULL || run->parts > 0) return STATUS_OK;
    return status_set(status, STATUS_RUN, "%s", failure);
}

/* Searches for the saturation load of a curve with a seed. points_run calls it again if another
 * process had claimed a point; the points that have results by then are not run again. */
static status_code search_saturation(struct points_run *run, unsigned worker, size_t item,
                                     bool *claimed_elsewhere, struct status *status) {
    const struct sweep_work *work = run->context;
    struct traffic_sweep *sweep = work->sweep;
    struct sweep_search *found = &sweep->searches[item];
    const uint32_t steps = sweep_search_steps(sweep->width_millionths);
    const size_t curve = item / sweep->seed_count, seed = item % sweep->seed_count;
    *found = (struct sweep_search){.unstable_millionths = 0};
    int64_t low = 0, high = FULL_LOAD, load = FULL_LOAD;
    for (uint32_t step = 0; step < steps; step++) {
        const size_t index = (curve * steps + step) * sweep->seed_count + seed;
        struct sweep_point *point = &sweep->points[index];
        point->figures.offered_millionths = load;
        *claimed_elsewhere = false;
        if (!point->finished && point->failure == NULL)
            FORWARD_IF_ERROR(do_point(run, worker, index, claimed_elsewhere, status));
        if (*claimed_elsewhere || !point->finished) return STATUS_OK;
        if (point->figures.stable)
            low = load;
        else
            high = load;
        if (low == high || high - low <= sweep->width_millionths) break;
        load = (low + high) / 2;
    }
    found->stable_millionths = low;
    found->unstable_millionths = low < high ? high : 0;
    return STATUS_OK;
}

static int64_t max_nodes(const struct traffic_sweep *sweep) {
    int64_t max = 0;
    for (size_t i = 0; i < sweep->curve_count; i++) {
        const int64_t nodes = network_config_nodes(&sweep->curves[i].config->network);
        if (nodes > max) max = nodes;
    }
    return max;
}

status_code sweep_run(struct traffic_sweep *sweep, const struct sweep_order *order,
                      anax_traffic_result *result, unsigned *at_once, struct status *status) {
    RETURN_ERROR_IF(api_processes(order->options) != NULL &&
                        (order->folder != NULL || order->parts > 0),
                    status, STATUS_USAGE,
                    "several processes simulate each point together, and keep none: remove "
                    "plan.points_folder, or give each process a part of its own "
                    "(anax_traffic_part)");
    const bool searches = sweep->searches != NULL;
    const size_t items = searches ? sweep->curve_count * sweep->seed_count : sweep->points_wanted;
    const size_t items_of_part = points_of_part(items, order->part, order->parts);
    struct sweep_work work = {.sweep = sweep, .result = result};
    work.all =
        searches ? items_of_part * sweep_search_steps(sweep->width_millionths) : items_of_part;
    work.run = (struct points_run){.kind = &kind,
                                   .context = &work,
                                   .folder = order->folder,
                                   .options = order->options,
                                   .count = items,
                                   .part = order->part,
                                   .parts = order->parts,
                                   .do_item = searches ? search_saturation : do_point,
                                   .report = report_progress};
    atomic_init(&work.load_millionths,
                sweep->points_wanted > 0 ? sweep->points[0].figures.offered_millionths : 0);
    if (is_single(&work)) {
        result->histogram = memory_new(1, sizeof *result->histogram);
        RETURN_ERROR_IF(result->histogram == NULL, status, STATUS_MEMORY, "out of memory");
    }
    work.run.at_once =
        points_at_once(order->options, max_nodes(sweep), items_of_part, &work.threads);
    if (api_processes(order->options) != NULL || run_checkpoint_wanted(order->options)) {
        work.run.at_once = 1; /* one point after another */
        work.threads = order->options->threads;
    }
    *at_once = work.run.at_once;
    status_code code = begin_checkpoints(&work, status);
    if (code == STATUS_OK) code = points_run(&work.run, status);
    checkpoint_free(work.checkpoint);
    if (code == STATUS_STOPPED && atomic_load(&work.run.stopped) && order->folder != NULL)
        status_set(status, STATUS_STOPPED,
                   "stopped after %zu of %zu point%s, which are kept in %s; the same command goes "
                   "on from there",
                   atomic_load(&work.run.done), work.all, plural(work.all), order->folder);
    return code;
}

status_code sweep_count_parts(unsigned *parts, struct traffic_sweep *sweep, const char *folder,
                              const anax_options *options, struct status *status) {
    const size_t steps = sweep->searches != NULL ? sweep_search_steps(sweep->width_millionths) : 1;
    struct points_times times = {0};
    unsigned threads;
    /* of a search, only the first load of each item is known beforehand */
    for (size_t i = 0; i < sweep->points_wanted; i++) {
        struct sweep_point *point = &sweep->points[i];
        struct kept_key key;
        if (steps > 1 && i / sweep->seed_count % steps > 0) continue;
        if (steps > 1) point->figures.offered_millionths = FULL_LOAD;
        FORWARD_IF_ERROR(sweep_point_key(&key, sweep, point, status));
        const bool is_there =
            folder != NULL && kept_traffic_find(point, folder, &key) == KEPT_FOUND;
        times.missing += steps - is_there;
        if (!is_there || point->seconds < 0) continue;
        times.known++;
        times.known_s += point->seconds;
    }
    times.items = sweep->points_wanted / steps;
    times.at_once = points_at_once(options, max_nodes(sweep), times.items, &threads);
    *parts = points_count_parts(&times);
    return STATUS_OK;
}
