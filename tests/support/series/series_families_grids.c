/*
 * Families of programs on process grids: halos with and without ends, diagonals, transposes,
 * wavefronts.
 */
#include "tests/support/series/series_family_rank.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static void halo_plane(struct family_rank *at, uint32_t r, const uint32_t e[2], bool periodic,
                       uint64_t bytes) {
    const uint32_t x = r % e[0], y = r / e[0];
    const int64_t left = x > 0 ? r - 1 : periodic ? r + e[0] - 1 : FAMILY_NOBODY;
    const int64_t right = x + 1 < e[0] ? r + 1 : periodic ? r + 1 - e[0] : FAMILY_NOBODY;
    const int64_t down = y > 0 ? r - e[0] : periodic ? r + e[0] * (e[1] - 1) : FAMILY_NOBODY;
    const int64_t up = y + 1 < e[1] ? r + e[0] : periodic ? x : FAMILY_NOBODY;
    exchange(at, left, right, bytes);
    exchange(at, right, left, bytes);
    exchange(at, down, up, bytes);
    exchange(at, up, down, bytes);
}

/* Halos in a plane. falling: the larger extent comes first. */
static void halos(struct family_rank *at, uint32_t n, bool falling, bool periodic) {
    uint32_t e[2];
    plane(n, e);
    for (int i = 0; i < 2; i++)
        halo_plane(at, at->rank, (uint32_t[2]){e[falling ? 0 : 1], e[falling ? 1 : 0]}, periodic,
                   2048);
}

static void torus2(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    halos(at, n, true, true);
}
static void torus2_rising(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    halos(at, n, false, true);
}
static void open2(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    halos(at, n, true, false);
}
static void open2_rising(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    halos(at, n, false, false);
}

/* Halos in a grid of these extents. strong: faces of a cube of 960^3 cells that the ranks share. */
static void halo_grid(struct family_rank *at, uint32_t r, const uint32_t e[3], bool periodic,
                      bool strong) {
    const uint32_t c[3] = {r % e[0], r / e[0] % e[1], r / e[0] / e[1]};
    const uint32_t stride[3] = {1, e[0], e[0] * e[1]};
    for (int d = 0; d < 3; d++) {
        const uint32_t side = strong ? 960 : 0;
        const uint64_t face =
            strong ? 8 * (uint64_t)(side / e[(d + 1) % 3]) * (side / e[(d + 2) % 3]) : 8000;
        const int64_t wrap = (int64_t)stride[d] * (e[d] - 1);
        const int64_t low = c[d] > 0 ? r - stride[d] : periodic ? r + wrap : FAMILY_NOBODY;
        const int64_t high = c[d] + 1 < e[d] ? r + stride[d] : periodic ? r - wrap : FAMILY_NOBODY;
        exchange(at, low, high, face);
        exchange(at, high, low, face);
    }
    sum(at);
}

static void halo_space(struct family_rank *at, uint32_t r, uint32_t n, bool periodic, bool strong) {
    uint32_t e[3];
    space(n, e);
    halo_grid(at, r, e, periodic, strong);
}

/* The grid of PETSc's DMDA for a cube: the second extent is the largest divisor up to the cube
 * root, and the first one that of the rest up to its square root; both roots are rounded. */
static void middle_first(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[3] = {1, 1, 1};
    while ((2 * e[1] + 1) * (2 * e[1] + 1) * (2 * e[1] + 1) <= 8 * n)
        e[1]++;
    while (n % e[1] != 0)
        e[1]--;
    const uint32_t rest = n / e[1];
    while ((2 * e[0] + 1) * (2 * e[0] + 1) <= 4 * rest)
        e[0]++;
    while (rest % e[0] != 0)
        e[0]--;
    e[2] = rest / e[0];
    halo_grid(at, r, e, false, false);
}

static void torus3(struct family_rank *at, uint32_t r, uint32_t n) {
    halo_space(at, r, n, true, false);
}
static void open3(struct family_rank *at, uint32_t r, uint32_t n) {
    halo_space(at, r, n, false, false);
}
static void surface3(struct family_rank *at, uint32_t r, uint32_t n) {
    compute(at, INT64_C(1474560000000) / n);
    halo_space(at, r, n, true, true);
}
/* Strong scaling, with times that are rounded. */
static void open3_strong(struct family_rank *at, uint32_t r, uint32_t n) {
    compute(at, INT64_C(1474560000001) / n);
    halo_space(at, r, n, false, false);
}
static void two_grids(struct family_rank *at, uint32_t r, uint32_t n) {
    torus3(at, r, n);
    torus2(at, r, n);
}

