/* Fuzz target: outputs of benchmarks of any bytes are read into tables that ascend and have
 * positive times, or refused with a text and without a table. */
#include "api/calibrate/measurement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(const struct measurement *table) {
    if (table->kind != MEASUREMENT_OTHER && table->count == 0) abort();
    if (strlen(table->name) >= sizeof table->name || table->pairs == 0) abort();
    for (size_t i = 0; i < table->count; i++) {
        const struct measurement_row *row = &table->rows[i];
        if (i > 0 && row->size_bytes <= table->rows[i - 1].size_bytes) abort();
        if (!(row->time_ps > 0) || !isfinite(row->time_ps) || !(row->resolution_ps >= 0)) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct measurement_list list = {0};
    struct status status = STATUS_INIT;
    if (measurements_read_text(&list, "fuzz", (const char *)data, size, &status) != STATUS_OK) {
        if (status.text == NULL || strlen(status.text) < 10 || list.count > 0) abort();
        status_clear(&status);
    }
    for (size_t i = 0; i < list.count; i++)
        check_table(&list.tables[i]);
    measurements_free(&list);
    return 0;
}
