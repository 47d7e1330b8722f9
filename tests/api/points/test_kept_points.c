/* Points kept in a folder: what is stored is found again, and nothing else is taken for it. */
#include "api/api.h"
#include "api/compare/kept_points.h"

#include "tests/support/api/api_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct kept_key key = {{UINT64_C(0x123456789ABCDEF0), 7}}, other_key = {{1, 7}};
static const struct compare_point finished = {
    .finished = true, .time_ps = 123456789, .digest = UINT64_C(0xFEDCBA9876543210)};

static int setup(void **state) {
    if (api_world_new(state, "ping-pong", "2", "1") != 0) return -1;
    const struct api_world *world = *state;
    return kept_create_folder(world->points, NULL) == STATUS_OK ? 0 : -1;
}

static void path_in(const struct api_world *world, const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/%s", world->points, name);
}

static void store(const struct compare_point *point, const struct api_world *world,
                  const char *label) {
    struct status status = STATUS_INIT;
    assert_int_equal(kept_store(point, world->points, &key, label, &status), STATUS_OK);
}

static void stored_points_are_found(void **state) {
    const struct api_world *world = *state;
    struct compare_point point = {0};
    assert_int_equal(kept_find(&point, world->points, &key), KEPT_ABSENT);
    store(&finished, world, "a \"label\"");
    assert_int_equal(kept_find(&point, world->points, &key), KEPT_FOUND);
    assert_true(point.finished && point.was_kept && point.failure == NULL);
    assert_int_equal(point.time_ps, finished.time_ps);
    assert_int_equal(point.digest, finished.digest);
    assert_int_equal(kept_find(&point, world->points, &other_key), KEPT_ABSENT);

    char why[] = "rank 3 waits for rank 4\n\xe2\x80\xa6";
    const struct compare_point failed = {.failure = why};
    struct compare_point found = {0};
    store(&failed, world, "");
    assert_int_equal(kept_find(&found, world->points, &key), KEPT_FOUND);
    assert_false(found.finished);
    assert_string_equal(found.failure, why);
    free(found.failure);
}

/* One byte changed, anywhere; bytes missing or added; the right file under another name. */
static void what_is_not_as_it_was_written_is_damaged(void **state) {
    const struct api_world *world = *state;
    struct compare_point point = {0};
    char path[128], other[128], text[4096];
    path_in(world, "123456789abcdef00000000000000007.json", path, sizeof path);
    path_in(world, "00000000000000010000000000000007.json", other, sizeof other);
    store(&finished, world, "label");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_true(length > 100 && length < sizeof text);
    for (size_t i = 0; i <= length; i++) {
        file = fopen(path, "w");
        fwrite(text, 1, i, file); /* cut */
        if (i < length) fputc(text[i] ^ 1, file);
        if (i < length) fwrite(text + i + 1, 1, length - i - 1, file);
        if (i == length) fputc(' ', file);
        fclose(file);
        assert_int_equal(kept_find(&point, world->points, &key), KEPT_DAMAGED);
        assert_int_equal(truncate(path, (off_t)i), 0);
        assert_int_equal(kept_find(&point, world->points, &key),
                         i < length ? KEPT_DAMAGED : KEPT_FOUND);
    }
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(kept_find(&point, world->points, &other_key), KEPT_DAMAGED);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(kept_find(&point, world->points, &key), KEPT_DAMAGED);
}

/* A file that is as it was written, but says what no point can be. */
static void a_point_that_is_not_found_is_left_alone(void **state) {
    const struct api_world *world = *state;
    const struct compare_point impossible = {.finished = true, .time_ps = -1};
    struct compare_point point = {.time_ps = 5};
    store(&impossible, world, "");
    assert_int_equal(kept_find(&point, world->points, &key), KEPT_DAMAGED);
    assert_false(point.was_kept);
    assert_int_equal(point.time_ps, 5);
}

