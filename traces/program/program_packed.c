/*
 * Packs operations. program.h says what the words hold, and reads them.
 *
 * The functions try a word and read it back. Only a word that gives the same operation is kept, so
 * that no limit of a field has to be tested.
 */
#include "traces/program/program_packed.h"
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

/* The highest number that a word of a message can have. */
enum { MESSAGE_MAX = 0x1FFFFFFF };

/* Programs of more bytes are packed, and those of more than this part of the memory. */
enum { PLAIN_BYTES_MAX = 128 << 20, PLAIN_PARTS = 16 };

/* Gives the wanted ranks their places, one after another. Returns the number of words, and sets
 * *blocks to that of blocks. */
static uint64_t place_ranks(struct program *program, const bool *wanted, uint64_t *blocks) {
    uint64_t words = 0, ranks = 0;
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        struct program_packed_rank *packed = &program->packed->ranks[rank];
        packed->shift = PROGRAM_ABSENT;
        if (wanted != NULL && !wanted[rank]) continue;
        packed->shift = words - program->ranks[rank].first;
        packed->block_shift = ranks++;
        words += program->ranks[rank].count;
    }
    *blocks = words / PROGRAM_BLOCK_OPERATIONS + ranks + 1;
    return words;
}

bool program_packed_has_no_room(struct program_packed *packed) {
    return __atomic_load_n(&packed->room_bytes, __ATOMIC_RELAXED) == 0;
}

/* Takes bytes for whole operations from the room that is left. */
static void take_room(struct program_packed *packed, uint64_t bytes) {
    uint64_t room = __atomic_load_n(&packed->room_bytes, __ATOMIC_RELAXED), left;
    do
        left = room > bytes ? room - bytes : 0;
    while (!__atomic_compare_exchange_n(&packed->room_bytes, &room, left, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
}

static uint64_t bytes_of(uint64_t whole_count, uint64_t shape_count) {
    return whole_count * sizeof(struct program_operation) +
           shape_count * PROGRAM_BLOCK_OPERATIONS * sizeof(uint32_t);
}

/* Adds the whole operations and shapes of a rank to what counts as memory, or removes them. */
static void count_memory(const struct program *program, const struct program_packed_rank *packed,
                         bool begins) {
    const int64_t bytes = (int64_t)bytes_of(packed->count, packed->shape_count);
    paging_count_memory(program->paging, begins ? bytes : -bytes);
}

uint64_t program_plain_max(const struct program *program) {
    const uint64_t part = paging_room_bytes(program->paging) / PLAIN_PARTS;
    return (part < PLAIN_BYTES_MAX ? part : PLAIN_BYTES_MAX) / sizeof *program->operations;
}

bool program_packing_pays(const struct program *program) {
    return program->operation_count > program_plain_max(program);
}

status_code program_packed_empty(struct program *program, struct status *status) {
    struct program_packed *packed = program->packed = memory_new(1, sizeof *packed);
    RETURN_ERROR_IF(packed == NULL, status, STATUS_MEMORY, "out of memory for a trace");
    pthread_mutex_init(&packed->lock, NULL);
    packed->room_bytes = UINT64_MAX;
    packed->ranks = memory_new(program->rank_count, sizeof *packed->ranks);
    RETURN_ERROR_IF(packed->ranks == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    program->rank_count);
    return STATUS_OK;
}

status_code program_packed_new(struct program *program, const bool *wanted, struct status *status) {
    FORWARD_IF_ERROR(program_packed_empty(program, status));
    struct program_packed *packed = program->packed;
    uint64_t blocks;
    const uint64_t words = place_ranks(program, wanted, &blocks);
    const uint64_t min = blocks * sizeof *packed->blocks + words * sizeof *packed->upper;
    const uint64_t room = paging_room_bytes(program->paging);
    packed->room_bytes = (room >= min ? room - min : room / 2) + 1;
    FORWARD_IF_ERROR(paging_resize(program->paging, (void **)&packed->upper, 0,
                                   words * sizeof *packed->upper, status));
    return paging_resize(program->paging, (void **)&packed->blocks, 0,
                         blocks * sizeof *packed->blocks, status);
}

void program_packed_free(struct program *program) {
    struct program_packed *packed = program->packed;
    if (packed == NULL) return;
    for (uint32_t rank = 0; packed->ranks != NULL && rank < program->rank_count; rank++) {
        count_memory(program, &packed->ranks[rank], false);
        free(packed->ranks[rank].whole_operations);
        free(packed->ranks[rank].lower);
    }
    free(packed->ranks);
    paging_free_array(program->paging, packed->blocks);
    paging_free_array(program->paging, packed->upper);
    paging_free_array(program->paging, packed->array);
    pthread_mutex_destroy(&packed->lock);
    free(packed);
    program->packed = NULL;
}

static void empty(struct program_packer *packer) {
    packer->count = packer->shape_count = 0;
    packer->computed_ps = 0;
    packer->last_shape = PROGRAM_NONE;
    packer->is_open = false;
    key_table_remove_all(&packer->known);
    key_table_remove_all(&packer->shapes);
}

void program_packer_alone(struct program_packer *packer) {
    empty(packer);
    packer->place = 0;
}

void program_packer_begin(struct program_packer *packer, struct program *program, uint32_t rank) {
    const struct program_packed *packed = program->packed;
    empty(packer);
    packer->program = program;
    packer->rank = rank;
    packer->next = program->ranks[rank].first;
    packer->place = program_word_place(packed, rank, packer->next);
    program_packer_into(packer, packed->upper, packed->blocks + packed->ranks[rank].block_shift);
}

/* Appends an operation to those that words refer to. */
static status_code add_whole(struct program_packer *packer,
                             const struct program_operation *operation, uint64_t *number,
                             struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&packer->whole, &packer->capacity, packer->count + 1,
                                 sizeof *packer->whole, status));
    packer->whole[ *number = packer->count++] = *operation;
    return STATUS_OK;
}

