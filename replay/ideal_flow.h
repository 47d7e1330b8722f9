/*
 * The replays on ideal machines all at once, without a queue of events.
 *
 * Where no message waits for another one in the network, a message arrives so long after it was
 * sent, whatever else happens. A rank that waits for several messages takes them in by the order in
 * which they arrive. So each rank can go through its operations as soon as what it waits for is
 * known, in any order of ranks, with its clock on each machine; what it has received is sorted when
 * it goes on.
 *
 * Some programs have things whose order in time matters beyond that, such as locks, accesses to
 * files, and tests. Their times are not found here.
 *
 * Must not know: causes, results. Invariant: the times are those of replays with events.
 */
#ifndef ANAX_REPLAY_IDEAL_FLOW_H
#define ANAX_REPLAY_IDEAL_FLOW_H

#include "replay/ideal_times.h"

/* What is replayed. The settings have the eager threshold settled. */
struct flow_task {
    const struct replay_config *effective;
    const struct replay_config *free_of_cost; /* for IDEAL_FREE */
    const struct network *network;
    const struct program *program;
    const struct placement *placement;
    const struct network_config *machine;
    uint64_t seed;
    const struct replay_options *options; /* of a replay that asks for times only */
};

/* Finds the times, in ps, of the replays on ideal machines. Sets *is_known to false, and no times,
 * if replays with events must find them or the reason why there are none. STATUS_MEMORY;
 * STATUS_RUN: options->progress returned false. */
status_code ideal_flow(int64_t times_ps[IDEAL_RUNS], bool *is_known, const struct flow_task *task,
                       struct status *status);

#endif
