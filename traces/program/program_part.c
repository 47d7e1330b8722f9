/*
 * Cutting a part out of a program: it is appended to a builder anew, and sealed. See
 * program_part.h.
 *
 * Invariant: of a message both sides are kept or none. So on each channel the k-th send kept meets
 * the k-th receive kept, as in the whole. Of a collective all members' calls are kept or none.
 */
#include "traces/program/program_part.h"

#include "core/memory.h"
#include "traces/program/program_bounds.h"
#include "traces/program/program_builder.h"
#include "traces/program/program_posted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cutter {
    const program *whole;
    program_builder *builder;
    program_bounds *bounds; /* per rank */
    program_posted posted;
    uint64_t *first_instance;   /* per communicator: its part of `present` */
    uint32_t *present;          /* per instance: members whose call lies inside */
    uint32_t *regions;          /* in the part */
    uint64_t *requests;         /* per slot of the rank at hand: its request; 0: none inside */
    uint64_t *waited;           /* of the wait at hand */
    uint64_t messages_left_out; /* sides of messages whose other side lies outside */
    uint64_t collectives_left_out;
    bool call_lost; /* something of the call at hand was left out */
    uint64_t depth; /* user regions of the rank at hand that are open */
    int64_t first_ps, last_ps;
} cutter;

static const program_collective_arguments *arguments_of(const program *program,
                                                        const program_operation *operation) {
    return &program->collective_arguments[operation->collective.arguments];
}

/* Counted by all members alike. */
static bool is_counted(const program *program, const program_operation *operation) {
    const program_collective_arguments *arguments = arguments_of(program, operation);
    return arguments->kind != PROGRAM_CREATE_HANDLE && arguments->kind != PROGRAM_DESTROY_HANDLE &&
           program->communicators[arguments->communicator].members != PROGRAM_NONE;
}

static uint32_t *present_of(cutter *cutter, const program_operation *operation) {
    return &cutter->present
                [cutter->first_instance[arguments_of(cutter->whole, operation)->communicator] +
                 operation->collective.instance];
}

/* ---- what lies inside ---- */

/* How many collectives each communicator has. */
static status_code lay_out_instances(cutter *cutter, status *status) {
    const program *whole = cutter->whole;
    cutter->first_instance = memory_new((size_t)whole->communicator_count + 1, sizeof(uint64_t));
    RETURN_ERROR_IF(cutter->first_instance == NULL, status, STATUS_MEMORY,
                    "out of memory for a part of a program");
    for (uint64_t i = 0; i < whole->operation_count; i++) {
        const program_operation *operation = &whole->operations[i];
        if (operation->kind != PROGRAM_COLLECTIVE || !is_counted(whole, operation)) continue;
        uint64_t *count = &cutter->first_instance[arguments_of(whole, operation)->communicator + 1];
        if (operation->collective.instance >= *count)
            *count = (uint64_t)operation->collective.instance + 1;
    }
    for (uint32_t c = 0; c < whole->communicator_count; c++)
        cutter->first_instance[c + 1] += cutter->first_instance[c];
    cutter->present =
        memory_new(cutter->first_instance[whole->communicator_count], sizeof *cutter->present);
    RETURN_ERROR_IF(cutter->present == NULL, status, STATUS_MEMORY,
                    "out of memory for a part of a program");
    return STATUS_OK;
}

static void count_present(cutter *cutter) {
    for (uint32_t rank = 0; rank < cutter->whole->rank_count; rank++) {
        const program_operation *operations =
            cutter->whole->operations + cutter->whole->ranks[rank].first;
        for (uint64_t i = cutter->bounds[rank].first; i < cutter->bounds[rank].end; i++)
            if (operations[i].kind == PROGRAM_COLLECTIVE &&
                is_counted(cutter->whole, &operations[i]))
                ++*present_of(cutter, &operations[i]);
    }
}

