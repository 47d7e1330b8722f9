/* Saves the events of the open bucket and of the timing wheel one after another, and the far heap
 * as it is. Restoring inserts the former again. */
#include "core/simulation/event_queue_checkpoint.h"

static void save_run(struct saved_state *state, const struct event_run *run) {
    for (const struct event *event = run->next; event < run->end; event++) {
        struct event each = *event;
        SAVED(state, each);
    }
}

/* The chunks of a bucket, the last one first. */
static void save_bucket(struct saved_state *state, const struct event_queue *queue,
                        uint32_t place) {
    while (place != 0) {
        const uint32_t first = (place - 1) / EVENT_CHUNK * EVENT_CHUNK;
        for (uint32_t i = first + 1; i < place; i++) {
            struct event each = *event_queue_slot(queue, i);
            SAVED(state, each);
        }
        place = queue->chunks.items[first / EVENT_CHUNK].before;
    }
}

static uint64_t events_in_bucket(const struct event_queue *queue, uint32_t place) {
    uint64_t count = 0;
    while (place != 0) {
        const uint32_t first = (place - 1) / EVENT_CHUNK * EVENT_CHUNK;
        count += place - first - 1;
        place = queue->chunks.items[first / EVENT_CHUNK].before;
    }
    return count;
}

/* Saves the events of the open runs and of the wheel. */
static void save_near(struct saved_state *state, const struct event_queue *queue) {
    uint64_t count = (uint64_t)(queue->free_run.end - queue->free_run.next) +
                     (uint64_t)(queue->keyed_run.end - queue->keyed_run.next);
    for (uint32_t i = 0; i < EVENT_BUCKETS; i++)
        count += events_in_bucket(queue, queue->bucket[i]);
    SAVED(state, count);
    save_run(state, &queue->free_run);
    save_run(state, &queue->keyed_run);
    for (uint32_t i = 0; i < EVENT_BUCKETS; i++)
        save_bucket(state, queue, queue->bucket[i]);
}

/* Returns whether the place of an event can be computed; all times of a simulation are smaller. */
static bool is_time(int64_t time_ps) {
    return time_ps >= 0 && time_ps <= INT64_MAX / 2;
}

static void restore_near(struct saved_state *state, struct event_queue *queue) {
    uint64_t count = 0;
    SAVED(state, count);
    if (queue->open_bucket < -1 || queue->open_bucket > INT64_MAX / 2 >> queue->shift)
        state->is_wrong = true;
    for (; count > 0 && !state->is_wrong && !queue->out_of_memory; count--) {
        struct event each = {0};
        SAVED(state, each);
        const int64_t bucket = each.time_ps >> queue->shift;
        const uint64_t record = each.data & ~EVENT_KEYED;
        if (!is_time(each.time_ps) || bucket - queue->open_bucket >= EVENT_BUCKETS ||
            ((each.data & EVENT_KEYED) != 0 && record >= queue->records.used))
            state->is_wrong = true;
        else
            event_queue_insert(queue, each.time_ps, each.data);
    }
    if (queue->out_of_memory) state->out_of_memory = true;
}

SAVED_SIZE_IS(struct event_queue, 720);

void event_queue_save_or_restore(struct saved_state *state, struct event_queue *queue) {
    save_or_restore_equal(state, queue->shift);
    SAVED(state, queue->open_bucket);
    SAVED_POOL(state, &queue->records); /* first: keyed events are compared by them */
    if (state->is_restoring)
        restore_near(state, queue);
    else
        save_near(state, queue);
    void *far = queue->far;
    save_or_restore_array(state, &far, &queue->far_count, sizeof *queue->far);
    queue->far = far;
    if (state->is_restoring) queue->far_capacity = queue->far_count;
}
