/*
 * Points of comparisons that are kept in a folder, one small file each.
 *
 * Invariant: a file's name is a hash of all that its point depends on: the sources of this library,
 * every setting, what files the settings name, and the trace; and it holds a checksum of itself and
 * of this. So a point that is found is the one that would be run, as it was written. Files appear
 * when they are complete.
 */
#ifndef ANAX_API_KEPT_POINTS_H
#define ANAX_API_KEPT_POINTS_H

#include "api/compare/comparison.h"

struct kept_key {
    uint64_t word[2];
};

status_code kept_key_of(struct kept_key *key, const anax_config *config, const anax_trace *trace,
                        struct status *status);

/* Makes the folder and those above it where they are missing, and removes from it what processes
 * that are no more had begun to write. */
status_code kept_folder(const char *folder, struct status *status);

typedef enum kept_state {
    KEPT_ABSENT,
    KEPT_FOUND,
    KEPT_DAMAGED /* there is a file, but not the one that was written */
} kept_state;

/* point is set only if it is found. */
kept_state kept_find(struct compare_point *point, const char *folder, const struct kept_key *key);

/* label: what the point is, for people who look into the folder. */
status_code kept_store(const struct compare_point *point, const char *folder,
                       const struct kept_key *key, const char *label, struct status *status);

/* Removes what this process has begun to write and not finished; others of its threads may still be
 * writing. */
void kept_abandon(const char *folder);

#endif
