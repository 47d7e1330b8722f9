/* Phase 2 of building a program: appends operations to ranks. Must not know OTF2 or files. Uses the
 * part of one rank only, so different threads may append to different ranks. builder_waits.c
 * appends what waits for them. */
#include "core/memory/memory.h"
#include "traces/program/builder/builder_parts.h"
#include "traces/program/content_hash.h"
#include "traces/program/seal/program_match_messages.h"
#include "traces/program/send_modes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void builder_rank_clear(struct builder_rank *rank) {
    paging_free_array(rank->paging, rank->operations);
    paging_free_array(rank->paging, rank->waits);
    builder_packing_free(rank->paging, rank->packing);
    free(rank->blocking);
    free(rank->open_regions);
    free(rank->envelopes);
    free(rank->recent);
    free(rank->arguments);
    free(rank->envelope_order.new_number);
    free(rank->envelope_order.used);
    free(rank->argument_order.new_number);
    free(rank->argument_order.used);
    free(rank->free_slots);
    program_posted_release(rank->paging, &rank->posted);
    key_table_free(&rank->requests);
    key_table_free(&rank->tested);
    key_table_free(&rank->envelope_index);
    key_table_free(&rank->argument_index);
    vector_table_free(&rank->rows);
    *rank = (struct builder_rank){.call_region = PROGRAM_NONE};
}

status_code builder_intern(struct key_table *table, uint64_t hash, const void *element, size_t size,
                           void **array, size_t *count, size_t *capacity, uint32_t *index,
                           struct status *status) {
    for (;; hash++) {
        *index = key_table_find(table, hash);
        if (*index == KEY_TABLE_NONE) break;
        if (memcmp((const char *)*array + *index * size, element, size) == 0) return STATUS_OK;
    }
    RETURN_ERROR_IF(*count >= PROGRAM_NONE - 1, status, STATUS_INPUT,
                    "more than %u different tags or collective arguments", PROGRAM_NONE - 1);
    FORWARD_IF_ERROR(memory_grow(array, capacity, *count + 1, size, status));
    *index = (uint32_t)*count;
    FORWARD_IF_ERROR(key_table_insert(table, hash, *index, status));
    memcpy((char *)*array + *index * size, element, size);
    ++*count;
    return STATUS_OK;
}

uint64_t builder_hash_envelope(const struct program_envelope *envelope) {
    return (uint64_t)envelope->communicator << 32 | (uint32_t)envelope->tag;
}

uint64_t builder_hash_arguments(const struct program_collective_arguments *arguments) {
    uint64_t hash = (uint64_t)arguments->kind << 32 | arguments->communicator;
    return content_hash_add3(hash, (uint64_t)arguments->own_member << 32 | arguments->root,
                             arguments->send_bytes, arguments->receive_bytes);
}

status_code builder_enter_rank(struct program_builder *builder, uint32_t rank, bool wants_call,
                               const char *what, struct builder_rank **part,
                               struct status *status) {
    RETURN_ERROR_IF(rank >= builder->program->rank_count, status, STATUS_USAGE,
                    "rank %u: the last one is rank %u", rank, builder->program->rank_count - 1);
    *part = &builder->ranks[rank];
    if ((*part)->operations == NULL) builder_take_spare(builder, *part);
    bool in_call = (*part)->call_region != PROGRAM_NONE;
    RETURN_ERROR_IF(in_call != wants_call, status, STATUS_INPUT, "rank %u: %s %s an MPI call", rank,
                    what, in_call ? "inside" : "outside");
    return STATUS_OK;
}

status_code builder_append(struct builder_rank *part, uint32_t rank,
                           struct program_operation **operation, struct status *status) {
    RETURN_ERROR_IF(part->finished_count + part->operation_count >= PROGRAM_NONE - 2, status,
                    STATUS_INPUT, "rank %u: more than %u operations", rank, PROGRAM_NONE - 2);
    FORWARD_IF_ERROR(paging_grow(part->paging, (void **)&part->operations,
                                 &part->operation_capacity, part->operation_count + 1,
                                 sizeof **operation, status));
    *operation = &part->operations[part->operation_count++];
    return STATUS_OK;
}

