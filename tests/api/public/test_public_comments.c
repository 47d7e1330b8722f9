/*
 * What the comments of public functions promise. Every function whose comment names
 * ANAX_ERROR_EXISTS or ANAX_ERROR_STATE returns it there (tests/api/public/test_option_calls.c has
 * the functions that write a single file), and the tables that comments name exist.
 */
#include <anax/anax.h>

#include "tests/support/api/api_world.h"
#include "tests/support/api/public_functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

static int setup(void **state) {
    if (api_world_new(state, "ping-pong", "2", "1") != 0) return -1;
    struct api_world *world = *state;
    return anax_config_set(world->config, "traffic.measure", "1us", NULL) == ANAX_OK ? 0 : -1;
}

/* Checks that the functions whose comments name a code are those of a list, in any order. */
static void expect_comments_name(const char *code, const char *const *names, size_t count) {
    struct public_function functions[PUBLIC_FUNCTIONS_MAX];
    const size_t loaded = public_functions_load(functions);
    size_t found = 0;
    for (size_t i = 0; i < loaded; i++) {
        size_t n = 0;
        if (strstr(functions[i].comment, code) == NULL) continue;
        while (n < count && strcmp(names[n], functions[i].name) != 0)
            n++;
        if (n == count) fail_msg("%s says that it returns %s", functions[i].name, code);
        found++;
    }
    public_functions_free(functions, loaded);
    assert_int_equal(found, count);
}

static bool stop(void *context, const anax_progress *progress) {
    (void)context, (void)progress;
    return false;
}

/* ---- ANAX_ERROR_EXISTS ---- */

/* A result of every kind that writes a folder. */
struct results {
    anax_replay_result *replay;
    anax_traffic_result *traffic;
    anax_comparison *comparison;
    anax_search *search;
    anax_report *report;
};

