/*
 * Sweeps of synthetic traffic, and parts of sweeps for several processes.
 *
 * anax.h includes this part of the public interface and has the rules for the whole interface.
 */
#ifndef ANAX_SWEEP_H
#define ANAX_SWEEP_H

#include <anax/anax.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* Runs the points of a plan, at most 4000 in all. Errors as of anax_traffic; ANAX_USAGE also if a
 * factor's setting cannot vary or a value is not valid, ANAX_SYSTEM if the folder cannot be
 * written. A plan of a single point runs it even if the folder has it, for its links and latencies.
 */
ANAX_API anax_code anax_traffic_sweep(anax_result **result, const anax_traffic_plan *plan,
                                      const anax_options *options, anax_error *error);

/* A part of a sweep, which one of several processes runs. Part K of N has every N-th point (of a
 * search, every N-th curve and seed) from the K-th on. Several processes never run one point at the
 * same time, and no point that the folder of the plan has. */
typedef struct anax_part {
    size_t size;    /* set by ANAX_PART_INIT */
    uint32_t part;  /* 1 … parts */
    uint32_t parts; /* number of parts */
    /* set by the functions below */
    size_t points;     /* points of the part */
    size_t all_points; /* points of all parts; of a search, at most */
    size_t found;      /* points that the folder had */
    size_t damaged;    /* points that were damaged in the folder and were run again */
    size_t failed;     /* points that did not finish */
} anax_part;

/* The only part of a sweep. */
#define ANAX_PART_INIT                                                                             \
    { sizeof(anax_part), 1, 1, 0, 0, 0, 0, 0 }

/* Runs one part of a plan, and keeps its points in the folder of the plan, which must have one.
 * anax_traffic_sweep with the same plan then finds them. ANAX_USAGE: there is no such part.
 * ANAX_RUN: options.progress stopped the run; finished points are kept. */
ANAX_API anax_code anax_traffic_part(anax_part *part, const anax_traffic_plan *plan,
                                     const anax_options *options, anax_error *error);

/* Returns the number of points of traffic, 0 for replays; *found (may be NULL) counts those found
 * in the folder, *damaged (may be NULL) those that were damaged there and were run again. */
ANAX_API size_t anax_result_points(const anax_result *result, size_t *found, size_t *damaged);

/* Runs one part of a plan, as anax_traffic_part does; anax_compare with the same plan then finds
 * its points. */
ANAX_API anax_code anax_compare_part(anax_part *part, const anax_plan *plan,
                                     const anax_options *options, anax_error *error);

struct anax_search_plan;

/* Takes part in the search of a plan, as one of several processes, and keeps its points in the
 * folder of the plan, which must have one. In each stage a part begins with every N-th point and
 * goes on with what no other part has begun; so it ends when the search does, also if it is the
 * only one. anax_search_run with the same plan then finds all points. In *part, points and
 * all_points are those of the whole search, and found has those that other parts kept. ANAX_USAGE:
 * there is no such part; other errors as of anax_search_run. */
ANAX_API anax_code anax_search_part(anax_part *part, const struct anax_search_plan *plan,
                                    const anax_options *options, anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
