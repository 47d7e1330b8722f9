/*
 * Communicators of a series: families of communicators with one rule for their members, and the
 * lines of a grid that they are. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_COMMUNICATORS_H
#define ANAX_TRACES_SERIES_COMMUNICATORS_H

#include "traces/extrapolate/series.h"

/* The lines of a family in one program. */
struct series_lines {
    uint32_t size, count;
    uint32_t dimensions;
    const uint32_t *extents;
    uint32_t spanned, firsts; /* as in struct series_family */
};

/* series_communicators.c */
/* Matches the communicators of all programs and finds the rule for the members of each, first of
 * the communicators that messages or collectives use. */
status_code series_communicators_find(struct series *series, struct status *status);
/* Defines the communicators of the new program. */
status_code series_communicators_define(struct series *series, struct program_builder *builder,
                                        struct status *status);
/* Returns the communicator of the new program that is a line of a family, or its only one. */
uint32_t series_communicator_index(const struct series_family *family, uint32_t number);
/* Frees what the definition of a family's communicators left. */
void series_communicators_forget(struct series_family *family);
/* Returns the communicator of a family that a rank of the new program is a member of. */
uint32_t series_communicator_of_rank(const struct series *series, uint32_t family, uint32_t rank);
/* Returns whether a rank is in a communicator of the family. */
bool series_is_member(const struct series *series, const struct series_family *family,
                      const struct series_grid_extents *extents, uint32_t ranks, uint32_t rank);
/* Returns whether some ranks are in no communicator of the family. */
bool series_is_for_some(const struct series_family *family);
/* Returns whether no message or collective is in the communicators of a family, but those that make
 * and free them. */
bool series_family_is_idle(const struct series *series, uint32_t family);
/* Writes which communicators a family has, for reports. */
void series_family_text(const struct series *series, const struct series_family *family, char *text,
                        size_t size);
/* Returns the lines of a grid that are the communicators of a family. */
struct series_lines series_lines_of(const struct series *series, const struct series_family *family,
                                    const struct series_grid_extents *extents);
/* Returns the number of the line that a rank is in, and sets its number there. lines->count or
 * more: it is in none. */
uint32_t series_line_place(const struct series_lines *lines, uint32_t rank, uint32_t *member);
/* Returns the rank that is this member of a line. */
uint32_t series_line_rank(const struct series_lines *lines, uint32_t number, uint32_t member);
/* Returns whether a communicator has the members of a line. */
bool series_is_line(const struct program *program, const struct program_communicator *communicator,
                    const struct series_lines *lines, uint32_t number);

#endif
