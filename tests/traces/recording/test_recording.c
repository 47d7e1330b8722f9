/*
 * Recordings of `anax record`, written by hand: what their items become, which ranks are replayed
 * how far after a cut, which time is computation, and what damage is found.
 */
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/opened_recording.h"
#include "tests/support/traces/recording_maker.h"
#include "traces/trace_files.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct recording_maker makers[4];

static int set_up(void **state) {
    memset(makers, 0, sizeof makers);
    return scratch_folder_set_up(state);
}

_Static_assert(RECORDING_BYTES_LIMIT == PROGRAM_BYTES_LIMIT &&
                   RECORDING_OFFSET_LIMIT == PROGRAM_OFFSET_LIMIT,
               "programs have room for every access to a file that is recorded");

static void write_rank(uint32_t rank, uint32_t rank_count, recording_state how, bool as_block) {
    struct recording_header header = recording_maker_header(rank, rank_count);
    header.state = how;
    recording_maker_write(scratch_folder, header, makers[rank].bytes, makers[rank].size, as_block);
}

static struct program *open_it(const struct traces_config *config) {
    static const struct traces_config plain = {.polling_gap_ps = 100000000};
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    if (traces_open(&program, scratch_folder, config != NULL ? config : &plain, 2, NULL, NULL,
                    &status) != STATUS_OK)
        fail_msg("%s", status.text);
    if (program_check_file(program, &status) != STATUS_OK) fail_msg("%s", status.text);
    return program;
}

#define SEND_TO(rank, bytes)    RECORDING_SEND, 0, (rank), 2 * 5, (bytes), 0, 0
#define RECEIVE_OF(rank, bytes) RECORDING_RECEIVE, 0, (rank), 2 * 5, (bytes)
#define ALLREDUCE(communicator)                                                                    \
    RECORDING_COLLECTIVE, RECORDING_ALLREDUCE, (communicator), RECORDING_ROOT_NONE, 8, 8, 8, 0, 0
#define DEFINED(number, leader, ...) RECORDING_COMMUNICATOR, (number), (leader), 1, 0, __VA_ARGS__

/* ---- what items become ---- */

static void items_become_messages_and_computation(void **state) {
    (void)state;
    MAKER_ADD(&makers[0], Send, 1000, SEND_TO(1, 64));
    MAKER_ADD(&makers[0], Irecv, 10, RECORDING_POST_RECEIVE, 1);
    MAKER_ADD(&makers[0], Wait, 20, RECORDING_RECEIVED, 1, 0, 1, 2 * 9, 32);
    MAKER_ADD(&makers[1], Recv, 500, RECEIVE_OF(0, 64));
    MAKER_ADD(&makers[1], Issend, 7, RECORDING_SEND, 0, 0, 2 * 9, 32, RECORDING_SYNCHRONOUS, 3);
    MAKER_ADD(&makers[1], Wait, 0, RECORDING_DONE, 3);
    write_rank(0, 2, RECORDING_COMPLETE, false);
    write_rank(1, 2, RECORDING_COMPLETE, true);
    struct program *program = open_it(NULL);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(totals.messages, 2);
    assert_int_equal(program->unmatched_sends + program->unmatched_receives, 0);
    assert_true(totals.message_bytes == 96);
    assert_true(totals.compute_ps == 1537 * 1000);
    assert_int_equal(count_of_note(program, "ranks that were cut"), 0);
    const struct program_operation *operation = program->operations + program->ranks[1].first;
    while (operation->kind != OPERATION_SEND)
        operation++;
    assert_int_equal(operation->flags, OPERATION_FLAG_SEND_SYNCHRONOUS);
    program_free(program);
}

/* On a ring of two ranks each rank is both neighbours of the other one, with messages of different
 * sizes: what goes in the negative direction arrives from the positive one. */
