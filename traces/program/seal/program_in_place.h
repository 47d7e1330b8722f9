/*
 * Decides which collectives were called with MPI_IN_PLACE if the records do not say so. Private to
 * the traces room, while a program is sealed.
 */
#ifndef ANAX_TRACES_PROGRAM_IN_PLACE_H
#define ANAX_TRACES_PROGRAM_IN_PLACE_H

#include "traces/program/seal/program_posted.h"

/* Decides for every call, from all calls of the program, and corrects the sizes of calls whose
 * reading changes. The operations have their places, and their arguments are indices in the
 * program's tables. *open_calls: calls that may have been called the other way. */
status_code program_decide_in_place(struct program *program, const struct program_posted *posted,
                                    uint64_t *open_calls, struct status *status);

#endif
