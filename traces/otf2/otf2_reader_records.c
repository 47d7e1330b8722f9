/*
 * Reads the records of event files without the OTF2 library, which takes several times as long.
 * Must not know relations between events. otf2_layout.c describes the files.
 *
 * Invariants: what is delivered is what the library would deliver. Whatever is unusual is left to
 * the library, together with all that follows: other kinds of records, most lists of attributes,
 * the byte order of another computer, and faults. So the library reports all faults. A file that is
 * read to its end would pass otf2_layout_check.
 */
#include "traces/otf2/otf2_reader_parts.h"

#include "core/base/compiler_hints.h"
#include "core/files/input_file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Types of records. */
enum {
    RECORD_CHUNK_END = 0,
    RECORD_FILE_END = 2,
    RECORD_CHUNK_BEGIN = 3,
    RECORD_TIME = 5,
    RECORD_ATTRIBUTES = 6,
    RECORD_BUFFER_FLUSH = 10,
    RECORD_MEASUREMENT_ON_OFF = 11,
    RECORD_ENTER = 12,
    RECORD_LEAVE = 13,
    RECORD_MPI_SEND = 14,
    RECORD_MPI_ISEND = 15,
    RECORD_MPI_ISEND_COMPLETE = 16,
    RECORD_MPI_IRECV_REQUEST = 17,
    RECORD_MPI_RECV = 18,
    RECORD_MPI_IRECV = 19,
    RECORD_MPI_REQUEST_CANCELLED = 21,
    RECORD_MPI_COLLECTIVE_BEGIN = 22,
    RECORD_MPI_COLLECTIVE_END = 23,
    RECORD_METRIC = 31,
    RECORD_PARAMETER_STRING = 32,
    RECORD_PARAMETER_INT = 33,
    RECORD_PARAMETER_UNSIGNED_INT = 34,
    RECORD_RMA_WIN_CREATE = 35,
    RECORD_RMA_WIN_DESTROY = 36,
    RECORD_RMA_COLLECTIVE_BEGIN = 37,
    RECORD_RMA_COLLECTIVE_END = 38,
    RECORD_RMA_GROUP_SYNC = 39,
    RECORD_RMA_REQUEST_LOCK = 40,
    RECORD_RMA_ACQUIRE_LOCK = 41,
    RECORD_RMA_RELEASE_LOCK = 43,
    RECORD_RMA_PUT = 46,
    RECORD_RMA_GET = 47,
    RECORD_RMA_ATOMIC = 48,
    RECORD_RMA_COMPLETE_BLOCKING = 49,
    RECORD_RMA_COMPLETE_NON_BLOCKING = 50,
    RECORD_RMA_COMPLETE_REMOTE = 52,
    RECORD_THREAD_FORK = 53,
    RECORD_THREAD_JOIN = 54,
    RECORD_THREAD_TEAM_BEGIN = 55,
    RECORD_THREAD_TEAM_END = 56,
    RECORD_THREAD_ACQUIRE_LOCK = 57,
    RECORD_THREAD_RELEASE_LOCK = 58,
    RECORD_THREAD_TASK_CREATE = 59,
    RECORD_THREAD_TASK_SWITCH = 60,
    RECORD_THREAD_TASK_COMPLETE = 61,
    RECORD_THREAD_CREATE = 62,
    RECORD_THREAD_BEGIN = 63,
    RECORD_THREAD_WAIT = 64,
    RECORD_THREAD_END = 65,
    RECORD_PROGRAM_BEGIN = 83,
    RECORD_PROGRAM_END = 84,
    RECORD_COLLECTIVE_REQUEST = 85,
    RECORD_COLLECTIVE_COMPLETE = 86,
    RECORD_COMM_CREATE = 87,
    RECORD_COMM_DESTROY = 88
};

enum {
    HEADER_BYTES = 18,
    LITTLE_ENDIAN_MARK = 'B',
    LONG = 255,
    NUMBER_BYTES_MAX = 9,
    TIME_BYTES = 9
};

/* A record has at most six numbers, and a time stamp may stand before it. */
static_assert(TIME_BYTES + 2 + 6 * NUMBER_BYTES_MAX <= OTF2_LAYOUT_SLACK_BYTES,
              "what is read before its end is checked lies in the buffer");

/* The state while a file is read. */
struct record_reader {
    struct otf2_reader *reader;
    const uint8_t *at;  /* the next record */
    const uint8_t *end; /* of the chunk */
    uint64_t time;      /* the last time stamp, not corrected */
    uint64_t count;     /* records so far, as the library counts them */
    bool has_attributes;
    bool is_usual; /* false: the library must read what follows */
};

