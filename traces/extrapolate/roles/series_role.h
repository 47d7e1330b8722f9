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

/* What one rank has at a step, in one iteration. */
struct series_sample {
    uint32_t program, rank;
    const int64_t *values;
    uint32_t index[SERIES_DEPTH];
    uint32_t trips[SERIES_DEPTH];
    uint8_t view; /* the view of its program (series_views.c) in which the values hold */
    bool is_near; /* of a rank whose class in the dimension is that of the role */
};

struct series_role_step {
    uint32_t symbol;
    uint32_t depth; /* loops around it; of a loop: with itself */
    uint32_t loops[SERIES_DEPTH];
    uint32_t fixed_trips; /* of a loop: its trips if they are always the same, else 0 */
    uint64_t content;     /* of a loop: a hash of the symbols in it */
    struct series_sample *samples;
    size_t sample_count, sample_capacity;
    uint64_t visit_count; /* by symmetry: how often a rank does it */
    bool has_moved,
        has_others; /* of some and of other ranks it is a test (series_tested_requests.c) */
    struct series_value_law *laws; /* of each value; of a loop: of its trips */
    uint32_t law_count;
};

enum { SERIES_ROLE_EXAMPLES = 256 };

struct series_role {
    uint32_t key;
    struct series_shape_node shape;
    struct series_role_step *steps;
    size_t step_count, step_capacity;
    struct series_role_step *loops;
    size_t loop_count, loop_capacity;
    uint64_t members;                        /* ranks in all programs of the series */
    uint32_t programs;                       /* programs that have the role */
    uint64_t target_members;                 /* ranks of the new program */
    uint32_t examples[SERIES_ROLE_EXAMPLES]; /* some of these */
    uint32_t example_count;
    struct series_rank folded;       /* by symmetry: the steps of the role */
    char inferred_from[SERIES_TEXT]; /* role that it was inferred from; "": some program has it */
};

/* A value of a call. */
struct series_lacking {
    uint32_t symbol, field;
};

/* A rule from ranks to roles. */
struct series_role_rule {
    uint32_t row; /* in the table of series_keys.c */
    uint32_t grid;
    uint32_t parameter;
};

/* The tags of messages along one dimension of the symmetric grid, in their order. */
enum { SERIES_DIMENSION_TAGS = 16 };
struct series_dimension_tags {
    int32_t list[SERIES_DIMENSION_TAGS];
    uint32_t count;
};

#endif
