/*
 * Structs that callers allocate, of programs that were compiled with another version of the header:
 * older and smaller, newer and larger, or never initialised.
 */
#include <anax/anax.h>

#include "tests/support/api/api_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What a later header may add to any struct. */
struct newer_options {
    anax_options known;
    uint64_t added;
};

struct newer_plan {
    anax_compare_plan known;
    uint64_t added;
};

struct newer_traffic_plan {
    anax_traffic_plan known;
    uint64_t added;
};

struct newer_search_plan {
    anax_search_plan known;
    uint64_t added;
};

struct newer_place_plan {
    anax_place_plan known;
    uint64_t added;
};

struct newer_bisection_plan {
    anax_bisection_plan known;
    uint64_t added;
};

struct newer_calibrate_plan {
    anax_calibrate_plan known;
    uint64_t added;
};

struct newer_extrapolate_plan {
    anax_extrapolate_plan known;
    uint64_t added;
};

struct newer_part {
    anax_sweep_part known;
    uint64_t added;
};

struct newer_info {
    anax_trace_info known;
    uint64_t added;
};

static int setup(void **state) {
    return api_world_new(state, "ping-pong", "2", "1");
}

static bool count(void *context, const anax_progress *progress) {
    (void)progress;
    ++*(unsigned *)context;
    return true;
}

static bool stop(void *context, const anax_progress *progress) {
    (void)context, (void)progress;
    return false;
}

static void expect_failure(anax_code code, anax_error *error, anax_code expected,
                           const char *text) {
    assert_int_equal(code, expected);
    assert_int_equal(error->code, expected);
    if (strstr(error->text, text) == NULL) fail_msg("`%s` is not in: %s", text, error->text);
    anax_error_clear(error);
}

/* What lies beyond the size that an older program states is something else of that program. */
static void older_options_are_read_to_their_end(void **state) {
    struct api_world *world = *state;
    anax_options older = ANAX_OPTIONS_INIT;
    anax_traffic_result *result = NULL;
    older.threads = 1;
    older.progress = stop;
    anax_config_set(world->config, "traffic.measure", "1ms", NULL);
    assert_int_equal(anax_traffic(&result, world->config, "0.1", &older, NULL), ANAX_ERROR_STOPPED);
    anax_traffic_result_free(result);
    older.size = offsetof(anax_options, progress);
    assert_int_equal(anax_traffic(&result, world->config, "0.1", &older, NULL), ANAX_OK);
    anax_traffic_result_free(result);
}

static void newer_options_are_accepted_unless_they_ask_for_more(void **state) {
    struct api_world *world = *state;
    unsigned calls = 0;
    struct newer_options newer = {ANAX_OPTIONS_INIT, 0};
    anax_error error = ANAX_ERROR_INIT;
    anax_traffic_result *result = NULL;
    newer.known.size = sizeof newer;
    newer.known.threads = 1;
    newer.known.progress = count;
    newer.known.progress_context = &calls;
    anax_config_set(world->config, "traffic.measure", "1ms", NULL);
    assert_int_equal(anax_traffic(&result, world->config, "0.1", &newer.known, &error), ANAX_OK);
    assert_true(calls > 0);
    anax_traffic_result_free(result);
    newer.added = 1;
    expect_failure(anax_traffic(&result, world->config, "0.1", &newer.known, &error), &error,
                   ANAX_ERROR_USAGE, "anax_options has a member that libanax");
    assert_null(result);
}

