/* Fits the bandwidths of the NIC, in one direction and in both together, to streams of large
 * messages. */
#ifndef ANAX_API_LINK_FIT_H
#define ANAX_API_LINK_FIT_H

#include "api/calibrate/calibration.h"

/* Sets the bandwidths in the calibration's configuration, whose hosts take no time, and records
 * them in its fit. */
status_code link_fit_run(anax_calibration *calibration, const struct benchmark_run *run,
                         struct status *status);

#endif
