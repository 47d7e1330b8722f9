/*
 * The sizes of the messages of ALLTOALLV and ALLTOALLW from row and column sums; collective_pairs.h
 * has the rule.
 */
#include "replay/collectives/collective_pairs.h"

#include "core/base/wide.h"
#include "core/memory/memory.h"

#include <stdlib.h>

static uint64_t share(uint64_t row, uint64_t column, uint64_t total) {
    if (row == 0 || column == 0) return 0;
    if (row <= UINT32_MAX && column <= UINT32_MAX) return row * column / total;
    return (uint64_t)((wide)row * column / total);
}

static uint64_t sum(const uint64_t *values, uint32_t count) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += values[i];
    return total;
}

static void running_sums(uint64_t *values, uint32_t count) {
    uint64_t total = 0;
    for (uint32_t i = 0; i <= count; i++) {
        uint64_t value = i < count ? values[i] : 0;
        values[i] = total;
        total += value;
    }
}

status_code collective_pairs_init(struct collective_pairs *pairs, const uint64_t *rows,
                                  uint32_t row_count, const uint64_t *columns,
                                  uint32_t column_count, struct status *status) {
    uint64_t sent = sum(rows, row_count), received = sum(columns, column_count);
    *pairs = (struct collective_pairs){
        .rows = rows,
        .columns = columns,
        .row_count = row_count,
        .column_count = column_count,
        .total = sent > received ? sent : received,
        .left_rows = memory_new((size_t)row_count + 1, sizeof(uint64_t)),
        .left_columns = memory_new((size_t)column_count + 1, sizeof(uint64_t))};
    if (pairs->left_rows == NULL || pairs->left_columns == NULL) {
        collective_pairs_clear(pairs);
        return status_set(status, STATUS_MEMORY,
                          "out of memory for the message sizes of %u members", row_count);
    }
    for (uint32_t i = 0; i < row_count; i++)
        pairs->left_rows[i] = rows[i];
    for (uint32_t j = 0; j < column_count; j++)
        pairs->left_columns[j] = columns[j];
    for (uint32_t i = 0; i < row_count; i++) {
        for (uint32_t j = 0; j < column_count; j++) {
            uint64_t bytes = share(rows[i], columns[j], pairs->total);
            pairs->left_rows[i] -= bytes;
            pairs->left_columns[j] -= bytes;
        }
    }
    running_sums(pairs->left_rows, row_count);
    running_sums(pairs->left_columns, column_count);
    return STATUS_OK;
}

void collective_pairs_clear(struct collective_pairs *pairs) {
    free(pairs->left_rows);
    free(pairs->left_columns);
    *pairs = (struct collective_pairs){0};
}

uint64_t collective_pairs_bytes(const struct collective_pairs *pairs, uint32_t row,
                                uint32_t column) {
    const uint64_t *r = &pairs->left_rows[row], *c = &pairs->left_columns[column];
    uint64_t from = r[0] > c[0] ? r[0] : c[0];
    uint64_t to = r[1] < c[1] ? r[1] : c[1];
    return share(pairs->rows[row], pairs->columns[column], pairs->total) +
           (to > from ? to - from : 0);
}
