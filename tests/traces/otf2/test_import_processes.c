/* Several processes read a trace together: the program, the notes and the refusals of one process.
 */
#include "tests/support/core/process_mesh.h"
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/archive_world.h"
#include "tests/support/traces/builder_world.h"
#include "tests/support/traces/packed_import.h"
#include "tests/support/traces/recording_maker.h"
#include "traces/program/builder/builder_parts.h"
#include "traces/program/file/program_division.h"

#include <stdio.h>
#include <sys/stat.h>

enum { SMALL_BYTES = 1024, LARGE_BYTES = 64 << 20 }; /* of trace.memory */

/* What opening a trace gives. */
struct opened {
    uint64_t hash;
    uint64_t events;
    uint64_t locations;
    int64_t span_ps;
    uint64_t notes; /* what all notes count */
    status_code code;
    char text[512]; /* of a refusal */
};

static void describe(struct opened *opened, const struct program *program, status_code code,
                     const struct status *status) {
    *opened = (struct opened){.code = code};
    if (code != STATUS_OK) snprintf(opened->text, sizeof opened->text, "%s", status->text);
    if (program == NULL) return;
    opened->hash = program->content_hash;
    opened->events = program->event_count;
    opened->locations = program->location_count;
    opened->span_ps = program->span_ps;
    for (uint32_t i = 0; i < program->note_count; i++)
        opened->notes += program->notes[i].count * (i + 1);
}

static bool are_equal(const struct opened *a, const struct opened *b) {
    return a->hash == b->hash && a->events == b->events && a->locations == b->locations &&
           a->span_ps == b->span_ps && a->notes == b->notes && a->code == b->code &&
           strcmp(a->text, b->text) == 0;
}

/* ---- archives ---- */

struct reading {
    const char *path;
    struct traces_config config;
    unsigned threads;
    struct opened alone;
    struct program *plain; /* what one process reads, not packed */
    bool stays_packed;
};

static status_code read_it(const struct reading *reading, struct processes *processes,
                           struct opened *opened, struct status *status) {
    struct traces_config config = reading->config;
    struct program *program = NULL;
    config.processes = processes;
    status_code code =
        traces_open(&program, reading->path, &config, reading->threads, NULL, NULL, status);
    if (code == STATUS_OK && processes != NULL &&
        (program->division != NULL) != (config.memory_bytes == SMALL_BYTES))
        code = status_set(status, STATUS_SYSTEM, "who has the program?");
    if (code == STATUS_OK) code = program_division_load_all(program->division, status);
    if (code == STATUS_OK) code = program_check_file(program, status);
    describe(opened, program, code, status);
    program_free(program);
    return code;
}

/* Returns STATUS_OK in a process that finds what one process finds; otherwise says what differs. */
static status_code read_and_compare(void *context, struct processes *processes,
                                    struct status *status) {
    const struct reading *reading = context;
    struct opened opened;
    (void)read_it(reading, processes, &opened, status);
    status_clear(status);
    if (processes_number(processes) > 0) /* it does not speak */
        memcpy(opened.text, reading->alone.text, sizeof opened.text);
    if (are_equal(&opened, &reading->alone)) return STATUS_OK;
    fprintf(stderr, "%s: process %u of %u: %s\n", reading->path, processes_number(processes),
            processes_count(processes), opened.text);
    return status_set(status, STATUS_SYSTEM, "differs");
}

/* By two numbers of processes; archives have the other two in turn. With little memory, process 0
 * alone makes the program, and then all divide it; with much, each process has all of it. */
static void read_together(struct reading *reading) {
    static unsigned turn;
    struct status status = STATUS_INIT;
    turn++;
    reading->threads = 1;
    reading->config.memory_bytes = LARGE_BYTES;
    (void)read_it(reading, NULL, &reading->alone, &status);
    status_clear(&status);
    for (unsigned count = 2 + turn / 2 % 2; count <= 5; count += 2) {
        reading->threads = count % 3 + 1;
        for (unsigned small = 0; small < 2; small++) {
            reading->config.memory_bytes = small != 0 ? SMALL_BYTES : LARGE_BYTES;
            assert_int_equal(process_mesh_run(count, read_and_compare, reading), STATUS_OK);
        }
    }
}

