/*
 * Brings together ranks to which several processes appended: each process has some ranks, one after
 * another, in the form in which they wait for sealing. All processes get all ranks of a small
 * program, and process 0 alone those of a large one. Must not know OTF2 or files.
 *
 * Invariants: the ranks of a process precede those of the next one, and so do the elements of its
 * tables. So places and numbers are those of one process. Operations travel in pieces, so that a
 * process needs memory for the program and some pieces.
 */
#include "traces/program/builder/builder_exchange.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* The pieces that arrive at once have together at most this size, unless they are the smallest. */
#define ARRIVING_BYTES ((size_t)64 << 20)
enum { PIECE_BYTES_MIN = 1 << 20, PIECE_BYTES_MAX = 16 << 20 };

void builder_divide(struct program_builder *builder, struct processes *processes, uint32_t first,
                    uint32_t end) {
    if (processes == NULL) return;
    builder->processes = processes;
    builder->first_rank = builder->places.next_rank = first;
    builder->places.end_rank = end;
}

/* ---- tables ---- */

static status_code send_share(struct builder_exchange *exchange, struct status *status) {
    const struct program_builder *builder = exchange->builder;
    const struct builder_places *places = &builder->places;
    const struct program *program = builder->program;
    struct builder_share own = {.first_rank = builder->first_rank,
                                .rank_count = places->end_rank - builder->first_rank,
                                .operation_count = program->operation_count,
                                .wait_slot_count = program->wait_slot_count,
                                .unrecorded_count = places->unrecorded_count,
                                .has_known = builder->has_known,
                                .envelope_count = places->envelopes.count,
                                .argument_count = places->arguments.count,
                                .row_count = places->row_count,
                                .row_values = places->rows.count,
                                .plain_max = program_plain_max(program)};
    struct processes_packing *to = &exchange->packing;
    builder_exchange_describe_packed(exchange, &own);
    exchange->shares[exchange->me] = own;
    processes_pack(to, &own, sizeof own);
    processes_pack(to, places->envelopes.elements,
                   own.envelope_count * sizeof(struct program_envelope));
    processes_pack(to, places->arguments.elements,
                   own.argument_count * sizeof(struct program_collective_arguments));
    processes_pack(to, places->row_lengths, own.row_count * sizeof *places->row_lengths);
    processes_pack(to, places->rows.values, own.row_values * sizeof *places->rows.values);
    processes_pack(to, program->ranks + own.first_rank, own.rank_count * sizeof *program->ranks);
    return processes_exchange_same(exchange->processes, PROCESSES_TRACE, to, exchange->received,
                                   status);
}

status_code builder_exchange_differs(struct status *status) {
    return status_set(status, STATUS_SYSTEM,
                      "the processes have read different parts of the trace: do all read the same "
                      "files, and is it the same anax everywhere?");
}

/* Adds rows to those of all processes. numbers, which may be NULL, has an entry for each value: the
 * entry of a row's first value becomes the row's new place. */
static status_code unite_rows(struct builder_exchange *exchange, const uint32_t *lengths,
                              const uint64_t *values, const struct builder_share *share,
                              uint32_t *numbers, struct status *status) {
    uint64_t at = 0;
    for (uint64_t i = 0; i < share->row_count; i++) {
        uint32_t first;
        if (lengths[i] > share->row_values - at) return builder_exchange_differs(status);
        FORWARD_IF_ERROR(
            builder_unite_row(&exchange->united, values + at, lengths[i], &first, status));
        if (numbers != NULL) numbers[at] = first;
        at += lengths[i];
    }
    return at == share->row_values ? STATUS_OK : builder_exchange_differs(status);
}

