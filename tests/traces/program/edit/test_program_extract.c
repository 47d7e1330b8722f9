/*
 * Parts of programs: all of a program is the program; what is cut off is counted; what is left is
 * whole, and holds what lies between the places.
 */
#include "tests/support/traces/random_program.h"
#include "traces/program/builder/program_builder.h"
#include "traces/program/edit/program_extract.h"
#include "traces/program/edit/program_scale.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct program *part_of(const struct program *whole, const char *from, const char *to) {
    struct status status = STATUS_INIT;
    struct program *part = NULL;
    if (program_extract(&part, whole, from, to, 2, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    if (program_check_file(part, &status) != STATUS_OK) fail_msg("%s", status.text);
    return part;
}

static void refused(const struct program *whole, const char *from, const char *to,
                    const char *why) {
    struct status status = STATUS_INIT;
    struct program *part = NULL;
    assert_int_not_equal(program_extract(&part, whole, from, to, 1, &status), STATUS_OK);
    assert_null(part);
    if (strstr(status.text, why) == NULL) fail_msg("no `%s` in: %s", why, status.text);
    status_clear(&status);
}

static uint64_t noted(const struct program *program, const char *what) {
    for (uint32_t i = 0; i < program->note_count; i++)
        if (strcmp(program_text(program, program->notes[i].what), what) == 0)
            return program->notes[i].count;
    return 0;
}

static void all_of_a_program_is_the_program(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct program *whole = random_program(seed, 2 + seed % 9, 150);
        struct program *part = part_of(whole, NULL, "");
        assert_true(part->content_hash == whole->content_hash);
        assert_int_equal(part->unmatched_sends, whole->unmatched_sends);
        assert_int_equal(part->unmatched_receives, whole->unmatched_receives);
        assert_int_equal(part->note_count, whole->note_count);
        for (uint32_t i = 0; i < part->note_count; i++) {
            const struct program_note *note = &part->notes[i];
            assert_int_equal(note->count, noted(whole, program_text(part, note->what)));
            assert_int_equal(note->is_assumed, whole->notes[i].is_assumed);
        }
        program_free(part);
        program_free(whole);
    }
}

/* Any window leaves a sound program, and no message is lost without being counted. */
static void any_window_is_a_sound_program(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct program *whole = random_program(seed, 2 + seed % 9, 150);
        int64_t last_ps = 1;
        for (uint64_t i = 0; i < whole->operation_count; i++)
            if (whole->operations[i].kind == OPERATION_RETURN &&
                whole->operations[i].mark.trace_ps > last_ps)
                last_ps = whole->operations[i].mark.trace_ps;
        char from[32], to[32];
        snprintf(from, sizeof from, "%lldps", (long long)(last_ps * (int64_t)(seed % 5) / 10));
        snprintf(to, sizeof to, "%lldps", (long long)(last_ps * (int64_t)(5 + seed % 6) / 10 + 1));
        struct program *part = part_of(whole, from, to);
        struct program_totals all, inside;
        program_totals_compute(whole, &all);
        program_totals_compute(part, &inside);
        assert_true(inside.messages <= all.messages);
        assert_true(inside.compute_ps <= all.compute_ps);
        for (uint32_t i = 0; i < part->note_count; i++) { /* as random_program.c has them */
            const char *what = program_text(part, part->notes[i].what);
            if (strcmp(what, "sizes") == 0) assert_int_equal(part->notes[i].is_assumed, 1);
            if (strcmp(what, "MPI_Put") == 0) assert_int_equal(part->notes[i].is_assumed, 0);
        }
        assert_int_equal(noted(part, "sizes"), 2);
        struct program *rest = part_of(whole, NULL, to);
        program_totals_compute(rest, &inside);
        assert_true(inside.messages + noted(rest, "messages across the ends of the part") <=
                    all.messages * 2);
        program_free(rest);
        program_free(part);
        program_free(whole);
    }
}

/* Two ranks: before, then three times a step with a message each way and a barrier, then after. A
 * message posted before the steps is waited for in the first of them; one posted in the last is
 * waited for after. */
