/*
 * Declarations that the families of collective algorithms (collective_*.c) share with each other
 * and with the table, and the arithmetic of folding members to a power of two.
 *
 * Must not know: networks, nodes, time, ranks of the world.
 */
#ifndef ANAX_REPLAY_COLLECTIVE_FAMILIES_H
#define ANAX_REPLAY_COLLECTIVE_FAMILIES_H

#include "replay/collectives/collectives.h"

/* Walks through the steps of a member one by one, for algorithms whose number of steps has no
 * simple form. The walk fills in the wanted step, and count is the number of steps at its end. */
struct collective_cursor {
    uint32_t wanted; /* number of the wanted step; COLLECTIVE_NOBODY: only count */
    uint32_t count;
};

/* Counts a step. Returns true if it is the wanted step, which the caller then fills in. */
static inline bool collective_at(struct collective_cursor *cursor) {
    return cursor->count++ == cursor->wanted;
}

/* Defines the two functions of an algorithm from static void name(call, cursor, step). */
#define COLLECTIVE_BY_CURSOR(name)                                                                 \
    uint32_t collective_##name##_steps(const struct collective_call *call) {                       \
        struct collective_cursor cursor = {COLLECTIVE_NOBODY, 0};                                  \
        struct collective_step unused;                                                             \
        name(call, &cursor, &unused);                                                              \
        return cursor.count;                                                                       \
    }                                                                                              \
    void collective_##name##_step(const struct collective_call *call, uint32_t number,             \
                                  struct collective_step *step) {                                  \
        name(call, &(struct collective_cursor){number, 0}, step);                                  \
    }

/* Define a bcast as a scatter in which every message is the whole vector, and a reduce as a gather
 * in which each member combines the received vector with its own. */
#define COLLECTIVE_AS_SCATTER(bcast, scatter)                                                      \
    uint32_t collective_##bcast##_steps(const struct collective_call *call) {                      \
        return collective_##scatter##_steps(call);                                                 \
    }                                                                                              \
    void collective_##bcast##_step(const struct collective_call *call, uint32_t number,            \
                                   struct collective_step *step) {                                 \
        collective_##scatter##_step(call, number, step);                                           \
        step->send = step->receive = (struct collective_blocks){0, 1};                             \
    }
#define COLLECTIVE_AS_GATHER(reduce, gather)                                                       \
    uint32_t collective_##reduce##_steps(const struct collective_call *call) {                     \
        return collective_##gather##_steps(call);                                                  \
    }                                                                                              \
    void collective_##reduce##_step(const struct collective_call *call, uint32_t number,           \
                                    struct collective_step *step) {                                \
        collective_##gather##_step(call, number, step);                                            \
        step->send = step->receive = (struct collective_blocks){0, 1};                             \
        step->combine = step->from != COLLECTIVE_NOBODY;                                           \
    }

/* The fold of `size` members to a power of two, for halving and doubling. Of the first 2·extra
 * members, every second one gives its data to its neighbour first, takes no part in the rounds, and
 * gets its result from the neighbour at the end. The other members have places 0 to power - 1. */
struct collective_fold {
    uint32_t power;
    uint32_t rounds; /* log2(power) */
    uint32_t extra;
};

/* Returns how `size` members fold. */
static inline struct collective_fold collective_fold_of(uint32_t size) {
    struct collective_fold fold = {1, 0, 0};
    while (fold.power <= size / 2) {
        fold.power *= 2;
        fold.rounds++;
    }
    fold.extra = size - fold.power;
    return fold;
}

/* Returns the member at a place. keepers: 1 if the odd members of the folded pairs keep a place, 0
 * if the even ones do. */
static inline uint32_t collective_member_at(struct collective_fold fold, uint32_t keepers,
                                            uint32_t place) {
    return place < fold.extra ? 2 * place + keepers : place + fold.extra;
}

/* Returns the place of a member; of both members of a folded pair that of the pair. */
static inline uint32_t collective_place_of(struct collective_fold fold, uint32_t member) {
    return member < 2 * fold.extra ? member / 2 : member - fold.extra;
}

/* Returns the smallest n with 2^n >= size. */
static inline uint32_t collective_doublings(uint32_t size) {
    uint32_t count = 0;
    while (count < 32 && (UINT64_C(1) << count) < size)
        count++;
    return count;
}

/* Returns the member me + distance, modulo the size of the communicator; distance <= 2·size. */
static inline uint32_t collective_ahead(const struct collective_call *call, uint32_t distance) {
    return (uint32_t)(((uint64_t)call->own_member + distance) % call->size);
}

