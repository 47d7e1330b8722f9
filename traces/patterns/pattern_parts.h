/*
 * What the synthetic programs share: one rank's MPI calls through the builder, process grids, and
 * the frame (MPI_Init, iterations, MPI_Finalize). Inside of the traces room.
 */
#ifndef ANAX_TRACES_PATTERN_PARTS_H
#define ANAX_TRACES_PATTERN_PARTS_H

#include "traces/program/program_builder.h"
#include "traces/traces.h"

/* Nominal length of an MPI call: generated programs have time stamps as if every call took this
 * long and no rank waited for another. */
#define PATTERN_CALL_PS INT64_C(1000000)

typedef enum pattern_call {
    PATTERN_INIT,
    PATTERN_FINALIZE,
    PATTERN_COMM_SPLIT,
    PATTERN_COMM_FREE,
    PATTERN_IRECV,
    PATTERN_ISEND,
    PATTERN_WAITALL,
    PATTERN_SEND,
    PATTERN_RECV,
    PATTERN_SENDRECV,
    PATTERN_ALLTOALL,
    PATTERN_ALLREDUCE,
    PATTERN_BCAST,
    PATTERN_BARRIER,
    PATTERN_CALLS
} pattern_call;

struct pattern_job;

/* One rank at work. The first error sticks in code; whatever follows it does nothing. */
struct pattern_rank {
    const struct pattern_job *job;
    const struct traces_pattern_config *config;
    struct program_builder *builder;
    uint32_t world; /* communicator 0 */
    uint32_t rank;
    uint32_t size;         /* ranks in all */
    uint64_t event_number; /* records its OTF2 event stream has so far */
    int64_t now_ps;
    uint64_t *requests; /* in flight, in the order in which they were posted */
    size_t request_count, request_capacity;
    uint64_t request_total;
    status_code code;
    struct status *status;
};

/* One rank's iteration. Called by several threads at once; context is read only. */
typedef void (*pattern_body)(struct pattern_rank *rank, uint32_t iteration, const void *context);

/* What distinguishes a pattern. */
struct pattern_plan {
    pattern_body body;
    const void *context;
    /* Additional communicators of each rank (MPI_Comm_split before the first iteration,
     * MPI_Comm_free after the last): [dimension] of the rank; may be NULL. */
    uint32_t split_count;
    uint32_t (*split)(const void *context, uint32_t rank, uint32_t dimension);
    /* How many operations the body appends on average, to refuse what no memory can hold. */
    uint64_t operations_per_iteration;
    bool own_compute; /* the body spends compute_ps itself */
};

/* Refuses configurations out of range, and what the machine's memory cannot hold. */
status_code pattern_check_size(const struct traces_pattern_config *config,
                               const struct pattern_plan *plan, struct status *status);

/* Runs all ranks through the frame, after pattern_check_size. */
status_code pattern_run(const struct traces_pattern_config *config, struct program_builder *builder,
                        const struct pattern_plan *plan, struct status *status);

/* MPI_COMM_WORLD, as communicator 0. */
status_code pattern_define_world(struct program_builder *builder, uint32_t rank_count,
                                 struct status *status);

/* Calls, as a rank makes them; and the begin or end of a region. */
void pattern_mark(struct pattern_rank *rank, uint32_t region, bool begins);
void pattern_compute(struct pattern_rank *rank, int64_t duration_ps);
void pattern_irecv(struct pattern_rank *rank, uint32_t source, int32_t tag, uint64_t bytes);
void pattern_isend(struct pattern_rank *rank, uint32_t destination, int32_t tag, uint64_t bytes);
void pattern_waitall(struct pattern_rank *rank); /* nothing in flight: no call */
void pattern_send(struct pattern_rank *rank, uint32_t destination, int32_t tag, uint64_t bytes);
void pattern_recv(struct pattern_rank *rank, uint32_t source, int32_t tag, uint64_t bytes);
void pattern_sendrecv(struct pattern_rank *rank, uint32_t destination, uint64_t send_bytes,
                      uint32_t source, uint64_t receive_bytes, int32_t tag);
void pattern_collective(struct pattern_rank *rank, pattern_call call, program_collective_kind kind,
                        uint32_t communicator, uint32_t root, uint64_t bytes);

/* Splits count into dimensions (2 or 3) as nearly equal factors as there are, largest first. */
void pattern_grid(uint32_t count, unsigned dimensions, uint32_t *extents);

/* Largest root with root * root <= square. */
uint64_t pattern_square_root(uint64_t square);

status_code pattern_check_root(const struct traces_pattern_config *config, struct status *status);

/* name, function, settings that few patterns use, help */
#define PATTERN_ROWS(X)                                                                            \
    X("halo2d", pattern_build_halo2d, 0,                                                           \
      "2-D stencil: size bytes with each of 4 neighbours on a periodic near-square grid")          \
    X("halo3d", pattern_build_halo3d, TRACES_USES_NEIGHBOURS,                                      \
      "3-D stencil on a periodic near-cubic grid: size bytes per face; with 26 neighbours an "     \
      "edge carries one row of the face's 8-byte cells and a corner one cell")                     \
    X("sweep3d", pattern_build_sweep3d, 0,                                                         \
      "wavefronts over a 2-D grid from each corner twice (8 octants), in 4 blocks of size bytes "  \
      "to either neighbour downstream")                                                            \
    X("fft3d", pattern_build_fft3d, 0,                                                             \
      "3-D FFT in pencils: an alltoall of size-byte blocks on the row, then on the column "        \
      "communicators of a near-square grid, and back")                                             \
    X("allreduce-ring", pattern_build_allreduce_ring, 0,                                           \
      "ring allreduce of size bytes as point-to-point messages: reduce-scatter, then allgather")   \
    X("allreduce-recursive-doubling", pattern_build_allreduce_doubling, 0,                         \
      "allreduce of size bytes as point-to-point messages by recursive doubling")                  \
    X("allreduce", pattern_build_allreduce, 0, "MPI_Allreduce of size bytes on all ranks")         \
    X("alltoall", pattern_build_alltoall, 0, "MPI_Alltoall on all ranks, size bytes for each")     \
    X("bcast", pattern_build_bcast, TRACES_USES_ROOT, "MPI_Bcast of size bytes from the root")     \
    X("incast", pattern_build_incast, TRACES_USES_ROOT,                                            \
      "every rank sends size bytes to the root at once")                                           \
    X("random-pairs", pattern_build_random_pairs, 0,                                               \
      "ranks paired anew in each iteration (seeded) exchange size bytes")                          \
    X("ping-pong", pattern_build_ping_pong, 0,                                                     \
      "each rank of the first half sends size bytes to its fellow in the second half and gets "    \
      "as many back")

#define PATTERN_DECLARE(name, function, uses, help)                                                \
    status_code function(const struct traces_pattern_config *config,                               \
                         struct program_builder *builder, struct status *status);
PATTERN_ROWS(PATTERN_DECLARE)
#undef PATTERN_DECLARE

#endif
