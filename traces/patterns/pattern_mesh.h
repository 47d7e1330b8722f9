/*
 * Process grids of motifs, and exchanges with neighbours on them. Rank = x + extent_x * (y + …).
 * Private to the traces room.
 */
#ifndef ANAX_TRACES_PATTERN_MESH_H
#define ANAX_TRACES_PATTERN_MESH_H

#include "traces/patterns/pattern_parts.h"

enum { MESH_DIMENSIONS = 4 };

struct pattern_mesh {
    uint32_t extents[MESH_DIMENSIONS]; /* 1 beyond `dimensions` */
    unsigned dimensions;
    bool is_periodic;
};

/* Makes a near-cubic grid of count ranks. */
struct pattern_mesh pattern_mesh_new(uint32_t count, unsigned dimensions, bool is_periodic);
/* Returns the rank that is sign * step away; PROGRAM_NONE: it is beyond the border, or a step leads
 * along a dimension of one process, or would leave the rank where it is. */
uint32_t pattern_mesh_neighbour(const struct pattern_mesh *mesh, uint32_t rank,
                                const int step[MESH_DIMENSIONS], int sign);

/* Messages of one exchange: at most one in each direction. */
struct pattern_mesh_message {
    int step[MESH_DIMENSIONS]; /* where it goes */
    uint64_t bytes;
};

struct pattern_mesh_exchange {
    struct pattern_mesh_message messages[26];
    unsigned count;
};

/* The directions of an exchange in three dimensions. */
typedef enum pattern_mesh_part {
    PATTERN_MESH_FACES, /* 6 */
    PATTERN_MESH_ALL,   /* 26: faces, edges, corners */
    MESH_HALF           /* 13: of each pair of opposite directions the one to the lower rank */
} pattern_mesh_part;

/* Makes an exchange of a cube of `points` points on each side, with point_bytes for each point that
 * is shared: points² on a face, points on an edge, 1 at a corner. */
struct pattern_mesh_exchange pattern_mesh_cube(pattern_mesh_part part, uint64_t points,
                                               uint64_t point_bytes);

/* Appends an exchange of one rank: all receives, then all sends, then the wait for them. Tags count
 * from `tag`. */
void pattern_mesh_carry_out(struct pattern_rank *rank, const struct pattern_mesh *mesh,
                            const struct pattern_mesh_exchange *exchange, int32_t tag);

/* Appends part `index` of `parts` of an iteration's computation. */
void pattern_mesh_compute(struct pattern_rank *rank, unsigned index, unsigned parts);

/* Returns config->edge, or the published value if it is 0. */
uint64_t pattern_mesh_edge(const struct traces_pattern_config *config, uint64_t published);

#endif
