/*
 * The importer sees one call at a time: N·n bytes recorded, or (N-1)·n in place, of which both may
 * be whole. Here all calls are there:
 *  - of most kinds all members have the same size: odds say which reading is likelier
 *    (in_place_odds.c);
 *  - members of an MPI_Allgatherv or MPI_Reduce_scatter have blocks n_j of their own, whose sum
 * each of them receives or sends: all together mostly leave one answer, and else odds do;
 *  - members of an MPI_Scan tell by what they send and receive, but for the one in the middle of an
 *    odd number, who sends as much as it receives either way: it has the size of the others.
 *
 * Must not know archives. Invariant: a call is changed only if its recorded size can be so.
 */
#include "traces/program/program_in_place.h"
#include "core/memory.h"
#include "traces/key_table.h"
#include "traces/program/builder_parts.h"
#include "traces/program/in_place_odds.h"

#include <stdlib.h>

/* What the members of one call say together. */
struct vote {
    wide sum[2];         /* of the blocks: not in place, in place */
    uint32_t against[2]; /* members whose sizes cannot be so */
    uint32_t in_favour;  /* members for whom in place is likelier */
    bool has_block;
    uint64_t block; /* of an MPI_Scan, as the first says who is certain */
};

struct voter {
    struct program *program;
    const struct program_posted *posted;
    struct in_place_odds odds;
    bool hears;             /* there are calls whose members are heard together */
    uint64_t *first;        /* per communicator: its first vote */
    uint64_t *count;        /* and how many it has: calls of the rank with the most */
    uint64_t *number;       /* and calls of the rank at hand */
    struct vote *votes;     /* NULL while calls are being counted */
    struct key_table index; /* of arguments; empty until something changes */
    size_t argument_count, argument_capacity;
    uint64_t open_calls;
};

/* A call, with its vote if its members are heard together. */
struct ballot {
    struct program_operation *operation;
    const struct program_collective_arguments *arguments;
    uint32_t size; /* N */
    struct vote *vote;
};

typedef status_code (*visitor)(struct voter *voter, const struct ballot *ballot,
                               struct status *status);

static bool is_scan(const struct program *program,
                    const struct program_collective_arguments *arguments) {
    return arguments->kind == PROGRAM_SCAN &&
           program->communicators[arguments->communicator].members != PROGRAM_NONE;
}

static bool concerns(const struct program *program,
                     const struct program_collective_arguments *arguments) {
    return is_scan(program, arguments) || in_place_concerns(program, arguments);
}

static bool has_own_blocks(const struct program_collective_arguments *arguments) {
    return arguments->kind == PROGRAM_ALLGATHERV || arguments->kind == PROGRAM_REDUCE_SCATTER;
}

/* Its members are heard together. */
static bool is_heard(const struct program_collective_arguments *arguments) {
    return arguments->kind == PROGRAM_SCAN || has_own_blocks(arguments);
}

static const struct program_collective_arguments *
arguments_of(const struct program *program, const struct program_operation *operation) {
    return &program->collective_arguments[operation->collective.arguments];
}

static bool is_in_place(const struct program_operation *operation) {
    return (operation->flags & PROGRAM_IN_PLACE) != 0;
}

/* Calls visit for every call of a rank, and sets the calls' numbers back. */
static status_code visit_rank(struct voter *voter, uint32_t rank, visitor visit,
                              struct status *status) {
    struct program *program = voter->program;
    const struct program_places *places = &voter->posted->ranks[rank].collectives;
    struct program_operation *operations = program->operations + program->ranks[rank].first;
    for (size_t i = 0; i < places->count; i++) {
        (void)program_posted_at(operations, places, i);
        struct ballot ballot = {.operation = &operations[places->at[i]]};
        ballot.arguments = arguments_of(program, ballot.operation);
        if (!concerns(program, ballot.arguments) ||
            (ballot.operation->flags & BUILDER_SIZES_ARE_KNOWN) != 0)
            continue;
        uint32_t c = ballot.arguments->communicator;
        ballot.size = program->communicators[c].size;
        if (is_heard(ballot.arguments)) {
            uint64_t number = voter->number[c]++;
            if (number >= voter->count[c]) voter->count[c] = number + 1;
            if (voter->votes != NULL) ballot.vote = &voter->votes[voter->first[c] + number];
        }
        if (visit != NULL) FORWARD_IF_ERROR(visit(voter, &ballot, status));
    }
    for (size_t i = 0; voter->hears && i < places->count; i++)
        voter->number[arguments_of(program, &operations[places->at[i]])->communicator] = 0;
    return STATUS_OK;
}

