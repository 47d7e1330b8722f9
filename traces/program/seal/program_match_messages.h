/*
 * Matches sends with receives. Private to the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_MATCH_MESSAGES_H
#define ANAX_TRACES_PROGRAM_MATCH_MESSAGES_H

#include "traces/program/seal/program_posted.h"

/* Flag of a RECEIVE before matching: it gets the length of the send it is matched with. */
enum { MATCH_UNSIZED = 0x80 };

/* What matching has found. Unmatched: without a partner. */
struct program_match_counts {
    uint64_t unmatched_sends;    /* of the application */
    uint64_t unmatched_receives; /* of the application */
    uint64_t unmatched_signals;  /* messages that synchronise windows */
    uint64_t truncated_receives; /* receives shorter than their send */
    uint64_t longer_receives;    /* receives longer than their send */
    uint64_t unsized_receives;   /* receives that had MATCH_UNSIZED */
};

/* Sets match of all SEND and RECEIVE operations, and the length of receives. For each
 * (communicator, source, destination, tag) the k-th send is matched with the k-th receive.
 * Everything else of the operations and ranks is final. Messages that do not fit together are
 * counted and are no error. STATUS_INPUT: there are too many messages. STATUS_MEMORY. */
status_code program_match_messages(struct program *program, const struct program_posted *posted,
                                   unsigned threads, struct program_match_counts *counts,
                                   struct status *status);

/* Tests that program_match_messages would set the matches that the program has. STATUS_INPUT names
 * the lowest rank with a receive that is matched otherwise, or with a send to it that is. */
status_code program_match_messages_check(const struct program *program,
                                         const struct program_posted *posted, unsigned threads,
                                         struct program_match_counts *counts,
                                         struct status *status);

#endif
