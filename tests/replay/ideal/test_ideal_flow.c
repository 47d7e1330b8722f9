/*
 * Replays on ideal machines without a queue of events against replays with one, on the same random
 * programs: the times are equal to the picosecond wherever the former know them, and they know them
 * of all programs but those with tests, one-sided operations, software progress and the like.
 */
#include "core/memory/memory.h"
#include "replay/hosts/hosts.h"
#include "replay/ideal/ideal_flow.h"
#include "tests/support/replay/random_replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static status_code look_away(void *context, unsigned run, const struct replay_result *result,
                             struct status *status) {
    (void)context;
    (void)run;
    (void)result;
    (void)status;
    return STATUS_OK;
}

/* Compares both ways. Returns whether the times were found without events. */
static bool agree(struct world *w) {
    const struct ideal_watch watch = {look_away, NULL};
    const struct network_sink sink = {.context = NULL};
    struct network *network = NULL;
    struct ideal_times with_events, times;
    int64_t times_ps[IDEAL_RUNS];
    bool is_known = false;
    world_seal(w);
    uint32_t *nodes = malloc(w->rank_count * sizeof *nodes);
    for (uint32_t i = 0; i < w->rank_count; i++)
        nodes[i] = i / w->ranks_per_node;
    const struct placement placement = {.rank_count = w->rank_count,
                                        .node_count =
                                            (uint32_t)network_config_nodes(&w->network_config),
                                        .node_of_rank = nodes};
    assert_int_equal(network_new(&network, &w->network_config, w->seed, &sink, &w->status),
                     STATUS_OK);
    /* A watch wants timelines, which only replays with events have. */
    assert_int_equal(ideal_times_compute(&with_events, network, w->program, &placement, &w->config,
                                         &w->network_config, w->seed, &w->options, &watch,
                                         &w->status),
                     STATUS_OK);
    assert_int_equal(ideal_times_compute(&times, network, w->program, &placement, &w->config,
                                         &w->network_config, w->seed, &w->options, NULL,
                                         &w->status),
                     STATUS_OK);
    assert_int_equal(times.ideal_ps, with_events.ideal_ps);
    assert_int_equal(times.hosts_ps, with_events.hosts_ps);
    assert_int_equal(times.distance_ps, with_events.distance_ps);
    const struct flow_task task = {.effective = &w->config,
                                   .free_of_cost = &w->config,
                                   .network = network,
                                   .program = w->program,
                                   .placement = &placement,
                                   .network_config = &w->network_config,
                                   .seed = w->seed,
                                   .options = &w->options};
    assert_int_equal(ideal_flow_run(times_ps, &is_known, &task, &w->status), STATUS_OK);
    if (is_known) {
        assert_int_equal(times_ps[IDEAL_HOSTS], with_events.hosts_ps);
        assert_int_equal(times_ps[IDEAL_DISTANCE], with_events.distance_ps);
    }
    network_free(network);
    free(nodes);
    return is_known;
}

/* Varies what programs do not say. */
static void vary(struct world *w, uint32_t seed) {
    static const int64_t thresholds[] = {0, 1024, 5000, 1 << 20};
    w->seed = seed;
    w->ranks_per_node = 1 + seed % 3;
    w->config.eager_threshold_bytes = thresholds[seed % 4];
    w->config.rendezvous = seed % 5 < 2 ? REPLAY_RENDEZVOUS_GET : REPLAY_RENDEZVOUS_PUT;
    if (seed % 2 == 0) w->config.send_completion_ps = by_size_constant(77000);
    if (seed % 7 == 0) w->config.receive_overhead_ps = by_size_constant(0);
    if (seed % 3 == 1) {
        w->config.memory_send_overhead_ps = (struct by_size){2, {{0, 55000}, {1000, 66000}}};
        w->config.memory_receive_overhead_ps = by_size_constant(44000);
    }
    w->config.compute_scale_millionths = 100000 + (seed % 11) * 100000;
}

