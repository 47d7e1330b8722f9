/*
 * Finds the queues: which rank sends to which, in which order, how long and when. Must not know in
 * which order ranks continue.
 */
#include "traces/program/infer/infer_parts.h"

#include "core/memory/memory.h"
#include "traces/program/builder/builder_parts.h"
#include "traces/program/content_hash.h"
#include "traces/program/seal/program_match_messages.h"

#include <stdlib.h>

/* ---- queues ---- */

static status_code find_queue(struct infer *infer, struct key_table *index, uint32_t destination,
                              uint32_t source, uint32_t envelope, uint32_t *found,
                              struct status *status) {
    uint64_t hash = content_hash_add3(0, destination, source, envelope);
    for (;; hash++) {
        *found = key_table_find(index, hash);
        if (*found == KEY_TABLE_NONE) break;
        const struct infer_queue *queue = &infer->queues[*found];
        if (queue->destination == destination && queue->source == source &&
            queue->envelope == envelope)
            return STATUS_OK;
    }
    FORWARD_IF_ERROR(memory_grow((void **)&infer->queues, &infer->queue_capacity,
                                 infer->queue_count + 1, sizeof *infer->queues, status));
    *found = (uint32_t)infer->queue_count++;
    infer->queues[*found] = (struct infer_queue){.destination = destination,
                                                 .source = source,
                                                 .envelope = envelope,
                                                 .target = PROGRAM_NONE,
                                                 .target_of = PROGRAM_NONE};
    return key_table_insert(index, hash, *found, status);
}

static status_code count_rank(struct infer *infer, struct key_table *index,
                              const struct program_posted_rank *posted, uint32_t rank,
                              struct status *status) {
    struct program *program = infer->program;
    struct program_operation *operations = program->operations + program->ranks[rank].first;
    for (size_t i = 0; i < posted->sends.count; i++) {
        struct program_operation *send = &operations[posted->sends.at[i]];
        if (program_is_one_sided(send)) continue;
        FORWARD_IF_ERROR(find_queue(infer, index, send->message.peer, rank, send->message.envelope,
                                    &send->message.queue, status));
        infer->queues[send->message.queue].sends++;
    }
    for (size_t i = 0; i < posted->receives.count; i++) {
        struct program_operation *receive = &operations[posted->receives.at[i]];
        if (builder_is_unrecorded(receive)) {
            infer->ranks[rank].unrecorded++;
            continue;
        }
        FORWARD_IF_ERROR(find_queue(infer, index, rank, receive->message.peer,
                                    receive->message.envelope, &receive->message.queue, status));
        infer->queues[receive->message.queue].receives++;
    }
    return STATUS_OK;
}

