/*
 * The communication matrix: messages and bytes from each place to each other one, where a place is
 * a rank, or the node, router or group of ranks. Where there are more than REPLAY_MATRIX_PLACES
 * places, those that follow each other share a row and a column.
 *
 * The engine calls communication_matrix_count only if engine_is_observed. Must not know: files,
 * reports. Invariant: every message that the engine hands to the transport is in exactly one cell.
 */
#ifndef ANAX_REPLAY_COMMUNICATION_MATRIX_H
#define ANAX_REPLAY_COMMUNICATION_MATRIX_H

#include "replay/engine/state/engine_state.h"

/* Prepares an engine, before engine_start, for counting messages. STATUS_MEMORY. */
status_code communication_matrix_new(struct replay_engine *engine, replay_matrix_by by,
                                     struct status *status);
/* Frees what communication_matrix_new has made; does nothing if there is nothing. */
HINT_NOINLINE void communication_matrix_free(struct replay_engine *engine);

/* Counts a message of a rank to another one; is_data: it is no control message. Does nothing
 * without a matrix. */
HINT_NOINLINE void communication_matrix_count(struct engine_domain *domain, uint32_t from,
                                              uint32_t to, uint64_t size_bytes, bool is_data);

/* Several processes: adds the matrices of all in process 0. All call it. */
status_code communication_matrix_gather(struct replay_engine *engine, struct status *status);

#endif