/* Takes a number: its size, which is at most max_bytes, and as many bytes, the lowest first; or
 * only 255 for a number with all bits set. */
static inline uint64_t take_number(struct record_reader *records, unsigned max_bytes) {
    static const uint64_t masks[] = {0,          0xFF,         0xFFFF,         0xFFFFFF,
                                     UINT32_MAX, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF,
                                     UINT64_MAX};
    const unsigned size = *records->at++;
    uint64_t word;
    memcpy(&word, records->at, sizeof word);
    if (HINT_UNLIKELY(size > max_bytes)) {
        records->is_usual &= size == LONG;
        return masks[max_bytes];
    }
    records->at += size;
    return word & masks[size];
}

static inline uint32_t take_small(struct record_reader *records) {
    return (uint32_t)take_number(records, 4);
}

static inline uint64_t take_large(struct record_reader *records) {
    return take_number(records, 8);
}

/* Takes the type and the length of a record. Returns where the record ends. */
static inline const uint8_t *begin(struct record_reader *records) {
    const uint8_t length = records->at[1];
    records->at += 2;
    records->is_usual &= length != LONG && length < records->end - records->at;
    return records->at + length;
}

/* Takes what follows the known numbers of a record, which newer versions of OTF2 may add. */
static inline void finish(struct record_reader *records, const uint8_t *end) {
    records->is_usual &= records->at <= end;
    records->at = end;
}

/* Takes the type of a record without a length; its only number follows. */
static inline void begin_single(struct record_reader *records) {
    records->at++;
}

static inline void finish_single(struct record_reader *records) {
    records->is_usual &= records->at < records->end;
}

/* Takes a list of one attribute that is a number of 64 bits, such as the id of the process. */
static void take_attributes(struct record_reader *records) {
    enum { UINT64_TYPE = 4 };
    records->is_usual &= !records->has_attributes;
    const uint8_t *end = begin(records);
    records->is_usual &= take_small(records) == 1;
    (void)take_small(records); /* the attribute */
    records->is_usual &= *records->at++ == UINT64_TYPE;
    (void)take_large(records);
    records->is_usual &= records->at == end;
    records->has_attributes = true;
}

/* Takes the beginning of a program: its name and its arguments. */
static void take_program(struct record_reader *records) {
    const uint8_t *end = begin(records);
    (void)take_small(records);
    uint32_t arguments = take_small(records);
    for (; arguments > 0 && records->is_usual && records->at < end; arguments--)
        (void)take_small(records);
    records->is_usual &= arguments == 0;
    finish(records, end);
}

/* Takes values of metrics: their number, their types, and themselves. */
static void take_metric(struct record_reader *records) {
    const uint8_t *end = begin(records);
    (void)take_small(records);
    unsigned values = *records->at++;
    records->is_usual &= values <= end - records->at;
    if (records->is_usual) records->at += values;
    for (; values > 0 && records->is_usual && records->at < end; values--)
        (void)take_large(records);
    records->is_usual &= values == 0;
    finish(records, end);
}

/* Takes a flush. Returns the time at which it ended. */
static uint64_t take_flush(struct record_reader *records) {
    uint64_t stop;
    const uint8_t *end = begin(records);
    memcpy(&stop, records->at, sizeof stop);
    records->at += sizeof stop;
    finish(records, end);
    return stop;
}

static inline uint32_t mapped(const OTF2_IdMap *map, uint32_t id) {
    uint64_t global = id;
    if (map == NULL || OTF2_IdMap_GetGlobalId(map, id, &global) != OTF2_SUCCESS) return id;
    return (uint32_t)global;
}

static inline uint32_t take_communicator(struct record_reader *records) {
    return mapped(records->reader->communicator_ids, take_small(records));
}

static inline uint32_t take_window(struct record_reader *records) {
    return mapped(records->reader->window_ids, take_small(records));
}

static inline void take_region(struct record_reader *records, struct otf2_event *event,
                               otf2_event_kind kind) {
    event->kind = (uint16_t)kind;
    begin_single(records);
    event->region = mapped(records->reader->region_ids, take_small(records));
    finish_single(records);
}

static inline void take_request(struct record_reader *records, struct otf2_event *event,
                                otf2_event_kind kind) {
    event->kind = (uint16_t)kind;
    begin_single(records);
    event->request = take_large(records);
    finish_single(records);
}

static inline void take_message(struct record_reader *records, struct otf2_event *event,
                                otf2_event_kind kind, bool has_request) {
    event->kind = (uint16_t)kind;
    const uint8_t *end = begin(records);
    event->peer = take_small(records);
    event->communicator = take_communicator(records);
    event->tag = take_small(records);
    event->bytes = take_large(records);
    if (has_request) event->request = take_large(records);
    finish(records, end);
}

