/*
 * Nodes with several NICs: which endpoints of the network belong to which node.
 *
 * An endpoint is a terminal port of a router, with the number router·p + port; in a machine with
 * rails it is the same port in each rail. A node has `nics_per_node` endpoints, all in one group.
 * NIC i of a node is its endpoint number i. The nodes whose NICs are on the same routers form a
 * set, and no router belongs to two sets. Nodes are numbered set by set, and sets by their first
 * router. With one NIC per node, nodes and endpoints have the same numbers.
 *
 * Knows numbers only. docs/model.md 4.7 has the equations.
 */
#ifndef ANAX_NETWORK_NODE_SHAPE_H
#define ANAX_NETWORK_NODE_SHAPE_H

#include <stdint.h>

struct node_shape {
    uint32_t nics_per_node;
    uint32_t nics_per_router;      /* NICs of a node on each of its routers */
    uint32_t routers_per_node;     /* nics_per_node / nics_per_router */
    uint32_t router_stride;        /* from one of its routers to the next */
    uint32_t endpoints_per_router; /* p */
    uint32_t nodes_per_set;
    uint32_t nodes_per_group;
    uint32_t endpoints_per_group;
};

/* Returns the first router, numbered within the group, of the node with that number in it. */
static inline uint32_t node_shape_router(const struct node_shape *shape, uint32_t local) {
    uint32_t set = local / shape->nodes_per_set;
    return set / shape->router_stride * shape->router_stride * shape->routers_per_node +
           set % shape->router_stride;
}

/* Returns the endpoint of a node's NIC. */
static inline uint32_t node_shape_endpoint(const struct node_shape *shape, uint32_t node,
                                           uint32_t nic) {
    if (shape->nics_per_node == 1) return node;
    uint32_t group = node / shape->nodes_per_group, local = node % shape->nodes_per_group;
    uint32_t router =
        node_shape_router(shape, local) + nic / shape->nics_per_router * shape->router_stride;
    uint32_t port =
        local % shape->nodes_per_set * shape->nics_per_router + nic % shape->nics_per_router;
    return group * shape->endpoints_per_group + router * shape->endpoints_per_router + port;
}

/* Returns the node of an endpoint. */
static inline uint32_t node_shape_node(const struct node_shape *shape, uint32_t endpoint) {
    if (shape->nics_per_node == 1) return endpoint;
    uint32_t group = endpoint / shape->endpoints_per_group;
    uint32_t router = endpoint % shape->endpoints_per_group / shape->endpoints_per_router;
    uint32_t set =
        router / (shape->router_stride * shape->routers_per_node) * shape->router_stride +
        router % shape->router_stride;
    uint32_t slot = endpoint % shape->endpoints_per_router / shape->nics_per_router;
    return group * shape->nodes_per_group + set * shape->nodes_per_set + slot;
}

/* Returns the number of an endpoint's NIC in its node. */
static inline uint32_t node_shape_nic(const struct node_shape *shape, uint32_t endpoint) {
    if (shape->nics_per_node == 1) return 0;
    uint32_t router = endpoint % shape->endpoints_per_group / shape->endpoints_per_router;
    uint32_t place = router / shape->router_stride % shape->routers_per_node;
    return place * shape->nics_per_router +
           endpoint % shape->endpoints_per_router % shape->nics_per_router;
}

#endif
