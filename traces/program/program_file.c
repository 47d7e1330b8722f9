/*
 * Program files: anax reads a program file faster than an archive, in parallel and rank by rank.
 * Must not know OTF2; program_codec.c defines the bytes of a section.
 *
 * Layout, with little-endian numbers:
 *
 *   header        magic, version, ranks, size of the file, the shared section's entry, CRC-32s
 *   shared        tables of all ranks, deflated
 *   rank table    one entry per rank: bytes, CRC-32 and counts
 *   ranks         each rank's operations, deflated, one after another
 *
 * Invariants: a CRC-32 covers every byte of the file, so damage of up to 32 neighbouring bits is
 * always found; equal programs give equal bytes for any number of threads; reading a rank needs
 * nothing of another rank.
 */
#include "core/base/plural.h"
#include "core/files/input_file.h"
#include "core/files/output_file.h"
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "core/processes/parallel.h"
#include "traces/program/program_codec.h"
#include "traces/program/program_graph.h"
#include "traces/program/program_hash.h"
#include "traces/program/program_packed.h"
#include "traces/traces.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static const uint8_t file_magic[8] = {'A', 'N', 'A', 'X', 'P', 'R', 'G', '\n'};

/* Measured on generated programs (halo3d, sweep3d, random-pairs): level 6 takes two to three times
 * as long as level 1, which is still a fraction of the time to make the program, and saves up to a
 * third of the bytes. */
enum { DEFLATE_LEVEL = 6 };
enum { DEFLATE_RATIO_LIMIT = 1032 }; /* deflate cannot do better: bounds a file's claims */
enum { HEADER_BYTES = 64, ENTRY_BYTES = 44 };
enum { WRITE_BATCH = 64 }; /* ranks of each thread that are compressed before they are written */

/* Entry of a section of the file. */
struct file_entry {
    uint64_t stored_bytes;
    uint64_t raw_bytes;
    uint32_t crc;
};

static void put32(uint8_t *to, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static void put64(uint8_t *to, uint64_t value) {
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get32(const uint8_t *from) {
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++)
        value |= (uint32_t)from[i] << 8 * i;
    return value;
}

static uint64_t get64(const uint8_t *from) {
    return get32(from) | (uint64_t)get32(from + 4) << 32;
}

static void put_entry(uint8_t *to, const struct file_entry *entry) {
    put64(to, entry->stored_bytes);
    put64(to + 8, entry->raw_bytes);
    put32(to + 16, entry->crc);
}

static struct file_entry get_entry(const uint8_t *from) {
    return (struct file_entry){get64(from), get64(from + 8), get32(from + 16)};
}

static uint32_t crc_of(const uint8_t *bytes, size_t size) {
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, size);
}

/* ---- writing ---- */

struct file_writer {
    const struct program *program;
    int file;
    uint64_t offset;
    uint8_t *table;              /* the rank table */
    uint32_t first;              /* first rank of the current batch */
    struct codec_buffer *packed; /* for each rank of the batch */
    struct codec_buffer *raw;    /* for each worker */
    struct codec_scratch **scratch;
};

static status_code write_at(int file, const uint8_t *bytes, size_t size, uint64_t offset,
                            struct status *status) {
    while (size > 0) {
        ssize_t written = pwrite(file, bytes, size, (off_t)offset);
        if (written < 0 && errno == EINTR) continue;
        RETURN_ERROR_IF(written <= 0, status, STATUS_SYSTEM, "cannot write: %s",
                        strerror(written == 0 ? EIO : errno));
        bytes += written;
        size -= (size_t)written;
        offset += (uint64_t)written;
    }
    return STATUS_OK;
}

