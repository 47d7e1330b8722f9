/*
 * MPI_Mprobe, MPI_Improbe, MPI_Mrecv and MPI_Imrecv, which leave no record: what becomes of the
 * calls, and which message each of them received, told from what other records leave over.
 */
#include "tests/support/traces/archive_world.h"

#include <stdio.h>
#include <sys/stat.h>

static const struct traces_config config = {.polling_gap_ps = INT64_C(100000000)};

static const char inferred[] = "MPI_Mrecv without record";
static const char by_time[] = "MPI_Mrecv without record, of several messages";
static const char vanished[] = "MPI_Mrecv without record and message";

/* ---- archives ---- */

/* A rank's events, in ns. */
struct script {
    struct archive_maker *maker;
    OTF2_EvtWriter *events;
};

static struct script start(struct archive_maker *maker, uint32_t rank) {
    return (struct script){maker, maker_events(maker, rank, 0)};
}

static struct archive_maker *ranks(uint32_t count) {
    return maker_new(count, 1, 1000000000, 0, true);
}

static void call(const struct script *s, const char *name, uint64_t from, uint64_t to) {
    maker_call(s->maker, s->events, from, to, name);
}

static void send(const struct script *s, const char *name, uint64_t from, uint64_t to,
                 uint32_t peer, uint32_t tag, uint64_t bytes) {
    maker_enter(s->maker, s->events, from, name);
    OTF2_EvtWriter_MpiSend(s->events, NULL, from, peer, MAKER_WORLD, tag, bytes);
    maker_leave(s->maker, s->events, to, name);
}

static void receive(const struct script *s, const char *name, uint64_t from, uint64_t to,
                    uint32_t peer, uint32_t tag, uint64_t bytes) {
    maker_enter(s->maker, s->events, from, name);
    OTF2_EvtWriter_MpiRecv(s->events, NULL, to, peer, MAKER_WORLD, tag, bytes);
    maker_leave(s->maker, s->events, to, name);
}

/* MPI_Mprobe until `to`, and MPI_Mrecv right after it. */
static void matched(const struct script *s, uint64_t from, uint64_t to) {
    call(s, "MPI_Mprobe", from, to);
    call(s, "MPI_Mrecv", to + 1, to + 2);
}

static void isend(const struct script *s, const char *name, uint64_t at, uint32_t peer,
                  uint32_t tag, uint64_t bytes, uint64_t request) {
    maker_enter(s->maker, s->events, at, name);
    OTF2_EvtWriter_MpiIsend(s->events, NULL, at, peer, MAKER_WORLD, tag, bytes, request);
    maker_leave(s->maker, s->events, at + 1, name);
}

static void isend_done(const struct script *s, const char *name, uint64_t at, uint64_t request) {
    maker_enter(s->maker, s->events, at, name);
    OTF2_EvtWriter_MpiIsendComplete(s->events, NULL, at, request);
    maker_leave(s->maker, s->events, at + 1, name);
}

static void irecv(const struct script *s, uint64_t at, uint64_t request) {
    maker_enter(s->maker, s->events, at, "MPI_Irecv");
    OTF2_EvtWriter_MpiIrecvRequest(s->events, NULL, at, request);
    maker_leave(s->maker, s->events, at + 1, "MPI_Irecv");
}

static void irecv_done(const struct script *s, uint64_t at, uint32_t peer, uint32_t tag,
                       uint64_t bytes, uint64_t request) {
    maker_enter(s->maker, s->events, at, "MPI_Wait");
    OTF2_EvtWriter_MpiIrecv(s->events, NULL, at, peer, MAKER_WORLD, tag, bytes, request);
    maker_leave(s->maker, s->events, at + 1, "MPI_Wait");
}

/* ---- what came of them ---- */