static void a_ring_of_two_keeps_its_directions(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 2; rank++) {
        const uint64_t other = 1 - rank;
        MAKER_ADD(&makers[rank], Ineighbor_alltoallv, 0, RECORDING_NEIGHBOURS, 0, 1, 2, 2, /**/
                  other, 2, 200, other, 1, 100, /* receives: from negative, from positive */
                  other, 1, 100, other, 2, 200);
        MAKER_ADD(&makers[rank], Wait, 0, RECORDING_DONE, 1);
        write_rank((uint32_t)rank, 2, RECORDING_COMPLETE, false);
    }
    struct program *program = open_it(NULL);
    assert_int_equal(program->unmatched_sends, 0);
    const struct program_operation *all = program->operations;
    for (uint64_t i = 0; i < program->operation_count; i++) {
        if (all[i].kind != OPERATION_SEND) continue;
        const struct program_operation *found = all + program->ranks[all[i].message.peer].first;
        for (uint32_t number = 0;; found++) {
            if (found->kind != OPERATION_RECEIVE) continue;
            if (number++ == all[i].message.match) break;
        }
        assert_int_equal(found->bytes, all[i].bytes);
    }
    program_free(program);
}

static void communicators_are_joined_by_name(void **state) {
    (void)state;
    for (uint32_t rank = 0; rank < 3; rank++) {
        if (rank < 2)
            MAKER_ADD(&makers[rank], Comm_split, 0, DEFINED(2, 0, 2, 0, 1, 0), ALLREDUCE(2));
        else
            MAKER_ADD(&makers[rank], Comm_split, 0, DEFINED(2, 2, 1, 0, 2), ALLREDUCE(2));
        MAKER_ADD(&makers[rank], Comm_set_name, 0, RECORDING_NAME, 2, 2, 'a', 'b' + rank / 2);
        write_rank(rank, 3, RECORDING_COMPLETE, false);
    }
    struct program *program = open_it(NULL);
    assert_int_equal(program->communicator_count, 4);
    assert_string_equal(program_text(program, program->communicators[2].name), "ab");
    assert_string_equal(program_text(program, program->communicators[3].name), "ac");
    assert_int_equal(program_member(program, 2, 0, 0), 1);
    program_free(program);
    MAKER_ADD(&makers[1], Comm_split, 0, RECORDING_COMMUNICATOR, 3, 2, 1, 0, 2, 0, 1, 0);
    write_rank(1, 3, RECORDING_COMPLETE, false);
    expect_refused("disagree on the members of a communicator");
}

static void windows_and_locks_become_operations(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 2; rank++) {
        struct recording_maker *maker = &makers[rank];
        MAKER_ADD(maker, Win_create, 0, RECORDING_WINDOW, 0, 0, RECORDING_WINDOW_SYNC, 0);
        MAKER_ADD(maker, Win_lock, 0, RECORDING_LOCK, 0, 2, 1);
        MAKER_ADD(maker, Put, 0, RECORDING_RMA, 0, 1, 24, RECORDING_WRITES, 0);
        MAKER_ADD(maker, Win_unlock, 0, RECORDING_RMA_DONE, 0, 2, RECORDING_UNLOCK, 0, 2);
        MAKER_ADD(maker, Win_free, 0, RECORDING_WINDOW_SYNC, 0);
        write_rank((uint32_t)rank, 2, RECORDING_COMPLETE, false);
    }
    struct program *program = open_it(NULL);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_true(totals.rma_bytes == 48);
    assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_WINDOW][0], 4);
    program_free(program);
    MAKER_ADD(&makers[1], Win_unlock, 0, RECORDING_UNLOCK, 0, 1);
    write_rank(1, 2, RECORDING_COMPLETE, false);
    expect_refused("record 5 (MPI_Win_unlock): its one-sided items are damaged");
}

