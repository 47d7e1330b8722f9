/* Program files: what is written is what is read; damaged and foreign files are refused. */
#include "tests/support/core/scratch_file.h"
#include "tests/support/traces/random_program.h"
#include "traces/program/builder/program_builder.h"
#include "traces/program/edit/program_without_files.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

static const char *const folder = scratch_file.folder, *const path = scratch_file.path;

static uint8_t *load(size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    struct stat about;
    assert_int_equal(fstat(fileno(file), &about), 0);
    *size = (size_t)about.st_size;
    uint8_t *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void store(const uint8_t *bytes, size_t size) {
    unlink(path); /* writing over it would wait for the disk on some file systems */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_program(const struct program *program, unsigned threads) {
    struct status status = STATUS_INIT;
    if (traces_write_program(program, path, true, threads, &status) != STATUS_OK)
        fail_msg("%s", status.text);
}

static bool starts_like_one(const char *file) {
    bool is = false;
    assert_int_equal(traces_is_program_file(&is, file, NULL), STATUS_OK);
    return is;
}

static struct program *read_program(unsigned threads) {
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    if (traces_read_program(&program, path, threads, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    return program;
}

#define SAME(member, count)                                                                        \
    do {                                                                                           \
        assert_int_equal(a->count, b->count);                                                      \
        if (a->count > 0) assert_memory_equal(a->member, b->member, a->count * sizeof *a->member); \
    } while (0)

static void assert_same(const struct program *a, const struct program *b) {
    assert_int_equal(a->rank_count, b->rank_count);
    assert_memory_equal(a->ranks, b->ranks, a->rank_count * sizeof *a->ranks);
    assert_int_equal(a->operation_count, b->operation_count);
    assert_int_equal(program_make_array(a, NULL), STATUS_OK);
    assert_int_equal(program_make_array(b, NULL), STATUS_OK);
    assert_memory_equal(program_array(a), program_array(b),
                        a->operation_count * sizeof(struct program_operation));
    SAME(wait_slots, wait_slot_count);
    SAME(collective_arguments, collective_argument_count);
    SAME(sizes, size_count);
    SAME(pair_rows, pair_row_count);
    SAME(pair_bytes, pair_byte_count);
    SAME(communicator_members, communicator_member_count);
    SAME(envelopes, envelope_count);
    SAME(regions, region_count);
    SAME(notes, note_count);
    SAME(strings, string_bytes);
    assert_int_equal(a->communicator_count, b->communicator_count);
    for (uint32_t i = 0; i < a->communicator_count; i++) {
        assert_int_equal(a->communicators[i].size, b->communicators[i].size);
        assert_int_equal(a->communicators[i].members, b->communicators[i].members);
        assert_int_equal(a->communicators[i].remote_size, b->communicators[i].remote_size);
        assert_int_equal(a->communicators[i].remote_members, b->communicators[i].remote_members);
        assert_int_equal(a->communicators[i].name, b->communicators[i].name);
        assert_int_equal(a->communicators[i].id, b->communicators[i].id);
        assert_int_equal(a->communicators[i].handles_synchronise,
                         b->communicators[i].handles_synchronise);
    }
    assert_int_equal(a->source, b->source);
    assert_int_equal(a->creator, b->creator);
    assert_int_equal(a->event_count, b->event_count);
    assert_int_equal(a->location_count, b->location_count);
    assert_int_equal(a->span_ps, b->span_ps);
    assert_int_equal(a->unmatched_sends, b->unmatched_sends);
    assert_int_equal(a->unmatched_receives, b->unmatched_receives);
    assert_true(a->content_hash == b->content_hash);
}

/* Random programs hold the invariants, come back from a file as they were, and do so for any number
 * of threads. */
static void random_programs_come_back(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        struct program *written =
            random_program(seed, 1 + seed % 33, 20 + (uint32_t)(seed * 7 % 400));
        struct status status = STATUS_INIT;
        if (program_check(written, &status) != STATUS_OK)
            fail_msg("seed %d: %s", (int)seed, status.text);
        write_program(written, 1);
        size_t size, other_size;
        uint8_t *bytes = load(&size);
        write_program(written, 3);
        uint8_t *other = load(&other_size);
        assert_int_equal(size, other_size);
        assert_memory_equal(bytes, other, size);
        free(bytes);
        free(other);
        struct program *read = read_program(1 + seed % 3);
        assert_same(written, read);
        program_free(read);
        program_free(written);
    }
}

/* Sealing does not depend on the number of threads. */
static void sealing_is_deterministic(void **state) {
    (void)state;
    struct traces_pattern_config config = {
        .rank_count = 500, .iterations = 4, .size_bytes = 4096, .compute_ps = 10, .neighbours = 26};
    struct program *first, *second;
    assert_int_equal(traces_generate(&first, "halo3d", &config, NULL), STATUS_OK);
    assert_int_equal(traces_generate(&second, "halo3d", &config, NULL), STATUS_OK);
    assert_same(first, second);
    write_program(first, 2);
    size_t size;
    free(load(&size));
    assert_true(size < first->operation_count * 24 / 20); /* it is worth compressing */
    struct program *read = read_program(2);
    assert_same(first, read);
    program_free(first);
    program_free(second);
    program_free(read);
}

static void expect_refusal(const char *what, size_t where) {
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    if (traces_read_program(&program, path, 1, &status) == STATUS_OK)
        fail_msg("%s at %zu passes", what, where);
    assert_null(program);
    assert_int_equal(status.code, STATUS_INPUT);
    assert_non_null(strstr(status.text, path));
    status_clear(&status);
}

static void every_damaged_byte_is_found(void **state) {
    (void)state;
    struct program *written = random_program(7, 3, 40);
    write_program(written, 1);
    size_t size;
    uint8_t *bytes = load(&size);
    assert_true(size > 400 && size < 10000);
    static const uint8_t changes[] = {0x01, 0x80, 0xFF};
    for (size_t i = 0; i < size; i++) {
        uint8_t change = changes[i % sizeof changes];
        bytes[i] ^= change;
        store(bytes, size);
        expect_refusal("a changed byte", i);
        bytes[i] ^= change;
    }
    for (size_t length = 0; length < size; length++) {
        store(bytes, length);
        expect_refusal("the end", length);
    }
    bytes[size] = 0;
    store(bytes, size + 1);
    expect_refusal("a byte too many", size);
    store(bytes, size);
    struct program *read = read_program(1);
    assert_same(written, read);
    program_free(read);
    program_free(written);
    free(bytes);
}

static void foreign_files_are_refused(void **state) {
    (void)state;
    const char *text =
        "This is no program file, though it is long enough to have a header. Really.";
    store((const uint8_t *)text, strlen(text));
    assert_false(starts_like_one(path));
    expect_refusal("a foreign file", 0);
    store((const uint8_t *)"", 0);
    assert_false(starts_like_one(path));
    expect_refusal("an empty file", 0);
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    assert_int_equal(traces_read_program(&program, folder, 1, &status), STATUS_INPUT);
    status_clear(&status);
    assert_int_equal(traces_read_program(&program, "/nonexistent/a.anax", 1, &status),
                     STATUS_INPUT);
    assert_non_null(strstr(status.text, "/nonexistent/a.anax: cannot be opened: No such file"));
    status_clear(&status);
    bool is;
    assert_int_equal(traces_is_program_file(&is, "/nonexistent/a.anax", NULL), STATUS_INPUT);
}

/* Sections mean something else in files of another version: none is read for one of ours. */
static void other_versions_are_refused(void **state) {
    (void)state;
    struct program *program = random_program(1, 2, 20), *read = NULL;
    write_program(program, 1);
    program_free(program);
    size_t size;
    uint8_t *bytes = load(&size);
    unsigned ours = bytes[8];
    for (unsigned version = ours - 4; version <= ours + 1; version += 5) {
        bytes[8] = (uint8_t)version;
        uint32_t crc = (uint32_t)crc32(0, bytes, 60);
        for (unsigned i = 0; i < 4; i++)
            bytes[60 + i] = (uint8_t)(crc >> 8 * i);
        store(bytes, size);
        char text[100];
        snprintf(text, sizeof text,
                 version < ours ? "is of version %u, this program reads versions %u to %u: convert "
                                  "the trace again"
                                : "is of version %u, written by a newer anax; this one reads "
                                  "versions %u to %u",
                 version, ours - 3, ours);
        struct status status = STATUS_INIT;
        assert_int_equal(traces_read_program(&read, path, 1, &status), STATUS_INPUT);
        assert_non_null(strstr(status.text, text));
        status_clear(&status);
    }
    free(bytes);
}

/* Files of the versions before: collectives have no values (7), there are no files (8), and no
 * process topologies (9). */
static void the_versions_before_are_read(void **state) {
    (void)state;
    struct traces_pattern_config config = {
        .rank_count = 4, .iterations = 2, .size_bytes = 8192, .compute_ps = 10000000};
    struct status status = STATUS_INIT;
    static const char *const paths[] = {ANAX_SOURCE_DIR "/tests/data/program/version_7.anax",
                                        ANAX_SOURCE_DIR "/tests/data/program/version_8.anax",
                                        ANAX_SOURCE_DIR "/tests/data/program/version_9.anax"};
    struct program *read = NULL, *same = NULL;
    assert_int_equal(traces_generate(&same, "alltoall", &config, NULL), STATUS_OK);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (traces_read_program(&read, paths[i], 1, &status) != STATUS_OK)
            fail_msg("%s", status.text);
        assert_true(read->content_hash == same->content_hash);
        program_free(read);
    }
    program_free(same);
}

/* Accesses to files: what is written is read, and a copy without them has none. */
static void accesses_to_files_are_kept(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(2, &status);
    struct program *program = NULL, *read = NULL, *without = NULL;
    const uint32_t files[] = {builder_define_file(builder, "a"), builder_define_file(builder, "b"),
                              builder_define_file(builder, "a")};
    const uint32_t region = builder_define_region(builder, "MPI_File_write", true);
    builder_set_source(builder, "", "", 0, 0, 10);
    assert_int_equal(files[0], files[2]);
    for (uint32_t rank = 0; rank < 2; rank++) {
        builder_call(builder, rank, region, 0, 0, &status);
        builder_access_file(builder, rank, files[1], UINT64_C(1) << 61, 1 << 20,
                            OPERATION_FLAG_FILE_WRITE, BUILDER_NO_REQUEST, &status);
        builder_access_file(builder, rank, files[rank], 7, 0, OPERATION_FLAG_FILE_COLLECTIVE, 5,
                            &status);
        builder_wait_call(builder, rank, &status);
        builder_return(builder, rank, 10, true, &status);
        builder_compute(builder, rank, 1000, &status);
    }
    assert_int_equal(builder_access_file(builder, 0, 2, 0, 1, 0, 6, NULL), STATUS_INPUT);
    if (builder_seal(builder, 1, &program, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(builder);
    write_program(program, 1);
    if (traces_read_program(&read, path, 1, &status) != STATUS_OK) fail_msg("%s", status.text);
    assert_true(read->content_hash == program->content_hash);
    assert_int_equal(read->file_count, 2);
    assert_string_equal(program_text(read, read->files[1].name), "b");
    assert_int_equal(program_make_array(read, &status), STATUS_OK);
    const struct program_operation *access = program_array(read) + 1;
    assert_int_equal(access->kind, OPERATION_FILE);
    assert_true(access->file.offset == UINT64_C(1) << 61 && access->bytes == 1 << 20);
    assert_int_equal(access[1].flags, OPERATION_FLAG_FILE_COLLECTIVE | OPERATION_FLAG_DETACHED);
    if (program_without_files(&without, read, 1, &status) != STATUS_OK) fail_msg("%s", status.text);
    assert_int_equal(without->file_count, 0);
    assert_int_equal(without->operation_count, 4); /* a computation and the end, on two ranks */
    program_free(program);
    program_free(read);
    program_free(without);
}

/* Writes a program in whose user regions one rank computes so often for so long, and calls a
 * region. Returns what reading it says; the caller frees. */
static char *read_computing(unsigned times, int64_t duration_ps, bool calls_mpi) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(1, &status);
    struct program *program = NULL, *read = NULL;
    const uint32_t mpi = builder_define_region(builder, "MPI_Barrier", true);
    const uint32_t user = builder_define_region(builder, "user", false);
    for (unsigned i = 0; i < times; i++) {
        builder_enter(builder, 0, user, 0, &status);
        builder_compute(builder, 0, duration_ps, &status);
        builder_leave(builder, 0, 0, &status);
    }
    builder_call(builder, 0, calls_mpi ? mpi : user, 0, 0, &status);
    builder_return(builder, 0, 0, false, &status);
    if (builder_seal(builder, 1, &program, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(builder);
    write_program(program, 1);
    program_free(program);
    if (traces_read_program(&read, path, 1, &status) != STATUS_OK) {
        assert_int_equal(status.code, STATUS_INPUT);
        return status.text;
    }
    program_free(read);
    return NULL;
}

/* What user regions separate is one computation without them, and calls keep their regions. */
static void programs_are_right_without_regions(void **state) {
    (void)state;
    assert_null(read_computing(5, PROGRAM_TIME_LIMIT_PS / 5, true));
    char *text = read_computing(2, PROGRAM_TIME_LIMIT_PS / 2 + 1, true);
    assert_non_null(text);
    assert_non_null(strstr(text, "computation of more than 26 days"));
    free(text);
    text = read_computing(1, 1, false);
    assert_non_null(text);
    assert_non_null(strstr(text, "a call of a user region"));
    free(text);
}

static void failed_writes_leave_nothing(void **state) {
    (void)state;
    struct program *program = random_program(1, 2, 20);
    struct status status = STATUS_INIT;
    assert_int_equal(traces_write_program(program, "/nonexistent/a.anax", true, 1, &status),
                     STATUS_SYSTEM);
    assert_non_null(strstr(status.text, "/nonexistent/a.anax"));
    status_clear(&status);
    /* The final name is a folder. A file left behind would make scratch_file_remove fail. */
    char blocked[160];
    snprintf(blocked, sizeof blocked, "%s/blocked", folder);
    assert_int_equal(mkdir(blocked, 0700), 0);
    assert_int_equal(traces_write_program(program, blocked, true, 1, &status), STATUS_USAGE);
    status_clear(&status);
    assert_int_equal(rmdir(blocked), 0);
    write_program(program, 1);
    assert_true(starts_like_one(path));
    write_program(program, 1); /* replaces */
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_come_back),
        cmocka_unit_test(sealing_is_deterministic),
        cmocka_unit_test(every_damaged_byte_is_found),
        cmocka_unit_test(foreign_files_are_refused),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(the_versions_before_are_read),
        cmocka_unit_test(accesses_to_files_are_kept),
        cmocka_unit_test(programs_are_right_without_regions),
        cmocka_unit_test(failed_writes_leave_nothing),
    };
    return cmocka_run_group_tests(tests, scratch_file_make, scratch_file_remove);
}
