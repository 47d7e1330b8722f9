/*
 * The importer sees one call at a time: N·n bytes recorded, or (N-1)·n in place, of which both may
 * be whole. All members of an MPI_Allgatherv call it the same way, with blocks n_j of their own
 * whose sum each of them receives, so all together mostly leave one answer.
 *
 * Must not know archives. Invariant: calls whose members agree and whose sums are right stay as
 * they are. (Of the other collectives all members have the same size, and so the same answer.)
 */
#include "traces/program/program_in_place.h"
#include "core/memory.h"
#include "traces/key_table.h"
#include "traces/program/builder_parts.h"

#include <stdlib.h>

/* What the members of one call say together. */
typedef struct vote {
    wide sum[2];         /* of the blocks: not in place, in place */
    uint32_t against[2]; /* members whose sizes cannot be so */
    uint32_t in_favour;  /* members that were taken to be in place */
} vote;

typedef struct voter {
    program *program;
    const program_posted *posted;
    uint64_t *first;  /* per communicator: its first vote */
    uint64_t *count;  /* and how many it has: calls of the rank with the most */
    uint64_t *number; /* and calls of the rank at hand */
    vote *votes;      /* NULL while calls are being counted */
    key_table index;  /* of arguments; empty until something changes */
    size_t argument_count, argument_capacity;
} voter;

/* A call as recorded. */
typedef struct recorded {
    wide sent;
    uint64_t received;
} recorded;

typedef status_code (*visitor)(voter *voter, program_operation *operation, uint32_t size,
                               vote *vote, status *status);

static bool concerns(const program *program, const program_collective_arguments *arguments) {
    const program_communicator *c = &program->communicators[arguments->communicator];
    return arguments->kind == PROGRAM_ALLGATHERV && c->members != PROGRAM_NONE && c->size > 1 &&
           c->remote_size == 0;
}

static const program_collective_arguments *arguments_of(const program *program,
                                                        const program_operation *operation) {
    return &program->collective_arguments[operation->collective.arguments];
}

/* Calls visit for every call of a rank, and sets the calls' numbers back. */
static status_code visit_rank(voter *voter, uint32_t rank, visitor visit, status *status) {
    program *program = voter->program;
    const program_places *places = &voter->posted->ranks[rank].collectives;
    program_operation *operations = program->operations + program->ranks[rank].first;
    for (size_t i = 0; i < places->count; i++) {
        program_operation *operation = &operations[places->at[i]];
        const program_collective_arguments *arguments = arguments_of(program, operation);
        if (!concerns(program, arguments)) continue;
        uint32_t c = arguments->communicator;
        uint64_t number = voter->number[c]++;
        if (number >= voter->count[c]) voter->count[c] = number + 1;
        vote *vote = voter->votes != NULL ? &voter->votes[voter->first[c] + number] : NULL;
        if (visit != NULL)
            FORWARD_IF_ERROR(visit(voter, operation, program->communicators[c].size, vote, status));
    }
    for (size_t i = 0; i < places->count; i++)
        voter->number[arguments_of(program, &operations[places->at[i]])->communicator] = 0;
    return STATUS_OK;
}

static status_code visit_all(voter *voter, visitor visit, status *status) {
    for (uint32_t rank = 0; rank < voter->program->rank_count; rank++)
        FORWARD_IF_ERROR(visit_rank(voter, rank, visit, status));
    return STATUS_OK;
}

static recorded recorded_of(const program_operation *operation,
                            const program_collective_arguments *arguments, uint32_t size) {
    uint64_t block = arguments->send_bytes;
    if (!(operation->flags & PROGRAM_IN_PLACE))
        return (recorded){(wide)block * size, arguments->receive_bytes};
    return (recorded){(wide)block * (size - 1), arguments->receive_bytes - block};
}

static status_code add_up(voter *voter, program_operation *operation, uint32_t size, vote *vote,
                          status *status) {
    (void)status;
    recorded call = recorded_of(operation, arguments_of(voter->program, operation), size);
    for (uint32_t way = 0; way < 2; way++) {
        vote->sum[way] += call.sent / (size - way);
        vote->against[way] += call.sent % (size - way) != 0;
    }
    vote->in_favour += (operation->flags & PROGRAM_IN_PLACE) != 0;
    return STATUS_OK;
}

static status_code hold_against_sums(voter *voter, program_operation *operation, uint32_t size,
                                     vote *vote, status *status) {
    (void)status;
    recorded call = recorded_of(operation, arguments_of(voter->program, operation), size);
    vote->against[0] += vote->sum[0] != call.received;
    vote->against[1] += vote->sum[1] != call.received + call.sent / (size - 1);
    return STATUS_OK;
}

/* The way that fewer members' sizes speak against; in doubt what most were taken for. */
static bool is_in_place(const vote *vote, uint32_t size) {
    if (vote->against[0] != vote->against[1]) return vote->against[1] < vote->against[0];
    return vote->in_favour > size / 2;
}

