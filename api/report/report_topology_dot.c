/*
 * A topology as a graph for Graphviz: a cluster per group, a node per router, and an edge per
 * channel between routers. The machine's nodes are left out; the label of a router gives their
 * number.
 */
#include "api/report/report_topology.h"
#include "api/text/text_buffer.h"
#include "core/base/plural.h"
#include "network/topology/failures.h"

#include <inttypes.h>

char *report_topology_dot(const anax_topology *machine) {
    const struct topology *topology = &machine->topology;
    uint32_t a = topology->routers_per_group, h = topology->globals_per_router;
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text, "graph dragonfly {\n  node [shape=circle];\n");
    for (uint32_t group = 0; group < topology->groups; group++) {
        uint32_t first = group * a;
        text_add(&text, "  subgraph cluster_%" PRIu32 " {\n    label=\"group %" PRIu32 "\";\n",
                 group, group);
        for (uint32_t j = 0; j < a; j++)
            text_add(&text,
                     "    r%" PRIu32 " [label=\"%" PRIu32 "\", tooltip=\"%" PRIu32 " %s%s\"];\n",
                     first + j, j, topology->endpoints_per_router,
                     topology->node_shape.nics_per_node > 1 ? "NIC" : "node",
                     plural(topology->endpoints_per_router));
        for (uint32_t j = 0; j < a; j++)
            for (uint32_t port = topology->endpoints_per_router; port < topology->first_global_port;
                 port++) {
                uint32_t other = topology_local_end(topology, j, port).router;
                if (other < j || !failures_port_works(topology, first + j, port)) continue;
                text_add(&text, "    r%" PRIu32 " -- r%" PRIu32 ";\n", first + j, first + other);
            }
        text_add(&text, "  }\n");
    }
    text_add(&text, "  edge [color=blue];\n");
    for (uint32_t place = 0; place < topology->groups * topology->links_per_group; place++) {
        uint32_t end = topology->link_peers[place];
        if (end != TOPOLOGY_UNCONNECTED && end > place)
            text_add(&text, "  r%" PRIu32 " -- r%" PRIu32 ";\n", place / h, end / h);
    }
    text_add(&text, "}\n");
    return text_take(&text);
}
