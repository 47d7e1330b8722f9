/*
 * Extrapolation of many families of programs: the new program is that of the family, or it is
 * refused, or the report says UNCERTAIN and names the rule that gives another program.
 */
#include "tests/support/series/series_families.h"
#include "tests/support/series/series_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Extrapolates a family. ranks: a series, see below. */
static void run_family(struct series_run *run, const struct series_family_pattern *family,
                       const uint32_t *ranks) {
    *run = (struct series_run){.config = {.seed = 1, .threads = 1}};
    for (; ranks[run->count + 1] > 0; run->count++)
        run->programs[run->count] = series_family_make(family, ranks[run->count]);
    run->config.ranks = ranks[run->count];
    series_run_extrapolate(run);
}

static bool is_right(const struct series_run *run, const struct series_family_pattern *family) {
    struct program *real = series_family_make(family, run->config.ranks);
    const bool right = run->made->content_hash == real->content_hash;
    program_free(real);
    return right;
}

/* Returns how many findings are UNCERTAIN and have this text. */
static unsigned count_uncertain(const struct series_run *run, const char *text) {
    unsigned count = 0;
    for (size_t i = 0; i < run->report.finding_count; i++)
        count +=
            run->report.findings[i].uncertain && strstr(run->report.findings[i].fit, text) != NULL;
    return count;
}

/* Series of numbers of ranks: those of the programs, then that of the new program, then 0. What the
 * numbers have in common decides which rules the programs can tell apart: on powers of two log2 P
 * is a whole number, and on squares sqrt P is.
 *
 * Powers of two: all of them squares, ever larger ones, from four. */
static const uint32_t squares[] = {4, 16, 64, 256, 0}, few[] = {4, 8, 16, 64, 0};
static const uint32_t powers[] = {16, 32, 64, 128, 0}, eights[] = {8, 16, 32, 64, 0};
static const uint32_t from_four[] = {4, 8, 16, 32, 128, 0}, to_32[] = {4, 8, 16, 32, 0};
static const uint32_t to_64[] = {4, 8, 16, 32, 64, 0};
/* Powers of two, and the new program is larger by another power, is smaller, or is none. */
static const uint32_t to_256[] = {16, 32, 64, 256, 0}, to_16[] = {4, 8, 32, 16, 0};
static const uint32_t four_powers[] = {16, 32, 64, 8, 0}, to_hundred[] = {8, 16, 32, 100, 0};
/* Squares: three or four of them, of any numbers, of primes (one grid only); with an odd new
 * program, or one that is a cube as well. */
static const uint32_t three_areas[] = {9, 16, 25, 100, 0}, areas[] = {9, 16, 25, 36, 100, 0};
static const uint32_t more_areas[] = {9, 16, 25, 36, 0}, three_squares[] = {4, 9, 16, 36, 0};
static const uint32_t prime_squares[] = {4, 9, 25, 100, 0}, to_odd[] = {16, 36, 64, 9, 0};
static const uint32_t same_cube[] = {9, 16, 25, 64, 0};
/* Squares, with one number that is none. */
static const uint32_t areas_to_36[] = {12, 16, 25, 36, 0}, with_12[] = {9, 12, 16, 25, 36, 0};
/* Cubes; boxes of three different extents; boxes of two equal ones. */
static const uint32_t cubes[] = {8, 27, 64, 512, 0}, boxes[] = {8, 12, 18, 27, 64, 0};
static const uint32_t flat_boxes[] = {27, 36, 48, 64, 0};
static const uint32_t other_boxes[] = {12, 16, 27, 36, 48, 0}, flat[] = {12, 18, 30, 72, 0};
/* Multiples: of 6, of 3, of 4 (lines and eighths), of 10, of 12. */
static const uint32_t doubled[] = {6, 12, 24, 96, 0}, threes[] = {6, 15, 21, 30, 0};
static const uint32_t lines[] = {12, 16, 20, 24, 32, 0}, eighths[] = {8, 16, 24, 36, 0};
static const uint32_t tens[] = {10, 20, 30, 60, 0}, twelves[] = {12, 24, 36, 48, 0};
/* Multiples of 6, with a gap that the new program fills, or to a power of two. */
static const uint32_t without_24[] = {6, 12, 48, 24, 0}, without_12[] = {6, 24, 48, 12, 0};
static const uint32_t no_powers[] = {6, 12, 24, 32, 0};
/* Numbers with little in common: four programs that are odd and even, the first primes, and the
 * smallest numbers at all. */
