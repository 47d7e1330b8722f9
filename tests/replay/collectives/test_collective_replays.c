/*
 * Collectives as messages on the ideal network: closed forms, every kind with every algorithm, and
 * on every sort of communicator; non-blocking ones beside computation.
 */
#include "replay/collectives/collective_families.h"
#include "replay/replay_traffic.h"
#include "tests/support/replay/replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { S = WORLD_SEND_PS, R = WORLD_RECEIVE_PS };

/* Rounds of the dissemination barrier: everyone sends, waits for one message, takes it in. */
static int64_t barrier_ps(uint32_t size) {
    int64_t rounds = 0;
    while (1u << rounds < size)
        rounds++;
    return rounds * (S + WORLD_MESSAGE_PS(0) + R);
}

static void a_barrier_takes_the_closed_form(void **state) {
    (void)state;
    for (uint32_t size = 1; size <= 17; size++) {
        struct world w;
        world_new(&w, size);
        for (uint32_t rank = 0; rank < size; rank++)
            world_collective(&w, rank, PROGRAM_COLLECTIVE_BARRIER, w.everyone, PROGRAM_NONE, 0, 0,
                             0, BUILDER_NO_REQUEST);
        const struct replay_result *result = world_finish(&w);
        int64_t rounds = barrier_ps(size) / (S + WORLD_MESSAGE_PS(0) + R);
        for (uint32_t rank = 0; rank < size; rank++) {
            assert_int_equal(result->ranks[rank].time_ps, barrier_ps(size));
            assert_int_equal(result->ranks[rank].collective_ps, rounds * WORLD_MESSAGE_PS(0));
        }
        assert_int_equal(result->collective_messages, rounds * size);
        assert_int_equal(result->eager_messages, 0);
        world_free(&w);
    }
}

/* A binomial tree of four: 0 -> 2, then 0 -> 1 and 2 -> 3. */
static void a_broadcast_takes_the_closed_form(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 4);
    for (uint32_t rank = 0; rank < 4; rank++)
        world_collective(&w, rank, PROGRAM_COLLECTIVE_BCAST, w.everyone, 0, 800, 800, 0,
                         BUILDER_NO_REQUEST);
    const struct replay_result *result = world_finish(&w);
    int64_t hop = S + WORLD_MESSAGE_PS(800) + R;
    assert_int_equal(result->ranks[0].time_ps, 2 * S);
    assert_int_equal(result->ranks[2].time_ps, hop + S);
    assert_int_equal(result->ranks[1].time_ps, S + hop);
    assert_int_equal(result->ranks[3].time_ps, 2 * hop);
    world_free(&w);
}

static void an_allreduce_pays_for_combining(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 8);
    w.config.reduction_per_kib_ps = 1024 * 1000;
    w.config.collectives.algorithm[PROGRAM_COLLECTIVE_ALLREDUCE] = ALLREDUCE_DOUBLING;
    for (uint32_t rank = 0; rank < 8; rank++)
        world_collective(&w, rank, PROGRAM_COLLECTIVE_ALLREDUCE, w.everyone, PROGRAM_NONE, 800, 800,
                         0, BUILDER_NO_REQUEST);
    const struct replay_result *result = world_finish(&w);
    for (uint32_t rank = 0; rank < 8; rank++) {
        assert_int_equal(result->ranks[rank].time_ps,
                         3 * (S + WORLD_MESSAGE_PS(800) + R + 800 * 1000));
        assert_int_equal(result->ranks[rank].reduction_ps, 3 * 800 * 1000);
    }
    world_free(&w);
}

/* Above the threshold the messages of collectives take the rendezvous. */
static void large_alltoalls_take_the_rendezvous(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 4);
    for (uint32_t rank = 0; rank < 4; rank++)
        world_collective(&w, rank, PROGRAM_COLLECTIVE_ALLTOALL, w.everyone, PROGRAM_NONE, 50000,
                         50000, 0, BUILDER_NO_REQUEST);
    const struct replay_result *result = world_finish(&w);
    int64_t round = S + 2 * WORLD_MESSAGE_PS(WORLD_CONTROL_BYTES) + WORLD_MESSAGE_PS(50000) + R;
    for (uint32_t rank = 0; rank < 4; rank++)
        assert_int_equal(result->ranks[rank].time_ps, 3 * round);
    world_free(&w);
}

