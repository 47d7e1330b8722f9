/*
 * Every collective algorithm gives everyone the right data, between groups too, and takes the
 * messages that it should.
 */
#include "tests/support/replay/symbolic_collective.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Under sanitizers, which take twenty times as long, only some sizes, and some roots of them. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ALL_ROOTS_UP_TO 9
#else
#define ALL_ROOTS_UP_TO SYMBOLIC_MEMBERS
#endif

static bool is_tried(uint32_t root, uint32_t size) {
    if (size <= ALL_ROOTS_UP_TO) return true;
    return size % 8 <= 1 && (root < 2 || root == size / 2 || root == size - 1);
}

static void every_algorithm_gives_everyone_the_right_data(void **state) {
    (void)state;
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        uint32_t count;
        const struct collective_algorithm *algorithms = collective_algorithms(kind, &count);
        assert_true(count > 0);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t size = 1; size <= SYMBOLIC_MEMBERS; size++)
                for (uint32_t root = 0; root < (symbolic_is_rooted(kind) ? size : 1); root++)
                    if (is_tried(root, size))
                        symbolic_run(kind, &algorithms[i], size, 0, root,
                                     &(struct collective_choice){.library = (int32_t)(size % 2)},
                                     8);
    }
}

/* Which members share a node, in many ways: one each, all, blocks, blocks of different sizes, in
 * turn, in turn from the end, in no order. */
enum { WAYS = 8 };
static uint32_t place(uint32_t way, uint32_t size, uint32_t *node_of) {
    uint32_t seen = 0, nodes = 0;
    for (uint32_t i = 0, node = 0, left = 1; i < size; i++, left--) {
        if (left == 0) left = 1 + ++node % 4;
        const uint32_t ways[WAYS] = {i, 0, i / 3, i / 5, node, i % 4, (size - i) % 3, i * i % 7};
        node_of[i] = ways[way];
    }
    for (uint32_t i = 0; i < size; i++)
        if (node_of[i] < 32 && !(seen & 1u << node_of[i]))
            seen |= 1u << node_of[i], nodes++;
        else
            nodes += node_of[i] == 32;
    return nodes;
}

/* The leaders alone send between nodes, and the others send and receive as often as the part within
 * the node does: once to the leader for a reduce, once from it for a bcast. */
static void check_levels(uint32_t kind, const struct collective_algorithm *algorithm, uint32_t size,
                         uint32_t root, const struct collective_choice *choice, uint32_t way) {
    uint32_t node_of[SYMBOLIC_MEMBERS], crossing, count;
    uint32_t nodes = place(way, size, node_of);
    struct symbolic_cost cost =
        symbolic_run_on_nodes(kind, algorithm, size, root, choice, node_of, &crossing);
    uint32_t inside = size - nodes;
    if (kind == PROGRAM_COLLECTIVE_BARRIER || kind == PROGRAM_COLLECTIVE_ALLREDUCE) inside *= 2;
    bool tree = algorithm->step == collective_offload_step;
    struct collective_choice flat = *choice;
    flat.algorithm[kind] = 0;
    const struct collective_algorithm *library = &collective_algorithms(kind, &count)[0];
    bool is_counted = !tree && choice->library == 0 && kind != PROGRAM_COLLECTIVE_ALLREDUCE;
    if (is_counted)
        assert_int_equal(crossing, symbolic_run(kind, library, nodes, 0, 0, &flat, 8).messages);
    if (tree) assert_int_equal(crossing, 2 * (nodes - 1));
    assert_int_equal(cost.messages - crossing, inside);
}

