/*
 * Non-blocking collectives that left no record, guessed: which collectives, on which communicator,
 * of which size, and what waits for them.
 */
#include "tests/support/traces/archive_world.h"

#include <stdio.h>
#include <unistd.h>

static const char guessed_note[] = "non-blocking collectives guessed";

static const struct traces_config off = {.polling_gap_ps = 100000000, .guess_bytes = 64},
                                  world = {.polling_gap_ps = 100000000,
                                           .guess = TRACES_GUESS_WORLD,
                                           .guess_bytes = 64},
                                  last = {.polling_gap_ps = 100000000,
                                          .guess = TRACES_GUESS_LAST,
                                          .guess_bytes = 64};

/* What a rank does: ( a call, C a collective, B a blocking one, W a wait for so many, ) its end, a
 * number of ns for computation. */
static const char *shape(const struct program *program, uint32_t rank) {
    static char text[1024];
    size_t length = 0;
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint64_t i = rank_entry->first; i + 1 < rank_entry->first + rank_entry->count; i++) {
        const struct program_operation *operation = &program->operations[i];
        char *to = text + length;
        size_t room = sizeof text - length;
        if (operation->kind == OPERATION_COMPUTE)
            length += (size_t)snprintf(to, room, " %lld ",
                                       (long long)operation->compute.duration_ps / 1000);
        else if (operation->kind == OPERATION_WAIT)
            length += (size_t)snprintf(to, room, "W%u", operation->wait.count);
        else if (operation->kind == OPERATION_COLLECTIVE)
            length += (size_t)snprintf(
                to, room, "%s", operation->flags & OPERATION_FLAG_COLLECTIVE_BLOCKING ? "B" : "C");
        else
            length += (size_t)snprintf(to, room, "%s",
                                       operation->kind == OPERATION_CALL     ? "("
                                       : operation->kind == OPERATION_RETURN ? ")"
                                                                             : "?");
    }
    text[length] = '\0';
    return text;
}

/* Calls without a record, each of 10 ns, 100 ns after the one before. */
static void script(struct archive_maker *maker, uint32_t rank, const char *const *calls) {
    uint64_t now = 0;
    for (; *calls != NULL; calls++, now += 110)
        maker_call(maker, maker_events(maker, rank, 0), now, now + 10, *calls);
}

static struct archive_maker *all_ranks(uint32_t ranks, const char *const *calls) {
    struct archive_maker *maker = maker_new(ranks, 1, 1000000000, 0, true);
    for (uint32_t rank = 0; rank < ranks; rank++)
        script(maker, rank, calls);
    return maker;
}

#define CALLS(...)                                                                                 \
    (const char *const[]) {                                                                        \
        __VA_ARGS__, NULL                                                                          \
    }

static void expect_shape(const char *const *calls, const char *without, const char *with,
                         uint64_t count) {
    struct program *program = archive_finish(all_ranks(3, calls), &off);
    assert_string_equal(shape(program, 1), without);
    assert_int_equal(archive_noted(program, guessed_note), 0);
    program_free(program);
    program = archive_finish(all_ranks(3, calls), &world);
    assert_string_equal(shape(program, 1), with);
    assert_int_equal(archive_noted(program, guessed_note), 3 * count);
    assert_int_equal(archive_noted(program, "MPI_Iallreduce"), 0);
    program_free(program);
}

/* A wait ends the oldest, MPI_Waitall all, MPI_Finalize the rest. */
static void waits_end_guessed_collectives(void **state) {
    (void)state;
    expect_shape(CALLS("MPI_Iallreduce", "MPI_Comm_rank", "MPI_Wait", "MPI_Wait"), "() 200 () 100 ",
                 "(C) 200 (W1) 100 ", 1);
    expect_shape(CALLS("MPI_Iallreduce", "MPI_Ibarrier", "MPI_Wait", "MPI_Waitany", "MPI_Finalize"),
                 "() 100 () 100 () 100 () 100 ()", "(C) 100 (C) 100 (W1) 100 (W1) 100 ()", 2);
    expect_shape(CALLS("MPI_Iallreduce", "MPI_Iallreduce", "MPI_Waitall", "MPI_Waitall"),
                 "() 100 () 100 () 100 ", "(C) 100 (C) 100 (W2) 100 ", 2);
    expect_shape(CALLS("MPI_Iallreduce", "MPI_Finalize"), "() 100 ()", "(C) 100 (W1)", 1);
    /* Other requests without a record have their places among them. */
    expect_shape(CALLS("MPI_File_iwrite", "MPI_Iallreduce", "MPI_Wait", "MPI_Wait"),
                 "() 100 () 100 () 100 ()", "() 100 (C) 100 () 100 (W1)", 1);
    /* A program that was cut off before it waited. */
    expect_shape(CALLS("MPI_Iallreduce"), "()", "(C)", 1);
}

