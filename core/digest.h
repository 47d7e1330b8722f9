/*
 * Digests: 64-bit fingerprints of results. Sums of mixed words do not depend on the order in which
 * they are added, so threads may add in any order.
 */
#ifndef ANAX_CORE_DIGEST_H
#define ANAX_CORE_DIGEST_H

#include <stdint.h>

/* A bijection that spreads every input bit over all output bits (xor-shift and multiply). */
static inline uint64_t digest_spread(uint64_t word) {
    word ^= word >> 30;
    word *= 0xBF58476D1CE4E5B9u;
    word ^= word >> 27;
    word *= 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

/* Mixes a word into a running fingerprint; the order of mixing matters. */
static inline uint64_t digest_mix(uint64_t running, uint64_t word) {
    return digest_spread((running ^ word) + 0x9E3779B97F4A7C15u);
}

#endif
