/*
 * The seeds of the fuzz target for program files are of the format that is written now: a file and
 * its sections (see tests/fuzz/fuzz_program_file.c) of some random programs. ANAX_UPDATE_GOLDEN=1
 * writes them anew.
 */
#include "tests/support/traces/forgotten_receives.h"
#include "tests/support/traces/random_program.h"
#include "traces/program/builder/program_builder.h"
#include "traces/program/file/program_codec.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    uint32_t seed;
    uint32_t rank_count;
    unsigned forgotten; /* share of receives, in per cent, that are inferred */
} programs[] = {{1, 2, 0}, {2, 3, 0}, {4, 5, 0}, {7, 2, 0}, {14, 3, 60}, {55, 3, 0}, {100, 2, 0}};
enum { PROGRAMS = sizeof programs / sizeof *programs, STEPS = 8, BYTES_MAX = 16384 };
enum { WITH_FILES = 100 }; /* the seed of the program that accesses files and has topologies */

static void path_of(char path[256], const char *kind, size_t i) {
    snprintf(path, 256, "%s/tests/fuzz/seeds/program_file/%s%d", ANAX_SOURCE_DIR, kind,
             (int)programs[i].seed);
}

static struct program *program_with_files(uint32_t rank_count) {
    struct program_builder *builder = builder_new(rank_count, NULL);
    struct program *program = NULL;
    const uint32_t files[] = {builder_define_file(builder, "a"), builder_define_file(builder, "b")};
    const uint32_t posts = builder_define_region(builder, "MPI_File_iwrite_at", true);
    const uint32_t waits = builder_define_region(builder, "MPI_Wait", true);
    const uint32_t reads = builder_define_region(builder, "MPI_File_read", true);
    uint32_t members[] = {1, 0}, grid = 0, graph = 0;
    assert_int_equal(builder_define_communicator(builder, "", members, 2, &grid, NULL), STATUS_OK);
    assert_int_equal(builder_define_communicator(builder, "", members, 2, &graph, NULL), STATUS_OK);
    builder_define_topology(builder, grid, PROGRAM_TOPOLOGY_CARTESIAN,
                            (const uint32_t[]){2, 1, 1, 0}, 4, NULL);
    builder_define_topology(builder, graph, PROGRAM_TOPOLOGY_GRAPH,
                            (const uint32_t[]){0, 1, 1, 1, 0, 0}, 6, NULL);
    builder_set_source(builder, "", "", 0, 0, 2000);
    for (uint32_t rank = 0; rank < rank_count; rank++) {
        builder_call(builder, rank, posts, 0, 0, NULL);
        builder_access_file(builder, rank, files[0], UINT64_C(1) << 61, 1 << 20,
                            OPERATION_FLAG_FILE_WRITE, 5, NULL);
        builder_return(builder, rank, 10, false, NULL);
        builder_compute(builder, rank, 1000, NULL);
        builder_call(builder, rank, waits, 1, 1010, NULL);
        builder_wait(builder, rank, &(uint64_t){5}, 1, NULL);
        builder_return(builder, rank, 1020, false, NULL);
        builder_call(builder, rank, reads, 2, 1030, NULL);
        builder_access_file(builder, rank, files[1], 7, 4096, OPERATION_FLAG_FILE_COLLECTIVE,
                            BUILDER_NO_REQUEST, NULL);
        builder_wait_call(builder, rank, NULL);
        builder_return(builder, rank, 2000, false, NULL);
    }
    assert_int_equal(builder_seal(builder, 1, &program, NULL), STATUS_OK);
    builder_free(builder);
    return program;
}

static struct program *program_of(size_t i) {
    if (programs[i].seed == WITH_FILES) return program_with_files(programs[i].rank_count);
    struct program *whole = random_program(programs[i].seed, programs[i].rank_count, STEPS);
    if (programs[i].forgotten == 0) return whole;
    uint64_t forgotten;
    struct program *found =
        forget_receives(whole, FORGET_ANY, programs[i].forgotten, programs[i].seed, 1, &forgotten);
    program_free(whole);
    assert_true(forgotten_noted(found, "MPI_Mrecv without record") > 0);
    return found;
}

static bool is_update(void) {
    const char *update = getenv("ANAX_UPDATE_GOLDEN");
    return update != NULL && strcmp(update, "1") == 0;
}

static void put_byte(struct program_codec_buffer *bytes, size_t value) {
    assert_true(value <= UINT8_MAX && bytes->size < BYTES_MAX);
    bytes->bytes[bytes->size++] = (uint8_t)value;
}

static void put_section(struct program_codec_buffer *bytes,
                        const struct program_codec_buffer *section) {
    put_byte(bytes, section->size & 0xFF);
    put_byte(bytes, section->size >> 8);
    assert_true(bytes->size + section->size <= BYTES_MAX);
    memcpy(bytes->bytes + bytes->size, section->bytes, section->size);
    bytes->size += section->size;
}

/* The number of ranks, the shared tables, then each rank's counts and operations. */
static void put_program(struct program_codec_buffer *bytes, const struct program *program) {
    struct status status = STATUS_INIT;
    struct program_codec_buffer section = {0};
    struct program_codec_scratch *scratch = program_codec_scratch_new();
    put_byte(bytes, program->rank_count - 1);
    assert_int_equal(program_codec_write_shared(program, &section, &status), STATUS_OK);
    put_section(bytes, &section);
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const struct program_rank *rank_entry = &program->ranks[rank];
        put_byte(bytes, rank_entry->count);
        put_byte(bytes, rank_entry->wait_slot_count);
        put_byte(bytes, rank_entry->slot_count);
        put_byte(bytes, rank_entry->send_count);
        put_byte(bytes, rank_entry->receive_count);
        put_byte(bytes, rank_entry->mark_count);
        assert_int_equal(program_codec_write_rank(program, rank, scratch, &section, &status),
                         STATUS_OK);
        put_section(bytes, &section);
    }
    program_codec_scratch_free(scratch);
    program_codec_buffer_free(&section);
}

static void sections_are_of_this_format(void **state) {
    (void)state;
    static uint8_t expected[BYTES_MAX], found[BYTES_MAX];
    for (size_t i = 0; i < PROGRAMS; i++) {
        struct program *program = program_of(i);
        struct program_codec_buffer bytes = {.bytes = expected};
        put_program(&bytes, program);
        program_free(program);
        char path[256];
        path_of(path, "seed", i);
        FILE *file = fopen(path, is_update() ? "w+b" : "rb");
        assert_non_null(file);
        if (is_update()) assert_int_equal(fwrite(expected, 1, bytes.size, file), bytes.size);
        rewind(file);
        assert_int_equal(fread(found, 1, sizeof found, file), bytes.size);
        assert_memory_equal(found, expected, bytes.size);
        fclose(file);
    }
}

/* Another zlib may compress to other bytes. */
static void files_are_of_this_format(void **state) {
    (void)state;
    for (size_t i = 0; i < PROGRAMS; i++) {
        struct program *written = program_of(i);
        struct program *read = NULL;
        struct status status = STATUS_INIT;
        char path[256];
        path_of(path, "file", i);
        if (is_update())
            assert_int_equal(traces_write_program(written, path, true, 1, &status), STATUS_OK);
        if (traces_read_program(&read, path, 1, &status) != STATUS_OK) fail_msg("%s", status.text);
        assert_true(read->content_hash == written->content_hash);
        program_free(read);
        program_free(written);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_are_of_this_format),
        cmocka_unit_test(files_are_of_this_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