/* A rank's receives in order, each as " PEER/TAG:BYTES", with ? behind those that were inferred. */
static void expect_receives(const struct program *program, uint32_t rank, const char *expected) {
    char text[600] = "";
    size_t length = 0;
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        const struct program_operation *operation = &program->operations[i];
        if (operation->kind != OPERATION_RECEIVE) continue;
        assert_int_not_equal(operation->message.match, PROGRAM_NONE);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%u/%d:%u%s",
                                   length > 0 ? " " : "", operation->message.peer,
                                   program->envelopes[operation->message.envelope].tag,
                                   (unsigned)operation->bytes,
                                   operation->flags & OPERATION_FLAG_RECEIVE_INFERRED ? "?" : "");
    }
    assert_string_equal(text, expected);
}

static void expect_counts(const struct program *program, uint64_t wanted_inferred,
                          uint64_t wanted_by_time, uint64_t wanted_vanished) {
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    assert_int_equal(archive_noted(program, inferred), wanted_inferred);
    assert_int_equal(archive_noted(program, by_time), wanted_by_time);
    assert_int_equal(archive_noted(program, vanished), wanted_vanished);
    assert_int_equal(program->note_count,
                     (wanted_inferred > 0) + (wanted_by_time > 0) + (wanted_vanished > 0));
    for (uint32_t i = 0; i < program->note_count; i++) {
        const char *what = program_text(program, program->notes[i].what);
        assert_int_equal(program->notes[i].is_assumed, strcmp(what, vanished) != 0);
    }
}

/* In which call a rank's k-th receive is. */
static const char *call_of_receive(const struct program *program, uint32_t rank, unsigned k) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint64_t i = 0; i < rank_entry->count; i++)
        if (program->operations[rank_entry->first + i].kind == OPERATION_RECEIVE && k-- == 0)
            return program_call_name(program, rank, i);
    return "";
}

/* ---- calls ---- */

/* A recorded receive stands between; without the unrecorded one it would take the first send. */
static void mprobe_is_the_receive(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(2);
    struct script s = start(maker, 0);
    send(&s, "MPI_Ssend", 0, 20, 1, 7, 100);
    receive(&s, "MPI_Recv", 21, 40, 1, 8, 8);
    send(&s, "MPI_Ssend", 41, 60, 1, 7, 200);
    s = start(maker, 1);
    matched(&s, 0, 10);
    send(&s, "MPI_Ssend", 20, 35, 0, 8, 8);
    receive(&s, "MPI_Recv", 36, 59, 0, 7, 200);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 1, "0/7:100? 0/7:200");
    assert_string_equal(call_of_receive(program, 1, 0), "MPI_Mprobe");
    expect_counts(program, 1, 0, 0);
    program_free(program);
}

/* Which MPI_Improbe found the message is not said: the receive is where it must have been there. */
static void imrecv_after_improbe_is_the_receive(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(2);
    struct script s = start(maker, 0);
    send(&s, "MPI_Send", 0, 1, 1, 7, 100);
    send(&s, "MPI_Send", 2, 3, 1, 7, 200);
    s = start(maker, 1);
    for (uint64_t at = 0; at < 50; at += 10)
        call(&s, "MPI_Improbe", at, at + 3);
    call(&s, "MPI_Imrecv", 50, 52);
    call(&s, "MPI_Improbe", 60, 61);
    call(&s, "MPI_Mrecv", 62, 63);
    call(&s, "MPI_Wait", 100, 101);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 1, "0/7:100? 0/7:200?");
    assert_string_equal(call_of_receive(program, 1, 0), "MPI_Imrecv");
    assert_string_equal(call_of_receive(program, 1, 1), "MPI_Mrecv");
    int64_t compute_ps = 0; /* the gaps between probes are waiting */
    for (uint64_t i = program->ranks[1].first; i < program->operation_count; i++)
        if (program->operations[i].kind == OPERATION_COMPUTE)
            compute_ps += program->operations[i].compute.duration_ps;
    assert_int_equal(compute_ps, (7 + 8 + 1 + 37) * 1000);
    expect_counts(program, 2, 0, 0);
    program_free(program);
}

