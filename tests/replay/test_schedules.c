/*
 * Schedules against the replay: a schedule carried out by the LogGP rules, by the few lines below
 * that know nothing but it, takes each rank exactly as long as the replay on a network without
 * contention. So it holds every message, computation and dependency, and no other.
 *
 * (Receiving costs nothing here: in which order messages are taken in is not the schedule's.)
 */
#include "core/simulation/random.h"
#include "replay/schedule.h"
#include "tests/support/replay/random_replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define UNKNOWN INT64_MIN

struct step {
    struct schedule_operation operation;
    struct schedule_edge *edges;
    int64_t posted_ps, done_ps;
    const struct step *partner; /* of a receive: its send */
};

struct schedule {
    struct step *steps[RANDOM_REPLAY_RANKS];
    size_t counts[RANDOM_REPLAY_RANKS];
};

static status_code collect(void *context, const struct schedule_operation *operation,
                           struct status *status) {
    (void)status;
    struct schedule *all = context;
    uint32_t rank = operation->rank;
    assert_true(rank < RANDOM_REPLAY_RANKS);
    size_t count = all->counts[rank]++;
    assert_int_equal(operation->label, all->counts[rank]);
    all->steps[rank] = realloc(all->steps[rank], (count + 1) * sizeof(struct step));
    struct step *step = &all->steps[rank][count];
    *step = (struct step){.operation = *operation, .posted_ps = UNKNOWN, .done_ps = UNKNOWN};
    step->edges = malloc((operation->edge_count + 1) * sizeof *step->edges);
    for (size_t i = 0; i < operation->edge_count; i++) {
        assert_in_range(operation->edges[i].label, 1, operation->label - 1);
        step->edges[i] = operation->edges[i];
    }
    return STATUS_OK;
}

static bool is_message(const struct step *step, schedule_kind kind, uint32_t peer, uint32_t tag) {
    return step->operation.kind == kind && step->operation.peer == peer &&
           step->operation.tag == tag;
}

/* The k-th receive of a source and tag meets the k-th send. */
static void match(struct schedule *all) {
    for (uint32_t rank = 0; rank < RANDOM_REPLAY_RANKS; rank++)
        for (size_t i = 0; i < all->counts[rank]; i++) {
            struct step *receive = &all->steps[rank][i];
            uint32_t source = receive->operation.peer, tag = receive->operation.tag;
            if (receive->operation.kind != SCHEDULE_RECEIVE) continue;
            size_t before = 0, at = 0;
            for (size_t k = 0; k < i; k++)
                before += is_message(&all->steps[rank][k], SCHEDULE_RECEIVE, source, tag);
            for (; at < all->counts[source]; at++)
                if (is_message(&all->steps[source][at], SCHEDULE_SEND, rank, tag) && before-- == 0)
                    break;
            assert_true(at < all->counts[source]);
            receive->partner = &all->steps[source][at];
            assert_int_equal(receive->partner->operation.size_bytes, receive->operation.size_bytes);
        }
}

static int64_t flight_ps(uint32_t from, uint32_t to, uint64_t bytes) {
    return from != to ? WORLD_MESSAGE_PS(bytes) : WORLD_MEMORY_PS + 10 * (int64_t)bytes;
}

/* True if something became known. */
static bool carry_out(struct schedule *all, const struct world *w, uint32_t rank,
                      struct step *step) {
    if (step->done_ps != UNKNOWN) return false;
    int64_t begin_ps = 0;
    for (size_t i = 0; i < step->operation.edge_count; i++) {
        const struct step *required = &all->steps[rank][step->edges[i].label - 1];
        int64_t at_ps = step->edges[i].needs_only_posted ? required->posted_ps : required->done_ps;
        if (at_ps == UNKNOWN) return false;
        if (at_ps > begin_ps) begin_ps = at_ps;
    }
    uint64_t bytes = step->operation.size_bytes;
    bool was_posted = step->posted_ps != UNKNOWN;
    step->posted_ps = begin_ps;
    if (step->operation.kind == SCHEDULE_CALC) {
        step->posted_ps = step->done_ps = begin_ps + step->operation.duration_ps;
    } else if (step->operation.kind == SCHEDULE_SEND) {
        const struct replay_config *c = &w->config;
        int64_t cost_ps = by_size_at(&c->send_overhead_ps, bytes) +
                          (int64_t)bytes * by_size_at(&c->send_overhead_per_kib_ps, bytes) / 1024 +
                          (int64_t)bytes * by_size_at(&c->eager_send_copy_per_kib_ps, bytes) / 1024;
        step->posted_ps = step->done_ps = begin_ps + (step->operation.is_by_nic ? 0 : cost_ps);
    } else if (step->partner->posted_ps != UNKNOWN) {
        int64_t arrival_ps =
            step->partner->posted_ps + flight_ps(step->operation.peer, rank, bytes);
        step->done_ps = arrival_ps > begin_ps ? arrival_ps : begin_ps;
    }
    return !was_posted || step->done_ps != UNKNOWN;
}

