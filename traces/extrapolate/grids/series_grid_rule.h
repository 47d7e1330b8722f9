/*
 * What a process grid and a family of communicators are: rules that give them for any number of
 * ranks. Private to the extrapolation; series.h lists all files.
 */
#ifndef ANAX_TRACES_SERIES_GRID_RULE_H
#define ANAX_TRACES_SERIES_GRID_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SERIES_DIMENSIONS = 4, /* of a process grid */
    SERIES_GRIDS = 160,    /* rules for process grids */
    SERIES_PROGRAMS = 64,  /* of a series */
    SERIES_TEXT = 160
};

typedef enum series_grid_kind {
    SERIES_GRID_FALLING, /* extents that are not given are as equal as possible, largest first */
    SERIES_GRID_RISING,  /* the same, in reverse */
    SERIES_GRID_SORTED_FALLING, /* the same, sorted: 5 x 3 x 2, not 5 x 2 x 3 */
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
                            gives the new program's */
} series_grid_kind;

/* Rank = x + extent_x (y + extent_y (z + ...)). Some extents are given, the others as equal as
 * possible. */
struct series_grid_rule {
    uint32_t dimensions;
    series_grid_kind kind;
    uint32_t given[SERIES_DIMENSIONS]; /* 0: not given */
    /* Sides of a box whose parts have the least surface. 0: the rest of the rule gives the extents.
     */
    uint32_t sides[SERIES_DIMENSIONS];
    bool is_recorded; /* all programs have a Cartesian topology with these extents */
    /* An earlier rule gives the same extents for all programs, and they are recorded: no role and
     * no partner follows from this one. */
    bool is_second;
};

/* Another order of the dimensions of a grid. row: in the table of law_orders.c */
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
    SERIES_FAMILY_LINES /* ranks that share the coordinates in the dimensions that are not spanned
                         */
} series_family_kind;

struct series_family {
    series_family_kind kind;
    uint32_t grid;
    uint32_t spanned; /* set of dimensions */
    uint32_t firsts;  /* SERIES_FAMILY_LINES: set of dimensions that are not spanned; the lines have
                         the coordinate 0 in them, and other ranks are in none */
    char name[SERIES_TEXT];
    /* Index of the first communicator in the new program; the others follow it, or are in a list by
     * the numbers of their lines. */
    uint32_t target_first, *target_list;
    /* Other lines that fit the series as well and are others in the new program. */
    bool has_alternative, is_open; /* is_open: nothing says which of the two it is */
    uint32_t alternative_grid, alternative_spanned, alternative_firsts;
    uint32_t alternative_distance; /* 0: the alternative is the lines above. Else it is blocks or
                                steps of a distance of law_distances.c, by its number from 1 */
};

#endif
