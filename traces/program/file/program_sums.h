/*
 * Sums by which processes that have different ranks of a program test what holds between ranks:
 * each message has the other end that it says it has, and all members of a communicator call the
 * same collectives. Private to the traces room.
 *
 * Each side of such a pair adds a hash of what it says to a sum of its side, so the order does not
 * matter. The sums of the two sides differ if anything differs, but for a chance of one in 2^64.
 * That the k-th send is matched with the k-th receive follows from two more tests of each rank: the
 * matches of its sends to one peer with one envelope ascend, and so do those of its receives, and
 * none follows a message without a match.
 *
 * Not found: a send and a receive that could be matched and are both without a match, other roots
 * and sizes of the members of an intercommunicator, and handles_synchronise that is false and could
 * be true.
 */
#ifndef ANAX_TRACES_PROGRAM_SUMS_H
#define ANAX_TRACES_PROGRAM_SUMS_H

#include "traces/key_table.h"
#include "traces/program/seal/program_posted.h"

/* Without pointers: processes exchange it. */
struct program_sums {
    uint64_t sends; /* of matched messages */
    uint64_t receives;
    uint64_t members; /* of the collectives that each member of a communicator calls */
    uint64_t references;
    uint64_t unmatched_sends; /* numbers: messages of users */
    uint64_t unmatched_receives;
};

/* What a thread needs to add ranks. A zeroed scratch is empty. */
struct program_sums_scratch {
    struct key_table known;             /* communicator -> index in sequences */
    struct program_sequence *sequences; /* of the current rank */
    size_t count;
    size_t capacity;
    struct key_table ends; /* peer and envelope -> index in matches */
    uint32_t *matches;     /* of the last message so far; PROGRAM_NONE: it has none */
    size_t match_count;
    size_t match_capacity;
};

/* Adds what a rank says. lists: its sends, receives and collectives. STATUS_INPUT: the rank alone
 * shows that something is wrong. The operations have passed the tests of program_check that are
 * about one rank. */
status_code program_sums_add(struct program_sums *sums, struct program_sums_scratch *scratch,
                             const struct program *program, uint32_t rank,
                             const struct program_posted_rank *lists, struct status *status);
/* Frees what the scratch holds. */
void program_sums_scratch_free(struct program_sums_scratch *scratch);

/* Adds the sums of other ranks. */
void program_sums_join(struct program_sums *sums, const struct program_sums *others);
/* Tests the sums of all ranks. STATUS_INPUT: something between ranks is wrong. */
status_code program_sums_check(const struct program_sums *sums, const struct program *program,
                               struct status *status);

#endif
