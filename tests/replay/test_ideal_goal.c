/*
 * The replay against an independent machine (tests/support/goal_reference.c) that reads what
 * `anax export --format goal` writes: random programs of blocking, non-blocking and persistent
 * messages of all modes, waited for and tested, eager and rendezvous by put and by get,
 * collectives, blocking and not, and one-sided operations with fences and locks take every rank as
 * long in both, to the picosecond, with hardware and with software progress. So each checks the
 * other, and the export. Locks are such that nobody is kept out, which GOAL cannot say.
 *
 * Every wait is followed by computation: GOAL says what an operation requires, not in how many
 * waits, and receives are taken in wait by wait.
 */
#include "core/random.h"
#include "goal_export.h"
#include "goal_reference.h"
#include "replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RANKS_MOST = 13, ROUNDS = 10, IN_FLIGHT = 4 * RANKS_MOST };

struct maker {
    struct world w;
    uint32_t seed;
    uint64_t draws;
    uint32_t ranks;
};

static uint32_t below(struct maker *m, uint32_t bound) {
    return random_below(random_draw(m->seed, RANDOM_PATTERN, 2, m->draws++).word[0], bound);
}

/* Without 1, which is what GOAL has instead of 0. */
static uint64_t random_size(struct maker *m) {
    static const uint64_t sizes[] = {0, 64, 960, 1024, 1088, 4800, 70400};
    return sizes[below(m, 7)];
}

/* Whole nanoseconds, as GOAL has them. */
static void compute(struct maker *m, uint32_t rank) {
    world_compute(&m->w, rank, 1000 * (1 + (int64_t)below(m, 5000)));
}

static void wait_for(struct maker *m, uint32_t rank, const uint64_t *requests, uint32_t count) {
    (below(m, 3) == 0 ? world_test : world_wait)(&m->w, rank, requests, count);
    compute(m, rank);
}

/* Everyone posts, computes, and waits for some at a time. */
static void non_blocking(struct maker *m) {
    uint64_t requests[RANKS_MOST][IN_FLIGHT];
    uint32_t counts[RANKS_MOST] = {0};
    for (uint64_t id = 1; id <= 3 * m->ranks; id++) {
        uint32_t from = below(m, m->ranks), to = below(m, m->ranks);
        uint64_t bytes = random_size(m);
        if (counts[from] + 2 > IN_FLIGHT || counts[to] + 2 > IN_FLIGHT) continue;
        world_irecv(&m->w, to, from, bytes, 1000 + id);
        (below(m, 2) ? world_start : world_isend)(&m->w, from, to, bytes, id);
        requests[to][counts[to]++] = 1000 + id;
        requests[from][counts[from]++] = id;
        if (below(m, 3) == 0) compute(m, to);
    }
    for (uint32_t rank = 0; rank < m->ranks; rank++)
        for (uint32_t first = 0; first < counts[rank];) {
            uint32_t count = 1 + below(m, counts[rank] - first);
            if (below(m, 2)) compute(m, rank);
            wait_for(m, rank, &requests[rank][first], count);
            first += count;
        }
}

/* Each message is posted on both sides before the next. */
static void blocking(struct maker *m) {
    for (uint32_t i = 0; i < 2 * m->ranks; i++) {
        uint32_t from = below(m, m->ranks), to = (from + 1 + below(m, m->ranks - 1)) % m->ranks;
        uint64_t bytes = random_size(m);
        world_send(&m->w, from, to, bytes, 0);
        compute(m, from);
        world_receive(&m->w, to, from, bytes);
        compute(m, to);
    }
}

static void shift(struct maker *m) {
    uint32_t distance = 1 + below(m, m->ranks - 1);
    uint64_t bytes = random_size(m);
    for (uint32_t rank = 0; rank < m->ranks; rank++) {
        world_sendrecv(&m->w, rank, (rank + distance) % m->ranks,
                       (rank + m->ranks - distance) % m->ranks, bytes);
        compute(m, rank);
    }
}

