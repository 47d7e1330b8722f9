/* Charts: which points are drawn, where lines break and end, and what marks look like. */
#include "api/chart/chart.h"
#include "api/chart/heat_map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The plot is 460 wide from 70 on, and 340 high from 34 on: a unit of x is 46, and one of y 34. */
static char *drawn(struct chart_series series) {
    const struct chart chart = {.title = "a < b & c",
                                .x = {"x", 0, 10, 0, NULL, false},
                                .y = {"y", 0, 10, 0, NULL, false},
                                .series = &series,
                                .count = 1};
    struct text_buffer text = TEXT_BUFFER_INIT;
    chart_draw(&text, &chart);
    char *picture = text_take(&text);
    assert_non_null(picture);
    return picture;
}

static const double xs[] = {0, 1, 2, 3, 4, 20};
static const double ys[] = {5, 6, NAN, 5, 12, 5};
static const struct chart_series series = {.label = "<s>", .x = xs, .y = ys, .count = 6};

static void check(struct chart_series drawing, const char *expected, bool there) {
    char *picture = drawn(drawing);
    if ((strstr(picture, expected) != NULL) != there) fail_msg("%s: %s", expected, picture);
    free(picture);
}

/* A point outside the axes is left out, and a line goes on behind it. A missing value is a gap. */
static void lines_pass_points_outside_the_axes_and_break_at_gaps(void **state) {
    (void)state;
    struct chart_series line = series;
    line.has_line = true;
    check(line, " d='M70.0 204.0L116.0 170.0M208.0 204.0'/>", true);
    line.is_clipped = true; /* it ends at the upper edge */
    check(line, " d='M70.0 204.0L116.0 170.0M208.0 204.0L254.0 34.0'/>", true);
    line.is_stepped = true;
    check(line, " d='M70.0 204.0H116.0V170.0M208.0 204.0H254.0V34.0'/>", true);
    check(line, "stroke-dasharray", false);
    line.is_dashed = true;
    check(line, "stroke-dasharray", true);
}

static void marks_beyond_the_axes_are_left_out(void **state) {
    (void)state;
    struct chart_series points = series;
    points.has_marks = true;
    check(points,
          "<path d='M116.0 170.0m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z' fill='#fff'",
          true);
    check(points, "<path d='M254.0", false); /* beyond the axis */
    check(points, "fill='none'", false);
    points.is_filled = true;
    check(points,
          "<path d='M116.0 170.0m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z' fill='#000000'",
          true);
    points.style = 1;
    check(points, "<path d='M116.0 170.0m-3 -3h6v6h-6z'", true);
}

static void texts_are_escaped(void **state) {
    (void)state;
    check(series, ">a &lt; b &amp; c</text>", true);
    check(series, ">&lt;s&gt;</text>", true);
}

/* An axis holds all values; a logarithmic one only positive ones. */
static void axes_hold_all_values(void **state) {
    (void)state;
    const double values[] = {-3, 0.5, NAN, 8};
    struct chart_axis linear = {0}, logarithmic = {.base = 10};
    chart_axis_include(&linear, values, 4);
    assert_true(linear.min == -3 && linear.max == 8);
    chart_axis_include(&logarithmic, values, 4);
    assert_true(logarithmic.min == 0.5 && logarithmic.max == 8);
}

/* Logarithmic axes have powers of their base; where few fit, numbers that begin with 1, 2 and 5;
 * and linear ticks where few of those fit. */
