/* Building programs: operations, slots, matching and collectives. */
#include "tests/support/traces/builder_world.h"

/* Two ranks that compute (three times, of which one takes no time), and then send each other a
 * message, each in a call of its own. */
static struct program *exchange(struct build_world *w) {
    for (uint32_t rank = 0; rank < 2; rank++) {
        BUILD_OK(builder_compute(w->builder, rank, 5, &w->status));
        BUILD_OK(builder_compute(w->builder, rank, 0, &w->status));
        BUILD_OK(builder_compute(w->builder, rank, 7, &w->status));
        for (uint32_t part = 0; part < 2; part++) {
            build_call(w, rank);
            if (rank == part)
                build_isend(w, rank, 1 - rank, 3, 100 + part, BUILDER_NO_REQUEST);
            else
                build_irecv(w, rank, 1 - rank, 3, 100 + part, BUILDER_NO_REQUEST);
            build_call_end(w, rank);
        }
    }
    return build_sealed(w, 1);
}

static void computation_and_calls_become_operations(void **state) {
    (void)state;
    static const program_operation_kind kinds[] = {
        OPERATION_COMPUTE, OPERATION_CALL,    OPERATION_SEND, OPERATION_WAIT,   OPERATION_RETURN,
        OPERATION_CALL,    OPERATION_RECEIVE, OPERATION_WAIT, OPERATION_RETURN, OPERATION_END};
    struct build_world world = build_world_new(2), *w = &world;
    struct program *program = exchange(w);
    assert_int_equal(program->ranks[0].count, 10);
    for (uint64_t i = 0; i < 10; i++)
        assert_int_equal(build_operation(program, 0, i)->kind, kinds[i]);
    assert_int_equal(build_operation(program, 0, 1)->record, 7);
    program_free(program);
}

static void computation_without_a_call_between_is_one_operation(void **state) {
    (void)state;
    struct build_world world = build_world_new(2), *w = &world;
    struct program *program = exchange(w);
    assert_int_equal(build_operation(program, 0, 0)->compute.duration_ps, 12);
    program_free(program);
}

static void blocking_messages_match_and_share_a_slot(void **state) {
    (void)state;
    struct build_world world = build_world_new(2), *w = &world;
    struct program *program = exchange(w);
    assert_int_equal(build_operation(program, 0, 2)->bytes, 100);
    assert_int_equal(build_operation(program, 0, 2)->message.peer, 1);
    assert_int_equal(build_operation(program, 0, 2)->message.match, 0);
    assert_int_equal(build_operation(program, 0, 6)->message.match, 0);
    assert_int_equal(program->ranks[0].slot_count, 1);
    program_free(program);
}

static void operations_have_the_name_of_their_call(void **state) {
    (void)state;
    struct build_world world = build_world_new(2), *w = &world;
    struct program *program = exchange(w);
    assert_int_equal(program->ranks[0].mark_count, 4);
    assert_string_equal(program_call_name(program, 0, 2), "MPI_Call");
    assert_string_equal(program_call_name(program, 0, 4), "MPI_Call");
    assert_string_equal(program_call_name(program, 0, 0), "");
    assert_string_equal(program_call_name(program, 0, 9), "");
    program_free(program);
}

static void totals_are_of_all_ranks(void **state) {
    (void)state;
    struct build_world world = build_world_new(2), *w = &world;
    struct program *program = exchange(w);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(totals.messages, 2);
    assert_int_equal(totals.message_bytes, 201);
    assert_int_equal(totals.compute_ps, 24);
    assert_int_equal(totals.size_histogram[7], 2);
    program_free(program);
}