static void one_sided_operations_write_or_read(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 2; rank++) {
        struct recording_maker *maker = &makers[rank];
        MAKER_ADD(maker, Win_create, 0, RECORDING_WINDOW, 0, 0, RECORDING_WINDOW_SYNC, 0);
        MAKER_ADD(maker, Put, 0, RECORDING_RMA, 0, 1, 24, rank == 0 ? RECORDING_WRITES : 0, 0);
        write_rank((uint32_t)rank, 2, RECORDING_COMPLETE, false);
    }
    expect_refused("record 1 (MPI_Put): its one-sided items are damaged");
}

/* Ranks that open the same name share the file; a request is waited for where it was. */
static void files_of_one_name_are_shared(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 2; rank++) {
        struct recording_maker *maker = &makers[rank];
        if (rank == 1) MAKER_ADD(maker, File_open, 0, RECORDING_FILE, 0, 1, 'b');
        MAKER_ADD(maker, File_open, 0, RECORDING_FILE, rank, 1, 'a', RECORDING_FILE_BYTES, 0, 0);
        MAKER_ADD(maker, File_write_at_all, 0, RECORDING_FILE_ACCESS, rank, 0,
                  RECORDING_FILE_WRITES | RECORDING_FILE_COLLECTIVE, 100 * rank, 100,
                  RECORDING_FILE_BYTES, 0, 100);
        MAKER_ADD(maker, File_iread, 0, RECORDING_FILE_ACCESS, rank, 3, 0, 4096, 8);
        MAKER_ADD(maker, Wait, 0, RECORDING_DONE, 3);
        write_rank((uint32_t)rank, 2, RECORDING_COMPLETE, false);
    }
    struct program *program = open_it(NULL);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(program->file_count, 2);
    assert_string_equal(program_text(program, program->files[0].name), "a");
    assert_int_equal(totals.file_accesses[0] + totals.file_accesses[1], 4);
    assert_true(totals.file_bytes[0] == 16 && totals.file_bytes[1] == 200);
    assert_int_equal(count_of_note(program, "MPI-IO"), 2); /* opened, and not accessed */
    for (uint64_t i = 0; i < program->operation_count; i++) {
        const struct program_operation *operation = &program->operations[i];
        if (operation->kind != OPERATION_FILE) continue;
        assert_int_equal(operation->file.index, 0);
        assert_int_not_equal(operation->file.slot, PROGRAM_NONE);
    }
    program_free(program);
    MAKER_ADD(&makers[1], File_write, 0, RECORDING_FILE_ACCESS, 2, 0, 0, 0, 8);
    write_rank(1, 2, RECORDING_COMPLETE, false);
    expect_refused("record 5 (MPI_File_write): its items are damaged");
}

/* A recording of version 1 has no items of files. */
static void version_1_is_read(void **state) {
    (void)state;
    struct recording_header header = recording_maker_header(0, 1);
    MAKER_ADD(&makers[0], File_write, 5, RECORDING_FILE_BYTES, 0, 100);
    header.version = 1;
    header.state = RECORDING_COMPLETE;
    recording_maker_write(scratch_folder, header, makers[0].bytes, makers[0].size, false);
    struct program *program = open_it(NULL);
    assert_int_equal(program->file_count, 0);
    assert_int_equal(count_of_note(program, "MPI-IO"), 1);
    program_free(program);
    header.version = RECORDING_VERSION + 1;
    recording_maker_write(scratch_folder, header, makers[0].bytes, makers[0].size, false);
    expect_refused("this program reads versions 1 to 5");
}

/* Failed tests count as waiting if a test that succeeds ends them. */
static void polls_are_waiting(void **state) {
    (void)state;
    MAKER_ADD(&makers[0], Irecv, 0, RECORDING_POST_RECEIVE, 1);
    MAKER_ADD(&makers[0], Test, 1000, RECORDING_POLLS, 1);
    MAKER_ADD(&makers[0], Test, 5000, RECORDING_POLLS, 10);
    MAKER_ADD(&makers[0], Test, 300, RECORDING_RECEIVED, 1, 0, 0, 2 * 5, 8);
    MAKER_ADD(&makers[0], Test, 40, RECORDING_POLLS, 1);
    MAKER_ADD(&makers[0], Iprobe, 2, RECORDING_POLLS, 1);
    MAKER_ADD(&makers[0], Send, 1, SEND_TO(0, 8));
    write_rank(0, 1, RECORDING_COMPLETE, false);
    struct program *program = open_it(NULL);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_true(totals.compute_ps == (1000 + 40 + 2 + 1) * 1000);
    program_free(program);
}

