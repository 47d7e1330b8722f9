/* Synthetic programs: counts against closed formulas, matching, determinism, refusals. */
#include "traces/program/builder/program_builder.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct program *generate(const char *pattern, const struct traces_pattern_config *config) {
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    if (traces_generate(&program, pattern, config, &status) != STATUS_OK)
        fail_msg("%s: %s", pattern, status.text);
    if (program_check_file(program, &status) != STATUS_OK)
        fail_msg("%s with %u ranks: %s", pattern, config->rank_count, status.text);
    assert_int_equal(program->unmatched_sends, 0);
    assert_int_equal(program->unmatched_receives, 0);
    return program;
}

static struct traces_pattern_config base(uint32_t rank_count) {
    return (struct traces_pattern_config){.rank_count = rank_count,
                                          .iterations = 3,
                                          .size_bytes = 1000,
                                          .compute_ps = 1000003,
                                          .neighbours = 6,
                                          .window = 7,
                                          .seed = 5};
}

/* The most even factorisation by brute force: least sum of the extents. */
static void grid_of(uint32_t count, unsigned dimensions, uint32_t extents[3]) {
    uint32_t best = UINT32_MAX;
    for (uint32_t x = 1; x <= count; x++)
        for (uint32_t y = 1; count % x == 0 && y <= x && x * y <= count; y++) {
            uint32_t z = count / x / y;
            if (x * y * z != count || z > y || (dimensions == 2 && z > 1)) continue;
            if (x + y + z >= best) continue;
            best = x + y + z;
            extents[0] = x, extents[1] = y, extents[2] = z;
        }
}

static void expect_messages(const char *pattern, const struct traces_pattern_config *config,
                            uint64_t messages, uint64_t bytes) {
    struct program *program = generate(pattern, config);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    if (totals.messages != messages * config->iterations ||
        totals.message_bytes != bytes * config->iterations)
        fail_msg("%s on %u ranks: %llu messages of %llu bytes, not %llu of %llu", pattern,
                 config->rank_count, (unsigned long long)totals.messages,
                 (unsigned long long)totals.message_bytes,
                 (unsigned long long)messages * config->iterations,
                 (unsigned long long)bytes * config->iterations);
    int64_t compute_ps = config->compute_ps * config->iterations * config->rank_count;
    assert_int_equal(totals.compute_ps, compute_ps);
    assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_CREATE_HANDLE][0], config->rank_count);
    program_free(program);
}

static void stencils_have_the_counts_of_closed_forms(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 40; n++) {
        struct traces_pattern_config config = base(n);
        uint32_t e[3] = {1, 1, 1};
        grid_of(n, 2, e);
        uint64_t messages = (uint64_t)n * 2 * ((e[0] > 1) + (e[1] > 1));
        expect_messages("halo2d", &config, messages, messages * 1000);
        grid_of(n, 3, e);
        uint64_t x = e[0] > 1, y = e[1] > 1, z = e[2] > 1;
        messages = n * 2 * (x + y + z);
        expect_messages("halo3d", &config, messages, messages * 1000);
        config.neighbours = 26;
        uint64_t faces = 2 * (x + y + z), edges = 4 * (x * y + y * z + x * z),
                 corners = 8 * x * y * z;
        /* A face of 1000 bytes is 125 cells, 11 by 11 at most: 88 bytes for an edge. */
        expect_messages("halo3d", &config, n * (faces + edges + corners),
                        n * (faces * 1000 + edges * 88 + corners * 8));
    }
}

static void sweeps_have_the_counts_of_closed_forms(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 40; n++) {
        struct traces_pattern_config config = base(n);
        uint32_t e[3] = {1, 1, 1};
        grid_of(n, 2, e);
        uint64_t borders = (uint64_t)(e[0] - 1) * e[1] + (uint64_t)(e[1] - 1) * e[0];
        expect_messages("sweep3d", &config, 8 * 4 * borders, 8 * 4 * borders * 1000);
    }
}

