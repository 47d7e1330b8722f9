/*
 * Motifs of proxy applications: messages, bytes, sums and neighbours against the closed forms of
 * docs/motifs.md, and random traffic.
 */
#include "traces/program/program.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct program *generate(const char *name, const struct traces_pattern_config *config) {
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    if (traces_generate(&program, name, config, &status) != STATUS_OK) fail_msg("%s", status.text);
    if (program_check_file(program, &status) != STATUS_OK) fail_msg("%s", status.text);
    assert_int_equal(program->unmatched_sends, 0);
    assert_int_equal(program->unmatched_receives, 0);
    return program;
}

/* Of two iterations on `ranks` ranks, of 1 us each: messages, bytes and sums of one iteration. */
static void expect(const char *name, uint32_t ranks, uint32_t edge, uint64_t messages,
                   uint64_t bytes, uint64_t sums) {
    struct traces_pattern_config config = {
        .rank_count = ranks, .iterations = 2, .edge = edge, .compute_ps = 1000000};
    struct program *program = generate(name, &config);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    if (totals.messages != 2 * messages || (uint64_t)totals.message_bytes != 2 * bytes)
        fail_msg("%s: %d messages of %lld bytes, not %d of %lld", name, (int)totals.messages,
                 (long long)totals.message_bytes, 2 * (int)messages, 2 * (long long)bytes);
    assert_int_equal(totals.collectives[PROGRAM_COLLECTIVE_ALLREDUCE][0], 2 * sums * ranks);
    assert_int_equal((uint64_t)totals.compute_ps, UINT64_C(2000000) * ranks);
    program_free(program);
}

/* Directed neighbours of all ranks of an open grid that share a face, an edge, a corner. */
struct sharing {
    uint64_t faces, edges, corners;
};

static struct sharing sharing_of(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t x = a - 1, y = b - 1, z = c - 1;
    return (struct sharing){2 * (x * b * c + a * y * c + a * b * z),
                            4 * (x * y * c + x * b * z + a * y * z), 8 * x * y * z};
}

static void lulesh_exchanges_three_times(void **state) {
    (void)state;
    struct sharing n = sharing_of(3, 3, 3);
    uint64_t nodes = 31, cells = 30;
    uint64_t all = n.faces + n.edges + n.corners;
    uint64_t shared = n.faces * nodes * nodes + n.edges * nodes + n.corners;
    /* All, half of them with twice the fields, and faces. */
    expect("lulesh", 27, 0, all + all / 2 + n.faces,
           3 * 8 * shared + 6 * 8 * shared / 2 + 3 * 8 * n.faces * cells * cells, 1);
    expect("lulesh", 1, 10, 0, 0, 1);
    /* The rank in the middle of 27 has 26 neighbours, 13 of them in the second exchange. */
    struct traces_pattern_config config = {.rank_count = 27, .iterations = 1};
    struct program *program = generate("lulesh", &config);
    assert_int_equal(program->ranks[13].send_count, 26 + 13 + 6);
    assert_int_equal(program->ranks[13].receive_count, 26 + 13 + 6);
    assert_int_equal(program->ranks[0].send_count, 7 + 0 + 3);
    assert_int_equal(program->ranks[0].receive_count, 7 + 7 + 3);
    program_free(program);
}

static void conjugate_gradients_exchange_once(void **state) {
    (void)state;
    struct sharing n = sharing_of(4, 3, 2);
    uint64_t points = 8 * 9 + 1; /* 8 elements of 10 points, which share their ends */
    expect("nekbone", 24, 0, n.faces + n.edges + n.corners,
           8 * (n.faces * points * points + n.edges * points + n.corners), 3);
    expect("minife", 24, 20, n.faces + n.edges + n.corners,
           8 * (n.faces * 400 + n.edges * 20 + n.corners), 2);
}