/* Two tags sent in one order and received in the other; two sends of one tag stay in order. */
static void sends_and_receives_match_by_tag_and_order(void **state) {
    (void)state;
    struct build_world world = build_world_new(2), *w = &world;
    build_call(w, 0);
    build_isend(w, 0, 1, 1, 10, 1);
    build_isend(w, 0, 1, 2, 20, 2);
    build_isend(w, 0, 1, 1, 11, 3);
    BUILD_OK(builder_wait(w->builder, 0, (uint64_t[]){3, 1, 2}, 3, &w->status));
    build_call_end(w, 0);
    build_call(w, 1);
    build_irecv(w, 1, 0, 2, 20, 1);
    build_irecv(w, 1, 0, 1, 10, 2);
    build_irecv(w, 1, 0, 1, 11, 3);
    BUILD_OK(builder_wait(w->builder, 1, (uint64_t[]){1, 2, 3}, 3, &w->status));
    build_call_end(w, 1);
    struct program *program = build_sealed(w, 2);
    assert_int_equal(build_operation(program, 0, 1)->message.match, 1);
    assert_int_equal(build_operation(program, 0, 2)->message.match, 0);
    assert_int_equal(build_operation(program, 0, 3)->message.match, 2);
    assert_int_equal(build_operation(program, 1, 1)->message.match, 1);
    assert_int_equal(build_operation(program, 0, 4)->wait.count, 3);
    const uint32_t *slots = program->wait_slots + program->ranks[0].first_wait_slot;
    assert_int_equal(slots[0], build_operation(program, 0, 3)->message.slot);
    assert_int_equal(slots[1], build_operation(program, 0, 1)->message.slot);
    assert_int_equal(slots[2], build_operation(program, 0, 2)->message.slot);
    assert_int_equal(program->note_count, 0);
    program_free(program);
}

static void unmatched_are_counted_and_noted(void **state) {
    (void)state;
    struct build_world world = build_world_new(3), *w = &world;
    build_call(w, 0);
    for (uint64_t i = 0; i < 3; i++)
        build_isend(w, 0, 1, 5, 8, BUILDER_NO_REQUEST);
    build_call_end(w, 0);
    build_call(w, 1);
    build_irecv(w, 1, 0, 5, 8, BUILDER_NO_REQUEST);
    build_irecv(w, 1, 2, 5, 8, BUILDER_NO_REQUEST);
    build_call_end(w, 1);
    builder_add_note(w->builder, "MPI_Win_fence", "not modelled", 2);
    builder_add_note(w->builder, "MPI_Win_fence", "not modelled", 3);
    builder_add_assumption(w->builder, "sizes", "taken as 8", 7);
    struct program *program = build_sealed(w, 1);
    assert_int_equal(program->unmatched_sends, 2);
    assert_int_equal(program->unmatched_receives, 1);
    assert_int_equal(build_operation(program, 0, 1)->message.match, 0);
    assert_int_equal(build_operation(program, 0, 2)->message.match, PROGRAM_NONE);
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
        struct build_world world = build_world_new(2), *w = &world;
        build_call(w, 0);
        for (uint64_t i = 0; i < 4; i++)
            build_isend(w, 0, 1, 0, 10, BUILDER_NO_REQUEST);
        build_call_end(w, 0);
        build_call(w, 1);
        static const uint64_t received[] = {10, 9, 11, 0};
        for (uint64_t i = 0; i < 4; i++)
            build_irecv(w, 1, 0, 0, received[i], BUILDER_NO_REQUEST);
        build_call_end(w, 1);
        struct program *program = build_sealed(w, threads);
        assert_int_equal(program->note_count, 2);
        assert_string_equal(program_text(program, program->notes[0].what), "length mismatch");
        assert_int_equal(program->notes[0].count, 2);
        assert_string_equal(program_text(program, program->notes[1].what),
                            "receives longer than their sends");
        assert_int_equal(program->notes[1].count, 1);
        assert_true(program->notes[1].is_assumed);
        unsigned receives = 0;
        for (uint64_t i = 0; i < program->operation_count; i++) {
            if (program->operations[i].kind != OPERATION_RECEIVE) continue;
            assert_int_equal(program->operations[i].bytes, 10);
            receives++;
        }
        assert_int_equal(receives, 4);
        program_free(program);
    }
}

