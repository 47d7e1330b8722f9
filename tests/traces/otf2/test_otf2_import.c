/* What the importer makes of events: archives written here, and real ones that hold the case. */
#include "tests/support/traces/archive_world.h"
#include "traces/program/edit/program_regions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define REAL(name) ANAX_SOURCE_DIR "/tests/data/otf2/" name "/traces.otf2"

static struct program *open_trace(const char *path, bool user_regions) {
    struct traces_config config = {.polling_gap_ps = INT64_C(100000000),
                                   .user_regions = user_regions};
    return archive_read(path, &config);
}

static struct program *finish(struct archive_maker *maker, bool user_regions) {
    struct program *program = open_trace(maker_finish(maker), user_regions);
    maker_free(maker);
    return program;
}

/* A rank's operations as a text: one letter each, computations as their picoseconds. */
static const char *shape(const struct program *program, uint32_t rank) {
    static char text[8192];
    size_t length = 0;
    const struct program_rank *rank_entry = &program->ranks[rank];
    text[0] = '\0';
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        const struct program_operation *operation = &program->operations[i];
        if (operation->kind == OPERATION_COMPUTE)
            length += (size_t)snprintf(text + length, sizeof text - length, " %lld ",
                                       (long long)operation->compute.duration_ps);
        else if (operation->kind == OPERATION_WAIT && operation->wait.count > 1)
            length +=
                (size_t)snprintf(text + length, sizeof text - length, "W%u", operation->wait.count);
        else
            length += (size_t)snprintf(text + length, sizeof text - length, "%c",
                                       "?()<>SRCW."[operation->kind]);
    }
    return text;
}

/* ---- clock and computation ---- */

/* 3 ticks per nanosecond, an offset that no double holds: times are exact. */
static void clocks_are_exact(void **state) {
    (void)state;
    uint64_t offset = UINT64_C(9007199254740993);
    struct archive_maker *maker = maker_new(1, 1, UINT64_C(3000000000), offset, true);
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    maker_enter(maker, events, offset + 7, "main");
    maker_enter(maker, events, offset + 10, "MPI_Barrier");
    OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, offset + 10);
    OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, offset + 20, OTF2_COLLECTIVE_OP_BARRIER,
                                    MAKER_WORLD, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    maker_leave(maker, events, offset + 21, "MPI_Barrier");
    maker_leave(maker, events, offset + 28, "main");
    struct program *program = finish(maker, false);
    assert_string_equal(shape(program, 0), " 1000 (C) 2333 .");
    assert_int_equal(program->operations[1].mark.trace_ps, 3333);
    assert_int_equal(program->operations[3].mark.trace_ps, 7000);
    assert_int_equal(program->span_ps, 7000);
    assert_int_equal(program->event_count, 6);
    program_free(program);
}

/* Calls without effect vanish with the time in them; what is around them is one computation. But
 * the first and the last one stay. The time after MPI_Finalize is the tracer's. */
static void calls_without_effect_vanish(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_one();
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    maker_enter(maker, events, 0, "main");
    maker_call(maker, events, 10, 20, "MPI_Comm_rank");
    maker_call(maker, events, 25, 45, "MPI_Comm_size");
    maker_call(maker, events, 50, 60, "MPI_Finalize");
    maker_leave(maker, events, 1000, "main");
    struct program *program = finish(maker, false);
    assert_string_equal(shape(program, 0), " 20000 ().");
    program_free(program);
}

/* ---- user regions ---- */

static void user_regions_are_kept_if_wanted(void **state) {
    (void)state;
    for (int keep = 0; keep < 2; keep++) {
        struct archive_maker *maker = archive_of_one();
        OTF2_EvtWriter *events = maker_events(maker, 0, 0);
        maker_enter(maker, events, 0, "main");
        maker_enter(maker, events, 1, "phase"); /* never left, as phase markers are */
        maker_enter(maker, events, 2, "MPI_Barrier");
        OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, 3, OTF2_COLLECTIVE_OP_BARRIER, MAKER_WORLD,
                                        OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
        maker_leave(maker, events, 3, "MPI_Barrier");
        maker_leave(maker, events, 5, "main");
        maker_leave(maker, events, 6, "never entered");
        struct program *program = finish(maker, keep);
        assert_string_equal(shape(program, 0),
                            keep ? "< 1000 < 1000 (C) 2000 >> 1000 ." : " 2000 (C) 3000 .");
        assert_int_equal(archive_noted(program, "regions entered and left out of order"), 2);
        program_free(program);
    }
}

