/*
 * Tells which messages and collectives lie completely inside a part of a program: all their sides
 * do. Private to the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_INSIDE_H
#define ANAX_TRACES_PROGRAM_INSIDE_H

#include "traces/program/edit/program_bounds.h"
#include "traces/program/seal/program_posted.h"

struct program_inside {
    const struct program *whole;
    const struct program_bounds *bounds; /* part of each rank */
    struct program_posted posted;
    uint64_t *first_instance; /* index in `present` of each communicator's first instance */
    uint32_t *present;        /* for each instance: members whose call lies inside */
};

/* Finds what lies inside. Free `inside` also after errors. */
status_code program_inside_new(struct program_inside *inside, const struct program *whole,
                               const struct program_bounds *bounds, unsigned threads,
                               struct status *status);

/* Frees what program_inside_new has made. */
void program_inside_free(struct program_inside *inside);

/* Returns true if the other side of a message lies inside too. The operation itself lies inside;
 * its number on the rank is `place`. Returns true also for messages without a partner. The other
 * side of an operation that takes a window's lock is the operation that releases the lock. */
bool program_inside_has_message(const struct program_inside *inside, uint32_t rank, uint64_t place);
/* Returns true if every other member's call of a collective lies inside, as the operation itself
 * does; and also if the members do not all count it alike. */
bool program_inside_has_collective(const struct program_inside *inside,
                                   const struct program_operation *operation);

#endif
