/*
 * Rules of coordinates: the table of rules by which a coordinate of a partner follows from the
 * rank's own coordinate. Private to the extrapolation. See law_peers.c.
 */
#ifndef ANAX_TRACES_LAW_RULES_H
#define ANAX_TRACES_LAW_RULES_H

#include "traces/extrapolate/laws/series_law.h"

/* What the coordinate of a partner follows from. */
struct rule_context {
    int64_t own, extent;         /* the rank's coordinate, and the extent of its dimension */
    int64_t index, trips;        /* of the loop of the rule; 0 if the rule has no iterations */
    const uint32_t *coordinates; /* the rank's own, in all dimensions */
    int64_t parameter;
    const struct series *series;
    const struct series_place *place;
};

/* Returns the partner's coordinate; outside 0 to extent - 1: there is no partner. */
typedef int64_t rule_function(const struct rule_context *c);

/* Which parameters a rule may have; next_parameter of law_peers.c lists them. */
typedef enum rule_parameter {
    RULE_WITH_NOTHING,
    RULE_WITH_STEPS,           /* -8 to 8 */
    RULE_WITH_FEW,             /* -1, 0 or 1 */
    RULE_WITH_SOLVED,          /* a number that follows from the first sample */
    RULE_WITH_DIMENSION,       /* a dimension of the grid */
    RULE_WITH_OTHER_DIMENSION, /* a dimension of the grid, but that of the coordinate */
    RULE_WITH_FAR,             /* the step of the last sample, if it is longer than 8 */
    RULE_WITH_ARITY,           /* 2 to 4 children */
    RULE_WITH_CHILD,    /* a child, from 1, times RULE_CHILD_UNIT, plus the 2 to 4 children */
    RULE_WITH_TURN,     /* 0 or 1 */
    RULE_WITH_RADIX,    /* 3 to 8 */
    RULE_WITH_DISTANCE, /* row of a distance (law_distances.c) plus 1, of either sign */
    RULE_WITH_ORDER     /* index in series->grids.orders */
} rule_parameter;
enum { RULE_CHILD_UNIT = 8 };

/* Kinds of rules that the search distinguishes. */
typedef enum rule_kind {
    RULE_OTHER,
    RULE_STEP,          /* a step along the dimension, of the length of the parameter */
    RULE_NUMBER,        /* always the coordinate of the parameter */
    RULE_FROM_END,      /* always the coordinate of the parameter, from the end */
    RULE_MIRROR,        /* extent - 1 less the rank's coordinate */
    RULE_TREE,          /* a parent or child in a tree */
    RULE_SHIFT_OF_LINES /* a step whose length is the coordinate in another dimension */
} rule_kind;

/* A rule. */
struct rule_row {
    rule_function *function;
    const char *text; /* #: the parameter */
    rule_parameter parameter;
    bool has_index;  /* depends on an iteration */
    bool is_late;    /* looked for only if no other rule fits in any grid, and among all ranks only;
                        shifts of lines, in grids of several dimensions only */
    bool is_of_grid; /* may be an alternative in grids of several dimensions */
    rule_kind kind;
};

enum { RULE_ROWS = 49 };
extern const struct rule_row rule_rows[RULE_ROWS];

/* Returns whether the partners by a rule are at distances (or xor) of powers of two of the
 * iterations.
 */
bool law_rule_is_of_rounds(uint32_t row);

/* Returns whether a rule gives the rank's own coordinate. */
static inline bool law_rule_is_same_place(const struct series_coordinate_rule *rule) {
    return rule_rows[rule->row].kind == RULE_STEP && rule->parameter == 0;
}

#endif
