/*
 * The memory of causes, and the choice of the regions and MPI functions that have sums of their
 * own: those in which the program computes longest, and which it calls most often.
 */
#include "replay/engine/causes/causes_elsewhere.h"
#include "replay/engine/causes/causes_state.h"
#include "replay/engine/causes/chain_channels.h"

#include "core/memory/memory.h"
#include "traces/program/program_marks.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define OUT_OF_MEMORY "out of memory for the explanation of times"

/* ---------------------------------------------------------------- names */

struct weight {
    wide amount;
    uint32_t index;
};

static int by_amount(const void *one, const void *other) {
    const struct weight *a = one, *b = other;
    if (a->amount != b->amount) return a->amount > b->amount ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Gives the heaviest things the numbers from 1 to `max`, all others that have weight the number
 * most + 1, and things without weight 0. *count is one more than the largest number up to `max`.
 */
static void number_heaviest(struct weight *weights, uint32_t things, uint32_t max,
                            uint32_t *number_of, uint32_t *count) {
    qsort(weights, things, sizeof *weights, by_amount);
    *count = 1;
    for (uint32_t i = 0; i < things; i++) {
        bool heavy = weights[i].amount > 0;
        number_of[weights[i].index] = !heavy ? 0 : *count;
        if (heavy && *count <= max) (*count)++;
    }
}

/* The computation in each region. Without pointers: processes exchange it. */
struct computation {
    uint64_t count;
    wide ps[]; /* [region] */
};

/* Adds up the computation of a rank by the innermost user region. Returns false if out of memory.
 */
static bool weigh_rank(const struct program *program, uint32_t rank, struct computation *regions) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    uint32_t *stack = memory_new((size_t)rank_entry->mark_count + 1, sizeof *stack);
    size_t depth = 0;
    if (stack == NULL) return false;
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        program_operation_kind kind;
        uint32_t region;
        if (!program_read_mark(program, rank, i, &kind, &region)) {
            const struct program_operation *operation = PROGRAM_OPERATION_AT(program, rank, i);
            kind = (program_operation_kind)operation->kind;
            region = operation->mark.region;
            if (kind == OPERATION_COMPUTE && depth > 0)
                regions->ps[stack[depth - 1]] += (uint64_t)operation->compute.duration_ps;
        }
        if (kind == OPERATION_ENTER) stack[depth++] = region;
        if (kind == OPERATION_LEAVE && depth > 0) depth--;
    }
    free(stack);
    return true;
}

static void add_computation(void *context, const void *part) {
    struct computation *sum = context;
    const char *more = (const char *)part + offsetof(struct computation, ps);
    for (uint64_t i = 0; i < sum->count; i++) {
        wide ps; /* `part` is not aligned for it */
        memcpy(&ps, more + i * sizeof ps, sizeof ps);
        sum->ps[i] += ps;
    }
}

/* Adds up the computation of all ranks, if there are user regions: each process that of its own. */
static status_code weigh_ranks(const struct replay_engine *engine, struct computation *regions,
                               struct status *status) {
    const struct program *program = engine->program;
    bool enough = true;
    if (!program_has_user_regions(program)) return STATUS_OK;
    for (uint32_t rank = 0; enough && rank < program->rank_count; rank++)
        if (transport_is_here(engine->transport, engine->ranks[rank].domain))
            enough = weigh_rank(program, rank, regions);
    RETURN_ERROR_IF(!enough, status, STATUS_MEMORY, OUT_OF_MEMORY);
    return processes_combine(engine->transport->processes, regions,
                             sizeof *regions + regions->count * sizeof *regions->ps,
                             add_computation, status);
}

static status_code weigh_regions(const struct replay_engine *engine, struct weight *weights,
                                 struct status *status) {
    const uint32_t count = engine->program->region_count;
    struct computation *regions =
        memory_new(1, sizeof *regions + (size_t)count * sizeof *regions->ps);
    RETURN_ERROR_IF(regions == NULL, status, STATUS_MEMORY, OUT_OF_MEMORY);
    regions->count = count;
    const status_code code = weigh_ranks(engine, regions, status);
    for (uint32_t i = 0; i < count; i++)
        weights[i] = (struct weight){.amount = regions->ps[i], .index = i};
    free(regions);
    return code;
}