/* Returns the member me - distance, modulo the size of the communicator; distance <= 2·size. */
static inline uint32_t collective_behind(const struct collective_call *call, uint32_t distance) {
    return (uint32_t)((call->own_member + UINT64_C(2) * call->size - distance) % call->size);
}

/* All algorithms, as kind, id, name, layout, functions, help. The table of collectives.c and the
 * rules of libraries read these lists. collectives.h explains the layouts. */
#define COLLECTIVE_BARRIER_LIST(X)                                                                 \
    X(BARRIER, DISSEMINATION, "dissemination", EMPTY, dissemination,                               \
      "log2(n) rounds, everyone signals ahead at doubling distances [Hensgen 1988]; MPICH")        \
    X(BARRIER, DOUBLING, "recursive-doubling", EMPTY, doubling_barrier,                            \
      "log2(n) rounds of exchanges in pairs; Open MPI")                                            \
    X(BARRIER, LINEAR, "linear", EMPTY, linear_barrier,                                            \
      "everyone signals to member 0, which signals to everyone; Open MPI")                         \
    X(BARRIER, TREE, "tree", EMPTY, tree_barrier, "up and down a binomial tree; Open MPI")         \
    X(BARRIER, DOUBLE_RING, "double-ring", EMPTY, double_ring_barrier,                             \
      "a signal goes round all members twice; Open MPI")                                           \
    X(BARRIER, TWO_LEVEL, "two-level", EMPTY, two_level,                                           \
      "within nodes, among one leader of each node, within nodes; Cray MPICH")                     \
    X(BARRIER, OFFLOAD, "offload", EMPTY, offload,                                                 \
      "as two-level, the leaders by a tree of NICs (mpi.offload_radix)")
#define COLLECTIVE_BCAST_LIST(X)                                                                   \
    X(BCAST, BINOMIAL, "binomial", VECTOR, binomial_bcast,                                         \
      "binomial tree from the root; MPICH, short vectors")                                         \
    X(BCAST, SCATTER_DOUBLING, "scatter-doubling-allgather", SLICES, scatter_doubling_bcast,       \
      "slices scattered along the tree, gathered by recursive doubling [Thakur 2005]; MPICH, "     \
      "medium vectors")                                                                            \
    X(BCAST, SCATTER_RING, "scatter-allgather", SLICES, scatter_allgather_bcast,                   \
      "slices scattered along the tree, then gathered round a ring [Thakur 2005]; MPICH, long "    \
      "vectors")                                                                                   \
    X(BCAST, LINEAR, "linear", VECTOR, linear_bcast,                                               \
      "the root sends to everyone at once; Open MPI")                                              \
    X(BCAST, KNOMIAL, "knomial", VECTOR, knomial_bcast, "4-nomial tree from the root; Open MPI")   \
    X(BCAST, BINARY, "binary", VECTOR, binary_bcast, "binary tree from the root; Open MPI")        \
    X(BCAST, SPLIT_BINARY, "split-binary", SLICES, split_binary_bcast,                             \
      "each half of the vector goes down one side of a binary tree, then pairs exchange halves; "  \
      "Open MPI")                                                                                  \
    X(BCAST, CHAIN, "chain", VECTOR, chain_bcast,                                                  \
      "from member to member, the whole vector at once; Open MPI")                                 \
    X(BCAST, PIPELINE, "pipeline", SEGMENTS, pipeline_bcast,                                       \
      "from member to member in segments (mpi.segment); Open MPI")                                 \
    X(BCAST, BINARY_PIPELINE, "binary-pipeline", SEGMENTS, binary_pipeline_bcast,                  \
      "down a binary tree in segments (mpi.segment); MPICH pipelined_tree, Open MPI")              \
    X(BCAST, TWO_LEVEL, "two-level", VECTOR, two_level,                                            \
      "among one leader of each node, then within nodes; Cray MPICH")
#define COLLECTIVE_GATHER_LIST(X)                                                                  \
    X(GATHER, BINOMIAL, "binomial", BLOCKS, binomial_gather, "binomial tree to the root; MPICH")   \
    X(GATHER, LINEAR, "linear", BLOCKS, linear_gather, "everyone sends to the root at once")       \
    X(GATHER, ORDERED, "ordered", BLOCKS, ordered_gather,                                          \
      "the root receives from one after another; Open MPI basic linear")                           \
    X(GATHER, SYNCHRONOUS, "linear-sync", BLOCKS, synchronous_gather,                              \
      "the root asks one after another for its block; Open MPI, long blocks")
