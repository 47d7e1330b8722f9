/*
 * Counter-based random numbers: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as
 * 1, 2, 3", SC 2011). A draw is a function of (seed, purpose, entity, counter) without a state, so
 * results do not depend on the order in which threads draw.
 */
#ifndef ANAX_CORE_RANDOM_H
#define ANAX_CORE_RANDOM_H

#include <stdint.h>

struct random_block {
    uint32_t word[4];
};

/* Computes one block. Vector instructions would compute two products at once, but each round
 * depends on the round before, so they take longer. */
static inline struct random_block random_philox(struct random_block counter, uint32_t key0,
                                                uint32_t key1) {
    for (int round = 0; round < 10; round++) {
        uint64_t product0 = (uint64_t)0xD2511F53u * counter.word[0];
        uint64_t product1 = (uint64_t)0xCD9E8D57u * counter.word[2];
        struct random_block next = {
            {(uint32_t)(product1 >> 32) ^ counter.word[1] ^ key0, (uint32_t)product1,
             (uint32_t)(product0 >> 32) ^ counter.word[3] ^ key1, (uint32_t)product0}};
        counter = next;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return counter;
}

/* Purposes separate the streams of one entity. Their numbers are part of every draw and so of every
 * result: never change them. */
typedef enum random_purpose {
    RANDOM_PLACEMENT = 1,
    RANDOM_ROUTING,
    RANDOM_ARRIVAL,
    RANDOM_ARRANGEMENT = 5,
    RANDOM_PATTERN,
    RANDOM_NOISE,
    RANDOM_MISROUTING,
    RANDOM_BISECTION,
    RANDOM_FAILURE
} random_purpose;

/* Returns draw number `counter` of an entity for a purpose: 128 random bits. */
static inline struct random_block random_draw(uint64_t seed, random_purpose purpose,
                                              uint32_t entity, uint64_t counter) {
    struct random_block block = {
        {(uint32_t)counter, (uint32_t)(counter >> 32), entity, (uint32_t)purpose}};
    return random_philox(block, (uint32_t)seed, (uint32_t)(seed >> 32));
}

/* Maps a 32-bit draw to 0 … bound-1 (bound >= 1), with a bias below bound / 2^32. */
static inline uint32_t random_below(uint32_t draw, uint32_t bound) {
    return (uint32_t)(((uint64_t)draw * bound) >> 32);
}

#endif
