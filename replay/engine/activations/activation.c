/*
 * A collective in progress on one rank. Its steps are real messages, under the same eager and
 * rendezvous rules as point-to-point messages, as in MPICH and Open MPI.
 *
 * A blocking collective is part of the rank's own time: its clock and costs are the rank's. A
 * non-blocking collective has a clock of its own, which starts when the collective is posted, and
 * progresses beside the rank's other work.
 */
#include "replay/engine/activations/activation.h"
#include "replay/engine/causes/causes.h"
#include "replay/engine/measurement/origins.h"
#include "replay/engine/measurement/rank_states.h"
#include "replay/engine/messages/transfer.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/engine/state/engine_nodes.h"
#include "replay/engine/state/engine_pairs.h"
#include "replay/engine/state/message.h"
#include "replay/engine/state/tasks.h"
#include "replay/hosts/host_cost.h"

#include "core/base/digest.h"

static uint32_t new_activation(struct engine_domain *domain) {
    uint32_t index = engine_activation_pool_take(&domain->activations);
    if (index == POOL_NONE)
        engine_fail(domain, STATUS_MEMORY, "out of memory for %u collectives in progress",
                    domain->activations.used);
    return index;
}

static void free_activation(struct engine_domain *domain, uint32_t index) {
    domain->activations.items[index].rank = PROGRAM_NONE;
    engine_activation_pool_give(&domain->activations, index);
}

static uint32_t index_of(const struct engine_domain *domain,
                         const struct engine_activation *activation) {
    return (uint32_t)(activation - domain->activations.items);
}

/* Returns the seed of a collective's random order: each call has its own, and all its members have
 * the same. */
static uint64_t seed_of(const struct replay_engine *engine,
                        const struct program_operation *operation) {
    uint32_t communicator =
        engine->program->collective_arguments[operation->collective.arguments].communicator;
    return digest_mix(engine->seed, (uint64_t)communicator << 32 | operation->collective.instance);
}

static struct collective_call call_of(const struct replay_engine *engine, uint32_t self,
                                      const struct program_operation *operation) {
    const struct program *program = engine->program;
    const struct program_collective_arguments *arguments =
        &program->collective_arguments[operation->collective.arguments];
    const struct program_communicator *communicator =
        &program->communicators[arguments->communicator];
    struct collective_call call = {.kind = arguments->kind,
                                   .size = communicator->size,
                                   .remote_size = communicator->remote_size,
                                   .own_member = arguments->own_member,
                                   .root = arguments->root,
                                   .send_bytes = arguments->send_bytes,
                                   .receive_bytes = arguments->receive_bytes,
                                   .nodes = engine_nodes_of(engine, arguments->communicator),
                                   .seed = seed_of(engine, operation),
                                   .choice = &engine->config.collectives,
                                   .in_place =
                                       (operation->flags & OPERATION_FLAG_COLLECTIVE_IN_PLACE) != 0,
                                   .non_blocking = !program_is_blocking(operation)};
    if (call.remote_size > 0) {
        bool second =
            call.own_member >= call.size ||
            program_member(program, arguments->communicator, call.own_member, self) != self;
        bool root_remote = (operation->flags & OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE) != 0;
        if (call.root != COLLECTIVE_NOBODY && second != root_remote) call.root += call.size;
        if (second) call.own_member += call.size;
    }
    if (program_is_reduction(call.kind)) {
        call.element_bytes = operation->element_bytes;
    } else if (operation->pair_row_plus_1 > 0) {
        call.pair_bytes = program->pair_bytes;
        call.pair_rows = program->pair_rows + operation->pair_row_plus_1 - 1;
    }
    if (operation->collective.sizes != PROGRAM_NONE) {
        call.sums = engine->size_sums + operation->collective.sizes;
        call.pairs =
            engine_pairs_find(engine, operation->collective.sizes, call.size, call.remote_size);
    }
    return call;
}

/* Returns whether an operation is a CREATE_HANDLE without messages: one in which not all members
 * take part, or others than members do. */
