/*
 * The table of collective algorithms, and what their blocks weigh.
 */
#include "replay/collectives.h"

__extension__ typedef unsigned __int128 wide;

/* One list per kind: name, layout, functions, help. The first is the default. */
#define BARRIER_LIST(X)                                                                            \
    X("dissemination", EMPTY, dissemination,                                                       \
      "log2(n) rounds, everyone signals ahead at doubling distances (MPICH)")
#define BCAST_LIST(X)                                                                              \
    X("binomial", VECTOR, binomial_bcast, "binomial tree from the root (MPICH, short vectors)")    \
    X("scatter-allgather", SLICES, scatter_allgather_bcast,                                        \
      "slices scattered along the tree, then gathered round a ring (MPICH, long vectors)")
#define GATHER_LIST(X)                                                                             \
    X("binomial", BLOCKS, binomial_gather, "binomial tree to the root (MPICH)")                    \
    X("linear", BLOCKS, linear_gather, "everyone sends to the root at once (Open MPI)")
#define GATHERV_LIST(X)                                                                            \
    X("linear", SIZED, linear_gather, "everyone sends to the root at once (MPICH)")
#define SCATTER_LIST(X)                                                                            \
    X("binomial", BLOCKS, binomial_scatter, "binomial tree from the root (MPICH)")                 \
    X("linear", BLOCKS, linear_scatter, "the root sends to everyone at once (Open MPI)")
#define SCATTERV_LIST(X)                                                                           \
    X("linear", SIZED, linear_scatter, "the root sends to everyone at once (MPICH)")
#define ALLGATHER_LIST(X)                                                                          \
    X("bruck", BLOCKS, bruck_allgather, "log2(n) rounds of doubling size (MPICH, short blocks)")   \
    X("ring", BLOCKS, ring_allgather, "n - 1 rounds, one block each (MPICH, long blocks)")
#define ALLGATHERV_LIST(X)                                                                         \
    X("ring", SIZED, ring_allgather, "n - 1 rounds, one block each (MPICH, long blocks)")          \
    X("bruck", SIZED, bruck_allgather, "log2(n) rounds of doubling size (MPICH, short blocks)")
#define ALLTOALL_LIST(X)                                                                           \
    X("pairwise", BLOCKS, pairwise_alltoall, "n - 1 rounds of one partner each (MPICH, long)")     \
    X("linear", BLOCKS, linear_alltoall, "all messages at once (MPICH, medium; Open MPI linear)")
#define ALLTOALLV_LIST(X)                                                                          \
    X("pairwise", PAIRED, pairwise_alltoall, "n - 1 rounds of one partner each (Open MPI)")        \
    X("linear", PAIRED, linear_alltoall, "all messages at once (MPICH)")
#define ALLTOALLW_LIST(X) ALLTOALLV_LIST(X)
#define ALLREDUCE_LIST(X)                                                                          \
    X("recursive-doubling", VECTOR, doubling_allreduce,                                            \
      "log2(n) exchanges of the whole vector (MPICH, short vectors)")                              \
    X("ring", SLICES, ring_allreduce, "2 (n - 1) rounds of one slice each (Open MPI, long)")
#define REDUCE_LIST(X)                                                                             \
    X("binomial", VECTOR, binomial_reduce, "binomial tree to the root (MPICH, short vectors)")
#define REDUCE_SCATTER_LIST(X)                                                                     \
    X("pairwise", SIZED, pairwise_reduce_scatter,                                                  \
      "n - 1 rounds of one partner each (MPICH, long vectors)")
#define REDUCE_SCATTER_BLOCK_LIST(X)                                                               \
    X("pairwise", BLOCKS, pairwise_reduce_scatter,                                                 \
      "n - 1 rounds of one partner each (MPICH, long vectors)")
#define SCAN_LIST(X)                                                                               \
    X("recursive-doubling", VECTOR, doubling_scan, "log2(n) exchanges of partial results (MPICH)")
#define EXSCAN_LIST(X) SCAN_LIST(X)
#define CREATE_HANDLE_LIST(X)                                                                      \
    X("dissemination", EMPTY, dissemination, "a barrier where all members take part, else local")
#define DESTROY_HANDLE_LIST(X) X("local", EMPTY, local, "costs nothing")

