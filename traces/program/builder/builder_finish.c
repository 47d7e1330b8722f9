/*
 * Finishes a rank's operations: assigns slots and collects the places of posted operations. Must
 * not know other ranks, OTF2 or files.
 *
 * Invariant: a rank is finished in pieces or as a whole, with the same result. A piece ends where
 * no request is in flight, so nothing that follows refers to its operations; they are packed, and
 * the next piece reuses their memory.
 */
#include "core/memory/memory.h"
#include "traces/program/builder/builder_parts.h"

#include <stdlib.h>
#include <string.h>

/* Extends an order to the elements so far. */
static status_code order_extend(struct builder_order *order, size_t count, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&order->new_number, &order->new_number_capacity, count,
                                 sizeof *order->new_number, status));
    FORWARD_IF_ERROR(memory_grow((void **)&order->used, &order->used_capacity, count,
                                 sizeof *order->used, status));
    for (; order->count < count; order->count++)
        order->new_number[order->count] = PROGRAM_NONE;
    return STATUS_OK;
}

static void order_use(struct builder_order *order, uint32_t index) {
    if (order->new_number[index] != PROGRAM_NONE) return;
    order->new_number[index] = order->used_count;
    order->used[order->used_count++] = index;
}

static uint32_t take_slot(struct builder_rank *part) {
    if (part->free_count > 0) return part->free_slots[--part->free_count];
    return part->slot_count++;
}

static status_code finish_posted(struct builder_rank *part, uint32_t rank,
                                 struct program_operation *operation, struct status *status) {
    bool is_collective = operation->kind == OPERATION_COLLECTIVE;
    uint32_t known = is_collective ? operation->collective.arguments : operation->message.envelope;
    if (builder_is_unrecorded(operation)) {
        operation->message.slot = take_slot(part);
        return STATUS_OK;
    }
    RETURN_ERROR_IF(known == PROGRAM_NONE, status, STATUS_USAGE,
                    "rank %u: operation %td is reserved but was neither made known nor dropped",
                    rank, operation - part->operations);
    if (is_collective) {
        order_use(&part->argument_order, known);
        if (!(operation->flags & OPERATION_FLAG_COLLECTIVE_BLOCKING))
            operation->collective.slot = take_slot(part);
        return STATUS_OK;
    }
    order_use(&part->envelope_order, known);
    if (part->vertex_count > 0) return STATUS_OK; /* slots have the numbers of vertices */
    uint32_t restarted = operation->message.slot;
    operation->message.slot = PROGRAM_NONE;
    if (operation->message.request_state != BUILDER_TESTED)
        operation->flags &= 0xFF & ~OPERATION_FLAG_SEND_PERSISTENT;
    if (operation->message.request_state == BUILDER_POSTED)
        operation->flags = (operation->flags | OPERATION_FLAG_DETACHED) & 0xFF;
    else if (!(operation->flags & OPERATION_FLAG_DETACHED))
        operation->message.slot =
            restarted != PROGRAM_NONE ? part->operations[restarted].message.slot : take_slot(part);
    return STATUS_OK;
}

/* Gives an access to a file its slot, unless no wait names it. */
static void finish_file(struct builder_rank *part, struct program_operation *operation) {
    const bool is_waited = (operation->flags & BUILDER_FILE_WAITED) != 0;
    operation->flags &= 0xFF & ~BUILDER_FILE_WAITED;
    if (!is_waited) operation->flags |= OPERATION_FLAG_DETACHED;
    operation->file.slot = is_waited ? take_slot(part) : PROGRAM_NONE;
}

/* Sets *slot to the slot of a posted operation and makes the slot free again, unless a persistent
 * send keeps it for its restart. */