static bool is_local(const struct replay_engine *engine,
                     const struct program_operation *operation) {
    const struct program_collective_arguments *arguments =
        &engine->program->collective_arguments[operation->collective.arguments];
    return arguments->kind == PROGRAM_COLLECTIVE_CREATE_HANDLE &&
           (arguments->own_member == PROGRAM_NONE ||
            !engine->program->communicators[arguments->communicator].handles_synchronise);
}

bool activation_describe(const struct replay_engine *engine, uint32_t rank, uint64_t operation,
                         struct activation_plan *plan) {
    const struct program_operation *of = PROGRAM_OPERATION_AT(engine->program, rank, operation);
    *plan = (struct activation_plan){.rank = rank, .operation = *of};
    if (is_local(engine, of)) return false;
    plan->call = call_of(engine, rank, of);
    plan->algorithm = collective_chosen(&plan->call);
    plan->steps = plan->algorithm->steps(&plan->call);
    return plan->steps > 0;
}

void activation_renew(struct engine_domain *domain) {
    for (uint32_t i = 0; i < domain->activations.used; i++) {
        struct engine_activation *activation = &domain->activations.items[i];
        struct activation_plan plan;
        if (activation->rank == PROGRAM_NONE) continue;
        activation_describe(domain->engine, activation->rank, activation->operation, &plan);
        activation->call = plan.call;
        activation->algorithm = plan.algorithm;
    }
}

void activation_fill_step(const struct replay_engine *engine, const struct activation_plan *plan,
                          uint32_t number, struct activation_step *messages) {
    const struct collective_call *call = &plan->call;
    uint32_t communicator =
        engine->program->collective_arguments[plan->operation.collective.arguments].communicator;
    struct collective_step step;
    collective_describe(plan->algorithm, call, number, &step);
    bool skips = collective_skips_empty(step.layout);
    *messages = (struct activation_step){.to = PROGRAM_NONE,
                                         .from = PROGRAM_NONE,
                                         .completes_before_next = step.completes_before_next};
    if (step.from != COLLECTIVE_NOBODY) {
        messages->receive_bytes =
            collective_bytes(call, &step, step.receive, step.from, call->own_member);
        messages->receive_tag = step.tag + step.lead;
        if (messages->receive_bytes > 0 || !skips) {
            messages->combine_ps = step.combine * host_cost_ps(messages->receive_bytes, 0,
                                                               engine->config.reduction_per_kib_ps);
            messages->from = engine_rank_of_member(engine, communicator, step.from, plan->rank);
        }
    }
    if (step.to != COLLECTIVE_NOBODY) {
        messages->send_bytes = collective_bytes(call, &step, step.send, call->own_member, step.to);
        messages->send_tag = step.tag;
        if (messages->send_bytes > 0 || !skips)
            messages->to = engine_rank_of_member(engine, communicator, step.to, plan->rank);
    }
}

static struct program_operation operation_of(const struct engine_domain *domain,
                                             const struct engine_activation *activation) {
    return *PROGRAM_OPERATION_AT(domain->engine->program, activation->rank, activation->operation);
}

static struct replay_rank_result *result_of(const struct engine_domain *domain,
                                            const struct engine_activation *activation) {
    if ((operation_of(domain, activation).flags & OPERATION_FLAG_COLLECTIVE_BLOCKING) == 0)
        return NULL;
    return &domain->engine->ranks[activation->rank].result;
}

/* The rank of a blocking collective has been in a state for the last time_ps. */
HINT_NOINLINE static void record_state(struct engine_domain *domain,
                                       const struct engine_activation *activation,
                                       replay_state state, int64_t time_ps) {
    if (result_of(domain, activation) != NULL)
        rank_states_record(domain, activation->rank, state, activation->clock_ps, time_ps);
}

/* Returns the key of a message of this collective. CREATE_HANDLEs have instance numbers of their
 * own, so a bit of the communicator distinguishes their keys. */
static struct inflight_key key_of_message(const struct engine_domain *domain,
                                          const struct engine_activation *activation,
                                          uint32_t receiver, uint32_t sender, uint32_t tag) {
    const struct program_operation operation = operation_of(domain, activation);
    uint32_t communicator =
        domain->engine->program->collective_arguments[operation.collective.arguments].communicator;
    uint32_t apart = activation->call.kind == PROGRAM_COLLECTIVE_CREATE_HANDLE ? 0x80000000u : 0;
    return (struct inflight_key){.rank = receiver,
                                 .source = sender,
                                 .communicator = communicator | apart,
                                 .sequence = operation.collective.instance,
                                 .tag = tag};
}

