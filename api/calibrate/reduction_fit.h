/* The cost of combining data, from allreduces. */
#ifndef ANAX_API_REDUCTION_FIT_H
#define ANAX_API_REDUCTION_FIT_H

#include "api/calibrate/calibration.h"

/* The calibration's configuration has the fitted hosts; sets mpi.reduction_per_kib. */
status_code reduction_fit_run(anax_calibration *calibration, const struct benchmark_run *run,
                              struct status *status);

#endif
