/*
 * Random numbers one after the other, for tests that make up what they run.
 */
#ifndef ANAX_TESTS_DICE_H
#define ANAX_TESTS_DICE_H

#include "core/simulation/random.h"

struct dice {
    uint64_t seed;
    uint32_t stream; /* another one for each user */
    uint64_t counter;
};

/* From 0 to bound - 1. */
static inline uint32_t dice_below(struct dice *dice, uint32_t bound) {
    struct random_block draw =
        random_draw(dice->seed, RANDOM_PATTERN, dice->stream, dice->counter++);
    return random_below(draw.word[0], bound);
}

/* From min to max, which are less than 2^32 apart. */
static inline int64_t dice_between(struct dice *dice, int64_t min, int64_t max) {
    return min + dice_below(dice, (uint32_t)(max - min + 1));
}

#endif