static void collective(struct maker *m) {
    static const uint32_t kinds[] = {PROGRAM_BARRIER,
                                     PROGRAM_BCAST,
                                     PROGRAM_REDUCE,
                                     PROGRAM_ALLREDUCE,
                                     PROGRAM_ALLGATHER,
                                     PROGRAM_GATHER,
                                     PROGRAM_ALLTOALL,
                                     PROGRAM_SCAN,
                                     PROGRAM_SCATTER,
                                     PROGRAM_EXSCAN,
                                     PROGRAM_REDUCE_SCATTER_BLOCK};
    uint32_t kind = kinds[below(m, sizeof kinds / sizeof *kinds)];
    uint64_t bytes = kind == PROGRAM_BARRIER ? 0 : random_size(m);
    bool rooted = kind == PROGRAM_BCAST || kind == PROGRAM_REDUCE || kind == PROGRAM_GATHER ||
                  kind == PROGRAM_SCATTER;
    uint32_t root = rooted ? below(m, m->ranks) : PROGRAM_NONE;
    bool waits = below(m, 2) == 0;
    const uint64_t id = 5000;
    for (uint32_t rank = 0; rank < m->ranks; rank++) {
        world_collective(&m->w, rank, kind, m->w.everyone, root, bytes, bytes, 0,
                         waits ? id : BUILDER_NO_REQUEST);
        compute(m, rank);
        if (waits) wait_for(m, rank, &id, 1);
    }
}

static void post_remote(struct maker *m, const char *call, uint32_t rank, uint32_t target,
                        int32_t tag, uint64_t bytes, unsigned flags, uint64_t request) {
    struct program_builder *builder = m->w.builder;
    builder_call(builder, rank, builder_region(builder, call, true), m->w.event++, 0, &m->w.status);
    builder_send(builder, rank, m->w.everyone, target, tag, bytes, flags, request, &m->w.status);
    builder_wait_call(builder, rank, &m->w.status);
    assert_int_equal(builder_return(builder, rank, 0, false, &m->w.status), STATUS_OK);
}

/* Window i is locked exclusively by rank i alone, one more by many at once. */
static void lock(struct maker *m, uint32_t rank, uint32_t target, bool exclusive, bool takes) {
    const int32_t mine = PROGRAM_TAG_LOCK + 6 * (int32_t)rank,
                  ours = PROGRAM_TAG_LOCK + 6 * RANKS_MOST;
    const unsigned flags = PROGRAM_REMOTE_WRITE;
    const char *call = takes ? "MPI_Win_lock" : "MPI_Win_unlock";
    if (!exclusive) {
        post_remote(m, call, rank, 0, ours + (takes ? PROGRAM_LOCK_ALL : PROGRAM_UNLOCK_WHOLE), 0,
                    flags, BUILDER_NO_REQUEST);
    } else {
        post_remote(m, call, rank, takes ? 0 : target,
                    mine + (takes ? PROGRAM_LOCK_ONE : PROGRAM_UNLOCK), 0, flags,
                    BUILDER_NO_REQUEST);
        compute(m, rank);
        post_remote(m, call, rank, takes ? target : 0,
                    mine + (takes ? PROGRAM_LOCK_EXCLUSIVE : PROGRAM_UNLOCK_WHOLE), 0, flags,
                    BUILDER_NO_REQUEST);
    }
    compute(m, rank);
}

/* Puts, gets and accumulates that fetch, of other sizes than a control message. */
static uint32_t operate(struct maker *m, uint32_t rank, uint32_t target, bool anywhere,
                        uint64_t *requests) {
    static const uint64_t sizes[] = {0, 8, 1000, 5000, 70000};
    uint32_t count = 1 + below(m, 4);
    for (uint32_t i = 0; i < count; i++) {
        requests[i] = 7000 + i;
        unsigned ways = 1 + below(m, 3); /* written, read, both */
        post_remote(m, "MPI_Put", rank, anywhere ? below(m, m->ranks) : target, PROGRAM_TAG_REMOTE,
                    sizes[below(m, 5)],
                    (ways & 1 ? PROGRAM_REMOTE_WRITE : 0) | (ways & 2 ? PROGRAM_REMOTE_READ : 0),
                    requests[i]);
        if (below(m, 2)) compute(m, rank);
    }
    return count;
}

static void fences(struct maker *m) {
    for (uint32_t rank = 0; rank < m->ranks; rank++) {
        uint64_t requests[4];
        uint32_t count = operate(m, rank, 0, true, requests);
        wait_for(m, rank, requests, count);
        world_collective(&m->w, rank, PROGRAM_WINDOW, m->w.everyone, PROGRAM_NONE, 0, 0, 0,
                         BUILDER_NO_REQUEST);
        compute(m, rank);
    }
}

static void locks(struct maker *m) {
    for (uint32_t rank = 0; rank < m->ranks; rank++) {
        uint64_t requests[4];
        uint32_t target = below(m, m->ranks);
        bool exclusive = below(m, 2) == 0;
        lock(m, rank, target, exclusive, true);
        uint32_t count = operate(m, rank, target, !exclusive, requests);
        wait_for(m, rank, requests, count);
        lock(m, rank, target, exclusive, false);
    }
}

