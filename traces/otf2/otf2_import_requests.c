/*
 * Imports the records inside MPI calls: messages, requests, collectives.
 *
 * Must not know time or the nesting of regions. Rules:
 * - A receive is posted at its MPI_IRECV_REQUEST and gets its peer, tag and size from its
 *   MPI_IRECV.
 * - Without request records (Score-P's XNONBLOCK group is off), no operation waits for a send of
 *   MPI_Isend, since the trace does not show when the application waited. Receives are posted at
 *   their MPI_Irecv calls, in order, and an MPI_RECV in a completing call belongs to the oldest of
 *   them.
 * - No operation waits for a send that never completes (MPI_Request_free). A cancelled send meets
 *   no receive and is removed.
 * - If ids of requests are handles, the id of a freed request comes again.
 */
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_collective.h"
#include "traces/otf2/otf2_import_rank.h"
#include "traces/otf2/otf2_import_regions.h"

#include "core/memory/memory.h"

#include <inttypes.h>

uint64_t import_new_request(struct import_rank *rank) {
    return UINT64_C(1) << 63 | rank->next_request++;
}

status_code import_complete(struct import_call *call, uint64_t request, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&call->completed, &call->completed_capacity,
                                 call->completed_count + 1, sizeof *call->completed, status));
    call->completed[call->completed_count++] = request;
    return STATUS_OK;
}

/* ---- communicators ---- */

status_code import_find_communicator(const struct import_rank *rank, uint32_t id, size_t *number,
                                     struct status *status) {
    const struct import_archive *archive = rank->archive;
    *number = otf2_definitions_find_communicator(&archive->definitions, id);
    RETURN_ERROR_IF(*number != SIZE_MAX && archive->communicators[*number].is_empty, status,
                    STATUS_INPUT,
                    "communicator %u has a group without members: the global definitions are "
                    "damaged",
                    id);
    RETURN_ERROR_IF(*number == SIZE_MAX || archive->communicators[*number].index == PROGRAM_NONE,
                    status, STATUS_INPUT,
                    "communicator %u is not one of MPI's (damaged definitions?)", id);
    return STATUS_OK;
}

static bool contains(const uint32_t *members, uint32_t size, uint32_t rank) {
    for (uint32_t i = 0; i < size; i++)
        if (members[i] == rank) return true;
    return false;
}

/* Returns true if the rank is in group B of an intercommunicator. */
static bool in_remote_group(struct import_rank *rank, size_t number) {
    const struct import_communicator *communicator = &rank->archive->communicators[number];
    if (communicator->remote == NULL) return false;
    if (rank->sides[number] == IMPORT_SIDE_UNKNOWN)
        rank->sides[number] = contains(communicator->remote, communicator->remote_size, rank->rank)
                                  ? IMPORT_SIDE_REMOTE
                                  : IMPORT_SIDE_LOCAL;
    return rank->sides[number] == IMPORT_SIDE_REMOTE;
}

/* Finds the world rank of a recorded peer, which is a number in the communicator, or in the other
 * group of an intercommunicator. */
static status_code find_peer(struct import_rank *rank, const struct otf2_event *event,
                             uint32_t *index, uint32_t *peer, struct status *status) {
    size_t number;
    FORWARD_IF_ERROR(import_find_communicator(rank, event->communicator, &number, status));
    const struct import_communicator *communicator = &rank->archive->communicators[number];
    bool use_remote = communicator->remote != NULL && !in_remote_group(rank, number);
    const uint32_t *members = use_remote ? communicator->remote : communicator->members;
    uint32_t size = use_remote ? communicator->remote_size : communicator->size;
    RETURN_ERROR_IF((int32_t)event->peer < 0 || (int32_t)event->tag < 0, status, STATUS_INPUT,
                    "a message with number %" PRId32 " and tag %" PRId32
                    ", which no message has: the tracer recorded MPI_ANY_SOURCE, MPI_ANY_TAG or "
                    "MPI_PROC_NULL in place of the values of the received message, or the file is "
                    "damaged: record the program with Score-P",
                    (int32_t)event->peer, (int32_t)event->tag);
    RETURN_ERROR_IF(event->peer >= size, status, STATUS_INPUT,
                    "a message with number %u in a communicator of %u members (damaged file?)",
                    event->peer, size);
    *index = communicator->index;
    *peer = members != NULL ? members[event->peer] : rank->rank;
    return STATUS_OK;
}

