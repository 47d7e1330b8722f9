/*
 * The end of a rank's part: moves the operations to their place in the program.
 * Must not know other ranks' operations, OTF2 or files.
 *
 * Invariants: places follow the order of ranks, in whatever order ranks are done. A rank that is
 * done before a rank with a lower number waits for a place until that rank has one; the thread that
 * ends the lower rank then moves both. So the shared tables are equal for any number of threads. A
 * rank usually moves while its operations are in the processor's cache, and another rank reuses its
 * memory. So a thread touches little memory besides the program itself. The program's arrays move
 * only if their size was estimated too low.
 */
#include "core/memory/memory.h"
#include "traces/program/builder/builder_parts.h"

#include <stdlib.h>
#include <string.h>

status_code builder_places_new(struct program_builder *builder, uint32_t rank_count,
                               struct status *status) {
    struct builder_places *places = &builder->places;
    struct program *program = builder->program;
    program->rank_count = places->end_rank = rank_count;
    program->ranks = memory_new(rank_count, sizeof *program->ranks);
    RETURN_ERROR_IF(program->ranks == NULL, status, STATUS_MEMORY, "out of memory for ranks");
    places->expected = rank_count;
    for (uint32_t rank = 0; rank < rank_count; rank++) {
        builder->ranks[rank].call_region = PROGRAM_NONE;
        builder->ranks[rank].expected = 1;
    }
    return program_posted_new(&places->posted, rank_count, status);
}

static void free_spares(struct builder_places *places) {
    for (size_t i = 0; i < places->spare_count; i++)
        builder_rank_clear(&places->spares[i]);
    free(places->spares);
    places->spares = NULL;
    places->spare_count = places->spare_capacity = 0;
}

void builder_places_free(struct program_builder *builder) {
    struct builder_places *places = &builder->places;
    program_posted_free(&places->posted);
    builder_pairings_free(builder);
    key_table_free(&places->envelopes.index);
    key_table_free(&places->arguments.index);
    vector_table_free(&places->rows);
    free(places->row_lengths);
    free(places->envelopes.elements);
    free(places->arguments.elements);
    free_spares(places);
    pthread_mutex_destroy(&places->lock);
    pthread_rwlock_destroy(&places->moving);
}

void builder_set_expected_share(struct program_builder *builder, uint32_t rank, uint64_t share) {
    struct builder_places *places = &builder->places;
    places->expected += share - builder->ranks[rank].expected;
    builder->ranks[rank].expected = share;
}

/* ---- memory of ranks ---- */

void builder_take_spare(struct program_builder *builder, struct builder_rank *rank) {
    struct builder_places *places = &builder->places;
    uint64_t expected = rank->expected;
    pthread_mutex_lock(&places->lock);
    if (places->spare_count > 0) *rank = places->spares[--places->spare_count];
    pthread_mutex_unlock(&places->lock);
    rank->expected = expected;
    rank->paging = builder->program->paging;
}

/* Keeps the memory of a rank that has moved for another rank. The caller holds the lock. */
static void leave_spare(struct builder_places *places, struct builder_rank *rank) {
    struct builder_rank spare = *rank;
    *rank = (struct builder_rank){.call_region = PROGRAM_NONE, .is_done = true};
    spare.operation_count = spare.dropped_count = spare.unrecorded_count = spare.wait_count = 0;
    spare.envelope_count = spare.argument_count = spare.free_count = 0;
    spare.vertex_count = 0;
    spare.finished_count = spare.mark_count = spare.slot_count = 0;
    spare.envelope_order.used_count = spare.envelope_order.count = 0;
    spare.argument_order.used_count = spare.argument_order.count = 0;
    program_posted_remove_all(&spare.posted);
    spare.is_done = spare.is_packing = false;
    if (spare.recent != NULL) memset(spare.recent, 0, BUILDER_RECENT * sizeof *spare.recent);
    key_table_remove_all(&spare.requests);
    key_table_remove_all(&spare.tested);
    key_table_remove_all(&spare.envelope_index);
    key_table_remove_all(&spare.argument_index);
    vector_table_remove_all(&spare.rows);
    if (memory_grow((void **)&places->spares, &places->spare_capacity, places->spare_count + 1,
                    sizeof spare, NULL) == STATUS_OK)
        places->spares[places->spare_count++] = spare;
    else
        builder_rank_clear(&spare);
}

