/*
 * Which of several parts of a run the verdict names where they are equal, or nearly so.
 * tests/cli/test_verdict.sh has the sentences of runs whose bound is known.
 */
#include "tests/support/api/api_world.h"
#include "tests/support/api/table_world.h"
#include "tests/support/traces/program_on_disk.h"

#include <stdio.h>

static int setup(void **state) {
    return api_world_new(state, "halo2d", "8", "1");
}

static int64_t total(const anax_table *ranks, const char *name) {
    int64_t sum = 0;
    for (size_t row = 0; row < anax_table_row_count(ranks); row++)
        sum += integer_of(ranks, row, name);
    return sum;
}

/* Replays a message of rank 0 that is there before rank 1 wants it. Nobody waits: all time is the
 * computation, of 10 us, and the overheads of sender and receiver. Returns the verdict. */
static anax_table *verdict_of(struct api_world *world, const char *send_overhead, int64_t host_ps) {
    struct build_world build = build_world_new(2), *w = &build;
    anax_trace *trace = NULL;
    anax_replay_result *result = NULL;
    char path[SCRATCH_FOLDER_BYTES + 16];
    snprintf(path, sizeof path, "%s/equal.anax", world->folder);
    BUILD_OK(builder_compute(w->builder, 0, 1000000, &w->status));
    BUILD_OK(builder_compute(w->builder, 1, 9000000, &w->status));
    build_call(w, 0);
    build_isend(w, 0, 1, 3, 8, BUILDER_NO_REQUEST);
    build_call_end(w, 0);
    build_call(w, 1);
    build_irecv(w, 1, 0, 3, 8, BUILDER_NO_REQUEST);
    build_call_end(w, 1);
    build_on_disk(w, path);
    api_set(world->config, "mpi.send_overhead", send_overhead);
    api_set(world->config, "mpi.receive_overhead", "6us");
    assert_int_equal(anax_trace_open(&trace, path, world->config, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_replay(&result, world->config, trace, NULL, NULL), ANAX_OK);
    anax_table *ranks = table_of(result, "ranks"), *verdict = table_of(result, "verdict");
    assert_int_equal(total(ranks, "compute_ps"), 10000000);
    assert_int_equal(total(ranks, "send_overhead_ps") + total(ranks, "receive_overhead_ps"),
                     host_ps);
    assert_int_equal(total(ranks, "time_ps"), 10000000 + host_ps);
    anax_table_free(ranks);
    anax_replay_result_free(result);
    anax_trace_free(trace);
    return verdict;
}

/* Returns whether the verdict has a text, in any of its sentences. */
static bool says(const anax_table *verdict, const char *words) {
    for (size_t row = 0; row < anax_table_row_count(verdict); row++)
        if (strstr(text_of(verdict, row, anax_table_column(verdict, 0)->name), words) != NULL)
            return true;
    return false;
}

/* Of two equal parts the verdict names the one that its list has first (api/results/verdict.c), and
 * the other one as the next largest. */
static void of_equal_parts_the_first_one_bounds_the_run(void **state) {
    anax_table *verdict = verdict_of(*state, "4us", 10000000);
    assert_true(says(verdict, "Computation bounds the run: it is 50.0 %"));
    assert_true(
        says(verdict, "The next largest part is the processors' work for messages (50.0 %)"));
    anax_table_free(verdict);
}

/* A picosecond decides which part is the larger one. */
static void the_larger_part_bounds_the_run(void **state) {
    anax_table *verdict = verdict_of(*state, "4000001ps", 10000001);
    assert_true(says(verdict, "The processors' work for messages bounds the run: 50.0 %"));
    assert_true(says(verdict, "The next largest part is computation (50.0 %)"));
    anax_table_free(verdict);
    verdict = verdict_of(*state, "3999999ps", 9999999);
    assert_true(says(verdict, "Computation bounds the run"));
    anax_table_free(verdict);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(of_equal_parts_the_first_one_bounds_the_run, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(the_larger_part_bounds_the_run, setup, api_world_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
