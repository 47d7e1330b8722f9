/*
 * Reads program files: the tables first, then the operations of all ranks or of some.
 * program_file_format.h has the format. Must not know which ranks are wanted, nor test what the
 * operations say.
 */
#include "traces/program/file/program_file_reader.h"
#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "core/processes/parallel.h"
#include "traces/program/file/program_codec.h"
#include "traces/program/file/program_file_format.h"
#include "traces/program/program_graph.h"
#include "traces/program/program_packed.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint8_t file_magic[PROGRAM_FILE_MAGIC_BYTES] = PROGRAM_FILE_MAGIC;

enum { DEFLATE_RATIO_LIMIT = 1032 }; /* deflate cannot do better: bounds a file's claims */

struct program_file_reader {
    struct program *program;
    FILE *stream;
    unsigned version;
    uint64_t file_bytes;
    uint8_t *table;
    uint64_t *offsets; /* offset of each rank */
    unsigned workers;
    struct program_codec_buffer *packed; /* for each worker */
    struct program_codec_buffer *raw;    /* for each worker */
    struct program_packer *packers;      /* for each worker */
    uint32_t *ranks;                     /* those that are read */
    uint32_t rank_count;
};

static status_code read_at(const struct program_file_reader *reader, uint8_t *bytes, size_t size,
                           uint64_t offset, struct status *status) {
    while (size > 0) {
        ssize_t got = pread(fileno(reader->stream), bytes, size, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        RETURN_ERROR_IF(got < 0, status, STATUS_SYSTEM, "cannot read: %s", strerror(errno));
        RETURN_ERROR_IF(got == 0, status, STATUS_INPUT,
                        "ends too early (cut short?): copy it or convert the trace again");
        bytes += got;
        size -= (size_t)got;
        offset += (uint64_t)got;
    }
    return STATUS_OK;
}

/* Returns true if the file is large enough for the section of an entry. */
static bool is_possible(const struct program_file_reader *reader,
                        const struct program_file_entry *entry, uint64_t offset) {
    return offset <= reader->file_bytes && entry->stored_bytes <= reader->file_bytes - offset &&
           entry->raw_bytes / DEFLATE_RATIO_LIMIT <= entry->stored_bytes;
}

/* Reads a section and decompresses it into the worker's raw buffer. */
static status_code unpack(const struct program_file_reader *reader, unsigned worker,
                          const struct program_file_entry *entry, uint64_t offset, const char *what,
                          struct status *status) {
    struct program_codec_buffer *packed = &reader->packed[worker], *raw = &reader->raw[worker];
    RETURN_ERROR_IF(!is_possible(reader, entry, offset), status, STATUS_INPUT,
                    "%s lies beyond the end (damaged or cut short)", what);
    FORWARD_IF_ERROR(memory_grow((void **)&packed->bytes, &packed->capacity,
                                 (size_t)entry->stored_bytes, 1, status));
    FORWARD_IF_ERROR(
        memory_grow((void **)&raw->bytes, &raw->capacity, (size_t)entry->raw_bytes + 1, 1, status));
    FORWARD_IF_ERROR(read_at(reader, packed->bytes, (size_t)entry->stored_bytes, offset, status));
    RETURN_ERROR_IF(program_file_crc_of(packed->bytes, (size_t)entry->stored_bytes) != entry->crc,
                    status, STATUS_INPUT, "%s is damaged (wrong checksum): convert the trace again",
                    what);
    uLongf size = (uLongf)entry->raw_bytes;
    int result = uncompress(raw->bytes, &size, packed->bytes, (uLong)entry->stored_bytes);
    RETURN_ERROR_IF(result == Z_MEM_ERROR, status, STATUS_MEMORY, "out of memory for %s", what);
    RETURN_ERROR_IF(result != Z_OK || size != entry->raw_bytes, status, STATUS_INPUT,
                    "%s is damaged (does not decompress): convert the trace again", what);
    raw->size = size;
    return STATUS_OK;
}

static status_code read_header(struct program_file_reader *reader,
                               struct program_file_entry *shared, uint32_t *table_crc,
                               struct status *status) {
    uint8_t header[PROGRAM_FILE_HEADER_BYTES];
    FORWARD_IF_ERROR(read_at(reader, header, sizeof file_magic, 0, status));
    RETURN_ERROR_IF(memcmp(header, file_magic, sizeof file_magic) != 0, status, STATUS_INPUT,
                    "is not a program file");
    FORWARD_IF_ERROR(read_at(reader, header, PROGRAM_FILE_HEADER_BYTES, 0, status));
    RETURN_ERROR_IF(program_file_crc_of(header, PROGRAM_FILE_HEADER_CRC) !=
                        program_file_get32(header + PROGRAM_FILE_HEADER_CRC),
                    status, STATUS_INPUT,
                    "its header is damaged (wrong checksum): convert the trace again");
    reader->version = program_file_get32(header + PROGRAM_FILE_VERSION);
    RETURN_ERROR_IF(reader->version > CODEC_VERSION, status, STATUS_INPUT,
                    "is of version %u, written by a newer anax; this one reads versions %u to %u",
                    reader->version, CODEC_OLDEST, CODEC_VERSION);
    RETURN_ERROR_IF(reader->version < CODEC_OLDEST, status, STATUS_INPUT,
                    "is of version %u, this program reads versions %u to %u: convert the trace "
                    "again",
                    reader->version, CODEC_OLDEST, CODEC_VERSION);
    RETURN_ERROR_IF(program_file_get64(header + PROGRAM_FILE_FILE_BYTES) != reader->file_bytes,
                    status, STATUS_INPUT,
                    "has %" PRIu64 " byte%s instead of %" PRIu64 " (cut short?)",
                    reader->file_bytes, plural(reader->file_bytes),
                    program_file_get64(header + PROGRAM_FILE_FILE_BYTES));
    reader->program->rank_count = program_file_get32(header + PROGRAM_FILE_RANK_COUNT);
    *shared = program_file_get_entry(header + PROGRAM_FILE_SHARED);
    *table_crc = program_file_get32(header + PROGRAM_FILE_TABLE_CRC);
    return STATUS_OK;
}

/* Reads the rank table and allocates the program's arrays. */
static status_code read_table(struct program_file_reader *reader, uint64_t offset, uint32_t crc,
                              struct status *status) {
    struct program *program = reader->program;
    uint64_t table_bytes = (uint64_t)program->rank_count * PROGRAM_FILE_ENTRY_BYTES;
    RETURN_ERROR_IF(offset > reader->file_bytes || table_bytes > reader->file_bytes - offset,
                    status, STATUS_INPUT, "its rank table lies beyond the end");
    reader->table = memory_new((size_t)table_bytes, 1);
    reader->offsets = memory_new(program->rank_count, sizeof *reader->offsets);
    program->ranks = memory_new(program->rank_count, sizeof *program->ranks);
    RETURN_ERROR_IF(!reader->table || !reader->offsets || !program->ranks, status, STATUS_MEMORY,
                    "out of memory for %u ranks", program->rank_count);
    FORWARD_IF_ERROR(read_at(reader, reader->table, (size_t)table_bytes, offset, status));
    RETURN_ERROR_IF(program_file_crc_of(reader->table, (size_t)table_bytes) != crc, status,
                    STATUS_INPUT,
                    "its rank table is damaged (wrong checksum): convert the trace again");
    offset += table_bytes;
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const uint8_t *from = reader->table + (size_t)rank * PROGRAM_FILE_ENTRY_BYTES;
        struct program_file_entry entry = program_file_get_entry(from);
        struct program_rank *program_rank = &program->ranks[rank];
        program_rank->first = program->operation_count;
        program_rank->count = program_file_get32(from + PROGRAM_FILE_RANK_OPERATIONS);
        program_rank->first_wait_slot = program->wait_slot_count;
        program_rank->wait_slot_count = program_file_get32(from + PROGRAM_FILE_RANK_WAIT_SLOTS);
        program_rank->slot_count = program_file_get32(from + PROGRAM_FILE_RANK_SLOTS);
        program_rank->send_count = program_file_get32(from + PROGRAM_FILE_RANK_SENDS);
        program_rank->receive_count = program_file_get32(from + PROGRAM_FILE_RANK_RECEIVES);
        program_rank->mark_count = program_file_get32(from + PROGRAM_FILE_RANK_MARKS);
        /* Every operation and every wait slot takes at least one byte. */
        RETURN_ERROR_IF(!is_possible(reader, &entry, offset) ||
                            program_rank->count + program_rank->wait_slot_count > entry.raw_bytes,
                        status, STATUS_INPUT, "rank %u lies beyond the end", rank);
        reader->offsets[rank] = offset;
        offset += entry.stored_bytes;
        program->operation_count += program_rank->count;
        program->wait_slot_count += program_rank->wait_slot_count;
    }
    RETURN_ERROR_IF(offset != reader->file_bytes, status, STATUS_INPUT,
                    "has %" PRIu64 " byte%s too many at its end", reader->file_bytes - offset,
                    plural(reader->file_bytes - offset));
    return STATUS_OK;
}