static status_code unite_own(struct builder_exchange *exchange, struct status *status) {
    struct builder_places *places = &exchange->builder->places;
    const struct builder_share *own = &exchange->shares[exchange->me];
    exchange->envelopes = memory_new(own->envelope_count, sizeof *exchange->envelopes);
    exchange->arguments = memory_new(own->argument_count, sizeof *exchange->arguments);
    exchange->rows = memory_new(own->row_values, sizeof *exchange->rows);
    RETURN_ERROR_IF(exchange->envelopes == NULL || exchange->arguments == NULL ||
                        exchange->rows == NULL,
                    status, STATUS_MEMORY, "out of memory for tables of a trace");
    FORWARD_IF_ERROR(builder_unite_envelopes(&exchange->united, places->envelopes.elements,
                                             (uint32_t)own->envelope_count, exchange->envelopes,
                                             status));
    FORWARD_IF_ERROR(builder_unite_arguments(&exchange->united, places->arguments.elements,
                                             (uint32_t)own->argument_count, exchange->arguments,
                                             status));
    return unite_rows(exchange, places->row_lengths, places->rows.values, own, exchange->rows,
                      status);
}

/* Takes the tables of another process, and its ranks. */
static status_code take_share(struct builder_exchange *exchange, unsigned process,
                              struct status *status) {
    struct processes_unpacking *block = &exchange->received[process];
    struct builder_share *share = &exchange->shares[process];
    const struct builder_share *head = processes_unpack(block, sizeof *head);
    if (head == NULL) return builder_exchange_differs(status);
    *share = *head;
    const void *envelopes =
        processes_unpack(block, share->envelope_count * sizeof(struct program_envelope));
    const void *arguments = processes_unpack(
        block, share->argument_count * sizeof(struct program_collective_arguments));
    const uint32_t *lengths = processes_unpack(block, share->row_count * sizeof *lengths);
    const uint64_t *values = processes_unpack(block, share->row_values * sizeof *values);
    const struct program_rank *ranks = processes_unpack(block, share->rank_count * sizeof *ranks);
    const uint32_t rank_count = exchange->builder->program->rank_count;
    if (envelopes == NULL || arguments == NULL || lengths == NULL || values == NULL ||
        ranks == NULL || share->first_rank > rank_count ||
        share->rank_count > rank_count - share->first_rank)
        return builder_exchange_differs(status);
    const uint64_t max = share->envelope_count > share->argument_count ? share->envelope_count
                                                                       : share->argument_count;
    FORWARD_IF_ERROR(memory_grow((void **)&exchange->other_numbers, &exchange->other_capacity,
                                 (size_t)max, sizeof *exchange->other_numbers, status));
    FORWARD_IF_ERROR(builder_unite_envelopes(&exchange->united, envelopes,
                                             (uint32_t)share->envelope_count,
                                             exchange->other_numbers, status));
    FORWARD_IF_ERROR(builder_unite_arguments(&exchange->united, arguments,
                                             (uint32_t)share->argument_count,
                                             exchange->other_numbers, status));
    FORWARD_IF_ERROR(unite_rows(exchange, lengths, values, share, NULL, status));
    if (share->rank_count > 0)
        memcpy(exchange->builder->program->ranks + share->first_rank, ranks,
               share->rank_count * sizeof *ranks);
    return STATUS_OK;
}

static status_code unite_tables(struct builder_exchange *exchange, struct status *status) {
    uint64_t next_rank = 0, plain_max = UINT64_MAX;
    FORWARD_IF_ERROR(send_share(exchange, status));
    for (unsigned p = 0; p < exchange->count; p++) {
        FORWARD_IF_ERROR(p == exchange->me ? unite_own(exchange, status)
                                           : take_share(exchange, p, status));
        const struct builder_share *share = &exchange->shares[p];
        if (share->first_rank != next_rank) return builder_exchange_differs(status);
        next_rank += share->rank_count;
        if (share->plain_max < plain_max) plain_max = share->plain_max;
        exchange->first_operation[p + 1] = exchange->first_operation[p] + share->operation_count;
        exchange->first_wait_slot[p + 1] = exchange->first_wait_slot[p] + share->wait_slot_count;
    }
    exchange->is_large = exchange->builder->program->packed != NULL ||
                         exchange->first_operation[exchange->count] > plain_max;
    return next_rank == exchange->builder->program->rank_count ? STATUS_OK
                                                               : builder_exchange_differs(status);
}

