/*
 * The report of ranks that cannot go on: each rank's call and its position in the trace, the
 * message or lock it waits for and the rank it waits for, the cycle if there is one, and the eager
 * threshold that would free the ranks.
 *
 * Called when no event is left. Must not change the state before the text is written.
 */
#include "replay/engine/stall.h"
#include "replay/engine/eager_threshold.h"
#include "replay/engine/engine_gather.h"

#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "traces/program/file/program_division.h"
#include "traces/program/program_graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define RANKS_SHOWN 20

/* Returns whether a rank is blocked for the owner of a transfer. */
static bool is_waited(const struct replay_engine *engine, const struct engine_domain *domain,
                      uint32_t rank_number, uint32_t owner) {
    const struct engine_rank *rank = &engine->ranks[rank_number];
    bool is_ending = rank->phase == ENGINE_RANK_ENDING;
    if (owner == ENGINE_OWNER_NOBODY) return false;
    if (owner == ENGINE_OWNER_DETACHED) return is_ending;
    if (owner & ENGINE_OWNER_ACTIVATION) {
        const struct engine_activation *activation =
            &domain->activations.items[owner & ~ENGINE_OWNER_ACTIVATION];
        const struct program_operation *operation =
            PROGRAM_OPERATION_AT(engine->program, activation->rank, activation->operation);
        if (operation->flags & OPERATION_FLAG_COLLECTIVE_BLOCKING) return true;
        if (activation->is_detached) return is_ending;
        owner = operation->collective.slot;
    }
    uint32_t state = engine->slots[rank->first_slot + owner].state;
    return state == ENGINE_SLOT_WAITED || (state == ENGINE_SLOT_DETACHED && is_ending);
}

static void record_waiting(uint32_t *waits_for, uint32_t rank, uint32_t other) {
    if (other < waits_for[rank]) waits_for[rank] = other;
}

/* Fills in, for each blocked rank, the lowest rank that it waits for, else PROGRAM_NONE. */
static void find_waits(const struct replay_engine *engine, uint32_t *waits_for) {
    for (uint32_t i = 0; i < engine->program->rank_count; i++)
        waits_for[i] = PROGRAM_NONE;
    for (uint32_t i = 0; i < engine->domain_count; i++) {
        const struct engine_domain *domain = &engine->domains[i];
        for (uint32_t k = 0; k < domain->inflight.map.capacity; k++) {
            const struct inflight *entry = &domain->inflight.map.entries[k];
            if (entry->state == INFLIGHT_POSTED &&
                is_waited(engine, domain, entry->key.rank, entry->owner))
                record_waiting(waits_for, entry->key.rank, entry->key.source);
        }
        for (uint32_t k = 0; k < domain->sends.used; k++) {
            const struct engine_send *send = &domain->sends.items[k];
            if (send->rank != PROGRAM_NONE && !send->is_cleared_to_send &&
                is_waited(engine, domain, send->rank, send->owner))
                record_waiting(waits_for, send->rank, send->key.rank);
        }
        for (uint32_t k = 0; k < domain->lock_count; k++) {
            const struct engine_rma_window_lock *lock = &domain->locks[k];
            for (uint32_t r = lock->first; r != PROGRAM_NONE;
                 r = domain->lock_requests.items[r].next)
                record_waiting(waits_for, domain->lock_requests.items[r].source, lock->holder);
        }
    }
}

/* Returns the index of the SEND operation of a send in progress, or rank->current. */
static uint64_t send_operation(const struct replay_engine *engine, const struct engine_rank *rank,
                               const struct engine_send *send) {
    uint64_t index = rank->first;
    for (; index < rank->current; index++) {
        const struct program_operation *operation =
            PROGRAM_OPERATION_AT(engine->program, rank->result.rank, index);
        if (operation->kind == OPERATION_SEND && operation->message.peer == send->key.rank &&
            operation->message.match == send->key.sequence)
            break;
    }
    return index;
}

