/*
 * Takes tests (MPI_Test and its relatives) that found requests complete as waits for these
 * requests. The wait is at a place where the rank would have waited if the test had not found them
 * complete (series_test_use). Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_TESTS_H
#define ANAX_TRACES_SERIES_TESTS_H

#include "traces/extrapolate/series.h"

/* Flag of a CALL in these operations: a test was moved to it. */
#define SERIES_CALL_OF_TEST 1u

/* The operations of a rank after its tests were moved. */
struct series_operations {
    struct program_operation *list;
    size_t count, capacity;
    uint32_t *slots; /* as wait_slots of a program; each request has a slot of its own */
    size_t slot_count, slot_capacity;
    uint64_t tests; /* how many were moved */
};

/* Returns whether the programs have calls that only test, and found requests complete, and calls of
 * MPI_Wait or its relatives. */
bool series_tested_are_there(const struct series *series);
/* Gives the calls of tests the names of the corresponding waits in the steps: MPI_Testall that of
 * MPI_Waitall. */
void series_tested_rename(struct series *series);
/* Makes the operations of a rank with its tests moved to the place that series->assumptions.tests
 * says. The caller frees them with series_operations_free, also after errors. STATUS_INPUT: there
 * is no such place after a test. STATUS_MEMORY. */
status_code series_tested_move(const struct series *series, const struct series_program *from,
                               uint32_t rank, struct series_operations *operations,
                               struct status *status);
void series_operations_free(struct series_operations *operations);
/* Returns whether a region is MPI_Test or one of its relatives. */
bool series_tested_is_test(const struct program *program, uint32_t region);
/* STATUS_INPUT: tests were moved to a step of a role at which no rank of the role waits without
 * them. Sets series->outcome.lacks_waits to whether there is such a step. */
status_code series_tested_check(struct series *series, struct status *status);

#endif
