/*
 * Finds the sends that unrecorded receives take, and removes the receives that take none. Must not
 * know how a trace was read.
 */
#include "traces/program/infer/infer_parts.h"

#include "core/memory/memory.h"
#include "traces/program/builder/builder_parts.h"

#include <stdlib.h>

/* Closes the gaps of removed operations, rank by rank. */
static void close_gaps(struct program *program) {
    uint64_t to = 0;
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        struct program_rank *rank_entry = &program->ranks[rank];
        uint64_t first = to;
        for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
            const struct program_operation *operation = &program->operations[i];
            if (operation->kind != BUILDER_DROPPED) program->operations[to++] = *operation;
        }
        uint32_t vanished = (uint32_t)(rank_entry->count - (to - first)) / 2; /* half are waits */
        rank_entry->first = first;
        rank_entry->count = to - first;
        rank_entry->receive_count -= vanished;
    }
    program->operation_count = to;
}

/* After this many walks, the remaining contradictions stay. */
enum { ATTEMPTS = 32 };

static status_code walk_until_settled(struct infer *infer, struct status *status) {
    bool again = true;
    for (unsigned i = 1; again; i++) {
        infer_queues_reset(infer);
        again = false;
        FORWARD_IF_ERROR(infer_walk(infer, i < ATTEMPTS ? &again : NULL, status));
    }
    return STATUS_OK;
}

static status_code infer_all(struct infer *infer, const struct program_posted *posted,
                             struct status *status) {
    uint32_t rank_count = infer->program->rank_count;
    infer->ranks = memory_new(rank_count, sizeof *infer->ranks);
    RETURN_ERROR_IF(infer->ranks == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    rank_count);
    FORWARD_IF_ERROR(infer_queues_find(infer, posted, status));
    uint64_t decisions = 0;
    for (uint32_t rank = 0; rank < rank_count; rank++) {
        infer->ranks[rank].first_decision = decisions;
        decisions += infer->ranks[rank].unrecorded;
    }
    infer->decisions = memory_new((size_t)decisions, sizeof *infer->decisions);
    RETURN_ERROR_IF(infer->decisions == NULL, status, STATUS_MEMORY,
                    "out of memory for %llu receives", (unsigned long long)decisions);
    return walk_until_settled(infer, status);
}

/* ---- carrying out the decisions ---- */

static void take_decision(const struct infer *infer, const struct infer_decision *decision,
                          struct program_operation *operation) {
    const struct infer_queue *queue = &infer->queues[decision->queue];
    uint64_t bytes = infer_send_at(infer, queue, decision->send)->bytes;
    *operation = (struct program_operation){.kind = OPERATION_RECEIVE,
                                            .flags = OPERATION_FLAG_RECEIVE_INFERRED,
                                            .value = bytes & (PROGRAM_BYTES_LIMIT - 1),
                                            .message = {.peer = queue->source,
                                                        .slot = operation->message.slot,
                                                        .envelope = queue->envelope}};
}

static void carry_out_decisions(struct infer *infer, const struct program_posted *posted,
                                struct program_infer_counts *counts) {
    const struct infer_decision *decision = infer->decisions;
    for (uint32_t rank = 0; rank < infer->program->rank_count; rank++) {
        struct program_operation *operations =
            infer->program->operations + infer->program->ranks[rank].first;
        const struct program_places *receives = &posted->ranks[rank].receives;
        for (size_t i = 0; i < receives->count; i++) {
            struct program_operation *operation = &operations[receives->at[i]];
            if (!builder_is_unrecorded(operation)) continue;
            bool vanishes = decision->queue == PROGRAM_NONE;
            if (vanishes)
                operation[0].kind = operation[1].kind = BUILDER_DROPPED; /* and its wait */
            else
                take_decision(infer, decision, operation);
            counts->inferred += !vanishes;
            counts->vanished += vanishes;
            counts->by_time += decision->is_by_time;
            decision++;
        }
    }
}

static void clear_infer(struct infer *infer) {
    for (uint32_t rank = 0; infer->ranks != NULL && rank < infer->program->rank_count; rank++) {
        free(infer->ranks[rank].ready.numbers);
        free(infer->ranks[rank].urgent.numbers);
    }
    free(infer->ranks);
    free(infer->decisions);
    free(infer->queues);
    free(infer->sends);
    free(infer->receives);
    free(infer->deadlines);
    free(infer->candidates.numbers);
}

status_code program_infer(struct program *program, struct program_posted *posted, unsigned threads,
                          struct program_infer_counts *counts, struct status *status) {
    *counts = (struct program_infer_counts){0};
    struct infer infer = {.program = program};
    status_code code = infer_all(&infer, posted, status);
    if (code == STATUS_OK) carry_out_decisions(&infer, posted, counts);
    clear_infer(&infer);
    if (code != STATUS_OK || counts->vanished == 0) return code;
    close_gaps(program);
    program_posted_free(posted);
    return program_posted_find(posted, program, threads, status);
}