/* Returns, for a rank at its end, the index of its send to the rank it waits for, or of its part in
 * a collective. */
static uint64_t tested_operation(const struct replay_engine *engine, const struct engine_rank *rank,
                                 uint32_t other) {
    const struct engine_domain *domain = &engine->domains[rank->domain];
    for (uint32_t i = 0; i < domain->sends.used; i++) {
        const struct engine_send *send = &domain->sends.items[i];
        if (send->rank == rank->result.rank && send->key.rank == other &&
            is_waited(engine, domain, send->rank, send->owner) &&
            send->key.communicator == INFLIGHT_POINT_TO_POINT)
            return send_operation(engine, rank, send);
    }
    for (uint32_t i = 0; i < domain->activations.used; i++) {
        const struct engine_activation *activation = &domain->activations.items[i];
        if (activation->rank == rank->result.rank && activation->is_detached)
            return activation->operation;
    }
    return rank->current;
}

/* Returns the index of the operation that the report names: the collective that the rank is in, or
 * the first slot it is blocked for whose message is from or to the rank it waits for. */
static uint64_t blocked_operation(const struct replay_engine *engine,
                                  const struct engine_rank *rank, uint32_t other) {
    const struct program *program = engine->program;
    if (rank->phase == ENGINE_RANK_ENDING) return tested_operation(engine, rank, other);
    if (rank->phase != ENGINE_RANK_WAITING) return rank->current;
    uint32_t slots = program->ranks[rank->result.rank].slot_count;
    uint64_t found = rank->current;
    for (uint32_t i = 0; i < slots; i++) {
        const struct engine_slot *slot = &engine->slots[rank->first_slot + i];
        if (slot->state != ENGINE_SLOT_WAITED) continue;
        found = rank->first + slot->operation;
        const struct program_operation *operation =
            PROGRAM_OPERATION_AT(program, rank->result.rank, found);
        if (operation->kind != OPERATION_COLLECTIVE && operation->message.peer == other) break;
    }
    return found;
}

static bool is_inferred(const struct program_operation *operation) {
    return operation->kind == OPERATION_RECEIVE &&
           (operation->flags & OPERATION_FLAG_RECEIVE_INFERRED) != 0;
}

/* Describes the message of a vertex, by the word of GOAL for a receive. A vertex that waits has
 * one, since its needs are vertices before it. */
static void describe_vertex(const struct replay_engine *engine, uint32_t number,
                            const struct program_operation *operation, struct status *status) {
    const struct program *program = engine->program;
    if (operation->kind != OPERATION_SEND && operation->kind != OPERATION_RECEIVE) return;
    const struct program_envelope *envelope = &program->envelopes[operation->message.envelope];
    /* The id of its communicator is the highest bit of its tag (traces/goal/goal_import.c). */
    uint32_t high = program->communicators[envelope->communicator].id & 1;
    status_append(
        status, "  rank %u: operation %u waits for %s rank %u, tag %u, %" PRIu64 " byte%s", number,
        operation->message.slot,
        operation->kind == OPERATION_SEND ? "the recv of its message to" : "a message from",
        operation->message.peer, high << 31 | (uint32_t)envelope->tag, (uint64_t)operation->bytes,
        plural((uint64_t)operation->bytes));
}

enum { AWAITED_BYTES = 300, PEER_BYTES = 80 };