/* Sends 10·(me+1) bytes to each of the others and itself, by row and column sums. */
static void an_alltoallv_sends_by_row_and_column_sums(void **state) {
    (void)state;
    for (int32_t algorithm = 0; algorithm < 2; algorithm++) {
        struct world w;
        world_new(&w, 5);
        w.config.collectives.algorithm[PROGRAM_COLLECTIVE_ALLTOALLV] = algorithm;
        for (uint32_t rank = 0; rank < 5; rank++)
            world_collective(&w, rank, PROGRAM_COLLECTIVE_ALLTOALLV, w.everyone, PROGRAM_NONE,
                             50 * (rank + 1), 10 * (1 + 2 + 3 + 4 + 5), 0, BUILDER_NO_REQUEST);
        const struct replay_result *result = world_finish(&w);
        assert_int_equal(result->collective_messages, 20);
        assert_int_equal(w.totals.bytes, 4 * 10 * (1 + 2 + 3 + 4 + 5));
        assert_int_equal(result->note_count, 1);
        assert_int_equal(result->notes[0].count, 5);
        world_free(&w);
    }
}

/* Many calls with few distinct sums, in turn: each still gets its own. */
static void alltoallvs_in_turn_keep_their_own_sums(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 3);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < 500; i++) {
        uint64_t each = 30 * (1 + i * 7 % 5);
        for (uint32_t rank = 0; rank < 3; rank++)
            world_collective(&w, rank, PROGRAM_COLLECTIVE_ALLTOALLV, w.everyone, PROGRAM_NONE, each,
                             each, 0, BUILDER_NO_REQUEST);
        bytes += 2 * each; /* a third stays with each rank */
    }
    world_finish(&w);
    assert_int_equal(w.totals.bytes, bytes);
    world_free(&w);
}

/* Ranks 0 and 1, and 2 and 3, exchange messages of their own; no others are sent. Row and column
 * sums would spread them over all pairs. */
static void known_pairs_alone_exchange_messages(void **state) {
    (void)state;
    static const uint64_t rows[4][4] = {
        {7, 100, 0, 0}, {900, 0, 0, 0}, {0, 0, 0, 300}, {0, 0, 50, 1000}};
    static const uint64_t received[4] = {907, 100, 50, 1300};
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t kind = i < 4 ? PROGRAM_COLLECTIVE_ALLTOALLV : PROGRAM_COLLECTIVE_ALLTOALLW;
        struct world w;
        world_new(&w, 4);
        w.config.collectives.algorithm[kind] = (int32_t)(i % 4);
        for (uint32_t rank = 0; rank < 4; rank++)
            world_pairs(&w, rank, kind, w.everyone, rows[rank], 4, received[rank]);
        const struct replay_result *result = world_finish(&w);
        assert_int_equal(result->collective_messages, 4);
        assert_int_equal(w.totals.bytes, 100 + 900 + 300 + 50);
        assert_int_equal(result->note_count, 0);
        for (uint32_t rank = 0; rank < 4; rank++)
            assert_int_equal(result->ranks[rank].time_ps,
                             S + WORLD_MESSAGE_PS(rows[rank ^ 1][rank]) + R);
        world_free(&w);
    }
}

static uint64_t bytes_of(const struct placement_traffic *traffic, uint32_t from, uint32_t to) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < traffic->edge_count; i++)
        if (traffic->edges[i].from == from && traffic->edges[i].to == to)
            bytes += (uint64_t)traffic->edges[i].bytes;
    return bytes;
}

/* Every pair exchanges exactly what the rows say, twice, with any algorithm, on a communicator and
 * between the groups of an intercommunicator. */
