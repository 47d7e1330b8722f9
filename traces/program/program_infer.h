/*
 * Which sends unrecorded receives take (those of builder_receive_unrecorded). Inside of the traces
 * room, while a program is sealed. The rule stands in docs/model.md, 9.13.
 */
#ifndef ANAX_TRACES_PROGRAM_INFER_H
#define ANAX_TRACES_PROGRAM_INFER_H

#include "traces/program/program_posted.h"

struct program_infer_counts {
    uint64_t inferred; /* unrecorded receives that took a send */
    uint64_t by_time;  /* of them, where only times said which */
    uint64_t vanished; /* those for which there was none */
};

/* Everything of operations and ranks must be final but matches, instances and unrecorded receives.
 * Those become receives with PROGRAM_INFERRED, or vanish with their wait; *posted follows. Matches
 * are of no use after it. */
status_code program_infer(struct program *program, struct program_posted *posted, unsigned threads,
                          struct program_infer_counts *counts, struct status *status);

#endif
