/* Which candidates a stage of a search keeps: the front and regrets against their definition, on
 * random points; and what becomes of candidates that cannot replay the trace. */
#include "api/search/search_state.h"
#include "traces/traces.h"

#include "tests/support/api/api_world.h"
#include "tests/support/api/table_world.h"
#include "tests/support/traces/program_on_disk.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CANDIDATES_MAX = 60 };

static uint64_t state_of_draws = 1;

static uint32_t draw(uint32_t below) {
    state_of_draws = state_of_draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state_of_draws >> 33) % below;
}

struct world {
    struct search_candidate candidates[CANDIDATES_MAX];
    int64_t times_ps[CANDIDATES_MAX];
    size_t count;
};

static bool beats(const struct world *w, size_t a, size_t b) {
    const int64_t cost = w->candidates[a].figures[SEARCH_COST];
    const int64_t other = w->candidates[b].figures[SEARCH_COST];
    if (w->times_ps[a] < 0) return false;
    return cost <= other && w->times_ps[a] <= w->times_ps[b] &&
           (cost < other || w->times_ps[a] < w->times_ps[b]);
}

static bool is_front(const struct world *w, size_t index) {
    for (size_t i = 0; i < w->count; i++)
        if (w->times_ps[index] < 0 || beats(w, i, index)) return false;
    return true;
}

/* How many times longer a candidate takes than the fastest that costs no more. */
static double regret(const struct world *w, size_t index) {
    int64_t best_ps = w->times_ps[index];
    for (size_t i = 0; i < w->count; i++)
        if (w->times_ps[i] >= 0 && w->times_ps[i] < best_ps &&
            w->candidates[i].figures[SEARCH_COST] <= w->candidates[index].figures[SEARCH_COST])
            best_ps = w->times_ps[i];
    return (double)w->times_ps[index] / (double)best_ps;
}

static void make(struct world *w) {
    memset(w, 0, sizeof *w);
    w->count = 1 + draw(CANDIDATES_MAX - 1);
    const uint32_t costs = 1 + draw(12), times = 1 + draw(40);
    for (size_t i = 0; i < w->count; i++) {
        w->candidates[i].figures[SEARCH_COST] = draw(costs);
        w->times_ps[i] = draw(10) == 0 ? -1 : (int64_t)(100 + draw(times));
    }
}

static void the_least_regret_is_kept(void **state) {
    (void)state;
    for (int run = 0; run < 2000; run++) {
        struct world w;
        make(&w);
        bool kept[CANDIDATES_MAX];
        size_t kept_count = 0, first = 0, timed = 0, counted = 0;
        double max = 0, min = 1e9; /* regrets of what is kept and of what is not */
        const size_t wanted = draw((uint32_t)w.count + 1);
        assert_int_equal(
            search_keep(kept, &kept_count, w.candidates, w.times_ps, w.count, wanted, NULL),
            STATUS_OK);
        for (size_t i = 0; i < w.count; i++) {
            timed += w.times_ps[i] >= 0;
            first += is_front(&w, i);
            counted += kept[i];
            assert_true(w.times_ps[i] >= 0 || !kept[i]);
            assert_true(kept[i] || !is_front(&w, i));
            if (w.times_ps[i] < 0) continue;
            const double own = regret(&w, i);
            if (kept[i] && own > max) max = own;
            if (!kept[i] && own < min) min = own;
        }
        assert_int_equal(counted, kept_count);
        assert_true(max <= min);
        assert_true(kept_count >= (wanted < timed ? wanted : timed));
        /* more than was wanted only for the front, or for what is near it */
        if (kept_count > wanted && kept_count > first) {
            assert_true(kept_count <= timed / 2);
            assert_true(max <= 1.05 + 1e-9);
        }
        if (kept_count < timed / 2) assert_true(min > 1.05 - 1e-9);
    }
}

static void limits_are_read_or_refused(void **state) {
    (void)state;
    const char *const good[] = {"nodes=100:2000", "radix=64", "cost=2.5e5:"};
    const char *const bad[] = {"nodes",     "nodes=",      "nodes=a",  "nodes=1.5", "size=3",
                               "nodes=5:4", "nodes=1:2:3", "cost=-1",  "cost=nan",  "cost=1e30",
                               "radix=0x8", "=4",          "node=100", "nodes =4",  ""};
    struct search_limit limits[SEARCH_FIGURES] = {0};
    assert_int_equal(search_limits_parse(limits, good, 3, NULL), STATUS_OK);
    assert_int_equal(limits[SEARCH_NODES].min, 100);
    assert_int_equal(limits[SEARCH_NODES].max, 2000);
    assert_int_equal(limits[SEARCH_RADIX].min, 0);
    assert_int_equal(limits[SEARCH_RADIX].max, 64);
    assert_int_equal(limits[SEARCH_COST].min, INT64_C(250000000000));
    assert_int_equal(limits[SEARCH_COST].max, INT64_MAX);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct status status = STATUS_INIT;
        memset(limits, 0, sizeof limits);
        assert_int_equal(search_limits_parse(limits, &bad[i], 1, &status), STATUS_USAGE);
        assert_non_null(strstr(status.text, bad[i]));
        status_clear(&status);
    }
}

/* ---------------------------------------------------------------- candidates that cannot */

enum { CALLS = 600, BYTES = 1 << 20 };

static int setup(void **state) {
    return api_world_new(state, "ping-pong", "2", "1");
}

/* Two ranks that send to each other first, again and again: above the eager threshold they cannot
 * go on. */
