/* Comparisons through the public interface: figures, failing points, kept points, stopping. */
#include <anax/anax.h>

#include "api/compare/comparison.h"
#include "tests/support/api/api_world.h"
#include "tests/support/api/table_world.h"
#include "tests/support/replay/stalling_program.h"

#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state) {
    return api_world_new(state, "alltoall", "24", "1");
}

static const char *const factors[] = {"network.routing=minimal,par",
                                      "placement.policy=random,block"};

static anax_compare_plan plan_of(const struct api_world *world) {
    return (anax_compare_plan){
        .size = sizeof(anax_compare_plan),
        .machines = (const anax_config *const *)&world->config,
        .machine_count = 1,
        .factors = factors,
        .factor_count = 2,
        .traces = (const anax_trace *const *)&world->trace,
        .trace_count = 1,
        .seeds = 3,
    };
}

static char *json_of(const anax_compare_plan *plan, unsigned jobs, size_t *found) {
    anax_comparison *comparison = NULL;
    anax_error error = ANAX_ERROR_INIT;
    anax_options options = ANAX_OPTIONS_INIT;
    options.threads = jobs;
    options.points_at_once = jobs;
    assert_int_equal(anax_compare(&comparison, plan, &options, &error), ANAX_OK);
    assert_int_equal(anax_comparison_point_count(found, NULL, comparison), 12);
    char *json = anax_comparison_json(comparison);
    assert_non_null(json);
    anax_comparison_free(comparison);
    return json;
}

static void samples_have_means_and_intervals(void **state) {
    (void)state;
    /* mean 3, variance 2.5, t(4) = 2.776: 2.776 * sqrt(2.5 / 5) = 1.963; in units of 1000 */
    const int64_t values[] = {1000, 2000, 3000, 4000, 5000};
    struct compare_sample sample = compare_sample_of(values, 5);
    assert_int_equal(sample.mean, 3000);
    assert_int_equal(sample.half_width, 1963);
    assert_int_equal(sample.min, 1000);
    assert_int_equal(sample.max, 5000);
    assert_true(sample.p > 0.0132 && sample.p < 0.0133); /* t = 4.243 */
    const int64_t same[] = {-7, -7, -7};
    sample = compare_sample_of(same, 3);
    assert_int_equal(sample.mean, -7);
    assert_int_equal(sample.half_width, 0);
    assert_true(sample.p == 0);
    const int64_t nothing[] = {0, 0};
    assert_true(compare_sample_of(nothing, 2).p == 1);
    assert_int_equal(compare_sample_of(values, 1).half_width, -1);
    assert_true(compare_sample_of(values, 1).p == -1);
    assert_int_equal(compare_sample_of(values, 0).count, 0);
    const int64_t halves[] = {-1, -2};
    assert_int_equal(compare_sample_of(halves, 2).mean, -2);
}

/* Judges two candidates with one seed each, and says whether the second one differs by less than
 * 0.5 % of the first one's time. */
static bool is_negligible(int64_t baseline_ps, int64_t other_ps) {
    struct compare_point points[] = {{.finished = true, .time_ps = baseline_ps},
                                     {.finished = true, .time_ps = other_ps}};
    anax_comparison comparison = {.set = {.candidate_count = 2},
                                  .trace_count = 1,
                                  .seed_count = 1,
                                  .points = points,
                                  .negligible_millionths = 5000};
    struct status status = STATUS_INIT;
    assert_int_equal(comparison_judge(&comparison, &status), STATUS_OK);
    const bool negligible = comparison.candidates[1].negligible;
    assert_false(comparison.candidates[0].negligible); /* the baseline itself */
    assert_int_equal(comparison.candidates[1].difference.mean, other_ps - baseline_ps);
    assert_int_equal(comparison.winners[0].winner, other_ps < baseline_ps);
    free(comparison.candidates);
    free(comparison.winners);
    return negligible;
}

static void a_difference_below_its_share_is_negligible(void **state) {
    (void)state;
    assert_true(is_negligible(1000, 1004));
    assert_false(is_negligible(1000, 1005)); /* 0.5 % */
    assert_true(is_negligible(1000, 996));
    assert_false(is_negligible(1000, 995));
    assert_true(is_negligible(1000, 1000));
    assert_false(is_negligible(0, 0));
}

