/*
 * Computes the content hash: hashes each rank's part, then the ranks' hashes and the shared tables
 * in their order.
 *
 * Invariant: the hash does not depend on byte order, padding or addresses, nor on user regions. A
 * program with user regions has the hash that it has without them.
 */
#include "traces/program/program_hash.h"
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "core/processes/parallel.h"
#include "traces/program/content_hash.h"
#include "traces/program/edit/program_regions.h"

#include <stdlib.h>
#include <string.h>

struct hash_job {
    const struct program *program;
    uint32_t first, end;   /* ranks; item i is the ranks first + 2 i and the next one */
    uint64_t *hashes;      /* hash of each rank */
    uint32_t *mpi_regions; /* [region]: its number among those of MPI; NULL: there are no others */
};

/* The content of an operation besides its kind, flags and value: two words of 64 bits, each a
 * number or a pair of 32-bit halves, of which the first is hashed as the upper one. The masks
 * select the bits that have a meaning. */
struct hash_shape {
    uint8_t first_turn; /* by how many bits a word in memory turns: 32 for a pair, otherwise 0 */
    uint8_t second_turn;
    uint64_t first_bits; /* after the turn */
    uint64_t second_bits;
};

#define ALL UINT64_MAX
#define MARK_SHAPE                                                                                 \
    { 0, 0, ALL, UINT32_MAX }
#define PAIRS_SHAPE                                                                                \
    { 32, 32, ALL, ALL }
#define WAIT_SHAPE                                                                                 \
    { 32, 0, ALL, 0 }

static const struct hash_shape shapes[] = {
    [OPERATION_COMPUTE] = {0, 0, ALL, 0}, [OPERATION_CALL] = MARK_SHAPE,
    [OPERATION_RETURN] = MARK_SHAPE,      [OPERATION_ENTER] = MARK_SHAPE,
    [OPERATION_LEAVE] = MARK_SHAPE,       [OPERATION_SEND] = PAIRS_SHAPE,
    [OPERATION_RECEIVE] = PAIRS_SHAPE,    [OPERATION_COLLECTIVE] = PAIRS_SHAPE,
    [OPERATION_WAIT] = WAIT_SHAPE,        [OPERATION_END] = {0, 0, 0, 0},
    [OPERATION_VERTEX] = WAIT_SHAPE,      [OPERATION_FILE] = {0, 32, ALL, ALL},
};

/* An operation as a little-endian computer has it in memory: value, flags and kind from the upper
 * bits down, and two words, in which the first of two halves is the lower one. */
struct hash_words {
    uint64_t head, first, second;
};

static inline struct hash_words words_of(const struct program_operation *operation) {
    struct hash_words words;
    memcpy(&words.head, operation, sizeof words.head);
    memcpy(&words.first, &operation->compute.duration_ps, sizeof words.first);
    memcpy(&words.second, &operation->compute.unused, sizeof words.second);
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) return words;
    words.head =
        (uint64_t)operation->value << 16 | (uint64_t)operation->flags << 8 | operation->kind;
    if (shapes[operation->kind].first_turn != 0)
        words.first = words.first << 32 | words.first >> 32;
    words.second = words.second << 32 | words.second >> 32; /* a number is alone in its half */
    return words;
}

static inline uint64_t turn(uint64_t word, unsigned bits) {
    return word << bits | word >> (-bits & 63);
}

/* Adds an operation to a hash. The order of kinds is hard to predict for a processor, so the
 * function does not branch on the kind. */
static inline uint64_t hash_operation(uint64_t hash, const struct program_operation *operation) {
    const struct hash_words words = words_of(operation);
    const struct hash_shape *shape = &shapes[words.head & 0xFF];
    const uint64_t first = turn(words.first, shape->first_turn) & shape->first_bits;
    const uint64_t second = turn(words.second, shape->second_turn) & shape->second_bits;
    return content_hash_add3(hash, words.head, first, second);
}

/* How far ahead operations are fetched while others are hashed: a program is larger than the
 * caches. */
enum { FETCH_AHEAD_BYTES = 1536 };

/* Hashes operations that are not packed: those of a program that is sealed. */
static uint64_t hash_plain(uint64_t hash, const struct program_operation *operations,
                           uint64_t count) {
    for (const struct program_operation *end = operations + count; operations < end; operations++) {
        __builtin_prefetch((const char *)operations + FETCH_AHEAD_BYTES);
        hash = hash_operation(hash, operations);
    }
    return hash;
}

/* A walk through the packed operations of a rank. */
struct packed_walk {
    const struct program_packed_rank *packed;
    const struct program_block *block; /* the present one */
    const uint32_t *lower, *upper;     /* of the next word */
    uint64_t left, left_of_block;
    uint64_t hash;
};

/* Begins at the place of the next block. */
static inline void begin_block(struct packed_walk *walk, uint64_t offset) {
    walk->lower =
        walk->packed->lower + (size_t)walk->block->shape * PROGRAM_BLOCK_OPERATIONS + offset;
    walk->left_of_block = PROGRAM_BLOCK_OPERATIONS - offset;
    __builtin_prefetch((const char *)walk->upper + FETCH_AHEAD_BYTES);
}