/* Lengths around 4 GiB, of receives that know them and of some that do not. */
static void long_messages_keep_their_length(void **state) {
    (void)state;
    static const uint64_t sent[] = {UINT32_MAX - 1, UINT32_MAX, UINT64_C(1) << 32,
                                    PROGRAM_BYTES_LIMIT - 1};
    struct build_world world = build_world_new(2), *w = &world;
    for (uint32_t rank = 0; rank < 2; rank++) {
        build_call(w, rank);
        for (uint64_t i = 0; i < 8; i++) {
            if (rank == 0)
                build_isend(w, 0, 1, 0, sent[i % 4], BUILDER_NO_REQUEST);
            else
                build_irecv(w, 1, 0, 0, i < 4 ? sent[i] : BUILDER_UNKNOWN_BYTES,
                            BUILDER_NO_REQUEST);
        }
        build_call_end(w, rank);
    }
    struct program *program = build_sealed(w, 1);
    assert_int_equal(program->note_count, 1);
    assert_string_equal(program_text(program, program->notes[0].what),
                        "receives of unknown length");
    for (uint64_t i = 0; i < 8; i++)
        assert_int_equal(build_operation(program, 1, 1 + i)->bytes, sent[i % 4]);
    program_free(program);
}

static void check_sizes_of_first_member(const struct program *program) {
    unsigned calls = 0;
    for (uint64_t i = 0; i < program->operation_count; i++) {
        if (program->operations[i].kind != OPERATION_COLLECTIVE) continue;
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[program->operations[i].collective.arguments];
        bool own = arguments->kind == PROGRAM_COLLECTIVE_ALLGATHERV;
        calls++;
        if (own) continue;
        assert_int_equal(arguments->send_bytes, 8);
        assert_int_equal(arguments->receive_bytes, 8);
    }
    assert_int_equal(calls, 12);
    struct status status = STATUS_INIT;
    assert_int_equal(program_check(program, &status), STATUS_OK);
}

/* Kinds with one size for all members follow the first member; v-collectives may differ. */
static void members_with_other_sizes_are_noted(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct build_world world = build_world_new(3), *w = &world;
        for (uint32_t rank = 0; rank < 3; rank++) {
            uint64_t odd = 8 + 8 * (rank == 1);
            build_collective(w, rank, PROGRAM_COLLECTIVE_ALLREDUCE, 0, 8, 8, BUILDER_NO_REQUEST);
            build_collective(w, rank, PROGRAM_COLLECTIVE_ALLREDUCE, 0, odd, odd,
                             BUILDER_NO_REQUEST);
            build_collective(w, rank, PROGRAM_COLLECTIVE_SCAN, 0, odd, odd, BUILDER_NO_REQUEST);
            build_collective(w, rank, PROGRAM_COLLECTIVE_ALLGATHERV, 0, odd, 32,
                             BUILDER_NO_REQUEST);
        }
        struct program *program = build_sealed(w, threads);
        assert_int_equal(program->note_count, 1);
        assert_string_equal(program_text(program, program->notes[0].what),
                            "members of a collective with other sizes");
        assert_int_equal(program->notes[0].count, 2);
        assert_true(program->notes[0].is_assumed);
        check_sizes_of_first_member(program);
        struct status status = STATUS_INIT;
        program->collective_arguments[0].send_bytes++; /* of the first call of one member */
        program->collective_arguments[0].receive_bytes++;
        assert_int_equal(program_check(program, &status), STATUS_INPUT);
        status_clear(&status);
        program_free(program);
    }
}

/* A persistent request starts again and again under one id; slots are used again too. */
static void request_ids_and_slots_are_used_again(void **state) {
    (void)state;
    struct build_world world = build_world_new(2), *w = &world;
    for (int i = 0; i < 5; i++) {
        for (uint32_t rank = 0; rank < 2; rank++) {
            build_call(w, rank);
            if (rank == 0)
                build_isend(w, rank, 1, 0, 1, UINT64_MAX - 1);
            else
                build_irecv(w, rank, 0, 0, 1, UINT64_MAX - 1);
            build_call_end(w, rank);
            build_call(w, rank);
            assert_true(builder_request_is_in_flight(w->builder, rank, UINT64_MAX - 1));
            build_wait(w, rank, UINT64_MAX - 1);
            assert_false(builder_request_is_in_flight(w->builder, rank, UINT64_MAX - 1));
            build_call_end(w, rank);
        }
    }
    struct program *program = build_sealed(w, 1);
    assert_int_equal(program->ranks[0].slot_count, 1);
    assert_int_equal(program->ranks[1].receive_count, 5);
    program_free(program);
}