static status_code pack(const struct codec_buffer *raw, struct codec_buffer *packed,
                        struct file_entry *entry, struct status *status) {
    uLong bound = compressBound(raw->size);
    FORWARD_IF_ERROR(memory_grow((void **)&packed->bytes, &packed->capacity, bound, 1, status));
    uLongf size = packed->capacity;
    RETURN_ERROR_IF(compress2(packed->bytes, &size, raw->bytes, raw->size, DEFLATE_LEVEL) != Z_OK,
                    status, STATUS_MEMORY, "out of memory for compressing %zu bytes", raw->size);
    packed->size = size;
    *entry = (struct file_entry){size, raw->size, crc_of(packed->bytes, size)};
    return STATUS_OK;
}

static status_code pack_rank(void *context, unsigned worker, uint64_t item, struct status *status) {
    struct file_writer *writer = context;
    uint32_t rank = writer->first + (uint32_t)item;
    const struct program_rank *part = &writer->program->ranks[rank];
    struct file_entry entry;
    FORWARD_IF_ERROR(codec_write_rank(writer->program, rank, writer->scratch[worker],
                                      &writer->raw[worker], status));
    FORWARD_IF_ERROR(pack(&writer->raw[worker], &writer->packed[item], &entry, status));
    uint8_t *to = writer->table + (size_t)rank * ENTRY_BYTES;
    put_entry(to, &entry);
    put32(to + 20, (uint32_t)part->count);
    put32(to + 24, (uint32_t)part->wait_slot_count);
    put32(to + 28, part->slot_count);
    put32(to + 32, part->send_count);
    put32(to + 36, part->receive_count);
    put32(to + 40, part->mark_count);
    paging_bound(writer->program->paging);
    return STATUS_OK;
}

/* Returns how many ranks from `first` on are compressed before they are written: most, or fewer if
 * they are long. */
static uint32_t batch_from(const struct program *program, uint32_t first, uint32_t max) {
    enum { WRITE_OPERATIONS = 1 << 24 }; /* some 100 MB, compressed */
    uint64_t operations = 0;
    uint32_t count = 0;
    while (count < max && first + count < program->rank_count &&
           (count < max / WRITE_BATCH + 1 || operations < WRITE_OPERATIONS))
        operations += program->ranks[first + count++].count;
    return count;
}

static status_code write_ranks(struct file_writer *writer, unsigned threads, uint32_t max,
                               struct status *status) {
    uint32_t batch = 0;
    for (writer->first = 0; writer->first < writer->program->rank_count; writer->first += batch) {
        batch = batch_from(writer->program, writer->first, max);
        FORWARD_IF_ERROR(parallel_for(threads, batch, pack_rank, writer, status));
        for (uint32_t i = 0; i < batch; i++) {
            const struct codec_buffer *packed = &writer->packed[i];
            FORWARD_IF_ERROR(
                write_at(writer->file, packed->bytes, packed->size, writer->offset, status));
            writer->offset += packed->size;
        }
    }
    return STATUS_OK;
}

/* Writes the shared section, then, after room for the rank table, the ranks, and at last the table
 * and the header. */
static status_code write_sections(struct file_writer *writer, unsigned threads, uint32_t batch,
                                  struct status *status) {
    uint32_t rank_count = writer->program->rank_count;
    size_t table_bytes = (size_t)rank_count * ENTRY_BYTES;
    struct file_entry shared = {0};
    FORWARD_IF_ERROR(codec_write_shared(writer->program, &writer->raw[0], status));
    FORWARD_IF_ERROR(pack(&writer->raw[0], &writer->packed[0], &shared, status));
    FORWARD_IF_ERROR(write_at(writer->file, writer->packed[0].bytes, writer->packed[0].size,
                              HEADER_BYTES, status));
    uint64_t table_offset = HEADER_BYTES + shared.stored_bytes;
    writer->offset = table_offset + table_bytes;
    FORWARD_IF_ERROR(write_ranks(writer, threads, batch, status));
    FORWARD_IF_ERROR(write_at(writer->file, writer->table, table_bytes, table_offset, status));
    uint8_t header[HEADER_BYTES] = {0};
    memcpy(header, file_magic, sizeof file_magic);
    put32(header + 8, CODEC_VERSION);
    put32(header + 12, rank_count);
    put64(header + 16, writer->offset);
    put_entry(header + 24, &shared);
    put32(header + 44, crc_of(writer->table, table_bytes));
    put32(header + 60, crc_of(header, 60));
    return write_at(writer->file, header, HEADER_BYTES, 0, status);
}