static status_code visit_all(struct voter *voter, visitor visit, struct status *status) {
    for (uint32_t rank = 0; rank < voter->program->rank_count; rank++)
        FORWARD_IF_ERROR(visit_rank(voter, rank, visit, status));
    return STATUS_OK;
}

/* ---- blocks of their own ---- */

/* What an MPI_Allgatherv sends and receives, or an MPI_Reduce_scatter receives and sends: as often
 * as it has members to send to or receive from, and the sum of all blocks. */
struct recorded {
    wide own;
    uint64_t sum;
};

static struct recorded recorded_of(const struct ballot *ballot) {
    bool in_place = is_in_place(ballot->operation);
    uint64_t block = in_place_block(ballot->arguments);
    uint64_t sum = ballot->arguments->kind == PROGRAM_REDUCE_SCATTER
                       ? ballot->arguments->send_bytes
                       : ballot->arguments->receive_bytes;
    return (struct recorded){(wide)block * (ballot->size - in_place), in_place ? sum - block : sum};
}

static status_code add_up(struct voter *voter, const struct ballot *ballot, struct status *status) {
    (void)status;
    struct vote *vote = ballot->vote;
    if (!has_own_blocks(ballot->arguments)) return STATUS_OK;
    struct recorded call = recorded_of(ballot);
    for (uint32_t way = 0; way < 2; way++) {
        vote->sum[way] += call.own / (ballot->size - way);
        vote->against[way] += call.own % (ballot->size - way) != 0;
    }
    const struct in_place_class *class = in_place_class_of(&voter->odds, ballot->operation);
    vote->in_favour += class != NULL && class->in_place;
    return STATUS_OK;
}

static status_code hold_against_sums(struct voter *voter, const struct ballot *ballot,
                                     struct status *status) {
    (void)voter, (void)status;
    struct vote *vote = ballot->vote;
    if (!has_own_blocks(ballot->arguments)) return STATUS_OK;
    struct recorded call = recorded_of(ballot);
    vote->against[0] += vote->sum[0] != call.sum;
    vote->against[1] += vote->sum[1] != call.sum + call.own / (ballot->size - 1);
    return STATUS_OK;
}

/* The way that fewer members' sizes speak against; in doubt the likelier one for most. */
static bool is_agreed_in_place(struct voter *voter, const struct ballot *ballot) {
    const struct vote *vote = ballot->vote;
    if (vote->against[0] != vote->against[1]) return vote->against[1] < vote->against[0];
    const struct in_place_class *class = in_place_class_of(&voter->odds, ballot->operation);
    voter->open_calls += class != NULL && class->is_open;
    return vote->in_favour > ballot->size / 2;
}

/* ---- scans ---- */

/* The member that sends as much as it receives either way. */
static bool is_middle(const struct ballot *ballot) {
    return 2 * (uint64_t)ballot->arguments->me + 1 == ballot->size;
}

static status_code ask_for_block(struct voter *voter, const struct ballot *ballot,
                                 struct status *status) {
    (void)voter, (void)status;
    struct vote *vote = ballot->vote;
    if (ballot->arguments->kind != PROGRAM_SCAN || vote->has_block || is_middle(ballot))
        return STATUS_OK;
    vote->has_block = true;
    vote->block = ballot->arguments->send_bytes;
    return STATUS_OK;
}

/* ---- changing calls ---- */

/* So that changed arguments are shared with equal ones. */
static status_code index_arguments(struct voter *voter, struct status *status) {
    const struct program *program = voter->program;
    voter->argument_count = voter->argument_capacity = program->collective_argument_count;
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        uint64_t hash = builder_hash_arguments(&program->collective_arguments[i]);
        while (key_table_find(&voter->index, hash) != KEY_TABLE_NONE)
            hash++;
        FORWARD_IF_ERROR(key_table_insert(&voter->index, hash, i, status));
    }
    return STATUS_OK;
}

/* Gives a call other sizes, and turns MPI_IN_PLACE round. */
static status_code change(struct voter *voter, struct program_operation *operation,
                          uint64_t send_bytes, uint64_t receive_bytes, struct status *status) {
    struct program *program = voter->program;
    if (send_bytes >= PROGRAM_BYTES_LIMIT || receive_bytes >= PROGRAM_BYTES_LIMIT) return STATUS_OK;
    struct program_collective_arguments arguments = *arguments_of(program, operation);
    arguments.send_bytes = send_bytes;
    arguments.receive_bytes = receive_bytes;
    operation->flags = (operation->flags ^ PROGRAM_IN_PLACE) & 0xFF;
    if (voter->index.map.count == 0) FORWARD_IF_ERROR(index_arguments(voter, status));
    uint32_t index = 0;
    FORWARD_IF_ERROR(builder_intern(&voter->index, builder_hash_arguments(&arguments), &arguments,
                                    sizeof arguments, (void **)&program->collective_arguments,
                                    &voter->argument_count, &voter->argument_capacity, &index,
                                    status));
    program->collective_argument_count = (uint32_t)voter->argument_count;
    operation->collective.arguments = index;
    return STATUS_OK;
}

