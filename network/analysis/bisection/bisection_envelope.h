/*
 * The lower envelope of the lines of known cuts, and its two ends. Knows cuts, no search.
 *
 * Invariant: lines are in the order of alpha: local_links rise, global_links fall, and each is the
 * only lowest one somewhere. A line that is not on the envelope can never come back, so it is
 * dropped.
 */
#ifndef ANAX_NETWORK_BISECTION_ENVELOPE_H
#define ANAX_NETWORK_BISECTION_ENVELOPE_H

#include "network/analysis/bisection/bisection.h"

struct envelope {
    const struct bisection_graph *graph;
    struct bisection_cut *lines;
    size_t count, capacity;
};

void envelope_free(struct envelope *envelope);

/* Takes a copy of a bisecting cut. *changed is set when the envelope became lower somewhere. */
status_code envelope_add(struct envelope *envelope, const uint8_t *side, bool *changed,
                         struct status *status);

/* Point number 0 … count of the envelope: alpha, and the value there as upper. */
struct bisection_point envelope_point(const struct envelope *envelope, size_t number);

/*
 * The least number of links of one kind that a bisecting cut can cut, from the components that
 * these links join: fills side with a cut that is good by this measure, *least with a bound that is
 * exact where components are complete or small. *least = 0 and no cut (*found false) where that
 * takes too much memory.
 */
status_code envelope_end(const struct bisection_graph *graph, bool global, uint8_t *side,
                         bool *found, uint64_t *least, struct status *status);

#endif
