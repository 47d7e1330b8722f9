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

#include "core/pool.h"
#include "core/status.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_NEVER   INT64_MAX
#define EVENT_BUCKETS 128u /* few and wide: sorting some events costs less than opening buckets */
#define EVENT_KEYED   (UINT64_C(1) << 63) /* in data: the rest is the number of a record */

struct event {
    int64_t time_ps;
    uint64_t data;
};

struct event_record {
    uint64_t key;
    uint64_t data;
    uint32_t extra; /* not part of the order */
    uint32_t next;  /* of its pool */
};
POOL_DEFINE(event_record, struct event_record)

/* A sorted array that is taken out from the front. Behind its end stands an event of EVENT_NEVER,
 * and then so many that mean nothing: looking ahead needs no test. */
#define EVENT_AHEAD 4
struct event_run {
    struct event *events;
    struct event *next; /* to be taken out */
    struct event *end;
    size_t capacity; /* what stands behind the end included */
};

/* A bucket is a list of chunks of EVENT_CHUNK slots, in one array: the first slot of a chunk is its
 * header, the others are events. All chunks but the last one are full. A place is the number of the
 * next slot to be filled: a multiple of EVENT_CHUNK when the chunk before it is full, and 0 when
 * there is none. */
#define EVENT_CHUNK 16u
struct event_chunk {
    uint32_t next;   /* of its pool */
    uint32_t before; /* place of the bucket's chunk before this one */
    uint64_t unused;
    struct event events[EVENT_CHUNK - 1];
};
static_assert(sizeof(struct event_chunk) == EVENT_CHUNK * sizeof(struct event),
              "a header is as large as an event");
static_assert(sizeof(struct event_chunk) == 256, "a chunk is four cache lines");
POOL_DEFINE(event_chunk, struct event_chunk)
static_assert(EVENT_BUCKETS == 128, "a bit for each bucket in one number");

struct event_queue {
    /* The open part. */
    struct event_run free_run;
    struct event_run keyed_run;
    int64_t open_bucket;
    unsigned shift; /* bucket width is 2^shift ps */
    /* The wheel. */
    struct event_chunk_pool chunks;
    uint32_t bucket[EVENT_BUCKETS]; /* place */
    unsigned __int128 occupied;     /* a bit for each bucket */
    /* Beyond the horizon: binary heap by time. */
    struct event *far;
    size_t far_count;
    size_t far_capacity;
    struct event_record_pool records;
    struct event *scratch; /* for sorting */
    size_t scratch_capacity;
    bool out_of_memory; /* an event was lost: the run must be given up */
};

/* bucket_ps: width of a bucket; the next power of two is taken. */
status_code event_queue_new(struct event_queue *queue, int64_t bucket_ps, struct status *status);
void event_queue_free(struct event_queue *queue);

/* Opens the next bucket if it begins before end_ps and the open part is used up. Returns whether
 * there is an open event before end_ps. */
bool event_queue_advance(struct event_queue *queue, int64_t end_ps);

/* Time of the earliest event, EVENT_NEVER if there is none. Does not open buckets. */
int64_t event_queue_next_time(const struct event_queue *queue);

/* A bound that is quicker to find: no event is before it, and it is less than a bucket too early.
 */
int64_t event_queue_next_bound(const struct event_queue *queue);

/* The slow ways in: anywhere but into a chunk with room. */
void event_queue_insert_slow(struct event_queue *queue, int64_t time_ps, uint64_t data);

/* The slot of that number, which is not a header. */
static inline struct event *event_queue_slot(const struct event_queue *queue, uint32_t number) {
    return (struct event *)(void *)queue->chunks.items + number;
}

/* A free event; data < 2^63. */
static inline void event_queue_insert(struct event_queue *queue, int64_t time_ps, uint64_t data) {
    int64_t bucket = time_ps >> queue->shift;
    if ((uint64_t)(bucket - queue->open_bucket - 1) < EVENT_BUCKETS - 1) {
        uint32_t *place = &queue->bucket[bucket & (EVENT_BUCKETS - 1)];
        if (*place % EVENT_CHUNK != 0) {
            *event_queue_slot(queue, (*place)++) = (struct event){time_ps, data};
            return;
        }
    }
    event_queue_insert_slow(queue, time_ps, data);
}

void event_queue_insert_keyed(struct event_queue *queue, int64_t time_ps, uint64_t key,
                              uint64_t data, uint32_t extra);

/* Time of the earliest event if that is before end_ps, else EVENT_NEVER. */
static inline int64_t event_queue_peek(struct event_queue *queue, int64_t end_ps) {
    for (;;) {
        int64_t free_ps = queue->free_run.next->time_ps;
        int64_t keyed_ps = queue->keyed_run.next->time_ps;
        int64_t first_ps = keyed_ps < free_ps ? keyed_ps : free_ps;
        if (first_ps < end_ps) return first_ps;
        if (first_ps != EVENT_NEVER || !event_queue_advance(queue, end_ps)) return EVENT_NEVER;
    }
}

/* Whether there are more open events of time now_ps. */
static inline bool event_queue_more(const struct event_queue *queue, int64_t now_ps) {
    return queue->free_run.next->time_ps == now_ps || queue->keyed_run.next->time_ps == now_ps;
}

/* Takes out a free event of time now_ps, which must be the earliest; false if there is none. */
static inline bool event_queue_take(struct event_queue *queue, int64_t now_ps, uint64_t *data) {
    const struct event *first = queue->free_run.next;
    if (first->time_ps != now_ps) return false;
    *data = first->data;
    queue->free_run.next++;
    return true;
}

void event_queue_pop_keyed(struct event_queue *queue, struct event_record *record);

/* The same for a keyed event; only when no free one is left of that time. */
static inline bool event_queue_take_keyed(struct event_queue *queue, int64_t now_ps,
                                          struct event_record *record) {
    if (queue->keyed_run.next->time_ps != now_ps) return false;
    event_queue_pop_keyed(queue, record);
    return true;
}

/* The data of the free event that comes `ahead` (< EVENT_AHEAD) places after the next one, to fetch
 * what it needs; of any event or 0 if there is none. */
static inline uint64_t event_queue_ahead(const struct event_queue *queue, size_t ahead) {
    return queue->free_run.next[ahead].data;
}

/* What comes with the next keyed event, if that is open; else NULL. */
static inline const struct event_record *event_queue_next_keyed(const struct event_queue *queue) {
    const struct event *next = queue->keyed_run.next;
    return next->time_ps != EVENT_NEVER ? &queue->records.items[next->data & ~EVENT_KEYED] : NULL;
}

#endif