/* Two probes, then both receives; and one of each kind. */
static void probes_and_receives_meet_in_pairs(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(2);
    struct script s = start(maker, 0);
    for (uint64_t i = 0; i < 3; i++)
        send(&s, "MPI_Send", 2 * i, 2 * i + 1, 1, 7, 100 + i);
    s = start(maker, 1);
    call(&s, "MPI_Mprobe", 10, 11);
    call(&s, "MPI_Mprobe", 12, 13);
    call(&s, "MPI_Mrecv", 14, 15);
    call(&s, "MPI_Improbe", 16, 17);
    call(&s, "MPI_Imrecv", 18, 19);
    call(&s, "MPI_Mrecv", 20, 21);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 1, "0/7:100? 0/7:101? 0/7:102?");
    assert_string_equal(call_of_receive(program, 1, 1), "MPI_Mprobe");
    assert_string_equal(call_of_receive(program, 1, 2), "MPI_Mrecv");
    expect_counts(program, 3, 0, 0);
    program_free(program);
}

/* Then there is nothing to infer, and the probe is no receive. */
static void recorded_mrecvs_need_no_inference(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(2);
    struct script s = start(maker, 0);
    for (uint64_t i = 0; i < 3; i++)
        send(&s, "MPI_Send", 2 * i, 2 * i + 1, 1, 7, 100 + i);
    s = start(maker, 1);
    call(&s, "MPI_Mprobe", 10, 11);
    receive(&s, "MPI_Mrecv", 12, 13, 0, 7, 100);
    receive(&s, "MPI_Mprobe", 20, 21, 0, 7, 101); /* as predicted timelines have it */
    call(&s, "MPI_Mprobe", 30, 31);
    maker_enter(maker, s.events, 32, "MPI_Imrecv");
    OTF2_EvtWriter_MpiIrecvRequest(s.events, NULL, 32, 1);
    maker_leave(maker, s.events, 33, "MPI_Imrecv");
    irecv_done(&s, 40, 0, 7, 102, 1);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 1, "0/7:100 0/7:101 0/7:102");
    assert_string_equal(call_of_receive(program, 1, 0), "MPI_Mrecv");
    expect_counts(program, 0, 0, 0);
    program_free(program);
}

/* MPI_Mprobe of MPI_PROC_NULL returns at once; the next one's message is not its. */
static void probes_of_nobody_vanish(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(2);
    struct script s = start(maker, 0);
    send(&s, "MPI_Send", 1000000, 1000001, 1, 7, 100);
    s = start(maker, 1);
    matched(&s, 0, 1);
    matched(&s, 10, 1000005);
    matched(&s, 1000010, 1000011);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 1, "0/7:100?");
    assert_int_equal(program->ranks[1].receive_count, 1);
    assert_int_equal(program->operations[program->ranks[1].first + 1].kind, OPERATION_RETURN);
    expect_counts(program, 1, 0, 2);
    program_free(program);
}

/* ---- which message ---- */

/* A receive that was posted before the probe comes first on its queue, whenever it completes. */
static void posted_receives_come_first(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(2);
    struct script s = start(maker, 0);
    for (uint64_t i = 0; i < 4; i++)
        send(&s, "MPI_Send", 100 + 2 * i, 101 + 2 * i, 1, 7, 8);
    s = start(maker, 1);
    irecv(&s, 0, 1);
    irecv(&s, 2, 2);
    matched(&s, 10, 110);
    irecv_done(&s, 120, 0, 7, 8, 2);
    irecv_done(&s, 130, 0, 7, 8, 1);
    matched(&s, 140, 141);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 1, "0/7:8 0/7:8 0/7:8? 0/7:8?");
    uint32_t sends = 0;
    for (uint64_t i = 0; i < program->ranks[0].count; i++)
        if (program->operations[i].kind == OPERATION_SEND)
            assert_int_equal(program->operations[i].message.match, sends++);
    assert_int_equal(sends, 4);
    expect_counts(program, 2, 0, 0);
    program_free(program);
}

/* A recorded receive is as long as its send: so the one before it was taken by somebody else, and
 * in time. The other sender's message was there first. */
static void lengths_tell_which_message_was_received(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(3);
    struct script s = start(maker, 1);
    send(&s, "MPI_Send", 50, 51, 0, 7, 16);
    send(&s, "MPI_Send", 52, 53, 0, 7, 32);
    s = start(maker, 2);
    send(&s, "MPI_Send", 0, 1, 0, 7, 16);
    s = start(maker, 0);
    matched(&s, 100, 101);
    receive(&s, "MPI_Recv", 110, 111, 1, 7, 32);
    matched(&s, 120, 121);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 0, "1/7:16? 1/7:32 2/7:16?");
    expect_counts(program, 2, 0, 0);
    program_free(program);
}

