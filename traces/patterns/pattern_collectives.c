/*
 * Collective patterns: allreduce as point-to-point messages by two algorithms, and loops of MPI
 * collectives.
 */
#include "traces/patterns/pattern_parts.h"

/* Returns the bytes of one chunk of a vector that is cut into count chunks. */
static uint64_t chunk_bytes(uint64_t bytes, uint32_t count, uint32_t chunk) {
    return bytes / count + (chunk < bytes % count ? 1 : 0);
}

/* Ring allreduce. In step s of a phase each rank sends one chunk to the right and receives one from
 * the left. The first phase of size-1 steps reduces; the second phase of size-1 steps distributes
 * the results. */
static void ring(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    (void)context;
    uint32_t size = rank->size, me = rank->rank;
    uint32_t right = (me + 1) % size, left = (me + size - 1) % size;
    for (uint32_t phase = 0; phase < 2; phase++) {
        for (uint32_t s = 0; s + 1 < size; s++) {
            /* The chunk to send in step s: while reducing, the rank's own chunk, then the left one,
             * and so on; while distributing, the chunk after each of these. */
            uint32_t out = (uint32_t)(((uint64_t)me + phase + size - s) % size);
            uint32_t in = (out + size - 1) % size;
            pattern_sendrecv(rank, right, chunk_bytes(rank->config->size_bytes, size, out), left,
                             chunk_bytes(rank->config->size_bytes, size, in), (int32_t)phase);
        }
    }
}

status_code pattern_build_allreduce_ring(const struct traces_pattern_config *config,
                                         struct program_builder *builder, struct status *status) {
    struct pattern_plan plan = {.body = ring,
                                .operations_per_iteration = UINT64_C(2) *
                                                            PATTERN_SENDRECV_OPERATIONS *
                                                            (config->rank_count - 1)};
    return pattern_run(config, builder, &plan, status);
}

/* Allreduce by recursive doubling. If the number of ranks is no power of two, the first 2·rest
 * ranks work in pairs: the even rank sends its vector to the odd rank before the exchanges and
 * receives the result after them. */
static void doubling(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    (void)context;
    uint64_t bytes = rank->config->size_bytes;
    uint32_t power = 1, me = rank->rank;
    while (power <= rank->size / 2)
        power *= 2;
    uint32_t rest = rank->size - power;
    if (me < 2 * rest && me % 2 == 0) {
        pattern_send(rank, me + 1, 0, bytes);
        pattern_recv(rank, me + 1, 2, bytes);
        return;
    }
    if (me < 2 * rest) pattern_recv(rank, me - 1, 0, bytes);
    uint32_t virtual = me < 2 * rest ? me / 2 : me - rest;
    for (uint32_t mask = 1; mask < power; mask *= 2) {
        uint32_t other = virtual ^ mask;
        uint32_t peer = other < rest ? 2 * other + 1 : other + rest;
        pattern_sendrecv(rank, peer, bytes, peer, bytes, 1);
    }
    if (me < 2 * rest) pattern_send(rank, me - 1, 2, bytes);
}

status_code pattern_build_allreduce_doubling(const struct traces_pattern_config *config,
                                             struct program_builder *builder,
                                             struct status *status) {
    /* at most 31 exchanges, and a send and a receive of the pair */
    struct pattern_plan plan = {
        .body = doubling, .operations_per_iteration = UINT64_C(33) * PATTERN_SENDRECV_OPERATIONS};
    return pattern_run(config, builder, &plan, status);
}

static void allreduce(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    (void)context;
    pattern_collective(rank, PATTERN_ALLREDUCE, PROGRAM_COLLECTIVE_ALLREDUCE, rank->world,
                       PROGRAM_NONE, rank->config->size_bytes);
}

static void alltoall(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    (void)context;
    pattern_collective(rank, PATTERN_ALLTOALL, PROGRAM_COLLECTIVE_ALLTOALL, rank->world,
                       PROGRAM_NONE, rank->config->size_bytes);
}

static void bcast(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    (void)context;
    pattern_collective(rank, PATTERN_BCAST, PROGRAM_COLLECTIVE_BCAST, rank->world,
                       rank->config->root, rank->config->size_bytes);
}

static status_code build_collectives(pattern_body body, const struct traces_pattern_config *config,
                                     struct program_builder *builder, struct status *status) {
    struct pattern_plan plan = {.body = body,
                                .operations_per_iteration = PATTERN_COLLECTIVE_OPERATIONS};
    return pattern_run(config, builder, &plan, status);
}

status_code pattern_build_allreduce(const struct traces_pattern_config *config,
                                    struct program_builder *builder, struct status *status) {
    return build_collectives(allreduce, config, builder, status);
}

status_code pattern_build_alltoall(const struct traces_pattern_config *config,
                                   struct program_builder *builder, struct status *status) {
    return build_collectives(alltoall, config, builder, status);
}

status_code pattern_build_bcast(const struct traces_pattern_config *config,
                                struct program_builder *builder, struct status *status) {
    FORWARD_IF_ERROR(pattern_check_root(config, status));
    return build_collectives(bcast, config, builder, status);
}
