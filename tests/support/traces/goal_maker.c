/* Reads a schedule in GOAL from a text of a test, and writes the binary form of a program. */
#include "tests/support/traces/goal_maker.h"

#include "traces/program/program_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

status_code goal_maker_read(struct program **program, const void *bytes, size_t size,
                            struct status *status) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/anax-goal-%ld.goal", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    status_code code = traces_import_goal(program, path, 1, NULL, NULL, status);
    unlink(path);
    return code;
}

struct program *goal_maker_program(const char *text) {
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    if (goal_maker_read(&program, text, strlen(text), &status) != STATUS_OK)
        fail_msg("%s", status.text);
    if (program_check(program, &status) != STATUS_OK) fail_msg("%s", status.text);
    return program;
}

struct buffer {
    unsigned char *bytes;
    size_t size, at;
};

static void put(struct buffer *buffer, uint64_t value, unsigned bytes) {
    assert_true(buffer->at + bytes <= buffer->size);
    for (unsigned i = 0; i < bytes; i++)
        buffer->bytes[buffer->at++] = (unsigned char)(value >> 8 * i);
}

/* The vertices of a rank that need one, and how. */
static uint32_t after(const struct program *program, uint32_t rank, uint32_t vertex, bool begun,
                      uint32_t *list) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    uint32_t count = 0, number = 0;
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        const struct program_operation *operation = &program->operations[i];
        if (operation->kind != OPERATION_VERTEX) continue;
        const uint32_t *needs = program_vertex_needs(program, rank, operation);
        for (uint32_t k = 0; k < operation->wait.count; k++)
            if (needs[k] == PROGRAM_NEED(vertex, begun)) list[count++] = number;
        number++;
    }
    return count;
}

static void put_vertex(const struct program *program, uint32_t rank, uint32_t number,
                       const struct program_operation *vertex, uint32_t *appended,
                       struct buffer *buffer) {
    uint32_t list[64];
    const struct program_operation *work = vertex + 1;
    bool calc = work->kind != OPERATION_SEND && work->kind != OPERATION_RECEIVE;
    put(buffer, vertex->wait.count, 4);
    put(buffer, calc ? 3 : work->kind == OPERATION_SEND ? 1 : 2, 1);
    put(buffer, calc ? 0 : work->message.peer, 4);
    put(buffer,
        work->kind == OPERATION_COMPUTE ? (uint64_t)work->compute.duration_ps / 1000
        : calc                          ? 0
                                        : work->bytes,
        8);
    const struct program_envelope *envelope =
        calc ? NULL : &program->envelopes[work->message.envelope];
    put(buffer, calc ? 0 : envelope->communicator << 31 | (uint32_t)envelope->tag, 4);
    put(buffer, vertex->place & 0xFF, 1);
    put(buffer, vertex->place >> 8, 1);
    for (unsigned begun = 0; begun < 2; begun++) {
        uint32_t count = after(program, rank, number, begun, list);
        put(buffer, count, 4);
        put(buffer, *appended, 4);
        *appended += count;
    }
}

static void put_rank(const struct program *program, uint32_t rank, struct buffer *buffer) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    const struct program_operation *operations = program->operations + rank_entry->first;
    uint32_t roots = 0, number = 0, appended = 0, list[64];
    for (uint64_t i = 0; i < rank_entry->count; i++)
        roots += operations[i].kind == OPERATION_VERTEX && operations[i].wait.count == 0;
    put(buffer, rank_entry->slot_count, 4);
    put(buffer, roots, 4);
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        if (operations[i].kind != OPERATION_VERTEX) continue;
        if (operations[i].wait.count == 0) put(buffer, number, 4);
        number++;
    }
    number = 0;
    for (uint64_t i = 0; i < rank_entry->count; i++)
        if (operations[i].kind == OPERATION_VERTEX)
            put_vertex(program, rank, number++, &operations[i], &appended, buffer);
    for (number = 0; number < rank_entry->slot_count; number++)
        for (unsigned begun = 0; begun < 2; begun++) {
            uint32_t count = after(program, rank, number, begun, list);
            for (uint32_t i = 0; i < count; i++)
                put(buffer, list[i], 4);
        }
}

size_t goal_maker_binary(const struct program *program, unsigned char *bytes, size_t size) {
    struct buffer buffer = {bytes, size, 0};
    put(&buffer, 4223, 8);
    put(&buffer, program->rank_count, 4);
    put(&buffer, 0xFFFF, 2);
    size_t table = buffer.at;
    for (uint32_t i = 0; i < 2 * program->rank_count; i++)
        put(&buffer, 0, 8);
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        size_t begin = buffer.at - 8;
        put_rank(program, rank, &buffer);
        struct buffer entry = {bytes, size, table + 16 * (size_t)rank};
        put(&entry, begin, 8);
        put(&entry, buffer.at - 8, 8);
    }
    return buffer.at;
}
