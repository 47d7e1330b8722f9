/* The greatest common divisor. */
#ifndef ANAX_CORE_COMMON_DIVISOR_H
#define ANAX_CORE_COMMON_DIVISOR_H

#include <stdint.h>

/* Of two numbers that are not negative; of 0 and another one that one. */
static inline int64_t common_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
