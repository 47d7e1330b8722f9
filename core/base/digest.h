/*
 * Digests: 64-bit fingerprints of results. Sums of mixed words do not depend on the order in which
 * they are added, so threads may add in any order.
 */
#ifndef ANAX_CORE_DIGEST_H
#define ANAX_CORE_DIGEST_H

#include <stdint.h>

/* 2^64 divided by the golden ratio: its multiples lie apart. */
#define DIGEST_GOLDEN UINT64_C(0x9E3779B97F4A7C15)

/* A bijection that spreads every input bit over all output bits: xor-shift and multiply, in turn.
 * Shifts and factors make different bijections of it. */
static inline uint64_t digest_shuffle(uint64_t word, unsigned first, uint64_t factor,
                                      unsigned second, uint64_t other_factor, unsigned third) {
    word ^= word >> first;
    word *= factor;
    word ^= word >> second;
    word *= other_factor;
    return word ^ (word >> third);
}

/* Returns digest_shuffle with the constants that digests of results use (the finaliser of
 * SplitMix64). */
static inline uint64_t digest_spread(uint64_t word) {
    return digest_shuffle(word, 30, UINT64_C(0xBF58476D1CE4E5B9), 27, UINT64_C(0x94D049BB133111EB),
                          31);
}

/* Mixes a word into a running fingerprint; the order of mixing matters. */
static inline uint64_t digest_mix(uint64_t running, uint64_t word) {
    return digest_spread((running ^ word) + DIGEST_GOLDEN);
}

#endif
