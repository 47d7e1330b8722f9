/*
 * Point-to-point semantics on the ideal network, to the picosecond: every expected time is an
 * equation of docs/model.md.
 */
#include "tests/support/replay/replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { S = WORLD_SEND_PS, R = WORLD_RECEIVE_PS };
static const int64_t request = WORLD_MESSAGE_PS(WORLD_CONTROL_BYTES); /* either way */
#define LARGE      100000
#define OUT(bytes) (100 * (int64_t)(bytes)) /* until the bytes have left the NIC */

static void an_eager_message_takes_the_closed_form(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    world_send(&w, 0, 1, WORLD_THRESHOLD_BYTES, 0);
    world_receive(&w, 1, 0, WORLD_THRESHOLD_BYTES);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[0].time_ps, S);
    assert_int_equal(result->ranks[0].send_overhead_ps, S);
    assert_int_equal(result->ranks[1].time_ps, S + WORLD_MESSAGE_PS(WORLD_THRESHOLD_BYTES) + R);
    assert_int_equal(result->ranks[1].wait_late_sender_ps, S);
    assert_int_equal(result->ranks[1].wait_transit_ps, WORLD_MESSAGE_PS(WORLD_THRESHOLD_BYTES));
    assert_int_equal(result->ranks[1].receive_overhead_ps, R);
    assert_int_equal(result->eager_messages, 1);
    assert_int_equal(result->rendezvous_messages, 0);
    assert_int_equal(result->ranks[0].sent_bytes, WORLD_THRESHOLD_BYTES);
    world_free(&w);
}

static void an_eager_message_may_be_there_before_the_receive(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    world_send(&w, 0, 1, 0, 0);
    world_compute(&w, 1, 50000000);
    world_receive(&w, 1, 0, 0);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[1].time_ps, 50000000 + R);
    assert_int_equal(result->ranks[1].compute_ps, 50000000);
    world_free(&w);
}

/* With costs per byte at both ends. */
static void costs_per_kib_are_paid_at_both_ends(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    w.config.send_overhead_per_kib_ps = by_size_constant(1001);
    w.config.receive_overhead_per_kib_ps = by_size_constant(2002);
    world_send(&w, 0, 1, 1000, 0);
    world_receive(&w, 1, 0, 1000);
    const struct replay_result *result = world_finish(&w);
    int64_t send = S + 1001 * 1000 / 1024, receive = R + 2002 * 1000 / 1024;
    assert_int_equal(result->ranks[0].time_ps, send);
    assert_int_equal(result->ranks[1].time_ps, send + WORLD_MESSAGE_PS(1000) + receive);
    world_free(&w);
}

static void a_rendezvous_takes_the_closed_form(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    world_send(&w, 0, 1, LARGE, 0);
    world_receive(&w, 1, 0, LARGE);
    const struct replay_result *result = world_finish(&w);
    int64_t answered = S + 2 * request;
    assert_int_equal(result->ranks[0].time_ps, answered + OUT(LARGE));
    assert_int_equal(result->ranks[0].wait_transit_ps, 2 * request + OUT(LARGE));
    assert_int_equal(result->ranks[1].time_ps, answered + WORLD_MESSAGE_PS(LARGE) + R);
    assert_int_equal(result->ranks[1].wait_late_sender_ps, S);
    assert_int_equal(result->ranks[1].wait_transit_ps, 2 * request + WORLD_MESSAGE_PS(LARGE));
    assert_int_equal(result->rendezvous_messages, 1);
    world_free(&w);
}

