/* Process topologies: what recordings of them become, and that programs keep them. */
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/recording_maker.h"
#include "traces/program/builder/program_builder.h"
#include "traces/program/edit/program_join.h"
#include "traces/program/edit/program_without_files.h"
#include "traces/program/program_check.h"
#include "traces/program/program_topology.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 4 };

static struct recording_maker makers[RANKS];

static int set_up(void **state) {
    memset(makers, 0, sizeof makers);
    return scratch_folder_set_up(state);
}

static status_code open_ranks(struct program **program, struct status *status) {
    static const struct traces_config plain = {.polling_gap_ps = 100000000};
    for (uint32_t rank = 0; rank < RANKS; rank++)
        recording_maker_write(scratch_folder, recording_maker_header(rank, RANKS),
                              makers[rank].bytes, makers[rank].size, 0);
    return traces_open(program, scratch_folder, &plain, 2, NULL, NULL, status);
}

#define MADE_BY_0(number, name) RECORDING_COMMUNICATOR, (number), 0, (name), 0, RANKS, 0, 0, 1, 2, 3
#define GRID(second)            RECORDING_CARTESIAN, 2, 2, 2, 0, (second), 1

/* Ranks make a grid of 2 x 2, and a graph of ranks 3, 2 and 1 with the edges 3 -> 2, 3 -> 1 and
 * 2 -> 1. The members of the graph are 0, 1 and 2. */
static void add_topologies(uint64_t second) {
    for (uint64_t rank = 0; rank < RANKS; rank++) {
        MAKER_ADD(&makers[rank], Cart_create, 0, MADE_BY_0(2, 1), GRID(second));
        const uint64_t in[] = {0, 2, 1, 0}, out[] = {0, 0, 1, 2};
        if (rank == 0) continue;
        const uint64_t words[] = {RECORDING_COMMUNICATOR,
                                  3,
                                  3,
                                  1,
                                  0,
                                  3,
                                  0,
                                  3,
                                  2,
                                  1,
                                  RECORDING_GRAPH,
                                  3,
                                  in[rank],
                                  out[rank],
                                  rank == 1   ? 0
                                  : rank == 2 ? 0
                                              : 1,
                                  rank == 1 ? 1 : 2,
                                  MAKER_END};
        recording_maker_add(&makers[rank], RECORDING_CALL_Dist_graph_create, 0, -1, words);
    }
}

static void check_topologies(const struct program *program) {
    char text[PROGRAM_TOPOLOGY_TEXT];
    static const uint32_t graph[] = {0, 2, 1, 2, 1, 1, 0, 2, 2, 0, 0, 1};
    assert_int_equal(program->topology_count, 2);
    assert_int_equal(program->topologies[0].communicator, 2);
    assert_string_equal(program_topology_name(program->topologies[0].kind), "cartesian");
    program_topology_write_sizes(program, &program->topologies[0], text);
    assert_string_equal(text, "2x2");
    program_topology_write_periods(program, &program->topologies[0], text);
    assert_string_equal(text, "1");
    assert_int_equal(program_topology_edges(program, &program->topologies[0]), 0);
    const struct program_topology *made = &program->topologies[1];
    assert_int_equal(made->communicator, 3);
    assert_int_equal(made->count, sizeof graph / sizeof *graph);
    assert_memory_equal(program->topology_numbers + made->first, graph, sizeof graph);
    assert_int_equal(program_topology_edges(program, made), 3);
    assert_string_equal(program_topology_name(made->kind), "graph");
    program_topology_write_sizes(program, made, text);
    assert_string_equal(text, "");
    program_topology_write_periods(program, made, text);
    assert_string_equal(text, "");
    assert_false(program_topology_is_like(program, made, &program->topologies[0]));
    assert_true(program_topology_is_like(program, made, made));
}