static void take_collective(struct record_reader *records, struct otf2_event *event,
                            otf2_event_kind kind, bool has_request) {
    event->kind = (uint16_t)kind;
    event->in_place = records->reader->states_in_place ? OTF2_IN_PLACE_NO : OTF2_IN_PLACE_UNKNOWN;
    records->is_usual &= !records->has_attributes; /* it may be MPI_IN_PLACE */
    const uint8_t *end = begin(records);
    event->operation = otf2_reader_operation(*records->at++);
    event->communicator = take_communicator(records);
    event->root = otf2_reader_root(take_small(records));
    event->bytes = take_large(records);
    event->received_bytes = take_large(records);
    if (has_request) event->request = take_large(records);
    finish(records, end);
}

static void take_collective_request(struct record_reader *records, struct otf2_event *event) {
    event->kind = OTF2_EVENT_COLLECTIVE_REQUEST;
    const uint8_t *end = begin(records);
    event->request = take_large(records);
    finish(records, end);
}

static void take_mode(struct record_reader *records, struct otf2_event *event) {
    const uint8_t *end = begin(records);
    event->kind =
        *records->at++ == OTF2_MEASUREMENT_ON ? OTF2_EVENT_RECORDING_ON : OTF2_EVENT_RECORDING_OFF;
    finish(records, end);
}

/* ---- windows ---- */

static void take_rma(struct record_reader *records, struct otf2_event *event, uint32_t flags) {
    event->kind = OTF2_EVENT_RMA;
    event->flags = flags;
    const uint8_t *end = begin(records);
    event->window = take_window(records);
    event->peer = take_small(records);
    event->bytes = take_large(records);
    event->request = take_large(records);
    finish(records, end);
}

static void take_atomic(struct record_reader *records, struct otf2_event *event) {
    event->kind = OTF2_EVENT_RMA;
    const uint8_t *end = begin(records);
    event->window = take_window(records);
    event->peer = take_small(records);
    records->at++; /* which operation it is */
    const uint64_t sent = take_large(records), received = take_large(records);
    event->flags = otf2_reader_atomic_flags(sent, received);
    event->bytes = sent > received ? sent : received;
    event->request = take_large(records);
    finish(records, end);
}

static void take_rma_done(struct record_reader *records, struct otf2_event *event) {
    event->kind = OTF2_EVENT_RMA_DONE;
    const uint8_t *end = begin(records);
    event->window = take_window(records);
    event->request = take_large(records);
    finish(records, end);
}

static void take_window_collective(struct record_reader *records, struct otf2_event *event) {
    event->kind = OTF2_EVENT_WINDOW_COLLECTIVE;
    const uint8_t *end = begin(records);
    records->at++;             /* the operation */
    (void)take_small(records); /* what it synchronises */
    event->window = take_window(records);
    (void)take_small(records);
    (void)take_large(records);
    (void)take_large(records);
    finish(records, end);
}

static void take_group_sync(struct record_reader *records, struct otf2_event *event) {
    event->kind = OTF2_EVENT_GROUP_SYNC;
    const uint8_t *end = begin(records);
    event->synchronises = take_small(records) != OTF2_RMA_SYNC_LEVEL_NONE;
    event->window = take_window(records);
    event->group = mapped(records->reader->group_ids, take_small(records));
    finish(records, end);
}

static void take_lock(struct record_reader *records, struct otf2_event *event,
                      otf2_event_kind kind) {
    event->kind = (uint16_t)kind;
    const uint8_t *end = begin(records);
    event->window = take_window(records);
    event->peer = take_small(records); /* all bits set: OTF2_ROOT_NONE */
    (void)take_large(records);
    if (kind != OTF2_EVENT_UNLOCK) event->is_exclusive = *records->at++ == OTF2_LOCK_EXCLUSIVE;
    finish(records, end);
}

