/*
 * Parts of the tests of a program, for processes that have different ranks of it. Private to the
 * traces room; program.h has the tests of whole programs.
 */
#ifndef ANAX_TRACES_PROGRAM_CHECK_H
#define ANAX_TRACES_PROGRAM_CHECK_H

#include "traces/program/file/program_sums.h"

/* Does what program_check_file does, by so many threads; 0: as many as are useful. */
status_code program_check_loaded(const struct program *program, unsigned threads,
                                 struct status *status);

/* Tests the tables of a program, without its operations. */
status_code program_check_tables(const struct program *program, struct status *status);

/* Tests what is about one rank alone, and the times of marks, for the ranks from `first` to before
 * `end`, which are in memory and are not graphs; program_check_tables has passed. Adds what these
 * ranks say about others to *sums. */
status_code program_check_ranks(const struct program *program, uint32_t first, uint32_t end,
                                unsigned threads, struct program_sums *sums, struct status *status);

#endif
