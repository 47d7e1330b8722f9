/* Replays and traffic through the public interface: figures, stalls, stopping, refusals. */
#include <anax/anax.h>

#include "tests/support/api/api_world.h"
#include "tests/support/api/table_world.h"
#include "tests/support/replay/stalling_program.h"

#include <json-c/json.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static int setup(void **state) {
    return api_world_new(state, "halo2d", "8", "10");
}

static struct json_object *parsed(char *text) {
    assert_non_null(text);
    struct json_object *object = json_tokener_parse(text);
    assert_non_null(object);
    anax_text_free(text);
    return object;
}

static int64_t number(struct json_object *object, const char *key) {
    struct json_object *member = NULL;
    assert_true(json_object_object_get_ex(object, key, &member));
    assert_int_equal(json_object_get_type(member), json_type_int);
    return json_object_get_int64(member);
}

/* The table, the JSON and the invariant of the parts agree. */
static void tables_json_and_parts_agree(void **state) {
    struct api_world *world = *state;
    anax_replay_result *result = NULL;
    static const char *const parts[] = {
        "compute_ps",      "send_overhead_ps",    "receive_overhead_ps",
        "reduction_ps",    "wait_late_sender_ps", "wait_late_receiver_ps",
        "wait_transit_ps", "wait_queueing_ps",    "collective_ps"};
    assert_int_equal(anax_replay(&result, world->config, world->trace, NULL, NULL), ANAX_OK);
    assert_true(anax_replay_result_completed(result));
    anax_table *table = table_of(result, "ranks");
    assert_int_equal(anax_table_row_count(table), 8);
    struct json_object *json = parsed(anax_replay_result_json(result));
    struct json_object *ranks = json_object_object_get(json, "ranks");
    assert_int_equal(json_object_array_length(ranks), 8);
    int64_t slowest_ps = 0;
    for (uint32_t i = 0; i < 8; i++) {
        struct json_object *entry = json_object_array_get_idx(ranks, i);
        const int64_t time_ps = integer_of(table, i, "time_ps");
        int64_t sum_ps = 0;
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            sum_ps += integer_of(table, i, parts[k]);
        assert_int_equal(integer_of(table, i, "rank"), i);
        assert_int_equal(number(entry, "time_ps"), time_ps);
        assert_int_equal(number(entry, "mpi_ps"), time_ps - integer_of(table, i, "compute_ps"));
        assert_int_equal(integer_of(table, i, "compute_ps"), 100000000); /* 10 times 10 us */
        assert_int_equal(time_ps, sum_ps);
        if (time_ps > slowest_ps) slowest_ps = time_ps;
    }
    anax_table_free(table);
    assert_int_equal(time_of(result), slowest_ps);
    assert_int_equal(number(json, "time_ps"), slowest_ps);
    anax_trace_info info = ANAX_TRACE_INFO_INIT;
    assert_int_equal(anax_trace_get_info(&info, world->trace, NULL), ANAX_OK);
    assert_int_equal(number(json_object_object_get(json, "trace"), "messages"), info.messages);
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_replay_result_write_timeline(result, "/tmp/x", &error), ANAX_ERROR_STATE);
    assert_non_null(strstr(error.text, "timeline"));
    anax_error_clear(&error);
    json_object_put(json);
    anax_replay_result_free(result);
}

