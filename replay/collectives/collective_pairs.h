/*
 * Who sends how much to whom in ALLTOALLV and ALLTOALLW: traces hold only what each member sends in
 * all (row sums R) and receives in all (column sums C), T together. The rule, integers only:
 *
 *     size(i, j) = floor(R_i C_j / T) + |[r_i, r_(i+1)) n [c_j, c_(j+1))|
 *
 * the proportional share, plus the overlap of two intervals: r and c are the running sums of what
 * rounding down has left over in each row and column. Every size is >= 0 and, where sum R = sum C,
 * all row and column sums come out exactly. Where the sums differ, T is the larger one and the
 * difference is sent to nobody.
 *
 * Must not know: ranks, communicators, networks. Memory: one word per row and column.
 */
#ifndef ANAX_REPLAY_COLLECTIVE_PAIRS_H
#define ANAX_REPLAY_COLLECTIVE_PAIRS_H

#include "core/status.h"

#include <stdint.h>

struct collective_pairs {
    const uint64_t *rows; /* bytes each sender sends, not owned */
    const uint64_t *columns;
    uint32_t row_count;
    uint32_t column_count;
    uint64_t total;
    uint64_t *left_rows; /* running sums of what is left over; row_count + 1, column_count + 1 */
    uint64_t *left_columns;
};

/* Takes O(row_count * column_count) divisions, once per set of sums. rows and columns must outlive
 * it. */
status_code collective_pairs_init(struct collective_pairs *pairs, const uint64_t *rows,
                                  uint32_t row_count, const uint64_t *columns,
                                  uint32_t column_count, struct status *status);
void collective_pairs_clear(struct collective_pairs *pairs);

uint64_t collective_pairs_bytes(const struct collective_pairs *pairs, uint32_t row,
                                uint32_t column);

#endif
