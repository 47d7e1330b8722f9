/*
 * Writes a program with simulated times as a trace of Perfetto's TrackEvent format: a track for
 * each rank, with its calls, user regions and computation as slices, and an arrow (flow) from each
 * send to the call in which its receive completed. Must not know networks.
 *
 * Field numbers are those of the messages Trace, TracePacket, TrackDescriptor, TrackEvent,
 * InternedData, DebugAnnotation and CounterDescriptor of Perfetto 58
 * (https://perfetto.dev/docs/reference/trace-packet-proto).
 *
 * Invariants: names are interned in the first packet; packets are compressed in chunks below the
 * limit of readers; of each slice the end is not before the beginning, as both are rounded down
 * from picoseconds to nanoseconds.
 */
#include "traces/perfetto/protobuf.h"
#include "traces/traces.h"

#include "core/files/output_file.h"
#include "core/memory/memory.h"
#include "traces/program/program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_COMPRESSED = 50,
    PACKET_TRACK = 60
};
enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8,
    TRACK_CHILD_ORDER = 11,
    TRACK_PLACE = 12,
    TRACK_DESCRIPTION = 14,
    TRACK_MERGING = 15
};
enum { CHILDREN_BY_PLACE = 3, NEVER_MERGED = 2 };
enum { COUNTER_UNIT_NAME = 6 };
enum {
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_NUMBER = 10,
    EVENT_TRACK = 11,
    EVENT_NAME = 23,
    EVENT_VALUE = 30,
    EVENT_FLOWS = 47,
    EVENT_FLOWS_END = 48
};
enum { EVENT_BEGIN = 1, EVENT_END = 2, EVENT_COUNTER = 4 };
enum { INTERNED_EVENT_NAMES = 2, INTERNED_ANNOTATION_NAMES = 3 };
enum { INTERNED_NUMBER = 1, INTERNED_NAME = 2 };
enum { ANNOTATION_NAME_NUMBER = 1, ANNOTATION_UNSIGNED = 3 };
enum { FIRST_OF_SEQUENCE = 1, GOES_ON = 2 };

enum {
    SEQUENCE = 1,
    /* Readers take chunks of less than 512 KB. A packet has at most FLOWS_MAX arrows, or names of
     * NAMES_BYTES and one more. */
    CHUNK_BYTES = 384 * 1024,
    NAMES_BYTES = 32 * 1024,
    FLOWS_MAX = 1024,
    PS_PER_NS = 1000
};

/* Numbers of tracks. */
#define TRACK_RANKS    UINT64_C(1)
#define TRACK_COUNTERS UINT64_C(2)
#define TRACK_PATH     UINT64_C(3)
#define TRACK_RANK     (UINT64_C(1) << 32)
#define TRACK_COUNT    (UINT64_C(2) << 32)

static const char *const annotation_names[] = {"messages sent",     "bytes sent",     "to rank",
                                               "messages received", "bytes received", "from rank"};
enum { SENT, RECEIVED, DIRECTIONS };
enum { MESSAGES, BYTES, PEER, ANNOTATIONS };

/* Messages of a call in one direction. */
struct call_messages {
    uint64_t flows[FLOWS_MAX];
    size_t flow_count;
    uint64_t count;
    uint64_t bytes;
    uint32_t peer;
    bool has_several_peers;
};

struct perfetto_writer {
    const struct program *program;
    const struct traces_perfetto *input;
    FILE *stream;
    struct protobuf chunk;  /* packets that are not written yet */
    struct protobuf packet; /* the present packet */
    struct protobuf event;  /* its event or description */
    struct protobuf part;   /* a message within that */
    struct protobuf deflated;
    bool has_begun;
    struct call_messages messages[DIRECTIONS]; /* of the present call */
    /* Of the present rank: */
    uint64_t track;
    uint32_t rank;
};

/* ---- packets ---- */

static status_code write_chunk(struct perfetto_writer *writer, struct status *status) {
    if (writer->chunk.count == 0) return STATUS_OK;
    uLongf bytes = compressBound((uLong)writer->chunk.count);
    FORWARD_IF_ERROR(memory_grow((void **)&writer->deflated.bytes, &writer->deflated.capacity,
                                 bytes, 1, status));
    RETURN_ERROR_IF(compress(writer->deflated.bytes, &bytes, writer->chunk.bytes,
                             (uLong)writer->chunk.count) != Z_OK,
                    status, STATUS_MEMORY, "out of memory for compressing a trace");
    writer->packet.count = writer->event.count = 0;
    FORWARD_IF_ERROR(protobuf_append_bytes(&writer->packet, PACKET_COMPRESSED,
                                           writer->deflated.bytes, bytes, status));
    FORWARD_IF_ERROR(protobuf_append_bytes(&writer->event, TRACE_PACKET, writer->packet.bytes,
                                           writer->packet.count, status));
    fwrite(writer->event.bytes, 1, writer->event.count, writer->stream);
    writer->chunk.count = 0;
    return STATUS_OK;
}

