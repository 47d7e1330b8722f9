/* Replays on ideal machines without a queue of events: ranks and collectives are advanced in turn,
 * each until it must wait for something whose time is not known yet. */
#include "replay/ideal/ideal_flow.h"
#include "replay/ideal/flow_state.h"

#include "core/memory/memory.h"
#include "replay/engine/engine.h"
#include "replay/engine/messages/storage.h"
#include "replay/engine/messages/transfer.h"
#include "replay/engine/ranks/rank_time.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/engine/state/message.h"
#include "traces/program/file/program_read_ahead.h"
#include "traces/program/program_marks.h"

#include <stdlib.h>

/* Most operations that a rank carries out in one turn, so that no rank is far ahead of those that
 * receive its messages. */
#define OPERATIONS_PER_TURN 256u

/* Most unmatched messages and receives: this many per rank, but at least MESSAGES_MIN. */
#define MESSAGES_PER_RANK 64u
#define MESSAGES_MIN      1048576u

/* ---------------------------------------------------------------- collectives */

static struct inflight_key key_of_message(const struct flow *flow,
                                          const struct activation_plan *plan, uint32_t receiver,
                                          uint32_t sender, uint32_t tag) {
    const uint32_t communicator =
        flow->task->program->collective_arguments[plan->operation.collective.arguments]
            .communicator;
    /* CREATE_HANDLEs have instance numbers of their own. */
    const uint32_t apart = plan->call.kind == PROGRAM_COLLECTIVE_CREATE_HANDLE ? 0x80000000u : 0;
    return (struct inflight_key){.rank = receiver,
                                 .source = sender,
                                 .communicator = communicator | apart,
                                 .sequence = plan->operation.collective.instance,
                                 .tag = tag};
}

static uint32_t world_rank(const struct flow *flow, const struct activation_plan *plan,
                           uint32_t member) {
    const uint32_t communicator =
        flow->task->program->collective_arguments[plan->operation.collective.arguments]
            .communicator;
    return engine_rank_of_member(flow->engine, communicator, member, plan->rank);
}

static void begin_receive(struct flow *flow, struct flow_collective *collective, uint32_t waiter,
                          const struct collective_step *step) {
    const struct activation_plan *plan = &collective->plan;
    const uint64_t size_bytes =
        collective_bytes(&plan->call, step, step->receive, step->from, plan->call.own_member);
    if (size_bytes == 0 && collective_skips_empty(step->layout)) return;
    for (unsigned index = 0; index < 2 && step->combine > 0; index++) {
        const int64_t cost_ps =
            host_cost_ps(size_bytes, 0, flow->configs[index]->reduction_per_kib_ps);
        for (unsigned i = 0; i < step->combine; i++)
            collective->combine.ps[index] = host_sum_ps(collective->combine.ps[index], cost_ps);
    }
    const struct inflight_key key = key_of_message(
        flow, plan, plan->rank, world_rank(flow, plan, step->from), step->tag + step->lead);
    collective->waiter.pending += flow_receive(flow, &key, waiter, &collective->waiter.clock);
}

static void begin_send(struct flow *flow, struct flow_collective *collective, uint32_t owner,
                       const struct collective_step *step) {
    const struct activation_plan *plan = &collective->plan;
    const uint64_t size_bytes =
        collective_bytes(&plan->call, step, step->send, plan->call.own_member, step->to);
    if (size_bytes == 0 && collective_skips_empty(step->layout)) return;
    const replay_message_path path = transfer_path(flow->engine, owner, size_bytes, 0);
    const struct inflight_key key =
        key_of_message(flow, plan, world_rank(flow, plan, step->to), plan->rank, step->tag);
    const struct flow_costs *costs = flow_costs_of(
        flow, message_cost_path(flow->engine, key.source, key.rank, path), size_bytes);
    const struct flow_cost completion = costs->completion;
    flow_spend(flow, &collective->waiter.clock, &costs->send);
    collective->waiter.pending += path != REPLAY_MESSAGE_COPIED;
    flow_send(flow, &key, owner, path, size_bytes, &collective->waiter.clock);
    flow_spend(flow, &collective->waiter.clock, &completion);
}

