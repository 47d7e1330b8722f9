/*
 * Which messages and collectives lie between places of the ranks, with all of their sides. Inside
 * of the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_INSIDE_H
#define ANAX_TRACES_PROGRAM_INSIDE_H

#include "traces/program/program_bounds.h"
#include "traces/program/program_posted.h"

typedef struct program_inside {
    const program *whole;
    const program_bounds *bounds; /* per rank */
    program_posted posted;
    uint64_t *first_instance; /* per communicator: its part of `present` */
    uint32_t *present;        /* per instance: members whose call lies inside */
} program_inside;

/* Free also after errors. */
status_code program_inside_new(program_inside *inside, const program *whole,
                               const program_bounds *bounds, unsigned threads, status *status);
void program_inside_free(program_inside *inside);

/* Of an operation that lies inside, number `place` of the rank: does the other side of the message,
 * or every other member's call of the collective, too? Messages that meet nobody do, and
 * collectives that are not counted by all members alike. The other side of taking a window's lock
 * is giving it back. */
bool program_inside_message(const program_inside *inside, uint32_t rank, uint64_t place);
bool program_inside_collective(const program_inside *inside, const program_operation *operation);

#endif