/* Writes what a blocked operation waits for, such as "a message from rank 3, tag 0, ...". */
static void describe_awaited(char text[AWAITED_BYTES], const struct program *program,
                             const struct program_operation *operation) {
    char communicator[PROGRAM_COMMUNICATOR_TEXT] = "";
    if (operation->kind == OPERATION_COLLECTIVE) {
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[operation->collective.arguments];
        program_write_communicator(program, arguments->communicator, communicator);
        const char *kind = program_collective_name((program_collective_kind)arguments->kind);
        int length = snprintf(text, AWAITED_BYTES, "its part of %s number %u on %s", kind,
                              operation->collective.instance, communicator);
        if (arguments->send_bytes > 0 && !program_collective_is_sized(arguments->kind))
            snprintf(text + length, AWAITED_BYTES - (size_t)length, ", %" PRIu64 " byte%s",
                     arguments->send_bytes, plural(arguments->send_bytes));
    } else if (program_is_one_sided(operation)) {
        program_lock lock = program_lock_kind(program, operation);
        bool locks_all = lock == PROGRAM_LOCK_ALL || lock == PROGRAM_LOCK_ONE;
        snprintf(text, AWAITED_BYTES,
                 locks_all ? "the lock of the whole window at rank %u"
                           : "the lock of rank %u's window",
                 operation->message.peer);
    } else {
        const struct program_envelope *envelope = &program->envelopes[operation->message.envelope];
        bool send = operation->kind == OPERATION_SEND;
        program_write_communicator(program, envelope->communicator, communicator);
        snprintf(text, AWAITED_BYTES, "%s rank %u, tag %" PRId32 ", %s, %" PRIu64 " byte%s%s",
                 send ? "the receive of its message to" : "a message from", operation->message.peer,
                 envelope->tag, communicator, (uint64_t)operation->bytes,
                 plural((uint64_t)operation->bytes), is_inferred(operation) ? ", as inferred" : "");
    }
}

/* Writes which rank the operation waits for, if describe_awaited does not say it already. */
static void describe_other(char text[PEER_BYTES], const struct replay_engine *engine,
                           const struct program_operation *operation, uint32_t other) {
    *text = '\0';
    if (other == PROGRAM_NONE) return;
    bool is_finished = engine->ranks[other].phase == ENGINE_RANK_FINISHED;
    bool is_locked = program_is_one_sided(operation);
    if (!is_finished && !is_locked && operation->kind != OPERATION_COLLECTIVE) return;
    snprintf(text, PEER_BYTES, "%s rank %u%s",
             is_finished ? ", but"
             : is_locked ? ", held by"
                         : ", from",
             other, is_finished ? " has finished" : "");
}

/* Adds a line on what a rank waits for. other: the rank that it waits for; PROGRAM_NONE: unknown.
 */
static void describe_rank(const struct replay_engine *engine, uint32_t number, uint32_t other,
                          struct status *status) {
    const struct program *program = engine->program;
    const struct engine_rank *rank = &engine->ranks[number];
    const uint64_t first = program->ranks[number].first;
    uint64_t index = blocked_operation(engine, rank, other);
    const struct program_operation *operation = PROGRAM_OPERATION_AT(program, number, index);
    if (program_rank_is_graph(program, number)) {
        describe_vertex(engine, number, operation, status);
        return;
    }
    uint64_t call = rank->current;
    while (call > first && PROGRAM_OPERATION_AT(program, number, call)->kind != OPERATION_CALL)
        call--;
    int64_t trace_ns = PROGRAM_OPERATION_AT(program, number, call)->mark.trace_ps / 1000;
    bool is_ending = rank->phase == ENGINE_RANK_ENDING;
    const char *call_name = program_call_name(program, number, rank->current - first);
    char awaited[AWAITED_BYTES], peer[PEER_BYTES];
    describe_awaited(awaited, program, operation);
    describe_other(peer, engine, operation, other);
    status_append(status,
                  "  rank %u: %s waits for %s%s (event %" PRIu64 ", %" PRId64 ".%09" PRId64
                  " s into the trace)",
                  number, is_ending ? "its end" : call_name, awaited, peer,
                  (uint64_t)PROGRAM_OPERATION_AT(program, number, call)->record,
                  trace_ns / 1000000000, trace_ns % 1000000000);
}

/* Follows the waits from each rank and reports the first cycle found. seen[rank] is 1 plus the
 * start of the walk that first reached the rank, so each rank is visited once. */
