/*
 * Cholesky factorisation in integers, with the exact remainder of each entry.
 *
 * Invariant: no sum overflows. The matrix is scaled by a power of two, by which its largest
 * diagonal entry stays below 2^60. A row of the factor is given up as soon as the sum of its
 * squares exceeds the diagonal entry of the row: the matrix then has a negative eigenvalue, and
 * there is no factor. So the sum of the squares of each row is below 2^60, and by the
 * Cauchy-Schwarz inequality the product of any two rows is, too.
 */
#include "network/analysis/bisection/bisection_proof.h"

#include "network/analysis/bisection/bisection_kernel.h"

#include <stddef.h>

enum { PROOF_BITS = 60 };

KERNEL_BODY int64_t row_product_body(const int32_t *a, const int32_t *b, uint32_t count) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (int64_t)a[i] * b[i];
    return sum;
}
KERNEL(int64_t, row_product, (const int32_t *a, const int32_t *b, uint32_t count), (a, b, count))

/* Computes row i of the factor, and adds its remainders to the row sums. Returns false if the
 * matrix is found to have a negative eigenvalue. */
static bool factor_row(const struct bisection_proof_matrix *matrix, uint32_t i, int64_t shift,
                       unsigned bits, int32_t *lower, int64_t *rows) {
    const uint32_t size = matrix->size;
    int32_t *row = &lower[(size_t)i * size];
    const int64_t diagonal = (matrix->diagonal[i] + shift) * (INT64_C(1) << bits);
    int64_t squares = 0;
    for (uint32_t k = 0; k < i; k++) {
        const int32_t *other = &lower[(size_t)k * size];
        int64_t entry = matrix->factor[(size_t)i * size + k] +
                        matrix->penalty * matrix->balance[i] * matrix->balance[k];
        int64_t rest = entry * (INT64_C(1) << bits) - row_product(row, other, k);
        int64_t pivot = other[k];
        int64_t half = rest >= 0 ? pivot / 2 : -(pivot / 2);
        int64_t value = (rest + half) / pivot;
        if (value > INT32_MAX || value < -INT32_MAX) return false;
        squares += value * value;
        if (squares > diagonal) return false;
        int64_t remainder = rest - value * pivot;
        if (remainder < 0) remainder = -remainder;
        rows[i] += remainder;
        rows[k] += remainder;
        row[k] = (int32_t)value;
    }
    int64_t pivot = bisection_kernel_square_root(diagonal - squares); /* rounding down only helps */
    row[i] = (int32_t)pivot;
    return pivot > 0;
}

int64_t bisection_proof_find_correction(const struct bisection_proof_matrix *matrix, int64_t shift,
                                        int32_t *lower, int64_t *rows) {
    const uint32_t size = matrix->size;
    int64_t largest = 1;
    for (uint32_t i = 0; i < size; i++) {
        int64_t diagonal = matrix->diagonal[i] + shift;
        if (diagonal <= 0) return -1;
        if (diagonal > largest) largest = diagonal;
        rows[i] = 0;
    }
    int used = 64 - __builtin_clzll((unsigned long long)largest);
    if (used > PROOF_BITS - 8) return -1;
    unsigned bits = (unsigned)(PROOF_BITS - used);
    for (uint32_t i = 0; i < size; i++) {
        for (uint32_t k = 0; k < i; k++) { /* |entry| <= largest, or the proof fails */
            int64_t entry = matrix->factor[(size_t)i * size + k] +
                            matrix->penalty * matrix->balance[i] * matrix->balance[k];
            if (entry > largest || entry < -largest) return -1;
        }
        if (!factor_row(matrix, i, shift, bits, lower, rows)) return -1;
    }
    int64_t sum = 0;
    for (uint32_t i = 0; i < size; i++)
        sum += shift + (rows[i] >> bits) + 1;
    return sum;
}
