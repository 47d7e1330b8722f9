#include "series_families.h"

#include "traces/program/program_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COLORINGS = 2, MOST_COLORS = 4096 };

static const int64_t NOBODY = -1;

struct family_rank {
    struct program_builder *builder;
    uint32_t rank;
    uint32_t world, groups[COLORINGS]; /* communicators of the rank */
    uint32_t send, receive, exchange, collective;
    struct status *status;
};

static void call(struct family_rank *at, uint32_t region) {
    builder_call(at->builder, at->rank, region, 0, 0, at->status);
}

static void end(struct family_rank *at) {
    builder_wait_call(at->builder, at->rank, at->status);
    builder_return(at->builder, at->rank, 1, false, at->status);
}

static void post_send(struct family_rank *at, int64_t to, uint64_t bytes) {
    if (to != NOBODY)
        builder_send(at->builder, at->rank, at->world, (uint32_t)to, 0, bytes, 0,
                     BUILDER_NO_REQUEST, at->status);
}

static void post_receive(struct family_rank *at, int64_t from, uint64_t bytes) {
    if (from != NOBODY)
        builder_receive(at->builder, at->rank, at->world, (uint32_t)from, 0, bytes, 0,
                        BUILDER_NO_REQUEST, at->status);
}

static void send_to(struct family_rank *at, int64_t to, uint64_t bytes) {
    call(at, at->send);
    post_send(at, to, bytes);
    end(at);
}

static void receive_from(struct family_rank *at, int64_t from, uint64_t bytes) {
    call(at, at->receive);
    post_receive(at, from, bytes);
    end(at);
}

/* Sends to one rank and receives from another one; NOBODY: neither. */
static void exchange(struct family_rank *at, int64_t to, int64_t from, uint64_t bytes) {
    if (to == NOBODY && from == NOBODY) return;
    call(at, at->exchange);
    post_send(at, to, bytes);
    post_receive(at, from, bytes);
    end(at);
}

static void swap(struct family_rank *at, int64_t other, uint64_t bytes) {
    exchange(at, other, other, bytes);
}

static void collective(struct family_rank *at, uint32_t kind, uint32_t communicator, uint32_t root,
                       uint64_t bytes) {
    const struct program_collective_arguments arguments = {.kind = kind,
                                                           .communicator = communicator,
                                                           .root = root,
                                                           .send_bytes = bytes,
                                                           .receive_bytes = bytes};
    call(at, at->collective);
    builder_collective(at->builder, at->rank, &arguments, 0, BUILDER_NO_REQUEST, at->status);
    builder_return(at->builder, at->rank, 1, false, at->status);
}

static void sum(struct family_rank *at) {
    collective(at, PROGRAM_ALLREDUCE, at->world, PROGRAM_NONE, 8);
}

static void compute(struct family_rank *at, int64_t duration_ps) {
    builder_compute(at->builder, at->rank, duration_ps, at->status);
}

/* ---- numbers ---- */

static uint32_t root_of(uint32_t ranks) {
    uint32_t root = 1;
    while ((uint64_t)(root + 1) * (root + 1) <= ranks)
        root++;
    return root;
}

static uint32_t log2_of(uint32_t ranks) {
    return 31 - (uint32_t)__builtin_clz(ranks);
}

static uint32_t log2_above(uint32_t ranks) {
    return log2_of(ranks) + ((ranks & (ranks - 1)) != 0);
}

/* Sets two extents as equal as possible, the largest first. */
static void plane(uint32_t ranks, uint32_t extents[2]) {
    extents[1] = root_of(ranks);
    while (ranks % extents[1] != 0)
        extents[1]--;
    extents[0] = ranks / extents[1];
}

/* Sets three extents as equal as possible, the largest first. */
static void space(uint32_t ranks, uint32_t extents[3]) {
    uint32_t best = UINT32_MAX;
    for (uint32_t c = 1; (uint64_t)c * c * c <= ranks; c++)
        for (uint32_t b = c; ranks % c == 0 && (uint64_t)b * b <= ranks / c; b++) {
            if (ranks / c % b != 0 || ranks / c / b - c > best) continue;
            best = ranks / c / b - c;
            extents[0] = ranks / c / b;
            extents[1] = b;
            extents[2] = c;
        }
}