/* Begins steps up to and including the next one that must be complete before its successor begins.
 */
static void begin_steps(struct flow *flow, uint32_t index) {
    struct flow_collective *collective = &flow->collectives.items[index];
    bool wait = false;
    while (collective->step < collective->plan.steps && !wait && flow->stop == FLOW_GOES_ON) {
        struct collective_step step;
        collective_describe(collective->plan.algorithm, &collective->plan.call, collective->step++,
                            &step);
        if (step.is_by_nic) flow_give_up(flow);
        if (step.from != COLLECTIVE_NOBODY)
            begin_receive(flow, collective, flow->task->program->rank_count + index, &step);
        if (step.to != COLLECTIVE_NOBODY)
            begin_send(flow, collective, ENGINE_OWNER_ACTIVATION | index, &step);
        wait = step.completes_before_next;
    }
}

/* Advances a collective until it must wait. Returns true if it is complete. */
static bool advance_collective(struct flow *flow, uint32_t index) {
    struct flow_collective *collective = &flow->collectives.items[index];
    while (flow->stop == FLOW_GOES_ON) {
        flow_take_in(flow, &collective->waiter);
        flow_spend(flow, &collective->waiter.clock, &collective->combine);
        collective->combine = (struct flow_cost){{0, 0}};
        if (collective->step == collective->plan.steps) return true;
        begin_steps(flow, index);
        collective->waiter.is_blocked = collective->waiter.pending > 0;
        if (collective->waiter.is_blocked) return false;
    }
    return false;
}

static bool is_blocking(const struct activation_plan *plan) {
    return (plan->operation.flags & OPERATION_FLAG_COLLECTIVE_BLOCKING) != 0;
}

/* Ends a collective: its rank goes on, or its slot is done. */
static void end_collective(struct flow *flow, uint32_t index) {
    const struct flow_collective *collective = &flow->collectives.items[index];
    const uint32_t rank = collective->plan.rank;
    const struct flow_times end = collective->waiter.clock;
    if (is_blocking(&collective->plan))
        flow->ranks[rank].waiter.clock = end;
    else
        flow_slot_done(flow, rank, collective->plan.operation.collective.slot, &end);
    flow_collective_pool_give(&flow->collectives, index);
}

/* Begins a collective. Returns false if the rank must wait for its end. */
static bool begin_collective(struct flow *flow, uint32_t rank, uint64_t operation) {
    struct activation_plan plan;
    struct flow_rank *of = &flow->ranks[rank];
    const bool has_steps = activation_describe(flow->engine, rank, operation, &plan);
    if (!is_blocking(&plan))
        flow->slots[of->first_slot + plan.operation.collective.slot] = (struct flow_slot){
            .state = has_steps ? FLOW_SLOT_PENDING : FLOW_SLOT_COMPLETE, .is_collective = true};
    if (!has_steps) return true;
    const uint32_t index = flow_collective_pool_take(&flow->collectives);
    if (index == POOL_NONE) {
        flow->stop = FLOW_OUT_OF_MEMORY;
        return false;
    }
    flow->collectives.items[index] = (struct flow_collective){
        .waiter = {.clock = of->waiter.clock, .arrived = POOL_NONE}, .plan = plan};
    if (!advance_collective(flow, index)) return !is_blocking(&plan);
    end_collective(flow, index);
    return true;
}

/* ---------------------------------------------------------------- operations of a rank */

