/*
 * Recordings, written by hand: which messages belong together. Matched probes take their messages,
 * partitioned messages are matched apart from others, and ranks that recorded nothing have none.
 */
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/opened_recording.h"
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

static void refuses(recording_state how, const char *text) {
    write_ranks(how);
    expect_refused(text);
}

/* Returns the bytes of the sends or of the receives of a rank, in their order. */
static const char *bytes_of(const struct program *program, uint32_t rank,
                            program_operation_kind kind) {
    static char text[128];
    size_t length = 0;
    for (uint64_t i = 0; i < program->ranks[rank].count && length + 24 < sizeof text; i++) {
        const struct program_operation *each = &program->operations[program->ranks[rank].first + i];
        if (each->kind == kind)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%u",
                                       length > 0 ? " " : "", (unsigned)each->bytes);
    }
    text[length] = '\0';
    return text;
}

#define SEND_TO(rank, bytes)    RECORDING_SEND, 0, (rank), 2 * 5, (bytes), 0, 0
#define RECEIVE_OF(rank, bytes) RECORDING_RECEIVE, 0, (rank), 2 * 5, (bytes)
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
    assert_string_equal(bytes_of(program, 1, OPERATION_RECEIVE), "20 30 40");
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    assert_int_equal(count_of_note(program, "length mismatch"), 0);
    program_free(program);
}

#define PARTITIONED(number, peer, tag, receives)                                                   \
    RECORDING_PARTITIONED, (number), 0, (peer), 2 * (tag), (receives)

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
    assert_string_equal(bytes_of(program, 0, OPERATION_SEND), "10 102 101 100");
    assert_string_equal(bytes_of(program, 1, OPERATION_RECEIVE), "101 102 100 10");
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    assert_int_equal(count_of_note(program, "length mismatch"), 0);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(totals.messages, 4);
    for (uint32_t i = 0; i < program->envelope_count; i++) /* apart from neighbour collectives */
        assert_true(program->envelopes[i].tag >= 0 || program->envelopes[i].tag < -1000000);
    program_free(program);
}

static void damaged_partitioned_requests_are_refused(void **state) {
    (void)state;
    static const struct {
        uint64_t words[24];
        const char *text;
    } cases[] = {
        {{PARTITIONED(1, 1, 5, 0), MAKER_END}, "partitioned request is damaged"},
        {{PARTITIONED(0, 2, 5, 0), MAKER_END}, "partitioned request is damaged"},
        {{PARTITIONED(0, 1, 5, 2), MAKER_END}, "partitioned request is damaged"},
        {{RECORDING_PARTITIONED, 0, 9, 1, 2, 0, MAKER_END}, "partitioned request is damaged"},
        {{RECORDING_PARTITIONED, 0, 0, 1, 1, 0, MAKER_END}, "partitioned request is damaged"},
        {{RECORDING_PARTITIONED_SEND, 0, 8, 1, MAKER_END}, "items are damaged"},
        {{PARTITIONED(0, 1, 5, 1), RECORDING_PARTITIONED_SEND, 0, 8, 1, MAKER_END},
         "items are damaged"},
        {{PARTITIONED(0, 1, 5, 0), RECORDING_PARTITIONED_SEND, 0, 8, 0, MAKER_END},
         "items are damaged"},
        {{PARTITIONED(0, 1, 5, 1), RECORDING_PARTITIONED_RECEIVED, 1, 0, 8, MAKER_END},
         "items are damaged"}, /* never posted */
        {{PARTITIONED(0, 1, 5, 0), RECORDING_POST_RECEIVE, 1, RECORDING_PARTITIONED_RECEIVED, 1, 0,
          8, MAKER_END},
         "items are damaged"}, /* of a request that sends */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        makers[0].size = makers[1].size = 0;
        recording_maker_add(&makers[0], RECORDING_CALL_Start, 0, -1, cases[i].words);
        refuses(RECORDING_COMPLETE, cases[i].text);
    }
}

/* A process that was killed in MPI_Init recorded nothing; what others recorded is kept. */
static void ranks_without_records_are_cut(void **state) {
    (void)state;
    refuses(RECORDING_RUNS, "holds no call, because the program ended in MPI_Init: remove");
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