static status_code write_file(const struct program *program, int file, unsigned threads,
                              struct status *status) {
    unsigned workers = parallel_threads(threads, program->rank_count);
    uint32_t batch = workers * WRITE_BATCH;
    if (batch > program->rank_count) batch = program->rank_count;
    struct file_writer writer = {.program = program, .file = file};
    writer.table = memory_new(program->rank_count, ENTRY_BYTES);
    writer.packed = memory_new(batch, sizeof *writer.packed);
    writer.raw = memory_new(workers, sizeof *writer.raw);
    writer.scratch = memory_new(workers, sizeof(struct codec_scratch *));
    bool whole = writer.table && writer.packed && writer.raw && writer.scratch;
    for (unsigned i = 0; whole && i < workers; i++)
        whole = (writer.scratch[i] = codec_scratch_new()) != NULL;
    status_code code = whole ? write_sections(&writer, threads, batch, status)
                             : status_set(status, STATUS_MEMORY, "out of memory for writing");
    for (uint32_t i = 0; writer.packed != NULL && i < batch; i++)
        codec_buffer_free(&writer.packed[i]);
    for (unsigned i = 0; i < workers; i++) {
        if (writer.raw != NULL) codec_buffer_free(&writer.raw[i]);
        if (writer.scratch != NULL) codec_scratch_free(writer.scratch[i]);
    }
    free(writer.table);
    free(writer.packed);
    free(writer.raw);
    free(writer.scratch);
    return code;
}

status_code traces_write_program(const struct program *program, const char *path, bool replace,
                                 unsigned threads, struct status *status) {
    struct output_file file;
    FORWARD_IF_ERROR(output_file_open(&file, path, replace, status));
    status_code code = write_file(program, fileno(file.stream), threads, status);
    if (code != STATUS_OK) status_prefix(status, "%s", path);
    return output_file_finish(&file, code, status);
}

/* ---- reading ---- */

struct file_reader {
    struct program *program;
    int file;
    unsigned version;
    uint64_t file_bytes;
    uint8_t *table;
    uint64_t *offsets;              /* offset of each rank */
    struct codec_buffer *packed;    /* for each worker */
    struct codec_buffer *raw;       /* for each worker */
    struct program_packer *packers; /* for each worker */
};

