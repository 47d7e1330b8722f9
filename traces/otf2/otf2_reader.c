/*
 * The OTF2 library behind otf2_reader.h. Must not know ranks or MPI semantics.
 *
 * Invariant: the library is silenced before its first call; what went wrong is said once, by us,
 * with the file it happened in.
 */
#include "traces/otf2/otf2_reader.h"
#include "core/memory.h"
#include "traces/otf2/otf2_layout.h"

#include <otf2/otf2.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct otf2_reader {
    OTF2_Reader *handle;
    char *anchor_path;
    otf2_layout layout;
    char *stem; /* anchor_path without ".otf2": where the other files are */
    /* While definitions or events are being delivered: */
    otf2_definitions *definitions;
    otf2_event_sink sink;
    void *context;
    status *status;
    status_code code; /* what the last definition or event was answered with */
};

/* Of a file that is there and walkable. */
#define CANNOT_OPEN                                                                                \
    "the OTF2 library cannot open it (damaged, out of memory, or too many open files?)"

/* The library prints several lines for one fault unless it is given a function for them. */
static OTF2_ErrorCode swallow(void *context, const char *file, uint64_t line, const char *function,
                              OTF2_ErrorCode code, const char *format, va_list arguments) {
    (void)context, (void)file, (void)line, (void)function, (void)format, (void)arguments;
    return code;
}

static void silence_library(void) {
    OTF2_Error_RegisterCallback(swallow, NULL);
}

static status_code damaged(const otf2_reader *reader, const char *suffix, OTF2_ErrorCode code,
                           status *status) {
    return status_set(status, STATUS_INPUT,
                      "%s%s: damaged or cut short; copy or record the trace again (OTF2: %s)",
                      reader->stem, suffix, OTF2_Error_GetDescription(code));
}

/* ---- opening ---- */

static status_code open_archive(otf2_reader *reader, const char *anchor_path, status *status) {
    FORWARD_IF_ERROR(memory_copy_text(&reader->anchor_path, anchor_path, status));
    FORWARD_IF_ERROR(memory_copy_text(&reader->stem, anchor_path, status));
    size_t length = strlen(anchor_path);
    RETURN_ERROR_IF(length < 5 || strcmp(anchor_path + length - 5, ".otf2") != 0, status,
                    STATUS_INPUT, "%s: not an OTF2 anchor file (NAME.otf2)", anchor_path);
    reader->stem[length - 5] = '\0';
    FORWARD_IF_ERROR(otf2_layout_read(&reader->layout, anchor_path, status));
    reader->handle = OTF2_Reader_Open(anchor_path);
    RETURN_ERROR_IF(reader->handle == NULL, status, STATUS_INPUT,
                    "%s: not an OTF2 anchor file, or damaged or cut short", anchor_path);
    OTF2_ErrorCode code = OTF2_Reader_SetSerialCollectiveCallbacks(reader->handle);
    return code == OTF2_SUCCESS ? STATUS_OK : damaged(reader, ".otf2", code, status);
}

/* Before the library opens it: the file of that suffix must be walkable. */
static status_code check_file(otf2_reader *reader, const char *suffix, bool is_events,
                              bool *has_records, status *status) {
    size_t size = strlen(reader->stem) + strlen(suffix) + 1;
    char *path = malloc(size);
    RETURN_ERROR_IF(path == NULL, status, STATUS_MEMORY, "out of memory for a path");
    snprintf(path, size, "%s%s", reader->stem, suffix);
    status_code code = otf2_layout_check(&reader->layout, path, is_events, has_records, status);
    free(path);
    return code;
}

otf2_reader *otf2_reader_open(const char *anchor_path, status *status) {
    static pthread_once_t silenced = PTHREAD_ONCE_INIT;
    pthread_once(&silenced, silence_library);
    otf2_reader *reader = memory_new(1, sizeof *reader);
    if (reader == NULL) {
        status_set(status, STATUS_MEMORY, "out of memory for an OTF2 reader");
        return NULL;
    }
    if (open_archive(reader, anchor_path, status) == STATUS_OK) return reader;
    otf2_reader_close(reader);
    return NULL;
}

void otf2_reader_close(otf2_reader *reader) {
    if (reader == NULL) return;
    if (reader->handle != NULL) OTF2_Reader_Close(reader->handle);
    otf2_layout_clear(&reader->layout);
    free(reader->anchor_path);
    free(reader->stem);
    free(reader);
}

/* ---- definitions ---- */

