/*
 * Placements, judged before they are simulated, and the search for a better one. anax.h has the
 * rules for the whole interface.
 */
#ifndef ANAX_PLACEMENT_H
#define ANAX_PLACEMENT_H

#include <anax/config.h>
#include <anax/options.h>
#include <anax/table.h>
#include <anax/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A plan of a placement. */
typedef struct anax_place_plan {
    size_t size;               /* set by ANAX_PLACE_PLAN_INIT */
    const anax_config *config; /* the machine and the settings placement.* and exchange.* */
    const anax_trace *trace;
    /* A folder that keeps the replays of a search for later searches; made if need be. NULL: they
     * are not kept. Without replays of a search (setting exchange.replays) it must be NULL. */
    const char *points_folder;
} anax_place_plan;

/* A plan without a configuration and a trace. */
#define ANAX_PLACE_PLAN_INIT                                                                       \
    { sizeof(anax_place_plan), NULL, NULL, NULL }

/* The node that each rank of a trace runs on, and the distances and links that its messages use. */
typedef struct anax_placement anax_placement;

/* Places the ranks of a trace as anax_replay would (setting placement.policy, `anax list
 * placement`), and finds the messages between them. If the setting exchange.placements is above 0,
 * searches for a better placement from there by exchange of ranks (anax-place(1)). The trace must
 * live as long as the placement. options: threads, progress; may be NULL. ANAX_ERROR_USAGE: the
 * plan has no configuration, no trace, or a folder that no replay uses; there are more ranks than
 * fit; settings do not fit together. ANAX_ERROR_INPUT: a file that a setting names is missing or
 * wrong (rank file, node list, links, failures). ANAX_ERROR_RUN: the ranks of the trace cannot
 * finish on any network, or a replay of the search failed. ANAX_ERROR_STOPPED: options.progress
 * stopped it. */
ANAX_API anax_code anax_place(anax_placement **placement, const anax_place_plan *plan,
                              const anax_options *options, anax_error *error);

/* Frees a placement; NULL is allowed. */
ANAX_API void anax_placement_free(anax_placement *placement);

/* Returns the number of replays of the search; *found and *damaged, which may be NULL, count those
 * that plan.points_folder had, and those that were damaged there and were run again. */
ANAX_API size_t anax_placement_point_count(size_t *found, size_t *damaged,
                                           const anax_placement *placement);

/* Returns the placement as text for people. The caller frees the text. */
ANAX_API char *anax_placement_text(const anax_placement *placement);

/* Returns the placement for programs (schema anax.place/2, see anax-json(5)). The caller frees the
 * text. */
ANAX_API char *anax_placement_json(const anax_placement *placement);

/* Returns the nodes in use for people, each with its router, its group and its ranks. The caller
 * frees the text. */
ANAX_API char *anax_placement_mapping_text(const anax_placement *placement);

/* Copies the table called place.`name` in the list of tables. Examples of names are "ranks" (their
 * nodes), "distances" and "traffic". ANAX_ERROR_USAGE: there is no table of that name; the text
 * names the tables. ANAX_ERROR_STATE: the result has nothing of the kind. */
ANAX_API anax_code anax_placement_table(anax_table **table, const anax_placement *placement,
                                        const char *name, anax_error *error);

/* Writes a rank file, which a replay reads with the settings placement.policy=rankfile and
 * placement.file. options: replace; may be NULL. Errors as for anax_text_write. */
ANAX_API anax_code anax_placement_write_rank_file(const anax_placement *placement, const char *path,
                                                  const anax_options *options, anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
