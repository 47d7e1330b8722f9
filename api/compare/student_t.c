/* The t distribution and Holm's correction. */
#include "api/compare/student_t.h"

#include <math.h>
#include <stdbool.h>

/* Returns P(|T| < t). With θ = atan(t / sqrt(ν)), each term of the sum is the one before times
 * (k-1)/k · cos²θ, where k goes up by two: from 2 for even ν, from 3 for odd ν. */
static double within(double t, uint32_t freedom) {
    static const double pi = 3.14159265358979323846;
    const double angle = atan(t / sqrt(freedom)), sine = sin(angle), cosine = cos(angle);
    const bool odd = freedom % 2 == 1;
    double term = odd ? cosine : 1, sum = 0;
    for (uint32_t k = odd ? 3 : 2; k <= freedom; k += 2) {
        sum += term;
        term *= (k - 1) * cosine * cosine / k;
    }
    return odd ? 2 / pi * (angle + sine * sum) : sine * sum;
}

double student_t_two_sided_p(double t, uint32_t freedom) {
    const double p = 1 - within(t, freedom);
    return p > 0 ? p : 0;
}

double student_t_quantile(double p, uint32_t freedom) {
    double low = 0, high = 1;
    while (student_t_two_sided_p(high, freedom) > p && high < 1e15)
        high *= 2;
    for (int step = 0; step < 100; step++) {
        const double middle = (low + high) / 2;
        if (student_t_two_sided_p(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* In ascending order, p value i of m (i from 0) is multiplied by m - i and raised to at least the
 * corrected value before it. The values are few, so each next value is found by a search; 2 is
 * added to corrected values to mark them. */
void student_t_apply_holm(double *p, size_t count) {
    size_t tests = 0;
    for (size_t i = 0; i < count; i++)
        tests += p[i] >= 0;
    double min = 0;
    for (size_t left = tests; left > 0; left--) {
        size_t next = count;
        for (size_t i = 0; i < count; i++)
            if (p[i] >= 0 && p[i] < 2 && (next == count || p[i] < p[next])) next = i;
        double corrected = p[next] * (double)left;
        if (corrected > 1) corrected = 1;
        if (corrected > min) min = corrected;
        p[next] = 2 + min;
    }
    for (size_t i = 0; i < count; i++)
        if (p[i] >= 2) p[i] -= 2;
}
