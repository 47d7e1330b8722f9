/*
 * Saves and restores the state of a domain of the network for checkpoints.
 *
 * A new member of struct network_domain or of a struct named below changes one of the sizes: save
 * it in `domain_saved`, or say here why it need not be saved. Items of arrays and pools are saved
 * with all their bytes, and must hold no pointers. Members that are not saved:
 *
 * - network, home, rail_domains, topology, wiring: follow from the configuration
 * - group, rail_offset, is_elsewhere: follow from the configuration
 * - tracks_credits, tracks_injections: follow from the configuration
 * - sender: set before each window
 * - allocation.deferred: empty between windows
 * - zero_load_times: found again
 * - observers: a network that explains times, keeps time bins or watches links is not saved
 * - failure.starving_port_vc, failure.out_of_memory: a failed run is not saved
 */
#include "network/engine/saved_domain.h"

#include "core/simulation/event_queue_saved.h"
#include "network/engine/congestion.h"
#include "network/engine/nic_classes.h"
#include "network/engine/nic_host.h"
#include "network/engine/nic_responses.h"
#include "network/engine/nic_windows.h"
#include "network/engine/shares.h"
#include "network/engine/sleepers.h"
#include "network/engine/vc_allocation.h"
#include "network/routing/round_trips.h"
#include "network/routing/saturation.h"

SAVED_SIZE_IS(struct network_domain, 18128);
SAVED_SIZE_IS(struct network_domain_wiring, 24);
SAVED_SIZE_IS(struct network_domain_allocation, 264);
SAVED_SIZE_IS(struct network_domain_routing, 32);
SAVED_SIZE_IS(struct network_domain_limits, 48);
SAVED_SIZE_IS(struct network_domain_observers, 40);
SAVED_SIZE_IS(struct network_domain_failure, 16);
SAVED_SIZE_IS(struct network_domain_counts, 16768);
/* The size alone does not show a new member that lies in the padding before or behind these. */
#define OFFSET_IS(type, member, offset)                                                            \
    static_assert(sizeof(void *) != 8 || offsetof(struct type, member) == (offset),                \
                  "struct " #type                                                                  \
                  " has a new member: save it, or name it at the beginning of this "               \
                  "file, and set the new size")
OFFSET_IS(network_domain, tracks_injections, 42);
OFFSET_IS(network_domain_allocation, deferred_count, 256);
OFFSET_IS(network_domain_observers, any, 32);
OFFSET_IS(network_domain_failure, out_of_memory, 12);
OFFSET_IS(network_domain_counts, classes, 16752);
SAVED_SIZE_IS(struct sleepers, 40);
SAVED_SIZE_IS(struct shares, 16);
SAVED_SIZE_IS(struct nic_windows, 24);
SAVED_SIZE_IS(struct congestion, 32);
SAVED_SIZE_IS(struct vc_allocation, 24);

static void save_sleepers(struct saved_state *state, struct network_domain *domain) {
    const struct network *network = domain->network;
    struct sleepers *sleepers = domain->allocation.sleepers;
    const size_t routers = network->topology.routers, words = network->routers.request_words;
    SAVED_ITEMS(state, sleepers->asleep_bits, routers * words);
    SAVED_ITEMS(state, sleepers->wait_bits, network->tables.ports * words);
    SAVED_ITEMS(state, sleepers->any_waits, network->tables.ports);
    SAVED_ITEMS(state, sleepers->wake_ps, (size_t)network->tables.ports * network->vcs.per_port);
    SAVED_ITEMS(state, sleepers->next_ps, routers);
}

static void save_congestion(struct saved_state *state, struct network_domain *domain) {
    struct congestion *congestion = domain->limits.congestion;
    void *arrived = congestion->arrived;
    SAVED_ITEMS(state, congestion->ports, domain->network->topology.endpoints_per_group);
    saved_array(state, &arrived, &congestion->count, sizeof *congestion->arrived);
    congestion->arrived = arrived;
    if (state->is_restoring) congestion->capacity = congestion->count;
}

