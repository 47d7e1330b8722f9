/*
 * Failed routers and links: which ones, from a file and at random. See docs/model.md, 4.6.
 *
 * Knows wirings. Invariant: the same settings fail the same parts, whatever runs on the machine; a
 * link fails in both directions, and with a router all its links.
 */
#ifndef ANAX_NETWORK_FAILURES_H
#define ANAX_NETWORK_FAILURES_H

#include "network/topology/topology.h"

#include <stdbool.h>

struct failures {
    uint8_t *routers; /* [router of the machine] */
    uint8_t *locals;  /* [router of the machine · local ports + port]: at both ends of a link */
    uint32_t *working_routers; /* [group]: how many */
    uint32_t failed_routers;
    uint32_t failed_locals;
    uint32_t failed_globals;
};

/* Finds what has failed in a rail and takes failed global links out of topology->peer.
 * STATUS_INPUT: faults of the file, all with their lines; STATUS_USAGE: more than there are. */
status_code failures_new(struct failures **failures, struct topology *topology,
                         const struct network_config *config, uint32_t rail, struct status *status);
void failures_free(struct failures *failures); /* NULL allowed */

/* The rails in which each router of the machine works, as bits: adds one rail's. */
void failures_note_rail(uint16_t *rails, const struct topology *topology, uint32_t rail);

/* Every two nodes that take part need a rail in which both of their routers work; rails as above.
 * STATUS_USAGE names two that have none. */
status_code failures_check_joined(const uint16_t *rails, const struct topology *topology,
                                  struct status *status);

/* Marks the nodes whose routers have failed in every rail, of a configuration that need not be
 * checked yet. */
status_code failures_mark_nodes(bool *nodes, const struct network_config *config,
                                struct status *status);

/* Fills topology->onwards and distance with paths round failed links, group by group; then checks
 * that every two groups are joined, directly or by way of a third one. STATUS_USAGE names the nodes
 * that are cut off. */
status_code failures_find_paths(struct topology *topology, struct status *status);

/* Whether the link at a local port of a router of the machine works. */
static inline bool failures_port_works(const struct topology *topology, uint32_t router,
                                       uint32_t port) {
    const struct failures *failures = topology->failures;
    return failures == NULL || !failures->locals[(size_t)router * topology->group.ports + port -
                                                 topology->nodes_per_router];
}

static inline bool failures_router_works(const struct topology *topology, uint32_t router) {
    return topology->failures == NULL || !topology->failures->routers[router];
}

#endif