static status_code read_at(const struct file_reader *reader, uint8_t *bytes, size_t size,
                           uint64_t offset, struct status *status) {
    while (size > 0) {
        ssize_t got = pread(reader->file, bytes, size, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        RETURN_ERROR_IF(got < 0, status, STATUS_SYSTEM, "cannot read: %s", strerror(errno));
        RETURN_ERROR_IF(got == 0, status, STATUS_INPUT, "ends too early (cut short?)");
        bytes += got;
        size -= (size_t)got;
        offset += (uint64_t)got;
    }
    return STATUS_OK;
}

/* Returns true if the file is large enough for the section of an entry. */
static bool is_possible(const struct file_reader *reader, const struct file_entry *entry,
                        uint64_t offset) {
    return offset <= reader->file_bytes && entry->stored_bytes <= reader->file_bytes - offset &&
           entry->raw_bytes / DEFLATE_RATIO_LIMIT <= entry->stored_bytes;
}

/* Reads a section and decompresses it into the worker's raw buffer. */
static status_code unpack(const struct file_reader *reader, unsigned worker,
                          const struct file_entry *entry, uint64_t offset, const char *what,
                          struct status *status) {
    struct codec_buffer *packed = &reader->packed[worker], *raw = &reader->raw[worker];
    RETURN_ERROR_IF(!is_possible(reader, entry, offset), status, STATUS_INPUT,
                    "%s lies beyond the end (damaged or cut short)", what);
    FORWARD_IF_ERROR(memory_grow((void **)&packed->bytes, &packed->capacity,
                                 (size_t)entry->stored_bytes, 1, status));
    FORWARD_IF_ERROR(
        memory_grow((void **)&raw->bytes, &raw->capacity, (size_t)entry->raw_bytes + 1, 1, status));
    FORWARD_IF_ERROR(read_at(reader, packed->bytes, (size_t)entry->stored_bytes, offset, status));
    RETURN_ERROR_IF(crc_of(packed->bytes, (size_t)entry->stored_bytes) != entry->crc, status,
                    STATUS_INPUT, "%s is damaged (wrong checksum)", what);
    uLongf size = (uLongf)entry->raw_bytes;
    int result = uncompress(raw->bytes, &size, packed->bytes, (uLong)entry->stored_bytes);
    RETURN_ERROR_IF(result == Z_MEM_ERROR, status, STATUS_MEMORY, "out of memory for %s", what);
    RETURN_ERROR_IF(result != Z_OK || size != entry->raw_bytes, status, STATUS_INPUT,
                    "%s is damaged (does not decompress)", what);
    raw->size = size;
    return STATUS_OK;
}

static status_code read_header(struct file_reader *reader, struct file_entry *shared,
                               uint32_t *table_crc, struct status *status) {
    uint8_t header[HEADER_BYTES];
    FORWARD_IF_ERROR(read_at(reader, header, sizeof file_magic, 0, status));
    RETURN_ERROR_IF(memcmp(header, file_magic, sizeof file_magic) != 0, status, STATUS_INPUT,
                    "is not a program file");
    FORWARD_IF_ERROR(read_at(reader, header, HEADER_BYTES, 0, status));
    RETURN_ERROR_IF(crc_of(header, 60) != get32(header + 60), status, STATUS_INPUT,
                    "its header is damaged (wrong checksum)");
    reader->version = get32(header + 8);
    RETURN_ERROR_IF(reader->version > CODEC_VERSION, status, STATUS_INPUT,
                    "is of version %u, written by a newer anax; this one reads versions %u to %u",
                    reader->version, CODEC_OLDEST, CODEC_VERSION);
    RETURN_ERROR_IF(reader->version < CODEC_OLDEST, status, STATUS_INPUT,
                    "is of version %u, this program reads versions %u to %u: convert the trace "
                    "again",
                    reader->version, CODEC_OLDEST, CODEC_VERSION);
    RETURN_ERROR_IF(get64(header + 16) != reader->file_bytes, status, STATUS_INPUT,
                    "has %" PRIu64 " byte%s instead of %" PRIu64 " (cut short?)",
                    reader->file_bytes, plural(reader->file_bytes), get64(header + 16));
    reader->program->rank_count = get32(header + 12);
    *shared = get_entry(header + 24);
    *table_crc = get32(header + 44);
    return STATUS_OK;
}

/* Reads the rank table and allocates the program's arrays. */
static status_code read_table(struct file_reader *reader, uint64_t offset, uint32_t crc,
                              struct status *status) {
    struct program *program = reader->program;
    uint64_t table_bytes = (uint64_t)program->rank_count * ENTRY_BYTES;
    RETURN_ERROR_IF(offset > reader->file_bytes || table_bytes > reader->file_bytes - offset,
                    status, STATUS_INPUT, "its rank table lies beyond the end");
    reader->table = memory_new((size_t)table_bytes, 1);
    reader->offsets = memory_new(program->rank_count, sizeof *reader->offsets);
    program->ranks = memory_new(program->rank_count, sizeof *program->ranks);
    RETURN_ERROR_IF(!reader->table || !reader->offsets || !program->ranks, status, STATUS_MEMORY,
                    "out of memory for %u ranks", program->rank_count);
    FORWARD_IF_ERROR(read_at(reader, reader->table, (size_t)table_bytes, offset, status));
    RETURN_ERROR_IF(crc_of(reader->table, (size_t)table_bytes) != crc, status, STATUS_INPUT,
                    "its rank table is damaged (wrong checksum)");
    offset += table_bytes;
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const uint8_t *from = reader->table + (size_t)rank * ENTRY_BYTES;
        struct file_entry entry = get_entry(from);
        struct program_rank *part = &program->ranks[rank];
        part->first = program->operation_count;
        part->count = get32(from + 20);
        part->first_wait_slot = program->wait_slot_count;
        part->wait_slot_count = get32(from + 24);
        part->slot_count = get32(from + 28);
        part->send_count = get32(from + 32);
        part->receive_count = get32(from + 36);
        part->mark_count = get32(from + 40);
        /* Every operation and every wait slot takes at least one byte. */
        RETURN_ERROR_IF(!is_possible(reader, &entry, offset) ||
                            part->count + part->wait_slot_count > entry.raw_bytes,
                        status, STATUS_INPUT, "rank %u lies beyond the end", rank);
        reader->offsets[rank] = offset;
        offset += entry.stored_bytes;
        program->operation_count += part->count;
        program->wait_slot_count += part->wait_slot_count;
    }
    RETURN_ERROR_IF(offset != reader->file_bytes, status, STATUS_INPUT,
                    "has %" PRIu64 " byte%s too many at its end", reader->file_bytes - offset,
                    plural(reader->file_bytes - offset));
    return paging_resize(program->paging, (void **)&program->wait_slots, 0,
                         program->wait_slot_count * sizeof *program->wait_slots, status);
}

