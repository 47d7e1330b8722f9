/*
 * Lines that fit the communicators of a family alike in all programs of a series, and differ in the
 * new program. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_ALTERNATIVES_H
#define ANAX_TRACES_SERIES_ALTERNATIVES_H

#include "traces/extrapolate/series.h"

/* Chooses the lines of each family among those that fit the series alike. */
status_code series_alternatives_choose(struct series *series, struct status *status);
/* Writes the alternative of a family. */
void series_alternative_text(const struct series *series, const struct series_family *family,
                             char *text, size_t size);
/* Sets the error for a family that is open. where: the calls that make and use it. */
status_code series_alternatives_refuse(const struct series *series, uint32_t family_number,
                                       const char *where, struct status *status);

#endif
