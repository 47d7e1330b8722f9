/*
 * Locks and other epochs of windows in archives: which operations locks become, and what is refused
 * or counted: locks that do not fit what a rank holds, unless recording was off, and epochs of
 * which the other side is missing.
 */
#include "tests/support/traces/archive_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define ALL UINT32_MAX

/* One rank's events, 10 ticks apart. */
struct script {
    struct archive_maker *maker;
    OTF2_EvtWriter *events;
    uint64_t ticks;
};

static struct script start(struct archive_maker *maker, uint32_t rank) {
    return (struct script){maker, maker_events(maker, rank, 0), 0};
}

static void lock(struct script *s, uint32_t window, uint32_t member, OTF2_LockType type) {
    const char *name = member == ALL ? "MPI_Win_lock_all" : "MPI_Win_lock";
    maker_enter(s->maker, s->events, s->ticks += 10, name);
    OTF2_EvtWriter_RmaRequestLock(s->events, NULL, s->ticks, window, member, 0, type);
    maker_leave(s->maker, s->events, s->ticks += 10, name);
}

static void unlock(struct script *s, uint32_t window, uint32_t member) {
    const char *name = member == ALL ? "MPI_Win_unlock_all" : "MPI_Win_unlock";
    maker_enter(s->maker, s->events, s->ticks += 10, name);
    OTF2_EvtWriter_RmaReleaseLock(s->events, NULL, s->ticks, window, member, 0);
    maker_leave(s->maker, s->events, s->ticks += 10, name);
}

/* As tools write it that see only that a lock is had; Score-P writes when it is asked for. */
static void locked(struct script *s, uint32_t window, uint32_t member, OTF2_LockType type) {
    maker_enter(s->maker, s->events, s->ticks += 10, "MPI_Win_lock");
    OTF2_EvtWriter_RmaAcquireLock(s->events, NULL, s->ticks, window, member, 0, type);
    maker_leave(s->maker, s->events, s->ticks += 10, "MPI_Win_lock");
}

static void record(struct script *s, bool on) {
    OTF2_EvtWriter_MeasurementOnOff(s->events, NULL, s->ticks += 10,
                                    on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
}

static struct archive_maker *three_ranks(void) {
    struct archive_maker *maker = maker_new(3, 1, 1000000000, 0, true);
    maker_windows(maker, 2);
    for (uint32_t rank = 0; rank < 3; rank++)
        maker_call(maker, maker_events(maker, rank, 0), 1, 2, "MPI_Comm_rank");
    return maker;
}

/* Shared, exclusive, unlock; Whole by all, One of it, its unlock; each with the peer; | a wait, . a
 * return. */
static void letters(const struct program *program, uint32_t rank, char *text) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *operation = &program->operations[rank_entry->first + i];
        if (operation->kind == OPERATION_SEND)
            text += sprintf(text, "%c%u", "seuWOU"[program_lock_kind(program, operation)],
                            operation -> message.peer);
        else if (operation->kind == OPERATION_WAIT)
            *text++ = '|';
        else if (operation->kind == OPERATION_RETURN)
            *text++ = '.';
    }
    *text = '\0';
}

static void expect(struct archive_maker *maker, uint32_t rank, const char *expected) {
    struct program *program = archive_finish(maker, &(struct traces_config){0});
    char found[512];
    letters(program, rank, found);
    assert_string_equal(found, expected);
    program_free(program);
}

static void shared_locks_take_one_step(void **state) {
    (void)state;
    struct archive_maker *maker = three_ranks();
    struct script s = start(maker, 1);
    lock(&s, 0, 2, OTF2_LOCK_SHARED);
    lock(&s, 0, 0, OTF2_LOCK_SHARED);
    unlock(&s, 0, 2);
    unlock(&s, 0, 0);
    lock(&s, 1, ALL, OTF2_LOCK_SHARED);
    unlock(&s, 1, ALL);
    expect(maker, 1, "s2|.s0|.u2|.u0|.W0|.U0|.");
}