static struct packed_walk walk_packed(const struct program *program, uint32_t rank) {
    const struct program_packed *packed = program->packed;
    const struct program_rank *part = &program->ranks[rank];
    const uint64_t place = program_word_place(packed, rank, part->first);
    struct packed_walk walk = {.packed = &packed->ranks[rank],
                               .block = &packed->blocks[program_block_of(packed, rank, place)],
                               .upper = &packed->upper[place],
                               .left = part->count,
                               .hash = content_hash_add(0, part->count)};
    begin_block(&walk, place % PROGRAM_BLOCK_OPERATIONS);
    return walk;
}

/* Hashes the next operation, in registers. */
static inline void hash_next(struct packed_walk *walk) {
    if (walk->left_of_block == 0) {
        walk->block++;
        begin_block(walk, 0);
    }
    walk->left_of_block--;
    walk->left--;
    struct program_operation operation;
    program_unpack_word(&operation, *walk->lower++ | (uint64_t)*walk->upper++ << 32, walk->block,
                        walk->packed->whole_operations);
    walk->hash = hash_operation(walk->hash, &operation);
}

/* Hashes wait slots of two ranks, as content_hash_words32 does. */
static void hash_slots(struct packed_walk walks[2], const uint32_t *const slots[2],
                       const size_t counts[2]) {
    uint64_t one = content_hash_add(walks[0].hash, counts[0]);
    uint64_t other = content_hash_add(walks[1].hash, counts[1]);
    size_t i = 0;
    for (; i < counts[0] && i < counts[1]; i++) {
        one = content_hash_add(one, slots[0][i]);
        other = content_hash_add(other, slots[1][i]);
    }
    for (size_t k = i; k < counts[0]; k++)
        one = content_hash_add(one, slots[0][k]);
    for (size_t k = i; k < counts[1]; k++)
        other = content_hash_add(other, slots[1][k]);
    walks[0].hash = one;
    walks[1].hash = other;
}

/* Hashes a rank and the next one of a packed program. Each step of a hash waits for the one before
 * it, so a processor does two hashes in nearly the time of one. */
static void hash_two(const struct hash_job *job, uint32_t rank) {
    const struct program *program = job->program;
    const struct program_rank *parts = &program->ranks[rank];
    struct packed_walk walks[2] = {walk_packed(program, rank), walk_packed(program, rank + 1)};
    while (walks[0].left > 0 && walks[1].left > 0) {
        hash_next(&walks[0]);
        hash_next(&walks[1]);
    }
    for (unsigned i = 0; i < 2; i++)
        while (walks[i].left > 0)
            hash_next(&walks[i]);
    hash_slots(walks,
               (const uint32_t *const[2]){program->wait_slots + parts[0].first_wait_slot,
                                          program->wait_slots + parts[1].first_wait_slot},
               (const size_t[2]){parts[0].wait_slot_count, parts[1].wait_slot_count});
    job->hashes[rank] = walks[0].hash;
    job->hashes[rank + 1] = walks[1].hash;
}

static uint64_t hash_operations(const struct program *program, uint32_t rank) {
    const struct program_rank *part = &program->ranks[rank];
    if (program->packed == NULL)
        return hash_plain(content_hash_add(0, part->count), program->operations + part->first,
                          part->count);
    struct packed_walk walk = walk_packed(program, rank);
    while (walk.left > 0)
        hash_next(&walk);
    return walk.hash;
}

uint64_t program_count_without_regions(const struct program *program, uint32_t rank) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    uint64_t left = 0;
    bool after_compute = false;
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        const uint64_t kind = PROGRAM_OPERATION_AT(program, rank, i)->kind;
        if (kind == OPERATION_ENTER || kind == OPERATION_LEAVE) continue;
        left += !(after_compute && kind == OPERATION_COMPUTE);
        after_compute = kind == OPERATION_COMPUTE;
    }
    return left;
}

/* Hashes operations as if user regions had not been kept. */
static uint64_t hash_without_regions(const struct program *program, uint32_t rank,
                                     const uint32_t *mpi_regions) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    struct program_operation compute = {.kind = OPERATION_COMPUTE};
    uint64_t hash = content_hash_add(0, program_count_without_regions(program, rank));
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        struct program_operation operation = *PROGRAM_OPERATION_AT(program, rank, i);
        if (operation.kind == OPERATION_ENTER || operation.kind == OPERATION_LEAVE) continue;
        if (operation.kind == OPERATION_COMPUTE) {
            compute.compute.duration_ps += operation.compute.duration_ps;
            continue;
        }
        if (compute.compute.duration_ps > 0) hash = hash_operation(hash, &compute);
        compute.compute.duration_ps = 0;
        if (program_is_mark(&operation)) operation.mark.region = mpi_regions[operation.mark.region];
        hash = hash_operation(hash, &operation);
    }
    return hash;
}

