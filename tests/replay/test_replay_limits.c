/* What is too long or too much to be replayed is refused, and told; nothing wraps on the way. */
#include "replay/collectives/collective_families.h"
#include "replay/hosts/host_cost.h"
#include "tests/support/replay/replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SECOND INT64_C(1000000000000)
#define LARGE  (UINT64_C(1) << 47)

static void expect_failure_of(const char *name, struct world *w, status_code code,
                              const char *text) {
    const status_code found = world_run(w);
    if (found != code) fail_msg("%s: status %d instead of %d", name, (int)found, (int)code);
    assert_null(w->result);
    if (strstr(w->status.text, text) == NULL)
        fail_msg("%s: `%s` is not in:\n%s", name, text, w->status.text);
    world_free(w);
}

static void expect_failure(struct world *w, status_code code, const char *text) {
    expect_failure_of("the replay", w, code, text);
}

static void costs_do_not_wrap(void **state) {
    (void)state;
    assert_int_equal(host_cost_ps(2048, 7, 1000), 2007);
    assert_int_equal(host_cost_ps(UINT64_MAX, 7, 0), 7);
    assert_true(host_cost_ps(LARGE, 7, SECOND) == HOST_TIME_LIMIT_PS);
    assert_true(host_cost_ps(UINT64_MAX, SECOND, INT64_MAX) == HOST_TIME_LIMIT_PS);
    assert_int_equal(host_sum_ps(3, 4), 7);
    assert_true(host_sum_ps(HOST_TIME_LIMIT_PS, 1) == HOST_TIME_LIMIT_PS);
    assert_true(host_sum_ps(HOST_TIME_LIMIT_PS, HOST_TIME_LIMIT_PS) == HOST_TIME_LIMIT_PS);
}

static const char passes[] = ": its clock passes 2305843 s (26 days)";

static void too_long_computation_is_refused(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 1);
    world_compute(&w, 0, HOST_TIME_LIMIT_PS - 1000);
    assert_int_equal(world_finish(&w)->time_ps, HOST_TIME_LIMIT_PS - 1000);
    world_free(&w);
    world_new(&w, 1);
    for (unsigned i = 0; i < 2; i++) {
        world_compute(&w, 0, HOST_TIME_LIMIT_PS - 1000);
        world_send(&w, 0, 0, 0, OPERATION_FLAG_SEND_BUFFERED);
    }
    expect_failure(&w, STATUS_RUN, passes);
}

static void too_long_costs_of_messages_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t send_per_kib_ps, receive_per_kib_ps;
    } rows[] = {{"sends", SECOND, 0}, {"receives", 0, SECOND}};
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct world w;
        world_new(&w, 2);
        w.config.send_overhead_per_kib_ps = by_size_constant(rows[r].send_per_kib_ps);
        w.config.receive_overhead_per_kib_ps = by_size_constant(rows[r].receive_per_kib_ps);
        w.config.eager_threshold_bytes = INT64_MAX;
        uint64_t requests[10];
        for (unsigned i = 0; i < 10; i++) {
            requests[i] = i;
            world_irecv(&w, 1, 0, LARGE, i);
            world_isend(&w, 0, 1, LARGE, i);
        }
        world_compute(&w, 1, HOST_TIME_LIMIT_PS - SECOND); /* so that all are there */
        world_wait(&w, 1, requests, 10);
        world_wait(&w, 0, requests, 10);
        w.network_config.channels[NETWORK_TERMINAL].bandwidth_bytes_per_s = INT64_C(10000000000000);
        expect_failure_of(rows[r].name, &w, STATUS_RUN, passes);
    }
}

/* All send to the root while it computes: then it receives their data, or combines them. */
static void too_long_costs_of_collectives_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t reduction_per_kib_ps, receive_per_kib_ps;
        bool waits; /* the collective does not block */
    } rows[] = {{"combining data", SECOND, 0, false},
                {"combining data, non-blocking", SECOND, 0, true},
                {"receiving data", 0, SECOND, false},
                {"receiving data, non-blocking", 0, SECOND, true}};
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct world w;
        world_new(&w, 9);
        const bool waits = rows[r].waits;
        w.config.reduction_per_kib_ps = rows[r].reduction_per_kib_ps;
        w.config.receive_overhead_per_kib_ps = by_size_constant(rows[r].receive_per_kib_ps);
        w.config.eager_threshold_bytes = INT64_MAX;
        w.config.collectives.algorithm[PROGRAM_COLLECTIVE_REDUCE] = REDUCE_LINEAR;
        w.network_config.channels[NETWORK_TERMINAL].bandwidth_bytes_per_s = INT64_C(10000000000000);
        const uint64_t id = 1;
        for (uint32_t rank = 0; rank < 9; rank++) {
            if (rank == 0) world_compute(&w, rank, HOST_TIME_LIMIT_PS - SECOND);
            world_collective(&w, rank, PROGRAM_COLLECTIVE_REDUCE, w.everyone, 0, LARGE, LARGE, 0,
                             waits ? id : BUILDER_NO_REQUEST);
            if (waits) world_wait(&w, rank, &id, 1);
        }
        expect_failure_of(rows[r].name, &w, STATUS_RUN, passes);
    }
}

/* The blocks of all members together must be below 1 EiB. */
static void too_much_data_of_collectives_is_refused(void **state) {
    (void)state;
    enum { MANY = 8192 };
    static const uint32_t kinds[] = {PROGRAM_COLLECTIVE_ALLTOALL, PROGRAM_COLLECTIVE_ALLGATHER,
                                     PROGRAM_COLLECTIVE_ALLTOALLV};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct world w;
        world_new(&w, MANY);
        w.ranks_per_node = MANY;
        for (uint32_t rank = 0; rank < MANY; rank++)
            world_collective(&w, rank, kinds[i], w.everyone, PROGRAM_NONE, LARGE, LARGE, 0,
                             BUILDER_NO_REQUEST);
        expect_failure(&w, STATUS_INPUT,
                       " of 8192 members with 140737488355328 bytes each: more than 1 EiB in all");
    }
}

static void too_much_data_of_a_rank_is_refused(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    for (unsigned i = 0; i < 65536; i++)
        world_send(&w, 1, 0, LARGE, OPERATION_FLAG_SEND_BUFFERED);
    expect_failure(&w, STATUS_INPUT, "rank 1 sends more than 8 EiB in all");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_do_not_wrap),
        cmocka_unit_test(too_long_computation_is_refused),
        cmocka_unit_test(too_long_costs_of_messages_are_refused),
        cmocka_unit_test(too_long_costs_of_collectives_are_refused),
        cmocka_unit_test(too_much_data_of_collectives_is_refused),
        cmocka_unit_test(too_much_data_of_a_rank_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
