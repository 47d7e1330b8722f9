/*
 * How likely it is that collectives were called with MPI_IN_PLACE, where their recorded sizes leave
 * it open. Inside of program_in_place.c only.
 */
#ifndef ANAX_TRACES_IN_PLACE_ODDS_H
#define ANAX_TRACES_IN_PLACE_ODDS_H

#include "traces/key_table.h"
#include "traces/program/program_posted.h"

/* Calls of one kind, with one number of members, of which the trace has recorded one size: N
 * blocks, or N-1 in place. */
struct in_place_class {
    uint32_t kind;
    uint32_t members; /* N */
    uint64_t recorded;
    bool in_place;
    bool is_open; /* the other reading is not less likely by far */
};

struct in_place_odds {
    struct in_place_class *classes;
    size_t count, capacity;
    uint32_t *class_of; /* per arguments, not in place and in place: its class, or PROGRAM_NONE */
    size_t argument_count;
};

/* Whether the recorded size of such a call is N or N-1 blocks, as far as the operation tells. */
bool in_place_concerns(const struct program *program,
                       const struct program_collective_arguments *arguments);
/* The block of such a call as it is taken at present. */
uint64_t in_place_block(const struct program_collective_arguments *arguments);

/* Judges all such calls. Free also after errors. */
status_code in_place_odds_find(struct in_place_odds *odds, const struct program *program,
                               const struct program_posted *posted, struct status *status);
void in_place_odds_free(struct in_place_odds *odds);

/* The class of a call as it was when they were found; NULL: it has no size. */
static inline const struct in_place_class *
in_place_class_of(const struct in_place_odds *odds, const struct program_operation *operation) {
    size_t in_place = (operation->flags & PROGRAM_IN_PLACE) != 0;
    uint32_t number = odds->class_of[2 * (size_t)operation->collective.arguments + in_place];
    return number != PROGRAM_NONE ? &odds->classes[number] : NULL;
}

#endif
