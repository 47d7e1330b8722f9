/*
 * Work in a thread of its own, while the calling thread is called back by the clock. Knows nothing
 * of the work.
 */
#ifndef ANAX_CORE_TICKER_H
#define ANAX_CORE_TICKER_H

#include "core/base/status.h"

struct ticker;

typedef status_code (*ticker_work)(void *context, struct ticker *ticker, struct status *status);

/* Calls work in another thread and returns its result. Until then, the calling thread calls tick
 * every interval_ms milliseconds, and when ticker_call asks for it. If no thread can be had, work
 * runs in the calling thread with ticker NULL, and tick is not called. */
status_code ticker_run(unsigned interval_ms, void (*tick)(void *context), ticker_work work,
                       void *context, struct status *status);

/* Waits until tick was called once more. Any thread of the work may call it. ticker may be NULL. */
void ticker_call(struct ticker *ticker);

#endif
