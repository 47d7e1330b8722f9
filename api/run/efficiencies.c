/*
 * Cuts timelines into parts, and adds up computation and time of each part.
 *
 * The time of a region is that of the rank that spends most in it, from its outermost ENTER to its
 * outermost LEAVE. Iteration k ends when the last rank has left the region for the k-th time, and
 * begins where the iteration before it ends; what comes after the last one belongs to it. So the
 * times of all iterations add up to the time of the replay.
 */
#include "api/run/efficiencies.h"

#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* One rank on its way through its marks. */
struct rank_walk {
    struct efficiencies *all;
    unsigned run;
    int64_t computed_ps; /* time outside MPI so far */
    int64_t last_ps;     /* time of the last mark */
    bool in_call;
    size_t iteration; /* the one that the rank is in */
    int64_t iteration_computed_ps;
    bool failed;
};

/* A region on the current rank. */
struct efficiencies_open {
    uint64_t depth;
    bool was_entered;
    int64_t since_ps;
    int64_t computed_ps; /* the rank's computation before it entered the region */
    int64_t rank_ps;
    int64_t rank_computed_ps;
};

status_code efficiencies_new(struct efficiencies *all, const struct program *program,
                             const char *iterated, const int64_t *start_ps, struct status *status) {
    *all = (struct efficiencies){.program = program,
                                 .start_ps = start_ps,
                                 .iterated = PROGRAM_NONE,
                                 .regions = memory_new(program->region_count, sizeof *all->regions),
                                 .open = memory_new(program->region_count, sizeof *all->open)};
    RETURN_ERROR_IF(all->regions == NULL || all->open == NULL, status, STATUS_MEMORY,
                    "out of memory for efficiencies");
    for (uint32_t i = program->region_count; i-- > 0;) {
        all->regions[i].region = program_text(program, program->regions[i].name);
        if (iterated != NULL && strcmp(iterated, all->regions[i].region) == 0) all->iterated = i;
    }
    return STATUS_OK;
}

void efficiencies_clear(struct efficiencies *all) {
    free(all->regions);
    free(all->iterations);
    free(all->open);
    *all = (struct efficiencies){0};
}

/* ---- iterations ---- */

static struct efficiencies_part *iteration_at(struct rank_walk *walk, size_t number) {
    struct efficiencies *all = walk->all;
    void *iterations = all->iterations;
    if (number < all->iteration_count) return &all->iterations[number];
    if (memory_grow(&iterations, &all->iteration_capacity, number + 1, sizeof *all->iterations,
                    NULL) != STATUS_OK) {
        walk->failed = true;
        return NULL;
    }
    all->iterations = iterations;
    for (; all->iteration_count <= number; all->iteration_count++)
        all->iterations[all->iteration_count] = (struct efficiencies_part){
            .region = all->regions[all->iterated].region, .iteration = all->iteration_count + 1};
    return &all->iterations[number];
}

/* Records that the rank has reached the end of an iteration. Until divide_time, the iteration's
 * time_ps is the time at which its latest rank so far has reached the end. */
static void end_iteration(struct rank_walk *walk, size_t number, int64_t now_ps) {
    struct efficiencies_part *part = iteration_at(walk, number);
    if (part == NULL) return;
    if (now_ps > part->time_ps[walk->run]) part->time_ps[walk->run] = now_ps;
    if (walk->run != EFFICIENCIES_PREDICTED) return;
    int64_t computed_ps = walk->computed_ps - walk->iteration_computed_ps;
    walk->iteration_computed_ps = walk->computed_ps;
    part->ranks++;
    part->compute_ps += (uint64_t)computed_ps;
    if (computed_ps > part->max_compute_ps) part->max_compute_ps = computed_ps;
}