static uint32_t world_rank(const struct engine_domain *domain,
                           const struct engine_activation *activation, uint32_t member) {
    const struct program_operation operation = operation_of(domain, activation);
    uint32_t communicator =
        domain->engine->program->collective_arguments[operation.collective.arguments].communicator;
    return engine_rank_of_member(domain->engine, communicator, member, activation->rank);
}

static void post_receive(struct engine_domain *domain, struct engine_activation *activation,
                         uint32_t owner, const struct collective_step *step) {
    const struct collective_call *call = &activation->call;
    uint64_t size_bytes = collective_bytes(call, step, step->receive, step->from, call->own_member);
    if (size_bytes == 0 && collective_skips_empty(step->layout)) return;
    int64_t combine_ps = host_cost_ps(size_bytes, 0, domain->engine->config.reduction_per_kib_ps);
    for (unsigned i = 0; i < step->combine && !step->is_by_nic; i++)
        activation->combine_ps = host_sum_ps(activation->combine_ps, combine_ps);
    if (step->is_by_nic) activation->hop_ps = domain->engine->config.collectives.offload_latency_ps;
    struct inflight_key key =
        key_of_message(domain, activation, activation->rank,
                       world_rank(domain, activation, step->from), step->tag + step->lead);
    int64_t take_in_ps;
    uint32_t index = owner & ~ENGINE_OWNER_ACTIVATION;
    if (causes_are_kept(domain)) causes_send_as_activation(domain, index);
    if (!transfer_receive(domain, owner, &key, activation->clock_ps, &take_in_ps)) {
        activation->pending++;
    } else if (!step->is_by_nic) {
        activation->deferred_receive_ps = host_sum_ps(activation->deferred_receive_ps, take_in_ps);
        if (causes_are_kept(domain)) causes_defer_receive_cost(domain, index);
    }
}

static void post_send(struct engine_domain *domain, struct engine_activation *activation,
                      uint32_t owner, const struct collective_step *step) {
    const struct collective_call *call = &activation->call;
    uint64_t size_bytes = collective_bytes(call, step, step->send, call->own_member, step->to);
    if (size_bytes == 0 && collective_skips_empty(step->layout)) return;
    unsigned flags = step->is_by_nic ? OPERATION_FLAG_SEND_READY : 0;
    uint32_t to = world_rank(domain, activation, step->to);
    replay_message_path path =
        message_cost_path(domain->engine, activation->rank, to,
                          transfer_path(domain->engine, owner, size_bytes, flags));
    int64_t cost_ps = step->is_by_nic ? 0 : transfer_send_cost_ps(domain, path, size_bytes);
    uint32_t index = owner & ~ENGINE_OWNER_ACTIVATION;
    struct replay_rank_result *result = result_of(domain, activation);
    engine_spend(domain, activation->rank, &activation->clock_ps, cost_ps,
                 result != NULL ? &result->send_overhead_ps : NULL);
    if (engine_is_observed(domain)) {
        record_state(domain, activation, REPLAY_STATE_SEND, cost_ps);
        if (causes_are_kept(domain)) {
            if (!step->is_by_nic) causes_charge_activation_send(domain, index, cost_ps);
            causes_send_as_activation(domain, index);
        }
        if (origins_are_kept(domain)) origins_send_as_activation(domain, index);
    }
    struct inflight_key key = key_of_message(domain, activation, to, activation->rank, step->tag);
    uint32_t handle;
    if (!transfer_send(domain, owner, &key, size_bytes, flags, activation->clock_ps, &handle))
        activation->pending++;
    struct host_completion completion =
        host_message_completion_cost(&domain->engine->config, path, size_bytes);
    int64_t completion_ps = completion.each_ps + completion.size_dependent_ps;
    engine_spend(domain, activation->rank, &activation->clock_ps, completion_ps,
                 result != NULL ? &result->send_overhead_ps : NULL);
    if (engine_is_observed(domain)) {
        record_state(domain, activation, REPLAY_STATE_SEND, completion_ps);
        if (causes_are_kept(domain)) {
            causes_charge_activation(domain, index, CHAIN_SEND_COMPLETION, completion.each_ps);
            causes_charge_activation(domain, index, CHAIN_SEND_COMPLETION_BYTES,
                                     completion.size_dependent_ps);
        }
    }
}

