/*
 * Encodes programs as bytes, before compression: the shared tables, and the operations of one rank.
 * Private to the traces room; program_file_writer.c uses it.
 */
#ifndef ANAX_TRACES_PROGRAM_CODEC_H
#define ANAX_TRACES_PROGRAM_CODEC_H

#include "traces/program/program.h"

/* Versions of the content of sections. The oldest one has no values of collectives (elements, pairs
 * of ranks), those before CODEC_WITH_FILES have no files, and those before CODEC_WITH_TOPOLOGIES no
 * topologies. All of them can be read. */
enum {
    CODEC_OLDEST = 7,
    CODEC_WITH_VALUES = 8,
    CODEC_WITH_FILES = 9,
    CODEC_WITH_TOPOLOGIES = 10,
    CODEC_VERSION = CODEC_WITH_TOPOLOGIES
};

struct program_codec_buffer {
    uint8_t *bytes; /* owned by the buffer */
    size_t size;
    size_t capacity;
};

/* Frees the bytes of a buffer. */
void program_codec_buffer_free(struct program_codec_buffer *buffer);

/* Encodes everything except ranks, operations and wait slots. */
status_code program_codec_write_shared(const struct program *program,
                                       struct program_codec_buffer *buffer, struct status *status);

/* Decodes the shared tables into a zeroed program whose rank_count is set. Allocations are bounded
 * by size. STATUS_INPUT: the bytes cannot be decoded. The function does not check indices;
 * program_check does. */
status_code program_codec_read_shared(struct program *program, const uint8_t *bytes, size_t size,
                                      unsigned version, struct status *status);

struct program_codec_scratch;
/* Makes the memory that program_codec_write_rank works in; NULL: out of memory. */
struct program_codec_scratch *program_codec_scratch_new(void);

/* Frees what program_codec_scratch_new has made. */
void program_codec_scratch_free(struct program_codec_scratch *scratch);

/* Encodes the operations and wait slots of one rank. The caller reuses scratch from rank to rank.
 */
status_code program_codec_write_rank(const struct program *program, uint32_t rank,
                                     struct program_codec_scratch *scratch,
                                     struct program_codec_buffer *buffer, struct status *status);

struct program_packer;
/* Decodes the operations and wait slots of a rank. count: its operations in the file. Its
 * program_rank is set, and the program's arrays are allocated. packer: packs the operations; NULL:
 * they are not packed. STATUS_INPUT: the bytes cannot be decoded. */
status_code program_codec_read_rank(struct program *program, uint32_t rank, uint64_t count,
                                    const uint8_t *bytes, size_t size, unsigned version,
                                    struct program_packer *packer, struct status *status);

#endif
