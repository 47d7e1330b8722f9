/*
 * Damage to programs behind the checksums of their file: operations and tables are changed in
 * memory and written anew. Knows what a program is (traces/program/program.h), and breaks its
 * invariants.
 *
 * Messages stay below 4 GiB, so that a replay of what is accepted comes to an end.
 */
#include "tests/support/mutate/mutate.h"

#include "traces/program/program_hash.h"
#include "traces/program/program_packed.h"
#include "traces/traces.h"

#include <stdio.h>

#define BYTES_MAX (UINT64_C(1) << 32)

/* Mostly a number that may be right, sometimes any. */
static uint32_t draw_index(struct mutate_dice *dice, uint64_t count) {
    return mutate_below(dice, 5) == 0 ? (uint32_t)mutate_extreme(dice)
                                      : (uint32_t)mutate_below(dice, (size_t)count + 1);
}

static uint64_t draw_bytes(struct mutate_dice *dice) {
    return mutate_extreme(dice) % BYTES_MAX;
}

static void change_message(const struct program *program, struct program_operation *operation,
                           struct mutate_dice *dice) {
    switch (mutate_below(dice, 6)) {
    case 0:
        operation->bytes = draw_bytes(dice);
        break;
    case 1:
        operation->message.peer = draw_index(dice, program->rank_count);
        break;
    case 2:
        operation->message.match = draw_index(dice, 100);
        break;
    case 3:
        operation->message.slot = draw_index(dice, 8);
        break;
    case 4:
        operation->message.envelope = draw_index(dice, program->envelope_count);
        break;
    default:
        operation->flags ^= 1u << mutate_below(dice, 8);
    }
}

static void change_collective(const struct program *program, struct program_operation *operation,
                              struct mutate_dice *dice) {
    switch (mutate_below(dice, 6)) {
    case 0:
        operation->collective.arguments = draw_index(dice, program->collective_argument_count);
        break;
    case 1:
        operation->collective.slot = draw_index(dice, 8);
        break;
    case 2:
        operation->collective.instance = draw_index(dice, 100);
        break;
    case 3:
        operation->collective.sizes = draw_index(dice, program->size_count);
        break;
    case 4:
        operation->pair_row_plus_1 =
            draw_index(dice, program->pair_row_count + 1) & (PROGRAM_BYTES_LIMIT - 1);
        break;
    default:
        operation->flags ^= 1u << mutate_below(dice, 8);
    }
}

static void change_operation(const struct program *program, struct program_operation *operation,
                             struct mutate_dice *dice) {
    switch ((program_operation_kind)operation->kind) {
    case OPERATION_COMPUTE:
        operation->compute.duration_ps = (int64_t)mutate_extreme(dice);
        break;
    case OPERATION_CALL:
    case OPERATION_RETURN:
    case OPERATION_ENTER:
    case OPERATION_LEAVE:
        if (mutate_below(dice, 2) == 0)
            operation->mark.region = draw_index(dice, program->region_count);
        else
            operation->mark.trace_ps = (int64_t)mutate_extreme(dice);
        break;
    case OPERATION_SEND:
    case OPERATION_RECEIVE:
        change_message(program, operation, dice);
        break;
    case OPERATION_COLLECTIVE:
        change_collective(program, operation, dice);
        break;
    case OPERATION_FILE:
        if (mutate_below(dice, 2) == 0)
            operation->file.index = draw_index(dice, program->file_count);
        else
            operation->file.offset = mutate_extreme(dice);
        break;
    case OPERATION_VERTEX:
        if (mutate_below(dice, 4) == 0) operation->place = mutate_extreme(dice) & 0xFFFF;
        /* fallthrough */
    case OPERATION_WAIT:
        if (mutate_below(dice, 2) == 0)
            operation->wait.first = draw_index(dice, 8);
        else
            operation->wait.count = draw_index(dice, 4);
        break;
    case OPERATION_END:
        operation->kind = mutate_below(dice, OPERATION_FILE + 1);
    }
}

static void change_arguments(struct program *program, struct mutate_dice *dice) {
    if (program->collective_argument_count == 0) return;
    struct program_collective_arguments *arguments =
        &program->collective_arguments[mutate_below(dice, program->collective_argument_count)];
    switch (mutate_below(dice, 6)) {
    case 0:
        arguments->kind = draw_index(dice, PROGRAM_COLLECTIVE_KINDS);
        break;
    case 1:
        arguments->communicator = draw_index(dice, program->communicator_count);
        break;
    case 2:
        arguments->own_member = draw_index(dice, program->rank_count);
        break;
    case 3:
        arguments->root = draw_index(dice, program->rank_count);
        break;
    case 4:
        arguments->send_bytes = draw_bytes(dice);
        break;
    default:
        arguments->receive_bytes = draw_bytes(dice);
    }
}

