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
#include "traces/program/seal/program_in_place.h"
#include "core/memory/memory.h"
#include "traces/program/builder/builder_parts.h"
#include "traces/program/seal/collective_arguments.h"
#include "traces/program/seal/in_place_odds.h"

#include <stdlib.h>

/* What the members of one call tell together. Way 0 is not in place, way 1 is in place. */
struct evidence {
    wide sum[2];         /* sum of the members' blocks, for each way */
    uint32_t against[2]; /* members whose sizes exclude the way */
    uint32_t in_favour;  /* members for which in place is likelier */
    bool has_block;
    uint64_t block; /* block of an MPI_Scan, from the first member that is certain */
};

struct in_place_survey {
    struct program *program;
    const struct program_posted *posted;
    struct in_place_odds odds;
    bool counts_calls; /* true if there are calls with all_evidence */
    uint64_t *first;   /* index of each communicator's first evidence */
    /* [communicator]: number of pieces of evidence, which is that of the calls of its busiest
     * member */
    uint64_t *count;
    uint64_t *calls_so_far;        /* [communicator]: of the current rank */
    struct evidence *all_evidence; /* NULL while calls are being counted */
    struct collective_arguments arguments;
    uint64_t open_calls;
};

/* A call, with its evidence if the members are decided together. */
struct member_call {
    struct program_operation *operation;
    const struct program_collective_arguments *arguments;
    uint32_t size; /* N, the number of members */
    struct evidence *evidence;
};

typedef status_code (*visitor)(struct in_place_survey *survey,
                               const struct member_call *member_call, struct status *status);

static bool is_scan(const struct program *program,
                    const struct program_collective_arguments *arguments) {
    return arguments->kind == PROGRAM_COLLECTIVE_SCAN &&
           program->communicators[arguments->communicator].members != PROGRAM_NONE;
}

static bool concerns(const struct program *program,
                     const struct program_collective_arguments *arguments) {
    return is_scan(program, arguments) || in_place_is_open(program, arguments);
}

static bool has_own_blocks(const struct program_collective_arguments *arguments) {
    return arguments->kind == PROGRAM_COLLECTIVE_ALLGATHERV ||
           arguments->kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER;
}

/* Returns true if the members of such a call are decided together. */
static bool is_decided_together(const struct program_collective_arguments *arguments) {
    return arguments->kind == PROGRAM_COLLECTIVE_SCAN || has_own_blocks(arguments);
}

static const struct program_collective_arguments *
arguments_of(const struct program *program, const struct program_operation *operation) {
    return &program->collective_arguments[operation->collective.arguments];
}

static bool is_in_place(const struct program_operation *operation) {
    return (operation->flags & OPERATION_FLAG_COLLECTIVE_IN_PLACE) != 0;
}

/* Calls `visit` for every call of a rank that may be in place, and resets the ranks' counts of
 * calls. */
static status_code visit_rank(struct in_place_survey *survey, uint32_t rank, visitor visit,
                              struct status *status) {
    struct program *program = survey->program;
    const struct program_places *places = &survey->posted->ranks[rank].collectives;
    for (size_t i = 0; i < places->count; i++) {
        (void)program_posted_at(program, rank, places, i);
        struct member_call member_call = {.operation =
                                              program_posted_collective(program, rank, places, i)};
        member_call.arguments = arguments_of(program, member_call.operation);
        if (!concerns(program, member_call.arguments) ||
            (member_call.operation->flags & BUILDER_SIZES_ARE_KNOWN) != 0)
            continue;
        uint32_t c = member_call.arguments->communicator;
        member_call.size = program->communicators[c].size;
        if (is_decided_together(member_call.arguments)) {
            uint64_t number = survey->calls_so_far[c]++;
            if (number >= survey->count[c]) survey->count[c] = number + 1;
            if (survey->all_evidence != NULL)
                member_call.evidence = &survey->all_evidence[survey->first[c] + number];
        }
        if (visit != NULL) FORWARD_IF_ERROR(visit(survey, &member_call, status));
    }
    for (size_t i = 0; survey->counts_calls && i < places->count; i++)
        survey->calls_so_far[arguments_of(program,
                                          program_posted_collective(program, rank, places, i))
                                 ->communicator] = 0;
    return STATUS_OK;
}

