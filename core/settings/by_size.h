/*
 * A value that depends on the size of a message: a step function of bytes, as the parameters of
 * LogGP models are measured. Text: the value of the smallest messages, then steps of a size and the
 * value from that size on: "300ns/1KiB:350ns/16KiB:2us".
 *
 * Knows units only. Invariant: the first step begins at 0 bytes, sizes rise, and no step repeats
 * the value before it, so that equal functions are equal steps.
 */
#ifndef ANAX_CORE_BY_SIZE_H
#define ANAX_CORE_BY_SIZE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BY_SIZE_STEPS 16

struct by_size {
    int64_t count; /* of steps */
    struct by_size_step {
        int64_t from_bytes;
        int64_t value;
    } steps[BY_SIZE_STEPS];
};

/* The same value for all sizes. */
static inline struct by_size by_size_constant(int64_t value) {
    return (struct by_size){.count = 1, .steps = {{0, value}}};
}

/* Returns whether the value is 0 at all sizes. */
static inline bool by_size_is_zero(const struct by_size *values) {
    return values->count <= 1 && values->steps[0].value == 0;
}

/* Returns the value at a size. */
static inline int64_t by_size_at(const struct by_size *values, uint64_t size_bytes) {
    int64_t value = values->steps[0].value;
    for (int64_t i = 1; i < values->count; i++) {
        if ((uint64_t)values->steps[i].from_bytes > size_bytes) break;
        value = values->steps[i].value;
    }
    return value;
}

/* Whether the invariant holds and all values lie in a range. */
bool by_size_is_valid(const struct by_size *values, int64_t minimum, int64_t maximum);

/* Returns whether two lists have the same steps. */
bool by_size_equal(const struct by_size *values, const struct by_size *others);

/* How the values are read, written and called, and what they may be. */
struct by_size_kind {
    const char *what; /* "a time" */
    status_code (*parse)(const char *text, int64_t *value, struct status *status);
    void (*write)(int64_t value, char *buffer, size_t size);
    int64_t minimum;
    int64_t maximum;
};

/* Errors are STATUS_USAGE and name the step; *values is set only on success. */
status_code by_size_parse(const struct by_size_kind *kind, const char *text, struct by_size *values,
                          struct status *status);

/* Text that by_size_parse reads back to the same steps. */
void by_size_text(const struct by_size_kind *kind, const struct by_size *values, char *buffer,
                  size_t size);

#endif
