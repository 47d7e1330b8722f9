/*
 * Finds the sends that unrecorded receives take (those of builder_append_unrecorded). Private to
 * the traces room, while a program is sealed. docs/model.md, 9.13, has the rule.
 */
#ifndef ANAX_TRACES_PROGRAM_INFER_H
#define ANAX_TRACES_PROGRAM_INFER_H

#include "traces/program/seal/program_posted.h"

struct program_infer_counts {
    uint64_t inferred; /* unrecorded receives that took a send */
    uint64_t by_time;  /* those of them for which only times decided between several sends */
    uint64_t vanished; /* unrecorded receives without a send */
};

/* Turns each unrecorded receive into a receive with OPERATION_FLAG_RECEIVE_INFERRED, or removes the
 * receive and its wait, and updates *posted. Operations and ranks are final, except for matches,
 * instances and unrecorded receives. Afterwards the matches of all messages are undefined;
 * program_match_messages sets them. */
status_code program_infer(struct program *program, struct program_posted *posted, unsigned threads,
                          struct program_infer_counts *counts, struct status *status);

#endif
