/*
 * Encodes and decodes programs. Must not know files or compression.
 *
 * Numbers are varints (7 bits in each byte, lowest bits first). Differences are zigzag-encoded
 * first. The operations of a rank are stored by columns (all kinds, all peers, …), since similar
 * values side by side compress better. One function describes an operation for both directions, so
 * that writing and reading always agree.
 */
#include "traces/program/file/program_codec.h"
#include "core/memory/memory.h"
#include "traces/program/program_packed.h"

#include <stdlib.h>
#include <string.h>

typedef enum column_name {
    COLUMN_KIND,
    COLUMN_FLAGS,
    COLUMN_BYTES,
    COLUMN_PEER,
    COLUMN_MATCH,
    COLUMN_SLOT,
    COLUMN_ENVELOPE,
    COLUMN_DURATION,
    COLUMN_TRACE,
    COLUMN_REGION,
    COLUMN_EVENT,
    COLUMN_COLLECTIVE,
    COLUMN_INSTANCE,
    COLUMN_SIZES,
    COLUMN_WAIT_FIRST,
    COLUMN_WAIT_COUNT,
    COLUMN_WAIT_SLOT,
    COLUMN_VALUE,
    COLUMN_FILE,
    COLUMN_OFFSET,
    COLUMNS
} column_name;

/* The columns of a rank while it is written. */
struct program_codec_scratch {
    struct program_codec_buffer columns[COLUMNS];
};

struct codec {
    struct program_codec_scratch *writing; /* NULL: reading */
    unsigned version;
    const uint8_t *at[COLUMNS];
    const uint8_t *end[COLUMNS];
    bool failed; /* true if memory ran out or a read went beyond the end */
    bool no_memory;
    /* Values near which the next value of a column is expected. */
    uint32_t rank;
    uint32_t send_ordinal, receive_ordinal;
    uint64_t trace_ps, event_number;
    uint32_t instance, wait_first, wait_slot;
    uint64_t offset;
};

void program_codec_buffer_free(struct program_codec_buffer *buffer) {
    free(buffer->bytes);
    *buffer = (struct program_codec_buffer){0};
}

struct program_codec_scratch *program_codec_scratch_new(void) {
    return memory_new(1, sizeof(struct program_codec_scratch));
}

void program_codec_scratch_free(struct program_codec_scratch *scratch) {
    if (scratch == NULL) return;
    for (unsigned i = 0; i < COLUMNS; i++)
        program_codec_buffer_free(&scratch->columns[i]);
    free(scratch);
}

static bool put_varint(struct program_codec_buffer *buffer, uint64_t value) {
    if (buffer->capacity - buffer->size < 10 &&
        memory_grow((void **)&buffer->bytes, &buffer->capacity, buffer->size + 10, 1, NULL) !=
            STATUS_OK)
        return false;
    for (; value >= 0x80; value >>= 7)
        buffer->bytes[buffer->size++] = (uint8_t)(value | 0x80);
    buffer->bytes[buffer->size++] = (uint8_t)value;
    return true;
}

static bool get(const uint8_t **at, const uint8_t *end, uint64_t *value) {
    uint64_t result = 0;
    for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        result |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            *value = result;
            return true;
        }
    }
    return false;
}

static uint64_t zigzag(uint64_t difference) {
    return difference << 1 ^ (uint64_t) - (int64_t)(difference >> 63);
}

static uint64_t unzigzag(uint64_t code) {
    return code >> 1 ^ (uint64_t) - (int64_t)(code & 1);
}

static uint64_t code_long(struct codec *codec, column_name column, uint64_t value) {
    if (codec->writing != NULL) {
        codec->failed |= !put_varint(&codec->writing->columns[column], value);
    } else if (!get(&codec->at[column], codec->end[column], &value)) {
        codec->failed = true;
        return 0;
    }
    return value;
}