/* ---- the place in the program ---- */

/* Estimates how many elements all ranks need if the other ranks are like the ranks so far, but at
 * least half as many again as the present capacity. Memory that is reserved and never used costs
 * nothing: it is given back untouched. */
static size_t estimate(const struct builder_places *places, size_t capacity, size_t wanted) {
    unsigned __int128 all = wanted;
    if (places->expected_so_far > 0) /* plus a little, since ranks differ */
        all = all * places->expected / places->expected_so_far * 65 / 64 + 64;
    size_t min = capacity + capacity / 2;
    size_t max = all < SIZE_MAX / 256 ? (size_t)all : wanted;
    return max > min ? max : min;
}

/* Makes room for `wanted` elements; one call is enough for most programs. The array moves while no
 * other thread writes to it. */
static status_code make_room(struct builder_places *places, struct paging *paging, void **array,
                             size_t *capacity, size_t used, size_t wanted, size_t element_bytes,
                             struct status *status) {
    if (wanted <= *capacity) return STATUS_OK;
    const size_t sizes[] = {estimate(places, *capacity, wanted), wanted + wanted / 2, wanted};
    status_code code = STATUS_MEMORY;
    pthread_rwlock_wrlock(&places->moving);
    for (size_t i = 0; code != STATUS_OK && i < sizeof sizes / sizeof *sizes; i++) {
        const size_t size = sizes[i] > wanted ? sizes[i] : wanted;
        if (size > SIZE_MAX / element_bytes) continue;
        status_clear(status);
        code = paging_resize(paging, array, used * element_bytes, size * element_bytes, status);
        if (code == STATUS_OK) *capacity = size;
    }
    pthread_rwlock_unlock(&places->moving);
    if (code == STATUS_MEMORY)
        status_set(status, code, "out of memory for %zu operations or requests", wanted);
    return code;
}

/* Adds the elements that a rank uses to the program's table, in the order of their first use. */
static status_code unite(struct builder_united *united, struct builder_order *order,
                         const void *elements, size_t element_bytes,
                         uint64_t (*hash)(const void *element), struct status *status) {
    for (uint32_t i = 0; i < order->used_count; i++) {
        const void *element = (const char *)elements + order->used[i] * element_bytes;
        FORWARD_IF_ERROR(builder_intern(&united->index, hash(element), element, element_bytes,
                                        &united->elements, &united->count, &united->capacity,
                                        &order->new_number[order->used[i]], status));
    }
    return STATUS_OK;
}

status_code builder_unite_row(struct builder_places *places, const uint64_t *vector, size_t length,
                              uint32_t *first, struct status *status) {
    const size_t before = places->rows.count;
    FORWARD_IF_ERROR(memory_grow((void **)&places->row_lengths, &places->row_capacity,
                                 places->row_count + 1, sizeof *places->row_lengths, status));
    FORWARD_IF_ERROR(vector_table_find(&places->rows, vector, length, first, status));
    if (places->rows.count > before) places->row_lengths[places->row_count++] = (uint32_t)length;
    return STATUS_OK;
}

/* Adds a rank's rows to the program's, and notes each row's place there in front of it. */
static status_code unite_rows(struct builder_places *places, struct vector_table *own,
                              struct status *status) {
    for (size_t i = 0; i < own->count;) {
        size_t length = (size_t)own->values[i];
        uint32_t first = 0;
        FORWARD_IF_ERROR(builder_unite_row(places, own->values + i + 1, length, &first, status));
        own->values[i] = first;
        i += length + 1;
    }
    return STATUS_OK;
}

static uint64_t hash_envelope(const void *envelope) {
    return builder_hash_envelope(envelope);
}

static uint64_t hash_arguments(const void *arguments) {
    return builder_hash_arguments(arguments);
}

status_code builder_unite_envelopes(struct builder_places *places,
                                    const struct program_envelope *envelopes, uint32_t count,
                                    uint32_t *numbers, struct status *status) {
    struct builder_united *united = &places->envelopes;
    for (uint32_t i = 0; i < count; i++)
        FORWARD_IF_ERROR(builder_intern(&united->index, hash_envelope(&envelopes[i]), &envelopes[i],
                                        sizeof *envelopes, &united->elements, &united->count,
                                        &united->capacity, &numbers[i], status));
    return STATUS_OK;
}

