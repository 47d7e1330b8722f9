/* Configurations through the public interface: precedence, errors, printing, lists. */
#include <anax/anax.h>

#include "api/command_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int setup(void **state) {
    anax_config *config = NULL;
    if (anax_config_new(&config, NULL) != ANAX_OK) return -1;
    *state = config;
    return 0;
}

static int teardown(void **state) {
    anax_config_free(*state);
    return 0;
}

static void assert_setting(const anax_config *config, const char *name, const char *expected) {
    char *text = NULL;
    assert_int_equal(anax_config_get(&text, config, name, NULL), ANAX_OK);
    assert_string_equal(text, expected);
    anax_text_free(text);
}

/* Writes a file of its own under a new name; the caller unlinks it. */
static void write_file(char path[64], const char *text) {
    strcpy(path, "/tmp/anax-test-XXXXXX.yaml");
    int descriptor = mkstemps(path, 5);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
    close(descriptor);
}

static void the_version_is_that_of_the_header(void **state) {
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", ANAX_VERSION_MAJOR, ANAX_VERSION_MINOR,
             ANAX_VERSION_PATCH);
    assert_string_equal(anax_version(), text);
    assert_int_equal(anax_version_number(), ANAX_VERSION_NUMBER);
    assert_int_equal(anax_version_number() / 1000 % 1000, ANAX_VERSION_MINOR);
}

static void values_are_read_back(void **state) {
    anax_config *config = *state;
    assert_int_equal(anax_config_set(config, "network.global.latency", "0.3us", NULL), ANAX_OK);
    assert_setting(config, "network.global.latency", "300ns");
    assert_int_equal(anax_config_set_pair(config, "seed=42", NULL), ANAX_OK);
    assert_setting(config, "seed", "42");
    char *none = "";
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_config_get(&none, config, "network.global.latancy", &error),
                     ANAX_ERROR_USAGE);
    assert_null(none);
    assert_non_null(strstr(error.text, "did you mean `network.global.latency`"));
    anax_error_clear(&error);
    assert_setting(config, "machine", "");
}

static void errors_name_what_is_wrong(void **state) {
    anax_config *config = *state;
    anax_error error = ANAX_ERROR_INIT;
    assert_int_equal(anax_config_set(config, "network.rooting", "minimal", &error),
                     ANAX_ERROR_USAGE);
    assert_int_equal(error.code, ANAX_ERROR_USAGE);
    assert_non_null(strstr(error.text, "network.routing"));
    assert_int_equal(anax_config_machine(config, "kim-1l", &error), ANAX_ERROR_USAGE);
    assert_non_null(strstr(error.text, "kim-1k"));
    assert_int_equal(anax_config_set_pair(config, "seed", &error), ANAX_ERROR_USAGE);
    assert_int_equal(anax_config_load(config, "/nowhere/file.yaml", &error), ANAX_ERROR_INPUT);
    assert_non_null(strstr(error.text, "/nowhere/file.yaml"));
    assert_int_equal(anax_code_exit_code(error.code), 2);
    anax_error_clear(&error);
    assert_null(error.text);
    assert_int_equal(error.code, ANAX_OK);
}

static void a_machine_leaves_nothing_of_another(void **state) {
    anax_config *config = *state;
    anax_config *fresh = NULL;
    assert_false(anax_config_has_machine(config));
    assert_int_equal(anax_config_machine(config, "garcia-5k-paper", NULL), ANAX_OK);
    assert_true(anax_config_has_machine(config));
    assert_int_equal(anax_config_machine(config, "kim-72", NULL), ANAX_OK);
    assert_int_equal(anax_config_new(&fresh, NULL), ANAX_OK);
    assert_int_equal(anax_config_machine(fresh, "kim-72", NULL), ANAX_OK);
    char *first = anax_config_yaml(config, ANAX_SCOPE_ALL);
    char *second = anax_config_yaml(fresh, ANAX_SCOPE_ALL);
    assert_string_equal(first, second);
    anax_text_free(first);
    anax_text_free(second);
    anax_config_free(fresh);
}