static status_code read_rank(void *context, unsigned worker, uint64_t rank, struct status *status) {
    struct file_reader *reader = context;
    struct file_entry entry = get_entry(reader->table + rank * ENTRY_BYTES);
    struct program_packed *packed = reader->program->packed;
    char what[32];
    if (packed != NULL && program_packed_is_full(packed)) return STATUS_OK;
    snprintf(what, sizeof what, "rank %u", (uint32_t)rank);
    FORWARD_IF_ERROR(unpack(reader, worker, &entry, reader->offsets[rank], what, status));
    paging_bound(reader->program->paging);
    return codec_read_rank(reader->program, (uint32_t)rank, reader->raw[worker].bytes,
                           reader->raw[worker].size, reader->version,
                           packed != NULL ? &reader->packers[worker] : NULL, status);
}

/* Reads the operations of all ranks. They are packed, unless that saves little, or so many of them
 * are whole that those do not fit into memory. */
static status_code read_ranks(struct file_reader *reader, unsigned threads, struct status *status) {
    struct program *program = reader->program;
    if (program_packed_pays(program)) {
        FORWARD_IF_ERROR(program_packed_new(program, status));
        FORWARD_IF_ERROR(parallel_for(threads, program->rank_count, read_rank, reader, status));
        if (!program_packed_is_full(program->packed)) /* otherwise ranks are left out */
            return program_has_graphs(program) ? program_unpack(program, status) : STATUS_OK;
        program_packed_free(program);
    }
    FORWARD_IF_ERROR(paging_resize(program->paging, (void **)&program->operations, 0,
                                   program->operation_count * sizeof *program->operations, status));
    return parallel_for(threads, program->rank_count, read_rank, reader, status);
}