status_code builder_unite_arguments(struct builder_places *places,
                                    const struct program_collective_arguments *arguments,
                                    uint32_t count, uint32_t *numbers, struct status *status) {
    struct builder_united *united = &places->arguments;
    for (uint32_t i = 0; i < count; i++)
        FORWARD_IF_ERROR(builder_intern(&united->index, hash_arguments(&arguments[i]),
                                        &arguments[i], sizeof *arguments, &united->elements,
                                        &united->count, &united->capacity, &numbers[i], status));
    return STATUS_OK;
}

static status_code place_operations(struct builder_places *places, struct program *program,
                                    uint64_t count, struct status *status) {
    return make_room(places, program->paging, (void **)&program->operations,
                     &places->operation_capacity, program->operation_count,
                     program->operation_count + count, sizeof *program->operations, status);
}

/* Makes room for the words of the next rank, which begin with a block. */
static status_code place_words(struct program_builder *builder, uint64_t count,
                               struct status *status) {
    struct builder_places *places = &builder->places;
    struct program *program = builder->program;
    struct program_packed *packed = program->packed;
    const uint32_t rank = places->next_rank;
    const uint32_t ranks = rank - builder->first_rank; /* each has a block that it may not need */
    const uint64_t first = places->word_count;
    places->word_count += builder_word_count(count);
    packed->ranks[rank].shift = first - program->operation_count;
    packed->ranks[rank].block_shift = ranks;
    FORWARD_IF_ERROR(make_room(places, program->paging, (void **)&packed->upper,
                               &places->operation_capacity, first, places->word_count,
                               sizeof *packed->upper, status));
    return make_room(places, program->paging, (void **)&packed->blocks, &places->block_capacity,
                     first / PROGRAM_BLOCK_OPERATIONS + ranks,
                     places->word_count / PROGRAM_BLOCK_OPERATIONS + ranks + 1,
                     sizeof *packed->blocks, status);
}

/* Gives the next rank its place. The caller holds the lock. */
static status_code place_rank(struct program_builder *builder, struct builder_rank *part,
                              struct status *status) {
    struct builder_places *places = &builder->places;
    struct program *program = builder->program;
    places->expected_so_far += part->expected;
    uint64_t count = part->finished_count + 1; /* plus 1 for END */
    FORWARD_IF_ERROR(program->packed != NULL ? place_words(builder, count, status)
                                             : place_operations(places, program, count, status));
    FORWARD_IF_ERROR(make_room(places, program->paging, (void **)&program->wait_slots,
                               &places->wait_slot_capacity, program->wait_slot_count,
                               program->wait_slot_count + part->wait_count,
                               sizeof *program->wait_slots, status));
    FORWARD_IF_ERROR(unite(&places->envelopes, &part->envelope_order, part->envelopes,
                           sizeof *part->envelopes, hash_envelope, status));
    FORWARD_IF_ERROR(unite(&places->arguments, &part->argument_order, part->arguments,
                           sizeof *part->arguments, hash_arguments, status));
    FORWARD_IF_ERROR(unite_rows(places, &part->rows, status));
    program->ranks[places->next_rank++] =
        (struct program_rank){.first = program->operation_count,
                              .count = count,
                              .first_wait_slot = program->wait_slot_count,
                              .wait_slot_count = part->wait_count,
                              .slot_count = part->slot_count,
                              .send_count = part->send_count,
                              .receive_count = part->receive_count,
                              .mark_count = part->mark_count};
    program->operation_count += count;
    program->wait_slot_count += part->wait_count;
    places->unrecorded_count += part->unrecorded_count;
    return STATUS_OK;
}

/* Copies a rank's operations to their place, without dropped operations, and renumbers envelopes
 * and arguments. */
static void move_operations(const struct builder_rank *part, struct program_operation *to) {
    struct program_operation *end = to;
    if (part->dropped_count > 0) {
        for (size_t i = 0; i < part->operation_count; i++)
            if (part->operations[i].kind != BUILDER_DROPPED) *end++ = part->operations[i];
    } else if (part->operation_count > 0) {
        memcpy(to, part->operations, part->operation_count * sizeof *to);
        end += part->operation_count;
    }
    *end = (struct program_operation){.kind = OPERATION_END};
    builder_renumber_messages(to, &part->posted.sends, part->envelope_order.new_number);
    builder_renumber_messages(to, &part->posted.receives, part->envelope_order.new_number);
    for (size_t i = 0; i < part->posted.collectives.count; i++)
        builder_renumber_collective(part, &to[part->posted.collectives.at[i]]);
}