static bool is_same(const struct program_operation *one, const struct program_operation *other) {
    uint64_t left[3], right[3];
    memcpy(left, one, sizeof left);
    memcpy(right, other, sizeof right);
    return ((left[0] ^ right[0]) | (left[1] ^ right[1]) | (left[2] ^ right[2])) == 0;
}

static bool is_same_message(const struct program_operation *one,
                            const struct program_operation *other) {
    return one->kind == other->kind && one->flags == other->flags && one->bytes == other->bytes &&
           one->message.peer == other->message.peer && one->message.slot == other->message.slot &&
           one->message.envelope == other->message.envelope;
}

static uint64_t key_of_message(const struct program_operation *message) {
    return content_hash_add3(
        0, message->bytes << 16 | (uint64_t)message->flags << 8 | message->kind,
        (uint64_t)message->message.peer << 32 | message->message.slot, message->message.envelope);
}

/* Finds or appends a message that is equal but for its match. */
static status_code search_message(struct program_packer *packer,
                                  const struct program_operation *message, uint64_t *number,
                                  struct status *status) {
    for (uint64_t key = key_of_message(message);; key++) {
        const uint32_t found = key_table_find(&packer->known, key);
        *number = found;
        if (found != KEY_TABLE_NONE && is_same_message(&packer->whole[found], message))
            return STATUS_OK;
        if (found != KEY_TABLE_NONE) continue;
        FORWARD_IF_ERROR(add_whole(packer, message, number, status));
        if (*number > MESSAGE_MAX) return STATUS_OK;
        return key_table_insert(&packer->known, key, (uint32_t)*number, status);
    }
}

/* Looks among recent messages before search_message: most messages are like a recent one. */
static status_code find_message(struct program_packer *packer,
                                const struct program_operation *message, uint64_t *number,
                                struct status *status) {
    const uint32_t mixed =
        (message->message.peer ^ message->message.envelope << 16) * UINT32_C(0x9E3779B1) +
        (message->message.slot * 2 + (uint32_t)message->kind) * UINT32_C(0x85EBCA77);
    uint32_t *recent = &packer->recent[mixed >> (32 - PROGRAM_PACKER_RECENT_BITS)];
    *number = *recent;
    if (*recent < packer->count && is_same_message(&packer->whole[*recent], message))
        return STATUS_OK;
    FORWARD_IF_ERROR(search_message(packer, message, number, status));
    if (*number <= MESSAGE_MAX) *recent = (uint32_t)*number;
    return STATUS_OK;
}

/* ---- words ---- */

/* Returns the word of a mark. The first mark and the first CALL of a block give it its time and its
 * number. */
static uint64_t word_of_mark(struct program_packer *packer, const struct program_operation *mark) {
    struct program_block *block = &packer->block;
    if (!packer->has_mark) block->trace_ps = mark->mark.trace_ps;
    packer->has_mark = true;
    const bool is_call = mark->kind == OPERATION_CALL;
    if (is_call && !packer->has_call && mark->record <= UINT32_MAX)
        block->first_call = (uint32_t)mark->record;
    packer->has_call |= is_call;
    const uint64_t time = (uint64_t)mark->mark.trace_ps - (uint64_t)block->trace_ps;
    const uint64_t number = is_call ? mark->record - block->first_call : 0;
    return PROGRAM_WORD_MARK | (uint64_t)(mark->kind - OPERATION_CALL) << 3 |
           (uint64_t)(mark->mark.region & 0x7FF) << 5 | (number & 0x3FF) << 16 |
           (time >> 32 & 0x3F) << 26 | time << 32;
}

