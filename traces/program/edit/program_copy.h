/*
 * Builds a program from operations of another program. Private to the traces room.
 *
 *     FORWARD_IF_ERROR(program_copy_new(&copy, whole, NULL, status));
 *     for each rank: program_copy_begin … program_copy_operations … program_copy_end
 *     FORWARD_IF_ERROR(program_copy_seal(&copy, ", from here", threads, &program, status));
 *     program_copy_free(&copy), also after errors
 */
#ifndef ANAX_TRACES_PROGRAM_COPY_H
#define ANAX_TRACES_PROGRAM_COPY_H

#include "traces/program/builder/program_builder.h"
#include "traces/program/edit/program_inside.h"

struct program_copy {
    const struct program *whole;
    const struct program_inside *inside; /* the copy leaves out messages and collectives that do not
                                            lie inside; NULL: it leaves out none */
    struct program_builder *builder;
    uint32_t *regions;             /* index in the copy of each region */
    uint64_t *requests;            /* for each slot of the current rank: its request; 0: none */
    uint32_t *files;               /* as regions */
    bool drops_files;              /* leaves out all accesses to files */
    uint64_t *waited;              /* requests of the current wait */
    uint64_t messages_left_out;    /* sends and receives left out */
    uint64_t collectives_left_out; /* calls of collectives left out */
    bool call_lost;                /* true if the copy has left out something of the current call */
    uint64_t depth;                /* open user regions of the current rank */
    int64_t shift_ps;              /* picoseconds added to the current rank's times in the trace */
    int64_t first_ps, last_ps;     /* first and last time in the trace, of all ranks */
    int64_t rank_first_ps, rank_last_ps; /* of the current rank; first > last: no time yet */
    int64_t longest_beside_ps; /* longest computation of a rank before and after its operations */
};

/* Begins a copy of `whole`, which must exist as long as the copy. Free the copy also after errors.
 */
status_code program_copy_new(struct program_copy *copy, const struct program *whole,
                             const struct program_inside *inside, struct status *status);
/* Begins a copy of all but files and the accesses to them, as program_copy_new does. */
status_code program_copy_new_without_files(struct program_copy *copy, const struct program *whole,
                                           struct status *status);

/* Frees a copy that was begun by either function. */
void program_copy_free(struct program_copy *copy);

/* Begins the operations of a rank. */
void program_copy_begin(struct program_copy *copy, uint32_t rank);
/* Enters a user region of the whole program in the copy. It stays open until the whole program
 * leaves it, or until the rank ends. */
status_code program_copy_enter(struct program_copy *copy, uint32_t rank, uint32_t region,
                               int64_t trace_ps, struct status *status);
/* Appends the operations first … end-1 of the rank in the whole program. Leaves out the ends of
 * regions that the copy has not entered, and waits for requests that the copy has not posted. */
status_code program_copy_operations(struct program_copy *copy, uint32_t rank, uint64_t first,
                                    uint64_t end, struct status *status);
/* Leaves all open regions and ends the rank. */
status_code program_copy_end(struct program_copy *copy, uint32_t rank, struct status *status);

/* Records how long the current rank computes before and after its operations, once the operations
 * are appended. */
void program_copy_beside(struct program_copy *copy, int64_t before_ps, int64_t after_ps);

/* Seals the copy with the notes of the whole program. The copy's source is the whole program's
 * source followed by `how`. */
status_code program_copy_seal(struct program_copy *copy, const char *how, unsigned threads,
                              struct program **program, struct status *status);

#endif
