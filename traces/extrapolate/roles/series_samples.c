/*
 * Numbers the steps and loops of each role, and lists for each what all ranks of the series have
 * there in all iterations.
 */
#include "traces/extrapolate/roles/series_samples.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/steps/series_shape.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

static status_code add_step(struct series_role_step **steps, size_t *count, size_t *capacity,
                            const struct series_role_step *step, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)steps, capacity, *count + 1, sizeof *step, status));
    (*steps)[(*count)++] = *step;
    return STATUS_OK;
}

static uint64_t content_of(const struct series_shape_node *shape) {
    uint64_t hash = content_hash_add(shape->symbol, shape->count);
    for (size_t i = 0; i < shape->count; i++)
        hash = content_hash_add(hash, content_of(&shape->nodes[i]));
    return hash;
}

/* Numbers the nodes of a shape. loops: those around them. */
static status_code number_nodes(struct series_role *role, struct series_shape_node *shape,
                                uint32_t depth, const uint32_t *loops, struct status *status) {
    RETURN_ERROR_IF(depth > SERIES_DEPTH, status, STATUS_INPUT,
                    "the application has loops in more than %d levels, which cannot be "
                    "extrapolated",
                    SERIES_DEPTH);
    for (size_t i = 0; i < shape->count; i++) {
        struct series_shape_node *node = &shape->nodes[i];
        struct series_role_step step = {.symbol = node->symbol, .depth = depth};
        memcpy(step.loops, loops, depth * sizeof *loops);
        if (node->symbol != SERIES_LOOP) {
            node->index_in_role = (uint32_t)role->step_count;
            FORWARD_IF_ERROR(
                add_step(&role->steps, &role->step_count, &role->step_capacity, &step, status));
            continue;
        }
        uint32_t inner[SERIES_DEPTH + 1];
        node->index_in_role = (uint32_t)role->loop_count;
        memcpy(inner, loops, depth * sizeof *loops);
        inner[depth] = node->index_in_role;
        if (depth < SERIES_DEPTH) step.loops[depth] = node->index_in_role;
        step.depth = depth + 1;
        step.content = content_of(node);
        FORWARD_IF_ERROR(
            add_step(&role->loops, &role->loop_count, &role->loop_capacity, &step, status));
        FORWARD_IF_ERROR(number_nodes(role, node, depth + 1, inner, status));
    }
    return STATUS_OK;
}

status_code series_samples_number(struct series_role *role, struct status *status) {
    const uint32_t none[SERIES_DEPTH + 1] = {0};
    return number_nodes(role, &role->shape, 0, none, status);
}

struct taking {
    struct series_role *role;
    uint32_t program, rank;
};

static status_code take(const struct series_shape_walk *walk, const struct series_shape_node *node,
                        struct status *status) {
    struct taking *taking = walk->context;
    struct series_role *role = taking->role;
    const bool is_loop = node->symbol == SERIES_LOOP;
    struct series_role_step *step =
        is_loop ? &role->loops[node->index_in_role] : &role->steps[node->index_in_role];
    struct series_sample sample = {.program = taking->program, .rank = taking->rank};
    memcpy(sample.index, walk->index, sizeof sample.index);
    memcpy(sample.trips, walk->trips, sizeof sample.trips);
    if (!is_loop) {
        const struct series_step *own = &walk->rank->steps[walk->steps];
        sample.values = walk->rank->values + own->first_value;
        step->has_moved = step->has_moved || own->is_moved;
        step->has_others = step->has_others || !own->is_moved;
    } else if (step->sample_count == 0)
        step->fixed_trips = walk->trips[walk->depth - 1];
    else if (step->fixed_trips != walk->trips[walk->depth - 1])
        step->fixed_trips = 0;
    FORWARD_IF_ERROR(memory_grow((void **)&step->samples, &step->sample_capacity,
                                 step->sample_count + 1, sizeof sample, status));
    RETURN_ERROR_IF(
        step->sample_count >= UINT32_MAX - 1, status, STATUS_INPUT,
        "the programs are too large to be extrapolated; cut them (trace.from, trace.to)");
    step->samples[step->sample_count++] = sample;
    return STATUS_OK;
}

status_code series_samples_take(struct series *series, struct status *status) {
    for (size_t i = 0; i < series->role_count; i++)
        FORWARD_IF_ERROR(series_samples_number(&series->roles[i], status));
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct series_program *from = &series->programs[k];
        for (uint32_t r = 0; r < from->program->rank_count; r++) {
            struct taking taking = {series_role_in(series, k, r), k, r};
            struct series_shape_walk walk = {
                .rank = &from->ranks[r], .context = &taking, .visit = take};
            FORWARD_IF_ERROR(shape_walk(&walk, &taking.role->shape, status));
            if (walk.steps != from->ranks[r].step_count)
                return status_set(status, STATUS_INPUT,
                                  "rank %u of %u: its loops are not those of its role", r,
                                  from->program->rank_count);
        }
    }
    for (size_t i = 0; i < series->role_count; i++) {
        struct series_role *role = &series->roles[i];
        uint32_t last = UINT32_MAX;
        for (size_t s = 0; role->step_count > 0 && s < role->steps[0].sample_count; s++) {
            role->programs += role->steps[0].samples[s].program != last;
            last = role->steps[0].samples[s].program;
        }
    }
    return STATUS_OK;
}

static void free_steps(struct series_role_step *steps, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (uint32_t v = 0; steps[i].laws != NULL && v < steps[i].law_count; v++)
            free(steps[i].laws[v].laws);
        free(steps[i].laws);
        free(steps[i].samples);
    }
    free(steps);
}

void series_samples_free(struct series_role *role) {
    free_steps(role->steps, role->step_count);
    free_steps(role->loops, role->loop_count);
    role->steps = role->loops = NULL;
    role->step_count = role->loop_count = 0;
}

bool series_trips_are_multiples(const struct series_role_step *step, uint32_t level,
                                uint32_t number) {
    for (size_t i = 0; i < step->sample_count; i++)
        if (step->samples[i].trips[level] % number != 0) return false;
    return true;
}