/* A run of tests goes on until one succeeds, unless a wait comes after it. */
static void tests_end_guessed_collectives(void **state) {
    (void)state;
    expect_shape(CALLS("MPI_Iallreduce", "MPI_Test", "MPI_Test", "MPI_Comm_rank", "MPI_Finalize"),
                 "() 400 ()", "(C) 100 (W1) 200 ()", 1);
    expect_shape(CALLS("MPI_Iallreduce", "MPI_Test", "MPI_Test", "MPI_Wait", "MPI_Finalize"),
                 "() 300 () 100 ()", "(C) 300 (W1) 100 ()", 1);
    expect_shape(
        CALLS("MPI_Iallreduce", "MPI_Iprobe", "MPI_Test", "MPI_Iprobe", "MPI_Test", "MPI_Finalize"),
        "() 500 ()", "(C) 100 (W1) 100 ()", 1);
}

/* Sizes of every kind; what is guessed can be replayed (tests/api/results/test_warnings.c). */
static void sizes_follow_the_setting(void **state) {
    (void)state;
    static const struct {
        const char *name;
        program_collective_kind kind;
        uint64_t root_sends, root_receives, sends, receives;
    } rows[] = {
        {"MPI_Ibarrier", PROGRAM_COLLECTIVE_BARRIER, 0, 0, 0, 0},
        {"MPI_Ibcast", PROGRAM_COLLECTIVE_BCAST, 64, 64, 64, 64},
        {"MPI_Igather", PROGRAM_COLLECTIVE_GATHER, 64, 64, 64, 64},
        {"MPI_Igatherv", PROGRAM_COLLECTIVE_GATHERV, 64, 192, 64, 0},
        {"MPI_Iscatter", PROGRAM_COLLECTIVE_SCATTER, 64, 64, 64, 64},
        {"MPI_Iscatterv", PROGRAM_COLLECTIVE_SCATTERV, 192, 64, 0, 64},
        {"MPI_Iallgather", PROGRAM_COLLECTIVE_ALLGATHER, 64, 64, 64, 64},
        {"MPI_Iallgatherv", PROGRAM_COLLECTIVE_ALLGATHERV, 64, 192, 64, 192},
        {"MPI_Ialltoall", PROGRAM_COLLECTIVE_ALLTOALL, 64, 64, 64, 64},
        {"MPI_Ialltoallv", PROGRAM_COLLECTIVE_ALLTOALLV, 192, 192, 192, 192},
        {"MPI_Ialltoallw", PROGRAM_COLLECTIVE_ALLTOALLW, 192, 192, 192, 192},
        {"MPI_Iallreduce", PROGRAM_COLLECTIVE_ALLREDUCE, 64, 64, 64, 64},
        {"MPI_Iallreduce_c", PROGRAM_COLLECTIVE_ALLREDUCE, 64, 64, 64, 64},
        {"MPI_Ireduce", PROGRAM_COLLECTIVE_REDUCE, 64, 64, 64, 64},
        {"MPI_Ireduce_scatter", PROGRAM_COLLECTIVE_REDUCE_SCATTER, 192, 64, 192, 64},
        {"MPI_Ireduce_scatter_block", PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK, 64, 64, 64, 64},
        {"MPI_Iscan", PROGRAM_COLLECTIVE_SCAN, 64, 64, 64, 64},
        {"MPI_Iexscan", PROGRAM_COLLECTIVE_EXSCAN, 64, 64, 64, 64},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct program *program =
            archive_finish(all_ranks(3, CALLS(rows[i].name, "MPI_Wait")), &world);
        assert_int_equal(program->note_count, 1);
        for (uint32_t rank = 0; rank < 3; rank++) {
            const struct program_operation *operation =
                &program->operations[program->ranks[rank].first + 1];
            assert_int_equal(operation->kind, OPERATION_COLLECTIVE);
            const struct program_collective_arguments *arguments =
                &program->collective_arguments[operation->collective.arguments];
            assert_int_equal(arguments->kind, rows[i].kind);
            assert_int_equal(arguments->send_bytes, rank == 0 ? rows[i].root_sends : rows[i].sends);
            assert_int_equal(arguments->receive_bytes,
                             rank == 0 ? rows[i].root_receives : rows[i].receives);
        }
        program_free(program);
    }
    /* What is not one of them is not guessed. */
    struct program *program = archive_finish(
        all_ranks(3, CALLS("MPI_Ineighbor_alltoall", "MPI_Bcast", "MPI_Intercomm_create")), &world);
    assert_int_equal(archive_noted(program, guessed_note), 0);
    assert_int_equal(program->note_count, 3);
    program_free(program);
}