#define COLLECTIVE_GATHERV_LIST(X)                                                                 \
    X(GATHERV, LINEAR, "linear", SIZED, linear_gather,                                             \
      "everyone sends to the root at once; MPICH")                                                 \
    X(GATHERV, ORDERED, "ordered", SIZED, ordered_gather,                                          \
      "the root receives from one after another; Open MPI")
#define COLLECTIVE_SCATTER_LIST(X)                                                                 \
    X(SCATTER, BINOMIAL, "binomial", BLOCKS, binomial_scatter,                                     \
      "binomial tree from the root; MPICH")                                                        \
    X(SCATTER, LINEAR, "linear", BLOCKS, linear_scatter,                                           \
      "the root sends to everyone at once; Open MPI linear_nb")                                    \
    X(SCATTER, ORDERED, "ordered", BLOCKS, ordered_scatter,                                        \
      "the root sends to one after another; Open MPI basic linear")
#define COLLECTIVE_SCATTERV_LIST(X)                                                                \
    X(SCATTERV, LINEAR, "linear", SIZED, linear_scatter,                                           \
      "the root sends to everyone at once; MPICH")                                                 \
    X(SCATTERV, ORDERED, "ordered", SIZED, ordered_scatter,                                        \
      "the root sends to one after another; Open MPI")
#define COLLECTIVE_ANY_ALLGATHER_LIST(X, kind, layout)                                             \
    X(kind, BRUCK, "bruck", layout, bruck_allgather,                                               \
      "log2(n) rounds of doubling size [Bruck 1997]; MPICH, short blocks")                         \
    X(kind, DOUBLING, "recursive-doubling", layout, doubling_allgather,                            \
      "log2(n) exchanges of doubling size [Thakur 2005]; MPICH, powers of two")                    \
    X(kind, RING, "ring", layout, ring_allgather,                                                  \
      "n - 1 rounds, one block each; MPICH and Open MPI, long blocks")                             \
    X(kind, NEIGHBOUR, "neighbour-exchange", layout, neighbour_allgather,                          \
      "n / 2 exchanges of two blocks [Chen 2005]; a ring for odd n; Open MPI, medium blocks")      \
    X(kind, GATHER_BCAST, "gather-bcast", layout, gather_bcast_allgather,                          \
      "all to member 0, then a broadcast; Open MPI")                                               \
    X(kind, LINEAR, "linear", layout, linear_allgather,                                            \
      "everyone sends to everyone at once; Open MPI, non-blocking")
#define COLLECTIVE_ALLGATHER_LIST(X)  COLLECTIVE_ANY_ALLGATHER_LIST(X, ALLGATHER, BLOCKS)
#define COLLECTIVE_ALLGATHERV_LIST(X) COLLECTIVE_ANY_ALLGATHER_LIST(X, ALLGATHERV, SIZED)
#define COLLECTIVE_ANY_ALLTOALL_LIST(X, kind, layout)                                              \
    X(kind, PAIRWISE, "pairwise", layout, pairwise_alltoall,                                       \
      "n - 1 rounds of one partner each; MPICH, long blocks")                                      \
    X(kind, LINEAR, "linear", layout, linear_alltoall, "all messages at once; Open MPI")           \
    X(kind, SCATTERED, "scattered", layout, scattered_alltoall,                                    \
      "all messages, mpi.alltoall_throttle at a time; MPICH, medium blocks")                       \
    X(kind, ORDERED, "ordered", layout, ordered_alltoall,                                          \
      "exchanges with one member after another; MPICH with MPI_IN_PLACE")                          \
    X(kind, RANDOM, "random-order", layout, random_alltoall,                                       \
      "all messages, mpi.alltoall_throttle at a time, partners in a random order; Cray MPICH")
#define COLLECTIVE_ALLTOALL_LIST(X)                                                                \
    COLLECTIVE_ANY_ALLTOALL_LIST(X, ALLTOALL, BLOCKS)                                              \
    X(ALLTOALL, BRUCK, "bruck", BLOCKS, bruck_alltoall,                                            \
      "log2(n) rounds of up to n / 2 blocks each [Bruck 1997]; MPICH and Open MPI, short blocks")