/* ---- which time is computation ---- */

static void processor_time_counts_where_ranks_take_turns(void **state) {
    (void)state;
    static const uint64_t send[] = {SEND_TO(0, 8), MAKER_END};
    struct traces_config config = {0};
    for (uint32_t ranks = 1; ranks <= 2; ranks++) {
        for (uint32_t rank = 0; rank < ranks; rank++) {
            makers[rank].size = 0;
            recording_maker_add(&makers[rank], RECORDING_CALL_Send, 9000, 4000, send);
            write_rank(rank, ranks, RECORDING_COMPLETE, false);
        }
        for (config.computation = 0; config.computation < 3; config.computation++) {
            struct program *program = open_it(&config);
            struct program_totals totals;
            program_totals_compute(program, &totals);
            const bool by_processor =
                config.computation == TRACES_TIME_PROCESSOR ||
                (config.computation == TRACES_TIME_AUTO && ranks == 2); /* one processor */
            assert_true(totals.compute_ps == ranks * (by_processor ? 4000u : 9000u) * 1000u);
            assert_int_equal(count_of_note(program, "ranks whose computation is processor time"),
                             by_processor ? ranks : 0);
            program_free(program);
        }
    }
}

/* Calls of several threads are written in the order of their ends. The time of a rank does not go
 * back behind the mark of a user region of another thread. */
static void threads_follow_marks(void **state) {
    (void)state;
    const unsigned second = RECORDING_CALLS_LIMIT; /* of another thread */
    MAKER_ADD(&makers[0], Allreduce, 1000, ALLREDUCE(0));
    MAKER_ADD(&makers[0], Mark, 5000, RECORDING_REGION, 0, 4, 's', 't', 'e', 'p', RECORDING_ENTER,
              0);
    recording_maker_add(&makers[0], (recording_call)(RECORDING_CALL_Allreduce + second), 10, -1,
                        (const uint64_t[]){ALLREDUCE(0), MAKER_END});
    MAKER_ADD(&makers[0], Mark, 5000, RECORDING_LEAVE);
    write_rank(0, 1, RECORDING_COMPLETE, false);
    const struct traces_config config = {.polling_gap_ps = 100000000, .user_regions = true};
    struct program *program = open_it(&config);
    const struct program_operation *operation = program->operations + program->ranks[0].first;
    int64_t last_ps = INT64_MIN;
    uint32_t marks = 0;
    for (uint64_t i = 0; i < program->ranks[0].count; i++, operation++) {
        if (!program_is_mark(operation)) continue;
        assert_true(operation->mark.trace_ps >= last_ps);
        last_ps = operation->mark.trace_ps;
        marks++;
    }
    assert_int_equal(marks, 6);
    assert_true(last_ps >= 11000 * 1000);
    program_free(program);
}

/* ---- recordings that were cut ---- */

/* Rank 2 was killed before its third allreduce, which rank 0 and 1 have begun; so they end there,
 * and rank 1 does not come to its allreduce with rank 0 after that. */
