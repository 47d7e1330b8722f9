/*
 * Locks of windows on the ideal network: exclusive ones keep others out, shared ones each other
 * not, and whole windows are locked either by those who want all of it or by those who want single
 * parts exclusively; locks are granted in the order of arrival, and who waits for whom is told.
 */
#include "tests/support/replay/replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { S = WORLD_SEND_PS, WORK = 30000000, LATER = 1000 };
#define C WORLD_MESSAGE_PS(WORLD_CONTROL_BYTES)

static void operate(struct world *w, const char *call, uint32_t rank, uint32_t target,
                    int32_t window, program_lock kind) {
    uint32_t region = builder_define_region(w->builder, call, true);
    builder_call(w->builder, rank, region, w->next_call++, 0, &w->status);
    builder_send(w->builder, rank, w->everyone, target, PROGRAM_TAG_LOCK + 6 * window + (int)kind,
                 0, OPERATION_FLAG_RMA_WRITE, BUILDER_NO_REQUEST, &w->status);
    builder_wait_call(w->builder, rank, &w->status);
    assert_int_equal(builder_return(w->builder, rank, 0, false, &w->status), STATUS_OK);
}

static void lock(struct world *w, uint32_t rank, uint32_t target, int32_t window,
                 program_lock kind) {
    operate(w, "MPI_Win_lock", rank, target, window, kind);
}

static void unlock(struct world *w, uint32_t rank, uint32_t target, int32_t window) {
    operate(w, "MPI_Win_unlock", rank, target, window, PROGRAM_LOCK_RELEASE);
}

static void give_back(struct world *w, uint32_t rank, uint32_t target, int32_t window,
                      program_lock kind) {
    bool whole = kind == PROGRAM_LOCK_ALL || kind == PROGRAM_LOCK_ONE;
    operate(w, "MPI_Win_unlock", rank, target, window,
            whole ? PROGRAM_LOCK_RELEASE_ALL : PROGRAM_LOCK_RELEASE);
}

/* After a start, a lock of a window at rank 0, WORK, and its end. */
static void epoch(struct world *w, uint32_t rank, int64_t start_ps, int32_t window,
                  program_lock kind) {
    world_compute(w, rank, start_ps);
    lock(w, rank, 0, window, kind);
    world_compute(w, rank, WORK);
    give_back(w, rank, 0, window, kind);
}

#define ALONE   (2 * (S + 2 * C) + WORK)
#define RELEASE (S + 2 * C + WORK + S + C) /* when it arrives, if the lock was free */
#define NEXT    (C + WORK + S + C)         /* from a release to that of the next one */

/* Three ranks one after another: two locks and windows in all ways to be put together. */
static void exclusive_locks_keep_others_out(void **state) {
    (void)state;
    static const struct {
        program_lock first, second;
        int32_t window;
        bool waits;
    } rows[] = {
        {PROGRAM_LOCK_EXCLUSIVE, PROGRAM_LOCK_EXCLUSIVE, 0, true},
        {PROGRAM_LOCK_EXCLUSIVE, PROGRAM_LOCK_SHARED, 0, true},
        {PROGRAM_LOCK_SHARED, PROGRAM_LOCK_EXCLUSIVE, 0, true},
        {PROGRAM_LOCK_SHARED, PROGRAM_LOCK_SHARED, 0, false},
        {PROGRAM_LOCK_EXCLUSIVE, PROGRAM_LOCK_EXCLUSIVE, 1, false},
        {PROGRAM_LOCK_ALL, PROGRAM_LOCK_ALL, 0, false},
        {PROGRAM_LOCK_ONE, PROGRAM_LOCK_ONE, 0, false},
        {PROGRAM_LOCK_ALL, PROGRAM_LOCK_ONE, 0, true},
        {PROGRAM_LOCK_ONE, PROGRAM_LOCK_ALL, 0, true},
        {PROGRAM_LOCK_ALL, PROGRAM_LOCK_ONE, 1, false},
        {PROGRAM_LOCK_ALL, PROGRAM_LOCK_EXCLUSIVE, 0, false}, /* locks of their own */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int32_t software = 0; software < 2; software++) {
            struct world w;
            world_new(&w, 3);
            w.config.progress = software;
            epoch(&w, 1, 0, 0, rows[i].first);
            epoch(&w, 2, LATER, rows[i].window, rows[i].second);
            const struct replay_result *result = world_finish(&w);
            int64_t waits_ps = rows[i].waits ? RELEASE - (LATER + S + C) : 0;
            assert_int_equal(result->ranks[0].time_ps, 0);
            assert_int_equal(result->ranks[1].time_ps, ALONE);
            assert_int_equal(result->ranks[2].time_ps, LATER + ALONE + waits_ps);
            assert_int_equal(result->ranks[2].wait_late_receiver_ps, waits_ps);
            assert_int_equal(result->ranks[2].wait_transit_ps, 4 * C);
            assert_int_equal(result->rma_operations, 4);
            world_free(&w);
        }
    }
}

/* A shared lock that comes after an exclusive one waits behind it, though others share the lock
 * already; two shared ones that wait are granted together. */
