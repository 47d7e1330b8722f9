/*
 * Reads the operations of a program in files ahead of the ranks that go through them. Ranks go
 * forward, each at its own place, so the places are far apart in the files, and the system cannot
 * guess what comes next.
 *
 * Must not know what operations mean. Invariant: what is read ahead decides nothing but the time
 * that reading takes.
 */
#ifndef ANAX_TRACES_PROGRAM_READ_AHEAD_H
#define ANAX_TRACES_PROGRAM_READ_AHEAD_H

#include "core/base/compiler_hints.h"
#include "traces/program/program.h"

struct program_read_ahead {
    const struct program *program;
    uint64_t stretch; /* operations that are read at once */
    uint64_t *until;  /* [rank]: index of the first operation that is not read ahead */
};

/* Makes an object that reads ahead for rank_count ranks that go through their operations; several
 * such objects may serve one program. Sets *made to NULL if no operations lie in files. */
status_code program_read_ahead_new(struct program_read_ahead **made, const struct program *program,
                                   uint32_t rank_count, struct status *status);

/* Frees what program_read_ahead_new has made. */
void program_read_ahead_free(struct program_read_ahead *ahead);

/* Reads ahead for a rank that has come to the operation with the index. For
 * program_read_ahead_advance. */
void program_read_ahead_fetch(struct program_read_ahead *ahead, uint32_t rank, uint64_t index);

/* Records that a rank has come to an operation. ahead may be NULL. Only one thread at a time may
 * call this for a rank. */
static inline void program_read_ahead_advance(struct program_read_ahead *ahead, uint32_t rank,
                                              uint64_t index) {
    if (HINT_UNLIKELY(ahead != NULL) && index + ahead->stretch > ahead->until[rank])
        program_read_ahead_fetch(ahead, rank, index);
}

#endif
