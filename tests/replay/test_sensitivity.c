/*
 * How far derivatives along the critical path hold (docs/model.md, 9.15), on the ideal network, on
 * which messages do not meet: a constructed program whose paths have a closed form, and random ones
 * of every protocol, replayed again with settings just inside their ranges.
 */
#include "tests/support/replay/random_replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const int64_t S = WORLD_SEND_PS, R = WORLD_RECEIVE_PS;
#define MILLION INT64_C(1000000)

static const struct replay_path_setting *setting_of(const struct replay_critical_path *path,
                                                    const char *name) {
    for (uint32_t i = 0; i < path->setting_count; i++)
        if (strcmp(path->settings[i].setting, name) == 0) return &path->settings[i];
    return NULL;
}

/* Rank 0 computes for long and sends one message to rank 2. Rank 1 computes for less, but sends
 * three messages to rank 3 and then one to rank 2, which takes it in before the first one comes. */
static void build(struct world *w, int64_t long_ps, int64_t short_ps) {
    const uint64_t requests[] = {1, 2};
    world_new(w, 4);
    world_compute(w, 0, long_ps);
    world_send(w, 0, 2, 8, 0);
    world_compute(w, 1, short_ps);
    for (unsigned i = 0; i < 3; i++)
        world_send(w, 1, 3, 8, 0);
    world_send(w, 1, 2, 8, 0);
    world_irecv(w, 2, 0, 8, requests[0]);
    world_irecv(w, 2, 1, 8, requests[1]);
    world_wait(w, 2, requests, 2);
    for (unsigned i = 0; i < 3; i++)
        world_receive(w, 3, 1, 8);
}

static int64_t time_with(struct world *w, int64_t send_ps) {
    w->config.send_overhead_ps = by_size_constant(send_ps);
    return world_finish(w)->time_ps;
}

static void derivatives_hold_up_to_another_path(void **state) {
    (void)state;
    const int64_t z = WORLD_MESSAGE_PS(8), long_ps = 10 * MILLION, short_ps = 8 * MILLION;
    /* The message of rank 1 has been taken in so long before that of rank 0 arrives. */
    const int64_t margin_ps = long_ps + S + z - (short_ps + 4 * S + z + R);
    struct world w;
    build(&w, long_ps, short_ps);
    w.options.explain = true;
    assert_int_equal(world_run(&w), STATUS_OK);
    const struct replay_critical_path *path = &w.result->paths[0];
    const int64_t time_ps = long_ps + S + z + R;
    assert_int_equal(path->time_ps, time_ps);
    assert_int_equal(path->margin_ps, margin_ps);
    /* Its chain has three send overheads more. */
    const struct replay_path_setting *send = setting_of(path, "mpi.send_overhead");
    assert_int_equal(send->effect_ps, S);
    assert_int_equal(send->holds_up_millionths, margin_ps * MILLION / (3 * S));
    assert_int_equal(send->holds_down_millionths, MILLION);
    /* No chain computes more. */
    const struct replay_path_setting *compute = setting_of(path, "replay.compute_scale");
    assert_int_equal(compute->holds_up_millionths, REPLAY_PATH_UNLIMITED);
    assert_int_equal(compute->holds_down_millionths, margin_ps * MILLION / long_ps);
    w.options.explain = false;
    const int64_t max_ps = S + margin_ps / 3;
    assert_int_equal(time_with(&w, max_ps), time_ps + margin_ps / 3);
    assert_int_equal(time_with(&w, 0), time_ps - S);
    const int64_t beyond_ps = max_ps + R / 6; /* still before the other message */
    assert_int_equal(time_with(&w, beyond_ps), short_ps + 4 * beyond_ps + z + 2 * R);
    world_free(&w);
}

/* ---------------------------------------------------------------- random programs */

enum { RANKS = RANDOM_REPLAY_SMALL_RANKS, SETTINGS = 5 };
#define MEMORY_SEND_PS    INT64_C(70000)
#define MEMORY_RECEIVE_PS INT64_C(90000)