static status_code read_rank(void *context, unsigned worker, uint64_t item, struct status *status) {
    struct program_file_reader *reader = context;
    const uint32_t rank = reader->ranks[item];
    const uint8_t *from = reader->table + (size_t)rank * PROGRAM_FILE_ENTRY_BYTES;
    const struct program_file_entry entry = program_file_get_entry(from);
    struct program_packed *packed = reader->program->packed;
    char what[32];
    if (packed != NULL && program_packed_has_no_room(packed)) return STATUS_OK;
    snprintf(what, sizeof what, "rank %u", rank);
    FORWARD_IF_ERROR(unpack(reader, worker, &entry, reader->offsets[rank], what, status));
    paging_evict(reader->program->paging);
    return program_codec_read_rank(
        reader->program, rank, program_file_get32(from + PROGRAM_FILE_RANK_OPERATIONS),
        reader->raw[worker].bytes, reader->raw[worker].size, reader->version,
        packed != NULL ? &reader->packers[worker] : NULL, status);
}

/* Lists the wanted ranks, and makes room for their wait slots. */
static status_code choose_ranks(struct program_file_reader *reader, const bool *wanted,
                                struct status *status) {
    struct program *program = reader->program;
    uint64_t slots = 0;
    reader->rank_count = 0;
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        program->ranks[rank].first_wait_slot = slots;
        if (wanted != NULL && !wanted[rank]) continue;
        slots += program->ranks[rank].wait_slot_count;
        reader->ranks[reader->rank_count++] = rank;
    }
    return paging_resize(program->paging, (void **)&program->wait_slots, 0,
                         slots * sizeof *program->wait_slots, status);
}

