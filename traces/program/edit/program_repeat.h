/*
 * Carries out a region of a program several times: more iterations than were recorded.
 *
 * Must not know: OTF2, files, networks.
 */
#ifndef ANAX_TRACES_PROGRAM_REPEAT_H
#define ANAX_TRACES_PROGRAM_REPEAT_H

#include "traces/program/program.h"

/* Makes a program in which each rank carries out a stretch N times. repeat: "REGION*N" or
 * "REGION#n*N", N from 1. The stretch begins where the rank enters the region for the n-th time and
 * ends where the rank leaves it (without #n: from the first time it enters to the last time it
 * leaves). The rank does once what comes before and after the stretch. Each repetition moves the
 * times in the trace by the recorded duration of the stretch. *repeated is a new program; whole
 * does not change. STATUS_USAGE: the text cannot be read, or there is no such region. STATUS_INPUT:
 * a rank is not in the region as often as asked; or a message, collective, request or region has a
 * side outside the stretch, or a message in it has no partner (the text names the rank and the
 * call); or N is too large for the memory or for the rank's operations and times. */
status_code program_repeat(struct program **repeated, const struct program *whole,
                           const char *repeat, unsigned threads, struct status *status);

#endif
