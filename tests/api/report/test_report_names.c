/* Names of any length and kind in texts for people: tables stay tables, nothing is cut within a
 * character, and nothing controls the terminal. */
#include "api/api.h"
#include "tests/support/api/api_world.h"
#include "traces/program/builder/program_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const regions[] = {
    "solve",
    "l\xC3\xB6se das Gleichungssystem mit Vorkonditionierer",
    "Foam::GAMGSolver::solve(Foam::Field<double>&, Foam::Field<double> const&, unsigned char) "
    "const",
    "bad \x1B[31m and \xC2\x9B"
    "1m and \xE2\x82",
};
enum { REGIONS = sizeof regions / sizeof *regions };

/* One rank that enters each region, the longest first. */
static struct program *make(void) {
    struct status status = STATUS_INIT;
    struct program_builder *b = builder_new(1, &status);
    const uint32_t members[] = {0};
    uint32_t world = 0;
    builder_define_communicator(b, "world", members, 1, &world, &status);
    for (uint32_t i = 0; i < REGIONS; i++) {
        builder_enter(b, 0, builder_define_region(b, regions[i], false), 0, &status);
        builder_compute(b, 0, 1000000 * (i + 1), &status);
        builder_leave(b, 0, 0, &status);
    }
    struct program *program = NULL;
    if (builder_seal(b, 1, &program, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(b);
    return program;
}

static int setup(void **state) {
    if (api_world_new(state, "halo2d", "4", "1") != 0) return -1;
    return anax_config_set(((struct api_world *)*state)->config, "trace.user_regions", "on", NULL);
}

/* The column, in characters, in which text begins in the line that begins at line; -1: nowhere. */
static int column_of(const char *line, const char *text) {
    const char *end = strchr(line, '\n'), *place = strstr(line, text);
    if (place == NULL || (end != NULL && place > end)) return -1;
    int column = 0;
    for (const char *c = line; c < place; c++)
        column += ((unsigned char)*c & 0xC0) != 0x80;
    return column;
}

static void regions_stand_in_a_table(void **state) {
    struct api_world *world = *state;
    anax_trace trace = {.program = make()};
    anax_replay_result *result = NULL;
    assert_int_equal(anax_replay(&result, world->config, &trace, NULL, NULL), ANAX_OK);
    char *text = anax_replay_result_text(result);
    const char *line = strstr(text, "User regions");
    assert_non_null(line);
    line = strchr(line, '\n') + 1;
    int count = column_of(line, "count") + 4, time = column_of(line, "time"); /* of the 1 */
    static const char *const shown[REGIONS] = {
        "  bad \\x1B[31m and \\x9B1m and \\xE2\\x82", "  Foam::GAMGSolver::solve(Foam::",
        "  l\xC3\xB6se das Gleichungssystem mit Vorkonditionierer\n", "  solve "};
    static const char *const times[REGIONS] = {"4.000 us", "3.000 us", "2.000 us", "1.000 us"};
    for (int i = 0; i < REGIONS; i++) {
        line = strchr(line, '\n') + 1;
        assert_memory_equal(line, shown[i], strlen(shown[i]));
        if (column_of(line, " 1  ") < 0) line = strchr(line, '\n') + 1; /* a long name */
        assert_int_equal(column_of(line, " 1  ") + 1, count);
        assert_int_equal(column_of(line, times[i]), time);
    }
    anax_text_free(text);
    anax_replay_result_free(result);
    program_free(trace.program);
}

static void long_communicators_are_cut_between_characters(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    const uint32_t members[] = {0, 1};
    uint32_t number = 0;
    for (unsigned shift = 0; shift < 4; shift++) {
        char name[500] = "abc", text[PROGRAM_COMMUNICATOR_TEXT];
        name[shift] = '\0';
        while (strlen(name) < 400)
            strcat(name, "\xE2\x82\xAC"); /* the euro sign */
        struct program_builder *b = builder_new(2, &status);
        builder_define_communicator(b, "world", members, 2, &number, &status);
        builder_define_communicator(b, name, members, 2, &number, &status);
        struct program *program = NULL;
        if (builder_seal(b, 1, &program, &status) != STATUS_OK) fail_msg("%s", status.text);
        builder_free(b);
        program_write_communicator(program, number, text);
        const size_t length = strlen(text);
        assert_in_range(length, 80, PROGRAM_COMMUNICATOR_TEXT - 1);
        assert_memory_equal(text + length - 6, "\xE2\x82\xAC...", 6);
        assert_memory_equal(text, name, length - 3);
        program_free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(regions_stand_in_a_table, setup, api_world_free),
        cmocka_unit_test(long_communicators_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