/* ---- partners at a distance ---- */

static void stride(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t k = root_of(n);
    for (int i = 0; i < 3; i++)
        exchange(at, (r + k) % n, (r + n - k) % n, 4096);
}

static void quarter(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t k = n / 4;
    for (int i = 0; i < 3; i++)
        exchange(at, (r + k) % n, (r + n - k) % n, 4096);
}

static void half(struct family_rank *at, uint32_t r, uint32_t n) {
    for (int i = 0; i < 3; i++)
        exchange(at, (r + n / 2) % n, (r + n - n / 2) % n, 4096);
}

static void logarithm(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t k = log2_of(n);
    for (int i = 0; i < 3; i++)
        exchange(at, (r + k) % n, (r + n - k) % n, 4096);
}

static void far(struct family_rank *at, uint32_t r, uint32_t n) {
    exchange(at, (r + 5) % n, (r + 5 * n - 5) % n, 4096);
}

static void minmax(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t up = (r + 1) % n, down = (r + n - 1) % n;
    for (int i = 0; i < 2; i++) {
        swap(at, up < down ? up : down, 1000);
        swap(at, up < down ? down : up, 1000);
    }
}

/* The rank with the smallest and the largest number of those around it in a torus. */
static void minmax_plane(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0];
    uint32_t all[4] = {(x + 1) % e[0] + e[0] * y, (x + e[0] - 1) % e[0] + e[0] * y,
                       x + e[0] * ((y + 1) % e[1]), x + e[0] * ((y + e[1] - 1) % e[1])};
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            if (all[j] < all[i]) {
                const uint32_t other = all[i];
                all[i] = all[j];
                all[j] = other;
            }
    for (int i = 0; i < 4; i++)
        swap(at, all[i], 1000);
}

/* ---- loops and sizes that follow no law, or steps ---- */

static void ring_steps(struct family_rank *at, uint32_t r, uint32_t n, uint32_t steps,
                       uint64_t bytes) {
    for (uint32_t i = 0; i < steps; i++) {
        exchange(at, (r + 1) % n, (r + n - 1) % n, bytes);
        sum(at);
    }
}

static void convergence(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 20 + n * n % 13, 4096);
}

static void convergence_once_more(struct family_rank *at, uint32_t r, uint32_t n) {
    static const uint32_t steps[] = {3, 4, 6, 5, 7, 9, 8, 11, 10, 12};
    ring_steps(at, r, n, 10 + steps[log2_of(n)], 4096);
}

static void step_at_8(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, n < 8 ? 2 : 5, 4096);
}

static void steps_of_8(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 2 + (n + 7) / 8, 4096);
}

static void steps_of_8_below(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 2 + n / 8, 4096);
}

static void step_by_rank(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 3, 4096);
    for (int i = 0; i < (r < 8 ? 2 : 4); i++)
        compute(at, 1000), swap(at, r ^ 1, 512);
}

static void size_of_8(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 3, n < 16 ? 1000 : 3000);
}

static void size_of_logarithm(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 3, 8 * log2_above(n));
}

static void size_of_root(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 3, 64 * root_of(n));
}

static void trips_of_root(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, root_of(n), 64);
}

static void steps_of_logarithm(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 5 + log2_of(n), 64);
}

/* ---- grids ---- */

static void halo_plane(struct family_rank *at, uint32_t r, const uint32_t e[2], bool periodic,
                       uint64_t bytes) {
    const uint32_t x = r % e[0], y = r / e[0];
    const int64_t left = x > 0 ? r - 1 : periodic ? r + e[0] - 1 : NOBODY;
    const int64_t right = x + 1 < e[0] ? r + 1 : periodic ? r + 1 - e[0] : NOBODY;
    const int64_t down = y > 0 ? r - e[0] : periodic ? r + e[0] * (e[1] - 1) : NOBODY;
    const int64_t up = y + 1 < e[1] ? r + e[0] : periodic ? x : NOBODY;
    exchange(at, left, right, bytes);
    exchange(at, right, left, bytes);
    exchange(at, down, up, bytes);
    exchange(at, up, down, bytes);
}

static void torus2(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (int i = 0; i < 2; i++)
        halo_plane(at, r, e, true, 2048);
}