static const uint32_t five[] = {5, 8, 13, 24, 50, 0}, to_49[] = {5, 8, 13, 24, 49, 0};
static const uint32_t primes[] = {7, 13, 19, 36, 0}, smallest[] = {2, 3, 4, 5, 12, 0};
static const uint32_t uneven[] = {6, 8, 12, 30, 0}, to_24[] = {8, 12, 16, 24, 0};
/* Powers of two with one number between them. */
static const uint32_t four[] = {8, 16, 32, 48, 128, 0}, with_24[] = {8, 16, 24, 32, 64, 0};

struct row {
    const char *name;
    const uint32_t *ranks;
    const char *text; /* of the report, or the error */
};

/* Extrapolates the family of a row, and returns whether the new program is the right one. */
static bool run_row(struct series_run *run, const struct row *row) {
    const struct series_family_pattern *family = series_family_named(row->name);
    run_family(run, family, row->ranks);
    if (run->status.code != STATUS_OK)
        fail_msg("%s from %u: %s", family->name, row->ranks[0], run->status.text);
    return is_right(run, family);
}

/* These have a rule, and are the generated program by its hash. */
static void families_are_exact(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"stride", squares, NULL},
        {"stride", four, NULL},
        {"stride", five, NULL},
        {"quarter", five, NULL},
        {"logarithm", powers, NULL},
        {"half", areas, NULL},
        {"minmax", cubes, NULL},
        {"minmax", five, NULL},
        {"minmax_plane", cubes, NULL},
        {"minmax_plane", areas, NULL},
        {"interfaces2", areas_to_36, NULL},
        {"gathered_line", eighths, NULL},
        {"skew", powers, NULL},
        {"skew", squares, NULL},
        {"cannon", three_areas, NULL},
        {"cannon", areas, NULL},
        {"halo_in_a_call", with_12, NULL},
        {"interfaces_strong", flat_boxes, NULL},
        {"torus2", four, NULL},
        {"torus2_rising", areas, NULL},
        {"open2", squares, NULL},
        {"open2_rising", four, NULL},
        {"torus3", cubes, NULL},
        {"open3", cubes, NULL},
        {"two_grids", cubes, NULL},
        {"both_orders", areas, NULL},
        {"two_strides", areas, NULL},
        {"diagonals", four, NULL},
        {"diagonal3", cubes, NULL},
        {"transpose", squares, NULL},
        {"wavefront", cubes, NULL},
        {"wavefront", squares, NULL},
        {"red_black", squares, NULL},
        {"odd_even", squares, NULL},
        {"doubling", squares, NULL},
        {"bruck", squares, NULL},
        {"dissemination", squares, NULL},
        {"dissemination", five, NULL},
        {"binomial", squares, NULL},
        {"binomial", five, NULL},
        {"binomial", doubled, NULL},
        {"binomial_up", areas, NULL},
        {"doubling_tree", five, NULL},
        {"doubling_tree", doubled, NULL},
        {"heap", few, NULL},
        {"heap", doubled, NULL},
        {"ring_gather", four, NULL},
        {"ring_gather_strong", four, NULL},
        {"pairwise", areas, NULL},
        {"tournament", doubled, NULL},
        {"turns_of_ring", five, NULL},
        {"middle_first", four, NULL},
        {"master", areas, NULL},
        {"pipeline", five, NULL},
        {"levels", squares, NULL},
        {"rows_and_columns", powers, NULL},
        {"panels", eights, NULL},
        {"panels", areas, NULL},
        {"mirror", squares, NULL},
        {"doubling_strong", squares, NULL},
        {"surface3", areas, NULL},
        {"vector_parts", four, NULL},
        {"torus2", three_areas, NULL},
        {"torus2_rising", three_areas, NULL},
        {"open2", three_areas, NULL},
        {"matrix_blocks", squares, NULL},
        {"all_but_first", five, NULL},
        {"rounded_parts", areas, NULL},
        {"size_of_square", five, NULL},
        {"size_of_sort", cubes, NULL},
        {"bodies", doubled, NULL},
        {"size_for_workers", powers, NULL},
        {"ten", powers, NULL},
        {"third", squares, NULL},
        {"roots_modulo", few, NULL},
        {"nodes", four_powers, NULL},
        {"growing", powers, NULL},
        {"matrix_parts", cubes, NULL},
        {"master_parts", five, NULL},
        {"heap3", few, NULL},
        {"aggregators", eights, NULL},
        {"heap3", doubled, NULL},
        {"scan_rounds", cubes, NULL},
        {"scan_rounds", areas, NULL},
        {"tasks_by_turns", five, NULL},
        {"odd_even_sort", areas, NULL},
        {"scatter_parts", cubes, NULL},
        {"scatter_parts", doubled, NULL},
        {"roots_by_turns", few, NULL},
        {"reports", powers, NULL},
        {"reports", doubled, NULL},
        {"reports", cubes, NULL},
        {"size_of_parity", doubled, NULL},
        {"halving", powers, NULL},
        {"scan_calls", cubes, NULL},
        {"scan_calls", squares, NULL},
        {"bitonic", squares, NULL},
        {"rabenseifner", few, NULL},
        {"rabenseifner", cubes, NULL},
        {"fold_high", cubes, NULL},
        {"bruck_blocks", cubes, NULL},
        {"binomial_gather", squares, NULL},
        {"binomial_gather", areas, NULL},
        {"knomial", squares, NULL},
        {"uneven_box", cubes, NULL},
        {"open3_tags", eights, NULL},
        {"open3_tags", cubes, NULL},
        {"node_leaders", powers, NULL},
        {"node_leaders", to_256, NULL},
        {"some_lines", lines, NULL},
        {"server", cubes, NULL},
        {"chunks", cubes, NULL},
        {"tags_of_rounds", few, NULL},
        {"band", cubes, NULL},
        {"band", powers, NULL},
        {"panels", without_24, NULL},
        {"panels", without_12, NULL},
        {"rest_of_last", without_24, NULL},
        {"rest_of_last", without_12, NULL},
        {"rest_of_last_ones", without_24, NULL},
        {"rest_of_last_ones", without_12, NULL},
        {"rest_in_proportion", without_24, NULL},
        {"rest_in_proportion", without_12, NULL},
        {"rest_of_blocks", without_24, NULL},
        {"rest_of_blocks", without_12, NULL},
        {"rest_of_rows", without_24, NULL},
        {"rest_of_rows", without_12, NULL},
        {"parts_for_all", without_24, NULL},
        {"parts_for_all", without_12, NULL},
        {"rest_of_last", squares, NULL},
        {"rest_of_last", doubled, NULL},
        {"rest_of_last_ones", squares, NULL},
        {"rest_of_last_ones", doubled, NULL},
        {"rest_in_proportion", squares, NULL},
        {"rest_in_proportion", doubled, NULL},
        {"rest_of_blocks", squares, NULL},
        {"rest_of_blocks", doubled, NULL},
        {"rest_of_rows", squares, NULL},
        {"rest_of_rows", doubled, NULL},
        {"parts_for_all", squares, NULL},
        {"parts_for_all", doubled, NULL},
        {"neighbour_sums", doubled, NULL},
        {"neighbour_sums", powers, NULL},
        {"transpose_rectangle", doubled, NULL},
        {"transpose_rectangle", powers, NULL},
        {"reordered_box", cubes, NULL},
        {"reordered_box", powers, NULL},
        {"ghost_cells", doubled, NULL},
        {"ghost_cells", cubes, NULL},
        {"pencils", flat, NULL},
        {"pencils", areas, NULL},
        {"open3", to_256, NULL},
        {"open3", powers, NULL},
        {"long_box", cubes, NULL},
        {"long_box", areas, NULL},
        {"long_box", lines, NULL},
        {"matrix_in_blocks", from_four, NULL},
        {"matrix_in_blocks", eights, NULL},
        {"matrix_in_blocks", to_32, NULL},
        {"transposed_first", from_four, NULL},
        {"transposed_first", eights, NULL},
        {"multi_partition", three_squares, NULL},
        {"multi_partition", squares, NULL},
        {"tagged_partition", three_squares, NULL},
        {"tagged_partition", areas, NULL},
        {"buffers_of_squares", areas, NULL},
        {"buffers_of_squares", doubled, NULL},
        {"cells_inside", from_four, NULL},
        {"cells_inside", powers, NULL},
        {"layers3", with_24, NULL},
        {"margins_of_plane", to_64, NULL},
        {"margins_by_turns", to_64, NULL},
        {"margins_of_plane", three_squares, NULL},
        {"margins_at_ends", to_64, NULL},
        {"margins_at_ends", three_squares, NULL},
        {"halo_and_folds", twelves, NULL},
        {"folds", twelves, NULL},
        {"transpose_beside", areas, NULL},
        {"transpose_beside", more_areas, NULL},
        {"blocks_of_parts", twelves, NULL},
        {"blocks_of_parts", more_areas, NULL},
        {"roots_of_rows", eights, NULL},
        {"least_element", to_64, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct series_run run;
        if (!run_row(&run, &rows[i]))
            fail_msg("%s from %u: another program", rows[i].name, rows[i].ranks[0]);
        series_run_free(&run);
    }
}