/* Returns true if EZTrace has lost the completion of a request. Its ids are addresses, so the id of
 * such a request comes again. At the end the archive is refused, with everything that it lacks. */
static bool is_lost(const struct import_rank *rank, uint64_t request) {
    return rank->archive->is_eztrace &&
           builder_request_is_in_flight(rank->archive->builder, rank->rank, request);
}

/* Removes or detaches a request that MPI_Request_free freed. The trace does not say which request
 * that was: it is one whose id comes again. No rank waits for such a send, and the message of such
 * a receive is unknown. */
static status_code give_up(struct import_rank *rank, uint64_t request, struct status *status) {
    struct program_builder *builder = rank->archive->builder;
    if (!rank->has_freed || !builder_request_is_in_flight(builder, rank->rank, request))
        return STATUS_OK;
    if (!builder_is_reserved(builder, rank->rank, request, OPERATION_RECEIVE))
        return builder_detach(builder, rank->rank, request, status);
    rank->counts->lost_receives++;
    return builder_drop_receive(builder, rank->rank, request, status);
}

/* Sets the error for a missing request. import_refuse_missing adds details later. */
static status_code refuse_missing(struct import_rank *rank, const char *record,
                                  const struct otf2_event *event, struct status *status) {
    rank->missing = (struct import_missing){record, event->record, event->request};
    return status_set(status, STATUS_INPUT, "%s without request %" PRIu64, record, event->request);
}

static bool is_reserved(const struct import_rank *rank, uint64_t request,
                        program_operation_kind kind) {
    return builder_is_reserved(rank->archive->builder, rank->rank, request, kind);
}

/* Adds the id of the communicator to an error of the builder, which does not know the ids of the
 * trace. */
static status_code name_communicator(status_code code, const struct otf2_event *event,
                                     struct status *status) {
    if (code == STATUS_OK) return STATUS_OK;
    return status_prefix(status, "communicator %u", event->communicator);
}

/* ---- messages ---- */

static status_code post_send(struct import_rank *rank, struct import_call *call,
                             const struct otf2_event *event, uint32_t communicator, uint32_t peer,
                             struct status *status) {
    const struct import_region *region = call->region;
    unsigned flags = region->send_flags;
    uint64_t request = BUILDER_NO_REQUEST;
    if (event->kind == OTF2_EVENT_ISEND) {
        request = is_lost(rank, event->request) ? import_new_request(rank) : event->request;
        rank->counts->isends++;
        FORWARD_IF_ERROR(give_up(rank, request, status));
        FORWARD_IF_ERROR(import_persistent_seen(rank, region, event->request, status));
        if (region->class == IMPORT_START)
            flags = import_persistent_flags(rank, event->request) | OPERATION_FLAG_SEND_PERSISTENT;
    } else if (region->class == IMPORT_ISEND || region->class == IMPORT_START) {
        flags |= OPERATION_FLAG_DETACHED;
        rank->counts->sends_without_request++;
    } else if (rank->is_concurrent) {
        request = import_new_request(rank);
        FORWARD_IF_ERROR(import_complete(call, request, status));
    }
    return name_communicator(builder_send(rank->archive->builder, rank->rank, communicator, peer,
                                          (int32_t)event->tag, event->bytes, flags, request,
                                          status),
                             event, status);
}

/* Returns the length of a received message. Tools record the result of MPI_Get_count times the size
 * of the datatype, and MPI_UNDEFINED is negative. */
static uint64_t received_length(const struct otf2_event *event) {
    return event->bytes > INT64_MAX ? BUILDER_UNKNOWN_BYTES : event->bytes;
}