static void add_compute(struct flow *flow, uint32_t rank, uint64_t number, int64_t duration_ps) {
    const struct replay_engine *engine = flow->engine;
    struct flow_times *clock = &flow->ranks[rank].waiter.clock;
    int64_t time_ps = 0;
    for (unsigned machine = 0; machine < IDEAL_RUNS; machine++) {
        if (machine == 0 || engine->hosts != NULL)
            time_ps = rank_duration_ps(engine, &engine->ranks[rank], number, clock->ps[machine],
                                       duration_ps);
        if (time_ps >= HOST_TIME_LIMIT_PS - clock->ps[machine])
            flow_give_up(flow);
        else
            clock->ps[machine] += time_ps;
    }
}

static void post_send(struct flow *flow, uint32_t rank, const struct program_operation *operation) {
    struct flow_rank *of = &flow->ranks[rank];
    const bool has_slot = (operation->flags & OPERATION_FLAG_DETACHED) == 0;
    const bool is_matched = operation->message.match != PROGRAM_NONE;
    const uint32_t owner = has_slot ? operation->message.slot : ENGINE_OWNER_NOBODY;
    const uint64_t size_bytes = operation->bytes;
    const replay_message_path path =
        is_matched ? transfer_path(flow->engine, owner, size_bytes, operation->flags)
                   : REPLAY_MESSAGE_COPIED;
    const struct flow_costs *costs = flow_costs_of(
        flow, message_cost_path(flow->engine, rank, operation->message.peer, path), size_bytes);
    const struct flow_cost completion = costs->completion;
    flow_spend(flow, &of->waiter.clock, &costs->send);
    if (has_slot) {
        struct flow_slot *slot = &flow->slots[of->first_slot + owner];
        slot->state = path == REPLAY_MESSAGE_COPIED ? FLOW_SLOT_COMPLETE : FLOW_SLOT_PENDING;
        slot->is_collective = false;
    }
    if (is_matched) {
        const struct inflight_key key = {.rank = operation->message.peer,
                                         .source = rank,
                                         .communicator = INFLIGHT_POINT_TO_POINT,
                                         .sequence = operation->message.match};
        flow_send(flow, &key, owner, path, size_bytes, &of->waiter.clock);
    }
    flow_spend(flow, &of->waiter.clock, &completion);
}

static struct inflight_key key_of_receive(uint32_t rank, uint32_t source, uint32_t number) {
    return (struct inflight_key){.rank = rank,
                                 .source = source,
                                 .communicator = INFLIGHT_POINT_TO_POINT,
                                 .sequence = number};
}

/* Posts a receive. The entry that messages find is made here only if the message may be sent by
 * rendezvous, or if the rank never waits for it. The receives of smaller messages get their entry
 * when the rank waits (wait_for). If a small message is sent by rendezvous (a synchronous send) and
 * a deadlock follows, replays with events find the times. */
static void post_receive(struct flow *flow, uint32_t rank,
                         const struct program_operation *operation) {
    struct flow_rank *of = &flow->ranks[rank];
    const bool has_slot = (operation->flags & OPERATION_FLAG_DETACHED) == 0;
    const bool is_matched = operation->message.match != PROGRAM_NONE;
    const uint32_t number = of->receives++, source = operation->message.peer;
    if (has_slot) {
        struct flow_slot *slot = &flow->slots[of->first_slot + operation->message.slot];
        slot->state = is_matched ? FLOW_SLOT_RECEIVES : FLOW_SLOT_COMPLETE;
        slot->is_collective = false;
        slot->source = source;
        slot->receive = number;
        slot->posted = of->waiter.clock;
    }
    const bool is_small = operation->bytes <= (uint64_t)flow->engine->config.eager_threshold_bytes;
    if (!is_matched || (has_slot && is_small)) return;
    const struct inflight_key key = key_of_receive(rank, source, number);
    flow_receive(flow, &key, has_slot ? FLOW_NO_WAITER : FLOW_NOBODY, &of->waiter.clock);
}