static void torus2_rising(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (int i = 0; i < 2; i++)
        halo_plane(at, r, (uint32_t[2]){e[1], e[0]}, true, 2048);
}

static void open2(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (int i = 0; i < 2; i++)
        halo_plane(at, r, e, false, 2048);
}

static void open2_rising(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    halo_plane(at, r, (uint32_t[2]){e[1], e[0]}, false, 2048);
    sum(at);
}

/* Faces of a cube of 240^3 cells that the ranks share. */
static void halo_space(struct family_rank *at, uint32_t r, uint32_t n, bool periodic, bool strong) {
    uint32_t e[3], c[3];
    space(n, e);
    c[0] = r % e[0];
    c[1] = r / e[0] % e[1];
    c[2] = r / e[0] / e[1];
    const uint32_t stride[3] = {1, e[0], e[0] * e[1]};
    for (int d = 0; d < 3; d++) {
        const uint32_t side = strong ? 960 : 0;
        const uint64_t face =
            strong ? 8 * (uint64_t)(side / e[(d + 1) % 3]) * (side / e[(d + 2) % 3]) : 8000;
        const int64_t wrap = (int64_t)stride[d] * (e[d] - 1);
        const int64_t low = c[d] > 0 ? r - stride[d] : periodic ? r + wrap : NOBODY;
        const int64_t high = c[d] + 1 < e[d] ? r + stride[d] : periodic ? r - wrap : NOBODY;
        exchange(at, low, high, face);
        exchange(at, high, low, face);
    }
    sum(at);
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
    const int64_t around[4] = {x > 0 ? r - 1 : NOBODY, x + 1 < e[0] ? r + 1 : NOBODY,
                               y > 0 ? r - e[0] : NOBODY, y + 1 < e[1] ? r + e[0] : NOBODY};
    for (int color = 0; color < 2; color++)
        for (int i = 0; i < 4; i++) {
            if (around[i] == NOBODY) continue;
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

/* ---- butterflies, trees and rings ---- */

static void doubling(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t k = 1; k < n; k *= 2)
        swap(at, (r ^ k) < n ? r ^ k : NOBODY, 8000);
}

static void halving(struct family_rank *at, uint32_t r, uint32_t n) {
    uint64_t bytes = 1 << 20;
    for (uint32_t k = n / 2; k > 0; k /= 2)
        swap(at, (r ^ k) < n ? r ^ k : NOBODY, bytes /= 2);
    for (uint32_t k = 1; k < n; k *= 2, bytes *= 2)
        swap(at, (r ^ k) < n ? r ^ k : NOBODY, bytes);
}

static void bruck(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t k = 1; k < n; k *= 2)
        exchange(at, (r + n - k) % n, (r + k) % n, 100 * (uint64_t)(n - k < k ? n - k : k));
}

static void dissemination(struct family_rank *at, uint32_t r, uint32_t n) {
    for (int i = 0; i < 3; i++)
        for (uint32_t k = 1; k < n; k *= 2)
            exchange(at, (r + k) % n, (r + n - k) % n, 1);
}

/* The first round reaches the half of the ranks that is farthest away (MPICH). */
static void binomial(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t mask = 1;
    for (; mask < n; mask *= 2)
        if ((r & mask) != 0) {
            receive_from(at, r - mask, 3000);
            break;
        }
    for (mask /= 2; mask > 0; mask /= 2)
        if (r + mask < n) send_to(at, r + mask, 3000);
}

static void binomial_up(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t mask = 1; mask < n; mask *= 2) {
        if ((r & mask) != 0) {
            send_to(at, r - mask, 3000);
            break;
        }
        if (r + mask < n) receive_from(at, r + mask, 3000);
    }
}

/* In each round, the ranks that have the data send it as far as there are such ranks. */
static void doubling_tree(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t k = 1; k < n; k *= 2) {
        if (r < k && r + k < n) send_to(at, r + k, 3000);
        if (r >= k && r < 2 * k) receive_from(at, r - k, 3000);
    }
}

static void heap(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t child = 2 * r + 1; child <= 2 * r + 2; child++)
        if (child < n) receive_from(at, child, 3000);
    if (r > 0) send_to(at, (r - 1) / 2, 3000);
}

static void ring_gather(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 1; i < n; i++)
        exchange(at, (r + 1) % n, (r + n - 1) % n, 65536);
}

