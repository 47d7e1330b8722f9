/*
 * Bisection bandwidth as a function of alpha = bandwidth of a global link / of a local link.
 *
 * A bisecting cut puts half of the switches on each side (numbers that differ by one if they are
 * odd in number) and costs local_links + alpha·global_links of the links it cuts, in units of a
 * local link's bandwidth. The bisection bandwidth is the minimum over all of them: the lower
 * envelope of lines, one for each pair of counts. Found as in Belka et al. 2017, section 3: the
 * minimum is proven at both ends and wherever two lines meet; docs/bisection.md says why that
 * proves the whole function.
 *
 * Knows graphs of two kinds of links, no machines. Invariant: what is returned without having been
 * stopped follows from the graph alone, whatever the number of threads.
 */
#ifndef ANAX_NETWORK_BISECTION_H
#define ANAX_NETWORK_BISECTION_H

#include "core/status.h"
#include "network/topology/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bisection_link {
    uint32_t a, b; /* switches, different */
    bool global;
};

struct bisection_end {
    uint32_t to;
    uint32_t local, global; /* parallel links of each kind */
};

struct bisection_graph {
    uint32_t switches;
    uint32_t group;             /* switches in a group: a hint for searching */
    uint32_t *first;            /* [switch]: first of its ends; one more entry at the end */
    struct bisection_end *ends; /* ascending by `to` within a switch */
    uint64_t local_links, global_links;
};

/* STATUS_MEMORY. Links may be parallel. */
status_code bisection_graph_new(struct bisection_graph *graph, uint32_t switches, uint32_t group,
                                const struct bisection_link *links, size_t count,
                                struct status *status);
status_code bisection_graph_of(struct bisection_graph *graph, const struct topology *topology,
                               struct status *status);
/* So many rails, which divide the nodes all alike: every link is there so many times. */
void bisection_graph_repeat(struct bisection_graph *graph, uint32_t times);
void bisection_graph_free(struct bisection_graph *graph);

/* A cut; side[switch] is 0 or 1, side[0] is 0. */
struct bisection_cut {
    uint64_t local_links, global_links;
    uint8_t *side;
};

/* Counts the links that a partition cuts, from nothing but the graph. */
void bisection_count(const struct bisection_graph *graph, const uint8_t *side,
                     uint64_t *local_links, uint64_t *global_links);

/* A value of alpha where the minimum matters: 0, where two lines meet, and infinity, which stands
 * for the number of global links alone. The minimum of denominator·local + numerator·global lies in
 * lower … upper. */
struct bisection_point {
    uint64_t numerator, denominator; /* of alpha, lowest terms; 0/1 and 1/0 at the ends */
    uint64_t lower, upper;
    bool proven; /* lower == upper */
};

struct bisection_result {
    struct bisection_cut *lines; /* in the order of alpha; line i holds between points i and i+1 */
    size_t line_count;
    struct bisection_point *points; /* line_count + 1 */
    bool proven;                    /* all points are */
    bool exact;     /* a proof was tried; false: the lines come from a search alone */
    bool stopped;   /* ended by the caller */
    uint64_t nodes; /* bounds computed */
};

struct bisection_options {
    unsigned threads;        /* 0: one per processor */
    uint32_t exact_switches; /* largest machine to prove anything of; at most BISECTION_LARGEST */
    bool (*stop)(void *context); /* asked now and then by several threads at once; NULL: never */
    void (*progress)(void *context, uint64_t proven, uint64_t points, uint64_t open);
    void *context;
};

enum { BISECTION_LARGEST = 512 };

/* STATUS_USAGE: fewer than two switches. STATUS_MEMORY. */
status_code bisection_run(struct bisection_result *result, const struct bisection_graph *graph,
                          const struct bisection_options *options, struct status *status);
void bisection_result_free(struct bisection_result *result);

#endif
