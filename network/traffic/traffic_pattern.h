/* Destinations of synthetic traffic: one row per pattern. Knows numbers only. */
#ifndef ANAX_NETWORK_TRAFFIC_PATTERN_H
#define ANAX_NETWORK_TRAFFIC_PATTERN_H

#include "core/random.h"
#include "core/status.h"
#include "network/traffic/traffic.h"

struct traffic_space {
    uint32_t nodes;
    uint32_t nodes_per_group;
    uint32_t groups;
    uint32_t distance; /* N of adv+N */
    uint32_t hotspot_node;
    int64_t hotspot_millionths;
    uint64_t seed;
    uint32_t *permutation; /* [node] -> another node, for `permutation` */
};

/* The destination of a node's message number `count`. draw: random numbers of this message; words 2
 * and 3 are the pattern's. */
typedef uint32_t traffic_destination(const struct traffic_space *space, uint32_t node,
                                     uint64_t count, struct random_block draw);

/* Whether the pattern (NULL: none) prefers a node, traffic_config.hotspot_node. */
bool traffic_pattern_has_hotspot(const char *name);

/* Finds a pattern by name and prepares the space. setting: where the name was set, for messages.
 * STATUS_USAGE for unknown names (with the valid ones), and for machines on which the pattern means
 * nothing. */
status_code traffic_pattern_find(const struct traffic_config *traffic, const char *setting,
                                 struct traffic_space *space, traffic_destination **destination,
                                 struct status *status);

#endif
