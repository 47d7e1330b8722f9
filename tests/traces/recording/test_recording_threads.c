/*
 * Recordings of several threads of a rank, written by hand: calls that were open at the same time
 * are posted where they began, and waited for where they ended.
 */
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/recording_maker.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct recording_maker makers[2];

static int set_up(void **state) {
    memset(makers, 0, sizeof makers);
    return scratch_folder_set_up(state);
}

static void write_ranks(uint32_t count) {
    for (uint32_t rank = 0; rank < count; rank++)
        recording_maker_write(scratch_folder, recording_maker_header(rank, count),
                              makers[rank].bytes, makers[rank].size, 0);
}

static const struct traces_config plain = {.polling_gap_ps = 100000000};

static struct program *open_it(void) {
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    if (traces_open(&program, scratch_folder, &plain, 1, NULL, NULL, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    if (program_check_file(program, &status) != STATUS_OK) fail_msg("%s", status.text);
    return program;
}

/* Appends a call of another thread than the first one. */
#define ADD_OF(thread, maker, call, gap_ns, ...)                                                   \
    recording_maker_add(                                                                           \
        (maker), (recording_call)(RECORDING_CALL_##call + RECORDING_CALLS_LIMIT * (thread)),       \
        (gap_ns), -1, (const uint64_t[]){__VA_ARGS__, MAKER_END})
#define DURING(records)         RECORDING_OVERLAP, (records)
#define RECEIVE_OF(rank, bytes) RECORDING_RECEIVE, 0, (rank), 2 * 5, (bytes)
#define SYNCHRONOUS_TO(rank, bytes)                                                                \
    RECORDING_SEND, 0, (rank), 2 * 5, (bytes), RECORDING_SYNCHRONOUS, 0
#define ALLREDUCE(communicator)                                                                    \
    RECORDING_COLLECTIVE, RECORDING_ALLREDUCE, (communicator), RECORDING_ROOT_NONE, 8, 8, 8, 0, 0
#define HANDLE_MADE(communicator)                                                                  \
    RECORDING_COLLECTIVE, RECORDING_CREATE_HANDLE, (communicator), RECORDING_ROOT_NONE, 0, 0, 0,   \
        0, 0
#define DUPLICATE(number) RECORDING_COMMUNICATOR, (number), 0, 1, 0, 2, 0, 0, 1

/* Writes the operations of a rank: s send, r receive, B blocking collective, A one that was
 * split, w wait, c computation, [ and ] the begin and the end of a call. */
static const char *text_of(const struct program *program, uint32_t rank) {
    static char text[128];
    size_t length = 0;
    for (uint64_t i = 0; i < program->ranks[rank].count && length + 1 < sizeof text; i++) {
        const struct program_operation *each = &program->operations[program->ranks[rank].first + i];
        const bool is_split = (each->flags & OPERATION_FLAG_COLLECTIVE_SPLIT) != 0;
        text[length++] = each->kind == OPERATION_SEND         ? 's'
                         : each->kind == OPERATION_RECEIVE    ? 'r'
                         : each->kind == OPERATION_COLLECTIVE ? (char)(is_split ? 'A' : 'B')
                         : each->kind == OPERATION_WAIT       ? 'w'
                         : each->kind == OPERATION_COMPUTE    ? 'c'
                         : each->kind == OPERATION_CALL       ? '['
                         : each->kind == OPERATION_RETURN     ? ']'
                                                              : '.';
    }
    text[length] = '\0';
    return text;
}

/* Each rank receives in one thread while the other one sends and waits for the receiver. In the
 * order in which the calls ended, both ranks would receive before they send. */
static void a_send_stands_where_it_began(void **state) {
    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++) {
        MAKER_ADD(&makers[rank], Recv, 100, RECEIVE_OF(1 - rank, 64));
        ADD_OF(1, &makers[rank], Ssend, 0, DURING(1), SYNCHRONOUS_TO(1 - rank, 64));
    }
    write_ranks(2);
    struct program *program = open_it();
    assert_string_equal(text_of(program, 0), "[s]c[rw][w].");
    assert_string_equal(text_of(program, 1), "[s]c[rw][w].");
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    const struct program_operation *first = &program->operations[program->ranks[0].first];
    assert_string_equal(program_text(program, program->regions[first->mark.region].name),
                        "MPI_Ssend (begin)");
    program_free(program);
}

/* Two threads, two communicators: the ranks end the collectives in opposite orders. A member whose
 * call was split and one whose call was not take part in the same blocking collective. */
static void collectives_of_two_threads_stand_where_they_began(void **state) {
    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++) {
        uint64_t first = rank == 0 ? 0 : 2, second = 2 - first;
        MAKER_ADD(&makers[rank], Comm_dup, 0, DUPLICATE(2));
        MAKER_ADD(&makers[rank], Allreduce, 0, ALLREDUCE(first));
        ADD_OF(1, &makers[rank], Allreduce, 0, DURING(1), ALLREDUCE(second));
        MAKER_ADD(&makers[rank], Allreduce, 0, ALLREDUCE(0));
    }
    write_ranks(2);
    struct program *program = open_it();
    assert_string_equal(text_of(program, 0), "[A][B][w][B].");
    assert_string_equal(text_of(program, 1), "[A][B][w][B].");
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_ALLREDUCE][0], 6);
    assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_ALLREDUCE][1], 0);
    program_free(program);
}