static bool keeps_message(const cutter *cutter, const program_operation *operation) {
    if (operation->message.match == PROGRAM_NONE) return true;
    uint32_t peer = operation->message.peer;
    const program_posted_rank *other = &cutter->posted.ranks[peer];
    const program_places *places =
        operation->kind == PROGRAM_SEND ? &other->receives : &other->sends;
    uint64_t place = places->at[operation->message.match];
    return place >= cutter->bounds[peer].first && place < cutter->bounds[peer].end;
}

static bool keeps_collective(cutter *cutter, const program_operation *operation) {
    if (!is_counted(cutter->whole, operation)) return true;
    const program_communicator *c =
        &cutter->whole->communicators[arguments_of(cutter->whole, operation)->communicator];
    return *present_of(cutter, operation) == c->size + c->remote_size;
}

/* ---- building ---- */

static status_code define(cutter *cutter, status *status) {
    const program *whole = cutter->whole;
    const uint32_t *members = whole->communicator_members;
    for (uint32_t i = 0; i < whole->region_count; i++)
        cutter->regions[i] = builder_region(
            cutter->builder, program_text(whole, whole->regions[i].name), whole->regions[i].is_mpi);
    for (uint32_t i = 0; i < whole->communicator_count; i++) {
        const program_communicator *c = &whole->communicators[i];
        const char *name = program_text(whole, c->name);
        uint32_t index = 0;
        if (c->members == PROGRAM_NONE)
            FORWARD_IF_ERROR(builder_communicator_self(cutter->builder, name, &index, status));
        else if (c->remote_size == 0)
            FORWARD_IF_ERROR(builder_communicator(cutter->builder, name, members + c->members,
                                                  c->size, &index, status));
        else
            FORWARD_IF_ERROR(builder_intercommunicator(cutter->builder, name, members + c->members,
                                                       c->size, members + c->remote_members,
                                                       c->remote_size, &index, status));
    }
    return STATUS_OK;
}

/* A request's id is the number of the operation that posts it, from 1. */
static void note_request(cutter *cutter, uint32_t slot, uint64_t place, bool kept) {
    if (slot != PROGRAM_NONE) cutter->requests[slot] = kept ? place + 1 : 0;
}

static status_code append_message(cutter *cutter, uint32_t rank, uint64_t place,
                                  const program_operation *operation, status *status) {
    bool kept = keeps_message(cutter, operation);
    note_request(cutter, operation->message.slot, place, kept);
    if (!kept) {
        cutter->call_lost = true;
        cutter->messages_left_out++;
        return STATUS_OK;
    }
    const program_channel *channel = &cutter->whole->channels[operation->message.channel];
    return (operation->kind == PROGRAM_SEND ? builder_send : builder_receive)(
        cutter->builder, rank, channel->communicator, operation->message.peer, channel->tag,
        operation->value, operation->flags, place + 1, status);
}

static status_code append_collective(cutter *cutter, uint32_t rank, uint64_t place,
                                     const program_operation *operation, status *status) {
    bool kept = keeps_collective(cutter, operation);
    bool blocking = (operation->flags & PROGRAM_BLOCKING) != 0;
    note_request(cutter, operation->collective.slot, place, kept);
    if (!kept) {
        cutter->call_lost = true;
        cutter->collectives_left_out++;
        return STATUS_OK;
    }
    return builder_collective(cutter->builder, rank, arguments_of(cutter->whole, operation),
                              operation->flags & (unsigned)~PROGRAM_BLOCKING,
                              blocking ? BUILDER_NO_REQUEST : place + 1, status);
}

static status_code append_wait(cutter *cutter, uint32_t rank, const program_operation *operation,
                               status *status) {
    const program *whole = cutter->whole;
    const uint32_t *slots = whole->wait_slots + whole->ranks[rank].first_wait_slot;
    uint32_t count = 0;
    for (uint32_t i = 0; i < operation->wait.count; i++) {
        uint32_t slot =
            operation->wait.count == 1 ? operation->wait.first : slots[operation->wait.first + i];
        if (cutter->requests[slot] != 0)
            cutter->waited[count++] = cutter->requests[slot];
        else
            cutter->call_lost = true;
        cutter->requests[slot] = 0;
    }
    return builder_wait(cutter->builder, rank, cutter->waited, count, status);
}

