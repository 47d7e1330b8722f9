/*
 * The event queue of one domain: a timing wheel whose buckets are sorted only when they are opened,
 * and a heap for what lies beyond the wheel's horizon.
 *
 * Order: (time, key, data), all simulation facts. Events with equal time and key 0 commute (their
 * handlers must not care), so their order is left as it comes.
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

typedef struct event_queue {
    /* The open part: sorted, read from position to count. */
    event *open;
    size_t open_position;
    size_t open_count;
    size_t open_capacity;
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
    bool out_of_memory; /* an event was lost: the run must be given up */
} event_queue;

/* bucket_ps: about how far apart the events of a busy domain are; a power of two is taken. */
status_code event_queue_new(event_queue *queue, int64_t bucket_ps, status *status);
void event_queue_free(event_queue *queue);

/* Opens the next bucket if it begins before end_ps and the open part is used up. Returns whether
 * there is an open event before end_ps. */
bool event_queue_advance(event_queue *queue, int64_t end_ps);

/* Time of the earliest event, EVENT_NEVER if there is none. Does not open buckets. */
int64_t event_queue_next_time(const event_queue *queue);

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
    if (queue->open_position == queue->open_count && !event_queue_advance(queue, end_ps))
        return NULL;
    const event *first = &queue->open[queue->open_position];
    return first->time_ps < end_ps ? first : NULL;
}

static inline void event_queue_drop(event_queue *queue) {
    queue->open_position++;
}

#endif
