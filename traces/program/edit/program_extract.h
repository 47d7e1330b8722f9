/*
 * Makes a program of a part of another program: what all ranks do between two places.
 *
 * Must not know: OTF2, files, networks.
 */
#ifndef ANAX_TRACES_PROGRAM_EXTRACT_H
#define ANAX_TRACES_PROGRAM_EXTRACT_H

#include "traces/program/program.h"

/* Makes a program of the part between from and to. Each is NULL or "" (the beginning or the end),
 * or
 *
 *   REGION#n  the n-th time (from 1) that each rank is in this user region or MPI call. The part
 *             begins where the rank enters the region (from) or ends where it leaves it (to).
 *             Without #n: the first time for from, the last time for to
 *   TIME      a time since the start of the trace, with a unit. The part begins with the first call
 *             that begins then or later, or ends with the last call that ends then or earlier
 *
 * Messages and collectives with a side outside the part are left out and counted in notes; waits
 * for requests posted before the part are left out too. *part is a new program; whole does not
 * change. STATUS_USAGE names an unknown region. STATUS_INPUT names a rank that is not in a region
 * as often as asked, or times between which nothing lies. */
status_code program_extract(struct program **part, const struct program *whole, const char *from,
                            const char *to, unsigned threads, struct status *status);

#endif
