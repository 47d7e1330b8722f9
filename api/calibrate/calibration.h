/*
 * A calibration: the measurements, the settings fitted to them, and the times of the same
 * benchmarks on the machine with the fitted settings.
 */
#ifndef ANAX_API_CALIBRATION_H
#define ANAX_API_CALIBRATION_H

#include "api/api.h"
#include "api/calibrate/benchmark_run.h"
#include "api/calibrate/host_fit.h"
#include "api/calibrate/measurement.h"

struct anax_calibration {
    anax_config *config; /* the machine with the fitted settings */
    anax_config *given;  /* the machine as the caller gave it */
    struct measurement_list measurements;
    double **modelled_ps; /* [table][row]; NULL for tables that are not used */
    struct benchmark_nodes nodes;
    struct host_fit fit;
    char *warnings; /* one warning per line */
};

/* Fits the host model to the measurements, and computes the times of the measured benchmarks with
 * the fitted settings. STATUS_INPUT: the measurements have no ping-pong. */
status_code calibration_fit(anax_calibration *calibration, const anax_options *options,
                            struct status *status);

/* Returns whether the times of a table are modelled. */
bool calibration_uses(const anax_calibration *calibration, const struct measurement *table);

/* Returns the fitted machine as a machine file, which the caller frees; NULL: out of memory. */
char *calibrated_machine_yaml(const anax_calibration *calibration);

/* Finds the mean and the largest deviation of the model, |modelled / measured - 1|, over all tables
 * of a kind, and the message size of the largest. Returns false if there is no such table. */
bool calibration_deviation(const anax_calibration *calibration, measurement_kind kind, double *mean,
                           double *max, uint64_t *max_bytes);

#endif
