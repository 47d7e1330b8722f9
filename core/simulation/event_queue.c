/*
 * The slow parts of the event queue: opening a bucket and sorting its events, inserting into an
 * open bucket, and the heap of events beyond the timing wheel. event_queue.h has the parts that run
 * for every event.
 */
#include "core/simulation/event_queue.h"

#include "core/base/compiler_hints.h"
#include "core/base/prefetch.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of free events of a bucket for which opening it takes another way to sort them. The order
 * is the same in all three, so these numbers change the speed alone. The comparisons of
 * sort_by_rank grow with the square of the number, and sort_by_digits first clears and adds up
 * hundreds of counters. The counters of sort_by_parts are bytes, so EVENT_MANY must be below 256.
 */
#define EVENT_FEW       8
#define EVENT_MANY      48
#define EVENT_SHIFT_MAX 40
/* Up to so many events are sorted in 8 KiB of the stack, so that few queues need memory for it. */
#define EVENT_ON_STACK 512

/* Whether a comes before b; both are of the same kind. */
static inline bool before(const struct event_queue *queue, const struct event *a,
                          const struct event *b) {
    if (a->time_ps != b->time_ps) return a->time_ps < b->time_ps;
    if (!(a->data & EVENT_KEYED)) return false;
    const struct event_record *record_a = &queue->records.items[a->data & ~EVENT_KEYED];
    const struct event_record *record_b = &queue->records.items[b->data & ~EVENT_KEYED];
    return record_a->key != record_b->key ? record_a->key < record_b->key
                                          : record_a->data < record_b->data;
}

static bool grow_array(struct event_queue *queue, struct event **array, size_t *capacity,
                       size_t wanted) {
    void *moved = *array;
    if (memory_grow_aligned(&moved, capacity, wanted, sizeof(struct event), NULL) != STATUS_OK) {
        queue->out_of_memory = true;
        return false;
    }
    *array = moved;
    return true;
}

static inline void close_run(struct event_run *run) {
    run->end->time_ps = EVENT_NEVER;
}

/* Makes room for `more` events at the end of a run. False: out of memory. */
static bool grow_run(struct event_queue *queue, struct event_run *run, size_t more) {
    size_t next = (size_t)(run->next - run->events);
    size_t end = (size_t)(run->end - run->events);
    size_t old = run->capacity;
    if (!grow_array(queue, &run->events, &run->capacity, end + more + EVENT_AHEAD)) return false;
    memset(run->events + old, 0, (run->capacity - old) * sizeof(struct event));
    run->next = run->events + next;
    run->end = run->events + end;
    close_run(run);
    return true;
}

static inline bool has_room(const struct event_run *run, size_t more) {
    return run->capacity - (size_t)(run->end - run->events) >= more + EVENT_AHEAD;
}

status_code event_queue_new(struct event_queue *queue, int64_t bucket_ps, struct status *status) {
    memset(queue, 0, sizeof *queue);
    queue->open_bucket = -1;
    while (queue->shift < EVENT_SHIFT_MAX && (INT64_C(1) << queue->shift) < bucket_ps)
        queue->shift++;
    bool has_memory = true;
    struct event_run *runs[] = {&queue->free_run, &queue->keyed_run};
    for (int i = 0; i < 2 && has_memory; i++) {
        struct event_run *run = runs[i];
        run->capacity = (size_t)4 * EVENT_AHEAD;
        run->events = run->next = run->end =
            memory_new_aligned(run->capacity, sizeof(struct event));
        has_memory = run->events != NULL;
        if (has_memory) close_run(run);
    }
    RETURN_ERROR_IF(!has_memory, status, STATUS_MEMORY, "out of memory for an event queue");
    return STATUS_OK;
}

void event_queue_free(struct event_queue *queue) {
    free(queue->free_run.events);
    free(queue->keyed_run.events);
    event_chunk_pool_clear(&queue->chunks);
    free(queue->far);
    event_record_pool_clear(&queue->records);
    free(queue->scratch);
    memset(queue, 0, sizeof *queue);
}

static struct event_run *run_of(struct event_queue *queue, const struct event *added) {
    return added->data & EVENT_KEYED ? &queue->keyed_run : &queue->free_run;
}

static inline bool append_event(struct event_queue *queue, const struct event *added) {
    struct event_run *run = run_of(queue, added);
    if (!has_room(run, 1) && !grow_run(queue, run, 1)) return false;
    *run->end++ = *added;
    return true;
}