static int64_t rank_time_ps(const struct schedule *all, uint32_t rank) {
    int64_t time_ps = 0;
    for (size_t i = 0; i < all->counts[rank]; i++) {
        assert_int_not_equal(all->steps[rank][i].done_ps, UNKNOWN);
        if (all->steps[rank][i].done_ps > time_ps && !all->steps[rank][i].operation.is_by_nic)
            time_ps = all->steps[rank][i].done_ps;
    }
    return time_ps;
}

static void run(struct schedule *all, const struct world *w) {
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t rank = 0; rank < RANDOM_REPLAY_RANKS; rank++)
            for (size_t i = 0; i < all->counts[rank]; i++)
                again |= carry_out(all, w, rank, &all->steps[rank][i]);
    }
}

static void clear(struct schedule *all) {
    for (uint32_t rank = 0; rank < RANDOM_REPLAY_RANKS; rank++) {
        for (size_t i = 0; i < all->counts[rank]; i++)
            free(all->steps[rank][i].edges);
        free(all->steps[rank]);
    }
}

/* By its schedule alone every rank takes as long as replayed. */
static void expect_same_times(struct world *w) {
    const struct replay_result *result = world_finish(w);
    struct schedule all = {0};
    assert_int_equal(
        schedule_visit(w->program, &w->config, &w->network_config, collect, &all, &w->status),
        STATUS_OK);
    match(&all);
    run(&all, w);
    for (uint32_t rank = 0; rank < w->rank_count; rank++)
        assert_int_equal(rank_time_ps(&all, rank), result->ranks[rank].time_ps);
    clear(&all);
}

static void schedules_take_as_long_as_the_replay(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        struct world w;
        random_replay(&w, seed);
        w.config.receive_overhead_ps = w.config.receive_overhead_per_kib_ps =
            w.config.eager_receive_copy_per_kib_ps = by_size_constant(0);
        w.config.eager_threshold_bytes = INT64_C(1) << 40;
        w.config.compute_scale_millionths = 700000 + seed * 10000;
        world_seal(&w);
        for (uint64_t i = 0; i < w.program->operation_count; i++) /* not the schedule's to say */
            if (w.program->operations[i].kind == OPERATION_SEND)
                w.program->operations[i].flags &= (uint8_t)~OPERATION_FLAG_SEND_SYNCHRONOUS;
        expect_same_times(&w);
        world_free(&w);
    }
}

/* Messages that only one side recorded: the send is there, the receive is not, nobody waits. */
static void unmatched_messages_keep_their_send_only(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    world_send(&w, 0, 1, 100, 0);
    world_compute(&w, 0, 5);
    world_receive(&w, 0, 1, 100);
    world_compute(&w, 1, 7);
    world_seal(&w);
    struct schedule all = {0};
    assert_int_equal(
        schedule_visit(w.program, &w.config, &w.network_config, collect, &all, &w.status),
        STATUS_OK);
    assert_int_equal(all.counts[0], 2);
    assert_int_equal(all.counts[1], 1);
    assert_int_equal(all.steps[0][0].operation.kind, SCHEDULE_SEND);
    assert_int_equal(all.steps[0][1].operation.edge_count, 1);
    assert_true(all.steps[0][1].edges[0].needs_only_posted);
    assert_string_equal(all.steps[0][1].operation.call, "");
    clear(&all);
    world_free(&w);
}

/* Puts, gets and both at once, waited for soon or at last, among ranks that compute. */
static void schedules_hold_one_sided_operations(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        struct world w;
        world_new(&w, 5);
        w.config.receive_overhead_ps = by_size_constant(0);
        uint64_t open[5][60];
        uint32_t count[5] = {0};
        for (uint32_t i = 0; i < 60; i++) {
            struct random_block draw = random_draw(seed, RANDOM_NOISE, i, 0);
            static const unsigned ways[] = {OPERATION_FLAG_RMA_WRITE, OPERATION_FLAG_RMA_READ,
                                            OPERATION_FLAG_RMA_WRITE | OPERATION_FLAG_RMA_READ};
            uint32_t rank = i % 5, region = builder_define_region(w.builder, "MPI_Put", true);
            world_compute(&w, rank, draw.word[0] % 3000000);
            builder_call(w.builder, rank, region, w.next_call++, 0, &w.status);
            builder_send(w.builder, rank, w.everyone, draw.word[1] % 5, PROGRAM_TAG_RMA,
                         draw.word[2] % 4 * 1000, ways[draw.word[3] % 3],
                         i < 55 ? i : BUILDER_NO_REQUEST, &w.status);
            builder_wait_call(w.builder, rank, &w.status);
            builder_return(w.builder, rank, 0, false, &w.status);
            if (i < 55) open[rank][count[rank]++] = i;
            if (count[rank] == 0 || (i < 55 && draw.word[3] % 2 == 0)) continue;
            world_wait(&w, rank, open[rank], count[rank]);
            count[rank] = 0;
        }
        expect_same_times(&w);
        world_free(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_take_as_long_as_the_replay),
        cmocka_unit_test(unmatched_messages_keep_their_send_only),
        cmocka_unit_test(schedules_hold_one_sided_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
