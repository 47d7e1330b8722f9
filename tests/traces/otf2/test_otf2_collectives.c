/* The sizes collectives were called with, out of what tracers record. */
#include "traces/otf2/otf2_import_collective.h"
#include "traces/program/builder/program_builder.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct sizes {
    uint64_t send, receive;
    unsigned flags;
};

static struct sizes of(program_collective_kind kind, uint32_t size, uint32_t me, bool is_root,
                       uint64_t sent, uint64_t received) {
    struct import_collective_call call = {.kind = kind,
                                          .size = size,
                                          .me = me,
                                          .is_root = is_root,
                                          .sent = sent,
                                          .received = received};
    struct sizes result = {0};
    result.flags = import_collective_sizes(&call, &result.send, &result.receive);
    return result;
}

static void expect(struct sizes found, uint64_t send, uint64_t receive, unsigned flags) {
    assert_int_equal(found.send, send);
    assert_int_equal(found.receive, receive);
    assert_int_equal(found.flags, flags);
}

/* Score-P's conventions, block n, N members: the table of what is recorded, row by row. */
static void sizes_follow_the_conventions_of_score_p(void **state) {
    (void)state;
    const uint32_t N = 6, root = 2;
    const uint64_t n = 40;
    for (uint32_t me = 0; me < N; me++) {
        bool r = me == root;
        expect(of(PROGRAM_COLLECTIVE_BCAST, N, me, r, r ? N * n : 0, n), n, n, 0);
        expect(of(PROGRAM_COLLECTIVE_REDUCE, N, me, r, n, r ? N * n : 0), n, n, 0);
        expect(of(PROGRAM_COLLECTIVE_ALLREDUCE, N, me, true, N * n, N * n), n, n, 0);
        expect(of(PROGRAM_COLLECTIVE_GATHER, N, me, r, n, r ? N * n : 0), n, n, 0);
        expect(of(PROGRAM_COLLECTIVE_SCATTER, N, me, r, r ? N * n : 0, n), n, n, 0);
        expect(of(PROGRAM_COLLECTIVE_ALLGATHER, N, me, true, N * n, N * n), n, n, 0);
        expect(of(PROGRAM_COLLECTIVE_ALLGATHERV, N, me, true, N * n * me, 1000), n * me, 1000, 0);
        expect(of(PROGRAM_COLLECTIVE_ALLTOALL, N, me, true, N * n, N * n), n, n, 0);
        expect(of(PROGRAM_COLLECTIVE_ALLTOALLV, N, me, true, 700, 900), 700, 900, 0);
        expect(of(PROGRAM_COLLECTIVE_REDUCE_SCATTER, N, me, true, 1000, N * n * me), 1000, n * me,
               0);
        expect(of(PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK, N, me, true, N * n, N * n), n, n, 0);
        expect(of(PROGRAM_COLLECTIVE_SCAN, N, me, true, (N - me) * n, (me + 1) * n), n, n, 0);
        expect(of(PROGRAM_COLLECTIVE_EXSCAN, N, me, true, (N - me - 1) * n, me * n), n, n, 0);
        expect(of(PROGRAM_COLLECTIVE_BARRIER, N, me, true, 0, 0), 0, 0, 0);
        expect(of(PROGRAM_COLLECTIVE_GATHERV, N, me, r, n, r ? 500 : 0), n, r ? 500 : 0, 0);
        expect(of(PROGRAM_COLLECTIVE_SCATTERV, N, me, r, r ? 500 : 0, n), r ? 500 : 0, n, 0);
    }
}

