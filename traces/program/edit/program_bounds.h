/*
 * Finds where a part of a program begins and ends on each rank. Private to the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_BOUNDS_H
#define ANAX_TRACES_PROGRAM_BOUNDS_H

#include "traces/program/program.h"

/* The part of a rank: its operations first … end-1. Both ends lie outside calls. */
struct program_bounds {
    uint64_t first;
    uint64_t end;
    int64_t before_ps; /* picoseconds of the computation before `first` that belong to the part */
    int64_t after_ps;  /* picoseconds of the computation at `end` that belong to the part */
};

/* Fills bounds, one entry per rank. from and to have the form described in program_extract.h.
 * option: the option that gave both, for messages; NULL: --from and --to. Errors as
 * program_extract. */
status_code program_bounds_find(struct program_bounds *bounds, const struct program *program,
                                const char *from, const char *to, const char *option,
                                struct status *status);

#endif
