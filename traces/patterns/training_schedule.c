/*
 * Pipeline schedules, as Narayanan et al. (2021) describe them. Must not know what a unit computes
 * or sends.
 *
 * Invariant: all stages come to their end. What a stage waits for is the output of a unit that
 * another stage carries out without waiting for a later unit of this stage.
 */
#include "traces/patterns/training_schedule.h"
#include "core/memory/memory.h"

uint32_t training_units(const struct training_shape *shape) {
    return (uint32_t)(2 * shape->micro_batches * shape->chunks);
}

/* Code of a unit: its number among the stage's forward or backward units, times two, plus one for
 * backward. */
struct training_unit training_unit_of(const struct training_shape *shape, uint32_t code) {
    uint32_t number = code / 2, stages = (uint32_t)shape->pipeline;
    uint32_t chunks = (uint32_t)shape->chunks;
    bool is_forward = code % 2 == 0;
    /* With several chunks, a stage takes `stages` micro-batches through each chunk in turn. */
    uint32_t turn = chunks > 1 ? number / stages : number;
    uint32_t chunk = turn % chunks;
    uint32_t batch = chunks > 1 ? turn / chunks * stages + number % stages : number;
    return (struct training_unit){.chunk = is_forward ? chunk : chunks - 1 - chunk,
                                  .is_forward = is_forward,
                                  .is_last = !is_forward && batch + 1 == shape->micro_batches};
}

/* Returns how many forward units a stage carries out before its first backward unit. */
static uint32_t warm_up(const struct training_shape *shape, uint32_t stage) {
    uint32_t stages = (uint32_t)shape->pipeline, chunks = (uint32_t)shape->chunks;
    uint32_t ahead = stages - 1 - stage;
    if (chunks > 1) ahead = 2 * ahead + (chunks - 1) * stages;
    uint32_t all = training_units(shape) / 2;
    return ahead < all ? ahead : all;
}

uint32_t *training_schedule(const struct training_shape *shape) {
    uint32_t units = training_units(shape), stages = (uint32_t)shape->pipeline;
    uint32_t *schedule = memory_new((size_t)stages * units, sizeof *schedule);
    if (schedule == NULL) return NULL;
    for (uint32_t stage = 0; stage < stages; stage++) {
        uint32_t *next = schedule + (size_t)stage * units;
        uint32_t forward = 0, backward = 0;
        for (uint32_t first = warm_up(shape, stage); forward < first; forward++)
            *next++ = 2 * forward;
        while (backward < units / 2) {
            if (forward < units / 2) *next++ = 2 * forward++;
            *next++ = 2 * backward++ + 1;
        }
    }
    return schedule;
}