static struct program *stepwise(void) {
    struct status status = STATUS_INIT;
    struct program_builder *b = builder_new(2, &status);
    const uint32_t members[] = {0, 1};
    uint32_t world = 0;
    builder_define_communicator(b, "MPI_COMM_WORLD", members, 2, &world, &status);
    builder_set_communicator_number(b, world, 17);
    uint32_t step = builder_define_region(b, "step", false),
             exchange = builder_define_region(b, "MPI_X", true),
             barrier = builder_define_region(b, "MPI_Barrier", true);
    const struct program_collective_arguments all = {.kind = PROGRAM_COLLECTIVE_BARRIER,
                                                     .communicator = world};
    for (uint32_t rank = 0; rank < 2; rank++) {
        uint32_t peer = 1 - rank;
        int64_t now_ps = 0;
        builder_compute(b, rank, 7000, &status);
        builder_call(b, rank, exchange, 0, now_ps += 7000, &status);
        builder_send(b, rank, world, peer, 9, 500, 0, 1, &status);
        builder_receive(b, rank, world, peer, 9, 500, 0, 2, &status);
        builder_return(b, rank, now_ps += 1000, false, &status);
        for (uint64_t i = 0; i < 3; i++) {
            builder_enter(b, rank, step, now_ps, &status);
            builder_compute(b, rank, 100 + (int64_t)i, &status);
            builder_call(b, rank, exchange, 0, now_ps += 100, &status);
            builder_send(b, rank, world, peer, 9, 10 + i, 0, 3, &status);
            builder_receive(b, rank, world, peer, 9, 10 + i, 0, 4, &status);
            const uint64_t requests[] = {3, 4, 1, 2};
            builder_wait(b, rank, requests, i == 0 ? 4 : 2, &status);
            if (i == 2) builder_send(b, rank, world, peer, 9, 77, 0, 5, &status);
            builder_return(b, rank, now_ps += 1000, false, &status);
            builder_call(b, rank, barrier, 0, now_ps, &status);
            builder_collective(b, rank, &all, 0, BUILDER_NO_REQUEST, &status);
            builder_return(b, rank, now_ps += 1000, false, &status);
            builder_leave(b, rank, now_ps, &status);
        }
        const uint64_t last[] = {5, 6};
        builder_call(b, rank, exchange, 0, now_ps, &status);
        builder_receive(b, rank, world, peer, 9, 77, 0, 6, &status);
        builder_wait(b, rank, last, 2, &status);
        builder_return(b, rank, now_ps + 1000, false, &status);
        builder_compute(b, rank, 5000, &status);
    }
    struct program *program = NULL;
    if (builder_seal(b, 1, &program, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(b);
    return program;
}

static void expect(const struct program *whole, const char *from, const char *to, uint64_t messages,
                   uint64_t bytes, uint64_t barriers, int64_t compute_ps, uint64_t left_out) {
    struct program *part = part_of(whole, from, to);
    struct program_totals totals;
    program_totals_compute(part, &totals);
    assert_int_equal(totals.messages, 2 * messages);
    assert_int_equal(totals.message_bytes, 2 * bytes);
    assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_BARRIER][0], 2 * barriers);
    assert_int_equal(totals.compute_ps, 2 * compute_ps);
    assert_int_equal(noted(part, "messages across the ends of the part"), 2 * left_out);
    assert_int_equal(part->unmatched_sends + part->unmatched_receives, 0);
    assert_int_equal(part->communicators[0].id, 17);
    program_free(part);
}

static void regions_bound_a_part(void **state) {
    (void)state;
    struct program *whole = stepwise();
    expect(whole, NULL, NULL, 5, 610, 3, 12303, 0);
    expect(whole, "step", "step", 3, 33, 3, 303, 1);
    expect(whole, "step#2", "step#2", 1, 11, 1, 101, 0);
    expect(whole, "step#2", NULL, 3, 100, 2, 5203, 0);
    expect(whole, NULL, "step#1", 2, 510, 1, 7100, 0);
    expect(whole, "MPI_X#2", "MPI_X#3", 2, 21, 1, 101, 0);
    expect(whole, "MPI_Barrier#2", "MPI_Barrier#2", 0, 0, 1, 0, 0);
    program_free(whole);
}

/* Both before the first call and after the last. */
static void windows_may_lie_in_computation(void **state) {
    (void)state;
    struct program *whole = stepwise();
    expect(whole, NULL, "3000ps", 0, 0, 0, 3000, 0);
    expect(whole, "3000ps", "5000ps", 0, 0, 0, 2000, 0);
    expect(whole, "18000ps", NULL, 0, 0, 0, 2300, 0);
    expect(whole, "18000ps", "19000ps", 0, 0, 0, 1000, 0);
    expect(whole, "15200ps", "16000ps", 0, 0, 0, 700, 0); /* inside the last call, and after it */
    program_free(whole);
}

/* A part lasts as long as what its ranks do in it, calls or not. */
static void a_part_lasts_as_long_as_its_ranks(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
        int64_t span_ps;
    } parts[] = {{NULL, "3000ps", 3000},     {"3000ps", "5000ps", 2000},
                 {"18000ps", NULL, 2300},    {"18000ps", "19000ps", 1000},
                 {"3000ps", "8000ps", 5000}, {"3000ps", "8050ps", 5050}};
    struct program *whole = stepwise();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct program *part = part_of(whole, parts[i].from, parts[i].to);
        assert_int_equal(part->span_ps, parts[i].span_ps);
        program_free(part);
    }
    program_free(whole);
}

