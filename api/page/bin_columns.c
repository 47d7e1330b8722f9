/*
 * Chooses how many time bins each column joins, and finds the column of a row of a result's table.
 */
#include "api/page/bin_columns.h"

#include "api/page/page_values.h"

enum { BINS_MAX = 1 << 20 };

struct bin_columns bin_columns_make(struct json_object *table, size_t max) {
    struct bin_columns columns = {0};
    size_t bins = 0;
    double width_ps = 0;
    for (size_t i = 0; i < page_value_count(table); i++) {
        struct json_object *row = page_value_at(table, i);
        const size_t bin = page_value_size(row, "bin", BINS_MAX);
        const double now = page_value_number(row, "to_ps") - page_value_number(row, "from_ps");
        if (bin + 1 > bins) bins = bin + 1;
        if (now > width_ps) width_ps = now;
    }
    if (bins == 0 || !(width_ps > 0)) return columns;
    columns.bins = (bins + max - 1) / max;
    columns.columns = (bins + columns.bins - 1) / columns.bins;
    columns.width_ps = width_ps * (double)columns.bins;
    return columns;
}

size_t bin_columns_at(const struct bin_columns *columns, struct json_object *row) {
    return page_value_size(row, "bin", BINS_MAX) / columns->bins;
}