/* Writes the members in this order and reads none of them in between; see builder_append. */
static void set_head(struct program_operation *operation, unsigned kind, unsigned flags,
                     uint64_t value) {
    operation->value = value & (PROGRAM_BYTES_LIMIT - 1);
    operation->flags = flags & 0xFF;
    operation->kind = kind & 0xFF;
}

static status_code append_mark(struct builder_rank *part, uint32_t rank,
                               program_operation_kind kind, uint64_t value, uint32_t region,
                               int64_t trace_ps, struct status *status) {
    RETURN_ERROR_IF(trace_ps > PROGRAM_TIME_LIMIT_PS || trace_ps < -PROGRAM_TIME_LIMIT_PS, status,
                    STATUS_INPUT,
                    "rank %u: an event %" PRId64
                    " s from the trace's beginning; traces of more than 26 days cannot be replayed "
                    "(damaged time stamp?)",
                    rank, trace_ps / INT64_C(1000000000000));
    struct program_operation *operation = NULL;
    FORWARD_IF_ERROR(builder_append(part, rank, &operation, status));
    set_head(operation, (unsigned)kind, 0, value);
    operation->mark.trace_ps = trace_ps;
    operation->mark.region = region;
    operation->mark.unused = 0;
    return STATUS_OK;
}

status_code builder_post(struct builder_rank *part, uint32_t rank, uint64_t request,
                         struct status *status) {
    uint32_t index = (uint32_t)part->operation_count - 1;
    if (request == BUILDER_NO_REQUEST) {
        FORWARD_IF_ERROR(memory_grow((void **)&part->blocking, &part->blocking_capacity,
                                     part->blocking_count + 1, sizeof *part->blocking, status));
        part->blocking[part->blocking_count++] = index;
        return STATUS_OK;
    }
    RETURN_ERROR_IF(
        key_table_find(&part->requests, request) != KEY_TABLE_NONE, status, STATUS_INPUT,
        "rank %u: request %" PRIu64 " is posted again before it has completed", rank, request);
    return key_table_insert(&part->requests, request, index, status);
}

status_code builder_find_request(struct builder_rank *part, uint32_t rank, uint64_t request,
                                 program_operation_kind kind, struct program_operation **operation,
                                 struct status *status) {
    uint32_t index = key_table_find(&part->requests, request);
    RETURN_ERROR_IF(index == KEY_TABLE_NONE, status, STATUS_INPUT,
                    "rank %u: request %" PRIu64 " completes but was never posted", rank, request);
    *operation = &part->operations[index];
    RETURN_ERROR_IF((*operation)->kind != kind, status, STATUS_INPUT,
                    "rank %u: request %" PRIu64 " was posted as another kind of operation", rank,
                    request);
    return STATUS_OK;
}

status_code builder_compute(struct program_builder *builder, uint32_t rank, int64_t duration_ps,
                            struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, false, "computation", &part, status));
    RETURN_ERROR_IF(duration_ps < 0, status, STATUS_INPUT, "rank %u: computation of %" PRId64 " ps",
                    rank, duration_ps);
    if (duration_ps == 0) return STATUS_OK;
    struct program_operation *last =
        part->operation_count > 0 ? &part->operations[part->operation_count - 1] : NULL;
    bool is_more = last != NULL && last->kind == OPERATION_COMPUTE;
    RETURN_ERROR_IF(duration_ps > PROGRAM_TIME_LIMIT_PS - (is_more ? last->compute.duration_ps : 0),
                    status, STATUS_INPUT,
                    "rank %u: computation of more than 26 days (damaged time stamp?)", rank);
    if (is_more) {
        last->compute.duration_ps += duration_ps;
        return STATUS_OK;
    }
    FORWARD_IF_ERROR(builder_append(part, rank, &last, status));
    *last = (struct program_operation){.kind = OPERATION_COMPUTE, .compute = {duration_ps, 0}};
    return STATUS_OK;
}

status_code builder_call(struct program_builder *builder, uint32_t rank, uint32_t region,
                         uint64_t event, int64_t trace_ps, struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, false, "an MPI call", &part, status));
    RETURN_ERROR_IF(region >= builder->program->region_count || event >= PROGRAM_BYTES_LIMIT,
                    status, STATUS_USAGE, "rank %u: call of region %u at event %" PRIu64, rank,
                    region, event);
    FORWARD_IF_ERROR(append_mark(part, rank, OPERATION_CALL, event, region, trace_ps, status));
    part->call_region = region;
    return STATUS_OK;
}