/* The series fits two rules, and the new program has the wrong one: the report names the right one.
 */
static void alternative_rules_are_named(void **state) {
    (void)state;
    static const uint32_t tiny[] = {2, 4, 8, 32, 0};
    static const struct row rows[] = {
        {"stride", doubled, "+ floor(sqrt n) (periodic) among all ranks fits as well: 9 on rank 0"},
        {"logarithm", doubled, "fits as well: "},
        {"quarter", powers, "+ floor(n/4) (periodic) among all ranks fits as well: 32 on rank 0"},
        {"far", tiny, "+5 (periodic) among all ranks fits as well: 5 on rank 0"},
        {"steps_of_8_below", few, "2 + floor(P/8) fits as well: 10 on rank 0, not 6"},
        {"steps_of_8", five, "2 + ceil(P/8) fits as well: 9 on rank 0, not 6"},
        {"bodies", to_24, "in elements of 32 fits as well: 1344 on rank 0, not 1360"},
        {"vector_parts", squares, "fits as well: 7496 on rank 0, not 7500"},
        {"root_groups", doubled, "exact, but blocks of floor(sqrt n) ranks fit as well"},
        {"torus2", primes, "in dimension 1 of 4 x 3 x 3 fits as well: 3 on rank 0, not 35"},
        {"open3", prime_squares, "of 5 x 5 x 4 fits as well: "},
        {"rows_and_columns", primes, "no program has more than one rank in it"},
        {"open3", threes, "in dimension 1 of 5 x 2 x 3 fits as well: "},
        {"diagonal3", few, "in dimension 3 of 4 x 4 x 4 fits as well: 21 on rank 0"},
        {"trips_above_root", few, "ceil(sqrt P) fits as well: 8 on rank 0, not 6"},
        {"size_of_face", squares, "x 1/floor(P^(1/3))^2 fits as well: 160160 on rank 0, not 90090"},
        {"steps_of_square", three_squares, "floor(log2 P)^2 fits as well: 25 on rank 0, not 36"},
        {"half_root", doubled,
         "+ ceil(floor(sqrt n)/2) (periodic) among all ranks fits as well: 5 on rank 0, not 4"},
        {"twice_root", doubled, "+ 2 floor(sqrt n) (periodic) among all ranks fits as well: 18 on"},
        {"levels_plane", uneven, "exact, but two iterations show it"},
        {"mirror", to_odd, "no program has such a number"},
        {"steps_of_bits", to_hundred, "no program has such a number"},
        {"rank_at_work", few, "no rule says which ranks compute more"},
        {"torus2_parts", from_four, "in elements of 8 fits as well: 104 on rank 0, not 100"},
        {"every_second_root", smallest, "ceil(P/2) fits as well: 6 on rank 0, not 4"},
        {"few_tasks", to_49, "no program has such a loop"},
        {"work_of_face", to_256, "error 8.3 % with one program left out"},
        {"trips_of_box", to_256, "what depends on it looks constant"},
        {"seven", tiny, "so few ranks do not show long steps and limits"},
        {"trips_of_extent", tens, "extent (dimension "},
        {"shrinking", few, " fits about as well: mean "},
        {"shrinking", cubes, "; a + b/P fits about as well: mean 0, not "},
        {"bitonic", no_powers, "no program has such a number"},
        {"size_of_face", same_cube, "what depends on it looks constant"},
        {"transpose_others", to_16, "no program has such a rank"},
        {"least_element", powers, "a lower limit of one element would not show"},
        {"long_box", squares, "in dimension 1 of 8 x 4 x 8 fits as well: "},
        {"long_box", to_256, "in dimension 1 of 8 x 4 x 8 fits as well: "},
        {"neighbours_of_all", few, "the series has unequal messages, whose sizes are left out"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct series_run run;
        if (run_row(&run, &rows[i])) fail_msg("%s: the right program", rows[i].name);
        if (count_uncertain(&run, rows[i].text) == 0) {
            for (size_t f = 0; f < run.report.finding_count; f++)
                print_message("%s: %s\n", run.report.findings[f].law, run.report.findings[f].fit);
            fail_msg("%s: nothing is uncertain with \"%s\"", rows[i].name, rows[i].text);
        }
        series_run_free(&run);
    }
}

/* So it does where the new program is right. */
static void alternatives_of_a_right_program_are_named(void **state) {
    (void)state;
    static const struct row row = {"faces3", eights, NULL};
    struct series_run run;
    assert_true(run_row(&run, &row));
    assert_true(count_uncertain(&run, "; the smallest part of 3686400 among the ranks of a line") >
                0);
    series_run_free(&run);
}

static void families_are_refused(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"size_of_root", doubled, "64 x floor(log2 P), which is 384, or 64 x floor(sqrt P), which"},
        {"root_plane", doubled, "several rules fit the root"},
        {"convergence", few, "no rule gives the trips of a loop"},
        {"convergence_once_more", doubled, "no rule gives the trips of a loop"},
        {"step_at_8", squares, "no rule gives the trips of a loop"},
        {"size_of_8", four, "no rule gives the bytes"},
        {"scattered", powers, "no rule gives the partner"},
        {"shear", three_areas, "no rule gives the partner"},
        {"every_third", powers, "no rule says which ranks"},
        {"tests_alone", few, "which tests find a request complete depends on timing"},
        {"tests_alone", doubled, "which tests find a request complete depends on timing"},
        {"levels_of_nodes", eights, "no rule gives the partner"},
        {"levels_of_nodes", more_areas, "no rule gives the partner"},
        {"halo_and_noise", to_24, "the computation follows no law"},
        {"halo_around_folds", twelves, "no rule says which ranks"},
        {"diagonal3", flat, "the grid of 72 ranks may be 6 x 6 x 2 or 6 x 4 x 3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct series_run run;
        run_family(&run, series_family_named(rows[i].name), rows[i].ranks);
        series_run_refused(&run, STATUS_INPUT, rows[i].text);
    }
}