static void logarithmic_ticks_are_powers_of_the_base(void **state) {
    (void)state;
    static const struct {
        double min, max, base;
        const char *there[3], *absent;
    } rows[] = {{1, 1000, 10, {">10<", ">100<", ">1000<"}, ">200<"},
                {40, 600, 10, {">50<", ">100<", ">500<"}, ">40<"},
                {0.9, 1.4, 2, {">0.9<", ">1.2<", ">1.4<"}, ">0.5<"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct chart chart = {
            .title = "t",
            .x = {"x", 0, 7, 0, NULL, false},
            .y = {"y", rows[i].min, rows[i].max, rows[i].base, NULL, false}};
        struct text_buffer text = TEXT_BUFFER_INIT;
        chart_draw(&text, &chart);
        char *picture = text_take(&text);
        assert_non_null(picture);
        for (size_t k = 0; k < 3; k++)
            assert_non_null(strstr(picture, rows[i].there[k]));
        assert_null(strstr(picture, rows[i].absent));
        free(picture);
    }
}

/* Labels stand where their lines end, one below the other where lines end together, and above the
 * lower end of the axes. */
static void labels_stand_where_lines_end(void **state) {
    (void)state;
    const double across[] = {0, 10}, high[] = {0, 10}, low[] = {10, 0};
    const struct chart_series lines[] = {
        {.label = "low", .x = across, .y = low, .count = 2, .has_line = true},
        {.label = "lower", .x = across, .y = low, .count = 2, .has_line = true},
        {.label = "high", .x = across, .y = high, .count = 2, .has_line = true},
    };
    struct chart chart = {.title = "t",
                          .x = {"x", 0, 10, 0, NULL, false},
                          .y = {"y", 0, 10, 0, NULL, false},
                          .series = lines,
                          .count = 3,
                          .labels_at_lines = true};
    struct text_buffer text = TEXT_BUFFER_INIT;
    chart_draw(&text, &chart);
    char *picture = text_take(&text);
    assert_non_null(picture);
    assert_non_null(strstr(picture, " y='38.0' text-anchor='start'>high<"));
    assert_non_null(strstr(picture, " y='363.0' text-anchor='start'>low<"));
    assert_non_null(strstr(picture, " y='378.0' text-anchor='start'>lower<"));
    assert_non_null(strstr(picture, "d='M530.0 34.0L553.0 34.0'"));
    free(picture);
}

/* A long label has the room of the plot, up to a part of it; a longer one is cut. */
static void long_labels_are_cut(void **state) {
    (void)state;
    static const char longest[] = "a-machine-with-a-long-name, ugal-l-vch, 12.5GB/s, 99 %";
    static const char shown[] = "a-machine-with-a-long-name, ugal-l-vch, 12.5GB/s, 99 %</text>";
    const double ends[] = {0, 10};
    const struct chart_series lines[] = {
        {.label = "piggyback, 12.5GB/s (to 0.45)",
         .x = ends,
         .y = ends,
         .count = 2,
         .has_line = true},
        {.label = longest, .x = ends, .y = ends, .count = 2, .has_line = true}};
    for (size_t count = 1; count <= 2; count++) {
        const struct chart chart = {.title = "t",
                                    .x = {"x", 0, 10, 0, NULL, false},
                                    .y = {"y", 0, 10, 0, NULL, false},
                                    .series = lines,
                                    .count = count,
                                    .labels_at_lines = true};
        struct text_buffer text = TEXT_BUFFER_INIT;
        chart_draw(&text, &chart);
        char *picture = text_take(&text);
        assert_non_null(picture);
        assert_non_null(strstr(picture, ">piggyback, 12.5GB/s (to 0.45)<"));
        assert_null(strstr(picture, shown));
        assert_non_null(strstr(picture, count == 1 ? "M70 374H496'" : "M70 374H430'"));
        free(picture);
    }
}

/* The scale of a map has both its ends, or says that all values are equal. */
static void the_scale_of_a_map_has_both_ends(void **state) {
    (void)state;
    /* different values, equal ones, equal ones beside cells without a value, thousands, and none */
    const double values[][4] = {
        {0, 0, 0, 0.5}, {0, 0, 0, 0}, {NAN, 1, 1, 1}, {0, 0, 0, 60.2}, {NAN, NAN, NAN, NAN}};
    const char *const labels[] = {">50</text>", ">% of the time: 0</text>",
                                  ">% of the time: 100</text>", ">6020</text>",
                                  ">no values</text>"};
    for (size_t i = 0; i < 5; i++) {
        const struct heat_map map = {.title = "t",
                                     .across = "x",
                                     .up = "y",
                                     .scale = "% of the time",
                                     .values = values[i],
                                     .rows = 2,
                                     .columns = 2,
                                     .max = i == 2 ? 2 : heat_map_largest(values[i], 4),
                                     .scale_factor = 100};
        struct text_buffer text = TEXT_BUFFER_INIT;
        heat_map_draw(&text, &map, 50, 50, 100, 100);
        char *picture = text_take(&text);
        assert_non_null(picture);
        for (size_t k = 0; k < 5; k++)
            assert_true((strstr(picture, labels[k]) != NULL) == (i == k));
        free(picture);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_pass_points_outside_the_axes_and_break_at_gaps),
        cmocka_unit_test(marks_beyond_the_axes_are_left_out),
        cmocka_unit_test(labels_stand_where_lines_end),
        cmocka_unit_test(long_labels_are_cut),
        cmocka_unit_test(logarithmic_ticks_are_powers_of_the_base),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(axes_hold_all_values),
        cmocka_unit_test(the_scale_of_a_map_has_both_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