static void begin_packet(struct perfetto_writer *writer) {
    writer->packet.count = writer->event.count = 0;
}

/* Ends the packet, whose field `kind` is what `event` holds. */
static status_code end_packet(struct perfetto_writer *writer, uint32_t kind,
                              struct status *status) {
    FORWARD_IF_ERROR(protobuf_append_bytes(&writer->packet, kind, writer->event.bytes,
                                           writer->event.count, status));
    FORWARD_IF_ERROR(protobuf_append_varint(&writer->packet, PACKET_SEQUENCE, SEQUENCE, status));
    FORWARD_IF_ERROR(protobuf_append_varint(&writer->packet, PACKET_SEQUENCE_FLAGS,
                                            writer->has_begun ? GOES_ON : FIRST_OF_SEQUENCE,
                                            status));
    writer->has_begun = true;
    if (writer->chunk.count + writer->packet.count > CHUNK_BYTES) {
        struct protobuf packet = writer->packet;
        writer->packet = (struct protobuf){0};
        status_code code = write_chunk(writer, status);
        protobuf_free(&writer->packet);
        writer->packet = packet;
        if (code != STATUS_OK) return code;
    }
    return protobuf_append_bytes(&writer->chunk, TRACE_PACKET, writer->packet.bytes,
                                 writer->packet.count, status);
}

/* ---- names and tracks ---- */

/* The number of the name "computation", after those of the regions. */
static uint64_t computation_name(const struct program *program) {
    return (uint64_t)program->region_count + 1;
}

static status_code intern(struct perfetto_writer *writer, uint32_t kind, uint64_t number,
                          const char *name, struct status *status) {
    writer->part.count = 0;
    FORWARD_IF_ERROR(protobuf_append_varint(&writer->part, INTERNED_NUMBER, number, status));
    FORWARD_IF_ERROR(protobuf_append_text(&writer->part, INTERNED_NAME, name, status));
    return protobuf_append_bytes(&writer->event, kind, writer->part.bytes, writer->part.count,
                                 status);
}

static status_code write_names(struct perfetto_writer *writer, struct status *status) {
    const struct program *program = writer->program;
    begin_packet(writer);
    for (uint32_t i = 0; i < program->region_count; i++) {
        FORWARD_IF_ERROR(intern(writer, INTERNED_EVENT_NAMES, (uint64_t)i + 1,
                                program_text(program, program->regions[i].name), status));
        if (writer->event.count < NAMES_BYTES) continue;
        FORWARD_IF_ERROR(end_packet(writer, PACKET_INTERNED, status));
        begin_packet(writer);
    }
    FORWARD_IF_ERROR(
        intern(writer, INTERNED_EVENT_NAMES, computation_name(program), "computation", status));
    for (size_t i = 0; i < sizeof annotation_names / sizeof *annotation_names; i++)
        FORWARD_IF_ERROR(
            intern(writer, INTERNED_ANNOTATION_NAMES, i + 1, annotation_names[i], status));
    return end_packet(writer, PACKET_INTERNED, status);
}

/* parent 0: none. unit NULL: a track of slices, else of a counter. */
static status_code write_track(struct perfetto_writer *writer, uint64_t track, uint64_t parent,
                               uint64_t place, const char *name, const char *unit,
                               struct status *status) {
    begin_packet(writer);
    FORWARD_IF_ERROR(protobuf_append_varint(&writer->event, TRACK_UUID, track, status));
    FORWARD_IF_ERROR(protobuf_append_text(&writer->event, TRACK_NAME, name, status));
    if (parent != 0)
        FORWARD_IF_ERROR(protobuf_append_varint(&writer->event, TRACK_PARENT, parent, status));
    if (unit != NULL) {
        writer->part.count = 0;
        FORWARD_IF_ERROR(protobuf_append_text(&writer->part, COUNTER_UNIT_NAME, unit, status));
        FORWARD_IF_ERROR(protobuf_append_bytes(&writer->event, TRACK_COUNTER, writer->part.bytes,
                                               writer->part.count, status));
    }
    FORWARD_IF_ERROR(
        protobuf_append_varint(&writer->event, TRACK_CHILD_ORDER, CHILDREN_BY_PLACE, status));
    FORWARD_IF_ERROR(protobuf_append_varint(&writer->event, TRACK_PLACE, place, status));
    FORWARD_IF_ERROR(protobuf_append_varint(&writer->event, TRACK_MERGING, NEVER_MERGED, status));
    return end_packet(writer, PACKET_TRACK, status);
}

