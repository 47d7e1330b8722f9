/*
 * Adds the bytes of a pair of nodes to every link of their minimal paths, in equal shares over
 * parallel links, rails and NICs. Where failures have left no link between two groups, the traffic
 * goes through third groups.
 */
#include "network/analysis/expected_load.h"

#include "core/memory/memory.h"
#include "network/topology/failures.h"

#include <stdlib.h>
#include <string.h>

struct rail_load {
    struct topology topology;
    wide *injected; /* [node] */
    wide *sent;     /* [router · radix + port] */
};

struct expected_load {
    struct network_config config;
    uint32_t rails;
    struct rail_load *rail; /* one entry per rail, since failures differ between rails */
    uint16_t *router_rails; /* [router]: set of rails in which it works, one bit per rail */
};

static wide *load_of_port(const struct rail_load *load, uint32_t router, uint32_t port) {
    return &load->sent[(size_t)router * load->topology.radix + port];
}

/* Adds traffic from one router to another of the same group. */
static void add_local(struct rail_load *load, uint32_t from, uint32_t to, wide bytes) {
    const struct topology *topology = &load->topology;
    uint32_t group = from / topology->routers_per_group,
             first = group * topology->routers_per_group;
    while (from != to) {
        uint32_t port = topology_local_port(topology, group, from - first, to - first);
        uint32_t parallel = topology_parallel_ports(topology, port), count = 0, given = 0;
        for (uint32_t i = 0; i < parallel; i++)
            count += failures_port_works(topology, from, port + i);
        for (uint32_t i = 0; i < parallel; i++)
            if (failures_port_works(topology, from, port + i))
                *load_of_port(load, from, port + i) += bytes / count + (given++ < bytes % count);
        from = first + topology_local_end(topology, from - first, port).router;
    }
}

/* Adds traffic from a router over all links to another group. Calls `next` with the share of each
 * link, from the router at its other end. */
static void
add_over_links(struct rail_load *load, uint32_t from, uint32_t to_group, uint32_t to, wide bytes,
               void (*next)(struct rail_load *load, uint32_t from, uint32_t to, wide bytes)) {
    const struct topology *topology = &load->topology;
    uint32_t group = from / topology->routers_per_group, count;
    const uint16_t *links = topology_links(topology, group, to_group, &count);
    for (uint32_t i = 0; i < count; i++) {
        wide share = bytes / count + (i < bytes % count);
        uint32_t leave =
            group * topology->routers_per_group + links[i] / topology->globals_per_router;
        uint32_t peer = topology->link_peers[(size_t)group * topology->links_per_group + links[i]];
        add_local(load, from, leave, share);
        *load_of_port(load, leave,
                      topology->first_global_port + links[i] % topology->globals_per_router) +=
            share;
        next(load, peer / topology->globals_per_router, to, share);
    }
}

static void add_to_target_group(struct rail_load *load, uint32_t from, uint32_t to, wide bytes) {
    add_over_links(load, from, to / load->topology.routers_per_group, to, bytes, add_local);
}

/* Adds traffic between groups that no link joins: in equal shares through all possible third
 * groups. */
static void add_via_third(struct rail_load *load, uint32_t from, uint32_t to, wide bytes) {
    const struct topology *topology = &load->topology;
    uint32_t one = from / topology->routers_per_group, two = to / topology->routers_per_group,
             count = 0, given = 0;
    for (uint32_t third = 0; third < topology->groups; third++)
        count += topology_groups_are_joined(topology, one, third) &&
                 topology_groups_are_joined(topology, third, two);
    for (uint32_t third = 0; third < topology->groups; third++)
        if (topology_groups_are_joined(topology, one, third) &&
            topology_groups_are_joined(topology, third, two))
            add_over_links(load, from, third, to, bytes / count + (given++ < bytes % count),
                           add_to_target_group);
}

static void add_to_rail(struct rail_load *load, uint32_t source_node, uint32_t destination_node,
                        wide bytes) {
    const struct topology *topology = &load->topology;
    uint32_t from = source_node / topology->endpoints_per_router;
    uint32_t to = destination_node / topology->endpoints_per_router;
    uint32_t from_group = from / topology->routers_per_group,
             to_group = to / topology->routers_per_group;
    load->injected[source_node] += bytes;
    *load_of_port(load, to, destination_node % topology->endpoints_per_router) += bytes;
    if (from_group == to_group)
        add_local(load, from, to, bytes);
    else if (topology_groups_are_joined(topology, from_group, to_group))
        add_to_target_group(load, from, to, bytes);
    else
        add_via_third(load, from, to, bytes);
}

