/*
 * A calibration: what was measured, what was fitted to it, and what the machine with the fitted
 * settings makes of the same benchmarks.
 */
#ifndef ANAX_API_CALIBRATION_H
#define ANAX_API_CALIBRATION_H

#include "api/api.h"
#include "api/calibrate/benchmark_run.h"
#include "api/calibrate/host_fit.h"
#include "api/calibrate/measurement.h"

struct anax_calibration {
    anax_config *config; /* the machine with the fitted settings */
    anax_config *given;  /* as it was given */
    struct measurement_list measurements;
    double **modelled_ps; /* [table][row]; NULL for tables that are not used */
    struct benchmark_nodes nodes;
    struct host_fit fit;
    char *warnings; /* a line each */
};

/* Fits the host model to the measurements, and models them again. STATUS_INPUT: there is no
 * ping-pong among them. */
status_code calibration_fit(anax_calibration *calibration, const anax_options *options,
                            struct status *status);

/* Whether a table is modelled. */
bool calibration_uses(const anax_calibration *calibration, const struct measurement *table);

/* The machine file; NULL when out of memory. */
char *calibrated_machine_yaml(const anax_calibration *calibration);

/* Largest and mean deviation of the model, of all tables of a kind: |modelled / measured - 1|.
 * False: there is no such table. */
bool calibration_deviation(const anax_calibration *calibration, measurement_kind kind, double *mean,
                           double *most, uint64_t *most_bytes);

#endif
