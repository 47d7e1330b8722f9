/*
 * Ranks that are graphs (schedules in GOAL), replayed on the ideal transport against closed forms:
 * CPUs side by side, both kinds of requirements, the order in which a CPU takes what is ready,
 * eager and rendezvous messages, and schedules that cannot go on. And programs that are
 * exported and read back take as long as before.
 */
#include "tests/support/replay/replay_world.h"
#include "tests/support/traces/goal_export.h"
#include "tests/support/traces/goal_maker.h"
#include "traces/training.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define O    WORLD_SEND_PS
#define R    WORLD_RECEIVE_PS
#define NS   INT64_C(1000)
#define Z(n) WORLD_MESSAGE_PS(n)

/* A world with the schedule as its program. */
static void load(struct world *w, uint32_t rank_count, const char *text) {
    world_new(w, rank_count);
    world_seal(w);
    program_free(w->program);
    w->program = goal_maker_program(text);
    assert_int_equal(w->program->rank_count, rank_count);
}

/* Replays, and checks that each rank's parts and calls add up. */
static const struct replay_result *finish(struct world *w) {
    if (world_run(w) != STATUS_OK) fail_msg("%s", w->status.text);
    __int128 calls_ps = 0, waits_ps = 0;
    for (uint32_t i = 0; i < w->result->rank_count; i++) {
        const struct replay_rank_result *rank = &w->result->ranks[i];
        int64_t wait_ps = rank->wait_late_sender_ps + rank->wait_late_receiver_ps +
                          rank->wait_transit_ps + rank->wait_queueing_ps;
        assert_int_equal(rank->compute_ps + rank->send_overhead_ps + rank->receive_overhead_ps +
                             wait_ps,
                         rank->time_ps);
        calls_ps += rank->time_ps - rank->compute_ps;
        waits_ps += wait_ps;
    }
    for (uint32_t i = 0; i < w->result->mpi_function_count; i++) {
        calls_ps -= w->result->mpi_functions[i].time_ps;
        waits_ps -= w->result->mpi_functions[i].wait_ps;
    }
    assert_true(calls_ps == 0 && waits_ps == 0);
    return w->result;
}

static void expect_times(uint32_t rank_count, const char *text, const int64_t *times_ps) {
    struct world world, *w = &world;
    load(w, rank_count, text);
    finish(w);
    for (uint32_t rank = 0; rank < rank_count; rank++)
        assert_int_equal(w->result->ranks[rank].time_ps, times_ps[rank]);
    world_free(w);
}

static void cpus_run_side_by_side(void **state) {
    (void)state;
    expect_times(1, "num_ranks 1\nrank 0 {\na: calc 100\nb: calc 50\n}", (int64_t[]){150 * NS});
    expect_times(1, "num_ranks 1\nrank 0 {\na: calc 100\nb: calc 50 cpu 1\n}",
                 (int64_t[]){100 * NS});
    expect_times(1, "num_ranks 1\nrank 0 {\na: calc 100\nb: calc 50 cpu 1\nb requires a\n}",
                 (int64_t[]){150 * NS});
    /* irequires: once the other has begun. */
    expect_times(1,
                 "num_ranks 1\nrank 0 {\nz: calc 30\na: calc 100\nb: calc 90 cpu 1\na requires z\n"
                 "b irequires a\n}",
                 (int64_t[]){130 * NS});
    /* A join has no time, and a CPU. */
    expect_times(1,
                 "num_ranks 1\nrank 0 {\na: calc 10\nb: calc 40 cpu 1\nj: calc 0 cpu 2\nc: calc 5\n"
                 "j requires a\nj requires b\nc requires j\n}",
                 (int64_t[]){45 * NS});
}

/* What has been ready longest goes first; of several, the first in the file. */
static void a_cpu_takes_what_waits_longest(void **state) {
    (void)state;
    expect_times(2,
                 "num_ranks 2\nrank 0 {\n"
                 "a: calc 10\nx: calc 5 cpu 1\n"
                 "b: calc 100\nb requires a\n"     /* ready at 10 */
                 "c: send 0b to 1\nc requires x\n" /* ready at 5, so before b */
                 "}\nrank 1 {\nrecv 0b from 0\n}",
                 (int64_t[]){10 * NS + O + 100 * NS, 10 * NS + O + Z(0) + R});
    expect_times(2,
                 "num_ranks 2\nrank 0 {\nb: calc 100\nc: send 0b to 1\n}\nrank 1 {\n"
                 "recv 0b from 0\n}",
                 (int64_t[]){100 * NS + O, 100 * NS + O + Z(0) + R});
}

