/* What anax_place takes of the options: what a search can use, and nothing that it would drop. */
#include <anax/anax.h>

#include "tests/support/api/api_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

static int new_world(void **state) {
    if (api_world_new(state, "random-pairs", "8", "2") != 0) return -1;
    const struct api_world *world = *state;
    return anax_config_set(world->config, "exchange.placements", "20", NULL) == ANAX_OK &&
                   anax_config_set(world->config, "exchange.replays", "4", NULL) == ANAX_OK
               ? 0
               : -1;
}

static void expect_refusal(const struct api_world *world, const anax_options *options,
                           const char *text) {
    anax_error error = ANAX_ERROR_INIT;
    const anax_place_plan plan = {sizeof plan, world->config, world->trace, NULL};
    anax_placement *placement = NULL;
    assert_int_equal(anax_place(&placement, &plan, options, &error), ANAX_ERROR_USAGE);
    assert_null(placement);
    assert_non_null(strstr(error.text, text));
    anax_error_clear(&error);
}

static void what_a_search_cannot_do_is_refused(void **state) {
    const struct api_world *world = *state;
    char folder[SCRATCH_FOLDER_BYTES + 16];
    snprintf(folder, sizeof folder, "%s/checkpoint", world->folder);
    anax_options options = ANAX_OPTIONS_INIT;
    options.checkpoint_folder = folder;
    expect_refusal(world, &options, "checkpoint");
    assert_int_not_equal(access(folder, F_OK), 0);
    options.checkpoint_folder = NULL;
    options.resume_folder = folder;
    expect_refusal(world, &options, "resume");
    options.resume_folder = NULL;
    int any;
    options.processes = (void *)&any; /* is not looked at */
    expect_refusal(world, &options, "processes");
}

/* A folder that no replay would use is refused, and not made. */
static void a_folder_without_replays_is_refused(void **state) {
    const struct api_world *world = *state;
    char folder[SCRATCH_FOLDER_BYTES + 16];
    snprintf(folder, sizeof folder, "%s/points", world->folder);
    anax_error error = ANAX_ERROR_INIT;
    const anax_place_plan plan = {sizeof plan, world->config, world->trace, folder};
    anax_placement *placement = NULL;
    api_set(world->config, "exchange.replays", "0");
    assert_int_equal(anax_place(&placement, &plan, NULL, &error), ANAX_ERROR_USAGE);
    assert_null(placement);
    assert_non_null(strstr(error.text, "plan.points_folder"));
    assert_int_not_equal(access(folder, F_OK), 0);
    anax_error_clear(&error);
    api_set(world->config, "exchange.replays", "4");
    assert_int_equal(anax_place(&placement, &plan, NULL, NULL), ANAX_OK);
    assert_int_equal(access(folder, F_OK), 0);
    anax_placement_free(placement);
}

static char *json_of(const struct api_world *world, const anax_options *options) {
    const anax_place_plan plan = {sizeof plan, world->config, world->trace, NULL};
    anax_placement *placement = NULL;
    assert_int_equal(anax_place(&placement, &plan, options, NULL), ANAX_OK);
    char *json = anax_placement_json(placement);
    assert_non_null(json);
    anax_placement_free(placement);
    return json;
}

static void other_members_change_nothing(void **state) {
    const struct api_world *world = *state;
    anax_options options = ANAX_OPTIONS_INIT;
    options.threads = 2;
    char *defaults = json_of(world, NULL);
    options.points_at_once = 3;
    options.replace = true;
    options.path_steps = ANAX_PATH_STEPS_ALL;
    char *same = json_of(world, &options);
    assert_string_equal(defaults, same);
    free(defaults);
    free(same);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_a_search_cannot_do_is_refused, new_world,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(a_folder_without_replays_is_refused, new_world,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(other_members_change_nothing, new_world, api_world_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
