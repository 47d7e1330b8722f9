/*
 * Implements otf2_reader.h with the OTF2 library: opens an archive and the files of a location.
 * Must not know ranks or MPI semantics.
 *
 * Invariant: the library is silenced before its first call. The reader itself reports each fault
 * once, with the file in which it happened.
 */
#include "traces/otf2/otf2_properties.h"
#include "traces/otf2/otf2_reader_parts.h"

#include "core/memory/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Ignores a message of the library, which would otherwise print several lines for one fault. */
static OTF2_ErrorCode swallow(void *context, const char *file, uint64_t line, const char *function,
                              OTF2_ErrorCode code, const char *format, va_list arguments) {
    (void)context, (void)file, (void)line, (void)function, (void)format, (void)arguments;
    return code;
}

static void silence_library(void) {
    OTF2_Error_RegisterCallback(swallow, NULL);
}

/* Returns whether as much memory is free as all records of a file can need. With a damaged count
 * the library asks for far more, and reports the same error as when memory is short. */
static bool has_room_for_file(const char *stem, const char *suffix) {
    /* The library reads chunks of up to 16 MiB. A byte of the file takes at most 16 bytes of
     * memory. */
    const uint64_t chunks_bytes = (uint64_t)64 << 20;
    char path[PATH_MAX];
    struct stat file;
    const int length = snprintf(path, sizeof path, "%s%s", stem, suffix);
    if (length < 0 || (size_t)length >= sizeof path || stat(path, &file) != 0) return false;
    const uint64_t bytes = (uint64_t)file.st_size * 16 + chunks_bytes;
    void *volatile room = bytes < SIZE_MAX ? malloc((size_t)bytes) : NULL; /* volatile: as below */
    free(room);
    return room != NULL;
}

status_code otf2_reader_set_damaged(const struct otf2_reader *reader, const char *suffix,
                                    OTF2_ErrorCode code, struct status *status) {
    if (errno == ENOMEM || code == OTF2_ERROR_ENOMEM || code == OTF2_ERROR_MEM_ALLOC_FAILED) {
        RETURN_ERROR_IF(!has_room_for_file(reader->stem, suffix), status, STATUS_MEMORY,
                        "%s%s: out of memory for reading it", reader->stem, suffix);
        return status_set(status, STATUS_INPUT,
                          "%s%s: damaged: a record claims more than the file can hold; copy or "
                          "record the trace again",
                          reader->stem, suffix);
    }
    return status_set(status, STATUS_INPUT,
                      "%s%s: damaged or cut short; copy or record the trace again (OTF2: %s)",
                      reader->stem, suffix, OTF2_Error_GetDescription(code));
}

status_code otf2_reader_set_not_opened(const struct otf2_reader *reader, const char *suffix,
                                       struct status *status) {
    const int reason = errno;
    RETURN_ERROR_IF(reason == ENOMEM, status, STATUS_MEMORY, "%s%s: out of memory for reading it",
                    reader->stem, suffix);
    return status_set(status, STATUS_INPUT,
                      "%s%s: the OTF2 library cannot open it (damaged, or too many open files?)",
                      reader->stem, suffix);
}

/* ---- opening ---- */

/* While libotf2 3.0 reads an anchor file it does not check all of its small allocations. So
 * this much must be free before. */
#define OPENING_BYTES ((size_t)1 << 20)

static bool has_room_to_open(void) {
    void *volatile room = malloc(OPENING_BYTES); /* volatile: the compiler may not leave it out */
    free(room);
    return room != NULL;
}

static status_code open_archive(struct otf2_reader *reader, const char *anchor_path,
                                struct status *status) {
    FORWARD_IF_ERROR(memory_copy_text(&reader->anchor_path, anchor_path, status));
    FORWARD_IF_ERROR(memory_copy_text(&reader->stem, anchor_path, status));
    size_t length = strlen(anchor_path);
    RETURN_ERROR_IF(
        length < 5 || strcmp(anchor_path + length - 5, ".otf2") != 0, status, STATUS_INPUT,
        "%s: not an OTF2 anchor file (NAME.otf2), a program file, a recording or a schedule in "
        "GOAL; name the file of a trace",
        anchor_path);
    reader->stem[length - 5] = '\0';
    FORWARD_IF_ERROR(otf2_layout_read(&reader->layout, anchor_path, status));
    RETURN_ERROR_IF(!has_room_to_open(), status, STATUS_MEMORY, "%s: out of memory for reading it",
                    anchor_path);
    errno = 0;
    reader->handle = OTF2_Reader_Open(anchor_path);
    RETURN_ERROR_IF(reader->handle == NULL && errno == ENOMEM, status, STATUS_MEMORY,
                    "%s: out of memory for reading it", anchor_path);
    RETURN_ERROR_IF(
        reader->handle == NULL, status, STATUS_INPUT,
        "%s: not an OTF2 anchor file, damaged, or of a newer version than this OTF2 library reads; "
        "copy or record the trace again",
        anchor_path);
    char *property = NULL;
    reader->states_in_place =
        OTF2_Reader_GetProperty(reader->handle, OTF2_IN_PLACE_PROPERTY, &property) == OTF2_SUCCESS;
    free(property);
    OTF2_ErrorCode code = OTF2_Reader_SetSerialCollectiveCallbacks(reader->handle);
    return code == OTF2_SUCCESS ? STATUS_OK
                                : otf2_reader_set_damaged(reader, ".otf2", code, status);
}

