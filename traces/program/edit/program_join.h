/*
 * Joins several programs into one, to run them on one machine at the same time. The ranks of each
 * program follow those of the program before. Ranks of different programs exchange nothing.
 *
 * Must not know: OTF2, files, networks. Invariant: the joined program satisfies program_check if
 * all parts do. It holds the operations of each part unchanged, except for the numbers of ranks,
 * communicators, envelopes, regions and collective arguments.
 */
#ifndef ANAX_TRACES_PROGRAM_JOIN_H
#define ANAX_TRACES_PROGRAM_JOIN_H

#include "traces/program/program.h"

/* Joins `count` programs, which do not change. The caller frees *made with program_free.
 * STATUS_INPUT: together the parts have more ranks, communicators or names than a program can have.
 */
status_code program_join(struct program **made, const struct program *const *parts, uint32_t count,
                         struct status *status);

#endif
