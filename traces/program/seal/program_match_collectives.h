/*
 * Finds which calls of different ranks belong to the same collective. Private to the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_MATCH_COLLECTIVES_H
#define ANAX_TRACES_PROGRAM_MATCH_COLLECTIVES_H

#include "traces/program/seal/program_posted.h"

/* Numbers the instances of each communicator, tests that all members call the same sequence,
 * gathers the sizes of v- and w-collectives and sets handles_synchronise. Everything else of the
 * program is final. STATUS_INPUT names two ranks that disagree. *unequal: calls with another size
 * than the call of their communicator's first member, of kinds for which MPI asks for equal sizes.
 * These calls get the size of the first member. */
status_code program_match_collectives(struct program *program, const struct program_posted *posted,
                                      unsigned threads, uint64_t *unequal, struct status *status);

/* Tests that program_match_collectives would set the values that the program has. The order of
 * entries in sizes may differ. */
status_code program_match_collectives_check(const struct program *program,
                                            const struct program_posted *posted, unsigned threads,
                                            struct status *status);

#endif