/* Returns the path of a file, which the caller frees; NULL: out of memory. */
static char *path_of(const struct otf2_reader *reader, const char *suffix) {
    const size_t size = strlen(reader->stem) + strlen(suffix) + 1;
    char *path = malloc(size);
    if (path != NULL) snprintf(path, size, "%s%s", reader->stem, suffix);
    return path;
}

status_code otf2_reader_check(struct otf2_reader *reader, const char *suffix, bool is_events,
                              bool *has_records, struct status *status) {
    char *path = path_of(reader, suffix);
    RETURN_ERROR_IF(path == NULL, status, STATUS_MEMORY, "out of memory for a path");
    status_code code = otf2_layout_check(&reader->layout, path, is_events, has_records, status);
    free(path);
    return code;
}

struct otf2_reader *otf2_reader_open(const char *anchor_path, struct status *status) {
    static pthread_once_t silenced = PTHREAD_ONCE_INIT;
    pthread_once(&silenced, silence_library);
    struct otf2_reader *reader = memory_new(1, sizeof *reader);
    if (reader == NULL) {
        status_set(status, STATUS_MEMORY, "out of memory for an OTF2 reader");
        return NULL;
    }
    reader->offset_attribute = OTF2_NOT_DEFINED;
    if (open_archive(reader, anchor_path, status) == STATUS_OK) return reader;
    otf2_reader_close(reader);
    return NULL;
}

void otf2_reader_close(struct otf2_reader *reader) {
    if (reader == NULL) return;
    if (reader->handle != NULL) OTF2_Reader_Close(reader->handle);
    otf2_layout_clear(&reader->layout);
    free(reader->clock.lines);
    free(reader->anchor_path);
    free(reader->stem);
    free(reader);
}

bool otf2_reader_states_in_place(const struct otf2_reader *reader) {
    return reader->states_in_place;
}

void otf2_reader_use_offset_attribute(struct otf2_reader *reader, uint32_t attribute) {
    reader->offset_attribute = attribute;
}

/* ---- locations ---- */

/* Notes the tables of ids that otf2_reader_records.c needs. They stay until the archive is closed.
 */
static OTF2_CallbackCode on_mapping_table(void *context, OTF2_MappingType type,
                                          const OTF2_IdMap *map) {
    struct otf2_reader *reader = context;
    if (type == OTF2_MAPPING_REGION) reader->region_ids = map;
    if (type == OTF2_MAPPING_COMM) reader->communicator_ids = map;
    if (type == OTF2_MAPPING_RMA_WIN) reader->window_ids = map;
    if (type == OTF2_MAPPING_GROUP) reader->group_ids = map;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_ErrorCode register_tables(struct otf2_reader *reader, OTF2_DefReader *local) {
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();
    if (callbacks == NULL) return OTF2_ERROR_MEM_FAULT;
    OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_mapping_table);
    otf2_reader_watch_clock(callbacks);
    OTF2_ErrorCode code =
        OTF2_Reader_RegisterDefCallbacks(reader->handle, local, callbacks, reader);
    OTF2_DefReaderCallbacks_Delete(callbacks);
    return code;
}

