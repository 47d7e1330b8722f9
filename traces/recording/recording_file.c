/*
 * Reads the file of one rank: its header, its blocks and its tail (core/files/recording_format.h).
 * A file that was cut gives the records before the cut.
 */
#include "traces/recording/recording.h"

#include "core/files/input_file.h"
#include "core/memory/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

/* Deflate makes bytes fewer by this factor at most: so many raw bytes a block may claim. */
enum { RATIO_LIMIT = 1032 };

/* A file while it is read. */
struct file_reader {
    FILE *file;
    struct recording_header header;
    uint64_t file_bytes;
    recording_sink sink;
    void *context;
    bool is_refused;       /* the sink has returned an error */
    uint8_t *packed, *raw; /* the records of the current block, deflated and inflated */
    size_t packed_capacity, raw_capacity;
    /* Signatures of the current block. */
    uint64_t *words;
    size_t word_count, word_capacity;
    size_t *firsts; /* signature n has the words firsts[n] … firsts[n + 1] - 1 */
    size_t signatures, first_capacity;
    uint64_t records; /* read so far */
};

status_code recording_path(char path[RECORDING_PATH_BYTES], const char *folder, uint32_t rank,
                           struct status *status) {
    int length = snprintf(path, RECORDING_PATH_BYTES, "%s/rank-%06u.rec", folder, rank);
    RETURN_ERROR_IF(length < 0 || length >= RECORDING_PATH_BYTES, status, STATUS_INPUT,
                    "%s: the path is too long", folder);
    return STATUS_OK;
}

static status_code read_at(FILE *file, void *bytes, size_t size, uint64_t offset,
                           struct status *status) {
    RETURN_ERROR_IF(fseeko(file, (off_t)offset, SEEK_SET) != 0, status, STATUS_SYSTEM,
                    "cannot read: %s", strerror(errno));
    size_t got = fread(bytes, 1, size, file);
    RETURN_ERROR_IF(got != size && ferror(file), status, STATUS_SYSTEM, "cannot read: %s",
                    strerror(errno));
    RETURN_ERROR_IF(got != size, status, STATUS_INPUT, "ends too early (cut short?)");
    return STATUS_OK;
}

static uint32_t crc_of(const void *bytes, size_t size) {
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, size);
}

static status_code check_header(const struct recording_header *header, struct status *status) {
    RETURN_ERROR_IF(memcmp(header->magic, RECORDING_MAGIC, sizeof header->magic) != 0, status,
                    STATUS_INPUT, "is not the recording of a rank");
    RETURN_ERROR_IF(header->version < 1 || header->version > RECORDING_VERSION, status,
                    STATUS_INPUT,
                    "is of version %u, this program reads versions 1 to %u: convert the recording "
                    "with the anax that made it",
                    header->version, RECORDING_VERSION);
    RETURN_ERROR_IF(crc_of(header, offsetof(struct recording_header, crc)) != header->crc, status,
                    STATUS_INPUT, "its header is damaged (wrong checksum)");
    RETURN_ERROR_IF(header->rank >= header->rank_count || header->host[63] != '\0' ||
                        header->library[191] != '\0' || header->tail_bytes > RECORDING_TAIL_BYTES ||
                        header->state > RECORDING_NO_SPACE,
                    status, STATUS_INPUT, "its header is damaged");
    return STATUS_OK;
}

static status_code open_file(struct file_reader *reader, const char *path, struct status *status) {
    struct stat about;
    FORWARD_IF_ERROR(input_file_open(&reader->file, path, status));
    status_code code = read_at(reader->file, &reader->header, sizeof reader->header, 0, status);
    if (code == STATUS_OK) code = check_header(&reader->header, status);
    if (code == STATUS_OK && fstat(fileno(reader->file), &about) != 0)
        code = status_set(status, STATUS_SYSTEM, "%s", strerror(errno));
    if (code == STATUS_OK) reader->file_bytes = (uint64_t)about.st_size;
    return code == STATUS_OK ? code : status_prefix(status, "%s", path);
}

status_code recording_read_header(struct recording_header *header, const char *path,
                                  struct status *status) {
    struct file_reader reader = {0};
    status_code code = open_file(&reader, path, status);
    if (reader.file != NULL) fclose(reader.file);
    *header = reader.header;
    return code;
}

/* ---- records ---- */

/* Takes a varint. Returns false at the end of the bytes, or if it has more than 64 bits. */
static bool take_varint(const uint8_t **at, const uint8_t *end, uint64_t *value) {
    uint64_t sum = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        const uint8_t byte = *(*at)++;
        sum |= (uint64_t)(byte & 0x7F) << shift;
        if (byte >= 0x80) continue;
        *value = sum;
        return shift < 63 || byte <= 1;
    }
    return false;
}

static status_code refuse_record(const struct file_reader *reader, struct status *status) {
    return status_set(status, STATUS_INPUT, "record %" PRIu64 " is damaged", reader->records);
}

