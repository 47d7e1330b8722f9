/*
 * Families of programs as published applications have them: sums among neighbours, transposes of
 * rectangles.
 */
#include "series_family_rank.h"

#include <stddef.h>
#include <stdint.h>

/* MPI_Alltoallv among the neighbours in a plane without ends: a rank gives more the more neighbours
 * it has. */
static void neighbour_sums(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0];
    const uint32_t neighbours = (x > 0) + (x + 1 < e[0]) + (y > 0) + (y + 1 < e[1]);
    for (int i = 0; i < 2; i++) {
        compute(at, 3000000);
        collective(at, PROGRAM_ALLTOALLV, at->world, PROGRAM_NONE, 2048 * neighbours);
    }
}

/* A matrix of blocks is transposed: place (x, y) of a x b ranks sends to place (y, x) of b x a. */
static void transpose_rectangle(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    exchange(at, r / e[0] + e[1] * (r % e[0]), r / e[1] + e[0] * (r % e[1]), 8000);
    sum(at);
}

/* A box whose first dimension becomes the last one. */
static void reordered_box(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[3] = {1, 1, 1};
    space(n, e);
    const uint32_t x = r % e[0], y = r / e[0] % e[1], z = r / e[0] / e[1];
    const uint32_t back_z = r % e[2], back_y = r / e[2] % e[1], back_x = r / e[2] / e[1];
    exchange(at, z + e[2] * (y + e[1] * x), back_x + e[0] * (back_y + e[1] * back_z), 8000);
    sum(at);
}

const struct series_family_pattern series_families_of_applications[] = {
    FAMILY(neighbour_sums),
    FAMILY(transpose_rectangle),
    FAMILY(reordered_box),
    {NULL, NULL, NULL, 0},
};
