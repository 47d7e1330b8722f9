/* Runs the items of a part on worker threads: each point is found in the folder, or claimed and
 * run. Meanwhile the calling thread reports progress and renews the claims. */
#include "api/points/points_run.h"

#include "api/points/claims.h"
#include "core/memory/memory.h"
#include "core/processes/parallel.h"
#include "core/processes/ticker.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* WAITS_TOLD: after so many waits it is told which claim the run waits for. */
enum { TICK_MS = 50, WAIT_MS = 100, WAITS_TOLD = 20 };

size_t points_of_part(size_t count, uint32_t part, uint32_t parts) {
    if (parts == 0) return count;
    return count / parts + (count % parts >= part);
}

status_code points_check_part(uint32_t part, uint32_t parts, const char *folder, const char *whole,
                              struct status *status) {
    RETURN_ERROR_IF(parts < 1, status, STATUS_USAGE, "%s cannot have 0 parts; it has 1 or more",
                    whole);
    RETURN_ERROR_IF(part < 1 || part > parts, status, STATUS_USAGE,
                    "there is no part %u of %u; parts have the numbers 1 to %u", part, parts,
                    parts);
    RETURN_ERROR_IF(folder == NULL, status, STATUS_USAGE,
                    "the parts of %s need a folder that keeps their points", whole);
    return STATUS_OK;
}

unsigned points_count_parts(const struct points_times *times) {
    enum { SECONDS_MIN = 300, PARTS_MAX = 1000, UNKNOWN_MAX = 100 };
    size_t max = times->items, wanted = UNKNOWN_MAX;
    if (max > PARTS_MAX) max = PARTS_MAX;
    if (times->known > 0) {
        const double mean_s = times->known_s / (double)times->known;
        const double all_s = mean_s * (double)times->missing / (times->at_once + 0.0);
        wanted =
            all_s < (double)SECONDS_MIN * PARTS_MAX ? (size_t)(all_s / SECONDS_MIN) : PARTS_MAX;
    }
    if (wanted > max) wanted = max;
    return wanted > 0 ? (unsigned)wanted : 1;
}

bool points_record_progress(struct points_run *run, unsigned worker, int64_t time_ps,
                            uint64_t events, uint64_t share_millionths) {
    atomic_store_explicit(&run->workers[worker].share_millionths, share_millionths,
                          memory_order_relaxed);
    atomic_store_explicit(&run->workers[worker].time_ps, time_ps, memory_order_relaxed);
    atomic_store_explicit(&run->workers[worker].events, events, memory_order_relaxed);
    return !atomic_load_explicit(&run->stopped, memory_order_relaxed);
}

uint64_t points_done_millionths(const struct points_run *run, size_t points) {
    const uint64_t max = (uint64_t)points * POINTS_MILLION;
    uint64_t done = (uint64_t)atomic_load(&run->done) * POINTS_MILLION;
    for (unsigned i = 0; i < run->at_once; i++)
        done += atomic_load_explicit(&run->workers[i].share_millionths, memory_order_relaxed);
    return done < max ? done : max;
}

static void record_claim(struct points_worker *worker, const struct kept_key *key) {
    for (int i = 0; i < 2; i++)
        atomic_store(&worker->claim[i], key->word[i]);
    atomic_store(&worker->has_claim, true);
}

/* Sets the key of a point that another process has claimed, unless it is NULL, and returns it. */
static struct kept_key set_claimed(struct points_run *run, const struct kept_key *key) {
    while (atomic_flag_test_and_set(&run->claimed_lock)) {
    }
    if (key != NULL) run->claimed = *key;
    const struct kept_key claimed = run->claimed;
    atomic_flag_clear(&run->claimed_lock);
    return claimed;
}

