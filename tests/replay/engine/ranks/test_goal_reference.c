/*
 * The replay against an independent machine, tests/support/replay/goal_reference.c, which reads
 * what `anax export --format goal` writes. Every rank must take as long in both, to the picosecond,
 * with hardware and with software progress. So each of them checks the other, and the export.
 *
 * The programs are random. They have:
 * - blocking, non-blocking and persistent messages of all modes, which are waited for or tested,
 *   and are eager or rendezvous, by put and by get;
 * - blocking and non-blocking collectives;
 * - one-sided operations with fences and locks. No rank waits for a lock, since GOAL cannot say
 *   that.
 *
 * With hardware progress the critical path of every rank has the same steps and parts in both.
 *
 * Every wait is followed by computation. GOAL says what an operation requires, but not in how many
 * waits, and the replay takes receives in wait by wait.
 */
#include "core/simulation/random.h"
#include "tests/support/replay/goal_reference.h"
#include "tests/support/replay/replay_world.h"
#include "tests/support/traces/goal_export.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS_MAX = 13, ROUNDS = 10, IN_FLIGHT = 4 * RANKS_MAX };

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
    uint64_t requests[RANKS_MAX][IN_FLIGHT];
    uint32_t counts[RANKS_MAX] = {0};
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
    static const uint32_t kinds[] = {PROGRAM_COLLECTIVE_BARRIER,
                                     PROGRAM_COLLECTIVE_BCAST,
                                     PROGRAM_COLLECTIVE_REDUCE,
                                     PROGRAM_COLLECTIVE_ALLREDUCE,
                                     PROGRAM_COLLECTIVE_ALLGATHER,
                                     PROGRAM_COLLECTIVE_GATHER,
                                     PROGRAM_COLLECTIVE_ALLTOALL,
                                     PROGRAM_COLLECTIVE_SCAN,
                                     PROGRAM_COLLECTIVE_SCATTER,
                                     PROGRAM_COLLECTIVE_EXSCAN,
                                     PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK};
    uint32_t kind = kinds[below(m, sizeof kinds / sizeof *kinds)];
    uint64_t bytes = kind == PROGRAM_COLLECTIVE_BARRIER ? 0 : random_size(m);
    bool rooted = kind == PROGRAM_COLLECTIVE_BCAST || kind == PROGRAM_COLLECTIVE_REDUCE ||
                  kind == PROGRAM_COLLECTIVE_GATHER || kind == PROGRAM_COLLECTIVE_SCATTER;
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

static void post_rma(struct maker *m, const char *call, uint32_t rank, uint32_t target, int32_t tag,
                     uint64_t bytes, unsigned flags, uint64_t request) {
    struct program_builder *builder = m->w.builder;
    builder_call(builder, rank, builder_define_region(builder, call, true), m->w.next_call++, 0,
                 &m->w.status);
    builder_send(builder, rank, m->w.everyone, target, tag, bytes, flags, request, &m->w.status);
    builder_wait_call(builder, rank, &m->w.status);
    assert_int_equal(builder_return(builder, rank, 0, false, &m->w.status), STATUS_OK);
}