static void messages_cost_what_logp_says(void **state) {
    (void)state;
    /* A chain: calc, send, receive, answer. */
    expect_times(
        2,
        "num_ranks 2\nrank 0 {\na: calc 100\nb: send 64b to 1\nb requires a\n"
        "c: recv 8b from 1\nc irequires b\n}\n"
        "rank 1 {\na: recv 64b from 0\nb: send 8b to 0\nb requires a\n}",
        (int64_t[]){100 * NS + 2 * O + Z(64) + Z(8) + 2 * R, 100 * NS + Z(64) + 2 * O + R});
    /* A message that arrives during a computation of its CPU is taken in after it; one of another
     * CPU at once. */
    expect_times(2,
                 "num_ranks 2\nrank 0 {\nsend 0b to 1\n}\n"
                 "rank 1 {\na: recv 0b from 0\nb: calc 9000\nb irequires a\n}",
                 (int64_t[]){O, 9000 * NS + R});
    expect_times(2,
                 "num_ranks 2\nrank 0 {\nsend 0b to 1\n}\n"
                 "rank 1 {\na: recv 0b from 0\nb: calc 9000 cpu 1\nb irequires a\n}",
                 (int64_t[]){O, 9000 * NS});
    /* A receive that comes late finds its message, and then costs its overhead. */
    expect_times(2,
                 "num_ranks 2\nrank 0 {\nsend 0b to 1\n}\n"
                 "rank 1 {\nb: calc 9000\na: recv 0b from 0\na requires b\nc: calc 1\n"
                 "c requires a\n}",
                 (int64_t[]){O, 9000 * NS + R + 1 * NS});
    /* Two messages at once cost the receiver two overheads in turn. */
    expect_times(3,
                 "num_ranks 3\nrank 0 {\nrecv 0b from 1\nrecv 0b from 2\n}\n"
                 "rank 1 {\nsend 0b to 0\n}\nrank 2 {\nsend 0b to 0\n}",
                 (int64_t[]){O + Z(0) + 2 * R, O, O});
    /* Messages of equal tags are matched in the order of the file, whichever comes first. */
    expect_times(2,
                 "num_ranks 2\nrank 0 {\nlate: calc 5000 cpu 1\na: send 8b to 1\na requires late\n"
                 "b: send 8b to 1\n}\nrank 1 {\na: recv 8b from 0\nb: recv 8b from 0\n}",
                 (int64_t[]){5000 * NS + O, 5000 * NS + O + Z(8) + R});
}

/* Above the threshold: request, answer, data. The sender is complete once its data have left. */
static void large_messages_are_announced(void **state) {
    (void)state;
    int64_t control = Z(WORLD_CONTROL_BYTES), calc = 20000 * NS;
    expect_times(
        2,
        "num_ranks 2\nrank 0 {\nsend 4096b to 1\n}\n"
        "rank 1 {\na: calc 20000\nb: recv 4096b from 0\nb requires a\n}",
        (int64_t[]){calc + control + Z(4096) - WORLD_LATENCY_PS, calc + control + Z(4096) + R});
}

static void any_number_of_threads_agrees(void **state) {
    (void)state;
    uint64_t digest = 0;
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        struct world world, *w = &world;
        char text[4000];
        int at = sprintf(text, "num_ranks 24\n");
        for (unsigned rank = 0; rank < 24; rank++)
            at +=
                sprintf(text + at,
                        "rank %u {\na: send 3000b to %u\nb: recv 3000b from %u cpu 1\nc: calc 77\n"
                        "c requires b\n}\n",
                        rank, (rank + 7) % 24, (rank + 17) % 24);
        load(w, 24, text);
        w->packet_level = true;
        w->ranks_per_node = 2;
        w->options.threads = threads;
        finish(w);
        if (threads > 1) assert_int_equal(w->result->digest, digest);
        digest = w->result->digest;
        world_free(w);
    }
}

