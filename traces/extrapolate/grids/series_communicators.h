/*
 * Communicators of a series. A family is the communicators that one rule gives. The communicators
 * of a family may be lines of a grid: the ranks that share the coordinates in the dimensions that
 * are not spanned. Lines are numbered by these coordinates, from 0. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_COMMUNICATORS_H
#define ANAX_TRACES_SERIES_COMMUNICATORS_H

#include "traces/extrapolate/series.h"

/* The lines of a family in one program. */
struct series_lines {
    uint32_t size;       /* ranks of a line */
    uint32_t count;      /* lines */
    uint32_t dimensions; /* of the grid */
    const uint32_t *extents;
    uint32_t spanned, firsts; /* as in struct series_family */
};

/* series_communicators.c */
/* Finds the families of the series, and the family of each communicator of its programs
 * (PROGRAM_NONE for a communicator without a rule). Communicators that messages or collectives use
 * come first. Sets the members is_used and is_idle of the programs. STATUS_MEMORY. */
status_code series_communicators_find(struct series *series, struct status *status);
/* Defines the communicators of the new program. Free what it leaves in each family with
 * series_communicators_forget, also after errors. STATUS_MEMORY. */
status_code series_communicators_define(struct series *series, struct program_builder *builder,
                                        struct status *status);
/* Returns the index in the new program of a family's line of this number; of a family of another
 * kind, that of its only communicator, whose number is 0. */
uint32_t series_communicator_index(const struct series_family *family, uint32_t number);
/* Frees the list of a family's communicators in the new program. */
void series_communicators_forget(struct series_family *family);
/* Returns the index of the communicator of a family that a rank of the new program is a member of;
 * PROGRAM_NONE: it is a member of none. */
uint32_t series_communicator_of_rank(const struct series *series, uint32_t family, uint32_t rank);
/* Returns whether a rank is in a communicator of the family. ranks, extents: of its program. */
bool series_is_member(const struct series *series, const struct series_family *family,
                      const struct series_grid_extents *extents, uint32_t ranks, uint32_t rank);
/* Returns whether some ranks are in no communicator of the family. */
bool series_is_for_some(const struct series_family *family);
/* Returns whether the communicators of a family have no message, and no collective but those that
 * make and free them. */
bool series_family_is_idle(const struct series *series, uint32_t family);
/* Writes the rule of a family, for reports. */
void series_family_text(const struct series *series, const struct series_family *family, char *text,
                        size_t size);
/* Returns the lines of a family of SERIES_FAMILY_LINES in a program with these extents. */
struct series_lines series_lines_of(const struct series *series, const struct series_family *family,
                                    const struct series_grid_extents *extents);
/* Returns the number of the line that a rank is in, and sets *member to which member of it the rank
 * is. lines->count or more: it is in none. */
uint32_t series_line_place(const struct series_lines *lines, uint32_t rank, uint32_t *member);
/* Returns the rank that is member `member` of line `number`. */
uint32_t series_line_rank(const struct series_lines *lines, uint32_t number, uint32_t member);
/* Returns whether a communicator of a program has the members of line `number`, in their order. */
bool series_is_line(const struct program *program, const struct program_communicator *communicator,
                    const struct series_lines *lines, uint32_t number);

#endif
