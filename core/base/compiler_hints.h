/* Hints to the compiler. */
#ifndef ANAX_CORE_COMPILER_HINTS_H
#define ANAX_CORE_COMPILER_HINTS_H

/* A function that rarely runs. It stays out of its callers, which are then short. */
#define HINT_RARE __attribute__((cold, noinline))

/* A function that runs often. Keeping it out of its callers leaves them more registers for code
 * that runs more often. */
#define HINT_NOINLINE __attribute__((noinline))

/* A condition that is false on the paths that matter for speed. */
#define HINT_UNLIKELY(condition) __builtin_expect((condition), 0)

/* A thread that waits for another one calls this between two reads of what that one will change. */
static inline void compiler_hint_spin(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