static int64_t compute_of(const struct program *whole, const char *from, const char *to) {
    struct program *part = part_of(whole, from, to);
    struct program_totals totals;
    program_totals_compute(part, &totals);
    program_free(part);
    return totals.compute_ps;
}

/* Wherever time is cut, all computation is in exactly one of the parts: but for what rounding
 * takes, less than 1 ps for each rank and cut computation. Scaled or not. */
static void cut_windows_add_up(void **state) {
    (void)state;
    for (int scaled = 0; scaled < 2; scaled++) {
        struct program *whole = stepwise();
        if (scaled) assert_int_equal(program_scale(whole, "step:7.3", 1, NULL), STATUS_OK);
        int64_t all_ps = compute_of(whole, NULL, NULL);
        for (int64_t at_ps = 1; at_ps < 17000; at_ps += 170) {
            char first[24], second[24];
            snprintf(first, sizeof first, "%lldps", (long long)at_ps);
            snprintf(second, sizeof second, "%lldps", (long long)(at_ps + 3100));
            int64_t two_ps = compute_of(whole, NULL, first) + compute_of(whole, first, NULL);
            int64_t three_ps = compute_of(whole, NULL, first) + compute_of(whole, first, second) +
                               compute_of(whole, second, NULL);
            assert_in_range(all_ps - two_ps, 0, 2);
            assert_in_range(all_ps - three_ps, 0, 6);
        }
        program_free(whole);
    }
}

static uint64_t count_of(const struct program *program, program_operation_kind kind) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < program->operation_count; i++)
        count += program->operations[i].kind == kind;
    return count;
}

/* What lies in a region that began before the part is still in it. */
static void regions_that_began_before_stay_open(void **state) {
    (void)state;
    struct program *whole = stepwise();
    const struct {
        const char *from, *to;
        uint64_t steps;
    } cuts[] = {
        {"8050ps", NULL, 3}, /* before the first call of the first step */
        {"8050ps", "9100ps", 1},    {"9100ps", "12000ps", 2},
        {"MPI_Barrier#2", NULL, 2}, {"MPI_Barrier#2", "MPI_Barrier#2", 1},
        {"step#3", NULL, 1},
    };
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        struct program *part = part_of(whole, cuts[i].from, cuts[i].to);
        assert_int_equal(count_of(part, OPERATION_ENTER), 2 * cuts[i].steps);
        assert_int_equal(count_of(part, OPERATION_LEAVE), 2 * cuts[i].steps);
        for (uint32_t rank = 0; rank < 2; rank++) /* before anything else */
            assert_int_equal(part->operations[part->ranks[rank].first].kind, OPERATION_ENTER);
        program_free(part);
    }
    program_free(whole);
}

static void parts_that_do_not_exist_are_refused(void **state) {
    (void)state;
    struct program *whole = stepwise();
    refused(whole, "stap", NULL, "did you mean `step`?");
    refused(whole, "step#4", NULL, "trace.from step#4: rank 0 is in step 3 times");
    refused(whole, NULL, "step#0", "counted from 1");
    refused(whole, "step#3", "step#1", "nothing lies between");
    refused(whole, "step#2", "step#1", "nothing lies between");
    refused(whole, "2us", "1us", "is not after");
    refused(whole, "-2us", NULL, "trace.from -2us: times count from the start of the trace");
    refused(whole, NULL, "5", "trace.to 5: a time needs a unit (5ms)");
    refused(whole, "1s", NULL, "nothing lies between 1s and the end: the last call of the trace");
    refused(whole, NULL, "0", "nothing lies between the start and 0");
    refused(whole, "15ns", "step#1", "leaves step#1 before 15ns: nothing lies between");
    refused(whole, "step#2", "5ns", "nothing lies between step#2 and 5ns");
    refused(whole, "step#", NULL, "no region `step#`");
    program_free(whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_a_program_is_the_program),
        cmocka_unit_test(any_window_is_a_sound_program),
        cmocka_unit_test(regions_bound_a_part),
        cmocka_unit_test(windows_may_lie_in_computation),
        cmocka_unit_test(cut_windows_add_up),
        cmocka_unit_test(regions_that_began_before_stay_open),
        cmocka_unit_test(parts_that_do_not_exist_are_refused),
        cmocka_unit_test(a_part_lasts_as_long_as_its_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
