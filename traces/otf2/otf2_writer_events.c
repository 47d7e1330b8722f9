/*
 * Turns records into OTF2 events. Must not know how a program becomes records.
 */
#include "traces/otf2/otf2_properties.h"
#include "traces/otf2/otf2_writer_parts.h"

/* Never written as an MPI collective: window collectives have records of their own. */
#define OTF2_COLLECTIVE_OP_WINDOW OTF2_COLLECTIVE_OP_BARRIER

static OTF2_CollectiveOp collective_operation(program_collective_kind kind) {
    static const uint8_t operations[PROGRAM_COLLECTIVE_KINDS] = {
#define OPERATION(name, text, sized) [PROGRAM_COLLECTIVE_##name] = OTF2_COLLECTIVE_OP_##name,
        PROGRAM_COLLECTIVES(OPERATION)
#undef OPERATION
    };
    return operations[kind];
}

static uint32_t root_of(const struct archive_record *record) {
    switch (record->root) {
    case ARCHIVE_ROOT_NUMBER:
        return record->member;
    case ARCHIVE_ROOT_SELF:
        return OTF2_COLLECTIVE_ROOT_SELF;
    case ARCHIVE_ROOT_THIS_GROUP:
        return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
    default:
        return OTF2_COLLECTIVE_ROOT_NONE;
    }
}

/* Writes the end of a collective. Writing empties the attribute list. */
static OTF2_ErrorCode write_collective(struct otf2_writer *writer, OTF2_TimeStamp time,
                                       const struct archive_record *r) {
    OTF2_EvtWriter *events = writer->events;
    OTF2_CollectiveOp operation = collective_operation(r->collective);
    if (r->is_in_place) {
        OTF2_ErrorCode code =
            OTF2_AttributeList_AddUint8(writer->attributes, OTF2_IN_PLACE_ATTRIBUTE, 1);
        if (code != OTF2_SUCCESS) return code;
    }
    if (r->kind == RECORD_COLLECTIVE_END)
        return OTF2_EvtWriter_MpiCollectiveEnd(events, writer->attributes, time, operation,
                                               r->communicator, root_of(r), r->sent_bytes,
                                               r->received_bytes);
    return OTF2_EvtWriter_NonBlockingCollectiveComplete(events, writer->attributes, time, operation,
                                                        r->communicator, root_of(r), r->sent_bytes,
                                                        r->received_bytes, r->request);
}

