/* What building, sealing and checking a program refuse, and what they say. */
#include "tests/support/traces/builder_world.h"
#include "traces/traces.h"

static void disagreement_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"rank 1: its collective number 1 on MPI_COMM_WORLD "
                                        "is missing, but rank 0's is BCAST",
                                        "rank 2: its collective number 1 on MPI_COMM_WORLD "
                                        "is BARRIER, but rank 0's is BCAST",
                                        "rank 2: its collective number 2 on MPI_COMM_WORLD "
                                        "is BARRIER, but rank 0's is missing",
                                        "is blocking, but rank 0's is non-blocking",
                                        "is one with another root"};
    for (int fault = 0; fault < 5; fault++) {
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct build_world world = build_world_new(3), *w = &world;
            for (uint32_t rank = 0; rank < 3; rank++) {
                build_collective(w, rank, PROGRAM_COLLECTIVE_BARRIER, 0, 0, 0, BUILDER_NO_REQUEST);
                if (fault == 0 && rank == 1) continue;
                bool other = fault == 1 && rank == 2;
                uint64_t request = fault == 3 && rank == 0 ? 1 : BUILDER_NO_REQUEST;
                if (fault == 4 && rank == 2) {
                    struct program_collective_arguments arguments = {
                        .kind = PROGRAM_COLLECTIVE_BCAST, .root = 1};
                    build_call(w, rank);
                    BUILD_OK(builder_collective(w->builder, rank, &arguments, 0, BUILDER_NO_REQUEST,
                                                &w->status));
                    build_call_end(w, rank);
                    continue;
                }
                build_collective(w, rank,
                                 other ? PROGRAM_COLLECTIVE_BARRIER : PROGRAM_COLLECTIVE_BCAST, 0,
                                 0, 0, request);
                if (fault == 2 && rank == 2)
                    build_collective(w, rank, PROGRAM_COLLECTIVE_BARRIER, 0, 0, 0,
                                     BUILDER_NO_REQUEST);
            }
            struct program *program;
            assert_int_equal(builder_seal(w->builder, threads, &program, &w->status), STATUS_INPUT);
            assert_null(program);
            build_refused(w, STATUS_INPUT, texts[fault]);
            builder_free(w->builder);
        }
    }
}

