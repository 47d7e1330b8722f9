/*
 * Finds windows by their locks and communicators, and groups by their members. Must not know OTF2.
 */
#include "traces/otf2/archive_rma_windows.h"
#include "core/memory/memory.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

static bool is_of_window(int32_t tag) {
    return tag <= PROGRAM_TAG_LAST;
}

static bool is_of_lock(int32_t tag) {
    return tag >= PROGRAM_TAG_LOCK && tag <= PROGRAM_TAG_LAST;
}

static int compare_locks(const void *left, const void *right) {
    const struct program_envelope *a = left, *b = right;
    if (a->tag != b->tag) return a->tag > b->tag ? 1 : -1;
    return (a->communicator > b->communicator) - (a->communicator < b->communicator);
}

/* Returns the key of a lock's window. It includes the communicator, since the parts of a joined
 * program have windows with equal numbers. */
static uint64_t lock_key(const struct program_envelope *envelope) {
    return (uint64_t)envelope->communicator << 32 | program_lock_number(envelope->tag) / 2;
}

static void add_window(struct archive_rma_windows *windows, uint32_t communicator) {
    if (windows->of_communicator[communicator] == PROGRAM_NONE)
        windows->of_communicator[communicator] = windows->count;
    windows->communicators[windows->count++] = communicator;
}

/* Adds the windows with locks. locks: room for all envelopes. */
static status_code add_locked(struct archive_rma_windows *windows, const struct program *program,
                              struct program_envelope *locks, struct status *status) {
    size_t count = 0;
    for (uint32_t i = 0; i < program->envelope_count; i++)
        if (is_of_lock(program->envelopes[i].tag)) locks[count++] = program->envelopes[i];
    if (count > 0) qsort(locks, count, sizeof *locks, compare_locks);
    for (size_t i = 0; i < count; i++) {
        uint64_t key = lock_key(&locks[i]);
        if (key_table_find(&windows->of_lock, key) != KEY_TABLE_NONE) continue;
        FORWARD_IF_ERROR(key_table_insert(&windows->of_lock, key, windows->count, status));
        add_window(windows, locks[i].communicator);
    }
    return STATUS_OK;
}

static void add_others(struct archive_rma_windows *windows, const struct program *program) {
    for (uint32_t i = 0; i < program->envelope_count; i++) {
        const struct program_envelope *envelope = &program->envelopes[i];
        if (is_of_window(envelope->tag) &&
            windows->of_communicator[envelope->communicator] == PROGRAM_NONE)
            add_window(windows, envelope->communicator);
    }
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        const struct program_collective_arguments *arguments = &program->collective_arguments[i];
        if (arguments->kind == PROGRAM_COLLECTIVE_WINDOW &&
            windows->of_communicator[arguments->communicator] == PROGRAM_NONE)
            add_window(windows, arguments->communicator);
    }
}

status_code archive_rma_windows_new(struct archive_rma_windows *windows,
                                    const struct program *program, struct status *status) {
    size_t max = (size_t)program->envelope_count + program->communicator_count;
    struct program_envelope *locks = memory_new(program->envelope_count, sizeof *locks);
    windows->communicators = memory_new(max, sizeof *windows->communicators);
    windows->of_communicator =
        memory_new(program->communicator_count, sizeof *windows->of_communicator);
    status_code code = STATUS_MEMORY;
    if (locks == NULL || windows->communicators == NULL || windows->of_communicator == NULL) {
        status_set(status, code, "out of memory for windows");
    } else {
        for (uint32_t i = 0; i < program->communicator_count; i++)
            windows->of_communicator[i] = PROGRAM_NONE;
        code = add_locked(windows, program, locks, status);
        if (code == STATUS_OK) add_others(windows, program);
    }
    free(locks);
    return code;
}

void archive_rma_windows_free(struct archive_rma_windows *windows) {
    free(windows->communicators);
    free(windows->of_communicator);
    key_table_free(&windows->of_lock);
    free(windows->groups);
    free(windows->members);
    key_table_free(&windows->group_index);
    *windows = (struct archive_rma_windows){0};
}

uint32_t archive_rma_window_of(const struct archive_rma_windows *windows,
                               const struct program_envelope *envelope) {
    return is_of_lock(envelope->tag) ? key_table_find(&windows->of_lock, lock_key(envelope))
                                     : windows->of_communicator[envelope->communicator];
}

status_code archive_rma_windows_add_group(struct archive_rma_windows *windows,
                                          const uint32_t *ranks, uint32_t count, uint32_t *group,
                                          struct status *status) {
    uint64_t hash = content_hash_words32(0, ranks, count);
    for (;; hash++) {
        *group = key_table_find(&windows->group_index, hash);
        if (*group == KEY_TABLE_NONE) break;
        const struct archive_group *found = &windows->groups[*group];
        if (found->count == count &&
            memcmp(windows->members + found->first, ranks, count * sizeof *ranks) == 0)
            return STATUS_OK;
    }
    FORWARD_IF_ERROR(memory_grow((void **)&windows->groups, &windows->group_capacity,
                                 windows->group_count + 1, sizeof *windows->groups, status));
    FORWARD_IF_ERROR(memory_grow((void **)&windows->members, &windows->member_capacity,
                                 windows->member_count + count, sizeof *ranks, status));
    *group = (uint32_t)windows->group_count;
    FORWARD_IF_ERROR(key_table_insert(&windows->group_index, hash, *group, status));
    memcpy(windows->members + windows->member_count, ranks, count * sizeof *ranks);
    windows->groups[windows->group_count++] = (struct archive_group){windows->member_count, count};
    windows->member_count += count;
    return STATUS_OK;
}