/* Returns the rails that join two endpoints, as bits. */
static uint32_t rails_joining(const struct expected_load *load, uint32_t source,
                              uint32_t destination) {
    uint32_t p = load->rail[0].topology.endpoints_per_router;
    return (uint32_t)load->router_rails[source / p] & load->router_rails[destination / p];
}

/* Adds traffic between two endpoints that a rail joins. */
static void add_to_rails(struct expected_load *load, uint32_t source, uint32_t destination,
                         wide bytes) {
    uint32_t usable = rails_joining(load, source, destination), given = 0;
    uint32_t count = (uint32_t)__builtin_popcount(usable);
    for (; usable != 0; usable &= usable - 1)
        add_to_rail(&load->rail[__builtin_ctz(usable)], source, destination,
                    bytes / count + (given++ < bytes % count));
}

/* Writes the pairs of endpoints between which the messages of two nodes go, and returns their
 * number: all pairs that work or, if their ranks name NICs, the first one that works from these
 * on, as the engine chooses it. */
static uint32_t find_pairs(const struct expected_load *load, const struct network_message *message,
                           uint32_t pairs[NETWORK_NICS_MAX * NETWORK_NICS_MAX][2]) {
    const struct node_shape *shape = &load->rail[0].topology.node_shape;
    bool named = message->source_nic != NETWORK_NIC_ANY;
    uint32_t from = named ? message->source_nic - 1u : 0;
    uint32_t to = named ? message->destination_nic - 1u : 0, count = 0;
    for (uint32_t i = 0; i < shape->nics_per_node * shape->nics_per_node && (count == 0 || !named);
         i++) {
        uint32_t source = (from + i / shape->nics_per_node) % shape->nics_per_node;
        uint32_t destination = (to + i % shape->nics_per_node) % shape->nics_per_node;
        pairs[count][0] = node_shape_endpoint(shape, message->source_node, source);
        pairs[count][1] = node_shape_endpoint(shape, message->destination_node, destination);
        count += rails_joining(load, pairs[count][0], pairs[count][1]) != 0;
    }
    return count;
}

void expected_load_add(struct expected_load *load, const struct network_message *message,
                       wide bytes) {
    if (message->source_node == message->destination_node) return;
    uint32_t pairs[NETWORK_NICS_MAX * NETWORK_NICS_MAX][2], given = 0;
    uint32_t count = find_pairs(load, message, pairs);
    for (uint32_t i = 0; i < count; i++)
        add_to_rails(load, pairs[i][0], pairs[i][1], bytes / count + (given++ < bytes % count));
}

void expected_load_clear(struct expected_load *load) {
    for (uint32_t i = 0; i < load->rails; i++) {
        struct rail_load *rail = &load->rail[i];
        const size_t routers = (size_t)rail->topology.groups * rail->topology.routers_per_group;
        memset(rail->injected, 0,
               routers * rail->topology.endpoints_per_router * sizeof *rail->injected);
        memset(rail->sent, 0, routers * rail->topology.radix * sizeof *rail->sent);
    }
}

/* Returns whether a link with these bytes and bandwidth takes longer than another one. */
static bool takes_longer(wide bytes, uint64_t bandwidth, wide other_bytes,
                         uint64_t other_bandwidth) {
    if (bandwidth == other_bandwidth) return bytes > other_bytes;
    wide seconds = bytes / bandwidth, other_seconds = other_bytes / other_bandwidth;
    if (seconds != other_seconds) return seconds > other_seconds;
    return bytes % bandwidth * other_bandwidth > other_bytes % other_bandwidth * bandwidth;
}

static void sum_link(struct expected_links *sum, wide bytes, int64_t bandwidth, uint32_t source,
                     uint32_t destination) {
    sum->links++;
    sum->used += bytes > 0;
    sum->total_bytes += bytes;
    if (sum->links == 1 || takes_longer(bytes, (uint64_t)bandwidth, sum->max_bytes,
                                        (uint64_t)sum->bandwidth_bytes_per_s)) {
        sum->max_bytes = bytes;
        sum->bandwidth_bytes_per_s = bandwidth;
        sum->source = source;
        sum->destination = destination;
    }
}

