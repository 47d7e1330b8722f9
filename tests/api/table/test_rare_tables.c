/*
 * Tables that a result has on request only: recorded activity, critical paths, several jobs, I/O
 * nodes, several machines and seeds, searches. Together with tests/api/table/test_tables.c every
 * table of `anax list tables` is compared with its JSON and its CSV file, but for those of the
 * command alone.
 */
#include <anax/anax.h>

#include "tests/support/api/api_world.h"
#include "tests/support/api/table_agreement.h"
#include "tests/support/traces/program_on_disk.h"

#include <stdio.h>
#include <string.h>

static anax_code table_of_search(anax_table **table, const void *result, const char *name) {
    return anax_search_table(table, result, name, NULL);
}

static int setup(void **state) {
    return api_world_new(state, "halo2d", "8", "3");
}

/* Writes the program of two ranks in a ring, each of which writes a file. */
static void write_files_program(const char *path) {
    enum { RANKS = 2, BYTES = 3 << 20 };
    struct build_world build = build_world_new(RANKS), *w = &build;
    const uint32_t file = builder_define_file(w->builder, "out");
    assert_int_equal(builder_define_topology(w->builder, 0, PROGRAM_TOPOLOGY_CARTESIAN,
                                             (const uint32_t[]){RANKS, 1}, 2, NULL),
                     STATUS_OK);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        build_file_write(w, rank, file, rank * (uint64_t)BYTES, BYTES);
    build_on_disk(w, path);
}

/* What every replay records if it is asked for everything. */
static void record_everything(struct api_world *world) {
    api_set(world->config, "record.time_bins", "16");
    api_set(world->config, "record.rank_rows", "5");
    api_set(world->config, "record.matrix", "router");
    api_set(world->config, "record.links", "n0-0,0-1");
    api_set(world->config, "background.load", "0.1");
    api_set(world->config, "network.classes", "2");
    api_set(world->config, "io.nodes", "2");
}