/* A clock whose ticks are no whole picoseconds: computation does not depend on whether the marks of
 * user regions divide it. A program file with regions opens as the archive without them. */
static void regions_change_nothing(void **state) {
    (void)state;
    struct program *programs[2];
    for (int keep = 0; keep < 2; keep++) {
        struct archive_maker *maker = maker_new(1, 1, UINT64_C(3000000000), 0, true);
        OTF2_EvtWriter *events = maker_events(maker, 0, 0);
        maker_enter(maker, events, 0, "main");
        for (uint64_t i = 0; i < 5; i++) {
            maker_enter(maker, events, 100 * i + 1, "phase");
            maker_leave(maker, events, 100 * i + 2, "phase");
            maker_enter(maker, events, 100 * i + 3, "MPI_Barrier");
            OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, 100 * i + 5, OTF2_COLLECTIVE_OP_BARRIER,
                                            MAKER_WORLD, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
            maker_leave(maker, events, 100 * i + 5, "MPI_Barrier");
        }
        maker_leave(maker, events, 500, "main");
        programs[keep] = finish(maker, keep);
    }
    assert_true(program_has_user_regions(programs[1]));
    assert_false(program_has_user_regions(programs[0]));
    assert_string_equal(shape(programs[0], 0), " 1000 (C) 32666 (C) 32666 (C) 32666 (C) 32666 (C) "
                                               "31666 .");
    assert_int_equal(programs[1]->content_hash, programs[0]->content_hash);
    assert_int_equal(program_remove_user_regions(programs[1], NULL), STATUS_OK);
    assert_int_equal(program_check_file(programs[1], NULL), STATUS_OK);
    assert_int_equal(programs[1]->region_count, programs[0]->region_count);
    assert_int_equal(programs[1]->operation_count, programs[0]->operation_count);
    assert_int_equal(programs[1]->ranks[0].mark_count, programs[0]->ranks[0].mark_count);
    char first[512];
    snprintf(first, sizeof first, "%s", shape(programs[0], 0));
    assert_string_equal(shape(programs[1], 0), first);
    for (int keep = 0; keep < 2; keep++)
        program_free(programs[keep]);
}

/* ---- polling ---- */

static void poll_run(struct archive_maker *maker, OTF2_EvtWriter *events, uint64_t gap_ns,
                     bool succeeds) {
    uint64_t now = 0;
    maker_enter(maker, events, now, "MPI_Irecv");
    OTF2_EvtWriter_MpiIrecvRequest(events, NULL, now, 1);
    maker_leave(maker, events, now, "MPI_Irecv");
    now += 500;
    for (int i = 0; i < 3; i++) {
        maker_call(maker, events, now, now + 10, "MPI_Test");
        now += 10 + gap_ns;
    }
    const char *last = succeeds ? "MPI_Test" : "MPI_Wait";
    maker_enter(maker, events, now, last);
    OTF2_EvtWriter_MpiIrecv(events, NULL, now + 5, 0, MAKER_SELF, 7, 100, 1);
    maker_leave(maker, events, now + 10, last);
}

/* Only the gaps between failed tests and the one that succeeds are waiting; longer ones and those
 * of a run that ends in a wait are computation. */
static void gaps_between_tests_are_waiting(void **state) {
    (void)state;
    static const struct {
        uint64_t gap_ns;
        bool succeeds;
        const char *shape;
    } cases[] = {{50, true, "(R) 500000 (W)."},
                 {50, false, "(R) 650000 (W)."},
                 {200000, true, "(R) 600500000 (W)."}};
    for (size_t i = 0; i < 3; i++) {
        struct archive_maker *maker = archive_of_one();
        poll_run(maker, maker_events(maker, 0, 0), cases[i].gap_ns, cases[i].succeeds);
        struct program *program = finish(maker, false);
        assert_string_equal(shape(program, 0), cases[i].shape);
        assert_int_equal(program->unmatched_receives, 1);
        program_free(program);
    }
}

