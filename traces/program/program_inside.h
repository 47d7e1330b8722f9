/*
 * Which messages and collectives lie between places of the ranks, with all of their sides. Inside
 * of the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_INSIDE_H
#define ANAX_TRACES_PROGRAM_INSIDE_H

#include "traces/program/program_bounds.h"
#include "traces/program/program_posted.h"

struct program_inside {
    const struct program *whole;
    const struct program_bounds *bounds; /* per rank */
    struct program_posted posted;
    uint64_t *first_instance; /* per communicator: its part of `present` */
    uint32_t *present;        /* per instance: members whose call lies inside */
};

/* Free also after errors. */
status_code program_inside_new(struct program_inside *inside, const struct program *whole,
                               const struct program_bounds *bounds, unsigned threads,
                               struct status *status);
void program_inside_free(struct program_inside *inside);

/* Of an operation that lies inside, number `place` of the rank: does the other side of the message,
 * or every other member's call of the collective, too? Messages that meet nobody do, and
 * collectives that are not counted by all members alike. The other side of taking a window's lock
 * is giving it back. */
bool program_inside_message(const struct program_inside *inside, uint32_t rank, uint64_t place);
bool program_inside_collective(const struct program_inside *inside,
                               const struct program_operation *operation);

#endif