static void archives_are_read_together(void **state) {
    static const char *const names[] = {"sp_cancel_8", "sp_colls_8",    "sp_halo2d-noxnb_8",
                                        "sp_inter_8",  "sp_neigh_8",    "sp_order_8",
                                        "sp_rma_8",    "sp_sendrecv_8", "sp_threads_8"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        snprintf(path, sizeof path, ANAX_SOURCE_DIR "/tests/data/otf2/%s", names[i]);
        struct reading reading = {.path = path, .config.user_regions = i % 2};
        read_together(&reading);
        assert_int_equal(reading.alone.code, STATUS_OK);
    }
}

/* Archives of other tools, with receives and collectives that are inferred or guessed. */
static void archives_with_gaps_are_read_together(void **state) {
    static const char *const names[] = {"recorded/sp_probe_8", "found/mrecv-false-deadlock",
                                        "found/m4_p2p_obj", "recorded/ez_halo2d_8"};
    struct stat about;
    (void)state;
    if (stat(ANAX_SHARED "/traces/recorded", &about) != 0) skip();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        snprintf(path, sizeof path, ANAX_SHARED "/traces/%s", names[i]);
        if (stat(path, &about) != 0) continue;
        struct reading reading = {.path = path};
        read_together(&reading);
        reading.config.guess = TRACES_GUESS_WORLD;
        read_together(&reading);
    }
}

/* Of several ranks for which an archive is refused, the lowest one is named. */
static void the_lowest_refused_rank_is_named(void **state) {
    (void)state;
    for (unsigned faults = 1; faults < 16; faults += 4) {
        struct archive_maker *maker = maker_new(4, 1, 1000000000, 0, true);
        for (uint32_t rank = 0; rank < 4; rank++) {
            OTF2_EvtWriter *events = maker_events(maker, rank, 0);
            maker_call(maker, events, 1, 2, "MPI_Init");
            if (faults >> rank & 1) maker_enter(maker, events, 3, "MPI_Barrier");
        }
        struct reading reading = {.path = maker_finish(maker)};
        read_together(&reading);
        assert_int_equal(reading.alone.code, STATUS_INPUT);
        assert_non_null(strstr(reading.alone.text, "rank "));
        maker_free(maker);
    }
}

/* A recording, which process 0 reads alone if the program is large. */
static void a_recording_is_read_together(void **state) {
    char folder[SCRATCH_FOLDER_BYTES];
    static struct recording_maker makers[3];
    (void)state;
    assert_true(scratch_folder_make(folder));
    for (uint32_t rank = 0; rank < 3; rank++) {
        for (uint32_t i = 0; i < 50; i++)
            MAKER_ADD(&makers[rank], Sendrecv, 100, RECORDING_SEND, 0, (rank + 1) % 3, 2 * 5, 8 * i,
                      0, 0, RECORDING_RECEIVE, 0, (rank + 2) % 3, 2 * 5, 8 * i);
        struct recording_header header = recording_maker_header(rank, 3);
        header.state = RECORDING_COMPLETE;
        recording_maker_write(folder, header, makers[rank].bytes, makers[rank].size, false);
    }
    struct reading reading = {.path = folder};
    read_together(&reading);
    assert_int_equal(reading.alone.code, STATUS_OK);
    assert_int_equal(scratch_folder_remove(folder), 0);
}

/* Reads the archive so that all processes pack what they read. Process 0 gets the packed program,
 * operation by operation that of one process. */
static status_code read_packed(void *context, struct processes *processes, struct status *status) {
    const struct reading *reading = context;
    struct traces_config config = reading->config;
    struct program *program = NULL;
    const bool is_first = processes_number(processes) == 0;
    config.processes = processes;
    FORWARD_IF_ERROR(
        traces_import_otf2(&program, reading->path, &config, reading->threads, NULL, NULL, status));
    if (is_first != (program != NULL)) return status_set(status, STATUS_SYSTEM, "who has it?");
    if (!is_first) return STATUS_OK;
    if (program_check(program, status) == STATUS_OK) packed_import_compare(reading->plain, program);
    const bool is_packed = program->packed != NULL;
    program_free(program);
    return is_packed == reading->stays_packed ? STATUS_OK
                                              : status_set(status, STATUS_SYSTEM, "not packed");
}