static void sizes_in_place_are_told_apart(void **state) {
    (void)state;
    const uint32_t N = 8;
    const uint64_t n = 25;
    for (uint32_t me = 0; me < N; me++) {
        unsigned flag = OPERATION_FLAG_COLLECTIVE_IN_PLACE;
        expect(of(PROGRAM_COLLECTIVE_ALLREDUCE, N, me, true, 7 * n, 7 * n), n, n, flag);
        expect(of(PROGRAM_COLLECTIVE_ALLGATHER, N, me, true, 7 * n, 7 * n), n, n, flag);
        expect(of(PROGRAM_COLLECTIVE_ALLTOALL, N, me, true, 7 * n, 7 * n), n, n, flag);
        expect(of(PROGRAM_COLLECTIVE_ALLGATHERV, N, me, true, 7 * n, 100), n, 100 + n, flag);
        expect(of(PROGRAM_COLLECTIVE_SCAN, N, me, true, (N - me - 1) * n, me * n), n, n, flag);
        expect(of(PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK, N, me, true, 7 * n, 7 * n), n, n, flag);
        expect(of(PROGRAM_COLLECTIVE_REDUCE_SCATTER, N, me, true, 1000 - n, 7 * n), 1000, n, flag);
    }
    expect(of(PROGRAM_COLLECTIVE_REDUCE, N, 0, true, 0, 7 * n), n, n,
           OPERATION_FLAG_COLLECTIVE_IN_PLACE);
    expect(of(PROGRAM_COLLECTIVE_GATHER, N, 0, true, 0, 7 * n), n, n,
           OPERATION_FLAG_COLLECTIVE_IN_PLACE);
    expect(of(PROGRAM_COLLECTIVE_SCATTER, N, 0, true, 7 * n, 0), n, n,
           OPERATION_FLAG_COLLECTIVE_IN_PLACE);
    expect(of(PROGRAM_COLLECTIVE_GATHERV, N, 0, true, 0, 300), 0, 300,
           OPERATION_FLAG_COLLECTIVE_IN_PLACE);
    expect(of(PROGRAM_COLLECTIVE_SCATTERV, N, 0, true, 300, 0), 300, 0,
           OPERATION_FLAG_COLLECTIVE_IN_PLACE);
}

/* Alone in a communicator, and calls of no data. */
static void lone_members_and_empty_calls_have_sizes(void **state) {
    (void)state;
    expect(of(PROGRAM_COLLECTIVE_ALLREDUCE, 1, 0, true, 8, 8), 8, 8, 0);
    expect(of(PROGRAM_COLLECTIVE_ALLREDUCE, 1, 0, true, 0, 0), 0, 0, 0);
    expect(of(PROGRAM_COLLECTIVE_EXSCAN, 1, 0, true, 0, 0), 0, 0, 0);
    expect(of(PROGRAM_COLLECTIVE_SCAN, 1, 0, true, 8, 8), 8, 8, 0);
    expect(of(PROGRAM_COLLECTIVE_GATHER, 1, 0, true, 8, 8), 8, 8, 0);
    expect(of(PROGRAM_COLLECTIVE_ALLTOALL, 8, 3, true, 0, 0), 0, 0, 0);
    /* What one call leaves open is not in place until all calls are there. */
    expect(of(PROGRAM_COLLECTIVE_ALLREDUCE, 2, 0, true, 16, 16), 8, 8, 0);
    expect(of(PROGRAM_COLLECTIVE_ALLREDUCE, 8, 0, true, 56, 56), 7, 7, 0);
    expect(of(PROGRAM_COLLECTIVE_SCAN, 5, 2, true, 48, 48), 16, 16, 0);
    /* What is neither N blocks nor N-1 is the block. */
    expect(of(PROGRAM_COLLECTIVE_ALLREDUCE, 8, 0, true, 10, 10), 10, 10, 0);
    expect(of(PROGRAM_COLLECTIVE_SCAN, 8, 2, true, 10, 10), 10, 10, 0);
    expect(of(PROGRAM_COLLECTIVE_EXSCAN, 8, 2, true, 10, 10), 10, 10, 0);
}