/* The whole window is taken with the first member and given back with the last. */
static void exclusive_locks_take_two(void **state) {
    (void)state;
    struct archive_maker *maker = three_ranks();
    struct script s = start(maker, 1);
    lock(&s, 0, 2, OTF2_LOCK_EXCLUSIVE);
    lock(&s, 0, 1, OTF2_LOCK_EXCLUSIVE);
    lock(&s, 1, 1, OTF2_LOCK_EXCLUSIVE);
    unlock(&s, 0, 2);
    unlock(&s, 0, 1);
    unlock(&s, 1, 1);
    lock(&s, 0, 2, OTF2_LOCK_EXCLUSIVE);
    unlock(&s, 0, 2);
    expect(maker, 1, "O0|e2|.e1|.O0|e1|.u2|.u1U0|.u1U0|.O0|e2|.u2U0|.");
}

static void acquired_locks_are_locks(void **state) {
    (void)state;
    struct archive_maker *maker = three_ranks();
    struct script s = start(maker, 1);
    s.ticks = 10;
    locked(&s, 0, 2, OTF2_LOCK_SHARED);
    unlock(&s, 0, 2);
    lock(&s, 0, 2, OTF2_LOCK_SHARED);
    locked(&s, 0, 2, OTF2_LOCK_SHARED); /* the one that was asked for */
    unlock(&s, 0, 2);
    expect(maker, 1, "s2|.u2|.s2|.u2|.");
}

static void locks_that_do_not_fit_are_refused(void **state) {
    (void)state;
    struct archive_maker *maker = three_ranks();
    struct script s = start(maker, 1);
    unlock(&s, 1, 2);
    archive_refuse(maker,
                   "rank 1, location 1: event 3: unlocks number 2 of window 1, which it has not "
                   "locked: records were lost");
    maker = three_ranks();
    s = start(maker, 1);
    lock(&s, 0, 0, OTF2_LOCK_SHARED);
    unlock(&s, 0, ALL);
    archive_refuse(maker, "unlocks all of window 0, which it has not locked");
    maker = three_ranks();
    s = start(maker, 1);
    lock(&s, 0, ALL, OTF2_LOCK_SHARED);
    lock(&s, 0, ALL, OTF2_LOCK_SHARED);
    archive_refuse(maker, "locks all of window 0, which it holds already");
    maker = three_ranks();
    s = start(maker, 1);
    lock(&s, 0, 0, OTF2_LOCK_EXCLUSIVE);
    lock(&s, 0, 0, OTF2_LOCK_EXCLUSIVE);
    archive_refuse(maker, "locks number 0 of window 0, which it holds already");
    maker = three_ranks();
    s = start(maker, 1);
    lock(&s, 0, 3, OTF2_LOCK_SHARED);
    archive_refuse(maker, "a lock of number 3 in a window of 3 members");
    maker = three_ranks();
    s = start(maker, 1);
    lock(&s, 7, 0, OTF2_LOCK_SHARED);
    archive_refuse(maker, "window 7 is not defined");
}

static void locks_missed_while_recording_was_off_are_taken_as_held(void **state) {
    (void)state;
    struct archive_maker *maker = three_ranks();
    struct script s = start(maker, 1);
    lock(&s, 0, 2, OTF2_LOCK_EXCLUSIVE);
    record(&s, false);
    record(&s, true);
    unlock(&s, 1, ALL);                  /* locked meanwhile */
    lock(&s, 0, 2, OTF2_LOCK_EXCLUSIVE); /* unlocked meanwhile */
    unlock(&s, 0, 2);
    expect(maker, 1, "O0|e2|.u2U0O0|e2|.u2U0|.");
}

static void group_sync_of(struct script *s, const char *name, OTF2_RmaSyncLevel level) {
    const uint32_t everyone = 1; /* the maker's group */
    maker_enter(s->maker, s->events, s->ticks += 10, name);
    OTF2_EvtWriter_RmaGroupSync(s->events, NULL, s->ticks, level, 0, everyone);
    maker_leave(s->maker, s->events, s->ticks += 10, name);
}

static void group_sync(struct script *s, const char *name) {
    group_sync_of(s, name, OTF2_RMA_SYNC_LEVEL_PROCESS);
}

