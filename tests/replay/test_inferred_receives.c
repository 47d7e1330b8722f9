/*
 * Programs of which receives were forgotten and inferred replay as those of which everything is
 * known: to the end, in about the same time, and in the same where nothing was in doubt. Where what
 * was inferred is wrong, a replay that cannot go on says that it may be.
 */
#include "tests/support/replay/random_replay.h"
#include "tests/support/replay/replay_world.h"
#include "tests/support/traces/forgotten_receives.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* ---- recorded programs ---- */

static int64_t time_of(struct program *program, int64_t threshold) {
    struct world w;
    world_new(&w, program->rank_count);
    w.program = program;
    w.config.eager_threshold_bytes = threshold;
    int64_t time_ps = world_finish(&w)->time_ps;
    w.program = NULL;
    world_free(&w);
    return time_ps;
}

/* The farthest that the times are apart, in millionths. */
static int64_t compare(const char *path, int64_t threshold) {
    struct status status = STATUS_INIT;
    struct program *whole = NULL;
    struct traces_config config = {.polling_gap_ps = INT64_C(100000000)};
    if (traces_open(&whole, path, &config, 1, NULL, NULL, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    int64_t wanted = time_of(whole, threshold), worst = 0;
    for (unsigned share = threshold > 0 ? 25 : 50; share <= 100; share += 50) {
        uint64_t forgotten;
        struct program *found =
            forget_receives(whole, FORGET_BLOCKING, share, share, 1, &forgotten);
        int64_t apart = llabs(time_of(found, threshold) - wanted) / (wanted / 1000000);
        if (apart > worst) worst = apart;
        program_free(found);
    }
    program_free(whole);
    return worst;
}

static void recorded_programs_with_inferred_receives_replay(void **state) {
    (void)state;
    static const char *const paths[] = {
        ANAX_SOURCE_DIR "/examples/gromacs/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp71_foam_ico_12/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_hpcc_8/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_modes_8/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_mw_16/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_qe-si_8/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_sweep_16/traces.otf2",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct stat about;
        if (stat(paths[i], &about) != 0) continue;
        for (int64_t threshold = 0; threshold <= 16384; threshold += 16384) {
            int64_t apart = compare(paths[i], threshold);
            print_message("%s, threshold %d: %d ppm apart\n", strrchr(paths[i], '/') - 20,
                          (int)threshold, (int)apart);
            assert_true(apart < 10000);
        }
    }
}

/* ---- made programs ---- */

static void random_programs_with_inferred_receives_replay(void **state) {
    (void)state;
    unsigned doubtful = 0;
    for (uint32_t seed = 1; seed <= 100; seed++) {
        struct world w;
        random_replay(&w, seed);
        world_seal(&w);
        uint64_t forgotten;
        struct program *found =
            forget_receives(w.program, FORGET_BLOCKING, 10 + 15 * (seed % 7), seed, 1, &forgotten);
        bool is_certain =
            forgotten_noted(found, "MPI_Mrecv without record, of several messages") == 0;
        assert_int_equal(forgotten_noted(found, "MPI_Mrecv without record"), forgotten);
        int64_t wanted = time_of(w.program, WORLD_THRESHOLD_BYTES);
        int64_t got = time_of(found, WORLD_THRESHOLD_BYTES);
        if (is_certain) assert_int_equal(got, wanted);
        doubtful += !is_certain;
        program_free(found);
        world_free(&w);
    }
    assert_in_range(doubtful, 1, 70);
}

/* ---- where it does not go on ---- */

enum { TO, FROM, FROM_SOMEBODY };

/* A call of one operation: 100 bytes to or from `peer`. */
static void call(struct world *w, uint32_t rank, int64_t from_us, int64_t to_us, int what,
                 uint32_t peer, int32_t tag, unsigned flags) {
    static const char *const names[] = {"MPI_Send", "MPI_Recv", "MPI_Mprobe"};
    const char *name = flags == OPERATION_FLAG_SEND_SYNCHRONOUS ? "MPI_Ssend" : names[what];
    struct status *status = &w->status;
    uint32_t place;
    status_code code = builder_call(w->builder, rank, builder_define_region(w->builder, name, true),
                                    w->next_call++, from_us * 1000000, status);
    if (what == FROM_SOMEBODY)
        code = builder_append_unrecorded(w->builder, rank, &place, status);
    else
        code = (what == TO ? builder_send : builder_receive)(
            w->builder, rank, w->everyone, peer, tag, 100, flags, BUILDER_NO_REQUEST, status);
    if (code == STATUS_OK) code = builder_wait_call(w->builder, rank, status);
    if (code == STATUS_OK) code = builder_return(w->builder, rank, to_us * 1000000, false, status);
    if (code != STATUS_OK) fail_msg("%s", status->text);
}

/* Rank 1 waits in its first send until it is received, and only then sends what rank 0 waits for
 * after its first probe. The clocks would have that probe receive from rank 2. */
static void probe_twice(struct world *w, unsigned flags) {
    world_new(w, 3);
    w->config.eager_threshold_bytes = 0;
    call(w, 0, 10, 11, FROM_SOMEBODY, 0, 0, 0);
    call(w, 0, 20, 21, FROM, 1, 9, 0);
    call(w, 0, 30, 31, FROM_SOMEBODY, 0, 0, 0);
    call(w, 1, 1, 1000, TO, 0, 5, flags);
    call(w, 1, 1001, 1002, TO, 0, 9, 0);
    call(w, 2, 0, 5, TO, 0, 5, 0);
}

/* A synchronous send tells, whatever the clocks say. */
static void synchronous_sends_were_received(void **state) {
    (void)state;
    struct world w;
    probe_twice(&w, OPERATION_FLAG_SEND_SYNCHRONOUS);
    world_finish(&w);
    assert_int_equal(w.program->operations[1].message.peer, 1);
    world_free(&w);
}

static void expect_text(const struct world *w, const char *text) {
    if (strstr(w->status.text, text) == NULL) fail_msg("`%s` is not in:\n%s", text, w->status.text);
}

static void expect_no_text(const struct world *w, const char *text) {
    if (strstr(w->status.text, text) != NULL) fail_msg("`%s` is in:\n%s", text, w->status.text);
}

/* A standard send may have been buffered: then the clocks decide, and wrongly. */
static void inferred_receives_may_be_the_reason(void **state) {
    (void)state;
    struct world w;
    probe_twice(&w, 0);
    assert_int_equal(world_run(&w), STATUS_RUN);
    expect_text(&w, "rank 0: MPI_Recv waits for a message from rank 1, tag 9");
    expect_text(
        &w,
        "anax inferred the messages of 1 receive of these ranks (MPI_Mrecv and MPI_Imrecv leave no "
        "record in the trace); a wrong guess may be the reason (the last one of rank 0: "
        "MPI_Mprobe, event 0)");
    expect_text(&w, "mpi.eager_threshold=100B");
    world_free(&w);

    world_new(&w, 2); /* and this is not freed by anything */
    call(&w, 0, 0, 10, FROM_SOMEBODY, 0, 0, 0);
    call(&w, 1, 0, 10, TO, 0, 5, 0);
    for (uint32_t rank = 0; rank < 2; rank++) {
        call(&w, rank, 20, 30, TO, 1 - rank, 7, OPERATION_FLAG_SEND_SYNCHRONOUS);
        call(&w, rank, 40, 50, FROM, 1 - rank, 7, 0);
    }
    assert_int_equal(world_run(&w), STATUS_RUN);
    expect_text(&w, "may be the reason (the last one of rank 0: MPI_Mprobe, event 0)");
    expect_text(&w, "no eager threshold frees them");
    expect_no_text(&w, "the trace itself");
    world_free(&w);

    world_new(&w, 2); /* this one waits for what was inferred */
    call(&w, 0, 0, 10, FROM, 1, 5, 0);
    call(&w, 0, 20, 30, TO, 1, 5, 0);
    call(&w, 1, 0, 10, FROM_SOMEBODY, 0, 0, 0);
    call(&w, 1, 20, 30, TO, 0, 5, 0);
    assert_int_equal(world_run(&w), STATUS_RUN);
    expect_text(
        &w, "rank 1: MPI_Mprobe waits for a message from rank 0, tag 5, MPI_COMM_WORLD, 100 bytes, "
            "as inferred");
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_programs_with_inferred_receives_replay),
        cmocka_unit_test(random_programs_with_inferred_receives_replay),
        cmocka_unit_test(synchronous_sends_were_received),
        cmocka_unit_test(inferred_receives_may_be_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
