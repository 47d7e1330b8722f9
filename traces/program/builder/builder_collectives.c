/*
 * Phase 2 of building a program: appends collectives. Like program_builder.c, this file uses one
 * rank's part only, and must not know OTF2 or files.
 */
#include "core/memory/memory.h"
#include "traces/program/builder/builder_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_rooted(uint32_t kind) {
    return kind == PROGRAM_COLLECTIVE_BCAST || kind == PROGRAM_COLLECTIVE_GATHER ||
           kind == PROGRAM_COLLECTIVE_GATHERV || kind == PROGRAM_COLLECTIVE_SCATTER ||
           kind == PROGRAM_COLLECTIVE_SCATTERV || kind == PROGRAM_COLLECTIVE_REDUCE;
}

static status_code find_arguments(struct program_builder *builder, uint32_t rank,
                                  struct program_collective_arguments arguments, unsigned flags,
                                  uint32_t *index, struct status *status) {
    const struct program *program = builder->program;
    RETURN_ERROR_IF(arguments.kind >= PROGRAM_COLLECTIVE_KINDS ||
                        arguments.communicator >= program->communicator_count ||
                        (flags & ~(unsigned)(OPERATION_FLAG_COLLECTIVE_SPLIT |
                                             OPERATION_FLAG_COLLECTIVE_IN_PLACE |
                                             OPERATION_FLAG_COLLECTIVE_BLOCKING |
                                             OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE)) != 0,
                    status, STATUS_USAGE,
                    "rank %u: collective of kind %u on communicator %u with flags %u", rank,
                    arguments.kind, arguments.communicator, flags);
    const struct program_communicator *c = &program->communicators[arguments.communicator];
    const char *kind = program_collective_name(arguments.kind);
    const char *name = program_text(program, c->name);
    struct builder_member me = builder_find_member(builder, arguments.communicator, rank);
    RETURN_ERROR_IF(
        me.in_group == PROGRAM_NONE && arguments.kind != PROGRAM_COLLECTIVE_CREATE_HANDLE &&
            arguments.kind != PROGRAM_COLLECTIVE_DESTROY_HANDLE,
        status, STATUS_INPUT, "rank %u: %s on a communicator of which the rank is not a member%s%s",
        rank, kind, *name != '\0' ? ": " : "", name);
    RETURN_ERROR_IF(arguments.send_bytes >= PROGRAM_BYTES_LIMIT ||
                        arguments.receive_bytes >= PROGRAM_BYTES_LIMIT,
                    status, STATUS_INPUT,
                    "rank %u: %s of %" PRIu64 " bytes sent and %" PRIu64
                    " received (damaged file?)",
                    rank, kind, arguments.send_bytes, arguments.receive_bytes);
    arguments.own_member = me.in_group;
    bool remote_root = (flags & OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE) != 0;
    if (!is_rooted(arguments.kind)) {
        arguments.root = PROGRAM_NONE;
    } else if (arguments.root != PROGRAM_NONE || c->remote_size == 0 || remote_root) {
        uint32_t size = me.remote != remote_root ? c->remote_size : c->size;
        RETURN_ERROR_IF(arguments.root >= size, status, STATUS_INPUT,
                        "rank %u: %s with root %u in a group of %u", rank, kind, arguments.root,
                        size);
    }
    struct builder_rank *part = &builder->ranks[rank];
    return builder_intern(&part->argument_index, builder_hash_arguments(&arguments), &arguments,
                          sizeof arguments, (void **)&part->arguments, &part->argument_count,
                          &part->argument_capacity, index, status);
}

status_code builder_collective(struct program_builder *builder, uint32_t rank,
                               const struct program_collective_arguments *arguments, unsigned flags,
                               uint64_t request, struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, true, "a collective", &part, status));
    bool blocking = request == BUILDER_NO_REQUEST;
    flags = blocking ? flags | OPERATION_FLAG_COLLECTIVE_BLOCKING
                     : flags & ~(unsigned)OPERATION_FLAG_COLLECTIVE_BLOCKING;
    unsigned known = builder->sizes_are_open ? flags & BUILDER_SIZES_ARE_KNOWN : 0;
    flags &= ~BUILDER_SIZES_ARE_KNOWN;
    if (known != 0) atomic_store_explicit(&builder->has_known, true, memory_order_relaxed);
    uint32_t index;
    FORWARD_IF_ERROR(find_arguments(builder, rank, *arguments, flags, &index, status));
    struct program_operation *operation = NULL;
    FORWARD_IF_ERROR(builder_append(part, rank, &operation, status));
    *operation = (struct program_operation){.kind = OPERATION_COLLECTIVE,
                                            .flags = (flags | known) & 0xFF,
                                            .collective = {.arguments = index,
                                                           .slot = PROGRAM_NONE,
                                                           .request_state = BUILDER_POSTED,
                                                           .sizes = PROGRAM_NONE}};
    return blocking ? STATUS_OK : builder_post(part, rank, request, status);
}