static void diagonals(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0];
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0) continue;
            const uint32_t to = (x + e[0] + dx) % e[0] + e[0] * ((y + e[1] + dy) % e[1]);
            const uint32_t from = (x + e[0] - dx) % e[0] + e[0] * ((y + e[1] - dy) % e[1]);
            exchange(at, to, from, 64);
        }
}

static void transpose(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t k = root_of(n);
    if (k * k == n)
        swap(at, r % k * k + r / k, 4096);
    else
        exchange(at, (r + 1) % n, (r + n - 1) % n, 4096);
    sum(at);
}

static void wavefront(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0];
    for (int i = 0; i < 4; i++) {
        if (x > 0) receive_from(at, r - 1, 800);
        if (y > 0) receive_from(at, r - e[0], 800);
        compute(at, 5000000);
        if (x + 1 < e[0]) send_to(at, r + 1, 800);
        if (y + 1 < e[1]) send_to(at, r + e[0], 800);
    }
}

static void red_black(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0];
    const int64_t around[4] = {x > 0 ? r - 1 : FAMILY_NOBODY, x + 1 < e[0] ? r + 1 : FAMILY_NOBODY,
                               y > 0 ? r - e[0] : FAMILY_NOBODY,
                               y + 1 < e[1] ? r + e[0] : FAMILY_NOBODY};
    for (int color = 0; color < 2; color++)
        for (int i = 0; i < 4; i++) {
            if (around[i] == FAMILY_NOBODY) continue;
            if (((x + y) & 1) == (uint32_t)color)
                send_to(at, around[i], 640);
            else
                receive_from(at, around[i], 640);
        }
}

static void odd_even(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t phase = 0; phase < 8; phase++) {
        const int64_t other = (r + phase) % 2 == 0 ? (int64_t)r + 1 : (int64_t)r - 1;
        if (other >= 0 && other < n) swap(at, other, 4000);
    }
}

/* As many phases as ranks. */
static void odd_even_sort(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t phase = 0; phase < n; phase++) {
        const int64_t other = (r + phase) % 2 == 0 ? (int64_t)r + 1 : (int64_t)r - 1;
        if (other >= 0 && other < n) swap(at, other, 4000);
    }
}

static void two_strides(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    exchange(at, (r + e[0]) % n, (r + n - e[0]) % n, 1000);
    exchange(at, (r + e[1]) % n, (r + n - e[1]) % n, 1000);
}

/* A torus in a plane that takes the ranks column by column, and one row by row. */
static void both_orders(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    halo_plane(at, r, e, true, 2048);
    sum(at);
    halo_plane(at, r, (uint32_t[2]){e[1], e[0]}, true, 1024);
}

static void diagonal3(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[3], c[3];
    space(n, e);
    c[0] = r % e[0];
    c[1] = r / e[0] % e[1];
    c[2] = r / e[0] / e[1];
    uint32_t to = 0, from = 0;
    for (int d = 3; d-- > 0;) {
        to = to * e[d] + (c[d] + 1) % e[d];
        from = from * e[d] + (c[d] + e[d] - 1) % e[d];
    }
    exchange(at, to, from, 512);
}

/* Rows send to the next one by turns, as products of matrices do. */
static void rows_by_turns(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0];
    for (uint32_t step = 0; step < e[0]; step++)
        exchange(at, (x + 1) % e[0] + e[0] * y, (x + e[0] - 1) % e[0] + e[0] * y, 8192);
    for (uint32_t step = 0; step < e[1]; step++)
        exchange(at, x + e[0] * ((y + 1) % e[1]), x + e[0] * ((y + e[1] - 1) % e[1]), 8192);
}

/* The first step of a matrix product: each row is shifted by its number. */
static void skew(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0];
    exchange(at, (x + e[0] - y % e[0]) % e[0] + e[0] * y, (x + y) % e[0] + e[0] * y, 4096);
}