/* Replaces the ends of iterations by their durations. */
static void divide_time(struct efficiencies *all, unsigned run, int64_t end_ps) {
    int64_t before_ps = 0;
    for (size_t i = 0; i < all->iteration_count; i++) {
        int64_t *time_ps = &all->iterations[i].time_ps[run];
        int64_t until_ps = i + 1 < all->iteration_count ? *time_ps : end_ps;
        if (until_ps < before_ps) until_ps = before_ps;
        *time_ps = until_ps - before_ps;
        before_ps = until_ps;
    }
}

/* ---- marks ---- */

static void enter_region(struct rank_walk *walk, uint32_t region, int64_t now_ps) {
    struct efficiencies_open *open = &walk->all->open[region];
    open->was_entered = true;
    if (open->depth++ > 0) return;
    open->since_ps = now_ps;
    open->computed_ps = walk->computed_ps;
}

static void leave_region(struct rank_walk *walk, uint32_t region, int64_t now_ps) {
    struct efficiencies_open *open = &walk->all->open[region];
    if (open->depth == 0 || --open->depth > 0) return;
    open->rank_ps += now_ps - open->since_ps;
    open->rank_computed_ps += walk->computed_ps - open->computed_ps;
    if (region == walk->all->iterated) end_iteration(walk, walk->iteration++, now_ps);
}

static void pass_mark(struct rank_walk *walk, const struct program_operation *operation,
                      int64_t now_ps) {
    if (!walk->in_call) walk->computed_ps += now_ps - walk->last_ps;
    walk->last_ps = now_ps;
    switch ((program_operation_kind)operation->kind) {
    case OPERATION_ENTER:
        enter_region(walk, operation->mark.region, now_ps);
        break;
    case OPERATION_LEAVE:
        leave_region(walk, operation->mark.region, now_ps);
        break;
    case OPERATION_CALL:
        walk->in_call = true;
        break;
    case OPERATION_RETURN:
        walk->in_call = false;
        break;
    default:
        break;
    }
}

static void add_regions(const struct rank_walk *walk) {
    struct efficiencies *all = walk->all;
    for (uint32_t i = 0; i < all->program->region_count; i++) {
        const struct efficiencies_open *open = &all->open[i];
        struct efficiencies_part *part = &all->regions[i];
        if (!open->was_entered) continue;
        if (open->rank_ps > part->time_ps[walk->run]) part->time_ps[walk->run] = open->rank_ps;
        if (walk->run != EFFICIENCIES_PREDICTED) continue;
        part->ranks++;
        part->compute_ps += (uint64_t)open->rank_computed_ps;
        if (open->rank_computed_ps > part->max_compute_ps)
            part->max_compute_ps = open->rank_computed_ps;
    }
}

static void add_rank(struct rank_walk *walk, const struct replay_result *replay, uint32_t rank) {
    struct efficiencies *all = walk->all;
    unsigned run = walk->run;
    const struct program_rank *rank_entry = &all->program->ranks[rank];
    const int64_t *times_ps = replay->timeline->times_ps + replay->timeline->first[rank];
    memset(all->open, 0, all->program->region_count * sizeof *all->open);
    *walk = (struct rank_walk){
        .all = all, .run = run, .last_ps = all->start_ps != NULL ? all->start_ps[rank] : 0};
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        const struct program_operation *operation =
            PROGRAM_OPERATION_AT(all->program, rank, rank_entry->first + i);
        if (program_is_mark(operation)) pass_mark(walk, operation, *times_ps++);
    }
    add_regions(walk);
}

status_code efficiencies_add(struct efficiencies *all, unsigned run,
                             const struct replay_result *replay, struct status *status) {
    struct rank_walk walk = {.all = all, .run = run};
    bool failed = false;
    for (uint32_t rank = 0; rank < replay->rank_count; rank++) {
        add_rank(&walk, replay, rank);
        failed = failed || walk.failed;
    }
    divide_time(all, run, replay->time_ps);
    RETURN_ERROR_IF(failed, status, STATUS_MEMORY, "out of memory for efficiencies");
    return STATUS_OK;
}
