/* Adds CPU time to chains: computations, other work in MPI functions, and the overheads of
 * messages, divided into their parts. */
#include "replay/engine/causes/causes.h"
#include "replay/engine/causes/causes_state.h"

#include "core/memory/memory.h"

static struct causes_message recorded_message(replay_message_path path, uint64_t size_bytes) {
    return (struct causes_message){
        .is_recorded = 1, .path = path & 3, .size_bytes = size_bytes & (UINT64_MAX >> 3)};
}

void causes_record_send(struct engine_domain *domain, replay_message_path path,
                        uint64_t size_bytes) {
    causes_of_domain(domain)->send = recorded_message(path, size_bytes);
}

void causes_record_receive(struct engine_domain *domain, replay_message_path path,
                           uint64_t size_bytes) {
    causes_of_domain(domain)->receive = recorded_message(path, size_bytes);
}

/* Splits the cost of a message into its parts, except the part per message, which charge_message
 * finds as the rest. */
HINT_NOINLINE static void split_cost(struct causes_split *split, struct causes_message message,
                                     const struct by_size *per_kib_ps,
                                     const struct by_size *copy_per_kib_ps,
                                     const struct by_size *rendezvous_ps,
                                     const struct by_size *memory_ps) {
    const uint64_t size_bytes = message.size_bytes;
    const bool by_memory = message.path == REPLAY_MESSAGE_MEMORY;
    *split = (struct causes_split){.of = message, .cost.count = message.is_recorded && !by_memory};
    if (!message.is_recorded) return;
    if (by_memory) {
        split->cost.memory_ps = by_size_at(memory_ps, size_bytes);
        return;
    }
    split->cost.size_dependent_ps = host_cost_ps(size_bytes, 0, by_size_at(per_kib_ps, size_bytes));
    if (message.path == REPLAY_MESSAGE_COPIED)
        split->cost.copy_ps = host_cost_ps(size_bytes, 0, by_size_at(copy_per_kib_ps, size_bytes));
    if (message.path == REPLAY_MESSAGE_RENDEZVOUS)
        split->cost.rendezvous_ps = by_size_at(rendezvous_ps, size_bytes);
}

static bool is_split(const struct causes_split *split, struct causes_message message) {
    return split->of.size_bytes == message.size_bytes && split->of.path == message.path &&
           split->of.is_recorded == message.is_recorded;
}

/* Returns the parts of the cost of the recorded message's send. */
static const struct chain_cost *recorded_send_cost(struct engine_domain *domain) {
    const struct replay_config *config = &domain->engine->config;
    struct causes_domain *own = causes_of_domain(domain);
    if (!is_split(&own->split_send, own->send))
        split_cost(&own->split_send, own->send, &config->send_overhead_per_kib_ps,
                   &config->eager_send_copy_per_kib_ps, &config->rendezvous_send_overhead_ps,
                   &config->memory_send_overhead_ps);
    return &own->split_send.cost;
}

static const struct chain_cost *recorded_receive_cost(struct engine_domain *domain) {
    const struct replay_config *config = &domain->engine->config;
    struct causes_domain *own = causes_of_domain(domain);
    if (!is_split(&own->split_receive, own->receive))
        split_cost(&own->split_receive, own->receive, &config->receive_overhead_per_kib_ps,
                   &config->eager_receive_copy_per_kib_ps, &config->rendezvous_receive_overhead_ps,
                   &config->memory_receive_overhead_ps);
    return &own->split_receive.cost;
}

/* Adds the cost of a message to the chain of *tip. cost_ps: the cost that the engine has counted.
 */
static void charge_message(struct engine_domain *domain, struct chain_tip *tip, uint32_t rank,
                           uint32_t function, const struct chain_cost *recorded, bool is_send,
                           int64_t cost_ps) {
    if (cost_ps == 0 && recorded->count == 0) return;
    struct chain_cost cost = *recorded;
    cost.each_ps =
        cost_ps - cost.size_dependent_ps - cost.copy_ps - cost.rendezvous_ps - cost.memory_ps;
    if (!chain_add_cost(tip, causes_rules(domain), causes_heap(domain), rank, function, is_send,
                        &cost))
        causes_out_of_memory(domain);
}

