/*
 * Saves and restores the state of a rail group of the network for checkpoints.
 *
 * A new member of struct rail_group or of a struct named below changes one of the sizes: save it in
 * `rail_group_save_or_restore`, or say here why it need not be saved. Items of arrays and pools are
 * saved with all their bytes, and must hold no pointers. Members that are not saved:
 *
 * - network, home, groups_of_rail, topology, wiring: follow from the configuration
 * - group, rail_offset, is_elsewhere: follow from the configuration
 * - tracks_credits, tracks_injections: follow from the configuration
 * - sender: set before each window
 * - allocation.deferred: empty between windows
 * - zero_load_times: found again
 * - observers: a network that explains times, keeps time bins or watches links is not saved
 * - failure.starving_port_vc, failure.out_of_memory: a failed run is not saved
 */
#include "network/engine/rail_group_checkpoint.h"

#include "core/simulation/event_queue_checkpoint.h"
#include "network/engine/flow_control/class_shares.h"
#include "network/engine/flow_control/sleepers.h"
#include "network/engine/nic/nic_classes.h"
#include "network/engine/nic/nic_host.h"
#include "network/engine/nic/nic_responses.h"
#include "network/engine/nic/nic_windows.h"
#include "network/engine/router/congestion.h"
#include "network/engine/router/vc_allocation.h"
#include "network/routing/observation/round_trips.h"
#include "network/routing/observation/saturation.h"

SAVED_SIZE_IS(struct rail_group, 18176);
SAVED_SIZE_IS(struct rail_group_wiring, 24);
SAVED_SIZE_IS(struct rail_group_allocation, 264);
SAVED_SIZE_IS(struct rail_group_routing, 32);
SAVED_SIZE_IS(struct rail_group_limits, 48);
SAVED_SIZE_IS(struct rail_group_observers, 40);
SAVED_SIZE_IS(struct rail_group_failure, 16);
SAVED_SIZE_IS(struct rail_group_counts, 16768);
/* The size alone does not show a new member that lies in the padding before or behind these. */
#define OFFSET_IS(type, member, offset)                                                            \
    static_assert(sizeof(void *) != 8 || offsetof(struct type, member) == (offset),                \
                  "struct " #type                                                                  \
                  " has a new member: save it, or name it at the beginning of this "               \
                  "file, and set the new size")
OFFSET_IS(rail_group, tracks_injections, 42);
OFFSET_IS(rail_group_allocation, deferred_count, 256);
OFFSET_IS(rail_group_observers, has_any, 32);
OFFSET_IS(rail_group_failure, out_of_memory, 12);
OFFSET_IS(rail_group_counts, class_totals, 16752);
SAVED_SIZE_IS(struct sleepers, 40);
SAVED_SIZE_IS(struct class_shares, 16);
SAVED_SIZE_IS(struct nic_windows, 24);
SAVED_SIZE_IS(struct congestion, 32);
SAVED_SIZE_IS(struct vc_allocation, 24);

static void save_sleepers(struct saved_state *state, struct rail_group *rail_group) {
    const struct network *network = rail_group->network;
    struct sleepers *sleepers = rail_group->allocation.sleepers;
    const size_t routers = network->topology.routers_per_group,
                 words = network->routers.request_words;
    SAVED_ITEMS(state, sleepers->asleep_bits, routers * words);
    SAVED_ITEMS(state, sleepers->wait_bits, network->tables.ports * words);
    SAVED_ITEMS(state, sleepers->any_waits, network->tables.ports);
    SAVED_ITEMS(state, sleepers->wake_ps, (size_t)network->tables.ports * network->vcs.per_port);
    SAVED_ITEMS(state, sleepers->next_ps, routers);
}

static void save_congestion(struct saved_state *state, struct rail_group *rail_group) {
    struct congestion *congestion = rail_group->limits.congestion;
    void *arrived = congestion->arrived;
    SAVED_ITEMS(state, congestion->ports, rail_group->network->topology.endpoints_per_group);
    save_or_restore_array(state, &arrived, &congestion->count, sizeof *congestion->arrived);
    congestion->arrived = arrived;
    if (state->is_restoring) congestion->capacity = congestion->count;
}

