/*
 * Walks through each rank's operations as the replay does. A cursor holds the operations that the
 * next operation requires. A non-blocking collective has a cursor of its own, which begins with the
 * cursor at the point where it was posted.
 *
 * Invariant: an operation requires the previously posted one, which required all posted before it.
 * A cursor therefore holds one posted operation, and those that were waited for since.
 */
#include "replay/schedule.h"

#include "core/memory/memory.h"
#include "replay/engine/activations/activation.h"
#include "replay/engine/instant_engine.h"
#include "replay/engine/messages/rma.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/hosts/host_cost.h"
#include "traces/program/program_graph.h"

#include <inttypes.h>
#include <stdlib.h>

struct cursor {
    struct schedule_edge *edges; /* the first is the latest posted or computed operation */
    size_t count, capacity;
};

/* A one-sided operation as its target sees it. */
struct served {
    uint64_t operation;
    uint32_t origin;
    uint32_t rma_operation; /* number among the origin's one-sided operations */
};

/* The operation that was posted in a slot. */
struct walked_slot {
    const struct program_operation *posted;
    uint32_t label; /* 0: complete at once, or no longer required by any operation */
};

struct walker {
    const struct replay_engine *engine;
    schedule_visitor visit;
    void *context;
    uint32_t rank;
    uint8_t cpu;             /* on which the operations run that are emitted now */
    uint32_t label;          /* label of the latest operation */
    uint32_t receives;       /* number of receives posted so far */
    uint32_t rma_operations; /* one-sided operations posted so far */
    struct served *served;   /* all one-sided operations, sorted by target */
    uint64_t *first_served;  /* per rank: index of its first entry in served; rank_count + 1 entries
                                are used */
    uint64_t place;          /* number of the current operation in the rank */
    int64_t calc_ps;         /* computation of the rank so far */
    struct cursor main, side; /* side: of the current non-blocking collective */
    struct walked_slot *slots;
    size_t slot_capacity;
    struct cursor open; /* messages of the current collective for which the step waits */
};

/* Adds an operation to a cursor. If it is already the first, the stricter of the two requirements
 * stays; other operations are never added twice. */
static status_code require(struct cursor *cursor, uint32_t label, bool only_posted,
                           struct status *status) {
    if (cursor->count > 0 && cursor->edges[0].label == label) {
        cursor->edges[0].needs_only_posted = cursor->edges[0].needs_only_posted && only_posted;
        return STATUS_OK;
    }
    FORWARD_IF_ERROR(memory_grow((void **)&cursor->edges, &cursor->capacity, cursor->count + 1,
                                 sizeof *cursor->edges, status));
    cursor->edges[cursor->count++] = (struct schedule_edge){label, only_posted};
    return STATUS_OK;
}

/* Emits an operation that requires all operations of the cursor. Afterwards the cursor holds only
 * this operation. */
static status_code emit(struct walker *walker, struct cursor *cursor,
                        struct schedule_operation *operation, struct status *status) {
    RETURN_ERROR_IF(walker->label >= PROGRAM_NONE - 1, status, STATUS_INPUT,
                    "rank %u: more than %u operations in its schedule", walker->rank,
                    PROGRAM_NONE - 1);
    const struct program *program = walker->engine->program;
    operation->rank = walker->rank;
    operation->label = ++walker->label;
    if (walker->cpu > 0) operation->cpu = walker->cpu;
    operation->call = operation->is_by_nic || program_rank_is_graph(program, walker->rank)
                          ? ""
                          : program_call_name(program, walker->rank, walker->place);
    operation->edges = cursor->edges;
    operation->edge_count = cursor->count;
    FORWARD_IF_ERROR(walker->visit(walker->context, operation, status));
    cursor->count = 0;
    return require(cursor, operation->label, operation->kind != SCHEDULE_CALC, status);
}

static status_code emit_calc(struct walker *walker, struct cursor *cursor, int64_t duration_ps,
                             struct status *status) {
    RETURN_ERROR_IF(duration_ps >= HOST_TIME_LIMIT_PS - walker->calc_ps, status, STATUS_INPUT,
                    "rank %u: its computation adds up to more than the %" PRId64
                    " s (26 days) that can be replayed; scale it down (replay.compute_scale)",
                    walker->rank, HOST_TIME_LIMIT_PS / INT64_C(1000000000000));
    walker->calc_ps += duration_ps;
    struct schedule_operation operation = {.kind = SCHEDULE_CALC, .duration_ps = duration_ps};
    return emit(walker, cursor, &operation, status);
}

