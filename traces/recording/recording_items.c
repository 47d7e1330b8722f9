/*
 * The items of a record -> operations of the program. Each item is checked: whatever a file holds,
 * the builder gets ranks and communicators that exist.
 *
 * A neighbour collective becomes the messages that MPI defines it by: one to each destination and
 * one from each source. Its messages have tags of their own, below those of applications. On a
 * Cartesian communicator the port, which is the dimension and the direction, is part of the tag,
 * since a rank may be both neighbours of another one.
 */
#include "traces/recording/recording_rank.h"

#include "core/memory/memory.h"
#include "traces/program/send_modes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The messages of a neighbour collective have the requests slot | n << EDGE_SHIFT, n from 1. */
enum { EDGES_MAX = 1 << 24, EDGE_SHIFT = 32 };
enum { EDGE_WORDS = 3 }; /* rank, port and bytes of each */

static status_code damaged(struct status *status) {
    return status_set(status, STATUS_INPUT, "its items are damaged");
}

status_code recording_complete(struct recording_rank *rank, uint64_t request,
                               struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&rank->done, &rank->done_capacity, rank->done_count + 1,
                                 sizeof *rank->done, status));
    rank->done[rank->done_count++] = request;
    return STATUS_OK;
}

/* Sets *index to the index in the program of a communicator that the rank numbers. */
static status_code find_communicator(const struct recording_rank *rank, uint64_t number,
                                     uint32_t *index, struct status *status) {
    if (number >= rank->own->communicator_count) return damaged(status);
    *index = rank->own->communicators[number].index;
    return STATUS_OK;
}

static status_code check_peer(const struct recording_rank *rank, uint64_t peer,
                              struct status *status) {
    return peer < rank->survey->rank_count ? STATUS_OK : damaged(status);
}

/* Sets *tag from a signed word. Returns false if no application can send with it. */
static bool take_tag(uint64_t word, int32_t *tag) {
    int64_t value = recording_signed(word);
    *tag = (int32_t)value;
    return value >= 0 && value <= INT32_MAX;
}

/* Returns the request of an operation with a slot. If the slot is 0, the call itself waits for the
 * operation: it has no request then, or in a call that was split a new one. */
static uint64_t request_of(struct recording_rank *rank, uint64_t slot) {
    if (slot != 0) return slot;
    return rank->posts_only ? RECORDING_SPLIT_REQUEST | rank->split_requests++ : BUILDER_NO_REQUEST;
}

/* ---- messages ---- */

static status_code append_send(struct recording_rank *rank, const uint64_t *words,
                               struct status *status) {
    uint32_t communicator = 0;
    int32_t tag;
    FORWARD_IF_ERROR(find_communicator(rank, words[0], &communicator, status));
    FORWARD_IF_ERROR(check_peer(rank, words[1], status));
    if (!take_tag(words[2], &tag) || words[5] > UINT32_MAX) return damaged(status);
    unsigned flags = 0;
    if (words[4] & RECORDING_SYNCHRONOUS) flags |= OPERATION_FLAG_SEND_SYNCHRONOUS;
    if (words[4] & RECORDING_READY) flags |= OPERATION_FLAG_SEND_READY;
    if (words[4] & RECORDING_BUFFERED) flags |= OPERATION_FLAG_SEND_BUFFERED;
    if (words[4] & RECORDING_PERSISTENT) flags |= OPERATION_FLAG_SEND_PERSISTENT;
    const char *call = recording_call_name(rank->call);
    unsigned mode = 0;
    if (program_send_mode(call, strlen(call), &mode) && (flags & SEND_MODES_FLAGS) != mode)
        return damaged(status);
    return builder_send(rank->survey->builder, rank->rank, communicator, (uint32_t)words[1], tag,
                        words[3], flags, request_of(rank, words[5]), status);
}

/* Takes a receive that is complete. words: communicator, source, tag and bytes. slot 0: the call
 * itself received. */