static void make_results(struct results *results, const struct api_world *world) {
    anax_compare_plan compare = ANAX_COMPARE_PLAN_INIT;
    anax_search_plan search = ANAX_SEARCH_PLAN_INIT;
    anax_options options = ANAX_OPTIONS_INIT;
    compare.machines = search.machines = (const anax_config *const *)&world->config;
    compare.machine_count = search.machine_count = 1;
    compare.traces = (const anax_trace *const *)&world->trace;
    compare.trace_count = 1;
    search.trace = world->trace;
    options.timeline = true;
    assert_int_equal(anax_replay(&results->replay, world->config, world->trace, &options, NULL),
                     ANAX_OK);
    assert_int_equal(anax_traffic(&results->traffic, world->config, "0.1,0.2", NULL, NULL),
                     ANAX_OK);
    assert_int_equal(anax_compare(&results->comparison, &compare, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_search_run(&results->search, &search, NULL, NULL), ANAX_OK);
    char *json = anax_traffic_result_json(results->traffic);
    assert_int_equal(anax_report_new(&results->report, json, NULL), ANAX_OK);
    anax_text_free(json);
}

static void folders_that_exist_stay(void **state) {
    struct api_world *world = *state;
    struct results results = {0};
    char folder[SCRATCH_FOLDER_BYTES + 16];
    static const char *const names[] = {
        "anax_trace_write_otf2",
        "anax_replay_result_write_tables",
        "anax_replay_result_write_timeline",
        "anax_traffic_result_write_tables",
        "anax_comparison_write_tables",
        "anax_search_write_tables",
        "anax_report_write_figures",
        "anax_text_write",
    };
    expect_comments_name("ANAX_ERROR_EXISTS", names, sizeof names / sizeof *names);
    make_results(&results, world);
    snprintf(folder, sizeof folder, "%s/folder", world->folder);
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(anax_trace_write_otf2(world->trace, folder, NULL), ANAX_ERROR_EXISTS);
    assert_int_equal(anax_replay_result_write_tables(results.replay, folder, NULL),
                     ANAX_ERROR_EXISTS);
    assert_int_equal(anax_replay_result_write_timeline(results.replay, folder, NULL),
                     ANAX_ERROR_EXISTS);
    assert_int_equal(anax_traffic_result_write_tables(results.traffic, folder, NULL),
                     ANAX_ERROR_EXISTS);
    assert_int_equal(anax_comparison_write_tables(results.comparison, folder, NULL),
                     ANAX_ERROR_EXISTS);
    assert_int_equal(anax_search_write_tables(results.search, folder, NULL), ANAX_ERROR_EXISTS);
    assert_int_equal(anax_report_write_figures(results.report, folder, NULL), ANAX_ERROR_EXISTS);
    anax_report_free(results.report);
    anax_search_free(results.search);
    anax_comparison_free(results.comparison);
    anax_traffic_result_free(results.traffic);
    anax_replay_result_free(results.replay);
}

/* ---- ANAX_ERROR_STATE ---- */

static void results_without_the_data_say_so(void **state) {
    struct api_world *world = *state;
    static const char *const names[] = {
        "anax_replay_result_digest",
        "anax_replay_result_time_ps",
        "anax_replay_result_table",
        "anax_replay_result_write_tables",
        "anax_replay_result_write_timeline",
        "anax_replay_result_write_perfetto",
        "anax_traffic_result_digest",
        "anax_traffic_result_table",
        "anax_traffic_result_write_tables",
        "anax_trace_table",
        "anax_placement_table",
        "anax_report_write_figures",
    };
    anax_options stopped = ANAX_OPTIONS_INIT;
    anax_replay_result *replay = NULL;
    anax_traffic_result *traffic = NULL;
    anax_placement *placement = NULL;
    anax_report *report = NULL;
    anax_table *table = NULL;
    int64_t time_ps = 1;
    uint64_t digest = 1;
    expect_comments_name("ANAX_ERROR_STATE", names, sizeof names / sizeof *names);

    assert_int_equal(anax_replay(&replay, world->config, world->trace, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_replay_result_write_timeline(replay, "/nowhere/folder", NULL),
                     ANAX_ERROR_STATE); /* it kept no timeline */
    assert_int_equal(anax_replay_result_write_perfetto(replay, "/nowhere/file", 0, 0, NULL, NULL),
                     ANAX_ERROR_STATE);
    assert_int_equal(anax_replay_result_table(&table, replay, "critical_path", NULL),
                     ANAX_ERROR_STATE); /* it did not explain */
    anax_replay_result_free(replay);

    anax_config_set(world->config, "generate.size", "10MiB", NULL);
    anax_trace_free(world->trace);
    assert_int_equal(anax_trace_generate(&world->trace, "ping-pong", world->config, NULL), ANAX_OK);
    stopped.progress = stop;
    assert_int_equal(anax_replay(&replay, world->config, world->trace, &stopped, NULL),
                     ANAX_ERROR_STOPPED);
    assert_int_equal(anax_replay_result_time_ps(&time_ps, replay, NULL), ANAX_ERROR_STATE);
    assert_int_equal(time_ps, 0);
    assert_int_equal(anax_replay_result_digest(&digest, replay, NULL), ANAX_ERROR_STATE);
    assert_int_equal(digest, 0);
    assert_int_equal(anax_replay_result_table(&table, replay, "ranks", NULL), ANAX_ERROR_STATE);
    assert_int_equal(anax_replay_result_write_tables(replay, "/nowhere/folder", NULL),
                     ANAX_ERROR_STATE);
    anax_replay_result_free(replay);

    anax_config_set(world->config, "traffic.measure", "10ms", NULL);
    assert_int_equal(anax_traffic(&traffic, world->config, "0.1", &stopped, NULL),
                     ANAX_ERROR_STOPPED);
    assert_int_equal(anax_traffic_result_digest(&digest, traffic, NULL), ANAX_ERROR_STATE);
    assert_int_equal(anax_traffic_result_table(&table, traffic, "links", NULL), ANAX_ERROR_STATE);
    assert_int_equal(anax_traffic_result_write_tables(traffic, "/nowhere/folder", NULL),
                     ANAX_ERROR_STATE);
    anax_traffic_result_free(traffic);

    assert_int_equal(anax_trace_table(&table, world->trace, "files", NULL), ANAX_ERROR_STATE);
    const anax_place_plan place_plan = {sizeof place_plan, world->config, world->trace, NULL};
    assert_int_equal(anax_place(&placement, &place_plan, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_placement_table(&table, placement, "search", NULL), ANAX_ERROR_STATE);
    assert_int_equal(anax_report_new(&report, "{\"schema\":\"anax.topology/2\"}", NULL), ANAX_OK);
    assert_int_equal(anax_report_write_figures(report, "/nowhere/folder", NULL), ANAX_ERROR_STATE);
    anax_report_free(report);
    anax_placement_free(placement);
    assert_null(table);
}

/* ---- tables ---- */

/* Checks the names between quotation marks up to the end of the sentence. Returns their number. */
static size_t check_tables(const char *kind, size_t kind_length, const char *names) {
    const char *end = strstr(names, ". ");
    size_t count = 0;
    for (const char *open = strchr(names, '"'); open != NULL && open < end;
         open = strchr(open + 1, '"')) {
        char name[64];
        anax_table *table = NULL;
        const char *close = strchr(open + 1, '"');
        snprintf(name, sizeof name, "%.*s.%.*s", (int)kind_length, kind, (int)(close - open - 1),
                 open + 1);
        if (anax_table_outline(&table, name, NULL) != ANAX_OK)
            fail_msg("a comment names the table %s, which does not exist", name);
        anax_table_free(table);
        open = close;
        count++;
    }
    return count;
}

static void tables_in_comments_exist(void **state) {
    (void)state;
    struct public_function functions[PUBLIC_FUNCTIONS_MAX];
    const size_t count = public_functions_load(functions);
    size_t kinds = 0;
    for (size_t i = 0; i < count; i++) {
        const char *called = strstr(functions[i].comment, "table called ");
        const char *names = strstr(functions[i].comment, "Examples of names are ");
        if (strstr(functions[i].name, "_table") == NULL || called == NULL || names == NULL)
            continue;
        called += strlen("table called ");
        if (check_tables(called, strcspn(called, "."), names) == 0)
            fail_msg("the comment of %s names no table", functions[i].name);
        kinds++;
    }
    public_functions_free(functions, count);
    assert_int_equal(kinds, 11);
}

/* Checks that a call has failed with ANAX_ERROR_INPUT and made nothing. */
static void expect_input(anax_code code, const void *made, const anax_error *error) {
    if (code != ANAX_ERROR_INPUT || strstr(error->text, "links") == NULL)
        fail_msg("code %d: %s", (int)code, code != ANAX_OK ? error->text : "");
    assert_null(made);
}

/* Every function whose comment says so returns ANAX_ERROR_INPUT for a wrong file that a setting
 * names; in a comparison, the points of the file have no time. */
static void wrong_files_of_settings_are_told(void **state) {
    struct api_world *world = *state;
    const anax_config *config = world->config;
    char path[SCRATCH_FOLDER_BYTES + 16];
    anax_error error = ANAX_ERROR_INIT;
    snprintf(path, sizeof path, "%s/links", world->folder);
    assert_int_equal(anax_text_write("no link\n", path, NULL, NULL), ANAX_OK);
    api_set(world->config, "network.failures.file", path);
    anax_replay_result *replay = NULL;
    expect_input(anax_replay(&replay, config, world->trace, NULL, &error), replay, &error);
    anax_traffic_result *traffic = NULL;
    expect_input(anax_traffic(&traffic, config, "0.1", NULL, &error), traffic, &error);
    anax_topology *topology = NULL;
    expect_input(anax_topology_new(&topology, config, &error), topology, &error);
    anax_bisection *bisection = NULL;
    const anax_bisection_plan bisect = {sizeof bisect, config, 0};
    expect_input(anax_bisection_new(&bisection, &bisect, NULL, &error), bisection, &error);
    anax_placement *placement = NULL;
    const anax_place_plan place = {sizeof place, config, world->trace, NULL};
    expect_input(anax_place(&placement, &place, NULL, &error), placement, &error);
    anax_comparison *comparison = NULL;
    const anax_trace *const trace = world->trace;
    anax_compare_plan compare = ANAX_COMPARE_PLAN_INIT;
    compare.machines = &config;
    compare.traces = &trace;
    compare.machine_count = compare.trace_count = 1;
    assert_int_equal(anax_compare(&comparison, &compare, NULL, &error), ANAX_ERROR_RUN);
    assert_non_null(comparison);
    anax_comparison_free(comparison);
    anax_error_clear(&error);
}

/* The exit codes and phrases of all codes, and of one that is none. */
static void every_code_has_an_exit_code_and_a_phrase(void **state) {
    (void)state;
    static const struct {
        anax_code code;
        int exit_code;
    } rows[] = {
        {ANAX_OK, 0},           {ANAX_ERROR_USAGE, 2},  {ANAX_ERROR_INPUT, 2},
        {ANAX_ERROR_RUN, 1},    {ANAX_ERROR_MEMORY, 1}, {ANAX_ERROR_SYSTEM, 1},
        {ANAX_ERROR_EXISTS, 2}, {ANAX_ERROR_STATE, 2},  {ANAX_ERROR_STOPPED, 1},
        {(anax_code)9, 1},
    };
    const size_t count = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].code, i);
        assert_int_equal(anax_code_exit_code(rows[i].code), rows[i].exit_code);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(anax_code_text(rows[i].code), anax_code_text(rows[j].code));
    }
    assert_string_equal(anax_code_text((anax_code)9), "unknown code");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(folders_that_exist_stay, setup, api_world_free),
        cmocka_unit_test_setup_teardown(results_without_the_data_say_so, setup, api_world_free),
        cmocka_unit_test_setup_teardown(wrong_files_of_settings_are_told, setup, api_world_free),
        cmocka_unit_test(tables_in_comments_exist),
        cmocka_unit_test(every_code_has_an_exit_code_and_a_phrase),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
