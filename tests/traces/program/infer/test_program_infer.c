/*
 * Receives of programs whose messages are known are forgotten, and inferred: what comes back is
 * sound, whatever the program; for recorded ones it is all there, and where only one send is left
 * for each receive it is the same.
 */
#include "tests/support/traces/archive_world.h"
#include "tests/support/traces/forgotten_receives.h"
#include "tests/support/traces/random_program.h"

#include <stdio.h>
#include <sys/stat.h>

static const struct traces_config config = {.polling_gap_ps = INT64_C(100000000)};

static struct program *open_archive(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 ? archive_read(path, &config) : NULL;
}

/* Every receive is there again; those that are not inferred are the same. */
static void expect_all(const struct program *whole, const struct program *found, uint64_t forgotten,
                       const char *name) {
    uint64_t before = forgotten_noted(whole, "MPI_Mrecv without record");
    if (forgotten_noted(found, "MPI_Mrecv without record") - before != forgotten ||
        found->unmatched_sends != whole->unmatched_sends ||
        found->unmatched_receives != whole->unmatched_receives ||
        forgotten_noted(found, "length mismatch") > 0)
        fail_msg("%s: of %u receives %u were inferred, and %u sends are left", name,
                 (unsigned)forgotten,
                 (unsigned)(forgotten_noted(found, "MPI_Mrecv without record") - before),
                 (unsigned)found->unmatched_sends);
    assert_int_equal(found->operation_count, whole->operation_count);
    for (uint64_t i = 0; i < whole->operation_count; i++) {
        const struct program_operation *a = &whole->operations[i], *b = &found->operations[i];
        assert_int_equal(a->kind, b->kind);
        if (a->kind != OPERATION_RECEIVE || (b->flags & OPERATION_FLAG_RECEIVE_INFERRED) != 0)
            continue;
        assert_int_equal(a->message.peer, b->message.peer);
        assert_int_equal(a->bytes, b->bytes);
    }
}

static void receives_of_recorded_programs_come_back(void **state) {
    (void)state;
    static const char *const paths[] = {
        ANAX_SOURCE_DIR "/examples/gromacs/traces.otf2",
        ANAX_SHARED "/traces/public/pipit-ping-pong/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp71_foam_ico_12/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp71_imb_mpi1_8/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_edge_8/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_hpcc_8/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_modes_8/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_mw_16/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_qe-si_8/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_sweep_16/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_tests_8/traces.otf2",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct program *whole = open_archive(paths[i]);
        if (whole == NULL) continue;
        for (unsigned share = 75; share > 0; share = share == 75 ? 50 + 50 * (i % 2) : 0) {
            uint64_t forgotten, again;
            struct program *one =
                forget_receives(whole, FORGET_BLOCKING, share, share, 1, &forgotten);
            assert_true(forgotten > 0);
            expect_all(whole, one, forgotten, paths[i]);
            if (share == 75) {
                struct program *two =
                    forget_receives(whole, FORGET_BLOCKING, share, share, 2, &again);
                assert_int_equal(one->content_hash, two->content_hash);
                program_free(two);
            }
            program_free(one);
        }
        program_free(whole);
    }
}

/* Each of their ranks receives from one other at a time. */
static void a_single_send_left_is_the_one(void **state) {
    (void)state;
    static const char *const paths[] = {
        ANAX_SOURCE_DIR "/tests/data/otf2/sp_cancel_8/traces.otf2",
        ANAX_SHARED "/traces/public/pipit-ping-pong/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_edge_8/traces.otf2",
        ANAX_SHARED "/traces/recorded/sp_tests_8/traces.otf2",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct program *whole = open_archive(paths[i]);
        if (whole == NULL) continue;
        uint64_t forgotten;
        struct program *found = forget_receives(whole, FORGET_BLOCKING, 100, 1, 1, &forgotten);
        assert_true(forgotten > 0);
        for (uint64_t k = 0; k < whole->operation_count; k++) {
            const struct program_operation *a = &whole->operations[k], *b = &found->operations[k];
            if (a->kind != OPERATION_RECEIVE && a->kind != OPERATION_SEND) continue;
            assert_int_equal(a->message.peer, b->message.peer);
            assert_int_equal(a->message.match, b->message.match);
            assert_int_equal(a->message.envelope, b->message.envelope);
            assert_int_equal(a->bytes, b->bytes);
        }
        program_free(whole);
        program_free(found);
    }
}

/* Their times mean nothing, and messages without their other side are among them. */
static void receives_of_random_programs_are_sound(void **state) {
    (void)state;
    uint64_t all = 0, vanished = 0;
    for (uint32_t seed = 1; seed <= 150; seed++) {
        struct program *whole = random_program(seed, 2 + seed % 9, 40 + 5 * (seed % 40));
        unsigned share = 20 + 16 * (seed % 6);
        uint64_t forgotten, again;
        struct program *one = forget_receives(whole, FORGET_ANY, share, seed, 1, &forgotten);
        struct program *two = forget_receives(whole, FORGET_ANY, share, seed, 2, &again);
        uint64_t none = forgotten_noted(one, "MPI_Mrecv without record and message");
        assert_int_equal(forgotten_noted(one, "MPI_Mrecv without record") + none, forgotten);
        assert_int_equal(one->content_hash, two->content_hash);
        all += forgotten;
        vanished += none;
        program_free(whole);
        program_free(one);
        program_free(two);
    }
    print_message("%u forgotten, %u of them inferred\n", (unsigned)all, (unsigned)(all - vanished));
    assert_true(all > 1000 && vanished < all / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(receives_of_recorded_programs_come_back),
        cmocka_unit_test(a_single_send_left_is_the_one),
        cmocka_unit_test(receives_of_random_programs_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