/* What was set otherwise stays, whenever that was; of another machine nothing is left. */
static void a_machine_may_say_which_mpi_goes_with_it(void **state) {
    anax_config *config = *state;
    anax_config *fresh = NULL;
    anax_error error = ANAX_ERROR_INIT;
    char path[64], other[64];
    write_file(path, "network: {groups: 2}\nmpi: {protocol: mpich-ch4-ofi, send_overhead: "
                     "300ns/1KiB:350ns, segment: 4KiB}\n");
    assert_int_equal(anax_config_set(config, "mpi.segment", "1KiB", NULL), ANAX_OK);
    assert_int_equal(anax_config_machine(config, path, NULL), ANAX_OK);
    assert_setting(config, "mpi.protocol", "mpich-ch4-ofi");
    assert_setting(config, "mpi.send_overhead", "300ns/1KiB:350ns");
    assert_setting(config, "mpi.segment", "1KiB");
    assert_int_equal(anax_config_set(config, "mpi.protocol", "openmpi", NULL), ANAX_OK);
    assert_int_equal(anax_config_machine(config, "kim-72", NULL), ANAX_OK);
    assert_setting(config, "mpi.protocol", "openmpi");
    assert_setting(config, "mpi.send_overhead", "250ns");
    assert_setting(config, "mpi.segment", "1KiB");
    /* A file that names the machine, and what is printed, give the same. */
    char text[200];
    snprintf(text, sizeof text, "mpi: {protocol: generic}\nmachine: %s\n", path);
    write_file(other, text);
    assert_int_equal(anax_config_new(&fresh, NULL), ANAX_OK);
    assert_int_equal(anax_config_load(fresh, other, NULL), ANAX_OK);
    assert_setting(fresh, "mpi.protocol", "generic");
    assert_setting(fresh, "mpi.segment", "4KiB");
    char *printed = anax_config_yaml(fresh, ANAX_SCOPE_ALL);
    unlink(other);
    write_file(other, printed);
    anax_config_free(fresh);
    assert_int_equal(anax_config_new(&fresh, NULL), ANAX_OK);
    assert_int_equal(anax_config_load(fresh, other, NULL), ANAX_OK);
    char *again = anax_config_yaml(fresh, ANAX_SCOPE_ALL);
    assert_string_equal(printed, again);
    anax_text_free(printed);
    anax_text_free(again);
    anax_config_free(fresh);
    unlink(other);
    unlink(path);
    write_file(path, "network: {groups: 2}\nmpi: {protocol: none}\n");
    assert_int_equal(anax_config_machine(config, path, &error), ANAX_ERROR_INPUT);
    assert_non_null(strstr(error.text, ":2:17: error: mpi.protocol: `none` is not one of"));
    unlink(path);
    write_file(path, "network: {groups: 2}\nreplay: {compute_scale: 2}\n");
    assert_int_equal(anax_config_machine(config, path, &error), ANAX_ERROR_INPUT);
    assert_non_null(strstr(error.text, "a machine file sets network.*, mpi.*, base"));
    unlink(path);
    write_file(path, "mpi: {protocol: openmpi}\n");
    assert_int_equal(anax_config_machine(config, path, &error), ANAX_ERROR_INPUT);
    assert_non_null(strstr(error.text, "this file sets no network.* value"));
    assert_setting(config, "mpi.protocol", "openmpi");
    unlink(path);
    anax_error_clear(&error);
}

static void a_failing_machine_changes_nothing(void **state) {
    anax_config *config = *state;
    char path[64];
    assert_int_equal(anax_config_machine(config, "kim-72", NULL), ANAX_OK);
    char *before = anax_config_yaml(config, ANAX_SCOPE_ALL);
    write_file(path, "network: {groups: 2, nonsense: 1}\n");
    assert_int_equal(anax_config_machine(config, path, NULL), ANAX_ERROR_INPUT);
    assert_int_equal(anax_config_load(config, path, NULL), ANAX_ERROR_INPUT);
    char *after = anax_config_yaml(config, ANAX_SCOPE_ALL);
    assert_string_equal(before, after);
    anax_text_free(before);
    anax_text_free(after);
    unlink(path);
}

