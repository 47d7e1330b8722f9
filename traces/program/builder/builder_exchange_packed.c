/*
 * Brings the packed operations of all processes to process 0: words and blocks as arrays; and for
 * each rank its whole operations, its shapes, its pairings and the places of its collectives. Must
 * not know OTF2 or files.
 *
 * Invariant: the numbers in words and blocks are those of their rank, and a rank's words begin with
 * a block. So words and blocks are copied as they are.
 */
#include "core/memory/memory.h"
#include "traces/program/builder/builder_exchange.h"

#include <stdlib.h>
#include <string.h>

/* Lengths of the arrays that a process sends of a rank. The arrays follow. */
struct rank_lengths {
    uint64_t whole_operations;
    uint64_t shapes;
    uint64_t pairings;
    uint64_t runs;
    uint64_t send_lengths;
    uint64_t collectives;
};

static struct rank_lengths lengths_of(const struct program_builder *builder, uint32_t rank) {
    const struct program_packed_rank *packed = &builder->program->packed->ranks[rank];
    const struct program_pairings *pairings = &builder->places.pairings[rank];
    return (struct rank_lengths){
        .whole_operations = packed->count,
        .shapes = packed->shape_count,
        .pairings = pairings->count,
        .runs = pairings->run_count,
        .send_lengths = pairings->lengths != NULL ? builder->program->ranks[rank].send_count : 0,
        .collectives = builder->places.posted.ranks[rank].collectives.count};
}

static uint64_t bytes_of(const struct rank_lengths *lengths) {
    return sizeof *lengths +
           lengths->whole_operations * (sizeof(struct program_operation) + sizeof(uint32_t)) +
           lengths->shapes * PROGRAM_BLOCK_OPERATIONS * sizeof(uint32_t) +
           lengths->pairings * sizeof(struct program_pairing) +
           lengths->runs * sizeof(struct program_run) + lengths->send_lengths * sizeof(uint64_t) +
           lengths->collectives * sizeof(uint32_t);
}

/* Returns the rank after the last one of the piece that begins with `rank`. */
static uint32_t end_of_piece(const struct builder_exchange *exchange, uint32_t rank) {
    const struct program_builder *builder = exchange->builder;
    const size_t max = builder_exchange_piece_bytes(exchange);
    for (uint64_t bytes = 0; bytes < max && rank < builder->places.end_rank; rank++) {
        const struct rank_lengths lengths = lengths_of(builder, rank);
        bytes += bytes_of(&lengths);
    }
    return rank;
}

void builder_exchange_describe_packed(const struct builder_exchange *exchange,
                                      struct builder_share *share) {
    const struct program_builder *builder = exchange->builder;
    if (builder->program->packed == NULL) return;
    share->word_count = builder->places.word_count;
    for (uint32_t rank = builder->first_rank; rank < builder->places.end_rank;
         rank = end_of_piece(exchange, rank))
        share->packed_count++;
}

status_code builder_exchange_renumber_packed(const struct builder_exchange *exchange,
                                             struct status *status) {
    const struct program_builder *builder = exchange->builder;
    for (uint32_t rank = builder->first_rank; rank < builder->places.end_rank; rank++) {
        const struct program_packed_rank *packed = &builder->program->packed->ranks[rank];
        for (uint64_t i = 0; i < packed->count; i++) {
            struct program_operation *operation = &packed->whole_operations[i];
            if (operation->kind == OPERATION_COLLECTIVE)
                builder_exchange_renumber_collective(exchange, operation);
            else
                builder_renumber_envelope(operation, exchange->envelopes);
        }
        FORWARD_IF_ERROR(program_pairings_place(&builder->places.pairings[rank],
                                                exchange->envelopes, packed->count, status));
    }
    return STATUS_OK;
}

/* ---- words and blocks ---- */

/* Gives the words and blocks of all ranks their places. */
static void place_words(struct program *program) {
    uint64_t place = 0;
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        program->packed->ranks[rank].shift = place - program->ranks[rank].first;
        program->packed->ranks[rank].block_shift = rank;
        place += builder_word_count(program->ranks[rank].count);
    }
}

