/*
 * Requests and receives of which a trace does not say all: lengths that MPI_Get_count could not
 * tell, completions whose request is not in flight, and sends that were cancelled before.
 */
#include "tests/support/traces/archive_world.h"

#include <stdio.h>
#include <sys/stat.h>

static const struct traces_config config = {.polling_gap_ps = INT64_C(100000000)};

/* An archive beside the project; skips the test where there is none. */
static struct program *open_found(const char *name) {
    char path[512];
    struct stat about;
    snprintf(path, sizeof path, ANAX_SHARED "/traces/found/%s/traces.otf2", name);
    if (stat(path, &about) != 0) skip();
    return archive_read(path, &config);
}

/* The rank's k-th operation of a kind. */
static const struct program_operation *operation_of(const struct program *program, uint32_t rank,
                                                    program_operation_kind kind, unsigned k) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *operation = &program->operations[rank_entry->first + i];
        if (operation->kind == kind && k-- == 0) return operation;
    }
    fail_msg("rank %u has fewer operations of kind %d", rank, (int)kind);
    return NULL;
}

/* ---- lengths ---- */

/* MPI_UNDEFINED, times a datatype's size. */
#define UNDEFINED_LENGTH ((uint64_t)(INT64_C(-32766) * 12))

static void undefined_lengths_are_those_of_the_sends(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_two();
    for (uint64_t i = 0; i < 3; i++)
        archive_send(maker, 0, "MPI_Send", 1, MAKER_WORLD, 10 * i);
    archive_receive(maker, 1, "MPI_Recv", 0, MAKER_WORLD, UNDEFINED_LENGTH, 0);
    OTF2_EvtWriter *events = maker_events(maker, 1, 0);
    maker_enter(maker, events, 20, "MPI_Irecv");
    OTF2_EvtWriter_MpiIrecvRequest(events, NULL, 20, 1);
    maker_leave(maker, events, 21, "MPI_Irecv");
    maker_enter(maker, events, 22, "MPI_Wait");
    OTF2_EvtWriter_MpiIrecv(events, NULL, 23, 0, MAKER_WORLD, 3, UINT64_MAX, 1);
    maker_leave(maker, events, 24, "MPI_Wait");
    archive_receive(maker, 1, "MPI_Recv", 0, MAKER_WORLD, 100, 30);
    archive_receive(maker, 1, "MPI_Recv", 0, MAKER_WORLD, UNDEFINED_LENGTH, 40); /* no send */
    struct program *program = archive_finish(maker, &config);
    for (unsigned k = 0; k < 4; k++) {
        const struct program_operation *receive = operation_of(program, 1, OPERATION_RECEIVE, k);
        assert_int_equal(receive->bytes, k < 3 ? 100 : 0);
        assert_int_equal(receive->flags, 0);
    }
    assert_int_equal(archive_noted(program, "receives of unknown length"), 3);
    assert_int_equal(archive_noted(program, "unmatched receives"), 1);
    assert_int_equal(program->note_count, 2);
    program_free(program);
}

/* A length that is neither known nor undefined, and a send of none, are damage. */
static void lengths_that_make_no_sense_are_refused(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_two();
    archive_receive(maker, 1, "MPI_Recv", 0, MAKER_WORLD, UINT64_C(1) << 60, 0);
    archive_refuse(maker, "message of 1152921504606846976 bytes");
    maker = archive_of_two();
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    maker_enter(maker, events, 0, "MPI_Send");
    OTF2_EvtWriter_MpiSend(events, NULL, 0, 1, MAKER_WORLD, 3, UNDEFINED_LENGTH);
    maker_leave(maker, events, 1, "MPI_Send");
    archive_refuse(maker, "message of 18446744073709158424 bytes");
}

/* MPICH's test of a receive whose count is MPI_UNDEFINED. */
static void recorded_undefined_lengths_are_those_of_the_sends(void **state) {
    (void)state;
    struct program *program = open_found("receive-length-undefined");
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    assert_true(archive_noted(program, "receives of unknown length") > 0);
    assert_int_equal(archive_noted(program, "length mismatch"), 0);
    assert_int_equal(archive_noted(program, "receives longer than their sends"), 0);
    program_free(program);
}

/* ---- completions without a request ---- */

/* One rank in MPI_Init, and what it posts and completes. */
struct script {
    struct archive_maker *maker;
    OTF2_EvtWriter *events;
    uint64_t ticks;
};

static struct script start(struct archive_maker *maker, uint32_t rank) {
    struct script s = {maker, maker_events(maker, rank, 0), 0};
    maker_call(maker, s.events, 0, 1, "MPI_Init");
    return s;
}

static void isend(struct script *s, uint64_t request) {
    maker_enter(s->maker, s->events, s->ticks += 10, "MPI_Isend");
    OTF2_EvtWriter_MpiIsend(s->events, NULL, s->ticks, 0, MAKER_WORLD, 3, 100, request);
    maker_leave(s->maker, s->events, s->ticks += 1, "MPI_Isend");
}

static void wait_for_sends(struct script *s, uint64_t request, unsigned times) {
    maker_enter(s->maker, s->events, s->ticks += 10, "MPI_Waitall");
    for (unsigned i = 0; i < times; i++)
        OTF2_EvtWriter_MpiIsendComplete(s->events, NULL, s->ticks, request);
    maker_leave(s->maker, s->events, s->ticks += 1, "MPI_Waitall");
}

