/* A lock that is held shortly and rarely: who waits for it looks again and again. */
#ifndef ANAX_CORE_SPIN_LOCK_H
#define ANAX_CORE_SPIN_LOCK_H

#include "core/base/compiler_hints.h"

#include <stdatomic.h>

/* Takes a lock. Waits for it without leaving the processor. */
static inline void spin_lock(atomic_flag *is_locked) {
    while (atomic_flag_test_and_set_explicit(is_locked, memory_order_acquire))
        compiler_hint_spin();
}

/* Releases a lock. */
static inline void spin_unlock(atomic_flag *is_locked) {
    atomic_flag_clear_explicit(is_locked, memory_order_release);
}

#endif
