/*
 * Families of programs in trees, butterflies and rings.
 */
#include "tests/support/series/series_family_rank.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static void doubling(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t k = 1; k < n; k *= 2)
        swap(at, (r ^ k) < n ? r ^ k : FAMILY_NOBODY, 8000);
}

static void halving(struct family_rank *at, uint32_t r, uint32_t n) {
    uint64_t bytes = 1 << 20;
    for (uint32_t k = n / 2; k > 0; k /= 2)
        swap(at, (r ^ k) < n ? r ^ k : FAMILY_NOBODY, bytes /= 2);
    for (uint32_t k = 1; k < n; k *= 2, bytes *= 2)
        swap(at, (r ^ k) < n ? r ^ k : FAMILY_NOBODY, bytes);
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

/* The first rank of each four gathers from the others and is one of a ring of all first ranks. */
static void aggregators(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t blocks = (n + 3) / 4, own = r / 4;
    if (r % 4 != 0) {
        send_to(at, r - r % 4, 64);
        return;
    }
    for (uint32_t i = r + 1; i < r + 4 && i < n; i++)
        receive_from(at, i, 64);
    exchange(at, (own + 1) % blocks * 4, (own + blocks - 1) % blocks * 4, 256);
}

/* A tree of three children. */
static void heap3(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t child = 3 * r + 1; child <= 3 * r + 3; child++)
        if (child < n) receive_from(at, child, 64);
    if (r > 0) send_to(at, (r - 1) / 3, 64);
}

/* In each round a rank sends to the one that is twice as far above, if there is one, and receives
 * from the one as far below. */
static void scan_rounds(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t k = 1; k < n; k *= 2)
        exchange(at, r + k < n ? (int64_t)(r + k) : FAMILY_NOBODY,
                 r >= k ? (int64_t)(r - k) : FAMILY_NOBODY, 256);
}

/* Five tasks for each worker, by turns. */
static void tasks_by_turns(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 0; i < 5 * (n - 1) && r == 0; i++)
        send_to(at, 1 + i % (n - 1), 100);
    for (uint32_t i = 0; i < 5 && r > 0; i++)
        receive_from(at, 0, 100);
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

/* The workers share 100003 elements of 8 bytes. */
static void master_parts(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t workers = n - 1;
    for (uint32_t i = 0; i < workers && r == 0; i++)
        send_to(at, i + 1, 8 * (uint64_t)(100003 / workers + (i < 100003 % workers)));
    if (r > 0) receive_from(at, 0, 8 * (uint64_t)(100003 / workers + (r - 1 < 100003 % workers)));
    sum(at);
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

/* All ranks give their part to pairs twice as far each time, which have twice as much. */
static void doubling_strong(struct family_rank *at, uint32_t r, uint32_t n) {
    uint64_t bytes = 4128768 / n;
    for (uint32_t k = 1; k < n; k *= 2, bytes *= 2)
        swap(at, (r ^ k) < n ? r ^ k : FAMILY_NOBODY, bytes);
}

const struct series_family_pattern series_families_of_trees[] = {
    FAMILY(doubling),       FAMILY(halving),
    FAMILY(bruck),          FAMILY(dissemination),
    FAMILY(binomial),       FAMILY(binomial_up),
    FAMILY(doubling_tree),  FAMILY(heap),
    FAMILY(ring_gather),    FAMILY(ring_gather_strong),
    FAMILY(pairwise),       FAMILY(pairwise_xor),
    FAMILY(master),         FAMILY(leaders),
    FAMILY(pipeline),       FAMILY(multigrid),
    FAMILY(levels),         FAMILY(doubling_strong),
    FAMILY(master_parts),   FAMILY(heap3),
    FAMILY(aggregators),    FAMILY(scan_rounds),
    FAMILY(tasks_by_turns), {NULL, NULL, NULL, 0, false},
};
