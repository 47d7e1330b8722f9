/*
 * One rank: turns MPI calls and the time between them into operations.
 *
 * Must not know how regions nest, or the content of records. Rules:
 * - Computation is the time that the master spends outside MPI, in user regions or not. Time before
 *   MPI_Init counts; time after MPI_Finalize does not, since the tracer writes its files then. If
 *   one other thread communicates alone, the rank follows it: computation is the time that both
 *   threads spend outside MPI.
 * - Calls without records have no effect on other ranks; most of them are left out
 *   (otf2_import_unrecorded.c).
 * - Polling is waiting. Failed tests and probes form a run. If a run ends with a successful test,
 *   or (for probes) with a receive, the gaps between its calls that are shorter than
 *   traces_config.polling_gap_ps do not count, and the run becomes a wait. If it ends otherwise,
 *   the program tested in between computations, and the gaps are computation.
 * - A test that finds a send complete shows only when the send was complete. It becomes a wait with
 *   the flag OPERATION_FLAG_WAIT_TESTED.
 * - Calls of other threads stand where their records stand in time. Calls of different threads
 *   overlap, so each call is cut: its posts come at the times of its records, its waits at its end.
 *   The application ran in this order once, so the replay cannot block because of the order.
 *   Computation of other threads does not count in addition to the master's.
 */
#include "traces/otf2/otf2_import_rank.h"
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_regions.h"

#include "core/base/compiler_hints.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>

static bool is_poll(const struct import_region *region) {
    return region->class == IMPORT_TEST || region->class == IMPORT_PROBE ||
           region->class == IMPORT_RMA_TEST;
}

static bool is_of_matched(const struct import_region *region) {
    return region->class == IMPORT_MATCHED_PROBE || region->class == IMPORT_MATCHED_RECEIVE;
}

static bool receives(const struct import_region *region) {
    return region->class == IMPORT_RECEIVE || region->class == IMPORT_IRECV ||
           is_of_matched(region);
}

/* Returns true if computation is the time outside this thread's calls. */
static bool is_timed(const struct import_rank *rank, uint32_t thread) {
    return thread == 0 || thread == rank->follows;
}

/* ---- the clock ---- */

void import_rank_start(struct import_rank *rank, uint64_t ticks) {
    rank->since_ticks = ticks;
    rank->clock_runs = true;
}

void import_clock_stop(struct import_rank *rank, uint64_t ticks) {
    if (rank->clock_runs && ticks > rank->since_ticks) rank->gap_ticks += ticks - rank->since_ticks;
    rank->clock_runs = false;
}

void import_clock_start(struct import_rank *rank, uint64_t ticks) {
    rank->clock_runs = !rank->is_finalized && rank->timed_calls == 0;
    rank->since_ticks = ticks;
}

/* Counts the time up to now; the clock continues. */
static void clock_read(struct import_rank *rank, uint64_t ticks) {
    if (!rank->clock_runs || ticks <= rank->since_ticks) return;
    rank->gap_ticks += ticks - rank->since_ticks;
    rank->since_ticks = ticks;
}

void import_end_polling(struct import_rank *rank, bool succeeded) {
    if (!succeeded) rank->compute_ticks += rank->polling_ticks;
    rank->polling_ticks = 0;
    rank->is_polling = rank->is_probing = false;
}

/* Appends the computation so far. Converts its length together with that of the computation before
 * it since the last call, so that marks of user regions in between do not change the sum. */
static status_code append_marked_compute(struct import_rank *rank, struct status *status) {
    if (rank->compute_ticks == 0) return STATUS_OK;
    int64_t until_ps = 0;
    rank->marked_ticks += rank->compute_ticks;
    rank->compute_ticks = 0;
    FORWARD_IF_ERROR(import_duration_ps(rank->archive, rank->marked_ticks, &until_ps, status));
    const int64_t duration_ps = until_ps - rank->marked_ps;
    rank->marked_ps = until_ps;
    return builder_compute(rank->archive->builder, rank->rank, duration_ps, status);
}

status_code import_append_compute(struct import_rank *rank, struct status *status) {
    FORWARD_IF_ERROR(append_marked_compute(rank, status));
    rank->marked_ticks = 0;
    rank->marked_ps = 0;
    return STATUS_OK;
}