static status_code read_tables(struct otf2_reader *reader, uint64_t location,
                               struct status *status) {
    char suffix[32];
    snprintf(suffix, sizeof suffix, "/%" PRIu64 ".def", location);
    bool has_records;
    FORWARD_IF_ERROR(otf2_reader_check(reader, suffix, false, &has_records, status));
    if (!has_records) return STATUS_OK; /* no ids to map and no clock to correct */
    errno = 0;
    OTF2_DefReader *local = OTF2_Reader_GetDefReader(reader->handle, location);
    if (local == NULL) return otf2_reader_set_not_opened(reader, suffix, status);
    uint64_t read;
    OTF2_ErrorCode code = register_tables(reader, local);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllLocalDefinitions(reader->handle, local, &read);
    OTF2_Reader_CloseDefReader(reader->handle, local);
    if (code == OTF2_ERROR_INTERRUPTED_BY_CALLBACK) return reader->code;
    return code == OTF2_SUCCESS ? STATUS_OK : otf2_reader_set_damaged(reader, suffix, code, status);
}

static status_code read_by_library(struct otf2_reader *reader, uint64_t location,
                                   const char *suffix, uint64_t *event_count,
                                   struct status *status) {
    errno = 0;
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader->handle, location);
    if (events == NULL) return otf2_reader_set_not_opened(reader, suffix, status);
    OTF2_ErrorCode code = OTF2_ERROR_MEM_FAULT;
    OTF2_EvtReaderCallbacks *callbacks = otf2_reader_event_callbacks();
    if (callbacks != NULL) {
        code = OTF2_Reader_RegisterEvtCallbacks(reader->handle, events, callbacks, reader);
        OTF2_EvtReaderCallbacks_Delete(callbacks);
    }
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllLocalEvents(reader->handle, events, event_count);
    OTF2_Reader_CloseEvtReader(reader->handle, events);
    if (code == OTF2_SUCCESS) return STATUS_OK;
    if (code == OTF2_ERROR_INTERRUPTED_BY_CALLBACK) return reader->code;
    return otf2_reader_set_damaged(reader, suffix, code, status);
}

static status_code read_events(struct otf2_reader *reader, uint64_t location, uint64_t *event_count,
                               struct status *status) {
    char suffix[32];
    snprintf(suffix, sizeof suffix, "/%" PRIu64 ".evt", location);
    bool has_records, is_whole;
    char *path = path_of(reader, suffix);
    RETURN_ERROR_IF(path == NULL, status, STATUS_MEMORY, "out of memory for a path");
    const status_code code = otf2_reader_read_records(reader, path, event_count, &is_whole, status);
    free(path);
    reader->skipped = *event_count;
    if (is_whole) return STATUS_OK;
    /* That a file is damaged explains other faults, too, and the library needs a sound one. */
    const status_code checked = otf2_reader_check(reader, suffix, true, &has_records, status);
    reader->is_damaged = checked != STATUS_OK;
    if (checked != STATUS_OK || code != STATUS_OK) return checked != STATUS_OK ? checked : code;
    return read_by_library(reader, location, suffix, event_count, status);
}

bool otf2_reader_is_damaged(const struct otf2_reader *reader) {
    return reader->is_damaged;
}

bool otf2_reader_has_events(const struct otf2_reader *reader, uint64_t location) {
    char suffix[32];
    snprintf(suffix, sizeof suffix, "/%" PRIu64 ".evt", location);
    char *path = path_of(reader, suffix);
    if (path == NULL) return true;
    bool exists = access(path, F_OK) == 0;
    free(path);
    return exists;
}

status_code otf2_reader_read_events(struct otf2_reader *reader, uint64_t location,
                                    otf2_event_sink sink, void *context, uint64_t *event_count,
                                    struct status *status) {
    reader->sink = sink;
    reader->context = context;
    reader->status = status;
    reader->region_ids = reader->communicator_ids = NULL;
    reader->window_ids = reader->group_ids = NULL;
    reader->skipped = 0;
    reader->is_damaged = false;
    otf2_reader_clock_reset(reader);
    *event_count = 0;
    errno = 0;
    OTF2_ErrorCode code = OTF2_Reader_SelectLocation(reader->handle, location);
    if (code == OTF2_SUCCESS) code = OTF2_Reader_OpenDefFiles(reader->handle);
    if (code != OTF2_SUCCESS) return otf2_reader_set_damaged(reader, ".otf2", code, status);
    status_code result = read_tables(reader, location, status);
    OTF2_Reader_CloseDefFiles(reader->handle);
    if (result != STATUS_OK) return result;
    code = OTF2_Reader_OpenEvtFiles(reader->handle);
    if (code != OTF2_SUCCESS) return otf2_reader_set_damaged(reader, ".otf2", code, status);
    result = read_events(reader, location, event_count, status);
    OTF2_Reader_CloseEvtFiles(reader->handle);
    return result;
}
