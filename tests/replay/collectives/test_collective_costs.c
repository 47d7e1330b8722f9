/*
 * What collectives cost on an idle network: number and bytes of their messages as in the
 * literature, and their time as the closed form of LogGP (o = S and R, L and G in Z), for every
 * number of members of which the formula is told.
 */
#include "replay/collectives/collective_families.h"
#include "tests/support/replay/replay_world.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { S = WORLD_SEND_PS, R = WORLD_RECEIVE_PS, PER_BYTE_PS = 70 };

/* One message of n bytes, from before its sending to after its receiving; and combining them. */
static int64_t hop(int64_t n) {
    return S + WORLD_MESSAGE_PS(n) + R;
}

static int64_t combine(int64_t n) {
    return PER_BYTE_PS * n;
}

static int64_t ceil_log(int64_t p) {
    return collective_doublings((uint32_t)p);
}

static int64_t floor_log(int64_t p) {
    return collective_fold_of((uint32_t)p).rounds;
}

static int64_t power(int64_t p) {
    return (int64_t)1 << floor_log(p);
}

/* Members that make room for a power of two. */
static int64_t extra(int64_t p) {
    return p - power(p);
}

/* hop(n/2) + hop(n/4) + … + hop(n/p). */
static int64_t halving_hops(int64_t p, int64_t n) {
    return floor_log(p) * hop(0) + 100 * (n - n / p);
}

static int64_t halving_combines(int64_t p, int64_t n) {
    return combine(n - n / p);
}

/* Blocks that a binomial gather moves: for a power of two, p/2 in each of log p rounds. */
static int64_t binomial_blocks(int64_t p) {
    int64_t blocks = 0;
    for (int64_t v = 1; v < p; v++) {
        int64_t low = v & -v;
        blocks += low < p - v ? low : p - v;
    }
    return blocks;
}

/* Numbers of so many bits that are not their own mirror image. */
static int64_t unlike_mirror(int64_t p) {
    int64_t bits = floor_log(p), same = (int64_t)1 << ((bits + 1) / 2);
    return p - same;
}

enum sort { ANY, POWER, EVEN, THREE }; /* THREE: at least so many */

struct formula {
    uint32_t kind;
    int32_t id;
    enum sort sort;
    int64_t (*messages)(int64_t p, int64_t n);
    int64_t (*bytes)(int64_t p, int64_t n);
    int64_t (*time)(int64_t p, int64_t n); /* of the slowest; NULL: not in closed form */
};

