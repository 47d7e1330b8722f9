/*
 * Families of programs as published applications have them: sums among neighbours, transposes of
 * rectangles, ghost cells, pencils, matrices in blocks, diagonals of cells.
 */
#include "tests/support/series/series_family_rank.h"

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
        collective(at, PROGRAM_COLLECTIVE_ALLTOALLV, at->world, PROGRAM_NONE, 2048 * neighbours);
    }
}

/* A matrix of blocks is transposed: place (x, y) of a x b ranks sends to place (y, x) of b x a. */
static void transpose_rectangle(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    exchange(at, r / e[0] + e[1] * (r % e[0]), r / e[1] + e[0] * (r % e[1]), 8000);
    sum(at);
}

/* The same, without messages to itself. */
static void transpose_others(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t to = r / e[0] + e[1] * (r % e[0]), from = r / e[1] + e[0] * (r % e[1]);
    if (to != r) exchange(at, to, from, 8000);
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

/* A torus of three dimensions for a box of 3 x 2 x 1: the parts have the least surface. */
static void long_box(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[3] = {1, 1, 1}, least = UINT32_MAX;
    for (uint32_t x = 1; x <= n; x++)
        for (uint32_t y = 1; y <= n; y++)
            if (n % (x * y) == 0 && 2 * x + 3 * y + 6 * (n / (x * y)) < least) {
                least = 2 * x + 3 * y + 6 * (n / (x * y));
                e[0] = x;
                e[1] = y;
                e[2] = n / (x * y);
            }
    for (uint32_t d = 0, stride = 1; d < 3; stride *= e[d++]) {
        const uint32_t c = r / stride % e[d], low = r - c * stride;
        const uint32_t up = low + (c + 1) % e[d] * stride,
                       down = low + (c + e[d] - 1) % e[d] * stride;
        if (e[d] == 1) continue;
        exchange(at, up, down, 8192);
        exchange(at, down, up, 8192);
    }
}

static uint64_t part_of(uint64_t total, uint32_t ranks, uint32_t place) {
    return total / ranks + (place < total % ranks);
}

/* A torus of 1001 x 901 cells: messages have the cells of a rank's side, and of three ghost cells
 * on either end. */
static void ghost_cells(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0], low = y * e[0];
    at->tag = 1;
    exchange(at, low + (x + 1) % e[0], low + (x + e[0] - 1) % e[0],
             16 * (part_of(901, e[1], y) + 6));
    at->tag = 2;
    exchange(at, x + e[0] * ((y + 1) % e[1]), x + e[0] * ((y + e[1] - 1) % e[1]),
             16 * (part_of(1001, e[0], x) + 6));
}

static uint32_t color_of_plane(uint32_t rank, uint32_t ranks, uint32_t number) {
    uint32_t e[2];
    plane(ranks, e);
    return number == 0 ? rank / e[0] : rank % e[0];
}

/* The pencils of a box of 100^3 cells, which are turned within the rows and columns of a plane. */
static void pencils(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint64_t pencil = 1600 * part_of(100, e[0], r % e[0]) * part_of(100, e[1], r / e[0]);
    for (uint32_t i = 0; i < 2; i++)
        collective(at, PROGRAM_COLLECTIVE_ALLTOALLV, at->groups[i], PROGRAM_NONE, pencil);
}

/* The rank at the transposed place of as many columns as rows, or twice as many: two columns count
 * as one. */
static uint32_t transposed_in_blocks(uint32_t rank, const uint32_t extents[2]) {
    const uint32_t block = extents[0] / extents[1], place = rank % block;
    const uint32_t x = rank % extents[0] / block, y = rank / extents[0];
    return x * extents[0] + y * block + place;
}

/* Adds up something in each row of a plane, in rounds. */
static void add_in_row(struct family_rank *at, uint32_t r, uint32_t columns, bool is_rising,
                       uint64_t bytes) {
    for (uint32_t k = 1; k < columns && is_rising; k *= 2)
        swap(at, r ^ k, bytes);
    for (uint32_t k = columns / 2; k > 0 && !is_rising; k /= 2)
        swap(at, r ^ k, bytes);
}

/* Conjugate gradients with a matrix in blocks (CG of the NAS Parallel Benchmarks): each row adds up
 * its part of the product and sends it to the transposed place; two sums of numbers follow. */
static void matrix_in_blocks(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    if ((n & (n - 1)) != 0) sum(at);
    for (int i = 0; i < 3 && (n & (n - 1)) == 0; i++) {
        compute(at, 3000000);
        add_in_row(at, r, e[0], true, 65536 / e[0]);
        swap(at, transposed_in_blocks(r, e), 65536 / e[0]);
        add_in_row(at, r, e[0], false, 8);
        add_in_row(at, r, e[0], false, 8);
    }
}

