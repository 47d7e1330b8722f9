/*
 * Division of 32-bit numbers by a divisor that is known in advance, with one multiplication.
 *
 * With M = floor((2^64 - 1) / d), floor(n / d) = floor((n + 1)·M / 2^64) for all n and d below
 * 2^32: (n + 1)·M / 2^64 is less than (n + 1) / d, by at most 2^-32.
 */
#ifndef ANAX_CORE_DIVISOR_H
#define ANAX_CORE_DIVISOR_H

#include <stdint.h>

struct divisor {
    uint64_t multiplier;
};

/* Prepares a division by `by`, which is at least 1. */
static inline struct divisor divisor_of(uint32_t by) {
    return (struct divisor){UINT64_MAX / by};
}

/* Returns floor(number / divisor). */
static inline uint32_t divisor_quotient(struct divisor divisor, uint32_t number) {
    return (uint32_t)(((unsigned __int128)divisor.multiplier * number + divisor.multiplier) >> 64);
}

#endif