status_code builder_return(struct program_builder *builder, uint32_t rank, int64_t trace_ps,
                           bool drop_empty, struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, true, "a return", &part, status));
    RETURN_ERROR_IF(part->blocking_count > 0, status, STATUS_USAGE,
                    "rank %u: a blocking call returns without having been waited for", rank);
    uint32_t region = part->call_region;
    part->call_region = PROGRAM_NONE;
    if (drop_empty && part->operations[part->operation_count - 1].kind == OPERATION_CALL) {
        part->operation_count--;
        return STATUS_OK;
    }
    FORWARD_IF_ERROR(append_mark(part, rank, OPERATION_RETURN, 0, region, trace_ps, status));
    return builder_end_call(builder, part, rank, status);
}

status_code builder_enter(struct program_builder *builder, uint32_t rank, uint32_t region,
                          int64_t trace_ps, struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, false, "a user region", &part, status));
    RETURN_ERROR_IF(region >= builder->program->region_count, status, STATUS_USAGE,
                    "rank %u: unknown region %u", rank, region);
    FORWARD_IF_ERROR(memory_grow((void **)&part->open_regions, &part->open_capacity,
                                 part->open_count + 1, sizeof region, status));
    part->open_regions[part->open_count++] = region;
    return append_mark(part, rank, OPERATION_ENTER, 0, region, trace_ps, status);
}

status_code builder_leave(struct program_builder *builder, uint32_t rank, int64_t trace_ps,
                          struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(
        builder_enter_rank(builder, rank, false, "the end of a user region", &part, status));
    RETURN_ERROR_IF(part->open_count == 0, status, STATUS_INPUT,
                    "rank %u: a user region ends that never began", rank);
    uint32_t region = part->open_regions[--part->open_count];
    return append_mark(part, rank, OPERATION_LEAVE, 0, region, trace_ps, status);
}

/* Checks the peer of a message and finds the envelope of its communicator and tag. */
static status_code search_envelope(struct program_builder *builder, uint32_t rank,
                                   uint32_t communicator, uint32_t peer, int32_t tag,
                                   uint32_t *envelope, struct status *status) {
    const struct program *program = builder->program;
    RETURN_ERROR_IF(communicator >= program->communicator_count, status, STATUS_USAGE,
                    "rank %u: unknown communicator %u", rank, communicator);
    const struct program_communicator *c = &program->communicators[communicator];
    RETURN_ERROR_IF(peer >= program->rank_count || (c->members == PROGRAM_NONE && peer != rank),
                    status, STATUS_INPUT, "rank %u: message with rank %u, which does not exist %s",
                    rank, peer, peer >= program->rank_count ? "at all" : "in MPI_COMM_SELF");
    const char *name = program_text(program, c->name);
    struct builder_member me = builder_find_member(builder, communicator, rank);
    struct builder_member other = builder_find_member(builder, communicator, peer);
    RETURN_ERROR_IF(
        me.in_group == PROGRAM_NONE || other.in_group == PROGRAM_NONE ||
            (c->remote_size > 0 && me.remote == other.remote),
        status, STATUS_INPUT,
        "rank %u: message with rank %u on a communicator that does not connect them%s%s", rank,
        peer, *name != '\0' ? ": " : "", name);
    struct builder_rank *part = &builder->ranks[rank];
    struct program_envelope key = {communicator, tag};
    return builder_intern(&part->envelope_index, builder_hash_envelope(&key), &key, sizeof key,
                          (void **)&part->envelopes, &part->envelope_count,
                          &part->envelope_capacity, envelope, status);
}

/* Returns the place of a message in the cache of recent messages. The odd factors (from the golden
 * ratio and from xxHash) put the neighbours in a grid, and their tags, in different places mostly.
 */
static struct builder_recent *recent_place(const struct builder_rank *part, uint32_t peer,
                                           int32_t tag) {
    uint32_t mixed = peer * UINT32_C(0x9E3779B1) + (uint32_t)tag * UINT32_C(0x85EBCA77);
    return &part->recent[mixed >> (32 - BUILDER_RECENT_BITS)];
}