/* Makes room for one event at the end of a run, first by moving the events to the place of those
 * that have been taken out. False: out of memory. */
static bool make_room(struct event_queue *queue, struct event_run *run) {
    if (has_room(run, 1)) return true;
    if (run->next == run->events) return grow_run(queue, run, 1);
    size_t count = (size_t)(run->end - run->next);
    memmove(run->events, run->next, count * sizeof(struct event));
    run->next = run->events;
    run->end = run->events + count;
    return true;
}

/* Inserts an event into an open run. Either the events before it move or those after it, whichever
 * are fewer, so that an event costs little in a dense bucket too. Most added events are early, so
 * few are before them. */
static void insert_open(struct event_queue *queue, const struct event *added) {
    struct event_run *run = run_of(queue, added);
    struct event *low = run->next;
    struct event *high = run->end;
    while (low < high) { /* first element that comes after the new one */
        struct event *middle = low + (high - low) / 2;
        if (before(queue, added, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    size_t sooner = (size_t)(low - run->next), later = (size_t)(run->end - low);
    if (run->next > run->events && sooner < later) {
        memmove(run->next - 1, run->next, sooner * sizeof(struct event));
        run->next--;
        run->next[sooner] = *added;
        return;
    }
    if (!make_room(queue, run)) return;
    low = run->next + sooner;
    memmove(low + 1, low, later * sizeof(struct event));
    *low = *added;
    run->end++;
    close_run(run);
}

static void insert_far(struct event_queue *queue, const struct event *added) {
    if (!grow_array(queue, &queue->far, &queue->far_capacity, queue->far_count + 1)) return;
    size_t hole = queue->far_count++;
    while (hole > 0) {
        size_t parent = (hole - 1) / 2;
        if (added->time_ps >= queue->far[parent].time_ps) break;
        queue->far[hole] = queue->far[parent];
        hole = parent;
    }
    queue->far[hole] = *added;
}

/* Inserts an event into an open run, or among those beyond the horizon. */
HINT_NOINLINE static void insert_apart(struct event_queue *queue, int64_t time_ps, uint64_t data) {
    struct event added = {time_ps, data};
    if (time_ps >> queue->shift <= queue->open_bucket)
        insert_open(queue, &added);
    else
        insert_far(queue, &added);
}

static inline unsigned __int128 bucket_bit(uint32_t slot) {
    return (unsigned __int128)1 << slot;
}

void event_queue_insert_slow(struct event_queue *queue, int64_t time_ps, uint64_t data) {
    int64_t bucket = time_ps >> queue->shift;
    if ((uint64_t)(bucket - queue->open_bucket - 1) >= EVENT_BUCKETS - 1) {
        insert_apart(queue, time_ps, data);
        return;
    }
    uint32_t slot = (uint32_t)bucket & (EVENT_BUCKETS - 1);
    uint32_t taken = event_chunk_pool_take(&queue->chunks);
    if (taken >= UINT32_MAX / EVENT_CHUNK) { /* places have 32 bits */
        queue->out_of_memory = true;
        return;
    }
    struct event_chunk *chunk = &queue->chunks.items[taken];
    chunk->before = queue->bucket[slot];
    chunk->events[0] = (struct event){time_ps, data};
    queue->bucket[slot] = taken * EVENT_CHUNK + 2;
    queue->occupied |= bucket_bit(slot);
}

void event_queue_insert_keyed(struct event_queue *queue, int64_t time_ps, uint64_t key,
                              uint64_t data, uint32_t extra) {
    uint32_t number = event_record_pool_take(&queue->records);
    if (number == POOL_NONE) {
        queue->out_of_memory = true;
        return;
    }
    queue->records.items[number] = (struct event_record){.key = key, .data = data, .extra = extra};
    event_queue_insert(queue, time_ps, EVENT_KEYED | number);
}

void event_queue_pop_keyed(struct event_queue *queue, struct event_record *record) {
    uint32_t number = (uint32_t)(queue->keyed_run.next++)->data;
    *record = queue->records.items[number];
    event_record_pool_give(&queue->records, number);
}

static struct event far_pop(struct event_queue *queue) {
    struct event top = queue->far[0];
    struct event last = queue->far[--queue->far_count];
    size_t hole = 0;
    for (;;) {
        size_t child = 2 * hole + 1;
        if (child >= queue->far_count) break;
        if (child + 1 < queue->far_count &&
            queue->far[child + 1].time_ps < queue->far[child].time_ps)
            child++;
        if (queue->far[child].time_ps >= last.time_ps) break;
        queue->far[hole] = queue->far[child];
        hole = child;
    }
    queue->far[hole] = last;
    return top;
}

/* Number of the first occupied bucket after the open one, INT64_MAX if the wheel is empty. */
static int64_t next_bucket(const struct event_queue *queue) {
    if (queue->occupied == 0) return INT64_MAX;
    uint32_t start = (uint32_t)(queue->open_bucket + 1) & (EVENT_BUCKETS - 1);
    unsigned __int128 turned = queue->occupied >> start;
    if (start > 0) turned |= queue->occupied << (EVENT_BUCKETS - start);
    uint64_t near = (uint64_t)turned, beyond = (uint64_t)(turned >> 64);
    int ahead = near != 0 ? __builtin_ctzll(near) : 64 + __builtin_ctzll(beyond);
    return queue->open_bucket + 1 + ahead;
}

/* Few free events: each goes to the place that comparisons with all others give it. Branches on
 * times that have no pattern cost more than all else here. Keeps the order of equal times. */
static void sort_by_rank(struct event *events, size_t count) {
    struct event copy[EVENT_FEW];
    uint8_t places[EVENT_FEW] = {0};
    memcpy(copy, events, count * sizeof *events);
    for (size_t later = 1; later < count; later++) {
        uint8_t place = (uint8_t)later; /* as long as no event before it goes behind it */
        for (size_t i = 0; i < later; i++) {
            const uint8_t moves = copy[later].time_ps < copy[i].time_ps;
            place = (uint8_t)(place - moves);
            places[i] = (uint8_t)(places[i] + moves);
        }
        places[later] = place;
    }
    for (size_t i = 0; i < count; i++)
        events[places[i]] = copy[i];
}

#define DIGIT_BITS 8
#define DIGITS_MAX 5 /* a bucket is at most 2^40 ps wide */
static_assert(EVENT_SHIFT_MAX <= DIGIT_BITS * DIGITS_MAX, "digits for all bits of a bucket");

/* Many free events of one bucket, by counting: their times differ only in the lowest bits, digit by
 * digit. Like the merge sort it keeps the order of equal times, but it has no branches on times,
 * which would be mispredicted. */
static void sort_by_digits(struct event_queue *queue, struct event_run *run) {
    size_t count = (size_t)(run->end - run->events);
    struct event on_stack[EVENT_ON_STACK];
    if (count > EVENT_ON_STACK &&
        !grow_array(queue, &queue->scratch, &queue->scratch_capacity, count))
        return;
    uint32_t ends[DIGITS_MAX][1 << DIGIT_BITS];
    unsigned digits = (queue->shift + DIGIT_BITS - 1) / DIGIT_BITS;
    memset(ends, 0, digits * sizeof *ends);
    struct event *from = run->events, *to = count > EVENT_ON_STACK ? queue->scratch : on_stack;
    for (size_t i = 0; i < count; i++)
        for (unsigned digit = 0; digit < digits; digit++)
            ends[digit][(uint8_t)(from[i].time_ps >> (digit * DIGIT_BITS))]++;
    for (unsigned digit = 0; digit < digits; digit++) {
        uint32_t *place = ends[digit];
        const unsigned shift = digit * DIGIT_BITS;
        if (place[(uint8_t)(from->time_ps >> shift)] == count) continue; /* equal in all */
        uint32_t before_it = 0;
        for (size_t value = 0; value < 1 << DIGIT_BITS; value++) {
            uint32_t here = place[value];
            place[value] = before_it;
            before_it += here;
        }
        for (size_t i = 0; i < count; i++)
            to[place[(uint8_t)(from[i].time_ps >> shift)]++] = from[i];
        struct event *swap = from;
        from = to;
        to = swap;
    }
    if (from != run->events) memcpy(run->events, from, count * sizeof(struct event));
}

/* Distributes the free events of one bucket, fewer than EVENT_MANY, to parts of the bucket by the
 * highest bits of their times. Each is then near its place, so that few moves and few mispredicted
 * branches are left. Keeps the order of equal times. */
static void sort_by_parts(const struct event_queue *queue, struct event *events, size_t count) {
    enum { PART_BITS = 6, PARTS = 1 << PART_BITS, BYTES = 8 };
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const unsigned shift = queue->shift > PART_BITS ? queue->shift - PART_BITS : 0;
    struct event copy[EVENT_MANY];
    uint64_t ends[PARTS / BYTES] = {0}; /* a byte for each part */
    for (size_t i = 0; i < count; i++) {
        const uint64_t part = (uint64_t)events[i].time_ps >> shift & (PARTS - 1);
        ends[part / BYTES] += UINT64_C(1) << part % BYTES * 8;
    }
    uint64_t before_it = 0;
    for (unsigned word = 0; word < PARTS / BYTES; word++) {
        const uint64_t sums = ends[word] * ones; /* of the bytes up to each, at most EVENT_MANY */
        ends[word] = sums - ends[word] + before_it * ones;
        before_it += sums >> 56;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t part = (uint64_t)events[i].time_ps >> shift & (PARTS - 1);
        uint64_t *word = &ends[part / BYTES];
        copy[(uint8_t)(*word >> part % BYTES * 8)] = events[i];
        *word += UINT64_C(1) << part % BYTES * 8;
    }
    for (size_t i = 0; i < count; i++) {
        const struct event moving = copy[i];
        size_t hole = i;
        for (; hole > 0 && moving.time_ps < events[hole - 1].time_ps; hole--)
            events[hole] = events[hole - 1];
        events[hole] = moving;
    }
}

enum { SORTED_BY_INSERTION_MAX = 24 };

/* Sorts a run by `before`: up to SORTED_BY_INSERTION_MAX events by insertion, more by merging. */
static void sort_run(struct event_queue *queue, struct event_run *run) {
    struct event *events = run->events;
    size_t count = (size_t)(run->end - run->events);
    if (count <= SORTED_BY_INSERTION_MAX) {
        for (size_t i = 1; i < count; i++) {
            struct event moving = events[i];
            size_t hole = i;
            while (hole > 0 && before(queue, &moving, &events[hole - 1])) {
                events[hole] = events[hole - 1];
                hole--;
            }
            events[hole] = moving;
        }
        return;
    }
    if (!grow_array(queue, &queue->scratch, &queue->scratch_capacity, count)) return;
    struct event *from = events;
    struct event *to = queue->scratch;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t left = 0; left < count; left += 2 * width) {
            size_t middle = left + width < count ? left + width : count;
            size_t right = middle + width < count ? middle + width : count;
            size_t a = left;
            size_t b = middle;
            for (size_t out = left; out < right; out++) {
                bool take_b = b < right && (a == middle || before(queue, &from[b], &from[a]));
                to[out] = take_b ? from[b++] : from[a++];
            }
        }
        struct event *swap = from;
        from = to;
        to = swap;
    }
    if (from != events) memcpy(events, from, count * sizeof(struct event));
}

/* Moves the keyed events of the free run to the keyed run. Each event is written to both runs, and
 * only the end of one of them moves on, so there is no branch. */
HINT_NOINLINE static bool move_keyed(struct event_queue *queue) {
    struct event_run *from = &queue->free_run, *to = &queue->keyed_run;
    size_t count = (size_t)(from->end - from->events);
    if (!has_room(to, count) && !grow_run(queue, to, count)) return false;
    struct event *kept = from->events, *taken = to->end;
    for (const struct event *moved = kept; moved < from->end; moved++) {
        struct event each = *moved;
        bool keyed = each.data >> 63;
        __builtin_prefetch(&queue->records.items[each.data & ~EVENT_KEYED & -(uint64_t)keyed]);
        *kept = *taken = each;
        kept += !keyed;
        taken += keyed;
    }
    from->end = kept;
    to->end = taken;
    return true;
}

/* An event to be copied and compared whole: time and data. */
typedef uint64_t event_words __attribute__((vector_size(16), may_alias));

/* Prefetches the chunk with the place of a bucket. */
PREFETCH_FUNCTION void fetch_chunk(const struct event_queue *queue, uint32_t place) {
    const char *chunk = (const char *)&queue->chunks.items[(place - 1) / EVENT_CHUNK];
    for (size_t line = 0; line < sizeof(struct event_chunk); line += 64)
        __builtin_prefetch(chunk + line);
}

/* Moves the events of a bucket of the wheel to the open runs. Sets *mixed unless all are at the
 * same time. */
static bool empty_bucket(struct event_queue *queue, uint32_t slot, bool *mixed) {
    struct event_run *run = &queue->free_run;
    uint32_t place = queue->bucket[slot];
    queue->bucket[slot] = 0;
    queue->occupied &= ~bucket_bit(slot);
    const event_words reference = *(const event_words *)event_queue_slot(queue, place - 1);
    event_words differ = {0}; /* in time, or keyed and not */
    while (place != 0) {
        uint32_t first = (place - 1) / EVENT_CHUNK * EVENT_CHUNK;
        if (!has_room(run, EVENT_CHUNK) && !grow_run(queue, run, EVENT_CHUNK)) return false;
        const uint32_t before = queue->chunks.items[first / EVENT_CHUNK].before;
        if (before != 0) fetch_chunk(queue, before);
        const event_words *from = (const event_words *)event_queue_slot(queue, first + 1);
        const event_words *end = (const event_words *)event_queue_slot(queue, place);
        event_words *to = (event_words *)run->end;
        do {
            differ |= *from ^ reference;
            *to++ = *from++;
        } while (from < end);
        run->end = (struct event *)to;
        place = before;
        event_chunk_pool_give(&queue->chunks, first / EVENT_CHUNK);
    }
    if ((differ[1] | reference[1]) & EVENT_KEYED && !move_keyed(queue)) return false;
    *mixed = differ[0] != 0;
    return !queue->out_of_memory;
}

bool event_queue_advance(struct event_queue *queue, int64_t end_ps) {
    int64_t bucket = next_bucket(queue);
    int64_t far_bucket = queue->far_count > 0 ? queue->far[0].time_ps >> queue->shift : INT64_MAX;
    int64_t opening = bucket < far_bucket ? bucket : far_bucket;
    if (opening == INT64_MAX || opening > (end_ps - 1) >> queue->shift) return false;
    struct event_run *free_run = &queue->free_run;
    struct event_run *keyed_run = &queue->keyed_run;
    free_run->next = free_run->end = free_run->events;
    keyed_run->next = keyed_run->end = keyed_run->events;
    bool mixed = false;
    bool has_memory =
        opening != bucket || empty_bucket(queue, (uint32_t)bucket & (EVENT_BUCKETS - 1), &mixed);
    while (has_memory && queue->far_count > 0 && queue->far[0].time_ps >> queue->shift == opening) {
        struct event earliest = far_pop(queue);
        mixed |= earliest.time_ps != free_run->events->time_ps;
        has_memory = append_event(queue, &earliest);
    }
    queue->open_bucket = opening;
    close_run(free_run);
    close_run(keyed_run);
    size_t count = (size_t)(free_run->end - free_run->events);
    if (mixed && count > 1) {
        if (count <= EVENT_FEW)
            sort_by_rank(free_run->events, count);
        else if (count >= EVENT_MANY)
            sort_by_digits(queue, free_run);
        else
            sort_by_parts(queue, free_run->events, count);
    }
    if (keyed_run->end > keyed_run->events + 1) sort_run(queue, keyed_run);
    return has_memory;
}

/* Time of the earliest open event. */
static int64_t open_time(const struct event_queue *queue) {
    int64_t free_ps = queue->free_run.next->time_ps;
    int64_t keyed_ps = queue->keyed_run.next->time_ps;
    return free_ps < keyed_ps ? free_ps : keyed_ps;
}

static int64_t far_time(const struct event_queue *queue) {
    return queue->far_count > 0 ? queue->far[0].time_ps : EVENT_NEVER;
}

int64_t event_queue_next_bound_ps(const struct event_queue *queue) {
    int64_t open_ps = open_time(queue);
    if (open_ps != EVENT_NEVER) return open_ps;
    int64_t far_ps = far_time(queue);
    int64_t bucket = next_bucket(queue);
    bool in_far = bucket == INT64_MAX || far_ps < bucket << queue->shift;
    return in_far ? far_ps : bucket << queue->shift;
}

int64_t event_queue_next_ps(const struct event_queue *queue) {
    int64_t earliest_ps = open_time(queue);
    if (earliest_ps != EVENT_NEVER) return earliest_ps;
    earliest_ps = far_time(queue);
    int64_t bucket = next_bucket(queue);
    if (bucket == INT64_MAX) return earliest_ps;
    uint32_t place = queue->bucket[bucket & (EVENT_BUCKETS - 1)];
    while (place != 0) {
        uint32_t first = (place - 1) / EVENT_CHUNK * EVENT_CHUNK;
        for (uint32_t i = first + 1; i < place; i++) {
            int64_t time_ps = event_queue_slot(queue, i)->time_ps;
            if (time_ps < earliest_ps) earliest_ps = time_ps;
        }
        place = queue->chunks.items[first / EVENT_CHUNK].before;
    }
    return earliest_ps;
}
