/*
 * Rendezvous by put and by get, progress by NICs and by ranks, thresholds by name: closed forms on
 * the ideal network.
 */
#include "replay/collectives/collective_families.h"
#include "replay/hosts/protocol.h"
#include "tests/support/replay/replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { S = WORLD_SEND_PS, R = WORLD_RECEIVE_PS, BYTES = 50000 };

/* A request or an answer on its way; data; data out of the NIC; a long computation. */
#define C    WORLD_MESSAGE_PS(WORLD_CONTROL_BYTES)
#define Z    WORLD_MESSAGE_PS(BYTES)
#define N    (100 * (int64_t)BYTES)
#define LONG INT64_C(100000000)
#define ID   7
static const uint64_t id = ID;

static struct world start(uint32_t ranks, replay_rendezvous rendezvous,
                          replay_mpi_progress progress) {
    struct world w;
    world_new(&w, ranks);
    w.config.rendezvous = (int32_t)rendezvous;
    w.config.progress = (int32_t)progress;
    return w;
}

/* Both inside MPI all the time: progress makes no difference. */
static void progress_makes_no_difference_inside_mpi(void **state) {
    (void)state;
    for (unsigned progress = 0; progress < 2; progress++) {
        for (unsigned get = 0; get < 2; get++) {
            struct world w =
                start(2, get ? REPLAY_RENDEZVOUS_GET : REPLAY_RENDEZVOUS_PUT, progress);
            world_send(&w, 0, 1, BYTES, 0);
            world_receive(&w, 1, 0, BYTES);
            const struct replay_result *result = world_finish(&w);
            assert_int_equal(result->ranks[0].time_ps, S + 2 * C + (get ? Z + C : N));
            assert_int_equal(result->ranks[1].time_ps, S + 2 * C + Z + R);
            assert_int_equal(result->ranks[0].wait_queueing_ps, 0);
            assert_int_equal(result->ranks[1].wait_queueing_ps, 0);
            world_free(&w);
        }
    }
}

/* The receiver posts, computes, and waits. */
static void a_busy_receiver_delays_software_progress(void **state) {
    (void)state;
    for (unsigned software = 0; software < 2; software++) {
        for (unsigned get = 0; get < 2; get++) {
            struct world w =
                start(2, get ? REPLAY_RENDEZVOUS_GET : REPLAY_RENDEZVOUS_PUT, software);
            world_send(&w, 0, 1, BYTES, 0);
            world_irecv(&w, 1, 0, BYTES, ID);
            world_compute(&w, 1, LONG);
            world_wait(&w, 1, &id, 1);
            const struct replay_result *result = world_finish(&w);
            int64_t answered_ps = software ? LONG : S + C;
            int64_t received_ps = answered_ps + C + Z;
            if (received_ps < LONG) received_ps = LONG;
            assert_int_equal(result->ranks[1].time_ps, received_ps + R);
            assert_int_equal(result->ranks[0].time_ps, answered_ps + C + (get ? Z + C : N));
            assert_int_equal(result->ranks[0].wait_late_receiver_ps, software ? LONG - S - C : 0);
            world_free(&w);
        }
    }
}

/* The sender posts, computes, and waits: only a put needs it, and only with software progress. */
static void a_busy_sender_delays_a_put_under_software_progress(void **state) {
    (void)state;
    for (unsigned software = 0; software < 2; software++) {
        for (unsigned get = 0; get < 2; get++) {
            struct world w =
                start(2, get ? REPLAY_RENDEZVOUS_GET : REPLAY_RENDEZVOUS_PUT, software);
            world_isend(&w, 0, 1, BYTES, ID);
            world_compute(&w, 0, LONG);
            world_wait(&w, 0, &id, 1);
            world_receive(&w, 1, 0, BYTES);
            const struct replay_result *result = world_finish(&w);
            bool late = software && !get;
            int64_t data_ps = late ? S + LONG : S + 2 * C;
            assert_int_equal(result->ranks[1].time_ps, data_ps + Z + R);
            assert_int_equal(result->ranks[0].time_ps, S + LONG + (late ? N : 0));
            assert_int_equal(result->ranks[1].wait_queueing_ps, 0);
            assert_int_equal(result->ranks[1].wait_late_sender_ps,
                             S + (late ? data_ps - S - 2 * C : 0));
            world_free(&w);
        }
    }
}