/* Takes a record of a window. Returns false if it is none. */
static bool take_window_event(struct record_reader *records, struct otf2_event *event) {
    switch (*records->at) {
    case RECORD_RMA_PUT:
        take_rma(records, event, OTF2_RMA_WRITES);
        return true;
    case RECORD_RMA_GET:
        take_rma(records, event, OTF2_RMA_READS);
        return true;
    case RECORD_RMA_ATOMIC:
        take_atomic(records, event);
        return true;
    case RECORD_RMA_COMPLETE_BLOCKING:
    case RECORD_RMA_COMPLETE_NON_BLOCKING:
    case RECORD_RMA_COMPLETE_REMOTE:
        take_rma_done(records, event);
        return true;
    case RECORD_RMA_COLLECTIVE_END:
        take_window_collective(records, event);
        return true;
    case RECORD_RMA_GROUP_SYNC:
        take_group_sync(records, event);
        return true;
    case RECORD_RMA_REQUEST_LOCK:
        take_lock(records, event, OTF2_EVENT_LOCK);
        return true;
    case RECORD_RMA_ACQUIRE_LOCK:
        take_lock(records, event, OTF2_EVENT_LOCKED);
        return true;
    case RECORD_RMA_RELEASE_LOCK:
        take_lock(records, event, OTF2_EVENT_UNLOCK);
        return true;
    default:
        return false;
    }
}

/* ---- records whose numbers do not matter ---- */

/* What such a record has: bytes, and then small and large numbers. */
static const struct {
    bool is_known, is_delivered;
    uint8_t bytes, small, large;
} others[] = {
    [RECORD_PROGRAM_END] = {true, true, 0, 0, 1},
    [RECORD_THREAD_TEAM_BEGIN] = {true, true, 0, 1, 0},
    [RECORD_THREAD_TEAM_END] = {true, true, 0, 1, 0},
    [RECORD_THREAD_BEGIN] = {true, true, 0, 1, 1},
    [RECORD_THREAD_END] = {true, true, 0, 1, 1},
    [RECORD_THREAD_CREATE] = {true, false, 0, 1, 1},
    [RECORD_THREAD_WAIT] = {true, false, 0, 1, 1},
    [RECORD_PARAMETER_INT] = {true, false, 0, 1, 1},
    [RECORD_PARAMETER_UNSIGNED_INT] = {true, false, 0, 1, 1},
    [RECORD_PARAMETER_STRING] = {true, false, 0, 2, 0},
    [RECORD_THREAD_ACQUIRE_LOCK] = {true, false, 1, 2, 0},
    [RECORD_THREAD_RELEASE_LOCK] = {true, false, 1, 2, 0},
    [RECORD_THREAD_TASK_CREATE] = {true, false, 0, 3, 0},
    [RECORD_THREAD_TASK_SWITCH] = {true, false, 0, 3, 0},
    [RECORD_THREAD_TASK_COMPLETE] = {true, false, 0, 3, 0},
    [RECORD_THREAD_FORK] = {true, false, 1, 1, 0},
    [RECORD_THREAD_JOIN] = {true, false, 1, 0, 0},
    [RECORD_MPI_COLLECTIVE_BEGIN] = {true, false, 0, 0, 0},
    [RECORD_RMA_COLLECTIVE_BEGIN] = {true, false, 0, 0, 0},
    [RECORD_COMM_CREATE] = {true, false, 0, 1, 0},
    [RECORD_COMM_DESTROY] = {true, false, 0, 1, 0},
    [RECORD_RMA_WIN_CREATE] = {true, false, 0, 1, 0},
    [RECORD_RMA_WIN_DESTROY] = {true, false, 0, 1, 0},
};

/* Takes a record of this table; any other record is unusual. Returns false if it is not delivered.
 */
static bool take_other(struct record_reader *records, struct otf2_event *event) {
    const unsigned type = *records->at;
    if (type >= sizeof others / sizeof *others || !others[type].is_known) {
        records->is_usual = false;
        return false;
    }
    event->kind = OTF2_EVENT_OTHER;
    const uint8_t *end = begin(records);
    records->at += others[type].bytes;
    for (unsigned i = 0; i < others[type].small; i++)
        (void)take_small(records);
    for (unsigned i = 0; i < others[type].large; i++)
        (void)take_large(records);
    finish(records, end);
    return others[type].is_delivered;
}

/* ---- all records ---- */