/* Codes one number. Has a fast path for reading numbers of one byte, which are most numbers. */
static inline uint64_t code64(struct codec *codec, column_name column, uint64_t value) {
    const uint8_t *at = codec->at[column];
    if (codec->writing == NULL && at < codec->end[column] && *at < 0x80) {
        codec->at[column]++;
        return *at;
    }
    return code_long(codec, column, value);
}

static uint64_t code_near64(struct codec *codec, column_name column, uint64_t value,
                            uint64_t expected) {
    return expected + unzigzag(code64(codec, column, zigzag(value - expected)));
}

static uint32_t code32(struct codec *codec, column_name column, uint32_t value) {
    uint64_t result = code64(codec, column, value);
    if (result > UINT32_MAX) codec->failed = true;
    return (uint32_t)result;
}

/* Codes the difference to an expected value. Differences wrap around, so PROGRAM_NONE needs no code
 * of its own. */
static uint32_t code_near32(struct codec *codec, column_name column, uint32_t value,
                            uint32_t expected) {
    uint64_t difference = (uint64_t)(int64_t)(int32_t)(value - expected);
    return expected + (uint32_t)unzigzag(code64(codec, column, zigzag(difference)));
}

static void code_message(struct codec *codec, struct program_operation *operation) {
    uint32_t *ordinal =
        operation->kind == OPERATION_SEND ? &codec->send_ordinal : &codec->receive_ordinal;
    operation->flags = code32(codec, COLUMN_FLAGS, operation->flags) & 0xFF;
    operation->bytes = code64(codec, COLUMN_BYTES, operation->bytes) & ((UINT64_C(1) << 48) - 1);
    operation->message.peer = code_near32(codec, COLUMN_PEER, operation->message.peer, codec->rank);
    operation->message.match =
        code_near32(codec, COLUMN_MATCH, operation->message.match, (*ordinal)++);
    operation->message.slot = code_near32(codec, COLUMN_SLOT, operation->message.slot, 0);
    operation->message.envelope = code32(codec, COLUMN_ENVELOPE, operation->message.envelope);
}

static void code_mark(struct codec *codec, struct program_operation *operation) {
    codec->trace_ps =
        code_near64(codec, COLUMN_TRACE, (uint64_t)operation->mark.trace_ps, codec->trace_ps);
    operation->mark.trace_ps = (int64_t)codec->trace_ps;
    operation->mark.region = code32(codec, COLUMN_REGION, operation->mark.region);
    if (operation->kind != OPERATION_CALL) return;
    codec->event_number = code_near64(codec, COLUMN_EVENT, operation->record, codec->event_number);
    operation->record = codec->event_number & ((UINT64_C(1) << 48) - 1);
}

static void code_collective(struct codec *codec, struct program_operation *operation) {
    operation->flags = code32(codec, COLUMN_FLAGS, operation->flags) & 0xFF;
    operation->collective.arguments =
        code32(codec, COLUMN_COLLECTIVE, operation->collective.arguments);
    operation->collective.slot = code_near32(codec, COLUMN_SLOT, operation->collective.slot, 0);
    codec->instance =
        code_near32(codec, COLUMN_INSTANCE, operation->collective.instance, codec->instance + 1);
    operation->collective.instance = codec->instance;
    operation->collective.sizes =
        code_near32(codec, COLUMN_SIZES, operation->collective.sizes, PROGRAM_NONE);
    if (codec->version >= CODEC_WITH_VALUES)
        operation->value =
            code64(codec, COLUMN_VALUE, operation->value) & ((UINT64_C(1) << 48) - 1);
}

static void code_wait(struct codec *codec, struct program_operation *operation) {
    operation->flags = code32(codec, COLUMN_FLAGS, operation->flags) & 0xFF;
    operation->wait.count = code32(codec, COLUMN_WAIT_COUNT, operation->wait.count);
    bool one = operation->wait.count == 1;
    operation->wait.first =
        code_near32(codec, COLUMN_WAIT_FIRST, operation->wait.first, one ? 0 : codec->wait_first);
    if (!one) codec->wait_first = operation->wait.first + operation->wait.count;
}

