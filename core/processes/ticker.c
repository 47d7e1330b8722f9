/* Starts a thread for the work. The calling thread waits on a condition with a timeout, and calls
 * back at each tick until the work is done. */
#include "core/processes/ticker.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct ticker {
    ticker_work work;
    void *context;
    struct status status;
    status_code code;
    pthread_mutex_t lock; /* of the members below */
    pthread_cond_t wake;  /* the calling thread */
    pthread_cond_t ticked;
    bool ended;
    uint64_t wanted; /* number of calls of ticker_call */
    uint64_t served; /* number of those that a tick has answered */
};

static void *ticker_thread(void *argument) {
    struct ticker *ticker = argument;
    ticker->code = ticker->work(ticker->context, ticker, &ticker->status);
    pthread_mutex_lock(&ticker->lock);
    ticker->ended = true;
    pthread_cond_signal(&ticker->wake);
    pthread_mutex_unlock(&ticker->lock);
    return NULL;
}

void ticker_call(struct ticker *ticker) {
    if (ticker == NULL) return;
    pthread_mutex_lock(&ticker->lock);
    const uint64_t number = ++ticker->wanted;
    pthread_cond_signal(&ticker->wake);
    while (ticker->served < number)
        pthread_cond_wait(&ticker->ticked, &ticker->lock);
    pthread_mutex_unlock(&ticker->lock);
}

static struct timespec time_after(unsigned milliseconds) {
    enum { SECOND_NS = 1000000000 };
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += milliseconds / 1000;
    time.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (time.tv_nsec >= SECOND_NS) time.tv_sec++;
    time.tv_nsec %= SECOND_NS;
    return time;
}

/* Waits for the end of the work, for ticker_call, or until the time. Returns false after the end.
 */
static bool wait_until(struct ticker *ticker, const struct timespec *time, uint64_t *wanted) {
    pthread_mutex_lock(&ticker->lock);
    while (!ticker->ended && ticker->wanted == ticker->served &&
           pthread_cond_timedwait(&ticker->wake, &ticker->lock, time) == 0) {
    }
    const bool goes_on = !ticker->ended;
    *wanted = ticker->wanted;
    pthread_mutex_unlock(&ticker->lock);
    return goes_on;
}

static void mark_served(struct ticker *ticker, uint64_t wanted) {
    pthread_mutex_lock(&ticker->lock);
    ticker->served = wanted;
    pthread_cond_broadcast(&ticker->ticked);
    pthread_mutex_unlock(&ticker->lock);
}

static bool make_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) return false;
    const bool good = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                      pthread_cond_init(condition, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return good;
}

static void tick_until_end(struct ticker *ticker, unsigned interval_ms,
                           void (*tick)(void *context)) {
    uint64_t wanted;
    for (struct timespec next = time_after(interval_ms); wait_until(ticker, &next, &wanted);
         next = time_after(interval_ms)) {
        tick(ticker->context);
        mark_served(ticker, wanted);
    }
}

status_code ticker_run(unsigned interval_ms, void (*tick)(void *context), ticker_work work,
                       void *context, struct status *status) {
    struct ticker ticker = {.work = work,
                            .context = context,
                            .status = STATUS_INIT,
                            .lock = PTHREAD_MUTEX_INITIALIZER,
                            .ticked = PTHREAD_COND_INITIALIZER};
    pthread_t thread;
    if (!make_condition(&ticker.wake)) return work(context, NULL, status);
    const bool begun = pthread_create(&thread, NULL, ticker_thread, &ticker) == 0;
    if (begun) {
        tick_until_end(&ticker, interval_ms, tick);
        pthread_join(thread, NULL);
    }
    pthread_cond_destroy(&ticker.wake);
    pthread_cond_destroy(&ticker.ticked);
    pthread_mutex_destroy(&ticker.lock);
    if (!begun) return work(context, NULL, status);
    if (ticker.code == STATUS_OK) return STATUS_OK;
    return status_take(status, ticker.code, ticker.status.text);
}
