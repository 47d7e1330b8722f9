/* Building programs: operations, slots, matching, collectives, and what is refused. */
#include "traces/program/program_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct world {
    program_builder *builder;
    uint32_t communicator;
    uint32_t region;
    status status;
} world;

static world new_world(uint32_t rank_count) {
    world world = {.status = STATUS_INIT};
    world.builder = builder_new(rank_count, &world.status);
    assert_non_null(world.builder);
    world.region = builder_region(world.builder, "MPI_Call", true);
    uint32_t members[64];
    for (uint32_t i = 0; i < rank_count; i++)
        members[i] = i;
    assert_int_equal(builder_communicator(world.builder, "MPI_COMM_WORLD", members, rank_count,
                                          &world.communicator, &world.status),
                     STATUS_OK);
    return world;
}

#define OK(expression)                                                                             \
    do {                                                                                           \
        if ((expression) != STATUS_OK) fail_msg("%s", w->status.text);                             \
    } while (0)

static void call(world *w, uint32_t rank) {
    OK(builder_call(w->builder, rank, w->region, 7, 0, &w->status));
}

static void call_end(world *w, uint32_t rank) {
    OK(builder_wait_call(w->builder, rank, &w->status));
    OK(builder_return(w->builder, rank, 1, false, &w->status));
}

static void isend(world *w, uint32_t rank, uint32_t to, int32_t tag, uint64_t bytes,
                  uint64_t request) {
    OK(builder_send(w->builder, rank, w->communicator, to, tag, bytes, 0, request, &w->status));
}

static void irecv(world *w, uint32_t rank, uint32_t from, int32_t tag, uint64_t bytes,
                  uint64_t request) {
    OK(builder_receive(w->builder, rank, w->communicator, from, tag, bytes, 0, request,
                       &w->status));
}

static void wait_for(world *w, uint32_t rank, uint64_t request) {
    OK(builder_wait(w->builder, rank, &request, 1, &w->status));
}

static program *sealed(world *w, unsigned threads) {
    program *program = NULL;
    OK(builder_seal(w->builder, threads, &program, &w->status));
    OK(program_check(program, &w->status));
    builder_free(w->builder);
    return program;
}

