/* Message sizes of alltoallv and alltoallw. They are kept sorted by their sums and communicator
 * sizes, and found by binary search. */
#include "replay/engine/state/engine_pairs.h"

#include "core/memory/memory.h"

#include <stdlib.h>

static int compare_pairs(const void *left, const void *right) {
    const struct engine_pairs *a = left, *b = right;
    if (a->first_sum != b->first_sum) return a->first_sum < b->first_sum ? -1 : 1;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    return (a->remote_size > b->remote_size) - (a->remote_size < b->remote_size);
}

const struct collective_pairs *engine_pairs_find(const struct replay_engine *engine,
                                                 uint32_t first_sum, uint32_t size,
                                                 uint32_t remote_size) {
    struct engine_pairs key = {.first_sum = first_sum, .size = size, .remote_size = remote_size};
    if (engine->pair_count == 0) return NULL;
    const struct engine_pairs *found =
        bsearch(&key, engine->pairs, engine->pair_count, sizeof *engine->pairs, compare_pairs);
    return found == NULL ? NULL : found->pairs;
}

/* Sorts the collected entries and drops duplicates. */
static void sort_and_drop(struct replay_engine *engine) {
    uint32_t kept = 0;
    if (engine->pair_count == 0) return;
    qsort(engine->pairs, engine->pair_count, sizeof *engine->pairs, compare_pairs);
    for (uint32_t i = 1; i < engine->pair_count; i++) {
        if (compare_pairs(&engine->pairs[kept], &engine->pairs[i]) != 0)
            engine->pairs[++kept] = engine->pairs[i];
    }
    engine->pair_count = kept + 1;
}

/* Returns whether the program has any ALLTOALLV or ALLTOALLW. Most have none, and their operations
 * need no search. */
static bool has_pairs(const struct program *program) {
    for (uint32_t i = 0; i < program->collective_argument_count; i++)
        if (program_is_paired(program->collective_arguments[i].kind)) return true;
    return false;
}

/* Collects the sets of sums of a rank. Duplicates are dropped whenever the array is full, so memory
 * is proportional to the distinct sets. */
static status_code collect_sums_of(struct replay_engine *engine, uint32_t rank, size_t *capacity,
                                   struct status *status) {
    const struct program *program = engine->program;
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        const struct program_operation *operation = PROGRAM_OPERATION_AT(program, rank, i);
        if (operation->kind != OPERATION_COLLECTIVE) continue;
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[operation->collective.arguments];
        if (!program_is_paired(arguments->kind) || operation->pair_row_plus_1 > 0) continue;
        const struct program_communicator *communicator =
            &program->communicators[arguments->communicator];
        if (engine->pair_count == *capacity) {
            sort_and_drop(engine);
            if (2 * (size_t)engine->pair_count >= *capacity)
                FORWARD_IF_ERROR(memory_grow((void **)&engine->pairs, capacity,
                                             2 * (size_t)engine->pair_count + 64,
                                             sizeof *engine->pairs, status));
        }
        engine->pairs[engine->pair_count++] =
            (struct engine_pairs){.first_sum = operation->collective.sizes,
                                  .size = communicator->size,
                                  .remote_size = communicator->remote_size};
    }
    return STATUS_OK;
}

/* Collects the distinct sets of sums of the ranks of this process. */
static status_code collect_sums(struct replay_engine *engine, struct status *status) {
    const struct program *program = engine->program;
    size_t capacity = 0;
    if (!has_pairs(program)) return STATUS_OK;
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        if (transport_is_here(engine->transport, engine->ranks[rank].domain))
            FORWARD_IF_ERROR(collect_sums_of(engine, rank, &capacity, status));
    sort_and_drop(engine);
    return STATUS_OK;
}

static status_code find_sizes(struct replay_engine *engine, struct status *status) {
    for (uint32_t i = 0; i < engine->pair_count; i++) {
        struct engine_pairs *entry = &engine->pairs[i];
        uint32_t size = entry->size, remote = entry->remote_size, members = size + remote;
        const uint64_t *rows = engine->program->sizes + entry->first_sum, *columns = rows + members;
        if (remote == 0) {
            FORWARD_IF_ERROR(
                collective_pairs_init(&entry->pairs[0], rows, size, columns, size, status));
            continue;
        }
        FORWARD_IF_ERROR(
            collective_pairs_init(&entry->pairs[0], rows, size, columns + size, remote, status));
        FORWARD_IF_ERROR(
            collective_pairs_init(&entry->pairs[1], rows + size, remote, columns, size, status));
    }
    return STATUS_OK;
}

status_code engine_pairs_new(struct replay_engine *engine, struct status *status) {
    FORWARD_IF_ERROR(collect_sums(engine, status));
    return find_sizes(engine, status);
}

void engine_pairs_free(struct replay_engine *engine) {
    for (uint32_t i = 0; i < engine->pair_count; i++) {
        collective_pairs_clear(&engine->pairs[i].pairs[0]);
        collective_pairs_clear(&engine->pairs[i].pairs[1]);
    }
    free(engine->pairs);
}
