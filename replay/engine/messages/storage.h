/*
 * Files: a read or a write is cut into requests, which go to I/O nodes and come back when they are
 * served. See docs/model.md, 9.20.
 *
 * To the engine an I/O node is a rank that does nothing: its number follows those of the ranks, and
 * it has a node and a NIC.
 */
#ifndef ANAX_REPLAY_STORAGE_H
#define ANAX_REPLAY_STORAGE_H

#include "replay/engine/state/engine_state.h"

/* Finds the I/O nodes and the nodes of all ranks, those of I/O nodes included. `engine` has its
 * program, placement, settings and machine. */
status_code storage_new(struct replay_engine *engine, struct status *status);

/* Frees what storage_new has made. */
void storage_free(struct replay_engine *engine);
/* Checks an access of a rank. STATUS_INPUT: it has more requests than can be counted. */
status_code storage_check(const struct replay_engine *engine, uint32_t rank,
                          const struct program_operation *operation, struct status *status);
/* Checks that requests can name all MPI calls, of a program whose accesses take time. STATUS_INPUT:
 * there are too many. */
status_code storage_check_functions(const struct replay_engine *engine, struct status *status);
/* Returns whether an access takes time. */
static inline bool storage_takes_time(const struct replay_engine *engine,
                                      const struct program_operation *operation) {
    return engine->storage != NULL && operation->bytes > 0;
}
/* Begins an access of a rank at at_ps, which takes time. `operation`: its index in the program.
 * `owner`: the rank's slot, or ENGINE_OWNER_NOBODY. */
void storage_begin(struct engine_domain *domain, uint32_t rank, uint64_t operation, uint32_t owner,
                   int64_t at_ps);
/* Handles the arrival of a request at an I/O node. */
void storage_delivered(struct engine_domain *domain, int64_t now_ps,
                       const struct network_delivery *delivery);

/* Handles the arrival of an I/O node's reply at the rank. */
void storage_served(struct engine_domain *domain, int64_t now_ps,
                    const struct network_delivery *delivery);

#endif
