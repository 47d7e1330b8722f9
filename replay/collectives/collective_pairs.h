/*
 * The sizes of single messages of ALLTOALLV and ALLTOALLW. Traces hold only the bytes that each
 * member sends in total (row sums R) and receives in total (column sums C), with a grand total T.
 * The rule, integers only:
 *
 *     size(i, j) = floor(R_i C_j / T) + |[r_i, r_(i+1)) n [c_j, c_(j+1))|
 *
 * The first term is the proportional share. The second is the overlap of two intervals: r and c are
 * the running sums of the bytes that rounding down leaves over in each row and column. Every size
 * is >= 0 and, if sum R = sum C, all row and column sums are exact. If the sums differ, T is the
 * larger one and the difference is not sent.
 *
 * Must not know: ranks, communicators, networks. Memory: one word per row and column.
 */
#ifndef ANAX_REPLAY_COLLECTIVE_PAIRS_H
#define ANAX_REPLAY_COLLECTIVE_PAIRS_H

#include "core/base/status.h"

#include <stdint.h>

struct collective_pairs {
    const uint64_t *rows; /* bytes that each sender sends in total; not owned */
    const uint64_t *columns;
    uint32_t row_count;
    uint32_t column_count;
    uint64_t total;
    uint64_t *left_rows; /* running sums of the bytes left over; row_count + 1 and column_count + 1
                            entries */
    uint64_t *left_columns;
};

/* Prepares the sizes of one set of sums, with O(row_count * column_count) divisions. `rows` and
 * `columns` must outlive *pairs, which collective_pairs_clear frees. STATUS_MEMORY. */
status_code collective_pairs_init(struct collective_pairs *pairs, const uint64_t *rows,
                                  uint32_t row_count, const uint64_t *columns,
                                  uint32_t column_count, struct status *status);

/* Frees what collective_pairs_init has made. */
void collective_pairs_clear(struct collective_pairs *pairs);

/* Returns size(row, column): the bytes that sender `row` sends to receiver `column`. */
uint64_t collective_pairs_bytes(const struct collective_pairs *pairs, uint32_t row,
                                uint32_t column);

#endif