/* Expects that reading the text fails with all words in the error, and changes nothing. */
static void assert_refused(anax_config *config, const char *text, const char *const *words) {
    anax_error error = ANAX_ERROR_INIT;
    char path[64], place[96];
    write_file(path, text);
    char *before = anax_config_yaml(config, ANAX_SCOPE_ALL);
    assert_int_equal(anax_config_load(config, path, &error), ANAX_ERROR_INPUT);
    snprintf(place, sizeof place, "%s:%s: error: ", path, words[0]);
    assert_non_null(strstr(error.text, place));
    for (size_t i = 1; words[i] != NULL; i++)
        assert_non_null(strstr(error.text, words[i]));
    char *after = anax_config_yaml(config, ANAX_SCOPE_ALL);
    assert_string_equal(before, after);
    anax_text_free(before);
    anax_text_free(after);
    anax_error_clear(&error);
    unlink(path);
}

static void a_file_may_choose_its_machine_unless_another_was_chosen(void **state) {
    anax_config *config = *state;
    char path[64];
    write_file(path, "network: {routing: valiant}\nmachine: kim-72\n");
    assert_int_equal(anax_config_load(config, path, NULL), ANAX_OK);
    assert_setting(config, "machine", "kim-72");
    assert_setting(config, "network.routing", "valiant");
    assert_setting(config, "network.groups", "9");
    assert_int_equal(anax_config_set(config, "network.routing", "par", NULL), ANAX_OK);
    assert_int_equal(anax_config_load(config, path, NULL), ANAX_OK);
    assert_setting(config, "network.routing", "valiant");
    unlink(path);
    assert_int_equal(anax_config_machine(config, "kim-1k", NULL), ANAX_OK);
    assert_setting(config, "network.routing", "ugal-l");
    assert_refused(config, "seed: 9\nmachine: kim-72\n",
                   (const char *[]){"2:1", "`kim-72` contradicts `kim-1k`", NULL});
    assert_int_equal(anax_config_set(config, "machine", "kim-72", NULL), ANAX_ERROR_USAGE);
    assert_int_equal(
        anax_config_set(config, "machine", ANAX_SOURCE_DIR "/machines/kim-1k.yaml", NULL), ANAX_OK);
    assert_setting(config, "machine", "kim-1k");
}

static void a_machine_that_would_undo_settings_is_refused(void **state) {
    anax_config *config = *state;
    assert_int_equal(anax_config_set(config, "network.routing", "par", NULL), ANAX_OK);
    assert_int_equal(anax_config_set(config, "machine", "kim-72", NULL), ANAX_ERROR_USAGE);
    assert_refused(config, "machine: kim-72\n",
                   (const char *[]){"1:1", "`kim-72` would undo network.routing", NULL});
    assert_setting(config, "network.routing", "par");
}

static void a_network_of_another_machine_is_refused(void **state) {
    anax_config *config = *state;
    anax_config *other = NULL;
    assert_int_equal(anax_config_new(&other, NULL), ANAX_OK);
    assert_int_equal(anax_config_machine(other, "slingshot", NULL), ANAX_OK);
    char *whole = anax_config_yaml(other, ANAX_SCOPE_BISECTION);
    assert_int_equal(anax_config_set(other, "network.packet", "1KiB", NULL), ANAX_OK);
    char *nameless = anax_config_yaml(other, ANAX_SCOPE_BISECTION);
    for (char *text = whole; text != NULL; text = text == whole ? nameless : NULL) {
        char *line = strstr(text, "\nmachine:"); /* becomes a comment */
        assert_non_null(line);
        line[1] = '#';
    }
    assert_int_equal(anax_config_load(config, "/nowhere", NULL), ANAX_ERROR_INPUT);
    assert_int_equal(anax_config_machine(config, "kim-72", NULL), ANAX_OK);
    assert_refused(config, whole,
                   (const char *[]){"9:3", "machine `slingshot`, but `kim-72` was chosen", NULL});
    assert_refused(config, nameless,
                   (const char *[]){"9:3", "without a name, but `kim-72` was chosen", NULL});
    anax_text_free(whole);
    anax_text_free(nameless);
    anax_config_free(other);
}

