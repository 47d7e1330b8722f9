/*
 * Student's t distribution with a whole number of degrees of freedom, and Holm's correction, for
 * the statistics of reports. No simulated value depends on them.
 */
#ifndef ANAX_API_STUDENT_T_H
#define ANAX_API_STUDENT_T_H

#include <stddef.h>
#include <stdint.h>

/* Returns P(|T| > t), the two-sided p value; t >= 0, freedom >= 1. Uses the finite sums of
 * Abramowitz & Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4. */
double student_t_two_sided_p(double t, uint32_t freedom);

/* Returns the t with student_t_two_sided_p(t, freedom) = p, for 0 < p < 1. */
double student_t_quantile(double p, uint32_t freedom);

/* Replaces p values by Holm's corrected values. Rejecting hypotheses whose corrected value is below
 * a level keeps the probability of any wrong rejection below this level (S. Holm, A Simple
 * Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6, 1979).
 * Negative values mean "not tested" and stay. */
void student_t_apply_holm(double *p, size_t count);

#endif
