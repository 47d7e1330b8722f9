/* Frees timelines, and collects in process 0 the times that other processes have, in pieces of
 * bounded size. */
#include "replay/replay.h"

#include "core/processes/processes.h"

#include <stdlib.h>
#include <string.h>

void replay_timeline_free(struct replay_timeline *timeline) {
    if (timeline == NULL) return;
    free(timeline->first);
    free(timeline->times_ps);
    free(timeline);
}

/* Process 0 has a piece of each other process in memory at once. */
enum { PIECE_BYTES = 16 << 20 };

static size_t bytes_of(const struct replay_timeline *timeline, uint32_t rank) {
    return (size_t)(timeline->first[rank + 1] - timeline->first[rank]) * sizeof(int64_t);
}

/* Packs the times of own ranks from `first` on, until they have about PIECE_BYTES. Returns the rank
 * at which the next piece begins. */
static uint32_t pack_own(struct processes_packing *packing, const struct replay_timeline *timeline,
                         const bool *own, uint32_t first) {
    uint32_t rank = first;
    for (; rank < timeline->rank_count && packing->bytes < PIECE_BYTES; rank++) {
        if (!own[rank]) continue;
        processes_pack(packing, &rank, sizeof rank);
        processes_pack(packing, timeline->times_ps + timeline->first[rank],
                       bytes_of(timeline, rank));
    }
    return rank;
}

/* Returns false if the block does not hold the times of ranks. */
static bool take_others(struct replay_timeline *timeline, struct processes_unpacking *block) {
    while (block->bytes > 0) {
        uint32_t rank;
        const void *number = processes_unpack(block, sizeof rank);
        if (number == NULL) return false;
        memcpy(&rank, number, sizeof rank);
        if (rank >= timeline->rank_count) return false;
        const void *times = processes_unpack(block, bytes_of(timeline, rank));
        if (times == NULL) return false;
        if (bytes_of(timeline, rank) > 0)
            memcpy(timeline->times_ps + timeline->first[rank], times, bytes_of(timeline, rank));
    }
    return true;
}

/* Sends a piece of each process to process 0. *next: the first rank of the own piece, and then of
 * the next one. */
static status_code gather_piece(struct replay_timeline *timeline, const bool *own, uint32_t *next,
                                struct processes *processes, struct status *status) {
    struct processes_packing packing = {0};
    struct processes_unpacking *blocks = NULL;
    const bool is_first = processes_number(processes) == 0;
    *next = is_first ? timeline->rank_count : pack_own(&packing, timeline, own, *next);
    status_code code = processes_gather(processes, &packing, &blocks, status);
    for (unsigned i = 1; code == STATUS_OK && is_first && i < processes_count(processes); i++)
        if (!take_others(timeline, &blocks[i]))
            code = status_set(status, STATUS_SYSTEM, "process %u has another timeline", i);
    processes_pack_free(&packing);
    free(blocks);
    return code;
}

status_code replay_timeline_gather(struct replay_timeline *timeline, const bool *own,
                                   struct processes *processes, struct status *status) {
    if (processes == NULL || timeline->is_gathered) return STATUS_OK;
    uint32_t next = 0;
    for (bool has_more = true; has_more;) {
        FORWARD_IF_ERROR(gather_piece(timeline, own, &next, processes, status));
        has_more = next < timeline->rank_count;
        FORWARD_IF_ERROR(processes_any(processes, &has_more, status));
    }
    timeline->is_gathered = true;
    return STATUS_OK;
}
