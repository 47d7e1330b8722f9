/*
 * Matches the sends and receives of a program whose operations were packed while it was built.
 * Private to the traces room, while such a program is sealed.
 *
 * A pairing is the sends of a rank to one peer with one envelope (communicator and tag), or its
 * receives from one. The k-th message of a pairing is matched with the k-th of the peer's pairing.
 * What matching needs to know of a message is therefore its number alone. In loops the numbers of a
 * pairing have equal distances, and are stored as runs. Where no distances are equal, a message
 * takes 6 bytes. The sends of a rank that has a pairing with several lengths take 8 more.
 */
#ifndef ANAX_TRACES_PROGRAM_PAIRINGS_H
#define ANAX_TRACES_PROGRAM_PAIRINGS_H

#include "traces/key_table.h"
#include "traces/program/seal/program_match_messages.h"

struct program_pairing {
    uint64_t first;    /* index of its first message among those of its kind, by pairing */
    uint64_t run;      /* index of its first run */
    uint64_t bytes;    /* of each send, or PROGRAM_PAIRING_VARIES */
    uint32_t count;    /* messages */
    uint32_t kind;     /* OPERATION_SEND or OPERATION_RECEIVE */
    uint32_t peer;     /* world rank */
    uint32_t envelope; /* index in envelopes */
};
#define PROGRAM_PAIRING_VARIES UINT64_MAX

/* Numbers of messages, each `step` above the one before it. */
struct program_run {
    uint32_t first;
    uint32_t step;
    uint32_t count;
};

/* The pairings of a rank. */
struct program_pairings {
    struct program_pairing *pairings; /* sorted by kind, peer and envelope */
    uint32_t count;
    uint32_t *of_whole;       /* for each whole operation: its pairing; PROGRAM_NONE: it has none */
    struct program_run *runs; /* of messages among those of their kind */
    uint64_t run_count;
    uint64_t *lengths; /* of sends, by pairing; NULL: each pairing has one */
};

/* What a thread needs to find pairings; zeroed: nothing so far. */
struct program_pairing_finder {
    struct key_table index;
    struct program_pairing *pairings;
    uint32_t *of_whole;
    uint32_t *list;
    struct program_run *runs;
    size_t run_count;
    size_t capacity, whole_capacity, list_capacity, run_capacity;
};

/* Finds the pairings of a rank that is being packed. sends: for each send the number of its whole
 * operation, in place of a place; receives likewise. */
status_code program_pairings_find(struct program_pairings *pairings,
                                  struct program_pairing_finder *finder,
                                  const struct program_operation *whole, size_t whole_count,
                                  const struct program_places *sends,
                                  const struct program_places *receives, struct status *status);
/* Frees what a finder holds. */
void program_pairing_finder_free(struct program_pairing_finder *finder);
/* Gives the envelopes of pairings the numbers that they have in the program, and sorts the
 * pairings. */
status_code program_pairings_place(struct program_pairings *pairings, const uint32_t *envelopes,
                                   size_t whole_count, struct status *status);
/* Frees the pairings of a rank. */
void program_pairings_clear(struct program_pairings *pairings);

/* Does what program_match_messages does, for a packed program. pairings: [rank]. */
status_code program_pairings_match(struct program *program, const struct program_pairings *pairings,
                                   unsigned threads, struct program_match_counts *counts,
                                   struct status *status);

#endif