/* Returns whether the next step is carried out by the NIC; false if there is none. */
static bool next_is_by_nic(const struct engine_activation *activation) {
    struct collective_step step;
    if (activation->step == activation->steps) return false;
    collective_describe(activation->algorithm, &activation->call, activation->step, &step);
    return step.is_by_nic;
}

/* Passes the collective to the NIC, at the cost of a send, or takes its result from the NIC, at the
 * cost of a receive. */
static void hand_over(struct engine_domain *domain, struct engine_activation *activation) {
    const struct replay_config *config = &domain->engine->config;
    uint64_t size_bytes = collective_vector_bytes(&activation->call);
    struct replay_rank_result *result = result_of(domain, activation);
    bool back = activation->in_nic;
    int64_t cost_ps = back ? host_message_receive_cost_ps(config, REPLAY_MESSAGE_DIRECT, size_bytes)
                           : host_message_send_cost_ps(config, REPLAY_MESSAGE_DIRECT, size_bytes);
    int64_t *part_ps = NULL;
    if (result != NULL) part_ps = back ? &result->receive_overhead_ps : &result->send_overhead_ps;
    engine_spend(domain, activation->rank, &activation->clock_ps, cost_ps, part_ps);
    if (engine_is_observed(domain))
        record_state(domain, activation, back ? REPLAY_STATE_RECEIVE : REPLAY_STATE_SEND, cost_ps);
    if (causes_are_kept(domain)) {
        uint32_t index = index_of(domain, activation);
        if (back) {
            causes_record_receive(domain, REPLAY_MESSAGE_DIRECT, size_bytes);
            causes_charge_activation_receive(domain, index, cost_ps);
        } else {
            causes_record_send(domain, REPLAY_MESSAGE_DIRECT, size_bytes);
            causes_charge_activation_send(domain, index, cost_ps);
        }
    }
    activation->in_nic = !back;
}

/* Returns until when the rank has waited for other things while it waits for a non-blocking
 * collective; INT64_MAX if it does not. */
static int64_t waited_until_ps(const struct engine_domain *domain,
                               const struct engine_activation *activation) {
    const struct replay_engine *engine = domain->engine;
    const struct engine_rank *rank = &engine->ranks[activation->rank];
    uint32_t slot = operation_of(domain, activation).collective.slot;
    bool is_waited_for = !activation->is_detached &&
                         engine->slots[rank->first_slot + slot].state == ENGINE_SLOT_WAITED;
    return is_waited_for ? rank->clock_ps : INT64_MAX;
}

/* Lets the time pass that the NIC takes for a hop, in which a blocked rank waits. */
static void wait_for_hop(struct engine_domain *domain, struct engine_activation *activation) {
    struct replay_rank_result *result = result_of(domain, activation);
    engine_spend(domain, activation->rank, &activation->clock_ps, activation->hop_ps,
                 result != NULL ? &result->collective_ps : NULL);
    if (result != NULL) {
        domain->engine->ranks[activation->rank].waited_ps += activation->hop_ps;
        result->collective.transit_ps += activation->hop_ps;
    } else {
        int64_t since_ps = activation->clock_ps - waited_until_ps(domain, activation);
        if (since_ps > activation->hop_ps) since_ps = activation->hop_ps;
        if (since_ps > 0) activation->wait.transit_ps += since_ps;
    }
    if (engine_is_observed(domain))
        record_state(domain, activation, REPLAY_STATE_COLLECTIVE_TRANSIT, activation->hop_ps);
    if (causes_are_kept(domain))
        causes_charge_activation(domain, index_of(domain, activation), CHAIN_OFFLOAD,
                                 activation->hop_ps);
    activation->hop_ps = 0;
}

