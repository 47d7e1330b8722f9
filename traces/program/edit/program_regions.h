/*
 * Finds regions of a program by the names that users give, and removes user regions. Private to the
 * traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_REGIONS_H
#define ANAX_TRACES_PROGRAM_REGIONS_H

#include "traces/program/program.h"

/* Returns true if the region has this name of `length` bytes. */
bool program_region_has_name(const struct program *program, uint32_t region, const char *name,
                             size_t length);

/* Returns true if any region of the program has this name. */
bool program_has_region(const struct program *program, const char *name, size_t length);

/* Removes the user regions from a program. The program is then the one that would have been read
 * without them, and has the same hash. */
status_code program_remove_user_regions(struct program *program, struct status *status);

/* Sets STATUS_USAGE with the nearest known name. option, text: the user's option and its value. */
status_code program_set_unknown_region(const struct program *program, const char *option,
                                       const char *text, const char *name, size_t length,
                                       struct status *status);

#endif