static void every_pair_gets_its_bytes(void **state) {
    (void)state;
    enum { N = 7, LOCAL = 3 };
    for (unsigned form = 0; form < 5; form++) {
        const bool inter = form == 4;
        struct world w;
        uint64_t rows[N][N] = {0}, received[N] = {0};
        uint32_t groups[] = {6, 0, 3, 5, 4, 1, 2}, place[N], between = 0;
        world_new(&w, N);
        w.config.collectives.algorithm[PROGRAM_COLLECTIVE_ALLTOALLV] = (int32_t)(form % 4);
        assert_int_equal(builder_define_intercommunicator(w.builder, "", groups, LOCAL,
                                                          groups + LOCAL, N - LOCAL, &between,
                                                          &w.status),
                         STATUS_OK);
        for (uint32_t i = 0; i < N; i++)
            place[groups[i]] = i;
        for (uint32_t from = 0; from < N; from++)
            for (uint32_t to = 0; to < N; to++) {
                const bool apart = (place[from] < LOCAL) != (place[to] < LOCAL);
                if (!inter || apart) rows[from][to] = (from * 31 + to * 17) % 5 * 100;
                received[to] += rows[from][to];
            }
        for (uint32_t turn = 0; turn < 2; turn++)
            for (uint32_t rank = 0; rank < N; rank++) {
                const bool local = place[rank] < LOCAL;
                uint64_t others[N];
                for (uint32_t i = 0; i < N; i++) {
                    const uint32_t first = local ? LOCAL : 0;
                    others[i] = rows[rank][groups[(first + i) % N]];
                }
                world_pairs(&w, rank, PROGRAM_COLLECTIVE_ALLTOALLV, inter ? between : w.everyone,
                            inter ? others : rows[rank],
                            !inter  ? N
                            : local ? N - LOCAL
                                    : LOCAL,
                            received[rank]);
            }
        world_seal(&w);
        struct placement_traffic traffic = {0};
        assert_int_equal(
            replay_traffic_new(&traffic, w.program, &w.config, &w.network_config, &w.status),
            STATUS_OK);
        for (uint32_t from = 0; from < N; from++)
            for (uint32_t to = 0; to < N; to++)
                if (from != to) assert_int_equal(bytes_of(&traffic, from, to), 2 * rows[from][to]);
        replay_traffic_free(&traffic);
        world_free(&w);
    }
}

/* Three elements of 8 bytes are cut into two and one, where three times 8 bytes without elements
 * are cut into halves. With two ranks, each slice goes there and back. */
static void vectors_are_cut_at_elements(void **state) {
    (void)state;
    for (uint64_t element = 0; element <= 8; element += 8) {
        struct world w;
        world_new(&w, 2);
        w.config.collectives.algorithm[PROGRAM_COLLECTIVE_ALLREDUCE] = ALLREDUCE_RING;
        w.config.reduction_per_kib_ps = 0;
        for (uint32_t rank = 0; rank < 2; rank++)
            world_reduction(&w, rank, PROGRAM_COLLECTIVE_ALLREDUCE, 24, element);
        const struct replay_result *result = world_finish(&w);
        const int64_t first = result->ranks[0].time_ps, second = result->ranks[1].time_ps;
        const int64_t larger = first > second ? first : second;
        assert_int_equal(w.totals.bytes, 48);
        assert_int_equal(larger, 2 * (S + WORLD_MESSAGE_PS(element > 0 ? 16 : 12) + R));
        assert_int_equal(first + second - larger,
                         2 * (S + WORLD_MESSAGE_PS(element > 0 ? 8 : 12) + R));
        world_free(&w);
    }
}

static bool is_rooted(uint32_t kind) {
    return kind == PROGRAM_COLLECTIVE_BCAST || kind == PROGRAM_COLLECTIVE_GATHER ||
           kind == PROGRAM_COLLECTIVE_GATHERV || kind == PROGRAM_COLLECTIVE_SCATTER ||
           kind == PROGRAM_COLLECTIVE_SCATTERV || kind == PROGRAM_COLLECTIVE_REDUCE;
}

