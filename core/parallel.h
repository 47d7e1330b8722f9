/*
 * One function over many items by several threads. Knows nothing of the items.
 */
#ifndef ANAX_CORE_PARALLEL_H
#define ANAX_CORE_PARALLEL_H

#include "core/status.h"

#include <stdint.h>

/* worker: 0 … threads-1, for the worker's own scratch memory. */
typedef status_code (*parallel_function)(void *context, unsigned worker, uint64_t item,
                                         struct status *status);

/* How many threads parallel_for will use for threads (0: one per processor) and count items. */
unsigned parallel_threads(unsigned threads, uint64_t count);

/* Calls function for the items 0 … count-1, each once, in any order. If some fail, the error is
 * that of the lowest failing item, for any number of threads. */
status_code parallel_for(unsigned threads, uint64_t count, parallel_function function,
                         void *context, struct status *status);

#endif
