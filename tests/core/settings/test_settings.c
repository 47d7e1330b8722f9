/* Settings: every kind is read, checked and printed; errors name what would be right. */
#include "core/settings/settings.h"
#include "tests/support/core/example_settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct example example;
    struct setting_section section;
    struct settings settings;
};

static int set_up(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->section =
        (struct setting_section){rows, sizeof rows / sizeof *rows, &fixture->example};
    fixture->settings = (struct settings){&fixture->section, 1};
    *state = fixture;
    return settings_set_defaults(&fixture->settings, NULL) == STATUS_OK ? 0 : 1;
}

static int tear_down(void **state) {
    settings_clear(&((struct fixture *)*state)->settings);
    free(*state);
    return 0;
}

static void defaults_are_set(void **state) {
    const struct example *example = &((struct fixture *)*state)->example;
    assert_int_equal(example->latency_ps, 300000);
    assert_int_equal(example->size_bytes, 2048);
    assert_int_equal(example->bandwidth, 12500000000);
    assert_int_equal(example->count, 3);
    assert_int_equal(example->share, 250000);
    assert_true(example->on);
    assert_int_equal(example->colour, 1);
    assert_int_equal(example->limit_bytes, -2);
    assert_null(example->file);
    assert_int_equal(example->width_mm, 1500);
    assert_string_equal(example->list, "");
    assert_int_equal(example->delay_ps.count, 2);
}

static void sets(void **state, const char *pair) {
    struct status status = STATUS_INIT;
    if (settings_set_pair(&((struct fixture *)*state)->settings, pair, &status) != STATUS_OK)
        fail_msg("%s: %s", pair, status.text);
}

static void refuses(void **state, const char *pair, const char *expected) {
    struct status status = STATUS_INIT;
    struct fixture *fixture = *state;
    struct example before = fixture->example;
    if (settings_set_pair(&fixture->settings, pair, &status) != STATUS_USAGE)
        fail_msg("%s is accepted", pair);
    if (strstr(status.text, expected) == NULL) fail_msg("%s: %s", pair, status.text);
    assert_memory_equal(&before, &fixture->example, sizeof before);
    status_clear(&status);
}

static void values_are_set_by_name(void **state) {
    const struct example *example = &((struct fixture *)*state)->example;
    sets(state, "shop.door.latency=1us");
    assert_int_equal(example->latency_ps, 1000000);
    sets(state, "shop.on=OFF");
    assert_false(example->on);
    sets(state, "shop.on=true");
    assert_true(example->on);
    sets(state, "shop.colour=blue");
    assert_int_equal(example->colour, 2);
    sets(state, "shop.limit=red");
    assert_int_equal(example->limit_bytes, -1);
    sets(state, "shop.limit=2KiB");
    assert_int_equal(example->limit_bytes, 2048);
    sets(state, "shop.file=a=b, c");
    assert_string_equal(example->file, "a=b, c");
    sets(state, "shop.file=");
    assert_null(example->file);
    sets(state, "shop.width=72cm");
    assert_int_equal(example->width_mm, 720);
    sets(state, "shop.list=/a/long/name");
    sets(state, "shop.list=b c");
    assert_string_equal(example->list, "b c");
    assert_int_equal(example->list[4], 0); /* nothing of the longer name is left */
}

/* The ends of the ranges in example_settings.h belong to them, and what is beyond is refused. */
static void both_ends_of_a_range_are_accepted(void **state) {
    const struct example *example = &((struct fixture *)*state)->example;
    sets(state, "shop.count=1");
    assert_int_equal(example->count, 1);
    sets(state, "shop.count=10");
    assert_int_equal(example->count, 10);
    refuses(state, "shop.count=0", "`0` is out of range; it takes a number from 1 to 10");
    sets(state, "shop.share=0");
    sets(state, "shop.share=1");
    assert_int_equal(example->share, 1000000);
    refuses(state, "shop.share=1.000001", "out of range");
    sets(state, "shop.size=9223372036854775807B");
    assert_int_equal(example->size_bytes, INT64_MAX);
    refuses(state, "shop.size=9223372036854775808B", "must stay below 2^63 bytes");
    sets(state, "shop.delay=1s");
    assert_int_equal(example->delay_ps.steps[0].value, 1000000000000);
    refuses(state, "shop.delay=1000000000001ps", "out of range; it takes a time from 0 to 1s");
    sets(state, "shop.bias=-1000000:1000000");
    assert_int_equal(example->bias.values[0], -1000000);
    assert_int_equal(example->bias.values[1], 1000000);
    refuses(state, "shop.bias=1000001", "out of range");
    refuses(state, "shop.bias=-1000001", "out of range");
}