/* The same where a later length needs two of three. */
static void lengths_tell_of_several(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(3);
    struct script s = start(maker, 1);
    send(&s, "MPI_Send", 50, 51, 0, 7, 16);
    send(&s, "MPI_Send", 52, 53, 0, 7, 16);
    send(&s, "MPI_Send", 54, 55, 0, 7, 32);
    s = start(maker, 2);
    send(&s, "MPI_Send", 0, 1, 0, 7, 16);
    send(&s, "MPI_Send", 2, 3, 0, 7, 16);
    s = start(maker, 0);
    for (uint64_t i = 0; i < 3; i++)
        matched(&s, 100 + 10 * i, 101 + 10 * i);
    receive(&s, "MPI_Recv", 130, 131, 1, 7, 32);
    matched(&s, 140, 141);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 0, "2/7:16? 1/7:16? 1/7:16? 1/7:32 2/7:16?");
    expect_counts(program, 4, 1, 0); /* only the first had a choice */
    program_free(program);
}

/* What comes later by its cause was not there, whatever the clocks say. Rank 2's is behind: it
 * sends only when rank 0 has received from rank 1 and told it. */
static void causes_tell_which_message_was_received(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(3);
    struct script s = start(maker, 0);
    matched(&s, 100, 110);
    send(&s, "MPI_Send", 120, 121, 2, 5, 4);
    matched(&s, 140, 150);
    s = start(maker, 1);
    send(&s, "MPI_Send", 105, 106, 0, 7, 11);
    s = start(maker, 2);
    receive(&s, "MPI_Recv", 10, 25, 0, 5, 4);
    send(&s, "MPI_Send", 30, 31, 0, 7, 22);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 0, "1/7:11? 2/7:22?");
    expect_counts(program, 2, 0, 0);
    program_free(program);
}

static void collective(const struct script *s, const char *name, OTF2_CollectiveOp operation,
                       uint64_t at) {
    bool is_barrier = operation == OTF2_COLLECTIVE_OP_BARRIER;
    maker_enter(s->maker, s->events, at, name);
    OTF2_EvtWriter_MpiCollectiveEnd(s->events, NULL, at + 1, operation, MAKER_WORLD,
                                    is_barrier ? OTF2_UNDEFINED_UINT32 : 0, 0, 0);
    maker_leave(s->maker, s->events, at + 1, name);
}

/* The same with a collective between, of which everybody, or rank 0 as its root, is a part. */
static void causes_by_collectives_tell(void **state) {
    (void)state;
    static const struct {
        const char *name;
        OTF2_CollectiveOp operation;
    } rows[] = {{"MPI_Barrier", OTF2_COLLECTIVE_OP_BARRIER},
                {"MPI_Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE},
                {"MPI_Bcast", OTF2_COLLECTIVE_OP_BCAST}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct archive_maker *maker = ranks(3);
        struct script s = start(maker, 0);
        matched(&s, 100, 110);
        collective(&s, rows[i].name, rows[i].operation, 120);
        matched(&s, 140, 150);
        s = start(maker, 1);
        send(&s, "MPI_Send", 105, 106, 0, 7, 11);
        collective(&s, rows[i].name, rows[i].operation, 120);
        s = start(maker, 2);
        collective(&s, rows[i].name, rows[i].operation, 20);
        send(&s, "MPI_Send", 30, 31, 0, 7, 22);
        struct program *program = archive_finish(maker, &config);
        expect_receives(program, 0, "1/7:11? 2/7:22?");
        expect_counts(program, 2, 0, 0);
        program_free(program);
    }
}

/* Synchronous sends complete when they are received: so this tells their order. */
static void completions_of_synchronous_sends_tell(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(1);
    struct script s = start(maker, 0);
    for (uint32_t tag = 0; tag < 4; tag++)
        isend(&s, "MPI_Issend", 10 * tag, 0, tag, 16, tag + 1);
    call(&s, "MPI_Testsome", 50, 51);
    matched(&s, 60, 61);
    isend_done(&s, "MPI_Testsome", 70, 4);
    matched(&s, 80, 81);
    matched(&s, 90, 91);
    isend_done(&s, "MPI_Testsome", 100, 2);
    isend_done(&s, "MPI_Testsome", 102, 3);
    matched(&s, 110, 111);
    isend_done(&s, "MPI_Testsome", 120, 1);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 0, "0/3:16? 0/1:16? 0/2:16? 0/0:16?");
    expect_counts(program, 4, 3, 0);
    program_free(program);
}

