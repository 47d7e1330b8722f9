/*
 * Loops over integer vectors that use the processor's wide registers.
 *
 * KERNEL(type, name, parameters, arguments) defines a function from the inline function whose
 * name is `name` and "_body".
 * It uses AVX2 if the processor has it. Integer sums are exact, so results are the same with and
 * without AVX2.
 */
#ifndef ANAX_NETWORK_BISECTION_KERNEL_H
#define ANAX_NETWORK_BISECTION_KERNEL_H

#include <stdint.h>

/* Returns the square root, rounded down; 0 if value is not positive. */
static inline int64_t bisection_kernel_square_root(int64_t value) {
    if (value <= 0) return 0;
    int64_t root = INT64_C(1) << ((65 - __builtin_clzll((unsigned long long)value)) / 2);
    for (;;) { /* Newton's method from above ends at the floor */
        int64_t next = (root + value / root) / 2;
        if (next >= root) return root;
        root = next;
    }
}

/* The body of a kernel. KERNEL compiles it once for each kind of processor, so it is inlined. */
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
