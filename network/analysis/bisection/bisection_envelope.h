/*
 * The lower envelope of the lines of known cuts, and its two ends. Knows cuts, no search.
 *
 * Invariant: lines are ordered by alpha: local_links rise and global_links fall. Each line is the
 * only lowest line somewhere. A line that is not on the envelope can never return to it, so it is
 * dropped.
 */
#ifndef ANAX_NETWORK_BISECTION_ENVELOPE_H
#define ANAX_NETWORK_BISECTION_ENVELOPE_H

#include "network/analysis/bisection/bisection.h"

struct bisection_envelope {
    const struct bisection_graph *graph;
    struct bisection_cut *lines;
    size_t count, capacity;
};

/* Frees the cuts of an envelope. */
void bisection_envelope_free(struct bisection_envelope *envelope);

/* Adds a copy of a bisecting cut if its line makes the envelope lower somewhere. Then sets
 * *changed, and otherwise leaves it as it is. */
status_code bisection_envelope_add(struct bisection_envelope *envelope, const uint8_t *side,
                                   bool *changed, struct status *status);

/* Returns point number 0 … count of the envelope: its alpha, and the envelope's value there as
 * `upper`. */
struct bisection_point bisection_envelope_point(const struct bisection_envelope *envelope,
                                                size_t number);

/*
 * Bounds the number of links of one kind (global or local) that a bisecting cut must cut, from the
 * components that these links join. Sets *min to the bound, which is exact if the components are
 * complete or small, and fills `side` with a good cut by this measure. If that would take too much
 * memory, sets *min to 0 and *found to false and leaves `side` alone.
 */
status_code bisection_envelope_end(const struct bisection_graph *graph, bool global, uint8_t *side,
                                   bool *found, uint64_t *min, struct status *status);

#endif
