/*
 * Curves of other simulators, from fidelity_reference.csv: measured facts, one snapshot each
 * of BookSim 2 and of FOGSim. `steady` there: the simulator accepted 98 % of what was offered. A
 * cell is empty where the figure is not known.
 */
#include "bench/fidelity/fidelity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct reference_row *reference_rows;
size_t reference_count;

bool reference_read(const char *path) {
    struct table table;
    if (!table_read(&table, path)) return false;
    struct reference_row *rows = calloc(table.rows + 1, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < table.rows; i++) {
        const char *curve = table_text(&table, i, "curve");
        const char *simulator = table_text(&table, i, "simulator");
        snprintf(rows[i].curve, sizeof rows[i].curve, "%s", curve != NULL ? curve : "");
        snprintf(rows[i].simulator, sizeof rows[i].simulator, "%s",
                 simulator != NULL ? simulator : "");
        rows[i].offered = table_number(&table, i, "offered_load");
        rows[i].accepted = table_number(&table, i, "accepted_load");
        rows[i].latency = table_number(&table, i, "latency_cycles");
        rows[i].steady = table_number(&table, i, "steady") > 0;
    }
    reference_rows = rows;
    reference_count = rows != NULL ? table.rows : 0;
    table_free(&table);
    return rows != NULL;
}

void reference_free(void) {
    free((void *)reference_rows);
    reference_rows = NULL;
    reference_count = 0;
}

const struct reference_row *reference_at(const char *curve, double load) {
    for (size_t i = 0; i < reference_count; i++)
        if (strcmp(reference_rows[i].curve, curve) == 0 &&
            fabs(reference_rows[i].offered - load) < 1e-6)
            return &reference_rows[i];
    return NULL;
}

bool reference_distance(const struct measurement *curve, struct reference_distances *distances) {
    double max = 0, ours = 0;
    bool found = false;
    *distances = (struct reference_distances){0, 0, 0};
    for (size_t i = 0; i < reference_count; i++) {
        const struct reference_row *row = &reference_rows[i];
        if (strcmp(row->curve, curve->experiment->name) != 0) continue;
        const struct load_point *point = point_at(curve, row->offered);
        if (point == NULL) continue;
        found = true;
        double latency = point->latency / row->latency - 1;
        if (row->steady && !(fabs(latency) <= fabs(distances->latency)))
            distances->latency = latency;
        if (isnan(row->accepted)) continue;
        double accepted = point->accepted / row->accepted - 1;
        if (fabs(accepted) > fabs(distances->accepted)) distances->accepted = accepted;
        if (row->accepted > max) max = row->accepted;
        if (point->accepted > ours) ours = point->accepted;
    }
    if (found) distances->throughput = ours / max - 1;
    return found;
}
