/*
 * Building a program from operations of another. Inside of the traces room.
 *
 *     FORWARD_IF_ERROR(program_copy_new(&copy, whole, status));
 *     for each rank: program_copy_begin … program_copy_operations … program_copy_end
 *     FORWARD_IF_ERROR(program_copy_seal(&copy, ", from here", threads, &program, status));
 *     program_copy_free(&copy), also after errors
 */
#ifndef ANAX_TRACES_PROGRAM_COPY_H
#define ANAX_TRACES_PROGRAM_COPY_H

#include "traces/program/program_builder.h"
#include "traces/program/program_inside.h"

struct program_copy {
    const struct program *whole;
    const struct program_inside *inside; /* messages and collectives that are not are left out;
                                     NULL: none are */
    struct program_builder *builder;
    uint32_t *regions;             /* in the copy */
    uint64_t *requests;            /* per slot of the rank at hand: its request; 0: none posted */
    uint64_t *waited;              /* of the wait at hand */
    uint64_t messages_left_out;    /* sides of messages */
    uint64_t collectives_left_out; /* calls */
    bool call_lost;                /* something of the call at hand was left out */
    uint64_t depth;                /* user regions of the rank at hand that are open */
    int64_t shift_ps;              /* added to the rank's times in the trace */
    int64_t first_ps, last_ps;     /* in the trace, of all ranks */
    int64_t rank_first_ps, rank_last_ps; /* of the rank at hand; first > last: none yet */
    int64_t longest_beside_ps;           /* of a rank's computation beside its calls */
};

status_code program_copy_new(struct program_copy *copy, const struct program *whole,
                             const struct program_inside *inside, struct status *status);
void program_copy_free(struct program_copy *copy);

void program_copy_begin(struct program_copy *copy, uint32_t rank);
/* Enters a user region of the whole; it stays open until the whole leaves it, or the end. */
status_code program_copy_enter(struct program_copy *copy, uint32_t rank, uint32_t region,
                               int64_t trace_ps, struct status *status);
/* Appends operations first … end-1 of the rank in the whole. Its ends of regions that were not
 * entered in the copy, and what it waits for that was not posted there, vanish. */
status_code program_copy_operations(struct program_copy *copy, uint32_t rank, uint64_t first,
                                    uint64_t end, struct status *status);
/* Leaves what is open. */
status_code program_copy_end(struct program_copy *copy, uint32_t rank, struct status *status);

/* Of the rank at hand, once its operations are there: it computes so long before and after them. */
void program_copy_beside(struct program_copy *copy, int64_t before_ps, int64_t after_ps);

/* With the whole's notes; its source is the whole's with `how` after it. */
status_code program_copy_seal(struct program_copy *copy, const char *how, unsigned threads,
                              struct program **program, struct status *status);

#endif