/* Counts the gap before a call of a timed thread as part of a run of polls or as computation. */
static void classify_gap(struct import_rank *rank, const struct import_region *region) {
    if (rank->is_polling && is_poll(region) && rank->gap_ticks < rank->archive->polling_gap_ticks)
        rank->polling_ticks += rank->gap_ticks;
    else
        rank->compute_ticks += rank->gap_ticks;
    rank->gap_ticks = 0;
    if (rank->is_probing && receives(region)) import_end_polling(rank, true);
}

/* ---- calls ---- */

static status_code end_builder_call(struct import_rank *rank, uint64_t ticks, bool drop_empty,
                                    struct status *status) {
    int64_t time_ps = 0;
    FORWARD_IF_ERROR(import_time_ps(rank->archive, ticks, &time_ps, status));
    rank->open = PROGRAM_NONE;
    return builder_return(rank->archive->builder, rank->rank, time_ps, drop_empty, status);
}

static status_code close_builder_call(struct import_rank *rank, uint64_t ticks,
                                      struct status *status) {
    return end_builder_call(rank, ticks, true, status);
}

static status_code open_call(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                             struct status *status) {
    if (rank->open == thread) return STATUS_OK;
    if (rank->open != PROGRAM_NONE) FORWARD_IF_ERROR(close_builder_call(rank, ticks, status));
    const struct import_call *call = &rank->calls[thread];
    if (is_timed(rank, thread)) {
        if (rank->is_polling) import_end_polling(rank, is_poll(call->region));
    } else if (!rank->is_polling) {
        clock_read(rank, ticks);
        rank->compute_ticks += rank->gap_ticks;
        rank->gap_ticks = 0;
    }
    FORWARD_IF_ERROR(import_append_compute(rank, status));
    int64_t time_ps = 0;
    FORWARD_IF_ERROR(import_time_ps(rank->archive, rank->is_concurrent ? ticks : call->enter_ticks,
                                    &time_ps, status));
    rank->open = thread;
    return builder_call(rank->archive->builder, rank->rank, call->region->region,
                        call->enter_record, time_ps, status);
}

/* Reserves the collectives of other threads that have begun and not ended. Their records stand
 * where they end, and the calls that a thread makes meanwhile may depend on them. */
static HINT_RARE status_code reserve_collectives(struct import_rank *rank, uint32_t but,
                                                 uint64_t ticks, struct status *status) {
    for (uint32_t thread = 0; thread < rank->threads; thread++) {
        struct import_call *call = &rank->calls[thread];
        if (thread == but || !call->is_active || call->region->class != IMPORT_COLLECTIVE ||
            call->has_record || call->collective != BUILDER_NO_REQUEST)
            continue;
        FORWARD_IF_ERROR(open_call(rank, thread, ticks, status));
        call->collective = import_new_request(rank);
        FORWARD_IF_ERROR(builder_reserve_collective(rank->archive->builder, rank->rank,
                                                    call->collective, status));
    }
    return STATUS_OK;
}

status_code import_call_open(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                             struct status *status) {
    if (rank->is_concurrent) FORWARD_IF_ERROR(reserve_collectives(rank, thread, ticks, status));
    return open_call(rank, thread, ticks, status);
}

status_code import_call_begin(struct import_rank *rank, uint32_t thread, uint32_t region,
                              uint64_t number, uint64_t ticks, struct status *status) {
    struct import_call *call = &rank->calls[thread];
    call->region = &rank->archive->regions[region];
    call->is_active = true;
    call->has_record = call->has_file = false;
    call->enter_record = number;
    call->enter_ticks = ticks;
    call->completed_count = 0;
    call->receive = call->collective = BUILDER_NO_REQUEST;
    rank->counts->mpi_calls++;
    if (thread > 0) rank->counts->thread_calls++;
    if (is_timed(rank, thread)) {
        rank->timed_calls++;
        import_clock_stop(rank, ticks);
        if (rank->test.region != NULL)
            FORWARD_IF_ERROR(import_unrecorded_tested(rank, thread, status));
        classify_gap(rank, call->region);
    }
    if (!rank->is_concurrent || call->region->class != IMPORT_RECEIVE) return STATUS_OK;
    /* Another thread may run meanwhile, so the receive is posted now and not at its record. */
    FORWARD_IF_ERROR(import_call_open(rank, thread, ticks, status));
    call->receive = import_new_request(rank);
    return builder_reserve_receive(rank->archive->builder, rank->rank, call->receive, status);
}

