/*
 * The load of each link if every message took its minimal path: a figure of a placement that needs
 * no simulation. Traffic to a group or a neighbour with several links is spread evenly over these
 * links. Traffic between two nodes is spread evenly over the rails in which both of their routers
 * work, and over the NICs of a node unless each rank has a NIC of its own.
 *
 * Knows nodes and bytes (payload); must not know ranks.
 */
#ifndef ANAX_NETWORK_EXPECTED_LOAD_H
#define ANAX_NETWORK_EXPECTED_LOAD_H

#include "core/base/status.h"
#include "core/base/wide.h"
#include "network/network.h"

#include <stdint.h>

typedef enum expected_kind {
    EXPECTED_INJECTION,
    EXPECTED_EJECTION,
    EXPECTED_LOCAL,
    EXPECTED_GLOBAL,
    EXPECTED_KINDS
} expected_kind;

/* The loads of all links of a kind. The two directions of a link count separately. */
struct expected_links {
    uint64_t links;
    uint64_t used; /* links with any load */
    wide total_bytes;
    wide max_bytes;                /* of the link that takes longest for its load */
    uint32_t source;               /* source of the first such link: router or node */
    uint32_t destination;          /* its destination: router or node */
    int64_t bandwidth_bytes_per_s; /* of that link: what framing leaves; of a link from a node
                                      what its NIC sends at */
};

struct expected_load;

/* Creates an empty load, which the caller frees with expected_load_free. STATUS_USAGE: topology_new
 * refuses the configuration, or two nodes have no rail in common. STATUS_MEMORY. */
status_code expected_load_new(struct expected_load **made, const struct network_config *config,
                              struct status *status);

/* Frees what expected_load_new has made; NULL is allowed. */
void expected_load_free(struct expected_load *load);

/* Makes a load empty again. */
void expected_load_clear(struct expected_load *load);

/* Adds `bytes` of traffic from the source of a message to its destination. The size of the message
 * does not count. Its NICs do: it names both or neither. Traffic of a node with itself loads no
 * link. */
void expected_load_add(struct expected_load *load, const struct network_message *message,
                       wide bytes);

/* Adds up the load of the links of each kind, and finds the largest. */
void expected_load_sum(const struct expected_load *load,
                       struct expected_links sums[EXPECTED_KINDS]);

#endif