#define COLLECTIVE_ALLTOALLV_LIST(X) COLLECTIVE_ANY_ALLTOALL_LIST(X, ALLTOALLV, PAIRED)
#define COLLECTIVE_ALLTOALLW_LIST(X) COLLECTIVE_ANY_ALLTOALL_LIST(X, ALLTOALLW, PAIRED)
#define COLLECTIVE_ALLREDUCE_LIST(X)                                                               \
    X(ALLREDUCE, DOUBLING, "recursive-doubling", VECTOR, doubling_allreduce,                       \
      "log2(n) exchanges of the whole vector [Thakur 2005]; MPICH, short vectors")                 \
    X(ALLREDUCE, RABENSEIFNER, "rabenseifner", SLICES, rabenseifner_allreduce,                     \
      "recursive halving, then recursive doubling [Rabenseifner 2004]; MPICH, long vectors")       \
    X(ALLREDUCE, RING, "ring", SLICES, ring_allreduce,                                             \
      "2 (n - 1) rounds of one slice each [Patarasuk 2009]; Open MPI")                             \
    X(ALLREDUCE, SEGMENTED_RING, "segmented-ring", SLICES, segmented_ring_allreduce,               \
      "as ring, each slice combined in segments (mpi.segment); Open MPI")                          \
    X(ALLREDUCE, REDUCE_BCAST, "reduce-bcast", VECTOR, reduce_bcast_allreduce,                     \
      "a reduce to member 0, then a broadcast; Open MPI")                                          \
    X(ALLREDUCE, LINEAR, "linear", VECTOR, linear_allreduce,                                       \
      "everyone to member 0, which sends to everyone; Open MPI")                                   \
    X(ALLREDUCE, BINOMIAL, "binomial", VECTOR, binomial_allreduce,                                 \
      "up a binomial tree to member 0, and down again; Open MPI, non-blocking")                    \
    X(ALLREDUCE, TWO_LEVEL, "two-level", VECTOR, two_level,                                        \
      "reduced within nodes, among one leader of each node, broadcast within nodes; Cray MPICH")   \
    X(ALLREDUCE, OFFLOAD, "offload", VECTOR, offload,                                              \
      "as two-level, the leaders by a tree of NICs (mpi.offload_radix)")
#define COLLECTIVE_REDUCE_LIST(X)                                                                  \
    X(REDUCE, BINOMIAL, "binomial", VECTOR, binomial_reduce,                                       \
      "binomial tree to the root; MPICH, short vectors; Open MPI")                                 \
    X(REDUCE, RABENSEIFNER, "rabenseifner", SLICES, rabenseifner_reduce,                           \
      "recursive halving, then a gather along a tree [Rabenseifner 2004]; MPICH, long vectors")    \
    X(REDUCE, LINEAR, "linear", VECTOR, linear_reduce,                                             \
      "the root receives from one after another; Open MPI")                                        \
    X(REDUCE, BINARY, "binary", VECTOR, binary_reduce, "binary tree to the root; Open MPI")        \
    X(REDUCE, IN_ORDER, "in-order-binary", VECTOR, in_order_reduce,                                \
      "binary tree in the order of members to the last one, then to the root; Open MPI")           \
    X(REDUCE, CHAIN, "chain", VECTOR, chain_reduce,                                                \
      "from member to member, the whole vector at once; Open MPI")                                 \
    X(REDUCE, PIPELINE, "pipeline", SEGMENTS, pipeline_reduce,                                     \
      "from member to member in segments (mpi.segment); Open MPI")                                 \
    X(REDUCE, BINARY_PIPELINE, "binary-pipeline", SEGMENTS, binary_pipeline_reduce,                \
      "up a binary tree in segments (mpi.segment); Open MPI")                                      \
    X(REDUCE, TWO_LEVEL, "two-level", VECTOR, two_level,                                           \
      "within nodes, then among one leader of each node; Cray MPICH")
#define COLLECTIVE_ANY_REDUCE_SCATTER_LIST(X, kind, layout)                                        \
    X(kind, HALVING, "recursive-halving", layout, halving_reduce_scatter,                          \
      "log2(n) exchanges of halving size [Thakur 2005]; MPICH and Open MPI, short vectors")        \
    X(kind, PAIRWISE, "pairwise", layout, pairwise_reduce_scatter,                                 \
      "n - 1 rounds of one partner each; MPICH, long vectors")                                     \
    X(kind, RING, "ring", layout, ring_reduce_scatter,                                             \
      "n - 1 rounds, one block each; Open MPI, long vectors")                                      \
    X(kind, BUTTERFLY, "butterfly", layout, butterfly_reduce_scatter,                              \
      "log2(n) exchanges of halving size, nearest first, then to the owners [Traff 2005]; Open "   \
      "MPI")                                                                                       \
    X(kind, REDUCE_SCATTER, "reduce-scatter", layout, reduce_then_scatter,                         \
      "a reduce to member 0, then a scatter; Open MPI")                                            \
    X(kind, BINOMIAL, "binomial", layout, binomial_reduce_scatter,                                 \
      "up a binomial tree to member 0, which sends everyone its block; Open MPI, non-blocking")