/* Archives of anax say it. */
static void archives_of_anax_state_their_sizes(void **state) {
    (void)state;
    for (uint64_t in_place = 0; in_place < 2; in_place++) {
        struct import_collective_call call = {
            .size = 8, .me = 3, .in_place = in_place ? OTF2_IN_PLACE_YES : OTF2_IN_PLACE_NO};
        struct sizes found = {0};
        unsigned flag = in_place ? OPERATION_FLAG_COLLECTIVE_IN_PLACE : 0;
        uint64_t n = 56; /* a multiple of all that counts */
        call.kind = PROGRAM_COLLECTIVE_ALLTOALL;
        call.sent = call.received = (8 - in_place) * n;
        found.flags = import_collective_sizes(&call, &found.send, &found.receive);
        expect(found, n, n, flag);
        call.kind = PROGRAM_COLLECTIVE_REDUCE_SCATTER;
        call.sent = 1000 - in_place * n;
        found.flags = import_collective_sizes(&call, &found.send, &found.receive);
        expect(found, 1000, n, flag);
        call.kind = PROGRAM_COLLECTIVE_SCAN;
        call.size = 7; /* whose middle is 3 */
        call.sent = call.received = (4 - in_place) * n;
        found.flags = import_collective_sizes(&call, &found.send, &found.receive);
        expect(found, n, n, flag);
    }
}

static void sizes_of_other_writers_are_arguments(void **state) {
    (void)state;
    struct import_collective_call call = {.kind = PROGRAM_COLLECTIVE_ALLTOALL,
                                          .size = 8,
                                          .is_arguments = true,
                                          .sent = 100,
                                          .received = 100};
    struct sizes found = {0};
    found.flags = import_collective_sizes(&call, &found.send, &found.receive);
    expect(found, 100, 100, 0);
    /* Intercommunicators: times the other group, in place does not exist. */
    call = (struct import_collective_call){.kind = PROGRAM_COLLECTIVE_BCAST,
                                           .size = 4,
                                           .is_root = true,
                                           .is_intercommunicator = true,
                                           .sent = 400};
    found.flags = import_collective_sizes(&call, &found.send, &found.receive);
    expect(found, 100, 100, 0);
    call = (struct import_collective_call){.kind = PROGRAM_COLLECTIVE_ALLGATHER,
                                           .size = 4,
                                           .is_intercommunicator = true,
                                           .sent = 48,
                                           .received = 24};
    found.flags = import_collective_sizes(&call, &found.send, &found.receive);
    expect(found, 12, 6, 0);
}

/* A recording of every collective with blocks of 4096 bytes, some in place. */
static void a_real_recording_has_its_blocks(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    struct traces_config config = {0};
    if (traces_open(&program, ANAX_SOURCE_DIR "/tests/data/otf2/sp_colls_8", &config, 1, NULL, NULL,
                    &status) != STATUS_OK)
        fail_msg("%s", status.text);
    unsigned in_place[PROGRAM_COLLECTIVE_KINDS] = {0};
    for (uint64_t i = 0; i < program->operation_count; i++) {
        const struct program_operation *operation = &program->operations[i];
        if (operation->kind != OPERATION_COLLECTIVE) continue;
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[operation->collective.arguments];
        in_place[arguments->kind] += (operation->flags & OPERATION_FLAG_COLLECTIVE_IN_PLACE) != 0;
        uint32_t kind = arguments->kind;
        if (kind == PROGRAM_COLLECTIVE_BARRIER || kind == PROGRAM_COLLECTIVE_CREATE_HANDLE ||
            kind == PROGRAM_COLLECTIVE_DESTROY_HANDLE || program_collective_is_sized(kind))
            continue;
        assert_int_equal(arguments->send_bytes, 4096);
        assert_int_equal(arguments->receive_bytes, 4096);
    }
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        bool twice = kind == PROGRAM_COLLECTIVE_ALLREDUCE || kind == PROGRAM_COLLECTIVE_ALLGATHER ||
                     kind == PROGRAM_COLLECTIVE_ALLTOALL;
        /* Allgatherv: blocks of 2016 and 2072 bytes, 8 times, are blocks in place 7 times; all
         * members together say that they are not. */
        assert_int_equal(in_place[kind], twice ? 40 : 0);
    }
    program_free(program);
}

/* MPI_Allgatherv of 8 members, as the importer takes each by itself, given in place or not. */
struct allgatherv {
    uint64_t blocks[8];
    bool in_place;
    bool has_other_sum; /* what members received does not fit to the blocks */
};