static status_code emit_message(struct walker *walker, struct cursor *cursor, schedule_kind kind,
                                uint32_t peer, uint32_t tag, uint64_t size_bytes,
                                struct status *status) {
    struct schedule_operation operation = {
        .kind = kind, .peer = peer, .tag = tag, .size_bytes = size_bytes};
    return emit(walker, cursor, &operation, status);
}

/* ---- messages ---- */

/* Tags. The tag of a point-to-point message is the number of its receive; all messages without a
 * receive share UNMATCHED_TAG. */
#define UNMATCHED_TAG      0x7FFFFFFFu
#define COLLECTIVE_TAG_BIT 0x80000000u
#define TAG_COMMUNICATORS  62 /* number of communicators with different tags */
#define TAG_HANDLES        63u
#define TAG_RMA            62u

/* Returns the tag of a request or a reply, which differ because both may be under way between the
 * same two ranks. */
static uint32_t rma_tag(uint32_t number, bool is_reply) {
    return COLLECTIVE_TAG_BIT | TAG_RMA << 25 | (number % (1u << 24)) << 1 | is_reply;
}

static status_code walk_rma(struct walker *walker, const struct program_operation *operation,
                            struct status *status) {
    uint32_t number = walker->rma_operations++, peer = operation->message.peer;
    FORWARD_IF_ERROR(
        emit_message(walker, &walker->main, SCHEDULE_SEND, peer, rma_tag(number, false),
                     rma_bytes(walker->engine, operation, OPERATION_FLAG_RMA_WRITE), status));
    FORWARD_IF_ERROR(
        emit_message(walker, &walker->main, SCHEDULE_RECEIVE, peer, rma_tag(number, true),
                     rma_bytes(walker->engine, operation, OPERATION_FLAG_RMA_READ), status));
    if (operation->message.slot != PROGRAM_NONE)
        walker->slots[operation->message.slot] = (struct walked_slot){operation, walker->label};
    return STATUS_OK;
}

/* Emits the target's part of a one-sided operation, which requires no other operation of the
 * target. */
static status_code walk_served(struct walker *walker, const struct served *served,
                               struct status *status) {
    const struct program_operation *operation =
        &program_array(walker->engine->program)[served->operation];
    struct schedule_operation request = {
        .kind = SCHEDULE_RECEIVE,
        .peer = served->origin,
        .tag = rma_tag(served->rma_operation, false),
        .size_bytes = rma_bytes(walker->engine, operation, OPERATION_FLAG_RMA_WRITE),
        .is_by_nic = true};
    struct schedule_operation reply = {
        .kind = SCHEDULE_SEND,
        .peer = served->origin,
        .tag = rma_tag(served->rma_operation, true),
        .size_bytes = rma_bytes(walker->engine, operation, OPERATION_FLAG_RMA_READ),
        .is_by_nic = true};
    walker->side.count = 0;
    FORWARD_IF_ERROR(emit(walker, &walker->side, &request, status));
    FORWARD_IF_ERROR(require(&walker->side, walker->label, false, status));
    return emit(walker, &walker->side, &reply, status);
}

/* Requires the operation in a slot, unless it has been required before. */
static status_code require_slot(struct walker *walker, uint32_t slot, struct status *status) {
    uint32_t label = walker->slots[slot].label;
    walker->slots[slot].label = 0;
    return label == 0 ? STATUS_OK : require(&walker->main, label, false, status);
}

static status_code walk_message(struct walker *walker, const struct program_operation *operation,
                                struct status *status) {
    bool sends = operation->kind == OPERATION_SEND,
         matched = operation->message.match != PROGRAM_NONE;
    uint32_t name = sends ? operation->message.match : walker->receives++;
    uint32_t tag = matched ? name % UNMATCHED_TAG : UNMATCHED_TAG;
    uint32_t slot = operation->message.slot;
    if (slot != PROGRAM_NONE) FORWARD_IF_ERROR(require_slot(walker, slot, status));
    if (sends || matched)
        FORWARD_IF_ERROR(emit_message(walker, &walker->main,
                                      sends ? SCHEDULE_SEND : SCHEDULE_RECEIVE,
                                      operation->message.peer, tag, operation->bytes, status));
    if (slot != PROGRAM_NONE)
        walker->slots[slot] = (struct walked_slot){operation, matched ? walker->label : 0};
    return STATUS_OK;
}

