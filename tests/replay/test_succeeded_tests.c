/*
 * What a test (MPI_Test and its kin) found complete, on the ideal network and to the picosecond: of
 * what only gives away data that tells when it was complete in the trace and not that the rank has
 * to wait (docs/model.md, 9.3).
 */
#include "tests/support/replay/replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { S = WORLD_SEND_PS, R = WORLD_RECEIVE_PS, LARGE = 100000 };
static const int64_t request = WORLD_MESSAGE_PS(WORLD_CONTROL_BYTES); /* either way */
#define OUT(bytes) (100 * (int64_t)(bytes)) /* until the bytes have left the NIC */

static const uint64_t id = 7;

/* Each posts a send, tests it, and only then receives what the other has sent. */
static void exchange(struct world *w, uint64_t bytes) {
    world_new(w, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        world_isend(w, rank, 1 - rank, bytes, id);
        world_test(w, rank, &id, 1);
        world_receive(w, rank, 1 - rank, bytes);
    }
}

/* Two that test their sends before they receive go on, whatever is eager. */
static void a_send_that_was_tested_blocks_nobody(void **state) {
    (void)state;
    struct world w;
    exchange(&w, LARGE);
    const struct replay_result *result = world_finish(&w);
    for (uint32_t rank = 0; rank < 2; rank++) {
        /* Both requests are there and answered at once; both data leave at once. */
        assert_int_equal(result->ranks[rank].time_ps,
                         S + 2 * request + WORLD_MESSAGE_PS(LARGE) + R);
        assert_int_equal(result->ranks[rank].wait_late_receiver_ps, 0);
    }
    assert_int_equal(result->rendezvous_messages, 2);
    w.config.rendezvous = REPLAY_RENDEZVOUS_GET;
    world_finish(&w);
    w.config.progress = REPLAY_PROGRESS_SOFTWARE;
    world_finish(&w);
    world_free(&w);
}

/* As the threshold that frees them nothing is needed. */
static void no_threshold_is_needed_for_tested_sends(void **state) {
    (void)state;
    struct world w;
    exchange(&w, LARGE);
    w.config.eager_threshold_bytes = REPLAY_EAGER_AUTO;
    assert_int_equal(world_finish(&w)->eager_threshold_bytes, 0);
    world_free(&w);
}

/* The rank goes on at once, and at its end waits until its data have left. */
static void a_rank_ends_when_its_tested_sends_have_left(void **state) {
    (void)state;
    const int64_t before = 5000000, late = 90000000;
    struct world w;
    world_new(&w, 2);
    world_isend(&w, 0, 1, LARGE, id);
    world_test(&w, 0, &id, 1);
    world_compute(&w, 0, before);
    world_compute(&w, 1, late);
    world_receive(&w, 1, 0, LARGE);
    const struct replay_result *result = world_finish(&w);
    const struct replay_rank_result *sender = &result->ranks[0];
    assert_int_equal(sender->time_ps, late + request + OUT(LARGE));
    assert_int_equal(sender->compute_ps, before);
    /* The request arrived while it computed. */
    assert_int_equal(sender->wait_late_receiver_ps, late - S - before);
    assert_int_equal(sender->wait_transit_ps, request + OUT(LARGE));
    assert_int_equal(result->ranks[1].time_ps, late + request + WORLD_MESSAGE_PS(LARGE) + R);
    for (uint32_t i = 0; i < result->mpi_function_count; i++)
        if (strcmp(result->mpi_functions[i].name, "MPI_Testall") == 0)
            assert_int_equal(result->mpi_functions[i].time_ps, 0);
    /* No rank calls it, but that is where it waits. */
    const struct replay_mpi_function_result *last =
        &result->mpi_functions[result->mpi_function_count - 1];
    assert_string_equal(last->name, "MPI_Finalize");
    assert_int_equal(last->count, 1);
    assert_int_equal(last->wait_ps, late - S - before + request + OUT(LARGE));
    assert_int_equal(last->time_ps, last->wait_ps);
    world_free(&w);
}

/* What is complete where it is tested costs what it costs when it is waited for. */
static void eager_sends_are_as_before(void **state) {
    (void)state;
    uint64_t digests[2];
    for (unsigned tested = 0; tested < 2; tested++) {
        struct world w;
        world_new(&w, 2);
        for (uint32_t rank = 0; rank < 2; rank++) {
            world_isend(&w, rank, 1 - rank, WORLD_THRESHOLD_BYTES, id);
            (tested ? world_test : world_wait)(&w, rank, &id, 1);
            world_compute(&w, rank, 1000 * (rank + 1));
            world_receive(&w, rank, 1 - rank, WORLD_THRESHOLD_BYTES);
        }
        digests[tested] = world_finish(&w)->ranks[0].time_ps * 1000003 + w.result->ranks[1].time_ps;
        world_free(&w);
    }
    assert_int_equal(digests[0], digests[1]);
}

