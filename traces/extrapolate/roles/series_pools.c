/*
 * Pools: the samples of the same call in all roles, and the laws that a search has found in them.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/series_laws.h"
#include "traces/extrapolate/roles/series_samples.h"

#include <stdlib.h>
#include <string.h>

/* The samples of the same call, or of loops of the same calls, in all roles, by programs. */
struct series_pool {
    struct series_role_step step;
    bool is_loop;
};

/* The law that a search in a pool has found for a value of a call. With roles by symmetry, this law
 * holds for all of them. Otherwise, other laws that fit as well depend on the role, so only
 * constants are kept, and that no law was found. */
struct series_pooled_law {
    uint32_t symbol, depth, field;
    uint64_t content; /* of a loop */
    bool is_found;
    struct series_law *law; /* NULL: none was found */
};

/* Appends the samples of one program at a step to a pool. */
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
        for (size_t r = 0; r < series->roles.count; r++) {
            const struct series_role *role = &series->roles.list[r];
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
    while (i < series->laws.pool_count && (series->laws.pools[i].is_loop != is_loop ||
                                           series->laws.pools[i].step.symbol != step->symbol ||
                                           series->laws.pools[i].step.depth != step->depth ||
                                           series->laws.pools[i].step.content != step->content))
        i++;
    if (i == series->laws.pool_count) {
        FORWARD_IF_ERROR(memory_grow((void **)&series->laws.pools, &series->laws.pool_capacity,
                                     i + 1, sizeof *series->laws.pools, status));
        series->laws.pools[i] = (struct series_pool){
            .step = {.symbol = step->symbol, .depth = step->depth, .content = step->content},
            .is_loop = is_loop};
        series->laws.pool_count++;
        FORWARD_IF_ERROR(fill_pool(series, &series->laws.pools[i], status));
    }
    *pool = series->laws.pools[i].step;
    pool->laws = step->laws;
    pool->law_count = step->law_count;
    memcpy(pool->loops, step->loops, sizeof pool->loops);
    return STATUS_OK;
}

void series_pools_forget(struct series *series) {
    for (size_t i = 0; i < series->laws.pool_count; i++)
        free(series->laws.pools[i].step.samples);
    series->laws.pool_count = 0;
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

/* Returns whether step `number` of two roles is the same call, in loops with equal fixed_trips. */
static bool are_alike(const struct series_role *left, const struct series_role *right,
                      size_t number) {
    const struct series_role_step *a = &left->steps[number], *b = &right->steps[number];
    if (a->symbol != b->symbol || a->depth != b->depth) return false;
    for (uint32_t l = 0; l < a->depth; l++)
        if (left->loops[a->loops[l]].fixed_trips != right->loops[b->loops[l]].fixed_trips)
            return false;
    return true;
}

status_code series_samples_join_roles(const struct series *series, const struct series_role *role,
                                      size_t number, struct series_role_step *all,
                                      struct status *status) {
    status_code code = STATUS_OK;
    *all = role->steps[number];
    all->samples = NULL;
    all->sample_count = all->sample_capacity = 0;
    for (size_t r = 0; r < series->roles.count; r++)
        if (series->roles.list[r].step_count != role->step_count ||
            !are_alike(role, &series->roles.list[r], number))
            return STATUS_OK;
    for (uint32_t k = 0; k < series->program_count; k++)
        for (size_t r = 0; r < series->roles.count && code == STATUS_OK; r++)
            code = add_samples(all, &series->roles.list[r].steps[number], k, status);
    if (code == STATUS_OK) return STATUS_OK;
    free(all->samples);
    all->samples = NULL;
    return code;
}

const struct series_pooled_law *series_pooled_find(const struct series *series,
                                                   const struct series_law_data *data) {
    for (size_t i = 0; i < series->laws.pooled_count; i++) {
        const struct series_pooled_law *law = &series->laws.pooled[i];
        if (law->symbol == data->step->symbol && law->depth == data->step->depth &&
            law->field == data->field && law->content == data->step->content)
            return law;
    }
    return NULL;
}

status_code series_pooled_take(const struct series_pooled_law *known, series_value_kind what,
                               struct series_value_law *laws, bool *found, struct status *status) {
    *found = known->is_found;
    if (!*found) return STATUS_OK;
    *laws = (struct series_value_law){.what = what, .law_count = 1, .is_pooled = true};
    laws->laws = memory_new(1, sizeof *laws->laws);
    RETURN_ERROR_IF(laws->laws == NULL, status, STATUS_MEMORY, "out of memory for laws");
    laws->laws[0] = *known->law;
    return STATUS_OK;
}

status_code series_pooled_keep(struct series *series, const struct series_law_data *data,
                               const struct series_law *law, struct status *status) {
    struct series_pooled_law known = {data->step->symbol,  data->step->depth, data->field,
                                      data->step->content, law != NULL,       NULL};
    const bool is_for_all = law == NULL || law->kind == SERIES_LAW_CONSTANT;
    /* By symmetry a loop has laws of its own in each role. */
    if (series->grids.symmetric > 0 ? data->is_loop : !is_for_all) return STATUS_OK;
    FORWARD_IF_ERROR(memory_grow((void **)&series->laws.pooled, &series->laws.pooled_capacity,
                                 series->laws.pooled_count + 1, sizeof known, status));
    if (law != NULL) {
        known.law = memory_new(1, sizeof *known.law);
        RETURN_ERROR_IF(known.law == NULL, status, STATUS_MEMORY, "out of memory for laws");
        *known.law = *law;
    }
    series->laws.pooled[series->laws.pooled_count++] = known;
    return STATUS_OK;
}

void series_pooled_forget(struct series *series) {
    for (size_t i = 0; i < series->laws.pooled_count; i++)
        free(series->laws.pooled[i].law);
    series->laws.pooled_count = 0;
}