/* What the outputs and buffers of routers hold. */
static void save_routers(struct saved_state *state, struct rail_group *rail_group) {
    const struct network *network = rail_group->network;
    const size_t routers = network->topology.routers_per_group;
    const size_t inputs = (size_t)network->tables.ports * network->vcs.per_port;
    const bool by_router = network->hop_features.allocates_by_router;
    SAVED_ITEMS(state, rail_group->outputs, network->tables.outputs);
    SAVED_ITEMS(state, rail_group->output_vcs,
                (size_t)network->tables.outputs * network->vcs.per_port);
    SAVED_ITEMS(state, rail_group->input_vcs, inputs);
    SAVED_ITEMS(state, rail_group->allocation.request_bits,
                (by_router ? routers : network->tables.ports) * network->routers.request_words);
    SAVED_ITEMS(state, rail_group->allocation.vc_free_ps,
                (size_t)network->tables.outputs * network->vcs.per_port);
    SAVED_ITEMS(state, rail_group->allocation.input_free_ps, network->tables.ports);
    SAVED_ITEMS(state, rail_group->allocation.resume_ps, routers);
    SAVED_ITEMS(state, rail_group->shared_free_bytes, network->tables.outputs);
    SAVED_ITEMS(state, rail_group->routing.decisions, inputs);
    SAVED_ITEMS(state, rail_group->routing.vc_waiting_bytes,
                (size_t)network->tables.outputs * network->vcs.per_port);
    SAVED_ITEMS(state, rail_group->allocation.round_robin, inputs);
    SAVED_ITEMS(state, rail_group->allocation.service_order, inputs * network->topology.radix);
    if (rail_group->allocation.sleepers != NULL) save_sleepers(state, rail_group);
    if (rail_group->allocation.vc_allocation != NULL) {
        SAVED_ITEMS(state, rail_group->allocation.vc_allocation->holders, inputs);
        SAVED_ITEMS(state, rail_group->allocation.vc_allocation->next_outputs,
                    network->tables.ports);
        SAVED_ITEMS(state, rail_group->allocation.vc_allocation->next_inputs,
                    network->tables.ports);
    }
    if (rail_group->routing.saturation != NULL) saturation_save_or_restore(state, rail_group);
    if (rail_group->routing.round_trips != NULL) round_trips_save_or_restore(state, rail_group);
    if (rail_group->limits.congestion != NULL) save_congestion(state, rail_group);
    if (rail_group->limits.shares == NULL) return;
    SAVED_ITEMS(state, rail_group->limits.shares->classes,
                (size_t)network->tables.outputs * network->vcs.virtual_networks);
    SAVED_ITEMS(state, rail_group->limits.shares->unowed_ps, network->tables.outputs);
}

static void save_nics(struct saved_state *state, struct rail_group *rail_group) {
    const size_t endpoints = rail_group->network->topology.endpoints_per_group;
    SAVED_ITEMS(state, rail_group->nics, endpoints);
    SAVED_ITEMS(state, rail_group->queued_bytes, endpoints);
    SAVED_ITEMS(state, rail_group->limits.hosts, endpoints);
    SAVED_ITEMS(state, rail_group->limits.responses, endpoints);
    SAVED_ITEMS(state, rail_group->limits.nic_classes, endpoints);
    if (rail_group->limits.windows == NULL) return;
    SAVED_ITEMS(state, rail_group->limits.windows->nics, endpoints);
    SAVED_MAP(state, &rail_group->limits.windows->pairs);
}

static void save_figures(struct saved_state *state, struct rail_group *rail_group) {
    const struct network *network = rail_group->network;
    SAVED_ITEMS(state, rail_group->counts.class_totals, network->vcs.virtual_networks);
    SAVED_ITEMS(state, rail_group->counts.links, network->tables.outputs);
    SAVED_ITEMS(state, rail_group->counts.held_ps, network->topology.endpoints_per_group);
    void *measured = rail_group->counts.measured;
    save_or_restore_array(state, &measured, &rail_group->counts.measured_bytes, 1);
    rail_group->counts.measured = measured;
    SAVED(state, rail_group->counts.totals);
    SAVED(state, rail_group->counts.accepted_packets);
    SAVED(state, rail_group->counts.accepted_bytes);
    SAVED(state, rail_group->counts.accepted_responses);
    SAVED(state, rail_group->counts.started_messages);
}

void rail_group_save_or_restore(struct saved_state *state, struct rail_group *rail_group) {
    event_queue_save_or_restore(state, &rail_group->events);
    SAVED(state, rail_group->now_ps);
    SAVED(state, rail_group->failure.starvation_check_ps);
    save_or_restore_equal(state, rail_group->allocation.deferred_count);
    save_or_restore_bitset(state, &rail_group->allocation.unrouted);
    save_or_restore_bitset(state, &rail_group->allocation.due_allocators);
    SAVED_POOL(state, &rail_group->packets);
    SAVED_POOL(state, &rail_group->messages);
    SAVED_POOL(state, &rail_group->credits);
    SAVED_MAP(state, &rail_group->assemblies);
    save_routers(state, rail_group);
    save_nics(state, rail_group);
    save_figures(state, rail_group);
}
