/*
 * Lists the steps and loops of each role, and for each of them the samples of all ranks of the
 * series in all iterations.
 */
#include "traces/extrapolate/roles/series_samples.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/refusals/series_where.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/extrapolate/steps/series_shape.h"
#include "traces/extrapolate/steps/series_steps.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

static status_code add_step(struct series_role_step **steps, size_t *count, size_t *capacity,
                            const struct series_role_step *step, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)steps, capacity, *count + 1, sizeof *step, status));
    (*steps)[(*count)++] = *step;
    return STATUS_OK;
}

/* Returns a hash of the symbols in a shape. */
static uint64_t content_of(const struct series_shape_node *shape) {
    uint64_t hash = content_hash_add(shape->symbol, shape->count);
    for (size_t i = 0; i < shape->count; i++)
        hash = content_hash_add(hash, content_of(&shape->nodes[i]));
    return hash;
}

/* Refuses loops in too many levels. shape: the loop that is in too many. */
static status_code refuse_depth(const struct series *series, const struct series_role *role,
                                const struct series_shape_node *shape, struct status *status) {
    uint32_t program = series->program_count;
    char ranks[2 * SERIES_TEXT];
    while (shape->symbol == SERIES_LOOP)
        shape = &shape->nodes[0];
    while (program-- > 0 && !series_where_role(series, program, role, ranks, sizeof ranks))
        ;
    return status_set(status, STATUS_INPUT,
                      "%s on %s: it is in loops in more than %d levels, which cannot be "
                      "extrapolated",
                      series_symbol_name(series, shape->symbol), ranks, SERIES_DEPTH);
}

/* Lists the nodes of a shape, and sets their index_in_role. loops: [level]: the loops around them.
 */
static status_code number_nodes(const struct series *series, struct series_role *role,
                                struct series_shape_node *shape, uint32_t depth,
                                const uint32_t *loops, struct status *status) {
    if (depth > SERIES_DEPTH) return refuse_depth(series, role, shape, status);
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
        FORWARD_IF_ERROR(number_nodes(series, role, node, depth + 1, inner, status));
    }
    return STATUS_OK;
}

status_code series_samples_number(const struct series *series, struct series_role *role,
                                  struct status *status) {
    const uint32_t none[SERIES_DEPTH + 1] = {0};
    return number_nodes(series, role, &role->shape, 0, none, status);
}

/* The rank whose samples are taken. */
struct taking {
    struct series_role *role;
    uint32_t program, rank;
};

/* Adds a sample to a step or loop of the role. */
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

/* Puts before the text of an error the step from which on a rank does not fit its role. */
static status_code refuse_loops(const struct series *series, uint32_t program, uint32_t rank,
                                size_t step, struct status *status) {
    char place[2 * SERIES_TEXT];
    const struct series_rank *from = &series->programs[program].ranks[rank];
    series_where_call(series, program, rank, step, place, sizeof place);
    return status_prefix(
        status, "%s (%s)",
        step < from->step_count ? series_symbol_name(series, from->steps[step].symbol) : "the end",
        place);
}

status_code series_samples_take(struct series *series, struct status *status) {
    for (size_t i = 0; i < series->roles.count; i++)
        FORWARD_IF_ERROR(series_samples_number(series, &series->roles.list[i], status));
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct series_program *from = &series->programs[k];
        for (uint32_t r = 0; r < from->program->rank_count; r++) {
            struct taking taking = {series_role_in(series, k, r), k, r};
            struct series_shape_walk walk = {
                .rank = &from->ranks[r], .context = &taking, .visit = take};
            status_code code = series_shape_walk(&walk, &taking.role->shape, status);
            if (code == STATUS_OK && walk.steps != from->ranks[r].step_count)
                code = status_set(status, STATUS_INPUT, "its loops are not those of its role");
            if (code == STATUS_OK) continue;
            return code == STATUS_INPUT ? refuse_loops(series, k, r, walk.steps, status) : code;
        }
    }
    for (size_t i = 0; i < series->roles.count; i++) {
        struct series_role *role = &series->roles.list[i];
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