static void expect_failure(world *w, status_code code, const char *text) {
    assert_int_equal(w->status.code, code);
    assert_non_null(w->status.text);
    if (strstr(w->status.text, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", w->status.text, text);
    status_clear(&w->status);
}

static const program_operation *at(const program *program, uint32_t rank, uint64_t index) {
    assert_true(index < program->ranks[rank].count);
    return &program->operations[program->ranks[rank].first + index];
}

static void ping_pong(void **state) {
    (void)state;
    world world = new_world(2), *w = &world;
    for (uint32_t rank = 0; rank < 2; rank++) {
        OK(builder_compute(w->builder, rank, 5, &w->status));
        OK(builder_compute(w->builder, rank, 0, &w->status));
        OK(builder_compute(w->builder, rank, 7, &w->status));
        for (uint32_t part = 0; part < 2; part++) {
            call(w, rank);
            if (rank == part)
                isend(w, rank, 1 - rank, 3, 100 + part, BUILDER_NO_REQUEST);
            else
                irecv(w, rank, 1 - rank, 3, 100 + part, BUILDER_NO_REQUEST);
            call_end(w, rank);
        }
    }
    program *program = sealed(w, 1);
    assert_int_equal(program->ranks[0].count, 10);
    static const program_kind kinds[] = {
        PROGRAM_COMPUTE, PROGRAM_CALL,    PROGRAM_SEND, PROGRAM_WAIT,   PROGRAM_RETURN,
        PROGRAM_CALL,    PROGRAM_RECEIVE, PROGRAM_WAIT, PROGRAM_RETURN, PROGRAM_END};
    for (uint64_t i = 0; i < 10; i++)
        assert_int_equal(at(program, 0, i)->kind, kinds[i]);
    assert_int_equal(at(program, 0, 0)->compute.duration_ps, 12);
    assert_int_equal(at(program, 0, 1)->value, 7);
    assert_int_equal(at(program, 0, 2)->value, 100);
    assert_int_equal(at(program, 0, 2)->message.peer, 1);
    assert_int_equal(at(program, 0, 2)->message.match, 0);
    assert_int_equal(at(program, 0, 6)->message.match, 0);
    assert_int_equal(program->ranks[0].slot_count, 1);
    assert_int_equal(program->ranks[0].mark_count, 4);
    assert_string_equal(program_call_name(program, 0, 2), "MPI_Call");
    assert_string_equal(program_call_name(program, 0, 4), "MPI_Call");
    assert_string_equal(program_call_name(program, 0, 0), "");
    assert_string_equal(program_call_name(program, 0, 9), "");
    program_totals totals;
    program_totals_of(program, &totals);
    assert_int_equal(totals.messages, 2);
    assert_int_equal(totals.message_bytes, 201);
    assert_int_equal(totals.compute_ps, 24);
    assert_int_equal(totals.size_histogram[7], 2);
    program_free(program);
}

/* Two tags sent in one order and received in the other; two sends of one tag stay in order. */
static void matching_by_tag_and_order(void **state) {
    (void)state;
    world world = new_world(2), *w = &world;
    call(w, 0);
    isend(w, 0, 1, 1, 10, 1);
    isend(w, 0, 1, 2, 20, 2);
    isend(w, 0, 1, 1, 11, 3);
    OK(builder_wait(w->builder, 0, (uint64_t[]){3, 1, 2}, 3, &w->status));
    call_end(w, 0);
    call(w, 1);
    irecv(w, 1, 0, 2, 20, 1);
    irecv(w, 1, 0, 1, 10, 2);
    irecv(w, 1, 0, 1, 11, 3);
    OK(builder_wait(w->builder, 1, (uint64_t[]){1, 2, 3}, 3, &w->status));
    call_end(w, 1);
    program *program = sealed(w, 2);
    assert_int_equal(at(program, 0, 1)->message.match, 1);
    assert_int_equal(at(program, 0, 2)->message.match, 0);
    assert_int_equal(at(program, 0, 3)->message.match, 2);
    assert_int_equal(at(program, 1, 1)->message.match, 1);
    assert_int_equal(at(program, 0, 4)->wait.count, 3);
    const uint32_t *slots = program->wait_slots + program->ranks[0].first_wait_slot;
    assert_int_equal(slots[0], at(program, 0, 3)->message.slot);
    assert_int_equal(slots[1], at(program, 0, 1)->message.slot);
    assert_int_equal(slots[2], at(program, 0, 2)->message.slot);
    assert_int_equal(program->note_count, 0);
    program_free(program);
}

static void unmatched_are_counted_and_noted(void **state) {
    (void)state;
    world world = new_world(3), *w = &world;
    call(w, 0);
    for (uint64_t i = 0; i < 3; i++)
        isend(w, 0, 1, 5, 8, BUILDER_NO_REQUEST);
    call_end(w, 0);
    call(w, 1);
    irecv(w, 1, 0, 5, 8, BUILDER_NO_REQUEST);
    irecv(w, 1, 2, 5, 8, BUILDER_NO_REQUEST);
    call_end(w, 1);
    builder_note(w->builder, "MPI_Win_fence", "not modelled", 2);
    builder_note(w->builder, "MPI_Win_fence", "not modelled", 3);
    builder_assumption(w->builder, "sizes", "taken as 8", 7);
    program *program = sealed(w, 1);
    assert_int_equal(program->unmatched_sends, 2);
    assert_int_equal(program->unmatched_receives, 1);
    assert_int_equal(at(program, 0, 1)->message.match, 0);
    assert_int_equal(at(program, 0, 2)->message.match, PROGRAM_NONE);
    assert_int_equal(program->note_count, 4);
    assert_string_equal(program_text(program, program->notes[0].what), "MPI_Win_fence");
    assert_int_equal(program->notes[0].count, 5);
    assert_string_equal(program_text(program, program->notes[1].what), "sizes");
    assert_int_equal(program->notes[1].count, 7);
    assert_string_equal(program_text(program, program->notes[2].what), "unmatched receives");
    assert_string_equal(program_text(program, program->notes[3].what), "unmatched sends");
    assert_int_equal(program->notes[3].count, 2);
    for (uint32_t i = 0; i < program->note_count; i++)
        assert_int_equal(program->notes[i].is_assumed, i == 1);
    program_free(program);
}

/* A receive shorter than its send is damage, a longer one what some tracers write. */
static void other_lengths_are_noted(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        world world = new_world(2), *w = &world;
        call(w, 0);
        for (uint64_t i = 0; i < 4; i++)
            isend(w, 0, 1, 0, 10, BUILDER_NO_REQUEST);
        call_end(w, 0);
        call(w, 1);
        static const uint64_t received[] = {10, 9, 11, 0};
        for (uint64_t i = 0; i < 4; i++)
            irecv(w, 1, 0, 0, received[i], BUILDER_NO_REQUEST);
        call_end(w, 1);
        program *program = sealed(w, threads);
        assert_int_equal(program->note_count, 2);
        assert_string_equal(program_text(program, program->notes[0].what), "length mismatch");
        assert_int_equal(program->notes[0].count, 2);
        assert_string_equal(program_text(program, program->notes[1].what),
                            "receives longer than their sends");
        assert_int_equal(program->notes[1].count, 1);
        assert_true(program->notes[1].is_assumed);
        program_free(program);
    }
}

/* A persistent request starts again and again under one id; slots are used again too. */
static void request_ids_and_slots_are_used_again(void **state) {
    (void)state;
    world world = new_world(2), *w = &world;
    for (int i = 0; i < 5; i++) {
        for (uint32_t rank = 0; rank < 2; rank++) {
            call(w, rank);
            if (rank == 0)
                isend(w, rank, 1, 0, 1, UINT64_MAX - 1);
            else
                irecv(w, rank, 0, 0, 1, UINT64_MAX - 1);
            call_end(w, rank);
            call(w, rank);
            assert_true(builder_in_flight(w->builder, rank, UINT64_MAX - 1));
            wait_for(w, rank, UINT64_MAX - 1);
            assert_false(builder_in_flight(w->builder, rank, UINT64_MAX - 1));
            call_end(w, rank);
        }
    }
    program *program = sealed(w, 1);
    assert_int_equal(program->ranks[0].slot_count, 1);
    assert_int_equal(program->ranks[1].receive_count, 5);
    program_free(program);
}

static void detached_and_never_waited_for(void **state) {
    (void)state;
    world world = new_world(2), *w = &world;
    call(w, 0);
    isend(w, 0, 1, 0, 1, 1); /* freed */
    isend(w, 0, 1, 0, 1, 2); /* never waited for */
    OK(builder_send(w->builder, 0, 0, 1, 0, 1, PROGRAM_DETACHED, 9, &w->status));
    OK(builder_detach(w->builder, 0, 1, &w->status));
    assert_false(builder_in_flight(w->builder, 0, 1));
    call_end(w, 0);
    call(w, 1);
    for (int i = 0; i < 3; i++)
        irecv(w, 1, 0, 0, 1, BUILDER_NO_REQUEST);
    call_end(w, 1);
    program *program = sealed(w, 1);
    for (uint64_t i = 1; i <= 3; i++) {
        assert_int_equal(at(program, 0, i)->flags, PROGRAM_DETACHED);
        assert_int_equal(at(program, 0, i)->message.slot, PROGRAM_NONE);
        assert_int_equal(at(program, 0, i)->message.match, i - 1);
    }
    assert_int_equal(program->ranks[0].slot_count, 0);
    program_free(program);
}

/* Reserved receives keep their place in the posting order; dropped ones leave no trace. */
static void reserved_known_and_dropped(void **state) {
    (void)state;
    world world = new_world(2), *w = &world;
    call(w, 0);
    isend(w, 0, 1, 4, 40, BUILDER_NO_REQUEST);
    isend(w, 0, 1, 4, 41, BUILDER_NO_REQUEST);
    call_end(w, 0);
    call(w, 1);
    OK(builder_receive_reserve(w->builder, 1, 100, &w->status));
    OK(builder_receive_reserve(w->builder, 1, 101, &w->status));
    OK(builder_receive_reserve(w->builder, 1, 102, &w->status));
    OK(builder_collective_reserve(w->builder, 1, 103, &w->status));
    call_end(w, 1);
    call(w, 1);
    OK(builder_receive_known(w->builder, 1, 102, w->communicator, 0, 4, 41, &w->status));
    OK(builder_receive_known(w->builder, 1, 100, w->communicator, 0, 4, 40, &w->status));
    OK(builder_receive_drop(w->builder, 1, 101, &w->status));
    OK(builder_collective_drop(w->builder, 1, 103, &w->status));
    OK(builder_wait(w->builder, 1, (uint64_t[]){102, 100}, 2, &w->status));
    call_end(w, 1);
    program *program = sealed(w, 1);
    assert_int_equal(program->ranks[1].count, 8);
    assert_int_equal(program->ranks[1].slot_count, 2);
    assert_int_equal(at(program, 1, 1)->value, 40);
    assert_int_equal(at(program, 1, 2)->value, 41);
    assert_int_equal(at(program, 1, 2)->message.match, 1);
    assert_int_equal(program->unmatched_receives, 0);
    program_free(program);
}

static void empty_calls_vanish_if_wanted(void **state) {
    (void)state;
    world world = new_world(1), *w = &world;
    OK(builder_compute(w->builder, 0, 1, &w->status));
    call(w, 0);
    OK(builder_return(w->builder, 0, 1, true, &w->status));
    OK(builder_compute(w->builder, 0, 1, &w->status));
    call(w, 0);
    OK(builder_return(w->builder, 0, 1, false, &w->status));
    uint32_t user = builder_region(w->builder, "solve", false);
    assert_int_equal(builder_region(w->builder, "solve", false), user);
    OK(builder_enter(w->builder, 0, user, 2, &w->status));
    OK(builder_leave(w->builder, 0, 3, &w->status));
    program *program = sealed(w, 1);
    assert_int_equal(program->ranks[0].count, 6);
    assert_int_equal(at(program, 0, 0)->compute.duration_ps, 2);
    assert_int_equal(at(program, 0, 4)->mark.region, user);
    program_free(program);
}

static void collective(world *w, uint32_t rank, program_collective_kind kind, uint32_t communicator,
                       uint64_t send, uint64_t receive, uint64_t request) {
    program_collective_arguments arguments = {.kind = kind,
                                              .communicator = communicator,
                                              .root = 0,
                                              .send_bytes = send,
                                              .receive_bytes = receive};
    call(w, rank);
    OK(builder_collective(w->builder, rank, &arguments, 0, request, &w->status));
    if (request != BUILDER_NO_REQUEST) wait_for(w, rank, request);
    call_end(w, rank);
}

static void instances_sizes_and_groups(void **state) {
    (void)state;
    world world = new_world(4), *w = &world;
    uint32_t odd, self, duplicate;
    OK(builder_communicator(w->builder, "odd", (uint32_t[]){3, 1}, 2, &odd, &w->status));
    OK(builder_communicator(w->builder, "", (uint32_t[]){3, 1}, 2, &duplicate, &w->status));
    OK(builder_communicator_self(w->builder, "MPI_COMM_SELF", &self, &w->status));
    for (uint32_t rank = 0; rank < 4; rank++) {
        collective(w, rank, PROGRAM_CREATE_HANDLE, 0, 0, 0, BUILDER_NO_REQUEST);
        collective(w, rank, PROGRAM_ALLTOALLV, 0, 100 + rank, 200 + rank, BUILDER_NO_REQUEST);
        if (rank % 2 == 1) collective(w, rank, PROGRAM_GATHERV, odd, rank, 4, 5);
        collective(w, rank, PROGRAM_ALLTOALLV, 0, 100 + rank, 200 + rank, 77);
        if (rank == 2) collective(w, rank, PROGRAM_ALLGATHERV, self, 9, 9, BUILDER_NO_REQUEST);
        collective(w, rank, PROGRAM_BCAST, 0, 64, 64, BUILDER_NO_REQUEST);
        if (rank < 2) collective(w, rank, PROGRAM_CREATE_HANDLE, odd, 0, 0, BUILDER_NO_REQUEST);
    }
    program *program = sealed(w, 2);
    assert_int_equal(program->communicator_member_count, 6); /* the duplicate's group is shared */
    assert_true(program->communicators[0].handles_synchronise);
    assert_false(program->communicators[odd].handles_synchronise);
    const program_operation *first = at(program, 1, 4), *gather = at(program, 1, 7);
    assert_int_equal(first->collective.instance, 0);
    const uint64_t *sizes = program->sizes + first->collective.sizes;
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(sizes[i], 100 + i);
        assert_int_equal(sizes[4 + i], 200 + i);
    }
    assert_int_equal(gather->collective.instance, 0);
    assert_int_equal(program->sizes[gather->collective.sizes], 3);
    assert_int_equal(program->sizes[gather->collective.sizes + 1], 1);
    const program_collective_arguments *arguments =
        &program->collective_arguments[gather->collective.arguments];
    assert_int_equal(arguments->me, 1);
    assert_int_equal(program_member(program, odd, arguments->me, 1), 1);
    assert_int_equal(at(program, 1, 11)->collective.instance, 1);
    assert_int_equal(at(program, 1, 11)->collective.sizes, first->collective.sizes);
    assert_int_equal(program->size_count, 8 + 2 + 1);
    program_totals totals;
    program_totals_of(program, &totals);
    assert_int_equal(totals.collectives[PROGRAM_ALLTOALLV][0], 4);
    assert_int_equal(totals.collectives[PROGRAM_ALLTOALLV][1], 4);
    program_free(program);
}

