/*
 * Which send meets which receive. Inside of the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_MATCH_H
#define ANAX_TRACES_PROGRAM_MATCH_H

#include "traces/program/program_posted.h"

/* Flag of a RECEIVE while a program is built: it is as long as the send it meets. */
enum { MATCH_UNSIZED = 0x80 };

struct program_match_counts {
    uint64_t unmatched_sends;
    uint64_t unmatched_receives;
    uint64_t truncated_receives; /* shorter than the send they meet */
    uint64_t longer_receives;
    uint64_t unsized_receives;
};

/* Sets match of all SEND and RECEIVE operations: per (communicator, source, destination, tag) the
 * k-th send meets the k-th receive; and the length of unsized receives. Everything else of the
 * operations and ranks must be final. */
status_code program_match(struct program *program, const struct program_posted *posted,
                          unsigned threads, struct program_match_counts *counts,
                          struct status *status);

/* Tests that program_match would set what is there. STATUS_INPUT names the lowest rank with a
 * receive, or a send to it, that is matched otherwise. */
status_code program_match_check(const struct program *program, const struct program_posted *posted,
                                unsigned threads, struct program_match_counts *counts,
                                struct status *status);

#endif
