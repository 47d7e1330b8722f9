/*
 * Turns the events that the OTF2 library delivers into otf2_event and gives them to the reader's
 * sink, but those that otf2_reader_records.c has delivered. Must not know relations between events.
 */
#include "traces/otf2/otf2_properties.h"
#include "traces/otf2/otf2_reader_parts.h"

#define EVENT_PARAMETERS                                                                           \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *context,              \
        OTF2_AttributeList *attributes

/* Gives an event to the sink and returns from the callback. The library's positions count from 1.
 */
#define DELIVER(...)                                                                               \
    do {                                                                                           \
        (void)location, (void)attributes;                                                          \
        struct otf2_reader *reader = context;                                                      \
        if (position <= reader->skipped) return OTF2_CALLBACK_SUCCESS;                             \
        struct otf2_event event = {.record = position - 1, .ticks = time, __VA_ARGS__};            \
        return otf2_reader_answer(reader, reader->sink(reader->context, &event, reader->status));  \
    } while (0)

static OTF2_CallbackCode on_enter(EVENT_PARAMETERS, OTF2_RegionRef region) {
    DELIVER(.kind = OTF2_EVENT_ENTER, .region = region);
}

static OTF2_CallbackCode on_leave(EVENT_PARAMETERS, OTF2_RegionRef region) {
    DELIVER(.kind = OTF2_EVENT_LEAVE, .region = region);
}

static OTF2_CallbackCode on_send(EVENT_PARAMETERS, uint32_t receiver, OTF2_CommRef communicator,
                                 uint32_t tag, uint64_t bytes) {
    DELIVER(.kind = OTF2_EVENT_SEND, .communicator = communicator, .peer = receiver, .tag = tag,
            .bytes = bytes);
}

static OTF2_CallbackCode on_isend(EVENT_PARAMETERS, uint32_t receiver, OTF2_CommRef communicator,
                                  uint32_t tag, uint64_t bytes, uint64_t request) {
    DELIVER(.kind = OTF2_EVENT_ISEND, .communicator = communicator, .peer = receiver, .tag = tag,
            .bytes = bytes, .request = request);
}

static OTF2_CallbackCode on_isend_complete(EVENT_PARAMETERS, uint64_t request) {
    DELIVER(.kind = OTF2_EVENT_ISEND_COMPLETE, .request = request);
}

static OTF2_CallbackCode on_irecv_request(EVENT_PARAMETERS, uint64_t request) {
    DELIVER(.kind = OTF2_EVENT_IRECV_REQUEST, .request = request);
}

static OTF2_CallbackCode on_recv(EVENT_PARAMETERS, uint32_t sender, OTF2_CommRef communicator,
                                 uint32_t tag, uint64_t bytes) {
    DELIVER(.kind = OTF2_EVENT_RECV, .communicator = communicator, .peer = sender, .tag = tag,
            .bytes = bytes);
}

static OTF2_CallbackCode on_irecv(EVENT_PARAMETERS, uint32_t sender, OTF2_CommRef communicator,
                                  uint32_t tag, uint64_t bytes, uint64_t request) {
    DELIVER(.kind = OTF2_EVENT_IRECV, .communicator = communicator, .peer = sender, .tag = tag,
            .bytes = bytes, .request = request);
}

static OTF2_CallbackCode on_cancelled(EVENT_PARAMETERS, uint64_t request) {
    DELIVER(.kind = OTF2_EVENT_CANCELLED, .request = request);
}

uint32_t otf2_reader_operation(OTF2_CollectiveOp operation) {
    switch (operation) {
#define OPERATION(name)                                                                            \
    case OTF2_COLLECTIVE_OP_##name:                                                                \
        return PROGRAM_COLLECTIVE_##name;
        OPERATION(BARRIER)
        OPERATION(BCAST)
        OPERATION(GATHER)
        OPERATION(GATHERV)
        OPERATION(SCATTER)
        OPERATION(SCATTERV)
        OPERATION(ALLGATHER)
        OPERATION(ALLGATHERV)
        OPERATION(ALLTOALL)
        OPERATION(ALLTOALLV)
        OPERATION(ALLTOALLW)
        OPERATION(ALLREDUCE)
        OPERATION(REDUCE)
        OPERATION(REDUCE_SCATTER)
        OPERATION(REDUCE_SCATTER_BLOCK)
        OPERATION(SCAN)
        OPERATION(EXSCAN)
        OPERATION(CREATE_HANDLE)
        OPERATION(DESTROY_HANDLE)
#undef OPERATION
    default:
        return PROGRAM_COLLECTIVE_KINDS;
    }
}