/* Takes a new signature. */
static status_code take_signature(struct file_reader *reader, const uint8_t **at,
                                  const uint8_t *end, struct status *status) {
    uint64_t count;
    if (!take_varint(at, end, &count) || count == 0 || count > (size_t)(end - *at))
        return refuse_record(reader, status);
    FORWARD_IF_ERROR(memory_grow((void **)&reader->words, &reader->word_capacity,
                                 reader->word_count + count, sizeof *reader->words, status));
    FORWARD_IF_ERROR(memory_grow((void **)&reader->firsts, &reader->first_capacity,
                                 reader->signatures + 2, sizeof *reader->firsts, status));
    for (uint64_t i = 0; i < count; i++)
        if (!take_varint(at, end, &reader->words[reader->word_count + i]))
            return refuse_record(reader, status);
    reader->firsts[reader->signatures++] = reader->word_count;
    reader->word_count += count;
    reader->firsts[reader->signatures] = reader->word_count;
    return STATUS_OK;
}

static status_code take_record(struct file_reader *reader, const uint8_t **at, const uint8_t *end,
                               struct status *status) {
    uint64_t number, gap, processor = 0, duration;
    if (!take_varint(at, end, &number)) return refuse_record(reader, status);
    if (number == 0) FORWARD_IF_ERROR(take_signature(reader, at, end, status));
    if (number == 0) number = reader->signatures;
    if (number > reader->signatures || !take_varint(at, end, &gap) ||
        ((gap & 1) != 0 && !take_varint(at, end, &processor)) || !take_varint(at, end, &duration))
        return refuse_record(reader, status);
    const uint64_t *words = reader->words + reader->firsts[number - 1];
    const uint64_t limit = PROGRAM_TIME_LIMIT_PS / 1000;
    if (words[0] % RECORDING_CALLS_LIMIT >= RECORDING_CALL_COUNT || gap / 2 > limit ||
        processor > gap / 2 || duration > limit || words[0] / RECORDING_CALLS_LIMIT > UINT32_MAX)
        return refuse_record(reader, status);
    struct recording_record record = {.place = reader->records,
                                      .call = (uint32_t)(words[0] % RECORDING_CALLS_LIMIT),
                                      .thread = (uint32_t)(words[0] / RECORDING_CALLS_LIMIT),
                                      .words = words + 1,
                                      .word_count =
                                          reader->firsts[number] - reader->firsts[number - 1] - 1,
                                      .gap_ns = (int64_t)(gap / 2),
                                      .processor_ns = (gap & 1) != 0 ? (int64_t)processor : -1,
                                      .duration_ns = (int64_t)duration};
    status_code code =
        reader->sink != NULL ? reader->sink(reader->context, &record, status) : STATUS_OK;
    reader->is_refused = code != STATUS_OK;
    FORWARD_IF_ERROR(code);
    reader->records++;
    return STATUS_OK;
}

static status_code take_records(struct file_reader *reader, const uint8_t *bytes, size_t size,
                                struct status *status) {
    const uint8_t *at = bytes, *end = bytes + size;
    reader->word_count = reader->signatures = 0;
    while (at < end)
        FORWARD_IF_ERROR(take_record(reader, &at, end, status));
    return STATUS_OK;
}

/* ---- blocks ---- */

/* Reads the block at an offset and moves the offset behind it. */
static status_code read_block(struct file_reader *reader, uint32_t number, uint64_t *offset,
                              struct status *status) {
    struct recording_block block;
    FORWARD_IF_ERROR(read_at(reader->file, &block, sizeof block, *offset, status));
    *offset += sizeof block;
    RETURN_ERROR_IF(block.magic != RECORDING_BLOCK_MAGIC || block.block_number != number ||
                        crc_of(&block, offsetof(struct recording_block, header_crc)) !=
                            block.header_crc ||
                        block.stored_bytes > reader->file_bytes - *offset ||
                        block.raw_bytes / RATIO_LIMIT > block.stored_bytes,
                    status, STATUS_INPUT, "block %u is damaged", number);
    FORWARD_IF_ERROR(memory_grow((void **)&reader->packed, &reader->packed_capacity,
                                 block.stored_bytes, 1, status));
    FORWARD_IF_ERROR(memory_grow((void **)&reader->raw, &reader->raw_capacity,
                                 (size_t)block.raw_bytes + 1, 1, status));
    FORWARD_IF_ERROR(read_at(reader->file, reader->packed, block.stored_bytes, *offset, status));
    *offset += block.stored_bytes;
    uLongf size = block.raw_bytes;
    RETURN_ERROR_IF(crc_of(reader->packed, block.stored_bytes) != block.crc ||
                        uncompress(reader->raw, &size, reader->packed, block.stored_bytes) !=
                            Z_OK ||
                        size != block.raw_bytes,
                    status, STATUS_INPUT, "block %u is damaged (wrong checksum)", number);
    return take_records(reader, reader->raw, size, status);
}

