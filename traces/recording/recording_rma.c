/*
 * One-sided communication of a recording. The rules are those of traces/otf2/otf2_import_rma.c
 * and otf2_import_locks.c; a recording also says for which target a flush was.
 */
#include "traces/recording/recording_rank.h"

#include "core/memory/memory.h"

#include <string.h>

/* A window of the rank. */
struct rma_window {
    int32_t window_number;   /* in the program */
    uint32_t communicator;   /* index in the program */
    uint32_t size;           /* members */
    const uint32_t *members; /* world ranks. NULL: member n is rank n, or is_self */
    bool is_self;            /* on MPI_COMM_SELF: the only member is the rank itself */
};

static status_code damaged(struct status *status) {
    return status_set(status, STATUS_INPUT, "its one-sided items are damaged");
}

static status_code find_window(const struct recording_rank *rank, uint64_t number,
                               struct rma_window *window, struct status *status) {
    if (number >= rank->own->window_count) return damaged(status);
    const struct survey_rma_window *found = &rank->own->windows[number];
    const struct survey_communicator *communicator = &rank->own->communicators[found->communicator];
    *window = (struct rma_window){.window_number = (int32_t)found->program_window,
                                  .communicator = communicator->index,
                                  .size = communicator->local_size,
                                  .members = communicator->members,
                                  .is_self = found->communicator == SURVEY_SELF};
    return STATUS_OK;
}

/* Returns the world rank of a member. */
static uint32_t rank_of(const struct recording_rank *rank, const struct rma_window *window,
                        uint32_t member) {
    if (window->is_self) return rank->rank;
    return window->members != NULL ? window->members[member] : member;
}

/* Appends a one-sided operation on a member. */
static status_code post(struct recording_rank *rank, const struct rma_window *window,
                        uint32_t member, int32_t tag, uint64_t bytes, unsigned flags,
                        uint64_t request, struct status *status) {
    return builder_send(rank->survey->builder, rank->rank, window->communicator,
                        rank_of(rank, window, member), tag, bytes, flags, request, status);
}

/* ---- operations ---- */

/* Takes an item RECORDING_RMA. Without a slot the operation has a request of its own, for which
 * finish_target waits. */
static status_code operate(struct recording_rank *rank, const uint64_t *words,
                           struct status *status) {
    struct rma_window window = {0};
    FORWARD_IF_ERROR(find_window(rank, words[0], &window, status));
    if (words[1] >= window.size || words[4] > UINT32_MAX) return damaged(status);
    unsigned flags = (words[3] & RECORDING_WRITES ? OPERATION_FLAG_RMA_WRITE : 0u) |
                     (words[3] & RECORDING_READS ? OPERATION_FLAG_RMA_READ : 0u);
    if (flags == 0) return damaged(status);
    uint64_t request = words[4];
    if (request == 0) {
        FORWARD_IF_ERROR(memory_grow((void **)&rank->rma_operations, &rank->rma_capacity,
                                     rank->rma_count + 1, sizeof *rank->rma_operations, status));
        request = RECORDING_RMA_REQUEST | rank->next_rma++;
        rank->rma_operations[rank->rma_count++] =
            (struct recording_rma_operation){request, (uint32_t)words[0], (uint32_t)words[1]};
    }
    return post(rank, &window, (uint32_t)words[1], PROGRAM_TAG_RMA, words[2], flags, request,
                status);
}

/* Waits for the operations without a slot on a target of a window. target_and_1: the target + 1, or
 * 0 for all targets. */
static status_code finish_target(struct recording_rank *rank, uint64_t window,
                                 uint64_t target_and_1, struct status *status) {
    size_t kept = 0;
    for (size_t i = 0; i < rank->rma_count; i++) {
        struct recording_rma_operation operation = rank->rma_operations[i];
        bool ends = operation.window == window &&
                    (target_and_1 == 0 || operation.target == target_and_1 - 1);
        if (ends)
            FORWARD_IF_ERROR(
                builder_wait(rank->survey->builder, rank->rank, &operation.request, 1, status));
        else
            rank->rma_operations[kept++] = operation;
    }
    rank->rma_count = kept;
    return STATUS_OK;
}

/* Synchronises all members of a window, as MPI_Win_fence does. */
static status_code synchronise(struct recording_rank *rank, uint64_t number,
                               struct status *status) {
    struct rma_window window = {0};
    FORWARD_IF_ERROR(find_window(rank, number, &window, status));
    struct program_collective_arguments arguments = {.kind = PROGRAM_COLLECTIVE_WINDOW,
                                                     .communicator = window.communicator,
                                                     .root = PROGRAM_NONE};
    return builder_collective(rank->survey->builder, rank->rank, &arguments, 0, BUILDER_NO_REQUEST,
                              status);
}

/* Appends the messages of MPI_Win_post to MPI_Win_start, or of MPI_Win_complete to MPI_Win_wait,
 * each of which has one side in an item. */
