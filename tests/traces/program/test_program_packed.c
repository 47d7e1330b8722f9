/* Packed operations are what was packed, take little memory, and change as others do. */
#include "core/memory/paging.h"
#include "core/simulation/random.h"
#include "tests/support/core/scratch_file.h"
#include "traces/program/edit/program_regions.h"
#include "traces/program/edit/program_scale.h"
#include "traces/program/file/program_read_ahead.h"
#include "traces/program/program_packed.h"
#include "traces/traces.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { RANKS = 5, OPERATIONS = 4000 };

/* Returns a number with any count of bits, so that each field has small and large values. */
static uint64_t any(uint64_t *state) {
    const struct random_block draw = random_draw(7, RANDOM_PATTERN, 0, (*state)++);
    const uint64_t bits = (uint64_t)draw.word[0] << 32 | draw.word[1];
    return bits >> draw.word[2] % 64;
}

static struct program_operation any_operation(uint64_t *state) {
    static const uint8_t kinds[] = {OPERATION_COMPUTE, OPERATION_CALL,      OPERATION_RETURN,
                                    OPERATION_ENTER,   OPERATION_LEAVE,     OPERATION_SEND,
                                    OPERATION_WAIT,    OPERATION_END,       OPERATION_RECEIVE,
                                    OPERATION_VERTEX,  OPERATION_COLLECTIVE};
    struct program_operation operation = {.kind = kinds[any(state) % sizeof kinds]};
    const uint64_t form = any(state) % 4; /* half of the operations are like those of programs */
    if (form == 0) operation.flags = any(state) & 0xFF;
    if (form <= 1 || operation.kind == OPERATION_CALL)
        operation.value = any(state) & (PROGRAM_BYTES_LIMIT - 1);
    uint64_t words[2] = {any(state), form == 0 ? any(state) : any(state) & 0xFFF};
    if (form == 3) words[0] &= 0xFFFFFFFFFF;
    memcpy(&operation.message, words, sizeof words);
    return operation;
}

static struct program *empty_program(uint64_t each) {
    struct program *program = calloc(1, sizeof *program);
    program->rank_count = RANKS;
    program->ranks = calloc(RANKS, sizeof *program->ranks);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        program->ranks[rank].first = program->operation_count;
        program->ranks[rank].count = each + rank;
        program->operation_count += each + rank;
    }
    assert_int_equal(program_packed_new(program, NULL, NULL), STATUS_OK);
    return program;
}

/* Whatever bits an operation has, they come back: also those that no program has. */
static void any_operation_comes_back(void **unused) {
    (void)unused;
    struct program *program = empty_program(OPERATIONS);
    struct program_packer packer = {0};
    uint64_t state = 0;
    for (uint32_t rank = RANKS; rank-- > 0;) { /* ranks in any order */
        state = (uint64_t)rank << 32;
        program_packer_begin(&packer, program, rank);
        for (uint64_t i = 0; i < program->ranks[rank].count; i++) {
            const struct program_operation operation = any_operation(&state);
            assert_int_equal(program_packer_add(&packer, &operation, NULL), STATUS_OK);
        }
        assert_int_equal(program_packer_finish(&packer, NULL), STATUS_OK);
    }
    program_packer_free(&packer);
    struct program_walk walk = {0};
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        state = (uint64_t)rank << 32;
        for (uint64_t i = 0; i < program->ranks[rank].count; i++) {
            const struct program_operation expected = any_operation(&state);
            assert_true(program_walk_next(program, &walk));
            assert_int_equal(walk.rank, rank);
            assert_memory_equal(walk.operation, &expected, sizeof expected);
        }
    }
    assert_false(program_walk_next(program, &walk));
    program_free(program);
}

static const char *const folder = scratch_file.folder, *const path = scratch_file.path;

/* Writes a program with user regions, and returns it. */
static struct program *write_halo(uint32_t iterations) {
    struct traces_pattern_config config = {.rank_count = 40,
                                           .iterations = iterations,
                                           .size_bytes = 4096,
                                           .compute_ps = 1000000,
                                           .neighbours = 26};
    struct program *program;
    assert_int_equal(traces_generate(&program, "halo3d", &config, NULL), STATUS_OK);
    assert_true(program_has_user_regions(program));
    assert_int_equal(traces_write_program(program, path, true, 1, NULL), STATUS_OK);
    return program;
}

