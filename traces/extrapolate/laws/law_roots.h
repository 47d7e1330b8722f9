/* Roots, logarithms and binary digits of whole numbers. Private to the extrapolation. */
#ifndef ANAX_TRACES_LAW_ROOTS_H
#define ANAX_TRACES_LAW_ROOTS_H

#include "core/base/wide.h"
#include <stdbool.h>
#include <stdint.h>

/* Returns the largest root with root^power <= number, which has 124 bits at most. power: 2 or 3. */
uint64_t law_number_root(wide number, unsigned power);
/* Returns the root of a number; 0: it is no whole number. power: 2 or 3. */
int64_t law_number_exact_root(uint32_t number, unsigned power);
/* Returns log2, rounded down; -1 for 0. */
int64_t law_number_log2(uint64_t number);
/* Returns how many binary digits a number has; 0 for 0. */
static inline int law_number_bits(uint32_t number) {
    return number == 0 ? 0 : 32 - __builtin_clz(number);
}
/* Returns whether a number is a power of two, or 0. */
static inline bool law_number_is_power(int64_t number) {
    return (number & (number - 1)) == 0;
}

#endif
