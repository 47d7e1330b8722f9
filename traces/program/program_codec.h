/*
 * Programs as bytes, before compression: the shared tables, and one rank's operations. Inside of
 * the traces room, used by program_file.c.
 */
#ifndef ANAX_TRACES_PROGRAM_CODEC_H
#define ANAX_TRACES_PROGRAM_CODEC_H

#include "traces/program/program.h"

struct codec_buffer {
    uint8_t *bytes; /* owned */
    size_t size;
    size_t capacity;
};

void codec_buffer_free(struct codec_buffer *buffer);

/* Everything but ranks, operations and wait slots. */
status_code codec_write_shared(const struct program *program, struct codec_buffer *buffer,
                               struct status *status);

/* Fills the tables of a zeroed program whose rank_count is set. Every allocation is bounded by
 * size. Indices are not checked: program_check does that. */
status_code codec_read_shared(struct program *program, const uint8_t *bytes, size_t size,
                              struct status *status);

/* One rank's operations and wait slots. scratch is kept from rank to rank; free it with
 * codec_scratch_free. */
struct codec_scratch;
struct codec_scratch *codec_scratch_new(void); /* NULL: out of memory */
void codec_scratch_free(struct codec_scratch *scratch);

status_code codec_write_rank(const struct program *program, uint32_t rank,
                             struct codec_scratch *scratch, struct codec_buffer *buffer,
                             struct status *status);

/* Fills the operations and wait slots of a rank whose program_rank is set and whose places are
 * allocated and zeroed. */
status_code codec_read_rank(struct program *program, uint32_t rank, const uint8_t *bytes,
                            size_t size, struct status *status);

#endif
