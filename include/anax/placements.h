/*
 * Placements, judged before they are simulated. anax.h includes this header.
 */
#ifndef ANAX_PLACEMENTS_H
#define ANAX_PLACEMENTS_H

#include <anax/anax.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The node that each rank of a trace runs on, and the distances and links that its messages use. */
typedef struct anax_placement anax_placement;

/* Places the ranks of a trace as anax_replay would, and finds the messages between them. The trace
 * must live as long as the placement. ANAX_USAGE: more ranks than fit, or settings that do not fit
 * together. ANAX_INPUT: a rank file or node list is wrong. ANAX_RUN: the ranks of the trace cannot
 * finish on any network. */
ANAX_API anax_code anax_place(anax_placement **placement, const anax_config *config,
                              const anax_trace *trace, anax_error *error);

/* Does the same and, if exchange.placements is above 0, searches for a better placement from there
 * by exchange of ranks (docs/search.md). options: threads, progress, progress_context and points
 * for the replays of the search; may be NULL. Other members have no effect, but checkpoint, resume
 * and processes must be NULL, else ANAX_USAGE. ANAX_RUN: a replay failed, or options.progress
 * stopped it. */
ANAX_API anax_code anax_place_by(anax_placement **placement, const anax_config *config,
                                 const anax_trace *trace, const anax_options *options,
                                 anax_error *error);
ANAX_API void anax_placement_free(anax_placement *placement);

/* Returns the placement for people, and for programs (schema anax.place/2, see anax-json(5)). */
ANAX_API char *anax_placement_text(const anax_placement *placement);
ANAX_API char *anax_placement_json(const anax_placement *placement);

/* Returns the number of replays of the search; *found and *damaged, which may be NULL, count those
 * that anax_options.points had, and those that were damaged there and were run again. */
ANAX_API size_t anax_placement_points(const anax_placement *placement, size_t *found,
                                      size_t *damaged);

/* Returns the nodes in use for people, each with its router, its group and its ranks. */
ANAX_API char *anax_placement_mapping_text(const anax_placement *placement);

/* Copies one table, as anax_result_table does. */
ANAX_API anax_code anax_placement_table(anax_table **table, const anax_placement *placement,
                                        const char *name, anax_error *error);

/* Writes a rank file for the placement `rankfile`. */
ANAX_API anax_code anax_placement_write(const anax_placement *placement, const char *path,
                                        const anax_options *options, anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
