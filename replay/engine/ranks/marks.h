/*
 * The marks of a rank: where MPI calls and user regions begin and end.
 *
 * Must not know: messages. Most operations of a program are marks, so the functions are inline.
 */
#ifndef ANAX_REPLAY_MARKS_H
#define ANAX_REPLAY_MARKS_H

#include "replay/engine/measurement/observers.h"
#include "replay/engine/ranks/progress.h"
#include "traces/program/program_marks.h"

/* Begins an MPI call of a rank, at its clock. */
static inline void marks_begin_call(struct engine_domain *domain, struct engine_rank *rank,
                                    uint32_t region) {
    rank->mpi_function = domain->engine->mpi_function_of_region[region];
    rank->call_from_ps = rank->clock_ps;
    rank->call_waited_ps = rank->waited_ps;
    progress_enter(domain, rank);
}

/* Ends the MPI call of a rank, at its clock, and counts its time. */
static inline void marks_end_call(struct engine_domain *domain, struct engine_rank *rank) {
    struct replay_mpi_function_result *function = &domain->mpi_functions[rank->mpi_function];
    function->count++;
    function->time_ps += (uint64_t)(rank->clock_ps - rank->call_from_ps);
    function->wait_ps += (uint64_t)(rank->waited_ps - rank->call_waited_ps);
    rank->call_from_ps = rank->clock_ps;
    rank->is_outside_mpi = true;
}

/* Lets the rank pass a mark, at its clock. kind: CALL, RETURN, ENTER or LEAVE. */
static inline void marks_pass(struct engine_domain *domain, struct engine_rank *rank,
                              program_operation_kind kind, uint32_t region) {
    struct replay_timeline *timeline = domain->engine->timeline;
    if (HINT_UNLIKELY(timeline != NULL))
        timeline->times_ps[timeline->first[rank->result.rank] + rank->mark_count++] =
            rank->clock_ps;
    if (kind == OPERATION_CALL) {
        marks_begin_call(domain, rank, region);
    } else if (kind == OPERATION_RETURN) {
        marks_end_call(domain, rank);
    } else if (engine_is_observed(domain)) {
        if (kind == OPERATION_ENTER)
            observe_enter(domain, rank->result.rank, region);
        else
            observe_leave(domain, rank->result.rank);
    }
}

#endif