uint32_t otf2_reader_root(uint32_t root) {
    switch (root) {
    case OTF2_COLLECTIVE_ROOT_NONE:
        return OTF2_ROOT_NONE;
    case OTF2_COLLECTIVE_ROOT_SELF:
        return OTF2_ROOT_SELF;
    case OTF2_COLLECTIVE_ROOT_THIS_GROUP:
        return OTF2_ROOT_THIS_GROUP;
    default:
        return root;
    }
}

static uint16_t in_place_of(const struct otf2_reader *reader,
                            const OTF2_AttributeList *attributes) {
    if (!reader->states_in_place) return OTF2_IN_PLACE_UNKNOWN;
    return OTF2_AttributeList_TestAttributeByID(attributes, OTF2_IN_PLACE_ATTRIBUTE)
               ? OTF2_IN_PLACE_YES
               : OTF2_IN_PLACE_NO;
}

static OTF2_CallbackCode on_collective(EVENT_PARAMETERS, OTF2_CollectiveOp operation,
                                       OTF2_CommRef communicator, uint32_t root, uint64_t sent,
                                       uint64_t received) {
    DELIVER(.kind = OTF2_EVENT_COLLECTIVE, .communicator = communicator,
            .root = otf2_reader_root(root), .operation = otf2_reader_operation(operation),
            .bytes = sent, .received_bytes = received,
            .in_place = in_place_of(context, attributes));
}

static OTF2_CallbackCode on_collective_request(EVENT_PARAMETERS, uint64_t request) {
    DELIVER(.kind = OTF2_EVENT_COLLECTIVE_REQUEST, .request = request);
}

static OTF2_CallbackCode on_collective_done(EVENT_PARAMETERS, OTF2_CollectiveOp operation,
                                            OTF2_CommRef communicator, uint32_t root, uint64_t sent,
                                            uint64_t received, uint64_t request) {
    DELIVER(.kind = OTF2_EVENT_COLLECTIVE_DONE, .communicator = communicator,
            .root = otf2_reader_root(root), .operation = otf2_reader_operation(operation),
            .bytes = sent, .received_bytes = received, .in_place = in_place_of(context, attributes),
            .request = request);
}

static OTF2_CallbackCode on_put(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t peer,
                                uint64_t bytes, uint64_t matching) {
    DELIVER(.kind = OTF2_EVENT_RMA, .window = window, .peer = peer, .flags = OTF2_RMA_WRITES,
            .bytes = bytes, .request = matching);
}

static OTF2_CallbackCode on_get(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t peer,
                                uint64_t bytes, uint64_t matching) {
    DELIVER(.kind = OTF2_EVENT_RMA, .window = window, .peer = peer, .flags = OTF2_RMA_READS,
            .bytes = bytes, .request = matching);
}

static OTF2_CallbackCode on_atomic(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t peer,
                                   OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
                                   uint64_t matching) {
    (void)type;
    DELIVER(.kind = OTF2_EVENT_RMA, .window = window, .peer = peer,
            .flags = otf2_reader_atomic_flags(sent, received),
            .bytes = sent > received ? sent : received, .request = matching);
}

static OTF2_CallbackCode on_rma_done(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint64_t matching) {
    DELIVER(.kind = OTF2_EVENT_RMA_DONE, .window = window, .request = matching);
}

