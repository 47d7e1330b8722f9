/*
 * Where the global cables of a machine run on its floor: those of each place, between neighbouring
 * places, and between two cabinets. docs/model.md, chapter 12.2, has the floor.
 *
 * Knows the floor plan and wirings. Must not know what is printed. Counts are those of one rail.
 */
#ifndef ANAX_NETWORK_FLOOR_CABLES_H
#define ANAX_NETWORK_FLOOR_CABLES_H

#include "network/analysis/floor_plan.h"

enum {
    FLOOR_PLACES_ACROSS = 64,  /* most columns and rows of places */
    FLOOR_PAIRED_CABINETS = 16 /* floors of more cabinets have no list of pairs */
};

/* A square of neighbouring cabinets: one cabinet on floors of up to 64 columns and rows. */
struct floor_place {
    uint32_t cabinets; /* 0: nothing stands here */
    uint32_t cabinet;  /* the first of them */
    uint32_t group;    /* the first group with routers in it */
    /* Ends of global cables: a cable that begins and ends here counts twice. */
    uint64_t ends;
    uint64_t optical;  /* those of optical cables */
    int64_t length_mm; /* sum over the ends */
    int64_t longest_mm;
    /* Cables that cross from here to the next place of the row, and of the column, in either
     * direction. A cable runs along the row of its first cabinet, then along the column of the
     * other one; the first is that of the group with the lower number. */
    int64_t right;
    int64_t below;
};

/* The cables between two cabinets. */
struct floor_pair {
    uint64_t cables;
    int64_t length_mm; /* of each */
};

struct floor_cables {
    uint32_t cabinets_per_side; /* columns and rows of cabinets in a place */
    uint32_t columns, rows;
    struct floor_place *places; /* [row * columns + column] */
    uint32_t cabinets;          /* that are paired; 0: there are more than FLOOR_PAIRED_CABINETS */
    struct floor_pair pairs[FLOOR_PAIRED_CABINETS][FLOOR_PAIRED_CABINETS]; /* first < second */
};

/* Counts the global cables of a machine whose floor has this grid. STATUS_MEMORY. The caller frees
 * them, after an error, too. */
status_code floor_cables_find(struct floor_cables *cables, const struct floor_config *config,
                              const struct floor_grid *grid, const struct topology *topology,
                              struct status *status);

/* Frees what floor_cables_find has made. */
void floor_cables_free(struct floor_cables *cables);

#endif
