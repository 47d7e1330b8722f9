/*
 * Families of programs with communicators and roots of collectives.
 */
#include "tests/support/series/series_family_rank.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static uint32_t color_plane(uint32_t rank, uint32_t ranks, uint32_t number) {
    uint32_t e[2];
    plane(ranks, e);
    return number == 0 ? rank / e[0] : rank % e[0];
}

static void rows_and_columns(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    collective(at, PROGRAM_COLLECTIVE_ALLTOALL, at->groups[0], PROGRAM_NONE,
               (UINT64_C(1) << 24) / n);
    collective(at, PROGRAM_COLLECTIVE_ALLTOALL, at->groups[1], PROGRAM_NONE,
               (UINT64_C(1) << 24) / n);
}

/* Panels of a matrix in turn: each iteration has the next column of ranks as its root, and the next
 * row. */
static void panels(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[2];
    plane(n, e);
    for (uint32_t k = 0; k < 24; k++) {
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->groups[0], k % e[0], 51200);
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->groups[1], k % e[1], 25600);
        compute(at, 1000000 * (r % 2 + 1));
    }
}

static uint32_t color_root(uint32_t rank, uint32_t ranks, uint32_t number) {
    return number == 0 ? rank / root_of(ranks) : rank % root_of(ranks);
}

static void root_groups(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    (void)n;
    collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->groups[0], PROGRAM_NONE, 64);
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
    collective(at, PROGRAM_COLLECTIVE_REDUCE, at->groups[0], 0, 640);
    if (r % 4 == 0) collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->groups[1], PROGRAM_NONE, 640);
    collective(at, PROGRAM_COLLECTIVE_BCAST, at->groups[0], 0, 640);
}

static void root_third(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    collective(at, PROGRAM_COLLECTIVE_BCAST, at->world, n / 3, 4096);
}

static void root_half(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    collective(at, PROGRAM_COLLECTIVE_BCAST, at->world, n / 2, 4096);
}

static void root_last(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    collective(at, PROGRAM_COLLECTIVE_BCAST, at->world, n - 1, 4096);
}

static void root_plane(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    collective(at, PROGRAM_COLLECTIVE_BCAST, at->world, root_of(n), 4096);
}

static void vector_parts(struct family_rank *at, uint32_t r, uint32_t n) {
    exchange(at, (r + 1) % n, (r + n - 1) % n, 240000 / n * 8);
    collective(at, PROGRAM_COLLECTIVE_ALLGATHER, at->world, PROGRAM_NONE, 8);
}

/* Blocks of a matrix that each rank shares with all others. */
static void matrix_blocks(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    collective(at, PROGRAM_COLLECTIVE_ALLTOALL, at->world, PROGRAM_NONE,
               (UINT64_C(1) << 32) / n / n);
}

/* The same of a million elements of 16 bytes, rounded down. */
static void matrix_parts(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    collective(at, PROGRAM_COLLECTIVE_ALLTOALL, at->world, PROGRAM_NONE,
               UINT64_C(1000000) / n / n * 16);
}

/* Rank 0 has a vector that all ranks get parts of. */
static void scatter_parts(struct family_rank *at, uint32_t r, uint32_t n) {
    const struct program_collective_arguments arguments = {
        .kind = PROGRAM_COLLECTIVE_SCATTERV,
        .communicator = at->world,
        .send_bytes = r == 0 ? 40000 : 0,
        .receive_bytes = 8 * (uint64_t)(5000 / n + (r < 5000 % n))};
    call(at, at->collective);
    builder_collective(at->builder, at->rank, &arguments, 0, BUILDER_NO_REQUEST, at->status);
    builder_return(at->builder, at->rank, ++at->now_ps, false, at->status);
}

/* The root turns through all ranks twice. */
static void roots_by_turns(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    for (uint32_t i = 0; i < 2 * n; i++)
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->world, i % n, 512);
}

static uint32_t color_rest(uint32_t rank, uint32_t ranks, uint32_t number) {
    (void)ranks;
    (void)number;
    return rank > 0;
}

/* All ranks but rank 0 have a communicator. */
static void all_but_first(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)n;
    if (r > 0) collective(at, PROGRAM_COLLECTIVE_BCAST, at->groups[0], 0, 512);
    sum(at);
}

/* Reports: the last rank is the root of each broadcast, but rank 0 of the last one. */
static void reports(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    for (uint32_t i = 0; i < 21; i++) {
        compute(at, 2000000);
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->world, i < 20 ? n - 1 : 0, 64);
    }
}

/* The root turns, but rank 0 is that of the last broadcast. */
static void turns_but_last(struct family_rank *at, uint32_t r, uint32_t n) {
    (void)r;
    for (uint32_t i = 0; i < 21; i++) {
        compute(at, 2000000);
        collective(at, PROGRAM_COLLECTIVE_BCAST, at->world, i < 20 ? (i + 3) % n : 0, 64);
    }
}

static uint32_t color_narrow_plane(uint32_t rank, uint32_t ranks, uint32_t number) {
    uint32_t e[2];
    plane(ranks, e);
    return number == 0 ? rank / e[1] : rank % e[1];
}

/* A torus of three dimensions, and sums along the rows and columns of a plane of all ranks. */
static void torus_and_lines(struct family_rank *at, uint32_t r, uint32_t n) {
    uint32_t e[3] = {1, 1, 1};
    space(n, e);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t stride = n;
        for (uint32_t d = 3; d-- > 0;) {
            stride /= e[d];
            const uint32_t own = r / stride % e[d], first = r - own * stride;
            const uint32_t up = first + (own + 1) % e[d] * stride;
            const uint32_t down = first + (own + e[d] - 1) % e[d] * stride;
            exchange(at, up, down, 4096);
            exchange(at, down, up, 4096);
        }
        for (uint32_t d = 0; d < 2; d++)
            collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->groups[d], PROGRAM_NONE, 64);
    }
}

/* Sums of nodes of four ranks, and of their first ranks, of which rank 0 computes three times as
 * much as all other ranks. Every measured time is another one. */
static void work_of_first_in_nodes(struct family_rank *at, uint32_t r, uint32_t n) {
    for (uint32_t i = 0; i < 4; i++) {
        compute(at, (r == 0 ? 9000000 : 3000000) + (r * 7919 + i * 104729 + n * 31) % 1009);
        collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->groups[0], PROGRAM_NONE, 64);
        if (r % 4 == 0)
            collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->groups[1], PROGRAM_NONE, 64);
    }
}

const struct series_family_pattern series_families_of_groups[] = {
    {"work_of_first_in_nodes", work_of_first_in_nodes, color_nodes, 2, false},
    {"rows_and_columns", rows_and_columns, color_plane, 2, false},
    {"panels", panels, color_plane, 2, false},
    {"root_groups", root_groups, color_root, 1, false},
    FAMILY(root_half),
    FAMILY(root_last),
    FAMILY(root_plane),
    FAMILY(vector_parts),
    FAMILY(root_third),
    {"nodes", nodes, color_nodes, 2, false},
    {"quarters", root_groups, color_quarters, 1, false},
    FAMILY(matrix_blocks),
    FAMILY(matrix_parts),
    FAMILY(scatter_parts),
    FAMILY(roots_by_turns),
    FAMILY(reports),
    FAMILY(turns_but_last),
    {"torus_and_lines", torus_and_lines, color_narrow_plane, 2, false},
    {"all_but_first", all_but_first, color_rest, 1, false},
    {NULL, NULL, NULL, 0, false},
};