static OTF2_ErrorCode write_window_end(OTF2_EvtWriter *events, OTF2_TimeStamp time,
                                       const struct archive_record *r) {
    static const OTF2_CollectiveOp operations[] = {
        [ARCHIVE_FENCE] = OTF2_COLLECTIVE_OP_BARRIER,
        [ARCHIVE_CREATE] = OTF2_COLLECTIVE_OP_CREATE_HANDLE,
        [ARCHIVE_ALLOCATE] = OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE,
        [ARCHIVE_FREE] = OTF2_COLLECTIVE_OP_DESTROY_HANDLE};
    OTF2_RmaSyncLevel level = OTF2_RMA_SYNC_LEVEL_PROCESS;
    if (r->window_call == ARCHIVE_FENCE) level |= OTF2_RMA_SYNC_LEVEL_MEMORY;
    return OTF2_EvtWriter_RmaCollectiveEnd(events, NULL, time, operations[r->window_call], level,
                                           r->window, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
}

/* Writes a record of one-sided communication. */
static OTF2_ErrorCode write_rma(OTF2_EvtWriter *events, OTF2_TimeStamp time,
                                const struct archive_record *r) {
    static const OTF2_RmaAtomicType atomics[] = {
        [ARCHIVE_ACCUMULATE] = OTF2_RMA_ATOMIC_TYPE_ACCUMULATE,
        [ARCHIVE_FETCH_AND_ACCUMULATE] = OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE,
        [ARCHIVE_COMPARE_AND_SWAP] = OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP};
    uint32_t locked = r->member == ARCHIVE_EVERYONE ? OTF2_UNDEFINED_UINT32 : r->member;
    switch (r->kind) {
    case RECORD_PUT:
        return OTF2_EvtWriter_RmaPut(events, NULL, time, r->window, r->member, r->sent_bytes,
                                     r->request);
    case RECORD_GET:
        return OTF2_EvtWriter_RmaGet(events, NULL, time, r->window, r->member, r->received_bytes,
                                     r->request);
    case RECORD_ATOMIC:
        return OTF2_EvtWriter_RmaAtomic(events, NULL, time, r->window, r->member,
                                        atomics[r->atomic], r->sent_bytes, r->received_bytes,
                                        r->request);
    case RECORD_REMOTE_LOCAL_END:
        return OTF2_EvtWriter_RmaOpCompleteNonBlocking(events, NULL, time, r->window, r->request);
    case RECORD_REMOTE_END:
        return OTF2_EvtWriter_RmaOpCompleteRemote(events, NULL, time, r->window, r->request);
    case RECORD_WINDOW_BEGIN:
        return OTF2_EvtWriter_RmaCollectiveBegin(events, NULL, time);
    case RECORD_WINDOW_END:
        return write_window_end(events, time, r);
    case RECORD_GROUP_SYNC:
        return OTF2_EvtWriter_RmaGroupSync(
            events, NULL, time,
            OTF2_RMA_SYNC_LEVEL_PROCESS |
                (r->tag == PROGRAM_TAG_COMPLETE ? OTF2_RMA_SYNC_LEVEL_MEMORY : 0u),
            r->window, WRITER_GROUP_FIRST_FREE + r->group);
    case RECORD_LOCK:
        return OTF2_EvtWriter_RmaRequestLock(events, NULL, time, r->window, locked, 0,
                                             r->is_exclusive ? OTF2_LOCK_EXCLUSIVE
                                                             : OTF2_LOCK_SHARED);
    default:
        return OTF2_EvtWriter_RmaReleaseLock(events, NULL, time, r->window, locked, 0);
    }
}

/* Writes the beginning or the end of an access to a file. Writing empties the attribute list. */
static OTF2_ErrorCode write_file(struct otf2_writer *writer, OTF2_TimeStamp time,
                                 const struct archive_record *r) {
    if (r->kind == RECORD_FILE_END)
        return OTF2_EvtWriter_IoOperationComplete(writer->events, NULL, time, r->file,
                                                  r->sent_bytes, r->request);
    OTF2_ErrorCode code =
        OTF2_AttributeList_AddUint64(writer->attributes, OTF2_OFFSET_ATTRIBUTE, r->offset);
    if (code != OTF2_SUCCESS) return code;
    return OTF2_EvtWriter_IoOperationBegin(
        writer->events, writer->attributes, time, r->file,
        r->is_write ? OTF2_IO_OPERATION_MODE_WRITE : OTF2_IO_OPERATION_MODE_READ,
        r->is_collective ? OTF2_IO_OPERATION_FLAG_COLLECTIVE : OTF2_IO_OPERATION_FLAG_NONE,
        r->sent_bytes, r->request);
}

OTF2_ErrorCode otf2_writer_write_event(struct otf2_writer *writer,
                                       const struct archive_record *record) {
    OTF2_EvtWriter *events = writer->events;
    OTF2_TimeStamp time = WRITER_CLOCK_OFFSET_PS + (uint64_t)record->time_ps;
    uint32_t tag = (uint32_t)record->tag;
    switch (record->kind) {
    case RECORD_ENTER:
        return OTF2_EvtWriter_Enter(events, NULL, time, record->region);
    case RECORD_LEAVE:
        return OTF2_EvtWriter_Leave(events, NULL, time, record->region);
    case RECORD_SEND:
        return OTF2_EvtWriter_MpiSend(events, NULL, time, record->member, record->communicator, tag,
                                      record->sent_bytes);
    case RECORD_RECEIVE:
        return OTF2_EvtWriter_MpiRecv(events, NULL, time, record->member, record->communicator, tag,
                                      record->sent_bytes);
    case RECORD_ISEND:
        return OTF2_EvtWriter_MpiIsend(events, NULL, time, record->member, record->communicator,
                                       tag, record->sent_bytes, record->request);
    case RECORD_ISEND_COMPLETE:
        return OTF2_EvtWriter_MpiIsendComplete(events, NULL, time, record->request);
    case RECORD_IRECEIVE_REQUEST:
        return OTF2_EvtWriter_MpiIrecvRequest(events, NULL, time, record->request);
    case RECORD_IRECEIVE:
        return OTF2_EvtWriter_MpiIrecv(events, NULL, time, record->member, record->communicator,
                                       tag, record->sent_bytes, record->request);
    case RECORD_COLLECTIVE_BEGIN:
        return OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, time);
    case RECORD_COLLECTIVE_REQUEST:
        return OTF2_EvtWriter_NonBlockingCollectiveRequest(events, NULL, time, record->request);
    case RECORD_COLLECTIVE_END:
    case RECORD_COLLECTIVE_COMPLETE:
        return write_collective(writer, time, record);
    case RECORD_FILE:
    case RECORD_FILE_END:
        return write_file(writer, time, record);
    default:
        return write_rma(events, time, record);
    }
}
