/*
 * Receives of which a trace does not say all: lengths that MPI_Get_count could not tell.
 */
#include "tests/support/archive_world.h"

#include <stdio.h>
#include <sys/stat.h>

static const traces_config config = {.polling_gap_ps = INT64_C(100000000)};

/* An archive beside the project; skips the test where there is none. */
static program *open_found(const char *name) {
    char path[512];
    struct stat about;
    snprintf(path, sizeof path, ANAX_SHARED "/traces/found/%s/traces.otf2", name);
    if (stat(path, &about) != 0) skip();
    return archive_read(path, &config);
}

/* The rank's k-th operation of a kind. */
static const program_operation *operation_of(const program *program, uint32_t rank,
                                             program_kind kind, unsigned k) {
    const program_rank *part = &program->ranks[rank];
    for (uint64_t i = 0; i < part->count; i++) {
        const program_operation *operation = &program->operations[part->first + i];
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
    archive_maker *maker = archive_of_two();
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
    program *program = archive_finish(maker, &config);
    for (unsigned k = 0; k < 4; k++) {
        const program_operation *receive = operation_of(program, 1, PROGRAM_RECEIVE, k);
        assert_int_equal(receive->value, k < 3 ? 100 : 0);
        assert_int_equal(receive->flags, 0);
    }
    assert_int_equal(archive_noted(program, "receives of unknown length"), 3);
    assert_int_equal(archive_noted(program, "unmatched receives"), 1);
    assert_int_equal(program->note_count, 2);
    program_free(program);
}

/* A length that is neither known nor undefined, and a send of none, are damage. */
static void lengths_that_make_no_sense(void **state) {
    (void)state;
    archive_maker *maker = archive_of_two();
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
static void recorded_undefined_lengths(void **state) {
    (void)state;
    program *program = open_found("receive-length-undefined");
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    assert_true(archive_noted(program, "receives of unknown length") > 0);
    assert_int_equal(archive_noted(program, "length mismatch"), 0);
    assert_int_equal(archive_noted(program, "receives longer than their sends"), 0);
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undefined_lengths_are_those_of_the_sends),
        cmocka_unit_test(lengths_that_make_no_sense),
        cmocka_unit_test(recorded_undefined_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