/* Marks the queues that matter for unrecorded receives, and makes room for their messages. */
static status_code watch_queues(struct infer *infer, struct status *status) {
    const struct program *program = infer->program;
    uint64_t sends = 0, receives = 0;
    for (size_t i = 0; i < infer->queue_count; i++) {
        struct infer_queue *queue = &infer->queues[i];
        queue->is_watched = infer->ranks[queue->destination].unrecorded > 0 &&
                            program->envelopes[queue->envelope].tag > PROGRAM_TAG_LAST;
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

/* ---- the messages of the queues ---- */

/* A slot with a watched message. Both members are NULL if the slot holds something else. */
struct filler_slot {
    struct infer_send *send;
    struct infer_receive *receive;
};

/* The state while the messages of the current rank are filled in. */
struct filler {
    struct infer *infer;
    const struct program_rank *rank_entry;
    struct filler_slot *slots;
    size_t slot_capacity;
    struct filler_slot *completed; /* slots that the current call has completed */
    size_t completed_count, completed_capacity;
    int64_t call_ps;
    uint32_t unrecorded, sends; /* unrecorded receives and sends so far */
};

static void set_slot(struct filler *filler, uint32_t slot, struct infer_send *send,
                     struct infer_receive *receive) {
    if (slot != PROGRAM_NONE) filler->slots[slot] = (struct filler_slot){send, receive};
}

static void fill_send(struct filler *filler, const struct program_operation *operation) {
    uint32_t slot = operation->message.slot;
    struct infer_queue *queue = NULL;
    if (!program_is_one_sided(operation)) queue = &filler->infer->queues[operation->message.queue];
    struct infer_send *send = NULL;
    if (queue != NULL && queue->is_watched) {
        send = infer_send_at(filler->infer, queue, queue->posted++);
        *send = (struct infer_send){.bytes = operation->bytes,
                                    .sent_ps = filler->call_ps,
                                    .due_ps = filler->call_ps,
                                    .order = filler->sends,
                                    .is_synchronous =
                                        (operation->flags & OPERATION_FLAG_SEND_SYNCHRONOUS) != 0};
    }
    filler->sends++;
    set_slot(filler, slot, send, NULL);
}

static void fill_receive(struct filler *filler, const struct program_operation *operation) {
    struct infer *infer = filler->infer;
    struct infer_receive *receive = NULL;
    if (builder_is_unrecorded(operation)) {
        filler->unrecorded++;
    } else if (infer->queues[operation->message.queue].is_watched) {
        struct infer_queue *queue = &infer->queues[operation->message.queue];
        bool unsized = (operation->flags & MATCH_UNSIZED) != 0;
        receive = infer_receive_at(infer, queue, queue->known++);
        *receive = (struct infer_receive){unsized ? INFER_ANY_BYTES : operation->bytes, INT64_MAX,
                                          0, filler->unrecorded};
    }
    set_slot(filler, operation->message.slot, NULL, receive);
}

/* Records the slots of a wait. Their completion has the time of the end of the call. */
static status_code fill_wait(struct filler *filler, const struct program_operation *operation,
                             struct status *status) {
    const uint32_t *slots = filler->infer->program->wait_slots +
                            filler->rank_entry->first_wait_slot + operation->wait.first;
    FORWARD_IF_ERROR(memory_grow((void **)&filler->completed, &filler->completed_capacity,
                                 filler->completed_count + operation->wait.count,
                                 sizeof *filler->completed, status));
    for (uint32_t i = 0; i < operation->wait.count; i++) {
        uint32_t slot = operation->wait.count == 1 ? operation->wait.first : slots[i];
        filler->completed[filler->completed_count++] = filler->slots[slot];
    }
    return STATUS_OK;
}

static void end_call(struct filler *filler, int64_t time_ps) {
    for (size_t i = 0; i < filler->completed_count; i++) {
        struct filler_slot *slot = &filler->completed[i];
        if (slot->receive != NULL) slot->receive->done_ps = time_ps;
        if (slot->send == NULL) continue;
        bool is_of_call = slot->send->sent_ps == filler->call_ps;
        if (slot->send->is_synchronous || is_of_call) slot->send->due_ps = time_ps;
    }
    filler->completed_count = 0;
}

static status_code fill_operation(struct filler *filler, const struct program_operation *operation,
                                  struct status *status) {
    switch (operation->kind) {
    case OPERATION_CALL:
        filler->call_ps = operation->mark.trace_ps;
        break;
    case OPERATION_SEND:
        fill_send(filler, operation);
        break;
    case OPERATION_RECEIVE:
        fill_receive(filler, operation);
        break;
    case OPERATION_COLLECTIVE:
        set_slot(filler, operation->collective.slot, NULL, NULL);
        break;
    case OPERATION_FILE:
        set_slot(filler, operation->file.slot, NULL, NULL);
        break;
    case OPERATION_WAIT:
        return fill_wait(filler, operation, status);
    case OPERATION_RETURN:
        end_call(filler, operation->mark.trace_ps);
        break;
    default:
        break;
    }
    return STATUS_OK;
}

static status_code fill_rank(struct filler *filler, uint32_t rank, struct status *status) {
    const struct program *program = filler->infer->program;
    filler->rank_entry = &program->ranks[rank];
    filler->unrecorded = filler->sends = 0;
    FORWARD_IF_ERROR(memory_grow((void **)&filler->slots, &filler->slot_capacity,
                                 filler->rank_entry->slot_count, sizeof *filler->slots, status));
    const struct program_operation *operations = program->operations + filler->rank_entry->first;
    for (uint64_t i = 0; i < filler->rank_entry->count; i++)
        FORWARD_IF_ERROR(fill_operation(filler, &operations[i], status));
    return STATUS_OK;
}

static status_code fill_queues(struct infer *infer, struct status *status) {
    struct filler filler = {.infer = infer};
    status_code code = STATUS_OK;
    for (uint32_t rank = 0; code == STATUS_OK && rank < infer->program->rank_count; rank++)
        code = fill_rank(&filler, rank, status);
    free(filler.slots);
    free(filler.completed);
    return code;
}

static status_code find_queues(struct infer *infer, struct key_table *index,
                               const struct program_posted *posted, struct status *status) {
    uint32_t rank_count = infer->program->rank_count;
    for (uint32_t rank = 0; rank < rank_count; rank++)
        FORWARD_IF_ERROR(count_rank(infer, index, &posted->ranks[rank], rank, status));
    FORWARD_IF_ERROR(watch_queues(infer, status));
    FORWARD_IF_ERROR(fill_queues(infer, status));
    infer_bounds_find(infer);
    return STATUS_OK;
}

status_code infer_queues_find(struct infer *infer, const struct program_posted *posted,
                              struct status *status) {
    struct key_table index = {0};
    status_code code = find_queues(infer, &index, posted, status);
    key_table_free(&index);
    return code;
}

void infer_queues_reset(struct infer *infer) {
    for (uint32_t rank = 0; rank < infer->program->rank_count; rank++) {
        struct infer_rank *own = &infer->ranks[rank];
        own->decided = 0;
        own->left = own->ready.count = own->urgent.count = 0;
    }
    for (size_t i = 0; i < infer->queue_count; i++) {
        struct infer_queue *queue = &infer->queues[i];
        queue->posted = queue->claimed = queue->known = 0;
        queue->is_ready = queue->is_urgent = queue->has_after = false;
        queue->target = queue->target_of = PROGRAM_NONE;
        if (queue->is_open) infer->ranks[queue->destination].left += queue->sends - queue->receives;
    }
}