/* Codes an access to a file. Its offset is expected at the end of the access before it. */
static void code_file(struct codec *codec, struct program_operation *operation) {
    if (codec->version < CODEC_WITH_FILES) codec->failed = true;
    operation->flags = code32(codec, COLUMN_FLAGS, operation->flags) & 0xFF;
    operation->bytes = code64(codec, COLUMN_BYTES, operation->bytes) & ((UINT64_C(1) << 48) - 1);
    operation->file.offset =
        code_near64(codec, COLUMN_OFFSET, operation->file.offset, codec->offset);
    operation->file.slot = code_near32(codec, COLUMN_SLOT, operation->file.slot, 0);
    operation->file.index = code32(codec, COLUMN_FILE, operation->file.index);
    codec->offset = operation->file.offset + operation->bytes;
}

static void code_operation(struct codec *codec, struct program_operation *operation) {
    operation->kind = code32(codec, COLUMN_KIND, operation->kind) & 0xFF;
    switch (operation->kind) {
    case OPERATION_COMPUTE:
        operation->compute.duration_ps =
            (int64_t)code64(codec, COLUMN_DURATION, (uint64_t)operation->compute.duration_ps);
        return;
    case OPERATION_CALL:
    case OPERATION_RETURN:
    case OPERATION_ENTER:
    case OPERATION_LEAVE:
        code_mark(codec, operation);
        return;
    case OPERATION_SEND:
    case OPERATION_RECEIVE:
        code_message(codec, operation);
        return;
    case OPERATION_COLLECTIVE:
        code_collective(codec, operation);
        return;
    case OPERATION_WAIT:
        code_wait(codec, operation);
        return;
    case OPERATION_VERTEX:
        operation->place = code64(codec, COLUMN_SIZES, operation->place) & 0xFFFF;
        code_wait(codec, operation);
        return;
    case OPERATION_FILE:
        code_file(codec, operation);
        return;
    case OPERATION_END:
        return;
    default:
        codec->failed = true;
    }
}

status_code program_codec_write_rank(const struct program *program, uint32_t rank,
                                     struct program_codec_scratch *scratch,
                                     struct program_codec_buffer *buffer, struct status *status) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    struct codec codec = {.writing = scratch, .version = CODEC_VERSION, .rank = rank};
    for (unsigned i = 0; i < COLUMNS; i++)
        scratch->columns[i].size = 0;
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        struct program_operation operation =
            *PROGRAM_OPERATION_AT(program, rank, rank_entry->first + i);
        code_operation(&codec, &operation);
    }
    for (uint64_t i = 0; i < rank_entry->wait_slot_count; i++)
        codec.wait_slot =
            code_near32(&codec, COLUMN_WAIT_SLOT,
                        program->wait_slots[rank_entry->first_wait_slot + i], codec.wait_slot + 1);
    buffer->size = 0;
    size_t total = 0;
    for (unsigned i = 0; i < COLUMNS; i++) {
        codec.failed |= !put_varint(buffer, scratch->columns[i].size);
        total += scratch->columns[i].size;
    }
    if (!codec.failed)
        codec.failed = memory_grow((void **)&buffer->bytes, &buffer->capacity, buffer->size + total,
                                   1, NULL) != STATUS_OK;
    RETURN_ERROR_IF(codec.failed, status, STATUS_MEMORY, "out of memory for writing rank %u", rank);
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (scratch->columns[i].size > 0)
            memcpy(buffer->bytes + buffer->size, scratch->columns[i].bytes,
                   scratch->columns[i].size);
        buffer->size += scratch->columns[i].size;
    }
    return STATUS_OK;
}

