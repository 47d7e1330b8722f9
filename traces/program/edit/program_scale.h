/*
 * Multiplies the computation inside user regions by factors, to predict the effect of faster
 * kernels.
 *
 * Must not know: OTF2, files, networks.
 */
#ifndef ANAX_TRACES_PROGRAM_SCALE_H
#define ANAX_TRACES_PROGRAM_SCALE_H

#include "traces/program/program.h"

/* Scales computations in place. scales: "REGION:FACTOR,REGION:FACTOR…"; a factor is a ratio (0.5,
 * 25%) up to 1000000. A computation inside one or more of these user regions is multiplied by the
 * factor of the innermost one and rounded down, but not below 1 ps. Updates the source and the
 * content hash of the program. STATUS_USAGE: a text cannot be read, or a region is unknown.
 * STATUS_INPUT: a computation becomes too long. After these two errors the program is unchanged;
 * after others it may be scaled. */
status_code program_scale(struct program *program, const char *scales, unsigned threads,
                          struct status *status);

#endif