static void wrong_appends_are_refused(void **state) {
    (void)state;
    struct build_world world = build_world_new(2), *w = &world;
    uint32_t index;
    struct program_builder *builder = w->builder;
    assert_int_equal(
        builder_define_communicator(builder, "bad", (uint32_t[]){0, 2}, 2, &index, &w->status),
        STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "communicator bad: rank 2 in a group");
    assert_int_equal(
        builder_define_communicator(builder, "bad", (uint32_t[]){1, 1}, 2, &index, &w->status),
        STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "rank 1 is twice in one group");
    builder_compute(builder, 2, 1, &w->status);
    build_refused(w, STATUS_USAGE, "the last one is rank 1");
    builder_compute(builder, 0, -1, &w->status);
    build_refused(w, STATUS_INPUT, "-1 ps");
    builder_send(builder, 0, 0, 1, 0, 0, 0, 1, &w->status);
    build_refused(w, STATUS_INPUT, "rank 0: a message outside an MPI call");
    builder_return(builder, 0, 0, true, &w->status);
    build_refused(w, STATUS_INPUT, "a return outside an MPI call");
    builder_leave(builder, 0, 0, &w->status);
    build_refused(w, STATUS_INPUT, "never began");
    build_call(w, 0);
    builder_compute(builder, 0, 1, &w->status);
    build_refused(w, STATUS_INPUT, "computation inside an MPI call");
    builder_send(builder, 0, 0, 2, 0, 0, 0, 1, &w->status);
    build_refused(w, STATUS_INPUT, "message with rank 2");
    builder_send(builder, 0, 0, 1, 0, UINT64_C(1) << 48, 0, 1, &w->status);
    build_refused(w, STATUS_INPUT, "281474976710656 bytes");
    build_isend(w, 0, 1, 0, 0, 1);
    builder_send(builder, 0, 0, 1, 0, 0, 0, 1, &w->status);
    build_refused(w, STATUS_INPUT, "request 1 is posted again");
    builder_drop_receive(builder, 0, 1, &w->status);
    build_refused(w, STATUS_INPUT, "another kind");
    builder_wait(builder, 0, (uint64_t[]){44}, 1, &w->status);
    build_refused(w, STATUS_INPUT, "request 44, which is not in flight");
    BUILD_OK(builder_reserve_receive(builder, 0, 2, &w->status));
    struct program_collective_arguments arguments = {.kind = PROGRAM_COLLECTIVE_BCAST, .root = 2};
    builder_collective(builder, 0, &arguments, 0, 5, &w->status);
    build_refused(w, STATUS_INPUT, "BCAST with root 2 in a group of 2");
    arguments = (struct program_collective_arguments){.kind = PROGRAM_COLLECTIVE_ALLTOALLV,
                                                      .send_bytes = 8};
    arguments.receive_bytes = UINT64_MAX - 1;
    builder_collective(builder, 0, &arguments, 0, 5, &w->status);
    build_refused(w, STATUS_INPUT, "rank 0: ALLTOALLV of 8 bytes sent and 18446744073709551614");
    arguments.send_bytes = UINT64_C(1) << 48;
    arguments.receive_bytes = 0;
    builder_collective(builder, 0, &arguments, 0, 5, &w->status);
    build_refused(w, STATUS_INPUT, "rank 0: ALLTOALLV of 281474976710656 bytes sent and 0");
    struct program *program;
    assert_int_equal(builder_seal(builder, 1, &program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "an MPI call is still open");
    builder_free(builder);

    world = build_world_new(1);
    build_call(w, 0);
    BUILD_OK(builder_reserve_receive(w->builder, 0, 2, &w->status));
    build_call_end(w, 0);
    assert_int_equal(builder_seal(w->builder, 1, &program, &w->status), STATUS_USAGE);
    build_refused(w, STATUS_USAGE, "neither made known nor dropped");
    builder_free(w->builder);
}

/* program_check finds what does not hold. */
static void check_finds_faults(void **state) {
    (void)state;
    struct build_world world = build_world_new(2), *w = &world;
    build_call(w, 0);
    build_isend(w, 0, 1, 0, 1, BUILDER_NO_REQUEST);
    build_isend(w, 0, 1, 0, 1, BUILDER_NO_REQUEST);
    build_call_end(w, 0);
    build_call(w, 1);
    build_irecv(w, 1, 0, 0, 1, BUILDER_NO_REQUEST);
    build_irecv(w, 1, 0, 0, 1, BUILDER_NO_REQUEST);
    build_call_end(w, 1);
    build_collective(w, 0, PROGRAM_COLLECTIVE_ALLGATHERV, 0, 1, 3, BUILDER_NO_REQUEST);
    build_collective(w, 1, PROGRAM_COLLECTIVE_ALLGATHERV, 0, 2, 3, BUILDER_NO_REQUEST);
    struct program *program = build_sealed(w, 1);
    struct program_operation *operations = program->operations;
    struct {
        uint32_t *word;
        uint32_t value;
        const char *text;
    } faults[] = {
        {&operations[1].message.match, 1, "matched wrongly"},
        {&operations[1].message.match, PROGRAM_NONE, "matched wrongly"},
        {&operations[1].message.peer, 2, "a peer that does not exist"},
        {&operations[1].message.envelope, 1, "an envelope that does not exist"},
        {&operations[1].message.slot, 7, "a slot that does not exist"},
        {&operations[1].message.slot, 1, "a slot posted twice"},
        {&operations[3].wait.count, 3, "a wait outside the wait slots"},
        {&operations[3].wait.count, 0, "a wait for nothing"},
        {&operations[3].wait.count, 1, "collective"},
        {&operations[0].mark.region, 1, "a region that does not exist"},
        {&operations[6].collective.instance, 1, "has instance 1 instead of 0"},
        {&operations[6].collective.arguments, 1, "not a member"},
        {&operations[6].collective.sizes, 1, "the sizes"},
        {&operations[6].collective.sizes, PROGRAM_NONE, "the sizes"},
        {&program->ranks[0].send_count, 1, "not as many"},
        {&program->communicators[0].size, 3, "not all there"},
        {&program->communicators[0].name, 1000, "outside the texts"},
        {&program->regions[0].name, 1000, "outside the texts"},
        {&program->envelopes[0].communicator, 1, "no communicator 1"},
        {&program->communicator_members[1], 2, "no rank 2"},
        {&program->communicator_members[1], 0, "twice in one group"},
        {&program->communicators[0].size, 1, "its group overlaps another, or is none"},
        {&program->collective_arguments[0].kind, PROGRAM_COLLECTIVE_KINDS, "do not exist"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        uint32_t good = *faults[i].word;
        *faults[i].word = faults[i].value;
        if (i == 8) { /* a wait for one slot leaves the other posted: no fault until it is reused */
            operations[3].wait.first = 0;
            assert_int_equal(program_check(program, &w->status), STATUS_OK);
            operations[3].wait.first = 2;
            assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
            build_refused(w, STATUS_INPUT, "a wait for a slot that does not exist");
            operations[3].wait.first = 0;
        } else {
            assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
            build_refused(w, STATUS_INPUT, faults[i].text);
        }
        *faults[i].word = good;
        BUILD_OK(program_check(program, &w->status));
    }
    int32_t tag = program->envelopes[0].tag;
    program->envelopes[0].tag = PROGRAM_TAG_POST;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "bytes in a message of a window's synchronisation");
    program->envelopes[0].tag = tag;
    program->collective_arguments[0].receive_bytes = UINT64_C(1) << 48;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "ALLGATHERV of 1 bytes sent and 281474976710656 received");
    program->collective_arguments[0].receive_bytes = 3;
    program->unmatched_sends = 1;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "0 sends and 0 receives are unmatched");
    program->unmatched_sends = 0;
    unsigned tried = 0;
    for (uint64_t i = 0; i < program->operation_count; i++) {
        struct program_operation *operation = &program->operations[i];
        if (operation->kind != OPERATION_RECEIVE || operation->message.match == PROGRAM_NONE)
            continue;
        operation->bytes++;
        assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
        build_refused(w, STATUS_INPUT, "1 receives have other lengths than the messages");
        operation->bytes--;
        tried++;
    }
    assert_true(tried > 0);
    program_free(program);
}