/* A receive brings data: the rank cannot go on without them. Of a Testall it waits for those. */
static void receives_are_waited_for(void **state) {
    (void)state;
    const uint64_t ids[] = {1, 2};
    struct world w;
    world_new(&w, 2);
    world_irecv(&w, 0, 1, 100, 1);
    world_isend(&w, 0, 1, LARGE, 2);
    world_test(&w, 0, ids, 2);
    world_compute(&w, 0, 1000);
    world_compute(&w, 1, 30000000);
    world_send(&w, 1, 0, 100, 0);
    world_compute(&w, 1, 60000000);
    world_receive(&w, 1, 0, LARGE);
    const struct replay_result *result = world_finish(&w);
    const int64_t received = 30000000 + S + WORLD_MESSAGE_PS(100) + R;
    assert_int_equal(result->ranks[0].wait_late_sender_ps, 30000000 + S - S);
    assert_int_equal(result->ranks[0].receive_overhead_ps, R);
    /* It went on then, and its end came when the data had left. */
    const int64_t posted = 30000000 + S + 60000000;
    assert_true(received + 1000 < posted);
    assert_int_equal(result->ranks[0].time_ps, posted + request + OUT(LARGE));
    assert_int_equal(result->ranks[0].wait_late_receiver_ps, posted - received - 1000);
    world_free(&w);
}

static void expect_stall(struct world *w, const char *text) {
    assert_int_equal(world_run(w), STATUS_RUN);
    if (strstr(w->status.text, text) == NULL) fail_msg("`%s` is not in:\n%s", text, w->status.text);
}

/* That a synchronous send was complete tells that its receive had been posted. */
static void synchronous_sends_are_waited_for(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    uint32_t region = builder_define_region(w.builder, "MPI_Issend", true);
    assert_int_equal(builder_call(w.builder, 0, region, w.next_call++, 0, &w.status), STATUS_OK);
    assert_int_equal(builder_send(w.builder, 0, w.everyone, 1, 5, 8,
                                  OPERATION_FLAG_SEND_SYNCHRONOUS, id, &w.status),
                     STATUS_OK);
    assert_int_equal(builder_return(w.builder, 0, 0, false, &w.status), STATUS_OK);
    world_test(&w, 0, &id, 1);
    world_compute(&w, 0, 1000);
    world_compute(&w, 1, 70000000);
    world_receive(&w, 1, 0, 8);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[0].time_ps, 70000000 + request + OUT(8) + 1000);
    world_free(&w);
}

/* Its next start must wait until the last one's data have left; and so the next. */
static void a_persistent_send_is_started_again(void **state) {
    (void)state;
    const int64_t late = 50000000;
    struct world w;
    world_new(&w, 2);
    for (unsigned i = 0; i < 3; i++) {
        world_start(&w, 0, 1, LARGE, id);
        world_test(&w, 0, &id, 1);
        world_compute(&w, 0, 1000);
        world_compute(&w, 1, late);
        world_receive(&w, 1, 0, LARGE);
    }
    const struct replay_result *result = world_finish(&w);
    /* Each receive is posted long after its request has arrived. */
    int64_t left[3], received = 0;
    for (unsigned i = 0; i < 3; i++) {
        left[i] = received + late + request + OUT(LARGE);
        received += late + request + WORLD_MESSAGE_PS(LARGE) + R;
    }
    assert_int_equal(result->ranks[1].time_ps, received);
    assert_int_equal(result->ranks[0].time_ps, left[2]);
    int64_t waited = left[0] - S - 1000 + left[1] - (left[0] + S + 1000);
    for (uint32_t i = 0; i < result->mpi_function_count; i++)
        if (strcmp(result->mpi_functions[i].name, "MPI_Start") == 0)
            assert_int_equal(result->mpi_functions[i].wait_ps, waited);
    world_free(&w);
}

/* What it waits for then can block it for good. */
static void a_restart_that_blocks_is_told(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 3);
    for (unsigned i = 0; i < 2; i++) {
        world_start(&w, 0, 1, LARGE, id);
        world_test(&w, 0, &id, 1);
    }
    world_send(&w, 0, 2, 0, 0);
    world_receive(&w, 2, 0, 0);
    world_send(&w, 2, 1, 0, 0);
    world_receive(&w, 1, 2, 0);
    for (unsigned i = 0; i < 2; i++)
        world_receive(&w, 1, 0, LARGE);
    expect_stall(&w, "rank 0: MPI_Start waits for the receive of its message to rank 1, tag 5, "
                     "MPI_COMM_WORLD, 100000 bytes");
    if (strstr(w.status.text, "(mpi.eager_threshold=100000B)") == NULL)
        fail_msg("%s", w.status.text);
    world_free(&w);
}

