/*
 * The algorithms that Open MPI chooses for commutative operations: the fixed decisions of its
 * "tuned" component, which are an average over measurements of several clusters.
 *
 * Source: Open MPI 4.1, ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, with the fallbacks of
 * ompi/mca/coll/base. The rules here name anax's algorithm where Open MPI's differs little. Its
 * two-process algorithms are exchanges in pairs. Its segmented algorithms run without segments by
 * these rules. Its alltoall linear_sync without a limit of requests is linear. Its gather
 * linear_sync is modelled without an empty second segment. Its reduce_scatter_block by recursive
 * doubling (blocks of a few bytes) is modelled by recursive halving.
 * Non-blocking collectives have rules of their own (collective_rules_libnbc.c). Scan, gatherv and
 * scatterv are those of the component "basic" (coll_basic_gatherv.c: version 4.1 receives from one
 * member after another).
 */
#include "replay/collectives/collective_families.h"

#define ANY_SIZE    UINT32_MAX
#define ANY_BYTES   UINT64_MAX
#define K(kibibyte) ((kibibyte)*UINT64_C(1024))

/* A rule applies if the call's members and bytes are both below its bounds. The first rule that
 * applies is taken. */
struct rule {
    uint32_t below_size;
    uint64_t below_bytes;
    int32_t algorithm;
};

static const struct rule barrier_rules[] = {
    {4, ANY_BYTES, BARRIER_DOUBLING},  {8, ANY_BYTES, BARRIER_LINEAR},
    {64, ANY_BYTES, BARRIER_DOUBLING}, {256, ANY_BYTES, BARRIER_DISSEMINATION},
    {512, ANY_BYTES, BARRIER_TREE},    {1024, ANY_BYTES, BARRIER_DISSEMINATION},
    {4096, ANY_BYTES, BARRIER_TREE},   {ANY_SIZE, ANY_BYTES, BARRIER_DISSEMINATION}};

static const struct rule bcast_rules[] = {
    {4, 32, BCAST_CHAIN},
    {4, 256, BCAST_BINARY},
    {4, 512, BCAST_CHAIN},
    {4, 1024, BCAST_KNOMIAL},
    {4, K(32), BCAST_LINEAR},
    {4, K(128), BCAST_BINARY},
    {4, K(256), BCAST_CHAIN},
    {4, K(512), BCAST_LINEAR},
    {4, K(1024), BCAST_BINOMIAL},
    {4, ANY_BYTES, BCAST_BINARY},
    {8, 64, BCAST_BINARY},
    {8, 128, BCAST_BINOMIAL},
    {8, K(2), BCAST_BINARY},
    {8, K(8), BCAST_BINOMIAL},
    {8, K(1024), BCAST_LINEAR},
    {8, ANY_BYTES, BCAST_CHAIN},
    {16, 8, BCAST_KNOMIAL},
    {16, 64, BCAST_BINARY},
    {16, K(4), BCAST_KNOMIAL},
    {16, K(16), BCAST_BINARY},
    {16, K(32), BCAST_BINOMIAL},
    {16, ANY_BYTES, BCAST_LINEAR},
    {32, K(4), BCAST_KNOMIAL},
    {32, K(1024), BCAST_BINOMIAL},
    {32, ANY_BYTES, BCAST_SCATTER_DOUBLING},
    {64, K(2), BCAST_BINOMIAL},
    {128, ANY_BYTES, BCAST_KNOMIAL},
    {256, 2, BCAST_BINOMIAL},
    {256, K(16), BCAST_BINARY},
    {256, K(32), BCAST_LINEAR},
    {256, K(64), BCAST_BINARY},
    {256, ANY_BYTES, BCAST_KNOMIAL},
    {1024, K(16), BCAST_KNOMIAL},
    {1024, K(32), BCAST_SPLIT_BINARY},
    {1024, ANY_BYTES, BCAST_KNOMIAL},
    {2048, K(512), BCAST_KNOMIAL},
    {2048, ANY_BYTES, BCAST_SCATTER_DOUBLING},
    {4096, K(256), BCAST_KNOMIAL},
    {4096, ANY_BYTES, BCAST_SCATTER_DOUBLING},
    {ANY_SIZE, K(8), BCAST_KNOMIAL},
    {ANY_SIZE, K(16), BCAST_BINARY},
    {ANY_SIZE, K(256), BCAST_KNOMIAL},
    {ANY_SIZE, ANY_BYTES, BCAST_SCATTER_DOUBLING},
};

