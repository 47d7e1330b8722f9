/*
 * Rotations: roles that move on by one rank in each iteration. Private to the extrapolation. See
 * series_rotation.c.
 */
#ifndef ANAX_TRACES_SERIES_ROTATION_H
#define ANAX_TRACES_SERIES_ROTATION_H

#include "traces/extrapolate/series.h"

/* Looks for a rotation, extrapolates the programs with the new numbers of ranks, and gives the
 * ranks of the new program their own numbers again. Adds the findings to the report. The caller
 * frees *program. Sets *found to whether there is a rotation; if there is none, *status stays.
 * STATUS_MEMORY, STATUS_STOPPED. */
status_code series_rotation_find(struct series *series, struct program **program, bool *found,
                                 struct status *status);

#endif