static void topologies_are_kept(void **state) {
    (void)state;
    struct program *program = NULL, *other = NULL, *joined = NULL;
    struct status status = STATUS_INIT;
    char path[SCRATCH_FOLDER_BYTES + 32];
    add_topologies(2);
    if (open_ranks(&program, &status) != STATUS_OK) fail_msg("%s", status.text);
    check_topologies(program);
    snprintf(path, sizeof path, "%s/kept.anax", scratch_folder);
    assert_int_equal(traces_write_program(program, path, true, 1, &status), STATUS_OK);
    if (traces_read_program(&other, path, 1, &status) != STATUS_OK) fail_msg("%s", status.text);
    check_topologies(other);
    assert_true(other->content_hash == program->content_hash);
    assert_int_equal(
        program_join(&joined, (const struct program *const[]){other, program}, 2, &status),
        STATUS_OK);
    if (program_check_file(joined, &status) != STATUS_OK) fail_msg("%s", status.text);
    assert_int_equal(joined->topology_count, 4);
    assert_int_equal(joined->topologies[3].communicator, program->communicator_count + 3);
    assert_true(program_topology_is_like(joined, &joined->topologies[1], &joined->topologies[3]));
    program_free(other);
    assert_int_equal(program_without_files(&other, program, 1, &status), STATUS_OK);
    check_topologies(other);
    const uint64_t hash = program->content_hash;
    makers[0].size = makers[1].size = makers[2].size = makers[3].size = 0;
    for (uint64_t rank = 0; rank < RANKS; rank++)
        MAKER_ADD(&makers[rank], Cart_create, 0, MADE_BY_0(2, 1));
    program_free(program);
    program_free(other);
    program_free(joined);
    assert_int_equal(open_ranks(&program, &status), STATUS_OK);
    assert_int_equal(program->topology_count, 0);
    assert_true(program->content_hash != hash);
    program_free(program);
}

static void check_finds(struct program *program, const char *text) {
    struct status status = STATUS_INIT;
    assert_int_equal(program_topology_check(program, &status), STATUS_INPUT);
    if (strstr(status.text, text) == NULL) fail_msg("%s: lacks: %s", status.text, text);
    status_clear(&status);
    assert_int_equal(program_check(program, &status), STATUS_INPUT);
    status_clear(&status);
}

static void faults_are_found(void **state) {
    (void)state;
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    add_topologies(2);
    if (open_ranks(&program, &status) != STATUS_OK) fail_msg("%s", status.text);
    const struct program_topology graph = program->topologies[1];
    static const struct {
        size_t at;
        uint32_t number;
    } faults[] = {{0, 3}, {1, 2}, {2, 0}, {4, 9}, {6, 4}, {5, 4}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        uint32_t *number = &program->topology_numbers[faults[i].at];
        const uint32_t before = *number;
        *number = faults[i].number;
        check_finds(program, "does not fit its communicator");
        *number = before;
    }
    program->topologies[1].communicator = 2;
    check_finds(program, "its communicator is wrong");
    program->topologies[1] = graph;
    program->topologies[1].count--;
    check_finds(program, "does not fit");
    program->topologies[1].count += 2;
    check_finds(program, "its numbers are not all there");
    program->topologies[1] = graph;
    program->topologies[1].kind = PROGRAM_TOPOLOGY_KINDS;
    check_finds(program, "does not fit");
    program->topology_count = 1;
    check_finds(program, "numbers of none");
    program->topology_count = 2;
    program->topologies[1] = graph;
    assert_int_equal(program_topology_check(program, &status), STATUS_OK);
    program_free(program);
}

static void refuses(const char *text) {
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    assert_int_equal(open_ranks(&program, &status), STATUS_INPUT);
    if (strstr(status.text, text) == NULL) fail_msg("%s: lacks: %s", status.text, text);
    status_clear(&status);
}