#define COLLECTIVE_REDUCE_SCATTER_LIST(X)                                                          \
    COLLECTIVE_ANY_REDUCE_SCATTER_LIST(X, REDUCE_SCATTER, SIZED)
#define COLLECTIVE_REDUCE_SCATTER_BLOCK_LIST(X)                                                    \
    COLLECTIVE_ANY_REDUCE_SCATTER_LIST(X, REDUCE_SCATTER_BLOCK, BLOCKS)
#define COLLECTIVE_ANY_SCAN_LIST(X, kind)                                                          \
    X(kind, DOUBLING, "recursive-doubling", VECTOR, doubling_scan,                                 \
      "log2(n) exchanges of partial results; MPICH")                                               \
    X(kind, LINEAR, "linear", VECTOR, linear_scan, "from member to member; Open MPI")
#define COLLECTIVE_SCAN_LIST(X)   COLLECTIVE_ANY_SCAN_LIST(X, SCAN)
#define COLLECTIVE_EXSCAN_LIST(X) COLLECTIVE_ANY_SCAN_LIST(X, EXSCAN)
#define COLLECTIVE_CREATE_HANDLE_LIST(X)                                                           \
    X(CREATE_HANDLE, DISSEMINATION, "dissemination", EMPTY, dissemination,                         \
      "a barrier where all members take part, else local")
#define COLLECTIVE_DESTROY_HANDLE_LIST(X)                                                          \
    X(DESTROY_HANDLE, LOCAL, "local", EMPTY, local, "costs nothing")

#define COLLECTIVE_WINDOW_LIST(X)                                                                  \
    X(WINDOW, DISSEMINATION, "dissemination", EMPTY, dissemination,                                \
      "log2(n) rounds, as in a barrier: MPI_Win_fence, creation and end of windows")

/* The ids of algorithms: BCAST_AUTO, BCAST_BINOMIAL, … These are the values of
 * collective_choice.algorithm. */
#define COLLECTIVE_ID(kind, id, name, layout, functions, help) kind##_##id,
#define COLLECTIVE_IDS(kind, text, sized)                                                          \
    enum { kind##_AUTO, COLLECTIVE_##kind##_LIST(COLLECTIVE_ID) };
PROGRAM_COLLECTIVES(COLLECTIVE_IDS)
#undef COLLECTIVE_IDS
#undef COLLECTIVE_ID

/* Returns an algorithm of a kind by its id, which must not be 0 (auto). */
const struct collective_algorithm *collective_algorithm_of(uint32_t kind, int32_t id);

/* What the functions below return for kinds that have a single algorithm. */
enum { COLLECTIVE_ONLY_ONE = 1 };

/* Returns the id of the algorithm that MPICH chooses for a call (collective_rules_mpich.c). */
int32_t collective_mpich_choice(const struct collective_call *call);
/* Returns the id of the algorithm that Open MPI chooses (collective_rules_openmpi.c). */
int32_t collective_openmpi_choice(const struct collective_call *call);
/* Returns the id of the algorithm that libnbc chooses, which carries out non-blocking collectives
 * of Open MPI (collective_rules_libnbc.c). */
int32_t collective_libnbc_choice(const struct collective_call *call);
/* Returns the id of the algorithm that Cray MPI chooses (collective_rules_cray.c). */
int32_t collective_cray_choice(const struct collective_call *call);

#define COLLECTIVE_DECLARE(name)                                                                   \
    uint32_t collective_##name##_steps(const struct collective_call *call);                        \
    void collective_##name##_step(const struct collective_call *call, uint32_t number,             \
                                  struct collective_step *step);
#define COLLECTIVE_DECLARE_ROW(kind, id, name, layout, functions, help)                            \
    COLLECTIVE_DECLARE(functions)
#define COLLECTIVE_DECLARE_KIND(kind, text, sized) COLLECTIVE_##kind##_LIST(COLLECTIVE_DECLARE_ROW)
PROGRAM_COLLECTIVES(COLLECTIVE_DECLARE_KIND)
#undef COLLECTIVE_DECLARE_KIND
#undef COLLECTIVE_DECLARE_ROW

/* The algorithm of all kinds on intercommunicators (collective_inter.c). */
COLLECTIVE_DECLARE(inter)
#undef COLLECTIVE_DECLARE

#endif
