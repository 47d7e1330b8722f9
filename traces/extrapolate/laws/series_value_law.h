/*
 * The place of a value, and the laws of a value of a step: one law, or one for each iteration of
 * some loops. series_law.h says what a law is. Private to the extrapolation; series.h lists all
 * files.
 */
#ifndef ANAX_TRACES_SERIES_VALUE_LAW_H
#define ANAX_TRACES_SERIES_VALUE_LAW_H

#include "traces/extrapolate/grids/series_grid_rule.h"
#include "traces/extrapolate/steps/series_step.h"

struct series_law;

/* The place of a value: a rank and an iteration, in a program of the series or in the new one. */
struct series_place {
    uint32_t ranks, rank;                      /* of the program, and the rank */
    const struct series_grid_extents *extents; /* of the program's grids */
    uint32_t depth;                            /* number of loops around the value */
    uint32_t index[SERIES_DEPTH]; /* [level]: iteration of the loop, from the outer one */
    uint32_t trips[SERIES_DEPTH];
};

/* In which samples of a step a law is looked for. All but SERIES_SAMPLES_ALL are for roles by
 * symmetry. */
typedef enum series_sample_choice {
    SERIES_SAMPLES_ALL,
    SERIES_SAMPLES_NEAR, /* of ranks that have the class of the role in the step's dimension */
    SERIES_SAMPLES_OWN,  /* along the step's dimension, and not along another one in a view */
    SERIES_SAMPLES_BOTH  /* those that are both: as the programs have them */
} series_sample_choice;

/* How many sets of the loops around a step there are. */
enum { SERIES_LOOP_SETS = 1 << SERIES_DEPTH };

/* Numbers that stand for a divisor in series_value_law.levels: LAW_ROUNDS + kind, for rounds of
 * ceil(log2 P), floor(log2 P) and P - 1 iterations (law_round_iterations). */
enum { LAW_ROUNDS = 64, LAW_ROUND_KINDS = 3 };

/* The laws of one value of a step. */
struct series_value_law {
    series_value_kind what;
    /* Which iterations have one law (a group).
     * 0: all iterations.
     * Below SERIES_LOOP_SETS: a set of loops (bit l: the loop at level l); each iteration of these
     * loops has a law of its own.
     * Otherwise divisor x SERIES_LOOP_SETS + 2^l: iterations i of loop l with equal i mod divisor
     * have a law of their own. But if the divisor is 1, the first iteration has one, and all others
     * another one; if it is LAW_ROUNDS or more, the first iteration of each round has one, and all
     * others another one. */
    uint32_t levels;
    uint32_t law_count;
    struct series_law *laws;     /* [group] (law_group_of) */
    series_sample_choice choice; /* of the samples that the laws were found in */
    bool is_pooled;              /* these were the samples of all roles */
    bool is_by_neighbour;        /* these were those of all messages to one neighbour */
};

#endif
