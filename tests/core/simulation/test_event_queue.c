/*
 * The event queue against a plain list: random workloads in windows, with events near, far and at
 * the same time, inserted before and while their buckets are open. Free events (key 0 here) may
 * come in any order among equals of their time; all others come in the order (time, key, data).
 */
#include "core/simulation/event_queue.h"

#include "core/simulation/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BUCKET_PS 64
#define HORIZON   (BUCKET_PS * (int64_t)EVENT_BUCKETS)

/* What should be in the queue. */
struct listed {
    int64_t time_ps;
    uint64_t key;
    uint64_t data;
};

struct model {
    struct event_queue queue;
    struct listed *list; /* in no order */
    size_t count;
    size_t capacity;
    uint64_t data; /* given so far: names every event */
    uint64_t draws;
};

static void model_new(struct model *model, int64_t bucket_ps) {
    memset(model, 0, sizeof *model);
    assert_int_equal(event_queue_new(&model->queue, bucket_ps, NULL), STATUS_OK);
}

static void model_free(struct model *model) {
    event_queue_free(&model->queue);
    free(model->list);
}

static uint32_t draw_below(struct model *model, uint32_t bound) {
    return random_below(random_draw(11, RANDOM_NOISE, 0, model->draws++).word[0], bound);
}

static void insert(struct model *model, int64_t time_ps, uint64_t key) {
    if (model->count == model->capacity) {
        model->capacity = model->capacity > 0 ? 2 * model->capacity : 64;
        model->list = realloc(model->list, model->capacity * sizeof *model->list);
    }
    /* Data falls while events are added, so that the order of insertion is not the right one. */
    uint64_t data = UINT32_MAX - model->data++;
    model->list[model->count++] = (struct listed){time_ps, key, data};
    if (key == 0) {
        event_queue_insert(&model->queue, time_ps, data);
    } else {
        event_queue_insert_keyed(&model->queue, time_ps, key, data, (uint32_t)data);
    }
}

static int64_t earliest_ps(const struct model *model) {
    int64_t earliest = EVENT_NEVER;
    for (size_t i = 0; i < model->count; i++) {
        if (model->list[i].time_ps < earliest) earliest = model->list[i].time_ps;
    }
    return earliest;
}

/* The place in the list of the event that came, which must be a right one to come next. */
static size_t find_first(const struct model *model, const struct listed *came) {
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < model->count; i++) {
        const struct listed *other = &model->list[i];
        if (other->data == came->data) {
            assert_int_equal(other->time_ps, came->time_ps);
            assert_int_equal(other->key, came->key);
            found = i;
            continue;
        }
        if (other->time_ps != came->time_ps) {
            assert_true(other->time_ps > came->time_ps);
        } else if (other->key != came->key) {
            assert_true(other->key > came->key);
        } else if (other->key != 0) {
            assert_true(other->data > came->data);
        }
    }
    assert_true(found != SIZE_MAX);
    return found;
}

/* Takes the next event before end_ps, checks it, and says whether there was one. */
static bool take(struct model *model, int64_t end_ps, int64_t *now_ps) {
    int64_t expected_ps = earliest_ps(model);
    assert_int_equal(event_queue_next_ps(&model->queue), expected_ps);
    int64_t bound_ps = event_queue_next_bound_ps(&model->queue);
    assert_true(bound_ps <= expected_ps);
    assert_true(expected_ps - bound_ps < INT64_C(1) << model->queue.shift);
    int64_t next_ps = event_queue_peek(&model->queue, end_ps);
    if (next_ps == EVENT_NEVER) {
        assert_true(expected_ps >= end_ps);
        return false;
    }
    assert_int_equal(next_ps, expected_ps);
    struct listed came = {.time_ps = next_ps};
    if (!event_queue_take(&model->queue, next_ps, &came.data)) {
        struct event_record record;
        assert_true(event_queue_take_keyed(&model->queue, next_ps, &record));
        assert_int_equal(record.extra, (uint32_t)record.data);
        came.key = record.key;
        came.data = record.data;
    }
    size_t place = find_first(model, &came);
    *now_ps = next_ps;
    model->list[place] = model->list[--model->count];
    return true;
}

static int64_t random_distance(struct model *model) {
    switch (draw_below(model, 8)) {
    case 0:
        return 0; /* now: into the open part */
    case 1:
        return draw_below(model, 4);
    case 2:
        return draw_below(model, BUCKET_PS);
    case 3:
    case 4:
        return draw_below(model, 20 * BUCKET_PS);
    case 5:
        return HORIZON - BUCKET_PS + draw_below(model, 2 * BUCKET_PS); /* astride the horizon */
    case 6:
        return draw_below(model, (uint32_t)HORIZON);
    default:
        return draw_below(model, 5 * (uint32_t)HORIZON);
    }
}

/* Keys: half of the events are free, the rest have few different keys, so that ties are common. */
static uint64_t random_key(struct model *model) {
    return draw_below(model, 2) ? 0 : 1 + draw_below(model, 3);
}

