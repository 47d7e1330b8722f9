/*
 * Collectives: which calls of different ranks belong together. Inside of the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_INSTANCES_H
#define ANAX_TRACES_PROGRAM_INSTANCES_H

#include "traces/program/program_posted.h"

/* Numbers the instances per communicator, tests that all members agree on their sequence, gathers
 * the v- and w-forms' sizes and sets handles_synchronise. Everything else must be final.
 * STATUS_INPUT names two ranks that disagree. *unequal: calls of another size than their
 * communicator's first member names, of kinds that have the same on all. */
status_code program_instances(struct program *program, const struct program_posted *posted,
                              unsigned threads, uint64_t *unequal, struct status *status);

/* Tests that program_instances would set what is there (sizes may be stored otherwise). */
status_code program_instances_check(const struct program *program,
                                    const struct program_posted *posted, unsigned threads,
                                    struct status *status);

#endif