static const struct rule gather_rules[] = {
    {4, 2, GATHER_SYNCHRONOUS},
    {4, 4, GATHER_ORDERED},
    {4, K(32), GATHER_BINOMIAL},
    {4, K(64), GATHER_ORDERED},
    {4, K(128), GATHER_BINOMIAL},
    {4, ANY_BYTES, GATHER_SYNCHRONOUS},
    {8, K(1), GATHER_BINOMIAL},
    {8, K(8), GATHER_ORDERED},
    {8, K(32), GATHER_BINOMIAL},
    {8, K(256), GATHER_ORDERED},
    {8, ANY_BYTES, GATHER_SYNCHRONOUS},
    {256, ANY_BYTES, GATHER_BINOMIAL},
    {512, K(2), GATHER_BINOMIAL},
    {512, K(8), GATHER_ORDERED},
    {ANY_SIZE, ANY_BYTES, GATHER_BINOMIAL},
};

static const struct rule scatter_rules[] = {
    {4, 2, SCATTER_LINEAR},
    {4, K(128), SCATTER_ORDERED},
    {4, K(256), SCATTER_LINEAR},
    {4, ANY_BYTES, SCATTER_ORDERED},
    {8, K(2), SCATTER_BINOMIAL},
    {8, K(4), SCATTER_ORDERED},
    {8, K(8), SCATTER_BINOMIAL},
    {8, K(32), SCATTER_ORDERED},
    {8, K(1024), SCATTER_LINEAR},
    {8, ANY_BYTES, SCATTER_ORDERED},
    {16, K(16), SCATTER_BINOMIAL},
    {16, K(1024), SCATTER_LINEAR},
    {16, ANY_BYTES, SCATTER_ORDERED},
    {32, K(16), SCATTER_BINOMIAL},
    {32, K(32), SCATTER_ORDERED},
    {32, ANY_BYTES, SCATTER_LINEAR},
    {64, 512, SCATTER_BINOMIAL},
    {64, K(8), SCATTER_LINEAR},
    {64, K(16), SCATTER_BINOMIAL},
    {64, ANY_BYTES, SCATTER_LINEAR},
    {ANY_SIZE, 512, SCATTER_BINOMIAL},
    {ANY_SIZE, ANY_BYTES, SCATTER_LINEAR},
};