static const struct program_operation *next_other(const struct program_operation *operation,
                                                  const struct program_operation *end) {
    while (operation < end && operation->kind == OPERATION_COMPUTE)
        operation++;
    return operation;
}

static bool are_alike(const struct program *made, const struct program_operation *left,
                      const struct program *real, const struct program_operation *right) {
    if (left->kind != right->kind) return false;
    if (left->kind == OPERATION_SEND || left->kind == OPERATION_RECEIVE)
        return left->message.peer == right->message.peer && left->bytes == right->bytes;
    if (left->kind != OPERATION_COLLECTIVE) return true;
    const struct program_collective_arguments
        *a = &made->collective_arguments[left->collective.arguments],
        *b = &real->collective_arguments[right->collective.arguments];
    return a->root == b->root && a->own_member == b->own_member && a->send_bytes == b->send_bytes &&
           a->receive_bytes == b->receive_bytes &&
           made->communicators[a->communicator].size == real->communicators[b->communicator].size;
}

/* Returns whether two programs differ in computation and in times of the trace alone. */
static bool has_messages_of(const struct program *made, const struct program *real) {
    for (uint32_t r = 0; r < made->rank_count; r++) {
        const struct program_operation *left = made->operations + made->ranks[r].first,
                                       *right = real->operations + real->ranks[r].first;
        const struct program_operation *end = left + made->ranks[r].count,
                                       *other_end = right + real->ranks[r].count;
        for (;; left++, right++) {
            left = next_other(left, end);
            right = next_other(right, other_end);
            if (left == end || right == other_end) break;
            if (!are_alike(made, left, real, right)) return false;
        }
        if (left != end || right != other_end) return false;
    }
    return true;
}