/* Communicators 3 and 4, of ranks 0 and 1, and of 2 and 3. */
static void define_halves(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    static const uint64_t members[] = {0, 1, 2, 3};
    for (uint32_t group = 0; group < 4; group++)
        OTF2_GlobalDefWriter_WriteGroup(definitions, group, 0,
                                        group == 0 ? OTF2_GROUP_TYPE_COMM_LOCATIONS
                                                   : OTF2_GROUP_TYPE_COMM_GROUP,
                                        OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                        group < 2 ? ranks : 2, group == 3 ? members + 2 : members);
    for (uint32_t group = 1; group < 4; group++)
        OTF2_GlobalDefWriter_WriteComm(definitions, group == 1 ? MAKER_WORLD : group + 1, 0, group,
                                       OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static void allreduce(struct archive_maker *maker, uint32_t rank, uint64_t ticks,
                      uint32_t communicator) {
    OTF2_EvtWriter *events = maker_events(maker, rank, 0);
    maker_enter(maker, events, ticks, "MPI_Allreduce");
    OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, ticks, OTF2_COLLECTIVE_OP_ALLREDUCE, communicator,
                                    OTF2_COLLECTIVE_ROOT_NONE, 10, 10);
    maker_leave(maker, events, ticks, "MPI_Allreduce");
}

/* Each half reduces as often as it likes. */
static struct archive_maker *halves(void) {
    struct archive_maker *maker = maker_new(4, 1, 1000000000, 0, true);
    maker_define(maker, define_halves);
    for (uint32_t rank = 0; rank < 4; rank++) {
        OTF2_EvtWriter *events = maker_events(maker, rank, 0);
        allreduce(maker, rank, 0, rank < 2 ? 3 : 4);
        for (uint64_t i = 0; i < (rank < 2 ? 1 : 2); i++) {
            maker_call(maker, events, 10 * i + 1, 10 * i + 2, "MPI_Iallreduce");
            maker_call(maker, events, 10 * i + 3, 10 * i + 4, "MPI_Wait");
        }
    }
    return maker;
}

static void refuse(struct archive_maker *maker, const struct traces_config *config,
                   const char *words) {
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    assert_int_equal(traces_open(&program, maker_finish(maker), config, 2, NULL, NULL, &status),
                     STATUS_INPUT);
    if (strstr(status.text, words) == NULL) fail_msg("\"%s\" does not say %s", status.text, words);
    status_clear(&status);
    maker_free(maker);
}

static void communicators_of_guesses_follow_the_setting(void **state) {
    (void)state;
    struct program *program = archive_finish(halves(), &last);
    assert_int_equal(archive_noted(program, guessed_note), 6);
    assert_string_equal(shape(program, 0), "(B) 1 (C) 1 (W1)");
    assert_string_equal(shape(program, 3), "(B) 1 (C) 1 (W1) 7 (C) 1 (W1)");
    program_free(program);
    refuse(halves(), &world,
           "trace.guess_collectives=world: rank 2 calls 2 non-blocking collectives that left no "
           "record, rank 0 calls 1");
}

/* Ranks must agree on kinds too, and on what comes between. */
static void guesses_of_ranks_must_line_up(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(2, 1, 1000000000, 0, true);
    script(maker, 0, CALLS("MPI_Iallreduce", "MPI_Wait"));
    script(maker, 1, CALLS("MPI_Ibarrier", "MPI_Wait"));
    refuse(maker, &world, "with 2 collectives guessed (trace.guess_collectives=world");
    maker = maker_new(2, 1, 1000000000, 0, true);
    for (uint32_t rank = 0; rank < 2; rank++) {
        if (rank == 0) allreduce(maker, rank, 0, MAKER_WORLD);
        maker_call(maker, maker_events(maker, rank, 0), 1, 2, "MPI_Iallreduce");
        if (rank == 1) allreduce(maker, rank, 3, MAKER_WORLD);
        maker_call(maker, maker_events(maker, rank, 0), 4, 5, "MPI_Wait");
    }
    refuse(maker, &world, "but rank 0's is blocking");
}

static void guesses_in_recordings_are_as_many_as_counted(void **state) {
    (void)state;
    static const char path[] = ANAX_SHARED "/traces/public/sstmacro-otf2";
    if (access(path, R_OK) != 0) skip();
    const struct traces_config *configs[] = {&world, &last};
    for (size_t i = 0; i < 2; i++) {
        struct program *program = archive_read(path, configs[i]);
        assert_int_equal(archive_noted(program, guessed_note), 1080);
        struct program_totals totals;
        program_totals_compute(program, &totals);
        static const uint32_t kinds[] = {PROGRAM_COLLECTIVE_ALLREDUCE, PROGRAM_COLLECTIVE_ALLTOALL,
                                         PROGRAM_COLLECTIVE_ALLGATHER};
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(totals.collectives[kinds[k]][1], 360);
        program_free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_end_guessed_collectives),
        cmocka_unit_test(tests_end_guessed_collectives),
        cmocka_unit_test(sizes_follow_the_setting),
        cmocka_unit_test(communicators_of_guesses_follow_the_setting),
        cmocka_unit_test(guesses_of_ranks_must_line_up),
        cmocka_unit_test(guesses_in_recordings_are_as_many_as_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