/* Bounds are bytes of one member's block. */
static const struct rule allgather_rules[] = {
    {32, ANY_BYTES, ALLGATHER_DOUBLING},
    {64, K(1), ALLGATHER_DOUBLING},
    {64, K(64), ALLGATHER_NEIGHBOUR},
    {64, ANY_BYTES, ALLGATHER_RING},
    {128, 512, ALLGATHER_DOUBLING},
    {128, K(64), ALLGATHER_NEIGHBOUR},
    {128, ANY_BYTES, ALLGATHER_RING},
    {256, 512, ALLGATHER_DOUBLING},
    {256, K(128), ALLGATHER_NEIGHBOUR},
    {256, K(512), ALLGATHER_RING},
    {256, K(1024), ALLGATHER_NEIGHBOUR},
    {256, ANY_BYTES, ALLGATHER_RING},
    {512, 32, ALLGATHER_DOUBLING},
    {512, 128, ALLGATHER_BRUCK},
    {512, K(1), ALLGATHER_DOUBLING},
    {512, K(128), ALLGATHER_NEIGHBOUR},
    {512, K(512), ALLGATHER_RING},
    {512, K(1024), ALLGATHER_NEIGHBOUR},
    {512, ANY_BYTES, ALLGATHER_RING},
    {1024, 64, ALLGATHER_DOUBLING},
    {1024, 256, ALLGATHER_BRUCK},
    {1024, K(2), ALLGATHER_DOUBLING},
    {1024, ANY_BYTES, ALLGATHER_NEIGHBOUR},
    {2048, 4, ALLGATHER_DOUBLING},
    {2048, 8, ALLGATHER_BRUCK},
    {2048, 16, ALLGATHER_DOUBLING},
    {2048, 32, ALLGATHER_BRUCK},
    {2048, 256, ALLGATHER_DOUBLING},
    {2048, 512, ALLGATHER_BRUCK},
    {2048, K(4), ALLGATHER_DOUBLING},
    {2048, ANY_BYTES, ALLGATHER_NEIGHBOUR},
    {4096, 32, ALLGATHER_BRUCK},
    {4096, 128, ALLGATHER_DOUBLING},
    {4096, 512, ALLGATHER_BRUCK},
    {4096, K(4), ALLGATHER_DOUBLING},
    {4096, ANY_BYTES, ALLGATHER_NEIGHBOUR},
    {ANY_SIZE, 2, ALLGATHER_DOUBLING},
    {ANY_SIZE, 8, ALLGATHER_BRUCK},
    {ANY_SIZE, 16, ALLGATHER_DOUBLING},
    {ANY_SIZE, 512, ALLGATHER_BRUCK},
    {ANY_SIZE, K(4), ALLGATHER_DOUBLING},
    {ANY_SIZE, ANY_BYTES, ALLGATHER_NEIGHBOUR},
};

/* Bounds are bytes of all blocks, divided by their number. */
static const struct rule allgatherv_rules[] = {
    {3, ANY_BYTES, ALLGATHERV_RING},       {8, 256, ALLGATHERV_GATHER_BCAST},
    {8, K(4), ALLGATHERV_NEIGHBOUR},       {8, K(8), ALLGATHERV_RING},
    {8, K(16), ALLGATHERV_NEIGHBOUR},      {8, K(256), ALLGATHERV_BRUCK},
    {8, ANY_BYTES, ALLGATHERV_NEIGHBOUR},  {16, K(1), ALLGATHERV_GATHER_BCAST},
    {16, ANY_BYTES, ALLGATHERV_BRUCK},     {32, 128, ALLGATHERV_GATHER_BCAST},
    {32, K(256), ALLGATHERV_BRUCK},        {32, ANY_BYTES, ALLGATHERV_RING},
    {64, 256, ALLGATHERV_GATHER_BCAST},    {64, K(8), ALLGATHERV_BRUCK},
    {64, ANY_BYTES, ALLGATHERV_RING},      {128, 256, ALLGATHERV_GATHER_BCAST},
    {128, K(4), ALLGATHERV_BRUCK},         {128, ANY_BYTES, ALLGATHERV_RING},
    {256, K(1), ALLGATHERV_BRUCK},         {256, K(64), ALLGATHERV_NEIGHBOUR},
    {256, ANY_BYTES, ALLGATHERV_RING},     {512, K(1), ALLGATHERV_BRUCK},
    {512, ANY_BYTES, ALLGATHERV_RING},     {1024, 512, ALLGATHERV_BRUCK},
    {1024, K(1), ALLGATHERV_GATHER_BCAST}, {1024, K(4), ALLGATHERV_BRUCK},
    {1024, K(1024), ALLGATHERV_NEIGHBOUR}, {1024, ANY_BYTES, ALLGATHERV_RING},
    {ANY_SIZE, K(4), ALLGATHERV_BRUCK},    {ANY_SIZE, ANY_BYTES, ALLGATHERV_NEIGHBOUR},
};

