/*
 * A one-sided t test by batch means, at the 99 % level. With B batches, and the sum S and the sum
 * of squares Q of the differences, t = mean / (deviation / sqrt(B)) has
 *
 *   t² = S²·(B − 1) / (B·Q − S²)
 *
 * so that no root is computed. Source: Law, Simulation Modeling and Analysis, 5th ed., 9.5.3;
 * critical value: Student's t, 19 degrees of freedom, 0.99: 2.5395.
 */
#include "network/traffic/stability.h"

#include "core/base/wide.h"

#include <assert.h>

static_assert(STABILITY_BATCHES == 20, "the critical value is that of 19 degrees of freedom");
#define CRITICAL_SQUARED_THOUSANDTHS 6449

static uint64_t magnitude_of(int64_t value) {
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Returns how often the differences are halved until all are below 2^44. Then the sum of 20 batches
 * is below 20 · 2^44, and both products that stability_backlog_grows compares are below
 * (20 · 2^44)^2 · 2^15 < 2^112. */
static unsigned shift_of(const struct stability *stability) {
    unsigned shift = 0;
    for (unsigned i = 0; i < STABILITY_BATCHES; i++) {
        uint64_t magnitude = magnitude_of(stability->excess_messages[i]);
        while (magnitude >> shift >= UINT64_C(1) << 44)
            shift++;
    }
    return shift;
}

bool stability_backlog_grows(const struct stability *stability, uint64_t offered) {
    if (offered < STABILITY_MIN) return false;
    int64_t scale = INT64_C(1) << shift_of(stability), sum = 0;
    wide squares = 0;
    for (unsigned i = 0; i < STABILITY_BATCHES; i++) {
        int64_t excess = stability->excess_messages[i] / scale;
        sum += excess;
        squares += (wide)magnitude_of(excess) * magnitude_of(excess);
    }
    if (sum <= 0) return false;
    wide squared_sum = (wide)sum * (wide)sum;
    wide spread = STABILITY_BATCHES * squares - squared_sum; /* not negative: Cauchy-Schwarz */
    return squared_sum * (STABILITY_BATCHES - 1) * 1000 > spread * CRITICAL_SQUARED_THOUSANDTHS;
}

int64_t stability_overload_millionths(uint64_t messages) {
    const uint64_t one = 1000000;
    const uint64_t square = CRITICAL_SQUARED_THOUSANDTHS * (one * one / 1000);
    uint64_t low = 0, high = one; /* the square of `low` fits into `square` / messages */
    while (low < high) {
        const uint64_t middle = (low + high + 1) / 2;
        if ((wide)middle * middle * messages <= square)
            low = middle;
        else
            high = middle - 1;
    }
    return (int64_t)low;
}
