/*
 * The events of one location: nesting of regions, recording switched off, several threads of a
 * rank.
 *
 * Must not know messages or requests. Invariants: otf2_import_rank.c gets outermost MPI calls that
 * begin and end in turn, and the records inside them. The master's events are passed on while they
 * are read. The MPI events of the rank's other threads are collected before and passed on in order
 * of time between the master's events. Of events with equal times, the master's comes first, then
 * those of the other threads by their numbers. But an early event (which completes a request that
 * another thread has not posted yet, or posts a request that is not complete yet) lets others go
 * first.
 */
#include "traces/otf2/otf2_import_timeline.h"
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"
#include "traces/otf2/otf2_import_regions.h"

#include "core/base/compiler_hints.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct import_region *region_at(const struct import_timeline *timeline,
                                             uint32_t entry) {
    return &timeline->rank->archive->regions[entry / 2];
}

static const char *name_at(const struct import_timeline *timeline, uint32_t entry) {
    const struct otf2_definitions *definitions = &timeline->rank->archive->definitions;
    return otf2_definitions_text(definitions, definitions->regions[entry / 2].name);
}

static bool is_mpi(const struct import_timeline *timeline, uint32_t entry) {
    return region_at(timeline, entry)->class != IMPORT_USER;
}

/* ---- passing on ---- */

static status_code carry_out(struct import_rank *rank, uint32_t thread,
                             const struct otf2_event *event, struct status *status) {
    if (event->kind == OTF2_EVENT_ENTER)
        return import_call_begin(rank, thread, event->region, event->record, event->ticks, status);
    if (event->kind == OTF2_EVENT_LEAVE) return import_call_end(rank, thread, event->ticks, status);
    return import_call_record(rank, thread, event, status);
}

/* Moves one of the next events, which have equal times, to the front: the first that is not early
 * and has no event of its own thread before it. Returns false if there is none. */
static bool bring_forward(const struct import_rank *rank, struct import_delayed *delayed) {
    struct import_delayed_event *first = &delayed->events[delayed->next], *event = first;
    const struct import_delayed_event *end = delayed->events + delayed->count;
    uint32_t early_thread = 0; /* the master, which has no events here */
    for (; event < end && event->event.ticks == first->event.ticks; event++) {
        if (event->thread == early_thread) continue;
        if (!import_is_early(rank, &event->event)) break;
        early_thread = event->thread;
    }
    if (event == end || event->event.ticks != first->event.ticks) return false;
    struct import_delayed_event chosen = *event;
    memmove(first + 1, first, (size_t)(event - first) * sizeof *first);
    *first = chosen;
    return true;
}

static status_code carry_out_next(struct import_rank *rank, struct import_delayed *delayed,
                                  struct status *status) {
    const struct import_delayed_event *next = &delayed->events[delayed->next++];
    return carry_out(rank, next->thread, &next->event, status);
}

/* Carries out the events of other threads before the master's next event, and those at the same
 * time while that event is early. */
static HINT_RARE status_code carry_out_before(struct import_rank *rank,
                                              struct import_delayed *delayed,
                                              const struct otf2_event *event,
                                              struct status *status) {
    while (delayed->next < delayed->count &&
           delayed->events[delayed->next].event.ticks < event->ticks) {
        bring_forward(rank, delayed);
        FORWARD_IF_ERROR(carry_out_next(rank, delayed, status));
    }
    while (delayed->next < delayed->count &&
           delayed->events[delayed->next].event.ticks == event->ticks &&
           import_is_early(rank, event) && bring_forward(rank, delayed))
        FORWARD_IF_ERROR(carry_out_next(rank, delayed, status));
    return STATUS_OK;
}

static HINT_RARE status_code delay(struct import_timeline *timeline, const struct otf2_event *event,
                                   struct status *status) {
    struct import_delayed *delayed = timeline->delayed;
    FORWARD_IF_ERROR(memory_grow((void **)&delayed->events, &delayed->capacity, delayed->count + 1,
                                 sizeof *delayed->events, status));
    delayed->events[delayed->count++] = (struct import_delayed_event){*event, timeline->thread};
    return STATUS_OK;
}

static status_code pass_on_enter(struct import_timeline *timeline, const struct otf2_event *event,
                                 uint32_t region, struct status *status) {
    if (timeline->thread == 0)
        return import_call_begin(timeline->rank, 0, region, event->record, event->ticks, status);
    struct otf2_event begin = *event;
    begin.region = region;
    return delay(timeline, &begin, status);
}