static void a_rendezvous_waits_for_a_late_receiver(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    const int64_t late = 70000000;
    world_send(&w, 0, 1, LARGE, 0);
    world_compute(&w, 1, late);
    world_receive(&w, 1, 0, LARGE);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[0].time_ps, late + request + OUT(LARGE));
    assert_int_equal(result->ranks[0].wait_late_receiver_ps, late - S - request);
    assert_int_equal(result->ranks[0].wait_transit_ps, 2 * request + OUT(LARGE));
    assert_int_equal(result->ranks[1].time_ps, late + request + WORLD_MESSAGE_PS(LARGE) + R);
    assert_int_equal(result->ranks[1].wait_late_sender_ps, 0);
    world_free(&w);
}

/* Requests are answered while the receiver computes: all but the host's part is hidden. */
static void a_rendezvous_goes_on_beside_computation(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    const uint64_t id = 1;
    world_isend(&w, 0, 1, LARGE, id);
    world_compute(&w, 0, 80000000);
    world_wait(&w, 0, &id, 1);
    world_irecv(&w, 1, 0, LARGE, id);
    world_compute(&w, 1, 80000000);
    world_wait(&w, 1, &id, 1);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[0].time_ps, S + 80000000);
    assert_int_equal(result->ranks[1].time_ps, 80000000 + R);
    world_free(&w);
}

static void small_synchronous_send_waits_for_its_receive(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    world_send(&w, 0, 1, 8, OPERATION_FLAG_SEND_SYNCHRONOUS);
    world_compute(&w, 1, 20000000);
    world_receive(&w, 1, 0, 8);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[0].time_ps, 20000000 + request + OUT(8));
    assert_int_equal(result->rendezvous_messages, 1);
    world_free(&w);
}

static void large_ready_and_buffered_sends_are_eager(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    world_send(&w, 0, 1, LARGE, OPERATION_FLAG_SEND_BUFFERED); /* copied: complete at once */
    world_send(&w, 0, 1, LARGE, OPERATION_FLAG_SEND_READY);    /* complete when it has left */
    world_receive(&w, 1, 0, LARGE);
    world_receive(&w, 1, 0, LARGE);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[0].time_ps, 2 * S + OUT(LARGE));
    assert_int_equal(result->ranks[0].wait_transit_ps, OUT(LARGE));
    /* The second arrives S later, while the first is still taken in. */
    assert_int_equal(result->ranks[1].time_ps, S + WORLD_MESSAGE_PS(LARGE) + 2 * R);
    assert_int_equal(result->eager_messages, 2);
    world_free(&w);
}

/* The first arrival is taken in (R) while the second is under way. */
static void several_receives_in_one_wait_overlap(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 3);
    const uint64_t ids[] = {1, 2};
    world_irecv(&w, 0, 1, 8, ids[0]);
    world_irecv(&w, 0, 2, 8, ids[1]);
    world_wait(&w, 0, ids, 2);
    world_compute(&w, 1, 3000000);
    world_send(&w, 1, 0, 8, 0);
    world_send(&w, 2, 0, 8, 0);
    const struct replay_result *result = world_finish(&w);
    int64_t second = 3000000 + S + WORLD_MESSAGE_PS(8);
    assert_int_equal(result->ranks[0].time_ps, second + R);
    assert_int_equal(result->ranks[0].receive_overhead_ps, 2 * R);
    world_free(&w);
}

static void sendrecv_of_any_size_never_blocks(void **state) {
    (void)state;
    for (uint64_t bytes = 0; bytes <= LARGE; bytes += LARGE) {
        struct world w;
        world_new(&w, 3);
        for (uint32_t rank = 0; rank < 3; rank++)
            world_sendrecv(&w, rank, (rank + 1) % 3, (rank + 2) % 3, bytes);
        const struct replay_result *result = world_finish(&w);
        int64_t before = bytes == 0 ? 0 : 2 * request;
        for (uint32_t rank = 0; rank < 3; rank++)
            assert_int_equal(result->ranks[rank].time_ps, S + before + WORLD_MESSAGE_PS(bytes) + R);
        world_free(&w);
    }
}