static status_code complete_receive(struct recording_rank *rank, const uint64_t *words,
                                    uint64_t slot, struct status *status) {
    uint32_t communicator = 0;
    int32_t tag;
    FORWARD_IF_ERROR(find_communicator(rank, words[0], &communicator, status));
    FORWARD_IF_ERROR(check_peer(rank, words[1], status));
    if (!take_tag(words[2], &tag)) return damaged(status);
    struct program_builder *builder = rank->survey->builder;
    if (slot == 0)
        return builder_receive(builder, rank->rank, communicator, (uint32_t)words[1], tag, words[3],
                               0, request_of(rank, 0), status);
    if (!builder_is_reserved(builder, rank->rank, slot, OPERATION_RECEIVE)) return damaged(status);
    FORWARD_IF_ERROR(builder_fill_receive(builder, rank->rank, slot, communicator,
                                          (uint32_t)words[1], tag, words[3], status));
    return recording_complete(rank, slot, status);
}

static status_code find_partitioned(const struct recording_rank *rank, uint64_t number,
                                    const struct survey_partitioned **found,
                                    struct status *status) {
    if (number >= rank->own->partitioned_count) return damaged(status);
    *found = &rank->own->partitioned[number];
    return STATUS_OK;
}

static status_code send_partitioned(struct recording_rank *rank, const uint64_t *words,
                                    struct status *status) {
    const struct survey_partitioned *found = NULL;
    FORWARD_IF_ERROR(find_partitioned(rank, words[0], &found, status));
    if (found->receives || words[2] == 0 || words[2] > UINT32_MAX) return damaged(status);
    return builder_send(rank->survey->builder, rank->rank,
                        rank->own->communicators[found->communicator].index, found->peer,
                        found->program_tag, words[1], OPERATION_FLAG_SEND_PERSISTENT, words[2],
                        status);
}

static status_code complete_partitioned(struct recording_rank *rank, const uint64_t *words,
                                        struct status *status) {
    const struct survey_partitioned *found = NULL;
    struct program_builder *builder = rank->survey->builder;
    FORWARD_IF_ERROR(find_partitioned(rank, words[1], &found, status));
    if (!found->receives || !builder_is_reserved(builder, rank->rank, words[0], OPERATION_RECEIVE))
        return damaged(status);
    FORWARD_IF_ERROR(builder_fill_receive(builder, rank->rank, words[0],
                                          rank->own->communicators[found->communicator].index,
                                          found->peer, found->program_tag, words[2], status));
    return recording_complete(rank, words[0], status);
}

/* ---- requests ---- */

/* Adds a slot to what the current call completes: the messages of a neighbour collective, or one
 * request. */
static status_code finish_messages(struct recording_rank *rank, uint64_t slot,
                                   struct status *status) {
    struct program_builder *builder = rank->survey->builder;
    uint32_t edges = key_table_remove(&rank->edges, slot);
    if (edges == KEY_TABLE_NONE) {
        if (!builder_request_is_in_flight(builder, rank->rank, slot)) return damaged(status);
        return recording_complete(rank, slot, status);
    }
    for (uint64_t i = 1; i <= edges; i++)
        FORWARD_IF_ERROR(recording_complete(rank, slot | i << EDGE_SHIFT, status));
    return STATUS_OK;
}

/* Removes a message from the program. */
static status_code cancel(struct recording_rank *rank, uint64_t slot, struct status *status) {
    struct program_builder *builder = rank->survey->builder;
    if (builder_is_reserved(builder, rank->rank, slot, OPERATION_RECEIVE))
        return builder_drop_receive(builder, rank->rank, slot, status);
    if (!builder_mark_send_complete(builder, rank->rank, slot)) return damaged(status);
    return builder_drop_send(builder, rank->rank, slot, status);
}

