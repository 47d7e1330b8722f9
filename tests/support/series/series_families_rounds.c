/*
 * Families of programs as libraries and applications exchange in rounds: scans with a call for each
 * message, folds of the ranks beyond a power of two, sorts, trees of more children, and the parts
 * of a box of cells.
 */
#include "tests/support/series/series_family_rank.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* A scan in rounds of doubling. A rank without a partner makes no call. */
static void scan_calls(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t k = 1; k < n; k *= 2) {
        if (r + k < n) send_to(at, r + k, 256);
        if (r >= k) receive_from(at, r - k, 256);
    }
}

/* Stage k of a sort exchanges with ranks that differ in bits k to 0. */
static void bitonic(struct family_rank *at, uint32_t r, uint32_t n) {
    if ((n & (n - 1)) != 0) sum(at);
    for (uint32_t stage = 2; stage <= n && (n & (n - 1)) == 0; stage *= 2)
        for (uint32_t k = stage / 2; k > 0; k /= 2)
            swap(at, r ^ k, 4096);
}

/* Halving and doubling; the first ranks fold in pairs what is beyond a power of two (MPICH). */
static void rabenseifner(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t power = 1u << log2_of(n), rest = n - power;
    const bool is_paired = r < 2 * rest;
    uint64_t bytes = 1 << 20;
    if (is_paired && r % 2 == 0) {
        send_to(at, r + 1, bytes);
        receive_from(at, r + 1, bytes);
        return;
    }
    if (is_paired) receive_from(at, r - 1, bytes);
    const uint32_t own = is_paired ? r / 2 : r - rest;
    for (uint32_t k = 1; k < power; k *= 2) {
        const uint32_t other = own ^ k;
        swap(at, other < rest ? 2 * other + 1 : other + rest, bytes /= 2);
    }
    for (uint32_t k = power / 2; k > 0; k /= 2, bytes *= 2) {
        const uint32_t other = own ^ k;
        swap(at, other < rest ? 2 * other + 1 : other + rest, bytes);
    }
    if (is_paired) send_to(at, r - 1, bytes);
}

/* The ranks beyond a power of two are folded into the first ones. */
static void fold_high(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t power = 1u << log2_of(n), rest = n - power;
    if (r >= power) {
        send_to(at, r - power, 80);
        receive_from(at, r - power, 80);
        return;
    }
    if (r < rest) receive_from(at, r + power, 80);
    for (uint32_t k = 1; k < power; k *= 2)
        swap(at, r ^ k, 80);
    if (r < rest) send_to(at, r + power, 80);
}

/* A transpose by a tournament in which all meet all, as FFTW's: the last rank stays, and the others
 * go around. The tag numbers the sender and the receiver. */
static void tournament(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t k = 0; k + 1 < n; k++) {
        const uint32_t others = n - 1;
        const uint32_t other = r == others ? k : r == k ? others : (2 * k + others - r) % others;
        call(at, at->exchange);
        at->tag = (int32_t)(r * n + other);
        post_send(at, other, 65536);
        at->tag = (int32_t)(other * n + r);
        post_receive(at, other, 65536);
        end(at);
    }
    at->tag = 0;
}

/* A step of a ring whose tag is the rank of the sender, or of the receiver. */
static void ring_of_tags(struct family_rank *at, uint32_t r, uint32_t n, int32_t first, bool sent) {
    const uint32_t to = (r + 1) % n, from = (r + n - 1) % n;
    for (uint32_t i = 0; i < 3; i++) {
        call(at, at->exchange);
        at->tag = first + (int32_t)(sent ? r : to);
        post_send(at, to, 512);
        at->tag = first + (int32_t)(sent ? from : r);
        post_receive(at, from, 512);
        end(at);
    }
    at->tag = 0;
}

static void tags_of_senders(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_of_tags(at, r, n, 100, true);
}

static void tags_of_receivers(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_of_tags(at, r, n, 0, false);
}

/* Three times around a ring; the tag numbers the steps of a turn. */
static void turns_of_ring(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t turn = 0; turn < 3; turn++)
        for (uint32_t k = 0; k + 1 < n; k++) {
            at->tag = (int32_t)k;
            exchange(at, (r + 1) % n, (r + n - 1) % n, 8192);
        }
    at->tag = 0;
}

/* Bruck's all-to-all: in each round the blocks whose number has the bit of the round. */
static void bruck_blocks(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t k = 1; k < n; k *= 2) {
        uint64_t blocks = 0;
        for (uint32_t i = 0; i < n; i++)
            blocks += (i & k) != 0;
        exchange(at, (r + k) % n, (r + n - k) % n, 512 * blocks);
    }
}

/* Each rank sends what it gathered from its part of a binomial tree. */
static void binomial_gather(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t k = 1; k < n; k *= 2) {
        if ((r & k) != 0) {
            send_to(at, r - k, UINT64_C(100) * (r + k < n ? k : n - r));
            return;
        }
        const uint32_t child = r + k;
        if (child < n) receive_from(at, child, UINT64_C(100) * (child + k < n ? k : n - child));
    }
}

static void knomial(struct family_rank *at, uint32_t r, uint32_t n) {
    enum { RADIX = 4 };
    uint32_t step = 1;
    for (; step < n && r / step % RADIX == 0; step *= RADIX)
        continue;
    if (step < n) receive_from(at, r - r / step % RADIX * step, 64);
    for (step /= RADIX; step > 0; step /= RADIX)
        for (uint32_t i = 1; i < RADIX; i++)
            if (r + i * step < n) send_to(at, r + i * step, 64);
}

