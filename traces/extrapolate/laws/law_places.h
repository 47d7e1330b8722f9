/*
 * Laws of tags that are a constant plus the number of a place in a plane (law_places.c). A
 * coordinate of the place is a sum; sums have numbers from 0 to law_place_sums() - 1. Private to
 * the extrapolation.
 */
#ifndef ANAX_TRACES_LAW_PLACES_H
#define ANAX_TRACES_LAW_PLACES_H

#include "traces/extrapolate/laws/series_law.h"

/* law_place_search.c */
/* Sets *law to the law of tags that are numbers of places in a plane in use. Returns false if there
 * is none. */
bool law_find_place(const struct series_law_data *data, struct series_law *law);

/* law_places.c */
/* Returns the number of sums that may give a coordinate of a place. */
uint32_t law_place_sums(void);
/* Returns whether a sum has a coordinate of the rank. */
bool law_place_has_rank(int32_t number);
/* Returns the coordinate of the law's place in a dimension, 0 or 1, at a place of a value. */
int64_t law_place_coordinate(const struct series *series, const struct series_law *law,
                             uint32_t dimension, const struct series_place *place);
/* Returns the tag that a law gives at a place of a value. */
int64_t law_place_value(const struct series *series, const struct series_law *law,
                        const struct series_place *place);
/* Writes a law of places, for reports. */
void law_place_text(const struct series *series, const struct series_law *law, char *text,
                    size_t size);

#endif