/* The same, but the parts are sent to the transposed place before they are added up. */
static void transposed_first(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (int i = 0; i < 3; i++) {
        if ((n & (n - 1)) == 0) swap(at, transposed_in_blocks(r, e), 65536 / e[0]);
        if ((n & (n - 1)) == 0) add_in_row(at, r, e[0], false, 65536 / e[0]);
        sum(at);
    }
}

/* The number of the line along dimension d that the rank's cell in layer `layer` is on. */
static uint32_t line_of(uint32_t r, uint32_t side, uint32_t d, uint32_t layer) {
    const uint32_t x = r % side, y = r / side;
    const uint32_t z = (d == 0 ? layer + side - x : d == 1 ? y + side - layer : layer) % side;
    const uint32_t cell_x = (x + z) % side, cell_y = (y + side - z) % side;
    return (d == 0 ? cell_y : cell_x) + side * (d == 2 ? cell_y : z);
}

/* Sends to the next cell of a line and receives from the one before. The tag is the number of the
 * line, or 0. */
static void pass_on(struct family_rank *at, const uint32_t partners[2], const uint32_t lines[2],
                    int32_t first_tag, uint64_t bytes) {
    call(at, at->exchange);
    at->tag = first_tag > 0 ? first_tag + (int32_t)lines[0] : 0;
    post_send(at, partners[0], bytes);
    at->tag = first_tag > 0 ? first_tag + (int32_t)lines[1] : 0;
    post_receive(at, partners[1], bytes);
    end(at);
    at->tag = 0;
}

/* Each rank has a diagonal of the cells of a cube (BT and SP of the NAS Parallel Benchmarks), and
 * solves equations along its three dimensions, forwards and backwards. */
static void solve_diagonals(struct family_rank *at, uint32_t r, uint32_t n, bool has_tags) {
    const uint32_t side = root_of(n), x = r % side, y = r / side, low_x = (x + side - 1) % side;
    const uint32_t low_y = (y + side - 1) % side * side, high_y = (y + 1) % side * side;
    const uint32_t up[3] = {y * side + (x + 1) % side, high_y + x, high_y + low_x};
    const uint32_t down[3] = {y * side + low_x, low_y + x, low_y + (x + 1) % side};
    for (uint32_t d = 0; d < 3; d++)
        for (uint32_t back = 0; back < 2; back++)
            for (uint32_t k = 0; k + 1 < side; k++) {
                const uint32_t own = back == 0 ? k : side - 1 - k,
                               next = back == 0 ? own + 1 : own - 1;
                const uint32_t partners[2] = {back == 0 ? up[d] : down[d],
                                              back == 0 ? down[d] : up[d]};
                const uint32_t lines[2] = {line_of(r, side, d, own), line_of(r, side, d, next)};
                pass_on(at, partners, lines, has_tags ? (int32_t)(1000 * (2 * d + back + 1)) : 0,
                        (back == 0 ? 230400 : 115200) / n);
            }
}

/* A torus of 24 x 24 cells: messages are buffers for a face of the largest part and a margin. */
static void buffers_of_squares(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0], low = y * e[0];
    const uint64_t bytes = UINT64_C(240) * (24 / e[0] + 1) * (24 / e[1] + 1);
    for (int i = 0; i < 3; i++) {
        exchange(at, low + (x + 1) % e[0], low + (x + e[0] - 1) % e[0], bytes);
        exchange(at, x + e[0] * ((y + 1) % e[1]), x + e[0] * ((y + e[1] - 1) % e[1]), bytes);
        sum(at);
    }
}

static void multi_partition(struct family_rank *at, uint32_t r, uint32_t n) {
    for (int i = 0; i < 3; i++) {
        compute(at, 3000000);
        if (root_of(n) * root_of(n) == n) solve_diagonals(at, r, n, false);
        if (root_of(n) * root_of(n) != n) sum(at);
    }
}

static void tagged_partition(struct family_rank *at, uint32_t r, uint32_t n) {
    for (int i = 0; i < 3; i++) {
        compute(at, 3000000);
        if (root_of(n) * root_of(n) == n) solve_diagonals(at, r, n, true);
        if (root_of(n) * root_of(n) != n) sum(at);
    }
}

static uint64_t cells_within(uint32_t cells, uint32_t ranks, uint32_t place) {
    return cells / ranks - (place == 0) - (place + 1 == ranks);
}

/* Receives from the ranks before in a plane and sends to the next ones, with a tag for each
 * dimension. */
