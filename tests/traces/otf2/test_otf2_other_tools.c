/*
 * Archives as other tools than Score-P write them (TAU, dumpi2otf2, Ravel, programs of one's own):
 * other names of calls, processes, groups, request ids and sizes.
 */
#include "tests/support/traces/archive_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct program *finish(struct archive_maker *maker) {
    return archive_finish(maker, &(struct traces_config){.user_regions = true});
}

/* Rank r's k-th operation of a kind. */
static const struct program_operation *operation_of(const struct program *program, uint32_t rank,
                                                    program_operation_kind kind, uint32_t number) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++)
        if (program->operations[i].kind == kind && number-- == 0) return &program->operations[i];
    fail_msg("rank %u does too little", rank);
    return NULL;
}

static uint64_t messages(const struct program *program) {
    struct program_totals totals;
    program_totals_compute(program, &totals);
    return totals.messages;
}

/* ---- names ---- */

/* TAU writes MPI_Send(), and calls MPI whatever has MPI_ in its name. */
static void calls_have_other_names(void **state) {
    (void)state;
    static const char *const functions[] = {"void exchange(MPI_Comm) C", "mpi_setup(MPI_Comm)"};
    struct archive_maker *maker = archive_of_two();
    for (uint32_t f = 0; f < 2; f++)
        maker_enter(maker, maker_events(maker, 0, 0), 10 * f, functions[f]);
    archive_send(maker, 0, "MPI_Ssend()", 1, MAKER_WORLD, 50);
    archive_send(maker, 0, "mpi_bsend_", 1, MAKER_WORLD, 60);
    archive_send(maker, 0, "MPI_RSEND", 1, MAKER_WORLD, 70);
    for (uint32_t f = 2; f-- > 0;)
        maker_leave(maker, maker_events(maker, 0, 0), 100 - 10 * f, functions[f]);
    for (uint32_t i = 0; i < 3; i++)
        archive_receive(maker, 1, "PMPI_Recv", 0, MAKER_WORLD, 100, 10 * i);
    maker_call(maker, maker_events(maker, 1, 0), 50, 51, "MPI_Barrier()");
    struct program *program = finish(maker);
    static const unsigned flags[] = {OPERATION_FLAG_SEND_SYNCHRONOUS, OPERATION_FLAG_SEND_BUFFERED,
                                     OPERATION_FLAG_SEND_READY};
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(operation_of(program, 0, OPERATION_SEND, i)->flags, flags[i]);
    /* Both functions compute, outside of MPI. */
    assert_int_equal(operation_of(program, 0, OPERATION_COMPUTE, 0)->compute.duration_ps, 10000);
    assert_int_equal(operation_of(program, 0, OPERATION_COMPUTE, 1)->compute.duration_ps, 40000);
    bool found = false;
    for (uint32_t i = 0; i < program->region_count; i++)
        found |= strcmp(program_text(program, program->regions[i].name), "MPI_Ssend") == 0;
    assert_true(found);
    assert_int_equal(archive_noted(program, "MPI_Barrier"), 1);
    program_free(program);
}

/* TAU closes its files inside MPI_Finalize, and miscounts the events of threads. */
static void finalize_may_stay_open(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_two();
    maker_creator(maker, "TAU");
    maker_announce_none(maker);
    archive_send(maker, 0, "MPI_Send()", 1, MAKER_WORLD, 0);
    archive_receive(maker, 1, "MPI_Recv()", 0, MAKER_WORLD, 100, 0);
    maker_enter(maker, maker_events(maker, 0, 0), 5, "main");
    maker_enter(maker, maker_events(maker, 0, 0), 7, "MPI_Finalize()");
    struct program *program = finish(maker);
    assert_int_equal(messages(program), 1);
    assert_int_equal(program->unmatched_sends, 0);
    program_free(program);
}

/* ---- ranks and communicators ---- */