/* Walks the wait for one slot. An operation that only gives data away and that a test found
 * complete is not required by this wait; a persistent send is then required by its next start. */
static status_code wait_for(struct walker *walker, uint32_t slot, bool is_tested,
                            struct status *status) {
    const struct program_operation *posted = walker->slots[slot].posted;
    if (!is_tested || !program_only_gives(walker->engine->program, posted))
        return require_slot(walker, slot, status);
    if (posted->kind != OPERATION_SEND || !(posted->flags & OPERATION_FLAG_SEND_PERSISTENT))
        walker->slots[slot].label = 0;
    return STATUS_OK;
}

static status_code walk_wait(struct walker *walker, const struct program_operation *operation,
                             struct status *status) {
    const struct program *program = walker->engine->program;
    bool is_tested = (operation->flags & OPERATION_FLAG_WAIT_TESTED) != 0;
    const uint32_t *slots = program->wait_slots + program->ranks[walker->rank].first_wait_slot;
    slots = operation->wait.count == 1 ? &operation->wait.first : slots + operation->wait.first;
    for (uint32_t i = 0; i < operation->wait.count; i++)
        FORWARD_IF_ERROR(wait_for(walker, slots[i], is_tested, status));
    return STATUS_OK;
}

/* ---- collectives ---- */

/* Returns the tag of a message of a collective. Overlapping collectives differ in communicator,
 * instance or step. The tag keeps these modulo small numbers, which are enough for the few that
 * overlap. */
static uint32_t collective_tag(const struct program *program,
                               const struct program_operation *operation, uint32_t step_tag) {
    const struct program_collective_arguments *arguments =
        &program->collective_arguments[operation->collective.arguments];
    uint32_t communicator = arguments->communicator % TAG_COMMUNICATORS;
    if (arguments->kind == PROGRAM_COLLECTIVE_CREATE_HANDLE) communicator = TAG_HANDLES;
    return COLLECTIVE_TAG_BIT | communicator << 25 | (operation->collective.instance % 2047) << 14 |
           step_tag % 16384;
}

static status_code walk_step(struct walker *walker, struct cursor *cursor,
                             const struct activation_plan *plan, uint32_t number,
                             int64_t *combine_ps, struct status *status) {
    const struct replay_engine *engine = walker->engine;
    struct activation_step step;
    activation_fill_step(engine, plan, number, &step);
    if (step.from != PROGRAM_NONE) {
        uint32_t tag = collective_tag(engine->program, &plan->operation, step.receive_tag);
        FORWARD_IF_ERROR(emit_message(walker, cursor, SCHEDULE_RECEIVE, step.from, tag,
                                      step.receive_bytes, status));
        FORWARD_IF_ERROR(require(&walker->open, walker->label, false, status));
        *combine_ps = host_sum_ps(*combine_ps, step.combine_ps);
    }
    if (step.to != PROGRAM_NONE) {
        uint32_t tag = collective_tag(engine->program, &plan->operation, step.send_tag);
        FORWARD_IF_ERROR(
            emit_message(walker, cursor, SCHEDULE_SEND, step.to, tag, step.send_bytes, status));
        FORWARD_IF_ERROR(require(&walker->open, walker->label, false, status));
    }
    if (!step.completes_before_next && number + 1 < plan->steps) return STATUS_OK;
    for (size_t i = 0; i < walker->open.count; i++)
        FORWARD_IF_ERROR(require(cursor, walker->open.edges[i].label, false, status));
    walker->open.count = 0;
    if (*combine_ps > 0) FORWARD_IF_ERROR(emit_calc(walker, cursor, *combine_ps, status));
    *combine_ps = 0;
    return STATUS_OK;
}

/* Lets the side begin a non-blocking collective where the rank is. What only has to have begun also
 * has to let go of the rank's CPU, so an operation without work joins it there. */
