/*
 * All replays on ideal machines at once, without a queue of events.
 *
 * On an ideal machine no message waits for another one in the network, so the time from sending to
 * arrival does not depend on other messages. The only order that matters is the one in which a rank
 * takes in the messages that it waits for: the order of their arrivals. So ranks can be advanced in
 * any order. A rank that waits goes on when the arrivals of all its messages are known; it then
 * sorts them. Each rank has a clock for each machine.
 *
 * Locks, accesses to files and tests depend on the order of events in time beyond that. The times
 * of programs with these operations are not found here.
 *
 * Must not know: causes, results. Invariant: the times are those of replays with events.
 */
#ifndef ANAX_REPLAY_IDEAL_FLOW_H
#define ANAX_REPLAY_IDEAL_FLOW_H

#include "replay/ideal/ideal_times.h"

/* What is replayed. In both settings the eager threshold is settled (replay_settle_threshold). */
struct flow_task {
    const struct replay_config *effective;
    const struct replay_config *free_of_cost; /* for IDEAL_FREE */
    const struct network *network;
    const struct program *program;
    const struct placement *placement;
    const struct network_config *network_config;
    uint64_t seed;
    const struct replay_options *options; /* of a replay that asks for times only */
};

/* Sets times_ps to the predicted times, in ps, on the ideal machines. If this method does not
 * apply, or some ranks cannot go on, sets *is_known to false and no times: the caller then replays
 * with events. STATUS_MEMORY; STATUS_STOPPED: options->progress returned false. */
status_code ideal_flow_run(int64_t times_ps[IDEAL_RUNS], bool *is_known,
                           const struct flow_task *task, struct status *status);

#endif