/* A call that was open during several others; calls that only wait stay whole. */
static void calls_open_during_others_are_split(void **state) {
    (void)state;
    MAKER_ADD(&makers[0], Irecv, 0, RECORDING_POST_RECEIVE, 1);
    MAKER_ADD(&makers[0], Allreduce, 0, ALLREDUCE(1));
    MAKER_ADD(&makers[0], Send, 0, DURING(1), RECORDING_SEND, 0, 0, 2 * 9, 32, 0, 0);
    ADD_OF(1, &makers[0], Wait, 0, DURING(2), RECORDING_RECEIVED, 1, 0, 0, 2 * 9, 32);
    ADD_OF(2, &makers[0], Recv, 0, DURING(3), RECEIVE_OF(0, 8));
    MAKER_ADD(&makers[0], Ssend, 0, DURING(2), SYNCHRONOUS_TO(0, 8));
    write_ranks(1);
    struct program *program = open_it();
    /* Send and Recv begin before Allreduce ends. Ssend begins after Send and before Wait ends. */
    assert_string_equal(text_of(program, 0), "[r][s][r][B][w][s][w][w][w].");
    program_free(program);
}

/* One-sided operations that are still in flight have requests of their own. */
static void one_sided_operations_keep_their_requests(void **state) {
    (void)state;
    MAKER_ADD(&makers[0], Win_create, 0, RECORDING_WINDOW, 0, 1, RECORDING_WINDOW_SYNC, 0);
    MAKER_ADD(&makers[0], Put, 0, RECORDING_RMA, 0, 0, 24, RECORDING_WRITES, 0);
    MAKER_ADD(&makers[0], Recv, 0, RECEIVE_OF(0, 64));
    ADD_OF(1, &makers[0], Ssend, 0, DURING(1), SYNCHRONOUS_TO(0, 64));
    MAKER_ADD(&makers[0], Win_free, 0, RECORDING_RMA_DONE, 0, 0, RECORDING_WINDOW_SYNC, 0);
    write_ranks(1);
    struct program *program = open_it();
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(totals.rma_operations, 1);
    assert_int_equal(totals.messages, 1);
    program_free(program);
}

/* Returns the computation of a rank before its first send. */
static int64_t computation_before_send(const struct program *program, uint32_t rank) {
    int64_t sum_ps = 0;
    for (uint64_t i = 0; i < program->ranks[rank].count; i++) {
        const struct program_operation *each = &program->operations[program->ranks[rank].first + i];
        if (each->kind == OPERATION_SEND) return sum_ps;
        if (each->kind == OPERATION_COMPUTE) sum_ps += each->compute.duration_ps;
    }
    fail_msg("rank %u sends nothing", rank);
    return 0;
}

/* The gaps before calls are 3 us in the first thread, 50 us in the second, and 700 us in the third.
 * The rank follows another thread only if this one alone communicates. Making a communicator is no
 * communication. */
static void a_rank_follows_the_only_thread_that_communicates(void **state) {
    (void)state;
    static const struct {
        bool first_sends, third_sends;
        int64_t expected_us;
    } rows[] = {{false, false, 50}, {true, false, 3}, {false, true, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memset(makers, 0, sizeof makers);
        MAKER_ADD(&makers[0], Comm_dup, 3000, HANDLE_MADE(0), DUPLICATE(2));
        if (rows[i].first_sends) MAKER_ADD(&makers[0], Ssend, 0, SYNCHRONOUS_TO(1, 8));
        ADD_OF(1, &makers[0], Ssend, 50000, SYNCHRONOUS_TO(1, 8));
        if (rows[i].third_sends) ADD_OF(2, &makers[0], Ssend, 700000, SYNCHRONOUS_TO(1, 8));
        MAKER_ADD(&makers[1], Comm_dup, 0, HANDLE_MADE(0), DUPLICATE(2));
        for (int k = 0; k < 1 + rows[i].first_sends + rows[i].third_sends; k++)
            MAKER_ADD(&makers[1], Recv, 0, RECEIVE_OF(0, 8));
        write_ranks(2);
        struct program *program = open_it();
        assert_int_equal(computation_before_send(program, 0), rows[i].expected_us * 1000000);
        program_free(program);
    }
}

static void wrong_overlaps_are_refused(void **state) {
    (void)state;
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    MAKER_ADD(&makers[0], Send, 0, DURING(1), RECORDING_SEND, 0, 0, 2 * 9, 32, 0, 0);
    write_ranks(1);
    assert_int_equal(traces_open(&program, scratch_folder, &plain, 1, NULL, NULL, &status),
                     STATUS_INPUT);
    assert_null(program);
    assert_non_null(strstr(status.text, "rank-000000.rec: record 0 (MPI_Send) is damaged"));
    status_clear(&status);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_send_stands_where_it_began, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(collectives_of_two_threads_stand_where_they_began, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(calls_open_during_others_are_split, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(one_sided_operations_keep_their_requests, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(a_rank_follows_the_only_thread_that_communicates, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(wrong_overlaps_are_refused, set_up,
                                        scratch_folder_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
