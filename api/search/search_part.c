/*
 * The part of a trace that the first stage of a search replays: the middle of the MPI calls, where
 * the application is in its main loop rather than at its beginning or end.
 */
#include "api/search/search_state.h"

#include "core/memory/memory.h"
#include "traces/traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The part has an eighth of the calls. A trace in which that is less than CALLS_MIN for each rank
 * is replayed whole. */
enum { PART = 8, CALLS_MIN = 32, MILLION = 1000000 };

static int by_value(const void *first, const void *second) {
    const int64_t a = *(const int64_t *)first, b = *(const int64_t *)second;
    return (a > b) - (a < b);
}

/* Collects the times at which MPI calls began: of large programs those of every n-th call. */
static int64_t *times_of_calls(const struct program *program, size_t *count, uint64_t *calls) {
    enum { STEPS_MAX = 1 << 20 };
    *count = 0;
    *calls = 0;
    struct program_walk walk = {0}, again = {0};
    while (program_walk_next(program, &walk))
        *calls += walk.operation->kind == OPERATION_CALL;
    const uint64_t step = *calls / STEPS_MAX + 1;
    int64_t *times_ps = memory_new(*calls / step + 1, sizeof *times_ps);
    uint64_t call = 0;
    while (times_ps != NULL && program_walk_next(program, &again))
        if (again.operation->kind == OPERATION_CALL && call++ % step == 0)
            times_ps[(*count)++] = again.operation->mark.trace_ps;
    return times_ps;
}

status_code search_part_make(anax_search *search, unsigned threads, struct status *status) {
    const struct program *program = search->trace->program;
    char from[32], to[32];
    size_t count;
    uint64_t calls;
    int64_t *times_ps = times_of_calls(program, &count, &calls);
    RETURN_ERROR_IF(times_ps == NULL, status, STATUS_MEMORY, "out of memory for times of calls");
    if (calls / PART < (uint64_t)CALLS_MIN * program->rank_count) {
        free(times_ps);
        return STATUS_OK;
    }
    qsort(times_ps, count, sizeof *times_ps, by_value);
    const size_t first = count / 2 - count / PART / 2;
    snprintf(from, sizeof from, "%" PRId64 "ps", times_ps[first]);
    snprintf(to, sizeof to, "%" PRId64 "ps", times_ps[first + count / PART]);
    free(times_ps);
    struct status own = STATUS_INIT;
    const status_code code =
        traces_cut(&search->part_trace.program, program, from, to, threads, &own);
    if (code == STATUS_MEMORY) return status_take(status, code, own.text);
    status_clear(&own); /* a trace that cannot be cut is replayed whole */
    search->share_millionths = code == STATUS_OK ? MILLION / PART : MILLION;
    return STATUS_OK;
}
