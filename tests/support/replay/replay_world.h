/*
 * Small programs, replayed: for tests of the replay on the ideal transport and on the
 * packet-level network.
 *
 * Fails the running test on any error but those of world_run.
 */
#ifndef ANAX_TESTS_REPLAY_WORLD_H
#define ANAX_TESTS_REPLAY_WORLD_H

#include "replay/replay.h"
#include "traces/program/builder/program_builder.h"

/* Of the ideal transport and the default costs, in ps and bytes per second. */
#define WORLD_LATENCY_PS         INT64_C(1000000)
#define WORLD_BYTES_PER_S        INT64_C(10000000000) /* 100 ps per byte */
#define WORLD_MEMORY_PS          INT64_C(200000)
#define WORLD_MEMORY_BYTES_PER_S INT64_C(100000000000)
#define WORLD_SEND_PS            INT64_C(250000)
#define WORLD_RECEIVE_PS         INT64_C(300000)
#define WORLD_CONTROL_BYTES      64
#define WORLD_THRESHOLD_BYTES    1024

/* Time of a message on the ideal transport. */
#define WORLD_MESSAGE_PS(bytes) (WORLD_LATENCY_PS + 100 * (int64_t)(bytes))

struct world {
    struct program_builder *builder;
    struct program *program;
    uint32_t rank_count;
    uint32_t everyone; /* communicator */
    uint32_t self;
    uint32_t next_call; /* number of the next MPI call, of all ranks */
    uint32_t ranks_per_node;
    const uint32_t *node_of_rank; /* NULL: by ranks_per_node */
    struct replay_config config;
    struct network_config network_config;
    struct replay_options options;
    uint64_t seed;
    struct replay_result *result;
    bool packet_level;       /* runs on the packet-level network; else on the ideal transport */
    struct network *network; /* then: the one of the last run */
    struct network_totals totals; /* of the last run */
    struct status status;
};

void world_new(struct world *w, uint32_t rank_count);
void world_free(struct world *w);

/* The next functions are one MPI call each. MPI_Send; flags as in program.h. */
void world_send(struct world *w, uint32_t rank, uint32_t to, uint64_t bytes, unsigned flags);
/* MPI_Recv. */
void world_receive(struct world *w, uint32_t rank, uint32_t from, uint64_t bytes);
/* MPI_Sendrecv. */
void world_sendrecv(struct world *w, uint32_t rank, uint32_t to, uint32_t from, uint64_t bytes);
/* MPI_Isend. */
void world_isend(struct world *w, uint32_t rank, uint32_t to, uint64_t bytes, uint64_t request);
/* MPI_Irecv. */
void world_irecv(struct world *w, uint32_t rank, uint32_t from, uint64_t bytes, uint64_t request);
/* MPI_Waitall, or MPI_Wait for one. */
void world_wait(struct world *w, uint32_t rank, const uint64_t *requests, uint32_t count);
/* MPI_Test and its kin have found them complete. */
void world_test(struct world *w, uint32_t rank, const uint64_t *requests, uint32_t count);
/* Starts a persistent send. */
void world_start(struct world *w, uint32_t rank, uint32_t to, uint64_t bytes, uint64_t request);
/* Computation outside calls. */
void world_compute(struct world *w, uint32_t rank, int64_t duration_ps);
/* send = receive = bytes, but for kinds with sizes, where the two matter. request:
 * BUILDER_NO_REQUEST for a blocking one. */
void world_collective(struct world *w, uint32_t rank, uint32_t kind, uint32_t communicator,
                      uint32_t root, uint64_t send_bytes, uint64_t receive_bytes, unsigned flags,
                      uint64_t request);

/* An ALLTOALLV or ALLTOALLW of which the bytes to each of `count` members are known. */
void world_pairs(struct world *w, uint32_t rank, uint32_t kind, uint32_t communicator,
                 const uint64_t *bytes, uint32_t count, uint64_t receive_bytes);
/* A blocking collective of the world whose elements are known. */
void world_reduction(struct world *w, uint32_t rank, uint32_t kind, uint64_t bytes,
                     uint64_t element_bytes);

void world_seal(struct world *w);
/* Seals if need be and replays; frees the result of an earlier run. */
status_code world_run(struct world *w);
/* The same, and fails the test unless it finishes and every rank's parts add up to its time. */
const struct replay_result *world_finish(struct world *w);

#endif
