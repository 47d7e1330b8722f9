/*
 * Tables of simple results: data, JSON, CSV and the outline have the same columns, in the same
 * order, and the same values; a table that there is not is refused by name.
 * tests/api/table/test_rare_tables.c has the tables that a result has on request only.
 */
#include <anax/anax.h>

#include "tests/support/api/api_world.h"
#include "tests/support/api/table_agreement.h"
#include "tests/support/replay/stalling_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static anax_code table_of_topology(anax_table **table, const void *result, const char *name) {
    const anax_topology *machine = result;
    return anax_topology_table(table, &machine, 1, name, NULL);
}

static anax_code table_of_bisection(anax_table **table, const void *bisection, const char *name) {
    return anax_bisection_table(table, bisection, name, NULL);
}

static anax_code table_of_calibration(anax_table **table, const void *result, const char *name) {
    return anax_calibration_table(table, result, name, NULL);
}

static anax_code table_of_extrapolation(anax_table **table, const void *result, const char *name) {
    return anax_extrapolation_table(table, result, name, NULL);
}

static anax_code table_of_diff(anax_table **table, const void *result, const char *name) {
    return anax_diff_table(table, result, name, NULL);
}

static int setup(void **state) {
    return api_world_new(state, "halo2d", "8", "3");
}

static void tables_of_replays_agree(void **state) {
    struct api_world *world = *state;
    anax_replay_result *result = NULL;
    char folder[64];
    snprintf(folder, sizeof folder, "%s/tables", world->folder);
    anax_config_set(world->config, "trace.user_regions", "on", NULL);
    assert_int_equal(anax_replay(&result, world->config, world->trace, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_replay_result_write_tables(result, folder, NULL), ANAX_OK);
    struct table_subject subject = {
        .kind = "replay", .result = result, .table = table_of_replay, .folder = folder};
    table_check_all(&subject, anax_replay_result_json(result), 25, 6);
    anax_table *regions = table_of(result, "regions");
    assert_true(anax_table_row_count(regions) > 0); /* so that something was compared */
    anax_replay_result_free(result);
    assert_non_null(text_of(regions, 0, "name")); /* a table outlives its result */
    anax_table_free(regions);
}

static void tables_of_traffic_agree(void **state) {
    struct api_world *world = *state;
    anax_traffic_result *result = NULL;
    char folder[64];
    snprintf(folder, sizeof folder, "%s/tables", world->folder);
    anax_config_set(world->config, "traffic.measure", "2us", NULL);
    anax_config_set(world->config, "network.routing", "par", NULL);
    assert_int_equal(anax_traffic(&result, world->config, "0.3", NULL, NULL), ANAX_OK);
    assert_int_equal(anax_traffic_result_write_tables(result, folder, NULL), ANAX_OK);
    struct table_subject subject = {
        .kind = "traffic", .result = result, .table = table_of_traffic, .folder = folder};
    table_check_all(&subject, anax_traffic_result_json(result), 14, 5);
    anax_table *links = NULL, *routers = NULL;
    assert_int_equal(table_of_traffic(&links, result, "links"), ANAX_OK);
    assert_int_equal(table_of_traffic(&routers, result, "routers"), ANAX_OK);
    int64_t carried = 0, sent = 0;
    for (size_t i = 0; i < anax_table_row_count(links); i++)
        if (strcmp(text_of(links, i, "kind"), "injection") == 0)
            carried += integer_of(links, i, "measured_packets");
    for (size_t i = 0; i < anax_table_row_count(routers); i++)
        sent += integer_of(routers, i, "sent_packets");
    assert_int_equal(anax_table_row_count(routers), 36);
    assert_true(sent > 0 && sent == carried);
    anax_table_free(links);
    anax_table_free(routers);
    anax_traffic_result_free(result);
}

static void tables_of_comparisons_agree(void **state) {
    struct api_world *world = *state;
    static const char *const factors[] = {"network.routing=minimal,par",
                                          "placement.policy=random,block"};
    const anax_compare_plan plan = {.size = sizeof(anax_compare_plan),
                                    .machines = (const anax_config *const *)&world->config,
                                    .machine_count = 1,
                                    .factors = factors,
                                    .factor_count = 2,
                                    .traces = (const anax_trace *const *)&world->trace,
                                    .trace_count = 1,
                                    .seeds = 3};
    anax_comparison *comparison = NULL;
    char folder[64];
    snprintf(folder, sizeof folder, "%s/tables", world->folder);
    assert_int_equal(anax_compare(&comparison, &plan, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_comparison_write_tables(comparison, folder, NULL), ANAX_OK);
    struct table_subject subject = {
        .kind = "compare", .result = comparison, .table = table_of_comparison, .folder = folder};
    table_check_all(&subject, anax_comparison_json(comparison), 13, 2);
    anax_table *candidates = NULL;
    assert_int_equal(anax_comparison_table(&candidates, comparison, "candidates", NULL), ANAX_OK);
    assert_int_equal(anax_table_row_count(candidates), 4);
    assert_string_equal(text_of(candidates, 2, "network.routing"), "par");
    assert_int_equal(integer_of(candidates, 0, "difference_mean_ps"), ANAX_ABSENT_INTEGER);
    assert_true(isnan(column_of(candidates, "p")->numbers[0]));
    assert_true(column_of(candidates, "p")->numbers[1] <= 1);
    anax_comparison_free(comparison);
    assert_string_equal(text_of(candidates, 1, "placement.policy"), "block");
    anax_table_free(candidates);
}

static void tables_of_failed_points_agree(void **state) {
    struct api_world *world = *state;
    static const char *const factors[] = {"mpi.eager_threshold=4KiB,2MiB"};
    char path[64];
    snprintf(path, sizeof path, "%s/stall.anax", world->folder);
    write_stalling_program(path);
    anax_trace *trace = NULL;
    assert_int_equal(anax_trace_open(&trace, path, world->config, NULL, NULL), ANAX_OK);
    const anax_compare_plan plan = {.size = sizeof(anax_compare_plan),
                                    .machines = (const anax_config *const *)&world->config,
                                    .machine_count = 1,
                                    .factors = factors,
                                    .factor_count = 1,
                                    .traces = (const anax_trace *const *)&trace,
                                    .trace_count = 1,
                                    .seeds = 1};
    anax_comparison *comparison = NULL;
    anax_table *points = NULL;
    assert_int_equal(anax_compare(&comparison, &plan, NULL, NULL), ANAX_ERROR_RUN);
    assert_int_equal(anax_comparison_table(&points, comparison, "points", NULL), ANAX_OK);
    assert_int_equal(integer_of(points, 0, "time_ps"), ANAX_ABSENT_INTEGER);
    assert_int_equal(integer_of(points, 0, "completed"), 0);
    assert_null(text_of(points, 0, "digest"));
    assert_non_null(strstr(text_of(points, 0, "failure"), "MPI_Send"));
    assert_true(integer_of(points, 1, "time_ps") > 0);
    assert_null(text_of(points, 1, "failure"));
    anax_table_free(points);
    anax_comparison_free(comparison);
    anax_trace_free(trace);
}

static void tables_of_placements_agree(void **state) {
    struct api_world *world = *state;
    anax_placement *placement = NULL;
    const anax_place_plan place_plan = {sizeof place_plan, world->config, world->trace, NULL};
    assert_int_equal(anax_place(&placement, &place_plan, NULL, NULL), ANAX_OK);
    struct table_subject subject = {
        .kind = "place", .result = placement, .table = table_of_placement};
    table_check_all(&subject, anax_placement_json(placement), 10, 0);
    anax_placement_free(placement);
}

static void tables_of_topologies_agree(void **state) {
    struct api_world *world = *state;
    anax_topology *machine = NULL;
    anax_table *machines = NULL;
    assert_int_equal(anax_topology_new(&machine, world->config, NULL), ANAX_OK);
    struct table_subject subject = {
        .kind = "topology", .result = machine, .table = table_of_topology};
    const anax_topology *list[] = {machine, machine};
    table_check_all(&subject, anax_topology_json(list, 1), 9, 0);
    assert_int_equal(anax_topology_table(&machines, list, 2, "machines", NULL), ANAX_OK);
    assert_int_equal(anax_table_row_count(machines), 2);
    assert_int_equal(integer_of(machines, 1, "machine"), 1);
    assert_int_equal(integer_of(machines, 1, "radix"), 7);
    anax_table_free(machines);
    anax_topology_free(machine);
}

static void tables_of_traces_agree(void **state) {
    struct api_world *world = *state;
    struct table_subject subject = {
        .kind = "info", .result = world->trace, .table = table_of_trace};
    table_check_all(&subject, anax_trace_json(world->trace), 8, 0);
}

static void tables_of_bisections_agree(void **state) {
    struct api_world *world = *state;
    anax_bisection *bisection = NULL;
    anax_table *lines = NULL;
    const anax_bisection_plan plan = {sizeof plan, world->config, 0};
    anax_config_set(world->config, "network.groups", "3", NULL);
    assert_int_equal(anax_bisection_new(&bisection, &plan, NULL, NULL), ANAX_OK);
    const anax_bisection *list[] = {bisection};
    struct table_subject subject = {
        .kind = "bisection", .result = bisection, .table = table_of_bisection};
    table_check_all(&subject, anax_bisection_json(list, 1), 6, 0);
    char path[SCRATCH_FOLDER_BYTES + 16];
    snprintf(path, sizeof path, "%s/lines.csv", world->folder);
    assert_int_equal(anax_bisection_write_curves(list, 1, path, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_bisection_write_curves(list, 1, path, NULL, NULL), ANAX_ERROR_EXISTS);
    assert_int_equal(anax_bisection_table(&lines, bisection, "lines", NULL), ANAX_OK);
    assert_string_equal(text_of(lines, 0, "from_alpha"), "0");
    anax_table_free(lines);
    anax_bisection_free(bisection);
}

/* Of two results in memory, of one in memory and one in a file, and of no result. */
static void tables_of_diffs_agree(void **state) {
    struct api_world *world = *state;
    char *texts[2], path[64];
    for (int i = 0; i < 2; i++) {
        anax_replay_result *result = NULL;
        anax_config_set(world->config, "placement.policy", i == 0 ? "block" : "random", NULL);
        assert_int_equal(anax_replay(&result, world->config, world->trace, NULL, NULL), ANAX_OK);
        texts[i] = anax_replay_result_json(result);
        anax_replay_result_free(result);
    }
    snprintf(path, sizeof path, "%s/second.json", world->folder);
    assert_int_equal(anax_text_write(texts[1], path, NULL, NULL), ANAX_OK);
    anax_diff *diff = NULL;
    assert_int_equal(anax_diff_texts(&diff, "first", texts[0], "second", texts[1], NULL), ANAX_OK);
    struct table_subject subject = {.kind = "diff", .result = diff, .table = table_of_diff};
    table_check_all(&subject, anax_diff_json(diff), 2, 0);
    anax_diff_free(diff);

    anax_table *results = NULL;
    assert_int_equal(anax_diff_texts(&diff, "first", texts[0], path, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_diff_table(&results, diff, "ranks", NULL), ANAX_ERROR_USAGE);
    assert_int_equal(anax_diff_table(&results, diff, "results", NULL), ANAX_OK);
    assert_string_equal(text_of(results, 0, "path"), "first");
    assert_string_equal(text_of(results, 0, "placement"), "block");
    assert_string_equal(text_of(results, 1, "path"), path);
    anax_table_free(results);
    anax_diff_free(diff);
    assert_int_equal(anax_diff_files(&diff, path, path, NULL), ANAX_OK);
    assert_int_equal(anax_diff_table(&results, diff, "results", NULL), ANAX_OK);
    assert_string_equal(text_of(results, 0, "path"), path);
    assert_string_equal(text_of(results, 0, "placement"), "random");
    anax_table_free(results);
    anax_diff_free(diff);

    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_diff_texts(&diff, "first", texts[0], "mine", "{}", &error),
                     ANAX_ERROR_INPUT);
    assert_null(diff);
    assert_non_null(strstr(error.text, "mine: this is no result of a replay"));
    anax_error_clear(&error);
    for (int i = 0; i < 2; i++)
        anax_text_free(texts[i]);
}

static void tables_of_calibrations_agree(void **state) {
    struct api_world *world = *state;
    static const char *const files[] = {
        ANAX_SOURCE_DIR "/examples/calibration/osu_latency.txt",
        ANAX_SOURCE_DIR "/examples/calibration/osu_bw.txt",
    };
    anax_calibration *calibration = NULL;
    const anax_calibrate_plan plan = {sizeof plan, world->config, files, 2};
    assert_int_equal(anax_calibrate(&calibration, &plan, NULL, NULL), ANAX_OK);
    struct table_subject subject = {
        .kind = "calibration", .result = calibration, .table = table_of_calibration};
    table_check_all(&subject, anax_calibration_json(calibration), 6, 0);
    anax_table *times = NULL, *steps = NULL;
    assert_int_equal(anax_calibration_table(&times, calibration, "times", NULL), ANAX_OK);
    assert_true(anax_table_row_count(times) > 20); /* of both files */
    assert_int_equal(anax_calibration_table(&steps, calibration, "steps", NULL), ANAX_OK);
    assert_string_equal(text_of(steps, 0, "setting"), "mpi.eager_threshold");
    anax_table_free(times);
    assert_int_equal(anax_calibration_table(&times, calibration, "rows", NULL), ANAX_ERROR_USAGE);
    assert_null(times);
    anax_table_free(steps);
    anax_calibration_free(calibration);
}

/* A series whose computation follows a law that one value tests. */
static void tables_of_extrapolations_agree(void **state) {
    struct api_world *world = *state;
    static const char *const ranks[] = {"4", "8", "16"}, *const computes[] = {"10us", "33us",
                                                                              "45us"};
    anax_trace *traces[3];
    anax_extrapolation *extrapolation = NULL;
    for (size_t i = 0; i < 3; i++) {
        anax_config_set(world->config, "generate.ranks", ranks[i], NULL);
        anax_config_set(world->config, "generate.compute", computes[i], NULL);
        assert_int_equal(anax_trace_generate(&traces[i], "bcast", world->config, NULL), ANAX_OK);
    }
    anax_config_set(world->config, "extrapolate.ranks", "32", NULL);
    const anax_extrapolate_plan plan = {sizeof plan, world->config,
                                        (const anax_trace *const *)traces, 3};
    assert_int_equal(anax_extrapolate(&extrapolation, &plan, NULL, NULL), ANAX_OK);
    struct table_subject subject = {
        .kind = "extrapolation", .result = extrapolation, .table = table_of_extrapolation};
    table_check_all(&subject, anax_extrapolation_json(extrapolation), 3, 0);
    anax_table *found = NULL;
    assert_int_equal(anax_extrapolation_table(&found, extrapolation, "findings", NULL), ANAX_OK);
    const anax_column *uncertain = anax_table_find(found, "uncertain");
    int64_t lines = 0;
    char *warnings = anax_extrapolation_warnings(extrapolation);
    for (const char *line = warnings; *line != '\0'; line++)
        lines += *line == '\n';
    assert_non_null(strstr(warnings, "computation, in ps, MPI_Bcast: "));
    assert_int_equal(lines, 1);
    for (size_t i = 0; i < anax_table_row_count(found); i++)
        lines -= uncertain->integers[i];
    assert_int_equal(lines, 0);
    anax_text_free(warnings);
    anax_table_free(found);
    assert_int_equal(anax_extrapolation_table(&found, extrapolation, "laws", NULL),
                     ANAX_ERROR_USAGE);
    anax_extrapolation_free(extrapolation);
    for (size_t i = 0; i < 3; i++)
        anax_trace_free(traces[i]);
}

static void expect_refusal(const char *name, const char *hint) {
    anax_table *table = NULL;
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_table_outline(&table, name, &error), ANAX_ERROR_USAGE);
    assert_null(table);
    if (strstr(error.text, hint) == NULL) fail_msg("`%s` is not in `%s`", hint, error.text);
    anax_error_clear(&error);
}

static void unknown_tables_are_refused(void **state) {
    (void)state;
    expect_refusal("", "anax list tables");
    expect_refusal("replay", "anax list tables");
    expect_refusal("replays.ranks", "anax list tables");
    expect_refusal("replay.", "its tables are");
    expect_refusal("replay.rank", "did you mean `ranks`?");
    expect_refusal("traffic.ranks", "points");
}

struct points_subject {
    const anax_traffic_result *several; /* points */
    const anax_traffic_result *single;
    size_t count; /* of tables of a single point */
};

static bool check_condition(void *context, const anax_choice *choice) {
    struct points_subject *subject = context;
    if (strncmp(choice->name, "traffic.", 8) != 0) return true;
    const char *name = choice->name + 8,
               *only = strstr(choice->help, "; only with a single point)");
    anax_table *table = NULL;
    anax_error error = ANAX_ERROR_INIT;
    if (anax_traffic_result_table(&table, subject->single, name, NULL) != ANAX_OK) return true;
    anax_table_free(table);
    const anax_code code = anax_traffic_result_table(&table, subject->several, name, &error);
    anax_table_free(table);
    assert_int_equal(code, only != NULL ? ANAX_ERROR_STATE : ANAX_OK);
    if (only != NULL) assert_non_null(strstr(error.text, "there is one only with a single point"));
    subject->count += only != NULL;
    anax_error_clear(&error);
    return true;
}

/* The list of tables, from which the manual page is made, states the condition of a table. */
static void tables_of_a_single_point_are_listed_as_such(void **state) {
    struct api_world *world = *state;
    anax_traffic_result *several = NULL, *single = NULL;
    anax_config_set(world->config, "traffic.measure", "2us", NULL);
    assert_int_equal(anax_traffic(&several, world->config, "0.2,0.3", NULL, NULL), ANAX_OK);
    assert_int_equal(anax_traffic(&single, world->config, "0.3", NULL, NULL), ANAX_OK);
    struct points_subject subject = {several, single, 0};
    assert_int_equal(anax_list("tables", NULL, check_condition, &subject, NULL), ANAX_OK);
    assert_int_equal(subject.count, 5); /* latencies, busiest_links, links, groups, routers */
    anax_traffic_result_free(several);
    anax_traffic_result_free(single);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tables_of_replays_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_traffic_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_comparisons_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_failed_points_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_placements_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_topologies_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_traces_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_bisections_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_diffs_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_calibrations_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_extrapolations_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(tables_of_a_single_point_are_listed_as_such, setup,
                                        api_world_free),
        cmocka_unit_test(unknown_tables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
