/*
 * Appends operations of a program to a new builder and seals it.
 *
 * Invariant: the operations that the copy keeps stay in order on each envelope. So if the copy
 * keeps both sides of a message or neither side, the k-th kept send is matched with the k-th kept
 * receive.
 */
#include "traces/program/edit/program_copy.h"

#include "core/memory/memory.h"
#include "core/memory/paging.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct program_collective_arguments *
arguments_of(const struct program *program, const struct program_operation *operation) {
    return &program->collective_arguments[operation->collective.arguments];
}

static status_code allocate_copy(struct program_copy *copy, struct status *status) {
    const struct program *whole = copy->whole;
    uint64_t max_slots = 0, most_waited = 1;
    for (uint32_t rank = 0; rank < whole->rank_count; rank++) {
        if (whole->ranks[rank].slot_count > max_slots) max_slots = whole->ranks[rank].slot_count;
        if (whole->ranks[rank].wait_slot_count > most_waited)
            most_waited = whole->ranks[rank].wait_slot_count;
    }
    copy->regions = memory_new(whole->region_count, sizeof *copy->regions);
    copy->files = memory_new(whole->file_count, sizeof *copy->files);
    copy->requests = memory_new(max_slots, sizeof *copy->requests);
    copy->waited = memory_new(most_waited, sizeof *copy->waited);
    RETURN_ERROR_IF(copy->regions == NULL || copy->files == NULL || copy->requests == NULL ||
                        copy->waited == NULL,
                    status, STATUS_MEMORY, "out of memory for a part of a program");
    copy->builder = builder_new(whole->rank_count, status);
    if (copy->builder == NULL) return STATUS_MEMORY;
    if (whole->paging == NULL) return STATUS_OK;
    struct paging *paging = paging_new_like(whole->paging);
    RETURN_ERROR_IF(paging == NULL, status, STATUS_MEMORY, "out of memory for a part of a program");
    builder_set_paging(copy->builder, paging);
    return STATUS_OK;
}

static status_code define_contents(struct program_copy *copy, struct status *status) {
    const struct program *whole = copy->whole;
    const uint32_t *members = whole->communicator_members;
    for (uint32_t i = 0; i < whole->region_count; i++)
        copy->regions[i] = builder_define_region(
            copy->builder, program_text(whole, whole->regions[i].name), whole->regions[i].is_mpi);
    for (uint32_t i = 0; i < whole->file_count && !copy->drops_files; i++)
        copy->files[i] =
            builder_define_file(copy->builder, program_text(whole, whole->files[i].name));
    for (uint32_t i = 0; i < whole->communicator_count; i++) {
        const struct program_communicator *c = &whole->communicators[i];
        const char *name = program_text(whole, c->name);
        uint32_t index = 0;
        if (c->members == PROGRAM_NONE)
            FORWARD_IF_ERROR(builder_define_communicator_self(copy->builder, name, &index, status));
        else if (c->remote_size == 0)
            FORWARD_IF_ERROR(builder_define_communicator(copy->builder, name, members + c->members,
                                                         c->size, &index, status));
        else
            FORWARD_IF_ERROR(builder_define_intercommunicator(
                copy->builder, name, members + c->members, c->size, members + c->remote_members,
                c->remote_size, &index, status));
        builder_set_communicator_number(copy->builder, index, c->id);
    }
    for (uint32_t i = 0; i < whole->topology_count; i++) {
        const struct program_topology *topology = &whole->topologies[i];
        FORWARD_IF_ERROR(builder_define_topology(
            copy->builder, topology->communicator, (program_topology_kind)topology->kind,
            whole->topology_numbers + topology->first, topology->count, status));
    }
    return STATUS_OK;
}

/* The id of a request is the number of the operation that posts it, from 1. A persistent send that
 * a test finds complete has the id PERSISTENT with its slot. Its entry in `requests` also has the
 * flag HELD. After the test the entry is HELD alone, and the next send posted in the slot is the
 * restart. */
#define PERSISTENT (UINT64_C(1) << 62)
#define HELD       (UINT64_C(1) << 61)

static void record_request(struct program_copy *copy, uint32_t slot, uint64_t request, bool kept) {
    if (slot != PROGRAM_NONE) copy->requests[slot] = kept ? request : 0;
}

