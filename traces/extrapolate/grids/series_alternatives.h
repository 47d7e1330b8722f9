/*
 * Alternatives of communicators: lines of other grids that fit a family as well in all programs of
 * a series, and differ in the new program. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_ALTERNATIVES_H
#define ANAX_TRACES_SERIES_ALTERNATIVES_H

#include "traces/extrapolate/series.h"

/* Chooses the lines of each family among all that fit the series, and sets the alternative of the
 * family and is_open. STATUS_MEMORY. */
status_code series_alternatives_choose(struct series *series, struct status *status);
/* Writes the alternative of a family, for reports. The family must have one. */
void series_alternative_text(const struct series *series, const struct series_family *family,
                             char *text, size_t size);
/* STATUS_INPUT, always: nothing says which lines a family is (is_open). where: the calls that make
 * and use it, as series_where_communicator writes them. */
status_code series_alternatives_refuse(const struct series *series, uint32_t family_number,
                                       const char *where, struct status *status);

#endif
