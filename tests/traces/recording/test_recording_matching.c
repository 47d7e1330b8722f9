/*
 * Recordings, written by hand: which messages belong together. Matched probes take their messages,
 * partitioned messages are matched apart from others, and ranks that recorded nothing have none.
 */
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/opened_recording.h"
#include "tests/support/traces/recording_maker.h"
#include "traces/recording/recording_rank.h"
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

static void write_ranks(recording_state how) {
    for (uint32_t rank = 0; rank < 2; rank++) {
        struct recording_header header = recording_maker_header(rank, 2);
        header.state = how;
        recording_maker_write(scratch_folder, header, makers[rank].bytes, makers[rank].size, 0);
    }
}

static const struct traces_config plain = {.polling_gap_ps = 100000000};

static struct program *open_it(recording_state how) {
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    write_ranks(how);
    if (traces_open(&program, scratch_folder, &plain, 1, NULL, NULL, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    if (program_check_file(program, &status) != STATUS_OK) fail_msg("%s", status.text);
    return program;
}

/* Expects that the recording is refused with `reason`; what: what is wrong with it. */
static void expect_refusal(recording_state how, const char *what, const char *reason) {
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    write_ranks(how);
    const status_code code = traces_open(&program, scratch_folder, &plain, 1, NULL, NULL, &status);
    if (code != STATUS_INPUT) fail_msg("%s: the code is %d and not STATUS_INPUT", what, (int)code);
    assert_null(program);
    if (strstr(status.text, reason) == NULL)
        fail_msg("%s: no `%s` in: %s", what, reason, status.text);
    status_clear(&status);
}

/* Expects the bytes of the sends or of the receives of a rank, in their order, as "10 20". */
static void expect_bytes(const struct program *program, uint32_t rank, program_operation_kind kind,
                         const char *expected) {
    char text[128] = "";
    size_t length = 0;
    for (uint64_t i = 0; i < program->ranks[rank].count; i++) {
        const struct program_operation *each = &program->operations[program->ranks[rank].first + i];
        if (each->kind != kind) continue;
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%u",
                                   length > 0 ? " " : "", (unsigned)each->bytes);
        assert_true(length < sizeof text);
    }
    assert_string_equal(text, expected);
}

static void expect_all_matched(const struct program *program) {
    assert_int_equal(program->unmatched_sends, 0);
    assert_int_equal(program->unmatched_receives, 0);
    assert_int_equal(count_of_note(program, "length mismatch"), 0);
}

/* A tag as the recorder writes signed numbers: twice the number if it is not negative. */
#define RECORDED(tag)           (2 * (tag))
#define TAG                     RECORDED(5)
#define SEND_TO(rank, bytes)    RECORDING_SEND, 0, (rank), TAG, (bytes), 0, 0
#define RECEIVE_OF(rank, bytes) RECORDING_RECEIVE, 0, (rank), TAG, (bytes)
#define SECOND_THREAD(call)     (recording_call)(RECORDING_CALL_##call + RECORDING_CALLS_LIMIT)

/* A matched probe takes its message where it ends: after the receive of another thread that ended
 * while the probe waited. */
static void probes_take_messages_where_they_end(void **state) {
    (void)state;
    MAKER_ADD(&makers[0], Send, 0, SEND_TO(1, 20));
    MAKER_ADD(&makers[0], Send, 0, SEND_TO(1, 30));
    MAKER_ADD(&makers[0], Send, 0, SEND_TO(1, 40));
    recording_maker_add(&makers[1], SECOND_THREAD(Recv), 0, -1,
                        (const uint64_t[]){RECEIVE_OF(0, 20), MAKER_END});
    MAKER_ADD(&makers[1], Mprobe, 0, RECORDING_OVERLAP, 1, RECEIVE_OF(0, 30));
    MAKER_ADD(&makers[1], Recv, 0, RECEIVE_OF(0, 40));
    recording_maker_add(&makers[1], RECORDING_CALL_Mrecv, 0, -1, (const uint64_t[]){MAKER_END});
    struct program *program = open_it(RECORDING_COMPLETE);
    expect_bytes(program, 1, OPERATION_RECEIVE, "20 30 40");
    expect_all_matched(program);
    program_free(program);
}

#define PARTITIONED(number, peer, tag, receives)                                                   \
    RECORDING_PARTITIONED, (number), 0, (peer), RECORDED(tag), (receives)

/* Two requests of tag 5 and one of tag 6, which the sides make in different orders. The messages of
 * equal tags are those of the requests that were made first, whatever is ready first, and a message
 * of the same tag that is not partitioned takes none of them. */
static void partitioned_messages_are_paired_in_the_order_of_making(void **state) {
    (void)state;
    MAKER_ADD(&makers[0], Psend_init, 0, PARTITIONED(0, 1, 6, 0));
    MAKER_ADD(&makers[0], Psend_init, 0, PARTITIONED(1, 1, 5, 0));
    MAKER_ADD(&makers[0], Psend_init, 0, PARTITIONED(2, 1, 5, 0));
    MAKER_ADD(&makers[0], Send, 0, SEND_TO(1, 10));
    for (uint64_t request = 2; request < 3; request--) /* 2, 1, 0 */
        MAKER_ADD(&makers[0], Pready, 0, RECORDING_PARTITIONED_SEND, request, 100 + request,
                  1 + request);
    MAKER_ADD(&makers[0], Waitall, 0, RECORDING_DONE, 1, RECORDING_DONE, 2, RECORDING_DONE, 3);
    MAKER_ADD(&makers[1], Precv_init, 0, PARTITIONED(0, 0, 5, 1));
    MAKER_ADD(&makers[1], Precv_init, 0, PARTITIONED(1, 0, 5, 1));
    MAKER_ADD(&makers[1], Precv_init, 0, PARTITIONED(2, 0, 6, 1));
    MAKER_ADD(&makers[1], Startall, 0, RECORDING_POST_RECEIVE, 1, RECORDING_POST_RECEIVE, 2,
              RECORDING_POST_RECEIVE, 3);
    MAKER_ADD(&makers[1], Recv, 0, RECEIVE_OF(0, 10));
    MAKER_ADD(&makers[1], Waitall, 0, RECORDING_PARTITIONED_RECEIVED, 1, 0, 101,
              RECORDING_PARTITIONED_RECEIVED, 2, 1, 102, RECORDING_PARTITIONED_RECEIVED, 3, 2, 100);
    struct program *program = open_it(RECORDING_COMPLETE);
    expect_bytes(program, 0, OPERATION_SEND, "10 102 101 100");
    expect_bytes(program, 1, OPERATION_RECEIVE, "101 102 100 10");
    expect_all_matched(program);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(totals.messages, 4);
    for (uint32_t i = 0; i < program->envelope_count; i++) { /* no tags of neighbour collectives */
        const int32_t tag = program->envelopes[i].tag;
        assert_true(tag == 5 || (tag <= RECORDING_PARTITIONED_TAG && tag > PROGRAM_TAG_LAST));
    }
    program_free(program);
}

static void damaged_partitioned_requests_are_refused(void **state) {
    (void)state;
    static const char request[] = "partitioned request is damaged", items[] = "items are damaged";
    static const struct {
        const char *what;
        const char *reason;
        uint64_t words[24];
    } cases[] = {
        {"the first request has number 1", request, {PARTITIONED(1, 1, 5, 0), MAKER_END}},
        {"there is no rank 2", request, {PARTITIONED(0, 2, 5, 0), MAKER_END}},
        {"it neither sends nor receives", request, {PARTITIONED(0, 1, 5, 2), MAKER_END}},
        {"there is no communicator 9",
         request,
         {RECORDING_PARTITIONED, 0, 9, 1, RECORDED(1), 0, MAKER_END}},
        {"the tag is negative", request, {RECORDING_PARTITIONED, 0, 0, 1, 1, 0, MAKER_END}},
        {"a send of no request", items, {RECORDING_PARTITIONED_SEND, 0, 8, 1, MAKER_END}},
        {"a send of a request that receives",
         items,
         {PARTITIONED(0, 1, 5, 1), RECORDING_PARTITIONED_SEND, 0, 8, 1, MAKER_END}},
        {"a send with the number 0",
         items,
         {PARTITIONED(0, 1, 5, 0), RECORDING_PARTITIONED_SEND, 0, 8, 0, MAKER_END}},
        {"a receive that was never posted",
         items,
         {PARTITIONED(0, 1, 5, 1), RECORDING_PARTITIONED_RECEIVED, 1, 0, 8, MAKER_END}},
        {"a receive of a request that sends",
         items,
         {PARTITIONED(0, 1, 5, 0), RECORDING_POST_RECEIVE, 1, RECORDING_PARTITIONED_RECEIVED, 1, 0,
          8, MAKER_END}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        makers[0].size = makers[1].size = 0;
        recording_maker_add(&makers[0], RECORDING_CALL_Start, 0, -1, cases[i].words);
        expect_refusal(RECORDING_COMPLETE, cases[i].what, cases[i].reason);
    }
}

/* A process that was killed in MPI_Init recorded nothing; what others recorded is kept. */
static void ranks_without_records_are_cut(void **state) {
    (void)state;
    expect_refusal(RECORDING_RUNS, "no rank has a record",
                   "holds no call, because the program ended in MPI_Init: remove");
    MAKER_ADD(&makers[1], Init, 0, RECORDING_COLLECTIVE, RECORDING_CREATE_HANDLE, 0, 0, 0, 0, 0, 0,
              0);
    MAKER_ADD(&makers[1], Send, 0, SEND_TO(1, 64));
    MAKER_ADD(&makers[1], Recv, 0, RECEIVE_OF(1, 64));
    MAKER_ADD(&makers[1], Allreduce, 0, RECORDING_COLLECTIVE, RECORDING_ALLREDUCE, 0, 0, 8, 8, 8, 0,
              0);
    struct program *program = open_it(RECORDING_RUNS);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(totals.messages, 1);
    assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_ALLREDUCE][0], 0);
    assert_int_equal(count_of_note(program, TRACES_CUT_RANKS), 2);
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(probes_take_messages_where_they_end, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(partitioned_messages_are_paired_in_the_order_of_making,
                                        set_up, scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(damaged_partitioned_requests_are_refused, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(ranks_without_records_are_cut, set_up,
                                        scratch_folder_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
