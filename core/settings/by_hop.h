/*
 * Values by the number of hops that a packet has made: the first holds before its first hop, the
 * next after one hop, and so on; the last one holds for all further hops. Text: "0:4096:8192".
 *
 * Knows units only. Invariant: no list ends with a repetition, so that equal functions are equal
 * lists.
 */
#ifndef ANAX_CORE_BY_HOP_H
#define ANAX_CORE_BY_HOP_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BY_HOP_VALUES 16

struct by_hop {
    int64_t count; /* at least 1 */
    int64_t values[BY_HOP_VALUES];
};

/* Returns the value after so many hops; beyond the end of the list its last value. */
static inline int64_t by_hop_at(const struct by_hop *list, uint32_t hops) {
    return list->values[(int64_t)hops < list->count ? (int64_t)hops : list->count - 1];
}

/* Whether the invariant holds and all values lie in a range. */
bool by_hop_is_valid(const struct by_hop *list, int64_t minimum, int64_t maximum);

/* Returns whether two lists have the same values. */
bool by_hop_equal(const struct by_hop *list, const struct by_hop *other);

/* Reads bytes times hops. Errors are STATUS_USAGE and name the value; *list is set only on success.
 */
status_code by_hop_parse(const char *text, int64_t minimum, int64_t maximum, struct by_hop *list,
                         struct status *status);

/* Text that by_hop_parse reads back to the same list. */
void by_hop_text(const struct by_hop *list, char *buffer, size_t size);

#endif