/* Sizes as the documented conventions of program_collective_arguments want them. */
static void post(struct world *w, uint32_t rank, uint32_t me, uint32_t size, uint32_t kind,
                 uint32_t communicator, uint32_t root, uint64_t bytes, uint64_t request) {
    uint64_t send = bytes, receive = bytes;
    switch (kind) {
    case PROGRAM_COLLECTIVE_BARRIER:
    case PROGRAM_COLLECTIVE_CREATE_HANDLE:
    case PROGRAM_COLLECTIVE_DESTROY_HANDLE:
    case PROGRAM_COLLECTIVE_WINDOW:
        send = receive = 0;
        break;
    case PROGRAM_COLLECTIVE_GATHERV:
        receive = me == root ? size * bytes : 0;
        break;
    case PROGRAM_COLLECTIVE_SCATTERV:
        send = me == root ? size * bytes : 0;
        break;
    case PROGRAM_COLLECTIVE_ALLGATHERV:
        receive = size * bytes;
        break;
    case PROGRAM_COLLECTIVE_ALLTOALLV:
    case PROGRAM_COLLECTIVE_ALLTOALLW:
        send = receive = size * bytes;
        break;
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
        send = size * bytes;
        break;
    default:
        break;
    }
    world_collective(w, rank, kind, communicator, is_rooted(kind) ? root : PROGRAM_NONE, send,
                     receive, 0, request);
}

static void every_kind_replays_with_every_algorithm(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 2, 3, 7, 8, 13};
    for (unsigned i = 0; i < 6; i++) {
        for (unsigned large = 0; large < 2; large++) {
            struct world w;
            world_new(&w, sizes[i]);
            for (uint32_t rank = 0; rank < sizes[i]; rank++) {
                for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
                    uint64_t bytes = large ? 3000 + kind : 8;
                    post(&w, rank, rank, sizes[i], kind, w.everyone, kind % sizes[i], bytes,
                         BUILDER_NO_REQUEST);
                    world_compute(&w, rank, 1000 * (rank + kind));
                    post(&w, rank, 0, 1, kind, w.self, 0, bytes, BUILDER_NO_REQUEST);
                }
            }
            for (int32_t choice = -1; choice < 11; choice++) {
                w.config.collectives.library = choice < 0;
                for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
                    uint32_t count;
                    collective_algorithms(kind, &count);
                    w.config.collectives.algorithm[kind] =
                        choice < 0 ? 0 : choice % (int32_t)(count + 1);
                }
                const struct replay_result *result = world_finish(&w);
                assert_true(sizes[i] == 1 || result->collective_messages > 0);
                assert_int_equal(result->ranks[0].sent_messages, 0);
            }
            world_free(&w);
        }
    }
}

/* Members in another order than ranks; odd and even ranks apart, at the same time. */
static void sub_communicators_replay_side_by_side(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 12);
    uint32_t half[2];
    for (uint32_t parity = 0; parity < 2; parity++) {
        uint32_t members[6];
        for (uint32_t i = 0; i < 6; i++)
            members[i] = 2 * (5 - i) + parity;
        assert_int_equal(builder_define_communicator(w.builder, parity ? "odd" : "even", members, 6,
                                                     &half[parity], &w.status),
                         STATUS_OK);
    }
    for (uint32_t rank = 0; rank < 12; rank++)
        for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++)
            post(&w, rank, 5 - rank / 2, 6, kind, half[rank % 2], kind % 6, 100,
                 BUILDER_NO_REQUEST);
    const struct replay_result *result = world_finish(&w);
    for (uint32_t rank = 0; rank < 12; rank += 2)
        assert_int_equal(result->ranks[rank].time_ps, result->ranks[rank + 1].time_ps);
    world_free(&w);
}

/* A barrier of its own clock: hidden behind the computation but for nothing, or waited for. */
static void a_non_blocking_barrier_hides_behind_computation(void **state) {
    (void)state;
    for (int64_t compute_ps = 0; compute_ps <= 100000000; compute_ps += 100000000) {
        struct world w;
        world_new(&w, 6);
        const uint64_t id = 9;
        for (uint32_t rank = 0; rank < 6; rank++) {
            world_collective(&w, rank, PROGRAM_COLLECTIVE_BARRIER, w.everyone, PROGRAM_NONE, 0, 0,
                             0, id);
            world_compute(&w, rank, compute_ps);
            world_wait(&w, rank, &id, 1);
        }
        const struct replay_result *result = world_finish(&w);
        for (uint32_t rank = 0; rank < 6; rank++) {
            const struct replay_rank_result *r = &result->ranks[rank];
            assert_int_equal(r->time_ps, compute_ps > 0 ? compute_ps : barrier_ps(6));
            assert_int_equal(r->collective_ps, compute_ps > 0 ? 0 : barrier_ps(6));
        }
        world_free(&w);
    }
}

