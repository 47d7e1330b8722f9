/*
 * Families of programs in which calls of two kinds follow each other, such as a halo and sums by
 * messages, and of transposes.
 */
#include "tests/support/series/series_family_rank.h"

#include <stddef.h>
#include <stdint.h>

enum { ITERATIONS = 3, TAG_HALO = 1, TAG_FOLD = 5, TAG_ROUND = 6, TAG_BACK = 7 };

/* The four neighbours of an open plane, in one call. */
static void halo_of(struct family_rank *at, uint32_t r, const uint32_t e[2]) {
    const uint32_t x = r % e[0], y = r / e[0];
    const int64_t others[4] = {x > 0 ? r - 1 : FAMILY_NOBODY, x + 1 < e[0] ? r + 1 : FAMILY_NOBODY,
                               y > 0 ? r - e[0] : FAMILY_NOBODY,
                               y + 1 < e[1] ? r + e[0] : FAMILY_NOBODY};
    at->tag = TAG_HALO;
    call(at, at->exchange);
    for (uint32_t i = 0; i < 4; i++) {
        post_send(at, others[i], 800);
        post_receive(at, others[i], 800);
    }
    end(at);
}

static void halo(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    halo_of(at, r, e);
}

/* The same, the smallest extent first, and work that follows no law. */
static void halo_and_noise(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t rising[2] = {e[1], e[0]};
    compute(at, 1000 * (n * 7919 % 101));
    halo_of(at, r, rising);
}

/* A sum; the ranks beyond a power of two are folded into the first ones. */
static void folded_sum(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t power = 1u << log2_of(n), rest = n - power;
    at->tag = TAG_FOLD;
    if (r >= power) send_to(at, r - power, 8);
    if (r < rest) receive_from(at, r + power, 8);
    at->tag = TAG_ROUND;
    for (uint32_t k = 1; k < power && r < power; k *= 2)
        swap(at, r ^ k, 8);
    at->tag = TAG_BACK;
    if (r < rest) send_to(at, r + power, 8);
    if (r >= power) receive_from(at, r - power, 8);
}

static void halo_and_folds(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 0; i < ITERATIONS; i++) {
        halo(at, r, n);
        compute(at, 5000);
        folded_sum(at, r, n);
        folded_sum(at, r, n);
    }
    compute(at, 300);
}

/* Two sums follow each other, so that the rounds of a rank without a partner beyond the power of
 * two look like one loop. */
static void folds(struct family_rank *at, uint32_t r, uint32_t n) {
    folded_sum(at, r, n);
    folded_sum(at, r, n);
}

/* A halo that ranks begin before a sum and end behind it: no call set is over where the other one
 * begins. */
static void halo_around_folds(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint64_t request = 1;
    for (uint32_t i = 0; i < ITERATIONS; i++) {
        const uint32_t up = (r + 1) % n, down = (r + n - 1) % n;
        call(at, at->post);
        builder_receive(at->builder, r, at->world, down, TAG_HALO, 80, 0, request, at->status);
        end(at);
        halo(at, r, n);
        folded_sum(at, r, n);
        at->tag = TAG_HALO;
        send_to(at, up, 80);
        call(at, at->wait);
        builder_wait(at->builder, r, &request, 1, at->status);
        end(at);
    }
}

/* Ranks of a square send to their place in the transposed one, but for those on the diagonal. */
static void transpose_beside(struct family_rank *at, uint32_t r, uint32_t n) {
    const uint32_t root = root_of(n), other = r % root * root + r / root;
    for (uint32_t i = 0; i < ITERATIONS; i++) {
        if (root * root == n && other != r) swap(at, other, 1000);
        sum(at);
    }
}

/* Ranks give to the first one of 4, these to the first one of 16, and these to rank 0. The loops of
 * the first ones have the same calls and other trips. */
static void levels_of_nodes(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 0; i < ITERATIONS; i++)
        for (uint32_t size = 4; size <= 64; size *= 4) {
            const uint32_t all = size == 64 ? n : size, first = r / all * all;
            at->tag = (int32_t)size;
            if (r != first) {
                send_to(at, first, 16 * size);
                break;
            }
            for (uint32_t k = size / 4; k < all && r + k < n; k += size / 4)
                receive_from(at, r + k, 16 * size);
        }
}

static uint32_t color_plane(uint32_t rank, uint32_t ranks, uint32_t number) {
    uint32_t e[2];
    plane(ranks, e);
    return number == 0 ? rank / e[0] : rank % e[0];
}

/* The blocks of a transpose: a rank's part, rounded down, is divided by the ranks of a line, and
 * rounded down again. */
static void blocks_of_parts(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    (void)r;
    plane(n, e);
    const uint64_t part = (UINT64_C(1) << 25) / n;
    for (uint32_t i = 0; i < ITERATIONS; i++) {
        collective(at, PROGRAM_COLLECTIVE_ALLTOALL, at->groups[0], PROGRAM_NONE, part / e[0]);
        collective(at, PROGRAM_COLLECTIVE_ALLTOALL, at->groups[1], PROGRAM_NONE, part / e[1]);
    }
}

/* The root of each row gives it a vector, and the roots add theirs up. */
static void roots_of_rows(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (uint32_t i = 0; i < ITERATIONS; i++) {
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->groups[0], 0, 8000);
        if (r % e[0] == 0)
            collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->groups[1], PROGRAM_NONE, 80);
    }
}

/* MPI_Alltoallv with the next rank and the one before. */
static void neighbours_of_all(struct family_rank *at, uint32_t r, uint32_t n) {
    enum { MOST_RANKS = 512, BYTES = 800 };
    uint64_t row[MOST_RANKS] = {0};
    const struct program_collective_arguments arguments = {.kind = PROGRAM_COLLECTIVE_ALLTOALLV,
                                                           .communicator = at->world,
                                                           .root = PROGRAM_NONE,
                                                           .send_bytes = 2 * BYTES,
                                                           .receive_bytes = 2 * BYTES};
    row[(r + 1) % n] += BYTES;
    row[(r + n - 1) % n] += BYTES;
    call(at, at->collective);
    builder_collective(at->builder, r, &arguments, 0, BUILDER_NO_REQUEST, at->status);
    builder_set_bytes_to_members(at->builder, r, row, n, at->status);
    end(at);
}

const struct series_family_pattern series_families_of_call_sets[] = {
    FAMILY(halo_and_folds),
    FAMILY(folds),
    FAMILY(halo_and_noise),
    {"halo_around_folds", halo_around_folds, NULL, 0, true},
    FAMILY(transpose_beside),
    FAMILY(levels_of_nodes),
    {"blocks_of_parts", blocks_of_parts, color_plane, 2, false},
    {"roots_of_rows", roots_of_rows, color_plane, 2, false},
    FAMILY(neighbours_of_all),
    {NULL, NULL, NULL, 0, false},
};