static status_code pass_on_leave(struct import_timeline *timeline, uint64_t ticks,
                                 struct status *status) {
    if (timeline->thread == 0) return import_call_end(timeline->rank, 0, ticks, status);
    struct otf2_event end = {.kind = OTF2_EVENT_LEAVE, .ticks = ticks};
    return delay(timeline, &end, status);
}

static status_code pass_on_record(struct import_timeline *timeline, const struct otf2_event *event,
                                  struct status *status) {
    if (timeline->thread == 0) return import_call_record(timeline->rank, 0, event, status);
    return delay(timeline, event, status);
}

status_code import_delayed_flush(struct import_rank *rank, struct import_delayed *delayed,
                                 struct status *status) {
    while (delayed->next < delayed->count) {
        bring_forward(rank, delayed);
        FORWARD_IF_ERROR(carry_out_next(rank, delayed, status));
    }
    return STATUS_OK;
}

bool import_is_communication(const struct otf2_event *event) {
    if (event->kind == OTF2_EVENT_COLLECTIVE || event->kind == OTF2_EVENT_COLLECTIVE_DONE)
        return event->operation != PROGRAM_COLLECTIVE_CREATE_HANDLE &&
               event->operation != PROGRAM_COLLECTIVE_DESTROY_HANDLE;
    return otf2_event_is_mpi(event) || event->kind == OTF2_EVENT_RMA;
}

uint32_t import_delayed_caller(const struct import_delayed *delayed) {
    uint32_t caller = 0;
    for (size_t i = 0; i < delayed->count; i++) {
        const struct import_delayed_event *event = &delayed->events[i];
        if (event->thread == caller || !import_is_communication(&event->event)) continue;
        if (caller != 0) return 0;
        caller = event->thread;
    }
    return caller;
}

/* Merges the runs of events, one run in order of time for each thread, pair by pair. Of equal
 * times, the lower thread comes first. */
status_code import_delayed_sort(struct import_delayed *delayed, struct status *status) {
    size_t count = delayed->count;
    struct import_delayed_event *from = delayed->events;
    struct import_delayed_event *to = memory_new(count, sizeof *to);
    RETURN_ERROR_IF(to == NULL, status, STATUS_MEMORY, "out of memory for %zu events of threads",
                    count);
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = count - start > width ? start + width : count;
            size_t end = count - middle > width ? middle + width : count;
            size_t left = start, right = middle;
            for (size_t i = start; i < end; i++) {
                bool take_left = right == end || (left < middle && from[left].event.ticks <=
                                                                       from[right].event.ticks);
                to[i] = from[take_left ? left++ : right++];
            }
        }
        struct import_delayed_event *swap = from;
        from = to;
        to = swap;
    }
    delayed->events = from;
    delayed->capacity = count;
    free(to);
    return STATUS_OK;
}

/* ---- regions ---- */

static status_code damaged_nesting(const struct import_timeline *timeline, const char *left,
                                   struct status *status) {
    const char *open =
        timeline->depth > 0 ? name_at(timeline, timeline->stack[timeline->depth - 1]) : "no region";
    return status_set(
        status, STATUS_INPUT,
        "%s is left inside %s: MPI calls of several threads overlap. The program calls MPI from "
        "several threads but was recorded without thread support, and records were lost: record it "
        "again with thread support (Score-P: scorep --thread=pthread or --thread=omp)",
        left, open);
}

/* Closes the innermost open region. */
static inline status_code close_top(struct import_timeline *timeline, uint64_t ticks,
                                    struct status *status) {
    uint32_t entry = timeline->stack[--timeline->depth];
    if (is_mpi(timeline, entry)) {
        if (--timeline->mpi_depth > 0) return STATUS_OK;
        return pass_on_leave(timeline, ticks, status);
    }
    return entry % 2 != 0 ? import_user_leave(timeline->rank, ticks, status) : STATUS_OK;
}

static status_code enter_region(struct import_timeline *timeline, const struct otf2_event *event,
                                uint32_t region, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&timeline->stack, &timeline->stack_capacity,
                                 timeline->depth + 1, sizeof *timeline->stack, status));
    uint32_t entry = 2 * region;
    if (is_mpi(timeline, entry)) {
        timeline->stack[timeline->depth++] = entry;
        if (timeline->mpi_depth++ > 0) return STATUS_OK;
        return pass_on_enter(timeline, event, region, status);
    }
    if (timeline->thread == 0 && timeline->mpi_depth == 0 &&
        timeline->rank->archive->config->user_regions) {
        FORWARD_IF_ERROR(import_user_enter(timeline->rank, region, event->ticks, status));
        entry++;
    }
    timeline->stack[timeline->depth++] = entry;
    return STATUS_OK;
}