static void ranks_end_where_others_were_cut(void **state) {
    (void)state;
    for (uint32_t rank = 0; rank < 3; rank++) {
        struct recording_maker *maker = &makers[rank];
        if (rank < 2) MAKER_ADD(maker, Comm_split, 0, DEFINED(2, 0, 2, 0, 0, 1));
        MAKER_ADD(maker, Allreduce, 0, ALLREDUCE(0));
        MAKER_ADD(maker, Allreduce, 0, ALLREDUCE(0));
        if (rank == 2) MAKER_ADD(maker, Send, 0, SEND_TO(0, 1));
        if (rank == 0) MAKER_ADD(maker, Allreduce, 0, ALLREDUCE(2));
        if (rank < 2) MAKER_ADD(maker, Allreduce, 0, ALLREDUCE(0));
        if (rank == 1) MAKER_ADD(maker, Allreduce, 0, ALLREDUCE(2));
        write_rank(rank, 3, rank == 2 ? RECORDING_RUNS : RECORDING_COMPLETE, false);
    }
    struct program *program = open_it(NULL);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_ALLREDUCE][0], 6);
    assert_int_equal(program->unmatched_sends, 1);
    assert_int_equal(count_of_note(program, "ranks that were cut"), 1);
    program_free(program);
}

static void receives_in_flight_are_dropped(void **state) {
    (void)state;
    MAKER_ADD(&makers[0], Irecv, 0, RECORDING_POST_RECEIVE, 1);
    MAKER_ADD(&makers[0], Ibarrier, 0, RECORDING_COLLECTIVE, RECORDING_BARRIER, 0, 0, 0, 0, 0, 0,
              2);
    write_rank(0, 1, RECORDING_ABORTED, false);
    struct program *program = open_it(NULL);
    assert_int_equal(count_of_note(program, "receives that never completed"), 1);
    program_free(program);
}

static void calls_with_unknown_handles_are_counted(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        MAKER_ADD(&makers[0], Send, 0, RECORDING_UNKNOWN, RECORDING_UNKNOWN_COMMUNICATOR);
    MAKER_ADD(&makers[0], Startall, 0, RECORDING_UNKNOWN, RECORDING_UNKNOWN_REQUEST,
              RECORDING_UNKNOWN, RECORDING_UNKNOWN_REQUEST);
    MAKER_ADD(&makers[0], Comm_connect, 0, RECORDING_FOREIGN);
    write_rank(0, 1, RECORDING_COMPLETE, false);
    struct program *program = open_it(NULL);
    assert_int_equal(count_of_note(program, "calls on unknown communicators"), 3);
    assert_int_equal(count_of_note(program, "starts of unknown requests"), 2);
    assert_int_equal(count_of_note(program, "calls with other processes"), 1);
    program_free(program);
}

/* ---- faults ---- */

static void write_small(void) {
    MAKER_ADD(&makers[0], Send, 1, SEND_TO(0, 8));
    MAKER_ADD(&makers[0], Recv, 1, RECEIVE_OF(0, 8));
}

static void damage_is_found(void **state) {
    (void)state;
    char path[64];
    write_small();
    snprintf(path, sizeof path, "%s/rank-000000.rec", scratch_folder);
    const long block = RECORDING_HEADER_BYTES + RECORDING_TAIL_BYTES;
    static const long header_places[] = {0, 8, 12, 16, 24, 60, 200, 300};
    for (size_t i = 0; i < 8 + 40; i++) {
        write_rank(0, 1, RECORDING_COMPLETE, true);
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        long place = i < 8 ? header_places[i] : block + (long)i - 8;
        assert_int_equal(fseek(file, place, SEEK_SET), 0);
        int byte = fgetc(file);
        assert_int_equal(fseek(file, place, SEEK_SET), 0);
        assert_true(fputc(byte ^ 0x41, file) != EOF);
        assert_int_equal(fclose(file), 0);
        expect_refused("rank-000000.rec");
    }
    write_rank(0, 1, RECORDING_COMPLETE, true);
    assert_int_equal(truncate(path, block + 10), 0);
    expect_refused("ends too early");
}

