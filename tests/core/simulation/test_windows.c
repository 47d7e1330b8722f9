/*
 * Conservative windows, with a small world of domains that send each other marbles: a marble that
 * is handled at time t goes to another domain at t + lookahead or later. Every marble's way is a
 * function of its own number, so the trace is the same for any number of threads.
 */
#include "core/simulation/windows.h"

#include "core/base/digest.h"
#include "core/simulation/active_threads.h"
#include "core/simulation/barrier.h"
#include "core/simulation/event_queue.h"
#include "core/simulation/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DOMAINS      7
#define THREADS_MAX  4
#define LOOKAHEAD_PS 1000
#define BOX          4096
#define SHIFT        6

struct marble {
    int64_t time_ps;
    uint32_t domain;
    uint32_t marble_number;
    uint32_t hops_left;
};

struct box {
    struct marble marbles[BOX];
    size_t count;
};

struct world {
    unsigned threads;
    struct dealing_choice dealing;
    bool is_adapting;
    struct event_queue queues[DOMAINS];
    int64_t next_ps[DOMAINS];
    uint64_t digest[DOMAINS]; /* of all that was handled there, in order */
    uint64_t handled[DOMAINS];
    struct box boxes[2][THREADS_MAX][DOMAINS];
    int64_t latest_ps[DOMAINS];
    uint64_t run_calls[DOMAINS];
    uint64_t prefetches[THREADS_MAX];
    int64_t last_start_ps;
    int64_t limit_ps;
    int64_t lookahead_ps;
    uint64_t progress_calls;
    uint64_t stop_after;   /* calls of progress */
    uint32_t stops_domain; /* its run ends everything; DOMAINS: none */
    struct windows_result result;
};

static void put(struct world *world, const struct marble *marble) {
    event_queue_insert_keyed(&world->queues[marble->domain], marble->time_ps,
                             1 + marble->marble_number, marble->hops_left, 0);
}

static void handle(struct world *world, const struct windows_worker *worker, uint32_t domain,
                   int64_t now_ps, const struct event_record *event) {
    uint32_t number = (uint32_t)event->key - 1;
    assert_true(now_ps >= world->latest_ps[domain]); /* nothing comes too late */
    world->latest_ps[domain] = now_ps;
    world->handled[domain]++;
    world->digest[domain] = digest_mix(digest_mix(world->digest[domain], event->key),
                                       digest_mix((uint64_t)now_ps, event->data));
    if (event->data == 0) return;
    struct random_block draw = random_draw(3, RANDOM_NOISE, number, event->data);
    /* Now and then a long pause: idle time that is to be skipped. */
    int64_t pause_ps = draw.word[1] % 16 == 0 ? 50000000 : draw.word[1] % 5000;
    /* Most marbles stay for a while where they are, and go on sooner there. */
    bool stays = draw.word[2] % 4 != 0;
    struct marble next = {now_ps + (stays ? draw.word[1] % 700 : LOOKAHEAD_PS + pause_ps),
                          stays ? domain : draw.word[0] % DOMAINS, number,
                          (uint32_t)event->data - 1};
    if (next.domain == domain) {
        put(world, &next);
        return;
    }
    struct box *box = &world->boxes[worker->window & 1][worker->thread][next.domain];
    assert_true(box->count < BOX);
    box->marbles[box->count++] = next;
}

static int64_t run(void *context, const struct windows_worker *worker, uint32_t domain,
                   int64_t end_ps, uint64_t *work) {
    struct world *world = context;
    int64_t now_ps;
    world->run_calls[domain]++;
    while ((now_ps = event_queue_peek(&world->queues[domain], end_ps)) != EVENT_NEVER) {
        struct event_record event;
        assert_true(event_queue_take_keyed(&world->queues[domain], now_ps, &event));
        handle(world, worker, domain, now_ps, &event);
        ++*work;
    }
    if (domain == world->stops_domain) return WINDOWS_STOP;
    return event_queue_next_bound_ps(&world->queues[domain]);
}

static int64_t first_of(const struct box *box) {
    int64_t earliest_ps = EVENT_NEVER;
    for (size_t i = 0; i < box->count; i++)
        if (box->marbles[i].time_ps < earliest_ps) earliest_ps = box->marbles[i].time_ps;
    return earliest_ps;
}

static int64_t first_sent(void *context, const struct windows_worker *worker) {
    struct world *world = context;
    int64_t earliest_ps = EVENT_NEVER;
    for (uint32_t to = 0; to < DOMAINS; to++) {
        int64_t sent_ps = first_of(&world->boxes[worker->window & 1][worker->thread][to]);
        if (sent_ps < earliest_ps) earliest_ps = sent_ps;
    }
    return earliest_ps;
}

