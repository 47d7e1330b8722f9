/*
 * Computes how much of the content of a trace its program carries.
 */
#ifndef ANAX_TRACES_PROGRAM_COVERAGE_H
#define ANAX_TRACES_PROGRAM_COVERAGE_H

#include "traces/program/program.h"

/* The coverage of a program. MPI_Init and MPI_Finalize count neither as calls nor as time, and
 * calls that make communicators do not count as time: in these calls ranks wait for the last rank
 * to start. */
struct program_coverage {
    uint64_t messages;         /* sends and receives */
    uint64_t unmatched;        /* sends and receives without a partner */
    uint64_t calls;            /* MPI calls that have an effect on other ranks */
    uint64_t unmodelled_calls; /* calls that are not modelled: nothing happens in them */
    uint64_t collectives; /* calls of collectives, except those that make or free communicators and
                             windows */
    uint64_t unmodelled_collectives; /* of these, those that are not modelled */
    uint64_t time_ns;                /* recorded time in calls, summed over ranks */
    uint64_t unmodelled_ns; /* recorded time in calls that are not modelled and in waits for their
                               requests */
    uint64_t accesses;      /* reads and writes of files */
    uint32_t most_called;   /* region with the most unmodelled calls; PROGRAM_NONE: none */
    uint32_t longest;       /* region with the most time in unmodelled calls, else in waits for
                               requests of such calls; PROGRAM_NONE: none */
};

/* Returns true if the program leaves out non-blocking collectives that trace.guess_collectives
 * could replay. */
bool program_lacks_collectives(const struct program *program);

/* Computes the coverage of a program in one pass over its operations. Unless files take time, calls
 * that only read or write files are not modelled, and neither are the waits for them. */
status_code program_coverage_compute(const struct program *program, bool files_take_time,
                                     struct program_coverage *coverage, struct status *status);

/* The coverage of some ranks. Has no pointers, so that processes can exchange it. */
struct program_coverage_sums;

/* Returns sums of no rank, which the caller frees; NULL: out of memory. */
struct program_coverage_sums *program_coverage_new(const struct program *program,
                                                   struct status *status);
/* Returns the bytes of the sums of a program. */
size_t program_coverage_bytes(const struct program *program);
/* Adds a rank, which is in memory. STATUS_MEMORY. */
status_code program_coverage_add(struct program_coverage_sums *sums, const struct program *program,
                                 uint32_t rank, struct status *status);
/* Adds the sums of other ranks of the program: their bytes, at any place. */
void program_coverage_join(struct program_coverage_sums *sums, const void *others);
/* Computes the coverage from the sums of all ranks. */
void program_coverage_conclude(const struct program_coverage_sums *sums, bool files_take_time,
                               struct program_coverage *coverage);

#endif
