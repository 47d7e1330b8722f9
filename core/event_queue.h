/*
 * The event queue of one domain: a timing wheel whose buckets are sorted only when they are opened,
 * and a heap for what lies beyond the wheel's horizon.
 *
 * Two kinds of events. Free ones are a time and 63 bits of data; they commute with all others of
 * their time, so their order is left as it comes. They are by far the most. Keyed ones come in the
 * order (time, key, data), all simulation facts, after the free ones of their time.
 *
 * Invariant: every event is in exactly one of: the open runs (buckets up to open_bucket), a bucket
 * (open_bucket < bucket < open_bucket + EVENT_BUCKETS), the far heap (beyond). What a keyed event
 * has besides its time is in the pool of records.
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
#define EVENT_KEYED   (UINT64_C(1) << 63) /* in data: the rest is the number of a record */

typedef struct event {
    int64_t time_ps;
    uint64_t data;
} event;

typedef struct event_record {
    uint64_t key;
    uint64_t data;
    uint32_t extra; /* not part of the order */
    uint32_t next;  /* of the queue */
} event_record;

/* A sorted array that is read from position to count. */
typedef struct event_run {
    event *events;
    size_t position;
    size_t count;
    size_t capacity;
} event_run;

#define EVENT_CHUNK 7

/* Part of a bucket. */
typedef struct event_chunk {
    uint32_t next;
    uint32_t count;
    uint64_t unused;
    event events[EVENT_CHUNK];
} event_chunk;
static_assert(sizeof(event_chunk) == 128, "a chunk is two cache lines");

typedef struct event_queue {
    /* The open part. */
    event_run free_run;
    event_run keyed_run;
    int64_t open_bucket;
    unsigned shift; /* bucket width is 2^shift ps */
    uint32_t free_chunk;
    /* The wheel. */
    event_chunk *chunks;
    size_t chunk_capacity;
    uint32_t *bucket; /* EVENT_BUCKETS lists of chunks; only the first one may have room */
    uint64_t occupied[EVENT_BUCKETS / 64];
    uint64_t occupied_summary;
    /* Beyond the horizon: binary heap by time. */
    event *far;
    size_t far_count;
    size_t far_capacity;
    event_record *records;
    size_t record_capacity;
    uint32_t free_record;
    event *scratch; /* for sorting */
    size_t scratch_capacity;
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

/* The slow ways in: anywhere but into a chunk with room. */
void event_queue_insert_slow(event_queue *queue, event added);

/* A free event; data < 2^63. */
static inline void event_queue_insert(event_queue *queue, int64_t time_ps, uint64_t data) {
    int64_t bucket = time_ps >> queue->shift;
    int64_t distance = bucket - queue->open_bucket;
    if (distance > 0 && distance < (int64_t)EVENT_BUCKETS) {
        uint32_t first = queue->bucket[bucket & (EVENT_BUCKETS - 1)];
        if (first != UINT32_MAX && queue->chunks[first].count < EVENT_CHUNK) {
            event_chunk *chunk = &queue->chunks[first];
            chunk->events[chunk->count++] = (event){time_ps, data};
            return;
        }
    }
    event_queue_insert_slow(queue, (event){time_ps, data});
}

void event_queue_insert_keyed(event_queue *queue, int64_t time_ps, uint64_t key, uint64_t data,
                              uint32_t extra);

static inline int64_t event_run_time(const event_run *run) {
    return run->position < run->count ? run->events[run->position].time_ps : EVENT_NEVER;
}

/* Time of the earliest event if that is before end_ps, else EVENT_NEVER. */
static inline int64_t event_queue_peek(event_queue *queue, int64_t end_ps) {
    int64_t free_ps = event_run_time(&queue->free_run);
    int64_t keyed_ps = event_run_time(&queue->keyed_run);
    if (keyed_ps == EVENT_NEVER && free_ps == EVENT_NEVER) {
        if (!event_queue_advance(queue, end_ps)) return EVENT_NEVER;
        free_ps = event_run_time(&queue->free_run);
        keyed_ps = event_run_time(&queue->keyed_run);
    }
    int64_t first_ps = keyed_ps < free_ps ? keyed_ps : free_ps;
    return first_ps < end_ps ? first_ps : EVENT_NEVER;
}

/* Whether there are more open events of time now_ps. */
static inline bool event_queue_more(const event_queue *queue, int64_t now_ps) {
    return event_run_time(&queue->free_run) == now_ps ||
           event_run_time(&queue->keyed_run) == now_ps;
}

/* Takes out a free event of time now_ps, which must be the earliest; false if there is none. */
static inline bool event_queue_take(event_queue *queue, int64_t now_ps, uint64_t *data) {
    event_run *run = &queue->free_run;
    if (run->position == run->count) return false;
    const event *first = &run->events[run->position];
    if (first->time_ps != now_ps) return false;
    *data = first->data;
    run->position++;
    return true;
}

/* The same for a keyed event; only when no free one is left of that time. */
bool event_queue_take_keyed(event_queue *queue, int64_t now_ps, event_record *record);

/* The free event that comes `ahead` places after the next one, or NULL: to fetch what it needs. */
static inline const event *event_queue_ahead(const event_queue *queue, size_t ahead) {
    const event_run *run = &queue->free_run;
    return run->position + ahead < run->count ? &run->events[run->position + ahead] : NULL;
}

#endif
