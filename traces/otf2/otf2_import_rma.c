/*
 * One-sided communication of a rank: windows, put, get and atomic operations, and synchronisation.
 *
 * Must not know time or the nesting of regions. Rules:
 * - A put, get or atomic operation is posted at its record. It completes in a wait that records its
 *   completion (of MPI_Rput and similar calls), or in the next call that completes operations: a
 *   fence, flush or unlock, MPI_Win_complete or MPI_Win_free. The trace does not say for which
 *   operations a flush was, so a flush completes all operations of the rank.
 * - Fences, and the creation and end of a window, synchronise the members of its communicator.
 * - MPI_Win_post sends a message without data to each member of its group, and MPI_Win_start waits
 *   for these messages. MPI_Win_complete and MPI_Win_wait do the same in the other direction.
 */
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"
#include "traces/otf2/otf2_import_regions.h"

#include "core/memory/memory.h"

#include <string.h>

status_code import_find_window(const struct import_rank *rank, uint32_t id,
                               struct import_rma_window *window, struct status *status) {
    const struct import_archive *archive = rank->archive;
    size_t found = otf2_definitions_find_window(&archive->definitions, id), number;
    RETURN_ERROR_IF(found == SIZE_MAX, status, STATUS_INPUT,
                    "window %u is not defined (damaged definitions?)", id);
    FORWARD_IF_ERROR(import_find_communicator(
        rank, archive->definitions.windows[found].communicator, &number, status));
    const struct import_communicator *communicator = &archive->communicators[number];
    RETURN_ERROR_IF(found >= PROGRAM_WINDOWS_LIMIT, status, STATUS_INPUT,
                    "more than %d windows (damaged definitions?)", PROGRAM_WINDOWS_LIMIT);
    window->window_number = (int32_t)found;
    window->communicator = communicator->index;
    window->members = communicator->members;
    window->size = communicator->size;
    return STATUS_OK;
}

status_code import_rma_post(struct import_rank *rank, const struct import_rma_window *window,
                            uint32_t member, int32_t tag, uint64_t bytes, unsigned flags,
                            uint64_t request, struct status *status) {
    uint32_t peer = window->members != NULL ? window->members[member] : rank->rank;
    return builder_send(rank->archive->builder, rank->rank, window->communicator, peer, tag, bytes,
                        flags, request, status);
}

static status_code operate(struct import_rank *rank, const struct otf2_event *event,
                           struct status *status) {
    unsigned flags = (event->flags & OTF2_RMA_WRITES ? OPERATION_FLAG_RMA_WRITE : 0) |
                     (event->flags & OTF2_RMA_READS ? OPERATION_FLAG_RMA_READ : 0);
    struct import_rma_window window = {0};
    FORWARD_IF_ERROR(import_find_window(rank, event->window, &window, status));
    RETURN_ERROR_IF(event->peer >= window.size, status, STATUS_INPUT,
                    "a one-sided operation on number %u in a window of %u members (damaged file?)",
                    event->peer, window.size);
    uint64_t request = import_marked_request(IMPORT_RMA_MARK, event->request);
    if (builder_request_is_in_flight(rank->archive->builder, rank->rank, request))
        request = import_new_request(rank); /* Score-P gives some operations equal ids */
    FORWARD_IF_ERROR(memory_grow((void **)&rank->rma_requests, &rank->rma_capacity,
                                 rank->rma_first + rank->rma_count + 1, sizeof *rank->rma_requests,
                                 status));
    rank->rma_requests[rank->rma_first + rank->rma_count++] = request;
    return import_rma_post(rank, &window, event->peer, PROGRAM_TAG_RMA, event->bytes, flags,
                           request, status);
}

/* Records that an operation completes in this call, unless it is known to be complete already. */
static status_code done(struct import_rank *rank, struct import_call *call, uint64_t request,
                        struct status *status) {
    if (rank->rma_count == 0) return STATUS_OK;
    uint64_t *open = rank->rma_requests + rank->rma_first;
    for (size_t i = 0; i < rank->rma_count; i++) {
        if (open[i] != request) continue;
        if (i == 0)
            rank->rma_first++;
        else
            memmove(open + i, open + i + 1, (rank->rma_count - i - 1) * sizeof *open);
        if (--rank->rma_count == 0) rank->rma_first = 0;
        return import_complete(call, request, status);
    }
    return STATUS_OK;
}