/* Reads an archive with so little memory that one process packs it, by two to five processes. */
static void pack_together(const char *path, bool user_regions, bool stays_packed) {
    struct status status = STATUS_INIT;
    struct reading reading = {.path = path, .config.user_regions = user_regions};
    const status_code code =
        traces_import_otf2(&reading.plain, path, &reading.config, 1, NULL, NULL, &status);
    assert_int_equal(code, STATUS_OK);
    assert_null(reading.plain->packed);
    reading.config.memory_bytes = packed_import_bytes(reading.plain->event_count);
    reading.stays_packed = packed_import_is_same(reading.plain, path, &reading.config, 1);
    assert_int_equal(reading.stays_packed, stays_packed);
    for (unsigned count = 2; count <= 5; count++) {
        reading.threads = count % 3 + 1;
        assert_int_equal(process_mesh_run(count, read_packed, &reading), STATUS_OK);
    }
    program_free(reading.plain);
}

static void archives_are_packed_together(void **state) {
    static const char *const names[] = {"sp_colls_8", "sp_halo2d-noxnb_8", "sp_inter_8",
                                        "sp_order_8", "sp_sendrecv_8"};
    struct stat about;
    char path[512];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, ANAX_SOURCE_DIR "/tests/data/otf2/%s/traces.otf2", names[i]);
        pack_together(path, i % 2 != 0, true);
    }
    /* Process 0 unpacks what it gets, to find the messages of MPI_Mrecv. */
    snprintf(path, sizeof path, ANAX_SHARED "/traces/recorded/sp_probe_8/traces.otf2");
    if (stat(path, &about) == 0) pack_together(path, false, false);
}

/* ---- programs ---- */

enum { RANKS = 11, LONG_RANK = 2, LONG_CALLS = 400000 };

/* Appends what rank `rank` does: messages round a ring, collectives with sizes of each pair, and on
 * one rank more than processes send at once. */
static void append(struct build_world *w, uint32_t rank) {
    const uint32_t to = (rank + 1) % RANKS, from = (rank + RANKS - 1) % RANKS;
    uint64_t row[RANKS], sum = 0;
    for (uint32_t i = 0; i < RANKS; i++)
        sum += row[i] = (rank + i) % 3;
    for (uint32_t i = 0; i < 5; i++) {
        build_call(w, rank);
        build_irecv(w, rank, from, (int32_t)(from + i) % 4, 100 * i, 1);
        build_isend(w, rank, to, (int32_t)(rank + i) % 4, 100 * i, 2);
        build_call_end(w, rank);
        build_call(w, rank);
        BUILD_OK(builder_wait(w->builder, rank, (uint64_t[]){1, 2}, 2, &w->status));
        build_call_end(w, rank);
        const struct program_collective_arguments pairs = {.kind = PROGRAM_COLLECTIVE_ALLTOALLV,
                                                           .communicator = w->communicator,
                                                           .own_member = rank,
                                                           .root = PROGRAM_NONE,
                                                           .send_bytes = sum,
                                                           .receive_bytes = sum};
        const struct program_collective_arguments all = {.kind = PROGRAM_COLLECTIVE_ALLREDUCE,
                                                         .communicator = w->communicator,
                                                         .own_member = rank,
                                                         .root = PROGRAM_NONE,
                                                         .send_bytes = 8 + rank * i,
                                                         .receive_bytes = 8 + rank * i};
        build_call(w, rank);
        BUILD_OK(builder_collective(w->builder, rank, &pairs, OPERATION_FLAG_COLLECTIVE_BLOCKING,
                                    BUILDER_NO_REQUEST, &w->status));
        BUILD_OK(builder_set_bytes_to_members(w->builder, rank, row, RANKS, &w->status));
        BUILD_OK(builder_collective(w->builder, rank, &all, OPERATION_FLAG_COLLECTIVE_BLOCKING,
                                    BUILDER_NO_REQUEST, &w->status));
        build_call_end(w, rank);
    }
    for (uint32_t i = 0; rank == LONG_RANK && i < LONG_CALLS; i++) {
        build_call(w, rank);
        build_call_end(w, rank);
    }
}