/* Without tests, all times are found. */
static void all_times_of_programs_that_wait_are_known(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        struct world w;
        random_replay_small(&w, seed);
        vary(&w, seed);
        assert_true(agree(&w));
        world_free(&w);
    }
}

static void times_of_some_programs_that_test_are_known(void **state) {
    (void)state;
    uint32_t known = 0;
    for (uint32_t seed = 1; seed <= 100; seed++) {
        struct world w;
        random_replay(&w, seed);
        vary(&w, seed);
        known += agree(&w);
        world_free(&w);
    }
    assert_in_range(known, 1, 99);
}

/* Ranks that start at different times on hosts with noise and of different speeds. */
static void late_starts_and_noise_keep_times_equal(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        struct world w;
        struct replay_hosts *hosts;
        int64_t starts_ps[RANDOM_REPLAY_SMALL_RANKS];
        random_replay_small(&w, seed);
        vary(&w, seed);
        const struct hosts_config noise = {.noise = HOSTS_NOISE_EXPONENTIAL,
                                           .share_millionths = 50000,
                                           .period_ps = 1000000,
                                           .duration_ps = 1000};
        assert_int_equal(hosts_new(&hosts, &noise, NULL, 0, 0, &w.status), STATUS_OK);
        hosts->factor_millionths =
            memory_new(RANDOM_REPLAY_SMALL_RANKS, sizeof *hosts->factor_millionths);
        for (uint32_t i = 0; i < RANDOM_REPLAY_SMALL_RANKS; i++) {
            hosts->factor_millionths[i] = 900000 + 100000 * (int64_t)i;
            starts_ps[i] = (int64_t)(seed * i) * 100003;
        }
        w.options.hosts = hosts;
        w.options.start_ps = starts_ps;
        assert_true(agree(&w));
        hosts_free(hosts);
        world_free(&w);
    }
}

/* Progress of ranks matters where they must answer. */
static void software_progress_is_told_where_it_matters(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        struct world w;
        random_replay_small(&w, seed);
        vary(&w, seed);
        w.config.progress = REPLAY_PROGRESS_SOFTWARE;
        assert_false(agree(&w));
        world_free(&w);
    }
}

/* Rank 0 writes to rank 1. */
static void put(struct world *w) {
    const uint32_t region = builder_define_region(w->builder, "MPI_Put", true);
    assert_int_equal(builder_call(w->builder, 0, region, w->next_call++, 0, &w->status), STATUS_OK);
    assert_int_equal(builder_send(w->builder, 0, w->everyone, 1, PROGRAM_TAG_RMA, 8,
                                  OPERATION_FLAG_RMA_WRITE, BUILDER_NO_REQUEST, &w->status),
                     STATUS_OK);
    assert_int_equal(builder_wait_call(w->builder, 0, &w->status), STATUS_OK);
    assert_int_equal(builder_return(w->builder, 0, 0, false, &w->status), STATUS_OK);
}

/* A test, a one-sided operation, and a collective that is waited for together with a message. */
static void programs_whose_order_matters_are_left_to_events(void **state) {
    (void)state;
    for (unsigned what = 0; what < 4; what++) {
        struct world w;
        world_new(&w, 2);
        const uint64_t both[] = {1, 2};
        for (uint32_t rank = 0; rank < 2; rank++) {
            world_collective(&w, rank, PROGRAM_COLLECTIVE_BARRIER, w.everyone, PROGRAM_NONE, 0, 0,
                             0, 1);
            if (rank == 0) world_isend(&w, 0, 1, 100, 2);
            if (rank == 1) world_irecv(&w, 1, 0, 100, 2);
            if (what == 0) world_test(&w, rank, both, 2);
            if (what == 1) world_wait(&w, rank, both, 2);
            if (what > 1) {
                world_wait(&w, rank, &both[1], 1);
                world_wait(&w, rank, &both[0], 1);
            }
        }
        if (what == 2) put(&w);
        assert_int_equal(agree(&w), what == 3);
        world_free(&w);
    }
}

