/*
 * The engine of a replay: the ranks of a program on a machine's nodes, from the first event to the
 * last. Its parts, whose layers are in docs/layers.md:
 *
 *   engine.c                builds the state, and passes the transport's reports to the parts
 *   engine_checkpoint.c     the state in a checkpoint
 *   engine_gather.c         results and state of several processes, brought together in process 0
 *   survey.c                what a program has, before its replay: its MPI calls, its notes
 *   stall.c                 reports why ranks cannot go on
 *   eager_threshold.c       the eager threshold with which blocked ranks go on
 *   instant_engine.c        an engine on a network that takes no time
 *
 * state/: the state that all parts share, and what all of them do with it
 *   engine_state.h          the state
 *   engine_domain.c         what all parts do in a domain: send, set timers, spend time, fail
 *   message.h               messages of the network: their kinds and cookies
 *   inflight.c              messages and receives that wait for each other
 *   tasks.c                 tasks postponed until a rank enters an MPI call
 *   quiescence.c            whether any event of the replay is left
 *   engine_pairs.c          sizes of the messages of alltoallv and alltoallw
 *   engine_nodes.c          which members of a communicator share a node
 *
 * ranks/: a rank and its operations
 *   rank.c                  a rank goes through its operations, and waits for them
 *   rank_time.h             how a rank accounts for its time
 *   graph.c                 a rank that is a graph goes through its vertices
 *   marks.h                 where calls and user regions of a rank begin and end
 *   progress.c              carries out postponed tasks when a rank enters an MPI call
 *
 * messages/: messages, one-sided operations and accesses to files
 *   transfer.c              one message: eager or rendezvous, matched with its receive
 *   rma.c                   a one-sided operation: request and reply
 *   rma_window_lock.c       locks of windows, and the requests that wait for them
 *   storage.c               one access to a file: requests to I/O nodes and their replies
 *
 * collectives/: collectives in progress (replay/collectives has their algorithms)
 *   activation.c            a collective in progress on one rank
 *
 * measurement/: what is recorded for the result
 *   waits.h                 why a rank waits, and for how long
 *   observers.c             tells causes.c, rank_states.c and origins.c how ranks spend their time
 *   rank_states.c           what ranks do over time, if time bins are kept
 *   communication_matrix.c  messages between places, if they are counted
 *   origins.c               labels of messages, if links are watched
 *
 * causes/: what determined each time, if the replay explains its time
 *   causes_state.h          the state of causes
 *   causes.c                the chains of ranks, collectives and messages
 *   causes_cost.c           CPU time in chains of causes
 *   causes_memory.c         the memory of causes, and the names that have sums of their own
 *   causes_elsewhere.c      causes of messages between processes
 *   tickets.c               what messages carry for causes
 *   chain.c                 extends chains of causes
 *   chain_links.h           the kinds of links of a chain
 *   chain_values.c          what a chain consists of: its sums and its steps
 *   chain_channels.c        channels of the messages of a chain
 *   chain_heap.c            the memory of chains
 */
#ifndef ANAX_REPLAY_ENGINE_H
#define ANAX_REPLAY_ENGINE_H

#include "replay/engine/state/engine_state.h"

/* What an engine may do besides replaying. */
enum {
    ENGINE_TIMELINE = 1, /* record time stamps */
    ENGINE_NODES = 2,    /* tell collectives which ranks share a node, according to the placement */
    ENGINE_SKIPS_SURVEY = 4 /* do not survey a program again that another engine has surveyed for
                               the same placement: all calls count as one */
};

/* Creates an engine, which becomes the sink of the transport. The program, the placement and the
 * configuration of the network must outlive it, and the transport until engine_attach replaces it.
 * features: which of ENGINE_… it does, as a sum. The caller frees *made with engine_free.
 * STATUS_USAGE or STATUS_INPUT if the placement or the program cannot be replayed;
 * STATUS_MEMORY. */
status_code engine_new(struct replay_engine **made, const struct program *program,
                       const struct placement *placement, const struct replay_config *config,
                       const struct network_config *network_config, struct transport *transport,
                       unsigned features, struct status *status);
/* Makes the engine use another transport from now on, and becomes its sink. */
void engine_attach(struct replay_engine *engine, struct transport *transport);

/* Frees an engine. */
void engine_free(struct replay_engine *engine);
/* Sets a timer at every rank's start. */
void engine_start(struct replay_engine *engine);

#endif
