/*
 * Threads that take chunks of items in ascending order.
 *
 * Invariant: no item below the lowest failed one is skipped. The chunks are taken in ascending
 * order, and a worker leaves its chunk only after the lowest failed item. So the lowest failing
 * item is always reached, and its error is returned.
 */
#include "core/processes/parallel.h"
#include "core/memory/memory.h"
#include "core/processes/processors.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct parallel_loop {
    parallel_function function;
    void *context;
    uint64_t count;
    uint64_t chunk;
    atomic_uint_fast64_t next;
    atomic_uint_fast64_t lowest_failed;
};

struct parallel_worker {
    struct parallel_loop *loop;
    unsigned worker_number;
    uint64_t failed; /* the item that status is about */
    struct status status;
};

static void record_failure(struct parallel_worker *worker, uint64_t item) {
    worker->failed = item;
    uint64_t lowest = atomic_load(&worker->loop->lowest_failed);
    while (item < lowest &&
           !atomic_compare_exchange_weak(&worker->loop->lowest_failed, &lowest, item)) {
    }
}

static void *worker_thread(void *argument) {
    struct parallel_worker *worker = argument;
    struct parallel_loop *loop = worker->loop;
    for (;;) {
        uint64_t item = atomic_fetch_add(&loop->next, loop->chunk);
        uint64_t end = loop->count - item < loop->chunk ? loop->count : item + loop->chunk;
        if (item >= loop->count) return NULL;
        for (; item < end; item++) {
            if (item > atomic_load_explicit(&loop->lowest_failed, memory_order_relaxed))
                return NULL;
            if (loop->function(loop->context, worker->worker_number, item, &worker->status) !=
                STATUS_OK) {
                record_failure(worker, item);
                return NULL;
            }
        }
    }
}

unsigned parallel_threads(unsigned threads, uint64_t count) {
    if (threads == 0) threads = processors_count();
    if (threads > count) threads = count > 0 ? (unsigned)count : 1;
    return threads;
}

/* Gives the error of the lowest failed item to the caller and frees the other errors. */
static status_code collect_errors(struct parallel_worker *workers, unsigned count,
                                  struct status *status) {
    struct parallel_worker *first = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (workers[i].status.code == STATUS_OK) continue;
        if (first == NULL || workers[i].failed < first->failed) first = &workers[i];
    }
    status_code code = STATUS_OK;
    if (first != NULL) {
        code = status_take(status, first->status.code, first->status.text);
        first->status.text = NULL;
    }
    for (unsigned i = 0; i < count; i++)
        status_clear(&workers[i].status);
    return code;
}

status_code parallel_for(unsigned threads, uint64_t count, parallel_function function,
                         void *context, struct status *status) {
    threads = parallel_threads(threads, count);
    struct parallel_loop loop = {.function = function, .context = context, .count = count};
    loop.chunk = count / threads / 64 + 1;
    atomic_init(&loop.next, 0);
    atomic_init(&loop.lowest_failed, UINT64_MAX);
    struct parallel_worker *workers = memory_new(threads, sizeof *workers);
    pthread_t *handles = memory_new(threads, sizeof *handles);
    if (workers == NULL || handles == NULL) {
        free(workers);
        free(handles);
        return status_set(status, STATUS_MEMORY, "out of memory for %u threads", threads);
    }
    unsigned started = 1; /* the caller is worker 0; fewer threads than wanted are no error */
    for (unsigned i = 0; i < threads; i++)
        workers[i] = (struct parallel_worker){&loop, i, 0, STATUS_INIT};
    while (started < threads &&
           pthread_create(&handles[started], NULL, worker_thread, &workers[started]) == 0)
        started++;
    worker_thread(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(handles[i], NULL);
    status_code code = collect_errors(workers, started, status);
    free(workers);
    free(handles);
    return code;
}