static OTF2_CallbackCode on_window_collective(EVENT_PARAMETERS, OTF2_CollectiveOp operation,
                                              OTF2_RmaSyncLevel level, OTF2_RmaWinRef window,
                                              uint32_t root, uint64_t sent, uint64_t received) {
    (void)operation, (void)level, (void)root, (void)sent, (void)received;
    DELIVER(.kind = OTF2_EVENT_WINDOW_COLLECTIVE, .window = window);
}

static OTF2_CallbackCode on_group_sync(EVENT_PARAMETERS, OTF2_RmaSyncLevel level,
                                       OTF2_RmaWinRef window, OTF2_GroupRef group) {
    DELIVER(.kind = OTF2_EVENT_GROUP_SYNC, .window = window, .group = group,
            .synchronises = level != OTF2_RMA_SYNC_LEVEL_NONE);
}

static OTF2_CallbackCode on_lock(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t peer,
                                 uint64_t lock, OTF2_LockType type) {
    (void)lock;
    DELIVER(.kind = OTF2_EVENT_LOCK, .window = window,
            .peer = peer == OTF2_UNDEFINED_UINT32 ? OTF2_ROOT_NONE : peer,
            .is_exclusive = type == OTF2_LOCK_EXCLUSIVE);
}

static OTF2_CallbackCode on_locked(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t peer,
                                   uint64_t lock, OTF2_LockType type) {
    (void)lock;
    DELIVER(.kind = OTF2_EVENT_LOCKED, .window = window,
            .peer = peer == OTF2_UNDEFINED_UINT32 ? OTF2_ROOT_NONE : peer,
            .is_exclusive = type == OTF2_LOCK_EXCLUSIVE);
}

static OTF2_CallbackCode on_unlock(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t peer,
                                   uint64_t lock) {
    (void)lock;
    DELIVER(.kind = OTF2_EVENT_UNLOCK, .window = window,
            .peer = peer == OTF2_UNDEFINED_UINT32 ? OTF2_ROOT_NONE : peer);
}

static uint64_t offset_of(const struct otf2_reader *reader, const OTF2_AttributeList *attributes) {
    uint64_t offset = OTF2_OFFSET_NONE;
    if (reader->offset_attribute == OTF2_NOT_DEFINED ||
        OTF2_AttributeList_GetUint64(attributes, reader->offset_attribute, &offset) != OTF2_SUCCESS)
        return OTF2_OFFSET_NONE;
    return offset;
}

static OTF2_CallbackCode on_file_begin(EVENT_PARAMETERS, OTF2_IoHandleRef handle,
                                       OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags,
                                       uint64_t bytes, uint64_t matching) {
    if (mode == OTF2_IO_OPERATION_MODE_FLUSH) DELIVER(.kind = OTF2_EVENT_OTHER);
    DELIVER(.kind = OTF2_EVENT_FILE, .handle = handle,
            .flags = (mode == OTF2_IO_OPERATION_MODE_WRITE ? OTF2_FILE_WRITES : 0) |
                     (flags & OTF2_IO_OPERATION_FLAG_COLLECTIVE ? OTF2_FILE_COLLECTIVE : 0),
            .bytes = bytes == OTF2_UNDEFINED_UINT64 ? 0 : bytes, .request = matching,
            .offset = offset_of(context, attributes));
}

static OTF2_CallbackCode on_file_done(EVENT_PARAMETERS, OTF2_IoHandleRef handle, uint64_t bytes,
                                      uint64_t matching) {
    (void)bytes;
    DELIVER(.kind = OTF2_EVENT_FILE_DONE, .handle = handle, .request = matching);
}

static OTF2_CallbackCode on_file_seek(EVENT_PARAMETERS, OTF2_IoHandleRef handle, int64_t request,
                                      OTF2_IoSeekOption whence, uint64_t result) {
    (void)request, (void)whence;
    DELIVER(.kind = OTF2_EVENT_FILE_SEEK, .handle = handle, .offset = result);
}

static OTF2_CallbackCode on_file_open(EVENT_PARAMETERS, OTF2_IoHandleRef handle,
                                      OTF2_IoAccessMode mode, OTF2_IoCreationFlag creation,
                                      OTF2_IoStatusFlag flags) {
    (void)mode, (void)creation, (void)flags;
    DELIVER(.kind = OTF2_EVENT_FILE_SEEK, .handle = handle, .offset = 0);
}

