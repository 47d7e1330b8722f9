/*
 * Where a part of a program begins and ends on each rank. Inside of the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_BOUNDS_H
#define ANAX_TRACES_PROGRAM_BOUNDS_H

#include "traces/program/program.h"

/* Operations first … end-1 of a rank. Both ends lie outside calls. */
struct program_bounds {
    uint64_t first;
    uint64_t end;
    int64_t before_ps; /* so much of the computation before `first` belongs to it */
    int64_t after_ps;  /* and of that at `end` */
};

/* bounds: rank_count entries, for from and to as in program_part. option: with which both were
 * given, for messages; NULL: --from and --to. */
status_code program_bounds_find(struct program_bounds *bounds, const struct program *program,
                                const char *from, const char *to, const char *option,
                                struct status *status);

#endif