static void keys_follow_from_all_that_a_point_depends_on(void **state) {
    struct api_world *world = *state;
    struct kept_key first, again, changed;
    assert_int_equal(kept_key_of(&first, world->config, world->trace, NULL), STATUS_OK);
    assert_int_equal(kept_key_of(&again, world->config, world->trace, NULL), STATUS_OK);
    assert_memory_equal(&first, &again, sizeof first);
    anax_config_set(world->config, "seed", "2", NULL);
    assert_int_equal(kept_key_of(&changed, world->config, world->trace, NULL), STATUS_OK);
    assert_memory_not_equal(&first, &changed, sizeof first);
    anax_config_set(world->config, "seed", "1", NULL);
    /* a file: what is in it */
    char path[64];
    snprintf(path, sizeof path, "%s/ranks", world->folder);
    anax_config_set(world->config, "placement.file", path, NULL);
    assert_int_equal(kept_key_of(&first, world->config, world->trace, NULL), STATUS_OK);
    assert_int_equal(anax_text_write("0 1\n1 2\n", path, NULL, NULL), ANAX_OK);
    assert_int_equal(kept_key_of(&again, world->config, world->trace, NULL), STATUS_OK);
    assert_memory_not_equal(&first, &again, sizeof first);
    anax_options replace = ANAX_OPTIONS_INIT;
    replace.replace = true;
    assert_int_equal(anax_text_write("0 1\n1 3\n", path, &replace, NULL), ANAX_OK);
    assert_int_equal(kept_key_of(&changed, world->config, world->trace, NULL), STATUS_OK);
    assert_memory_not_equal(&again, &changed, sizeof again);
    /* the trace */
    anax_trace *trace = NULL;
    anax_config_set(world->config, "generate.iterations", "2", NULL);
    assert_int_equal(anax_trace_generate(&trace, "ping-pong", world->config, NULL), ANAX_OK);
    struct anax_config *plain = NULL;
    assert_int_equal(anax_config_new(&plain, NULL), ANAX_OK);
    assert_int_equal(kept_key_of(&first, plain, world->trace, NULL), STATUS_OK);
    assert_int_equal(kept_key_of(&changed, plain, trace, NULL), STATUS_OK);
    assert_memory_not_equal(&first, &changed, sizeof first);
    anax_config_free(plain);
    anax_trace_free(trace);
}

static void put(const struct api_world *world, const char *name) {
    char path[160];
    path_in(world, name, path, sizeof path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

static bool is_there(const struct api_world *world, const char *name) {
    char path[160];
    path_in(world, name, path, sizeof path);
    return access(path, F_OK) == 0;
}

/* No process has this number: it is above the highest that Linux gives, 2^22. */
#define HASH "0123456789abcdef0123456789abcdef"
#define DEAD HASH ".json.part-99999999-0"

static void only_unfinished_points_of_the_dead_are_swept(void **state) {
    const struct api_world *world = *state;
    char own[80];
    snprintf(own, sizeof own, HASH ".json.part-%ld-1", (long)getpid());
    const char *const kept[] = {HASH ".json", "notes.json.part-99999999-0",
                                "x" HASH ".json.part-99999999-0", HASH ".json.part-x"};
    for (size_t i = 0; i < 4; i++)
        put(world, kept[i]);
    put(world, DEAD);
    put(world, own);
    assert_int_equal(kept_create_folder(world->points, NULL), STATUS_OK);
    assert_false(is_there(world, DEAD));
    assert_true(is_there(world, own));
    put(world, DEAD);
    kept_abandon(world->points);
    assert_true(is_there(world, DEAD)); /* somebody else's */
    assert_false(is_there(world, own));
    for (size_t i = 0; i < 4; i++)
        assert_true(is_there(world, kept[i]));
    kept_abandon("/nowhere/points");
}

static void folders_are_made_or_refused(void **state) {
    const struct api_world *world = *state;
    struct status status = STATUS_INIT;
    char path[160];
    path_in(world, "a/b/c", path, sizeof path);
    assert_int_equal(kept_create_folder(path, NULL), STATUS_OK);
    assert_true(is_there(world, "a/b/c"));
    put(world, "file");
    path_in(world, "file", path, sizeof path);
    assert_int_equal(kept_create_folder(path, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "cannot keep points in this folder: Not a directory"));
    assert_int_equal(kept_store(&finished, path, &key, "", &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "a point cannot be kept"));
    status_clear(&status);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stored_points_are_found, setup, api_world_free),
        cmocka_unit_test_setup_teardown(what_is_not_as_it_was_written_is_damaged, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(a_point_that_is_not_found_is_left_alone, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(keys_follow_from_all_that_a_point_depends_on, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(only_unfinished_points_of_the_dead_are_swept, setup,
                                        api_world_free),
        cmocka_unit_test_setup_teardown(folders_are_made_or_refused, setup, api_world_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