static status_code move_rank(struct program_builder *builder, uint32_t rank,
                             struct status *status) {
    struct builder_places *places = &builder->places;
    struct program *program = builder->program;
    struct builder_rank *part = &builder->ranks[rank];
    FORWARD_IF_ERROR(program_posted_keep(&places->posted, rank, &part->posted, status));
    if (program->packed != NULL) FORWARD_IF_ERROR(builder_pack_move(builder, rank, status));
    pthread_rwlock_rdlock(&places->moving);
    if (program->packed == NULL)
        move_operations(part, program->operations + program->ranks[rank].first);
    if (part->wait_count > 0)
        memcpy(program->wait_slots + program->ranks[rank].first_wait_slot, part->waits,
               part->wait_count * sizeof *part->waits);
    pthread_rwlock_unlock(&places->moving);
    paging_evict(program->paging);
    pthread_mutex_lock(&places->lock);
    leave_spare(places, part);
    pthread_mutex_unlock(&places->lock);
    return STATUS_OK;
}

status_code builder_end_rank(struct program_builder *builder, uint32_t rank,
                             struct status *status) {
    RETURN_ERROR_IF(rank >= builder->program->rank_count, status, STATUS_USAGE,
                    "rank %u: the last one is rank %u", rank, builder->program->rank_count - 1);
    struct builder_places *places = &builder->places;
    struct builder_rank *part = &builder->ranks[rank];
    pthread_mutex_lock(&places->lock); /* another thread may move this rank and write to it */
    bool is_done = part->is_done;
    pthread_mutex_unlock(&places->lock);
    if (is_done) return STATUS_OK;
    FORWARD_IF_ERROR(builder_finish_rank(builder, part, rank, status));
    pthread_mutex_lock(&places->lock);
    part->is_done = true;
    uint32_t first = places->next_rank;
    status_code code = STATUS_OK;
    while (code == STATUS_OK && places->next_rank < places->end_rank &&
           builder->ranks[places->next_rank].is_done)
        code = place_rank(builder, &builder->ranks[places->next_rank], status);
    uint32_t end = places->next_rank;
    pthread_mutex_unlock(&places->lock);
    for (; code == STATUS_OK && first < end; first++)
        code = move_rank(builder, first, status);
    return code;
}

static status_code shrink(struct paging *paging, void **array, size_t count, size_t element_bytes,
                          struct status *status) {
    const size_t bytes = count * element_bytes;
    return paging_resize(paging, array, bytes, bytes, status);
}

static status_code shrink_operations(struct program *program, struct status *status) {
    return shrink(program->paging, (void **)&program->operations, program->operation_count,
                  sizeof *program->operations, status);
}

static status_code shrink_words(const struct builder_places *places, struct program *program,
                                struct status *status) {
    struct program_packed *packed = program->packed;
    FORWARD_IF_ERROR(shrink(program->paging, (void **)&packed->upper, places->word_count,
                            sizeof *packed->upper, status));
    return shrink(program->paging, (void **)&packed->blocks,
                  places->word_count / PROGRAM_BLOCK_OPERATIONS + program->rank_count,
                  sizeof *packed->blocks, status);
}

status_code builder_places_close(struct program_builder *builder, struct status *status) {
    struct builder_places *places = &builder->places;
    struct program *program = builder->program;
    free_spares(places);
    FORWARD_IF_ERROR(program->packed != NULL ? shrink_words(places, program, status)
                                             : shrink_operations(program, status));
    FORWARD_IF_ERROR(shrink(program->paging, (void **)&program->wait_slots,
                            program->wait_slot_count, sizeof *program->wait_slots, status));
    program->envelopes = places->envelopes.elements;
    program->envelope_count = (uint32_t)places->envelopes.count;
    program->collective_arguments = places->arguments.elements;
    program->collective_argument_count = (uint32_t)places->arguments.count;
    key_table_free(&places->envelopes.index);
    key_table_free(&places->arguments.index);
    places->envelopes.elements = places->arguments.elements = NULL;
    program->pair_bytes = places->rows.values;
    program->pair_byte_count = places->rows.count;
    key_table_free(&places->rows.index);
    places->rows = (struct vector_table){0};
    free(places->row_lengths);
    places->row_lengths = NULL;
    return STATUS_OK;
}