static void ranks_of_a_node_use_its_memory(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    w.ranks_per_node = 2;
    world_send(&w, 0, 1, 1000, 0);
    world_receive(&w, 1, 0, 1000);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[1].time_ps, S + WORLD_MEMORY_PS + 10 * 1000 + R);
    world_free(&w);
}

static void a_message_to_oneself_takes_the_memory(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 1);
    const uint64_t id = 1;
    world_irecv(&w, 0, 0, LARGE, id);
    world_send(&w, 0, 0, LARGE, 0);
    world_wait(&w, 0, &id, 1);
    const struct replay_result *result = world_finish(&w);
    int64_t control = WORLD_MEMORY_PS + 10 * WORLD_CONTROL_BYTES;
    int64_t arrival = S + 2 * control + WORLD_MEMORY_PS + 10 * LARGE;
    assert_int_equal(result->ranks[0].time_ps, arrival + R);
    world_free(&w);
}

/* Sends and receives without a partner in the trace end at once; both are the program's notes. */
static void unmatched_sends_and_receives_end_at_once(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    world_send(&w, 0, 1, LARGE, 0);
    world_receive(&w, 0, 1, 8);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[0].time_ps, S);
    assert_int_equal(result->ranks[1].time_ps, 0);
    assert_int_equal(w.program->unmatched_sends, 1);
    assert_int_equal(w.program->unmatched_receives, 1);
    world_free(&w);
}

/* MPI_Win_post without its MPI_Win_start sends a signal, which is no message of the application. */
static void unmatched_signals_are_no_messages(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    uint32_t post = builder_define_region(w.builder, "MPI_Win_post", true);
    assert_int_equal(builder_call(w.builder, 0, post, w.next_call++, 0, &w.status), STATUS_OK);
    assert_int_equal(builder_send(w.builder, 0, w.everyone, 1, PROGRAM_TAG_POST, 0,
                                  OPERATION_FLAG_DETACHED, 0, &w.status),
                     STATUS_OK);
    assert_int_equal(builder_return(w.builder, 0, 0, false, &w.status), STATUS_OK);
    world_send(&w, 0, 1, 8, 0);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->eager_messages, 1);
    assert_int_equal(w.program->unmatched_sends, 1);
    world_free(&w);
}

/* A send nobody waits for still arrives by rendezvous. */
static void a_detached_send_still_arrives(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    world_isend(&w, 0, 1, LARGE, 1);
    assert_int_equal(builder_detach(w.builder, 0, 1, &w.status), STATUS_OK);
    world_receive(&w, 1, 0, LARGE);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[0].time_ps, S);
    assert_int_equal(result->ranks[1].time_ps, S + 2 * request + WORLD_MESSAGE_PS(LARGE) + R);
    world_free(&w);
}

/* A request that arrives while the receiver's clock is ahead of simulated time, before the clock at
 * which the receive is posted, is not answered before that. */
static void answers_are_not_sent_before_the_receive_is_posted(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 3);
    w.network_config.channels[NETWORK_GLOBAL].latency_ps = 100000;
    const int64_t control = 100000 + OUT(WORLD_CONTROL_BYTES);
    world_send(&w, 1, 0, LARGE, 0);
    for (unsigned i = 0; i < 3; i++)
        world_send(&w, 0, 2, 8, 0);
    world_receive(&w, 0, 1, LARGE);
    for (unsigned i = 0; i < 3; i++)
        world_receive(&w, 2, 0, 8);
    const struct replay_result *result = world_finish(&w);
    assert_true(S + control < 3 * S);
    assert_int_equal(result->ranks[0].time_ps, 3 * S + control + 100000 + OUT(LARGE) + R);
    assert_int_equal(result->ranks[1].time_ps, 3 * S + control + OUT(LARGE));
    assert_int_equal(result->ranks[1].wait_late_receiver_ps, 2 * S - control);
    world_free(&w);
}

