/* Processes divide a program: each finds in it what one process finds, and damage is found, too. */
#include "core/memory/paging.h"
#include "tests/support/core/process_mesh.h"
#include "tests/support/core/scratch_file.h"
#include "tests/support/traces/archive_world.h"
#include "traces/program/file/program_division.h"
#include "traces/program/program_coverage.h"
#include "traces/program/program_hash.h"
#include "traces/program/program_packed.h"

#include <stdio.h>
#include <stdlib.h>

/* A program file, and what one process has read from it. */
struct reading {
    struct program *alone;
    struct traces_config config;
    const char *words; /* in a refusal */
};

static struct program *load(const struct traces_config *config, struct processes *processes,
                            status_code *code, struct status *status) {
    struct traces_config own = *config;
    struct program *program = NULL;
    own.processes = processes;
    *code = traces_open(&program, scratch_file.path, &own, 1 + processes_number(processes) % 2,
                        NULL, NULL, status);
    return program;
}

static bool are_same_operations(const struct program *one, const struct program *other,
                                uint32_t rank) {
    const struct program_rank *a = &one->ranks[rank], *b = &other->ranks[rank];
    if (a->wait_slot_count > 0 &&
        memcmp(one->wait_slots + a->first_wait_slot, other->wait_slots + b->first_wait_slot,
               a->wait_slot_count * sizeof *one->wait_slots) != 0)
        return false;
    for (uint64_t i = 0; i < a->count; i++) {
        const struct program_operation left = *PROGRAM_OPERATION_AT(one, rank, a->first + i);
        const struct program_operation right = *PROGRAM_OPERATION_AT(other, rank, b->first + i);
        if (memcmp(&left, &right, sizeof left) != 0) return false;
    }
    return true;
}

/* Compares everything that a process knows of ranks that are not in its memory. */
static bool are_same_counts(const struct program *one, const struct program *other) {
    struct program_totals totals[2];
    struct program_coverage coverages[2][2];
    memset(totals, 0, sizeof totals);
    program_totals_compute(one, &totals[0]);
    program_totals_compute(other, &totals[1]);
    bool same = true;
    for (int files = 0; files < 2; files++)
        same = same &&
               program_coverage_compute(one, files, &coverages[0][files], NULL) == STATUS_OK &&
               program_coverage_compute(other, files, &coverages[1][files], NULL) == STATUS_OK;
    same = same && memcmp(&coverages[0], &coverages[1], sizeof *coverages) == 0 &&
           memcmp(&totals[0], &totals[1], sizeof *totals) == 0 &&
           one->content_hash == other->content_hash &&
           one->operation_count == other->operation_count &&
           one->region_count == other->region_count &&
           memcmp(one->regions, other->regions, one->region_count * sizeof *one->regions) == 0;
    for (uint32_t rank = 0; rank < one->rank_count; rank++) {
        const struct program_rank *a = &one->ranks[rank], *b = &other->ranks[rank];
        same = same && a->first == b->first && a->count == b->count &&
               a->mark_count == b->mark_count && a->send_count == b->send_count &&
               a->receive_count == b->receive_count && a->slot_count == b->slot_count;
    }
    return same;
}

/* Holds the ranks of every `step`, from `first` on, and compares them. */
static bool holds_some(const struct program *program, const struct program *alone, unsigned first,
                       unsigned step) {
    bool *wanted = calloc(program->rank_count, sizeof *wanted);
    for (uint32_t rank = first; rank < program->rank_count; rank += step)
        wanted[rank] = true;
    bool same = program_division_load_ranks(program->division, wanted, NULL) == STATUS_OK;
    for (uint32_t rank = first; rank < program->rank_count; rank += step)
        same = same && are_same_operations(program, alone, rank);
    for (uint32_t rank = 0; program->packed != NULL && rank < program->rank_count; rank++)
        same = same && (program->packed->ranks[rank].shift == PROGRAM_ABSENT) == !wanted[rank];
    free(wanted);
    return same;
}

static status_code divide_and_compare(void *context, struct processes *processes,
                                      struct status *status) {
    const struct reading *reading = context;
    const struct program *alone = reading->alone;
    status_code code;
    struct program *program = load(&reading->config, processes, &code, status);
    if (code != STATUS_OK) return code;
    const unsigned own = processes_number(processes), count = processes_count(processes);
    bool same = program->division != NULL && are_same_counts(program, alone) &&
                holds_some(program, alone, own, count) && holds_some(program, alone, 0, 3) &&
                program_division_load_all(program->division, status) == STATUS_OK;
    for (uint32_t rank = 0; same && rank < alone->rank_count; rank++)
        same = are_same_operations(program, alone, rank);
    same = same && holds_some(program, alone, count, 2) && are_same_counts(program, alone);
    program_free(program);
    return same ? STATUS_OK : status_set(status, STATUS_SYSTEM, "differs");
}