static status_code exchange_words(struct builder_exchange *exchange, uint64_t *first_word,
                                  uint64_t *first_block, struct status *status) {
    struct builder_places *places = &exchange->builder->places;
    struct program *program = exchange->builder->program;
    struct program_packed *packed = program->packed;
    for (unsigned p = 0; p < exchange->count; p++) {
        const struct builder_share *share = &exchange->shares[p];
        first_word[p + 1] = first_word[p] + share->word_count;
        first_block[p + 1] =
            first_block[p] + share->rank_count + share->word_count / PROGRAM_BLOCK_OPERATIONS;
    }
    FORWARD_IF_ERROR(builder_exchange_move(exchange, (void **)&packed->upper,
                                           &places->operation_capacity, first_word,
                                           sizeof *packed->upper, status));
    FORWARD_IF_ERROR(builder_exchange_move(exchange, (void **)&packed->blocks,
                                           &places->block_capacity, first_block,
                                           sizeof *packed->blocks, status));
    FORWARD_IF_ERROR(
        builder_exchange_array(exchange, packed->upper, first_word, sizeof *packed->upper, status));
    FORWARD_IF_ERROR(builder_exchange_array(exchange, packed->blocks, first_block,
                                            sizeof *packed->blocks, status));
    if (exchange->me > 0) return STATUS_OK;
    places->word_count = first_word[exchange->count];
    place_words(program);
    return STATUS_OK;
}

/* ---- what each rank has ---- */

static void pack_rank(const struct program_builder *builder, struct processes_packing *packing,
                      uint32_t rank) {
    const struct program_packed_rank *packed = &builder->program->packed->ranks[rank];
    const struct program_pairings *pairings = &builder->places.pairings[rank];
    const struct program_places *collectives = &builder->places.posted.ranks[rank].collectives;
    const struct rank_lengths lengths = lengths_of(builder, rank);
    processes_pack(packing, &lengths, sizeof lengths);
    processes_pack(packing, packed->whole_operations,
                   lengths.whole_operations * sizeof *packed->whole_operations);
    processes_pack(packing, packed->lower,
                   lengths.shapes * PROGRAM_BLOCK_OPERATIONS * sizeof *packed->lower);
    processes_pack(packing, pairings->pairings, lengths.pairings * sizeof *pairings->pairings);
    processes_pack(packing, pairings->of_whole,
                   lengths.whole_operations * sizeof *pairings->of_whole);
    processes_pack(packing, pairings->runs, lengths.runs * sizeof *pairings->runs);
    processes_pack(packing, pairings->lengths, lengths.send_lengths * sizeof *pairings->lengths);
    processes_pack(packing, collectives->at, lengths.collectives * sizeof *collectives->at);
}

/* Sets *copy to a copy of the next elements of a block. */
static status_code take_copy(struct processes_unpacking *block, void **copy, uint64_t count,
                             size_t element_bytes, struct status *status) {
    const void *data = count <= block->bytes / element_bytes
                           ? processes_unpack(block, (size_t)count * element_bytes)
                           : NULL;
    if (data == NULL) return builder_exchange_differs(status);
    *copy = memory_new((size_t)count, element_bytes);
    RETURN_ERROR_IF(*copy == NULL, status, STATUS_MEMORY, "out of memory for operations");
    if (count > 0) memcpy(*copy, data, (size_t)count * element_bytes);
    return STATUS_OK;
}

static status_code take_pairings(struct processes_unpacking *block,
                                 const struct rank_lengths *lengths,
                                 struct program_pairings *pairings, struct status *status) {
    pairings->count = (uint32_t)lengths->pairings;
    pairings->run_count = lengths->runs;
    FORWARD_IF_ERROR(take_copy(block, (void **)&pairings->pairings, lengths->pairings,
                               sizeof *pairings->pairings, status));
    FORWARD_IF_ERROR(take_copy(block, (void **)&pairings->of_whole, lengths->whole_operations,
                               sizeof *pairings->of_whole, status));
    FORWARD_IF_ERROR(
        take_copy(block, (void **)&pairings->runs, lengths->runs, sizeof *pairings->runs, status));
    if (lengths->send_lengths == 0) return STATUS_OK;
    return take_copy(block, (void **)&pairings->lengths, lengths->send_lengths,
                     sizeof *pairings->lengths, status);
}

