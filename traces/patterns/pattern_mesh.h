/*
 * Process grids of motifs (docs/motifs.md), and exchanges with neighbours on them. Rank = x +
 * extent_x * (y + extent_y * (z + …)). Private to the traces room.
 */
#ifndef ANAX_TRACES_PATTERN_MESH_H
#define ANAX_TRACES_PATTERN_MESH_H

#include "traces/patterns/pattern_parts.h"

enum {
    MESH_DIMENSIONS = 4, /* at most */
    MESH_MESSAGES = 26   /* directions in three dimensions */
};

struct pattern_mesh {
    uint32_t extents[MESH_DIMENSIONS]; /* 1 beyond `dimensions` */
    unsigned dimensions;
    bool is_periodic;
};

/* Returns a near-cubic grid of count ranks. dimensions: 2 to MESH_DIMENSIONS. */
struct pattern_mesh pattern_mesh_new(uint32_t count, unsigned dimensions, bool is_periodic);
/* Returns the rank to which `sign` times a step leads from a rank. Returns PROGRAM_NONE if this is
 * beyond the border of a grid that is not periodic, if the step leads along a dimension of one
 * process, or if it leads back to the rank itself. sign: 1 or -1. */
uint32_t pattern_mesh_neighbour(const struct pattern_mesh *mesh, uint32_t rank,
                                const int step[MESH_DIMENSIONS], int sign);

/* The message of a rank in one direction. */
struct pattern_mesh_message {
    int step[MESH_DIMENSIONS]; /* from the sender to the receiver, in each dimension */
    uint64_t bytes;
};

/* The messages that every rank sends in one exchange: at most one in each direction. */
struct pattern_mesh_exchange {
    struct pattern_mesh_message messages[MESH_MESSAGES];
    unsigned count;
};

/* The directions of an exchange in three dimensions. */
typedef enum pattern_mesh_part {
    PATTERN_MESH_FACES, /* 6 */
    PATTERN_MESH_ALL,   /* 26: faces, edges, corners */
    PATTERN_MESH_HALF   /* 13: of each pair of opposite directions the one to the lower rank */
} pattern_mesh_part;

/* Returns the exchange of a cube of `points` points on each side, with point_bytes for each point
 * that is shared: points² on a face, points on an edge, 1 at a corner. */
struct pattern_mesh_exchange pattern_mesh_cube(pattern_mesh_part part, uint64_t points,
                                               uint64_t point_bytes);

/* Appends the part of a rank in an exchange: all receives, then all sends, then the wait for them.
 * Message i of the exchange has the tag `tag` + i. */
void pattern_mesh_carry_out(struct pattern_rank *rank, const struct pattern_mesh *mesh,
                            const struct pattern_mesh_exchange *exchange, int32_t tag);

/* Returns config->edge, or if that is 0 the value with which the proxy application was published.
 */
uint64_t pattern_mesh_edge(const struct traces_pattern_config *config, uint64_t published);

#endif