static void name_regions(struct causes *causes, const struct program *program,
                         struct weight *weights) {
    number_heaviest(weights, program->region_count, CAUSES_NAMED_REGIONS, causes->sum_of_region,
                    &causes->region_count);
    causes->region_names[0] = "outside user regions";
    for (uint32_t i = 0; i < program->region_count; i++)
        if (causes->sum_of_region[i] > 0)
            causes->region_names[causes->sum_of_region[i]] =
                program_text(program, program->regions[i].name);
    if (causes->region_count > CAUSES_NAMED_REGIONS)
        causes->region_names[causes->region_count++] = "other user regions";
}

static void name_functions(struct causes *causes, const struct replay_engine *engine,
                           struct weight *weights) {
    number_heaviest(weights, engine->mpi_function_count, CAUSES_NAMED_FUNCTIONS,
                    causes->sum_of_function, &causes->mpi_function_count);
    causes->mpi_function_names[0] = "outside MPI calls";
    for (uint32_t i = 0; i < engine->mpi_function_count; i++)
        if (causes->sum_of_function[i] > 0)
            causes->mpi_function_names[causes->sum_of_function[i]] = engine->mpi_function_names[i];
    if (causes->mpi_function_count > CAUSES_NAMED_FUNCTIONS)
        causes->mpi_function_names[causes->mpi_function_count++] = "other MPI calls";
}

/* Chooses the regions and MPI functions that have sums of their own. */
static status_code choose_names(struct causes *causes, const struct replay_engine *engine,
                                struct status *status) {
    const struct program *program = engine->program;
    struct weight *regions = memory_new(program->region_count, sizeof *regions);
    struct weight *functions = memory_new(engine->mpi_function_count, sizeof *functions);
    status_code code = regions != NULL && functions != NULL
                           ? weigh_regions(engine, regions, status)
                           : status_set(status, STATUS_MEMORY, OUT_OF_MEMORY);
    for (uint32_t i = 0; code == STATUS_OK && i < engine->mpi_function_count; i++)
        functions[i] = (struct weight){.amount = engine->mpi_function_uses[i], .index = i};
    if (code == STATUS_OK) {
        name_regions(causes, program, regions);
        name_functions(causes, engine, functions);
    }
    free(regions);
    free(functions);
    return code;
}

struct causes_names causes_names_of(const struct replay_engine *engine) {
    const struct causes *causes = engine->causes;
    return (struct causes_names){.region_count = causes->region_count,
                                 .mpi_function_count = causes->mpi_function_count,
                                 .rules = &causes->rules,
                                 .regions = causes->region_names,
                                 .mpi_functions = causes->mpi_function_names};
}

/* ---------------------------------------------------------------- memory */

static bool allocate_causes(struct causes *causes, struct replay_engine *engine) {
    const struct program *program = engine->program;
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        causes->slot_count += program->ranks[rank].slot_count;
    causes->ranks = memory_new_aligned(engine->participant_count, sizeof *causes->ranks);
    causes->slots = memory_new(causes->slot_count, sizeof *causes->slots);
    causes->domains = memory_new(engine->domain_count, sizeof *causes->domains);
    causes->sum_of_region = memory_new(program->region_count, sizeof *causes->sum_of_region);
    causes->sum_of_function =
        memory_new(engine->mpi_function_count, sizeof *causes->sum_of_function);
    causes->region_names = memory_new(CAUSES_NAMED_REGIONS + 2, sizeof *causes->region_names);
    causes->mpi_function_names =
        memory_new(CAUSES_NAMED_FUNCTIONS + 2, sizeof *causes->mpi_function_names);
    chain_store_new(&causes->store);
    if (!tickets_new(&causes->tickets, &causes->store) || causes->ranks == NULL ||
        causes->slots == NULL || causes->domains == NULL || causes->sum_of_region == NULL ||
        causes->sum_of_function == NULL || causes->region_names == NULL ||
        causes->mpi_function_names == NULL)
        return false;
    return causes_notes_new(engine);
}

