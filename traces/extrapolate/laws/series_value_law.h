/*
 * Where a value of a step stands, and how many laws it has: one, or one for each iteration of some
 * loops. series_law.h says what a law is. Private to the extrapolation; series.h lists all files.
 */
#ifndef ANAX_TRACES_SERIES_VALUE_LAW_H
#define ANAX_TRACES_SERIES_VALUE_LAW_H

#include "traces/extrapolate/grids/series_grid_rule.h"
#include "traces/extrapolate/steps/series_step.h"

struct series_law;

/* The place of a value: rank and iteration, in a program of the series or in the new one. */
struct series_place {
    uint32_t ranks, rank;
    const struct series_grid_extents *extents;
    uint32_t depth;
    uint32_t index[SERIES_DEPTH];
    uint32_t trips[SERIES_DEPTH];
};

/* In which samples of a step a law is looked for, if roles follow from symmetry. */
typedef enum series_sample_choice {
    SERIES_SAMPLES_ALL,
    SERIES_SAMPLES_NEAR, /* of ranks whose class in the dimension is that of the role */
    SERIES_SAMPLES_OWN,  /* of the dimension itself, not of another one that is alike */
    SERIES_SAMPLES_BOTH  /* near, and of the dimension itself: as the programs have them */
} series_sample_choice;

/* How many sets of the loops around a step there are. */
enum { SERIES_LOOP_SETS = 1 << SERIES_DEPTH };

/* Numbers that stand for a divisor, from LAW_ROUNDS on: rounds of ceil(log2 P), floor(log2 P) and P
 * - 1 iterations. */
enum { LAW_ROUNDS = 64, LAW_ROUND_KINDS = 3 };

/* The laws of one value of a step: one law, or one for each iteration of some loops. */
struct series_value_law {
    series_value_kind what;
    /* Below SERIES_LOOP_SETS: a set of loops, each iteration of which has a law of its own; 0: all
     * have one law. Else divisor·SERIES_LOOP_SETS + 2^l: the iterations i of loop l with equal
     * i mod divisor have a law of their own; divisor 1: the first iteration, and all others;
     * LAW_ROUNDS and more: the first iteration of each round, and all others. */
    uint32_t levels;
    uint32_t law_count;
    struct series_law *laws;
    series_sample_choice choice; /* of samples that the laws were found in */
    bool is_pooled;              /* the samples were those of all roles */
    bool is_by_neighbour;        /* they were those of all messages to a neighbour */
};

#endif
