/*
 * The parts that all patterns share: the MPI calls of one rank, the extents of process grids, and
 * the frame (MPI_Init, iterations, MPI_Finalize). Private to the traces room.
 */
#ifndef ANAX_TRACES_PATTERN_PARTS_H
#define ANAX_TRACES_PATTERN_PARTS_H

#include "traces/program/builder/program_builder.h"
#include "traces/traces.h"

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
    PATTERN_WAIT,
    PATTERN_ALLGATHER,
    PATTERN_REDUCE_SCATTER_BLOCK,
    PATTERN_IALLREDUCE,
    PATTERN_IALLGATHER,
    PATTERN_IREDUCE_SCATTER_BLOCK,
    PATTERN_CALLS
} pattern_call;

struct pattern_job;

/* The state of one rank while its operations are appended. `code` keeps the first error; calls
 * after an error do nothing. */
struct pattern_rank {
    const struct pattern_job *job;
    const struct traces_pattern_config *config;
    struct program_builder *builder;
    uint32_t world; /* MPI_COMM_WORLD: communicator 0 */
    uint32_t rank;
    uint32_t size;         /* ranks of the program */
    uint64_t event_number; /* records that the rank's OTF2 event stream has so far */
    int64_t now_ps;        /* nominal time of the rank (TRACES_NOMINAL_CALL_PS) */
    uint64_t *requests;    /* requests in flight, in the order in which they were posted */
    size_t request_count, request_capacity;
    uint64_t request_total; /* requests so far, which is also the number of the newest one */
    status_code code;
    struct status *status;
};

/* Appends one iteration of one rank. Several threads call the function at once, so context is
 * constant. */
typedef void (*pattern_body)(struct pattern_rank *rank, uint32_t iteration, const void *context);

/* The properties that distinguish one pattern from another. */
struct pattern_plan {
    pattern_body body;
    const void *context;
    /* Additional communicators. Each rank has split_count of them, made by MPI_Comm_split before
     * the first iteration and freed by MPI_Comm_free after the last. split returns the communicator
     * of a rank in dimension 0 … split_count-1. split may be NULL if split_count is 0. */
    uint32_t split_count;
    uint32_t (*split)(const void *context, uint32_t rank, uint32_t dimension);
    /* About how many operations the body appends, on average over the ranks, for the memory limit.
     */
    uint64_t operations_per_iteration;
    bool own_compute; /* true if the body appends compute_ps itself */
};

/* Operations that MPI calls append, with the begin and the end of the call. */
enum {
    PATTERN_POST_OPERATIONS = 3,     /* MPI_Irecv or MPI_Isend */
    PATTERN_WAIT_OPERATIONS = 3,     /* MPI_Wait or MPI_Waitall */
    PATTERN_BLOCKING_OPERATIONS = 4, /* MPI_Send or MPI_Recv: also a wait */
    PATTERN_SENDRECV_OPERATIONS = 5,
    PATTERN_COLLECTIVE_OPERATIONS = 3
};

/* Checks the configuration. STATUS_USAGE: a value is out of range, or the program would not fit in
 * the computer's memory. */
status_code pattern_check_size(const struct traces_pattern_config *config,
                               const struct pattern_plan *plan, struct status *status);

/* Checks the sizes with pattern_check_size and appends the frame and all iterations of all ranks.
 * Returns the errors of pattern_check_size, of the builder and of the body, and STATUS_MEMORY. */
status_code pattern_run(const struct traces_pattern_config *config, struct program_builder *builder,
                        const struct pattern_plan *plan, struct status *status);

/* Defines MPI_COMM_WORLD, as communicator 0: call it before any other communicator is defined.
 * STATUS_MEMORY. */
status_code pattern_define_world(struct program_builder *builder, uint32_t rank_count,
                                 struct status *status);

/* Appends the begin or the end of a region of a rank. */
void pattern_mark(struct pattern_rank *rank, uint32_t region, bool begins);

/* Appends a computation of a rank. */
void pattern_compute(struct pattern_rank *rank, int64_t duration_ps);
/* Appends part `index`, from 0, of `parts` parts of an iteration's computation. All parts of an
 * iteration together have config->compute_ps. */
void pattern_compute_part(struct pattern_rank *rank, unsigned index, unsigned parts);
/* The next functions append one MPI call of a rank. Ranks are those of MPI_COMM_WORLD. This one is
 * MPI_Irecv, and returns its request. */
uint64_t pattern_irecv(struct pattern_rank *rank, uint32_t source, int32_t tag, uint64_t bytes);
/* MPI_Isend; returns its request. */
uint64_t pattern_isend(struct pattern_rank *rank, uint32_t destination, int32_t tag,
                       uint64_t bytes);
/* MPI_Wait for one request. */
void pattern_wait(struct pattern_rank *rank, uint64_t request);
/* MPI_Waitall for all requests in flight; appends nothing if there is none. */
void pattern_waitall(struct pattern_rank *rank);
/* MPI_Send. */
void pattern_send(struct pattern_rank *rank, uint32_t destination, int32_t tag, uint64_t bytes);
/* MPI_Recv. */
void pattern_recv(struct pattern_rank *rank, uint32_t source, int32_t tag, uint64_t bytes);
/* MPI_Sendrecv, with one tag for both messages. */
void pattern_sendrecv(struct pattern_rank *rank, uint32_t destination, uint64_t send_bytes,
                      uint32_t source, uint64_t receive_bytes, int32_t tag);