static void fence(struct script *s) {
    maker_enter(s->maker, s->events, s->ticks += 10, "MPI_Win_fence");
    OTF2_EvtWriter_RmaCollectiveBegin(s->events, NULL, s->ticks);
    OTF2_EvtWriter_RmaCollectiveEnd(s->events, NULL, s->ticks += 1, OTF2_COLLECTIVE_OP_BARRIER,
                                    OTF2_RMA_SYNC_LEVEL_PROCESS, 0, OTF2_UNDEFINED_UINT32, 0, 0);
    maker_leave(s->maker, s->events, s->ticks += 10, "MPI_Win_fence");
}

/* Rank 1 opens an access epoch with all three, of which only `posting` open theirs. */
static void starts_and_posts(uint32_t posting, uint64_t unmatched) {
    struct archive_maker *maker = three_ranks();
    for (uint32_t rank = 0; rank < 3; rank++) {
        struct script s = start(maker, rank);
        if (rank < posting) group_sync(&s, "MPI_Win_post");
        if (rank == 1) group_sync(&s, "MPI_Win_start");
    }
    struct program *program = archive_finish(maker, &(struct traces_config){0});
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0); /* messages */
    assert_int_equal(program->note_count, 1);
    assert_string_equal(program_text(program, program->notes[0].what),
                        "unmatched synchronisation of windows");
    assert_int_equal(program->notes[0].count, unmatched);
    program_free(program);
}

/* Ranks that nobody posts to or starts for do not hang: what is missing is counted. */
static void epochs_without_their_other_side_are_counted(void **state) {
    (void)state;
    starts_and_posts(3, 6); /* sends, those to ranks 0 and 2 */
    starts_and_posts(1, 4); /* two sends and two receives */
    starts_and_posts(0, 3); /* receives */
}

/* Score-P records MPI_Win_test whether it succeeds or not; only then does it wait, and what lies
 * between the tests is waiting. */
static void tests_of_an_epoch_wait_once_they_succeed(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_one();
    maker_windows(maker, 1);
    struct script s = start(maker, 0);
    group_sync(&s, "MPI_Win_post");
    group_sync(&s, "MPI_Win_start");
    group_sync(&s, "MPI_Win_complete");
    for (unsigned i = 0; i < 4; i++)
        group_sync_of(&s, "MPI_Win_test", OTF2_RMA_SYNC_LEVEL_NONE);
    s.ticks += 7;
    group_sync_of(&s, "MPI_Win_test", OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY);
    uint64_t last_call = 3 * (3 + 4); /* the number of its record */
    struct program *program =
        archive_finish(maker, &(struct traces_config){.polling_gap_ps = 20000});
    assert_int_equal(program->note_count, 0);
    assert_int_equal(program->ranks[0].receive_count, 2);
    int64_t compute_ps = 0;
    unsigned tests = 0;
    for (uint64_t i = 0; i < program->operation_count; i++) {
        const struct program_operation *operation = &program->operations[i];
        if (operation->kind == OPERATION_COMPUTE) compute_ps += operation->compute.duration_ps;
        if (operation->kind != OPERATION_CALL ||
            strcmp(program_call_name(program, 0, i), "MPI_Win_test") != 0)
            continue;
        assert_int_equal(operation->record, last_call);
        assert_int_equal(program->operations[i + 1].kind, OPERATION_RECEIVE);
        assert_int_equal(program->operations[i + 2].kind, OPERATION_WAIT);
        tests++;
    }
    assert_int_equal(tests, 1);
    assert_int_equal(compute_ps, 3 * 10000); /* the gaps before the first test */
    program_free(program);
}

static void fences_of_some_ranks_are_refused(void **state) {
    (void)state;
    struct archive_maker *maker = three_ranks();
    for (uint32_t rank = 0; rank < 3; rank++) {
        struct script s = start(maker, rank);
        fence(&s);
        if (rank != 2) fence(&s);
    }
    archive_refuse(maker, "rank 2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_locks_take_one_step),
        cmocka_unit_test(exclusive_locks_take_two),
        cmocka_unit_test(acquired_locks_are_locks),
        cmocka_unit_test(locks_that_do_not_fit_are_refused),
        cmocka_unit_test(locks_missed_while_recording_was_off_are_taken_as_held),
        cmocka_unit_test(epochs_without_their_other_side_are_counted),
        cmocka_unit_test(tests_of_an_epoch_wait_once_they_succeed),
        cmocka_unit_test(fences_of_some_ranks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
