/*
 * Which members of each communicator share a node, for collectives in two levels. It follows from
 * the placement and is prepared once, before the replay begins.
 */
#ifndef ANAX_REPLAY_ENGINE_NODES_H
#define ANAX_REPLAY_ENGINE_NODES_H

#include "replay/engine/state/engine_state.h"

/* Fills engine->nodes, which engine_nodes_free frees, if any algorithm that the configuration may
 * choose asks for it. STATUS_MEMORY. */
status_code engine_nodes_new(struct replay_engine *engine, struct status *status);

/* Frees what engine_nodes_new has made. */
void engine_nodes_free(struct replay_engine *engine);

/* Returns the nodes of a communicator's members; NULL if nobody asks, if it is an
 * intercommunicator, or MPI_COMM_SELF. */
const struct collective_nodes *engine_nodes_of(const struct replay_engine *engine,
                                               uint32_t communicator);

#endif