/* p members; n bytes: of the vector, or of one block. */
#define FORMULAS(X)                                                                                \
    X(BARRIER, DISSEMINATION, ANY, ceil_log(p) * p, 0, ceil_log(p) * hop(0))                       \
    X(BARRIER, DOUBLING, POWER, floor_log(p) * p, 0, floor_log(p) * hop(0))                        \
    X(BARRIER, DOUBLING, ANY, power(p) * floor_log(p) + 2 * extra(p), 0, -1)                       \
    X(BARRIER, LINEAR, ANY, 2 * (p - 1), 0, -1)                                                    \
    X(BARRIER, TREE, POWER, 2 * (p - 1), 0, 2 * floor_log(p) * hop(0))                             \
    X(BARRIER, DOUBLE_RING, ANY, p > 1 ? 2 * p : 0, 0, p > 1 ? 2 * p * hop(0) : 0)                 \
    X(BCAST, BINOMIAL, POWER, p - 1, (p - 1) * n, floor_log(p) * hop(n))                           \
    X(BCAST, BINOMIAL, ANY, p - 1, (p - 1) * n, -1)                                                \
    X(BCAST, LINEAR, ANY, p - 1, (p - 1) * n, p > 1 ? (p - 1) * S + WORLD_MESSAGE_PS(n) + R : 0)   \
    X(BCAST, KNOMIAL, ANY, p - 1, (p - 1) * n, -1)                                                 \
    X(BCAST, BINARY, ANY, p - 1, (p - 1) * n, -1)                                                  \
    X(BCAST, CHAIN, ANY, p - 1, (p - 1) * n, (p - 1) * hop(n))                                     \
    X(BCAST, PIPELINE, THREE, 4 * (p - 1), (p - 1) * n, (p - 1) * hop(n / 4) + 3 * (S + R))        \
    X(BCAST, BINARY_PIPELINE, ANY, 4 * (p - 1), (p - 1) * n, -1)                                   \
    X(BCAST, SPLIT_BINARY, ANY, 2 * (p - 1), (p - 1) * n, -1)                                      \
    X(BCAST, SCATTER_RING, POWER, (p - 1) + p * (p - 1), n / 2 * floor_log(p) + (p - 1) * n, -1)   \
    X(BCAST, SCATTER_DOUBLING, POWER, (p - 1) + p * floor_log(p),                                  \
      n / 2 * floor_log(p) + (p - 1) * n, -1)                                                      \
    X(GATHER, BINOMIAL, ANY, p - 1, binomial_blocks(p) * n, -1)                                    \
    X(GATHER, BINOMIAL, POWER, p - 1, p / 2 * floor_log(p) * n,                                    \
      floor_log(p) * hop(0) + 100 * (p - 1) * n)                                                   \
    X(GATHER, LINEAR, ANY, p - 1, (p - 1) * n, p > 1 ? S + WORLD_MESSAGE_PS(n) + (p - 1) * R : 0)  \
    X(GATHER, ORDERED, ANY, p - 1, (p - 1) * n, p > 1 ? S + WORLD_MESSAGE_PS(n) + (p - 1) * R : 0) \
    X(GATHER, SYNCHRONOUS, ANY, 2 * (p - 1), (p - 1) * n, (p - 1) * (hop(0) + hop(n)))             \
    X(GATHERV, LINEAR, ANY, p - 1, (p - 1) * n, p > 1 ? S + WORLD_MESSAGE_PS(n) + (p - 1) * R : 0) \
    X(GATHERV, ORDERED, ANY, p - 1, (p - 1) * n,                                                   \
      p > 1 ? S + WORLD_MESSAGE_PS(n) + (p - 1) * R : 0)                                           \
    X(SCATTER, BINOMIAL, POWER, p - 1, p / 2 * floor_log(p) * n,                                   \
      floor_log(p) * hop(0) + 100 * (p - 1) * n)                                                   \
    X(SCATTER, LINEAR, ANY, p - 1, (p - 1) * n, p > 1 ? (p - 1) * S + WORLD_MESSAGE_PS(n) + R : 0) \
    X(SCATTER, ORDERED, ANY, p - 1, (p - 1) * n,                                                   \
      p > 1 ? (p - 1) * S + WORLD_MESSAGE_PS(n) + R : 0)                                           \
    X(SCATTERV, LINEAR, ANY, p - 1, (p - 1) * n,                                                   \
      p > 1 ? (p - 1) * S + WORLD_MESSAGE_PS(n) + R : 0)                                           \
    X(ALLGATHER, BRUCK, ANY, ceil_log(p) * p, (p - 1) * p * n,                                     \
      ceil_log(p) * hop(0) + 100 * (p - 1) * n)                                                    \
    X(ALLGATHER, DOUBLING, POWER, floor_log(p) * p, (p - 1) * p * n,                               \
      floor_log(p) * hop(0) + 100 * (p - 1) * n)                                                   \
    X(ALLGATHER, RING, ANY, (p - 1) * p, (p - 1) * p * n, (p - 1) * hop(n))                        \
    X(ALLGATHER, NEIGHBOUR, EVEN, (p / 2) * p, p * (p - 1) * n, hop(n) + (p / 2 - 1) * hop(2 * n)) \
    X(ALLGATHER, GATHER_BCAST, ANY, 2 * (p - 1), binomial_blocks(p) * n + (p - 1) * p * n, -1)     \
    X(ALLGATHERV, GATHER_BCAST, ANY, 2 * (p - 1), (p - 1) * n + (p - 1) * p * n, -1)               \
    X(ALLGATHER, LINEAR, ANY, (p - 1) * p, (p - 1) * p * n, -1)                                    \
    X(ALLGATHERV, LINEAR, ANY, (p - 1) * p, (p - 1) * p * n, -1)                                   \
    X(ALLGATHERV, BRUCK, ANY, ceil_log(p) * p, (p - 1) * p * n,                                    \
      ceil_log(p) * hop(0) + 100 * (p - 1) * n)                                                    \
    X(ALLGATHERV, RING, ANY, (p - 1) * p, (p - 1) * p * n, (p - 1) * hop(n))                       \
    X(ALLTOALL, PAIRWISE, ANY, (p - 1) * p, (p - 1) * p * n, (p - 1) * hop(n))                     \
    X(ALLTOALL, BRUCK, POWER, floor_log(p) * p, floor_log(p) * p * p / 2 * n,                      \
      floor_log(p) * hop(p / 2 * n))                                                               \
    X(ALLTOALL, SCATTERED, ANY, (p - 1) * p, (p - 1) * p * n, -1)                                  \
    X(ALLTOALL, LINEAR, ANY, (p - 1) * p, (p - 1) * p * n, -1)                                     \
    X(ALLTOALL, ORDERED, ANY, (p - 1) * p, (p - 1) * p * n, -1)                                    \
    X(ALLTOALLV, PAIRWISE, ANY, (p - 1) * p, (p - 1) * p * n, (p - 1) * hop(n))                    \
    X(ALLREDUCE, BINOMIAL, ANY, 2 * (p - 1), 2 * (p - 1) * n, -1)                                  \
    X(ALLREDUCE, BINOMIAL, POWER, 2 * (p - 1), 2 * (p - 1) * n,                                    \
      floor_log(p) * (2 * hop(n) + combine(n)))                                                    \
    X(ALLREDUCE, DOUBLING, ANY, power(p) * floor_log(p) + 2 * extra(p),                            \
      (power(p) * floor_log(p) + 2 * extra(p)) * n, -1)                                            \
    X(ALLREDUCE, DOUBLING, POWER, floor_log(p) * p, floor_log(p) * p * n,                          \
      floor_log(p) * (hop(n) + combine(n)))                                                        \
    X(ALLREDUCE, RABENSEIFNER, POWER, 2 * p * floor_log(p), 2 * (p - 1) * n,                       \
      2 * halving_hops(p, n) + halving_combines(p, n))                                             \
    X(ALLREDUCE, RABENSEIFNER, ANY, 2 * power(p) * floor_log(p) + 2 * extra(p),                    \
      2 * (power(p) - 1) * n + 2 * extra(p) * n, -1)                                               \
    X(ALLREDUCE, RING, ANY, 2 * p * (p - 1), 2 * (p - 1) * n,                                      \
      (p - 1) * (2 * hop(n / p) + combine(n / p)))                                                 \
    X(ALLREDUCE, LINEAR, ANY, 2 * (p - 1), 2 * (p - 1) * n, -1)                                    \
    X(REDUCE, BINOMIAL, POWER, p - 1, (p - 1) * n, floor_log(p) * (hop(n) + combine(n)))           \
    X(REDUCE, BINARY, ANY, p - 1, (p - 1) * n, -1)                                                 \
    X(REDUCE, LINEAR, ANY, p - 1, (p - 1) * n, -1)                                                 \
    X(REDUCE, CHAIN, ANY, p - 1, (p - 1) * n, (p - 1) * (hop(n) + combine(n)))                     \
    X(REDUCE, PIPELINE, ANY, 4 * (p - 1), (p - 1) * n, -1)                                         \
    X(REDUCE, RABENSEIFNER, POWER, floor_log(p) * p + p - 1, (p - 1) * n + n / 2 * floor_log(p),   \
      2 * halving_hops(p, n) + halving_combines(p, n))                                             \
    X(REDUCE_SCATTER, HALVING, POWER, floor_log(p) * p, (p - 1) * p * n,                           \
      halving_hops(p, p * n) + halving_combines(p, p * n))                                         \
    X(REDUCE_SCATTER, PAIRWISE, ANY, (p - 1) * p, (p - 1) * p * n,                                 \
      (p - 1) * (hop(n) + combine(n)))                                                             \
    X(REDUCE_SCATTER, RING, ANY, (p - 1) * p, (p - 1) * p * n, (p - 1) * (hop(n) + combine(n)))    \
    X(REDUCE_SCATTER, BINOMIAL, ANY, 2 * (p - 1), (p - 1) * (p + 1) * n, -1)                       \
    X(REDUCE_SCATTER_BLOCK, BINOMIAL, ANY, 2 * (p - 1), (p - 1) * (p + 1) * n, -1)                 \
    X(REDUCE_SCATTER_BLOCK, HALVING, POWER, floor_log(p) * p, (p - 1) * p * n,                     \
      halving_hops(p, p * n) + halving_combines(p, p * n))                                         \
    X(REDUCE_SCATTER_BLOCK, BUTTERFLY, POWER, floor_log(p) * p + unlike_mirror(p),                 \
      p * (p - 1) * n + unlike_mirror(p) * n,                                                      \
      halving_hops(p, p * n) + halving_combines(p, p * n) + (unlike_mirror(p) > 0 ? hop(n) : 0))   \
    X(SCAN, LINEAR, ANY, p - 1, (p - 1) * n, (p - 1) * (hop(n) + combine(n)))                      \
    X(EXSCAN, LINEAR, ANY, p - 1, (p - 1) * n,                                                     \
      p > 1 ? (p - 1) * hop(n) + (p - 2) * combine(n) : 0) /* the last one only receives */        \
    X(SCAN, DOUBLING, POWER, floor_log(p) * p, floor_log(p) * p * n,                               \
      floor_log(p) * (hop(n) + 2 * combine(n)))                                                    \
    X(EXSCAN, DOUBLING, POWER, floor_log(p) * p, floor_log(p) * p * n, -1)