static void detached_requests_are_not_in_flight(void **state) {
    (void)state;
    struct build_world world = build_world_new(2), *w = &world;
    build_call(w, 0);
    build_isend(w, 0, 1, 0, 1, 1); /* freed */
    build_isend(w, 0, 1, 0, 1, 2); /* never waited for */
    BUILD_OK(builder_send(w->builder, 0, 0, 1, 0, 1, OPERATION_FLAG_DETACHED, 9, &w->status));
    BUILD_OK(builder_detach(w->builder, 0, 1, &w->status));
    assert_false(builder_request_is_in_flight(w->builder, 0, 1));
    build_call_end(w, 0);
    build_call(w, 1);
    for (int i = 0; i < 3; i++)
        build_irecv(w, 1, 0, 0, 1, BUILDER_NO_REQUEST);
    build_call_end(w, 1);
    struct program *program = build_sealed(w, 1);
    for (uint64_t i = 1; i <= 3; i++) {
        assert_int_equal(build_operation(program, 0, i)->flags, OPERATION_FLAG_DETACHED);
        assert_int_equal(build_operation(program, 0, i)->message.slot, PROGRAM_NONE);
        assert_int_equal(build_operation(program, 0, i)->message.match, i - 1);
    }
    assert_int_equal(program->ranks[0].slot_count, 0);
    program_free(program);
}

/* Reserved receives keep their place in the posting order; dropped ones leave no trace. */
static void reserved_receives_keep_their_place(void **state) {
    (void)state;
    struct build_world world = build_world_new(2), *w = &world;
    build_call(w, 0);
    build_isend(w, 0, 1, 4, 40, BUILDER_NO_REQUEST);
    build_isend(w, 0, 1, 4, 41, BUILDER_NO_REQUEST);
    build_call_end(w, 0);
    build_call(w, 1);
    BUILD_OK(builder_reserve_receive(w->builder, 1, 100, &w->status));
    BUILD_OK(builder_reserve_receive(w->builder, 1, 101, &w->status));
    BUILD_OK(builder_reserve_receive(w->builder, 1, 102, &w->status));
    BUILD_OK(builder_reserve_collective(w->builder, 1, 103, &w->status));
    build_call_end(w, 1);
    build_call(w, 1);
    BUILD_OK(builder_fill_receive(w->builder, 1, 102, w->communicator, 0, 4, 41, &w->status));
    BUILD_OK(builder_fill_receive(w->builder, 1, 100, w->communicator, 0, 4, 40, &w->status));
    BUILD_OK(builder_drop_receive(w->builder, 1, 101, &w->status));
    BUILD_OK(builder_drop_collective(w->builder, 1, 103, &w->status));
    BUILD_OK(builder_wait(w->builder, 1, (uint64_t[]){102, 100}, 2, &w->status));
    build_call_end(w, 1);
    struct program *program = build_sealed(w, 1);
    assert_int_equal(program->ranks[1].count, 8);
    assert_int_equal(program->ranks[1].slot_count, 2);
    assert_int_equal(build_operation(program, 1, 1)->bytes, 40);
    assert_int_equal(build_operation(program, 1, 2)->bytes, 41);
    assert_int_equal(build_operation(program, 1, 2)->message.match, 1);
    assert_int_equal(program->unmatched_receives, 0);
    program_free(program);
}

