/*
 * Roles that move on by one rank in each iteration. Private to the traces room. See
 * series_rotation.c.
 */
#ifndef ANAX_TRACES_SERIES_ROTATION_H
#define ANAX_TRACES_SERIES_ROTATION_H

#include "traces/extrapolate/series.h"

/* Looks for a rotation, extrapolates the rotated programs, and rotates the new one back. Adds the
 * findings to the report. Sets *found to whether there is one; otherwise *status stays. */
status_code series_rotation_find(struct series *series, struct program **program, bool *found,
                                 struct status *status);

#endif