static void what_cannot_go_on_is_reported(void **state) {
    (void)state;
    struct world world, *w = &world;
    load(w, 2,
         "num_ranks 2\nrank 0 {\na: recv 8b from 1 tag 3000000000\nb: send 8b to 1\nb requires "
         "a\n}\n"
         "rank 1 {\na: recv 8b from 0\nb: send 8b to 0 tag 3000000000\nb requires a\n}");
    assert_int_equal(world_run(w), STATUS_RUN);
    assert_non_null(
        strstr(w->status.text,
               "rank 0: operation 0 waits for a message from rank 1, tag 3000000000, 8 bytes"));
    assert_non_null(strstr(w->status.text, "no eager threshold frees them"));
    world_free(w);
    load(w, 2,
         "num_ranks 2\nrank 0 {\na: send 9000b to 1\nb: recv 9000b from 1\nb requires a\n}\n"
         "rank 1 {\na: send 9000b to 0\nb: recv 9000b from 0\nb requires a\n}");
    assert_int_equal(world_run(w), STATUS_RUN);
    assert_non_null(
        strstr(w->status.text, "operation 0 waits for the recv of its message to rank 1"));
    assert_non_null(strstr(w->status.text, "an eager threshold of 9000 bytes or more"));
    w->config.eager_threshold_bytes = REPLAY_EAGER_AUTO;
    assert_int_equal(finish(w)->eager_threshold_bytes, 9000);
    w->options.timeline = true;
    assert_int_equal(world_run(w), STATUS_USAGE);
    w->options = (struct replay_options){.threads = 1, .explain = true};
    assert_int_equal(world_run(w), STATUS_USAGE);
    world_free(w);
}

/* ---- what is exported and read back ---- */

/* Exports a world's program and reads it back: every rank takes as long as before. */
static void export_world(struct world *w, const char *name) {
    int64_t times_ps[16];
    if (world_run(w) != STATUS_OK) fail_msg("%s", w->status.text);
    for (uint32_t rank = 0; rank < w->rank_count; rank++)
        times_ps[rank] = w->result->ranks[rank].time_ps;
    uint64_t carried = w->totals.messages;
    char *text = goal_export(w), *read = strdup(text);
    for (char *size = read; (size = strstr(size, " 1b ")) != NULL;)
        size[1] = '0'; /* GOAL has 1 byte in place of none */
    program_free(w->program);
    w->program = goal_maker_program(read);
    finish(w);
    assert_int_equal(w->totals.messages, carried);
    for (uint32_t rank = 0; rank < w->rank_count; rank++)
        if (w->result->ranks[rank].time_ps != times_ps[rank])
            fail_msg("%s: rank %u: %lld ps, not %lld", name, rank,
                     (long long)w->result->ranks[rank].time_ps, (long long)times_ps[rank]);
    char *again = goal_export(w);
    assert_string_equal(again, text);
    free(again);
    free(read);
    free(text);
    world_free(w);
}

static void export_and_read(const char *pattern, const struct traces_pattern_config *config,
                            int64_t receive_overhead_ps) {
    struct world world, *w = &world;
    world_new(w, config->rank_count);
    world_seal(w);
    w->config.receive_overhead_ps = by_size_constant(receive_overhead_ps);
    program_free(w->program);
    assert_int_equal(traces_generate(&w->program, pattern, config, &w->status), STATUS_OK);
    export_world(w, pattern);
}

static struct traces_pattern_config config_of(uint32_t ranks, uint64_t bytes) {
    return (struct traces_pattern_config){.rank_count = ranks,
                                          .iterations = 3,
                                          .size_bytes = bytes,
                                          .compute_ps = 6400 * NS,
                                          .neighbours = 6,
                                          .window = 3,
                                          .edge = 4,
                                          .seed = 1};
}

struct exported_pattern {
    const char *pattern;
    uint32_t ranks;
    uint64_t bytes;
};