/* A candidate is exact if all its points have finished and none depends on the seed. */
static void candidates_with_a_point_that_failed_are_not_exact(void **state) {
    (void)state;
    struct compare_point points[2] = {{.finished = true, .exact = true},
                                      {.finished = true, .exact = true}};
    const anax_comparison comparison = {
        .set = {.candidate_count = 1}, .trace_count = 1, .seed_count = 2, .points = points};
    assert_true(comparison_is_exact(&comparison, 0, 0));
    points[1].finished = false;
    assert_false(comparison_is_exact(&comparison, 0, 0));
    points[1] = (struct compare_point){.finished = true, .exact = false};
    assert_false(comparison_is_exact(&comparison, 0, 0));
}

/* A point is the replay that a caller would run; the figures follow from the points. */
static void points_are_replays(void **state) {
    struct api_world *world = *state;
    const anax_compare_plan plan = plan_of(world);
    anax_comparison *comparison = NULL;
    assert_int_equal(anax_compare(&comparison, &plan, NULL, NULL), ANAX_OK);
    anax_config_set(world->config, "network.routing", "par", NULL);
    anax_config_set(world->config, "placement.policy", "random", NULL);
    for (uint32_t seed = 0; seed < 3; seed++) {
        char text[8];
        snprintf(text, sizeof text, "%u", seed + 1);
        anax_config_set(world->config, "seed", text, NULL);
        anax_replay_result *result = NULL;
        assert_int_equal(anax_replay(&result, world->config, world->trace, NULL, NULL), ANAX_OK);
        const struct compare_point *point =
            &comparison->points[comparison_point(comparison, 0, 2, seed)];
        assert_int_equal(point->time_ps, time_of(result));
        uint64_t digest;
        assert_int_equal(anax_replay_result_digest(&digest, result, NULL), ANAX_OK);
        assert_int_equal(point->digest, digest);
        anax_replay_result_free(result);
    }
    size_t *order = NULL;
    int64_t before = 0;
    assert_int_equal(comparison_sort_candidates(comparison, 0, &order, NULL), STATUS_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_true(comparison->candidates[order[i]].time.mean >= before);
        before = comparison->candidates[order[i]].time.mean;
    }
    assert_string_equal(candidate_set_value(&comparison->set, 2, 1), "par");
    assert_string_equal(candidate_set_value(&comparison->set, 2, 2), "random");
    assert_int_equal(comparison->candidates[0].difference.count, 0);
    assert_int_equal(comparison->candidates[2].difference.count, 3);
    free(order);
    anax_comparison_free(comparison);
}

static void kept_points_are_found_and_equal(void **state) {
    struct api_world *world = *state;
    anax_compare_plan plan = plan_of(world);
    size_t found = 0;
    char *fresh = json_of(&plan, 1, &found);
    assert_int_equal(found, 0);
    plan.points_folder = world->points;
    char *kept = json_of(&plan, 3, &found);
    assert_int_equal(found, 0);
    assert_string_equal(kept, fresh);
    char *again = json_of(&plan, 1, &found);
    assert_int_equal(found, 12);
    assert_string_equal(again, fresh);
    /* damaged files count as absent */
    char command[256];
    snprintf(command, sizeof command,
             "set -- %s/*.json; echo '{' >$1; "
             "echo '{\"schema\":\"anax.point/1\",\"time_ps\":5,\"digest\":\"x\"}' >$2",
             world->points);
    assert_int_equal(system(command), 0);
    char *repaired = json_of(&plan, 1, &found);
    /* a first point without influence of the seed is followed by its copies for other seeds */
    assert_in_range(found, 6, 10);
    assert_string_equal(repaired, fresh);
    anax_text_free(fresh);
    anax_text_free(kept);
    anax_text_free(again);
    anax_text_free(repaired);
    /* other settings, other points */
    anax_config_set(world->config, "mpi.eager_threshold", "1KiB", NULL);
    anax_text_free(json_of(&plan, 1, &found));
    assert_int_equal(found, 0);
}

