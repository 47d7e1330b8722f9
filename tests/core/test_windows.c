/*
 * Conservative windows, with a small world of domains that send each other marbles: a marble that
 * is handled at time t goes to another domain at t + lookahead or later. Every marble's way is a
 * function of its own number, so the trace is the same for any number of threads.
 */
#include "core/windows.h"

#include "core/digest.h"
#include "core/event_queue.h"
#include "core/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DOMAINS      7
#define THREADS_MOST 4
#define LOOKAHEAD_PS 1000
#define BOX          4096

struct marble {
    int64_t time_ps;
    uint32_t domain;
    uint32_t number;
    uint32_t hops_left;
};

struct box {
    struct marble marbles[BOX];
    size_t count;
};

struct world {
    unsigned threads;
    struct event_queue queues[DOMAINS];
    uint64_t digest[DOMAINS]; /* of all that was handled there, in order */
    uint64_t handled[DOMAINS];
    uint64_t early[DOMAINS]; /* handled before the start of the window: must not happen */
    struct box boxes[2][THREADS_MOST][THREADS_MOST];
    int64_t latest_ps[THREADS_MOST];
    uint64_t run_calls[THREADS_MOST];
    uint64_t receive_calls;
    int64_t last_start_ps;
    uint64_t between_calls;
    uint64_t stop_after; /* calls of between */
};

static void put(struct world *world, const struct marble *marble) {
    event_queue_insert_keyed(&world->queues[marble->domain], marble->time_ps, 1 + marble->number,
                             marble->hops_left, 0);
}

static void handle(struct world *world, unsigned thread, uint32_t domain, int64_t now_ps,
                   const struct event_record *event, int64_t end_ps, uint64_t window) {
    uint32_t number = (uint32_t)event->key - 1;
    world->handled[domain]++;
    world->digest[domain] = digest_mix(digest_mix(world->digest[domain], event->key),
                                       digest_mix((uint64_t)now_ps, event->data));
    if (event->data == 0) return;
    struct random_block draw = random_draw(3, RANDOM_NOISE, number, event->data);
    /* Now and then a long pause: idle time that is to be skipped. */
    int64_t pause_ps = draw.word[1] % 16 == 0 ? 50000000 : draw.word[1] % 5000;
    struct marble next = {now_ps + LOOKAHEAD_PS + pause_ps, draw.word[0] % DOMAINS, number,
                          (uint32_t)event->data - 1};
    assert_true(next.time_ps >= end_ps);
    unsigned to = next.domain % world->threads;
    if (to == thread) {
        put(world, &next);
        return;
    }
    struct box *box = &world->boxes[window & 1][thread][to];
    assert_true(box->count < BOX);
    box->marbles[box->count++] = next;
}

static void run(void *context, unsigned thread, int64_t end_ps, uint64_t window) {
    struct world *world = context;
    world->run_calls[thread]++;
    for (uint32_t domain = thread; domain < DOMAINS; domain += world->threads) {
        int64_t now_ps;
        while ((now_ps = event_queue_peek(&world->queues[domain], end_ps)) != EVENT_NEVER) {
            struct event_record event;
            assert_true(event_queue_take_keyed(&world->queues[domain], now_ps, &event));
            if (now_ps < end_ps - LOOKAHEAD_PS) world->early[domain]++;
            if (now_ps > world->latest_ps[thread]) world->latest_ps[thread] = now_ps;
            handle(world, thread, domain, now_ps, &event, end_ps, window);
        }
    }
}

static int64_t earliest(void *context, unsigned thread, uint64_t window) {
    struct world *world = context;
    int64_t earliest_ps = EVENT_NEVER;
    for (uint32_t domain = thread; domain < DOMAINS; domain += world->threads) {
        int64_t next_ps = event_queue_next_time(&world->queues[domain]);
        if (next_ps < earliest_ps) earliest_ps = next_ps;
    }
    for (unsigned to = 0; to < world->threads; to++) {
        const struct box *box = &world->boxes[window & 1][thread][to];
        for (size_t i = 0; i < box->count; i++) {
            if (box->marbles[i].time_ps < earliest_ps) earliest_ps = box->marbles[i].time_ps;
        }
    }
    return earliest_ps;
}

static void receive(void *context, unsigned thread, uint64_t window) {
    struct world *world = context;
    if (thread == 0) world->receive_calls++;
    for (unsigned from = 0; from < world->threads; from++) {
        struct box *box = &world->boxes[window & 1][from][thread];
        for (size_t i = 0; i < box->count; i++)
            put(world, &box->marbles[i]);
        box->count = 0;
    }
}

static bool between(void *context, int64_t now_ps) {
    struct world *world = context;
    assert_true(now_ps >= world->last_start_ps + (world->between_calls > 0 ? LOOKAHEAD_PS : 0));
    world->last_start_ps = now_ps;
    return ++world->between_calls == world->stop_after;
}

static struct world *world_new(unsigned threads, uint32_t marbles, uint32_t hops) {
    struct world *world = calloc(1, sizeof *world);
    world->threads = threads;
    for (unsigned i = 0; i < DOMAINS; i++)
        assert_int_equal(event_queue_new(&world->queues[i], 64, NULL), STATUS_OK);
    for (uint32_t i = 0; i < marbles; i++) {
        struct marble first = {i * 77, i % DOMAINS, i, hops};
        put(world, &first);
    }
    return world;
}

static uint64_t world_run(struct world *world) {
    struct windows_work work = {
        .context = world, .run = run, .earliest = earliest, .receive = receive, .between = between};
    uint64_t windows = UINT64_MAX;
    struct status status = STATUS_INIT;
    assert_int_equal(windows_run(&work, world->threads, LOOKAHEAD_PS, &windows, &status),
                     STATUS_OK);
    return windows;
}

