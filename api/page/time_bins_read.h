/*
 * The time bins of a result (record.time_bins) as columns of pictures: as many as a picture holds,
 * each of as many bins as the others.
 */
#ifndef ANAX_API_TIME_BINS_READ_H
#define ANAX_API_TIME_BINS_READ_H

#include <json-c/json_types.h>
#include <stddef.h>

struct bin_columns {
    double width_ps;      /* of a column */
    size_t bins, columns; /* bins of a column; columns */
};

/* Finds the columns that hold all bins of a table; no columns if it has no bins. */
struct bin_columns bin_columns_of(struct json_object *table, size_t most);

/* Returns the column of a row of a table with bins; other tables may have later ones. */
size_t bin_columns_at(const struct bin_columns *columns, struct json_object *row);

#endif