static void describe_cycle(const struct replay_engine *engine, const uint32_t *waits_for,
                           uint32_t *seen, struct status *status) {
    uint32_t rank_count = engine->program->rank_count;
    for (uint32_t start = 0; start < rank_count; start++) {
        uint32_t rank = start;
        while (rank != PROGRAM_NONE && seen[rank] == 0) {
            seen[rank] = start + 1;
            rank = waits_for[rank];
        }
        if (rank == PROGRAM_NONE || seen[rank] != start + 1) continue;
        char text[400];
        int length = snprintf(text, sizeof text, "%u", rank);
        uint32_t shown = 0, members = 0;
        for (uint32_t next = waits_for[rank];; next = waits_for[next]) {
            members++;
            if (shown < RANKS_SHOWN && length < (int)sizeof text - 20) {
                length += snprintf(text + length, sizeof text - (size_t)length, " -> %u", next);
                shown++;
            }
            if (next == rank) break;
        }
        status_append(status, "these wait for each other%s: %s",
                      members > shown ? " (the first of a longer cycle)" : "", text);
        return;
    }
}

/* Counts the receives without a record in the trace, of ranks that cannot go on, up to each rank's
 * current operation. *rank and *position: the first such rank, and the index of its last such
 * receive.
 */
static uint64_t count_inferred(const struct replay_engine *engine, uint32_t *rank,
                               uint64_t *position) {
    const struct program *program = engine->program;
    uint64_t count = 0;
    *rank = PROGRAM_NONE;
    for (uint32_t i = 0; i < program->rank_count; i++) {
        if (engine->ranks[i].phase == ENGINE_RANK_FINISHED) continue;
        bool is_first = *rank == PROGRAM_NONE;
        for (uint64_t k = program->ranks[i].first; k <= engine->ranks[i].current; k++) {
            if (!is_inferred(PROGRAM_OPERATION_AT(program, i, k))) continue;
            count++;
            if (!is_first) continue;
            *rank = i;
            *position = k;
        }
    }
    return count;
}

/* Reports inferred receives that may be the reason. Returns false if there are none. */
static bool describe_inferred(const struct replay_engine *engine, struct status *status) {
    const struct program *program = engine->program;
    uint32_t rank;
    uint64_t position = 0, count = count_inferred(engine, &rank, &position);
    if (count == 0) return false;
    const char *name = program_call_name(program, rank, position - program->ranks[rank].first);
    while (PROGRAM_OPERATION_AT(program, rank, position)->kind != OPERATION_CALL)
        position--;
    status_append(status,
                  "anax inferred the messages of %" PRIu64
                  " receive%s of these ranks (MPI_Mrecv and MPI_Imrecv leave no record in the "
                  "trace); a wrong guess may be the reason (the last one of rank %u: %s, event "
                  "%" PRIu64 ")",
                  count, plural(count), rank, name,
                  (uint64_t)PROGRAM_OPERATION_AT(program, rank, position)->record);
    return true;
}

static status_code describe_stall(struct replay_engine *engine, uint32_t *waits_for, uint32_t *seen,
                                  struct status *status) {
    uint32_t rank_count = engine->program->rank_count, stuck = 0, shown = 0;
    for (uint32_t i = 0; i < rank_count; i++)
        stuck += engine->ranks[i].phase != ENGINE_RANK_FINISHED;
    find_waits(engine, waits_for);
    status_set(status, STATUS_RUN,
               "replay: %u of %u rank%s cannot go on; nothing is in flight that could free %s",
               stuck, rank_count, plural(rank_count), stuck == 1 ? "it" : "them");
    for (uint32_t i = 0; i < rank_count && shown < RANKS_SHOWN; i++) {
        if (engine->ranks[i].phase == ENGINE_RANK_FINISHED) continue;
        describe_rank(engine, i, waits_for[i], status);
        shown++;
    }
    if (stuck > shown) status_append(status, "  and %u more", stuck - shown);
    describe_cycle(engine, waits_for, seen, status);
    bool inferred = describe_inferred(engine, status);
    int64_t threshold = eager_threshold_from_here_bytes(engine);
    if (threshold < 0) {
        status_append(status, inferred ? "no eager threshold frees them"
                                       : "no eager threshold frees them: the messages of the trace "
                                         "do not let them finish");
        return STATUS_RUN;
    }
    status_append(status,
                  "the program relies on its sends being buffered: an eager threshold of %" PRId64
                  " byte%s or more frees them (mpi.eager_threshold=%" PRId64 "B)",
                  threshold, plural((uint64_t)threshold), threshold);
    return STATUS_RUN;
}