static OTF2_CallbackCode on_recording(EVENT_PARAMETERS, OTF2_MeasurementMode mode) {
    DELIVER(.kind =
                mode == OTF2_MEASUREMENT_ON ? OTF2_EVENT_RECORDING_ON : OTF2_EVENT_RECORDING_OFF);
}

static OTF2_CallbackCode on_flush(EVENT_PARAMETERS, OTF2_TimeStamp stop) {
    DELIVER(.kind = OTF2_EVENT_FLUSH, .stop_ticks = stop);
}

static OTF2_CallbackCode on_context_enter(EVENT_PARAMETERS, OTF2_CallingContextRef callee,
                                          uint32_t unwind_distance) {
    (void)callee, (void)unwind_distance;
    DELIVER(.kind = OTF2_EVENT_CALLING_CONTEXT);
}

static OTF2_CallbackCode on_program_begin(EVENT_PARAMETERS, OTF2_StringRef name,
                                          uint32_t argument_count,
                                          const OTF2_StringRef *arguments) {
    (void)name, (void)argument_count, (void)arguments;
    DELIVER(.kind = OTF2_EVENT_OTHER);
}

static OTF2_CallbackCode on_program_end(EVENT_PARAMETERS, int64_t exit_status) {
    (void)exit_status;
    DELIVER(.kind = OTF2_EVENT_OTHER);
}

static OTF2_CallbackCode on_thread(EVENT_PARAMETERS, OTF2_CommRef contingent, uint64_t sequence) {
    (void)contingent, (void)sequence;
    DELIVER(.kind = OTF2_EVENT_OTHER);
}

static OTF2_CallbackCode on_team(EVENT_PARAMETERS, OTF2_CommRef team) {
    (void)team;
    DELIVER(.kind = OTF2_EVENT_OTHER);
}

OTF2_EvtReaderCallbacks *otf2_reader_event_callbacks(void) {
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    if (callbacks == NULL) return NULL;
#define ON(event, function) OTF2_EvtReaderCallbacks_Set##event##Callback(callbacks, function)
    ON(Enter, on_enter);
    ON(Leave, on_leave);
    ON(MpiSend, on_send);
    ON(MpiIsend, on_isend);
    ON(MpiIsendComplete, on_isend_complete);
    ON(MpiIrecvRequest, on_irecv_request);
    ON(MpiRecv, on_recv);
    ON(MpiIrecv, on_irecv);
    ON(MpiRequestCancelled, on_cancelled);
    ON(MpiCollectiveEnd, on_collective);
    ON(NonBlockingCollectiveRequest, on_collective_request);
    ON(NonBlockingCollectiveComplete, on_collective_done);
    ON(RmaPut, on_put);
    ON(RmaGet, on_get);
    ON(RmaAtomic, on_atomic);
    ON(RmaOpCompleteBlocking, on_rma_done);
    ON(RmaOpCompleteNonBlocking, on_rma_done);
    ON(RmaOpCompleteRemote, on_rma_done);
    ON(RmaCollectiveEnd, on_window_collective);
    ON(RmaGroupSync, on_group_sync);
    ON(RmaRequestLock, on_lock);
    ON(RmaAcquireLock, on_locked);
    ON(RmaReleaseLock, on_unlock);
    ON(IoOperationBegin, on_file_begin);
    ON(IoOperationComplete, on_file_done);
    ON(IoSeek, on_file_seek);
    ON(IoCreateHandle, on_file_open);
    ON(MeasurementOnOff, on_recording);
    ON(BufferFlush, on_flush);
    ON(CallingContextEnter, on_context_enter);
    ON(ProgramBegin, on_program_begin);
    ON(ProgramEnd, on_program_end);
    ON(ThreadBegin, on_thread);
    ON(ThreadEnd, on_thread);
    ON(ThreadTeamBegin, on_team);
    ON(ThreadTeamEnd, on_team);
#undef ON
    return callbacks;
}
