/*
 * LogGP's host costs: what a message costs the CPUs at its ends, in integers.
 *
 * Invariant: a cost is at most HOST_TIME_LIMIT_PS, and so is a clock before it is added: sums of
 * the two do not wrap.
 */
#ifndef ANAX_REPLAY_HOST_COST_H
#define ANAX_REPLAY_HOST_COST_H

#include "core/wide.h"

#include <stdint.h>

/* No rank's clock gets further: 26 days. */
#define HOST_TIME_LIMIT_PS (INT64_MAX / 4)

/* amount · rate / unit, rounded down, without overflow on the way; the largest int64_t when the
 * result itself is too large. amount, rate >= 0. */
static inline int64_t host_scaled(uint64_t amount, int64_t rate, int64_t unit) {
    wide result = (wide)amount * (uint64_t)rate / (uint64_t)unit;
    return result > INT64_MAX ? INT64_MAX : (int64_t)result;
}

/* The cost of so many bytes at a rate per KiB, and by itself. */
static inline int64_t host_cost_ps(uint64_t size_bytes, int64_t each_ps, int64_t per_kib_ps) {
    if (per_kib_ps == 0) return each_ps;
    int64_t cost_ps = host_scaled(size_bytes, per_kib_ps, 1024);
    return cost_ps < HOST_TIME_LIMIT_PS - each_ps ? each_ps + cost_ps : HOST_TIME_LIMIT_PS;
}

/* Costs that are paid later, together. */
static inline int64_t host_costs_ps(int64_t some_ps, int64_t more_ps) {
    return some_ps < HOST_TIME_LIMIT_PS - more_ps ? some_ps + more_ps : HOST_TIME_LIMIT_PS;
}

#endif