static status_code report_stall(struct replay_engine *engine, struct status *status) {
    uint32_t rank_count = engine->program->rank_count;
    FORWARD_IF_ERROR(program_division_load_all(engine->program->division, status));
    uint32_t *waits_for = memory_new(rank_count, sizeof *waits_for);
    uint32_t *seen = memory_new(rank_count, sizeof *seen);
    status_code code =
        waits_for == NULL || seen == NULL
            ? status_set(status, STATUS_MEMORY, "out of memory for the report of a stalled replay")
            : describe_stall(engine, waits_for, seen, status);
    free(waits_for);
    free(seen);
    return code;
}

/* The facts that decide how a replay has ended. */
struct ending {
    uint64_t sent;
    uint64_t received;
    uint32_t unfinished;
    uint32_t failed; /* lowest domain with a failure; UINT32_MAX: none */
};

static void add_ending(void *context, const void *part) {
    struct ending *sum = context;
    const struct ending *more = part;
    sum->sent += more->sent;
    sum->received += more->received;
    sum->unfinished += more->unfinished;
    if (more->failed < sum->failed) sum->failed = more->failed;
}

static struct ending own_ending(const struct replay_engine *engine) {
    struct ending ending = {.failed = UINT32_MAX};
    for (uint32_t i = 0; i < engine->domain_count; i++) {
        const struct engine_domain *domain = &engine->domains[i];
        if (domain->failure.code != STATUS_OK && ending.failed == UINT32_MAX) ending.failed = i;
        ending.sent += domain->sent;
        ending.received += domain->received;
    }
    for (uint32_t rank = 0; rank < engine->program->rank_count; rank++)
        ending.unfinished += engine->ranks[rank].phase != ENGINE_RANK_FINISHED &&
                             transport_is_here(engine->transport, engine->ranks[rank].domain);
    return ending;
}

/* Gives all processes the failure of a domain, which only the process of that domain has. */
static status_code share_failure(const struct replay_engine *engine, uint32_t failed,
                                 struct status *status) {
    const struct status *failure = &engine->domains[failed].failure;
    status_code code = failure->code;
    if (code != STATUS_OK) status_set(status, code, "%s", failure->text);
    return processes_agree(engine->transport->processes, code, status);
}

/* Gathers the state of all processes in process 0, which writes the report. */
static status_code report_together(struct replay_engine *engine, struct status *status) {
    struct processes *processes = engine->transport->processes;
    FORWARD_IF_ERROR(engine_gather_state(engine, status));
    status_code code = processes_number(processes) == 0 ? report_stall(engine, status) : STATUS_OK;
    return processes_agree(processes, code, status);
}

status_code stall_check(struct replay_engine *engine, struct status *status) {
    struct ending ending = own_ending(engine);
    FORWARD_IF_ERROR(processes_combine(engine->transport->processes, &ending, sizeof ending,
                                       add_ending, status));
    if (ending.failed != UINT32_MAX) return share_failure(engine, ending.failed, status);
    if (ending.unfinished > 0) return report_together(engine, status);
    RETURN_ERROR_IF(ending.sent != ending.received, status, STATUS_RUN,
                    "replay: %" PRIu64 " messages were sent but %" PRIu64
                    " received; this is a fault of the simulator, please report it",
                    ending.sent, ending.received);
    return STATUS_OK;
}