static status_code begin_side(struct walker *walker, struct status *status) {
    bool posted = false;
    for (size_t i = 0; i < walker->main.count; i++)
        posted |= walker->main.edges[i].needs_only_posted;
    if (posted) FORWARD_IF_ERROR(emit_calc(walker, &walker->main, 0, status));
    for (size_t i = 0; i < walker->main.count; i++)
        FORWARD_IF_ERROR(require(&walker->side, walker->main.edges[i].label, false, status));
    return STATUS_OK;
}

static status_code walk_collective(struct walker *walker, const struct program_operation *operation,
                                   uint64_t index, struct status *status) {
    bool blocking = (operation->flags & OPERATION_FLAG_COLLECTIVE_BLOCKING) != 0;
    struct cursor *cursor = blocking ? &walker->main : &walker->side;
    struct activation_plan plan;
    if (!activation_describe(walker->engine, walker->rank, index, &plan)) {
        if (!blocking)
            walker->slots[operation->collective.slot] = (struct walked_slot){operation, 0};
        return STATUS_OK;
    }
    walker->side.count = walker->open.count = 0;
    if (!blocking) {
        FORWARD_IF_ERROR(begin_side(walker, status));
        walker->cpu = (uint8_t)(SCHEDULE_SIDE_CPU + operation->collective.slot %
                                                        (PROGRAM_CPU_LIMIT - SCHEDULE_SIDE_CPU));
    }
    int64_t combine_ps = 0;
    status_code code = STATUS_OK;
    for (uint32_t number = 0; number < plan.steps && code == STATUS_OK; number++)
        code = walk_step(walker, cursor, &plan, number, &combine_ps, status);
    if (!blocking && code == STATUS_OK) {
        code = emit_calc(walker, cursor, 0, status);
        walker->slots[operation->collective.slot] = (struct walked_slot){operation, walker->label};
    }
    walker->cpu = 0;
    return code;
}

/* ---- graphs ---- */

/* Emits a vertex and what it does: work is the operation behind the vertex. */
static status_code walk_vertex(struct walker *walker, const struct program_operation *vertex,
                               struct status *status) {
    const struct program *program = walker->engine->program;
    const struct program_operation *work = vertex + 1;
    const uint32_t *needs = program_vertex_needs(program, walker->rank, vertex);
    struct schedule_operation operation = {.kind = SCHEDULE_CALC,
                                           .cpu = program_vertex_cpu(vertex),
                                           .nic = program_vertex_nic(vertex)};
    if (work->kind == OPERATION_COMPUTE)
        operation.duration_ps =
            host_scaled((uint64_t)work->compute.duration_ps,
                        walker->engine->config.compute_scale_millionths, 1000000);
    if (work->kind == OPERATION_SEND || work->kind == OPERATION_RECEIVE) {
        const struct program_envelope *envelope = &program->envelopes[work->message.envelope];
        operation.kind = work->kind == OPERATION_SEND ? SCHEDULE_SEND : SCHEDULE_RECEIVE;
        operation.peer = work->message.peer;
        operation.size_bytes = work->bytes;
        operation.tag =
            (program->communicators[envelope->communicator].id & 1) << 31 | (uint32_t)envelope->tag;
    }
    walker->side.count = 0;
    for (uint32_t i = 0; i < vertex->wait.count; i++) {
        FORWARD_IF_ERROR(memory_grow((void **)&walker->side.edges, &walker->side.capacity,
                                     walker->side.count + 1, sizeof *walker->side.edges, status));
        walker->side.edges[walker->side.count++] = (struct schedule_edge){
            program_need_vertex(needs[i]) + 1, program_need_only_begun(needs[i])};
    }
    return emit(walker, &walker->side, &operation, status);
}

static status_code walk_graph(struct walker *walker, uint32_t rank, struct status *status) {
    const struct program *program = walker->engine->program;
    const struct program_rank *rank_entry = &program->ranks[rank];
    walker->rank = rank;
    walker->label = 0;
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++)
        if (program_array(program)[i].kind == OPERATION_VERTEX)
            FORWARD_IF_ERROR(walk_vertex(walker, &program_array(program)[i], status));
    return STATUS_OK;
}

/* ---- ranks ---- */

