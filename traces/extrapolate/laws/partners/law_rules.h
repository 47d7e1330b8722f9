/*
 * Rules of coordinates: how a coordinate of a partner follows from the rank's own. Private to the
 * traces room. See law_peers.c.
 */
#ifndef ANAX_TRACES_LAW_RULES_H
#define ANAX_TRACES_LAW_RULES_H

#include "traces/extrapolate/laws/series_law.h"

struct rule_context {
    int64_t own, extent; /* coordinate, and extent of its dimension */
    int64_t index, trips;
    const uint32_t *coordinates; /* the rank's own, in all dimensions */
    int64_t parameter;
    const struct series *series;
    const struct series_place *place;
};

/* Returns the partner's coordinate; outside 0 … extent - 1: there is none. */
typedef int64_t rule_function(const struct rule_context *c);

typedef enum rule_parameter {
    RULE_WITH_NOTHING,
    RULE_WITH_STEPS,  /* a small number of either sign */
    RULE_WITH_FEW,    /* -1, 0 or 1 */
    RULE_WITH_SOLVED, /* follows from one sample */
    RULE_WITH_DIMENSION,
    RULE_WITH_OTHER_DIMENSION, /* than that of the coordinate */
    RULE_WITH_FAR,             /* steps that the last sample asks for, of more than MOST_STEPS */
    RULE_WITH_ARITY,           /* 2 to 4 children */
    RULE_WITH_CHILD,    /* one of 2 to 4 children: their number, and 8 times that of the child */
    RULE_WITH_TURN,     /* 0 or 1 */
    RULE_WITH_RADIX,    /* 3 to 8 */
    RULE_WITH_DISTANCE, /* number of a distance, of either sign */
    RULE_WITH_ORDER     /* of the dimensions of a grid (law_orders.c) */
} rule_parameter;

typedef enum rule_kind {
    RULE_OTHER,
    RULE_STEP,   /* along the dimension, by the parameter */
    RULE_NUMBER, /* the parameter */
    RULE_FROM_END,
    RULE_MIRROR,
    RULE_TREE,          /* of two to four children */
    RULE_SHIFT_OF_LINES /* by a number that is another one in each line */
} rule_kind;

struct rule_row {
    rule_function *function;
    const char *text; /* #: the parameter */
    rule_parameter parameter;
    bool has_index; /* depends on an iteration */
    bool is_late; /* tried where no other rule fits in any grid, and among all ranks only; shifts of
                     lines in grids of several dimensions only */
    bool is_of_grid; /* usual in grids of several dimensions */
    rule_kind kind;
};

enum { RULE_ROWS = 49 };
extern const struct rule_row rule_rows[RULE_ROWS];

/* Returns whether a rule gives partners at the powers of two by turns. */
bool law_rule_is_of_rounds(uint32_t row);

/* Returns whether the partner has the rank's own coordinate. */
static inline bool law_rule_is_same_place(const struct series_coordinate_rule *rule) {
    return rule_rows[rule->row].kind == RULE_STEP && rule->parameter == 0;
}

#endif
