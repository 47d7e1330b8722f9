/*
 * What the members of anax_options do in the calls that read them, by the table in anax/options.h.
 * A run has the same result on one thread and on three, has more threads of the process if it may,
 * and reports its progress, which can stop it. tests/api/public/test_option_calls.c holds who reads
 * what, and replace; tests/api/public/test_process_runs.c holds processes.
 */
#include <anax/anax.h>

#include "api/option_calls.h"
#include "tests/support/api/api_world.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { SERIES = 3, TRIES = 40 };

struct works {
    struct api_world *world;
    anax_trace *series[SERIES];              /* to extrapolate */
    anax_trace *large;                       /* to write */
    char archive[SCRATCH_FOLDER_BYTES + 16]; /* the trace */
    char list[SCRATCH_FOLDER_BYTES + 16];    /* of jobs: the archive */
    char points[SCRATCH_FOLDER_BYTES + 32];  /* a folder of the run's own */
    char output[SCRATCH_FOLDER_BYTES + 32];  /* a file of the run's own */
    unsigned runs;
    anax_jobs *jobs;
};

/* ---- one run of each call ---- */

/* Takes out of a JSON the lines that are about how it was computed, and frees the text. */
static char *figures_of(char *json) {
    static const char *const own[] = {"\"wall_s\"",         "\"threads\"", "\"processes\"",
                                      "_per_s\"",           "\"found\"",   "\"parallel_limit\"",
                                      "\"peak_rss_bytes\"", "\"windows\""};
    assert_non_null(json);
    char *copy = calloc(1, strlen(json) + 1), *to = copy;
    assert_non_null(copy);
    for (const char *line = json, *end; *line != '\0'; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        bool drops = false;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
            const char *at = strstr(line, own[i]);
            drops = drops || (at != NULL && at < end);
        }
        if (drops) continue;
        memcpy(to, line, (size_t)(end - line));
        to += end - line;
    }
    anax_text_free(json);
    return copy;
}

static anax_code replay_list(struct works *w, const anax_options *load, const anax_options *options,
                             bool adds, anax_error *error, char **result) {
    anax_jobs *jobs = NULL;
    anax_replay_result *replay = NULL;
    assert_int_equal(anax_jobs_new(&jobs, NULL), ANAX_OK);
    anax_code code = adds ? anax_jobs_add(jobs, w->archive, w->world->config, load, error)
                          : anax_jobs_load(jobs, w->list, w->world->config, load, error);
    if (code == ANAX_OK) code = anax_jobs_replay(&replay, w->world->config, jobs, options, error);
    if (code == ANAX_OK) *result = figures_of(anax_replay_result_json(replay));
    anax_replay_result_free(replay);
    anax_jobs_free(jobs);
    return code;
}

static anax_code traffic_of_plan(struct works *w, const anax_traffic_plan *plan,
                                 const anax_options *options, anax_error *error, char **result) {
    anax_traffic_result *traffic = NULL;
    (void)w;
    const anax_code code = anax_traffic_sweep(&traffic, plan, options, error);
    if (code == ANAX_OK) *result = figures_of(anax_traffic_result_json(traffic));
    anax_traffic_result_free(traffic);
    return code;
}

static anax_code comparison_of_plan(const anax_compare_plan *plan, const anax_options *options,
                                    anax_error *error, char **result) {
    anax_comparison *comparison = NULL;
    const anax_code code = anax_compare(&comparison, plan, options, error);
    if (code == ANAX_OK) *result = figures_of(anax_comparison_json(comparison));
    anax_comparison_free(comparison);
    return code;
}

static anax_code search_of_plan(const anax_search_plan *plan, const anax_options *options,
                                anax_error *error, char **result) {
    anax_search *search = NULL;
    const anax_code code = anax_search_run(&search, plan, options, error);
    if (code == ANAX_OK) *result = figures_of(anax_search_json(search));
    anax_search_free(search);
    return code;
}

static bool is(const char *name, const char *call) {
    return strcmp(name, call) == 0;
}