static void the_longest_path_is_accepted(void **state) {
    const struct example *example = &((struct fixture *)*state)->example;
    char longest[SETTING_PATH_BYTES + 32] = "shop.list=";
    char *path = longest + strlen(longest);
    memset(path, 'x', SETTING_PATH_BYTES - 1); /* the last byte of the member is its end */
    sets(state, longest);
    assert_string_equal(example->list, path);
}

static void errors_name_what_would_be_right(void **state) {
    refuses(state, "shop.door.latency=300", "shop.door.latency: `300` has no unit");
    refuses(state, "shop.door.latency=0", "`0` is out of range; it takes a time from 1ps to 1s");
    refuses(state, "shop.door.latency=2s", "a time from 1ps to 1s");
    refuses(state, "shop.door.bandwidth=0", "a bandwidth of at least 1B/s");
    refuses(state, "shop.count=11", "a number from 1 to 10");
    refuses(state, "shop.on=perhaps", "neither on nor off");
    refuses(state, "shop.colour=geren", "is not one of red, green, blue; did you mean `green`?");
    refuses(state, "shop.colour=ultraviolet", "is not one of red, green, blue");
    refuses(state, "shop.width=11m", "it takes a length from 0 to 10m");
    refuses(state, "shop.width=3", "needs one of mm cm m km");
    char too_long[SETTING_PATH_BYTES + 32] = "shop.list=";
    memset(too_long + strlen(too_long), 'x', SETTING_PATH_BYTES);
    refuses(state, too_long, "shop.list: a path of 1024 bytes is too long");
    refuses(state, "shop.limit=geren", "`geren` is not a size from 0 to 4KiB, red, green or blue");
    refuses(state, "shop.limit=-1", "shop.limit: ");
    refuses(state, "shop.limit=12", "`12` has no unit");
    refuses(state, "shop.limit=8KiB",
            "is out of range; it takes a size from 0 to 4KiB, red, green");
    refuses(state, "shop.door.latnecy=1ns", "did you mean `shop.door.latency`?");
    refuses(state, "latency=1ns", "did you mean `shop.door.latency`?");
    refuses(state, "door.latency=1ns", "did you mean `shop.door.latency`?");
    refuses(state, "shop.paint=red", "did you mean `shop.colour`?");
    refuses(state, "quite.something.else=1", "`anax list settings` shows all");
    refuses(state, "shop.count", "write name=value");
    refuses(state, "=3", "write name=value");
}

static void texts_read_back(void **state) {
    struct fixture *fixture = *state;
    sets(state, "shop.door.latency=1234567ps");
    sets(state, "shop.file=x y");
    sets(state, "shop.list=y z");
    for (size_t i = 0; i < fixture->section.row_count; i++) {
        char before[64], after[64];
        setting_text(&fixture->section, &rows[i], before, sizeof before);
        assert_int_equal(settings_set(&fixture->settings, rows[i].name, before, NULL), STATUS_OK);
        setting_text(&fixture->section, &rows[i], after, sizeof after);
        assert_string_equal(before, after);
    }
    assert_int_equal(fixture->example.latency_ps, 1234567);
    assert_string_equal(fixture->example.list, "y z");
}