/* Returns whether a process gets the ranks of all others. */
static bool gets_all(const struct builder_exchange *exchange, unsigned process) {
    return !exchange->is_large || process == 0;
}

/* ---- the own ranks ---- */

void builder_exchange_renumber_collective(const struct builder_exchange *exchange,
                                          struct program_operation *operation) {
    const struct program_collective_arguments *arguments =
        exchange->builder->places.arguments.elements;
    const uint32_t own = operation->collective.arguments;
    if (program_is_paired(arguments[own].kind) && operation->pair_row_plus_1 > 0)
        operation->pair_row_plus_1 =
            ((uint64_t)exchange->rows[operation->pair_row_plus_1 - 1] + 1) &
            (PROGRAM_BYTES_LIMIT - 1);
    operation->collective.arguments = exchange->arguments[own];
}

/* Gives the operations of a rank, whose arguments are still those of this process, the numbers of
 * the tables of all. */
static void renumber_rank(const struct builder_exchange *exchange, uint32_t rank,
                          struct program_operation *operations) {
    const struct builder_places *places = &exchange->builder->places;
    const struct program_posted_rank *posted = &places->posted.ranks[rank];
    builder_renumber_messages(operations, &posted->sends, exchange->envelopes);
    builder_renumber_messages(operations, &posted->receives, exchange->envelopes);
    for (size_t i = 0; i < posted->collectives.count; i++)
        builder_exchange_renumber_collective(exchange, &operations[posted->collectives.at[i]]);
}

status_code builder_exchange_move(const struct builder_exchange *exchange, void **array,
                                  size_t *capacity, const uint64_t *first, size_t element_bytes,
                                  struct status *status) {
    if (!gets_all(exchange, exchange->me)) return STATUS_OK;
    const size_t own = (size_t)(first[exchange->me + 1] - first[exchange->me]);
    const size_t all = (size_t)first[exchange->count];
    FORWARD_IF_ERROR(paging_resize(exchange->builder->program->paging, array, own * element_bytes,
                                   all * element_bytes, status));
    *capacity = all;
    if (own > 0)
        memmove((char *)*array + first[exchange->me] * element_bytes, *array, own * element_bytes);
    return STATUS_OK;
}

/* Gives the own operations the numbers of the tables of all. */
static status_code renumber_own(const struct builder_exchange *exchange, struct status *status) {
    const struct program *program = exchange->builder->program;
    if (program->packed != NULL) return builder_exchange_renumber_packed(exchange, status);
    for (uint32_t rank = exchange->builder->first_rank; rank < exchange->builder->places.end_rank;
         rank++)
        renumber_rank(exchange, rank, program->operations + program->ranks[rank].first);
    return STATUS_OK;
}

/* Gives the ranks of all processes their places. */
static status_code place_ranks(const struct builder_exchange *exchange, struct status *status) {
    struct program *program = exchange->builder->program;
    uint64_t first = 0, first_wait_slot = 0;
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        program->ranks[rank].first = first;
        program->ranks[rank].first_wait_slot = first_wait_slot;
        first += program->ranks[rank].count;
        first_wait_slot += program->ranks[rank].wait_slot_count;
    }
    if (first != exchange->first_operation[exchange->count] ||
        first_wait_slot != exchange->first_wait_slot[exchange->count])
        return builder_exchange_differs(status);
    program->operation_count = first;
    program->wait_slot_count = first_wait_slot;
    return STATUS_OK;
}

/* ---- operations ---- */

struct range {
    uint64_t first;
    uint64_t count;
};

/* Returns the elements of a process from its element `done` on, at most `max`. */
static struct range piece_of(const uint64_t *first, unsigned process, uint64_t done, uint64_t max) {
    const uint64_t all = first[process + 1] - first[process];
    const uint64_t from = done < all ? done : all;
    return (struct range){first[process] + from, all - from < max ? all - from : max};
}