/* The root of a broadcast that does not block gives data away only. */
static void parts_that_bring_nothing_block_nobody(void **state) {
    (void)state;
    static const struct {
        uint32_t kind, root, giver;
    } cases[] = {
        {PROGRAM_COLLECTIVE_BCAST, 0, 0},           {PROGRAM_COLLECTIVE_SCATTER, 0, 0},
        {PROGRAM_COLLECTIVE_REDUCE, 1, 0},          {PROGRAM_COLLECTIVE_GATHER, 1, 0},
        {PROGRAM_COLLECTIVE_SCAN, PROGRAM_NONE, 0}, {PROGRAM_COLLECTIVE_EXSCAN, PROGRAM_NONE, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world w;
        world_new(&w, 2);
        uint32_t giver = cases[i].giver, other = 1 - giver;
        world_collective(&w, giver, cases[i].kind, w.everyone, cases[i].root, LARGE, LARGE, 0, id);
        world_test(&w, giver, &id, 1);
        world_send(&w, giver, other, 0, 0);
        world_receive(&w, other, giver, 0);
        world_compute(&w, other, 40000000);
        world_collective(&w, other, cases[i].kind, w.everyone, cases[i].root, LARGE, LARGE, 0, id);
        world_wait(&w, other, &id, 1);
        const struct replay_result *result = world_finish(&w);
        assert_true(result->ranks[giver].collective_ps >= 40000000); /* at its end */
        world_free(&w);
    }
}

/* And whoever receives something waits. */
static void parts_that_bring_data_are_waited_for(void **state) {
    (void)state;
    static const uint32_t kinds[] = {PROGRAM_COLLECTIVE_BARRIER, PROGRAM_COLLECTIVE_BCAST,
                                     PROGRAM_COLLECTIVE_REDUCE, PROGRAM_COLLECTIVE_ALLREDUCE,
                                     PROGRAM_COLLECTIVE_SCAN};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct world w;
        world_new(&w, 2);
        uint32_t root = kinds[i] == PROGRAM_COLLECTIVE_BCAST    ? 0
                        : kinds[i] == PROGRAM_COLLECTIVE_REDUCE ? 1
                                                                : PROGRAM_NONE;
        world_collective(&w, 1, kinds[i], w.everyone, root, 8, 8, 0, id);
        world_test(&w, 1, &id, 1);
        world_send(&w, 1, 0, 0, 0);
        world_receive(&w, 0, 1, 0);
        world_collective(&w, 0, kinds[i], w.everyone, root, 8, 8, 0, id);
        world_wait(&w, 0, &id, 1);
        expect_stall(&w, "rank 1: MPI_Testall waits for its part of");
        world_free(&w);
    }
}

/* Those at their end are named too. */
static void who_is_at_its_end_is_told(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 3);
    world_isend(&w, 0, 1, LARGE, id);
    world_test(&w, 0, &id, 1);
    for (uint32_t rank = 1; rank < 3; rank++) {
        world_receive(&w, rank, 3 - rank, 8);
        world_send(&w, rank, 3 - rank, 8, 0);
    }
    world_receive(&w, 1, 0, LARGE);
    expect_stall(&w, "3 of 3 ranks cannot go on");
    expect_stall(&w, "rank 0: its end waits for the receive of its message to rank 1, tag 5, "
                     "MPI_COMM_WORLD, 100000 bytes (event ");
    expect_stall(&w, "no eager threshold frees them");
    world_free(&w);

    world_new(&w, 3);
    world_collective(&w, 0, PROGRAM_COLLECTIVE_BCAST, w.everyone, 0, LARGE, LARGE, 0, id);
    world_test(&w, 0, &id, 1);
    for (uint32_t rank = 1; rank < 3; rank++) {
        world_receive(&w, rank, 3 - rank, 8);
        world_send(&w, rank, 3 - rank, 8, 0);
        world_collective(&w, rank, PROGRAM_COLLECTIVE_BCAST, w.everyone, 0, LARGE, LARGE, 0, id);
        world_wait(&w, rank, &id, 1);
    }
    expect_stall(&w, "rank 0: its end waits for its part of BCAST number 0 on MPI_COMM_WORLD");
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_send_that_was_tested_blocks_nobody),
        cmocka_unit_test(no_threshold_is_needed_for_tested_sends),
        cmocka_unit_test(a_rank_ends_when_its_tested_sends_have_left),
        cmocka_unit_test(eager_sends_are_as_before),
        cmocka_unit_test(receives_are_waited_for),
        cmocka_unit_test(synchronous_sends_are_waited_for),
        cmocka_unit_test(a_persistent_send_is_started_again),
        cmocka_unit_test(a_restart_that_blocks_is_told),
        cmocka_unit_test(parts_that_bring_nothing_block_nobody),
        cmocka_unit_test(parts_that_bring_data_are_waited_for),
        cmocka_unit_test(who_is_at_its_end_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