static void ring_gather_strong(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 1; i < n; i++)
        exchange(at, (r + 1) % n, (r + n - 1) % n, 4128768 / n);
}

static void pairwise(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 1; i < n; i++)
        exchange(at, (r + i) % n, (r + n - i) % n, 1024);
}

static void pairwise_xor(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 1; i < n; i++)
        if ((r ^ i) < n) swap(at, r ^ i, 1024);
}

static void master(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 1; i < n && r == 0; i++)
        send_to(at, i, 500);
    for (uint32_t i = 1; i < n && r == 0; i++)
        receive_from(at, i, 700);
    if (r == 0) return;
    receive_from(at, 0, 500);
    compute(at, 20000000);
    send_to(at, 0, 700);
}

/* Every fourth rank gathers from the three after it and sends to rank 0. */
static void leaders(struct family_rank *at, uint32_t r, uint32_t n) {
    if (r % 4 != 0) {
        send_to(at, r - r % 4, 100);
        return;
    }
    for (uint32_t i = r + 1; i < r + 4 && i < n; i++)
        receive_from(at, i, 100);
    if (r > 0) send_to(at, 0, 400);
    for (uint32_t i = 4; i < n && r == 0; i += 4)
        receive_from(at, i, 400);
}

static void pipeline(struct family_rank *at, uint32_t r, uint32_t n) {
    for (int i = 0; i < 5; i++) {
        if (r > 0) receive_from(at, r - 1, 9000);
        compute(at, 7000000);
        if (r + 1 < n) send_to(at, r + 1, 9000);
    }
}

/* A cycle of grids in a ring: on each coarser one, half of the ranks take part. */
static void multigrid(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t k = 1; k < n && r % k == 0; k *= 2) {
        if (r + k < n) swap(at, r + k, 512);
        if (r >= k) swap(at, r - k, 512);
    }
    sum(at);
}

/* All ranks take part in all levels, with partners twice as far on each. */
static void levels(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t k = 1, i = 0; k < n; k *= 2, i++)
        exchange(at, (r + k) % n, (r + n - k) % n, 8 * (uint64_t)(65536 >> i));
    sum(at);
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

/* ---- other rules ---- */

static void mirror(struct family_rank *at, uint32_t r, uint32_t n) {
    if (r != n - 1 - r) swap(at, n - 1 - r, 100);
    sum(at);
}

/* The first step of a matrix product: each row is shifted by its number. */
static void skew(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0];
    exchange(at, (x + e[0] - y % e[0]) % e[0] + e[0] * y, (x + y) % e[0] + e[0] * y, 4096);
}

/* Messages that grow with the rank. */
static void growing(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t from = (r + n - 1) % n;
    call(at, at->exchange);
    post_send(at, (r + 1) % n, 100 * (uint64_t)(r + 1));
    post_receive(at, from, 100 * (uint64_t)(from + 1));
    end(at);
}

/* One rank in the middle, every third one, or those of the last quarter gather from the next. */
static void gather_at(struct family_rank *at, uint32_t r, uint32_t n, bool is_here,
                      bool is_before) {
    if (is_here && n > 3) receive_from(at, (r + 1) % n, 64);
    if (is_before && n > 3) send_to(at, (r + n - 1) % n, 64);
    sum(at);
}

static void middle_rank(struct family_rank *at, uint32_t r, uint32_t n) {
    gather_at(at, r, n, r == n / 2, r == n / 2 + 1);
}
static void root_rank(struct family_rank *at, uint32_t r, uint32_t n) {
    gather_at(at, r, n, r == root_of(n), r == root_of(n) + 1);
}
static void every_third(struct family_rank *at, uint32_t r, uint32_t n) {
    gather_at(at, r, n, r % 3 == 0 && r + 1 < n, r % 3 == 1);
}
static void last_quarter(struct family_rank *at, uint32_t r, uint32_t n) {
    gather_at(at, r, n, r >= n - n / 4 && r + 1 < n, r > n - n / 4);
}
static void first_eight(struct family_rank *at, uint32_t r, uint32_t n) {
    gather_at(at, r, n, r < 8 && r + 1 < n, r > 0 && r <= 8);
}
static void rank_three(struct family_rank *at, uint32_t r, uint32_t n) {
    gather_at(at, r, n, r == 3 && n > 4, r == 4);
}