/* A computer that failed: what a file without an end holds before the damage is read. */
static void files_without_an_end_are_read_up_to_the_damage(void **state) {
    (void)state;
    char path[64];
    write_small();
    snprintf(path, sizeof path, "%s/rank-000000.rec", scratch_folder);
    const size_t whole = makers[0].size;
    makers[0].bytes[makers[0].size++] = 0;
    makers[0].bytes[makers[0].size++] = 0; /* an empty signature */
    write_rank(0, 1, RECORDING_COMPLETE, false);
    expect_refused("record 2 is damaged");
    write_rank(0, 1, RECORDING_RUNS, false);
    struct program *program = open_it(NULL);
    assert_int_equal(program->event_count, 2);
    assert_int_equal(count_of_note(program, "ranks that were cut"), 1);
    program_free(program);
    makers[0].size = whole;
    write_rank(0, 1, RECORDING_RUNS, true);
    assert_int_equal(truncate(path, RECORDING_HEADER_BYTES + RECORDING_TAIL_BYTES + 10), 0);
    expect_refused("ends too early"); /* nothing before it */
}

#define COLLECTIVE_OF(kind, sent, received, element)                                               \
    RECORDING_COLLECTIVE, RECORDING_##kind, 0, 0, sent, received, element, 0, 0
#define ALLTOALLV_OF(sent, received) COLLECTIVE_OF(ALLTOALLV, sent, received, 1)

/* The sizes of single messages and of elements are those of the program. */
static void sizes_of_pairs_and_elements_are_kept(void **state) {
    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++) {
        MAKER_ADD(&makers[rank], Alltoallv, 1, ALLTOALLV_OF(10, 10), RECORDING_SIZES, 2, 3 + rank,
                  7 - rank);
        MAKER_ADD(&makers[rank], Allreduce, 1, COLLECTIVE_OF(ALLREDUCE, 24, 24, 4));
        MAKER_ADD(&makers[rank], Bcast, 1, RECORDING_COLLECTIVE, RECORDING_BCAST, 0,
                  RECORDING_ROOT_FIRST, 24, 24, 4, 0, 0);
        write_rank(rank, 2, RECORDING_COMPLETE, rank == 1);
    }
    struct program *program = open_it(NULL);
    unsigned found = 0;
    for (uint64_t i = 0; i < program->operation_count; i++) {
        const struct program_operation *operation = &program->operations[i];
        if (operation->kind != OPERATION_COLLECTIVE) continue;
        const uint32_t rank = i >= program->ranks[1].first;
        uint32_t count = 0;
        const uint64_t *row = program_bytes_to_members(program, operation, rank, &count);
        if (row != NULL) {
            assert_int_equal(count, 2);
            assert_int_equal(row[0], 3 + rank);
            assert_int_equal(row[1], 7 - rank);
        } else {
            assert_int_equal(operation->element_bytes, found % 3 == 1 ? 4 : 0);
        }
        found++;
    }
    assert_int_equal(found, 6);
    program_free(program);
}