/* Bounds are bytes of one block. */
static const struct rule alltoall_rules[] = {
    {3, K(32), ALLTOALL_PAIRWISE},
    {3, K(256), ALLTOALL_LINEAR},
    {3, ANY_BYTES, ALLTOALL_PAIRWISE},
    {8, K(512), ALLTOALL_LINEAR},
    {8, K(1024), ALLTOALL_PAIRWISE},
    {16, ANY_BYTES, ALLTOALL_LINEAR},
    {32, 4, ALLTOALL_LINEAR},
    {32, 512, ALLTOALL_BRUCK},
    {32, ANY_BYTES, ALLTOALL_LINEAR},
    {64, 512, ALLTOALL_BRUCK},
    {64, ANY_BYTES, ALLTOALL_LINEAR},
    {256, K(1), ALLTOALL_BRUCK},
    {256, K(256), ALLTOALL_LINEAR},
    {256, ANY_BYTES, ALLTOALL_PAIRWISE},
    {512, K(1), ALLTOALL_BRUCK},
    {512, K(32), ALLTOALL_LINEAR},
    {512, ANY_BYTES, ALLTOALL_PAIRWISE},
    {1024, 512, ALLTOALL_BRUCK},
    {1024, K(256), ALLTOALL_LINEAR},
    {1024, ANY_BYTES, ALLTOALL_PAIRWISE},
    {2048, 512, ALLTOALL_BRUCK},
    {2048, ANY_BYTES, ALLTOALL_LINEAR},
    {4096, K(1), ALLTOALL_BRUCK},
    {4096, ANY_BYTES, ALLTOALL_LINEAR},
    {ANY_SIZE, K(2), ALLTOALL_BRUCK},
    {ANY_SIZE, ANY_BYTES, ALLTOALL_LINEAR},
};

static const struct rule alltoallv_rules[] = {
    {4, ANY_BYTES, ALLTOALLV_PAIRWISE},    {64, ANY_BYTES, ALLTOALLV_LINEAR},
    {128, ANY_BYTES, ALLTOALLV_PAIRWISE},  {256, ANY_BYTES, ALLTOALLV_LINEAR},
    {1024, ANY_BYTES, ALLTOALLV_PAIRWISE}, {ANY_SIZE, ANY_BYTES, ALLTOALLV_LINEAR}};

static const struct rule allreduce_rules[] = {
    {4, 8, ALLREDUCE_RING},
    {4, K(4), ALLREDUCE_DOUBLING},
    {4, K(8), ALLREDUCE_RING},
    {4, K(16), ALLREDUCE_DOUBLING},
    {4, K(256), ALLREDUCE_RING},
    {4, ANY_BYTES, ALLREDUCE_RABENSEIFNER},
    {8, 16, ALLREDUCE_RING},
    {16, K(8), ALLREDUCE_DOUBLING},
    {16, ANY_BYTES, ALLREDUCE_RABENSEIFNER},
    {32, 64, ALLREDUCE_RING},
    {32, K(4), ALLREDUCE_DOUBLING},
    {32, ANY_BYTES, ALLREDUCE_RABENSEIFNER},
    {64, 128, ALLREDUCE_RING},
    {64, ANY_BYTES, ALLREDUCE_RABENSEIFNER},
    {128, K(256), ALLREDUCE_DOUBLING},
    {128, ANY_BYTES, ALLREDUCE_RABENSEIFNER},
    {256, K(128), ALLREDUCE_REDUCE_BCAST},
    {256, K(256), ALLREDUCE_DOUBLING},
    {256, ANY_BYTES, ALLREDUCE_RABENSEIFNER},
    {512, K(4), ALLREDUCE_REDUCE_BCAST},
    {512, ANY_BYTES, ALLREDUCE_RABENSEIFNER},
    {2048, K(2), ALLREDUCE_REDUCE_BCAST},
    {2048, K(16), ALLREDUCE_DOUBLING},
    {2048, ANY_BYTES, ALLREDUCE_RABENSEIFNER},
    {4096, K(2), ALLREDUCE_REDUCE_BCAST},
    {4096, K(4), ALLREDUCE_RING},
    {4096, K(16), ALLREDUCE_DOUBLING},
    {4096, ANY_BYTES, ALLREDUCE_RABENSEIFNER},
    {ANY_SIZE, K(2), ALLREDUCE_REDUCE_BCAST},
    {ANY_SIZE, K(16), ALLREDUCE_RING},
    {ANY_SIZE, K(32), ALLREDUCE_DOUBLING},
    {ANY_SIZE, ANY_BYTES, ALLREDUCE_RABENSEIFNER},
};