static void empty_calls_vanish_if_wanted(void **state) {
    (void)state;
    struct build_world world = build_world_new(1), *w = &world;
    BUILD_OK(builder_compute(w->builder, 0, 1, &w->status));
    build_call(w, 0);
    BUILD_OK(builder_return(w->builder, 0, 1, true, &w->status));
    BUILD_OK(builder_compute(w->builder, 0, 1, &w->status));
    build_call(w, 0);
    BUILD_OK(builder_return(w->builder, 0, 1, false, &w->status));
    uint32_t user = builder_define_region(w->builder, "solve", false);
    assert_int_equal(builder_define_region(w->builder, "solve", false), user);
    BUILD_OK(builder_enter(w->builder, 0, user, 2, &w->status));
    BUILD_OK(builder_leave(w->builder, 0, 3, &w->status));
    struct program *program = build_sealed(w, 1);
    assert_int_equal(program->ranks[0].count, 6);
    assert_int_equal(build_operation(program, 0, 0)->compute.duration_ps, 2);
    assert_int_equal(build_operation(program, 0, 4)->mark.region, user);
    program_free(program);
}

static void collectives_have_instances_sizes_and_groups(void **state) {
    (void)state;
    struct build_world world = build_world_new(4), *w = &world;
    uint32_t odd, self, duplicate;
    BUILD_OK(
        builder_define_communicator(w->builder, "odd", (uint32_t[]){3, 1}, 2, &odd, &w->status));
    BUILD_OK(
        builder_define_communicator(w->builder, "", (uint32_t[]){3, 1}, 2, &duplicate, &w->status));
    BUILD_OK(builder_define_communicator_self(w->builder, "MPI_COMM_SELF", &self, &w->status));
    for (uint32_t rank = 0; rank < 4; rank++) {
        build_collective(w, rank, PROGRAM_COLLECTIVE_CREATE_HANDLE, 0, 0, 0, BUILDER_NO_REQUEST);
        build_collective(w, rank, PROGRAM_COLLECTIVE_ALLTOALLV, 0, 100 + rank, 200 + rank,
                         BUILDER_NO_REQUEST);
        if (rank % 2 == 1) build_collective(w, rank, PROGRAM_COLLECTIVE_GATHERV, odd, rank, 4, 5);
        build_collective(w, rank, PROGRAM_COLLECTIVE_ALLTOALLV, 0, 100 + rank, 200 + rank, 77);
        if (rank == 2)
            build_collective(w, rank, PROGRAM_COLLECTIVE_ALLGATHERV, self, 9, 9,
                             BUILDER_NO_REQUEST);
        build_collective(w, rank, PROGRAM_COLLECTIVE_BCAST, 0, 64, 64, BUILDER_NO_REQUEST);
        if (rank < 2)
            build_collective(w, rank, PROGRAM_COLLECTIVE_CREATE_HANDLE, odd, 0, 0,
                             BUILDER_NO_REQUEST);
    }
    struct program *program = build_sealed(w, 2);
    assert_int_equal(program->communicator_member_count, 6); /* the duplicate's group is shared */
    assert_true(program->communicators[0].handles_synchronise);
    assert_false(program->communicators[odd].handles_synchronise);
    const struct program_operation *first = build_operation(program, 1, 4),
                                   *gather = build_operation(program, 1, 7);
    assert_int_equal(first->collective.instance, 0);
    const uint64_t *sizes = program->sizes + first->collective.sizes;
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(sizes[i], 100 + i);
        assert_int_equal(sizes[4 + i], 200 + i);
    }
    assert_int_equal(gather->collective.instance, 0);
    assert_int_equal(program->sizes[gather->collective.sizes], 3);
    assert_int_equal(program->sizes[gather->collective.sizes + 1], 1);
    const struct program_collective_arguments *arguments =
        &program->collective_arguments[gather->collective.arguments];
    assert_int_equal(arguments->own_member, 1);
    assert_int_equal(program_member(program, odd, arguments->own_member, 1), 1);
    assert_int_equal(build_operation(program, 1, 11)->collective.instance, 1);
    assert_int_equal(build_operation(program, 1, 11)->collective.sizes, first->collective.sizes);
    assert_int_equal(program->size_count, 8 + 2 + 1);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_ALLTOALLV][0], 4);
    assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_ALLTOALLV][1], 4);
    program_free(program);
}