static void intercommunicators(void **state) {
    (void)state;
    world world = new_world(5), *w = &world;
    uint32_t inter;
    OK(builder_intercommunicator(w->builder, "", (uint32_t[]){0, 2}, 2, (uint32_t[]){4, 3, 1}, 3,
                                 &inter, &w->status));
    for (uint32_t rank = 0; rank < 5; rank++) {
        collective(w, rank, PROGRAM_ALLGATHERV, inter, rank + 1, 0, BUILDER_NO_REQUEST);
        bool remote = rank % 2 == 1 || rank == 4;
        program_collective_arguments arguments = {.kind = PROGRAM_BCAST,
                                                  .communicator = inter,
                                                  .root = remote      ? 1
                                                          : rank == 2 ? 1
                                                                      : PROGRAM_NONE,
                                                  .send_bytes = 8,
                                                  .receive_bytes = 8};
        call(w, rank);
        OK(builder_collective(w->builder, rank, &arguments, remote ? PROGRAM_ROOT_REMOTE : 0,
                              BUILDER_NO_REQUEST, &w->status));
        call_end(w, rank);
    }
    w->communicator = inter;
    call(w, 2);
    isend(w, 2, 3, 0, 1, BUILDER_NO_REQUEST);
    assert_int_equal(builder_send(w->builder, 2, inter, 0, 0, 1, 0, 9, &w->status), STATUS_INPUT);
    expect_failure(w, STATUS_INPUT, "does not connect them");
    call_end(w, 2);
    call(w, 3);
    irecv(w, 3, 2, 0, 1, BUILDER_NO_REQUEST);
    call_end(w, 3);
    program *program = sealed(w, 2);
    const uint64_t *sizes = program->sizes + at(program, 1, 1)->collective.sizes;
    static const uint64_t expected[] = {1, 3, 5, 4, 2};
    for (int i = 0; i < 5; i++)
        assert_int_equal(sizes[i], expected[i]);
    assert_int_equal(program->unmatched_sends, 0);
    program_free(program);
}

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
            world world = new_world(3), *w = &world;
            for (uint32_t rank = 0; rank < 3; rank++) {
                collective(w, rank, PROGRAM_BARRIER, 0, 0, 0, BUILDER_NO_REQUEST);
                if (fault == 0 && rank == 1) continue;
                bool other = fault == 1 && rank == 2;
                uint64_t request = fault == 3 && rank == 0 ? 1 : BUILDER_NO_REQUEST;
                if (fault == 4 && rank == 2) {
                    program_collective_arguments arguments = {.kind = PROGRAM_BCAST, .root = 1};
                    call(w, rank);
                    OK(builder_collective(w->builder, rank, &arguments, 0, BUILDER_NO_REQUEST,
                                          &w->status));
                    call_end(w, rank);
                    continue;
                }
                collective(w, rank, other ? PROGRAM_BARRIER : PROGRAM_BCAST, 0, 0, 0, request);
                if (fault == 2 && rank == 2)
                    collective(w, rank, PROGRAM_BARRIER, 0, 0, 0, BUILDER_NO_REQUEST);
            }
            program *program;
            assert_int_equal(builder_seal(w->builder, threads, &program, &w->status), STATUS_INPUT);
            assert_null(program);
            expect_failure(w, STATUS_INPUT, texts[fault]);
            builder_free(w->builder);
        }
    }
}