static void printed_settings_are_read_back(void **state) {
    anax_config *config = *state;
    anax_config *other = NULL;
    char path[64];
    assert_int_equal(anax_config_machine(config, "slingshot", NULL), ANAX_OK);
    assert_int_equal(anax_config_set(config, "mpi.eager_threshold", "12345B", NULL), ANAX_OK);
    assert_int_equal(anax_config_set(config, "traffic.load", "1", NULL), ANAX_ERROR_USAGE);
    char *yaml = anax_config_yaml(config, ANAX_SCOPE_ALL);
    write_file(path, yaml);
    assert_int_equal(anax_config_new(&other, NULL), ANAX_OK);
    assert_int_equal(anax_config_load(other, path, NULL), ANAX_OK);
    char *again = anax_config_yaml(other, ANAX_SCOPE_ALL);
    assert_string_equal(yaml, again);
    anax_text_free(yaml);
    anax_text_free(again);
    anax_config_free(other);
    unlink(path);
}

static bool count_choice(void *context, const anax_choice *choice) {
    assert_true(choice->name[0] != '\0');
    assert_true(choice->help[0] != '\0');
    assert_null(strchr(choice->help, '\n'));
    ++*(size_t *)context;
    return true;
}

static bool end_at_second(void *context, const anax_choice *choice) {
    (void)choice;
    return ++*(size_t *)context < 2;
}

static void a_listing_ends_where_the_visitor_says(void **state) {
    (void)state;
    const char *const families[] = {NULL, "settings", "machines", "collectives"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        size_t members = 0;
        assert_int_equal(anax_list(families[i], NULL, end_at_second, &members, NULL), ANAX_OK);
        assert_int_equal(members, 2);
    }
}

static void every_family_is_listed(void **state) {
    (void)state;
    const char *const names[] = {"machines", "routing",     "misrouting", "arrangements",
                                 "rails",    "placement",   "patterns",   "traffic",
                                 "formats",  "collectives", "protocols",  "settings",
                                 "tables",   "nics",        "models"};
    size_t families = 0;
    assert_int_equal(anax_list(NULL, NULL, count_choice, &families, NULL), ANAX_OK);
    assert_int_equal(families, sizeof names / sizeof *names);
    for (size_t i = 0; i < families; i++) {
        size_t members = 0;
        assert_int_equal(anax_list(names[i], NULL, count_choice, &members, NULL), ANAX_OK);
        assert_true(members >= 2);
    }
    anax_error error = ANAX_ERROR_INIT;
    char *text = NULL;
    assert_int_equal(anax_list_text(&text, "machine", NULL, &error), ANAX_ERROR_USAGE);
    assert_null(text);
    assert_non_null(strstr(error.text, "did you mean `machines`"));
    assert_int_equal(anax_list_json(&text, "machine", NULL, NULL), ANAX_ERROR_USAGE);
    assert_null(text);
    anax_error_clear(&error);
}

static void settings_are_checked_in_every_scope_that_has_them(void **state) {
    (void)state;
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    assert_int_equal(anax_config_new(&config, NULL), ANAX_OK);
    assert_int_equal(anax_config_machine(config, "kim-72", NULL), ANAX_OK);
    for (int scope = ANAX_SCOPE_ALL; scope <= ANAX_SCOPE_EXTRAPOLATE; scope++)
        assert_int_equal(anax_config_check(config, (anax_scope)scope, NULL), ANAX_OK);
    assert_int_equal(anax_config_set(config, "network.groups", "60000", NULL), ANAX_OK);
    for (int scope = ANAX_SCOPE_ALL; scope <= ANAX_SCOPE_EXTRAPOLATE; scope++) {
        const bool network = anax_config_in_scope(config, (anax_scope)scope, "network.groups");
        assert_int_equal(anax_config_check(config, (anax_scope)scope, NULL),
                         network ? ANAX_ERROR_USAGE : ANAX_OK);
    }
    anax_config_set(config, "network.groups", "9", NULL);
    anax_config_set(config, "traffic.pattern", "nothing", NULL);
    assert_int_equal(anax_config_check(config, ANAX_SCOPE_TRAFFIC, NULL), ANAX_ERROR_USAGE);
    assert_int_equal(anax_config_check(config, ANAX_SCOPE_REPLAY, NULL), ANAX_OK);
    const anax_scope unknown = (anax_scope)(ANAX_SCOPE_EXTRAPOLATE + 1);
    assert_int_equal(anax_config_check(config, unknown, &error), ANAX_ERROR_USAGE);
    assert_string_equal(error.text, "there is no scope 12");
    assert_false(anax_config_in_scope(config, unknown, "network.groups"));
    anax_error_clear(&error);
    anax_config_free(config);
}