/* A server that receives from anybody answers whom it has received from. */
static void answers_tell_which_message_was_received(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(4);
    struct script s = start(maker, 0);
    static const uint32_t order[] = {2, 3, 1};
    for (uint64_t i = 0; i < 3; i++) {
        matched(&s, 1000 + 100 * i, 1001 + 100 * i);
        send(&s, "MPI_Send", 1010 + 100 * i, 1011 + 100 * i, order[i], 9, 4);
    }
    for (uint32_t rank = 1; rank < 4; rank++) {
        s = start(maker, rank);
        send(&s, "MPI_Send", 10 * rank, 10 * rank + 1, 0, 7, rank);
        matched(&s, 500, 2000);
    }
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 0, "2/7:2? 3/7:3? 1/7:1?");
    expect_receives(program, 1, "0/9:4?");
    expect_counts(program, 6, 2, 0);
    program_free(program);
}

/* A call that waited was not for what had been there before it: rank 1's second message was. */
static void waiting_tells_which_message_was_received(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(3);
    struct script s = start(maker, 1);
    send(&s, "MPI_Send", 10, 11, 0, 7, 1);
    send(&s, "MPI_Send", 30, 31, 0, 7, 2);
    s = start(maker, 2);
    send(&s, "MPI_Send", 500, 501, 0, 7, 3);
    send(&s, "MPI_Send", 700, 701, 0, 7, 4);
    s = start(maker, 0);
    matched(&s, 20, 21);
    matched(&s, 40, 502);
    matched(&s, 510, 511);
    matched(&s, 520, 702);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 0, "1/7:1? 2/7:3? 1/7:2? 2/7:4?");
    expect_counts(program, 4, 1, 0);
    program_free(program);
}

/* Of one rank's messages the earlier ones come first. */
static void order_of_a_sender_tells(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(2);
    struct script s = start(maker, 0);
    send(&s, "MPI_Send", 40, 41, 1, 5, 1);
    send(&s, "MPI_Send", 42, 43, 1, 3, 2);
    s = start(maker, 1);
    matched(&s, 10, 50);
    matched(&s, 60, 61);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 1, "0/5:1? 0/3:2?");
    expect_counts(program, 2, 1, 0);
    program_free(program);
}

/* A recorded receive was complete before a later send was sent: it took an earlier one. */
static void times_of_recorded_receives_tell(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(3);
    struct script s = start(maker, 1);
    send(&s, "MPI_Send", 0, 1, 0, 7, 8);
    send(&s, "MPI_Send", 1000000000, 1000000001, 0, 7, 8);
    s = start(maker, 2);
    send(&s, "MPI_Send", 100, 101, 0, 7, 8);
    s = start(maker, 0);
    matched(&s, 200, 201);
    receive(&s, "MPI_Recv", 300, 301, 1, 7, 8);
    matched(&s, 400, 1000000010);
    struct program *program = archive_finish(maker, &config);
    expect_receives(program, 0, "2/7:8? 1/7:8 1/7:8?");
    expect_counts(program, 2, 0, 0);
    program_free(program);
}

/* ---- what contradicts itself ---- */

/* Fewer receives than there are sends, lengths that no order explains, a receive of nothing: the
 * rest is counted as ever. */