static void wrong_items_are_refused(void **state) {
    (void)state;
    static const struct {
        uint64_t words[20];
        const char *text;
    } cases[] = {
        {{RECORDING_SEND, 0, 0, 2, 8, RECORDING_READY, 0, MAKER_END}, "damaged"}, /* of MPI_Rsend */
        {{SEND_TO(9, 8), MAKER_END}, "damaged"},                                  /* no such rank */
        {{RECORDING_SEND, 7, 0, 0, 8, 0, 0, MAKER_END}, "damaged"},  /* no such communicator */
        {{RECORDING_SEND, 0, 0, MAKER_END}, "damaged"},              /* words are missing */
        {{1000, 0, MAKER_END}, "damaged"},                           /* no such item */
        {{RECORDING_DONE, 5, MAKER_END}, "damaged"},                 /* no such request */
        {{RECORDING_RECEIVED, 4, 0, 0, 0, 8, MAKER_END}, "damaged"}, /* never posted */
        {{RECORDING_SEND, 0, 0, 1, 8, 0, 0, MAKER_END}, "damaged"},  /* a negative tag */
        {{DEFINED(4, 0, 1, 0, 0), MAKER_END}, "communicator is damaged"},
        {{DEFINED(2, 0, 1, 0, 9), MAKER_END}, "communicator is damaged"},
        {{RECORDING_RMA, 0, 0, 8, 1, 0, MAKER_END}, "one-sided items are damaged"},
        {{RECORDING_REGION, 3, 1, 'a', MAKER_END}, "region is damaged"},
        {{RECORDING_COLLECTIVE, 99, 0, 0, 0, 0, 0, 0, 0, MAKER_END}, "damaged"},
        /* MPI_ROOT, which has a meaning on intercommunicators only */
        {{RECORDING_COLLECTIVE, RECORDING_BCAST, 0, RECORDING_ROOT_SELF, 8, 8, 8, 0, 0, MAKER_END},
         "damaged"},
        {{RECORDING_UNKNOWN, RECORDING_UNKNOWNS, MAKER_END}, "damaged"},
        {{RECORDING_SIZES, 1000, MAKER_END}, "damaged"},
        {{RECORDING_SIZES, 1, 8, MAKER_END}, "sizes that belong to no collective"},
        {{ALLTOALLV_OF(8, 8), RECORDING_SIZES, 2, 4, 4, MAKER_END}, "2 sizes for 1 members"},
        {{ALLTOALLV_OF(8, 8), RECORDING_SIZES, 1, 9, MAKER_END}, "add up to more than it sends"},
        {{ALLTOALLV_OF(8, 8), RECORDING_SIZES, 1, 7, MAKER_END}, "1 bytes less than it sends"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        makers[0].size = 0;
        recording_maker_add(&makers[0], RECORDING_CALL_Send, 1, -1, cases[i].words);
        write_rank(0, 1, RECORDING_COMPLETE, false);
        expect_refused(cases[i].text);
        expect_refused("record 0 (MPI_Send)");
    }
}

static void files_belong_to_the_trace(void **state) {
    (void)state;
    char path[SCRATCH_FOLDER_BYTES + 32];
    struct stat file;
    write_rank(0, 1, RECORDING_COMPLETE, true);
    snprintf(path, sizeof path, "%s/rank-000000.rec", scratch_folder);
    assert_int_equal(stat(path, &file), 0);
    assert_true(trace_files_have(scratch_folder, &file));
    snprintf(path, sizeof path, "%s/report.html", scratch_folder);
    FILE *other = fopen(path, "w");
    assert_non_null(other);
    fclose(other);
    assert_int_equal(stat(path, &file), 0);
    assert_false(trace_files_have(scratch_folder, &file));
    assert_int_equal(stat(scratch_folder, &file), 0);
    assert_false(trace_files_have(scratch_folder, &file));
}

static void folders_of_several_runs_are_refused(void **state) {
    (void)state;
    write_small();
    write_rank(0, 2, RECORDING_COMPLETE, false);
    expect_refused("a recording of 2 ranks lacks rank 1");
    struct recording_header header = recording_maker_header(1, 2);
    header.run = 8;
    recording_maker_write(scratch_folder, header, makers[0].bytes, makers[0].size, 0);
    expect_refused("belongs to another run");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(items_become_messages_and_computation, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(a_ring_of_two_keeps_its_directions, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(communicators_are_joined_by_name, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(windows_and_locks_become_operations, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(one_sided_operations_write_or_read, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(files_of_one_name_are_shared, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(version_1_is_read, set_up, scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(polls_are_waiting, set_up, scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(processor_time_counts_where_ranks_take_turns, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(threads_follow_marks, set_up, scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(ranks_end_where_others_were_cut, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(receives_in_flight_are_dropped, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(calls_with_unknown_handles_are_counted, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(damage_is_found, set_up, scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(files_without_an_end_are_read_up_to_the_damage, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(sizes_of_pairs_and_elements_are_kept, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(wrong_items_are_refused, set_up, scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(files_belong_to_the_trace, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(folders_of_several_runs_are_refused, set_up,
                                        scratch_folder_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