static void wrong_appends_are_refused(void **state) {
    (void)state;
    world world = new_world(2), *w = &world;
    uint32_t index;
    program_builder *builder = w->builder;
    assert_int_equal(
        builder_communicator(builder, "bad", (uint32_t[]){0, 2}, 2, &index, &w->status),
        STATUS_INPUT);
    expect_failure(w, STATUS_INPUT, "communicator bad: rank 2 in a group");
    assert_int_equal(
        builder_communicator(builder, "bad", (uint32_t[]){1, 1}, 2, &index, &w->status),
        STATUS_INPUT);
    expect_failure(w, STATUS_INPUT, "rank 1 is twice in one group");
    builder_compute(builder, 2, 1, &w->status);
    expect_failure(w, STATUS_USAGE, "there are only 2 ranks");
    builder_compute(builder, 0, -1, &w->status);
    expect_failure(w, STATUS_INPUT, "-1 ps");
    builder_send(builder, 0, 0, 1, 0, 0, 0, 1, &w->status);
    expect_failure(w, STATUS_INPUT, "rank 0: a message outside an MPI call");
    builder_return(builder, 0, 0, true, &w->status);
    expect_failure(w, STATUS_INPUT, "a return outside an MPI call");
    builder_leave(builder, 0, 0, &w->status);
    expect_failure(w, STATUS_INPUT, "never began");
    call(w, 0);
    builder_compute(builder, 0, 1, &w->status);
    expect_failure(w, STATUS_INPUT, "computation inside an MPI call");
    builder_send(builder, 0, 0, 2, 0, 0, 0, 1, &w->status);
    expect_failure(w, STATUS_INPUT, "message with rank 2");
    builder_send(builder, 0, 0, 1, 0, UINT64_C(1) << 48, 0, 1, &w->status);
    expect_failure(w, STATUS_INPUT, "281474976710656 bytes");
    isend(w, 0, 1, 0, 0, 1);
    builder_send(builder, 0, 0, 1, 0, 0, 0, 1, &w->status);
    expect_failure(w, STATUS_INPUT, "request 1 is posted again");
    builder_receive_drop(builder, 0, 1, &w->status);
    expect_failure(w, STATUS_INPUT, "another kind");
    builder_wait(builder, 0, (uint64_t[]){44}, 1, &w->status);
    expect_failure(w, STATUS_INPUT, "request 44, which is not in flight");
    OK(builder_receive_reserve(builder, 0, 2, &w->status));
    program_collective_arguments arguments = {.kind = PROGRAM_BCAST, .root = 2};
    builder_collective(builder, 0, &arguments, 0, 5, &w->status);
    expect_failure(w, STATUS_INPUT, "BCAST with root 2 in a group of 2");
    arguments = (program_collective_arguments){.kind = PROGRAM_ALLTOALLV, .send_bytes = 8};
    arguments.receive_bytes = UINT64_MAX - 1;
    builder_collective(builder, 0, &arguments, 0, 5, &w->status);
    expect_failure(w, STATUS_INPUT, "rank 0: ALLTOALLV of 8 bytes sent and 18446744073709551614");
    arguments.send_bytes = UINT64_C(1) << 48;
    arguments.receive_bytes = 0;
    builder_collective(builder, 0, &arguments, 0, 5, &w->status);
    expect_failure(w, STATUS_INPUT, "rank 0: ALLTOALLV of 281474976710656 bytes sent and 0");
    program *program;
    assert_int_equal(builder_seal(builder, 1, &program, &w->status), STATUS_INPUT);
    expect_failure(w, STATUS_INPUT, "an MPI call is still open");
    builder_free(builder);

    world = new_world(1);
    call(w, 0);
    OK(builder_receive_reserve(w->builder, 0, 2, &w->status));
    call_end(w, 0);
    assert_int_equal(builder_seal(w->builder, 1, &program, &w->status), STATUS_USAGE);
    expect_failure(w, STATUS_USAGE, "neither made known nor dropped");
    builder_free(w->builder);
}

