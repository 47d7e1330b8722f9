/*
 * Loops over integer vectors that are worth the processor's wide registers.
 *
 * KERNEL(name, parameters, arguments) makes a function of the inline function name_body that takes
 * AVX2 where the processor has it. Integer sums are exact, so both ways give the same bits.
 */
#ifndef ANAX_NETWORK_BISECTION_KERNEL_H
#define ANAX_NETWORK_BISECTION_KERNEL_H

#include <stdint.h>

/* The square root, rounded down; 0 for what is not positive. */
static inline int64_t kernel_root(int64_t value) {
    if (value <= 0) return 0;
    int64_t root = INT64_C(1) << ((65 - __builtin_clzll((unsigned long long)value)) / 2);
    for (;;) { /* Newton's method from above ends at the floor */
        int64_t next = (root + value / root) / 2;
        if (next >= root) return root;
        root = next;
    }
}

#define KERNEL_BODY static inline __attribute__((always_inline))

#if defined(__x86_64__) && defined(__GNUC__)
#define KERNEL(type, name, parameters, arguments)                                                  \
    __attribute__((target("avx2"))) static type name##_avx2 parameters {                           \
        return name##_body arguments;                                                              \
    }                                                                                              \
    static type name##_plain parameters {                                                          \
        return name##_body arguments;                                                              \
    }                                                                                              \
    static type name parameters {                                                                  \
        return __builtin_cpu_supports("avx2") ? name##_avx2 arguments : name##_plain arguments;    \
    }
#else
#define KERNEL(type, name, parameters, arguments)                                                  \
    static type name parameters {                                                                  \
        return name##_body arguments;                                                              \
    }
#endif

#endif
