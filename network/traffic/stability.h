/*
 * The test whether a network keeps up with the offered messages: the differences of messages
 * generated and messages delivered, per batch of the measurement, are tested against zero
 * (docs/model.md, 7).
 *
 * This file knows nothing of networks. It computes in integers only, so the verdict is the same on
 * every computer.
 */
#ifndef ANAX_NETWORK_STABILITY_H
#define ANAX_NETWORK_STABILITY_H

#include <stdbool.h>
#include <stdint.h>

enum { STABILITY_BATCHES = 20 };

/* Messages generated minus messages delivered, in each batch. */
struct stability {
    int64_t excess_messages[STABILITY_BATCHES];
};

/* Returns the length of a batch in picoseconds; the last batch may be shorter. */
static inline int64_t stability_batch_ps(int64_t measure_ps) {
    return (measure_ps + STABILITY_BATCHES - 1) / STABILITY_BATCHES;
}

#define STABILITY_MIN 30
/* Returns whether more messages were generated than delivered, beyond chance. Always false if
 * fewer than STABILITY_MIN messages were offered. */
bool stability_backlog_grows(const struct stability *stability, uint64_t offered);

/* Returns the overload, in millionths of the capacity, that the test detects in half of all runs if
 * so many messages are offered to what is overloaded: 2.5395 / sqrt(messages), at most 1000000. */
int64_t stability_overload_millionths(uint64_t messages);

#endif
