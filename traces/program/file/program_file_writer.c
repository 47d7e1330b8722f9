/*
 * Writes program files, which anax reads faster than archives, in parallel and rank by rank.
 * program_file_format.h has their format. Must not know OTF2.
 */
#include "traces/program/file/program_file_writer.h"
#include "core/files/output_file.h"
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "core/processes/parallel.h"
#include "traces/program/file/program_codec.h"
#include "traces/program/file/program_file_format.h"
#include "traces/traces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint8_t file_magic[PROGRAM_FILE_MAGIC_BYTES] = PROGRAM_FILE_MAGIC;

/* Measured on generated programs (halo3d, sweep3d, random-pairs): level 6 takes two to three times
 * as long as level 1, which is still a fraction of the time to make the program, and saves up to a
 * third of the bytes. */
enum { DEFLATE_LEVEL = 6 };
enum { WRITE_BATCH = 64 }; /* ranks of each thread that are compressed before they are written */

struct file_writer {
    const struct program *program;
    int descriptor; /* of the file */
    int level;      /* of deflation */
    uint64_t offset;
    uint8_t *table;                      /* the rank table */
    uint32_t first;                      /* first rank of the current batch */
    struct program_codec_buffer *packed; /* for each rank of the batch */
    struct program_codec_buffer *raw;    /* for each worker */
    struct program_codec_scratch **scratch;
};

static status_code write_at(int descriptor, const uint8_t *bytes, size_t size, uint64_t offset,
                            struct status *status) {
    while (size > 0) {
        ssize_t written = pwrite(descriptor, bytes, size, (off_t)offset);
        if (written < 0 && errno == EINTR) continue;
        RETURN_ERROR_IF(written <= 0, status, STATUS_SYSTEM, "cannot write: %s",
                        strerror(written == 0 ? EIO : errno));
        bytes += written;
        size -= (size_t)written;
        offset += (uint64_t)written;
    }
    return STATUS_OK;
}

static status_code pack(const struct program_codec_buffer *raw, struct program_codec_buffer *packed,
                        struct program_file_entry *entry, int level, struct status *status) {
    uLong bound = compressBound(raw->size);
    FORWARD_IF_ERROR(memory_grow((void **)&packed->bytes, &packed->capacity, bound, 1, status));
    uLongf size = packed->capacity;
    RETURN_ERROR_IF(compress2(packed->bytes, &size, raw->bytes, raw->size, level) != Z_OK, status,
                    STATUS_MEMORY, "out of memory for compressing %zu bytes", raw->size);
    packed->size = size;
    *entry = (struct program_file_entry){size, raw->size, program_file_crc_of(packed->bytes, size)};
    return STATUS_OK;
}

static status_code pack_rank(void *context, unsigned worker, uint64_t item, struct status *status) {
    struct file_writer *writer = context;
    uint32_t rank = writer->first + (uint32_t)item;
    const struct program_rank *program_rank = &writer->program->ranks[rank];
    struct program_file_entry entry;
    FORWARD_IF_ERROR(program_codec_write_rank(writer->program, rank, writer->scratch[worker],
                                              &writer->raw[worker], status));
    FORWARD_IF_ERROR(
        pack(&writer->raw[worker], &writer->packed[item], &entry, writer->level, status));
    uint8_t *to = writer->table + (size_t)rank * PROGRAM_FILE_ENTRY_BYTES;
    program_file_put_entry(to, &entry);
    program_file_put32(to + PROGRAM_FILE_RANK_OPERATIONS, (uint32_t)program_rank->count);
    program_file_put32(to + PROGRAM_FILE_RANK_WAIT_SLOTS, (uint32_t)program_rank->wait_slot_count);
    program_file_put32(to + PROGRAM_FILE_RANK_SLOTS, program_rank->slot_count);
    program_file_put32(to + PROGRAM_FILE_RANK_SENDS, program_rank->send_count);
    program_file_put32(to + PROGRAM_FILE_RANK_RECEIVES, program_rank->receive_count);
    program_file_put32(to + PROGRAM_FILE_RANK_MARKS, program_rank->mark_count);
    paging_evict(writer->program->paging);
    return STATUS_OK;
}

