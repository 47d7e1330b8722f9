/*
 * Failed routers and links, given in a file or drawn at random. See docs/model.md, 4.6.
 *
 * Knows wirings. Invariant: equal settings fail the same parts, whatever runs on the machine. A
 * link fails in both directions, and all links of a failed router fail.
 */
#ifndef ANAX_NETWORK_FAILURES_H
#define ANAX_NETWORK_FAILURES_H

#include "network/topology/topology.h"

#include <stdbool.h>

struct failures {
    uint8_t *router_failed; /* [router of the machine]: failed */
    uint8_t *local_failed; /* [router of the machine · local ports + port]: failed, at both ends */
    uint32_t *working_routers; /* [group]: number of routers that work */
    uint32_t failed_routers;
    uint32_t failed_locals;
    uint32_t failed_globals;
};

/* Finds what has failed in a rail, and removes failed global links from topology->link_peers. The
 * caller frees *made with failures_free. STATUS_INPUT: the file is wrong; the text lists all faults
 * with their lines. STATUS_USAGE: the settings fail more parts than there are. */
status_code failures_new(struct failures **made, struct topology *topology,
                         const struct network_config *config, uint32_t rail, struct status *status);

/* Frees what failures_new has made; NULL is allowed. */
void failures_free(struct failures *failures);

/* Adds one rail to `rails`, which holds for each router of the machine the set of rails in which it
 * works, one bit per rail. */
void failures_record_rail(uint16_t *rails, const struct topology *topology, uint32_t rail);

/* Checks that any two nodes have a rail in which a router of both works; nodes that work in no rail
 * are left out. `rails` is as above. STATUS_USAGE names two nodes without a common rail. */
status_code failures_check_joined(const uint16_t *rails, const struct network_config *config,
                                  struct status *status);

/* Sets nodes[node] for all nodes whose routers have failed in every rail. Errors: those of
 * network_config_check and topology_new_of_rail. */
status_code failures_mark_nodes(bool *nodes, const struct network_config *config,
                                struct status *status);

/* Fills topology->next_hop_ports and topology->local_distances with paths round failed links, group
 * by group. Then checks that any two groups are joined, directly or through a third group.
 * STATUS_USAGE names the nodes that are cut off. */
status_code failures_find_paths(struct topology *topology, struct status *status);

/* Returns whether the link at a local port of a router of the machine works. */
static inline bool failures_port_works(const struct topology *topology, uint32_t router,
                                       uint32_t port) {
    const struct failures *failures = topology->failures;
    return failures == NULL ||
           !failures->local_failed[(size_t)router * topology->group_shape.ports_per_router + port -
                                   topology->endpoints_per_router];
}

/* Returns whether a router works. */
static inline bool failures_router_works(const struct topology *topology, uint32_t router) {
    return topology->failures == NULL || !topology->failures->router_failed[router];
}

#endif
