/*
 * Synthetic traffic through the network alone, at one load or at many, and its results. anax.h has
 * the rules for the whole interface.
 */
#ifndef ANAX_TRAFFIC_H
#define ANAX_TRAFFIC_H

#include <anax/config.h>
#include <anax/options.h>
#include <anax/sweep_part.h>
#include <anax/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- One machine ----------------------------------------------------------------------------- */

/* The result of synthetic traffic, also of traffic that could not finish. */
typedef struct anax_traffic_result anax_traffic_result;

/* Runs synthetic traffic (settings traffic.*) through the configured network, once for each load: a
 * short form of anax_traffic_sweep with one machine, one seed and no folder. loads: "0.1",
 * "0.1,0.2,0.5" or "first:last:step", shares of the injection bandwidth above 0 and at most 1, each
 * once, at most 1000; NULL: "0.1:0.9:0.2". options: see the table of anax_options; may be NULL.
 * ANAX_ERROR_USAGE: wrong loads or settings. ANAX_ERROR_INPUT: a file that a setting names is
 * missing or wrong (links, failures), or options.resume_folder has no sound checkpoint.
 * ANAX_ERROR_RUN: the network could not go on. ANAX_ERROR_STOPPED: options.progress or
 * options.checkpoint_wish stopped the run. Exception: after ANAX_ERROR_RUN and ANAX_ERROR_STOPPED
 * there still is a *result, which the caller frees, with anax_traffic_result_completed() false. */
ANAX_API anax_code anax_traffic(anax_traffic_result **result, const anax_config *config,
                                const char *loads, const anax_options *options, anax_error *error);

/* Runs synthetic traffic as anax_traffic does, once for each load and routing policy: the same
 * short form with several policies. routings: "minimal" or "minimal,valiant,ugal-l", each once;
 * NULL: network.routing alone. At most 4000 points in all. The result of a point does not depend on
 * the other points. options and errors as for anax_traffic; ANAX_ERROR_USAGE also for wrong
 * policies and too many points. */
ANAX_API anax_code anax_traffic_curves(anax_traffic_result **result, const anax_config *config,
                                       const char *routings, const char *loads,
                                       const anax_options *options, anax_error *error);

/* ---- Sweeps over machines and settings ------------------------------------------------------- */

/* A plan of synthetic traffic. Every combination of machines, of the factors' values and of routing
 * policies has a curve: points at several loads, each run with every seed. */
typedef struct anax_traffic_plan {
    size_t size; /* set by ANAX_TRAFFIC_PLAN_INIT */
    /* machine_count configurations, each with all settings of a machine. Machines must differ, and
     * so must their names (anax_config_machine). */
    const anax_config *const *machines;
    size_t machine_count; /* at least one */
    /* factor_count texts, each a setting and its values: "traffic.pattern=uniform,adv+1". NULL if
     * there are none. */
    const char *const *factors;
    size_t factor_count;
    const char *routings; /* as for anax_traffic_curves; NULL: network.routing of each machine */
    const char *loads;    /* as for anax_traffic; NULL: its default, or a search for saturation */
    /* NULL: the points are at `loads`. Otherwise the run searches the saturation load of each curve
     * and seed, `loads` must be NULL, and this is the width at which a search ends: bisection
     * halves the range from 0 to 1 until the largest load that it found stable (the saturation
     * load) and the smallest that it found not stable differ by at most this. A share of the
     * injection bandwidth such as "0.01", from 0.0001 to 0.5. */
    const char *saturation_width;
    uint64_t seeds; /* number of seeds, from the first machine's `seed` upwards; 1 … 1000 */
    const char *points_folder; /* keeps finished points for later runs; NULL: they are not kept */
} anax_traffic_plan;

/* A plan without machines, with one seed. */
#define ANAX_TRAFFIC_PLAN_INIT                                                                     \
    { sizeof(anax_traffic_plan), NULL, 0, NULL, 0, NULL, NULL, NULL, 1, NULL }

/* Runs the points of a plan, at most 4000 in all. A plan of a single point runs it even if the
 * folder has it, for its links and latencies. options and errors as for anax_traffic;
 * ANAX_ERROR_USAGE also if the plan has no machine, or a wrong number of seeds or points, if two
 * machines are equal or have the same name, if a factor's setting cannot vary or a value is not
 * valid, or if there can be no folder of this name.
 * ANAX_ERROR_SYSTEM also if the folder cannot be written. */
ANAX_API anax_code anax_traffic_sweep(anax_traffic_result **result, const anax_traffic_plan *plan,
                                      const anax_options *options, anax_error *error);

/* Runs one part of a plan, and keeps its points in plan.points_folder, which must not be NULL.
 * anax_traffic_sweep with the same plan then finds them. options: see the table of anax_options;
 * may be NULL. Points that could not go on are no error: part.failed counts them.
 * ANAX_ERROR_USAGE: there is no such part, or no folder. ANAX_ERROR_STOPPED: options.progress or
 * options.checkpoint_wish stopped the run; finished points are kept. Other errors as for
 * anax_traffic_sweep. */
ANAX_API anax_code anax_traffic_part(anax_sweep_part *part, const anax_traffic_plan *plan,
                                     const anax_options *options, anax_error *error);

/* ---- Reading a result ------------------------------------------------------------------------ */

/* Frees a result; NULL is allowed. */
ANAX_API void anax_traffic_result_free(anax_traffic_result *result);

/* Returns false if the traffic could not finish, or was stopped. */
ANAX_API bool anax_traffic_result_completed(const anax_traffic_result *result);

/* Sets *digest to the digest, which is equal for equal traffic on any computer and with any number
 * of threads. ANAX_ERROR_STATE: the traffic did not finish; *digest is then 0. */
ANAX_API anax_code anax_traffic_result_digest(uint64_t *digest, const anax_traffic_result *result,
                                              anax_error *error);

/* Returns the number of points; *found (may be NULL) counts those found in the folder of the plan,
 * *damaged (may be NULL) those that were damaged there and were run again. */
ANAX_API size_t anax_traffic_result_point_count(size_t *found, size_t *damaged,
                                                const anax_traffic_result *result);

/* Returns the curves with their points for people. The caller frees the text. */
ANAX_API char *anax_traffic_result_text(const anax_traffic_result *result);

/* Returns the whole result for programs (schema anax.traffic/2, see anax-json(5)). The caller frees
 * the text. */
ANAX_API char *anax_traffic_result_json(const anax_traffic_result *result);

/* Copies the table called traffic.`name` in the list of tables. Examples of names are "points" (the
 * latencies at each load), "curves" and "links". ANAX_ERROR_USAGE: there is no table of that name;
 * the text names the tables. ANAX_ERROR_STATE: the traffic did not finish, or has nothing of the
 * kind. */
ANAX_API anax_code anax_traffic_result_table(anax_table **table, const anax_traffic_result *result,
                                             const char *name, anax_error *error);

/* Writes the tables that have a file (`anax list tables` names them) as CSV into the new folder
 * `folder`: one header line, units in the column names. ANAX_ERROR_EXISTS: there is something of
 * that name. ANAX_ERROR_STATE: the traffic did not finish. */
ANAX_API anax_code anax_traffic_result_write_tables(const anax_traffic_result *result,
                                                    const char *folder, anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
