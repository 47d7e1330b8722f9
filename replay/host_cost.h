/*
 * LogGP's host costs: what a message costs the CPUs at its ends, in integers.
 */
#ifndef ANAX_REPLAY_HOST_COST_H
#define ANAX_REPLAY_HOST_COST_H

#include <stdint.h>

/* amount · rate / unit, rounded down, without overflow on the way; the largest int64_t when the
 * result itself is too large. amount, rate >= 0. */
static inline int64_t host_scaled(uint64_t amount, int64_t rate, int64_t unit) {
    __extension__ typedef unsigned __int128 wide;
    wide result = (wide)amount * (uint64_t)rate / (uint64_t)unit;
    return result > INT64_MAX ? INT64_MAX : (int64_t)result;
}

/* The cost of so many bytes at a rate per KiB. */
static inline int64_t host_bytes_cost_ps(uint64_t size_bytes, int64_t per_kib_ps) {
    return per_kib_ps == 0 ? 0 : host_scaled(size_bytes, per_kib_ps, 1024);
}

#endif