size_t builder_exchange_piece_bytes(const struct builder_exchange *exchange) {
    size_t bytes = ARRIVING_BYTES / (exchange->count - 1);
    if (bytes > PIECE_BYTES_MAX) bytes = PIECE_BYTES_MAX;
    if (bytes < PIECE_BYTES_MIN) bytes = PIECE_BYTES_MIN;
    return bytes;
}

/* Takes the pieces that have arrived: those of each process from its element `done` on. */
static status_code take_pieces(const struct builder_exchange *exchange, char *array,
                               const uint64_t *first, size_t element_bytes, uint64_t done,
                               struct status *status) {
    for (unsigned p = 0; p < exchange->count; p++) {
        const struct range piece =
            piece_of(first, p, done, builder_exchange_piece_bytes(exchange) / element_bytes);
        const size_t bytes = (size_t)piece.count * element_bytes;
        if (p == exchange->me || bytes == 0) continue;
        const void *arrived = processes_unpack(&exchange->received[p], bytes);
        if (arrived == NULL) return builder_exchange_differs(status);
        memcpy(array + piece.first * element_bytes, arrived, bytes);
    }
    return STATUS_OK;
}

/* Sends a piece of an array to those who get all ranks, and receives theirs. */
static status_code send_piece(struct builder_exchange *exchange, const char *piece, size_t bytes,
                              struct status *status) {
    struct processes_packing *packing =
        exchange->is_large ? &exchange->sent[0] : &exchange->packing;
    processes_pack_reset(packing);
    if (!exchange->is_large || exchange->me > 0) processes_pack(packing, piece, bytes);
    return exchange->is_large ? processes_exchange(exchange->processes, PROCESSES_TRACE,
                                                   exchange->sent, exchange->received, status)
                              : processes_exchange_same(exchange->processes, PROCESSES_TRACE,
                                                        packing, exchange->received, status);
}

status_code builder_exchange_array(struct builder_exchange *exchange, void *array,
                                   const uint64_t *first, size_t element_bytes,
                                   struct status *status) {
    char *bytes = array;
    const uint64_t max = builder_exchange_piece_bytes(exchange) / element_bytes;
    const bool takes = gets_all(exchange, exchange->me);
    /* Own elements that have not moved stand at the beginning of the array. */
    const uint64_t moved = takes ? 0 : first[exchange->me];
    uint64_t longest = 0;
    for (unsigned p = exchange->is_large ? 1 : 0; p < exchange->count; p++)
        if (first[p + 1] - first[p] > longest) longest = first[p + 1] - first[p];
    for (uint64_t done = 0; done < longest; done += max) {
        const struct range own = piece_of(first, exchange->me, done, max);
        FORWARD_IF_ERROR(send_piece(exchange, bytes + (own.first - moved) * element_bytes,
                                    (size_t)own.count * element_bytes, status));
        if (takes)
            FORWARD_IF_ERROR(take_pieces(exchange, bytes, first, element_bytes, done, status));
        paging_evict(exchange->builder->program->paging);
    }
    return STATUS_OK;
}

/* ---- the whole ---- */

/* Puts the tables of all processes in the place of the own ones. */
static void keep_tables(struct builder_exchange *exchange) {
    struct builder_places *places = &exchange->builder->places, *united = &exchange->united;
    const struct builder_places own = *places;
    places->envelopes = united->envelopes;
    places->arguments = united->arguments;
    places->rows = united->rows;
    places->row_lengths = united->row_lengths;
    places->row_count = united->row_count;
    places->row_capacity = united->row_capacity;
    united->envelopes = own.envelopes;
    united->arguments = own.arguments;
    united->rows = own.rows;
    united->row_lengths = own.row_lengths;
    places->unrecorded_count = 0;
    for (unsigned p = 0; p < exchange->count; p++) {
        places->unrecorded_count += exchange->shares[p].unrecorded_count;
        if (exchange->shares[p].has_known != 0) exchange->builder->has_known = true;
    }
}

