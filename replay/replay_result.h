/*
 * The result of a replay that has come to its end.
 */
#ifndef ANAX_REPLAY_RESULT_H
#define ANAX_REPLAY_RESULT_H

#include "replay/engine/state/engine_state.h"

/* Makes the result of a replay, without critical paths. Moves what the engine has recorded into it:
 * the timeline, the time bins, the matrix and the I/O nodes. with_notes: with what the engine had
 * to assume. The caller frees *made with replay_result_free. STATUS_MEMORY. */
status_code replay_result_new(struct replay_result **made, struct replay_engine *engine,
                              bool with_notes, struct status *status);

#endif
