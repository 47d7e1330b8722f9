/*
 * Regions of a program by name, as users give them. Inside of the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_REGIONS_H
#define ANAX_TRACES_PROGRAM_REGIONS_H

#include "traces/program/program.h"

/* Whether the region has that name, of `length` bytes. */
bool program_region_is(const struct program *program, uint32_t region, const char *name,
                       size_t length);

/* Whether any region has it. */
bool program_region_known(const struct program *program, const char *name, size_t length);

/* STATUS_USAGE with the nearest name; option and text are what the user wrote. */
status_code program_region_unknown(const struct program *program, const char *option,
                                   const char *text, const char *name, size_t length,
                                   struct status *status);

#endif