/* Finds the columns of a rank. Returns false if they do not fill the bytes exactly. */
static bool find_columns(struct codec *codec, const uint8_t *bytes, size_t size) {
    const uint8_t *at = bytes, *end = bytes + size;
    uint64_t sizes[COLUMNS] = {0};
    const unsigned columns = codec->version >= CODEC_WITH_FILES    ? COLUMNS
                             : codec->version >= CODEC_WITH_VALUES ? COLUMN_FILE
                                                                   : COLUMN_VALUE;
    for (unsigned i = 0; i < columns; i++)
        if (!get(&at, end, &sizes[i])) return false;
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (sizes[i] > (uint64_t)(end - at)) return false;
        codec->at[i] = at;
        at += sizes[i];
        codec->end[i] = at;
    }
    return at == end;
}

status_code program_codec_read_rank(struct program *program, uint32_t rank, uint64_t count,
                                    const uint8_t *bytes, size_t size, unsigned version,
                                    struct program_packer *packer, struct status *status) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    struct codec codec = {.version = version, .rank = rank};
    bool whole = find_columns(&codec, bytes, size);
    if (packer != NULL) program_packer_begin(packer, program, rank);
    for (uint64_t i = 0; whole && i < count; i++) {
        struct program_operation operation = {0};
        code_operation(&codec, &operation);
        if (packer != NULL)
            FORWARD_IF_ERROR(program_packer_add(packer, &operation, status));
        else
            program->operations[rank_entry->first + i] = operation;
        whole = !codec.failed;
    }
    if (packer != NULL) FORWARD_IF_ERROR(program_packer_finish(packer, status));
    for (uint64_t i = 0; whole && i < rank_entry->wait_slot_count; i++) {
        codec.wait_slot = code_near32(&codec, COLUMN_WAIT_SLOT, 0, codec.wait_slot + 1);
        program->wait_slots[rank_entry->first_wait_slot + i] = codec.wait_slot;
        whole = !codec.failed;
    }
    for (unsigned i = 0; whole && i < COLUMNS; i++)
        whole = codec.at[i] == codec.end[i];
    RETURN_ERROR_IF(!whole, status, STATUS_INPUT, "rank %u: its operations cannot be decoded",
                    rank);
    return STATUS_OK;
}

/* The shared tables are one column of a codec. */
#define SHARED COLUMN_KIND

/* Codes the length of a table. When reading, also allocates the table, after testing that the
 * remaining bytes can hold it. */
static uint64_t code_table(struct codec *codec, void **table, uint64_t count,
                           size_t element_bytes) {
    count = code64(codec, SHARED, count);
    if (codec->writing != NULL || codec->failed) return codec->failed ? 0 : count;
    if (count <= (uint64_t)(codec->end[SHARED] - codec->at[SHARED])) {
        *table = memory_new((size_t)count, element_bytes);
        if (*table != NULL) return count;
        codec->no_memory = true;
    }
    codec->failed = true;
    return 0;
}

static uint32_t code_table32(struct codec *codec, void **table, uint32_t count,
                             size_t element_bytes) {
    uint64_t result = code_table(codec, table, count, element_bytes);
    if (result > UINT32_MAX) codec->failed = true;
    return codec->failed ? 0 : (uint32_t)result;
}

/* Stores a value that was read. When writing, leaves the program untouched, since other threads may
 * read it. */
static void store_value(const struct codec *codec, void *to, const void *from, size_t size) {
    if (codec->writing == NULL) memcpy(to, from, size);
}

static void code_shared_numbers(struct codec *codec, struct program *program) {
    program->source = code32(codec, SHARED, program->source);
    program->creator = code32(codec, SHARED, program->creator);
    program->event_count = code64(codec, SHARED, program->event_count);
    program->location_count = code64(codec, SHARED, program->location_count);
    program->span_ps = (int64_t)code64(codec, SHARED, (uint64_t)program->span_ps);
    program->unmatched_sends = code64(codec, SHARED, program->unmatched_sends);
    program->unmatched_receives = code64(codec, SHARED, program->unmatched_receives);
    program->content_hash = code64(codec, SHARED, program->content_hash);
}

