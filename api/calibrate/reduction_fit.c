/*
 * Fits mpi.reduction_per_kib to allreduces. Their time is linear in this setting (docs/model.md,
 * 9.5), so two replays, without and with a cost of reductions, determine its value for each size.
 */
#include "api/calibrate/reduction_fit.h"

#include "api/calibrate/fit_settings.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdlib.h>

/* The smallest vector to fit; the time of smaller vectors hardly depends on the setting. */
#define LARGE_BYTES 1024
#define PROBE_PS    100000.0

struct probe {
    struct segment_point *points; /* time in ps/10^6 that 1 ps per KiB adds, by size */
    size_t count;
};

static status_code replay_with(double *times_ps, double per_kib_ps, anax_calibration *calibration,
                               const struct benchmark_run *run, const struct measurement *table,
                               const uint64_t *sizes, struct status *status) {
    struct fit_result fitted = {0};
    host_fit_add_step(&fitted, 0, per_kib_ps, 0);
    FORWARD_IF_ERROR(fit_setting_apply(calibration->config, FIT_REDUCTION, &fitted, status));
    return benchmark_times(times_ps, run, table, sizes, table->count, status);
}

/* Fits the setting to all sizes by least squares of the relative errors of times. */
static void fit_least_squares(struct fit_result *fitted, const struct measurement *table,
                              const double *without_ps, const double *with_ps) {
    double numerator = 0, denominator = 0, squares = 0;
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) {
        const double each = (with_ps[i] - without_ps[i]) / PROBE_PS;
        if (table->rows[i].size_bytes < LARGE_BYTES || each <= 0) continue;
        const double weight = 1 / (table->rows[i].time_ps * table->rows[i].time_ps);
        numerator += weight * each * (table->rows[i].time_ps - without_ps[i]);
        denominator += weight * each * each;
        count++;
    }
    if (count == 0) return;
    const double value = numerator / denominator;
    for (size_t i = 0; i < table->count; i++) {
        const double each = (with_ps[i] - without_ps[i]) / PROBE_PS;
        if (table->rows[i].size_bytes < LARGE_BYTES || each <= 0) continue;
        const double rest =
            (table->rows[i].time_ps - without_ps[i] - value * each) / table->rows[i].time_ps;
        squares += rest * rest;
    }
    const double half =
        count > 1 ? 2 * sqrt(squares / (double)(count - 1) / denominator) : INFINITY;
    host_fit_add_step(fitted, 0, value, half);
    host_fit_set_how(fitted, FIT_DETERMINED, "%s of %u processes, from 1 KiB on", table->name,
                     (unsigned)table->processes);
}

static status_code fit_table(anax_calibration *calibration, const struct benchmark_run *run,
                             const struct measurement *table, struct status *status) {
    uint64_t *sizes = memory_new(table->count, sizeof *sizes);
    double *without_ps = memory_new(table->count, sizeof *without_ps);
    double *with_ps = memory_new(table->count, sizeof *with_ps);
    status_code code = STATUS_OK;
    if (sizes == NULL || without_ps == NULL || with_ps == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for allreduces");
    for (size_t i = 0; i < table->count && code == STATUS_OK; i++)
        sizes[i] = table->rows[i].size_bytes;
    if (code == STATUS_OK)
        code = replay_with(without_ps, 0, calibration, run, table, sizes, status);
    if (code == STATUS_OK)
        code = replay_with(with_ps, PROBE_PS, calibration, run, table, sizes, status);
    if (code == STATUS_OK)
        fit_least_squares(&calibration->fit.parameters[FIT_REDUCTION], table, without_ps, with_ps);
    free(sizes);
    free(without_ps);
    free(with_ps);
    return code;
}

status_code reduction_fit_run(anax_calibration *calibration, const struct benchmark_run *run,
                              struct status *status) {
    struct fit_result *fitted = &calibration->fit.parameters[FIT_REDUCTION];
    host_fit_set_how(fitted, FIT_KEPT,
                     "needs an allreduce of 1 KiB or more, and its processes (calibrate.ranks)");
    const struct measurement_list *list = &calibration->measurements;
    for (size_t t = 0; t < list->count && fitted->count == 0; t++)
        if (list->tables[t].kind == MEASUREMENT_ALLREDUCE &&
            calibration_uses(calibration, &list->tables[t]))
            FORWARD_IF_ERROR(fit_table(calibration, run, &list->tables[t], status));
    return fit_settings_apply(calibration->config, calibration->given, &calibration->fit, status);
}
