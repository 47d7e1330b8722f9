/*
 * Points of comparisons that are kept in a folder, one small file each.
 *
 * Invariant: a file's name is a hash of all that its point depends on: the sources of this library,
 * every setting, what files the settings name, and the trace. So a point that is found is the one
 * that would be run. Files appear when they are complete; what cannot be read counts as absent.
 */
#ifndef ANAX_API_KEPT_POINTS_H
#define ANAX_API_KEPT_POINTS_H

#include "api/compare/comparison.h"

typedef struct kept_key {
    uint64_t word[2];
} kept_key;

status_code kept_key_of(kept_key *key, const anax_config *config, const anax_trace *trace,
                        status *status);

/* Makes the folder and those above it where they are missing. */
status_code kept_folder(const char *folder, status *status);

/* False when there is none. */
bool kept_find(compare_point *point, const char *folder, const kept_key *key);

/* label: what the point is, for people who look into the folder. */
status_code kept_store(const compare_point *point, const char *folder, const kept_key *key,
                       const char *label, status *status);

#endif
