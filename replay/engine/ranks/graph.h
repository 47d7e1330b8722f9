/*
 * A rank that is a graph (traces/program/program_graph.h): goes through its vertices as their needs
 * and CPUs allow.
 *
 * A vertex is ready once all its needs hold. Each CPU takes the vertex that has been ready longest,
 * and is busy with it for its computation or overhead. A receive is posted when its CPU takes it.
 * The CPU takes the receive again once its message has arrived, for the receive overhead, after
 * which the receive is complete. Of several that became ready at the same time, those that begin
 * come before those whose message has arrived, and then the one with the lowest number comes first.
 * A send is complete when the sender may use its memory again.
 */
#ifndef ANAX_REPLAY_GRAPH_H
#define ANAX_REPLAY_GRAPH_H

#include "core/checkpoint/saved_state.h"
#include "replay/engine/state/engine_state.h"

/* Begins a graph at now_ps, or goes on with it when one of its timers has expired. */
void graph_timer_expired(struct engine_domain *domain, uint32_t rank_number, int64_t now_ps);
/* Handles the end of the transfer of a vertex. */
void graph_slot_done(struct engine_domain *domain, uint32_t rank_number, uint32_t vertex,
                     const struct engine_transfer_end *end);
/* Saves or restores the graph of a rank, before its slots. A new member of struct engine_graph or
 * graph_cpu belongs there unless it follows from the program. */
void graph_save_or_restore(struct engine_domain *domain, struct saved_state *state,
                           uint32_t rank_number);
/* Numbers the calls in whose names the sends and receives of graphs are counted. */
void graph_number_functions(struct replay_engine *engine);
/* Makes room for the graphs of a program, which begin later. STATUS_MEMORY. */
status_code graph_new_all(struct replay_engine *engine, struct status *status);

/* Frees what graph_new_all has made. */
void graph_free_all(struct replay_engine *engine);

#endif
