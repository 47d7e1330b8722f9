/* Fits the cost of combining data to the times of allreduces. */
#ifndef ANAX_API_REDUCTION_FIT_H
#define ANAX_API_REDUCTION_FIT_H

#include "api/calibrate/calibration.h"

/* Fits and sets mpi.reduction_per_kib in the calibration's configuration, which already has the
 * fitted hosts. */
status_code reduction_fit_run(anax_calibration *calibration, const struct benchmark_run *run,
                              struct status *status);

#endif
