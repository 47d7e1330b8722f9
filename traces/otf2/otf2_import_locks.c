/*
 * One rank: turns locks of windows into one-sided operations without data.
 *
 * Must not know what happens under a lock. Rules:
 * - Locks are taken in two steps, as Open MPI and foMPI do it (docs/model.md, 9.6). A lock of all
 *   members takes the lock of the whole window, at its first member. An exclusive lock of one
 *   member takes that lock too, unless the rank holds it for another member already, and then the
 *   member's own lock. A shared lock takes only the member's own lock.
 * - A rank releases only locks that it has taken; otherwise the trace is damaged. If recording was
 *   off in between, there are two exceptions: a lock that is taken again was released first, and
 *   the release of a lock that was not taken is ignored.
 */
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"

#include <inttypes.h>

/* Keys of rank->locks: the window in the upper half, and in the lower half the number of a member
 * or one of these values. */
#define ALL    UINT32_MAX
#define SINGLE (UINT32_MAX - 1) /* value: number of members locked exclusively */

static uint64_t key_of_lock(const struct import_rma_window *window, uint32_t member) {
    return (uint64_t)(uint32_t)window->window_number << 32 | member;
}

static status_code post_lock_message(struct import_rank *rank,
                                     const struct import_rma_window *window, uint32_t member,
                                     program_lock lock, struct status *status) {
    return import_rma_post(rank, window, member, program_lock_tag(window->window_number, lock), 0,
                           OPERATION_FLAG_RMA_WRITE, BUILDER_NO_REQUEST, status);
}

/* Counts one exclusive lock more or less. *count: the new number. */
static status_code count_single(struct import_rank *rank, const struct import_rma_window *window,
                                bool more, uint32_t *count, struct status *status) {
    uint64_t key = key_of_lock(window, SINGLE);
    uint32_t before = key_table_find(&rank->locks, key);
    if (before == KEY_TABLE_NONE) before = 0;
    *count = more ? before + 1 : before - 1;
    key_table_remove(&rank->locks, key);
    return *count > 0 ? key_table_insert(&rank->locks, key, *count, status) : STATUS_OK;
}

static status_code take_lock(struct import_rank *rank, const struct import_rma_window *window,
                             uint32_t member, bool exclusive, struct status *status) {
    program_lock kind = member == ALL ? PROGRAM_LOCK_ALL
                        : exclusive   ? PROGRAM_LOCK_EXCLUSIVE
                                      : PROGRAM_LOCK_SHARED;
    FORWARD_IF_ERROR(key_table_insert(&rank->locks, key_of_lock(window, member), kind, status));
    if (kind == PROGRAM_LOCK_EXCLUSIVE) {
        uint32_t count = 0;
        FORWARD_IF_ERROR(count_single(rank, window, true, &count, status));
        if (count == 1) {
            FORWARD_IF_ERROR(post_lock_message(rank, window, 0, PROGRAM_LOCK_ONE, status));
            FORWARD_IF_ERROR(builder_wait_call(rank->archive->builder, rank->rank, status));
        }
    }
    return post_lock_message(rank, window, member == ALL ? 0 : member, kind, status);
}

static status_code give_back(struct import_rank *rank, const struct import_rma_window *window,
                             uint32_t member, program_lock kind, struct status *status) {
    key_table_remove(&rank->locks, key_of_lock(window, member));
    if (kind == PROGRAM_LOCK_ALL)
        return post_lock_message(rank, window, 0, PROGRAM_LOCK_RELEASE_ALL, status);
    FORWARD_IF_ERROR(post_lock_message(rank, window, member, PROGRAM_LOCK_RELEASE, status));
    if (kind == PROGRAM_LOCK_SHARED) return STATUS_OK;
    uint32_t count = 0;
    FORWARD_IF_ERROR(count_single(rank, window, false, &count, status));
    return count == 0 ? post_lock_message(rank, window, 0, PROGRAM_LOCK_RELEASE_ALL, status)
                      : STATUS_OK;
}

status_code import_lock(struct import_rank *rank, const struct otf2_event *event,
                        struct status *status) {
    struct import_rma_window window = {0};
    FORWARD_IF_ERROR(import_find_window(rank, event->window, &window, status));
    bool takes = event->kind != OTF2_EVENT_UNLOCK, all = event->peer == OTF2_ROOT_NONE;
    RETURN_ERROR_IF(!all && event->peer >= window.size, status, STATUS_INPUT,
                    "a lock of number %u in a window of %u members (damaged file?)", event->peer,
                    window.size);
    uint32_t member = all ? ALL : event->peer;
    uint32_t held = key_table_find(&rank->locks, key_of_lock(&window, member));
    if (event->kind == OTF2_EVENT_LOCKED && held != KEY_TABLE_NONE) return STATUS_OK;
    bool fits = takes == (held == KEY_TABLE_NONE);
    RETURN_ERROR_IF(!fits && !rank->was_off && all, status, STATUS_INPUT,
                    "%s all of window %u, which it %s: records were lost",
                    takes ? "locks" : "unlocks", event->window,
                    takes ? "holds already" : "has not locked");
    RETURN_ERROR_IF(!fits && !rank->was_off, status, STATUS_INPUT,
                    "%s number %u of window %u, which it %s: records were lost",
                    takes ? "locks" : "unlocks", event->peer, event->window,
                    takes ? "holds already" : "has not locked");
    if (held != KEY_TABLE_NONE)
        FORWARD_IF_ERROR(give_back(rank, &window, member, (program_lock)held, status));
    return takes ? take_lock(rank, &window, member, event->is_exclusive != 0, status) : STATUS_OK;
}
