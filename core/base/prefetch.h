/* How functions that only prefetch are defined. */
#ifndef ANAX_CORE_PREFETCH_H
#define ANAX_CORE_PREFETCH_H

/* A function that only prefetches. gcc takes it for one without any effect, and drops calls of it
 * that it has not inlined by then. So each such function is inlined from the beginning. */
#define PREFETCH_FUNCTION static inline __attribute__((always_inline))

#endif