static uint64_t word_of_computation(const struct program_operation *compute) {
    const uint64_t duration = (uint64_t)compute->compute.duration_ps;
    return PROGRAM_WORD_COMPUTE | (duration >> 32 & 0x1FFFFFFF) << 3 | duration << 32;
}

static status_code word_of_message(struct program_packer *packer,
                                   const struct program_operation *message, uint64_t *word,
                                   struct status *status) {
    uint64_t number;
    FORWARD_IF_ERROR(find_message(packer, message, &number, status));
    *word = number > MESSAGE_MAX
                ? PROGRAM_WORD_WHOLE | number << 32
                : PROGRAM_WORD_MESSAGE | number << 3 | (uint64_t)message->message.match << 32;
    return STATUS_OK;
}

static status_code word_of_whole(struct program_packer *packer,
                                 const struct program_operation *operation, uint64_t *word,
                                 struct status *status) {
    uint64_t number;
    FORWARD_IF_ERROR(add_whole(packer, operation, &number, status));
    *word = PROGRAM_WORD_WHOLE | number << 32;
    return STATUS_OK;
}

static status_code word_of(struct program_packer *packer, const struct program_operation *operation,
                           uint64_t *word, struct status *status) {
    switch ((program_operation_kind)operation->kind) {
    case OPERATION_SEND:
    case OPERATION_RECEIVE:
        return word_of_message(packer, operation, word, status);
    case OPERATION_CALL:
    case OPERATION_RETURN:
    case OPERATION_ENTER:
    case OPERATION_LEAVE:
        *word = word_of_mark(packer, operation);
        break;
    case OPERATION_COMPUTE:
        *word = word_of_computation(operation);
        break;
    case OPERATION_WAIT:
        *word = PROGRAM_WORD_WAIT | (operation->flags & OPERATION_FLAG_WAIT_TESTED ? 8u : 0u) |
                (uint64_t)(operation->wait.count & 0xFFFFFFF) << 4 |
                (uint64_t)operation->wait.first << 32;
        break;
    case OPERATION_COLLECTIVE: /* whole, so that it may change (program_posted_collective) */
        return word_of_whole(packer, operation, word, status);
    default:
        *word = PROGRAM_WORD_BARE | (uint64_t)operation->kind << 3;
    }
    struct program_operation again;
    program_unpack_word(&again, *word, &packer->block, packer->whole);
    return is_same(&again, operation) ? STATUS_OK : word_of_whole(packer, operation, word, status);
}

/* ---- blocks ---- */

static bool has_shape(const struct program_packer *packer, uint32_t shape) {
    return memcmp(packer->lower + (size_t)shape * PROGRAM_BLOCK_OPERATIONS, packer->shape,
                  sizeof packer->shape) == 0;
}

static uint64_t key_of_shape(const struct program_packer *packer) {
    uint64_t pairs[PROGRAM_BLOCK_OPERATIONS / 2], key = 0;
    memcpy(pairs, packer->shape, sizeof pairs);
    for (size_t i = 0; i < PROGRAM_BLOCK_OPERATIONS / 2; i += 2)
        key = content_hash_add3(key, pairs[i], pairs[i + 1], i);
    return key;
}

/* Adds a shape, to which the present block does not have to belong. */
static status_code add_shape(struct program_packer *packer, const uint32_t *shape, uint64_t key,
                             struct status *status) {
    const size_t count = packer->shape_count;
    FORWARD_IF_ERROR(memory_grow((void **)&packer->lower, &packer->lower_capacity,
                                 (count + 1) * PROGRAM_BLOCK_OPERATIONS, sizeof *packer->lower,
                                 status));
    FORWARD_IF_ERROR(memory_grow((void **)&packer->after, &packer->after_capacity, count + 1,
                                 sizeof *packer->after, status));
    memcpy(packer->lower + count * PROGRAM_BLOCK_OPERATIONS, shape,
           PROGRAM_BLOCK_OPERATIONS * sizeof *shape);
    packer->after[count] = 0;
    packer->shape_count++;
    return key_table_insert(&packer->shapes, key, (uint32_t)count, status);
}