static status_code write_tracks(struct perfetto_writer *writer, struct status *status) {
    const struct traces_perfetto *input = writer->input;
    char name[96];
    FORWARD_IF_ERROR(write_track(writer, TRACK_RANKS, 0, 2, "ranks", NULL, status));
    for (uint32_t r = input->first_rank; r < input->first_rank + input->rank_count; r++) {
        if (input->times->node_of_rank == NULL)
            snprintf(name, sizeof name, "rank %" PRIu32, r);
        else
            snprintf(name, sizeof name, "rank %" PRIu32 " (node %" PRIu32 ")", r,
                     input->times->node_of_rank[r]);
        FORWARD_IF_ERROR(write_track(writer, TRACK_RANK + r, TRACK_RANKS, r, name, NULL, status));
    }
    if (input->counter_count > 0)
        FORWARD_IF_ERROR(write_track(writer, TRACK_COUNTERS, 0, 1, "network", NULL, status));
    for (size_t i = 0; i < input->counter_count; i++)
        FORWARD_IF_ERROR(write_track(writer, TRACK_COUNT + i, TRACK_COUNTERS, i,
                                     input->counters[i].name, input->counters[i].unit, status));
    if (input->times->path != NULL)
        FORWARD_IF_ERROR(
            write_track(writer, TRACK_PATH, 0, 0, input->times->path->title, NULL, status));
    return STATUS_OK;
}

/* ---- events ---- */

static status_code begin_event(struct perfetto_writer *writer, uint64_t track, uint64_t type,
                               int64_t time_ps, struct status *status) {
    begin_packet(writer);
    FORWARD_IF_ERROR(protobuf_append_varint(&writer->packet, PACKET_TIMESTAMP,
                                            (uint64_t)time_ps / PS_PER_NS, status));
    FORWARD_IF_ERROR(protobuf_append_varint(&writer->event, EVENT_TYPE, type, status));
    return protobuf_append_varint(&writer->event, EVENT_TRACK, track, status);
}

static status_code annotate(struct perfetto_writer *writer, size_t name, uint64_t value,
                            struct status *status) {
    writer->part.count = 0;
    FORWARD_IF_ERROR(
        protobuf_append_varint(&writer->part, ANNOTATION_NAME_NUMBER, name + 1, status));
    FORWARD_IF_ERROR(protobuf_append_varint(&writer->part, ANNOTATION_UNSIGNED, value, status));
    return protobuf_append_bytes(&writer->event, EVENT_ANNOTATION, writer->part.bytes,
                                 writer->part.count, status);
}

/* Adds the messages of a call in one direction to its event, and forgets them. */
static status_code add_messages(struct perfetto_writer *writer, size_t direction, uint32_t field,
                                struct status *status) {
    struct call_messages *messages = &writer->messages[direction];
    size_t name = direction * ANNOTATIONS;
    if (messages->count > 0) {
        FORWARD_IF_ERROR(annotate(writer, name + MESSAGES, messages->count, status));
        FORWARD_IF_ERROR(annotate(writer, name + BYTES, messages->bytes, status));
        if (!messages->has_several_peers)
            FORWARD_IF_ERROR(annotate(writer, name + PEER, messages->peer, status));
    }
    for (size_t i = 0; i < messages->flow_count; i++)
        FORWARD_IF_ERROR(
            protobuf_append_fixed64(&writer->event, field, messages->flows[i], status));
    messages->flow_count = 0;
    messages->count = messages->bytes = 0;
    messages->has_several_peers = false;
    return STATUS_OK;
}

static status_code begin_slice(struct perfetto_writer *writer, uint64_t name, int64_t time_ps,
                               struct status *status) {
    FORWARD_IF_ERROR(begin_event(writer, writer->track, EVENT_BEGIN, time_ps, status));
    FORWARD_IF_ERROR(protobuf_append_varint(&writer->event, EVENT_NAME_NUMBER, name, status));
    FORWARD_IF_ERROR(add_messages(writer, SENT, EVENT_FLOWS, status));
    return end_packet(writer, PACKET_TRACK_EVENT, status);
}

/* Ends a slice. The flow of a received message arrives here and not at the beginning, because a
 * receive may begin before its send. */
