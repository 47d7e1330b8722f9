/*
 * A part of a program: what all ranks do between two places, as a program of its own.
 *
 * Must not know: OTF2, files, networks.
 */
#ifndef ANAX_TRACES_PROGRAM_PART_H
#define ANAX_TRACES_PROGRAM_PART_H

#include "traces/program/program.h"

/* from, to: NULL or "" (the beginning, the end), or
 *   REGION#n  the n-th time (from 1) that each rank enters that user region or MPI call; from is
 *             where it enters it, to is where it leaves it. Without #n: the first and the last time
 *   TIME      a time since the start of the trace, with a unit: the first call that begins then or
 *             later, and the last that ends then or sooner
 * Messages and collectives of which a side lies outside are left out, and counted in notes; so are
 * waits for what was posted before. STATUS_USAGE names regions that are not there, STATUS_INPUT
 * ranks that are not so often in them, and times with nothing between. *part is a new program;
 * whole stays as it is. */
status_code program_part(struct program **part, const struct program *whole, const char *from,
                         const char *to, unsigned threads, struct status *status);

#endif
