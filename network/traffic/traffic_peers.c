/* Numbers the nodes that send traffic consecutively, maps these numbers back to nodes, and applies
 * a pattern to them. */
#include "network/traffic/traffic_peers.h"

#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "network/network_config.h"

#include <stdlib.h>

status_code traffic_peers_make(struct traffic_peers *peers, const struct network_config *config,
                               const bool *left_out, struct status *status) {
    uint32_t node_count = (uint32_t)network_config_nodes(config);
    uint32_t groups = (uint32_t)config->groups, size = node_count / groups;
    *peers = (struct traffic_peers){.nodes = memory_new(node_count, sizeof *peers->nodes),
                                    .position = memory_new(node_count, sizeof *peers->position),
                                    .first = memory_new((size_t)groups + 1, sizeof *peers->first),
                                    .nodes_per_group = size};
    RETURN_ERROR_IF(!peers->nodes || !peers->position || !peers->first, status, STATUS_MEMORY,
                    "out of memory for traffic of %u nodes", node_count);
    for (uint32_t node = 0; node < node_count; node++) {
        if (node % size == 0) peers->first[node / size] = peers->count;
        peers->position[node] = peers->count;
        if (left_out == NULL || !left_out[node]) peers->nodes[peers->count++] = node;
    }
    peers->first[groups] = peers->count;
    peers->are_all = peers->count == node_count;
    peers->space =
        (struct traffic_space){.nodes = peers->count, .nodes_per_group = size, .groups = groups};
    return STATUS_OK;
}

void traffic_peers_clear(struct traffic_peers *peers) {
    free(peers->nodes);
    free(peers->position);
    free(peers->first);
    free(peers->space.permutation);
    *peers = (struct traffic_peers){0};
}

status_code traffic_peers_choose(struct traffic_peers *peers, const struct traffic_config *traffic,
                                 const char *setting, uint64_t seed, struct status *status) {
    peers->space.seed = seed;
    peers->space.hotspot_millionths = traffic->hotspot_millionths;
    if (traffic_pattern_has_hotspot(traffic->pattern))
        peers->space.hotspot_node = peers->position[traffic->hotspot_node];
    return traffic_pattern_find(traffic, setting, &peers->space, &peers->destination, status);
}

/* A hotspot gets its share s of the messages of the P - 1 other peers, and of the rest as much as
 * any other peer, which is 1 - s of what a peer sends. In the other patterns no peer gets more than
 * a peer sends. (With failures, peers of adv+N can; the channels between groups carry less anyway.)
 */
bool traffic_peers_are_overloaded(const struct traffic_peers *peers,
                                  const struct traffic_config *traffic, int64_t load_millionths) {
    const uint64_t one = 1000000, share = (uint64_t)traffic->hotspot_millionths;
    if (!traffic_pattern_has_hotspot(traffic->pattern)) return false;
    const wide received = (wide)(peers->count - 1) * share + (one - share);
    return received * (uint64_t)load_millionths > (wide)one * one;
}

/* Returns the peer nearest to a node: in the first group with peers, from the node's group on,
 * the peer at the same relative position as the node in its group. */
static uint32_t peer_near(const struct traffic_peers *peers, uint32_t node) {
    uint32_t size = peers->nodes_per_group, group = node / size;
    while (peers->first[group] == peers->first[group + 1])
        group = group + 1 < peers->space.groups ? group + 1 : 0;
    uint32_t first = peers->first[group], count = peers->first[group + 1] - first;
    return peers->nodes[first + (uint32_t)((uint64_t)(node % size) * count / size)];
}

uint32_t traffic_peers_destination(const struct traffic_peers *peers, uint32_t node, uint64_t count,
                                   struct random_block draw) {
    uint32_t position = peers->are_all ? node : peers->position[node], to;
    if (peers->space.distance > 0)
        to = peer_near(peers, peers->destination(&peers->space, node, count, draw));
    else
        to = peers->destination(&peers->space, position, count, draw);
    if (peers->space.distance == 0 && !peers->are_all) to = peers->nodes[to];
    if (to != node) return to; /* equal only if no other group has peers */
    return peers->nodes[position + 1 < peers->count ? position + 1 : 0];
}
