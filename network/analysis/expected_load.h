/*
 * What links would carry if every message took its minimal path: a figure of a placement that needs
 * no simulation. Traffic to a group or a neighbour with several links to it is spread evenly
 * over them, and so is that between two nodes over the rails in which both of their routers work.
 *
 * Knows nodes and bytes (payload); must not know ranks.
 */
#ifndef ANAX_NETWORK_EXPECTED_LOAD_H
#define ANAX_NETWORK_EXPECTED_LOAD_H

#include "core/status.h"
#include "core/wide.h"
#include "network/network_config.h"

#include <stdint.h>

typedef enum expected_kind {
    EXPECTED_INJECTION,
    EXPECTED_EJECTION,
    EXPECTED_LOCAL,
    EXPECTED_GLOBAL,
    EXPECTED_KINDS
} expected_kind;

/* Links of a kind, each direction for itself. */
struct expected_links {
    uint64_t links;
    uint64_t used; /* that carry anything */
    wide total_bytes;
    wide max_bytes;
    uint32_t source; /* of the link with max_bytes, the first of equals: a router, or the node */
    uint32_t destination; /* of injection; and a router, or the node of ejection */
    int64_t bandwidth_bytes_per_s;
};

struct expected_load;

/* Errors: STATUS_USAGE, what topology_new refuses and nodes that no rail joins; STATUS_MEMORY. */
status_code expected_load_new(struct expected_load **load, const struct network_config *config,
                              struct status *status);
void expected_load_free(struct expected_load *load); /* NULL allowed */

/* Adds traffic between two nodes; none if they are the same. */
void expected_load_add(struct expected_load *load, uint32_t source_node, uint32_t destination_node,
                       wide bytes);

void expected_load_sum(const struct expected_load *load,
                       struct expected_links sums[EXPECTED_KINDS]);

#endif
