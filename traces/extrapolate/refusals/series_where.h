/*
 * Where something is that follows no rule: its call, the user region around it, and ranks. Private
 * to the extrapolation; series.h lists all files.
 */
#ifndef ANAX_TRACES_SERIES_WHERE_H
#define ANAX_TRACES_SERIES_WHERE_H

#include "traces/extrapolate/series.h"

enum {
    SERIES_WHERE_TEXT = 640,
    SERIES_MOST_RANGES = 8,
    SERIES_RANGES_TEXT = 32 * SERIES_MOST_RANGES
};

/* series_where.c */
/* Ranks that are written as ranges. */
struct series_ranges {
    char text[SERIES_RANGES_TEXT];
    size_t length;
    uint32_t first, last; /* the range that grows */
    uint32_t count;       /* ranks */
    uint32_t written;     /* ranges */
    uint32_t left_out;    /* ranks */
};
/* Adds a rank. */
void series_ranges_add(struct series_ranges *ranges, uint32_t rank);
/* Writes "no rank", "rank 3" or "ranks 0 to 3, 7 and 5 more". */
void series_ranges_end(struct series_ranges *ranges, char *text, size_t size);

/* Writes which call a step of a rank is: "call 14 of rank 3 of 8 ranks, in the user region force".
 * step: its number, which may be the one after the last. */
void series_where_call(const struct series *series, uint32_t program, uint32_t rank, size_t step,
                       char *text, size_t size);
/* Writes the members of a communicator. */
void series_where_members(const struct program *program, uint32_t communicator, char *text,
                          size_t size);
/* Returns the communicator of a message or collective; PROGRAM_NONE: the operation has none. Sets
 * *is_handle to whether it only makes or frees the communicator. */
uint32_t series_communicator_of(const struct program *program,
                                const struct program_operation *operation, bool *is_handle);
/* Writes which call makes a communicator, and the first one with a message or collective in it. */
void series_where_communicator(const struct program *program, uint32_t communicator, char *text,
                               size_t size);

/* series_where_step.c */
/* Writes the call of the last sample of a step or loop of a role, with its name and with the ranks
 * of the role in the sample's program. */
void series_where_step(const struct series *series, const struct series_role *role,
                       const struct series_role_step *step, bool is_loop, char *text, size_t size);
/* Writes the ranks of a program that have a role. Returns whether there are any. */
bool series_where_role(const struct series *series, uint32_t program,
                       const struct series_role *role, char *text, size_t size);

#endif