static const struct rule reduce_rules[] = {
    {4, 8, REDUCE_RABENSEIFNER},
    {4, 16, REDUCE_BINARY},
    {4, 32, REDUCE_CHAIN},
    {4, K(256), REDUCE_LINEAR},
    {4, ANY_BYTES, REDUCE_CHAIN},
    {8, K(4), REDUCE_BINARY},
    {8, K(64), REDUCE_CHAIN},
    {8, K(256), REDUCE_BINOMIAL},
    {8, K(512), REDUCE_LINEAR},
    {8, K(1024), REDUCE_BINOMIAL},
    {8, ANY_BYTES, REDUCE_LINEAR},
    {16, K(8), REDUCE_BINARY},
    {16, ANY_BYTES, REDUCE_BINOMIAL},
    {32, K(4), REDUCE_BINARY},
    {256, ANY_BYTES, REDUCE_BINOMIAL},
    {512, K(8), REDUCE_BINOMIAL},
    {512, K(16), REDUCE_IN_ORDER},
    {2048, ANY_BYTES, REDUCE_BINOMIAL},
    {4096, 512, REDUCE_BINOMIAL},
    {4096, K(1), REDUCE_IN_ORDER},
    {4096, K(8), REDUCE_BINOMIAL},
    {ANY_SIZE, 16, REDUCE_BINOMIAL},
    {ANY_SIZE, 32, REDUCE_IN_ORDER},
    {ANY_SIZE, K(1), REDUCE_BINOMIAL},
    {ANY_SIZE, K(2), REDUCE_IN_ORDER},
    {ANY_SIZE, K(8), REDUCE_BINOMIAL},
    {ANY_SIZE, K(16), REDUCE_IN_ORDER},
    {ANY_SIZE, ANY_BYTES, REDUCE_BINOMIAL},
};

/* Bounds are bytes of the whole vector. */
static const struct rule reduce_scatter_rules[] = {
    {4, K(64), REDUCE_SCATTER_RING},
    {4, K(128), REDUCE_SCATTER_BUTTERFLY},
    {4, ANY_BYTES, REDUCE_SCATTER_RING},
    {8, 8, REDUCE_SCATTER_REDUCE_SCATTER},
    {32, K(256), REDUCE_SCATTER_HALVING},
    {32, ANY_BYTES, REDUCE_SCATTER_RING},
    {64, 64, REDUCE_SCATTER_REDUCE_SCATTER},
    {64, K(2), REDUCE_SCATTER_HALVING},
    {64, K(512), REDUCE_SCATTER_BUTTERFLY},
    {64, ANY_BYTES, REDUCE_SCATTER_RING},
    {512, 256, REDUCE_SCATTER_REDUCE_SCATTER},
    {256, 512, REDUCE_SCATTER_HALVING},
    {128, K(2), REDUCE_SCATTER_BUTTERFLY},
    {128, K(4), REDUCE_SCATTER_HALVING},
    {256, ANY_BYTES, REDUCE_SCATTER_BUTTERFLY},
    {512, K(1), REDUCE_SCATTER_HALVING},
    {512, ANY_BYTES, REDUCE_SCATTER_BUTTERFLY},
    {4096, 512, REDUCE_SCATTER_REDUCE_SCATTER},
    {1024, K(2), REDUCE_SCATTER_HALVING},
    {1024, K(8), REDUCE_SCATTER_BUTTERFLY},
    {1024, K(16), REDUCE_SCATTER_HALVING},
    {1024, ANY_BYTES, REDUCE_SCATTER_BUTTERFLY},
    {4096, K(4), REDUCE_SCATTER_HALVING},
    {2048, K(16), REDUCE_SCATTER_BUTTERFLY},
    {2048, K(32), REDUCE_SCATTER_HALVING},
    {4096, ANY_BYTES, REDUCE_SCATTER_BUTTERFLY},
    {ANY_SIZE, K(1), REDUCE_SCATTER_REDUCE_SCATTER},
    {ANY_SIZE, K(8), REDUCE_SCATTER_HALVING},
    {ANY_SIZE, ANY_BYTES, REDUCE_SCATTER_BUTTERFLY},
};

