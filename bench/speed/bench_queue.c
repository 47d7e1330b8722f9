/*
 * The event queue alone ("hold" model): 256 events are in the queue; the earliest is taken out and
 * put in again, later by a random time, over and over. Prints nanoseconds of CPU time for one such
 * step: of the network's events (free order), of others, and with steps of 1000 times the length.
 *
 *   bench_queue [MILLIONS OF EVENTS]
 */
#include "core/base/digest.h"
#include "core/simulation/event_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BUCKET_PS 512

static double cpu_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void insert(struct event_queue *queue, int64_t time_ps, uint64_t key, uint64_t data) {
    if (key == 0) {
        event_queue_insert(queue, time_ps, data);
    } else {
        event_queue_insert_keyed(queue, time_ps, key, data, 0);
    }
}

/* population events stay in the queue; a step into the future is 1 … span_ps. Returns ns per event,
 * negative when the queue could not be made or lost the order. */
static double hold(uint64_t events, uint32_t population, uint64_t span_ps, bool keyed) {
    struct event_queue queue;
    if (event_queue_new(&queue, BUCKET_PS, NULL) != STATUS_OK) return -1;
    for (uint32_t i = 0; i < population; i++)
        insert(&queue, (int64_t)(digest_spread(i + 1) % span_ps), keyed ? i + 1 : 0, i);
    int64_t last_ps = 0;
    bool ordered = true;
    double start_s = cpu_s();
    for (uint64_t i = 0; i < events; i++) {
        int64_t now_ps = event_queue_peek(&queue, EVENT_NEVER);
        struct event_record taken = {.key = 0};
        if (!event_queue_take(&queue, now_ps, &taken.data) &&
            !event_queue_take_keyed(&queue, now_ps, &taken))
            break;
        ordered &= now_ps >= last_ps;
        last_ps = now_ps;
        int64_t later_ps = now_ps + 1 + (int64_t)(digest_spread(i) % span_ps);
        insert(&queue, later_ps, taken.key, taken.data);
    }
    double took_s = cpu_s() - start_s;
    bool whole = ordered && !queue.out_of_memory && last_ps > 0;
    event_queue_free(&queue);
    return whole ? 1e9 * took_s / (double)events : -1;
}

int main(int argument_count, char **arguments) {
    int millions = argument_count > 1 ? atoi(arguments[1]) : 10;
    if (argument_count > 2 || millions < 1) {
        fprintf(stderr, "usage: bench_queue [MILLIONS OF EVENTS]\n");
        return 2;
    }
    uint64_t events = (uint64_t)millions * 1000000;
    double near = hold(events, 256, 4000, false);
    double keyed = hold(events, 256, 4000, true);
    double far = hold(events, 256, 4000000, true);
    if (near < 0 || keyed < 0 || far < 0) {
        fprintf(stderr, "bench_queue: out of memory, or events came out of order\n");
        return 1;
    }
    printf("{\"network_ns\":%.2f,\"keyed_ns\":%.2f,\"far_ns\":%.2f}\n", near, keyed, far);
    return 0;
}