static status_code end_slice(struct perfetto_writer *writer, int64_t time_ps,
                             struct status *status) {
    FORWARD_IF_ERROR(begin_event(writer, writer->track, EVENT_END, time_ps, status));
    FORWARD_IF_ERROR(add_messages(writer, RECEIVED, EVENT_FLOWS_END, status));
    return end_packet(writer, PACKET_TRACK_EVENT, status);
}

/* ---- a rank ---- */

static bool is_shown(const struct perfetto_writer *writer, uint32_t rank) {
    return rank >= writer->input->first_rank &&
           rank - writer->input->first_rank < writer->input->rank_count;
}

/* Adds a message to those of the call. send: its number among the sender's sends. */
static void add_message(struct perfetto_writer *writer, size_t direction, uint32_t sender,
                        uint32_t send, uint32_t peer, uint64_t bytes) {
    struct call_messages *messages = &writer->messages[direction];
    messages->has_several_peers |= messages->count > 0 && messages->peer != peer;
    messages->peer = peer;
    messages->count++;
    messages->bytes += bytes;
    if (send != PROGRAM_NONE && is_shown(writer, peer) && messages->flow_count < FLOWS_MAX)
        messages->flows[messages->flow_count++] = ((uint64_t)sender << 32 | send) + 1;
}

/* Collects what a call sends, and what it receives in its waits. operations[0] is the CALL; *sends
 * counts the rank's sends. posted: of each slot the receive in it. */
static void collect_messages(struct perfetto_writer *writer,
                             const struct program_operation *operations,
                             const struct program_operation **posted, uint32_t *sends) {
    const struct program *program = writer->program;
    const uint32_t *wait_slots = program->wait_slots + program->ranks[writer->rank].first_wait_slot;
    for (const struct program_operation *o = operations; o->kind != OPERATION_RETURN; o++) {
        if (o->kind == OPERATION_SEND) {
            if (o->message.slot != PROGRAM_NONE) posted[o->message.slot] = NULL;
            if (program_is_message(program, o))
                add_message(writer, SENT, writer->rank,
                            o->message.match != PROGRAM_NONE ? *sends : PROGRAM_NONE,
                            o->message.peer, o->bytes);
            ++*sends;
        } else if (o->kind == OPERATION_RECEIVE) {
            if (o->message.slot != PROGRAM_NONE)
                posted[o->message.slot] = program_is_message(program, o) ? o : NULL;
        } else if (o->kind == OPERATION_COLLECTIVE) {
            if (o->collective.slot != PROGRAM_NONE) posted[o->collective.slot] = NULL;
        } else if (o->kind == OPERATION_FILE) {
            if (o->file.slot != PROGRAM_NONE) posted[o->file.slot] = NULL;
        } else if (o->kind == OPERATION_WAIT) {
            const uint32_t *slots =
                o->wait.count == 1 ? &o->wait.first : wait_slots + o->wait.first;
            for (uint32_t i = 0; i < o->wait.count; i++) {
                const struct program_operation *receive = posted[slots[i]];
                if (receive == NULL) continue;
                add_message(writer, RECEIVED, receive->message.peer, receive->message.match,
                            receive->message.peer, receive->bytes);
                posted[slots[i]] = NULL;
            }
        }
    }
}

static status_code write_marks(struct perfetto_writer *writer,
                               const struct program_operation **posted, struct status *status) {
    const struct program_rank *rank_entry = &writer->program->ranks[writer->rank];
    const struct traces_times *times = writer->input->times;
    const int64_t *time_ps = times->times_ps + times->first[writer->rank];
    const int64_t end_ps = times->end_ps[writer->rank];
    int64_t last_ps = 0, computed_ps = 0;
    uint32_t sends = 0;
    size_t depth = 0;
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *o = &program_array(writer->program)[rank_entry->first + i];
        if (o->kind == OPERATION_COMPUTE) computed_ps += o->compute.duration_ps;
        if (!program_is_mark(o)) continue;
        const int64_t now_ps = *time_ps++;
        if (computed_ps > 0 && o->kind != OPERATION_RETURN) {
            FORWARD_IF_ERROR(
                begin_slice(writer, computation_name(writer->program), last_ps, status));
            FORWARD_IF_ERROR(end_slice(writer, now_ps, status));
        }
        if (o->kind == OPERATION_CALL) collect_messages(writer, o, posted, &sends);
        if (o->kind == OPERATION_CALL || o->kind == OPERATION_ENTER) {
            depth++;
            FORWARD_IF_ERROR(begin_slice(writer, (uint64_t)o->mark.region + 1, now_ps, status));
        } else if (depth > 0) {
            depth--;
            FORWARD_IF_ERROR(end_slice(writer, now_ps, status));
        }
        last_ps = now_ps;
        computed_ps = 0;
    }
    if (computed_ps > 0 && end_ps > last_ps) {
        FORWARD_IF_ERROR(begin_slice(writer, computation_name(writer->program), last_ps, status));
        FORWARD_IF_ERROR(end_slice(writer, end_ps, status));
    }
    for (; depth > 0; depth--)
        FORWARD_IF_ERROR(end_slice(writer, end_ps, status));
    return STATUS_OK;
}

