/*
 * Sums and products that do not fit in 64 bits: times over ranks (2^63 ps are 9.2 million
 * rank-seconds, 15,372 ranks for ten minutes), latencies over messages, bytes.
 *
 * Knows no other file. Sums do not overflow: each summand is below 2^63 (a checked time or size)
 * and is held in memory or simulated, so there are fewer than 2^40 of them. A sum is below 2^103,
 * and a million times a sum is below 2^123. Counts stay in 64 bits: each count takes a nanosecond
 * of work or more, and 2^64 nanoseconds are five centuries.
 */
#ifndef ANAX_CORE_WIDE_H
#define ANAX_CORE_WIDE_H

#include <stdint.h>

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide; /* a difference of two sums */

/* Bytes of the longest decimal text and its 0. */
#define WIDE_TEXT_BYTES 40

/* Writes the exact decimal text and returns it. */
const char *wide_text(wide value, char text[WIDE_TEXT_BYTES]);

/* Returns the size of a difference. */
static inline wide wide_magnitude(signed_wide value) {
    return value < 0 ? 0 - (wide)value : (wide)value;
}

/* Returns part · 10^6 / all, rounded down; 0 if all is 0. For shares (part <= all) and for means
 * below 2^43. */
static inline int64_t wide_millionths(wide part, wide all) {
    return all > 0 ? (int64_t)(part * 1000000u / all) : 0;
}

/* Returns the mean of count summands below 2^63, rounded down; 0 if count is 0. */
static inline int64_t wide_mean(wide sum, uint64_t count) {
    return count > 0 ? (int64_t)(sum / count) : 0;
}

#endif
