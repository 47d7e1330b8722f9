/*
 * Packs the operations of ranks while other ranks, or later operations of the same rank, are still
 * appended: a large program then takes a third of the memory. Must not know other ranks'
 * operations, OTF2 or files.
 *
 * Invariant: the words of a rank begin with a block, so that they do not depend on the rank's place
 * in the program.
 */
#include "core/memory/memory.h"
#include "core/processes/processes.h"
#include "traces/program/builder/builder_parts.h"

#include <stdlib.h>
#include <string.h>

/* A record gives at most two operations, on average. */
enum { OPERATIONS_OF_RECORD = 2 };

static void add_number(void *sum, const void *part) {
    *(uint64_t *)sum += *(const uint64_t *)part;
}

/* Sets *records to the expected records of the own ranks, and *all to those of all processes. */
static status_code expected_records(const struct program_builder *builder, uint64_t *records,
                                    uint64_t *all, struct status *status) {
    *records = 0;
    for (uint32_t rank = builder->first_rank; rank < builder->places.end_rank; rank++)
        *records += builder->ranks[rank].expected;
    *all = *records;
    return processes_combine(builder->processes, all, sizeof *all, add_number, status);
}

status_code builder_may_pack(struct program_builder *builder, struct status *status) {
    struct program *program = builder->program;
    struct builder_places *places = &builder->places;
    const uint64_t room = paging_room_bytes(program->paging) / sizeof(struct program_operation);
    uint64_t records, all;
    FORWARD_IF_ERROR(expected_records(builder, &records, &all, status));
    if (processes_number(builder->processes) == 0) records = all; /* it gets those of all */
    bool is_plain = all <= program_plain_max(program) || records > room / OPERATIONS_OF_RECORD;
    FORWARD_IF_ERROR(processes_any(builder->processes, &is_plain, status));
    if (is_plain) return STATUS_OK;
    places->pairings = memory_new(program->rank_count, sizeof *places->pairings);
    RETURN_ERROR_IF(places->pairings == NULL, status, STATUS_MEMORY, "out of memory for ranks");
    return program_packed_empty(program, status);
}

void builder_packing_free(struct paging *paging, struct builder_packing *packing) {
    if (packing == NULL) return;
    program_packer_free(&packing->packer);
    program_pairing_finder_free(&packing->finder);
    paging_free_array(paging, packing->upper);
    paging_free_array(paging, packing->blocks);
    free(packing);
}

/* ---- one rank by itself ---- */

/* Makes room for so many more operations. */
static status_code make_room(struct builder_rank *part, size_t count, struct status *status) {
    struct builder_packing *packing = part->packing;
    const size_t words = (size_t)packing->packer.place + count;
    FORWARD_IF_ERROR(paging_grow(part->paging, (void **)&packing->upper, &packing->word_capacity,
                                 words, sizeof *packing->upper, status));
    FORWARD_IF_ERROR(paging_grow(part->paging, (void **)&packing->blocks, &packing->block_capacity,
                                 words / PROGRAM_BLOCK_OPERATIONS + 1, sizeof *packing->blocks,
                                 status));
    program_packer_into(&packing->packer, packing->upper, packing->blocks);
    return STATUS_OK;
}

/* Packs an operation; there is room. Notes the whole operation of a message in its list. */
static inline status_code pack(struct builder_rank *part, const struct program_operation *operation,
                               struct status *status) {
    uint64_t word = 0;
    FORWARD_IF_ERROR(program_packer_put(&part->packing->packer, operation, &word, status));
    if (operation->kind == OPERATION_SEND)
        return program_places_add(part->paging, &part->posted.sends, program_word_whole(word),
                                  status);
    if (operation->kind == OPERATION_RECEIVE)
        return program_places_add(part->paging, &part->posted.receives, program_word_whole(word),
                                  status);
    return STATUS_OK;
}

/* Begins to pack a rank, in memory that another rank may have left. */
static status_code begin(struct builder_rank *part, uint32_t rank, struct status *status) {
    if (part->packing == NULL) part->packing = memory_new(1, sizeof *part->packing);
    RETURN_ERROR_IF(part->packing == NULL, status, STATUS_MEMORY, "out of memory for rank %u",
                    rank);
    part->is_packing = true;
    program_packer_alone(&part->packing->packer);
    return STATUS_OK;
}