/* Begins the wait of a rank for one of its slots. */
static void wait_for(struct flow *flow, uint32_t rank, struct flow_slot *slot) {
    static const struct flow_cost nothing = {{0, 0}};
    struct flow_rank *of = &flow->ranks[rank];
    if (slot->state == FLOW_SLOT_RECEIVES) {
        const struct inflight_key key = key_of_receive(rank, slot->source, slot->receive);
        of->waiter.pending += flow_receive(flow, &key, rank, &slot->posted);
    } else if (slot->state == FLOW_SLOT_PENDING) {
        slot->state = FLOW_SLOT_WAITED;
        of->waiter.pending++;
    } else if (slot->state == FLOW_SLOT_DONE) {
        flow_arrive(flow, rank, &slot->done, &nothing);
    }
}

/* Begins a wait. Returns false if the rank is blocked. Gives up at tests, and at a wait for a
 * collective together with something else: the collective's end may be known, and taken in, before
 * things that come earlier. */
static bool begin_wait(struct flow *flow, uint32_t rank,
                       const struct program_operation *operation) {
    const struct program *program = flow->task->program;
    struct flow_rank *of = &flow->ranks[rank];
    const uint32_t *slots = &operation->wait.first;
    const uint32_t count = operation->wait.count;
    if (count > 1)
        slots = &program->wait_slots[program->ranks[rank].first_wait_slot + operation->wait.first];
    if ((operation->flags & OPERATION_FLAG_WAIT_TESTED) != 0) flow_give_up(flow);
    for (uint32_t i = 0; i < count; i++) {
        const struct flow_slot *slot = &flow->slots[of->first_slot + slots[i]];
        const struct inflight_key key = key_of_receive(rank, slot->source, slot->receive);
        if (slot->state == FLOW_SLOT_RECEIVES) flow_fetch(flow, &key);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct flow_slot *slot = &flow->slots[of->first_slot + slots[i]];
        if (slot->is_collective && count > 1) flow_give_up(flow);
        wait_for(flow, rank, slot);
    }
    of->is_waiting = true;
    of->waiter.is_blocked = of->waiter.pending > 0;
    return !of->waiter.is_blocked;
}

static void end_wait(struct flow *flow, struct flow_rank *of) {
    flow_take_in(flow, &of->waiter);
    of->is_waiting = false;
}

/* Begins an operation that is no mark. Returns false if the rank cannot go on after it. */
static bool begin_operation(struct flow *flow, uint32_t rank,
                            const struct program_operation *operation) {
    struct flow_rank *of = &flow->ranks[rank];
    switch ((program_operation_kind)operation->kind) {
    case OPERATION_COMPUTE:
        add_compute(flow, rank, of->current - flow->engine->ranks[rank].first,
                    operation->compute.duration_ps);
        return true;
    case OPERATION_SEND:
        if (program_is_one_sided(operation)) break;
        post_send(flow, rank, operation);
        return true;
    case OPERATION_RECEIVE:
        post_receive(flow, rank, operation);
        return true;
    case OPERATION_COLLECTIVE:
        return begin_collective(flow, rank, of->current);
    case OPERATION_WAIT:
        if (!begin_wait(flow, rank, operation)) return false;
        end_wait(flow, of);
        return true;
    case OPERATION_END:
        of->is_finished = true;
        return false;
    case OPERATION_FILE:
        if (storage_takes_time(flow->engine, operation)) break;
        if (operation->file.slot != PROGRAM_NONE)
            flow->slots[of->first_slot + operation->file.slot] =
                (struct flow_slot){.state = FLOW_SLOT_COMPLETE};
        return true;
    default:
        break;
    }
    flow_give_up(flow);
    return false;
}

