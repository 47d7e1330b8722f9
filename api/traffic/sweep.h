/*
 * Synthetic traffic in many points. Every combination of the factors' values and routing policies
 * has a curve, and every curve has points at several loads, each with one seed or several.
 *
 * Invariant: each point is an independent run, so its result does not depend on the other points,
 * nor on the number of points that run at once. Points stand in the order of curves, loads and
 * seeds.
 */
#ifndef ANAX_API_SWEEP_H
#define ANAX_API_SWEEP_H

#include "api/compare/candidate_set.h"
#include "api/compare/comparison.h"
#include "api/points/kept_folder.h"

struct sweep_point {
    size_t curve;
    uint32_t seed; /* number of the seed, from 0 */
    bool finished;
    bool was_kept;          /* kept from an earlier run */
    bool was_damaged;       /* its kept file was damaged */
    bool beyond_saturation; /* it, or a lower load of the curve and seed, is not stable */
    char *failure;          /* why it did not finish */
    double seconds;         /* how long it took to compute; -1: unknown */
    struct traffic_point figures;
};

struct sweep_curve {
    size_t candidate;
    anax_config *config; /* of the candidate, with the routing policy */
    size_t first, end;   /* its points */
};

/* The search for the saturation load of a curve with a seed. */
struct sweep_search {
    int64_t stable_millionths;   /* the largest load found stable; 0: none */
    int64_t unstable_millionths; /* the smallest load found not stable; 0: 1 is stable */
};

struct traffic_sweep {
    struct candidate_set candidates;
    const char **factor_names;
    struct sweep_curve *curves; /* [candidate][policy] */
    size_t curve_count;
    int64_t *loads; /* loads that were asked for; NULL: saturation is searched */
    size_t load_count;
    int64_t width_millionths; /* of the search; 0: none */
    uint32_t seed_count;
    int64_t first_seed;
    struct sweep_search *searches; /* [curve][seed]; NULL: none */
    struct sweep_point *points;
    size_t points_wanted;
    size_t point_count; /* number of finished points before the first that is not */
};

/* Returns the largest number of loads that a search tries. */
uint32_t sweep_search_steps(int64_t width_millionths);

/* Makes the sweep of a plan, without points. routings: see anax_traffic_plan; *list becomes the
 * list of policies, which the caller frees. */
status_code sweep_new(struct traffic_sweep **sweep, const anax_traffic_plan *plan, int32_t **list,
                      size_t *list_count, struct status *status);

/* Frees what sweep_new has made. */
void sweep_free(struct traffic_sweep *sweep);

/* Returns whether there are several candidates. */
static inline bool sweep_has_candidates(const struct traffic_sweep *sweep) {
    return sweep->candidates.candidate_count > 1;
}

/* Returns the label of a curve, as "kim-72, 2us, routing minimal", which the caller frees. */
char *sweep_label(const struct traffic_sweep *sweep, size_t curve);

/* How the points of a sweep are run. */
struct sweep_order {
    const char *folder;   /* where points are kept; NULL: nowhere */
    uint32_t part, parts; /* the part that is run, from 1; parts 0: all points */
    const anax_options *options;
};

/* Runs the points of a part that the folder does not contain. If the sweep has a single point, puts
 * its network and its histogram into the result (may be NULL). Sets *at_once to the number of
 * points that ran at once. */
status_code sweep_run(struct traffic_sweep *sweep, const struct sweep_order *order,
                      anax_traffic_result *result, unsigned *at_once, struct status *status);

/* Sets *parts to the number of parts into which the sweep is best cut; see points_count_parts. */
status_code sweep_count_parts(unsigned *parts, struct traffic_sweep *sweep, const char *folder,
                              const anax_options *options, struct status *status);

/* Sorts the points of each curve by load and seed, and marks those beyond saturation. */
void sweep_judge(struct traffic_sweep *sweep);

/* Sets the key of a point. */
status_code sweep_point_key(struct kept_key *key, const struct traffic_sweep *sweep,
                            const struct sweep_point *point, struct status *status);

/* kept_traffic.c: reads a point from its file in a folder, and notes in the point that it was
 * found, or that its file is damaged. */
kept_state kept_traffic_find(struct sweep_point *point, const char *folder,
                             const struct kept_key *key);
/* kept_traffic.c: writes the file of a point. label: what the point is, for people. STATUS_SYSTEM.
 */
status_code kept_traffic_store(const struct sweep_point *point, const char *folder,
                               const struct kept_key *key, const char *label,
                               struct status *status);

/* The points of a curve at one load, over its seeds. */
struct sweep_load {
    int64_t load_millionths;
    uint32_t seeds, stable, beyond;
    struct compare_sample accepted; /* accepted loads in millionths */
    struct compare_sample latency;  /* mean latencies in ps of the points not beyond saturation */
};
/* Sets *load to the figures of the load that begins at a point; returns the first point of the next
 * load. */
size_t sweep_load_of(struct sweep_load *load, const struct traffic_sweep *sweep, size_t first,
                     size_t end);

/* Sets *of_all and *of_channel to the overload, in millionths, that the test of stability detects
 * in half of all runs at the end of a search: of a bottleneck that all messages pass, and of one
 * that is a single channel. */
void sweep_overloads(int64_t *of_all, int64_t *of_channel, const struct traffic_sweep *sweep,
                     size_t search);

/* Returns the saturation load of a curve over its seeds, in millionths. */
struct compare_sample sweep_saturation(const struct traffic_sweep *sweep, size_t curve);

#endif