static void computation_is_scaled(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 1);
    world_compute(&w, 0, 1001);
    w.config.compute_scale_millionths = 2500000;
    assert_int_equal(world_finish(&w)->time_ps, 2502);
    w.config.compute_scale_millionths = 0;
    assert_int_equal(world_finish(&w)->time_ps, 0);
    w.program->operations[0].compute.duration_ps = INT64_MAX / 2;
    w.config.compute_scale_millionths = 4000000;
    assert_int_equal(world_run(&w), STATUS_RUN);
    assert_null(w.result);
    world_free(&w);
}

static void calls_and_timeline_hold_what_happened(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    w.options.timeline = true;
    world_compute(&w, 0, 1000);
    world_send(&w, 0, 1, 8, 0);
    world_receive(&w, 1, 0, 8);
    const struct replay_result *result = world_finish(&w);
    const int64_t arrival = 1000 + S + WORLD_MESSAGE_PS(8);
    assert_int_equal(result->mpi_function_count, 2);
    assert_string_equal(result->mpi_functions[0].name, "MPI_Send");
    assert_int_equal(result->mpi_functions[0].time_ps, S);
    assert_int_equal(result->mpi_functions[0].wait_ps, 0);
    assert_string_equal(result->mpi_functions[1].name, "MPI_Recv");
    assert_int_equal(result->mpi_functions[1].count, 1);
    assert_int_equal(result->mpi_functions[1].time_ps, arrival + R);
    assert_int_equal(result->mpi_functions[1].wait_ps, arrival);
    const struct replay_timeline *timeline = result->timeline;
    const int64_t times[] = {1000, 1000 + S, 0, arrival + R};
    assert_int_equal(timeline->first[0], 0);
    assert_int_equal(timeline->first[1], 2);
    assert_int_equal(timeline->first[2], 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(timeline->times_ps[i], times[i]);
    world_free(&w);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    world_compute(&w, 0, 1);
    w.config.collectives.algorithm[PROGRAM_COLLECTIVE_BARRIER] = 99;
    assert_int_equal(world_run(&w), STATUS_USAGE);
    w.config.collectives.algorithm[PROGRAM_COLLECTIVE_BARRIER] = 0;
    w.config.send_overhead_ps = by_size_constant(-1);
    assert_int_equal(world_run(&w), STATUS_USAGE);
    w.config.send_overhead_ps = by_size_constant(0);
    w.network_config.groups = 1;
    w.network_config.nodes_per_router = 1;
    w.network_config.routers_per_group = 1;
    assert_int_equal(world_run(&w), STATUS_USAGE);
    w.ranks_per_node = 2;
    world_finish(&w);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_eager_message_takes_the_closed_form),
        cmocka_unit_test(an_eager_message_may_be_there_before_the_receive),
        cmocka_unit_test(costs_per_kib_are_paid_at_both_ends),
        cmocka_unit_test(a_rendezvous_takes_the_closed_form),
        cmocka_unit_test(a_rendezvous_waits_for_a_late_receiver),
        cmocka_unit_test(a_rendezvous_goes_on_beside_computation),
        cmocka_unit_test(small_synchronous_send_waits_for_its_receive),
        cmocka_unit_test(large_ready_and_buffered_sends_are_eager),
        cmocka_unit_test(several_receives_in_one_wait_overlap),
        cmocka_unit_test(sendrecv_of_any_size_never_blocks),
        cmocka_unit_test(ranks_of_a_node_use_its_memory),
        cmocka_unit_test(a_message_to_oneself_takes_the_memory),
        cmocka_unit_test(unmatched_sends_and_receives_end_at_once),
        cmocka_unit_test(unmatched_signals_are_no_messages),
        cmocka_unit_test(a_detached_send_still_arrives),
        cmocka_unit_test(answers_are_not_sent_before_the_receive_is_posted),
        cmocka_unit_test(computation_is_scaled),
        cmocka_unit_test(calls_and_timeline_hold_what_happened),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
