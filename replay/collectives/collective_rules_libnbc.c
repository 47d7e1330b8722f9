/*
 * The algorithms that Open MPI chooses for non-blocking collectives with commutative operations,
 * which its component "libnbc" implements.
 *
 * Source: Open MPI 4.1, ompi/mca/coll/libnbc/nbc_i*.c, with the default of
 * coll_libnbc_ibcast_skip_dt_decision, by which sizes do not matter to MPI_Ibcast. The linear
 * algorithms of libnbc begin with the first member, those used here with the next member.
 */
#include "replay/collectives/collective_families.h"

/* Limits in bytes or members. "FROM" and "UP_TO" are as in the source. */
#define BCAST_LINEAR_UP_TO_MEMBERS  4
#define ALLREDUCE_LONG_FROM         65536
#define ALLREDUCE_LONG_FROM_MEMBERS 4
#define REDUCE_CHAIN_FROM           65536

/* Returns whether the vector has at least one element for each member of the largest power of two
 * within the communicator. */
static bool is_enough(const struct collective_call *call) {
    return collective_elements(call) >= collective_fold_of(call->size).power;
}

static int32_t allreduce(const struct collective_call *call) {
    bool is_short = collective_vector_bytes(call) < ALLREDUCE_LONG_FROM;
    if (call->size < ALLREDUCE_LONG_FROM_MEMBERS || is_short || call->in_place)
        return ALLREDUCE_BINOMIAL;
    return is_enough(call) ? ALLREDUCE_RABENSEIFNER : ALLREDUCE_RING;
}

/* The chain of libnbc has segments of 8 KiB; it is never chosen for more than 4 members. */
static int32_t reduce(const struct collective_call *call) {
    if (call->size > 2 && is_enough(call)) return REDUCE_RABENSEIFNER;
    bool chain = call->size <= 4 && collective_vector_bytes(call) >= REDUCE_CHAIN_FROM;
    return chain ? REDUCE_PIPELINE : REDUCE_BINOMIAL;
}

int32_t collective_libnbc_choice(const struct collective_call *call) {
    switch ((program_collective_kind)call->kind) {
    case PROGRAM_COLLECTIVE_BARRIER:
        return BARRIER_DISSEMINATION;
    case PROGRAM_COLLECTIVE_BCAST:
        return call->size <= BCAST_LINEAR_UP_TO_MEMBERS ? BCAST_LINEAR : BCAST_BINOMIAL;
    case PROGRAM_COLLECTIVE_GATHER:
        return GATHER_LINEAR;
    case PROGRAM_COLLECTIVE_GATHERV:
        return GATHERV_LINEAR;
    case PROGRAM_COLLECTIVE_SCATTER:
        return SCATTER_LINEAR;
    case PROGRAM_COLLECTIVE_SCATTERV:
        return SCATTERV_LINEAR;
    case PROGRAM_COLLECTIVE_ALLGATHER:
        return ALLGATHER_LINEAR;
    case PROGRAM_COLLECTIVE_ALLGATHERV:
        return ALLGATHERV_LINEAR;
    case PROGRAM_COLLECTIVE_ALLTOALL:
        return call->in_place ? ALLTOALL_ORDERED : ALLTOALL_LINEAR;
    case PROGRAM_COLLECTIVE_ALLTOALLV:
        return call->in_place ? ALLTOALLV_ORDERED : ALLTOALLV_LINEAR;
    case PROGRAM_COLLECTIVE_ALLTOALLW:
        return call->in_place ? ALLTOALLW_ORDERED : ALLTOALLW_LINEAR;
    case PROGRAM_COLLECTIVE_ALLREDUCE:
        return allreduce(call);
    case PROGRAM_COLLECTIVE_REDUCE:
        return reduce(call);
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
        return REDUCE_SCATTER_BINOMIAL;
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        return REDUCE_SCATTER_BLOCK_BINOMIAL;
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
