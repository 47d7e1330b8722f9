/*
 * Who sends to whom, in which order, how long and when. Must not know in which order ranks go on.
 */
#include "traces/program/infer_parts.h"

#include "core/memory.h"
#include "traces/program/builder_parts.h"
#include "traces/program/content_hash.h"
#include "traces/program/program_match.h"

#include <stdlib.h>

/* ---- queues ---- */

static status_code find_queue(infer *infer, key_table *index, uint32_t destination, uint32_t source,
                              uint32_t channel, uint32_t *found, status *status) {
    uint64_t hash = content_hash_add3(0, destination, source, channel);
    for (;; hash++) {
        *found = key_table_find(index, hash);
        if (*found == KEY_TABLE_NONE) break;
        const infer_queue *queue = &infer->queues[*found];
        if (queue->destination == destination && queue->source == source &&
            queue->channel == channel)
            return STATUS_OK;
    }
    FORWARD_IF_ERROR(memory_grow((void **)&infer->queues, &infer->queue_capacity,
                                 infer->queue_count + 1, sizeof *infer->queues, status));
    *found = (uint32_t)infer->queue_count++;
    infer->queues[*found] = (infer_queue){.destination = destination,
                                          .source = source,
                                          .channel = channel,
                                          .target = PROGRAM_NONE,
                                          .target_of = PROGRAM_NONE};
    return key_table_insert(index, hash, *found, status);
}

static status_code count_rank(infer *infer, key_table *index, const program_posted_rank *posted,
                              uint32_t rank, status *status) {
    program *program = infer->program;
    program_operation *operations = program->operations + program->ranks[rank].first;
    for (size_t i = 0; i < posted->sends.count; i++) {
        program_operation *send = &operations[posted->sends.at[i]];
        if (program_is_remote(send)) continue;
        FORWARD_IF_ERROR(find_queue(infer, index, send->message.peer, rank, send->message.channel,
                                    &send->message.match, status));
        infer->queues[send->message.match].sends++;
    }
    for (size_t i = 0; i < posted->receives.count; i++) {
        program_operation *receive = &operations[posted->receives.at[i]];
        if (builder_is_unrecorded(receive)) {
            infer->ranks[rank].unrecorded++;
            continue;
        }
        FORWARD_IF_ERROR(find_queue(infer, index, rank, receive->message.peer,
                                    receive->message.channel, &receive->message.match, status));
        infer->queues[receive->message.match].receives++;
    }
    return STATUS_OK;
}

/* Room for what is known of the messages that matter. */
static status_code watch_queues(infer *infer, status *status) {
    const program *program = infer->program;
    uint64_t sends = 0, receives = 0;
    for (size_t i = 0; i < infer->queue_count; i++) {
        infer_queue *queue = &infer->queues[i];
        queue->is_watched = infer->ranks[queue->destination].unrecorded > 0 &&
                            program->channels[queue->channel].tag > PROGRAM_TAG_LAST;
        if (!queue->is_watched) continue;
        queue->is_open = queue->sends > queue->receives;
        queue->first_send = sends;
        queue->first_receive = receives;
        sends += queue->sends;
        receives += queue->receives;
    }
    infer->sends = memory_new((size_t)sends, sizeof *infer->sends);
    infer->receives = memory_new((size_t)receives, sizeof *infer->receives);
    RETURN_ERROR_IF(infer->sends == NULL || infer->receives == NULL, status, STATUS_MEMORY,
                    "out of memory for %llu messages", (unsigned long long)sends);
    return STATUS_OK;
}

/* ---- what is in them ---- */

/* A watched message in a slot; both NULL: something else. */
typedef struct filler_slot {
    infer_send *send;
    infer_receive *receive;
} filler_slot;

/* The rank at hand. */
typedef struct filler {
    infer *infer;
    const program_rank *part;
    filler_slot *slots;
    size_t slot_capacity;
    filler_slot *completed; /* by the call at hand */
    size_t completed_count, completed_capacity;
    int64_t call_ps;
    uint32_t unrecorded, sends; /* so far */
} filler;

static void set_slot(filler *filler, uint32_t slot, infer_send *send, infer_receive *receive) {
    if (slot != PROGRAM_NONE) filler->slots[slot] = (filler_slot){send, receive};
}

static void fill_send(filler *filler, const program_operation *operation) {
    uint32_t slot = operation->message.slot;
    infer_queue *queue = NULL;
    if (!program_is_remote(operation)) queue = &filler->infer->queues[operation->message.match];
    infer_send *send = NULL;
    if (queue != NULL && queue->is_watched) {
        send = infer_send_at(filler->infer, queue, queue->posted++);
        *send = (infer_send){operation->value, filler->call_ps, filler->call_ps, filler->sends,
                             (operation->flags & PROGRAM_SYNCHRONOUS) != 0};
    }
    filler->sends++;
    set_slot(filler, slot, send, NULL);
}

