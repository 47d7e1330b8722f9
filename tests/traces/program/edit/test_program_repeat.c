/*
 * Repeated regions: once is the program itself; what is repeated is closed, and so often there;
 * what has ties to its surroundings is refused.
 */
#include "core/memory/memory_limit.h"
#include "traces/program/builder/program_builder.h"
#include "traces/program/edit/program_repeat.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct program *repeated(const struct program *whole, const char *repeat) {
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    if (program_repeat(&program, whole, repeat, 2, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    if (program_check(program, &status) != STATUS_OK) fail_msg("%s", status.text);
    return program;
}

static void refused(const struct program *whole, const char *repeat, const char *why) {
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    assert_int_not_equal(program_repeat(&program, whole, repeat, 1, &status), STATUS_OK);
    assert_null(program);
    if (strstr(status.text, why) == NULL) fail_msg("no `%s` in: %s", why, status.text);
    status_clear(&status);
}

static struct program *pattern(const char *name, uint32_t iterations) {
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    struct traces_pattern_config config = {.rank_count = 8,
                                           .iterations = iterations,
                                           .size_bytes = 1000,
                                           .compute_ps = 5000,
                                           .neighbours = 6,
                                           .window = 3,
                                           .seed = 1};
    if (traces_generate(&program, name, &config, &status) != STATUS_OK) fail_msg("%s", status.text);
    return program;
}

/* Each pattern's iterations are closed: so many repeated are so many generated, but for the places
 * in the trace. */
static void repeated_iterations_are_generated_ones(void **state) {
    (void)state;
    for (const struct traces_pattern *row = traces_patterns(); row->name != NULL; row++) {
        struct program *three = pattern(row->name, 3), *once = repeated(three, "iteration*1");
        assert_true(once->content_hash == three->content_hash);
        struct program *ten = pattern(row->name, 10), *more = repeated(three, "iteration#2*8");
        assert_int_equal(more->operation_count, ten->operation_count);
        struct program_totals expected, found;
        program_totals_compute(ten, &expected);
        program_totals_compute(more, &found);
        assert_memory_equal(&found, &expected, sizeof found);
        assert_true(more->unmatched_sends + more->unmatched_receives == 0);
        bool alike = strstr(row->name, "random") == NULL; /* others each time */
        for (uint64_t i = 0; i < ten->operation_count && alike; i++) {
            const struct program_operation *a = &more->operations[i], *b = &ten->operations[i];
            assert_int_equal(a->kind, b->kind);
            if (a->kind == OPERATION_SEND || a->kind == OPERATION_RECEIVE)
                assert_memory_equal(a, b, sizeof *a);
        }
        struct program *twice = repeated(three, "iteration*2"), *six = pattern(row->name, 6);
        assert_int_equal(twice->operation_count, six->operation_count);
        program_free(three);
        program_free(once);
        program_free(ten);
        program_free(more);
        program_free(twice);
        program_free(six);
    }
}

/* Times in the trace go on where the repetition before ended. */
static void times_go_on(void **state) {
    (void)state;
    struct program *three = pattern("halo2d", 3), *more = repeated(three, "iteration#1*4");
    for (uint32_t rank = 0; rank < more->rank_count; rank++) {
        int64_t last_ps = 0;
        for (uint64_t i = 0; i < more->ranks[rank].count; i++) {
            const struct program_operation *operation =
                &more->operations[more->ranks[rank].first + i];
            if (operation->kind != OPERATION_CALL && operation->kind != OPERATION_LEAVE) continue;
            assert_true(operation->mark.trace_ps >= last_ps);
            last_ps = operation->mark.trace_ps;
        }
    }
    assert_true(more->span_ps > three->span_ps);
    assert_non_null(strstr(program_text(more, more->source), ", repeat iteration#1*4"));
    program_free(more);
    program_free(three);
}

/* What is wrong with rank 0's step. */
enum tie {
    TIE_NONE,
    TIE_WAIT_BEFORE,
    TIE_WAIT_AFTER,
    TIE_MESSAGE,
    TIE_COLLECTIVE,
    TIE_REGION,
    TIE_NOBODY,
    TIES
};

/* Two ranks with a step that sends both ways; outer is around it. */
static struct program *one_step(enum tie tie) {
    struct status status = STATUS_INIT;
    struct program_builder *b = builder_new(2, &status);
    const uint32_t members[] = {0, 1};
    uint32_t world = 0;
    builder_define_communicator(b, "MPI_COMM_WORLD", members, 2, &world, &status);
    uint32_t step = builder_define_region(b, "step", false),
             outer = builder_define_region(b, "outer", false),
             call = builder_define_region(b, "MPI_X", true);
    const struct program_collective_arguments all = {.kind = PROGRAM_COLLECTIVE_BARRIER,
                                                     .communicator = world};
    for (uint32_t rank = 0; rank < 2; rank++) {
        const uint64_t requests[] = {1, 2}, before = 3;
        bool here = rank == 0;
        builder_call(b, rank, call, 0, 1, &status);
        if (tie == TIE_WAIT_BEFORE || (tie == TIE_MESSAGE && here))
            builder_send(b, rank, world, 1 - rank, 8, 5, 0, before, &status);
        builder_return(b, rank, 2, true, &status);
        builder_enter(b, rank, outer, 3, &status);
        if (here && tie == TIE_REGION) {
            builder_enter(b, rank, step, 4, &status);
            builder_leave(b, rank, 5, &status);
            builder_leave(b, rank, 6, &status);
        }
        builder_enter(b, rank, step, 10, &status);
        builder_call(b, rank, call, 1, 11, &status);
        builder_send(b, rank, world, 1 - rank, 9, 5, 0, 1, &status);
        builder_receive(b, rank, world, 1 - rank, 9, 5, 0, 2, &status);
        if (tie == TIE_MESSAGE && !here)
            builder_receive(b, rank, world, 0, 8, 5, 0, BUILDER_NO_REQUEST, &status);
        if (tie == TIE_NOBODY && here)
            builder_send(b, rank, world, 1, 7, 5, OPERATION_FLAG_DETACHED, 4, &status);
        builder_wait_call(b, rank, &status);
        builder_wait(b, rank, requests, tie == TIE_WAIT_AFTER && here ? 1 : 2, &status);
        if (tie == TIE_WAIT_BEFORE && here) builder_wait(b, rank, &before, 1, &status);
        if (tie != TIE_COLLECTIVE || here)
            builder_collective(b, rank, &all, 0, BUILDER_NO_REQUEST, &status);
        builder_return(b, rank, 12, false, &status);
        builder_leave(b, rank, 13, &status);
        if (tie != TIE_REGION || !here) builder_leave(b, rank, 14, &status);
        builder_call(b, rank, call, 2, 15, &status);
        if (tie == TIE_WAIT_BEFORE)
            builder_receive(b, rank, world, 1 - rank, 8, 5, 0, BUILDER_NO_REQUEST, &status);
        if (tie == TIE_WAIT_AFTER && here) builder_wait(b, rank, &requests[1], 1, &status);
        if ((tie == TIE_WAIT_BEFORE && !here) || (tie == TIE_MESSAGE && here))
            builder_wait(b, rank, &before, 1, &status);
        if (tie == TIE_COLLECTIVE && !here)
            builder_collective(b, rank, &all, 0, BUILDER_NO_REQUEST, &status);
        builder_wait_call(b, rank, &status);
        builder_return(b, rank, 16, true, &status);
    }
    struct program *program = NULL;
    if (builder_seal(b, 1, &program, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(b);
    return program;
}

static void ties_are_refused(void **state) {
    (void)state;
    static const char *const why[] = {
        [TIE_WAIT_BEFORE] = "rank 0, MPI_X: waits for a request posted before",
        [TIE_WAIT_AFTER] = "rank 0, at the end: a request posted inside is waited for only after",
        [TIE_MESSAGE] = "rank 1, MPI_X: the other side of a message lies outside",
        [TIE_COLLECTIVE] = "rank 0, MPI_X: not all members' calls of a collective",
        [TIE_REGION] = "rank 0, at the end: a region around it ends or begins inside",
        [TIE_NOBODY] = "rank 0, MPI_X: a message without a partner",
    };
    for (enum tie tie = 0; tie < TIES; tie++) {
        struct program *whole = one_step(tie);
        if (tie == TIE_NONE)
            program_free(repeated(whole, "step*3"));
        else
            refused(whole, "step*3", why[tie]);
        program_free(whole);
    }
}

/* Operations of one repetition. */
static uint64_t repeated_once(const struct program *whole) {
    struct program *twice = repeated(whole, "iteration#1*2");
    uint64_t once = twice->operation_count - whole->operation_count;
    program_free(twice);
    return once;
}

static void requests_that_cannot_be_read_are_refused(void **state) {
    (void)state;
    struct program *whole = one_step(TIE_NONE);
    refused(whole, "step", "is not REGION*N");
    refused(whole, "step*", "is not REGION*N");
    refused(whole, "*3", "is not REGION*N");
    refused(whole, "step*0", "is not REGION*N");
    refused(whole, "step*3x", "is not REGION*N");
    refused(whole, "step*99999999999", "is not REGION*N");
    refused(whole, "step*1000000000", " times");
    refused(whole, "stap*2",
            "trace.repeat stap: the trace has no region `stap` (did you mean `step`?)");
    refused(whole, "xyzzy*2", "the trace has no region `xyzzy`; its user regions are\n  step");
    refused(whole, "step#2*2", "is in step 1 time;");
    refused(whole, "1us*2", "only a region");
    program_free(whole);
}

/* More than any computer's memory, and still fewer operations of a rank than can be numbered:
 * refused at once, with what fits. */
static void what_does_not_fit_is_refused_early(void **state) {
    (void)state;
    enum { RANKS = 4096, TIMES = 300000000 };
    struct status status = STATUS_INIT;
    struct program *whole = NULL, *more = NULL;
    struct traces_pattern_config config = {.rank_count = RANKS,
                                           .iterations = 2,
                                           .size_bytes = 8,
                                           .compute_ps = 5000,
                                           .neighbours = 6,
                                           .window = 3,
                                           .seed = 1};
    assert_int_equal(traces_generate(&whole, "bcast", &config, &status), STATUS_OK);
    char text[64];
    snprintf(text, sizeof text, "iteration#1*%d", TIMES);
    assert_int_equal(program_repeat(&more, whole, text, 1, &status), STATUS_INPUT);
    unsigned long long needed_mib, there_mib, times;
    const char *numbers = strstr(status.text, "needs ");
    assert_non_null(numbers);
    assert_int_equal(sscanf(numbers,
                            "needs %llu MiB of memory, and there are %llu MiB: at most %llu times",
                            &needed_mib, &there_mib, &times),
                     3);
    assert_int_equal(there_mib, memory_limit_bytes() >> 20);
    assert_true(times < TIMES && needed_mib > there_mib);
    /* what is said to fit takes just about what there is */
    uint64_t once = repeated_once(whole);
    assert_in_range(times * once, (there_mib << 20) / 49, (there_mib << 20) / 48);
    status_clear(&status);
    program_free(whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_iterations_are_generated_ones),
        cmocka_unit_test(times_go_on),
        cmocka_unit_test(ties_are_refused),
        cmocka_unit_test(requests_that_cannot_be_read_are_refused),
        cmocka_unit_test(what_does_not_fit_is_refused_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