/* The root's part costs S, on the collective's own clock: a wait that comes earlier waits for it.
 */
static void non_blocking_costs_are_waited_for(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    const uint64_t id = 9;
    for (uint32_t rank = 0; rank < 2; rank++) {
        world_collective(&w, rank, PROGRAM_COLLECTIVE_BCAST, w.everyone, 0, 8, 8, 0, id);
        world_wait(&w, rank, &id, 1);
    }
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->ranks[0].time_ps, S);
    assert_int_equal(result->ranks[0].collective_ps, S);
    assert_int_equal(result->ranks[0].send_overhead_ps, 0);
    assert_int_equal(result->ranks[1].time_ps, S + WORLD_MESSAGE_PS(8) + R);
    assert_int_equal(result->ranks[1].collective_ps, S + WORLD_MESSAGE_PS(8) + R);
    assert_int_equal(result->ranks[0].collective.other_ps, S);
    assert_int_equal(result->ranks[1].collective.late_ps, S);
    assert_int_equal(result->ranks[1].collective.transit_ps, WORLD_MESSAGE_PS(8));
    assert_int_equal(result->ranks[1].collective.other_ps, R);
    world_free(&w);
}

/* A wait in a blocking broadcast is for a late root and then for the network; one for a
 * non-blocking broadcast has the parts of what is left of it when the wait begins. */
static void waits_for_collectives_have_parts(void **state) {
    (void)state;
    const int64_t late_ps = 5000000, begin_ps = 1000;
    for (unsigned blocking = 0; blocking < 2; blocking++) {
        struct world w;
        world_new(&w, 2);
        const uint64_t id = blocking ? BUILDER_NO_REQUEST : 9;
        world_compute(&w, 0, late_ps);
        for (uint32_t rank = 0; rank < 2; rank++)
            world_collective(&w, rank, PROGRAM_COLLECTIVE_BCAST, w.everyone, 0, 8, 8, 0, id);
        if (!blocking) {
            world_wait(&w, 0, &id, 1);
            world_compute(&w, 1, late_ps + S + begin_ps);
            world_wait(&w, 1, &id, 1);
        }
        const struct replay_collective_wait *wait = &world_finish(&w)->ranks[1].collective;
        assert_int_equal(wait->late_ps, blocking ? late_ps + S : 0);
        assert_int_equal(wait->transit_ps, WORLD_MESSAGE_PS(8) - (blocking ? 0 : begin_ps));
        assert_int_equal(wait->queueing_ps, 0);
        assert_int_equal(wait->other_ps, blocking ? 0 : R);
        world_free(&w);
    }
}

/* Several at once, completed in another order. */
static void non_blocking_collectives_of_every_kind(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 7);
    for (uint32_t rank = 0; rank < 7; rank++) {
        uint64_t ids[PROGRAM_COLLECTIVE_KINDS];
        for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
            ids[PROGRAM_COLLECTIVE_KINDS - 1 - kind] = kind;
            post(&w, rank, rank, 7, kind, w.everyone, 3, 2000, kind);
        }
        world_compute(&w, rank, 1000000);
        world_wait(&w, rank, ids, PROGRAM_COLLECTIVE_KINDS);
    }
    const struct replay_result *result = world_finish(&w);
    assert_true(result->ranks[0].collective_ps > 0);
    world_free(&w);
}