static void hash_rank(const struct hash_job *job, uint32_t rank) {
    const struct program_rank *part = &job->program->ranks[rank];
    const uint64_t hash = job->mpi_regions == NULL
                              ? hash_operations(job->program, rank)
                              : hash_without_regions(job->program, rank, job->mpi_regions);
    job->hashes[rank] = content_hash_words32(hash, job->program->wait_slots + part->first_wait_slot,
                                             (size_t)part->wait_slot_count);
}

/* Hashes two ranks, or the last one. */
static status_code hash_ranks(void *context, unsigned worker, uint64_t item,
                              struct status *status) {
    (void)worker;
    (void)status;
    const struct hash_job *job = context;
    const uint32_t rank = job->first + 2 * (uint32_t)item;
    const bool is_alone = rank + 1 == job->end;
    if (!is_alone && job->program->packed != NULL && job->mpi_regions == NULL) {
        hash_two(job, rank);
    } else {
        hash_rank(job, rank);
        if (!is_alone) hash_rank(job, rank + 1);
    }
    paging_evict(job->program->paging);
    return STATUS_OK;
}

static uint64_t hash_communicator(const struct program *program,
                                  const struct program_communicator *c) {
    uint64_t hash = content_hash_add(c->handles_synchronise, c->members == PROGRAM_NONE);
    if (c->members != PROGRAM_NONE)
        hash = content_hash_words32(hash, program->communicator_members + c->members, c->size);
    return content_hash_words32(hash, program->communicator_members + c->remote_members,
                                c->remote_size);
}

static uint64_t hash_tables(const struct program *program) {
    uint64_t hash = content_hash_add(program->communicator_count, program->envelope_count);
    for (uint32_t i = 0; i < program->communicator_count; i++)
        hash = content_hash_add(hash, hash_communicator(program, &program->communicators[i]));
    for (uint32_t i = 0; i < program->envelope_count; i++)
        hash = content_hash_add(hash, (uint64_t)program->envelopes[i].communicator << 32 |
                                          (uint32_t)program->envelopes[i].tag);
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        const struct program_collective_arguments *arguments = &program->collective_arguments[i];
        hash = content_hash_add(hash, (uint64_t)arguments->kind << 32 | arguments->communicator);
        hash = content_hash_add(hash, (uint64_t)arguments->own_member << 32 | arguments->root);
        hash = content_hash_add(hash, arguments->send_bytes);
        hash = content_hash_add(hash, arguments->receive_bytes);
    }
    hash = content_hash_words64(hash, program->sizes, (size_t)program->size_count);
    if (program->pair_row_count > 0) { /* programs without it keep their hash */
        hash = content_hash_words64(hash, program->pair_rows, (size_t)program->pair_row_count);
        hash = content_hash_words64(hash, program->pair_bytes, (size_t)program->pair_byte_count);
    }
    for (uint32_t i = 0; i < program->topology_count; i++) {
        const struct program_topology *topology = &program->topologies[i];
        hash = content_hash_add(hash, (uint64_t)topology->communicator << 32 | topology->kind);
        hash = content_hash_words32(hash, program->topology_numbers + topology->first,
                                    (size_t)topology->count);
    }
    if (program->file_count > 0) hash = content_hash_add(hash, program->file_count);
    for (uint32_t i = 0; i < program->region_count; i++) {
        if (!program->regions[i].is_mpi) continue;
        hash = content_hash_text(hash, program_text(program, program->regions[i].name));
        hash = content_hash_add(hash, program->regions[i].is_mpi);
    }
    return hash;
}

/* Numbers the regions of MPI if there are others. */
static status_code number_regions(struct hash_job *job, struct status *status) {
    const struct program *program = job->program;
    if (!program_has_user_regions(program)) return STATUS_OK;
    job->mpi_regions = memory_new(program->region_count, sizeof *job->mpi_regions);
    RETURN_ERROR_IF(job->mpi_regions == NULL, status, STATUS_MEMORY, "out of memory for hashing");
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->region_count; i++) {
        job->mpi_regions[i] = count;
        count += program->regions[i].is_mpi != 0;
    }
    return STATUS_OK;
}

status_code program_hash_ranks(const struct program *program, uint32_t first, uint32_t end,
                               unsigned threads, uint64_t *hashes, struct status *status) {
    struct hash_job job = {.program = program, .first = first, .end = end, .hashes = hashes};
    status_code code = number_regions(&job, status);
    if (code == STATUS_OK)
        code = parallel_for(threads, (end - first + UINT64_C(1)) / 2, hash_ranks, &job, status);
    free(job.mpi_regions);
    return code;
}

uint64_t program_hash_join(const struct program *program, const uint64_t *hashes) {
    return content_hash_words64(hash_tables(program), hashes, program->rank_count);
}

status_code program_hash(const struct program *program, unsigned threads, uint64_t *hash,
                         struct status *status) {
    uint64_t *hashes = memory_new(program->rank_count, sizeof *hashes);
    RETURN_ERROR_IF(hashes == NULL, status, STATUS_MEMORY, "out of memory for hashing");
    status_code code = program_hash_ranks(program, 0, program->rank_count, threads, hashes, status);
    if (code == STATUS_OK) *hash = program_hash_join(program, hashes);
    free(hashes);
    return code;
}