/* Returns whether the computations of all ranks differ by at most 2 %. */
static bool has_computation_of(const struct program *made, const struct program *real) {
    struct program_totals own, other;
    program_totals_compute(made, &own);
    program_totals_compute(real, &other);
    const wide off = own.compute_ps > other.compute_ps ? own.compute_ps - other.compute_ps
                                                       : other.compute_ps - own.compute_ps;
    return off * 50 <= other.compute_ps;
}

/* These have the right calls, partners, sizes and computation; times of the trace are fitted. */
static void families_have_their_messages(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"sweep_blocks", squares, NULL}, {"sweep_blocks", doubled, NULL},
        {"test_of_rows", few, NULL},     {"test_of_rows", powers, NULL},
        {"test_of_some", doubled, NULL}, {"test_of_some", powers, NULL},
        {"test_or_wait", eights, NULL},  {"test_or_wait", doubled, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct series_run run;
        run_row(&run, &rows[i]);
        struct program *real =
            series_family_make(series_family_named(rows[i].name), run.config.ranks);
        if (!has_messages_of(run.made, real) || !has_computation_of(run.made, real))
            fail_msg("%s from %u: another program", rows[i].name, rows[i].ranks[0]);
        program_free(real);
        series_run_free(&run);
    }
}

static void nothing_is_wrong_in_silence(void **state) {
    (void)state;
    static const uint32_t *const all[] = {few, doubled, powers, primes, prime_squares};
    const struct series_family_pattern *family;
    for (size_t i = 0; (family = series_family_at(i)) != NULL; i++)
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            if ((i + k) % 2 != 0) continue; /* series take turns */
            struct series_run run;
            run_family(&run, family, all[k]);
            if (run.status.code == STATUS_OK && count_uncertain(&run, "") == 0) {
                struct program *real = series_family_make(family, run.config.ranks);
                if (!has_messages_of(run.made, real) || !has_computation_of(run.made, real))
                    fail_msg("%s from %u: wrong in silence", family->name, all[k][0]);
                program_free(real);
            }
            series_run_free(&run);
        }
}

