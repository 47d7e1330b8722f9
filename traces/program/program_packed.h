/*
 * Packed operations, which programs from program files and large archives have. The word of 8 bytes
 * of an operation has what differs from one operation to the next. What repeats is stored once: the
 * times of marks count from that of a block of operations, messages of a rank that are equal but
 * for their match share one operation of 24 bytes, and blocks share the lower halves of their
 * words. An operation that fits into no word takes 24 bytes of its own.
 *
 * Must not know files. Invariant: program_unpack_word returns every operation as it was, bit for
 * bit.
 */
#ifndef ANAX_TRACES_PROGRAM_PACKED_H
#define ANAX_TRACES_PROGRAM_PACKED_H

#include "traces/key_table.h"
#include "traces/program/program.h"

enum { PROGRAM_PACKER_RECENT_BITS = 7, PROGRAM_PACKER_RECENT = 1 << PROGRAM_PACKER_RECENT_BITS };

/* The state of a thread that packs ranks one after another. A zeroed packer is empty. */
struct program_packer {
    struct program_operation *whole; /* operations of the present rank that words refer to */
    size_t count;
    size_t capacity;
    struct key_table known;                 /* numbers of the messages among `whole`, by hash */
    uint32_t recent[PROGRAM_PACKER_RECENT]; /* numbers of some recent messages among `whole` */
    uint32_t *lower;                        /* shapes of the present rank */
    size_t shape_count;
    size_t lower_capacity;
    struct key_table shapes; /* their numbers, by hash */
    uint32_t *after;         /* [shape]: that of the block that followed last */
    size_t after_capacity;
    uint32_t last_shape;
    uint32_t *upper;              /* where upper halves go, by place */
    struct program_block *blocks; /* where blocks go, by place / PROGRAM_BLOCK_OPERATIONS */
    uint64_t place;               /* of the next word */
    struct program_block block;   /* the present one */
    uint32_t shape[PROGRAM_BLOCK_OPERATIONS];
    bool is_open;  /* the present block has words */
    bool has_call; /* the present block has had a CALL */
    bool has_mark;
    const uint32_t *mpi_regions; /* [region]: its number among those of MPI. User regions are left
                                    out then, as program_remove_user_regions does. NULL: kept */
    int64_t computed_ps;         /* of computations that only user regions separate so far */
    struct program *program;
    uint32_t rank;
    uint64_t next; /* index of the next operation */
};

/* Returns up to how many operations a program keeps whole: packing more of them saves memory that
 * counts. */
uint64_t program_plain_max(const struct program *program);
/* Returns whether packing the operations of a program with known operation_count saves memory that
 * counts. Operations that are not packed are read faster. */
bool program_packing_pays(const struct program *program);
/* Makes packed operations without words and blocks, which the caller provides, with the places of
 * ranks. */
status_code program_packed_empty(struct program *program, struct status *status);
/* Allocates packed operations for some ranks of a program with known ranks and operation_count.
 * wanted: [rank]; NULL: all. The operations are not initialised. The words lie in files if they do
 * not fit into memory, the whole operations never. */
status_code program_packed_new(struct program *program, const bool *wanted, struct status *status);

/* Frees what program_packed_new has made. */
void program_packed_free(struct program *program);
/* Returns whether the whole operations so far take too much memory. */
bool program_packed_has_no_room(struct program_packed *packed);

/* Gives a rank whole operations and shapes in place of those that it has. The program owns both
 * arrays from then on. Several threads may do so for different ranks. */
void program_packed_set_rank(struct program *program, uint32_t rank,
                             struct program_operation *whole_operations, uint64_t count,
                             uint32_t *lower, uint64_t shape_count);

/* Begins to pack the operations of a rank: all of them follow in order, then program_packer_finish.
 * Several threads may do so for different ranks. */
void program_packer_begin(struct program_packer *packer, struct program *program, uint32_t rank);
/* Packs the next operation. */
status_code program_packer_add(struct program_packer *packer,
                               const struct program_operation *operation, struct status *status);
/* Begins to pack a rank into arrays of the caller, at place 0. The caller puts every operation with
 * program_packer_put, makes room before (program_packer_into), and ends with program_packer_keep.
 */
void program_packer_alone(struct program_packer *packer);
/* Sets the arrays of the caller, which may have moved. */
static inline void program_packer_into(struct program_packer *packer, uint32_t *upper,
                                       struct program_block *blocks) {
    packer->upper = upper;
    packer->blocks = blocks;
}
/* Packs an operation at the next place. *word: its word, for program_word_whole. */
status_code program_packer_put(struct program_packer *packer,
                               const struct program_operation *operation, uint64_t *word,
                               struct status *status);
/* Returns the number, among the whole operations, of the one that a word of a message or of a whole
 * operation refers to. */
static inline uint64_t program_word_whole(uint64_t word) {
    return (word & 7) == PROGRAM_WORD_MESSAGE ? word >> 3 & 0x1FFFFFFF : word >> 32;
}
/* Ends the last block, and gives a rank of the program the whole operations and shapes. */
status_code program_packer_keep(struct program_packer *packer, struct program *program,
                                uint32_t rank, struct status *status);
/* Begins to change messages of a packed rank in place: with program_packer_change, then
 * program_packer_keep. */
status_code program_packer_again(struct program_packer *packer, struct program *program,
                                 uint32_t rank, struct status *status);
/* Gives a message, whose match may not change, another word. */
status_code program_packer_change(struct program_packer *packer, uint64_t place,
                                  const struct program_operation *message, struct status *status);
/* Ends the packing of a rank. The whole operations and shapes that it had remain valid until then.
 */
status_code program_packer_finish(struct program_packer *packer, struct status *status);

/* Frees the packer. */
void program_packer_free(struct program_packer *packer);

/* Unpacks the operations of a program. Call it before operations change. */
status_code program_unpack(struct program *program, struct status *status);

#endif
