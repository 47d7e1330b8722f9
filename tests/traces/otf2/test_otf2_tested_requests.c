/* Tests of requests that succeed: what they become, and what is kept of persistent requests. */
#include "tests/support/traces/archive_world.h"
#include "traces/program/edit/program_repeat.h"

#include <stdio.h>

static const struct traces_config config = {.polling_gap_ps = 100000000, .user_regions = true};

static void isend(struct archive_maker *maker, const char *call, uint64_t ticks, uint64_t request) {
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    maker_enter(maker, events, ticks, call);
    OTF2_EvtWriter_MpiIsend(events, NULL, ticks, 1, MAKER_WORLD, 3, 100, request);
    maker_leave(maker, events, ticks + 1, call);
}

static void sent(struct archive_maker *maker, const char *call, uint64_t ticks, uint64_t request) {
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    maker_enter(maker, events, ticks, call);
    OTF2_EvtWriter_MpiIsendComplete(events, NULL, ticks, request);
    maker_leave(maker, events, ticks + 1, call);
}

/* The number-th operation of a kind of rank 0. */
static const struct program_operation *find(const struct program *program,
                                            program_operation_kind kind, unsigned number) {
    const struct program_operation *operation = program->operations;
    for (;; operation++) {
        assert_int_not_equal(operation->kind, OPERATION_END);
        if (operation->kind == kind && number-- == 0) return operation;
    }
}

static const char note[] = "sends found complete by MPI_Test and its kin";

/* Only waits that a test became, and only those with something that gives data away, are marked. */
static void waits_of_tests_are_marked(void **state) {
    (void)state;
    static const struct {
        const char *call, *completed_by;
        bool marked;
    } cases[] = {{"MPI_Isend", "MPI_Test", true},     {"MPI_Isend", "MPI_Testany", true},
                 {"MPI_Isend", "MPI_Testsome", true}, {"MPI_Isend", "MPI_Testall", true},
                 {"MPI_Isend", "MPI_Wait", false},    {"MPI_Isend", "MPI_Waitany", false},
                 {"MPI_Issend", "MPI_Test", false},   {"MPI_Ibsend", "MPI_Test", true},
                 {"MPI_Irsend", "MPI_Testall", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct archive_maker *maker = archive_of_two();
        isend(maker, cases[i].call, 0, 1);
        sent(maker, cases[i].completed_by, 10, 1);
        archive_receive(maker, 1, "MPI_Recv", 0, MAKER_WORLD, 100, 20);
        struct program *program = archive_finish(maker, &config);
        assert_int_equal(find(program, OPERATION_WAIT, 0)->flags,
                         cases[i].marked ? OPERATION_FLAG_WAIT_TESTED : 0);
        assert_int_equal(archive_noted(program, note), cases[i].marked);
        assert_int_equal(find(program, OPERATION_SEND, 0)->flags & OPERATION_FLAG_SEND_PERSISTENT,
                         0);
        program_free(program);
    }
}

static void a_test_of_a_receive_is_a_wait(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_two();
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    maker_enter(maker, events, 0, "MPI_Irecv");
    OTF2_EvtWriter_MpiIrecvRequest(events, NULL, 0, 1);
    maker_leave(maker, events, 1, "MPI_Irecv");
    maker_enter(maker, events, 10, "MPI_Test");
    OTF2_EvtWriter_MpiIrecv(events, NULL, 10, 1, MAKER_WORLD, 3, 100, 1);
    maker_leave(maker, events, 11, "MPI_Test");
    archive_send(maker, 1, "MPI_Send", 0, MAKER_WORLD, 0);
    struct program *program = archive_finish(maker, &config);
    assert_int_equal(find(program, OPERATION_WAIT, 0)->flags, 0);
    assert_int_equal(program->note_count, 0);
    program_free(program);
}

/* A persistent send keeps its slot from test to start; others come between, and a wait ends it. */
static struct program *persistent(void) {
    struct archive_maker *maker = archive_of_two();
    OTF2_EvtWriter *events = maker_events(maker, 0, 0), *peer = maker_events(maker, 1, 0);
    uint64_t now = 0;
    maker_call(maker, events, now, now + 1, "MPI_Send_init");
    for (unsigned step = 0; step < 3; step++) {
        now += 100;
        maker_enter(maker, events, now, "step");
        maker_enter(maker, peer, now, "step");
        isend(maker, "MPI_Start", now + 1, 1);
        sent(maker, "MPI_Test", now + 3, 1);
        isend(maker, "MPI_Isend", now + 5, 10 + step);
        sent(maker, "MPI_Testall", now + 7, 10 + step);
        for (unsigned i = 0; i < 2; i++)
            archive_receive(maker, 1, "MPI_Recv", 0, MAKER_WORLD, 100, now + 10 * i);
        maker_leave(maker, events, now + 50, "step");
        maker_leave(maker, peer, now + 50, "step");
    }
    isend(maker, "MPI_Start", now + 60, 1);
    sent(maker, "MPI_Wait", now + 70, 1);
    archive_receive(maker, 1, "MPI_Recv", 0, MAKER_WORLD, 100, now + 80);
    return archive_finish(maker, &config);
}

/* Which slot each send of rank 0 has, and whether it keeps it. */
static void expect_slots(const struct program *program, unsigned steps) {
    uint32_t own = find(program, OPERATION_SEND, 0)->message.slot;
    for (unsigned i = 0; i < 2 * steps; i += 2) {
        const struct program_operation *started = find(program, OPERATION_SEND, i);
        assert_int_equal(started->message.slot, own);
        assert_int_equal(started->flags, OPERATION_FLAG_SEND_PERSISTENT);
        const struct program_operation *other = find(program, OPERATION_SEND, i + 1);
        assert_int_not_equal(other->message.slot, own);
        assert_int_equal(other->flags, 0);
    }
    const struct program_operation *last = find(program, OPERATION_SEND, 2 * steps);
    assert_int_equal(last->message.slot, own);
    assert_int_equal(last->flags, 0);
    assert_int_equal(program->ranks[0].slot_count, 2);
}

static void a_persistent_send_keeps_its_slot(void **state) {
    (void)state;
    struct program *program = persistent();
    expect_slots(program, 3);
    program_free(program);
}

/* Each repetition starts what the one before has started. */
static void repetitions_start_it_again(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    for (unsigned which = 1; which <= 3; which++) {
        char text[20];
        snprintf(text, sizeof text, "step#%u*4", which);
        struct program *program = persistent(), *repeated = NULL;
        if (program_repeat(&repeated, program, text, 1, &status) != STATUS_OK ||
            program_check_file(repeated, &status) != STATUS_OK)
            fail_msg("%s", status.text);
        expect_slots(repeated, 6);
        program_free(repeated);
        program_free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_of_tests_are_marked),
        cmocka_unit_test(a_test_of_a_receive_is_a_wait),
        cmocka_unit_test(a_persistent_send_keeps_its_slot),
        cmocka_unit_test(repetitions_start_it_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