static status_code read_all(struct file_reader *reader, struct status *status) {
    uint64_t offset = RECORDING_HEADER_BYTES + RECORDING_TAIL_BYTES;
    const struct recording_header *header = &reader->header;
    RETURN_ERROR_IF(reader->file_bytes < offset, status, STATUS_INPUT,
                    "ends too early (cut short?)");
    for (uint32_t i = 0; i < header->blocks; i++)
        FORWARD_IF_ERROR(read_block(reader, i, &offset, status));
    /* The tail has the records of block number tail_block, unless that block was written. */
    if (header->tail_block != header->blocks || header->tail_bytes == 0) return STATUS_OK;
    size_t size = (size_t)header->tail_bytes;
    FORWARD_IF_ERROR(memory_grow((void **)&reader->raw, &reader->raw_capacity, size, 1, status));
    FORWARD_IF_ERROR(read_at(reader->file, reader->raw, size, RECORDING_HEADER_BYTES, status));
    return take_records(reader, reader->raw, size, status);
}

status_code recording_read(const char *path, recording_sink sink, void *context,
                           struct recording_extent *extent, struct status *status) {
    struct file_reader reader = {.sink = sink, .context = context};
    status_code code = open_file(&reader, path, status);
    if (code == STATUS_OK && read_all(&reader, status) != STATUS_OK) {
        /* After a failure of the computer, the file can lack what was not written yet. */
        bool is_cut = reader.header.state == RECORDING_RUNS && !reader.is_refused &&
                      reader.records > 0 && status->code == STATUS_INPUT;
        if (is_cut)
            status_clear(status);
        else
            code = status_prefix(status, "%s", path);
    }
    if (extent != NULL)
        *extent = (struct recording_extent){reader.records, (recording_state)reader.header.state,
                                            reader.header.code};
    if (reader.file != NULL) fclose(reader.file);
    free(reader.packed);
    free(reader.raw);
    free(reader.words);
    free(reader.firsts);
    return code;
}

/* ---- items ---- */

static const struct {
    const char *name;
    uint8_t words;
} item_rows[] = {
#define ITEM_ROW(name, words) {#name, words},
    RECORDING_ITEMS(ITEM_ROW)
#undef ITEM_ROW
};

/* Returns how many words follow those of an item; UINT64_MAX: too many. */
static uint64_t count_listed(recording_item item, const uint64_t *words) {
    switch (item) {
    case RECORDING_SIZES:
        return words[0];
    case RECORDING_NAME:
    case RECORDING_REGION:
    case RECORDING_FILE:
        return words[1];
    case RECORDING_SIGNAL:
        return words[2];
    case RECORDING_CARTESIAN:
        return words[1] < RECORDING_WORDS_LIMIT ? 2 * words[1] : UINT64_MAX;
    case RECORDING_GRAPH:
        if (words[1] > RECORDING_WORDS_LIMIT || words[2] > RECORDING_WORDS_LIMIT) return UINT64_MAX;
        return words[1] + words[2];
    case RECORDING_COMMUNICATOR:
        if (words[4] > RECORDING_WORDS_LIMIT || words[5] > RECORDING_WORDS_LIMIT) return UINT64_MAX;
        return words[4] + words[5];
    case RECORDING_NEIGHBOURS:
        if (words[2] > RECORDING_WORDS_LIMIT || words[3] > RECORDING_WORDS_LIMIT) return UINT64_MAX;
        return 3 * (words[2] + words[3]);
    default:
        return 0;
    }
}

bool recording_next(const struct recording_record *record, size_t *at, struct recording_part *part,
                    struct status *status) {
    if (*at >= record->word_count) return false;
    size_t left = record->word_count - *at;
    uint64_t item = record->words[*at];
    bool fits = item < RECORDING_ITEM_KINDS && item_rows[item].words < left;
    if (fits) {
        part->item = (recording_item)item;
        part->words = record->words + *at + 1;
        part->listed = part->words + item_rows[item].words;
        left -= 1 + (size_t)item_rows[item].words;
        uint64_t listed = count_listed(part->item, part->words);
        fits = listed <= left;
        part->listed_count = fits ? (size_t)listed : 0;
    }
    if (!fits) {
        (void)status_set(status, STATUS_INPUT, "record %" PRIu64 " (%s) is damaged", record->place,
                         recording_call_name(record->call));
        return false;
    }
    *at = (size_t)(part->listed - record->words) + part->listed_count;
    return true;
}

static const struct {
    const char *name;
    bool is_poll;
} call_rows[] = {
#define CALL_ROW(name, is_poll) {"MPI_" #name, is_poll},
    RECORDING_CALLS(CALL_ROW)
#undef CALL_ROW
};

const char *recording_call_name(uint32_t call) {
    return call < RECORDING_CALL_COUNT ? call_rows[call].name : "?";
}

bool recording_is_poll(uint32_t call) {
    return call < RECORDING_CALL_COUNT && call_rows[call].is_poll;
}
