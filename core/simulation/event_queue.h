/*
 * The event queue of one domain: a timing wheel whose buckets are sorted when they are opened, and
 * a heap for events that are later than the wheel.
 *
 * There are two kinds of events. A free event has a time and 63 bits of data. Free events of one
 * time give the same result in any order, so the queue does not sort them. Most events are free. A
 * keyed event comes after the free events of its time, in the order (time, key, data). Time, key
 * and data are facts of the simulation, so the order is the same for any number of threads.
 *
 * Invariant: every event is in exactly one place: in an open run (buckets up to open_bucket), in a
 * bucket (open_bucket < bucket < open_bucket + EVENT_BUCKETS), or in the far heap (later buckets).
 * The pool of records has the key and the data of keyed events.
 */
#ifndef ANAX_CORE_EVENT_QUEUE_H
#define ANAX_CORE_EVENT_QUEUE_H

#include "core/base/status.h"
#include "core/memory/pool.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_NEVER   INT64_MAX
#define EVENT_BUCKETS 128u /* few and wide: sorting some events costs less than opening buckets */
#define EVENT_KEYED                                                                                \
    (UINT64_C(1) << 63) /* in data of keyed events; the other bits are the index of a record */

struct event {
    int64_t time_ps;
    uint64_t data;
};

struct event_record {
    uint64_t key;
    uint64_t data;
    uint32_t extra; /* not part of the order */
};
POOL_DEFINE(event_record, struct event_record)

/* A sorted array of events, which are taken from its front. EVENT_AHEAD events stand after its end:
 * the first has the time EVENT_NEVER, and the others have no meaning. So a caller can look ahead
 * without a test. */
#define EVENT_AHEAD 8
struct event_run {
    struct event *events;
    struct event *next; /* the first event that was not taken */
    struct event *end;
    size_t capacity; /* includes the events after the end */
};

/* A bucket is a list of chunks. All chunks stand in one array and have EVENT_CHUNK slots: the first
 * slot is the header of the chunk, the others are events. All chunks of a bucket but the last one
 * are full. The place of a bucket is the number of the next slot to be filled. It is a multiple of
 * EVENT_CHUNK if the last chunk is full, and 0 if the bucket has no chunk. */
#define EVENT_CHUNK 16u
struct event_chunk {
    uint32_t before; /* place of the bucket when this chunk was added */
    uint32_t unused[3];
    struct event events[EVENT_CHUNK - 1];
};
static_assert(sizeof(struct event_chunk) == EVENT_CHUNK * sizeof(struct event),
              "a header is as large as an event");
static_assert(sizeof(struct event_chunk) == 256, "a chunk is four cache lines");
POOL_DEFINE(event_chunk, struct event_chunk)
static_assert(EVENT_BUCKETS == 128, "a bit for each bucket in one number");

struct event_queue {
    /* Open buckets. */
    struct event_run free_run;
    struct event_run keyed_run;
    int64_t open_bucket;
    unsigned shift; /* bucket width is 2^shift ps */
    /* The wheel. */
    struct event_chunk_pool chunks;
    uint32_t bucket[EVENT_BUCKETS]; /* place of each bucket */
    unsigned __int128 occupied;     /* a bit for each bucket */
    /* Events later than the wheel: a binary heap by time. */
    struct event *far;
    size_t far_count;
    size_t far_capacity;
    struct event_record_pool records;
    struct event *scratch; /* for sorting */
    size_t scratch_capacity;
    bool out_of_memory; /* true if an event was lost, so that the run must end */
};

/* Makes an empty queue. STATUS_MEMORY. bucket_ps: width of a bucket, which is rounded up to a power
 * of two. */
status_code event_queue_new(struct event_queue *queue, int64_t bucket_ps, struct status *status);

/* Frees what event_queue_new has made. */
void event_queue_free(struct event_queue *queue);

/* Opens the next bucket if all open events were taken and the bucket begins before end_ps. Returns
 * whether there is an open event before end_ps. */
bool event_queue_advance(struct event_queue *queue, int64_t end_ps);

/* Returns the time of the earliest event, EVENT_NEVER if there is none. Does not open buckets. */
int64_t event_queue_next_ps(const struct event_queue *queue);

/* Returns a lower bound of event_queue_next_ps, which takes less time to find. It is at most the
 * width of a bucket too early. */
int64_t event_queue_next_bound_ps(const struct event_queue *queue);

/* Inserts an event that has no free slot in the last chunk of its bucket. For event_queue_insert.
 */
void event_queue_insert_slow(struct event_queue *queue, int64_t time_ps, uint64_t data);

/* Returns the slot of a number, which is no header's. */
static inline struct event *event_queue_slot(const struct event_queue *queue, uint32_t number) {
    return (struct event *)(void *)queue->chunks.items + number;
}

/* Inserts a free event; data < 2^63. */
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

/* Inserts an event that is taken after the free events of its time, in the order of keys and then
 * of data. `extra` comes back in the event's record, and is not part of the order. If memory is
 * short, sets queue->out_of_memory. */
void event_queue_insert_keyed(struct event_queue *queue, int64_t time_ps, uint64_t key,
                              uint64_t data, uint32_t extra);

/* Returns the time of the earliest event if it is before end_ps, otherwise EVENT_NEVER. */
static inline int64_t event_queue_peek(struct event_queue *queue, int64_t end_ps) {
    for (;;) {
        int64_t free_ps = queue->free_run.next->time_ps;
        int64_t keyed_ps = queue->keyed_run.next->time_ps;
        int64_t first_ps = keyed_ps < free_ps ? keyed_ps : free_ps;
        if (first_ps < end_ps) return first_ps;
        if (first_ps != EVENT_NEVER || !event_queue_advance(queue, end_ps)) return EVENT_NEVER;
    }
}

/* Returns whether there are more open events of the time now_ps. */
static inline bool event_queue_more(const struct event_queue *queue, int64_t now_ps) {
    return queue->free_run.next->time_ps == now_ps || queue->keyed_run.next->time_ps == now_ps;
}

/* Takes a free event of the time now_ps, which must be the earliest time. Returns false if there is
 * none. */
static inline bool event_queue_take(struct event_queue *queue, int64_t now_ps, uint64_t *data) {
    const struct event *first = queue->free_run.next;
    if (first->time_ps != now_ps) return false;
    *data = first->data;
    queue->free_run.next++;
    return true;
}

/* Takes the earliest keyed event, which must be there. For event_queue_take_keyed. */
void event_queue_pop_keyed(struct event_queue *queue, struct event_record *record);

/* Takes a keyed event in the same way, after all free events of that time were taken. */
static inline bool event_queue_take_keyed(struct event_queue *queue, int64_t now_ps,
                                          struct event_record *record) {
    if (queue->keyed_run.next->time_ps != now_ps) return false;
    event_queue_pop_keyed(queue, record);
    return true;
}

/* Returns the data of the free event that follows `ahead` (< EVENT_AHEAD) events after the next
 * one, for a prefetch. If there is no such event, the result is 0 or the data of another one. */
static inline uint64_t event_queue_ahead(const struct event_queue *queue, size_t ahead) {
    return queue->free_run.next[ahead].data;
}

/* Returns the record of the next keyed event; NULL if no keyed event is open. */
static inline const struct event_record *event_queue_next_keyed(const struct event_queue *queue) {
    const struct event *next = queue->keyed_run.next;
    return next->time_ps != EVENT_NEVER ? &queue->records.items[next->data & ~EVENT_KEYED] : NULL;
}

#endif