/* Looks in the cache of recent messages before search_envelope: most are like a recent one. */
status_code builder_find_envelope(struct program_builder *builder, uint32_t rank,
                                  uint32_t communicator, uint32_t peer, int32_t tag, uint64_t bytes,
                                  uint32_t *envelope, struct status *status) {
    RETURN_ERROR_IF(bytes >= PROGRAM_BYTES_LIMIT, status, STATUS_INPUT,
                    "rank %u: message of %" PRIu64 " bytes (damaged file?)", rank, bytes);
    struct builder_rank *part = &builder->ranks[rank];
    if (part->recent == NULL) part->recent = memory_new(BUILDER_RECENT, sizeof *part->recent);
    RETURN_ERROR_IF(part->recent == NULL, status, STATUS_MEMORY, "out of memory for rank %u", rank);
    struct builder_recent *recent = recent_place(part, peer, tag);
    *envelope = recent->envelope;
    if (recent->is_set && recent->peer == peer && recent->tag == tag &&
        recent->communicator == communicator)
        return STATUS_OK;
    FORWARD_IF_ERROR(
        search_envelope(builder, rank, communicator, peer, tag, &recent->envelope, status));
    *envelope = recent->envelope;
    *recent = (struct builder_recent){.is_set = true,
                                      .peer = peer,
                                      .tag = tag,
                                      .communicator = communicator,
                                      .envelope = *envelope};
    return STATUS_OK;
}

/* Links a persistent send to the previous send of its request if that was only tested. */
static void link_restart(struct builder_rank *part, uint64_t request,
                         struct program_operation *operation) {
    uint32_t last = key_table_remove(&part->tested, request);
    if (last != KEY_TABLE_NONE) operation->message.slot = last;
}

/* For a receive of unknown length, sets *bytes to 0 and returns the flag MATCH_UNSIZED. */
static unsigned take_unknown(program_operation_kind kind, uint64_t *bytes) {
    if (kind != OPERATION_RECEIVE || *bytes != BUILDER_UNKNOWN_BYTES) return 0;
    *bytes = 0;
    return MATCH_UNSIZED;
}

static status_code add_message(struct program_builder *builder, program_operation_kind kind,
                               uint32_t rank, uint32_t communicator, uint32_t peer, int32_t tag,
                               uint64_t bytes, unsigned flags, uint64_t request,
                               struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, true, "a message", &part, status));
    unsigned allowed = kind == OPERATION_SEND
                           ? SEND_MODES_FLAGS | OPERATION_FLAG_DETACHED | OPERATION_FLAG_RMA_WRITE |
                                 OPERATION_FLAG_RMA_READ | OPERATION_FLAG_SEND_PERSISTENT
                           : OPERATION_FLAG_DETACHED | OPERATION_FLAG_RECEIVE_INFERRED;
    RETURN_ERROR_IF((flags & ~allowed) != 0, status, STATUS_USAGE, "rank %u: flags %u of a message",
                    rank, flags);
    flags |= take_unknown(kind, &bytes);
    uint32_t envelope;
    FORWARD_IF_ERROR(
        builder_find_envelope(builder, rank, communicator, peer, tag, bytes, &envelope, status));
    struct program_operation *operation = NULL;
    FORWARD_IF_ERROR(builder_append(part, rank, &operation, status));
    set_head(operation, (unsigned)kind, flags, bytes);
    operation->message.peer = peer;
    operation->message.request_state = BUILDER_POSTED;
    operation->message.slot = PROGRAM_NONE;
    operation->message.envelope = envelope;
    if ((flags & OPERATION_FLAG_SEND_PERSISTENT) && !(flags & OPERATION_FLAG_DETACHED))
        link_restart(part, request, operation);
    return flags & OPERATION_FLAG_DETACHED ? STATUS_OK : builder_post(part, rank, request, status);
}

status_code builder_send(struct program_builder *builder, uint32_t rank, uint32_t communicator,
                         uint32_t destination, int32_t tag, uint64_t bytes, unsigned flags,
                         uint64_t request, struct status *status) {
    return add_message(builder, OPERATION_SEND, rank, communicator, destination, tag, bytes, flags,
                       request, status);
}