/* Two jobs, one of which writes a file. */
static void replays_of_jobs_with_everything(void **state) {
    struct api_world *world = *state;
    char halo[SCRATCH_FOLDER_BYTES + 16], files[SCRATCH_FOLDER_BYTES + 16];
    char folder[SCRATCH_FOLDER_BYTES + 16];
    anax_jobs *jobs = NULL;
    anax_replay_result *result = NULL;
    anax_error error = ANAX_ERROR_INIT;
    anax_options options = ANAX_OPTIONS_INIT;
    options.explain = true;
    snprintf(halo, sizeof halo, "%s/halo.anax", world->folder);
    snprintf(files, sizeof files, "%s/files.anax", world->folder);
    snprintf(folder, sizeof folder, "%s/tables", world->folder);
    write_files_program(files);
    assert_int_equal(anax_trace_write_program(world->trace, halo, NULL, NULL), ANAX_OK);
    record_everything(world);
    api_set(world->config, "trace.user_regions", "on");
    assert_int_equal(anax_jobs_new(&jobs, NULL), ANAX_OK);
    assert_int_equal(anax_jobs_add(jobs, halo, world->config, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_jobs_add(jobs, files, world->config, NULL, NULL), ANAX_OK);
    if (anax_jobs_replay(&result, world->config, jobs, &options, &error) != ANAX_OK)
        fail_msg("%s", error.text);
    assert_int_equal(anax_replay_result_write_tables(result, folder, NULL), ANAX_OK);
    struct table_subject subject = {.kind = "replay",
                                    .result = result,
                                    .table = table_of_replay,
                                    .folder = folder,
                                    .absent = " efficiency_iterations "};
    table_check_all(&subject, anax_replay_result_json(result), 43, 19);
    anax_table *bins = table_of(result, "rank_bins");
    assert_int_equal(integer_of(bins, 0, "ranks"), 2); /* ten ranks in five rows */
    anax_table_free(bins);
    anax_table *waits = table_of(result, "link_flows");
    assert_true(anax_table_row_count(waits) > 0); /* so that something was compared */
    anax_table_free(waits);
    anax_replay_result_free(result);
    anax_jobs_free(jobs);
}

static void iterations_of_a_region(void **state) {
    struct api_world *world = *state;
    char path[SCRATCH_FOLDER_BYTES + 16], folder[SCRATCH_FOLDER_BYTES + 16];
    anax_trace *trace = NULL;
    anax_replay_result *result = NULL;
    anax_options options = ANAX_OPTIONS_INIT;
    options.explain = true;
    snprintf(path, sizeof path, "%s/halo.anax", world->folder);
    snprintf(folder, sizeof folder, "%s/tables", world->folder);
    assert_int_equal(anax_trace_write_program(world->trace, path, NULL, NULL), ANAX_OK);
    api_set(world->config, "trace.user_regions", "on");
    api_set(world->config, "trace.per_iteration", "iteration");
    assert_int_equal(anax_trace_open(&trace, path, world->config, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_replay(&result, world->config, trace, &options, NULL), ANAX_OK);
    assert_int_equal(anax_replay_result_write_tables(result, folder, NULL), ANAX_OK);
    struct table_subject subject = {.kind = "replay",
                                    .result = result,
                                    .table = table_of_replay,
                                    .folder = folder,
                                    .absent = " job_critical_paths background io_nodes classes"
                                              " state_bins rank_bins channel_bins matrix"
                                              " link_flows link_waits longest_link_waits "};
    table_check_all(&subject, anax_replay_result_json(result), 33, 12);
    anax_table *iterations = table_of(result, "efficiency_iterations");
    assert_int_equal(anax_table_row_count(iterations), 3);
    anax_table_free(iterations);
    anax_replay_result_free(result);
    anax_trace_free(trace);
}

/* One load and one policy: the tables of a single point. */
static void traffic_of_one_point_with_everything(void **state) {
    struct api_world *world = *state;
    char folder[SCRATCH_FOLDER_BYTES + 16];
    anax_traffic_result *result = NULL;
    snprintf(folder, sizeof folder, "%s/tables", world->folder);
    api_set(world->config, "traffic.measure", "2us");
    api_set(world->config, "record.time_bins", "16");
    api_set(world->config, "record.links", "n0-0");
    api_set(world->config, "network.classes", "2");
    assert_int_equal(anax_traffic(&result, world->config, "0.3", NULL, NULL), ANAX_OK);
    assert_int_equal(anax_traffic_result_write_tables(result, folder, NULL), ANAX_OK);
    struct table_subject subject = {.kind = "traffic",
                                    .result = result,
                                    .table = table_of_traffic,
                                    .folder = folder,
                                    .absent = " factors machines loads saturation"
                                              " machine_settings_changed "};
    table_check_all(&subject, anax_traffic_result_json(result), 19, 9);
    anax_traffic_result_free(result);
}

/* Another machine than that of the world, with one setting of its own. */
static anax_config *changed_machine(const char *name, const char *value) {
    anax_config *config = NULL;
    assert_int_equal(anax_config_new(&config, NULL), ANAX_OK);
    assert_int_equal(anax_config_machine(config, "kim-1k", NULL), ANAX_OK);
    assert_int_equal(anax_config_set(config, name, value, NULL), ANAX_OK);
    return config;
}

/* Two machines, two seeds, and the loads at which curves saturate. */
static void traffic_of_many_points(void **state) {
    struct api_world *world = *state;
    char folder[SCRATCH_FOLDER_BYTES + 16];
    anax_traffic_result *result = NULL;
    anax_config *other = changed_machine("network.global.latency", "1us");
    api_set(world->config, "traffic.measure", "2us");
    assert_int_equal(anax_config_set(other, "traffic.measure", "2us", NULL), ANAX_OK);
    const anax_config *machines[] = {world->config, other};
    anax_traffic_plan plan = ANAX_TRAFFIC_PLAN_INIT;
    plan.machines = machines;
    plan.machine_count = 2;
    plan.routings = "minimal,valiant";
    plan.seeds = 2;
    static const char *const widths[] = {NULL, "0.25"};
    static const char absent[] = " classes latencies busiest_links links groups routers"
                                 " channel_bins link_flows link_waits longest_link_waits ";
    for (size_t i = 0; i < 2; i++) {
        char words[256];
        snprintf(folder, sizeof folder, "%s/tables%zu", world->folder, i);
        plan.saturation_width = widths[i];
        plan.loads = widths[i] == NULL ? "0.1,0.2" : NULL;
        anax_error error = ANAX_ERROR_INIT;
        if (anax_traffic_sweep(&result, &plan, NULL, &error) != ANAX_OK) fail_msg("%s", error.text);
        assert_int_equal(anax_traffic_result_write_tables(result, folder, NULL), ANAX_OK);
        snprintf(words, sizeof words, "%s%s ", absent, widths[i] == NULL ? "saturation" : "");
        struct table_subject subject = {.kind = "traffic",
                                        .result = result,
                                        .table = table_of_traffic,
                                        .folder = folder,
                                        .absent = words};
        table_check_all(&subject, anax_traffic_result_json(result), 13 + i, 2 + i);
        anax_traffic_result_free(result);
    }
    anax_config_free(other);
}

/* Two machines, one of which has changed settings. */
static void comparisons_and_searches_of_machines(void **state) {
    struct api_world *world = *state;
    char folder[SCRATCH_FOLDER_BYTES + 16];
    anax_comparison *comparison = NULL;
    anax_search *search = NULL;
    anax_config *other = changed_machine("network.global.bandwidth", "10GB/s");
    const anax_config *machines[] = {world->config, other};
    const char *const limits[] = {"nodes=8:1000"};
    const anax_trace *trace = world->trace;
    anax_compare_plan plan = ANAX_COMPARE_PLAN_INIT;
    anax_search_plan search_plan = ANAX_SEARCH_PLAN_INIT;
    plan.machines = search_plan.machines = machines;
    plan.machine_count = search_plan.machine_count = 2;
    plan.traces = &trace;
    plan.trace_count = 1;
    search_plan.trace = trace;
    search_plan.limits = limits;
    search_plan.limit_count = 1;
    anax_error error = ANAX_ERROR_INIT;
    if (anax_compare(&comparison, &plan, NULL, &error) != ANAX_OK) fail_msg("%s", error.text);
    snprintf(folder, sizeof folder, "%s/comparison", world->folder);
    assert_int_equal(anax_comparison_write_tables(comparison, folder, NULL), ANAX_OK);
    struct table_subject subject = {.kind = "compare",
                                    .result = comparison,
                                    .table = table_of_comparison,
                                    .folder = folder,
                                    .absent = " "};
    table_check_all(&subject, anax_comparison_json(comparison), 13, 2);
    anax_comparison_free(comparison);

    assert_int_equal(anax_search_run(&search, &search_plan, NULL, NULL), ANAX_OK);
    snprintf(folder, sizeof folder, "%s/search", world->folder);
    assert_int_equal(anax_search_write_tables(search, folder, NULL), ANAX_OK);
    subject = (struct table_subject){.kind = "search",
                                     .result = search,
                                     .table = table_of_search,
                                     .folder = folder,
                                     .absent = " "};
    table_check_all(&subject, anax_search_json(search), 12, 2);
    anax_search_free(search);
    anax_config_free(other);
}

static void searches_for_placements(void **state) {
    struct api_world *world = *state;
    anax_placement *placement = NULL;
    const anax_place_plan place_plan = {sizeof place_plan, world->config, world->trace, NULL};
    api_set(world->config, "placement.policy", "random");
    api_set(world->config, "exchange.placements", "10");
    assert_int_equal(anax_place(&placement, &place_plan, NULL, NULL), ANAX_OK);
    struct table_subject subject = {
        .kind = "place", .result = placement, .table = table_of_placement, .absent = " "};
    table_check_all(&subject, anax_placement_json(placement), 11, 0);
    anax_placement_free(placement);
}

static void traces_with_files(void **state) {
    struct api_world *world = *state;
    char path[SCRATCH_FOLDER_BYTES + 16];
    anax_trace *trace = NULL;
    snprintf(path, sizeof path, "%s/files.anax", world->folder);
    write_files_program(path);
    assert_int_equal(anax_trace_open(&trace, path, NULL, NULL, NULL), ANAX_OK);
    struct table_subject subject = {
        .kind = "info", .result = trace, .table = table_of_trace, .absent = " "};
    table_check_all(&subject, anax_trace_json(trace), 10, 0);
    anax_trace_free(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(replays_of_jobs_with_everything, setup, api_world_free),
        cmocka_unit_test_setup_teardown(iterations_of_a_region, setup, api_world_free),
        cmocka_unit_test_setup_teardown(traffic_of_one_point_with_everything, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(traffic_of_many_points, setup, api_world_free),
        cmocka_unit_test_setup_teardown(comparisons_and_searches_of_machines, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(searches_for_placements, setup, api_world_free),
        cmocka_unit_test_setup_teardown(traces_with_files, setup, api_world_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
