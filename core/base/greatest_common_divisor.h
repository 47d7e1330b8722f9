/* The greatest common divisor. */
#ifndef ANAX_CORE_GREATEST_COMMON_DIVISOR_H
#define ANAX_CORE_GREATEST_COMMON_DIVISOR_H

#include <stdint.h>

/* Returns the greatest common divisor of a and b. If one of them is 0, returns the other. */
static inline uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
