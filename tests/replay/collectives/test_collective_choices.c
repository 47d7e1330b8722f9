/*
 * Which algorithm a library runs, held against the thresholds of its selection; that every call
 * finds one, and all members the same.
 */
#include "replay/collectives/collective_families.h"
#include "tests/support/replay/symbolic_collective.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MPICH, OPENMPI, CRAY, LIBRARIES };

#define NON_BLOCKING 1
#define IN_PLACE     2
#define ON_NODES     4  /* four members on a node; without it, nodes are not known */
#define APART        8  /* each member on a node of its own */
#define TOGETHER     16 /* all on one node */

struct expectation {
    int32_t library;
    uint32_t kind;
    uint32_t size;
    uint64_t bytes; /* of the vector or of one block */
    int32_t id;
    unsigned flags;
};

#define M(kind, size, bytes, id, flags)                                                            \
    { MPICH, PROGRAM_COLLECTIVE_##kind, size, bytes, kind##_##id, flags }
#define O(kind, size, bytes, id, flags)                                                            \
    { OPENMPI, PROGRAM_COLLECTIVE_##kind, size, bytes, kind##_##id, flags }
#define C(kind, size, bytes, id, flags)                                                            \
    { CRAY, PROGRAM_COLLECTIVE_##kind, size, bytes, kind##_##id, flags }
/* In reductions elements have 8 bytes; too few of them for an algorithm that cuts the vector up,
 * and another one runs. */
static const struct expectation expectations[] = {
    M(BARRIER, 100, 0, DISSEMINATION, 0),
    M(BCAST, 7, 1 << 30, BINOMIAL, 0),
    M(BCAST, 8, 12288, BINOMIAL, 0),
    M(BCAST, 8, 12289, SCATTER_DOUBLING, 0),
    M(BCAST, 8, 524288, SCATTER_DOUBLING, 0),
    M(BCAST, 8, 524289, SCATTER_RING, 0),
    M(BCAST, 9, 12289, SCATTER_RING, 0),
    M(BCAST, 8, 12288, SCATTER_DOUBLING, NON_BLOCKING),
    M(BCAST, 8, 12287, BINOMIAL, NON_BLOCKING),
    M(ALLREDUCE, 8, 8, DOUBLING, 0),
    M(ALLREDUCE, 8, 63, DOUBLING, 0),
    M(ALLREDUCE, 15, 64, RABENSEIFNER, 0),
    M(ALLREDUCE, 8, 2048, DOUBLING, NON_BLOCKING),
    M(ALLREDUCE, 8, 2049, RABENSEIFNER, NON_BLOCKING),
    M(REDUCE, 8, 2048, BINOMIAL, 0),
    M(REDUCE, 8, 2049, RABENSEIFNER, 0),
    M(REDUCE, 1024, 4096, BINOMIAL, 0),
    M(ALLGATHER, 8, 65535, DOUBLING, 0),
    M(ALLGATHER, 8, 65536, RING, 0),
    M(ALLGATHER, 10, 8191, BRUCK, 0),
    M(ALLGATHER, 10, 8192, RING, 0),
    M(ALLGATHERV, 8, 65535, DOUBLING, 0),
    M(ALLGATHERV, 10, 8192, RING, 0),
    M(REDUCE_SCATTER, 8, 65535, HALVING, 0),
    M(REDUCE_SCATTER, 8, 65536, PAIRWISE, 0),
    M(REDUCE_SCATTER_BLOCK, 7, 1 << 20, PAIRWISE, 0),
    M(ALLTOALL, 7, 1, SCATTERED, 0),
    M(ALLTOALL, 7, 32768, SCATTERED, 0),
    M(ALLTOALL, 7, 32769, PAIRWISE, 0),
    M(ALLTOALL, 8, 256, BRUCK, 0),
    M(ALLTOALL, 8, 257, SCATTERED, 0),
    M(ALLTOALL, 8, 2048, BRUCK, NON_BLOCKING),
    M(ALLTOALL, 8, 32769, PAIRWISE, 0),
    M(ALLTOALL, 8, 1, ORDERED, IN_PLACE),
    M(ALLTOALLV, 8, 100, SCATTERED, 0),
    M(ALLTOALLV, 8, 100, ORDERED, IN_PLACE),
    M(GATHER, 9, 1 << 20, BINOMIAL, 0),
    M(SCATTERV, 9, 8, LINEAR, 0),
    M(SCAN, 9, 8, DOUBLING, 0),
    O(BARRIER, 3, 0, DOUBLING, 0),
    O(BARRIER, 4, 0, LINEAR, 0),
    O(BARRIER, 64, 0, DISSEMINATION, 0),
    O(BARRIER, 256, 0, TREE, 0),
    O(BCAST, 16, 4095, KNOMIAL, 0),
    O(BCAST, 16, 4096, BINOMIAL, 0),
    O(BCAST, 31, 1 << 20, SCATTER_DOUBLING, 0),
    O(BCAST, 256, 16384, SPLIT_BINARY, 0),
    O(BCAST, 5000, 262144, SCATTER_DOUBLING, 0),
    O(ALLREDUCE, 8, 8191, DOUBLING, 0),
    O(ALLREDUCE, 8, 8192, RABENSEIFNER, 0),
    O(ALLREDUCE, 20, 63, DOUBLING, 0),
    O(ALLREDUCE, 300, 4000, REDUCE_BCAST, 0),
    O(ALLREDUCE, 40, 200, LINEAR, 0),
    O(ALLGATHER, 8, 1 << 20, DOUBLING, 0),
    O(ALLGATHER, 9, 1 << 20, BRUCK, 0),
    O(ALLGATHER, 32, 65535, NEIGHBOUR, 0),
    O(ALLGATHER, 32, 65536, RING, 0),
    O(ALLGATHERV, 6, 255, GATHER_BCAST, 0),
    O(ALLTOALL, 16, 511, BRUCK, 0),
    O(ALLTOALL, 16, 512, LINEAR, 0),
    O(ALLTOALL, 128, 262144, PAIRWISE, 0),
    O(ALLTOALLV, 64, 8, PAIRWISE, 0),
    O(REDUCE, 7, 100000, BINOMIAL, 0),
    O(REDUCE, 3000, 700, IN_ORDER, 0),
    O(REDUCE, 3000, 1500, BINOMIAL, 0),
    O(REDUCE, 3000, 10000, IN_ORDER, 0),
    O(REDUCE_SCATTER, 64, 20, BUTTERFLY, 0),
    O(REDUCE_SCATTER, 64, 40, HALVING, 0),
    O(GATHER, 300, 4096, ORDERED, 0),
    O(SCATTER, 100, 512, LINEAR, 0),
    O(GATHERV, 100, 512, ORDERED, 0),
    O(SCATTERV, 100, 512, ORDERED, 0),
    O(SCAN, 9, 8, LINEAR, 0),
    O(BARRIER, 4, 0, DISSEMINATION, NON_BLOCKING),
    O(BCAST, 4, 1 << 20, LINEAR, NON_BLOCKING),
    O(BCAST, 5, 1 << 20, BINOMIAL, NON_BLOCKING),
    O(ALLREDUCE, 3, 65536, BINOMIAL, NON_BLOCKING),
    O(ALLREDUCE, 4, 65535, BINOMIAL, NON_BLOCKING),
    O(ALLREDUCE, 4, 65536, RABENSEIFNER, NON_BLOCKING),
    O(ALLREDUCE, 4, 65536, BINOMIAL, NON_BLOCKING | IN_PLACE),
    O(REDUCE, 2, 65535, BINOMIAL, NON_BLOCKING),
    O(REDUCE, 2, 65536, PIPELINE, NON_BLOCKING),
    O(REDUCE, 4, 31, BINOMIAL, NON_BLOCKING),
    O(REDUCE, 3, 15, BINOMIAL, NON_BLOCKING),
    O(REDUCE, 3, 16, RABENSEIFNER, NON_BLOCKING),
    O(ALLGATHER, 40, 100, LINEAR, NON_BLOCKING),
    O(ALLGATHERV, 40, 100, LINEAR, NON_BLOCKING),
    O(ALLTOALL, 40, 100, LINEAR, NON_BLOCKING),
    O(GATHER, 40, 100, LINEAR, NON_BLOCKING),
    O(GATHERV, 40, 100, LINEAR, NON_BLOCKING),
    O(SCATTER, 40, 100, LINEAR, NON_BLOCKING),
    O(SCATTERV, 40, 100, LINEAR, NON_BLOCKING),
    O(REDUCE_SCATTER, 40, 100, BINOMIAL, NON_BLOCKING),
    O(REDUCE_SCATTER_BLOCK, 40, 100, BINOMIAL, NON_BLOCKING),
    C(BARRIER, 16, 0, TWO_LEVEL, ON_NODES),
    C(BARRIER, 16, 0, DISSEMINATION, APART),
    C(BARRIER, 16, 0, DISSEMINATION, TOGETHER),
    C(BARRIER, 16, 0, DISSEMINATION, 0),
    C(BARRIER, 16, 0, DISSEMINATION, ON_NODES | NON_BLOCKING),
    C(BCAST, 16, 1 << 20, TWO_LEVEL, ON_NODES),
    C(BCAST, 16, 1 << 20, KNOMIAL, APART),
    C(ALLREDUCE, 16, 8, TWO_LEVEL, ON_NODES),
    C(ALLREDUCE, 16, 262144, TWO_LEVEL, ON_NODES),
    C(ALLREDUCE, 16, 262145, RABENSEIFNER, ON_NODES),
    C(ALLREDUCE, 16, 8, DOUBLING, APART),
    C(ALLREDUCE, 16, 8, DOUBLING, ON_NODES | NON_BLOCKING),
    C(REDUCE, 16, 1 << 20, TWO_LEVEL, ON_NODES),
    C(REDUCE, 16, 1 << 20, RABENSEIFNER, APART),
    C(ALLTOALL, 1024, 512, BRUCK, 0),
    C(ALLTOALL, 1024, 513, RANDOM, 0),
    C(ALLTOALL, 1025, 256, BRUCK, 0),
    C(ALLTOALL, 1025, 257, RANDOM, 0),
    C(ALLTOALL, 65536, 256, BRUCK, 0),
    C(ALLTOALL, 65537, 128, BRUCK, 0),
    C(ALLTOALL, 65537, 129, RANDOM, 0),
    C(ALLTOALL, 131073, 64, BRUCK, 0),
    C(ALLTOALL, 131073, 65, RANDOM, 0),
    C(ALLTOALL, 16, 1 << 20, ORDERED, IN_PLACE),
    C(ALLTOALLV, 16, 100, SCATTERED, 0),
    C(REDUCE_SCATTER, 8, 65536, PAIRWISE, 0),
};

#define SIZES_MAX 5001
static uint64_t sums[SIZES_MAX];
static struct collective_choice choice = {.segment_bytes = 8192, .element_bytes = 8};

static const struct collective_nodes *nodes_of(uint32_t size, unsigned flags) {
    static struct symbolic_nodes nodes;
    uint32_t node_of[SYMBOLIC_MEMBERS];
    if ((flags & (ON_NODES | APART | TOGETHER)) == 0) return NULL;
    for (uint32_t i = 0; i < size; i++)
        node_of[i] = flags & ON_NODES ? i / 4 : flags & APART ? i : 0;
    symbolic_nodes_of(&nodes, size, node_of);
    return &nodes.nodes;
}

static struct collective_call call_of(uint32_t kind, uint32_t size, uint64_t bytes,
                                      unsigned flags) {
    bool sized = program_collective_is_sized((program_collective_kind)kind);
    for (uint32_t i = 0; sized && i <= size; i++)
        sums[i] = i * bytes;
    return (struct collective_call){.kind = kind,
                                    .size = size,
                                    .send_bytes = bytes,
                                    .receive_bytes = bytes,
                                    .sums = sized ? sums : NULL,
                                    .nodes = nodes_of(size, flags),
                                    .choice = &choice,
                                    .in_place = (flags & IN_PLACE) != 0,
                                    .non_blocking = (flags & NON_BLOCKING) != 0};
}

static void libraries_choose_by_their_thresholds(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        const struct expectation *e = &expectations[i];
        choice.library = e->library;
        struct collective_call call = call_of(e->kind, e->size, e->bytes, e->flags);
        const struct collective_algorithm *chosen = collective_chosen(&call);
        if (chosen != collective_algorithm_of(e->kind, e->id))
            fail_msg("row %zu: %s of %u with %u bytes: %s", i,
                     program_collective_name((program_collective_kind)e->kind), e->size,
                     (unsigned)e->bytes, chosen->text.name);
    }
}

/* Where a vector has fewer elements than members, as with elements of a megabyte, libnbc reduces it
 * along a chain, for up to 4 members. */
static void libnbc_reduces_few_large_elements_along_a_chain(void **state) {
    (void)state;
    static const struct {
        uint32_t size;
        int32_t id;
    } cases[] = {
        {2, REDUCE_PIPELINE}, {3, REDUCE_PIPELINE}, {4, REDUCE_PIPELINE}, {5, REDUCE_BINOMIAL}};
    choice.library = OPENMPI;
    choice.element_bytes = 1 << 20;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct collective_call call =
            call_of(PROGRAM_COLLECTIVE_REDUCE, cases[i].size, 1 << 20, NON_BLOCKING);
        assert_ptr_equal(collective_chosen(&call),
                         collective_algorithm_of(PROGRAM_COLLECTIVE_REDUCE, cases[i].id));
    }
    choice.element_bytes = 8;
}

static void every_call_finds_an_algorithm(void **state) {
    (void)state;
    for (choice.library = 0; choice.library < LIBRARIES; choice.library++) {
        for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
            uint32_t count;
            const struct collective_algorithm *first = collective_algorithms(kind, &count);
            for (uint32_t size = 1; size < SIZES_MAX; size += 1 + size / 7) {
                for (uint64_t bytes = 0; bytes < UINT64_C(1) << 40; bytes = 3 * bytes + 1) {
                    struct collective_call call = call_of(kind, size, bytes, bytes % 4);
                    const struct collective_algorithm *chosen = collective_chosen(&call);
                    assert_true(chosen >= first && chosen < first + count);
                    call.own_member = size - 1;
                    assert_ptr_equal(collective_chosen(&call), chosen);
                }
            }
        }
    }
}