static status_code settle_scan(struct voter *voter, const struct ballot *ballot,
                               struct status *status) {
    uint64_t block = ballot->vote->block, me = ballot->arguments->me;
    if (!is_middle(ballot) || !ballot->vote->has_block) return STATUS_OK;
    bool in_place = is_in_place(ballot->operation);
    uint64_t received = ballot->arguments->send_bytes * (me + 1 - in_place);
    if (ballot->arguments->send_bytes == block || block * (me + in_place) != received)
        return STATUS_OK;
    return change(voter, ballot->operation, block, block, status);
}

static status_code settle(struct voter *voter, const struct ballot *ballot, struct status *status) {
    if (ballot->arguments->kind == PROGRAM_SCAN) return settle_scan(voter, ballot, status);
    const struct in_place_class *class = in_place_class_of(&voter->odds, ballot->operation);
    bool own_blocks = has_own_blocks(ballot->arguments);
    if (!own_blocks && class != NULL) voter->open_calls += class->is_open;
    bool in_place =
        own_blocks ? is_agreed_in_place(voter, ballot) : class != NULL && class->in_place;
    if (in_place == is_in_place(ballot->operation)) return STATUS_OK;
    struct recorded call = recorded_of(ballot);
    uint32_t blocks = ballot->size - in_place;
    if (call.own % blocks != 0 || call.own / blocks >= PROGRAM_BYTES_LIMIT) return STATUS_OK;
    uint64_t block = (uint64_t)(call.own / blocks);
    uint64_t sum = own_blocks ? call.sum + (in_place ? block : 0) : block;
    bool sends_sum = ballot->arguments->kind == PROGRAM_REDUCE_SCATTER;
    return change(voter, ballot->operation, sends_sum ? sum : block, sends_sum ? block : sum,
                  status);
}

/* Leaves only the arguments that are used, in the order of their first use, as sealing does. */
static status_code order_arguments(struct voter *voter, struct status *status) {
    struct program *program = voter->program;
    uint32_t count = program->collective_argument_count, used = 0;
    uint32_t *number = memory_new(count, sizeof *number);
    struct program_collective_arguments *ordered = memory_new(count, sizeof *ordered);
    if (number == NULL || ordered == NULL) {
        free(number);
        free(ordered);
        return status_set(status, STATUS_MEMORY, "out of memory for collectives");
    }
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const struct program_places *places = &voter->posted->ranks[rank].collectives;
        struct program_operation *operations = program->operations + program->ranks[rank].first;
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

static status_code hear_members(struct voter *voter, struct status *status) {
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
    return visit_all(voter, ask_for_block, status);
}

static status_code vote_all(struct voter *voter, struct status *status) {
    FORWARD_IF_ERROR(in_place_odds_find(&voter->odds, voter->program, voter->posted, status));
    if (voter->hears) FORWARD_IF_ERROR(hear_members(voter, status));
    FORWARD_IF_ERROR(visit_all(voter, settle, status));
    return voter->index.map.count > 0 ? order_arguments(voter, status) : STATUS_OK;
}

status_code program_in_place(struct program *program, const struct program_posted *posted,
                             uint64_t *open_calls, struct status *status) {
    *open_calls = 0;
    bool is_called = false, hears = false;
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        const struct program_collective_arguments *arguments = &program->collective_arguments[i];
        bool concerned = concerns(program, arguments);
        is_called |= concerned;
        hears |= concerned && is_heard(arguments);
    }
    if (!is_called) return STATUS_OK;
    size_t communicators = program->communicator_count;
    struct voter voter = {.program = program,
                          .posted = posted,
                          .hears = hears,
                          .first = memory_new(communicators, sizeof *voter.first),
                          .count = memory_new(communicators, sizeof *voter.count),
                          .number = memory_new(communicators, sizeof *voter.number)};
    status_code code = STATUS_OK;
    if (voter.first == NULL || voter.count == NULL || voter.number == NULL)
        code =
            status_set(status, STATUS_MEMORY, "out of memory for %zu communicators", communicators);
    else
        code = vote_all(&voter, status);
    *open_calls = voter.open_calls;
    in_place_odds_free(&voter.odds);
    free(voter.first);
    free(voter.count);
    free(voter.number);
    free(voter.votes);
    key_table_free(&voter.index);
    return code;
}