/* Finds or adds the shape of the present block. After a shape mostly comes the one that came after
 * it last. */
static status_code find_shape(struct program_packer *packer, uint32_t *shape,
                              struct status *status) {
    if (packer->last_shape != PROGRAM_NONE) {
        *shape = packer->after[packer->last_shape];
        if (has_shape(packer, *shape)) return STATUS_OK;
    }
    for (uint64_t key = key_of_shape(packer);; key++) {
        *shape = key_table_find(&packer->shapes, key);
        if (*shape != KEY_TABLE_NONE && has_shape(packer, *shape)) return STATUS_OK;
        if (*shape != KEY_TABLE_NONE) continue;
        *shape = (uint32_t)packer->shape_count;
        return add_shape(packer, packer->shape, key, status);
    }
}

/* Ends the present block, if there is one. */
static status_code close_block(struct program_packer *packer, struct status *status) {
    if (!packer->is_open) return STATUS_OK;
    FORWARD_IF_ERROR(find_shape(packer, &packer->block.shape, status));
    if (packer->last_shape != PROGRAM_NONE) packer->after[packer->last_shape] = packer->block.shape;
    packer->last_shape = packer->block.shape;
    packer->blocks[(packer->place - 1) / PROGRAM_BLOCK_OPERATIONS] = packer->block;
    packer->is_open = false;
    return STATUS_OK;
}

static void open_block(struct program_packer *packer) {
    packer->block = (struct program_block){0};
    memset(packer->shape, 0, sizeof packer->shape);
    packer->has_call = packer->has_mark = false;
    packer->is_open = true;
}

status_code program_packer_put(struct program_packer *packer,
                               const struct program_operation *operation, uint64_t *word,
                               struct status *status) {
    if (!packer->is_open) open_block(packer);
    FORWARD_IF_ERROR(word_of(packer, operation, word, status));
    const uint64_t place = packer->place++;
    packer->upper[place] = (uint32_t)(*word >> 32);
    packer->shape[place % PROGRAM_BLOCK_OPERATIONS] = (uint32_t)*word;
    return place % PROGRAM_BLOCK_OPERATIONS == PROGRAM_BLOCK_OPERATIONS - 1
               ? close_block(packer, status)
               : STATUS_OK;
}

/* ---- ranks ---- */

static status_code pack(struct program_packer *packer, const struct program_operation *operation,
                        struct status *status) {
    const struct program_rank *part = &packer->program->ranks[packer->rank];
    RETURN_ERROR_IF(packer->next == part->first + part->count, status, STATUS_INPUT,
                    "rank %u has more operations than were counted (has the file changed?)",
                    packer->rank);
    packer->next++;
    uint64_t word;
    return program_packer_put(packer, operation, &word, status);
}

/* Packs the computation since the last operation that was not left out. */
static status_code pack_computation(struct program_packer *packer, struct status *status) {
    if (packer->computed_ps == 0) return STATUS_OK;
    const struct program_operation compute = {.kind = OPERATION_COMPUTE,
                                              .compute.duration_ps = packer->computed_ps};
    packer->computed_ps = 0;
    return pack(packer, &compute, status);
}

status_code program_packer_add(struct program_packer *packer,
                               const struct program_operation *operation, struct status *status) {
    if (packer->mpi_regions == NULL) return pack(packer, operation, status);
    if (operation->kind == OPERATION_ENTER || operation->kind == OPERATION_LEAVE) return STATUS_OK;
    if (operation->kind == OPERATION_COMPUTE) {
        packer->computed_ps += operation->compute.duration_ps;
        return STATUS_OK;
    }
    FORWARD_IF_ERROR(pack_computation(packer, status));
    if (!program_is_mark(operation)) return pack(packer, operation, status);
    struct program_operation mark = *operation;
    mark.mark.region = packer->mpi_regions[mark.mark.region];
    return pack(packer, &mark, status);
}

status_code program_packer_finish(struct program_packer *packer, struct status *status) {
    FORWARD_IF_ERROR(pack_computation(packer, status));
    return program_packer_keep(packer, packer->program, packer->rank, status);
}

void program_packed_set_rank(struct program *program, uint32_t rank,
                             struct program_operation *whole_operations, uint64_t count,
                             uint32_t *lower, uint64_t shape_count) {
    struct program_packed_rank *packed = &program->packed->ranks[rank];
    take_room(program->packed, bytes_of(count, shape_count));
    count_memory(program, packed, false);
    free(packed->whole_operations);
    free(packed->lower);
    packed->whole_operations = whole_operations;
    packed->lower = lower;
    packed->count = count;
    packed->shape_count = shape_count;
    count_memory(program, packed, true);
}

