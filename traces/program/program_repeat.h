/*
 * More iterations than were recorded: what lies in a region is carried out several times.
 *
 * Must not know: OTF2, files, networks.
 */
#ifndef ANAX_TRACES_PROGRAM_REPEAT_H
#define ANAX_TRACES_PROGRAM_REPEAT_H

#include "traces/program/program.h"

/* repeat: "REGION*N" or "REGION#n*N", N from 1. On each rank all from where it enters the region
 * for the n-th time to where it leaves it (without #n: from the first entering to the last leaving)
 * stands in *repeated N times instead of once; what comes before and after, once. Times in the
 * trace move by what the repetitions took there. STATUS_USAGE: cannot be read, or no such region;
 * STATUS_INPUT: not so often in it, or the stretch has ties to what lies beside it, so that N of
 * them make no sense: messages, collectives, requests or regions of which one side lies outside
 * (names the rank and the call), and messages that meet nobody. whole stays as it is. */
status_code program_repeat(struct program **repeated, const struct program *whole,
                           const char *repeat, unsigned threads, struct status *status);

#endif