static void allreduces_have_the_counts_of_closed_forms(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 40; n++) {
        struct traces_pattern_config config = base(n);
        expect_messages("allreduce-ring", &config, 2ull * n * (n - 1), 2ull * (n - 1) * 1000);
        uint64_t power = 1, logarithm = 0;
        while (power * 2 <= n)
            power *= 2, logarithm++;
        uint64_t messages = power * logarithm + 2 * (n - power);
        expect_messages("allreduce-recursive-doubling", &config, messages, messages * 1000);
    }
}

static void pairs_have_the_counts_of_closed_forms(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 40; n++) {
        struct traces_pattern_config config = base(n);
        config.root = n / 2;
        expect_messages("incast", &config, n - 1, (n - 1) * 1000ull);
        expect_messages("random-pairs", &config, n / 2 * 2, n / 2 * 2000ull);
        expect_messages("ping-pong", &config, n / 2 * 2, n / 2 * 2000ull);
        expect_messages("stream", &config, n / 2 * 8, n / 2 * 7004ull);
        expect_messages("both-ways", &config, n / 2 * 14, n / 2 * 14000ull);
    }
}

static void collectives_have_the_counts_of_closed_forms(void **state) {
    (void)state;
    static const struct {
        const char *name;
        program_collective_kind kind;
        uint32_t calls;
    } rows[] = {{"alltoall", PROGRAM_COLLECTIVE_ALLTOALL, 1},
                {"allreduce", PROGRAM_COLLECTIVE_ALLREDUCE, 1},
                {"bcast", PROGRAM_COLLECTIVE_BCAST, 1},
                {"fft3d", PROGRAM_COLLECTIVE_ALLTOALL, 4}};
    for (uint32_t n = 1; n <= 40; n++) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct traces_pattern_config config = base(n);
            config.root = n - 1;
            struct program *program = generate(rows[i].name, &config);
            struct program_totals totals;
            program_totals_compute(program, &totals);
            assert_int_equal(totals.collectives[rows[i].kind][0], rows[i].calls * n * 3);
            assert_int_equal(totals.messages, 0);
            assert_int_equal(totals.compute_ps, INT64_C(1000003) * 3 * n);
            if (i == 3) {
                uint32_t e[3] = {1, 1, 1};
                grid_of(n, 2, e);
                assert_int_equal(program->communicator_count, 1 + e[0] + e[1]);
                assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_CREATE_HANDLE][0], 3 * n);
                assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_DESTROY_HANDLE][0], 3 * n);
            }
            assert_true(program->communicators[0].handles_synchronise);
            program_free(program);
        }
    }
}

/* Neighbours really are neighbours: on a 4 x 3 grid, rank 5 = (1, 1). */
/* A barrier before each iteration, outside of its region; all else stays. */
static void barriers_stand_before_each_iteration(void **state) {
    (void)state;
    for (const struct traces_pattern *row = traces_patterns(); row->name != NULL; row++) {
        struct traces_pattern_config config = base(16);
        struct program_totals with, without;
        struct program *program = generate(row->name, &config);
        program_totals_compute(program, &without);
        program_free(program);
        config.has_barrier = true;
        program = generate(row->name, &config);
        program_totals_compute(program, &with);
        assert_int_equal(with.collectives[PROGRAM_COLLECTIVE_BARRIER][0],
                         without.collectives[PROGRAM_COLLECTIVE_BARRIER][0] + (uint64_t)16 * 3);
        assert_int_equal(with.messages, without.messages);
        assert_int_equal(with.compute_ps, without.compute_ps);
        assert_non_null(strstr(program_text(program, program->source), "generate.barrier=on"));
        const struct program_rank *rank_entry = &program->ranks[7];
        uint32_t regions = 0, barriers_in = 0;
        for (uint64_t i = 0; i < rank_entry->count; i++) {
            const struct program_operation *operation = &program->operations[rank_entry->first + i];
            regions += operation->kind == OPERATION_ENTER;
            regions -= operation->kind == OPERATION_LEAVE;
            if (operation->kind == OPERATION_COLLECTIVE && regions > 0)
                barriers_in +=
                    program->collective_arguments[operation->collective.arguments].kind ==
                    PROGRAM_COLLECTIVE_BARRIER;
        }
        assert_int_equal(barriers_in, 0);
        program_free(program);
    }
}