/* Maps are opened once though their rows are scattered over the table. */
static void settings_are_printed_as_yaml(void **state) {
    struct fixture *fixture = *state;
    sets(state, "shop.file=say \"hi\"\n");
    sets(state, "shop.list=a: b");
    char *yaml = settings_yaml(&fixture->settings);
    assert_string_equal(yaml,
                        "shop:\n"
                        "  door:\n"
                        "    # how long (a time from 1ps to 1s)\n"
                        "    latency: 300ns\n"
                        "    # how fast (a bandwidth of at least 1B/s)\n"
                        "    bandwidth: 12.5GB/s\n"
                        "  # size (a size of at least 0)\n"
                        "  size: 2KiB\n"
                        "  # how many (a number from 1 to 10)\n"
                        "  count: 3\n"
                        "  # share (a ratio from 0 to 1)\n"
                        "  share: 0.25\n"
                        "  # whether (on or off)\n"
                        "  on: on\n"
                        "  # which (one of red, green, blue)\n"
                        "  colour: green\n"
                        "  # words in place of a number (a size from 0 to 4KiB, red, green or "
                        "blue)\n"
                        "  limit: green\n"
                        "  # from where (a text)\n"
                        "  file: \"say \\\"hi\\\"\\x0a\"\n"
                        "  # how wide (a length from 0 to 10m)\n"
                        "  width: 1.5m\n"
                        "  # in which file (the path of a file)\n"
                        "  list: \"a: b\"\n"
                        "  # how late (a time from 0 to 1s, by message size if need be, as "
                        "300ns/1KiB:2us, usual or unknown)\n"
                        "  delay: 5ns/1KiB:7ns\n"
                        "  # by hop (bytes times hops from -1000000 to 1000000, or several for a "
                        "packet after 0, 1, 2, ... hops, as 0:4096:8192)\n"
                        "  bias: 0:5:-7\n");
    free(yaml);
}

/* Values of every kind are told apart, and texts of one value are not. */
/* Below a blank, and DEL; YAML 1.2, 5.1 and 5.7. Bytes of UTF-8 stay. */
static void control_characters_are_escaped_in_yaml(void **state) {
    struct fixture *fixture = *state;
    sets(state, "shop.file=\x01\x1f ~\x7f\xc3\xa9");
    char *yaml = settings_yaml(&fixture->settings);
    assert_non_null(strstr(yaml, "file: \"\\x01\\x1f ~\\x7f\xc3\xa9\"\n"));
    free(yaml);
}

/* A map whose keys are in two sections is opened once: YAML refuses a key that stands twice. */
static void sections_share_a_map_in_yaml(void **state) {
    (void)state;
    int64_t width_mm = 0, height_mm = 0;
    const struct setting_row width = {.name = "shop.door.width",
                                      .kind = SETTING_LENGTH,
                                      .maximum = 10000,
                                      .initial = "1m",
                                      .help = "how wide"};
    const struct setting_row height = {.name = "shop.door.height",
                                       .kind = SETTING_LENGTH,
                                       .maximum = 10000,
                                       .initial = "2m",
                                       .help = "how high"};
    struct setting_section sections[] = {{.rows = &width, .row_count = 1, .values = &width_mm},
                                         {.rows = &height, .row_count = 1, .values = &height_mm}};
    struct settings settings = {.sections = sections, .section_count = 2};
    assert_int_equal(settings_set_defaults(&settings, NULL), STATUS_OK);
    char *yaml = settings_yaml(&settings);
    assert_string_equal(yaml, "shop:\n"
                              "  door:\n"
                              "    # how wide (a length from 0 to 10m)\n"
                              "    width: 1m\n"
                              "    # how high (a length from 0 to 10m)\n"
                              "    height: 2m\n");
    free(yaml);
}

static void settings_are_equal_if_all_values_are(void **state) {
    struct fixture *fixture = *state;
    static const char *const pairs[] = {
        "shop.door.latency=7ns", "shop.size=1B",  "shop.door.bandwidth=1GB/s",
        "shop.count=4",          "shop.share=1",  "shop.on=off",
        "shop.colour=blue",      "shop.limit=1B", "shop.file=abc",
        "shop.width=1.52m",      "shop.list=abc", "shop.delay=5ns/1KiB:8ns",
        "shop.bias=0:5:-8"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct example before = fixture->example;
        assert_true(setting_equal(&rows[i], &before, &fixture->example));
        sets(state, pairs[i]);
        assert_false(setting_equal(&rows[i], &before, &fixture->example));
        assert_false(setting_equal(&rows[i], &fixture->example, &before));
        char *text = setting_new_text(&fixture->section, &rows[i]);
        assert_string_equal(text, strchr(pairs[i], '=') + 1);
        free(text);
        for (size_t k = 0; k < i; k++)
            assert_true(setting_equal(&rows[k], &before, &fixture->example));
    }
    assert_true(setting_texts_equal(&rows[0], "1us", "1000ns"));
    assert_false(setting_texts_equal(&rows[0], "1us", "1001ns"));
    assert_true(setting_texts_equal(&rows[5], "yes", "on"));
    assert_false(setting_texts_equal(&rows[8], "yes", "on"));
    assert_true(setting_texts_equal(&rows[11], "1us/1KiB:2ns/2KiB:2ns", "1000ns/1024B:2ns"));
    assert_false(setting_texts_equal(&rows[11], "1us/1KiB:2ns", "1us/1025B:2ns"));
    assert_true(setting_texts_equal(&rows[12], "1:2048:2048", "1B:2KiB"));
    assert_false(setting_texts_equal(&rows[12], "1:2048:1", "1:2048"));
}

