/*
 * Several programs side by side in one, for running them on one machine at once: the ranks of each
 * follow those of the one before, and nobody exchanges anything with another program's ranks.
 *
 * Must not know: OTF2, files, networks. Invariant: the joined program satisfies program_check if
 * its parts do, and holds of each rank what its part holds, but for the numbers of ranks,
 * communicators, channels, regions and collective arguments.
 */
#ifndef ANAX_TRACES_PROGRAM_JOIN_H
#define ANAX_TRACES_PROGRAM_JOIN_H

#include "traces/program/program.h"

/* The parts stay as they are. STATUS_INPUT: together they have more of something than a program
 * can. */
status_code program_join(struct program **joined, const struct program *const *parts,
                         uint32_t count, struct status *status);

#endif