static void report(void *context, const struct windows_worker *worker) {
    struct world *world = context;
    for (uint32_t to = 0; to < DOMAINS; to++) {
        const struct box *box = &world->boxes[worker->window & 1][worker->thread][to];
        if (box->count > 0) windows_record_sent(worker->windows, to, first_of(box));
    }
}

static void receive(void *context, const struct windows_worker *worker, uint32_t domain) {
    struct world *world = context;
    for (unsigned from = 0; from < world->threads; from++) {
        struct box *box = &world->boxes[~worker->window & 1][from][domain];
        for (size_t i = 0; i < box->count; i++)
            put(world, &box->marbles[i]);
        box->count = 0;
    }
}

static uint64_t handled(const struct world *world) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < DOMAINS; i++) {
        sum += world->handled[i];
    }
    return sum;
}

static bool progress(void *context, int64_t now_ps, uint64_t work) {
    struct world *world = context;
    assert_true(now_ps > world->last_start_ps || world->progress_calls == 0);
    if (world->threads == 1) assert_int_equal(work, handled(world));
    world->last_start_ps = now_ps;
    return ++world->progress_calls == world->stop_after;
}

/* Called only if several threads work, for the two domains after the one that a thread runs. */
static void prefetch(void *context, const struct windows_worker *worker, uint32_t domain,
                     unsigned ahead) {
    struct world *world = context;
    assert_false(worker->has_one_thread);
    assert_in_range(domain, 0, DOMAINS - 1);
    assert_in_range(ahead, 0, 1);
    world->prefetches[worker->thread]++;
}

static struct world *world_new(unsigned threads, uint32_t marbles, uint32_t hops) {
    struct world *world = calloc(1, sizeof *world);
    world->threads = threads;
    world->lookahead_ps = LOOKAHEAD_PS;
    world->stops_domain = DOMAINS;
    for (unsigned i = 0; i < DOMAINS; i++)
        assert_int_equal(event_queue_new(&world->queues[i], 1 << SHIFT, NULL), STATUS_OK);
    for (uint32_t i = 0; i < marbles; i++) {
        struct marble first = {i * 77, i % DOMAINS, i, hops};
        put(world, &first);
    }
    return world;
}

static uint64_t world_run(struct world *world) {
    struct windows_setup work = {.context = world,
                                 .domains = DOMAINS,
                                 .next_ps = world->next_ps,
                                 .lookahead_ps = world->lookahead_ps,
                                 .limit_ps = world->limit_ps,
                                 .shift = SHIFT,
                                 .receive = receive,
                                 .prefetch = prefetch,
                                 .run = run,
                                 .earliest_sent_ps = first_sent,
                                 .report = report,
                                 .progress = progress};
    struct status status = STATUS_INIT;
    for (unsigned i = 0; i < DOMAINS; i++)
        world->next_ps[i] = event_queue_next_ps(&world->queues[i]);
    struct windows_threads threads = {world->threads, world->is_adapting, world->dealing};
    assert_int_equal(windows_run(&work, threads, &world->result, &status), STATUS_OK);
    return world->result.windows;
}

static void world_free(struct world *world) {
    for (unsigned i = 0; i < DOMAINS; i++)
        event_queue_free(&world->queues[i]);
    free(world);
}

static const char *const dealings[] = {"dynamic", "static", "random", "random,delays"};

/* Equal for any number of threads and any dealing: what is handled where, the windows, and the
 * work of the busiest domains. */
static void any_number_of_threads_gives_the_same_trace(void **state) {
    (void)state;
    const uint32_t marbles = 40, hops = 60;
    struct world *serial = world_new(1, marbles, hops);
    uint64_t windows = world_run(serial);
    assert_int_equal(handled(serial), marbles * (hops + 1)); /* each exactly once */
    assert_int_equal(serial->result.work, handled(serial));
    assert_in_range(serial->result.critical_work, serial->result.work / DOMAINS + 1,
                    serial->result.work - 1);
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        for (size_t i = 0; i < sizeof dealings / sizeof dealings[0]; i++) {
            struct world *parallel = world_new(threads, marbles, hops);
            assert_true(dealing_choice_of_text(&parallel->dealing, dealings[i]));
            assert_int_equal(world_run(parallel), windows);
            assert_memory_equal(parallel->digest, serial->digest, sizeof serial->digest);
            assert_memory_equal(parallel->handled, serial->handled, sizeof serial->handled);
            assert_memory_equal(parallel->run_calls, serial->run_calls, sizeof serial->run_calls);
            assert_int_equal(parallel->last_start_ps, serial->last_start_ps);
            assert_int_equal(parallel->result.critical_work, serial->result.critical_work);
            assert_int_equal(parallel->result.threads, threads);
            world_free(parallel);
        }
    }
    world_free(serial);
}

