/*
 * The content hash: every rank's part is hashed by itself, then the ranks' hashes and the shared
 * tables in their order. Invariant: no byte order, padding or address enters.
 */
#include "traces/program/program_hash.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

/* Ranks that one thread hashes at once: each word of a rank's hash waits for the one before it, so
 * a processor that has several ranks at hand is several times as fast. */
#define LANES 4

typedef struct hash_job {
    const program *program;
    uint64_t *hashes; /* per rank */
} hash_job;

/* What enters of an operation besides its head: up to two words of 64 bits, each a number or a pair
 * of halves. Masks: all bits or none. */
typedef struct hash_shape {
    uint64_t is_pair; /* both */
    uint64_t has_first;
    uint64_t has_second;
    uint64_t second_bits; /* of the word, whatever has_second says */
} hash_shape;

#define ALL UINT64_MAX
#define MARK_SHAPE                                                                                 \
    { 0, ALL, ALL, UINT32_MAX }
#define PAIRS_SHAPE                                                                                \
    { ALL, ALL, ALL, ALL }

static const hash_shape shapes[] = {
    [PROGRAM_COMPUTE] = {0, ALL, 0, 0}, [PROGRAM_CALL] = MARK_SHAPE,
    [PROGRAM_RETURN] = MARK_SHAPE,      [PROGRAM_ENTER] = MARK_SHAPE,
    [PROGRAM_LEAVE] = MARK_SHAPE,       [PROGRAM_SEND] = PAIRS_SHAPE,
    [PROGRAM_RECEIVE] = PAIRS_SHAPE,    [PROGRAM_COLLECTIVE] = PAIRS_SHAPE,
    [PROGRAM_WAIT] = {ALL, ALL, 0, 0},  [PROGRAM_END] = {0, 0, 0, 0},
};

static uint64_t choose(uint64_t mask, uint64_t yes, uint64_t no) {
    return (yes & mask) | (no & ~mask);
}

/* The kinds of operations follow each other without a rule that a processor could guess, so none is
 * branched on: the words are taken for all that they may be, and one is chosen. */
static inline uint64_t hash_operation(uint64_t hash, const program_operation *operation) {
    const hash_shape *shape = &shapes[operation->kind];
    hash = content_hash_add(hash, (uint64_t)operation->value << 16 |
                                      (uint64_t)operation->flags << 8 | operation->kind);
    uint64_t number;
    uint32_t halves[4];
    memcpy(&number, &operation->compute, sizeof number);
    memcpy(halves, &operation->message, sizeof halves);
    uint64_t first = choose(shape->is_pair, (uint64_t)halves[0] << 32 | halves[1], number);
    uint64_t second = choose(shape->is_pair, (uint64_t)halves[2] << 32 | halves[3], halves[2]);
    uint64_t with_first = content_hash_add(hash, first);
    uint64_t with_both = content_hash_add(with_first, second & shape->second_bits);
    return choose(shape->has_first, choose(shape->has_second, with_both, with_first), hash);
}

static uint64_t hash_rest(const program *program, const program_rank *part, uint64_t from,
                          uint64_t hash) {
    for (uint64_t i = from; i < part->count; i++)
        hash = hash_operation(hash, &program->operations[part->first + i]);
    return content_hash_words32(hash, program->wait_slots + part->first_wait_slot,
                                (size_t)part->wait_slot_count);
}

/* Ranks lanes·LANES … of the program; what one is longer than another is hashed by itself. */
static status_code hash_ranks(void *context, unsigned worker, uint64_t lanes, status *status) {
    (void)worker;
    (void)status;
    hash_job *job = context;
    const program *program = job->program;
    uint64_t first = lanes * LANES;
    const program_rank *part = &program->ranks[first];
    uint64_t together = 0;
    if (program->rank_count - first >= LANES) {
        const program_operation *operations[LANES];
        uint64_t hashes[LANES];
        together = part[0].count;
        for (int lane = 0; lane < LANES; lane++) {
            operations[lane] = program->operations + part[lane].first;
            hashes[lane] = content_hash_add(0, part[lane].count);
            if (part[lane].count < together) together = part[lane].count;
        }
        for (uint64_t i = 0; i < together; i++)
            for (int lane = 0; lane < LANES; lane++)
                hashes[lane] = hash_operation(hashes[lane], &operations[lane][i]);
        for (int lane = 0; lane < LANES; lane++)
            job->hashes[first + (uint64_t)lane] =
                hash_rest(program, &part[lane], together, hashes[lane]);
        return STATUS_OK;
    }
    for (uint64_t rank = first; rank < program->rank_count; rank++)
        job->hashes[rank] = hash_rest(program, &program->ranks[rank], 0,
                                      content_hash_add(0, program->ranks[rank].count));
    return STATUS_OK;
}

static uint64_t hash_communicator(const program *program, const program_communicator *c) {
    uint64_t hash = content_hash_add(c->handles_synchronise, c->members == PROGRAM_NONE);
    if (c->members != PROGRAM_NONE)
        hash = content_hash_words32(hash, program->communicator_members + c->members, c->size);
    return content_hash_words32(hash, program->communicator_members + c->remote_members,
                                c->remote_size);
}

static uint64_t hash_tables(const program *program) {
    uint64_t hash = content_hash_add(program->communicator_count, program->channel_count);
    for (uint32_t i = 0; i < program->communicator_count; i++)
        hash = content_hash_add(hash, hash_communicator(program, &program->communicators[i]));
    for (uint32_t i = 0; i < program->channel_count; i++)
        hash = content_hash_add(hash, (uint64_t)program->channels[i].communicator << 32 |
                                          (uint32_t)program->channels[i].tag);
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        const program_collective_arguments *arguments = &program->collective_arguments[i];
        hash = content_hash_add(hash, (uint64_t)arguments->kind << 32 | arguments->communicator);
        hash = content_hash_add(hash, (uint64_t)arguments->me << 32 | arguments->root);
        hash = content_hash_add(hash, arguments->send_bytes);
        hash = content_hash_add(hash, arguments->receive_bytes);
    }
    hash = content_hash_words64(hash, program->sizes, (size_t)program->size_count);
    for (uint32_t i = 0; i < program->region_count; i++) {
        hash = content_hash_text(hash, program_text(program, program->regions[i].name));
        hash = content_hash_add(hash, program->regions[i].is_mpi);
    }
    return hash;
}

status_code program_hash(const program *program, unsigned threads, uint64_t *hash, status *status) {
    hash_job job = {program, memory_new(program->rank_count, sizeof *job.hashes)};
    RETURN_ERROR_IF(job.hashes == NULL, status, STATUS_MEMORY, "out of memory for hashing");
    uint64_t groups = ((uint64_t)program->rank_count + LANES - 1) / LANES;
    status_code code = parallel_for(threads, groups, hash_ranks, &job, status);
    if (code == STATUS_OK)
        *hash = content_hash_words64(hash_tables(program), job.hashes, program->rank_count);
    free(job.hashes);
    return code;
}
