/*
 * Numbers the steps and loops of each role, and lists for each what all ranks of the series have
 * there in all iterations.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/series.h"
#include "traces/extrapolate/series_roles.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

/* The samples of the same call, or of loops of the same calls, in all roles, by programs. */
struct series_pool {
    struct series_role_step step;
    bool is_loop;
};

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
            node->number = (uint32_t)role->step_count;
            FORWARD_IF_ERROR(
                add_step(&role->steps, &role->step_count, &role->step_capacity, &step, status));
            continue;
        }
        uint32_t inner[SERIES_DEPTH + 1];
        node->number = (uint32_t)role->loop_count;
        memcpy(inner, loops, depth * sizeof *loops);
        inner[depth] = node->number;
        if (depth < SERIES_DEPTH) step.loops[depth] = node->number;
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
        is_loop ? &role->loops[node->number] : &role->steps[node->number];
    struct series_sample sample = {.program = taking->program, .rank = taking->rank};
    memcpy(sample.index, walk->index, sizeof sample.index);
    memcpy(sample.trips, walk->trips, sizeof sample.trips);
    if (!is_loop)
        sample.values = walk->rank->values + walk->rank->steps[walk->steps].first_value;
    else if (step->sample_count == 0)
        step->fixed_trips = walk->trips[walk->depth - 1];
    else if (step->fixed_trips != walk->trips[walk->depth - 1])
        step->fixed_trips = 0;
    FORWARD_IF_ERROR(memory_grow((void **)&step->samples, &step->sample_capacity,
                                 step->sample_count + 1, sizeof sample, status));
    RETURN_ERROR_IF(step->sample_count >= UINT32_MAX - 1, status, STATUS_INPUT,
                    "the programs are too large to be extrapolated; cut them (--from, --to)");
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

/* Appends the samples of a step that are of one program. */
static status_code add_samples(struct series_role_step *pool, const struct series_role_step *step,
                               uint32_t program, struct status *status) {
    for (size_t i = 0; i < step->sample_count; i++) {
        if (step->samples[i].program != program) continue;
        FORWARD_IF_ERROR(memory_grow((void **)&pool->samples, &pool->sample_capacity,
                                     pool->sample_count + 1, sizeof *pool->samples, status));
        pool->samples[pool->sample_count++] = step->samples[i];
    }
    return STATUS_OK;
}

/* Appends the samples of all steps that are the same call, or of all loops of the same calls. */
static status_code fill_pool(const struct series *series, struct series_pool *pool,
                             struct status *status) {
    for (uint32_t k = 0; k < series->program_count; k++)
        for (size_t r = 0; r < series->role_count; r++) {
            const struct series_role *role = &series->roles[r];
            const struct series_role_step *steps = pool->is_loop ? role->loops : role->steps;
            const size_t count = pool->is_loop ? role->loop_count : role->step_count;
            for (size_t s = 0; s < count; s++)
                if (steps[s].symbol == pool->step.symbol && steps[s].depth == pool->step.depth &&
                    steps[s].content == pool->step.content)
                    FORWARD_IF_ERROR(add_samples(&pool->step, &steps[s], k, status));
        }
    return STATUS_OK;
}

status_code series_samples_pool(struct series *series, const struct series_role_step *step,
                                bool is_loop, struct series_role_step *pool,
                                struct status *status) {
    size_t i = 0;
    while (i < series->pool_count &&
           (series->pools[i].is_loop != is_loop || series->pools[i].step.symbol != step->symbol ||
            series->pools[i].step.depth != step->depth ||
            series->pools[i].step.content != step->content))
        i++;
    if (i == series->pool_count) {
        FORWARD_IF_ERROR(memory_grow((void **)&series->pools, &series->pool_capacity, i + 1,
                                     sizeof *series->pools, status));
        series->pools[i] = (struct series_pool){
            .step = {.symbol = step->symbol, .depth = step->depth, .content = step->content},
            .is_loop = is_loop};
        series->pool_count++;
        FORWARD_IF_ERROR(fill_pool(series, &series->pools[i], status));
    }
    *pool = series->pools[i].step;
    pool->laws = step->laws;
    pool->law_count = step->law_count;
    memcpy(pool->loops, step->loops, sizeof pool->loops);
    return STATUS_OK;
}

void series_pools_forget(struct series *series) {
    for (size_t i = 0; i < series->pool_count; i++)
        free(series->pools[i].step.samples);
    series->pool_count = 0;
}

status_code series_samples_join(const struct series *series, const struct series_role_step *step,
                                const struct series_role_step *other, struct series_role_step *both,
                                struct status *status) {
    status_code code = STATUS_OK;
    *both = *step;
    both->samples = NULL;
    both->sample_count = both->sample_capacity = 0;
    for (uint32_t k = 0; k < series->program_count && code == STATUS_OK; k++) {
        code = add_samples(both, step, k, status);
        if (code == STATUS_OK) code = add_samples(both, other, k, status);
    }
    if (code != STATUS_OK) free(both->samples);
    return code;
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
