/*
 * Texts for refusals about where a value, a communicator or a rank without a rule is. All of them
 * have no more bytes than their size, with the final zero. Private to the extrapolation; series.h
 * lists all files.
 */
#ifndef ANAX_TRACES_SERIES_WHERE_H
#define ANAX_TRACES_SERIES_WHERE_H

#include "traces/extrapolate/series.h"

enum {
    SERIES_WHERE_TEXT = 640, /* bytes of a text about a place */
    SERIES_MOST_RANGES = 8,  /* that are written */
    SERIES_RANGES_TEXT = 32 * SERIES_MOST_RANGES
};

/* series_where.c */
/* Ranks that are written as ranges. The caller zeroes it at first. */
struct series_ranges {
    char text[SERIES_RANGES_TEXT]; /* the ranges before the current one */
    size_t length;                 /* of the text */
    uint32_t first, last;          /* the current range */
    uint32_t count;                /* ranks that were added */
    uint32_t written;              /* ranges in the text */
    uint32_t left_out;             /* ranks of further ranges */
};
/* Adds a rank. Ranks must ascend to be in one range. */
void series_ranges_add(struct series_ranges *ranges, uint32_t rank);
/* Writes all ranks: "no rank", "rank 3" or "ranks 0 to 3, 7 and 5 more". */
void series_ranges_end(struct series_ranges *ranges, char *text, size_t size);

/* Writes which call a step of a rank is: "call 14 of rank 3 of 8 ranks, in the user region force".
 * step: its number, which may be the one after the last. */
void series_where_call(const struct series *series, uint32_t program, uint32_t rank, size_t step,
                       char *text, size_t size);
/* Writes the members of a communicator as ranges. */
void series_where_members(const struct program *program, uint32_t communicator, char *text,
                          size_t size);
/* Returns the communicator of a message or collective; PROGRAM_NONE: the operation is neither. Sets
 * *is_handle to whether it only makes or frees the communicator. */
uint32_t series_communicator_of(const struct program *program,
                                const struct program_operation *operation, bool *is_handle);
/* Writes which call makes a communicator, and which is the first one with a message or collective
 * in it: "is made by MPI_Comm_split (call 2 of rank 0 of 8 ranks) and is first used by ...". */
void series_where_communicator(const struct program *program, uint32_t communicator, char *text,
                               size_t size);

/* series_where_step.c */
/* Writes the call of the last sample of a step of a role, with its name, its rank, the role, and
 * the ranks of the role in the sample's program. is_loop: `step` is a loop; writes the first call
 * in it. */
void series_where_step(const struct series *series, const struct series_role *role,
                       const struct series_role_step *step, bool is_loop, char *text, size_t size);
/* Writes the ranks of a program that have a role. Returns whether there are any. */
bool series_where_role(const struct series *series, uint32_t program,
                       const struct series_role *role, char *text, size_t size);

#endif