static void define_dumpi(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    uint64_t members[8];
    for (uint32_t r = 0; r < ranks; r++)
        members[r] = r;
    OTF2_GlobalDefWriter_WriteString(definitions, MAKER_STRING, "LOCATIONS_GROUP");
    OTF2_GlobalDefWriter_WriteString(definitions, MAKER_STRING + 1, "MPI_COMM_SELF");
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, MAKER_STRING, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 2, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1, members);
    OTF2_GlobalDefWriter_WriteComm(definitions, MAKER_WORLD, 0, 1, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(definitions, MAKER_SELF, MAKER_STRING + 1, 2,
                                   OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

/* All ranks in one location group, MPI_COMM_SELF with the group of rank 0, sizes as they are
 * passed to calls. */
static void archives_of_dumpi_are_read(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(4, 1, 1000000000, 0, true);
    maker_one_process(maker);
    maker_define(maker, define_dumpi);
    for (uint32_t r = 0; r < 4; r++) {
        OTF2_EvtWriter *events = maker_events(maker, r, 0);
        maker_enter(maker, events, 0, "MPI_Allreduce");
        OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, 1, OTF2_COLLECTIVE_OP_ALLREDUCE, MAKER_WORLD,
                                        OTF2_COLLECTIVE_ROOT_NONE, 4096, 4096);
        maker_leave(maker, events, 2, "MPI_Allreduce");
        maker_enter(maker, events, 3, "MPI_Bcast");
        OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, 3, OTF2_COLLECTIVE_OP_BCAST, MAKER_WORLD, 2,
                                        r == 2 ? 64 : 0, r == 2 ? 0 : 64);
        maker_leave(maker, events, 4, "MPI_Bcast");
        archive_send(maker, r, "MPI_Bsend", 0, MAKER_SELF, 5);
        archive_receive(maker, r, "MPI_Recv", 0, MAKER_SELF, 4096, 6);
    }
    struct program *program = finish(maker);
    assert_string_equal(program_text(program, program->creator), "dumpi2otf2");
    for (uint32_t r = 0; r < 4; r++) {
        static const uint64_t bytes[] = {4096, 64};
        for (uint32_t i = 0; i < 2; i++) {
            const struct program_operation *call =
                operation_of(program, r, OPERATION_COLLECTIVE, i);
            assert_int_equal(program->collective_arguments[call->collective.arguments].send_bytes,
                             bytes[i]);
        }
        assert_int_equal(operation_of(program, r, OPERATION_SEND, 0)->message.peer, r);
    }
    assert_int_equal(program->unmatched_sends, 0);
    assert_int_equal(archive_noted(program, "receives longer than their sends"), 4);
    program_free(program);
}

/* Sizes that Score-P cannot have recorded are the arguments. */
static void sizes_of_unknown_tools_are_arguments(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(4, 1, 1000000000, 0, true);
    for (uint32_t r = 0; r < 4; r++) {
        OTF2_EvtWriter *events = maker_events(maker, r, 0);
        maker_enter(maker, events, 0, "MPI_Allreduce");
        OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, 1, OTF2_COLLECTIVE_OP_ALLREDUCE, MAKER_WORLD,
                                        OTF2_COLLECTIVE_ROOT_NONE, 10, 10);
        maker_leave(maker, events, 2, "MPI_Allreduce");
    }
    struct program *program = finish(maker);
    assert_int_equal(program->collective_arguments[0].send_bytes, 10);
    program_free(program);
}

static void define_locations(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    static const uint64_t members[] = {2, 0, 1};
    assert_int_equal(ranks, 3);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, members + 1);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 2, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 3, members);
    for (uint32_t c = 1; c <= 2; c++)
        OTF2_GlobalDefWriter_WriteComm(definitions, c, 0, c, OTF2_UNDEFINED_COMM,
                                       OTF2_COMM_FLAG_NONE);
}

/* Ravel gives each communicator a COMM_LOCATIONS group: the largest has the ranks. */
static void the_largest_group_of_locations_is_the_world(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(3, 1, 1000000000, 0, true);
    maker_define(maker, define_locations);
    archive_send(maker, 2, "MPI_Send", 1, 2, 0); /* location 2 is rank 0, location 0 is rank 1 */
    archive_receive(maker, 0, "MPI_Recv", 0, 2, 100, 0);
    archive_send(maker, 1, "MPI_Send", 0, 1, 0); /* of locations 0 and 1 */
    archive_receive(maker, 0, "MPI_Recv", 1, 1, 100, 5);
    struct program *program = finish(maker);
    assert_int_equal(program->rank_count, 3);
    assert_int_equal(messages(program), 2);
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    assert_int_equal(operation_of(program, 0, OPERATION_SEND, 0)->message.peer, 1);
    assert_int_equal(operation_of(program, 2, OPERATION_SEND, 0)->message.peer, 1);
    program_free(program);
}

static void define_reordered(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    static const uint64_t members[][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};
    assert_int_equal(ranks, 3);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 3, members[0]);
    for (uint32_t c = 1; c <= 2; c++) {
        OTF2_GlobalDefWriter_WriteGroup(definitions, c, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                        OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 3, members[c]);
        OTF2_GlobalDefWriter_WriteComm(definitions, c, 0, c, c == 1 ? 2 : OTF2_UNDEFINED_COMM,
                                       OTF2_COMM_FLAG_NONE);
    }
}

