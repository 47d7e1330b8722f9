/*
 * MPI_IN_PLACE, which records do not tell: what is made of sizes that may be N blocks or N-1, and
 * of members that are heard together.
 */
#include "tests/support/traces/archive_world.h"

#include <stdio.h>
#include <unistd.h>

static const char open_sizes[] = "sizes of collectives that MPI_IN_PLACE leaves open";

/* ---- sizes that are the same on all members ---- */

struct call {
    uint8_t operation; /* of OTF2 */
    uint64_t recorded; /* sent and received */
    uint64_t block;    /* to be found */
    bool in_place;
};

static void record(struct archive_maker *maker, uint32_t rank, uint64_t ticks, uint8_t operation,
                   uint64_t sent, uint64_t received) {
    OTF2_EvtWriter *events = maker_events(maker, rank, 0);
    maker_enter(maker, events, ticks, "MPI_Collective");
    uint32_t root = operation == OTF2_COLLECTIVE_OP_BCAST ? 0 : OTF2_COLLECTIVE_ROOT_NONE;
    OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, ticks, operation, MAKER_WORLD, root, sent,
                                    received);
    maker_leave(maker, events, ticks, "MPI_Collective");
}

/* Of a rank, one after another. */
static const struct program_operation *collective_of(const struct program *program, uint32_t rank,
                                                     size_t number) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++)
        if (program->operations[i].kind == OPERATION_COLLECTIVE && number-- == 0)
            return &program->operations[i];
    fail_msg("rank %u calls too few collectives", rank);
    return NULL;
}

static const struct program_collective_arguments *
arguments_of(const struct program *program, const struct program_operation *operation) {
    return &program->collective_arguments[operation->collective.arguments];
}

/* Reads an archive of these calls; `open_count` of them are open. */
static void expect_calls(uint32_t ranks, const struct call *calls, size_t count,
                         uint64_t open_count) {
    struct archive_maker *maker = maker_new(ranks, 1, 1000000000, 0, true);
    for (uint32_t rank = 0; rank < ranks; rank++)
        for (size_t i = 0; i < count; i++)
            record(maker, rank, i, calls[i].operation,
                   calls[i].operation == OTF2_COLLECTIVE_OP_BCAST && rank > 0 ? 0
                                                                              : calls[i].recorded,
                   calls[i].operation == OTF2_COLLECTIVE_OP_BCAST ? calls[i].block
                                                                  : calls[i].recorded);
    struct program *program = archive_finish(maker, &(struct traces_config){0});
    for (uint32_t rank = 0; rank < ranks; rank++) {
        for (size_t i = 0; i < count; i++) {
            const struct program_operation *operation = collective_of(program, rank, i);
            uint64_t block = arguments_of(program, operation)->send_bytes;
            bool in_place = (operation->flags & OPERATION_FLAG_COLLECTIVE_IN_PLACE) != 0;
            if (block != calls[i].block || in_place != calls[i].in_place)
                fail_msg("%u ranks, call %zu of %llu bytes: a block of %llu bytes%s", ranks, i,
                         (unsigned long long)calls[i].recorded, (unsigned long long)block,
                         in_place ? " in place" : "");
        }
    }
    assert_int_equal(archive_noted(program, open_sizes), open_count * ranks);
    program_free(program);
}

#define EXPECT(ranks, open_count, ...)                                                             \
    do {                                                                                           \
        const struct call calls[] = {__VA_ARGS__};                                                 \
        expect_calls(ranks, calls, sizeof calls / sizeof calls[0], open_count);                    \
    } while (0)
