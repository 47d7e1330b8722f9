/*
 * Random numbers one after the other, for tests that make up what they run.
 */
#ifndef ANAX_TESTS_DICE_H
#define ANAX_TESTS_DICE_H

#include "core/simulation/random.h"

struct source {
    uint32_t seed;
    uint32_t stream; /* another one for each user */
    uint64_t counter;
};

/* From 0 to bound - 1. */
static inline uint32_t below(struct source *source, uint32_t bound) {
    struct random_block draw =
        random_draw(source->seed, RANDOM_PATTERN, source->stream, source->counter++);
    return random_below(draw.word[0], bound);
}

#endif
