/*
 * Points of comparisons that are kept in a folder, one small file each.
 *
 * Invariant: a file's name is a hash of everything that its point depends on: the sources of this
 * library, every setting, the contents of the files that settings name, and the trace. The file has
 * a checksum of its contents and of this hash. A point that is found is therefore equal to the
 * point that a run would give. Files get their names when they are complete.
 */
#ifndef ANAX_API_KEPT_POINTS_H
#define ANAX_API_KEPT_POINTS_H

#include "api/compare/comparison.h"

struct kept_key {
    uint64_t word[2];
};

status_code kept_key_of(struct kept_key *key, const anax_config *config, const anax_trace *trace,
                        struct status *status);

/* Creates the folder and its missing parents, and removes unfinished files of processes that have
 * ended. */
status_code kept_folder(const char *folder, struct status *status);

typedef enum kept_state {
    KEPT_ABSENT,
    KEPT_FOUND,
    KEPT_DAMAGED /* the file's contents differ from those that were written */
} kept_state;

/* Looks for a point in a folder. Sets *point only if it is found. */
kept_state kept_find(struct compare_point *point, const char *folder, const struct kept_key *key);

/* Writes a finished point into a folder. label: describes the point to people who look into the
 * folder. */
status_code kept_store(const struct compare_point *point, const char *folder,
                       const struct kept_key *key, const char *label, struct status *status);

/* Removes the unfinished files of this process; other threads may still be writing them. */
void kept_abandon(const char *folder);

#endif