#define CALL(operation, recorded, block)                                                           \
    { OTF2_COLLECTIVE_OP_##operation, recorded, block, false }
#define PLACE(operation, recorded, block)                                                          \
    { OTF2_COLLECTIVE_OP_##operation, recorded, block, true }

/* Nothing else in the trace: 32 KiB are likelier than 24, on two ranks nothing tells. */
static void one_size_alone_is_taken_as_likelier(void **state) {
    (void)state;
    EXPECT(4, 1, PLACE(ALLREDUCE, 98304, 32768));
    EXPECT(4, 1, PLACE(ALLGATHER, 98304, 32768));
    EXPECT(4, 1, PLACE(ALLTOALL, 98304, 32768));
    EXPECT(4, 1, PLACE(REDUCE_SCATTER_BLOCK, 98304, 32768));
    EXPECT(8, 1, PLACE(ALLREDUCE, 7 * 4096, 4096));
    EXPECT(2, 1, CALL(ALLREDUCE, 32768, 16384));
    EXPECT(4, 1, CALL(ALLREDUCE, 96, 24)); /* three or four doubles */
}

static void the_only_whole_size_is_taken(void **state) {
    (void)state;
    EXPECT(4, 0, PLACE(ALLREDUCE, 30, 10), CALL(ALLREDUCE, 32, 8), CALL(ALLREDUCE, 4, 1));
    EXPECT(3, 0, PLACE(ALLREDUCE, 16, 8), PLACE(ALLREDUCE, 8000, 4000));
    EXPECT(2, 0, PLACE(ALLREDUCE, 3, 3));
    EXPECT(64, 0, PLACE(ALLTOALL, 63 * 8, 8), CALL(ALLTOALL, 64 * 8, 8));
}

/* Blocks of 3, 6 or 7 bytes are rare: one of 3 against one of 4 is hardly a question. */
static void sizes_of_elements_decide(void **state) {
    (void)state;
    EXPECT(4, 0, PLACE(ALLREDUCE, 12, 4));
    EXPECT(4, 1, PLACE(ALLREDUCE, 24, 8), CALL(ALLREDUCE, 32, 8));
    EXPECT(8, 1, PLACE(ALLREDUCE, 56, 8), CALL(ALLREDUCE, 64, 8));
    EXPECT(2, 1, PLACE(ALLREDUCE, 12, 12));
}

/* 1, 2, 3 … 8 doubles: that some are multiples of three is chance. Multiples of three alone are
 * none. */
static void other_sizes_of_the_kind_decide(void **state) {
    (void)state;
    EXPECT(4, 2, CALL(ALLREDUCE, 4 * 8, 8), CALL(ALLREDUCE, 4 * 16, 16),
           CALL(ALLREDUCE, 4 * 24, 24), CALL(ALLREDUCE, 4 * 32, 32), CALL(ALLREDUCE, 4 * 40, 40),
           CALL(ALLREDUCE, 4 * 48, 48), CALL(ALLREDUCE, 4 * 56, 56), CALL(ALLREDUCE, 4 * 64, 64));
    EXPECT(4, 3, PLACE(ALLREDUCE, 3 * 8, 8), PLACE(ALLREDUCE, 3 * 16, 16),
           PLACE(ALLREDUCE, 3 * 32, 32), PLACE(ALLREDUCE, 3 * 40, 40),
           PLACE(ALLREDUCE, 3 * 80, 80));
    /* The trace's other kinds of collectives are no evidence. */
    EXPECT(4, 1, PLACE(ALLREDUCE, 30, 10), PLACE(ALLREDUCE, 33, 11), CALL(ALLGATHER, 96, 24));
}

/* As on eight ranks of the Intel MPI Benchmarks: 560000 bytes are 8 of 70000 and 7 of 80000. */
static void blocks_of_other_collectives_decide(void **state) {
    (void)state;
    EXPECT(8, 1, CALL(BCAST, 8 * 70000, 70000), CALL(ALLREDUCE, 560000, 70000));
    EXPECT(8, 1, CALL(BCAST, 8 * 80000, 80000), PLACE(ALLREDUCE, 560000, 80000));
    EXPECT(2, 1, CALL(BCAST, 2 * 32768, 32768), PLACE(ALLREDUCE, 32768, 32768));
}

static void calls_without_data_tell_nothing(void **state) {
    (void)state;
    EXPECT(4, 0, CALL(ALLREDUCE, 0, 0), CALL(ALLGATHER, 0, 0), CALL(ALLREDUCE, 32, 8));
    EXPECT(1, 0, CALL(ALLREDUCE, 24, 24));
}

/* ---- members with blocks of their own ---- */

/* MPI_Allgatherv and MPI_Reduce_scatter: rank r's block has first + r * step bytes. */
static void expect_blocks(uint32_t ranks, bool scatter, bool in_place, uint64_t first,
                          uint64_t step, bool is_open) {
    struct archive_maker *maker = maker_new(ranks, 1, 1000000000, 0, true);
    uint64_t sum = 0;
    for (uint32_t r = 0; r < ranks; r++)
        sum += first + r * step;
    for (uint32_t r = 0; r < ranks; r++) {
        uint64_t block = first + r * step;
        uint64_t blocks = block * (ranks - in_place), rest = sum - in_place * block;
        if (scatter)
            record(maker, r, 0, OTF2_COLLECTIVE_OP_REDUCE_SCATTER, rest, blocks);
        else
            record(maker, r, 0, OTF2_COLLECTIVE_OP_ALLGATHERV, blocks, rest);
    }
    struct program *program = archive_finish(maker, &(struct traces_config){0});
    for (uint32_t r = 0; r < ranks; r++) {
        const struct program_operation *operation = collective_of(program, r, 0);
        const struct program_collective_arguments *arguments = arguments_of(program, operation);
        assert_int_equal(scatter ? arguments->receive_bytes : arguments->send_bytes,
                         first + r * step);
        assert_int_equal(scatter ? arguments->send_bytes : arguments->receive_bytes, sum);
        assert_int_equal((operation->flags & OPERATION_FLAG_COLLECTIVE_IN_PLACE) != 0, in_place);
    }
    assert_int_equal(archive_noted(program, open_sizes), is_open ? ranks : 0);
    program_free(program);
}

static void members_decide_together(void **state) {
    (void)state;
    for (uint32_t scatter = 0; scatter < 2; scatter++) {
        for (uint32_t ranks = 2; ranks < 10; ranks++) {
            for (uint64_t step = 8 + ranks % 2 * 104; step <= 840; step += 208) {
                expect_blocks(ranks, scatter, false, 840, step, false);
                expect_blocks(ranks, scatter, true, 840, step, false);
            }
        }
        /* Equal blocks are like one size. */
        expect_blocks(4, scatter, true, 32768, 0, true);
        expect_blocks(4, scatter, false, 8 * 5, 0, false);
        expect_blocks(8, scatter, false, 72, 0, false);
    }
}

/* Rank 0 against the others, as communicator 1. */
static void define_inter(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    uint64_t members[8];
    for (uint32_t r = 0; r < ranks; r++)
        members[r] = r;
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 2, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks - 1,
                                    members + 1);
    OTF2_GlobalDefWriter_WriteInterComm(definitions, MAKER_WORLD, 0, 1, 2, OTF2_UNDEFINED_COMM,
                                        OTF2_COMM_FLAG_NONE);
}

/* Blocks go to the other group, of an MPI_Reduce_scatter_block to one's own. */
static void intercommunicators_take_the_size_of_the_group(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(4, 1, 1000000000, 0, true);
    maker_define(maker, define_inter);
    for (uint32_t r = 0; r < 4; r++) {
        uint64_t own = r == 0 ? 1 : 3, other = 4 - own;
        record(maker, r, 0, OTF2_COLLECTIVE_OP_ALLREDUCE, other * 96, other * 96);
        record(maker, r, 1, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, own * 96, own * 96);
    }
    struct program *program = archive_finish(maker, &(struct traces_config){0});
    for (uint32_t r = 0; r < 4; r++)
        for (uint32_t i = 0; i < 2; i++) {
            const struct program_operation *operation = collective_of(program, r, i);
            assert_int_equal(arguments_of(program, operation)->send_bytes, 96);
            assert_int_equal(operation->flags & OPERATION_FLAG_COLLECTIVE_IN_PLACE, 0);
        }
    assert_int_equal(archive_noted(program, open_sizes), 0);
    program_free(program);
}

/* ---- scans ---- */

/* The member in the middle of an odd number sends as much as it receives either way. */
static void expect_scan(uint32_t ranks, uint32_t in_place /* a bit per rank */, uint64_t block) {
    struct archive_maker *maker = maker_new(ranks, 1, 1000000000, 0, true);
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t r = 0; r < ranks; r++) {
            uint64_t here = in_place >> r & 1;
            record(maker, r, i, OTF2_COLLECTIVE_OP_SCAN, (ranks - r - here) * block * (i + 1),
                   (r + 1 - here) * block * (i + 1));
        }
    }
    struct program *program = archive_finish(maker, &(struct traces_config){0});
    for (uint32_t r = 0; r < ranks; r++) {
        for (uint32_t i = 0; i < 2; i++) {
            const struct program_operation *operation = collective_of(program, r, i);
            assert_int_equal(arguments_of(program, operation)->send_bytes, block * (i + 1));
            assert_int_equal(operation->flags & OPERATION_FLAG_COLLECTIVE_IN_PLACE,
                             in_place >> r & 1 ? OPERATION_FLAG_COLLECTIVE_IN_PLACE : 0);
        }
    }
    assert_int_equal(archive_noted(program, "members of a collective with other sizes"), 0);
    program_free(program);
}