/* Makes a call with work for several threads. *result: a text with all that follows from it. */
static anax_code work(struct works *w, const char *name, const anax_options *options,
                      anax_error *error, char **result) {
    static const char *const factors[] = {"network.routing=minimal,valiant,ugal-l,par"};
    static const char *const limits[] = {"nodes=1:1000"};
    static const char *const files[] = {ANAX_SOURCE_DIR "/examples/calibration/osu_latency.txt",
                                        ANAX_SOURCE_DIR "/examples/calibration/osu_bw.txt"};
    const anax_config *config = w->world->config;
    const anax_trace *trace = w->world->trace;
    anax_sweep_part part = ANAX_SWEEP_PART_INIT;
    anax_traffic_plan traffic_plan = ANAX_TRAFFIC_PLAN_INIT;
    traffic_plan.machines = &config;
    traffic_plan.machine_count = 1;
    traffic_plan.routings = "minimal,valiant";
    traffic_plan.loads = "0.1,0.2";
    anax_compare_plan compare_plan = ANAX_COMPARE_PLAN_INIT;
    compare_plan.machines = &config;
    compare_plan.machine_count = 1;
    compare_plan.traces = &trace;
    compare_plan.trace_count = 1;
    compare_plan.factors = factors;
    compare_plan.factor_count = 1;
    anax_search_plan search_plan = ANAX_SEARCH_PLAN_INIT;
    search_plan.machines = &config;
    search_plan.machine_count = 1;
    search_plan.trace = trace;
    search_plan.factors = factors;
    search_plan.factor_count = 1;
    search_plan.limits = limits;
    search_plan.limit_count = 1;
    anax_code code = ANAX_ERROR_STATE;
    *result = NULL;
    w->runs++;
    snprintf(w->points, sizeof w->points, "%s/points%u", w->world->folder, w->runs);
    snprintf(w->output, sizeof w->output, "%s/output%u", w->world->folder, w->runs);
    if (is(name, "anax_trace_open")) {
        anax_trace *opened = NULL;
        code = anax_trace_open(&opened, w->archive, config, options, error);
        if (code == ANAX_OK) *result = figures_of(anax_trace_json(opened));
        anax_trace_free(opened);
    } else if (is(name, "anax_trace_write_program")) {
        anax_trace *opened = NULL;
        code = anax_trace_write_program(w->large, w->output, options, error);
        if (code == ANAX_OK) code = anax_trace_open(&opened, w->output, NULL, NULL, error);
        if (code == ANAX_OK) *result = figures_of(anax_trace_json(opened));
        anax_trace_free(opened);
        remove(w->output);
    } else if (is(name, "anax_jobs_add") || is(name, "anax_jobs_load")) {
        code = replay_list(w, options, NULL, is(name, "anax_jobs_add"), error, result);
    } else if (is(name, "anax_jobs_replay")) {
        code = replay_list(w, NULL, options, true, error, result);
    } else if (is(name, "anax_replay")) {
        anax_replay_result *replay = NULL;
        code = anax_replay(&replay, config, trace, options, error);
        if (code == ANAX_OK) *result = figures_of(anax_replay_result_json(replay));
        anax_replay_result_free(replay);
    } else if (is(name, "anax_traffic") || is(name, "anax_traffic_curves")) {
        anax_traffic_result *traffic = NULL;
        code =
            is(name, "anax_traffic")
                ? anax_traffic(&traffic, config, "0.1,0.2,0.3", options, error)
                : anax_traffic_curves(&traffic, config, "minimal,par", "0.1,0.2", options, error);
        if (code == ANAX_OK) *result = figures_of(anax_traffic_result_json(traffic));
        anax_traffic_result_free(traffic);
    } else if (is(name, "anax_traffic_sweep")) {
        code = traffic_of_plan(w, &traffic_plan, options, error, result);
    } else if (is(name, "anax_traffic_part")) {
        traffic_plan.points_folder = w->points;
        code = anax_traffic_part(&part, &traffic_plan, options, error);
        if (code == ANAX_OK) code = traffic_of_plan(w, &traffic_plan, NULL, error, result);
    } else if (is(name, "anax_compare")) {
        code = comparison_of_plan(&compare_plan, options, error, result);
    } else if (is(name, "anax_compare_part")) {
        compare_plan.points_folder = w->points;
        code = anax_compare_part(&part, &compare_plan, options, error);
        if (code == ANAX_OK) code = comparison_of_plan(&compare_plan, NULL, error, result);
    } else if (is(name, "anax_search_run")) {
        code = search_of_plan(&search_plan, options, error, result);
    } else if (is(name, "anax_search_part")) {
        search_plan.points_folder = w->points;
        code = anax_search_part(&part, &search_plan, options, error);
        if (code == ANAX_OK) code = search_of_plan(&search_plan, NULL, error, result);
    } else if (is(name, "anax_place")) {
        const anax_place_plan plan = {sizeof plan, config, trace, NULL};
        anax_placement *placement = NULL;
        code = anax_place(&placement, &plan, options, error);
        if (code == ANAX_OK) *result = figures_of(anax_placement_json(placement));
        anax_placement_free(placement);
    } else if (is(name, "anax_bisection_new")) {
        const anax_bisection_plan plan = {sizeof plan, config, 0};
        anax_bisection *bisection = NULL;
        code = anax_bisection_new(&bisection, &plan, options, error);
        const anax_bisection *const one[] = {bisection};
        if (code == ANAX_OK) *result = figures_of(anax_bisection_json(one, 1));
        anax_bisection_free(bisection);
    } else if (is(name, "anax_calibrate")) {
        anax_calibration *calibration = NULL;
        const anax_calibrate_plan plan = {sizeof plan, config, files, 2};
        code = anax_calibrate(&calibration, &plan, options, error);
        if (code == ANAX_OK) *result = figures_of(anax_calibration_json(calibration));
        anax_calibration_free(calibration);
    } else if (is(name, "anax_extrapolate")) {
        anax_extrapolation *extrapolation = NULL;
        const anax_extrapolate_plan plan = {sizeof plan, config,
                                            (const anax_trace *const *)w->series, SERIES};
        code = anax_extrapolate(&extrapolation, &plan, options, error);
        if (code == ANAX_OK) *result = figures_of(anax_extrapolation_json(extrapolation));
        anax_extrapolation_free(extrapolation);
    } else {
        fail_msg("%s reads threads or progress, and has no run here", name);
    }
    return code;
}

