/*
 * Phase 2 of building a program: appends waits for the operations of a rank that are in flight, and
 * tests that found operations complete. Uses the part of one rank only, as program_builder.c does.
 */
#include "core/memory/paging.h"
#include "traces/program/builder/builder_parts.h"

#include <inttypes.h>
#include <string.h>

/* Marks an operation as waited for. STATUS_INPUT: it is reserved and not known yet. */
static status_code mark_waited(struct builder_rank *part, uint32_t rank, uint32_t index,
                               struct status *status) {
    struct program_operation *operation = &part->operations[index];
    if (operation->kind == OPERATION_FILE) {
        operation->flags |= BUILDER_FILE_WAITED;
        return STATUS_OK;
    }
    bool is_collective = operation->kind == OPERATION_COLLECTIVE;
    uint32_t known = is_collective ? operation->collective.arguments : operation->message.envelope;
    RETURN_ERROR_IF(known == PROGRAM_NONE, status, STATUS_INPUT,
                    "rank %u: waits for a request of which nothing is known", rank);
    if (is_collective)
        operation->collective.request_state = BUILDER_WAITED;
    else
        operation->message.request_state = BUILDER_WAITED;
    return STATUS_OK;
}

/* Appends a WAIT for operations. If there are several, the caller has put them behind the entries
 * of waits. */
static inline status_code append_wait(struct builder_rank *part, uint32_t rank,
                                      const uint32_t *waits, uint32_t count,
                                      struct status *status) {
    RETURN_ERROR_IF(part->wait_count + count >= PROGRAM_NONE, status, STATUS_INPUT,
                    "rank %u: more than %u requests waited for", rank, PROGRAM_NONE);
    for (uint32_t i = 0; i < count; i++)
        FORWARD_IF_ERROR(mark_waited(part, rank, waits[i], status));
    uint32_t first = count > 1 ? (uint32_t)part->wait_count : waits[0];
    struct program_operation *operation = NULL;
    FORWARD_IF_ERROR(builder_append(part, rank, &operation, status));
    *operation = (struct program_operation){.kind = OPERATION_WAIT, .wait = {first, count, 0}};
    if (count > 1) part->wait_count += count;
    return STATUS_OK;
}

/* Puts the operations of requests in flight where append_wait expects them. */
static status_code take_requests(struct builder_rank *part, uint32_t rank, const uint64_t *requests,
                                 uint32_t count, struct status *status) {
    FORWARD_IF_ERROR(paging_grow(part->paging, (void **)&part->waits, &part->wait_capacity,
                                 part->wait_count + count, sizeof *part->waits, status));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = key_table_remove(&part->requests, requests[i]);
        RETURN_ERROR_IF(index == KEY_TABLE_NONE, status, STATUS_INPUT,
                        "rank %u: waits for request %" PRIu64 ", which is not in flight", rank,
                        requests[i]);
        part->waits[part->wait_count + i] = index;
    }
    return STATUS_OK;
}

status_code builder_wait(struct program_builder *builder, uint32_t rank, const uint64_t *requests,
                         uint32_t count, struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, true, "a wait", &part, status));
    if (count == 0) return STATUS_OK;
    FORWARD_IF_ERROR(take_requests(part, rank, requests, count, status));
    return append_wait(part, rank, part->waits + part->wait_count, count, status);
}

/* Returns program_only_gives for an operation that does not have its final form yet. */
static bool is_given(const struct program_builder *builder, const struct builder_rank *part,
                     const struct program_operation *operation) {
    if (operation->kind != OPERATION_COLLECTIVE || operation->collective.arguments == PROGRAM_NONE)
        return operation->kind == OPERATION_SEND && program_only_gives(builder->program, operation);
    const struct program_collective_arguments *arguments =
        &part->arguments[operation->collective.arguments];
    return program_collective_only_gives(&builder->program->communicators[arguments->communicator],
                                         arguments, operation->flags);
}

/* Lets a persistent send keep its slot for its restart. Ignores other operations. */
static status_code hold_slot(struct builder_rank *part, uint32_t index, uint64_t request,
                             struct status *status) {
    struct program_operation *operation = &part->operations[index];
    if (operation->kind != OPERATION_SEND || !(operation->flags & OPERATION_FLAG_SEND_PERSISTENT))
        return STATUS_OK;
    operation->message.request_state = BUILDER_TESTED;
    return key_table_insert(&part->tested, request, index, status);
}

status_code builder_wait_tested(struct program_builder *builder, uint32_t rank,
                                const uint64_t *requests, uint32_t count, uint64_t *given,
                                struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, true, "a test", &part, status));
    if (count == 0) return STATUS_OK;
    FORWARD_IF_ERROR(take_requests(part, rank, requests, count, status));
    size_t first = part->wait_count;
    FORWARD_IF_ERROR(append_wait(part, rank, part->waits + first, count, status));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = part->waits[first + i];
        if (!is_given(builder, part, &part->operations[index])) continue;
        ++*given;
        part->operations[part->operation_count - 1].flags = OPERATION_FLAG_WAIT_TESTED;
        FORWARD_IF_ERROR(hold_slot(part, index, requests[i], status));
    }
    return STATUS_OK;
}

status_code builder_wait_call(struct program_builder *builder, uint32_t rank,
                              struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, true, "a wait", &part, status));
    if (part->blocking_count == 0) return STATUS_OK;
    uint32_t count = (uint32_t)part->blocking_count;
    part->blocking_count = 0;
    if (count == 1) return append_wait(part, rank, part->blocking, 1, status);
    FORWARD_IF_ERROR(paging_grow(part->paging, (void **)&part->waits, &part->wait_capacity,
                                 part->wait_count + count, sizeof *part->waits, status));
    memcpy(part->waits + part->wait_count, part->blocking, count * sizeof *part->waits);
    return append_wait(part, rank, part->waits + part->wait_count, count, status);
}
