/*
 * Random programs that cannot deadlock: all finish, every rank's parts add up to its time (checked by
 * world_finish), messages are conserved, nothing queues on a network without contention, and what
 * must not change the result does not.
 *
 * Deadlock-free by construction: the program is made of rounds; within a round everybody posts all
 * its non-blocking operations before anybody waits, or blocking pairs are ordered by rank.
 */
#include "core/random.h"
#include "replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define RANKS  12
#define ROUNDS 12

typedef struct source {
    uint32_t seed;
    uint64_t counter;
} source;

static uint32_t below(source *source, uint32_t bound) {
    random_block draw = random_draw(source->seed, RANDOM_PATTERN, 1, source->counter++);
    return random_below(draw.word[0], bound);
}

static uint64_t random_size(source *source) {
    static const uint64_t sizes[] = {0, 1, 8, 1000, 1024, 1025, 5000, 70000};
    return sizes[below(source, 8)];
}

static unsigned random_flags(source *source) {
    static const unsigned flags[] = {0, 0, 0, PROGRAM_SYNCHRONOUS, PROGRAM_BUFFERED};
    return flags[below(source, 5)];
}

/* Every rank posts some receives and sends, computes, and waits for all in random order. */
static void non_blocking_round(world *w, source *source, uint64_t *sent_bytes) {
    uint64_t requests[RANKS][4 * RANKS];
    uint32_t counts[RANKS] = {0};
    for (uint32_t i = 0; i < 3 * RANKS; i++) {
        uint32_t from = below(source, RANKS), to = below(source, RANKS);
        uint64_t bytes = random_size(source);
        if (counts[from] + 2 > 4 * RANKS || counts[to] + 2 > 4 * RANKS) continue;
        uint64_t id = i + 1;
        if (from == to) {
            world_irecv(w, to, from, bytes, 1000 + id);
            world_isend(w, from, to, bytes, id);
            requests[to][counts[to]++] = 1000 + id;
        } else {
            world_isend(w, from, to, bytes, id);
            world_irecv(w, to, from, bytes, id);
            requests[to][counts[to]++] = id;
        }
        requests[from][counts[from]++] = id;
        *sent_bytes += bytes;
    }
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        world_compute(w, rank, below(source, 20000000));
        for (uint32_t left = counts[rank]; left > 1; left--) {
            uint32_t other = below(source, left);
            uint64_t swapped = requests[rank][other];
            requests[rank][other] = requests[rank][left - 1];
            requests[rank][left - 1] = swapped;
        }
        for (uint32_t first = 0; first < counts[rank];) {
            uint32_t count = 1 + below(source, counts[rank] - first);
            world_wait(w, rank, &requests[rank][first], count);
            first += count;
        }
    }
}

/* Blocking messages along a random order: each is posted on both sides before the next. */
static void blocking_round(world *w, source *source, uint64_t *sent_bytes) {
    for (uint32_t i = 0; i < 2 * RANKS; i++) {
        uint32_t from = below(source, RANKS), to = (from + 1 + below(source, RANKS - 1)) % RANKS;
        uint64_t bytes = random_size(source);
        world_send(w, from, to, bytes, random_flags(source));
        world_receive(w, to, from, bytes);
        world_compute(w, to, below(source, 3000000));
        *sent_bytes += bytes;
    }
}

static void shift_round(world *w, source *source, uint64_t *sent_bytes) {
    uint32_t distance = 1 + below(source, RANKS - 1);
    uint64_t bytes = random_size(source);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        world_sendrecv(w, rank, (rank + distance) % RANKS, (rank + RANKS - distance) % RANKS,
                       bytes);
        *sent_bytes += bytes;
    }
}

static void collective_round(world *w, source *source) {
    static const uint32_t kinds[] = {PROGRAM_BARRIER,   PROGRAM_ALLREDUCE, PROGRAM_ALLGATHER,
                                     PROGRAM_ALLTOALL,  PROGRAM_SCAN,      PROGRAM_BCAST,
                                     PROGRAM_REDUCE};
    uint32_t kind = kinds[below(source, 7)];
    uint64_t bytes = kind == PROGRAM_BARRIER ? 0 : random_size(source);
    bool rooted = kind == PROGRAM_BCAST || kind == PROGRAM_REDUCE;
    uint32_t root = rooted ? below(source, RANKS) : PROGRAM_NONE;
    bool blocking = below(source, 2) == 0;
    const uint64_t id = 5000;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        world_collective(w, rank, kind, w->everyone, root, bytes, bytes, 0,
                         blocking ? BUILDER_NO_REQUEST : id);
        world_compute(w, rank, below(source, 10000000));
        if (!blocking) world_wait(w, rank, &id, 1);
    }
}

static uint64_t make(world *w, uint32_t seed) {
    source source = {seed, 0};
    uint64_t sent_bytes = 0;
    world_new(w, RANKS);
    w->config.send_overhead_per_kib_ps = 3000;
    w->config.receive_overhead_per_kib_ps = 5000;
    w->config.reduction_per_kib_ps = 100000;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        switch (below(&source, 4)) {
        case 0: blocking_round(w, &source, &sent_bytes); break;
        case 1: shift_round(w, &source, &sent_bytes); break;
        case 2: collective_round(w, &source); break;
        default: non_blocking_round(w, &source, &sent_bytes);
        }
    }
    return sent_bytes;
}

static void all_finish_and_add_up(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 200; seed++) {
        world w;
        uint64_t sent_bytes = make(&w, seed);
        w.ranks_per_node = 1 + seed % 3;
        const replay_result *result = world_finish(&w);
        program_totals totals;
        program_totals_of(w.program, &totals);
        assert_int_equal(result->eager_messages + result->rendezvous_messages, totals.messages);
        uint64_t bytes = 0, digest = result->digest;
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            bytes += result->ranks[rank].bytes_sent;
            assert_int_equal(result->ranks[rank].wait_queueing_ps, 0);
        }
        assert_int_equal(bytes, sent_bytes);
        assert_int_equal(world_finish(&w)->digest, digest);
        world_free(&w);
    }
}

/* With everything eager, or nothing, they finish too. */
static void any_threshold(void **state) {
    (void)state;
    for (uint32_t seed = 300; seed < 320; seed++) {
        world w;
        make(&w, seed);
        w.config.eager_threshold_bytes = 0;
        world_finish(&w);
        w.config.eager_threshold_bytes = 1 << 30;
        const replay_result *result = world_finish(&w);
        assert_true(result->rendezvous_messages == 0 || result->rendezvous_messages < 200);
        world_free(&w);
    }
}

/* The longest chain of what a rank does alone is a lower bound; more network time never helps. */
static void slower_networks_are_slower(void **state) {
    (void)state;
    for (uint32_t seed = 400; seed < 420; seed++) {
        world w;
        make(&w, seed);
        const replay_result *result = world_finish(&w);
        int64_t fast_ps = result->time_ps, alone_ps = 0;
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            const replay_rank_result *r = &result->ranks[rank];
            int64_t busy_ps = r->compute_ps + r->send_overhead_ps + r->receive_overhead_ps;
            if (busy_ps > alone_ps) alone_ps = busy_ps;
        }
        assert_true(fast_ps >= alone_ps);
        w.machine.level[NETWORK_GLOBAL].latency_ps *= 50;
        assert_true(world_finish(&w)->time_ps > fast_ps);
        world_free(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_finish_and_add_up),
        cmocka_unit_test(any_threshold),
        cmocka_unit_test(slower_networks_are_slower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