/* Fills in a reserved receive, which is complete. */
static status_code fill_in(struct import_rank *rank, struct import_call *call,
                           const struct otf2_event *event, uint64_t request, uint32_t communicator,
                           uint32_t peer, struct status *status) {
    FORWARD_IF_ERROR(name_communicator(
        builder_fill_receive(rank->archive->builder, rank->rank, request, communicator, peer,
                             (int32_t)event->tag, received_length(event), status),
        event, status));
    return import_complete(call, request, status);
}

static status_code take_receive(struct import_rank *rank, struct import_call *call,
                                const struct otf2_event *event, uint32_t communicator,
                                uint32_t peer, struct status *status) {
    uint64_t request = call->receive;
    if (request != BUILDER_NO_REQUEST) {
        call->receive = BUILDER_NO_REQUEST;
        return fill_in(rank, call, event, request, communicator, peer, status);
    }
    uint8_t class = call->region->class;
    if ((class == IMPORT_WAIT || class == IMPORT_TEST) && rank->unnamed_count > 0) {
        request = rank->unnamed[rank->unnamed_first++];
        if (--rank->unnamed_count == 0) rank->unnamed_first = 0;
        return fill_in(rank, call, event, request, communicator, peer, status);
    }
    if (rank->is_concurrent) {
        request = import_new_request(rank);
        FORWARD_IF_ERROR(import_complete(call, request, status));
    }
    return name_communicator(builder_receive(rank->archive->builder, rank->rank, communicator, peer,
                                             (int32_t)event->tag, received_length(event), 0,
                                             request, status),
                             event, status);
}

status_code import_message(struct import_rank *rank, struct import_call *call,
                           const struct otf2_event *event, struct status *status) {
    uint32_t communicator = 0, peer = 0;
    FORWARD_IF_ERROR(find_peer(rank, event, &communicator, &peer, status));
    switch (event->kind) {
    case OTF2_EVENT_SEND:
    case OTF2_EVENT_ISEND:
        return post_send(rank, call, event, communicator, peer, status);
    case OTF2_EVENT_RECV:
        return take_receive(rank, call, event, communicator, peer, status);
    default:
        rank->counts->irecvs_completed++;
        if (!is_reserved(rank, event->request, OPERATION_RECEIVE))
            return refuse_missing(rank, "MPI_IRECV", event, status);
        return fill_in(rank, call, event, event->request, communicator, peer, status);
    }
}

/* ---- requests ---- */

status_code import_unnamed_receive(struct import_rank *rank, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&rank->unnamed, &rank->unnamed_capacity,
                                 rank->unnamed_first + rank->unnamed_count + 1,
                                 sizeof *rank->unnamed, status));
    uint64_t request = import_new_request(rank);
    rank->unnamed[rank->unnamed_first + rank->unnamed_count++] = request;
    return builder_reserve_receive(rank->archive->builder, rank->rank, request, status);
}

static status_code drop_unnamed(struct import_rank *rank, struct status *status) {
    for (; rank->unnamed_count > 0; rank->unnamed_count--)
        FORWARD_IF_ERROR(builder_drop_receive(rank->archive->builder, rank->rank,
                                              rank->unnamed[rank->unnamed_first++], status));
    return STATUS_OK;
}

/* Removes a cancelled operation. The record says that the cancellation succeeded: no part of the
 * message was received. */
static status_code cancel(struct import_rank *rank, uint64_t request, struct status *status) {
    struct program_builder *builder = rank->archive->builder;
    if (is_reserved(rank, request, OPERATION_RECEIVE))
        return builder_drop_receive(builder, rank->rank, request, status);
    return builder_mark_send_complete(builder, rank->rank, request)
               ? builder_drop_send(builder, rank->rank, request, status)
               : STATUS_OK;
}

