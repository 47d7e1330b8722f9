/* Points of comparisons as files of a folder of points (api/points/kept_folder.h). */
#ifndef ANAX_API_KEPT_POINTS_H
#define ANAX_API_KEPT_POINTS_H

#include "api/compare/comparison.h"
#include "api/points/kept_folder.h"

/* Sets the key of a point from its configuration, which includes the seed, and its trace. */
status_code kept_key_of(struct kept_key *key, const anax_config *config, const anax_trace *trace,
                        struct status *status);

/* Reads a point from its file in a folder. Sets *point only if it returns KEPT_FOUND; the caller
 * frees point->failure. */
kept_state kept_find(struct compare_point *point, const char *folder, const struct kept_key *key);

/* Writes a finished point into a folder. label: describes the point to people who look into the
 * folder. */
status_code kept_store(const struct compare_point *point, const char *folder,
                       const struct kept_key *key, const char *label, struct status *status);

#endif