/* Returns true for a failed MPI_Win_test: Score-P writes its record in any case. */
static bool is_failed_test(const struct import_call *call, const struct otf2_event *event) {
    return call->region->class == IMPORT_RMA_TEST && event->kind == OTF2_EVENT_GROUP_SYNC &&
           event->synchronises == 0;
}

/* Imports a record of a file, unless another interface than MPI opened it. */
static status_code file_record(struct import_rank *rank, uint32_t thread,
                               const struct otf2_event *event, struct status *status) {
    size_t file = 0;
    const size_t handle =
        otf2_definitions_find_handle(&rank->archive->definitions, event->handle, &file);
    if (handle == SIZE_MAX) return STATUS_OK;
    if (event->kind == OTF2_EVENT_FILE)
        FORWARD_IF_ERROR(import_call_open(rank, thread, event->ticks, status));
    return import_file(rank, &rank->calls[thread], event, handle, file, status);
}

status_code import_call_record(struct import_rank *rank, uint32_t thread,
                               const struct otf2_event *event, struct status *status) {
    struct import_call *call = &rank->calls[thread];
    RETURN_ERROR_IF(!call->is_active, status, STATUS_INPUT,
                    "a record of communication outside MPI calls");
    if (is_failed_test(call, event)) return STATUS_OK;
    if (event->kind >= OTF2_EVENT_FILE && event->kind <= OTF2_EVENT_FILE_SEEK)
        return file_record(rank, thread, event, status);
    call->has_record = true;
    struct otf2_event translated;
    if (rank->archive->has_global) event = import_local_numbers(rank, event, &translated);
    FORWARD_IF_ERROR(import_call_open(rank, thread, event->ticks, status));
    switch (event->kind) {
    case OTF2_EVENT_SEND:
    case OTF2_EVENT_ISEND:
    case OTF2_EVENT_RECV:
    case OTF2_EVENT_IRECV:
        return import_message(rank, call, event, status);
    case OTF2_EVENT_RMA:
    case OTF2_EVENT_RMA_DONE:
    case OTF2_EVENT_WINDOW_COLLECTIVE:
    case OTF2_EVENT_GROUP_SYNC:
    case OTF2_EVENT_LOCK:
    case OTF2_EVENT_LOCKED:
    case OTF2_EVENT_UNLOCK:
        return import_rma(rank, call, event, status);
    case OTF2_EVENT_COLLECTIVE:
    case OTF2_EVENT_COLLECTIVE_DONE:
        return import_collective(rank, call, event, status);
    default:
        return import_request(rank, call, event, status);
    }
}

/* Ends a call without records, or with some records missing. */
static status_code end_without_record(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                                      struct status *status) {
    struct import_call *call = &rank->calls[thread];
    const struct import_region *region = call->region;
    if (call->receive != BUILDER_NO_REQUEST)
        FORWARD_IF_ERROR(
            builder_drop_receive(rank->archive->builder, rank->rank, call->receive, status));
    if (call->collective != BUILDER_NO_REQUEST)
        FORWARD_IF_ERROR(
            builder_drop_collective(rank->archive->builder, rank->rank, call->collective, status));
    if (call->has_record) return STATUS_OK;
    bool is_guessed = region->starts >= IMPORT_STARTS_COLLECTIVE && rank->archive->guessed != NULL;
    if (region->why != NULL && !is_guessed && !call->has_file)
        rank->counts->calls_without_record[region - rank->archive->regions]++;
    if (region->class != IMPORT_IRECV || rank->has_requests) return STATUS_OK;
    FORWARD_IF_ERROR(import_call_open(rank, thread, ticks, status));
    return import_unnamed_receive(rank, status);
}

/* Waits for the requests that the call has completed. After a test, the wait has the flag
 * OPERATION_FLAG_WAIT_TESTED for operations that only give data away. */
static status_code wait_for_completed(struct import_rank *rank, const struct import_call *call,
                                      struct status *status) {
    struct program_builder *builder = rank->archive->builder;
    uint32_t count = (uint32_t)call->completed_count;
    if (call->region->class != IMPORT_TEST)
        return builder_wait(builder, rank->rank, call->completed, count, status);
    return builder_wait_tested(builder, rank->rank, call->completed, count,
                               &rank->counts->tested_sends, status);
}