/* Bounds are bytes of one block. */
static const struct rule reduce_scatter_block_rules[] = {
    {4, 4, REDUCE_SCATTER_BLOCK_HALVING},
    {4, 8, REDUCE_SCATTER_BLOCK_BUTTERFLY},
    {4, 16, REDUCE_SCATTER_BLOCK_HALVING},
    {4, 128, REDUCE_SCATTER_BLOCK_BUTTERFLY},
    {4, 256, REDUCE_SCATTER_BLOCK_HALVING},
    {4, K(4), REDUCE_SCATTER_BLOCK_BUTTERFLY},
    {4, K(8), REDUCE_SCATTER_BLOCK_HALVING},
    {4, K(128), REDUCE_SCATTER_BLOCK_BUTTERFLY},
    {4, ANY_BYTES, REDUCE_SCATTER_BLOCK_REDUCE_SCATTER},
    {8, 32, REDUCE_SCATTER_BLOCK_HALVING},
    {8, 256, REDUCE_SCATTER_BLOCK_BUTTERFLY},
    {8, K(8), REDUCE_SCATTER_BLOCK_HALVING},
    {8, K(16), REDUCE_SCATTER_BLOCK_BUTTERFLY},
    {8, K(1024), REDUCE_SCATTER_BLOCK_HALVING},
    {8, ANY_BYTES, REDUCE_SCATTER_BLOCK_REDUCE_SCATTER},
    {16, 4, REDUCE_SCATTER_BLOCK_REDUCE_SCATTER},
    {16, 32, REDUCE_SCATTER_BLOCK_HALVING},
    {16, 128, REDUCE_SCATTER_BLOCK_BUTTERFLY},
    {16, K(512), REDUCE_SCATTER_BLOCK_HALVING},
    {16, K(4096), REDUCE_SCATTER_BLOCK_REDUCE_SCATTER},
    {16, ANY_BYTES, REDUCE_SCATTER_BLOCK_BUTTERFLY},
    {32, 32, REDUCE_SCATTER_BLOCK_REDUCE_SCATTER},
    {32, K(512), REDUCE_SCATTER_BLOCK_HALVING},
    {32, K(2048), REDUCE_SCATTER_BLOCK_REDUCE_SCATTER},
    {32, K(4096), REDUCE_SCATTER_BLOCK_HALVING},
    {32, ANY_BYTES, REDUCE_SCATTER_BLOCK_BUTTERFLY},
    {ANY_SIZE, 4, REDUCE_SCATTER_BLOCK_HALVING},
    {ANY_SIZE, 16, REDUCE_SCATTER_BLOCK_REDUCE_SCATTER},
    {ANY_SIZE, K(64), REDUCE_SCATTER_BLOCK_BUTTERFLY},
    {ANY_SIZE, K(256), REDUCE_SCATTER_BLOCK_REDUCE_SCATTER},
    {ANY_SIZE, ANY_BYTES, REDUCE_SCATTER_BLOCK_BUTTERFLY},
};

static int32_t chosen(const struct rule *rules, uint32_t size, uint64_t bytes) {
    while (size >= rules->below_size || bytes >= rules->below_bytes)
        rules++;
    return rules->algorithm;
}

