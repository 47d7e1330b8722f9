/*
 * Counter-based random numbers: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as
 * 1, 2, 3", SC 2011). A draw is a pure function of (seed, entity, counter): no state, so results
 * cannot depend on the order in which threads draw.
 */
#ifndef ANAX_CORE_RANDOM_H
#define ANAX_CORE_RANDOM_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef struct random_block {
    uint32_t word[4];
} random_block;

/* The definition, for machines without the instructions below. */
static inline random_block random_philox_scalar(random_block counter, uint32_t key0,
                                                uint32_t key1) {
    for (int round = 0; round < 10; round++) {
        uint64_t product0 = (uint64_t)0xD2511F53u * counter.word[0];
        uint64_t product1 = (uint64_t)0xCD9E8D57u * counter.word[2];
        random_block next = {
            {(uint32_t)(product1 >> 32) ^ counter.word[1] ^ key0, (uint32_t)product1,
             (uint32_t)(product0 >> 32) ^ counter.word[3] ^ key1, (uint32_t)product0}};
        counter = next;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return counter;
}

/* The same with both products of a round by one instruction. */
static inline random_block random_philox(random_block counter, uint32_t key0, uint32_t key1) {
#ifdef __SSE2__
    const __m128i multipliers = _mm_set_epi32(0, (int)0xCD9E8D57u, 0, (int)0xD2511F53u);
    const __m128i steps = _mm_set_epi32(0, (int)0xBB67AE85u, 0, (int)0x9E3779B9u);
    __m128i words = _mm_loadu_si128((const __m128i *)counter.word);
    __m128i keys = _mm_set_epi32(0, (int)key1, 0, (int)key0);
    for (int round = 0; round < 10; round++) {
        __m128i products = _mm_shuffle_epi32(_mm_mul_epu32(words, multipliers),
                                             _MM_SHUFFLE(0, 1, 2, 3)); /* low0 high0 low1 high1 */
        words = _mm_xor_si128(_mm_xor_si128(products, _mm_srli_epi64(words, 32)), keys);
        keys = _mm_add_epi32(keys, steps);
    }
    _mm_storeu_si128((__m128i *)counter.word, words);
    return counter;
#else
    return random_philox_scalar(counter, key0, key1);
#endif
}

/* Purposes keep the streams of one entity apart. */
typedef enum random_purpose {
    RANDOM_PLACEMENT = 1,
    RANDOM_ROUTING,
    RANDOM_ARRIVAL,
    RANDOM_DESTINATION,
    RANDOM_ARRANGEMENT,
    RANDOM_PATTERN,
    RANDOM_NOISE,
    RANDOM_MISROUTING,
    RANDOM_BISECTION,
    RANDOM_FAILURE
} random_purpose;

/* Draw number `counter` of `entity` for a purpose: 128 random bits. */
static inline random_block random_draw(uint64_t seed, random_purpose purpose, uint32_t entity,
                                       uint64_t counter) {
    random_block block = {
        {(uint32_t)counter, (uint32_t)(counter >> 32), entity, (uint32_t)purpose}};
    return random_philox(block, (uint32_t)seed, (uint32_t)(seed >> 32));
}

/* A 32-bit draw mapped to 0 … bound-1 (bound >= 1); bias below bound / 2^32. */
static inline uint32_t random_below(uint32_t draw, uint32_t bound) {
    return (uint32_t)(((uint64_t)draw * bound) >> 32);
}

#endif