/* Rows of an ALLTOALLV count if all members have one, and stand once; members of a reduction share
 * the element of the first. */
static void rows_and_elements_need_all_members(void **state) {
    (void)state;
    struct build_world world = build_world_new(3), *w = &world;
    uint32_t self;
    BUILD_OK(builder_define_communicator_self(w->builder, "MPI_COMM_SELF", &self, &w->status));
    for (uint32_t rank = 0; rank < 3; rank++) {
        const uint64_t rows[][3] = {{5, 0, rank == 1 ? 1 : 0}, {rank, 7, 8}};
        for (uint32_t i = 0; i < 6; i++) { /* alike: 0, 1 and 2; one row lacks: 3; of one rank: 5 */
            const uint32_t kind = i == 4   ? PROGRAM_COLLECTIVE_ALLREDUCE
                                  : i == 1 ? PROGRAM_COLLECTIVE_ALLTOALLW
                                           : PROGRAM_COLLECTIVE_ALLTOALLV;
            const uint64_t *row = rows[i == 2];
            struct program_collective_arguments arguments = {
                .kind = kind,
                .communicator = i == 5 ? self : 0,
                .send_bytes = i == 4   ? 24
                              : i == 5 ? 9
                                       : row[0] + row[1] + row[2],
                .receive_bytes = i == 4 ? 24 : 9};
            build_call(w, rank);
            BUILD_OK(builder_collective(w->builder, rank, &arguments, 0, BUILDER_NO_REQUEST,
                                        &w->status));
            if (i == 4)
                BUILD_OK(builder_set_element(w->builder, rank, 8 >> rank, &w->status));
            else if (i == 5)
                BUILD_OK(
                    builder_set_bytes_to_members(w->builder, rank, (uint64_t[]){9}, 1, &w->status));
            else if (i != 3 || rank != 2)
                BUILD_OK(builder_set_bytes_to_members(w->builder, rank, row, 3, &w->status));
            build_call_end(w, rank);
        }
    }
    struct program *program = build_sealed(w, 2);
    assert_int_equal(program->pair_byte_count, 3 * (2 + 3) + 1); /* and the row of self */
    assert_int_equal(program->pair_row_count, 3 * 2);
    for (uint32_t rank = 0; rank < 3; rank++) {
        const uint64_t values[] = {1, 1, 4, 0, 8, 0};
        for (uint32_t i = 0; i < 6; i++) {
            const struct program_operation *operation = build_operation(program, rank, 3 * i + 1);
            uint32_t count = 0;
            assert_int_equal(operation->value, values[i]);
            const uint64_t *row = program_bytes_to_members(program, operation, rank, &count);
            assert_int_equal(row != NULL, i < 3);
            if (i == 0) assert_int_equal(row[2], rank == 1);
            if (i == 2) assert_int_equal(row[0], rank);
            if (row != NULL) assert_int_equal(count, 3);
        }
    }
    program_free(program);
}