/* Takes a request that nobody waits for. A receive is removed, since its message is not known. */
static status_code release_request(struct recording_rank *rank, uint64_t slot,
                                   struct status *status) {
    struct program_builder *builder = rank->survey->builder;
    if (builder_is_reserved(builder, rank->rank, slot, OPERATION_RECEIVE)) {
        rank->counts->lost_receives++;
        return builder_drop_receive(builder, rank->rank, slot, status);
    }
    uint32_t edges = key_table_remove(&rank->edges, slot);
    if (edges == KEY_TABLE_NONE) {
        if (!builder_request_is_in_flight(builder, rank->rank, slot)) return damaged(status);
        return builder_detach(builder, rank->rank, slot, status);
    }
    for (uint64_t i = 1; i <= edges; i++)
        FORWARD_IF_ERROR(builder_detach(builder, rank->rank, slot | i << EDGE_SHIFT, status));
    return STATUS_OK;
}

/* ---- collectives ---- */

/* The program's kind of each recording_collective. */
static const uint8_t kinds[] = {
#define KIND(name) PROGRAM_COLLECTIVE_##name,
    RECORDING_COLLECTIVES(KIND)
#undef KIND
};

static status_code append_collective(struct recording_rank *rank, const uint64_t *words,
                                     struct status *status) {
    struct program_collective_arguments arguments = {
        .root = PROGRAM_NONE, .send_bytes = words[3], .receive_bytes = words[4]};
    unsigned flags = words[6] & RECORDING_IN_PLACE ? OPERATION_FLAG_COLLECTIVE_IN_PLACE : 0;
    if (rank->posts_only) flags |= OPERATION_FLAG_COLLECTIVE_SPLIT;
    FORWARD_IF_ERROR(find_communicator(rank, words[1], &arguments.communicator, status));
    if (words[0] >= sizeof kinds || words[7] > UINT32_MAX) return damaged(status);
    const struct survey_communicator *communicator = &rank->own->communicators[words[1]];
    arguments.kind = kinds[words[0]];
    if (words[2] >= RECORDING_ROOT_FIRST) {
        if (words[2] > UINT32_MAX) return damaged(status);
        arguments.root = (uint32_t)(words[2] - RECORDING_ROOT_FIRST);
        if (communicator->remote_size > 0) flags |= OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE;
    } else if (words[2] == RECORDING_ROOT_SELF) {
        if (communicator->remote_size == 0) return damaged(status); /* no intercommunicator */
        uint32_t me = 0;
        while (me < communicator->local_size && communicator->members[me] != rank->rank)
            me++;
        arguments.root = me;
    }
    struct program_builder *builder = rank->survey->builder;
    FORWARD_IF_ERROR(builder_collective(builder, rank->rank, &arguments, flags,
                                        request_of(rank, words[7]), status));
    bool has_bytes = words[3] > 0 || words[4] > 0; /* else the call's type has no meaning */
    if (!program_is_reduction(arguments.kind) || !has_bytes || words[5] == 0) return STATUS_OK;
    return builder_set_element(builder, rank->rank, words[5], status);
}

static status_code append_neighbours(struct recording_rank *rank, const struct recording_part *part,
                                     struct status *status) {
    uint64_t slot = part->words[1], receives = part->words[2], edge = 0;
    struct program_builder *builder = rank->survey->builder;
    uint32_t communicator = 0;
    FORWARD_IF_ERROR(find_communicator(rank, part->words[0], &communicator, status));
    uint64_t edges = part->listed_count / EDGE_WORDS;
    if (edges > EDGES_MAX || slot > UINT32_MAX) return damaged(status);
    for (; edge < edges; edge++) {
        const uint64_t *words = part->listed + EDGE_WORDS * edge;
        uint64_t request = slot == 0 ? request_of(rank, 0) : slot | (edge + 1) << EDGE_SHIFT;
        FORWARD_IF_ERROR(check_peer(rank, words[0], status));
        if (words[1] > RECORDING_NEIGHBOUR_PORTS) return damaged(status);
        int32_t tag = RECORDING_NEIGHBOUR_TAG - (int32_t)words[1];
        FORWARD_IF_ERROR(
            edge < receives ? builder_receive(builder, rank->rank, communicator, (uint32_t)words[0],
                                              tag, words[2], 0, request, status)
                            : builder_send(builder, rank->rank, communicator, (uint32_t)words[0],
                                           tag, words[2], 0, request, status));
    }
    if (slot == 0) return STATUS_OK;
    if (key_table_find(&rank->edges, slot) != KEY_TABLE_NONE) return damaged(status);
    return key_table_insert(&rank->edges, slot, (uint32_t)edges, status);
}

