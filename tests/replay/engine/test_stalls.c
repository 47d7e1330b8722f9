/* Ranks that cannot go on: who, where, why, and the eager threshold that frees them. */
#include "tests/support/replay/replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void expect_stall(struct world *w) {
    assert_int_equal(world_run(w), STATUS_RUN);
    assert_null(w->result);
}

static void expect_text(const struct world *w, const char *text) {
    if (strstr(w->status.text, text) == NULL) fail_msg("`%s` is not in:\n%s", text, w->status.text);
}

static void expect_no_text(const struct world *w, const char *text) {
    if (strstr(w->status.text, text) != NULL) fail_msg("`%s` is in:\n%s", text, w->status.text);
}

/* The threshold named must free them, and one byte less must not. */
static void expect_freed_by(struct world *w, int64_t threshold) {
    char text[80];
    snprintf(text, sizeof text, "mpi.eager_threshold=%lldB", (long long)threshold);
    expect_text(w, text);
    w->config.eager_threshold_bytes = threshold - 1;
    expect_stall(w);
    w->config.eager_threshold_bytes = threshold;
    world_finish(w);
}

static void both_send_before_they_receive(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        world_send(&w, rank, 1 - rank, 5000, 0);
        world_receive(&w, rank, 1 - rank, 5000);
    }
    expect_stall(&w);
    expect_text(&w, "2 of 2 ranks cannot go on");
    expect_text(&w, "rank 0: MPI_Send waits for the receive of its message to rank 1, tag 5, "
                    "MPI_COMM_WORLD, 5000 bytes (event 0, 0.000000000 s into the trace)");
    expect_text(&w, "rank 1: MPI_Send waits for the receive of its message to rank 0, tag 5, "
                    "MPI_COMM_WORLD, 5000 bytes (event 2, 0.000002000 s into the trace)");
    expect_text(&w, "these wait for each other: 0 -> 1 -> 0");
    expect_freed_by(&w, 5000);
    world_free(&w);
}

/* Freed sends lead to larger ones that block too. */
static void the_threshold_must_free_all_that_follows(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 3);
    const uint64_t sizes[] = {3000, 9000, 4000};
    for (unsigned i = 0; i < 3; i++) {
        for (uint32_t rank = 0; rank < 3; rank++) {
            world_compute(&w, rank, 1000);
            world_send(&w, rank, (rank + 1) % 3, sizes[i] + rank, 0);
            world_receive(&w, rank, (rank + 2) % 3, sizes[i] + (rank + 2) % 3);
        }
    }
    expect_stall(&w);
    expect_text(&w, "these wait for each other: 0 -> 1 -> 2 -> 0");
    /* One eager send breaks the ring: the smallest of the second round's. */
    expect_freed_by(&w, 9000);
    world_free(&w);
}

static void synchronous_sends_are_freed_by_no_threshold(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        world_send(&w, rank, 1 - rank, 5000, OPERATION_FLAG_SEND_SYNCHRONOUS);
        world_receive(&w, rank, 1 - rank, 5000);
    }
    expect_stall(&w);
    expect_text(&w, "no eager threshold frees them");
    world_free(&w);
}

static void receives_that_wait_for_each_other(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 3);
    for (uint32_t rank = 0; rank < 2; rank++) {
        world_receive(&w, rank, 1 - rank, 8);
        world_send(&w, rank, 1 - rank, 8, 0);
    }
    expect_stall(&w);
    expect_text(&w, "2 of 3 ranks cannot go on");
    expect_text(&w,
                "rank 0: MPI_Recv waits for a message from rank 1, tag 5, MPI_COMM_WORLD, 8 bytes");
    expect_text(&w, "no eager threshold frees them");
    world_free(&w);
}

/* Rank 2 only waits for the two that block each other. */
static void collectives_are_named(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        if (rank < 2) {
            world_send(&w, rank, 1 - rank, 2000, 0);
            world_receive(&w, rank, 1 - rank, 2000);
        }
        world_collective(&w, rank, PROGRAM_COLLECTIVE_BARRIER, w.everyone, PROGRAM_NONE, 0, 0, 0,
                         BUILDER_NO_REQUEST);
    }
    expect_stall(&w);
    expect_text(&w, "3 of 3 ranks cannot go on");
    expect_text(&w,
                "rank 2: MPI_Collective waits for its part of BARRIER number 0 on MPI_COMM_WORLD, "
                "from rank 1");
    expect_freed_by(&w, 2000);
    world_free(&w);
}

/* Appends a call with a message on a communicator. */
static void message(struct world *w, program_operation_kind kind, uint32_t rank, uint32_t peer,
                    uint32_t communicator) {
    struct status *status = &w->status;
    uint32_t region = builder_define_region(w->builder, "MPI_Message", true);
    builder_call(w->builder, rank, region, 0, 0, status);
    (kind == OPERATION_SEND ? builder_send : builder_receive)(w->builder, rank, communicator, peer,
                                                              4, 8, 0, BUILDER_NO_REQUEST, status);
    builder_wait_call(w->builder, rank, status);
    if (builder_return(w->builder, rank, 0, false, status) != STATUS_OK)
        fail_msg("%s", status->text);
}