/* Divides the program among 2, 3 and 5 processes: with so much memory that its operations are
 * packed, and with so little that they are not; with user regions and without. */
static void divide(struct program *made) {
    assert_int_equal(traces_write_program(made, scratch_file.path, true, 1, NULL), STATUS_OK);
    for (unsigned variant = 0; variant < 4; variant++) {
        status_code code;
        struct status status = STATUS_INIT;
        struct reading reading = {
            .config = {.user_regions = variant % 2,
                       .memory_bytes = (int64_t)made->operation_count * (variant < 2 ? 300 : 1)}};
        reading.alone = load(&reading.config, NULL, &code, &status);
        assert_int_equal(code, STATUS_OK);
        for (unsigned count = 2; count <= 5; count += count - 1)
            assert_int_equal(process_mesh_run(count, divide_and_compare, &reading), STATUS_OK);
        program_free(reading.alone);
    }
    program_free(made);
}

static void generated_programs_are_divided(void **state) {
    static const char *const patterns[] = {"halo3d", "sweep3d", "random-access", "training"};
    (void)state;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const struct traces_pattern_config config = {.rank_count = 8,
                                                     .iterations = 6,
                                                     .size_bytes = 2048,
                                                     .compute_ps = 1000000,
                                                     .window = 4,
                                                     .neighbours = 6,
                                                     .seed = 1};
        struct program *program;
        assert_int_equal(traces_generate(&program, patterns[i], &config, NULL), STATUS_OK);
        divide(program);
    }
}

static struct program *halo(uint32_t ranks) {
    const struct traces_pattern_config config = {.rank_count = ranks,
                                                 .iterations = 4,
                                                 .size_bytes = 1024,
                                                 .compute_ps = 1000,
                                                 .neighbours = 6};
    struct program *program;
    assert_int_equal(traces_generate(&program, "halo3d", &config, NULL), STATUS_OK);
    return program;
}

static struct program *recorded(const char *name) {
    const struct traces_config config = {.user_regions = true, .memory_bytes = -1};
    char path[512];
    snprintf(path, sizeof path, ANAX_SOURCE_DIR "/tests/data/otf2/%s", name);
    return archive_read(path, &config);
}