status_code builder_pack(struct builder_rank *part, uint32_t rank, struct status *status) {
    if (!part->is_packing) FORWARD_IF_ERROR(begin(part, rank, status));
    FORWARD_IF_ERROR(make_room(part, part->operation_count, status));
    for (size_t i = 0; i < part->operation_count; i++)
        if (part->operations[i].kind != BUILDER_DROPPED)
            FORWARD_IF_ERROR(pack(part, &part->operations[i], status));
    part->operation_count = part->dropped_count = 0;
    return STATUS_OK;
}

status_code builder_pack_done(struct program_builder *builder, struct builder_rank *part,
                              uint32_t rank, struct status *status) {
    struct builder_packing *packing = part->packing;
    const struct program_operation end = {.kind = OPERATION_END};
    FORWARD_IF_ERROR(make_room(part, 1, status));
    FORWARD_IF_ERROR(pack(part, &end, status));
    part->send_count = (uint32_t)part->posted.sends.count;
    part->receive_count = (uint32_t)part->posted.receives.count;
    FORWARD_IF_ERROR(program_pairings_find(&builder->places.pairings[rank], &packing->finder,
                                           packing->packer.whole, packing->packer.count,
                                           &part->posted.sends, &part->posted.receives, status));
    part->posted.sends.count = part->posted.receives.count = 0; /* nobody needs them any more */
    return STATUS_OK;
}

/* ---- the place in the program ---- */

/* Gives the whole operations of a rank the program's numbers of envelopes, arguments and rows. */
static void renumber(const struct builder_rank *part, struct program_operation *operations,
                     uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        struct program_operation *operation = &operations[i];
        builder_renumber_envelope(operation, part->envelope_order.new_number);
        if (operation->kind == OPERATION_COLLECTIVE) builder_renumber_collective(part, operation);
    }
}

status_code builder_pack_move(struct program_builder *builder, uint32_t rank,
                              struct status *status) {
    struct builder_rank *part = &builder->ranks[rank];
    struct program_packed *packed = builder->program->packed;
    struct builder_packing *packing = part->packing;
    const size_t count = (size_t)packing->packer.place;
    FORWARD_IF_ERROR(program_packer_keep(&packing->packer, builder->program, rank, status));
    renumber(part, packed->ranks[rank].whole_operations, packed->ranks[rank].count);
    FORWARD_IF_ERROR(program_pairings_place(&builder->places.pairings[rank],
                                            part->envelope_order.new_number, packing->packer.count,
                                            status));
    const uint64_t place = program_word_place(packed, rank, builder->program->ranks[rank].first);
    pthread_rwlock_rdlock(&builder->places.moving);
    memcpy(packed->upper + place, packing->upper, count * sizeof *packed->upper);
    memcpy(packed->blocks + program_block_of(packed, rank, place), packing->blocks,
           builder_word_count(count) / PROGRAM_BLOCK_OPERATIONS * sizeof *packed->blocks);
    pthread_rwlock_unlock(&builder->places.moving);
    return STATUS_OK;
}

void builder_pairings_free(struct program_builder *builder) {
    struct builder_places *places = &builder->places;
    for (uint32_t rank = 0; places->pairings != NULL && rank < builder->program->rank_count; rank++)
        program_pairings_clear(&places->pairings[rank]);
    free(places->pairings);
    places->pairings = NULL;
}

status_code builder_pack_close(struct program_builder *builder, unsigned threads,
                               struct status *status) {
    struct program *program = builder->program;
    if (program->packed == NULL) return STATUS_OK;
    if (builder->places.unrecorded_count == 0 && program_packing_pays(program)) return STATUS_OK;
    builder_pairings_free(builder);
    FORWARD_IF_ERROR(program_unpack(program, status));
    program_posted_free(&builder->places.posted);
    return program_posted_find(&builder->places.posted, program, threads, status);
}