/* Ranks inside the grid are in two programs of three: their computation follows from these. */
static void computation_of_rare_roles_is_right(void **state) {
    (void)state;
    const struct series_family_pattern *family = series_family_named("open3_strong");
    struct series_run run;
    run_family(&run, family, cubes);
    if (run.status.code != STATUS_OK) fail_msg("%s", run.status.text);
    struct program *real = series_family_make(family, 512);
    assert_true(has_messages_of(run.made, real));
    assert_true(has_computation_of(run.made, real));
    program_free(real);
    series_run_free(&run);
}

/* The neighbours of a rank in the middle of a box of 3 x 3 x 2 ranks are all others in their order,
 * but they follow from the box. So do the sizes of what a rank in the middle sends to each of them,
 * though one program alone has such a rank. The edges of a torus lie along the dimension that
 * messages do not cross, though two dimensions have the same extents in the series. Work that
 * follows another grid in one iteration shows nothing. */
static void messages_follow_from_positions(void **state) {
    (void)state;
    static const struct row rows[] = {{"interfaces3", boxes, NULL},
                                      {"interfaces_of_cells", boxes, NULL},
                                      {"torus_of_cells", other_boxes, NULL},
                                      {"interfaces_and_noise", areas_to_36, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct series_family_pattern *family = series_family_named(rows[i].name);
        struct series_run run = {.config = {.approximate = true, .seed = 1, .threads = 1}};
        for (; rows[i].ranks[run.count + 1] > 0; run.count++)
            run.programs[run.count] = series_family_make(family, rows[i].ranks[run.count]);
        run.config.ranks = rows[i].ranks[run.count];
        series_run_extrapolate(&run);
        if (run.status.code != STATUS_OK) fail_msg("%s: %s", family->name, run.status.text);
        struct program *real = series_family_make(family, run.config.ranks);
        assert_true(has_messages_of(run.made, real));
        program_free(real);
        series_run_free(&run);
    }
}

/* Rank 0 alone computes more, in the new program, too. */
static void check_work_of_first(const char *family, const uint32_t *ranks) {
    struct series_run run;
    run_family(&run, series_family_named(family), ranks);
    if (run.status.code != STATUS_OK) fail_msg("%s", run.status.text);
    assert_int_equal(count_uncertain(&run, "no rule says which ranks compute more"), 0);
    for (uint32_t r = 0; r < 64; r++) {
        int64_t sum = 0;
        for (uint64_t i = 0; i < run.made->ranks[r].count; i++) {
            const struct program_operation *operation =
                &run.made->operations[run.made->ranks[r].first + i];
            if (operation->kind == OPERATION_COMPUTE) sum += operation->compute.duration_ps;
        }
        assert_in_range(sum, r == 0 ? 36000000 : 12000000, r == 0 ? 36100000 : 12100000);
    }
    series_run_free(&run);
}

static void work_of_one_rank_stays_there(void **state) {
    (void)state;
    check_work_of_first("work_of_first", few);
}

/* The same if the first ranks of nodes have another role than the other ranks. */
static void work_of_one_rank_of_a_role_stays_there(void **state) {
    (void)state;
    check_work_of_first("work_of_first_in_nodes", eights);
}

/* A size that falls to one element is the law's. */
static void one_element_is_certain(void **state) {
    (void)state;
    static const struct row row = {"least_element", to_64, NULL};
    struct series_run run;
    assert_true(run_row(&run, &row));
    assert_int_equal(count_uncertain(&run, "a lower limit"), 0);
    series_run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_are_exact),
        cmocka_unit_test(alternative_rules_are_named),
        cmocka_unit_test(alternatives_of_a_right_program_are_named),
        cmocka_unit_test(families_have_their_messages),
        cmocka_unit_test(families_are_refused),
        cmocka_unit_test(computation_of_rare_roles_is_right),
        cmocka_unit_test(messages_follow_from_positions),
        cmocka_unit_test(work_of_one_rank_stays_there),
        cmocka_unit_test(work_of_one_rank_of_a_role_stays_there),
        cmocka_unit_test(one_element_is_certain),
        cmocka_unit_test(nothing_is_wrong_in_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
