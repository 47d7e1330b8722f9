/*
 * Decides MPI_IN_PLACE from all calls of a program. The importer sees one call at a time: N·n
 * recorded bytes, or (N-1)·n bytes in place, and both may give whole blocks. With all calls at
 * hand:
 * - for most kinds all members have the same size, and the odds say which reading is likelier
 *   (in_place_odds.c);
 * - members of an MPI_Allgatherv or MPI_Reduce_scatter have blocks n_j of their own, and each
 *   member receives or sends their sum. The sizes of all members leave one answer in most cases,
 *   and the odds decide in the others;
 * - a member of an MPI_Scan shows the answer by the bytes that it sends and receives, except for
 *   the middle member of an odd number, which sends as much as it receives either way. It gets the
 *   size of the other members.
 *
 * Must not know archives. Invariant: a call changes only if its recorded size allows that.
 */
#include "traces/program/program_in_place.h"
#include "core/memory.h"
#include "traces/program/builder_parts.h"
#include "traces/program/collective_arguments.h"
#include "traces/program/in_place_odds.h"

#include <stdlib.h>

/* What the members of one call tell together. Way 0 is not in place, way 1 is in place. */
struct vote {
    wide sum[2];         /* sum of the members' blocks, for each way */
    uint32_t against[2]; /* members whose sizes exclude the way */
    uint32_t in_favour;  /* members for which in place is likelier */
    bool has_block;
    uint64_t block; /* block of an MPI_Scan, from the first member that is certain */
};

struct voter {
    struct program *program;
    const struct program_posted *posted;
    struct in_place_odds odds;
    bool hears;       /* true if there are calls with votes */
    uint64_t *first;  /* index of each communicator's first vote */
    uint64_t *count;  /* number of votes of each communicator: calls of the member with the most */
    uint64_t *number; /* calls of the current rank on each communicator so far */
    struct vote *votes; /* NULL while calls are being counted */
    struct collective_arguments arguments;
    uint64_t open_calls;
};

/* A call, with its vote if the members are heard together. */
struct ballot {
    struct program_operation *operation;
    const struct program_collective_arguments *arguments;
    uint32_t size; /* N, the number of members */
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

/* Returns true if the members of such a call are heard together. */
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

/* Calls `visit` for every call of a rank that may be in place, and resets the ranks' counts of
 * calls. */
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

/* ---- collectives with a block for each member ---- */

/* What an MPI_Allgatherv sends (own) and receives (sum), or an MPI_Reduce_scatter receives (own)
 * and sends (sum), as recorded. own: the member's block, once for each member to send to or receive
 * from. sum: the sum of all blocks. */
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

/* Returns true if fewer members exclude in place than the other way; if as many do, returns true if
 * in place is likelier for most members. */
static bool is_agreed_in_place(struct voter *voter, const struct ballot *ballot) {
    const struct vote *vote = ballot->vote;
    if (vote->against[0] != vote->against[1]) return vote->against[1] < vote->against[0];
    const struct in_place_class *class = in_place_class_of(&voter->odds, ballot->operation);
    voter->open_calls += class != NULL && class->is_open;
    return vote->in_favour > ballot->size / 2;
}

/* ---- scans ---- */

/* Returns true for the member that sends as much as it receives either way. */
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

/* Gives a call other sizes and inverts PROGRAM_IN_PLACE. */
static status_code change(struct voter *voter, struct program_operation *operation,
                          uint64_t send_bytes, uint64_t receive_bytes, struct status *status) {
    if (send_bytes >= PROGRAM_BYTES_LIMIT || receive_bytes >= PROGRAM_BYTES_LIMIT) return STATUS_OK;
    operation->flags = (operation->flags ^ PROGRAM_IN_PLACE) & 0xFF;
    return collective_arguments_resize(&voter->arguments, operation, send_bytes, receive_bytes,
                                       status);
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
    return collective_arguments_finish(&voter->arguments, status);
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
                          .arguments = {.program = program, .posted = posted},
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
    collective_arguments_free(&voter.arguments);
    return code;
}