static void two_levels_give_the_right_data_on_any_nodes(void **state) {
    (void)state;
    static const struct {
        uint32_t kind;
        int32_t id;
    } rows[] = {{PROGRAM_COLLECTIVE_BARRIER, BARRIER_TWO_LEVEL},
                {PROGRAM_COLLECTIVE_BARRIER, BARRIER_OFFLOAD},
                {PROGRAM_COLLECTIVE_BCAST, BCAST_TWO_LEVEL},
                {PROGRAM_COLLECTIVE_REDUCE, REDUCE_TWO_LEVEL},
                {PROGRAM_COLLECTIVE_ALLREDUCE, ALLREDUCE_TWO_LEVEL},
                {PROGRAM_COLLECTIVE_ALLREDUCE, ALLREDUCE_OFFLOAD}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t kind = rows[i].kind;
        for (uint32_t size = 1; size <= SYMBOLIC_MEMBERS; size++) {
            uint32_t roots = symbolic_is_rooted(kind) ? size : 1;
            for (uint32_t root = 0; root < roots; root++) {
                if (!is_tried(root, size)) continue;
                for (uint32_t way = 0; way < WAYS; way++) {
                    struct collective_choice choice = {.library = (int32_t)(way % 3),
                                                       .offload_radix = 2 + (int64_t)(root % 3)};
                    if (size % 2 == 0) /* the parts are asked for two levels as well */
                        choice.algorithm[PROGRAM_COLLECTIVE_REDUCE] = REDUCE_TWO_LEVEL,
                        choice.algorithm[PROGRAM_COLLECTIVE_BCAST] = BCAST_TWO_LEVEL;
                    check_levels(kind, collective_algorithm_of(kind, rows[i].id), size, root,
                                 &choice, way);
                }
            }
        }
    }
}

/* Libraries, and algorithms that are made of others, with nodes. */
static void every_kind_gives_the_right_data_with_nodes(void **state) {
    (void)state;
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        uint32_t count, crossing, node_of[SYMBOLIC_MEMBERS];
        const struct collective_algorithm *algorithms = collective_algorithms(kind, &count);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t size = 1; size <= 17; size++)
                for (int32_t library = 0; library < 3; library++) {
                    struct collective_choice choice = {.library = library,
                                                       .offload = library % 2,
                                                       .offload_radix = 3,
                                                       .offload_largest_bytes = 1 << 20};
                    place(4, size, node_of);
                    symbolic_run_on_nodes(kind, &algorithms[i], size,
                                          symbolic_is_rooted(kind) ? size / 2 : 0, &choice, node_of,
                                          &crossing);
                }
    }
}

static void run_inter(uint32_t kind, uint32_t max, const struct collective_choice *choice,
                      uint32_t block) {
    const struct collective_algorithm *algorithm = collective_intercommunicator_algorithm(kind);
    if (algorithm == NULL) {
        assert_true(kind == PROGRAM_COLLECTIVE_SCAN || kind == PROGRAM_COLLECTIVE_EXSCAN);
        return;
    }
    for (uint32_t size = 1; size <= max; size++)
        for (uint32_t remote = 1; remote <= max; remote++)
            for (uint32_t root = 0; root < (symbolic_is_rooted(kind) ? size + remote : 1); root++)
                symbolic_run(kind, algorithm, size, remote, root, choice, block);
}

/* With short and long blocks, and with every algorithm for what is done within the groups. */
static void intercommunicators_give_the_right_data(void **state) {
    (void)state;
    static const uint32_t within[] = {PROGRAM_COLLECTIVE_BARRIER, PROGRAM_COLLECTIVE_BCAST,
                                      PROGRAM_COLLECTIVE_REDUCE,  PROGRAM_COLLECTIVE_GATHER,
                                      PROGRAM_COLLECTIVE_SCATTER, PROGRAM_COLLECTIVE_SCATTERV};
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        for (int32_t library = 0; library < 2; library++)
            run_inter(kind, 7, &(struct collective_choice){.library = library}, 8);
        run_inter(kind, 4, &(struct collective_choice){.library = 0}, 1024);
        for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
            uint32_t count;
            collective_algorithms(within[i], &count);
            for (uint32_t id = 1; id <= count; id++) {
                struct collective_choice choice = {0};
                choice.algorithm[within[i]] = (int32_t)id;
                run_inter(kind, 5, &choice, 8);
            }
        }
    }
}

/* How many messages and bytes a collective takes. */
static void count_inter(uint32_t kind, uint32_t size, uint32_t remote, uint32_t root,
                        uint32_t block, uint32_t messages, uint64_t bytes) {
    struct symbolic_cost cost =
        symbolic_run(kind, collective_intercommunicator_algorithm(kind), size, remote, root,
                     &(struct collective_choice){0}, block);
    if (cost.messages != messages || cost.bytes != bytes)
        fail_msg("%s of %u and %u: %u messages, %llu bytes",
                 program_collective_name((program_collective_kind)kind), size, remote,
                 cost.messages, (unsigned long long)cost.bytes);
}