/* A probe that succeeds shows only by the receive after it. */
static void probes_show_by_their_receive(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_one();
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    for (uint64_t now = 0; now < 300; now += 100)
        maker_call(maker, events, now, now + 10, "MPI_Iprobe");
    maker_enter(maker, events, 230, "MPI_Recv");
    OTF2_EvtWriter_MpiRecv(events, NULL, 240, 0, MAKER_SELF, 0, 8);
    maker_leave(maker, events, 240, "MPI_Recv");
    struct program *program = finish(maker, false);
    assert_string_equal(shape(program, 0), " 20000 (RW).");
    program_free(program);
}

/* ---- recording off, flushes ---- */

static void time_without_recording_is_no_computation(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_one();
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    maker_enter(maker, events, 0, "main");
    maker_enter(maker, events, 10, "MPI_Barrier");
    OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, 12, OTF2_COLLECTIVE_OP_BARRIER, MAKER_WORLD,
                                    OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    OTF2_EvtWriter_MeasurementOnOff(events, NULL, 20, OTF2_MEASUREMENT_OFF);
    OTF2_EvtWriter_MeasurementOnOff(events, NULL, 1000, OTF2_MEASUREMENT_ON);
    maker_leave(maker, events, 1005, "MPI_Barrier");
    OTF2_EvtWriter_BufferFlush(events, NULL, 1010, 5000);
    maker_leave(maker, events, 5007, "main");
    struct program *program = finish(maker, false);
    assert_string_equal(shape(program, 0), " 10000 (C) 17000 .");
    assert_int_equal(archive_noted(program, "recording switched off"), 1);
    assert_int_equal(archive_noted(program, "trace buffer flushed"), 1);
    program_free(program);
}

/* ---- requests ---- */

/* Sends and receives of one Sendrecv are posted together; modes come from the call's name. */
static void messages_have_the_modes_of_their_calls(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(2, 1, 1000000000, 0, true);
    static const char *const calls[] = {"MPI_Send", "MPI_Ssend", "MPI_Rsend", "MPI_Bsend",
                                        "MPI_Ssend_c"};
    for (uint32_t rank = 0; rank < 2; rank++) {
        OTF2_EvtWriter *events = maker_events(maker, rank, 0);
        maker_enter(maker, events, 0, "MPI_Sendrecv");
        OTF2_EvtWriter_MpiSend(events, NULL, 0, 1 - rank, MAKER_WORLD, 5, 1000);
        OTF2_EvtWriter_MpiRecv(events, NULL, 9, 1 - rank, MAKER_WORLD, 5, 1000);
        maker_leave(maker, events, 9, "MPI_Sendrecv");
        for (size_t i = 0; i < 5; i++) {
            maker_enter(maker, events, 9, rank == 0 ? calls[i] : "MPI_Recv");
            if (rank == 0)
                OTF2_EvtWriter_MpiSend(events, NULL, 9, 1, MAKER_WORLD, 6, i);
            else
                OTF2_EvtWriter_MpiRecv(events, NULL, 9, 0, MAKER_WORLD, 6, i);
            maker_leave(maker, events, 9, rank == 0 ? calls[i] : "MPI_Recv");
        }
    }
    struct program *program = finish(maker, false);
    assert_string_equal(shape(program, 0), "(SRW2)(SW)(SW)(SW)(SW)(SW).");
    assert_string_equal(shape(program, 1), "(SRW2)(RW)(RW)(RW)(RW)(RW).");
    static const unsigned flags[] = {0, OPERATION_FLAG_SEND_SYNCHRONOUS, OPERATION_FLAG_SEND_READY,
                                     OPERATION_FLAG_SEND_BUFFERED, OPERATION_FLAG_SEND_SYNCHRONOUS};
    for (size_t i = 0; i < 5; i++) {
        const struct program_operation *send = &program->operations[6 + 4 * i];
        assert_int_equal(send->kind, OPERATION_SEND);
        assert_int_equal(send->flags, flags[i]);
        assert_int_equal(send->bytes, i);
    }
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    program_free(program);
}

