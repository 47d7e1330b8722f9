/*
 * Sums and products that 64 bits do not hold: times over ranks (2^63 ps are 9.2 million
 * rank-seconds, 16,384 ranks for ten minutes), latencies over messages, bytes.
 *
 * Knows nothing else. Why nothing wraps: what is added is below 2^63 (a time or a size that was
 * checked) and is held in memory or simulated, which is done less than 2^40 times; so a sum is
 * below 2^103, and a million times as much below 2^123. Counts alone stay in 64 bits: each is the
 * work of a nanosecond or more, and 2^64 of these are five centuries.
 */
#ifndef ANAX_CORE_WIDE_H
#define ANAX_CORE_WIDE_H

#include <stdint.h>

__extension__ typedef unsigned __int128 wide;

/* Of the longest number, in decimal digits. */
#define WIDE_TEXT_BYTES 40

/* Exact; returns text. */
const char *wide_text(wide value, char text[WIDE_TEXT_BYTES]);

/* part · 10^6 / all, rounded down; 0 of nothing. For shares (part <= all) and means whose value
 * is below 2^44. */
static inline int64_t wide_millionths(wide part, wide all) {
    return all > 0 ? (int64_t)(part * 1000000u / all) : 0;
}

/* Of so many that are below 2^63, rounded down; 0 of none. */
static inline int64_t wide_mean(wide sum, uint64_t count) {
    return count > 0 ? (int64_t)(sum / count) : 0;
}

#endif