static struct program *read_within(uint64_t bytes, unsigned threads) {
    struct program *program = NULL;
    struct paging *paging = paging_new(folder, bytes, false);
    assert_non_null(paging);
    const struct traces_loading loading = {
        .paging = paging, .keeps_user_regions = true, .threads = threads};
    assert_int_equal(traces_load_program(&program, path, &loading, NULL), STATUS_OK);
    return program;
}

/* The program as it is read with so much memory that it fits, and so little that it is packed. */
static struct program *read_packed(const struct program *made, unsigned threads) {
    return read_within(made->operation_count * 40, threads);
}

static void assert_same_operations(const struct program *a, const struct program *b) {
    struct program_walk one = {0}, other = {0};
    assert_memory_equal(a->ranks, b->ranks, a->rank_count * sizeof *a->ranks);
    while (program_walk_next(a, &one)) {
        assert_true(program_walk_next(b, &other));
        assert_memory_equal(one.operation, other.operation, sizeof *one.operation);
    }
    assert_false(program_walk_next(b, &other));
}

/* Operations of long loops take less than a quarter of 24 bytes. */
static void loops_take_little(void **state) {
    (void)state;
    struct program *made = write_halo(300), *read = read_packed(made, 2);
    assert_non_null(read->packed);
    uint64_t bytes = made->operation_count * sizeof *read->packed->upper;
    bytes +=
        (made->operation_count / PROGRAM_BLOCK_OPERATIONS + RANKS) * sizeof(struct program_block);
    for (uint32_t rank = 0; rank < read->rank_count; rank++)
        bytes +=
            read->packed->ranks[rank].count * sizeof(struct program_operation) +
            read->packed->ranks[rank].shape_count * PROGRAM_BLOCK_OPERATIONS * sizeof(uint32_t);
    assert_true(bytes < made->operation_count * 6);
    assert_same_operations(made, read);
    program_free(made);
    program_free(read);
}

/* Where memory is plenty, operations of a short program are not packed. */
static void short_programs_are_plain(void **state) {
    (void)state;
    struct program *made = write_halo(30), *read = read_within(UINT64_MAX, 2);
    assert_null(read->packed);
    assert_same_operations(made, read);
    assert_int_equal(made->content_hash, read->content_hash);
    program_free(read);
    read = read_packed(made, 2);
    assert_non_null(read->packed);
    program_free(made);
    program_free(read);
}

/* Words that do not fit into memory lie in a file. Whole operations and shapes never do, so without
 * memory for them nothing is packed. */
static void words_that_do_not_fit_lie_in_a_file(void **state) {
    (void)state;
    struct program *made = write_halo(300); /* so long that blocks share shapes */
    const struct {
        uint64_t bytes;
        bool is_packed, lies_in_file;
    } bounds[] = {{0, false, true},
                  {100, false, true},
                  {made->operation_count * 4, true, true},
                  {made->operation_count * 2, true, true},
                  {made->operation_count * 40, true, false}};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        struct program *paged = read_within(bounds[i].bytes, 1 + (unsigned)i);
        assert_int_equal(paged->packed != NULL, bounds[i].is_packed);
        assert_int_equal(paging_file_bytes(paged->paging) > 0, bounds[i].lies_in_file);
        assert_same_operations(made, paged);
        assert_int_equal(made->content_hash, paged->content_hash);
        program_free(paged);
    }
    program_free(made);
}

/* Passes through all operations of all ranks in turn, some at a time, and reads each. */
static void pass(struct program_read_ahead *ahead, const struct program *made,
                 const struct program *read) {
    enum { AT_ONCE = 7 };
    for (uint64_t done = 0; done < made->operation_count; done += AT_ONCE)
        for (uint32_t rank = 0; rank < made->rank_count; rank++) {
            const struct program_rank *rank_entry = &made->ranks[rank];
            for (uint64_t i = done; i < done + AT_ONCE && i < rank_entry->count; i++) {
                program_read_ahead_advance(ahead, rank, rank_entry->first + i);
                const struct program_operation operation =
                    *PROGRAM_OPERATION_AT(read, rank, rank_entry->first + i);
                assert_memory_equal(&made->operations[rank_entry->first + i], &operation,
                                    sizeof operation);
                assert_true(ahead->until[rank] > rank_entry->first + i);
            }
        }
}

