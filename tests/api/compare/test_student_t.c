/* Student's t against published tables, and Holm's correction against a case worked by hand. */
#include "api/compare/student_t.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Student's table in Fisher & Yates, Statistical Tables (1963), Table III: two-sided 5 % and 1 %.
 */
static void quantiles_are_those_of_the_tables(void **state) {
    (void)state;
    static const struct {
        uint32_t freedom;
        double t05, t01;
    } rows[] = {
        {1, 12.706, 63.657}, {2, 4.303, 9.925},   {3, 3.182, 5.841},  {4, 2.776, 4.604},
        {5, 2.571, 4.032},   {6, 2.447, 3.707},   {7, 2.365, 3.499},  {9, 2.262, 3.250},
        {10, 2.228, 3.169},  {19, 2.093, 2.861},  {30, 2.042, 2.750}, {40, 2.021, 2.704},
        {60, 2.000, 2.660},  {120, 1.980, 2.617},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(fabs(student_t_quantile(0.05, rows[i].freedom) - rows[i].t05) < 0.00051);
        assert_true(fabs(student_t_quantile(0.01, rows[i].freedom) - rows[i].t01) < 0.00051);
        assert_true(fabs(student_t_two_sided_p(rows[i].t05, rows[i].freedom) - 0.05) < 0.0001);
    }
    /* the normal distribution in the limit */
    assert_true(fabs(student_t_quantile(0.05, 100000) - 1.95996) < 0.0001);
}

static void p_values_fall_from_one_to_nothing(void **state) {
    (void)state;
    for (uint32_t freedom = 1; freedom < 40; freedom++) {
        double before = 1;
        assert_true(student_t_two_sided_p(0, freedom) == 1);
        for (double t = 0.25; t < 20; t += 0.25) {
            const double p = student_t_two_sided_p(t, freedom);
            assert_true(p <= before + 1e-12 && p >= 0);
            before = p;
        }
    }
    assert_true(fabs(student_t_two_sided_p(1, 1) - 0.5) < 1e-12); /* Cauchy's quartile */
}

static void holm_multiplies_and_never_falls(void **state) {
    (void)state;
    double p[] = {0.01, -1, 0.04, 0.03, 0.005};
    static const double corrected[] = {0.03, -1, 0.06, 0.06, 0.02};
    student_t_apply_holm(p, 5);
    for (size_t i = 0; i < 5; i++)
        assert_true(fabs(p[i] - corrected[i]) < 1e-12);
    double large[] = {0.9, 0.8, 0};
    student_t_apply_holm(large, 3);
    assert_true(large[0] == 1 && large[1] == 1 && large[2] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_the_tables),
        cmocka_unit_test(p_values_fall_from_one_to_nothing),
        cmocka_unit_test(holm_multiplies_and_never_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