#define ROW(name, layout, functions, help)                                                         \
    {{name, help},                                                                                 \
     COLLECTIVE_##layout,                                                                          \
     collective_##functions##_steps,                                                               \
     collective_##functions##_step},
#define ROW_NAME(name, layout, functions, help) name,
#define ROW_TEXT(name, layout, functions, help) {name, help},

#define KIND_TABLES(kind, text, sized)                                                             \
    static const collective_algorithm kind##_algorithms[] = {kind##_LIST(ROW)};                    \
    static const char *const kind##_names[] = {kind##_LIST(ROW_NAME) NULL};                        \
    static const replay_algorithm_text kind##_texts[] = {kind##_LIST(ROW_TEXT)};
PROGRAM_COLLECTIVES(KIND_TABLES)

static const struct {
    const collective_algorithm *algorithms;
    const char *const *names;
    const replay_algorithm_text *texts;
    uint32_t count;
} kinds[PROGRAM_COLLECTIVE_KINDS] = {
#define KIND_ROW(kind, text, sized)                                                                \
    {kind##_algorithms, kind##_names, kind##_texts,                                                \
     sizeof kind##_algorithms / sizeof *kind##_algorithms},
    PROGRAM_COLLECTIVES(KIND_ROW)
#undef KIND_ROW
};

#define INTER(kind, layout, functions)                                                             \
    [PROGRAM_##kind] = ROW("leaders", layout, functions,                                           \
                           "between the groups of an "                                             \
                           "intercommunicator")
static const collective_algorithm intercommunicator_algorithms[PROGRAM_COLLECTIVE_KINDS] = {
    INTER(BARRIER, EMPTY, inter_leaders) INTER(BCAST, VECTOR, inter_bcast)
        INTER(GATHER, BLOCKS, inter_gather) INTER(GATHERV, SIZED, inter_gather)
            INTER(SCATTER, BLOCKS, inter_scatter) INTER(SCATTERV, SIZED, inter_scatter)
                INTER(ALLGATHER, BLOCKS, inter_leaders) INTER(ALLGATHERV, SIZED, inter_leaders)
                    INTER(ALLTOALL, BLOCKS, inter_alltoall) INTER(ALLTOALLV, PAIRED, inter_alltoall)
                        INTER(ALLTOALLW, PAIRED, inter_alltoall)
                            INTER(ALLREDUCE, VECTOR, inter_leaders)
                                INTER(REDUCE, VECTOR, inter_reduce)
                                    INTER(REDUCE_SCATTER, SIZED, inter_leaders)
                                        INTER(REDUCE_SCATTER_BLOCK, BLOCKS, inter_leaders)
                                            INTER(CREATE_HANDLE, EMPTY, inter_leaders)
                                                INTER(DESTROY_HANDLE, EMPTY, local)};

const collective_algorithm *collective_algorithms(uint32_t kind, uint32_t *count) {
    if (count != NULL) *count = kinds[kind].count;
    return kinds[kind].algorithms;
}

const collective_algorithm *collective_intercommunicator_algorithm(uint32_t kind) {
    const collective_algorithm *algorithm = &intercommunicator_algorithms[kind];
    return algorithm->steps == NULL ? NULL : algorithm;
}

const char *const *collective_algorithm_names(uint32_t kind) {
    return kinds[kind].names;
}

const replay_algorithm_text *replay_algorithms(program_collective_kind kind, uint32_t *count) {
    *count = kinds[kind].count;
    return kinds[kind].texts;
}

static uint64_t vector_bytes(const collective_call *call) {
    return call->send_bytes > call->receive_bytes ? call->send_bytes : call->receive_bytes;
}

/* Bytes before slice i of a vector cut as evenly as whole bytes allow. */
static uint64_t slice_start(const collective_call *call, uint32_t slice) {
    return (uint64_t)((wide)vector_bytes(call) * slice / call->size);
}

static uint64_t slices_bytes(const collective_call *call, collective_blocks blocks) {
    uint32_t end = blocks.first + blocks.count;
    uint32_t over = end > call->size ? end - call->size : 0;
    return slice_start(call, end - over) - slice_start(call, blocks.first) +
           slice_start(call, over);
}

/* Blocks are all alike, but the groups of an intercommunicator may differ: in an allgather a block
 * has its owner's size, in an alltoall its sender's. */
static uint64_t even_blocks_bytes(const collective_call *call, collective_blocks blocks,
                                  uint32_t from) {
    bool own = (blocks.first < call->size) == (call->me < call->size);
    if (call->kind == PROGRAM_ALLTOALL) own = from == call->me;
    if (call->kind == PROGRAM_ALLTOALL || call->kind == PROGRAM_ALLGATHER)
        return blocks.count * (own ? call->send_bytes : call->receive_bytes);
    return blocks.count * vector_bytes(call);
}

static uint64_t sized_blocks_bytes(const collective_call *call, collective_blocks blocks) {
    uint32_t members = call->size + call->remote_size;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < blocks.count; i++)
        bytes += call->sizes[(blocks.first + i) % members];
    return bytes;
}

static uint64_t pair_bytes(const collective_call *call, uint32_t from, uint32_t to) {
    if (call->remote_size == 0) return collective_pairs_bytes(call->pairs, from, to);
    if (from < call->size) return collective_pairs_bytes(&call->pairs[0], from, to - call->size);
    return collective_pairs_bytes(&call->pairs[1], from - call->size, to);
}

uint64_t collective_bytes(const collective_call *call, collective_layout layout,
                          collective_blocks blocks, uint32_t from, uint32_t to) {
    switch (layout) {
    case COLLECTIVE_EMPTY:
        return 0;
    case COLLECTIVE_VECTOR:
        return blocks.count * vector_bytes(call);
    case COLLECTIVE_SLICES:
        return slices_bytes(call, blocks);
    case COLLECTIVE_BLOCKS:
        return even_blocks_bytes(call, blocks, from);
    case COLLECTIVE_SIZED:
        return sized_blocks_bytes(call, blocks);
    case COLLECTIVE_PAIRED:
        return pair_bytes(call, from, to);
    }
    return 0;
}
