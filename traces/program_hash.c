/*
 * The content hash: every rank's part is hashed by itself, then the ranks' hashes and the shared
 * tables in their order. Invariant: no byte order, padding or address enters.
 */
#include "traces/program_hash.h"
#include "core/memory.h"
#include "traces/content_hash.h"
#include "core/parallel.h"

#include <stdlib.h>
#include <string.h>

typedef struct hash_job {
    const program *program;
    uint64_t *hashes; /* per rank */
} hash_job;

static uint64_t hash_operation(uint64_t hash, const program_operation *operation) {
    hash = content_hash_add(hash, (uint64_t)operation->value << 16 |
                                      (uint64_t)operation->flags << 8 | operation->kind);
    switch ((program_kind)operation->kind) {
    case PROGRAM_COMPUTE:
        return content_hash_add(hash, (uint64_t)operation->compute.duration_ps);
    case PROGRAM_CALL:
    case PROGRAM_RETURN:
    case PROGRAM_ENTER:
    case PROGRAM_LEAVE:
        hash = content_hash_add(hash, (uint64_t)operation->mark.trace_ps);
        return content_hash_add(hash, operation->mark.region);
    case PROGRAM_SEND:
    case PROGRAM_RECEIVE:
        hash = content_hash_add(hash,
                                (uint64_t)operation->message.peer << 32 | operation->message.match);
        return content_hash_add(hash, (uint64_t)operation->message.slot << 32 |
                                          operation->message.channel);
    case PROGRAM_COLLECTIVE:
        hash = content_hash_add(hash, (uint64_t)operation->collective.arguments << 32 |
                                          operation->collective.slot);
        return content_hash_add(hash, (uint64_t)operation->collective.instance << 32 |
                                          operation->collective.sizes);
    case PROGRAM_WAIT:
        return content_hash_add(hash,
                                (uint64_t)operation->wait.first << 32 | operation->wait.count);
    case PROGRAM_END:
        break;
    }
    return hash;
}

static status_code hash_rank(void *context, unsigned worker, uint64_t rank, status *status) {
    (void)worker;
    (void)status;
    hash_job *job = context;
    const program_rank *part = &job->program->ranks[rank];
    uint64_t hash = content_hash_add(0, part->count);
    for (uint64_t i = 0; i < part->count; i++)
        hash = hash_operation(hash, &job->program->operations[part->first + i]);
    job->hashes[rank] = content_hash_words32(hash, job->program->wait_slots + part->first_wait_slot,
                                             (size_t)part->wait_slot_count);
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
    status_code code = parallel_for(threads, program->rank_count, hash_rank, &job, status);
    if (code == STATUS_OK)
        *hash = content_hash_words64(hash_tables(program), job.hashes, program->rank_count);
    free(job.hashes);
    return code;
}