/* ---- objects ---- */

static int setup(void **state) {
    static const char *const ranks[SERIES] = {"4", "8", "16"};
    struct works *w = calloc(1, sizeof *w);
    if (w == NULL || api_world_new((void **)&w->world, "halo2d", "16", "10") != 0) return -1;
    anax_config *config = w->world->config;
    *state = w;
    snprintf(w->archive, sizeof w->archive, "%s/archive", w->world->folder);
    snprintf(w->list, sizeof w->list, "%s/jobs.yaml", w->world->folder);
    assert_int_equal(anax_trace_write_otf2(w->world->trace, w->archive, NULL), ANAX_OK);
    assert_int_equal(anax_text_write("jobs: [{trace: archive}]\n", w->list, NULL, NULL), ANAX_OK);
    api_set(config, "traffic.measure", "5us");
    for (size_t i = 0; i < SERIES; i++) {
        api_set(config, "generate.ranks", ranks[i]);
        assert_int_equal(anax_trace_generate(&w->series[i], "bcast", config, NULL), ANAX_OK);
    }
    api_set(config, "extrapolate.ranks", "4096");
    api_set(config, "generate.ranks", "2048");
    assert_int_equal(anax_trace_generate(&w->large, "halo3d", config, NULL), ANAX_OK);
    api_set(config, "placement.policy", "random");
    api_set(config, "exchange.placements", "200");
    api_set(config, "exchange.replays", "4");
    return 0;
}

static int teardown(void **state) {
    struct works *w = *state;
    for (size_t i = 0; i < SERIES; i++)
        anax_trace_free(w->series[i]);
    anax_trace_free(w->large);
    anax_jobs_free(w->jobs);
    const int failed = api_world_free((void **)&w->world);
    free(w);
    return failed;
}

/* ---- progress ---- */

struct reports {
    unsigned calls;
    bool stops;
    pthread_t caller;
};

static bool note(void *context, const anax_progress *progress) {
    struct reports *reports = context;
    assert_true(pthread_equal(pthread_self(), reports->caller));
    assert_non_null(progress->phase);
    assert_true(progress->total == 0 || progress->done <= progress->total);
    reports->calls++;
    return !reports->stops;
}