/* Without names the world is the communicator without a parent: its rank 0 is location 1. */
static void the_world_needs_no_name(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(3, 1, 1000000000, 0, true);
    maker_define(maker, define_reordered);
    archive_send(maker, 1, "MPI_Bsend", 1, 2, 0);
    archive_receive(maker, 2, "MPI_Recv", 0, 2, 100, 0);
    struct program *program = finish(maker);
    assert_int_equal(operation_of(program, 0, OPERATION_SEND, 0)->message.peer, 1);
    assert_int_equal(program->unmatched_sends, 0);
    program_free(program);
}

static void define_global(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    static const uint64_t members[] = {0, 1, 2}, some[] = {2, 1};
    assert_int_equal(ranks, 3);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 3, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_GLOBAL_MEMBERS, 2, some);
    OTF2_GlobalDefWriter_WriteComm(definitions, MAKER_WORLD, 0, 1, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteRmaWin(definitions, 0, 0, MAKER_WORLD, OTF2_RMA_WIN_FLAG_NONE);
}

/* Of groups with GLOBAL_MEMBERS records name ranks, and not numbers in the group. */
static void ranks_are_global(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(3, 1, 1000000000, 0, true);
    maker_define(maker, define_global);
    archive_send(maker, 2, "MPI_Send", 1, MAKER_WORLD, 0);
    archive_receive(maker, 1, "MPI_Recv", 2, MAKER_WORLD, 100, 0);
    for (uint32_t r = 1; r <= 2; r++) {
        OTF2_EvtWriter *events = maker_events(maker, r, 0);
        maker_enter(maker, events, 5, "MPI_Bcast");
        OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, 6, OTF2_COLLECTIVE_OP_BCAST, MAKER_WORLD, 2,
                                        8, 8);
        maker_leave(maker, events, 7, "MPI_Bcast");
        maker_enter(maker, events, 8, "MPI_Put");
        OTF2_EvtWriter_RmaPut(events, NULL, 8, 0, 2, 8, 1);
        maker_leave(maker, events, 9, "MPI_Put");
    }
    struct program *program = finish(maker);
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    assert_int_equal(operation_of(program, 2, OPERATION_SEND, 0)->message.peer, 1);
    assert_int_equal(operation_of(program, 1, OPERATION_SEND, 0)->message.peer, 2);
    assert_int_equal(program->collective_arguments[0].root, 0);
    program_free(program);
}

/* ---- requests ---- */

/* Score-P records neither MPI_Barrier_init nor what MPI_Start does with its request. Where another
 * tool does, nothing is missing. */
static void persistent_collectives_are_counted_where_missing(void **state) {
    (void)state;
    for (int recorded = 0; recorded < 2; recorded++) {
        struct archive_maker *maker = archive_of_two();
        for (uint32_t r = 0; r < 2; r++) {
            OTF2_EvtWriter *events = maker_events(maker, r, 0);
            maker_call(maker, events, 0, 1, "MPI_Barrier_init");
            for (uint64_t t = 10; t < 30; t += 10) {
                maker_enter(maker, events, t, "MPI_Start");
                if (recorded) OTF2_EvtWriter_NonBlockingCollectiveRequest(events, NULL, t, 1);
                maker_leave(maker, events, t + 1, "MPI_Start");
                maker_enter(maker, events, t + 2, "MPI_Wait");
                if (recorded)
                    OTF2_EvtWriter_NonBlockingCollectiveComplete(
                        events, NULL, t + 3, OTF2_COLLECTIVE_OP_BARRIER, MAKER_WORLD,
                        OTF2_COLLECTIVE_ROOT_NONE, 0, 0, 1);
                maker_leave(maker, events, t + 3, "MPI_Wait");
            }
        }
        struct program *program = finish(maker);
        assert_int_equal(archive_noted(program, "MPI_Barrier_init"), recorded ? 0 : 2);
        struct program_totals totals;
        program_totals_compute(program, &totals);
        assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_BARRIER][1], recorded ? 4 : 0);
        program_free(program);
    }
}