/* The number of threads that work changes during the run. */
static void a_changing_number_of_threads_gives_the_same_trace(void **state) {
    (void)state;
    struct world *serial = world_new(1, 40, 8000);
    uint64_t windows = world_run(serial);
    struct world *adapting = world_new(THREADS_MAX, 40, 8000);
    adapting->is_adapting = true;
    assert_int_equal(world_run(adapting), windows);
    assert_memory_equal(adapting->digest, serial->digest, sizeof serial->digest);
    assert_int_equal(adapting->result.critical_work, serial->result.critical_work);
    assert_true(adapting->result.threads > 1); /* it lasts long enough for a trial */
    world_free(adapting);
    world_free(serial);
}

/* One thread is tried first, then several. What is faster is kept, and tried again later. */
static void the_faster_number_of_threads_is_kept(void **state) {
    (void)state;
    const uint64_t rates[2][2] = {{100, 104}, {100, 150}}; /* per ms, with one and with several */
    for (unsigned helps = 0; helps < 2; helps++) {
        struct active_threads threads;
        active_threads_begin(&threads, 8, 0, 0);
        uint64_t work = 0, several_ms = 0;
        unsigned active = 1;
        for (int64_t ms = 1; ms <= 4000; ms++) {
            work += rates[helps][active > 1];
            active = active_threads_next(&threads, ms * 1000000, work, 6);
            assert_true(active == 1 || active == 6);
            several_ms += active > 1;
            assert_true(ms > 4 || active == 1);
            assert_true(ms != 7 || active == 6);
        }
        assert_true(helps ? several_ms > 3900 : several_ms < 100);
        assert_int_equal(active_threads_next(&threads, INT64_C(4001000000), work, 1), 1);
    }
}

/* A thread's list is known before the thread takes from it, as long as no other thread takes. */
static void the_next_domains_of_a_thread_are_known(void **state) {
    (void)state;
    struct dealing dealing;
    struct status status = STATUS_INIT;
    const struct dealing_choice choice = {.kind = DEALING_STATIC};
    assert_int_equal(dealing_init(&dealing, choice, DOMAINS, 2, &status), STATUS_OK);
    bool has_work[DOMAINS];
    memset(has_work, true, sizeof has_work);
    dealing_begin(&dealing, 0, 2, has_work);
    for (unsigned thread = 0; thread < 2; thread++) {
        uint32_t next, after, taken;
        for (uint32_t count = (DOMAINS + 1 - thread) / 2; count > 0; count--) {
            assert_true(dealing_peek(&dealing, thread, 0, &next));
            assert_int_equal(dealing_peek(&dealing, thread, 1, &after), count > 1);
            assert_true(dealing_take(&dealing, thread, &taken));
            assert_int_equal(taken, next);
            if (count > 1) assert_true(dealing_peek(&dealing, thread, 0, &next) && next == after);
        }
        assert_false(dealing_peek(&dealing, thread, 0, &next));
        assert_false(dealing_take(&dealing, thread, &taken));
    }
    dealing_clear(&dealing);
}

static void only_several_threads_prefetch(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        struct world *world = world_new(threads, 40, 60);
        world->dealing.kind = DEALING_STATIC;
        world_run(world);
        uint64_t prefetches = 0;
        for (unsigned i = 0; i < threads; i++)
            prefetches += world->prefetches[i];
        assert_int_equal(prefetches > 0, threads > 1);
        world_free(world);
    }
}

static void dealings_have_names(void **state) {
    (void)state;
    struct dealing_choice choice;
    assert_true(dealing_choice_of_text(&choice, "static"));
    assert_int_equal(choice.kind, DEALING_STATIC);
    assert_false(choice.has_delays);
    assert_true(dealing_choice_of_text(&choice, "random,delays"));
    assert_int_equal(choice.kind, DEALING_RANDOM);
    assert_true(choice.has_delays);
    assert_false(dealing_choice_of_text(&choice, "dynamics"));
    assert_false(dealing_choice_of_text(&choice, ""));
}

/* A single marble: its domain is always alone, and goes on through many lookaheads in one window,
 * until a lookahead after the marble has left. */