static void multigrid_goes_down_to_few_ranks(void **state) {
    (void)state;
    /* Levels of 4, 2 and 1 points on 8 ranks: 5 exchanges each, and one for the product. */
    uint64_t bytes = 0, messages = 0;
    for (uint64_t edge = 4; edge > 0; edge /= 2) {
        struct sharing n = sharing_of(2, 2, 2);
        uint64_t times = 5 + (edge == 4);
        messages += times * (n.faces + n.edges + n.corners);
        bytes += times * 8 * (n.faces * edge * edge + n.edges * edge + n.corners);
    }
    expect("amg", 8, 4, messages, bytes, 3);
    /* On 64 ranks, one more level on every second rank in each direction. */
    struct sharing n = sharing_of(4, 4, 4), few = sharing_of(2, 2, 2);
    expect("amg", 64, 1,
           6 * (n.faces + n.edges + n.corners) + 5 * (few.faces + few.edges + few.corners),
           8 * 6 * (n.faces + n.edges + n.corners) + 8 * 5 * (few.faces + few.edges + few.corners),
           3);
    expect("amg", 1, 1, 0, 0, 3);
}

static void milc_gathers_in_four_dimensions(void **state) {
    (void)state;
    /* Of either parity: half of 8³ sites, and of three times as many, from 8 sides. */
    expect("milc", 16, 0, 16 * 2 * 2 * 8, 16 * 2 * 8 * (256 + 768) * 48, 2);
    expect("milc", 81, 4, 81 * 2 * 2 * 8, 81 * 2 * 8 * (32 + 96) * 48, 2);
}

static void fields_and_fronts_have_the_counts_of_closed_forms(void **state) {
    (void)state;
    uint64_t field = UINT64_C(64) * 64 * 64 * 16;
    expect("swfft", 24, 0, 24 * 4 * (3 + 2 + 1),
           24 * 4 * (3 * (field / 4) + 2 * (field / 3) + field / 2), 0);
    struct sharing n = sharing_of(4, 3, 2);
    expect("kripke", 24, 0, 8 * n.faces / 2, 8 * n.faces / 2 * 12 * 12 * 12 * 64 * 8, 0);
}

/* Counts what each rank receives in the first iteration or in all. */
static void random_traffic_has_the_counts_of_its_pattern(void **state) {
    (void)state;
    struct traces_pattern_config config = {
        .rank_count = 20, .iterations = 3, .size_bytes = 100, .window = 7, .seed = 5};
    struct program *program = generate("permutation", &config);
    for (uint32_t rank = 0; rank < 20; rank++) {
        assert_int_equal(program->ranks[rank].send_count, 3);
        assert_int_equal(program->ranks[rank].receive_count, 3);
        uint32_t to = PROGRAM_NONE;
        for (uint64_t i = 0; i < program->ranks[rank].count; i++) {
            const struct program_operation *operation =
                &program->operations[program->ranks[rank].first + i];
            if (operation->kind != OPERATION_SEND) continue;
            assert_true(to == PROGRAM_NONE || operation->message.peer == to);
            assert_int_not_equal(operation->message.peer, rank);
            to = operation->message.peer;
        }
    }
    program_free(program);
    uint64_t hashes[2];
    for (unsigned i = 0; i < 2; i++) {
        config.seed = 5 + i;
        program = generate("random-access", &config);
        hashes[i] = program->content_hash;
        uint32_t received = 0, max = 0;
        for (uint32_t rank = 0; rank < 20; rank++) {
            assert_int_equal(program->ranks[rank].send_count, 3 * 7);
            received += program->ranks[rank].receive_count;
            if (program->ranks[rank].receive_count > max) max = program->ranks[rank].receive_count;
        }
        assert_int_equal(received, 20 * 3 * 7);
        assert_true(max > 21); /* random, so not even */
        program_free(program);
    }
    assert_true(hashes[0] != hashes[1]);
    program = generate("uniform-random", &config);
    assert_int_equal(program->ranks[3].send_count, 3);
    program_free(program);
    config.rank_count = 1;
    program = generate("uniform-random", &config);
    assert_int_equal(program->ranks[0].send_count, 0);
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lulesh_exchanges_three_times),
        cmocka_unit_test(conjugate_gradients_exchange_once),
        cmocka_unit_test(multigrid_goes_down_to_few_ranks),
        cmocka_unit_test(milc_gathers_in_four_dimensions),
        cmocka_unit_test(fields_and_fronts_have_the_counts_of_closed_forms),
        cmocka_unit_test(random_traffic_has_the_counts_of_its_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
