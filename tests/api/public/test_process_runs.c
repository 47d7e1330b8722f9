/* Replays and traffic on several processes and threads: the result of one process, whatever the
 * policies, protocols, jobs and background traffic, and however groups are dealt to threads; and
 * its reports and errors. */
#include "api/api.h"

#include "tests/support/api/api_world.h"
#include "tests/support/core/process_mesh.h"
#include "tests/support/replay/stalling_program.h"
#include "tests/support/traces/program_on_disk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* A run: traffic, or a replay of traces of the world. */
struct run {
    const struct api_world *world;
    const char *const *settings; /* pairs name=value, NULL-terminated */
    const char *routings;        /* NULL: a replay */
    const char *loads;
    anax_trace *traces[2];
    anax_jobs *jobs; /* of several traces */
    unsigned threads;
    bool explains;  /* the time of a replay */
    bool lists_all; /* steps of the critical path */
    char *json;     /* of the result in process 0 */
    unsigned turn;  /* 0: with all of `matrix`; else with each second one, odd or even ones */
};

/* Takes out of a JSON the lines that are about how it was computed. */
static void drop_figures_of_the_run(char *json) {
    static const char *const own[] = {"\"wall_s\"", "\"threads\"", "\"processes\"", "_per_s\"",
                                      "\"peak_rss_bytes\""};
    char *to = json;
    for (char *line = json, *next; *line != '\0'; line = next) {
        char *end = strchr(line, '\n');
        next = end != NULL ? end + 1 : line + strlen(line);
        char after = *next;
        bool drop = false;
        *next = '\0';
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            drop |= strstr(line, own[i]) != NULL;
        size_t length = (size_t)(next - line);
        if (!drop) {
            memmove(to, line, length);
            to += length;
        }
        *next = after;
    }
    *to = '\0';
}

/* Simulates a run, and sets its result: *traffic if there are routing policies, else *replay. */
static anax_code simulate(struct run *run, anax_replay_result **replay,
                          anax_traffic_result **traffic, const anax_options *options,
                          anax_error *error) {
    anax_config *config = NULL;
    anax_code code = anax_config_new(&config, error);
    if (code == ANAX_OK) code = anax_config_machine(config, "kim-72", error);
    for (size_t i = 0; run->settings[i] != NULL && code == ANAX_OK; i++)
        code = anax_config_set_pair(config, run->settings[i], error);
    if (code == ANAX_OK && run->routings != NULL) {
        code = anax_traffic_curves(traffic, config, run->routings, run->loads, options, error);
    } else if (code == ANAX_OK && run->traces[1] == NULL) {
        code = anax_replay(replay, config, run->traces[0], options, error);
    } else if (code == ANAX_OK) {
        code = anax_jobs_new(&run->jobs, error);
        char path[SCRATCH_FOLDER_BYTES + 32];
        for (int i = 0; i < 2 && code == ANAX_OK; i++) {
            snprintf(path, sizeof path, "%s/%d.anax", run->world->folder, i);
            code = anax_jobs_add(run->jobs, path, config, NULL, error);
        }
        if (code == ANAX_OK) code = anax_jobs_replay(replay, config, run->jobs, options, error);
    }
    anax_config_free(config);
    return code;
}

static status_code run_part(void *context, struct processes *processes, struct status *status) {
    struct run *run = context;
    struct anax_processes joined = {.joined = processes};
    anax_options options = ANAX_OPTIONS_INIT;
    anax_error error = ANAX_ERROR_INIT;
    anax_replay_result *replay = NULL;
    anax_traffic_result *traffic = NULL;
    options.threads = run->threads;
    options.advise = run->routings == NULL;
    options.explain = run->explains;
    options.path_steps = run->lists_all ? ANAX_PATH_STEPS_ALL : 0;
    if (processes != NULL) options.processes = &joined;
    anax_code code = simulate(run, &replay, &traffic, &options, &error);
    if (code != ANAX_OK) status_take(status, (status_code)code, error.text);
    if (processes_number(processes) == 0 && (replay != NULL || traffic != NULL)) {
        run->json =
            replay != NULL ? anax_replay_result_json(replay) : anax_traffic_result_json(traffic);
        drop_figures_of_the_run(run->json);
    }
    anax_replay_result_free(replay);
    anax_traffic_result_free(traffic);
    anax_jobs_free(run->jobs);
    run->jobs = NULL;
    return (status_code)code;
}

/* Processes, threads of each, ANAX_TEST_DEALING (with `delays` threads pause now and then), and
 * ANAX_TEST_DIRECT_PROCESSES: with 0 a reduction precedes what processes send to each other. */
static const struct {
    unsigned processes;
    unsigned threads;
    const char *dealing;
    const char *direct;
} matrix[] = {{2, 1, "dynamic", "3"},
              {3, 2, "random,delays", "0"},
              {2, 3, "static", "0"},
              {3, 5, "random", "3"}};