/* Leaves a user region out of order (recording was off, or the program left regions by longjmp).
 * Closes the regions inside it too, and ignores a region that is not open. STATUS_INPUT: an MPI
 * region is concerned, though recording was never off. */
static HINT_RARE status_code leave_unbalanced(struct import_timeline *timeline, uint64_t ticks,
                                              uint32_t region, struct status *status) {
    size_t place = timeline->depth;
    bool mpi_above = false;
    while (place > 0 && timeline->stack[place - 1] / 2 != region)
        mpi_above |= is_mpi(timeline, timeline->stack[--place]);
    bool is_open = place > 0;
    bool concerns_mpi = is_mpi(timeline, 2 * region) ? !is_open || mpi_above : is_open && mpi_above;
    if (concerns_mpi && !timeline->was_off)
        return damaged_nesting(timeline, name_at(timeline, 2 * region), status);
    timeline->counts->unbalanced_regions++;
    while (is_open && timeline->depth >= place)
        FORWARD_IF_ERROR(close_top(timeline, ticks, status));
    return STATUS_OK;
}

static status_code leave_region(struct import_timeline *timeline, const struct otf2_event *event,
                                uint32_t region, struct status *status) {
    if (timeline->depth > 0 && timeline->stack[timeline->depth - 1] / 2 == region)
        return close_top(timeline, event->ticks, status);
    return leave_unbalanced(timeline, event->ticks, region, status);
}

static status_code close_all(struct import_timeline *timeline, uint64_t ticks,
                             struct status *status) {
    while (timeline->depth > 0)
        FORWARD_IF_ERROR(close_top(timeline, ticks, status));
    return STATUS_OK;
}

static HINT_RARE status_code switch_recording(struct import_timeline *timeline,
                                              const struct otf2_event *event,
                                              struct status *status) {
    if (event->kind == OTF2_EVENT_RECORDING_OFF) {
        timeline->was_off = timeline->rank->was_off = true;
        FORWARD_IF_ERROR(close_all(timeline, event->ticks, status));
        if (timeline->thread != 0) return STATUS_OK;
        timeline->counts->recording_gaps++;
        import_clock_stop(timeline->rank, event->ticks);
    } else if (timeline->thread == 0) {
        import_clock_start(timeline->rank, event->ticks);
    }
    return STATUS_OK;
}

/* ---- events ---- */

static inline status_code cross_region(struct import_timeline *timeline,
                                       const struct otf2_event *event, struct status *status) {
    size_t region =
        otf2_definitions_find_region(&timeline->rank->archive->definitions, event->region);
    RETURN_ERROR_IF(region == SIZE_MAX, status, STATUS_INPUT,
                    "region %u is not defined (damaged file?)", event->region);
    return event->kind == OTF2_EVENT_ENTER
               ? enter_region(timeline, event, (uint32_t)region, status)
               : leave_region(timeline, event, (uint32_t)region, status);
}