static void fill_receive(filler *filler, const program_operation *operation) {
    infer *infer = filler->infer;
    infer_receive *receive = NULL;
    if (builder_is_unrecorded(operation)) {
        filler->unrecorded++;
    } else if (infer->queues[operation->message.match].is_watched) {
        infer_queue *queue = &infer->queues[operation->message.match];
        bool unsized = (operation->flags & MATCH_UNSIZED) != 0;
        receive = infer_receive_at(infer, queue, queue->known++);
        *receive = (infer_receive){unsized ? INFER_ANY_BYTES : operation->value, INT64_MAX, 0,
                                   filler->unrecorded};
    }
    set_slot(filler, operation->message.slot, NULL, receive);
}

/* When what it waits for is complete is known at the end of the call. */
static status_code fill_wait(filler *filler, const program_operation *operation, status *status) {
    const uint32_t *slots =
        filler->infer->program->wait_slots + filler->part->first_wait_slot + operation->wait.first;
    FORWARD_IF_ERROR(memory_grow((void **)&filler->completed, &filler->completed_capacity,
                                 filler->completed_count + operation->wait.count,
                                 sizeof *filler->completed, status));
    for (uint32_t i = 0; i < operation->wait.count; i++) {
        uint32_t slot = operation->wait.count == 1 ? operation->wait.first : slots[i];
        filler->completed[filler->completed_count++] = filler->slots[slot];
    }
    return STATUS_OK;
}

static void end_call(filler *filler, int64_t time_ps) {
    for (size_t i = 0; i < filler->completed_count; i++) {
        filler_slot *slot = &filler->completed[i];
        if (slot->receive != NULL) slot->receive->done_ps = time_ps;
        if (slot->send == NULL) continue;
        bool is_of_call = slot->send->sent_ps == filler->call_ps;
        if (slot->send->is_synchronous || is_of_call) slot->send->due_ps = time_ps;
    }
    filler->completed_count = 0;
}

static status_code fill_operation(filler *filler, const program_operation *operation,
                                  status *status) {
    switch (operation->kind) {
    case PROGRAM_CALL:
        filler->call_ps = operation->mark.trace_ps;
        break;
    case PROGRAM_SEND:
        fill_send(filler, operation);
        break;
    case PROGRAM_RECEIVE:
        fill_receive(filler, operation);
        break;
    case PROGRAM_COLLECTIVE:
        set_slot(filler, operation->collective.slot, NULL, NULL);
        break;
    case PROGRAM_WAIT:
        return fill_wait(filler, operation, status);
    case PROGRAM_RETURN:
        end_call(filler, operation->mark.trace_ps);
        break;
    default:
        break;
    }
    return STATUS_OK;
}

static status_code fill_rank(filler *filler, uint32_t rank, status *status) {
    const program *program = filler->infer->program;
    filler->part = &program->ranks[rank];
    filler->unrecorded = filler->sends = 0;
    FORWARD_IF_ERROR(memory_grow((void **)&filler->slots, &filler->slot_capacity,
                                 filler->part->slot_count, sizeof *filler->slots, status));
    const program_operation *operations = program->operations + filler->part->first;
    for (uint64_t i = 0; i < filler->part->count; i++)
        FORWARD_IF_ERROR(fill_operation(filler, &operations[i], status));
    return STATUS_OK;
}

static status_code fill_queues(infer *infer, status *status) {
    filler filler = {.infer = infer};
    status_code code = STATUS_OK;
    for (uint32_t rank = 0; code == STATUS_OK && rank < infer->program->rank_count; rank++)
        code = fill_rank(&filler, rank, status);
    free(filler.slots);
    free(filler.completed);
    return code;
}

static status_code find(infer *infer, key_table *index, const program_posted *posted,
                        status *status) {
    uint32_t rank_count = infer->program->rank_count;
    for (uint32_t rank = 0; rank < rank_count; rank++)
        FORWARD_IF_ERROR(count_rank(infer, index, &posted->ranks[rank], rank, status));
    FORWARD_IF_ERROR(watch_queues(infer, status));
    FORWARD_IF_ERROR(fill_queues(infer, status));
    infer_bounds_find(infer);
    return STATUS_OK;
}

status_code infer_queues_find(infer *infer, const program_posted *posted, status *status) {
    key_table index = {0};
    status_code code = find(infer, &index, posted, status);
    key_table_free(&index);
    return code;
}

void infer_queues_reset(infer *infer) {
    for (uint32_t rank = 0; rank < infer->program->rank_count; rank++) {
        infer_rank *own = &infer->ranks[rank];
        own->decided = 0;
        own->left = own->ready.count = own->urgent.count = 0;
    }
    for (size_t i = 0; i < infer->queue_count; i++) {
        infer_queue *queue = &infer->queues[i];
        queue->posted = queue->claimed = queue->known = 0;
        queue->is_ready = queue->is_urgent = queue->has_after = false;
        queue->target = queue->target_of = PROGRAM_NONE;
        if (queue->is_open) infer->ranks[queue->destination].left += queue->sends - queue->receives;
    }
}
