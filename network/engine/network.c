/*
 * The public functions of the network that build the machine, and take messages and timers.
 */
#include "network/network.h"

#include "core/memory/memory.h"
#include "network/engine/derive.h"
#include "network/engine/exchange/distribution.h"
#include "network/engine/exchange/group_exchange.h"
#include "network/engine/measurement/labels.h"
#include "network/engine/measurement/packet_trails.h"
#include "network/engine/nic/nic.h"
#include "network/engine/nic/rails.h"
#include "network/engine/rail_group.h"
#include "network/engine/state/events.h"
#include "network/engine/state/packet_pool.h"
#include "network/engine/zero_load.h"
#include "network/routing/ring.h"

#include <inttypes.h>
#include <stdlib.h>

static status_code build_network(struct network *network, const struct network_distribution *part,
                                 struct status *status) {
    FORWARD_IF_ERROR(topology_new(&network->topology, &network->config, status));
    FORWARD_IF_ERROR(rails_make_topologies(network, status));
    derive_constants(network);
    FORWARD_IF_ERROR(derive_wiring(network, status));
    FORWARD_IF_ERROR(distribution_deal(network, part, status));
    uint32_t groups = network->topology.groups;
    uint32_t rail_groups = groups * network->rails.count;
    /* most of a group's memory is its histogram of latencies, of which few pages are written */
    network->rail_groups =
        memory_new_sparse(&network->rail_groups_memory, rail_groups, sizeof *network->rail_groups);
    network->run.next_ps = memory_new(groups, sizeof *network->run.next_ps);
    RETURN_ERROR_IF(!network->rail_groups || !network->run.next_ps, status, STATUS_MEMORY,
                    "out of memory for %u groups", groups);
    network->rail_group_count = rail_groups;
    network->group_arrays = rail_group_arrays_new(network);
    RETURN_ERROR_IF(network->group_arrays == NULL, status, STATUS_MEMORY,
                    "out of memory for the routers of %u groups", groups);
    for (uint32_t i = 0; i < rail_groups; i++)
        FORWARD_IF_ERROR(rail_group_new(&network->rail_groups[i], network, i, status));
    return ring_new(network, status);
}

/* Checks that the event of a timer has room for the number of a node, if a sink of any order may
 * set timers of nodes. */
static status_code check_timers(const struct network_config *config,
                                const struct network_sink *sink, struct status *status) {
    const int64_t nodes = network_config_nodes(config);
    RETURN_ERROR_IF(sink->is_unordered && nodes > INT64_C(1) << NETWORK_EVENT_WHERE_BITS, status,
                    STATUS_USAGE,
                    "the machine has %" PRId64 " nodes, and synthetic traffic is possible for at "
                    "most 2^28 of them; lower network.groups",
                    nodes);
    return STATUS_OK;
}

status_code network_new(struct network **made, const struct network_config *config, uint64_t seed,
                        const struct network_sink *sink, struct status *status) {
    return network_new_distributed(made, config, seed, sink, NULL, status);
}

status_code network_new_distributed(struct network **made, const struct network_config *config,
                                    uint64_t seed, const struct network_sink *sink,
                                    const struct network_distribution *distribution,
                                    struct status *status) {
    FORWARD_IF_ERROR(network_config_check(config, status));
    FORWARD_IF_ERROR(check_timers(config, sink, status));
    struct network *network = memory_new(1, sizeof *network);
    RETURN_ERROR_IF(network == NULL, status, STATUS_MEMORY, "out of memory for a network");
    network->config = *config;
    network->seed = seed;
    network->seed_was_read = memory_new(1, sizeof *network->seed_was_read);
    if (network->seed_was_read == NULL) {
        free(network);
        return status_set(status, STATUS_MEMORY, "out of memory for a network");
    }
    atomic_init(network->seed_was_read, false);
    network->sink = *sink;
    network->run.threads = 1;
    network->rails.count = (uint32_t)config->rails;
    status_code code = build_network(network, distribution, status);
    if (code != STATUS_OK) {
        network_free(network);
        return code;
    }
    *made = network;
    return STATUS_OK;
}

bool network_depends_on_seed(const struct network *network) {
    return atomic_load_explicit(network->seed_was_read, memory_order_relaxed);
}

void network_free(struct network *network) {
    if (network == NULL) return;
    if (network->rail_groups != NULL) {
        for (uint32_t i = 0; i < network->rail_group_count; i++)
            rail_group_free(&network->rail_groups[i]);
    }
    exchange_close(network);
    distribution_free(network);
    free(network->distribution.totals_elsewhere);
    free(network->distribution.outputs_elsewhere);
    free(network->rail_groups_memory);
    free(network->run.next_ps);
    free(network->tables.local_peer);
    free(network->tables.link_ends);
    free(network->tables.wiring);
    free(network->tables.positions);
    free(network->group_arrays);
    topology_free(&network->topology);
    rails_free(network);
    free(network->seed_was_read);
    free(network);
}

status_code network_explain(struct network *network, struct status *status) {
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        struct rail_group *rail_group = &network->rail_groups[i];
        rail_group->observers.trails = packet_trails_new(
            (rail_group->rail_offset + rail_group->group) * network->topology.routers_per_group);
        RETURN_ERROR_IF(rail_group->observers.trails == NULL, status, STATUS_MEMORY,
                        "out of memory for the explanation of times");
        rail_group_observe(rail_group);
    }
    return STATUS_OK;
}