/* Carries out operations of a rank until it must wait or its turn is over. */
HINT_NOINLINE static void run_rank(struct flow *flow, uint32_t rank) {
    const struct program *program = flow->task->program;
    struct flow_rank *of = &flow->ranks[rank];
    program_read_ahead_advance(flow->engine->ahead, rank, of->current);
    for (unsigned done = 0; done < OPERATIONS_PER_TURN; done++) {
        program_operation_kind kind;
        uint32_t region;
        while (program_read_mark(program, rank, of->current, &kind, &region))
            of->current++;
        program_prefetch(program, rank, of->current, 512);
        struct program_operation room;
        const struct program_operation *operation =
            program_operation_at(program, rank, of->current, &room);
        if (program_is_mark(operation)) {
            of->current++;
            continue;
        }
        if (!begin_operation(flow, rank, operation) || flow->stop != FLOW_GOES_ON) return;
        of->current++;
    }
    flow_make_ready(flow, rank);
}

/* ---------------------------------------------------------------- all ranks */

/* Advances a waiter, which is a rank or a collective. */
static void advance_waiter(struct flow *flow, uint32_t waiter) {
    uint32_t rank = waiter;
    bool ends_wait = true;
    if (waiter >= flow->task->program->rank_count) {
        const uint32_t index = waiter - flow->task->program->rank_count;
        const bool blocks = is_blocking(&flow->collectives.items[index].plan);
        rank = flow->collectives.items[index].plan.rank;
        if (!advance_collective(flow, index)) return;
        end_collective(flow, index);
        if (!blocks) return;
    } else if (flow->ranks[rank].is_waiting) {
        end_wait(flow, &flow->ranks[rank]);
    } else {
        ends_wait = false;
    }
    struct flow_rank *of = &flow->ranks[rank];
    const uint64_t from = of->current;
    of->current += ends_wait;
    run_rank(flow, rank);
    flow->done += of->current - from;
}

/* Prefetches the state of the waiters that come next. */
PREFETCH_FUNCTION void fetch_ready(const struct flow *flow) {
    const struct program *program = flow->task->program;
    const uint32_t mask = flow->ready_capacity - 1;
    if (flow->ready_count < 4) return;
    const uint32_t soon = flow->ready[(flow->ready_first + 3) & mask];
    const uint32_t next = flow->ready[(flow->ready_first + 1) & mask];
    if (soon < program->rank_count)
        for (size_t line = 0; line < sizeof *flow->ranks; line += 64)
            __builtin_prefetch((const char *)&flow->ranks[soon] + line, 1);
    if (next >= program->rank_count) return;
    const struct flow_rank *of = &flow->ranks[next];
    for (size_t line = 0; line < 512; line += 64)
        program_prefetch(program, next, of->current, line);
    for (size_t line = 0; line < 512; line += 64)
        __builtin_prefetch((const char *)&flow->slots[of->first_slot] + line, 1);
}

/* Advances all waiters until none is ready. */
static status_code run_waiters(struct flow *flow, struct status *status) {
    const struct replay_options *options = flow->task->options;
    for (uint64_t turns = 1; flow->ready_count > 0 && flow->stop == FLOW_GOES_ON; turns++) {
        const uint32_t waiter = flow->ready[flow->ready_first];
        fetch_ready(flow);
        flow->ready_first = (flow->ready_first + 1) & (flow->ready_capacity - 1);
        flow->ready_count--;
        advance_waiter(flow, waiter);
        if (turns % 4096 > 0 || options->progress == NULL) continue;
        const struct replay_progress progress = {.events = flow->done,
                                                 .done = flow->done,
                                                 .total = flow->task->program->operation_count};
        if (!options->progress(options->progress_context, &progress))
            return status_set(status, STATUS_STOPPED, "stopped");
    }
    return STATUS_OK;
}