#define NAME_(kind, id, sort, part) part##_of_##kind##_##id##_##sort
#define FUNCTION(kind, id, sort, part, value)                                                      \
    static int64_t NAME_(kind, id, sort, part)(int64_t p, int64_t n) {                             \
        (void)p;                                                                                   \
        (void)n;                                                                                   \
        return value;                                                                              \
    }
#define FUNCTIONS(kind, id, sort, number, weight, duration)                                        \
    FUNCTION(kind, id, sort, messages, number)                                                     \
    FUNCTION(kind, id, sort, bytes, weight)                                                        \
    FUNCTION(kind, id, sort, time, duration)
FORMULAS(FUNCTIONS)
#define ROW(kind, id, sort, number, weight, duration)                                              \
    {PROGRAM_COLLECTIVE_##kind,                                                                    \
     kind##_##id,                                                                                  \
     sort,                                                                                         \
     NAME_(kind, id, sort, messages),                                                              \
     NAME_(kind, id, sort, bytes),                                                                 \
     NAME_(kind, id, sort, time)},
static const struct formula formulas[] = {FORMULAS(ROW)};

static bool applies(enum sort sort, uint32_t p) {
    switch (sort) {
    case POWER:
        return (p & (p - 1)) == 0;
    case EVEN:
        return p % 2 == 0;
    case THREE:
        return p >= 3;
    case ANY:
        break;
    }
    return true;
}

