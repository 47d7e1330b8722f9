/*
 * Programs as bytes, before compression: the shared tables, and one rank's operations. Inside of
 * the traces room, used by program_file.c.
 */
#ifndef ANAX_TRACES_PROGRAM_CODEC_H
#define ANAX_TRACES_PROGRAM_CODEC_H

#include "traces/program/program.h"

typedef struct codec_buffer {
    uint8_t *bytes; /* owned */
    size_t size;
    size_t capacity;
} codec_buffer;

void codec_buffer_free(codec_buffer *buffer);

/* Everything but ranks, operations and wait slots. */
status_code codec_write_shared(const program *program, codec_buffer *buffer, status *status);

/* Fills the tables of a zeroed program whose rank_count is set. Every allocation is bounded by
 * size. Indices are not checked: program_check does that. */
status_code codec_read_shared(program *program, const uint8_t *bytes, size_t size, status *status);

/* One rank's operations and wait slots. scratch is kept from rank to rank; free it with
 * codec_scratch_free. */
typedef struct codec_scratch codec_scratch;
codec_scratch *codec_scratch_new(void); /* NULL: out of memory */
void codec_scratch_free(codec_scratch *scratch);

status_code codec_write_rank(const program *program, uint32_t rank, codec_scratch *scratch,
                             codec_buffer *buffer, status *status);

/* Fills the operations and wait slots of a rank whose program_rank is set and whose places are
 * allocated and zeroed. */
status_code codec_read_rank(program *program, uint32_t rank, const uint8_t *bytes, size_t size,
                            status *status);

#endif