/* 0, 1, 2 against 3 and 4. */
static void an_intercommunicator_replays(void **state) {
    (void)state;
    static const uint32_t first[] = {2, 1, 0}, second[] = {3, 4};
    struct world w;
    world_new(&w, 5);
    uint32_t inter;
    assert_int_equal(builder_define_intercommunicator(w.builder, "inter", first, 3, second, 2,
                                                      &inter, &w.status),
                     STATUS_OK);
    for (uint32_t rank = 0; rank < 5; rank++) {
        world_collective(&w, rank, PROGRAM_COLLECTIVE_BARRIER, inter, PROGRAM_NONE, 0, 0, 0,
                         BUILDER_NO_REQUEST);
        world_collective(&w, rank, PROGRAM_COLLECTIVE_ALLGATHER, inter, PROGRAM_NONE, 100, 100, 0,
                         BUILDER_NO_REQUEST);
        /* Number 1 of the second group (rank 4) to the first, then rank 2 to the second. */
        uint32_t root = rank < 3 || rank == 4 ? 1 : PROGRAM_NONE;
        world_collective(&w, rank, PROGRAM_COLLECTIVE_BCAST, inter, root, 500, 500,
                         rank < 3 ? OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE : 0, BUILDER_NO_REQUEST);
        root = rank >= 2 ? 0 : PROGRAM_NONE;
        world_collective(&w, rank, PROGRAM_COLLECTIVE_BCAST, inter, root, 500, 500,
                         rank >= 3 ? OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE : 0, BUILDER_NO_REQUEST);
        world_collective(&w, rank, PROGRAM_COLLECTIVE_ALLTOALLV, inter, PROGRAM_NONE,
                         rank < 3 ? 20 : 30, rank < 3 ? 20 : 30, 0, BUILDER_NO_REQUEST);
    }
    const struct replay_result *result = world_finish(&w);
    /* barrier: 2 rounds of 3 and one of 2, across 2, down 2 + 1; allgather: up 2 + 1, across 2,
     * down 2 + 1 */
    assert_int_equal(result->collective_messages, (6 + 2 + 2 + 3) + 8 + (1 + 2) + (1 + 1) + 12);
    uint64_t allgather = 2 * 100 + 100 + 3 * 100 + 2 * 100 + 2 * 200 + 300;
    assert_int_equal(w.totals.bytes, allgather + 3 * 500 + 2 * 500 + 3 * 20 + 2 * 30);
    world_free(&w);
}

/* Between two ranks: the first group's sends first, and the other's answer begins when that is
 * there. Blocks of the groups may differ. */