/* Waits for all one-sided operations before the call continues. */
static status_code complete_all(struct import_rank *rank, struct status *status) {
    size_t first = rank->rma_first, count = rank->rma_count;
    rank->rma_first = rank->rma_count = 0;
    if (count == 0) return STATUS_OK;
    return builder_wait(rank->archive->builder, rank->rank, rank->rma_requests + first,
                        (uint32_t)count, status);
}

static bool completes(uint8_t class) {
    return class == IMPORT_RMA_SYNC || class == IMPORT_RMA_COMPLETE;
}

/* Posts a message without data to or from every member of a group. */
static status_code post_signals(struct import_rank *rank, uint8_t class,
                                const struct otf2_event *event, struct status *status) {
    const struct import_archive *archive = rank->archive;
    struct import_rma_window window = {0};
    FORWARD_IF_ERROR(import_find_window(rank, event->window, &window, status));
    const struct otf2_group *group = otf2_definitions_group(&archive->definitions, event->group);
    RETURN_ERROR_IF(group == NULL, status, STATUS_INPUT,
                    "a window's group %u is not one of MPI's (damaged definitions?)", event->group);
    bool sends = class == IMPORT_RMA_POST || class == IMPORT_RMA_COMPLETE;
    bool opens = class == IMPORT_RMA_POST || class == IMPORT_RMA_START;
    int32_t tag = opens ? PROGRAM_TAG_POST : PROGRAM_TAG_COMPLETE;
    for (uint32_t i = 0; group->kind == OTF2_GROUP_RANKS && i < group->size; i++) {
        uint32_t peer = archive->group_members[group->first + i];
        if (sends)
            FORWARD_IF_ERROR(builder_send(archive->builder, rank->rank, window.communicator, peer,
                                          tag, 0, 0, BUILDER_NO_REQUEST, status));
        else
            FORWARD_IF_ERROR(builder_receive(archive->builder, rank->rank, window.communicator,
                                             peer, tag, 0, 0, BUILDER_NO_REQUEST, status));
    }
    return STATUS_OK;
}

static status_code synchronise(struct import_rank *rank, const struct otf2_event *event,
                               struct status *status) {
    struct import_rma_window window = {0};
    FORWARD_IF_ERROR(import_find_window(rank, event->window, &window, status));
    struct program_collective_arguments arguments = {.kind = PROGRAM_COLLECTIVE_WINDOW,
                                                     .communicator = window.communicator,
                                                     .root = PROGRAM_NONE};
    return builder_collective(rank->archive->builder, rank->rank, &arguments, 0, BUILDER_NO_REQUEST,
                              status);
}

status_code import_rma(struct import_rank *rank, struct import_call *call,
                       const struct otf2_event *event, struct status *status) {
    uint8_t class = call->region->class;
    if (event->kind == OTF2_EVENT_RMA) return operate(rank, event, status);
    if (completes(class)) FORWARD_IF_ERROR(complete_all(rank, status));
    switch (event->kind) {
    case OTF2_EVENT_RMA_DONE:
        return done(rank, call, import_marked_request(IMPORT_RMA_MARK, event->request), status);
    case OTF2_EVENT_WINDOW_COLLECTIVE:
        return synchronise(rank, event, status);
    case OTF2_EVENT_GROUP_SYNC:
        return post_signals(rank, class, event, status);
    default:
        return import_lock(rank, event, status);
    }
}

status_code import_rma_end(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                           struct status *status) {
    const struct import_call *call = &rank->calls[thread];
    if (!completes(call->region->class)) return STATUS_OK;
    FORWARD_IF_ERROR(import_call_open(rank, thread, ticks, status));
    return complete_all(rank, status);
}
