/*
 * Families of programs with partners at distances, loops and sizes that follow a law or none, and
 * roles of some ranks.
 */
#include "tests/support/series/series_family_rank.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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

static void half_root(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t k = (root_of(n) + 1) / 2;
    exchange(at, (r + k) % n, (r + n - k) % n, 4096);
}

static void twice_root(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t k = 2 * root_of(n);
    exchange(at, (r + k) % n, (r + n - k) % n, 4096);
}

static void third(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t k = n / 3;
    exchange(at, (r + k) % n, (r + n - k) % n, 4096);
}

static void ten(struct family_rank *at, uint32_t r, uint32_t n) {
    exchange(at, (r + 10) % n, (r + 10 * n - 10) % n, 4096);
}

/* Roots that numbers of ranks turn round. */
static void roots_modulo(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    for (uint32_t k = 1; k <= 11; k += 5)
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->world, k % n, 64);
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
        compute(at, 1000), swap(at, (r ^ 1) < n ? (int64_t)(r ^ 1) : FAMILY_NOBODY, 512);
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

/* Parts of 1024 bodies of 32 bytes; what is left over nobody has. */
static void bodies(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, n - 1, 1024 / n * 32);
}

/* Faces of cubes whose edges are rounded. */
static void size_of_face(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t edge = 1;
    while ((edge + 1) * (edge + 1) * (edge + 1) <= n)
        edge++;
    ring_steps(at, r, n, 3, 720720 * 8 / (edge * edge));
}

static void size_of_square(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 3, 8 * (uint64_t)n * n);
}

static void size_of_sort(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 3, 8 * (uint64_t)n * log2_of(n));
}

static void size_for_workers(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 3, 15 * 31 * 63 * 127 * 64 / (n - 1));
}

static void steps_of_bits(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 2 + (uint32_t)__builtin_popcount(n), 64);
}

static void steps_of_square(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, log2_of(n) * log2_of(n), 64);
}

static void trips_of_root(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, root_of(n), 64);
}

static void trips_above_root(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t root = root_of(n);
    ring_steps(at, r, n, root + (root * root < n), 64);
}

static void steps_of_logarithm(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_steps(at, r, n, 5 + log2_of(n), 64);
}

/* Roots are every second rank. */
static void every_second_root(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    for (uint32_t i = 0; i < n; i += 2)
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->world, i, 512);
}

/* As many steps as the largest extent of a box that nothing else follows. */
static void trips_of_box(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t extents[3] = {1, 1, 1};
    space(n, extents);
    ring_steps(at, r, n, extents[0], 64);
}

/* A ring of parts of 1000 elements, whose rest is shared in several ways. */
static void ring_of_parts(struct family_rank *at, uint32_t r, uint32_t n,
                          uint64_t part(uint32_t number, uint32_t ranks)) {
    const uint32_t from = (r + n - 1) % n;
    call(at, at->exchange);
    post_send(at, (r + 1) % n, part(r, n));
    post_receive(at, from, part(from, n));
    end(at);
}

static uint64_t part_of_last(uint32_t number, uint32_t ranks) {
    return 8 * (number + 1 == ranks ? 1000 / ranks + 1000 % ranks : 1000 / ranks);
}

static void rest_of_last(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_of_parts(at, r, n, part_of_last);
}

static uint64_t part_of_last_ones(uint32_t number, uint32_t ranks) {
    return 8 * (1000 / ranks + (number >= ranks - 1000 % ranks));
}

static void rest_of_last_ones(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_of_parts(at, r, n, part_of_last_ones);
}

static uint64_t part_in_proportion(uint32_t number, uint32_t ranks) {
    return 8 * (1000 * (number + 1) / ranks - 1000 * number / ranks);
}

static void rest_in_proportion(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_of_parts(at, r, n, part_in_proportion);
}

static uint64_t part_in_blocks(uint32_t number, uint32_t ranks) {
    const uint32_t block = (1000 + ranks - 1) / ranks, first = block * number;
    return first >= 1000 ? 0 : 8 * (first + block > 1000 ? 1000 - first : block);
}

static void rest_of_blocks(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_of_parts(at, r, n, part_in_blocks);
}

/* Rows of a matrix, of 2904 bytes each. */
static uint64_t part_in_rows(uint32_t number, uint32_t ranks) {
    return 2904 * (1000 / ranks + (number < 1000 % ranks));
}

static void rest_of_rows(struct family_rank *at, uint32_t r, uint32_t n) {
    ring_of_parts(at, r, n, part_in_rows);
}

/* Each rank gives all ranks as many elements as its part has. */
static void parts_for_all(struct family_rank *at, uint32_t r, uint32_t n) {
    collective(at, PROGRAM_COLLECTIVE_ALLTOALLV, at->world, PROGRAM_NONE,
               (uint64_t)n * 16 * (1000 / n + (r < 1000 % n)));
}

/* A matrix with a band of three blocks on both sides, without ends around it. */
static void band(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t s = 1; s <= 3; s++) {
        const int64_t below = r >= s ? (int64_t)r - s : FAMILY_NOBODY;
        const int64_t above = r + s < n ? (int64_t)r + s : FAMILY_NOBODY;
        exchange(at, below, above, 512);
        exchange(at, above, below, 256 * s);
    }
}

/* Steps to the seventh rank ahead. */
static void seven(struct family_rank *at, uint32_t r, uint32_t n) {
    exchange(at, (r + 7) % n, (r + 7 * n - 7) % n, 64);
}