static void wrong_words_name_their_neighbours(void **state) {
    (void)state;
    const char *const words[] = {"replay", "traffic", "info"};
    assert_string_equal(api_nearest("repaly", words, 3), "replay");
    assert_null(api_nearest("something", words, 3));
    assert_null(api_nearest("replay", words, 0));
}

/* A machine's settings of MPI are its own: they give way to what is set, and to another machine. */
static void a_machine_brings_its_settings_of_mpi(void **state) {
    anax_config *config = *state;
    char path[64], other[64];
    write_file(path, "network: {groups: 5}\nmpi: {send_overhead: 111ns, eager_threshold: 1KiB}\n");
    write_file(other, "network: {groups: 7}\nmpi: {receive_overhead: 222ns}\n");
    assert_int_equal(anax_config_set(config, "mpi.eager_threshold", "3KiB", NULL), ANAX_OK);
    assert_int_equal(anax_config_machine(config, path, NULL), ANAX_OK);
    assert_setting(config, "mpi.send_overhead", "111ns");
    assert_setting(config, "mpi.eager_threshold", "3KiB");
    assert_setting(config, "network.groups", "5");
    assert_int_equal(anax_config_machine(config, other, NULL), ANAX_OK);
    assert_setting(config, "mpi.send_overhead", "250ns");
    assert_setting(config, "mpi.receive_overhead", "222ns");
    assert_setting(config, "mpi.eager_threshold", "3KiB");
    assert_int_equal(anax_config_set(config, "mpi.receive_overhead", "5ns", NULL), ANAX_OK);
    assert_setting(config, "mpi.receive_overhead", "5ns");
    unlink(path);
    unlink(other);
}

/* A file for --config on top of such a machine, whether or not it names the machine itself. */
static void a_file_overrides_what_its_machine_says_of_mpi(void **state) {
    anax_config *config = *state;
    char machine[64], path[64], text[256];
    write_file(machine, "network: {groups: 5}\nmpi: {send_overhead: 111ns, segment: 1KiB}\n");
    snprintf(text, sizeof text, "mpi: {send_overhead: 99ns}\nmachine: %s\n", machine);
    write_file(path, text);
    assert_int_equal(anax_config_load(config, path, NULL), ANAX_OK);
    assert_setting(config, "mpi.send_overhead", "99ns");
    assert_setting(config, "mpi.segment", "1KiB");
    unlink(path);
    unlink(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test_setup_teardown(values_are_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(errors_name_what_is_wrong, setup, teardown),
        cmocka_unit_test_setup_teardown(a_machine_leaves_nothing_of_another, setup, teardown),
        cmocka_unit_test_setup_teardown(a_machine_may_say_which_mpi_goes_with_it, setup, teardown),
        cmocka_unit_test_setup_teardown(a_failing_machine_changes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_may_choose_its_machine_unless_another_was_chosen,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_machine_that_would_undo_settings_is_refused, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_network_of_another_machine_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(printed_settings_are_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(a_machine_brings_its_settings_of_mpi, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_overrides_what_its_machine_says_of_mpi, setup,
                                        teardown),
        cmocka_unit_test(every_family_is_listed),
        cmocka_unit_test(a_listing_ends_where_the_visitor_says),
        cmocka_unit_test(settings_are_checked_in_every_scope_that_has_them),
        cmocka_unit_test(wrong_words_name_their_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