static status_code read_sections(struct file_reader *reader, unsigned threads,
                                 struct status *status) {
    struct program *program = reader->program;
    struct file_entry shared = {0};
    uint32_t table_crc = 0;
    FORWARD_IF_ERROR(read_header(reader, &shared, &table_crc, status));
    FORWARD_IF_ERROR(unpack(reader, 0, &shared, HEADER_BYTES, "the shared part", status));
    FORWARD_IF_ERROR(codec_read_shared(program, reader->raw[0].bytes, reader->raw[0].size,
                                       reader->version, status));
    FORWARD_IF_ERROR(read_table(reader, HEADER_BYTES + shared.stored_bytes, table_crc, status));
    FORWARD_IF_ERROR(read_ranks(reader, threads, status));
    FORWARD_IF_ERROR(program_check_file(program, status));
    uint64_t hash;
    FORWARD_IF_ERROR(program_hash(program, threads, &hash, status));
    RETURN_ERROR_IF(hash != program->content_hash, status, STATUS_INPUT,
                    "does not hold the program it was written from");
    return STATUS_OK;
}

static status_code read_file(struct file_reader *reader, unsigned threads, struct status *status) {
    unsigned workers = parallel_threads(threads, UINT64_MAX);
    reader->packed = memory_new(workers, sizeof *reader->packed);
    reader->raw = memory_new(workers, sizeof *reader->raw);
    reader->packers = memory_new(workers, sizeof *reader->packers);
    status_code code = reader->packed != NULL && reader->raw != NULL && reader->packers != NULL
                           ? read_sections(reader, threads, status)
                           : status_set(status, STATUS_MEMORY, "out of memory for reading");
    for (unsigned i = 0; i < workers; i++) {
        if (reader->packed != NULL) codec_buffer_free(&reader->packed[i]);
        if (reader->raw != NULL) codec_buffer_free(&reader->raw[i]);
        if (reader->packers != NULL) program_packer_free(&reader->packers[i]);
    }
    free(reader->packed);
    free(reader->raw);
    free(reader->packers);
    free(reader->table);
    free(reader->offsets);
    memory_trim(); /* the check has allocated and freed many small pieces */
    return code;
}

static status_code read_open_file(int file, struct program *program, unsigned threads,
                                  struct status *status) {
    struct stat about;
    RETURN_ERROR_IF(fstat(file, &about) != 0, status, STATUS_SYSTEM, "%s", strerror(errno));
    struct file_reader reader = {
        .program = program, .file = file, .file_bytes = (uint64_t)about.st_size};
    return read_file(&reader, threads, status);
}

status_code traces_read_program(struct program **result, const char *path, unsigned threads,
                                struct status *status) {
    return traces_read_paged(result, path, NULL, threads, status);
}

status_code traces_read_paged(struct program **result, const char *path, struct paging *paging,
                              unsigned threads, struct status *status) {
    *result = NULL;
    FILE *file;
    struct program *program = memory_new(1, sizeof *program);
    status_code code = input_file_open(&file, path, status);
    if (code != STATUS_OK || program == NULL) {
        if (code == STATUS_OK) fclose(file);
        free(program);
        paging_free(paging);
        return code != STATUS_OK ? code
                                 : status_set(status, STATUS_MEMORY, "out of memory for reading");
    }
    program->paging = paging;
    code = read_open_file(fileno(file), program, threads, status);
    fclose(file);
    if (code != STATUS_OK) {
        program_free(program);
        return status_prefix(status, "%s", path);
    }
    *result = program;
    return STATUS_OK;
}

status_code traces_is_program_file(bool *is_program, const char *path, struct status *status) {
    FILE *file;
    FORWARD_IF_ERROR(input_file_open(&file, path, status));
    uint8_t start[sizeof file_magic];
    *is_program = fread(start, 1, sizeof start, file) == sizeof start &&
                  memcmp(start, file_magic, sizeof start) == 0;
    bool no_memory = ferror(file) && errno == ENOMEM;
    fclose(file);
    RETURN_ERROR_IF(no_memory, status, STATUS_MEMORY, "%s: out of memory for reading it", path);
    return STATUS_OK;
}