/* Window i is locked exclusively by rank i alone, one more by many at once. */
static void lock(struct maker *m, uint32_t rank, uint32_t target, bool exclusive, bool takes) {
    const int32_t mine = PROGRAM_TAG_LOCK + 6 * (int32_t)rank,
                  ours = PROGRAM_TAG_LOCK + 6 * RANKS_MAX;
    const unsigned flags = OPERATION_FLAG_RMA_WRITE;
    const char *call = takes ? "MPI_Win_lock" : "MPI_Win_unlock";
    if (!exclusive) {
        post_rma(m, call, rank, 0, ours + (takes ? PROGRAM_LOCK_ALL : PROGRAM_LOCK_RELEASE_ALL), 0,
                 flags, BUILDER_NO_REQUEST);
    } else {
        post_rma(m, call, rank, takes ? 0 : target,
                 mine + (takes ? PROGRAM_LOCK_ONE : PROGRAM_LOCK_RELEASE), 0, flags,
                 BUILDER_NO_REQUEST);
        compute(m, rank);
        post_rma(m, call, rank, takes ? target : 0,
                 mine + (takes ? PROGRAM_LOCK_EXCLUSIVE : PROGRAM_LOCK_RELEASE_ALL), 0, flags,
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
        post_rma(m, "MPI_Put", rank, anywhere ? below(m, m->ranks) : target, PROGRAM_TAG_RMA,
                 sizes[below(m, 5)],
                 (ways & 1 ? OPERATION_FLAG_RMA_WRITE : 0) |
                     (ways & 2 ? OPERATION_FLAG_RMA_READ : 0),
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
        world_collective(&m->w, rank, PROGRAM_COLLECTIVE_WINDOW, m->w.everyone, PROGRAM_NONE, 0, 0,
                         0, BUILDER_NO_REQUEST);
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
    m->ranks = 2 + below(m, RANKS_MAX - 1);
    world_new(&m->w, m->ranks);
    for (uint32_t rank = 0; rank < m->ranks; rank++)
        compute(m, rank);
    for (uint32_t round = 0; round < ROUNDS; round++)
        rounds[below(m, 6)](m);
    world_seal(&m->w);
}

/* Makes some sends synchronous, buffered or ready; the modes in order, to be freed. */
static uint8_t *draw_modes(struct maker *m, uint32_t rank) {
    static const uint8_t flags[] = {[GOAL_SYNCHRONOUS] = OPERATION_FLAG_SEND_SYNCHRONOUS,
                                    [GOAL_BUFFERED] = OPERATION_FLAG_SEND_BUFFERED,
                                    [GOAL_READY] = OPERATION_FLAG_SEND_READY};
    const struct program_rank *rank_entry = &m->w.program->ranks[rank];
    uint8_t *modes = calloc(rank_entry->send_count + 1, 1);
    uint32_t sends = 0;
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        struct program_operation *operation = &m->w.program->operations[rank_entry->first + i];
        if (operation->kind != OPERATION_SEND || program_is_one_sided(operation)) continue;
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
                              .byte_ps = WORLD_MESSAGE_PS(1) - WORLD_MESSAGE_PS(0),
                              .memory_latency_ps = WORLD_MEMORY_PS,
                              .memory_byte_ps = INT64_C(1000000000000) / WORLD_MEMORY_BYTES_PER_S,
                              .large_bytes = (uint64_t)c->send_overhead_ps.steps[1].from_bytes,
                              .eager_bytes = (uint64_t)w->config.eager_threshold_bytes,
                              .control_bytes = (uint64_t)w->config.control_bytes,
                              .fetches = w->config.rendezvous == REPLAY_RENDEZVOUS_GET,
                              .software = w->config.progress == REPLAY_PROGRESS_SOFTWARE,
                              .ranks_per_node = w->ranks_per_node,
                              .start_ps = w->options.start_ps};
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

/* ---- critical paths ---- */

#define PATH_STEPS UINT32_MAX

static goal_step_kind kind_of(const struct replay_path_step *step) {
    static const struct {
        const char *cause;
        goal_step_kind kind;
    } kinds[] = {{"computation", GOAL_COMPUTES}, {"work", GOAL_COMPUTES},
                 {"send", GOAL_SENDS},           {"receive", GOAL_RECEIVES},
                 {"message", GOAL_MESSAGE},      {"rendezvous", GOAL_CONTROL},
                 {"late_start", GOAL_STARTS},    {"departure", GOAL_LEAVES}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(step->cause, kinds[i].cause) == 0) return kinds[i].kind;
    fail_msg("a step because of %s", step->cause);
    return 0;
}

/* Adds a step, unless it is empty or the rank goes on with the same. */
static void add_step(struct goal_path *path, const struct goal_step *step) {
    struct goal_step *last = path->count > 0 ? &path->steps[path->count - 1] : NULL;
    if (step->from_ps == step->to_ps) return;
    if (last != NULL && step->kind <= GOAL_RECEIVES && last->kind == step->kind &&
        last->rank == step->rank)
        last->to_ps = step->to_ps;
    else
        path->steps[path->count++] = *step;
}

/* The steps of a path in order, and as few as possible. */
static struct goal_path path_replayed(const struct replay_critical_path *path) {
    struct goal_path made = {calloc(path->step_count + 1, sizeof *made.steps), 0};
    for (uint64_t i = 0; i < path->step_count; i++) {
        const struct replay_path_step *step = &path->steps[i];
        add_step(&made, &(struct goal_step){kind_of(step), step->rank, step->from_ps, step->to_ps});
    }
    return made;
}

static struct goal_path path_in_order(const struct goal_path *path) {
    struct goal_path made = {calloc(path->count + 1, sizeof *made.steps), 0};
    for (size_t i = path->count; i-- > 0;)
        add_step(&made, &path->steps[i]);
    return made;
}

/* What the parts of a kind add up to. */
static int64_t part_ps(const struct replay_critical_path *path, const char *kind) {
    int64_t sum_ps = 0;
    for (uint32_t i = 0; i < path->part_count; i++)
        if (strcmp(path->parts[i].kind, kind) == 0) sum_ps += path->parts[i].time_ps;
    return sum_ps;
}

/* Reductions are overhead of the call in a path, and computation in GOAL. */
static void expect_same_parts(const struct replay_critical_path *path,
                              const struct goal_path *expected, bool reduces) {
    int64_t sums_ps[GOAL_STARTS + 1] = {0};
    for (size_t i = 0; i < expected->count; i++)
        sums_ps[expected->steps[i].kind] += expected->steps[i].to_ps - expected->steps[i].from_ps;
    int64_t work_ps = part_ps(path, "computation"), overhead_ps = part_ps(path, "overhead");
    assert_int_equal(work_ps + overhead_ps,
                     sums_ps[GOAL_COMPUTES] + sums_ps[GOAL_SENDS] + sums_ps[GOAL_RECEIVES]);
    if (!reduces) assert_int_equal(work_ps, sums_ps[GOAL_COMPUTES]);
    assert_int_equal(part_ps(path, "rendezvous"), sums_ps[GOAL_CONTROL]);
    assert_int_equal(part_ps(path, "latency"), sums_ps[GOAL_MESSAGE] + sums_ps[GOAL_LEAVES]);
    assert_int_equal(part_ps(path, "late_start"), sums_ps[GOAL_STARTS]);
    assert_int_equal(part_ps(path, "queueing"), 0);
}

static void expect_same_path(const struct replay_critical_path *path,
                             const struct goal_path *reference, bool reduces, uint32_t seed,
                             uint32_t rank) {
    struct goal_path expected = path_in_order(reference), got = path_replayed(path);
    for (size_t i = 0; i < expected.count; i++) {
        const struct goal_step *step = &expected.steps[i], *of = &got.steps[i];
        if (i >= got.count || step->kind != of->kind || step->rank != of->rank ||
            step->from_ps != of->from_ps || step->to_ps != of->to_ps)
            fail_msg("seed %u, path of rank %u, step %zu: kind %d on rank %u until %lld ps, "
                     "replayed as %d on rank %u until %lld ps",
                     seed, rank, i, (int)step->kind, step->rank, (long long)step->to_ps,
                     (int)of->kind, of->rank, (long long)of->to_ps);
    }
    assert_int_equal(got.count, expected.count);
    expect_same_parts(path, &expected, reduces);
    free(expected.steps);
    free(got.steps);
}

/* The critical path of each rank, which counts as a job, is that of the reference: the same steps,
 * and the same parts. Frees the paths. */
static void expect_same_paths(struct world *w, struct goal_path *paths, uint32_t seed) {
    uint32_t ends[RANKS_MAX];
    for (uint32_t rank = 0; rank < w->rank_count; rank++)
        ends[rank] = rank + 1;
    w->options.explain = true;
    w->options.path_steps = PATH_STEPS;
    w->options.job_ends = ends;
    w->options.job_count = w->rank_count;
    assert_int_equal(world_run(w), STATUS_OK);
    for (uint32_t rank = 0; rank < w->rank_count; rank++) {
        expect_same_path(&w->result->paths[1 + rank], &paths[rank],
                         w->config.reduction_per_kib_ps > 0, seed, rank);
        free(paths[rank].steps);
    }
}

static void expect_reference(struct world *w, const uint8_t *const *modes, uint32_t seed) {
    if (w->options.start_ps == NULL)
        world_finish(w);
    else
        assert_int_equal(world_run(w), STATUS_OK);
    const struct replay_result *result = w->result;
    const bool software = w->config.progress == REPLAY_PROGRESS_SOFTWARE;
    struct goal_machine machine = machine_of(w);
    char *text = goal_export(w);
    assert_non_null(text);
    int64_t times_ps[RANKS_MAX];
    struct goal_path paths[RANKS_MAX];
    assert_true(goal_times(text, &machine, modes, times_ps, software ? NULL : paths));
    free(text);
    for (uint32_t rank = 0; rank < w->rank_count; rank++) {
        int64_t start_ps = machine.start_ps != NULL ? machine.start_ps[rank] : 0;
        if (times_ps[rank] - start_ps != result->ranks[rank].time_ps)
            fail_msg("seed %u, rank %u: %lld ps, replayed in %lld ps", seed, rank,
                     (long long)(times_ps[rank] - start_ps),
                     (long long)result->ranks[rank].time_ps);
    }
    if (!software) expect_same_paths(w, paths, seed);
}

static void expect_same_times(uint32_t seed, bool with_modes, bool software) {
    static const int64_t thresholds[] = {0, WORLD_THRESHOLD_BYTES, 1 << 30};
    struct maker maker, *m = &maker;
    make(m, seed);
    struct world *w = &m->w;
    draw_costs(m);
    /* Then collectives run on while their ranks make calls. */
    if (software && seed % 2 == 0) w->config.receive_overhead_ps.steps[0].value = 3000000;
    /* Whole nanoseconds. GOAL does not tell it from computation, during which software does not
     * answer. */
    w->config.reduction_per_kib_ps = software || seed % 3 == 0 ? 0 : 1024000;
    w->config.progress = software ? REPLAY_PROGRESS_SOFTWARE : REPLAY_PROGRESS_HARDWARE;
    w->config.eager_threshold_bytes = thresholds[below(m, 3)];
    w->config.rendezvous = below(m, 2) ? REPLAY_RENDEZVOUS_GET : REPLAY_RENDEZVOUS_PUT;
    w->ranks_per_node = 1 + below(m, 3);
    uint8_t *modes[RANKS_MAX] = {NULL};
    for (uint32_t rank = 0; with_modes && rank < m->ranks; rank++)
        modes[rank] = draw_modes(m, rank);
    expect_reference(w, with_modes ? (const uint8_t *const *)modes : NULL, seed);
    for (uint32_t rank = 0; rank < m->ranks; rank++)
        free(modes[rank]);
    world_free(w);
}

static void standard_sends_take_the_times_of_the_reference(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 150; seed++)
        expect_same_times(seed, false, false);
}

static void all_modes_take_the_times_of_the_reference(void **state) {
    (void)state;
    for (uint32_t seed = 1001; seed <= 1150; seed++)
        expect_same_times(seed, true, false);
}

static void software_progress_takes_the_times_of_the_reference(void **state) {
    (void)state;
    for (uint32_t seed = 3251; seed <= 3400; seed++)
        expect_same_times(seed, seed % 2, true);
}

/* Makes starts and computations differ, in whole nanoseconds, so that no two causes come at the
 * same time. (In an exchange by get they do.) */
static void disturb(struct maker *m, int64_t *start_ps) {
    const struct program *program = m->w.program;
    for (uint64_t i = 0; i < program->operation_count; i++) {
        struct program_operation *operation = &program->operations[i];
        if (operation->kind != OPERATION_COMPUTE) continue;
        int64_t duration_ps = operation->compute.duration_ps;
        operation->compute.duration_ps =
            duration_ps - duration_ps % 1000 + 1000 * (int64_t)below(m, 100000);
    }
    for (uint32_t rank = 0; rank < m->ranks; rank++)
        start_ps[rank] = 1000 * (int64_t)below(m, 1000000);
    m->w.options.start_ps = start_ps;
}

/* Every pattern of `anax generate`, without rendezvous: where two ranks exchange messages by it,
 * both are complete at the same time, and either is a cause. */
static void patterns_take_the_times_of_the_reference(void **state) {
    (void)state;
    for (const struct traces_pattern *row = traces_patterns(); row->name != NULL; row++) {
        for (unsigned large = 0; large < 2; large++) {
            struct traces_pattern_config config = {.rank_count = 8,
                                                   .iterations = 2,
                                                   .size_bytes = large ? 8192 : 512,
                                                   .compute_ps = 4096000,
                                                   .neighbours = 6,
                                                   .window = 3,
                                                   .seed = 1};
            struct maker maker = {.seed = large, .ranks = 8}, *m = &maker;
            struct world *w = &m->w;
            int64_t start_ps[RANKS_MAX];
            world_new(w, config.rank_count);
            world_seal(w);
            program_free(w->program);
            assert_int_equal(traces_generate(&w->program, row->name, &config, &w->status),
                             STATUS_OK);
            disturb(m, start_ps);
            draw_costs(m);
            w->config.eager_threshold_bytes = 1 << 30;
            expect_reference(w, NULL, large);
            world_free(w);
        }
    }
}

/* By hand: 5 ns, o = 1, then 2 + 3·100; the other computes 1 and takes it in for 4. */
static void the_reference_takes_the_times_by_hand(void **state) {
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
    assert_true(goal_times(text, &machine, NULL, times_ps, NULL));
    assert_int_equal(times_ps[0], 6000);
    assert_int_equal(times_ps[1], 6000 + 302000 + 4000 + 6000);
    machine.eager_bytes = 99; /* announced at 6, there at 38, answered at 70 */
    assert_true(goal_times(text, &machine, NULL, times_ps, NULL));
    assert_int_equal(times_ps[0], 70000 + 300000);
    assert_int_equal(times_ps[1], 70000 + 302000 + 4000 + 6000);
    machine.fetches = true;
    assert_true(goal_times(text, &machine, NULL, times_ps, NULL));
    assert_int_equal(times_ps[0], 70000 + 302000 + 32000);
    assert_false(goal_times("num_ranks 1\nrank 0 {\nl1: recv 5b from 0 tag 1\n}\n", &machine, NULL,
                            times_ps, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_takes_the_times_by_hand),
        cmocka_unit_test(standard_sends_take_the_times_of_the_reference),
        cmocka_unit_test(all_modes_take_the_times_of_the_reference),
        cmocka_unit_test(software_progress_takes_the_times_of_the_reference),
        cmocka_unit_test(patterns_take_the_times_of_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