static void a_stall_has_a_report_and_no_time(void **state) {
    struct api_world *world = *state;
    char path[64], tables[64];
    snprintf(path, sizeof path, "%s/stall.anax", world->folder);
    snprintf(tables, sizeof tables, "%s/tables", world->folder);
    write_stalling_program(path);
    anax_trace *trace = NULL;
    anax_replay_result *result = NULL;
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_trace_open(&trace, path, world->config, NULL, &error), ANAX_OK);
    assert_int_equal(anax_replay(&result, world->config, trace, NULL, &error), ANAX_ERROR_RUN);
    assert_int_equal(anax_code_exit_code(error.code), 1);
    assert_non_null(strstr(error.text, "MPI_Send"));
    assert_non_null(strstr(error.text, "eager"));
    assert_non_null(result);
    assert_false(anax_replay_result_completed(result));
    int64_t time_ps = -1;
    anax_table *ranks = NULL;
    assert_int_equal(anax_replay_result_time_ps(&time_ps, result, NULL), ANAX_ERROR_STATE);
    assert_int_equal(anax_replay_result_table(&ranks, result, "ranks", NULL), ANAX_ERROR_STATE);
    assert_null(ranks);
    uint64_t digest = 1;
    assert_int_equal(anax_replay_result_digest(&digest, result, NULL), ANAX_ERROR_STATE);
    assert_int_equal(digest, 0);
    struct json_object *json = parsed(anax_replay_result_json(result));
    assert_false(json_object_get_boolean(json_object_object_get(json, "completed")));
    assert_null(json_object_object_get(json, "time_ps"));
    assert_false(json_object_object_get_ex(json, "ranks", NULL));
    assert_string_equal(json_object_get_string(json_object_object_get(json, "failure")),
                        error.text);
    char *text = anax_replay_result_text(result);
    assert_non_null(strstr(text, "did not finish"));
    assert_null(strstr(text, "Predicted time"));
    anax_text_free(text);
    assert_int_equal(anax_replay_result_write_tables(result, tables, NULL), ANAX_ERROR_STATE);
    assert_int_not_equal(access(tables, F_OK), 0);
    json_object_put(json);
    anax_replay_result_free(result);

    assert_int_equal(anax_config_set(world->config, "mpi.eager_threshold", "1MiB", NULL), ANAX_OK);
    anax_error_clear(&error);
    assert_int_equal(anax_replay(&result, world->config, trace, NULL, &error), ANAX_OK);
    anax_replay_result_free(result);
    anax_trace_free(trace);
}

static bool stop_at_once(void *context, const anax_progress *progress) {
    ++*(unsigned *)context;
    assert_non_null(progress->phase);
    return false;
}

/* Ranks that cannot go on are found though other traffic could go on for ever, and told whose they
 * are; the job beside them is no excuse for a time. */
