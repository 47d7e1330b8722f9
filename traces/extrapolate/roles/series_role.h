/*
 * What a role is: ranks that have the same shape, with the samples and the laws of each of their
 * steps. Private to the extrapolation; series.h lists all files.
 */
#ifndef ANAX_TRACES_SERIES_ROLE_H
#define ANAX_TRACES_SERIES_ROLE_H

#include "traces/extrapolate/laws/series_value_law.h"

/* A step or loop that ranks of a role have in common. */
struct series_shape_node {
    uint32_t symbol;        /* SERIES_LOOP: a loop */
    uint32_t index_in_role; /* in its steps or loops */
    struct series_shape_node *nodes;
    size_t count, capacity;
};

/* The values of one rank at a step of its role, in one visit (one iteration of the loops around).
 * Of a loop: the trips of one rank. */
struct series_sample {
    uint32_t program, rank;
    const int64_t *values;        /* [field]; of a loop: NULL */
    uint32_t index[SERIES_DEPTH]; /* iterations of the loops around it */
    uint32_t trips[SERIES_DEPTH]; /* trips of these loops; of a loop: its own are the last ones */
    uint8_t view; /* the view of its program (series_views.c) in which the values hold; 0: none */
    bool is_near; /* by symmetry: the rank has the class of the role in the step's dimension */
};

/* A step of a role, or a loop. */
struct series_role_step {
    uint32_t symbol;               /* SERIES_LOOP: a loop */
    uint32_t depth;                /* loops around it; of a loop: with itself */
    uint32_t loops[SERIES_DEPTH];  /* [level]: index in role->loops of these, from the outer one */
    uint32_t fixed_trips;          /* of a loop: its trips if all samples have the same; 0: not */
    uint64_t content;              /* of a loop: a hash of the symbols in it */
    struct series_sample *samples; /* in the order of programs and ranks */
    size_t sample_count, sample_capacity;
    uint64_t visit_count; /* by symmetry: how often a rank of the role visits the step */
    /* With tests that are taken as waits (series_tested_requests.c): a test was moved to the step
     * on some rank; on some rank, it is a wait of the application alone. */
    bool has_moved, has_others;
    struct series_value_law *laws; /* [field]; of a loop: of its trips */
    uint32_t law_count;
};

enum { SERIES_ROLE_EXAMPLES = 256 };

/* The ranks that have equal keys by the rule of the series. */
struct series_role {
    uint32_t key;
    struct series_shape_node shape;
    struct series_role_step *steps;
    size_t step_count, step_capacity;
    struct series_role_step *loops;
    size_t loop_count, loop_capacity;
    uint64_t members;                        /* ranks with the role in all programs of the series */
    uint32_t programs;                       /* programs that have such ranks */
    uint64_t target_members;                 /* ranks of the new program with the role */
    uint32_t examples[SERIES_ROLE_EXAMPLES]; /* some of these ranks */
    uint32_t example_count;
    struct series_rank folded;       /* by symmetry: the steps of the role */
    char inferred_from[SERIES_TEXT]; /* the role that it was inferred from; "": a program has it */
};

/* A value of the steps with a symbol. */
struct series_lacking {
    uint32_t symbol, field;
};

/* A rule from ranks to roles. */
struct series_role_rule {
    uint32_t row;       /* in the table of series_keys.c */
    uint32_t grid;      /* of a rule by a grid; otherwise 0 */
    uint32_t parameter; /* of a rule for several numbers, such as the rank that differs; or 0 */
};

/* The tags of messages along one dimension of the symmetric grid, in ascending order. */
enum { SERIES_DIMENSION_TAGS = 16 };
struct series_dimension_tags {
    int32_t list[SERIES_DIMENSION_TAGS];
    uint32_t count;
};

#endif