static OTF2_CallbackCode answer(otf2_reader *reader, status_code code) {
    reader->code = code;
    return code == STATUS_OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode on_clock(void *context, uint64_t resolution, uint64_t offset,
                                  uint64_t length, uint64_t date) {
    (void)length, (void)date;
    otf2_definitions *definitions = ((otf2_reader *)context)->definitions;
    definitions->ticks_per_second = resolution;
    definitions->global_offset_ticks = offset;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *context, OTF2_StringRef self, const char *text) {
    otf2_reader *reader = context;
    return answer(reader, otf2_definitions_add_string(reader->definitions, self,
                                                      text != NULL ? text : "", reader->status));
}

static OTF2_CallbackCode on_region(void *context, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical_name, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin_line,
                                   uint32_t end_line) {
    (void)canonical_name, (void)description, (void)role, (void)flags, (void)file;
    (void)begin_line, (void)end_line;
    otf2_reader *reader = context;
    otf2_region region = {self, name, paradigm == OTF2_PARADIGM_MPI};
    return answer(reader, otf2_definitions_add_region(reader->definitions, region, reader->status));
}

static OTF2_CallbackCode on_location(void *context, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t event_count,
                                     OTF2_LocationGroupRef process) {
    (void)name, (void)type;
    otf2_reader *reader = context;
    otf2_location location = {self, event_count, process};
    return answer(reader,
                  otf2_definitions_add_location(reader->definitions, location, reader->status));
}

static OTF2_CallbackCode on_group(void *context, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t size, const uint64_t *members) {
    (void)name, (void)flags;
    otf2_reader *reader = context;
    if (paradigm != OTF2_PARADIGM_MPI) return OTF2_CALLBACK_SUCCESS;
    otf2_group_kind kind;
    switch (type) {
    case OTF2_GROUP_TYPE_COMM_LOCATIONS:
        kind = OTF2_GROUP_LOCATIONS;
        break;
    case OTF2_GROUP_TYPE_COMM_GROUP:
        kind = OTF2_GROUP_RANKS;
        break;
    case OTF2_GROUP_TYPE_COMM_SELF:
        kind = OTF2_GROUP_SELF;
        break;
    default:
        return OTF2_CALLBACK_SUCCESS;
    }
    return answer(reader, otf2_definitions_add_group(reader->definitions, self, kind, members, size,
                                                     reader->status));
}

static OTF2_CallbackCode on_communicator(void *context, OTF2_CommRef self, OTF2_StringRef name,
                                         OTF2_GroupRef group, OTF2_CommRef parent,
                                         OTF2_CommFlag flags) {
    (void)parent, (void)flags;
    otf2_reader *reader = context;
    otf2_communicator communicator = {self, name, group, OTF2_NOT_DEFINED};
    return answer(reader, otf2_definitions_add_communicator(reader->definitions, communicator,
                                                            reader->status));
}

static OTF2_CallbackCode on_intercommunicator(void *context, OTF2_CommRef self, OTF2_StringRef name,
                                              OTF2_GroupRef group_a, OTF2_GroupRef group_b,
                                              OTF2_CommRef parent, OTF2_CommFlag flags) {
    (void)parent, (void)flags;
    otf2_reader *reader = context;
    otf2_communicator communicator = {self, name, group_a, group_b};
    return answer(reader, otf2_definitions_add_communicator(reader->definitions, communicator,
                                                            reader->status));
}

static OTF2_CallbackCode on_window(void *context, OTF2_RmaWinRef self, OTF2_StringRef name,
                                   OTF2_CommRef communicator, OTF2_RmaWinFlag flags) {
    (void)name, (void)flags;
    otf2_reader *reader = context;
    otf2_window window = {self, communicator};
    return answer(reader, otf2_definitions_add_window(reader->definitions, window, reader->status));
}

static status_code read_definitions(otf2_reader *reader, OTF2_GlobalDefReader *global,
                                    status *status) {
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    RETURN_ERROR_IF(callbacks == NULL, status, STATUS_MEMORY, "out of memory for OTF2");
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_communicator);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_intercommunicator);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
    OTF2_ErrorCode code =
        OTF2_Reader_RegisterGlobalDefCallbacks(reader->handle, global, callbacks, reader);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    uint64_t read = 0, expected = 0;
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllGlobalDefinitions(reader->handle, global, &read);
    if (code == OTF2_ERROR_INTERRUPTED_BY_CALLBACK) return reader->code;
    if (code != OTF2_SUCCESS) return damaged(reader, ".def", code, status);
    code = OTF2_Reader_GetNumberOfGlobalDefinitions(reader->handle, &expected);
    RETURN_ERROR_IF(code != OTF2_SUCCESS || read != expected, status, STATUS_INPUT,
                    "%s.def: damaged or cut short: %" PRIu64 " definitions instead of the %" PRIu64
                    " that the anchor file announces",
                    reader->stem, read, expected);
    return STATUS_OK;
}