status_code network_keep_labels(struct network *network, struct status *status) {
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        struct rail_group *rail_group = &network->rail_groups[i];
        rail_group->observers.labels = labels_new();
        RETURN_ERROR_IF(rail_group->observers.labels == NULL, status, STATUS_MEMORY,
                        "out of memory for labels");
        rail_group_observe(rail_group);
        rail_group->tracks_injections = true;
    }
    return STATUS_OK;
}

void network_set_next_label(struct rail_group *rail_group, const struct network_label *label) {
    labels_set_next(rail_group, label);
}

uint32_t network_node_count(const struct network *network) {
    return network->topology.groups * network->topology.node_shape.nodes_per_group;
}

uint32_t network_group_count(const struct network *network) {
    return network->topology.groups;
}

struct rail_group *network_home_of_group(struct network *network, uint32_t group) {
    return &network->rail_groups[group];
}

struct rail_group *network_home_of_node(struct network *network, uint32_t node) {
    return &network->rail_groups[node / network->topology.node_shape.nodes_per_group];
}

uint32_t network_group_number(const struct rail_group *rail_group) {
    return rail_group->group;
}

unsigned network_process_of(const struct network *network, uint32_t group) {
    return distribution_process_of(network, group);
}

bool network_is_here(const struct network *network, uint32_t group) {
    return !network->rail_groups[group].is_elsewhere;
}

void network_set_timer(struct rail_group *rail_group, int64_t at_ps, uint32_t entity,
                       uint64_t data) {
    if (rail_group->is_elsewhere) return;
    if (rail_group->network->sink.is_unordered)
        event_queue_insert(&rail_group->events, at_ps,
                           NETWORK_EVENT(NETWORK_EVENT_FREE_TIMER, data, entity));
    else
        network_set_last_timer(rail_group, at_ps, entity, data);
}

void network_set_last_timer(struct rail_group *rail_group, int64_t at_ps, uint32_t entity,
                            uint64_t data) {
    if (rail_group->is_elsewhere) return;
    event_queue_insert_keyed(&rail_group->events, at_ps,
                             NETWORK_EVENT_KEY(NETWORK_EVENT_KEYED_TIMER, entity), data, 0);
}

void network_timer_items(struct network *network, const void *items, size_t item_bytes) {
    network->prefetching.timer_items = items;
    network->prefetching.timer_item_bytes = item_bytes;
}

void network_send(struct rail_group *rail_group, int64_t ready_ps,
                  const struct network_message *sent) {
    const struct network *network = rail_group->network;
    struct nic_endpoints pair = {sent->source_node, sent->destination_node};
    if (network->topology.node_shape.nics_per_node > 1) pair = nic_choice_next(rail_group, sent);
    if (nic_send_at_once(rail_group, ready_ps, sent, pair)) return;
    uint32_t index = network_message_new(rail_group);
    if (index == NETWORK_NONE) return;
    uint32_t endpoint = pair.source - rail_group->group * network->topology.endpoints_per_group;
    const struct network_cookie *cookie = &sent->cookie;
    struct network_message_record *message = &rail_group->messages.items[index];
    message->cookie = *cookie;
    message->size_bytes = message->left_bytes = sent->size_bytes;
    message->ready_ps = ready_ps;
    message->source = pair.source;
    message->destination = pair.destination;
    message->sequence = rail_group->nics[rail_group->nics[endpoint].first_nic].sequence++;
    message->virtual_network = sent->traffic_class;
    message->notify_sent = sent->notify_sent;
    message->has_cookie = (cookie->word[0] | cookie->word[1] | cookie->word[2]) != 0;
    message->started = false;
    message->parent = NETWORK_NONE;
    if (HINT_UNLIKELY(rail_group->observers.labels != NULL))
        labels_label_message(rail_group, index);
    rail_group->counts.started_messages++;
    int64_t at_nic_ps =
        ready_ps + by_size_at(&network->config.nic_send_latency_ps, sent->size_bytes);
    if (sent->source_node == sent->destination_node) {
        int64_t end_ps =
            ready_ps + zero_load_ps(network, NULL, endpoint, endpoint, sent->size_bytes, 0, 0);
        message->left_bytes = 0;
        if (sent->notify_sent) {
            uint32_t report = network_message_new(rail_group);
            if (report == NETWORK_NONE) return;
            message = &rail_group->messages.items[index];
            rail_group->messages.items[report] = *message;
            event_queue_insert_keyed(&rail_group->events, end_ps,
                                     NETWORK_EVENT_KEY(NETWORK_EVENT_SENT, message->source),
                                     message->sequence, report);
        }
        event_queue_insert_keyed(&rail_group->events, end_ps,
                                 NETWORK_EVENT_KEY(NETWORK_EVENT_DELIVERED, message->destination),
                                 (uint64_t)message->source << 32 | message->sequence, index);
    } else if (at_nic_ps > rail_group->now_ps) {
        event_queue_insert_keyed(&rail_group->events, at_nic_ps,
                                 NETWORK_EVENT_KEY(NETWORK_EVENT_READY, message->source),
                                 message->sequence, index);
    } else {
        nic_hand_in(rail_group, index);
    }
}
