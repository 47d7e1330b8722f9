/*
 * Searches good bisecting cuts by tabu search from several kinds of starts. It finds upper bounds
 * and proves nothing. Knows graphs and weights. Invariant: equal graphs give equal cuts, for any
 * number of threads.
 */
#ifndef ANAX_NETWORK_BISECTION_SEARCH_H
#define ANAX_NETWORK_BISECTION_SEARCH_H

#include "network/analysis/bisection/bisection.h"

/* The weights of links, at least 0. A cut's value is local·local_links + global·global_links. */
struct bisection_weights {
    int64_t local, global;
};

/* Returns the weighted number of links that a cut divides. */
static inline int64_t bisection_value(const struct bisection_weights *weights, uint64_t local_links,
                                      uint64_t global_links) {
    return weights->local * (int64_t)local_links + weights->global * (int64_t)global_links;
}

/* Fills `side` with the best cut found; side[0] is 0. If `stop` is not NULL, several threads call
 * it, and the search ends when it returns true. Errors: STATUS_MEMORY. */
status_code bisection_search(const struct bisection_graph *graph,
                             const struct bisection_weights *weights, unsigned threads,
                             bool (*stop)(void *), void *context, uint8_t *side,
                             struct status *status);

#endif