/* Opening a trace goes on when progress returns false; every other call stops, and says so. */
static void progress_is_reported_and_stops_the_call(void **state) {
    struct works *w = *state;
    for (size_t i = 0; i < option_call_count; i++) {
        const char *name = option_calls[i].name;
        if ((option_calls[i].reads & CALL_READS_PROGRESS) == 0 || strncmp(name, "anax_", 5) != 0)
            continue;
        const bool opens =
            is(name, "anax_trace_open") || is(name, "anax_jobs_add") || is(name, "anax_jobs_load");
        for (unsigned stops = 0; stops < 2; stops++) {
            struct reports reports = {.stops = stops == 1, .caller = pthread_self()};
            anax_options options = ANAX_OPTIONS_INIT;
            anax_error error = ANAX_ERROR_INIT;
            char *result = NULL;
            options.threads = 1;
            options.progress = note;
            options.progress_context = &reports;
            const anax_code code = work(w, name, &options, &error, &result);
            if (code != (stops && !opens ? ANAX_ERROR_STOPPED : ANAX_OK))
                fail_msg("%s, progress returns %s: code %d (%s)", name, stops ? "false" : "true",
                         (int)code, error.text != NULL ? error.text : "success");
            if (reports.calls == 0) fail_msg("%s reports no progress", name);
            anax_error_clear(&error);
            free(result);
        }
    }
}

/* ---- threads ---- */

static void results_do_not_depend_on_threads(void **state) {
    struct works *w = *state;
    for (size_t i = 0; i < option_call_count; i++) {
        const char *name = option_calls[i].name;
        char *results[2] = {NULL, NULL};
        if ((option_calls[i].reads & CALL_READS_THREADS) == 0 || strncmp(name, "anax_", 5) != 0)
            continue;
        for (size_t k = 0; k < 2; k++) {
            anax_options options = ANAX_OPTIONS_INIT;
            anax_error error = ANAX_ERROR_INIT;
            options.threads = k == 0 ? 1 : 3;
            if (work(w, name, &options, &error, &results[k]) != ANAX_OK)
                fail_msg("%s: %s", name, error.text);
        }
        if (strcmp(results[0], results[1]) != 0)
            fail_msg("%s: another result on three threads:\n%s\nthan on one:\n%s", name, results[1],
                     results[0]);
        free(results[0]);
        free(results[1]);
    }
}

/* Counts the threads of the process again and again, and keeps the largest number. */
struct counter {
    atomic_uint most;
    atomic_bool ends;
};

static void *count_threads(void *context) {
    struct counter *counter = context;
    while (!atomic_load(&counter->ends)) {
        unsigned count = 0;
        DIR *folder = opendir("/proc/self/task");
        for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
            count += entry->d_name[0] != '.';
        if (folder != NULL) closedir(folder);
        if (count > atomic_load(&counter->most)) atomic_store(&counter->most, count);
        nanosleep(&(struct timespec){0, 20000}, NULL);
    }
    return NULL;
}

