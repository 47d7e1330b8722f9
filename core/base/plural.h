/*
 * Ends of nouns after numbers in texts for users: "%u rank%s", count, plural(count).
 */
#ifndef ANAX_CORE_PLURAL_H
#define ANAX_CORE_PLURAL_H

#include <stdint.h>

/* Returns the end of a noun: "" after 1, else "s". */
static inline const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

#endif