/* ---- files ---- */

static status_code access_file(struct recording_rank *rank, const uint64_t *words,
                               struct status *status) {
    if (words[0] >= rank->own->file_count || words[1] > UINT32_MAX) return damaged(status);
    if (words[4] >= PROGRAM_BYTES_LIMIT || words[3] > PROGRAM_OFFSET_LIMIT - words[4])
        return damaged(status);
    unsigned flags = (words[2] & RECORDING_FILE_WRITES ? OPERATION_FLAG_FILE_WRITE : 0u) |
                     (words[2] & RECORDING_FILE_COLLECTIVE ? OPERATION_FLAG_FILE_COLLECTIVE : 0u);
    return builder_access_file(rank->survey->builder, rank->rank, rank->own->file_index[words[0]],
                               words[3], words[4], flags, request_of(rank, words[1]), status);
}

/* ---- all items ---- */

static status_code import_item(struct recording_rank *rank, const struct recording_part *part,
                               struct status *status) {
    const uint64_t *words = part->words;
    switch (part->item) {
    case RECORDING_SEND:
        return append_send(rank, words, status);
    case RECORDING_RECEIVE:
        return complete_receive(rank, words, 0, status);
    case RECORDING_POST_RECEIVE:
        return builder_reserve_receive(rank->survey->builder, rank->rank, words[0], status);
    case RECORDING_RECEIVED:
        return words[0] == 0 ? damaged(status)
                             : complete_receive(rank, words + 1, words[0], status);
    case RECORDING_PARTITIONED_SEND:
        return send_partitioned(rank, words, status);
    case RECORDING_PARTITIONED_RECEIVED:
        return complete_partitioned(rank, words, status);
    case RECORDING_DONE:
        return finish_messages(rank, words[0], status);
    case RECORDING_CANCELLED:
        return cancel(rank, words[0], status);
    case RECORDING_FREED:
        return release_request(rank, words[0], status);
    case RECORDING_COLLECTIVE:
        return append_collective(rank, words, status);
    case RECORDING_SIZES:
        return builder_set_bytes_to_members(rank->survey->builder, rank->rank, part->listed,
                                            (uint32_t)part->listed_count, status);
    case RECORDING_NEIGHBOURS:
        return append_neighbours(rank, part, status);
    case RECORDING_WINDOW_SYNC:
    case RECORDING_RMA:
    case RECORDING_RMA_DONE:
    case RECORDING_SIGNAL:
    case RECORDING_LOCK:
    case RECORDING_UNLOCK:
        return recording_import_rma(rank, part, status);
    case RECORDING_FILE_ACCESS:
        rank->has_access = true;
        return access_file(rank, words, status);
    case RECORDING_FILE_BYTES:
        rank->counts->file_calls += !rank->has_access;
        return STATUS_OK;
    case RECORDING_FOREIGN:
        rank->counts->foreign++;
        return STATUS_OK;
    case RECORDING_UNKNOWN:
        if (words[0] >= RECORDING_UNKNOWNS) return damaged(status);
        rank->counts->unknown[words[0]]++;
        return STATUS_OK;
    default: /* definitions, which the survey has read */
        return STATUS_OK;
    }
}

status_code recording_import_items(struct recording_rank *rank,
                                   const struct recording_record *record, struct status *status) {
    struct recording_part part;
    size_t at = 0;
    rank->call = record->call;
    rank->has_access = false;
    while (recording_next(record, &at, &part, status))
        FORWARD_IF_ERROR(import_item(rank, &part, status));
    return status->code;
}