static void code_shared_communicators(struct codec *codec, struct program *program) {
    program->communicator_count =
        code_table32(codec, (void **)&program->communicators, program->communicator_count,
                     sizeof *program->communicators);
    for (uint32_t i = 0; i < program->communicator_count; i++) {
        struct program_communicator c = program->communicators[i];
        c.size = code32(codec, SHARED, c.size);
        c.members = code_near32(codec, SHARED, c.members, 0);
        c.remote_size = code32(codec, SHARED, c.remote_size);
        c.remote_members = code32(codec, SHARED, c.remote_members);
        c.name = code32(codec, SHARED, c.name);
        c.id = code_near32(codec, SHARED, c.id, i);
        c.handles_synchronise = code32(codec, SHARED, c.handles_synchronise) != 0;
        store_value(codec, &program->communicators[i], &c, sizeof c);
    }
    program->communicator_member_count =
        code_table(codec, (void **)&program->communicator_members,
                   program->communicator_member_count, sizeof *program->communicator_members);
    uint32_t expected = 0;
    for (uint64_t i = 0; i < program->communicator_member_count; i++) {
        uint32_t member = program->communicator_members[i];
        member = code_near32(codec, SHARED, member, expected);
        store_value(codec, &program->communicator_members[i], &member, sizeof member);
        expected = member + 1;
    }
}

static void code_numbers(struct codec *codec, uint64_t **numbers, uint64_t *count) {
    *count = code_table(codec, (void **)numbers, *count, sizeof **numbers);
    for (uint64_t i = 0; i < *count; i++) {
        uint64_t number = code64(codec, SHARED, (*numbers)[i]);
        store_value(codec, &(*numbers)[i], &number, sizeof number);
    }
}

static void code_shared_collectives(struct codec *codec, struct program *program) {
    program->collective_argument_count =
        code_table32(codec, (void **)&program->collective_arguments,
                     program->collective_argument_count, sizeof *program->collective_arguments);
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        struct program_collective_arguments arguments = program->collective_arguments[i];
        arguments.kind = code32(codec, SHARED, arguments.kind);
        arguments.communicator = code32(codec, SHARED, arguments.communicator);
        arguments.own_member = code_near32(codec, SHARED, arguments.own_member, 0);
        arguments.root = code_near32(codec, SHARED, arguments.root, PROGRAM_NONE);
        arguments.send_bytes = code64(codec, SHARED, arguments.send_bytes);
        arguments.receive_bytes = code64(codec, SHARED, arguments.receive_bytes);
        store_value(codec, &program->collective_arguments[i], &arguments, sizeof arguments);
    }
    code_numbers(codec, &program->sizes, &program->size_count);
    if (codec->version < CODEC_WITH_VALUES) return;
    code_numbers(codec, &program->pair_rows, &program->pair_row_count);
    code_numbers(codec, &program->pair_bytes, &program->pair_byte_count);
}

static void code_shared_names(struct codec *codec, struct program *program) {
    program->envelope_count = code_table32(codec, (void **)&program->envelopes,
                                           program->envelope_count, sizeof *program->envelopes);
    for (uint32_t i = 0; i < program->envelope_count; i++) {
        struct program_envelope envelope = program->envelopes[i];
        envelope.communicator = code32(codec, SHARED, envelope.communicator);
        envelope.tag = (int32_t)code_near32(codec, SHARED, (uint32_t)envelope.tag, 0);
        store_value(codec, &program->envelopes[i], &envelope, sizeof envelope);
    }
    program->region_count = code_table32(codec, (void **)&program->regions, program->region_count,
                                         sizeof *program->regions);
    for (uint32_t i = 0; i < program->region_count; i++) {
        struct program_region region = program->regions[i];
        region.name = code32(codec, SHARED, region.name);
        region.is_mpi = code32(codec, SHARED, region.is_mpi);
        store_value(codec, &program->regions[i], &region, sizeof region);
    }
    program->note_count =
        code_table32(codec, (void **)&program->notes, program->note_count, sizeof *program->notes);
    for (uint32_t i = 0; i < program->note_count; i++) {
        struct program_note note = program->notes[i];
        note.what = code32(codec, SHARED, note.what);
        note.why = code32(codec, SHARED, note.why);
        note.count = code64(codec, SHARED, note.count);
        note.is_assumed = code64(codec, SHARED, note.is_assumed);
        store_value(codec, &program->notes[i], &note, sizeof note);
    }
    program->string_bytes = code_table(codec, (void **)&program->strings, program->string_bytes, 1);
    for (uint64_t i = 0; i < program->string_bytes; i++) {
        char letter = (char)code64(codec, SHARED, (unsigned char)program->strings[i]);
        store_value(codec, &program->strings[i], &letter, 1);
    }
}

