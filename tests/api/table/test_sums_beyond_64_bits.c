/*
 * Sums that 64 bits do not hold, through the public interface: messages of 128 TiB, more of them
 * than 2^64 bytes.
 */
#include "core/base/wide.h"
#include "tests/support/api/table_world.h"
#include "tests/support/core/scratch_folder.h"
#include "traces/program/builder/program_builder.h"
#include "traces/traces.h"

#include <anax/anax.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 4, MESSAGES = 60000 }; /* of each rank */
#define BYTES    (UINT64_C(1) << 47)
#define ALL      "33776997205278720000" /* 4 · 60,000 · 2^47 */
#define OF_RANKS "8444249301319680000"

static char folder[SCRATCH_FOLDER_BYTES];

static void check(status_code code, const struct status *status) {
    if (code != STATUS_OK) fail_msg("%s", status->text);
}

/* Every rank sends to the next one, and nobody waits. */
static void write_program(const char *path) {
    struct status status = STATUS_INIT;
    const uint32_t members[RANKS] = {0, 1, 2, 3};
    struct program_builder *builder = builder_new(RANKS, &status);
    struct program *program = NULL;
    uint32_t world = 0;
    check(builder_define_communicator(builder, "MPI_COMM_WORLD", members, RANKS, &world, &status),
          &status);
    uint32_t call = builder_define_region(builder, "MPI_Startall", true);
    builder_set_source(builder, "", "", 0, 0, 1);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        check(builder_call(builder, rank, call, 0, 0, &status), &status);
        for (unsigned i = 0; i < MESSAGES; i++) {
            check(builder_send(builder, rank, world, (rank + 1) % RANKS, 0, BYTES,
                               OPERATION_FLAG_DETACHED, 0, &status),
                  &status);
            check(builder_receive(builder, rank, world, (rank + RANKS - 1) % RANKS, 0, BYTES,
                                  OPERATION_FLAG_DETACHED, 0, &status),
                  &status);
        }
        check(builder_return(builder, rank, 1, false, &status), &status);
    }
    check(builder_seal(builder, 1, &program, &status), &status);
    check(traces_write_program(program, path, true, 1, &status), &status);
    program_free(program);
    builder_free(builder);
}

static anax_config *config;
static anax_trace *trace;

static int open_trace(void **state) {
    (void)state;
    char path[64];
    if (!scratch_folder_make(folder)) return -1;
    snprintf(path, sizeof path, "%s/large.anax", folder);
    write_program(path);
    if (anax_config_new(&config, NULL) != ANAX_OK ||
        anax_config_machine(config, "kim-72", NULL) != ANAX_OK ||
        anax_config_set(config, "placement.ranks_per_node", "4", NULL) != ANAX_OK ||
        anax_config_set(config, "mpi.eager_threshold", "256TiB", NULL) != ANAX_OK)
        return -1;
    return anax_trace_open(&trace, path, config, NULL, NULL) == ANAX_OK ? 0 : -1;
}

static int close_trace(void **state) {
    (void)state;
    anax_trace_free(trace);
    anax_config_free(config);
    return scratch_folder_remove(folder);
}

static void expect_sum(anax_sum sum, const char *digits) {
    char *text = anax_sum_text(sum);
    assert_string_equal(text, digits);
    anax_text_free(text);
}

static void expect_words(char *text, const char *words) {
    assert_non_null(text);
    if (strstr(text, words) == NULL) fail_msg("`%s` is not in:\n%s", words, text);
    anax_text_free(text);
}

static void sums_are_told_in_full(void **state) {
    (void)state;
    expect_sum((anax_sum){0, 0}, "0");
    expect_sum((anax_sum){0, UINT64_MAX}, "18446744073709551615");
    expect_sum((anax_sum){1, 0}, "18446744073709551616");
}

static void sums_of_traces_are_exact(void **state) {
    (void)state;
    anax_trace_info info = ANAX_TRACE_INFO_INIT;
    assert_int_equal(anax_trace_get_info(&info, trace, NULL), ANAX_OK);
    assert_int_equal(info.messages, RANKS * MESSAGES);
    expect_sum(info.message_bytes, ALL);
    expect_sum(info.compute_ps, "0");
    expect_words(anax_trace_json(trace), "\"message_bytes\":" ALL);
    expect_words(anax_trace_text(trace), "240000, 30720000 TiB");
}

static void sums_of_placements_are_exact(void **state) {
    (void)state;
    anax_placement *placement = NULL;
    assert_int_equal(anax_place(&placement,
                                &(anax_place_plan){sizeof(anax_place_plan), config, trace, NULL},
                                NULL, NULL),
                     ANAX_OK);
    anax_table *distances = NULL;
    assert_int_equal(anax_placement_table(&distances, placement, "distances", NULL), ANAX_OK);
    assert_string_equal(text_of(distances, 0, "distance"), "same_node");
    expect_sum(sum_of(distances, 0, "bytes"), ALL);
    assert_int_equal(integer_of(distances, 0, "messages"), RANKS * MESSAGES);
    anax_table_free(distances);
    expect_words(anax_placement_json(placement), "\"bytes\":" ALL);
    anax_placement_free(placement);

    /* On one node each; between neighbours a quarter goes. */
    assert_int_equal(anax_config_set(config, "placement.ranks_per_node", "1", NULL), ANAX_OK);
    assert_int_equal(anax_place(&placement,
                                &(anax_place_plan){sizeof(anax_place_plan), config, trace, NULL},
                                NULL, NULL),
                     ANAX_OK);
    assert_int_equal(anax_placement_table(&distances, placement, "distances", NULL), ANAX_OK);
    expect_sum(sum_of(distances, 1, "bytes"), "16888498602639360000");
    expect_sum(sum_of(distances, 2, "bytes"), "16888498602639360000");
    anax_table_free(distances);
    expect_words(anax_placement_json(placement), "\"max_bytes\":" OF_RANKS);
    expect_words(anax_placement_json(placement), "\"bytes\":" ALL); /* injected */
    expect_words(anax_placement_text(placement), "same router            50.0 % of bytes");
    anax_placement_free(placement);
    assert_int_equal(anax_config_set(config, "placement.ranks_per_node", "4", NULL), ANAX_OK);
}

static void sums_of_jobs_are_exact(void **state) {
    (void)state;
    anax_error error = ANAX_ERROR_INIT;
    anax_replay_result *result = NULL;
    if (anax_replay(&result, config, trace, NULL, &error) != ANAX_OK) fail_msg("%s", error.text);
    anax_table *table = table_of(result, "ranks");
    assert_true(integer_of(table, 3, "sent_bytes") == (int64_t)MESSAGES * (int64_t)BYTES);
    anax_table_free(table);
    table = table_of(result, "jobs");
    expect_sum(sum_of(table, 0, "sent_bytes"), ALL);
    anax_table_free(table);
    expect_words(anax_replay_result_json(result), "\"sent_bytes\":" ALL);
    anax_replay_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_told_in_full),
        cmocka_unit_test(sums_of_traces_are_exact),
        cmocka_unit_test(sums_of_placements_are_exact),
        cmocka_unit_test(sums_of_jobs_are_exact),
    };
    return cmocka_run_group_tests(tests, open_trace, close_trace);
}