static void intercommunicators_have_two_groups(void **state) {
    (void)state;
    struct build_world world = build_world_new(5), *w = &world;
    uint32_t inter;
    BUILD_OK(builder_define_intercommunicator(w->builder, "", (uint32_t[]){0, 2}, 2,
                                              (uint32_t[]){4, 3, 1}, 3, &inter, &w->status));
    for (uint32_t rank = 0; rank < 5; rank++) {
        build_collective(w, rank, PROGRAM_COLLECTIVE_ALLGATHERV, inter, rank + 1, 0,
                         BUILDER_NO_REQUEST);
        bool remote = rank % 2 == 1 || rank == 4;
        struct program_collective_arguments arguments = {.kind = PROGRAM_COLLECTIVE_BCAST,
                                                         .communicator = inter,
                                                         .root = remote      ? 1
                                                                 : rank == 2 ? 1
                                                                             : PROGRAM_NONE,
                                                         .send_bytes = 8,
                                                         .receive_bytes = 8};
        build_call(w, rank);
        BUILD_OK(builder_collective(w->builder, rank, &arguments,
                                    remote ? OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE : 0,
                                    BUILDER_NO_REQUEST, &w->status));
        build_call_end(w, rank);
    }
    w->communicator = inter;
    build_call(w, 2);
    build_isend(w, 2, 3, 0, 1, BUILDER_NO_REQUEST);
    assert_int_equal(builder_send(w->builder, 2, inter, 0, 0, 1, 0, 9, &w->status), STATUS_INPUT);
    build_refused(w, STATUS_INPUT, "does not connect them");
    build_call_end(w, 2);
    build_call(w, 3);
    build_irecv(w, 3, 2, 0, 1, BUILDER_NO_REQUEST);
    build_call_end(w, 3);
    struct program *program = build_sealed(w, 2);
    const uint64_t *sizes = program->sizes + build_operation(program, 1, 1)->collective.sizes;
    static const uint64_t expected[] = {1, 3, 5, 4, 2};
    for (int i = 0; i < 5; i++)
        assert_int_equal(sizes[i], expected[i]);
    assert_int_equal(program->unmatched_sends, 0);
    program_free(program);
}

/* What one group of an intercommunicator sends, the other group receives. */
static void members_of_intercommunicators_have_equal_sizes(void **state) {
    (void)state;
    struct build_world world = build_world_new(4), *w = &world;
    uint32_t inter;
    BUILD_OK(builder_define_intercommunicator(w->builder, "", (uint32_t[]){0, 1}, 2,
                                              (uint32_t[]){2, 3}, 2, &inter, &w->status));
    for (uint32_t rank = 0; rank < 4; rank++) {
        uint64_t sent = rank < 2 ? 8 : 32, received = rank < 2 ? 32 : 8;
        build_collective(w, rank, PROGRAM_COLLECTIVE_ALLGATHER, inter, sent, received,
                         BUILDER_NO_REQUEST);
        build_collective(w, rank, PROGRAM_COLLECTIVE_ALLTOALL, inter, rank == 3 ? 5 : sent,
                         received, BUILDER_NO_REQUEST);
    }
    struct program *program = build_sealed(w, 2);
    assert_int_equal(program->note_count, 1);
    assert_int_equal(program->notes[0].count, 1);
    for (uint64_t i = 0; i < program->operation_count; i++) {
        if (program->operations[i].kind != OPERATION_COLLECTIVE) continue;
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[program->operations[i].collective.arguments];
        assert_int_equal(arguments->send_bytes + arguments->receive_bytes, 40);
    }
    struct status status = STATUS_INIT;
    assert_int_equal(program_check(program, &status), STATUS_OK);
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computation_and_calls_become_operations),
        cmocka_unit_test(computation_without_a_call_between_is_one_operation),
        cmocka_unit_test(blocking_messages_match_and_share_a_slot),
        cmocka_unit_test(operations_have_the_name_of_their_call),
        cmocka_unit_test(totals_are_of_all_ranks),
        cmocka_unit_test(sends_and_receives_match_by_tag_and_order),
        cmocka_unit_test(unmatched_are_counted_and_noted),
        cmocka_unit_test(other_lengths_are_noted),
        cmocka_unit_test(long_messages_keep_their_length),
        cmocka_unit_test(members_with_other_sizes_are_noted),
        cmocka_unit_test(request_ids_and_slots_are_used_again),
        cmocka_unit_test(detached_requests_are_not_in_flight),
        cmocka_unit_test(reserved_receives_keep_their_place),
        cmocka_unit_test(empty_calls_vanish_if_wanted),
        cmocka_unit_test(collectives_have_instances_sizes_and_groups),
        cmocka_unit_test(rows_and_elements_need_all_members),
        cmocka_unit_test(intercommunicators_have_two_groups),
        cmocka_unit_test(members_of_intercommunicators_have_equal_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