/* Every function that takes options refuses those that it does not understand, and does nothing. */
static void all_functions_check_their_options(void **state) {
    struct api_world *world = *state;
    anax_options none;
    const anax_options *wrong = memset(&none, 0, sizeof none);
    const char *text = "anax_options.size is 0, which cannot be; begin with ANAX_OPTIONS_INIT";
    const char *file = "/nowhere/file";
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = world->config;
    anax_trace *trace = NULL;
    anax_replay_result *result = NULL;
    anax_traffic_result *traffic = NULL;
    anax_jobs *jobs = NULL;
    anax_comparison *comparison = NULL;
    anax_placement *placement = NULL;
    anax_bisection *bisection = NULL;
    const anax_compare_plan plan = ANAX_COMPARE_PLAN_INIT;
    const anax_place_plan place_plan = {sizeof place_plan, config, world->trace, NULL};
    const anax_bisection_plan bisection_plan = {sizeof bisection_plan, config, 0};
    char program[SCRATCH_FOLDER_BYTES + 16];
    snprintf(program, sizeof program, "%s/a.anax", world->folder);
    assert_int_equal(anax_trace_write_program(world->trace, program, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_jobs_new(&jobs, NULL), ANAX_OK);
    assert_int_equal(anax_jobs_add(jobs, program, config, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_place(&placement, &place_plan, NULL, NULL), ANAX_OK);

    expect_failure(anax_text_write("", file, wrong, &error), &error, ANAX_ERROR_USAGE, text);
    expect_failure(anax_file_check(file, wrong, &error), &error, ANAX_ERROR_USAGE, text);
    expect_failure(anax_bisection_write_curves(NULL, 0, file, wrong, &error), &error,
                   ANAX_ERROR_USAGE, text);
    expect_failure(anax_trace_open(&trace, program, config, wrong, &error), &error,
                   ANAX_ERROR_USAGE, text);
    assert_null(trace);
    expect_failure(anax_trace_write_program(world->trace, file, wrong, &error), &error,
                   ANAX_ERROR_USAGE, text);
    expect_failure(anax_trace_export_file(world->trace, config, "dot", file, wrong, &error), &error,
                   ANAX_ERROR_USAGE, text);
    expect_failure(anax_jobs_add(jobs, program, config, wrong, &error), &error, ANAX_ERROR_USAGE,
                   text);
    assert_int_equal(anax_jobs_count(jobs), 1);
    expect_failure(anax_replay(&result, config, world->trace, wrong, &error), &error,
                   ANAX_ERROR_USAGE, text);
    expect_failure(anax_jobs_replay(&result, config, jobs, wrong, &error), &error, ANAX_ERROR_USAGE,
                   text);
    expect_failure(anax_traffic(&traffic, config, "0.1", wrong, &error), &error, ANAX_ERROR_USAGE,
                   text);
    assert_null(result);
    assert_null(traffic);
    expect_failure(anax_compare(&comparison, &plan, wrong, &error), &error, ANAX_ERROR_USAGE, text);
    assert_null(comparison);
    expect_failure(anax_placement_write_rank_file(placement, file, wrong, &error), &error,
                   ANAX_ERROR_USAGE, text);
    expect_failure(anax_bisection_new(&bisection, &bisection_plan, wrong, &error), &error,
                   ANAX_ERROR_USAGE, text);
    assert_null(bisection);
    anax_placement_free(placement);
    anax_jobs_free(jobs);
}

/* An address, an uninitialised number, or a size between two members. */
static void sizes_that_cannot_be_are_refused(void **state) {
    (void)state;
    const size_t sizes[] = {1, sizeof(size_t) - 1, sizeof(anax_options) - 1, 4096 + sizeof(size_t),
                            SIZE_MAX};
    anax_error error = ANAX_ERROR_INIT;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        anax_options options = ANAX_OPTIONS_INIT;
        options.size = sizes[i];
        expect_failure(anax_file_check("/nowhere/file", &options, &error), &error, ANAX_ERROR_USAGE,
                       "anax_options.size is ");
    }
}

static void plans_of_other_versions_are_read(void **state) {
    struct api_world *world = *state;
    struct newer_plan newer = {ANAX_COMPARE_PLAN_INIT, 0};
    anax_error error = ANAX_ERROR_INIT;
    anax_comparison *comparison = NULL;
    newer.known.size = sizeof newer;
    newer.known.machines = (const anax_config *const *)&world->config;
    newer.known.machine_count = 1;
    newer.known.traces = (const anax_trace *const *)&world->trace;
    newer.known.trace_count = 1;
    newer.known.points_folder = world->points;
    newer.added = 1;
    expect_failure(anax_compare(&comparison, &newer.known, NULL, &error), &error, ANAX_ERROR_USAGE,
                   "anax_compare_plan has a member that libanax");
    assert_null(comparison);
    newer.added = 0;
    newer.known.size = offsetof(anax_compare_plan, points_folder);
    newer.known.seeds = 2;
    assert_int_equal(anax_compare(&comparison, &newer.known, NULL, &error), ANAX_OK);
    assert_int_equal(anax_comparison_point_count(NULL, NULL, comparison), 2);
    anax_comparison_free(comparison);
    newer.known.size = offsetof(anax_compare_plan, seeds); /* the seeds are the default, one */
    newer.known.size -= newer.known.size % sizeof(size_t);
    assert_int_equal(anax_compare(&comparison, &newer.known, NULL, &error), ANAX_OK);
    assert_int_equal(anax_comparison_point_count(NULL, NULL, comparison), 1);
    anax_comparison_free(comparison);
    assert_int_equal(anax_file_check(world->points, NULL, NULL), ANAX_OK); /* no folder was made */
}

/* Every plan and every part is read as far as this library knows it. */
static void all_plans_and_parts_check_what_they_do_not_know(void **state) {
    (void)state;
    const struct newer_traffic_plan traffic_plan = {{.size = sizeof traffic_plan, .seeds = 1}, 1};
    const struct newer_search_plan search_plan = {{.size = sizeof search_plan, .seeds = 1}, 1};
    const struct newer_plan compare_plan = {{.size = sizeof compare_plan, .seeds = 1}, 1};
    const struct newer_place_plan place_plan = {{.size = sizeof place_plan}, 1};
    const struct newer_bisection_plan bisection_plan = {{.size = sizeof bisection_plan}, 1};
    const anax_place_plan place = ANAX_PLACE_PLAN_INIT;
    const anax_bisection_plan solve = ANAX_BISECTION_PLAN_INIT;
    const struct newer_calibrate_plan calibrate_plan = {{.size = sizeof calibrate_plan}, 1};
    const struct newer_extrapolate_plan extrapolate_plan = {{.size = sizeof extrapolate_plan}, 1};
    const anax_calibrate_plan fit = ANAX_CALIBRATE_PLAN_INIT;
    const anax_extrapolate_plan extrapolate = ANAX_EXTRAPOLATE_PLAN_INIT;
    anax_placement *placement = NULL;
    anax_bisection *bisection = NULL;
    anax_calibration *calibration = NULL;
    anax_extrapolation *extrapolation = NULL;
    const anax_traffic_plan traffic = ANAX_TRAFFIC_PLAN_INIT;
    const anax_search_plan search = ANAX_SEARCH_PLAN_INIT;
    const anax_compare_plan compare = ANAX_COMPARE_PLAN_INIT;
    struct newer_part newer = {ANAX_SWEEP_PART_INIT, 1};
    anax_sweep_part part = ANAX_SWEEP_PART_INIT;
    anax_error error = ANAX_ERROR_INIT;
    anax_traffic_result *result = NULL;
    anax_search *found = NULL;
    newer.known.size = sizeof newer;
    expect_failure(anax_traffic_sweep(&result, &traffic_plan.known, NULL, &error), &error,
                   ANAX_ERROR_USAGE, "anax_traffic_plan has a member that libanax");
    expect_failure(anax_traffic_part(&part, &traffic_plan.known, NULL, &error), &error,
                   ANAX_ERROR_USAGE, "anax_traffic_plan has a member that libanax");
    expect_failure(anax_search_run(&found, &search_plan.known, NULL, &error), &error,
                   ANAX_ERROR_USAGE, "anax_search_plan has a member that libanax");
    expect_failure(anax_search_part(&part, &search_plan.known, NULL, &error), &error,
                   ANAX_ERROR_USAGE, "anax_search_plan has a member that libanax");
    expect_failure(anax_compare_part(&part, &compare_plan.known, NULL, &error), &error,
                   ANAX_ERROR_USAGE, "anax_compare_plan has a member that libanax");
    expect_failure(anax_traffic_part(&newer.known, &traffic, NULL, &error), &error,
                   ANAX_ERROR_USAGE, "anax_sweep_part has a member that libanax");
    expect_failure(anax_search_part(&newer.known, &search, NULL, &error), &error, ANAX_ERROR_USAGE,
                   "anax_sweep_part has a member that libanax");
    expect_failure(anax_compare_part(&newer.known, &compare, NULL, &error), &error,
                   ANAX_ERROR_USAGE, "anax_sweep_part has a member that libanax");
    expect_failure(anax_place(&placement, &place_plan.known, NULL, &error), &error,
                   ANAX_ERROR_USAGE, "anax_place_plan has a member that libanax");
    expect_failure(anax_bisection_new(&bisection, &bisection_plan.known, NULL, &error), &error,
                   ANAX_ERROR_USAGE, "anax_bisection_plan has a member that libanax");
    expect_failure(anax_calibrate(&calibration, &calibrate_plan.known, NULL, &error), &error,
                   ANAX_ERROR_USAGE, "anax_calibrate_plan has a member that libanax");
    expect_failure(anax_extrapolate(&extrapolation, &extrapolate_plan.known, NULL, &error), &error,
                   ANAX_ERROR_USAGE, "anax_extrapolate_plan has a member that libanax");
    expect_failure(anax_calibrate(&calibration, &fit, NULL, &error), &error, ANAX_ERROR_USAGE,
                   "set plan.config");
    expect_failure(anax_extrapolate(&extrapolation, &extrapolate, NULL, &error), &error,
                   ANAX_ERROR_USAGE, "set plan.config");
    assert_null(calibration);
    assert_null(extrapolation);
    expect_failure(anax_place(&placement, &place, NULL, &error), &error, ANAX_ERROR_USAGE,
                   "set plan.config and plan.trace");
    expect_failure(anax_bisection_new(&bisection, &solve, NULL, &error), &error, ANAX_ERROR_USAGE,
                   "set plan.config");
    assert_null(result);
    assert_null(found);
    assert_null(placement);
    assert_null(bisection);
}

/* A part of an older program is filled up to its end. */
static void parts_of_other_versions_are_filled(void **state) {
    struct api_world *world = *state;
    anax_compare_plan plan = ANAX_COMPARE_PLAN_INIT;
    anax_sweep_part older = ANAX_SWEEP_PART_INIT;
    plan.machines = (const anax_config *const *)&world->config;
    plan.machine_count = 1;
    plan.traces = (const anax_trace *const *)&world->trace;
    plan.trace_count = 1;
    plan.seeds = 3;
    plan.points_folder = world->points;
    older.size = offsetof(anax_sweep_part, found);
    older.found = older.failed = 77;
    assert_int_equal(anax_compare_part(&older, &plan, NULL, NULL), ANAX_OK);
    assert_int_equal(older.size, offsetof(anax_sweep_part, found));
    assert_int_equal(older.points, 3);
    assert_int_equal(older.all_points, 3);
    assert_int_equal(older.found, 77);
    assert_int_equal(older.failed, 77);
}

static void infos_of_other_versions_are_filled(void **state) {
    struct api_world *world = *state;
    anax_trace_info info = ANAX_TRACE_INFO_INIT;
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_trace_get_info(&info, world->trace, &error), ANAX_OK);
    assert_int_equal(info.size, sizeof info);
    assert_int_equal(info.ranks, 2);
    assert_true(info.hash != 0);

    anax_trace_info older;
    memset(&older, 0x5A, sizeof older);
    older.size = offsetof(anax_trace_info, hash);
    assert_int_equal(anax_trace_get_info(&older, world->trace, &error), ANAX_OK);
    assert_int_equal(older.size, offsetof(anax_trace_info, hash));
    assert_int_equal(older.messages, info.messages);
    assert_int_equal(older.hash, 0x5A5A5A5A5A5A5A5A);

    struct newer_info newer = {ANAX_TRACE_INFO_INIT, 1};
    newer.known.size = sizeof newer;
    assert_int_equal(anax_trace_get_info(&newer.known, world->trace, &error), ANAX_OK);
    assert_int_equal(newer.known.size, sizeof newer);
    assert_int_equal(newer.known.hash, info.hash);
    assert_int_equal(newer.added, 0);

    info.size = 0;
    expect_failure(anax_trace_get_info(&info, world->trace, &error), &error, ANAX_ERROR_USAGE,
                   "begin with ANAX_TRACE_INFO_INIT");
}

/* An error without its size still has the members of the first version. */
static void an_error_of_zeros_takes_a_text(void **state) {
    struct api_world *world = *state;
    anax_error error;
    memset(&error, 0, sizeof error);
    expect_failure(anax_config_set(world->config, "no.setting", "1", &error), &error,
                   ANAX_ERROR_USAGE, "no.setting");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(older_options_are_read_to_their_end, setup, api_world_free),
        cmocka_unit_test_setup_teardown(newer_options_are_accepted_unless_they_ask_for_more, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(all_functions_check_their_options, setup, api_world_free),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test_setup_teardown(plans_of_other_versions_are_read, setup, api_world_free),
        cmocka_unit_test(all_plans_and_parts_check_what_they_do_not_know),
        cmocka_unit_test_setup_teardown(parts_of_other_versions_are_filled, setup, api_world_free),
        cmocka_unit_test_setup_teardown(infos_of_other_versions_are_filled, setup, api_world_free),
        cmocka_unit_test_setup_teardown(an_error_of_zeros_takes_a_text, setup, api_world_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
