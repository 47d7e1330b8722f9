/*
 * Random traffic of ranks: permutation, uniform-random and random-access. Invariant: what a rank
 * sends in an iteration follows from the seed, the rank and the iteration alone.
 */
#include "core/memory/memory.h"
#include "core/simulation/random.h"
#include "traces/patterns/pattern_parts.h"

#include <stdlib.h>

#define SUM_BYTES UINT64_C(8)

/* The messages of all iterations. In an iteration, the ranks that send to rank r are sources[i]
 * with first[r] <= i < first[r + 1], in ascending order. */
struct draws {
    uint32_t *destinations; /* [iteration][rank][window] */
    uint32_t *sources;      /* [iteration][rank_count * window] */
    uint64_t *first;        /* [iteration][rank_count + 2]; the last entry serves the sort alone */
    uint32_t window;
    bool sums; /* every iteration ends with a sum over all ranks */
};

/* Draws a rank other than `rank`, of count. number: of the draw in its iteration. */
static uint32_t draw_other(uint64_t seed, uint32_t iteration, uint64_t number, uint32_t rank,
                           uint32_t count) {
    struct random_block draw = random_draw(seed, RANDOM_PATTERN, iteration, number);
    uint32_t other = random_below(draw.word[0], count - 1);
    return other < rank ? other : other + 1;
}

/* Sorts the messages of one iteration by destination: a counting sort, in which first[d + 1]
 * advances to the end of the list of d. */
static void sort_messages(const struct draws *draws, uint32_t count, uint32_t iteration) {
    size_t messages = (size_t)count * draws->window;
    const uint32_t *destinations = draws->destinations + iteration * messages;
    uint32_t *sources = draws->sources + iteration * messages;
    uint64_t *first = draws->first + (size_t)iteration * (count + 2);
    for (size_t i = 0; i < messages; i++)
        first[destinations[i] + 2]++;
    for (uint32_t d = 0; d < count; d++)
        first[d + 2] += first[d + 1];
    for (size_t i = 0; i < messages; i++)
        sources[first[destinations[i] + 1]++] = (uint32_t)(i / draws->window);
}

/* Posts a rank's receives and sends, waits for them, and sums. */
static void exchange_messages(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    const struct draws *draws = context;
    size_t messages = (size_t)rank->size * draws->window * iteration;
    const uint64_t *first = draws->first + (size_t)iteration * (rank->size + 2) + rank->rank;
    for (uint64_t i = first[0]; i < first[1]; i++)
        pattern_irecv(rank, draws->sources[messages + i], 0, rank->config->size_bytes);
    const uint32_t *to = draws->destinations + messages + (size_t)rank->rank * draws->window;
    for (uint32_t i = 0; i < draws->window; i++)
        pattern_isend(rank, to[i], 0, rank->config->size_bytes);
    pattern_waitall(rank);
    if (draws->sums)
        pattern_collective(rank, PATTERN_ALLREDUCE, PROGRAM_COLLECTIVE_ALLREDUCE, rank->world,
                           PROGRAM_NONE, SUM_BYTES);
}

/* Returns the operations of an iteration, on average over the ranks. */
static uint64_t operations_of(const struct draws *draws) {
    return UINT64_C(2) * PATTERN_POST_OPERATIONS * draws->window + PATTERN_WAIT_OPERATIONS +
           (draws->sums ? PATTERN_COLLECTIVE_OPERATIONS : 0);
}

/* Draws the messages of all iterations with `draw`, which fills in the destinations of one, and
 * appends them. */
static status_code
build_random(const struct traces_pattern_config *config, struct program_builder *builder,
             struct draws *draws, const struct pattern_plan *plan,
             void (*draw)(const struct draws *draws, const struct traces_pattern_config *config,
                          uint32_t iteration),
             struct status *status) {
    if (config->rank_count == 1) draws->window = 0; /* nobody to send to */
    FORWARD_IF_ERROR(pattern_check_size(config, plan, status));
    size_t messages = (size_t)config->rank_count * draws->window * config->iterations;
    draws->destinations = memory_new(messages, sizeof *draws->destinations);
    draws->sources = memory_new(messages, sizeof *draws->sources);
    draws->first = memory_new((size_t)config->iterations * ((size_t)config->rank_count + 2),
                              sizeof *draws->first);
    status_code code = STATUS_OK;
    if (draws->destinations == NULL || draws->sources == NULL || draws->first == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for %zu messages", messages);
    for (uint32_t i = 0; i < config->iterations && code == STATUS_OK; i++) {
        draw(draws, config, i);
        sort_messages(draws, config->rank_count, i);
    }
    if (code == STATUS_OK) code = pattern_run(config, builder, plan, status);
    free(draws->destinations);
    free(draws->sources);
    free(draws->first);
    return code;
}

/* Draws a random cycle through all ranks (Sattolo's shuffle), so that no rank sends to itself. It
 * is the same in all iterations. */
static void draw_permutation(const struct draws *draws, const struct traces_pattern_config *config,
                             uint32_t iteration) {
    uint32_t *to = draws->destinations + (size_t)iteration * config->rank_count;
    for (uint32_t i = 0; i < config->rank_count && draws->window > 0; i++)
        to[i] = i;
    for (uint32_t i = config->rank_count; i > 1; i--) {
        struct random_block draw = random_draw(config->seed, RANDOM_PATTERN, 0, i);
        uint32_t other = random_below(draw.word[0], i - 1), moved = to[i - 1];
        to[i - 1] = to[other];
        to[other] = moved;
    }
}

/* Draws each destination from all other ranks. */
static void draw_uniform(const struct draws *draws, const struct traces_pattern_config *config,
                         uint32_t iteration) {
    size_t messages = (size_t)config->rank_count * draws->window;
    for (size_t i = 0; i < messages; i++)
        draws->destinations[iteration * messages + i] = draw_other(
            config->seed, iteration, i, (uint32_t)(i / draws->window), config->rank_count);
}

status_code pattern_build_permutation(const struct traces_pattern_config *config,
                                      struct program_builder *builder, struct status *status) {
    struct draws draws = {.window = 1};
    struct pattern_plan plan = {.body = exchange_messages,
                                .context = &draws,
                                .operations_per_iteration = operations_of(&draws)};
    return build_random(config, builder, &draws, &plan, draw_permutation, status);
}

status_code pattern_build_uniform_random(const struct traces_pattern_config *config,
                                         struct program_builder *builder, struct status *status) {
    struct draws draws = {.window = 1};
    struct pattern_plan plan = {.body = exchange_messages,
                                .context = &draws,
                                .operations_per_iteration = operations_of(&draws)};
    return build_random(config, builder, &draws, &plan, draw_uniform, status);
}

status_code pattern_build_random_access(const struct traces_pattern_config *config,
                                        struct program_builder *builder, struct status *status) {
    struct draws draws = {.window = config->window, .sums = true};
    struct pattern_plan plan = {.body = exchange_messages,
                                .context = &draws,
                                .operations_per_iteration = operations_of(&draws)};
    return build_random(config, builder, &draws, &plan, draw_uniform, status);
}