/* Ready sends, which end when their data have left the NIC, and requests that nobody waits for. */
static void ready_sends_and_unwaited_requests_are_known(void **state) {
    (void)state;
    static const uint64_t sizes[] = {8, 1024, 1025, 300000};
    for (unsigned i = 0; i < 64; i++) {
        struct world w;
        const uint64_t bytes = sizes[i % 4], posted = 1;
        world_new(&w, 2);
        if (i & 4) world_irecv(&w, 1, 0, bytes, 77); /* before its message, or after it */
        world_irecv(&w, 1, 0, bytes, posted);
        for (uint32_t rank = 0; rank < 2; rank++)
            world_collective(&w, rank, PROGRAM_COLLECTIVE_BARRIER, w.everyone, PROGRAM_NONE, 0, 0,
                             0, BUILDER_NO_REQUEST);
        world_isend(&w, 0, 1, bytes, 78);
        world_send(&w, 0, 1, bytes, OPERATION_FLAG_SEND_READY);
        world_compute(&w, 0, 1000 * (int64_t)i);
        world_wait(&w, 1, &posted, 1);
        if (!(i & 4)) world_irecv(&w, 1, 0, bytes, 77);
        if (i & 8) world_send(&w, 0, 1, 50, 0); /* without a receive */
        world_compute(&w, 1, 50000);
        w.config.rendezvous = i & 16 ? REPLAY_RENDEZVOUS_GET : REPLAY_RENDEZVOUS_PUT;
        w.config.eager_threshold_bytes = i & 32 ? 1024 : 0;
        assert_true(agree(&w));
        world_free(&w);
    }
}

static bool stop(void *context, const struct replay_progress *progress) {
    assert_in_range(progress->done, 1, progress->total - 1);
    (*(unsigned *)context)++;
    return false;
}

/* Long replays report progress, and end if they are told to. */
static void long_replays_report_progress_and_stop(void **state) {
    (void)state;
    struct world w;
    unsigned reports = 0;
    int64_t times_ps[IDEAL_RUNS];
    bool is_known;
    struct network *network = NULL;
    const struct network_sink sink = {.context = NULL};
    uint32_t nodes[2] = {0, 1};
    world_new(&w, 2);
    for (unsigned i = 0; i < 10000; i++) {
        world_send(&w, i % 2, 1 - i % 2, 8, 0);
        world_receive(&w, 1 - i % 2, i % 2, 8);
    }
    world_seal(&w);
    w.options.progress = stop;
    w.options.progress_context = &reports;
    const struct placement placement = {.rank_count = 2,
                                        .node_count =
                                            (uint32_t)network_config_nodes(&w.network_config),
                                        .node_of_rank = nodes};
    assert_int_equal(network_new(&network, &w.network_config, 1, &sink, &w.status), STATUS_OK);
    const struct flow_task task = {.effective = &w.config,
                                   .free_of_cost = &w.config,
                                   .network = network,
                                   .program = w.program,
                                   .placement = &placement,
                                   .network_config = &w.network_config,
                                   .options = &w.options};
    assert_int_equal(ideal_flow_run(times_ps, &is_known, &task, &w.status), STATUS_STOPPED);
    assert_int_equal(reports, 1);
    network_free(network);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_times_of_programs_that_wait_are_known),
        cmocka_unit_test(times_of_some_programs_that_test_are_known),
        cmocka_unit_test(late_starts_and_noise_keep_times_equal),
        cmocka_unit_test(software_progress_is_told_where_it_matters),
        cmocka_unit_test(programs_whose_order_matters_are_left_to_events),
        cmocka_unit_test(ready_sends_and_unwaited_requests_are_known),
        cmocka_unit_test(long_replays_report_progress_and_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