/* Returns the largest number of threads that the process has while a call runs. */
static unsigned threads_during(struct works *w, const char *name, const anax_options *options) {
    struct counter counter = {0};
    pthread_t thread;
    char *result = NULL;
    assert_int_equal(pthread_create(&thread, NULL, count_threads, &counter), 0);
    assert_int_equal(work(w, name, options, NULL, &result), ANAX_OK);
    atomic_store(&counter.ends, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    free(result);
    return atomic_load(&counter.most);
}

/* Checks that a call has more threads with the second options than with the first. A run may be
 * over before the threads are counted; then it is made again. */
static void expect_more_threads(struct works *w, const char *name, const anax_options *few,
                                const anax_options *many) {
    unsigned least = 0, most = 0;
    for (int k = 0; k < 3; k++) {
        const unsigned seen = threads_during(w, name, few);
        if (seen > least) least = seen;
    }
    for (int k = 0; k < TRIES && most <= least; k++)
        most = threads_during(w, name, many);
    if (most <= least)
        fail_msg("%s has %u threads with 1 thread and 1 point at once, and %u with %u and %u", name,
                 least, most, many->threads, many->points_at_once);
}

static void calls_start_the_threads_that_they_may(void **state) {
    for (size_t i = 0; i < option_call_count; i++) {
        const struct option_call *call = &option_calls[i];
        anax_options few = ANAX_OPTIONS_INIT, many = ANAX_OPTIONS_INIT;
        few.threads = 1;
        few.points_at_once = 1;
        if (strncmp(call->name, "anax_", 5) != 0) continue;
        if ((call->reads & CALL_READS_THREADS) != 0) {
            many.threads = 3;
            expect_more_threads(*state, call->name, &few, &many);
        }
        if ((call->reads & CALL_READS_POINTS_AT_ONCE) != 0) {
            many.threads = 1;
            many.points_at_once = 3;
            expect_more_threads(*state, call->name, &few, &many);
        }
    }
}

/* ---- checkpoints ---- */

static anax_checkpoint_wish end(void *context) {
    (void)context;
    return ANAX_CHECKPOINT_WRITE_AND_END;
}

/* A run that ends with a checkpoint goes on from it to the result of a run that did not end. */
static void runs_go_on_from_checkpoints(void **state) {
    struct works *w = *state;
    unsigned calls = 0;
    api_set(w->world->config, "jobs.alone", "off");
    for (size_t i = 0; i < option_call_count; i++) {
        const char *name = option_calls[i].name;
        char folder[SCRATCH_FOLDER_BYTES + 32], *whole = NULL, *none = NULL, *resumed = NULL;
        anax_options options = ANAX_OPTIONS_INIT;
        if ((option_calls[i].reads & CALL_READS_CHECKPOINTS) == 0) continue;
        options.threads = 1;
        assert_int_equal(work(w, name, &options, NULL, &whole), ANAX_OK);
        snprintf(folder, sizeof folder, "%s/checkpoint%zu", w->world->folder, i);
        options.checkpoint_folder = folder;
        options.checkpoint_wish = end;
        if (work(w, name, &options, NULL, &none) != ANAX_ERROR_STOPPED)
            fail_msg("%s does not end with its checkpoint", name);
        options.checkpoint_wish = NULL;
        options.resume_folder = folder;
        anax_error error = ANAX_ERROR_INIT;
        if (work(w, name, &options, &error, &resumed) != ANAX_OK)
            fail_msg("%s: %s", name, error.text);
        if (strcmp(whole, resumed) != 0) fail_msg("%s has another result after a checkpoint", name);
        free(whole);
        free(resumed);
        calls++;
    }
    assert_int_equal(calls, 6);
}

/* ---- what only some calls read ---- */

/* Replays the trace. joins: as a list of jobs, which lives as long as the result. */
static anax_replay_result *replay_with(struct works *w, bool joins, const anax_options *options) {
    anax_replay_result *result = NULL;
    anax_jobs_free(w->jobs);
    w->jobs = NULL;
    assert_int_equal(anax_jobs_new(&w->jobs, NULL), ANAX_OK);
    assert_int_equal(anax_jobs_add(w->jobs, w->archive, w->world->config, NULL, NULL), ANAX_OK);
    assert_int_equal(joins ? anax_jobs_replay(&result, w->world->config, w->jobs, options, NULL)
                           : anax_replay(&result, w->world->config, w->world->trace, options, NULL),
                     ANAX_OK);
    return result;
}

static void replays_keep_timelines_and_paths_if_asked_for(void **state) {
    struct works *w = *state;
    for (int joins = 0; joins < 2; joins++) {
        for (int asked = 0; asked < 2; asked++) {
            char folder[SCRATCH_FOLDER_BYTES + 32];
            anax_options options = ANAX_OPTIONS_INIT;
            anax_table *steps = NULL;
            options.timeline = options.explain = asked;
            options.path_steps = 3;
            anax_replay_result *result = replay_with(w, joins, &options);
            const anax_code expected = asked ? ANAX_OK : ANAX_ERROR_STATE;
            snprintf(folder, sizeof folder, "%s/timeline%d%d", w->world->folder, joins, asked);
            assert_int_equal(anax_replay_result_write_timeline(result, folder, NULL), expected);
            assert_int_equal(anax_replay_result_table(&steps, result, "critical_path_steps", NULL),
                             expected);
            if (asked) assert_int_equal(anax_table_row_count(steps), 3);
            anax_table_free(steps);
            anax_replay_result_free(result);
        }
    }
}

static void replays_give_advice_if_asked_for(void **state) {
    struct works *w = *state;
    api_set(w->world->config, "network.routing", "minimal");
    api_set(w->world->config, "network.global.bandwidth", "100MB/s");
    for (int joins = 0; joins < 2; joins++) {
        size_t said[2];
        for (int asked = 0; asked < 2; asked++) {
            anax_options options = ANAX_OPTIONS_INIT;
            options.advise = asked;
            anax_replay_result *result = replay_with(w, joins, &options);
            char *text = anax_replay_result_json(result);
            said[asked] = strstr(text, "replays with it") != NULL;
            anax_text_free(text);
            anax_replay_result_free(result);
        }
        assert_int_equal(said[0], 1); /* what could be done */
        assert_int_equal(said[1], 0); /* the gain stands there */
    }
}

/* A second search in the same folder finds all replays of the first one, and places the same. */
static void searches_for_placements_keep_their_replays(void **state) {
    struct works *w = *state;
    char folder[SCRATCH_FOLDER_BYTES + 32];
    const anax_place_plan plan = {sizeof plan, w->world->config, w->world->trace, folder};
    char *texts[2];
    size_t counts[2], found[2], damaged[2];
    snprintf(folder, sizeof folder, "%s/replays", w->world->folder);
    for (int search = 0; search < 2; search++) {
        anax_placement *placement = NULL;
        assert_int_equal(anax_place(&placement, &plan, NULL, NULL), ANAX_OK);
        counts[search] = anax_placement_point_count(&found[search], &damaged[search], placement);
        texts[search] = anax_placement_text(placement);
        anax_placement_free(placement);
    }
    assert_true(counts[0] > 0);
    assert_int_equal(found[0], 0);
    assert_int_equal(counts[1], counts[0]);
    assert_int_equal(found[1], counts[1]);
    assert_int_equal(damaged[1], 0);
    assert_string_equal(texts[1], texts[0]);
    anax_text_free(texts[0]);
    anax_text_free(texts[1]);
}

static bool is_ascii(char *text) {
    bool ascii = text != NULL;
    for (const char *c = text; c != NULL && *c != '\0'; c++)
        ascii = ascii && (unsigned char)*c < 128;
    anax_text_free(text);
    return ascii;
}

/* Texts with intervals have a plus-minus sign, and in ASCII two signs. */
static void texts_have_only_ascii_if_asked_for(void **state) {
    struct works *w = *state;
    static const char *const limits[] = {"nodes=1:1000"};
    const anax_config *config = w->world->config;
    const anax_trace *trace = w->world->trace;
    anax_traffic_plan traffic_plan = ANAX_TRAFFIC_PLAN_INIT;
    anax_compare_plan compare_plan = ANAX_COMPARE_PLAN_INIT;
    anax_search_plan search_plan = ANAX_SEARCH_PLAN_INIT;
    traffic_plan.machines = compare_plan.machines = search_plan.machines = &config;
    traffic_plan.machine_count = compare_plan.machine_count = search_plan.machine_count = 1;
    traffic_plan.loads = "0.2";
    traffic_plan.seeds = compare_plan.seeds = search_plan.seeds = 2;
    compare_plan.traces = &trace;
    compare_plan.trace_count = 1;
    search_plan.trace = trace;
    search_plan.limits = limits;
    search_plan.limit_count = 1;
    for (int ascii = 0; ascii < 2; ascii++) {
        anax_options options = ANAX_OPTIONS_INIT;
        anax_traffic_result *traffic = NULL;
        anax_comparison *comparison = NULL;
        anax_search *search = NULL;
        options.ascii_only = ascii;
        assert_int_equal(anax_traffic_sweep(&traffic, &traffic_plan, &options, NULL), ANAX_OK);
        assert_int_equal(anax_compare(&comparison, &compare_plan, &options, NULL), ANAX_OK);
        assert_int_equal(anax_search_run(&search, &search_plan, &options, NULL), ANAX_OK);
        assert_int_equal(is_ascii(anax_traffic_result_text(traffic)), ascii);
        assert_int_equal(is_ascii(anax_comparison_text(comparison)), ascii);
        assert_int_equal(is_ascii(anax_search_text(search)), ascii);
        anax_search_free(search);
        anax_comparison_free(comparison);
        anax_traffic_result_free(traffic);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(progress_is_reported_and_stops_the_call, setup, teardown),
        cmocka_unit_test_setup_teardown(results_do_not_depend_on_threads, setup, teardown),
        cmocka_unit_test_setup_teardown(calls_start_the_threads_that_they_may, setup, teardown),
        cmocka_unit_test_setup_teardown(runs_go_on_from_checkpoints, setup, teardown),
        cmocka_unit_test_setup_teardown(replays_keep_timelines_and_paths_if_asked_for, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(replays_give_advice_if_asked_for, setup, teardown),
        cmocka_unit_test_setup_teardown(searches_for_placements_keep_their_replays, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(texts_have_only_ascii_if_asked_for, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