static void levels_plane(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0];
    for (uint32_t k = 1; k < e[0]; k *= 2)
        exchange(at, (x + k) % e[0] + e[0] * y, (x + e[0] - k) % e[0] + e[0] * y, 256);
    for (uint32_t k = 1; k < e[1]; k *= 2)
        exchange(at, x + e[0] * ((y + k) % e[1]), x + e[0] * ((y + e[1] - k) % e[1]), 256);
}
/* Cannon's product of matrices: row y of the first one is shifted by y, column x of the second one
 * by x; then all move on by one. */
static void cannon(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t q = root_of(n), x = r % q, y = r / q % q, block = 8 * (960 / q) * (960 / q);
    if (q * q < n && r >= q * q) return;
    exchange(at, (x + q - y) % q + q * y, (x + y) % q + q * y, block);
    exchange(at, x + q * ((y + q - x) % q), x + q * ((x + y) % q), block);
    for (uint32_t i = 0; i < q; i++) {
        exchange(at, (x + q - 1) % q + q * y, (x + 1) % q + q * y, block);
        exchange(at, x + q * ((y + q - 1) % q), x + q * ((y + 1) % q), block);
    }
}

/* Each row sends to half of the next one, turned by half a row. */
static void shear(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[1], y = r / e[1], half = e[1] / 2;
    exchange(at, (y + 1) % e[0] * e[1] + (x + half) % e[1],
             (y + e[0] - 1) % e[0] * e[1] + (x + e[1] - half) % e[1], 256);
}

/* A torus whose last dimension varies first, with the faces of 960^3 cells. */
static void faces3(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[3];
    space(n, e);
    for (uint32_t d = 3, stride = 1; d-- > 0; stride *= e[d]) {
        const uint32_t c = r / stride % e[d], low = r - c * stride;
        exchange(at, low + (c + 1) % e[d] * stride, low + (c + e[d] - 1) % e[d] * stride,
                 UINT64_C(8) * 960 * 960 * e[d] / n);
    }
}

/* A torus whose lines share 100 elements of 8 bytes. */
static void torus2_parts(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0];
    const uint64_t part = 8 * (100 / e[1] + (y < 100 % e[1]));
    exchange(at, (x + 1) % e[0] + e[0] * y, (x + e[0] - 1) % e[0] + e[0] * y, part);
    exchange(at, x + e[0] * ((y + 1) % e[1]), x + e[0] * ((y + e[1] - 1) % e[1]), 4096);
}

/* A torus whose ranks send two layers of cells to their neighbours: the part of a plane and a line
 * of constant length. Along an extent of 2, both neighbours are one rank, which gets each layer
 * once.
 */
static void layers3(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[3] = {1, 1, 1};
    space(n, e);
    for (int i = 0; i < 3; i++) {
        for (uint32_t d = 0, stride = 1; d < 3; stride *= e[d++]) {
            const uint32_t c = r / stride % e[d], low = r - c * stride;
            const uint32_t up = low + (c + 1) % e[d] * stride;
            const uint32_t down = low + (c + e[d] - 1) % e[d] * stride;
            for (uint32_t side = 0; side < 2 && side + 1 < e[d]; side++) {
                exchange(at, side == 0 ? up : down, side == 0 ? down : up, 1966080 / n);
                exchange(at, side == 0 ? up : down, side == 0 ? down : up, 6400);
            }
        }
        sum(at);
    }
}

const struct series_family_pattern series_families_of_grids[] = {
    FAMILY(torus2),    FAMILY(torus2_rising), FAMILY(open2),        FAMILY(open2_rising),
    FAMILY(torus3),    FAMILY(open3),         FAMILY(surface3),     FAMILY(two_grids),
    FAMILY(diagonals), FAMILY(transpose),     FAMILY(wavefront),    FAMILY(red_black),
    FAMILY(odd_even),  FAMILY(odd_even_sort), FAMILY(levels_plane), FAMILY(skew),
    FAMILY(cannon),    FAMILY(rows_by_turns), FAMILY(two_strides),  FAMILY(both_orders),
    FAMILY(diagonal3), FAMILY(open3_strong),  FAMILY(shear),        FAMILY(torus2_parts),
    FAMILY(faces3),    FAMILY(layers3),       FAMILY(middle_first), {NULL, NULL, NULL, 0, false},
};