static status_code post_signals(struct recording_rank *rank, const struct recording_part *part,
                                struct status *status) {
    struct rma_window window = {0};
    uint64_t kind = part->words[1];
    FORWARD_IF_ERROR(find_window(rank, part->words[0], &window, status));
    if (kind >= RECORDING_SIGNALS) return damaged(status);
    bool sends = kind == RECORDING_SIGNAL_POST || kind == RECORDING_SIGNAL_COMPLETE;
    bool opens = kind == RECORDING_SIGNAL_POST || kind == RECORDING_SIGNAL_START;
    int32_t tag = opens ? PROGRAM_TAG_POST : PROGRAM_TAG_COMPLETE;
    struct program_builder *builder = rank->survey->builder;
    for (size_t i = 0; i < part->listed_count; i++) {
        if (part->listed[i] >= rank->survey->rank_count) return damaged(status);
        uint32_t peer = (uint32_t)part->listed[i];
        FORWARD_IF_ERROR(sends ? builder_send(builder, rank->rank, window.communicator, peer, tag,
                                              0, 0, BUILDER_NO_REQUEST, status)
                               : builder_receive(builder, rank->rank, window.communicator, peer,
                                                 tag, 0, 0, BUILDER_NO_REQUEST, status));
    }
    return STATUS_OK;
}

/* ---- locks ---- */

/* A key of rank->locks is a window and a member or ALL, and has the program_lock that is held as
 * its value. With SINGLE the value is the number of members that are locked exclusively. */
#define ALL    UINT32_MAX
#define SINGLE (UINT32_MAX - 1)

static uint64_t key_of_lock(const struct rma_window *window, uint32_t member) {
    return (uint64_t)(uint32_t)window->window_number << 32 | member;
}

static status_code post_lock(struct recording_rank *rank, const struct rma_window *window,
                             uint32_t member, program_lock lock, struct status *status) {
    return post(rank, window, member, program_lock_tag(window->window_number, lock), 0,
                OPERATION_FLAG_RMA_WRITE, BUILDER_NO_REQUEST, status);
}

/* Counts one exclusive lock of the window more or less, and sets *count to the new number. The rank
 * holds the lock of the whole window (PROGRAM_LOCK_ONE) as long as there is one. */
static status_code count_single(struct recording_rank *rank, const struct rma_window *window,
                                bool more, uint32_t *count, struct status *status) {
    uint32_t before = key_table_remove(&rank->locks, key_of_lock(window, SINGLE));
    if (before == KEY_TABLE_NONE) before = 0;
    *count = more ? before + 1 : before - 1;
    if (*count == 0) return STATUS_OK;
    return key_table_insert(&rank->locks, key_of_lock(window, SINGLE), *count, status);
}

/* Takes an item RECORDING_LOCK. */
static status_code lock(struct recording_rank *rank, const uint64_t *words, struct status *status) {
    struct rma_window window = {0};
    FORWARD_IF_ERROR(find_window(rank, words[0], &window, status));
    if (words[1] > window.size) return damaged(status);
    uint32_t member = words[1] == 0 ? ALL : (uint32_t)words[1] - 1;
    program_lock kind = member == ALL   ? PROGRAM_LOCK_ALL
                        : words[2] != 0 ? PROGRAM_LOCK_EXCLUSIVE
                                        : PROGRAM_LOCK_SHARED;
    if (key_table_find(&rank->locks, key_of_lock(&window, member)) != KEY_TABLE_NONE)
        return damaged(status);
    FORWARD_IF_ERROR(key_table_insert(&rank->locks, key_of_lock(&window, member), kind, status));
    if (kind == PROGRAM_LOCK_EXCLUSIVE) {
        uint32_t count = 0;
        FORWARD_IF_ERROR(count_single(rank, &window, true, &count, status));
        if (count == 1) {
            FORWARD_IF_ERROR(post_lock(rank, &window, 0, PROGRAM_LOCK_ONE, status));
            FORWARD_IF_ERROR(builder_wait_call(rank->survey->builder, rank->rank, status));
        }
    }
    return post_lock(rank, &window, member == ALL ? 0 : member, kind, status);
}

/* Takes an item RECORDING_UNLOCK. */
static status_code unlock(struct recording_rank *rank, const uint64_t *words,
                          struct status *status) {
    struct rma_window window = {0};
    FORWARD_IF_ERROR(find_window(rank, words[0], &window, status));
    if (words[1] > window.size) return damaged(status);
    uint32_t member = words[1] == 0 ? ALL : (uint32_t)words[1] - 1;
    uint32_t held = key_table_remove(&rank->locks, key_of_lock(&window, member));
    if (held == KEY_TABLE_NONE) return damaged(status);
    if (held == PROGRAM_LOCK_ALL)
        return post_lock(rank, &window, 0, PROGRAM_LOCK_RELEASE_ALL, status);
    FORWARD_IF_ERROR(post_lock(rank, &window, member, PROGRAM_LOCK_RELEASE, status));
    if (held == PROGRAM_LOCK_SHARED) return STATUS_OK;
    uint32_t count = 0;
    FORWARD_IF_ERROR(count_single(rank, &window, false, &count, status));
    return count == 0 ? post_lock(rank, &window, 0, PROGRAM_LOCK_RELEASE_ALL, status) : STATUS_OK;
}

status_code recording_import_rma(struct recording_rank *rank, const struct recording_part *part,
                                 struct status *status) {
    const uint64_t *words = part->words;
    switch (part->item) {
    case RECORDING_RMA:
        return operate(rank, words, status);
    case RECORDING_RMA_DONE:
        return finish_target(rank, words[0], words[1], status);
    case RECORDING_WINDOW_SYNC:
        return synchronise(rank, words[0], status);
    case RECORDING_SIGNAL:
        return post_signals(rank, part, status);
    case RECORDING_LOCK:
        return lock(rank, words, status);
    default:
        return unlock(rank, words, status);
    }
}