/* Rank 1 waits for a message that rank 0 sends only after the collective. */
static void sizes_of_collectives_are_told(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    message(&w, OPERATION_RECEIVE, 1, 0, w.everyone);
    for (uint32_t rank = 0; rank < 2; rank++)
        world_collective(&w, rank, PROGRAM_COLLECTIVE_ALLREDUCE, w.everyone, PROGRAM_NONE, 8, 8, 0,
                         BUILDER_NO_REQUEST);
    message(&w, OPERATION_SEND, 0, 1, w.everyone);
    expect_stall(&w);
    expect_text(
        &w, "rank 0: MPI_Collective waits for its part of ALLREDUCE number 0 on MPI_COMM_WORLD, 8 "
            "bytes, from rank 1");
    world_free(&w);
}

/* Programs mostly leave the communicators they make without a name: people know them by the trace's
 * numbers. */
static void unnamed_communicators_have_a_number(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 3);
    uint32_t unnamed = 0;
    assert_int_equal(builder_define_communicator(w.builder, "", (const uint32_t[]){2, 0, 1}, 3,
                                                 &unnamed, &w.status),
                     STATUS_OK);
    assert_int_equal(unnamed, 2);
    builder_set_communicator_number(w.builder, unnamed, 70);
    for (uint32_t rank = 0; rank < 3; rank++) {
        if (rank < 2) {
            message(&w, OPERATION_RECEIVE, rank, 1 - rank, unnamed);
            message(&w, OPERATION_SEND, rank, 1 - rank, unnamed);
        }
        world_collective(&w, rank, PROGRAM_COLLECTIVE_BARRIER, unnamed, PROGRAM_NONE, 0, 0, 0,
                         BUILDER_NO_REQUEST);
    }
    expect_stall(&w);
    expect_text(&w,
                "waits for a message from rank 1, tag 4, communicator 70 of the trace (3 ranks), 8 "
                "bytes");
    expect_text(&w, "its part of BARRIER number 0 on communicator 70 of the trace (3 ranks), from "
                    "rank");
    world_free(&w);
}

/* Names that several have do not tell them apart. */
static void equal_names_have_their_numbers(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    uint32_t rows[2];
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(builder_define_communicator(w.builder, "row", (const uint32_t[]){0, 1}, 2,
                                                     &rows[i], &w.status),
                         STATUS_OK);
        builder_set_communicator_number(w.builder, rows[i], 70 + i);
    }
    for (uint32_t rank = 0; rank < 2; rank++) {
        message(&w, OPERATION_RECEIVE, rank, 1 - rank, rows[rank]);
        message(&w, OPERATION_SEND, rank, 1 - rank, rows[1 - rank]);
    }
    expect_stall(&w);
    expect_text(
        &w, "waits for a message from rank 1, tag 4, communicator 70 of the trace (row), 8 bytes");
    expect_text(
        &w, "waits for a message from rank 0, tag 4, communicator 71 of the trace (row), 8 bytes");
    world_free(&w);
}

/* A non-blocking send blocks in its wait. */
static void waits_are_named(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    const uint64_t id = 3;
    for (uint32_t rank = 0; rank < 2; rank++) {
        world_isend(&w, rank, 1 - rank, 7000, id);
        world_wait(&w, rank, &id, 1);
        world_receive(&w, rank, 1 - rank, 7000);
    }
    expect_stall(&w);
    expect_text(&w, "rank 0: MPI_Waitall waits for the receive of its message to rank 1");
    expect_freed_by(&w, 7000);
    world_free(&w);
}

static void only_some_of_many_are_listed(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 64);
    for (uint32_t rank = 0; rank < 64; rank++) {
        world_send(&w, rank, (rank + 1) % 64, 2000, 0);
        world_receive(&w, rank, (rank + 63) % 64, 2000);
    }
    expect_stall(&w);
    expect_text(&w, "64 of 64 ranks cannot go on");
    expect_text(&w, "  rank 19: ");
    expect_no_text(&w, "  rank 20: ");
    expect_text(&w, "and 44 more");
    expect_text(&w, "these wait for each other (the first of a longer cycle): 0 -> 1");
    expect_freed_by(&w, 2000);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_send_before_they_receive),
        cmocka_unit_test(the_threshold_must_free_all_that_follows),
        cmocka_unit_test(synchronous_sends_are_freed_by_no_threshold),
        cmocka_unit_test(receives_that_wait_for_each_other),
        cmocka_unit_test(collectives_are_named),
        cmocka_unit_test(sizes_of_collectives_are_told),
        cmocka_unit_test(unnamed_communicators_have_a_number),
        cmocka_unit_test(equal_names_have_their_numbers),
        cmocka_unit_test(waits_are_named),
        cmocka_unit_test(only_some_of_many_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
