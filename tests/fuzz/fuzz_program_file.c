/*
 * Fuzz target for program files. The input is used in two ways:
 *  - as a file, which must be refused or read as a whole;
 *  - as the sections of a file behind the checksums, which fuzzing would hardly ever get past: the
 *    number of ranks, the shared tables, then each rank's counts and operations. Whatever passes
 *    program_check must be written and read back with the same content.
 */
#include "core/memory/memory.h"
#include "traces/program/file/program_codec.h"
#include "traces/program/program_graph.h"
#include "traces/program/program_hash.h"
#include "traces/program/program_packed.h"
#include "traces/traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[64];

static void remove_file(void) {
    unlink(path);
}

static void require(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void as_file(const uint8_t *data, size_t size) {
    FILE *file = fopen(path, "wb");
    require(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0, "no file");
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    if (traces_read_program(&program, path, 1, &status) == STATUS_OK) {
        require(program_check_file(program, NULL) == STATUS_OK, "an unchecked program was read");
        program_free(program);
    } else {
        require(program == NULL && status.text != NULL, "an error without a text");
    }
    status_clear(&status);
}

static void write_and_read(struct program *program) {
    require(program_hash(program, 1, &program->content_hash, NULL) == STATUS_OK, "no hash");
    struct status status = STATUS_INIT;
    require(traces_write_program(program, path, true, 1, &status) == STATUS_OK,
            "cannot be written");
    struct program *again = NULL;
    if (traces_read_program(&again, path, 1, &status) != STATUS_OK) require(0, status.text);
    require(again->content_hash == program->content_hash, "comes back with another content");
    program_free(again);
}

enum { RANK_LIMIT = 8 };

/* What is left of the input. */
struct input {
    const uint8_t *at;
    size_t size;
};

static uint32_t take(struct input *input) {
    if (input->size == 0) return 0;
    input->size--;
    return *input->at++;
}

static struct input take_section(struct input *from) {
    size_t size = take(from);
    size |= (size_t)take(from) << 8;
    if (size > from->size) size = from->size;
    struct input section = {from->at, size};
    from->at += size;
    from->size -= size;
    return section;
}

/* Per rank its counts, then its section. */
static status_code read_ranks(struct program *program, struct input *input) {
    struct input sections[RANK_LIMIT];
    program->ranks = memory_new(program->rank_count, sizeof *program->ranks);
    require(program->ranks != NULL, "no memory");
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        struct program_rank *rank_entry = &program->ranks[rank];
        rank_entry->first = program->operation_count;
        rank_entry->first_wait_slot = program->wait_slot_count;
        rank_entry->count = take(input);
        rank_entry->wait_slot_count = take(input);
        rank_entry->slot_count = take(input);
        rank_entry->send_count = take(input);
        rank_entry->receive_count = take(input);
        rank_entry->mark_count = take(input);
        program->operation_count += rank_entry->count;
        program->wait_slot_count += rank_entry->wait_slot_count;
        sections[rank] = take_section(input);
    }
    program->wait_slots = memory_new(program->wait_slot_count, sizeof *program->wait_slots);
    require(program->wait_slots != NULL, "no memory");
    require(program_packed_new(program, NULL, NULL) == STATUS_OK, "no memory");
    struct program_packer packer = {0};
    status_code code = STATUS_OK;
    for (uint32_t rank = 0; rank < program->rank_count && code == STATUS_OK; rank++)
        code = program_codec_read_rank(program, rank, program->ranks[rank].count, sections[rank].at,
                                       sections[rank].size, CODEC_VERSION, &packer, NULL);
    program_packer_free(&packer);
    if (code == STATUS_OK && program_has_graphs(program)) code = program_unpack(program, NULL);
    return code == STATUS_OK ? program_check_file(program, NULL) : code;
}

static void as_sections(const uint8_t *data, size_t size) {
    struct program *program = memory_new(1, sizeof *program);
    require(program != NULL, "no memory");
    struct input input = {data, size};
    program->rank_count = 1 + take(&input) % RANK_LIMIT;
    struct input shared = take_section(&input);
    if (program_codec_read_shared(program, shared.at, shared.size, CODEC_VERSION, NULL) ==
            STATUS_OK &&
        read_ranks(program, &input) == STATUS_OK)
        write_and_read(program);
    program_free(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (path[0] == '\0') {
        snprintf(path, sizeof path, "/tmp/anax-fuzz-%ld.anax", (long)getpid());
        atexit(remove_file);
    }
    as_file(data, size);
    as_sections(data, size);
    return 0;
}