static void make(struct maker *m, uint32_t seed) {
    static void (*const rounds[])(struct maker *) = {non_blocking, blocking, shift,
                                                     collective,   fences,   locks};
    *m = (struct maker){.seed = seed};
    m->ranks = 2 + below(m, RANKS_MOST - 1);
    world_new(&m->w, m->ranks);
    for (uint32_t rank = 0; rank < m->ranks; rank++)
        compute(m, rank);
    for (uint32_t round = 0; round < ROUNDS; round++)
        rounds[below(m, 6)](m);
    world_seal(&m->w);
}

/* Makes some sends synchronous, buffered or ready; the modes in order, to be freed. */
static uint8_t *draw_modes(struct maker *m, uint32_t rank) {
    static const uint8_t flags[] = {[GOAL_SYNCHRONOUS] = PROGRAM_SYNCHRONOUS,
                                    [GOAL_BUFFERED] = PROGRAM_BUFFERED,
                                    [GOAL_READY] = PROGRAM_READY};
    const struct program_rank *part = &m->w.program->ranks[rank];
    uint8_t *modes = calloc(part->send_count + 1, 1);
    uint32_t sends = 0;
    for (uint64_t i = 0; i < part->count; i++) {
        struct program_operation *operation = &m->w.program->operations[part->first + i];
        if (operation->kind != PROGRAM_SEND || program_is_remote(operation)) continue;
        uint8_t mode = below(m, 2) ? GOAL_STANDARD : (uint8_t)below(m, 4);
        operation->flags |= flags[mode];
        modes[sends++] = mode;
    }
    return modes;
}

static struct goal_cost cost_of(const struct by_size *each_ps, const struct by_size *kib_ps,
                                const struct by_size *copy_kib_ps, const struct by_size *start_ps,
                                unsigned step) {
    return (struct goal_cost){each_ps->steps[step].value, kib_ps->steps[step].value,
                              copy_kib_ps->steps[step].value, start_ps->steps[step].value};
}

/* The costs' steps are at the same size. */
static struct goal_machine machine_of(const struct world *w) {
    const struct replay_config *c = &w->config;
    struct goal_machine machine =
        (struct goal_machine){.latency_ps = WORLD_LATENCY_PS,
                              .byte_ps = WORLD_Z(1) - WORLD_Z(0),
                              .memory_latency_ps = WORLD_MEMORY_PS,
                              .memory_byte_ps = INT64_C(1000000000000) / WORLD_MEMORY_BANDWIDTH,
                              .large_bytes = (uint64_t)c->send_overhead_ps.steps[1].from_bytes,
                              .eager_bytes = (uint64_t)w->config.eager_threshold_bytes,
                              .control_bytes = (uint64_t)w->config.control_bytes,
                              .fetches = w->config.rendezvous == REPLAY_RENDEZVOUS_GET,
                              .software = w->config.progress == REPLAY_PROGRESS_SOFTWARE,
                              .ranks_per_node = w->ranks_per_node};
    for (unsigned step = 0; step < 2; step++) {
        machine.send[step] =
            cost_of(&c->send_overhead_ps, &c->send_overhead_per_kib_ps,
                    &c->eager_send_copy_per_kib_ps, &c->rendezvous_send_overhead_ps, step);
        machine.receive[step] =
            cost_of(&c->receive_overhead_ps, &c->receive_overhead_per_kib_ps,
                    &c->eager_receive_copy_per_kib_ps, &c->rendezvous_receive_overhead_ps, step);
    }
    return machine;
}

/* Costs of all kinds at both ends, small and large messages apart. */
static void draw_costs(struct maker *m) {
    struct replay_config *c = &m->w.config;
    struct by_size *const costs[] = {&c->send_overhead_ps,
                                     &c->receive_overhead_ps,
                                     &c->send_overhead_per_kib_ps,
                                     &c->receive_overhead_per_kib_ps,
                                     &c->eager_send_copy_per_kib_ps,
                                     &c->eager_receive_copy_per_kib_ps,
                                     &c->rendezvous_send_overhead_ps,
                                     &c->rendezvous_receive_overhead_ps};
    static const int64_t sizes[] = {64, 1000, 1024, 4800, 70000};
    int64_t from_bytes = sizes[below(m, 5)];
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        *costs[i] = by_size_constant(1 + below(m, 900000));
        costs[i]->steps[costs[i]->count++] =
            (struct by_size_step){from_bytes, 1000000 + below(m, 1000000)};
    }
}

