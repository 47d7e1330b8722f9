/*
 * Packs operations. See program_packed.h; program.h says what the words hold and reads them.
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
    *blocks = words / PROGRAM_BLOCK + ranks + 1;
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

/* Adds the whole operations of a rank to what counts as memory, or removes them. */
static void count_memory(const struct program *program, const struct program_packed_rank *packed,
                         bool begins) {
    const int64_t bytes = (int64_t)(packed->count * sizeof *packed->whole_operations);
    paging_count_memory(program->paging, begins ? bytes : -bytes);
}

uint64_t program_plain_max(const struct program *program) {
    const uint64_t part = paging_room_bytes(program->paging) / PLAIN_PARTS;
    return (part < PLAIN_BYTES_MAX ? part : PLAIN_BYTES_MAX) / sizeof *program->operations;
}

bool program_packing_pays(const struct program *program) {
    return program->operation_count > program_plain_max(program);
}

status_code program_packed_new(struct program *program, const bool *wanted, struct status *status) {
    struct program_packed *packed = program->packed = memory_new(1, sizeof *packed);
    RETURN_ERROR_IF(packed == NULL, status, STATUS_MEMORY, "out of memory for a trace");
    pthread_mutex_init(&packed->lock, NULL);
    packed->ranks = memory_new(program->rank_count, sizeof *packed->ranks);
    RETURN_ERROR_IF(packed->ranks == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    program->rank_count);
    uint64_t blocks;
    const uint64_t words = place_ranks(program, wanted, &blocks);
    const uint64_t min = blocks * sizeof *packed->blocks + words * sizeof *packed->words;
    const uint64_t room = paging_room_bytes(program->paging);
    packed->room_bytes = (room >= min ? room - min : room / 2) + 1;
    FORWARD_IF_ERROR(paging_resize(program->paging, (void **)&packed->words, 0,
                                   words * sizeof *packed->words, status));
    return paging_resize(program->paging, (void **)&packed->blocks, 0,
                         blocks * sizeof *packed->blocks, status);
}

void program_packed_free(struct program *program) {
    struct program_packed *packed = program->packed;
    if (packed == NULL) return;
    for (uint32_t rank = 0; packed->ranks != NULL && rank < program->rank_count; rank++) {
        count_memory(program, &packed->ranks[rank], false);
        free(packed->ranks[rank].whole_operations);
    }
    free(packed->ranks);
    paging_free_array(program->paging, packed->blocks);
    paging_free_array(program->paging, packed->words);
    paging_free_array(program->paging, packed->expanded);
    pthread_mutex_destroy(&packed->lock);
    free(packed);
    program->packed = NULL;
}

void program_packer_begin(struct program_packer *packer, struct program *program, uint32_t rank) {
    packer->count = 0;
    packer->computed_ps = 0;
    key_table_remove_all(&packer->known);
    packer->program = program;
    packer->rank = rank;
    packer->next = program->ranks[rank].first;
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
    return memcmp(one, other, sizeof *one) == 0;
}

static bool is_same_message(const struct program_operation *one,
                            const struct program_operation *other) {
    return one->kind == other->kind && one->flags == other->flags && one->value == other->value &&
           one->message.peer == other->message.peer && one->message.slot == other->message.slot &&
           one->message.envelope == other->message.envelope;
}

/* Finds or appends a message that is equal but for its match. */
static status_code find_message(struct program_packer *packer,
                                const struct program_operation *message, uint64_t *number,
                                struct status *status) {
    uint64_t key = content_hash_add3(
        0, message->value << 16 | (uint64_t)message->flags << 8 | message->kind,
        (uint64_t)message->message.peer << 32 | message->message.slot, message->message.envelope);
    for (;; key++) {
        const uint32_t found = key_table_find(&packer->known, key);
        *number = found;
        if (found == KEY_TABLE_NONE) break;
        if (is_same_message(&packer->whole[found], message)) return STATUS_OK;
    }
    FORWARD_IF_ERROR(add_whole(packer, message, number, status));
    if (*number > MESSAGE_MAX) return STATUS_OK;
    return key_table_insert(&packer->known, key, (uint32_t)*number, status);
}

/* Returns the word of a mark. The first mark and the first CALL of a block give it its time and its
 * number. */
static uint64_t word_of_mark(struct program_packer *packer, struct program_block *block,
                             const struct program_operation *mark) {
    if (!packer->has_mark) block->trace_ps = mark->mark.trace_ps;
    packer->has_mark = true;
    const bool is_call = mark->kind == PROGRAM_CALL;
    if (is_call && !packer->has_call) block->number = mark->value;
    packer->has_call |= is_call;
    const uint64_t time = (uint64_t)mark->mark.trace_ps - (uint64_t)block->trace_ps;
    const uint64_t number = is_call ? mark->value - block->number : 0;
    return PROGRAM_WORD_MARK | (uint64_t)(mark->kind - PROGRAM_CALL) << 3 |
           (uint64_t)(mark->mark.region & 0x7FF) << 5 | (number & 0x3FF) << 16 | time << 26;
}

