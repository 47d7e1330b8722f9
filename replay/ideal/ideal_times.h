/*
 * Replays on ideal machines, to tell what a predicted time owes to what: one on which MPI and the
 * network take no time, one on which only the network takes none, and one without contention.
 */
#ifndef ANAX_REPLAY_IDEAL_TIMES_H
#define ANAX_REPLAY_IDEAL_TIMES_H

#include "replay/replay.h"

struct ideal_times {
    int64_t ideal_ps;    /* neither MPI nor the network take time */
    int64_t hosts_ps;    /* messages cost CPU time, the network takes none */
    int64_t distance_ps; /* every message takes its time on an idle network */
};

/* The three replays, in their order. */
enum { IDEAL_FREE, IDEAL_HOSTS, IDEAL_DISTANCE, IDEAL_RUNS };

/* Looks at the result of a replay on an ideal machine, which has a timeline. */
struct ideal_watch {
    status_code (*inspect)(void *context, unsigned run, const struct replay_result *result,
                           struct status *status);
    void *context;
};

/* Replays a program three times, after replay_run with the same arguments. `network` is one of the
 * same machine. The replays run at the same time on several of options->threads; with a `watch`,
 * one after the other on one thread. `watch` may be NULL. Errors of replay_run and of
 * watch->inspect.
 */
status_code ideal_times_compute(struct ideal_times *times, const struct network *network,
                                const struct program *program, const struct placement *placement,
                                const struct replay_config *config,
                                const struct network_config *network_config, uint64_t seed,
                                const struct replay_options *options,
                                const struct ideal_watch *watch, struct status *status);

#endif
