/*
 * What if a kernel were faster: factors on the computation inside user regions.
 *
 * Must not know: OTF2, files, networks.
 */
#ifndef ANAX_TRACES_PROGRAM_SCALE_H
#define ANAX_TRACES_PROGRAM_SCALE_H

#include "traces/program/program.h"

/* scales: "REGION:FACTOR,REGION:FACTOR…", factors as ratios (0.5, 25%) up to 1000000. Multiplies
 * each computation that lies in one of these user regions, however deep, by the factor of the
 * innermost of them, rounded down, but to no less than 1 ps: a computation stays one. The program
 * changes in place, before anybody else sees it, with its source and content hash. STATUS_USAGE
 * names what cannot be read and regions that are not there; STATUS_INPUT computations that become
 * too long. Nothing is changed after an error but STATUS_MEMORY. */
status_code program_scale(struct program *program, const char *scales, unsigned threads,
                          struct status *status);

#endif
