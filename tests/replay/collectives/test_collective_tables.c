/* What collective algorithms share: how bytes are divided, and the lists of their names. */
#include "core/simulation/random.h"
#include "replay/collectives/collective_families.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MEMBERS_MAX 33 /* members */

/* Slices of any vector add up to it; a sum over blocks goes round the end. */
static void slices_add_up(void **state) {
    (void)state;
    for (uint64_t bytes = 0; bytes < 40; bytes++) {
        for (uint32_t size = 1; size <= MEMBERS_MAX; size++) {
            struct collective_call call = {.kind = PROGRAM_COLLECTIVE_ALLREDUCE,
                                           .size = size,
                                           .send_bytes = bytes,
                                           .receive_bytes = bytes};
            struct collective_step step = {
                .layout = COLLECTIVE_SLICES, .slice_count = size, .vector_bytes = bytes};
            uint64_t sum = 0;
            for (uint32_t i = 0; i < size; i++)
                sum += collective_bytes(&call, &step, (struct collective_blocks){i, 1}, 0, 1);
            assert_int_equal(sum, bytes);
            struct collective_blocks all = {size - 1, size};
            assert_int_equal(collective_bytes(&call, &step, all, 0, 1), bytes);
        }
    }
}

static void check_pairs(const uint64_t *rows, uint32_t row_count, const uint64_t *columns,
                        uint32_t column_count, bool exact) {
    struct collective_pairs pairs;
    uint64_t column_sums[MEMBERS_MAX] = {0};
    assert_int_equal(collective_pairs_init(&pairs, rows, row_count, columns, column_count, NULL),
                     STATUS_OK);
    for (uint32_t i = 0; i < row_count; i++) {
        uint64_t row_sum = 0;
        for (uint32_t j = 0; j < column_count; j++) {
            uint64_t bytes = collective_pairs_bytes(&pairs, i, j);
            assert_true(bytes <= rows[i] && bytes <= columns[j]);
            row_sum += bytes;
            column_sums[j] += bytes;
        }
        if (exact) assert_int_equal(row_sum, rows[i]);
        assert_true(row_sum <= rows[i]);
    }
    for (uint32_t j = 0; j < column_count; j++) {
        if (exact) assert_int_equal(column_sums[j], columns[j]);
        assert_true(column_sums[j] <= columns[j]);
    }
    collective_pairs_clear(&pairs);
}

static void message_sizes_keep_row_and_column_sums(void **state) {
    (void)state;
    static const uint64_t scales[] = {1, 3, 1000, UINT64_C(1) << 40};
    for (uint32_t round = 0; round < 2000; round++) {
        uint64_t rows[MEMBERS_MAX], columns[MEMBERS_MAX] = {0};
        struct random_block draw = random_draw(7, RANDOM_PATTERN, round, 0);
        uint32_t row_count = 1 + random_below(draw.word[0], MEMBERS_MAX);
        uint32_t column_count = 1 + random_below(draw.word[1], MEMBERS_MAX);
        uint64_t scale = scales[round % 4];
        uint64_t total = 0;
        for (uint32_t i = 0; i < row_count; i++) {
            draw = random_draw(7, RANDOM_PATTERN, round, i + 1);
            rows[i] = random_below(draw.word[0], 10) * scale + draw.word[1] % (scale > 9 ? 9 : 1);
            total += rows[i];
        }
        for (uint32_t j = 0; total > 0; j = (j + 1) % column_count) {
            draw = random_draw(8, RANDOM_PATTERN, round, j);
            uint64_t part = total < 4 ? total : total / (1 + draw.word[0] % 4);
            columns[j] += part;
            total -= part;
        }
        check_pairs(rows, row_count, columns, column_count, true);
        columns[0] += 1 + draw.word[1] % 7; /* sums that differ: nothing above them is sent */
        check_pairs(rows, row_count, columns, column_count, false);
    }
}

static void algorithms_are_listed_by_name(void **state) {
    (void)state;
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        uint32_t count, described;
        const struct collective_algorithm *algorithms = collective_algorithms(kind, &count);
        const struct replay_algorithm_text *texts =
            replay_algorithms((program_collective_kind)kind, &described);
        const char *const *names = collective_algorithm_names(kind);
        assert_int_equal(count + 1, described);
        assert_string_equal(texts[0].name, "auto");
        assert_string_equal(names[0], "auto");
        for (uint32_t i = 0; i < count; i++) {
            assert_string_equal(algorithms[i].text.name, texts[i + 1].name);
            assert_string_equal(algorithms[i].text.name, names[i + 1]);
            assert_true(strlen(texts[i + 1].help) > 0);
        }
        assert_null(names[count + 1]);
    }
}

/* Libraries choose nothing for these: COLLECTIVE_ONLY_ONE. */
static void some_kinds_have_one_algorithm(void **state) {
    (void)state;
    static const uint32_t kinds[] = {PROGRAM_COLLECTIVE_CREATE_HANDLE,
                                     PROGRAM_COLLECTIVE_DESTROY_HANDLE, PROGRAM_COLLECTIVE_WINDOW};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint32_t count;
        const struct collective_algorithm *only = collective_algorithms(kinds[i], &count);
        assert_int_equal(count, 1);
        assert_ptr_equal(collective_algorithm_of(kinds[i], COLLECTIVE_ONLY_ONE), only);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_add_up),
        cmocka_unit_test(message_sizes_keep_row_and_column_sums),
        cmocka_unit_test(algorithms_are_listed_by_name),
        cmocka_unit_test(some_kinds_have_one_algorithm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