status_code program_packer_keep(struct program_packer *packer, struct program *program,
                                uint32_t rank, struct status *status) {
    FORWARD_IF_ERROR(close_block(packer, status));
    const size_t count = packer->count, shapes = packer->shape_count;
    struct program_operation *whole = memory_new(count, sizeof *whole);
    uint32_t *lower = memory_new(shapes * PROGRAM_BLOCK_OPERATIONS, sizeof *lower);
    if (whole == NULL || lower == NULL) {
        free(whole);
        free(lower);
        return status_set(status, STATUS_MEMORY, "out of memory for operations of rank %u", rank);
    }
    if (count > 0) memcpy(whole, packer->whole, count * sizeof *whole);
    if (shapes > 0) memcpy(lower, packer->lower, shapes * PROGRAM_BLOCK_OPERATIONS * sizeof *lower);
    program_packed_set_rank(program, rank, whole, count, lower, shapes);
    return STATUS_OK;
}

static uint64_t free_key(const struct key_table *table, uint64_t key) {
    while (key_table_find(table, key) != KEY_TABLE_NONE)
        key++;
    return key;
}

status_code program_packer_again(struct program_packer *packer, struct program *program,
                                 uint32_t rank, struct status *status) {
    const struct program_packed_rank *packed = &program->packed->ranks[rank];
    program_packer_begin(packer, program, rank);
    for (uint64_t i = 0; i < packed->count; i++) {
        const struct program_operation *operation = &packed->whole_operations[i];
        uint64_t number = 0;
        FORWARD_IF_ERROR(add_whole(packer, operation, &number, status));
        if (i > MESSAGE_MAX ||
            (operation->kind != OPERATION_SEND && operation->kind != OPERATION_RECEIVE))
            continue;
        const uint64_t key = free_key(&packer->known, key_of_message(operation));
        FORWARD_IF_ERROR(key_table_insert(&packer->known, key, (uint32_t)i, status));
    }
    for (uint64_t i = 0; i < packed->shape_count; i++) {
        memcpy(packer->shape, packed->lower + i * PROGRAM_BLOCK_OPERATIONS, sizeof packer->shape);
        const uint64_t key = free_key(&packer->shapes, key_of_shape(packer));
        FORWARD_IF_ERROR(add_shape(packer, packer->shape, key, status));
    }
    return STATUS_OK;
}

status_code program_packer_change(struct program_packer *packer, uint64_t place,
                                  const struct program_operation *message, struct status *status) {
    struct program_block *block = &packer->blocks[place / PROGRAM_BLOCK_OPERATIONS];
    uint64_t word;
    FORWARD_IF_ERROR(word_of_message(packer, message, &word, status));
    memcpy(packer->shape, packer->lower + (size_t)block->shape * PROGRAM_BLOCK_OPERATIONS,
           sizeof packer->shape);
    packer->shape[place % PROGRAM_BLOCK_OPERATIONS] = (uint32_t)word;
    packer->upper[place] = (uint32_t)(word >> 32);
    packer->last_shape = PROGRAM_NONE;
    return find_shape(packer, &block->shape, status);
}

void program_packer_free(struct program_packer *packer) {
    free(packer->whole);
    free(packer->lower);
    free(packer->after);
    key_table_free(&packer->known);
    key_table_free(&packer->shapes);
    *packer = (struct program_packer){0};
}

static status_code make_array(const struct program *program, struct status *status) {
    struct program_operation *operations = NULL;
    FORWARD_IF_ERROR(paging_resize(program->paging, (void **)&operations, 0,
                                   program->operation_count * sizeof *operations, status));
    struct program_walk walk = {0};
    for (uint64_t i = 0; program_walk_next(program, &walk); i++)
        operations[i] = *walk.operation;
    paging_evict(program->paging);
    program->packed->array = operations;
    return STATUS_OK;
}

status_code program_make_array(const struct program *program, struct status *status) {
    if (program->packed == NULL) return STATUS_OK;
    pthread_mutex_lock(&program->packed->lock);
    const status_code code =
        program->packed->array == NULL ? make_array(program, status) : STATUS_OK;
    pthread_mutex_unlock(&program->packed->lock);
    return code;
}

status_code program_unpack(struct program *program, struct status *status) {
    if (program->packed == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(program_make_array(program, status));
    program->operations = program->packed->array;
    program->packed->array = NULL;
    program_packed_free(program);
    return STATUS_OK;
}