/* The data are fetched while the receiver computes, but it tells the sender only in its next call.
 */
static void a_receiver_busy_again_tells_the_sender_late(void **state) {
    (void)state;
    for (unsigned software = 0; software < 2; software++) {
        struct world w = start(2, REPLAY_RENDEZVOUS_GET, software);
        world_send(&w, 0, 1, BYTES, 0);
        world_compute(&w, 1, 10 * C);
        world_irecv(&w, 1, 0, BYTES, ID); /* answers at once: the request is there */
        world_compute(&w, 1, LONG);
        world_wait(&w, 1, &id, 1);
        const struct replay_result *result = world_finish(&w);
        int64_t told_ps = software ? 10 * C + LONG : 10 * C + C + Z;
        assert_int_equal(result->ranks[0].time_ps, told_ps + C);
        /* It waits for the receive to be posted, and for the receiver's next call after the data
         * have arrived; the rest is time of the idle network. */
        assert_int_equal(result->ranks[0].wait_late_receiver_ps,
                         10 * C - (S + C) + told_ps - (10 * C + C + Z));
        assert_int_equal(result->ranks[0].wait_queueing_ps, 0);
        assert_int_equal(result->ranks[1].time_ps, 10 * C + LONG + R);
        world_free(&w);
    }
}

/* The answer of a receiver waits in its NIC behind a long eager message. The receiver waits for
 * this message of its own and not for the sender, which had sent its request in time. */
static void an_answer_that_queues_is_no_late_sender(void **state) {
    (void)state;
    const uint64_t both[] = {ID, ID + 1};
    struct world w = start(3, REPLAY_RENDEZVOUS_PUT, REPLAY_PROGRESS_HARDWARE);
    w.packet_level = true;
    w.config.eager_threshold_bytes = 40 * BYTES;
    world_send(&w, 0, 1, BYTES, OPERATION_FLAG_SEND_SYNCHRONOUS); /* a rendezvous of any size */
    world_irecv(&w, 1, 0, BYTES, ID);
    world_isend(&w, 1, 2, 40 * BYTES, ID + 1);
    world_wait(&w, 1, both, 2);
    world_receive(&w, 2, 1, 40 * BYTES);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[1].wait_late_sender_ps, 0);
    /* the long message occupies the NIC for 40 times as long as the data do */
    assert_true(result->ranks[1].wait_queueing_ps > 0);
    world_free(&w);
}

/* One round of a barrier of four beside a computation; the second only when everyone is back. */
static void a_collective_beside_computation_takes_one_round(void **state) {
    (void)state;
    for (unsigned software = 0; software < 2; software++) {
        struct world w = start(4, REPLAY_RENDEZVOUS_PUT, software);
        for (uint32_t rank = 0; rank < 4; rank++) {
            world_collective(&w, rank, PROGRAM_COLLECTIVE_BARRIER, w.everyone, PROGRAM_NONE, 0, 0,
                             0, ID);
            world_compute(&w, rank, LONG);
            world_wait(&w, rank, &id, 1);
        }
        const struct replay_result *result = world_finish(&w);
        int64_t end_ps = software ? LONG + S + WORLD_MESSAGE_PS(0) + R : LONG;
        for (uint32_t rank = 0; rank < 4; rank++)
            assert_int_equal(result->ranks[rank].time_ps, end_ps);
        world_free(&w);
    }
}

/* Any call lets the library progress, not only one that waits for the message. */
static void every_call_makes_progress(void **state) {
    (void)state;
    struct world w = start(2, REPLAY_RENDEZVOUS_PUT, REPLAY_PROGRESS_SOFTWARE);
    world_send(&w, 0, 1, BYTES, 0);
    world_irecv(&w, 1, 0, BYTES, ID);
    world_compute(&w, 1, LONG);
    world_isend(&w, 1, 1, 8, 1); /* to itself */
    world_irecv(&w, 1, 1, 8, 2);
    world_compute(&w, 1, LONG);
    const uint64_t ids[] = {ID, 1, 2};
    world_wait(&w, 1, ids, 3);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[0].time_ps, LONG + C + N);
    world_free(&w);
}

