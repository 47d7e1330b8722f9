/*
 * Which collectives were called with MPI_IN_PLACE, where records do not say. Inside of the traces
 * room, while sealing.
 */
#ifndef ANAX_TRACES_PROGRAM_IN_PLACE_H
#define ANAX_TRACES_PROGRAM_IN_PLACE_H

#include "traces/program/program_posted.h"

/* Decides for every call, out of all calls of the program, and makes sizes fit. Operations must
 * stand, their arguments be the program's. *open_calls: those that may have been called the other
 * way, too. */
status_code program_in_place(struct program *program, const struct program_posted *posted,
                             uint64_t *open_calls, struct status *status);

#endif
