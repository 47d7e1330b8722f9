/*
 * Adds up the timeline by user region. Must not know formats.
 *
 * Invariant: the time of a region runs from its outermost ENTER to its outermost LEAVE, so it
 * includes regions inside.
 */
#include "api/run/region_times.h"

#include "core/memory/memory.h"

#include <stdlib.h>

/* A user region on the current rank. */
struct open_region {
    bool was_entered;
    uint64_t depth;
    int64_t since_ps;
    int64_t mpi_since_ps; /* the rank's time in MPI calls before the region was entered */
    int64_t rank_ps;
};

struct adder {
    const struct program *program;
    struct region_time *times; /* per region of the program */
    struct open_region *open;
    int64_t mpi_ps; /* time of the current rank in finished MPI calls */
    int64_t call_ps;
};

bool region_times_are_wanted(const struct program *program, const struct traces_config *config) {
    if (!traces_keeps_regions(config)) return false;
    for (uint32_t i = 0; i < program->region_count; i++)
        if (!program->regions[i].is_mpi) return true;
    return false;
}

static void enter_region(struct adder *adder, uint32_t region, int64_t now_ps) {
    struct open_region *open = &adder->open[region];
    adder->times[region].count++;
    open->was_entered = true;
    if (open->depth++ > 0) return;
    open->since_ps = now_ps;
    open->mpi_since_ps = adder->mpi_ps;
}

static void leave_region(struct adder *adder, uint32_t region, int64_t now_ps) {
    struct open_region *open = &adder->open[region];
    if (open->depth == 0 || --open->depth > 0) return;
    open->rank_ps += now_ps - open->since_ps;
    adder->times[region].mpi_ps += (uint64_t)(adder->mpi_ps - open->mpi_since_ps);
}

static void add_mark(struct adder *adder, const struct program_operation *operation,
                     int64_t now_ps) {
    switch ((program_operation_kind)operation->kind) {
    case OPERATION_ENTER:
        enter_region(adder, operation->mark.region, now_ps);
        break;
    case OPERATION_LEAVE:
        leave_region(adder, operation->mark.region, now_ps);
        break;
    case OPERATION_CALL:
        adder->call_ps = now_ps;
        break;
    case OPERATION_RETURN:
        adder->mpi_ps += now_ps - adder->call_ps;
        break;
    default:
        break;
    }
}

/* times_ps: of the rank's marks; NULL: those of the trace. */
static void add_rank(struct adder *adder, const int64_t *times_ps, uint32_t rank) {
    const struct program *program = adder->program;
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint32_t i = 0; i < program->region_count; i++)
        adder->open[i] = (struct open_region){0};
    adder->mpi_ps = 0;
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *operation =
            PROGRAM_OPERATION_AT(program, rank, rank_entry->first + i);
        if (!program_is_mark(operation)) continue;
        add_mark(adder, operation, times_ps != NULL ? *times_ps++ : operation->mark.trace_ps);
    }
    for (uint32_t i = 0; i < program->region_count; i++) {
        struct region_time *time = &adder->times[i];
        int64_t rank_ps = adder->open[i].rank_ps;
        if (!adder->open[i].was_entered) continue;
        time->time_ps += (uint64_t)rank_ps;
        if (time->ranks++ > 0 && rank_ps <= time->max_ps) continue;
        time->max_ps = rank_ps;
        time->max_rank = rank;
    }
}

static uint32_t pack(const struct program *program, struct region_time *times) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->region_count; i++) {
        if (times[i].count == 0) continue;
        times[count] = times[i];
        times[count++].name = program_text(program, program->regions[i].name);
    }
    return count;
}

/* timeline NULL: the times of the trace. */
static status_code add_up(const struct program *program, const struct replay_timeline *timeline,
                          struct region_time **times, uint32_t *count, struct status *status) {
    struct adder adder = {.program = program,
                          .times = memory_new(program->region_count, sizeof *adder.times),
                          .open = memory_new(program->region_count, sizeof *adder.open)};
    *times = NULL;
    *count = 0;
    if (adder.times == NULL || adder.open == NULL) {
        free(adder.times);
        free(adder.open);
        return status_set(status, STATUS_MEMORY, "out of memory for the times of regions");
    }
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        add_rank(&adder, timeline != NULL ? timeline->times_ps + timeline->first[rank] : NULL,
                 rank);
    free(adder.open);
    *count = pack(program, adder.times);
    *times = adder.times;
    return STATUS_OK;
}

status_code region_times_compute(const struct program *program,
                                 const struct replay_timeline *timeline, struct region_time **times,
                                 uint32_t *count, struct status *status) {
    return add_up(program, timeline, times, count, status);
}

status_code region_times_compute_recorded(const struct program *program, struct region_time **times,
                                          uint32_t *count, struct status *status) {
    return add_up(program, NULL, times, count, status);
}