static status_code take_rank(struct program_builder *builder, struct processes_unpacking *block,
                             uint32_t rank, struct status *status) {
    const struct rank_lengths *lengths = processes_unpack(block, sizeof *lengths);
    if (lengths == NULL || lengths->shapes > block->bytes) return builder_exchange_differs(status);
    struct program_operation *whole = NULL;
    uint32_t *shapes = NULL;
    status_code code =
        take_copy(block, (void **)&whole, lengths->whole_operations, sizeof *whole, status);
    if (code == STATUS_OK)
        code = take_copy(block, (void **)&shapes, lengths->shapes * PROGRAM_BLOCK_OPERATIONS,
                         sizeof *shapes, status);
    if (code != STATUS_OK) {
        free(whole);
        free(shapes);
        return code;
    }
    program_packed_set_rank(builder->program, rank, whole, lengths->whole_operations, shapes,
                            lengths->shapes);
    FORWARD_IF_ERROR(take_pairings(block, lengths, &builder->places.pairings[rank], status));
    struct program_posted_rank posted = {0};
    FORWARD_IF_ERROR(take_copy(block, (void **)&posted.collectives.at, lengths->collectives,
                               sizeof *posted.collectives.at, status));
    posted.collectives.count = lengths->collectives;
    code = program_posted_keep(&builder->places.posted, rank, &posted, status);
    free(posted.collectives.at);
    return code;
}

/* Takes the ranks of a piece of another process, from *rank on, which becomes the next one. */
static status_code take_piece(struct builder_exchange *exchange, unsigned process, uint64_t *rank,
                              struct status *status) {
    const struct builder_share *share = &exchange->shares[process];
    struct processes_unpacking *block = &exchange->received[process];
    for (; block->bytes > 0; ++*rank) {
        if (*rank == share->first_rank + share->rank_count) return builder_exchange_differs(status);
        FORWARD_IF_ERROR(take_rank(exchange->builder, block, (uint32_t)*rank, status));
    }
    return STATUS_OK;
}

static status_code exchange_ranks(struct builder_exchange *exchange, uint64_t *next_ranks,
                                  struct status *status) {
    const struct program_builder *builder = exchange->builder;
    uint64_t pieces = 0;
    uint32_t next_own = builder->first_rank;
    for (unsigned p = 1; p < exchange->count; p++) {
        next_ranks[p] = exchange->shares[p].first_rank;
        if (exchange->shares[p].packed_count > pieces) pieces = exchange->shares[p].packed_count;
    }
    for (uint64_t i = 0; i < pieces; i++) {
        struct processes_packing *packing = &exchange->sent[0];
        processes_pack_reset(packing);
        if (exchange->me > 0)
            for (const uint32_t end = end_of_piece(exchange, next_own); next_own < end; next_own++)
                pack_rank(builder, packing, next_own);
        FORWARD_IF_ERROR(processes_exchange(exchange->processes, PROCESSES_TRACE, exchange->sent,
                                            exchange->received, status));
        for (unsigned p = 1; exchange->me == 0 && p < exchange->count; p++)
            FORWARD_IF_ERROR(take_piece(exchange, p, &next_ranks[p], status));
    }
    for (unsigned p = 1; exchange->me == 0 && p < exchange->count; p++)
        if (next_ranks[p] != exchange->shares[p].first_rank + exchange->shares[p].rank_count)
            return builder_exchange_differs(status);
    return STATUS_OK;
}

status_code builder_exchange_packed(struct builder_exchange *exchange, struct status *status) {
    const size_t count = (size_t)exchange->count + 1;
    uint64_t *first_word = memory_new(count, sizeof *first_word);
    uint64_t *first_block = memory_new(count, sizeof *first_block);
    uint64_t *next_ranks = memory_new(count, sizeof *next_ranks);
    status_code code = STATUS_OK;
    if (first_word == NULL || first_block == NULL || next_ranks == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for %u processes", exchange->count);
    if (code == STATUS_OK) code = exchange_words(exchange, first_word, first_block, status);
    if (code == STATUS_OK) code = exchange_ranks(exchange, next_ranks, status);
    free(first_word);
    free(first_block);
    free(next_ranks);
    return code;
}