static void parts_that_do_not_exist_are_refused(void **state) {
    struct api_world *world = *state;
    anax_compare_plan plan = plan_of(world);
    plan.points_folder = world->points;
    static const uint32_t wrong[][2] = {{0, 0}, {0, 2}, {3, 2}, {1, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        anax_sweep_part part = ANAX_SWEEP_PART_INIT;
        part.part = wrong[i][0];
        part.parts = wrong[i][1];
        assert_int_equal(anax_compare_part(&part, &plan, NULL, NULL), ANAX_ERROR_USAGE);
        assert_int_equal(part.all_points, 0);
    }
}

static void failing_points_are_told_and_not_averaged(void **state) {
    struct api_world *world = *state;
    char path[64];
    snprintf(path, sizeof path, "%s/stall.anax", world->folder);
    write_stalling_program(path);
    anax_trace *trace = NULL;
    assert_int_equal(anax_trace_open(&trace, path, world->config, NULL, NULL), ANAX_OK);
    static const char *const thresholds[] = {"mpi.eager_threshold=4KiB,2MiB,0"};
    anax_compare_plan plan = plan_of(world);
    plan.traces = (const anax_trace *const *)&trace;
    plan.factors = thresholds;
    plan.factor_count = 1;
    plan.points_folder = world->points;
    for (size_t expected = 0; expected <= 9; expected += 9) { /* failures are kept as well */
        anax_comparison *comparison = NULL;
        anax_error error = ANAX_ERROR_INIT;
        size_t found = 0;
        assert_int_equal(anax_compare(&comparison, &plan, NULL, &error), ANAX_ERROR_RUN);
        assert_non_null(comparison);
        assert_non_null(strstr(error.text, "6 of 9 points have no time"));
        anax_comparison_point_count(&found, NULL, comparison);
        assert_int_equal(found, expected);
        assert_int_equal(comparison->candidates[0].rank, 0);
        assert_int_equal(comparison->candidates[0].time.count, 0);
        assert_int_equal(comparison->candidates[1].rank, 1);
        assert_int_equal(comparison->candidates[1].time.count, 3);
        assert_int_equal(comparison->candidates[1].difference.count, 0);
        assert_int_equal(comparison->candidates[2].rank, 0);
        char *text = anax_comparison_text(comparison);
        assert_non_null(strstr(text, "3 of 3 seeds have no time"));
        anax_text_free(text);
        anax_error_clear(&error);
        anax_comparison_free(comparison);
    }
    anax_trace_free(trace);
}

static bool stop_after_some(void *context, const anax_progress *progress) {
    int *left = context;
    assert_non_null(strstr(progress->phase, "of 12 points"));
    return --*left > 0;
}

static void stopping_keeps_what_was_finished(void **state) {
    struct api_world *world = *state;
    anax_compare_plan plan = plan_of(world);
    plan.points_folder = world->points;
    int left = 8;
    anax_options options = ANAX_OPTIONS_INIT;
    options.threads = 1;
    options.progress = stop_after_some;
    options.progress_context = &left;
    anax_comparison *comparison = NULL;
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_compare(&comparison, &plan, &options, &error), ANAX_ERROR_STOPPED);
    assert_null(comparison);
    assert_non_null(strstr(error.text, "stopped after "));
    assert_non_null(strstr(error.text, world->points));
    int done = atoi(strstr(error.text, "after ") + strlen("after "));
    anax_error_clear(&error);
    size_t found = 99;
    anax_text_free(json_of(&plan, 1, &found));
    /* and the copies, for other seeds, of first points on which seeds have no influence */
    assert_in_range(found, done, 3 * done);
}

static void expect_refusal(const struct api_world *world, const char *factor, const char *hint) {
    const char *list[] = {"network.routing=minimal", factor};
    anax_compare_plan plan = plan_of(world);
    plan.factors = list;
    anax_comparison *comparison = NULL;
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_compare(&comparison, &plan, NULL, &error), ANAX_ERROR_USAGE);
    assert_null(comparison);
    if (strstr(error.text, hint) == NULL) fail_msg("`%s` is not in `%s`", hint, error.text);
    anax_error_clear(&error);
}

static void wrong_plans_are_refused(void **state) {
    const struct api_world *world = *state;
    expect_refusal(world, "network.routing=par", "varies twice");
    expect_refusal(world, "seed=1,2", "plan.seeds");
    expect_refusal(world, "machine=kim-72", "plan.machines");
    expect_refusal(world, "trace.from=a,b", "no effect on the replay");
    expect_refusal(world, "generate.ranks=8,9", "no effect on the replay");
    expect_refusal(world, "network.global.latncy=1us", "did you mean `network.global.latency`?");
    expect_refusal(world, "network.global.latency", "NAME=VALUE");
    expect_refusal(world, "network.global.latency=1us,", "empty");
    expect_refusal(world, "network.global.latency=1us,1us", "given twice");
    expect_refusal(world, "network.global.latency=1us,fast", "network.global.latency");
    anax_compare_plan plan = plan_of(world);
    plan.seeds = 0;
    anax_comparison *comparison = NULL;
    assert_int_equal(anax_compare(&comparison, &plan, NULL, NULL), ANAX_ERROR_USAGE);
    plan = plan_of(world);
    plan.points_folder = "/dev/null/points";
    assert_int_equal(anax_compare(&comparison, &plan, NULL, NULL), ANAX_ERROR_USAGE);
}