static struct opened build(struct processes *processes, unsigned threads) {
    struct build_world world = build_world_new(RANKS), *w = &world;
    const unsigned count = processes_count(processes), number = processes_number(processes);
    struct program *program = NULL;
    struct opened opened;
    /* uneven shares; the last of many processes have none */
    const uint32_t first = number * 4 < RANKS ? number * 4 : RANKS;
    const uint32_t end = number + 1 < count && first + 4 < RANKS ? first + 4 : RANKS;
    if (processes != NULL) builder_divide(w->builder, processes, first, end);
    for (uint32_t rank = first; rank < end; rank++)
        append(w, rank);
    BUILD_OK(builder_seal(w->builder, threads, &program, &w->status));
    BUILD_OK(program_check_file(program, &w->status));
    describe(&opened, program, STATUS_OK, &w->status);
    builder_free(w->builder);
    program_free(program);
    return opened;
}

static status_code build_and_compare(void *context, struct processes *processes,
                                     struct status *status) {
    const struct opened *alone = context, opened = build(processes, 2);
    if (are_equal(&opened, alone)) return STATUS_OK;
    return status_set(status, STATUS_SYSTEM, "differs");
}

static void a_program_file_is_read_together(void **state) {
    (void)state;
    struct opened alone = build(NULL, 1);
    for (unsigned count = 2; count <= 4; count++)
        assert_int_equal(process_mesh_run(count, build_and_compare, &alone), STATUS_OK);
}

/* Process 1 says that its first row is longer or shorter than it is. All processes find that. */
static status_code seal_with_odd_rows(void *context, struct processes *processes,
                                      struct status *status) {
    struct build_world world = build_world_new(RANKS), *w = &world;
    const uint32_t first = processes_number(processes) * 4, end = first > 0 ? RANKS : 4;
    struct program *program = NULL;
    builder_divide(w->builder, processes, first, end);
    for (uint32_t rank = first; rank < end; rank++) {
        append(w, rank);
        BUILD_OK(builder_end_rank(w->builder, rank, &w->status));
    }
    struct builder_places *places = &w->builder->places;
    if (processes_number(processes) == 1) places->row_lengths[0] += *(const uint32_t *)context;
    const status_code code = builder_seal(w->builder, 1, &program, &w->status);
    const bool is_found = code == STATUS_SYSTEM && program == NULL &&
                          strstr(w->status.text, "different parts of the trace") != NULL;
    status_clear(&w->status);
    builder_free(w->builder);
    return is_found ? STATUS_OK : status_set(status, STATUS_SYSTEM, "not found");
}

static void rows_of_odd_sizes_are_read_together(void **state) {
    const uint32_t changes[] = {1, 1000000, -1U};
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        assert_int_equal(process_mesh_run(2, seal_with_odd_rows, (void *)&changes[i]), STATUS_OK);
}

static status_code only_read(void *context, struct processes *processes, struct status *status) {
    struct opened opened;
    return read_it(context, processes, &opened, status);
}

/* A process without memory for what it would send ends all of them with an error. */
static void a_process_gives_up(void **state) {
    struct reading reading = {.path = ANAX_SOURCE_DIR "/tests/data/otf2/sp_order_8", .threads = 1};
    (void)state;
    for (unsigned last = 1; last <= 7; last++) { /* of sizes, agreement, sums, tables, operations */
        process_mesh_break(1, last);
        assert_int_equal(process_mesh_run(3, only_read, &reading), STATUS_MEMORY);
    }
    process_mesh_break(0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives_are_read_together),
        cmocka_unit_test(archives_are_packed_together),
        cmocka_unit_test(archives_with_gaps_are_read_together),
        cmocka_unit_test(the_lowest_refused_rank_is_named),
        cmocka_unit_test(a_recording_is_read_together),
        cmocka_unit_test(a_program_file_is_read_together),
        cmocka_unit_test(a_process_gives_up),
        cmocka_unit_test(rows_of_odd_sizes_are_read_together),
    };
    /* Four and five processes send to each other after a reduction. */
    if (setenv("ANAX_TEST_DIRECT_PROCESSES", "3", 1) != 0) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
