/*
 * How much of what a trace holds its program carries.
 */
#ifndef ANAX_TRACES_PROGRAM_COVERAGE_H
#define ANAX_TRACES_PROGRAM_COVERAGE_H

#include "traces/program/program.h"

/* MPI_Init and MPI_Finalize are left out of calls and times, what makes communicators out of times:
 * there ranks wait until the last one has started. */
struct program_coverage {
    uint64_t messages;         /* sends and receives */
    uint64_t unmatched;        /* of them, without a partner */
    uint64_t calls;            /* of MPI, that have an effect on other ranks */
    uint64_t unmodelled_calls; /* of them, in which nothing happens */
    uint64_t collectives;      /* calls of collectives but those that make or free handles */
    uint64_t unmodelled_collectives;
    uint64_t time_ns;       /* recorded in calls, over all ranks */
    uint64_t unmodelled_ns; /* in those that are not modelled, and in waits for their requests */
    uint32_t most_called;   /* region of the most unmodelled calls; PROGRAM_NONE: there are none */
    uint32_t longest;       /* region of the most time in unmodelled calls; the same */
};

/* Whether non-blocking collectives are not modelled that could be guessed
 * (trace.guess_collectives).
 */
bool program_lacks_collectives(const struct program *program);

status_code program_coverage_of(const struct program *program, struct program_coverage *coverage,
                                struct status *status);

#endif