/* Times that no replay gets to, and whose sums would wrap. */
static void times_that_are_too_long_are_refused(void **state) {
    (void)state;
    struct build_world world = build_world_new(1), *w = &world;
    const int64_t max = PROGRAM_TIME_LIMIT_PS;
    BUILD_OK(builder_compute(w->builder, 0, max - 1, &w->status));
    BUILD_OK(builder_compute(w->builder, 0, 1, &w->status));
    builder_compute(w->builder, 0, 1, &w->status);
    build_refused(w, STATUS_INPUT, "rank 0: computation of more than 26 days");
    for (int sign = -1; sign <= 1; sign += 2) {
        builder_call(w->builder, 0, 0, 0, sign * (max + 1), &w->status);
        build_refused(w, STATUS_INPUT, "s from the trace's beginning");
    }
    build_call(w, 0);
    build_isend(w, 0, 0, 0, 0, BUILDER_NO_REQUEST);
    build_irecv(w, 0, 0, 0, 0, BUILDER_NO_REQUEST);
    build_call_end(w, 0);
    BUILD_OK(builder_compute(w->builder, 0, max, &w->status));
    struct program *program = build_sealed(w, 1);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_true(totals.compute_ps == 2 * (wide)max);
    struct traces_times times;
    assert_int_equal(traces_compute_nominal_times(program, &times, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "rank 0: its computation adds up to more than 26 days");
    BUILD_OK(program_check(program, &w->status));
    program->operations[0].compute.duration_ps++;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "operation 0: computation of more than 26 days");
    program->operations[0].compute.duration_ps--;
    program->operations[1].mark.trace_ps = max + 1;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "operation 1: a time of more than 26 days");
    struct program_operation *operations = program->operations;
    assert_int_equal(operations[5].kind, OPERATION_RETURN);
    program->span_ps = 10;
    operations[1].mark.trace_ps = 3;
    operations[5].mark.trace_ps = 2;
    assert_int_equal(program_check_file(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "operation 5: a time before that of the mark before it");
    operations[5].mark.trace_ps = 14;
    assert_int_equal(program_check_file(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "operation 5: a time after the end of the trace");
    operations[5].mark.trace_ps = 13;
    BUILD_OK(program_check_file(program, &w->status));
    operations[1].mark.trace_ps = operations[5].mark.trace_ps = 0;
    program->span_ps = -1;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "a trace of -1 ps");
    program_free(program);
}

