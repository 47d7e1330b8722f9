/*
 * The engine: the ranks of a program on a machine's nodes, from the first event to the last. Its
 * parts, each of which uses only those below it (ARCHITECTURE.md has their layers):
 *
 *   engine.c        builds the state, and hands what the transport reports to the parts
 *   stall.c         what ranks that cannot go on wait for
 *   threshold.c     the eager threshold with which blocked ranks go on
 *   idle_engine.c   an engine on a network that takes no time
 *   rank.c          a rank goes through its operations, waits, and accounts for its time
 *   progress.c      what was put off is carried out when a rank enters an MPI call
 *   activation.c    a collective in progress on one rank
 *   remote.c        one one-sided operation: there and back
 *   window_lock.c   locks of windows, and who waits for them
 *   transfer.c      one message: eager or rendezvous, matched with its receive
 *   tasks.c         what waits for a rank to enter an MPI call
 *   engine_domain.c what all parts do in a domain: send, set timers, spend time, fail
 *   quiescence.c    whether anything of the replay is left to happen
 *   inflight.c      messages and receives that wait for each other
 *   engine_pairs.c  sizes of the messages of alltoallv
 */
#ifndef ANAX_REPLAY_ENGINE_H
#define ANAX_REPLAY_ENGINE_H

#include "replay/engine/engine_state.h"

/* The ranks of a program, placed on a machine's nodes; the transport reports to it. All
 * but timeline must live as long. */
status_code engine_new(struct engine **engine, const struct program *program,
                       const struct placement *placement, const struct replay_config *config,
                       const struct network_config *machine, struct transport *transport,
                       bool timeline, struct status *status);
/* Has another transport carry the messages from now on. */
void engine_attach(struct engine *engine, struct transport *transport);
void engine_free(struct engine *engine);
/* Sets every rank's timer at its start. */
void engine_start(struct engine *engine);

#endif