static status_code append_message(struct program_copy *copy, uint32_t rank, uint64_t place,
                                  const struct program_operation *operation,
                                  struct status *status) {
    bool kept = copy->inside == NULL || program_inside_has_message(copy->inside, rank, place);
    uint32_t slot = operation->message.slot;
    bool is_held = (operation->flags & OPERATION_FLAG_SEND_PERSISTENT) != 0;
    bool is_persistent = is_held || (slot != PROGRAM_NONE && copy->requests[slot] == HELD);
    uint64_t request = is_persistent ? PERSISTENT | slot : place + 1;
    record_request(copy, slot, is_held ? request | HELD : request, kept);
    if (!kept) {
        copy->call_lost = true;
        copy->messages_left_out++;
        return STATUS_OK;
    }
    const struct program_envelope *envelope = &copy->whole->envelopes[operation->message.envelope];
    return (operation->kind == OPERATION_SEND ? builder_send : builder_receive)(
        copy->builder, rank, envelope->communicator, operation->message.peer, envelope->tag,
        operation->bytes, operation->flags | (is_persistent ? OPERATION_FLAG_SEND_PERSISTENT : 0u),
        request, status);
}

static status_code append_collective(struct program_copy *copy, uint32_t rank, uint64_t place,
                                     const struct program_operation *operation,
                                     struct status *status) {
    bool kept = copy->inside == NULL || program_inside_has_collective(copy->inside, operation);
    bool blocking = (operation->flags & OPERATION_FLAG_COLLECTIVE_BLOCKING) != 0;
    record_request(copy, operation->collective.slot, place + 1, kept);
    if (!kept) {
        copy->call_lost = true;
        copy->collectives_left_out++;
        return STATUS_OK;
    }
    const struct program_collective_arguments *arguments = arguments_of(copy->whole, operation);
    FORWARD_IF_ERROR(
        builder_collective(copy->builder, rank, arguments,
                           operation->flags & (unsigned)~OPERATION_FLAG_COLLECTIVE_BLOCKING,
                           blocking ? BUILDER_NO_REQUEST : place + 1, status));
    uint32_t count = 0;
    const uint64_t *row = program_bytes_to_members(copy->whole, operation, rank, &count);
    if (row != NULL) return builder_set_bytes_to_members(copy->builder, rank, row, count, status);
    return operation->element_bytes == 0
               ? STATUS_OK
               : builder_set_element(copy->builder, rank, operation->element_bytes, status);
}

static status_code append_file(struct program_copy *copy, uint32_t rank, uint64_t place,
                               const struct program_operation *operation, struct status *status) {
    record_request(copy, operation->file.slot, place + 1, !copy->drops_files);
    if (copy->drops_files) {
        copy->call_lost = true;
        return STATUS_OK;
    }
    return builder_access_file(copy->builder, rank, copy->files[operation->file.index],
                               operation->file.offset, operation->bytes, operation->flags,
                               place + 1, status);
}

static status_code append_wait(struct program_copy *copy, uint32_t rank,
                               const struct program_operation *operation, struct status *status) {
    const struct program *whole = copy->whole;
    const uint32_t *slots = whole->wait_slots + whole->ranks[rank].first_wait_slot;
    bool is_tested = (operation->flags & OPERATION_FLAG_WAIT_TESTED) != 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < operation->wait.count; i++) {
        uint32_t slot =
            operation->wait.count == 1 ? operation->wait.first : slots[operation->wait.first + i];
        uint64_t request = copy->requests[slot];
        if (request != 0)
            copy->waited[count++] = request & ~HELD;
        else
            copy->call_lost = true;
        copy->requests[slot] = is_tested ? request & HELD : 0;
    }
    if (!is_tested) return builder_wait(copy->builder, rank, copy->waited, count, status);
    uint64_t given = 0;
    return builder_wait_tested(copy->builder, rank, copy->waited, count, &given, status);
}

status_code program_copy_enter(struct program_copy *copy, uint32_t rank, uint32_t region,
                               int64_t trace_ps, struct status *status) {
    copy->depth++;
    return builder_enter(copy->builder, rank, copy->regions[region], trace_ps, status);
}

static status_code append_mark(struct program_copy *copy, uint32_t rank,
                               const struct program_operation *operation, struct status *status) {
    struct program_builder *builder = copy->builder;
    int64_t trace_ps = operation->mark.trace_ps + copy->shift_ps;
    uint32_t region = copy->regions[operation->mark.region];
    if (trace_ps < copy->rank_first_ps) copy->rank_first_ps = trace_ps;
    if (trace_ps > copy->rank_last_ps) copy->rank_last_ps = trace_ps;
    if (trace_ps < copy->first_ps) copy->first_ps = trace_ps;
    if (trace_ps > copy->last_ps) copy->last_ps = trace_ps;
    switch ((program_operation_kind)operation->kind) {
    case OPERATION_CALL:
        copy->call_lost = false;
        return builder_call(builder, rank, region, operation->record, trace_ps, status);
    case OPERATION_RETURN:
        return builder_return(builder, rank, trace_ps, copy->call_lost, status);
    case OPERATION_ENTER:
        return program_copy_enter(copy, rank, operation->mark.region, trace_ps, status);
    default:
        if (copy->depth == 0) return STATUS_OK; /* the copy has not entered the region */
        copy->depth--;
        return builder_leave(builder, rank, trace_ps, status);
    }
}

