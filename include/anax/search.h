/*
 * The search for the best of many machines and settings, by cost and time. anax.h has the rules for
 * the whole interface.
 */
#ifndef ANAX_SEARCH_H
#define ANAX_SEARCH_H

#include <anax/config.h>
#include <anax/options.h>
#include <anax/sweep_part.h>
#include <anax/table.h>
#include <anax/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Running a search ------------------------------------------------------------------------ */

/* A plan of a search. Every combination of machines and of the factors' values is a candidate. */
typedef struct anax_search_plan {
    size_t size; /* set by ANAX_SEARCH_PLAN_INIT */
    /* machine_count configurations, each with all settings of a machine. Machines must differ, and
     * so must their names (anax_config_machine). */
    const anax_config *const *machines;
    size_t machine_count; /* at least one */
    /* factor_count texts, each a setting and its values: "network.groups=9,17,33". NULL if there
     * are none. */
    const char *const *factors;
    size_t factor_count;
    /* limit_count texts, each a limit on the nodes of the machine, the radix of a router or the
     * cost of the network in dollars: "nodes=100:2000" from 100 to 2000, "radix=64" and "cost=1e6"
     * at most. Candidates beyond a limit are left out. NULL if there are none. */
    const char *const *limits;
    size_t limit_count;
    const anax_trace *trace;
    const char *path; /* names the trace; NULL: its own path */
    uint64_t seeds;   /* of the last stage, from the first machine's `seed` upwards; 1 … 1000 */
    const char *points_folder; /* keeps finished points for later runs; NULL: they are not kept */
} anax_search_plan;

/* A plan without machines and trace, with one seed. */
#define ANAX_SEARCH_PLAN_INIT                                                                      \
    { sizeof(anax_search_plan), NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 1, NULL }

/* The candidates of a plan, and the Pareto front of cost and time among them. */
typedef struct anax_search anax_search;

/* Searches in stages: first a part of the trace with one seed, then the whole trace, then all
 * seeds, each for fewer candidates. Several points run at once and do not change the result. The
 * trace must live as long as the search. options: threads, points_at_once, progress,
 * ascii_only; may be NULL. ANAX_ERROR_USAGE: the plan has no machine or no trace, or a wrong number
 * of seeds or points; two machines are equal; two machines have the same name; a factor's setting
 * cannot vary; a value or limit is not valid; no candidate is possible and within the limits; there
 * can be no folder of this name. ANAX_ERROR_RUN: no candidate finished; there is no *search then.
 * ANAX_ERROR_STOPPED: options.progress stopped the run; finished points are kept.
 * ANAX_ERROR_SYSTEM: the folder cannot be written. */
ANAX_API anax_code anax_search_run(anax_search **search, const anax_search_plan *plan,
                                   const anax_options *options, anax_error *error);

/* Frees a search; NULL is allowed. */
ANAX_API void anax_search_free(anax_search *search);

/* Takes part in the search of a plan, as one of several processes, and keeps its points in
 * plan.points_folder, which must not be NULL. In each stage of the search, part K of N first
 * computes every N-th point from the K-th on, and then points that no other part has begun. The
 * call returns when the whole search is done, also if no other part runs. anax_search_run with the
 * same plan then finds all points. options: threads, points_at_once, progress; may be NULL.
 * ANAX_ERROR_USAGE: there is no such part, or no folder. Other errors as for anax_search_run. */
ANAX_API anax_code anax_search_part(anax_sweep_part *part, const anax_search_plan *plan,
                                    const anax_options *options, anax_error *error);

/* ---- Reading a search ------------------------------------------------------------------------ */

/* Returns the number of points that the search needed; *found (may be NULL) counts those found in
 * the folder, *damaged (may be NULL) those that were damaged there and were run again. */
ANAX_API size_t anax_search_point_count(size_t *found, size_t *damaged, const anax_search *search);

/* Returns the Pareto front and the stages for people. The caller frees the text. */
ANAX_API char *anax_search_text(const anax_search *search);

/* Returns all candidates for programs (schema anax.search/1, see anax-json(5)). The caller frees
 * the text. */
ANAX_API char *anax_search_json(const anax_search *search);

/* Copies the table called search.`name` in the list of tables. Examples of names are "candidates"
 * and "stages". ANAX_ERROR_USAGE: there is no table of that name; the text names the tables. */
ANAX_API anax_code anax_search_table(anax_table **table, const anax_search *search,
                                     const char *name, anax_error *error);

/* Writes candidates.csv and stages.csv into the new folder `folder`. ANAX_ERROR_EXISTS: there is
 * something of that name. */
ANAX_API anax_code anax_search_write_tables(const anax_search *search, const char *folder,
                                            anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
