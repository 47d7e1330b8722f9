/*
 * The time bins of a result (record.time_bins) as columns of pictures. Each column is the same
 * number of bins, so that there are no more columns than a picture holds.
 */
#ifndef ANAX_API_BIN_COLUMNS_H
#define ANAX_API_BIN_COLUMNS_H

#include <json-c/json_types.h>
#include <stddef.h>

struct bin_columns {
    double width_ps; /* width of a column */
    size_t bins;     /* bins per column */
    size_t columns;  /* number of columns */
};

/* Returns at most `max` columns that hold all bins of a table; no columns if it has no bins. */
struct bin_columns bin_columns_make(struct json_object *table, size_t max);

/* Returns the number of the column that the bin of a row falls into. It can be at or beyond
 * columns->columns if the row is of another table than the columns. */
size_t bin_columns_at(const struct bin_columns *columns, struct json_object *row);

#endif
