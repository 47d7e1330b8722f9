/*
 * Nominal time stamps: the times that a program would show if no rank waited for another. Must not
 * know archives.
 */
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "traces/traces.h"

#include <stdlib.h>

static status_code time_rank(const struct program *program, uint32_t rank, int64_t *times_ps,
                             int64_t *end_ps, struct status *status) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    int64_t now_ps = 0;
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        const struct program_operation *operation = PROGRAM_OPERATION_AT(program, rank, i);
        if (operation->kind == OPERATION_COMPUTE) now_ps += operation->compute.duration_ps;
        if (operation->kind == OPERATION_RETURN) now_ps += TRACES_NOMINAL_CALL_PS;
        if (program_is_mark(operation)) *times_ps++ = now_ps;
        RETURN_ERROR_IF(now_ps > PROGRAM_TIME_LIMIT_PS, status, STATUS_INPUT,
                        "rank %u: its computation adds up to more than 26 days, which is too long "
                        "for an archive",
                        rank);
    }
    *end_ps = now_ps;
    return STATUS_OK;
}

/* Makes room for so many times where the operations of the program lie. */
static int64_t *room_for(uint64_t count, const struct program *program, struct traces_times *times,
                         struct status *status) {
    void *room = NULL;
    if (program->paging != NULL) times->paging = paging_new_like(program->paging);
    if (program->paging != NULL && times->paging == NULL) return NULL;
    (void)paging_resize(times->paging, &room, 0, (size_t)count * sizeof(int64_t), status);
    return room;
}

status_code traces_compute_nominal_times(const struct program *program, struct traces_times *times,
                                         struct status *status) {
    uint64_t total = 0;
    uint64_t *first = memory_new((size_t)program->rank_count + 1, sizeof *first);
    for (uint32_t rank = 0; first != NULL && rank < program->rank_count; rank++) {
        first[rank] = total;
        total += program->ranks[rank].mark_count;
        first[rank + 1] = total;
    }
    int64_t *end_ps = memory_new(program->rank_count, sizeof *end_ps);
    *times = (struct traces_times){.first = first, .end_ps = end_ps};
    int64_t *times_ps = room_for(total, program, times, status);
    times->times_ps = times_ps;
    if (first == NULL || times_ps == NULL || end_ps == NULL) {
        traces_times_free(times);
        if (status != NULL && status->code != STATUS_OK) return status->code; /* a full disk */
        return status_set(status, STATUS_MEMORY, "out of memory for time stamps");
    }
    status_code code = STATUS_OK;
    for (uint32_t rank = 0; rank < program->rank_count && code == STATUS_OK; rank++)
        code = time_rank(program, rank, times_ps + first[rank], &end_ps[rank], status);
    if (code != STATUS_OK) traces_times_free(times);
    return code;
}

void traces_times_free(struct traces_times *times) {
    free((void *)times->first);
    paging_free_array(times->paging, (void *)times->times_ps);
    paging_free(times->paging);
    free((void *)times->end_ps);
    *times = (struct traces_times){0};
}