static void random_world(struct world *w, uint32_t seed) {
    random_replay_small(w, seed);
    w->config.send_overhead_ps = by_size_constant(S);
    w->config.rendezvous = seed % 2 ? REPLAY_RENDEZVOUS_GET : REPLAY_RENDEZVOUS_PUT;
    w->ranks_per_node = 1 + seed / 2 % 2;
    if (seed % 3 > 0) return;
    w->config.memory_send_overhead_ps = by_size_constant(MEMORY_SEND_PS);
    w->config.memory_receive_overhead_ps = by_size_constant(MEMORY_RECEIVE_PS);
}

/* Changes a setting by `change` millionths. Returns its effect's change. */
static double change(struct world *w, unsigned which, const struct replay_path_setting *setting,
                     int64_t change) {
    const double change_ps = (double)setting->effect_ps * (double)change / 1e6;
    const int64_t send_ps = S + S * change / MILLION, receive_ps = R + R * change / MILLION;
    if (which == 0) {
        w->config.compute_scale_millionths = MILLION + change;
        return change_ps;
    }
    if (which == 3) {
        w->config.memory_send_overhead_ps =
            by_size_constant(MEMORY_SEND_PS + MEMORY_SEND_PS * change / MILLION);
        return change_ps;
    }
    if (which == 4) {
        w->config.memory_receive_overhead_ps =
            by_size_constant(MEMORY_RECEIVE_PS + MEMORY_RECEIVE_PS * change / MILLION);
        return change_ps;
    }
    if (which == 1) {
        w->config.send_overhead_ps = by_size_constant(send_ps);
        return (double)setting->count * (double)(send_ps - S);
    }
    w->config.receive_overhead_ps = by_size_constant(receive_ps);
    return (double)setting->count * (double)(receive_ps - R);
}

static int64_t smaller(int64_t one, int64_t other) {
    return one < other ? one : other;
}

/* Every rank's path, as that of a job of its own, holds as far as it says. Returns the number of
 * ranges that were tried. */
static unsigned hold(uint32_t seed) {
    static const char *const settings[] = {"replay.compute_scale", "mpi.send_overhead",
                                           "mpi.receive_overhead", "mpi.memory_send_overhead",
                                           "mpi.memory_receive_overhead"};
    static const uint32_t ends[RANKS] = {1, 2, 3, 4, 5};
    struct world w;
    random_world(&w, seed);
    const struct replay_config config = w.config;
    const struct replay_options plain = w.options;
    w.options.explain = true;
    w.options.job_ends = ends;
    w.options.job_count = RANKS;
    assert_int_equal(world_run(&w), STATUS_OK);
    struct {
        struct replay_path_setting setting;
        int64_t time_ps;
        uint32_t rank;
        unsigned which;
    } tried[SETTINGS * RANKS];
    unsigned count = 0, ranges = 0;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        for (unsigned which = 0; which < SETTINGS; which++) {
            const struct replay_critical_path *path = &w.result->paths[1 + rank];
            const struct replay_path_setting *setting = setting_of(path, settings[which]);
            if (setting == NULL) continue;
            tried[count].setting = *setting;
            tried[count].time_ps = path->time_ps;
            tried[count].rank = rank;
            tried[count++].which = which;
        }
    }
    w.options = plain;
    for (unsigned i = 0; i < 2 * count; i++) {
        const struct replay_path_setting *setting = &tried[i / 2].setting;
        const uint32_t rank = tried[i / 2].rank;
        const int64_t before_ps = tried[i / 2].time_ps;
        const int64_t by = i % 2 ? -smaller(setting->holds_down_millionths, 900000)
                                 : smaller(setting->holds_up_millionths, 3 * MILLION);
        if (by == 0) continue;
        const double expected = change(&w, tried[i / 2].which, setting, by);
        const struct replay_result *result = world_finish(&w);
        const double changed = (double)(result->ranks[rank].time_ps - before_ps);
        /* Each computation is rounded. */
        if (changed - expected > 200 || expected - changed > 200)
            fail_msg("seed %u, rank %u, %s by %lld millionths: %.0f ps, not %.0f ps", seed, rank,
                     setting->setting, (long long)by, changed, expected);
        w.config = config;
        ranges++;
    }
    world_free(&w);
    return ranges;
}

static void derivatives_hold_in_random_programs(void **state) {
    (void)state;
    unsigned ranges = 0;
    for (uint32_t seed = 1; seed <= 40; seed++)
        ranges += hold(seed);
    assert_true(ranges > 400);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_hold_up_to_another_path),
        cmocka_unit_test(derivatives_hold_in_random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