/* Begins steps up to and including the next one that must be complete before its successor begins.
 */
static void begin_steps(struct engine_domain *domain, struct engine_activation *activation,
                        uint32_t owner) {
    bool wait = false;
    while (activation->step < activation->steps && !wait) {
        struct collective_step step;
        collective_describe(activation->algorithm, &activation->call, activation->step++, &step);
        if (step.is_by_nic != activation->in_nic) hand_over(domain, activation);
        if (step.from != COLLECTIVE_NOBODY) post_receive(domain, activation, owner, &step);
        if (step.to != COLLECTIVE_NOBODY) post_send(domain, activation, owner, &step);
        wait = step.completes_before_next;
    }
    struct replay_rank_result *result = result_of(domain, activation);
    engine_spend(domain, activation->rank, &activation->clock_ps, activation->deferred_receive_ps,
                 result != NULL ? &result->receive_overhead_ps : NULL);
    if (engine_is_observed(domain)) {
        record_state(domain, activation, REPLAY_STATE_RECEIVE, activation->deferred_receive_ps);
        if (causes_are_kept(domain))
            causes_charge_deferred(domain, index_of(domain, activation),
                                   activation->deferred_receive_ps);
    }
    activation->deferred_receive_ps = 0;
}

/* Advances the collective until a transfer is incomplete. Returns true if the collective is
 * complete. */
static bool advance_collective(struct engine_domain *domain, uint32_t index) {
    struct engine_activation *activation = &domain->activations.items[index];
    struct replay_rank_result *result = result_of(domain, activation);
    while (activation->pending == 0 && domain->failure.code == STATUS_OK) {
        engine_spend(domain, activation->rank, &activation->clock_ps, activation->combine_ps,
                     result != NULL ? &result->reduction_ps : NULL);
        if (engine_is_observed(domain)) {
            record_state(domain, activation, REPLAY_STATE_REDUCTION, activation->combine_ps);
            if (causes_are_kept(domain))
                causes_charge_activation(domain, index, CHAIN_REDUCTION, activation->combine_ps);
        }
        activation->combine_ps = 0;
        if (activation->hop_ps > 0) wait_for_hop(domain, activation);
        if (activation->step == activation->steps) {
            if (activation->in_nic) hand_over(domain, activation);
            return true;
        }
        begin_steps(domain, activation, ENGINE_OWNER_ACTIVATION | index);
    }
    return false;
}

bool activation_start(struct engine_domain *domain, uint32_t rank, uint64_t index, int64_t at_ps,
                      int64_t *done_ps, uint32_t *handle) {
    const struct replay_engine *engine = domain->engine;
    const struct program_operation *operation = PROGRAM_OPERATION_AT(engine->program, rank, index);
    *done_ps = at_ps;
    if (is_local(engine, operation)) return true;
    struct collective_call call = call_of(engine, rank, operation);
    const struct collective_algorithm *algorithm = collective_chosen(&call);
    uint32_t steps = algorithm->steps(&call);
    if (steps == 0) return true;
    uint32_t activation = *handle = new_activation(domain);
    if (activation == PROGRAM_NONE) return false;
    domain->activations.items[activation] = (struct engine_activation){.rank = rank,
                                                                       .operation = index,
                                                                       .algorithm = algorithm,
                                                                       .call = call,
                                                                       .steps = steps,
                                                                       .clock_ps = at_ps};
    if (engine_is_observed(domain)) {
        if (causes_are_kept(domain)) causes_begin_activation(domain, activation, rank);
        if (origins_are_kept(domain)) origins_activation_new(domain, activation, rank);
    }
    if (!advance_collective(domain, activation)) return false;
    if (causes_are_kept(domain)) causes_end_activation(domain, activation);
    *done_ps = domain->activations.items[activation].clock_ps;
    free_activation(domain, activation);
    return true;
}

void activation_detach(struct engine_domain *domain, uint32_t handle) {
    domain->activations.items[handle].is_detached = true;
}