/* Finds the collective that was appended last, and its arguments. */
static status_code find_last(struct program_builder *builder, uint32_t rank,
                             struct program_operation **operation,
                             const struct program_collective_arguments **arguments,
                             struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, true, "sizes", &part, status));
    *operation = part->operation_count == 0 ? NULL : &part->operations[part->operation_count - 1];
    RETURN_ERROR_IF(*operation == NULL || (*operation)->kind != OPERATION_COLLECTIVE ||
                        (*operation)->collective.arguments == PROGRAM_NONE,
                    status, STATUS_INPUT, "rank %u: sizes that belong to no collective", rank);
    *arguments = &part->arguments[(*operation)->collective.arguments];
    return STATUS_OK;
}

status_code builder_set_element(struct program_builder *builder, uint32_t rank, uint64_t bytes,
                                struct status *status) {
    struct program_operation *operation = NULL;
    const struct program_collective_arguments *arguments = NULL;
    FORWARD_IF_ERROR(find_last(builder, rank, &operation, &arguments, status));
    RETURN_ERROR_IF(!program_is_reduction(arguments->kind) || bytes >= PROGRAM_BYTES_LIMIT, status,
                    STATUS_INPUT, "rank %u: %s of elements of %" PRIu64 " bytes", rank,
                    program_collective_name(arguments->kind), bytes);
    operation->element_bytes = bytes & (PROGRAM_BYTES_LIMIT - 1);
    return STATUS_OK;
}

/* Tests that a row has an entry for each member and adds up to what the rank sends. */
static status_code check_row(const struct program_builder *builder, uint32_t rank,
                             const struct program_collective_arguments *arguments,
                             const uint64_t *bytes, uint32_t count, struct status *status) {
    const struct program_communicator *c =
        &builder->program->communicators[arguments->communicator];
    const char *kind = program_collective_name(arguments->kind);
    bool remote = builder_find_member(builder, arguments->communicator, rank).remote;
    uint32_t members = c->remote_size > 0 && !remote ? c->remote_size : c->size;
    RETURN_ERROR_IF(!program_is_paired(arguments->kind) || count != members, status, STATUS_INPUT,
                    "rank %u: %s with %u sizes for %u members", rank, kind, count, members);
    uint64_t left = arguments->send_bytes;
    for (uint32_t i = 0; i < count; i++) {
        RETURN_ERROR_IF(bytes[i] > left, status, STATUS_INPUT,
                        "rank %u: the sizes of its %s add up to more than it sends", rank, kind);
        left -= bytes[i];
    }
    RETURN_ERROR_IF(left > 0, status, STATUS_INPUT,
                    "rank %u: the sizes of its %s add up to %" PRIu64 " bytes less than it sends",
                    rank, kind, left);
    return STATUS_OK;
}

status_code builder_set_bytes_to_members(struct program_builder *builder, uint32_t rank,
                                         const uint64_t *bytes, uint32_t count,
                                         struct status *status) {
    struct program_operation *operation = NULL;
    const struct program_collective_arguments *arguments = NULL;
    FORWARD_IF_ERROR(find_last(builder, rank, &operation, &arguments, status));
    FORWARD_IF_ERROR(check_row(builder, rank, arguments, bytes, count, status));
    uint64_t *vector = memory_new((size_t)count + 1, sizeof *vector);
    RETURN_ERROR_IF(vector == NULL, status, STATUS_MEMORY, "out of memory for %u sizes", count);
    vector[0] = count;
    memcpy(vector + 1, bytes, count * sizeof *bytes);
    uint32_t first = 0;
    status_code code =
        vector_table_find(&builder->ranks[rank].rows, vector, (size_t)count + 1, &first, status);
    free(vector);
    operation->pair_row_plus_1 = first + UINT64_C(1);
    return code;
}

status_code builder_reserve_collective(struct program_builder *builder, uint32_t rank,
                                       uint64_t request, struct status *status) {
    static const struct program_operation reserved = {
        .kind = OPERATION_COLLECTIVE,
        .collective = {.arguments = PROGRAM_NONE,
                       .slot = PROGRAM_NONE,
                       .request_state = BUILDER_POSTED,
                       .sizes = PROGRAM_NONE}};
    return builder_reserve(builder, &reserved, rank, request, status);
}

status_code builder_fill_collective(struct program_builder *builder, uint32_t rank,
                                    uint64_t request,
                                    const struct program_collective_arguments *arguments,
                                    unsigned flags, struct status *status) {
    RETURN_ERROR_IF(rank >= builder->program->rank_count, status, STATUS_USAGE,
                    "rank %u: the last one is rank %u", rank, builder->program->rank_count - 1);
    struct program_operation *operation = NULL;
    FORWARD_IF_ERROR(builder_find_request(&builder->ranks[rank], rank, request,
                                          OPERATION_COLLECTIVE, &operation, status));
    flags &= ~(unsigned)OPERATION_FLAG_COLLECTIVE_BLOCKING;
    FORWARD_IF_ERROR(
        find_arguments(builder, rank, *arguments, flags, &operation->collective.arguments, status));
    operation->flags = flags & 0xFF;
    return STATUS_OK;
}

status_code builder_drop_collective(struct program_builder *builder, uint32_t rank,
                                    uint64_t request, struct status *status) {
    return builder_drop(builder, rank, request, OPERATION_COLLECTIVE, status);
}