/* Blocks of a plane as many as ranks in a row: rank 0 makes two sends for each of them. */
static void sweep_blocks(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t x = r % e[0], y = r / e[0];
    for (uint32_t k = 0; k < e[0]; k++) {
        if (x > 0) receive_from(at, r - 1, 480);
        if (y > 0) receive_from(at, r - e[0], 480);
        compute(at, 3000000);
        if (x + 1 < e[0]) send_to(at, r + 1, 480);
        if (y + 1 < e[1]) send_to(at, r + e[0], 480);
    }
}

/* Faces of a cube of cells in a grid with ends. Each dimension and direction has its own tag. */
static void faces(struct family_rank *at, uint32_t r, uint32_t n, uint64_t cells) {
    uint32_t e[3], c[3];
    space(n, e);
    c[0] = r % e[0], c[1] = r / e[0] % e[1], c[2] = r / e[0] / e[1];
    for (uint32_t d = 0, stride = 1; d < 3; stride *= e[d++]) {
        const uint32_t a = (d + 1) % 3, b = (d + 2) % 3;
        const uint64_t bytes =
            8 * (cells / e[a] + (c[a] < cells % e[a])) * (cells / e[b] + (c[b] < cells % e[b]));
        const int64_t low = c[d] > 0 ? (int64_t)r - stride : FAMILY_NOBODY;
        const int64_t high = c[d] + 1 < e[d] ? (int64_t)r + stride : FAMILY_NOBODY;
        at->tag = (int32_t)(2 * d);
        if (high != FAMILY_NOBODY) send_to(at, high, bytes);
        if (low != FAMILY_NOBODY) receive_from(at, low, bytes);
        at->tag = (int32_t)(2 * d + 1);
        if (low != FAMILY_NOBODY) send_to(at, low, bytes);
        if (high != FAMILY_NOBODY) receive_from(at, high, bytes);
    }
}

static void uneven_box(struct family_rank *at, uint32_t r, uint32_t n) {
    faces(at, r, n, 100);
}

static void open3_tags(struct family_rank *at, uint32_t r, uint32_t n) {
    faces(at, r, n, 960);
}

static uint32_t color_leaders(uint32_t rank, uint32_t ranks, uint32_t number) {
    (void)ranks;
    return number == 0 ? rank / 4 : rank % 4 == 0 ? 0 : UINT32_MAX;
}

/* The first rank of each block of 4 works for its block. */
static void node_leaders(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)n;
    collective(at, PROGRAM_COLLECTIVE_REDUCE, at->groups[0], 0, 64);
    if (r % 4 == 0) collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->groups[1], PROGRAM_NONE, 64);
    collective(at, PROGRAM_COLLECTIVE_BCAST, at->groups[0], 0, 64);
}

static uint32_t color_some_lines(uint32_t rank, uint32_t ranks, uint32_t number) {
    (void)ranks;
    if (number == 0) return rank / 2;
    return rank % 2 == 0 ? rank / 4 : UINT32_MAX;
}

/* Lines of 2 x 2 x n: all of the first dimension, and those of the second one on its low side. */
static void some_lines(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)n;
    collective(at, PROGRAM_COLLECTIVE_GATHER, at->groups[0], 0, 8);
    if (r % 2 == 0) collective(at, PROGRAM_COLLECTIVE_GATHER, at->groups[1], 0, 8);
}

static uint32_t color_but_last(uint32_t rank, uint32_t ranks, uint32_t number) {
    (void)number;
    return rank + 1 == ranks ? UINT32_MAX : 0;
}

/* The last rank takes what the others send, in three rounds. */
static void server(struct family_rank *at, uint32_t r, uint32_t n) {
    for (int round = 0; round < 3; round++) {
        if (r + 1 < n) {
            collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->groups[0], PROGRAM_NONE, 64);
            send_to(at, n - 1, 4096);
            continue;
        }
        for (uint32_t i = 0; i + 1 < n; i++)
            receive_from(at, i, 4096);
    }
}

/* Rank 0 gives each worker as many elements; what is left over stays with it. */
static void chunks(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint64_t bytes = 8 * (UINT64_C(1000000) / (n - 1));
    if (r > 0) receive_from(at, 0, bytes);
    for (uint32_t i = 1; i < n && r == 0; i++)
        send_to(at, i, bytes);
}

/* Messages of a second round have the tags after those of all ranks. */
static void tags_of_rounds(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        sum(at);
        if (r != 0 && r != i) continue;
        for (uint32_t round = 0; round < 2; round++) {
            at->tag = (int32_t)(round * n + i + 1);
            if (r == 0)
                receive_from(at, i, 1000);
            else
                send_to(at, 0, 1000);
        }
    }
}

const struct series_family_pattern series_families_of_rounds[] = {
    FAMILY(scan_calls),
    FAMILY(bitonic),
    FAMILY(rabenseifner),
    FAMILY(fold_high),
    FAMILY(tournament),
    FAMILY(turns_of_ring),
    FAMILY(bruck_blocks),
    FAMILY(binomial_gather),
    FAMILY(knomial),
    FAMILY(sweep_blocks),
    FAMILY(uneven_box),
    FAMILY(open3_tags),
    {"node_leaders", node_leaders, color_leaders, 2, false},
    {"some_lines", some_lines, color_some_lines, 2, false},
    {"server", server, color_but_last, 1, false},
    FAMILY(chunks),
    FAMILY(tags_of_rounds),
    FAMILY(tags_of_senders),
    FAMILY(tags_of_receivers),
    {NULL, NULL, NULL, 0, false},
};
