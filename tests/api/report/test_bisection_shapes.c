/*
 * Bisections side by side: the picture and the page name the shape of each machine if the machines
 * differ in it, and only the arrangements if they do not.
 */
#include <anax/anax.h>

#include "tests/support/api/api_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static anax_bisection *bisection_of(const char *routers, const char *groups,
                                    const char *arrangement) {
    anax_config *config = NULL;
    anax_bisection *bisection = NULL;
    assert_int_equal(anax_config_new(&config, NULL), ANAX_OK);
    api_set(config, "network.routers_per_group", routers);
    api_set(config, "network.globals_per_router", "2");
    api_set(config, "network.groups", groups);
    api_set(config, "network.arrangement", arrangement);
    const anax_bisection_plan plan = {sizeof plan, config, 0};
    assert_int_equal(anax_bisection_new(&bisection, &plan, NULL, NULL), ANAX_OK);
    anax_config_free(config);
    return bisection;
}

/* Draws two bisections as a picture and as the report of their JSON, and frees them. */
static void draw(char **picture, anax_report **report, anax_bisection *first,
                 anax_bisection *second) {
    const anax_bisection *const both[] = {first, second};
    *picture = anax_bisection_svg(both, 2);
    char *json = anax_bisection_json(both, 2);
    assert_non_null(*picture);
    assert_non_null(json);
    assert_int_equal(anax_report_new(report, json, NULL), ANAX_OK);
    anax_text_free(json);
    anax_bisection_free(first);
    anax_bisection_free(second);
}

static void machines_of_one_shape_have_one_title(void **state) {
    (void)state;
    char *picture;
    anax_report *report;
    draw(&picture, &report, bisection_of("2", "5", "absolute"), bisection_of("2", "5", "helix"));
    assert_non_null(strstr(picture, "Dragonfly of a = 2, h = 2, 5 groups: 10 routers"));
    assert_non_null(strstr(picture, ">absolute<"));
    assert_non_null(strstr(picture, ">helix<"));
    assert_non_null(strstr(anax_report_html(report), "The machine has 5 groups of 2 routers"));
    anax_text_free(picture);
    anax_report_free(report);
}

static void machines_of_several_shapes_are_told_apart(void **state) {
    (void)state;
    char *picture;
    anax_report *report;
    draw(&picture, &report, bisection_of("2", "5", "absolute"), bisection_of("4", "9", "absolute"));
    assert_non_null(strstr(picture, "Dragonflies of several shapes"));
    assert_non_null(strstr(picture, ">a=2 h=2 g=5, absolute<"));
    assert_non_null(strstr(picture, ">a=4 h=2 g=9, absolute<"));
    assert_null(strstr(picture, "10 routers"));
    assert_non_null(strstr(anax_report_html(report), ">a=4 h=2 g=9, absolute<"));
    assert_non_null(strstr(anax_report_html(report), "The machines differ in"));
    assert_null(strstr(anax_report_html(report), "The machine has"));
    assert_string_equal(anax_report_heading(report), "Bisection bandwidth of 2 machines");
    anax_text_free(picture);
    anax_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_of_one_shape_have_one_title),
        cmocka_unit_test(machines_of_several_shapes_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