static void a_named_algorithm_is_taken(void **state) {
    (void)state;
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        uint32_t count;
        const struct collective_algorithm *first = collective_algorithms(kind, &count);
        struct collective_call call = call_of(kind, 9, 100, 0);
        for (uint32_t i = 0; i < count; i++) {
            choice.algorithm[kind] = (int32_t)i + 1;
            assert_ptr_equal(collective_chosen(&call), &first[i]);
        }
        choice.algorithm[kind] = 0;
    }
}

/* A known size of elements counts, in place of mpi.reduction_element. */
static void a_known_element_counts_in_place_of_the_setting(void **state) {
    (void)state;
    static const struct {
        uint32_t kind, library;
        uint64_t bytes;
        int32_t few, enough;
        bool non_blocking;
    } cases[] = {
        {PROGRAM_COLLECTIVE_ALLREDUCE, MPICH, 64, ALLREDUCE_DOUBLING, ALLREDUCE_RABENSEIFNER,
         false},
        {PROGRAM_COLLECTIVE_REDUCE, OPENMPI, 64, REDUCE_BINOMIAL, REDUCE_RABENSEIFNER, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        choice.library = cases[i].library;
        for (uint64_t element = 0; element <= 8; element += 4) {
            struct collective_call call = call_of(cases[i].kind, 16, cases[i].bytes,
                                                  cases[i].non_blocking ? NON_BLOCKING : 0);
            call.element_bytes = element;
            assert_ptr_equal(collective_chosen(&call),
                             collective_algorithm_of(cases[i].kind, element == 4 ? cases[i].enough
                                                                                 : cases[i].few));
        }
    }
}

/* The throttle is the library's unless a setting says otherwise; offload comes before the library,
 * and a named algorithm before both. */
static void settings_come_before_the_library(void **state) {
    (void)state;
    static const uint32_t throttles[LIBRARIES] = {32, 32, 8};
    for (choice.library = 0; choice.library < LIBRARIES; choice.library++) {
        struct collective_call call = call_of(PROGRAM_COLLECTIVE_ALLTOALLV, 9, 100, 0);
        assert_int_equal(collective_throttle(&call), throttles[choice.library]);
        choice.throttle = 5;
        assert_int_equal(collective_throttle(&call), 5);
        choice.throttle = INT64_C(1) << 31;
        assert_int_equal(collective_throttle(&call), INT64_C(1) << 31);
        choice.throttle = 0;
        assert_int_equal(collective_reads_nodes(&choice), choice.library == CRAY);
        choice.offload = 1;
        choice.offload_largest_bytes = 16;
        assert_true(collective_reads_nodes(&choice));
        call = call_of(PROGRAM_COLLECTIVE_ALLREDUCE, 9, 16, ON_NODES);
        const struct collective_algorithm *offload =
            collective_algorithm_of(PROGRAM_COLLECTIVE_ALLREDUCE, ALLREDUCE_OFFLOAD);
        assert_ptr_equal(collective_chosen(&call), offload);
        choice.algorithm[PROGRAM_COLLECTIVE_ALLREDUCE] = ALLREDUCE_RING;
        assert_ptr_not_equal(collective_chosen(&call), offload);
        choice.algorithm[PROGRAM_COLLECTIVE_ALLREDUCE] = 0;
        call = call_of(PROGRAM_COLLECTIVE_ALLREDUCE, 9, 17, ON_NODES);
        assert_ptr_not_equal(collective_chosen(&call), offload);
        choice.offload = 0;
    }
    choice.library = MPICH;
    choice.algorithm[PROGRAM_COLLECTIVE_REDUCE] = REDUCE_TWO_LEVEL;
    assert_true(collective_reads_nodes(&choice));
    choice.algorithm[PROGRAM_COLLECTIVE_REDUCE] = REDUCE_BINOMIAL;
    assert_false(collective_reads_nodes(&choice));
    choice.algorithm[PROGRAM_COLLECTIVE_REDUCE] = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libraries_choose_by_their_thresholds),
        cmocka_unit_test(libnbc_reduces_few_large_elements_along_a_chain),
        cmocka_unit_test(every_call_finds_an_algorithm),
        cmocka_unit_test(a_named_algorithm_is_taken),
        cmocka_unit_test(a_known_element_counts_in_place_of_the_setting),
        cmocka_unit_test(settings_come_before_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