/* Partners by a number that the rank is multiplied with. */
static void scattered(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t from = 0;
    while ((from * 5 + 3) % n != r && from < n)
        from++;
    if (n % 5 == 0)
        exchange(at, (r + 3) % n, (r + n - 3) % n, 64);
    else
        exchange(at, (r * 5 + 3) % n, from, 64);
}

/* All ranks give their part to pairs twice as far each time, which have twice as much. */
static void doubling_strong(struct family_rank *at, uint32_t r, uint32_t n) {
    uint64_t bytes = 4128768 / n;
    for (uint32_t k = 1; k < n; k *= 2, bytes *= 2)
        swap(at, (r ^ k) < n ? r ^ k : NOBODY, bytes);
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

static void computing(struct family_rank *at, uint32_t r, uint32_t n) {
    compute(at, INT64_C(1000000000000) / n + 3000000 * (int64_t)log2_of(n));
    exchange(at, (r + 1) % n, (r + n - 1) % n, 1000);
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

/* ---- collectives ---- */

static uint32_t color_plane(uint32_t rank, uint32_t ranks, uint32_t number) {
    uint32_t e[2];
    plane(ranks, e);
    return number == 0 ? rank / e[0] : rank % e[0];
}

static void rows_and_columns(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    collective(at, PROGRAM_ALLTOALL, at->groups[0], PROGRAM_NONE, (UINT64_C(1) << 24) / n);
    collective(at, PROGRAM_ALLTOALL, at->groups[1], PROGRAM_NONE, (UINT64_C(1) << 24) / n);
}

static uint32_t color_root(uint32_t rank, uint32_t ranks, uint32_t number) {
    return number == 0 ? rank / root_of(ranks) : rank % root_of(ranks);
}

static void root_groups(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    (void)n;
    collective(at, PROGRAM_ALLREDUCE, at->groups[0], PROGRAM_NONE, 64);
}

static uint32_t color_nodes(uint32_t rank, uint32_t ranks, uint32_t number) {
    (void)ranks;
    return number == 0 ? rank / 4 : rank % 4;
}

static uint32_t color_quarters(uint32_t rank, uint32_t ranks, uint32_t number) {
    (void)number;
    return ranks >= 4 ? rank / (ranks / 4) : 0;
}

static void nodes(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)n;
    collective(at, PROGRAM_REDUCE, at->groups[0], 0, 640);
    if (r % 4 == 0) collective(at, PROGRAM_ALLREDUCE, at->groups[1], PROGRAM_NONE, 640);
    collective(at, PROGRAM_BCAST, at->groups[0], 0, 640);
}

static void root_third(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    collective(at, PROGRAM_BCAST, at->world, n / 3, 4096);
}

static void root_half(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    collective(at, PROGRAM_BCAST, at->world, n / 2, 4096);
}

static void root_last(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    collective(at, PROGRAM_BCAST, at->world, n - 1, 4096);
}

static void root_plane(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    collective(at, PROGRAM_BCAST, at->world, root_of(n), 4096);
}

static void vector_parts(struct family_rank *at, uint32_t r, uint32_t n) {
    exchange(at, (r + 1) % n, (r + n - 1) % n, 240000 / n * 8);
    collective(at, PROGRAM_ALLGATHER, at->world, PROGRAM_NONE, 8);
}

#define FAMILY(name)                                                                               \
    { #name, name, NULL, 0 }
const struct series_family_pattern series_family_patterns[] = {
    FAMILY(stride),
    FAMILY(quarter),
    FAMILY(half),
    FAMILY(logarithm),
    FAMILY(far),
    FAMILY(minmax),
    FAMILY(minmax_plane),
    FAMILY(convergence),
    FAMILY(convergence_once_more),
    FAMILY(step_at_8),
    FAMILY(steps_of_8),
    FAMILY(steps_of_8_below),
    FAMILY(step_by_rank),
    FAMILY(size_of_8),
    FAMILY(size_of_logarithm),
    FAMILY(size_of_root),
    FAMILY(trips_of_root),
    FAMILY(steps_of_logarithm),
    FAMILY(torus2),
    FAMILY(torus2_rising),
    FAMILY(open2),
    FAMILY(open2_rising),
    FAMILY(torus3),
    FAMILY(open3),
    FAMILY(surface3),
    FAMILY(two_grids),
    FAMILY(diagonals),
    FAMILY(transpose),
    FAMILY(wavefront),
    FAMILY(red_black),
    FAMILY(odd_even),
    FAMILY(odd_even_sort),
    FAMILY(doubling),
    FAMILY(halving),
    FAMILY(bruck),
    FAMILY(dissemination),
    FAMILY(binomial),
    FAMILY(binomial_up),
    FAMILY(doubling_tree),
    FAMILY(heap),
    FAMILY(ring_gather),
    FAMILY(ring_gather_strong),
    FAMILY(pairwise),
    FAMILY(pairwise_xor),
    FAMILY(master),
    FAMILY(leaders),
    FAMILY(pipeline),
    FAMILY(multigrid),
    FAMILY(levels),
    FAMILY(levels_plane),
    {"rows_and_columns", rows_and_columns, color_plane, 2},
    {"root_groups", root_groups, color_root, 1},
    FAMILY(root_half),
    FAMILY(root_last),
    FAMILY(root_plane),
    FAMILY(vector_parts),
    FAMILY(mirror),
    FAMILY(skew),
    FAMILY(growing),
    FAMILY(middle_rank),
    FAMILY(root_rank),
    FAMILY(every_third),
    FAMILY(last_quarter),
    FAMILY(first_eight),
    FAMILY(rank_three),
    FAMILY(scattered),
    FAMILY(doubling_strong),
    FAMILY(rows_by_turns),
    FAMILY(computing),
    FAMILY(two_strides),
    FAMILY(both_orders),
    FAMILY(diagonal3),
    FAMILY(root_third),
    {"nodes", nodes, color_nodes, 2},
    {"quarters", root_groups, color_quarters, 1},
};
const size_t series_family_count = sizeof series_family_patterns / sizeof *series_family_patterns;

/* Makes the communicators of one coloring; groups[r]: that of a rank. */
static void make_groups(struct program_builder *builder, const struct series_family_pattern *family,
                        uint32_t number, uint32_t ranks, uint32_t *groups, struct status *status) {
    uint32_t *members = calloc(ranks, sizeof *members), left = ranks;
    for (uint32_t color = 0; left > 0 && color < MOST_COLORS; color++) {
        uint32_t count = 0, index = 0;
        for (uint32_t r = 0; r < ranks; r++)
            if (family->color(r, ranks, number) == color) members[count++] = r;
        if (count == 0) continue;
        builder_communicator(builder, number == 0 ? "rows" : "columns", members, count, &index,
                             status);
        for (uint32_t i = 0; i < count; i++)
            groups[members[i]] = index;
        left -= count;
    }
    free(members);
}

struct program *series_family_make(const struct series_family_pattern *family, uint32_t ranks) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    struct family_rank at = {.builder = builder,
                             .send = builder_region(builder, "MPI_Send", true),
                             .receive = builder_region(builder, "MPI_Recv", true),
                             .exchange = builder_region(builder, "MPI_Sendrecv", true),
                             .collective = builder_region(builder, "MPI_Allreduce", true),
                             .status = &status};
    uint32_t *members = calloc(ranks, sizeof *members);
    uint32_t *groups = calloc(ranks, COLORINGS * sizeof *groups);
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_communicator(builder, "world", members, ranks, &at.world, &status);
    for (uint32_t i = 0; i < family->colorings; i++)
        make_groups(builder, family, i, ranks, groups + (size_t)i * ranks, &status);
    for (uint32_t r = 0; r < ranks; r++) {
        at.rank = r;
        for (uint32_t i = 0; i < family->colorings; i++)
            at.groups[i] = groups[(size_t)i * ranks + r];
        family->steps(&at, r, ranks);
    }
    struct program *program = NULL;
    if (builder_seal(builder, 1, &program, &status) != STATUS_OK)
        fail_msg("%s of %u ranks: %s", family->name, ranks, status.text);
    if (program->unmatched_sends + program->unmatched_receives > 0)
        fail_msg("%s of %u ranks has messages without a partner", family->name, ranks);
    builder_free(builder);
    free(groups);
    free(members);
    return program;
}
