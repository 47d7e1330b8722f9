/*
 * Rules that give a process grid, or the communicators of a family, for any number of ranks.
 * Private to the extrapolation; series.h lists all files.
 */
#ifndef ANAX_TRACES_SERIES_GRID_RULE_H
#define ANAX_TRACES_SERIES_GRID_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SERIES_DIMENSIONS = 4, /* of a process grid */
    SERIES_GRIDS = 160,    /* rules for process grids */
    SERIES_PROGRAMS = 64,  /* of a series */
    SERIES_TEXT = 160      /* bytes of a short text for reports */
};

/* How the extents that are not given follow from the rest of the number of ranks. docs/extrapolate-
 * rules.md, "Process grids", has the divisions. */

typedef enum series_grid_kind {
    SERIES_GRID_FALLING,        /* as equal as possible, in the order of the division: 5 x 2 x 3 */
    SERIES_GRID_RISING,         /* the same in reverse: 3 x 2 x 5 */
    SERIES_GRID_SORTED_FALLING, /* as equal as possible, sorted: 5 x 3 x 2 */
    SERIES_GRID_SORTED_RISING,
    SERIES_GRID_FACTORS_FALLING, /* MPI_Dims_create of Open MPI: each prime factor, the largest
                                    first, goes to the smallest extent */
    SERIES_GRID_FACTORS_RISING,
    SERIES_GRID_SPREAD_FALLING, /* MPI_Dims_create of MPICH: the extents differ least */
    SERIES_GRID_SPREAD_RISING,
    SERIES_GRID_MIDDLE_FIRST, /* of three extents, the second is the largest divisor up to the cube
                                 root, and the first that of the rest up to its square root; both
                                 roots are rounded */
    SERIES_GRID_RECORDED /* those of a Cartesian topology, which follow no rule: extrapolate.grid
                            gives those of the new program */
} series_grid_kind;

/* A rule for a grid. Rank = x + extent_x (y + extent_y (z + ...)): dimension 0 is the one along
 * which the rank varies fastest. */
struct series_grid_rule {
    uint32_t dimensions;               /* 1 to SERIES_DIMENSIONS */
    series_grid_kind kind;             /* gives the extents that are not given */
    uint32_t given[SERIES_DIMENSIONS]; /* the same extent for all numbers of ranks; 0: not given */
    /* Sides of a box: the grid divides it into the parts that have the least surface. 0: kind and
     * given say the extents. */
    uint32_t sides[SERIES_DIMENSIONS];
    bool is_recorded; /* all programs have a Cartesian topology with these extents */
    /* The extents are recorded, and an earlier rule gives the same ones for all programs. No role
     * and no partner follows from this rule. */
    bool is_second;
};

/* Another order in which ranks may be numbered along the dimensions of a grid. row: in the table of
 * law_orders.c. */
struct series_order {
    uint8_t grid, row;
};
enum { SERIES_ORDERS = 5 }; /* of a grid, at most */

/* The extents of each grid for a number of ranks. */
struct series_grid_extents {
    uint32_t of[SERIES_GRIDS][SERIES_DIMENSIONS];
};

/* ---- communicators ---- */

typedef enum series_family_kind {
    SERIES_FAMILY_ALL,      /* all ranks */
    SERIES_FAMILY_SELF,     /* each rank alone */
    SERIES_FAMILY_REST,     /* all ranks but rank 0 */
    SERIES_FAMILY_BUT_LAST, /* all ranks but the last one */
    SERIES_FAMILY_LINES     /* lines of a grid */
} series_family_kind;

/* The communicators that one rule gives. */
struct series_family {
    series_family_kind kind;
    /* Of lines: the grid, and the set of dimensions along which the members of a line differ. */
    uint32_t grid, spanned;
    /* Of lines: a set of other dimensions. Only lines with the coordinate 0 in these are
     * communicators. */
    uint32_t firsts;
    char name[SERIES_TEXT]; /* of the communicators; "": they have none */
    /* Indices of the communicators in the new program. target_list: [number of the line]; NULL:
     * they follow each other from target_first on. */
    uint32_t target_first, *target_list;
    /* Other lines fit the series as well, and differ in the new program. is_open: nothing says
     * which of the two the family is. */
    bool has_alternative, is_open;
    uint32_t alternative_grid, alternative_spanned, alternative_firsts;
    /* The alternative is blocks, or all ranks in steps, of a distance: its row in law_distances.c,
     * plus 1. 0: it is the alternative lines above. */
    uint32_t alternative_distance;
};

#endif