static status_code visit_all(struct in_place_survey *survey, visitor visit, struct status *status) {
    for (uint32_t rank = 0; rank < survey->program->rank_count; rank++)
        FORWARD_IF_ERROR(visit_rank(survey, rank, visit, status));
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

static struct recorded recorded_of(const struct member_call *member_call) {
    bool in_place = is_in_place(member_call->operation);
    uint64_t block = in_place_block(member_call->arguments);
    uint64_t sum = member_call->arguments->kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER
                       ? member_call->arguments->send_bytes
                       : member_call->arguments->receive_bytes;
    return (struct recorded){(wide)block * (member_call->size - in_place),
                             in_place ? sum - block : sum};
}

static status_code add_up(struct in_place_survey *survey, const struct member_call *member_call,
                          struct status *status) {
    (void)status;
    struct evidence *evidence = member_call->evidence;
    if (!has_own_blocks(member_call->arguments)) return STATUS_OK;
    struct recorded call = recorded_of(member_call);
    for (uint32_t way = 0; way < 2; way++) {
        evidence->sum[way] += call.own / (member_call->size - way);
        evidence->against[way] += call.own % (member_call->size - way) != 0;
    }
    const struct in_place_class *class = in_place_class_of(&survey->odds, member_call->operation);
    evidence->in_favour += class != NULL && class->in_place;
    return STATUS_OK;
}

static status_code compare_with_sums(struct in_place_survey *survey,
                                     const struct member_call *member_call, struct status *status) {
    (void)survey, (void)status;
    struct evidence *evidence = member_call->evidence;
    if (!has_own_blocks(member_call->arguments)) return STATUS_OK;
    struct recorded call = recorded_of(member_call);
    evidence->against[0] += evidence->sum[0] != call.sum;
    evidence->against[1] += evidence->sum[1] != call.sum + call.own / (member_call->size - 1);
    return STATUS_OK;
}

/* Returns true if fewer members exclude in place than the other way; if as many do, returns true if
 * in place is likelier for most members. */
static bool is_agreed_in_place(struct in_place_survey *survey,
                               const struct member_call *member_call) {
    const struct evidence *evidence = member_call->evidence;
    if (evidence->against[0] != evidence->against[1])
        return evidence->against[1] < evidence->against[0];
    const struct in_place_class *class = in_place_class_of(&survey->odds, member_call->operation);
    survey->open_calls += class != NULL && class->is_open;
    return evidence->in_favour > member_call->size / 2;
}

/* ---- scans ---- */

/* Returns true for the member that sends as much as it receives either way. */
static bool is_middle(const struct member_call *member_call) {
    return 2 * (uint64_t)member_call->arguments->own_member + 1 == member_call->size;
}

static status_code ask_for_block(struct in_place_survey *survey,
                                 const struct member_call *member_call, struct status *status) {
    (void)survey, (void)status;
    struct evidence *evidence = member_call->evidence;
    if (member_call->arguments->kind != PROGRAM_COLLECTIVE_SCAN || evidence->has_block ||
        is_middle(member_call))
        return STATUS_OK;
    evidence->has_block = true;
    evidence->block = member_call->arguments->send_bytes;
    return STATUS_OK;
}

/* ---- changing calls ---- */

/* Gives a call other sizes and inverts OPERATION_FLAG_COLLECTIVE_IN_PLACE. */
static status_code change(struct in_place_survey *survey, struct program_operation *operation,
                          uint64_t send_bytes, uint64_t receive_bytes, struct status *status) {
    if (send_bytes >= PROGRAM_BYTES_LIMIT || receive_bytes >= PROGRAM_BYTES_LIMIT) return STATUS_OK;
    operation->flags = (operation->flags ^ OPERATION_FLAG_COLLECTIVE_IN_PLACE) & 0xFF;
    return collective_arguments_resize(&survey->arguments, operation, send_bytes, receive_bytes,
                                       status);
}

static status_code settle_scan(struct in_place_survey *survey,
                               const struct member_call *member_call, struct status *status) {
    uint64_t block = member_call->evidence->block, me = member_call->arguments->own_member;
    if (!is_middle(member_call) || !member_call->evidence->has_block) return STATUS_OK;
    bool in_place = is_in_place(member_call->operation);
    uint64_t received = member_call->arguments->send_bytes * (me + 1 - in_place);
    if (member_call->arguments->send_bytes == block || block * (me + in_place) != received)
        return STATUS_OK;
    return change(survey, member_call->operation, block, block, status);
}

static status_code settle_call(struct in_place_survey *survey,
                               const struct member_call *member_call, struct status *status) {
    if (member_call->arguments->kind == PROGRAM_COLLECTIVE_SCAN)
        return settle_scan(survey, member_call, status);
    const struct in_place_class *class = in_place_class_of(&survey->odds, member_call->operation);
    bool own_blocks = has_own_blocks(member_call->arguments);
    if (!own_blocks && class != NULL) survey->open_calls += class->is_open;
    bool in_place =
        own_blocks ? is_agreed_in_place(survey, member_call) : class != NULL && class->in_place;
    if (in_place == is_in_place(member_call->operation)) return STATUS_OK;
    struct recorded call = recorded_of(member_call);
    uint32_t blocks = member_call->size - in_place;
    if (call.own % blocks != 0 || call.own / blocks >= PROGRAM_BYTES_LIMIT) return STATUS_OK;
    uint64_t block = (uint64_t)(call.own / blocks);
    uint64_t sum = own_blocks ? call.sum + (in_place ? block : 0) : block;
    bool sends_sum = member_call->arguments->kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER;
    return change(survey, member_call->operation, sends_sum ? sum : block, sends_sum ? block : sum,
                  status);
}

static status_code collect_evidence(struct in_place_survey *survey, struct status *status) {
    FORWARD_IF_ERROR(visit_all(survey, NULL, status));
    uint64_t total = 0;
    for (uint32_t c = 0; c < survey->program->communicator_count; c++) {
        survey->first[c] = total;
        total += survey->count[c];
    }
    survey->all_evidence = memory_new(total, sizeof *survey->all_evidence);
    RETURN_ERROR_IF(survey->all_evidence == NULL, status, STATUS_MEMORY,
                    "out of memory for collectives");
    FORWARD_IF_ERROR(visit_all(survey, add_up, status));
    FORWARD_IF_ERROR(visit_all(survey, compare_with_sums, status));
    return visit_all(survey, ask_for_block, status);
}

static status_code decide_all(struct in_place_survey *survey, struct status *status) {
    FORWARD_IF_ERROR(in_place_odds_find(&survey->odds, survey->program, survey->posted, status));
    if (survey->counts_calls) FORWARD_IF_ERROR(collect_evidence(survey, status));
    FORWARD_IF_ERROR(visit_all(survey, settle_call, status));
    return collective_arguments_finish(&survey->arguments, status);
}

status_code program_decide_in_place(struct program *program, const struct program_posted *posted,
                                    uint64_t *open_calls, struct status *status) {
    *open_calls = 0;
    bool is_called = false, counts_calls = false;
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        const struct program_collective_arguments *arguments = &program->collective_arguments[i];
        bool concerned = concerns(program, arguments);
        is_called |= concerned;
        counts_calls |= concerned && is_decided_together(arguments);
    }
    if (!is_called) return STATUS_OK;
    size_t communicators = program->communicator_count;
    struct in_place_survey survey = {.program = program,
                                     .posted = posted,
                                     .arguments = {.program = program, .posted = posted},
                                     .counts_calls = counts_calls,
                                     .first = memory_new(communicators, sizeof *survey.first),
                                     .count = memory_new(communicators, sizeof *survey.count),
                                     .calls_so_far =
                                         memory_new(communicators, sizeof *survey.calls_so_far)};
    status_code code = STATUS_OK;
    if (survey.first == NULL || survey.count == NULL || survey.calls_so_far == NULL)
        code =
            status_set(status, STATUS_MEMORY, "out of memory for %zu communicators", communicators);
    else
        code = decide_all(&survey, status);
    *open_calls = survey.open_calls;
    in_place_odds_free(&survey.odds);
    free(survey.first);
    free(survey.count);
    free(survey.calls_so_far);
    free(survey.all_evidence);
    collective_arguments_free(&survey.arguments);
    return code;
}