static status_code read_chosen(struct program_file_reader *reader, struct status *status) {
    return parallel_for(reader->workers, reader->rank_count, read_rank, reader, status);
}

void program_file_reader_free_operations(struct program_file_reader *reader) {
    struct program *program = reader->program;
    program_packed_free(program);
    paging_free_array(program->paging, program->operations);
    paging_free_array(program->paging, program->wait_slots);
    program->operations = NULL;
    program->wait_slots = NULL;
}

status_code program_file_reader_read_packed(struct program_file_reader *reader, const bool *wanted,
                                            const uint32_t *mpi_regions, bool *is_complete,
                                            struct status *status) {
    struct program *program = reader->program;
    program_file_reader_free_operations(reader);
    for (unsigned i = 0; i < reader->workers; i++)
        reader->packers[i].mpi_regions = mpi_regions;
    FORWARD_IF_ERROR(choose_ranks(reader, wanted, status));
    FORWARD_IF_ERROR(program_packed_new(program, wanted, status));
    if (is_complete == NULL) program->packed->room_bytes = UINT64_MAX;
    FORWARD_IF_ERROR(read_chosen(reader, status));
    /* Otherwise ranks are left out. */
    if (is_complete != NULL) *is_complete = !program_packed_has_no_room(program->packed);
    return STATUS_OK;
}