static inline status_code dispatch(struct import_timeline *timeline, const struct otf2_event *event,
                                   struct status *status) {
    /* most events */
    if (event->kind == OTF2_EVENT_ENTER || event->kind == OTF2_EVENT_LEAVE)
        return cross_region(timeline, event, status);
    switch (event->kind) {
    case OTF2_EVENT_RECORDING_OFF:
    case OTF2_EVENT_RECORDING_ON:
        return switch_recording(timeline, event, status);
    case OTF2_EVENT_FLUSH:
        if (timeline->thread != 0 || timeline->mpi_depth > 0) return STATUS_OK;
        timeline->counts->flushes++;
        import_clock_stop(timeline->rank, event->ticks);
        import_clock_start(timeline->rank, event->stop_ticks);
        return STATUS_OK;
    case OTF2_EVENT_OTHER:
        return STATUS_OK;
    case OTF2_EVENT_RMA:
    case OTF2_EVENT_RMA_DONE:
    case OTF2_EVENT_WINDOW_COLLECTIVE:
    case OTF2_EVENT_GROUP_SYNC:
    case OTF2_EVENT_LOCK:
    case OTF2_EVENT_LOCKED:
    case OTF2_EVENT_UNLOCK:
        if (timeline->mpi_depth > 0) return pass_on_record(timeline, event, status);
        timeline->counts->foreign_rma++; /* SHMEM, GASPI, … */
        return STATUS_OK;
    case OTF2_EVENT_FILE:
    case OTF2_EVENT_FILE_DONE:
    case OTF2_EVENT_FILE_SEEK: /* other interfaces open files outside MPI calls */
        return timeline->mpi_depth > 0 ? pass_on_record(timeline, event, status) : STATUS_OK;
    case OTF2_EVENT_CALLING_CONTEXT:
        return status_set(status, STATUS_INPUT,
                          "the trace was recorded with calling contexts (sampling or unwinding), "
                          "which hide the MPI calls: record it without (Score-P: "
                          "SCOREP_ENABLE_UNWINDING=false)");
    default:
        RETURN_ERROR_IF(timeline->mpi_depth == 0, status, STATUS_INPUT,
                        "a record of MPI communication outside any MPI call: the trace lacks the "
                        "MPI regions, or records were lost");
        return pass_on_record(timeline, event, status);
    }
}

static HINT_NOINLINE status_code carry_on(struct import_timeline *timeline,
                                          const struct otf2_event *event, struct status *status) {
    const struct import_delayed *delayed = timeline->delayed;
    if (!timeline->has_events) {
        timeline->has_events = true;
        timeline->first_ticks = event->ticks;
        if (timeline->thread == 0) import_rank_start(timeline->rank, event->ticks);
    }
    timeline->last_ticks = event->ticks;
    timeline->is_plain = timeline->thread != 0 || delayed->next == delayed->count;
    if (!timeline->is_plain)
        FORWARD_IF_ERROR(carry_out_before(timeline->rank, timeline->delayed, event, status));
    return dispatch(timeline, event, status);
}

/* Carries out an event after correcting its times. A flush may end after the next event, which was
 * on its way when the buffer was full. */
static HINT_RARE status_code carry_on_in_time(struct import_timeline *timeline,
                                              const struct otf2_event *event,
                                              struct status *status) {
    const struct import_archive *archive = timeline->rank->archive;
    struct otf2_event fitting = *event;
    if (!import_time_fits(archive, event->ticks, timeline->last_ticks))
        FORWARD_IF_ERROR(import_time_misfits(archive, timeline->counts, timeline->last_ticks,
                                             &fitting.ticks, status));
    if (event->kind == OTF2_EVENT_FLUSH &&
        !import_time_fits(archive, event->stop_ticks, fitting.ticks))
        FORWARD_IF_ERROR(import_time_misfits(archive, timeline->counts, fitting.ticks,
                                             &fitting.stop_ticks, status));
    return carry_on(timeline, &fitting, status);
}

status_code import_timeline_event(void *context, const struct otf2_event *event,
                                  struct status *status) {
    struct import_timeline *timeline = context;
    bool fits = import_time_fits(timeline->rank->archive, event->ticks, timeline->last_ticks) &&
                event->kind != OTF2_EVENT_FLUSH;
    status_code code;
    if (HINT_UNLIKELY(!fits)) {
        code = carry_on_in_time(timeline, event, status);
    } else if (timeline->is_plain) {
        timeline->last_ticks = event->ticks;
        code = dispatch(timeline, event, status);
    } else {
        code = carry_on(timeline, event, status);
    }
    if (code == STATUS_OK) return STATUS_OK;
    return status_prefix(status, "event %" PRIu64, event->record);
}

status_code import_timeline_finish(struct import_timeline *timeline, struct status *status) {
    const struct import_archive *archive = timeline->rank->archive;
    /* TAU writes its files inside MPI_Finalize, so before MPI_Finalize is left. */
    bool is_whole =
        timeline->mpi_depth == 0 || timeline->was_off || archive->is_eztrace ||
        region_at(timeline, timeline->stack[timeline->depth - 1])->class == IMPORT_FINALIZE;
    RETURN_ERROR_IF(!is_whole, status, STATUS_INPUT,
                    "ends inside %s: the program ended there (MPI_Abort?), or records were lost; "
                    "the trace is not a complete run",
                    name_at(timeline, timeline->stack[timeline->depth - 1]));
    timeline->counts->unbalanced_regions += timeline->depth;
    return close_all(timeline, timeline->last_ticks, status);
}