/* Compares a run on several processes with that of one. */
static void compare(struct run *run, status_code expected) {
    struct status status = STATUS_INIT;
    run->threads = 1;
    status_code code = run_part(run, NULL, &status);
    if (code != expected) fail_msg("%s", status.text);
    status_clear(&status);
    char *alone = run->json;
    assert_non_null(alone);
    for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++) {
        if (run->turn > 0 && i % 2 != run->turn % 2) continue;
        run->threads = matrix[i].threads;
        assert_int_equal(setenv("ANAX_TEST_DEALING", matrix[i].dealing, 1), 0);
        assert_int_equal(setenv("ANAX_TEST_DIRECT_PROCESSES", matrix[i].direct, 1), 0);
        assert_int_equal(process_mesh_run(matrix[i].processes, run_part, run), expected);
        assert_int_equal(unsetenv("ANAX_TEST_DEALING"), 0);
        assert_int_equal(unsetenv("ANAX_TEST_DIRECT_PROCESSES"), 0);
        assert_string_equal(run->json, alone);
        anax_text_free(run->json);
    }
    anax_text_free(alone);
}

#define SHORT "traffic.warmup=2us", "traffic.measure=4us", "traffic.drain=2us"

static void traffic_of_all_policies_is_that_of_one_process(void **state) {
    static const char *const plain[] = {SHORT, NULL};
    static const char *const two_rails[] = {SHORT, "network.rails=2", NULL};
    static const char *const classes[] = {SHORT, "network.classes=2", "traffic.class=each", NULL};
    struct run run = {.world = *state, .settings = plain, .loads = "0.6"};
    run.routings = "minimal,valiant,ugal-l,ugal-g,par,piggyback,ofar";
    compare(&run, STATUS_OK);
    run.settings = two_rails;
    run.routings = "ugal-l";
    compare(&run, STATUS_OK);
    run.settings = classes;
    compare(&run, STATUS_OK);
}

static void a_deadlock_has_the_same_report(void **state) {
    static const char *const settings[] = {SHORT, "network.vcs=1", NULL};
    struct run run = {.world = *state, .settings = settings, .routings = "valiant", .loads = "0.9"};
    compare(&run, STATUS_RUN);
}

static anax_trace *generate(const char *pattern, const char *pair) {
    anax_config *config = NULL;
    anax_trace *trace = NULL;
    assert_int_equal(anax_config_new(&config, NULL), ANAX_OK);
    assert_int_equal(anax_config_set_pair(config, "generate.ranks=24", NULL), ANAX_OK);
    assert_int_equal(anax_config_set_pair(config, "generate.iterations=2", NULL), ANAX_OK);
    assert_int_equal(anax_config_set_pair(config, pair, NULL), ANAX_OK);
    assert_int_equal(anax_trace_generate(&trace, pattern, config, NULL), ANAX_OK);
    anax_config_free(config);
    return trace;
}

static void replays_of_all_protocols_are_those_of_one_process(void **state) {
    static const char *const settings[][5] = {
        {"placement.policy=random", NULL},
        {"placement.policy=random", "mpi.eager_threshold=0", "mpi.rendezvous=put", NULL},
        {"placement.policy=random", "mpi.eager_threshold=0", "mpi.rendezvous=get",
         "mpi.progress=software", NULL},
        {"placement.policy=random", "background.load=0.2", NULL},
        {"placement.policy=block", "mpi.eager_threshold=auto", NULL},
    };
    anax_trace *traces[] = {generate("halo3d", "generate.size=20KiB"),
                            generate("alltoall", "generate.size=1KiB")};
    for (size_t k = 0; k < sizeof traces / sizeof *traces; k++) {
        for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
            struct run run = {
                .world = *state, .settings = settings[i], .traces = {traces[k], NULL}};
            run.explains = k == 0;
            run.lists_all = i % 2 == 0;
            run.turn = 1 + (unsigned)(i + k) % 2;
            compare(&run, STATUS_OK);
        }
        anax_trace_free(traces[k]);
    }
}

static void one_sided_operations_are_those_of_one_process(void **state) {
    static const char *const settings[] = {"placement.policy=random", "network.routing=par", NULL};
    anax_trace *trace = NULL;
    assert_int_equal(
        anax_trace_open(&trace, ANAX_SOURCE_DIR "/tests/data/otf2/sp_rma_8", NULL, NULL, NULL),
        ANAX_OK);
    struct run run = {.world = *state, .settings = settings, .traces = {trace, NULL}};
    compare(&run, STATUS_OK);
    anax_trace_free(trace);
}

static void jobs_alone_and_together_are_those_of_one_process(void **state) {
    static const char *const settings[] = {"placement.policy=random", "background.load=0.1", NULL};
    const struct api_world *world = *state;
    anax_trace *traces[] = {generate("halo2d", "generate.size=4KiB"),
                            generate("allreduce", "generate.size=8KiB")};
    char path[SCRATCH_FOLDER_BYTES + 32];
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%d.anax", world->folder, i);
        assert_int_equal(anax_trace_write_program(traces[i], path, NULL, NULL), ANAX_OK);
    }
    struct run run = {.world = world, .settings = settings, .traces = {traces[0], traces[1]}};
    compare(&run, STATUS_OK);
    run.explains = true;
    run.lists_all = true;
    compare(&run, STATUS_OK);
    anax_trace_free(traces[0]);
    anax_trace_free(traces[1]);
}