static void code_shared_files(struct codec *codec, struct program *program) {
    if (codec->version < CODEC_WITH_FILES) return;
    program->file_count =
        code_table32(codec, (void **)&program->files, program->file_count, sizeof *program->files);
    for (uint32_t i = 0; i < program->file_count; i++) {
        struct program_file file = program->files[i];
        file.name = code32(codec, SHARED, file.name);
        store_value(codec, &program->files[i], &file, sizeof file);
    }
}

static void code_shared_topologies(struct codec *codec, struct program *program) {
    if (codec->version < CODEC_WITH_TOPOLOGIES) return;
    program->topology_count = code_table32(codec, (void **)&program->topologies,
                                           program->topology_count, sizeof *program->topologies);
    uint64_t first = 0;
    for (uint32_t i = 0; i < program->topology_count; i++) {
        struct program_topology topology = program->topologies[i];
        topology.communicator = code32(codec, SHARED, topology.communicator);
        topology.kind = code32(codec, SHARED, topology.kind);
        topology.first = first;
        topology.count = code64(codec, SHARED, topology.count);
        first += topology.count;
        store_value(codec, &program->topologies[i], &topology, sizeof topology);
    }
    program->topology_number_count =
        code_table(codec, (void **)&program->topology_numbers, program->topology_number_count,
                   sizeof *program->topology_numbers);
    for (uint64_t i = 0; i < program->topology_number_count; i++) {
        uint32_t number = code32(codec, SHARED, program->topology_numbers[i]);
        store_value(codec, &program->topology_numbers[i], &number, sizeof number);
    }
}

static void code_shared(struct codec *codec, struct program *program) {
    code_shared_numbers(codec, program);
    code_shared_communicators(codec, program);
    code_shared_collectives(codec, program);
    code_shared_names(codec, program);
    code_shared_files(codec, program);
    code_shared_topologies(codec, program);
}

status_code program_codec_write_shared(const struct program *program,
                                       struct program_codec_buffer *buffer, struct status *status) {
    struct program_codec_scratch scratch = {.columns = {[SHARED] = *buffer}};
    scratch.columns[SHARED].size = 0;
    struct codec codec = {.writing = &scratch, .version = CODEC_VERSION};
    struct program copy = *program;
    code_shared(&codec, &copy);
    *buffer = scratch.columns[SHARED];
    RETURN_ERROR_IF(codec.failed, status, STATUS_MEMORY, "out of memory for the shared tables");
    return STATUS_OK;
}

status_code program_codec_read_shared(struct program *program, const uint8_t *bytes, size_t size,
                                      unsigned version, struct status *status) {
    struct codec codec = {
        .version = version, .at = {[SHARED] = bytes}, .end = {[SHARED] = bytes + size}};
    code_shared(&codec, program);
    RETURN_ERROR_IF(codec.no_memory, status, STATUS_MEMORY, "out of memory for the shared tables");
    RETURN_ERROR_IF(codec.failed || codec.at[SHARED] != codec.end[SHARED], status, STATUS_INPUT,
                    "the shared tables cannot be decoded");
    return STATUS_OK;
}