static void change_communicator(struct program *program, struct mutate_dice *dice) {
    if (program->communicator_count == 0) return;
    struct program_communicator *communicator =
        &program->communicators[mutate_below(dice, program->communicator_count)];
    switch (mutate_below(dice, 5)) {
    case 0:
        communicator->size = draw_index(dice, program->rank_count);
        break;
    case 1:
        communicator->members = draw_index(dice, program->communicator_member_count);
        break;
    case 2:
        communicator->remote_size = draw_index(dice, program->rank_count);
        break;
    case 3:
        communicator->remote_members = draw_index(dice, program->communicator_member_count);
        break;
    default:
        communicator->handles_synchronise = !communicator->handles_synchronise;
    }
}

static void change_tables(struct program *program, struct mutate_dice *dice) {
    switch (mutate_below(dice, 7)) {
    case 0:
        change_communicator(program, dice);
        break;
    case 1:
        if (program->communicator_member_count > 0)
            program->communicator_members[mutate_below(dice, program->communicator_member_count)] =
                draw_index(dice, program->rank_count);
        break;
    case 2:
        if (program->envelope_count > 0)
            program->envelopes[mutate_below(dice, program->envelope_count)].tag =
                (int32_t)mutate_extreme(dice);
        break;
    case 3:
        if (program->size_count > 0)
            program->sizes[mutate_below(dice, program->size_count)] = draw_bytes(dice);
        if (program->pair_row_count > 0)
            program->pair_rows[mutate_below(dice, program->pair_row_count)] =
                draw_index(dice, program->pair_byte_count);
        if (program->pair_byte_count > 0 && mutate_below(dice, 2) == 0)
            program->pair_bytes[mutate_below(dice, program->pair_byte_count)] = draw_bytes(dice);
        break;
    case 4:
        program->span_ps = (int64_t)mutate_extreme(dice);
        break;
    case 5:
        if (program->note_count > 0)
            program->notes[mutate_below(dice, program->note_count)].count = mutate_extreme(dice);
        program->unmatched_sends = mutate_extreme(dice);
        break;
    default:
        if (program->string_bytes > 1)
            program->strings[mutate_below(dice, program->string_bytes - 1)] =
                (char)mutate_extreme(dice);
    }
}

static const char *change(struct program *program, struct mutate_dice *dice) {
    struct program_operation *one =
        &program->operations[mutate_below(dice, program->operation_count)];
    struct program_operation *two =
        &program->operations[mutate_below(dice, program->operation_count)];
    struct program_operation copy = *one;
    switch (mutate_below(dice, 10)) {
    case 0:
        *one = *two;
        *two = copy;
        return "two operations exchanged";
    case 1:
        *one = *two;
        return "an operation is another one";
    case 2:
        change_arguments(program, dice);
        return "arguments of a collective";
    case 3:
    case 4:
        change_tables(program, dice);
        return "a table";
    case 5:
        program->ranks[mutate_below(dice, program->rank_count)].slot_count = draw_index(dice, 8);
        return "slots of a rank";
    default:
        change_operation(program, one, dice);
        return "an operation";
    }
}

bool mutate_program(const char *from, const char *to, struct mutate_dice *dice,
                    char note[MUTATE_NOTE]) {
    struct program *program = NULL;
    *note = '\0';
    if (traces_read_program(&program, from, 1, NULL) != STATUS_OK) return false;
    if (program_unpack(program, NULL) != STATUS_OK) {
        program_free(program);
        return false;
    }
    size_t times = 1 + mutate_below(dice, 2) * mutate_below(dice, 3), length = 0;
    for (size_t i = 0; i < times; i++) {
        const char *done = change(program, dice);
        length +=
            (size_t)snprintf(note + length, MUTATE_NOTE - length, "%s%s", i > 0 ? ", " : "", done);
    }
    bool good = program_hash(program, 1, &program->content_hash, NULL) == STATUS_OK &&
                traces_write_program(program, to, false, 1, NULL) == STATUS_OK;
    program_free(program);
    return good;
}