status_code program_file_reader_read_all(struct program_file_reader *reader,
                                         struct status *status) {
    struct program *program = reader->program;
    if (program_packing_pays(program)) {
        bool is_complete;
        FORWARD_IF_ERROR(program_file_reader_read_packed(reader, NULL, NULL, &is_complete, status));
        if (is_complete)
            return program_has_graphs(program) ? program_unpack(program, status) : STATUS_OK;
    }
    return program_file_reader_read_all_unpacked(reader, status);
}

status_code program_file_reader_read_all_unpacked(struct program_file_reader *reader,
                                                  struct status *status) {
    struct program *program = reader->program;
    program_file_reader_free_operations(reader);
    FORWARD_IF_ERROR(choose_ranks(reader, NULL, status));
    FORWARD_IF_ERROR(paging_resize(program->paging, (void **)&program->operations, 0,
                                   program->operation_count * sizeof *program->operations, status));
    return read_chosen(reader, status);
}

static status_code read_tables(struct program_file_reader *reader, struct status *status) {
    struct program *program = reader->program;
    struct program_file_entry shared = {0};
    uint32_t table_crc = 0;
    FORWARD_IF_ERROR(read_header(reader, &shared, &table_crc, status));
    FORWARD_IF_ERROR(
        unpack(reader, 0, &shared, PROGRAM_FILE_HEADER_BYTES, "the shared part", status));
    FORWARD_IF_ERROR(program_codec_read_shared(program, reader->raw[0].bytes, reader->raw[0].size,
                                               reader->version, status));
    FORWARD_IF_ERROR(
        read_table(reader, PROGRAM_FILE_HEADER_BYTES + shared.stored_bytes, table_crc, status));
    reader->ranks = memory_new(program->rank_count, sizeof *reader->ranks);
    RETURN_ERROR_IF(reader->ranks == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    program->rank_count);
    return STATUS_OK;
}

static status_code open_reader(struct program_file_reader *reader, unsigned threads,
                               struct status *status) {
    struct stat about;
    RETURN_ERROR_IF(fstat(fileno(reader->stream), &about) != 0, status, STATUS_SYSTEM, "%s",
                    strerror(errno));
    reader->file_bytes = (uint64_t)about.st_size;
    reader->workers = parallel_threads(threads, UINT64_MAX);
    reader->packed = memory_new(reader->workers, sizeof *reader->packed);
    reader->raw = memory_new(reader->workers, sizeof *reader->raw);
    reader->packers = memory_new(reader->workers, sizeof *reader->packers);
    RETURN_ERROR_IF(reader->packed == NULL || reader->raw == NULL || reader->packers == NULL,
                    status, STATUS_MEMORY, "out of memory for reading");
    return read_tables(reader, status);
}

status_code program_file_reader_new(struct program_file_reader **made, struct program *program,
                                    FILE *stream, unsigned threads, struct status *status) {
    struct program_file_reader *reader = *made = memory_new(1, sizeof *reader);
    if (reader == NULL) {
        fclose(stream);
        return status_set(status, STATUS_MEMORY, "out of memory for reading");
    }
    reader->program = program;
    reader->stream = stream;
    const status_code code = open_reader(reader, threads, status);
    if (code != STATUS_OK) {
        program_file_reader_free(reader);
        *made = NULL;
    }
    return code;
}

void program_file_reader_free_buffers(struct program_file_reader *reader) {
    for (unsigned i = 0; i < reader->workers; i++) {
        if (reader->packed != NULL) program_codec_buffer_free(&reader->packed[i]);
        if (reader->raw != NULL) program_codec_buffer_free(&reader->raw[i]);
        if (reader->packers != NULL) program_packer_free(&reader->packers[i]);
    }
    memory_trim(); /* checks of what was read have allocated and freed many small pieces */
}

void program_file_reader_free(struct program_file_reader *reader) {
    if (reader == NULL) return;
    program_file_reader_free_buffers(reader);
    fclose(reader->stream);
    free(reader->packed);
    free(reader->raw);
    free(reader->packers);
    free(reader->table);
    free(reader->offsets);
    free(reader->ranks);
    free(reader);
}