status_code causes_new(struct replay_engine *engine, uint32_t base_steps, bool has_one_thread,
                       struct status *status) {
    engine->causes = memory_new(1, sizeof *engine->causes);
    engine->is_observed = true;
    if (engine->causes == NULL || !allocate_causes(engine->causes, engine))
        return status_set(status, STATUS_MEMORY, OUT_OF_MEMORY);
    struct causes *causes = engine->causes;
    FORWARD_IF_ERROR(choose_names(causes, engine, status));
    for (uint32_t i = 0; i < engine->domain_count; i++) {
        causes->domains[i].heap =
            (struct chain_heap){.store = &causes->store, .has_one_thread = has_one_thread};
        causes->domains[i].match_margin_ps = INT64_MAX;
    }
    uint32_t first_function = CHAIN_NAMES + causes->region_count;
    uint32_t first_channel = first_function + causes->mpi_function_count;
    causes->rules = (struct chain_rules){.value_count = first_channel + CHAIN_CHANNEL_VALUES,
                                         .first_function = first_function,
                                         .first_channel = first_channel,
                                         .sum_of_region = causes->sum_of_region,
                                         .sum_of_function = causes->sum_of_function,
                                         .base_steps = base_steps};
    return STATUS_OK;
}

status_code causes_start(struct replay_engine *engine, struct status *status) {
    struct causes *causes = engine->causes;
    for (uint32_t rank = 0; rank < engine->program->rank_count; rank++) {
        int64_t start_ps = engine->start_ps != NULL ? engine->start_ps[rank] : 0;
        struct chain_heap *heap = &causes->domains[engine->ranks[rank].domain].heap;
        if (!chain_begin(&causes->ranks[rank].tip, &causes->rules, heap, rank, start_ps))
            return status_set(status, STATUS_MEMORY, OUT_OF_MEMORY);
    }
    return STATUS_OK;
}

uint32_t causes_last_rank(const struct replay_engine *engine, uint32_t first_rank,
                          uint32_t rank_count) {
    uint32_t last = first_rank;
    for (uint32_t i = 0; i < rank_count; i++)
        if (engine->ranks[first_rank + i].result.time_ps > engine->ranks[last].result.time_ps)
            last = first_rank + i;
    return last;
}

const struct chain *causes_chain_of_rank(const struct replay_engine *engine, uint32_t rank) {
    struct chain_heap heap = {.store = &engine->causes->store};
    struct chain_tip *tip = &engine->causes->ranks[rank].tip;
    return chain_close(tip, &engine->causes->rules, &heap) ? tip->chain : NULL;
}

bool causes_find_rivals(const struct replay_engine *engine, uint32_t first_rank,
                        uint32_t rank_count, struct chain_rivals *rivals) {
    const struct causes *causes = engine->causes;
    const uint32_t last = causes_last_rank(engine, first_rank, rank_count);
    struct chain_tip tip = {.rivals = causes->ranks[last].tip.rivals};
    for (uint32_t rank = first_rank; rank < first_rank + rank_count; rank++) {
        if (rank == last) continue;
        chain_limit_margin(&tip,
                           engine->ranks[last].result.time_ps - engine->ranks[rank].result.time_ps);
        chain_raise_bounds(&tip, causes->ranks[rank].tip.rivals.bounds);
    }
    *rivals = tip.rivals;
    bool known = engine->config.progress != REPLAY_PROGRESS_SOFTWARE &&
                 (engine->hosts == NULL || engine->hosts->noise == HOSTS_NOISE_NONE);
    for (uint32_t i = 0; i < engine->domain_count; i++)
        known = known && !causes->domains[i].is_order_dependent;
    return known;
}

static void free_domain(struct causes_domain *domain, unsigned processes) {
    causes_notes_free(domain, processes);
    free(domain->held);
    free(domain->expiries);
    free(domain->activations);
    causes_posted_map_clear(&domain->posted);
    causes_early_map_clear(&domain->early);
}

void causes_free(struct replay_engine *engine) {
    struct causes *causes = engine->causes;
    if (causes == NULL) return;
    const unsigned processes = processes_count(engine->transport->processes);
    for (uint32_t i = 0; causes->ranks != NULL && i < engine->participant_count; i++)
        free(causes->ranks[i].regions);
    for (uint32_t i = 0; causes->domains != NULL && i < engine->domain_count; i++)
        free_domain(&causes->domains[i], processes);
    tickets_free(&causes->tickets);
    chain_store_free(&causes->store);
    free(causes->ranks);
    free(causes->slots);
    free(causes->domains);
    free(causes->sum_of_region);
    free(causes->sum_of_function);
    free(causes->region_names);
    free(causes->mpi_function_names);
    free(causes);
    engine->causes = NULL;
}