static void world_free(struct world *world) {
    for (unsigned i = 0; i < DOMAINS; i++)
        event_queue_free(&world->queues[i]);
    free(world);
}

static uint64_t handled(const struct world *world) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < DOMAINS; i++) {
        assert_int_equal(world->early[i], 0);
        sum += world->handled[i];
    }
    return sum;
}

static void test_same_trace_with_threads(void **state) {
    (void)state;
    const uint32_t marbles = 40, hops = 30;
    struct world *serial = world_new(1, marbles, hops);
    uint64_t windows = world_run(serial);
    assert_int_equal(handled(serial), marbles * (hops + 1)); /* each exactly once */
    assert_int_equal(serial->receive_calls, 0);
    for (unsigned threads = 2; threads <= THREADS_MOST; threads++) {
        struct world *parallel = world_new(threads, marbles, hops);
        assert_int_equal(world_run(parallel), windows);
        assert_memory_equal(parallel->digest, serial->digest, sizeof serial->digest);
        assert_memory_equal(parallel->handled, serial->handled, sizeof serial->handled);
        assert_int_equal(parallel->last_start_ps, serial->last_start_ps);
        for (unsigned i = 0; i < threads; i++)
            assert_int_equal(parallel->run_calls[i], windows);
        handled(parallel);
        world_free(parallel);
    }
    world_free(serial);
}

/* One marble that rests for 50 us now and then: never more windows than events. */
static void test_idle_time_is_skipped(void **state) {
    (void)state;
    struct world *world = world_new(1, 1, 200);
    uint64_t windows = world_run(world);
    assert_int_equal(handled(world), 201);
    assert_true(windows <= 201);
    assert_true(world->latest_ps[0] > 100000000); /* there was idle time, 10^5 windows of it */
    world_free(world);
}

static void test_empty(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= THREADS_MOST; threads++) {
        struct world *world = world_new(threads, 0, 0);
        assert_int_equal(world_run(world), 0);
        assert_int_equal(world->between_calls, 0);
        world_free(world);
    }
}

/* `between` ends the run after the window it was called for, at the same place for all threads. */
static void test_stop(void **state) {
    (void)state;
    uint64_t expected[DOMAINS];
    for (unsigned threads = 1; threads <= THREADS_MOST; threads++) {
        struct world *world = world_new(threads, 40, 30);
        world->stop_after = 5;
        assert_int_equal(world_run(world), 5);
        assert_int_equal(world->between_calls, 5);
        if (threads == 1) memcpy(expected, world->digest, sizeof expected);
        assert_memory_equal(world->digest, expected, sizeof expected);
        assert_true(handled(world) < 40 * 31);
        world_free(world);
    }
}

static int64_t stop_at_once(void *context, unsigned thread, uint64_t window) {
    (void)context;
    (void)window;
    return thread == 0 ? WINDOWS_STOP : 0;
}

/* Any thread can end the run through `earliest`, before the first window too. */
static void test_stop_before_the_first_window(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= THREADS_MOST; threads++) {
        struct world *world = world_new(threads, 10, 10);
        struct windows_work work = {
            .context = world, .run = run, .earliest = stop_at_once, .receive = receive};
        uint64_t windows = 99;
        assert_int_equal(windows_run(&work, threads, LOOKAHEAD_PS, &windows, NULL), STATUS_OK);
        assert_int_equal(windows, 0);
        assert_int_equal(handled(world), 0);
        world_free(world);
    }
}

/* With nothing to come from other domains a single window runs to the end of time. */
static void test_endless_lookahead(void **state) {
    (void)state;
    struct world *world = world_new(1, 10, 0);
    struct windows_work work = {
        .context = world, .run = run, .earliest = earliest, .receive = receive};
    uint64_t windows = 0;
    assert_int_equal(windows_run(&work, 1, EVENT_NEVER, &windows, NULL), STATUS_OK);
    assert_int_equal(windows, 1);
    uint64_t sum = 0;
    for (unsigned i = 0; i < DOMAINS; i++)
        sum += world->handled[i];
    assert_int_equal(sum, 10);
    world_free(world);
}

/* What is at the limit or beyond is not run, by any number of threads, and told. */
static void test_limit(void **state) {
    (void)state;
    uint64_t all = 0;
    for (unsigned threads = 1; threads <= THREADS_MOST; threads++) {
        struct world *world = world_new(threads, 10, 100);
        bool is_limited = false;
        struct windows_work work = {.context = world,
                                    .run = run,
                                    .earliest = earliest,
                                    .receive = receive,
                                    .limit_ps = 100000,
                                    .is_limited = &is_limited};
        assert_int_equal(windows_run(&work, threads, LOOKAHEAD_PS, NULL, NULL), STATUS_OK);
        assert_true(is_limited);
        for (unsigned i = 0; i < threads; i++)
            assert_true(world->latest_ps[i] < 100000);
        if (threads == 1) all = handled(world);
        assert_in_range(all, 20, 1000);
        assert_int_equal(handled(world), all);
        work.limit_ps = INT64_MAX;
        assert_int_equal(windows_run(&work, threads, LOOKAHEAD_PS, NULL, NULL), STATUS_OK);
        assert_false(is_limited);
        assert_int_equal(handled(world), 10 * 101);
        world_free(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_trace_with_threads),
        cmocka_unit_test(test_idle_time_is_skipped),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_stop_before_the_first_window),
        cmocka_unit_test(test_endless_lookahead),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