/* A cancelled receive vanishes; so does one that never completes, with a note; a freed send stays,
 * waited for by nobody. */
static void lost_requests_vanish_with_a_note(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_one();
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    for (uint64_t request = 1; request <= 2; request++) {
        maker_enter(maker, events, 0, "MPI_Irecv");
        OTF2_EvtWriter_MpiIrecvRequest(events, NULL, 0, request);
        maker_leave(maker, events, 0, "MPI_Irecv");
    }
    maker_enter(maker, events, 0, "MPI_Wait");
    OTF2_EvtWriter_MpiRequestCancelled(events, NULL, 0, 1);
    maker_leave(maker, events, 0, "MPI_Wait");
    maker_enter(maker, events, 0, "MPI_Isend");
    OTF2_EvtWriter_MpiIsend(events, NULL, 0, 0, MAKER_SELF, 3, 64, 9);
    maker_leave(maker, events, 0, "MPI_Isend");
    struct program *program = finish(maker, false);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(totals.messages, 1);
    assert_int_equal(program->ranks[0].receive_count, 0);
    assert_int_equal(program->unmatched_sends, 1);
    assert_int_equal(archive_noted(program, "MPI_Irecv never completed"), 1);
    for (uint64_t i = 0; i < program->operation_count; i++)
        if (program->operations[i].kind == OPERATION_SEND)
            assert_int_equal(program->operations[i].flags, OPERATION_FLAG_DETACHED);
    program_free(program);
}

/* Receives are matched in the order they were posted, not completed. */
static void receives_are_matched_as_posted(void **state) {
    (void)state;
    struct archive_maker *maker = archive_of_one();
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    maker_enter(maker, events, 0, "MPI_Startall");
    OTF2_EvtWriter_MpiIrecvRequest(events, NULL, 0, 1);
    OTF2_EvtWriter_MpiIrecvRequest(events, NULL, 0, 2);
    OTF2_EvtWriter_MpiIsend(events, NULL, 0, 0, MAKER_SELF, 3, 10, 3);
    OTF2_EvtWriter_MpiIsend(events, NULL, 0, 0, MAKER_SELF, 3, 20, 4);
    maker_leave(maker, events, 0, "MPI_Startall");
    maker_enter(maker, events, 0, "MPI_Waitall");
    OTF2_EvtWriter_MpiIrecv(events, NULL, 0, 0, MAKER_SELF, 3, 20, 2);
    OTF2_EvtWriter_MpiIrecv(events, NULL, 0, 0, MAKER_SELF, 3, 10, 1);
    OTF2_EvtWriter_MpiIsendComplete(events, NULL, 0, 3);
    OTF2_EvtWriter_MpiIsendComplete(events, NULL, 0, 4);
    maker_leave(maker, events, 0, "MPI_Waitall");
    struct program *program = finish(maker, false);
    assert_string_equal(shape(program, 0), "(RRSS)(W4).");
    const struct program_operation *operations = program->operations;
    assert_int_equal(operations[1].bytes, 10);
    assert_int_equal(operations[2].bytes, 20);
    assert_int_equal(operations[3].message.match, 0);
    assert_int_equal(operations[4].message.match, 1);
    program_free(program);
}

/* Without request records receives still stand where MPI_Irecv was called. */
static void receives_without_request_records_keep_their_place(void **state) {
    (void)state;
    struct program *program = open_trace(REAL("sp_halo2d-noxnb_8"), false);
    char calls[8192] = "";
    size_t length = 0;
    for (const char *at = shape(program, 0); *at != '\0'; at++)
        if (strchr("()SRCW", *at) != NULL) calls[length++] = *at;
    assert_int_equal(strncmp(calls, "(C)(R)(R)(S)(S)(R)(R)(S)(S)(W)(C)", 33), 0);
    assert_int_equal(archive_noted(program, "MPI_Isend without request"), 160);
    program_free(program);
}