static void recorded_programs_are_divided(void **state) {
    static const char *const names[] = {"sp_cancel_8", "sp_colls_8", "sp_inter_8",   "sp_neigh_8",
                                        "sp_rma_8",    "sp_order_8", "sp_sendrecv_8"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        divide(recorded(names[i]));
}

/* ---- damage between ranks, in files whose hash is right ---- */

static status_code refuse(void *context, struct processes *processes, struct status *status) {
    const struct reading *reading = context;
    status_code code;
    struct program *program = load(&reading->config, processes, &code, status);
    program_free(program);
    if (processes_number(processes) == 0 && code != STATUS_OK &&
        strstr(status->text, reading->words) == NULL)
        status_set(status, code = STATUS_RUN, "other words: %s", status->text);
    return code;
}

/* Writes the program with the hash of what it says, which processes refuse with these words. */
static void write_refused(struct program *program, const char *words) {
    const struct reading reading = {.config = {.memory_bytes = 4096, .user_regions = true},
                                    .words = words};
    assert_int_equal(program_hash(program, 1, &program->content_hash, NULL), STATUS_OK);
    assert_int_equal(traces_write_program(program, scratch_file.path, true, 1, NULL), STATUS_OK);
    status_code code;
    struct status status = STATUS_INIT;
    assert_null(load(&reading.config, NULL, &code, &status));
    status_clear(&status);
    assert_int_equal(code, STATUS_INPUT);
    for (unsigned count = 2; count <= 3; count++)
        assert_int_equal(process_mesh_run(count, refuse, (void *)&reading), STATUS_INPUT);
    program_free(program);
}

static struct program_operation *first_of(struct program *program, uint32_t rank, uint64_t kind) {
    struct program_operation *operation = &program->operations[program->ranks[rank].first];
    while (operation->kind != kind)
        operation++;
    return operation;
}

static void damaged_programs_are_found(void **state) {
    (void)state;
    struct program *program = recorded("sp_sendrecv_8");
    first_of(program, 5, OPERATION_RECEIVE)->message.match++;
    write_refused(program, "not matched with each other");
    program = recorded("sp_sendrecv_8");
    first_of(program, 3, OPERATION_SEND)->bytes++;
    write_refused(program, "not matched with each other");
    program = recorded("sp_sendrecv_8");
    program->unmatched_sends++;
    write_refused(program, "unmatched");
    program = recorded("sp_colls_8");
    first_of(program, 6, OPERATION_COLLECTIVE)->collective.instance++;
    write_refused(program, "has instance 1 instead of 0");
    program = recorded("sp_colls_8");
    first_of(program, 2, OPERATION_COLLECTIVE)->flags ^= OPERATION_FLAG_COLLECTIVE_SPLIT;
    write_refused(program, "rank ");
    program = recorded("sp_colls_8");
    first_of(program, 7, OPERATION_COLLECTIVE)->collective.sizes = 1;
    write_refused(program, "sizes");
}

static struct program_operation *message_at(struct program *program, uint32_t rank, uint64_t kind,
                                            uint32_t number) {
    struct program_operation *operation = &program->operations[program->ranks[rank].first];
    for (;; operation++)
        if (operation->kind == kind && number-- == 0) return operation;
}

/* Two messages between the same ranks, of the same size and envelope, are matched crosswise: both
 * ends say the same, but the k-th send does not meet the k-th receive. */
static void crosswise_matches_are_found(void **state) {
    const struct traces_pattern_config config = {
        .rank_count = 8, .iterations = 3, .size_bytes = 2048, .neighbours = 6};
    struct program *program;
    (void)state;
    assert_int_equal(traces_generate(&program, "halo3d", &config, NULL), STATUS_OK);
    struct program_operation *first = message_at(program, 0, OPERATION_SEND, 0);
    uint32_t other = 1;
    while (message_at(program, 0, OPERATION_SEND, other)->message.peer != first->message.peer ||
           message_at(program, 0, OPERATION_SEND, other)->message.envelope !=
               first->message.envelope)
        other++;
    struct program_operation *second = message_at(program, 0, OPERATION_SEND, other);
    const uint32_t peer = first->message.peer, match = first->message.match;
    message_at(program, peer, OPERATION_RECEIVE, match)->message.match = other;
    message_at(program, peer, OPERATION_RECEIVE, second->message.match)->message.match = 0;
    first->message.match = second->message.match;
    second->message.match = match;
    write_refused(program, "matched wrongly");
}

/* A member that calls another collective than the others: of the same communicator, without sizes.
 */
static void a_member_that_calls_another_collective_is_found(void **state) {
    (void)state;
    struct program *program = recorded("sp_colls_8");
    const struct program_collective_arguments *all = program->collective_arguments;
    const struct program_rank *rank_entry = &program->ranks[4];
    bool changed = false;
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count && !changed;
         i++) {
        struct program_operation *operation = &program->operations[i];
        if (operation->kind != OPERATION_COLLECTIVE) continue;
        const struct program_collective_arguments own = all[operation->collective.arguments];
        for (uint32_t k = 0;
             own.kind == PROGRAM_COLLECTIVE_BARRIER && k < program->collective_argument_count;
             k++) {
            if (all[k].kind != PROGRAM_COLLECTIVE_ALLGATHER ||
                all[k].own_member != own.own_member || all[k].communicator != own.communicator)
                continue;
            operation->collective.arguments = k;
            changed = true;
        }
    }
    assert_true(changed);
    write_refused(program, "do not call the same collectives");
}

/* A rank whose bytes are damaged is named, whichever process reads it. */
static void damaged_bytes_name_their_rank(void **state) {
    struct reading reading = {.config = {.memory_bytes = 4096, .user_regions = true},
                              .words = "is damaged (wrong checksum)"};
    struct program *program = recorded("sp_order_8");
    (void)state;
    assert_int_equal(traces_write_program(program, scratch_file.path, true, 1, NULL), STATUS_OK);
    program_free(program);
    FILE *file = fopen(scratch_file.path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -9, SEEK_END), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, -9, SEEK_END), 0);
    assert_int_not_equal(fputc(byte ^ 1, file), EOF);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(process_mesh_run(3, refuse, &reading), STATUS_INPUT);
}

/* ---- others ---- */