status_code builder_receive(struct program_builder *builder, uint32_t rank, uint32_t communicator,
                            uint32_t source, int32_t tag, uint64_t bytes, unsigned flags,
                            uint64_t request, struct status *status) {
    return add_message(builder, OPERATION_RECEIVE, rank, communicator, source, tag, bytes, flags,
                       request, status);
}

status_code builder_reserve(struct program_builder *builder,
                            const struct program_operation *reserved, uint32_t rank,
                            uint64_t request, struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, true, "a request", &part, status));
    RETURN_ERROR_IF(request == BUILDER_NO_REQUEST, status, STATUS_USAGE,
                    "rank %u: only a request can be reserved", rank);
    struct program_operation *operation = NULL;
    FORWARD_IF_ERROR(builder_append(part, rank, &operation, status));
    *operation = *reserved;
    return builder_post(part, rank, request, status);
}

status_code builder_drop(struct program_builder *builder, uint32_t rank, uint64_t request,
                         program_operation_kind kind, struct status *status) {
    RETURN_ERROR_IF(rank >= builder->program->rank_count, status, STATUS_USAGE,
                    "rank %u: the last one is rank %u", rank, builder->program->rank_count - 1);
    struct builder_rank *part = &builder->ranks[rank];
    struct program_operation *operation = NULL;
    FORWARD_IF_ERROR(builder_find_request(part, rank, request, kind, &operation, status));
    operation->kind = BUILDER_DROPPED;
    part->dropped_count++;
    key_table_remove(&part->requests, request);
    return STATUS_OK;
}

status_code builder_reserve_receive(struct program_builder *builder, uint32_t rank,
                                    uint64_t request, struct status *status) {
    static const struct program_operation reserved = {.kind = OPERATION_RECEIVE,
                                                      .message = {.request_state = BUILDER_POSTED,
                                                                  .slot = PROGRAM_NONE,
                                                                  .envelope = PROGRAM_NONE}};
    return builder_reserve(builder, &reserved, rank, request, status);
}

status_code builder_fill_receive(struct program_builder *builder, uint32_t rank, uint64_t request,
                                 uint32_t communicator, uint32_t source, int32_t tag,
                                 uint64_t bytes, struct status *status) {
    RETURN_ERROR_IF(rank >= builder->program->rank_count, status, STATUS_USAGE,
                    "rank %u: the last one is rank %u", rank, builder->program->rank_count - 1);
    struct program_operation *operation = NULL;
    FORWARD_IF_ERROR(builder_find_request(&builder->ranks[rank], rank, request, OPERATION_RECEIVE,
                                          &operation, status));
    uint32_t envelope;
    unsigned unsized = take_unknown(OPERATION_RECEIVE, &bytes);
    FORWARD_IF_ERROR(
        builder_find_envelope(builder, rank, communicator, source, tag, bytes, &envelope, status));
    operation->flags = (operation->flags | unsized) & 0xFF;
    operation->bytes = bytes & (PROGRAM_BYTES_LIMIT - 1);
    operation->message.peer = source;
    operation->message.envelope = envelope;
    return STATUS_OK;
}

static bool is_known(const struct program_operation *operation) {
    if (operation->kind == OPERATION_FILE) return true;
    return operation->kind == OPERATION_COLLECTIVE ? operation->collective.arguments != PROGRAM_NONE
                                                   : operation->message.envelope != PROGRAM_NONE;
}

bool builder_is_reserved(const struct program_builder *builder, uint32_t rank, uint64_t request,
                         program_operation_kind kind) {
    const struct builder_rank *part = &builder->ranks[rank];
    uint32_t index = key_table_find(&part->requests, request);
    return index != KEY_TABLE_NONE && part->operations[index].kind == kind &&
           !is_known(&part->operations[index]);
}

