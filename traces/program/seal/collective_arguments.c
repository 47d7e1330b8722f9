/* Changes the sizes of collectives after their arguments were interned. */
#include "traces/program/seal/collective_arguments.h"
#include "core/memory/memory.h"
#include "traces/program/builder/builder_parts.h"

#include <stdlib.h>

/* Adds all arguments to the index, so that changed arguments are shared with equal ones. */
static status_code index_arguments(struct collective_arguments *arguments, struct status *status) {
    const struct program *program = arguments->program;
    arguments->count = arguments->capacity = program->collective_argument_count;
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        uint64_t hash = builder_hash_arguments(&program->collective_arguments[i]);
        while (key_table_find(&arguments->index, hash) != KEY_TABLE_NONE)
            hash++;
        FORWARD_IF_ERROR(key_table_insert(&arguments->index, hash, i, status));
    }
    return STATUS_OK;
}

status_code collective_arguments_resize(struct collective_arguments *arguments,
                                        struct program_operation *operation, uint64_t send_bytes,
                                        uint64_t receive_bytes, struct status *status) {
    struct program *program = arguments->program;
    struct program_collective_arguments changed =
        program->collective_arguments[operation->collective.arguments];
    changed.send_bytes = send_bytes;
    changed.receive_bytes = receive_bytes;
    if (arguments->index.map.count == 0) FORWARD_IF_ERROR(index_arguments(arguments, status));
    uint32_t index = 0;
    FORWARD_IF_ERROR(builder_intern(&arguments->index, builder_hash_arguments(&changed), &changed,
                                    sizeof changed, (void **)&program->collective_arguments,
                                    &arguments->count, &arguments->capacity, &index, status));
    program->collective_argument_count = (uint32_t)arguments->count;
    operation->collective.arguments = index;
    return STATUS_OK;
}

status_code collective_arguments_finish(struct collective_arguments *arguments,
                                        struct status *status) {
    if (arguments->index.map.count == 0) return STATUS_OK;
    struct program *program = arguments->program;
    uint32_t count = program->collective_argument_count, used = 0;
    uint32_t *number = memory_new(count, sizeof *number);
    struct program_collective_arguments *ordered = memory_new(count, sizeof *ordered);
    if (number == NULL || ordered == NULL) {
        free(number);
        free(ordered);
        return status_set(status, STATUS_MEMORY, "out of memory for collectives");
    }
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const struct program_places *places = &arguments->posted->ranks[rank].collectives;
        for (size_t i = 0; i < places->count; i++) {
            uint32_t *index =
                &program_posted_collective(program, rank, places, i)->collective.arguments;
            if (number[*index] == 0) {
                ordered[used] = program->collective_arguments[*index];
                number[*index] = ++used;
            }
            *index = number[*index] - 1;
        }
    }
    free(number);
    free(program->collective_arguments);
    program->collective_arguments = ordered;
    program->collective_argument_count = used;
    return STATUS_OK;
}

void collective_arguments_free(struct collective_arguments *arguments) {
    key_table_free(&arguments->index);
}