static void a_stall_beside_others_is_found(void **state) {
    struct api_world *world = *state;
    char path[64], other[64];
    snprintf(path, sizeof path, "%s/stall.anax", world->folder);
    snprintf(other, sizeof other, "%s/other.anax", world->folder);
    write_stalling_program(path);
    assert_int_equal(anax_trace_write_program(world->trace, other, NULL, NULL), ANAX_OK);
    anax_jobs *jobs = NULL;
    anax_replay_result *result = NULL;
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_config_set(world->config, "background.load", "0.1", NULL), ANAX_OK);
    assert_int_equal(anax_config_set(world->config, "jobs.alone", "off", NULL), ANAX_OK);
    assert_int_equal(anax_jobs_new(&jobs, NULL), ANAX_OK);
    assert_int_equal(anax_jobs_add(jobs, other, world->config, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_jobs_add(jobs, path, world->config, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_jobs_count(jobs), 2);
    assert_int_equal(anax_jobs_replay(&result, world->config, jobs, NULL, &error), ANAX_ERROR_RUN);
    assert_non_null(strstr(error.text, "2 of 10 ranks cannot go on"));
    assert_non_null(strstr(error.text, "ranks 8 to 9 are those of job stall"));
    assert_false(anax_replay_result_completed(result));
    anax_replay_result_free(result);
    anax_error_clear(&error);

    assert_int_equal(anax_config_set(world->config, "jobs.alone", "on", NULL), ANAX_OK);
    assert_int_equal(anax_jobs_replay(&result, world->config, jobs, NULL, &error), ANAX_ERROR_RUN);
    assert_non_null(strstr(error.text, "job stall, alone"));
    anax_replay_result_free(result);
    anax_error_clear(&error);

    assert_int_equal(anax_config_set(world->config, "mpi.eager_threshold", "1MiB", NULL), ANAX_OK);
    assert_int_equal(anax_jobs_replay(&result, world->config, jobs, NULL, &error), ANAX_OK);
    anax_table *table = table_of(result, "jobs");
    assert_int_equal(anax_table_row_count(table), 2);
    assert_string_equal(text_of(table, 1, "name"), "stall");
    assert_int_equal(integer_of(table, 1, "first_rank"), 8);
    assert_int_equal(integer_of(table, 1, "ranks"), 2);
    const int64_t alone_ps = integer_of(table, 1, "alone_ps");
    assert_true(alone_ps > 0 && integer_of(table, 1, "time_ps") >= alone_ps);
    anax_table_free(table);
    anax_replay_result_free(result);
    anax_jobs_free(jobs);
}

/* Beside a job that needs a larger threshold than another, both have it, alone as well: so the
 * slowdown is about others on the network and nothing else. */
static void jobs_alone_have_the_threshold_of_all(void **state) {
    struct api_world *world = *state;
    static const char *const thresholds[] = {"0", "1MiB", "auto"};
    char path[64], other[64];
    int64_t alone_ps[3];
    snprintf(path, sizeof path, "%s/stall.anax", world->folder);
    snprintf(other, sizeof other, "%s/other.anax", world->folder);
    write_stalling_program(path);
    assert_int_equal(anax_trace_write_program(world->trace, other, NULL, NULL), ANAX_OK);
    for (int i = 0; i < 3; i++) {
        anax_jobs *jobs = NULL;
        anax_replay_result *result = NULL;
        assert_int_equal(anax_config_set(world->config, "mpi.eager_threshold", thresholds[i], NULL),
                         ANAX_OK);
        anax_config_set(world->config, "background.load", "0.01", NULL); /* so that it runs alone */
        assert_int_equal(anax_jobs_new(&jobs, NULL), ANAX_OK);
        assert_int_equal(anax_jobs_add(jobs, other, world->config, NULL, NULL), ANAX_OK);
        if (i > 0) /* it needs 1 MiB */
            assert_int_equal(anax_jobs_add(jobs, path, world->config, NULL, NULL), ANAX_OK);
        assert_int_equal(anax_jobs_replay(&result, world->config, jobs, NULL, NULL), ANAX_OK);
        anax_table *table = table_of(result, "jobs");
        alone_ps[i] = integer_of(table, 0, "alone_ps");
        anax_table_free(table);
        anax_replay_result_free(result);
        anax_jobs_free(jobs);
    }
    assert_true(alone_ps[0] > alone_ps[1]); /* else the threshold does not matter */
    assert_int_equal(alone_ps[2], alone_ps[1]);
}

static void progress_can_stop_a_run(void **state) {
    struct api_world *world = *state;
    unsigned calls = 0;
    anax_options options = ANAX_OPTIONS_INIT;
    options.threads = 1;
    options.progress = stop_at_once;
    options.progress_context = &calls;
    anax_traffic_result *result = NULL;
    anax_config_set(world->config, "traffic.measure", "10ms", NULL);
    assert_int_equal(anax_traffic(&result, world->config, "0.5", &options, NULL),
                     ANAX_ERROR_STOPPED);
    assert_true(calls >= 1);
    assert_false(anax_traffic_result_completed(result));
    anax_traffic_result_free(result);
}

struct runs_seen {
    unsigned runs, stop_at;
    uint64_t events;
};

/* Counts replays: in each the events begin anew. */
static bool stop_in_run(void *context, const anax_progress *progress) {
    struct runs_seen *seen = context;
    if (seen->runs == 0 || progress->events < seen->events) seen->runs++;
    seen->events = progress->events;
    return seen->runs < seen->stop_at;
}

/* A stop while changes are tried is no failure of a change. */
static void progress_can_stop_advice(void **state) {
    struct api_world *world = *state;
    anax_trace *trace = NULL;
    anax_error error = ANAX_ERROR_INIT;
    const char *const settings[][2] = {{"generate.ranks", "32"}, {"generate.size", "64KiB"}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        anax_config_set(world->config, settings[i][0], settings[i][1], NULL);
    assert_int_equal(anax_trace_generate(&trace, "stream", world->config, NULL), ANAX_OK);
    anax_config_set(world->config, "network.routing", "minimal", NULL);
    for (unsigned stop_at = 2; stop_at <= 4; stop_at++) {
        struct runs_seen seen = {0, stop_at, 0};
        anax_options options = ANAX_OPTIONS_INIT;
        anax_replay_result *result = NULL;
        options.threads = 1;
        options.advise = true;
        options.progress = stop_in_run;
        options.progress_context = &seen;
        const anax_code code = anax_replay(&result, world->config, trace, &options, &error);
        assert_int_equal(code,
                         stop_at < 4 ? ANAX_ERROR_STOPPED : ANAX_OK); /* two changes are tried */
        assert_int_equal(seen.runs, stop_at < 4 ? stop_at : 3);
        assert_int_equal(anax_replay_result_completed(result), stop_at == 4);
        uint64_t digest;
        assert_int_equal(anax_replay_result_digest(&digest, result, NULL),
                         stop_at == 4 ? ANAX_OK : ANAX_ERROR_STATE);
        struct json_object *json = parsed(anax_replay_result_json(result));
        assert_int_equal(json_object_object_get_ex(json, "verdict", NULL), stop_at == 4);
        json_object_put(json);
        anax_replay_result_free(result);
    }
    anax_error_clear(&error);
    anax_trace_free(trace);
}

struct callers {
    pthread_t mine;
    unsigned calls;
    atomic_uint others; /* calls from another thread */
};

static bool note_caller(void *context, const anax_progress *progress) {
    struct callers *callers = context;
    (void)progress;
    callers->calls++;
    if (!pthread_equal(pthread_self(), callers->mine)) atomic_fetch_add(&callers->others, 1);
    return true;
}

static void progress_comes_from_the_calling_thread(void **state) {
    struct api_world *world = *state;
    struct callers callers = {.mine = pthread_self()};
    anax_options options = ANAX_OPTIONS_INIT;
    options.threads = 4;
    options.progress = note_caller;
    options.progress_context = &callers;
    char archive[SCRATCH_FOLDER_BYTES + 16];
    snprintf(archive, sizeof archive, "%s/otf2", world->folder);
    anax_trace *trace = NULL;
    anax_config_set(world->config, "generate.ranks", "64", NULL);
    assert_int_equal(anax_trace_generate(&trace, "halo2d", world->config, NULL), ANAX_OK);
    assert_int_equal(anax_trace_write_otf2(trace, archive, NULL), ANAX_OK);
    anax_trace_free(trace);
    assert_int_equal(anax_trace_open(&trace, archive, NULL, &options, NULL), ANAX_OK);
    assert_int_equal(atomic_load(&callers.others), 0);
    anax_replay_result *result = NULL;
    assert_int_equal(anax_replay(&result, world->config, trace, &options, NULL), ANAX_OK);
    anax_replay_result_free(result);
    anax_traffic_result *traffic = NULL;
    callers.calls = 0;
    anax_config_set(world->config, "traffic.measure", "1ms", NULL);
    assert_int_equal(anax_traffic(&traffic, world->config, "0.1,0.2", &options, NULL), ANAX_OK);
    assert_true(callers.calls > 0);
    anax_traffic_result_free(traffic);
    anax_bisection *bisection = NULL;
    callers.calls = 0;
    anax_bisection_plan plan = {sizeof plan, world->config, 1};
    assert_int_equal(anax_bisection_new(&bisection, &plan, &options, NULL), ANAX_OK);
    assert_true(callers.calls > 0);
    anax_bisection_free(bisection);
    assert_int_equal(atomic_load(&callers.others), 0);
    anax_trace_free(trace);
}

static void traffic_points_are_in_the_order_of_loads(void **state) {
    struct api_world *world = *state;
    anax_traffic_result *result = NULL;
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_traffic(&result, world->config, "0.3,0.1:0.2:0.05", NULL, NULL), ANAX_OK);
    struct json_object *json = parsed(anax_traffic_result_json(result));
    struct json_object *points = json_object_object_get(json, "points");
    static const double loads[] = {0.3, 0.1, 0.15, 0.2};
    assert_int_equal(json_object_array_length(points), 4);
    for (size_t i = 0; i < 4; i++) {
        struct json_object *point = json_object_array_get_idx(points, i);
        double offered = json_object_get_double(json_object_object_get(point, "offered_load"));
        double accepted = json_object_get_double(json_object_object_get(point, "accepted_load"));
        assert_true(offered == loads[i]);
        assert_true(accepted > 0.8 * offered && accepted < 1.2 * offered);
    }
    json_object_put(json);
    anax_table *ranks = NULL;
    assert_int_equal(anax_traffic_result_table(&ranks, result, "ranks", &error), ANAX_ERROR_USAGE);
    assert_non_null(strstr(error.text, "points"));
    assert_int_equal(anax_traffic_result_point_count(NULL, NULL, result), 4);
    anax_traffic_result_free(result);
    static const char *const wrong[] = {"",
                                        "0",
                                        "1.1",
                                        "0.1:0.2",
                                        "0.1:0.2:0",
                                        "0.2:0.1:0.1",
                                        "0.1,",
                                        "x",
                                        "0.1:0.2:0.1:0.1",
                                        "-0.1",
                                        "0.000001:1:0.000001"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(anax_traffic(&result, world->config, wrong[i], NULL, &error),
                         ANAX_ERROR_USAGE);
        assert_null(result);
        assert_non_null(error.text);
    }
    anax_error_clear(&error);
}

static bool stop_all_at_once(void *context, const anax_progress *progress) {
    unsigned *calls = context;
    ++*calls;
    assert_non_null(strstr(progress->phase, "of 6)"));
    return false;
}

/* Several points at once: all of them stop. */
static void stopping_stops_every_point(void **state) {
    struct api_world *world = *state;
    anax_traffic_result *result = NULL;
    anax_error error = ANAX_ERROR_INIT;
    unsigned calls = 0;
    anax_options options = ANAX_OPTIONS_INIT;
    options.threads = 3;
    options.progress = stop_all_at_once;
    options.progress_context = &calls;
    anax_config_set(world->config, "traffic.measure", "10ms", NULL);
    assert_int_equal(anax_traffic_curves(&result, world->config, "minimal,ugal-l", "0.1:0.3:0.1",
                                         &options, &error),
                     ANAX_ERROR_STOPPED);
    assert_non_null(strstr(error.text, "stopped"));
    assert_int_equal(calls, 1);
    assert_false(anax_traffic_result_completed(result));
    uint64_t digest = 1;
    assert_int_equal(anax_traffic_result_digest(&digest, result, NULL), ANAX_ERROR_STATE);
    assert_int_equal(digest, 0);
    anax_traffic_result_free(result);
    static const char *const wrong[] = {"", ",", "minimal,", "minimal,minimal", "no-policy"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(anax_traffic_curves(&result, world->config, wrong[i], "0.1", NULL, &error),
                         ANAX_ERROR_USAGE);
        assert_null(result);
    }
    assert_int_equal(anax_traffic_curves(&result, world->config, "minimal,valiant,ugal-l,minimal",
                                         "0.1:0.9:0.0005", NULL, &error),
                     ANAX_ERROR_USAGE);
    anax_error_clear(&error);
}

static void ranks_that_do_not_fit_are_refused(void **state) {
    struct api_world *world = *state;
    anax_replay_result *result = NULL;
    anax_trace *trace = NULL;
    anax_error error = ANAX_ERROR_INIT;
    anax_config_set(world->config, "generate.ranks", "73", NULL);
    assert_int_equal(anax_trace_generate(&trace, "ping-pong", world->config, &error), ANAX_OK);
    assert_int_equal(anax_replay(&result, world->config, trace, NULL, &error), ANAX_ERROR_USAGE);
    assert_null(result);
    assert_non_null(strstr(error.text, "72"));
    anax_trace_free(trace);
    assert_int_equal(anax_trace_generate(&trace, "no-pattern", NULL, &error), ANAX_ERROR_USAGE);
    assert_null(trace);
    assert_int_equal(anax_trace_open(&trace, "/nowhere.otf2", NULL, NULL, &error),
                     ANAX_ERROR_INPUT);
    assert_null(trace);
    anax_error_clear(&error);
}

/* Returns a copy of a page with blanks for its blanks at which lines do not break. */
static char *with_plain_blanks(const char *page) {
    static const char blank[] = "&#160;";
    char *copy = calloc(strlen(page) + 1, 1), *to = copy;
    assert_non_null(copy);
    for (const char *from = page; *from != '\0'; to++) {
        const bool is_blank = *from == '&' && strncmp(from, blank, sizeof blank - 1) == 0;
        *to = is_blank ? ' ' : *from;
        from += is_blank ? sizeof blank - 1 : 1;
    }
    return copy;
}

static void a_report_hands_out_its_pictures(void **state) {
    struct api_world *world = *state;
    anax_replay_result *result = NULL;
    anax_report *report = NULL;
    assert_int_equal(anax_replay(&result, world->config, world->trace, NULL, NULL), ANAX_OK);
    char *json = anax_replay_result_json(result);
    assert_int_equal(anax_report_new(&report, json, NULL), ANAX_OK);
    char *page = with_plain_blanks(anax_report_html(report));
    const size_t count = anax_report_figure_count(report);
    assert_in_range(count, 5, 30);
    assert_string_equal(anax_report_figure_name(report, 0), "breakdown");
    assert_non_null(strstr(page, anax_report_heading(report)));
    for (size_t i = 0; i < count; i++) {
        const char *caption = anax_report_figure_caption(report, i);
        char plain[400];
        snprintf(plain, sizeof plain, "%.*s", (int)strcspn(caption, "<>&'\""), caption);
        assert_in_range(strlen(plain), 8, sizeof plain - 1);
        assert_non_null(strstr(page, plain));
        assert_non_null(strstr(page, anax_report_figure_svg(report, i)));
    }
    free(page);
    assert_null(anax_report_figure_name(report, count));
    assert_null(anax_report_figure_caption(report, count));
    assert_null(anax_report_figure_svg(report, count));
    anax_report_free(report);
    anax_text_free(json);
    anax_replay_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tables_json_and_parts_agree, setup, api_world_free),
        cmocka_unit_test_setup_teardown(a_stall_has_a_report_and_no_time, setup, api_world_free),
        cmocka_unit_test_setup_teardown(a_stall_beside_others_is_found, setup, api_world_free),
        cmocka_unit_test_setup_teardown(jobs_alone_have_the_threshold_of_all, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(progress_can_stop_a_run, setup, api_world_free),
        cmocka_unit_test_setup_teardown(progress_can_stop_advice, setup, api_world_free),
        cmocka_unit_test_setup_teardown(progress_comes_from_the_calling_thread, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(traffic_points_are_in_the_order_of_loads, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(stopping_stops_every_point, setup, api_world_free),
        cmocka_unit_test_setup_teardown(ranks_that_do_not_fit_are_refused, setup, api_world_free),
        cmocka_unit_test_setup_teardown(a_report_hands_out_its_pictures, setup, api_world_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
