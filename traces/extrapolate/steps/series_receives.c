/*
 * Sizes that need no law. If each receive of the series has the length of the message that it
 * takes, so have the receives of the new program. And series_rows_are_unequal: the sizes of single
 * messages of MPI_Alltoallv get no law, so all pairs of ranks have equal shares in the new program.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/series.h"
#include "traces/extrapolate/steps/series_steps.h"

#include <stdlib.h>

/* Lists the lengths of the sends of all ranks of a program, in their order. Sets first[r] to the
 * index of the first one of rank r. */
static void list_sends(const struct program *program, uint64_t *lengths, uint64_t *first) {
    uint64_t count = 0;
    for (uint32_t r = 0; r < program->rank_count; r++) {
        const struct program_rank *rank = &program->ranks[r];
        first[r] = count;
        for (uint64_t i = 0; i < rank->count; i++) {
            const struct program_operation *operation =
                PROGRAM_OPERATION_AT(program, r, rank->first + i);
            if (operation->kind == OPERATION_SEND) lengths[count++] = operation->bytes;
        }
    }
}

/* Returns whether each receive has the length of its send. */
static bool are_alike(const struct program *program, const uint64_t *lengths,
                      const uint64_t *first) {
    for (uint32_t r = 0; r < program->rank_count; r++) {
        const struct program_rank *rank = &program->ranks[r];
        for (uint64_t i = 0; i < rank->count; i++) {
            const struct program_operation *operation =
                PROGRAM_OPERATION_AT(program, r, rank->first + i);
            if (operation->kind != OPERATION_RECEIVE) continue;
            if (operation->message.match == PROGRAM_NONE ||
                lengths[first[operation->message.peer] + operation->message.match] !=
                    operation->bytes)
                return false;
        }
    }
    return true;
}

status_code series_receives_check(struct series *series, struct status *status) {
    series->steps.receives_follow = true;
    for (uint32_t k = 0; k < series->program_count && series->steps.receives_follow; k++) {
        const struct program *program = series->programs[k].program;
        uint64_t count = 0;
        for (uint32_t r = 0; r < program->rank_count; r++)
            count += program->ranks[r].send_count;
        uint64_t *lengths = memory_new(count + 1, sizeof *lengths);
        uint64_t *first = memory_new(program->rank_count, sizeof *first);
        const bool has_room = lengths != NULL && first != NULL;
        if (has_room) {
            list_sends(program, lengths, first);
            series->steps.receives_follow = are_alike(program, lengths, first);
        }
        free(lengths);
        free(first);
        RETURN_ERROR_IF(!has_room, status, STATUS_MEMORY, "out of memory for lengths of receives");
    }
    return STATUS_OK;
}

/* Returns whether some part of a row is more than 5 % larger or smaller than the mean. */
static bool is_unequal(const uint64_t *row, uint32_t count) {
    wide sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += row[i];
    for (uint32_t i = 0; i < count; i++) {
        const wide part = (wide)row[i] * count;
        if (20 * (part > sum ? part - sum : sum - part) > sum) return true;
    }
    return false;
}

bool series_rows_are_unequal(const struct series *series) {
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct program *program = series->programs[k].program;
        for (uint32_t r = 0; r < program->rank_count && program->pair_byte_count > 0; r++) {
            const struct program_rank *rank = &program->ranks[r];
            for (uint64_t i = 0; i < rank->count; i++) {
                const struct program_operation operation =
                    *PROGRAM_OPERATION_AT(program, r, rank->first + i);
                uint32_t count = 0;
                if (operation.kind != OPERATION_COLLECTIVE) continue;
                const uint64_t *row = program_bytes_to_members(program, &operation, r, &count);
                if (row != NULL && is_unequal(row, count)) return true;
            }
        }
    }
    return false;
}
