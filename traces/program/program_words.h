/*
 * Words of 8 bytes, in which packed operations lie, and how an operation is read from its word.
 * program_packed.h says why operations are packed, and writes the words. Files that read operations
 * include program.h, which has program_operation_at.
 */
#ifndef ANAX_TRACES_PROGRAM_WORDS_H
#define ANAX_TRACES_PROGRAM_WORDS_H

#include "traces/program/program_operation.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* A block begins at the rank's first word, and at each word whose place is a multiple of this. */
enum { PROGRAM_BLOCK_OPERATIONS = 32 };

struct program_block {
    int64_t trace_ps;    /* of the block's first mark */
    uint32_t first_call; /* record of the block's first CALL */
    uint32_t shape;      /* number of the block's shape among those of the rank */
};

/* Operations as words of 8 bytes, of which the lowest three bits say what the others hold. The
 * lower halves of a block's words are its shape, which blocks of a rank that have equal ones share.
 */
struct program_packed_rank {
    struct program_operation *whole_operations; /* that words refer to; owned */
    uint32_t *lower; /* the shapes: PROGRAM_BLOCK_OPERATIONS lower halves each; owned */
    uint64_t count;
    uint64_t shape_count;
    uint64_t shift; /* the word of operation i of the program has the place i + shift, modulo 2^64;
                       PROGRAM_ABSENT: the rank is not in memory */
    uint64_t block_shift; /* its block: place / PROGRAM_BLOCK_OPERATIONS + block_shift */
};

/* A shift with which every address lies where no memory can be. */
#define PROGRAM_ABSENT (UINT64_C(1) << 60)

struct program_packed {
    uint32_t *upper; /* upper halves of words; those of a rank follow each other */
    struct program_block *blocks;
    struct program_packed_rank *ranks;
    struct program_operation *array; /* what program_make_array made; NULL: nothing so far */
    pthread_mutex_t lock;            /* of `array` */
    uint64_t room_bytes;             /* for whole operations and shapes; 0: there are too many */
};

enum {
    PROGRAM_WORD_WHOLE,   /* bits 32 to 63: number among the rank's whole operations */
    PROGRAM_WORD_MESSAGE, /* 3 to 31: the same; 32 to 63: match */
    PROGRAM_WORD_MARK, /* 3, 4: kind, from CALL on; 5 to 15: region; 16 to 25: record, 32 to 63 and
                          above them 26 to 31: trace_ps, both from those of the block (record: of
                          CALL alone) */
    PROGRAM_WORD_COMPUTE, /* 32 to 63 and above them 3 to 31: duration_ps */
    PROGRAM_WORD_WAIT,    /* 3: OPERATION_FLAG_WAIT_TESTED; 4 to 31: count; 32 to 63: first */
    PROGRAM_WORD_BARE     /* 3 to 31: kind */
};

/* Returns the place of the word of an operation. index: as in program_operation_at. */
static inline uint64_t program_word_place(const struct program_packed *packed, uint32_t rank,
                                          uint64_t index) {
    return index + packed->ranks[rank].shift;
}
/* Returns the number of the block of a word, by its place. Ranks have no blocks in common. */
static inline uint64_t program_block_of(const struct program_packed *packed, uint32_t rank,
                                        uint64_t place) {
    return place / PROGRAM_BLOCK_OPERATIONS + packed->ranks[rank].block_shift;
}

/* Returns the lower half of the word at a place, of a block of the rank. */
static inline uint32_t program_word_lower(const struct program_packed *packed, uint32_t rank,
                                          const struct program_block *block, uint64_t place) {
    return packed->ranks[rank].lower[(size_t)block->shape * PROGRAM_BLOCK_OPERATIONS +
                                     (size_t)(place % PROGRAM_BLOCK_OPERATIONS)];
}
/* Returns the word at a place, of a block of the rank. */
static inline uint64_t program_word(const struct program_packed *packed, uint32_t rank,
                                    const struct program_block *block, uint64_t place) {
    return program_word_lower(packed, rank, block, place) | (uint64_t)packed->upper[place] << 32;
}

/* Reads the operation of a word. whole: those of its rank. */
static inline void program_unpack_word(struct program_operation *operation, uint64_t word,
                                       const struct program_block *block,
                                       const struct program_operation *whole) {
    const uint32_t high = (uint32_t)(word >> 32);
    switch (word & 7) {
    case PROGRAM_WORD_MESSAGE: {
        const struct program_operation *message = &whole[word >> 3 & 0x1FFFFFFF];
        program_set(operation, message->kind, message->flags, message->bytes,
                    program_pair(message->message.peer, high),
                    program_pair(message->message.slot, message->message.envelope));
        return;
    }
    case PROGRAM_WORD_MARK: {
        const uint64_t kind = OPERATION_CALL + (word >> 3 & 3);
        const uint64_t number = block->first_call + (word >> 16 & 0x3FF);
        const uint64_t time = high | (word >> 26 & 0x3F) << 32;
        program_set(operation, kind, 0, kind == OPERATION_CALL ? number : 0,
                    (uint64_t)block->trace_ps + time, program_pair(word >> 5 & 0x7FF, 0));
        return;
    }
    case PROGRAM_WORD_COMPUTE:
        program_set(operation, OPERATION_COMPUTE, 0, 0, high | (word >> 3 & 0x1FFFFFFF) << 32, 0);
        return;
    case PROGRAM_WORD_WAIT:
        program_set(operation, OPERATION_WAIT, word & 8 ? OPERATION_FLAG_WAIT_TESTED : 0, 0,
                    program_pair(high, (uint32_t)word >> 4), 0);
        return;
    case PROGRAM_WORD_BARE:
        program_set(operation, (uint32_t)word >> 3, 0, 0, 0, 0);
        return;
    default:
        *operation = whole[high];
    }
}

#endif