/* Returns how many ranks from `first` on are compressed before they are written. At most `max`,
 * which is WRITE_BATCH ranks for each thread. Fewer if they have many operations, but at least one
 * for each thread, so that no thread is idle. */
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
            const struct program_codec_buffer *packed = &writer->packed[i];
            FORWARD_IF_ERROR(
                write_at(writer->descriptor, packed->bytes, packed->size, writer->offset, status));
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
    size_t table_bytes = (size_t)rank_count * PROGRAM_FILE_ENTRY_BYTES;
    struct program_file_entry shared = {0};
    FORWARD_IF_ERROR(program_codec_write_shared(writer->program, &writer->raw[0], status));
    FORWARD_IF_ERROR(pack(&writer->raw[0], &writer->packed[0], &shared, writer->level, status));
    FORWARD_IF_ERROR(write_at(writer->descriptor, writer->packed[0].bytes, writer->packed[0].size,
                              PROGRAM_FILE_HEADER_BYTES, status));
    uint64_t table_offset = PROGRAM_FILE_HEADER_BYTES + shared.stored_bytes;
    writer->offset = table_offset + table_bytes;
    FORWARD_IF_ERROR(write_ranks(writer, threads, batch, status));
    FORWARD_IF_ERROR(
        write_at(writer->descriptor, writer->table, table_bytes, table_offset, status));
    uint8_t header[PROGRAM_FILE_HEADER_BYTES] = {0};
    memcpy(header, file_magic, sizeof file_magic);
    program_file_put32(header + PROGRAM_FILE_VERSION, CODEC_VERSION);
    program_file_put32(header + PROGRAM_FILE_RANK_COUNT, rank_count);
    program_file_put64(header + PROGRAM_FILE_FILE_BYTES, writer->offset);
    program_file_put_entry(header + PROGRAM_FILE_SHARED, &shared);
    program_file_put32(header + PROGRAM_FILE_TABLE_CRC,
                       program_file_crc_of(writer->table, table_bytes));
    program_file_put32(header + PROGRAM_FILE_HEADER_CRC,
                       program_file_crc_of(header, PROGRAM_FILE_HEADER_CRC));
    return write_at(writer->descriptor, header, PROGRAM_FILE_HEADER_BYTES, 0, status);
}

status_code program_file_write(const struct program *program, int descriptor, int level,
                               unsigned threads, struct status *status) {
    unsigned workers = parallel_threads(threads, program->rank_count);
    uint32_t batch = workers * WRITE_BATCH;
    if (batch > program->rank_count) batch = program->rank_count;
    struct file_writer writer = {.program = program, .descriptor = descriptor, .level = level};
    writer.table = memory_new(program->rank_count, PROGRAM_FILE_ENTRY_BYTES);
    writer.packed = memory_new(batch, sizeof *writer.packed);
    writer.raw = memory_new(workers, sizeof *writer.raw);
    writer.scratch = memory_new(workers, sizeof(struct program_codec_scratch *));
    bool is_allocated = writer.table && writer.packed && writer.raw && writer.scratch;
    for (unsigned i = 0; is_allocated && i < workers; i++)
        is_allocated = (writer.scratch[i] = program_codec_scratch_new()) != NULL;
    status_code code = is_allocated
                           ? write_sections(&writer, threads, batch, status)
                           : status_set(status, STATUS_MEMORY, "out of memory for writing");
    /* If memory ran out, some of the arrays are NULL, and the others may be partly filled. */
    for (uint32_t i = 0; writer.packed != NULL && i < batch; i++)
        program_codec_buffer_free(&writer.packed[i]);
    for (unsigned i = 0; i < workers; i++) {
        if (writer.raw != NULL) program_codec_buffer_free(&writer.raw[i]);
        if (writer.scratch != NULL) program_codec_scratch_free(writer.scratch[i]);
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
    status_code code =
        program_file_write(program, fileno(file.stream), DEFLATE_LEVEL, threads, status);
    if (code != STATUS_OK) status_prefix(status, "%s", path);
    return output_file_finish(&file, code, status);
}