/* Runs a point that this process has claimed, unless another process finished it before. */
static status_code run_claimed(struct points_run *run, unsigned worker, size_t point,
                               const struct kept_key *key, struct status *status) {
    bool worth_keeping = false;
    if (run->kind->find(run->context, point, run->folder, key) == KEPT_FOUND) return STATUS_OK;
    FORWARD_IF_ERROR(run->kind->run(run->context, worker, point, &worth_keeping, status));
    if (!worth_keeping) return STATUS_OK;
    return run->kind->keep(run->context, point, run->folder, key, status);
}

status_code points_find_or_run(struct points_run *run, unsigned worker, size_t point,
                               bool *claimed_elsewhere, struct status *status) {
    struct points_worker *own = &run->workers[worker];
    struct kept_key key;
    bool is_ours = false, is_pending = true, ignored;
    status_code code = STATUS_OK;
    *claimed_elsewhere = false;
    atomic_store(&own->point, point);
    ticker_call(run->ticker);
    if (atomic_load(&run->stopped)) return status_set(status, STATUS_STOPPED, "stopped");
    FORWARD_IF_ERROR(run->kind->key(run->context, point, &key, &is_pending, status));
    atomic_fetch_add(&run->begun, 1);
    if (!is_pending) {
        atomic_fetch_add(&run->done, 1);
        return STATUS_OK;
    }
    if (run->folder == NULL) {
        code = run->kind->run(run->context, worker, point, &ignored, status);
    } else if (run->kind->find(run->context, point, run->folder, &key) != KEPT_FOUND) {
        FORWARD_IF_ERROR(claims_take(&is_ours, run->folder, &key, status));
        *claimed_elsewhere = !is_ours;
        if (*claimed_elsewhere) {
            atomic_fetch_sub(&run->begun, 1);
            set_claimed(run, &key);
            return STATUS_OK;
        }
        atomic_store(&run->waits, 0);
        record_claim(own, &key);
        code = run_claimed(run, worker, point, &key, status);
        atomic_store(&own->has_claim, false);
        claims_release(run->folder, &key);
    }
    points_record_progress(run, worker, 0, 0, 0);
    if (code == STATUS_OK) atomic_fetch_add(&run->done, 1);
    return code;
}

static status_code do_item(void *context, unsigned worker, uint64_t number, struct status *status) {
    struct points_run *run = context;
    const size_t item = run->list[number];
    if (atomic_load(&run->stopped)) return status_set(status, STATUS_STOPPED, "stopped");
    return (run->do_item != NULL ? run->do_item : points_find_or_run)(
        run, worker, item, &run->claimed_elsewhere[item], status);
}

/* Waits until other processes may have finished the points that they have claimed. */
static status_code wait_for_others(struct points_run *run, struct status *status) {
    atomic_fetch_add(&run->waits, 1);
    const struct timespec pause = {.tv_nsec = WAIT_MS * 1000000L};
    nanosleep(&pause, NULL);
    if (atomic_load(&run->stopped)) return status_set(status, STATUS_STOPPED, "stopped");
    return STATUS_OK;
}

/* Shortens the list to the items of which another process has claimed a point. */
static void list_rest(struct points_run *run) {
    size_t rest = 0;
    for (size_t i = 0; i < run->list_count; i++)
        if (run->claimed_elsewhere[run->list[i]]) run->list[rest++] = run->list[i];
    run->list_count = rest;
}

/* Adds items of the part to the list: those of the first stage (first), or the others, as far as
 * they must be run. */
static void list_items(struct points_run *run, bool first) {
    for (size_t i = 0; i < run->count; i++) {
        if (run->is_wanted != NULL && !run->is_wanted(run->context, i)) continue;
        const bool is_first = run->comes_first != NULL && run->comes_first(run->context, i);
        if (!points_is_of_part(i, run->part, run->parts) || is_first != first) continue;
        if (!first && run->take_result != NULL && run->take_result(run->context, i)) {
            atomic_fetch_add(&run->begun, 1);
            atomic_fetch_add(&run->done, 1);
        } else {
            run->list[run->list_count++] = i;
        }
    }
}