static void run_windows(uint32_t fill, uint32_t steps, int64_t window_ps) {
    struct model model;
    model_new(&model, BUCKET_PS);
    for (uint32_t i = 0; i < fill; i++)
        insert(&model, random_distance(&model), random_key(&model));
    int64_t now_ps = 0;
    while (model.count > 0) {
        int64_t end_ps = earliest_ps(&model) + window_ps;
        while (take(&model, end_ps, &now_ps)) {
            if (steps == 0) continue;
            steps--;
            /* On average one new event for each one taken, of the future or of this very time. */
            for (uint32_t i = draw_below(&model, 3); i > 0; i--) {
                uint64_t key = random_key(&model);
                insert(&model, now_ps + random_distance(&model) + (key != 0), key);
            }
        }
        /* Mail that comes in between windows. */
        if (steps > 0) insert(&model, end_ps + random_distance(&model), random_key(&model));
    }
    assert_int_equal(event_queue_next_ps(&model.queue), EVENT_NEVER);
    assert_int_equal(event_queue_peek(&model.queue, EVENT_NEVER), EVENT_NEVER);
    assert_false(model.queue.out_of_memory);
    model_free(&model);
}

static void random_workloads_come_in_order(void **state) {
    (void)state;
    run_windows(1, 500, 100);
    run_windows(20, 4000, 7);
    run_windows(100, 4000, 3000);
    run_windows(100, 4000, HORIZON);
    run_windows(100, 4000, EVENT_NEVER / 4);
    run_windows(1500, 1000, 500);
}

/* Many events in one bucket: the sort that is for long runs. */
static void a_crowded_bucket_comes_in_order(void **state) {
    (void)state;
    struct model model;
    model_new(&model, BUCKET_PS);
    for (uint32_t i = 0; i < 1500; i++)
        insert(&model, 10 * BUCKET_PS + draw_below(&model, BUCKET_PS), random_key(&model));
    int64_t now_ps;
    while (take(&model, EVENT_NEVER, &now_ps)) {
    }
    assert_int_equal(model.count, 0);
    model_free(&model);
}

/* The wheel turns many times over: one event per step in every bucket of the horizon. */
static void the_wheel_turns_many_times(void **state) {
    (void)state;
    for (int64_t stride = 1; stride < (int64_t)EVENT_BUCKETS; stride = stride * 3 + 1) {
        struct model model;
        model_new(&model, BUCKET_PS);
        int64_t time_ps = 0;
        int64_t now_ps = 0;
        for (int turn = 0; turn < 5000; turn++) {
            time_ps += stride * BUCKET_PS;
            insert(&model, time_ps, (uint64_t)turn % 2);
            if (turn < 3) continue; /* keep a few in the queue */
            assert_true(take(&model, EVENT_NEVER, &now_ps));
        }
        while (take(&model, EVENT_NEVER, &now_ps)) {
        }
        assert_int_equal(now_ps, time_ps);
        model_free(&model);
    }
}

/* An event of a bucket that stays partly used at a window's end, and new ones before and after it.
 */
static void an_open_bucket_takes_events_before_and_after_its_place(void **state) {
    (void)state;
    struct model model;
    int64_t now_ps = 0;
    model_new(&model, BUCKET_PS);
    insert(&model, 640, 1);
    insert(&model, 700, 1);
    assert_true(take(&model, 641, &now_ps));
    assert_false(take(&model, 641, &now_ps));
    insert(&model, 690, 2);
    insert(&model, 641, 0);
    insert(&model, 703, 1);
    insert(&model, 704, 1); /* the next bucket */
    const int64_t expected[] = {641, 690, 700, 703, 704};
    for (size_t i = 0; i < 5; i++) {
        assert_true(take(&model, 1000, &now_ps));
        assert_int_equal(now_ps, expected[i]);
    }
    assert_false(take(&model, EVENT_NEVER, &now_ps));
    model_free(&model);
}

/* Free events come before all others of their time; times up to the end of the scale work. */
static void free_events_come_first_up_to_the_end_of_time(void **state) {
    (void)state;
    struct model model;
    int64_t now_ps = 0;
    model_new(&model, 1 << 20);
    insert(&model, EVENT_NEVER - 1, 1);
    insert(&model, EVENT_NEVER - 2, 5);
    insert(&model, EVENT_NEVER - 2, 0);
    insert(&model, 0, 3);
    insert(&model, 0, 0);
    for (size_t i = 0; i < 5; i++)
        assert_true(take(&model, EVENT_NEVER, &now_ps));
    assert_int_equal(now_ps, EVENT_NEVER - 1);
    assert_int_equal(model.count, 0);
    model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_workloads_come_in_order),
        cmocka_unit_test(a_crowded_bucket_comes_in_order),
        cmocka_unit_test(the_wheel_turns_many_times),
        cmocka_unit_test(an_open_bucket_takes_events_before_and_after_its_place),
        cmocka_unit_test(free_events_come_first_up_to_the_end_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
