/*
 * Which call reads which member of anax_options: the table in anax/options.h, the comments of the
 * functions, the rows that the library goes by (api/option_calls.c), and what the calls do with a
 * member that is set.
 */
#include <anax/anax.h>

#include "api/option_calls.h"
#include "tests/support/api/api_world.h"
#include "tests/support/api/public_functions.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The columns of the table, in its order, and the members that the comments of functions name. */
static const struct {
    char letter;
    unsigned set; /* an option_set */
    const char *member;
} columns[] = {
    {'T', CALL_READS_THREADS, "threads"},   {'A', CALL_READS_POINTS_AT_ONCE, "points_at_once"},
    {'P', CALL_READS_PROGRESS, "progress"}, {'M', CALL_READS_PROCESSES, "processes"},
    {'R', CALL_READS_REPLACE, "replace"},   {'I', CALL_READS_ASCII_ONLY, "ascii_only"},
    {'L', CALL_READS_TIMELINE, "timeline"}, {'V', CALL_READS_ADVISE, "advise"},
    {'E', CALL_READS_EXPLAIN, "explain"},   {'C', CALL_READS_CHECKPOINTS, "checkpoint_folder"},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

/* Members that a run refuses if it does not read them. */
static const unsigned missed = CALL_READS_PROCESSES | CALL_READS_TIMELINE | CALL_READS_ADVISE |
                               CALL_READS_EXPLAIN | CALL_READS_CHECKPOINTS;

static bool is_public(const struct option_call *call) {
    return strncmp(call->name, "anax_", 5) == 0;
}

/* ---- the table of the header ---- */

static void the_header_shows_what_calls_read(void **state) {
    (void)state;
    char *text = public_functions_read(ANAX_SOURCE_DIR "/include/anax/options.h");
    assert_non_null(text);
    const char *place = strstr(text, " *     anax_");
    for (size_t i = 0; i < option_call_count; i++) {
        const struct option_call *call = &option_calls[i];
        char line[128], cells[2 * COLUMNS + 1];
        if (!is_public(call)) continue;
        for (size_t c = 0; c < COLUMNS; c++) {
            cells[2 * c] = '.';
            if (call->run != NULL && (columns[c].set & missed) != 0) cells[2 * c] = '!';
            if ((call->reads & columns[c].set) != 0) cells[2 * c] = columns[c].letter;
            cells[2 * c + 1] = c + 1 < COLUMNS ? ' ' : '\0';
        }
        const int length = snprintf(line, sizeof line, " *     %-36s%s\n", call->name, cells);
        if (place == NULL || strncmp(place, line, (size_t)length) != 0)
            fail_msg("the next row of the table of anax_options should be\n%sand is\n%.80s", line,
                     place != NULL ? place : "");
        place += length;
    }
    assert_null(strstr(place, " *     anax_")); /* no row is left */
    free(text);
}

/* ---- the comments of the functions ---- */

/* Checks a list such as "threads, progress; may be NULL" against the row of the function. */
static void check_list(const struct option_call *call, const char *list) {
    unsigned reads = 0;
    for (const char *word = list; word != NULL && isalpha((unsigned char)*word);) {
        size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz_"), c = 0;
        while (c < COLUMNS && (strlen(columns[c].member) != length ||
                               strncmp(columns[c].member, word, length) != 0))
            c++;
        if (c == COLUMNS) fail_msg("%s: no member is called %.*s", call->name, (int)length, word);
        reads |= columns[c].set;
        word = strncmp(word + length, ", ", 2) == 0 ? word + length + 2 : NULL;
    }
    if (reads != call->reads)
        fail_msg("the comment of %s lists other options than it reads", call->name);
}

static void comments_list_what_calls_read(void **state) {
    (void)state;
    struct public_function functions[PUBLIC_FUNCTIONS_MAX];
    const size_t count = public_functions_load(functions);
    size_t takers = 0, rows = 0;
    for (size_t i = 0; i < count; i++) {
        const struct public_function *function = &functions[i];
        if (strstr(function->declaration, "const anax_options *options") == NULL) continue;
        const struct option_call *call = option_call_find(function->name);
        if (call == NULL) fail_msg("%s takes options and has no row", function->name);
        const char *list = strstr(function->comment, "options: ");
        if (list != NULL && strncmp(list, "options: see ", 13) != 0) check_list(call, list + 9);
        takers++;
    }
    for (size_t i = 0; i < option_call_count; i++)
        rows += is_public(&option_calls[i]);
    assert_int_equal(takers, rows);
    public_functions_free(functions, count);
}

/* ---- what the calls do ---- */

/* A world with an object of each kind that a call with options takes. */
struct objects {
    struct api_world *world;
    anax_jobs *jobs;
    anax_replay_result *replay;
    anax_placement *placement;
    anax_bisection *bisection;
    char program[SCRATCH_FOLDER_BYTES + 16]; /* the trace */
    char output[SCRATCH_FOLDER_BYTES + 16];  /* a file that does not exist at first */
};

static int setup(void **state) {
    struct objects *objects = calloc(1, sizeof *objects);
    anax_options options = ANAX_OPTIONS_INIT;
    if (objects == NULL || api_world_new((void **)&objects->world, "ping-pong", "2", "1") != 0)
        return -1;
    struct api_world *world = objects->world;
    snprintf(objects->program, sizeof objects->program, "%s/a.anax", world->folder);
    snprintf(objects->output, sizeof objects->output, "%s/output", world->folder);
    options.timeline = true;
    const anax_place_plan place_plan = {sizeof place_plan, world->config, world->trace, NULL};
    const anax_bisection_plan bisection_plan = {sizeof bisection_plan, world->config, 0};
    *state = objects;
    return anax_config_set(world->config, "traffic.measure", "1us", NULL) == ANAX_OK &&
                   anax_trace_write_program(world->trace, objects->program, NULL, NULL) ==
                       ANAX_OK &&
                   anax_jobs_new(&objects->jobs, NULL) == ANAX_OK &&
                   anax_jobs_add(objects->jobs, objects->program, world->config, NULL, NULL) ==
                       ANAX_OK &&
                   anax_replay(&objects->replay, world->config, world->trace, &options, NULL) ==
                       ANAX_OK &&
                   anax_place(&objects->placement, &place_plan, NULL, NULL) == ANAX_OK &&
                   anax_bisection_new(&objects->bisection, &bisection_plan, NULL, NULL) == ANAX_OK
               ? 0
               : -1;
}

static int teardown(void **state) {
    struct objects *objects = *state;
    anax_bisection_free(objects->bisection);
    anax_placement_free(objects->placement);
    anax_replay_result_free(objects->replay);
    anax_jobs_free(objects->jobs);
    int failed = api_world_free((void **)&objects->world);
    free(objects);
    return failed;
}

/* Makes a call with as little work as it can have, and frees what it makes. Calls with plans get
 * plans without machines, and refuse them after they have looked at the options. */
static anax_code make_call(const char *name, struct objects *objects, const anax_options *options,
                           anax_error *error) {
    const anax_config *config = objects->world->config;
    const anax_trace *trace = objects->world->trace;
    const char *output = objects->output;
    const anax_compare_plan compare = ANAX_COMPARE_PLAN_INIT;
    const anax_search_plan search_plan = ANAX_SEARCH_PLAN_INIT;
    const anax_traffic_plan traffic_plan = ANAX_TRAFFIC_PLAN_INIT;
    const anax_place_plan place_plan = {sizeof place_plan, config, trace, NULL};
    const anax_bisection_plan bisection_plan = {sizeof bisection_plan, config, 0};
    const anax_calibrate_plan calibrate_plan = {sizeof calibrate_plan, config, NULL, 0};
    const anax_extrapolate_plan extrapolate_plan = {sizeof extrapolate_plan, config, NULL, 0};
    const anax_bisection *const bisections[] = {objects->bisection};
    anax_sweep_part part = ANAX_SWEEP_PART_INIT;
    anax_trace *opened = NULL;
    anax_jobs *jobs = NULL;
    anax_replay_result *replay = NULL;
    anax_traffic_result *traffic = NULL;
    anax_comparison *comparison = NULL;
    anax_search *search = NULL;
    anax_placement *placement = NULL;
    anax_bisection *bisection = NULL;
    anax_calibration *calibration = NULL;
    anax_extrapolation *extrapolation = NULL;
    anax_code code = ANAX_OK;
    assert_int_equal(anax_jobs_new(&jobs, NULL), ANAX_OK);
#define CALL(function, ...)                                                                        \
    if (strcmp(name, #function) == 0) code = function(__VA_ARGS__, options, error)
    CALL(anax_trace_open, &opened, objects->program, config);
    CALL(anax_trace_write_program, trace, output);
    CALL(anax_trace_export_file, trace, config, "goal", output);
    CALL(anax_jobs_add, jobs, objects->program, config);
    CALL(anax_jobs_load, jobs, "/nowhere/jobs.yaml", config);
    CALL(anax_replay, &replay, config, trace);
    CALL(anax_jobs_replay, &replay, config, objects->jobs);
    CALL(anax_replay_result_write_perfetto, objects->replay, output, 0, 0);
    CALL(anax_traffic, &traffic, config, "0.1");
    CALL(anax_traffic_curves, &traffic, config, "minimal", "0.1");
    CALL(anax_traffic_sweep, &traffic, &traffic_plan);
    CALL(anax_traffic_part, &part, &traffic_plan);
    CALL(anax_compare, &comparison, &compare);
    CALL(anax_compare_part, &part, &compare);
    CALL(anax_search_run, &search, &search_plan);
    CALL(anax_search_part, &part, &search_plan);
    CALL(anax_place, &placement, &place_plan);
    CALL(anax_placement_write_rank_file, objects->placement, output);
    CALL(anax_bisection_new, &bisection, &bisection_plan);
    CALL(anax_bisection_write_curves, bisections, 1, output);
    CALL(anax_calibrate, &calibration, &calibrate_plan);
    CALL(anax_extrapolate, &extrapolation, &extrapolate_plan);
    CALL(anax_text_write, "text", output);
    CALL(anax_file_check, output);
#undef CALL
    anax_extrapolation_free(extrapolation);
    anax_calibration_free(calibration);
    anax_bisection_free(bisection);
    anax_placement_free(placement);
    anax_search_free(search);
    anax_comparison_free(comparison);
    anax_traffic_result_free(traffic);
    anax_replay_result_free(replay);
    anax_jobs_free(jobs);
    anax_trace_free(opened);
    return code;
}

/* Sets one member in every call, and checks who refuses it. */
static void set_in_every_call(struct objects *objects, const anax_options *options, unsigned set,
                              const char *member) {
    char text[64];
    snprintf(text, sizeof text, "anax_options.%s", member);
    for (size_t i = 0; i < option_call_count; i++) {
        const struct option_call *call = &option_calls[i];
        anax_error error = ANAX_ERROR_INIT;
        if (!is_public(call) || (set == CALL_READS_PROCESSES && (call->reads & set) != 0)) continue;
        const anax_code code = make_call(call->name, objects, options, &error);
        const bool refuses = code == ANAX_ERROR_USAGE && strstr(error.text, text) != NULL;
        const bool expected = call->run != NULL && (set & missed) != 0 && (call->reads & set) == 0;
        if (refuses != expected)
            fail_msg("%s %s %s: %s", call->name, refuses ? "refuses" : "does not refuse", text,
                     error.text != NULL ? error.text : "success");
        anax_error_clear(&error);
        remove(objects->output);
    }
}

static bool go_on(void *context, const anax_progress *progress) {
    (void)context, (void)progress;
    return true;
}

static anax_checkpoint_wish no_wish(void *context) {
    (void)context;
    return ANAX_CHECKPOINT_NONE;
}

static void runs_refuse_what_they_would_miss(void **state) {
    struct objects *objects = *state;
    int any;
    const anax_options none = ANAX_OPTIONS_INIT;
#define SET(set, member, value)                                                                    \
    do {                                                                                           \
        anax_options options = none;                                                               \
        options.member = (value);                                                                  \
        set_in_every_call(objects, &options, set, #member);                                        \
    } while (0)
    SET(CALL_READS_THREADS, threads, 1);
    SET(CALL_READS_POINTS_AT_ONCE, points_at_once, 1);
    SET(CALL_READS_PROGRESS, progress, go_on);
    SET(CALL_READS_PROCESSES, processes, (void *)&any); /* is not looked at */
    SET(CALL_READS_REPLACE, replace, true);
    SET(CALL_READS_ASCII_ONLY, ascii_only, true);
    SET(CALL_READS_TIMELINE, timeline, true);
    SET(CALL_READS_ADVISE, advise, true);
    SET(CALL_READS_EXPLAIN, explain, true);
    SET(0, path_steps, 1);
    SET(CALL_READS_CHECKPOINTS, checkpoint_folder, "/nowhere/folder");
    SET(CALL_READS_CHECKPOINTS, resume_folder, "/nowhere/folder");
    SET(0, checkpoint_every_s, 1);
    SET(0, checkpoint_wish, no_wish);
#undef SET
}

/* A call that hands its options on to another one reads what that one reads. */
static void calls_of_calls_read_the_same(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"anax_jobs_add", "anax_trace_open"},          {"anax_jobs_load", "anax_trace_open"},
        {"anax_replay", "anax_jobs_replay"},           {"anax_traffic", "anax_traffic_sweep"},
        {"anax_traffic_curves", "anax_traffic_sweep"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_int_equal(option_call_find(pairs[i][0])->reads,
                         option_call_find(pairs[i][1])->reads);
}

/* Calls that write a file refuse one that exists, and replace it if they are told to. */
static void files_are_replaced_where_the_call_reads_that(void **state) {
    struct objects *objects = *state;
    size_t writers = 0;
    for (size_t i = 0; i < option_call_count; i++) {
        const char *name = option_calls[i].name;
        anax_options options = ANAX_OPTIONS_INIT;
        anax_error error = ANAX_ERROR_INIT;
        if ((option_calls[i].reads & CALL_READS_REPLACE) == 0) continue;
        assert_int_equal(anax_text_write("", objects->output, NULL, NULL), ANAX_OK);
        if (make_call(name, objects, &options, &error) != ANAX_ERROR_EXISTS)
            fail_msg("%s does not say that its output exists", name);
        assert_non_null(strstr(error.text, "exists already"));
        options.replace = true;
        if (make_call(name, objects, &options, NULL) != ANAX_OK)
            fail_msg("%s does not replace its output", name);
        anax_error_clear(&error);
        remove(objects->output);
        writers++;
    }
    assert_int_equal(writers, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_shows_what_calls_read),
        cmocka_unit_test(comments_list_what_calls_read),
        cmocka_unit_test(calls_of_calls_read_the_same),
        cmocka_unit_test_setup_teardown(runs_refuse_what_they_would_miss, setup, teardown),
        cmocka_unit_test_setup_teardown(files_are_replaced_where_the_call_reads_that, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
