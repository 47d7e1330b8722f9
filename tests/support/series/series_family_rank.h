/*
 * What a rank of a family does, in the words of MPI, and the numbers that its partners follow from.
 * For the families of programs (series_families.h) alone.
 */
#ifndef ANAX_TESTS_SERIES_FAMILY_RANK_H
#define ANAX_TESTS_SERIES_FAMILY_RANK_H

#include "tests/support/series/series_families.h"
#include "traces/program/builder/program_builder.h"

enum { FAMILY_COLORINGS = 2 };

#define FAMILY_NOBODY INT64_C(-1)

struct family_rank {
    struct program_builder *builder;
    uint32_t rank;
    uint32_t world, groups[FAMILY_COLORINGS]; /* communicators of the rank */
    uint32_t send, receive, exchange, collective;
    uint32_t post, test, wait; /* of families that post requests */
    int32_t tag;               /* of the next messages */
    int64_t now_ps;            /* of the rank; a call takes 1 ps */
    struct status *status;
};

/* A row of a table of families. */
#define FAMILY(name)                                                                               \
    { #name, name, NULL, 0, false }

static inline void call(struct family_rank *at, uint32_t region) {
    builder_call(at->builder, at->rank, region, 0, at->now_ps, at->status);
}

static inline void end(struct family_rank *at) {
    builder_wait_call(at->builder, at->rank, at->status);
    builder_return(at->builder, at->rank, ++at->now_ps, false, at->status);
}

static inline void post_send(struct family_rank *at, int64_t to, uint64_t bytes) {
    if (to != FAMILY_NOBODY)
        builder_send(at->builder, at->rank, at->world, (uint32_t)to, at->tag, bytes, 0,
                     BUILDER_NO_REQUEST, at->status);
}

static inline void post_receive(struct family_rank *at, int64_t from, uint64_t bytes) {
    if (from != FAMILY_NOBODY)
        builder_receive(at->builder, at->rank, at->world, (uint32_t)from, at->tag, bytes, 0,
                        BUILDER_NO_REQUEST, at->status);
}

static inline void send_to(struct family_rank *at, int64_t to, uint64_t bytes) {
    call(at, at->send);
    post_send(at, to, bytes);
    end(at);
}

static inline void receive_from(struct family_rank *at, int64_t from, uint64_t bytes) {
    call(at, at->receive);
    post_receive(at, from, bytes);
    end(at);
}

/* Sends to one rank and receives from another one; FAMILY_NOBODY: neither. */
static inline void exchange(struct family_rank *at, int64_t to, int64_t from, uint64_t bytes) {
    if (to == FAMILY_NOBODY && from == FAMILY_NOBODY) return;
    call(at, at->exchange);
    post_send(at, to, bytes);
    post_receive(at, from, bytes);
    end(at);
}

static inline void swap(struct family_rank *at, int64_t other, uint64_t bytes) {
    exchange(at, other, other, bytes);
}

static inline void collective(struct family_rank *at, uint32_t kind, uint32_t communicator,
                              uint32_t root, uint64_t bytes) {
    const struct program_collective_arguments arguments = {.kind = kind,
                                                           .communicator = communicator,
                                                           .root = root,
                                                           .send_bytes = bytes,
                                                           .receive_bytes = bytes};
    call(at, at->collective);
    builder_collective(at->builder, at->rank, &arguments, 0, BUILDER_NO_REQUEST, at->status);
    builder_return(at->builder, at->rank, ++at->now_ps, false, at->status);
}

static inline void sum(struct family_rank *at) {
    collective(at, PROGRAM_COLLECTIVE_ALLREDUCE, at->world, PROGRAM_NONE, 8);
}

static inline void compute(struct family_rank *at, int64_t duration_ps) {
    builder_compute(at->builder, at->rank, duration_ps, at->status);
    at->now_ps += duration_ps;
}

/* ---- numbers ---- */

static inline uint32_t root_of(uint32_t ranks) {
    uint32_t root = 1;
    while ((uint64_t)(root + 1) * (root + 1) <= ranks)
        root++;
    return root;
}

static inline uint32_t log2_of(uint32_t ranks) {
    return 31 - (uint32_t)__builtin_clz(ranks);
}

static inline uint32_t log2_above(uint32_t ranks) {
    return log2_of(ranks) + ((ranks & (ranks - 1)) != 0);
}

/* Sets two extents as equal as possible, the largest first. */
static inline void plane(uint32_t ranks, uint32_t extents[2]) {
    extents[1] = root_of(ranks);
    while (ranks % extents[1] != 0)
        extents[1]--;
    extents[0] = ranks / extents[1];
}

/* Sets three extents as equal as possible, the largest first. */
static inline void space(uint32_t ranks, uint32_t extents[3]) {
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

#endif
