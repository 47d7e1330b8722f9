/*
 * Applies a function to many items with several threads. Knows nothing of the items.
 */
#ifndef ANAX_CORE_PARALLEL_H
#define ANAX_CORE_PARALLEL_H

#include "core/base/status.h"

#include <stdint.h>

/* Handles one item. worker: 0 … threads-1, the index of the worker's own scratch memory. */
typedef status_code (*parallel_function)(void *context, unsigned worker, uint64_t item,
                                         struct status *status);

/* Returns the number of threads that parallel_for uses for `threads` (0: one per processor) and
 * count items. */
unsigned parallel_threads(unsigned threads, uint64_t count);

/* Calls function once for each item 0 … count-1, in any order. If calls fail, returns the error of
 * the lowest failing item, for any number of threads. */
status_code parallel_for(unsigned threads, uint64_t count, parallel_function function,
                         void *context, struct status *status);

#endif