static void sum_router(const struct network_config *config, const struct rail_load *load,
                       uint32_t router, struct expected_links *sums) {
    const struct topology *topology = &load->topology;
    int64_t terminal = network_config_bytes_per_s(config, NETWORK_TERMINAL);
    int64_t global = network_config_bytes_per_s(config, NETWORK_GLOBAL);
    uint32_t group = router / topology->routers_per_group,
             inside = router % topology->routers_per_group;
    for (uint32_t port = 0; port < topology->endpoints_per_router; port++)
        sum_link(
            &sums[EXPECTED_EJECTION], *load_of_port(load, router, port), terminal, router,
            node_shape_node(&topology->node_shape, router * topology->endpoints_per_router + port));
    for (uint32_t port = topology->endpoints_per_router; port < topology->first_global_port; port++)
        if (failures_port_works(topology, router, port))
            sum_link(
                &sums[EXPECTED_LOCAL], *load_of_port(load, router, port),
                network_config_bytes_per_s(config, topology_channel_type(topology, inside, port)),
                router,
                group * topology->routers_per_group +
                    topology_local_end(topology, inside, port).router);
    for (uint32_t k = 0; k < topology->globals_per_router; k++) {
        uint32_t link = inside * topology->globals_per_router + k;
        uint32_t peer = topology->link_peers[(size_t)group * topology->links_per_group + link];
        if (peer != TOPOLOGY_UNCONNECTED)
            sum_link(&sums[EXPECTED_GLOBAL],
                     *load_of_port(load, router, topology->first_global_port + k), global, router,
                     peer / topology->links_per_group * topology->routers_per_group +
                         peer % topology->links_per_group / topology->globals_per_router);
    }
}

static void sum_rail(const struct network_config *config, const struct rail_load *load,
                     struct expected_links *sums) {
    const struct topology *topology = &load->topology;
    const int64_t injection = network_config_nic_bytes_per_s(config);
    for (uint32_t router = 0; router < topology->groups * topology->routers_per_group; router++) {
        if (!failures_router_works(topology, router)) continue;
        for (uint32_t k = 0; k < topology->endpoints_per_router; k++) {
            uint32_t node = router * topology->endpoints_per_router + k;
            sum_link(&sums[EXPECTED_INJECTION], load->injected[node], injection,
                     node_shape_node(&topology->node_shape, node), router);
        }
        sum_router(config, load, router, sums);
    }
}

void expected_load_sum(const struct expected_load *load,
                       struct expected_links sums[EXPECTED_KINDS]) {
    static const network_channel_kind kinds[EXPECTED_KINDS] = {NETWORK_TERMINAL, NETWORK_TERMINAL,
                                                               NETWORK_LOCAL, NETWORK_GLOBAL};
    for (unsigned kind = 0; kind < EXPECTED_KINDS; kind++) /* as it stays without any link */
        sums[kind] = (struct expected_links){
            .bandwidth_bytes_per_s = network_config_bytes_per_s(&load->config, kinds[kind])};
    for (uint32_t i = 0; i < load->rails; i++)
        sum_rail(&load->config, &load->rail[i], sums);
}

static status_code rail_load_new(struct rail_load *load, const struct network_config *config,
                                 uint32_t rail, struct status *status) {
    FORWARD_IF_ERROR(topology_new_of_rail(&load->topology, config, rail, status));
    size_t routers = (size_t)load->topology.groups * load->topology.routers_per_group;
    load->injected = memory_new(routers * load->topology.endpoints_per_router, sizeof(wide));
    load->sent = memory_new(routers * load->topology.radix, sizeof(wide));
    RETURN_ERROR_IF(load->injected == NULL || load->sent == NULL, status, STATUS_MEMORY,
                    "out of memory for link loads");
    return STATUS_OK;
}

static status_code find_rails(struct expected_load *load, struct status *status) {
    const struct network_config *config = &load->config;
    load->rail = memory_new((size_t)config->rails, sizeof *load->rail);
    load->router_rails = memory_new((size_t)(config->groups * config->routers_per_group),
                                    sizeof *load->router_rails);
    RETURN_ERROR_IF(load->rail == NULL || load->router_rails == NULL, status, STATUS_MEMORY,
                    "out of memory for link loads");
    while (load->rails < (uint32_t)config->rails) {
        uint32_t rail = load->rails++; /* to be freed even after an error */
        FORWARD_IF_ERROR(rail_load_new(&load->rail[rail], config, rail, status));
        failures_record_rail(load->router_rails, &load->rail[rail].topology, rail);
    }
    return failures_check_joined(load->router_rails, config, status);
}

status_code expected_load_new(struct expected_load **made, const struct network_config *config,
                              struct status *status) {
    *made = NULL;
    struct expected_load *load = memory_new(1, sizeof *load);
    RETURN_ERROR_IF(load == NULL, status, STATUS_MEMORY, "out of memory for link loads");
    load->config = *config;
    status_code code = find_rails(load, status);
    if (code == STATUS_OK)
        *made = load;
    else
        expected_load_free(load);
    return code;
}

void expected_load_free(struct expected_load *load) {
    if (load == NULL) return;
    for (uint32_t i = 0; i < load->rails; i++) {
        topology_free(&load->rail[i].topology);
        free(load->rail[i].injected);
        free(load->rail[i].sent);
    }
    free(load->rail);
    free(load->router_rails);
    free(load);
}