static status_code append_mark(cutter *cutter, uint32_t rank, const program_operation *operation,
                               status *status) {
    program_builder *builder = cutter->builder;
    int64_t trace_ps = operation->mark.trace_ps;
    uint32_t region = cutter->regions[operation->mark.region];
    if (trace_ps < cutter->first_ps) cutter->first_ps = trace_ps;
    if (trace_ps > cutter->last_ps) cutter->last_ps = trace_ps;
    switch ((program_kind)operation->kind) {
    case PROGRAM_CALL:
        cutter->call_lost = false;
        return builder_call(builder, rank, region, operation->value, trace_ps, status);
    case PROGRAM_RETURN:
        return builder_return(builder, rank, trace_ps, cutter->call_lost, status);
    case PROGRAM_ENTER:
        cutter->depth++;
        return builder_enter(builder, rank, region, trace_ps, status);
    default:
        if (cutter->depth == 0) return STATUS_OK; /* entered before the part */
        cutter->depth--;
        return builder_leave(builder, rank, trace_ps, status);
    }
}

static status_code append_operation(cutter *cutter, uint32_t rank, uint64_t place,
                                    const program_operation *operation, status *status) {
    switch ((program_kind)operation->kind) {
    case PROGRAM_COMPUTE:
        return builder_compute(cutter->builder, rank, operation->compute.duration_ps, status);
    case PROGRAM_SEND:
    case PROGRAM_RECEIVE:
        return append_message(cutter, rank, place, operation, status);
    case PROGRAM_COLLECTIVE:
        return append_collective(cutter, rank, place, operation, status);
    case PROGRAM_WAIT:
        return append_wait(cutter, rank, operation, status);
    case PROGRAM_END:
        return STATUS_OK;
    default:
        return append_mark(cutter, rank, operation, status);
    }
}

/* Computation beside the part, of which a time window may hold some. */
static status_code append_edge(cutter *cutter, uint32_t rank, uint64_t place, int64_t most_ps,
                               status *status) {
    const program_rank *part = &cutter->whole->ranks[rank];
    if (place >= part->count || most_ps <= 0) return STATUS_OK;
    const program_operation *operation = &cutter->whole->operations[part->first + place];
    if (operation->kind != PROGRAM_COMPUTE) return STATUS_OK;
    int64_t duration_ps = operation->compute.duration_ps;
    return builder_compute(cutter->builder, rank, duration_ps < most_ps ? duration_ps : most_ps,
                           status);
}

static status_code append_rank(cutter *cutter, uint32_t rank, status *status) {
    const program_rank *part = &cutter->whole->ranks[rank];
    const program_bounds *bounds = &cutter->bounds[rank];
    for (uint32_t slot = 0; slot < part->slot_count; slot++)
        cutter->requests[slot] = 0;
    cutter->depth = 0;
    FORWARD_IF_ERROR(append_edge(cutter, rank, bounds->first - 1, bounds->before_ps, status));
    for (uint64_t i = bounds->first; i < bounds->end; i++)
        FORWARD_IF_ERROR(
            append_operation(cutter, rank, i, &cutter->whole->operations[part->first + i], status));
    FORWARD_IF_ERROR(append_edge(cutter, rank, bounds->end, bounds->after_ps, status));
    for (; cutter->depth > 0; cutter->depth--)
        FORWARD_IF_ERROR(builder_leave(cutter->builder, rank, cutter->last_ps, status));
    return STATUS_OK;
}

/* ---- the whole ---- */

static void write_notes(cutter *cutter) {
    const program *whole = cutter->whole;
    for (uint32_t i = 0; i < whole->note_count; i++) {
        const char *what = program_text(whole, whole->notes[i].what);
        /* said anew by sealing */
        if (strcmp(what, "unmatched sends") == 0 || strcmp(what, "unmatched receives") == 0 ||
            strcmp(what, "length mismatch") == 0)
            continue;
        builder_note(cutter->builder, what, program_text(whole, whole->notes[i].why),
                     whole->notes[i].count);
    }
    if (cutter->messages_left_out > 0)
        builder_note(cutter->builder, "messages across the ends of the part",
                     "their other side lies outside the part that is replayed: they are left out",
                     cutter->messages_left_out);
    if (cutter->collectives_left_out > 0)
        builder_note(cutter->builder, "collectives across the ends of the part",
                     "not all members' calls lie inside the part that is replayed: they are left "
                     "out",
                     cutter->collectives_left_out);
}

