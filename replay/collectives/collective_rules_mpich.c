/*
 * The algorithms that MPICH chooses for built-in commutative operations.
 *
 * Source: MPICH 4, src/mpi/coll/coll_selection.json (the generic selection). The steps that its
 * compositions first take within nodes are left out: members count as if each had a node of its
 * own. The creation of a handle, which is an exchange of all members, is modelled as a barrier.
 */
#include "replay/collectives/collective_families.h"

/* Limits in bytes or members. "UP_TO" and "BELOW" are as in the source. */
#define BCAST_SHORT_UP_TO            12288
#define BCAST_MEDIUM_UP_TO           524288
#define BCAST_BINOMIAL_BELOW_MEMBERS 8
#define ALLREDUCE_SHORT_UP_TO        8
#define IALLREDUCE_SHORT_UP_TO       2048
#define REDUCE_SHORT_UP_TO           2048
#define ALLGATHER_POWER_SHORT_BELOW  524288
#define ALLGATHER_OTHER_SHORT_BELOW  81920
#define REDUCE_SCATTER_SHORT_BELOW   524288
#define ALLTOALL_SHORT_UP_TO         256
#define IALLTOALL_SHORT_UP_TO        2048
#define ALLTOALL_MEDIUM_UP_TO        32768
#define ALLTOALL_BRUCK_FROM_MEMBERS  8

static bool is_power(const struct collective_call *call) {
    return (call->size & (call->size - 1)) == 0;
}

/* Returns whether the vector has fewer elements than the algorithm makes parts of it. */
static bool is_few(const struct collective_call *call) {
    return collective_elements(call) < collective_fold_of(call->size).power;
}

static uint64_t all_blocks_bytes(const struct collective_call *call) {
    if (call->sums != NULL) return call->sums[call->size] - call->sums[0];
    return call->size * collective_vector_bytes(call);
}

/* Blocking calls include the limits, non-blocking ones do not, hence the added byte. */
static int32_t bcast(const struct collective_call *call) {
    uint64_t bytes = collective_vector_bytes(call) + call->non_blocking;
    if (call->size < BCAST_BINOMIAL_BELOW_MEMBERS || bytes <= BCAST_SHORT_UP_TO)
        return BCAST_BINOMIAL;
    bool medium = is_power(call) && bytes <= BCAST_MEDIUM_UP_TO;
    return medium ? BCAST_SCATTER_DOUBLING : BCAST_SCATTER_RING;
}

static int32_t allreduce(const struct collective_call *call) {
    uint64_t limit = call->non_blocking ? IALLREDUCE_SHORT_UP_TO : ALLREDUCE_SHORT_UP_TO;
    bool is_short = collective_vector_bytes(call) <= limit || is_few(call);
    return is_short ? ALLREDUCE_DOUBLING : ALLREDUCE_RABENSEIFNER;
}

static int32_t allgather(const struct collective_call *call, int32_t ring, int32_t doubling,
                         int32_t bruck) {
    uint64_t bytes = all_blocks_bytes(call);
    if (is_power(call)) return bytes < ALLGATHER_POWER_SHORT_BELOW ? doubling : ring;
    return bytes < ALLGATHER_OTHER_SHORT_BELOW ? bruck : ring;
}

static int32_t alltoall(const struct collective_call *call) {
    uint64_t bytes = collective_vector_bytes(call);
    uint64_t limit = call->non_blocking ? IALLTOALL_SHORT_UP_TO : ALLTOALL_SHORT_UP_TO;
    if (call->in_place) return ALLTOALL_ORDERED;
    if (call->size >= ALLTOALL_BRUCK_FROM_MEMBERS && bytes <= limit) return ALLTOALL_BRUCK;
    return bytes <= ALLTOALL_MEDIUM_UP_TO ? ALLTOALL_SCATTERED : ALLTOALL_PAIRWISE;
}

int32_t collective_mpich_choice(const struct collective_call *call) {
    bool is_short;
    switch ((program_collective_kind)call->kind) {
    case PROGRAM_COLLECTIVE_BARRIER:
        return BARRIER_DISSEMINATION;
    case PROGRAM_COLLECTIVE_BCAST:
        return bcast(call);
    case PROGRAM_COLLECTIVE_GATHER:
        return GATHER_BINOMIAL;
    case PROGRAM_COLLECTIVE_GATHERV:
        return GATHERV_LINEAR;
    case PROGRAM_COLLECTIVE_SCATTER:
        return SCATTER_BINOMIAL;
    case PROGRAM_COLLECTIVE_SCATTERV:
        return SCATTERV_LINEAR;
    case PROGRAM_COLLECTIVE_ALLGATHER:
        return allgather(call, ALLGATHER_RING, ALLGATHER_DOUBLING, ALLGATHER_BRUCK);
    case PROGRAM_COLLECTIVE_ALLGATHERV:
        return allgather(call, ALLGATHERV_RING, ALLGATHERV_DOUBLING, ALLGATHERV_BRUCK);
    case PROGRAM_COLLECTIVE_ALLTOALL:
        return alltoall(call);
    case PROGRAM_COLLECTIVE_ALLTOALLV:
        return call->in_place ? ALLTOALLV_ORDERED : ALLTOALLV_SCATTERED;
    case PROGRAM_COLLECTIVE_ALLTOALLW:
        return call->in_place ? ALLTOALLW_ORDERED : ALLTOALLW_SCATTERED;
    case PROGRAM_COLLECTIVE_ALLREDUCE:
        return allreduce(call);
    case PROGRAM_COLLECTIVE_REDUCE:
        is_short = collective_vector_bytes(call) <= REDUCE_SHORT_UP_TO || is_few(call);
        return is_short ? REDUCE_BINOMIAL : REDUCE_RABENSEIFNER;
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
        is_short = all_blocks_bytes(call) < REDUCE_SCATTER_SHORT_BELOW;
        return is_short ? REDUCE_SCATTER_HALVING : REDUCE_SCATTER_PAIRWISE;
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        is_short = all_blocks_bytes(call) < REDUCE_SCATTER_SHORT_BELOW;
        return is_short ? REDUCE_SCATTER_BLOCK_HALVING : REDUCE_SCATTER_BLOCK_PAIRWISE;
    case PROGRAM_COLLECTIVE_SCAN:
        return SCAN_DOUBLING;
    case PROGRAM_COLLECTIVE_EXSCAN:
        return EXSCAN_DOUBLING;
    case PROGRAM_COLLECTIVE_CREATE_HANDLE:
    case PROGRAM_COLLECTIVE_DESTROY_HANDLE:
    case PROGRAM_COLLECTIVE_WINDOW:
    case PROGRAM_COLLECTIVE_KINDS:
        break;
    }
    return COLLECTIVE_ONLY_ONE;
}
