/*
 * The algorithms that Cray MPICH chooses, as far as that is published. The library is not public.
 * Its settings and their defaults are: cray-mpich 8.1.17 prints them at MPICH_ENV_DISPLAY=1, and
 * its manual page intro_mpi explains them. What neither says is as in MPICH 4, on which Cray MPICH
 * is built; such rules are marked "assumed".
 *
 *   published                                     rule
 *   MPICH_SHARED_MEM_COLL_OPT=1                   barrier, bcast: in two levels
 *   MPICH_BCAST_ONLY_TREE=1,                      bcast: trees of radix 4 in both levels
 *     MPICH_BCAST_INTERNODE_RADIX=4,
 *     MPICH_BCAST_INTRANODE_RADIX=4
 *   MPICH_ALLREDUCE_NO_SMP=0,                     allreduce: in two levels up to 256 KiB
 *     MPICH_ALLREDUCE_MAX_SMP_SIZE=262144
 *   MPICH_REDUCE_NO_SMP=0                         reduce: in two levels (assumed: of any size)
 *   MPICH_ALLTOALL_SHORT_MSG=64-512               alltoall: forwarded in log2(n) rounds up to 512
 *                                                 bytes for up to 1024 members, 256 up to 65536,
 *                                                 128 up to 131072, else 64
 *   MPICH_ALLTOALL_SYNC_FREQ=1-24                 longer: some messages at a time (assumed: 8, in a
 *                                                 random order)
 *   MPICH_ALLTOALLV_THROTTLE=8                    alltoallv and alltoallw: 8 messages at a time
 *   MPICH_REDUCE_SCATTER_COMMUTATIVE_LONG_MSG_SIZE=524288: as MPICH
 *
 * Assumed: leaders use MPICH's algorithms among each other, and non-blocking collectives are
 * MPICH's.
 */
#include "replay/collectives/collective_families.h"

/* Limits in bytes or members. */
#define ALLREDUCE_TWO_LEVELS_UP_TO 262144

static uint64_t alltoall_short(uint32_t members) {
    if (members <= 1024) return 512;
    if (members <= 65536) return 256;
    return members <= 131072 ? 128 : 64;
}

/* Returns whether there is a node with several members, and more than one node. */
static bool has_levels(const struct collective_call *call) {
    return call->nodes != NULL && call->nodes->count > 1 && call->nodes->count < call->size;
}

int32_t collective_cray_choice(const struct collective_call *call) {
    if (call->non_blocking) return collective_mpich_choice(call);
    uint64_t bytes = collective_vector_bytes(call);
    switch ((program_collective_kind)call->kind) {
    case PROGRAM_COLLECTIVE_BARRIER:
        return has_levels(call) ? BARRIER_TWO_LEVEL : BARRIER_DISSEMINATION;
    case PROGRAM_COLLECTIVE_BCAST:
        return has_levels(call) ? BCAST_TWO_LEVEL : BCAST_KNOMIAL;
    case PROGRAM_COLLECTIVE_ALLREDUCE:
        if (has_levels(call) && bytes <= ALLREDUCE_TWO_LEVELS_UP_TO) return ALLREDUCE_TWO_LEVEL;
        break;
    case PROGRAM_COLLECTIVE_REDUCE:
        if (has_levels(call)) return REDUCE_TWO_LEVEL;
        break;
    case PROGRAM_COLLECTIVE_ALLTOALL:
        if (call->in_place) break;
        return bytes <= alltoall_short(call->size) ? ALLTOALL_BRUCK : ALLTOALL_RANDOM;
    default:
        break;
    }
    return collective_mpich_choice(call);
}