static status_code word_of(struct program_packer *packer, struct program_block *block,
                           const struct program_operation *operation, uint64_t *word,
                           struct status *status) {
    switch ((program_kind)operation->kind) {
    case PROGRAM_SEND:
    case PROGRAM_RECEIVE: {
        uint64_t number;
        FORWARD_IF_ERROR(find_message(packer, operation, &number, status));
        *word = number > MESSAGE_MAX
                    ? PROGRAM_WORD_WHOLE | number << 3
                    : PROGRAM_WORD_MESSAGE | number << 3 | (uint64_t)operation->message.match << 32;
        return STATUS_OK;
    }
    case PROGRAM_CALL:
    case PROGRAM_RETURN:
    case PROGRAM_ENTER:
    case PROGRAM_LEAVE:
        *word = word_of_mark(packer, block, operation);
        break;
    case PROGRAM_COMPUTE:
        *word = PROGRAM_WORD_COMPUTE | (uint64_t)operation->compute.duration_ps << 3;
        break;
    case PROGRAM_WAIT:
        *word = PROGRAM_WORD_WAIT | (operation->flags & PROGRAM_TESTED ? 8u : 0u) |
                (uint64_t)(operation->wait.count & 0xFFFFFFF) << 4 |
                (uint64_t)operation->wait.first << 32;
        break;
    default:
        *word = PROGRAM_WORD_BARE | (uint64_t)operation->kind << 3;
    }
    struct program_operation again;
    program_unpack_word(&again, *word, block, packer->whole);
    if (is_same(&again, operation)) return STATUS_OK;
    uint64_t number;
    FORWARD_IF_ERROR(add_whole(packer, operation, &number, status));
    *word = PROGRAM_WORD_WHOLE | number << 3;
    return STATUS_OK;
}

/* Takes the place of the next operation, and begins its block. */
static uint64_t take_place(struct program_packer *packer, struct program_block **block) {
    struct program *program = packer->program;
    const uint64_t index = packer->next++;
    const uint64_t place = program_word_place(program->packed, packer->rank, index);
    *block = &program->packed->blocks[program_block_of(program->packed, packer->rank, place)];
    if (place % PROGRAM_BLOCK == 0 || index == program->ranks[packer->rank].first) {
        **block = (struct program_block){0};
        packer->has_call = packer->has_mark = false;
    }
    return place;
}

static status_code pack(struct program_packer *packer, const struct program_operation *operation,
                        struct status *status) {
    const struct program_rank *rank_entry = &packer->program->ranks[packer->rank];
    struct program_block *block;
    RETURN_ERROR_IF(packer->next == rank_entry->first + rank_entry->count, status, STATUS_INPUT,
                    "rank %u has more operations than were counted (has the file changed?)",
                    packer->rank);
    const uint64_t place = take_place(packer, &block);
    return word_of(packer, block, operation, &packer->program->packed->words[place], status);
}

/* Packs the computation since the last operation that was not left out. */
static status_code pack_computation(struct program_packer *packer, struct status *status) {
    if (packer->computed_ps == 0) return STATUS_OK;
    const struct program_operation compute = {.kind = PROGRAM_COMPUTE,
                                              .compute.duration_ps = packer->computed_ps};
    packer->computed_ps = 0;
    return pack(packer, &compute, status);
}

status_code program_packer_add(struct program_packer *packer,
                               const struct program_operation *operation, struct status *status) {
    if (packer->mpi_regions == NULL) return pack(packer, operation, status);
    if (operation->kind == PROGRAM_ENTER || operation->kind == PROGRAM_LEAVE) return STATUS_OK;
    if (operation->kind == PROGRAM_COMPUTE) {
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
    struct program_packed_rank *packed = &packer->program->packed->ranks[packer->rank];
    FORWARD_IF_ERROR(pack_computation(packer, status));
    struct program_operation *whole = memory_new(packer->count, sizeof *whole);
    RETURN_ERROR_IF(whole == NULL, status, STATUS_MEMORY, "out of memory for operations of rank %u",
                    packer->rank);
    if (packer->count > 0) memcpy(whole, packer->whole, packer->count * sizeof *whole);
    take_room(packer->program->packed, packer->count * sizeof *whole);
    count_memory(packer->program, packed, false);
    free(packed->whole_operations);
    packed->whole_operations = whole;
    packed->count = packer->count;
    count_memory(packer->program, packed, true);
    return STATUS_OK;
}

void program_packer_free(struct program_packer *packer) {
    free(packer->whole);
    key_table_free(&packer->known);
    *packer = (struct program_packer){0};
}

static status_code make_expanded(const struct program *program, struct status *status) {
    struct program_operation *operations = NULL;
    FORWARD_IF_ERROR(paging_resize(program->paging, (void **)&operations, 0,
                                   program->operation_count * sizeof *operations, status));
    struct program_walk walk = {0};
    for (uint64_t i = 0; program_walk_next(program, &walk); i++)
        operations[i] = *walk.operation;
    paging_evict(program->paging);
    program->packed->expanded = operations;
    return STATUS_OK;
}

status_code program_expand(const struct program *program, struct status *status) {
    if (program->packed == NULL) return STATUS_OK;
    pthread_mutex_lock(&program->packed->lock);
    const status_code code =
        program->packed->expanded == NULL ? make_expanded(program, status) : STATUS_OK;
    pthread_mutex_unlock(&program->packed->lock);
    return code;
}

status_code program_unpack(struct program *program, struct status *status) {
    if (program->packed == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(program_expand(program, status));
    program->operations = program->packed->expanded;
    program->packed->expanded = NULL;
    program_packed_free(program);
    return STATUS_OK;
}