/* As many steps as the smaller extent of a plane that nothing else follows. */
static void trips_of_extent(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    ring_steps(at, r, n, e[1], 64);
}

/* Odd ranks send twice as much as even ones. */
static void size_of_parity(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t from = (r + n - 1) % n;
    call(at, at->exchange);
    post_send(at, (r + 1) % n, r % 2 == 0 ? 100 : 200);
    post_receive(at, from, from % 2 == 0 ? 100 : 200);
    end(at);
}

/* Rank 0 computes three times as much as all others, and every measured time is another one. */
static void work_of_first(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 0; i < 4; i++) {
        compute(at, (r == 0 ? 9000000 : 3000000) + (r * 7919 + i * 104729 + n * 31) % 1009);
        exchange(at, (r + 1) % n, (r + n - 1) % n, 1000);
    }
}

/* 36 tasks for the workers: of 49 ranks, some have none. */
static void few_tasks(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 0; i < 36 && r == 0; i++)
        send_to(at, 1 + i % (n - 1), 100);
    for (uint32_t i = r - 1; i < 36 && r > 0; i += n - 1) {
        receive_from(at, 0, 100);
        compute(at, 1000000);
    }
    sum(at);
}

/* Work of a face, whose edges are rounded. */
static void work_of_face(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t edge = 1;
    while ((edge + 1) * (edge + 1) * (edge + 1) <= n)
        edge++;
    compute(at, INT64_C(720720000000) / edge / edge);
    exchange(at, (r + 1) % n, (r + n - 1) % n, 1000);
}

static void mirror(struct family_rank *at, uint32_t r, uint32_t n) {
    if (r != n - 1 - r) swap(at, n - 1 - r, 100);
    sum(at);
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

static void computing(struct family_rank *at, uint32_t r, uint32_t n) {
    compute(at, INT64_C(1000000000000) / n + 3000000 * (int64_t)log2_of(n));
    exchange(at, (r + 1) % n, (r + n - 1) % n, 1000);
}

/* Rank 1 alone computes. */
static void rank_at_work(struct family_rank *at, uint32_t r, uint32_t n) {
    if (r == 1) compute(at, 9000000);
    exchange(at, (r + 1) % n, (r + n - 1) % n, 1000);
}

/* Work that shrinks faster than with 1/P. */
static void shrinking(struct family_rank *at, uint32_t r, uint32_t n) {
    compute(at, INT64_C(100000000000) / n * (20 - (int64_t)log2_of(n)));
    exchange(at, (r + 1) % n, (r + n - 1) % n, 1000);
}

/* Pairs whose parts of a vector are all rounded down. */
static void rounded_parts(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t half = n / 2;
    if (r < 2 * half) swap(at, r < half ? r + half : r - half, 1000003 / n * 8);
    sum(at);
}

/* A line with ends, whose parts of 4000 numbers are gathered. The part of the first rank alone
 * follows from several totals. */
static void gathered_line(struct family_rank *at, uint32_t r, uint32_t n) {
    for (int i = 0; i < 3; i++) {
        if (r > 0) swap(at, r - 1, 8);
        if (r + 1 < n) swap(at, r + 1, 8);
    }
    collective(at, PROGRAM_COLLECTIVE_GATHERV, at->world, 0,
               8 * (uint64_t)(4000 / n + (r < 4000 % n)));
}

/* Which ranks send follows from the 1 bits of their numbers. */
static void bits(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)n;
    if (__builtin_popcount(r) % 2 == 1) swap(at, r, 8);
    sum(at);
}

/* Parts of 64 elements of 8 bytes, of which each rank has one at least. */
static void least_element(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint64_t elements = n > 64 ? 1 : 64 / n;
    for (uint32_t i = 0; i < 3; i++)
        exchange(at, (r + 1) % n, (r + n - 1) % n, 8 * elements);
}

const struct series_family_pattern series_families_of_others[] = {
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
    FAMILY(mirror),
    FAMILY(growing),
    FAMILY(middle_rank),
    FAMILY(root_rank),
    FAMILY(every_third),
    FAMILY(last_quarter),
    FAMILY(first_eight),
    FAMILY(rank_three),
    FAMILY(scattered),
    FAMILY(computing),
    FAMILY(rounded_parts),
    FAMILY(trips_above_root),
    FAMILY(rank_at_work),
    FAMILY(shrinking),
    FAMILY(bodies),
    FAMILY(size_of_face),
    FAMILY(size_of_square),
    FAMILY(size_of_sort),
    FAMILY(size_for_workers),
    FAMILY(steps_of_square),
    FAMILY(steps_of_bits),
    FAMILY(half_root),
    FAMILY(twice_root),
    FAMILY(third),
    FAMILY(ten),
    FAMILY(roots_modulo),
    FAMILY(every_second_root),
    FAMILY(trips_of_extent),
    FAMILY(trips_of_box),
    FAMILY(seven),
    FAMILY(band),
    FAMILY(rest_of_last),
    FAMILY(rest_of_last_ones),
    FAMILY(rest_in_proportion),
    FAMILY(rest_of_blocks),
    FAMILY(rest_of_rows),
    FAMILY(parts_for_all),
    FAMILY(size_of_parity),
    FAMILY(work_of_face),
    FAMILY(work_of_first),
    FAMILY(few_tasks),
    FAMILY(bits),
    FAMILY(gathered_line),
    FAMILY(least_element),
    {NULL, NULL, NULL, 0, false},
};