void causes_charge_rank_send(struct engine_domain *domain, uint32_t rank, int64_t cost_ps) {
    charge_message(domain, causes_tip(domain, rank), rank, causes_function(domain, rank),
                   recorded_send_cost(domain), true, cost_ps);
}

void causes_charge_rank_receive(struct engine_domain *domain, uint32_t rank, int64_t cost_ps) {
    charge_message(domain, causes_tip(domain, rank), rank, causes_function(domain, rank),
                   recorded_receive_cost(domain), false, cost_ps);
}

static void activation_pays(struct engine_domain *domain, uint32_t activation,
                            const struct chain_cost *recorded, bool is_send, int64_t cost_ps) {
    struct causes_activation *of = causes_activation_at(domain, activation);
    charge_message(domain, &of->tip, domain->activations.items[activation].rank, of->function,
                   recorded, is_send, cost_ps);
}

void causes_charge_activation_send(struct engine_domain *domain, uint32_t activation,
                                   int64_t cost_ps) {
    activation_pays(domain, activation, recorded_send_cost(domain), true, cost_ps);
}

void causes_charge_activation_receive(struct engine_domain *domain, uint32_t activation,
                                      int64_t cost_ps) {
    activation_pays(domain, activation, recorded_receive_cost(domain), false, cost_ps);
}

void causes_defer_receive_cost(struct engine_domain *domain, uint32_t activation) {
    chain_cost_add(&causes_activation_at(domain, activation)->deferred,
                   recorded_receive_cost(domain));
}

void causes_charge_deferred(struct engine_domain *domain, uint32_t activation, int64_t cost_ps) {
    struct causes_activation *of = causes_activation_at(domain, activation);
    activation_pays(domain, activation, &of->deferred, false, cost_ps);
    of->deferred = (struct chain_cost){0};
}

static void spend(struct engine_domain *domain, struct chain_tip *tip, uint32_t rank,
                  uint32_t function, chain_part part, int64_t cost_ps) {
    if (cost_ps != 0 && !chain_add_time(tip, causes_rules(domain), causes_heap(domain), rank,
                                        function, part, cost_ps))
        causes_out_of_memory(domain);
}

void causes_charge_rank(struct engine_domain *domain, uint32_t rank, chain_part part,
                        int64_t cost_ps) {
    spend(domain, causes_tip(domain, rank), rank, causes_function(domain, rank), part, cost_ps);
}

void causes_charge_activation(struct engine_domain *domain, uint32_t activation, chain_part part,
                              int64_t cost_ps) {
    struct causes_activation *of = causes_activation_at(domain, activation);
    spend(domain, &of->tip, domain->activations.items[activation].rank, of->function, part,
          cost_ps);
}

void causes_charge_computation(struct engine_domain *domain, uint32_t rank, int64_t needed_ps,
                               int64_t time_ps) {
    const struct causes_rank *of = &domain->engine->causes->ranks[rank];
    uint32_t region = of->depth > 0 ? of->regions[of->depth - 1] : CHAIN_NO_NAME;
    if (needed_ps == 0 && time_ps == 0) return;
    if (!chain_add_computation(causes_tip(domain, rank), causes_rules(domain), causes_heap(domain),
                               rank, region, needed_ps, time_ps))
        causes_out_of_memory(domain);
}

void causes_enter(struct engine_domain *domain, uint32_t rank, uint32_t region) {
    struct causes_rank *of = &domain->engine->causes->ranks[rank];
    void *regions = of->regions;
    if (memory_grow(&regions, &of->capacity, of->depth + 1, sizeof *of->regions, NULL) !=
        STATUS_OK) {
        causes_out_of_memory(domain);
        return;
    }
    of->regions = regions;
    of->regions[of->depth++] = region;
}

void causes_leave(struct engine_domain *domain, uint32_t rank) {
    struct causes_rank *of = &domain->engine->causes->ranks[rank];
    of->depth -= of->depth > 0;
}
