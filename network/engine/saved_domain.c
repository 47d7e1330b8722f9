/*
 * Saves and restores the state of a domain of the network for checkpoints.
 *
 * A new member of struct network_domain, or of a struct of which a domain has an array, changes one
 * of the sizes below: save it in `domain_saved`, or say here why it need not be saved. Members that
 * are not saved:
 *
 *   network, home, rail_domains, topology, group, is_elsewhere, rail_offset, notes_credits,
 *   notes_injections, ring_ports, peer_group, peer_port   follow from the configuration
 *   sender            set before each window
 *   prepared          empty between windows
 *   zero_load_times   found again
 *   trails, history, labels, watch, is_observed   a network that explains times, keeps time bins or
 *                     watches links is not saved
 *   starving_port_vc, out_of_memory     a failed run is not saved
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

#define SIZE_IS(type, size)                                                                        \
    static_assert(sizeof(void *) != 8 || sizeof(struct type) == (size),                            \
                  "struct " #type " has changed: see the beginning of this file")
SIZE_IS(network_domain, 18128);
/* the size alone does not show a member that lies in padding */
static_assert(sizeof(void *) != 8 || (offsetof(struct network_domain, measured_bytes) == 1376 &&
                                      offsetof(struct network_domain, out_of_memory) == 18124),
              "struct network_domain has changed: see the beginning of this file");
SIZE_IS(sleepers, 40);
SIZE_IS(shares, 16);
SIZE_IS(nic_windows, 24);
SIZE_IS(congestion, 32);
SIZE_IS(vc_allocation, 24);

static void save_sleepers(struct saved_state *state, struct network_domain *domain) {
    const struct network *network = domain->network;
    struct sleepers *sleepers = domain->sleepers;
    const size_t routers = network->topology.routers, words = network->request_words;
    SAVED_ITEMS(state, sleepers->asleep_bits, routers * words);
    SAVED_ITEMS(state, sleepers->wait_bits, network->ports * words);
    SAVED_ITEMS(state, sleepers->any_waits, network->ports);
    SAVED_ITEMS(state, sleepers->wake_ps, (size_t)network->ports * network->vcs);
    SAVED_ITEMS(state, sleepers->next_ps, routers);
}

static void save_congestion(struct saved_state *state, struct network_domain *domain) {
    struct congestion *congestion = domain->congestion;
    void *arrived = congestion->arrived;
    SAVED_ITEMS(state, congestion->ports, domain->network->topology.nodes_per_group);
    saved_array(state, &arrived, &congestion->count, sizeof *congestion->arrived);
    congestion->arrived = arrived;
    if (state->is_restoring) congestion->capacity = congestion->count;
}

/* What the outputs and buffers of routers hold. */
static void save_routers(struct saved_state *state, struct network_domain *domain) {
    const struct network *network = domain->network;
    const size_t routers = network->topology.routers;
    const size_t inputs = (size_t)network->ports * network->vcs;
    const bool by_router = network->machine.by_router;
    SAVED_ITEMS(state, domain->outputs, network->outputs);
    SAVED_ITEMS(state, domain->output_vcs, (size_t)network->outputs * network->vcs);
    SAVED_ITEMS(state, domain->input_vcs, inputs);
    SAVED_ITEMS(state, domain->request_bits,
                (by_router ? routers : network->ports) * network->request_words);
    SAVED_ITEMS(state, domain->vc_free_ps, (size_t)network->outputs * network->vcs);
    SAVED_ITEMS(state, domain->input_free_ps, network->ports);
    SAVED_ITEMS(state, domain->resume_ps, routers);
    SAVED_ITEMS(state, domain->shared_free_bytes, network->outputs);
    SAVED_ITEMS(state, domain->decisions, inputs);
    SAVED_ITEMS(state, domain->vc_waiting_bytes, (size_t)network->outputs * network->vcs);
    SAVED_ITEMS(state, domain->turns, inputs);
    SAVED_ITEMS(state, domain->served, inputs * network->topology.radix);
    if (domain->sleepers != NULL) save_sleepers(state, domain);
    if (domain->vc_allocation != NULL) {
        SAVED_ITEMS(state, domain->vc_allocation->holders, inputs);
        SAVED_ITEMS(state, domain->vc_allocation->next_outputs, network->ports);
        SAVED_ITEMS(state, domain->vc_allocation->next_inputs, network->ports);
    }
    if (domain->saturation != NULL) saturation_saved(state, domain);
    if (domain->round_trips != NULL) round_trips_saved(state, domain);
    if (domain->congestion != NULL) save_congestion(state, domain);
    if (domain->shares == NULL) return;
    SAVED_ITEMS(state, domain->shares->classes,
                (size_t)network->outputs * network->virtual_networks);
    SAVED_ITEMS(state, domain->shares->rest_ps, network->outputs);
}

static void save_nics(struct saved_state *state, struct network_domain *domain) {
    const size_t nodes = domain->network->topology.nodes_per_group;
    SAVED_ITEMS(state, domain->nics, nodes);
    SAVED_ITEMS(state, domain->queued_bytes, nodes);
    SAVED_ITEMS(state, domain->hosts, nodes);
    SAVED_ITEMS(state, domain->responses, nodes);
    SAVED_ITEMS(state, domain->nic_classes, nodes);
    if (domain->windows == NULL) return;
    SAVED_ITEMS(state, domain->windows->nics, nodes);
    SAVED_MAP(state, &domain->windows->pairs);
}

static void save_figures(struct saved_state *state, struct network_domain *domain) {
    const struct network *network = domain->network;
    SAVED_ITEMS(state, domain->class_totals, network->virtual_networks);
    SAVED_ITEMS(state, domain->figures, network->outputs);
    SAVED_ITEMS(state, domain->held_ps, network->topology.nodes_per_group);
    void *measured = domain->measured;
    saved_array(state, &measured, &domain->measured_bytes, 1);
    domain->measured = measured;
    SAVED(state, domain->totals);
    SAVED(state, domain->accepted_packets);
    SAVED(state, domain->accepted_bytes);
    SAVED(state, domain->accepted_responses);
    SAVED(state, domain->started_messages);
}

void domain_saved(struct saved_state *state, struct network_domain *domain) {
    event_queue_saved(state, &domain->events);
    SAVED(state, domain->now_ps);
    SAVED(state, domain->starvation_check_ps);
    saved_equal(state, domain->prepared_count);
    saved_bitset(state, &domain->heads);
    saved_bitset(state, &domain->pending);
    SAVED_POOL(state, &domain->packets);
    SAVED_POOL(state, &domain->messages);
    SAVED_POOL(state, &domain->credits);
    SAVED_MAP(state, &domain->assemblies);
    save_routers(state, domain);
    save_nics(state, domain);
    save_figures(state, domain);
}