status_code otf2_reader_definitions(otf2_reader *reader, otf2_definitions *definitions,
                                    status *status) {
    *definitions = (otf2_definitions){0};
    reader->definitions = definitions;
    reader->status = status;
    bool has_records;
    FORWARD_IF_ERROR(check_file(reader, ".def", false, &has_records, status));
    OTF2_GlobalDefReader *global = OTF2_Reader_GetGlobalDefReader(reader->handle);
    RETURN_ERROR_IF(global == NULL, status, STATUS_INPUT, "%s.def: " CANNOT_OPEN, reader->stem);
    status_code result = read_definitions(reader, global, status);
    OTF2_Reader_CloseGlobalDefReader(reader->handle, global);
    if (result != STATUS_OK) return result;
    if (OTF2_Reader_GetCreator(reader->handle, &definitions->creator) != OTF2_SUCCESS)
        definitions->creator = NULL;
    return otf2_definitions_finish(definitions, status);
}

/* ---- events ---- */

#define EVENT_PARAMETERS                                                                           \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *context,              \
        OTF2_AttributeList *attributes

/* Positions count from 1. */
#define DELIVER(...)                                                                               \
    do {                                                                                           \
        (void)location, (void)attributes;                                                          \
        otf2_event event = {.number = position - 1, .ticks = time, __VA_ARGS__};                   \
        otf2_reader *reader = context;                                                             \
        return answer(reader, reader->sink(reader->context, &event, reader->status));              \
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

static uint32_t operation_of(OTF2_CollectiveOp operation) {
    switch (operation) {
#define OPERATION(name)                                                                            \
    case OTF2_COLLECTIVE_OP_##name:                                                                \
        return PROGRAM_##name;
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

static uint32_t root_of(uint32_t root) {
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

static OTF2_CallbackCode on_collective(EVENT_PARAMETERS, OTF2_CollectiveOp operation,
                                       OTF2_CommRef communicator, uint32_t root, uint64_t sent,
                                       uint64_t received) {
    DELIVER(.kind = OTF2_EVENT_COLLECTIVE, .communicator = communicator, .root = root_of(root),
            .operation = operation_of(operation), .bytes = sent, .received_bytes = received);
}

static OTF2_CallbackCode on_collective_request(EVENT_PARAMETERS, uint64_t request) {
    DELIVER(.kind = OTF2_EVENT_COLLECTIVE_REQUEST, .request = request);
}

static OTF2_CallbackCode on_collective_done(EVENT_PARAMETERS, OTF2_CollectiveOp operation,
                                            OTF2_CommRef communicator, uint32_t root, uint64_t sent,
                                            uint64_t received, uint64_t request) {
    DELIVER(.kind = OTF2_EVENT_COLLECTIVE_DONE, .communicator = communicator, .root = root_of(root),
            .operation = operation_of(operation), .bytes = sent, .received_bytes = received,
            .request = request);
}

static OTF2_CallbackCode on_put(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t peer,
                                uint64_t bytes, uint64_t matching) {
    DELIVER(.kind = OTF2_EVENT_REMOTE, .window = window, .peer = peer, .tag = OTF2_REMOTE_WRITES,
            .bytes = bytes, .request = matching);
}

static OTF2_CallbackCode on_get(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t peer,
                                uint64_t bytes, uint64_t matching) {
    DELIVER(.kind = OTF2_EVENT_REMOTE, .window = window, .peer = peer, .tag = OTF2_REMOTE_READS,
            .bytes = bytes, .request = matching);
}

static OTF2_CallbackCode on_atomic(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t peer,
                                   OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
                                   uint64_t matching) {
    (void)type;
    DELIVER(.kind = OTF2_EVENT_REMOTE, .window = window, .peer = peer,
            .tag = (received == 0 || sent > 0 ? OTF2_REMOTE_WRITES : 0) |
                   (received > 0 ? OTF2_REMOTE_READS : 0),
            .bytes = sent > received ? sent : received, .request = matching);
}

static OTF2_CallbackCode on_remote_done(EVENT_PARAMETERS, OTF2_RmaWinRef window,
                                        uint64_t matching) {
    DELIVER(.kind = OTF2_EVENT_REMOTE_DONE, .window = window, .request = matching);
}

static OTF2_CallbackCode on_window_collective(EVENT_PARAMETERS, OTF2_CollectiveOp operation,
                                              OTF2_RmaSyncLevel level, OTF2_RmaWinRef window,
                                              uint32_t root, uint64_t sent, uint64_t received) {
    (void)operation, (void)level, (void)root, (void)sent, (void)received;
    DELIVER(.kind = OTF2_EVENT_WINDOW_COLLECTIVE, .window = window);
}

static OTF2_CallbackCode on_group_sync(EVENT_PARAMETERS, OTF2_RmaSyncLevel level,
                                       OTF2_RmaWinRef window, OTF2_GroupRef group) {
    (void)level;
    DELIVER(.kind = OTF2_EVENT_GROUP_SYNC, .window = window, .peer = group);
}

static OTF2_CallbackCode on_lock(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t peer,
                                 uint64_t lock, OTF2_LockType type) {
    (void)lock;
    DELIVER(.kind = OTF2_EVENT_LOCK, .window = window,
            .peer = peer == OTF2_UNDEFINED_UINT32 ? OTF2_ROOT_NONE : peer,
            .tag = type == OTF2_LOCK_EXCLUSIVE);
}

static OTF2_CallbackCode on_unlock(EVENT_PARAMETERS, OTF2_RmaWinRef window, uint32_t peer,
                                   uint64_t lock) {
    (void)lock;
    DELIVER(.kind = OTF2_EVENT_UNLOCK, .window = window,
            .peer = peer == OTF2_UNDEFINED_UINT32 ? OTF2_ROOT_NONE : peer);
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

static OTF2_EvtReaderCallbacks *event_callbacks(void) {
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
    ON(RmaOpCompleteBlocking, on_remote_done);
    ON(RmaOpCompleteNonBlocking, on_remote_done);
    ON(RmaOpCompleteRemote, on_remote_done);
    ON(RmaCollectiveEnd, on_window_collective);
    ON(RmaGroupSync, on_group_sync);
    ON(RmaRequestLock, on_lock);
    ON(RmaReleaseLock, on_unlock);
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

static status_code read_tables(otf2_reader *reader, uint64_t location, status *status) {
    char suffix[32];
    snprintf(suffix, sizeof suffix, "/%" PRIu64 ".def", location);
    bool has_records;
    FORWARD_IF_ERROR(check_file(reader, suffix, false, &has_records, status));
    if (!has_records) return STATUS_OK; /* nothing to map, and no clock to correct */
    OTF2_DefReader *local = OTF2_Reader_GetDefReader(reader->handle, location);
    RETURN_ERROR_IF(local == NULL, status, STATUS_INPUT, "%s%s: " CANNOT_OPEN, reader->stem,
                    suffix);
    uint64_t read;
    OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalDefinitions(reader->handle, local, &read);
    OTF2_Reader_CloseDefReader(reader->handle, local);
    return code == OTF2_SUCCESS ? STATUS_OK : damaged(reader, suffix, code, status);
}

static status_code read_events(otf2_reader *reader, uint64_t location, uint64_t *event_count,
                               status *status) {
    char suffix[32];
    snprintf(suffix, sizeof suffix, "/%" PRIu64 ".evt", location);
    bool has_records;
    FORWARD_IF_ERROR(check_file(reader, suffix, true, &has_records, status));
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader->handle, location);
    RETURN_ERROR_IF(events == NULL, status, STATUS_INPUT, "%s%s: " CANNOT_OPEN, reader->stem,
                    suffix);
    OTF2_ErrorCode code = OTF2_ERROR_MEM_FAULT;
    OTF2_EvtReaderCallbacks *callbacks = event_callbacks();
    if (callbacks != NULL) {
        code = OTF2_Reader_RegisterEvtCallbacks(reader->handle, events, callbacks, reader);
        OTF2_EvtReaderCallbacks_Delete(callbacks);
    }
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllLocalEvents(reader->handle, events, event_count);
    OTF2_Reader_CloseEvtReader(reader->handle, events);
    if (code == OTF2_SUCCESS) return STATUS_OK;
    if (code == OTF2_ERROR_INTERRUPTED_BY_CALLBACK) return reader->code;
    return damaged(reader, suffix, code, status);
}

bool otf2_reader_has_events(const otf2_reader *reader, uint64_t location) {
    size_t size = strlen(reader->stem) + 32;
    char *path = malloc(size);
    if (path == NULL) return true;
    snprintf(path, size, "%s/%" PRIu64 ".evt", reader->stem, location);
    bool exists = access(path, F_OK) == 0;
    free(path);
    return exists;
}

status_code otf2_reader_events(otf2_reader *reader, uint64_t location, otf2_event_sink sink,
                               void *context, uint64_t *event_count, status *status) {
    reader->sink = sink;
    reader->context = context;
    reader->status = status;
    *event_count = 0;
    OTF2_ErrorCode code = OTF2_Reader_SelectLocation(reader->handle, location);
    if (code == OTF2_SUCCESS) code = OTF2_Reader_OpenDefFiles(reader->handle);
    if (code != OTF2_SUCCESS) return damaged(reader, ".otf2", code, status);
    status_code result = read_tables(reader, location, status);
    OTF2_Reader_CloseDefFiles(reader->handle);
    if (result != STATUS_OK) return result;
    code = OTF2_Reader_OpenEvtFiles(reader->handle);
    if (code != OTF2_SUCCESS) return damaged(reader, ".otf2", code, status);
    result = read_events(reader, location, event_count, status);
    OTF2_Reader_CloseEvtFiles(reader->handle);
    return result;
}