static void the_first_group_sends_first(void **state) {
    (void)state;
    static const uint32_t first[] = {1}, second[] = {0};
    const struct {
        uint32_t kind;
        uint64_t blocks[2]; /* of the first group, and of the second */
        bool at_once;
    } rows[] = {
        {PROGRAM_COLLECTIVE_BARRIER, {0, 0}, false},
        {PROGRAM_COLLECTIVE_ALLGATHER, {100, 300}, false},
        {PROGRAM_COLLECTIVE_ALLGATHERV, {100, 300}, false}, /* from the second to the first */
        {PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK, {200, 200}, false},
        {PROGRAM_COLLECTIVE_ALLREDUCE, {200, 200}, true},
        {PROGRAM_COLLECTIVE_ALLTOALL, {100, 300}, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world w;
        world_new(&w, 2);
        uint32_t inter;
        builder_define_intercommunicator(w.builder, "inter", first, 1, second, 1, &inter,
                                         &w.status);
        for (uint32_t rank = 0; rank < 2; rank++)
            world_collective(&w, rank, rows[i].kind, inter, PROGRAM_NONE, rows[i].blocks[1 - rank],
                             rows[i].blocks[rank], 0, BUILDER_NO_REQUEST);
        const struct replay_result *result = world_finish(&w);
        int64_t there_ps = S + WORLD_MESSAGE_PS(rows[i].blocks[0]) + R,
                back_ps = S + WORLD_MESSAGE_PS(rows[i].blocks[1]) + R;
        bool second_first = rows[i].kind == PROGRAM_COLLECTIVE_ALLGATHERV ||
                            rows[i].kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK;
        int64_t both_ps = there_ps + back_ps;
        int64_t first_ps = rows[i].at_once ? back_ps : both_ps;
        int64_t second_ps = rows[i].at_once ? there_ps : there_ps + S;
        if (second_first) {
            first_ps = back_ps + S;
            second_ps = both_ps;
        }
        assert_int_equal(result->ranks[1].time_ps, first_ps);
        assert_int_equal(result->ranks[0].time_ps, second_ps);
        world_free(&w);
    }
}

/* All create a communicator: nobody is through before the last has come. Some do: local. */
static void calls_that_create_communicators_wait_for_all(void **state) {
    (void)state;
    for (uint32_t some = 0; some < 2; some++) {
        struct world w;
        world_new(&w, 4);
        for (uint32_t rank = 0; rank < 4; rank++) {
            if (rank == 3) world_compute(&w, rank, 90000000);
            if (!some || rank != 1)
                world_collective(&w, rank, PROGRAM_COLLECTIVE_CREATE_HANDLE, w.everyone,
                                 PROGRAM_NONE, 0, 0, 0, BUILDER_NO_REQUEST);
        }
        const struct replay_result *result = world_finish(&w);
        if (some) {
            assert_int_equal(result->ranks[0].time_ps, 0);
            assert_int_equal(result->notes[0].count, 3);
        } else {
            assert_true(result->ranks[0].time_ps > 90000000);
            assert_int_equal(result->note_count, 0);
        }
        world_free(&w);
    }
}

/* What no MPI program can do is refused with the reason, however it got into the program. */
static void impossible_collectives_are_refused(void **state) {
    (void)state;
    static const uint32_t first[] = {0}, second[] = {1};
    struct world w;
    world_new(&w, 2);
    uint32_t inter;
    assert_int_equal(builder_define_intercommunicator(w.builder, "inter", first, 1, second, 1,
                                                      &inter, &w.status),
                     STATUS_OK);
    for (uint32_t rank = 0; rank < 2; rank++)
        world_collective(&w, rank, PROGRAM_COLLECTIVE_BCAST, w.everyone, 1, 8, 8, 0,
                         BUILDER_NO_REQUEST);
    world_finish(&w);
    struct program_collective_arguments *arguments = &w.program->collective_arguments[0];
    struct program_collective_arguments right = *arguments;
    arguments->root = 2;
    assert_int_equal(world_run(&w), STATUS_INPUT);
    assert_non_null(strstr(w.status.text, "BCAST with root 2"));
    *arguments = right;
    arguments->communicator = inter;
    arguments->kind = PROGRAM_COLLECTIVE_SCAN;
    assert_int_equal(world_run(&w), STATUS_INPUT);
    assert_non_null(strstr(w.status.text, "SCAN on intercommunicators (inter)"));
    *arguments = right;
    arguments->own_member = 7;
    assert_int_equal(world_run(&w), STATUS_INPUT);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_barrier_takes_the_closed_form),
        cmocka_unit_test(a_broadcast_takes_the_closed_form),
        cmocka_unit_test(an_allreduce_pays_for_combining),
        cmocka_unit_test(large_alltoalls_take_the_rendezvous),
        cmocka_unit_test(an_alltoallv_sends_by_row_and_column_sums),
        cmocka_unit_test(alltoallvs_in_turn_keep_their_own_sums),
        cmocka_unit_test(known_pairs_alone_exchange_messages),
        cmocka_unit_test(every_pair_gets_its_bytes),
        cmocka_unit_test(vectors_are_cut_at_elements),
        cmocka_unit_test(every_kind_replays_with_every_algorithm),
        cmocka_unit_test(sub_communicators_replay_side_by_side),
        cmocka_unit_test(a_non_blocking_barrier_hides_behind_computation),
        cmocka_unit_test(non_blocking_costs_are_waited_for),
        cmocka_unit_test(waits_for_collectives_have_parts),
        cmocka_unit_test(non_blocking_collectives_of_every_kind),
        cmocka_unit_test(an_intercommunicator_replays),
        cmocka_unit_test(the_first_group_sends_first),
        cmocka_unit_test(calls_that_create_communicators_wait_for_all),
        cmocka_unit_test(impossible_collectives_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