/* program_check finds what does not hold. */
static void check_finds_faults(void **state) {
    (void)state;
    world world = new_world(2), *w = &world;
    call(w, 0);
    isend(w, 0, 1, 0, 1, BUILDER_NO_REQUEST);
    isend(w, 0, 1, 0, 1, BUILDER_NO_REQUEST);
    call_end(w, 0);
    call(w, 1);
    irecv(w, 1, 0, 0, 1, BUILDER_NO_REQUEST);
    irecv(w, 1, 0, 0, 1, BUILDER_NO_REQUEST);
    call_end(w, 1);
    collective(w, 0, PROGRAM_ALLGATHERV, 0, 1, 3, BUILDER_NO_REQUEST);
    collective(w, 1, PROGRAM_ALLGATHERV, 0, 2, 3, BUILDER_NO_REQUEST);
    program *program = sealed(w, 1);
    program_operation *operations = program->operations;
    struct {
        uint32_t *word;
        uint32_t value;
        const char *text;
    } faults[] = {
        {&operations[1].message.match, 1, "matched wrongly"},
        {&operations[1].message.match, PROGRAM_NONE, "matched wrongly"},
        {&operations[1].message.peer, 2, "a peer that does not exist"},
        {&operations[1].message.channel, 1, "a channel that does not exist"},
        {&operations[1].message.slot, 7, "a slot that does not exist"},
        {&operations[1].message.slot, 1, "a slot posted twice"},
        {&operations[3].wait.count, 3, "a wait outside the wait slots"},
        {&operations[3].wait.count, 0, "a wait for nothing"},
        {&operations[3].wait.count, 1, "collective"},
        {&operations[0].mark.region, 1, "a region that does not exist"},
        {&operations[6].collective.instance, 1, "has instance 1 instead of 0"},
        {&operations[6].collective.arguments, 1, "no member"},
        {&operations[6].collective.sizes, 1, "the sizes"},
        {&operations[6].collective.sizes, PROGRAM_NONE, "the sizes"},
        {&program->ranks[0].send_count, 1, "not as many"},
        {&program->communicators[0].size, 3, "not all there"},
        {&program->communicators[0].name, 1000, "outside the texts"},
        {&program->regions[0].name, 1000, "outside the texts"},
        {&program->channels[0].communicator, 1, "no communicator 1"},
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
            expect_failure(w, STATUS_INPUT, "a wait for a slot that does not exist");
            operations[3].wait.first = 0;
        } else {
            assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
            expect_failure(w, STATUS_INPUT, faults[i].text);
        }
        *faults[i].word = good;
        OK(program_check(program, &w->status));
    }
    program->collective_arguments[0].receive_bytes = UINT64_C(1) << 48;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    expect_failure(w, STATUS_INPUT, "ALLGATHERV of 1 bytes sent and 281474976710656 received");
    program->collective_arguments[0].receive_bytes = 3;
    program->unmatched_sends = 1;
    assert_int_equal(program_check(program, &w->status), STATUS_INPUT);
    expect_failure(w, STATUS_INPUT, "0 sends and 0 receives are unmatched");
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ping_pong),
        cmocka_unit_test(matching_by_tag_and_order),
        cmocka_unit_test(unmatched_are_counted_and_noted),
        cmocka_unit_test(other_lengths_are_noted),
        cmocka_unit_test(request_ids_and_slots_are_used_again),
        cmocka_unit_test(detached_and_never_waited_for),
        cmocka_unit_test(reserved_known_and_dropped),
        cmocka_unit_test(empty_calls_vanish_if_wanted),
        cmocka_unit_test(instances_sizes_and_groups),
        cmocka_unit_test(intercommunicators),
        cmocka_unit_test(disagreement_is_refused),
        cmocka_unit_test(wrong_appends_are_refused),
        cmocka_unit_test(check_finds_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
