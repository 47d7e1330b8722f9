/*
 * The traffic between the ranks of a program, counted without a network: input of placements that
 * minimise it, and of comparisons of placements before a simulation.
 *
 * Knows programs and the replay; must not know nodes.
 */
#ifndef ANAX_REPLAY_REPLAY_TRAFFIC_H
#define ANAX_REPLAY_REPLAY_TRAFFIC_H

#include "replay/replay.h"

/* Counts all messages of a replay with these settings per pair of ranks: point-to-point messages,
 * one-sided operations, and those of collectives, by the chosen algorithms; requests and answers of
 * rendezvous are left out, and so is traffic to I/O nodes. Every send that is not synchronous
 * counts as eager. STATUS_RUN: the ranks cannot go on with any eager threshold; the text is the
 * report of the stall. STATUS_MEMORY. `network_config` may be any valid machine (a small one is
 * fastest); nothing is simulated on it. The caller frees *traffic with replay_traffic_free. */
status_code replay_traffic_new(struct placement_traffic *traffic, const struct program *program,
                               const struct replay_config *config,
                               const struct network_config *network_config, struct status *status);

/* Frees what replay_traffic_new has made. */
void replay_traffic_free(struct placement_traffic *traffic);

#endif
