/*
 * Packed operations, of 8 bytes each, which programs from program files have. The word of an
 * operation has what differs from one operation to the next. What repeats is stored once: the times
 * of marks count from that of a block of operations, and messages of a rank that are equal but for
 * their match share one operation of 24 bytes. An operation that fits into no word takes 24 bytes
 * of its own.
 *
 * Must not know files. Invariant: program_unpack_word returns every operation as it was, bit for
 * bit.
 */
#ifndef ANAX_TRACES_PROGRAM_PACKED_H
#define ANAX_TRACES_PROGRAM_PACKED_H

#include "traces/key_table.h"
#include "traces/program/program.h"

/* The state of a thread that packs ranks one after another. A zeroed packer is empty. */
struct program_packer {
    struct program_operation *whole; /* operations of the present rank that words refer to */
    size_t count;
    size_t capacity;
    struct key_table known;      /* numbers of the messages among `whole`, by hash */
    const uint32_t *mpi_regions; /* [region]: its number among those of MPI. User regions are left
                                    out then, as program_remove_user_regions does. NULL: kept */
    int64_t computed_ps;         /* of computations that only user regions separate so far */
    struct program *program;
    uint32_t rank;
    uint64_t next; /* index of the next operation */
    bool has_call; /* the present block has had a CALL */
    bool has_mark;
};

/* Returns up to how many operations a program keeps whole: packing more of them saves memory that
 * counts. */
uint64_t program_plain_max(const struct program *program);
/* Returns whether packing the operations of a program with known operation_count saves memory that
 * counts. Operations that are not packed are read faster. */
bool program_packing_pays(const struct program *program);
/* Allocates packed operations for some ranks of a program with known ranks and operation_count.
 * wanted: [rank]; NULL: all. The operations are not initialised. The words lie in files if they do
 * not fit into memory, the whole operations never. */
status_code program_packed_new(struct program *program, const bool *wanted, struct status *status);

/* Frees what program_packed_new has made. */
void program_packed_free(struct program *program);
/* Returns whether the whole operations so far take too much memory. */
bool program_packed_has_no_room(struct program_packed *packed);

/* Begins to pack the operations of a rank: all of them follow in order, then program_packer_finish.
 * Several threads may do so for different ranks. */
void program_packer_begin(struct program_packer *packer, struct program *program, uint32_t rank);
/* Packs the next operation. */
status_code program_packer_add(struct program_packer *packer,
                               const struct program_operation *operation, struct status *status);
/* Ends the packing of a rank. The whole operations that the rank had remain valid until then. */
status_code program_packer_finish(struct program_packer *packer, struct status *status);

/* Frees the packer. */
void program_packer_free(struct program_packer *packer);

/* Unpacks the operations of a program. Call it before operations change. */
status_code program_unpack(struct program *program, struct status *status);

#endif