static void halo2d_has_the_neighbours_of_a_torus(void **state) {
    (void)state;
    struct traces_pattern_config config = base(12);
    config.iterations = 1;
    struct program *program = generate("halo2d", &config);
    const struct program_rank *rank_entry = &program->ranks[5];
    static const uint32_t peers[] = {6, 4, 9, 1, 4, 6, 1, 9}; /* received from, then sent to */
    unsigned found = 0;
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *operation = &program->operations[rank_entry->first + i];
        if (operation->kind != OPERATION_SEND && operation->kind != OPERATION_RECEIVE) continue;
        assert_int_equal(operation->kind, found < 4 ? OPERATION_RECEIVE : OPERATION_SEND);
        assert_int_equal(operation->message.peer, peers[found++]);
    }
    assert_int_equal(found, 8);
    assert_string_equal(program_text(program, program->creator), "anax");
    assert_non_null(strstr(program_text(program, program->source), "halo2d --ranks 12 "));
    assert_int_equal(program->location_count, 12);
    program_free(program);
}

static void equal_seeds_give_equal_programs(void **state) {
    (void)state;
    struct traces_pattern_config config = base(33);
    struct program *first = generate("random-pairs", &config),
                   *again = generate("random-pairs", &config);
    config.seed = 6;
    struct program *other = generate("random-pairs", &config);
    assert_true(first->content_hash == again->content_hash);
    assert_true(first->content_hash != other->content_hash);
    program_free(first);
    program_free(again);
    program_free(other);
}

static void refused(const char *pattern, struct traces_pattern_config config, const char *text) {
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    assert_int_equal(traces_generate(&program, pattern, &config, &status), STATUS_USAGE);
    assert_null(program);
    if (strstr(status.text, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", status.text, text);
    status_clear(&status);
}

static void wrong_configurations_are_refused(void **state) {
    (void)state;
    struct traces_pattern_config config = base(8);
    refused("alltoal", config, "there is no pattern alltoal (did you mean `alltoall`?)");
    refused("ring", config, "did you mean `allreduce-ring`?");
    refused("xyzzy", config, "there is no pattern xyzzy; there are");
    refused("halo4d", config, "sweep3d");
    config.neighbours = 8;
    refused("halo3d", config, "pattern halo3d: halo3d has 6 or 26 neighbours, not 8");
    config = base(8);
    config.root = 8;
    refused("incast", config, "generate.root is 8, but there are only 8 ranks");
    refused("bcast", config, "generate.root is 8, but there are only 8 ranks");
    config = base(0);
    refused("halo2d", config, "1 to");
    config = base(8);
    config.iterations = 0;
    refused("halo2d", config, "at least one iteration");
    config = base(8);
    config.compute_ps = -1;
    refused("halo2d", config, "out of range");
    config = base(8);
    config.size_bytes = UINT64_C(1) << 48;
    refused("alltoall", config, "too large");
    config = base(1000000);
    refused("allreduce-ring", config, "do not fit into this computer");
    config = base(1000);
    config.iterations = UINT32_MAX;
    refused("halo2d", config, "do not fit into this computer");
    refused("random-pairs", config, "do not fit into this computer");
}

static void every_row_has_help(void **state) {
    (void)state;
    for (const struct traces_pattern *row = traces_patterns(); row->name != NULL; row++) {
        assert_true(strlen(row->help) > 20);
        assert_true(row->help[strlen(row->help) - 1] != '.');
        assert_non_null(row->build);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stencils_have_the_counts_of_closed_forms),
        cmocka_unit_test(sweeps_have_the_counts_of_closed_forms),
        cmocka_unit_test(allreduces_have_the_counts_of_closed_forms),
        cmocka_unit_test(pairs_have_the_counts_of_closed_forms),
        cmocka_unit_test(collectives_have_the_counts_of_closed_forms),
        cmocka_unit_test(barriers_stand_before_each_iteration),
        cmocka_unit_test(halo2d_has_the_neighbours_of_a_torus),
        cmocka_unit_test(equal_seeds_give_equal_programs),
        cmocka_unit_test(wrong_configurations_are_refused),
        cmocka_unit_test(every_row_has_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