static void post(struct world *w, uint32_t kind, uint64_t n) {
    uint32_t p = w->rank_count;
    bool rooted = kind == PROGRAM_COLLECTIVE_BCAST || kind == PROGRAM_COLLECTIVE_REDUCE ||
                  kind == PROGRAM_COLLECTIVE_GATHER || kind == PROGRAM_COLLECTIVE_GATHERV ||
                  kind == PROGRAM_COLLECTIVE_SCATTER || kind == PROGRAM_COLLECTIVE_SCATTERV;
    for (uint32_t rank = 0; rank < p; rank++) {
        uint64_t send = n, receive = n;
        if (kind == PROGRAM_COLLECTIVE_BARRIER) send = receive = 0;
        if (kind == PROGRAM_COLLECTIVE_GATHERV) receive = rank == 0 ? p * n : 0;
        if (kind == PROGRAM_COLLECTIVE_SCATTERV) send = rank == 0 ? p * n : 0;
        if (kind == PROGRAM_COLLECTIVE_ALLGATHERV) receive = p * n;
        if (kind == PROGRAM_COLLECTIVE_ALLTOALLV) send = receive = p * n;
        if (kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER) send = p * n;
        world_collective(w, rank, kind, w->everyone, rooted ? 0 : PROGRAM_NONE, send, receive, 0,
                         BUILDER_NO_REQUEST);
    }
}

static void check(const struct formula *formula, uint32_t p, uint64_t n) {
    struct world w;
    world_new(&w, p);
    w.config.reduction_per_kib_ps = 1024 * PER_BYTE_PS;
    w.config.eager_threshold_bytes = INT64_C(1) << 40;
    w.config.collectives.algorithm[PROGRAM_COLLECTIVE_BCAST] =
        BCAST_BINOMIAL; /* where it is a part */
    w.config.collectives.algorithm[formula->kind] = formula->id;
    w.config.collectives.segment_bytes = (int64_t)n / 4;
    post(&w, formula->kind, n);
    const struct replay_result *result = world_finish(&w);
    int64_t messages = formula->messages(p, (int64_t)n), bytes = formula->bytes(p, (int64_t)n);
    int64_t time_ps = formula->time(p, (int64_t)n);
    if (time_ps < 0) time_ps = result->time_ps;
    if (result->collective_messages != (uint64_t)messages || w.totals.bytes != (uint64_t)bytes ||
        result->time_ps != time_ps)
        fail_msg("%s %s of %u: %" PRIu64 " messages, not %" PRId64 "; %" PRIu64
                 " bytes, not %" PRId64 "; %" PRId64 " ps, not %" PRId64,
                 program_collective_name((program_collective_kind)formula->kind),
                 collective_algorithm_names(formula->kind)[formula->id], p,
                 result->collective_messages, messages, (uint64_t)w.totals.bytes, bytes,
                 result->time_ps, time_ps);
    world_free(&w);
}

/* The bytes of vectors are a multiple of all parts that they are cut into. */
static void costs_are_those_of_the_formulas(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        for (uint32_t p = 1; p <= 33; p++)
            if (applies(formulas[i].sort, p)) check(&formulas[i], p, (uint64_t)64 * p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(costs_are_those_of_the_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
