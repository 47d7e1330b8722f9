/*
 * Families of programs whose roles move on by one rank in each iteration: panels of a matrix that
 * the columns of ranks own by turns, and rings of messages whose first rank moves on.
 */
#include "tests/support/series/series_family_rank.h"

#include <stddef.h>
#include <stdint.h>

enum { PANELS = 12, TAG_ROW = 1, TAG_COLUMN = 2, BLOCK = 512 };

/* Sends along a line of ranks from the root on: each rank receives and sends on. */
static void ring(struct family_rank *at, uint32_t place, uint32_t extent, uint32_t root,
                 uint32_t stride, uint64_t bytes) {
    const uint32_t first = at->rank - place * stride;
    if (extent == 1) return;
    if (place != root % extent)
        receive_from(at, first + (place + extent - 1) % extent * stride, bytes);
    if ((place + 1) % extent != root % extent)
        send_to(at, first + (place + 1) % extent * stride, bytes);
}

/* A ring along the rows, and a broadcast along the columns. */
static void panel_rings(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (uint32_t k = 0; k < PANELS; k++) {
        at->tag = TAG_ROW;
        ring(at, r % e[0], e[0], k, 1, 4096);
        compute(at, 3000);
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->groups[1], k % e[1], 2048);
    }
}

/* The column that owns the panel searches for pivots. */
static void panel_owners(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (uint32_t k = 0; k < PANELS; k++) {
        for (uint32_t pivot = 0; pivot < 3 && r % e[0] == k % e[0]; pivot++)
            collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->groups[1], PROGRAM_NONE, 16);
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->groups[0], k % e[0], 4096);
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->groups[1], k % e[1], 2048);
    }
}

/* Returns how many panels behind one are those of a place. */
static uint32_t panels_behind(uint32_t panel, uint32_t place, uint32_t extent) {
    uint32_t count = 0;
    for (uint32_t i = panel + 1; i < PANELS; i++)
        count += i % extent == place;
    return count;
}

/* The same; messages have the blocks that are left. */
static void panel_blocks(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (uint32_t k = 0; k < PANELS; k++) {
        const uint32_t rows = panels_behind(k, r / e[0], e[1]);
        const uint32_t columns = panels_behind(k, r % e[0], e[0]);
        if (r % e[0] == k % e[0])
            collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->groups[1], PROGRAM_NONE, 16);
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->groups[0], k % e[0], BLOCK * (rows + 1));
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->groups[1], k % e[1], BLOCK * (columns + 1));
    }
}

/* Rings along rows and columns, as many as there are ranks in them. */
static void product_rings(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t root = root_of(n);
    for (uint32_t k = 0; k < root && root * root == n; k++) {
        at->tag = TAG_ROW;
        ring(at, r % root, root, k, 1, 720000 / n);
        at->tag = TAG_COLUMN;
        ring(at, r / root, root, k, root, 720000 / n);
    }
    if (root * root != n) sum(at);
}

/* The owner moves on by other numbers. */
static void panel_jumps(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (uint32_t k = 0; k < PANELS; k++) {
        if (r % e[0] == k * k / 2 % e[0])
            collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->groups[1], PROGRAM_NONE, 16);
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->groups[1], 0, 2048);
    }
}

static uint32_t color_plane(uint32_t rank, uint32_t ranks, uint32_t number) {
    uint32_t e[2];
    plane(ranks, e);
    return number == 0 ? rank / e[0] : rank % e[0];
}

const struct series_family_pattern series_families_of_rotation[] = {
    {"panel_rings", panel_rings, color_plane, 2, false},
    {"panel_owners", panel_owners, color_plane, 2, false},
    {"panel_blocks", panel_blocks, color_plane, 2, false},
    {"panel_jumps", panel_jumps, color_plane, 2, false},
    FAMILY(product_rings),
    {NULL, NULL, NULL, 0, false},
};