static void protocols_have_their_thresholds(void **state) {
    (void)state;
    uint32_t count;
    const struct replay_algorithm_text *texts = replay_protocols(&count);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(texts[i].name, protocol_names()[i]);
        struct replay_config config = {.protocol = (int32_t)i,
                                       .eager_threshold_bytes = REPLAY_EAGER_BY_PROTOCOL};
        assert_int_equal(protocol_check(&config, NULL), STATUS_OK);
        protocol_resolve(&config);
        assert_true(config.eager_threshold_bytes >= 0);
        assert_true(config.rendezvous != REPLAY_RENDEZVOUS_PROTOCOL);
        /* What is said outright stands. */
        config = (struct replay_config){.protocol = (int32_t)i,
                                        .eager_threshold_bytes = 12345,
                                        .rendezvous = REPLAY_RENDEZVOUS_PUT};
        protocol_resolve(&config);
        assert_int_equal(config.eager_threshold_bytes, 12345);
        assert_int_equal(config.rendezvous, REPLAY_RENDEZVOUS_PUT);
    }
    assert_null(protocol_names()[count]);
    struct replay_config wrong = {.protocol = (int32_t)count};
    assert_int_equal(protocol_check(&wrong, NULL), STATUS_USAGE);
    wrong = (struct replay_config){.eager_threshold_bytes = -3};
    assert_int_equal(protocol_check(&wrong, NULL), STATUS_USAGE);
}

/* Everyone sends before it receives; the largest of the smaller of two sends decides. */
static void the_smallest_threshold_is_found(void **state) {
    (void)state;
    struct world w = start(2, REPLAY_RENDEZVOUS_PUT, REPLAY_PROGRESS_HARDWARE);
    w.config.eager_threshold_bytes = REPLAY_EAGER_AUTO;
    for (uint32_t rank = 0; rank < 2; rank++) {
        world_send(&w, rank, 1 - rank, 3000 + 1000 * rank, 0);
        world_receive(&w, rank, 1 - rank, 3000 + 1000 * (1 - rank));
    }
    assert_int_equal(world_finish(&w)->eager_threshold_bytes, 3000);
    w.config.eager_threshold_bytes = 2999;
    assert_int_equal(world_run(&w), STATUS_RUN);
    world_free(&w);

    w = start(2, REPLAY_RENDEZVOUS_GET, REPLAY_PROGRESS_SOFTWARE);
    w.config.eager_threshold_bytes = REPLAY_EAGER_AUTO;
    world_sendrecv(&w, 0, 1, 1, BYTES);
    world_sendrecv(&w, 1, 0, 0, BYTES);
    assert_int_equal(world_finish(&w)->eager_threshold_bytes, 0);
    world_free(&w);

    w = start(2, REPLAY_RENDEZVOUS_PUT, REPLAY_PROGRESS_HARDWARE);
    w.config.eager_threshold_bytes = REPLAY_EAGER_AUTO;
    for (uint32_t rank = 0; rank < 2; rank++) {
        world_send(&w, rank, 1 - rank, 8, OPERATION_FLAG_SEND_SYNCHRONOUS);
        world_receive(&w, rank, 1 - rank, 8);
    }
    assert_int_equal(world_run(&w), STATUS_RUN);
    assert_non_null(strstr(w.status.text, "no eager threshold frees them"));
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_makes_no_difference_inside_mpi),
        cmocka_unit_test(a_busy_receiver_delays_software_progress),
        cmocka_unit_test(a_busy_sender_delays_a_put_under_software_progress),
        cmocka_unit_test(a_receiver_busy_again_tells_the_sender_late),
        cmocka_unit_test(an_answer_that_queues_is_no_late_sender),
        cmocka_unit_test(a_collective_beside_computation_takes_one_round),
        cmocka_unit_test(every_call_makes_progress),
        cmocka_unit_test(protocols_have_their_thresholds),
        cmocka_unit_test(the_smallest_threshold_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