static void a_domain_alone_goes_on_through_many_lookaheads(void **state) {
    (void)state;
    struct world *world = world_new(1, 1, 200);
    uint64_t windows = world_run(world), visits = 0;
    assert_int_equal(handled(world), 201);
    for (unsigned i = 0; i < DOMAINS; i++)
        visits += world->run_calls[i];
    assert_in_range(windows, 10, 70); /* a quarter of the hops go elsewhere: 50 of 200 */
    assert_true(visits > windows);
    assert_int_equal(world->result.critical_work, 201); /* no two domains ever work at once */
    world_free(world);
}

static void nothing_to_do_ends_at_once(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        struct world *world = world_new(threads, 0, 0);
        assert_int_equal(world_run(world), 0);
        assert_int_equal(world->progress_calls, 0);
        world_free(world);
    }
}

/* `progress` ends the run after the window it was called for, at the same place for all threads. */
static void a_run_stops_after_the_same_window(void **state) {
    (void)state;
    uint64_t expected[DOMAINS];
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        struct world *world = world_new(threads, 40, 30);
        world->stop_after = 5;
        assert_int_equal(world_run(world), 5);
        assert_int_equal(world->progress_calls, 5);
        assert_false(world->result.is_limited);
        if (threads == 1) memcpy(expected, world->digest, sizeof expected);
        assert_memory_equal(world->digest, expected, sizeof expected);
        assert_true(handled(world) < 40 * 31);
        world_free(world);
    }
}

/* Any domain can end the run, after the window in which it says so. */
static void any_domain_can_end_the_run(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        struct world *world = world_new(threads, 10, 10);
        world->stops_domain = 3;
        assert_int_equal(world_run(world), 1);
        assert_false(world->result.is_limited);
        assert_true(handled(world) < 10 * 11);
        world_free(world);
    }
}

/* With nothing to come from other domains a single window runs to the end of time. */
static void endless_lookahead_takes_one_window(void **state) {
    (void)state;
    struct world *world = world_new(1, 10, 0);
    world->lookahead_ps = EVENT_NEVER;
    assert_int_equal(world_run(world), 1);
    assert_int_equal(handled(world), 10);
    world_free(world);
}

/* What is at the limit or beyond is not run, by any number of threads, and told. */
static void nothing_runs_at_the_limit_or_beyond(void **state) {
    (void)state;
    uint64_t all = 0;
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        struct world *world = world_new(threads, 10, 100);
        world->limit_ps = 100000;
        world_run(world);
        assert_true(world->result.is_limited);
        for (unsigned i = 0; i < DOMAINS; i++)
            assert_true(world->latest_ps[i] < 100000);
        if (threads == 1) all = handled(world);
        assert_in_range(all, 20, 1000);
        assert_int_equal(handled(world), all);
        world_free(world);
    }
}

/* Short sleeps make a thread spin longer, up to the limit, and long ones shorter. However many long
 * sleeps there were, some short ones suffice to come back to the limit. */
static void short_sleeps_bring_spinning_back(void **state) {
    enum { MAX = 2000 };
    unsigned spins = MAX;
    (void)state;
    assert_int_equal(barrier_next_spins(spins, MAX, BARRIER_SLEEP_NS), MAX / 2);
    for (int i = 0; i < 100; i++)
        spins = barrier_next_spins(spins, MAX, 1000 * BARRIER_SLEEP_NS);
    assert_int_equal(spins, BARRIER_SPINS_MIN);
    for (int i = 0; i < 7; i++)
        spins = barrier_next_spins(spins, MAX, BARRIER_SLEEP_NS - 1);
    assert_int_equal(spins, MAX);
    assert_int_equal(barrier_next_spins(spins, MAX, -1), MAX); /* released before it slept */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_trace),
        cmocka_unit_test(a_changing_number_of_threads_gives_the_same_trace),
        cmocka_unit_test(the_faster_number_of_threads_is_kept),
        cmocka_unit_test(the_next_domains_of_a_thread_are_known),
        cmocka_unit_test(only_several_threads_prefetch),
        cmocka_unit_test(dealings_have_names),
        cmocka_unit_test(a_domain_alone_goes_on_through_many_lookaheads),
        cmocka_unit_test(nothing_to_do_ends_at_once),
        cmocka_unit_test(a_run_stops_after_the_same_window),
        cmocka_unit_test(any_domain_can_end_the_run),
        cmocka_unit_test(endless_lookahead_takes_one_window),
        cmocka_unit_test(nothing_runs_at_the_limit_or_beyond),
        cmocka_unit_test(short_sleeps_bring_spinning_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