/* ---- threads ---- */

/* Another thread's blocking receive is posted when it is called and waited for when it returns,
 * while the master computes and sends. */
static void receives_of_other_threads_are_posted_when_called(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(2, 2, 1000000000, 0, true);
    OTF2_EvtWriter *master = maker_events(maker, 0, 0), *other = maker_events(maker, 0, 1);
    maker_enter(maker, master, 0, "main");
    maker_enter(maker, master, 100, "MPI_Send");
    OTF2_EvtWriter_MpiSend(master, NULL, 100, 1, MAKER_WORLD, 1, 8);
    maker_leave(maker, master, 200, "MPI_Send");
    maker_leave(maker, master, 1000, "main");
    maker_enter(maker, other, 50, "MPI_Recv");
    OTF2_EvtWriter_MpiRecv(other, NULL, 400, 1, MAKER_WORLD, 2, 8);
    maker_leave(maker, other, 400, "MPI_Recv");
    OTF2_EvtWriter *peer = maker_events(maker, 1, 0);
    maker_events(maker, 1, 1); /* a thread without events */
    maker_enter(maker, peer, 0, "MPI_Recv");
    OTF2_EvtWriter_MpiRecv(peer, NULL, 150, 0, MAKER_WORLD, 1, 8);
    maker_leave(maker, peer, 150, "MPI_Recv");
    maker_enter(maker, peer, 160, "MPI_Send");
    OTF2_EvtWriter_MpiSend(peer, NULL, 160, 0, MAKER_WORLD, 2, 8);
    maker_leave(maker, peer, 170, "MPI_Send");
    struct program *program = finish(maker, false);
    assert_string_equal(shape(program, 0), " 50000 (R) 50000 (SW) 200000 (W) 600000 .");
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    assert_int_equal(program->location_count, 4);
    assert_int_equal(program->note_count, 1); /* one call of the other thread */
    assert_string_equal(program_text(program, program->notes[0].what),
                        "MPI calls of several threads of a process");
    assert_int_equal(program->notes[0].count, 1);
    assert_true(program->notes[0].is_assumed);
    program_free(program);
}

/* ---- intercommunicators ---- */

static void intercommunicators_have_roots_and_groups(void **state) {
    (void)state;
    struct program *program = open_trace(REAL("sp_inter_8"), false);
    unsigned roots = 0, remote = 0, bystanders = 0;
    for (uint64_t i = 0; i < program->operation_count; i++) {
        const struct program_operation *operation = &program->operations[i];
        if (operation->kind != OPERATION_COLLECTIVE) continue;
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[operation->collective.arguments];
        if (arguments->kind != PROGRAM_COLLECTIVE_BCAST) continue;
        if (operation->flags & OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE)
            remote += arguments->root == 0 && arguments->receive_bytes == 4096;
        else if (arguments->root == PROGRAM_NONE)
            bystanders++;
        else
            roots += arguments->own_member == arguments->root && arguments->send_bytes == 4096;
    }
    assert_int_equal(roots, 5);
    assert_int_equal(bystanders, 15);
    assert_int_equal(remote, 20);
    program_free(program);
}

/* Starts one persistent request of rank 0 and waits for it. */
static void start(struct archive_maker *maker, uint64_t ticks, uint64_t request) {
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    maker_enter(maker, events, ticks, "MPI_Start");
    OTF2_EvtWriter_MpiIsend(events, NULL, ticks, 1, MAKER_WORLD, 0, 8, request);
    maker_leave(maker, events, ticks + 1, "MPI_Start");
    maker_enter(maker, events, ticks + 2, "MPI_Wait");
    OTF2_EvtWriter_MpiIsendComplete(events, NULL, ticks + 2, request);
    maker_leave(maker, events, ticks + 3, "MPI_Wait");
}