static void exports_are_read_back(void **state) {
    (void)state;
    static const struct exported_pattern all[] = {
        {"halo2d", 9, 800},         {"halo2d", 12, 5000},    {"sweep3d", 8, 64},
        {"allreduce", 7, 512},      {"bcast", 10, 900},      {"incast", 6, 4000},
        {"ping-pong", 8, 3000},     {"random-pairs", 6, 64}, {"both-ways", 8, 200},
        {"allreduce-ring", 5, 640},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct traces_pattern_config config = config_of(all[i].ranks, all[i].bytes);
        export_and_read(all[i].pattern, &config, R);
    }
}

/* In these patterns messages arrive while their rank sends others. GOAL takes them then, an MPI
 * rank when it waits for them; without the cost of a receive this makes no difference. */
static void exports_with_early_messages_are_read_back(void **state) {
    (void)state;
    static const struct exported_pattern all[] = {
        {"halo3d", 8, 800},   {"halo3d", 12, 5000}, {"alltoall", 8, 64}, {"alltoall", 7, 3000},
        {"fft3d", 12, 700},   {"amg", 8, 0},        {"milc", 16, 0},     {"lulesh", 8, 0},
        {"nekbone", 12, 0},   {"minife", 8, 0},     {"swfft", 8, 0},     {"kripke", 8, 0},
        {"permutation", 9, 3}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct traces_pattern_config config = config_of(all[i].ranks, all[i].bytes);
        export_and_read(all[i].pattern, &config, 0);
    }
}

/* A small model whose computations are whole nanoseconds. */
static struct training_config small_model(void) {
    struct training_config config;
    struct status status = STATUS_INIT;
    assert_int_equal(training_set_defaults(&config, &status), STATUS_OK);
    config.layers = 4, config.hidden = 64, config.feed_forward = 128, config.heads = 4;
    config.key_value_heads = 2, config.vocabulary = 1000, config.sequence = 16;
    config.micro_batches = 4;
    config.rate_gflops = 1;
    return config;
}

/* Non-blocking collectives go on beside the rank: each has a CPU of its own in GOAL. */
static void exports_of_training_are_read_back(void **state) {
    (void)state;
    for (int32_t sharding = 0; sharding < 3; sharding++)
        for (int overlap = 0; overlap < 2; overlap++) {
            struct training_config training = small_model();
            struct traces_pattern_config config = config_of(6, 0);
            config.training = &training;
            training.sharding = sharding;
            training.overlap = overlap == 1;
            export_and_read("training", &config, R);
            /* and together with messages of pipelines and rings, which arrive early */
            config.rank_count = 16;
            training.sequence_parallel = true;
            training.tensor = training.context = training.pipeline = 2;
            export_and_read("training", &config, 0);
        }
}

/* A non-blocking collective begins when the rank has posted what comes before it, and takes no time
 * of the rank. */
static void exports_of_non_blocking_collectives_are_read_back(void **state) {
    (void)state;
    struct world world, *w = &world;
    world_new(w, 4);
    for (uint32_t rank = 0; rank < 4; rank++) {
        const uint64_t all[] = {1, 2, 3, 4};
        world_compute(w, rank, (1 + rank) * 700 * NS);
        world_irecv(w, rank, (rank + 3) % 4, 512, 1);
        world_isend(w, rank, (rank + 1) % 4, 512, 2);
        for (uint64_t request = 3; request <= 4; request++)
            world_collective(w, rank, PROGRAM_COLLECTIVE_ALLREDUCE, w->everyone, PROGRAM_NONE, 8, 8,
                             0, request);
        world_compute(w, rank, 5000 * NS);
        world_wait(w, rank, all, 4);
        world_send(w, rank, rank ^ 1, 16, 0);
        world_receive(w, rank, rank ^ 1, 16);
    }
    w->config.receive_overhead_ps = by_size_constant(0);
    export_world(w, "non-blocking collectives");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpus_run_side_by_side),
        cmocka_unit_test(a_cpu_takes_what_waits_longest),
        cmocka_unit_test(messages_cost_what_logp_says),
        cmocka_unit_test(large_messages_are_announced),
        cmocka_unit_test(any_number_of_threads_agrees),
        cmocka_unit_test(what_cannot_go_on_is_reported),
        cmocka_unit_test(exports_are_read_back),
        cmocka_unit_test(exports_with_early_messages_are_read_back),
        cmocka_unit_test(exports_of_training_are_read_back),
        cmocka_unit_test(exports_of_non_blocking_collectives_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
