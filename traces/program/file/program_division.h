/*
 * Programs that processes divide among them. Each process knows the tables of the program and the
 * counts of all ranks; the operations and wait slots of some ranks alone are in its memory, and it
 * reads others from the program file when it needs them.
 *
 * A program that is not divided has all ranks in memory, and then these functions do nothing.
 * Ranks that are graphs are not divided.
 */
#ifndef ANAX_TRACES_PROGRAM_DIVISION_H
#define ANAX_TRACES_PROGRAM_DIVISION_H

#include "traces/program/program.h"

struct program_coverage;
struct program_file_reader;
struct traces_loading;

/* Divides a program, whose reader has read the tables of the file `path`. The processes share the
 * work of testing the file, and none keeps any rank in memory. On success with *is_divided the
 * program owns the reader. Without *is_divided the program must be read as a whole: it has graphs.
 * STATUS_INPUT: the file does not hold what it should, or the error of another process. */
status_code program_division_new(bool *is_divided, struct program *program,
                                 struct program_file_reader *reader, const char *path,
                                 const struct traces_loading *loading, struct status *status);

/* Makes the wanted ranks ([rank]; NULL: all) those that are in memory. The other processes need not
 * do the same. division: that of a program; NULL: it is not divided, and nothing happens. The
 * program is constant to those who read it, so only one thread may use it meanwhile. STATUS_INPUT:
 * the file has changed. */
status_code program_division_load_ranks(struct program_division *division, const bool *wanted,
                                        struct status *status);
/* Makes sure that all ranks are in memory. */
status_code program_division_load_all(struct program_division *division, struct status *status);
/* Returns the totals of a divided program; NULL: it is not divided. */
const struct program_totals *program_division_totals(const struct program *program);
/* Returns the coverage of a divided program, as program_coverage_compute does; NULL: it is not
 * divided. */
const struct program_coverage *program_division_coverage(const struct program *program,
                                                         bool files_take_time);

/* Frees the program's division. */
void program_division_free(struct program *program);

#endif