static void a_stall_has_the_same_report(void **state) {
    static const char *const settings[] = {"placement.policy=random", NULL};
    const struct api_world *world = *state;
    anax_trace *trace = NULL;
    char path[SCRATCH_FOLDER_BYTES + 32];
    snprintf(path, sizeof path, "%s/stalls.anax", world->folder);
    write_stalling_program(path);
    assert_int_equal(anax_trace_open(&trace, path, NULL, NULL, NULL), ANAX_OK);
    struct run run = {.world = world, .settings = settings, .traces = {trace, NULL}};
    compare(&run, STATUS_RUN);
    anax_trace_free(trace);
}

/* Two ranks of eight send to each other first; all others wait for them in a collective. */
static anax_trace *stalling_collective(const struct api_world *world) {
    struct build_world own = build_world_new(8), *w = &own;
    anax_trace *trace = NULL;
    char path[SCRATCH_FOLDER_BYTES + 32];
    snprintf(path, sizeof path, "%s/collective.anax", world->folder);
    for (uint32_t rank = 0; rank < 8; rank++) {
        for (uint32_t i = 0; i < 2 && rank < 2; i++) {
            build_call(w, rank);
            if (i == 0)
                build_isend(w, rank, 1 - rank, 5, 1 << 20, BUILDER_NO_REQUEST);
            else
                build_irecv(w, rank, 1 - rank, 5, 1 << 20, BUILDER_NO_REQUEST);
            build_call_end(w, rank);
        }
        build_collective(w, rank, PROGRAM_COLLECTIVE_ALLREDUCE, w->communicator, 100000, 100000,
                         BUILDER_NO_REQUEST);
    }
    build_on_disk(w, path);
    assert_int_equal(anax_trace_open(&trace, path, NULL, NULL, NULL), ANAX_OK);
    return trace;
}

static void a_stall_in_collectives_has_the_same_report(void **state) {
    static const char *const settings[] = {"placement.policy=random-groups", NULL};
    anax_trace *trace = stalling_collective(*state);
    struct run run = {.world = *state, .settings = settings, .traces = {trace, NULL}};
    compare(&run, STATUS_RUN);
    anax_trace_free(trace);
}

static void a_clock_beyond_the_limit_is_the_same_error(void **state) {
    static const char *const settings[] = {"placement.policy=random",
                                           "replay.compute_scale=1000000", NULL};
    anax_trace *trace = generate("halo2d", "generate.compute=10s");
    struct run run = {.world = *state, .settings = settings, .traces = {trace, NULL}};
    compare(&run, STATUS_RUN);
    anax_trace_free(trace);
}

/* Process 1 gives up at some exchange, from the first to after the last. */
static void give_up_at_each(const struct api_world *world) {
    static const char *const settings[] = {"placement.policy=random", NULL};
    anax_trace *trace = generate("halo3d", "generate.size=64KiB");
    struct run run = {.world = world, .settings = settings, .traces = {trace, NULL}, .threads = 1};
    run.explains = true;
    unsigned failed = 0;
    for (unsigned last = 1;; last += last / 2 + 1) {
        run.json = NULL;
        process_mesh_break(1, last);
        status_code code = process_mesh_run(3, run_part, &run);
        anax_text_free(run.json);
        if (code == STATUS_OK) break;
        assert_int_equal(code, STATUS_MEMORY);
        failed++;
    }
    assert_true(failed > 3);
    process_mesh_break(0, 0);
    anax_trace_free(trace);
}

static void a_process_that_gives_up_ends_all(void **state) {
    give_up_at_each(*state);
    assert_int_equal(setenv("ANAX_TEST_DIRECT_PROCESSES", "0", 1), 0);
    give_up_at_each(*state);
    assert_int_equal(unsetenv("ANAX_TEST_DIRECT_PROCESSES"), 0);
}

static int begin(void **state) {
    return api_world_new(state, "halo2d", "4", "1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_process_that_gives_up_ends_all, begin, api_world_free),
        cmocka_unit_test_setup_teardown(traffic_of_all_policies_is_that_of_one_process, begin,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(a_deadlock_has_the_same_report, begin, api_world_free),
        cmocka_unit_test_setup_teardown(replays_of_all_protocols_are_those_of_one_process, begin,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(one_sided_operations_are_those_of_one_process, begin,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(jobs_alone_and_together_are_those_of_one_process, begin,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(a_stall_has_the_same_report, begin, api_world_free),
        cmocka_unit_test_setup_teardown(a_stall_in_collectives_has_the_same_report, begin,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(a_clock_beyond_the_limit_is_the_same_error, begin,
                                        api_world_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