/* A blocking collective. call: its name, kind: what it does. root: PROGRAM_NONE if it has none.
 * bytes: both the bytes sent and the bytes received of program_collective_arguments. */
void pattern_collective(struct pattern_rank *rank, pattern_call call, program_collective_kind kind,
                        uint32_t communicator, uint32_t root, uint64_t bytes);
/* A non-blocking collective without a root; returns its request. */
uint64_t pattern_start(struct pattern_rank *rank, pattern_call call, program_collective_kind kind,
                       uint32_t communicator, uint64_t bytes);

/* The next two functions append several calls. This one: a window of messages to the peer, or from
 * it, and then an answer of 4 bytes to the sender. window: number of messages. */
void pattern_stream(struct pattern_rank *rank, uint32_t peer, bool sends, uint64_t bytes,
                    uint32_t window);
/* A window of messages to the peer and from it. */
void pattern_both_ways(struct pattern_rank *rank, uint32_t peer, uint64_t bytes, uint32_t window);

/* Factors count into `dimensions` extents (2 to 4), largest first, of nearly equal size. */
void pattern_grid(uint32_t count, unsigned dimensions, uint32_t *extents);

/* Returns the largest root with root * root <= square, of those below 2^32. */
uint64_t pattern_square_root(uint64_t square);

/* Checks config->root. STATUS_USAGE: there is no such rank. */
status_code pattern_check_root(const struct traces_pattern_config *config, struct status *status);

/* The patterns: name, function that appends the operations, settings (TRACES_USES_…) of those that
 * few patterns use, help text. The functions are those of traces_pattern.build. */
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
      "each rank of the first half sends size bytes to its partner in the second half and "        \
      "receives as many")                                                                          \
    X("stream", pattern_build_stream, TRACES_USES_WINDOW,                                          \
      "each rank of the first half sends a window of messages of size bytes to its partner in "    \
      "the second half and waits for an answer of 4 bytes, as osu_bw does")                        \
    X("both-ways", pattern_build_both_ways, TRACES_USES_WINDOW,                                    \
      "each rank of the first half and its partner in the second half send each other a window "   \
      "of messages of size bytes at once, as osu_bibw does")                                       \
    X("permutation", pattern_build_permutation, 0,                                                 \
      "each rank sends size bytes to another and receives from a third, by a random permutation "  \
      "(seeded) that stays the same")                                                              \
    X("uniform-random", pattern_build_uniform_random, 0,                                           \
      "in each iteration each rank sends size bytes to a rank drawn at random (seeded)")           \
    X("random-access", pattern_build_random_access, TRACES_USES_WINDOW,                            \
      "each rank sends a window of messages of size bytes to ranks drawn at random (seeded), "     \
      "then "                                                                                      \
      "a sum over all: levels of Graph500's search with coalesced messages")                       \
    X("lulesh", pattern_build_lulesh, TRACES_USES_EDGE,                                            \
      "time steps of LULESH 2.0: three exchanges, with 26, 13 and 6 "                              \
      "neighbours, and a minimum over all")                                                        \
    X("nekbone", pattern_build_nekbone, TRACES_USES_EDGE,                                          \
      "iterations of Nekbone: an exchange of shared points with 26 neighbours and three sums")     \
    X("minife", pattern_build_minife, TRACES_USES_EDGE,                                            \
      "iterations of miniFE: an exchange with 26 neighbours and two sums")                         \
    X("amg", pattern_build_amg, TRACES_USES_EDGE,                                                  \
      "iterations of conjugate gradients with a multigrid V-cycle, down to one point, on ever "    \
      "fewer ranks and with ever smaller messages")                                                \
    X("milc", pattern_build_milc, TRACES_USES_EDGE,                                                \
      "iterations of MILC's staggered conjugate gradients on a periodic 4-D grid: gathers from "   \
      "sites one and three away, and two sums")                                                    \
    X("swfft", pattern_build_swfft, TRACES_USES_EDGE,                                              \
      "3-D FFTs of SWFFT, forward and back: cubes to pencils and back in each dimension, as "      \
      "messages to all ranks of a line")                                                           \
    X("kripke", pattern_build_kripke, TRACES_USES_EDGE,                                            \
      "sweeps of Kripke through a 3-D grid of ranks from each of its corners")                     \
    X("training", pattern_build_training, TRACES_USES_TRAINING,                                    \
      "steps of distributed training of a transformer (settings training.*): tensor, context, "    \
      "expert, pipeline and data parallelism")

#define PATTERN_DECLARE(name, function, uses, help)                                                \
    status_code function(const struct traces_pattern_config *config,                               \
                         struct program_builder *builder, struct status *status);
PATTERN_ROWS(PATTERN_DECLARE)
#undef PATTERN_DECLARE

#endif
