/*
 * Pairs and hot spots: incast, random-pairs, ping-pong, stream, both-ways.
 */
#include "core/memory/memory.h"
#include "core/simulation/random.h"
#include "traces/patterns/pattern_parts.h"

#include <stdlib.h>

/* All ranks but the root send to it at once. */
static void incast(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    (void)context;
    uint32_t root = rank->config->root;
    if (rank->rank != root) {
        pattern_send(rank, root, 0, rank->config->size_bytes);
        return;
    }
    for (uint32_t source = 0; source < rank->size; source++)
        if (source != root) pattern_irecv(rank, source, 0, rank->config->size_bytes);
    pattern_waitall(rank);
}

status_code pattern_build_incast(const struct traces_pattern_config *config,
                                 struct program_builder *builder, struct status *status) {
    FORWARD_IF_ERROR(pattern_check_root(config, status));
    struct pattern_plan plan = {.body = incast,
                                .operations_per_iteration =
                                    PATTERN_BLOCKING_OPERATIONS + PATTERN_POST_OPERATIONS};
    return pattern_run(config, builder, &plan, status);
}

/* Exchanges a message with the rank's partner of this iteration. PROGRAM_NONE: the rank has no
 * partner, since the number of ranks is odd. */
static void random_pair(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    const uint32_t *partners = context;
    uint32_t partner = partners[(size_t)iteration * rank->size + rank->rank];
    if (partner == PROGRAM_NONE) return;
    pattern_irecv(rank, partner, 0, rank->config->size_bytes);
    pattern_isend(rank, partner, 0, rank->config->size_bytes);
    pattern_waitall(rank);
}

/* Shuffles the ranks (Fisher-Yates) and makes pairs of ranks next to each other. */
static void draw_pairs(uint32_t *partners, uint32_t *order, uint32_t count, uint64_t seed,
                       uint32_t iteration) {
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        struct random_block draw = random_draw(seed, RANDOM_PATTERN, iteration, i);
        uint32_t other = random_below(draw.word[0], i), moved = order[i - 1];
        order[i - 1] = order[other];
        order[other] = moved;
    }
    for (uint32_t i = 0; i + 1 < count; i += 2) {
        partners[order[i]] = order[i + 1];
        partners[order[i + 1]] = order[i];
    }
    if (count % 2 == 1) partners[order[count - 1]] = PROGRAM_NONE;
}

status_code pattern_build_random_pairs(const struct traces_pattern_config *config,
                                       struct program_builder *builder, struct status *status) {
    struct pattern_plan plan = {.body = random_pair,
                                .operations_per_iteration =
                                    2 * PATTERN_POST_OPERATIONS + PATTERN_WAIT_OPERATIONS};
    FORWARD_IF_ERROR(pattern_check_size(config, &plan, status));
    size_t count = config->rank_count;
    uint32_t *partners = memory_new(count * config->iterations, sizeof *partners);
    uint32_t *order = memory_new(count, sizeof *order);
    plan.context = partners;
    status_code code = STATUS_OK;
    if (partners == NULL || order == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for the pairs of %zu ranks", count);
    for (uint32_t i = 0; i < config->iterations && code == STATUS_OK; i++)
        draw_pairs(partners + i * count, order, config->rank_count, config->seed, i);
    if (code == STATUS_OK) code = pattern_run(config, builder, &plan, status);
    free(order);
    free(partners);
    return code;
}

/* Size of the short message that ends a window. */
#define ANSWER_BYTES 4

void pattern_stream(struct pattern_rank *rank, uint32_t peer, bool sends, uint64_t bytes,
                    uint32_t window) {
    for (uint32_t i = 0; i < window; i++) {
        if (sends)
            pattern_isend(rank, peer, 0, bytes);
        else
            pattern_irecv(rank, peer, 0, bytes);
    }
    pattern_waitall(rank);
    if (sends)
        pattern_recv(rank, peer, 1, ANSWER_BYTES);
    else
        pattern_send(rank, peer, 1, ANSWER_BYTES);
}

void pattern_both_ways(struct pattern_rank *rank, uint32_t peer, uint64_t bytes, uint32_t window) {
    for (uint32_t i = 0; i < window; i++)
        pattern_irecv(rank, peer, 0, bytes);
    for (uint32_t i = 0; i < window; i++)
        pattern_isend(rank, peer, 0, bytes);
    pattern_waitall(rank);
}

/* Returns the rank's partner in the other half. PROGRAM_NONE: it has none, since the number of
 * ranks is odd. */
static uint32_t partner_of(const struct pattern_rank *rank) {
    uint32_t half = rank->size / 2;
    if (rank->rank < half) return rank->rank + half;
    return rank->rank < 2 * half ? rank->rank - half : PROGRAM_NONE;
}

static void stream(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    (void)context;
    uint32_t partner = partner_of(rank);
    if (partner != PROGRAM_NONE)
        pattern_stream(rank, partner, rank->rank < partner, rank->config->size_bytes,
                       rank->config->window);
}

static void both_ways(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    (void)context;
    uint32_t partner = partner_of(rank);
    if (partner != PROGRAM_NONE)
        pattern_both_ways(rank, partner, rank->config->size_bytes, rank->config->window);
}

status_code pattern_build_stream(const struct traces_pattern_config *config,
                                 struct program_builder *builder, struct status *status) {
    struct pattern_plan plan = {.body = stream,
                                .operations_per_iteration =
                                    PATTERN_POST_OPERATIONS * (uint64_t)config->window +
                                    PATTERN_WAIT_OPERATIONS + PATTERN_BLOCKING_OPERATIONS};
    return pattern_run(config, builder, &plan, status);
}

status_code pattern_build_both_ways(const struct traces_pattern_config *config,
                                    struct program_builder *builder, struct status *status) {
    struct pattern_plan plan = {.body = both_ways,
                                .operations_per_iteration =
                                    UINT64_C(2) * PATTERN_POST_OPERATIONS * config->window +
                                    PATTERN_WAIT_OPERATIONS};
    return pattern_run(config, builder, &plan, status);
}

static void ping_pong(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    (void)iteration;
    (void)context;
    uint32_t half = rank->size / 2;
    uint64_t bytes = rank->config->size_bytes;
    if (rank->rank < half) {
        pattern_send(rank, rank->rank + half, 0, bytes);
        pattern_recv(rank, rank->rank + half, 1, bytes);
    } else if (rank->rank < 2 * half) {
        pattern_recv(rank, rank->rank - half, 0, bytes);
        pattern_send(rank, rank->rank - half, 1, bytes);
    }
}

status_code pattern_build_ping_pong(const struct traces_pattern_config *config,
                                    struct program_builder *builder, struct status *status) {
    struct pattern_plan plan = {
        .body = ping_pong, .operations_per_iteration = UINT64_C(2) * PATTERN_BLOCKING_OPERATIONS};
    return pattern_run(config, builder, &plan, status);
}