static void locks_are_granted_in_the_order_of_arrival(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 7);
    epoch(&w, 1, 0, 0, PROGRAM_LOCK_SHARED);
    epoch(&w, 2, LATER, 0, PROGRAM_LOCK_SHARED);
    epoch(&w, 3, 2 * LATER, 0, PROGRAM_LOCK_EXCLUSIVE);
    epoch(&w, 4, 3 * LATER, 0, PROGRAM_LOCK_SHARED);
    epoch(&w, 5, 4 * LATER, 0, PROGRAM_LOCK_SHARED);
    epoch(&w, 6, 5 * LATER, 0, PROGRAM_LOCK_EXCLUSIVE);
    const struct replay_result *result = world_finish(&w);
    int64_t release_ps = RELEASE + LATER;
    assert_int_equal(result->ranks[1].time_ps, ALONE);
    assert_int_equal(result->ranks[2].time_ps, ALONE + LATER);
    release_ps += NEXT;
    assert_int_equal(result->ranks[3].time_ps, release_ps + C);
    release_ps += NEXT;
    assert_int_equal(result->ranks[4].time_ps, release_ps + C);
    assert_int_equal(result->ranks[5].time_ps, release_ps + C);
    release_ps += NEXT;
    assert_int_equal(result->ranks[6].time_ps, release_ps + C);
    world_free(&w);
}

/* As MPI_Win_lock and MPI_Win_unlock do it for an exclusive lock of a part. */
static void exclusive_epoch(struct world *w, uint32_t rank, int64_t start_ps, uint32_t target) {
    world_compute(w, rank, start_ps);
    lock(w, rank, 0, 0, PROGRAM_LOCK_ONE);
    lock(w, rank, target, 0, PROGRAM_LOCK_EXCLUSIVE);
    world_compute(w, rank, WORK);
    unlock(w, rank, target, 0);
    give_back(w, rank, 0, 0, PROGRAM_LOCK_ONE);
}

/* Exclusive locks of different parts go together; who locks all waits for both, and the next
 * exclusive one waits for it. */
static void locks_of_parts_go_together_and_exclude_the_whole(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 7);
    exclusive_epoch(&w, 3, 0, 1);
    exclusive_epoch(&w, 4, LATER, 2);
    epoch(&w, 5, 2 * LATER, 0, PROGRAM_LOCK_ALL);
    exclusive_epoch(&w, 6, 3 * LATER, 1);
    const struct replay_result *result = world_finish(&w);
    int64_t alone_ps = 4 * (S + 2 * C) + WORK;
    assert_int_equal(result->ranks[3].time_ps, alone_ps);
    assert_int_equal(result->ranks[4].time_ps, LATER + alone_ps);
    int64_t release_ps = LATER + alone_ps - C + NEXT; /* by rank 5, when it arrives */
    assert_int_equal(result->ranks[5].time_ps, release_ps + C);
    assert_int_equal(result->ranks[6].time_ps, release_ps + C + alone_ps - (S + 2 * C));
    world_free(&w);
}

/* Many ranks, many locks, several times: all come through, each lock's work one after another. */
static void many_locks_come_through(void **state) {
    (void)state;
    enum { RANKS = 24, TIMES = 5 };
    struct world w;
    world_new(&w, RANKS);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        for (uint32_t i = 0; i < TIMES; i++) {
            uint32_t target = (rank + i) % 3;
            lock(&w, rank, target, 0, PROGRAM_LOCK_EXCLUSIVE);
            world_compute(&w, rank, WORK);
            unlock(&w, rank, target, 0);
        }
    }
    const struct replay_result *result = world_finish(&w);
    assert_true(result->time_ps >= (int64_t)(RANKS * TIMES / 3) * WORK);
    int64_t time_ps = result->time_ps;
    assert_int_equal(world_finish(&w)->time_ps, time_ps);
    world_free(&w);
}

static void reports_tell_who_waits_for_a_lock(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 3);
    lock(&w, 1, 0, 0, PROGRAM_LOCK_EXCLUSIVE);
    epoch(&w, 2, LATER, 0, PROGRAM_LOCK_EXCLUSIVE);
    assert_int_equal(world_run(&w), STATUS_RUN);
    const char *expected = "rank 2: MPI_Win_lock waits for the lock of rank 0's window, but rank 1 "
                           "has finished";
    if (strstr(w.status.text, expected) == NULL) fail_msg("%s", w.status.text);
    world_free(&w);
    world_new(&w, 3);
    lock(&w, 1, 0, 0, PROGRAM_LOCK_ONE);
    epoch(&w, 2, LATER, 0, PROGRAM_LOCK_ALL);
    assert_int_equal(world_run(&w), STATUS_RUN);
    expected =
        "rank 2: MPI_Win_lock waits for the lock of the whole window at rank 0, but rank 1 has "
        "finished";
    if (strstr(w.status.text, expected) == NULL) fail_msg("%s", w.status.text);
    world_free(&w);
    /* two locks in opposite order */
    world_new(&w, 4);
    for (uint32_t rank = 2; rank < 4; rank++) {
        lock(&w, rank, rank - 2, 0, PROGRAM_LOCK_EXCLUSIVE);
        lock(&w, rank, 3 - rank, 0, PROGRAM_LOCK_EXCLUSIVE);
    }
    assert_int_equal(world_run(&w), STATUS_RUN);
    if (strstr(w.status.text, "rank 2: MPI_Win_lock waits for the lock of rank 1's window, held by "
                              "rank 3") == NULL ||
        strstr(w.status.text, "wait for each other: 2 -> 3 -> 2") == NULL)
        fail_msg("%s", w.status.text);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exclusive_locks_keep_others_out),
        cmocka_unit_test(locks_are_granted_in_the_order_of_arrival),
        cmocka_unit_test(locks_of_parts_go_together_and_exclude_the_whole),
        cmocka_unit_test(many_locks_come_through),
        cmocka_unit_test(reports_tell_who_waits_for_a_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