/* A persistent send that a test found complete keeps its slot, and only such a send does. */
static void slots_of_persistent_sends_are_checked(void **state) {
    (void)state;
    struct build_world world = build_world_new(1), *w = &world;
    uint64_t given = 0;
    build_call(w, 0);
    BUILD_OK(
        builder_send(w->builder, 0, 0, 0, 0, 8, OPERATION_FLAG_SEND_PERSISTENT, 1, &w->status));
    BUILD_OK(builder_wait_tested(w->builder, 0, (uint64_t[]){1}, 1, &given, &w->status));
    build_irecv(w, 0, 0, 0, 8, 2);
    BUILD_OK(builder_wait(w->builder, 0, (uint64_t[]){2}, 1, &w->status));
    build_call_end(w, 0);
    assert_int_equal(given, 1);
    struct program *program = build_sealed(w, 1);
    struct program_operation *operations = program->operations;
    assert_int_equal(operations[1].flags, OPERATION_FLAG_SEND_PERSISTENT);
    assert_int_equal(operations[2].flags, OPERATION_FLAG_WAIT_TESTED);
    operations[3].message.slot = operations[1].message.slot;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "operation 3: the slot of a persistent send");
    operations[3].message.slot = 1;
    operations[1].flags = OPERATION_FLAG_SEND_PERSISTENT | OPERATION_FLAG_SEND_SYNCHRONOUS;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "a persistent send that no test can have found complete");
    operations[1].flags = OPERATION_FLAG_SEND_PERSISTENT;
    operations[2].flags = OPERATION_FLAG_WAIT_TESTED | 1;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "flags that a wait does not have");
    operations[2].flags = OPERATION_FLAG_WAIT_TESTED;
    BUILD_OK(program_check(program, &w->status));
    program_free(program);
}

/* A call whose name tells the mode of its sends sends in no other mode: an archive could not keep
 * it.
 */
static void modes_of_sends_are_those_of_their_calls(void **state) {
    (void)state;
    static const struct {
        const char *call;
        unsigned flags;
        bool any;
    } cases[] = {{"MPI_Send", 0, false},
                 {"MPI_Issend_c", OPERATION_FLAG_SEND_SYNCHRONOUS, false},
                 {"MPI_Rsend", OPERATION_FLAG_SEND_READY, false},
                 {"MPI_Ibsend", OPERATION_FLAG_SEND_BUFFERED, false},
                 {"MPI_Start", OPERATION_FLAG_SEND_SYNCHRONOUS, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct build_world world = build_world_new(1), *w = &world;
        w->region = builder_define_region(w->builder, cases[i].call, true);
        build_call(w, 0);
        BUILD_OK(builder_send(w->builder, 0, 0, 0, 0, 8, cases[i].flags, 1, &w->status));
        BUILD_OK(builder_wait(w->builder, 0, (uint64_t[]){1}, 1, &w->status));
        build_call_end(w, 0);
        struct program *program = build_sealed(w, 1);
        BUILD_OK(program_check(program, &w->status));
        const unsigned modes[] = {0, OPERATION_FLAG_SEND_SYNCHRONOUS, OPERATION_FLAG_SEND_READY,
                                  OPERATION_FLAG_SEND_BUFFERED};
        for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
            program->operations[1].flags = (uint8_t)modes[m];
            if (cases[i].any || modes[m] == cases[i].flags) {
                BUILD_OK(program_check(program, &w->status));
                continue;
            }
            assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
            build_refused(w, STATUS_INPUT, "operation 1: a send in another mode than its call has");
        }
        program_free(program);
    }
}

/* What a tag says of an operation and what its flags say agree. */
static void tags_of_one_sided_operations_are_checked(void **state) {
    (void)state;
    struct build_world world = build_world_new(1), *w = &world;
    build_call(w, 0);
    BUILD_OK(builder_send(w->builder, 0, 0, 0, PROGRAM_TAG_RMA, 8, OPERATION_FLAG_RMA_WRITE, 1,
                          &w->status));
    BUILD_OK(builder_wait(w->builder, 0, (uint64_t[]){1}, 1, &w->status));
    build_call_end(w, 0);
    struct program *program = build_sealed(w, 1);
    BUILD_OK(program_check(program, &w->status));
    program->envelopes[0].tag = 1;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "operation 1: a one-sided operation with the tag of a message");
    program->operations[1].flags = 0;
    program->unmatched_sends = 1;
    BUILD_OK(program_check(program, &w->status));
    program->envelopes[0].tag = PROGRAM_TAG_LOCK;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "or a message with that of one");
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_of_one_sided_operations_are_checked),
        cmocka_unit_test(modes_of_sends_are_those_of_their_calls),
        cmocka_unit_test(disagreement_is_refused),
        cmocka_unit_test(wrong_appends_are_refused),
        cmocka_unit_test(check_finds_faults),
        cmocka_unit_test(times_that_are_too_long_are_refused),
        cmocka_unit_test(slots_of_persistent_sends_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
