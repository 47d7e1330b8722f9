/*
 * Names and totals of a program. Must not know where the program comes from.
 */
#include "traces/program/program.h"

#include "core/base/plural.h"
#include "core/base/utf8.h"
#include "core/memory/paging.h"
#include "traces/program/file/program_division.h"
#include "traces/program/program_packed.h"

#include <stdio.h>
#include <stdlib.h>

void program_free(struct program *program) {
    if (program == NULL) return;
    program_division_free(program);
    program_packed_free(program);
    free(program->ranks);
    paging_free_array(program->paging, program->operations);
    paging_free_array(program->paging, program->wait_slots);
    free(program->collective_arguments);
    free(program->sizes);
    free(program->pair_rows);
    free(program->pair_bytes);
    free(program->communicators);
    free(program->communicator_members);
    free(program->topologies);
    free(program->topology_numbers);
    free(program->envelopes);
    free(program->regions);
    free(program->files);
    free(program->notes);
    free(program->strings);
    paging_free(program->paging);
    free(program);
}

const char *program_collective_name(program_collective_kind kind) {
    static const char *const names[] = {
#define COLLECTIVE_NAME(name, text, sized) text,
        PROGRAM_COLLECTIVES(COLLECTIVE_NAME)
#undef COLLECTIVE_NAME
    };
    return kind < PROGRAM_COLLECTIVE_KINDS ? names[kind] : "unknown";
}

bool program_collective_is_sized(program_collective_kind kind) {
    static const bool is_sized[] = {
#define COLLECTIVE_SIZED(name, text, sized) sized,
        PROGRAM_COLLECTIVES(COLLECTIVE_SIZED)
#undef COLLECTIVE_SIZED
    };
    return kind < PROGRAM_COLLECTIVE_KINDS && is_sized[kind];
}

/* Returns true if no other communicator has the same name. A program stores equal texts once; a
 * joined program stores the texts of each part separately. */
static bool is_alone_of_its_name(const struct program *program, uint32_t communicator) {
    uint32_t name = program->communicators[communicator].name;
    for (uint32_t i = 0; i < program->communicator_count; i++)
        if (i != communicator && program->communicators[i].name == name) return false;
    return true;
}

void program_write_communicator(const struct program *program, uint32_t communicator,
                                char text[PROGRAM_COMMUNICATOR_TEXT]) {
    const size_t size = PROGRAM_COMMUNICATOR_TEXT;
    const struct program_communicator *c = &program->communicators[communicator];
    char name[PROGRAM_COMMUNICATOR_TEXT - 48];
    utf8_copy(name, sizeof name, program_text(program, c->name));
    if (*name != '\0' && is_alone_of_its_name(program, communicator))
        snprintf(text, size, "%s", name);
    else if (*name != '\0')
        snprintf(text, size, "communicator %u of the trace (%s)", c->id, name);
    else if (c->remote_size > 0)
        snprintf(text, size, "communicator %u of the trace (%u and %u rank%s)", c->id, c->size,
                 c->remote_size, plural(c->remote_size));
    else
        snprintf(text, size, "communicator %u of the trace (%u rank%s)", c->id, c->size,
                 plural(c->size));
}

uint32_t program_place_of_rank(const struct program *program,
                               const struct program_collective_arguments *arguments,
                               uint32_t rank) {
    const struct program_communicator *c = &program->communicators[arguments->communicator];
    if (c->members == PROGRAM_NONE) return 0;
    bool local = arguments->own_member < c->size &&
                 program->communicator_members[c->members + arguments->own_member] == rank;
    return local ? arguments->own_member : c->size + arguments->own_member;
}

const uint64_t *program_bytes_to_members(const struct program *program,
                                         const struct program_operation *operation, uint32_t rank,
                                         uint32_t *count) {
    const struct program_collective_arguments *arguments =
        &program->collective_arguments[operation->collective.arguments];
    const struct program_communicator *c = &program->communicators[arguments->communicator];
    if (!program_is_paired(arguments->kind) || operation->pair_row_plus_1 == 0) return NULL;
    uint32_t place = program_place_of_rank(program, arguments, rank);
    *count = c->remote_size > 0 && place < c->size ? c->remote_size : c->size;
    return program->pair_bytes + program->pair_rows[operation->pair_row_plus_1 - 1 + place];
}

bool program_has_user_regions(const struct program *program) {
    for (uint32_t i = 0; i < program->region_count; i++)
        if (!program->regions[i].is_mpi) return true;
    return false;
}

const char *program_call_name(const struct program *program, uint32_t rank, uint64_t index) {
    const uint64_t first = program->ranks[rank].first, last = first + index;
    uint64_t at = last;
    struct program_operation operation = *PROGRAM_OPERATION_AT(program, rank, at);
    while (at > first && operation.kind != OPERATION_CALL && operation.kind != OPERATION_RETURN)
        operation = *PROGRAM_OPERATION_AT(program, rank, --at);
    bool in_call = operation.kind == OPERATION_CALL || at == last;
    if (!in_call || (operation.kind != OPERATION_CALL && operation.kind != OPERATION_RETURN))
        return "";
    return program_text(program, program->regions[operation.mark.region].name);
}

