/*
 * Exact proof that a symmetric integer matrix has no negative eigenvalue.
 *
 * A rounded Cholesky factor L of M·2^f is computed in integers; the remainder R = M·2^f - L·L^T is
 * exact. L·L^T has no negative eigenvalue, and neither has R with its absolute row sums added to
 * its diagonal (Gershgorin). So M has none after these sums, divided by 2^f and rounded up, are
 * added to its diagonal. Knows matrices only.
 */
#ifndef ANAX_NETWORK_BISECTION_PROOF_H
#define ANAX_NETWORK_BISECTION_PROOF_H

#include <stdbool.h>
#include <stdint.h>

/* A matrix M with M_ij = factor[i·size + j] + penalty·balance_i·balance_j off the diagonal, and
 * diagonal[i] on it. */
struct bisection_proof_matrix {
    uint32_t size;
    const int32_t *factor;
    const int32_t *balance;
    int64_t penalty;
    const int64_t *diagonal;
};

/*
 * Returns the sum of what must be added to the diagonal so that no eigenvalue is negative: `shift`
 * for each entry, and what the rounding needs. The result is negative if this shift is not enough.
 * `lower` has room for size·size entries, `rows` for size entries.
 */
int64_t bisection_proof_find_correction(const struct bisection_proof_matrix *matrix, int64_t shift,
                                        int32_t *lower, int64_t *rows);

#endif
