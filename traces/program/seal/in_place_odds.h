/*
 * Estimates how likely collectives were called with MPI_IN_PLACE if their recorded sizes allow
 * both. Private to program_in_place.c.
 */
#ifndef ANAX_TRACES_IN_PLACE_ODDS_H
#define ANAX_TRACES_IN_PLACE_ODDS_H

#include "traces/key_table.h"
#include "traces/program/seal/program_posted.h"

/* All calls of one kind, with one number of members N and one recorded size. The size is N blocks,
 * or N-1 blocks if the calls were in place. */
struct in_place_class {
    uint32_t kind;
    uint32_t members;  /* N, the number of members */
    uint64_t recorded; /* the size, in bytes */
    bool in_place;     /* the likelier reading: N-1 blocks */
    bool is_open;      /* true if the other reading has more than a small chance */
};

struct in_place_odds {
    struct in_place_class *classes;
    size_t count, capacity;
    uint32_t *class_of; /* class of the calls with these arguments: entry 2 a for arguments a not in
                           place, entry 2 a + 1 for in place; PROGRAM_NONE: no class */
    size_t argument_count;
};

/* Returns true if a call with these arguments records N or N-1 blocks, so that its size may be read
 * in two ways. */
bool in_place_is_open(const struct program *program,
                      const struct program_collective_arguments *arguments);
/* Returns the bytes of one block of such a call under its present reading. */
uint64_t in_place_block(const struct program_collective_arguments *arguments);

/* Judges all such calls of a program. Free the odds also after errors. */
status_code in_place_odds_find(struct in_place_odds *odds, const struct program *program,
                               const struct program_posted *posted, struct status *status);

/* Frees what in_place_odds_find has made. */
void in_place_odds_free(struct in_place_odds *odds);

/* Returns the class of a call as it was when the classes were found; NULL if the call has none. */
static inline const struct in_place_class *
in_place_class_of(const struct in_place_odds *odds, const struct program_operation *operation) {
    size_t in_place = (operation->flags & OPERATION_FLAG_COLLECTIVE_IN_PLACE) != 0;
    uint32_t number = odds->class_of[2 * (size_t)operation->collective.arguments + in_place];
    return number != PROGRAM_NONE ? &odds->classes[number] : NULL;
}

#endif
