/*
 * Receives of matched probes: MPI_Mprobe and MPI_Improbe with MPI_Mrecv and MPI_Imrecv, which leave
 * no record in Score-P's traces.
 *
 * Must not know messages: sealing finds the send that such a receive takes (program_infer.h).
 * Rules:
 * - MPI_Mprobe returns when its message is there, so it becomes the receive, posted and waited for.
 *   The next MPI_Mrecv or MPI_Imrecv belongs to the oldest MPI_Mprobe without one, and becomes
 *   nothing.
 * - The trace does not record which MPI_Improbe found a message. If no MPI_Mprobe is left,
 *   MPI_Mrecv or MPI_Imrecv becomes the receive. Its message was there before the call, so
 *   MPI_Imrecv waits for it too, and the call that completes its request does not.
 * - If the tracer records what MPI_Mrecv or MPI_Imrecv receives, these rules do not apply.
 */
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"
#include "traces/otf2/otf2_import_regions.h"

#include "core/memory/memory.h"

static status_code add_unrecorded_receive(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                                          uint32_t *place, struct status *status) {
    FORWARD_IF_ERROR(import_call_open(rank, thread, ticks, status));
    return builder_append_unrecorded(rank->archive->builder, rank->rank, place, status);
}

static status_code keep_probe(struct import_rank *rank, uint32_t place, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&rank->matched, &rank->matched_capacity,
                                 rank->matched_first + rank->matched_count + 1,
                                 sizeof *rank->matched, status));
    rank->matched[rank->matched_first + rank->matched_count++] = place;
    return STATUS_OK;
}

static uint32_t take_probe(struct import_rank *rank) {
    uint32_t place = rank->matched[rank->matched_first++];
    if (--rank->matched_count == 0) rank->matched_first = 0;
    return place;
}

status_code import_matched_end(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                               struct status *status) {
    const struct import_call *call = &rank->calls[thread];
    uint32_t place = 0;
    if (call->region->class == IMPORT_MATCHED_PROBE) {
        if (call->has_record) return STATUS_OK;
        FORWARD_IF_ERROR(add_unrecorded_receive(rank, thread, ticks, &place, status));
        return keep_probe(rank, place, status);
    }
    if (rank->matched_count == 0)
        return call->has_record ? STATUS_OK
                                : add_unrecorded_receive(rank, thread, ticks, &place, status);
    place = take_probe(rank);
    if (!call->has_record) return STATUS_OK;
    return builder_drop_unrecorded(rank->archive->builder, rank->rank, place, status);
}