static status_code prepare_flow(struct flow *flow, struct status *status) {
    const struct flow_task *task = flow->task;
    const struct program *program = task->program;
    const struct replay_options *options = task->options;
    FORWARD_IF_ERROR(transport_idle_new(&flow->idle, task->network_config, task->network, status));
    FORWARD_IF_ERROR(engine_new(&flow->engine, program, task->placement, task->effective,
                                task->network_config, &flow->idle.transport,
                                ENGINE_NODES | ENGINE_SKIPS_SURVEY, status));
    struct replay_engine *engine = flow->engine;
    engine->traffic_classes = options->traffic_classes;
    engine->hosts = hosts_change_times(options->hosts) ? options->hosts : NULL;
    engine->first_rank = options->first_rank;
    engine->seed = task->seed;
    FORWARD_IF_ERROR(program_read_ahead_new(&engine->ahead, program, program->rank_count, status));
    flow->configs[0] = task->free_of_cost;
    flow->configs[1] = &engine->config;
    uint64_t slots = 0;
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        slots += program->ranks[rank].slot_count;
    flow->ranks = memory_new_aligned(program->rank_count, sizeof *flow->ranks);
    flow->slots = memory_new(slots, sizeof *flow->slots);
    RETURN_ERROR_IF(flow->ranks == NULL || flow->slots == NULL, status, STATUS_MEMORY,
                    "out of memory for %u ranks", program->rank_count);
    const uint64_t max = (uint64_t)program->rank_count * MESSAGES_PER_RANK;
    flow->messages_max = max < MESSAGES_MIN ? MESSAGES_MIN
                         : max < UINT32_MAX ? (uint32_t)max
                                            : UINT32_MAX;
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const int64_t start_ps = options->start_ps != NULL ? options->start_ps[rank] : 0;
        struct flow_rank *of = &flow->ranks[rank];
        of->current = program->ranks[rank].first;
        of->first_slot = engine->ranks[rank].first_slot;
        of->waiter.arrived = POOL_NONE;
        for (unsigned machine = 0; machine < IDEAL_RUNS; machine++)
            of->waiter.clock.ps[machine] = start_ps;
        flow_make_ready(flow, rank);
    }
    RETURN_ERROR_IF(flow->stop != FLOW_GOES_ON, status, STATUS_MEMORY, "out of memory for %u ranks",
                    program->rank_count);
    return STATUS_OK;
}

static void clear_flow(struct flow *flow) {
    if (flow->engine != NULL) program_read_ahead_free(flow->engine->ahead);
    engine_free(flow->engine);
    transport_idle_clear(&flow->idle);
    flow_message_map_clear(&flow->messages);
    flow_arrival_pool_clear(&flow->arrivals);
    flow_collective_pool_clear(&flow->collectives);
    free(flow->ranks);
    free(flow->slots);
    free(flow->taken);
    free(flow->ready);
}

/* Sets the times to the end of the last rank on each machine, if all ranks have ended. */
static void find_times(struct flow *flow, int64_t times_ps[IDEAL_RUNS], bool *is_known) {
    const uint32_t rank_count = flow->task->program->rank_count;
    for (uint32_t rank = 0; rank < rank_count; rank++)
        if (!flow->ranks[rank].is_finished) return;
    for (unsigned machine = 0; machine < IDEAL_RUNS; machine++) {
        times_ps[machine] = 0;
        for (uint32_t rank = 0; rank < rank_count; rank++) {
            const int64_t end_ps = flow->ranks[rank].waiter.clock.ps[machine];
            if (end_ps > times_ps[machine]) times_ps[machine] = end_ps;
        }
    }
    *is_known = true;
}

status_code ideal_flow_run(int64_t times_ps[IDEAL_RUNS], bool *is_known,
                           const struct flow_task *task, struct status *status) {
    struct flow flow = {.task = task};
    *is_known = false;
    if (task->effective->progress == REPLAY_PROGRESS_SOFTWARE) return STATUS_OK;
    status_code code = prepare_flow(&flow, status);
    if (code == STATUS_OK) code = run_waiters(&flow, status);
    if (code == STATUS_OK && flow.stop == FLOW_OUT_OF_MEMORY)
        code = status_set(status, STATUS_MEMORY, "out of memory for messages in flight");
    if (code == STATUS_OK && flow.stop == FLOW_GOES_ON) find_times(&flow, times_ps, is_known);
    clear_flow(&flow);
    return code;
}
