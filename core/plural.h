/*
 * Words after numbers in texts for people: "%u rank%s", count, plural(count).
 */
#ifndef ANAX_CORE_PLURAL_H
#define ANAX_CORE_PLURAL_H

#include <stdint.h>

/* The end of a noun. */
static inline const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

#endif
