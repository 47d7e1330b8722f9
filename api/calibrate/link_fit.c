/*
 * Fits bandwidths of the NIC to streams, so that the replay of the largest messages takes the
 * measured time.
 *
 * Invariant: a bandwidth is fitted only if the measured stream is slower than the machine's by more
 * than measurements vary. A machine that is slower than the measurement is reported.
 */
#include "api/calibrate/link_fit.h"

#include "api/calibrate/fit_settings.h"

#include <inttypes.h>
#include <math.h>

/* The smallest message to fit; the time of shorter messages depends on more than the bandwidth. */
#define LARGE_BYTES 262144
#define TOLERANCE   0.03

enum { ROUNDS = 6 };

/* Returns the row of the largest message in all tables of a kind, and sets *table to its table;
 * NULL: there is none. */
static const struct measurement_row *find_largest(const struct measurement_list *list,
                                                  measurement_kind kind,
                                                  const struct measurement **table) {
    const struct measurement_row *largest = NULL;
    for (size_t t = 0; t < list->count; t++) {
        const struct measurement *candidate = &list->tables[t];
        if (candidate->kind != kind || candidate->count == 0) continue;
        const struct measurement_row *last = &candidate->rows[candidate->count - 1];
        if (largest != NULL && last->size_bytes <= largest->size_bytes) continue;
        largest = last;
        *table = candidate;
    }
    return largest;
}

static int64_t three_digits(double bandwidth) {
    const double grain = pow(10, floor(log10(bandwidth)) - 2);
    return (int64_t)(round(bandwidth / grain) * grain);
}

/* Finds the bandwidth with which the replay of a stream takes the measured time. */
static status_code match_bandwidth(struct fit_result *fitted, fit_parameter parameter,
                                   anax_calibration *calibration, const struct benchmark_run *run,
                                   const struct measurement *table,
                                   const struct measurement_row *row, double ways,
                                   struct status *status) {
    double bandwidth = ways * table->pairs * (double)row->size_bytes / row->time_ps * 1e12;
    for (int i = 0; i < ROUNDS; i++) {
        double time_ps = 0;
        fitted->count = 0;
        host_fit_add_step(fitted, 0, bandwidth, INFINITY);
        FORWARD_IF_ERROR(fit_setting_apply(calibration->config, parameter, fitted, status));
        FORWARD_IF_ERROR(benchmark_times(&time_ps, run, table, &row->size_bytes, 1, status));
        bandwidth *= time_ps / row->time_ps;
    }
    fitted->count = 0;
    host_fit_add_step(fitted, 0, (double)three_digits(bandwidth), INFINITY);
    return fit_setting_apply(calibration->config, parameter, fitted, status);
}

static status_code fit_one(anax_calibration *calibration, const struct benchmark_run *run,
                           fit_parameter parameter, measurement_kind kind, double ways,
                           const char *program, struct status *status) {
    struct fit_result *fitted = &calibration->fit.parameters[parameter];
    const struct measurement *table = NULL;
    const struct measurement_row *row = find_largest(&calibration->measurements, kind, &table);
    double time_ps = 0;
    host_fit_set_how(fitted, FIT_KEPT, "needs a stream of large messages (%s)", program);
    if (row == NULL || row->size_bytes < LARGE_BYTES) return STATUS_OK;
    FORWARD_IF_ERROR(benchmark_times(&time_ps, run, table, &row->size_bytes, 1, status));
    if (row->time_ps > (1 + TOLERANCE) * time_ps) {
        FORWARD_IF_ERROR(
            match_bandwidth(fitted, parameter, calibration, run, table, row, ways, status));
        host_fit_set_how(fitted, FIT_DETERMINED, "%s: stream of %" PRIu64 " bytes", table->name,
                         row->size_bytes);
        return STATUS_OK;
    }
    host_fit_set_how(fitted, FIT_KEPT, "%s is not limited by it", table->name);
    if (row->time_ps < (1 - TOLERANCE) * time_ps)
        host_fit_warn(&calibration->fit,
                      "%s of %" PRIu64
                      " bytes is %.3g times as fast as this machine's network can be; "
                      "its bandwidths are too small",
                      table->name, row->size_bytes, time_ps / row->time_ps);
    return STATUS_OK;
}

status_code link_fit_run(anax_calibration *calibration, const struct benchmark_run *run,
                         struct status *status) {
    if (run->nodes.first == run->nodes.second) {
        for (fit_parameter i = FIT_NIC_BANDWIDTH; i <= FIT_HOST_BANDWIDTH; i++)
            host_fit_set_how(&calibration->fit.parameters[i], FIT_KEPT, "%s", fit_needs_nodes);
        return STATUS_OK;
    }
    FORWARD_IF_ERROR(fit_one(calibration, run, FIT_NIC_BANDWIDTH, MEASUREMENT_STREAM, 1,
                             "osu_bw, IMB Uniband", status));
    return fit_one(calibration, run, FIT_HOST_BANDWIDTH, MEASUREMENT_BISTREAM, 2,
                   "osu_bibw, IMB Biband", status);
}