static status_code append_operation(struct program_copy *copy, uint32_t rank, uint64_t place,
                                    const struct program_operation *operation,
                                    struct status *status) {
    switch ((program_operation_kind)operation->kind) {
    case OPERATION_COMPUTE:
        return builder_compute(copy->builder, rank, operation->compute.duration_ps, status);
    case OPERATION_SEND:
    case OPERATION_RECEIVE:
        return append_message(copy, rank, place, operation, status);
    case OPERATION_COLLECTIVE:
        return append_collective(copy, rank, place, operation, status);
    case OPERATION_FILE:
        return append_file(copy, rank, place, operation, status);
    case OPERATION_WAIT:
        return append_wait(copy, rank, operation, status);
    case OPERATION_END:
        return STATUS_OK;
    default:
        return append_mark(copy, rank, operation, status);
    }
}

static status_code new_copy(struct program_copy *copy, const struct program *whole,
                            const struct program_inside *inside, bool drops_files,
                            struct status *status) {
    *copy = (struct program_copy){.whole = whole,
                                  .inside = inside,
                                  .drops_files = drops_files,
                                  .first_ps = INT64_MAX,
                                  .last_ps = INT64_MIN};
    FORWARD_IF_ERROR(allocate_copy(copy, status));
    return define_contents(copy, status);
}

status_code program_copy_new(struct program_copy *copy, const struct program *whole,
                             const struct program_inside *inside, struct status *status) {
    return new_copy(copy, whole, inside, false, status);
}

status_code program_copy_new_without_files(struct program_copy *copy, const struct program *whole,
                                           struct status *status) {
    return new_copy(copy, whole, NULL, true, status);
}

void program_copy_free(struct program_copy *copy) {
    builder_free(copy->builder);
    free(copy->regions);
    free(copy->files);
    free(copy->requests);
    free(copy->waited);
}

void program_copy_begin(struct program_copy *copy, uint32_t rank) {
    for (uint32_t slot = 0; slot < copy->whole->ranks[rank].slot_count; slot++)
        copy->requests[slot] = 0;
    copy->depth = 0;
    copy->shift_ps = 0;
    copy->rank_first_ps = INT64_MAX;
    copy->rank_last_ps = INT64_MIN;
}

status_code program_copy_operations(struct program_copy *copy, uint32_t rank, uint64_t first,
                                    uint64_t end, struct status *status) {
    const uint64_t base = copy->whole->ranks[rank].first;
    for (uint64_t i = first; i < end; i++)
        FORWARD_IF_ERROR(append_operation(
            copy, rank, i, PROGRAM_OPERATION_AT(copy->whole, rank, base + i), status));
    return STATUS_OK;
}

void program_copy_beside(struct program_copy *copy, int64_t before_ps, int64_t after_ps) {
    int64_t beside_ps = before_ps + after_ps;
    if (beside_ps > copy->longest_beside_ps) copy->longest_beside_ps = beside_ps;
    if (copy->rank_first_ps > copy->rank_last_ps) return;
    int64_t first_ps = copy->rank_first_ps - before_ps, last_ps = copy->rank_last_ps + after_ps;
    if (first_ps < copy->first_ps) copy->first_ps = first_ps;
    if (last_ps > copy->last_ps) copy->last_ps = last_ps;
}

status_code program_copy_end(struct program_copy *copy, uint32_t rank, struct status *status) {
    for (; copy->depth > 0; copy->depth--)
        FORWARD_IF_ERROR(builder_leave(copy->builder, rank, copy->last_ps, status));
    return builder_end_rank(copy->builder, rank, status);
}

status_code program_copy_seal(struct program_copy *copy, const char *how, unsigned threads,
                              struct program **program, struct status *status) {
    const struct program *whole = copy->whole;
    const char *source = program_text(whole, whole->source);
    size_t size = strlen(source) + strlen(how) + 1;
    char *text = malloc(size);
    RETURN_ERROR_IF(text == NULL, status, STATUS_MEMORY, "out of memory for a name");
    snprintf(text, size, "%s%s", source, how);
    int64_t span_ps = copy->last_ps > copy->first_ps ? copy->last_ps - copy->first_ps : 0;
    if (copy->longest_beside_ps > span_ps) span_ps = copy->longest_beside_ps;
    builder_copy_notes(copy->builder, copy->whole);
    builder_set_source(copy->builder, text, program_text(whole, whole->creator), whole->event_count,
                       whole->location_count, span_ps);
    free(text);
    return builder_seal(copy->builder, threads, program, status);
}