status_code import_call_end(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                            struct status *status) {
    struct import_call *call = &rank->calls[thread];
    const struct import_region *region = call->region;
    struct program_builder *builder = rank->archive->builder;
    bool is_kept = false;
    if (is_of_matched(region)) FORWARD_IF_ERROR(import_matched_end(rank, thread, ticks, status));
    FORWARD_IF_ERROR(end_without_record(rank, thread, ticks, status));
    if (!call->has_record || call->has_file || rank->unrecorded_count > 0)
        FORWARD_IF_ERROR(import_unrecorded(rank, thread, ticks, &is_kept, status));
    if (rank->rma_count > 0) FORWARD_IF_ERROR(import_rma_end(rank, thread, ticks, status));
    if (call->completed_count > 0) {
        FORWARD_IF_ERROR(import_call_open(rank, thread, ticks, status));
        FORWARD_IF_ERROR(wait_for_completed(rank, call, status));
    }
    if (rank->open == thread) {
        FORWARD_IF_ERROR(builder_wait_call(builder, rank->rank, status));
        FORWARD_IF_ERROR(end_builder_call(rank, ticks, !is_kept, status));
    }
    if (region->class == IMPORT_SEND_INIT || region->class == IMPORT_RECEIVE_INIT)
        FORWARD_IF_ERROR(import_persistent_made(rank, region, status));
    rank->has_freed |= region->class == IMPORT_FREE;
    call->is_active = false;
    if (!is_timed(rank, thread)) return STATUS_OK;
    rank->timed_calls--;
    rank->is_finalized |= region->class == IMPORT_FINALIZE;
    import_clock_start(rank, ticks);
    if (is_poll(region) && !call->has_record && !call->has_file) {
        rank->is_polling = true;
        rank->is_probing |= region->class == IMPORT_PROBE;
    }
    return STATUS_OK;
}

/* ---- user regions ---- */

/* Counts the time before a user region begins or ends. In a run of polls the time stays with the
 * run and may be appended after the mark, since the end of the run decides whether it is
 * computation. */
static status_code before_user_mark(struct import_rank *rank, uint64_t ticks, int64_t *time_ps,
                                    struct status *status) {
    FORWARD_IF_ERROR(import_time_ps(rank->archive, ticks, time_ps, status));
    if (rank->open != PROGRAM_NONE) FORWARD_IF_ERROR(close_builder_call(rank, ticks, status));
    if (rank->is_polling) return STATUS_OK;
    clock_read(rank, ticks);
    rank->compute_ticks += rank->gap_ticks;
    rank->gap_ticks = 0;
    return append_marked_compute(rank, status);
}

status_code import_user_enter(struct import_rank *rank, uint32_t region, uint64_t ticks,
                              struct status *status) {
    int64_t time_ps = 0;
    FORWARD_IF_ERROR(before_user_mark(rank, ticks, &time_ps, status));
    return builder_enter(rank->archive->builder, rank->rank, rank->archive->regions[region].region,
                         time_ps, status);
}

status_code import_user_leave(struct import_rank *rank, uint64_t ticks, struct status *status) {
    int64_t time_ps = 0;
    FORWARD_IF_ERROR(before_user_mark(rank, ticks, &time_ps, status));
    return builder_leave(rank->archive->builder, rank->rank, time_ps, status);
}

/* ---- beginning and end ---- */

status_code import_rank_finish(struct import_rank *rank, uint64_t ticks, struct status *status) {
    if (rank->open != PROGRAM_NONE) FORWARD_IF_ERROR(close_builder_call(rank, ticks, status));
    import_clock_stop(rank, ticks);
    rank->compute_ticks += rank->gap_ticks;
    rank->gap_ticks = 0;
    import_end_polling(rank, false);
    import_persistent_finish(rank);
    FORWARD_IF_ERROR(import_append_compute(rank, status));
    return import_drop_reserved(rank, status);
}

void import_rank_clear(struct import_rank *rank) {
    free(rank->unnamed);
    free(rank->matched);
    free(rank->rma_requests);
    free(rank->unrecorded);
    free(rank->positions);
    key_table_free(&rank->locks);
    import_persistent_clear(&rank->persistent);
}
