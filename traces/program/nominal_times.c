/*
 * Nominal time stamps: what a program would show if no rank ever waited for another. Must not know
 * archives.
 */
#include "core/memory.h"
#include "traces/patterns/pattern_parts.h"

#include <stdlib.h>

static void time_rank(const program *program, uint32_t rank, int64_t *times_ps, int64_t *end_ps) {
    const program_rank *part = &program->ranks[rank];
    int64_t now_ps = 0;
    for (uint64_t i = part->first; i < part->first + part->count; i++) {
        const program_operation *operation = &program->operations[i];
        if (operation->kind == PROGRAM_COMPUTE) now_ps += operation->compute.duration_ps;
        if (operation->kind == PROGRAM_RETURN) now_ps += PATTERN_CALL_PS;
        if (operation->kind == PROGRAM_CALL || operation->kind == PROGRAM_RETURN ||
            operation->kind == PROGRAM_ENTER || operation->kind == PROGRAM_LEAVE)
            *times_ps++ = now_ps;
    }
    *end_ps = now_ps;
}

status_code traces_nominal_times(const program *program, traces_times *times, status *status) {
    uint64_t total = 0;
    uint64_t *first = memory_new((size_t)program->rank_count + 1, sizeof *first);
    for (uint32_t rank = 0; first != NULL && rank < program->rank_count; rank++) {
        first[rank] = total;
        total += program->ranks[rank].mark_count;
        first[rank + 1] = total;
    }
    int64_t *times_ps = memory_new(total, sizeof *times_ps);
    int64_t *end_ps = memory_new(program->rank_count, sizeof *end_ps);
    *times = (traces_times){.first = first, .times_ps = times_ps, .end_ps = end_ps};
    if (first == NULL || times_ps == NULL || end_ps == NULL) {
        traces_times_free(times);
        return status_set(status, STATUS_MEMORY, "out of memory for time stamps");
    }
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        time_rank(program, rank, times_ps + first[rank], &end_ps[rank]);
    return STATUS_OK;
}

void traces_times_free(traces_times *times) {
    free((void *)times->first);
    free((void *)times->times_ps);
    free((void *)times->end_ps);
    *times = (traces_times){0};
}
