/*
 * Reports of progress, on one thread: what is done grows up to the total, and each phase has its
 * name.
 */
#include <anax/anax.h>

#include "tests/support/api/api_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct reports {
    unsigned calls, stop_at; /* stop_at 0: never */
    const char *phase;
    anax_progress last;
};

static int setup(void **state) {
    return api_world_new(state, "halo2d", "16", "20");
}

static bool note(void *context, const anax_progress *progress) {
    struct reports *reports = context;
    assert_string_equal(progress->phase, reports->phase);
    assert_true(progress->done >= reports->last.done);
    assert_true(progress->done <= progress->total);
    assert_true(progress->time_ps >= reports->last.time_ps);
    assert_true(progress->events >= reports->last.events);
    reports->last = *progress;
    return ++reports->calls != reports->stop_at;
}

static anax_options options_for(struct reports *reports) {
    anax_options options = ANAX_OPTIONS_INIT;
    options.threads = 1;
    options.progress = note;
    options.progress_context = reports;
    return options;
}

/* Reading counts ranks. */
static void reading_reports_each_rank(void **state) {
    struct api_world *world = *state;
    struct reports reports = {.phase = "reading"};
    const anax_options options = options_for(&reports);
    char archive[SCRATCH_FOLDER_BYTES + 16];
    snprintf(archive, sizeof archive, "%s/otf2", world->folder);
    assert_int_equal(anax_trace_write_otf2(world->trace, archive, NULL), ANAX_OK);
    anax_trace *trace = NULL;
    assert_int_equal(anax_trace_open(&trace, archive, NULL, &options, NULL), ANAX_OK);
    assert_int_equal(reports.calls, 16);
    assert_int_equal(reports.last.done, 16);
    assert_int_equal(reports.last.total, 16);
    anax_trace_free(trace);
}

/* A replay counts operations, simulated time and events, and ends where it is told to. */
static void a_replay_reports_and_stops(void **state) {
    struct api_world *world = *state;
    anax_jobs *jobs = NULL;
    assert_int_equal(anax_config_set(world->config, "jobs.alone", "off", NULL), ANAX_OK);
    assert_int_equal(anax_jobs_new(&jobs, NULL), ANAX_OK);
    char program[SCRATCH_FOLDER_BYTES + 16];
    snprintf(program, sizeof program, "%s/halo.anax", world->folder);
    assert_int_equal(anax_trace_write_program(world->trace, program, NULL, NULL), ANAX_OK);
    assert_int_equal(anax_jobs_add(jobs, program, world->config, NULL, NULL), ANAX_OK);
    unsigned all = 0;
    for (unsigned stop_at = 0; stop_at <= 2; stop_at++) {
        struct reports reports = {.phase = "replaying", .stop_at = stop_at};
        const anax_options options = options_for(&reports);
        anax_replay_result *result = NULL;
        assert_int_equal(anax_jobs_replay(&result, world->config, jobs, &options, NULL),
                         stop_at == 0 ? ANAX_OK : ANAX_ERROR_STOPPED);
        assert_int_equal(anax_replay_result_completed(result), stop_at == 0);
        if (stop_at == 0) all = reports.calls;
        if (stop_at > 0) assert_int_equal(reports.calls, stop_at);
        assert_true(reports.last.done > 0);
        assert_true(reports.last.time_ps > 0);
        assert_true(reports.last.events > 0);
        anax_replay_result_free(result);
    }
    assert_true(all > 2);
    anax_jobs_free(jobs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reading_reports_each_rank, setup, api_world_free),
        cmocka_unit_test_setup_teardown(a_replay_reports_and_stops, setup, api_world_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
