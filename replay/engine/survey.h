/*
 * The survey of a program before its replay: which MPI calls it has, and what the notes of the
 * result are about. Each process surveys its own ranks.
 */
#ifndef ANAX_REPLAY_SURVEY_H
#define ANAX_REPLAY_SURVEY_H

#include "replay/engine/state/engine_state.h"

/* Numbers the regions that are called from 0 without gaps, in the order in which a walk through all
 * ranks meets them, and surveys the ranks. parts: a set of ENGINE_...; with ENGINE_SKIPS_SURVEY all
 * regions get the number of MPI_Finalize and nothing is surveyed, unless there are graphs: their
 * survey finds the NICs that vertices name. STATUS_INPUT: a rank does more than can be replayed.
 * STATUS_MEMORY, or the error of another process. */
status_code survey_ranks(struct replay_engine *engine, unsigned features, struct status *status);

#endif