/* A ring needs at least one element for each member. Rabenseifner's algorithm needs at least one
 * for each member of the largest power of two within the communicator. */
static int32_t allreduce(const struct collective_call *call, uint64_t bytes) {
    uint64_t elements = collective_elements(call);
    int32_t id = chosen(allreduce_rules, call->size, bytes);
    if (id == ALLREDUCE_RING && elements < call->size) return ALLREDUCE_DOUBLING;
    bool few = elements < collective_fold_of(call->size).power;
    return id == ALLREDUCE_RABENSEIFNER && few ? ALLREDUCE_LINEAR : id;
}

static int32_t reduce(const struct collective_call *call, uint64_t bytes) {
    uint64_t elements = collective_elements(call);
    int32_t id = chosen(reduce_rules, call->size, bytes);
    bool few = elements < collective_fold_of(call->size).power;
    return id == REDUCE_RABENSEIFNER && few ? REDUCE_LINEAR : id;
}

/* Recursive doubling is only used if the number of members is a power of two. */
static int32_t allgather(const struct collective_call *call, uint64_t bytes) {
    int32_t id = chosen(allgather_rules, call->size, bytes);
    bool power = (call->size & (call->size - 1)) == 0;
    return id == ALLGATHER_DOUBLING && !power ? ALLGATHER_BRUCK : id;
}

int32_t collective_openmpi_choice(const struct collective_call *call) {
    if (call->non_blocking) return collective_libnbc_choice(call);
    uint64_t bytes = collective_vector_bytes(call), total = 0;
    uint32_t size = call->size;
    if (call->sums != NULL) total = call->sums[size] - call->sums[0];
    switch ((program_collective_kind)call->kind) {
    case PROGRAM_COLLECTIVE_BARRIER:
        return chosen(barrier_rules, size, 0);
    case PROGRAM_COLLECTIVE_BCAST:
        return chosen(bcast_rules, size, bytes);
    case PROGRAM_COLLECTIVE_GATHER:
        return chosen(gather_rules, size, bytes);
    case PROGRAM_COLLECTIVE_GATHERV:
        return GATHERV_ORDERED;
    case PROGRAM_COLLECTIVE_SCATTER:
        return chosen(scatter_rules, size, bytes);
    case PROGRAM_COLLECTIVE_SCATTERV:
        return SCATTERV_ORDERED;
    case PROGRAM_COLLECTIVE_ALLGATHER:
        return allgather(call, bytes);
    case PROGRAM_COLLECTIVE_ALLGATHERV:
        return chosen(allgatherv_rules, size, total / size);
    case PROGRAM_COLLECTIVE_ALLTOALL:
        return call->in_place ? ALLTOALL_ORDERED : chosen(alltoall_rules, size, bytes);
    case PROGRAM_COLLECTIVE_ALLTOALLV:
        return call->in_place ? ALLTOALLV_ORDERED : chosen(alltoallv_rules, size, 0);
    case PROGRAM_COLLECTIVE_ALLTOALLW:
        return call->in_place ? ALLTOALLW_ORDERED : ALLTOALLW_LINEAR;
    case PROGRAM_COLLECTIVE_ALLREDUCE:
        return allreduce(call, bytes);
    case PROGRAM_COLLECTIVE_REDUCE:
        return reduce(call, bytes);
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
        return chosen(reduce_scatter_rules, size, total);
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        return chosen(reduce_scatter_block_rules, size, bytes);
    case PROGRAM_COLLECTIVE_SCAN:
        return SCAN_LINEAR;
    case PROGRAM_COLLECTIVE_EXSCAN:
        return EXSCAN_LINEAR;
    case PROGRAM_COLLECTIVE_CREATE_HANDLE:
    case PROGRAM_COLLECTIVE_DESTROY_HANDLE:
    case PROGRAM_COLLECTIVE_WINDOW:
    case PROGRAM_COLLECTIVE_KINDS:
        break;
    }
    return COLLECTIVE_ONLY_ONE;
}