/* Ranks that go through operations in a file are one to two stretches behind what is read ahead,
 * and come to the same operations, however little memory there is. */
static void ranks_stay_near_what_is_read_ahead(void **state) {
    (void)state;
    struct program *made = write_halo(100), *whole = read_within(UINT64_MAX, 1);
    struct program_read_ahead *ahead;
    assert_int_equal(program_read_ahead_new(&ahead, whole, whole->rank_count, NULL), STATUS_OK);
    assert_null(ahead);
    program_read_ahead_advance(ahead, 0, whole->ranks[0].first);
    program_free(whole);
    const uint64_t bounds[] = {100, 1 << 20, made->operation_count * 6};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        struct program *read = read_within(bounds[i], 1);
        const struct program_rank *rank_entry = &read->ranks[3];
        assert_int_equal(program_read_ahead_new(&ahead, read, 4, NULL), STATUS_OK);
        assert_non_null(ahead);
        program_read_ahead_advance(ahead, 3, rank_entry->first + 100);
        const uint64_t until = ahead->until[3], bytes = read->packed != NULL ? 4 : 24;
        if (i == 0) assert_true(until == UINT64_MAX); /* nothing is read ahead for want of memory */
        if (i == 1) assert_true(until == rank_entry->first + 100 + 2 * ahead->stretch);
        program_read_ahead_advance(ahead, 3,
                                   until == UINT64_MAX ? until - 1 : until - ahead->stretch);
        assert_true(ahead->until[3] == until);
        assert_true(2 * ahead->stretch * bytes * 4 <= bounds[i] / 2);
        program_read_ahead_free(ahead);
        assert_int_equal(program_read_ahead_new(&ahead, read, read->rank_count, NULL), STATUS_OK);
        pass(ahead, made, read);
        program_read_ahead_free(ahead);
        program_free(read);
    }
    program_free(made);
}

/* Words that fit while the whole operations of the first ranks do not: the other ranks are left out
 * then, and nothing reads their words, which name operations that no rank has. */
static void ranks_without_whole_operations_are_left_out(void **state) {
    (void)state;
    struct program *made = write_halo(2);
#ifdef M_PERTURB
    mallopt(M_PERTURB, 0x41); /* what is allocated has bits set */
#endif
    const uint64_t blocks = made->operation_count / PROGRAM_BLOCK_OPERATIONS + made->rank_count + 1;
    struct program *paged = read_within(made->operation_count * sizeof(uint32_t) +
                                            blocks * sizeof(struct program_block) +
                                            made->wait_slot_count * sizeof *made->wait_slots + 100,
                                        1);
#ifdef M_PERTURB
    mallopt(M_PERTURB, 0);
#endif
    assert_null(paged->packed);
    assert_same_operations(made, paged);
    program_free(made);
    program_free(paged);
}

/* Removing user regions and scaling give the same program, packed or not. */
static void changes_of_packed_programs_are_the_same(void **state) {
    (void)state;
    struct program *made = write_halo(30), *read = read_packed(made, 1);
    assert_int_equal(program_remove_user_regions(made, NULL), STATUS_OK);
    assert_int_equal(program_remove_user_regions(read, NULL), STATUS_OK);
    assert_non_null(read->packed);
    assert_same_operations(made, read);
    assert_int_equal(program_check(read, NULL), STATUS_OK);
    assert_int_equal(made->region_count, read->region_count);
    program_free(made);
    program_free(read);
    made = write_halo(30);
    read = read_packed(made, 1);
    assert_int_equal(program_scale(made, "iteration:0.5", 1, NULL), STATUS_OK);
    assert_int_equal(program_scale(read, "iteration:0.5", 1, NULL), STATUS_OK);
    assert_same_operations(made, read);
    assert_int_equal(made->content_hash, read->content_hash);
    program_free(made);
    program_free(read);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_operation_comes_back),
        cmocka_unit_test(loops_take_little),
        cmocka_unit_test(short_programs_are_plain),
        cmocka_unit_test(words_that_do_not_fit_lie_in_a_file),
        cmocka_unit_test(ranks_stay_near_what_is_read_ahead),
        cmocka_unit_test(ranks_without_whole_operations_are_left_out),
        cmocka_unit_test(changes_of_packed_programs_are_the_same),
    };
    return cmocka_run_group_tests(tests, scratch_file_make, scratch_file_remove);
}