static void append_allgatherv(struct program_builder *builder, uint32_t rank, uint32_t region,
                              uint32_t communicator, const struct allgatherv *call,
                              struct status *status) {
    uint64_t sum = call->has_other_sum ? 5 : 0;
    for (int j = 0; j < 8; j++)
        sum += call->blocks[j];
    uint64_t own = call->blocks[rank];
    struct sizes recorded = {own * (call->in_place ? 7 : 8), call->in_place ? sum - own : sum, 0};
    struct sizes taken =
        of(PROGRAM_COLLECTIVE_ALLGATHERV, 8, rank, true, recorded.send, recorded.receive);
    struct program_collective_arguments arguments = {.kind = PROGRAM_COLLECTIVE_ALLGATHERV,
                                                     .communicator = communicator,
                                                     .send_bytes = taken.send,
                                                     .receive_bytes = taken.receive};
    assert_int_equal(builder_call(builder, rank, region, 0, 0, status), STATUS_OK);
    assert_int_equal(
        builder_collective(builder, rank, &arguments, taken.flags, BUILDER_NO_REQUEST, status),
        STATUS_OK);
    assert_int_equal(builder_return(builder, rank, 0, false, status), STATUS_OK);
}

static void expect_blocks(const struct program *program, uint32_t rank,
                          const struct allgatherv *calls, size_t count) {
    size_t number = 0;
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *operation = &program->operations[rank_entry->first + i];
        if (operation->kind != OPERATION_COLLECTIVE) continue;
        const struct allgatherv *call = &calls[number++];
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[operation->collective.arguments];
        assert_int_equal((operation->flags & OPERATION_FLAG_COLLECTIVE_IN_PLACE) != 0,
                         call->in_place);
        assert_int_equal(arguments->send_bytes, call->blocks[rank]);
        for (uint32_t j = 0; j < 8; j++)
            assert_int_equal(program->sizes[operation->collective.sizes + j], call->blocks[j]);
    }
    assert_int_equal(number, count);
}

/* Blocks of 56 bytes look like 64 in place, blocks of 64 in place like 56: the others know. */
static void members_tell_each_other_their_blocks(void **state) {
    (void)state;
    static const struct allgatherv calls[] = {
        {{56, 57, 58, 59, 60, 61, 62, 63}, false, false},
        {{56, 57, 58, 59, 60, 61, 62, 64}, true, false},
        {{56, 112, 168, 56, 0, 0, 0, 56}, false, false}, /* each may be either */
        {{56, 112, 168, 56, 0, 0, 0, 64}, true, false},
        {{56, 57, 58, 59, 60, 61, 62, 63}, false, true}, /* only divisors are left to tell */
        {{0, 0, 0, 0, 0, 0, 0, 0}, false, false},
        {{0, 0, 0, 0, 0, 0, 0, 24}, true, false},
    };
    size_t count = sizeof calls / sizeof calls[0];
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(8, &status);
    builder_mark_sizes_open(builder);
    const uint32_t members[] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t communicator = 0;
    assert_int_equal(builder_define_communicator(builder, "", members, 8, &communicator, &status),
                     STATUS_OK);
    uint32_t region = builder_define_region(builder, "MPI_Allgatherv", true);
    for (uint32_t rank = 0; rank < 8; rank++)
        for (size_t i = 0; i < count; i++)
            append_allgatherv(builder, rank, region, communicator, &calls[i], &status);
    struct program *program = NULL;
    if (builder_seal(builder, 2, &program, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(builder);
    assert_int_equal(program_check_file(program, &status), STATUS_OK);
    for (uint32_t rank = 0; rank < 8; rank++)
        expect_blocks(program, rank, calls, count);
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_follow_the_conventions_of_score_p),
        cmocka_unit_test(sizes_in_place_are_told_apart),
        cmocka_unit_test(lone_members_and_empty_calls_have_sizes),
        cmocka_unit_test(archives_of_anax_state_their_sizes),
        cmocka_unit_test(sizes_of_other_writers_are_arguments),
        cmocka_unit_test(a_real_recording_has_its_blocks),
        cmocka_unit_test(members_tell_each_other_their_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
