/*
 * The event queue of one domain: a timing wheel whose buckets are sorted only when they are opened,
 * and a heap for what lies beyond the wheel's horizon.
 *
 * Order: (time, key, data), all simulation facts. Events with key 0 ("free") commute with others of
 * the same time and key 0: their handlers must not care, and their order is left as it comes. They
 * are by far the most, so they are kept apart from the "keyed" ones and sorted by time alone.
 *
 * Invariant: every event is in exactly one of: the open array (buckets up to open_bucket), a bucket
 * (open_bucket < bucket < open_bucket + EVENT_BUCKETS), the far heap (beyond).
 */
#ifndef ANAX_CORE_EVENT_QUEUE_H
#define ANAX_CORE_EVENT_QUEUE_H

#include "core/status.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_NEVER   INT64_MAX
#define EVENT_BUCKETS 2048u

typedef struct event {
    int64_t time_ps;
    uint64_t key;
    uint64_t data;
    uint32_t extra; /* not part of the order */
    uint32_t next;  /* of the queue */
} event;
static_assert(sizeof(event) == 32, "an event is at most 32 bytes");

/* A sorted array that is read from position to count. */
typedef struct event_run {
    event *events;
    size_t position;
    size_t count;
    size_t capacity;
} event_run;

typedef struct event_queue {
    /* The open part. */
    event_run free_run;
    event_run keyed_run;
    int64_t open_bucket;
    unsigned shift; /* bucket width is 2^shift ps */
    uint32_t free_event;
    /* The wheel: singly linked lists of events in a pool. */
    event *pool;
    size_t pool_count;
    size_t pool_capacity;
    uint64_t occupied[EVENT_BUCKETS / 64];
    uint64_t occupied_summary;
    uint32_t *bucket; /* EVENT_BUCKETS list heads */
    /* Beyond the horizon: binary heap by (time, key, data). */
    event *far;
    size_t far_count;
    size_t far_capacity;
    event *scratch; /* for sorting */
    size_t scratch_capacity;
    event_run *next;    /* the run that event_queue_drop takes from */
    bool out_of_memory; /* an event was lost: the run must be given up */
} event_queue;

/* bucket_ps: width of a bucket; the next power of two is taken. */
status_code event_queue_new(event_queue *queue, int64_t bucket_ps, status *status);
void event_queue_free(event_queue *queue);

/* Opens the next bucket if it begins before end_ps and the open part is used up. Returns whether
 * there is an open event before end_ps. */
bool event_queue_advance(event_queue *queue, int64_t end_ps);

/* Time of the earliest event, EVENT_NEVER if there is none. Does not open buckets. */
int64_t event_queue_next_time(const event_queue *queue);

/* A bound that is quicker to find: no event is before it, and it is less than a bucket too early.
 */
int64_t event_queue_next_bound(const event_queue *queue);

/* The slow ways in. */
void event_queue_insert_open(event_queue *queue, const event *added);
void event_queue_insert_far(event_queue *queue, const event *added);
bool event_queue_grow_pool(event_queue *queue);

static inline void event_queue_insert(event_queue *queue, int64_t time_ps, uint64_t key,
                                      uint64_t data, uint32_t extra) {
    event added = {time_ps, key, data, extra, 0};
    int64_t distance = (time_ps >> queue->shift) - queue->open_bucket;
    if (distance <= 0) {
        event_queue_insert_open(queue, &added);
    } else if (distance >= (int64_t)EVENT_BUCKETS) {
        event_queue_insert_far(queue, &added);
    } else {
        uint32_t index = queue->free_event;
        if (index == UINT32_MAX) {
            if (!event_queue_grow_pool(queue)) return;
            index = queue->free_event;
        }
        queue->free_event = queue->pool[index].next;
        uint32_t bucket = (uint32_t)(time_ps >> queue->shift) & (EVENT_BUCKETS - 1);
        added.next = queue->bucket[bucket];
        queue->pool[index] = added;
        queue->bucket[bucket] = index;
        queue->occupied[bucket >> 6] |= UINT64_C(1) << (bucket & 63);
        queue->occupied_summary |= UINT64_C(1) << (bucket >> 6);
    }
}

/* The earliest open event, NULL when none is before end_ps. Valid until the next insertion. */
static inline const event *event_queue_peek(event_queue *queue, int64_t end_ps) {
    event_run *free_run = &queue->free_run;
    event_run *keyed_run = &queue->keyed_run;
    if (free_run->position == free_run->count && keyed_run->position == keyed_run->count &&
        !event_queue_advance(queue, end_ps))
        return NULL;
    event_run *run = free_run;
    if (free_run->position == free_run->count || (keyed_run->position < keyed_run->count &&
                                                  keyed_run->events[keyed_run->position].time_ps <
                                                      free_run->events[free_run->position].time_ps))
        run = keyed_run;
    queue->next = run;
    const event *first = &run->events[run->position];
    return first->time_ps < end_ps ? first : NULL;
}

/* The free event that comes `ahead` places after the next one, or NULL: to fetch what it needs. */
static inline const event *event_queue_ahead(const event_queue *queue, size_t ahead) {
    const event_run *run = &queue->free_run;
    return run->position + ahead < run->count ? &run->events[run->position + ahead] : NULL;
}

/* Takes out the event that was last peeked at. */
static inline void event_queue_drop(event_queue *queue) {
    queue->next->position++;
}

#endif