static status_code write_rank(struct perfetto_writer *writer, uint32_t rank,
                              struct status *status) {
    const uint32_t slots = writer->program->ranks[rank].slot_count;
    const struct program_operation **posted = memory_new((size_t)slots + 1, sizeof *posted);
    RETURN_ERROR_IF(posted == NULL, status, STATUS_MEMORY, "out of memory for a rank's requests");
    writer->rank = rank;
    writer->track = TRACK_RANK + rank;
    status_code code = write_marks(writer, posted, status);
    free(posted);
    return code;
}

/* ---- other tracks ---- */

static status_code write_counter(struct perfetto_writer *writer, size_t number,
                                 struct status *status) {
    const struct traces_counter *counter = &writer->input->counters[number];
    for (size_t i = 0; i < counter->count; i++) {
        FORWARD_IF_ERROR(
            begin_event(writer, TRACK_COUNT + number, EVENT_COUNTER, counter->times_ps[i], status));
        FORWARD_IF_ERROR(protobuf_append_varint(&writer->event, EVENT_VALUE,
                                                (uint64_t)counter->values[i], status));
        FORWARD_IF_ERROR(end_packet(writer, PACKET_TRACK_EVENT, status));
    }
    return STATUS_OK;
}

static status_code write_path(struct perfetto_writer *writer, const struct traces_path *path,
                              struct status *status) {
    char name[256];
    const uint32_t rank_count = writer->program->rank_count;
    for (uint64_t i = 0; i < path->step_count; i++) {
        const struct traces_path_step *step = &path->steps[i];
        const bool is_rank = step->rank < rank_count;
        snprintf(name, sizeof name, "%s %" PRIu32 ": %s", is_rank ? "rank" : "I/O node",
                 is_rank ? step->rank : path->io_nodes[step->rank - rank_count],
                 path->names[step->name]);
        FORWARD_IF_ERROR(begin_event(writer, TRACK_PATH, EVENT_BEGIN, step->from_ps, status));
        FORWARD_IF_ERROR(protobuf_append_text(&writer->event, EVENT_NAME, name, status));
        FORWARD_IF_ERROR(end_packet(writer, PACKET_TRACK_EVENT, status));
        FORWARD_IF_ERROR(begin_event(writer, TRACK_PATH, EVENT_END, step->to_ps, status));
        FORWARD_IF_ERROR(end_packet(writer, PACKET_TRACK_EVENT, status));
    }
    return STATUS_OK;
}

static status_code write_trace(struct perfetto_writer *writer, struct status *status) {
    const struct traces_perfetto *input = writer->input;
    FORWARD_IF_ERROR(write_names(writer, status));
    FORWARD_IF_ERROR(write_tracks(writer, status));
    if (input->times->path != NULL)
        FORWARD_IF_ERROR(write_path(writer, input->times->path, status));
    for (size_t i = 0; i < input->counter_count; i++)
        FORWARD_IF_ERROR(write_counter(writer, i, status));
    for (uint32_t r = 0; r < input->rank_count; r++)
        FORWARD_IF_ERROR(write_rank(writer, input->first_rank + r, status));
    return write_chunk(writer, status);
}

status_code traces_write_perfetto(const struct program *program,
                                  const struct traces_perfetto *input, const char *path,
                                  bool replace, struct status *status) {
    struct output_file file;
    FORWARD_IF_ERROR(program_make_array(program, status));
    FORWARD_IF_ERROR(output_file_open(&file, path, replace, status));
    status_code code = STATUS_OK;
    struct perfetto_writer *writer = memory_new(1, sizeof *writer);
    if (writer == NULL) {
        code = status_set(status, STATUS_MEMORY, "out of memory for a Perfetto trace");
    } else {
        *writer =
            (struct perfetto_writer){.program = program, .input = input, .stream = file.stream};
        code = write_trace(writer, status);
        struct protobuf *const buffers[] = {&writer->chunk, &writer->packet, &writer->event,
                                            &writer->part, &writer->deflated};
        for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
            protobuf_free(buffers[i]);
    }
    free(writer);
    return output_file_finish(&file, code, status);
}