static void same_times(uint32_t seed, bool with_modes, bool software) {
    static const int64_t thresholds[] = {0, WORLD_THRESHOLD, 1 << 30};
    struct maker maker, *m = &maker;
    make(m, seed);
    struct world *w = &m->w;
    draw_costs(m);
    /* Then collectives run on while their ranks make calls. */
    if (software && seed % 2 == 0) w->config.receive_overhead_ps.steps[0].value = 3000000;
    /* Whole nanoseconds. GOAL does not tell it from computation, during which software does not
     * answer. */
    w->config.reduction_per_kib_ps = software ? 0 : 1024000;
    w->config.progress = software ? REPLAY_PROGRESS_SOFTWARE : REPLAY_PROGRESS_HARDWARE;
    w->config.eager_threshold_bytes = thresholds[below(m, 3)];
    w->config.rendezvous = below(m, 2) ? REPLAY_RENDEZVOUS_GET : REPLAY_RENDEZVOUS_PUT;
    w->ranks_per_node = 1 + below(m, 3);
    uint8_t *modes[RANKS_MOST] = {NULL};
    for (uint32_t rank = 0; with_modes && rank < m->ranks; rank++)
        modes[rank] = draw_modes(m, rank);
    const struct replay_result *result = world_finish(w);
    struct goal_machine machine = machine_of(w);
    char *text = goal_export(w);
    assert_non_null(text);
    int64_t times_ps[RANKS_MOST];
    assert_true(
        goal_times(text, &machine, with_modes ? (const uint8_t *const *)modes : NULL, times_ps));
    for (uint32_t rank = 0; rank < m->ranks; rank++) {
        if (times_ps[rank] != result->ranks[rank].time_ps)
            fail_msg("seed %u, rank %u: %lld ps, replayed in %lld ps", seed, rank,
                     (long long)times_ps[rank], (long long)result->ranks[rank].time_ps);
        free(modes[rank]);
    }
    free(text);
    world_free(w);
}

static void standard_sends(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 150; seed++)
        same_times(seed, false, false);
}

static void all_modes(void **state) {
    (void)state;
    for (uint32_t seed = 1001; seed <= 1150; seed++)
        same_times(seed, true, false);
}

static void software_progress(void **state) {
    (void)state;
    for (uint32_t seed = 3251; seed <= 3400; seed++)
        same_times(seed, seed % 2, true);
}

/* By hand: 5 ns, o = 1, then 2 + 3·100; the other computes 1 and takes it in for 4. */
static void reference_by_hand(void **state) {
    (void)state;
    const char *text = "num_ranks 2\nrank 0 {\nl1: calc 5\nl2: send 100b to 1 tag 7\nl2 requires "
                       "l1\nl3: calc 0\nl3 requires l2\n}\nrank 1 {\nl1: calc 1\nl2: recv 100b "
                       "from 0 tag 7\nl2 requires l1\nl3: calc 6\nl3 requires l2\n}\n";
    struct goal_machine machine = {.latency_ps = 2000,
                                   .byte_ps = 3000,
                                   .send = {{.each_ps = 1000}},
                                   .receive = {{.each_ps = 4000}},
                                   .eager_bytes = 100,
                                   .control_bytes = 10,
                                   .ranks_per_node = 1};
    int64_t times_ps[2];
    assert_true(goal_times(text, &machine, NULL, times_ps));
    assert_int_equal(times_ps[0], 6000);
    assert_int_equal(times_ps[1], 6000 + 302000 + 4000 + 6000);
    machine.eager_bytes = 99; /* announced at 6, there at 38, answered at 70 */
    assert_true(goal_times(text, &machine, NULL, times_ps));
    assert_int_equal(times_ps[0], 70000 + 300000);
    assert_int_equal(times_ps[1], 70000 + 302000 + 4000 + 6000);
    machine.fetches = true;
    assert_true(goal_times(text, &machine, NULL, times_ps));
    assert_int_equal(times_ps[0], 70000 + 302000 + 32000);
    assert_false(goal_times("num_ranks 1\nrank 0 {\nl1: recv 5b from 0 tag 1\n}\n", &machine, NULL,
                            times_ps));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_by_hand),
        cmocka_unit_test(standard_sends),
        cmocka_unit_test(all_modes),
        cmocka_unit_test(software_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