bool program_collective_only_gives(const struct program_communicator *communicator,
                                   const struct program_collective_arguments *arguments,
                                   unsigned flags) {
    bool is_inter = communicator->remote_size > 0;
    bool root_is_remote = (flags & OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE) != 0;
    bool is_root = !root_is_remote && arguments->root == arguments->own_member;
    switch ((program_collective_kind)arguments->kind) {
    case PROGRAM_COLLECTIVE_BCAST:
    case PROGRAM_COLLECTIVE_SCATTER:
    case PROGRAM_COLLECTIVE_SCATTERV:
        return is_inter ? !root_is_remote : is_root;
    case PROGRAM_COLLECTIVE_REDUCE:
    case PROGRAM_COLLECTIVE_GATHER:
    case PROGRAM_COLLECTIVE_GATHERV:
        return !is_root;
    case PROGRAM_COLLECTIVE_SCAN:
    case PROGRAM_COLLECTIVE_EXSCAN:
        return arguments->own_member == 0;
    default:
        return false;
    }
}

bool program_only_gives(const struct program *program, const struct program_operation *operation) {
    if (operation->kind == OPERATION_COLLECTIVE) {
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[operation->collective.arguments];
        return program_collective_only_gives(&program->communicators[arguments->communicator],
                                             arguments, operation->flags);
    }
    return operation->kind == OPERATION_SEND && !program_is_one_sided(operation) &&
           (operation->flags & OPERATION_FLAG_SEND_SYNCHRONOUS) == 0;
}

/* Returns the bin of the histogram: the least k with bytes <= 2^k. */
static unsigned size_bin(uint64_t bytes) {
    return bytes <= 1 ? 0 : 64 - (unsigned)__builtin_clzll(bytes - 1);
}

/* Returns about what a rank sends at least in a collective: blocks to or from each other member, or
 * the vector. */
static wide least_bytes(const struct program *program,
                        const struct program_collective_arguments *arguments) {
    const struct program_communicator *communicator =
        &program->communicators[arguments->communicator];
    uint32_t members = communicator->size + communicator->remote_size;
    if (members < 2) return 0;
    bool has_blocks = arguments->kind == PROGRAM_COLLECTIVE_ALLGATHER ||
                      arguments->kind == PROGRAM_COLLECTIVE_ALLTOALL ||
                      arguments->kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK;
    return (wide)arguments->send_bytes * (has_blocks ? members - 1 : 1);
}

static void add_operation(const struct program *program, const struct program_operation *operation,
                          struct program_totals *totals) {
    if (program_is_one_sided(operation)) {
        totals->rma_operations++;
        totals->rma_locks += program_lock_kind(program, operation) != PROGRAM_LOCK_NONE;
        totals->rma_bytes += operation->bytes;
    } else if (operation->kind == OPERATION_SEND && program_is_message(program, operation)) {
        totals->messages++;
        totals->message_bytes += operation->bytes;
        totals->size_histogram[size_bin(operation->bytes)]++;
    } else if (operation->kind == OPERATION_COMPUTE) {
        totals->compute_ps += (uint64_t)operation->compute.duration_ps;
    } else if (operation->kind == OPERATION_COLLECTIVE) {
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[operation->collective.arguments];
        totals->collectives[arguments->kind][!program_is_blocking(operation)]++;
        totals->collective_bytes += least_bytes(program, arguments);
    } else if (operation->kind == OPERATION_FILE) {
        bool writes = (operation->flags & OPERATION_FLAG_FILE_WRITE) != 0;
        totals->file_accesses[writes]++;
        totals->file_bytes[writes] += operation->bytes;
    }
}

void program_totals_add(const struct program *program, uint32_t rank,
                        struct program_totals *totals) {
    const struct program_rank *rank_entry = &program->ranks[rank];
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++)
        add_operation(program, PROGRAM_OPERATION_AT(program, rank, i), totals);
}

void program_totals_join(struct program_totals *totals, const struct program_totals *others) {
    totals->messages += others->messages;
    totals->message_bytes += others->message_bytes;
    totals->rma_operations += others->rma_operations;
    totals->rma_locks += others->rma_locks;
    totals->rma_bytes += others->rma_bytes;
    totals->collective_bytes += others->collective_bytes;
    totals->compute_ps += others->compute_ps;
    for (unsigned kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++)
        for (unsigned i = 0; i < 2; i++)
            totals->collectives[kind][i] += others->collectives[kind][i];
    for (unsigned i = 0; i < 2; i++) {
        totals->file_accesses[i] += others->file_accesses[i];
        totals->file_bytes[i] += others->file_bytes[i];
    }
    for (unsigned bin = 0; bin < sizeof totals->size_histogram / sizeof *totals->size_histogram;
         bin++)
        totals->size_histogram[bin] += others->size_histogram[bin];
}

void program_totals_compute(const struct program *program, struct program_totals *totals) {
    const struct program_totals *found = program_division_totals(program);
    *totals = found != NULL ? *found : (struct program_totals){0};
    for (uint32_t rank = 0; found == NULL && rank < program->rank_count; rank++)
        program_totals_add(program, rank, totals);
}