static void finalize(struct script *s) {
    maker_call(s->maker, s->events, s->ticks + 10, s->ticks + 20, "MPI_Finalize");
}

/* Completes a request that is not in flight, in an archive of one rank, and refuses the archive
 * with a text. post: what rank 0 does before; times: completions in one call; is_whole:
 * MPI_Finalize is left. */
static void refuse_completion(void (*post)(struct script *s), unsigned times, bool is_whole,
                              const char *text) {
    struct archive_maker *maker = archive_of_one();
    maker_creator(maker, "Tracer 1.0");
    struct script s = start(maker, 0);
    post(&s);
    wait_for_sends(&s, 7, times);
    if (is_whole) finalize(&s);
    archive_refuse(maker, text);
}

static void post_nothing(struct script *s) {
    (void)s;
}

static void post_request_7(struct script *s) {
    isend(s, 7);
}

static void complete_request_7_of_two(struct script *s) {
    isend(s, 7);
    isend(s, 8);
    wait_for_sends(s, 7, 1);
}

static void post_request_7_as_receive(struct script *s) {
    maker_enter(s->maker, s->events, 10, "MPI_Irecv");
    OTF2_EvtWriter_MpiIrecvRequest(s->events, NULL, 10, 7);
    maker_leave(s->maker, s->events, s->ticks = 11, "MPI_Irecv");
}

static void switch_recording_off(struct script *s) {
    OTF2_EvtWriter_MeasurementOnOff(s->events, NULL, 5, OTF2_MEASUREMENT_OFF);
    OTF2_EvtWriter_MeasurementOnOff(s->events, NULL, 6, OTF2_MEASUREMENT_ON);
}

/* What is missing, and whose fault it is likely to be. */
static void completions_without_a_request_are_refused(void **state) {
    (void)state;
    refuse_completion(post_nothing, 1, true,
                      "the trace is not cut short (all announced events are there, and "
                      "MPI_Finalize is left), so the tracer (Tracer 1.0) lost records");
    refuse_completion(post_nothing, 1, false,
                      "event 3: MPI_ISEND_COMPLETE of request 7, which is not in flight: no "
                      "earlier record posts it; MPI_Finalize is not left, so the trace is cut "
                      "short");
    refuse_completion(complete_request_7_of_two, 1, true,
                      "event 12: MPI_ISEND_COMPLETE of request 7, which is not in flight: it "
                      "was complete at event 9, and nothing has posted it since");
    refuse_completion(post_request_7, 2, false,
                      "event 7: MPI_ISEND_COMPLETE of request 7, which is not in flight: it "
                      "was complete at event 6");
    refuse_completion(post_request_7_as_receive, 1, false,
                      "event 3 posted it as another kind of operation");
    refuse_completion(switch_recording_off, 1, false,
                      "recording was switched off before this record");
}

static void a_recorded_completion_without_a_request_is_refused(void **state) {
    (void)state;
    struct stat about;
    if (stat(ANAX_SHARED "/traces/found/m4_p2p_obj", &about) != 0) skip();
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    assert_int_equal(traces_open(&program, ANAX_SHARED "/traces/found/m4_p2p_obj", &config, 1, NULL,
                                 NULL, &status),
                     STATUS_INPUT);
    static const char *const words[] = {
        "rank 0, location 0: event 2996: MPI_ISEND_COMPLETE of request 382",
        "it was complete at event 2982, and nothing has posted it since",
        "the trace is not cut short", "the tracer (Score-P 7.1) lost records"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(status.text, words[i]) == NULL) fail_msg("%s", status.text);
    status_clear(&status);
}

/* ---- cancelled sends ---- */

/* The second of two sends is the one that is received. */
static void cancelled_sends_are_not_received(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_two();
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    for (uint64_t i = 0; i < 2; i++) {
        maker_enter(maker, events, 10 * i, "MPI_Isend");
        OTF2_EvtWriter_MpiIsend(events, NULL, 10 * i, 1, MAKER_WORLD, 3, 50 + i, i);
        maker_leave(maker, events, 10 * i + 1, "MPI_Isend");
        maker_enter(maker, events, 10 * i + 2, "MPI_Wait");
        if (i == 0)
            OTF2_EvtWriter_MpiRequestCancelled(events, NULL, 10 * i + 2, i);
        else
            OTF2_EvtWriter_MpiIsendComplete(events, NULL, 10 * i + 2, i);
        maker_leave(maker, events, 10 * i + 3, "MPI_Wait");
    }
    archive_receive(maker, 1, "MPI_Recv", 0, MAKER_WORLD, 51, 40);
    struct program *program = archive_finish(maker, &config);
    assert_int_equal(program->note_count, 0);
    assert_int_equal(program->ranks[0].send_count, 1);
    assert_int_equal(operation_of(program, 0, OPERATION_SEND, 0)->bytes, 51);
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undefined_lengths_are_those_of_the_sends),
        cmocka_unit_test(lengths_that_make_no_sense_are_refused),
        cmocka_unit_test(recorded_undefined_lengths_are_those_of_the_sends),
        cmocka_unit_test(completions_without_a_request_are_refused),
        cmocka_unit_test(a_recorded_completion_without_a_request_is_refused),
        cmocka_unit_test(cancelled_sends_are_not_received),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