static void what_cannot_be_explained_is_counted(void **state) {
    (void)state;
    struct archive_maker *maker = ranks(2);
    struct script s = start(maker, 0);
    for (uint64_t i = 0; i < 5; i++)
        send(&s, "MPI_Send", 10 * i, 10 * i + 1, 1, 7, 10 + i);
    s = start(maker, 1);
    matched(&s, 100, 101);
    receive(&s, "MPI_Recv", 110, 111, 0, 7, 999);
    receive(&s, "MPI_Recv", 120, 121, 0, 7, 5);
    struct program *program = archive_finish(maker, &config);
    assert_int_equal(program->unmatched_sends, 2);
    assert_int_equal(program->unmatched_receives, 0);
    assert_int_equal(archive_noted(program, inferred), 1);
    assert_int_equal(archive_noted(program, "length mismatch"), 1);
    program_free(program);

    maker = ranks(2); /* nobody sends anything */
    s = start(maker, 1);
    matched(&s, 100, 101);
    call(&s, "MPI_Mprobe", 110, 120); /* and none for this one */
    call(&s, "MPI_Mrecv", 130, 131);
    call(&s, "MPI_Mrecv", 132, 133);
    program = archive_finish(maker, &config);
    expect_counts(program, 0, 0, 3);
    program_free(program);

    maker = ranks(2); /* each waits for the other: one of them found nothing */
    for (uint32_t rank = 0; rank < 2; rank++) {
        s = start(maker, rank);
        matched(&s, 0, 10);
        send(&s, "MPI_Send", 20, 21, 1 - rank, 7, 8);
    }
    program = archive_finish(maker, &config);
    assert_int_equal(archive_noted(program, inferred) + archive_noted(program, vanished), 2);
    assert_int_equal(archive_noted(program, vanished), program->unmatched_sends);
    program_free(program);
}

/* ---- recorded ---- */

static struct program *open_shared(const char *name, unsigned threads) {
    char path[512];
    struct stat about;
    snprintf(path, sizeof path, ANAX_SHARED "/traces/%s/traces.otf2", name);
    if (stat(path, &about) != 0) skip();
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    if (traces_open(&program, path, &config, threads, NULL, NULL, &status) != STATUS_OK ||
        program_check_file(program, &status) != STATUS_OK)
        fail_msg("%s: %s", path, status.text);
    return program;
}

static void matched_receives_of_recorded_archives_are_found(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t inferred, vanished;
    } rows[] = {
        {"found/mrecv-false-deadlock", 3, 0},
        {"found/d_p2p_obj", 4948, 1140}, /* 6088 calls; MPI_PROC_NULL among the sources */
        {"recorded/sp_tests_8", 80, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program *one = open_shared(rows[i].name, 1), *two = open_shared(rows[i].name, 2);
        assert_int_equal(one->unmatched_sends + one->unmatched_receives, 0);
        assert_int_equal(archive_noted(one, inferred), rows[i].inferred);
        assert_int_equal(archive_noted(one, vanished), rows[i].vanished);
        assert_int_equal(archive_noted(one, "length mismatch"), 0);
        assert_int_equal(archive_noted(one, "receives longer than their sends"), 0);
        assert_int_equal(one->content_hash, two->content_hash);
        program_free(one);
        program_free(two);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mprobe_is_the_receive),
        cmocka_unit_test(imrecv_after_improbe_is_the_receive),
        cmocka_unit_test(probes_and_receives_meet_in_pairs),
        cmocka_unit_test(recorded_mrecvs_need_no_inference),
        cmocka_unit_test(probes_of_nobody_vanish),
        cmocka_unit_test(posted_receives_come_first),
        cmocka_unit_test(lengths_tell_which_message_was_received),
        cmocka_unit_test(lengths_tell_of_several),
        cmocka_unit_test(causes_tell_which_message_was_received),
        cmocka_unit_test(causes_by_collectives_tell),
        cmocka_unit_test(completions_of_synchronous_sends_tell),
        cmocka_unit_test(answers_tell_which_message_was_received),
        cmocka_unit_test(waiting_tells_which_message_was_received),
        cmocka_unit_test(order_of_a_sender_tells),
        cmocka_unit_test(times_of_recorded_receives_tell),
        cmocka_unit_test(what_cannot_be_explained_is_counted),
        cmocka_unit_test(matched_receives_of_recorded_archives_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