static void pass_corner(struct family_rank *at, uint32_t r, const uint32_t e[2], uint64_t width,
                        uint64_t height) {
    const uint32_t x = r % e[0], y = r / e[0];
    at->tag = 1;
    if (x > 0) receive_from(at, r - 1, height);
    at->tag = 2;
    if (y > 0) receive_from(at, r - e[0], width);
    at->tag = 1;
    if (x + 1 < e[0]) send_to(at, r + 1, height);
    at->tag = 2;
    if (y + 1 < e[1]) send_to(at, r + e[0], width);
}

/* A wavefront through a plane of 64 x 64 cells, without those at the boundary, and then one with
 * them (LU of the NAS Parallel Benchmarks). */
static void cells_inside(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0];
    const uint64_t width = 40 * cells_within(64, e[0], x);
    const uint64_t height = 40 * cells_within(64, e[1], y);
    for (int i = 0; i < 4; i++) {
        pass_corner(at, r, e, width, height);
        sum(at);
        pass_corner(at, r, e, 5120 / e[0], 5120 / e[1]);
        collective(at, PROGRAM_COLLECTIVE_BARRIER, at->world, PROGRAM_NONE, 0);
    }
}

/* Sends with the first tag, and receives with the second one. */
static void swap_tagged(struct family_rank *at, int64_t other, const int32_t tags[2],
                        uint64_t bytes) {
    call(at, at->exchange);
    at->tag = tags[0];
    post_send(at, other, bytes);
    at->tag = tags[1];
    post_receive(at, other, bytes);
    end(at);
}

/* Exchanges `depth` rows of a part of 96 x 96 cells with both neighbours along a dimension of a
 * plane, with as many ghost cells at either end. */
static void send_rows(struct family_rank *at, uint32_t r, const uint32_t e[2], uint32_t dimension,
                      uint32_t depth) {
    const uint32_t c = dimension == 0 ? r % e[0] : r / e[0], step = dimension == 0 ? 1 : e[0];
    const int64_t low = c > 0 ? (int64_t)r - step : FAMILY_NOBODY;
    const int64_t high = c + 1 < e[dimension] ? (int64_t)r + step : FAMILY_NOBODY;
    const uint64_t bytes = UINT64_C(8) * depth * (96 / e[1 - dimension] + 2 * depth);
    const int32_t tags[2] = {2 * (int32_t)dimension, 2 * (int32_t)dimension + 1};
    if (low != FAMILY_NOBODY) swap_tagged(at, low, tags, bytes);
    if (high != FAMILY_NOBODY) swap_tagged(at, high, (int32_t[2]){tags[1], tags[0]}, bytes);
    at->tag = 0;
}

/* Along both dimensions messages have the same margins, as in codes that solve equations by
 * iteration (TeaLeaf). */
static void margins_of_plane(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (uint32_t i = 0; i < 4; i++) {
        compute(at, 3000000);
        for (uint32_t d = 0; d < 2; d++)
            send_rows(at, r, e, d, 2);
        sum(at);
    }
}

/* The same, but every second exchange has one row. */
static void margins_by_turns(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (uint32_t i = 0; i < 4; i++) {
        compute(at, 3000000);
        for (uint32_t d = 0; d < 2; d++)
            send_rows(at, r, e, d, 1 + i % 2);
        sum(at);
    }
}

/* The same margins. Ranks send down and receive from above in one call, and then the other way
 * round: at the ends of a line they do one of these. */
static void margins_at_ends(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (uint32_t d = 0; d < 2; d++) {
        const uint32_t c = d == 0 ? r % e[0] : r / e[0], step = d == 0 ? 1 : e[0];
        const int64_t low = c > 0 ? (int64_t)r - step : FAMILY_NOBODY;
        const int64_t high = c + 1 < e[d] ? (int64_t)r + step : FAMILY_NOBODY;
        at->tag = 2 * (int32_t)d;
        exchange(at, low, high, UINT64_C(8) * (96 / e[1 - d] + 2));
        at->tag++;
        exchange(at, high, low, UINT64_C(8) * (96 / e[1 - d] + 2));
    }
    sum(at);
}

const struct series_family_pattern series_families_of_applications[] = {
    FAMILY(margins_at_ends),
    FAMILY(margins_of_plane),
    FAMILY(margins_by_turns),
    FAMILY(cells_inside),
    FAMILY(matrix_in_blocks),
    FAMILY(transposed_first),
    FAMILY(buffers_of_squares),
    FAMILY(multi_partition),
    FAMILY(tagged_partition),
    FAMILY(neighbour_sums),
    FAMILY(transpose_rectangle),
    FAMILY(transpose_others),
    FAMILY(reordered_box),
    FAMILY(ghost_cells),
    FAMILY(long_box),
    {"pencils", pencils, color_of_plane, 2, false},
    {NULL, NULL, NULL, 0, false},
};
