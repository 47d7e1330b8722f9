/*
 * Bisection bandwidth as a function of alpha, the bandwidth of a global link divided by that of a
 * local link.
 *
 * A bisecting cut puts half of the routers on each side; if their number is odd, the sides differ
 * by one router. Its cost is local_links + alpha·global_links of the links that it cuts, in units
 * of a local link's bandwidth. The bisection bandwidth is the minimum over all bisecting cuts: the
 * lower envelope of lines, one for each pair of counts. The method is that of Belka et al. 2017,
 * section 3: the minimum is proven at both ends and at each alpha where two lines meet.
 * docs/bisection.md explains why that proves the whole function.
 *
 * Knows graphs of two kinds of links, no machines. Invariant: a result that was not stopped depends
 * on the graph and exact_routers alone, not on the number of threads.
 */
#ifndef ANAX_NETWORK_BISECTION_H
#define ANAX_NETWORK_BISECTION_H

#include "core/base/status.h"
#include "network/topology/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bisection_link {
    uint32_t a, b; /* two different routers */
    bool is_global;
};

struct bisection_end {
    uint32_t to;
    uint32_t local_links, global_links; /* parallel links of each kind */
};

struct bisection_graph {
    uint32_t routers;
    uint32_t group;             /* routers in a group: only a hint for the search */
    uint32_t *first;            /* [router]: index of its first end; one more entry at the end */
    struct bisection_end *ends; /* ascending by `to` for each router */
    uint64_t local_links, global_links;
};

/* Builds a graph from a list of links, which may be parallel. The caller frees it with
 * bisection_graph_free. Errors: STATUS_MEMORY. */
status_code bisection_graph_new(struct bisection_graph *graph, uint32_t routers, uint32_t group,
                                const struct bisection_link *links, size_t count,
                                struct status *status);

/* Builds a graph from a topology, which the caller frees with bisection_graph_free. Errors:
 * STATUS_MEMORY. */
status_code bisection_graph_from_topology(struct bisection_graph *graph,
                                          const struct topology *topology, struct status *status);
/* Counts every local link as often as its type says (see group_shape_local_type): the bandwidths of
 * types that differ are multiples of the unit that a link counts then. */
void bisection_graph_apply_bandwidths(struct bisection_graph *graph,
                                      const struct group_shape *group,
                                      const uint32_t weights[UNITS_DIMENSIONS]);
/* Multiplies every link by the number of rails, all of which the two halves divide alike. */
void bisection_graph_repeat(struct bisection_graph *graph, uint32_t times);

/* Frees a graph. */
void bisection_graph_free(struct bisection_graph *graph);

/* A cut; side[router] is 0 or 1, side[0] is 0. */
struct bisection_cut {
    uint64_t local_links, global_links;
    uint8_t *side;
};

/* Counts the links that a partition cuts, directly from the graph. */
void bisection_count(const struct bisection_graph *graph, const uint8_t *side,
                     uint64_t *local_links, uint64_t *global_links);

/* A value of alpha at which the minimum is computed: 0, where two lines meet, or infinity, which
 * stands for the number of global links alone. The minimum of denominator·local + numerator·global
 * is at least `lower` and at most `upper`. */
struct bisection_point {
    uint64_t numerator, denominator; /* of alpha in lowest terms; 0/1 and 1/0 at the ends */
    uint64_t lower, upper;
    bool proven; /* lower == upper */
};

struct bisection_result {
    struct bisection_cut *lines; /* ascending by alpha; line i is lowest between points i and i+1 */
    size_t line_count;
    struct bisection_point *points; /* line_count + 1 points */
    bool proven;                    /* whether all points are proven */
    bool exact;     /* whether a proof was tried; false: the lines come from a search alone */
    bool stopped;   /* whether the caller stopped the run */
    uint64_t nodes; /* nodes of the search trees whose bounds were computed */
};

struct bisection_options {
    unsigned threads;            /* 0: one per processor */
    uint32_t exact_routers;      /* largest machine with proofs; at most BISECTION_MAX */
    bool (*stop)(void *context); /* called by several threads; true stops the run; NULL: never */
    void (*progress)(void *context, uint64_t proven, uint64_t points, uint64_t open);
    void *context;
};

enum { BISECTION_MAX = 512 };

/* Finds the bisection function of a graph. The caller frees the result with bisection_result_free.
 * STATUS_USAGE: fewer than two routers. STATUS_MEMORY. */
status_code bisection_run(struct bisection_result *result, const struct bisection_graph *graph,
                          const struct bisection_options *options, struct status *status);

/* Frees what bisection_run has made. */
void bisection_result_free(struct bisection_result *result);

#endif