static void scans_have_one_size(void **state) {
    (void)state;
    for (uint32_t ranks = 2; ranks < 10; ranks++) {
        for (uint64_t block = ranks % 2 == 0 ? 8 : 48; block < 10000; block *= 36) {
            expect_scan(ranks, 0, block);
            expect_scan(ranks, ~0u, block);
            expect_scan(ranks, 1u << (ranks / 2), block);    /* the middle alone */
            expect_scan(ranks, ~(1u << (ranks / 2)), block); /* all others */
        }
    }
}

/* ---- as recorded ---- */

static void expect_found(const char *name, program_collective_kind kind, uint64_t block,
                         bool counted) {
    char path[512];
    snprintf(path, sizeof path, "%s/traces/found/%s", ANAX_SHARED, name);
    struct program *program = archive_read(path, &(struct traces_config){0});
    unsigned found = 0;
    for (uint64_t i = 0; i < program->operation_count; i++) {
        if (program->operations[i].kind != OPERATION_COLLECTIVE) continue;
        const struct program_collective_arguments *arguments =
            arguments_of(program, &program->operations[i]);
        if (arguments->kind != kind) continue;
        if (block > 0) assert_int_equal(arguments->send_bytes, block);
        found++;
    }
    assert_true(found > 0);
    assert_int_equal(archive_noted(program, open_sizes), counted ? found : 0);
    assert_int_equal(archive_noted(program, "members of a collective with other sizes"), 0);
    program_free(program);
}

static void recorded_calls_in_place_are_found(void **state) {
    (void)state;
    if (access(ANAX_SHARED "/traces/found", R_OK) != 0) skip();
    expect_found("my_inpl_4", PROGRAM_COLLECTIVE_ALLREDUCE, 32768, true);
    expect_found("my_inpl_2", PROGRAM_COLLECTIVE_ALLREDUCE, 16384, true);
    expect_found("scan-in-place-middle-rank", PROGRAM_COLLECTIVE_SCAN, 0, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_size_alone_is_taken_as_likelier),
        cmocka_unit_test(the_only_whole_size_is_taken),
        cmocka_unit_test(sizes_of_elements_decide),
        cmocka_unit_test(other_sizes_of_the_kind_decide),
        cmocka_unit_test(blocks_of_other_collectives_decide),
        cmocka_unit_test(calls_without_data_tell_nothing),
        cmocka_unit_test(members_decide_together),
        cmocka_unit_test(intercommunicators_take_the_size_of_the_group),
        cmocka_unit_test(scans_have_one_size),
        cmocka_unit_test(recorded_calls_in_place_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