static status_code give_slot(struct builder_rank *part, uint32_t index, uint32_t *slot,
                             struct status *status) {
    const struct program_operation *posted = &part->operations[index];
    *slot = posted->kind == OPERATION_COLLECTIVE ? posted->collective.slot
            : posted->kind == OPERATION_FILE     ? posted->file.slot
                                                 : posted->message.slot;
    if (posted->kind == OPERATION_SEND && (posted->flags & OPERATION_FLAG_SEND_PERSISTENT))
        return STATUS_OK;
    FORWARD_IF_ERROR(memory_grow((void **)&part->free_slots, &part->free_capacity,
                                 part->free_count + 1, sizeof *slot, status));
    part->free_slots[part->free_count++] = *slot;
    return STATUS_OK;
}

static status_code finish_wait(struct builder_rank *part, struct program_operation *operation,
                               struct status *status) {
    if (operation->wait.count == 1)
        return give_slot(part, operation->wait.first, &operation->wait.first, status);
    uint32_t *waits = part->waits + operation->wait.first;
    for (uint32_t i = 0; i < operation->wait.count; i++)
        FORWARD_IF_ERROR(give_slot(part, waits[i], &waits[i], status));
    return STATUS_OK;
}

/* Adds the operation at `place` to its list, unless the list comes from packed operations. */
static status_code list_posted(struct program_builder *builder, struct builder_rank *part,
                               const struct program_operation *operation, uint64_t place,
                               struct status *status) {
    struct program_posted_rank *posted = &part->posted;
    if (operation->kind == OPERATION_COLLECTIVE)
        return program_places_add(part->paging, &posted->collectives, place, status);
    if (builder->program->packed != NULL) return STATUS_OK;
    if (operation->kind == OPERATION_RECEIVE)
        return program_places_add(part->paging, &posted->receives, place, status);
    program_posted_count(&builder->places.posted, operation);
    return program_places_add(part->paging, &posted->sends, place, status);
}

status_code builder_finish_piece(struct program_builder *builder, struct builder_rank *part,
                                 uint32_t rank, struct status *status) {
    FORWARD_IF_ERROR(order_extend(&part->envelope_order, part->envelope_count, status));
    FORWARD_IF_ERROR(order_extend(&part->argument_order, part->argument_count, status));
    uint64_t place = part->finished_count;
    for (size_t i = 0; i < part->operation_count; i++, place++) {
        struct program_operation *operation = &part->operations[i];
        switch (operation->kind) {
        case OPERATION_SEND:
        case OPERATION_RECEIVE:
        case OPERATION_COLLECTIVE:
            FORWARD_IF_ERROR(finish_posted(part, rank, operation, status));
            FORWARD_IF_ERROR(list_posted(builder, part, operation, place, status));
            break;
        case OPERATION_FILE:
            finish_file(part, operation);
            break;
        case OPERATION_WAIT:
            FORWARD_IF_ERROR(finish_wait(part, operation, status));
            break;
        case OPERATION_COMPUTE:
        case OPERATION_VERTEX:
            break;
        case BUILDER_DROPPED:
            place--;
            break;
        default:
            part->mark_count++;
        }
    }
    part->finished_count = place;
    return builder->program->packed != NULL ? builder_pack(part, rank, status) : STATUS_OK;
}

status_code builder_finish_rank(struct program_builder *builder, struct builder_rank *part,
                                uint32_t rank, struct status *status) {
    RETURN_ERROR_IF(part->call_region != PROGRAM_NONE || part->open_count > 0, status, STATUS_INPUT,
                    "rank %u: %s is still open at the end", rank,
                    part->open_count > 0 ? "a user region" : "an MPI call");
    FORWARD_IF_ERROR(builder_finish_piece(builder, part, rank, status));
    if (part->vertex_count > 0) part->slot_count = part->vertex_count;
    if (builder->program->packed != NULL) return builder_pack_done(builder, part, rank, status);
    part->send_count = (uint32_t)part->posted.sends.count;
    part->receive_count = (uint32_t)part->posted.receives.count;
    return STATUS_OK;
}