/* So that changed arguments are shared with equal ones. */
static status_code index_arguments(voter *voter, status *status) {
    const program *program = voter->program;
    voter->argument_count = voter->argument_capacity = program->collective_argument_count;
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        uint64_t hash = builder_hash_arguments(&program->collective_arguments[i]);
        while (key_table_find(&voter->index, hash) != KEY_TABLE_NONE)
            hash++;
        FORWARD_IF_ERROR(key_table_insert(&voter->index, hash, i, status));
    }
    return STATUS_OK;
}

/* Makes a call what it was decided to be, unless its size cannot be so. */
static status_code apply(voter *voter, program_operation *operation, uint32_t size, vote *vote,
                         status *status) {
    program *program = voter->program;
    bool in_place = is_in_place(vote, size);
    if (in_place == ((operation->flags & PROGRAM_IN_PLACE) != 0)) return STATUS_OK;
    program_collective_arguments arguments = *arguments_of(program, operation);
    recorded call = recorded_of(operation, &arguments, size);
    uint32_t blocks = in_place ? size - 1 : size;
    if (call.sent % blocks != 0 || call.sent / blocks >= PROGRAM_BYTES_LIMIT) return STATUS_OK;
    arguments.send_bytes = (uint64_t)(call.sent / blocks);
    arguments.receive_bytes = call.received + (in_place ? arguments.send_bytes : 0);
    if (arguments.receive_bytes >= PROGRAM_BYTES_LIMIT) return STATUS_OK;
    operation->flags = (operation->flags ^ PROGRAM_IN_PLACE) & 0xFF;
    if (voter->index.count == 0) FORWARD_IF_ERROR(index_arguments(voter, status));
    uint32_t index = 0;
    FORWARD_IF_ERROR(builder_intern(&voter->index, builder_hash_arguments(&arguments), &arguments,
                                    sizeof arguments, (void **)&program->collective_arguments,
                                    &voter->argument_count, &voter->argument_capacity, &index,
                                    status));
    program->collective_argument_count = (uint32_t)voter->argument_count;
    operation->collective.arguments = index;
    return STATUS_OK;
}

/* Leaves only the arguments that are used, in the order of their first use, as sealing does. */
static status_code order_arguments(voter *voter, status *status) {
    program *program = voter->program;
    uint32_t count = program->collective_argument_count, used = 0;
    uint32_t *number = memory_new(count, sizeof *number);
    program_collective_arguments *ordered = memory_new(count, sizeof *ordered);
    if (number == NULL || ordered == NULL) {
        free(number);
        free(ordered);
        return status_set(status, STATUS_MEMORY, "out of memory for collectives");
    }
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const program_places *places = &voter->posted->ranks[rank].collectives;
        program_operation *operations = program->operations + program->ranks[rank].first;
        for (size_t i = 0; i < places->count; i++) {
            uint32_t *index = &operations[places->at[i]].collective.arguments;
            if (number[*index] == 0) {
                ordered[used] = program->collective_arguments[*index];
                number[*index] = ++used;
            }
            *index = number[*index] - 1;
        }
    }
    free(number);
    free(program->collective_arguments);
    program->collective_arguments = ordered;
    program->collective_argument_count = used;
    return STATUS_OK;
}

static status_code vote_all(voter *voter, status *status) {
    FORWARD_IF_ERROR(visit_all(voter, NULL, status));
    uint64_t total = 0;
    for (uint32_t c = 0; c < voter->program->communicator_count; c++) {
        voter->first[c] = total;
        total += voter->count[c];
    }
    voter->votes = memory_new(total, sizeof *voter->votes);
    RETURN_ERROR_IF(voter->votes == NULL, status, STATUS_MEMORY, "out of memory for collectives");
    FORWARD_IF_ERROR(visit_all(voter, add_up, status));
    FORWARD_IF_ERROR(visit_all(voter, hold_against_sums, status));
    FORWARD_IF_ERROR(visit_all(voter, apply, status));
    return voter->index.count > 0 ? order_arguments(voter, status) : STATUS_OK;
}

status_code program_in_place(program *program, const program_posted *posted, status *status) {
    bool is_called = false;
    for (uint32_t i = 0; i < program->collective_argument_count; i++)
        is_called |= concerns(program, &program->collective_arguments[i]);
    if (!is_called) return STATUS_OK;
    size_t communicators = program->communicator_count;
    voter voter = {.program = program,
                   .posted = posted,
                   .first = memory_new(communicators, sizeof *voter.first),
                   .count = memory_new(communicators, sizeof *voter.count),
                   .number = memory_new(communicators, sizeof *voter.number)};
    status_code code = STATUS_OK;
    if (voter.first == NULL || voter.count == NULL || voter.number == NULL)
        code =
            status_set(status, STATUS_MEMORY, "out of memory for %zu communicators", communicators);
    else
        code = vote_all(&voter, status);
    free(voter.first);
    free(voter.count);
    free(voter.number);
    free(voter.votes);
    key_table_free(&voter.index);
    return code;
}