static status_code walk_operation(struct walker *walker, const struct program_operation *operation,
                                  uint64_t index, struct status *status) {
    switch ((program_operation_kind)operation->kind) {
    case OPERATION_COMPUTE:
        return emit_calc(walker, &walker->main,
                         host_scaled((uint64_t)operation->compute.duration_ps,
                                     walker->engine->config.compute_scale_millionths, 1000000),
                         status);
    case OPERATION_SEND:
    case OPERATION_RECEIVE:
        return program_is_one_sided(operation) ? walk_rma(walker, operation, status)
                                               : walk_message(walker, operation, status);
    case OPERATION_COLLECTIVE:
        return walk_collective(walker, operation, index, status);
    case OPERATION_FILE: /* files have no place in a schedule: complete at once */
        if (operation->file.slot != PROGRAM_NONE)
            walker->slots[operation->file.slot] = (struct walked_slot){operation, 0};
        return STATUS_OK;
    case OPERATION_WAIT:
        return walk_wait(walker, operation, status);
    default:
        return STATUS_OK;
    }
}

static status_code walk_rank(struct walker *walker, uint32_t rank, struct status *status) {
    const struct program *program = walker->engine->program;
    const struct program_rank *rank_entry = &program->ranks[rank];
    walker->rank = rank;
    walker->label = walker->receives = walker->rma_operations = 0;
    walker->main.count = 0;
    walker->calc_ps = 0;
    FORWARD_IF_ERROR(memory_grow((void **)&walker->slots, &walker->slot_capacity,
                                 rank_entry->slot_count, sizeof *walker->slots, status));
    for (uint32_t slot = 0; slot < rank_entry->slot_count; slot++)
        walker->slots[slot] = (struct walked_slot){0};
    for (uint64_t i = walker->first_served[rank]; i < walker->first_served[rank + 1]; i++)
        FORWARD_IF_ERROR(walk_served(walker, &walker->served[i], status));
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        walker->place = i;
        FORWARD_IF_ERROR(walk_operation(walker, &program_array(program)[rank_entry->first + i],
                                        rank_entry->first + i, status));
    }
    return STATUS_OK;
}

/* Lists all one-sided operations by target, with a counting sort. first[target + 1] is first the
 * number of operations of lower targets, and then advances to the end of the target's part. */
static status_code find_served(struct walker *walker, struct status *status) {
    const struct program *program = walker->engine->program;
    uint64_t *first = memory_new((size_t)program->rank_count + 2, sizeof *first);
    walker->first_served = first;
    RETURN_ERROR_IF(first == NULL, status, STATUS_MEMORY, "out of memory for one-sided operations");
    for (uint64_t i = 0; i < program->operation_count; i++)
        if (program_is_one_sided(&program_array(program)[i]))
            first[program_array(program)[i].message.peer + 2]++;
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        first[rank + 2] += first[rank + 1];
    walker->served = memory_new(first[program->rank_count + 1], sizeof *walker->served);
    RETURN_ERROR_IF(walker->served == NULL, status, STATUS_MEMORY,
                    "out of memory for one-sided operations");
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const struct program_rank *rank_entry = &program->ranks[rank];
        uint32_t number = 0;
        for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++)
            if (program_is_one_sided(&program_array(program)[i]))
                walker->served[first[program_array(program)[i].message.peer + 1]++] =
                    (struct served){i, rank, number++};
    }
    return STATUS_OK;
}

status_code schedule_visit(const struct program *program, const struct replay_config *config,
                           const struct network_config *network_config, schedule_visitor visit,
                           void *context, struct status *status) {
    struct instant_engine instant;
    struct replay_config without_files = *config;
    without_files.storage = (struct replay_storage){0};
    FORWARD_IF_ERROR(program_make_array(program, status));
    status_code code =
        instant_engine_new(&instant, program, &without_files, network_config, status);
    struct walker walker = {.engine = instant.engine, .visit = visit, .context = context};
    if (code == STATUS_OK) code = find_served(&walker, status);
    for (uint32_t rank = 0; rank < program->rank_count && code == STATUS_OK; rank++)
        code = program_rank_is_graph(program, rank) ? walk_graph(&walker, rank, status)
                                                    : walk_rank(&walker, rank, status);
    free(walker.main.edges);
    free(walker.side.edges);
    free(walker.open.edges);
    free(walker.slots);
    free(walker.served);
    free(walker.first_served);
    instant_engine_free(&instant);
    return code;
}