static status_code is_whole(void *context, struct processes *processes, struct status *status) {
    const struct reading *reading = context;
    status_code code;
    struct program *program = load(&reading->config, processes, &code, status);
    if (code != STATUS_OK) return code;
    const bool whole = program->division == NULL;
    program_free(program);
    return whole ? STATUS_OK : status_set(status, STATUS_SYSTEM, "is divided");
}

/* Small programs, also what is made of them, are whole in each process. */
static void small_programs_are_whole_in_each_process(void **state) {
    struct reading reading = {.config = {.memory_bytes = -1}};
    struct program *program = recorded("sp_order_8");
    (void)state;
    assert_int_equal(traces_write_program(program, scratch_file.path, true, 1, NULL), STATUS_OK);
    assert_int_equal(process_mesh_run(2, is_whole, &reading), STATUS_OK);
    reading.config.from = "0s";
    assert_int_equal(process_mesh_run(2, is_whole, &reading), STATUS_OK);
    program_free(program);
}

/* What process 0 makes of a large program is divided, too. */
static void programs_that_process_0_makes_are_divided(void **state) {
    const struct traces_config configs[] = {{.from = "iteration#2"},
                                            {.to = "iteration#3", .user_regions = true},
                                            {.repeat = "iteration#1*3"},
                                            {.compute_scale = "iteration:0.5"}};
    (void)state;
    struct program *program = halo(27);
    assert_int_equal(traces_write_program(program, scratch_file.path, true, 1, NULL), STATUS_OK);
    program_free(program);
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        struct status status = STATUS_INIT;
        status_code code;
        struct reading reading = {.config = configs[i]};
        reading.config.memory_bytes = 64 << 20;
        reading.alone = load(&reading.config, NULL, &code, &status);
        assert_int_equal(code, STATUS_OK);
        reading.config.memory_bytes = 4096;
        for (unsigned count = 2; count <= 4; count += 2)
            assert_int_equal(process_mesh_run(count, divide_and_compare, &reading), STATUS_OK);
        program_free(reading.alone);
    }
}

/* What process 0 refuses, all refuse; and without a place for temporary files there is no
 * program. */
static void what_process_0_refuses_all_refuse(void **state) {
    struct reading reading = {.config = {.memory_bytes = 4096, .from = "nowhere"},
                              .words = "the trace has no region `nowhere`"};
    (void)state;
    struct program *program = halo(8);
    assert_int_equal(traces_write_program(program, scratch_file.path, true, 1, NULL), STATUS_OK);
    program_free(program);
    assert_int_equal(process_mesh_run(3, refuse, &reading), STATUS_USAGE);
    reading.config.from = "iteration";
    reading.config.memory_folder = "/nonexistent";
    reading.words = "/nonexistent: cannot make a temporary file";
    assert_int_equal(process_mesh_run(3, refuse, &reading), STATUS_SYSTEM);
}

/* A process that gives up in an exchange ends the others. */
static void a_process_gives_up(void **state) {
    const struct reading reading = {.config = {.memory_bytes = 4096, .user_regions = true}};
    struct program *program = recorded("sp_order_8");
    (void)state;
    assert_int_equal(traces_write_program(program, scratch_file.path, true, 1, NULL), STATUS_OK);
    program_free(program);
    for (unsigned last = 1; last <= 2; last++) {
        process_mesh_break(1, last);
        assert_int_equal(process_mesh_run(3, is_whole, (void *)&reading), STATUS_MEMORY);
    }
    struct reading part = reading;
    part.config.from = "0s";
    for (unsigned last = 1; last <= 6;
         last++) { /* of sizes, errors, lacks, names, lengths, bytes */
        process_mesh_break(1, last);
        assert_int_equal(process_mesh_run(3, is_whole, &part), STATUS_MEMORY);
    }
    process_mesh_break(0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_programs_are_divided),
        cmocka_unit_test(recorded_programs_are_divided),
        cmocka_unit_test(damaged_programs_are_found),
        cmocka_unit_test(a_member_that_calls_another_collective_is_found),
        cmocka_unit_test(crosswise_matches_are_found),
        cmocka_unit_test(damaged_bytes_name_their_rank),
        cmocka_unit_test(small_programs_are_whole_in_each_process),
        cmocka_unit_test(programs_that_process_0_makes_are_divided),
        cmocka_unit_test(what_process_0_refuses_all_refuse),
        cmocka_unit_test(a_process_gives_up),
    };
    return cmocka_run_group_tests(tests, scratch_file_make, scratch_file_remove);
}
