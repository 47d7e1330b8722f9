/*
 * What the ranks of a program send to each other, found without a network: for placements that look
 * at it, and for judging placements before they are simulated.
 *
 * Knows programs and the replay; must not know nodes.
 */
#ifndef ANAX_REPLAY_REPLAY_TRAFFIC_H
#define ANAX_REPLAY_REPLAY_TRAFFIC_H

#include "replay/replay.h"

/* All messages of a replay with these settings, point to point and of collectives, as the chosen
 * algorithms send them; without requests and answers of rendezvous. Every send is taken as eager if
 * it may be. STATUS_RUN: the ranks cannot go on whatever the network; with the report. machine: any
 * valid one, the smaller the better; nothing is simulated on it. */
status_code replay_traffic_new(struct placement_traffic *traffic, const struct program *program,
                               const struct replay_config *config,
                               const struct network_config *machine, struct status *status);
void replay_traffic_free(struct placement_traffic *traffic);

#endif
