/*
 * Synthetic traffic through the network alone, at one load or at many. anax.h has the rules for the
 * whole interface.
 */
#ifndef ANAX_TRAFFIC_H
#define ANAX_TRAFFIC_H

#include <anax/config.h>
#include <anax/options.h>
#include <anax/result.h>
#include <anax/sweep_part.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- One machine ----------------------------------------------------------------------------- */

/* Runs synthetic traffic (settings traffic.*) through the configured network, once for each load.
 * loads: "0.1", "0.1,0.2,0.5" or "first:last:step", shares of the injection bandwidth, at most 1000
 * different ones; NULL: "0.1:0.9:0.2". options: see anax_options; may be NULL. ANAX_USAGE: wrong
 * loads or settings. ANAX_RUN: the network could not go on, or options.progress or a checkpoint
 * ended the run; there is a *result as after anax_replay. */
ANAX_API anax_code anax_traffic(anax_result **result, const anax_config *config, const char *loads,
                                const anax_options *options, anax_error *error);

/* Runs synthetic traffic as anax_traffic does, once for each load and routing policy. routings:
 * "minimal" or "minimal,valiant,ugal-l", each once; NULL: network.routing alone. At most 4000
 * points in all. The result of a point does not depend on the other points. */
ANAX_API anax_code anax_traffic_curves(anax_result **result, const anax_config *config,
                                       const char *routings, const char *loads,
                                       const anax_options *options, anax_error *error);

/* ---- Sweeps over machines and settings ------------------------------------------------------- */

/* A plan of synthetic traffic. Every combination of machines, of the factors' values and of routing
 * policies has a curve: points at several loads, each run with every seed. */
typedef struct anax_traffic_plan {
    size_t size;                        /* set by ANAX_TRAFFIC_PLAN_INIT */
    const anax_config *const *machines; /* all settings of each machine; at least one */
    size_t machine_count;
    const char *const *factors; /* a setting and its values: "traffic.pattern=uniform,adv+1" */
    size_t factor_count;
    const char *routings; /* as of anax_traffic_curves; NULL: network.routing of each machine */
    const char *loads;    /* as of anax_traffic */
    /* Instead of loads: search the saturation load of each curve and seed by bisection, until it is
     * known to this width ("0.01", from 0.0001 to 0.5). NULL: no search. */
    const char *saturation;
    const char *folder; /* keeps finished points for later runs; NULL: points are not kept */
    uint64_t seeds;     /* number of seeds, from the first machine's `seed` upwards; 1 … 1000 */
} anax_traffic_plan;

/* A plan without machines, with one seed. */
#define ANAX_TRAFFIC_PLAN_INIT                                                                     \
    { sizeof(anax_traffic_plan), NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, 1 }

/* Runs the points of a plan, at most 4000 in all. A plan of a single point runs it even if the
 * folder has it, for its links and latencies. options and errors as of anax_traffic; ANAX_USAGE
 * also if a factor's setting cannot vary or a value is not valid, ANAX_SYSTEM if the folder cannot
 * be written. */
ANAX_API anax_code anax_traffic_sweep(anax_result **result, const anax_traffic_plan *plan,
                                      const anax_options *options, anax_error *error);

/* Runs one part of a plan, and keeps its points in the folder of the plan, which must have one.
 * anax_traffic_sweep with the same plan then finds them. options as of anax_traffic, but processes
 * must be NULL. ANAX_USAGE: there is no such part, or no folder. ANAX_RUN: options.progress or a
 * checkpoint stopped the run; finished points are kept. Other errors as of anax_traffic_sweep. */
ANAX_API anax_code anax_traffic_part(anax_sweep_part *part, const anax_traffic_plan *plan,
                                     const anax_options *options, anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