status_code import_request(struct import_rank *rank, struct import_call *call,
                           const struct otf2_event *event, struct status *status) {
    const struct import_region *region = call->region;
    switch (event->kind) {
    case OTF2_EVENT_ISEND_COMPLETE:
        rank->counts->isends_completed++;
        if (!builder_mark_send_complete(rank->archive->builder, rank->rank, event->request))
            return refuse_missing(rank, "MPI_ISEND_COMPLETE", event, status);
        return import_complete(call, event->request, status);
    case OTF2_EVENT_IRECV_REQUEST:
        rank->counts->irecvs++;
        rank->has_requests = true; /* so calls without a record received from MPI_PROC_NULL */
        FORWARD_IF_ERROR(drop_unnamed(rank, status));
        FORWARD_IF_ERROR(import_persistent_seen(rank, region, event->request, status));
        if (is_lost(rank, event->request)) return STATUS_OK;
        FORWARD_IF_ERROR(give_up(rank, event->request, status));
        return builder_reserve_receive(rank->archive->builder, rank->rank, event->request, status);
    case OTF2_EVENT_COLLECTIVE_REQUEST:
        rank->counts->started_collectives += region->class == IMPORT_START;
        FORWARD_IF_ERROR(import_persistent_seen(rank, region, event->request, status));
        return builder_reserve_collective(rank->archive->builder, rank->rank, event->request,
                                          status);
    default:
        return cancel(rank, event->request, status);
    }
}

bool import_is_early(const struct import_rank *rank, const struct otf2_event *event) {
    const struct program_builder *builder = rank->archive->builder;
    switch (event->kind) {
    case OTF2_EVENT_IRECV:
        return !is_reserved(rank, event->request, OPERATION_RECEIVE);
    case OTF2_EVENT_COLLECTIVE_DONE:
        return !is_reserved(rank, event->request, OPERATION_COLLECTIVE);
    case OTF2_EVENT_ISEND_COMPLETE:
    case OTF2_EVENT_CANCELLED:
        return !builder_request_is_in_flight(builder, rank->rank, event->request);
    case OTF2_EVENT_ISEND:
    case OTF2_EVENT_IRECV_REQUEST:
    case OTF2_EVENT_COLLECTIVE_REQUEST:
        return builder_request_is_in_flight(builder, rank->rank, event->request);
    default:
        return false;
    }
}

status_code import_drop_reserved(struct import_rank *rank, struct status *status) {
    FORWARD_IF_ERROR(drop_unnamed(rank, status));
    return builder_drop_reserved(rank->archive->builder, rank->rank, &rank->counts->lost_receives,
                                 &rank->counts->lost_collectives, status);
}

/* ---- collectives ---- */

static uint32_t number_in(const uint32_t *members, uint32_t size, uint32_t rank) {
    if (rank < size && members[rank] == rank) return rank; /* no search in MPI_COMM_WORLD */
    for (uint32_t i = 0; i < size; i++)
        if (members[i] == rank) return i;
    return PROGRAM_NONE;
}

static bool is_rooted(uint32_t kind) {
    return kind == PROGRAM_COLLECTIVE_BCAST || kind == PROGRAM_COLLECTIVE_REDUCE ||
           kind == PROGRAM_COLLECTIVE_GATHER || kind == PROGRAM_COLLECTIVE_GATHERV ||
           kind == PROGRAM_COLLECTIVE_SCATTER || kind == PROGRAM_COLLECTIVE_SCATTERV;
}

static bool is_rooted_or_scan(uint32_t kind) {
    return is_rooted(kind) || kind == PROGRAM_COLLECTIVE_SCAN || kind == PROGRAM_COLLECTIVE_EXSCAN;
}

/* Finds the root on an intercommunicator: this rank, another rank of its group, or a rank of the
 * other group. */
static unsigned find_remote_root(const struct otf2_event *event, uint32_t me, bool *is_root,
                                 uint32_t *root) {
    *is_root = event->root == OTF2_ROOT_SELF;
    *root = *is_root ? me : event->root == OTF2_ROOT_THIS_GROUP ? PROGRAM_NONE : event->root;
    return *is_root || *root == PROGRAM_NONE ? 0 : OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE;
}