static void wrong_recordings_are_refused(void **state) {
    (void)state;
    static const struct {
        uint64_t words[32];
        const char *text;
    } cases[] = {
        {{MADE_BY_0(2, 1), GRID(3), MAKER_END}, "its topology does not fit"},
        {{MADE_BY_0(2, 1), GRID(2), GRID(2), MAKER_END}, "topology is damaged"},
        {{RECORDING_CARTESIAN, 0, 1, 4, 0, MAKER_END}, "topology is damaged"},
        {{MADE_BY_0(2, 1), RECORDING_CARTESIAN, 3, 1, 4, 0, MAKER_END}, "topology is damaged"},
        {{MADE_BY_0(2, 1), RECORDING_CARTESIAN, 2, 1, UINT64_C(1) << 32, 0, MAKER_END},
         "topology is damaged"},
        {{MADE_BY_0(2, 1), RECORDING_GRAPH, 2, 1, 0, 4, MAKER_END}, "its topology does not fit"},
        {{MADE_BY_0(2, 1), RECORDING_GRAPH, 2, 1, 5, 3, MAKER_END}, "is damaged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            makers[rank].size = 0;
            recording_maker_add(&makers[rank], RECORDING_CALL_Cart_create, 0, -1, cases[i].words);
        }
        refuses(cases[i].text);
    }
    for (unsigned other = 0; other < 3; other++) { /* rank 2 recorded something else */
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            makers[rank].size = 0;
            if (rank != 2 && other != 2)
                MAKER_ADD(&makers[rank], Cart_create, 0, MADE_BY_0(2, 1), GRID(2));
            else if (rank != 2 || other == 0)
                MAKER_ADD(&makers[rank], Cart_create, 0, MADE_BY_0(2, 1), RECORDING_GRAPH, 2, 0, 0);
            else
                MAKER_ADD(&makers[rank], Cart_create, 0, MADE_BY_0(2, 1), RECORDING_CARTESIAN, 2, 1,
                          4, 0);
        }
        refuses("its members disagree on its");
    }
}

/* A communicator gets one topology, and long lists end. */
static void builders_take_what_fits(void **state) {
    (void)state;
    enum { DIMENSIONS = 200 };
    struct program_builder *builder = builder_new(1, NULL);
    struct program *program = NULL;
    uint32_t index = 0, numbers[2 * DIMENSIONS];
    char text[PROGRAM_TOPOLOGY_TEXT];
    assert_int_equal(builder_define_communicator_self(builder, "", &index, NULL), STATUS_OK);
    for (size_t i = 0; i < 2 * (size_t)DIMENSIONS; i++)
        numbers[i] = 1;
    assert_int_equal(
        builder_define_topology(builder, 1, PROGRAM_TOPOLOGY_CARTESIAN, numbers, 2, NULL),
        STATUS_INPUT);
    assert_int_equal(builder_define_topology(builder, 0, PROGRAM_TOPOLOGY_CARTESIAN, numbers,
                                             2 * (uint64_t)DIMENSIONS, NULL),
                     STATUS_OK);
    assert_int_equal(builder_define_topology(builder, 0, PROGRAM_TOPOLOGY_CARTESIAN, NULL, 0, NULL),
                     STATUS_INPUT);
    builder_set_source(builder, "", "", 0, 0, 0);
    assert_int_equal(builder_end_rank(builder, 0, NULL), STATUS_OK);
    assert_int_equal(builder_seal(builder, 1, &program, NULL), STATUS_OK);
    builder_free(builder);
    program_topology_write_sizes(program, &program->topologies[0], text);
    assert_int_equal(strlen(text) >= 220, 1);
    assert_string_equal(text + strlen(text) - 4, "1...");
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(topologies_are_kept, set_up, scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(faults_are_found, set_up, scratch_folder_tear_down),
        cmocka_unit_test_setup_teardown(wrong_recordings_are_refused, set_up,
                                        scratch_folder_tear_down),
        cmocka_unit_test(builders_take_what_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
