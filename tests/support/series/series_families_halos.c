/*
 * Families of halos whose calls are alike for all neighbours of a rank, so that they are folded
 * into loops: how many neighbours a rank has shows in the trips alone.
 */
#include "tests/support/series/series_family_rank.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Sends to all neighbours in a box with ends, the last one first, then receives from all. bytes: by
 * the dimensions that are crossed. */
static void interfaces(struct family_rank *at, uint32_t r, const uint32_t e[3],
                       const uint64_t bytes[8]) {
    const uint32_t c[3] = {r % e[0], r / e[0] % e[1], r / e[0] / e[1]};
    for (int receives = 0; receives < 2; receives++)
        for (uint32_t k = 0; k < 27; k++) {
            const uint32_t i = receives == 1 ? k : 26 - k;
            const uint32_t to[3] = {c[0] + i % 3 - 1, c[1] + i / 3 % 3 - 1, c[2] + i / 9 - 1};
            uint32_t crossed = 0;
            for (uint32_t d = 0; d < 3; d++)
                crossed |= to[d] != c[d] ? 1u << d : 0;
            if (crossed == 0 || to[0] >= e[0] || to[1] >= e[1] || to[2] >= e[2]) continue;
            const int64_t other = to[0] + e[0] * (to[1] + (int64_t)e[1] * to[2]);
            if (receives == 1)
                receive_from(at, other, bytes[crossed]);
            else
                send_to(at, other, bytes[crossed]);
        }
    sum(at);
}

static void interfaces2(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t extents[2];
    plane(n, extents);
    const uint32_t e[3] = {extents[1], extents[0], 1};
    const uint64_t bytes[8] = {0, 8 * (uint64_t)(14400 / e[1]), 8 * (uint64_t)(14400 / e[0]), 8};
    for (int i = 0; i < 3; i++)
        interfaces(at, r, e, bytes);
}

/* The same after work of which one iteration follows a coordinate of another grid by chance. */
static void interfaces_and_noise(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t extents[2], e[3] = {1, 1, 1};
    plane(n, extents);
    space(n, e);
    const uint32_t own[3] = {extents[1], extents[0], 1};
    const uint64_t bytes[8] = {0, 8 * (uint64_t)(14400 / own[1]), 8 * (uint64_t)(14400 / own[0]),
                               8};
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t noise = (r * 7919 + n * 104729 + i * 31) % 1009;
        compute(at, 1000000 + 1000 * (i == 0 ? r / e[0] % e[1] : noise));
        interfaces(at, r, own, bytes);
    }
}

static void interfaces3(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[3] = {1, 1, 1};
    space(n, e);
    const uint64_t bytes[8] = {0, 800, 800, 80, 800, 80, 80, 8};
    for (int i = 0; i < 3; i++)
        interfaces(at, r, e, bytes);
}

/* The same on three levels, each with half as many cells along each side as the one before. */
static void interfaces_of_levels(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[3] = {1, 1, 1};
    space(n, e);
    for (uint32_t i = 0; i < 9; i++) {
        const uint64_t s = 16 >> i % 3;
        const uint64_t bytes[8] = {0, 8 * s * s, 8 * s * s, 8 * s, 8 * s * s, 8 * s, 8 * s, 8};
        interfaces(at, r, e, bytes);
    }
}

/* Faces of a box of 240^3 cells that the ranks share. */
static void interfaces_strong(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[3] = {1, 1, 1};
    space(n, e);
    const uint64_t x = 240 / e[0], y = 240 / e[1], z = 240 / e[2];
    const uint64_t bytes[8] = {0, 8 * y * z, 8 * x * z, 80, 8 * x * y, 80, 80, 8};
    for (int i = 0; i < 3; i++)
        interfaces(at, r, e, bytes);
}

/* Faces, edges and corners of a box of 48^3 cells that the ranks share. */
static void interfaces_of_cells(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[3] = {1, 1, 1};
    space(n, e);
    const uint64_t x = 48 / e[0], y = 48 / e[1], z = 48 / e[2];
    const uint64_t bytes[8] = {0, 8 * y * z, 8 * x * z, 8 * z, 8 * x * y, 8 * y, 8 * x, 8};
    for (int i = 0; i < 3; i++)
        interfaces(at, r, e, bytes);
}

/* The same without ends. */
static void torus_of_cells(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[3] = {1, 1, 1};
    space(n, e);
    const uint32_t c[3] = {r % e[0], r / e[0] % e[1], r / e[0] / e[1]};
    for (uint32_t i = 0; i < 3 * 54; i++) {
        const uint32_t k = i % 27;
        const uint32_t by[3] = {k % 3, k / 3 % 3, k / 9};
        uint32_t to[3];
        uint64_t bytes = 8;
        for (uint32_t d = 0; d < 3; d++) {
            to[d] = (c[d] + e[d] + by[d] - 1) % e[d];
            if (by[d] == 1) bytes *= 48 / e[d];
        }
        if (k == 13) continue;
        const int64_t other = to[0] + e[0] * (to[1] + (int64_t)e[1] * to[2]);
        if (i % 54 < 27)
            send_to(at, other, bytes);
        else
            receive_from(at, other, bytes);
    }
}

/* A plane with ends, whose messages are posted by one call. */
static void halo_in_a_call(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[1], y = r / e[1];
    const int64_t around[4] = {x > 0 ? r - 1 : FAMILY_NOBODY, x + 1 < e[1] ? r + 1 : FAMILY_NOBODY,
                               y > 0 ? r - e[1] : FAMILY_NOBODY,
                               y + 1 < e[0] ? r + e[1] : FAMILY_NOBODY};
    for (int i = 0; i < 3; i++) {
        call(at, at->exchange);
        for (int k = 0; k < 4; k++)
            post_receive(at, around[k], 4096);
        for (int k = 0; k < 4; k++)
            post_send(at, around[k], 4096);
        end(at);
        sum(at);
    }
}

const struct series_family_pattern series_families_of_halos[] = {
    FAMILY(halo_in_a_call), FAMILY(interfaces2),          FAMILY(interfaces_and_noise),
    FAMILY(interfaces3),    FAMILY(interfaces_strong),    FAMILY(interfaces_of_cells),
    FAMILY(torus_of_cells), FAMILY(interfaces_of_levels), {NULL, NULL, NULL, 0, false},
};