static status_code describe(cutter *cutter, const char *from, const char *to, status *status) {
    const program *whole = cutter->whole;
    const char *source = program_text(whole, whole->source);
    bool begins = from != NULL && *from != '\0', ends = to != NULL && *to != '\0';
    size_t size = strlen(source) + (begins ? strlen(from) : 0) + (ends ? strlen(to) : 0) + 16;
    char *text = malloc(size);
    RETURN_ERROR_IF(text == NULL, status, STATUS_MEMORY, "out of memory for a name");
    snprintf(text, size, "%s%s%s%s%s", source, begins ? ", from " : "", begins ? from : "",
             ends ? ", to " : "", ends ? to : "");
    builder_about(cutter->builder, text, program_text(whole, whole->creator), whole->event_count,
                  whole->location_count,
                  cutter->last_ps > cutter->first_ps ? cutter->last_ps - cutter->first_ps : 0);
    free(text);
    return STATUS_OK;
}

static status_code allocate(cutter *cutter, status *status) {
    const program *whole = cutter->whole;
    uint64_t most_slots = 0, most_waited = 1;
    for (uint32_t rank = 0; rank < whole->rank_count; rank++) {
        if (whole->ranks[rank].slot_count > most_slots) most_slots = whole->ranks[rank].slot_count;
        if (whole->ranks[rank].wait_slot_count > most_waited)
            most_waited = whole->ranks[rank].wait_slot_count;
    }
    cutter->bounds = memory_new(whole->rank_count, sizeof *cutter->bounds);
    cutter->regions = memory_new(whole->region_count, sizeof *cutter->regions);
    cutter->requests = memory_new(most_slots, sizeof *cutter->requests);
    cutter->waited = memory_new(most_waited, sizeof *cutter->waited);
    RETURN_ERROR_IF(cutter->bounds == NULL || cutter->regions == NULL || cutter->requests == NULL ||
                        cutter->waited == NULL,
                    status, STATUS_MEMORY, "out of memory for a part of a program");
    cutter->builder = builder_new(whole->rank_count, status);
    return cutter->builder != NULL ? STATUS_OK : STATUS_MEMORY;
}

static status_code cut(cutter *cutter, program **part, const char *from, const char *to,
                       unsigned threads, status *status) {
    FORWARD_IF_ERROR(allocate(cutter, status));
    FORWARD_IF_ERROR(program_bounds_find(cutter->bounds, cutter->whole, from, to, status));
    FORWARD_IF_ERROR(program_posted_find(&cutter->posted, cutter->whole, threads, status));
    FORWARD_IF_ERROR(lay_out_instances(cutter, status));
    count_present(cutter);
    FORWARD_IF_ERROR(define(cutter, status));
    for (uint32_t rank = 0; rank < cutter->whole->rank_count; rank++)
        FORWARD_IF_ERROR(append_rank(cutter, rank, status));
    write_notes(cutter);
    FORWARD_IF_ERROR(describe(cutter, from, to, status));
    return builder_seal(cutter->builder, threads, part, status);
}

status_code program_part(program **part, const program *whole, const char *from, const char *to,
                         unsigned threads, status *status) {
    cutter cutter = {.whole = whole, .first_ps = INT64_MAX, .last_ps = INT64_MIN};
    *part = NULL;
    status_code code = cut(&cutter, part, from, to, threads, status);
    program_posted_free(&cutter.posted);
    builder_free(cutter.builder);
    free(cutter.bounds);
    free(cutter.first_instance);
    free(cutter.present);
    free(cutter.regions);
    free(cutter.requests);
    free(cutter.waited);
    return code;
}