/* The modes of rank 0's sends, one digit each. */
static const char *modes(const struct program *program) {
    static char text[32];
    size_t length = 0;
    for (uint64_t i = 0; i < program->ranks[0].count; i++)
        if (program->operations[i].kind == OPERATION_SEND)
            text[length++] = (char)('0' + (program->operations[i].flags & 7));
    text[length] = '\0';
    return text;
}

/* MPI_*_init calls, which may be for MPI_PROC_NULL and take no id then, and what is started. */
static void persistent_sends_have_the_modes_of_their_calls(void **state) {
    (void)state;
    static const struct {
        const char *made[4];
        uint64_t started[4];
        const char *modes;
        uint64_t unknown;
    } cases[] = {
        {{"MPI_Send_init", "MPI_Bsend_init", "MPI_Rsend_init", "MPI_Ssend_init"},
         {4, 1, 2, 3},
         "1042",
         0},
        /* only the second start shows that there are two */
        {{"MPI_Ssend_init", "MPI_Send_init"}, {1, 2, 1}, "001", 1},
        /* one of them is for MPI_PROC_NULL, but which? */
        {{"MPI_Send_init", "MPI_Ssend_init", "MPI_Bsend_init"}, {2, 1}, "00", 2},
        /* nothing but synchronous sends: ids do not matter */
        {{"MPI_Ssend_init", "MPI_Recv_init", "MPI_Ssend_init"}, {1, 2}, "11", 0},
        /* known from the id of what comes next */
        {{"MPI_Ssend_init", "MPI_Send_init", "MPI_Isend"}, {1, 2}, "010", 0},
        {{"MPI_Isend", "MPI_Rsend_init", "MPI_Send_init"}, {3, 2}, "002", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct archive_maker *maker = maker_new(2, 1, 1000000000, 0, true);
        maker_call(maker, maker_events(maker, 1, 0), 1, 2, "MPI_Init");
        OTF2_EvtWriter *events = maker_events(maker, 0, 0);
        uint64_t ticks = 0;
        for (size_t k = 0; k < 4 && cases[i].made[k] != NULL; k++, ticks += 10) {
            maker_enter(maker, events, ticks, cases[i].made[k]);
            if (strcmp(cases[i].made[k], "MPI_Isend") == 0)
                OTF2_EvtWriter_MpiIsend(events, NULL, ticks, 1, MAKER_WORLD, 0, 8, k + 1);
            maker_leave(maker, events, ticks + 1, cases[i].made[k]);
        }
        for (size_t k = 0; k < 4 && cases[i].started[k] > 0; k++, ticks += 10)
            start(maker, ticks, cases[i].started[k]);
        struct program *program = finish(maker, false);
        assert_string_equal(modes(program), cases[i].modes);
        assert_int_equal(archive_noted(program, "persistent sends of unknown mode"),
                         cases[i].unknown);
        program_free(program);
    }
}

static void recorded_persistent_sends_have_their_modes(void **state) {
    (void)state;
    struct program *program = open_trace(REAL("sp_persist_8"), false);
    assert_string_equal(modes(program), "0101010101");
    assert_int_equal(archive_noted(program, "persistent sends of unknown mode"), 0);
    assert_int_equal(archive_noted(program, "MPI_Ssend_init"), 0);
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_are_exact),
        cmocka_unit_test(calls_without_effect_vanish),
        cmocka_unit_test(user_regions_are_kept_if_wanted),
        cmocka_unit_test(regions_change_nothing),
        cmocka_unit_test(gaps_between_tests_are_waiting),
        cmocka_unit_test(probes_show_by_their_receive),
        cmocka_unit_test(time_without_recording_is_no_computation),
        cmocka_unit_test(messages_have_the_modes_of_their_calls),
        cmocka_unit_test(lost_requests_vanish_with_a_note),
        cmocka_unit_test(receives_are_matched_as_posted),
        cmocka_unit_test(receives_without_request_records_keep_their_place),
        cmocka_unit_test(receives_of_other_threads_are_posted_when_called),
        cmocka_unit_test(intercommunicators_have_roots_and_groups),
        cmocka_unit_test(persistent_sends_have_the_modes_of_their_calls),
        cmocka_unit_test(recorded_persistent_sends_have_their_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