/* Where the ids of requests are handles, that of a freed one comes again. */
static void freed_requests_come_again(void **state) {
    (void)state;
    for (int freed = 0; freed < 2; freed++) {
        struct archive_maker *maker = archive_of_two();
        OTF2_EvtWriter *sender = maker_events(maker, 0, 0), *receiver = maker_events(maker, 1, 0);
        for (uint64_t t = 0; t < 30; t += 10) {
            maker_enter(maker, sender, t, "MPI_Isend");
            OTF2_EvtWriter_MpiIsend(sender, NULL, t, 1, MAKER_WORLD, 0, 8, 7);
            maker_leave(maker, sender, t + 1, "MPI_Isend");
            maker_enter(maker, receiver, t, "MPI_Irecv");
            OTF2_EvtWriter_MpiIrecvRequest(receiver, NULL, t, 7);
            maker_leave(maker, receiver, t + 1, "MPI_Irecv");
            if (t == 20) break;
            const char *call = freed ? "MPI_Request_free" : "MPI_Comm_free";
            maker_call(maker, sender, t + 2, t + 3, call);
            maker_call(maker, receiver, t + 2, t + 3, call);
        }
        maker_enter(maker, sender, 40, "MPI_Wait");
        OTF2_EvtWriter_MpiIsendComplete(sender, NULL, 41, 7);
        maker_leave(maker, sender, 42, "MPI_Wait");
        maker_enter(maker, receiver, 40, "MPI_Wait");
        OTF2_EvtWriter_MpiIrecv(receiver, NULL, 41, 0, MAKER_WORLD, 0, 8, 7);
        maker_leave(maker, receiver, 42, "MPI_Wait");
        if (!freed) {
            archive_refuse(maker, "request 7 is posted again before it has completed");
            continue;
        }
        struct program *program = finish(maker);
        assert_int_equal(messages(program), 3);
        assert_int_equal(archive_noted(program, "MPI_Irecv never completed"), 2);
        assert_int_equal(program->unmatched_sends, 2);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(
                (operation_of(program, 0, OPERATION_SEND, i)->flags & OPERATION_FLAG_DETACHED) != 0,
                i < 2);
        program_free(program);
    }
}

/* Numbers of ones alone are written as a single byte: -1 as a request, an undefined region. */
static void ids_of_ones_alone_are_read(void **state) {
    (void)state;
    for (int has_region = 0; has_region < 2; has_region++) {
        struct archive_maker *maker = archive_of_two();
        OTF2_EvtWriter *sender = maker_events(maker, 0, 0), *receiver = maker_events(maker, 1, 0);
        if (has_region) OTF2_EvtWriter_Enter(sender, NULL, 0, OTF2_UNDEFINED_REGION);
        maker_enter(maker, sender, 0, "MPI_Isend");
        OTF2_EvtWriter_MpiIsend(sender, NULL, 0, 1, MAKER_WORLD, 0, 8, UINT64_MAX);
        maker_leave(maker, sender, 1, "MPI_Isend");
        maker_enter(maker, sender, 2, "MPI_Wait");
        OTF2_EvtWriter_MpiIsendComplete(sender, NULL, 3, UINT64_MAX);
        maker_leave(maker, sender, 4, "MPI_Wait");
        maker_enter(maker, receiver, 0, "MPI_Irecv");
        OTF2_EvtWriter_MpiIrecvRequest(receiver, NULL, 0, UINT64_MAX);
        maker_leave(maker, receiver, 1, "MPI_Irecv");
        maker_enter(maker, receiver, 2, "MPI_Wait");
        OTF2_EvtWriter_MpiIrecv(receiver, NULL, 3, 0, MAKER_WORLD, 0, 8, UINT64_MAX);
        maker_leave(maker, receiver, 4, "MPI_Wait");
        if (has_region) {
            archive_refuse(maker, "event 0: region 4294967295 is not defined");
            continue;
        }
        struct program *program = finish(maker);
        assert_int_equal(messages(program), 1);
        assert_int_equal(program->unmatched_sends, 0);
        assert_int_equal(operation_of(program, 0, OPERATION_WAIT, 0)->wait.count, 1);
        assert_int_equal(operation_of(program, 1, OPERATION_WAIT, 0)->wait.count, 1);
        program_free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_have_other_names),
        cmocka_unit_test(finalize_may_stay_open),
        cmocka_unit_test(archives_of_dumpi_are_read),
        cmocka_unit_test(sizes_of_unknown_tools_are_arguments),
        cmocka_unit_test(the_largest_group_of_locations_is_the_world),
        cmocka_unit_test(the_world_needs_no_name),
        cmocka_unit_test(ranks_are_global),
        cmocka_unit_test(persistent_collectives_are_counted_where_missing),
        cmocka_unit_test(freed_requests_come_again),
        cmocka_unit_test(ids_of_ones_alone_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