status_code builder_drop_reserved(struct program_builder *builder, uint32_t rank,
                                  uint64_t *receives, uint64_t *collectives,
                                  struct status *status) {
    RETURN_ERROR_IF(rank >= builder->program->rank_count, status, STATUS_USAGE,
                    "rank %u: the last one is rank %u", rank, builder->program->rank_count - 1);
    struct builder_rank *part = &builder->ranks[rank];
    const struct key_table_map *requests = &part->requests.map;
    for (uint32_t i = 0; i < requests->capacity; i++) {
        if (!key_table_is_used(&requests->entries[i])) continue;
        struct program_operation *operation =
            &part->operations[requests->entries[i].value_plus_one - 1];
        if (is_known(operation)) continue;
        ++*(operation->kind == OPERATION_RECEIVE ? receives : collectives);
        operation->kind = BUILDER_DROPPED;
        part->dropped_count++;
    }
    return STATUS_OK;
}

status_code builder_drop_receive(struct program_builder *builder, uint32_t rank, uint64_t request,
                                 struct status *status) {
    return builder_drop(builder, rank, request, OPERATION_RECEIVE, status);
}

status_code builder_append_unrecorded(struct program_builder *builder, uint32_t rank,
                                      uint32_t *place, struct status *status) {
    struct builder_rank *part = NULL;
    FORWARD_IF_ERROR(builder_enter_rank(builder, rank, true, "a message", &part, status));
    struct program_operation *operation = NULL;
    FORWARD_IF_ERROR(builder_append(part, rank, &operation, status));
    *operation = (struct program_operation){.kind = OPERATION_RECEIVE,
                                            .message = {.peer = PROGRAM_NONE,
                                                        .request_state = BUILDER_WAITED,
                                                        .slot = PROGRAM_NONE,
                                                        .envelope = PROGRAM_NONE}};
    *place = (uint32_t)part->operation_count - 1;
    FORWARD_IF_ERROR(builder_append(part, rank, &operation, status));
    *operation = (struct program_operation){.kind = OPERATION_WAIT, .wait = {*place, 1, 0}};
    part->unrecorded_count++;
    return STATUS_OK;
}

status_code builder_drop_unrecorded(struct program_builder *builder, uint32_t rank, uint32_t place,
                                    struct status *status) {
    struct builder_rank *part = &builder->ranks[rank];
    RETURN_ERROR_IF(
        place >= part->operation_count || !builder_is_unrecorded(&part->operations[place]), status,
        STATUS_USAGE, "rank %u: operation %u is no unrecorded receive", rank, place);
    part->operations[place].kind = part->operations[place + 1].kind = BUILDER_DROPPED;
    part->dropped_count += 2;
    part->unrecorded_count--;
    return STATUS_OK;
}

status_code builder_drop_send(struct program_builder *builder, uint32_t rank, uint64_t request,
                              struct status *status) {
    return builder_drop(builder, rank, request, OPERATION_SEND, status);
}

status_code builder_detach(struct program_builder *builder, uint32_t rank, uint64_t request,
                           struct status *status) {
    RETURN_ERROR_IF(rank >= builder->program->rank_count, status, STATUS_USAGE,
                    "rank %u: the last one is rank %u", rank, builder->program->rank_count - 1);
    struct builder_rank *part = &builder->ranks[rank];
    struct program_operation *operation = NULL;
    uint32_t index = key_table_find(&part->requests, request);
    bool is_file = index != KEY_TABLE_NONE && part->operations[index].kind == OPERATION_FILE;
    FORWARD_IF_ERROR(builder_find_request(
        part, rank, request, is_file ? OPERATION_FILE : OPERATION_SEND, &operation, status));
    operation->flags |= OPERATION_FLAG_DETACHED;
    key_table_remove(&part->requests, request);
    return STATUS_OK;
}

bool builder_mark_send_complete(struct program_builder *builder, uint32_t rank, uint64_t request) {
    struct builder_rank *part = &builder->ranks[rank];
    uint32_t index = key_table_find(&part->requests, request);
    if (index == KEY_TABLE_NONE) return false;
    struct program_operation *operation = &part->operations[index];
    if (operation->kind != OPERATION_SEND || operation->message.request_state == BUILDER_WAITED)
        return false;
    operation->message.request_state = BUILDER_WAITED;
    return true;
}

bool builder_request_is_in_flight(const struct program_builder *builder, uint32_t rank,
                                  uint64_t request) {
    return rank < builder->program->rank_count &&
           key_table_find(&builder->ranks[rank].requests, request) != KEY_TABLE_NONE;
}