static status_code describe_collective(struct import_rank *rank, const struct otf2_event *event,
                                       struct program_collective_arguments *arguments,
                                       unsigned *flags, struct status *status) {
    size_t number;
    FORWARD_IF_ERROR(import_find_communicator(rank, event->communicator, &number, status));
    const struct import_communicator *communicator = &rank->archive->communicators[number];
    *arguments = (struct program_collective_arguments){
        .kind = event->operation, .communicator = communicator->index, .root = PROGRAM_NONE};
    *flags = 0;
    bool remote = in_remote_group(rank, number);
    bool is_inter = communicator->remote != NULL;
    if (!is_inter && event->operation != PROGRAM_COLLECTIVE_CREATE_HANDLE &&
        event->operation != PROGRAM_COLLECTIVE_DESTROY_HANDLE)
        rank->last_communicator = (uint32_t)number;
    /* On an intercommunicator blocks go to the other group, except that REDUCE_SCATTER_BLOCK has a
     * block for each member of the own group. */
    bool of_local = remote != (event->operation == PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK);
    uint32_t size = is_inter && !of_local ? communicator->remote_size : communicator->size;
    uint32_t me = 0;
    if ((is_inter || event->operation == PROGRAM_COLLECTIVE_SCAN ||
         event->operation == PROGRAM_COLLECTIVE_EXSCAN) &&
        communicator->members != NULL)
        me = number_in(remote ? communicator->remote : communicator->members,
                       remote ? communicator->remote_size : communicator->size, rank->rank);
    RETURN_ERROR_IF(me == PROGRAM_NONE && is_rooted_or_scan(event->operation), status, STATUS_INPUT,
                    "%s on communicator %u, of which the rank is not a member (damaged file?)",
                    program_collective_name(event->operation), event->communicator);
    bool is_root =
        communicator->members == NULL ||
        (event->root < communicator->size && communicator->members[event->root] == rank->rank);
    arguments->root = event->root;
    if (is_inter && is_rooted(event->operation))
        *flags = find_remote_root(event, me, &is_root, &arguments->root);
    struct import_collective_call call = {.kind = event->operation,
                                          .size = size,
                                          .me = me,
                                          .is_root = is_root,
                                          .is_intercommunicator = is_inter,
                                          .is_arguments = rank->archive->records_arguments,
                                          .in_place = (otf2_in_place)event->in_place,
                                          .sent = event->bytes,
                                          .received = event->received_bytes};
    *flags |= import_collective_sizes(&call, &arguments->send_bytes, &arguments->receive_bytes);
    return STATUS_OK;
}

status_code import_collective(struct import_rank *rank, struct import_call *call,
                              const struct otf2_event *event, struct status *status) {
    struct program_builder *builder = rank->archive->builder;
    bool blocking = event->kind == OTF2_EVENT_COLLECTIVE;
    uint64_t request = blocking ? call->collective : event->request;
    if (!blocking && !is_reserved(rank, request, OPERATION_COLLECTIVE))
        return refuse_missing(rank, "NON_BLOCKING_COLLECTIVE_COMPLETE", event, status);
    if (blocking) call->collective = BUILDER_NO_REQUEST;
    if (event->operation == PROGRAM_COLLECTIVE_KINDS) {
        rank->counts->unknown_collectives++;
        return request == BUILDER_NO_REQUEST
                   ? STATUS_OK
                   : builder_drop_collective(builder, rank->rank, request, status);
    }
    struct program_collective_arguments arguments;
    unsigned flags;
    FORWARD_IF_ERROR(describe_collective(rank, event, &arguments, &flags, status));
    if (request == BUILDER_NO_REQUEST)
        return name_communicator(
            builder_collective(builder, rank->rank, &arguments, flags, BUILDER_NO_REQUEST, status),
            event, status);
    if (blocking) flags |= OPERATION_FLAG_COLLECTIVE_SPLIT;
    FORWARD_IF_ERROR(name_communicator(
        builder_fill_collective(builder, rank->rank, request, &arguments, flags, status), event,
        status));
    return import_complete(call, request, status);
}
