/*
 * Whether a network keeps up with what comes up: the difference of what came up and what was
 * delivered, batch by batch of the measurement, against zero (docs/model.md, 7).
 *
 * Knows nothing of networks. Integers only: the verdict is the same everywhere.
 */
#ifndef ANAX_NETWORK_STABILITY_H
#define ANAX_NETWORK_STABILITY_H

#include <stdbool.h>
#include <stdint.h>

enum { STABILITY_BATCHES = 20 };

/* Messages that came up less those delivered, in each batch. */
struct stability {
    int64_t excess[STABILITY_BATCHES];
};

/* Picoseconds of a batch; the last one may be shorter. */
static inline int64_t stability_batch_ps(int64_t measure_ps) {
    return (measure_ps + STABILITY_BATCHES - 1) / STABILITY_BATCHES;
}

/* Whether more came up than was delivered, beyond chance: of offered messages, for at least
 * STABILITY_LEAST of them. */
#define STABILITY_LEAST 30
bool stability_backlog_grows(const struct stability *stability, uint64_t offered);

#endif
