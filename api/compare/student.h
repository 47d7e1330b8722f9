/*
 * Student's t distribution with a whole number of degrees of freedom, and Holm's correction. For
 * what reports say of samples; nothing that is simulated depends on them. Knows nothing else.
 */
#ifndef ANAX_API_STUDENT_H
#define ANAX_API_STUDENT_H

#include <stddef.h>
#include <stdint.h>

/* P(|T| > t), the two-sided p value; t >= 0, freedom >= 1. Abramowitz & Stegun, Handbook of
 * Mathematical Functions, 26.7.3 and 26.7.4: finite sums. */
double student_two_sided(double t, uint32_t freedom);

/* The t with student_two_sided(t) = p, for 0 < p < 1. */
double student_quantile(double p, uint32_t freedom);

/* Replaces p values by Holm's: rejecting where they are below a level keeps the probability of any
 * wrong rejection below it (S. Holm, A Simple Sequentially Rejective Multiple Test Procedure,
 * Scandinavian Journal of Statistics 6, 1979). Negative ones stand for no test and stay. */
void student_holm(double *p, size_t count);

#endif