static anax_trace *crossing_sends(const struct api_world *world) {
    struct build_world own = build_world_new(2), *w = &own;
    anax_trace *trace = NULL;
    char path[SCRATCH_FOLDER_BYTES + 32];
    snprintf(path, sizeof path, "%s/crossing.anax", world->folder);
    for (uint32_t rank = 0; rank < 2; rank++) {
        for (int32_t i = 0; i < CALLS; i++) {
            build_call(w, rank);
            if (i % 2 == 0)
                build_isend(w, rank, 1 - rank, i / 2, BYTES, BUILDER_NO_REQUEST);
            else
                build_irecv(w, rank, 1 - rank, i / 2, BYTES, BUILDER_NO_REQUEST);
            build_call_end(w, rank);
        }
    }
    build_on_disk(w, path);
    assert_int_equal(anax_trace_open(&trace, path, NULL, NULL, NULL), ANAX_OK);
    return trace;
}

static anax_code search_for(anax_search **search, const struct api_world *world,
                            const anax_trace *trace, const char *thresholds, anax_error *error) {
    const anax_config *const machines[] = {world->config};
    const char *const factors[] = {thresholds, "network.routing=minimal,valiant,ugal-l",
                                   "network.groups=5,9"};
    anax_search_plan plan = ANAX_SEARCH_PLAN_INIT;
    plan.machines = machines;
    plan.machine_count = 1;
    plan.factors = factors;
    plan.factor_count = 3;
    plan.trace = trace;
    plan.points_folder = world->points;
    return anax_search_run(search, &plan, NULL, error);
}

static void who_cannot_replay_the_trace_has_a_reason(void **state) {
    const struct api_world *world = *state;
    anax_trace *trace = crossing_sends(world);
    anax_search *search = NULL;
    anax_error error = ANAX_ERROR_INIT;
    size_t timed = 0, failed = 0;
    if (search_for(&search, world, trace, "mpi.eager_threshold=1KiB,4MiB", &error) != ANAX_OK)
        fail_msg("%s", error.text);
    assert_int_equal(search->stages[0].part, SEARCH_OF_PART);
    for (size_t i = 0; i < search->candidate_count; i++) {
        const struct search_candidate *candidate = &search->candidates[i];
        timed += candidate->reason == NULL;
        failed += candidate->reason != NULL;
        if (candidate->reason == NULL) continue;
        assert_int_equal(candidate->stage, 1); /* no later one spends time on it */
        assert_non_null(strstr(candidate->reason, "cannot go on"));
        assert_null(strchr(candidate->reason, '\n'));
        assert_false(candidate->is_front);
    }
    assert_true(failed > 0);
    assert_int_equal(failed, timed); /* those of one threshold, and of the other */
    assert_int_equal(failed + timed, 12);
    assert_int_equal(search->stages[0].candidates, 12);
    assert_int_equal(search->stages[0].kept, timed);
    anax_search_free(search);
    anax_trace_free(trace);
}

static size_t kept_points(const struct api_world *world) {
    DIR *folder = opendir(world->points);
    size_t count = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* Nobody can replay the part: that is no reason to leave candidates out, so the whole trace is
 * replayed by all, and says why none of them can. */
static void the_whole_trace_decides_where_nobody_replays_the_part(void **state) {
    const struct api_world *world = *state;
    anax_trace *trace = crossing_sends(world);
    anax_search *search = NULL;
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(
        search_for(&search, world, trace, "mpi.eager_threshold=1KiB,2KiB,4KiB", &error),
        ANAX_ERROR_RUN);
    assert_null(search);
    assert_non_null(strstr(error.text, "cannot go on"));
    assert_int_equal(kept_points(world), 2 * 18); /* the part and the whole, by each candidate */
    anax_error_clear(&error);
    anax_trace_free(trace);
}

/* 33 candidates of one cost, each slower than the one before by more than 5 %: a quarter of them,
 * rounded up, goes to the next stage. */
static void a_stage_keeps_a_quarter(void **state) {
    const struct api_world *world = *state;
    const anax_config *const machines[] = {world->config};
    char factor[512] = "mpi.send_overhead=1us";
    int64_t overhead_us = 1;
    for (size_t i = 1; i < 33; i++) {
        overhead_us += overhead_us / 5 + 1;
        snprintf(factor + strlen(factor), sizeof factor - strlen(factor), ",%lldus",
                 (long long)overhead_us);
    }
    const char *const factors[] = {factor};
    anax_search *search = NULL;
    anax_table *stages = NULL;
    anax_search_plan plan = ANAX_SEARCH_PLAN_INIT;
    plan.machines = machines;
    plan.machine_count = 1;
    plan.factors = factors;
    plan.factor_count = 1;
    plan.trace = world->trace;
    plan.seeds = 2;
    assert_int_equal(anax_search_run(&search, &plan, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_search_table(&stages, search, "stages", NULL), ANAX_OK);
    assert_int_equal(anax_table_row_count(stages), 2);
    assert_int_equal(integer_of(stages, 0, "candidates"), 33);
    assert_int_equal(integer_of(stages, 0, "kept"), 9);
    assert_int_equal(integer_of(stages, 1, "candidates"), 9);
    anax_table_free(stages);
    anax_search_free(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_cannot_replay_the_trace_has_a_reason, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(the_whole_trace_decides_where_nobody_replays_the_part,
                                        setup, api_world_free),
        cmocka_unit_test_setup_teardown(a_stage_keeps_a_quarter, setup, api_world_free),
        cmocka_unit_test(the_least_regret_is_kept),
        cmocka_unit_test(limits_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
