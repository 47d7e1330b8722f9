/*
 * The operations of a rank in which a test (MPI_Test and its kin) that found requests complete is a
 * wait for them: where the rank would have waited, had the test not found them complete.
 */
#ifndef ANAX_TRACES_SERIES_TESTS_H
#define ANAX_TRACES_SERIES_TESTS_H

#include "traces/extrapolate/output/series_output.h"
#include "traces/extrapolate/series.h"

/* Flag of a CALL in rewritten operations: it waits where tests were moved to. */
#define SERIES_CALL_OF_TEST 1u

struct series_operations {
    struct program_operation *list;
    size_t count, capacity;
    uint32_t *slots; /* as wait_slots of a program; each request has a slot of its own */
    size_t slot_count, slot_capacity;
    uint64_t tests; /* that are taken as waits */
};

/* Returns whether the programs have tests that found requests complete, and waits. */
bool series_tested_are_there(const struct series *series);
/* Maps the regions of tests to those of waits for as many requests. */
void series_tested_rename(struct series *series);
/* Writes the operations of a rank with its tests moved to its next wait. The caller frees them with
 * series_operations_free. STATUS_INPUT: no wait follows a test. */
status_code series_tested_move(const struct series *series, const struct series_program *from,
                               uint32_t rank, struct series_operations *operations,
                               struct status *status);
void series_operations_free(struct series_operations *operations);
/* Returns whether a call of a program is a test. */
bool series_tested_is_test(const struct program *program, uint32_t region);
/* STATUS_INPUT: in some role, tests were moved to a place where no rank of it waits. Sets
 * series->outcome.lacks_waits to that. */
status_code series_tested_check(struct series *series, struct status *status);

#endif