/* Begins the next steps. If none is left, reports the end of the collective to the rank. */
static void begin_next_steps(struct engine_domain *domain, uint32_t index, int64_t now_ps) {
    if (!advance_collective(domain, index)) return;
    struct engine_activation done = domain->activations.items[index];
    bool blocking = result_of(domain, &done) != NULL;
    const struct engine_completions *heard = domain->engine->completions;
    if (causes_are_kept(domain)) causes_end_activation(domain, index);
    free_activation(domain, index);
    if (blocking) {
        heard->collective(domain, done.rank, now_ps, done.clock_ps);
        return;
    }
    if (done.is_detached) {
        heard->detached_collective(domain, done.rank, done.clock_ps);
        return;
    }
    uint32_t slot = operation_of(domain, &done).collective.slot;
    heard->collective_slot(domain, done.rank, slot, now_ps, done.clock_ps, &done.wait);
}

static inline void add_part(void *context, wait_part part, int64_t from_ps, int64_t until_ps) {
    struct replay_collective_wait *parts = context;
    if (part == WAIT_PART_TRANSIT)
        parts->transit_ps += until_ps - from_ps;
    else if (part == WAIT_PART_QUEUEING)
        parts->queueing_ps += until_ps - from_ps;
    else
        parts->late_ps += until_ps - from_ps;
}

/* Lets the activation wait for the end of a transfer, which is after its clock. result: of the rank
 * of a blocking collective, otherwise NULL. What a non-blocking collective waits for counts from
 * when its rank waits for it. */
static void wait_until(struct engine_domain *domain, struct engine_activation *activation,
                       struct replay_rank_result *result, const struct engine_transfer_end *end) {
    struct replay_collective_wait *parts = &activation->wait;
    int64_t from_ps = activation->clock_ps;
    activation->clock_ps = end->now_ps;
    if (result != NULL) {
        result->collective_ps += end->now_ps - from_ps;
        domain->engine->ranks[activation->rank].waited_ps += end->now_ps - from_ps;
        if (engine_is_observed(domain))
            rank_states_wait_in_collective(domain, activation->rank, from_ps, end);
        parts = &result->collective;
    } else {
        int64_t since_ps = waited_until_ps(domain, activation);
        if (since_ps > from_ps) from_ps = since_ps;
    }
    if (end->now_ps > from_ps) wait_divide(end, from_ps, add_part, parts);
}

void activation_transfer_done(struct engine_domain *domain, uint32_t activation_index,
                              const struct engine_transfer_end *end) {
    struct engine_activation *activation = &domain->activations.items[activation_index];
    struct replay_rank_result *result = result_of(domain, activation);
    if (end->now_ps > activation->clock_ps) {
        wait_until(domain, activation, result, end);
        if (causes_are_kept(domain)) causes_activation_waited(domain, activation_index);
    } else if (causes_are_kept(domain)) {
        causes_activation_passed(domain, activation_index);
    }
    engine_spend(domain, activation->rank, &activation->clock_ps,
                 activation->in_nic ? 0 : end->take_in_ps,
                 result != NULL ? &result->receive_overhead_ps : NULL);
    if (engine_is_observed(domain) && !activation->in_nic) {
        record_state(domain, activation, REPLAY_STATE_RECEIVE, end->take_in_ps);
        if (causes_are_kept(domain))
            causes_charge_activation_receive(domain, activation_index, end->take_in_ps);
    }
    if (--activation->pending > 0) return;
    if (activation->hop_ps > 0) wait_for_hop(domain, activation);
    bool by_host = !activation->in_nic || !next_is_by_nic(activation);
    if (result == NULL && by_host && tasks_rank_is_outside(domain, activation->rank, end->now_ps)) {
        struct engine_task task = {.kind = ENGINE_TASK_COLLECTIVE, .activation = activation_index};
        tasks_postpone(domain, activation->rank, &task);
        return;
    }
    begin_next_steps(domain, activation_index, end->now_ps);
}

void activation_resume(struct engine_domain *domain, uint32_t activation_index, int64_t at_ps) {
    struct engine_activation *activation = &domain->activations.items[activation_index];
    if (activation->clock_ps < at_ps) {
        activation->clock_ps = at_ps;
        if (causes_are_kept(domain)) causes_activation_resumed(domain, activation_index);
    }
    begin_next_steps(domain, activation_index, at_ps);
}