/* As MPICH's code has it: groups of 3 and 5, the root in the first. */
static void intercommunicators_send_what_mpich_sends(void **state) {
    (void)state;
    count_inter(PROGRAM_COLLECTIVE_BCAST, 3, 5, 1, 8, 1 + 4, 5 * 200);
    count_inter(PROGRAM_COLLECTIVE_REDUCE, 3, 5, 1, 8, 4 + 1, 5 * 200);
    /* up to 2047 bytes along a tree (numbers 1 and 3 give 1, 2 gives 2, 4 gives 1) to the leader,
     * and from there to the root; from 2048 on straight to the root */
    count_inter(PROGRAM_COLLECTIVE_GATHER, 3, 5, 1, 409, 4 + 1, (1 + 2 + 1 + 1) * 409 + 5 * 409);
    count_inter(PROGRAM_COLLECTIVE_GATHER, 3, 5, 1, 410, 5, 5 * 410);
    count_inter(PROGRAM_COLLECTIVE_SCATTER, 3, 5, 1, 409, 1 + 4, (1 + 2 + 1 + 1) * 409 + 5 * 409);
    count_inter(PROGRAM_COLLECTIVE_SCATTER, 3, 5, 1, 410, 5, 5 * 410);
    count_inter(PROGRAM_COLLECTIVE_GATHER, 3, 4, 1, 511, 3 + 1, (1 + 2 + 1) * 511 + 4 * 511);
    count_inter(PROGRAM_COLLECTIVE_GATHER, 3, 4, 1, 512, 4, 4 * 512);
    count_inter(PROGRAM_COLLECTIVE_SCATTER, 3, 4, 1, 511, 1 + 3, (1 + 2 + 1) * 511 + 4 * 511);
    count_inter(PROGRAM_COLLECTIVE_SCATTER, 3, 4, 1, 512, 4, 4 * 512);
    count_inter(PROGRAM_COLLECTIVE_ALLGATHER, 3, 5, 0, 8, 2 + 4 + 2 + 2 + 4,
                2 * 8 + 5 * 8 + (3 + 5) * 8 + 2 * 40 + 4 * 24);
    count_inter(PROGRAM_COLLECTIVE_ALLTOALL, 3, 5, 0, 8, 2 * 15, 2 * 15 * 8);
    count_inter(PROGRAM_COLLECTIVE_ALLREDUCE, 3, 5, 0, 8, 2 + 4 + 2 + 2 + 4,
                (2 + 4 + 2 + 2 + 4) * 200);
    /* vectors of 30 bytes to reduce; blocks of 10 and 6 scattered along trees */
    count_inter(PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK, 3, 5, 0, 8, 2 + 4 + 2 + 2 + 4,
                (2 + 4 + 2) * 30 + 2 * 10 + 5 * 6);
    count_inter(PROGRAM_COLLECTIVE_BARRIER, 3, 5, 0, 8, 3 * 2 + 5 * 3 + 2 + 2 + 4, 0);
    /* blocks of 0, 2, 4 and 6, 8, 0, 2, 4 bytes; empty ones are not sent */
    count_inter(PROGRAM_COLLECTIVE_GATHERV, 3, 5, 1, 8, 4, 20);
    count_inter(PROGRAM_COLLECTIVE_SCATTERV, 3, 5, 1, 8, 4, 20);
    count_inter(PROGRAM_COLLECTIVE_ALLGATHERV, 3, 5, 0, 8, 2 + 4 + 2 + 4, 6 + 20 + 2 * 20 + 4 * 6);
    count_inter(PROGRAM_COLLECTIVE_REDUCE_SCATTER, 3, 5, 0, 8, 2 + 1 + 4 + 1 + 2 + 3,
                3 * 20 + 5 * 6 + 6 + (20 - 6));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_gives_everyone_the_right_data),
        cmocka_unit_test(two_levels_give_the_right_data_on_any_nodes),
        cmocka_unit_test(every_kind_gives_the_right_data_with_nodes),
        cmocka_unit_test(intercommunicators_give_the_right_data),
        cmocka_unit_test(intercommunicators_send_what_mpich_sends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
