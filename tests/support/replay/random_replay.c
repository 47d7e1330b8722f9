/* Draws the rounds of a random program and the settings of its replay from a seed. */
#include "tests/support/replay/random_replay.h"

#include "tests/support/core/dice.h"

/* A program that is being made. */
struct making {
    struct world *w;
    struct dice dice;
    uint32_t ranks;
    bool tests;          /* whether ranks also test operations instead of waiting for them */
    uint64_t sent_bytes; /* point to point */
};

static uint64_t random_size(struct dice *dice) {
    static const uint64_t sizes[] = {0, 1, 8, 1000, 1024, 1025, 5000, 70000};
    return sizes[dice_below(dice, 8)];
}

static unsigned random_flags(struct dice *dice) {
    static const unsigned flags[] = {0, 0, 0, OPERATION_FLAG_SEND_SYNCHRONOUS,
                                     OPERATION_FLAG_SEND_BUFFERED};
    return flags[dice_below(dice, 5)];
}

/* Every rank posts some receives and sends, computes, and waits for all in random order. */
static void non_blocking_round(struct making *m) {
    struct world *w = m->w;
    struct dice *dice = &m->dice;
    const uint32_t ranks = m->ranks;
    uint64_t requests[RANDOM_REPLAY_RANKS][4 * RANDOM_REPLAY_RANKS];
    uint32_t counts[RANDOM_REPLAY_RANKS] = {0};
    for (uint32_t i = 0; i < 3 * ranks; i++) {
        uint32_t from = dice_below(dice, ranks), to = dice_below(dice, ranks);
        uint64_t bytes = random_size(dice);
        if (counts[from] + 2 > 4 * ranks || counts[to] + 2 > 4 * ranks) continue;
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
        m->sent_bytes += bytes;
    }
    for (uint32_t rank = 0; rank < ranks; rank++) {
        world_compute(w, rank, dice_below(dice, 20000000));
        for (uint32_t left = counts[rank]; left > 1; left--) {
            uint32_t other = dice_below(dice, left);
            uint64_t swapped = requests[rank][other];
            requests[rank][other] = requests[rank][left - 1];
            requests[rank][left - 1] = swapped;
        }
        for (uint32_t first = 0; first < counts[rank];) {
            uint32_t count = 1 + dice_below(dice, counts[rank] - first);
            bool tested = dice_below(dice, 3) == 0 && m->tests;
            (tested ? world_test : world_wait)(w, rank, &requests[rank][first], count);
            first += count;
        }
    }
}

/* Blocking messages along a random order: each is posted on both sides before the next. */
static void blocking_round(struct making *m) {
    struct world *w = m->w;
    struct dice *dice = &m->dice;
    const uint32_t ranks = m->ranks;
    for (uint32_t i = 0; i < 2 * ranks; i++) {
        uint32_t from = dice_below(dice, ranks),
                 to = (from + 1 + dice_below(dice, ranks - 1)) % ranks;
        uint64_t bytes = random_size(dice);
        world_send(w, from, to, bytes, random_flags(dice));
        world_receive(w, to, from, bytes);
        world_compute(w, to, dice_below(dice, 3000000));
        m->sent_bytes += bytes;
    }
}

static void shift_round(struct making *m) {
    struct world *w = m->w;
    struct dice *dice = &m->dice;
    const uint32_t ranks = m->ranks;
    uint32_t distance = 1 + dice_below(dice, ranks - 1);
    uint64_t bytes = random_size(dice);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        world_sendrecv(w, rank, (rank + distance) % ranks, (rank + ranks - distance) % ranks,
                       bytes);
        m->sent_bytes += bytes;
    }
}

static void collective_round(struct making *m) {
    struct world *w = m->w;
    struct dice *dice = &m->dice;
    const uint32_t ranks = m->ranks;
    static const uint32_t kinds[] = {PROGRAM_COLLECTIVE_BARRIER,   PROGRAM_COLLECTIVE_ALLREDUCE,
                                     PROGRAM_COLLECTIVE_ALLGATHER, PROGRAM_COLLECTIVE_ALLTOALL,
                                     PROGRAM_COLLECTIVE_SCAN,      PROGRAM_COLLECTIVE_BCAST,
                                     PROGRAM_COLLECTIVE_REDUCE};
    uint32_t kind = kinds[dice_below(dice, 7)];
    uint64_t bytes = kind == PROGRAM_COLLECTIVE_BARRIER ? 0 : random_size(dice);
    bool rooted = kind == PROGRAM_COLLECTIVE_BCAST || kind == PROGRAM_COLLECTIVE_REDUCE;
    uint32_t root = rooted ? dice_below(dice, ranks) : PROGRAM_NONE;
    bool blocking = dice_below(dice, 2) == 0;
    const uint64_t id = 5000;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        world_collective(w, rank, kind, w->everyone, root, bytes, bytes, 0,
                         blocking ? BUILDER_NO_REQUEST : id);
        world_compute(w, rank, dice_below(dice, 10000000));
        bool tested = dice_below(dice, 2) == 0 && m->tests;
        if (!blocking) (tested ? world_test : world_wait)(w, rank, &id, 1);
    }
}

static uint64_t make(struct world *w, uint32_t seed, uint32_t ranks, uint32_t rounds, bool tests) {
    struct making m = {.w = w, .dice = {seed, 1, 0}, .ranks = ranks, .tests = tests};
    world_new(w, ranks);
    w->config.send_overhead_per_kib_ps = by_size_constant(3000);
    w->config.receive_overhead_per_kib_ps = by_size_constant(5000);
    w->config.send_overhead_ps = (struct by_size){2, {{0, WORLD_SEND_PS}, {1000, 1300001}}};
    w->config.eager_send_copy_per_kib_ps = (struct by_size){2, {{0, 7000}, {1025, 11003}}};
    w->config.eager_receive_copy_per_kib_ps = by_size_constant(9001);
    w->config.rendezvous_send_overhead_ps = by_size_constant(400000);
    w->config.rendezvous_receive_overhead_ps = (struct by_size){2, {{0, 500007}, {5000, 0}}};
    w->config.reduction_per_kib_ps = 100000;
    for (uint32_t round = 0; round < rounds; round++) {
        switch (dice_below(&m.dice, 4)) {
        case 0:
            blocking_round(&m);
            break;
        case 1:
            shift_round(&m);
            break;
        case 2:
            collective_round(&m);
            break;
        default:
            non_blocking_round(&m);
        }
    }
    return m.sent_bytes;
}

uint64_t random_replay(struct world *w, uint32_t seed) {
    return make(w, seed, RANDOM_REPLAY_RANKS, 12, true);
}

void random_replay_small(struct world *w, uint32_t seed) {
    make(w, seed, RANDOM_REPLAY_SMALL_RANKS, 6, false);
}