/* Takes a record and describes it. Returns false if it is not delivered. */
static inline bool take_event(struct record_reader *records, struct otf2_event *event) {
    switch (*records->at) {
    case RECORD_ENTER:
        take_region(records, event, OTF2_EVENT_ENTER);
        return true;
    case RECORD_LEAVE:
        take_region(records, event, OTF2_EVENT_LEAVE);
        return true;
    case RECORD_MPI_SEND:
        take_message(records, event, OTF2_EVENT_SEND, false);
        return true;
    case RECORD_MPI_ISEND:
        take_message(records, event, OTF2_EVENT_ISEND, true);
        return true;
    case RECORD_MPI_ISEND_COMPLETE:
        take_request(records, event, OTF2_EVENT_ISEND_COMPLETE);
        return true;
    case RECORD_MPI_IRECV_REQUEST:
        take_request(records, event, OTF2_EVENT_IRECV_REQUEST);
        return true;
    case RECORD_MPI_RECV:
        take_message(records, event, OTF2_EVENT_RECV, false);
        return true;
    case RECORD_MPI_IRECV:
        take_message(records, event, OTF2_EVENT_IRECV, true);
        return true;
    case RECORD_MPI_REQUEST_CANCELLED:
        take_request(records, event, OTF2_EVENT_CANCELLED);
        return true;
    case RECORD_MPI_COLLECTIVE_END:
        take_collective(records, event, OTF2_EVENT_COLLECTIVE, false);
        return true;
    case RECORD_COLLECTIVE_COMPLETE:
        take_collective(records, event, OTF2_EVENT_COLLECTIVE_DONE, true);
        return true;
    case RECORD_COLLECTIVE_REQUEST:
        take_collective_request(records, event);
        return true;
    case RECORD_MEASUREMENT_ON_OFF:
        take_mode(records, event);
        return true;
    case RECORD_BUFFER_FLUSH:
        event->kind = OTF2_EVENT_FLUSH;
        event->stop_ticks = otf2_reader_corrected(records->reader, take_flush(records));
        return true;
    case RECORD_PROGRAM_BEGIN:
        event->kind = OTF2_EVENT_OTHER;
        take_program(records);
        return true;
    case RECORD_METRIC:
        take_metric(records);
        return false;
    default:
        return take_window_event(records, event) || take_other(records, event);
    }
}

/* Takes what is no event. Returns true if no event follows in the chunk, or an unusual one.
 * *is_last as for read_chunk. */
static HINT_RARE bool take_between(struct record_reader *records, bool *is_last) {
    switch (*records->at) {
    case RECORD_ATTRIBUTES:
        take_attributes(records);
        return !records->is_usual;
    case RECORD_CHUNK_END:
        return true;
    case RECORD_FILE_END:
        *is_last = true;
        records->is_usual = records->at[1] == 1;
        return true;
    default:
        records->is_usual = false;
        return true;
    }
}

/* Reads the records of a chunk as far as they are usual. *is_last: it is the last chunk. Returns
 * the error of the sink. */
static status_code read_chunk(struct record_reader *records, bool *is_last) {
    struct otf2_reader *reader = records->reader;
    while (records->at < records->end) {
        if (*records->at == RECORD_TIME) {
            memcpy(&records->time, records->at + 1, sizeof records->time);
            records->at += TIME_BYTES;
            if (records->at >= records->end) break;
        }
        if (HINT_UNLIKELY(*records->at <= RECORD_ATTRIBUTES)) {
            if (take_between(records, is_last)) return STATUS_OK;
            continue;
        }
        struct otf2_event event = {.record = records->count,
                                   .ticks = otf2_reader_corrected(reader, records->time)};
        const bool is_delivered = take_event(records, &event);
        if (HINT_UNLIKELY(!records->is_usual)) return STATUS_OK;
        records->count++;
        records->has_attributes = false;
        if (!is_delivered) continue;
        const status_code code = reader->sink(reader->context, &event, reader->status);
        if (code != STATUS_OK) return code;
    }
    records->is_usual = false;
    return STATUS_OK;
}

static status_code read_chunks(struct record_reader *records, FILE *file) {
    struct otf2_layout *layout = &records->reader->layout;
    bool is_last = false;
    while (!is_last && records->is_usual) {
        const size_t size = fread(layout->buffer, 1, layout->event_chunk_bytes, file);
        memset(layout->buffer + size, 0, OTF2_LAYOUT_SLACK_BYTES);
        records->is_usual = size > HEADER_BYTES && layout->buffer[0] == RECORD_CHUNK_BEGIN &&
                            layout->buffer[1] == LITTLE_ENDIAN_MARK &&
                            __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
        records->at = layout->buffer + HEADER_BYTES;
        records->end = layout->buffer + size;
        if (records->is_usual) FORWARD_IF_ERROR(read_chunk(records, &is_last));
    }
    return STATUS_OK;
}

status_code otf2_reader_read_records(struct otf2_reader *reader, const char *path, uint64_t *count,
                                     bool *is_whole, struct status *status) {
    struct record_reader records = {.reader = reader, .is_usual = true};
    FILE *file;
    *count = 0;
    *is_whole = false;
    FORWARD_IF_ERROR(input_file_open(&file, path, status));
    setvbuf(file, NULL, _IONBF, 0);
    const status_code code = read_chunks(&records, file);
    fclose(file);
    *count = records.count;
    *is_whole = code == STATUS_OK && records.is_usual;
    return code;
}