/* What the outputs and buffers of routers hold. */
static void save_routers(struct saved_state *state, struct network_domain *domain) {
    const struct network *network = domain->network;
    const size_t routers = network->topology.routers;
    const size_t inputs = (size_t)network->tables.ports * network->vcs.per_port;
    const bool by_router = network->hop_features.by_router;
    SAVED_ITEMS(state, domain->outputs, network->tables.outputs);
    SAVED_ITEMS(state, domain->output_vcs, (size_t)network->tables.outputs * network->vcs.per_port);
    SAVED_ITEMS(state, domain->input_vcs, inputs);
    SAVED_ITEMS(state, domain->allocation.request_bits,
                (by_router ? routers : network->tables.ports) * network->routers.request_words);
    SAVED_ITEMS(state, domain->allocation.vc_free_ps,
                (size_t)network->tables.outputs * network->vcs.per_port);
    SAVED_ITEMS(state, domain->allocation.input_free_ps, network->tables.ports);
    SAVED_ITEMS(state, domain->allocation.resume_ps, routers);
    SAVED_ITEMS(state, domain->shared_free_bytes, network->tables.outputs);
    SAVED_ITEMS(state, domain->routing.decisions, inputs);
    SAVED_ITEMS(state, domain->routing.vc_waiting_bytes,
                (size_t)network->tables.outputs * network->vcs.per_port);
    SAVED_ITEMS(state, domain->allocation.round_robin, inputs);
    SAVED_ITEMS(state, domain->allocation.served, inputs * network->topology.radix);
    if (domain->allocation.sleepers != NULL) save_sleepers(state, domain);
    if (domain->allocation.vc_allocation != NULL) {
        SAVED_ITEMS(state, domain->allocation.vc_allocation->holders, inputs);
        SAVED_ITEMS(state, domain->allocation.vc_allocation->next_outputs, network->tables.ports);
        SAVED_ITEMS(state, domain->allocation.vc_allocation->next_inputs, network->tables.ports);
    }
    if (domain->routing.saturation != NULL) saturation_saved(state, domain);
    if (domain->routing.round_trips != NULL) round_trips_saved(state, domain);
    if (domain->limits.congestion != NULL) save_congestion(state, domain);
    if (domain->limits.shares == NULL) return;
    SAVED_ITEMS(state, domain->limits.shares->classes,
                (size_t)network->tables.outputs * network->vcs.virtual_networks);
    SAVED_ITEMS(state, domain->limits.shares->unowed_ps, network->tables.outputs);
}

static void save_nics(struct saved_state *state, struct network_domain *domain) {
    const size_t endpoints = domain->network->topology.endpoints_per_group;
    SAVED_ITEMS(state, domain->nics, endpoints);
    SAVED_ITEMS(state, domain->queued_bytes, endpoints);
    SAVED_ITEMS(state, domain->limits.hosts, endpoints);
    SAVED_ITEMS(state, domain->limits.responses, endpoints);
    SAVED_ITEMS(state, domain->limits.nic_classes, endpoints);
    if (domain->limits.windows == NULL) return;
    SAVED_ITEMS(state, domain->limits.windows->nics, endpoints);
    SAVED_MAP(state, &domain->limits.windows->pairs);
}

static void save_figures(struct saved_state *state, struct network_domain *domain) {
    const struct network *network = domain->network;
    SAVED_ITEMS(state, domain->counts.classes, network->vcs.virtual_networks);
    SAVED_ITEMS(state, domain->counts.links, network->tables.outputs);
    SAVED_ITEMS(state, domain->counts.held_ps, network->topology.endpoints_per_group);
    void *measured = domain->counts.measured;
    saved_array(state, &measured, &domain->counts.measured_bytes, 1);
    domain->counts.measured = measured;
    SAVED(state, domain->counts.totals);
    SAVED(state, domain->counts.accepted_packets);
    SAVED(state, domain->counts.accepted_bytes);
    SAVED(state, domain->counts.accepted_responses);
    SAVED(state, domain->counts.started_messages);
}

void domain_saved(struct saved_state *state, struct network_domain *domain) {
    event_queue_saved(state, &domain->events);
    SAVED(state, domain->now_ps);
    SAVED(state, domain->failure.starvation_check_ps);
    saved_equal(state, domain->allocation.deferred_count);
    saved_bitset(state, &domain->allocation.unrouted);
    saved_bitset(state, &domain->allocation.due);
    SAVED_POOL(state, &domain->packets);
    SAVED_POOL(state, &domain->messages);
    SAVED_POOL(state, &domain->credits);
    SAVED_MAP(state, &domain->assemblies);
    save_routers(state, domain);
    save_nics(state, domain);
    save_figures(state, domain);
}