static status_code work(void *context, struct ticker *ticker, struct status *status) {
    struct points_run *run = context;
    run->ticker = ticker;
    list_items(run, true);
    if (run->list_count > 0) {
        FORWARD_IF_ERROR(parallel_for(run->at_once, run->list_count, do_item, run, status));
        list_rest(run);
    }
    list_items(run, false);
    for (size_t before; run->list_count > 0;) {
        before = run->list_count;
        FORWARD_IF_ERROR(parallel_for(run->at_once, before, do_item, run, status));
        list_rest(run);
        if (run->list_count == before)
            FORWARD_IF_ERROR(wait_for_others(run, status));
        else
            atomic_store(&run->waits, 0);
    }
    return STATUS_OK;
}

/* Tells the caller which claim the run has waited for. */
static bool report_wait(struct points_run *run) {
    char phase[512] = "waiting for ", *rest = phase + strlen(phase);
    const struct kept_key key = set_claimed(run, NULL);
    claims_describe(rest, sizeof phase - strlen(phase), run->folder, &key);
    const anax_progress progress = {.phase = phase, .is_waiting = true};
    return run->options->progress(run->options->progress_context, &progress);
}

/* Reports progress and renews the claims, by the clock. */
static void tick(void *context) {
    struct points_run *run = context;
    const bool waits = atomic_load(&run->waits) >= WAITS_TOLD;
    if (run->options->progress != NULL && !atomic_load(&run->stopped) &&
        !(waits ? report_wait(run) : run->report(run)))
        atomic_store(&run->stopped, true);
    if (run->folder == NULL || api_clock_s() - run->renewed_s < CLAIMS_RENEWED_S) return;
    run->renewed_s = api_clock_s();
    for (unsigned i = 0; i < run->at_once; i++) {
        const struct points_worker *worker = &run->workers[i];
        const struct kept_key key = {
            {atomic_load(&worker->claim[0]), atomic_load(&worker->claim[1])}};
        if (atomic_load(&worker->has_claim)) claims_renew(run->folder, &key);
    }
}

static void begin_points(struct points_run *run) {
    atomic_init(&run->waits, 0);
    atomic_flag_clear(&run->claimed_lock);
    run->claimed = (struct kept_key){{0, 0}};
    atomic_init(&run->done, 0);
    atomic_init(&run->begun, 0);
    atomic_init(&run->stopped, false);
    run->renewed_s = api_clock_s();
    for (unsigned i = 0; i < run->at_once; i++) {
        atomic_init(&run->workers[i].point, 0);
        atomic_init(&run->workers[i].has_claim, false);
        atomic_init(&run->workers[i].claim[0], 0);
        atomic_init(&run->workers[i].claim[1], 0);
        atomic_init(&run->workers[i].time_ps, 0);
        atomic_init(&run->workers[i].events, 0);
        atomic_init(&run->workers[i].share_millionths, 0);
    }
    run->list_count = 0;
}

status_code points_run(struct points_run *run, struct status *status) {
    if (run->folder != NULL) FORWARD_IF_ERROR(kept_create_folder(run->folder, status));
    if (run->at_once == 0) run->at_once = 1;
    run->workers = memory_new(run->at_once, sizeof *run->workers);
    run->claimed_elsewhere = memory_new(run->count, sizeof *run->claimed_elsewhere);
    run->list = memory_new(run->count, sizeof *run->list);
    status_code code;
    if (run->workers == NULL || run->claimed_elsewhere == NULL || run->list == NULL) {
        code = status_set(status, STATUS_MEMORY, "out of memory for %zu points", run->count);
    } else {
        begin_points(run);
        if (run->options->progress != NULL || run->folder != NULL)
            code = ticker_run(TICK_MS, tick, work, run, status);
        else
            code = work(run, NULL, status);
    }
    free(run->workers);
    free(run->claimed_elsewhere);
    free(run->list);
    run->workers = NULL;
    run->claimed_elsewhere = NULL;
    run->list = NULL;
    return code;
}