/* Runs a comparison of placements with files, of which some points may have no time, and returns
 * its points. */
static anax_table *points_of_placements(const struct api_world *world, const char *placements,
                                        const char *files, anax_code expected) {
    anax_comparison *comparison = NULL;
    anax_table *points = NULL;
    anax_error error = ANAX_ERROR_INIT;
    anax_compare_plan plan = plan_of(world);
    const char *const chosen[] = {placements, files};
    plan.factors = chosen;
    plan.seeds = 1;
    assert_int_equal(anax_compare(&comparison, &plan, NULL, &error), expected);
    anax_error_clear(&error);
    assert_int_equal(anax_comparison_table(&points, comparison, "points", NULL), ANAX_OK);
    anax_comparison_free(comparison);
    return points;
}

/* A placement.file is that of the placements that read one. Others are compared without it, unless
 * no placement reads it, or it varies itself, so that candidates would be the same. */
static void placements_that_read_no_file_leave_it_out(void **state) {
    struct api_world *world = *state;
    char path[SCRATCH_FOLDER_BYTES + 16], file[SCRATCH_FOLDER_BYTES + 40], both[256], ranks[512];
    int length = 0;
    for (int rank = 0; rank < 24; rank++)
        length += snprintf(ranks + length, sizeof ranks - (size_t)length, "%d %d\n", rank, rank);
    snprintf(path, sizeof path, "%s/ranks", world->folder);
    snprintf(file, sizeof file, "placement.file=%s", path);
    snprintf(both, sizeof both, "%s,%s2", file, path);
    assert_int_equal(anax_text_write(ranks, path, NULL, NULL), ANAX_OK);

    anax_table *points =
        points_of_placements(world, "placement.policy=block,random,rankfile", file, ANAX_OK);
    assert_int_equal(anax_table_row_count(points), 3);
    for (size_t row = 0; row < 3; row++)
        assert_null(text_of(points, row, "failure"));
    assert_string_equal(text_of(points, 2, "placement.policy"), "rankfile");
    assert_int_equal(integer_of(points, 2, "time_ps"), integer_of(points, 0, "time_ps"));
    assert_int_not_equal(integer_of(points, 1, "time_ps"), integer_of(points, 0, "time_ps"));
    anax_table_free(points);

    points = points_of_placements(world, "placement.policy=block,random", file, ANAX_ERROR_RUN);
    for (size_t row = 0; row < 2; row++)
        assert_non_null(strstr(text_of(points, row, "failure"), "reads no file"));
    anax_table_free(points);

    points = points_of_placements(world, "placement.policy=block,rankfile", both, ANAX_ERROR_RUN);
    assert_int_equal(anax_table_row_count(points), 4);
    for (size_t row = 0; row < 2; row++)
        assert_non_null(strstr(text_of(points, row, "failure"), "block reads no file"));
    assert_null(text_of(points, 2, "failure"));
    anax_table_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(placements_that_read_no_file_leave_it_out, setup,
                                        api_world_free),
        cmocka_unit_test(samples_have_means_and_intervals),
        cmocka_unit_test(a_difference_below_its_share_is_negligible),
        cmocka_unit_test(candidates_with_a_point_that_failed_are_not_exact),
        cmocka_unit_test_setup_teardown(points_are_replays, setup, api_world_free),
        cmocka_unit_test_setup_teardown(kept_points_are_found_and_equal, setup, api_world_free),
        cmocka_unit_test_setup_teardown(failing_points_are_told_and_not_averaged, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(parts_that_do_not_exist_are_refused, setup, api_world_free),
        cmocka_unit_test_setup_teardown(stopping_keeps_what_was_finished, setup, api_world_free),
        cmocka_unit_test_setup_teardown(wrong_plans_are_refused, setup, api_world_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