/* A list by hop; its last value holds for all further hops. */
static void values_by_hop_are_read(void **state) {
    struct fixture *fixture = *state;
    const struct by_hop *bias = &fixture->example.bias;
    sets(state, "shop.bias=3");
    assert_int_equal(by_hop_at(bias, 0), 3);
    assert_int_equal(by_hop_at(bias, 255), 3);
    sets(state, "shop.bias=0:4KiB:-1:5:5:5");
    assert_int_equal(bias->count, 4);
    assert_int_equal(by_hop_at(bias, 0), 0);
    assert_int_equal(by_hop_at(bias, 1), 4096);
    assert_int_equal(by_hop_at(bias, 2), -1);
    assert_int_equal(by_hop_at(bias, 3), 5);
    assert_int_equal(by_hop_at(bias, 99), 5);
    assert_true(by_hop_is_valid(bias, -1, 4096));
    assert_false(by_hop_is_valid(bias, 0, 4096));
    assert_false(by_hop_is_valid(bias, -1, 4095));
    struct by_hop wrong = {.count = 0};
    assert_false(by_hop_is_valid(&wrong, -1, 1));
    refuses(state, "shop.bias=", "shop.bias: ");
    refuses(state, "shop.bias=1:", "shop.bias: value 2: ");
    refuses(state, "shop.bias=1:2:1000001", "shop.bias: value 3: `1000001` is out of range");
    refuses(state, "shop.bias=1ns", "shop.bias: ");
    refuses(state, "shop.bias=1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17",
            "shop.bias: more than 16 values");
}

static int64_t delay_at(void **state, const char *pair, uint64_t size_bytes) {
    sets(state, pair);
    return by_size_at(&((struct fixture *)*state)->example.delay_ps, size_bytes);
}

/* A value by size holds from its size on; steps that change nothing are left out. */
static void values_by_size_are_read(void **state) {
    const struct by_size *delay = &((struct fixture *)*state)->example.delay_ps;
    static const char pair[] = "shop.delay=300ns/1KiB:350ns/16KiB:2us";
    assert_int_equal(delay_at(state, pair, 0), 300000);
    assert_int_equal(delay_at(state, pair, 1023), 300000);
    assert_int_equal(delay_at(state, pair, 1024), 350000);
    assert_int_equal(delay_at(state, pair, 16383), 350000);
    assert_int_equal(delay_at(state, pair, 16384), 2000000);
    assert_int_equal(delay_at(state, pair, UINT64_MAX), 2000000);
    assert_int_equal(delay_at(state, "shop.delay=0", UINT64_MAX), 0);
    assert_int_equal(delay_at(state, "shop.delay= 1 us / 2 kB : 0 ", 1999), 1000000);
    assert_int_equal(delay_at(state, "shop.delay=1us/1B:1us/2B:3us/3B:3us/4B:1us", 3), 3000000);
    assert_int_equal(delay->count, 3);
    assert_true(by_size_is_valid(delay, 1000000, 3000000));
    assert_false(by_size_is_valid(delay, 1000001, 3000000));
    assert_false(by_size_is_valid(delay, 1000000, 2999999));
    sets(state, "shop.delay=7ns/1B:1ns/1KiB:1000ps/2KiB:3ns");
    struct fixture *fixture = *state;
    char *text =
        setting_new_text(&fixture->section, settings_find(&fixture->settings, "shop.delay", NULL));
    assert_string_equal(text, "7ns/1B:1ns/2KiB:3ns");
    free(text);
    assert_int_equal(delay_at(state, "shop.delay=unknown", 5), -2);
    text =
        setting_new_text(&fixture->section, settings_find(&fixture->settings, "shop.delay", NULL));
    assert_string_equal(text, "unknown");
    free(text);
    sets(state, "shop.delay=0/1B:1ns/2B:0/3B:1ns/4B:0/5B:1ns/6B:0/7B:1ns/8B:0/9B:1ns/10B:0/11B:1ns/"
                "12B:0/13B:1ns/14B:0/15B:1ns/16B:1ns");
    assert_int_equal(delay->count, BY_SIZE_STEPS);
    assert_int_equal(by_size_at(delay, 14), 0);
}