static status_code find_others(struct builder_exchange *exchange, unsigned threads,
                               struct status *status) {
    struct program_builder *builder = exchange->builder;
    struct program *program = builder->program;
    const uint32_t first = builder->first_rank, end = builder->places.end_rank;
    struct program_posted *posted = &builder->places.posted;
    FORWARD_IF_ERROR(program_posted_fill(posted, program, 0, first, threads, status));
    return program_posted_fill(posted, program, end, program->rank_count, threads, status);
}

static status_code exchange_operations(struct builder_exchange *exchange, unsigned threads,
                                       struct status *status) {
    struct program *program = exchange->builder->program;
    if (program->packed != NULL) return builder_exchange_packed(exchange, status);
    FORWARD_IF_ERROR(builder_exchange_move(
        exchange, (void **)&program->operations, &exchange->builder->places.operation_capacity,
        exchange->first_operation, sizeof *program->operations, status));
    FORWARD_IF_ERROR(builder_exchange_array(exchange, program->operations,
                                            exchange->first_operation, sizeof *program->operations,
                                            status));
    return gets_all(exchange, exchange->me) ? find_others(exchange, threads, status) : STATUS_OK;
}

static status_code exchange_wait_slots(struct builder_exchange *exchange, struct status *status) {
    struct program *program = exchange->builder->program;
    FORWARD_IF_ERROR(builder_exchange_move(
        exchange, (void **)&program->wait_slots, &exchange->builder->places.wait_slot_capacity,
        exchange->first_wait_slot, sizeof *program->wait_slots, status));
    return builder_exchange_array(exchange, program->wait_slots, exchange->first_wait_slot,
                                  sizeof *program->wait_slots, status);
}

static status_code exchange_all(struct builder_exchange *exchange, unsigned threads,
                                struct status *status) {
    FORWARD_IF_ERROR(unite_tables(exchange, status));
    FORWARD_IF_ERROR(renumber_own(exchange, status));
    FORWARD_IF_ERROR(place_ranks(exchange, status));
    keep_tables(exchange);
    FORWARD_IF_ERROR(exchange_wait_slots(exchange, status));
    FORWARD_IF_ERROR(exchange_operations(exchange, threads, status));
    exchange->builder->is_elsewhere = !gets_all(exchange, exchange->me);
    return STATUS_OK;
}

static void clear_exchange(struct builder_exchange *exchange) {
    processes_pack_free(&exchange->packing);
    for (unsigned p = 0; exchange->sent != NULL && p < exchange->count; p++)
        processes_pack_free(&exchange->sent[p]);
    free(exchange->sent);
    free(exchange->received);
    free(exchange->shares);
    free(exchange->first_operation);
    free(exchange->first_wait_slot);
    key_table_free(&exchange->united.envelopes.index);
    key_table_free(&exchange->united.arguments.index);
    vector_table_free(&exchange->united.rows);
    free(exchange->united.envelopes.elements);
    free(exchange->united.arguments.elements);
    free(exchange->united.row_lengths);
    free(exchange->envelopes);
    free(exchange->arguments);
    free(exchange->rows);
    free(exchange->other_numbers);
}

status_code builder_exchange_ranks(struct program_builder *builder, unsigned threads,
                                   struct status *status) {
    if (builder->processes == NULL) return STATUS_OK;
    const unsigned count = processes_count(builder->processes);
    struct builder_exchange exchange = {
        .builder = builder,
        .processes = builder->processes,
        .count = count,
        .me = processes_number(builder->processes),
        .sent = memory_new(count, sizeof *exchange.sent),
        .received = memory_new(count, sizeof *exchange.received),
        .shares = memory_new(count, sizeof *exchange.shares),
        .first_operation = memory_new((size_t)count + 1, sizeof(uint64_t)),
        .first_wait_slot = memory_new((size_t)count + 1, sizeof(uint64_t))};
    status_code code;
    if (count < 2)
        code = STATUS_OK;
    else if (exchange.sent == NULL || exchange.received == NULL || exchange.shares == NULL ||
             exchange.first_operation == NULL || exchange.first_wait_slot == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for %u processes", count);
    else
        code = exchange_all(&exchange, threads, status);
    clear_exchange(&exchange);
    return code;
}
