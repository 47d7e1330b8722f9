/*
 * The libraries that mpi.collectives chooses from. Private to replay/collectives.
 */
#ifndef ANAX_REPLAY_COLLECTIVE_LIBRARIES_H
#define ANAX_REPLAY_COLLECTIVE_LIBRARIES_H

/* Each library has a row here and a file of rules: its name, its rules, how many messages of an
 * alltoall it has under way at a time, and whether its rules read which members share a node.
 * Throttles: MPIR_CVAR_ALLTOALL_THROTTLE of MPICH 4, also for Open MPI, which chooses no algorithm
 * with a throttle; MPICH_ALLTOALLV_THROTTLE of cray-mpich 8.1. */
#define LIBRARIES(X)                                                                               \
    X("mpich", collective_mpich_choice, 32, false)                                                 \
    X("openmpi", collective_openmpi_choice, 32, false)                                             \
    X("cray-mpich", collective_cray_choice, 8, true)

#endif