static void wrong_values_by_size_are_refused(void **state) {
    refuses(state, "shop.delay=300", "shop.delay: `300` has no unit");
    refuses(state, "shop.delay=soon", "shop.delay: `soon` is not a time from 0 to 1s, by message");
    refuses(state, "shop.delay=soon", ", usual or unknown");
    refuses(state, "shop.delay=1ns/1KiB:unknown", "step 2 (`1KiB:unknown`): ");
    refuses(state, "shop.delay=2s", "shop.delay: `2s` is out of range; it takes a time from 0 to");
    refuses(state, "shop.delay=", "shop.delay: ");
    refuses(state, "shop.delay=1ns/", "shop.delay: step 2 (``): a size and a colon are missing");
    refuses(state, "shop.delay=1ns/2ns", "step 2 (`2ns`): a size and a colon are missing");
    refuses(state, "shop.delay=/1KiB:2ns", "shop.delay: step 1 (``): ");
    refuses(state, "shop.delay=0:1ns/1KiB:2ns", "step 1 (`0:1ns`): the first step holds from 0");
    refuses(state, "shop.delay=1ns/1KiB:2", "step 2 (`1KiB:2`): `2` has no unit");
    refuses(state, "shop.delay=1ns/1Kib:2ns", "step 2 (`1Kib:2ns`): ");
    refuses(state, "shop.delay=1ns/1K:2ns", "step 2 (`1K:2ns`): ");
    refuses(state, "shop.delay=1ns/1KiB:2ns/1KiB:3ns",
            "step 3 (`1KiB:3ns`): it begins at 1KiB, but the step before it at 1KiB; sizes must");
    refuses(state, "shop.delay=1ns/2KiB:1ns/1KiB:3ns", "but the step before it at 2KiB");
    refuses(state, "shop.delay=1ns/0:3ns", "it begins at 0, but the step before it at 0");
    refuses(state, "shop.delay=1ns/-1B:3ns", "sizes must rise");
    refuses(state, "shop.delay=1ns/1KiB:2s", "step 2 (`1KiB:2s`): `2s` is out of range");
    refuses(state, "shop.delay=1ns/1KiB:-2ns", "step 2 (`1KiB:-2ns`): `-2ns` is out of range");
    refuses(state,
            "shop.delay=1ns/1KiB:00000000000000000000000000000000000000000000000000000000001"
            "00000000ns",
            "longer than any");
    refuses(state,
            "shop.delay=0/1B:1ns/2B:0/3B:1ns/4B:0/5B:1ns/6B:0/7B:1ns/8B:0/9B:1ns/10B:0/"
            "11B:1ns/12B:0/13B:1ns/14B:0/15B:1ns/16B:2ns",
            "more than 16 steps");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {TEST(defaults_are_set),
                                       TEST(values_are_set_by_name),
                                       TEST(both_ends_of_a_range_are_accepted),
                                       TEST(the_longest_path_is_accepted),
                                       TEST(errors_name_what_would_be_right),
                                       TEST(texts_read_back),
                                       TEST(settings_are_printed_as_yaml),
                                       TEST(control_characters_are_escaped_in_yaml),
                                       TEST(sections_share_a_map_in_yaml),
                                       TEST(settings_are_equal_if_all_values_are),
                                       TEST(values_by_size_are_read),
                                       TEST(wrong_values_by_size_are_refused),
                                       TEST(values_by_hop_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
